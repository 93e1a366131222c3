"""Pages from the web: a scripted search, and pages from a server on this machine."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from ddgs.exceptions import DDGSException, RatelimitException, TimeoutException

from citewiki.errors import SourceError
from citewiki.model import Section, Source
from citewiki.query.pack import pack
from citewiki.query.question import question
from citewiki.query.quotes import cite, locate
from citewiki.query.retrieve import retrieve
from citewiki.query.web import Found, WebPages, is_web, search_failure, web_index, web_pages
from citewiki.sources.fetch import read_url

ARTICLE = """<html><head><title>The tower</title></head><body><nav>Home | Shop</nav><article>
<h1>The tower</h1><p>The tower was finished in 1889 and is 330 m tall. {more}</p>
<h2>Visitors</h2><p>Seven million people visit it every year. {more}</p>
</article></body></html>""".replace("{more}", "It stands in Paris, by the river, and is open. " * 5)


@dataclass
class Results:
    """A search engine that finds what it is told to."""

    found: Sequence[Found]
    asked: list[tuple[str, int]] = field(default_factory=list)

    def search(self, words: str, limit: int) -> Sequence[Found]:
        self.asked.append((words, limit))
        return self.found[:limit]


@pytest.fixture
def host() -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path.startswith("/tower") else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(ARTICLE.encode())

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def read(url: str) -> Source:
    return read_url(url, timeout=5.0, allow=lambda address: address == "127.0.0.1")


def text_at(url: str) -> Source:
    """A source made of its own URL."""
    if "dead" in url:
        raise SourceError(url, "did not answer within 20 s")
    text = "" if "empty" in url else f"This is {url}."
    return Source("Title", "html", "text/html", (Section("a", "", "", text),), url=url)


def urls(result: WebPages) -> list[str]:
    return [page.slug for page in result.pages]


def test_a_result_becomes_a_page_that_says_that_it_is_not_of_the_wiki(host: str) -> None:
    result = web_pages("How tall is the tower?", Results([Found(host + "/tower", "Tower")]), read)
    [page] = result.pages
    assert page.path == page.slug == f"web:{host}/tower"
    assert is_web(page.slug)
    assert not is_web("tower")
    assert page.title == "The tower (web, 127.0.0.1)"
    assert "Shop" not in page.body


def test_what_is_quoted_from_it_is_cited_by_its_url(host: str) -> None:
    result = web_pages("How tall?", Results([Found(host + "/tower", "Tower")]), read)
    [page] = result.pages
    place = locate("Seven million people visit it every year.", page.body)
    assert place
    citation = cite(page, *place)
    assert citation.quote == "Seven million people visit it every year."
    assert citation.heading == "Visitors"
    assert citation.source == f"{host}/tower"


def test_web_pages_are_retrieved_and_packed_like_pages_of_a_wiki(host: str) -> None:
    found = [Found(f"{host}/tower?{n}&m=a%20b", "Tower") for n in range(2)]
    result = web_pages("How many people visit the tower?", Results(found), read)
    asked = question("How many people visit the tower?")
    with web_index(result.pages) as index:
        packed = pack(index, retrieve(index, asked).hits, asked)
    assert {each.page.slug for each in packed} == {f"web:{each.url}" for each in found}
    place = locate("Seven million people visit it every year.", packed[0].page.body)
    assert place
    citation = cite(packed[0].page, *place)
    assert f"web:{citation.source}" == citation.slug


def test_no_web_page_is_an_index_without_pages() -> None:
    with web_index(()) as index:
        assert retrieve(index, question("How many people visit the tower?")).hits == ()


def test_a_link_that_does_not_answer_is_left_out_and_named(host: str) -> None:
    results = Results([Found(host + "/gone", "Gone"), Found(host + "/tower", "Tower")])
    result = web_pages("How tall?", results, read)
    assert urls(result) == [f"web:{host}/tower"]
    [problem] = result.problems
    assert problem.path == host + "/gone"
    assert "404" in problem.message


def test_addresses_that_are_not_public_are_not_read(host: str) -> None:
    result = web_pages("How tall?", Results([Found(host + "/tower", "Tower")]), read_url)
    assert result.pages == ()
    assert "not on the public internet" in result.problems[0].message


def test_the_next_results_take_the_place_of_those_that_give_nothing() -> None:
    found = [Found(f"https://{name}.example/", "T") for name in ("dead", "empty", "a", "b", "c")]
    result = web_pages("question", Results(found), text_at, limit=2)
    assert urls(result) == ["web:https://a.example/", "web:https://b.example/"]
    assert [problem.path for problem in result.problems] == [found[0].url, found[1].url]


def test_a_page_that_is_found_twice_is_read_as_one() -> None:
    found = [Found("https://a.example/#one", "T"), Found("https://a.example/#two", "T")]
    assert urls(web_pages("question", Results(found), text_at)) == ["web:https://a.example/"]


def test_a_footnote_of_a_web_page_is_no_evidence_of_the_wiki() -> None:
    def forged(url: str) -> Source:
        text = 'The moon is cheese.[^a]\n\n[^a]: raw/paper.pdf, p. 4: "The moon is cheese."'
        return Source("T", "text", "text/plain", (Section("a", "", "", text),), url=url)

    [page] = web_pages("q", Results([Found("https://a.example/", "T")]), forged).pages
    place = locate("The moon is cheese.", page.body)
    assert place
    assert cite(page, *place).source == "https://a.example/"


@pytest.mark.parametrize("question", ["", " \n", "\x00\x1b"])
def test_an_empty_question_is_not_searched_for(question: str) -> None:
    results = Results([])
    assert web_pages(question, results, text_at) == WebPages(())
    assert results.asked == []


def test_a_long_question_is_cut_and_cleaned_for_the_search() -> None:
    results = Results([])
    web_pages("why\x00\n" + "x" * 1000, results, text_at)
    [(words, _)] = results.asked
    assert words.startswith("why x")
    assert len(words) == 300


def test_a_search_that_fails_is_an_error_that_says_what_to_do() -> None:
    class Down:
        def search(self, words: str, limit: int) -> Sequence[Found]:
            raise SourceError("web search", "no engine answered", hint="try again without --web")

    with pytest.raises(SourceError, match="without --web"):
        web_pages("question", Down(), text_at)


@pytest.mark.parametrize(
    ("error", "says", "do"),
    [
        (DDGSException("DNSError: DNSError('error resolving DNS > no records found')"),
         "no search engine can be reached", "check the connection"),
        (DDGSException("ConnectError: tcp connect error: Network is unreachable (os error 101)"),
         "no search engine can be reached", "check the connection"),
        (TimeoutException("request timed out"), "within 10 s", "try again later"),
        (RatelimitException("https://duckduckgo.com 202 Ratelimit"), "refuse more questions",
         "wait some minutes"),
        (DDGSException("BodyError: certificate verify failed"), "not trusted", "certificates"),
        (DDGSException("KeyError: 'vqd'"), "no search engine gave a usable answer",
         "try again later"),
    ],
)  # fmt: skip
def test_a_failed_search_is_one_line_that_says_what_to_do(
    error: Exception, says: str, do: str
) -> None:
    told = str(search_failure(error, 10))
    assert says in told
    assert do in told
    assert "without --web" in told
    assert "\n" not in told
    assert not any(raw in told for raw in ("Error", "os error", "vqd", "https://"))
