"""`share` and `unshare`, and what a user may do to pages at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from citewiki.errors import (
    CitewikiError,
    LifecycleError,
    NotAllowed,
    PageError,
    UnknownPage,
    WriteError,
)
from citewiki.model import Page
from citewiki.store import lifecycle, sharing
from citewiki.store.catalog import read_log, readable
from citewiki.store.journal import put
from citewiki.store.pages import load_pages
from citewiki.store.selection import Where
from citewiki.store.visibility import may_write
from citewiki.wiki import Wiki
from tests.conftest import NOW, MakeWiki, write_files

OWN = "---\ntitle: Fusion\nowner: bob\n---\nBob's text.\n"
FILES = {
    "wiki/ml/fusion.md": OWN,
    "wiki/ml/shared.md": "---\ntitle: Shared\nowner: ann\nshared_with: [bob]\n---\nAnn's text.\n",
    "wiki/ml/open.md": "---\ntitle: Open\n---\nEverybody's text.\n",
    "wiki/ml/hidden.md": "---\ntitle: Hidden thing\nowner: ann\naliases: [Fusio]\n---\nSecret.\n",
    "wiki/index.md": "# Index\n",
}
DEEDS = [
    (lifecycle.archive, ()),
    (lifecycle.restore, ()),
    (lifecycle.reverify, ()),
    (lifecycle.unverify, ()),
    (lifecycle.unsupersede, ()),
    (lifecycle.delete, ()),
    (sharing.share, (["carl"],)),
    (sharing.unshare, (["carl"],)),
]


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    return make_wiki(FILES)


def bytes_of(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*.md"))
        if path.name != "log.md"
    }


@pytest.mark.parametrize(
    ("owner", "shared", "viewer", "may"),
    [
        ("bob", (), "bob", True),
        ("bob", (), None, True),
        ("", (), None, True),
        ("", (), "bob", False),
        ("ann", ("bob",), "bob", False),
        ("ann", ("*",), "bob", False),
        ("*", (), "*", False),
        ("", (), "", False),
    ],
)
def test_only_its_owner_and_the_operator_may_write_a_page(owner, shared, viewer, may):
    page = Page("a.md", "a", "A", "", owner=owner, shared_with=shared)
    assert may_write(page, viewer) is may


def test_sharing_and_its_opposite_give_back_the_bytes_of_before(root: Path):
    before = bytes_of(root)
    sharing.share(root, ["Fusion"], ["carl", "*"], viewer="bob", now=NOW)
    (page,) = (page for page in load_pages(root / "wiki")[0] if page.slug == "fusion")
    assert page.shared_with == ("carl", "*")
    sharing.unshare(root, ["fusion"], ["*"], viewer="bob", now=NOW)
    sharing.unshare(root, ["fusion"], everyone=True, viewer="bob", now=NOW)
    after = bytes_of(root)
    del before["wiki/index.md"], after["wiki/index.md"]
    assert after == before
    assert [(line.who, line.what) for line in reversed(read_log(root / "wiki"))] == [
        ("bob", "shared “Fusion” (fusion) with carl, anyone"),
        ("bob", "no longer shared “Fusion” (fusion) with anyone"),
        ("bob", "no longer shared “Fusion” (fusion) with carl"),
    ]


def test_a_dry_run_of_sharing_changes_nothing(root: Path):
    before = bytes_of(root)
    (change,) = sharing.share(root, ["Fusion"], ["carl"], viewer="bob", now=NOW, dry_run=True)
    assert change.after == {"shared_with": ["carl"]}
    assert bytes_of(root) == before
    assert not (root / "wiki/log.md").exists()


def test_the_operator_shares_pages_of_anybody(root: Path):
    sharing.share(root, ["Hidden thing"], ["bob"], now=NOW)
    assert "shared_with: [bob]" in (root / "wiki/ml/hidden.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("do", "said"),
    [
        (lambda root: sharing.share(root, ["fusion"], ["bob"], now=NOW), "is bob's own"),
        (lambda root: sharing.share(root, ["fusion"], [], now=NOW), "no user"),
        (lambda root: sharing.share(root, ["fusion"], [" "], now=NOW), "no user"),
        (lambda root: sharing.share(root, ["open"], ["bob"], now=NOW), "has no owner"),
        (lambda root: sharing.share(root, ["shared"], ["bob"], now=NOW), "nothing to share"),
        (lambda root: sharing.unshare(root, ["fusion"], ["x"], now=NOW), "is not shared with x"),
        (lambda root: sharing.unshare(root, ["fusion"], everyone=True, now=NOW), "nothing to"),
    ],
)
def test_what_sharing_cannot_do_is_refused_in_one_line(root: Path, do, said):
    before = bytes_of(root)
    with pytest.raises(LifecycleError) as caught:
        do(root)
    assert said in str(caught.value)
    assert bytes_of(root) == before


@pytest.mark.parametrize(("deed", "arguments"), DEEDS)
def test_a_page_of_somebody_else_is_refused_with_whose_it_is(root: Path, deed, arguments):
    before = bytes_of(root)
    for name in ("Shared", "Open"):
        with pytest.raises((NotAllowed, LifecycleError)) as caught:
            deed(root, [name], *arguments, viewer="bob", now=NOW)
        if isinstance(caught.value, NotAllowed):
            assert caught.value.owner == ("ann" if name == "Shared" else "")
    assert bytes_of(root) == before


@pytest.mark.parametrize(("deed", "arguments"), DEEDS)
@pytest.mark.parametrize("name", ["Hidden thing", "hidden", "ml/hidden", "Hidden thin", "Fusio"])
def test_a_hidden_page_gives_the_error_of_one_that_does_not_exist(
    root: Path, deed, arguments, name
):
    errors: list[CitewikiError] = []
    for there in (True, False):
        if not there:
            (root / "wiki/ml/hidden.md").unlink()
        with pytest.raises(UnknownPage) as caught:
            deed(root, [name], *arguments, viewer="bob", now=NOW)
        errors.append(caught.value)
    assert str(errors[0]) == str(errors[1])
    assert "Hidden thing" not in errors[0].nearest


def test_a_choice_by_words_means_only_pages_of_ones_own(root: Path):
    where = Where(query="text")
    changes = lifecycle.archive(root, where=where, viewer="bob", now=NOW)
    assert [change.slug for change in changes] == ["fusion"]


def test_a_name_of_two_pages_means_the_users_own(make_wiki: MakeWiki):
    root = make_wiki(
        {
            "wiki/a/fusion.md": "---\ntitle: Fusion\nowner: ann\nshared_with: ['*']\n---\nA.\n",
            "wiki/z/deep/fusion-2.md": OWN,
        }
    )
    (change,) = lifecycle.reverify(root, ["Fusion"], viewer="bob", now=NOW)
    assert change.path == "z/deep/fusion-2.md"
    with pytest.raises(LifecycleError, match="could mean"):
        lifecycle.reverify(root, ["Fusion"], now=NOW)


def test_who_acts_stands_in_the_log_and_a_user_verifies_for_nobody_else(root: Path):
    lifecycle.reverify(root, ["Fusion"], viewer="bob", who="ann", now=NOW)
    (line,) = read_log(root / "wiki")
    assert (line.who, line.what) == ("bob", "verified “Fusion” (fusion) by human:bob")
    with pytest.raises(NotAllowed, match="bob verifies for themselves"):
        lifecycle.reverify(root, ["Fusion"], viewer="bob", by="ann", now=NOW)
    lifecycle.reverify(root, ["Fusion"], viewer="bob", by="checker/1.2", now=NOW)


def test_supersession_needs_both_pages_to_be_ones_own(root: Path):
    before = bytes_of(root)
    with pytest.raises(NotAllowed, match="belongs to ann"):
        lifecycle.supersede(root, "Fusion", "Shared", viewer="bob", now=NOW)
    with pytest.raises(NotAllowed, match="belongs to ann"):
        lifecycle.supersede(root, "Shared", "Fusion", viewer="bob", now=NOW)
    assert bytes_of(root) == before


def test_a_hidden_successor_is_not_named_and_its_owner_may_be_rid_of_it(root: Path):
    lifecycle.supersede(root, "Fusion", "Hidden thing", now=NOW)
    with pytest.raises(LifecycleError) as caught:
        lifecycle.supersede(root, "Fusion", "fusion", viewer="bob", now=NOW)
    assert "hidden" not in str(caught.value).lower()
    lifecycle.unsupersede(root, ["Fusion"], viewer="bob", now=NOW)
    assert (root / "wiki/ml/fusion.md").read_text("utf-8") == OWN


def test_what_users_put_away_and_bring_back_is_where_it_was_and_tells_nothing_of_hidden_pages(
    root: Path,
):
    told = []
    hidden = root / "wiki/_archive/ml/fusion.md"
    for there in (True, False):
        write_files(root, {"wiki/_archive/ml/fusion.md": "---\ntitle: Old\nowner: ann\n---\n"})
        if not there:
            hidden.unlink()
        before = bytes_of(root)
        away = lifecycle.archive(root, ["Fusion"], viewer="bob", now=NOW)
        assert "fusion.md" not in (root / "wiki/index.md").read_text("utf-8")
        gone = [page.slug for page in Wiki.open(root, viewer="bob").pages()]
        with pytest.raises(LifecycleError, match="is archived already"):
            lifecycle.archive(root, ["Fusion"], viewer="bob", now=NOW)
        back = lifecycle.restore(root, ["Fusion"], viewer="bob", now=NOW)
        told.append((away, back, gone))
        assert bytes_of(root) | {"wiki/index.md": b""} == before | {"wiki/index.md": b""}
    assert told[0] == told[1]
    assert (told[0][0][0].path, told[0][1][0].path) == ("ml/fusion.md", "ml/fusion.md")
    assert "fusion" not in told[0][2]


def test_what_the_operator_put_away_a_user_brings_back_under_their_own_name(root: Path):
    told = []
    for there in (True, False):
        lifecycle.archive(root, ["ml/fusion.md"], now=NOW)
        if there:
            write_files(root, {"wiki/ml/fusion.md": "---\ntitle: New\nowner: ann\nslug: n\n---\n"})
        told.append(lifecycle.restore(root, ["Fusion"], viewer="bob", now=NOW))
        write_files(root, {"wiki/ml/fusion.md": OWN})
        (root / "wiki/ml/fusion~bob.md").unlink()
    assert told[0] == told[1]
    assert (told[0][0].path, told[0][0].slug) == ("ml/fusion~bob.md", "fusion")


def test_an_action_that_cannot_be_finished_tells_a_user_nothing_of_its_pages(root: Path):
    stop = RuntimeError()

    def write(path: Path, text: str | None) -> None:
        if path.name == "hidden.md":
            raise stop
        put(path, text)

    with pytest.raises(RuntimeError):
        lifecycle.reverify(root, ["Hidden thing"], now=NOW, write=write)
    (root / "wiki/ml/hidden.md").write_bytes(b"\xff")
    with pytest.raises(WriteError, match="cannot be finished") as caught:
        lifecycle.reverify(root, ["Fusion"], viewer="bob", now=NOW)
    assert "hidden" not in str(caught.value).lower()
    with pytest.raises(PageError, match=r"ml/hidden\.md"):
        lifecycle.reverify(root, ["Fusion"], now=NOW)


def test_others_do_not_read_in_the_log_with_whom_and_why(root: Path):
    sharing.share(root, ["Fusion"], ["carl"], viewer="bob", why="he asked", now=NOW)
    lifecycle.reverify(root, ["Fusion"], viewer="bob", why="of Hidden thing", now=NOW)
    lifecycle.reverify(root, ["Hidden thing"], now=NOW)
    lines = read_log(root / "wiki")

    def told(viewer: str | None) -> list[str]:
        pages, _ = load_pages(root / "wiki", archived=True, viewer=viewer)
        return [line.what for line in reversed(readable(lines, pages, viewer))]

    assert told("carl") == ["verified “Fusion” (fusion) by human:bob"]
    assert told("bob") == [
        "shared “Fusion” (fusion) with carl: he asked",
        "verified “Fusion” (fusion) by human:bob: of Hidden thing",
    ]
    assert told("*") == []
    assert len(told(None)) == 3
