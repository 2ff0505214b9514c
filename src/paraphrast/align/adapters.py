"""Adapters to other aligners, named ``eflomal``, ``thot`` and ``links``.

eflomal (Östling and Tiedemann 2016) runs as a program on text files; thot is used through its Python module. Both give
one link per word and direction, and our symmetrisation combines them. ``links`` takes links written by any tool and
checks them against the sentences. Pairs with an empty side get no links.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paraphrast.align.method import Aligned, AlignJob, AlignMethod
from paraphrast.align.symmetrise import symmetrise
from paraphrast.errors import InputError, MissingExtra, ParaphrastError
from paraphrast.formats.files import write_lines
from paraphrast.formats.pharaoh import read_links
from paraphrast.types import Links, Sentences, Vocabulary

#: eflomal's limit; longer sentences get no links.
EFLOMAL_WORDS = 1023
EXTRA = "peers"


class LinksMethod(AlignMethod):
    """Links from a file: one line per pair, and no position beyond the end of its sentence."""

    name = "links"
    gives_posteriors = False
    keeps_models = False

    def run(self, job: AlignJob) -> Aligned:
        if job.links is None:
            raise InputError(
                "the method links needs a file of links", remedy="give a Pharaoh file with --links FILE"
            )
        check_links(job.links, job.source, job.target)
        return Aligned(job.links, None)


class EflomalMethod(AlignMethod):
    """eflomal with its default model and priors."""

    name = "eflomal"
    gives_posteriors = False
    keeps_models = False

    def run(self, job: AlignJob) -> Aligned:
        program = find_eflomal()
        usable_pairs = usable(job, EFLOMAL_WORDS)
        if not len(usable_pairs):
            return combined(job, usable_pairs, *(Links.from_lists([]) for _ in range(2)))
        with tempfile.TemporaryDirectory(prefix="paraphrast-eflomal-") as name:
            folder = Path(name)
            write_lines(folder / "source", texts(job.source, job.source_words, usable_pairs))
            write_lines(folder / "target", texts(job.target, job.target_words, usable_pairs))
            command = [program, "--overwrite"]
            for flag, file in (("-s", "source"), ("-t", "target"), ("-f", "forward"), ("-r", "reverse")):
                command += [flag, str(folder / file)]
            run_program(command, job.threads)
            forward, reverse = (read_links(folder / file) for file in ("forward", "reverse"))
        return combined(job, usable_pairs, forward, reverse)


class ThotMethod(AlignMethod):
    """thot's HMM after its Model 1, five iterations each."""

    name = "thot"
    gives_posteriors = False
    keeps_models = False
    iterations = 5

    def run(self, job: AlignJob) -> Aligned:
        if importlib.util.find_spec("thot") is None:
            raise MissingExtra("aligning with thot", EXTRA)
        usable_pairs = usable(job, None)
        source = [text.split() for text in texts(job.source, job.source_words, usable_pairs)]
        target = [text.split() for text in texts(job.target, job.target_words, usable_pairs)]
        forward = self._one_way(source, target, job)
        mirrored = self._one_way(target, source, job)
        reverse = Links.from_lists(
            [(i, j) for j, i in mirrored.pair(index)] for index in range(len(mirrored))
        )
        return combined(job, usable_pairs, forward, reverse)

    def _one_way(self, source: list[list[str]], target: list[list[str]], job: AlignJob) -> Links:
        from thot import alignment

        if not source:
            return Links.from_lists([])
        below: Any = alignment.Ibm1AlignmentModel()
        for words, others in zip(source, target, strict=True):
            below.add_sentence_pair(words, others)
        for stage in ("Model 1", "HMM"):
            model = below if stage == "Model 1" else alignment.HmmAlignmentModel(below)
            model.start_training()
            for done in range(self.iterations):
                model.train()
                if job.progress is not None:
                    job.progress(f"thot {stage}", done + 1, self.iterations)
            model.end_training()
            below = model
        alignments = below.get_best_alignments(source, target)
        return Links.from_lists(
            [(int(i), int(j)) for i, j in zip(*matrix.to_numpy().nonzero(), strict=True)]
            for _, matrix in alignments
        )


def check_links(links: Links, source: Sentences, target: Sentences) -> None:
    """Raise an error that names the first pair whose links do not fit its sentences."""
    if len(links) != len(source):
        raise InputError(
            f"expected links of {len(source)} sentence pairs, got {len(links)}",
            remedy="the links must belong to this text, one line per pair",
        )
    pair = np.repeat(np.arange(len(links)), np.diff(links.starts))
    for side, positions, sentences in (("source", links.source, source), ("target", links.target, target)):
        lens = np.diff(sentences.starts)
        wrong = np.flatnonzero((positions < 0) | (positions >= lens[pair]))
        if len(wrong):
            at = int(wrong[0])
            raise InputError(
                f"pair {pair[at] + 1} has a link to {side} word {positions[at]},"
                f" and {lens[pair[at]]} {side} words, counted from 0",
                remedy="the links must count the tokens of this text: try --pretokenized",
            )


def find_eflomal() -> str:
    """Path of the program, on PATH or beside this Python."""
    beside = shutil.which("eflomal-align", path=str(Path(sys.executable).parent))
    program = beside or shutil.which("eflomal-align")
    if program is None:
        raise MissingExtra("aligning with eflomal", EXTRA)
    return program


def run_program(command: list[str], threads: int) -> None:
    """Run a program to its end. If it fails, the error has its last messages."""
    environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=environment, check=False
    )
    if done.returncode != 0:
        messages = (done.stderr or done.stdout).strip().splitlines()
        raise ParaphrastError(
            f"{Path(command[0]).name} ended with {done.returncode}: {' '.join(messages[-1:])}",
            remedy="run the program directly to see all its messages",
        )


def usable(job: AlignJob, longest: int | None) -> NDArray[np.int64]:
    """Numbers of the pairs with words on both sides, and at most ``longest`` on each."""
    lens = np.stack([np.diff(job.source.starts), np.diff(job.target.starts)])
    fits = lens.min(axis=0) > 0
    if longest is not None:
        fits &= lens.max(axis=0) <= longest
    return np.flatnonzero(fits)


def texts(sentences: Sentences, words: Vocabulary, numbers: NDArray[np.int64]) -> Iterator[str]:
    """Sentences as tokens separated by spaces."""
    for number in numbers.tolist():
        yield " ".join([words.words[word] for word in sentences[number].tolist()])


def combined(job: AlignJob, both: NDArray[np.int64], forward: Links, reverse: Links) -> Aligned:
    """Combine the links of both directions, for the pairs in ``both``, into one alignment of all pairs."""
    for links in (forward, reverse):
        if len(links) != len(both):
            raise ParaphrastError(f"expected links of {len(both)} pairs from the aligner, got {len(links)}")
        pair = np.repeat(both, np.diff(links.starts))
        for positions, sentences in ((links.source, job.source), (links.target, job.target)):
            if np.any((positions < 0) | (positions >= np.diff(sentences.starts)[pair])):
                raise ParaphrastError(
                    "the aligner returned links beyond the ends of sentences; its links were discarded"
                )
    ahead = np.full(len(job.target.tokens), -1, dtype=np.int32)
    back = np.full(len(job.source.tokens), -1, dtype=np.int32)
    for links, out, starts, place, value in (
        (forward, ahead, job.target.starts, forward.target, forward.source),
        (reverse, back, job.source.starts, reverse.source, reverse.target),
    ):
        pair = np.repeat(both, np.diff(links.starts))
        out[starts[pair] + place] = value
    chosen = symmetrise(job.source.starts, job.target.starts, ahead, back, job.options.symmetrise)
    return Aligned(chosen, None)
