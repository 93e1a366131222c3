"""How an answer came about, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from citewiki.index.index import Index
from citewiki.model import Claim, as_json
from citewiki.query.retrieve import Retrieval


def explanation(
    index: Index, found: Retrieval, claims: Sequence[Claim], steps: Sequence[Any] = ()
) -> dict[str, Any]:
    """Terms with their frequencies, pages with the way they came in, claims with their checks.

    `steps` are the calls of a model that looked things up itself.
    """
    return {
        "terms": as_json(found.weighed.terms),
        "missing": list(found.weighed.missing),
        "pages": as_json(found.hits),
        "claims": as_json(claims),
        **({"steps": as_json(steps)} if steps else {}),
    }
