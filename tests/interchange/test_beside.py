"""Pictures and other files, a person's words, and the log: out beside the pages, and in again."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from citewiki.interchange.bundles import open_bundle
from citewiki.interchange.export import export
from citewiki.interchange.taking_beside import may_run
from citewiki.interchange.taking_in import Imported, take_in_bundle
from citewiki.store.catalog import INDEX_MARK
from citewiki.store.pages import load_pages
from citewiki.wiki import Wiki
from tests.conftest import NOW, MakeWiki, write_files

FORMS = ("okf", "json")
PNG = b"\x89PNG\r\n\x1a\n\x00\xff"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><a href="https://example.com"><path d="M0"/></a></svg>'
SHOWN = {
    "wiki/ml/a.md": (
        "# A\n\n![[image.png|300]] ![[draw.svg]] ![alt](pics/b.png) [[paper.pdf]] ![[paper.pdf]]\n"
        '[data](<data set.csv> "t") <img src="/ml/pics/c.png"> `![[code.png]]` [[B]] \\![[B]]\n'
    ),
    "wiki/b.md": "# B\n\n![r][1] [[a|!]] ![a](https://example.com/elsewhere.png)\n\n[1]: ml/ref.png\n",
    "wiki/image.png": PNG,
    "wiki/ml/draw.svg": SVG,
    "wiki/ml/pics/b.png": b"b",
    "wiki/ml/pics/c.png": b"c",
    "wiki/files/paper.pdf": b"%PDF-1.7",
    "wiki/ml/data set.csv": b"a,b\r\n",
    "wiki/ml/ref.png": b"ref",
    "wiki/code.png": b"only named in code",
    "wiki/elsewhere.png": b"another host's",
    "wiki/unused.png": b"no page shows it",
}
LEAVE = {
    "image.png",
    "ml/draw.svg",
    "ml/pics/b.png",
    "ml/pics/c.png",
    "files/paper.pdf",
    "ml/data set.csv",
    "ml/ref.png",
}


def files(folder: Path, ends: str = "") -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name.endswith(ends)
    }


def new_wiki(root: Path, given: dict[str, str | bytes] | None = None) -> Path:
    write_files(root, {"mkdocs.yml": "site_name: Test\n", **(given or {})})
    (root / "wiki").mkdir(exist_ok=True)
    return root


def ingest(root: Path, folder: Path) -> Imported:
    opened = open_bundle(folder)
    assert opened is not None
    return take_in_bundle(root, opened, now=NOW)


@pytest.mark.parametrize("form", FORMS)
def test_files_that_pages_show_come_back_byte_for_byte(
    make_wiki: MakeWiki, tmp_path: Path, form: str
) -> None:
    root = make_wiki(SHOWN)
    done = Wiki.open(root).export(form, tmp_path / "out")
    assert done.files == len(LEAVE)
    place = tmp_path / "out" / ("_files" if form == "json" else "")
    left = {name: data for name, data in files(place).items() if name in LEAVE}
    assert left == {name: files(root / "wiki")[name] for name in LEAVE}
    names = set(files(tmp_path / "out"))
    assert not {
        name for name in names if name.endswith(("code.png", "elsewhere.png", "unused.png"))
    }
    other = new_wiki(tmp_path / "other")
    assert ingest(other, tmp_path / "out").problems == ()
    back = files(other / "wiki")
    assert {name: back[name] for name in LEAVE} == left
    assert back["ml/a.md"] == files(root / "wiki")["ml/a.md"]
    assert ingest(other, tmp_path / "out").files == ()
    Wiki.open(other).export(form, tmp_path / "again")
    assert files(tmp_path / "again") == files(tmp_path / "out")


def test_other_programs_see_pictures_of_a_bundle(make_wiki: MakeWiki, tmp_path: Path) -> None:
    Wiki.open(make_wiki(SHOWN)).export("okf", tmp_path / "out")
    text = (tmp_path / "out/ml/a.md").read_text()
    assert '![image.png](/image.png "![[image.png|300]]")' in text
    assert '[paper.pdf](/files/paper.pdf "[[paper.pdf]]")' in text
    assert '[paper.pdf](/files/paper.pdf "![[paper.pdf]]")' in text
    assert "original:" not in text


HIDDEN = {
    "wiki/qq/qqpage.md": (
        "---\ntitle: QQpage\nowner: alice\n---\n![[qqpic.png]] ![[image.png]] ![x](qqin.png)\n"
    ),
    "wiki/_archive/qqold.md": "---\nowner: alice\narchived_at: 2026-01-01\n---\n![[qqold.png]]\n",
    "wiki/qq/qqpic.png": b"qq",
    "wiki/qq/qqin.png": b"qq",
    "wiki/qq/qqold.png": b"qq",
    "wiki/qq/image.png": b"qq the same name, only hidden",
}
READ = {
    "wiki/shared.md": (
        "---\ntitle: Shared\nowner: bob\nshared_with: ['*']\n---\n"
        "![[image.png|300]] ![[qqpic.png]] [x](qq/qqin.png) ![[gone.png]]\n"
    ),
    "wiki/image.png": PNG,
    "wiki/index.md": (
        "# Ours\n\n![[image.png]] Read [[Shared]], or [it](shared.md), or [web](https://e.com/x).\n\n"
        "Not [[QQpage]].\n\n- [hidden](qq/qqpage.md)\n\n```\n[[QQcode]]\n```\n\nLast.\n\n"
        f"{INDEX_MARK}\n"
    ).replace("[[QQcode]]", "code"),
}


@pytest.mark.parametrize("viewer", ["*", "bob", "dave"])
@pytest.mark.parametrize("form", FORMS)
def test_what_only_hidden_pages_show_leaves_no_trace(
    tmp_path: Path, form: str, viewer: str
) -> None:
    told = []
    for name, given in (("with", {**READ, **HIDDEN}), ("without", READ)):
        root = new_wiki(tmp_path / name, given)
        Wiki.open(root, viewer=viewer).export(form, tmp_path / f"{name}-out")
        told.append(files(tmp_path / f"{name}-out"))
    assert told[0] == told[1]
    assert not [name for name in told[0] if "qq" in name]
    assert PNG in told[0].values()
    home = b"".join(told[0][name] for name in told[0] if name in ("index.md", "_index.json"))
    assert b"QQ" not in home
    assert b"qqpage" not in home
    assert b"# Ours" in home
    assert b"Last." in home
    assert b"code" in home


def test_a_reader_keeps_the_embeds_of_what_they_see(tmp_path: Path) -> None:
    root = new_wiki(tmp_path / "wiki", {**READ, **HIDDEN})
    Wiki.open(root, viewer="dave").export("json", tmp_path / "out")
    page = json.loads((tmp_path / "out/shared.json").read_text())
    assert page["files"] == ["image.png"]
    assert page["content"].startswith("![[image.png|300]] qqpic.png [x]")


def test_a_page_that_the_operator_shares_brings_its_picture(tmp_path: Path) -> None:
    both = {**HIDDEN, "wiki/open.md": "![[qqpic.png]]\n"}
    root = new_wiki(tmp_path / "wiki", both)
    Wiki.open(root, viewer="*").export("okf", tmp_path / "out")
    assert (tmp_path / "out/qq/qqpic.png").read_bytes() == b"qq"
    assert not (tmp_path / "out/qq/qqin.png").exists()


def test_links_on_disk_do_not_bring_pages_out(tmp_path: Path) -> None:
    root = new_wiki(tmp_path / "wiki", {**HIDDEN, "wiki/a.md": "![[trick.png]] ![[own.png]]\n"})
    write_files(tmp_path, {"outside.png": "secret"})
    (root / "wiki/trick.png").symlink_to(root / "wiki/qq/qqpage.md")
    (root / "wiki/own.png").symlink_to(tmp_path / "outside.png")
    Wiki.open(root).export("okf", tmp_path / "out")
    assert (tmp_path / "out/qq/qqpic.png").exists()
    assert not (tmp_path / "out/trick.png").exists()
    assert not (tmp_path / "out/own.png").exists()


def test_files_are_bounded(
    make_wiki: MakeWiki, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("beside", "bundles"):
        monkeypatch.setattr(f"citewiki.interchange.{name}.LARGEST_FILE", 10)
    root = make_wiki({"wiki/a.md": "![[big.png]] ![[small.png]]\n"})
    write_files(root, {"wiki/big.png": b"x" * 11, "wiki/small.png": b"x"})
    done = Wiki.open(root).export("okf", tmp_path / "out")
    assert [str(problem) for problem in done.problems] == [
        "big.png: warning: is left out: it is too large (11 bytes)"
    ]
    write_files(tmp_path / "out", {"big.png": b"x" * 11})
    taken = ingest(new_wiki(tmp_path / "other"), tmp_path / "out")
    assert taken.files == ("small.png",)
    assert [problem.message for problem in taken.problems] == [
        "is too large, or one too many, so it is left out"
    ]


HOSTILE = {
    "index.md": '---\nokf_version: "0.2"\n---\n\n# All\n',
    "a.md": (
        "---\ntype: x\n---\n![a](bad.svg) [b](page.html) ![[_archive/x.png]] ![c](.hid/x.png)\n"
        "![d](fine.svg) [e](run.js) ![f](mine.png) ![g](way/x.png) [h](b.XHTML)\n"
    ),
    "bad.svg": b"<svg onload = alert(1)></svg>",
    "page.html": "<script>alert(1)</script>",
    "run.js": "alert(1)",
    "b.XHTML": "x",
    "_archive/x.png": b"x",
    ".hid/x.png": b"x",
    "fine.svg": SVG,
    "mine.png": b"other bytes",
    "way/x.png": b"x",
}


def test_nothing_that_runs_and_nobodys_file_is_replaced(tmp_path: Path) -> None:
    root = new_wiki(tmp_path / "wiki", {"wiki/Mine.png": b"mine"})
    outside = write_files(tmp_path / "outside", {"keep": ""})
    (root / "wiki/way").symlink_to(outside)
    done = ingest(root, write_files(tmp_path / "bundle", HOSTILE))
    assert done.files == ("fine.svg",)
    said = sorted(f"{Path(each.path).name}: {each.message}" for each in done.problems)
    kept = "is left out: another file is there and is kept as it is"
    assert said == [
        "b.XHTML: could run in a browser, so it is left out",
        "bad.svg: could run in a browser, so it is left out",
        f"bundle: mine.png: {kept}",
        "page.html: could run in a browser, so it is left out",
        "run.js: could run in a browser, so it is left out",
        f"x.png: {kept}",
        "x.png: lies in the archive, so it is left out",
    ]
    assert (root / "wiki/Mine.png").read_bytes() == b"mine"
    assert files(outside) == {"keep": b""}


@pytest.mark.parametrize(
    "svg",
    [
        "<svg><script>1</script></svg>",
        '<svg><a href="java\nscript:x"/></svg>',
        '<svg><a href="&#106;avascript:x"/></svg>',
        '<!DOCTYPE svg [<!ENTITY a "x">]><svg/>',
        "<svg><s:script xmlns:s='x'/></svg>",
        "<svg/onload\n=\nalert(1)>",
        "<svg><foreignObject/></svg>",
        "<svg><use href='data:image/svg+xml,x'/></svg>",
        "<?xml-stylesheet href='x'?><svg/>",
    ],
)
def test_an_svg_that_could_run_is_told(svg: str) -> None:
    assert may_run("a.SVG", svg.encode())
    assert may_run("a.svg", svg.encode("utf-16"))
    assert not may_run("a.svg", SVG)


WORDS = (
    "# Our wiki\n\nStart at [[A]] or [[B|here]]. ![[image.png]]\n\n## Rules\n\n- be kind -- always",
    "---\ntitle: Home --> x\n---\n# Home\n\n[[A]]",
    'A [link](/ml/a.md "[[A]]") that was one already.',
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("words", WORDS)
def test_a_persons_words_come_back(
    make_wiki: MakeWiki, tmp_path: Path, form: str, words: str
) -> None:
    root = make_wiki({**SHOWN, "wiki/index.md": f"{words}\n\n{INDEX_MARK}\n"})
    Wiki.open(root).export(form, tmp_path / "out")
    other = new_wiki(tmp_path / "other", {"wiki/index.md": "# Index\n"})
    assert ingest(other, tmp_path / "out").problems == ()
    text = (other / "wiki/index.md").read_text()
    assert text.partition(f"\n\n{INDEX_MARK}")[0] == words
    assert "[A](<ml/a.md>)" in text.partition(INDEX_MARK)[2]
    Wiki.open(other).export(form, tmp_path / "again")
    assert files(tmp_path / "again") == files(tmp_path / "out")
    mine = new_wiki(tmp_path / "mine", {"wiki/index.md": f"# Mine\n\n{INDEX_MARK}\n"})
    (problem,) = ingest(mine, tmp_path / "out").problems
    assert "its words are left out" in problem.message
    assert (mine / "wiki/index.md").read_text().startswith(f"# Mine\n\n{INDEX_MARK}\n")


def test_a_day_in_the_past_has_no_words(make_wiki: MakeWiki, tmp_path: Path) -> None:
    root = make_wiki({"wiki/a.md": "a\n", "wiki/index.md": f"# Ours\n\n{INDEX_MARK}\n"})
    Wiki.open(root).export("okf", tmp_path / "out", as_of=datetime(2026, 1, 1, tzinfo=UTC))
    assert "Ours" not in (tmp_path / "out/index.md").read_text()


LIVES = {
    "wiki/old.md": (
        "---\ntitle: Old\ningested_at: 2026-01-01T10:00:00Z\nsuperseded_by: new\n"
        "superseded_at: 2026-03-01T10:00:00Z\nsources: [{id: s, resource: raw/s.md}]\n---\n"
        'The limit of a page is 5 MB.[^s.1]\n\n[^s.1]: raw/s.md: "5 MB"\n'
    ),
    "wiki/new.md": (
        "---\ntitle: New\ningested_at: 2026-03-01T10:00:00Z\nsupersedes: [old]\n"
        "scopes: [{beside: other, note: for guests, of: k}]\n---\n[[Other]] [[never]]\n"
    ),
    "wiki/other.md": "---\ntitle: Other\n---\n[[New]]\n",
    "wiki/_archive/away.md": "---\ntitle: Away\narchived_at: 2026-04-01T10:00:00Z\n---\nx\n",
    "wiki/log.md": (
        "# Log\n\n## 2026-04-01\n\n- 2026-04-01T10:00:00Z · ann · archived “Away” (away): done\n"
        "- 2026-04-01T09:00:00Z · ann · deleted “Dead” (dead)\n\n## 2026-03-01\n\n"
        "- 2026-03-01T10:00:00Z · ann · “New” (new) supersedes “Old” (old)\n"
    ),
}


@pytest.mark.parametrize("form", FORMS)
def test_lives_and_findings_are_as_before(make_wiki: MakeWiki, tmp_path: Path, form: str) -> None:
    from click.testing import CliRunner

    from citewiki.cli.app import app

    root = make_wiki(LIVES)
    Wiki.open(root).export(form, tmp_path / "out", archived=True)
    other = new_wiki(tmp_path / "other", {"pyproject.toml": ""})
    assert ingest(other, tmp_path / "out").problems == ()
    runner = CliRunner()
    for call in (
        *(["history", page] for page in ("old", "new", "away", "dead")),
        ["lint"],
        ["drift"],
        ["show", "old"],
        ["decay"],
    ):
        said = [runner.invoke(app, [*call, "--wiki", str(each)]).output for each in (root, other)]
        assert said[0] == said[1].replace(str(other), str(root))
        assert said[0]
        if call == ["lint"]:
            assert said[0].count("cannot be checked") == 1
            assert "lacks 1 of the originals that pages name (raw/s.md)" in said[0]
    both = [load_pages(each / "wiki", archived=True)[0] for each in (root, other)]
    assert both[0] == both[1]


def test_a_bundle_adds_no_lines_about_pages_that_were_here(tmp_path: Path) -> None:
    export(new_wiki(tmp_path / "from", LIVES), "okf", tmp_path / "out", archived=True)
    root = new_wiki(tmp_path / "wiki", {"wiki/new.md": "# Mine\n", "wiki/log.md": "# Log\n"})
    ingest(root, tmp_path / "out")
    log = (root / "wiki/log.md").read_text()
    assert "“New”" not in log
    assert log.index("took in out") < log.index("archived “Away”")


def test_nothing_of_a_hidden_pages_sources_comes_along(tmp_path: Path) -> None:
    manifest = [
        {"id": f"users/alice/{name}", "path": f"raw/users/alice/{name}.md", "title": f"T-{name}"}
        for name in ("qqsecret", "given")
    ]
    root = new_wiki(
        tmp_path / "wiki",
        {
            "raw/manifest.jsonl": "".join(json.dumps(each) + "\n" for each in manifest),
            "raw/users/alice/given.md": "given words",
            "wiki/h.md": ("---\nowner: alice\nsources: [{id: users/alice/qqsecret}]\n---\nQQ\n"),
            "wiki/s.md": (
                "---\nowner: alice\nshared_with: [bob]\n"
                "sources: [{id: users/alice/given, resource: raw/users/alice/given.md}]\n---\nx\n"
            ),
        },
    )
    for form in FORMS:
        Wiki.open(root, viewer="bob").export(form, tmp_path / form)
        told = b"".join(files(tmp_path / form).values())
        assert b"raw/users/alice/given.md" in told
        assert b"T-given" not in told
        assert b"qqsecret" not in told.lower()
        assert not list((tmp_path / form).rglob("given*"))
