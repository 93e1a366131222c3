"""Nothing that anybody can ask for tells of a page that they may not see; see `tests/hidden.py`.

Two wikis differ by a few pages that alice keeps to herself. To everybody else both say the same,
byte for byte, and no word that stands in hidden pages only; alice and the operator are told.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from citewiki import Wiki
from citewiki.cli.app import COMMANDS, app
from citewiki.errors import CitewikiError, EngineError
from citewiki.llm.port import Reply, ToolCall, Turn
from citewiki.llm.scripted import ScriptedEngine
from tests import surfaces
from tests.conftest import NOW, write_files
from tests.hidden import HIDDEN_SOURCE, PRYING, READERS, SIGNS, files, same, signs, wiki_files

REPOSITORY = Path(__file__).parents[1]
NO_MORE = EngineError("says no more")


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The wiki with the hidden pages, and the one without."""
    folder = tmp_path_factory.mktemp("walk")
    return (
        write_files(folder / "with", wiki_files(True)),
        write_files(folder / "without", wiki_files(False)),
    )


def built(root: Path, viewer: str) -> dict[str, bytes]:
    """The site of the wiki at `root` as `viewer` sees it, by path."""
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    site = root.parent / f"site-{root.name}-{'anyone' if viewer == '*' else viewer}"
    (root / "pyproject.toml").write_text(
        f'[tool.citewiki.site]\nviewer = "{viewer}"\npublish_raw = true\n', encoding="utf-8"
    )
    config = load_config(str(root / "mkdocs.yml"), strict=True, site_dir=str(site))
    config.plugins.on_startup(command="build", dirty=False)
    build(config)
    return {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in sorted(site.rglob("*"))
        if path.is_file() and not path.is_relative_to(site / "assets" / "javascripts")
    }


def told(root: Path, command: Sequence[str], viewer: str | None) -> str:
    """All that a command says on behalf of `viewer`: output, errors, exit status, files."""
    who = () if viewer is None else ("--viewer", viewer)
    out = root / "out"
    arguments = [each.replace(surfaces.OUT, str(out)) for each in command]
    ran = CliRunner().invoke(app, [*arguments, *who, "--wiki", str(root)])
    said = [f"{ran.exit_code}\n{ran.output}\n{ran.exception!r}\n{ran.exception}"]
    said.append(getattr(ran.exception, "hint", ""))
    written = (path for path in sorted(out.rglob("*")) if path.is_file())
    said += [f"{path}: {path.read_text(errors='replace')}" for path in written]
    shutil.rmtree(out, ignore_errors=True)
    return same("\n".join(said))


@pytest.mark.parametrize("name", surfaces.COMMANDS)
def test_a_command_tells_nothing_of_hidden_pages(places: tuple[Path, Path], name: str) -> None:
    seen = False
    for number, arguments in enumerate(surfaces.COMMANDS[name]):
        command = (name, *arguments)
        for viewer in ("bob", READERS[1 + number % 2]):
            with_them, without = (told(root, command, viewer) for root in places)
            assert with_them == without, (command, viewer)
            assert signs(with_them, " ".join(command)) == [], (command, viewer)
        seen = seen or all(
            signs(told(places[0], command, who), " ".join(command)) for who in ("alice", None)
        )
    assert seen, "neither alice nor the operator is told, so nothing has been tried"


@pytest.mark.parametrize("viewer", READERS)
def test_no_model_that_works_for_somebody_is_told_of_hidden_pages(
    tmp_path: Path, viewer: str
) -> None:
    names = (*surfaces.NAMES[::3], "vexquill")
    calls = [
        *(ToolCall(f"s{n}", "search", {"words": words}) for n, words in enumerate(names)),
        *(ToolCall(f"r{n}", "read_page", {"slug": slug}) for n, slug in enumerate(names)),
        *(ToolCall(f"f{n}", "follow_links", {"slug": slug}) for n, slug in enumerate(names)),
    ]
    looking = Reply("", None, tuple(calls), turn=Turn("assistant", tuple(calls)))
    one_section = HIDDEN_SOURCE.partition("\n\n## ")[0]  # as several are asked about at once
    asked: list[str] = []
    for root in (tmp_path / "with", tmp_path / "without"):
        wiki = Wiki.open(write_files(root, wiki_files(root.name == "with")), viewer=viewer)
        engine = ScriptedEngine(lambda request: looking if request.tools else NO_MORE)
        for question in surfaces.QUESTIONS[:3]:
            for agentic in (False, True):
                with contextlib.suppress(EngineError):
                    wiki.ask(question, engine=engine, agentic=agentic, now=NOW)
        if viewer != "*":
            with contextlib.suppress(CitewikiError):
                wiki.ingest_text(one_section, engine=engine, now=NOW)
        assert len(engine.requests) > 6
        asked.append(same(repr(engine.requests)))
    assert asked[0] == asked[1]
    assert signs(asked[0], f"{names} {surfaces.QUESTIONS} {HIDDEN_SOURCE}") == []


def test_nothing_is_left_of_a_page_that_was_shared_for_a_while(tmp_path: Path) -> None:
    with_them, without = tmp_path / "with", tmp_path / "without"
    write_files(with_them, wiki_files(True))
    write_files(without, wiki_files(False))
    asked = [(name, *surfaces.COMMANDS[name][0]) for name in surfaces.COMMANDS]
    asked += [("search", "brundlewick"), ("ask", "--explain", "--json", surfaces.QUESTIONS[5])]
    mine = [told(with_them, ("share", page, "bob"), "alice") for page in surfaces.HIDDEN]
    assert all(each.startswith("0\n") for each in mine), mine
    assert signs("".join(told(with_them, command, "bob") for command in asked), str(asked))
    mine = [told(with_them, ("unshare", page, "bob"), "alice") for page in surfaces.HIDDEN]
    assert all(each.startswith("0\n") for each in mine), mine
    for command in asked:
        assert told(with_them, command, "bob") == told(without, command, "bob"), command


@pytest.mark.parametrize("name", surfaces.COMMANDS)
def test_who_names_in_a_page_what_could_be_hidden_learns_nothing(
    site_places: tuple[Path, Path], name: str
) -> None:
    for arguments in (*surfaces.COMMANDS[name][:3], *surfaces.ON_PRYING.get(name, ())):
        command = (name, *arguments)
        with_them, without = (told(root, command, "bob") for root in site_places)
        assert with_them == without, command


@pytest.mark.parametrize("name", surfaces.ACTIONS)
def test_an_action_neither_tells_of_hidden_pages_nor_turns_on_them(
    tmp_path: Path, name: str
) -> None:
    places = [
        write_files(tmp_path / kind, wiki_files(kind == "with")) for kind in ("with", "without")
    ]
    before, others = map(files, places)
    hidden = {path: before[path] for path in before.keys() - others.keys()}
    for number, arguments in enumerate(surfaces.ACTIONS[name]):
        command, viewer = (name, *arguments), "carol" if number % 5 == 4 else "bob"
        with_them, without = (told(root, command, viewer) for root in places)
        assert with_them == without, (command, viewer)
        assert signs(with_them, " ".join(command)) == [], (command, viewer)
    after, without_after = map(files, places)
    assert after == {**without_after, **hidden}
    by_owner = [
        [told(root, (name, *arguments), "alice") for arguments in surfaces.ACTIONS[name]]
        for root in places
    ]
    assert by_owner[0] != by_owner[1], "alice can do nothing to them, so nothing has been tried"


def test_every_command_is_walked_or_is_the_operators() -> None:
    walked = surfaces.COMMANDS.keys() | surfaces.ACTIONS.keys()
    for name in COMMANDS.keys() - set(surfaces.SERVING):
        options = {each.name for each in app.get_command(None, name).params}  # type: ignore[union-attr, arg-type]
        assert (name in walked) == ("viewer" in options), name
        assert (name in walked) != (name in surfaces.OPERATORS), name


@pytest.fixture(scope="module")
def site_places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The same two wikis with what a site needs, and a page of bob's that pries."""
    folder = tmp_path_factory.mktemp("sites")
    places = folder / "with", folder / "without"
    for place in places:
        write_files(place, {**wiki_files(place.name == "with"), **PRYING})
        shutil.copy(REPOSITORY / "mkdocs.yml", place)
        shutil.copytree(REPOSITORY / "hooks", place / "hooks")
    return places


def test_the_site_of_the_owner_has_hidden_pages_in_every_kind_of_file(
    site_places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    found = {
        path: signs(content.decode(errors="replace"))
        for path, content in built(site_places[0], "alice").items()
    }
    told_by = {path.rpartition("/")[2] for path, words in found.items() if words}
    assert told_by >= {"index.html", "index.md", "llms.txt", "llms-full.txt", "index.json",
                       "backlinks.json", "graph.json", "graph.svg", "search_index.json",
                       "imgfrisk.png", "srcmoxle.md"}  # fmt: skip
    everywhere = {sign for words in found.values() for sign in words}
    assert set(SIGNS) - everywhere <= {"archdoodle", "readdorn"}


@pytest.mark.parametrize("viewer", READERS)
def test_no_file_of_a_site_tells_of_hidden_pages(
    site_places: tuple[Path, Path], viewer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1790000000")
    with_them, without = (built(root, viewer) for root in site_places)
    assert with_them.keys() == without.keys()
    assert [path for path in with_them if with_them[path] != without[path]] == []
    pried = "" if viewer != "bob" else str(PRYING)
    for path, content in with_them.items():
        assert signs(f"{path}\n{content.decode(errors='replace')}", pried) == [], path
