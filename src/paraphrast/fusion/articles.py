"""Whether a noun phrase of an input sentence lacks an indefinite article, by a causal language model.

"A child stands by brick wall": the sentence is compared with itself with the article. If it is much more likely with it,
the article is missing; if it is less likely, the noun needs none ("in shallow water").
"""

from __future__ import annotations

from paraphrast.msa.cluster import Cluster
from paraphrast.msa.repairs import bare_phrases
from paraphrast.read import LanguageModel

#: Maximum number of words of a sentence that is tested: captions and headlines lack articles, long sentences do not.
LONGEST = 25


def article_gains(cluster: Cluster, reader: LanguageModel) -> dict[tuple[int, int], float]:
    """For each sentence and first place of a noun phrase without an article: by how much an indefinite article raises
    the log-probability of the sentence.

    Phrases are tried from left to right, each in the sentence with the articles that raised it before. Sentences of
    more than ``LONGEST`` words are left out.
    """
    language = cluster.language
    if cluster.trees is None or not language.indefinite_varies or language.elision is None:
        return {}
    gains: dict[tuple[int, int], float] = {}
    for row, tree in enumerate(cluster.trees):
        if len(tree.words) > LONGEST:
            continue
        words = list(tree.words)
        added = 0
        for begin, _ in sorted(bare_phrases(tree)):
            place = begin + added
            article = language.elision("a", words[place].lower()) or "a"
            longer = [*words[:place], article, *words[place:]]
            without, given = (
                sum(scores.log_probs) for scores in reader.score([" ".join(words), " ".join(longer)])
            )
            gains[row, begin] = given - without
            if given > without:
                words, added = longer, added + 1
    return gains
