"""The built site, one for each viewer: made in the background, served as files, kept apart."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import shutil
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING
from uuid import uuid4

from citewiki.model import ANYONE

if TYPE_CHECKING:
    from citewiki.model import Viewer
    from citewiki.server.opened import Opened

log = logging.getLogger("citewiki.server")

VIEWER, SERVED = "CITEWIKI_VIEWER", "CITEWIKI_SERVED"
"""The variables by which the hooks are told on whose behalf to build, and that it is served."""
HOOKS = Path("hooks") / "citewiki_hooks.py"
BUILD_SECONDS = 3600
_SETTINGS = ("mkdocs.yml", "pyproject.toml", HOOKS.as_posix(), "raw/manifest.jsonl")

FILE_POLICY = (
    "default-src 'none'; img-src 'self' data:; media-src 'self'; style-src 'unsafe-inline'; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
"""For files of the wiki that are shown as they are, such as drawings: nothing in them acts."""

_SCRIPT = re.compile(r"<script>(.*?)</script>", re.S)
_WAY_UP = re.compile(r'new URL\("[./]*",location\)')


@dataclass
class _Built:
    """The site of one viewer."""

    folder: Path  # holds a folder for each state of the wiki that was built
    wanted: str = ""  # the state of the wiki as it is
    seen: object = None  # by which it was told that nothing has changed since
    ready: str = ""  # the state that is served; "" while there is none
    building: bool = False
    failed: str = ""  # the state that could not be built
    lock: Lock = field(default_factory=Lock)


class Sites:
    """The sites of one wiki. A site is built anew when pages have changed; meanwhile the one that
    was built before is served, unless it shows a page that its viewer may not see any more.
    """

    def __init__(self, opened: Opened) -> None:
        self.opened = opened
        self._built: dict[Viewer, _Built] = {}
        self._lock = Lock()  # of `_built`, and of what runs
        self._one_at_a_time = Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._closed = False

    def folder(self, viewer: Viewer) -> Path | None:
        """The built site of `viewer`; None while there is none that may be shown."""
        built = self._of(viewer)
        with built.lock:
            seen = (self.opened.stamp(), *map(_changed, self._inputs()))
            if seen != built.seen:
                built.wanted, built.seen = self._state(), seen
                if built.ready != built.wanted:
                    built.ready = self._ready(built, viewer)
                if unfit := self._unfit():
                    built.failed = built.wanted
                    log.error("sites cannot be built: %s", unfit)
            wanted, ready = built.wanted, built.ready
            if wanted not in (ready, built.failed) and not built.building and not self._closed:
                built.building = True
                Thread(target=self._build, args=(built, viewer, wanted), daemon=True).start()
        return built.folder / ready if ready else None

    def is_failed(self, viewer: Viewer) -> bool:
        """Whether the site as it should be now could not be built."""
        built = self._of(viewer)
        return bool(built.failed) and built.failed == built.wanted

    def close(self) -> None:
        """Build no more."""
        with self._lock:
            self._closed = True
            if self._running is not None:
                self._running.kill()

    def _of(self, viewer: Viewer) -> _Built:
        with self._lock:
            if viewer not in self._built:
                # Named by a hash: a user's name may be none for a folder.
                name = hashlib.sha256(str(viewer).encode()).hexdigest()[:24]
                folder = "anyone" if viewer == ANYONE else f"user-{name}"
                self._built[viewer] = _Built(self.opened.cache / "site" / "served" / folder)
            return self._built[viewer]

    def _inputs(self) -> list[Path]:
        return [self.opened.root / name for name in _SETTINGS]

    def _state(self) -> str:
        """What a site would be built from now, as one name."""
        found = hashlib.sha256()
        for path in self._inputs():
            found.update(repr((path.name, _changed(path))).encode())
        for folder, folders, names in os.walk(self.opened.root / "wiki"):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            for name in sorted(name for name in names if not name.startswith(".")):
                path = Path(folder, name)
                found.update(repr((str(path), _changed(path))).encode("utf-8", "surrogateescape"))
        return found.hexdigest()[:24]

    def _paths(self, viewer: Viewer) -> set[str]:
        with self.opened.wiki(viewer).index as index:
            return set(index.paths())

    def _ready(self, built: _Built, viewer: Viewer) -> str:
        """The newest state that is built and shows nothing that is hidden by now; "" none."""
        if (built.folder / f"{built.wanted}.json").is_file():
            return built.wanted
        visible = self._paths(viewer)
        for listed in sorted(built.folder.glob("*.json"), key=_made, reverse=True):
            try:
                shown = json.loads(listed.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                continue
            if visible.issuperset(shown):
                return listed.stem
        return ""

    def _unfit(self) -> str:
        """Why no site may be built here at all; "" when it may.

        The hooks decide what a site shows. Those of a wiki made before they knew of viewers would
        build everybody the same site; before they knew of serving, one whose pages may act.
        """
        try:
            text = (self.opened.root / HOOKS).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            return f"{HOOKS}: {error}"
        if VIEWER in text and SERVED in text:
            return ""
        return f"{HOOKS} is old; take the one that `citewiki init` writes"

    def _build(self, built: _Built, viewer: Viewer, wanted: str) -> None:
        target = built.folder / f"{wanted}.{uuid4().hex[:8]}.part"
        failed = ""
        try:
            with self._one_at_a_time:
                shown = self._paths(viewer)
                failed = self._run(target, viewer)
                shown |= self._paths(viewer)
            if not failed and not (built.folder / wanted).exists():
                target.rename(built.folder / wanted)
            if not failed:
                listed = json.dumps(sorted(shown), ensure_ascii=False)
                (built.folder / f"{wanted}.json").write_text(listed, encoding="utf-8")
        except Exception as error:  # noqa: BLE001 - a thread's end; what was built before stays
            failed = f"{type(error).__name__}: {error}"
        shutil.rmtree(target, ignore_errors=True)
        if failed and not self._closed:
            log.error("the site of %s could not be built: %s", viewer, failed)
        with built.lock:
            built.building = False
            built.failed = wanted if failed else ""
            built.seen = None  # something may have changed while it was built
            before = built.ready
        if not failed:
            _clear(built.folder, {before, wanted})

    def _run(self, target: Path, viewer: Viewer) -> str:
        """Build into `target`; why it failed, or ""."""
        root = self.opened.root
        target.parent.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "mkdocs", "build", "-q", "-d", str(target)]
        kept = {key: value for key, value in os.environ.items() if "API_KEY" not in key}
        told = {VIEWER: str(viewer), SERVED: "1", "NO_MKDOCS_2_WARNING": "1"}
        environment = {**kept, **told}
        environment.pop("CITEWIKI_AS_OF", None)
        with self._lock:
            if self._closed:
                return "the server ends"
            self._running = subprocess.Popen(
                command,
                cwd=root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
        try:
            _, said = self._running.communicate(timeout=BUILD_SECONDS)
        except subprocess.TimeoutExpired:
            self._running.kill()
            self._running.communicate()
            return f"it took longer than {BUILD_SECONDS} s"
        if self._running.returncode == 0:
            return ""
        lines = said.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"mkdocs ended with {self._running.returncode}"


def file_at(folder: Path, address: str) -> Path | None:
    """The file of a built site that stands at `address`, which has been decoded once.

    None for what is no file of it: also for steps up, hidden names, and links that lead out.
    """
    steps = address.removeprefix("/").split("/")
    if steps[-1] == "":
        steps[-1] = "index.html"
    for step in steps:
        if not step or step.startswith(".") or "\\" in step or not step.isprintable():
            return None
    path = folder.joinpath(*steps)
    try:
        inside = path.resolve().is_relative_to(folder.resolve())
        return path if inside and path.is_file() else None
    except (OSError, ValueError):  # a name that is too long
        return None


def site_policy(html: str, folder: Path, base: str) -> str:
    """The Content-Security-Policy of a built page: its theme's own scripts run, no others.

    A script counts as the theme's when it stands on the theme's 404 page too, which holds nothing
    of the wiki's. `base` is the server's address: scripts come from its assets/ alone, so that
    no file of the wiki is one.
    """
    theme = _theme_scripts(folder / "404.html")
    hashes = " ".join(
        f"'sha256-{b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in dict.fromkeys(_SCRIPT.findall(html))
        if _WAY_UP.sub("", script) in theme
    )
    return (
        f"default-src 'none'; script-src {base}/assets/ {hashes}; worker-src 'self'; "
        "style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; media-src 'self'; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )


@lru_cache(maxsize=16)
def _theme_scripts(page: Path) -> frozenset[str]:
    try:
        html = page.read_text(encoding="utf-8")
    except OSError:
        return frozenset()
    return frozenset(_WAY_UP.sub("", script) for script in _SCRIPT.findall(html))


def _clear(folder: Path, kept: set[str]) -> None:
    """Remove sites that are neither served nor about to be."""
    for path in _entries(folder):
        if path.name.partition(".")[0] in kept or path.suffix == ".part":
            continue
        if path.suffix == ".json":
            path.unlink(missing_ok=True)
        else:
            shutil.rmtree(path, ignore_errors=True)


def _entries(folder: Path) -> Iterator[Path]:
    # Lists go before their sites, so that no list is there without its site.
    yield from sorted(folder.iterdir(), key=lambda path: path.suffix != ".json")


def _made(path: Path) -> int:
    return _changed(path)[1]


def _changed(path: Path) -> tuple[int, int]:
    """Size and time of change; (-1, -1) where there is nothing."""
    try:
        status = path.stat()
    except OSError:
        return (-1, -1)
    return (status.st_size, status.st_mtime_ns)
