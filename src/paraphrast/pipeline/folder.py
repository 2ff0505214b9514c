"""The model folder: what is in it, how it is written whole, and how it is checked when opened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paraphrast._version import __version__
from paraphrast.errors import ModelError
from paraphrast.formats.arrays import load_array
from paraphrast.types import MAX_PHRASE, Orientation, Phrases, Sentences, Vocabulary

if TYPE_CHECKING:
    from paraphrast.engine import Engine

FORMAT_VERSION = 1
MANIFEST = "manifest.json"
#: The folder of a model that says how likely substitutions are right in their sentences; few models have one.
SUBSTITUTION = "substitution"
WORDS = "words.txt"


def read_manifest(model: Path) -> dict[str, Any]:
    """The manifest of a model folder, after checking that this version can read it."""
    path = model / MANIFEST
    if not model.exists():
        raise ModelError(
            "there is no model here", where=model, remedy="build one: paraphrast train CONFIG.toml -o MODEL"
        )
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        version = int(manifest["format_version"])
    except FileNotFoundError as error:
        raise ModelError(
            f"expected a model folder with {MANIFEST}, found none",
            where=model,
            remedy="a model is the folder that `paraphrast train … -o MODEL` made; a half-built one is resumed "
            "by the same command",
        ) from error
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise ModelError(
            f"the manifest is damaged: {error}", where=path, remedy="train the model again"
        ) from error
    if version > FORMAT_VERSION:
        raise ModelError(
            f"expected model format {FORMAT_VERSION} or older, got {version} "
            f"(made by paraphrast {manifest.get('paraphrast', 'unknown')})",
            where=model,
            remedy="upgrade paraphrast: pip install -U paraphrast",
        )
    return dict(manifest)


def write_manifest(folder: Path, content: dict[str, Any]) -> None:
    """Write the manifest: last of all files, so that a folder with one is whole."""
    record = {"format_version": FORMAT_VERSION, "paraphrast": __version__, **content}
    text = json.dumps(record, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    (folder / MANIFEST).write_text(text, encoding="utf-8")


def save_vocabulary(engine: Engine, vocabulary: Vocabulary, path: Path) -> None:
    """``vocab.parquet``: id, token, count."""
    engine.table(
        "vocabulary_rows",
        {
            "id": np.arange(len(vocabulary), dtype=np.int32),
            "token": np.array(vocabulary.words, dtype=object),
            "count": vocabulary.counts,
        },
    )
    engine.write_parquet('SELECT id, token, "count" FROM vocabulary_rows ORDER BY id', path)
    engine.drop("vocabulary_rows")


def load_vocabulary(engine: Engine, path: Path) -> Vocabulary:
    """Read ``vocab.parquet``."""
    columns = engine.read_parquet(path, 'token, "count"')
    return Vocabulary(tuple(columns["token"].tolist()), columns["count"].astype(np.int64))


def save_words(vocabulary: Vocabulary, folder: Path) -> None:
    """``words.txt`` and ``counts.npy``: the vocabulary again, for a reader that has no time to start the engine."""
    (folder / WORDS).write_bytes("".join(f"{word}\n" for word in vocabulary.words).encode())
    np.save(folder / "counts.npy", vocabulary.counts, allow_pickle=False)


def model_vocabulary(model: Path) -> Vocabulary:
    """The vocabulary of a model: from :func:`save_words`, or from ``vocab.parquet`` where a model has no such file."""
    try:
        words = tuple((model / "decoder" / WORDS).read_bytes().decode("utf-8").split("\n")[:-1])
    except FileNotFoundError:
        from paraphrast.engine import Engine

        with Engine(threads=1) as engine:
            return load_vocabulary(engine, model / "vocab.parquet")
    counts = load_array(model / "decoder" / "counts.npy", np.int64)
    if len(words) != len(counts):
        raise ValueError(f"{len(words)} words have {len(counts)} counts")
    return Vocabulary(words, counts)


def save_phrases(engine: Engine, phrases: Phrases, category_mask: NDArray[np.uint32], path: Path) -> None:
    """``phrases.parquet``: id, w1 … w7, glue, categories."""
    words = {f"w{place + 1}": np.ascontiguousarray(phrases.words[:, place]) for place in range(MAX_PHRASE)}
    rows: dict[str, NDArray[Any]] = {
        "id": np.arange(len(phrases), dtype=np.int32),
        **words,
        "glue": phrases.glue,
        "categories": category_mask.astype(np.int64),
    }
    engine.table("phrase_rows", rows)
    engine.write_parquet(f"SELECT {', '.join(rows)} FROM phrase_rows ORDER BY id", path)
    engine.drop("phrase_rows")


def load_phrases(engine: Engine, path: Path) -> tuple[Phrases, NDArray[np.uint32]]:
    """Read ``phrases.parquet``: the phrases and their category masks."""
    columns = engine.read_parquet(path)
    words = np.stack([columns[f"w{place + 1}"] for place in range(MAX_PHRASE)], axis=1).astype(np.int32)
    return Phrases(words, columns["glue"].astype(np.uint8)), columns["categories"].astype(np.uint32)


def save_orientation(orientation: Orientation, folder: Path) -> None:
    """A reordering model as .npy files in a folder."""
    arrays = {
        "words": orientation.phrases.words,
        "mono": orientation.mono,
        "swap": orientation.swap,
        "overall": np.array([orientation.overall_mono, orientation.overall_swap]),
    }
    for name, values in arrays.items():
        np.save(folder / f"{name}.npy", values, allow_pickle=False)


def load_orientation(folder: Path) -> Orientation:
    """Read what :func:`save_orientation` wrote."""
    words, mono, swap, overall = (
        np.load(folder / f"{name}.npy", allow_pickle=False) for name in ("words", "mono", "swap", "overall")
    )
    phrases = Phrases(words, np.zeros(len(words), dtype=np.uint8))
    return Orientation(phrases, mono, swap, float(overall[0]), float(overall[1]))


def save_sentences(sentences: Sentences, folder: Path) -> None:
    """Sentences as .npy files in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("tokens", "starts", "space_before", "char_start", "char_end"):
        values = getattr(sentences, name)
        if values is not None:
            np.save(folder / f"{name}.npy", values, allow_pickle=False)


def load_sentences(folder: Path, *, offsets: bool = False) -> Sentences:
    """Read what :func:`save_sentences` wrote, mapped into memory."""

    def read(name: str) -> Any:
        return np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)

    return Sentences(
        read("tokens"),
        read("starts"),
        read("space_before"),
        read("char_start") if offsets else None,
        read("char_end") if offsets else None,
    )


def concatenate(pieces: list[Sentences]) -> Sentences:
    """Several corpora as one, in order; offsets are kept if all have them."""
    if len(pieces) == 1:
        return pieces[0]
    starts = [np.zeros(1, dtype=np.int64)]
    total = 0
    for piece in pieces:
        starts.append(np.asarray(piece.starts[1:]) + total)
        total += int(piece.starts[-1])
    return Sentences(
        np.concatenate([piece.tokens for piece in pieces]),
        np.concatenate(starts),
        np.concatenate([piece.space_before for piece in pieces]),
        _joined([piece.char_start for piece in pieces]),
        _joined([piece.char_end for piece in pieces]),
    )


def _joined(arrays: list[NDArray[np.int32] | None]) -> NDArray[np.int32] | None:
    known = [array for array in arrays if array is not None]
    return np.concatenate(known) if len(known) == len(arrays) else None
