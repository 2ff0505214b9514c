"""The functions of ``import paraphrast`` that are not found in one room: a model is loaded, then used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, overload

if TYPE_CHECKING:
    from paraphrast.fusion.sentences import Fusion
    from paraphrast.model.control import ControlOptions
    from paraphrast.model.paraphraser import Paraphraser
    from paraphrast.types import Paraphrase

T = TypeVar("T")


@overload
def paraphrase(  # type: ignore[overload-overlap]  # a text is also an iterable of texts
    text: str,
    model: Paraphraser | str | Path = "default",
    *,
    progress: bool = False,
    threads: int = 0,
    **options: Unpack[ControlOptions],
) -> list[Paraphrase]: ...


@overload
def paraphrase(
    text: Iterable[str],
    model: Paraphraser | str | Path = "default",
    *,
    progress: bool = False,
    threads: int = 0,
    **options: Unpack[ControlOptions],
) -> Iterator[list[Paraphrase]]: ...


def paraphrase(
    text: str | Iterable[str],
    model: Paraphraser | str | Path = "default",
    *,
    progress: bool = False,
    threads: int = 0,
    **options: Unpack[ControlOptions],
) -> list[Paraphrase] | Iterator[list[Paraphrase]]:
    """The best paraphrases of a text, best first; for several texts, an iterator that reads them as it goes.

    text: a text, or any iterable of texts: a list, a generator, a pandas column, a column of a data set.
    model: ``"default"``, a model folder, a packed model, or a loaded model. It is loaded once.
    progress: show a counter on standard error while several texts are rewritten; a bar, if their number is known.
    threads: number of threads; 0 uses all cores. It does not change results.
    options: the fields of :class:`Control`, such as ``n=5`` or ``strength=0.8``.
    """
    loaded = _model(model)
    if isinstance(text, str):
        return loaded.paraphrase(text, **options)
    results = loaded.paraphrase_many(text, threads=threads, **options)
    return _with_progress(results, _length(text)) if progress else results


def augment(
    texts: Iterable[str],
    labels: Iterable[Any] | None = None,
    *,
    per_text: int = 3,
    seed: int = 0,
    ids: Iterable[Any] | None = None,
    originals: bool = True,
    min_change: float = 0.0,
    max_change: float = 1.0,
    model: Paraphraser | str | Path = "default",
    progress: bool = False,
    threads: int = 0,
    **options: Any,
) -> dict[str, list[Any]]:
    """Texts with paraphrases of them, as training data: columns ``id``, ``text``, ``label``, ``source``, ``rank``.

    ``pandas.DataFrame(augment(...))`` and ``datasets.Dataset.from_dict(augment(...))`` take the columns as they are.
    A row has the id and the label of the text that it comes from. ``rank`` is 0 for an original, then 1, 2, … for its
    paraphrases. No paraphrase equals an original or another paraphrase. A text of which the model has fewer than
    ``per_text`` paraphrases gets fewer rows. The same seed gives the same rows.

    labels: one per text; without them there is no column ``label``.
    per_text: maximum number of paraphrases per text, drawn at random by their scores (``sample=False``: the best).
    ids: one per text; by default the number of the row, from 0.
    originals: also return the texts themselves.
    min_change, max_change: least and largest share of the words of a text that a paraphrase replaces.
    options: the fields of :class:`Control`, such as ``strength=0.8`` or ``max_edits=2``.
    """
    from paraphrast.model.augment import augmented

    return augmented(
        _model(model),
        texts,
        labels,
        per_text=per_text,
        seed=seed,
        ids=ids,
        originals=originals,
        min_change=min_change,
        max_change=max_change,
        threads=threads,
        watch=(lambda results: _with_progress(results, _length(texts))) if progress else iter,
        options=options,
    )


def _model(model: Paraphraser | str | Path) -> Paraphraser:
    from paraphrast.model.paraphraser import Paraphraser

    return model if isinstance(model, Paraphraser) else _loaded(str(model))


def _length(texts: object) -> int | None:
    return len(texts) if isinstance(texts, Sized) else None


def _with_progress(results: Iterator[T], total: int | None) -> Iterator[T]:
    """The results; how many there were is shown on standard error."""
    from paraphrast._progress import Tally

    with Tally("texts", shown=True) as tally:
        for done, result in enumerate(results, 1):
            yield result
            tally.reached(done, total)


@lru_cache(maxsize=2)
def _loaded(model: str) -> Paraphraser:
    from paraphrast.model import load

    return load(model)


def fuse(
    sentences: Sequence[str],
    n: int = 10,
    *,
    version: str = "auto",
    language: str = "en",
    method: str = "ranked",
    lm: str | Path | None = None,
    parser: str | Path | None = None,
    seed: int = 0,
    pretokenized: bool = False,
) -> Fusion:
    """New sentences from comparable ones (Shen et al. 2006). Each span of them names the sentences it came from.

    version: V1 to V5, or ``auto``: V4, and where it gives no new sentence that is well formed, V5, then V2. Syntactic
        versions need a parser; without one the lexical version with the same tokens is used (V3 for V4), and a warning
        says so.
    method: ``ranked`` (well-formed sentences by language model and agreement, without contradictions) or ``random``
        (as in the paper).
    lm: a model folder (``default``: the default model), a folder of ``paraphrast lm``, or an ARPA file; by default the
        default model if it is of this language, else a small model of the sentences.
    parser: a spaCy pipeline, by name or folder; by default any that is installed or was fetched.
    """
    from paraphrast.fusion.sentences import fuse

    return fuse(
        sentences,
        n,
        version=version,
        language=language,
        method=method,
        lm=lm,
        parser=parser,
        seed=seed,
        pretokenized=pretokenized,
    )
