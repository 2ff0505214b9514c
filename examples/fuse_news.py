"""Fuse news: several reports of one event become one sentence, with the reports that each span came from.

    python examples/fuse_news.py

V3 aligns words only, so the output is the same whether a parser is installed or not. Without that option, and with
`paraphrast data get en-core-web-sm smollm2-135m`, joins are checked by their grammar.
"""

from __future__ import annotations

import sys

import paraphrast

REPORTS = {
    "A bridge across the river collapsed": [
        "A bridge across the river Neva collapsed on Friday, injuring four workers.",
        "A bridge across the river collapsed on Friday after heavy rain.",
        "On Friday a bridge across the river Neva fell down, officials said.",
        "A bridge across the river Neva collapsed on Friday, injuring six workers.",
        "A railway bridge across the river Neva collapsed after heavy rain, injuring four workers.",
    ],
    "The company will close a factory": [
        "The company will close its factory in Lyon next year.",
        "The company said it will close its oldest factory next year.",
        "The company will close its oldest factory in Lyon, the mayor said.",
    ],
}


def main(arguments: list[str] | None = None) -> int:
    """Print the fused sentences of each event."""
    for event, reports in REPORTS.items():
        print(event)
        fusion = paraphrast.fuse(reports, n=2, version="V3", lm="default")
        for sentence in fusion.sentences:
            print(f"  {sentence.kind}: {sentence.text}")
            print(f"    {sentence.marked()}")
        for conflict in fusion.conflicts:
            values = " or ".join(" ".join(value) for value, _ in conflict.values)
            print(f"  reports differ at “{conflict.left} … {conflict.right}”: {values}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
