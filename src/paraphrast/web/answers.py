"""Bodies of answers other than paraphrases, for the OpenAPI description. Workers write the JSON themselves."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from paraphrast.web.schemas import EditAnswer


class KnownParaphrase(BaseModel):
    """One paraphrase of a phrase."""

    paraphrase: str
    probability: float


class KnownParaphrases(BaseModel):
    """All that the tables know of a phrase."""

    phrase: str
    paraphrases: list[KnownParaphrase]


class TableEvidence(BaseModel):
    """The row of one table. score: natural log; rank: among the paraphrases of the source in this table."""

    table: str
    score: float
    count: int
    features: dict[str, float | None]
    rank: int
    of: int
    vetoes: list[str]


class Citation(BaseModel):
    """A sentence of a corpus with the phrase marked."""

    corpus: str
    licence: str
    line: int
    text: str
    start: int
    end: int


class PivotEvidence(BaseModel):
    """A foreign phrase that both phrases translate."""

    language: str
    phrase: str
    probability: float
    source_seen: Citation | None
    target_seen: Citation | None


class Evidence(BaseModel):
    """The evidence for a substitution."""

    source: str
    target: str
    tables: list[TableEvidence]
    pivots: list[PivotEvidence]


class Token(BaseModel):
    """A word of a text with its place."""

    text: str
    start: int
    end: int


class Link(BaseModel):
    """A link between two words, by their numbers."""

    source: int
    target: int
    probability: float | None


class AlignedPair(BaseModel):
    """The words of two texts, and their links."""

    source: list[Token]
    target: list[Token]
    links: list[Link]


class AlignAnswer(BaseModel):
    """One object per pair."""

    pairs: list[AlignedPair]


class IdentifyAnswer(BaseModel):
    """One probability per pair."""

    probabilities: list[float]


class Automaton(BaseModel):
    """The size of the automaton. paths: a whole number that may be very large, so a text."""

    states: int
    edges: int
    paths: str = Field(pattern="^[0-9]+$")
    deterministic: bool


class ConflictValue(BaseModel):
    """A value, and the reports that state it, numbered from 0."""

    value: str
    sentences: list[int]


class Conflict(BaseModel):
    """What reports disagree about."""

    left: str
    right: str
    kind: str
    values: list[ConflictValue]


class FuseAnswer(BaseModel):
    """New sentences with the origin of each span, and the conflicts between reports. svg: if draw was true."""

    version: str
    automaton: Automaton
    sentences: list[dict[str, Any]]
    conflicts: list[Conflict]
    notes: list[str]
    svg: str | None = None


class MatchedWord(BaseModel):
    """A word of an output: in the reference, only in its paraphrase (through an edit), or in neither."""

    start: int
    end: int
    kind: Literal["same", "paraphrase", "other"]
    edit: int | None


class ClosestReference(BaseModel):
    """The paraphrased reference that is closest to an output."""

    text: str
    probability: float
    edits: list[EditAnswer]


class ComparedOutput(BaseModel):
    """One output beside its reference."""

    segment: int
    output: str
    reference: str
    closest: ClosestReference
    words: list[MatchedWord]
    score: float
    score_with_paraphrases: float


class ReferencesAnswer(BaseModel):
    """All outputs, and how they were scored."""

    outputs: list[ComparedOutput]
    substitutions: int
    origins: list[str] = Field(alias="from")
    metric: str
    signature: str


class ModelTable(BaseModel):
    """A table of a model."""

    name: str
    rows: int
    signature: str


class ModelSource(BaseModel):
    """What a model was made of."""

    name: str
    licence: str


class MeasuredFigure(BaseModel):
    """A measured figure of a model's quality."""

    road: str
    measure: str
    value: str
    data: str
    page: str
    quote: str


class ModelAnswer(BaseModel):
    """A loaded model."""

    name: str
    language: str
    pivots: list[str]
    signature: str
    version: str
    format_version: int
    tables: list[ModelTable]
    sources: list[ModelSource]
    licences: list[str]
    quality: list[MeasuredFigure]
    words: int
    ranks_by_probability: bool
    precise: bool


class ModelsAnswer(BaseModel):
    """All loaded models."""

    models: list[ModelAnswer]


class HealthAnswer(BaseModel):
    """The service runs."""

    status: Literal["ok"]
    version: str


class ReadyAnswer(BaseModel):
    """A worker has loaded the model."""

    status: Literal["ready"]
    workers: int
    waiting: int
    running: int
    restarts: int
