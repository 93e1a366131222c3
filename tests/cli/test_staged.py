"""`lint --staged` and the hook that `init` lays down: no secret is committed unseen."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from citewiki.cli.template import HOOK, lay_down, switch_on
from citewiki.store.keys import USERS
from citewiki.store.users import add_user
from tests.cli.conftest import Run
from tests.conftest import NOW, MakeWiki

REPOSITORY = Path(__file__).parents[2]
TOKEN = "cw_" + hashlib.sha256(b"a token of nobody").hexdigest()[:43]

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="needs git")

Git = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a wiki in a folder of it, the hook switched on as `init` says."""
    top = tmp_path / "my repository"
    wiki = top / "notes"
    wiki.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet", str(top)], check=True)
    lay_down(wiki)
    subprocess.run(switch_on(wiki), shell=True, check=True)
    return top


@pytest.fixture
def git(repository: Path) -> Git:
    """A function that calls git in the repository, with citewiki on the PATH as a user has it."""
    programs = repository.parent / "bin"
    programs.mkdir()
    program = programs / "citewiki"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m citewiki "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(REPOSITORY / "builder"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        **{
            f"GIT_{role}_{what}": value
            for role in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", "n"), ("EMAIL", "n@localhost"))
        },
    }

    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["git", *arguments],
            cwd=repository,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    return call


def test_a_commit_with_a_token_is_stopped_and_one_without_is_not(repository: Path, git: Git):
    page = repository / "notes/wiki/a page é.md"
    git("add", "-A")
    assert git("commit", "--quiet", "-m", "one").returncode == 0
    page.write_text(f"# A\n\n{TOKEN}\n", encoding="utf-8")
    git("add", "-A")
    stopped = git("commit", "-m", "two")
    assert stopped.returncode == 1
    said = stopped.stdout + stopped.stderr
    assert "wiki/a page é.md:3: error: holds a key or token" in said
    assert TOKEN[4:] not in said
    page.write_text("# A\n", encoding="utf-8")
    assert git("commit", "-m", "what is staged counts").returncode == 1
    assert git("commit", "--quiet", "-am", "two").returncode == 0
    page.write_text(f"# A\n\n{TOKEN}\n", encoding="utf-8")
    assert git("commit", "--quiet", "--allow-empty", "-m", "nothing staged").returncode == 0


def test_what_is_not_of_the_wiki_is_left_to_its_own_hooks(repository: Path, git: Git):
    (repository / "other.md").write_text(TOKEN, encoding="utf-8")
    git("add", "-A")
    assert git("commit", "--quiet", "-m", "one").returncode == 0


def test_originals_keep_their_secrets_but_not_a_token_of_this_wiki(repository: Path, git: Git):
    original = repository / "notes/raw/a.txt"
    original.write_text("token: ghp_" + "a1B2" * 9, encoding="utf-8")
    git("add", "-A")
    assert git("commit", "--quiet", "-m", "one").returncode == 0
    original.write_text(f"and {TOKEN}\n", encoding="utf-8")
    git("add", "-A")
    stopped = git("commit", "-m", "two")
    assert stopped.returncode == 1
    assert "raw/a.txt:1: error: holds a key or token" in stopped.stdout + stopped.stderr


def test_users_are_not_committed_even_when_somebody_insists(repository: Path, git: Git):
    add_user(repository / "notes", "bob", now=NOW)
    git("add", "-A")
    assert USERS not in git("diff", "--cached", "--name-only").stdout
    git("add", "--force", f"notes/{USERS}")
    stopped = git("commit", "-m", "one")
    assert stopped.returncode == 1
    assert f"{USERS}: error: is kept by git" in stopped.stdout + stopped.stderr


def test_the_hook_finds_citewiki_in_the_wikis_own_environment(repository: Path, git: Git):
    own = repository / "notes/.venv/bin"
    own.mkdir(parents=True)
    (own / "citewiki").write_text('#!/bin/sh\necho "own: $*"\nexit 1\n', encoding="utf-8")
    (own / "citewiki").chmod(0o755)
    git("add", "notes/mkdocs.yml")
    said = git("commit", "-m", "one")
    assert said.returncode == 1
    assert "own: lint --staged --quiet --wiki" in said.stdout + said.stderr


def test_the_hook_of_a_new_wiki_is_this_repositorys_own_and_can_be_run(repository: Path):
    own = REPOSITORY / HOOK
    assert (repository / "notes" / HOOK).read_bytes() == own.read_bytes()
    for hook in (own, repository / "notes" / HOOK):
        assert os.access(hook, os.X_OK)
    assert ".citewiki-private/" in (REPOSITORY / ".gitignore").read_text("utf-8").splitlines()
    assert ".citewiki-private/" in (repository / "notes/.gitignore").read_text("utf-8").splitlines()


def test_init_says_how_the_hook_is_switched_on(run: Run, tmp_path: Path):
    told = run("init", tmp_path / "new wiki").err
    assert switch_on(tmp_path / "new wiki") in told
    subprocess.run(switch_on(tmp_path / "new wiki"), shell=True, check=True)
    asked = ["git", "-C", str(tmp_path / "new wiki"), "config", "core.hooksPath"]
    assert subprocess.run(asked, capture_output=True, text=True).stdout == ".githooks\n"


def test_lint_tells_of_secrets_and_of_a_private_folder_that_others_could_read(
    run: Run, make_wiki: MakeWiki
):
    root = make_wiki({"wiki/a.md": f"# A\n\n{TOKEN}\n", "raw/a.txt": TOKEN})
    add_user(root, "bob", now=NOW)
    (root / USERS).chmod(0o644)
    ran = run("lint", "--wiki", root, "--json")
    told = {(problem["path"], problem["code"]): problem["severity"] for problem in ran.json}
    assert ran.status == 1
    assert told["wiki/a.md", "secret"] == "error"
    assert told[USERS, "private-readable"] == "warning"
    assert not any(path.startswith("raw/") for path, _ in told)
    (root / "pyproject.toml").write_text("[tool.citewiki.site]\npublish_raw = true\n", "utf-8")
    again = {
        (problem["path"], problem["code"]) for problem in run("lint", "--wiki", root, "--json").json
    }
    assert ("raw/a.txt", "secret") in again


def test_staged_without_a_repository_or_with_other_wishes_is_one_line(
    run: Run, make_wiki: MakeWiki
):
    root = make_wiki({"wiki/a.md": "# A\n"})
    assert run("lint", "--staged", "--fix", "--wiki", root).status == 2
    ran = run("lint", "--staged", "--wiki", root)
    assert (ran.status, ran.err.count("\n")) == (1, 1)
    assert "is in no git repository" in ran.err
