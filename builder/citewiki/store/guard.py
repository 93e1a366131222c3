"""The write guard: what a page would lose if a new text took its place."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from citewiki.markdown.footnotes import Footnote, footnotes, references
from citewiki.markdown.notes import parted
from citewiki.markdown.plain import plain
from citewiki.markdown.structure import sentences
from citewiki.markdown.wikilinks import wikilinks
from citewiki.model import Page
from citewiki.store.labels import Evidence, evidence
from citewiki.store.pages import edited_by_hand
from citewiki.store.parts import Unit, sections
from citewiki.text.folding import name_key
from citewiki.text.tokens import tokens

KEPT_WORDS = 0.7
"""Share of its words that a page must keep: what DESIGN calls "more than 30 % of the words"."""

_MARK = re.compile(r"\[\^[^\]\s]+\]")
_SHOWN = 80


def losses(old: Page, new: Page, *, base: str | None = None, why: str = "") -> tuple[str, ...]:
    """What `new` loses of `old`, a line for a person each; none: it may be written.

    Lost are citations, links, names and tags, more than 30 % of the words, and what a person has
    written, which is told by `base`, the program's last text; when that is not known, all of an
    edited page is a person's. A stated reason (`why`) is enough to reword a page: then each
    of its sources must still be cited, but not each of their quotes, and links, names, tags and
    words may go. It is never enough to drop a person's edit, or the citation of a sentence that
    stays. Links to be made by the program have to stand in `new` already.
    """
    if base is None:
        base = "" if edited_by_hand(old) else old.body
    found = [*_edits(base, old.body, new.body), *_uncited(old.body, new.body)]
    found += _sources(old.body, new.body) if why else _evidence(old.body, new.body)
    if not why:
        found += _links(old.body, new.body)
        found += _names(old, new)
        found += _words(old.body, new.body)
    return tuple(dict.fromkeys(found))


def _edits(base: str, old: str, new: str) -> Iterator[str]:
    """What a person has put in and is gone, or has taken out and is back."""
    before, now, then = (_Units(body) for body in (base, old, new))
    links = _targets(new)
    for key, unit in now.by_key.items():
        if key not in before.by_key and not (then.says(unit) and _targets(key) <= links):
            yield f"a person wrote {_quoted(unit.text)}"
    for key, unit in before.by_key.items() if base.strip() else ():
        if key not in now.by_key and key in then.by_key and not now.says(unit):
            yield f"a person took out {_quoted(unit.text)}"
    known = {*_cited(base), *_cited(new)}
    for proof, note in _cited(old).items():
        if proof not in known:
            yield f"a person cited {_told(note)}"


class _Units:
    """The units of a body without footnote marks, which the program may renumber."""

    def __init__(self, body: str) -> None:
        units = [unit for section in sections(parted(body)[0], 0) for unit in section.all]
        self.by_key: dict[str, Unit] = {_MARK.sub("", unit.key): unit for unit in units}
        self._lines = {line for unit in units for line in _lines(unit)}

    def says(self, unit: Unit) -> bool:
        """Whether every line of a unit is here, links aside; where a unit ends may change."""
        return _lines(unit) <= self._lines


def _lines(unit: Unit) -> set[str]:
    return {line.strip() for line in _MARK.sub("", unit.words).split("\n") if line.strip()}


def _uncited(old: str, new: str) -> Iterator[str]:
    """Sentences that stay but no longer cite a source that they cited."""
    now = _sources_by_sentence(new)
    for text, cited in _sources_by_sentence(old).items():
        if text in now:
            for source in sorted(cited.keys() - now[text].keys()):
                yield f"{_quoted(text)} no longer cites {_told(cited[source], quote=False)}"


def _sources_by_sentence(body: str) -> dict[str, dict[str, Footnote]]:
    notes = footnotes(body)
    found: dict[str, dict[str, Footnote]] = defaultdict(dict)
    for sentence in sentences(body):
        cited = {
            evidence(notes[each])[0]: notes[each] for each in sentence.footnotes if each in notes
        }
        found[sentence.text] |= cited
    return found


def _evidence(old: str, new: str) -> Iterator[str]:
    now = _cited(new)
    for proof, note in _cited(old).items():
        if proof not in now:
            yield f"no longer cites {_told(note)}"


def _sources(old: str, new: str) -> Iterator[str]:
    now = {source for source, _ in _cited(new)}
    for (source, _), note in _cited(old).items():
        if source not in now:
            yield f"no longer cites {_told(note, quote=False)} at all"


def _cited(body: str) -> dict[Evidence, Footnote]:
    notes = footnotes(body)
    used = [notes[label] for label in references(parted(body)[0]) if label in notes]
    return {evidence(note): note for note in used}


def _links(old: str, new: str) -> Iterator[str]:
    now = _targets(new)
    lost = (link.target for link in wikilinks(old) if link.target)
    yield from (f"no longer links [[{name}]]" for name in lost if name_key(name) not in now)


def _targets(body: str) -> set[str]:
    return {name_key(link.target) for link in wikilinks(body) if link.target}


def _names(old: Page, new: Page) -> Iterator[str]:
    yield from (
        f"no longer goes by “{name}”" for name in _gone(old.aliases, (*new.aliases, new.title))
    )
    yield from (f"no longer has the tag “{tag}”" for tag in _gone(old.tags, new.tags))


def _gone(old: Iterable[str], new: Iterable[str]) -> list[str]:
    now = set(map(name_key, new))
    return [name for name in old if name_key(name) not in now]


def _words(old: str, new: str) -> Iterator[str]:
    before, now = (len(tokens(plain(parted(body)[0]))) for body in (old, new))
    if now < KEPT_WORDS * before:
        yield f"loses {round(100 * (1 - now / before))} % of its words ({before} → {now})"


def _told(note: Footnote, *, quote: bool = True) -> str:
    """A footnote's evidence as a person reads it."""
    where = ", ".join(filter(None, (note.resource, note.locator if quote else "")))
    words = _quoted(note.quote or note.text) if quote or not where else ""
    return ": ".join(filter(None, (where, words)))


def _quoted(text: str) -> str:
    line = " ".join(text.split())
    return f"“{line if len(line) <= _SHOWN else line[: _SHOWN - 1] + '…'}”"
