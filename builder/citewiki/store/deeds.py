"""One action on pages: planned as values, then done to all its files as one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Required, Self, TypedDict

from citewiki.errors import LifecycleError, UnknownPage
from citewiki.model import Page, Viewer, iso
from citewiki.store.catalog import index_of, index_row, log_lines
from citewiki.store.journal import INDEX, NOTE, Step, Write, carry_out, finish, put, read_text
from citewiki.store.ledger import Ledger
from citewiki.store.pages import END_BEFORE, is_archived, load_pages, parse_page
from citewiki.store.paths import RESERVED
from citewiki.store.seen import Seen
from citewiki.store.selection import Where, select
from citewiki.store.stamps import key_of, stamped
from citewiki.store.succession import NOT_HERE, future_time
from citewiki.store.visibility import may_write, not_writable
from citewiki.text.folding import name_key
from citewiki.text.slugs import slugify

Action = Literal[
    "archive", "restore", "supersede", "unsupersede", "reverify", "unverify", "limit", "unlimit",
    "delete", "share", "unshare",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """What an action does to one page."""

    slug: str
    path: str  # relative to wiki/, as it will be; of a page that goes, as it was
    action: Action
    before: Mapping[str, Any]  # "path", if that changes, and keys of the front matter; None: none
    after: Mapping[str, Any]  # the same as they will be; empty for a page that goes
    says: str = ""  # the line for the log; "" where that of another page says it


class How(TypedDict, total=False):
    """Who acts, when and why: what every action is told."""

    now: Required[datetime]
    who: str  # for the log; "": the viewer, or else the operator
    viewer: Viewer  # on whose behalf: what they do not see does not exist, what is not theirs stays
    why: str
    dry_run: bool  # plan only
    write: Write


class Deed:
    """One action: the pages as they are, and what it is going to do to them.

    Use it in a `with` statement, holding the wiki's lock.
    """

    def __init__(self, root: Path, action: Action, how: How) -> None:
        self._root, self._action, self._how = root, action, how
        self._write, self._viewer = how.get("write", put), how.get("viewer")
        if not how.get("dry_run"):
            finish(root, self._viewer, self._write)
        self._ledger = Ledger(root / "wiki", (root / NOTE).parent)
        self.pages = Seen(self._ledger, self._viewer)
        self._targets: set[str] = set()  # of pages that move, folded
        # ends the names of files that only this user has
        self._tail = f"~{slugify(self._viewer)}" if self._viewer is not None else ""
        self._texts: dict[str, str] = {}
        self._changes: dict[str, Change] = {}  # by path of before

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._ledger.close()

    def choose(
        self, names: Sequence[str], where: Where, *, archived: bool | None = False
    ) -> list[Page]:
        """The pages meant, of those that are archived, or are not (None: either)."""
        try:
            found = self._chosen(self._candidates(names, where), names, where, archived)
        except UnknownPage:  # the nearest names are told of all
            found = self._chosen(self.pages.all, names, where, archived)
        for page in () if archived is None else found:
            if ahead := future_time(page, self._how["now"]):
                raise LifecycleError(
                    page.path,
                    f"{ahead[0]} {iso(ahead[1])} lies in the future",
                    hint="check the clock, or mend the page",
                )
        return found

    def _candidates(self, names: Sequence[str], where: Where) -> list[Page]:
        """At least the pages that could be meant."""
        if names and not where:
            found = {page.path: page for name in names for page in self.pages.called(name)}
            return list(found.values())
        if where.query:  # words of the bodies, too
            return load_pages(self._root / "wiki", archived=True, viewer=self._viewer)[0]
        return self.pages.all

    def _chosen(
        self, pages: Iterable[Page], names: Sequence[str], where: Where, archived: bool | None
    ) -> list[Page]:
        may: list[Page] = []
        others: list[Page] = []
        for page in pages:
            (may if archived in (None, is_archived(page)) else others).append(page)
        why_not = "is not archived" if archived else "is archived already"
        if not archived and self._action != "archive":
            why_not = "is archived; bring it back first: citewiki restore"
        return select(may, names, where, others=others, why_not=why_not, viewer=self._viewer)

    def check(self, page: Page) -> None:
        """Raises NotAllowed where who acts may not change `page`; planning does so by itself."""
        if not may_write(page, self._viewer):
            raise not_writable(page, self._viewer)

    def plan(
        self,
        page: Page,
        keys: Mapping[str, Any] | None,
        target: str = "",
        says: str = "",
    ) -> None:
        """Set `keys` of a page's front matter and move it to `target`; None: delete it."""
        self.check(page)
        if keys is None:
            before: dict[str, Any] = {"path": page.path, "title": page.title}
            after: dict[str, Any] = {}
        else:
            before = {key: key_of(self.text(page), key) for key in keys}
            after = dict(keys)
            if target and target != page.path:
                before["path"], after["path"] = page.path, target
        known = self._changes.get(page.path)
        if known:  # the same page once more: as old and as new one
            before, after = {**before, **known.before}, {**known.after, **after}
            says = known.says or says
        path = after.get("path", page.path)
        self._changes[page.path] = Change(page.slug, path, self._action, before, after, says)

    def plan_supersedes(
        self, gained: Mapping[str, Sequence[str]] | None = None, lost: Iterable[str] = ()
    ) -> None:
        """Bring `supersedes` of all pages in line: by slug what they gain, and what all lose."""
        gone = set(lost)
        pages = {page.path: page for page in self.pages.superseding(gone)}
        pages |= {page.path: page for slug in gained or {} if (page := self.pages.get(slug))}
        for _, page in sorted(pages.items()):
            kept = [slug for slug in page.supersedes if slug not in gone]
            now = list(dict.fromkeys((*kept, *(gained or {}).get(page.slug, ()))))
            known = self._changes.get(page.path)
            if now != list(page.supersedes) and (known is None or known.after):
                # compiling writes an empty list, a person none
                self.plan(page, {"supersedes": now or ([] if page.generated_by else None)})

    def successor(self, page: Page) -> str:
        """The slug by which a page is superseded, or `NOT_HERE` for one that they who act may not
        know of; "": by none.
        """
        slug = page.superseded_by
        return NOT_HERE if slug and self._viewer is not None and slug not in self.pages else slug

    def reopened(self, page: Page) -> dict[str, Any]:
        """The keys by which a page is no longer superseded."""
        keys: dict[str, Any] = {"superseded_by": None, "superseded_at": None}
        newer = self.pages.get(page.superseded_by)
        before = key_of(self.text(page), END_BEFORE)
        if before is not None:
            keys[END_BEFORE] = None
            if as_time(before) != self.time(page, "valid_until"):
                keys["valid_until"] = as_time(before)
        elif newer and page.valid_until in (newer.valid_from, page.superseded_at):
            keys["valid_until"] = None  # superseded by hand, or by a draft
        return keys

    def slug_kept(self, page: Page, target: str) -> dict[str, str]:
        """The key that keeps a page's slug where its file gets another name."""
        same = target.rpartition("/")[2] == page.path.rpartition("/")[2]
        return {} if same or key_of(self.text(page), "slug") else {"slug": page.slug}

    def bears_name(self, page: Page) -> bool:
        """Whether no page of others can be called as a page's file is; the operator's every."""
        return page.path.endswith(f"{self._tail}.md")

    def free(self, path: str) -> str:
        """`path`, or the first of path-2, path-3, … that no file has.

        For a user the path says whose it is, so that only pages of their own stand in its way: a
        number would tell of those that they do not see.
        """
        if not path.endswith(f"{self._tail}.md"):
            path = f"{path.removesuffix('.md')}{self._tail}.md"
        stem, number = path.removesuffix(f"{self._tail}.md"), 1
        while (
            name_key(path) in self._targets
            or path in RESERVED
            or self.pages.holds(path)
            or (self._root / "wiki" / path).exists()
        ):
            number += 1
            path = f"{stem}-{number}{self._tail}.md"
        self._targets.add(name_key(path))
        return path

    def verified(self, page: Page) -> list[Any]:
        """The verifications in a page's file, with all that they say."""
        found = key_of(self.text(page), "verified")
        events = found if isinstance(found, list) else [found] if found is not None else []
        return [_with_times(event) for event in events]

    def time(self, page: Page, key: str) -> date | None:
        """A time of a page's front matter, as a day where it is one there."""
        return as_time(key_of(self.text(page), key))

    def text(self, page: Page) -> str:
        """A page's file as it is."""
        if page.path not in self._texts:
            self._texts[page.path] = read_text(self._file(page.path), page.path) or ""
        return self._texts[page.path]

    def done(self, also: Mapping[str, str] | None = None) -> tuple[Change, ...]:
        """Do what was planned, unless this is to be a plan only; all of it, or nothing."""
        changes = tuple(self._changes.values())
        if not changes:
            raise LifecycleError(f"nothing to {self._action}", "no page there needs it")
        steps = [step for path in self._changes for step in self._steps(path)]
        steps += self._list_step(steps)
        for path, text in (also or {}).items():
            steps.append(Step(path, read_text(self._root / path, path), text))
        why = self._how.get("why", "").strip()
        said = [
            f"{change.says}: {why}" if why else change.says for change in changes if change.says
        ]
        if not self._how.get("dry_run"):
            who = self._how.get("who", "") if self._viewer is None else self._viewer
            lines = log_lines(self._how["now"], who, said)
            carry_out(self._root, steps, lines, self._write)
        return changes

    def _steps(self, path: str) -> list[Step]:
        change, text = self._changes[path], self._texts.get(path)
        text = text if text is not None else read_text(self._file(path), path)
        if not change.after:
            return [Step(f"wiki/{path}", text, None)]
        keys = {key: value for key, value in change.after.items() if key != "path"}
        after = stamped(text or "", keys, path)
        if change.path == path:
            return [Step(f"wiki/{path}", text, after)]
        return [Step(f"wiki/{change.path}", None, after), Step(f"wiki/{path}", text, None)]

    def _list_step(self, steps: Sequence[Step]) -> list[Step]:
        """wiki/index.md, where there is one, as it will be after `steps`."""
        before = read_text(self._root / INDEX, INDEX)
        if before is None:
            return []
        changed = {step.path.removeprefix("wiki/"): step.after for step in steps}
        rows = [row for row in self._ledger.listed() if row.path not in changed]
        for path, text in changed.items():
            page = parse_page(text, path) if text is not None else None
            if page and not is_archived(page):
                rows.append(index_row(page))
        return [Step(INDEX, before, index_of(rows, before))]

    def _file(self, path: str) -> Path:
        return self._root / "wiki" / path


def as_time(raw: Any) -> date | None:
    """A front matter value as a time, or as the day that it is; None: it is neither."""
    for read in (date.fromisoformat, datetime.fromisoformat):
        try:
            return read(str(raw).strip())
        except ValueError:
            continue
    return None


def _with_times(event: Any) -> Any:
    """A verification, its times as such, so that they are written as they were."""
    if not isinstance(event, dict):
        return event
    times = {key: as_time(event.get(key)) for key in ("at", "previous")}
    return {**event, **{key: time for key, time in times.items() if time}}
