"""Kinds of paraphrase tables by name. A plug-in registers a class in the entry point group ``paraphrast.tables``."""

from __future__ import annotations

from paraphrast.registry import Registry

TABLES = Registry(
    "tables",
    {
        "thesaurus": "paraphrast.tables.resources.thesaurus:ThesaurusKind",
        "lexicon": "paraphrast.tables.resources.lexicon:LexiconKind",
        "ppdb": "paraphrast.tables.resources.databases:PpdbKind",
        "meteor": "paraphrast.tables.resources.databases:MeteorKind",
        "chunks": "paraphrast.tables.resources.chunks:ChunksKind",
        "comparable": "paraphrast.build.comparable:ComparableKind",
        "dictionary": "paraphrast.tables.resources.dictionary:DictionaryKind",
        "queries": "paraphrast.tables.resources.queries:QueriesKind",
        "roundtrip": "paraphrast.build.roundtrip:RoundtripKind",
        "self": "paraphrast.tables.resources.identity:SelfKind",
        "wordnet": "paraphrast.tables.resources.wordnet:WordnetKind",
        "clusters": "paraphrast.fusion.table:ClustersKind",
        "wordclusters": "paraphrast.tables.resources.wordclusters:WordclustersKind",
    },
)
