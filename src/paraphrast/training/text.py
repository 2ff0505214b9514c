"""The stage ``text``: every corpus tokenised, masked and truecased; one vocabulary per language."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from paraphrast.build.text_shards import Block, encode_on_workers, write_block
from paraphrast.engine import Engine
from paraphrast.errors import At
from paraphrast.formats.bad_lines import skipped_note
from paraphrast.formats.bitext import Bitext
from paraphrast.formats.files import read_lines
from paraphrast.formats.sentences import save_sentences
from paraphrast.formats.vocabulary import save_vocabulary
from paraphrast.text import encode, get_language, split_sentences, truecase
from paraphrast.training.corpora import (
    bitext_blocks,
    languages_of,
    pivot_languages,
    read_bitext,
    text_lines,
)
from paraphrast.training.recipe import Recipe, Resources
from paraphrast.training.runner import Step
from paraphrast.training.source_shards import (
    LINES,
    check_not_empty,
    shard_tasks,
    source_languages,
    write_shard,
)
from paraphrast.training.work_folder import (
    NEWS_TEXT,
    corpus_names,
    open_engine,
)
from paraphrast.types import Vocabulary


def encode_text(recipe: Recipe, resources: Resources, work: Path, folder: Path, step: Step) -> str:
    """Tokenise, mask and truecase every corpus; one vocabulary per language."""
    config = recipe.config
    languages = [config.language, *pivot_languages(config)]
    totals = []
    with open_engine(resources, folder, step) as engine:
        if engine.distributed or resources.memory_bytes is not None:
            return _encode_on_workers(engine, recipe, work, folder)
        reader = _Reader(recipe, work)
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
            totals.append(_total(language, tokens, vocabulary))
    return _note(totals, reader.bad)


def _total(language: str, tokens: int, vocabulary: Vocabulary) -> str:
    return f"{language} {tokens:,} tokens, {len(vocabulary):,} words"


def _note(totals: list[str], bad: list[At]) -> str:
    return "; ".join([*totals, skipped_note(bad)]).removesuffix("; ")


def _encode_on_workers(engine: Engine, recipe: Recipe, work: Path, folder: Path) -> str:
    """The same by the engine's workers, who get the lines in blocks. Only one block is here at a time.

    An engine without workers encodes block after block here, so that ``--memory`` bounds this stage too.
    """
    config = recipe.config
    writer = _BlockWriter(engine, recipe, work, folder / ".lines")
    totals = []
    for language in [config.language, *pivot_languages(config)]:
        target = folder / language
        target.mkdir()
        corpora = [(writer.blocks(name, language), target / name) for name in corpus_names(recipe, language)]
        vocabulary, tokens = encode_on_workers(engine, corpora, target / "casing.tsv")
        save_vocabulary(engine, vocabulary, target / "vocab.parquet")
        shutil.rmtree(writer.folder / language)
        totals.append(_total(language, tokens, vocabulary))
    shutil.rmtree(writer.folder)
    return _note(totals, writer.bad)


class _BlockWriter:
    """Writes the lines of the corpora in blocks. A bitext is read once for all its languages.

    A source in shards is read by the workers.
    """

    def __init__(self, engine: Engine, recipe: Recipe, work: Path, folder: Path) -> None:
        self.engine, self.recipe, self.work, self.folder = engine, recipe, work, folder
        self.bad: list[At] = []
        self._blocks: dict[tuple[str, str], list[Block]] = {}

    def blocks(self, name: str, language: str) -> list[Block]:
        """The blocks of corpus ``b0``, ``t0``, … in a language."""
        if (name, language) not in self._blocks and not self._read_by_workers(name):
            self._read_here(name, language)
        return self._blocks.pop((name, language))

    def _read_by_workers(self, name: str) -> bool:
        """Whether the source is in shards; then its blocks are written."""
        config = self.recipe.config
        if name[0] == "n":
            return False
        source = (config.bitext if name[0] == "b" else config.text)[int(name[1:])]
        languages = source_languages(source, name, config.language)
        tasks = shard_tasks(
            source, languages, name, self.folder, config.language, skip_bad=self.recipe.skip_bad
        )
        if not tasks:
            return False
        blocks: dict[str, list[Block]] = {language: [] for language in languages}
        for written, bad in self.engine.map(write_shard, tasks):
            self.bad += bad
            for language in languages:
                blocks[language] += written[language]
        check_not_empty(source, blocks)
        self._blocks |= {(name, language): parts for language, parts in blocks.items()}
        return True

    def _read_here(self, name: str, language: str) -> None:
        if name[0] != "b":
            lines = _text_of(self.recipe, self.work, name, language, self.bad)
            blocks: list[Block] = []
            while block := list(islice(lines, LINES)):
                blocks.append(self._write(block, name, language, len(blocks)))
            self._blocks[name, language] = blocks or [self._write([], name, language, 0)]
            return
        source = self.recipe.config.bitext[int(name[1:])]
        parts = bitext_blocks(source, self.bad, size=LINES, skip_bad=self.recipe.skip_bad)
        for number, part in enumerate(parts):
            for column, sentences in part.lines.items():
                written = self._write(sentences, name, column, number)
                self._blocks.setdefault((name, column), []).append(written)

    def _write(self, lines: list[str], name: str, language: str, number: int) -> Block:
        place = self.folder / language / name
        place.mkdir(parents=True, exist_ok=True)
        return write_block(
            lines, place / f"{number:08d}", language, offsets=language == self.recipe.config.language
        )


def _text_of(recipe: Recipe, work: Path, name: str, language: str, bad: list[At]) -> Iterator[str]:
    """The lines of a text that is no bitext, split into sentences, or of the news."""
    if name[0] == "n":
        return read_lines(work / "news" / NEWS_TEXT)
    record = get_language(language)
    lines = text_lines(recipe.config.text[int(name[1:])], skip_bad=recipe.skip_bad, bad=bad)
    return (line[start:end] for line in lines for start, end in split_sentences(line, record))


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
        if name[0] != "b":
            return list(_text_of(self.recipe, self.work, name, language, self.bad))
        if number not in self.bitexts:
            source = self.recipe.config.bitext[number]
            self.bitexts[number] = read_bitext(source, languages_of(source), skip_bad=self.recipe.skip_bad)
            self.bad += self.bitexts[number].bad
        return self.bitexts[number].lines.pop(language)
