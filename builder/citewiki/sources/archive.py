"""Zip files opened with bounds: members are read into memory one at a time, never to disk.

Everything that a zip says of itself may be a lie, so what counts is how much comes out of it. A
file that holds too much (a decompression bomb, a directory of millions of entries) raises
SourceError with the reason; reading it takes memory for one member of `LARGEST_MEMBER` bytes.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from contextlib import suppress
from dataclasses import dataclass

from citewiki.errors import SourceError
from citewiki.text.folding import nfc

MOST_MEMBERS = 20_000
"""Members of a zip that is read; an export of ten years of notes has some thousands."""

LARGEST_MEMBER = 64 << 20
"""Bytes of one member, unpacked."""

LARGEST_TOTAL = 512 << 20
"""Bytes of all members that are read from one zip and those inside it, unpacked."""

HIGHEST_RATIO = 200
"""Times that a member larger than `FREE_OF_RATIO` may grow; XML and logs grow 10 to 50 times."""

FREE_OF_RATIO = 4 << 20
"""Bytes up to which nothing is asked of a member's ratio."""

_DIRECTORY_ENTRY = 46 + 1_000  # bytes of an entry of the directory with a long name and extras
_END = b"PK\x05\x06"  # end of central directory record; APPNOTE.TXT 4.3.16
_END64_LOCATOR = b"PK\x06\x07"
_BROKEN = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError, ValueError)
"""What zipfile raises for damage: ValueError is for entries that lie outside of the file."""


def is_zip(data: bytes) -> bool:
    """Whether the bytes begin as a zip does."""
    return data.startswith((b"PK\x03\x04", _END))


@dataclass(slots=True)
class Budget:
    """What may still come out of a zip and of those inside it."""

    left: int = LARGEST_TOTAL  # bytes


class Archive:
    """An open zip. `names` are its members' normalised names, folders left out, in its order."""

    def __init__(self, data: bytes, name: str, budget: Budget | None = None) -> None:
        """Opens the zip in `data`; `budget` is what may come out of it.

        Raises SourceError when it is damaged or has too many members.
        """
        self.name = name  # the file's, for messages
        self.data = data
        self.budget = budget or Budget()
        if _directory_bytes(data) > MOST_MEMBERS * _DIRECTORY_ENTRY:
            raise SourceError(name, f"the zip has more than {MOST_MEMBERS:,} members")
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except _BROKEN as error:
            raise SourceError(name, f"the zip is damaged ({_said(error)})") from error
        members = self._zip.infolist()
        if len(members) > MOST_MEMBERS:
            raise SourceError(name, f"the zip has more than {MOST_MEMBERS:,} members")
        self._members: dict[str, zipfile.ZipInfo] = {}
        for member in members:
            if not member.is_dir() and (normal := _normal(member)):
                self._members.setdefault(normal, member)

    @property
    def names(self) -> tuple[str, ...]:
        """The members, in the zip's order."""
        return tuple(self._members)

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def size(self, name: str) -> int:
        """The bytes that the member claims to have; 0 when there is no such member."""
        return self._members[name].file_size if name in self._members else 0

    def read(self, name: str) -> bytes:
        """The member's bytes.

        Raises SourceError when it is missing, encrypted or damaged, or when too much would come
        out of it.
        """
        member = self._members.get(name)
        if member is None:
            raise SourceError(self.name, f"the zip holds no {name}")
        self._check(member)
        try:
            with self._zip.open(member) as stream:
                data = stream.read(member.file_size + 1)  # never more than it claims
        except (*_BROKEN, RuntimeError, OSError) as error:
            reason = f"{name} in the zip is damaged ({_said(error)})"
            raise SourceError(self.name, reason) from error
        self.budget.left -= len(data)
        return data

    def _check(self, member: zipfile.ZipInfo) -> None:
        """Raises SourceError when the member is encrypted or too large."""
        name = _normal(member)
        if member.flag_bits & 1:
            raise SourceError(self.name, "the zip is encrypted", hint="unpack it, then ingest that")
        if member.file_size > min(LARGEST_MEMBER, self.budget.left):
            raise SourceError(self.name, f"{name} in the zip is too large unpacked")
        packed = max(1, member.compress_size)
        if member.file_size > FREE_OF_RATIO and member.file_size > HIGHEST_RATIO * packed:
            grows = f"grows {member.file_size // packed:,} times when unpacked"
            raise SourceError(self.name, f"{name} in the zip {grows}: a decompression bomb")

    def check(self) -> None:
        """For a library that opens the zip in `data` itself: nothing in it is too large.

        zipfile gives no more of a member than it claims to hold. Raises SourceError.
        """
        members = self._zip.infolist()
        for member in members:
            self._check(member)
        if sum(member.file_size for member in members) > self.budget.left:
            raise SourceError(self.name, "the zip is too large unpacked")

    def inner(self, name: str) -> Archive:
        """The zip that is a member of this one; what comes out of it counts here too."""
        return Archive(self.read(name), self.name, self.budget)


def _directory_bytes(data: bytes) -> int:
    """Bytes of the list of members, as the end of the zip tells; 0 when it cannot be told."""
    end = data.rfind(_END, max(0, len(data) - (1 << 16) - 22))
    if end < 0 or end + 22 > len(data):
        return 0
    said = int(struct.unpack_from("<L", data, end + 12)[0])
    if end >= 76 and data[end - 20 : end - 16] == _END64_LOCATOR:
        said = int(struct.unpack_from("<Q", data, end - 76 + 40)[0])
    return min(said, len(data))


def _normal(member: zipfile.ZipInfo) -> str:
    """The member's name with "/" between its parts, none of them "." or "..", in NFC."""
    name = member.filename
    if not member.flag_bits & 0x800:  # no sign that it is UTF-8, though it often is
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    parts = name.replace("\\", "/").split("/")
    return nfc("/".join(part for part in parts if part not in ("", ".", "..")))


def _said(error: Exception) -> str:
    return " ".join(str(error).split())[:100] or type(error).__name__
