"""The context-free score: features against a plain twin, evidence, files."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein

from paraphrast._trees import Trees
from paraphrast.errors import FormatError, InputError
from paraphrast.tables.quality import _kernels_quality as k
from paraphrast.tables.quality.score import (
    EVIDENCE,
    FEATURES,
    GROUPS,
    QualityModel,
    WordKnowledge,
    known_words,
    quality_features,
)
from paraphrast.text import get_language
from paraphrast.types import FIRST_WORD, Phrases, Vocabulary

WORDS = [
    "big",
    "large",
    "small",
    "car",
    "cars",
    "vehicle",
    "the",
    "a",
    "of",
    "not",
    "two",
    "three",
    "examine",
    "look",
    "at",
    "unseenword",
]
VOCABULARY = Vocabulary.from_counts((word, 1) for word in WORDS)
RELATIONS = [
    ("synonym", "big", "large"),
    ("antonym", "big", "small"),
    ("hypernym", "car", "vehicle"),
    ("listed", "examine", "look"),
]


def knowledge() -> WordKnowledge:
    draw = np.random.default_rng(3)
    known = [word for word in WORDS if word != "unseenword"]
    return known_words(
        VOCABULARY, get_language("en"), (known, draw.standard_normal((len(known), 6))), RELATIONS
    )


def phrases_of(texts: list[str]) -> Phrases:
    matrix = np.full((len(texts), 7), -1, np.int32)
    for row, text in enumerate(texts):
        ids = [VOCABULARY.ids[word] for word in text.split()]
        matrix[row, : len(ids)] = ids
    return Phrases(matrix, np.zeros(len(texts), np.uint8))


def cosine(one: np.ndarray, two: np.ndarray) -> float:
    size = math.sqrt(float(one @ one) * float(two @ two))
    return float(one @ two) / size if size > 0 else math.nan


def plain_features(one: list[int], two: list[int], known: WordKnowledge) -> dict[str, float]:
    """Every feature, one by one, from its meaning."""
    sides = (one, two)
    words = VOCABULARY.words
    content = [[bool(known.content[word]) for word in side] for side in sides]
    texts = [" ".join(words[word] for word in side) for side in sides]
    taken: list[set[int]] = [set(), set()]
    for i, word in enumerate(one):
        for j, other in enumerate(two):
            if j not in taken[1] and known.stem[word] == known.stem[other]:
                taken[0].add(i)
                taken[1].add(j)
                break
    shared_words = sum(any(known.folded[word] == known.folded[other] for other in two) for word in one)

    def alike(i: int, j: int) -> float:
        if known.stem[one[i]] == known.stem[two[j]]:
            return 1.0
        return cosine(known.vector[one[i]].astype(float), known.vector[two[j]].astype(float))

    def total(side: int, weighted: bool = False, rest: bool = False) -> np.ndarray:
        found = np.zeros(known.vector.shape[1])
        for place, word in enumerate(sides[side]):
            rank = float(known.rank[word])
            weight = (0.3 if math.isnan(rank) else rank / 10) if weighted else 1.0
            if not rest or place not in taken[side]:
                found += weight * known.vector[word]
        return found

    found = {
        "source_words": len(one), "target_words": len(two),
        "source_content": sum(content[0]), "target_content": sum(content[1]),
        "letters": math.log((len(texts[1]) + 1) / (len(texts[0]) + 1)),
        "edit": Levenshtein.normalized_similarity(*texts),
        "words_shared": shared_words / (len(one) + len(two) - shared_words),
        "stems_shared": len(taken[0]) / (len(one) + len(two) - len(taken[0])),
        "same_first": known.folded[one[0]] == known.folded[two[0]],
        "same_last": known.folded[one[-1]] == known.folded[two[-1]],
        "cosine": cosine(total(0), total(1)),
        "cosine_weighted": cosine(total(0, weighted=True), total(1, weighted=True)),
        "cosine_rest": cosine(total(0, rest=True), total(1, rest=True)),
        "cosine_first": alike(0, 0), "cosine_last": alike(len(one) - 1, len(two) - 1),
        "unknown": sum(math.isnan(known.rank[word]) for side in sides for word in side) / (len(one) + len(two)),
        "negation": sum(known.negation[one]) != sum(known.negation[two]),
        "number": sorted(known.number[word] for word in one if known.number[word] >= 0)
        != sorted(known.number[word] for word in two if known.number[word] >= 0),
    }  # fmt: skip
    for side, name in enumerate(("source", "target")):
        own = sides[side]
        kept = [place in taken[side] for place, inside in enumerate(content[side]) if inside]
        found[f"{name}_kept"] = sum(kept) / len(kept) if kept else math.nan
        best = []
        for place in range(len(own)):
            if any(content[side]) and not content[side][place]:
                continue
            values = [alike(place, j) if side == 0 else alike(j, place) for j in range(len(sides[1 - side]))]
            values = [value for value in values if not math.isnan(value)]
            best += [max(values)] if values else []
        found[f"{name}_aligned"] = sum(best) / len(best) if best else math.nan
        found[f"{name}_worst"] = min(best) if best else math.nan
        ranks = [
            float(known.rank[word])
            for word in own
            if known.content[word] and not math.isnan(known.rank[word])
        ]
        found[f"{name}_rank"] = max(ranks) if ranks else math.nan
    found["rank_difference"] = found["target_rank"] - found["source_rank"]
    bits = dict(zip(known.keys.tolist(), known.bits.tolist(), strict=True))
    first = k.NAMES.index("synonym")
    places = [i for i, inside in enumerate(content[0]) if inside and i not in taken[0]]
    for number, name in enumerate(k.NAMES[first:-2]):
        hits = 0
        for i in places:
            held = 0
            for j in range(len(two)):
                if j not in taken[1]:
                    held |= bits.get(int(known.stem[one[i]]) << 32 | int(known.stem[two[j]]), 0)
            hits += held >> number & 1
        found[name] = hits / len(places) if places else 0.0
    return found


def test_features_are_those_of_the_plain_twin() -> None:
    known = knowledge()
    draw = np.random.default_rng(5)
    texts = [" ".join(draw.choice(WORDS, draw.integers(1, 5))) for _ in range(40)]
    store = phrases_of(texts)
    source, target = np.arange(0, 40, 2, dtype=np.int32), np.arange(1, 40, 2, dtype=np.int32)
    found = quality_features(store, source, target, known)
    for row, (one, two) in enumerate(zip(source, target, strict=True)):
        expected = plain_features(list(store.ids_of(int(one))), list(store.ids_of(int(two))), known)
        assert set(expected) == set(k.NAMES)
        for column, name in enumerate(k.NAMES):
            assert found[row, column] == pytest.approx(float(expected[name]), abs=2e-4, nan_ok=True), (
                name, texts[one], texts[two],
            )  # fmt: skip


def test_relations_hold_of_stems_and_point_one_way() -> None:
    store = phrases_of(["big cars", "large vehicle", "small car"])
    found = quality_features(store, np.array([0, 1, 0], np.int32), np.array([1, 0, 2], np.int32), knowledge())
    column = {name: number for number, name in enumerate(FEATURES)}
    assert found[:, column["synonym"]].tolist() == [0.5, 0.5, 0.0]
    assert found[:, column["hypernym"]].tolist() == [0.5, 0.0, 0.0]
    assert found[:, column["hyponym"]].tolist() == [0.0, 0.5, 0.0]
    assert found[:, column["antonym"]].tolist() == [0.0, 0.0, 1.0]  # "cars" and "car" are one word


def test_without_vectors_and_relations_the_rest_is_told() -> None:
    plain = known_words(VOCABULARY, get_language("en"))
    store = phrases_of(["big car", "large car"])
    found = quality_features(store, np.array([0], np.int32), np.array([1], np.int32), plain)[0]
    column = {name: number for number, name in enumerate(FEATURES)}
    assert found[column["same_last"]] == 1
    assert math.isnan(found[column["cosine"]])
    assert math.isnan(found[column["source_rank"]])
    assert found[column["synonym"]] == 0


def test_evidence_is_told_by_name() -> None:
    store = phrases_of(["big", "large"])
    one, two = np.array([0], np.int32), np.array([1], np.int32)
    found = quality_features(store, one, two, knowledge(), {"pivot": np.array([-1.5])})[0]
    assert found[FEATURES.index("pivot")] == -1.5
    assert all(math.isnan(found[FEATURES.index(name)]) for name in EVIDENCE if name != "pivot")
    with pytest.raises(InputError, match="unknown evidence"):
        quality_features(store, one, two, knowledge(), {"pivots": np.array([0.0])})
    with pytest.raises(InputError, match="unknown relation"):
        known_words(VOCABULARY, get_language("en"), None, [("likes", "big", "car")])


def test_groups_hold_every_feature_once() -> None:
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(FEATURES)
    assert len(VOCABULARY) > FIRST_WORD


def test_a_model_is_read_back_and_another_file_refused(tmp_path: Path) -> None:
    features = np.random.default_rng(9).random((300, len(FEATURES))).astype(np.float32)
    stump = Trees(
        3.0,
        np.array([[5]], np.int32),
        np.array([[0.5]], np.float32),
        np.array([[-9.0, 9.0]], np.float32),
    )
    model = QualityModel(stump, "made up")
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(model.to_dict()), encoding="utf-8")
    again = QualityModel.load(path)
    assert again.note == "made up"
    assert again.grade(features).tolist() == np.where(features[:, 5] > 0.5, 5.0, 1.0).tolist()
    logs = again.log_quality(features)
    assert logs.dtype == np.float32
    assert np.exp(logs) == pytest.approx(np.where(features[:, 5] > 0.5, 0.98, 0.02))
    path.write_text(json.dumps({**model.to_dict(), "features": ["other"]}), encoding="utf-8")
    with pytest.raises(FormatError, match="features of this version"):
        QualityModel.load(path)


def test_the_model_that_ships_prefers_synonyms_to_antonyms() -> None:
    store = phrases_of(["big", "large", "small", "examine", "look at", "of"])
    model = QualityModel.default()
    assert "PPDB" in model.note
    source, target = np.array([0, 0, 3], np.int32), np.array([1, 2, 5], np.int32)
    grade = model.grade(quality_features(store, source, target, knowledge()))
    assert grade[0] > grade[1]
    assert grade[0] > grade[2]
