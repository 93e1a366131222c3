"""Merge bases: what the program wrote, so that a person's edits can be told from it.

The base of a body is always the program's own text, also when the page holds that text merged
with a person's edits: were the merged text the base, the next merge would take the edits for the
program's and drop them. So `generated.sha256` of a merged page names the program's text, and
`edited_by_hand` stays true of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from citewiki.model import Page, as_json
from citewiki.store.kept import Kept
from citewiki.store.pages import body_sha256
from citewiki.text.folding import name_key

FOLDER = "bases"
FRONTS = "fronts"

FRONTS_KEPT = 3
"""Generations of a page's front matter: a draft's, the page's, and one of a run cut short."""

_SINGLE = ("type", "summary", "source_authority", "confidence", "valid_from")
_LISTS = ("aliases", "tags")


def keep(cache: Path, body: str) -> None:
    """Keep a body that the program has written, under the hash that the page's file states."""
    Kept(cache / FOLDER, durable=False)[body_sha256(body)] = body  # `kept` checks its hash


def kept(cache: Path, sha256: str) -> str | None:
    """The kept body of that hash (see `body_sha256`); None when there is none, or it is damaged."""
    body = Kept(cache / FOLDER).get(sha256)
    return body if body is not None and body_sha256(body) == sha256 else None


def base_of(cache: Path, page: Page) -> str | None:
    """The body that the program last wrote for `page`; None when that is not known any more.

    A page that nobody has edited is its own base, whatever is left of the cache.
    """
    if page.generated_sha256 == body_sha256(page.body):
        return page.body
    return kept(cache, page.generated_sha256)


def keep_front(cache: Path, name: str, page: Page, *, new: bool = False) -> None:
    """Keep the front matter that the program gave `page`, under its slug or a draft's id.

    Unless the page is `new`, that of before stays known: which of them holds is told by the
    page's file, as a run may end before the page is written.
    """
    before = {} if new else _fronts(cache, name)
    _keep_fronts(cache, name, {**before, _time(page): _front(page)})


def front_of(cache: Path, name: str, page: Page) -> dict[str, Any] | None:
    """The front matter kept under that name when `page` was generated; None when there is none."""
    front = _fronts(cache, name).get(_time(page))
    return front if isinstance(front, dict) and front.keys() >= {*_SINGLE, *_LISTS} else None


def settle_front(cache: Path, draft: str, slug: str) -> None:
    """What was kept for a draft holds for the page that it became."""
    if found := _fronts(cache, draft):
        _keep_fronts(cache, slug, {**_fronts(cache, slug), **found})
        Kept(cache / FRONTS).pop(_key(draft), None)


def with_edits(cache: Path, current: Page, new: Page) -> Page:
    """`new` with what a person has changed in the front matter of `current`.

    Of lists, what they added and what they took out; of the rest, what they wrote. Where nobody
    knows what the program wrote, lists keep all, and the rest is as in `new`.
    """
    now = _front(current)
    base = front_of(cache, current.slug, current) or {**now, **dict.fromkeys(_LISTS, ())}
    edits = {key: getattr(current, key) for key in _SINGLE if now[key] != base[key]}
    for key in _LISTS:
        out = {name_key(text) for text in base[key]} - {name_key(text) for text in now[key]}
        own = _without(now[key], base[key])
        kept = [text for text in getattr(new, key) if name_key(text) not in out]
        edits[key] = (*kept, *_without(own, kept))
    return replace(new, **edits)


def _front(page: Page) -> dict[str, Any]:
    return {key: as_json(getattr(page, key)) for key in (*_SINGLE, *_LISTS)}


def _fronts(cache: Path, name: str) -> dict[str, Any]:
    """Kept front matter by the time at which it was generated, the latest last."""
    try:
        fronts = json.loads(Kept(cache / FRONTS)[_key(name)])
    except (KeyError, ValueError):
        return {}
    return fronts if isinstance(fronts, dict) else {}


def _keep_fronts(cache: Path, name: str, fronts: dict[str, Any]) -> None:
    latest = dict(list(fronts.items())[-FRONTS_KEPT:])
    Kept(cache / FRONTS, durable=False)[_key(name)] = json.dumps(latest, ensure_ascii=False)


def _time(page: Page) -> str:
    return page.generated_at.isoformat() if page.generated_at else ""


def _without(texts: Iterable[str], others: Iterable[str]) -> list[str]:
    known = {name_key(text) for text in others}
    return [text for text in texts if name_key(text) not in known]


def _key(name: str) -> str:
    """A name as a key, whatever is in it."""
    return hashlib.sha256(name.encode()).hexdigest()
