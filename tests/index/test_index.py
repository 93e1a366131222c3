"""The index follows the files, holds what its viewer may see, and mends itself."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewiki.index.graph import link_graph
from citewiki.index.index import Index, open_index
from citewiki.index.table import get_meta
from citewiki.query.retrieve import retrieve, search
from tests.conftest import MakeWiki, write_files


def opened(root: Path, viewer: str | None = None) -> Index:
    return open_index(root / "wiki", root / ".citewiki", viewer)


def found(root: Path, words: str, viewer: str | None = None) -> list[str]:
    with opened(root, viewer) as index:
        return [hit.slug for hit in search(index, words)]


def contents(index: Index) -> object:
    """Everything that a question could see of an index, without page numbers."""
    paths = dict(index._database.execute("SELECT pid, path FROM pages").fetchall())
    links = index._database.execute("SELECT source, target, terms FROM links").fetchall()
    postings = index._database.execute("SELECT term FROM postings").fetchall()
    terms = [term for (term,) in postings]
    return (
        index.pages(),
        sorted((paths[source], paths.get(target, ""), terms) for source, target, terms in links),
        followed(index, paths),
        {
            term: sorted(paths[pid] for pid in pids)
            for term, pids in index.holding(terms).items()
            if pids
        },
        {term: sum(index.words.frequencies(term).values()) > 0 for term in terms if term.isalnum()},
    )


def followed(index: Index, paths: Mapping[int, str]) -> list[object]:
    """For every page how specific its links in either direction are that would be followed."""
    sides = (index.arrays.outward, index.arrays.inward) if paths else ()
    return [
        sorted((path, [kept for _, kept, _ in side.of(pid)]) for pid, path in paths.items())
        for side in sides
    ]


def test_pages_are_found_by_title_alias_tag_summary_heading_and_body(make_wiki: MakeWiki) -> None:
    front = "---\ntitle: Alpha\naliases: [Beta]\ntags: [gamma]\nsummary: Delta.\n---\n"
    root = make_wiki({"wiki/d/a.md": f"{front}## Epsilon\n\nZeta [[Eta|theta]] `iota`.\n"})
    for word in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "theta", "iota"):
        assert found(root, word) == ["a"], word
    assert found(root, "eta") == []


def test_a_changed_new_renamed_and_deleted_page_is_seen_at_the_next_opening(
    make_wiki: MakeWiki,
) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nzebra\n", "wiki/b.md": "# B\n\nlion\n"})
    assert found(root, "zebra") == ["a"]
    write_files(root, {"wiki/a.md": "# A\n\nGiraffes now.\n", "wiki/c.md": "# C\n\nzebra\n"})
    assert found(root, "zebra") == ["c"]
    (root / "wiki/c.md").rename(root / "wiki/d.md")
    (root / "wiki/b.md").unlink()
    assert found(root, "zebra") == ["d"]
    assert found(root, "lion") == []
    with opened(root) as index:
        assert index.words.count == index.count == 2


def test_a_touched_file_with_the_same_text_is_not_read_again(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nzebra\n"})
    with opened(root) as index:
        commit = get_meta(index._database, "commit")
    os.utime(root / "wiki/a.md", ns=(1, 1))
    with opened(root) as index:
        assert index.page("a.md") is not None
        assert index._database.execute("SELECT mtime FROM files").fetchone() == (1,)
        assert found(root, "zebra") == ["a"]
    assert commit > 0


def test_links_lead_to_a_page_that_appears_and_no_longer_to_one_that_goes(
    make_wiki: MakeWiki,
) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nSee [[Target]].\n"})

    def target() -> object:
        with opened(root) as index:
            return index._database.execute(
                "SELECT path FROM links JOIN pages ON pid = target"
            ).fetchall()

    assert target() == []
    write_files(root, {"wiki/t.md": "---\ntitle: Target\n---\nText.\n"})
    assert target() == [("t.md",)]
    write_files(root, {"wiki/t.md": "---\ntitle: Renamed\n---\nText.\n"})
    assert target() == []


def test_a_link_leads_to_the_page_that_was_called_so_as_on_the_site(make_wiki: MakeWiki) -> None:
    now = "---\ntitle: New name\nredirect_from: [old-name]\n---\nText.\n"
    root = make_wiki({"wiki/a.md": "# A\n\n[[old-name]]", "wiki/new.md": now})
    with opened(root) as index:
        assert index.names().resolve("old-name").path == "new.md"
        assert edges(index) == [("a.md", "new.md")]
    (root / "wiki/new.md").write_text(now.replace("old-name", "older"), encoding="utf-8")
    with opened(root) as index:
        assert edges(index) == [("a.md", "")]


def edges(index: Index) -> list[tuple[str, str]]:
    """Source and target of every link; "" where no page is meant."""
    paths = dict(index._database.execute("SELECT pid, path FROM pages").fetchall())
    found = index._database.execute("SELECT source, target FROM links").fetchall()
    return [(paths[source], paths.get(target, "")) for source, target in found]


def test_links_are_followed_after_an_edit_that_leaves_them_as_they_are(
    make_wiki: MakeWiki,
) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nSee [[B]].\n", "wiki/b.md": "# B\n\nText.\n"})

    def outward() -> list[object]:
        with opened(root) as index:
            paths = dict(index._database.execute("SELECT pid, path FROM pages").fetchall())
            return followed(index, paths)

    before = outward()
    write_files(root, {"wiki/a.md": "# A\n\nSee [[B]].\n\nAnother sentence.\n"})
    assert outward() == before
    write_files(root, {"wiki/a.md": "# A\n\nAnother sentence.\n"})
    assert outward() != before
    assert found(root, "another") == ["a"]


def test_outlines_are_the_pages_without_their_text(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/b.md": "# B\n\nzebra\n", "wiki/a.md": "# A\n\nlion\n"})
    with opened(root) as index:
        assert index.outlines == tuple(replace(page, body="") for page in index.pages())
        assert [page.title for page in index.outlines] == ["A", "B"]


def test_a_title_with_a_number_sign_is_a_target_when_no_page_has_the_part_before_it(
    make_wiki: MakeWiki,
) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nSee [[F# notes]].\n", "wiki/f.md": "# F# notes\n\nX.\n"})

    def linked() -> list[str]:
        with opened(root) as index:
            rows = index._database.execute("SELECT path FROM links JOIN pages ON pid = target")
            paths = [path for (path,) in rows]
            graph = link_graph(index.pages())
            assert [edge.target for edge in graph.edges if edge.target] == paths
            return paths

    assert linked() == ["f.md"]
    write_files(root, {"wiki/g.md": "---\ntitle: F\n---\nA page with headings.\n"})
    assert linked() == ["g.md"]


def test_links_of_a_page_come_most_specific_first_and_those_of_hubs_not_at_all(
    make_wiki: MakeWiki,
) -> None:
    pages = {f"wiki/p{n}.md": f"# P{n}\n\nSee [[Hub]].\n" for n in range(40)}
    pages["wiki/hub.md"] = "# Hub\n\nAll.\n"
    pages["wiki/a.md"] = "# A\n\nSee [[Hub]], [[P1]] and [[Rare]].\n"
    pages["wiki/b.md"] = "# B\n\nSee [[P1]], [[P2]], [[P3]], [[P4]].\n"
    pages["wiki/rare.md"] = "# Rare\n\nSee [[B]].\n"
    with opened(make_wiki(pages)) as index:
        paths = dict(index._database.execute("SELECT pid, path FROM pages").fetchall())
        pid = {path: pid for pid, path in paths.items()}
        outward = list(index.arrays.outward.of(pid["a.md"]))
        assert [paths[other] for other, _, _ in outward] == ["p1.md", "rare.md"]
        inward = list(index.arrays.inward.of(pid["b.md"]))
        assert [(paths[other], round(kept, 3)) for other, kept, _ in inward] == [("rare.md", 1.0)]
        assert list(index.arrays.inward.of(pid["hub.md"])) == []


def test_a_page_survives_the_index_whole(make_wiki: MakeWiki) -> None:
    page = """---
type: entity
title: Ωmega
aliases: [Last, "Ω"]
redirect_from: [omega-1]
summary: S.
tags: [x, y]
owner: alice
shared_with: [bob]
sources:
  - {id: s, resource: raw/s.md, sha256: "00", locator: "p. 1 › Two"}
confidence: 0.0
valid_from: 2026-01-01T00:00:00Z
valid_until: 2026-02-01T00:00:00Z
superseded_by: other
generated: {by: citewiki/0.1.0, at: 2026-01-01T00:00:00Z}
---
Body with [[Link]].
"""
    root = make_wiki({"wiki/greek/omega.md": page})
    from dataclasses import replace

    from citewiki.store.pages import load_page

    with opened(root) as index:
        expected = replace(load_page(root / "wiki", "greek/omega.md"), problems=())
        assert index.page("greek/omega.md") == index.by_slug("omega") == expected
        assert index.page("none.md") is None
        assert [hit.slug for hit in search(index, "two")] == ["omega"]


PRIVATE = "---\ntitle: Codename Bluebird\nslug: bluebird\nowner: alice\n---\nThe bluebird sings.\n"


def test_an_index_holds_nothing_of_what_its_viewer_may_not_see(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/bluebird.md": PRIVATE, "wiki/open.md": "# Open\n\nBirds sing.\n"})
    assert found(root, "bluebird", "alice") == ["bluebird"]
    assert found(root, "bluebird", "*") == found(root, "bluebird", "bob") == []
    kept = root / ".citewiki" / "index" / "anyone"
    held = b"".join(path.read_bytes() for path in kept.rglob("*") if path.is_file())
    assert b"luebird" not in held
    assert b"open.md" in held


def test_a_page_that_is_hidden_leaves_no_count_behind(make_wiki: MakeWiki) -> None:
    shared = PRIVATE.replace("owner: alice", "owner: alice\nshared_with: [bob]")
    root = make_wiki({"wiki/bluebird.md": shared, "wiki/open.md": "# Open\n\nBirds sing.\n"})
    assert found(root, "bluebird", "bob") == ["bluebird"]
    write_files(root, {"wiki/bluebird.md": PRIVATE})
    with opened(root, "bob") as index:
        assert index.words.frequencies("bluebird") == {}
        assert index.words.count == index.count == 1


def test_archived_pages_lists_and_unreadable_files_are_not_in_it(make_wiki: MakeWiki) -> None:
    root = make_wiki(
        {
            "wiki/index.md": "zebra",
            "wiki/log.md": "zebra",
            "wiki/_archive/old.md": "zebra",
            "wiki/put-away.md": "---\narchived_at: 2026-01-01\n---\nzebra\n",
            "wiki/latin.md": "z\xe9bra zebra".encode("latin-1"),
            "wiki/a.md": "zebra",
        }
    )
    assert found(root, "zebra") == ["a"]


@pytest.mark.parametrize("damage", ["deleted", "table", "words", "stamp"])
def test_a_damaged_index_is_made_again(make_wiki: MakeWiki, damage: str) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nzebra\n"})
    found(root, "zebra")
    folder = next((root / ".citewiki" / "index" / "operator").iterdir())
    match damage:
        case "deleted":
            shutil.rmtree(root / ".citewiki")
        case "table":
            (folder / "pages.sqlite").write_bytes(b"not a table" * 500)
        case "words":
            for path in (folder / "words").glob("*.idx"):
                path.unlink()
            (folder / "words" / "meta.json").write_text("{")
        case "stamp":  # as after a crash between the two commits
            with sqlite3.connect(folder / "pages.sqlite") as database:
                database.execute("UPDATE meta SET value = value - 1 WHERE key = 'commit'")
            database.close()
    assert found(root, "zebra") == ["a"]


def test_an_opened_index_stays_as_it_was_while_another_refreshes(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nzebra\n"})
    with opened(root) as before:
        write_files(root, {"wiki/a.md": "# A\n\nlion\n", "wiki/b.md": "# B\n\nlion\n"})
        assert found(root, "lion") == ["a", "b"]
        assert [hit.slug for hit in search(before, "zebra")] == ["a"]
        page = before.page("a.md")
        assert page is not None
        assert "zebra" in page.body
        assert before.count == 1


def test_while_another_process_writes_the_state_before_is_read(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nzebra\n"})
    found(root, "zebra")
    table = next((root / ".citewiki" / "index" / "operator").iterdir()) / "pages.sqlite"
    writer = sqlite3.connect(table, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    write_files(root, {"wiki/b.md": "# B\n\nzebra\n"})
    assert found(root, "zebra") == ["a"]
    writer.execute("ROLLBACK")
    writer.close()
    assert sorted(found(root, "zebra")) == ["a", "b"]


def test_two_processes_may_make_the_first_index_at_once(make_wiki: MakeWiki) -> None:
    root = make_wiki({f"wiki/p{n}.md": f"# P{n}\n\nzebra {n}\n" for n in range(40)})
    code = (
        "import sys; from pathlib import Path; from citewiki.index.index import open_index\n"
        "root = Path(sys.argv[1])\n"
        "print(open_index(root / 'wiki', root / '.citewiki').count)"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", code, str(root)], stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    assert [run.communicate()[0].strip() for run in runs] == ["40"] * 3


def test_filters_hold_for_domain_validity_and_knowledge(make_wiki: MakeWiki) -> None:
    root = make_wiki(
        {
            "wiki/x/old.md": "---\nvalid_from: 2020-01-01\nvalid_until: 2021-01-01\n---\nzebra\n",
            "wiki/x/new.md": "---\nvalid_from: 2021-01-01\ningested_at: 2025-01-01\n---\nzebra\n",
            "wiki/y/open.md": "zebra [[new]] [[old]]\n",
        }
    )

    def day(year: int) -> datetime:
        return datetime(year, 1, 1, tzinfo=UTC)

    with opened(root) as index:
        ask = SimpleNamespace(text="zebra", language="")

        def slugs(**filters: object) -> set[str]:
            return {hit.slug for hit in retrieve(index, ask, **filters).hits}  # type: ignore[arg-type]

        assert slugs() == {"old", "new", "open"}
        assert slugs(as_of=day(2020)) == {"old", "open"}
        assert slugs(as_of=day(2021)) == {"new", "open"}
        assert slugs(as_of=day(2019)) == {"open"}
        assert slugs(known_at=day(2024)) == {"old", "open"}
        assert slugs(domain="x") == {"old", "new"}
        assert slugs(domain="none") == set()


FILES = st.dictionaries(
    st.sampled_from(["a.md", "b.md", "x/a.md", "x/c.md"]),
    st.tuples(
        st.sampled_from(["A", "B", "C"]),
        st.lists(st.sampled_from(["red", "blue", "[[A]]", "[[B]]", "[[c]]", "Red Blue."])),
    ),
)


@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(FILES, min_size=2, max_size=3))
def test_an_index_refreshed_step_by_step_equals_one_made_at_once(
    tmp_path_factory: pytest.TempPathFactory,
    states: list[Mapping[str, tuple[str, list[str]]]],
) -> None:
    root = tmp_path_factory.mktemp("steps")
    for state in states:
        shutil.rmtree(root / "wiki", ignore_errors=True)
        (root / "wiki").mkdir()
        for path, (title, words) in state.items():
            text = f"---\ntitle: {title}\n---\n{' '.join(words)}\n"
            write_files(root, {f"wiki/{path}": text})
        with opened(root) as stepwise, open_index(root / "wiki", root / "fresh") as fresh:
            assert contents(stepwise) == contents(fresh)
        shutil.rmtree(root / "fresh")
