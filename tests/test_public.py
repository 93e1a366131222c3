from __future__ import annotations

import subprocess
import sys

import citewiki


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


def test_searching_does_not_load_what_it_does_not_need():
    heavy = {
        "pydantic",
        "mkdocs",
        "pypdf",
        "pypdfium2",
        "trafilatura",
        "networkx",
        "numpy",
        "anthropic",
    }
    code = "import sys, citewiki.cli.app, citewiki.query.retrieve; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert heavy & set(loaded.stdout.split()) == set()
