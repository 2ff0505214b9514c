from __future__ import annotations

import pytest

from paraphrast.text.languages import elision

AN = (
    "apple hour, honest heir MBA FBI NGO MEP X-ray F-16 "
    "8 80 8,000 11 18th 11,000 umbrella unimportant usher EU LED only"
)
A = (
    "report one one, once-only university European U-turn UN US "
    "unit useful hero NATO 5 180 1,100 110 union Ukrainian yes"
)


@pytest.mark.parametrize(
    ("following", "form"), [(w, "an") for w in AN.split()] + [(w, "a") for w in A.split()]
)
def test_a_or_an(following: str, form: str) -> None:
    assert elision.english("a", following) == form
    assert elision.english("AN", following) == form
    assert elision.english("the", following) is None


@pytest.mark.parametrize(
    ("word", "following", "form"),
    [
        ("le", "homme", "l'"), ("le", "héros", "le"), ("la", "école", "l'"), ("que", "il", "qu'"),
        ("le", "onze", "le"), ("d'", "garçon", "de"), ("d’", "amour", "d'"), ("l'", "garçon", None), ("je", "y", "j'"),
        ("le", "hasard", "le"), ("la", "habitude", "l'"), ("un", "homme", None),
    ],
)  # fmt: skip
def test_french(word: str, following: str, form: str | None) -> None:
    assert elision.french(word, following) == form


@pytest.mark.parametrize(
    ("word", "following", "form"),
    [("y", "hijos", "e"), ("y", "hielo", "y"), ("e", "padres", "y"), ("o", "otro", "u"),
     ("u", "este", "o"), ("a", "b", None)],
)  # fmt: skip
def test_spanish(word: str, following: str, form: str | None) -> None:
    assert elision.spanish(word, following) == form


@pytest.mark.parametrize(
    ("word", "following", "form"),
    [("la", "università", "l'"), ("lo", "studio", "lo"), ("una", "idea", "un'"),
     ("della", "iena", "della"), ("il", "a", None)],
)  # fmt: skip
def test_italian(word: str, following: str, form: str | None) -> None:
    assert elision.italian(word, following) == form
