"""What a bundle of the Open Knowledge Format says, and whether it conforms."""

from __future__ import annotations

from pathlib import Path

import yaml

from citewiki.interchange.copies import copies
from citewiki.interchange.okf import bundle
from citewiki.store.catalog import append_log, write_index
from citewiki.store.pages import load_pages
from tests.conftest import NOW, MakeWiki, write_files
from tests.interchange.conformance import unattributed, violations

ROOT = Path(__file__).parents[2]

PAGES = {
    "wiki/ml/fusion.md": (
        "---\ntype: concept\ntitle: Rank fusion\nsummary: Merges lists.\nowner: ann\n"
        "tags: [rag]\nsources:\n  - {id: paper, resource: raw/paper.pdf, locator: p. 3}\n"
        "  - bare-id\ningested_at: 2026-05-01T00:00:00Z\nverified: [{by: 'human:ann', at: "
        "2026-05-03T00:00:00Z}]\nlast_verified_at: 2026-05-03T00:00:00Z\nmine: [1.10, no]\n---\n"
        "# Rank fusion\n\nSee [[Vector DB#How it works|stores]], [[Vector DB]], [[Nobody]],\n"
        "`[[Vector DB]]` and [[#Rank fusion]].[^paper.1]\n\n"
        '[^paper.1]: raw/paper.pdf, p. 3: "merges lists"\n[^remark]: only words\n'
    ),
    "wiki/a (b)/vector db.md": (
        "---\ntitle: Vector DB\nsuperseded_by: fusion\nsuperseded_at: 2026-05-02T00:00:00Z\n"
        "generated: {by: citewiki/1.0+extractive, at: 2026-04-01T00:00:00Z}\n"
        "ingested_at: 2026-04-01T00:00:00Z\nvalid_until: 2026-04-02T00:00:00Z\n---\n"
        "## How it *works*!\n\nx\n"
    ),
    "wiki/top.md": "No front matter.\n",
}


def _front(text: str) -> dict[str, object]:
    front: dict[str, object] = yaml.safe_load(text.split("---\n")[1])
    return front


def _bundle(root: Path) -> dict[str, str]:
    return bundle(copies(root / "wiki", None)[0])


def test_a_concept_has_the_formats_keys_beside_its_own(make_wiki: MakeWiki) -> None:
    files = _bundle(make_wiki(PAGES))
    front = _front(files["ml/fusion.md"])
    assert front["description"] == "Merges lists."
    assert front["generated"] == {"by": "human:ann", "at": yaml.safe_load("2026-05-01T00:00:00Z")}
    assert front["status"] == "stable"
    assert str(front["stale_after"]).startswith("2026-08-01")
    assert front["mine"] == [1.10, False]
    old = _front(files["a (b)/vector db.md"])
    assert old["status"] == "deprecated"
    assert str(old["stale_after"]).startswith("2026-04-02")
    assert old["generated"]["by"] == "citewiki/1.0+extractive"  # type: ignore[index]
    assert _front(files["top.md"])["type"] == "concept"


def test_footnotes_are_keyed_to_sources_and_every_source_has_a_resource(
    make_wiki: MakeWiki,
) -> None:
    files = _bundle(make_wiki(PAGES))
    assert _front(files["ml/fusion.md"])["sources"] == [
        {"id": "paper", "resource": "raw/paper.pdf", "locator": "p. 3"},
        {"id": "bare-id", "resource": "bare-id"},
        {"id": "paper.1", "resource": "raw/paper.pdf", "locator": "p. 3", "of": "paper"},
        {"id": "remark", "resource": "only words"},
    ]


def test_wikilinks_to_pages_become_links_rooted_in_the_bundle(make_wiki: MakeWiki) -> None:
    body = _bundle(make_wiki(PAGES))["ml/fusion.md"].split("---\n", 2)[2]
    assert (
        "See [stores](/a%20%28b%29/vector%20db.md#how-it-works "
        '"[[Vector DB#How it works|stores]]"), '
        '[Vector DB](/a%20%28b%29/vector%20db.md "[[Vector DB]]"), [[Nobody]],\n'
        '`[[Vector DB]]` and [Rank fusion](#rank-fusion "[[#Rank fusion]]").[^paper.1]'
    ) in body


def test_lists_have_the_formats_form(make_wiki: MakeWiki) -> None:
    files = _bundle(make_wiki(PAGES))
    assert files["index.md"] == (
        '---\nokf_version: "0.2"\n---\n\n# Concepts\n\n* [top](top.md)\n\n# Folders\n\n'
        "* [a (b)](a%20%28b%29/) - 1 concept\n* [ml](ml/) - 1 concept\n"
    )
    assert files["ml/index.md"] == "# Concepts\n\n* [Rank fusion](fusion.md) - Merges lists.\n"
    fusion, vector = "[Rank fusion](/ml/fusion.md)", "[Vector DB](/a%20%28b%29/vector%20db.md)"
    assert files["log.md"] == (
        f"# Log\n\n## 2026-05-03\n\n* **Verification**: {fusion}\n\n"
        f"## 2026-05-02\n\n* **Deprecation**: {vector} superseded by {fusion}\n\n"
        f"## 2026-05-01\n\n* **Creation**: {fusion}\n\n## 2026-04-01\n\n* **Creation**: {vector}\n"
    )


def test_an_export_conforms_and_a_breach_would_be_found(
    make_wiki: MakeWiki, tmp_path: Path
) -> None:
    folder = write_files(tmp_path / "bundle", _bundle(make_wiki(PAGES)))
    assert violations(folder) == []
    assert [unattributed(path) for path in folder.rglob("*.md") if "[^" in path.read_text()] == [
        set()
    ]
    broken = {
        "log.md": "# Log\n\n- a\n\n## May 5\n",
        "ml/index.md": "---\ntype: x\n---\n* no link\n",
        "ml/none.md": "x",
        "ml/empty.md": "---\ntype: ''\nsources: [{id: a}]\nstatus: new\n---\n",
    }
    write_files(folder, broken)
    assert {line.split(":")[0] for line in violations(folder)} == set(broken)


def test_the_pages_that_the_program_writes_are_a_conformant_bundle_as_they_stand(
    tmp_path: Path,
) -> None:
    assert violations(ROOT / "wiki") == []
    wiki = write_files(
        tmp_path, {"ml/a.md": '---\ntype: concept\ntitle: "[A] x"\nsummary: Of A.\n---\n'}
    )
    write_index(wiki, load_pages(wiki)[0])
    for day in (11, 12, 12, 13):
        append_log(wiki, NOW.replace(day=day), "ann", [f"one of {day}", "another"])
    assert violations(wiki) == []
