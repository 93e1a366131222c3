from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from citewiki.model import Page
from citewiki.store.names import Names, Resolved


def names_of(*pages: tuple[str, str] | tuple[str, str, tuple[str, ...]]) -> Names:
    return Names(
        Page(
            path=path, slug=path.rpartition("/")[2][:-3], title=title, body="", aliases=tuple(*rest)
        )
        for path, title, *rest in pages
    )


def test_a_name_resolves_in_any_case_and_in_another_folder():
    names = names_of(("x/Note two.md", "Note two"))
    assert names.resolve("Note Two", "y/a.md").path == "x/Note two.md"


def test_the_exact_spelling_goes_before_the_folded_one():
    names = names_of(("a/note.md", "note"), ("b/Note.md", "Note"))
    assert names.resolve("Note").path == "b/Note.md"
    assert names.resolve("note").path == "a/note.md"


def test_a_file_name_goes_before_an_alias():
    names = names_of(("b/rag.md", "Rag", ()), ("a/x.md", "X", ("RAG", "second note")))
    assert names.resolve("RAG").path == "b/rag.md"
    assert names.resolve("second note").path == "a/x.md"


def test_nfc_and_nfd_are_one_name():
    composed = "Đường phố"
    names = names_of((f"{composed}.md", composed))
    assert names.resolve(unicodedata.normalize("NFD", composed)).path == f"{composed}.md"
    decomposed = unicodedata.normalize("NFD", composed)
    names = names_of((f"{decomposed}.md", decomposed))
    assert names.resolve(composed).path == f"{decomposed}.md"


def test_among_pages_of_one_name_the_own_folder_then_the_shortest_path_is_meant():
    names = names_of(("b/Dup.md", "Dup"), ("c/Dup.md", "Dup"), ("c/d/Dup.md", "Dup"))
    own = names.resolve("Dup", "c/from.md")
    assert own.path == "c/Dup.md"
    assert own.ambiguous
    assert names.resolve("Dup", "z/from.md").path == "b/Dup.md"
    assert names.resolve("c/Dup", "z/from.md").path == "c/Dup.md"


def test_a_path_is_found_from_the_top_from_the_folder_and_by_its_end():
    names = names_of(("a/b/Y.md", "Why"), ("a/Z.md", "Z"))
    assert names.resolve("a/b/Y").path == "a/b/Y.md"
    assert names.resolve("b/Y", "q.md").path == "a/b/Y.md"
    assert names.resolve("../Z", "a/b/Y.md").path == "a/Z.md"
    assert names.resolve("./Y.md", "a/b/X.md").path == "a/b/Y.md"


def test_the_owners_page_is_meant_before_that_of_another():
    pages = [
        Page(path="a/plan.md", slug="a-plan", title="Plan", body="", owner="ann"),
        Page(path="b/plan.md", slug="b-plan", title="Plan", body="", owner="bob"),
    ]
    assert Names(pages).resolve("Plan", "x/y.md", owner="bob").path == "b/plan.md"


def test_a_missing_name_is_never_guessed_but_near_ones_are_offered():
    names = names_of(("bm25.md", "BM25"), ("fusion.md", "Reciprocal rank fusion"))
    assert names.resolve("Reciprocal rank fusio").path is None
    assert names.nearest("Reciprocal rank fusio") == ("Reciprocal rank fusion",)


def test_an_empty_name_is_the_page_itself():
    assert names_of(("a.md", "A")).resolve("", "a.md").path == "a.md"


@given(st.text(alphabet="aAbBé Đđ中文/._-", min_size=1, max_size=12))
def test_resolving_any_text_gives_a_page_of_the_set_or_none(name: str):
    known = {"a.md", "B/é.md", "中文.md"}
    names = names_of(*((path, path[:-3]) for path in sorted(known)))
    assert names.resolve(name, "B/x.md").path in {*known, None, "B/x.md"}


def test_the_owners_page_goes_before_a_nearer_one_of_another():
    pages = [
        Page("a/plan.md", "plan", "Plan", "", owner="ann"),
        Page("b/deep/p.md", "p", "Plan", "", owner="bob"),
        Page("b/deep/q.md", "q", "Other", "", owner="bob", aliases=("PLAN", "plan")),
        Page("plan.md", "top", "Top", "", owner="ann"),
    ]
    names = Names(pages)
    assert names.resolve("Plan", "a/of-bob.md", owner="bob") == Resolved("b/deep/p.md")
    assert names.resolve("plan", "a/of-bob.md", owner="bob") == Resolved("b/deep/p.md")
    assert names.resolve("a/plan", "b/deep/p.md") == Resolved("a/plan.md")
    assert names.resolve("Plan", "a/of-ann.md", owner="ann") == Resolved("a/plan.md")
    assert names.resolve("Top", "a/of-bob.md", owner="bob") == Resolved("plan.md")


def test_who_asks_for_a_name_that_stands_on_no_page_means_their_own_first():
    pages = [
        Page("plan.md", "plan", "Plan", "", owner="ann"),
        Page("b/p.md", "p", "Plan", "", owner="bob"),
    ]
    assert Names(pages, "bob").resolve("Plan") == Resolved("b/p.md")
    assert Names(pages, "ann").resolve("plan") == Resolved("plan.md")
    assert Names(pages, "bob").resolve("Plan", "plan.md") == Resolved("plan.md")
    assert Names(pages, "eve").resolve("Plan").ambiguous
    assert Names(pages, "*").resolve("Plan") == Names(pages).resolve("Plan")
