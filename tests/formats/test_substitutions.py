"""Gold for substitutions, in three formats written by us."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.substitutions import (
    Labelled,
    read_labelled,
    read_lexical_substitution,
    read_swords,
    read_targets,
    targets_of,
    write_labelled,
)


def swords() -> dict[str, Any]:
    return {
        "contexts": {"c1": {"context": "He ran.\n“Quick, é!”"}},
        "targets": {
            "t1": {
                "context_id": "c1",
                "target": "ran",
                "offset": 3,
                "pos": "VERB",
                "extra": {"coinco_lemma": "run"},
            }
        },
        "substitutes": {
            "s1": {"target_id": "t1", "substitute": "sprint"},
            "s2": {"target_id": "t1", "substitute": "walk"},
            "s3": {"target_id": "t1", "substitute": "dash"},
        },
        "substitutes_lemmatized": True,
        "substitute_labels": {
            "s1": ["TRUE", "TRUE_IMPLICIT", "FALSE"],
            "s2": ["FALSE", "UNSURE", "FALSE"],
            "s3": ["TRUE", "UNSURE"],
        },
    }


def test_swords_has_shares_of_judges(tmp_path: Path) -> None:
    path = tmp_path / "swords.json.gz"
    path.write_bytes(gzip.compress(json.dumps(swords()).encode()))
    (target,) = read_swords(path)
    assert (target.word, target.lemma, target.pos) == ("ran", "run", "VERB")
    assert target.accepted == {"sprint": pytest.approx(2 / 3), "walk": 0.0, "dash": 0.5}
    assert target.lemmas
    assert not target.closed
    assert read_targets(path) == [target]


def test_swords_faults(tmp_path: Path) -> None:
    data = swords()
    data["targets"]["t1"]["offset"] = 4
    path = tmp_path / "s.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(FormatError, match="expected 'ran' at 4"):
        read_swords(path)
    del data["targets"]
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(FormatError, match="contexts, targets"):
        read_swords(path)
    path.write_text("{", encoding="utf-8")
    with pytest.raises(FormatError, match="expected JSON"):
        read_swords(path)


def test_lexical_substitution_with_contexts(tmp_path: Path) -> None:
    gold, contexts = tmp_path / "gold", tmp_path / "contexts"
    gold.write_bytes(
        b"bright.a 1 :: clever 3;most able 1;; 1;\ne commerce.J 2 :: web trade 1;\nodd.n 9 :: \xa2 1;\nnone.n 3 ::\n"
    )
    contexts.write_text(
        "bright.a\t1\t2\the was bright .\ne commerce.J\t2\t0\te-commerce grew\nnone.n\t3\t0\tno gold\n",
        encoding="utf-8",
    )
    one, two = read_lexical_substitution(gold, contexts)
    assert (one.word, one.lemma, one.pos, one.closed) == ("bright", "bright", "a", True)
    assert one.accepted == {"clever": 1.0, "most able": 1.0}
    assert (two.word, two.lemma) == ("e-commerce", "e commerce")
    assert read_targets(gold, contexts) == [one, two]
    with pytest.raises(InputError, match="second file"):
        read_targets(gold)


@pytest.mark.parametrize(
    ("gold", "contexts", "message"),
    [
        ("a.n 1 :: b\n", "a.n\t1\t0\ta\n", "substitute and its count"),
        ("a.n 1\n", "a.n\t1\t0\ta\n", "word.pos id"),
        ("a.n 1 :: b 1;\n", "a.n\t1\ta\n", "separated by tab"),
        ("a.n 1 :: b 1;\n", "a.n\t1\t5\ta\n", "below 1"),
    ],
)
def test_lexical_substitution_faults(tmp_path: Path, gold: str, contexts: str, message: str) -> None:
    (tmp_path / "g").write_text(gold, encoding="utf-8")
    (tmp_path / "c").write_text(contexts, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_lexical_substitution(tmp_path / "g", tmp_path / "c")


ROWS = [
    Labelled("I saw it.", 2, 5, "saw", "noticed", True),
    Labelled("I saw it.", 2, 5, "saw", "noticed", False),
    Labelled("I saw it.", 2, 5, "saw", "cut", False),
    Labelled("I saw it.", 2, 5, "saw", "viewed", None),
    Labelled("I saw it.", 6, 8, "it", "that", None),
]


def test_labelled_substitutes_come_back_and_become_targets(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    assert write_labelled(path, ROWS) == 5
    assert read_labelled(path) == ROWS
    one, two = targets_of(ROWS)
    assert one.accepted == {"noticed": 0.5, "cut": 0.0}
    assert (two.word, two.accepted) == ("it", {})
    assert read_targets(path) == [one, two]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": 3}, "expected 'saw' at 3:5"),
        ({"end": 99}, "at 2:99"),
        ({"start": -7}, "at -7:5"),
        ({"correct": "yes"}, "true, false or null"),
        ({"after": None}, "text as 'after'"),
    ],
)
def test_labelled_substitutes_are_checked(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "labels"
    path.write_text(json.dumps({**ROWS[0].to_dict(), **change}) + "\n", encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_labelled(path)


def test_numbers_are_labels_too(tmp_path: Path) -> None:
    path = tmp_path / "labels"
    path.write_text(json.dumps({**ROWS[0].to_dict(), "correct": 1}) + "\n", encoding="utf-8")
    assert read_labelled(path)[0].correct is True
