"""Draws paraphrases at random instead of listing the best: another seed gives other paraphrases.

A paraphrase is drawn with a probability proportional to its probability of being acceptable (to e^score, if the model
has no such probability), without replacement: each gets the key ``log weight − log(−log u)``, and those with the
largest keys are taken, in that order (the Gumbel trick). The random number u is a hash of the seed, the input and the
paraphrase, so a draw does not depend on other texts, their order, or the number of threads.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

from paraphrast.types import Paraphrase

#: Minimum number of paraphrases to draw from, and their number per drawn paraphrase.
POOL = 50
POOL_PER_RESULT = 5
_MOST = 10_000
#: Lower probabilities are raised to this, so that the logarithm is finite.
_LEAST = 1e-9


def pool_size(n: int) -> int:
    """The length of the n-best list from which ``n`` paraphrases are drawn."""
    return min(_MOST, max(POOL, POOL_PER_RESULT * n))


def draw(results: Sequence[Paraphrase], n: int, seed: int) -> list[Paraphrase]:
    """``n`` of ``results``, or all if there are fewer, in the order in which they are drawn."""
    judged = any(result.probability < 1 for result in results)

    def key(result: Paraphrase) -> float:
        log_weight = math.log(max(result.probability, _LEAST)) if judged else result.score
        return log_weight - math.log(-math.log(uniform_of(seed, result.source, result.text)))

    return sorted(results, key=lambda result: (-key(result), result.text))[:n]


def uniform_of(seed: int, *texts: str) -> float:
    """A number between 0 and 1, both excluded, that depends on the seed and the texts alone."""
    digest = hashlib.blake2b(str(seed).encode(), digest_size=8)
    for text in texts:
        encoded = text.encode("utf-8", "surrogatepass")
        digest.update(len(encoded).to_bytes(8, "little"))
        digest.update(encoded)
    return ((int.from_bytes(digest.digest(), "little") >> 12) + 0.5) / 2.0**52
