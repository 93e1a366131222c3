"""citewiki: sources distilled into linked pages, and answers that cite a page or refuse.

from citewiki import Wiki

wiki = Wiki.open("my-wiki")
answer = wiki.ask("What is BM25?")
print(answer.answer or answer.refusal.message)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citewiki.errors import CitewikiError
    from citewiki.model import Answer, Citation, Claim, Hit, Page, Refusal, Verdict, as_json
    from citewiki.wiki import Wiki

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Citation",
    "CitewikiError",
    "Claim",
    "Hit",
    "Page",
    "Refusal",
    "Verdict",
    "Wiki",
    "as_json",
]

_HOMES = {"Wiki": "citewiki.wiki", "CitewikiError": "citewiki.errors"}


def __getattr__(name: str) -> Any:
    """Public names are loaded when they are first used, so that commands start fast."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES.get(name, "citewiki.model")), name)
