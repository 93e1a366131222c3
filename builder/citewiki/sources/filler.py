"""Sections that hold no knowledge of their own: empty, pictures, link lists, tables of contents."""

from __future__ import annotations

import re

from citewiki.model import SectionStatus
from citewiki.sources.words import count_words
from citewiki.text.folding import name_key

_REFERENCES = frozenset(
    "references|reference list|bibliography|select bibliography|works cited|literature cited"
    "|参考文献|參考文獻|参考资料|参考链接|引用文献|참고문헌|tài liệu tham khảo"
    "|thư mục|literaturverzeichnis|quellenverzeichnis|literatur|bibliographie|bibliografie"
    "|références|références bibliographiques|bibliografía|referencias|bibliografia|referências"
    "|riferimenti bibliografici|список литературы|литература|библиография".split("|")
)
_CONTENTS = frozenset(
    "contents|table of contents|toc|list of figures|list of tables|目录|目錄|目次|목차|차례|mục lục"
    "|inhaltsverzeichnis|inhalt|abbildungsverzeichnis|tabellenverzeichnis|table des matières"
    "|table des figures|liste des figures|liste des tableaux|sommaire|índice|índice general"
    "|tabla de contenidos|tabla de contenido|sumário|sommario|indice|indice generale|inhoudsopgave"
    "|brief contents|detailed contents|contents at a glance|danh mục hình|danh mục bảng"
    "|содержание|оглавление".split("|")
)
_INDEXES = frozenset(
    "index|subject index|author index|general index|name index|stichwortverzeichnis|sachregister"
    "|personenregister|register|索引|인덱스|색인|찾아보기|chỉ mục|indice analitico|índice analítico"
    "|índice alfabético|índice remissivo|предметный указатель|алфавитный указатель".split("|")
)
_FRONT_MATTER = frozenset(
    "front cover|back cover|title page|half title|half title page|titlepage|front matter"
    "|frontispiece|dedication|epigraph|acknowledgments|acknowledgements|colophon"
    "|also by the author|about the publisher|封面|扉页|扉頁|书名页|献词|獻詞|致谢|致謝"
    "|鸣谢|表紙|献辞|謝辞|표지|헌사|감사의 글|감사의 말|bìa|trang bìa|trang tên sách|lời đề tặng"
    "|lời cảm ơn|lời cám ơn|titelseite|titelblatt|widmung|danksagung|page de titre|couverture"
    "|dédicace|remerciements|portadilla|dedicatoria|agradecimientos"
    "|folha de rosto|dedicatória|agradecimentos|copertina|frontespizio|ringraziamenti"
    "|обложка|титульный лист|посвящение|благодарности".split("|")
)
_COPYRIGHT = frozenset(
    "copyright|copyright page|copyright notice|imprint|legal notice|all rights reserved|版权|版权页"
    "|版權頁|版权声明|版权信息|奥付|著作権|판권|저작권|bản quyền|impressum|mentions légales"
    "|derechos de autor|créditos|direitos autorais|ficha técnica|colophon|авторские права".split(
        "|"
    )
)
_PUBLISHED = re.compile(
    r"\bISBN(?:-1[03])?\b|\ball rights reserved\b|\btous droits réservés\b|版权所有|版權所有"
    r"|\balle rechte vorbehalten\b|\btodos los derechos reservados\b|\bmọi quyền được bảo lưu\b"
    r"|\btodos os direitos reservados\b|\btutti i diritti riservati\b|все права защищены",
    re.I,
)
_OWNED = re.compile(r"©|\(c\)|\bcopyright\b|著作權|著作权|版权所有", re.I)
_COVERS = frozenset("cover|praise|portada|capa|umschlag|dedica|cubierta|обложка".split("|"))
_ISBN = re.compile(r"\bISBN(?:-1[03])?\b")
_LONGEST_COVER, _LONGEST_NOTICE, _LONGEST_COPYRIGHT_PAGE, _LONGEST_FRONT = (
    60,
    40,
    500,
    1_000,
)  # words
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
    if _is_front_matter(name, words):
        return "skipped", "front matter"
    if name in _COPYRIGHT and count_words(words) <= _LONGEST_COPYRIGHT_PAGE:
        return "skipped", "a copyright page"
    if _is_copyright_page(words):
        return "skipped", "a copyright page"
    if name in _INDEXES and _lists_pages(words, 0.5):
        return "skipped", "an index of terms"
    if name in _CONTENTS or _lists_pages(words, 0.7) or _links_inside(words):
        return "skipped", "a table of contents"
    if _only_links(words):
        return "skipped", "only links"
    return None


def _is_front_matter(name: str, text: str) -> bool:
    """Whether it goes by a name of a book's first pages; words with another meaning count less."""
    if name in _FRONT_MATTER or name.startswith("praise for "):
        return count_words(text) <= _LONGEST_FRONT
    return name in _COVERS and count_words(text) <= _LONGEST_COVER


def _is_copyright_page(text: str) -> bool:
    """Whether a text is little but whose it is and under which number it was published."""
    if len(text) > 10 * _LONGEST_COPYRIGHT_PAGE:  # characters; quicker than counting words
        return False
    if not _PUBLISHED.search(text) or not _OWNED.search(text):
        return False
    longest = _LONGEST_COPYRIGHT_PAGE if _ISBN.search(text) else _LONGEST_NOTICE
    return count_words(text) <= longest


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
