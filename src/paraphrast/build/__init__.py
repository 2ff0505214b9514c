"""Single artefacts without a model: word links, phrase tables, paraphrase tables, news pairs."""
