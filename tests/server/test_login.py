"""Sessions: a token buys a signed cookie, and the cookie is worth no more than the token."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from itsdangerous import URLSafeTimedSerializer
from starlette.testclient import TestClient

from citewiki.store.keys import cookie_keys, rotate_key
from citewiki.store.users import remove_user, revoke_token
from tests.server.web import NOW, bearer, client, make_wiki, settings, token


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_wiki(tmp_path)


def log_in(web: TestClient, known: str) -> str:
    """Log in; the cookie's value."""
    reply = web.post("/login", data={"token": known})
    assert reply.status_code == 303
    return web.cookies["user"]


def reads_plans(web: TestClient) -> bool:
    """Whether the page that alice shares with bob is there."""
    return web.get("/p/plans").status_code == 200


def test_a_token_logs_in_and_logging_out_ends_it(root: Path) -> None:
    with client(root) as web:
        assert not reads_plans(web)
        reply = web.post("/login", data={"token": token(root, "bob"), "next": "/p/plans?a=b"})
        assert (reply.status_code, reply.headers["location"]) == (303, "/p/plans?a=b")
        assert reads_plans(web)
        assert "bob" in web.get("/ask").text
        assert web.post("/logout").status_code == 303
        assert "user" not in web.cookies
        assert not reads_plans(web)


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(root: Path) -> None:
    known = token(root, "bob")
    with client(root) as web:
        flags = web.post("/login", data={"token": known}).headers["set-cookie"].lower()
    assert "httponly" in flags
    assert "samesite=lax" in flags
    assert "max-age=2592000" in flags
    assert "path=/" in flags
    assert "secure" not in flags
    with client(root, url="https://wiki.example") as web:  # a proxy in front speaks TLS
        assert "; secure" in web.post("/login", data={"token": known}).headers["set-cookie"].lower()


def test_the_cookie_holds_neither_the_token_nor_anything_to_make_it_from(root: Path) -> None:
    known = token(root, "bob")
    with client(root) as web:
        assert known not in log_in(web, known)


def test_a_token_that_does_not_work_is_told_from_no_other(root: Path) -> None:
    expired = token(root, "bob", "old", expires_at=NOW + timedelta(days=1))
    revoked = token(root, "bob", "lost")
    revoke_token(root, "bob", "lost", now=NOW)
    wrong = ["cw_", "x", "", "cw_" + "A" * 43, expired, revoked, "é" * 50, "a" * 9000]
    later = NOW + timedelta(days=2)
    with client(root, settings(logins_per_minute=100), now=lambda: later) as web:
        replies = [web.post("/login", data={"token": each}) for each in wrong]
    assert {reply.status_code for reply in replies} == {401}
    assert len({reply.text for reply in replies}) == 1
    assert all("set-cookie" not in reply.headers for reply in replies)


def test_failed_logins_are_limited_by_address_and_lock_out_nobody_else(root: Path) -> None:
    known = token(root, "bob")
    with client(root, settings(logins_per_minute=3)) as web:
        for _ in range(3):
            assert web.post("/login", data={"token": "cw_wrong"}).status_code == 401
        reply = web.post("/login", data={"token": "cw_wrong"})
        assert reply.status_code == 429
        assert 1 <= int(reply.headers["retry-after"]) <= 60
        assert web.get("/api/pages", headers=bearer("cw_wrong")).status_code == 429
        assert web.get("/api/pages", headers=bearer(known)).status_code == 200
        assert web.post("/login", data={"token": known}).status_code == 303


def test_wrong_tokens_of_programs_count_as_failed_logins(root: Path) -> None:
    with client(root, settings(logins_per_minute=2)) as web:
        replies = [web.get("/mcp", headers=bearer("cw_wrong")) for _ in range(3)]
    assert [reply.status_code for reply in replies] == [401, 401, 429]
    assert replies[0].headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "next_",
    ["//evil.example", "https://evil.example", "/\\evil.example", "\\/evil.example", "/\tx", "/\r\nx: y", "", "javascript:alert(1)", "/\u202eevil"],
)  # fmt: skip
def test_logging_in_leads_nowhere_else(root: Path, next_: str) -> None:
    with client(root) as web:
        reply = web.post("/login", data={"token": token(root, "bob"), "next": next_})
        assert (reply.status_code, reply.headers["location"]) == (303, "/")
        assert 'name="next" value="/"' in web.get("/login", params={"next": next_}).text


def test_a_session_ends_with_its_token_and_with_its_user(root: Path) -> None:
    with client(root) as web:
        log_in(web, token(root, "bob"))
        assert reads_plans(web)
        revoke_token(root, "bob", "laptop", now=NOW)
        assert not reads_plans(web)
        log_in(web, token(root, "bob"))  # of the same name: another token all the same
        assert reads_plans(web)
        remove_user(root, "bob")
        assert not reads_plans(web)


def test_a_session_does_not_live_on_in_a_new_token_of_the_same_name(root: Path) -> None:
    with client(root) as web:
        log_in(web, token(root, "bob"))
        revoke_token(root, "bob", "laptop", now=NOW)
        token(root, "bob")
        assert not reads_plans(web)


def test_a_session_lasts_no_longer_than_thirty_days_or_its_token(root: Path) -> None:
    signed = datetime.now(UTC)  # the signature bears the real time
    moment = [signed]
    short = token(root, "bob", "short", expires_at=signed + timedelta(days=2))
    for known, days in ((token(root, "bob"), 30), (short, 2)):
        with client(root, now=lambda: moment[0]) as web:
            moment[0] = signed
            log_in(web, known)
            moment[0] = signed + timedelta(days=days, minutes=-5)
            assert reads_plans(web)
            moment[0] = signed + timedelta(days=days, minutes=5)
            assert not reads_plans(web)


def test_keys_are_rotated_without_ending_sessions_at_once(root: Path) -> None:
    with client(root) as web:
        log_in(web, token(root, "bob"))
        rotate_key(root)
        assert reads_plans(web)
        rotate_key(root)  # the key that signed is gone
        assert not reads_plans(web)


def test_no_forged_cookie_is_believed(root: Path) -> None:
    known = token(root, "bob")
    with client(root) as web:
        good = log_in(web, known)
        assert reads_plans(web)
        web.cookies.clear()
        payload, stamp, signature = good.rsplit(".", 2)
        other_key = URLSafeTimedSerializer(
            "k" * 64, salt="citewiki.cookie", signer_kwargs={"key_derivation": "hmac"}
        )
        key = cookie_keys(root)[0]
        plain = URLSafeTimedSerializer(key)  # the key itself, but another purpose
        forged = [
            good[:-1], good[1:], good[: len(good) // 2], payload, f"{payload}.{stamp}",
            f"{payload}.{stamp}.", f"{payload}..{signature}", f"{payload}.AAAA.{signature}",
            good[:-1] + ("A" if good[-1] != "A" else "B"), "bob", "", ".", "..", "a.b.c", "x" * 4000,
            other_key.dumps(["bob", "laptop", "0" * 64]), plain.dumps(["bob", "laptop", "0" * 64]),
        ]  # fmt: skip
        for cookie in forged:
            reply = web.get("/p/plans", headers={"cookie": f"user={cookie}"})
            assert reply.status_code == 404, cookie
        assert web.get("/p/plans", headers={"cookie": f"user={good}"}).status_code == 200


def test_a_signed_cookie_of_another_shape_is_nobodys(root: Path) -> None:
    signer = URLSafeTimedSerializer(
        cookie_keys(root)[0],
        salt="citewiki.cookie",
        signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"},
    )
    with client(root) as web:
        for value in (None, [], ["bob"], "bob", ["bob", "laptop", 7], [None, None, None], {}):
            cookie = f"user={signer.dumps(value)}"
            assert web.get("/p/plans", headers={"cookie": cookie}).status_code == 404


def test_a_read_only_token_may_log_in(root: Path) -> None:
    with client(root) as web:
        log_in(web, token(root, "bob", read_only=True))
        assert reads_plans(web)


def test_a_cookie_counts_for_nothing_at_mcp(root: Path) -> None:
    with client(root) as web:
        log_in(web, token(root, "bob"))
        assert web.post("/mcp", json={}).status_code == 401
