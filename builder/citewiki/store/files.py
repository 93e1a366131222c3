"""Files on disk: all or nothing, one writer at a time."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from citewiki.errors import WriteError

LOCK_NAME = "lock"


def write_atomic(path: Path, content: str | bytes) -> bool:
    """Put `content` (text as UTF-8) at `path`, whole or not at all; parents are made.

    Returns False, touching nothing, when the file already holds exactly that.
    Raises WriteError when the disk refuses; the file is then as it was.
    """
    import tempfile

    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    except OSError as error:
        raise write_error(path, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(name, path)
    except BaseException as error:  # also when interrupted: no rest of a file stays
        with contextlib.suppress(OSError):
            os.unlink(name)
        if isinstance(error, OSError):
            raise write_error(path, error) from error
        raise
    return True


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

    Waits up to `timeout` seconds for another run to finish, then raises WriteError.
    """
    from filelock import FileLock, Timeout

    try:
        cache.mkdir(parents=True, exist_ok=True)
        held = FileLock(cache / LOCK_NAME, timeout=timeout)
        held.acquire()
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
