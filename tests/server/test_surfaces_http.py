"""No route of `citewiki serve` tells of a page that its caller may not see; see `tests/hidden.py`."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Match
from starlette.testclient import TestClient

from citewiki.config import Config
from citewiki.server.app import build_app
from citewiki.store.users import add_user, issue_token
from tests import surfaces
from tests.conftest import write_files
from tests.hidden import PRYING, files, same, signs, wiki_files
from tests.server.web import NOW, bearer, build_site, client, settings

REPOSITORY = Path(__file__).parents[2]
Pair = tuple[TestClient, TestClient]

NEW_EACH_TIME = ("set-cookie", "mcp-session-id", "content-length")


def made(folder: Path, hidden: bool) -> Path:
    """A wiki with users and what a site needs, with or without the hidden pages."""
    root = folder / ("with" if hidden else "without")
    write_files(root, {**wiki_files(hidden), **PRYING})
    shutil.copy(REPOSITORY / "mkdocs.yml", root)
    shutil.copytree(REPOSITORY / "hooks", root / "hooks")
    for name in ("alice", "bob", "carol"):
        add_user(root, name, now=NOW)
    return root


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Servers of the wiki with the hidden pages, and of the one without."""
    folder = tmp_path_factory.mktemp("walk")
    patience = settings(calls_per_minute=100_000, logins_per_minute=100_000)
    with (
        pytest.MonkeyPatch.context() as patch,
        client(made(folder, True), patience) as with_them,
        client(made(folder, False), patience) as without,
    ):
        patch.setenv("SOURCE_DATE_EPOCH", "1790000000")
        yield with_them, without


def of(pair: Pair, user: str) -> list[Mapping[str, str]]:
    """The header by which each server knows `user`; nothing for anyone."""
    if user == "*":
        return [{}, {}]
    roots = (each.app.state.serving.root for each in pair)  # type: ignore[attr-defined]
    return [bearer(issue_token(root, user, name=f"t{id(object())}", now=NOW)) for root in roots]


def told(reply: Any) -> str:
    """All of a reply, but what is new each time: status, headers, body."""
    headers = sorted(each for each in reply.headers.items() if each[0] not in NEW_EACH_TIME)
    return same(f"{reply.status_code}\n{headers}\n{reply.content.decode(errors='replace')}")


@pytest.mark.parametrize("user", ["bob", "*"])
def test_no_route_that_reads_tells_of_hidden_pages(pair: Pair, user: str) -> None:
    headers = of(pair, user)
    for web, header in zip(pair, headers, strict=True):
        build_site(web, header)
    for address in surfaces.GETS:
        with_them, without = (
            told(web.get(address, headers=header))
            for web, header in zip(pair, headers, strict=True)
        )
        assert with_them == without, address
        # the page to ask in shows what the user has asked before
        asked = str(surfaces.QUESTIONS) if address.startswith("/ask") else address
        assert signs(with_them, f"{asked} {PRYING}") == [], address


def test_the_owner_is_told_by_the_same_routes(pair: Pair) -> None:
    headers = of(pair, "alice")
    for web, header in zip(pair, headers, strict=True):
        build_site(web, header)
    differ = {
        address.split("?")[0].strip("/").split("/")[0]
        for address in surfaces.GETS
        if told(pair[0].get(address, headers=headers[0]))
        != told(pair[1].get(address, headers=headers[1]))
    }
    assert differ >= {"ask", "p", "api", "log", "graph.json", "search", "norgumble", ""}
    files_ = (
        pair[0].get(each, headers=headers[0]) for each in ("/norgumble/imgfrisk.png", "/log/")
    )
    assert all(signs(told(each)) for each in files_)


@pytest.mark.parametrize("user", ["bob", "*"])
def test_no_route_that_writes_tells_of_hidden_pages_or_turns_on_them(
    tmp_path: Path, user: str
) -> None:
    roots = made(tmp_path, True), made(tmp_path, False)
    before, others = map(files, roots)
    hidden = {path: before[path] for path in before.keys() - others.keys()}
    patience = settings(calls_per_minute=100_000, logins_per_minute=100_000)
    with client(roots[0], patience) as one, client(roots[1], patience) as other:
        headers = of((one, other), user)
        for address, what in surfaces.POSTS:
            with_them, without = (
                told(web.post(address, headers=header, **what))
                for web, header in zip((one, other), headers, strict=True)
            )
            assert with_them == without, (address, what)
            assert signs(with_them, f"{surfaces.POSTS}") == [], (address, what)
        after, without_after = map(files, roots)
        assert after == {**without_after, **hidden}
        for address in surfaces.GETS:
            if address.startswith(("/api/", "/p/")):
                with_them, without = (
                    told(web.get(address, headers=header))
                    for web, header in zip((one, other), headers, strict=True)
                )
                assert with_them == without, address


def test_every_route_is_walked(tmp_path: Path) -> None:
    app = build_app(made(tmp_path, False), Config())
    asked = [("GET", each.split("?")[0]) for each in surfaces.GETS]
    asked += [("POST", address) for address, _ in surfaces.POSTS]
    reached = set()
    for method, path in asked:
        scope = {"type": "http", "method": method, "path": path, "headers": []}
        reached.add(
            next(n for n, each in enumerate(app.routes) if each.matches(scope)[0] is Match.FULL)
        )
    left = [each for n, each in enumerate(app.routes) if n not in reached]
    assert left == []
