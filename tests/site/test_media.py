"""Files beside the pages."""

from __future__ import annotations

from citewiki.site.media import Media, media_paths
from tests.conftest import MakeWiki


def test_a_file_is_found_by_path_or_by_name_near_before_far() -> None:
    media = Media(["a/pic.png", "b/pic.png", "deep/er/only.png", "Über.png"])
    assert media.resolve("pic.png", "b/page.md") == "b/pic.png"
    assert media.resolve("a/pic.png", "b/page.md") == "a/pic.png"
    assert media.resolve("../a/pic.png", "b/page.md") == "a/pic.png"
    assert media.resolve("only.png", "x.md") == "deep/er/only.png"
    assert media.resolve("/deep/er/only.png", "b/page.md") == "deep/er/only.png"
    assert media.resolve("über.png".upper(), "x.md") == "Über.png"
    assert media.resolve("other/only.png", "x.md") is None
    assert media.resolve("none.png", "x.md") is None


def test_pages_dot_files_archive_and_what_lies_outside_are_no_media(make_wiki: MakeWiki) -> None:
    root = make_wiki(
        {
            "wiki/a.md": "",
            "wiki/pic.png": "",
            "wiki/.secret.png": "",
            "wiki/.obsidian/app.json": "",
            "wiki/_archive/old.png": "",
            "outside.png": "",
        }
    )
    (root / "wiki" / "link.png").symlink_to(root / "outside.png")
    assert media_paths(root / "wiki") == ["pic.png"]
