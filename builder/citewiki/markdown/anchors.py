"""Which heading of a page is meant by what stands behind the `#` of a link."""

from __future__ import annotations

import re
from collections.abc import Mapping

from citewiki.markdown.structure import headings
from citewiki.text.folding import fold

_NUMBERED = re.compile(r"(.*)-(\d+)")
_BLOCK_ID = re.compile(  # right after words only where no space parts them
    r"(?:^|[ \t>]|(?<=[^\x00-\x7f]))(\^[A-Za-z0-9-]+)[ \t]*$", re.MULTILINE
)
_NOT_IN_A_NAME = re.compile(r"[\W_]+")


def named_anchors(body: str) -> Mapping[str, str]:
    """The ids of a page's headings and blocks by all that links may call them; see `find_anchor`.

    Of blocks any line counts that ends in one, so that none is missed.
    """
    found = {block: block for block in _BLOCK_ID.findall(body)} if "^" in body else {}
    above: list[tuple[int, str]] = []
    for heading in headings(body):
        key = _words(heading.text)
        while above and above[-1][0] >= heading.level:
            above.pop()
        found.setdefault(heading.anchor, heading.anchor)
        found.setdefault(key, heading.anchor)
        for _, outer in above[-1:]:
            found.setdefault(f"{outer}#{key}", heading.anchor)
        above.append((heading.level, key))
        if block := _BLOCK_ID.search(body, heading.start, heading.end):
            found[block[1]] = heading.anchor
    return found


def find_anchor(named: Mapping[str, str], heading: str) -> str:
    """The id that `heading` means among `named`; "" when none is called so.

    It is an id, also with GitHub's `-1` where the site has `_1`; or the heading's words, whatever
    their case and signs. `A#B` is the B under A, or else any B.
    """
    *above, wanted = (part.strip() for part in heading.split("#"))
    if not wanted:
        return ""
    key = _words(wanted)
    if above and (under := named.get(f"{_words(above[-1])}#{key}")):
        return under
    numbered = _NUMBERED.fullmatch(wanted)
    return (
        named.get(wanted)
        or (named.get(f"{numbered[1]}_{numbered[2]}") if numbered else "")
        or named.get(key, "")
    )


def _words(text: str) -> str:
    """Headings are the same when their letters and digits are; of signs alone, when those are."""
    return _NOT_IN_A_NAME.sub(" ", fold(text)).strip() or text.strip()
