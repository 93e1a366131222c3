"""Originals from the web: one GET that reaches public addresses only and always comes to an end.

A name is resolved, checked and connected to in one place (`_CheckedNetwork.connect_tcp`), for
every connection there is. So a name that resolves differently a moment later, a redirect, or an
address written in an unusual way leads nowhere else: what was checked is what is spoken to.
Proxies of the environment are not used, as behind one the address cannot be checked.
"""

from __future__ import annotations

import mimetypes
import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from email.message import Message
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit

import httpcore2
import httpx2

from citewiki.errors import SourceError
from citewiki.model import Source
from citewiki.sources.addresses import public
from citewiki.sources.read import read_bytes

MAX_BYTES = 5_000_000
"""Bytes of the largest body that is taken, packed or unpacked."""

TIMEOUT = 20.0
"""Seconds for all of it: resolving, connecting, redirects, reading."""

READABLE = (
    "text/", "application/pdf", "application/xhtml+xml", "application/json", "application/xml",
    "application/rss+xml", "application/atom+xml", "application/feed+json",
)  # fmt: skip
"""Beginnings of the media types that a reader exists for."""

_REDIRECTS = 5
_CONNECT = 5.0  # seconds for one address, when a name has several
_HEADERS = (
    ("User-Agent", "citewiki"),
    ("Accept", "text/html, application/xhtml+xml, application/pdf, text/*;q=0.9, */*;q=0.1"),
    ("Accept-Encoding", "gzip, deflate"),
    ("Connection", "close"),
)
# What listens on other low ports speaks mail, remote shells, … and may take a request for commands.
_PORTS = frozenset((80, 443, *range(1024, 65536)))
_UNPACKED = ("", "identity", "gzip", "deflate")  # codings; one only, as bombs are nested ones

Addresses = Callable[[str], Sequence[str]]


@dataclass(frozen=True, slots=True)
class Fetched:
    """What a URL gave."""

    url: str  # where it was found, after redirects
    data: bytes  # the body, unpacked
    media_type: str  # "text/html"

    @property
    def name(self) -> str:
        """A file name for it: the last part of its path, or its host, with a fitting suffix."""
        parts = urlsplit(self.url)
        path = PurePosixPath(unquote(parts.path).replace("\\", "/"))
        name = path.name or parts.hostname or ""
        known = mimetypes.guess_type(name)[0] if path.name else None
        return name if known else name + (mimetypes.guess_extension(self.media_type) or "")


def fetch(
    url: str,
    *,
    max_bytes: int = MAX_BYTES,
    timeout: float = TIMEOUT,
    types: tuple[str, ...] = READABLE,
    allow: Callable[[str], bool] = public,
    resolve: Addresses | None = None,
) -> Fetched:
    """What is at `url` (http or https), following up to five redirects.

    `types` are beginnings of the media types that are taken. `allow` says of an IP address
    whether it may be spoken to; `resolve` gives the addresses of a name (None: the system's).
    Raises SourceError when it is no such URL, leads to an address that is not allowed, or gives
    too much, too slowly, of another type, or anything but success.
    """
    network = _CheckedNetwork(allow, resolve or _system_addresses, time.monotonic() + timeout)
    here = _web_url(url, url)
    try:
        with httpcore2.ConnectionPool(network_backend=network) as pool:
            for _ in range(_REDIRECTS + 1):
                with pool.stream("GET", _for_core(here), headers=_HEADERS) as response:
                    headers = httpx2.Headers(response.headers)
                    if response.status in (301, 302, 303, 307, 308) and "location" in headers:
                        here = _web_url(headers["location"], url, here)
                        continue
                    media_type = _media_type(response.status, headers, types, url)
                    data = b"".join(_body(response, headers, max_bytes, network, url))
                    return Fetched(str(here.copy_with(fragment=None)), data, media_type)
    except httpcore2.TimeoutException as error:
        raise SourceError(url, f"did not answer within {timeout:g} s") from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpx2.DecodingError) as error:
        raise SourceError(url, f"cannot be fetched ({error})") from error
    raise SourceError(url, f"redirects more than {_REDIRECTS} times")


def read_url(
    url: str,
    *,
    timeout: float = TIMEOUT,
    allow: Callable[[str], bool] = public,
    resolve: Addresses | None = None,
) -> Source:
    """What is at `url`, read as a source, under the limits of `fetch`. Raises SourceError.

    Its address is where it was found, not what the page says of itself.
    """
    fetched = fetch(url, timeout=timeout, allow=allow, resolve=resolve)
    return replace(read_bytes(fetched.data, fetched.name), url=fetched.url)


def _web_url(address: str, asked: str, base: httpx2.URL | None = None) -> httpx2.URL:
    """The URL of `address` (seen from `base`), if it is one that may be fetched."""
    try:
        url = base.join(address) if base else httpx2.URL(address)
        host = url.raw_host.decode("ascii")
    except (httpx2.InvalidURL, UnicodeError, ValueError) as error:
        raise SourceError(asked, f"is no web address ({error})") from error
    if url.scheme not in ("http", "https") or not host:
        raise SourceError(asked, "is no web address (http:// or https://)")
    if url.userinfo:
        raise SourceError(host, "its URL holds a user name or password", hint="leave them out")
    if url.port is not None and url.port not in _PORTS:
        raise SourceError(asked, f"port {url.port} is not one of the web")
    return url


def _for_core(url: httpx2.URL) -> httpcore2.URL:
    return httpcore2.URL(
        scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
    )


def _media_type(status: int, headers: httpx2.Headers, types: tuple[str, ...], url: str) -> str:
    """The type of a body that is worth reading."""
    if status not in (200, 203):
        raise SourceError(url, f"the server answered {status}")
    said = Message()
    said["Content-Type"] = headers.get("content-type", "application/octet-stream")
    media_type = said.get_content_type()
    if not media_type.startswith(types):
        raise SourceError(url, f"is of a type that is not read here ({media_type})")
    return media_type


def _body(
    response: httpcore2.Response,
    headers: httpx2.Headers,
    max_bytes: int,
    network: _CheckedNetwork,
    url: str,
) -> Iterator[bytes]:
    """The unpacked body, piece by piece, as long as it is short and quick enough."""

    def limited(pieces: Iterable[bytes]) -> Iterator[bytes]:
        total = 0
        for piece in pieces:
            network.remaining()
            total += len(piece)
            if total > max_bytes:
                raise SourceError(url, f"is larger than {max_bytes:,} bytes")
            yield piece

    coding = headers.get("content-encoding", "").strip().lower()
    if coding not in _UNPACKED:
        raise SourceError(url, f"is packed in a way that was not asked for ({coding})")
    packed = limited(response.iter_stream())
    # The one use of this value is its decoder, which unpacks in pieces of bounded size.
    unpacked = httpx2.Response(200, headers={"Content-Encoding": coding}, content=packed)
    return limited(unpacked.iter_bytes())


class _CheckedNetwork(httpcore2.NetworkBackend):
    """Connects to allowed addresses only, until the deadline."""

    def __init__(self, allow: Callable[[str], bool], resolve: Addresses, deadline: float) -> None:
        self._allow = allow
        self._resolve = resolve
        self._deadline = deadline
        self._network = httpcore2.SyncBackend()

    def remaining(self) -> float:
        """Seconds that are left. Raises httpcore2.ReadTimeout when there are none."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the time is up")
        return left

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        addresses = _in_time(lambda: self._resolve(host), self.remaining())
        if not addresses:
            raise SourceError(host, "there is no such host")
        if not all(map(self._allow, addresses)):
            raise SourceError(host, "is not on the public internet", hint="save the page as a file")
        failure: httpcore2.NetworkError | httpcore2.TimeoutException | None = None
        for address in addresses:
            try:
                stream = self._network.connect_tcp(
                    address, port, min(self.remaining(), _CONNECT), local_address, socket_options
                )
                return _TimedStream(stream, self.remaining)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        assert failure is not None
        raise failure


class _TimedStream(httpcore2.NetworkStream):
    """A connection whose every step ends at the deadline, so that no drip of bytes outlasts it."""

    def __init__(self, stream: httpcore2.NetworkStream, remaining: Callable[[], float]) -> None:
        self._stream = stream
        self._remaining = remaining

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._remaining())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._remaining())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        stream = self._stream.start_tls(ssl_context, server_hostname, self._remaining())
        return _TimedStream(stream, self._remaining)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _system_addresses(host: str) -> Sequence[str]:
    """The addresses of a host by the system's resolver; none when there is no such host."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return ()
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in found))


def _in_time(work: Callable[[], Sequence[str]], timeout: float) -> Sequence[str]:
    """What `work` gives, if it does so in time; resolvers cannot be told to hurry."""
    done: queue.SimpleQueue[Sequence[str]] = queue.SimpleQueue()
    threading.Thread(target=lambda: done.put(work()), daemon=True).start()
    try:
        return done.get(timeout=timeout)
    except queue.Empty:
        raise httpcore2.ConnectTimeout("the name was not resolved in time") from None
