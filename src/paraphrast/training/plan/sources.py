"""How many lines the sources have, and how long they are: counted, or estimated from their first lines."""

from __future__ import annotations

from dataclasses import dataclass

from paraphrast import data
from paraphrast.errors import ParaphrastError
from paraphrast.formats.files import sample_lines
from paraphrast.formats.shards import Shard, source_shards
from paraphrast.formats.storage import Place
from paraphrast.training.config import Config, Source
from paraphrast.training.corpora import languages_of

#: Number of lines that are read of each file. A shorter file is counted.
SAMPLE = 20_000


@dataclass(frozen=True)
class Size:
    """Lines of one source, words per line and language, and whether the lines were counted, not estimated."""

    lines: float
    words: float
    exact: bool


def size_of(source: Source, languages: int, sample: int = SAMPLE) -> Size | None:
    """The size of a bitext or text; None if its file is not here, for example because it is not downloaded yet."""
    path = _path_of(source)
    first, last = source.lines or (1, None)
    if path is None:
        return None if last is None else Size(last - first + 1, 0.0, False)
    try:
        shards = source_shards(path)
        lines, share = sample_lines(shards[0].place, sample if last is None else min(sample, last))
    except ParaphrastError:
        return None
    if not lines:
        return Size(0, 0.0, True)
    words = sum(len(line.split()) for line in lines) / len(lines) / languages
    total, exact = _lines_of(shards, len(lines) / share), share == 1.0 and len(shards) == 1
    exact = exact or shards[0].lines is not None
    if last is not None:
        total, exact = min(total, last), exact or len(lines) >= last
    return Size(max(total - first + 1, 0), words, exact)


def _lines_of(shards: list[Shard], first: float) -> float:
    """Lines of all shards: as the manifest says, or in proportion to the lines and bytes of the first one."""
    if shards[0].lines is not None:
        return sum(shard.lines or 0 for shard in shards)
    return first * sum(shard.size for shard in shards) / max(shards[0].size, 1) if len(shards) > 1 else first


def _path_of(source: Source) -> Place | None:
    if source.data:
        if not data.is_cached(source.data):
            return None
        folder = data.get(source.data)
        return next((folder / name for name in _NAMES if (folder / name).is_file()), None)
    return source.paths[0] if source.paths else None


_NAMES = ("bitext.tsv.gz", "text.txt.gz")


def sizes_of(config: Config) -> tuple[dict[str, Size | None], dict[str, Size | None]]:
    """The sizes of all bitexts and of all texts, by name."""
    bitext = {
        source.name: size_of(source, 1 if source.files else len(languages_of(source)))
        for source in config.bitext
    }
    return bitext, {source.name: size_of(source, 1) for source in config.text}
