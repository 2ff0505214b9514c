"""An HTML page: each output with its best paraphrased reference, with matches in colour.

The file needs nothing from other places. Words of the output that are in the original reference have one colour, words
that are only in the paraphrased one another. Substitutions are marked in the reference; pointing at one shows what it
replaces, its probability and its source.
"""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from paraphrast.references.lattices import Reference
from paraphrast.references.words import place_words, split_words

_STYLE = """
body{font:16px/1.5 system-ui,sans-serif;max-width:64rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
section{border-top:1px solid #ccc;padding:.8rem 0}h2{font-size:1rem;margin:0 0 .3rem}
p{margin:.15rem 0}.label{display:inline-block;width:7.5rem;color:#666;font-size:.85rem}
.same{background:#cfe8cf}.para{background:#ffe08a}.edit{background:#ffe08a;border-bottom:2px solid #b8860b;cursor:help}
.score{color:#444;font-size:.85rem}input{font:inherit;width:100%;padding:.3rem}
@media(prefers-color-scheme:dark){body{background:#1b1b1b;color:#eee}.same{background:#27502a}
.para,.edit{background:#6b5310}.label,.score{color:#aaa}}
"""
_SCRIPT = """
const box=document.getElementById('filter');
box.addEventListener('input',()=>{const want=box.value.toLowerCase();
for(const part of document.querySelectorAll('section'))
part.hidden=!part.textContent.toLowerCase().includes(want);});
document.body.dataset.ready=document.querySelectorAll('section').length;
"""


@dataclass(frozen=True)
class ReportRow:
    """One output on the page. single, multiple: score with the original reference, and with the paraphrased one."""

    segment: str
    system: str
    source: str
    original: str
    output: str
    reference: Reference
    single: float
    multiple: float
    human: float | None = None


def make_report(rows: Sequence[ReportRow], *, title: str, metric: str, signature: str) -> str:
    """The page, as HTML."""
    parts = [_section(row, metric) for row in rows]
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{html.escape(title)}</h1>"
        f"<p>{len(rows):,} outputs. <span class='same'>Green</span> words are in the reference, "
        "<span class='para'>yellow</span> ones only in its paraphrase; point at a marked phrase to see what it "
        f"replaces.</p><p class='score'>{html.escape(signature)}</p>"
        "<p><input id='filter' placeholder='Show only segments with…' aria-label='filter'></p>"
        f"{''.join(parts)}<script>{_SCRIPT}</script></body></html>\n"
    )


def _section(row: ReportRow, metric: str) -> str:
    human_note = "" if row.human is None else f", people {row.human:g}"
    lines = [
        f"<section><h2>{html.escape(row.segment)} · {html.escape(row.system)} <span class='score'>"
        f"{html.escape(metric)} {row.single:.2f} → {row.multiple:.2f}{human_note}</span></h2>"
    ]
    marked = {
        "source": html.escape(row.source),
        "original": html.escape(row.original),
        "paraphrased": _edited(row.reference),
        "output": _matched(row.output, row.original, row.reference.text),
    }
    lines += [f"<p><span class='label'>{name}</span>{text}</p>" for name, text in marked.items()]
    return "".join([*lines, "</section>\n"])


def _edited(reference: Reference) -> str:
    pieces = []
    done = 0
    for edit in reference.edits:
        why = f"for “{edit.before}”, p = {edit.probability:.3f}, {' and '.join(edit.tables) or 'unknown'}"
        pieces += [
            html.escape(reference.text[done : edit.out_start]),
            f'<span class="edit" title="{html.escape(why)}">{html.escape(edit.after)}</span>',
        ]
        done = edit.out_end
    return "".join([*pieces, html.escape(reference.text[done:])])


def _matched(output: str, original: str, paraphrased: str) -> str:
    """The output with coloured words, each as often as it is in the references."""
    left, more = Counter(split_words(original)), Counter(split_words(paraphrased))
    words = place_words(output)
    pieces = []
    done = 0
    for word, start, end in zip(words.words, words.starts, words.ends, strict=True):
        kind = ""
        if left[word] > 0:
            kind = "same"
        elif more[word] > 0:
            kind = "para"
        left[word] -= 1
        more[word] -= 1
        pieces.append(html.escape(output[done:start]))
        text = html.escape(output[start:end])
        pieces.append(f'<span class="{kind}">{text}</span>' if kind else text)
        done = end
    return "".join([*pieces, html.escape(output[done:])])
