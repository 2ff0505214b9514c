"""`paraphrast evaluate`: scores with confidence intervals and signatures."""

from __future__ import annotations

import typer

from paraphrast.cli.evaluate.aer import aer
from paraphrast.cli.evaluate.clusters import clusters
from paraphrast.cli.evaluate.lm import lm
from paraphrast.cli.evaluate.mt import mt
from paraphrast.cli.evaluate.phrases import phrases
from paraphrast.cli.evaluate.sentences import sentences
from paraphrast.cli.evaluate.substitutions import substitutions

app = typer.Typer(help="Score results against gold data, with confidence intervals.", no_args_is_help=True)
for command in (lm, phrases, substitutions, sentences, clusters, mt, aer):
    app.command(command.__name__)(command)
