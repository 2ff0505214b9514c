"""The application: settings → routes of the HTTP interface, pages, static files and, with a database, campaigns."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from paraphrast._version import __version__
from paraphrast.web import pages
from paraphrast.web.render import FOLDER
from paraphrast.web.security import SecurityHeaders
from paraphrast.web.settings import Settings


def create_app(settings: Settings | None = None) -> FastAPI:
    """The service as an ASGI application."""
    settings = settings or Settings()
    app = FastAPI(title="paraphrast", version=__version__, docs_url=None, redoc_url=None)
    app.state.settings = settings
    app.include_router(pages.router)
    if settings.database is not None:
        include_campaigns(app, settings.database)
    app.mount("/static", StaticFiles(directory=FOLDER / "static"), name="static")
    app.add_middleware(SecurityHeaders)
    return app


def include_campaigns(app: FastAPI, database: str) -> None:
    """Add the routes and pages of rating campaigns.

    The room ``campaign`` knows the database; its pages extend ``base.html`` by :mod:`paraphrast.web.render`.
    """
    from paraphrast.campaign.routes import make_router
    from paraphrast.web.render import render

    app.include_router(make_router(database, render))
    app.state.navigation = [("/campaigns", "Campaigns")]
