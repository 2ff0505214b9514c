"""Figures 5 and 6 from a report."""

from __future__ import annotations

import numpy as np

from paraphrast.graph import DecomposeOptions, draw_components, draw_sub_tables, sub_tables
from paraphrast.graph.plots import ranked
from phrase_graphs import large_graph, make_graph


def test_the_figures_of_a_decomposition() -> None:
    _, report = sub_tables(large_graph(4), DecomposeOptions(largest=40))
    components = draw_components(report).to_svg()
    assert "parts of the giants" in components
    assert f"1, {report.components[0]}<" in components
    tables = draw_sub_tables(report).to_svg()
    assert "before merging" in tables
    assert f"after merging: 1, {report.after[0]}<" in tables


def test_without_giants_there_is_no_inset() -> None:
    _, report = sub_tables(make_graph([(0, 0), (0, 1), (1, 2), (2, 2)]))
    assert "parts of the giants" not in draw_components(report).to_svg()
    assert draw_sub_tables(report).to_svg().startswith("<svg")


def test_ranks_are_thinned_evenly_from_the_first_to_the_last() -> None:
    series = ranked(np.arange(5000, 0, -1))
    assert (series.x[0], series.y[0]) == (1, 5000)
    assert (series.x[-1], series.y[-1]) == (5000, 1)
    assert len(series.x) <= 120
    assert list(series.x[:3]) == [1, 2, 3]
