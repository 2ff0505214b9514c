"""Build the embedded model, ``src/paraphrast/models/english.zip``.

    python scripts/build_model.py SHARED WORK [--threads 2]

SHARED is a folder with ``europarl/en-de-fr-es.tsv.xz``, ``bitext-short/{deu,fra}-en.tsv.xz`` and
``sentence-pairs/tatoeba-en-en.tsv.xz``. WORK gets the sources, the full model and its work folder; a second run goes on
where the first one stopped. Everything else comes from the package registries (``paraphrast data list``).

The last 2,000 lines of europarl, and every tatoeba sentence whose MD5 is divisible by 50, are left out: they are for
measuring.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from paraphrast import data
from paraphrast.formats.files import atomic_write
from paraphrast.text import analyse, get_language
from paraphrast.text.syntax.spacy_model import load_spacy

EUROPARL_LINES = 318_000
HELD_OUT = 50
#: Sentences that the parser tags for our own tagger: every so-many-th line of each source.
TAGGED_STEPS = {"europarl": 13, "tatoeba": 7}
LONGEST_TAGGED = 60


def held_out(sentence: str) -> bool:
    """Whether a tatoeba sentence is for measuring only."""
    return int(hashlib.md5(sentence.strip().encode()).hexdigest(), 16) % HELD_OUT == 0


def lines_of(path: Path) -> Iterator[str]:
    """The lines of an xz file, without their ends."""
    with lzma.open(path, "rt", encoding="utf-8") as reader:
        for line in reader:
            yield line.rstrip("\n")


def write_tatoeba(shared: Path, work: Path) -> None:
    """Bitext and English pairs without the held-out sentences."""
    sources = {
        "tatoeba-de.tsv": shared / "bitext-short" / "deu-en.tsv.xz",
        "tatoeba-fr.tsv": shared / "bitext-short" / "fra-en.tsv.xz",
        "tatoeba-pairs.tsv": shared / "sentence-pairs" / "tatoeba-en-en.tsv.xz",
    }
    for name, source in sources.items():
        if (work / name).exists():
            continue
        with atomic_write(work / name) as writer:
            for line in lines_of(source):
                first, second = (side.strip() for side in line.split("\t")[:2])
                if not held_out(first) and not (name == "tatoeba-pairs.tsv" and held_out(second)):
                    writer.write(f"{first}\t{second}\n")


def tagging_sentences(shared: Path, work: Path) -> Iterator[str]:
    """English sentences of all kinds, evenly drawn."""
    europarl = lines_of(shared / "europarl" / "en-de-fr-es.tsv.xz")
    for number, line in enumerate(europarl):
        if number >= EUROPARL_LINES:
            break
        if number % TAGGED_STEPS["europarl"] == 0:
            yield line.split("\t")[0]
    seen: set[str] = set()
    with (work / "tatoeba-de.tsv").open(encoding="utf-8") as reader:
        for number, line in enumerate(reader):
            sentence = line.split("\t")[0]
            if number % TAGGED_STEPS["tatoeba"] == 0 and sentence not in seen:
                seen.add(sentence)
                yield sentence


def write_tagged(sentences: Iterable[str], output: Path) -> None:
    """Sentences in our tokens, tagged by spaCy's small English pipeline, as word/TAG."""
    if output.exists():
        return
    from spacy.tokens import Doc

    pipeline = load_spacy(data.get("en-core-web-sm"), exclude=["ner", "lemmatizer", "attribute_ruler"])
    assert pipeline is not None
    pipeline.disable_pipes("parser")
    language = get_language("en")

    def documents() -> Iterator[Doc]:
        for sentence in sentences:
            analysis = analyse(sentence, language, one_sentence=True)
            words = [sentence[start:end] for start, end in zip(analysis.starts, analysis.ends, strict=True)]
            if 0 < len(words) <= LONGEST_TAGGED and not any("/" in word or " " in word for word in words):
                yield Doc(pipeline.vocab, words=words)

    with atomic_write(output) as writer:
        for document in pipeline.pipe(documents(), batch_size=256):
            writer.write(" ".join(f"{token.text}/{token.tag_}" for token in document) + "\n")


def main() -> None:
    """Build the model."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    arguments = parser.parse_args()
    work: Path = arguments.work
    work.mkdir(parents=True, exist_ok=True)
    write_tatoeba(arguments.shared, work)
    write_tagged(tagging_sentences(arguments.shared, work), work / "tagged.txt")


if __name__ == "__main__":
    sys.exit(main())
