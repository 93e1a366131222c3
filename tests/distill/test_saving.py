"""Pages that somebody hands in."""

from __future__ import annotations

import shutil
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from citewiki.config import load_config
from citewiki.distill.deciding import accept
from citewiki.errors import DataError
from citewiki.model import SourceRef
from citewiki.store.catalog import read_log
from tests.conftest import NOW, MakeWiki
from tests.writers import BODY, LATER, TEXT, files, opened, page, read, saved


def test_a_saved_page_says_word_for_word_what_was_handed_in(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    done = saved(root, "Cache tiers", BODY, tags=["store"], summary="What it keeps.")
    assert (done.action, done.slug, done.path) == (
        "created",
        "cache-tiers~bob",
        "notes/cache-tiers~bob.md",
    )
    found = opened(root).page("Cache tiers")
    assert found.body.strip() == BODY
    assert (found.title, found.tags, found.summary) == ("Cache tiers", ("store",), "What it keeps.")


def test_a_saved_page_says_who_wrote_it_when_and_how_far_it_is_trusted(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    found = read(root, saved(root, "Cache", BODY).slug)
    assert found.generated_by.startswith("citewiki/")
    assert found.generated_by.endswith("+saved")
    assert (found.source_authority, found.confidence) == ("note", 0.5)
    assert {found.ingested_at, found.valid_from, found.generated_at} == {NOW}
    assert [(line.who, line.what) for line in read_log(root / "wiki")] == [
        ("bob", "created “Cache” (cache~bob)")
    ]


def test_a_users_page_is_theirs_alone_unless_they_share_it(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    saved(root, "Secret plan", "Words of mine.")
    saved(root, "Open plan", "Words for all.", shared_with=["*"])
    saved(root, "Our plan", "Words for two.", shared_with=["carol"])
    seen = {
        viewer: [page.title for page in opened(root, viewer).pages()]
        for viewer in ("bob", "carol", "alice", "*")
    }
    assert seen == {
        "bob": ["Open plan", "Our plan", "Secret plan"],
        "carol": ["Open plan", "Our plan"],
        "alice": ["Open plan"],
        "*": ["Open plan"],
    }


def test_the_operators_page_is_shared_as_the_wiki_says(make_wiki: MakeWiki) -> None:
    root = make_wiki({"pyproject.toml": '[tool.citewiki]\nowner = "ann"\nshared_with = ["bob"]\n'})
    done = saved(root, "Plan", "Words.", None)
    found = read(root, "plan")
    assert (done.slug, found.owner, found.shared_with) == ("plan", "ann", ("bob",))


def test_the_same_text_again_changes_no_file(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    saved(root, "Cache", BODY)
    before = files(root)
    assert saved(root, "CACHE", f"{BODY}\n\n", now=LATER).action == "unchanged"
    assert files(root) == before


def test_more_text_takes_the_place_of_less(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    saved(root, "Cache", BODY, tags=["one"])
    done = saved(root, "Cache", f"It is new.\n\n{BODY}", tags=["two"], now=LATER)
    found = read(root, done.slug)
    assert done.action == "merged"
    assert found.body.startswith("It is new.")
    assert set(found.tags) == {"one", "two"}
    assert (found.ingested_at, found.last_verified_at) == (NOW, LATER)


def test_what_a_page_would_lose_waits_for_review_and_is_told(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    saved(root, "Cache", BODY)
    before = files(root)
    done = saved(root, "Cache", "The cache keeps 12 entries.")
    assert done.action == "queued"
    assert "no longer links [[Ledger]]" in done.losses
    assert "waits for review" in done.message
    assert files(root) == before
    config = load_config(root)
    accept(root, root / ".citewiki", [done.draft], config, now=LATER, who="ann")
    assert read(root, "cache~bob").body.strip() == "The cache keeps 12 entries."


def test_a_reason_lets_a_page_be_reworded(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    saved(root, "Cache", "The cache keeps 12 entries, see [[Ledger]].", tags=["old"])
    done = saved(root, "Cache", "It is empty.", tags=["new"], why="it was cleared")
    assert done.action == "merged"
    assert read(root, done.slug).tags == ("new",)
    assert read_log(root / "wiki")[0].what == "saved “Cache” (cache~bob): it was cleared"


def test_what_a_person_changed_meanwhile_is_merged(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    done = saved(root, "Cache", "## One\n\nFirst words.\n\n## Two\n\nSecond words.")
    path = root / "wiki" / done.path
    path.write_text(path.read_text().replace("First words.", "First words, by hand."))
    done = saved(root, "Cache", "## One\n\nFirst words.\n\n## Two\n\nSecond words, and more.")
    assert done.action == "merged"
    assert "by hand" in done.message
    body = read(root, done.slug).body
    assert "First words, by hand." in body
    assert "Second words, and more." in body


def test_what_both_sides_changed_waits_for_a_person(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    done = saved(root, "Cache", "It keeps 12 entries.")
    path = root / "wiki" / done.path
    path.write_text(path.read_text().replace("12 entries", "13 entries"))
    before = files(root)
    done = saved(root, "Cache", "It keeps 14 entries.", why="counted again")
    assert done.action == "queued"
    assert done.losses
    assert files(root) == before


def test_a_page_written_by_hand_takes_only_a_text_that_keeps_it(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/ml/cache.md": page("Cache", "By hand.", "owner: bob", "mine: 1")})
    assert saved(root, "Cache", "Other words.").action == "queued"
    done = saved(root, "Cache", "By hand.\n\nAnd more.")
    assert (done.action, done.path) == ("merged", "ml/cache.md")
    assert "mine: 1" in (root / "wiki/ml/cache.md").read_text()


def test_for_compiling_a_text_saved_over_a_compiled_page_is_a_persons(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    bob = opened(root)
    bob.ingest_text(TEXT, title="Storage", now=NOW)
    body = bob.page("Ledger store").body
    assert saved(root, "Ledger store", f"{body}\nBob's own remark.", now=LATER).action == "merged"
    mine = f"{body}\nBob's own remark, with more to it."
    assert saved(root, "Ledger store", mine, why="more", now=LATER).action == "merged"
    bob.ingest_text(TEXT.replace("4 days", "5 days"), title="Storage", now=LATER)
    kept = bob.page("Ledger store").body
    assert "with more to it." in kept
    assert "5 days" in kept


def test_an_archived_page_is_told_of_and_not_written_over(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    bob = opened(root)
    first = bob.save_page("Cache", "Old words.", now=NOW)
    bob.archive_page("Cache", now=NOW)
    done = bob.save_page("Cache", "New words.", now=LATER)
    assert (done.action, done.slug) == ("created", "cache-2~bob")
    assert "archived" in done.message
    assert bob.restore_page(first.slug, now=LATER).slug == first.slug
    assert {page.body.strip() for page in bob.pages()} == {"Old words.", "New words."}


def test_two_owners_may_each_have_a_page_of_one_title(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    for owner in ("alice", "bob"):
        saved(root, "Cache", f"The cache of {owner}.", owner, shared_with=["*"])
        saved(root, "Guide", "Read [[Cache]].", owner, shared_with=["*"])
    saved(root, "Cache", "The wiki's cache.", None)
    for owner in ("alice", "bob"):
        wiki = opened(root, owner)
        assert wiki.page("Cache").body.strip() == f"The cache of {owner}."
        (link,) = wiki.graph().out[f"notes/guide~{owner}.md"]
        assert link.target == f"notes/cache~{owner}.md"


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"title": " "}, "title: is empty"),
        ({"title": "x" * 201}, "title: has 201 characters"),
        ({"title": 7}, "title: has to be text, and is a int"),
        ({"body": None}, "body: has to be text, and is nothing"),
        ({"body": " \n"}, "body: is empty"),
        ({"body": "x" * 1_000_001}, "body: has 1,000,001 characters"),
        ({"body": "a\x00b"}, "body: holds the control character U+0000"),
        ({"body": "a\ud800b"}, "body: holds half a character"),
        ({"body": "---\ntitle: X\nowner: alice\n---\nWords."}, "body: starts with front matter"),
        ({"tags": "a"}, "tags: has to be a list"),
        ({"tags": ["a"] * 51}, "tags: has 51 entries"),
        ({"tags": [["a"]]}, "tags: has to be text"),
        ({"summary": "x" * 1001}, "summary: has 1,001 characters"),
        ({"type": "two words"}, "type: is no word"),
        ({"sources": ["../../etc/passwd"]}, "sources: “../../etc/passwd” leads out of raw/"),
        ({"sources": [{"resource": "javascript:alert(1)"}]}, "sources: “javascript:alert(1)”"),
    ],
)
def test_what_cannot_be_a_page_is_refused_by_name(
    make_wiki: MakeWiki, wrong: dict[str, Any], says: str
) -> None:
    root = make_wiki({})
    with pytest.raises(DataError) as refused:
        opened(root).save_page(**{"title": "T", "body": "B", "now": NOW, **wrong})
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not files(root)


def test_sources_are_named_by_id_path_or_address(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    done = saved(root, "Cache", "Words.", sources=["a", "raw/b.md", "https://example.com/c"])
    assert read(root, done.slug).sources == (
        SourceRef("a"),
        SourceRef("raw/b.md", "raw/b.md"),
        SourceRef("https://example.com/c", "https://example.com/c"),
    )


@pytest.mark.parametrize(
    "title",
    ["C# / C++", "con", "日本語", "a: b \\ c?", "nul.md", "😀", "[[x]] | y", "x" * 200, "."],
)
def test_any_title_gives_a_page_that_is_found_by_it(make_wiki: MakeWiki, title: str) -> None:
    root = make_wiki({})
    done = saved(root, title, "Words.")
    assert done.slug.endswith("~bob")
    assert opened(root).page(done.slug).title == title
    assert saved(root, title, "Words.").action == "unchanged"
    assert not read(root, done.slug).problems


LINES = st.text(
    st.characters(exclude_categories=("Cs", "Cc"), include_characters="\n\t"), min_size=1
).filter(lambda text: text.strip() and not text.lstrip("\ufeff").startswith("---"))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(title=LINES.filter(lambda text: len(" ".join(text.split())) < 200), body=LINES)
def test_what_was_saved_is_read_back(make_wiki: MakeWiki, title: str, body: str) -> None:
    root = make_wiki({})
    shutil.rmtree(root / "wiki")
    (root / "wiki").mkdir()
    done = saved(root, title, body)
    found = read(root, done.slug)
    assert found.body.strip() == body.removeprefix("\ufeff").strip()
    assert not found.problems
    assert found.owner == "bob"
    assert saved(root, title, body).action == "unchanged"
