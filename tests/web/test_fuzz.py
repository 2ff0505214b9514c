"""Random requests, valid or not: always an answer with a body, never a status of 500 and above except 503."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from paraphrast.web.schemas import SENTENCE

#: Routes with a quick answer, and a body that each takes.
BODIES: dict[str, dict[str, Any]] = {
    "/v1/paraphrase": {
        "text": SENTENCE,
        "n": 2,
        "strength": 0.5,
        "protect": ["must"],
        "avoid": [],
        "vetoes": None,
    },
    "/v1/paraphrase/batch": {"texts": ["He began.", ""], "n": 1, "must_use": [], "tables": ["pivot"]},
    "/v1/explain": {"phrase": "examine", "paraphrase": "look at", "n": 3},
    "/v1/identify": {"pairs": [["He began.", "He started."]]},
}
TEXT = st.text(st.characters(codec=None), max_size=30)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A route and a body that follows its description, or nearly."""
    path = draw(st.sampled_from(sorted(BODIES)))
    body = dict(BODIES[path])
    for _ in range(draw(st.integers(0, 3))):
        name = draw(st.sampled_from(sorted(body)) | TEXT) if body else draw(TEXT)
        if draw(st.booleans()):
            body[name] = draw(VALUES)
        else:
            body.pop(name, None)
    return path, body


@given(request=requests())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_every_request_is_answered(client: TestClient, request: tuple[str, dict[str, Any]]) -> None:
    import json

    path, body = request
    content = json.dumps(body).encode("ascii")  # lone surrogates stay as escapes
    response = client.post(path, content=content, headers={"Content-Type": "application/json"})
    assert response.status_code in (200, 404, 413, 422)
    if response.status_code != 200:
        assert response.json()["error"]["message"]


@given(path=st.text(max_size=20), query=st.text(max_size=20))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=25)
def test_addresses_read_no_file(client: TestClient, path: str, query: str) -> None:
    from urllib.parse import quote

    for prefix in ("/", "/static/", "/static/../", "/v1/"):
        address = f"{prefix}{quote(path, errors='replace')}?{quote(query, errors='replace')}"
        response = client.get(address, follow_redirects=False)
        assert response.status_code < 500 or response.status_code == 503
        assert b"create_app" not in response.content
