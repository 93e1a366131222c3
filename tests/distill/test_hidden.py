"""What is masked is nowhere: not in a page, the manifest, the log or a cache."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from citewiki.config import Config, PrivacyConfig
from citewiki.distill.compile import compile_sources
from citewiki.distill.ingest import take_in
from citewiki.errors import SettingError
from citewiki.index.index import open_index
from citewiki.lint import lint_wiki
from tests.conftest import MakeWiki, write_files

NOW = datetime(2026, 5, 12, tzinfo=UTC)
SECRETS = ("hunter2", "ann.secret@acme.com", "4111 1111 1111 1111", "ghp_" + "aB3" * 12)
NOTE = f"""# The server of ann.secret@acme.com

The server stands in the cellar. Its password is hunter2. Ask {SECRETS[1]} about it.

## Card {SECRETS[2]}

It was bought in 2019 with the card {SECRETS[2]}. The key for deploying is {SECRETS[3]}.
"""


def made(make_wiki: MakeWiki, privacy: PrivacyConfig) -> tuple[Path, list[str]]:
    root = make_wiki({})
    note = root.parent / "note.md"
    note.write_text(NOTE, encoding="utf-8")
    take_in(root, [note], now=NOW, privacy=privacy)
    done = compile_sources(root, Config(privacy=privacy), now=NOW, version="1")
    return root, [problem.message for problem in done.problems if problem.code == "private"]


def everything(root: Path) -> str:
    files = [path for path in root.rglob("*") if path.is_file() and path.name != "note.md"]
    names = "\n".join(str(path.relative_to(root)) for path in files)
    return names + "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def test_nothing_that_is_masked_is_left_anywhere_but_in_the_original(make_wiki: MakeWiki) -> None:
    root, told = made(make_wiki, PrivacyConfig())
    with open_index(root / "wiki", root / ".citewiki", None):
        pass
    left = everything(root)
    assert not [secret for secret in SECRETS if secret in left or secret.replace(" ", "-") in left]
    assert "stands in the cellar" in left
    assert (root / "raw/note.md").read_text(encoding="utf-8") == NOTE
    assert {line.split(" (")[0].split(" × ")[-1].removeprefix("masked: ") for line in told} == {
        "password", "e-mail address", "card or account number", "key or token",
    }  # fmt: skip


@pytest.mark.parametrize("mask", [("key", "password"), (), PrivacyConfig().mask])
def test_quotes_are_found_in_their_source_whatever_is_masked(
    make_wiki: MakeWiki, mask: tuple[str, ...]
) -> None:
    root, _ = made(make_wiki, PrivacyConfig(mask=mask))
    errors = {problem.code for problem in lint_wiki(root) if problem.severity == "error"}
    assert errors == (set() if "key" in mask else {"secret"})
    assert ("ann.secret@acme.com" in everything(root)) == ("email" not in mask)


def test_a_model_that_is_far_away_is_not_asked(make_wiki: MakeWiki) -> None:
    with pytest.raises(SettingError, match="your own network"):
        made(make_wiki, PrivacyConfig(model="m", base_url="https://api.example.com"))


def test_names_of_files_and_folders_do_not_tell_either(make_wiki: MakeWiki) -> None:
    root = make_wiki({})
    files = {
        "in/bob@acme.com/ann@acme.com.md": "# Pump\n\nThe pump has a power of 40 kW.\n",
        "in/bob@acme.com/eve@acme.com.md": "# Pump\n\nThe tower of the plant is red now.\n",
    }
    write_files(root.parent, files)
    for _ in range(2):
        taken = take_in(root, [root.parent / "in"], now=NOW)
        compile_sources(root, Config(), now=NOW, version="1")
    assert len(taken.ids) == 2
    assert "@acme" not in everything(root)
    raw = sorted(path.relative_to(root / "raw") for path in (root / "raw").rglob("*.md"))
    folder = Path("in/e-mail-address-masked")
    name = "e-mail-address-masked"
    assert raw == [folder / f"{name}.md", folder / f"{name}.v2.md"]
    assert not [each for each in lint_wiki(root) if each.severity == "error"]


def test_a_file_in_raw_whose_name_tells_is_reported(make_wiki: MakeWiki) -> None:
    root = make_wiki({"raw/bob@acme.com.md": "# Pump\n\nThe pump has a power of 40 kW.\n"})
    taken = take_in(root, [root / "raw"], now=NOW)
    assert [problem.code for problem in taken.problems] == ["private"]
    assert taken.added
