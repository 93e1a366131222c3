"""Users and their tokens: who a token acts for, and what becomes of it."""

from __future__ import annotations

import hashlib
import hmac
import json
import multiprocessing
import stat
from datetime import timedelta
from pathlib import Path

import pytest

from citewiki.errors import CitewikiError, UserError
from citewiki.model import Page
from citewiki.store.keys import KEYS, PRIVATE, USERS, cookie_keys, rotate_key
from citewiki.store.users import (
    Identity,
    add_user,
    authenticate,
    issue_token,
    known_users,
    load_users,
    remove_user,
    revoke_token,
)
from tests.conftest import NOW

LATER = NOW + timedelta(hours=1)


def issued(root: Path, user: str = "bob", name: str = "laptop", **how) -> str:
    if user not in load_users(root):
        add_user(root, user, now=NOW)
    return issue_token(root, user, name=name, now=NOW, **how)


def test_a_token_acts_for_its_user_and_is_kept_as_a_hash(tmp_path: Path):
    token = issued(tmp_path)
    assert token.startswith("cw_")
    assert len(token) == 46
    assert authenticate(tmp_path, token, now=NOW) == Identity("bob", "laptop", False)
    kept = (tmp_path / USERS).read_text("utf-8")
    assert token not in kept
    assert token[9:] not in kept
    assert hashlib.sha256(token.encode()).hexdigest() in kept
    assert load_users(tmp_path)["bob"].tokens[0].prefix == token[:9]


def test_files_of_users_and_keys_are_for_nobody_else_and_git_passes_them_over(tmp_path: Path):
    issued(tmp_path)
    cookie_keys(tmp_path)
    modes = {
        name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in (PRIVATE, USERS, KEYS)
    }
    assert modes == {PRIVATE: 0o700, USERS: 0o600, KEYS: 0o600}
    assert (tmp_path / PRIVATE / ".gitignore").read_text("utf-8") == "*\n"


def test_a_folder_that_others_could_read_is_closed_by_the_next_write(tmp_path: Path):
    issued(tmp_path)
    (tmp_path / PRIVATE).chmod(0o755)
    (tmp_path / USERS).chmod(0o644)
    issued(tmp_path, name="phone")
    assert stat.S_IMODE((tmp_path / PRIVATE).stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / USERS).stat().st_mode) == 0o600


def test_an_expired_a_revoked_and_a_removed_token_act_for_nobody(tmp_path: Path):
    short = issued(tmp_path, name="short", expires_at=LATER)
    lost = issued(tmp_path, name="lost")
    gone = issued(tmp_path, "eve", "gone")
    assert authenticate(tmp_path, short, now=LATER - timedelta(seconds=1)) is not None
    assert authenticate(tmp_path, short, now=LATER) is None
    revoke_token(tmp_path, "bob", "lost", now=NOW)
    assert authenticate(tmp_path, lost, now=NOW) is None
    remove_user(tmp_path, "eve")
    assert authenticate(tmp_path, gone, now=NOW) is None
    assert list(load_users(tmp_path)) == ["bob"]


def test_a_token_that_only_reads_says_so(tmp_path: Path):
    token = issued(tmp_path, read_only=True)
    assert authenticate(tmp_path, token, now=NOW) == Identity("bob", "laptop", True)


@pytest.mark.parametrize(
    "forge",
    [
        lambda token: token[:-1],
        lambda token: token + "A",
        lambda token: token[:-1] + ("A" if token[-1] != "A" else "B"),
        lambda token: token.upper(),
        lambda token: token.removeprefix("cw_"),
        lambda token: f" {token}",
        lambda token: f"{token}\n",
        lambda token: f"{token}\x00",
        lambda token: token[:20] + "é" + token[21:],
        lambda token: token[:20] + "\udc80" + token[21:],
        lambda token: token[:20] + "ａ" + token[21:],
        lambda token: token * 100_000,
        lambda token: hashlib.sha256(token.encode()).hexdigest(),
        lambda token: "cw_" + "A" * 43,
        lambda token: "cw_",
        lambda token: "",
    ],
)
def test_what_is_not_exactly_a_token_acts_for_nobody(tmp_path: Path, forge):
    assert authenticate(tmp_path, forge(issued(tmp_path)), now=NOW) is None


def test_a_token_is_compared_with_every_one_in_constant_time(tmp_path: Path, monkeypatch):
    tokens = [issued(tmp_path, user, name) for user in ("bob", "eve") for name in ("a", "b")]
    compared: list[str] = []
    real = hmac.compare_digest

    def watched(kept, given):
        compared.append(kept)
        return real(kept, given)

    monkeypatch.setattr(hmac, "compare_digest", watched)
    for token in (*tokens, "cw_" + "A" * 43):
        compared.clear()
        authenticate(tmp_path, token, now=NOW)
        assert len(compared) == 4


def test_the_last_use_is_noted_once_a_minute(tmp_path: Path):
    token = issued(tmp_path)

    def used():
        return load_users(tmp_path)["bob"].tokens[0].last_used_at

    assert used() is None
    authenticate(tmp_path, token, now=NOW)
    assert used() == NOW
    authenticate(tmp_path, token, now=NOW + timedelta(seconds=59))
    assert used() == NOW
    authenticate(tmp_path, token, now=NOW + timedelta(seconds=60))
    assert used() == NOW + timedelta(seconds=60)


@pytest.mark.parametrize(
    "name",
    ["", "*", "operator", "Anyone", "a b", "a/b", "..", "-x", ".x", "a\nb", "x" * 65, "a:b", "🙂"],
)
def test_what_is_no_name_is_refused_in_one_line(tmp_path: Path, name: str):
    with pytest.raises(UserError) as caught:
        add_user(tmp_path, name, now=NOW)
    assert "\n" not in str(caught.value)
    assert load_users(tmp_path) == {}


@pytest.mark.parametrize(
    ("first", "second"),
    [("bob", "Bob"), ("Nguyễn", "Nguyễn"), ("a.b", "a-b"), ("straße", "STRASSE")],
)
def test_two_names_that_could_be_taken_for_one_are_refused(tmp_path: Path, first, second):
    add_user(tmp_path, first, now=NOW)
    with pytest.raises(UserError, match="already"):
        add_user(tmp_path, second, now=NOW)


@pytest.mark.parametrize("name", ["bob", "Nguyễn.Văn", "李雷", "हिन्दी", "a@b-c_d.e", "7"])
def test_names_in_any_script_come_back_as_they_were_given(tmp_path: Path, name: str):
    token = issued(tmp_path, name)
    found = authenticate(tmp_path, token, now=NOW)
    assert found is not None
    assert found.user == name


def test_what_is_not_there_is_said_in_one_line(tmp_path: Path):
    issued(tmp_path)
    for wrong, said in [
        (lambda: issue_token(tmp_path, "Bob", name="x", now=NOW), "did you mean bob?"),
        (lambda: issue_token(tmp_path, "eve", name="x", now=NOW), "citewiki user add eve"),
        (lambda: issued(tmp_path, name="LAPTOP"), "has a token “LAPTOP” already"),
        (lambda: revoke_token(tmp_path, "bob", "x", now=NOW), "there is: “laptop”"),
        (lambda: issued(tmp_path, name="y", expires_at=NOW), "expired already"),
        (lambda: remove_user(tmp_path, "eve"), "no such user"),
    ]:
        with pytest.raises(UserError) as caught:
            wrong()
        assert said in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"version": 2, "users": []}',
        b'{"version": 1, "users": 7}',
        b'{"version": 1, "users": [{"name": "bob"}]}',
        b'{"version": 1, "users": [{"name": "*", "tokens": []}]}',
        b'{"version": 1, "users": [{"name": "a", "tokens": []}, {"name": "a", "tokens": []}]}',
        b'{"version": 1, "users": [{"name": "bob", "tokens": [{"sha256": "x"}]}]}',
        b"[" * 100_000,
    ],
)
def test_a_damaged_file_is_one_line_and_stays_as_it_is(tmp_path: Path, content: bytes):
    token = issued(tmp_path)
    (tmp_path / USERS).write_bytes(content)
    for use in (
        lambda: load_users(tmp_path),
        lambda: add_user(tmp_path, "eve", now=NOW),
        lambda: issue_token(tmp_path, "bob", name="x", now=NOW),
        lambda: revoke_token(tmp_path, "bob", "laptop", now=NOW),
        lambda: authenticate(tmp_path, token, now=NOW),
    ):
        with pytest.raises(CitewikiError) as caught:
            use()
        assert "\n" not in str(caught.value)
        assert USERS in str(caught.value)
    assert (tmp_path / USERS).read_bytes() == content


def add_some(root: str, letter: str, count: int) -> None:
    for number in range(count):
        add_user(Path(root), f"{letter}{number}", now=NOW)
        issue_token(Path(root), f"{letter}{number}", name="x", now=NOW)


def test_two_processes_that_add_users_at_once_lose_none(tmp_path: Path):
    context = multiprocessing.get_context("spawn")
    runs = [context.Process(target=add_some, args=(str(tmp_path), who, 10)) for who in "ab"]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    assert [run.exitcode for run in runs] == [0, 0]
    users = load_users(tmp_path)
    assert sorted(users) == sorted(f"{who}{number}" for who in "ab" for number in range(10))
    assert all(len(user.tokens) == 1 for user in users.values())


def test_a_user_that_another_process_wrote_is_seen_at_once(tmp_path: Path):
    issued(tmp_path)
    found = json.loads((tmp_path / USERS).read_text("utf-8"))
    found["users"].append({"name": "eve", "tokens": []})
    (tmp_path / USERS).write_text(json.dumps(found), "utf-8")
    assert list(load_users(tmp_path)) == ["bob", "eve"]


def test_keys_are_made_when_needed_and_the_last_two_stay(tmp_path: Path):
    (first,) = cookie_keys(tmp_path)
    assert cookie_keys(tmp_path) == [first]
    second, kept = rotate_key(tmp_path)
    assert kept == first
    third, kept = rotate_key(tmp_path)
    assert kept == second
    assert cookie_keys(tmp_path) == [third, second]
    assert min(map(len, (first, second, third))) == 64


def test_damaged_keys_are_one_line_and_not_made_anew(tmp_path: Path):
    cookie_keys(tmp_path)
    (tmp_path / KEYS).write_text('{"version": 1, "keys": ["short"]}', "utf-8")
    with pytest.raises(UserError, match="is damaged"):
        cookie_keys(tmp_path)
    assert (tmp_path / KEYS).read_text("utf-8") == '{"version": 1, "keys": ["short"]}'


def test_a_viewer_knows_the_people_on_pages_that_they_see(tmp_path: Path):
    pages = [
        Page("a.md", "a", "A", "", owner="ann", shared_with=("bob", "*")),
        Page("b.md", "b", "B", "", owner="eve", shared_with=("dan",)),
    ]
    assert known_users(pages, "bob") == ("ann", "bob")
    assert known_users(pages, "*") == ("ann", "bob")
    assert known_users(pages, None) == ("ann", "bob", "dan", "eve")
