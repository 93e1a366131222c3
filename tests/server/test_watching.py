"""Who is told that a resource reads otherwise, and who is told of nothing more."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path

import anyio
import pytest
from mcp.client import Client

from citewiki.config import ServerConfig
from citewiki.server.identity import is_still
from citewiki.server.mcp import build_mcp, watching
from citewiki.server.mcp.calls import new_calls
from citewiki.server.mcp.session import Session
from citewiki.server.mcp.watching import Watcher, Watching
from citewiki.server.opened import Opened
from citewiki.store.users import authenticate, revoke_token
from tests.server.web import NOW, client, make_wiki, token

SECONDS = 20.0
URI = "wiki://index"
Tell = Callable[[str], Awaitable[None]]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """A wiki that stays open."""
    found = Opened(make_wiki(tmp_path))
    yield found
    found.close()


def told(opened: Opened, watchers: Sequence[tuple[Tell, Callable[[], bool]]]) -> list[int]:
    """Who is left, by number, once the last of the watchers has been told of a change."""
    session = Session(opened.wiki("alice"))
    watched = Watching(new_calls(lambda _: session, ServerConfig(), None), opened.stamp)
    done = anyio.Event()

    async def last(uri: str) -> None:
        done.set()

    async def bounded() -> None:
        for number, (tell, holds) in enumerate((*watchers, (last, lambda: True))):
            of = Session(opened.wiki("alice"), holds=holds)
            watched.add(number, Watcher(of, {URI: "it read otherwise"}, tell))
        with anyio.fail_after(SECONDS):
            async with watched.running():
                await done.wait()

    anyio.run(bounded)
    return list(watched._watchers)


def test_one_who_takes_nothing_or_breaks_keeps_nobody_from_being_told(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "PATIENCE", 0.05)

    async def takes_nothing(uri: str) -> None:
        await anyio.sleep_forever()

    async def breaks(uri: str) -> None:
        raise anyio.BrokenResourceError

    assert told(opened, [(takes_nothing, lambda: True), (breaks, lambda: True)]) == [2]


def test_one_who_would_not_be_let_in_any_more_is_told_nothing(opened: Opened) -> None:
    heard: list[str] = []

    async def hear(uri: str) -> None:
        heard.append(uri)

    assert told(opened, [(hear, lambda: False)]) == [1]
    assert not heard


@pytest.mark.filterwarnings("ignore::mcp.MCPDeprecationWarning")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_subscription_ends_with_its_connection(opened: Opened, mode: str) -> None:
    async def bounded() -> None:
        server = build_mcp(lambda _: Session(opened.wiki("alice")), ServerConfig(), opened.stamp)
        watched = server._subscriptions
        assert isinstance(watched, Watching)
        with anyio.fail_after(SECONDS):
            async with Client(server, mode=mode) as client:
                if mode == "legacy":
                    await client.subscribe_resource(URI)
                    assert len(watched._watchers) == 1
                else:
                    async with client.listen(resource_subscriptions=[URI]):
                        assert len(watched._watchers) == 1
        assert not watched._watchers

    anyio.run(bounded)


def test_whose_token_is_gone_would_not_be_let_in_any_more(tmp_path: Path) -> None:
    root = make_wiki(tmp_path)
    identity = authenticate(root, token(root, "bob"), now=NOW)
    with client(root) as web:
        serving = web.app.state.serving  # type: ignore[attr-defined]
        assert is_still(serving, None)
        assert is_still(serving, identity)
        revoke_token(root, "bob", "laptop", now=NOW)
        token(root, "bob")  # another one of the same name
        assert not is_still(serving, identity)
