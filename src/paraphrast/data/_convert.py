"""Converters: fetched sources → canonical files. A name here, or an entry point ``paraphrast.converter``.

A converter is called with the resource, its sources on disk in the order of the index, and the output folder.
docs/data.md lists the files that each kind of resource must write.
"""

from __future__ import annotations

from paraphrast.registry import Registry

CONVERTERS = Registry(
    "converter",
    {
        "bitext-nlp-corpus": "paraphrast.data._bitext:nlp_corpus",
        "bitext-libreoffice": "paraphrast.data._bitext:libreoffice_help",
        "bitext-tsv": "paraphrast.data._bitext:tsv",
        "bitext-moses": "paraphrast.data._bitext:moses",
        "text-lines": "paraphrast.data._texts:lines",
        "text-nlp-corpus": "paraphrast.data._texts:nlp_corpus",
        "text-reuters": "paraphrast.data._texts:reuters",
        "text-sotu": "paraphrast.data._texts:sotu",
        "text-gutenberg": "paraphrast.data._texts:gutenberg",
        "text-brown": "paraphrast.data._texts:brown_text",
        "tagged-brown": "paraphrast.data._texts:brown_tagged",
        "bitext-bible-greek": "paraphrast.data._verses:greek",
        "verses-bible": "paraphrast.data._verses:bible",
        "antonyms-wordnet": "paraphrast.data.wordnet:antonyms",
        "synonyms-wordnet": "paraphrast.data.wordnet:synonyms",
        "relations-wordnet": "paraphrast.data.wordnet:relations",
        "synonyms-moby": "paraphrast.data._lexicons:moby",
        "dictionary-gcide": "paraphrast.data._lexicons:gcide",
        "inflections-lemminflect": "paraphrast.data._lexicons:lemminflect",
        "synonyms-mythes": "paraphrast.data._lexicons:mythes",
        "parser-spacy": "paraphrast.data._lexicons:spacy_model",
        "vectors-kumo": "paraphrast.data._lexicons:kumo_vectors",
        "translation-marian-pieces": "paraphrast.data._models:marian_from_pieces",
        "language-model-gguf": "paraphrast.data._models:gguf",
        "encoder-minilm": "paraphrast.data._lexicons:sentence_encoder",
    },
)
