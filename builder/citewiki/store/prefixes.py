"""What a model has written about passages: one sentence each, so that they are found by it too.

A prefix says what a passage is about within its page (Anthropic, "Contextual Retrieval", 2024). It
is derived from its own page only, and kept in one file a page in `.citewiki/prefixes/`. It is
indexed, and never quoted, shown or cited.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from citewiki.store.files import write_atomic

FOLDER = "prefixes"
"""Below .citewiki/."""


def passage_key(title: str, text: str) -> str:
    """What a prefix is kept under: the SHA-256 (hex) of its page's title and the passage's text.

    Whoever changes either has the passage without a prefix until a new one is written.
    """
    return hashlib.sha256(f"{title}\n{text}".encode()).hexdigest()


def prefix_file(cache: Path, path: str) -> Path:
    """The file of the page at `path`; named by a hash, as a page's name may be private."""
    return cache / FOLDER / f"{hashlib.sha256(path.encode()).hexdigest()[:40]}.json"


def read_prefixes(file: Path) -> dict[str, str]:
    """The prefixes in a page's file, by passage key; none when it cannot be read."""
    try:
        kept = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return {}
    if not isinstance(kept, dict):
        return {}
    return {key: text for key, text in kept.items() if isinstance(text, str)}


def save_prefixes(file: Path, prefixes: Mapping[str, str]) -> None:
    """Keep the prefixes of a page, in place of those before. Raises WriteError."""
    write_atomic(file, json.dumps(prefixes, ensure_ascii=False, indent=0, sort_keys=True) + "\n")
