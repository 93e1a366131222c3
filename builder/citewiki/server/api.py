"""/api: the wiki as JSON. Checked on the way in, described by /api/openapi.json."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from anyio.to_thread import run_sync
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from citewiki.errors import NotAllowed
from citewiki.model import as_json
from citewiki.server.asking import Asked, Moment, put
from citewiki.server.identity import caller_of, identity_of
from citewiki.server.problems import problem
from citewiki.server.serving import Serving, serving_of

if TYPE_CHECKING:
    from citewiki.model import Page

Model = TypeVar("Model", bound=BaseModel)
Result = TypeVar("Result")

Name = Annotated[str, Field(max_length=200)]


def _number(value: Any) -> Any:
    """A number of an address, which is text there."""
    return int(value) if isinstance(value, str) and value.isascii() and value.isdigit() else value


Count = BeforeValidator(_number)


class Searched(BaseModel):
    """What to look for."""

    model_config = ConfigDict(extra="forbid")

    q: str = Field(min_length=1, max_length=500, description="Words to look for.")
    limit: Annotated[int, Count] = Field(10, ge=1, le=100, description="Pages at most.")
    domain: Name = Field("", description="Only pages of this domain.")
    as_of: Moment = Field(None, description="Only what held at that time.")


class Listed(BaseModel):
    """Which pages to list."""

    model_config = ConfigDict(extra="forbid")

    domain: Name = Field("", description="Only pages of this domain.")
    tag: Name = Field("", description="Only pages with this tag.")
    owner: Name = Field("", description="Only pages of this user.")
    stale_days: Annotated[int | None, Count] = Field(
        None, ge=1, le=100_000, description="Only pages that nobody verified for so many days."
    )
    offset: Annotated[int, Count] = Field(0, ge=0, le=10_000_000, description="Pages to pass over.")
    limit: Annotated[int, Count] = Field(50, ge=1, le=500, description="Pages at most.")


class NewPage(BaseModel):
    """A page to save. One of the same title that is yours is merged with it, not replaced."""

    model_config = ConfigDict(extra="forbid")

    title: str = Field(min_length=1, max_length=300)
    body: str = Field(max_length=1_000_000, description="Markdown, with [[wikilinks]].")
    domain: Name = ""
    summary: str = Field("", max_length=2_000)
    tags: list[Name] = Field(default_factory=list, max_length=50)
    aliases: list[Name] = Field(default_factory=list, max_length=50)
    shared_with: list[Name] | None = Field(
        None, max_length=200, description='Who may read it: users, or "*" for anyone. Default: you.'
    )
    sources: list[Annotated[str, Field(max_length=1_000)]] = Field(
        default_factory=list, max_length=50, description="Sources that it rests on, by id or path."
    )
    why: str = Field("", max_length=500, description="Goes into the log.")


async def ask(request: Request) -> Response:
    """Answer a question from the pages, with citations; or refuse, and say what to do."""
    asked = await _body(request, Asked)
    if isinstance(asked, Response):
        return asked
    answer = await _called(request, partial(put, asked=asked))
    return JSONResponse(as_json(answer))


async def search(request: Request) -> Response:
    """Find pages by words, the best first."""
    wanted = _query(request, Searched)
    if isinstance(wanted, Response):
        return wanted
    return JSONResponse(as_json(await _called(request, partial(_search, wanted=wanted))))


async def list_pages(request: Request) -> Response:
    """List pages by title."""
    wanted = _query(request, Listed)
    if isinstance(wanted, Response):
        return wanted
    return JSONResponse(await _called(request, partial(_listing, wanted=wanted)))


async def get_page(request: Request) -> Response:
    """Read one page, by its slug."""
    slug = request.path_params["slug"]
    found = await _called(request, partial(_page, slug=slug))
    return (
        problem(None, 404, "no such page, or none that you may see")
        if found is None
        else (JSONResponse(found))
    )


async def save_page(request: Request) -> Response:
    """Save a page of your own. It is merged with what is there, and never overwrites an edit."""
    if identity_of(request) is None:
        refusal = problem(None, 401, "Send a token: Authorization: Bearer cw_…")
        refusal.headers["www-authenticate"] = 'Bearer realm="citewiki"'
        return refusal
    new = await _body(request, NewPage)
    if isinstance(new, Response):
        return new
    saved = await _called(request, partial(_save, new=new))
    status = {"created": 201, "queued": 202}.get(saved["action"], 200)
    return JSONResponse(saved, status)


async def openapi(request: Request) -> Response:
    """This description."""
    from citewiki.server.openapi import document

    return JSONResponse(document(serving_of(request).url))


async def readable(request: Request) -> Response:
    """The same, to be read."""
    from citewiki.server.openapi import operations

    return serving_of(request).page(request, "api.html", {"operations": list(operations())})


ROUTES: list[Route] = [
    Route("/api", readable, methods=["GET"]),
    Route("/api/openapi.json", openapi, methods=["GET"]),
    Route("/api/ask", ask, methods=["POST"]),
    Route("/api/search", search, methods=["GET"]),
    Route("/api/pages", list_pages, methods=["GET"]),
    Route("/api/pages", save_page, methods=["POST"]),
    Route("/api/pages/{slug}", get_page, methods=["GET"]),
]


def _search(serving: Serving, request: Request, wanted: Searched) -> Any:
    return serving.wiki(request).search(
        wanted.q, limit=wanted.limit, domain=wanted.domain, as_of=wanted.as_of
    )


def _listing(serving: Serving, request: Request, wanted: Listed) -> dict[str, Any]:
    found = serving.wiki(request).list_pages(**wanted.model_dump(), now=serving.now())
    return {
        "items": [_row(page) for page in found.items],
        "total": found.total,
        "next_offset": found.next_offset,
    }


def _row(page: Page) -> dict[str, Any]:
    """A page in a list."""
    return {
        "slug": page.slug,
        "title": page.title,
        "summary": page.summary,
        "domain": page.domain,
        "tags": list(page.tags),
        "last_verified_at": as_json(page.last_verified_at),
    }


def _page(serving: Serving, request: Request, slug: str) -> dict[str, Any] | None:
    """A page as JSON; who owns and may read it is told to its owner."""
    wiki = serving.wiki(request)
    with wiki.index as index:
        page = index.by_slug(slug)
        if page is None:
            return None
        from citewiki.query.times import as_it_was

        page = as_it_was(page, index.slugs((page.superseded_by, *page.supersedes)))
        linking = [other for path in index.linking(page.path) if (other := index.page(path))]
    plain: dict[str, Any] = as_json(page)
    for key in ("body_line", "problems"):
        del plain[key]
    if wiki.viewer != page.owner:
        for key in ("owner", "shared_with"):
            del plain[key]
    plain["backlinks"] = [{"slug": other.slug, "title": other.title} for other in linking]
    return plain


def _save(serving: Serving, request: Request, new: NewPage) -> dict[str, Any]:
    identity = identity_of(request)
    if identity is None or identity.read_only:
        raise NotAllowed(new.title, "this token may only read", hint="save it with another one")
    given = new.model_dump()
    for key in ("tags", "aliases", "sources"):
        given[key] = tuple(given[key])
    if given["shared_with"] is not None:
        given["shared_with"] = tuple(given["shared_with"])
    saved = serving.wiki(request).save_page(**given, now=serving.now())
    return {
        "slug": saved.slug,
        "action": saved.action,
        "losses": list(saved.losses),
        "message": saved.message,
    }


async def _called(request: Request, do: Callable[..., Result]) -> Result:
    """What `do` brings, counted as a call and done in a thread. Raises what it raises."""
    serving = serving_of(request)
    serving.limits.call(caller_of(request))
    return await run_sync(partial(do, serving, request))


async def _body(request: Request, model: type[Model]) -> Model | Response:
    """The JSON of a request, or the reply that says what is wrong with it."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":  # what no form of another site can send
        return problem(None, 415, "Send JSON, with Content-Type: application/json")
    return _checked(partial(model.model_validate_json, await request.body()))


def _query(request: Request, model: type[Model]) -> Model | Response:
    """The same for what stands in the address."""
    return _checked(partial(model.model_validate, dict(request.query_params)))


def _checked(read: Callable[[], Model]) -> Model | Response:
    try:
        return read()
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_context=False, include_input=False)
        faults = [{"in": ".".join(map(str, each["loc"])), "message": each["msg"]} for each in wrong]
        first = faults[0]
        detail = f"{first['in']}: {first['message']}" if first["in"] else first["message"]
        return problem(None, 422, detail, errors=faults)
