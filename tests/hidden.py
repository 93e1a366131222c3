"""A wiki with pages to hide: with them, and as if they had never been."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from citewiki.store.catalog import render_index
from citewiki.store.pages import parse_page

READERS = ("bob", "carol", "*")
"""Who may not see the hidden pages: somebody with whom other pages are shared, somebody with whom
none is, and anyone. The owner of the hidden ones is alice."""

SIGNS = (
    "quixomar", "zefflin",  # of the title
    "vexquill",  # the slug
    "wimplock",  # the alias
    "tagzorp",  # the tag
    "domvarn",  # the domain
    "norgumble",  # the file and its folder
    "brundlewick", "snorvle",  # words of the summary and the body
    "headplunk",  # the heading
    "srcmoxle", "srctwindle",  # the source: its id and file, its title
    "imgfrisk", "imgbytes",  # the picture: its name, what is in it
    "authgrimsby",  # who wrote its text
    "archdoodle",  # of the page that is hidden and archived
    "twinsprock",  # of the page that has the title and slug of one that all may see
    "readdorn",  # who reads one of them
    "laterwoggle",  # of the page that came to light later and was hidden again
)  # fmt: skip
"""Strings that stand in hidden pages, their files and what the program writes of them, and nowhere
else. In small letters, as they are looked for."""

HIDDEN_NAME = "Quixomar Zefflin"
KNOWN_NAME = "What was"
"""An alias of the hidden page. A page that all may see links to it: so much is known of it, and the
link has to look like one to a page that is not there."""

_OPEN = "shared_with: ['*']"
_FACTS = "source_authority: docs\ningested_at: 2024-01-02\nlast_verified_at: 2024-04-01"


def _page(title: str, body: str, *front: str) -> str:
    keys = {line.partition(":")[0] for line in front}
    facts = (line for line in _FACTS.split("\n") if line.partition(":")[0] not in keys)
    lines = "\n".join((f"title: {title}", *facts, *front))
    return f"---\n{lines}\n---\n{body}\n"


_BODIES = {
    "ml/retention": _page(
        "Keeping rules",
        "# Keeping rules\n\nThe retention period of archived pages is 90 days.[^rules.1] It replaced"
        " the rules of [[What was]] and [[What was|before]].\n\nArchived pages are counted by [[Backups]].\n\n"
        "## Exceptions\n\nPages under review are kept for 400 days. See [[Review queue]].\n\n"
        '[^rules.1]: raw/rules.md, § Keeping: "archived pages is 90 days"',
        "owner: alice", "slug: keeping-rules", "tags: [retention, rules]", "domain: ml",
        "summary: How long archived pages are kept.", _OPEN,
        "sources: [{id: rules, resource: raw/rules.md, locator: § Keeping}]",
        "superseded_at: 2024-03-01", "confidence: 0.8",
    ),
    "ml/old-rules": _page(
        "Old keeping rules",
        "The retention period of archived pages was 30 days, says [[Keeping rules]].",
        "owner: alice", "slug: old-keeping-rules", "domain: ml", _OPEN,
        "superseded_by: vexquill", "superseded_at: 2024-02-01", "valid_until: 2024-02-01",
    ),
    "ml/older-rules": _page(
        "Older keeping rules",
        "The retention period of archived pages was 10 days.",
        "owner: alice", "slug: older-keeping-rules", "domain: ml", _OPEN,
        "superseded_by: keeping-rules", "superseded_at: 2024-02-01", "valid_until: 2023-02-01",
    ),
    "ops/backups": _page(
        "Backups",
        "A backup of archived pages is made each night at 2 o'clock. [[Keeping rules]] says how"
        " long they stay.\n\n![[nightly.png|300]]\n\nIt takes 45 minutes, see [[Restore drill]].",
        "slug: backups", "aliases: [nightly copies]", "tags: [backup, operations]", "domain: ops",
        "summary: What is copied at night.", _OPEN,
    ),
    "ops/drill": _page(
        "Restore drill",
        "A restore drill takes place every 30 days. It needs [[Backups]] and a [[Runbook]].",
        "tags: [backup]", "domain: ops", _OPEN,
    ),
    "ops/runbook": _page(
        "Runbook",
        "# Runbook\n\nThe runbook lists 12 steps. The first is to read [[Keeping rules]].",
        "domain: ops", _OPEN, "last_verified_at: 2021-01-01",
    ),
    "ops/queue": _page(
        "Review queue", "Drafts wait in the review queue for 14 days, then [[Bob's notes]] says why.",
        "domain: ops", _OPEN,
    ),
    "ops/queue-two": _page(
        "Review queue rules", "Drafts wait in the review queue for 21 days.", "domain: ops", _OPEN,
    ),
    "people/bobs": _page(
        "Bob's notes", "Bob keeps notes on [[Keeping rules]] and on [[Backups]]. He wrote 7 of them.",
        "owner: bob", "slug: bobs-notes", "domain: people", "tags: [notes]",
    ),
    "people/shared": _page(
        "For Bob", "Alice tells bob that the vault opens at 9 o'clock. [[Bob's notes]] agree.",
        "owner: alice", "slug: for-bob", "domain: people", "shared_with: [bob]",
    ),
    "people/carols": _page(
        "Carol's garden", "The garden of carol has 3 trees, and a link to [[Backups]].",
        "owner: carol", "slug: carols-garden", "domain: people", "shared_with: ['*']",
    ),
    "_archive/ops/away": _page(
        "Away rules", "The archive was emptied in 2019. [[Backups]]", "domain: ops", _OPEN,
        "archived_at: 2024-02-02",
    ),
}  # fmt: skip

_MORE = {
    f"more/topic-{number}": _page(
        f"Topic {number}",
        f"Topic {number} has {number + 3} parts and follows [[Topic {(number * 7) % 13}]]. Its"
        " pages are archived by the rules of [[Keeping rules]].",
        f"tags: [topic, part{number % 3}]", "domain: more", _OPEN,
    )
    for number in range(13)
}  # fmt: skip

_HIDDEN = {
    "norgumble/norgumble": _page(
        HIDDEN_NAME,
        "# Quixomar Zefflin\n\nThe retention period of archived pages is 45 days.[^srcmoxle.1]"
        " Brundlewick wrote it, see [[Keeping rules]] and [[Backups]]. Snorvle counts [[Topic 1]],"
        " [[Topic 2]] and [[For Bob]].\n\n![[imgfrisk.png]] ![[nightly.png]]\n\n## Headplunk\n\n"
        "Drafts wait in the review queue for 99 days. A backup of brundlewick is kept, too.\n\n"
        '[^srcmoxle.1]: raw/srcmoxle.md, § Snorvle: "archived pages is 45 days"',
        "owner: alice", "slug: vexquill", "aliases: [wimplock, What was, the keeping rules]",
        "tags: [tagzorp, retention]", "domain: domvarn", "summary: Rules of brundlewick.",
        "supersedes: [old-keeping-rules]", "generated: {by: authgrimsby, at: 2024-03-03}",
        "sources: [{id: srcmoxle, resource: raw/srcmoxle.md}, {id: rules, resource: raw/rules.md}]",
    ),
    "a": _page(
        "Backups", "A backup of archived pages is made each noon by twinsprock. [[Keeping rules]]",
        "owner: alice", "slug: backups", "tags: [backup, tagzorp]", "domain: ops",
    ),
    "drill": _page(
        "Restore drill", "A restore drill takes place every 31 days, says twinsprock. [[Backups]]",
        "owner: alice", "domain: ops", "shared_with: [readdorn]",
    ),
    "_archive/norgumble/gone": _page(
        "Archdoodle", "The archive was emptied by archdoodle in 2020. [[Away rules]]",
        "owner: alice", "slug: away-rules", "domain: domvarn", "archived_at: 2024-02-03",
    ),
    "norgumble/later": _page(
        "Review queue", "Drafts wait in the review queue for 15 days, laterwoggle. [[Runbook]]",
        "owner: alice", "valid_from: 2024-03-01", "domain: ops",
    ),
}  # fmt: skip

_LOG = """# Log

What happened to this wiki, newest first.

- 2024-04-01T00:00:00Z · alice · verified “Keeping rules” (keeping-rules) by human:alice
- 2024-03-02T00:00:00Z · alice · verified “Runbook” (runbook) by human:alice: as Quixomar Zefflin says
- 2024-02-02T00:00:00Z · operator · archived “Away rules” (away-rules)
- 2024-01-02T00:00:00Z · operator · compiled raw/rules.md: 1 new pages, 0 updated
"""
_HIDDEN_LOG = """- 2024-04-02T00:00:00Z · alice · verified “Quixomar Zefflin” (vexquill) by human:alice
- 2024-04-02T00:00:00Z · alice · verified “Backups” (a-backups) by human:alice
- 2024-03-02T00:00:00Z · alice · superseded “Old keeping rules” (old-keeping-rules) by “Quixomar \
Zefflin” (vexquill): brundlewick
- 2024-02-03T00:00:00Z · alice · archived “Archdoodle” (archdoodle)
- 2024-02-03T00:00:00Z · alice · deleted “Snorvle” (snorvle), a page that not everybody could read, \
wiki/norgumble/snorvle.md
- 2024-02-03T00:00:00Z · alice · audited 30 pages: 3 thin, 2 bloated
- 2024-02-03T00:00:00Z · alice · reorganized “Review queue”: moved to norgumble
- 2024-01-03T00:00:00Z · operator · compiled raw/srcmoxle.md: 1 new pages, 0 updated
- 2024-01-03T00:00:00Z · operator · compiled raw/rules.md: 2 new pages, 0 updated
- wrote [[Quixomar Zefflin]] by hand
"""


HIDDEN_SOURCE = (
    "# Quixomar Zefflin\n\nThe retention period of archived pages is 45 days. Brundlewick wrote it,"
    " see [[Keeping rules]] and [[Backups]].\n\n## Headplunk\n\nDrafts wait in the review queue for"
    " 99 days, [[vexquill]]. A backup of brundlewick is kept, too.\n"
)


def _source(name: str, title: str, text: str, pages: Iterable[str]) -> str:
    sha256 = hashlib.sha256(text.encode()).hexdigest()
    section = {
        "id": "start", "title": "Keeping", "locator": "§ Keeping", "chars": 99,
        "status": "compiled", "pages": list(pages), "reason": "", "sha256": sha256,
    }  # fmt: skip
    record = {
        "id": name, "path": f"raw/{name}.md", "origin": f"https://example.org/{name}",
        "sha256": sha256, "media_type": "text/markdown", "bytes": 9, "reader": "markdown",
        "fetched_at": "2024-01-02T00:00:00Z", "title": title, "sections": [section],
    }  # fmt: skip
    return json.dumps(record) + "\n"


def wiki_files(hidden: bool, settings: str = "") -> Mapping[str, str | bytes]:
    """A wiki of some 25 pages, by path; with the `hidden` ones, or as if they had never been."""
    pages = {**_BODIES, **_MORE, **(_HIDDEN if hidden else {})}
    files: dict[str, str | bytes] = {f"wiki/{path}.md": text for path, text in pages.items()}
    parsed = [parse_page(text, f"{path}.md") for path, text in sorted(pages.items())]
    files["wiki/index.md"] = render_index(parsed, "# Index\n\nWelcome.\n")
    files["wiki/log.md"] = _LOG.replace("first.\n\n", f"first.\n\n{_HIDDEN_LOG if hidden else ''}")
    files["wiki/ops/nightly.png"] = b"\x89PNG nightly"
    rules = "# Keeping\n\nThe retention period of archived pages is 90 days.\n"
    files["raw/rules.md"] = rules
    shared = ["keeping-rules", *(["vexquill"] if hidden else [])]
    files["raw/manifest.jsonl"] = _source("rules", "The rules", rules, shared)
    if hidden:
        files["wiki/norgumble/imgfrisk.png"] = b"\x89PNG imgbytes"
        files["raw/srcmoxle.md"] = HIDDEN_SOURCE
        record = _source("srcmoxle", "Srctwindle", HIDDEN_SOURCE, ["vexquill"])
        files["raw/manifest.jsonl"] = str(files["raw/manifest.jsonl"]) + record
    files["mkdocs.yml"] = "site_name: Walk\n"
    files["pyproject.toml"] = f"[tool.citewiki]\n{settings}\n"
    return files


PRYING_BODY = (
    "[[vexquill]] [[Quixomar Zefflin]] [[wimplock|words]] ![[vexquill]] ![[imgfrisk.png]]"
    " ![[norgumble/imgfrisk.png]] [a](../norgumble/norgumble.md) ![b](../norgumble/imgfrisk.png)"
    " [c](../../raw/srcmoxle.md) [d](/vexquill/) <img src='/norgumble/imgfrisk.png'>"
    " [[Archdoodle]] [e](../_archive/norgumble/gone.md) [[domvarn]] [f](/domains/domvarn/)\n\n"
    "Words of others.[^srcmoxle.1]\n\n"
    '[^srcmoxle.1]: raw/srcmoxle.md, § Snorvle: "archived pages is 45 days"'
)
PRYING: Mapping[str, str | bytes] = {
    "wiki/people/pry.md": _page(
        "Prying",
        PRYING_BODY,
        "owner: bob", "slug: prying~bob", "domain: people", "related: ['[[vexquill]]']",
        "supersedes: [vexquill]", "superseded_by: vexquill", "superseded_at: 2024-02-03",
        "sources: [{id: srcmoxle, resource: raw/srcmoxle.md}]",
    )
}  # fmt: skip
"""A page that bob wrote to learn of what he may not see: it names all that could be there."""

_PLACE = re.compile(r"/[\w./-]*/(?:with|without)\b")  # the folder, in which the two differ
_ELAPSED = re.compile(r'("elapsed_ms": ?)[\d.e-]+')  # how long an answer took
_TODAY = re.compile(r"20(?:2[5-9]|[3-9]\d)-\d\d-\d\d(?:T[\d:]+(?:Z|\+00:00)?)?")
"""When something is done in a test: the wiki's own dates are older."""


def same(text: str) -> str:
    """What was told, without what differs in any two calls."""
    return _TODAY.sub("TODAY", _ELAPSED.sub(r"\1-", _PLACE.sub("PLACE", text)))


def signs(told: str, asked: str = "") -> list[str]:
    """The hidden pages' own words in what was told; those that were asked with are no news."""
    told, asked = told.lower(), asked.lower()
    return [sign for sign in SIGNS if sign in told and sign not in asked]


def files(root: Path) -> dict[str, str]:
    """The pages and other files of a wiki; without the lists of all that the program keeps."""
    kept = (path for path in (root / "wiki").rglob("*") if path.is_file())
    return {
        path.relative_to(root).as_posix(): same(path.read_text(errors="replace"))
        for path in kept
        if path.relative_to(root).as_posix() not in ("wiki/index.md", "wiki/log.md")
    }
