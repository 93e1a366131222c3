"""Bundles that come in: other programs' taken as far as they go, hostile ones held off."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

import pytest

from citewiki.errors import SourceError
from citewiki.interchange.bundles import LARGEST_PAGE, open_bundle
from citewiki.interchange.taking_in import Imported, take_in_bundle
from citewiki.store.pages import load_page
from tests.conftest import NOW, MakeWiki, write_files

SHOP = {
    "index.md": '---\nokf_version: "0.2"\n---\n\n# Tables\n\n* [Orders](tables/orders.md) - Orders\n',
    "log.md": "# History\n\n## 2026-05-22\n* **Creation**: all\n",
    "tables/index.md": "# Tables\n\n* [Orders](orders.md)\n",
    "tables/orders.md": (
        "---\ntype: BigQuery Table\ntitle: Orders\ndescription: One row per order.\n"
        "resource: https://example.com/orders\ntags: [sales]\nx_grain: {per: order}\n"
        "sources:\n  - {id: ga4, resource: 'https://example.com/ga4', usage_count: 5000}\n"
        "generated: {by: agent/1, at: 2026-05-28T14:30:00Z}\n"
        "verified: {by: 'human:kim', at: 2026-06-25T09:00:00Z}\nstatus: stable\n---\n\n"
        'Of [customers](/tables/customers.md), [also](./customers.md#keys "t"), [gone](/no.md),\n'
        "[site](https://example.com/a.md) and `[customers](/tables/customers.md)`.[^ga4]\n\n"
        "[^ga4]: GA4 export\n"
    ),
    "tables/customers.md": "---\ntitle: Customers\n---\nWho buys.\n",
    "plain.md": "# Plain\n\nNo front matter.\n",
    "lib/revenue.sql": "SELECT 1",
    "README.txt": "read me",
}


def _ingest(root: Path, bundle: Path) -> Imported:
    opened = open_bundle(bundle)
    assert opened is not None
    return take_in_bundle(root, opened, now=NOW, shared_with=("*",))


def _said(done: Imported) -> list[str]:
    return [f"{Path(problem.path).name}: {problem.message}" for problem in done.problems]


def test_another_programs_bundle_comes_in_with_a_line_for_what_is_left_out(
    make_wiki: MakeWiki, tmp_path: Path
) -> None:
    root = make_wiki({})
    done = _ingest(root, write_files(tmp_path / "shop", SHOP))
    assert done.made == ("plain", "customers", "orders")
    assert _said(done) == [
        "plain.md: has no type, so it is taken for a concept",
        "customers.md: has no type, so it is taken for a concept",
        "README.txt: is no concept (a .md file), so it is left out",
        "revenue.sql: is no concept (a .md file), so it is left out",
    ]
    page = load_page(root / "wiki", "tables/orders.md")
    assert (page.type, page.domain, page.summary) == (
        "BigQuery Table",
        "tables",
        "One row per order.",
    )
    assert page.shared_with == ("*",)
    assert page.verified[0].by == "human:kim"
    assert page.sources[0].resource == "https://example.com/ga4"
    assert (
        "Of [[tables/customers|customers]], [[tables/customers#keys|also]], [gone](/no.md),\n"
        "[site](https://example.com/a.md) and `[customers](/tables/customers.md)`.[^ga4]"
    ) in page.body
    text = (root / "wiki/tables/orders.md").read_text()
    assert "x_grain: {per: order}\n" in text
    assert "usage_count: 5000" in text
    assert "[Orders](<tables/orders.md>)" in (root / "wiki/index.md").read_text()
    assert "took in shop: 3 pages" in (root / "wiki/log.md").read_text()


def test_what_is_there_is_never_replaced(make_wiki: MakeWiki, tmp_path: Path) -> None:
    root = make_wiki(
        {
            "wiki/plain.md": "---\ntitle: Mine\n---\nMy own words.\n",
            "wiki/Tables/Orders.md": "---\nslug: customers\n---\nx\n",
        }
    )
    before = {path: path.read_bytes() for path in (root / "wiki").rglob("*.md")}
    done = _ingest(root, write_files(tmp_path / "shop", SHOP))
    assert done.made == ()
    kept = [line for line in _said(done) if "kept as it is" in line]
    assert len(kept) == 3
    assert "“Orders” is left out: wiki/Tables/Orders.md is there" in kept[2]
    assert all(path.read_bytes() == data for path, data in before.items())


def test_what_is_no_bundle_is_a_source(tmp_path: Path) -> None:
    notes = write_files(tmp_path / "notes", {"a.md": "---\ntype: x\n---\n", "b.md": "b"})
    assert open_bundle(notes) is None
    assert open_bundle(write_files(tmp_path / "site", {"index.md": "# Hi", "a.md": "text"})) is None
    home = {"index.md": "---\ntitle: Home\n---\n", "a.md": "---\ntype: x\n---\n"}
    assert open_bundle(write_files(tmp_path / "home", home)) is None
    assert open_bundle(write_files(tmp_path / "data", {"_index.json": "{}"})) is None
    assert open_bundle(notes / "a.md") is None
    own = {"index.md": "# Index\n", "a.md": "---\ntype: x\n---\n"}
    opened = open_bundle(write_files(tmp_path / "own", own))
    assert opened is not None
    assert opened.form == "okf"


def _zip(path: Path, members: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def test_no_path_leads_out_of_the_wiki(make_wiki: MakeWiki, tmp_path: Path) -> None:
    root = make_wiki({})
    mark = "citewiki: {okf: '0.2', path: '%s'}"
    concepts = {
        f"c{number}.md": f"---\ntype: x\n{mark % path}\n---\nx\n"
        for number, path in enumerate(
            (
                "../out.md",
                "/out.md",
                "a/../../out.md",
                ".git/hooks.md",
                "a\\b.md",
                "x.txt",
                "log.md",
                "a//b.md",
                "x" * 300 + ".md",
                "/".join("d" * 30) + ".md",
            )
        )
    }
    listed = {"index.md": SHOP["index.md"]}
    done = _ingest(
        root, _zip(tmp_path / "z.zip", {**listed, **concepts, "../../up.md": "---\ntype: x\n---\n"})
    )
    assert done.made == ("up",)
    assert len(done.problems) == len(concepts)
    made = {path.relative_to(root / "wiki").as_posix() for path in (root / "wiki").rglob("*.md")}
    assert made == {"up.md", "index.md", "log.md"}
    outside = {
        path.name for path in tmp_path.rglob("*.md") if not path.is_relative_to(root / "wiki")
    }
    assert outside == set()
    pages = {"_index.json": "{}", "_backlinks.json": "{}"}
    hostile = {"a.json": json.dumps({"title": "T", "content": "x", "path": "../../out.md"})}
    done = _ingest(root, write_files(tmp_path / "json", {**pages, **hostile}))
    assert done.made == ()


def test_links_on_disk_are_not_followed_either_way(make_wiki: MakeWiki, tmp_path: Path) -> None:
    secret = write_files(tmp_path / "secret", {"s.md": "---\ntype: x\n---\nSecret.\n"})
    shop = write_files(tmp_path / "shop", {"index.md": SHOP["index.md"], "tables/a.md": "x"})
    os.symlink(secret / "s.md", shop / "s.md")
    os.symlink(secret, shop / "folder")
    root = make_wiki({})
    os.symlink(secret, root / "wiki" / "tables")
    done = _ingest(root, shop)
    assert done.made == ()
    assert [line for line in _said(done) if "is a link" in line] == [
        "folder: is a link, so it is left out",
        "s.md: is a link, so it is left out",
    ]
    assert any("in the way" in line for line in _said(done))
    assert [path.name for path in secret.iterdir()] == ["s.md"]


def test_bombs_and_broken_files_are_a_line_each(make_wiki: MakeWiki, tmp_path: Path) -> None:
    root = make_wiki({})
    bomb: dict[str, str | bytes] = {
        "index.md": SHOP["index.md"],
        "big.md": b"0" * (LARGEST_PAGE + 1),
        "latin.md": "caf\xe9".encode("latin-1"),
        "ok.md": "---\ntype: x\n---\nFine.\n",
    }
    done = _ingest(root, _zip(tmp_path / "bomb.zip", bomb))
    assert done.made == ("ok",)
    assert _said(done) == [
        "big.md: is too large, so it is left out",
        "latin.md: is not UTF-8 text, so it is left out",
    ]
    pages: dict[str, str | bytes] = {
        "_index.json": "{}",
        "_backlinks.json": "{}",
        "deep.json": "[" * 100_000,
        "nested.json": '{"content": "x", "k": ' + "[" * 900 + "]" * 900 + "}",
        "list.json": "[]",
        "none.json": '{"title": "No text"}',
        "half.json": '{"title": "Half", "content": "\\ud800"}',
        "note.txt": "x",
        "good.json": '{"title": "Good", "content": "Words.", "domain": "ml", "rating": 5}',
    }
    done = _ingest(root, write_files(tmp_path / "pages", pages))
    assert "good" in done.made
    assert len(done.problems) + len(done.made) == 7
    assert "rating: 5" in (root / "wiki/ml/good.md").read_text()
    assert load_page(root / "wiki", "ml/good.md").title == "Good"
    damaged = tmp_path / "damaged.zip"
    damaged.write_bytes(b"PK\x03\x04 and no more")
    with pytest.raises(SourceError):
        open_bundle(damaged)


def test_a_fact_that_was_changed_in_json_counts(make_wiki: MakeWiki, tmp_path: Path) -> None:
    from citewiki.interchange.export import export

    root = make_wiki({"wiki/ml/a.md": "---\n# mine\ntitle: A\ntags: [x]\n---\nText.\n"})
    export(root, "json", tmp_path / "out")
    file = tmp_path / "out" / "a.json"
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, "tags": ["x", "z"], "content": "New text.\n"}))
    other = write_files(tmp_path / "other", {"mkdocs.yml": "", "wiki/ml/z.md": "z"})
    _ingest(other, tmp_path / "out")
    assert (other / "wiki/ml/a.md").read_text() == (
        "---\n# mine\ntitle: A\ntags: [x, z]\n---\nNew text.\n"
    )


def test_a_concept_that_was_edited_counts_as_edited(make_wiki: MakeWiki, tmp_path: Path) -> None:
    from citewiki.interchange.export import export

    given = {
        "wiki/a.md": "---\ntitle: [broken\n---\nSee [[b]].\n",
        "wiki/b.md": "b\n",
        "wiki/c.md": "---\nsummary: C\nsources: [{id: s}]\n---\nx[^s.1]\n\n[^s.1]: raw/s.md\n",
    }
    export(make_wiki(given), "okf", tmp_path / "out")
    for name, old, new in (
        ("a.md", "See", "Look at"),
        ("b.md", "---\nb\n", "---\nb and [more](/a.md)\n"),
        ("c.md", "status: stable", "status: draft"),
        ("c.md", "resource: s}", "resource: 'https://example.com/s'}"),
    ):
        file = tmp_path / "out" / name
        text = file.read_text()
        assert old in text
        head, mark, rest = text.rpartition("\n---\n") if name == "a.md" else ("", "", text)
        file.write_text(head + mark + rest.replace(old, new))
    other = write_files(tmp_path / "other", {"mkdocs.yml": "", "wiki/z.md": "z"})
    _ingest(other, tmp_path / "out")
    assert "Look at [[b]]." in (other / "wiki/a.md").read_text()
    assert (other / "wiki/b.md").read_text() == "b and [more](/a.md)\n"
    assert (other / "wiki/c.md").read_text() == (
        '---\nsummary: C\nsources:\n  - {id: s, resource: "https://example.com/s"}\n'
        "status: draft\n---\nx[^s.1]\n\n[^s.1]: raw/s.md\n"
    )


def test_a_zip_of_many_small_files_is_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("citewiki.interchange.bundles.LARGEST_TOTAL", 1000)
    members: dict[str, str | bytes] = {f"{number}.md": "x" * 300 for number in range(4)}
    with pytest.raises(SourceError, match="too large unpacked"):
        open_bundle(_zip(tmp_path / "many.zip", {"index.md": SHOP["index.md"], **members}))
