"""Math between `$` signs as MathML, which browsers show without a script.

What cannot be read as LaTeX is shown as it was written, with the reason on hover.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as etree
from functools import cache, lru_cache
from html import escape, unescape
from typing import Any

from markdown.util import AtomicString

CLASS = "cw-math"
_HELD = re.compile(f'<span class="{CLASS}">([^<]*)</span>')
_LONGEST = 20_000  # characters of one formula; nobody writes longer ones by hand
_MACROS = {  # what people write and math-core does not know
    "substack": r"\begin{matrix}#1\end{matrix}",
    "href": "{#2}",
    "label": r"\relax",
    "nonumber": r"\relax",
}


def held(written: str) -> etree.Element:
    """An element that holds a formula as written, with its `$`, until the page's HTML is done.

    Till then headings make their ids of what was written, as they do elsewhere.
    """
    element = etree.Element("span", {"class": CLASS})
    element.text = AtomicString(written)
    return element


def with_formulas(html: str) -> str:
    """`html` with MathML for all that is `held`."""
    return _HELD.sub(lambda match: formula(unescape(match[1])), html)


def formula(written: str) -> str:
    """What to show for `$x$`, `$$x$$` or GitHub's $`x`$."""
    is_block = written.startswith("$$")
    latex = written.strip("$").strip()
    if not latex:
        return escape(written)
    if latex.startswith("`") and latex.endswith("`"):
        latex = latex.strip("`")
    return mathml(latex, is_block=is_block, written=written)


@lru_cache(maxsize=4096)  # a wiki writes the same few symbols again and again
def mathml(latex: str, *, is_block: bool, written: str = "") -> str:
    """The formula as a <math> element; as <code> when it is no LaTeX that we know."""
    from math_core import LatexError

    try:
        if len(latex) > _LONGEST:
            raise ValueError("the formula is too long")
        found: str = _converter().convert_with_local_state(latex, displaystyle=is_block)
    except (LatexError, ValueError) as error:
        reason = str(error).partition(": ")[2] or str(error)
        shown, title = escape(written or latex), escape(reason)
        return f'<code class="{CLASS}-error" title="{title}">{shown}</code>'
    return found.replace("<math", f'<math alttext="{escape(latex)}"', 1)


def math_fence(source: str, *_: Any, **__: Any) -> str:
    """A ```math block, as superfences asks for it."""
    return f'<div class="{CLASS}-block">{mathml(source.strip(), is_block=True)}</div>'


@cache
def _converter() -> Any:
    from math_core import LatexToMathML

    return LatexToMathML(macros=_MACROS, fancy_error=False)
