"""The engine's part of the pivot stage: one numbering for the phrases of all languages, trimmed rows, citations.

Phrases are packed words (:class:`~paraphrast.types.phrase_keys.PhraseKeys`) until they have numbers. All tables here
are the engine's; nothing that grows with the corpus is fetched.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from paraphrast.engine import Engine
from paraphrast.extract.add_shards import PAIRS, SOURCES, number_rows
from paraphrast.tables.options import PivotOptions
from paraphrast.tables.pivot.join import mirrored_rows, prune_counted, row_columns
from paraphrast.types.phrase_keys import PhraseKeys, equal, listed

#: Pivots per row and language that are recorded.
CITED_PIVOTS = 3


def merge_languages(engine: Engine, work: Path, languages: Sequence[str], keys: PhraseKeys) -> list[str]:
    """Make ``phrases(k…, glue, category, id)``, sorted by words, and one table of counted pairs per language.

    Returns the names of the latter: ``counted0(e, f, c, te, tf, sentence, source_start)``, … with e a number of
    ``phrases`` and f the language's own number. Of two spellings, that of the later language is used.
    """
    numbers = range(len(languages))
    source, words = keys.names("s"), keys.names("k")
    for number, language in enumerate(languages):
        engine.files(f"sources{number}", [work / f"extract-{language}" / SOURCES])
        engine.files(f"pairs{number}", [work / f"extract-{language}" / PAIRS])
        # Only phrases of pairs: those that are not significant are gone.
        engine.run(
            f"CREATE OR REPLACE TABLE used{number} AS SELECT {listed(source, 's')}, s.id, s.glue, s.category"
            f" FROM sources{number} s JOIN (SELECT DISTINCT source FROM pairs{number}) p ON p.source = s.id"
        )
    union = " UNION ALL ".join(
        "SELECT "
        + ", ".join(f"{one} AS {other}" for one, other in zip(source, words, strict=True))
        + f", {number} AS l, glue, category FROM used{number}"
        for number in numbers
    )
    masks = " | ".join(f"max(CASE WHEN l = {number} THEN category ELSE 0 END)" for number in numbers)
    engine.run(
        f"CREATE OR REPLACE TABLE merged AS SELECT {listed(words)},"
        f" CAST(max(l * 256 + glue) % 256 AS INTEGER) AS glue, CAST({masks} AS BIGINT) AS category"
        f" FROM ({union}) parts GROUP BY {listed(words)}"
    )
    number_rows(
        engine, "phrases", "merged", [*words, "glue", "category"], f"{words[0]} // {keys.first_word}", words
    )
    engine.drop("merged")
    for number in numbers:
        engine.run(
            f"CREATE OR REPLACE TABLE counted{number} AS SELECT n.id AS e, p.target AS f, p.count AS c,"
            " p.source_total AS te, p.target_total AS tf, p.sentence, p.source_start"
            f" FROM pairs{number} p JOIN used{number} u ON u.id = p.source"
            f" JOIN phrases n ON {equal('n', words, 'u', source)}"
        )
        for name in (f"used{number}", f"pairs{number}", f"sources{number}"):
            engine.drop(name)
    return [f"counted{number}" for number in numbers]


def write_joined(engine: Engine, languages: int, keys: PhraseKeys, options: PivotOptions, path: Path) -> None:
    """Write the rows of ``mixed`` with the words and spellings of both phrases: a…, a_glue, b…, b_glue."""
    words = keys.names("k")
    sides = ", ".join(
        [f"{table}.{word} AS {table}{place}" for table in "xy" for place, word in enumerate(words, 1)]
        + [f"{table}.glue AS {table}_glue" for table in "xy"]
    )
    engine.write_parquet(
        f"SELECT {listed(row_columns(languages), 'm')}, {sides} FROM ({mirrored_rows(languages, options)}) m"
        " JOIN phrases x ON x.id = m.e1 JOIN phrases y ON y.id = m.e2 ORDER BY m.e1, m.p DESC, m.e2",
        path,
    )


def number_pieces(engine: Engine, pieces: Sequence[Path], keys: PhraseKeys) -> None:
    """Make ``short(k…, id, known, glue, category)``: what trimming left of phrases, sorted by words.

    known: the number of the same words in ``phrases``, or −1. Spelling and categories are those of that phrase. The
    spelling of another is that of the phrase first trimmed to it, and its categories are 0 until they are counted.
    """
    words = keys.names("k")
    engine.files("pieces", pieces)
    engine.run(
        f"CREATE OR REPLACE TABLE distinct_pieces AS SELECT {listed(words)}, min(spelt) AS spelt FROM pieces"
        f" GROUP BY {listed(words)}"
    )
    number_rows(
        engine, "numbered", "distinct_pieces", [*words, "spelt"], f"{words[0]} // {keys.first_word}", words
    )
    engine.run(
        f"CREATE OR REPLACE TABLE short AS SELECT {listed(words, 'n')}, n.id, coalesce(p.id, -1) AS known,"
        " coalesce(p.glue, CAST(n.spelt % 256 AS INTEGER)) AS glue, coalesce(p.category, 0) AS category"
        f" FROM numbered n LEFT JOIN phrases p ON {equal('n', words, 'p', words)}"
    )
    for name in ("pieces", "distinct_pieces", "numbered"):
        engine.drop(name)


def classify_new(engine: Engine, files: Sequence[Path], keys: PhraseKeys) -> None:
    """Put the counted categories of new phrases (files with id, category) into ``short``."""
    engine.files("classified", files)
    engine.run(
        f"CREATE OR REPLACE TABLE classified_short AS SELECT {listed(keys.names('k'), 's')}, s.id, s.known, s.glue,"
        " coalesce(c.category, s.category) AS category FROM short s LEFT JOIN classified c ON c.id = s.id"
    )
    engine.drop("classified")
    engine.drop("short")
    engine.run("CREATE OR REPLACE TABLE short AS SELECT * FROM classified_short")
    engine.drop("classified_short")


def write_merged(
    engine: Engine, trimmed: Sequence[Path], joined: Path, languages: int, keys: PhraseKeys, path: Path
) -> None:
    """Write one row for each pair of trimmed phrases, the one of highest rank, sorted by the numbers of ``short``.

    Ties go to the row that lost fewer words at the beginning, then to the first. cited1, cited2: the pair that is
    cited, which is the trimmed pair itself if it was joined, and else the pair it was trimmed from, whose phrases
    begin begin1 and begin2 words earlier.
    """
    words = keys.names("k")
    values = [name for name in row_columns(languages) if name not in ("e1", "e2")]
    engine.files("trimmed", trimmed)
    engine.files("joined", [joined])
    engine.run(
        "CREATE OR REPLACE TABLE best AS SELECT * FROM (SELECT x.id AS s, y.id AS t, x.known AS known1,"
        f" y.known AS known2, r.e1, r.e2, r.begin1, r.begin2, {listed(values, 'r')},"
        " row_number() OVER (PARTITION BY x.id, y.id ORDER BY r.level DESC, r.lost, r.number) AS place"
        f" FROM trimmed r JOIN short x ON {equal('r', keys.names('x'), 'x', words)}"
        f" JOIN short y ON {equal('r', keys.names('y'), 'y', words)}) ranked WHERE place = 1"
    )
    engine.drop("trimmed")
    sides = ", ".join(
        [f"{table}.{word} AS {table}{place}" for table in "xy" for place, word in enumerate(words, 1)]
        + [f"{table}.category AS {table}_category" for table in "xy"]
    )
    whole = "j.e1 IS NOT NULL"
    engine.write_parquet(
        f"SELECT b.s AS e1, b.t AS e2, {listed(values, 'b')},"
        f" CASE WHEN {whole} THEN b.known1 ELSE b.e1 END AS cited1,"
        f" CASE WHEN {whole} THEN b.known2 ELSE b.e2 END AS cited2,"
        f" CASE WHEN {whole} THEN 0 ELSE b.begin1 END AS begin1,"
        f" CASE WHEN {whole} THEN 0 ELSE b.begin2 END AS begin2, {sides}"
        " FROM best b JOIN short x ON x.id = b.s JOIN short y ON y.id = b.t"
        " LEFT JOIN joined j ON j.e1 = b.known1 AND j.e2 = b.known2 ORDER BY b.s, b.t",
        path,
    )
    engine.drop("joined")
    engine.drop("best")


def cited_pivots(
    engine: Engine, counted: str, wanted: dict[str, NDArray[Any]], best: int
) -> dict[str, NDArray[Any]]:
    """The best pivots of every row of ``wanted(row, e1, e2)`` in one language, and where each half was first seen."""
    prune_counted(engine, "kept", counted, best)
    engine.table("wanted", wanted)
    columns = engine.fetch(
        "SELECT CAST(best.row AS INTEGER) AS row, best.f, best.p, "
        "s1.sentence AS sentence1, s1.source_start AS start1, "
        "s2.sentence AS sentence2, s2.source_start AS start2 FROM ("
        "SELECT w.row, w.e1, w.e2, a.f, a.p_fe * b.p_ef AS p, row_number() OVER ("
        "PARTITION BY w.row ORDER BY a.p_fe * b.p_ef DESC, a.f) AS place "
        "FROM wanted w JOIN kept a ON a.e = w.e1 JOIN kept b ON b.e = w.e2 AND b.f = a.f) best "
        f"JOIN {counted} s1 ON s1.e = best.e1 AND s1.f = best.f "
        f"JOIN {counted} s2 ON s2.e = best.e2 AND s2.f = best.f "
        f"WHERE best.place <= {CITED_PIVOTS} ORDER BY best.row, best.p DESC, best.f"
    )
    engine.drop("kept")
    engine.drop("wanted")
    return columns
