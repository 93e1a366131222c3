"""The words of all pages in parts, each a file that the Ask page loads when it is asked for one.

All terms are sorted as UTF-8, and a part goes by the first of its own. In a part stand, of each
term: how many bytes it shares with the one before, length and bytes of the rest, length and bytes
of its postings. A posting is a number, d * 4 + kind, where d is the distance to the page before,
and what its kind adds: 0 stands once in the body, 1 twice, 2 as often as the next byte says; 3 one
byte of fields (`FIELDS`, lowest bit first) and one of the times it stands in the body. Numbers are
in groups of seven bits, the lowest first, the eighth bit set where more follow.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any

from citewiki.index.analysis import terms_of
from citewiki.model import Page

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, Any]

FIELDS = ("title", "aliases", "tags", "summary", "headings", "body", "named")
"""Of a posting's byte; "named": a word of the title that is neither stop word nor qualifier."""

_PART = 16_384  # bytes of a part, about
_MOST = 255  # times that a byte tells
_AT_ONCE = 1 << 17  # postings that are written at a time; more take room, fewer take time
_BODY, _NAMED = FIELDS.index("body"), FIELDS.index("named")
_IN_BODY = 1 << _BODY

Told = tuple[int, int]
"""Of a term on a page: a bit for each of `FIELDS`; how often it stands in the body, at most 255."""


@dataclass(frozen=True, slots=True)
class Row:
    """A page as the index holds it."""

    terms: tuple[str, ...]
    fields: bytes  # of each term, a bit for each of FIELDS
    times: bytes  # … how often it stands in the body, at most 255
    length: int  # terms in its body
    title_length: int  # terms in its title; see analysis.Terms
    language: str  # ISO 639-1; "" unknown

    def told(self) -> dict[str, Told]:
        """What is told of each term."""
        return dict(zip(self.terms, zip(self.fields, self.times, strict=True), strict=True))


def row_of(page: Page) -> Row:
    """A page's terms, as the command line's index has them."""
    found = terms_of(page)
    body = found.fields["body"]
    times: dict[str, int] = Counter(body)
    fields = dict.fromkeys(times, _IN_BODY)
    for bit, name in enumerate(FIELDS[:_BODY]):
        for term in found.fields[name]:
            fields[term] = fields.get(term, 0) | 1 << bit
    for term in found.title.split():
        fields[term] |= 1 << _NAMED
    often = [n if n < _MOST else _MOST for n in times.values()]
    return Row(
        tuple(fields),
        bytes(fields.values()),
        bytes(often) + bytes(len(fields) - len(often)),  # terms of the body come first
        len(body),
        found.title_length,
        found.language,
    )


def word_parts(rows: Iterable[Row]) -> Iterator[tuple[str, bytes]]:
    """The terms of all rows with their postings, in parts of about 16 KB: first term, bytes.

    Rows are those of page 0, 1, … Before the first part stands "", as terms that come before all
    others are looked for there.
    """
    yield from _in_parts("", _entries(rows))


def _entries(rows: Iterable[Row]) -> Iterator[tuple[str, bytes]]:
    """Every term with its postings, sorted."""
    import numpy as np

    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    found, lengths = array("i"), array("i")
    all_fields, all_times = bytearray(), bytearray()
    for row in rows:
        found.extend(map(numbers.__getitem__, row.terms))
        lengths.append(len(row.terms))
        all_fields += row.fields
        all_times += row.times
    names = sorted(numbers, key=str.encode)
    ranks = np.empty(len(names), np.int64)
    ranks[[numbers[name] for name in names]] = np.arange(len(names))
    numbers.clear()
    codes = ranks[np.frombuffer(found, np.int32)]  # term, page, fields and times, as one number
    codes <<= 24
    codes |= np.repeat(np.arange(len(lengths)), np.frombuffer(lengths, np.int32))
    codes <<= 8
    codes |= np.frombuffer(all_fields, np.uint8)
    codes <<= 8
    codes |= np.frombuffer(all_times, np.uint8)
    codes.sort()
    starts = np.searchsorted(codes, np.arange(len(names) + 1) << 40)
    at = 0
    while at < len(names):
        limit = max(at + 1, int(np.searchsorted(starts, starts[at] + _AT_ONCE, "right")) - 1)
        content, ends = _postings(codes[starts[at] : starts[limit]])
        bounds = np.concatenate(([0], ends))[starts[at : limit + 1] - starts[at]].tolist()
        for name, start, end in zip(names[at:limit], bounds, bounds[1:], strict=False):
            yield name, content[start:end]
        at = limit


def _in_parts(first: str, entries: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Sorted terms with their postings as parts; the first part goes by the name of `first`."""
    written: list[bytes] = []
    before, size = b"", 0
    for term, postings in entries:
        if size > _PART:
            yield first, b"".join(written)
            first, before, size = term, b"", 0
            written.clear()
        name = term.encode()
        shared = _shared(before, name)
        rest = name[shared:]
        written += (_number(shared), _number(len(rest)), rest, _number(len(postings)), postings)
        size += len(rest) + len(postings) + 3
        before = name
    yield first, b"".join(written)


def _shared(one: bytes, other: bytes) -> int:
    """How many bytes both begin with."""
    for at, (first, second) in enumerate(zip(one, other, strict=False)):
        if first != second:
            return at
    return min(len(one), len(other))


def _postings(codes: Numbers) -> tuple[bytes, Numbers]:
    """Postings, given as in `_entries`, one after the other, and where each ends."""
    import numpy as np

    terms, pages = codes >> 40, codes >> 16 & 0xFFFFFF
    fields, times = codes >> 8 & 255, codes & 255
    fresh = np.ones(len(terms), bool)
    fresh[1:] = terms[1:] != terms[:-1]
    before = np.concatenate(([0], pages[:-1]))
    distance = np.where(fresh, pages, pages - before)
    kind = np.where(fields == _IN_BODY, np.clip(times - 1, 0, 2), 3)
    value = distance * 4 + kind
    groups = 1 + np.searchsorted([1 << 7 * size for size in range(1, 5)], value, "right")
    added = np.array([0, 0, 1, 2])[kind]
    ends = np.cumsum(groups + added)
    starts = ends - groups - added
    content = np.zeros(int(ends[-1]) if len(ends) else 0, np.uint8)
    for group in range(int(groups.max(initial=0))):
        here = groups > group
        more = (groups[here] > group + 1).astype(np.int64) << 7
        content[starts[here] + group] = value[here] >> 7 * group & 127 | more
    counted, mixed = kind >= 2, kind == 3
    content[ends[counted] - 1] = times[counted]
    content[ends[mixed] - 2] = fields[mixed]
    return content.tobytes(), ends


def _number(value: int) -> bytes:
    groups = []
    while value > 127:
        groups.append(value & 127 | 128)
        value >>= 7
    return bytes((*groups, value))


# -- what an edit changes --------------------------------------------------------------------------


def edited_parts(
    firsts: Sequence[str],
    read: Callable[[int], bytes],
    edits: Iterable[tuple[int, Row, Row]],
) -> dict[int, bytes] | None:
    """The parts that are others than before, by their number, where pages have other rows.

    `firsts` are the first terms of the parts, `read` gives a part as it is, an edit is the number
    of a page, its row before and now. None where terms move from one part to another.
    """
    changes: defaultdict[int, dict[str, dict[int, Told | None]]] = defaultdict(dict)
    names = [first.encode() for first in firsts]
    for page, old, new in edits:
        before, now = old.told(), new.told()
        for term in {term for term, _ in before.items() ^ now.items()}:
            part = bisect_right(names, term.encode()) - 1
            changes[part].setdefault(term, {})[page] = now.get(term)
    made: dict[int, bytes] = {}
    for number, terms in changes.items():
        entries = dict(_read_part(read(number)))
        for term, told in terms.items():
            postings = _with(entries.get(term, b""), told)
            if postings:
                entries[term] = postings
            else:
                entries.pop(term, None)
        ordered = sorted(entries.items(), key=lambda entry: entry[0].encode())
        following = firsts[number + 1 : number + 2]
        begins = number == 0 or (ordered and ordered[0][0] == firsts[number])
        parts = list(_in_parts(firsts[number], [*ordered, *((term, b"") for term in following)]))
        if not begins or [first for first, _ in parts] != [firsts[number], *following]:
            return None
        made[number] = parts[0][1]
    return made


def _read_part(content: bytes) -> Iterator[tuple[str, bytes]]:
    """The terms of a part with their postings."""
    at, before = 0, b""
    while at < len(content):
        shared, at = _read_number(content, at)
        length, at = _read_number(content, at)
        before = before[:shared] + content[at : at + length]
        length, at = _read_number(content, at + length)
        yield before.decode(), content[at : at + length]
        at += length


def _read_number(content: bytes, at: int) -> tuple[int, int]:
    """The number at a place, and where it ends."""
    value = shift = 0
    while content[at] > 127:
        value |= (content[at] & 127) << shift
        shift, at = shift + 7, at + 1
    return value | content[at] << shift, at + 1


def _with(postings: bytes, told: Mapping[int, Told | None]) -> bytes:
    """A term's postings, those of some pages others or gone."""
    found: dict[int, Told | None] = {}
    at = page = 0
    while at < len(postings):
        value, at = _read_number(postings, at)
        page += value >> 2
        kind = value & 3
        fields, times = _IN_BODY, kind + 1
        if kind == 3:
            fields, at = postings[at], at + 1
        if kind >= 2:
            times, at = postings[at], at + 1
        found[page] = fields, times
    written: list[bytes] = []
    before = 0
    for page, each in sorted({**found, **told}.items()):
        if each is None:
            continue
        fields, times = each
        kind = min(max(times - 1, 0), 2) if fields == _IN_BODY else 3
        added = (b"", b"", bytes((times,)), bytes((fields, times)))[kind]
        written += (_number((page - before) * 4 + kind), added)
        before = page
    return b"".join(written)
