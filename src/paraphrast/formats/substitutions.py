"""Gold standards for substitutions in context: which words can replace a target in its sentence.

- **SWORDS**: one JSON object with ``contexts``, ``targets``, ``substitutes`` and ``substitute_labels``. Every listed
  substitute has the votes of its judges, and a share of them must accept it. Other substitutes were not judged.
- **Lexical substitution** (SemEval-2007, CoInCo): gold lines ``word.pos id :: sub n;sub n;`` and contexts
  ``word.pos <tab> id <tab> place <tab> tokens``, with the position of the target from 0. Every substitute that an
  annotator gave is right, all others are wrong.
- **Labelled substitutes**, our format: JSONL of ``sentence``, ``start``, ``end``, ``before``, ``after``, ``correct``
  (true, false, or null if not labelled yet); offsets count code points.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paraphrast.errors import At, FormatError, InputError
from paraphrast.formats.files import BAD_LINE, open_bytes, open_text
from paraphrast.formats.json_text import parse_json
from paraphrast.formats.jsonl import read_records, text_field, whole_field, write_records

_GOLD = re.compile(r"(\S.*?)\s+(\S+)\s+::\s*(.*)")
#: The label that counts as accepting. UNSURE does not.
_ACCEPTS = ("TRUE", "TRUE_IMPLICIT")


@dataclass(frozen=True)
class Target:
    """A span of a context and the judgements of its substitutes.

    start, end: code points of ``context``. accepted: substitute → share of its judges that accept it.
    closed: unlisted substitutes are wrong; otherwise they were not judged. lemmas: substitutes are lemmas.
    """

    id: str
    context: str
    start: int
    end: int
    accepted: Mapping[str, float]
    lemma: str = ""
    pos: str = ""
    closed: bool = False
    lemmas: bool = False

    @property
    def word(self) -> str:
        """The target as written in the context."""
        return self.context[self.start : self.end]


@dataclass(frozen=True, slots=True)
class Labelled:
    """One substitute in a sentence; ``correct`` is None if not labelled."""

    sentence: str
    start: int
    end: int
    before: str
    after: str
    correct: bool | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "sentence": self.sentence,
            "start": self.start,
            "end": self.end,
            "before": self.before,
            "after": self.after,
            "correct": self.correct,
        }


def read_targets(path: str | Path, contexts: str | Path | None = None) -> list[Target]:
    """Read any of the three formats, recognised by content: JSON with ``contexts``, our JSONL, or gold lines with their
    contexts in a second file."""
    if contexts is not None:
        return read_lexical_substitution(path, contexts)
    with open_text(path) as reader:
        first = next((line for line in reader if line.strip()), "")
    if not first.lstrip().startswith("{"):
        raise InputError(
            "expected JSON, or gold lines with their contexts in a second file",
            where=path,
            remedy="evaluate substitutions GOLD --contexts CONTEXTS",
        )
    try:
        ours = "sentence" in parse_json(first)
    except ValueError:
        ours = False
    return targets_of(read_labelled(path)) if ours else read_swords(path)


def read_swords(path: str | Path) -> list[Target]:
    """Read the format of SWORDS, plain or compressed. Targets are in the order of the file."""
    with open_bytes(path) as stream:
        try:
            data = parse_json(stream.read())
        except ValueError as error:
            raise FormatError(f"expected JSON: {error}", where=path) from error
    try:
        accepted: dict[str, dict[str, float]] = {target: {} for target in data["targets"]}
        for name, substitute in data["substitutes"].items():
            votes = data["substitute_labels"][name]
            share = sum(vote in _ACCEPTS for vote in votes) / len(votes)
            listed = accepted[substitute["target_id"]]
            text = substitute["substitute"]
            listed[text] = max(share, listed.get(text, 0.0))
        lemmas = bool(data.get("substitutes_lemmatized", False))
        targets = []
        for name, target in data["targets"].items():
            context = data["contexts"][target["context_id"]]["context"]
            start, end = target["offset"], target["offset"] + len(target["target"])
            if context[start:end] != target["target"]:
                raise FormatError(
                    f"target {name}: expected {target['target']!r} at {start}, got {context[start:end]!r}",
                    where=path,
                )
            lemma = str(target.get("extra", {}).get("coinco_lemma", ""))
            targets.append(
                Target(
                    name,
                    context,
                    start,
                    end,
                    accepted[name],
                    lemma,
                    str(target.get("pos", "")),
                    lemmas=lemmas,
                )
            )
    except (KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise FormatError(
            f"expected contexts, targets, substitutes and their labels: {error!r}", where=path
        ) from error
    return targets


def read_lexical_substitution(gold: str | Path, contexts: str | Path) -> list[Target]:
    """Read gold lines and contexts. Targets are in the order of the contexts; those without gold are left out."""
    gold_substitutes: dict[tuple[str, str], dict[str, float]] = {}
    with open_text(gold, mark_bad=True) as reader:
        for line in reader:
            # Published files have a few lines with invalid UTF-8: such a target has no gold.
            if not line.strip() or line == BAD_LINE:
                continue
            match = _GOLD.fullmatch(line.strip())
            if not match:
                raise FormatError("expected word.pos id :: sub n;sub n;", where=At(reader.name, reader.line))
            where = At(reader.name, reader.line)
            gold_substitutes[match[1], match[2]] = dict(_counted(match[3], where))
    targets = []
    with open_text(contexts) as reader:
        for line in reader:
            if not line.strip():
                continue
            where = At(reader.name, reader.line)
            cells = line.split("\t")
            if len(cells) != 4 or not re.fullmatch("[0-9]{1,9}", cells[2]):
                raise FormatError("expected word.pos, id, position and tokens separated by tabs", where=where)
            name, number, tokens = cells[0], cells[1], cells[3].split(" ")
            place = int(cells[2])
            if place >= len(tokens):
                raise FormatError(f"expected a position below {len(tokens)}, got {place}", where=where)
            accepted = gold_substitutes.get((name, number))
            if not accepted:
                continue
            start = sum(len(token) + 1 for token in tokens[:place])
            lemma, _, pos = name.rpartition(".")
            targets.append(
                Target(
                    f"{name} {number}",
                    cells[3],
                    start,
                    start + len(tokens[place]),
                    accepted,
                    lemma,
                    pos,
                    closed=True,
                    lemmas=True,
                )
            )
    return targets


def _counted(text: str, where: At) -> Iterator[tuple[str, float]]:
    """``sub n;sub n;`` as substitutes, all of them accepted."""
    for part in text.split(";"):
        if part.strip():
            words, _, count = part.strip().rpartition(" ")
            if not words and count.isdigit():
                continue  # an annotator wrote a semicolon
            if not words or not count.isdigit():
                raise FormatError(f"expected a substitute and its count, got {part.strip()!r}", where=where)
            yield words, 1.0


def read_labelled(path: str | Path) -> list[Labelled]:
    """Read labelled substitutes, and check that each is at its position."""
    return [labelled_of(record, where) for where, record in read_records(path)]


def write_labelled(path: str | Path, rows: Iterable[Labelled]) -> int:
    """Write labelled or unlabelled substitutes. Returns their number."""
    return write_records(path, (row.to_dict() for row in rows))


def labelled_of(record: dict[str, Any], where: At) -> Labelled:
    """One record, checked."""
    sentence, before, after = (text_field(record, name, where) for name in ("sentence", "before", "after"))
    start, end = (whole_field(record, name, where) for name in ("start", "end"))
    correct = record.get("correct")
    if correct in (0, 1) and type(correct) is int:
        correct = bool(correct)
    if correct is not None and not isinstance(correct, bool):
        raise FormatError(f"expected true, false or null as 'correct', got {correct!r}", where=where)
    if not 0 <= start < end <= len(sentence) or sentence[start:end] != before:
        raise FormatError(
            f"expected {before!r} at {start}:{end} of the sentence, got {sentence[max(start, 0) : end]!r}",
            where=where,
        )
    return Labelled(sentence, start, end, before, after, correct)


def marked(row: Labelled) -> str:
    """The sentence with the replaced words in brackets."""
    return f"{row.sentence[: row.start]}[{row.before}]{row.sentence[row.end :]}"


def targets_of(rows: Iterable[Labelled]) -> list[Target]:
    """Labelled substitutes as targets, one per span, in order of first appearance.

    A substitute labelled by several people is accepted by their share. Unlabelled ones are left out, and a span with
    only those is a target without gold.
    """
    votes: dict[tuple[str, int, int], dict[str, list[bool]]] = {}
    for row in rows:
        row_votes = votes.setdefault((row.sentence, row.start, row.end), {}).setdefault(row.after, [])
        if row.correct is not None:
            row_votes.append(row.correct)
    return [
        Target(
            str(number),
            sentence,
            start,
            end,
            {after: sum(row_votes) / len(row_votes) for after, row_votes in listed.items() if row_votes},
        )
        for number, ((sentence, start, end), listed) in enumerate(votes.items(), 1)
    ]
