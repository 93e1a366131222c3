"""What others run against our server: the Inspector's command line, and the conformance suite."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import needs
from tests.server.clients import NODE, REMEDY, make_wiki, run_node, served, stdio_command, token

pytestmark = needs("node", NODE.exists(), REMEDY)

EXPECTED = Path(__file__).with_name("conformance.yml")
REVISIONS = ("2025-11-25", "2026-07-28")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wiki that is served."""
    return make_wiki(tmp_path_factory.mktemp("wiki"))


@pytest.fixture(scope="module")
def address(root: Path) -> Iterator[str]:
    """Where `citewiki serve` serves it."""
    with served(root) as address:
        yield address


@pytest.mark.parametrize("revision", REVISIONS)
def test_the_server_conforms_to_the_protocol(address: str, revision: str, tmp_path: Path):
    ran = run_node(
        "conformance", "server", "--url", f"{address}/mcp", "--requirements", revision,
        "--expected-failures", str(EXPECTED), "--output-dir", str(tmp_path),
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]
    checks = [
        (path.parent.name, check)
        for path in tmp_path.glob("*/checks.json")
        for check in json.loads(path.read_text(encoding="utf-8"))
    ]
    assert len(checks) > 50
    # Of what an expected failure is about, the messages still have to be well formed.
    assert [
        (name, check) for name, check in checks
        if check["id"] == "wire-schema-valid" and check["status"] != "SUCCESS"
    ] == []  # fmt: skip


def test_every_expected_failure_says_why():
    text = EXPECTED.read_text(encoding="utf-8")
    listed = yaml.safe_load(text)["server"]
    given = re.findall(r"^  - (\S+)  # \S.{10,}$", text, re.MULTILINE)
    assert listed == given
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize("era", ["legacy", "modern"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
def test_the_inspector_lists_the_tools_and_calls_one(
    root: Path, address: str, transport: str, era: str
):
    def inspect(*arguments: str) -> Any:
        if transport == "stdio":
            where = stdio_command(root)
        else:
            where = [f"{address}/mcp", "--header", f"Authorization: Bearer {token(root, 'alice')}"]
        ran = run_node("inspector", "--cli", *where, "--protocol-era", era, *arguments)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return json.loads(ran.stdout)

    tools = inspect("--method", "tools/list", "--strict", "--quiet")["tools"]
    assert {"wiki_query", "wiki_ask", "wiki_save_page"} <= {tool["name"] for tool in tools}
    found = inspect(
        "--method", "tools/call", "--tool-name", "wiki_query",
        "--tool-arg", "question=What joins words and vectors?", "--quiet",
    )  # fmt: skip
    assert not found.get("isError")
    titles = [passage["title"] for passage in found["structuredContent"]["passages"]]
    assert "Hybrid search" in titles  # Bob shared it with Alice, on whose behalf we ask
    assert "Plans of Bob" not in titles
