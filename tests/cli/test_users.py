"""`user`, `share`, `unshare`, and `--viewer` where something is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from citewiki.server.history import past, remember
from citewiki.store.keys import USERS
from citewiki.store.users import Identity, authenticate, load_users
from tests.cli.conftest import Run
from tests.conftest import NOW, MakeWiki

FILES = {
    "wiki/fusion.md": "---\ntitle: Fusion\nowner: bob\n---\nBob's text.\n",
    "wiki/secret.md": "---\ntitle: Zymurgy\nowner: ann\n---\nAnn's text.\n",
}


@pytest.fixture
def root(make_wiki: MakeWiki) -> Path:
    return make_wiki(FILES)


def test_a_token_is_printed_alone_on_stdout_and_never_again(run: Run, root: Path):
    added = run("user", "add", "bob", "--wiki", root)
    token = added.out.strip()
    assert added.out == f"{token}\n"
    assert "shown once" in added.err
    assert authenticate(root, token, now=NOW) == Identity("bob", "first", False)
    listed = run("user", "list", "--wiki", root)
    everything = listed.out + listed.err + run("user", "list", "--json", "--wiki", root).out
    assert token[:9] in everything
    assert token not in everything
    assert load_users(root)["bob"].tokens[0].sha256 not in everything


def test_tokens_are_issued_listed_and_revoked_as_json(run: Run, root: Path):
    run("user", "add", "bob", "--wiki", root)
    issued = run(
        "user", "token", "bob", "--token-name", "ci", "--read-only", "--expires", "2999-01-01",
        "--json", "--wiki", root,
    ).json  # fmt: skip
    assert (issued["user"], issued["name"], issued["read_only"]) == ("bob", "ci", True)
    assert issued["expires_at"] == "2999-01-01T00:00:00Z"
    (listed,) = run("user", "list", "--json", "--wiki", root).json
    assert [token["name"] for token in listed["tokens"]] == ["first", "ci"]
    assert run("user", "revoke", "bob", "ci", "--json", "--wiki", root).json["user"] == "bob"
    assert authenticate(root, issued["token"], now=NOW) is None
    remember(root, "bob", "What is kept?", "answered", NOW)
    removed = run("user", "remove", "bob", "--json", "--wiki", root).json
    assert not past(root, "bob")  # nothing is left for whoever is called so next
    assert removed == {"removed": "bob", "tokens": ["first"]}
    assert run("user", "list", "--json", "--wiki", root).json == []


def test_a_name_that_differs_by_case_from_one_on_pages_is_told_of(run: Run, root: Path):
    assert "pages name “bob”" in run("user", "add", "Bob", "--wiki", root).err


def test_wrong_users_and_tokens_are_one_line(run: Run, root: Path):
    (root / USERS).parent.mkdir()
    (root / USERS).write_text("{", encoding="utf-8")
    ran = run("user", "add", "bob", "--wiki", root)
    assert (ran.status, ran.out, ran.err.count("\n")) == (1, "", 1)
    assert "is damaged" in ran.err


def test_an_owner_shares_and_unshares_and_others_may_not(run: Run, root: Path):
    shared = run("share", "Fusion", "carl", "--viewer", "bob", "--wiki", root)
    assert "shared “Fusion” (fusion) with carl" in shared.out
    assert "no user is called “carl”" in shared.err
    assert run("show", "Fusion", "--viewer", "carl", "--wiki", root).status == 0
    refused = run("unshare", "Fusion", "carl", "--viewer", "carl", "--wiki", root)
    assert (refused.status, refused.err) == (
        1,
        "citewiki: fusion: belongs to bob; only its owner changes it\n",
    )
    planned = run("unshare", "Fusion", "--all", "--dry-run", "--json", "--wiki", root).json
    assert (planned["done"], planned["changes"][0]["after"]) == (False, {"shared_with": None})
    assert run("unshare", "Fusion", "--all", "--viewer", "bob", "--wiki", root).status == 0
    assert run("show", "Fusion", "--viewer", "carl", "--wiki", root).status == 1
    assert run("share", "Fusion", "--all", "--wiki", root).status == 0
    assert run("show", "Fusion", "--viewer", "*", "--wiki", root).status == 0


@pytest.mark.parametrize(
    "arguments",
    [("share", "Fusion"), ("share", "Fusion", "x", "--all"), ("unshare", "Fusion")],
)
def test_whom_it_concerns_has_to_be_said(run: Run, root: Path, arguments):
    assert run(*arguments, "--wiki", root).status == 2


def test_a_viewer_is_nobody_or_a_name_in_any_spelling_of_its_letters(run: Run, root: Path):
    assert run("show", "Fusion", "--viewer", " ", "--wiki", root).status == 2
    (root / "wiki/ha.md").write_text("---\ntitle: Hà\nowner: Hà\n---\nText.\n", "utf-8")
    for viewer in ("H\u00e0", "Ha\u0300"):
        assert run("show", "ha", "--viewer", viewer, "--wiki", root).status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("archive", "{}"),
        ("restore", "{}"),
        ("supersede", "{}", "Fusion"),
        ("supersede", "Fusion", "{}"),
        ("reverify", "{}"),
        ("decay", "{}"),
        ("history", "{}"),
        ("list", "{}"),
        ("show", "{}"),
        ("share", "{}", "bob"),
        ("unshare", "{}", "bob"),
        ("graph", "--around", "{}"),
    ],
)
def test_every_command_of_a_viewer_says_of_a_hidden_page_that_there_is_none(
    run: Run, root: Path, arguments
):
    def said(name: str) -> tuple[int, str, str]:
        asked = [argument.format(name) for argument in arguments]
        ran = run(*asked, "--viewer", "bob", "--wiki", root)
        return ran.status, ran.out, ran.err.replace(name, "…")

    assert said("Zymurgy") == said("Zymurgi")
    assert said("secret") == said("secreu")
    assert said("Zymurgy")[0] == 1


def test_lists_of_a_viewer_count_only_what_they_see(run: Run, root: Path):
    listed = run("list", "--viewer", "bob", "--wiki", root)
    assert (listed.out.split()[0], listed.err) == ("fusion", "1 pages\n")
    assert run("list", "--viewer", "*", "--wiki", root).out == ""
    decayed = run("decay", "--viewer", "bob", "--days", "0", "--wiki", root)
    assert "secret" not in decayed.out + decayed.err


def test_a_user_acts_under_their_own_name_and_anyone_not_at_all(run: Run, root: Path):
    for wrong in (("--viewer", "*"), ("--viewer", "bob", "--as", "ann")):
        assert run("archive", "Fusion", *wrong, "--wiki", root).status == 2
    assert run("archive", "Fusion", "--viewer", "bob", "--wiki", root).status == 0
    assert "· bob · archived “Fusion”" in (root / "wiki/log.md").read_text("utf-8")
    away = run("list", "--archived", "--viewer", "bob", "--json", "--wiki", root).json
    assert [page["slug"] for page in away] == ["fusion"]
    assert run("restore", "Fusion", "--viewer", "bob", "--wiki", root).status == 0


def test_the_history_that_a_viewer_reads_says_nothing_of_others(run: Run, root: Path):
    run("reverify", "Zymurgy", "--why", "x", "--wiki", root)
    run("supersede", "Fusion", "Zymurgy", "--wiki", root)
    told = run("history", "Fusion", "--viewer", "bob", "--wiki", root).out
    assert "superseded by (not here)" in told
    assert "Zymurgy" not in told
    assert "secret" not in told
    assert run("history", "secret", "--viewer", "bob", "--wiki", root).status == 1
