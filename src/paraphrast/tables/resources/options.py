"""Options of the kinds of tables, one record per kind. Equations are those of Zhao et al. (2008)."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast._options import check, option

#: Paraphrases per phrase, unless the user says otherwise.
TOP = 20
_TOP_HELP = "Maximum number of paraphrases per phrase."
_INFLECT_HELP = "Also add inflected forms, with agreement (requires paraphrast[english])."
_INFLECT_FLAGS = ("--inflect/--no-inflect",)


class _Checked:
    """A record whose options are checked when it is made."""

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class ThesaurusOptions(_Checked):
    """A thesaurus learnt from parsed text (Lin 1998)."""

    least_count: int = option(10, help="Number of triples that a word must be in.", minimum=1, cli=False)
    least_features: int = option(5, help="Number of features that a word must have.", minimum=1, cli=False)
    most_words: int = option(
        2000, help="Ignore features that more words than this have.", minimum=1, cli=False
    )
    least_similarity: float = option(
        0.03, help="Drop rows with a lower similarity.", above=0, maximum=1, cli=False
    )
    inflect: bool = option(True, help=_INFLECT_HELP, flags=_INFLECT_FLAGS)
    top: int = option(TOP, help=_TOP_HELP, minimum=1)


@dataclass(frozen=True)
class LexiconOptions(_Checked):
    """A thesaurus that people wrote."""

    mutual: bool = option(False, help="Keep only pairs that are listed in both directions.")
    related: bool = option(False, help="Also take what MyThes marks as a similar or related term.", cli=False)
    most_meanings: int = option(
        100, help="Take only this many meanings of a word, where meanings are numbered.", minimum=1, cli=False
    )
    inflect: bool = option(True, help=_INFLECT_HELP, flags=_INFLECT_FLAGS)
    top: int = option(TOP, help=_TOP_HELP, minimum=1)


@dataclass(frozen=True)
class PpdbOptions(_Checked):
    """The Paraphrase Database, versions 1 and 2."""

    min_score: float = option(
        0.0,
        help="Leave out rows with a lower PPDB2.0Score. 0 keeps all, including those of version 1.",
        minimum=0,
    )
    related: bool = option(
        True, help="Leave out rows that version 2 marks as exclusive or independent.", cli=False
    )
    top: int = option(TOP, help=_TOP_HELP, minimum=1)


@dataclass(frozen=True)
class MeteorOptions(_Checked):
    """METEOR's paraphrase files."""

    top: int = option(TOP, help=_TOP_HELP, minimum=1)


@dataclass(frozen=True)
class ChunkOptions(_Checked):
    """Chunks in similar contexts of sentences that mean the same.

    With the defaults two chunks without a common word need the same context on both sides (4 of 6 words or
    more), and chunks that share half of their words need a third of it.
    """

    alpha: float = option(
        0.4, help="Weight of the chunks' words against their contexts (α, equation 6).", minimum=0, maximum=1
    )
    th1: float = option(0.45, help="Similarity that a pair must exceed (Th1).", minimum=0, maximum=1)
    window: int = option(3, help="Words of context on each side.", minimum=0, cli=False)
    top: int = option(TOP, help=_TOP_HELP, minimum=1)


@dataclass(frozen=True)
class ComparableOptions(_Checked):
    """Phrase pairs of aligned sentences about the same event."""

    th3: float = option(
        0.3,
        help="Word overlap that a sentence pair must exceed (Th3). 1 means the same words.",
        minimum=0,
        maximum=1,
    )
    most_overlap: float = option(
        1.0, help="Skip sentence pairs with a larger word overlap.", minimum=0, maximum=1, cli=False
    )
    least_count: int = option(1, help="Number of times a phrase pair must occur.", minimum=1, cli=False)
    least_probability: float = option(
        0.01, help="Drop rows with a lower probability.", minimum=0, maximum=1, cli=False
    )
    max_length: int = option(5, help="Maximum number of words per phrase.", minimum=1, cli=False)
    trim: bool = option(
        True,
        help="Drop rows whose phrases begin or end with the same word, or with a punctuation mark.",
        cli=False,
    )
    top: int = option(TOP, help=_TOP_HELP, minimum=1)
    model1: bool = option(
        False,
        help="Add the features model1 and model1_inverse: the phrases' probabilities by IBM Model 1 (Quirk et al. "
        "2004, section 3.3).",
        cli=False,
    )


@dataclass(frozen=True)
class DictionaryOptions(_Checked):
    """Words and their definitions."""

    gamma: float = option(
        0.9,
        help="Factor by which each further definition of a word is less likely (γ, equation 9).",
        minimum=1e-6,
        maximum=1,
    )
    longest: int = option(7, help="Maximum number of words of a definition.", minimum=1, cli=False)
    inflect: bool = option(True, help=_INFLECT_HELP, flags=_INFLECT_FLAGS)
    top: int = option(TOP, help=_TOP_HELP, minimum=1)


@dataclass(frozen=True)
class QueryOptions(_Checked):
    """Queries that lead to the same documents, or questions that were asked twice.

    rare, common: a word met at most ``rare`` times that is one letter from a word met ``common`` times as often
        or more is taken for a misspelling.
    difference: with clicks that overlap fully, .85 is a content overlap above .625.
    """

    beta: float = option(
        0.4, help="Weight of the queries' words against their clicks (β, equation 10).", minimum=0, maximum=1
    )
    th4: float = option(0.5, help="Similarity that a pair must exceed (Th4).", minimum=0, maximum=1)
    duplicates: bool = option(
        False, help="The input has two columns of duplicate questions and is not a query log."
    )
    most_queries: int = option(
        1000,
        help="A word or document of more queries than this proposes no pair.",
        minimum=1,
        cli=False,
    )
    rare: int = option(
        3, help="A word that occurs at most this often may be a misspelling.", minimum=0, cli=False
    )
    common: int = option(
        20,
        help="How many times as frequent the correct spelling of a misspelling must be.",
        minimum=1,
        cli=False,
    )
    difference: float = option(
        0.85,
        help="Similarity that two duplicates must exceed before their differences are taken.",
        minimum=0,
        maximum=1,
        cli=False,
    )
    longest: int = option(4, help="Maximum number of words of a difference.", minimum=1, maximum=7, cli=False)
    top: int = option(TOP, help=_TOP_HELP, minimum=1)


@dataclass(frozen=True)
class SelfOptions:
    """The table of every word with itself has no options."""


@dataclass(frozen=True)
class WordnetOptions(_Checked):
    """Members of the most frequent synset of each word."""

    arbitrary: bool = option(
        False, help="Take one random member per word: the baseline without a language model."
    )
    seed: int = option(0, help="Random seed for --arbitrary.")
    inflect: bool = option(True, help=_INFLECT_HELP, flags=_INFLECT_FLAGS)
    top: int = option(TOP, help=_TOP_HELP, minimum=1, cli=False)


@dataclass(frozen=True)
class ClusterOptions(_Checked):
    """Words of one cluster by bigrams."""

    clusters: int = option(4096, help="Number of clusters, at most a quarter of the words.", minimum=1)
    least_count: int = option(3, help="Ignore words that occur less often.", minimum=1, cli=False)
    both: bool = option(True, help="Predict words from the next word as well.", cli=False)
    iterations: int = option(10, help="Maximum number of passes.", minimum=1, cli=False)
    stop: float = option(
        0.01, help="Stop after a pass that moved less than this share of the words.", cli=False
    )
    most_words: int = option(
        65_536, help="Cluster only this many words, the most frequent ones.", minimum=1, cli=False
    )
    top: int = option(TOP, help=_TOP_HELP, minimum=1)


@dataclass(frozen=True)
class RoundtripOptions(_Checked):
    """What phrases come back as when their sentences are translated and translated back."""

    least_sentences: int = option(2, help="Minimum number of sentences with the pair.", minimum=1)
    least_probability: float = option(0.03, help="Drop rows with a lower probability.", minimum=0, maximum=1)
    light_sentences: int = option(
        3, help="Minimum number of sentences if only function words change.", minimum=1, cli=False
    )
    light_probability: float = option(
        0.2,
        help="Drop rows with a lower probability if only function words change.",
        minimum=0,
        maximum=1,
        cli=False,
    )
    lost_sentences: int = option(
        5,
        help="Minimum number of sentences if content words are only added or removed.",
        minimum=1,
        cli=False,
    )
    lost_probability: float = option(
        0.4,
        help="Drop rows with a lower probability if content words are only added or removed.",
        minimum=0,
        maximum=1,
        cli=False,
    )
    optional: str = option(
        "that", help="Function words that may be added or removed beside a content word.", cli=False
    )
    max_length: int = option(7, help="Maximum number of words per phrase.", minimum=1, maximum=7, cli=False)
    top: int = option(TOP, help=_TOP_HELP, minimum=1)
    forth: int = option(2, help="Translations per sentence, for text without round trips.", minimum=1)
    back: int = option(4, help="Back-translations per translation, for text without round trips.", minimum=1)
    pivot: str = option("fr", help="Language to translate to, for text without round trips.")


@dataclass(frozen=True)
class ExpandOptions(_Checked):
    """Inflected pairs from the rows of their lemmas."""

    back_off: float = option(
        0.5,
        help="Factor applied to the probability of a pair that did not occur in its inflected form.",
        above=0,
        maximum=1,
    )
    longest: int = option(3, help="Maximum number of words of an inflected phrase.", minimum=1, cli=False)
    top: int = option(TOP, help=_TOP_HELP, minimum=1, cli=False)
