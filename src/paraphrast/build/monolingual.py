"""Word alignment of two texts of one language, from lines to links."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paraphrast.align.base import Progress
from paraphrast.align.evidence import Resources
from paraphrast.align.evidence_kinds import choose, default_names
from paraphrast.align.monolingual import MonolingualAligner, MonolingualOptions, train_monolingual
from paraphrast.align.monolingual_store import load_monolingual, save_monolingual
from paraphrast.build.encoders import encoder_names, missing_for_encoder, open_encoder, require_encoder
from paraphrast.data.by_language import ENCODERS, THESAURI, VECTORS, folder_of, read_vectors
from paraphrast.errors import InputError, ModelError, ParaphrastError
from paraphrast.formats.files import atomic_folder, read_lines
from paraphrast.formats.folder_info import FolderKind
from paraphrast.formats.json_text import parse_json
from paraphrast.text import encode, get_language
from paraphrast.types import FIRST_WORD, Links, Sentences

log = logging.getLogger(__name__)

METHOD = "monolingual"
#: A folder written by ``paraphrast align --save``, for one language or for two.
SAVED = FolderKind(
    "an alignment model",
    "model.json",
    "paraphrast alignment model",
    1,
    "train it again and save it with: paraphrast align … --save",
)

#: One side of a bitext: lines of text, or lists of tokens.
Texts = Sequence[str] | Sequence[Sequence[str]]


@dataclass(frozen=True)
class MonolingualModel:
    """A trained aligner, and how it splits lines into words."""

    aligner: MonolingualAligner
    pretokenized: bool

    def align(
        self, source: Texts, target: Texts, *, threads: int = 1, progress: Progress | None = None
    ) -> Links:
        """Links of other text. A pair seen in training gets the same links as in training."""
        words, first, second = both_sides(
            source, target, self.aligner.language.code, pretokenized=self.pretokenized
        )
        return self.aligner.align(first, second, words, threads=threads, progress=progress)

    def save(self, folder: str | Path) -> None:
        """Write a folder, completely or not at all. An earlier alignment model there is replaced."""
        place = check_place(folder)
        with atomic_folder(place, checked=True) as temporary:
            save_monolingual(self.aligner, temporary / "aligner")
            SAVED.write(temporary, method=METHOD, pretokenized=self.pretokenized)

    @classmethod
    def load(cls, folder: str | Path) -> MonolingualModel:
        """Read a folder written by :meth:`save`."""
        place = Path(folder)
        info = SAVED.read(place)
        if not isinstance(pretokenized := info.get("pretokenized"), bool):
            raise ModelError(
                f"expected a model of one language, got one of {info.get('method')!r}",
                where=place / SAVED.file,
                remedy="load it with load_model",
            )
        return cls(
            load_monolingual(
                place / "aligner",
                lambda language, names: find_resources(language, context="context" in names),
            ),
            pretokenized,
        )


def check_place(folder: str | Path) -> Path:
    """The folder for a model. Raises an error if it exists and is not an alignment model."""
    place = Path(folder)
    if place.exists() and not _is_saved(place):
        raise InputError(
            "this exists and is not an alignment model, so it is not replaced",
            where=place,
            remedy="choose another name, or delete it",
        )
    return place


def _is_saved(place: Path) -> bool:
    """Whether a folder is an alignment model, of any version, and has nothing else in it."""
    try:
        info = parse_json((place / SAVED.file).read_bytes())
        names = {path.name for path in place.iterdir()}
    except (OSError, ValueError):
        return False
    is_marked = isinstance(info, dict) and info.get("format") == SAVED.format
    return is_marked and names <= {SAVED.file, "source", "target", "aligner"}


def align_monolingual(
    source: Texts,
    target: Texts,
    *,
    language: str = "en",
    pretokenized: bool = False,
    evidence: Sequence[str] | None = None,
    context: bool | None = None,
    options: MonolingualOptions | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> tuple[Links, MonolingualModel]:
    """Train on pairs of sentences of one language and align them. Links have their probabilities.

    evidence: names from ``paraphrast.align.evidence_kinds.EVIDENCE``; if None, all except context. Their lexicons are
        fetched on first use, so that the same text gets the same links on every machine.
    context: also compare words in their sentences by an encoder (extra ``precise``), fetched on first use: better links
        between different words, several times as slow. If None, used if the language has an encoder and ``evidence``
        is not named; if it is not available, a notice says so.
    """
    names = default_names() if evidence is None else list(evidence)
    if context is None:
        context = evidence is None and has_encoder(language)
    if context and "context" not in names:
        names.append("context")
    resources = find_resources(language, fetch=evidence is None, context="context" in names)
    pieces = choose(names, resources)
    lacking = [name for name in wanted_resources(language) if name not in resources.names]
    if lacking and evidence is None:
        log.warning(
            "links between different words are better, and others, with: paraphrast data get %s",
            " ".join(lacking),
        )
    words, first, second = both_sides(source, target, language, pretokenized=pretokenized)
    aligner = train_monolingual(
        first, second, words, pieces, options, language=resources.language, progress=progress
    )
    links = aligner.align(first, second, words, threads=threads, progress=progress)
    return links, MonolingualModel(aligner, pretokenized)


def wanted_resources(language: str) -> tuple[str, ...]:
    """Names of the lexicons that the evidence of a language uses."""
    code = get_language(language).code
    return THESAURI.get(code, ()) + VECTORS.get(code, ())


def has_encoder(language: str) -> bool:
    """Whether the language has an encoder that this machine can run; its data may be fetched now.

    If the encoder is not available, a notice describes the effect.
    """
    from paraphrast import data

    needed = missing_for_encoder(language)
    for name in encoder_names(language):
        needed = f"{name}: this machine cannot fetch it"
        if data.available(name):
            try:
                return folder_of(name, fetch=True) is not None
            except ParaphrastError as error:
                needed = f"{name}: {error}"
    if needed:
        log.warning(
            "words are not compared in their sentences, so links between different words are less accurate;"
            " this needs %s",
            needed,
        )
    return False


def find_resources(language: str, *, fetch: bool = False, context: bool = False) -> Resources:
    """The thesauri and word vectors of a language on this machine.

    fetch: fetch missing ones if possible; unavailable data is left out, with a notice.
    context: also fetch the encoder. Raises an error if it is not available or the extra that runs it is not installed,
        because it was requested by name.
    """
    from paraphrast import data

    record = get_language(language)
    folders: dict[str, Path] = {}
    for name in wanted_resources(language):
        try:
            if folder := folder_of(name, fetch=fetch and data.available(name)):
                folders[name] = folder
        except ParaphrastError as error:
            log.warning("%s is not available: %s", name, error)
    thesauri = [
        folder / "pairs.tsv.gz" for name, folder in folders.items() if name in THESAURI.get(record.code, ())
    ]
    vectors = None
    for name, folder in folders.items():
        if name in VECTORS.get(record.code, ()):
            vectors = read_vectors(folder)
    encoder = None
    for name in ENCODERS.get(record.code, ()) if context else ():
        require_encoder(name)  # before its data is fetched
        if folder := folder_of(name, fetch=True):
            folders[name] = folder
            encoder = open_encoder(folder)
    return Resources(record, _Pairs(thesauri) if thesauri else None, vectors, tuple(folders), encoder)


@dataclass(frozen=True)
class _Pairs:
    """The pairs of some thesauri, read again each time, because the larger ones have millions."""

    paths: Sequence[Path]

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for path in self.paths:
            for line in read_lines(path):
                row = line.split("\t", 2)
                if len(row) >= 2:
                    yield row[0], row[1]


def both_sides(
    source: Texts, target: Texts, language: str, *, pretokenized: bool
) -> tuple[tuple[str, ...], Sentences, Sentences]:
    """Both sides with one list of lower-case words."""
    ids: dict[str, int] = {}
    first, second = (_words(side, language, pretokenized, ids) for side in (source, target))
    return tuple(ids), first, second


def _words(side: Texts, language: str, pretokenized: bool, ids: dict[str, int]) -> Sentences:
    if pretokenized or any(not isinstance(entry, str) for entry in side):
        rows = (entry.split() if isinstance(entry, str) else entry for entry in side)
        return Sentences.from_lists(_numbered(row, ids) for row in rows)
    lines = [str(entry) for entry in side]
    encoded = encode(lines, get_language(language), offsets=True)
    sentences = encoded.sentences
    remap = np.zeros(len(encoded.surface), dtype=np.int32)
    remap[FIRST_WORD:] = _numbered(encoded.surface[FIRST_WORD:], ids)
    tokens: NDArray[np.int32] = remap[sentences.tokens]
    if sentences.char_start is not None and sentences.char_end is not None:
        # Numbers, dates and other masked words keep their text: two dates are not the same word.
        line_of = np.repeat(np.arange(len(lines)), np.diff(sentences.starts))
        for place in np.flatnonzero(sentences.tokens < FIRST_WORD).tolist():
            begin, end = int(sentences.char_start[place]), int(sentences.char_end[place])
            tokens[place] = ids.setdefault(lines[line_of[place]][begin:end].lower(), len(ids))
    return Sentences(tokens, sentences.starts, sentences.space_before)


def _numbered(words: Iterable[str], ids: dict[str, int]) -> list[int]:
    return [ids.setdefault(word.lower(), len(ids)) for word in words]
