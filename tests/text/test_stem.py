"""Stems of words."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from paraphrast.text.stem import stem_word


def test_threads_get_what_one_thread_gets() -> None:
    """A stemmer works on one word at a time; threads must not disturb each other."""
    stems = ("nation", "relat", "oper", "commun", "general", "organis")
    words = [f"{stem}{ending}" for stem in stems for ending in ("ally", "ions", "ing", "ed", "isation")]
    alone = [stem_word(word, "english") for word in words]
    assert alone[0] == "nation"

    def again(_: int) -> list[str]:
        stem_word.cache_clear()
        return [stem_word(word, "english") for word in words]

    with ThreadPoolExecutor(8) as pool:
        assert all(stems == alone for stems in pool.map(again, range(100)))
