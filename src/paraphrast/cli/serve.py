"""`paraphrast serve`: the HTTP service and its pages."""

from __future__ import annotations

from typing import Annotated

import typer

from paraphrast.cli._support.bind import with_options
from paraphrast.cli._support.options import Verbose, report, set_verbosity
from paraphrast.web.settings import Settings

#: Seconds that an idle connection stays open: longer than proxies keep theirs, so that none is closed while it sends.
KEEP_ALIVE = 75


@with_options
def serve(
    *,
    host: Annotated[str, typer.Option(help="Address to listen on. 0.0.0.0 opens the service to others.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(help="Port to listen on.", min=0, max=65535)] = 8000,
    settings: Settings,
    verbose: Verbose = False,
) -> None:
    """Serve an HTTP interface under /v1 and pages to rewrite, explain, fuse and align text in a browser.

    The interface is described at /openapi.json.
    """
    from paraphrast._extras import require

    require("paraphrast serve", "web")
    import uvicorn

    from paraphrast.web.app import create_app

    set_verbosity(verbose)
    app = create_app(settings)
    shown = f"[{host}]" if ":" in host else host
    report(f"Serving http://{shown}:{port} (Ctrl-C stops)")
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="info" if verbose else "warning",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE,
    )
