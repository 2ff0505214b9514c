"""Quirk, Brockett and Dolan (2004): tables 1 to 3, figures 1 to 3, and the figures of the text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from paraphrast.reproduce import samples
from paraphrast.reproduce.ratings import rated_outputs, rater_agreement, with_missing
from paraphrast.reproduce.records import Cell, Job, Made, Maker, NotMadeError
from paraphrast.reproduce.shared import embedded_model, identity_links, interval_cell

if TYPE_CHECKING:
    from paraphrast.evaluate.sentences import Share

#: Ratings in the data folder; bench/quirk_outputs.py writes the outputs to rate.
TABLE_2 = "quirk-2004/table-2.jsonl"
TABLE_3 = "quirk-2004/table-3.jsonl"
#: The genre of the sentences that MSA rewrites, as the 59 of Barzilay and Lee in the paper.
CAPTIONS = "captions"
BASELINES = ("MSA", "WN", "WN+LM", "CL")
EXAMPLES = (
    ("injured", "wounded"),
    ("Bush administration", "White House"),
    ("margin of error", "error margin"),
)
GOLD_SETS = ("edinburgh.train", "msr-rte2.dev", "mt-reference.dev")
_PARTS = {"total": "", "identical": "Identical word ", "non_identical": "Non-identical word "}
_MEASURES = {"precision": "precision", "recall": "recall", "aer": "AER"}
#: Pages are left out together with all others of their site: folds.
FOLDS = 10


def corpus(job: Job) -> Made:
    """§3.1: clusters, articles, pairs, mean distance and length."""
    from paraphrast.build.news import sentence_pairs
    from paraphrast.build.options import NewsOptions
    from paraphrast.formats.articles import read_articles

    if job.small:
        articles, data = samples.articles(), "seven articles of three events"
    else:
        path = job.file("news-clusters/ecbplus.jsonl.xz")
        articles, data = list(read_articles(str(path))), "ECB+, 496 articles"
    report = sentence_pairs(articles, NewsOptions(clusters="given"), threads=job.threads).report
    rows: list[tuple[Cell, ...]] = [
        ("clusters", report.clusters),
        ("articles", report.clustered),
        ("articles per cluster", round(report.articles_per_cluster, 2)),
        ("sentence pairs", report.pairs),
        ("mean Levenshtein distance", round(report.mean_distance, 2)),
        ("mean sentence length", round(report.mean_length, 2)),
    ]
    return Made(("", "ours"), tuple(rows), data, pictures={"corpus": report.histogram()})


def pages(job: Job) -> Made:
    """Footnote 2: F-measure of the HMM that finds content lines, on pages of sites that it has not seen."""
    from paraphrast.acquire.extractors import check_packages, parse_page
    from paraphrast.acquire.features import line_features
    from paraphrast.acquire.labels import label_lines
    from paraphrast.acquire.tagger import train_tagger

    check_packages("hmm")
    given, folds = _labelled_pages(job)
    lines = [parse_page(html).lines.lines for html, _ in given]
    labels = [label_lines(own, story) for own, (_, story) in zip(lines, given, strict=True)]
    bins = [line_features(own) for own in lines]
    right = wanted = found = 0
    for fold in sorted(set(folds)):
        known = [place for place, own in enumerate(folds) if own != fold]
        tagger = train_tagger([bins[place] for place in known], [labels[place] for place in known])
        for place, own in enumerate(folds):
            if own == fold:
                tags = tagger.tag(bins[place])
                right += int((tags & labels[place]).sum())
                wanted, found = wanted + int(labels[place].sum()), found + int(tags.sum())
    share = 100 * 2 * right / max(wanted + found, 1)
    data = f"{len(given)} pages, {len(set(folds))} folds over sites"
    return Made(("", "ours"), (("F-measure of content lines, HMM", round(share, 1)),), data)


def _labelled_pages(job: Job) -> tuple[list[tuple[str, str]], list[int]]:
    """(page, story) of each page, and its fold."""
    if job.small:
        given = samples.pages()
        return given, [number % 3 for number in range(len(given))]
    import gzip
    import json
    from urllib.parse import urlsplit

    folder = job.file("html-pages/ground-truth.json").parent
    truth = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    texts = [
        gzip.decompress((folder / "html" / f"{name}.html.gz").read_bytes()).decode("utf-8", "replace")
        for name in truth
    ]
    sites = [".".join(urlsplit(entry["url"]).netloc.split(".")[-2:]) for entry in truth.values()]
    order = sorted(set(sites))
    stories = [entry["articleBody"] for entry in truth.values()]
    return list(zip(texts, stories, strict=True)), [order.index(site) % FOLDS for site in sites]


def table_1(job: Job) -> Made:
    """AER of the HMM with an identity lexicon, trained on the sentences of the gold without their links."""
    from paraphrast.evaluate import WordPairs, score_alignment
    from paraphrast.formats.alignment_json import read_alignment_json
    from paraphrast.formats.pharaoh import GoldLinks
    from paraphrast.types import Links

    sets = []
    if job.small:
        pairs = samples.sentence_pairs(240)
        gold = GoldLinks(
            Links.from_lists([pair.sure for pair in pairs]),
            Links.from_lists([pair.possible for pair in pairs]),
        )
        sets.append(("grammar", [list(p.first) for p in pairs], [list(p.second) for p in pairs], gold))
    else:
        for name in GOLD_SETS:
            text = read_alignment_json(job.file(f"alignment-gold/{name}.json"))
            sets.append((name, text.source, text.target, text.gold))
    source = [row for _, rows, _, _ in sets for row in rows]
    target = [row for _, _, rows, _ in sets for row in rows]
    links = identity_links(source, target, job.threads)
    columns, begin = [], 0
    for _, rows, others, gold in sets:
        own = Links.from_lists([links.pair(pair) for pair in range(begin, begin + len(rows))])
        columns.append(score_alignment(own, gold, WordPairs.from_tokens(rows, others)).parts())
        begin += len(rows)
    table: list[tuple[Cell, ...]] = []
    for part, label in _PARTS.items():
        for key, name in _MEASURES.items():
            cells = [_percent(column[part], key) for column in columns]
            table.append((f"{label}{name}" if label else name[:1].upper() + name[1:], *cells))
    data = "; ".join(f"{name}: {len(rows):,} pairs" for name, rows, _, _ in sets)
    header = ("", *(f"ours, {name}" for name, *_ in sets))
    return Made(header, tuple(table), f"{data}. All sentences train one HMM; no link is used.")


def _percent(part: object, key: str) -> Cell:
    return interval_cell(getattr(part, key), getattr(part, "intervals", {}).get(key), scale=100)


def agreement(job: Job) -> Made:
    """Agreement of annotators (§3.2) and of raters in two passes (§4).

    A full run has the ratings of table 2; a small one invents annotations and ratings.
    """
    from paraphrast.evaluate.annotation import agreement as annotators
    from paraphrast.formats.pharaoh import GoldLinks
    from paraphrast.judge.agreement import percent_agreement
    from paraphrast.types import Links

    if not job.small:
        outputs, data = rated_outputs(job, TABLE_2, list)
        found = rater_agreement(outputs, "accept")
        kappa = "undefined" if found.kappa is None else f"{found.kappa:.2f}"
        share = round(100 * found.percent, 1)
        return Made(
            ("", "ours"),
            (("raters, first pass", share),),
            f"{data}: {found.items} different items",
            (f"Cohen's κ of the first pass: {kappa}.",),
        )
    pairs = samples.sentence_pairs(40)
    sure = Links.from_lists([pair.sure for pair in pairs])
    first = GoldLinks(sure, Links.from_lists([pair.possible for pair in pairs]))
    share = round(100 * annotators(first, GoldLinks(sure, sure)).agreement, 1)
    votes = [{str(n): {"a": n % 2, "b": n % 2 if n % 7 else 1 - n % 2} for n in range(40)}]
    votes.append({item: {"a": own["a"], "b": own["a"]} for item, own in votes[0].items()})
    passes = [100 * percent_agreement(one) for one in votes]
    rows = (
        ("annotators of alignments, by AER", share),
        ("raters, first pass", round(passes[0], 1)),
        ("raters, after a second pass", round(passes[1], 1)),
    )
    return Made(("", "ours"), rows, "invented annotations and ratings")


def _systems(job: Job) -> list[tuple[str, dict[str, object]]]:
    """PR, and WordNet with a language model: the embedded model with all tables, and with one."""
    return [("PR", {}), ("WN+LM", {"tables": ("wordnet",)})]


def table_2(job: Job) -> Made:
    """Accepted outputs of each system at each rank: of the captions that MSA rewrites, of the others, and of both.

    MSA and WN have outputs for the captions only, as in the paper. A sentence without an output is not accepted.
    """
    from paraphrast.evaluate.sentences import acceptability

    outputs, data = rated_outputs(job, TABLE_2, lambda: _outputs(job))
    sets = [[one for one in outputs if (one.genre == CAPTIONS) is own] for own in (True, False)]
    first, second = (with_missing(one, "accept") for one in sets)
    columns = []
    for column in (first, second, first + second):
        shares = {(row.system, row.rank): row.share for row in acceptability(column, "accept", ranks=5)}
        columns.append(shares)
    # Systems of one set only are in its column and in that of both, as MSA in the paper.
    order = sorted(columns[2], key=lambda key: (-(columns[2][key].value or 0.0), key))
    table: list[tuple[Cell, ...]] = []
    for key in order:
        name = key[0] if key[0] in BASELINES else f"{key[0]} #{key[1]}"
        cells = [_counted(column.get(key)) for column in columns]
        table.append((name, *cells))
    count = [len({one.source for one in own}) for own in sets]
    header = ("", f"ours, {count[0]} captions", f"ours, {count[1]} others", "ours, both")
    return Made(header, tuple(table), data)


def _counted(share: Share | None) -> Cell:
    """``54 / 59 = 91.5% (84 to 98)``."""
    if share is None:
        return None
    ends = share.interval
    limits = f" ({100 * ends.low:.0f} to {100 * ends.high:.0f})" if ends else ""
    return f"{share.text()}{limits}"


def _outputs(job: Job) -> list[object]:
    from paraphrast.formats.outputs import SystemOutput

    model = embedded_model(job)
    outputs: list[object] = []
    for system, options in _systems(job):
        for place, sentence in enumerate(samples.SENTENCES):
            results = model.paraphrase(sentence, n=5, **options)  # type: ignore[arg-type]
            genre = CAPTIONS if place % 2 else "mixed"
            outputs += [
                SystemOutput(sentence, result.text, system, rank, genre)
                for rank, result in enumerate(results, 1)
            ]
    return outputs


def table_3(job: Job) -> Made:
    """Four qualities of first outputs, and their mean edit distance."""
    from paraphrast.evaluate.sentences import QUALITIES, qualities

    outputs, data = rated_outputs(job, TABLE_3, lambda: _first_outputs(job), questions=tuple(QUALITIES))
    columns = qualities(outputs)
    rows: list[tuple[Cell, ...]] = [
        (
            label,
            *(interval_cell(c.qualities[name].value, c.qualities[name].interval, scale=100) for c in columns),
        )
        for name, label in QUALITIES.items()
    ]
    rows.append(("mean edit distance", *(round(column.edit_distance, 1) for column in columns)))
    return Made(("", *(f"ours, {column.system}" for column in columns)), tuple(rows), data)


def _first_outputs(job: Job) -> list[object]:
    return [output for output in _outputs(job) if getattr(output, "rank", 0) == 1] + _template_outputs()


def _template_outputs() -> list[object]:
    """What Barzilay and Lee's templates make of sentences like those they were learnt from."""
    from paraphrast.fusion.templates import rewrite_lines, templates_of_articles

    first = [one for one in samples.TEMPLATE_ARTICLES if one.page.startswith("a")]
    second = [one for one in samples.TEMPLATE_ARTICLES if one.page.startswith("b")]
    pairs = templates_of_articles(first, second)
    lines = ["A storm hurt seven people in Kiel."]
    return [replace(output, system="MSA", rank=1) for output in rewrite_lines(lines, pairs)]


def figure_1(job: Job) -> Made:
    """A sentence pair with its links."""
    from paraphrast.draw.links import draw_links

    pairs = samples.sentence_pairs(240)
    links = identity_links([list(p.first) for p in pairs], [list(p.second) for p in pairs], job.threads)
    number = next(n for n, pair in enumerate(pairs) if len(pair.first) != len(pair.second))
    one = pairs[number]
    own = links.pair(number)
    picture = draw_links(
        one.first, one.second, [(i, j, 1.0) for i, j in own], title="Word alignment"
    ).to_svg()
    rows = (("words", f"{len(one.first)} and {len(one.second)}"), ("links", len(own)))
    return Made(("", "ours"), rows, "a sentence pair written for it", pictures={"figure-1": picture})


def figure_2(job: Job) -> Made:
    """The lattice of one sentence, with as many edges drawn as in the paper."""
    from paraphrast.draw.lattice import draw_lattice

    lattice = embedded_model(job).lattice(samples.SENTENCES[0], strength=1.0)
    total = sum(1 for _ in lattice.edges())
    picture = draw_lattice(lattice, edges=44, title="Generation lattice")
    rows = (
        ("edges in all", total),
        ("edges drawn", min(44, total)),
    )
    return Made(
        ("", "ours"), rows, "the embedded model, a sentence written for it", pictures={"figure-2": picture}
    )


def figure_3(job: Job) -> Made:
    """A sentence with its paraphrase by templates and by phrasal replacement."""
    outputs: Sequence[object] = _template_outputs()
    if not outputs:
        raise NotMadeError("the templates rewrite no sentence")
    source, text = (getattr(outputs[0], name) for name in ("source", "text"))
    results = embedded_model(job).paraphrase(source, n=1)
    rows = (
        ("original", source),
        ("MSA", text),
        ("PR", results[0].text if results else "no paraphrase"),
    )
    return Made(("", "ours"), rows, "sentences written for it; the embedded model")


def replacements(job: Job) -> Made:
    """§3.3: the paper's examples of replacements, and where the embedded model has them."""
    from paraphrast.errors import InputError
    from paraphrast.model import paraphrases_of

    model = embedded_model(job)
    rows = []
    for phrase, replacement in EXAMPLES:
        try:
            found = [text for text, _ in paraphrases_of(model, phrase)]
        except InputError:  # no table has the phrase
            found = []
        place = f"rank {found.index(replacement) + 1} of {len(found)}" if replacement in found else "no"
        rows.append((f"{phrase} → {replacement}", place))
    return Made(("", "ours"), tuple(rows), "the embedded model")


def aligner(job: Job) -> Made:
    """The default aligner of one language: its weights are fitted, so it is measured in bench/monolingual.py."""
    if not job.small:
        raise NotMadeError("needs weights fitted to other pairs: python bench/monolingual.py --data FOLDER")
    from paraphrast.build.monolingual import align_monolingual
    from paraphrast.evaluate import WordPairs, score_alignment
    from paraphrast.formats.pharaoh import GoldLinks
    from paraphrast.types import Links

    pairs = samples.sentence_pairs(40)
    first, second = ([list(getattr(pair, side)) for pair in pairs] for side in ("first", "second"))
    links = align_monolingual(first, second, evidence=("stem", "number", "spelling"), pretokenized=True)[0]
    gold = GoldLinks(Links.from_lists([p.sure for p in pairs]), Links.from_lists([p.possible for p in pairs]))
    total = score_alignment(links, gold, WordPairs.from_tokens(first, second)).total
    return Made(("", "ours"), (("AER", _percent(total, "aer")),), "40 pairs written for it")


MAKERS: dict[str, Maker] = {
    "corpus": corpus,
    "pages": pages,
    "agreement": agreement,
    "table-1": table_1,
    "aligner": aligner,
    "replacements": replacements,
    "table-2": table_2,
    "table-3": table_3,
    "figure-1": figure_1,
    "figure-2": figure_2,
    "figure-3": figure_3,
}
