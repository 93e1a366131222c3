"""What the server refuses, however it is asked."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from citewiki.server.patience import PatientProtocol
from citewiki.server.security import HEADERS, hostname, local_path, too_deep
from citewiki.server.site import file_at
from citewiki.store.pages import load_pages
from tests.server.web import bearer, client, listening, make_wiki, settings, token

MANY = 10_000
PATHS = (
    "/",
    "/health",
    "/login",
    "/ask",
    "/p/rag",
    "/p/none",
    "/api",
    "/api/pages",
    "/mcp",
    "/x/y",
)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_wiki(tmp_path_factory.mktemp("wiki"))


@pytest.fixture(scope="module")
def known(root: Path) -> str:
    """A token of bob."""
    return token(root, "bob")


@pytest.fixture(scope="module")
def web(root: Path) -> Iterator[TestClient]:
    with client(root, settings(hosts=("wiki.example",), calls_per_minute=MANY)) as found:
        yield found


# -- hosts and origins --------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["localhost", "localhost:8000", "127.0.0.1:81", "[::1]:8000", "WIKI.example"])  # fmt: skip
def test_it_answers_to_its_own_names(web: TestClient, host: str) -> None:
    assert web.get("/health", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "localhost@evil.example", "evil.example#localhost", "", "127.0.0.1.", "[::1", "localhost:x", "localhost, evil.example", "wiki.example/"],
)  # fmt: skip
def test_a_name_that_is_not_its_own_gets_nothing(web: TestClient, host: str) -> None:
    for path in PATHS:
        reply = web.get(path, headers={"host": host, "x-forwarded-host": "localhost"})
        assert reply.status_code == 421, path


def test_two_host_headers_are_none(root: Path) -> None:
    with listening(root) as port:
        sent = "GET /health HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
        assert said(port, sent).startswith(("HTTP/1.1 400", "HTTP/1.1 421"))


@pytest.mark.parametrize("site", ["cross-site", "same-site", "nonsense"])
def test_a_browser_on_another_site_writes_nothing(web: TestClient, known: str, site: str) -> None:
    for path in (
        "/login",
        "/logout",
        "/ask/stream",
        "/ask/forget",
        "/api/ask",
        "/api/pages",
        "/mcp",
    ):
        reply = web.post(path, headers={"sec-fetch-site": site, **bearer(known)})
        assert reply.status_code == 403, path


@pytest.mark.parametrize(
    "origin",
    ["https://evil.example", "null", "http://localhost.evil.example", "http://localhost:1", "x", "http://evil.example@localhost", "http://["],
)  # fmt: skip
def test_an_origin_that_is_not_its_own_writes_nothing(web: TestClient, origin: str) -> None:
    for path in ("/login", "/logout", "/api/ask", "/mcp"):
        assert web.post(path, headers={"origin": origin}).status_code == 403, path


def test_its_own_pages_and_programs_do_write(web: TestClient, known: str) -> None:
    own = {"origin": "http://localhost", "sec-fetch-site": "same-origin"}
    assert web.post("/logout", headers=own).status_code == 303
    assert web.post("/logout").status_code == 303
    asked = {"question": "When was RAG introduced?"}
    assert web.post("/api/ask", json=asked, headers=bearer(known)).status_code == 200


def test_a_link_of_another_site_asks_nothing_in_a_users_name(root: Path, known: str) -> None:
    with client(root) as web:
        web.post("/login", data={"token": known})
        question = "/ask?q=When+was+RAG+introduced"
        foreign = web.get(question, headers={"sec-fetch-site": "cross-site"}).text
        assert 'value="When was RAG introduced"' in foreign
        assert "2020" not in foreign
        assert "2020" in web.get(question, headers={"sec-fetch-site": "same-origin"}).text


# -- who somebody is ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    ["X-User-Id", "X-User", "X-Remote-User", "Remote-User", "X-Forwarded-User", "X-Auth-Request-User", "X-Citewiki-Viewer", "X-Api-Key"],
)  # fmt: skip
def test_no_other_header_says_who_somebody_is(web: TestClient, known: str, header: str) -> None:
    for value in ("bob", "alice", "operator", known):
        assert web.get("/p/plans", headers={header: value}).status_code == 404
    carol = {header: "alice", **bearer(known)}
    pages = web.get("/api/pages", params={"owner": "alice"}, headers=carol).json()["items"]
    assert {page["slug"] for page in pages} == {"rag", "plans"}  # bob's view, not alice's


def test_only_a_whole_known_token_is_one(web: TestClient, known: str, root: Path) -> None:
    with client(root, settings(logins_per_minute=100)) as web:
        for wrong in (known[:-1], known + "A", known.upper(), known[3:], "", "cw_", f"{known} x"):
            reply = web.get("/p/plans", headers={"authorization": f"Bearer {wrong}"})
            assert reply.status_code == 401, wrong
        twice = [("authorization", f"Bearer {known}"), ("authorization", "Bearer x")]
        assert web.get("/p/plans", headers=twice).status_code == 401
        assert web.get("/p/plans", headers={"authorization": known}).status_code == 404
        assert web.get(f"/p/plans?token={known}").status_code == 404
        assert web.get("/p/plans", headers=bearer(known)).status_code == 200


def test_what_is_hidden_is_missing_byte_for_byte(tmp_path: Path) -> None:
    from tests.server.web import FILES

    here = make_wiki(tmp_path / "with")
    gone = {path: text for path, text in FILES.items() if "plans" not in path}
    gone = make_wiki(tmp_path / "without", gone)
    asked = [
        "/p/plans", "/p/Plans", "/p/rag", "/p/vector-db", "/api/pages/plans", "/api/pages/rag", "/api/pages",
        "/api/pages?owner=alice", "/api/search?q=zeppelin", "/api/search?q=rag", "/ask?q=When+does+the+zeppelin+leave",
        "/ask?q=plans&mode=search", "/", "/ml/plans/", "/ml/plans.md",
    ]  # fmt: skip
    with client(here) as one, client(gone) as other:
        for path in asked:
            first, second = one.get(path), other.get(path)
            assert (first.status_code, first.text) == (second.status_code, second.text), path
            assert first.headers == second.headers, path
        question = {"question": "When does the zeppelin leave?"}
        answers = [each.post("/api/ask", json=question).json() for each in (one, other)]
        assert {**answers[0], "elapsed_ms": 0} == {**answers[1], "elapsed_ms": 0}


# -- paths and headers --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/../mkdocs.yml", "/..%2fmkdocs.yml", "/%2e%2e/mkdocs.yml", "/%252e%252e/mkdocs.yml", "/p/../../mkdocs.yml",
        "/p/..%2f..%2fmkdocs.yml", "/p/%2e%2e%2frag", "/p/..%5cwiki%5cml%5crag.md", "/p/ml%2frag.md", "/p/rag%00",
        "/_citewiki/../app.py", "/_citewiki/..%2fapp.py", "/_citewiki/%2e%2e%5capp.py", "/_citewiki/.hidden",
        "/.citewiki-private/users.json", "/.citewiki/index", "/.git/config", "//etc/passwd", "/etc/passwd", "/wiki/ml/rag.md",
        "/raw/manifest.jsonl", "/api/pages/..%2f..%2fmkdocs.yml", "/api/pages/%2e%2e", "/api/../.citewiki-private/keys.json",
    ],
)  # fmt: skip
def test_no_address_leads_out_of_what_is_served(root: Path, path: str) -> None:
    with listening(root) as port:
        reply = said(port, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert reply.split()[1] in ("400", "404", "503"), reply
    for secret in ("site_name", '"users"', '"keys"', "Fetch, then write", "import ", "root:"):
        assert secret not in reply.partition("<ul")[0]


def test_a_built_site_gives_out_its_own_files_only(tmp_path: Path) -> None:
    site = tmp_path / "bob" / "1"
    for name in ("index.html", "ml/rag/index.html", ".hidden", ".well-known/x", "a b.txt"):
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text("x")
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "index.html").write_text("secret")
    (site / "link.html").symlink_to(tmp_path / "alice" / "index.html")
    (site / "folder").symlink_to(tmp_path / "alice")
    served = {path: file_at(site, path) is not None for path in (
        "/", "/index.html", "/ml/rag/", "/a b.txt", "/ml", "/ml/", "/.hidden", "/.well-known/x", "/link.html",
        "/folder/", "/folder/index.html", "/../../alice/index.html", "/ml/../index.html", "//index.html",
        "/ml/./rag/", "/..", "/.", "", "/index.html/", "/index.html\0", "/" + "x" * 5000, "\\..\\alice", "/ml\\rag\\",
    )}  # fmt: skip
    assert [path for path, is_served in served.items() if is_served] == [
        "/", "/index.html", "/ml/rag/", "/a b.txt", "",
    ]  # fmt: skip


def test_nothing_that_is_asked_comes_back_as_a_header(root: Path, known: str) -> None:
    with listening(root) as port:
        for path in (
            "/ml/rag%0d%0aset-cookie:%20user=x",
            "/login?next=/%0d%0aset-cookie:%20user=x",
        ):
            reply = said(
                port, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            )
            assert "set-cookie" not in reply.partition("\r\n\r\n")[0].lower()
        body = f"token={known}&next=/x%0d%0aset-cookie:%20user=forged"
        reply = said(
            port,
            "POST /login HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}",
        )
        assert reply.startswith("HTTP/1.1 303")
        assert "forged" not in reply


def test_every_reply_says_what_browsers_must_not_do(web: TestClient) -> None:
    replies = [web.get(path) for path in PATHS] + [web.post("/p/rag"), web.get("/", headers={"host": "x"})]  # fmt: skip
    for reply in replies:
        for name in HEADERS:
            assert name in reply.headers, (reply.url, name)
        policy = reply.headers["content-security-policy"]
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-inline" not in policy
        assert reply.headers["cache-control"].startswith("private")


def test_a_fault_of_its_own_is_told_without_a_trace(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app_client = TestClient
    with client(root) as web:
        quiet = app_client(web.app, base_url="http://localhost", raise_server_exceptions=False)
        web.app.state.serving.opened.wiki = None  # type: ignore[attr-defined]
        reply = quiet.get("/p/rag")
    assert reply.status_code == 500
    assert "Traceback" not in reply.text
    assert "NoneType" not in reply.text
    assert reply.headers["content-security-policy"] == HEADERS["content-security-policy"]


# -- sizes, depths, slowness --------------------------------------------------------------------


def test_ten_megabytes_are_refused_whether_announced_or_not(root: Path, known: str) -> None:
    large = b'{"question": "' + b"x" * 10_000_000 + b'"}'
    with client(root) as web:
        for path in ("/api/ask", "/api/pages", "/mcp", "/login", "/ask/stream", "/nowhere"):
            sent = {"content-type": "application/json", **bearer(known)}
            assert web.post(path, content=large, headers=sent).status_code == 413, path

        def parts() -> Iterator[bytes]:  # no Content-Length: it is noticed on the way
            yield from (large[at : at + 65536] for at in range(0, len(large), 65536))

        assert web.post("/api/ask", content=parts(), headers=sent).status_code == 413


@pytest.mark.parametrize("body", ["[" * 10_000, '{"a":' * 10_000, "[" * 10_000 + "]" * 10_000, '{"question": ' + "[" * 10_000])  # fmt: skip
def test_json_nested_ten_thousand_deep_is_refused(web: TestClient, known: str, body: str) -> None:
    sent = {"content-type": "application/json; charset=utf-8", **bearer(known)}
    for path in ("/api/ask", "/api/pages", "/mcp"):
        assert web.post(path, content=body, headers=sent).status_code == 400, path


def test_brackets_in_texts_are_no_depth() -> None:
    assert not too_deep(json.dumps({"question": "[" * 5000 + '\\"' + "{" * 5000}).encode())
    assert not too_deep(b"[[],[],{}]" * 1000)
    assert too_deep(b"[" * 65)
    assert too_deep(b'"closed" ' + b"[" * 65)
    assert not too_deep(b'"open ' + b"[" * 65)
    assert not too_deep(b'"' + b'\\"' * 1_000_000)  # and it does not take quadratic time


class Hasty(PatientProtocol):
    head_seconds = 0.2


def test_a_head_that_never_ends_is_not_waited_for(root: Path) -> None:
    with listening(root, protocol=Hasty) as port:
        for sent in ("", "GET / HT", "GET /health HTTP/1.1\r\nHost: localhost\r\nX: "):
            assert said(port, sent) == ""
        with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
            line.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert line.recv(65536).startswith(b"HTTP/1.1 200")
            line.sendall(b"GET /health HTTP/1.1\r\nX: ")  # the second one on a connection
            while part := line.recv(65536):
                assert b"HTTP/1.1" not in part


def test_a_body_that_never_ends_is_not_waited_for(root: Path) -> None:
    with listening(root, body_seconds=0.2) as port:
        sent = (
            "POST /api/ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            'Content-Length: 100\r\n\r\n{"question": '
        )
        assert said(port, sent).startswith("HTTP/1.1 408")


def test_calls_are_limited_by_user_with_the_seconds_to_wait(root: Path, known: str) -> None:
    with client(root, settings(calls_per_minute=3)) as web:
        for _ in range(3):
            assert web.get("/api/pages", headers=bearer(known)).status_code == 200
        reply = web.get("/api/pages", headers=bearer(known))
        assert reply.status_code == 429
        assert reply.headers["content-type"] == "application/problem+json"
        assert int(reply.headers["retry-after"]) == reply.json()["seconds"] > 0
        assert web.get("/ask?q=anything", headers=bearer(known)).status_code == 429
        assert web.get("/api/pages").status_code == 200  # somebody else's calls
        assert web.get("/p/rag", headers=bearer(known)).status_code == 200


# -- what pages hold ----------------------------------------------------------------------------


def test_nothing_in_a_page_acts(web: TestClient) -> None:
    shown = web.get("/p/rag").text
    text = shown.partition('<div class="text">')[2].partition("<footer>")[0]
    assert "Patrick Lewis" in text
    for acting in ("<script", "onerror", "javascript:", "<form", "stolen"):
        assert acting not in text


def test_what_is_asked_is_shown_as_text(web: TestClient) -> None:
    attack = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    for path in ("/ask", "/login", "/p/rag", "/api/pages", "/none"):
        fields = dict.fromkeys(("q", "next", "domain", "as_of", "quote", "mode"), attack)
        shown = web.get(path, params=fields).text
        assert "<script>alert" not in shown
        assert "<img src=x" not in shown
    streamed = web.post("/ask/stream", data={"question": attack}).text
    assert "<script>alert" not in json.loads(streamed.splitlines()[-1]).get("html", "")


def test_refusing_writes_nothing(web: TestClient, root: Path) -> None:
    before = load_pages(root / "wiki")
    page = {"title": "Mine", "body": "Text."}
    assert web.post("/api/pages", json=page).status_code == 401
    assert web.post("/api/pages", json=page, headers={"x-user-id": "bob"}).status_code == 401
    reader = token(root, "bob", "reader", read_only=True)
    assert web.post("/api/pages", json=page, headers=bearer(reader)).status_code == 403
    assert load_pages(root / "wiki") == before


# -- small parts --------------------------------------------------------------------------------


def test_names_of_hosts() -> None:
    assert hostname("Example.org:80") == "example.org"
    assert hostname("[::1]:80") == "[::1]"
    assert [hostname(odd) for odd in ("a b", "a:b", "a/b", "ä.example", "[::1", "")] == [""] * 6


def test_paths_of_this_server() -> None:
    assert local_path("/p/x?a=b#c") == "/p/x?a=b#c"
    assert [local_path(odd) for odd in ("//x", "x", "", "/\\x", "/\n", "http:/x")] == ["/"] * 6


def said(port: int, sent: str) -> str:
    """What the server answers to exactly that, until it closes or is silent for long."""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as line:
        line.sendall(sent.encode())
        found = b""
        try:
            while part := line.recv(65536):
                found += part
        except ConnectionResetError:
            pass
        return found.decode("utf-8", "replace")
