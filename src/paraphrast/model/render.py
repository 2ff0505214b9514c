"""Hypotheses of the decoder → texts: spelling, entities, casing, repair, exact offsets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from paraphrast.decode import HypEdit, Hypothesis
from paraphrast.errors import InputError
from paraphrast.model.change import gain_of
from paraphrast.model.clitics import clitic_fits, joins_clitics
from paraphrast.model.control import Control
from paraphrast.model.places import is_out_of_place
from paraphrast.model.prepared import Prepared
from paraphrast.model.spelling import same_but_spelling, spelled
from paraphrast.text import Analysis, Draft, Mender, analyse, copy_case
from paraphrast.text.languages.record import Language
from paraphrast.types import FIRST_WORD, SENTENCE_END, Edit, Paraphrase

if TYPE_CHECKING:
    from paraphrast.model.paraphraser import Paraphraser


def paraphrases(
    model: Paraphraser, item: Prepared, hypotheses: Sequence[Hypothesis], control: Control
) -> list[Paraphrase]:
    """The best ``n`` rewrites as distinct texts.

    With a substitution model: the results that change as much as ``strength`` asks, by probability and gain
    (``model/change.py``); if there are none, those that change the most. Without one: all results whose score is high
    enough, best first.
    """
    ranked = model.ranks_by_probability(control)
    results: list[Paraphrase] = []
    seen = {item.analysis.text}
    constraints = Constraints(model, control)
    mender = Mender(item.analysis.text, model.language)
    inserted: dict[int, str | None] = {}  # by the edit's edge number; hypotheses of an item share edits
    for hypothesis in hypotheses:
        if not ranked and hypothesis.score < control.min_score:
            break
        result = _render(model, item, hypothesis, mender, inserted, ranked=ranked)
        if (
            result is not None
            and result.text not in seen
            and result.probability >= control.sure
            and constraints.hold_for(result)
        ):
            seen.add(result.text)
            if control.explain:
                result = replace(result, features=model.features_of(item, hypothesis, control))
            results.append(result)
            if not ranked and len(results) == control.n:
                break
    return _ranked(results, len(item.words), control, model.language)[: control.n] if ranked else results


def _ranked(results: list[Paraphrase], words: int, control: Control, language: Language) -> list[Paraphrase]:
    """Results that change as much as the strength asks, by probability and gain; those of spelling alone last."""
    most = control.most_changed(words)
    allowed = [result for result in results if _changed(result) <= most] or results
    largest = max((_changed(result) for result in allowed), default=0)
    least = min(control.least_changed(words), largest)
    enough = [result for result in allowed if _changed(result) >= least]
    return sorted(
        enough,
        key=lambda result: (
            _is_spelling(result, language),
            -result.probability - gain_of(result, language, control.strength),
        ),
    )


def is_enough(results: Sequence[Paraphrase], control: Control, language: Language) -> bool:
    """Whether there are ``n`` results, the first of which changes more than the spelling of words."""
    return len(results) >= control.n and not _is_spelling(results[0], language)


def _is_spelling(result: Paraphrase, language: Language) -> bool:
    """Whether a result changes nothing but the spelling of words."""
    return all(same_but_spelling(edit.before, edit.after, language) for edit in result.edits)


def _changed(result: Paraphrase) -> int:
    """Number of words that a result changes."""
    return sum(max(len(edit.before.split()), len(edit.after.split())) for edit in result.edits)


class Constraints:
    """Phrases to insert and to avoid, checked again after repair, which can add "an" or remove a word."""

    def __init__(self, model: Paraphraser, control: Control) -> None:
        self._language = model.language
        self._avoid = [self._words(phrase) for phrase in control.avoid]
        self._must_use = [self._words(phrase) for phrase in control.must_use]

    def _words(self, text: str) -> list[str]:
        return [word.lower() for word in analyse(text, self._language, one_sentence=True).words]

    def hold_for(self, result: Paraphrase) -> bool:
        """Whether a result inserts all phrases it must, and none to avoid."""
        if not self._avoid and not self._must_use:
            return True
        edits = [(self._words(edit.before), self._words(edit.after)) for edit in result.edits]
        return not any(_inserts(edits, phrase) for phrase in self._avoid) and all(
            _inserts(edits, phrase) for phrase in self._must_use
        )


def _inserts(edits: Sequence[tuple[list[str], list[str]]], phrase: list[str]) -> bool:
    """Whether some edit contains the phrase more often after than before."""

    def count(words: list[str]) -> int:
        return sum(words[start : start + len(phrase)] == phrase for start in range(len(words)))

    return any(count(after) > count(before) for before, after in edits)


def _render(
    model: Paraphraser,
    item: Prepared,
    hypothesis: Hypothesis,
    mender: Mender,
    inserted: dict[int, str | None],
    *,
    ranked: bool,
) -> Paraphrase | None:
    """The text of a hypothesis; None if an edit does not fit, or repair changes a protected span or leaves no edit.

    ranked: whether results are ranked by probability; their score is its logarithm.
    """
    text = item.analysis.text
    drafts: list[Draft] = []
    for number, edit in enumerate(hypothesis.edits):
        if edit.edge not in inserted:
            inserted[edit.edge] = _fitting_text(model, item, edit)
        after = inserted[edit.edge]
        if after is None:
            return None
        start, end = item.analysis.starts[edit.start_token], item.analysis.ends[edit.end_token - 1]
        drafts.append(Draft(start, end, after, (number,)))
    if joins_clitics(text, drafts, model.language):
        return None
    mended = mender.mend(drafts)
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
                model.tables_of(parts),
            )
        )
    log_prob = sum(edit.log_prob for edit in hypothesis.edits)
    score = log_prob if ranked else hypothesis.score
    return Paraphrase(text, "".join(pieces) + text[done:], score, tuple(edits), math.exp(log_prob))


def _fitting_text(model: Paraphraser, item: Prepared, edit: HypEdit) -> str | None:
    """The text of an edit; None if it cannot stand beside its neighbours."""
    text, language = item.analysis.text, model.language
    start, end = item.analysis.starts[edit.start_token], item.analysis.ends[edit.end_token - 1]
    after = inserted_text(model, item, edit)
    fits = clitic_fits(text, Draft(start, end, after, (0,)), language)
    return after if fits and not is_out_of_place(text, start, end, after, language) else None


def inserted_text(model: Paraphraser, item: Prepared, edit: HypEdit) -> str:
    """The target phrase in its usual spelling, with the entities of the source, cased like the input."""
    analysis = item.analysis
    parts = edit.swapped or (edit,)
    before = analysis.text[analysis.starts[edit.start_token] : analysis.ends[edit.end_token - 1]]
    return copy_case(
        before,
        " ".join(_part_text(model, item, part) for part in parts),
        before_true=" ".join(item.words[edit.start_token : edit.end_token]),
        at_start=edit.start_token in analysis.sentence_starts,
    )


def _part_text(model: Paraphraser, item: Prepared, part: HypEdit) -> str:
    """The words of a substitution, or those that a swap moves, which stay as they are in the input."""
    analysis = item.analysis
    if part.option < 0:
        first = part.start_token
        moved = analysis.text[analysis.starts[first] : analysis.ends[part.end_token - 1]]
        if first in analysis.sentence_starts and not _is_mask(item.ids[first]):
            moved = item.words[first] + moved[analysis.ends[first] - analysis.starts[first] :]
        return moved
    entities: dict[int, list[str]] = {}
    for place in range(part.start_token, part.end_token):
        if _is_mask(item.ids[place]):
            surface = analysis.text[analysis.starts[place] : analysis.ends[place]]
            entities.setdefault(item.ids[place], []).append(surface)
    surfaces = [
        entities[word].pop(0) if _is_mask(word) else model.vocabulary.words[word]
        for word in part.target_words
    ]
    return spelled(surfaces, int(model.glue[part.target]), model.language)


def _is_mask(word: int) -> bool:
    return SENTENCE_END < word < FIRST_WORD


def protected_spans(text: str, control: Control) -> list[tuple[int, int]]:
    """The character spans that no edit may change: given spans, and all occurrences of given phrases."""
    spans: list[tuple[int, int]] = []
    for protection in control.protect:
        if isinstance(protection, str):
            start = text.find(protection) if protection else -1
            while start >= 0:
                spans.append((start, start + len(protection)))
                start = text.find(protection, start + 1)
            continue
        start, end = protection
        if not 0 <= start <= end <= len(text):
            raise InputError(f"protect: expected a span within 0 and {len(text)}, got {start}:{end}")
        spans.append((start, end))
    return sorted(spans)


def touched_tokens(analysis: Analysis, spans: Sequence[tuple[int, int]]) -> list[int]:
    """Tokens that overlap one of the spans."""
    touched: list[int] = []
    place = 0
    for span_start, span_end in spans:
        # Spans are sorted by start and may overlap: step back to the first token of this span.
        while place > 0 and analysis.ends[place - 1] > span_start:
            place -= 1
        while place < len(analysis.starts) and analysis.starts[place] < span_end:
            if analysis.ends[place] > span_start:
                touched.append(place)
            place += 1
    return sorted(set(touched))
