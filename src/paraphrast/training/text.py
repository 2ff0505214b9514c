"""The stage ``text``: every corpus tokenised, masked and truecased; one vocabulary per language."""

from __future__ import annotations

from pathlib import Path

from paraphrast.errors import At
from paraphrast.formats.bad_lines import skipped_note
from paraphrast.formats.bitext import Bitext
from paraphrast.formats.files import read_lines
from paraphrast.formats.sentences import save_sentences
from paraphrast.formats.vocabulary import save_vocabulary
from paraphrast.text import encode, get_language, split_sentences, truecase
from paraphrast.training.corpora import languages_of, pivot_languages, read_bitext, read_text
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.work_folder import (
    NEWS_TEXT,
    corpus_names,
    open_engine,
)


def encode_text(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Tokenise, mask and truecase every corpus; one vocabulary per language."""
    config = recipe.config
    languages = [config.language, *pivot_languages(config)]
    totals = []
    reader = _Reader(recipe, work)
    with open_engine(resources, folder) as engine:
        for done, language in enumerate(languages):
            step(done, len(languages), "languages")
            is_model_language = language == config.language
            names = corpus_names(recipe, language)
            encoded = [
                encode(
                    reader.lines(name, language),
                    get_language(language),
                    offsets=is_model_language,
                    threads=resources.thread_count,
                )
                for name in names
            ]
            caser = truecase.learn(*encoded)
            vocabulary, corpora = caser.apply_all(encoded)
            target = folder / language
            target.mkdir()
            caser.save(target / "casing.tsv")
            save_vocabulary(engine, vocabulary, target / "vocab.parquet")
            for name, sentences in zip(names, corpora, strict=True):
                save_sentences(sentences, target / name)
            tokens = sum(len(sentences.tokens) for sentences in corpora)
            totals.append(f"{language} {tokens:,} tokens, {len(vocabulary):,} words")
    return "; ".join([*totals, skipped_note(reader.bad)]).removesuffix("; ")


class _Reader:
    """Lines of the corpora. A bitext is read once for all its languages, so bad lines are skipped in all of them."""

    def __init__(self, recipe: Recipe, work: Path) -> None:
        self.recipe = recipe
        self.work = work
        self.bitexts: dict[int, Bitext] = {}
        self.bad: list[At] = []

    def lines(self, name: str, language: str) -> list[str]:
        """The lines of corpus ``b0``, ``t0``, … in a language. Text is split into sentences."""
        number = int(name[1:])
        if name[0] == "n":
            return list(read_lines(self.work / "news" / NEWS_TEXT))
        if name[0] == "t":
            record = get_language(language)
            lines = read_text(self.recipe.config.text[number], skip_bad=self.recipe.skip_bad, bad=self.bad)
            return [line[start:end] for line in lines for start, end in split_sentences(line, record)]
        if number not in self.bitexts:
            source = self.recipe.config.bitext[number]
            self.bitexts[number] = read_bitext(source, languages_of(source), skip_bad=self.recipe.skip_bad)
            self.bad += self.bitexts[number].bad
        return self.bitexts[number].lines.pop(language)
