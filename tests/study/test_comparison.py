"""Systems that rewrite the same sentences for a campaign."""

from __future__ import annotations

from pathlib import Path

import pytest

from paraphrast.cli import run
from paraphrast.errors import InputError
from paraphrast.formats.ratings import read_items, read_key
from paraphrast.judge.options import CampaignOptions
from paraphrast.model.control import Control
from paraphrast.study.comparison import compare, read_system
from paraphrast.types import Paraphrase

SENTENCES = [
    "The committee must examine the important proposal.",
    "He began to speak.",
    "Please tell me how to get to the station.",
    "",
    "He began to speak.",
    "Why?",
]


def test_a_system_is_a_name_a_model_and_options() -> None:
    system = read_system(
        "bold=default,strength=0.8,tables=pivot+wordnet,precise=false,max-edits=2,preset=quirk"
    )
    assert (system.name, system.model) == ("bold", "default")
    control = system.control
    assert (control.strength, control.tables, control.max_edits) == (0.8, ("pivot", "wordnet"), 2)
    assert (control.precise, control.preset) == (False, "quirk")
    assert read_system("plain=registry").control.strength == 0.5


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("default", "expected NAME=MODEL"),
        ("a=", "expected NAME=MODEL"),
        ("a=default,strength", "expected OPTION=VALUE, got 'strength'"),
        ("a=default,n=3", "expected OPTION=VALUE, got 'n=3'"),
        ("a=default,strength=much", "strength: expected a number from 0 to 1, got 'much'"),
        ("a=default,strength=2", "strength: expected a number from 0 to 1, got 2"),
        ("a=default,precise=yes", "precise: expected true or false"),
    ],
)
def test_what_is_no_system_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_system(text)


class Shouting:
    """A model that appends exclamation marks, and has no answer to a question."""

    signature = "shouting"

    def paraphrase_many(self, texts: list[str], control: Control) -> list[list[Paraphrase]]:
        marks = 1 if control.strength < 0.5 else 3
        return [
            [Paraphrase(text, text + "!" * (marks + rank), 0.0, ()) for rank in range(control.n)]
            if "?" not in text
            else []
            for text in texts
        ]


def test_systems_rewrite_the_same_sentences(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paraphrast.model.load", lambda _: Shouting())
    systems = [read_system("careful=default,strength=0.2"), read_system("bold=default,strength=1")]
    compared = compare(systems, SENTENCES, CampaignOptions(ranks=2))
    assert compared.sentences == 3
    assert {output.source for output in compared.outputs} == {
        text for text in SENTENCES if text and "?" not in text
    }
    assert compared.answered("bold") == compared.answered("careful") == 3
    assert max(output.rank for output in compared.outputs) == 2
    assert compared.recipes == {"careful": "shouting|strength=0.2", "bold": "shouting|strength=1"}
    sampled = compare(systems, SENTENCES, CampaignOptions(inputs=2, seed=4))
    assert sampled.sentences == len({output.source for output in sampled.outputs}) == 2
    with pytest.raises(InputError, match="different name"):
        compare([systems[0], systems[0]], SENTENCES, CampaignOptions())
    with pytest.raises(InputError, match="at least one sentence"):
        compare(systems, ["", " "], CampaignOptions())


def test_a_campaign_from_a_comparison(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("sqlalchemy")
    from paraphrast.campaign.database import Database
    from paraphrast.campaign.state import find_campaign, load_state

    source = tmp_path / "sentences.txt"
    source.write_text(f"{SENTENCES[1]}\n\nWe must begin.\n", encoding="utf-8")
    human = tmp_path / "human.tsv"
    human.write_text(f"{SENTENCES[1]}\tHe started talking.\n", encoding="utf-8")
    systems = ["--system", "careful=default,strength=0.2", "--system", "bold=default,strength=1"]
    files = ["-o", str(tmp_path / "items"), "--key", str(tmp_path / "key")]
    opened = ["--database", str(tmp_path / "ratings.db"), "--rater", "anna"]
    command = ["judge", "new", f"human={human}", "--sentences", str(source), *systems, *files, *opened]
    assert run(command) == 0
    captured = capsys.readouterr()
    assert "bold: 2 of 2 sentences" in captured.err
    assert captured.out.count("/campaigns/open/") == 2
    assert {seal.system for seal in read_key(tmp_path / "key")} == {"human", "careful", "bold"}
    assert "bold" not in (tmp_path / "items").read_text(encoding="utf-8")
    assert len(read_items(tmp_path / "items")) >= 3
    with Database(str(tmp_path / "ratings.db")) as database, database.read() as connection:
        state = load_state(connection, find_campaign(connection, "ratings"))
    recipes = {seal.system: more.get("recipe", "") for seal, more in zip(state.key, state.more, strict=True)}
    assert recipes["human"] == ""
    assert recipes["bold"].endswith("|strength=1")


def test_sentences_need_systems(tmp_path: Path) -> None:
    files = ["-o", str(tmp_path / "items"), "--key", str(tmp_path / "key")]
    assert run(["judge", "new", *files]) == 2
    assert run(["judge", "new", "--system", "a=default", *files]) == 2
