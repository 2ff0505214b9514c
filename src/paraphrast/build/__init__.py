"""Single files without a model: word links, phrase tables, paraphrase tables, news pairs."""
