"""Inflected substitutes match listed lemmas; other words do not."""

from __future__ import annotations

import pytest

from paraphrast.evaluate.forms import Forms, Matcher
from paraphrast.formats.substitutions import Target

TARGET = Target(
    "1", "He examined it.", 3, 11, {"look at": 1.0, "leave": 0.2, "left": 0.9, "Study": 0.5}, lemmas=True
)


@pytest.mark.parametrize("forms", [Forms(), Forms(lemmas=False)])
def test_inflected_forms_match_their_lemma(forms: Forms) -> None:
    matcher = Matcher(forms)
    assert matcher.share(TARGET, "looked at") == 1.0
    assert matcher.share(TARGET, "Looked At") == 1.0
    assert matcher.share(TARGET, "studies") == 0.5
    assert matcher.share(TARGET, "table") is None
    # Itself before its lemma.
    assert matcher.share(TARGET, "left") == 0.9
    assert (matcher.verdict(TARGET, "studied"), matcher.verdict(TARGET, "leaves")) == (True, False)
    assert matcher.verdict(TARGET, "table") is None


def test_what_is_not_listed_is_wrong_where_gold_is_closed() -> None:
    closed = Target("1", "a", 0, 1, {"one": 1.0}, closed=True)
    assert Matcher().verdict(closed, "two") is False


def test_without_lemmas_only_the_same_text_matches() -> None:
    plain = Target("1", "a", 0, 1, {"look at": 1.0})
    assert Matcher().share(plain, "looked at") is None
    assert Matcher().share(plain, "Look  at") == 1.0


def test_kinds_are_told() -> None:
    pytest.importorskip("lemminflect")
    assert (Forms().kind, Forms(lemmas=False).kind, Forms("de").kind) == ("lemma", "stem", "stem")
    assert Forms("xx").of("Words here") == ["words here"]
