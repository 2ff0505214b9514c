"""Forms of function words that depend on the next word: a/an, l', Spanish e and u, by the sound of the next word.

Spelling is used instead of sound, with lists of common exceptions.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

#: Written with a vowel, pronounced with a consonant ("you", "w").
_CONSONANT_SOUND = (
    "eu", "ewe", "ewer", "one", "once", "oneself", "ouija", "u", "ubiquit", "uganda", "ukrain", "ukulele",
    "unanim", "uni", "uran", "urea", "urolog", "urin", "urugua", "us", "usab", "usag", "use", "using",
    "usual", "usur", "utah", "utensil", "uter", "util", "utop", "uvul", "uyghur", "uzbek",
)  # fmt: skip
#: Those that must match the whole word, not only its beginning.
_WHOLE = frozenset({"u", "us", "one", "once", "ewe", "ewer"})
#: Words that begin like one of the above, but with a vowel sound.
_VOWEL_ANYWAY = (
    "unidentif",
    "unideal",
    "unideolog",
    "unidiom",
    "unillum",
    "unimag",
    "unimp",
    "uninc",
    "unind",
    "uninf",
    "uninh",
    "unini",
    "uninj",
    "unins",
    "unint",
    "uninv",
    "uniron",
    "unissued",
    "usher",
)
_SILENT_H = ("heir", "herb-", "honest", "honesty", "honor", "honour", "hour")
#: Letters whose English names begin with a vowel.
_VOWEL_LETTERS = frozenset("aefhilmnorsx")
#: All-capital words that are pronounced as words, not spelt out.
_READ_AS_WORDS = frozenset(
    {"nato", "nasa", "nafta", "nasdaq", "fifa", "fema", "lan", "sars", "ram", "rom", "saas", "lidar", "laser"}
)


def _plain(word: str) -> str:
    """Lower case, without accents or typographic apostrophes."""
    decomposed = unicodedata.normalize("NFD", word.replace("’", "'").lower())
    return "".join(char for char in decomposed if not unicodedata.combining(char))


@lru_cache(maxsize=4096)
def vowel_sound(word: str) -> bool:
    """Whether an English word begins with a vowel sound: hour, MBA, 8, 11; not university, one, U-turn."""
    word = word.lstrip("\"'“”‘’«»([{<*_-–—").rstrip(".,'’-")
    plain = _plain(word)
    if not plain:
        return False
    if plain[0].isdigit():
        return _number_vowel(plain)
    head = plain.split("-")[0].split("'")[0]
    if len(head) == 1 and (len(plain) == 1 or plain[1] in "-'."):  # X-ray, U-turn, F.
        return head in _VOWEL_LETTERS
    first = word.split("-")[0].rstrip("s.'’")
    letters = first.replace(".", "")
    if len(letters) > 1 and letters.isupper() and letters.isalpha():
        if letters.lower() in _READ_AS_WORDS:
            return plain[0] in "aeiou"
        if plain[0] == "u":  # UN, UNESCO, USSR: spelt out or not, all begin like "you"
            return False
        # With a vowel inside, a longer one can be pronounced: FRONTEX, MERCOSUR.
        if len(letters) <= 4 and not (len(letters) == 4 and letters.lower()[1] in "aeiou"):
            return plain[0] in _VOWEL_LETTERS
        if not set(letters.lower()[1:]) & set("aeiouy"):
            return plain[0] in _VOWEL_LETTERS
    if plain[0] == "h":
        return plain.startswith(_SILENT_H)
    if plain[0] == "y":
        return plain.startswith(("yttr", "ypres", "yvonne", "yvette", "yves"))
    if plain[0] not in "aeiou":
        return False
    if plain.startswith(_VOWEL_ANYWAY):
        return True
    return not any(
        head == beginning if beginning in _WHOLE else plain.startswith(beginning)
        for beginning in _CONSONANT_SOUND
    )


def _number_vowel(plain: str) -> bool:
    """8, 80, 8,000, 11, 18, 11,000 and 18,000 begin with a vowel sound; 110 and 1,100 do not."""
    whole = plain.split(".")[0]
    digits = ""
    for char in whole:
        if char.isdigit():
            digits += char
        elif char != ",":
            break
    if digits.startswith("8"):
        return True
    return digits[:2] in ("11", "18") and len(digits) % 3 == 2


def english(word: str, following: str) -> str | None:
    """a or an."""
    if word.lower() not in ("a", "an"):
        return None
    return "an" if vowel_sound(following) else "a"


_FRENCH_ELISIONS = {
    "le": "l'", "la": "l'", "je": "j'", "me": "m'", "te": "t'", "se": "s'", "ne": "n'", "de": "d'",
    "que": "qu'", "jusque": "jusqu'", "lorsque": "lorsqu'", "puisque": "puisqu'", "quoique": "quoiqu'",
}  # fmt: skip
#: Undone only if there is one full form: l' may be le or la, and s' may be se or si.
_FRENCH_FULL = {short: full for full, short in _FRENCH_ELISIONS.items() if short not in ("l'", "s'")}
_ASPIRATED_H = (
    "ha", "hach", "hai", "hal", "ham", "han", "har", "hasard", "hat", "haus", "haut", "have", "hero", "heros",
    "heur", "hibou", "hideu", "hierarch", "hiss", "hobby", "hockey", "holland", "homard", "hongr", "honte",
    "honteu", "hors", "houle", "housse", "huit", "hurl", "hutte", "heron", "herisson", "hernie", "herse",
)  # fmt: skip
_MUTE_ANYWAY = (
    "habi",
    "habil",
    "habit",
    "haleine",
    "hallucin",
    "halter",
    "hameçon",
    "harmon",
    "hero-i",
    "heroi",
    "heroin",
)
_NO_ELISION = (
    "onz",
    "oui",
    "ouistiti",
    "yaourt",
    "yacht",
    "yen",
    "yeti",
    "yoga",
    "yougoslav",
    "yemen",
    "uhlan",
)


def _french_vowel(word: str) -> bool:
    plain = _plain(word).replace("œ", "oe")
    if not plain or plain.startswith(_NO_ELISION) or plain == "y":
        return plain == "y"
    if plain[0] == "h":
        return plain.startswith(_MUTE_ANYWAY) or not plain.startswith(_ASPIRATED_H)
    return plain[0] in "aeiou"


def french(word: str, following: str) -> str | None:
    """Elision before a vowel or a mute h, undone if the full form is certain."""
    lower = word.lower().replace("’", "'")
    if lower in _FRENCH_ELISIONS:
        return _FRENCH_ELISIONS[lower] if _french_vowel(following) else lower
    if lower in _FRENCH_FULL:
        return lower if _french_vowel(following) else _FRENCH_FULL[lower]
    return None


_ITALIAN_ELISIONS = {
    full: f"{stem}'"
    for stem, fulls in {
        "l": ("lo", "la"), "un": ("una",), "dell": ("dello", "della"), "nell": ("nello", "nella"),
        "all": ("allo", "alla"), "dall": ("dallo", "dalla"), "sull": ("sullo", "sulla"),
        "quell": ("quello", "quella"),
    }.items()
    for full in fulls
}  # fmt: skip


def italian(word: str, following: str) -> str | None:
    """Elision of articles before a vowel. The full form is not restored, because its gender is unknown."""
    lower = word.lower()
    if lower not in _ITALIAN_ELISIONS:
        return None
    plain = _plain(following)
    glide = len(plain) > 1 and plain[0] in "ij" and plain[1] in "aeou"  # la iena
    return _ITALIAN_ELISIONS[lower] if plain[:1] in tuple("aeiou") and not glide else lower


def spanish(word: str, following: str) -> str | None:
    """y → e before the sound i, o → u before the sound o."""
    plain = _plain(following)
    lower = word.lower()
    if lower in ("y", "e"):
        sound = plain.startswith(("i", "hi")) and not plain.startswith(("hie", "hia", "io", "ia", "ie"))
        return "e" if sound else "y"
    if lower in ("o", "u"):
        return "u" if plain.startswith(("o", "ho", "8", "11")) and not plain.startswith("11.") else "o"
    return None
