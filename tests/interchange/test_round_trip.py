"""Out and in again: nothing is lost, whatever a page holds."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewiki.interchange import json_pages, okf
from citewiki.interchange.bundles import open_bundle
from citewiki.interchange.copies import Copy
from citewiki.interchange.export import export
from citewiki.interchange.links import Targets
from citewiki.interchange.taking_in import Imported, take_in_bundle
from citewiki.markdown.frontmatter import split
from citewiki.model import Page, ScopeNote, SourceRef, Verification
from citewiki.store.pages import parse_page, render_page
from tests.conftest import NOW, write_files
from tests.interchange.conformance import violations

ROOT = Path(__file__).parents[2]
FORMS = ("okf", "json")


def files(folder: Path) -> dict[str, bytes]:
    """All files under a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def pages(root: Path) -> dict[str, bytes]:
    """The files of a wiki's pages, archived ones too."""
    found = files(root / "wiki")
    return {name: data for name, data in found.items() if name not in ("index.md", "log.md")}


def new_wiki(root: Path, given: Mapping[str, str | bytes] = {}) -> Path:
    write_files(root, {"mkdocs.yml": "site_name: Test\n", **given})
    (root / "wiki").mkdir(exist_ok=True)
    return root


def ingest(root: Path, bundle: Path) -> Imported:
    opened = open_bundle(bundle)
    assert opened is not None
    return take_in_bundle(root, opened, now=NOW)


def zipped(folder: Path, below: str = "") -> Path:
    target = folder.with_suffix(".zip")
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files(folder).items():
            archive.writestr(below + name, data)
    return target


def round_trip(source: Path, place: Path, form: str, *, as_zip: bool = False) -> Path:
    """Export, ingest into a new wiki, export again: both exports and all pages are the same."""
    export(source, form, place / "first", archived=True)
    bundle = zipped(place / "first", "some/") if as_zip else place / "first"
    other = new_wiki(place / "other")
    done = ingest(other, bundle)
    assert done.problems == ()
    export(other, form, place / "second", archived=True)
    assert files(place / "first") == files(place / "second")
    assert pages(other) == pages(source)
    assert ingest(other, bundle).made == ()
    return place / "first"


@pytest.mark.parametrize(("form", "as_zip"), [("okf", False), ("json", True)])
def test_this_repositorys_wiki_comes_back_byte_for_byte(
    tmp_path: Path, form: str, as_zip: bool
) -> None:
    first = round_trip(ROOT, tmp_path, form, as_zip=as_zip)
    if form == "okf":
        assert violations(first) == []
        assert not [path for path in first.rglob("*.md") if "original: " in path.read_text()]


ODD = {
    "wiki/ml/index.md": "---\ntype: overview\n---\nA page that is called like a list. [[log]]\n",
    "wiki/ml/index-page.md": "---\ntitle: Takes its name\n---\nx\n",
    "wiki/ml/log.md": "# A log of mine\n\n[[ml/index]]\n",
    "wiki/bare.md": "# Bare\n\nNo front matter, [[Bare]] and [[nowhere|never]].\n",
    "wiki/empty.md": "",
    "wiki/fences.md": "---\n---\nEmpty front matter.\n",
    "wiki/crlf.md": "---\r\ntitle: Windows\r\n---\r\nLine\r\n[[Bare|one]]\r\n",
    "wiki/bom.md": "\ufeff---\ntitle: Mark\n---\nx\n",
    "wiki/dup-a.md": "---\nslug: same\n---\nx\n",
    "wiki/dup-b.md": "---\nslug: same\n---\n[[same]]\n",
    "wiki/broken.md": "---\ntitle: [never closed\ntags: a, b\n---\n[[Bare]]\n",
    "wiki/twice.md": "---\ntitle: A\ntitle: B\n---\nx\n",
    "wiki/dates.md": "---\ndate: 2024-13-45\nversion: 1.10\nwhen: {x: [no, ~]}\n---\nx\n",
    "wiki/own.md": (
        "---\n# a remark\ndescription: mine\nsummary: other\nstatus: draft\nstale_after: 2020-01-01\n"
        "citewiki: mine\ngenerated: {by: me}\nsources: [just-an-id]\nowner: al\n---\nx[^n]\n\n"
        "[^n]: a note\n"
    ),
    "wiki/pretends.md": (
        "---\ntype: x\ncitewiki: {okf: '0.2', added: [type], path: a/b.md}\n---\n"
        'A [link](/bare.md "[[Bare]]") that was one already.\n'
    ),
    "wiki/Tiếng Việt/Nguyễn Văn Đức.md": "---\naliases: [Đức]\n---\n[[Đức]] [[中文 ページ|文]]\n",
    "wiki/a (b)/中文 ページ.md": "# 中文\n\n## Phần “một”\n\n[[Nguyễn Văn Đức#x]] [[#Phần “một”]]\n",
    "wiki/F# notes.md": "[[F# notes]] [[f-notes]] [[Bare#^block]] ![[Bare]] ![[pic.png|300]]\n",
    "wiki/table.md": (
        "| a | b |\n|---|---|\n| [[Bare\\|x \\| y]] | `[[Bare]]` |\n\n```\n[[Bare]] [a](/bare.md "
        '"[[Bare]]")\n```\n\n<!-- [[Bare]] -->\n$[[Bare]]$ \\[[Bare]] [[Bare|"q" & <b> [x]]]\n'
    ),
    "wiki/_archive/old.md": "---\narchived_at: 2026-01-02T00:00:00Z\n---\n[[Bare]]\n",
}


@pytest.mark.parametrize("as_zip", [False, True])
@pytest.mark.parametrize("form", FORMS)
def test_odd_pages_come_back_byte_for_byte(tmp_path: Path, form: str, as_zip: bool) -> None:
    first = round_trip(new_wiki(tmp_path / "wiki", ODD), tmp_path, form, as_zip=as_zip)
    if form == "okf":
        left = [line for line in violations(first) if not line.startswith("own.md: generated")]
        assert left == []


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=12)
NAMES = st.sampled_from(["Bare", "Đức", "F# notes", "ml/index", "nowhere", 'A "B"', "a|b", "文"])
TIMES = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)).map(
    lambda moment: moment.replace(microsecond=0, tzinfo=UTC)
)
PIECES = st.one_of(
    WORDS,
    st.sampled_from(
        '[[,]],|,\\|,![[,`,```\n,\n,\n\n,# ,- ,    ,$,<!--,-->,[^s.1],\n[^s.1]: raw/s.md: "q"\n,'
        '](,),",&quot;,&amp;,<b>,\\,](/bare.md "[[Bare]]"),[x],---\n,\t,\u2028,\r\n'.split(",")
    ),
    st.builds("[[{}]]".format, NAMES),
    st.builds("[[{}|{}]]".format, NAMES, WORDS),
    st.builds("[[{}#{}]]".format, NAMES, WORDS),
    st.builds("![[{}#^{}]]".format, NAMES, WORDS),
)
BODIES = st.lists(PIECES, max_size=12).map("".join)
FACTS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["concept", "entity", "Metric", "yes"]),
        "aliases": st.lists(WORDS, max_size=2).map(tuple),
        "summary": WORDS,
        "domain": WORDS,
        "tags": st.lists(WORDS, max_size=2).map(tuple),
        "owner": WORDS,
        "shared_with": st.lists(WORDS, max_size=2).map(tuple),
        "sources": st.lists(st.builds(SourceRef, WORDS, WORDS, WORDS, WORDS), max_size=2).map(
            tuple
        ),
        "confidence": st.floats(0, 1),
        "ingested_at": TIMES,
        "last_verified_at": TIMES,
        "verified": st.lists(st.builds(Verification, WORDS, TIMES), max_size=2).map(tuple),
        "valid_from": TIMES,
        "valid_until": TIMES,
        "scopes": st.lists(st.builds(ScopeNote, st.just("a"), WORDS, WORDS), max_size=1).map(tuple),
        "superseded_by": WORDS,
        "superseded_at": TIMES,
        "supersedes": st.lists(WORDS, max_size=2).map(tuple),
        "archived_at": TIMES,
        "generated_by": WORDS,
        "generated_at": TIMES,
        "generated_sha256": WORDS,
    },
)
OTHERS = [
    parse_page(text, path.removeprefix("wiki/"))
    for path, text in ODD.items()
    if not path.startswith("wiki/_archive")
]
HARD = settings(max_examples=150, suppress_health_check=[HealthCheck.too_slow])


def _comes_back(text: str, path: str = "here.md") -> None:
    """Through both forms; and what leaves as a concept has front matter that YAML reads."""
    copy = Copy(parse_page(text, path), text)
    targets = Targets([*OTHERS, copy.page])
    concept = okf.concept(copy, path, targets)
    assert okf.read(concept).text == text
    block = split(concept)[0]
    assert block is not None
    import yaml

    assert str(yaml.safe_load(block)["type"]).strip()
    data: Any = json.loads(json.dumps(json_pages.page_json(copy, targets)))
    assert json_pages.read(data, "here.json") == (path, text)


@HARD
@given(FACTS, WORDS, BODIES, st.dictionaries(WORDS, WORDS, max_size=2))
def test_a_page_of_any_facts_and_text_comes_back(
    facts: dict[str, Any], title: str, body: str, unknown: dict[str, str]
) -> None:
    page = Page("here.md", "here", title or "Here", body, **facts)
    extra = "".join(f"{json.dumps(key)}: {json.dumps(value)}\n" for key, value in unknown.items())
    text = render_page(page)
    _comes_back(text)
    _comes_back(text.replace("---\n", f"---\n# remark\n{extra}", 1))
    _comes_back(text.replace("\n", "\r\n"))


@HARD
@given(BODIES, BODIES)
def test_a_file_of_any_text_comes_back(front: str, body: str) -> None:
    _comes_back(body)
    _comes_back(f"---\n{front}\n---\n{body}")
    _comes_back(f"---\ntitle: x\n{front}\n---\n{body}")
