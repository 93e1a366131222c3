"""Mermaid diagrams: the source stands in the page, and a script draws it where it is read.

Mermaid itself comes from the package `mermaidx` and is published with the site, on pages with a
diagram only. Without that package, and without scripts, the source is what is shown.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

CLASS = "cw-diagram"
MERMAID = "assets/mermaid.min.js"  # as it is published; a page with a diagram names it as shown

_OTHERS = re.compile(  # what the theme would draw, with a Mermaid that it fetches from elsewhere
    r"(<(?:pre|div)\b[^<>]*?\bclass=[\"']?(?:[\w-]+ )*)mermaid\b"
)


@cache
def mermaid_file() -> Path | None:
    """Mermaid as one script; None where the package that brings it is not installed."""
    from importlib.util import find_spec

    spec = find_spec("mermaidx")
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder) / "assets" / "mermaid.js"
        if path.is_file():
            return path
    return None


def has_diagram(html: str) -> bool:
    """Whether a page's HTML holds a diagram to draw."""
    return f'class="{CLASS}"' in html


def diagram_fence(source: str, *_: Any, **__: Any) -> str:
    """A ```mermaid block, as superfences asks for it."""
    return f'<pre class="{CLASS}"><code>{escape(source)}</code></pre>'


def ours(html: str) -> str:
    """`html` whose diagrams, however they came there, are ours to draw."""
    return _OTHERS.sub(rf"\1{CLASS}", html) if "mermaid" in html else html
