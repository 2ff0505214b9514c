"""What to say if a text has no paraphrase: which option to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from paraphrast.model.control import Control
    from paraphrast.model.paraphraser import Paraphraser


def advice(model: Paraphraser, text: str, control: Control) -> str:
    """Why there is no paraphrase, as far as it can be told, and what to change."""
    from dataclasses import replace

    def finds(**changes: Any) -> bool:
        return bool(model.paraphrase(text, replace(control, n=1, **changes)))

    if control.sure and finds(sure=0.0):
        return f"No paraphrase has a probability of {control.sure:g} or more. Lower --sure."
    more = (
        "No paraphrase passed the confidence threshold. Raise --strength (up to 1) to see less certain ones."
    )
    if control.strength < 1 and finds(strength=1.0):
        return more
    if control.must_use and finds(strength=1.0, must_use=()):
        phrases = " and ".join(repr(phrase) for phrase in control.must_use)
        return (
            f"No paraphrase of this text uses {phrases}: the model does not know it as a paraphrase of any words in "
            "the text. Remove --must-use, or use a phrase that paraphrast explain WORD lists."
        )
    restrictions = {
        "--protect": any(isinstance(item, str) for item in control.protect),
        "--protect-span": any(not isinstance(item, str) for item in control.protect),
        "--avoid": bool(control.avoid),
        "--max-edits": control.max_edits > 0,
        "--table": bool(control.tables),
    }
    named = [flag for flag, is_set in restrictions.items() if is_set]
    if named and finds(strength=1.0, must_use=(), protect=(), avoid=(), max_edits=0, tables=()):
        return f"No paraphrase satisfies {', '.join(named)}; there are some without."
    return "The model has no paraphrase for the words of this text."
