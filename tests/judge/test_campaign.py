"""Campaigns repeat by seed, hide the systems, and judge what systems share once."""

from __future__ import annotations

import pytest

from paraphrast.errors import InputError
from paraphrast.formats.outputs import SystemOutput
from paraphrast.judge.campaign import new_campaign
from paraphrast.judge.options import CampaignOptions


def outputs(inputs: int = 8) -> list[SystemOutput]:
    rows = []
    for number in range(inputs):
        source = f"input {number}"
        genre = "news" if number % 2 else "novel"
        for rank in (1, 2):
            rows.append(SystemOutput(source, f"ours {number} {rank}", "ours", rank, genre))
        rows.append(SystemOutput(source, f"theirs {number}", "theirs", 1, genre))
        rows.append(SystemOutput(source, f"ours {number} 1", "third", 1, genre))
    return rows


def test_the_same_seed_gives_the_same_campaign_and_another_another() -> None:
    first = new_campaign(outputs())
    assert new_campaign(outputs()) == first
    other = new_campaign(outputs(), CampaignOptions(seed=2))
    assert [item.after for item in other.items] != [item.after for item in first.items]
    assert {item.item for item in other.items}.isdisjoint({item.item for item in first.items})


def test_an_output_that_two_systems_share_is_one_item() -> None:
    campaign = new_campaign(outputs())
    assert len(campaign.items) == 16
    assert len(campaign.key) == 24
    makers: dict[str, set[str]] = {}
    for seal in campaign.key:
        makers.setdefault(seal.item, set()).add(seal.system)
    after = {item.item: item.after for item in campaign.items}
    assert all((makers[name] == {"ours", "third"}) == text.startswith("ours") for name, text in after.items())


def test_items_tell_nothing_of_systems() -> None:
    campaign = new_campaign(outputs())
    for item in campaign.items:
        assert set(item.__slots__) == {"item", "template", "before", "after", "context"}
    # Shuffled: not in the order of the files, nor of the ids.
    assert [item.before for item in campaign.items] != sorted(item.before for item in campaign.items)
    assert [seal.item for seal in campaign.key] == sorted(seal.item for seal in campaign.key)


def test_sampling_takes_inputs_and_all_systems_on_them() -> None:
    campaign = new_campaign(outputs(), CampaignOptions(inputs=3, ranks=2))
    sources = {item.before for item in campaign.items}
    assert len(sources) == 3
    assert len(campaign.items) == 9
    even = new_campaign(outputs(), CampaignOptions(inputs=5, per_genre=True))
    genres = [seal.genre for seal in even.key if seal.system == "theirs"]
    assert sorted(genres) == ["news"] * 3 + ["novel"] * 2


def test_verbatim_outputs_are_judged_only_if_asked() -> None:
    rows = [SystemOutput("a", "a", "x"), SystemOutput("b", "c", "x")]
    assert len(new_campaign(rows).items) == 1
    assert len(new_campaign(rows, CampaignOptions(verbatim=True)).items) == 2
    with pytest.raises(InputError, match="nothing to judge"):
        new_campaign(rows[:1])


def test_faults_are_told() -> None:
    with pytest.raises(InputError, match="got none"):
        new_campaign([])
    with pytest.raises(InputError, match="name its system"):
        new_campaign([SystemOutput("a", "b")])
    with pytest.raises(InputError, match="unknown template"):
        CampaignOptions(template="taste")
    with pytest.raises(InputError, match="ranks: expected a whole number from 1"):
        CampaignOptions(ranks=0)
