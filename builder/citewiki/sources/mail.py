"""One e-mail: bytes → who wrote what to whom and when, without quotes and signature.

Headers are read raw and decoded here: the structured ones of the standard library raise for values
that mail programs do write, and take three quarters of the time.
"""

from __future__ import annotations

import binascii
import email
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.errors import HeaderParseError, MessageError
from email.header import decode_header
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import getaddresses, parsedate_to_datetime

from citewiki.sources.about import moment
from citewiki.sources.encoding import clean, decode
from citewiki.sources.html_fragment import fragment_markdown
from citewiki.sources.words import count_words

_LARGEST_TEXT = 2 << 20  # bytes of a text part; more is a log or a dump
_LONGEST_SUBJECT, _LONGEST_HEADER = 1_000, 50_000  # characters
_DEEPEST = 8  # mails inside mails
_ID = re.compile(r"<[^<>\s]{1,500}>")
_PREFIX = re.compile(
    r"\s*(?:(?:re|fwd?|aw|wg|sv|vs|vb|antw|rif|tr|res|enc|回复|答复|转发|回覆|轉寄|返信|転送"
    r"|trả lời)"
    r"(?:\[\d+\])?\s*[:：]|\[(?:external|ext)\])\s*",
    re.I,
)
_POOR = 0.3  # share of the HTML's words below which the plain part is "use a program that …"


@dataclass(frozen=True, slots=True)
class Mail:
    """One message, read."""

    subject: str  # without Re: and Fwd:
    sender: str  # name, or address
    text: str  # Markdown, whole; quotes are cut when its thread is known
    date: datetime | None  # UTC
    id: str = ""  # Message-ID with its brackets
    answers: tuple[str, ...] = ()  # ids of References and In-Reply-To, the nearest last
    is_answer: bool = False  # its subject began with Re: or Fwd:
    attachments: tuple[str, ...] = ()  # "report.pdf (application/pdf, 120 kB)"
    attached_texts: tuple[tuple[str, str], ...] = ()  # (file name, its text as Markdown)
    labels: tuple[str, ...] = ()
    is_encrypted: bool = False


def parse_mail(data: bytes, depth: int = 0) -> Mail:
    """The mail in `data`; never raises for what it holds."""
    try:
        message = email.message_from_bytes(data)
    except RecursionError:  # parts inside parts without end: all of them as one text
        message = BytesHeaderParser().parsebytes(data)
        message.set_type("text/plain")
    raw = _raw_headers(message)
    bare, cut = _bare_subject(_text(raw.get("subject", ""))[:_LONGEST_SUBJECT])
    references = _ID.findall(raw.get("references", "")) + _ID.findall(raw.get("in-reply-to", ""))
    own = _ID.search(raw.get("message-id", ""))
    parts = _Parts(depth)
    parts.take(message)
    return Mail(
        subject=bare,
        sender=_sender(raw),
        text=parts.body(),
        date=_date(raw),
        id=own[0] if own else "",
        answers=tuple(dict.fromkeys(references)),
        is_answer=cut,
        attachments=tuple(parts.names),
        attached_texts=tuple(parts.texts),
        labels=tuple(filter(None, map(str.strip, _text(raw.get("x-gmail-labels", "")).split(",")))),
        is_encrypted=parts.encrypted,
    )


class _Parts:
    """Sorts the parts of a message into body and attachments."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.plain: list[str] = []
        self.html: list[str] = []
        self.names: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.encrypted = False

    def body(self) -> str:
        """The plain text, or that of the HTML where there is no plain text worth its name."""
        plain = "\n\n".join(filter(None, self.plain))
        if self.html and (not plain or len(plain) < 2_000):
            html = "\n\n".join(
                filter(None, (fragment_markdown(h, without_quotes=True) for h in self.html))
            )
            if count_words(plain) <= _POOR * count_words(html):
                return html
        return plain

    def take(self, message: Message) -> None:
        """Walk over the parts of a message with a stack: parts nest as deep as they like."""
        waiting = [message]
        while waiting:
            part = waiting.pop()
            kind = part.get_content_type()
            if kind == "multipart/encrypted" or kind.startswith("application/pkcs7-mime"):
                self.encrypted = True
            elif kind == "message/rfc822":
                self._forwarded(part)
            elif part.is_multipart():
                inner = part.get_payload()
                if isinstance(inner, list):
                    waiting += reversed([p for p in inner if isinstance(p, Message)])
            else:
                self._leaf(part, kind)

    def _leaf(self, part: Message, kind: str) -> None:
        name = _file_name(part)
        data = _payload(part)
        attached = bool(name) or part.get_content_disposition() == "attachment"
        if not attached and kind in ("text/plain", "text/html"):
            text = decode(data[:_LARGEST_TEXT], declared=_charset(part)).text
            if kind == "text/html":
                self.html.append(text)
            else:
                self.plain.append(_unflowed(part, text).strip())
        elif attached or not kind.startswith(("text/", "application/pgp-signature")):
            if kind in ("application/pgp-signature", "application/pkcs7-signature"):
                return
            inline = part.get_content_disposition() == "inline" or part.get("content-id")
            if kind.startswith("image/") and inline and not name:
                return  # a logo in the HTML
            self.names.append(f"{name or 'unnamed'} ({kind}, {_size(len(data))})")
            if kind.startswith("text/") and data.strip() and len(data) <= _LARGEST_TEXT:
                self.texts += _attached_text(data, name or "unnamed.txt", kind)

    def _forwarded(self, part: Message) -> None:
        """A mail inside this one: its words belong to this one."""
        inner = part.get_payload()
        if self.depth >= _DEEPEST or not isinstance(inner, list) or not inner:
            self.names.append("a mail (message/rfc822)")
            return
        try:
            data = inner[0].as_bytes() if isinstance(inner[0], Message) else b""
        except (MessageError, ValueError, LookupError, TypeError, AttributeError):
            data = b""  # what cannot be written again is only named
        if not data:
            self.names.append("a mail (message/rfc822)")
            return
        mail = parse_mail(data, self.depth + 1)
        head = ", ".join(filter(None, (mail.sender, f"{mail.date:%Y-%m-%d}" if mail.date else "")))
        self.names.append(f"the mail “{mail.subject}” ({head})")
        self.names += mail.attachments
        self.texts += [(mail.subject or "mail", mail.text), *mail.attached_texts]


def _raw_headers(message: Message) -> dict[str, str]:
    """The first value of each header, unfolded, keys in lower case."""
    found: dict[str, str] = {}
    for key, value in message.raw_items():
        found.setdefault(key.lower(), " ".join(str(value)[:_LONGEST_HEADER].split()))
    return found


def _text(value: str) -> str:
    """A header's value decoded: encoded words, or bytes that no standard allows."""
    try:
        chunks = decode_header(value)
    except (HeaderParseError, binascii.Error, ValueError):
        chunks = [(value, None)]
    words = ""
    for chunk, charset in chunks:
        if isinstance(chunk, str):
            chunk = chunk.encode("utf-8", "surrogateescape")
        elif charset is None:  # the library wrote it as raw-unicode-escape
            chunk = chunk.decode("raw-unicode-escape", "replace").encode("utf-8", "surrogateescape")
        words += decode(chunk, declared=charset or "").text if chunk.strip() else " "
    return clean(" ".join(words.split()))


def _bare_subject(subject: str) -> tuple[str, bool]:
    """The subject without Re:, Fwd: and their like, and whether there were any."""
    bare = subject
    while found := _PREFIX.match(bare):
        bare = bare[found.end() :]
    return bare.strip(), bare != subject


def _sender(raw: dict[str, str]) -> str:
    value = raw.get("from") or raw.get("sender") or raw.get("return-path") or ""
    for name, address in getaddresses([value]):
        if said := _text(name).strip("\"' ") or address:
            return said[:100]
    return _text(value)[:100]


def _date(raw: dict[str, str]) -> datetime | None:
    """The Date header, else when the last server received it."""
    for value in (raw.get("date", ""), raw.get("received", "").rpartition(";")[2]):
        try:
            found = parsedate_to_datetime(value.strip())
            return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
        except (TypeError, ValueError, OverflowError, IndexError):
            if at := moment(value):
                return at
    return None


def _file_name(part: Message) -> str:
    try:
        name = part.get_filename() or ""
    except (ValueError, LookupError, TypeError, AttributeError):
        return "unnamed"
    return _text(str(name)).replace("\\", "/").rpartition("/")[2][:150]


def _payload(part: Message) -> bytes:
    try:
        data = part.get_payload(decode=True)
    except (ValueError, LookupError, TypeError, AssertionError):
        return b""
    return data if isinstance(data, bytes) else b""


def _charset(part: Message) -> str:
    try:
        return str(part.get_content_charset() or "")
    except (ValueError, LookupError, TypeError):
        return ""


def _unflowed(part: Message, text: str) -> str:
    """Lines that end in a space go on in the next one (format=flowed, RFC 3676)."""
    try:
        flowed = str(part.get_param("format", "")).lower() == "flowed"
    except (ValueError, LookupError, TypeError, AttributeError):
        return text
    return re.sub(r"(?<=\S) \n(?=[^\s>])(?!-- ?\n)", " ", text) if flowed else text


def _attached_text(data: bytes, name: str, kind: str) -> Iterator[tuple[str, str]]:
    """What the reader of its kind makes of an attached text."""
    from citewiki.sources.read import AS_IT_IS, read_bytes

    suffix = {"text/html": ".html", "text/csv": ".csv", "text/markdown": ".md"}.get(kind, "")
    source = read_bytes(data, name if "." in name else name + suffix, privacy=AS_IT_IS)
    texts = [
        f"**{section.title}**\n\n{section.text}" if section.title else section.text
        for section in source.sections
        if section.status == "pending"
    ]
    if texts:
        yield name, "\n\n".join(texts)


def _size(count: int) -> str:
    return f"{count:,} bytes" if count < 1_000 else f"{count / 1_000:,.0f} kB"
