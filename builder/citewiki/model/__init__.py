"""The values that pass between rooms: frozen, explained, free of behaviour that needs a disk.

`as_json` turns any of them into what `--json` prints. Values of sources and of answers are loaded
when they are first used: a dataclass takes a millisecond to define, and a search needs none.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from citewiki.model.page import (
    ANYONE,
    AUTHORITIES,
    PAGE_TYPES,
    Hit,
    Page,
    Problem,
    SourceRef,
    Via,
    Viewer,
)
from citewiki.model.plain import as_json, iso

if TYPE_CHECKING:
    from citewiki.model.answer import (
        Answer,
        Check,
        Citation,
        Claim,
        Drift,
        Refusal,
        RefusalKind,
        Verdict,
    )
    from citewiki.model.source import (
        Draft,
        Place,
        Section,
        SectionRecord,
        SectionStatus,
        Source,
        SourceRecord,
    )

__all__ = [
    "ANYONE",
    "AUTHORITIES",
    "PAGE_TYPES",
    "Answer",
    "Check",
    "Citation",
    "Claim",
    "Draft",
    "Drift",
    "Hit",
    "Page",
    "Place",
    "Problem",
    "Refusal",
    "RefusalKind",
    "Section",
    "SectionRecord",
    "SectionStatus",
    "Source",
    "SourceRecord",
    "SourceRef",
    "Verdict",
    "Via",
    "Viewer",
    "as_json",
    "iso",
]

_OF_SOURCES = {
    "Draft",
    "Place",
    "Section",
    "SectionRecord",
    "SectionStatus",
    "Source",
    "SourceRecord",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "source" if name in _OF_SOURCES else "answer"
    return getattr(import_module(f"{__name__}.{home}"), name)
