"""A lock among threads that serves them in the order in which they came."""

from __future__ import annotations

from collections import deque
from threading import Lock


class Turns:
    """One thread at a time, first come first served.

    `threading.Lock` lets whoever asks at the right moment go before those who wait: of many that
    write one after another, one may wait for ever.
    """

    def __init__(self) -> None:
        self._guard = Lock()  # of what follows
        self._taken = False
        self._waiting: deque[Lock] = deque()  # each is released when it is that thread's turn

    def take(self, timeout: float) -> bool:
        """Whether it came to be this thread's turn within so many seconds; then `give` it back."""
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            mine = Lock()
            mine.acquire()
            self._waiting.append(mine)
        had = False
        try:
            had = mine.acquire(timeout=timeout)
        finally:  # also when interrupted
            if not had:
                with self._guard:
                    if mine in self._waiting:
                        self._waiting.remove(mine)
                    else:  # it became this thread's just now
                        self._pass_on()
        return had

    def give(self) -> None:
        """The next one's turn."""
        with self._guard:
            self._pass_on()

    def _pass_on(self) -> None:
        if self._waiting:
            self._waiting.popleft().release()
        else:
            self._taken = False

    def __len__(self) -> int:
        """How many wait."""
        return len(self._waiting)
