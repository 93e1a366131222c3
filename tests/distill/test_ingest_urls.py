"""Pages of the web taken in, from a server on this machine that only the test lets be reached."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from citewiki.config import load_config
from citewiki.distill.compile import compile_sources
from citewiki.distill.ingest import Taken, take_in
from citewiki.sources.fetch import Fetched
from citewiki.sources.manifest import load_manifest
from citewiki.sources.web import snapshot, snapshot_name
from tests.conftest import NOW, MakeWiki

HOME = "127.0.0.1"
PROSE = "Reciprocal rank fusion merges ranked lists without training, and its constant k is 60. "
Files = dict[str, tuple[int, str, bytes]]


@pytest.fixture
def files() -> Files:
    """What the server gives: path → status, content type, body."""
    return {}


@pytest.fixture
def address(files: Files) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, kind, body = files.get(self.path, (404, "text/html", b""))
            self.send_response(status)
            self.send_header("Content-Type" if status != 302 else "Location", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer((HOME, 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://{HOME}:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    return make_wiki({})


def ingest(root: Path, *urls: str) -> Taken:
    allowed = partial(snapshot, allow=lambda ip: ip == HOME)
    return take_in(root, [], urls=urls, now=NOW, fetched=allowed)


def page(words: str, *, noise: str = "") -> tuple[int, str, bytes]:
    html = f"<!doctype html><html><head><title>Fusion</title><meta name=nonce content={noise or 1}>"
    body = f"</head><body><main><h1>Fusion</h1><p>{words * 3}</p></main></body></html>"
    return 200, "text/html; charset=utf-8", (html + body).encode()


def test_a_page_is_kept_as_it_came_with_its_address_and_date(
    root: Path, files: Files, address: str
) -> None:
    files["/notes/Fusion.html"] = page(PROSE)
    taken = ingest(root, f"{address}/notes/Fusion.html#top")
    (record,) = load_manifest(root).values()

    assert taken.problems == ()
    assert record.origin == f"{address}/notes/Fusion.html"
    assert record.fetched_at == NOW
    assert record.path == "raw/127.0.0.1-notes-fusion.html"
    assert (root / record.path).read_bytes() == files["/notes/Fusion.html"][2]
    compile_sources(root, load_config(root), now=NOW, version="0")
    assert "its constant k is 60" in (root / "wiki" / "notes" / "fusion.md").read_text()


def test_the_same_page_again_is_known_and_a_changed_one_is_a_new_version(
    root: Path, files: Files, address: str
) -> None:
    files["/a"] = page(PROSE)
    ingest(root, f"{address}/a")
    files["/a"] = page(PROSE, noise="2")  # other bytes, the same words
    assert ingest(root, f"{address}/a").added == ()
    assert len(list((root / "raw").glob("*.html"))) == 1

    files["/a"] = page(PROSE.replace("60", "61"))
    again = ingest(root, f"{address}/a")

    assert len(again.added) == 1
    assert [record.path for record in load_manifest(root).values()] == ["raw/127.0.0.1-a.v2.html"]
    assert len(list((root / "raw").glob("*.html"))) == 2  # both are kept


def test_other_kinds_of_files_are_taken_in_by_their_type(
    root: Path, files: Files, address: str
) -> None:
    files["/data?id=1"] = (200, "text/csv", b"method,year,by\nBorda,1781,Ann\nFusion,2009,Bo\n")
    files["/readme"] = (200, "text/markdown", f"# Readme\n\n{PROSE}".encode())
    taken = ingest(root, f"{address}/data?id=1", f"{address}/readme")
    records = load_manifest(root)

    assert [records[id].reader for id in taken.added] == ["csv", "markdown"]
    assert Path(records[taken.added[0]].path).suffix == ".csv"


@pytest.mark.parametrize(
    ("path", "answer", "why"),
    [
        ("/missing", None, "404"),
        ("/video", (200, "video/mp4", b"x"), "type that is not read here"),
        ("/away", (302, "http://169.254.169.254/latest", b""), "not on the public internet"),
        ("/file", (302, "file:///etc/passwd", b""), "no web address"),
    ],
)
def test_what_cannot_be_had_is_one_line_and_the_others_go_on(
    root: Path, files: Files, address: str, path: str, answer: Any, why: str
) -> None:
    files["/good"] = page(PROSE)
    if answer:
        files[path] = answer
    taken = ingest(root, f"{address}{path}", f"{address}/good")

    assert len(taken.added) == 1
    (problem,) = taken.problems
    assert why in problem.message
    assert "\n" not in problem.message


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080/", "http://[::1]/", "http://[::ffff:10.0.0.1]/", "http://10.0.0.1/",
        "http://[64:ff9b::a9fe:a9fe]/", "http://[2002:7f00:1::]/", "http://169.254.169.254/",
        "http://2130706433/", "http://0x7f.1/",
    ],
)  # fmt: skip
def test_addresses_that_are_not_public_are_refused(root: Path, url: str) -> None:
    taken = take_in(root, [], urls=[url], now=NOW)

    assert taken.added == ()
    assert len(taken.problems) == 1
    assert list((root / "raw").iterdir()) == []


@pytest.mark.parametrize(
    ("url", "media_type", "name"),
    [
        ("https://www.example.org/", "text/html", "example.org-home.html"),
        (
            "https://example.org/a/Hybrid%20Search.htm",
            "text/html",
            "example.org-a-hybrid-search-htm.html",
        ),
        ("https://example.org/a/b.html", "text/html", "example.org-a-b.html"),
        ("https://example.org/paper.pdf", "application/pdf", "example.org-paper.pdf"),
        ("https://example.org/pdf/2401.1", "application/pdf", "example.org-pdf-2401-1.pdf"),
        ("https://example.org/notes.org", "text/plain", "example.org-notes.org"),
    ],
)
def test_a_snapshot_is_called_by_host_and_path(url: str, media_type: str, name: str) -> None:
    assert snapshot_name(Fetched(url, b"", media_type)) == name


def test_pages_of_one_path_with_other_queries_have_other_names() -> None:
    names = {snapshot_name(Fetched(f"https://x.org/a?id={n}", b"", "text/html")) for n in (1, 2)}

    assert len(names) == 2
