"""Learns and applies templates (Barzilay and Lee 2003): the ``msa`` baseline of Quirk et al. (2004, §4)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from paraphrast.acquire.sentences import split_article
from paraphrast.errors import InputError
from paraphrast.formats.articles import Article
from paraphrast.formats.jsonl import read_records, write_records
from paraphrast.formats.outputs import SystemOutput
from paraphrast.msa.barzilay import learn_templates
from paraphrast.msa.options import BarzilayOptions
from paraphrast.msa.templates import TemplatePair, rewrite
from paraphrast.text.languages.registry import get_language

#: The system name of its outputs in comparisons.
SYSTEM = "msa"


def templates_of_articles(
    first: Iterable[Article],
    second: Iterable[Article] | None = None,
    options: BarzilayOptions | None = None,
    *,
    language: str = "en",
    pretokenized: bool = False,
) -> list[TemplatePair]:
    """Pairs of templates from one corpus of articles, or from two that report the same events.

    Articles report the same event if they have the same ``cluster``, or, without clusters, the same day.
    """
    corpora = [_sentences(articles, language) for articles in (first, second) if articles is not None]
    if not any(event for _, events in corpora for event in events):
        raise InputError(
            "expected articles with a cluster or a date, got none",
            remedy="cluster them first: paraphrast pairs ARTICLES --clustered OUT",
        )
    left, right = corpora[0], corpora[1] if len(corpora) > 1 else (None, None)
    return learn_templates(
        left[0], right[0], (left[1], right[1]), get_language(language), options, pretokenized=pretokenized
    )


def _sentences(articles: Iterable[Article], language: str) -> tuple[list[str], list[str]]:
    """The distinct sentences of articles, and the event of each; copies of articles are left out."""
    texts: dict[str, str] = {}
    for article in articles:
        if not article.duplicate_of:
            event = article.cluster or article.date[:10]
            for text in split_article(article, language):
                texts.setdefault(text, event)
    return list(texts), list(texts.values())


def write_templates(path: str | Path, pairs: Iterable[TemplatePair]) -> int:
    """Write one pair per line, best first; returns the number of pairs."""
    return write_records(path, (pair.to_dict() for pair in pairs))


def read_templates(path: str | Path) -> list[TemplatePair]:
    """Read a file of :func:`write_templates`."""
    templates = []
    for where, record in read_records(path):
        try:
            templates.append(TemplatePair.from_dict(record))
        except InputError as error:
            raise InputError(error.message, where=where, remedy="paraphrast templates learn") from error
    return templates


def rewrite_lines(
    lines: Iterable[str],
    pairs: Sequence[TemplatePair],
    *,
    n: int = 1,
    language: str = "en",
    pretokenized: bool = False,
    system: str = SYSTEM,
) -> Iterator[SystemOutput]:
    """Rewrite each line with the partners of its templates. A line that fits none has no output (as in the paper)."""
    record = get_language(language)
    for line in lines:
        if line.strip():
            rewrites = rewrite(line, pairs, record, n=n, pretokenized=pretokenized)
            for rank, (text, _) in enumerate(rewrites, 1):
                yield SystemOutput(line, text, system, rank)
