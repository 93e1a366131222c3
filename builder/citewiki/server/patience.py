"""HTTP/1.1 with an end to patience: for heads that never end, and for replies that nobody reads."""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol


class PatientProtocol(H11Protocol):
    """uvicorn's protocol, which by itself waits for ever once a request has begun.

    How long a body may take is for `security.Bodies` to say.
    """

    head_seconds = 10.0  # for a request's first line and headers to arrive
    reading_seconds = 60.0  # for a client to read on, once what is under way is full
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait(self.head_seconds)

    def data_received(self, data: bytes) -> None:
        if self._is_idle and self._deadline is None:
            self._wait(self.head_seconds)
        super().data_received(data)
        if not self._is_idle:
            self._stop_waiting()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._wait(self.reading_seconds)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        super().connection_lost(exc)

    @property
    def _is_idle(self) -> bool:
        """Whether no request has come whose reply is under way."""
        return self.cycle is None or self.cycle.response_complete

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds, self.transport.abort)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
