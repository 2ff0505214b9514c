"""Filters for corpora: one line per text, no coarse language, no rows that cannot be translations."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

#: Coarse words, in rot13 so that nobody has to read them; a trailing ``*`` matches every ending.
_COARSE_ROT13 = """
ahqrf avccyr* avttn* avttnm avttre* betnfz* cbea* cevpx cevpxf chffl chffvrf cravf* cvff* cvzc* encr encrq
encvfg* ergneq* fcrez fcvp fcvpf fgevccre* fpebghz frkl fuvg* fyhg* gjng* grfgvpyr* guerrfbzr* gvgf gvggl
gvggvr* intvan* ivoengbe* jnax* jrgonpx* juber* nany nefr nefrubyr* nff nffrf nffubyr* obare obaref obbo*
ohttre ohyyfuvg* onfgneq* ovgpu* oybjwbo* pbba pbbaf pbpx pbpxf pbpxfhpx* phag phagf phz phzfubg* phzz*
pyvg pyvgbevf qlxr qlxrf qnzavg qvpx qvpxf qvpxurnq* qvyqb* rwnphyng* shpx* shx shxva snt sntf snttbg*
tbqnza* tbqqnza* tnatonat* ubbxre* ubeal ubrf ubzb ubzbf wrexbss* wvmm xvxr xvxrf zbgnsnxn* zbgureshpx*
zhgunshpx* znfgheong*
"""
#: Shorthand of chats and text messages: their "translations" are guesses.
_CHAT = """
u ur lol lmao rofl haha hahaha hehe wat dat dis dun wanna lah lor leh liao meh wif gd pls plz thx
2nite tmr b4 bcoz coz cuz dunno juz oredi ard frm msg sch cos okie hee jus tt abt bt im dont cant wont
didnt doesnt
"""
_URL = re.compile(r"https?:|www\.|\b[\w-]+\.(?:com|org|net|info|edu|gov|co\.uk)\b", re.IGNORECASE)
_MOJIBAKE = re.compile(
    "[\ufffd\u00ad]|Ã.|â€|Â[ «»°]|[\x00-\x08\x0e-\x1f\x7f-\x9f]|&(?:[a-z]+|#\\d+);|</?[A-Za-z]+[ />]"
)
_WORD = re.compile(r"[a-z]+")


_COARSE = codecs.decode(_COARSE_ROT13, "rot13").split()
_COARSE_WORDS = frozenset(word for word in _COARSE if not word.endswith("*"))
_COARSE_STARTS = tuple(word[:-1] for word in _COARSE if word.endswith("*"))
_CHAT_PATTERN = re.compile(rf"(?<![\w'.])(?:{'|'.join(_CHAT.split())})(?![\w']|\.\w)", re.IGNORECASE)


def one_line(text: str) -> str:
    """White space of all kinds, including tabs and line ends, as single spaces."""
    return " ".join(text.split())


def is_coarse(english: str) -> bool:
    """Whether an English text has a grossly sexual or insulting word."""
    words = _WORD.findall(english.lower())
    return not _COARSE_WORDS.isdisjoint(words) or any(word.startswith(_COARSE_STARTS) for word in words)


def is_chat(english: str) -> bool:
    """Whether an English text is written in the shorthand of text messages."""
    return _CHAT_PATTERN.search(english) is not None


def is_prose(text: str, *, longest: int = 1000) -> bool:
    """Whether a line could be a sentence: not too long, mostly letters, no address, no broken encoding."""
    if not 2 <= len(text) <= longest or _URL.search(text) or _MOJIBAKE.search(text):
        return False
    letters = sum(map(str.isalpha, text))
    return letters >= 0.6 * (len(text) - text.count(" "))


def could_translate(one: str, other: str) -> bool:
    """Whether both are prose and differ, and neither is more than three times as long (short texts are exempt)."""
    if not is_prose(one) or not is_prose(other) or one.casefold() == other.casefold():
        return False
    return max(len(one), len(other)) <= 3 * min(len(one), len(other)) + 10


def distinct(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Distinct pairs, in order of first occurrence."""
    seen: set[tuple[str, str]] = set()
    for pair in pairs:
        if pair not in seen:
            seen.add(pair)
            yield pair
