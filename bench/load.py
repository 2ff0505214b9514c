"""Many sentences through one loaded model: same answers from one thread, many threads and forks, and flat memory.

    python bench/load.py [--model MODEL] [--sentences 100000] [--workers 4]
    python bench/load.py --odd          # inputs of 10 MB, words of 1 MB, combining marks, surrogates: time by length

    python bench/load.py --check-cost   # what the check of mapped files costs
    python bench/load.py --cut 60       # cut a file of a model, as often, while another process rewrites with it

The sentences are those of the toy grammar of the tests, all different. Prints one JSON object, also when it is stopped
by SIGTERM. Exit code 1 if answers differ, if memory grows by more than 32 MB after the first tenth, or if time grows
faster than length.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

import paraphrast
import toy  # type: ignore[import-not-found]
from paraphrast import ParaphrastError
from paraphrast.formats.mapped import check_maps

CHUNK = 5_000
GROWTH = 32.0


def resident() -> float:
    """Megabytes of memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def sentences(count: int) -> Iterator[list[str]]:
    """Chunks of sentences."""
    for chunk in range(-(-count // CHUNK)):
        rows = toy.rows(min(CHUNK, count - chunk * CHUNK), seed=chunk + 1)
        yield [f"{row[0]} It is number {chunk * CHUNK + number}." for number, row in enumerate(rows)]


def digest(model: paraphrast.Paraphraser, texts: list[str], threads: int = 1) -> str:
    """The hash of all answers."""
    found = hashlib.sha256()
    for results in model.paraphrase_many(texts, n=2, threads=threads):
        for result in results:
            found.update(f"{result.text}\t{result.score!r}\n".encode())
    return found.hexdigest()


def forked(model: paraphrast.Paraphraser, texts: list[str]) -> str:
    """The same in a forked process."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            os.write(writing, digest(model, texts).encode())
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as stream:
        answer = stream.read()
    os.waitpid(child, 0)
    return answer


def load(options: argparse.Namespace) -> tuple[dict[str, object], bool]:
    """Run the sentences."""
    model = paraphrast.load(options.model)
    total, differ, memory = Counter[str](), 0, list[float]()
    began = time.process_time()
    with contextlib.suppress(Stopped):
        for chunk, texts in enumerate(sentences(options.sentences)):
            first = digest(model, texts)
            total["one thread"] += len(texts)
            memory.append(resident())
            if chunk % 10 == 0:  # the other ways on every tenth chunk
                with ThreadPoolExecutor(options.workers) as pool:
                    others = list(pool.map(lambda texts: digest(model, texts), [texts] * options.workers))
                total[f"{options.workers} threads"] += len(texts) * options.workers
                others += [digest(model, texts, threads=2), forked(model, texts)]
                total["threads=2"] += len(texts)
                total["forked"] += len(texts)
                differ += sum(other != first for other in others)
            print(f"{sum(total.values())} sentences, {memory[-1]:.0f} MB", file=sys.stderr, flush=True)
    settled = memory[len(memory) // 10]
    report = {
        "sentences": sum(total.values()),
        "by way": dict(total),
        "different answers": differ,
        "megabytes": [round(settled, 1), round(max(memory), 1), round(memory[-1], 1)],
        "megabytes over time": [round(size) for size in memory[:: max(len(memory) // 20, 1)]],
        "cpu seconds": round(time.process_time() - began, 1),
    }
    return report, differ == 0 and memory[-1] - settled < GROWTH


class Stopped(BaseException):
    """SIGTERM came: report the sentences so far."""


def _stop(_signal: int, _frame: object) -> None:
    raise Stopped


def check_cost(options: argparse.Namespace) -> tuple[dict[str, object], bool]:
    """CPU time of one check of all mapped files, beside that of rewriting one sentence and a batch of 256."""
    model = paraphrast.load(options.model)
    (texts,) = sentences(256)
    digest(model, texts)
    times = dict[str, float]()
    for name, rounds, work in (
        ("check", 1000, lambda: check_maps(model.mapped)),
        ("one sentence", 50, lambda: model.paraphrase(texts[0], n=2)),
        ("256 sentences", 2, lambda: digest(model, texts)),
    ):
        began = time.process_time()
        for _ in range(rounds):
            work()
        times[name] = (time.process_time() - began) / rounds
    shares = {name: 2 * times["check"] / times[name] for name in ("one sentence", "256 sentences")}
    report = {
        "mapped files": len(model.mapped),
        "milliseconds": {name: round(1000 * seconds, 4) for name, seconds in times.items()},
        "share of two checks": {name: round(share, 6) for name, share in shares.items()},
    }
    return report, True


def _rewrite_until_refused(model: paraphrast.Paraphraser, texts: list[str], expected: str) -> int:
    """In a child: 0 if the cut was reported, 3 if an answer was wrong, 4 if nothing was noticed."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            if digest(model, texts) != expected:
                return 3
        except ParaphrastError as error:
            return 0 if "cut while it was in use" in str(error) else 5
    return 4


def cut(options: argparse.Namespace) -> tuple[dict[str, object], bool]:
    """Cut a mapped file of a copy of the model, between batches or at a random moment of a forked process's work."""
    rng = random.Random(1)
    ends, by_file = Counter[str](), Counter[str]()
    with tempfile.TemporaryDirectory() as place:
        whole = paraphrast.load(options.model)
        folder = shutil.copytree(whole.path, Path(place) / "model")
        model = paraphrast.load(folder)
        (texts,) = sentences(8)
        expected = digest(model, texts)
        files = sorted({path for _, path, _ in model.mapped})
        for number in range(options.cut):
            path = rng.choice(files)
            content = path.read_bytes()
            size = rng.choice((0, rng.randrange(len(content))))
            moment = "between batches" if number % 2 else "at any moment"
            if number % 2:
                os.truncate(path, size)
            child = os.fork()
            if child == 0:
                code = 6
                try:
                    code = _rewrite_until_refused(model, texts, expected)
                finally:
                    os._exit(code)
            if number % 2 == 0:
                time.sleep(rng.uniform(0, 0.5))
                os.truncate(path, size)
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            with path.open("r+b") as stream:
                stream.write(content)
            name = {0: "reported", 3: "wrong answer", 4: "not noticed", -signal.SIGBUS: "ended by SIGBUS"}
            ends[f"{moment}: {name.get(code, f'exit code {code}')}"] += 1
            by_file[path.relative_to(folder).as_posix()] += 1
            print(dict(ends), file=sys.stderr, flush=True)
        same = digest(model, texts) == expected
    report = {"runs": options.cut, "ends": dict(ends), "files": len(by_file), "same answers afterwards": same}
    allowed = {"between batches: reported", "at any moment: reported", "at any moment: ended by SIGBUS"}
    return report, same and ends.keys() <= allowed


ODD = {
    "long text": lambda size: "The committee will examine the plan. " * (size // 37),
    "one word": lambda size: "a" * size,
    "combining marks": lambda size: "a" + "\u0301" * (size - 1),
    "right-to-left overrides": lambda size: "\u202eabc " * (size // 5),
    "emoji": lambda size: "\U0001f468\u200d\U0001f469\u200d\U0001f467 " * (size // 6),
    "lone surrogates": lambda size: "\ud800" * size,
    "digits": lambda size: "1," * (size // 2),
    "dots": lambda size: "." * size,
    "hyphens": lambda size: "a-" * (size // 2),
    "quotes": lambda size: "'" * size,
    "spaces": lambda size: " " * size + "a",
    "address": lambda size: "http://" + "a." * (size // 2),
    "mail": lambda size: "a@" * (size // 2),
}


def odd(options: argparse.Namespace) -> tuple[dict[str, object], bool]:
    """Odd inputs of growing size. Time must grow at most a third faster than length."""
    model = paraphrast.load(options.model)
    model.paraphrase("The committee will examine the plan.")
    report: dict[str, object] = {}
    sound = True
    for name, make in ODD.items():
        rows = []
        for size in options.sizes:
            text = make(size)
            began = time.process_time()
            try:
                end = f"{len(model.paraphrase(text, n=1))} results"
            except ParaphrastError as error:
                end = type(error).__name__
            rows.append((size, round(time.process_time() - began, 3), end))
            print(name, rows[-1], file=sys.stderr, flush=True)
        slow = [b[1] > 0.2 and b[1] / max(a[1], 0.02) > 1.34 * b[0] / a[0] for a, b in pairwise(rows)]
        sound = sound and not any(slow)
        report[name] = {"runs": rows, "linear": not any(slow)}
    return report, sound


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="default")
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--odd", action="store_true")
    parser.add_argument("--check-cost", action="store_true")
    parser.add_argument("--cut", type=int, default=0, help="times to cut a file of a model that is in use")
    parser.add_argument(
        "--sizes",
        type=lambda text: [int(part) for part in text.split(",")],
        default=[10**4, 10**5, 10**6, 10**7],
    )
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, _stop)
    report, sound = (
        cut if options.cut else odd if options.odd else check_cost if options.check_cost else load
    )(options)
    print(json.dumps(report, indent=1))
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
