"""Many clients of a real server at once: nothing that was written is lost, nothing is read torn."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bench.corpus import questions, write_wiki
from bench.load import ask, prepare, serving, write_and_read


def test_writers_and_readers_at_once_lose_nothing_and_read_whole_pages(tmp_path: Path) -> None:
    write_wiki(tmp_path, 20, words=60)
    tokens = prepare(tmp_path, ["ann", "bob"], index=False)
    with serving(tmp_path) as server:
        seen = asyncio.run(write_and_read(server, tokens, writers=5, readers=8, seconds=2.5))
    assert seen.errors == []
    assert seen.wrong == []
    assert seen.lost(tmp_path) == 0
    assert sum(seen.written.values()) >= 5
    assert seen.reads > 0


def test_many_clients_at_once_are_all_answered(tmp_path: Path) -> None:
    write_wiki(tmp_path, 20, words=60)
    tokens = prepare(tmp_path, ["ann", "bob"], index=False)
    asked = questions(60)
    with serving(tmp_path) as server:
        found = asyncio.run(ask(server, tokens[0], [asked[n::20] for n in range(20)]))
    assert found.errors == []
    assert len(found.times) == 60
