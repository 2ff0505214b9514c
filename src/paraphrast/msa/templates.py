"""Sentence templates of Barzilay and Lee (2003): fixed words, alternative wordings, and slots.

Two templates have the same meaning if sentences of one event fill their slots with similar words. A sentence that fits
one of them is then rewritten with the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, permutations, product
from typing import Any

from paraphrast.errors import InputError
from paraphrast.msa.cluster import is_content, make_cluster
from paraphrast.text.languages.record import Language

#: The wordings of one place, the most frequent first; empty for an argument slot.
Part = tuple[tuple[str, ...], ...]
SLOT: Part = ()
#: Maximum number of slots of which all orders are tried; templates with more slots are not matched.
MOST_SLOTS = 5
_CLOSING = frozenset(".,;:!?)]}%”’»…")
_OPENING = frozenset("([{“‘«$£€#")


@dataclass(frozen=True)
class Template:
    """A lattice as a sequence of parts.

    parts: for every place its wordings (``()`` among them if it may be left out), or ``SLOT`` for an argument.
    sentences: the corpus positions of its sentences. values: the words of each sentence in the slots; empty if the
        sentence does not pass the slot.
    """

    parts: tuple[Part, ...]
    sentences: tuple[int, ...] = ()
    values: tuple[tuple[tuple[str, ...], ...], ...] = ()

    @property
    def slots(self) -> int:
        """The number of arguments."""
        return self.parts.count(SLOT)

    def text(self) -> str:
        """A readable form: slots as numbers in brackets, wordings separated by "|"."""
        number = 0
        words = []
        for part in self.parts:
            number += part == SLOT
            wordings = " | ".join(" ".join(wording) or "–" for wording in part)
            words.append(f"[{number}]" if part == SLOT else wordings if len(part) == 1 else f"({wordings})")
        return " ".join(words)

    def filled(self, values: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
        """All sentences with these arguments, the most frequent wordings first."""
        if len(values) != self.slots:
            raise InputError(f"expected {self.slots} arguments, got {len(values)}")
        given = iter(values)
        choices = [(tuple(next(given)),) if part == SLOT else part for part in self.parts]
        ranked = product(*(range(len(wordings)) for wordings in choices))
        for chosen in sorted(islice(ranked, 1000), key=sum):
            yield tuple(
                word for wordings, place in zip(choices, chosen, strict=True) for word in wordings[place]
            )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON: wordings as texts, null for a slot. Source sentences are left out."""
        return {
            "parts": [
                None if part == SLOT else [" ".join(wording) for wording in part] for part in self.parts
            ],
            "sentences": len(self.sentences),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Template:
        """From :meth:`to_dict`'s values."""
        return cls(
            tuple(
                SLOT if part is None else tuple(tuple(wording.split()) for wording in part)
                for part in values["parts"]
            )
        )


@dataclass(frozen=True)
class TemplatePair:
    """Two templates with the same meaning; ``order[i]`` is the slot of ``second`` for slot i of ``first``."""

    first: Template
    second: Template
    order: tuple[int, ...]
    score: float

    def ways(self) -> Iterator[tuple[Template, Template, tuple[int, ...]]]:
        """Both directions: the template to match, the template to write, and the order of its arguments."""
        yield self.first, self.second, self.order
        yield self.second, self.first, tuple(self.order.index(slot) for slot in range(len(self.order)))

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "first": self.first.to_dict(),
            "second": self.second.to_dict(),
            "order": list(self.order),
            "score": round(self.score, 4),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TemplatePair:
        """The pair whose :meth:`to_dict` gave ``values``; an error if they are inconsistent."""
        try:
            first, second = (Template.from_dict(values[name]) for name in ("first", "second"))
            order = tuple(int(slot) for slot in values["order"])
            score = float(values["score"])
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise InputError(f"expected a pair of templates: {error!r}") from error
        if not first.slots == second.slots == len(order) or sorted(order) != list(range(len(order))):
            raise InputError(f"expected an order of {first.slots} slots, got {list(order)}")
        return cls(first, second, order, score)


def match_templates(
    first: Sequence[Template],
    second: Sequence[Template] | None,
    same_event: Mapping[int, set[int]],
    language: Language,
    *,
    overlap: float = 0.3,
) -> list[TemplatePair]:
    """Pairs of templates with the same meaning: sentences of one event fill their slots with similar words. Best first.

    second: templates of the other corpus; None matches a corpus with itself. same_event: for a sentence of the first
    corpus, the sentences of the second about the same event (such as of the same day). overlap: minimum mean overlap.
    """
    pairs = []
    for number, left in enumerate(first):
        for right in first[number + 1 :] if second is None else second:
            if left.slots != right.slots or not 0 < left.slots <= MOST_SLOTS:
                continue
            together = [
                (left.values[i], right.values[j])
                for i, sentence in enumerate(left.sentences)
                for j, other in enumerate(right.sentences)
                if other in same_event.get(sentence, ())
            ]
            if not together:
                continue
            score, order = max(
                ((_overlap(together, order, language), order) for order in permutations(range(left.slots))),
                key=lambda scored: scored[0],
            )
            if score >= overlap:
                pairs.append(TemplatePair(left, right, order, score))
    return sorted(pairs, key=lambda pair: -pair.score)


def _overlap(
    together: Sequence[tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]],
    order: Sequence[int],
    language: Language,
) -> float:
    """Mean overlap of the words in matched slots; names and numbers count twice, function words not at all."""
    total = 0.0
    for left, right in together:
        shared = whole = 0.0
        for place, target in enumerate(order):
            ours = {word for word in left[place] if is_content(word, language)}
            theirs = {word for word in right[target] if is_content(word, language)}
            shared += sum(_weight(word) for word in ours & theirs)
            whole += sum(_weight(word) for word in ours | theirs)
        total += shared / whole if whole else 0.0
    return total / len(together)


def _weight(word: str) -> float:
    return 2.0 if word[:1].isupper() or any(map(str.isdigit, word)) else 1.0


def rewrite(
    text: str,
    pairs: Sequence[TemplatePair],
    language: Language,
    *,
    n: int = 10,
    pretokenized: bool = False,
) -> list[tuple[str, TemplatePair]]:
    """Rewrites of a sentence with the partners of its templates; empty if no template fits.

    First those of the template with the most words of the sentence, then by the score of the pair.
    """
    cluster = make_cluster([text], language, pretokenized=pretokenized)
    words = cluster.words[0]
    matches: list[tuple[int, int, list[str]]] = []
    for number, pair in enumerate(pairs):
        for template, partner, order in pair.ways():
            values = arguments_of(words, template)
            if values is None:
                continue
            moved: list[Sequence[str]] = [()] * len(values)
            for slot, target in enumerate(order):
                moved[target] = values[slot]
            rewrites = islice(partner.filled(moved), n)
            fixed_words = len(words) - sum(map(len, values))
            capital = text.lstrip()[:1].isupper()
            matches.append(
                (
                    -fixed_words,
                    number,
                    [spelled(rewrite, capital=capital, pretokenized=pretokenized) for rewrite in rewrites],
                )
            )
    by_text: dict[str, TemplatePair] = {}
    for _, number, texts in sorted(matches, key=lambda match: match[:2]):
        for made_text in texts:
            if made_text.split() != text.split():
                by_text.setdefault(made_text, pairs[number])
    return list(by_text.items())[:n]


def arguments_of(words: Sequence[str], template: Template) -> list[tuple[str, ...]] | None:
    """The words of a sentence in a template's slots, the first slots as short as possible; None if it does not fit."""
    small = tuple(word.lower() for word in words)
    known: dict[tuple[int, int], list[tuple[str, ...]] | None] = {}

    def fit(part: int, at: int) -> list[tuple[str, ...]] | None:
        if part == len(template.parts):
            return [] if at == len(words) else None
        if (part, at) in known:
            return known[part, at]
        arguments: list[tuple[str, ...]] | None = None
        wordings = template.parts[part]
        if wordings == SLOT:
            for end in range(at + 1, len(words) + 1):
                rest = fit(part + 1, end)
                if rest is not None:
                    arguments = [tuple(words[at:end]), *rest]
                    break
        for wording in wordings:
            end = at + len(wording)
            if arguments is None and small[at:end] == tuple(word.lower() for word in wording):
                arguments = fit(part + 1, end)
        known[part, at] = arguments
        return arguments

    return fit(0, 0)


def spelled(words: Sequence[str], *, capital: bool = True, pretokenized: bool = False) -> str:
    """Words as text: a capital at the beginning if wanted, no space before or after punctuation as usual."""
    if not words:
        return ""
    text = words[0][:1].upper() + words[0][1:] if capital else words[0]
    for before, word in pairwise(words):
        glued = word[0] in _CLOSING or before[-1] in _OPENING or word[0] == "'" or word == "n't"
        text += word if glued and not pretokenized else f" {word}"
    return text
