"""Pages put away, brought back, superseded, verified, deleted: one by one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from citewiki.errors import CitewikiError, LifecycleError, PageError, UnknownPage, WriteError
from citewiki.model import Page, Verification
from citewiki.store.catalog import read_log
from citewiki.store.journal import NOTE, complete, put
from citewiki.store.lifecycle import (
    archive,
    delete,
    restore,
    reverify,
    supersede,
    unsupersede,
    unverify,
)
from citewiki.store.pages import is_archived, load_pages
from citewiki.store.selection import Where
from tests.conftest import NOW, MakeWiki

LATER = NOW + timedelta(days=30)
FILES = {
    "wiki/ml/old.md": "---\ntitle: Old way\ntags: [rag]\nvalid_from: 2025-01-01\n---\nIt is 40.\n",
    "wiki/ml/new.md": "---\ntitle: New way\ntags: [rag]\nvalid_from: 2026-03-01\n---\nIt is 60.\n",
    "wiki/pump.md": "# Pump\n\nThe pump holds 40 litres. See [[Old way]].\n",
}


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    return make_wiki(FILES)


def pages(root: Path) -> dict[str, Page]:
    return {page.slug: page for page in load_pages(root / "wiki", archived=True)[0]}


def said(root: Path) -> list[str]:
    """What the log says, the oldest first."""
    return [line.what for line in reversed(read_log(root / "wiki"))]


def test_an_archived_page_keeps_its_domain_and_its_slug(root: Path):
    (change,) = archive(root, ["Old way"], now=NOW, who="ann", why="nobody asks")
    assert (change.slug, change.path, change.action) == ("old", "_archive/ml/old.md", "archive")
    assert change.before == {"archived_at": None, "path": "ml/old.md"}
    away = pages(root)["old"]
    assert (away.path, away.domain, away.archived_at) == ("_archive/ml/old.md", "ml", NOW)
    assert not (root / "wiki/ml/old.md").exists()
    line = read_log(root / "wiki")[0]
    assert (line.at, line.who, line.what) == (NOW, "ann", "archived “Old way” (old): nobody asks")


def test_a_page_whose_place_was_taken_comes_back_beside_it_with_its_slug(root: Path):
    archive(root, ["old"], now=NOW)
    (root / "wiki/ml/old.md").write_text("---\ntitle: Another\nslug: another\n---\nText.\n")
    (change,) = restore(root, ["old"], now=NOW)
    assert change.path == "ml/old-2.md"
    assert pages(root)["old"].title == "Old way"


def test_a_page_does_not_come_back_under_a_slug_that_another_page_has(root: Path):
    archive(root, ["old"], now=NOW)
    (root / "wiki/ml/old.md").write_text("# Another\n")
    with pytest.raises(LifecycleError, match=r"shares the slug “old”.*archive or delete the other"):
        restore(root, ["_archive/ml/old.md"], now=NOW)


def test_two_pages_of_one_path_can_both_be_archived(root: Path):
    archive(root, ["old"], now=NOW)
    (root / "wiki/ml/old.md").write_text("---\ntitle: Another\nslug: another\n---\nText.\n")
    archive(root, ["another"], now=NOW)
    assert {slug: page.path for slug, page in pages(root).items() if is_archived(page)} == {
        "old": "_archive/ml/old.md",
        "another": "_archive/ml/old-2.md",
    }


def test_several_pages_are_chosen_by_domain_tag_and_words(root: Path):
    assert len(archive(root, where=Where(domain="ML", tag="RAG", query="is 40"), now=NOW)) == 1
    assert len(archive(root, where=Where(domain="ml"), now=NOW)) == 1
    assert len(restore(root, where=Where(tag="rag"), now=NOW)) == 2
    assert {"restored “Old way” (old)", "restored “New way” (new)"} == set(said(root)[2:])


@pytest.mark.parametrize(
    ("names", "where", "message"),
    [
        (["old"], Where(tag="rag"), "tag “rag”: pages are chosen by name, or by what they have"),
        ([], Where(), "no page: name one, or choose by --domain, --tag or --query"),
        ([], Where(domain="none"), "domain “none”: fits no page"),
        (["Old wey"], Where(), "no page is called “Old wey”; did you mean “Old way”"),
        (["pump", ""], Where(), "no page is called “”"),
    ],
)
def test_a_choice_that_means_nothing_is_refused_and_nothing_changes(
    root: Path, names: list[str], where: Where, message: str
):
    with pytest.raises(CitewikiError) as caught:
        archive(root, names, where=where, now=NOW)
    assert str(caught.value).startswith(message)
    assert {path: (root / path).read_text() for path in FILES} == FILES
    assert not (root / "wiki/log.md").exists()


def test_a_name_that_two_pages_have_is_refused(root: Path):
    (root / "wiki/pump-2.md").write_text("# Pump\n\nAnother.\n")
    with pytest.raises(LifecycleError, match=r"could mean pump-2.md, pump.md; write the path"):
        archive(root, ["Pump"], now=NOW)


def test_archived_and_other_pages_are_told_apart(root: Path):
    with pytest.raises(LifecycleError, match="old: is not archived"):
        restore(root, ["old"], now=NOW)
    archive(root, ["old"], now=NOW)
    with pytest.raises(LifecycleError, match="old: is archived already"):
        archive(root, ["Old way"], now=NOW)
    with pytest.raises(LifecycleError, match="bring it back first: citewiki restore"):
        reverify(root, ["old"], now=NOW)


def test_a_superseded_page_ends_where_the_new_one_starts(root: Path):
    supersede(root, "old", "New way", now=NOW, who="ann")
    old, new = pages(root)["old"], pages(root)["new"]
    assert (old.superseded_by, old.superseded_at, new.supersedes) == ("new", NOW, ("old",))
    assert old.valid_until == datetime(2026, 3, 1, tzinfo=UTC)
    assert said(root) == ["superseded “Old way” (old) by “New way” (new)"]


@pytest.mark.parametrize(
    ("before", "until", "after"),
    [
        ("valid_from: 2026-03-01", None, NOW),  # both start on one day: it held until now
        ("valid_from: 2026-04-01", None, NOW),
        ("valid_from: 2027-01-01", None, datetime(2027, 1, 1, tzinfo=UTC)),  # it never will
        ("valid_until: 2026-02-01", None, datetime(2026, 2, 1, tzinfo=UTC)),  # ended before
        ("valid_until: 2028-01-01", None, datetime(2026, 3, 1, tzinfo=UTC)),
        ("mine: 1", datetime(2026, 4, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)),
    ],
)
def test_the_end_of_a_superseded_page_and_back(
    root: Path, before: str, until: datetime | None, after: datetime
):
    text = f"---\ntitle: Old way\n{before}\n---\nIt is 40.\n"
    (root / "wiki/ml/old.md").write_text(text)
    supersede(root, "old", "new", until=until, now=NOW)
    assert pages(root)["old"].valid_until == after
    unsupersede(root, ["old"], now=LATER)
    assert (root / "wiki/ml/old.md").read_text() == text
    assert (root / "wiki/ml/new.md").read_text() == FILES["wiki/ml/new.md"]


def test_pages_superseded_by_hand_can_be_taken_back_as_well(root: Path):
    by_hand = "superseded_by: new\nvalid_until: 2026-03-01\n---\n"
    (root / "wiki/ml/old.md").write_text(FILES["wiki/ml/old.md"].replace("---\nIt", f"{by_hand}It"))
    unsupersede(root, ["old"], now=NOW)
    assert (root / "wiki/ml/old.md").read_text() == FILES["wiki/ml/old.md"]


def test_several_pages_are_superseded_by_one(root: Path):
    supersede(root, ["old", "pump"], "new", now=NOW)
    assert pages(root)["new"].supersedes == ("old", "pump")
    unsupersede(root, ["pump"], now=NOW)
    assert pages(root)["new"].supersedes == ("old",)
    assert pages(root)["old"].superseded_by == "new"


def test_a_chain_that_lost_a_half_can_still_be_taken_back(root: Path):
    supersede(root, "old", "new", now=NOW)
    (root / "wiki/ml/new.md").write_text(FILES["wiki/ml/new.md"])
    supersede(root, "old", "new", now=LATER)
    unsupersede(root, ["old"], now=LATER)
    assert (root / "wiki/ml/old.md").read_text() == FILES["wiki/ml/old.md"]


def test_the_end_that_a_page_had_before_it_is_superseded_is_read(root: Path):
    ended = FILES["wiki/ml/old.md"].replace("---\nIt", "valid_until: 2026-02-01\n---\nIt")
    (root / "wiki/ml/old.md").write_text(ended)
    supersede(root, ["old", "pump"], "new", now=NOW)
    found = pages(root)
    assert found["old"].valid_until_before == datetime(2026, 2, 1, tzinfo=UTC)
    assert found["pump"].valid_until_before is None
    assert found["pump"].problems == ()


def test_who_verifies_is_one_line(root: Path):
    (change,) = reverify(root, ["pump"], by=" human:ann\n smith ", now=NOW)
    assert change.says.endswith(" by human:ann smith")
    assert pages(root)["pump"].verified[0].by == "human:ann smith"


def test_a_half_chain_is_completed(root: Path):
    half = FILES["wiki/ml/old.md"].replace("---\nIt", "superseded_by: new\n---\nIt")
    (root / "wiki/ml/old.md").write_text(half)
    supersede(root, "old", "new", now=NOW)
    assert pages(root)["new"].supersedes == ("old",)


def test_what_cannot_be_superseded_is_refused(root: Path):
    with pytest.raises(LifecycleError, match="old: cannot supersede itself"):
        supersede(root, "old", "Old way", now=NOW)
    with pytest.raises(UnknownPage):
        supersede(root, "old", "newer", now=NOW)
    with pytest.raises(LifecycleError, match=r"would end .* before it starts .*--until 2026"):
        supersede(root, "old", "new", until=datetime(2024, 1, 1, tzinfo=UTC), now=NOW)
    supersede(root, "old", "new", now=NOW)
    supersede(root, "new", "pump", now=NOW)
    with pytest.raises(LifecycleError, match="would come after itself: pump → old → new → pump"):
        supersede(root, "pump", "old", now=NOW)
    with pytest.raises(LifecycleError, match=r"superseded by “new” already; .*--undo old"):
        supersede(root, "old", "pump", now=NOW)
    with pytest.raises(LifecycleError, match="pump: is not superseded"):
        unsupersede(root, ["pump"], now=NOW)


def test_every_verification_is_kept_and_taken_back_one_by_one(root: Path):
    file = root / "wiki/pump.md"
    file.write_text(
        "---\ntitle: Pump\nlast_verified_at: 2026-01-05\n"
        'verified: {by: "process:nightly", at: 2026-01-05, commit: abc}\n---\n40 litres.\n'
    )
    first = file.read_text()
    reverify(root, ["pump"], now=NOW, who="ann")
    second = file.read_text()
    reverify(root, ["pump"], by="checker/1.2", now=LATER)
    page = pages(root)["pump"]
    assert page.last_verified_at == LATER
    assert page.verified == (
        Verification("process:nightly", datetime(2026, 1, 5, tzinfo=UTC)),
        Verification("human:ann", NOW, datetime(2026, 1, 5, tzinfo=UTC)),
        Verification("checker/1.2", LATER, NOW),
    )
    unverify(root, ["pump"], now=LATER)
    assert file.read_text() == second
    unverify(root, ["pump"], now=LATER)
    assert file.read_text().replace("\n  - {", " {") == first  # one mapping became a list of one
    unverify(root, ["pump"], now=LATER)
    with pytest.raises(LifecycleError, match="pump: no verification of it is recorded"):
        unverify(root, ["pump"], now=LATER)


@pytest.mark.parametrize(
    ("front", "message"),
    [
        ("last_verified_at: 2031-01-01", "last_verified_at 2031.* lies in the future; check the"),
        ("ingested_at: 2031-01-01", "ingested_at 2031.* lies in the future"),
        ("valid_from: 2026-02-01\nvalid_until: 2026-01-01", "ends .* before it starts to hold"),
    ],
)
def test_times_that_cannot_be_are_refused(root: Path, front: str, message: str):
    text = f"---\ntitle: Pump\n{front}\n---\nText.\n"
    (root / "wiki/pump.md").write_text(text)
    with pytest.raises(LifecycleError, match=message):
        reverify(root, ["pump"], now=NOW)
    with pytest.raises(LifecycleError, match=message):
        supersede(root, "pump", "new", now=NOW)
    assert (root / "wiki/pump.md").read_text() == text


def test_front_matter_that_nobody_can_read_is_not_written_to(root: Path):
    text = "---\n[a: b\n---\nText.\n"
    (root / "wiki/pump.md").write_text(text)
    with pytest.raises(PageError, match=r"pump.md:2: .*mend it first"):
        archive(root, ["pump", "old"], now=NOW)
    assert (root / "wiki/pump.md").read_text() == text
    assert (root / "wiki/ml/old.md").exists()


def test_a_deleted_page_leaves_a_tombstone_and_no_gap_in_its_chain(root: Path):
    supersede(root, "old", "new", now=NOW)
    supersede(root, "new", "pump", now=NOW)
    delete(root, ["new"], now=LATER, why="wrong")
    assert set(pages(root)) == {"old", "pump"}
    assert pages(root)["old"].superseded_by == "pump"
    assert pages(root)["pump"].supersedes == ("old",)
    assert said(root)[-1] == "deleted “New way” (new), wiki/ml/new.md: wrong"
    delete(root, ["pump"], now=LATER)
    assert (root / "wiki/ml/old.md").read_text() == FILES["wiki/ml/old.md"]


def test_the_tombstone_of_a_private_page_says_that_it_was_one(root: Path):
    (root / "wiki/plan.md").write_text("---\ntitle: Plan\nowner: ann\n---\nSecret.\n")
    delete(root, ["plan"], now=NOW)
    assert said(root) == [
        "deleted “Plan” (plan), a page that not everybody could read, wiki/plan.md"
    ]


def test_a_dry_run_changes_nothing(root: Path):
    planned = archive(root, ["old"], now=NOW, dry_run=True)
    assert [change.says for change in planned] == ["archived “Old way” (old)"]
    assert {path: (root / path).read_text() for path in FILES} == FILES
    assert not (root / "wiki/log.md").exists()


def test_a_disk_that_refuses_a_write_midway_leaves_all_as_it_was(root: Path):
    (root / "wiki/_archive").mkdir()
    (root / "wiki/_archive/ml").write_text("a file where a folder has to be")
    with pytest.raises(WriteError, match="cannot be written"):
        archive(root, ["pump", "old"], now=NOW)
    assert {path: (root / path).read_text() for path in FILES} == FILES
    assert sorted(pages(root)) == ["new", "old", "pump"]
    assert not (root / NOTE).exists()
    assert not (root / "wiki/log.md").exists()


class Killed(BaseException):
    """The process ends here."""


def test_what_a_person_changed_after_a_run_was_killed_is_left_alone(root: Path):
    def until_second(path: Path, text: str | None) -> None:
        if path.name == "new.md":
            raise Killed
        put(path, text)

    with pytest.raises(Killed):
        supersede(root, "old", "new", now=NOW, write=until_second)
    changed = FILES["wiki/ml/new.md"].replace("60", "61")
    (root / "wiki/ml/new.md").write_text(changed)
    reverify(root, ["pump"], now=LATER, who="ann")
    assert (root / "wiki/ml/new.md").read_text() == changed
    assert pages(root)["old"].superseded_by == "new"
    assert said(root) == [
        "superseded “Old way” (old) by “New way” (new)",
        "verified “Pump” (pump) by human:ann",
    ]
    assert not (root / NOTE).exists()


def test_nothing_goes_where_what_stands_in_its_place_is_not_what_was_to_come(root: Path):
    def only_the_note(path: Path, text: str | None) -> None:
        if not path.as_posix().endswith(NOTE):
            raise Killed
        put(path, text)

    with pytest.raises(Killed):
        archive(root, ["old"], now=NOW, write=only_the_note)
    (root / "wiki/_archive/ml").mkdir(parents=True)
    (root / "wiki/_archive/ml/old.md").write_text("Somebody's own.\n")
    told = complete(root)
    assert told[1:] == ["wiki/_archive/ml/old.md was changed since and stays as it is"]
    assert (root / "wiki/ml/old.md").read_text() == FILES["wiki/ml/old.md"]
    assert (root / "wiki/_archive/ml/old.md").read_text() == "Somebody's own.\n"
