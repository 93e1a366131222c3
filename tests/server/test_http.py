"""The server as people and programs use it: pages, questions, the API, the built site."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import time
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from citewiki.model import as_json
from citewiki.server.marking import marked
from citewiki.store.files import write_atomic
from citewiki.store.keys import PRIVATE
from citewiki.wiki import Wiki
from tests.conftest import write_files
from tests.server.web import FILES, NOW, bearer, client, make_wiki, settings, token

REPOSITORY = Path(__file__).parents[2]
QUESTION = "When was RAG introduced?"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_wiki(tmp_path)


@pytest.fixture
def web(root: Path) -> Iterator[TestClient]:
    with client(root) as found:
        yield found


@pytest.fixture
def bob(root: Path) -> dict[str, str]:
    """The header by which bob is known."""
    return bearer(token(root, "bob"))


# -- pages --------------------------------------------------------------------------------------


def test_a_page_shows_its_state_its_links_and_what_links_to_it(
    web: TestClient, bob: dict[str, str]
) -> None:
    shown = web.get("/p/vector-db", headers=bob).text
    assert "<h1" in shown
    assert '<a class="wikilink" href="../p/rag"' in shown
    foot = shown.partition("<footer>")[2]
    assert '<a href="../p/rag">RAG</a>' in foot
    assert "It needs a Vector DB and Plans." in foot
    shown = web.get("/p/rag", headers=bob).text
    assert "Verified 1 May 2026" in shown
    assert "#retrieval" in shown
    assert 'id="cost"' in shown
    assert 'href="../p/plans"' in shown
    assert 'class="missing"' in web.get("/p/rag").text  # to who may not see the page


def test_a_page_that_no_longer_holds_says_so_first(root: Path, web: TestClient) -> None:
    write_files(
        root, {"wiki/old.md": "---\ntitle: Old\nvalid_until: 2026-01-01\n---\nIt was so.\n"}
    )
    shown = web.get("/p/old").text
    assert shown.index("held until 1 Jan 2026") < shown.index("It was so.")


def test_a_page_is_sent_again_only_when_it_has_changed(root: Path, web: TestClient) -> None:
    first = web.get("/p/rag")
    again = web.get("/p/rag", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert first.headers["cache-control"] == "private, no-cache"
    assert "Cookie" in first.headers["vary"]
    changed = FILES["wiki/ml/rag.md"].replace("2020", "2021")
    write_atomic(root / "wiki/ml/rag.md", changed)
    assert "in 2021" in web.get("/p/rag", headers={"if-none-match": first.headers["etag"]}).text


def test_what_another_process_writes_is_there_at_once(root: Path, web: TestClient) -> None:
    assert web.get("/p/new").status_code == 404
    write_files(root, {"wiki/new.md": "# New\n\nJust written.\n"})
    assert "Just written." in web.get("/p/new").text
    assert "new" in {item["slug"] for item in web.get("/api/pages").json()["items"]}


def test_quoted_words_are_marked_where_they_stand(web: TestClient) -> None:
    shown = web.get("/p/rag", params={"quote": 'A call of "RAG" costs two cents - no more.'}).text
    assert '<mark id="quote">A call of “RAG” costs </mark><em><mark>two</mark></em>' in shown
    assert "<mark" not in web.get("/p/rag", params={"quote": "words of no page"}).text


@pytest.mark.parametrize(
    ("html", "quote", "expected"),
    [
        ("<p>One two three.</p>", "two", '<p>One <mark id="quote">two</mark> three.</p>'),
        ("<p>One\n two</p>", "One two", '<p><mark id="quote">One\n two</mark></p>'),
        ("<p>a</p>\n<p>b</p>", "a b", '<p><mark id="quote">a</mark></p>\n<p><mark>b</mark></p>'),
        ("<p>a &lt;b&gt;</p>", "a <b>", '<p><mark id="quote">a &lt;b&gt;</mark></p>'),
        ("<p>检索增强生成</p>", "增强", '<p>检索<mark id="quote">增强</mark>生成</p>'),
        ("<p>ﬁne</p>", "fine", '<p><mark id="quote">ﬁne</mark></p>'),
        ("<p>a</p>", "", "<p>a</p>"),
        ("", "a", ""),
    ],
)
def test_marking(html: str, quote: str, expected: str) -> None:
    assert marked(html, quote) == expected


# -- questions ----------------------------------------------------------------------------------


def test_a_question_is_answered_without_script_and_its_citation_opens_the_place(
    web: TestClient,
) -> None:
    shown = web.get("/ask", params={"q": QUESTION}).text
    assert "RAG was introduced in 2020 by Patrick Lewis." in shown
    link = unescape(re.search(r'<li id="cited-1"><a href="([^"]+)"', shown)[1])  # type: ignore[index]
    address, _, fragment = link.partition("#")
    assert fragment.startswith("quote:~:text=RAG%20was%20introduced")
    assert '<mark id="quote">RAG was introduced in 2020' in web.get(address).text


def test_a_refusal_shows_what_to_do_next_as_buttons_that_work(web: TestClient) -> None:
    shown = web.get("/ask", params={"q": "Who won the cup in Peru?", "domain": "ml"}).text
    assert "No answer" in shown
    buttons = dict(re.findall(r'<a class="button[^"]*" href="([^"]+)">([^<]+)</a>', shown))
    words = {words: unescape(href) for href, words in buttons.items()}
    assert set(words) == {"Ask in all domains", "Search the wiki for these words"}
    assert 'name="domain" value=""' in web.get(words["Ask in all domains"]).text
    found = web.get("/ask", params={"q": "zeppelin vectors", "mode": "search"}).text
    assert '<a href="/p/vector-db">Vector DB</a>' in found
    assert "Plans" not in found


def test_every_kind_of_refusal_has_its_own_next_step(root: Path, web: TestClient) -> None:
    write_files(
        root,
        {
            "wiki/old.md": "---\ntitle: Fee\nvalid_until: 2026-01-01\n---\nThe fee is 5 euros.\n",
            "wiki/a.md": "---\ntitle: Tower A\n---\nThe Tower of Foo is 90 metres tall.\n",
            "wiki/b.md": "---\ntitle: Tower B\n---\nThe Tower of Foo is 80 metres tall.\n",
        },
    )
    stale = web.get("/ask", params={"q": "What is the fee?"}).text
    assert "Answer all the same" in stale
    again = unescape(re.search(r'href="([^"]+allow_stale=1[^"]*)"', stale)[1])  # type: ignore[index]
    answered = web.get(again).text
    assert "The fee is 5 euros." in answered
    assert "held until" in answered
    conflict = web.get("/ask", params={"q": "How tall is the Tower of Foo?"}).text
    assert "Take what holds since later" in conflict


def test_a_wrong_form_says_what_is_wrong(web: TestClient) -> None:
    reply = web.get("/ask", params={"q": QUESTION, "as_of": "yesterday"})
    assert reply.status_code == 400
    assert "as_of" in reply.text
    assert "2026-05-12" in reply.text
    assert web.get("/ask", params={"q": "x" * 5000}).status_code == 400
    assert web.get("/ask", params={"q": QUESTION, "known_at": "2999-01-01"}).status_code == 400


def test_a_question_of_a_day_is_answered_from_what_held_then(root: Path, web: TestClient) -> None:
    page = "---\ntitle: Fee\nvalid_from: 2025-01-01\nvalid_until: 2026-01-01\n---\nThe fee is 5 euros.\n"
    write_files(root, {"wiki/old.md": page})
    fields = {"q": "What is the fee?", "as_of": "2025-06-01"}
    assert "The fee is 5 euros." in web.get("/ask", params=fields).text


def test_the_answer_streams_in_by_stages(web: TestClient) -> None:
    with web.stream("POST", "/ask/stream", data={"question": QUESTION}) as reply:
        lines = [json.loads(line) for line in reply.iter_lines()]
    assert [line["stage"] for line in lines] == ["searching", "reading", "judged", "done"]
    assert "RAG" in lines[1]["what"]
    assert "Plans" not in str(lines)  # what nobody known may not see is not read either
    assert lines[2]["what"] == ["RAG was introduced in 2020 by Patrick Lewis."]
    assert "cited-1" in lines[3]["html"]
    with web.stream("POST", "/ask/stream", data={"question": ""}) as reply:
        assert [json.loads(line)["stage"] for line in reply.iter_lines()] == ["failed"]


def test_what_a_user_has_asked_is_kept_for_them_alone_and_forgotten_when_they_say_so(
    root: Path, web: TestClient
) -> None:
    bob, alice = bearer(token(root, "bob")), bearer(token(root, "alice"))
    reader = bearer(token(root, "bob", "reader", read_only=True))
    web.get("/ask", params={"q": QUESTION})
    assert not (root / PRIVATE / "history").exists()  # of nobody known nothing is kept
    web.get("/ask", params={"q": "What is kept by a reader?"}, headers=reader)
    web.get("/ask", params={"q": QUESTION}, headers=bob)
    streamed = web.post("/ask/stream", data={"question": "What does a call cost?"}, headers=bob)
    assert ">What does a call cost?</a>" in json.loads(streamed.text.splitlines()[-1])["past"]
    web.get("/ask", params={"q": QUESTION}, headers=bob)
    past = web.get("/ask", headers=bob).text.partition("What you have asked")[2]
    assert re.findall(r'"/ask\?q=[^"]+">([^<]+)<', past) == [QUESTION, "What does a call cost?"]
    assert QUESTION not in web.get("/ask", headers=alice).text
    assert QUESTION not in web.get("/ask").text
    (kept,) = (root / PRIVATE / "history").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    web.post("/ask/forget", headers=reader)
    assert kept.exists()
    assert web.post("/ask/forget", headers=bob).status_code == 303
    assert not kept.exists()


def test_models_and_the_web_work_for_users_only(root: Path) -> None:
    from citewiki.llm.scripted import ScriptedEngine
    from citewiki.server.mcp.session import Engines

    called: list[str] = []

    def answers() -> Any:
        called.append("model")
        return ScriptedEngine([])

    engines = Engines(answers=answers, searches=lambda: called.append("web"))  # type: ignore[arg-type, func-returns-value]
    with client(root, settings(model_calls=1), engines=engines) as web:
        assert web.post("/api/ask", json={"question": QUESTION}).json()["status"] == "answered"
        assert web.post("/api/ask", json={"question": QUESTION, "web": True}).status_code == 400
        assert called == []
        bob = bearer(token(root, "bob"))
        assert "Ask the web" in web.get("/ask", headers=bob).text
        with web.app.state.serving.limits.model_call():  # type: ignore[attr-defined]
            reply = web.post("/api/ask", json={"question": QUESTION}, headers=bob)
        assert (reply.status_code, called) == (429, ["model"])
        assert "busy" in reply.json()["detail"]


# -- the API ------------------------------------------------------------------------------------


def test_the_api_answers_as_the_library_does(root: Path, web: TestClient) -> None:
    reply = web.post("/api/ask", json={"question": QUESTION, "depth": 1}).json()
    said = as_json(Wiki.open(root, viewer="*").ask(QUESTION, depth=1, now=NOW))
    assert {**reply, "elapsed_ms": 0} == {**said, "elapsed_ms": 0}
    found = web.get("/api/search", params={"q": "vectors"}).json()
    assert found == as_json(Wiki.open(root, viewer="*").search("vectors"))


def test_a_page_names_its_owner_and_readers_to_its_owner_only(root: Path, web: TestClient) -> None:
    alice, bob = bearer(token(root, "alice")), bearer(token(root, "bob"))
    assert web.get("/api/pages/plans", headers=alice).json()["shared_with"] == ["bob"]
    page = web.get("/api/pages/plans", headers=bob).json()
    assert page["title"] == "Plans"
    assert page["backlinks"] == [{"slug": "rag", "title": "RAG"}]
    assert not {"owner", "shared_with", "problems"} & page.keys()
    assert web.get("/api/pages/plans").json()["status"] == 404


def test_pages_are_listed_in_parts(web: TestClient) -> None:
    first = web.get("/api/pages", params={"limit": 1}).json()
    assert (first["total"], first["next_offset"], len(first["items"])) == (2, 1, 1)
    rest = web.get("/api/pages", params={"limit": 1, "offset": 1}).json()
    assert rest["next_offset"] is None
    assert {first["items"][0]["slug"], rest["items"][0]["slug"]} == {"rag", "vector-db"}


@pytest.mark.parametrize(
    ("method", "path", "sent", "status", "fault"),
    [
        ("POST", "/api/ask", {"json": {}}, 422, "question"),
        ("POST", "/api/ask", {"json": {"question": "x", "depth": 9}}, 422, "depth"),
        ("POST", "/api/ask", {"json": {"question": "x", "viewer": "alice"}}, 422, "viewer"),
        ("POST", "/api/ask", {"json": {"question": "  "}}, 400, "empty"),
        ("POST", "/api/ask", {"json": []}, 422, ""),
        ("POST", "/api/ask", {"content": b"{", "headers": {"content-type": "application/json"}}, 422, "JSON"),
        ("POST", "/api/ask", {"content": b"\xff", "headers": {"content-type": "application/json"}}, 422, "JSON"),
        ("POST", "/api/ask", {"data": {"question": "x"}}, 415, "JSON"),
        ("GET", "/api/search", {}, 422, "q"),
        ("GET", "/api/search?q=x&limit=many", {}, 422, "limit"),
        ("GET", "/api/pages?offset=-1", {}, 422, "offset"),
        ("GET", "/api/pages/none", {}, 404, "no such page"),
        ("GET", "/api/none", {}, 404, ""),
        ("DELETE", "/api/pages", {}, 405, ""),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told_as_problem_details(
    web: TestClient, method: str, path: str, sent: dict[str, Any], status: int, fault: str
) -> None:
    reply = web.request(method, path, **sent)
    assert reply.status_code == status
    assert reply.headers["content-type"] == "application/problem+json"
    problem = reply.json()
    assert problem["status"] == status
    assert fault in problem["detail"]


def test_the_description_of_the_api_is_true(root: Path, web: TestClient) -> None:
    alice = bearer(token(root, "alice"))
    described = web.get("/api/openapi.json").json()
    assert described["openapi"].startswith("3.1")

    def check(method: str, path: str, at: str, **sent: Any) -> None:
        reply = web.request(method, at, headers=alice, **sent)
        of = described["paths"][path][method.lower()]["responses"][str(reply.status_code)]
        (schema,) = [each["schema"] for each in of["content"].values()]
        assert list(of["content"]) == [reply.headers["content-type"]]
        Draft202012Validator({**schema, "components": described["components"]}).validate(
            reply.json()
        )

    check("POST", "/api/ask", "/api/ask", json={"question": QUESTION})
    check("POST", "/api/ask", "/api/ask", json={"question": "Who won the cup in Peru?"})
    check("POST", "/api/ask", "/api/ask", json={"question": 7})
    check("GET", "/api/search", "/api/search?q=rag")
    check("GET", "/api/search", "/api/search")
    check("GET", "/api/pages", "/api/pages?limit=1")
    check("GET", "/api/pages/{slug}", "/api/pages/rag")
    check("GET", "/api/pages/{slug}", "/api/pages/none")
    check("POST", "/api/pages", "/api/pages", json={"title": "A", "body": "B."})
    check("POST", "/api/pages", "/api/pages", json={"title": ""})
    for name, schema in described["components"]["schemas"].items():
        Draft202012Validator.check_schema(schema)
        assert name
    for path in described["paths"]:
        assert path in web.get("/api").text


def test_a_page_is_saved_for_its_author_and_merged_when_saved_again(
    root: Path, web: TestClient
) -> None:
    bob, alice = bearer(token(root, "bob")), bearer(token(root, "alice"))
    page = {"title": "Diary", "body": "It rained in Rome.", "domain": "notes", "tags": ["rain"]}
    made = web.post("/api/pages", json=page, headers=bob)
    assert (made.status_code, made.json()["action"]) == (201, "created")
    slug = made.json()["slug"]
    assert "It rained in Rome." in web.get(f"/p/{slug}", headers=bob).text
    for others in (alice, {}):
        assert web.get(f"/p/{slug}", headers=others).status_code == 404
    same = web.post("/api/pages", json=page, headers=bob)
    assert (same.status_code, same.json()["action"]) == (200, "unchanged")
    longer = {**page, "body": "It rained in Rome.\n\nThen the sun came out."}
    merged = web.post("/api/pages", json=longer, headers=bob)
    assert (merged.status_code, merged.json()["slug"]) == (200, slug)
    assert "Then the sun came out." in web.get(f"/p/{slug}", headers=bob).text


# -- the built site -----------------------------------------------------------------------------


@pytest.fixture
def whole(root: Path) -> Path:
    """The wiki with what MkDocs needs."""
    shutil.copy(REPOSITORY / "mkdocs.yml", root)
    shutil.copytree(REPOSITORY / "hooks", root / "hooks")
    return root


def until(is_so: Callable[[], bool], what: str) -> None:
    """Wait for what another process does."""
    end = time.monotonic() + 60
    while not is_so():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def is_built(web: TestClient, address: str, **more: Any) -> bool:
    return web.get(address, **more).status_code != 503


def test_each_viewer_gets_a_site_of_their_own_that_never_shows_what_is_hidden(whole: Path) -> None:
    bob = bearer(token(whole, "bob"))
    (whole / "wiki/ml/large.mp4").write_bytes(b"film" * 1_100_000)
    write_files(whole, {"wiki/ml/film.md": "# Film\n\n![[large.mp4]]\n"})
    with client(whole) as web:
        meanwhile = web.get("/")
        assert "The site is being built" in meanwhile.text
        assert '<a href="/p/rag">RAG</a>' in meanwhile.text
        assert web.get("/ml/rag/").status_code == 503
        until(lambda: is_built(web, "/ml/rag/", headers=bob), "bob's site")
        until(lambda: is_built(web, "/ml/rag/"), "everybody's site")
        assert "leaves in 2031" in web.get("/ml/plans/", headers=bob).text
        assert web.get("/ml/plans/").status_code == 404
        for address in ("/", "/ml/rag/", "/graph.json", "/search/search_index.json", "/llms.txt"):
            assert "zeppelin" not in web.get(address).text.lower()
        page = web.get("/ml/rag/", headers=bob)
        for acting in ("stolen", "<form action", "free</button>"):
            assert acting not in page.text
        policy = page.headers["content-security-policy"]
        assert "script-src http://localhost/assets/ 'sha256-" in policy
        assert "'unsafe-inline'" not in policy.replace("style-src-attr 'unsafe-inline'", "")
        assert web.get("/ml/rag").headers["location"] == "/ml/rag/"
        worker, data = web.get("/assets/search.js"), web.get("/graph.json")
        assert "connect-src 'self'" in worker.headers["content-security-policy"]
        assert "script-src" not in data.headers["content-security-policy"]  # nothing in it acts
        first = web.get("/ml/large.mp4", headers={"range": "bytes=0-9"})
        assert (first.status_code, len(first.content)) == (206, 10)
        for film in (whole / ".citewiki/site/served").rglob("large.mp4"):
            os.utime(film, (1, 1))  # as if it had been built at another time
        assert web.get("/ml/large.mp4", headers={"range": "bytes=0-9"}).headers == first.headers
        tag = page.headers["etag"]
        again = {**bob, "if-none-match": tag}
        assert web.get("/ml/rag/", headers=again).status_code == 304
        assert web.get("/ml/rag/", headers={"if-none-match": tag}).status_code in (200, 304)
        private = FILES["wiki/ml/plans.md"].replace("[bob]", "[]")
        write_atomic(whole / "wiki/ml/plans.md", private)
        assert web.get("/ml/plans/", headers=bob).status_code == 503  # the old one is not shown
        assert "Plans" not in web.get("/", headers=bob).text
        until(lambda: is_built(web, "/ml/rag/", headers=bob), "bob's site")
        assert web.get("/ml/plans/", headers=bob).status_code == 404
        assert "zeppelin" not in web.get("/search/search_index.json", headers=bob).text


def test_a_site_that_cannot_be_built_leaves_its_pages_readable(whole: Path) -> None:
    (whole / "hooks/citewiki_hooks.py").write_text("# knows of no viewers\n")
    with client(whole) as web:
        assert "could not be built" in web.get("/").text
        assert web.get("/p/rag").status_code == 200
    assert not (whole / ".citewiki/site/served").exists()
