"""E-mail: single messages (eml) and mailboxes (mbox), a section for each thread."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

from citewiki.model import Place, Problem, SectionStatus, Source
from citewiki.sources.entries import Entry, archive_source, first_words, joined, line, minute
from citewiki.sources.mail import Mail, parse_mail
from citewiki.sources.mail_quotes import without_repeats
from citewiki.sources.text_reader import as_markdown
from citewiki.text.folding import name_key

_FIRST_HEADER = re.compile(rb">?[!-9;-~]{1,76}[: ]")
_IN_FRONT = re.compile(rb"\A(?:\d{1,12}[ \t]*\r?\n)?(?:>From [^\n]*\n)?")
"""What may stand above the headers: the count of bytes of Apple Mail, a line of a mailbox."""

_ESCAPED_FROM = re.compile(rb"^>(>*From )", re.M)
_UNWANTED = frozenset(("spam", "trash", "bin", "papierkorb", "corbeille", "papelera"))
_UNDATED = datetime.min.replace(tzinfo=UTC)


def read(data: bytes, name: str) -> Source:
    """The threads of a mailbox, in the order of their first mails; mails are read one at a time."""
    data = data.lstrip(b"\r\n\xef\xbb\xbf")
    is_mbox = data.startswith(b"From ")
    pieces = _messages(data) if is_mbox else iter((_IN_FRONT.sub(b"", data, count=1),))
    mails, repeated = _distinct(map(parse_mail, pieces))
    problems: tuple[Problem, ...] = ()
    if repeated:
        said = f"{repeated:,} mails" if repeated > 1 else "a mail"
        message = f"{said} that the mailbox holds twice were read once"
        problems = (Problem(name, message, severity="warning", code="repeated"),)
    known = {mail.id for mail in mails if mail.id}
    entries = [_entry(thread, known) for thread in threads(mails)]
    only = entries[0].title if len(entries) == 1 and not is_mbox else ""
    return archive_source(
        entries,
        name,
        reader="mail",
        media_type="application/mbox" if is_mbox else "message/rfc822",
        authority="chat",
        title=only,
        author=mails[0].sender if len(mails) == 1 else "",
        problems=problems,
    )


def threads(mails: Iterable[Mail]) -> list[list[Mail]]:
    """Mails that answer one another, by their references, else by the subject of an answer.

    Each thread is ordered by date; threads stand in the order of their first mails in the box.
    """
    above: dict[str, str] = {}  # id of a mail → an id of the same thread; a root has none

    def root(id: str) -> str:
        while id in above:
            above[id] = id = above.get(above[id], above[id])
        return id

    keyed: list[tuple[str, Mail]] = []
    subjects: dict[str, str] = {}
    for number, mail in enumerate(mails):
        own = mail.id or f"#{number}"
        subject = name_key(mail.subject)
        same = [subjects[subject]] if mail.is_answer and subject in subjects else []
        for other in mail.answers or same:
            if root(other) != root(own):
                above[root(own)] = root(other)
        if subject:
            subjects.setdefault(subject, own)
        keyed.append((own, mail))
    found: dict[str, list[Mail]] = {}
    for own, mail in keyed:
        found.setdefault(root(own), []).append(mail)
    return [sorted(thread, key=lambda mail: mail.date or _UNDATED) for thread in found.values()]


def _messages(data: bytes) -> Iterator[bytes]:
    """The mails of a mailbox, each without its separator line."""
    for (_, begin), (end, _) in pairwise([*_separators(data), (len(data), len(data))]):
        mail = data[begin:end]
        yield _ESCAPED_FROM.sub(rb"\1", mail) if b">From " in mail else mail


def _separators(data: bytes) -> Iterator[tuple[int, int]]:
    """Spans of the separator lines, of which the first opens the mailbox.

    The others are "From …" after a blank line and before a header.

    "From " at the start of a paragraph is followed by words, not by a header.
    """
    end = data.find(b"\n") + 1 or len(data)
    yield 0, end
    while start := data.find(b"\nFrom ", end - 1) + 1:
        end = data.find(b"\n", start) + 1 or len(data)
        is_apart = data[max(0, start - 3) : start].endswith((b"\n\n", b"\n\r\n"))
        if is_apart and _FIRST_HEADER.match(data, end):
            yield start, end


def _distinct(mails: Iterable[Mail]) -> tuple[list[Mail], int]:
    """Each mail once, and how many came again."""
    found: dict[object, Mail] = {}
    count = 0
    for number, mail in enumerate(mails):
        count += 1
        found.setdefault((mail.id, mail.date, mail.sender) if mail.id else number, mail)
    return list(found.values()), count - len(found)


def _entry(thread: list[Mail], known: set[str]) -> Entry:
    """A thread as one section; the place of each mail is its date and sender."""
    text = ""
    places: list[Place] = []
    for mail in thread:
        text += "\n\n" if text else ""
        places.append(Place(len(text), _locator(mail)))
        text += _rendered(mail, not known.isdisjoint(mail.answers))
    first = thread[0]
    title = first.subject or first_words(first.text) or "Mail without a subject"
    if len(thread) == 1 and first.is_encrypted and not first.text.strip():
        return _unread(first, title, "encrypted", "the mail is encrypted; ingest it decrypted")
    unwanted = {label.casefold() for mail in thread for label in mail.labels} & _UNWANTED
    dates = [mail.date for mail in thread if mail.date]
    entry = Entry(
        title=title,
        text=text,
        locator=_locator(first),
        date=max(dates, default=None),
        key=joined(title, f"{min(dates):%Y-%m-%d}" if dates else "", by=" "),
        places=tuple(places),
    )
    if unwanted:
        return replace(entry, status="skipped", reason=f"the mail lies in {unwanted.pop()}")
    if not any(mail.text.strip() or mail.attached_texts for mail in thread):
        names = joined(*first.attachments) or "nothing"
        return _unread(first, title, "no_text", f"the mail has no words; it holds {names}")
    return entry


def _unread(mail: Mail, title: str, status: SectionStatus, reason: str) -> Entry:
    return Entry(title, "", _locator(mail), mail.date, status=status, reason=reason)


def _locator(mail: Mail) -> str:
    return joined(minute(mail.date), mail.sender) or "mail without date and sender"


def _rendered(mail: Mail, parent_known: bool) -> str:
    """One mail: who wrote it, its own words, and what is attached."""
    own = as_markdown(without_repeats(mail.text, parent_known=parent_known))
    blocks = [f"**{line(mail.sender) or 'Unknown'}** ({minute(mail.date) or 'undated'}):", own]
    if mail.attachments:
        blocks.append(f"Attached: {', '.join(mail.attachments)}.")
    for name, text in mail.attached_texts:
        blocks += [f"From the attached {name}:", text]
    return "\n\n".join(filter(None, blocks))
