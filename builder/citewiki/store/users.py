"""The users of a wiki, and the tokens by which programs and browsers act for them.

A token is shown once, when it is made; kept are its SHA-256 and how it begins. It has 256 bits
drawn by lot, so that a plain hash of it cannot be guessed from, as one of a password could.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import re
import secrets
import unicodedata
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from citewiki.errors import UserError, WriteError
from citewiki.model import ANYONE, Page, Viewer, iso
from citewiki.store.keys import USERS, damaged, private_lock, read_private, write_private
from citewiki.store.visibility import visible
from citewiki.text.folding import nfc
from citewiki.text.slugs import slugify

MARK = "cw_"
LAST_USE = timedelta(minutes=1)
"""How precisely the last use of a token is known: it costs a write."""

_NAMES_TAKEN = ("operator", "anyone")  # as which everybody's and nobody's acts are told
_LONGEST_NAME = 64
_TOKEN = re.compile(rf"{MARK}[A-Za-z0-9_-]{{43}}")
_SHOWN = 6  # characters of a token behind its mark by which a person tells it from others
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token."""

    name: str  # unique for its user
    prefix: str  # how it begins
    sha256: str  # of all of it
    created_at: datetime
    last_used_at: datetime | None = None  # to the minute
    expires_at: datetime | None = None  # None: never
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who may act in the wiki."""

    name: str
    tokens: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a token acts for."""

    user: str
    token: str  # its name
    read_only: bool
    sha256: str = field(default="", compare=False, repr=False)  # of the token


def load_users(root: Path) -> dict[str, User]:
    """All users by name, in the order in which they came. Raises UserError for a damaged file."""
    try:
        state = os.stat(root / USERS)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UserError(USERS, f"cannot be read: {error.strerror or error}") from error
    return dict(_loaded(root, state.st_ino, state.st_mtime_ns, state.st_size))


def add_user(root: Path, name: str, *, now: datetime) -> User:
    """Make the user `name`, without a token.

    Raises UserError for a name that is taken, also by one that only looks different, or that is
    none: up to 64 letters, digits, ".", "_", "-" and "@", a letter or digit first.
    """
    user = User(_user_name(name))
    with private_lock(root):
        users = _read(root)
        for other in users:
            # files and addresses of a user are named by the slug
            if other.casefold() == user.name.casefold() or slugify(other) == slugify(user.name):
                raise UserError(user.name, f"there is a user “{other}” already")
        _save(root, {**users, user.name: user})
    return user


def issue_token(
    root: Path,
    user: str,
    *,
    name: str,
    now: datetime,
    read_only: bool = False,
    expires_at: datetime | None = None,
) -> str:
    """A new token for `user`, which nothing can show again. Raises UserError."""
    name = " ".join(nfc(name).split())
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise UserError(user, "a token's name is up to 64 printable characters")
    if expires_at is not None and expires_at <= now:
        raise UserError(user, f"the token would have expired already, on {iso(expires_at)}")
    token = MARK + secrets.token_urlsafe(32)
    prefix = token[: len(MARK) + _SHOWN]
    made = Token(name, prefix, _hash(token), now, None, expires_at, read_only)
    with private_lock(root):
        users = _read(root)
        known = _known(users, user)
        if any(each.name.casefold() == name.casefold() for each in known.tokens):
            raise UserError(
                known.name,
                f"has a token “{name}” already",
                hint=f"take it back with: citewiki user revoke {known.name} {name!r}",
            )
        _save(root, {**users, known.name: replace(known, tokens=(*known.tokens, made))})
    return token


def revoke_token(root: Path, user: str, name: str, *, now: datetime) -> Token:
    """Take a token back: it stops working at once. Raises UserError where there is none."""
    name = " ".join(nfc(name).split())
    with private_lock(root):
        users = _read(root)
        known = _known(users, user)
        gone = next((token for token in known.tokens if token.name == name), None)
        if gone is None:
            names = ", ".join(f"“{token.name}”" for token in known.tokens) or "none"
            raise UserError(known.name, f"has no token “{name}”; there is: {names}")
        left = tuple(token for token in known.tokens if token is not gone)
        _save(root, {**users, known.name: replace(known, tokens=left)})
    return gone


def remove_user(root: Path, name: str) -> User:
    """Take a user out with all tokens; their pages stay. Raises UserError where there is none."""
    with private_lock(root):
        users = _read(root)
        gone = _known(users, name)
        _save(root, {key: user for key, user in users.items() if user is not gone})
    return gone


def authenticate(root: Path, token: str, *, now: datetime) -> Identity | None:
    """Who `token` acts for; None when it is none, unknown, expired or taken back.

    It takes as long for every token of the right form. Raises UserError for a damaged file.
    """
    if len(token) > 100 or not _TOKEN.fullmatch(token):
        return None
    digest = _hash(token)
    found: tuple[User, Token] | None = None
    for user in load_users(root).values():
        for each in user.tokens:
            if hmac.compare_digest(each.sha256, digest):  # and on, so that its place does not show
                found = user, each
    if found is None or (found[1].expires_at is not None and found[1].expires_at <= now):
        return None
    user, known = found
    if known.last_used_at is None or now - known.last_used_at >= LAST_USE:
        with contextlib.suppress(WriteError):  # busy, or read-only: the next use will tell
            _note_use(root, digest, now)
    return Identity(user.name, known.name, known.read_only, known.sha256)


def identity_by(root: Path, user: str, name: str, sha256: str, *, now: datetime) -> Identity | None:
    """Who once showed the token `name` of `user`; None when it has expired or is gone.

    One that was made since under the same name has another `sha256`. Raises UserError.
    """
    known = load_users(root).get(user)
    token = next((each for each in known.tokens if each.name == name), None) if known else None
    if token is None or not hmac.compare_digest(token.sha256, sha256):
        return None
    if token.expires_at is not None and token.expires_at <= now:
        return None
    return Identity(user, name, token.read_only, sha256)


def known_users(
    pages: Iterable[Page], viewer: Viewer, users: Iterable[str] = ()
) -> tuple[str, ...]:
    """Who is named as owner or reader on pages that `viewer` sees, and the viewer; by name.

    `users`, those that the wiki has, are added for the operator alone.
    """
    found = {*users} if viewer is None else {viewer}
    for page in pages:
        if visible(page, viewer):
            found |= {page.owner, *page.shared_with}
    return tuple(sorted(found - {"", ANYONE}, key=lambda name: (name.casefold(), name)))


def _user_name(name: str) -> str:
    name = nfc(name.strip())
    fits = 1 <= len(name) <= _LONGEST_NAME and name[0].isalnum()
    letters = all(
        char.isalnum() or char in "._-@" or unicodedata.category(char).startswith("M")
        for char in name
    )
    if not fits or not letters:
        raise UserError(
            repr(name),
            "is no name for a user: up to 64 letters, digits, “.”, “_”, “-” and “@”, "
            "a letter or digit first",
        )
    if name.casefold() in _NAMES_TAKEN:
        raise UserError(name, "means somebody else already; take another name")
    return name


def _known(users: dict[str, User], name: str) -> User:
    name = nfc(name.strip())
    if name not in users:
        close = next((other for other in users if other.casefold() == name.casefold()), "")
        hint = f"did you mean {close}?" if close else f"make one with: citewiki user add {name}"
        raise UserError(name, "there is no such user", hint=hint)
    return users[name]


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _note_use(root: Path, digest: str, now: datetime) -> None:
    with private_lock(root, timeout=0):
        users = _read(root)
        for user in users.values():
            tokens = tuple(
                replace(each, last_used_at=now) if each.sha256 == digest else each
                for each in user.tokens
            )
            if tokens != user.tokens:
                _save(root, {**users, user.name: replace(user, tokens=tokens)}, durable=False)
                return


# -- the file ----------------------------------------------------------------------------------


@lru_cache(maxsize=8)
def _loaded(root: Path, inode: int, mtime: int, size: int) -> dict[str, User]:
    """The users of a file in that state; read once, as every request asks for them."""
    return _read(root)


def _read(root: Path) -> dict[str, User]:
    """The users as the file has them now: to change them, under the lock."""
    entries = read_private(root, USERS).get("users", [])
    try:
        users = [User(_user_name(each["name"]), _tokens(each)) for each in entries]
    except (KeyError, TypeError, ValueError, AttributeError, UserError) as error:
        raise damaged(USERS, f"{type(error).__name__}: {error}") from error
    if len({user.name for user in users}) < len(users):
        raise damaged(USERS, "a user stands there twice")
    return {user.name: user for user in users}


def _tokens(entry: dict[str, Any]) -> tuple[Token, ...]:
    return tuple(map(_token, entry["tokens"]))


def _token(entry: dict[str, Any]) -> Token:
    if not _SHA256.fullmatch(entry["sha256"]) or not isinstance(entry["read_only"], bool):
        raise ValueError("a token is not as it was written")
    created = _time(entry["created_at"])
    if created is None:
        raise ValueError("created_at is no time")
    return Token(
        str(entry["name"]),
        str(entry["prefix"]),
        entry["sha256"],
        created,
        _time(entry["last_used_at"]),
        _time(entry["expires_at"]),
        entry["read_only"],
    )


def _time(raw: str | None) -> datetime | None:
    return None if raw is None else datetime.fromisoformat(raw).astimezone(UTC)


def _save(root: Path, users: dict[str, User], *, durable: bool = True) -> None:
    entries = [
        {"name": user.name, "tokens": [_plain(token) for token in user.tokens]}
        for user in users.values()
    ]
    write_private(root, USERS, {"users": entries}, durable=durable)


def _plain(token: Token) -> dict[str, Any]:
    return {
        key: iso(value) if isinstance(value, datetime) else value
        for key, value in asdict(token).items()
    }
