"""Word alignment of text, from lines to links, for ``paraphrast align`` and ``paraphrast.align_words``."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from paraphrast.align import ALIGNERS, Aligner, AlignJob, AlignMethod, AlignOptions, run_method
from paraphrast.align.base import Progress
from paraphrast.align.method import Model
from paraphrast.build import monolingual
from paraphrast.build.monolingual import SAVED, MonolingualModel, align_monolingual, check_place
from paraphrast.build.sides import Side
from paraphrast.errors import InputError, ModelError
from paraphrast.formats.files import atomic_folder
from paraphrast.types import Links, Sentences

#: One side of a bitext: lines of text, or lists of tokens.
Texts = Sequence[str] | Sequence[Sequence[str]]


@dataclass(frozen=True)
class AlignModel:
    """A trained aligner with the encoders of both sides."""

    method: str
    source: Side
    target: Side
    model: Model

    def align(self, source: Texts, target: Texts, *, threads: int = 1) -> Links:
        """Links of other text. A pair seen in training gets the same links as in training."""
        return self.model.align(
            _encode(self.source, source, threads), _encode(self.target, target, threads), threads=threads
        )

    @property
    def pretokenized(self) -> bool:
        """Whether its text consists of tokens separated by white space."""
        return self.source.truecaser is None

    def with_options(self, options: AlignOptions) -> AlignModel:
        """The same model with the symmetrisation and posteriors of ``options``. Training options do not change."""
        model = self.model
        if isinstance(model, Aligner):
            new_options = replace(model.options, symmetrise=options.symmetrise, posteriors=options.posteriors)
            model = replace(model, options=new_options)
        return replace(self, model=model)

    def save(self, folder: str | Path) -> None:
        """Write a folder, completely or not at all. An earlier alignment model there is replaced."""
        place = check_place(folder)
        with atomic_folder(place, checked=True) as temporary:
            self.source.save(temporary / "source")
            self.target.save(temporary / "target")
            self.model.save(temporary / "aligner")
            SAVED.write(temporary, method=self.method)

    @classmethod
    def load(cls, folder: str | Path) -> AlignModel:
        """Read a folder written by :meth:`save`."""
        place = Path(folder)
        info = SAVED.read(place)
        name = str(info.get("method"))
        if name == monolingual.METHOD:
            raise ModelError(
                "this model aligns one language, not two", where=place, remedy="load it with load_model"
            )
        if name not in ALIGNERS:
            raise ModelError(
                f"its method {name!r} is not known here",
                where=place / SAVED.file,
                remedy="install its plug-in",
            )
        method: AlignMethod = ALIGNERS.get(name)()
        return cls(
            name,
            Side.load(place / "source"),
            Side.load(place / "target"),
            method.load(place / "aligner"),
        )


def load_model(folder: str | Path) -> AlignModel | MonolingualModel:
    """A model saved by ``paraphrast align --save``, for two languages or for one."""
    method = SAVED.read(Path(folder)).get("method")
    return MonolingualModel.load(folder) if method == monolingual.METHOD else AlignModel.load(folder)


def align_text(
    source: Texts,
    target: Texts,
    *,
    source_language: str = "en",
    target_language: str = "xx",
    pretokenized: bool = False,
    method: str = "hmm",
    options: AlignOptions | None = None,
    identity_lexicon: bool = False,
    links: Links | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> tuple[Links, AlignModel | None]:
    """Train on the sentence pairs and align them. Returns the links, and the model if the method has one.

    source, target: lines of text, or lists of tokens, which are lower-cased but not tokenised further.
    links: for the method ``links``.
    """
    _check_sides(source, target)
    if method not in ALIGNERS:
        ALIGNERS.get(method)
    (first, source_sentences), (second, target_sentences) = (
        _learn(side, language, pretokenized, threads)
        for side, language in ((source, source_language), (target, target_language))
    )
    job = AlignJob(
        source_sentences,
        target_sentences,
        first.vocabulary,
        second.vocabulary,
        options or AlignOptions(),
        threads,
        progress,
        links,
    )
    aligned = run_method(method, job, identity_lexicon=identity_lexicon)
    model = None if aligned.model is None else AlignModel(method, first, second, aligned.model)
    return aligned.links, model


def align_words(
    source: Texts,
    target: Texts,
    *,
    source_language: str = "en",
    target_language: str = "xx",
    pretokenized: bool = False,
    method: str = "hmm",
    symmetrise: str | None = None,
    options: AlignOptions | None = None,
    identity_lexicon: bool = False,
    one_language: bool = False,
    context: bool | None = None,
    model: str | Path | None = None,
    threads: int = 0,
    progress: Progress | None = None,
) -> list[list[tuple[int, int]]]:
    """Align words: for every sentence pair the links ``(source position, target position)``, from 0.

    source, target: two lists of lines, or two lists of lists of tokens, one entry per sentence pair.
    one_language: both sides are in ``source_language``; the monolingual model aligns them. context: as in
        :func:`~paraphrast.build.monolingual.align_monolingual`.
    model: a folder written by ``paraphrast align --save``, used instead of training; of the other arguments only
        ``symmetrise`` and ``threads`` then have an effect.
    threads: 0 uses all cores. Does not change links.
    """
    if type(threads) is not int or threads < 0:
        raise InputError(f"threads: expected a whole number from 0, got {threads!r}")
    threads = threads or os.cpu_count() or 1
    if context and (model is not None or not one_language):
        raise InputError(
            "context requires one_language, and cannot be combined with model",
            remedy="a saved model already knows whether it uses context",
        )
    if model is not None:
        _check_sides(source, target)
        saved_model = load_model(model)
        if symmetrise is not None and isinstance(saved_model, AlignModel):
            saved_model = saved_model.with_options(AlignOptions(symmetrise=symmetrise))
        links = saved_model.align(source, target, threads=threads)
    elif one_language:
        _check_sides(source, target)
        links, _ = align_monolingual(
            source,
            target,
            language=source_language,
            pretokenized=pretokenized,
            context=context,
            threads=threads,
            progress=progress,
        )
    else:
        align_options = options or AlignOptions()
        links, _ = align_text(
            source,
            target,
            source_language=source_language,
            target_language=target_language,
            pretokenized=pretokenized,
            method=method,
            options=align_options if symmetrise is None else replace(align_options, symmetrise=symmetrise),
            identity_lexicon=identity_lexicon,
            threads=threads,
            progress=progress,
        )
    return [links.pair(index) for index in range(len(links))]


def _check_sides(source: Texts, target: Texts) -> None:
    for side in (source, target):
        if isinstance(side, str):
            raise InputError(
                "expected a list of sentences per side, got one string", remedy="pass [sentence]"
            )
        if not isinstance(side, Sequence):
            raise InputError(f"expected a list of sentences per side, got {type(side).__name__}")
        for entry in side:
            tokens = () if isinstance(entry, str) else entry
            if isinstance(tokens, bytes) or not isinstance(tokens, Sequence):
                raise InputError(f"expected lines of text or lists of tokens, got {type(entry).__name__}")
            for token in tokens:
                if not isinstance(token, str):
                    raise InputError(
                        f"expected lines of text or lists of tokens, got a token of {type(token).__name__}"
                    )
    if len(source) != len(target):
        raise InputError(
            f"expected as many source as target sentences, got {len(source)} and {len(target)}",
            remedy="each entry must be the counterpart of the same entry on the other side",
        )


def _learn(side: Texts, language: str, pretokenized: bool, threads: int) -> tuple[Side, Sentences]:
    if _has_tokens(side):
        return Side.learn_tokens(side, language)
    return Side.learn(cast("Sequence[str]", side), language, pretokenized=pretokenized, threads=threads)


def _encode(side: Side, given: Texts, threads: int) -> Sentences:
    if not _has_tokens(given):
        return side.encode(cast("Sequence[str]", given), threads=threads)
    if side.truecaser is not None:
        raise InputError(
            "this model was trained on running text, and its tokens are not these lists",
            remedy="give lines of text, or train it on lists of tokens",
        )
    return side.encode_tokens(given)


def _has_tokens(side: Texts) -> bool:
    kinds = {isinstance(entry, str) for entry in side}
    if len(kinds) > 1:
        raise InputError("expected lines of text or lists of tokens, got both on one side")
    return kinds == {False}
