"""A running service for tests: in this process, and on a port for a browser."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from fastapi.testclient import TestClient

from paraphrast.web.app import create_app
from paraphrast.web.settings import Settings

SETTINGS = Settings(workers=1, compiled=False, max_chars=2000, max_batch=20, max_results=20, max_seconds=900)


@pytest.fixture(scope="session")
def client() -> Iterator[TestClient]:
    """The service with the embedded model."""
    with TestClient(create_app(SETTINGS), raise_server_exceptions=False) as client:
        yield client


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a service on a free port of this machine."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(create_app(SETTINGS), port=port, log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(timeout=10)
