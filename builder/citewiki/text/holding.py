"""Which of many texts stand in a long one."""

from __future__ import annotations

from collections.abc import Collection

_FEW = 32  # texts that are quicker looked for one by one
_WINDOWS = (24, 8)  # characters that a text is known by; shorter ones are looked for one by one


def absent(wanted: Collection[str], text: str) -> set[str]:
    """Those of `wanted` that do not stand in `text`.

    Linear in `text`, however many are wanted: windows of it are looked up among the beginnings of
    what is wanted, as Rabin and Karp (1987) do with hashes.
    """
    lost: set[str] = set()
    rest = {each for each in wanted if each}
    for size in _WINDOWS:
        long = {each for each in rest if len(each) >= size}
        if len(long) > _FEW:
            lost |= _absent(long, text, size)
            rest -= long
    return lost | {each for each in rest if each not in text}


def _absent(wanted: Collection[str], text: str, size: int) -> set[str]:
    """Those of `wanted`, all of at least `size` characters, that do not stand in `text`."""
    starting: dict[str, set[str]] = {}
    for each in wanted:
        starting.setdefault(each[:size], set()).add(each)
    places = [at for at in range(len(text) - size + 1) if text[at : at + size] in starting]
    for at in places:
        begun = starting[text[at : at + size]]
        begun -= {each for each in begun if text.startswith(each, at)}
    return set().union(*starting.values())
