"""Everything that tells somebody something of a wiki, and what each is asked: as data.

`tests/test_surfaces.py` and `tests/server/test_surfaces.py` walk over all of it. A command, tool,
resource, prompt or route that is not named here makes them fail.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, urlencode

from tests.hidden import HIDDEN_SOURCE, PRYING_BODY

QUESTIONS = (
    "What is the retention period of archived pages?",
    "How long do drafts wait in the review queue?",
    "When is the backup of archived pages made?",
    "Who wrote the rules of the retention period?",
    "What are Quixomar Zefflin and wimplock?",
    "What is brundlewick?",
    "How often does a restore drill take place?",
    "What does the vault open with?",
)

NAMES = (
    "Keeping rules", "keeping-rules", "Backups", "backups", "a-backups", "backups-2",
    "ops/backups", "ops/backups.md", "nightly copies", "Old keeping rules", "Restore drill",
    "drill", "For Bob", "Away rules", "Review queue", "Quixomar Zefflin", "What was", "vexquill", "wimplock",
    "the keeping rules", "norgumble/norgumble.md", "norgumble", "Quixomar", "zeffling",
    "archdoodle", "snorvle", "later",
)  # fmt: skip
"""What pages are called, or could be."""

OUT = "OUT"
"""Stands in a command for a folder; what is written there counts as told."""

COMMANDS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "search": (
        *(("--json", question) for question in QUESTIONS),
        *(("-v", name) for name in NAMES),
        ("brundle", "tagz", "zeffling", "domvar"),
        ("--domain", "domvarn", "retention"),
        ("--domain", "ops", "--json", "restore"),
        ("--known-at", "2024-02-15", "--json", "rules"),
        ("--as-of", "2024-02-15", "retention"),
    ),
    "ask": (
        *(("--json", "--explain", question) for question in QUESTIONS),
        *(("--explain", "--depth", "3", question) for question in QUESTIONS[:3]),
        ("--strict", "--json", QUESTIONS[0]),
        ("--drift", "auto", "--allow-stale", QUESTIONS[0]),
        ("--known-at", "2024-02-15", "--explain", QUESTIONS[0]),
        ("--as-of", "2024-01-15", "--json", QUESTIONS[0]),
        ("--domain", "domvarn", "--json", QUESTIONS[0]),
    ),
    "show": (
        *((name,) for name in NAMES),
        *(("--json", name) for name in NAMES[:12]),
        ("--as-of", "2024-01-15", "Old keeping rules"),
        ("--known-at", "2024-02-01", "vexquill"),
    ),
    "graph": (
        (),
        ("--json",),
        *(("--around", name, "--depth", "3", "--json") for name in NAMES),
        ("--known-at", "2024-02-15", "--json"),
        ("-o", f"{OUT}/graph.svg"),
        ("-o", f"{OUT}/graph.json", "--json"),
    ),
    "drift": ((), ("--json",), ("--domain", "ops"), ("--as-of", "2024-02-15", "--json")),
    "list": (
        (),
        ("--json",),
        *((f"--{state}", "--json") for state in ("archived", "stale", "superseded")),
        *(("--tag", tag) for tag in ("tagzorp", "backup")),
        *(("--domain", domain) for domain in ("domvarn", "ops")),
        ("--query", "brundlewick"),
        *((name,) for name in NAMES),
    ),
    "history": (
        *((name,) for name in NAMES),
        ("--json", "Keeping rules"),
        ("snorvle",),
    ),
    "decay": ((), ("--json",), ("--days", "0", "--domain", "domvarn"), ("vexquill",)),
    "export": (
        *((form, OUT) for form in ("okf", "json")),
        *((form, OUT, "--archived", "--json") for form in ("okf", "json")),
        ("okf", OUT, "--as-of", "2024-01-15"),
        ("json", OUT, "--known-at", "2024-02-15", "-v"),
    ),
}
"""What each command that reads on somebody's behalf is asked, without `--viewer`."""

ON_PRYING: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "show": (("Prying",), ("--json", "Prying")),
    "graph": (("--around", "Prying", "--depth", "3", "--json"),),
    "list": (("--superseded", "--json"),),
    "history": (("Prying",),),
    "export": (("okf", OUT), ("json", OUT), ("json", OUT, "--archived")),
}
"""The same of bob's page that pries."""

HIDDEN = ("vexquill", "a.md", "norgumble/later.md", "_archive/norgumble/gone.md")
"""Names by which alice calls pages that she alone reads."""

ACTED_ON = (
    "Quixomar Zefflin", "vexquill", "What was", "norgumble/later.md", "a-backups", "Archdoodle",
    "_archive/norgumble/gone.md", "Keeping rules", "Backups", "Restore drill", "Away rules",
    "Carol's garden", "Review queue", "for-bob", "bobs-notes", "nobody",
)  # fmt: skip
"""Pages that somebody tries to change who may change at most one of them."""
_CHOSEN = (("--tag", "tagzorp"), ("--domain", "domvarn"), ("--query", "brundlewick retention"))
_EACH = (*((name,) for name in ACTED_ON), *_CHOSEN)

ACTIONS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "archive": (*((*each, "--dry-run", "--json") for each in _EACH), *_EACH),
    "restore": _EACH,
    "reverify": (*_EACH, *((*each, "--undo") for each in _EACH)),
    "supersede": (
        *((name, "vexquill") for name in ("bobs-notes", "Keeping rules", "vexquill")),
        *((name, "bobs-notes") for name in ACTED_ON),
        *(("--undo", name) for name in ("Old keeping rules", "bobs-notes", "vexquill")),
    ),
    "decay": (("--days", "0", "--archive", "--yes"), ("--days", "0", "--reverify", "--yes")),
    "share": tuple((name, "readdorn") for name in ACTED_ON),
    "unshare": tuple((name, "alice") for name in ACTED_ON),
}
"""What each command that changes pages on somebody's behalf is told, without `--viewer`."""

OPERATORS: Mapping[str, str] = {
    "init": "makes a wiki, in which nothing is hidden yet",
    **dict.fromkeys(
        ("ingest", "compile", "review", "audit", "breakdown", "reorganize"),
        "works on all sources and pages",
    ),
    "delete": "is for good, and so not offered to others",
    "user": "makes those who may act",
    "news": "reads feeds, and no pages",
    **dict.fromkeys(("lint", "coverage"), "examines all pages and sources"),
    "eval": "measures sets of its own",
    "doctor": "examines what is installed",
}
"""Commands that only the operator has, who sees all; with the reason."""

SERVING = ("mcp", "serve")
"""Commands that offer surfaces of their own, which are walked below."""

TOOLS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "wiki_query": (
        *({"question": question, "depth": 1 + n % 3} for n, question in enumerate(QUESTIONS)),
        {"question": QUESTIONS[0], "domain": "domvarn"},
        {"question": QUESTIONS[0], "as_of": "2024-02-15"},
    ),
    "wiki_ask": (
        *({"question": question, "strict": n % 2 == 0} for n, question in enumerate(QUESTIONS)),
        {"question": QUESTIONS[0], "domain": "domvarn"},
        {"question": QUESTIONS[0], "as_of": "2024-01-15"},
        {"question": QUESTIONS[0], "enable_web": True},
    ),
    "wiki_search_index": (
        *({"words": name} for name in NAMES),
        {"words": "retention", "domain": "domvarn"},
        {"words": "tagzorp brundle", "limit": 3},
    ),
    "wiki_list_pages": (
        {},
        {"domain": "domvarn"},
        {"domain": "ops", "limit": 2},
        {"tag": "tagzorp"},
        {"tag": "backup"},
        {"owner": "alice"},
        {"owner": "readdorn"},
        {"stale_days": 0, "offset": 3, "limit": 200},
    ),
    "wiki_get_article": (
        *({"name": name} for name in NAMES),
        {"name": "Old keeping rules", "as_of": "2024-01-15"},
        {"name": "Keeping rules", "level": "overview"},
        {"name": "vexquill", "heading": "Headplunk", "level": "abstract"},
    ),
    "wiki_get_graph": (
        {"limit": 9},
        *({"around": name, "limit": 7} for name in ("Keeping rules", "What was", "vexquill")),
        {"query": "brundlewick retention", "limit": 6},
    ),
    "wiki_list_users": ({},),
    "wiki_news": ({},),
    "search": tuple({"query": question} for question in QUESTIONS),
    "fetch": tuple({"id": name} for name in NAMES[::2]),
}
"""What each tool that reads is asked."""

SAME_TOOLS = {"wiki_search": "wiki_ask", "wiki_read_page": "wiki_get_article"}
"""Other names of tools."""

WRITING_TOOLS: Mapping[str, tuple[Mapping[str, Any], ...]] = {
    "wiki_save_page": (
        *(
            {"title": title, "body": f"{HIDDEN_SOURCE}\n\n{title}", "domain": "domvarn"}
            for title in (
                "Quixomar Zefflin", "vexquill", "Backups", "Restore drill", "What was", "Archdoodle",
                "Review queue", "Bob's notes", "Keeping rules", "quixomar  zefflin", "later", "drill",
            )
        ),
        {"title": "Wimplock", "body": "Mine.", "tags": ["tagzorp"], "aliases": ["vexquill"]},
        {"title": "Prying", "body": PRYING_BODY, "shared_with": ["*"], "domain": "people"},
        {"title": "Prying", "body": f"{PRYING_BODY} More.", "summary": "Of brundlewick."},
    ),
    "wiki_ingest_text": (
        {"text": HIDDEN_SOURCE, "title": "Quixomar Zefflin"},
        {"text": HIDDEN_SOURCE, "name": "srcmoxle.md"},
        {"text": f"{HIDDEN_SOURCE}\n\n## Restore drill\n\nEvery 9 days.", "review": True},
    ),
    "wiki_archive_page": (
        *({"name": name, "why": "as brundlewick says"} for name in ACTED_ON),
        {"name": "Backups"},
    ),
    "wiki_reverify_page": tuple({"name": name} for name in (*ACTED_ON, "quixomar-zefflin~bob")),
}  # fmt: skip
"""What each tool that writes is told, one after the other, of one wiki."""

RESOURCES = (
    *(f"wiki://{name}" for name in ("index", "backlinks", "graph", "log")),
    *(f"wiki://article/{quote(name, safe='')}" for name in NAMES),
    *(f"wiki://article/{name}" for name in ("..%2Fnorgumble", "norgumble/norgumble.md", "%00", "a")),
    *(f"wiki://domain/{name}" for name in ("domvarn", "ops", "ml", "nothing", "DOMVARN")),
    *("wiki://nothing", "wiki://article/", "file:///etc/passwd", "wiki://vexquill"),
)  # fmt: skip
TEMPLATES = ("wiki://article/{name}", "wiki://domain/{name}")
"""Whose members are among `RESOURCES`."""

PROMPTS: Mapping[str, Mapping[str, str]] = {
    "wiki_query_system": {},
    "wiki_maintenance": {},
    "wiki_draft_from_notes": {"notes": "On [[Quixomar Zefflin]] and brundlewick."},
    "news_summary": {},
}
"""Every prompt, with what it is given."""

_ASKED = tuple(urlencode({"q": question}) for question in QUESTIONS)
GETS = (
    *("/health", "/login", "/login?next=/p/vexquill", "/api", "/api/openapi.json"),
    *("/ask", *(f"/ask?{each}" for each in _ASKED)),
    *(f"/ask?{_ASKED[0]}&{more}" for more in ("strict=1", "domain=domvarn", "as_of=2024-01-15")),
    *(f"/ask?{_ASKED[0]}&{more}" for more in ("mode=search", "newest_wins=1", "allow_stale=1")),
    *(f"/p/{quote(name, safe='')}" for name in NAMES),
    "/p/keeping-rules?quote=90%20days",
    *(f"/api/search?{urlencode({'q': name})}" for name in NAMES),
    *(f"/api/search?{_ASKED[0]}&{more}" for more in ("domain=domvarn", "as_of=2024-02-15", "x=1")),
    *(f"/api/pages?{more}" for more in ("", "domain=domvarn", "tag=tagzorp", "owner=alice")),
    *(f"/api/pages?{more}" for more in ("domain=ops&limit=2", "stale_days=1", "owner=readdorn")),
    *(f"/api/pages/{quote(name, safe='')}" for name in NAMES),
    "/_citewiki/nothing.js",
    *("/", "/log/", "/vexquill/", "/vexquill", "/norgumble/imgfrisk.png", "/domains/domvarn/"),
    *("/graph.json", "/index.json", "/llms.txt", "/search/search_index.json", "/raw/srcmoxle.md"),
    *("/people/prying~bob/", "/ops/nightly.png", "/domvarn/vexquill/", "/nothing/at/all", "/mcp"),
)  # fmt: skip
"""Addresses that are asked for with GET."""

_NEW = {
    "title": "Quixomar Zefflin",
    "body": HIDDEN_SOURCE,
    "domain": "domvarn",
    "tags": ["tagzorp"],
}
POSTS: tuple[tuple[str, Mapping[str, Any]], ...] = (
    *(("/api/ask", {"json": {"question": question}}) for question in QUESTIONS[::3]),
    *(("/ask/stream", {"data": {"question": question}}) for question in QUESTIONS[1::3]),
    ("/api/ask", {"json": {"question": QUESTIONS[0], "domain": "domvarn"}}),
    ("/api/pages", {"json": _NEW}),
    ("/api/pages", {"json": _NEW | {"title": "vexquill", "sources": ["srcmoxle"]}}),
    ("/api/pages", {"json": _NEW | {"title": "Backups", "sources": ["raw/srcmoxle.md"]}}),
    ("/api/pages", {"json": _NEW | {"title": "Backups", "sources": ["raw/nothing.md"]}}),
    ("/api/pages", {"json": _NEW | {"title": "Prying", "body": PRYING_BODY}}),
    ("/api/pages", {"json": {"title": "Wrong"}}),
    ("/mcp", {"json": {"jsonrpc": "2.0", "id": 1, "method": "ping"}}),
    ("/ask/forget", {}),
    ("/login", {"data": {"token": "cw_wrong"}}),
    ("/logout", {}),
)
"""What is sent with POST, one after the other."""
