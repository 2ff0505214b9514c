"""The ``clusters`` table: paraphrases from clusters of comparable sentences, for the decoder.

Zhao et al. (2008, §7) propose to combine pattern-based and statistical paraphrasing. A slot of an alignment is such a
pattern; its fillings become rows like those of any other table.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import ClassVar

from paraphrast.data.by_language import find_parser
from paraphrast.errors import InputError
from paraphrast.fusion.clusters import prepare_all, read_clusters
from paraphrast.fusion.options import ClustersOptions
from paraphrast.fusion.sentences import Prepared
from paraphrast.msa.align import align_cluster
from paraphrast.msa.graph import word_graph
from paraphrast.msa.match import MatchOptions, get_version
from paraphrast.msa.slots import Pair, clusters_table, slot_pairs
from paraphrast.tables.resources.kinds import TableJob, TableKind, info_of
from paraphrast.tables.resources.words import glue_bits
from paraphrast.text.syntax.parser import find_spacy
from paraphrast.text.truecase import Truecaser
from paraphrast.types import LooseTable

log = logging.getLogger(__name__)


def table_of_clusters(
    prepared: Sequence[Prepared],
    options: ClustersOptions | None = None,
    *,
    match: MatchOptions | None = None,
    truecaser: Truecaser | None = None,
) -> LooseTable:
    """The table of phrases that fill the same slot of an alignment, over all clusters."""
    settings = options or ClustersOptions()
    if not prepared:
        raise InputError("expected clusters, got none")
    wanted = get_version(settings.version)
    pairs: list[set[Pair]] = []
    spaces: dict[tuple[str, ...], tuple[bool, ...]] = {}
    for prepared_cluster in prepared:
        used = (
            wanted
            if prepared_cluster.cluster.syntax is not None or not wanted.syntactic
            else wanted.without_syntax
        )
        graph = word_graph(prepared_cluster.cluster, align_cluster(prepared_cluster.cluster, used, match))
        cluster_pairs = slot_pairs(prepared_cluster.cluster, graph, settings, spaces=spaces)
        cased = {(_cased(source, truecaser), _cased(target, truecaser)) for source, target in cluster_pairs}
        pairs.append({pair for pair in cased if pair[0] != pair[1]})
    parsed = sum(prepared_cluster.cluster.syntax is not None for prepared_cluster in prepared)
    notes = {
        "clusters": len(prepared),
        "parsed": parsed,
        "sentences": sum(len(prepared_cluster.cluster) for prepared_cluster in prepared),
    }
    info = info_of("clusters", prepared[0].cluster.language.code, settings, notes=notes)
    glue = {
        _cased(phrase, truecaser): bits for phrase, before in spaces.items() if (bits := glue_bits(before))
    }
    return clusters_table(pairs, info, settings, glue=glue)


def _cased(phrase: tuple[str, ...], truecaser: Truecaser | None) -> tuple[str, ...]:
    """A word in the model's case: words inside sentences keep their case, except words in capitals."""
    if truecaser is None:
        return phrase
    return tuple(truecaser.form(word, initial=False, shouted=False) for word in phrase)


class ClustersKind(TableKind):
    """Clusters: one per line with a sentence per column (``.tsv``) or as a JSON object (``.jsonl``), or a file each."""

    name = "clusters"
    options: ClassVar[type] = ClustersOptions

    def build(self, job: TableJob, options: ClustersOptions) -> LooseTable:
        version = get_version(options.version)
        parser = (
            find_spacy(job.language, find_parser(job.parser, job.language)) if version.syntactic else None
        )
        if version.syntactic and parser is None:
            log.warning(
                "no parser for %s: using %s instead of %s",
                job.language,
                version.without_syntax.name,
                version.name,
            )
        clusters = [
            cluster
            for path in job.inputs
            for cluster in read_clusters(path, terms=options.terms, language=job.language)
        ]
        prepared = prepare_all(
            clusters, language=job.language, parser=parser, pretokenized=options.pretokenized
        )
        return table_of_clusters(prepared, options, truecaser=job.truecaser)
