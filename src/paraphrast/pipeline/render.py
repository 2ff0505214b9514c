"""Hypotheses of the decoder → texts: spelling, entities, casing, mending, exact offsets."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from paraphrast.decode import HypEdit, Hypothesis
from paraphrast.errors import InputError
from paraphrast.pipeline.control import Control
from paraphrast.text import Analysis, Draft, copy_case, mend
from paraphrast.types import FIRST_WORD, SENTENCE_END, Edit, Paraphrase

if TYPE_CHECKING:
    from paraphrast.pipeline.paraphraser import Paraphraser, Prepared


def paraphrases(
    model: Paraphraser, item: Prepared, hypotheses: Sequence[Hypothesis], control: Control
) -> list[Paraphrase]:
    """The first ``n`` hypotheses that are good enough, as distinct texts."""
    results: list[Paraphrase] = []
    seen = {item.analysis.text}
    for hypothesis in hypotheses:
        if hypothesis.score < control.min_score:
            break
        result = _render(model, item, hypothesis)
        if result is not None and result.text not in seen:
            seen.add(result.text)
            results.append(result)
            if len(results) == control.n:
                break
    return results


def _render(model: Paraphraser, item: Prepared, hypothesis: Hypothesis) -> Paraphrase | None:
    """One text; None where mending would touch what is protected or leaves nothing changed."""
    text = item.analysis.text
    drafts = [
        Draft(
            item.analysis.starts[edit.start_token],
            item.analysis.ends[edit.end_token - 1],
            inserted_text(model, item, edit),
            (number,),
        )
        for number, edit in enumerate(hypothesis.edits)
    ]
    mended = mend(text, drafts, model.language)
    if not mended or any(
        draft.start < end and start < draft.end for draft in mended for start, end in item.protected
    ):
        return None
    edits: list[Edit] = []
    pieces: list[str] = []
    done = length = 0
    for draft in mended:
        kept = text[done : draft.start]
        pieces += [kept, draft.after]
        out_start = length + len(kept)
        length = out_start + len(draft.after)
        done = draft.end
        parts = [hypothesis.edits[number] for number in draft.parts]
        edits.append(
            Edit(
                draft.start,
                draft.end,
                out_start,
                length,
                text[draft.start : draft.end],
                draft.after,
                math.exp(sum(part.log_prob for part in parts)),
                _tables(model, parts),
            )
        )
    return Paraphrase(text, "".join(pieces) + text[done:], hypothesis.score, tuple(edits))


def _tables(model: Paraphraser, parts: Iterable[HypEdit]) -> tuple[str, ...]:
    mask = 0
    for part in parts:
        mask |= part.table_mask
    return model.arrays.tables_of(mask)


def inserted_text(model: Paraphraser, item: Prepared, edit: HypEdit) -> str:
    """The target phrase in its raw spelling, entities filled in from the source, cased as the input is."""
    analysis = item.analysis
    entities: dict[int, list[str]] = {}
    for place in range(edit.start_token, edit.end_token):
        if _is_mask(item.ids[place]):
            surface = analysis.text[analysis.starts[place] : analysis.ends[place]]
            entities.setdefault(item.ids[place], []).append(surface)
    glue = int(model.glue[edit.target])
    pieces: list[str] = []
    for place, word in enumerate(edit.target_words):
        if place and not glue >> (place - 1) & 1:
            pieces.append(" ")
        pieces.append(entities[word].pop(0) if _is_mask(word) else model.vocabulary.words[word])
    before = analysis.text[analysis.starts[edit.start_token] : analysis.ends[edit.end_token - 1]]
    return copy_case(
        before,
        "".join(pieces),
        before_true=" ".join(item.words[edit.start_token : edit.end_token]),
        at_start=edit.start_token in analysis.sentence_starts,
    )


def _is_mask(word: int) -> bool:
    return SENTENCE_END < word < FIRST_WORD


def protected_spans(text: str, control: Control) -> list[tuple[int, int]]:
    """Character spans that no edit may touch: given spans, and every occurrence of given phrases."""
    spans: list[tuple[int, int]] = []
    for wish in control.protect:
        if isinstance(wish, str):
            start = text.find(wish) if wish else -1
            while start >= 0:
                spans.append((start, start + len(wish)))
                start = text.find(wish, start + 1)
            continue
        start, end = wish
        if not 0 <= start <= end <= len(text):
            raise InputError(f"protect: expected a span within 0 and {len(text)}, got {start}:{end}")
        spans.append((start, end))
    return sorted(spans)


def touched_tokens(analysis: Analysis, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Tokens that overlap one of the spans."""
    if not spans:
        return []
    return [
        place
        for place, (start, end) in enumerate(zip(analysis.starts, analysis.ends, strict=True))
        if any(start < span_end and span_start < end for span_start, span_end in spans)
    ]
