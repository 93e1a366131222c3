"""The values that pass between rooms: frozen, explained, free of behaviour that needs a disk.

`as_json` turns any of them into what `--json` prints. Each part of this package is loaded when one
of its names is first used: a dataclass takes a millisecond to define, and a search needs one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citewiki.model.answer import (
        Answer,
        Caution,
        CautionKind,
        Check,
        Citation,
        Claim,
        Drift,
        Refusal,
        RefusalKind,
        Verdict,
    )
    from citewiki.model.hit import ANYONE, Hit, Via, Viewer
    from citewiki.model.page import (
        AUTHORITIES,
        PAGE_TYPES,
        Page,
        Problem,
        ScopeNote,
        SourceRef,
        Verification,
    )
    from citewiki.model.plain import as_json, iso, moment
    from citewiki.model.source import (
        Draft,
        Place,
        Proposal,
        ProposalKind,
        Section,
        SectionRecord,
        SectionStatus,
        Source,
        SourceRecord,
        Version,
    )

__all__ = [
    "ANYONE",
    "AUTHORITIES",
    "PAGE_TYPES",
    "Answer",
    "Caution",
    "CautionKind",
    "Check",
    "Citation",
    "Claim",
    "Draft",
    "Drift",
    "Hit",
    "Page",
    "Place",
    "Problem",
    "Proposal",
    "ProposalKind",
    "Refusal",
    "RefusalKind",
    "ScopeNote",
    "Section",
    "SectionRecord",
    "SectionStatus",
    "Source",
    "SourceRecord",
    "SourceRef",
    "Verdict",
    "Verification",
    "Version",
    "Via",
    "Viewer",
    "as_json",
    "iso",
    "moment",
]

_PARTS = {
    "answer": "Answer Caution CautionKind Check Citation Claim Drift Refusal RefusalKind Verdict",
    "hit": "ANYONE Hit Via Viewer",
    "page": "AUTHORITIES PAGE_TYPES Page Problem ScopeNote SourceRef Verification",
    "plain": "as_json iso moment",
    "source": (
        "Draft Place Proposal ProposalKind Section SectionRecord SectionStatus Source SourceRecord"
        " Version"
    ),
}
_PART_OF = {name: part for part, names in _PARTS.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _PART_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PART_OF[name]}"), name)
