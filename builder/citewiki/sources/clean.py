"""Markdown as people publish it, without what a site generator or an editor put between the words.

Jekyll and Liquid tags, Hugo shortcodes, kramdown attributes, raw HTML, comments and pictures that
stay behind are taken out; what they hold for a reader (code, link texts, captions) stays. Nothing
inside code is touched.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from citewiki.markdown.regions import protected
from citewiki.sources.encoding import clean
from citewiki.sources.tables import table_markdown

# Marks for what is put by: non-characters, so no text may hold them, as themselves or as entities.
_OPEN, _CLOSE = "\ufdd0", "\ufdd1"
_SMUGGLED = re.compile(f"[{_OPEN}{_CLOSE}]|&#(?:x0*fdd[01]|0*6497[67]);?", re.I)
_KEPT = re.compile(f"{_OPEN}(\\d+){_CLOSE}")

# Inner lengths are bounded so that a text full of openings without ends stays linear to search.
_HIGHLIGHT = re.compile(
    r"^[ \t]*(?P<kind>\{%|\{\{[<%])-?\s*highlight\b[ \t]*(?P<language>[\w+#-]*)"
    r"[^>%\n]{0,200}[>%]\}{1,2}",
    re.M,
)
_HIGHLIGHT_ENDS = {
    "{%": re.compile(r"\{%-?\s*endhighlight\s*-?%\}"),
    "{{": re.compile(r"\{\{[<%]\s*/\s*highlight\s*[>%]\}\}"),
}
_GENERATOR = re.compile(
    r"\{%.{0,500}?%\}"  # Liquid tags
    r"|\{\{[<%].{0,500}?[>%]\}\}"  # Hugo shortcodes
    r"|\{\{-?\s*(?:site|page|post|layout|include)\.[^{}\n]{0,200}\}\}",  # Jekyll variables
    re.S,
)
_TOC = re.compile(
    r"^[ \t]*(?:[-*+]|\d+\.)[ \t][^\n]*\n[ \t]*\{:\s*\.?toc[^}\n]*\}[ \t]*$"
    r"|^\[\[?_?toc_?\]?\][ \t]*$",
    re.M | re.I,
)
_KRAMDOWN = re.compile(r"\{:[^{}\n]*\}|[ \t]\{[#.][\w.#: =\"-]{0,200}\}[ \t]*$", re.M)
_ELEMENT = re.compile(
    r"<!--|%%|<(script|style|iframe|noscript|svg|template|object|form|select|button|video|audio"
    r"|canvas|nav|head|table|pre)\b[^<>]{0,2000}(?<!/)>",
    re.I,
)
_ELEMENT_ENDS = {"<!--": re.compile("-->"), "%%": re.compile("%%")}
_BEFORE_TAG = re.compile(r"^[ \t]+(?=</?[a-zA-Z])", re.M)  # would be code once the tag is gone
_IMAGE_TAG = re.compile(r"<img\b[^<>]{0,2000}>", re.I)
_ALT = re.compile(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", re.I)
_ANCHOR = re.compile(
    r"<a\b[^<>]{0,1000}?\bhref\s*=\s*[\"'](?P<url>https?://[^\"'\s<>]{1,1000})[\"'][^<>]{0,500}>"
    r"(?P<text>.{0,1000}?)</a\s*>",
    re.I | re.S,
)
_BLOCK_TAG = re.compile(
    r"</?(?:p|div|section|article|header|footer|main|aside|center|figure|figcaption|details|summary"
    r"|table|thead|tbody|tfoot|tr|ul|ol|dl|dt|dd|blockquote|h[1-6]|hr|br)\b[^<>]{0,2000}>",
    re.I,
)
_INLINE_TAG = re.compile(
    r"</?(?:a|abbr|address|b|bdi|bdo|big|cite|code|col|colgroup|caption|data|del|dfn|em|embed|font|i"
    r"|input|ins|kbd|label|li|link|map|area|mark|meta|param|picture|pre|q|rp|rt|ruby|s|samp|small"
    r"|script|style|iframe|noscript|svg|template|object|form|select|button|video|audio|canvas|nav"
    r"|source|span|strike|strong|sub|sup|td|th|time|track|tt|u|var|wbr|body|html|head)\b[^<>]{0,2000}>",
    re.I,
)
_EMBEDDED_FILE = re.compile(
    r"!\[\[[^\]\n]{1,300}\.(?:png|jpe?g|gif|svg|webp|bmp|avif|mp[34]|wav|ogg|m4a|mov|webm|pdf)"
    r"(?:[#|][^\]\n]{0,300})?\]\]",
    re.I,
)
_IMAGE = re.compile(
    r"!\[(?P<alt>[^\]\n]{0,500})\]\((?P<url><[^>\n]{0,999}>|[^()\s]{0,999}(?:\([^()\s]{0,99}\)[^()\s]{0,99})*)[^)\n]{0,300}\)"
)
_TAG = re.compile(r"<[^<>]{1,2000}>")
_NO_BREAK_SPACE = re.compile(r"&nbsp;|&#160;")
_MANY_BLANK = re.compile(r"\n[ \t]*\n(?:[ \t]*\n)+")
_TRAILING = re.compile(r"(?<![ \t])[ \t]+$", re.M)


def clean_markdown(text: str) -> str:
    """The text as a reader sees it, still Markdown: code, links, tables and emphasis as written."""
    kept: list[str] = []
    text = _SMUGGLED.sub("", text)
    text = _put_by_code(_with_fences(text), kept)
    text = _put_by_elements(_TOC.sub("", text), kept)
    for pattern, replacement in _STEPS:
        text = pattern.sub(replacement, text)
    text = _MANY_BLANK.sub("\n\n", _TRAILING.sub("", text)).strip("\n")
    for _ in range(2):  # a table may hold code
        text = _KEPT.sub(lambda found: kept[int(found[1])], text)
    return clean(text)  # entities can name characters that no text may hold


def _put_by_code(text: str, kept: list[str]) -> str:
    """The text with a mark in the place of every piece of code, which goes to `kept`."""
    pieces, done = [], 0
    for start, end in protected(text):
        if text.startswith(("<", "$", "%%"), start):  # HTML, math and comments are no code
            continue
        pieces += [text[done:start], _put_by(text[start:end], kept)]
        done = end
    return "".join([*pieces, text[done:]])


def _put_by(piece: str, kept: list[str]) -> str:
    """The mark that stands for a piece until everything else is cleaned."""
    kept.append(piece)
    return f"{_OPEN}{len(kept) - 1}{_CLOSE}"


def _put_by_elements(text: str, kept: list[str]) -> str:
    """The text without comments and elements that show no words; tables and code go to `kept`."""

    def end(opening: re.Match[str]) -> tuple[str, re.Pattern[str]]:
        name = (opening[1] or opening[0]).lower()
        return name, _ELEMENT_ENDS.get(name) or re.compile(rf"</{name}\s*>", re.I)

    def convert(opening: re.Match[str], inner: str) -> str:
        name = (opening[1] or "").lower()
        if name == "table":
            inner = table_markdown(f"<table>{_ANCHOR.sub(_anchor, inner)}</table>")
        elif name == "pre":
            inner = _fenced(html.unescape(_TAG.sub("", inner)))
        else:
            return ""
        return f"\n\n{_put_by(inner, kept)}\n\n"

    return _replace_pairs(text, _ELEMENT, end, convert)


def _with_fences(text: str) -> str:
    """The text with the code of `highlight` tags between fences."""
    return _replace_pairs(
        text,
        _HIGHLIGHT,
        lambda opening: (opening["kind"], _HIGHLIGHT_ENDS[opening["kind"][:2]]),
        lambda opening, code: _fenced(code, opening["language"]),
    )


def _replace_pairs(
    text: str,
    opening: re.Pattern[str],
    end: Callable[[re.Match[str]], tuple[str, re.Pattern[str]]],
    convert: Callable[[re.Match[str], str], str],
) -> str:
    """The text with `convert(opening, inner)` in the place of each opening, its end and the inner.

    `end` gives the kind of an opening and the pattern of its end. An opening without an end stays,
    and no end of its kind is looked for again, so that time is linear.
    """
    pieces: list[str] = []
    done = place = 0
    endless: set[str] = set()
    while found := opening.search(text, place):
        place = found.end()
        kind, pattern = end(found)
        closing = None if kind in endless else pattern.search(text, place)
        if closing is None:
            endless.add(kind)
            continue
        inner = text[found.end() : closing.start()]
        pieces += [text[done : found.start()], convert(found, inner)]
        done = place = closing.end()
    return "".join([*pieces, text[done:]])


def _fenced(code: str, language: str = "") -> str:
    fence = "```" if "```" not in code else "~~~~"
    code = code.strip("\n")
    return f"{fence}{language}\n{code}\n{fence}"


def _alt_text(found: re.Match[str]) -> str:
    alt = _ALT.search(found[0])
    return html.unescape(alt[1] or alt[2] or "") if alt else ""


def _anchor(found: re.Match[str]) -> str:
    words = " ".join(_INLINE_TAG.sub("", _IMAGE_TAG.sub(_alt_text, found["text"])).split())
    return f"[{words}]({found['url']})" if words else ""


def _picture(found: re.Match[str]) -> str:
    """A picture from the network stays; one that lies beside the source is only its words."""
    url = found["url"].strip("<>")
    return found[0] if url.startswith(("http://", "https://")) else found["alt"]


_STEPS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (_GENERATOR, ""),
    (_BEFORE_TAG, ""),
    (_KRAMDOWN, ""),
    (_ANCHOR, _anchor),
    (_IMAGE_TAG, _alt_text),
    (_BLOCK_TAG, "\n"),
    (_INLINE_TAG, ""),
    (_EMBEDDED_FILE, ""),
    (_IMAGE, _picture),
    (_NO_BREAK_SPACE, " "),
)
