"""`show` says how far a page may be trusted, and why."""

from __future__ import annotations

import json

from tests.cli.conftest import Run
from tests.conftest import MakeWiki

FILES = {
    "wiki/ml/a.md": (
        "---\ntitle: Retention\nsource_authority: docs\nconfidence: 0.85\n"
        "generated: {by: citewiki/0.1.0+extractive}\n---\n"
        "The retention period of archived pages is 90 days.\n"
    ),
    "wiki/ml/b.md": "# Cleaning\n\nThe retention period of archived pages is 180 days.\n",
    "wiki/ml/c.md": "---\nconfidence: 0.3\nsource_authority: paper\n---\n# Own\n\nA person's.\n",
    "wiki/ml/d.md": "# Bare\n\nNothing is known of it.\n",
}


def test_show_names_the_reasons(make_wiki: MakeWiki, run: Run) -> None:
    root = str(make_wiki(FILES))
    said = "confidence 0.42: from documentation, another page says otherwise"
    assert said in run("show", "Retention", "--wiki", root).out
    assert "confidence 0.3: set by a person" in run("show", "Own", "--wiki", root).out
    assert "confidence" not in run("show", "Bare", "--wiki", root).out


def test_show_json_has_the_value_and_the_reasons(make_wiki: MakeWiki, run: Run) -> None:
    root = str(make_wiki(FILES))
    shown = json.loads(run("show", "Own", "--json", "--wiki", root).out)
    assert (shown["confidence"], shown["confidence_reasons"]) == (0.3, ["set by a person"])
    bare = json.loads(run("show", "Bare", "--json", "--wiki", root).out)
    assert (bare["confidence"], bare["confidence_reasons"]) == (None, [])
