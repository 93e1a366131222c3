"""A page's HTML with nothing in it that acts: what is allowed is listed, all else goes."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import nh3

TAGS = frozenset(
    "a abbr audio b blockquote br caption cite code col colgroup dd del details dfn div dl dt em "
    "figcaption figure h1 h2 h3 h4 h5 h6 hr i img input ins kbd label li mark ol p picture "
    "pre q rp rt ruby s samp small source span strong sub summary sup table tbody td tfoot th "
    "thead time tr track u ul var video wbr".split()
)
"""What Markdown and its extensions write. No forms, frames, styles, scripts, drawings."""

FORMULAS = frozenset(
    "math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms "
    "mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover".split()
)
"""MathML without what embeds, annotates or acts."""

ATTRIBUTES = {
    "*": {"class", "id", "lang", "dir", "title"},
    "a": {"href", "name"},
    "abbr": {"title"},
    "audio": {"src", "controls", "preload"},
    "col": {"span"},
    "colgroup": {"span"},
    "details": {"open"},
    "img": {"src", "alt", "width", "height", "loading"},
    "input": {"checked", "disabled"},
    "li": {"value"},
    "ol": {"start", "type", "reversed"},
    "source": {"src", "type"},
    "td": {"colspan", "rowspan", "style", "align"},
    "th": {"colspan", "rowspan", "scope", "style", "align"},
    "time": {"datetime"},
    "track": {"src", "kind", "srclang", "label"},
    "video": {"src", "controls", "preload", "width", "height", "poster"},
}
_OF_FORMULAS = set(
    "accent accentunder alttext columnalign columnspan depth display displaystyle fence form "
    "height largeop linethickness lspace mathcolor mathvariant maxsize minsize movablelimits "
    "notation rowspacing rowspan rspace scriptlevel separator stretchy style symmetric "
    "voffset width".split()
)
SCHEMES = frozenset(("http", "https", "mailto"))


_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
_NEVER_NEST = frozenset(
    "area base br col embed hr img input link meta source track wbr "  # hold nothing
    "p li dt dd tr td th thead tbody tfoot colgroup option".split()  # end where the next one begins
)
_FORMATTING = frozenset("a b big code em font i nobr s small strike strong tt u".split())
_DEEPEST = 200  # tags within tags: what parses HTML takes quadratic time for more of them
_ENTITIES = 50_000  # in one text, each of which copies what stands before it
_UNENDED = 16  # of those that are begun anew in every paragraph until they end


def harmless(html: str) -> str:
    """`html` without anything that is not in the lists; text of what goes stays, but of scripts.

    What is so tangled that it would take long to take apart is shown as the text that it is.
    """
    return f"<pre>{escape(html)}</pre>" if _is_tangled(html) else _cleaner().clean(html)


def _is_tangled(html: str) -> bool:
    if html.count("&") > _ENTITIES:
        return True
    depth = unended = 0
    begun: dict[str, int] = {}
    for ending, name in _TAG.findall(html):
        tag = name.lower()
        if tag in _NEVER_NEST or (ending and not begun.get(tag)):
            continue
        step = -1 if ending else 1
        begun[tag] = begun.get(tag, 0) + step
        depth += step
        unended += step if tag in _FORMATTING else 0
        if depth > _DEEPEST or unended > _UNENDED:
            return True
    return False


@lru_cache(maxsize=1)
def _cleaner() -> nh3.Cleaner:
    import nh3

    return nh3.Cleaner(
        tags=set(TAGS | FORMULAS),
        clean_content_tags={"script", "style", "template", "noscript", "iframe", "object"},
        attributes=ATTRIBUTES | dict.fromkeys(FORMULAS, _OF_FORMULAS),
        tag_attribute_values={"input": {"type": {"checkbox"}}},
        generic_attribute_prefixes={"data-missing", "aria-"},
        filter_style_properties={
            "text-align",
            "justify-items",
            "padding-right",
            "padding-left",
            "border-right",
            "color",
            "width",
        },
        url_schemes=set(SCHEMES),
        link_rel="noopener noreferrer",
    )
