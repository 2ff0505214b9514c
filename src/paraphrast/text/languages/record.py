"""Everything specific to a language, as data.

The rest of the package never asks "is this English?": it reads a field of a :class:`Language`. Records are in
``english.py`` and similar modules. Another language is another record, registered in ``registry.py`` or by an entry
point of the group ``paraphrast.language``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

#: The right form of a function word before the next word, e.g. ``("a", "apple") → "an"``. A form that ends in an
#: apostrophe is joined to the next word. None if the rule does not apply to the word.
ElisionRule = Callable[[str, str], str | None]


def words(text: str) -> frozenset[str]:
    """The white-space separated words of ``text``, for lists in records."""
    return frozenset(text.split())


def ordered(text: str) -> tuple[str, ...]:
    """Like :func:`words`, but in order."""
    return tuple(text.split())


@dataclass(frozen=True, slots=True)
class Place:
    """Where a substitute cannot stand for a phrase.

    not_before, not_after: words that may not follow it, or stand before it. only_before, only_after: the words that
    may, if not all; "" is a mark or the end, and with no word at all it can stand nowhere. after_mark: whether it may
    follow a comma or a quotation mark. first: it must begin a sentence. inside: it must not. once: the sentence must
    not have the phrase a second time.
    """

    not_before: frozenset[str] = frozenset()
    only_before: frozenset[str] | None = None
    not_after: frozenset[str] = frozenset()
    only_after: frozenset[str] | None = None
    after_mark: bool = True
    first: bool = False
    inside: bool = False
    once: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """One language. Words are in lower case with the straight apostrophe unless stated otherwise.

    suffix_clitics: split from the end of a word: ``'s``, ``n't``, ``-t-il``.
    prefix_clitics: split from its beginning, with the apostrophe: ``l'``, ``dell'``.
    unsplit: words that clitics must not split: ``aujourd'hui``; also words with an apostrophe at an end.
    clitic_hosts: the full form of a stem that occurs only before a clitic: ``ca`` (n't) → ``can``.
    perfect_auxiliaries: verbs that are auxiliaries before a participle only: "has" of "has gone" and "has a plan".
    perfect_followers: words after such an auxiliary: participles without an ending of ``participle_endings``, adverbs.
    participle_endings: of participles. unlike_participles: endings of words that are none: "need".
    clitic_places: the words that a clitic may follow, for clitics that do not follow just any word: ``n't``.
    contracted: the clitic that a verb becomes: ``have`` → ``'ve``.
    modals: modal verbs, each with the first of those that count as one: ``might`` → ``may``.
    tense_auxiliaries: auxiliaries that carry tense or aspect. full_forms: contractions in full: ``'re`` → ``are``.
    question_infinitives: pairs of words that make an infinitive of a question: ``how``, ``to``.
    droppable: words whose loss changes little: ``that``, ``really``.
    places: where a substitute cannot stand, by phrase and substitute.
    unwritten: contractions that are said but not written: ``which's``.
    verb_subjects: the words that must stand before a verb form that has few subjects: ``am`` → ``i``.
    singular_verbs: verb forms that cannot follow two names joined by one of ``joining``: ``was`` after "Ann and Bob".
    unadded: words that a substitute may not add, each with the words that say the same: ``both`` → ``two``.
    demonstratives: "this" and "that"; one for another is no paraphrase before a noun.
    contrasts: words and phrases for a contrast: ``however``. may_contrast: those that may also mean something else:
        ``while``.
    kept: words and phrases that limit what is said, each with those that say the same: ``only`` → ``just``, ``alone``.
    titles: abbreviations, without their full stop, that never end a sentence: ``Mr``.
    abbreviations: other abbreviations; they end a sentence if a capitalised function word follows.
    numeric_abbreviations: abbreviations only before a digit: ``No. 5``.
    function_words, negations, number_words: closed classes. Negations are also function words.
    cardinals: the words for 0, 1, 2 … in order. quantity_words: function words for quantities: ``least``.
    articles: the articles among them; indefinite_varies: whether the a/an rule applies.
    persons: pronouns and possessives that refer to the same person: he, him, his are one set, she, her another.
    negative_prefixes: prefixes that make a word its opposite: ``un``. opposite_endings: pairs of endings that do:
        ``less`` and ``ful``. exclusive: mutually exclusive words: units of time, points of the compass.
    same_kind: nouns that can refer to the same person: ``man`` and ``guy``. collectives: nouns whose number is that of
        the noun after "of" as well: ``group``. copulas: "is" and "are", if a participle after one makes a sentence.
    clothing: participles that say what someone wears: ``wearing``.
    intransitives: forms of a verb with an object that are often written for one without: ``laying`` → ``lying``.
    spellings: endings of words with several spellings, and the one that stands for both, longest first:
        ``("isation", "ization")``.
    stemmer: the name of its Snowball stemmer. irregular: forms that no stemmer unifies, each with the first form of its
        group: ``went`` → ``go``.
    stem_endings, stem_prefixes: what that stemmer leaves on inflected forms: ``t`` and ``ge`` of ``geprüft``.
    months, magnitudes, ordinal_suffixes: alternatives of the entity patterns (with case).
    date_patterns, time_patterns: regular expressions in which ``{month}`` represents the months.
    space_groups: a space may group thousands. ordinal_dot: ``3.`` is "third".
    elision: see :data:`ElisionRule`. space_before_marks: punctuation that correctly has a space before it.
    capital_nouns: every noun has a capital, so a capital does not indicate a name.
    segmented: False if white space does not separate words: characters are then tokens.
    """

    code: str
    name: str
    suffix_clitics: tuple[str, ...] = ()
    prefix_clitics: tuple[str, ...] = ()
    unsplit: frozenset[str] = frozenset()
    clitic_hosts: Mapping[str, str] = field(default_factory=dict)
    clitic_places: Mapping[str, frozenset[str]] = field(default_factory=dict)
    contracted: Mapping[str, str] = field(default_factory=dict)
    modals: Mapping[str, str] = field(default_factory=dict)
    tense_auxiliaries: frozenset[str] = frozenset()
    full_forms: Mapping[str, str] = field(default_factory=dict)
    question_infinitives: frozenset[tuple[str, str]] = frozenset()
    droppable: frozenset[str] = frozenset()
    places: Mapping[tuple[str, str], Place] = field(default_factory=dict)
    unwritten: frozenset[str] = frozenset()
    verb_subjects: Mapping[str, frozenset[str]] = field(default_factory=dict)
    singular_verbs: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    unadded: Mapping[str, frozenset[str]] = field(default_factory=dict)
    demonstratives: frozenset[str] = frozenset()
    contrasts: tuple[str, ...] = ()
    may_contrast: tuple[str, ...] = ()
    kept: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    perfect_auxiliaries: frozenset[str] = frozenset()
    perfect_followers: frozenset[str] = frozenset()
    participle_endings: tuple[str, ...] = ()
    unlike_participles: tuple[str, ...] = ()
    titles: frozenset[str] = frozenset()
    abbreviations: frozenset[str] = frozenset()
    numeric_abbreviations: frozenset[str] = frozenset()
    function_words: frozenset[str] = frozenset()
    negations: frozenset[str] = frozenset()
    number_words: frozenset[str] = frozenset()
    cardinals: tuple[str, ...] = ()
    quantity_words: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()
    persons: tuple[frozenset[str], ...] = ()
    negative_prefixes: tuple[str, ...] = ()
    opposite_endings: tuple[tuple[str, str], ...] = ()
    exclusive: tuple[frozenset[str], ...] = ()
    same_kind: tuple[frozenset[str], ...] = ()
    collectives: frozenset[str] = frozenset()
    copulas: tuple[str, ...] = ()
    clothing: frozenset[str] = frozenset()
    intransitives: Mapping[str, str] = field(default_factory=dict)
    spellings: tuple[tuple[str, str], ...] = ()
    stemmer: str = ""
    irregular: Mapping[str, str] = field(default_factory=dict)
    stem_endings: tuple[str, ...] = ()
    stem_prefixes: tuple[str, ...] = ()
    indefinite_varies: bool = False
    months: tuple[str, ...] = ()
    magnitudes: tuple[str, ...] = ()
    ordinal_suffixes: tuple[str, ...] = ()
    date_patterns: tuple[str, ...] = ()
    time_patterns: tuple[str, ...] = ()
    space_groups: bool = False
    ordinal_dot: bool = False
    elision: ElisionRule | None = None
    space_before_marks: str = ""
    capital_nouns: bool = False
    segmented: bool = True
