"""What browser tests share: sites served as a static host serves them, and pages watched."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page


class _Static(http.server.SimpleHTTPRequestHandler):
    """Files of a folder; where there is none, the site's 404.html."""

    def __init__(self, *given: Any, folder: Path, below: str, policy: str, **more: Any) -> None:
        self.folder, self.below, self.policy = folder, below, policy
        super().__init__(*given, directory=str(folder), **more)

    def log_message(self, *_: Any) -> None:
        pass

    def translate_path(self, path: str) -> str:
        inside = path.startswith(f"/{self.below}")
        return super().translate_path(path[len(self.below) :] if inside else "/nothing/here")

    def end_headers(self) -> None:
        if self.policy:
            self.send_header("Content-Security-Policy", self.policy)
        super().end_headers()

    def send_error(self, code: int, *_: Any) -> None:
        body = (self.folder / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def served(site: Path, below: str = "", policy: str = "") -> Iterator[str]:
    """The address of `site` on a server of its own, in the server's folder `below` ("a/b/")."""
    handler = functools.partial(_Static, folder=site, below=below, policy=policy)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{below}"
    server.shutdown()
    server.server_close()


def watch(page: Page, address: str) -> list[str]:
    """A list that grows by every error of `page`, and by every request that leaves `address`."""
    faults: list[str] = []
    page.on(
        "console",
        lambda said: (
            faults.append(f"{said.text} {said.location['url']}")
            if said.type in ("error", "warning")
            else None
        ),
    )
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith((address, "data:", "blob:"))
            else faults.append(f"left the site: {request.url}")
        ),
    )
    return faults
