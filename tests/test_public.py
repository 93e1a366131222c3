from __future__ import annotations

import subprocess
import sys

import citewiki
from tests.conftest import MakeWiki


def test_the_public_names_are_these_and_all_can_be_imported():
    assert citewiki.__all__ == [
        "Answer",
        "Citation",
        "CitewikiError",
        "Claim",
        "Hit",
        "Page",
        "Refusal",
        "Verdict",
        "Wiki",
        "as_json",
    ]
    for name in citewiki.__all__:
        assert getattr(citewiki, name).__doc__


def test_searching_does_not_load_what_it_does_not_need(make_wiki: MakeWiki):
    wiki = make_wiki(
        {
            "wiki/fusion.md": "---\nsummary: Lists into one.\n---\n# Rank fusion\n\nMerges lists.\n",
            "pyproject.toml": "[tool.citewiki]\n",
        }
    )
    command = ["search", "--wiki", str(wiki), "merges"]
    search = f"from citewiki.cli.app import app; app({command}, standalone_mode=False)"
    _loaded(search)  # makes the index
    loaded = _loaded(search)
    heavy = {
        "anthropic",
        "filelock",
        "importlib.metadata",
        "mkdocs",
        "networkx",
        "numpy",
        "pydantic",
        "pypdf",
        "pypdfium2",
        "rich",
        "tempfile",
        "tomllib",
        "trafilatura",
        "typer",
        "yaml",
    }
    assert heavy & loaded == set()
    ours = {name for name in loaded if name.startswith("citewiki.")}
    rooms = {name.split(".")[1] for name in ours}
    assert rooms == {"cli", "errors", "index", "model", "query", "store", "text", "wiki", "writing"}
    assert {name for name in ours if name.startswith("citewiki.model.")} == {"citewiki.model.hit"}


def _loaded(code: str) -> set[str]:
    """The modules that Python has loaded once it has run `code`."""
    show = "import sys; print(*sys.modules, file=sys.stderr)"
    ran = subprocess.run(
        [sys.executable, "-c", f"{code}; {show}"], capture_output=True, text=True, check=True
    )
    return set(ran.stderr.split())
