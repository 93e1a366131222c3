"""Files on disk: all or nothing, one writer at a time."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from threading import get_ident

from citewiki.errors import WriteError
from citewiki.store.turns import Turns

LOCK_NAME = "lock"
NEXT_NAME = "lock.next"
"""Held by the run that is the next to get the lock."""

_POLL = 0.01  # seconds after which a run that waits for a file looks again
_TURNS: dict[str, Turns] = {}  # of the threads of this process, by folder

_REST = re.compile(r"\.\d+-\d+\.tmp")  # as `write_atomic` names what it has not finished

# As `tempfile` opens its files: no link is followed, nothing is read as text.
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
_CREATE |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def write_atomic(
    path: Path, content: str | bytes, *, durable: bool = True, private: bool = False
) -> bool:
    """Put `content` (text as UTF-8) at `path`, whole or not at all; parents are made.

    Returns False, touching nothing, when the file already holds exactly that. What is not
    `durable` may be lost, or empty, after a power failure: for what can be made or done without.
    What is `private` can be read by this user of the system alone (mode 600), also while written.
    Raises WriteError when the disk refuses; the file is then as it was.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    name = path.with_name(f".{os.getpid()}-{get_ident()}.tmp")  # of this thread alone, and fast
    try:
        mode = _mode(path)
        if mode is None and not path.parent.is_dir():
            path.parent.mkdir(parents=True, exist_ok=True)
        elif mode is not None and stat.S_ISREG(mode) and path.read_bytes() == data:
            return False
        handle = os.open(name, _CREATE, 0o600 if private else 0o644)
    except OSError as error:
        raise write_error(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        name.chmod(0o600 if private else 0o644 if mode is None else mode & 0o777)
        os.replace(name, path)
    except BaseException as error:  # also when interrupted: no rest of a file stays
        with contextlib.suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError):
            raise write_error(path, error) from error
        raise
    return True


def clear_rests(folder: Path) -> None:
    """Remove what runs that were killed while they wrote have left below `folder`.

    The caller holds the lock, so that nobody writes there now.
    """
    for parent, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".tmp") and _REST.fullmatch(name):
                with contextlib.suppress(OSError):
                    os.unlink(os.path.join(parent, name))


def _mode(path: Path) -> int | None:
    """What kind of file is there, and with which rights; None when there is none."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def write_error(path: Path, error: OSError) -> WriteError:
    """The one line for a write that the system refused."""
    if error.errno == errno.ENOSPC:
        return WriteError(str(path), "no space left on the disk", hint="free some and run it again")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return WriteError(str(path), "not allowed to write here", hint="check the folder's rights")
    if error.errno == errno.ENAMETOOLONG:
        return WriteError(str(path), "the file name is too long for this disk")
    return WriteError(str(path), f"cannot be written: {error.strerror or error}")


@contextlib.contextmanager
def lock(cache: Path, timeout: float = 30.0) -> Iterator[None]:
    """Hold the wiki's one write lock, a file in `cache` (.citewiki/).

    Waits up to `timeout` seconds for another run to finish, then raises WriteError. Threads of
    this process are served in the order in which they came; other processes in turn with it, so
    that a server with much to write keeps nobody waiting.
    """
    from filelock import FileLock, Timeout

    turn = _TURNS.setdefault(os.path.abspath(cache), Turns())
    end = time.monotonic() + timeout
    try:
        cache.mkdir(parents=True, exist_ok=True)
        if not turn.take(timeout):
            raise Timeout(str(cache / LOCK_NAME))
        held = FileLock(cache / LOCK_NAME)
        try:
            # Who waits for a file only looks now and then, and would seldom find it free between
            # two writes of a busy process. So it is waited for by one alone: others wait for that.
            with FileLock(cache / NEXT_NAME).acquire(_left(end), poll_interval=_POLL):
                held.acquire(_left(end), poll_interval=_POLL)
        except BaseException:
            turn.give()
            raise
    except Timeout as error:
        raise WriteError(
            str(cache / LOCK_NAME),
            f"another run has been writing to this wiki for {timeout:g} s",
            hint="wait for it to end, then run this again",
        ) from error
    except OSError as error:
        raise write_error(cache, error) from error
    try:
        yield
    finally:
        held.release()
        turn.give()


def _left(end: float) -> float:
    return max(end - time.monotonic(), 0)
