"""Compiled: categories of phrases from the tags of their words.

The categories are defined here, not in ``category.py``, because the kernels' code depends on them and the cache of
compiled code is keyed by the kernel files.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from paraphrast._jit import inline_kernel, kernel
from paraphrast.text._kernels import TAGS

#: Name → description. The number of a category is its position; a set of categories is a uint32 mask.
CATEGORY_NOTES = {
    "UNKNOWN": "nothing is known: no words, or nothing but punctuation",
    "NOUN_SG": "noun without determiner, head singular or mass: proposal, new proposal for peace",
    "NOUN_PL": "noun without determiner, head plural: proposals, European countries",
    "NAME": "proper nouns alone: Paris, Mr Smith",
    "NP_SG": "determiner or possessive, head singular: the proposal, his own car",
    "NP_PL": "determiner or possessive, head plural: these proposals",
    "PRONOUN": "pronoun: they, themselves",
    "NOUN_PREP": "a noun that still awaits its complement: the number of, proposal for",
    "VERB_BASE": "begins with a base form: examine, look at, be able to",
    "VERB_S": "begins with a third person singular: examines, is going to",
    "VERB_P": "begins with another present form: they [examine], are",
    "VERB_PAST": "begins with a past form: examined, was going to",
    "VERB_ING": "begins with a present participle: examining",
    "VERB_PP": "begins with a past participle: examined by",
    "MODAL": "begins with a modal: must, will examine",
    "TO_VERB": "an infinitive: to examine, to",
    "VERB_DET": "begins with a verb and stops inside its object: examine the, take into account his",
    "ADJ": "adjective: important, very important",
    "ADJ_COMP": "comparative: bigger, more important",
    "ADJ_SUP": "superlative: biggest, most important",
    "ADJ_PREP": "an adjective that awaits its complement: aware of, able to",
    "ADV": "adverb or particle: quickly, very well, up",
    "PREP": "preposition or conjunction tagged as one, of one word or more: in, in spite of, out of",
    "PP": "preposition with its complement: at present, by examining it",
    "PREP_DET": "begins with a preposition and stops inside its complement: of the, in a new",
    "CONJ": "begins with a coordinating conjunction: and, but also",
    "DET": "determiners, or the opening of a noun phrase: the, all the, the new, 's",
    "NUMBER": "numerals: <number>, two hundred",
    "WH": "begins with a question word or relative: which, who are, how",
    "CLAUSE": "a subject and its verb: he says, the council decided, there is",
    "OTHER": "anything else: interjections, symbols, foreign words",
}
CATEGORIES = tuple(CATEGORY_NOTES)
CATEGORY_COUNT = len(CATEGORIES)

UNKNOWN, NOUN_SG, NOUN_PL, NAME, NP_SG, NP_PL, PRONOUN, NOUN_PREP = range(8)
VERB_BASE, VERB_S, VERB_P, VERB_PAST, VERB_ING, VERB_PP, MODAL, TO_VERB, VERB_DET = range(8, 17)
ADJ, ADJ_COMP, ADJ_SUP, ADJ_PREP, ADV, PREP, PP, PREP_DET = range(17, 25)
CONJ, DET, NUMBER, WH, CLAUSE, OTHER = range(25, 31)

# Kinds of tags as small numbers, so that the rules below are comparisons.
_NOUN, _NAME, _VERB, _MODAL, _ADJECTIVE, _ADVERB, _PREPOSITION, _TO, _DETERMINER = range(9)
_PRONOUN, _QUESTION, _AND, _NUMERAL, _PARTICLE, _MARK, _REST = range(9, 16)
_KIND_NAMES = {
    **dict.fromkeys(("NN", "NNS"), _NOUN),
    **dict.fromkeys(("NNP", "NNPS"), _NAME),
    **dict.fromkeys(("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"), _VERB),
    "MD": _MODAL,
    **dict.fromkeys(("JJ", "JJR", "JJS"), _ADJECTIVE),
    **dict.fromkeys(("RB", "RBR", "RBS", "NEG"), _ADVERB),
    "IN": _PREPOSITION,
    "TO": _TO,
    "CC": _AND,
    "CD": _NUMERAL,
    "RP": _PARTICLE,
    "PUNCT": _MARK,
    **dict.fromkeys(("DT", "PDT", "PRP$", "POS"), _DETERMINER),
    **dict.fromkeys(("PRP", "EX"), _PRONOUN),
    **dict.fromkeys(("WDT", "WP", "WP$", "WRB"), _QUESTION),
}
_KIND = np.array([_KIND_NAMES.get(tag, _REST) for tag in TAGS], dtype=np.int64)
_NNS, _NNPS, _JJR, _JJS, _RBR, _RBS = (TAGS.index(tag) for tag in ("NNS", "NNPS", "JJR", "JJS", "RBR", "RBS"))
_VB, _VBD, _VBG, _VBN, _VBP, _VBZ = (TAGS.index(tag) for tag in ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"))
_VERB_CATEGORY = np.zeros(len(TAGS), np.int64)
for _tag, _category in zip(
    (_VB, _VBZ, _VBP, _VBD, _VBG, _VBN),
    (VERB_BASE, VERB_S, VERB_P, VERB_PAST, VERB_ING, VERB_PP),
    strict=True,
):
    _VERB_CATEGORY[_tag] = _category

#: uint32[categories]: target categories that can replace the source's category.
COMPATIBLE = np.array([1 << category for category in range(CATEGORY_COUNT)], dtype=np.uint32)
for _source, _target in (
    (VERB_BASE, VERB_P),
    (VERB_P, VERB_BASE),
    (ADV, PP),
    (PP, ADV),
    (NP_PL, NOUN_PL),
    (NP_SG, NAME),
):
    COMPATIBLE[_source] |= np.uint32(1 << _target)


@inline_kernel
def agrees(source_category: int, target_mask: int) -> bool:
    """Whether a phrase with the categories in ``target_mask`` may replace one of ``source_category``.

    It may if the target has the source's category or a compatible one: base and present form of a verb (nearly always
    spelt alike), adverb and prepositional phrase, "the rules" by "rules", "the president" by a name. An unknown
    category agrees, because a veto needs a reason. An empty mask and one with the bit of UNKNOWN are unknown.
    """
    if source_category == UNKNOWN or target_mask == 0 or target_mask & 1:
        return True
    return int(COMPATIBLE[source_category] & np.uint32(target_mask)) != 0


@inline_kernel
def phrase_category(tags: NDArray[np.uint8], start: int, end: int) -> int:
    """Category of the words ``tags[start:end]``, by the first word and the head.

    Punctuation at the edges and adverbs at the beginning are skipped. A phrase that begins with a verb has the
    category of that verb's form. One that begins with a noun, adjective or determiner has that of its head, the last
    noun before the first preposition. One that begins with a preposition is judged by its end.
    """
    while start < end and _KIND[tags[start]] == _MARK:
        start += 1
    while start < end and _KIND[tags[end - 1]] == _MARK:
        end -= 1
    if start == end:
        return UNKNOWN
    degree = ADJ
    first = start
    while first < end and _KIND[tags[first]] == _ADVERB:
        if tags[first] == _RBR:
            degree = ADJ_COMP
        elif tags[first] == _RBS:
            degree = ADJ_SUP
        first += 1
    if first == end:
        return ADV

    tag = np.int64(tags[first])
    kind = _KIND[tag]
    last_kind = _KIND[tags[end - 1]]
    finite = False
    verbal = False
    for place in range(first + 1, end):
        other = tags[place]
        if other in (_VBD, _VBP, _VBZ) or _KIND[other] == _MODAL:
            finite = True
        verbal = verbal or _KIND[other] == _VERB

    if kind == _MODAL:
        return MODAL
    if kind == _VERB:
        modifies = tag == _VBN and first + 1 < end and _KIND[tags[first + 1]] <= _NAME
        if not modifies:
            return VERB_DET if last_kind == _DETERMINER else _VERB_CATEGORY[tag]
    if kind == _AND:
        return CONJ
    if kind == _QUESTION:
        return WH
    if kind == _PRONOUN:
        return CLAUSE if finite else PRONOUN
    if kind == _PARTICLE:
        return PREP if last_kind == _PREPOSITION else ADV
    if kind == _TO:
        return TO_VERB if verbal or end - first == 1 else _after_preposition(tags, first, end, finite)
    if kind == _PREPOSITION:
        return _after_preposition(tags, first, end, finite)
    if kind == _REST:
        return OTHER
    return CLAUSE if finite else _nominal(tags, first, end, degree)


@inline_kernel
def _after_preposition(tags: NDArray[np.uint8], first: int, end: int, finite: bool) -> int:
    """Category of a phrase that begins with a preposition."""
    if finite:
        return CLAUSE
    kind = _KIND[tags[end - 1]]
    if kind in (_PREPOSITION, _TO) or end - first == 1:
        return PREP
    return PREP_DET if kind in (_DETERMINER, _ADJECTIVE) else PP


@inline_kernel
def _nominal(tags: NDArray[np.uint8], first: int, end: int, degree: int) -> int:
    """Category of a phrase of nouns, adjectives, determiners and numerals; "bread and water" is plural."""
    stop = end
    for place in range(end - 1, first, -1):
        kind = _KIND[tags[place]]
        if kind in (_PREPOSITION, _TO):
            stop = place
    head = -1
    joined, several = False, False
    only_names, only_numerals, only_determiners = True, True, True
    for place in range(first, stop):
        kind = _KIND[tags[place]]
        if kind in (_NOUN, _NAME):
            several = several or (joined and head >= 0)
            head = place
        joined = joined or kind == _AND
        only_names = only_names and kind == _NAME
        only_numerals = only_numerals and kind == _NUMERAL
        only_determiners = only_determiners and kind == _DETERMINER
        if tags[place] == _JJR:
            degree = ADJ_COMP
        elif tags[place] == _JJS:
            degree = ADJ_SUP
    last_kind = _KIND[tags[end - 1]]
    open_end = stop < end and (last_kind in (_PREPOSITION, _TO, _DETERMINER))
    determined = _KIND[tags[first]] == _DETERMINER
    if head >= 0:
        if open_end:
            return NOUN_PREP
        if only_names and stop == end:
            return NAME
        if several or tags[head] == _NNS or tags[head] == _NNPS:
            return NP_PL if determined else NOUN_PL
        return NP_SG if determined else NOUN_SG
    if only_numerals:
        return NOUN_PREP if open_end else NUMBER
    if only_determiners or determined:
        return NOUN_PREP if open_end else DET
    return ADJ_PREP if open_end else degree


@kernel
def count_categories(
    tags: NDArray[np.uint8],
    phrase: NDArray[np.int32],
    position: NDArray[np.int64],
    length: NDArray[np.int32],
    phrase_count: int,
    percent: int,
) -> tuple[NDArray[np.uint8], NDArray[np.uint32]]:
    """Most frequent category of each phrase, and the mask of categories with ``percent`` of its occurrences.

    Occurrences are grouped by a counting sort over phrases. Of equally frequent categories, the one with the smaller
    number wins.
    """
    begins = np.zeros(phrase_count + 1, np.int64)
    for occurrence in range(len(phrase)):
        begins[phrase[occurrence] + 1] += 1
    for index in range(phrase_count):
        begins[index + 1] += begins[index]
    places = begins[:-1].copy()
    seen = np.zeros(len(phrase), np.uint8)
    for occurrence in range(len(phrase)):
        index = phrase[occurrence]
        start = position[occurrence]
        seen[places[index]] = phrase_category(tags, start, start + length[occurrence])
        places[index] += 1

    best = np.zeros(phrase_count, np.uint8)
    masks = np.zeros(phrase_count, np.uint32)
    counts = np.zeros(CATEGORY_COUNT, np.int64)
    for index in range(phrase_count):
        counts[:] = 0
        for place in range(begins[index], begins[index + 1]):
            counts[seen[place]] += 1
        total = begins[index + 1] - begins[index]
        most = 0
        mask = np.int64(0)
        for category in range(CATEGORY_COUNT):
            if counts[category] > counts[most]:
                most = category
            if counts[category] > 0 and counts[category] * 100 >= percent * total:
                mask |= np.int64(1) << category
        best[index] = most
        masks[index] = mask
    return best, masks


@kernel
def categorise_spans(tags: NDArray[np.uint8], starts: NDArray[np.int64], longest: int) -> NDArray[np.uint8]:
    """Category of every span of up to ``longest`` tokens within a sentence; 0 if the span would leave it."""
    categories = np.zeros((len(tags), longest), np.uint8)
    for sentence in range(len(starts) - 1):
        last = starts[sentence + 1]
        for start in range(starts[sentence], last):
            for extra in range(min(longest, last - start)):
                categories[start, extra] = phrase_category(tags, start, start + extra + 1)
    return categories
