"""The registry model: what the package registries carry, built into the user's cache with one command."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from paraphrast import data
from paraphrast.data.by_language import TAGGED
from paraphrast.model.default import MINUTES, registry_folder
from paraphrast.training.config import Config, Source
from paraphrast.training.pair_quality import knowledge_names
from paraphrast.training.runner import Progress

#: Bitext, text and lexicons of the full model, by their names in the data index.
BITEXT = ("nlp-de", "nlp-fr", "nlp-it", "libreoffice-de", "libreoffice-fr", "libreoffice-es")
TEXT = ("nlp-en", "reuters", "brown", "sotu", "gutenberg")
ANTONYMS = "wordnet-antonyms"
#: Tables beside pivot and graph: name → kind, data, options. Not the dictionary: its licence (GPL) would be the
#: model's, and its definitions would be half of all phrases and few of the rewrites.
TABLES: dict[str, tuple[str, str, dict[str, Any]]] = {
    "wordnet": ("lexicon", "wordnet-synonyms", {}),
    "moby": ("lexicon", "moby", {"mutual": True, "top": 10}),
}
#: The bitext that pip alone can bring: the New Testament in seven English versions, with the Greek.
PIP_BITEXT = ("bible-grc",)


def how_to_build() -> str:
    """The one command, its minutes, megabytes and licences."""
    names = default_names()
    index = data.index()
    size = sum(index[name].size_mb for name in names)
    licences = sorted({index[name].licence for name in names})
    return (
        f"build it with `paraphrast train --default`: about {MINUTES} minutes on two cores, "
        f"{size:,.0f} MB to fetch; licences of its sources: {'; '.join(licences)}"
    )


def default_names() -> list[str]:
    """Names of the data the registry model can have on this machine."""
    config, _ = default_config()
    names = [source.data for source in config.sources if source.data]
    judging = knowledge_names(config.language)
    if all(data.available(name) for name in judging):
        names += [name for name in judging if name not in names]
    return names


def default_config() -> tuple[Config, list[str]]:
    """The configuration this machine allows, and what it lacks, for people."""
    missing: list[str] = []

    def usable(names: tuple[str, ...]) -> tuple[Source, ...]:
        found = []
        for name in names:
            if data.available(name):
                found.append(Source(name, data=name, licence=data.index()[name].licence))
            else:
                missing.append(name)
        return tuple(found)

    bitext, text = usable(BITEXT), usable(TEXT)
    tagger, antonyms = usable((TAGGED["en"],)), usable((ANTONYMS,))
    if not bitext:
        bitext = usable(PIP_BITEXT)
    # Lexicons list lemmas; without lemminflect sentences meet only those.
    inflect = find_spec("lemminflect") is not None
    tables = [
        replace(source, name=name, kind=kind, options={**options, "inflect": inflect})
        for name, (kind, lexicon, options) in TABLES.items()
        for source in usable((lexicon,))
    ]
    config = Config(
        "en",
        bitext,
        text,
        tagger[0] if tagger else None,
        antonyms[0] if antonyms else None,
        tuple(tables),
        options={"lm": {"order": 4}, "graph": {}},
    )
    return config, missing


def build_default(
    output: str | Path | None = None,
    *,
    force: bool = False,
    threads: int = 0,
    memory: str | None = None,
    engine: str = "duckdb",
    evidence: str = "text",
    keep_work: bool = False,
    progress: Progress | None = None,
    tell: Callable[[str], None] | None = None,
) -> Path:
    """Fetch what the registry model needs and train it."""
    from paraphrast.training.stages import train

    say: Callable[[str], Any] = tell or (lambda message: None)
    config, missing = default_config()
    if missing:
        say(
            f"This machine cannot fetch {', '.join(missing)} (npm or apt-get is missing): "
            "the model will be smaller and its paraphrases fewer."
        )
    target = Path(output) if output else registry_folder()
    target.parent.mkdir(parents=True, exist_ok=True)
    return train(
        replace(config, evidence=evidence),
        target,
        force=force,
        threads=threads,
        memory=memory,
        engine=engine,
        keep_work=keep_work,
        progress=progress,
    )
