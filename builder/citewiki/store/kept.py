"""Texts kept by key in a folder of .citewiki/: what can be made again, at a cost."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from pathlib import Path

from citewiki.store.files import write_atomic

_IN_A_FOLDER = 2
"""First characters of a key that name its folder, so that no folder holds very many files."""


class Kept(MutableMapping[str, str]):
    """A mapping on disk; keys are letters, digits, `-` and `_`. Any process may read and write it.

    A text that cannot be read counts as not kept. What is not `durable` may be lost in a power
    failure; its reader has to be able to tell.
    """

    def __init__(self, folder: Path, *, durable: bool = True) -> None:
        self._folder, self._durable = folder, durable

    def __getitem__(self, key: str) -> str:
        """The text kept under `key`. Raises KeyError."""
        try:
            return self._path(key).read_bytes().decode("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise KeyError(key) from error

    def __setitem__(self, key: str, text: str) -> None:
        """Keep `text` under `key`. Raises WriteError."""
        write_atomic(self._path(key), text, durable=self._durable)

    def __delitem__(self, key: str) -> None:
        """Keep it no longer. Raises KeyError."""
        try:
            self._path(key).unlink()
        except OSError as error:
            raise KeyError(key) from error

    def __iter__(self) -> Iterator[str]:
        """The keys, sorted."""
        return iter(sorted(path.name for path in self._folder.glob("*/[!.]*")))

    def __len__(self) -> int:
        """How many texts there are."""
        return sum(1 for _ in self)

    def _path(self, key: str) -> Path:
        if not key.replace("-", "").replace("_", "").isalnum():
            raise KeyError(key)
        return self._folder / key[:_IN_A_FOLDER] / key
