from __future__ import annotations

from pathlib import Path

import pytest

from citewiki.config import Config, find_root, load_config
from citewiki.errors import SettingError, WikiNotFound
from tests.conftest import MakeWiki, write_files


def test_without_settings_every_key_has_its_default(tmp_path: Path):
    assert load_config(tmp_path) == Config()


def test_settings_are_read_from_the_wikis_pyproject(tmp_path: Path):
    write_files(
        tmp_path,
        {
            "pyproject.toml": '[tool.citewiki]\nowner = "ann"\nshared_with = []\n[tool.citewiki.site]\npublish_raw = true\n'
        },
    )
    config = load_config(tmp_path)
    assert (config.owner, config.shared_with, config.site.publish_raw) == ("ann", (), True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[tool.citewiki]\nownr = 'a'\n",
            "tool.citewiki.ownr must be a known setting (did you mean owner)",
        ),
        ("[tool.citewiki]\nowner = 7\n", "tool.citewiki.owner must be a text"),
        ("[tool.citewiki.ask]\ndepth = 9\n", "tool.citewiki.ask.depth must be 1, 2 or 3"),
        ("[tool.citewiki.ask]\npage_chars = true\n", "page_chars must be a whole number from 1"),
        ("[tool.citewiki]\nsite = 3\n", "tool.citewiki.site must be a table"),
        ("[tool.citewiki\n", "valid TOML"),
    ],
)
def test_a_wrong_setting_is_one_line_that_names_it(tmp_path: Path, text: str, message: str):
    write_files(tmp_path, {"pyproject.toml": text})
    with pytest.raises(SettingError) as caught:
        load_config(tmp_path)
    assert message in str(caught.value)


def test_a_wiki_is_found_from_any_folder_inside_it(make_wiki: MakeWiki, tmp_path: Path):
    root = make_wiki({"wiki/deep/er/page.md": "x"})
    assert find_root(root / "wiki" / "deep" / "er") == root.resolve()
    with pytest.raises(WikiNotFound, match="citewiki init"):
        find_root(tmp_path)
