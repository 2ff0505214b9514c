"""The options of the service: its model, its limits, and who may use it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from paraphrast._options import check, option
from paraphrast.errors import InputError


@dataclass(frozen=True)
class Settings:
    """How the service runs. Limits protect the machine: a request above one gets an error, never a slow answer."""

    model: str = option(
        "default",
        help="Model to use: 'default', 'registry', a model folder, or a packed model.",
        flags=("--model", "-m"),
    )
    database: str | None = option(
        None,
        help="Database of rating campaigns: a file of SQLite, or postgresql://… Without it, there are no campaigns.",
    )
    token_file: str | None = option(
        None,
        help="File with access tokens, one per line. Without it, everybody who reaches the port has access.",
    )
    workers: int = option(0, help="Number of worker processes. 0: one per core.", minimum=0, maximum=256)
    precise: bool = option(
        False,
        help="Load the models of precise rewriting, and allow the option precise. Needs paraphrast[precise].",
    )
    compiled: bool = option(True, help="Load or compile kernels before the first request.", cli=False)
    max_chars: int = option(20_000, help="Maximum length of one text, in characters.", minimum=1)
    max_batch: int = option(1_000, help="Maximum number of texts in one request.", minimum=1)
    max_results: int = option(
        100, help="Maximum number of paraphrases per text that a request may ask for.", minimum=1
    )
    max_seconds: float = option(30.0, help="Maximum time per request, in seconds.", above=0)
    max_waiting: int = option(
        256, help="Maximum number of pieces of work that wait. Further requests get status 429.", minimum=1
    )

    def __post_init__(self) -> None:
        check(self)

    @property
    def max_body(self) -> int:
        """Maximum size of a request body in bytes: every text of a batch at its maximum length would exceed it."""
        return max(1_000_000, 8 * self.max_chars)

    def tokens(self) -> tuple[str, ...]:
        """The access tokens; empty if everybody has access."""
        if self.token_file is None:
            return ()
        try:
            lines = Path(self.token_file).read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeError) as error:
            raise InputError(
                f"--token-file: cannot read the file: {error}",
                remedy="name a text file with one token per line",
            ) from error
        tokens = tuple(line.strip() for line in lines if line.strip())
        if not tokens or min(map(len, tokens)) < 16:
            raise InputError(
                "--token-file: expected one token of at least 16 characters per line",
                where=self.token_file,
                remedy='make one: python -c "import secrets; print(secrets.token_urlsafe())"',
            )
        return tokens
