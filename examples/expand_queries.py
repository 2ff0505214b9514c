"""Query expansion: find documents that use other words than the query.

    python examples/expand_queries.py

Each query is searched alone, and with paraphrases of its words as additional, lighter terms. A document's score is the
sum of its matching terms' weights times their inverse document frequency.
"""

from __future__ import annotations

import math
import re
import sys
from collections import Counter

import paraphrast
from paraphrast.model import paraphrases_of

DOCUMENTS = {
    "flats": "Where to find a big flat near the centre.",
    "jobs": "How to start a job as a doctor in a small town.",
    "cars": "Fix a broken car without a mechanic.",
    "talks": "The talks between the two countries began on Monday.",
    "food": "A quick meal for children who hate vegetables.",
    "school": "Help for pupils who have difficulties with reading.",
}
#: Queries, and the document that answers each.
QUERIES = {
    "repair automobile": "cars",
    "large apartment": "flats",
    "begin work physician": "jobs",
    "problems of students": "school",
    "fast dinner": "food",
    "negotiations of nations": "talks",
}


def words(text: str) -> list[str]:
    """The words of a text, in lower case."""
    return re.findall(r"[a-z]+", text.lower())


def expanded(model: paraphrast.Paraphraser, query: str, most: int = 8) -> dict[str, float]:
    """The words of a query with weight 1, and longer words of their paraphrases, weighted by their probability."""
    weights = dict.fromkeys(words(query), 1.0)
    for word in words(query):
        try:
            found = paraphrases_of(model, word)[:most]
        except paraphrast.ParaphrastError:  # the model does not know the word
            continue
        for paraphrase, probability in found:
            for new in filter(lambda word: len(word) > 2, words(paraphrase)):
                weights[new] = max(weights.get(new, 0.0), probability)
    return weights


def rank(weights: dict[str, float], wanted: str) -> int | None:
    """The place of the wanted document among those that match, from 1; None if it does not match."""
    texts = {name: set(words(text)) for name, text in DOCUMENTS.items()}
    frequency = Counter(word for text in texts.values() for word in text)
    scores = {
        name: sum(
            weight * math.log(len(texts) / frequency[word])
            for word, weight in weights.items()
            if word in text
        )
        for name, text in texts.items()
    }
    if not scores[wanted]:
        return None
    return 1 + sum(score > scores[wanted] for score in scores.values())


def main(arguments: list[str] | None = None) -> int:
    """Print the rank of the answer to each query, without and with expansion."""
    model = paraphrast.load("default")
    print(f"{'query':<30}{'alone':>7}{'expanded':>10}  new words that match")
    for query, wanted in QUERIES.items():
        weights = expanded(model, query)
        plain = rank(dict.fromkeys(words(query), 1.0), wanted)
        new = rank(weights, wanted)
        matching = sorted(set(weights) & set(words(DOCUMENTS[wanted])) - set(words(query)))
        print(f"{query:<30}{plain or '–':>7}{new or '–':>10}  {', '.join(matching) or 'none'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
