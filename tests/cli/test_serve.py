"""`citewiki serve`, started as people start it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from citewiki.store.keys import cookie_keys
from tests.cli.conftest import Run
from tests.conftest import MakeWiki

BUILDER = Path(__file__).parents[2] / "builder"


@contextmanager
def started(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    """The command, in a process of its own."""
    command = [sys.executable, "-m", "citewiki", "serve", *map(str, arguments)]
    environment = {**os.environ, "PYTHONPATH": str(BUILDER)}
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_it_says_where_it_is_answers_there_and_ends_when_told(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nText.\n"})
    with started("--wiki", root, "--port", 0) as process:
        assert process.stderr
        line = process.stderr.readline()
        address = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert address, line
        with urllib.request.urlopen(f"{address[0]}/p/a", timeout=20) as reply:
            assert b"Text." in reply.read()
            assert "server" not in reply.headers  # nothing about what serves
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def test_a_port_that_is_taken_is_one_line(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with started("--wiki", root, "--port", port) as process:
            _, said = process.communicate(timeout=30)
    assert process.returncode == 1
    assert len(said.strip().splitlines()) == 1
    assert "address already in use" in said.lower()


@pytest.mark.parametrize(
    "options", [["--url", "wiki.example"], ["--port", "99999"], ["--port", "x"]]
)
def test_what_is_no_address_is_wrong_usage(
    make_wiki: MakeWiki, run: Run, options: list[str]
) -> None:
    ran = run("serve", "--wiki", make_wiki({}), *options)
    assert ran.status == 2
    assert options[1] in ran.err


def test_keys_are_rotated_before_it_serves(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    (before,) = cookie_keys(root)
    with started("--wiki", root, "--port", 0, "--rotate-key") as process:
        assert process.stderr
        process.stderr.readline()
    new, old = cookie_keys(root)
    assert (old, new != old) == (before, True)
