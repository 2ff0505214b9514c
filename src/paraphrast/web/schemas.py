"""Bodies of requests and answers. The options of a rewrite are drawn from :class:`Control`, their one definition."""

from __future__ import annotations

import types
import typing
from typing import Annotated, Any, Literal

from annotated_types import Len
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model

from paraphrast._options import OptionField, full_help, options_of
from paraphrast.model.control import Control

SENTENCE = "The committee must examine the important proposal as soon as possible."
REPORTS = [
    "Two bombs exploded near the central station on Monday, killing three people.",
    "Three people were killed on Monday when two bombs exploded near the central station.",
    "On Monday two bombs exploded near the main station and killed three people, police said.",
]


def _without_surrogates(text: str) -> str:
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError("valid Unicode text without lone surrogates")
    return text


#: A text. Its length is checked against the limit of the service, not here.
Text = Annotated[str, AfterValidator(_without_surrogates)]
Pair = Annotated[list[Text], Len(2, 2)]
Span = Annotated[list[int], Len(2, 2)]
_BODY = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)


def _with_example(example: dict[str, Any]) -> ConfigDict:
    return ConfigDict(**_BODY, json_schema_extra={"examples": [example]})


def _field(entry: OptionField) -> tuple[Any, Any]:
    """The type and limits of one option as a field of a body."""
    option = entry.option
    limits = {"ge": option.minimum, "le": option.maximum, "gt": option.above, "lt": option.below}
    hint = _hint(entry.hint, option.choices)
    described: dict[str, Any] = {"description": full_help(entry), "default": _plain(entry.default)}
    given: dict[str, Any] = {name: _number(value) for name, value in limits.items() if value is not None}
    return Annotated[hint, Field(**given)] if given else hint, Field(**described)


def _number(value: float) -> float | int:
    return int(value) if value == int(value) else value


def _plain(default: Any) -> Any:
    return list(default) if isinstance(default, tuple) else default


def _hint(hint: Any, choices: tuple[str, ...]) -> Any:
    """Tuples become lists, as JSON has them."""
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        kinds = tuple(_hint(kind, choices) for kind in inner)
        return typing.Union[kinds]  # noqa: UP007  computed
    if hint is str:
        return Literal[choices] if choices else Text
    if origin is tuple:
        if len(inner) == 2 and inner[1] is Ellipsis:
            return list[_hint(inner[0], choices)]  # type: ignore[misc]
        return Span
    return hint


CONTROL_FIELDS = {entry.name: _field(entry) for entry in options_of(Control)}
Options: type[BaseModel] = create_model("Options", __config__=_BODY, **typing.cast(Any, CONTROL_FIELDS))


class _OneText(BaseModel):
    model_config = _with_example({"text": SENTENCE, "n": 3})
    text: Text = Field(description="The text to rewrite.")


class _ManyTexts(BaseModel):
    model_config = _with_example({"texts": [SENTENCE, "He began to speak."], "n": 2, "strength": 0.6})
    texts: list[Text] = Field(description="The texts to rewrite.")


ParaphraseRequest: type[BaseModel] = create_model(
    "ParaphraseRequest", __base__=_OneText, **typing.cast(Any, CONTROL_FIELDS)
)
BatchRequest: type[BaseModel] = create_model(
    "BatchRequest", __base__=_ManyTexts, **typing.cast(Any, CONTROL_FIELDS)
)


def options_in(body: BaseModel) -> dict[str, Any]:
    """The options that a body names, for :class:`Control`."""
    return {name: getattr(body, name) for name in body.model_fields_set if name in CONTROL_FIELDS}


class ExplainRequest(BaseModel):
    """A phrase and, to ask for evidence, its paraphrase."""

    model_config = _with_example({"phrase": "examine"})
    phrase: Text = Field(description="Word or phrase to look up.")
    paraphrase: Text | None = Field(
        None, description="Paraphrase to explain. Without it, all paraphrases of the phrase are listed."
    )
    n: int = Field(20, ge=1, le=100, description="Maximum number of paraphrases to list.")


class AlignRequest(BaseModel):
    """Pairs of texts of one language."""

    model_config = _with_example({"pairs": [[REPORTS[0], REPORTS[1]]]})
    pairs: list[Pair] = Field(description="Pairs of texts in the language of the model.")


class IdentifyRequest(BaseModel):
    """Pairs of sentences."""

    model_config = _with_example({"pairs": [[REPORTS[0], REPORTS[1]]]})
    pairs: list[Pair] = Field(description="Pairs of sentences in the language of the model.")


class FuseRequest(BaseModel):
    """Reports of one event."""

    model_config = _with_example({"sentences": REPORTS, "n": 3})
    sentences: list[Text] = Field(description="Sentences about one event.")
    n: int = Field(10, ge=1, le=100, description="Maximum number of new sentences.")
    version: Literal["auto", "V1", "V2", "V3", "V4", "V5"] = Field(
        "auto", description="How to align sentences; auto tries V4, V5 and V2."
    )
    seed: int = Field(0, ge=0, lt=2**32, description="Random seed for sampling.")
    draw: bool = Field(False, description="Also draw the automaton, as SVG.")


class ReferenceSegment(BaseModel):
    """A source sentence, its reference translation, and outputs of systems."""

    model_config = _BODY
    source: Text = ""
    reference: Text
    outputs: list[Text]


class ReferencesRequest(BaseModel):
    """Segments to compare."""

    model_config = _with_example(
        {
            "segments": [
                {
                    "source": "Le comité doit examiner cette proposition importante.",
                    "reference": "The committee must examine this important proposal.",
                    "outputs": ["The committee should look at this important plan."],
                }
            ]
        }
    )
    segments: list[ReferenceSegment]
    metric: Literal["bleu", "bleu-add-one", "nist", "chrf", "ter", "cder"] = "bleu-add-one"
    source_language: Text = Field(
        "auto", description="Code of the language of the sources, such as fr. auto: found from their text."
    )
    inflections: bool = Field(False, description="Also accept other forms of the same word.")
    threshold: float = Field(0.0, ge=0, le=1, description="Minimum probability of a paraphrase.")


class EditAnswer(BaseModel):
    """One substitution. Offsets count code points."""

    start: int
    end: int
    out_start: int
    out_end: int
    before: str
    after: str
    probability: float
    tables: list[str]
    foreign: str | None = None


class ParaphraseAnswer(BaseModel):
    """One rewritten text."""

    source: str
    text: str
    score: float
    probability: float
    edits: list[EditAnswer]
    features: dict[str, float] | None = None


class Paraphrases(BaseModel):
    """The paraphrases of one text, best first."""

    text: str
    paraphrases: list[ParaphraseAnswer]


class ParaphraseBatch(BaseModel):
    """The paraphrases of each text, in order."""

    results: list[list[ParaphraseAnswer]]


class ErrorDetail(BaseModel):
    """What went wrong, and what to do."""

    status: int
    message: str
    where: str | None
    expected: str | None
    got: str | None
    remedy: str | None


class ErrorAnswer(BaseModel):
    """The body of every answer with a status from 400."""

    error: ErrorDetail
