"""`paraphrast table`: build, inspect, convert, combine and compare paraphrase tables."""

from __future__ import annotations

import typer

from paraphrast.cli.table import browse, build, graph, pivot

app = typer.Typer(
    help="Build, inspect, convert, combine and compare paraphrase tables.", no_args_is_help=True
)
app.command("show")(browse.show)
app.command("export")(browse.export)
app.command("merge")(browse.merge)
app.command("diff")(browse.diff)
app.command("graph")(graph.graph)
for name, command in build.COMMANDS.items():
    app.command(name)(command)
app.command("expand")(build.expand)
app.command("substitute")(build.substitute)
app.command("pivot")(pivot.pivot)
