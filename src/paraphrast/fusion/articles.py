"""Whether a noun phrase of an input sentence lacks an indefinite article, by a causal language model.

"A child stands by brick wall": the sentence is compared with itself with the article. If it is much more likely with
it, the article is missing; if it is less likely, the noun needs none ("in shallow water").
"""

from __future__ import annotations

from paraphrast.msa.cluster import Cluster
from paraphrast.msa.repairs import SURE_GAIN, bare_phrases
from paraphrast.read import LanguageModel

#: Maximum number of words of a sentence that is tested: captions and headlines lack articles, long sentences do not.
LONGEST = 25
#: Other determiners that a noun may lack; which one is never certain.
_OTHERS = ("the", "his", "her")


def article_gains(
    cluster: Cluster, reader: LanguageModel
) -> tuple[dict[tuple[int, int], float], frozenset[tuple[int, int]]]:
    """For each sentence and first place of a noun phrase without an article: by how much an indefinite article raises
    the log-probability of the sentence; and the phrases that lack another determiner ("touches chest").

    Phrases are tried from left to right, each in the sentence with the articles that raised it before. Sentences of
    more than ``LONGEST`` words are left out.
    """
    language = cluster.language
    if cluster.trees is None or not language.indefinite_varies or language.elision is None:
        return {}, frozenset()
    bare: set[tuple[int, int]] = set()
    gains: dict[tuple[int, int], float] = {}
    for row, tree in enumerate(cluster.trees):
        if len(tree.words) > LONGEST:
            continue
        words = list(tree.words)
        added = 0
        for begin, _ in sorted(bare_phrases(tree)):
            place = begin + added
            article = language.elision("a", words[place].lower()) or "a"
            longer = [[*words[:place], word, *words[place:]] for word in (article, *_OTHERS)]
            without, given, *others = (
                sum(scores.log_probs) for scores in reader.score([" ".join(one) for one in (words, *longer)])
            )
            gains[row, begin] = given - without
            if max(others) - without >= SURE_GAIN > given - without:
                bare.add((row, begin))
            if given > without:
                words, added = longer[0], added + 1
    return gains, frozenset(bare)
