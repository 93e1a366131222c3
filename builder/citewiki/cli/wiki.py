"""The wiki that a command works on."""

from __future__ import annotations

import os
from pathlib import Path

from citewiki.cli.output import say
from citewiki.wiki import Wiki


def open_wiki(path: Path, viewer: str | None = None, quiet: bool = False) -> Wiki:
    """The wiki at or above `path`.

    Where it may not be written to, derived files go under the user's cache folder instead, or
    under the system's temporary one for a user who has no home.
    """
    wiki = Wiki.open(path, viewer=viewer)
    if os.access(wiki.cache if wiki.cache.exists() else wiki.root, os.W_OK):
        return wiki
    import hashlib

    cache = _caches() / hashlib.sha256(str(wiki.root).encode()).hexdigest()[:16]
    say(f"{wiki.root} is read-only; the index goes to {cache}", quiet)
    return Wiki.open(path, viewer=viewer, cache=cache)


def _caches() -> Path:
    """Where this user's derived files may go."""
    import tempfile

    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    try:
        caches.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.gettempdir()) / f"citewiki-{os.getuid()}"
    return caches / "citewiki"
