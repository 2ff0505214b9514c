"""NIST (Doddington 2002): n-grams are weighted by their information.

Info(w₁…wₙ) = log₂ (count(w₁…wₙ₋₁) / count(w₁…wₙ)), counted over the references of the test set; for single words the
first count is that of all words. The score is the sum over n = 1 … 5 of the information of the output's n-grams that
are in a reference (at most as often as there), divided by the number of the output's n-grams, times a penalty exp(β
ln² min(length / mean reference length, 1)), where β makes it ½ for outputs two thirds as long. Words are lower-cased,
as in mteval. An n-gram of a paraphrased reference that the original references lack counts as seen once.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from paraphrast.references.metric import Metric
from paraphrast.references.ngrams import NgramReferences, ngrams
from paraphrast.references.words import split_words

ORDER = 5
BETA = math.log(0.5) / math.log(1.5) ** 2


def nist_words(text: str) -> list[str]:
    """The words that NIST compares."""
    return split_words(text.lower())


@dataclass
class Nist(Metric):
    """NIST with the counts of a test set's references; ``total`` is the number of words in them."""

    counts: Counter[tuple[str, ...]]
    total: int
    _bits: dict[tuple[str, ...], float] = field(default_factory=dict, repr=False)

    name = "nist"

    @classmethod
    def of(cls, references: Sequence[str]) -> Nist:
        """With the information computed from these references."""
        counts: Counter[tuple[str, ...]] = Counter()
        total = 0
        for text in references:
            words = nist_words(text)
            total += len(words)
            counts.update(ngrams(words, ORDER))
        return cls(counts, total)

    def information(self, gram: tuple[str, ...]) -> float:
        """The information of an n-gram, in bits."""
        bits = self._bits.get(gram)
        if bits is None:
            before = self.counts.get(gram[:-1], 0) if len(gram) > 1 else self.total
            bits = self._bits[gram] = math.log2(max(before, 1) / max(self.counts.get(gram, 0), 1))
        return bits

    def prepare(self, references: Sequence[str]) -> NgramReferences:
        return NgramReferences.of([nist_words(text) for text in references], ORDER)

    def grow(self, prepared: NgramReferences, reference: str) -> NgramReferences:
        return prepared.grow(nist_words(reference), ORDER)

    def statistics(self, output: str, prepared: NgramReferences) -> list[float]:
        words = nist_words(output)
        information = [0.0] * ORDER
        for gram, count in ngrams(words, ORDER).items():
            allowed = prepared.counts.get(gram)
            if allowed:
                information[len(gram) - 1] += min(count, allowed) * self.information(gram)
        totals = [max(len(words) - n, 0) for n in range(ORDER)]
        mean = sum(prepared.lengths) / len(prepared.lengths)
        return [len(words), mean, *information, *totals]

    def segment_score(self, row: Sequence[float]) -> float:
        length, reference = float(row[0]), float(row[1])
        score = sum(
            float(bits) / float(total)
            for bits, total in zip(row[2 : 2 + ORDER], row[2 + ORDER :], strict=True)
            if total > 0
        )
        if length <= 0:
            return 0.0
        ratio = min(length / reference, 1.0) if reference > 0 else 1.0
        return float(score * math.exp(BETA * math.log(ratio) ** 2))

    def signature(self, references: int | str) -> str:
        return f"NIST|nrefs:{references}|case:lc|tok:13a|order:{ORDER}"
