"""Pages as they are now (/p/), the built site as each viewer may see it, the server's assets."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from mimetypes import guess_type
from pathlib import Path
from urllib.parse import quote

from anyio.to_thread import run_sync
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from citewiki.server.article import article
from citewiki.server.identity import viewer_of
from citewiki.server.problems import calls_programs
from citewiki.server.security import local_path
from citewiki.server.serving import Serving, serving_of
from citewiki.server.site import FILE_POLICY, file_at, site_policy

NOTHING = "There is nothing here: no such page, or none that you may see."
ASSETS = Path(__file__).parent / "assets"
LISTED = 200
"""Pages that the plain list names, before there is a site."""

_WHOLE = 4_000_000  # bytes up to which a file is read whole; a larger one is sent in parts
_NO_DAY = "Thu, 01 Jan 1970 00:00:00 GMT"  # in place of when it was built
_TYPES = {
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
}


async def page(request: Request) -> Response:
    """A page from its file, with its state, sources and what links to it."""
    serving = serving_of(request)
    words = request.query_params.get("quote", "")
    shown = await run_sync(
        article, serving.wiki(request), request.path_params["slug"], serving.now(), words
    )
    if shown is None:
        raise HTTPException(404)
    return tagged(request, serving.page(request, "page.html", {"shown": shown}))


async def own_asset(request: Request) -> Response:
    """A style or script of the pages that the server writes itself."""
    path = file_at(ASSETS, request.path_params["name"])
    if path is None:
        raise HTTPException(404)
    return tagged(request, await run_sync(_file, path), "public, max-age=600")


async def site(request: Request) -> Response:
    """A file of the built site; until there is one, a plain list of pages in its place."""
    serving = serving_of(request)
    folder = await run_sync(serving.sites.folder, viewer_of(request))
    address = request.scope["path"]
    if folder is None and calls_programs(request):  # or it is a page of a domain that is called so
        raise HTTPException(404)
    if folder is None:
        return await _list(serving, request, 200 if address == "/" else 503)
    path = await run_sync(file_at, folder, address)
    if path is None:
        below = None if address.endswith("/") else await run_sync(file_at, folder, f"{address}/")
        if below is not None:
            return RedirectResponse(local_path(f"{quote(address)}/"), 301)
        raise HTTPException(404)
    response = await run_sync(_file, path)
    if path.suffix != ".html" and not address.startswith("/assets/"):
        response.headers["content-security-policy"] = FILE_POLICY
    if path.suffix == ".html":
        base = f"{request.url.scheme}://{request.headers['host']}"
        if serving.url and serving.url.partition("://")[2] == request.headers["host"]:
            base = serving.url  # the scheme that the browser sees, not the proxy's
        html = bytes(response.body).decode("utf-8", "replace")
        response.headers["content-security-policy"] = site_policy(html, folder, base)
    return tagged(request, response)


ROUTES: list[Route] = [
    Route("/p/{slug}", page, methods=["GET"]),
    Route("/_citewiki/{name}", own_asset, methods=["GET"]),
    Route("/{path:path}", site, methods=["GET"]),
]


def tagged(request: Request, response: Response, kept: str = "private, no-cache") -> Response:
    """`response` with a tag of what it holds, or 304 to who has just that.

    The tag follows from what is sent and nothing else: times of files would tell of changes that
    a viewer may not see.
    """
    response.headers["cache-control"] = kept
    if isinstance(response, FileResponse) or response.status_code != 200:
        return response
    tag = f'"{hashlib.sha256(response.body).hexdigest()[:32]}"'
    response.headers["etag"] = tag
    known = [
        each.strip().removeprefix("W/")
        for each in request.headers.get("if-none-match", "").split(",")
    ]
    if tag not in known:
        return response
    names = ("cache-control", "content-security-policy", "etag", "vary")
    same = {name: response.headers[name] for name in names if name in response.headers}
    return Response(status_code=304, headers=same)


def _file(path: Path) -> Response:
    kind = _TYPES.get(path.suffix) or guess_type(path.name)[0] or "application/octet-stream"
    if path.stat().st_size > _WHOLE and path.suffix != ".html":
        large = FileResponse(path, media_type=kind, stat_result=path.stat())
        large.headers["etag"] = f'"{_digest(path, path.stat().st_mtime_ns)}"'
        large.headers["last-modified"] = _NO_DAY
        return large
    return Response(path.read_bytes(), media_type=kind)


@lru_cache(maxsize=256)
def _digest(path: Path, changed: int) -> str:
    """A hash of the file at `path`, which was last `changed` then."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]


async def _list(serving: Serving, request: Request, status: int) -> Response:
    viewer = viewer_of(request)

    def found() -> dict[str, object]:
        with serving.wiki(request).index as index:
            pages = [index.page(path) for path in index.paths()[:LISTED]]
            return {
                "pages": [
                    (page.title, f"/p/{quote(page.slug, safe='')}", page.summary)
                    for page in pages
                    if page
                ],
                "more": max(0, index.count - LISTED),
                "failed": serving.sites.is_failed(viewer),
            }

    headers = {"retry-after": "5"} if status == 503 else None
    return serving.page(request, "list.html", await run_sync(found), status, headers)
