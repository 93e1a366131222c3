"""A site is built for somebody, and holds nothing of what they may not see: in no file, in no form.

That two wikis which differ in hidden pages only give the same site is looked at in
`tests/test_surfaces.py`. Here words are looked for that stand in each place where a wiki keeps
something from a reader, also in pages that this reader may see, in every form that a word takes.
"""

from __future__ import annotations

import gzip
import os
import shutil
import socket
import subprocess
import sys
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from html import escape
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import pytest

from tests.conftest import write_files
from tests.site.conftest import REPOSITORY

MARK = "žlutý"  # in every word that is looked for: it looks another way in each form of a text

ALWAYS = ("ownerfenwick", "readerdoule", "keyglonth", "asidemurtle", "htmlcroome", "unshownpic")
"""What stays at home for every viewer: who owns a page and who reads it, what else its front
matter says, its comments, pictures that no page shows."""

HIDDEN = (
    "titlebraxen", "slugdorpel", "aliasquim", "summaryfoss", "tagvellum", "domaingrout", "bodywhisk",
    "headnurgle", "altplinth", "picturewoad", "sourcetarn", "quotemorven", "manifestyarl",
    "originalsnape", "formerkelp", "loggruffle", "neverlinkt",
)  # fmt: skip
"""What only alice may see, by the place where it stands."""


def _word(name: str) -> str:
    return f"{name}{MARK}"


def _wiki() -> dict[str, str | bytes]:
    hidden = {name: _word(name) for name in HIDDEN}
    own = {name: _word(name) for name in ALWAYS}
    source = (
        '{{"id": "{id}", "path": "raw/{file}", "title": "{title}", "sha256": "", "origin": "{file}",'
        ' "media_type": "text/markdown", "bytes": 3, "reader": "markdown", "fetched_at": null,'
        ' "sections": [{{"id": "s1", "title": "{title}", "locator": "§ 1", "chars": 9,'
        ' "status": "compiled", "pages": ["{slug}"], "reason": ""}}]}}\n'
    )
    return {
        "pyproject.toml": "[tool.citewiki.site]\npublish_raw = true\n",
        "wiki/seen/open.md": (
            "---\ntitle: Open\nslug: open\nsummary: For all.\ntags: [seen]\n"
            f"owner: {own['ownerfenwick']}\nshared_with: ['*', {own['readerdoule']}]\n"
            f"private: {own['keyglonth']}\nsources: [{{id: rules, resource: raw/rules.md}}]\n"
            f"ingested_at: 2024-01-02\nsuperseded_by: {hidden['slugdorpel']}\n---\n# Open\n\n"
            f"Text %%{own['asidemurtle']}%% and <!-- {own['htmlcroome']} --> text of [[Other]].\n\n"
            f"%%\n{own['asidemurtle']}\n%%\n\n<!--\n{own['htmlcroome']}\n-->\n\n- a %%{own['asidemurtle']}%%\n\n"
            f"<div>{{}} <!-- {own['htmlcroome']} --></div>\n\n## End %%{own['asidemurtle']}%%\n\nThe end."
        ),
        "wiki/seen/other.md": "---\ntitle: Other\ningested_at: 2024-01-03\n---\n# Other\n\nBack to [[Open]].",
        f"wiki/seen/{own['unshownpic']}.png": b"\x89PNG",
        f"wiki/{hidden['domaingrout']}/page.md": (
            f"---\ntitle: {hidden['titlebraxen']}\nslug: {hidden['slugdorpel']}\nowner: alice\n"
            f"aliases: [{hidden['aliasquim']}]\nsummary: {hidden['summaryfoss']}\n"
            f"tags: [{hidden['tagvellum']}, seen]\nredirect_from: [{hidden['formerkelp']}]\n"
            f"sources: [{{id: {hidden['sourcetarn']}, resource: raw/{hidden['originalsnape']}.md}}]\n"
            "ingested_at: 2024-01-04\n---\n"
            f"# {hidden['titlebraxen']}\n\n{hidden['bodywhisk']} of [[Open]] and [[{hidden['neverlinkt']}]].[^n]\n\n"
            f"## {hidden['headnurgle']}\n\n![{hidden['altplinth']}]({hidden['picturewoad']}.png)\n\n"
            f'[^n]: raw/{hidden["originalsnape"]}.md, § 1: "{hidden["quotemorven"]}"\n'
        ),
        f"wiki/{hidden['domaingrout']}/{hidden['picturewoad']}.png": _word("picturewoad").encode(),
        "wiki/log.md": f"# Log\n\n- 2024-01-04T00:00:00Z · alice · wrote “{hidden['loggruffle']}” ({hidden['slugdorpel']})\n",
        "raw/rules.md": "# Rules\n\nThe rules.",
        f"raw/{hidden['originalsnape']}.md": f"# X\n\n{hidden['quotemorven']}",
        "raw/manifest.jsonl": (
            source.format(id="rules", file="rules.md", title="Rules", slug="open")
            + source.format(
                id=hidden["sourcetarn"],
                file=f"{hidden['originalsnape']}.md",
                title=hidden["manifestyarl"],
                slug=hidden["slugdorpel"],
            )
        ),
    }


def forms(word: str) -> Iterator[bytes]:
    """All ways to write `word` in the files of a site, in small letters."""
    for text in dict.fromkeys(unicodedata.normalize(form, word) for form in ("NFC", "NFD")):
        yield text.encode()
        yield text.encode("utf-16-le")
        yield quote(text).lower().encode()
        yield quote(quote(text)).lower().encode()
        yield text.encode("ascii", "xmlcharrefreplace")
        yield "".join(c if c.isascii() else f"&#x{ord(c):x};" for c in text).encode()
        yield text.encode("ascii", "backslashreplace").replace(b"\\x", b"\\u00")
    yield word.removesuffix(MARK).encode()  # however the rest of it is spelt, cut or folded


def ask_terms(part: bytes) -> bytes:
    """The words of one file of the Ask page's index, which writes of each what is new in it."""
    place, before, found = 0, b"", []

    def number() -> int:
        nonlocal place
        value = shift = 0
        while True:
            byte = part[place]
            place, value, shift = place + 1, value | (byte & 127) << shift, shift + 7
            if byte < 128:
                return value

    while place < len(part):
        shared, length = number(), number()
        before, place = before[:shared] + part[place : place + length], place + length
        postings = number()
        place += postings
        found.append(before)
    return b"\n".join(found)


def everything(site: Path) -> dict[str, bytes]:
    """Paths and bytes of all files that are ours, in small letters; what is packed, unpacked."""
    found: dict[str, bytes] = {
        "": "\n".join(str(path) for path in sorted(site.rglob("*"))).encode()
    }
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if path.is_file() and not name.startswith(("assets/javascripts/", "pagefind/pagefind")):
            content = path.read_bytes()
            if name.endswith(".gz") or content[:2] == b"\x1f\x8b":
                content = gzip.decompress(content)
            if name.startswith("ask/") and name.endswith(".bin"):
                content += ask_terms(content)
            found[name] = content
    return {name: content.lower() for name, content in found.items()}


def held(site: Path, words: tuple[str, ...]) -> set[tuple[str, str]]:
    """(word, file) for each of `words` that stands in a file of `site` in any form."""
    files = everything(site)
    return {
        (word, name)
        for word in words
        for form in dict.fromkeys(forms(_word(word)))
        for name, content in files.items()
        if form in content
    }


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """A function that builds the wiki for a viewer, who stands in the settings or in `environ`."""
    root = write_files(tmp_path_factory.mktemp("wiki"), _wiki())
    shutil.copy(REPOSITORY / "mkdocs.yml", root)
    shutil.copytree(REPOSITORY / "hooks", root / "hooks")
    settings = (root / "pyproject.toml").read_text("utf-8")

    def made(viewer: str = "", environ: Mapping[str, str] | None = None) -> Path:
        line = f'viewer = "{viewer}"\n' if viewer else ""
        (root / "pyproject.toml").write_text(settings + line, encoding="utf-8")
        site = tmp_path_factory.mktemp("site")
        ran = subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(site)],
            cwd=root,
            env=environment(environ or {}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stderr
        return site

    made.root = root  # type: ignore[attr-defined]
    return made


def environment(more: Mapping[str, str]) -> dict[str, str]:
    ours = ("CITEWIKI_VIEWER", "CITEWIKI_SERVED")
    known = {name: value for name, value in os.environ.items() if name not in ours}
    return {**known, "PYTHONPATH": str(REPOSITORY / "builder"), "NO_MKDOCS_2_WARNING": "1", **more}


def test_nothing_that_a_viewer_may_not_see_is_in_the_site_in_any_form(
    build: Callable[..., Path],
) -> None:
    for site in (build(), build(environ={"CITEWIKI_VIEWER": "bob"})):
        assert held(site, (*HIDDEN, *ALWAYS)) == set()
        assert held(site, ("open",))  # what is looked for would be found: see below, too


def test_only_a_site_that_is_served_has_its_html_made_harmless_and_asks_the_server(
    build: Callable[..., Path],
) -> None:
    page = build.root / "wiki/acting.md"  # type: ignore[attr-defined]
    page.write_text("# Acting\n\n<video src='x.mp4' onplay='this.title=1'></video>\n", "utf-8")
    asked = {}
    for served in ("", "1"):
        environ = {"CITEWIKI_VIEWER": "*", "CITEWIKI_SERVED": served}
        site = build(environ=environ)
        acts = "onplay" in (site / "acting/index.html").read_text("utf-8")
        asked[served] = (acts, (site / "ask/index.html").exists())
    page.unlink()
    assert asked == {"": (True, True), "1": (False, False)}


def test_what_the_owner_sees_is_in_every_kind_of_file_and_the_rest_still_at_home(
    build: Callable[..., Path],
) -> None:
    site = build("alice")
    found = held(site, HIDDEN)
    assert {word for word, _ in found} | {"loggruffle"} == set(HIDDEN)  # the log names few things
    kinds = {
        name.rpartition(".")[2] if "/" not in name else name.partition("/")[0] for _, name in found
    }
    assert kinds >= {"json", "txt", "xml", "svg", "graphml", "html", "search", "tags", "ask", "raw"}
    assert held(site, ALWAYS) == set()


def test_mkdocs_serve_shows_what_the_viewer_of_the_environment_may_see(
    build: Callable[..., Path],
) -> None:
    root = build.root  # type: ignore[attr-defined]
    shown = {}
    with socket.create_server(("127.0.0.1", 0)) as free:
        where = f"127.0.0.1:{free.getsockname()[1]}"
    for viewer in ("alice", "bob"):
        with subprocess.Popen(
            [sys.executable, "-m", "mkdocs", "serve", "--no-livereload", "-a", where],
            cwd=root,
            env=environment({"CITEWIKI_VIEWER": viewer}),
            stderr=subprocess.PIPE,
            text=True,
        ) as server:
            assert server.stderr
            try:
                lines = iter(server.stderr.readline, "")
                assert any("Serving on" in line for line in lines)
                with urlopen(f"http://{where}/index.json", timeout=20) as answer:
                    shown[viewer] = answer.read().decode()
            finally:
                server.terminate()
    assert _word("titlebraxen") in shown["alice"]
    assert "titlebraxen" not in shown["bob"]
    assert "Open" in shown["bob"]


def test_a_word_is_found_in_every_form() -> None:
    word = _word("x")
    for text in (word, quote(word), escape(word).encode("ascii", "xmlcharrefreplace").decode()):
        assert any(form in text.lower().encode() for form in forms(word) if form != b"x")
