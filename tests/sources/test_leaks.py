"""Keys, tokens and passwords in what goes out with a wiki."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from citewiki.sources.leaks import is_published, leaks, leaks_in
from tests.conftest import write_files

TOKEN = "cw_" + hashlib.sha256(b"a token of nobody").hexdigest()[:43]
HUB = "ghp_" + hashlib.sha256(b"a token of nobody").hexdigest()[:36]


@pytest.mark.parametrize(
    "secret", [TOKEN, HUB, f"https://eve:{HUB[:12]}@localhost/x"], ids=["own", "marked", "address"]
)
def test_a_secret_is_an_error_on_its_line_and_never_shown_whole(secret: str):
    (found,) = leaks("wiki/a.md", f"# A\n\nIt is {secret} here.\n".encode())
    assert (found.path, found.line, found.severity, found.code) == (
        "wiki/a.md",
        3,
        "error",
        "secret",
    )
    shown = [secret[n : n + 6] for n in range(len(secret) - 6)]
    assert not any(part in found.message for part in shown)
    assert str(found).count("\n") == 0


def test_what_only_a_cue_word_tells_is_a_warning():
    (found,) = leaks("docs/a.md", b"password: hunter2-and-more\n")
    assert (found.severity, found.line) == ("warning", 1)
    assert "hunter2" not in found.message


@pytest.mark.parametrize(
    "text",
    [
        "A token is cw_ and 43 characters.",
        "cw_… or cw_<token>",
        "AKIAIOSFODNN7EXAMPLE",
        "the hash is kept and the secret is not.[^memory-of-users.3]",
        "Authorization: Bearer ${CITEWIKI_TOKEN}",
    ],
)
def test_what_stands_for_a_secret_is_none(text: str):
    assert list(leaks("README.md", text.encode())) == []


def test_bytes_that_are_no_text_and_other_encodings_are_read_for_what_they_are():
    assert list(leaks("wiki/a.png", b"\x89PNG\0" + TOKEN.encode())) == []
    for encoding in ("utf-8-sig", "utf-16"):
        assert len(list(leaks("wiki/a.md", f"{TOKEN}\n".encode(encoding)))) == 1
    assert len(list(leaks("wiki/a.md", b"\xff " + TOKEN.encode()))) == 1


@pytest.mark.parametrize(
    ("path", "published"),
    [
        ("wiki/ml/a.md", True),
        ("wiki/picture.svg", True),
        ("docs/a.txt", True),
        ("skills/citewiki/SKILL.md", True),
        ("mkdocs.yml", True),
        ("README.md", True),
        ("LICENSE", True),
        (".mcp.json", True),
        ("pyproject.toml", True),
        ("raw/a.txt", False),
        ("tests/a.py", False),
        (".citewiki-private/users.json", False),
        (".citewiki/index/x", False),
    ],
)
def test_what_goes_out_with_a_wiki(path: str, published: bool):
    assert is_published(path, publish_raw=False) is published
    assert is_published(path, publish_raw=True) is (published or path.startswith("raw/"))


def test_originals_are_looked_through_where_they_are_published(tmp_path: Path):
    names = ("raw/a.txt", "wiki/x/a.md", "mkdocs.yml", "README.md", "docs/b.md", ".mcp.json")
    write_files(tmp_path, dict.fromkeys((*names, ".citewiki-private/users.json"), TOKEN))
    found = [problem.path for problem in leaks_in(tmp_path, publish_raw=False)]
    assert sorted(found) == sorted(set(names) - {"raw/a.txt"})
    found = [problem.path for problem in leaks_in(tmp_path, publish_raw=True)]
    assert sorted(found) == sorted(names)
