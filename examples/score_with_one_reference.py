"""MT evaluation with one reference: two systems that BLEU with one reference cannot tell apart.

    python examples/score_with_one_reference.py

System `words` says the same in other words than the reference; system `wrong` says something else. Both differ from the
reference in one word per sentence. The paraphrased references work with any metric that takes several references; here
it is sacreBLEU's BLEU (`paraphrast[mt]`). `paraphrast references` does the same with files, and with lattices.
"""

from __future__ import annotations

import sys
from typing import Any

import paraphrast

SOURCES = [
    "Der Ausschuss begann die Arbeit am Montag.",
    "Sie kauften ein großes Haus in der Stadt.",
    "Das Kind fand einen Fehler in dem Buch.",
]
REFERENCES = [
    "The committee began the work on Monday.",
    "They bought a large house in the city.",
    "The child found an error in the book.",
]
SYSTEMS = {
    "words": [
        "The committee started the work on Monday.",
        "They bought a big house in the city.",
        "The child found a mistake in the book.",
    ],
    "wrong": [
        "The committee stopped the work on Monday.",
        "They bought a red house in the city.",
        "The child found a flower in the book.",
    ],
}


def main(arguments: list[str] | None = None) -> int:
    """Score both systems, without and with paraphrases of the reference."""
    from sacrebleu.metrics import BLEU

    made = paraphrast.expand_references(SOURCES, REFERENCES, kind="one", n=20, model="default")
    for references in made:
        print(f"{references[0].text}  {len(references) - 1} paraphrases, such as: {references[1].text}")
    most = max(len(references) for references in made)
    # sacreBLEU takes the first reference of all sentences, then the second, …; None where a sentence has fewer.
    several: Any = [
        [references[rank].text if rank < len(references) else None for references in made]
        for rank in range(most)
    ]
    print(f"\n{'BLEU':<8}{'one reference':>15}{'with paraphrases':>18}")
    for system, outputs in SYSTEMS.items():
        one = BLEU().corpus_score(outputs, [REFERENCES]).score
        more = BLEU().corpus_score(outputs, several).score
        print(f"{system:<8}{one:>15.1f}{more:>18.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
