"""Many clusters at a time: reading and preparing them, files for judges."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import open_text
from paraphrast.msa.judging import JudgedCluster, write_judging
from paraphrast.msa.match import VERSIONS
from paraphrast.msa.proxies import fidelity, grammaticality
from paraphrast.pipeline.fusing import Prepared, WordModel, fuse_prepared, lm_view, prepare
from paraphrast.text.syntax import Parser


@dataclass(frozen=True)
class NamedCluster:
    """Sentences under a name."""

    name: str
    sentences: tuple[str, ...]


def read_clusters(path: str | Path) -> list[NamedCluster]:
    """The clusters of a file, by its name's ending (compressed or not).

    ``.jsonl``: an object a line with ``sentences`` and perhaps ``cluster``. ``.tsv``: a cluster a line, a
    sentence a column. Anything else: one cluster, a sentence a line.
    """
    bare = str(path)
    for ending in (".gz", ".xz", ".zst"):
        bare = bare.removesuffix(ending)
    with open_text(path) as reader:
        if bare.endswith(".jsonl"):
            return list(_objects(path, reader))
        if bare.endswith(".tsv"):
            return [
                NamedCluster(str(number), tuple(line.split("\t"))) for number, line in enumerate(reader, 1)
            ]
        return [NamedCluster(Path(bare).stem if bare != "-" else "-", tuple(reader))]


def _objects(path: str | Path, lines: Iterable[str]) -> Iterator[NamedCluster]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            sentences = value["sentences"]
            if not isinstance(sentences, list) or not all(isinstance(one, str) for one in sentences):
                raise TypeError("sentences are not a list of texts")
            name = str(value.get("cluster", number))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FormatError(
                f"expected an object with a list of sentences: {error!r}", where=At(path, number)
            ) from error
        yield NamedCluster(name, tuple(sentences))


def prepare_all(
    clusters: Sequence[NamedCluster],
    *,
    language: str = "en",
    parser: Parser | None = None,
    pretokenized: bool = False,
) -> list[Prepared]:
    """Tokenise and parse clusters; an empty one is refused by its name."""
    found = []
    for cluster in clusters:
        try:
            found.append(
                prepare(cluster.sentences, language=language, parser=parser, pretokenized=pretokenized)
            )
        except InputError as error:
            raise InputError(f"cluster {cluster.name}: {error.message}", remedy=error.remedy) from error
    return found


def judging_files(
    folder: str | Path,
    clusters: Sequence[NamedCluster],
    prepared: Sequence[Prepared],
    *,
    lm: WordModel | None = None,
    n: int = 10,
    judges: int = 6,
    a_cluster: int = 3,
    seed: int = 0,
) -> dict[str, int]:
    """Ten new sentences of every version and cluster for judges, with language model, content and BLEU in the key."""
    judged = []
    for cluster, one in zip(clusters, prepared, strict=True):
        view = lm_view(one.cluster, lm)
        made: dict[str, list[str]] = {}
        figures: dict[tuple[str, str], dict[str, float | None]] = {}
        for name, version in VERSIONS.items():
            if version.syntactic and one.cluster.syntax is None:
                continue
            fusion = fuse_prepared(one, n, version=version, method="random", seed=seed)
            made[name] = [sentence.text for sentence in fusion.sentences]
            likely = grammaticality([sentence.words for sentence in fusion.sentences], one.cluster, view)
            for sentence, value in zip(fusion.sentences, likely, strict=True):
                figures[name, sentence.text] = {
                    "lm": round(value, 4),
                    "content": round(fidelity(sentence.words, one.cluster), 4),
                    "bleu": sentence_bleu(sentence.text, cluster.sentences),
                }
        judged.append(JudgedCluster(cluster.name, cluster.sentences, made, figures))
    return write_judging(folder, judged, judges=judges, a_cluster=a_cluster, seed=seed)


def sentence_bleu(text: str, references: Sequence[str]) -> float | None:
    """BLEU against the cluster, the proxy that the paper found wanting; None where sacreBLEU is not installed."""
    try:
        import sacrebleu
    except ImportError:
        return None
    return round(float(sacrebleu.sentence_bleu(text, list(references)).score), 3)
