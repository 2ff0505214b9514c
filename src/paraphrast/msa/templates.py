"""Templates of sentences, as Barzilay and Lee (2003) have them: words that stay, wording that varies, slots.

Two templates mean the same where sentences of one event fill their slots alike; a sentence that fits one of them is
then said as the other says it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, permutations, product
from typing import Any

from paraphrast.errors import InputError
from paraphrast.msa.cluster import is_content, make_cluster
from paraphrast.text.languages.record import Language

#: Wordings of one place, the most frequent first; none at all for an argument.
Part = tuple[tuple[str, ...], ...]
SLOT: Part = ()
#: Slots whose every order is tried; more of them match nothing.
MOST_SLOTS = 5
_CLOSING = frozenset(".,;:!?)]}%”’»…")
_OPENING = frozenset("([{“‘«$£€#")


@dataclass(frozen=True)
class Template:
    """A lattice as it is used.

    parts: for every place its wordings (``()`` is one of them where it may be left out), or ``SLOT`` for an argument.
    sentences: those it was made of, as places in the corpus; values: what each of them puts into the slots, nothing
        where it goes another way.
    """

    parts: tuple[Part, ...]
    sentences: tuple[int, ...] = ()
    values: tuple[tuple[tuple[str, ...], ...], ...] = ()

    @property
    def slots(self) -> int:
        """How many arguments."""
        return self.parts.count(SLOT)

    def text(self) -> str:
        """For people: slots as numbers in brackets, wordings with strokes between."""
        number = 0
        words = []
        for part in self.parts:
            number += part == SLOT
            wordings = " | ".join(" ".join(wording) or "–" for wording in part)
            words.append(f"[{number}]" if part == SLOT else wordings if len(part) == 1 else f"({wordings})")
        return " ".join(words)

    def filled(self, values: Sequence[Sequence[str]]) -> Iterator[tuple[str, ...]]:
        """The words with these arguments, in every wording, the most frequent first."""
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
        """Plain values, for JSON: wordings as texts, null for a slot. Where it came from is left out."""
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
    """Two templates that say the same; ``order[i]`` is the slot of ``second`` that takes slot i of ``first``."""

    first: Template
    second: Template
    order: tuple[int, ...]
    score: float

    def ways(self) -> Iterator[tuple[Template, Template, tuple[int, ...]]]:
        """Both directions: what fits, what is said instead, and where its arguments go."""
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
        """From :meth:`to_dict`'s values; what does not go together is refused."""
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
    """Templates that mean the same: sentences of one event fill their slots alike. The best first.

    second: of the other corpus; None matches a corpus with itself. same_event: for a sentence of the first corpus those
    of the second that were written of one event, such as on the same day. overlap: the least mean overlap of values.
    """
    pairs = []
    for number, left in enumerate(first):
        for right in first[number + 1 :] if second is None else second:
            if left.slots != right.slots or not 0 < left.slots <= MOST_SLOTS:
                continue
            together = [
                (left.values[i], right.values[j])
                for i, one in enumerate(left.sentences)
                for j, other in enumerate(right.sentences)
                if other in same_event.get(one, ())
            ]
            if not together:
                continue
            score, order = max(
                ((_overlap(together, order, language), order) for order in permutations(range(left.slots))),
                key=lambda found: found[0],
            )
            if score >= overlap:
                pairs.append(TemplatePair(left, right, order, score))
    return sorted(pairs, key=lambda pair: -pair.score)


def _overlap(
    together: Sequence[tuple[Sequence[Sequence[str]], Sequence[Sequence[str]]]],
    order: Sequence[int],
    language: Language,
) -> float:
    """Mean overlap of the words in matched slots; names and numbers count twice, function words nothing."""
    total = 0.0
    for left, right in together:
        shared = whole = 0.0
        for place, target in enumerate(order):
            one = {word for word in left[place] if is_content(word, language)}
            other = {word for word in right[target] if is_content(word, language)}
            shared += sum(_weight(word) for word in one & other)
            whole += sum(_weight(word) for word in one | other)
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
    """The sentence as the partners of its templates say it; nothing where none fits.

    The template that holds most of the sentence's own words goes first, then the pair with the best score.
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
                    [spelled(one, capital=capital, pretokenized=pretokenized) for one in rewrites],
                )
            )
    by_text: dict[str, TemplatePair] = {}
    for _, number, texts in sorted(matches, key=lambda one: one[:2]):
        for made_text in texts:
            if made_text.split() != text.split():
                by_text.setdefault(made_text, pairs[number])
    return list(by_text.items())[:n]


def arguments_of(words: Sequence[str], template: Template) -> list[tuple[str, ...]] | None:
    """What a sentence puts into a template's slots, the first ones as short as can be; None where it does not fit."""
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
    """Words as text: a capital at the beginning if wanted, marks without a space on their side."""
    if not words:
        return ""
    text = words[0][:1].upper() + words[0][1:] if capital else words[0]
    for before, word in pairwise(words):
        glued = word[0] in _CLOSING or before[-1] in _OPENING or word[0] == "'" or word == "n't"
        text += word if glued and not pretokenized else f" {word}"
    return text
