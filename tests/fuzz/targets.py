"""Every reader of files from outside, as a function of bytes: each ends in a result or a ParaphrastError."""

from __future__ import annotations

import contextlib
from pathlib import Path

from fuzz import model_targets  # noqa: F401  registers its targets
from fuzz.register import TARGETS, drain, run, run_to_line, target
from paraphrast.errors import ParaphrastError

__all__ = ["TARGETS", "run", "run_to_line"]


@target("text")
def _text(path: Path) -> object:
    from paraphrast.formats.files import open_text, read_lines

    drain(open_text(path, mark_bad=True))
    with open_text(path) as reader:
        drain(reader.blocks())
    return drain(read_lines(path))


@target("csv", "input.csv")
@target("tsv", "input.tsv")
@target("jsonl", "input.jsonl")
def _records(path: Path) -> object:
    from paraphrast.formats.records import RecordReader

    return drain(RecordReader(path))


@target("bitext")
def _bitext(path: Path) -> object:
    from paraphrast.formats.bitext import read_columns

    read_columns(path, ["en", "de"], skip_bad=True)
    return read_columns(path, ["en", "de"])


@target("config", "config.toml")
def _config(path: Path) -> object:
    from paraphrast.training.config import read_config

    path.with_name("bitext.tsv").write_text("a house\tein haus\n")
    return read_config(path)


@target("index", "index.toml")
def _index(path: Path) -> object:
    from paraphrast.data import _index

    _index._parse.cache_clear()
    return _index._read(path)


@target("articles", "articles.jsonl")
def _articles(path: Path) -> object:
    from paraphrast.formats.articles import read_articles

    drain(read_articles(str(path), skip_bad=True))
    return drain(read_articles(str(path)))


@target("outputs", "outputs.jsonl")
def _outputs(path: Path) -> object:
    from paraphrast.formats.outputs import read_outputs

    return read_outputs(path)


@target("mt", "mt.jsonl")
def _mt(path: Path) -> object:
    from paraphrast.formats.mt import read_judgements, read_segments

    with contextlib.suppress(ParaphrastError):
        read_segments(path, [path], {"a": path})
    return read_judgements(path)


@target("ratings", "ratings.jsonl")
def _ratings(path: Path) -> object:
    from paraphrast.formats.ratings import read_items, read_key, read_ratings

    for read in (read_items, read_key):
        with contextlib.suppress(ParaphrastError):
            read(path)
    return read_ratings(path)


@target("round-trips", "trips.jsonl")
def _round_trips(path: Path) -> object:
    from paraphrast.formats.round_trips import read_round_trips

    return drain(read_round_trips(path))


@target("clusters", "clusters.jsonl")
@target("clusters-tsv", "clusters.tsv")
def _clusters(path: Path) -> object:
    from paraphrast.fusion.clusters import read_clusters

    return read_clusters(path)


@target("templates", "templates.jsonl")
def _templates(path: Path) -> object:
    from paraphrast.fusion.templates import read_templates

    return read_templates(path)


@target("substitutions", "labelled.jsonl")
def _substitutions(path: Path) -> object:
    from paraphrast.formats.substitutions import read_labelled, read_swords, read_targets

    for read in (read_targets, read_swords):
        with contextlib.suppress(ParaphrastError):
            read(path)
    return read_labelled(path)


@target("lexical-substitution", "gold.txt")
def _lexical_substitution(path: Path) -> object:
    from paraphrast.formats.substitutions import read_lexical_substitution

    gold, _, contexts = path.read_bytes().partition(b"\x00")
    path.write_bytes(gold)
    other = path.with_name("contexts.xml")
    other.write_bytes(contexts)
    return read_lexical_substitution(path, other)


@target("phrase-labels", "labels.tsv")
def _phrase_labels(path: Path) -> object:
    from paraphrast.formats.phrase_labels import read_judgements, read_phrase_labels, read_ranked_labels

    for read in (read_judgements, read_ranked_labels):
        with contextlib.suppress(ParaphrastError):
            read(path)
    return read_phrase_labels([path])


@target("results", "zhao-2008.json")
def _results(path: Path) -> object:
    from paraphrast.reproduce.runner import read_results

    return read_results(path)


@target("arpa", "model.arpa")
def _arpa(path: Path) -> object:
    from paraphrast.formats.arpa import read_arpa

    return read_arpa(path)


@target("kenlm", "model.binary")
def _kenlm(path: Path) -> object:
    from paraphrast.lm.kenlm import KenlmModel

    return KenlmModel(path).score_sentences(["the house", "a"])


@target("moses")
def _moses(path: Path) -> object:
    from paraphrast.formats.moses import read_phrase_table

    return drain(read_phrase_table(path))


@target("ppdb")
def _ppdb(path: Path) -> object:
    from paraphrast.formats.ppdb import read_ppdb

    return drain(read_ppdb(path))


@target("meteor")
def _meteor(path: Path) -> object:
    from paraphrast.formats.tables import read_meteor

    return drain(read_meteor(path))


@target("pharaoh")
def _pharaoh(path: Path) -> object:
    from paraphrast.formats.gold import read_any_gold
    from paraphrast.formats.pharaoh import read_links, read_posteriors

    with contextlib.suppress(ParaphrastError):
        read_any_gold(path)
    links = read_links(path)
    return read_posteriors(path, links)


@target("gold-json", "gold.json")
def _gold_json(path: Path) -> object:
    from paraphrast.formats.gold import read_any_gold

    return read_any_gold(path)


@target("table", "table.parquet")
def _table(path: Path) -> object:
    from paraphrast.formats.table_file import read_table_file

    return read_table_file(path)


@target("html", "page.html")
@target("warc", "pages.warc")
@target("warc-gz", "pages.warc.gz")
@target("pages-jsonl", "pages.jsonl")
def _pages(path: Path) -> object:
    from paraphrast.acquire.extractors import extract_article, make_hmm
    from paraphrast.acquire.pages import read_pages

    return [extract_article(page, make_hmm()).text for page in read_pages(path)]


@target("lattice-json", "lattice.json")
@target("lattice-fst", "lattice.fst.txt")
@target("lattice-plf", "lattice.plf")
def _lattice(path: Path) -> object:
    from paraphrast.formats.lattices import read_lattice

    return read_lattice(path)


@target("safetensors", "model.safetensors")
def _safetensors(path: Path) -> object:
    from paraphrast.read.weights import read_safetensors

    return [array.sum() for array in read_safetensors(path).values()]


@target("torch", "pytorch_model.bin")
def _torch(path: Path) -> object:
    from paraphrast.formats.torch_weights import read_torch_weights

    return [array.sum() for array in read_torch_weights(path).values()]


@target("gguf", "model.gguf")
def _gguf(path: Path) -> object:
    from paraphrast.formats.gguf import read_gguf

    opened = read_gguf(path)
    return [opened.array(name).sum() for name in list(opened._places)]


@target("tagged")
def _tagged(path: Path) -> object:
    from paraphrast.formats.tagged import read_tagged

    return drain(read_tagged(path))


@target("thesaurus")
def _thesaurus(path: Path) -> object:
    from paraphrast.formats.thesauri import read_mythes, read_thesaurus

    with contextlib.suppress(ParaphrastError):
        drain(read_mythes(path))
    return drain(read_thesaurus(path))


@target("dictionary")
def _dictionary(path: Path) -> object:
    from paraphrast.formats.dictionary import read_dictionary

    return drain(read_dictionary(path))


@target("clicks")
def _clicks(path: Path) -> object:
    from paraphrast.formats.queries import read_clicks

    return drain(read_clicks(path))


@target("senses")
def _senses(path: Path) -> object:
    from paraphrast.tables.resources.wordnet import read_senses

    return drain(read_senses(str(path)))


@target("samples", "samples.tsv")
def _samples(path: Path) -> object:
    from paraphrast.references.samples import read_samples

    return read_samples(path)


@target("template", "own.toml")
def _template(path: Path) -> object:
    from paraphrast.judge.own_templates import read_template

    return read_template(path)


@target("trees")
def _trees(path: Path) -> object:
    from paraphrast.text.syntax.chunklink import read_trees

    return drain(read_trees(path.read_bytes().decode("utf-8", "replace")))


@target("weights", "weights.json")
def _weights(path: Path) -> object:
    from paraphrast.decode.weights import Weights

    return Weights.load(path)


@target("casing", "casing.tsv")
def _casing(path: Path) -> object:
    from paraphrast.text.truecase import Truecaser

    return Truecaser.load(path)


@target("archive", "package.whl")
@target("archive-tar", "package.tgz")
@target("archive-deb", "package.deb")
def _archive(path: Path) -> object:
    from paraphrast.data._archives import deb_version, members

    with contextlib.suppress(ParaphrastError):
        deb_version(path)
    return drain(members(path, lambda _name: True))


@target("vocabulary")
def _vocabulary(path: Path) -> object:
    from paraphrast.lm.words import read_text, read_vocabulary

    read_text(path)
    return read_vocabulary(path)


@target("aligned-json", "alignment.json")
def _aligned_json(path: Path) -> object:
    from paraphrast.formats.alignment_json import read_alignment_json

    return read_alignment_json(path)
