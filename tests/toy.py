"""A small bitext of our own: an English grammar with synonyms, and two made-up translations of it.

Synonyms share a translation, as they do in real bitext, so pivoting finds them again; each of the two "foreign"
languages merges a different part of them, so languages can agree or not.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from paraphrast.model.folder import MANIFEST, write_manifest

NOUNS = {
    "proposal": ("vorschlag", "projet"),
    "plan": ("vorschlag", "projet"),
    "report": ("bericht", "rapport"),
    "law": ("gesetz", "loi"),
    "act": ("gesetz", "loi"),
    "problem": ("problem", "souci"),
    "difficulty": ("problem", "souci"),
    "house": ("haus", "maison"),
    "home": ("haus", "foyer"),
    "answer": ("antwort", "reponse"),
    "reply": ("antwort", "reponse"),
    "apple": ("apfel", "pomme"),
    "fruit": ("apfel", "pomme"),
}
PEOPLE = {
    "committee": ("ausschuss", "comite"),
    "commission": ("ausschuss", "commission"),
    "council": ("rat", "conseil"),
    "minister": ("minister", "ministre"),
    "secretary": ("minister", "ministre"),
    "teacher": ("lehrer", "maitre"),
}
VERBS = {
    "examine": ("pruefen", "examiner"),
    "look at": ("pruefen", "examiner"),
    "study": ("pruefen", "etudier"),
    "discuss": ("besprechen", "discuter"),
    "talk about": ("besprechen", "discuter"),
    "reject": ("ablehnen", "rejeter"),
    "turn down": ("ablehnen", "rejeter"),
    "accept": ("annehmen", "accepter"),
    "approve": ("annehmen", "accepter"),
}
ADJECTIVES = {
    "important": ("wichtig", "important"),
    "significant": ("wichtig", "important"),
    "big": ("gross", "grand"),
    "large": ("gross", "grand"),
    "new": ("neu", "nouveau"),
    "old": ("alt", "vieux"),
}
TIMES = {
    "tomorrow": ("morgen", "demain"),
    "today": ("heute", "aujourdhui"),
    "at once": ("sofort", "aussitot"),
    "immediately": ("sofort", "aussitot"),
    "in 1999": ("1999", "en 1999"),
    "in 2003": ("2003", "en 2003"),
}
MODALS = {"will": ("wird", "va"), "must": ("muss", "doit"), "can not": ("kann nicht", "ne peut")}


def rows(count: int, seed: int = 1) -> list[tuple[str, str, str]]:
    """``count`` sentences as (English, first foreign language, second)."""
    rng = random.Random(seed)
    result = []
    for _ in range(count):
        person, modal, verb, adjective, noun, when = (
            rng.choice(list(table)) for table in (PEOPLE, MODALS, VERBS, ADJECTIVES, NOUNS, TIMES)
        )
        article = "an" if adjective[0] in "aeiou" else "a"
        english = f"The {person} {modal} {verb} {article} {adjective} {noun} {when}."
        foreign = []
        for side in (0, 1):
            words = [
                table[key][side]
                for table, key in (
                    (PEOPLE, person),
                    (MODALS, modal),
                    (VERBS, verb),
                    (ADJECTIVES, adjective),
                    (NOUNS, noun),
                    (TIMES, when),
                )
            ]
            the, a = ("der", "ein") if side == 0 else ("le", "un")
            foreign.append(f"{the} {words[0]} {words[1]} {words[2]} {a} {words[3]} {words[4]} {words[5]} .")
        result.append((english, foreign[0], foreign[1]))
    return result


def write_config(folder: Path, count: int = 1500, *, seed: int = 1, extra: str = "") -> Path:
    """A bitext, a tagged text, antonyms and the configuration that trains on them; its path."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["\t".join(row) for row in rows(count, seed)]
    (folder / "bitext.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "tagged.txt").write_text(_tagged(), encoding="utf-8")
    (folder / "antonyms.tsv").write_text("accept\treject\nold\tnew\nbig\tsmall\n", encoding="utf-8")
    config = folder / "config.toml"
    config.write_text(
        'language = "en"\n'
        "[[bitext]]\n"
        'path = "bitext.tsv"\n'
        'columns = ["en", "de", "fr"]\n'
        'licence = "ours"\n'
        '[tagger]\npath = "tagged.txt"\n'
        '[antonyms]\npath = "antonyms.tsv"\n'
        "[lm]\norder = 3\n" + extra,
        encoding="utf-8",
    )
    return config


def _tagged() -> str:
    """Tagged sentences of the same grammar, in Brown's manner."""
    lines = []
    for english, _, _ in rows(300, seed=7):
        tags = []
        for word in english.removesuffix(".").split():
            tags.append(f"{word}/{_brown(word.lower())}")
        lines.append(" ".join([*tags, "./."]))
    return "\n".join(lines) + "\n"


def _brown(word: str) -> str:
    if word in ("the", "a", "an"):
        return "AT"
    if word in NOUNS or word in PEOPLE:
        return "NN"
    if word in ADJECTIVES:
        return "JJ"
    if word in ("will", "must", "can"):
        return "MD"
    if word == "not":
        return "*"
    if word.isdigit():
        return "CD"
    if word in ("at", "in", "about", "down"):
        return "IN"
    if word in ("tomorrow", "today"):
        return "NR"
    if word in ("once", "immediately"):
        return "RB"
    return "VB"


def seal(model: Path) -> Path:
    """Write the hashes of a changed model into its manifest, so that it is loaded."""
    content = json.loads((model / MANIFEST).read_text(encoding="utf-8"))
    write_manifest(model, {key: value for key, value in content.items() if key != "files"})
    return model
