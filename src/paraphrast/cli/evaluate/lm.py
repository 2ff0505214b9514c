"""`paraphrast evaluate lm`: how well a language model predicts a text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from paraphrast.cli._support.options import Format, OutputFormat, print_json

if TYPE_CHECKING:
    from paraphrast.lm import Perplexity
    from paraphrast.types import PackedNgrams, Vocabulary


def lm(
    model: Annotated[
        str,
        typer.Argument(
            help="Language model: an ARPA file, a folder of `paraphrast lm`, a model folder, or a KenLM binary."
        ),
    ],
    text: Annotated[
        str,
        typer.Argument(
            help="Text with one sentence per line and tokens separated by white space. - reads standard input."
        ),
    ],
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            help="The text is not tokenised. Tokenise and truecase it like the text of the model folder.",
        ),
    ] = False,
    format: OutputFormat = Format.text,
) -> None:
    """Measure the perplexity of a text, with and without unknown words.

    Also prints bits per word. Sentence ends count as words.
    """
    result = measure(model, text, raw=raw)
    if format is Format.json:
        print_json({"model": model, "text": text, **result.to_dict()})
        return
    typer.echo(f"sentences                   {result.sentences:,}")
    typer.echo(f"words and sentence ends     {result.tokens:,}")
    typer.echo(f"unknown words               {result.unknown:,} ({result.unknown / result.tokens:.2%})")
    typer.echo(f"perplexity with unknown     {result.with_unknown:.2f}")
    typer.echo(f"perplexity without unknown  {result.without_unknown:.2f}")
    typer.echo(f"bits per word               {result.bits:.4f}")


def measure(model: str, text: str, *, raw: bool = False) -> Perplexity:
    """The figures, by what kind of model it is."""
    from paraphrast.errors import InputError
    from paraphrast.formats.files import read_lines
    from paraphrast.lm import perplexity, read_text
    from paraphrast.lm.kenlm import KenlmModel, is_binary

    path = Path(model)
    is_model = (path / "manifest.json").exists()
    if raw and not is_model:
        raise InputError(
            "--raw: expected a model folder, which says how to tokenise text",
            where=model,
            remedy="remove --raw, and tokenise the text like the text of the model",
        )
    if is_binary(path):
        return KenlmModel(path).perplexity(read_lines(text))
    vocabulary, arrays = _load(path, is_model=is_model)
    if raw:
        return _raw(path, vocabulary, arrays, text)
    _, sentences = read_text(text, vocabulary)
    return perplexity(arrays, sentences)


def _load(path: Path, *, is_model: bool) -> tuple[Vocabulary, PackedNgrams]:
    import numpy as np

    from paraphrast.errors import ModelError
    from paraphrast.formats.arpa import read_arpa
    from paraphrast.lm import load, load_words, pack
    from paraphrast.types import Vocabulary

    if is_model:
        from paraphrast.model.folder import model_vocabulary, read_manifest

        read_manifest(path)
        arrays = load(path / "lm")
        vocabulary = model_vocabulary(path)
    elif path.is_dir():
        arrays = load(path)
        words = load_words(path)
        vocabulary = Vocabulary(words, np.zeros(len(words), dtype=np.int64))
    else:
        vocabulary, unpacked = read_arpa(path)
        return vocabulary, pack(unpacked)
    if len(vocabulary) != int(arrays.order_start[1]):
        raise ModelError(
            f"expected {int(arrays.order_start[1])} words, as the language model has, got {len(vocabulary)}",
            where=path,
            remedy="build it again",
        )
    return vocabulary, arrays


def _raw(path: Path, vocabulary: Vocabulary, arrays: PackedNgrams, text: str) -> Perplexity:
    """Encode running text as the model's was, then give its words the model's ids."""
    import numpy as np

    from paraphrast.formats.files import read_lines
    from paraphrast.lm import perplexity
    from paraphrast.model.folder import read_manifest
    from paraphrast.text import encode, get_language
    from paraphrast.text.truecase import Truecaser
    from paraphrast.types import UNKNOWN, Sentences

    language = get_language(str(read_manifest(path)["language"]))
    encoded = encode(list(read_lines(text)), language)
    own, (sentences,) = Truecaser.load(path / "casing.tsv").apply_all([encoded])
    ids = np.array([vocabulary.ids.get(word, UNKNOWN) for word in own.words], dtype=np.int32)
    return perplexity(arrays, Sentences(ids[sentences.tokens], sentences.starts, sentences.space_before))
