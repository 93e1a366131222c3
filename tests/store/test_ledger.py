"""What pages are called, known without reading them all."""

from __future__ import annotations

from dataclasses import replace

from citewiki.store.files import write_atomic
from citewiki.store.ledger import Ledger
from citewiki.store.pages import load_page
from tests.conftest import MakeWiki, write_files
from tests.writers import page, saved


def test_a_page_that_changed_on_disk_is_known_as_it_is(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": page("One", "Words.", "owner: bob")})
    cache = root / ".citewiki"

    def called(name: str) -> list[str]:
        with Ledger(root / "wiki", cache) as ledger:
            return [page.path for page in ledger.called(name, "bob")]

    assert (called("one"), called("two")) == (["a.md"], [])
    write_atomic(root / "wiki/a.md", page("Two", "Words.", "owner: bob"))
    assert (called("one"), called("two")) == ([], ["a.md"])
    (root / "wiki/a.md").unlink()
    assert called("two") == []


def test_a_damaged_ledger_is_made_anew(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": page("One", "Words.", "owner: bob")})
    write_files(root, {".citewiki/ledger.sqlite": b"no database at all, " * 500})
    assert saved(root, "One", "Words.\n\nMore.").action == "merged"


def test_an_unreadable_page_is_no_page_and_is_told_of(make_wiki: MakeWiki) -> None:
    root = make_wiki({"wiki/a.md": b"\xff\xfe", "wiki/b.md": page("Two", "Words.")})
    with Ledger(root / "wiki", root / ".citewiki") as ledger:
        assert ledger.unreadable() == ["a.md"]
        assert [found.path for found in ledger.pages()] == ["b.md"]
        assert "a" not in ledger


def test_what_is_kept_of_a_page_is_all_but_its_body(make_wiki: MakeWiki) -> None:
    front = (
        "aliases: [other, name]", "owner: bob", "shared_with: [carol, '*']", "confidence: 0.0",
        "sources: [{id: a, resource: raw/a.md, sha256: ff, locator: p. 4}]",
        "valid_from: 2026-05-12T14:00:00.250Z", "valid_until: 2027-01-01", "superseded_by: x",
        "verified: [{by: 'human:ann', at: 2026-05-12}]",
        "scopes: [{beside: x, note: in winter}]", "tags: [one]", "summary: What it is.",
    )  # fmt: skip
    root = make_wiki({"wiki/ml/a.md": page("One", "Words.", *front)})
    with Ledger(root / "wiki", root / ".citewiki") as ledger:
        (found,) = ledger.pages()
    whole = load_page(root / "wiki", "ml/a.md")
    assert found == replace(whole, body="", body_line=1, problems=())
