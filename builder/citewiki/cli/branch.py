"""Drafts as commits on a branch of git, one a page, beside the user's work tree and index."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from citewiki.cli.differences import harmless
from citewiki.cli.git import Git
from citewiki.errors import DataError
from citewiki.store.review import Item


def check(root: Path, branch: str) -> None:
    """Raises DataError where drafts cannot be committed to `branch`.

    That is where there is no git repository, for a name that git does not allow, and for a branch
    that is checked out, as its work tree would no longer be what it says.
    """
    git = Git(root)
    ref = f"refs/heads/{branch}"
    if branch.startswith("-") or not git.succeeds("check-ref-format", ref):
        raise DataError(branch, "is no name for a branch of git")
    if f"branch {ref}" in git("worktree", "list", "--porcelain").splitlines():
        raise DataError(branch, "is checked out; name another branch")


def propose(root: Path, branch: str, items: Iterable[Item], *, now: datetime) -> tuple[str, ...]:
    """Commit the pages of `items` to `branch`, each in a commit that names its evidence; their ids.

    The branch is made from HEAD when there is none. A page that it holds as it is already gets no
    commit. The branch moves once, at the end, and only if nobody else has moved it meanwhile.
    Raises DataError, as `check` does.
    """
    check(root, branch)
    git, ref = Git(root), f"refs/heads/{branch}"
    old = git.value("rev-parse", "--verify", "--quiet", f"{ref}^{{commit}}")
    parent = old or git.value("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
    folder = git("rev-parse", "--show-prefix").strip()
    made: list[str] = []
    with tempfile.TemporaryDirectory() as temporary:
        git.index = Path(temporary, "index")
        git("read-tree", parent or "--empty")
        tree = git.value("rev-parse", f"{parent}^{{tree}}") if parent else ""
        for item in items:
            blob = git("hash-object", "-w", "--stdin", text=item.page_text).strip()
            git("update-index", "--add", "--cacheinfo", f"100644,{blob},{folder}wiki/{item.path}")
            written = git("write-tree").strip()
            if written == tree:
                continue
            parents = ("-p", parent) if parent else ()
            message, dated = _message(item), _dates(now)
            parent = git("commit-tree", written, *parents, text=message, **dated).strip()
            tree = written
            made.append(parent)
        if made:
            git("update-ref", "-m", "citewiki: drafts", ref, parent, old or "0" * len(parent))
    return tuple(made)


def _message(item: Item) -> str:
    """What a commit says: the change, the reason, why it waits, the evidence word for word."""
    heads = {"new": "New page", "update": "Update of", "addition": "Addition to"}
    parts = [f"{heads.get(item.kind, item.kind.capitalize() + ':')} {item.title}"]
    if item.why:
        parts.append(item.why)
    if item.reasons:
        parts.append("Waits for review:\n" + "\n".join(f"- {reason}" for reason in item.reasons))
    quotes = [
        f"- {', '.join(filter(None, (each.source, each.locator)))}: “{_line(each.quote)}”"
        for each in item.evidence
    ]
    if quotes:
        parts.append("Evidence:\n" + "\n".join(quotes))
    parts.append(f"Source: {item.source}, {item.section}\nReview: {item.id}")
    return harmless("\n\n".join(parts)) + "\n"


def _line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _dates(now: datetime) -> dict[str, str]:
    return {"GIT_AUTHOR_DATE": now.isoformat(), "GIT_COMMITTER_DATE": now.isoformat()}
