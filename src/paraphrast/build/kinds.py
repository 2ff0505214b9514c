"""Kinds of paraphrase tables by name; a plug-in registers a class in the entry point group ``paraphrast.tables``."""

from __future__ import annotations

from paraphrast.registry import Registry

TABLES = Registry(
    "tables",
    {
        "thesaurus": "paraphrast.tables.thesaurus:ThesaurusKind",
        "lexicon": "paraphrast.tables.lexicon:LexiconKind",
        "chunks": "paraphrast.tables.chunks:ChunksKind",
        "comparable": "paraphrast.build.comparable:ComparableKind",
        "dictionary": "paraphrast.tables.dictionary:DictionaryKind",
        "queries": "paraphrast.tables.queries:QueriesKind",
        "self": "paraphrast.tables.selves:SelfKind",
        "wordnet": "paraphrast.tables.wordnet:WordnetKind",
        "clusters": "paraphrast.fusion.table:ClustersKind",
        "wordclusters": "paraphrast.tables.wordclusters:WordclustersKind",
    },
)
