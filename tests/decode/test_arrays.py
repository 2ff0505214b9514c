from __future__ import annotations

import json
import mmap

import numpy as np
import pytest

from paraphrast.decode import Decoder, DecoderArrays, pack
from paraphrast.decode import arrays as arrays_module
from paraphrast.errors import InputError, ModelError
from paraphrast.types import Orientation


def test_arrays_come_back_mapped_and_decode_the_same(lab, tmp_path):
    world = lab.world(1)
    folder = tmp_path / "decoder"
    world.arrays.save(folder)
    world.arrays.save(folder)  # over itself
    assert [path.name for path in tmp_path.iterdir()] == ["decoder"]
    loaded = DecoderArrays.load(folder)
    assert loaded.feature_names == world.arrays.feature_names
    assert loaded.table_names == world.arrays.table_names
    for name, before, after in zip(loaded.options._fields, world.arrays.options, loaded.options, strict=True):
        assert isinstance(after.base, np.memmap | mmap.mmap) or name == "swap"
        np.testing.assert_array_equal(before, after)
    batch = lab.batch([lab.sentence(seed, world, 6) for seed in range(20)])
    again = Decoder(loaded, world.model.arrays(), world.weights).decode(batch, lab.exact())
    assert again == world.decoder.decode(batch, lab.exact())


def test_an_empty_model_comes_back(lab, tmp_path):
    pack({}, lab.phrases([])).save(tmp_path / "decoder")
    assert len(DecoderArrays.load(tmp_path / "decoder")) == 0


def test_a_damaged_folder_is_refused(lab, tmp_path):
    with pytest.raises(ModelError):
        DecoderArrays.load(tmp_path / "nowhere")
    folder = tmp_path / "decoder"
    arrays = lab.world(1).arrays
    arrays.save(folder)
    np.save(folder / "veto.npy", np.zeros(3, np.uint8))
    with pytest.raises(ModelError, match="veto"):
        DecoderArrays.load(folder)
    arrays.save(folder)
    np.save(folder / "word.npy", arrays.options.word.astype(np.int64))
    with pytest.raises(ModelError, match="word"):
        DecoderArrays.load(folder)
    arrays.save(folder)
    np.save(folder / "target_words.npy", arrays.options.target_words[:-1])
    with pytest.raises(ModelError, match="fit"):
        DecoderArrays.load(folder)
    arrays.save(folder)
    names = json.loads((folder / "names.json").read_text())
    (folder / "names.json").write_text(json.dumps(names | {"format_version": 99}))
    with pytest.raises(ModelError, match="99"):
        DecoderArrays.load(folder)


@pytest.mark.parametrize("limit", [arrays_module.FULLY_CHECKED_BYTES, 0])
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("child_begin", 10**9),
        ("child_begin", 0),
        ("option_begin", 10**9),
        ("option_begin", -1),
        ("word_begin", 10**9),
        ("word_begin", -1),
        ("parent", 10**6),
        ("parent", -2),
        ("word", -5),
        ("target", -1),
        ("target_words", -1),
        ("log_prob", np.nan),
        ("features", np.inf),
    ],
)
def test_links_that_lead_outside_are_refused(lab, tmp_path, monkeypatch, name, value, limit):
    folder = tmp_path / "decoder"
    arrays = lab.world(1).arrays
    arrays.save(folder)
    monkeypatch.setattr(arrays_module, "FULLY_CHECKED_BYTES", limit)
    DecoderArrays.load(folder)
    damaged = getattr(arrays.options, name).copy()
    damaged[len(damaged) // 2] = value
    np.save(folder / f"{name}.npy", damaged)
    with pytest.raises(ModelError, match=name):
        DecoderArrays.load(folder)


def test_names_that_are_missing_are_told(lab, tmp_path):
    lab.world(1).arrays.save(tmp_path / "decoder")
    (tmp_path / "decoder" / "names.json").write_text('{"format_version": 1}')
    with pytest.raises(ModelError, match="names"):
        DecoderArrays.load(tmp_path / "decoder")


def test_tables_and_masks_name_each_other(lab):
    arrays = lab.world(1).arrays
    assert arrays.table_names == ("news", "pivot")
    assert arrays.table_mask(("pivot",)) == 2
    assert arrays.tables_of(3) == ("news", "pivot")
    with pytest.raises(InputError, match="nowhere"):
        arrays.table_mask(("nowhere",))


def test_odds_of_swaps_come_back_and_older_folders_have_none(lab, tmp_path):
    phrases = lab.phrases([(11,), (12, 13), (14,), (12,)])
    orientation = Orientation(
        lab.phrases([(11,), (12,), (12, 13), (15,)]),
        mono=np.array([-0.5, -0.25, -1.0, -2.0], dtype=np.float32),
        swap=np.array([-2.0, -1.0, -3.0, -4.0], dtype=np.float32),
        overall_mono=-0.5,
        overall_swap=-4.5,
    )
    tables = {"t": lab.table({(0, 2): (-1.0, 0.0), (1, 2): (-1.0, 0.0)})}
    arrays = pack(tables, phrases, orientation=orientation)
    arrays.save(tmp_path / "decoder")
    loaded = DecoderArrays.load(tmp_path / "decoder")
    assert loaded.swap_default == -4.0
    by_phrase = dict(zip(loaded.options.word.tolist(), loaded.options.swap.tolist(), strict=True))
    assert by_phrase[11] == -1.5
    assert by_phrase[12] == -0.75
    assert by_phrase[13] == -2.0
    assert np.isnan(loaded.options.swap[0])
    (tmp_path / "decoder" / "swap.npy").unlink()
    assert len(DecoderArrays.load(tmp_path / "decoder").options.swap) == 0
