"""Paraphrased references: from alignment and extraction to equivalents, from tables to lattices.

Shared by ``paraphrast references``, ``paraphrast evaluate mt`` and ``paraphrast.expand_references``. Paraphrases come
from the source and reference sentences of the evaluation, aligned with each other (Owczarzak et al. 2006, §3), and
from any number of additional tables and models.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paraphrast._extras import require
from paraphrast.build.align import AlignModel, align_text
from paraphrast.errors import InputError
from paraphrast.extract import ExtractOptions, extract_pairs
from paraphrast.model import load
from paraphrast.references.agreement import clean_sets
from paraphrast.references.checks import AUTO, target_language_of
from paraphrast.references.equivalents import (
    EquivalenceSet,
    Substitutions,
    equivalence_sets,
    loose_rows,
    merge_substitutions,
    row_substitutions,
    set_substitutions,
)
from paraphrast.references.function_words import ORIGIN as FUNCTION_WORDS
from paraphrast.references.function_words import function_word_edits
from paraphrast.references.inflections import inflection_substitutions
from paraphrast.references.lattices import Reference, best_references, one_at_a_time, reference_lattice
from paraphrast.references.names import proper_names
from paraphrast.references.options import SetOptions
from paraphrast.references.tokenisers import split_sources
from paraphrast.references.variants import written_variants
from paraphrast.references.words import Phrase, closed_class, split_words
from paraphrast.study.model_tables import phrase_text
from paraphrast.study.options import KEPT_VETOES, Origins
from paraphrast.study.reference_context import (
    context_substitutions,
    similar_substitutions,
    word_similarity,
)
from paraphrast.tables.checks.vetoes import VETOES
from paraphrast.text import get_language

if TYPE_CHECKING:
    from paraphrast.model.paraphraser import Paraphraser

#: Maximum length of a table's phrases that are looked up in references.
LONGEST = 4


@dataclass(frozen=True)
class ReferenceSubstitutions:
    """substitutions: all together. sets: the equivalence sets of the bitext. names: the resources, for signatures.

    parts: each resource by its name, without contexts. contexts: additional substitutions of each reference that depend
    on its context; empty if no model supports this. weight: of contexts. top: substitutes per phrase. variants: written
    variants of each reference in the outputs of its segment; similar: their words that are similar to its own;
    function_words: what they have more, fewer or others of; all empty if there are no outputs.
    """

    substitutions: Substitutions
    sets: tuple[EquivalenceSet, ...]
    names: tuple[str, ...]
    parts: tuple[tuple[str, Substitutions], ...] = ()
    contexts: tuple[Substitutions, ...] = ()
    weight: float = 1.0
    top: int = 50
    variants: tuple[Substitutions, ...] = ()
    similar: tuple[Substitutions, ...] = ()
    function_words: tuple[Substitutions, ...] = ()

    def of(self, number: int, reference: str) -> Substitutions:
        """The substitutes for the phrases of one reference. number: its position among all references."""
        if not any((self.contexts, self.variants, self.similar, self.function_words)):
            return self.substitutions
        reference_phrases = wanted_phrases([reference])
        rows = self.substitutions.rows
        reference_rows = Substitutions(
            {phrase: rows[phrase] for phrase in sorted(reference_phrases) if phrase in rows}
        )
        parts = [(reference_rows, 1.0)]
        if self.contexts:
            parts.append((self.contexts[number], self.weight))
        if self.variants:
            parts.append((self.variants[number], 1.0))
        if self.similar:
            parts.append((self.similar[number], self.weight))
        if self.function_words:
            parts.append((self.function_words[number], 1.0))
        return merge_substitutions(parts, top=self.top)


def bitext_sets(
    sources: Sequence[str],
    references: Sequence[str],
    options: SetOptions | None = None,
    *,
    source_language: str = AUTO,
    target_language: str = "en",
    tokeniser: str = AUTO,
    threads: int = 1,
) -> list[EquivalenceSet]:
    """Equivalence sets of an evaluation's sentences: aligned, combined by the refined method, phrases extracted."""
    if len(sources) != len(references):
        raise InputError(
            f"expected one source sentence per reference, got {len(sources)} and {len(references)}",
            remedy="both files need one line per segment",
        )
    options = options or SetOptions()
    closed = closed_class(options.closed, get_language(target_language))
    words = split_sources(sources, tokeniser, source_language)
    return equivalence_sets(phrase_pairs(words, references, threads=threads), options, closed)


def phrase_pairs(
    sources: Sequence[Sequence[str]], references: Sequence[str], *, threads: int = 1
) -> Iterable[tuple[Phrase, Phrase, int]]:
    """The phrase pairs of the bitext whose sources are words, with their counts; lower-cased."""
    from paraphrast.align import AlignOptions

    rows = [
        (
            [word.lower() for word in source_sentence],
            [word.lower() for word in split_words(reference_sentence)],
        )
        for source_sentence, reference_sentence in zip(sources, references, strict=True)
    ]
    rows = [
        (source_sentence, reference_sentence)
        for source_sentence, reference_sentence in rows
        if source_sentence and reference_sentence
    ]
    if not rows:
        return
    first, second = (
        [source_sentence for source_sentence, _ in rows],
        [reference_sentence for _, reference_sentence in rows],
    )
    links, model = align_text(
        first, second, options=AlignOptions(symmetrise="refined"), pretokenized=True, threads=threads
    )
    if not isinstance(model, AlignModel):
        raise InputError("this alignment method keeps no words", remedy="use the default method")
    source, target = model.source.encode_tokens(first), model.target.encode_tokens(second)
    extraction = extract_pairs(source, target, links, ExtractOptions(max_length=LONGEST))
    size = np.int64(max(len(extraction.target_words), 1))
    codes, counts = np.unique(
        extraction.pairs.source.astype(np.int64) * size + extraction.pairs.target, return_counts=True
    )
    sides = [
        [tuple(words[word] for word in row if word >= 0) for row in matrix.tolist()]
        for words, matrix in (
            (model.source.vocabulary.words, extraction.source_words),
            (model.target.vocabulary.words, extraction.target_words),
        )
    ]
    for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
        yield sides[0][code // int(size)], sides[1][code % int(size)], count


def spelling_of(texts: Iterable[str]) -> dict[str, str]:
    """Lower-cased word → its most frequent spelling, except at the start of a sentence."""
    seen: dict[str, Counter[str]] = {}
    for text in texts:
        for word in split_words(text)[1:]:
            seen.setdefault(word.lower(), Counter())[word] += 1
    return {lowered: min(forms, key=lambda form: (-forms[form], form)) for lowered, forms in seen.items()}


def wanted_phrases(texts: Iterable[str], longest: int = LONGEST) -> set[Phrase]:
    """Every phrase of the texts that can be looked up in a table."""
    phrases: set[Phrase] = set()
    for text in texts:
        words = tuple(word.lower() for word in split_words(text))
        for size in range(1, longest + 1):
            phrases.update(words[at : at + size] for at in range(len(words) - size + 1))
    return phrases


def model_substitutions(
    loaded: Paraphraser,
    wanted: set[Phrase],
    *,
    closed: frozenset[str],
    threshold: float = 0.0,
    vetoes: Sequence[str] = KEPT_VETOES,
) -> Substitutions:
    """Substitutes for the phrases of the references from a model's tables, without rows that ``vetoes`` forbid."""
    known: dict[int, Phrase] = {}

    def text_of(phrase: int) -> Phrase:
        """The words in the metrics' form; none if an entity is masked."""
        if phrase not in known:
            text = phrase_text(loaded, phrase)
            known[phrase] = () if "<" in text else tuple(split_words(text))
        return known[phrase]

    parts = []
    forbidden = sum(VETOES[veto] for veto in vetoes)
    for name, table in loaded.lookup.tables.items():
        sources = [
            source
            for source in np.flatnonzero(np.diff(table.begin)).tolist()
            if tuple(word.lower() for word in text_of(source)) in wanted
        ]
        rows = (
            (text_of(source), text_of(int(table.target[row])), math.exp(min(float(table.score[row]), 0.0)))
            for source in sources
            for row in table.rows_of(source)
            if not int(table.veto[row]) & forbidden and text_of(int(table.target[row]))
        )
        parts.append((row_substitutions(rows, origin=name, closed=closed, threshold=threshold), 1.0))
    return merge_substitutions(parts)


def find_substitutions(
    sources: Sequence[str],
    references: Sequence[str],
    origins: Origins | None = None,
    *,
    outputs: Sequence[Sequence[str]] = (),
    threads: int = 1,
) -> ReferenceSubstitutions:
    """All substitutes for the phrases of the references.

    outputs: those of each reference's segment. Only their words are used, as possible forms of inflectional and of
    written variants.
    """
    origins = origins or Origins()
    target_language = target_language_of(references, origins.target_language)
    language = get_language(target_language)
    closed = closed_class(origins.sets.closed, language)
    wanted = wanted_phrases(references)
    parts: list[tuple[str, Substitutions, float]] = []
    names: list[str] = []
    sets: list[EquivalenceSet] = []
    contexts: list[Substitutions] | None = None
    model = load(origins.model) if origins.model is not None else None
    proper = proper_names(itertools.chain(references, *outputs), language)
    if origins.bitext:
        sets = bitext_sets(
            sources,
            references,
            origins.sets,
            source_language=origins.source_language,
            target_language=target_language,
            tokeniser=origins.tokeniser,
            threads=threads,
        )
        if origins.sets.clean:
            similarity = word_similarity(model) if model is not None else None
            sets = clean_sets(sets, language, similarity, names=proper)
        substitutes = set_substitutions(sets, spelling=spelling_of(references))
        parts.append(("bitext", substitutes, origins.bitext_weight))
        names.append("bitext")
    if origins.model is not None and model is not None:
        name = "default" if origins.model == "default" else Path(origins.model).name
        if origins.context:
            contexts = context_substitutions(
                model,
                references,
                closed=closed,
                threshold=origins.threshold,
                origin=name,
                vetoes=origins.vetoes,
            )
        if contexts is None:
            substitutes = model_substitutions(
                model, wanted, closed=closed, threshold=origins.threshold, vetoes=origins.vetoes
            )
            parts.append((name, substitutes, origins.weight))
        names.append(name if contexts is None else f"{name}-in-context")
    for path in origins.tables:
        from paraphrast.formats.table_file import read_table_file

        rows = row_substitutions(
            loose_rows(read_table_file(path), sum(VETOES[veto] for veto in origins.vetoes)),
            origin=Path(path).stem,
            closed=closed,
            threshold=origins.threshold,
            wanted=wanted,
        )
        parts.append((Path(path).stem, rows, origins.weight))
        names.append(Path(path).stem)
    if origins.inflections:
        texts = (*references, *(text for segment_outputs in outputs for text in segment_outputs))
        words = {word for text in texts for word in split_words(text)}
        parts.append(("inflection", inflection_substitutions(words, language, closed=closed), 1.0))
        names.append("inflection")
    variants: list[Substitutions] = []
    if origins.variants and any(outputs):
        variants = [
            written_variants(text, segment_outputs, language)
            for text, segment_outputs in zip(references, outputs, strict=True)
        ]
        names.append("spelling")
    similar: list[Substitutions] = []
    if origins.similar and model is not None and any(outputs):
        similar = similar_substitutions(model, references, outputs, language, proper) or []
        names += ["similar"] * bool(similar)
    function_words: list[Substitutions] = []
    if origins.function_words and any(outputs):
        function_words = [
            function_word_edits(text, segment_outputs, language)
            for text, segment_outputs in zip(references, outputs, strict=True)
        ]
        names.append(FUNCTION_WORDS)
    return ReferenceSubstitutions(
        merge_substitutions([(part, weight) for _, part, weight in parts], top=origins.top),
        tuple(sets),
        tuple(names),
        tuple((name, part) for name, part, _ in parts),
        tuple(contexts or ()),
        origins.weight,
        origins.top,
        tuple(variants),
        tuple(similar),
        tuple(function_words),
    )


def expand_references(
    sources: Sequence[str],
    references: Sequence[str],
    *,
    kind: str = "one",
    n: int = 10,
    model: str | None = None,
    origins: Origins | None = None,
    threads: int = 1,
) -> list[list[Reference]]:
    """Paraphrased references of each segment, the original first, with their edits.

    sources, references: one sentence per segment. kind: ``one`` substitution at a time (Owczarzak et al. 2006), or the
    ``best`` different ones, with many substitutions at once. n: maximum number besides the original. model: a model
    folder or ``"default"``, used in addition to the sentences; origins: all other options on where paraphrases come
    from.
    """
    require("expand_references", "train")
    for name, side in (("sources", sources), ("references", references)):
        if isinstance(side, str):
            raise InputError(
                f"expected a list of sentences as {name}, got one string", remedy="pass [sentence]"
            )
    if kind not in ("one", "best"):
        raise InputError(f"expected one or best, got {kind!r}")
    if n < 1:
        raise InputError(f"n: expected a whole number from 1, got {n}")
    chosen = origins or Origins(model=model)
    substitutions = find_substitutions(sources, references, chosen, threads=threads)
    lattices = [
        reference_lattice(text, substitutions.of(place, text)) for place, text in enumerate(references)
    ]
    if kind == "one":
        return [one_at_a_time(lattice, most=n) for lattice in lattices]
    return [best_references(lattice, n) for lattice in lattices]
