"""The folder of a wiki's secrets, and the keys with which cookies are signed."""

from __future__ import annotations

import json
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from citewiki.errors import UserError
from citewiki.store.files import lock, write_atomic, write_error

PRIVATE = ".citewiki-private"
"""Below the wiki's root, mode 700; never published, never in git."""
USERS = f"{PRIVATE}/users.json"
KEYS = f"{PRIVATE}/keys.json"
KEPT = 2
"""Keys that are valid at once: what the one before the newest has signed stays good."""

_BYTES = 32  # of a key: as long as what HMAC-SHA256 makes (RFC 2104, 3)


def cookie_keys(root: Path) -> list[str]:
    """The keys to sign with, newest first; one is made where there is none.

    Raises UserError for a file that cannot be read, WriteError when the disk refuses.
    """
    keys = _read_keys(root)
    if not keys:
        with private_lock(root):
            keys = _read_keys(root) or _write_keys(root, [secrets.token_hex(_BYTES)])
    return keys


def rotate_key(root: Path) -> list[str]:
    """Sign with a new key from now on; the last two stay valid. Raises as `cookie_keys` does."""
    with private_lock(root):
        return _write_keys(root, [secrets.token_hex(_BYTES), *_read_keys(root)][:KEPT])


@contextmanager
def private_lock(root: Path, timeout: float = 30.0) -> Iterator[None]:
    """Hold the lock of the private folder, made where there is none. Raises WriteError."""
    folder = root / PRIVATE
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        if stat.S_IMODE(folder.stat().st_mode) & 0o077:
            folder.chmod(0o700)
    except OSError as error:
        raise write_error(folder, error) from error
    with lock(folder, timeout):
        # Git leaves it alone in every wiki, whatever the .gitignore of its root says.
        write_atomic(folder / ".gitignore", "*\n", private=True)
        yield


def read_private(root: Path, name: str) -> dict[str, Any]:
    """What the private file `name` (relative to the root) holds; {}: there is no such file.

    Raises UserError, and changes nothing, for one that is damaged.
    """
    try:
        found = json.loads((root / name).read_bytes().decode())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UserError(name, f"cannot be read: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise damaged(name, str(error)) from error
    if not isinstance(found, dict) or found.get("version") != 1:
        raise damaged(name, "no object of version 1")
    return found


def write_private(root: Path, name: str, value: dict[str, Any], *, durable: bool = True) -> None:
    """Put `value` at `name`, for this user of the system alone; the caller holds the lock."""
    text = json.dumps({"version": 1, **value}, ensure_ascii=False, indent=1)
    write_atomic(root / name, f"{text}\n", durable=durable, private=True)


def damaged(name: str, why: str) -> UserError:
    """The error for a private file that does not hold what it should."""
    return UserError(
        name, f"is damaged ({why})", hint="mend it, or move it away to start anew without it"
    )


def _read_keys(root: Path) -> list[str]:
    found = read_private(root, KEYS)
    keys = found.get("keys", [])
    sound = isinstance(keys, list) and all(
        isinstance(key, str) and len(key) >= 2 * _BYTES for key in keys
    )
    if not sound:
        raise damaged(KEYS, "keys is no list of long texts")
    return list(keys)


def _write_keys(root: Path, keys: list[str]) -> list[str]:
    write_private(root, KEYS, {"keys": keys})
    return keys
