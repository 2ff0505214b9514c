"""Reads and prepares many clusters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paraphrast.acquire.keyterms import KeyTermOptions, sentence_clusters
from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.articles import Article, read_articles
from paraphrast.formats.files import open_text
from paraphrast.formats.json_text import parse_json
from paraphrast.fusion.sentences import Prepared, prepare
from paraphrast.text.syntax.parser import Parser
from paraphrast.text.syntax.tag import Tagger


@dataclass(frozen=True)
class NamedCluster:
    """The sentences and the name of a cluster."""

    name: str
    sentences: tuple[str, ...]


def read_clusters(path: str | Path, *, terms: int = 0, language: str = "en") -> list[NamedCluster]:
    """The clusters of a file. The ending of its name gives the format; the file may be compressed.

    ``.jsonl``: one object per line with ``sentences`` and optionally ``cluster``. ``.tsv``: one cluster per
    line, one sentence per column. Anything else: one cluster, one sentence per line.
    terms: if set, the file has articles; each event gives at most this many clusters, by its best key terms.
    """
    if terms:
        return clusters_of_articles(
            read_articles(str(path)), KeyTermOptions(clusters=terms), language=language
        )
    bare = str(path)
    for ending in (".gz", ".xz", ".zst"):
        bare = bare.removesuffix(ending)
    with open_text(path) as reader:
        if bare.endswith(".jsonl"):
            return _not_articles(path, list(_objects(path, reader)))
        if bare.endswith(".tsv"):
            return [
                NamedCluster(str(number), tuple(line.split("\t"))) for number, line in enumerate(reader, 1)
            ]
        return [NamedCluster(Path(bare).stem if bare != "-" else "-", tuple(reader))]


def _not_articles(path: str | Path, clusters: list[NamedCluster]) -> list[NamedCluster]:
    """Refuse articles: several objects with the same cluster name, which would each be fused separately."""
    counts = Counter(cluster.name for cluster in clusters)
    name, count = counts.most_common(1)[0] if counts else ("", 0)
    if count > 1:
        raise InputError(
            f"expected one object per cluster, got {count} of cluster {name!r}",
            where=path,
            remedy="if these are articles, add --terms 3: clusters are then made by key terms",
        )
    return clusters


def _objects(path: str | Path, lines: Iterable[str]) -> Iterator[NamedCluster]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = parse_json(line)
            sentences = value["sentences"]
            if not isinstance(sentences, list) or not all(
                isinstance(sentence, str) for sentence in sentences
            ):
                raise TypeError("sentences are not a list of texts")
            name = str(value.get("cluster", number))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FormatError(
                f"expected an object with a list of sentences: {error!r}", where=At(path, number)
            ) from error
        yield NamedCluster(name, tuple(sentences))


def clusters_of_articles(
    articles: Iterable[Article], options: KeyTermOptions | None = None, *, language: str = "en"
) -> list[NamedCluster]:
    """Clusters of sentences of one event that share a key term (section 4.1.1), named ``EVENT-TERM``.

    The field ``cluster`` of an article names its event. options: among others, the number of clusters per event.
    """
    events: dict[str, list[Article]] = {}
    for article in articles:
        if article.cluster:
            events.setdefault(article.cluster, []).append(article)
    if not events:
        raise InputError(
            "expected articles with a cluster, got none",
            remedy="find the clusters first: paraphrast pairs ARTICLES --clustered OUT",
        )
    return [
        NamedCluster(f"{event}-{cluster.term}", cluster.sentences)
        for event, event_articles in events.items()
        for cluster in sentence_clusters(event_articles, options, language=language)
    ]


def prepare_all(
    clusters: Sequence[NamedCluster],
    *,
    language: str = "en",
    parser: Parser | None = None,
    tagger: Tagger | None = None,
    pretokenized: bool = False,
) -> list[Prepared]:
    """Tokenise and parse (or tag) clusters; for an empty cluster, an error that names it."""
    prepared = []
    for cluster in clusters:
        try:
            prepared.append(
                prepare(
                    cluster.sentences,
                    language=language,
                    parser=parser,
                    tagger=tagger,
                    pretokenized=pretokenized,
                )
            )
        except InputError as error:
            raise InputError(f"cluster {cluster.name}: {error.message}", remedy=error.remedy) from error
    return prepared
