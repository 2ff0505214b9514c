"""Small files under the names that the documentation uses, and what its Python examples take as given."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import toy
from acquire.pages_of_ours import STORY, events, page
from judgements import write_judgements
from paraphrast.formats.articles import write_articles
from paraphrast.formats.mt import MtOutput, MtSegment

SENTENCE = "The committee will examine the proposal tomorrow."
REPORTS = """A bomb exploded near the embassy on Monday, killing three people.
A car bomb exploded near the embassy in the capital, killing three people.
On Monday a bomb went off near the embassy.
A bomb blew up near the embassy on Monday, wounding many people.
"""
GOLD = [
    {
        "source": "The dog slept .",
        "target": "a Dog was sleeping .",
        "sureAlign": "1-1 2-3 3-4",
        "possibleAlign": "0-0 2-2",
    },
    {"source": "Rain fell .", "target": "it rained .", "sureAlign": "0-1 2-2", "possibleAlign": "1-1"},
]


def write_files(folder: Path, model: Path) -> None:
    """Write the files, and copies of a trained model under the names that pages give to a model."""
    rows = toy.rows(150)
    english = "".join(f"{row[0]}\n" for row in rows)
    toy.write_config(folder, 400)
    for name in ("model", "MODEL", "ours"):
        shutil.copytree(model, folder / name)
    for name, text in {
        "notes.txt": f"{SENTENCE}\n",
        "inputs.txt": f"{SENTENCE}\n",
        "sentences.txt": f"{SENTENCE}\n",
        "letter.txt": f"  {SENTENCE}\n\nYours\n",
        "reviews.csv": f"id,review\n1,{SENTENCE}\n",
        "train.csv": f"text,label\n{SENTENCE},1\nShe began to work in a large city.,0\n",
        "data.jsonl": f'{{"id": 1, "text": "{SENTENCE}"}}\n',
        "reports.txt": REPORTS,
        "my-dictionary.tsv": "large\tbig in size\nbig\tlarge in size\n",
        "synonyms.tsv": "".join(
            f"{'old ' * more}w{n}\t{'new ' * more}v{n}\n" for more in range(3) for n in range(60)
        ),
        "pairs.tsv": "".join(f"{row[0]}\t{row[1]}\n" for row in rows),
        "new.tsv": "".join(f"{row[0]}\t{row[1]}\n" for row in rows[:3]),
        "en.txt": english,
        "fr.txt": "".join(f"{row[2]}\n" for row in rows),
        "theirs": "0-0\n" * len(rows),
        "text.txt.gz": "",
        "log.tsv": "cheap flights\ta.example/1\t5\nlow cost flights\ta.example/1\t4\n",
        "ours.tsv": f"{SENTENCE}\tThe committee will look at the proposal tomorrow.\n",
        "wordnet.tsv": f"{SENTENCE}\tThe commission will examine the proposal tomorrow.\n",
        "links": "0-0 1-1 2-2 3-4\n1-0 2-2\n",
        "gold.json": json.dumps(GOLD),
        "A": "2-2 3-4 4-5 1p1 3?3\n1-2 3-3 2p2\n",
        "B": "2-2 3-4 4-5 1p1\n1-2 3-3 2-2\n",
        "TEXT": "".join(f"{pair['source']} ||| {pair['target']}\n" for pair in GOLD),
        "references.tsv": f"{SENTENCE}\tThe committee will look at the plan tomorrow.\n",
    }.items():
        (folder / name).write_text(text, encoding="utf-8")
    with gzip.open(folder / "text.txt.gz", "wt", encoding="utf-8") as stream:
        stream.write(english)
    for source, reference, output in (
        ("SOURCE", "REFERENCE", "OUTPUT…"),
        ("source.zh", "reference.en", "system.en"),
    ):
        (folder / source).write_text("".join(f"{row[1]}\n" for row in rows), encoding="utf-8")
        (folder / reference).write_text(english, encoding="utf-8")
        (folder / output).write_text(english.replace("law", "act"), encoding="utf-8")
    _write_pages(folder)
    for name in ("judged.jsonl", "JUDGED.jsonl"):
        write_judgements(folder / name, _judged())


def _judged() -> list[MtSegment]:
    return [
        MtSegment(
            id=str(number),
            source=foreign,
            references=(text,),
            outputs={
                "a": MtOutput(text.replace("law", "act"), 80.0 - number),
                "b": MtOutput(text.replace("The", "A"), 20.0 + number),
            },
        )
        for number, (text, foreign, _) in enumerate(toy.rows(12))
    ]


def _write_pages(folder: Path) -> None:
    """Pages, a crawl, articles of a day, and pages with the stories that are on them."""
    for place in ("pages", "crawl"):
        (folder / place).mkdir()
        for number, article in enumerate(events()):
            text = page([*article.text.split("\n"), *STORY[:1]], title=f"Event {number}")
            (folder / place / f"{number}.html").write_text(text, encoding="utf-8")
    stories = {str(number): {"articleBody": article.text} for number, article in enumerate(events())}
    (folder / "stories.json").write_text(json.dumps(stories), encoding="utf-8")
    write_articles(str(folder / "monday.jsonl"), events())
    answer = b"HTTP/1.0 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + page().encode()
    head = (
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://news.example/1\r\n"
        "WARC-Date: 2004-05-31T08:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\n"
        f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n"
    )
    (folder / "crawl.warc.gz").write_bytes(gzip.compress(head.encode() + answer + b"\r\n\r\n"))


_TEXTS = """
from pathlib import Path
from paraphrast.lm import read_text
english, french = (Path(name).read_text(encoding="utf-8").splitlines() for name in ("en.txt", "fr.txt"))
source_vocabulary, source = read_text("en.txt")
target_vocabulary, target = read_text("fr.txt")
source_size, target_size = len(source_vocabulary), len(target_vocabulary)
new_source, new_target = source, target
"""
_TABLES = """
import shutil
from paraphrast.cli import run
assert run(["table", "lexicon", "synonyms.tsv", "--no-inflect", "-o", "pivot.parquet"]) == 0
shutil.copy("pivot.parquet", "graph.parquet")
"""
_PHRASES = """
import numpy as np
from paraphrast.types import ParaphraseTable, Phrases, TableInfo
rows = np.full((500, 7), -1, dtype=np.int32)
rows[:, 0] = np.arange(500)
phrases = Phrases(rows, np.zeros(500, dtype=np.uint8))
table = ParaphraseTable(
    source=np.array([18, 27], dtype=np.int32),
    target=np.array([19, 28], dtype=np.int32),
    count=np.ones(2, dtype=np.int64),
    score=np.array([-0.5, -0.7], dtype=np.float32),
    features={},
    info=TableInfo("pivot", "en", ""),
)
"""
#: Python code that gives the examples of a page the names that they take as given.
SETUP = {
    "align": _TEXTS,
    "decode": _PHRASES
    + """
from paraphrast.lm import LmOptions, estimate, pack, read_text
from pathlib import Path
Path("words.txt").write_text(" ".join(f"w{number}" for number in range(500)) + "\\n", encoding="utf-8")
vocabulary, sentences = read_text("words.txt")
ngrams = pack(estimate([sentences], len(vocabulary), LmOptions(order=2)))
""",
    "engine": "from pathlib import Path\nfolder = Path()\n",
    "evaluate": _TABLES
    + """
from paraphrast.formats.outputs import SystemOutput, write_outputs
write_outputs("labelled.jsonl", [
    SystemOutput(
        "The committee will examine the proposal tomorrow.", "The committee will look at the plan tomorrow.", "ours",
        labels={"accept": {"anna": 1}},
    )
])
""",
    "extract": _TEXTS
    + """
from paraphrast.align import AlignOptions, align
from paraphrast.extract import ExtractOptions, extract_pairs
links = align(source, target, source_size, target_size, AlignOptions())
extraction_de = extraction_fr = extract_pairs(source, target, links, ExtractOptions(max_length=3))
""",
    "graph": """
import random
draw = random.Random(0)
entries = sorted({(draw.randrange(100), draw.randrange(80)) for _ in range(300)})
phrase, pivot = source, target = [[entry[side] for entry in entries] for side in (0, 1)]
count, phrase_total, pivot_total, language = ([value] * len(entries) for value in (1, 9, 9, 0))
source_total, target_total, source_size, target_size = phrase_total, pivot_total, 100, 80
phrases, pivots, languages, agreement = 100, 80, 1, None
""",
    "judge": _TABLES,
    "lm": """
from paraphrast.lm import read_text
held_out = read_text("text.txt.gz")[1]
word = 5
""",
    "msa": "from pathlib import Path\nsentences = Path('reports.txt').read_text(encoding='utf-8').splitlines()\n",
    "references": _TEXTS + "sources, references = french, english\n",
    "resources": _TABLES,
    "rewriting": "lines = ['The committee will examine the proposal tomorrow.']\n",
    "training": "import shutil\nshutil.rmtree('model')\n",
    "vetoes": _PHRASES
    + """
from paraphrast.text import get_language
from paraphrast.types import Vocabulary
vocabulary = Vocabulary([f"w{number}" for number in range(500)], np.ones(500, dtype=np.int64))
language = get_language("en")
""",
}
_RATE = """
from paraphrast.cli import run
assert run(["judge", "rate", "items.jsonl", "new-ratings.jsonl", "--rater", "anna"]) == 0
assert run(["judge", "report", "items.jsonl", "new-ratings.jsonl", "--key", "key.jsonl", "-o", "rated.jsonl"]) == 0
"""
_FILL_IN = """
from dataclasses import replace
from paraphrast.formats.substitutions import read_labelled, write_labelled
write_labelled("labels.jsonl", [replace(row, correct=True) for row in read_labelled("labels.jsonl")])
"""
#: Python code that does what a reader does after a command: rate, or fill in labels.
AFTER = {
    "paraphrast evaluate phrases pivot=pivot.parquet graph=graph.parquet --blank blank.tsv": """
from pathlib import Path
head, *rows = Path("blank.tsv").read_text(encoding="utf-8").splitlines()
Path("blank.tsv").write_text("\\n".join([head, *(row + "2" for row in rows)]) + "\\n", encoding="utf-8")
""",
    "paraphrast judge new pairs.jsonl --template phrase -o items.jsonl --key key.jsonl": _RATE,
    "paraphrast judge new labels.jsonl --template substitution -o items.jsonl --key key.jsonl": _RATE,
    "paraphrast tune label sentences.txt -m model -o labels.jsonl": _FILL_IN,
    "paraphrast train config.toml -o model": "import shutil\nshutil.rmtree('model')\n",
}
