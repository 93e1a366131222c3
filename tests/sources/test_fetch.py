"""Fetching from a server on this machine, which only a policy of the test lets be reached."""

from __future__ import annotations

import contextlib
import gzip
import socket
import threading
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from citewiki.errors import SourceError
from citewiki.sources.fetch import Fetched, fetch, read_url

HOME = "127.0.0.1"
Answer = Callable[[BaseHTTPRequestHandler], object]


@dataclass
class Site:
    """A server whose paths are functions."""

    port: int
    paths: dict[str, Answer] = field(default_factory=dict)
    asked: list[tuple[str, str]] = field(default_factory=list)  # (Host, path)
    closing: threading.Event = field(default_factory=threading.Event)

    def url(self, path: str = "/", host: str = HOME) -> str:
        return f"http://{host}:{self.port}{path}"

    def serve(
        self, path: str, body: bytes = b"", kind: str = "text/html", status: int = 200, **more: str
    ) -> str:
        def answer(request: BaseHTTPRequestHandler) -> None:
            request.send_response(status)
            request.send_header("Content-Type", kind)
            request.send_header("Content-Length", str(len(body)))
            for name, value in more.items():
                request.send_header(name.replace("_", "-"), value)
            request.end_headers()
            request.wfile.write(body)

        self.paths[path] = answer
        return self.url(path)


@pytest.fixture
def site() -> Iterator[Site]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            here.asked.append((self.headers["Host"], self.path))
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # reader had enough
                here.paths[self.path](self)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer((HOME, 0), Handler)
    server.daemon_threads = True
    here = Site(server.server_port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield here
    here.closing.set()
    server.shutdown()
    server.server_close()
    thread.join()


def get(url: str, **limits: Any) -> Fetched:
    limits.setdefault("allow", lambda address: address == HOME)
    limits.setdefault("timeout", 5.0)
    return fetch(url, **limits)


def test_a_page_comes_with_its_address_and_type(site: Site) -> None:
    url = site.serve("/a?b=c", b"<h1>Hi</h1>", "text/html; charset=utf-8")
    assert get(url + "#part") == Fetched(url, b"<h1>Hi</h1>", "text/html")


def test_this_machine_is_out_of_reach_by_default(site: Site) -> None:
    url = site.serve("/", b"secret")
    for address in (url, url.replace(HOME, "localhost"), url.replace(HOME, "2130706433")):
        with pytest.raises(SourceError, match="not on the public internet"):
            fetch(address)
    assert site.asked == []


@pytest.mark.parametrize(
    "target",
    [
        "http://10.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "//0/",
        "http://[::ffff:127.0.0.1]/",
    ],
)
def test_a_redirect_to_an_address_that_is_not_allowed_is_not_followed(
    site: Site, target: str
) -> None:
    url = site.serve("/", status=302, Location=target)
    with pytest.raises(SourceError, match="not on the public internet"):
        get(url)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "javascript:x"])
def test_a_redirect_to_another_scheme_is_not_followed(site: Site, target: str) -> None:
    url = site.serve("/", status=301, Location=target)
    with pytest.raises(SourceError, match="no web address"):
        get(url)


def test_redirects_are_followed_and_the_last_address_counts(site: Site) -> None:
    site.serve("/end", b"done", "text/plain")
    site.serve("/middle", status=307, Location="end")
    url = site.serve("/start", status=302, Location="/middle")
    assert get(url).url == site.url("/end")


def test_more_than_five_redirects_are_too_many(site: Site) -> None:
    for step in range(6):
        site.serve(f"/{step}", status=302, Location=f"/{step + 1}")
    with pytest.raises(SourceError, match="more than 5 times"):
        get(site.url("/0"))
    assert len(site.asked) == 6


def test_one_address_that_is_not_allowed_among_others_is_enough_to_refuse(site: Site) -> None:
    url = site.serve("/", b"x").replace(HOME, "mixed.example")
    with pytest.raises(SourceError, match=r"mixed\.example: is not on the public"):
        get(url, resolve=lambda _host: [HOME, "10.0.0.1"])


def test_a_name_that_changes_its_address_is_spoken_to_where_it_was_checked(site: Site) -> None:
    answers = [[HOME], ["10.0.0.1"]]
    url = site.serve("/", b"first").replace(HOME, "rebind.example")
    assert get(url, resolve=lambda _host: answers.pop(0)).data == b"first"
    assert answers == [["10.0.0.1"]], "resolved once, connected to what was checked"
    assert site.asked == [(f"rebind.example:{site.port}", "/")]


def test_a_name_that_changes_its_address_between_redirects_is_checked_again(site: Site) -> None:
    answers = [[HOME], ["10.0.0.1"]]
    url = site.serve("/", status=302, Location="/next").replace(HOME, "rebind.example")
    with pytest.raises(SourceError, match="not on the public internet"):
        get(url, resolve=lambda _host: answers.pop(0))


def test_the_second_address_of_a_name_is_tried_when_the_first_does_not_answer(site: Site) -> None:
    url = site.serve("/", b"here").replace(HOME, "two.example")
    fetched = get(url, resolve=lambda _host: ["127.0.0.2", HOME], allow=lambda _address: True)
    assert fetched.data == b"here"


def test_the_name_is_what_a_secure_server_is_asked_for() -> None:
    with socket.create_server((HOME, 0)) as server:
        hello: list[bytes] = []

        def listen() -> None:
            connection, _ = server.accept()
            with connection:
                hello.append(connection.recv(4096))

        thread = threading.Thread(target=listen)
        thread.start()
        port = server.getsockname()[1]
        with pytest.raises(SourceError):
            get(f"https://pinned.example:{port}/", resolve=lambda _host: [HOME])
        thread.join()
    assert b"pinned.example" in hello[0]


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://example.org/", "no web address"),
        ("file:///etc/passwd", "no web address"),
        ("example.org/page", "no web address"),
        ("http://", "no web address"),
        ("", "no web address"),
        ("http://[::1", "no web address"),
        ("http://example.org:99999/", "port 99999"),
        ("http://example.org:25/", "port 25"),
        ("https://example.org:22/", "port 22"),
        ("http://alice:secret@example.org/", "user name or password"),
        ("http://alice@example.org/", "user name or password"),
    ],
)
def test_what_is_no_plain_web_address_is_refused(url: str, why: str) -> None:
    with pytest.raises(SourceError, match=why) as caught:
        fetch(url)
    assert "secret" not in str(caught.value)


def test_a_name_without_addresses_is_said_so() -> None:
    with pytest.raises(SourceError, match="no such host"):
        get("http://nowhere.example/", resolve=lambda _host: [])


def test_a_resolver_that_hangs_is_not_waited_for() -> None:
    done = threading.Event()

    def hang(_host: str) -> list[str]:
        done.wait()
        return []

    with pytest.raises(SourceError, match=r"within 0\.1 s"):
        get("http://slow.example/", resolve=hang, timeout=0.1)
    done.set()


def test_a_body_that_is_declared_too_large_is_not_read(site: Site) -> None:
    with pytest.raises(SourceError, match="larger than 1,000 bytes"):
        get(site.serve("/", b"x" * 1001), max_bytes=1000)


def test_an_endless_body_is_left(site: Site) -> None:
    def endless(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/plain")
        request.end_headers()
        while not site.closing.is_set():
            request.wfile.write(b"more " * 1000)

    site.paths["/"] = endless
    with pytest.raises(SourceError, match="larger than"):
        get(site.url(), max_bytes=100_000)


@pytest.mark.parametrize("start", [b"", b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"])
def test_a_drip_of_bytes_ends_with_the_time(site: Site, start: bytes) -> None:
    def drip(request: BaseHTTPRequestHandler) -> None:
        request.wfile.write(start)
        while not site.closing.wait(0.02):
            request.wfile.write(b"x")

    site.paths["/"] = drip
    with pytest.raises(SourceError, match=r"within 0\.3 s"):
        get(site.url(), timeout=0.3)


def test_a_server_that_says_nothing_ends_with_the_time(site: Site) -> None:
    site.paths["/"] = lambda _request: site.closing.wait()
    with pytest.raises(SourceError, match=r"within 0\.2 s"):
        get(site.url(), timeout=0.2)


def test_a_packed_body_is_unpacked(site: Site) -> None:
    body = "Xin chào".encode() * 100
    for coding, packed in (("gzip", gzip.compress(body)), ("deflate", zlib.compress(body))):
        assert get(site.serve("/", packed, Content_Encoding=coding)).data == body


def test_a_bomb_is_stopped_before_it_is_unpacked(site: Site) -> None:
    bomb = gzip.compress(bytes(50_000_000))
    assert len(bomb) < 100_000
    with pytest.raises(SourceError, match="larger than 100,000 bytes"):
        get(site.serve("/", bomb, Content_Encoding="gzip"), max_bytes=100_000)


@pytest.mark.parametrize("coding", ["gzip, gzip", "br", "zstd"])
def test_a_packing_that_was_not_asked_for_is_refused(site: Site, coding: str) -> None:
    with pytest.raises(SourceError, match="packed"):
        get(site.serve("/", b"x", Content_Encoding=coding))


def test_a_body_that_is_not_packed_as_it_says_is_refused(site: Site) -> None:
    with pytest.raises(SourceError, match="cannot be fetched"):
        get(site.serve("/", b"not gzip", Content_Encoding="gzip"))


def test_a_body_shorter_than_declared_is_refused(site: Site) -> None:
    def short(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/plain")
        request.send_header("Content-Length", "100")
        request.end_headers()
        request.wfile.write(b"half")

    site.paths["/"] = short
    with pytest.raises(SourceError, match="cannot be fetched"):
        get(site.url())


@pytest.mark.parametrize("kind", ["image/png", "application/zip", "video/mp4", "nonsense/type"])
def test_types_that_no_reader_reads_are_refused(site: Site, kind: str) -> None:
    with pytest.raises(SourceError, match=kind):
        get(site.serve("/", b"x", kind))


@pytest.mark.parametrize("status", [204, 403, 404, 500])
def test_an_answer_that_is_no_success_is_an_error(site: Site, status: int) -> None:
    with pytest.raises(SourceError, match=f"answered {status}"):
        get(site.serve("/", status=status))


def test_a_port_where_nobody_listens_is_an_error() -> None:
    with socket.create_server((HOME, 0)) as server:
        port = server.getsockname()[1]
    with pytest.raises(SourceError, match="cannot be fetched"):
        get(f"http://{HOME}:{port}/")


@pytest.mark.parametrize(
    ("url", "media_type", "name"),
    [
        ("https://a.example/dir/paper.pdf", "application/pdf", "paper.pdf"),
        ("https://a.example/t%E1%BB%87p.txt", "text/plain", "tệp.txt"),
        ("https://a.example/wiki/Topic", "text/html", "Topic.html"),
        ("https://a.example/", "text/html", "a.example.html"),
        ("https://a.example/v1.2", "text/html", "v1.2.html"),
        ("https://a.example/..%2F..%5Cpasswd", "text/plain", "passwd.txt"),
    ],
)
def test_what_was_fetched_has_a_file_name(url: str, media_type: str, name: str) -> None:
    assert Fetched(url, b"", media_type).name == name


def test_a_page_is_read_as_a_source_and_its_address_is_where_it_was_found(site: Site) -> None:
    words = " ".join(f"The bridge has {n} arches and stands." for n in range(20))
    html = f"""<html><head><title>Bridge</title><link rel="canonical" href="https://bank.example/">
    <meta property="og:url" content="https://bank.example/"></head>
    <body><article><h1>Bridge</h1><p>{words}</p></article></body></html>"""
    url = site.serve("/bridge", html.encode())
    source = read_url(url, allow=lambda address: address == HOME)
    assert source.url == url
    assert "The bridge has 7 arches" in "".join(section.text for section in source.sections)
