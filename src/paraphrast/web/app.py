"""The application: settings → routes of the HTTP interface, pages, static files and, with a database, campaigns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from paraphrast._version import __version__
from paraphrast.web import api, pages, problems
from paraphrast.web.access import Gate, Guarded
from paraphrast.web.limits import LimitedBody
from paraphrast.web.metrics import Measured, Metrics
from paraphrast.web.render import FOLDER, render
from paraphrast.web.security import SecurityHeaders
from paraphrast.web.service import Service
from paraphrast.web.settings import Settings

DESCRIPTION = "Rewrite text with learnt paraphrases, and see the evidence. Offsets count Unicode code points."


def create_app(settings: Settings | None = None) -> FastAPI:
    """The service as an ASGI application. Its workers run while it runs."""
    settings = settings or Settings()
    service = Service(settings)
    gate = Gate(settings.tokens())
    metrics = Metrics(service.pool)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.pool.start()
        try:
            yield
        finally:
            await asyncio.to_thread(service.pool.stop)

    app = FastAPI(
        title="paraphrast",
        version=__version__,
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.service = service
    app.state.gate = gate
    app.state.metrics = metrics
    app.include_router(api.router)
    app.include_router(pages.router)
    if settings.database is not None:
        include_campaigns(app, settings.database)
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    problems.install(app)
    # The last one added is the first that a request meets.
    app.add_middleware(LimitedBody, most=settings.max_body)
    app.add_middleware(Guarded, gate=gate)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Measured, metrics=metrics)
    return app


def include_campaigns(app: FastAPI, database: str) -> None:
    """Add the routes and pages of rating campaigns.

    The room ``campaign`` knows the database; its pages extend ``base.html`` by :mod:`paraphrast.web.render`.
    """
    from paraphrast.campaign.routes import make_router

    app.include_router(make_router(database, render))
    app.state.navigation = [("/campaigns", "Campaigns")]
