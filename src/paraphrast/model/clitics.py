"""Whether clitics fit their places: "n't" only after a verb that takes it, no "would" for the "'d" of "he'd gone"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from paraphrast.text import Draft
from paraphrast.text.languages.record import Language
from paraphrast.text.repair import begins_with_clitic

#: Number of characters before and after an edit in which the next words are searched.
_LONGEST_WORD = 60


def clitic_fits(text: str, draft: Draft, language: Language) -> bool:
    """Whether an edit leaves its clitic, and those beside it, where they can stand."""
    return not (_is_loose(text, draft, language) or _is_misread(text, draft, language))


def joins_clitics(text: str, drafts: Sequence[Draft], language: Language) -> bool:
    """Whether a clitic follows a word that another edit has given one: "We are not" → "We're" + "n't"."""
    return any(
        begins_with_clitic(two.after, language)
        and ("'" in one.after or "’" in one.after)
        and not text[one.end : two.start].strip()
        for one, two in pairwise(drafts)
    )


def _is_loose(text: str, draft: Draft, language: Language) -> bool:
    """Whether a clitic of a draft cannot stand there: after its word ("I'm" + "n't"), or before the next."""
    if not begins_with_clitic(draft.after, language):
        return _is_stressed(text, draft, language)
    before = text[max(0, draft.start - _LONGEST_WORD) : draft.start].split()
    if not before or not before[-1][-1].isalnum() or "'" in before[-1] or "’" in before[-1]:
        return True
    clitic = draft.after.split()[0].lower().replace("’", "'")
    places = language.clitic_places.get(clitic)
    if places is not None and before[-1].lower() not in places:
        return True
    return _is_stressed(text, draft, language)


def _is_stressed(text: str, draft: Draft, language: Language) -> bool:
    """Whether a verb may not become a clitic: last in its clause ("as he is"), or a main verb ("it has a plan")."""
    full = (text[draft.start : draft.end].lower().split() or [""])[-1]
    last = (draft.after.lower().replace("’", "'").split() or [""])[-1]
    if full not in language.contracted or not last.endswith(language.contracted[full]):
        return False
    after = text[draft.end : draft.end + _LONGEST_WORD].split()
    if not after or not after[0][0].isalnum():
        return True
    if full not in language.perfect_auxiliaries:
        return False
    following = after[0].lower().rstrip(".,;:!?'\"")
    return not (_is_participle(following, language) or following in language.perfect_followers)


def _is_misread(text: str, draft: Draft, language: Language) -> bool:
    """Whether a modal is written for a clitic that stands for "had": "he'd just entered" → "he would just entered"."""
    old, new = (
        side.lower().replace("’", "'").split() for side in (text[draft.start : draft.end], draft.after)
    )
    if not old or not new or new[-1] not in language.modals:
        return False
    clitic = language.contracted.get(new[-1])
    if clitic is None or not old[-1].endswith(clitic):
        return False
    following = [word.lower().strip(".,;:!?") for word in text[draft.end : draft.end + _LONGEST_WORD].split()]
    verbs = [
        word
        for word in following[:2]
        if word not in language.perfect_followers or _is_participle(word, language)
    ]
    return bool(verbs) and _is_participle(verbs[0], language)


def _is_participle(word: str, language: Language) -> bool:
    """Whether a word has the ending or the form of a participle: "entered", "gone"; not "need"."""
    known = language.irregular.get(word, word) != word
    return known or (
        word.endswith(language.participle_endings) and not word.endswith(language.unlike_participles)
    )
