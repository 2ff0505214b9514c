"""Hypotheses as texts: what no text is made of."""

from __future__ import annotations

from paraphrast.model.control import Control
from paraphrast.model.render import _ranked
from paraphrast.text import get_language
from paraphrast.types import Edit, Paraphrase


def test_results_of_spelling_alone_come_last() -> None:
    english = get_language("en")

    def result(before: str, after: str, probability: float) -> Paraphrase:
        edit = Edit(0, len(before), 0, len(after), before, after, probability, ("pivot",))
        return Paraphrase(before, after, 0.0, (edit,), probability)

    results = [
        result("in favour of", "in favor of", 0.98),
        result("e-mail", "email", 0.97),
        result("aid", "help", 0.6),
    ]
    ranked = _ranked(results, 3, Control(strength=0.5), english)
    assert [one.text for one in ranked] == ["help", "in favor of", "email"]
