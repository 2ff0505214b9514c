"""The HTTP interface, version 1."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response, StreamingResponse
from pydantic import ValidationError
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from paraphrast._version import __version__
from paraphrast.web import answers, schemas
from paraphrast.web.problems import Problem, clean, invalid
from paraphrast.web.service import CHUNK, service_of

ERRORS: dict[int | str, dict[str, Any]] = {
    status: {"model": schemas.ErrorAnswer, "description": text}
    for status, text in {
        400: "The body is not JSON.",
        401: "The service needs a token.",
        413: "A text, a batch or the body is too large.",
        422: "A field is missing, unknown or has a wrong value.",
        429: "Too much work waits. Try again later.",
        503: "The service is not ready, too slow, or lacks something.",
    }.items()
}
NOT_FOUND: dict[int | str, dict[str, Any]] = {
    404: {"model": schemas.ErrorAnswer, "description": "The model does not know the phrase."}
}
router = APIRouter(prefix="/v1", responses=ERRORS)


def as_json(data: bytes) -> Response:
    """An answer whose body is JSON already."""
    return Response(data, media_type="application/json")


@router.post("/paraphrase", response_model=schemas.Paraphrases, tags=["rewrite"])
async def paraphrase(request: Request, body: schemas.ParaphraseRequest) -> Response:  # type: ignore[valid-type]
    """Rewrite one text. Every option of the library is a field."""
    given: Any = body
    (found,) = await service_of(request).paraphrase(request, [given.text], schemas.options_in(given))
    text = json.dumps(given.text, ensure_ascii=False).encode()
    return as_json(b'{"text":' + text + b',"paraphrases":' + found + b"}")


@router.post("/paraphrase/batch", response_model=schemas.ParaphraseBatch, tags=["rewrite"])
async def batch(request: Request, body: schemas.BatchRequest) -> Response:  # type: ignore[valid-type]
    """Rewrite several texts with the same options. Results are in the order of the texts."""
    given: Any = body
    results = await service_of(request).paraphrase(request, given.texts, schemas.options_in(given))
    return as_json(b'{"results":[' + b",".join(results) + b"]}")


@router.post(
    "/paraphrase/stream",
    tags=["rewrite"],
    response_class=Response,
    responses={
        200: {"content": {"application/x-ndjson": {}}, "description": "One object per text, in order."}
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "application/x-ndjson": {"schema": {"type": "string"}, "example": '{"n": 2}\n"A text."\n'}
            },
        }
    },
)
async def stream(request: Request) -> Response:
    """Rewrite a file, one JSON value per line: texts, after an optional first object with options.

    A line is a text, or an object with the field text; other fields of it come back with the paraphrases. Results come
    while the texts are sent, in order. The service reads no faster than results are taken.
    """
    service = service_of(request)
    lines = _lines(request, 8 * service.settings.max_chars + 1000)
    first = await anext(lines, None)
    options: dict[str, Any] = {}
    if first is not None and isinstance(value := _parsed(first, 1), dict) and "text" not in value:
        try:
            options = schemas.options_in(schemas.Options.model_validate(value))
        except ValidationError as error:
            raise invalid(error.errors()) from error
        first = None
    service.check_options(options)
    results = _stream(service, _texts(service, lines, first), options)
    return Streamed(_while_connected(request, results), media_type="application/x-ndjson")


class Streamed(StreamingResponse):
    """A streaming answer that leaves the body of its request alone: the answer is made while the body is read."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the answer."""
        await self.stream_response(send)


async def _while_connected(request: Request, results: AsyncGenerator[bytes, None]) -> AsyncIterator[bytes]:
    """The results, until the client goes away. While the body is read, reading it fails then."""
    try:
        async for line in results:
            yield line
            if getattr(request.state, "is_read", False) and await request.is_disconnected():
                return
    except ClientDisconnect:
        return
    finally:
        await results.aclose()


async def _stream(
    service: Any, records: AsyncIterator[dict[str, Any]], options: dict[str, Any]
) -> AsyncGenerator[bytes, None]:
    """One line per text. An error ends the stream: its last line is the error."""
    waiting: list[dict[str, Any]] = []

    async def chunks() -> AsyncIterator[list[str]]:
        chunk: list[str] = []
        failure: Problem | None = None
        while True:
            try:
                record = await anext(records, None)
            except Problem as problem:
                record, failure = None, problem
            if record is None:
                break
            waiting.append(record)
            chunk.append(record["text"])
            if len(chunk) == CHUNK:
                yield chunk
                chunk = []
        if chunk:
            yield chunk
        if failure is not None:
            raise failure

    try:
        async for found in service.in_order(chunks(), options):
            head = json.dumps(waiting.pop(0), ensure_ascii=False, separators=(",", ":")).encode()
            yield head[:-1] + b',"paraphrases":' + found + b"}\n"
    except Problem as problem:
        yield json.dumps(problem.to_dict(), ensure_ascii=False).encode() + b"\n"


async def _texts(
    service: Any, lines: AsyncIterator[bytes], first: bytes | None
) -> AsyncIterator[dict[str, Any]]:
    number = 1
    if first is not None:
        yield _record(service, first, number)
    async for line in lines:
        number += 1
        yield _record(service, line, number)


def _record(service: Any, line: bytes, number: int) -> dict[str, Any]:
    value = _parsed(line, number)
    record = {"text": value} if isinstance(value, str) else value
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        raise Problem(
            422, f"line {number}: expected a text or an object with a text, got {type(value).__name__}"
        )
    if any("\ud800" <= char <= "\udfff" for char in record["text"]):
        raise Problem(422, f"line {number}: expected valid Unicode text, got a lone surrogate")
    service.check_text(record["text"], f"line {number}")
    return record


def _parsed(line: bytes, number: int) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        shown = clean(line[:40].decode("utf-8", errors="replace"))
        raise Problem(400, f"line {number}: expected JSON, got {shown!r}", where=f"line {number}") from None


async def _lines(request: Request, longest: int) -> AsyncIterator[bytes]:
    """The lines of a body, without empty ones."""
    rest = b""
    async for data in request.stream():
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if line.strip():
                yield line
        if len(rest) > longest:
            raise Problem(413, f"expected lines of at most {longest:,} bytes, got a longer one", where="body")
    request.state.is_read = True
    if rest.strip():
        yield rest


@router.post(
    "/explain",
    response_model=answers.Evidence | answers.KnownParaphrases,
    tags=["evidence"],
    responses=NOT_FOUND,
)
async def explain(request: Request, body: schemas.ExplainRequest) -> Response:
    """Tables, scores, pivot phrases and corpus sentences behind a substitution."""
    service = service_of(request)
    service.check_text(body.phrase, "phrase")
    service.check_text(body.paraphrase or "", "paraphrase")
    return as_json(await service.run(request, "explain", body.model_dump()))


@router.post("/align", response_model=answers.AlignAnswer, tags=["pairs"])
async def align(request: Request, body: schemas.AlignRequest) -> Response:
    """Links between the words of two texts of one language, each with its probability."""
    service = service_of(request)
    service.check_texts((text for pair in body.pairs for text in pair), "pairs")
    found = await service.run(request, "align", body.model_dump())
    return as_json(b'{"pairs":' + found + b"}")


@router.post("/identify", response_model=answers.IdentifyAnswer, tags=["pairs"])
async def identify(request: Request, body: schemas.IdentifyRequest) -> Response:
    """The probability that two sentences are paraphrases of each other."""
    service = service_of(request)
    service.check_texts((text for pair in body.pairs for text in pair), "pairs")
    found = await service.run(request, "identify", body.model_dump())
    return as_json(b'{"probabilities":' + found + b"}")


@router.post("/fuse", response_model=answers.FuseAnswer, tags=["reports"])
async def fuse(request: Request, body: schemas.FuseRequest) -> Response:
    """New sentences from reports of one event. Each span names the sentences it came from."""
    service = service_of(request)
    check_reports(service, body.sentences)
    return as_json(await service.run(request, "fuse", body.model_dump()))


#: Reports and words per report that are fused at most: time grows with the square of both.
MAX_REPORTS, MAX_WORDS = 50, 120


def check_reports(service: Any, sentences: list[str]) -> None:
    """Refuse reports that would take too long."""
    service.check_texts(sentences, "sentences")
    longest = max((len(sentence.split()) for sentence in sentences), default=0)
    if len(sentences) > MAX_REPORTS or longest > MAX_WORDS:
        raise Problem(
            413,
            f"sentences: expected at most {MAX_REPORTS} sentences of {MAX_WORDS} words, "
            f"got {len(sentences)} of up to {longest}",
            where="sentences",
            remedy="use paraphrast fuse on the command line for larger clusters",
        )
    if not any(sentence.strip() for sentence in sentences):
        raise Problem(422, "sentences: expected at least one sentence, got none", where="sentences")


@router.post("/references", response_model=answers.ReferencesAnswer, tags=["reports"])
async def references(request: Request, body: schemas.ReferencesRequest) -> Response:
    """Scores of outputs with a reference and with its paraphrases, and which words match through which paraphrase."""
    service = service_of(request)
    texts = [text for item in body.segments for text in (item.source, item.reference, *item.outputs)]
    service.check_texts(texts, "segments")
    check_segments([item.model_dump() for item in body.segments])
    return as_json(await service.run(request, "references", references_payload(body.model_dump())))


def check_segments(segments: list[dict[str, Any]]) -> None:
    """Refuse segments without a reference or without outputs."""
    if not segments or not any(item["outputs"] for item in segments):
        raise Problem(422, "segments: expected at least one with an output, got none", where="segments")
    for number, item in enumerate(segments):
        if not item["reference"].strip():
            raise Problem(
                422, "reference: expected a text, got an empty one", where=f"segments.{number}.reference"
            )


def references_payload(values: dict[str, Any]) -> dict[str, Any]:
    """What a worker needs: paraphrases of the segments themselves only where there are sources."""
    has_sources = all(item["source"].strip() for item in values["segments"])
    return {"source_language": "auto", **values, "bitext": has_sources}


@router.get("/models", response_model=answers.ModelsAnswer, tags=["service"])
async def models(request: Request) -> Response:
    """The loaded model: language, tables, sources with licences, signature."""
    found = await service_of(request).run(request, "describe", {})
    return as_json(b'{"models":[' + found + b"]}")


@router.get("/health", response_model=answers.HealthAnswer, tags=["service"])
async def health() -> dict[str, str]:
    """Whether the service runs."""
    return {"status": "ok", "version": __version__}


@router.get("/ready", response_model=answers.ReadyAnswer, tags=["service"])
async def ready(request: Request) -> dict[str, Any]:
    """Whether a worker has loaded the model. Status 503 until then."""
    pool = service_of(request).pool
    if not pool.is_ready:
        reason = pool.failure or "the model is loading"
        raise Problem(
            503, reason, remedy="wait, or read the log of the service", headers={"Retry-After": "2"}
        )
    return {"status": "ready", **pool.counts}


@router.get("/metrics", tags=["service"], response_class=Response)
async def metrics(request: Request) -> Response:
    """Counters in Prometheus' text format."""
    return Response(request.app.state.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
