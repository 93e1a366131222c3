"""Sections that hold no knowledge of their own: empty, pictures, link lists, tables of contents."""

from __future__ import annotations

import re

from citewiki.model import SectionStatus
from citewiki.sources.words import count_words
from citewiki.text.folding import name_key

_REFERENCES = frozenset(
    "references|bibliography|works cited|literature cited|参考文献|參考文獻|参考资料|参考链接"
    "|引用文献|참고문헌|tài liệu tham khảo|literaturverzeichnis|quellenverzeichnis|bibliographie"
    "|bibliografía|список литературы".split("|")
)
_CONTENTS = frozenset(
    "contents|table of contents|toc|list of figures|list of tables|目录|目錄|目次|목차|차례|mục lục"
    "|inhaltsverzeichnis|inhalt|abbildungsverzeichnis|tabellenverzeichnis|table des matières"
    "|sommaire|índice|índice general|sommario|содержание|оглавление".split("|")
)
_INDEXES = frozenset(
    "index|subject index|author index|stichwortverzeichnis|register|索引|색인|chỉ mục"
    "|indice analitico|предметный указатель".split("|")
)
_NUMBERING = re.compile(r"^[\W\d_]+")
_PICTURE = re.compile(r"!\[[^\]\n]{0,500}\]\([^)\n]{0,999}\)|!\[\[[^\]\n]{0,300}\]\]")
_LINK = re.compile(
    r"(?<!!)\[(?P<text>[^\]\n]{0,500})\]"
    r"(?:\((?P<url>[^()\n]{0,999}(?:\([^()\n]{0,99}\)[^()\n]{0,99})*)\)|\[[^\]\n]{0,300}\])"
    r"|\[\[(?P<wiki>[^\]\n]{1,300})\]\]"
    r"|^[ \t]*\[[^\]\n]{1,300}\]:[ \t]*\S+.*$"
    r"|<?https?://[^\s<>)\]]+>?",
    re.M,
)
_CODE = re.compile(r"^[ \t]*(?:```|~~~)|^(?: {4}|\t)", re.M)
_PAGE_NUMBER = re.compile(r"(?:\.{2,}|…|\s|,)\s*(?:\d{1,4}|[ivxlc]{1,7})(?:\s*[-–]\s*\d{1,4})?\.?$")


def filler(title: str, text: str) -> tuple[SectionStatus, str] | None:
    """Status and reason of a section that is not worth a page; None when it is worth one."""
    words = _PICTURE.sub("", text)
    if not any(char.isalnum() for char in words):
        if words != text:
            return "no_text", "pictures only"
        return "no_text", f"there is no text {'under its heading' if title else 'in it'}"
    name = name_key(_NUMBERING.sub("", title))
    if name in _REFERENCES:
        return "skipped", "a list of references"
    if name in _INDEXES and _lists_pages(words, 0.5):
        return "skipped", "an index of terms"
    if name in _CONTENTS or _lists_pages(words, 0.7) or _links_inside(words):
        return "skipped", "a table of contents"
    if _only_links(words):
        return "skipped", "only links"
    return None


def _lists_pages(text: str, share: float) -> bool:
    """Whether at least `share` of the lines, and five of them, end with a page number."""
    lines = [line for line in text.splitlines() if line.strip()]
    ending = sum(bool(_PAGE_NUMBER.search(line.rstrip()[-20:])) for line in lines)
    return ending >= 5 and ending >= share * len(lines)


def _links_inside(text: str) -> bool:
    """Whether the text is little but links to its own headings."""
    inside = sum((found["url"] or "").startswith("#") for found in _LINK.finditer(text))
    return inside >= 2 and _only_links(text)


def _only_links(text: str) -> bool:
    """Whether at most a fifth of the words stand outside of links; code is never only links."""
    if _CODE.search(text):
        return False
    links = list(_LINK.finditer(text))
    if not links:
        return False
    linked = sum(max(1, count_words(found["text"] or found["wiki"] or "")) for found in links)
    return count_words(_LINK.sub(" ", text)) <= 0.2 * linked
