"""A wiki that stays open follows its files, whoever writes them, and is shared by threads."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest
from bench.corpus import questions, write_wiki

from citewiki.errors import Limited, UnknownPage
from citewiki.server.opened import Opened
from citewiki.store.files import write_atomic
from tests.conftest import MakeWiki, write_files

Open = Callable[[Path], Opened]


@pytest.fixture
def opening() -> Iterator[Open]:
    """Opens wikis, and closes them afterwards."""
    opened: list[Opened] = []

    def open_(root: Path) -> Opened:
        opened.append(Opened(root))
        return opened[-1]

    yield open_
    for each in opened:
        each.close()


def test_what_was_written_is_read_by_the_next_call(make_wiki: MakeWiki, opening: Open) -> None:
    root = make_wiki({"wiki/d/a.md": "# A\n\nzebra 00\n"})
    wiki = opening(root).wiki(None)
    for number in range(10, 40):  # as quickly as it goes, and always as long
        write_atomic(root / "wiki/d/a.md", f"# A\n\nzebra {number}\n")
        assert wiki.page("A").body.split() == ["#", "A", "zebra", str(number)]


def test_a_page_in_a_new_folder_one_moved_and_one_removed_are_seen(
    make_wiki: MakeWiki, opening: Open
) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nzebra\n"})
    wiki = opening(root).wiki(None)
    assert [page.path for page in wiki.pages()] == ["a.md"]
    (root / "wiki/new").mkdir()
    assert len(wiki.pages()) == 1
    write_files(root, {"wiki/new/b.md": "# B\n\nlion\n"})
    assert [page.path for page in wiki.pages()] == ["a.md", "new/b.md"]
    (root / "wiki/a.md").rename(root / "wiki/new/c.md")
    assert [page.path for page in wiki.pages()] == ["new/b.md", "new/c.md"]
    (root / "wiki/new/b.md").unlink()
    assert [page.path for page in wiki.pages()] == ["new/c.md"]


def test_what_another_process_wrote_is_seen_without_opening_anew(
    make_wiki: MakeWiki, opening: Open
) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nzebra\n"})
    wiki = opening(root).wiki(None)
    assert wiki.search("giraffe") == ()
    program = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text('# B\\n\\ngiraffe\\n')"
    subprocess.run([sys.executable, "-c", program, str(root / "wiki/b.md")], check=True)
    assert [hit.path for hit in wiki.search("giraffe")] == ["b.md"]


def test_a_file_that_is_changed_in_place_is_seen_within_some_seconds(
    make_wiki: MakeWiki, opening: Open
) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nzebra\n"})
    wiki = opening(root).wiki(None)
    assert wiki.search("giraffe") == ()
    (root / "wiki/a.md").write_text("# A\n\nzebra and giraffe\n")
    end = time.monotonic() + 20
    while not wiki.search("giraffe"):
        assert time.monotonic() < end


def test_who_reads_keeps_the_snapshot_that_they_began_with(
    make_wiki: MakeWiki, opening: Open
) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nzebra\n"})
    opened = opening(root)
    with opened.wiki(None).index as before:
        write_atomic(root / "wiki/a.md", "# A\n\ngiraffe\n")
        assert opened.wiki(None).page("A").body == "# A\n\ngiraffe\n"
        opened.close()
        assert [page.body for page in before.pages()] == ["# A\n\nzebra\n"]
    assert opened.wiki(None).page("A").body == "# A\n\ngiraffe\n"


def test_nothing_is_read_anew_while_nothing_changes(make_wiki: MakeWiki, opening: Open) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nzebra\n"})
    opened = opening(root)
    with opened.wiki("bob").index as first, opened.wiki("bob").index as second:
        assert first is second
    write_files(root, {"wiki/index.md": "# Index\n"})  # no page
    with opened.wiki("bob").index as third:
        assert third is first


def test_each_viewer_sees_their_own(make_wiki: MakeWiki, opening: Open) -> None:
    front = "---\ntitle: {0}\nowner: {0}\nshared_with: []\n---\nzebra\n"
    root = make_wiki({f"wiki/{name}.md": front.format(name) for name in ("bob", "eve")})
    opened = opening(root)
    assert [hit.title for hit in opened.wiki("bob").search("zebra")] == ["bob"]
    assert [hit.title for hit in opened.wiki("eve").search("zebra")] == ["eve"]
    assert opened.wiki("*").search("zebra") == ()
    with pytest.raises(UnknownPage):
        opened.wiki("bob").page("eve")
    write_atomic(root / "wiki/eve.md", front.format("eve").replace("[]", "[bob]"))
    assert opened.wiki("bob").page("eve").owner == "eve"
    write_atomic(root / "wiki/eve.md", front.format("eve"))
    with pytest.raises(UnknownPage):
        opened.wiki("bob").page("eve")


def test_threads_that_share_an_index_get_what_one_alone_gets(tmp_path: Path, opening: Open) -> None:
    write_wiki(tmp_path, 60, words=80)
    asked = questions(40)
    alone = opening(tmp_path).wiki(None)
    expected = [alone.query(question) for question in asked]
    shared = opening(tmp_path)
    with ThreadPoolExecutor(8) as threads:
        for _ in range(3):
            calls = [threads.submit(shared.wiki(None).query, question) for question in asked * 4]
            assert [call.result() for call in calls] == expected * 4


def test_readers_see_one_state_each_and_whole_pages_while_pages_are_written(
    make_wiki: MakeWiki, opening: Open
) -> None:
    def text(number: int) -> str:
        return "# A\n\n" + f"{number}\n" * (number % 7 + 1000)

    root = make_wiki({"wiki/a.md": text(0)})
    opened, done = opening(root), Event()

    def read() -> int:
        seen = 0
        while not done.is_set():
            with opened.wiki(None).index as index:
                page, again = index.page("a.md"), index.page("a.md")
            assert page
            assert page == again
            number = int(page.body.split()[2])
            assert page.body == text(number)
            assert number >= seen
            seen = number
        return seen

    with ThreadPoolExecutor(4) as threads:
        readers = [threads.submit(read) for _ in range(4)]
        try:
            for number in range(1, 40):
                write_atomic(root / "wiki/a.md", text(number))
                with opened.wiki(None).index as index:
                    page = index.page("a.md")
                assert page
                assert page.body == text(number)
        finally:
            done.set()
        assert all(reader.result() <= 39 for reader in readers)


def test_calls_do_not_pile_up_behind_the_first_index(tmp_path: Path) -> None:
    write_wiki(tmp_path, 400, words=200)
    opened = Opened(tmp_path, patience=0.0)
    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(opened.wiki("bob").search, "bacodi")
        while not (tmp_path / ".citewiki/index").is_dir():
            assert not first.done()
        with pytest.raises(Limited, match="is being made"):
            opened.wiki("bob").search("bacodi")
        assert first.result() == opened.wiki("bob").search("bacodi")
    opened.close()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="counts open files by /proc")
def test_many_viewers_do_not_hold_ever_more_files_open(make_wiki: MakeWiki, opening: Open) -> None:
    root = make_wiki({"wiki/a.md": "# A\n\nzebra\n"})
    opened = opening(root)

    def files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    def read_as(numbers: range) -> int:
        for number in numbers:
            assert opened.wiki(f"user-{number}").page("A").title == "A"
        return files()

    before = files()
    full = read_as(range(66))
    assert read_as(range(66, 80)) <= full + 10
    opened.close()
    assert files() <= before + 10
