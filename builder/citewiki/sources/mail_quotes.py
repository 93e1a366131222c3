"""What a mail repeats or appends: quotes of the mail it answers, signatures, footers of lists."""

from __future__ import annotations

import re

_QUOTE = re.compile(r"[ \t]*>")
_WROTE = re.compile(
    r"(?:on|am|le|el|op|den|il|em|vào|dnia|в|在|于)\b.{3,200}"
    r"(?:wrote|schrieb|a écrit|escribió|schreef|skrev|ha scritto|escreveu|đã viết|napisał\(?a?\)?"
    r"|написал\(?а?\)?|написала)\b.{0,40}[:：]\s*$"
    r"|.{3,200}(?:写道|寫道|wrote|schrieb|のメール|さんは書きました)\s*[:：]\s*$",
    re.I,
)
_ORIGINAL = re.compile(
    r"[ \t]*-{2,}[ \t]*(?:original message|ursprüngliche nachricht|message d'origine"
    r"|mensaje original|oorspronkelijk bericht|messaggio originale|mensagem original"
    r"|原始邮件|原始郵件|元のメッセージ|thư gốc)[ \t]*-{2,}",
    re.I,
)
_OUTLOOK = re.compile(
    r"\*?(?:from|von|de|van|da|发件人|寄件者|差出人|từ)\*?[ \t]*[:：].*\n"
    r"(?:.*\n){0,2}?\*?(?:sent|gesendet|envoyé|enviado|verzonden|inviato|date|datum"
    r"|发送时间|寄件日期|đã gửi|送信日時)"
    r"\*?[ \t]*[:：].*\n",
    re.I,
)
_DELIMITER = re.compile(r"^--[ \t]?$", re.M)
_DEVICE = re.compile(
    r"(?:sent from my|sent from (?:mail|outlook|yahoo)|get outlook for|gesendet von (?:meinem|mail)"
    r"|von meinem \w+ gesendet|envoyé de mon|enviado desde mi|inviato da|verzonden vanaf"
    r"|发自我的|從我的|iPhoneから送信|được gửi từ|đã gửi từ)\b.{0,60}$",
    re.I,
)
_LIST = re.compile(r"^_{30,}[ \t]*\n(?=.*\b(?:list|liste|lists)\b)", re.M | re.I)
_PGP_BEGIN = re.compile(r"-----BEGIN PGP SIGNED MESSAGE-----\n(?:[A-Z][\w-]*:.*\n)*\n?")
_PGP_END = re.compile(r"^-----BEGIN PGP SIGNATURE-----$", re.M)
_SIGNATURE_LINES = 15  # a longer "signature" is text below a rule


def without_repeats(text: str, *, parent_known: bool) -> str:
    """The words of a mail that are its writer's own.

    Quotes below its words go; those between them go only where the mail that they quote is there
    to be read (`parent_known`), as an answer makes little sense without its question. A mail that
    is nothing but a quote stays whole.
    """
    own = _without_footers(_PGP_BEGIN.sub("", text))
    own = _without_quotes(own, parent_known)
    return own if any(map(str.isalnum, own)) else text.strip()


def _without_footers(text: str) -> str:
    for mark in (_PGP_END, _LIST):
        if found := mark.search(text):
            text = text[: found.start()]
    for found in reversed(list(_DELIMITER.finditer(text))[-3:]):
        below = text[found.end() :].strip("\n")
        above = text[: found.start()]
        quoted_below = any(_QUOTE.match(line) for line in below.split("\n"))
        if above.strip() and not quoted_below and below.count("\n") < _SIGNATURE_LINES:
            text = above
    lines = text.rstrip().split("\n")
    while len(lines) > 1 and (_DEVICE.match(lines[-1].strip()) or not lines[-1].strip()):
        lines.pop()
    return "\n".join(lines)


def _without_quotes(text: str, parent_known: bool) -> str:
    for pattern in (_ORIGINAL, _OUTLOOK):
        for found in pattern.finditer(text):
            starts_line = found.start() == 0 or text[found.start() - 1] == "\n"
            if starts_line and text[: found.start()].strip():
                text = text[: found.start()]
                break
    lines = text.rstrip().split("\n")
    while lines and (_QUOTE.match(lines[-1]) or not lines[-1].strip()):
        lines.pop()
    quoted_below = len(lines) < len(text.rstrip().split("\n"))
    if quoted_below or parent_known:
        lines = _without_attribution(lines)
    if not parent_known:
        return "\n".join(lines).strip()
    kept: list[str] = []
    for line in lines:
        if not _QUOTE.match(line):
            kept.append(line)
        elif kept and not _QUOTE.match(kept[-1]):
            kept = _without_attribution(kept)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(kept)).strip()


def _without_attribution(lines: list[str]) -> list[str]:
    """The lines without "On … Alice wrote:" at their end, which may be wrapped."""
    while lines and not lines[-1].strip():
        lines = lines[:-1]
    for count in (3, 2, 1):  # as many lines as it may be wrapped to, all of one paragraph
        last, above = lines[-count:], lines[:-count]
        whole = count == 1 or not above or not above[-1].strip()
        words = " ".join(line.strip() for line in last)
        if whole and all(map(str.strip, last)) and _WROTE.match(words):
            return above
    return lines
