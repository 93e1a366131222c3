"""/ask: a page to ask in. It works without script; with script the answer streams in."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import anyio
import anyio.from_thread
from anyio.streams.memory import MemoryObjectSendStream
from anyio.to_thread import run_sync
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Send

from citewiki.errors import CitewikiError, Limited, QuestionError
from citewiki.model import Answer
from citewiki.server import history
from citewiki.server.asking import Asked, offers_web, put
from citewiki.server.identity import caller_of, identity_of
from citewiki.server.problems import told
from citewiki.server.serving import Serving, serving_of

if TYPE_CHECKING:
    from citewiki.ask import Report
    from citewiki.model import Citation, Hit

_QUOTE = 400  # characters of a quote that a link carries
_FLAGS = ("strict", "newest_wins", "allow_stale", "web")


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation as the page shows it."""

    number: int
    page: str
    heading: str
    quote: str  # plain; "" when the answer says it in the same words
    href: str
    source: str


@dataclass(frozen=True, slots=True)
class Action:
    """What to do about a refusal, as a button."""

    words: str
    href: str


async def page(request: Request) -> Response:
    """The form; with a question, the answer as well.

    A link of another site only fills in the form: it may not ask, and so spend, in a user's name.
    """
    serving = serving_of(request)
    fields = _fields(request)
    foreign = request.headers.get("sec-fetch-site") in ("cross-site", "same-site")
    if not fields.get("question") or foreign:
        return await _shown(request, fields)
    if request.query_params.get("mode") == "search":
        found = await run_sync(_search, serving, request, fields["question"])
        return await _shown(request, fields, hits=found)
    try:
        asked = _asked(fields)
        answer = await run_sync(_answer, serving, request, asked)
    except CitewikiError as error:
        status, line = told(error)
        wait = {"retry-after": str(error.seconds)} if isinstance(error, Limited) else None
        return await _shown(request, fields, fault=f"{line}.", status=status, headers=wait)
    shown = await run_sync(_view, serving, request, asked, answer)
    return await _shown(request, fields, shown=shown)


async def stream(request: Request) -> Response:
    """The same, as lines of JSON while it comes about: stages, then the answer's HTML."""
    fields = {key: str(value) for key, value in (await request.form(max_files=0)).items()}
    return Stages(serving_of(request), request, fields)


async def forget(request: Request) -> Response:
    """Delete the questions that the user has asked."""
    identity = identity_of(request)
    if identity and not identity.read_only:
        await run_sync(history.forget, serving_of(request).root, identity.user)
    return RedirectResponse("/ask", 303)


ROUTES: list[Route] = [
    Route("/ask", page, methods=["GET"]),
    Route("/ask/stream", stream, methods=["POST"]),
    Route("/ask/forget", forget, methods=["POST"]),
]


class Stages(StreamingResponse):
    """The stages of one question as they are reached, a line of JSON each."""

    media_type = "application/x-ndjson"

    def __init__(self, serving: Serving, request: Request, fields: dict[str, str]) -> None:
        super().__init__((), headers={"x-accel-buffering": "no"})
        self.serving, self.request, self.fields = serving, request, fields

    async def stream_response(self, send: Send) -> None:
        """Send what comes; the thread that asks ends early when nobody reads any more."""
        lines, told_lines = anyio.create_memory_object_stream[dict[str, Any]](math.inf)
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        async with anyio.create_task_group() as tasks, told_lines:
            tasks.start_soon(self._work, lines)
            async for line in told_lines:
                body = json.dumps(line, ensure_ascii=False).encode() + b"\n"
                await send({"type": "http.response.body", "body": body, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _work(self, lines: MemoryObjectSendStream[dict[str, Any]]) -> None:
        def report(stage: str, what: tuple[str, ...]) -> None:
            anyio.from_thread.run_sync(lines.send_nowait, {"stage": stage, "what": what[:8]})

        with lines:
            try:
                line = await run_sync(self._asked, report)
            except CitewikiError as error:
                line = {"stage": "failed", "detail": f"{told(error)[1]}."}
            await lines.send(line)

    def _asked(self, report: Report) -> dict[str, Any]:
        asked = _asked(self.fields)
        answer = _answer(self.serving, self.request, asked, report)
        shown = _view(self.serving, self.request, asked, answer)
        parts = self.serving.templates
        html = parts.get_template("answer.html").render(shown=shown)
        past = parts.get_template("past.html").render(**_past(self.serving, self.request))
        return {"stage": "done", "status": answer.status, "html": html, "past": past}


def _fields(request: Request) -> dict[str, str]:
    """What the address asks; `q` is the question."""
    fields = dict(request.query_params)
    fields.pop("mode", None)
    if "q" in fields:
        fields["question"] = fields.pop("q").strip()
    return fields


def _asked(fields: dict[str, str]) -> Asked:
    """The question of a form, whose empty fields say nothing."""
    try:
        given = {key: value for key in Asked.model_fields if (value := fields.get(key))}
        return Asked.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        name = ".".join(map(str, first["loc"])) or "the form"
        raise QuestionError(f"{name}: {first['msg']}", hint="ask again") from None


def _answer(
    serving: Serving, request: Request, asked: Asked, report: Report | None = None
) -> Answer:
    serving.limits.call(caller_of(request))
    answer = put(serving, request, asked, report)
    identity = identity_of(request)
    if identity and not identity.read_only:
        history.remember(serving.root, identity.user, asked.question, answer.status, serving.now())
    return answer


def _search(serving: Serving, request: Request, words: str) -> tuple[Hit, ...]:
    serving.limits.call(caller_of(request))
    return serving.wiki(request).search(words[:500], limit=20)


def _view(serving: Serving, request: Request, asked: Asked, answer: Answer) -> dict[str, Any]:
    """What answer.html is given."""
    from citewiki.query.web import is_web

    cited = list(dict.fromkeys(each for claim in answer.claims for each in claim.citations))
    said = " ".join(answer.answer.split())
    pages: list[tuple[str, str]] = []
    if answer.refusal and answer.refusal.available:
        by_title = {hit.title: hit.slug for hit in answer.retrieved}
        pages = [(title, page_link(by_title.get(title, ""))) for title in answer.refusal.available]
    return {
        "answer": answer,
        "claims": [
            (claim.text, [cited.index(each) + 1 for each in claim.citations])
            for claim in answer.claims
        ],
        "cited": [_cited(number, each, said) for number, each in enumerate(cited, 1)],
        "from_web": any(is_web(each.slug) for each in cited),
        "available": pages,
        "actions": _actions(serving, request, asked, answer),
        "by_model": answer.engine != "extractive",
    }


def _cited(number: int, citation: Citation, said: str) -> Cited:
    from citewiki.markdown.plain import plain

    words = " ".join(plain(citation.quote).split())
    return Cited(
        number,
        citation.page,
        citation.heading,
        "" if words in said else words,
        quote_link(citation.slug, words),
        citation.source,
    )


def page_link(slug: str) -> str:
    """Where a page is shown; of one from the web, its own address. "" for none."""
    if slug.startswith("web:"):
        address = slug.removeprefix("web:")
        return address if address.startswith(("https://", "http://")) else ""
    return f"/p/{quote(slug, safe='')}" if slug else ""


def quote_link(slug: str, words: str) -> str:
    """Where the page says `words`, marked by the server and, where it can, by the browser."""
    link = page_link(slug)
    short = words if len(words) <= _QUOTE else words[:_QUOTE].rpartition(" ")[0] or words[:_QUOTE]
    fragment = quote(short, safe="").replace("-", "%2D")  # "-" parts a text directive
    if not link or not link.startswith("/"):
        return f"{link}#:~:text={fragment}" if link else ""
    return f"{link}?{urlencode({'quote': short})}#quote:~:text={fragment}"


def _actions(
    serving: Serving, request: Request, asked: Asked, answer: Answer
) -> tuple[Action, ...]:
    """The next steps after a refusal, the likeliest first."""
    if answer.refusal is None:
        return ()
    kind = answer.refusal.kind
    found: list[Action] = []
    if kind == "stale":
        found.append(Action("Answer all the same, with a warning", _again(asked, allow_stale="1")))
    if kind == "conflict":
        found.append(Action("Take what holds since later", _again(asked, newest_wins="1")))
    if kind == "not_stated" and asked.strict:
        found.append(Action("Ask less strictly", _again(asked, strict="")))
    if asked.domain:
        found.append(Action("Ask in all domains", _again(asked, domain="")))
    if asked.as_of or asked.known_at:
        found.append(Action("Ask of today", _again(asked, as_of="", known_at="")))
    if offers_web(serving, request) and not asked.web:
        found.append(Action("Ask the web", _again(asked, web="1")))
    found.append(Action("Search the wiki for these words", _again(asked, mode="search")))
    return tuple(found)


def _again(asked: Asked, **changed: str) -> str:
    """The address of the same question, put otherwise."""
    from citewiki.model import iso

    fields = {"q": asked.question, "domain": asked.domain}
    fields |= {name: "1" for name in _FLAGS if getattr(asked, name)}
    for name in ("as_of", "known_at"):
        value = getattr(asked, name)
        fields[name] = iso(value) if value else ""
    return "/ask?" + urlencode(
        {key: value for key, value in {**fields, **changed}.items() if value}
    )


async def _shown(
    request: Request,
    fields: dict[str, str],
    *,
    shown: dict[str, Any] | None = None,
    hits: Any = None,
    fault: str = "",
    status: int = 200,
    headers: dict[str, str] | None = None,
) -> Response:
    serving = serving_of(request)
    values = {
        "fields": {name: fields.get(name, "") for name in ("question", "domain", "as_of", *_FLAGS)},
        "shown": shown,
        "hits": None if hits is None else [(hit.title, page_link(hit.slug)) for hit in hits],
        "fault": fault,
        "web": offers_web(serving, request),
        **await run_sync(_past, serving, request),
    }
    return serving.page(request, "ask.html", values, status, headers)


def _past(serving: Serving, request: Request) -> dict[str, Any]:
    """What past.html is given: the questions of who makes the request."""
    identity = identity_of(request)
    return {
        "past": history.past(serving.root, identity.user) if identity else (),
        "past_link": lambda question: "/ask?" + urlencode({"q": question}),
        "keeps": identity is not None and not identity.read_only,
    }
