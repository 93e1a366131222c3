"""How much anybody may ask of a server, over MCP and HTTP alike: calls, logins, models at work."""

from __future__ import annotations

import ipaddress
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from limits import RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from citewiki.config import Config
from citewiki.errors import Limited

MODEL_BUSY = 10
"""Seconds after which to try again when all places for model calls are taken: about one answer."""


class Limits:
    """The limits of one server, counted in its memory, safe among threads.

    Every minute counts backwards from now (a moving window), so that no burst of twice the limit
    fits around a full minute.
    """

    def __init__(self, config: Config) -> None:
        settings = config.server
        self._window = MovingWindowRateLimiter(MemoryStorage())
        self._calls = RateLimitItemPerMinute(max(settings.calls_per_minute, 1), namespace="call")
        self._logins = RateLimitItemPerMinute(max(settings.logins_per_minute, 1), namespace="login")
        self._models = BoundedSemaphore(max(settings.model_calls, 1))

    def call(self, who: str) -> None:
        """Count a call of `who`, a user's name or `origin` of an address; raises Limited."""
        if not self._window.hit(self._calls, who):
            raise self._limited("calls", self._calls, who)

    def login(self, address: str) -> None:
        """Before a token is looked at: raises Limited after too many wrong ones."""
        who = origin(address)
        if not self._window.test(self._logins, who):
            raise self._limited("failed logins", self._logins, who)

    def failed_login(self, address: str) -> None:
        """Count a wrong token that came from `address`."""
        self._window.hit(self._logins, origin(address))

    @contextmanager
    def model_call(self) -> Iterator[None]:
        """One of the places at which language models work; raises Limited when all are taken.

        Nobody waits in a line, as who waits holds a thread that others need.
        """
        if not self._models.acquire(blocking=False):
            raise Limited("language models are busy with other questions", MODEL_BUSY)
        try:
            yield
        finally:
            self._models.release()

    def _limited(self, what: str, item: RateLimitItemPerMinute, who: str) -> Limited:
        wait = self._window.get_window_stats(item, who).reset_time - time.time()
        seconds = min(max(math.ceil(wait), 1), 60)
        return Limited(f"too many {what}: {item.amount} a minute are allowed", seconds)


def origin(address: str) -> str:
    """What counts as one address: for IPv6 the network of 64 bits that one household has.

    It begins with a sign that no user's name holds.
    """
    try:
        known = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return f"/{address}"
    if isinstance(known, ipaddress.IPv6Address):
        if known.ipv4_mapped:
            return f"/{known.ipv4_mapped}"
        return f"/{ipaddress.ip_network((known, 64), strict=False)}"
    return f"/{known}"
