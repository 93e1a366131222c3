"""What this machine and this wiki have, and what they lack."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from citewiki.errors import CitewikiError

if TYPE_CHECKING:
    from citewiki.wiki import Wiki

NEEDED = (
    "tantivy",
    "PyYAML",
    "pypdf",
    "pypdfium2",
    "trafilatura",
    "networkx",
    "mkdocs",
    "mkdocs-material",
    "mcp",
    "starlette",
    "uvicorn",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: str
    state: Literal["ok", "missing", "optional"]  # optional: missing, but there is a way without
    detail: str  # version or place; for what is missing, what to do


def examine(start: Path) -> list[Finding]:
    """Python, packages, programs, and the wiki at or above `start`."""
    found = [Finding("Python", "ok", f"{platform.python_version()} at {sys.executable}")]
    for name in NEEDED:
        try:
            found.append(Finding(name, "ok", version(name)))
        except PackageNotFoundError:
            found.append(Finding(name, "missing", "install it with: make setup"))
    dot = shutil.which("dot")
    without = "graph pictures are drawn without it; to have it: apt install graphviz"
    found.append(Finding("graphviz", "ok" if dot else "optional", dot or without))
    return [*found, *_wiki(start)]


def _wiki(start: Path) -> list[Finding]:
    from citewiki.cli.wiki import open_wiki
    from citewiki.config import load_config
    from citewiki.sources.manifest import load_manifest
    from citewiki.store.paths import page_paths

    try:
        wiki = open_wiki(start, None, quiet=True)
        load_config(wiki.root)
        records = load_manifest(wiki.root)
    except CitewikiError as error:
        return [Finding("wiki", "missing", str(error))]
    pages = len(page_paths(wiki.folder))
    found = [Finding("wiki", "ok", f"{wiki.root}: {pages} pages from {len(records)} sources")]
    writable = os.access(wiki.root, os.W_OK)
    detail = str(wiki.cache) if writable else f"the wiki is read-only; it goes to {wiki.cache}"
    found.append(Finding("index", "ok", detail))
    gone = [record.path for record in records.values() if not (wiki.root / record.path).exists()]
    if gone:
        detail = f"{len(gone)} in the manifest, not on disk: {', '.join(gone[:3])}"
        found.append(Finding("sources", "optional", detail))
    if find_spec("mcp"):
        offered = _tools(wiki)
        found.append(Finding("MCP", "ok", f"citewiki mcp offers {offered} tools to an agent"))
    return found


def _tools(wiki: Wiki) -> int:
    """How many tools a client is offered, as one in this process finds out."""
    import anyio
    from mcp.client import Client

    from citewiki.server.mcp.server import build_mcp
    from citewiki.server.mcp.session import Session

    async def offered() -> int:
        async with Client(build_mcp(lambda _: Session(wiki), wiki.config.server)) as client:
            return len((await client.list_tools()).tools)

    return anyio.run(offered)
