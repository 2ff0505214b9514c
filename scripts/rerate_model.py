"""Give a model the trees and effects of ratings that ship now, without training it again.

    python scripts/rerate_model.py MODEL OUTPUT.zip

MODEL is a model folder or a packed model. Its substitutions stay; their feature ``rated``
(``tables/quality/rated.tsv``), their log-odds without context and the trees change. ``train`` would also choose the
substitutions by the new log-odds.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np

from paraphrast.decode.features import phrases_of
from paraphrast.model import load
from paraphrast.model.folder import write_manifest
from paraphrast.model.integrity import FILES
from paraphrast.model.pack import pack_model
from paraphrast.model.paraphraser import Paraphraser
from paraphrast.model.substitution import STATIC, StaticFeatures, SubstitutionModel, default_acceptance
from paraphrast.tables.quality.rated import rated_phrases

SUBSTITUTION = "substitution"


def rerated(model: Paraphraser, substitution: SubstitutionModel) -> SubstitutionModel:
    """The substitution model with the trees and effects of ratings that ship now."""
    arrays = model.arrays
    sources, targets = (
        [" ".join(model.vocabulary.words[word] for word in row if word >= 0) for row in side.tolist()]
        for side in phrases_of(arrays)
    )
    column = STATIC.index("rated")
    values = np.full((len(sources), len(STATIC)), np.nan, np.float32)
    values[:, column] = rated_phrases().of(sources, targets)
    new, old = StaticFeatures.encode(values), substitution.static
    codes, low, step = old.codes.copy(), old.low.copy(), old.step.copy()
    codes[:, column], low[column], step[column] = new.codes[:, column], new.low[column], new.step[column]
    static = StaticFeatures(codes, low, step)
    acceptance = default_acceptance()
    prior = acceptance.prior.predict(static.values()).astype(np.float32)
    return replace(substitution, acceptance=acceptance, static=static, prior=prior)


def main() -> None:
    """Copy the model, exchange its substitution model, pack it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("model")
    parser.add_argument("output", type=Path)
    options = parser.parse_args()
    model = load(options.model)
    if model.substitution is None:
        parser.error("expected a model with a substitution model")
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work) / "model"
        shutil.copytree(model.path, folder)
        shutil.rmtree(folder / SUBSTITUTION)
        rerated(model, model.substitution).save(folder / SUBSTITUTION)
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        (folder / "manifest.json").unlink()
        manifest.pop(FILES, None)
        write_manifest(folder, manifest)
        pack_model(folder, options.output, small=True)


if __name__ == "__main__":
    main()
