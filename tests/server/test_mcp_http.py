"""MCP over HTTP: who comes in, as whom, and that sessions belong to the token that opened them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import LATEST_HANDSHAKE_VERSION, LATEST_MODERN_VERSION
from starlette.testclient import TestClient

from citewiki.server.mcp.tools import WRITING
from citewiki.store.users import revoke_token
from tests.server.web import NOW, bearer, client, make_wiki, settings, token

BOTH = {"accept": "application/json, text/event-stream"}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The wiki of `tests/server/web.py`."""
    return make_wiki(tmp_path / "wiki")


def message(method: str, **params: Any) -> dict[str, Any]:
    """A request of the protocol."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def modern(web: TestClient, known: str, method: str, **params: Any) -> dict[str, Any]:
    """What a client of 2026 is answered."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": LATEST_MODERN_VERSION,
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {"mcp-protocol-version": LATEST_MODERN_VERSION, "mcp-method": method, **BOTH}
    if "name" in params:
        headers["mcp-name"] = params["name"]
    if "uri" in params:
        headers["mcp-name"] = params["uri"]
    if known:
        headers |= bearer(known)
    answer = web.post("/mcp", headers=headers, json=message(method, **params, _meta=meta))
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()["result"]
    return result


def opened(web: TestClient, known: str) -> dict[str, str]:
    """The headers of a session of before 2026 that this token opened."""
    about = {"name": "test", "version": "1"}
    hello = message(
        "initialize", protocolVersion=LATEST_HANDSHAKE_VERSION, capabilities={}, clientInfo=about
    )
    head = {**BOTH, **(bearer(known) if known else {})}
    answer = web.post("/mcp", headers=head, json=hello)
    assert answer.status_code == 200, answer.text
    session = {
        "mcp-session-id": answer.headers["mcp-session-id"],
        "mcp-protocol-version": LATEST_HANDSHAKE_VERSION,
        **BOTH,
    }
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert web.post("/mcp", headers={**head, **session}, json=ready).status_code == 202
    return session


def event(text: str) -> dict[str, Any]:
    """The result in the one event of a stream."""
    (line,) = (line[6:] for line in text.splitlines() if line.startswith("data: {"))
    result: dict[str, Any] = json.loads(line)["result"]
    return result


def names(result: dict[str, Any]) -> set[str]:
    """What tools are called in a list of them."""
    return {tool["name"] for tool in result["tools"]}


def test_without_a_token_nothing_is_said_but_how_to_come_in(root: Path):
    with client(root) as web:
        for headers in (BOTH, {**BOTH, "x-user-id": "alice"}, {**BOTH, "cookie": "user=alice"}):
            refused = web.post("/mcp", headers=headers, json=message("tools/list"))
            assert refused.status_code == 401
            assert refused.headers["www-authenticate"].startswith("Bearer")
            assert "RAG" not in refused.text


def test_each_request_is_answered_on_behalf_of_its_own_token(root: Path):
    alice, bob, carol = (token(root, name) for name in ("alice", "bob", "carol"))
    with client(root) as web:
        for known, sees in ((alice, True), (bob, True), (carol, False), (alice, True)):
            found = modern(web, known, "tools/call", name="wiki_list_pages", arguments={})
            assert ("Plans" in json.dumps(found)) is sees
            graph = modern(web, known, "resources/read", uri="wiki://index")
            assert ("Plans" in json.dumps(graph)) is sees
            assert graph["cacheScope"] == "private"


def test_a_session_is_of_no_use_to_another_token(root: Path):
    alice, bob = token(root, "alice"), token(root, "bob")
    second = token(root, "alice", "desktop")
    with client(root, settings(public_mcp=True)) as web:
        session = opened(web, alice)
        call = message("tools/call", name="wiki_list_users", arguments={})
        own = web.post("/mcp", headers={**session, **bearer(alice)}, json=call)
        assert "alice" in event(own.text)["structuredContent"]["users"]
        for other in (bearer(bob), bearer(second), {}):
            for refused in (
                web.post("/mcp", headers={**session, **other}, json=call),
                web.delete("/mcp", headers={**session, **other}),
            ):
                assert refused.status_code == 404
                assert "Session not found" in refused.text
        again = web.post("/mcp", headers={**session, **bearer(alice)}, json=call)
        assert again.status_code == 200


def test_a_session_ends_with_its_token(root: Path):
    known = token(root, "alice")
    with client(root) as web:
        session = {**opened(web, known), **bearer(known)}
        assert web.post("/mcp", headers=session, json=message("tools/list")).status_code == 200
        revoke_token(root, "alice", "laptop", now=NOW)
        assert web.post("/mcp", headers=session, json=message("tools/list")).status_code == 401
        session |= bearer(token(root, "alice"))  # another one of the same name
        assert web.post("/mcp", headers=session, json=message("tools/list")).status_code == 404


def test_a_public_wiki_answers_anyone_from_what_is_for_all_and_takes_nothing(root: Path):
    with client(root, settings(public_mcp=True)) as web:
        assert names(modern(web, "", "tools/list")).isdisjoint(WRITING)
        pages = modern(web, "", "tools/call", name="wiki_list_pages", arguments={})
        assert {row["title"] for row in pages["structuredContent"]["pages"]} == {"RAG", "Vector DB"}
        page = {"title": "Mine", "body": "Text."}
        refused = modern(web, "", "tools/call", name="wiki_save_page", arguments=page)
        assert refused["isError"]
        session = opened(web, "")
        listed = web.post("/mcp", headers=session, json=message("tools/list"))
        assert names(event(listed.text)).isdisjoint(WRITING)


def test_tools_that_write_are_listed_by_what_the_token_may_do(root: Path):
    full, reading = token(root, "alice"), token(root, "alice", "reader", read_only=True)
    with client(root) as web:
        assert names(modern(web, full, "tools/list")) >= WRITING
        assert names(modern(web, reading, "tools/list")).isdisjoint(WRITING)
        for known, listed in ((full, True), (reading, False)):
            headers = {**opened(web, known), **bearer(known)}
            answer = web.post("/mcp", headers=headers, json=message("tools/list"))
            assert (names(event(answer.text)) >= WRITING) is listed


def test_calls_of_a_user_are_counted_over_all_their_tokens(root: Path):
    first, second = token(root, "alice"), token(root, "alice", "desktop")
    other = token(root, "bob")
    call = {"name": "wiki_list_users", "arguments": {}}
    with client(root, settings(calls_per_minute=2)) as web:
        assert not modern(web, first, "tools/call", **call)["isError"]
        assert not modern(web, second, "tools/call", **call)["isError"]
        limited = modern(web, first, "tools/call", **call)
        assert limited["isError"]
        assert "try again in" in limited["content"][0]["text"]
        assert not modern(web, other, "tools/call", **call)["isError"]


def test_what_fetch_gives_back_leads_to_the_page(root: Path):
    known = token(root, "carol")
    with client(root, url="https://wiki.example") as web:
        found = modern(web, known, "tools/call", name="search", arguments={"query": "RAG"})
        result = found["structuredContent"]["results"][0]
        assert result["url"] == "https://wiki.example/p/rag"
        assert web.get("/p/rag", headers=bearer(known)).status_code == 200
