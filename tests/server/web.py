"""A small wiki of several people behind the server, in this process or on a port of loopback."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import uvicorn
from starlette.testclient import TestClient

from citewiki.config import Config
from citewiki.server.app import build_app
from citewiki.server.patience import PatientProtocol
from citewiki.store.users import add_user, issue_token
from tests.conftest import write_files

NOW = datetime(2026, 5, 12, 14, 0, tzinfo=UTC)

FILES = {
    "mkdocs.yml": "site_name: Test wiki\n",
    "wiki/ml/rag.md": (
        "---\ntitle: RAG\nsummary: Fetch, then write.\ntags: [retrieval]\nowner: alice\n"
        "shared_with: ['*']\nlast_verified_at: 2026-05-01\n---\n"
        "RAG was introduced in 2020 by Patrick Lewis. It needs a [[Vector DB]] and [[Plans]].\n\n"
        "## Cost\n\nA call of “RAG” costs *two* cents — no more.\n\n"
        '<script>window.stolen = 1</script><img src="x" onerror="window.stolen = 1">'
        '<a href="javascript:window.stolen = 1">click</a>'
        '<form action="/logout" method="post"><button>free</button></form>\n'
    ),
    "wiki/ml/vector-db.md": "---\ntitle: Vector DB\n---\n# Vector DB\n\nKeeps vectors for [[RAG]].\n",
    "wiki/ml/plans.md": (
        "---\ntitle: Plans\nowner: alice\nshared_with: [bob]\n---\n"
        "The zeppelin of [[RAG]] leaves in 2031.\n"
    ),
}
"""Pages for all, and one that alice shares with bob only."""


def make_wiki(root: Path, files: Mapping[str, str] | None = None) -> Path:
    """A wiki with the users alice, bob and carol."""
    write_files(root, files or FILES)
    for name in ("alice", "bob", "carol"):
        add_user(root, name, now=NOW)
    return root


def token(root: Path, user: str, name: str = "laptop", **more: Any) -> str:
    """A new token of `user`."""
    return issue_token(root, user, name=name, now=NOW, **more)


def bearer(known: str) -> dict[str, str]:
    """The header with which a program shows a token."""
    return {"authorization": f"Bearer {known}"}


def settings(**server: Any) -> Config:
    """Settings of a wiki whose server has those."""
    return replace(Config(), server=replace(Config().server, **server))


@contextmanager
def client(
    root: Path,
    config: Config | None = None,
    *,
    now: Callable[[], datetime] = lambda: NOW,
    base: str = "http://localhost",
    **more: Any,
) -> Iterator[TestClient]:
    """The server of the wiki at `root`, to be called in this process; redirects are not followed."""
    app = build_app(root, config or Config(), now=now, **more)
    with TestClient(app, base_url=base, follow_redirects=False) as found:
        yield found


@contextmanager
def listening(
    root: Path,
    config: Config | None = None,
    protocol: type[PatientProtocol] = PatientProtocol,
    **more: Any,
) -> Iterator[int]:
    """The same, served by uvicorn on the port that it gives."""
    app = build_app(root, config or Config(), **more)
    server = uvicorn.Server(
        uvicorn.Config(app, port=0, http=protocol, ws="none", log_level="critical")
    )
    bound = server.config.bind_socket()
    bound.listen()
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]}, daemon=True)
    thread.start()
    try:
        yield bound.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(10)


def build_site(web: TestClient, header: Mapping[str, str] | None = None) -> None:
    """Have the site built that who sends `header` sees, and wait for it."""
    before = set(threading.enumerate())
    web.get("/", headers=header)
    for thread in set(threading.enumerate()) - before:
        if "_build" in thread.name:
            thread.join(60)
    assert "md-header" in web.get("/", headers=header).text
