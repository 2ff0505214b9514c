"""The functions of ``import paraphrast`` that are not found in one room: a model is loaded, then used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Unpack, overload

if TYPE_CHECKING:
    from paraphrast.fusion.sentences import Fusion
    from paraphrast.model.control import ControlOptions
    from paraphrast.model.paraphraser import Paraphraser
    from paraphrast.types import Paraphrase


@overload
def paraphrase(  # type: ignore[overload-overlap]  # a text is also an iterable of texts
    text: str, model: Paraphraser | str | Path = "default", **options: Unpack[ControlOptions]
) -> list[Paraphrase]: ...


@overload
def paraphrase(
    text: Iterable[str], model: Paraphraser | str | Path = "default", **options: Unpack[ControlOptions]
) -> Iterator[list[Paraphrase]]: ...


def paraphrase(
    text: str | Iterable[str],
    model: Paraphraser | str | Path = "default",
    **options: Unpack[ControlOptions],
) -> list[Paraphrase] | Iterator[list[Paraphrase]]:
    """The best paraphrases of a text, best first; for several texts, an iterator that reads them as it goes.

    model: ``"default"``, a model folder, a packed model, or a loaded model. It is loaded once.
    options: the fields of :class:`Control`, such as ``n=5`` or ``strength=0.8``.
    """
    from paraphrast.model.paraphraser import Paraphraser

    loaded = model if isinstance(model, Paraphraser) else _loaded(str(model))
    if isinstance(text, str):
        return loaded.paraphrase(text, **options)
    return loaded.paraphrase_many(text, **options)


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
        default model if it was built, else a small model of the sentences.
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
