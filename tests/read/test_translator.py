from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from paraphrast.errors import FormatError, InputError
from paraphrast.formats.torch_weights import read_torch_weights
from paraphrast.read.translator import Translator, alike, plain, quoted_like
from tiny_models import HEADS, LAYERS, SENTENCES, SIZE, write_marian

PAIRS = [(SENTENCES[0], SENTENCES[4]), (SENTENCES[1], SENTENCES[5]), (SENTENCES[0], SENTENCES[7])]


def plain_log_probs(folder: Path, source: list[int], target: list[int]) -> list[float]:
    """The log-probability of each target id by a plain float64 transformer (Vaswani et al. 2017)."""
    get = {
        name: value.astype(float) for name, value in read_torch_weights(folder / "pytorch_model.bin").items()
    }
    table = get["model.shared.weight"][:-1]

    def normal(states: np.ndarray, name: str) -> np.ndarray:
        centred = states - states.mean(-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return centred / spread * get[f"{name}.weight"] + get[f"{name}.bias"]

    def linear(states: np.ndarray, name: str) -> np.ndarray:
        return states @ get[f"{name}.weight"].T + get[f"{name}.bias"]

    def attend(states: np.ndarray, memory: np.ndarray, name: str, causal: bool) -> np.ndarray:
        parts = [
            linear(states, f"{name}.q_proj"),
            linear(memory, f"{name}.k_proj"),
            linear(memory, f"{name}.v_proj"),
        ]
        out = []
        for head in range(HEADS):
            q, k, v = (part[:, head * SIZE // HEADS : (head + 1) * SIZE // HEADS] for part in parts)
            weight = q @ k.T / math.sqrt(SIZE // HEADS)
            if causal:
                weight = np.where(np.tri(len(q), len(k), dtype=bool), weight, -np.inf)
            weight = np.exp(weight - weight.max(1, keepdims=True))
            out.append(weight / weight.sum(1, keepdims=True) @ v)
        return linear(np.concatenate(out, 1), f"{name}.out_proj")

    def embed(states: np.ndarray) -> np.ndarray:
        angle = np.arange(len(states))[:, None] / 10000 ** (2 * np.arange(SIZE // 2) / SIZE)
        return states * math.sqrt(SIZE) + np.concatenate([np.sin(angle), np.cos(angle)], 1)

    def stack(states: np.ndarray, side: str, memory: np.ndarray | None) -> np.ndarray:
        for number in range(LAYERS):
            base = f"model.{side}.layers.{number}"
            states = normal(
                states + attend(states, states, f"{base}.self_attn", memory is not None),
                f"{base}.self_attn_layer_norm",
            )
            if memory is not None:
                inner = attend(states, memory, f"{base}.encoder_attn", False)
                states = normal(states + inner, f"{base}.encoder_attn_layer_norm")
            inner = linear(states, f"{base}.fc1")
            inner = linear(inner / (1 + np.exp(-inner)), f"{base}.fc2")
            states = normal(states + inner, f"{base}.final_layer_norm")
        return states

    memory = stack(embed(table[source]), "encoder", None)
    shifted = np.concatenate([np.zeros((1, SIZE)), table[target[:-1]]])
    logits = stack(embed(shifted), "decoder", memory) @ table.T + get["final_logits_bias"].reshape(-1)[:-1]
    logits -= logits.max(1, keepdims=True)
    logits -= np.log(np.exp(logits).sum(1, keepdims=True))
    return [float(logits[place, token]) for place, token in enumerate(target)]


def test_scores_are_those_of_a_plain_transformer(marian: Path) -> None:
    ids = json.loads((marian / "vocab.json").read_text(encoding="utf-8"))
    translator = Translator(marian)
    for pair, scores in zip(PAIRS, translator.score(PAIRS), strict=True):
        source = [ids[piece] for piece in translator._pieces(translator._source, pair[0])]
        target = [ids[piece] for piece in (*scores.pieces, "</s>")]
        expected = plain_log_probs(marian, source, target)
        # 8-bit weights: near, not equal.
        np.testing.assert_allclose(scores.log_probs, expected, atol=0.6)
        assert np.corrcoef(scores.log_probs, expected)[0, 1] > 0.99
        assert scores.total == pytest.approx(sum(scores.log_probs))


def test_threads_and_batches_change_nothing(marian: Path) -> None:
    together = Translator(marian, threads=2)
    scores = together.score(PAIRS)
    translations = together.translate(SENTENCES, 3)
    for pair, expected in zip(PAIRS, scores, strict=True):
        assert Translator(marian).score([pair]) == [expected]
    for sentence, expected_translations in zip(SENTENCES, translations, strict=True):
        assert Translator(marian).translate([sentence], 3) == [expected_translations]


def test_answers_come_in_order_and_from_the_cache(marian: Path) -> None:
    translator = Translator(marian)
    first = translator.score(PAIRS)
    assert translator.score([PAIRS[2], PAIRS[0], PAIRS[2]]) == [first[2], first[0], first[2]]
    one, two = translator.translate([SENTENCES[0], SENTENCES[0]], 2)
    assert one is two
    assert translator.score([]) == []


def test_texts_translated_together_are_translated_alike(marian: Path) -> None:
    translator = Translator(marian)
    texts = [SENTENCES[0], SENTENCES[4], SENTENCES[0]]
    together = translator.translate_together(texts, 2)
    assert len(together) == 3
    assert together[0] == together[2]
    # In a batch the longest text sets how long a translation may be; this model never ends one.
    alone = translator.translate([SENTENCES[0]], 2)[0]
    assert together[0][0].text.startswith(alone[0].text)
    assert translator.translate_together([SENTENCES[0]], 2) == [alone]
    assert translator.translate_together(texts, 2) is together, "from the cache"
    assert translator.translate_together([], 2) == []


def test_other_groups_change_nothing(marian: Path) -> None:
    groups = [SENTENCES[:3], [SENTENCES[0]], SENTENCES[1:4], [], SENTENCES[:3], SENTENCES[2::-1]]
    together = Translator(marian, threads=2).translate_groups(groups, 3)
    for group, expected in zip(groups, together, strict=True):
        assert Translator(marian).translate_together(group, 3) == expected


def test_translations_differ_and_are_ranked(marian: Path) -> None:
    (translations,) = Translator(marian).translate([SENTENCES[3]], 4)
    texts = [translation.text for translation in translations]
    assert len(set(texts)) == len(texts) > 1
    scores = [translation.score for translation in translations]
    assert scores == sorted(scores, reverse=True)


def test_texts_that_cannot_be_read(marian: Path) -> None:
    translator = Translator(marian)
    for text in ("", " ", "word " * 600):
        assert not translator.readable(text)
        with pytest.raises(InputError, match="expected a sentence of 1 to"):
            translator.score([(text, "port")])
    with pytest.raises(InputError, match="at least 1 translation"):
        translator.translate(["port"], 0)


def test_folders_that_are_no_model(marian: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected a translation model"):
        Translator(tmp_path)
    (tmp_path / "model.bin").write_bytes(b"")
    with pytest.raises(InputError, match="cannot be opened"):
        Translator(tmp_path)


def test_a_model_without_an_array(marian: Path, tmp_path: Path) -> None:
    from tiny_models import marian_arrays
    from torch_files import tensors, write_chain

    for name in ("config.json", "vocab.json", "source.spm", "target.spm"):
        (tmp_path / name).write_bytes((marian / name).read_bytes())
    arrays = marian_arrays(len(json.loads((marian / "vocab.json").read_text(encoding="utf-8"))))
    del arrays["model.decoder.layers.1.fc2.weight"]
    write_chain(tmp_path / "pytorch_model.bin", *tensors(arrays))
    with pytest.raises(FormatError, match=r"fc2\.weight"):
        Translator(tmp_path)


def test_quotation_marks() -> None:
    assert plain("“It’s” — new…") == '"It\'s"  -  new...'
    assert quoted_like("It’s new", "It's old") == "It’s old"
    assert quoted_like("It's new", "It's old") == "It's old"


def test_texts_of_one_length_are_scored_together(marian: Path) -> None:
    translator = Translator(marian)
    words = [piece for piece in translator._target.encode(SENTENCES[1], out_type=str) if len(piece) > 1]
    pairs = [(SENTENCES[0], f"{SENTENCES[4]} {translator._target.decode([piece])}") for piece in words]
    lengths = {len(translator._pieces(translator._target, target)) for _, target in pairs}
    assert len(lengths) < len(set(pairs))
    together = translator.score(pairs)
    assert together == [Translator(marian).score([pair])[0] for pair in pairs]


def test_batches_of_one_length_translate_alike(marian: Path) -> None:
    texts = [*SENTENCES, SENTENCES[0]]
    batches = Translator(marian).translate_batches(texts, 2)
    assert batches == Translator(marian, threads=2).translate_batches(texts, 2)
    single = Translator(marian).translate(texts, 2)
    assert [[one.text for one in ways] for ways in batches] == [[one.text for one in ways] for ways in single]


def test_equal_keys_are_put_together() -> None:
    assert alike([3, 1, 3, 3], 2) == [[0, 2], [3], [1]]
    assert alike([]) == []


def test_each_side_keeps_the_pieces_it_can_give(tmp_path: Path) -> None:
    import io

    import sentencepiece

    from paraphrast.read.store import converted

    write_marian(tmp_path)
    model = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(SENTENCES[4:]),
        model_writer=model,
        vocab_size=40,
        minloglevel=2,
        hard_vocab_limit=False,
    )
    (tmp_path / "target.spm").write_bytes(model.getvalue())
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
    given = {processor.id_to_piece(number) for number in range(len(processor))}
    folder = converted(tmp_path, "translation")
    source, target = (
        set(json.loads((folder / f"{side}_vocabulary.json").read_text(encoding="utf-8")))
        for side in ("source", "target")
    )
    assert {"</s>", "<unk>"} < target < source
    assert target <= given | {"</s>", "<unk>"}


def test_the_beam_is_at_least_as_wide_as_the_list(marian: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    translator = Translator(marian)
    model, widths = translator._model, []

    class Watched:
        def translate_batch(self, *arguments: object, **options: int) -> object:
            widths.append(options["beam_size"])
            return model.translate_batch(*arguments, **options)

    monkeypatch.setattr(translator, "_model", Watched())
    for n, beam in ((1, 1), (1, 4), (6, 4), (1, 1)):
        translator.translate(SENTENCES[:1], n, beam=beam)
    assert widths == [1, 4, 6]
