"""From a draft to a proposal: a new page, a new text of one, or a part of another one's."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from citewiki.config import Config
from citewiki.distill.additions import added, carried
from citewiki.distill.books import is_book
from citewiki.distill.composing import body, whole
from citewiki.distill.domains import Domains
from citewiki.distill.duplicates import Twin, same_text, twin
from citewiki.distill.extractive import (
    Taken,
    clean_title,
    distill,
    free_title,
    page_title,
)
from citewiki.distill.related import Related, may_join, may_mention
from citewiki.distill.shelf import Shelf
from citewiki.distill.worklist import Job
from citewiki.distill.written import Written
from citewiki.markdown import wikilinks as links
from citewiki.markdown.footnotes import footnotes
from citewiki.markdown.wikilinks import Wikilink
from citewiki.model import Draft, Page, Proposal, SourceRef, Viewer
from citewiki.sources.ingest import USERS
from citewiki.store import bases
from citewiki.store.confidence import CONFIDENCE
from citewiki.store.continuity import continued
from citewiki.store.pages import body_sha256, edited_by_hand, parse_page, render_page
from citewiki.text.folding import name_key
from citewiki.text.phrases import common_word
from citewiki.text.slugs import owned_slug, slugify
from citewiki.text.tokens import content_words

CANDIDATES = 5
"""Related pages whose texts are compared with a new one's: a decision."""

DISAGREEMENT = "Disagreement"
"""Heading under which a page tells that a source says otherwise."""

SECTION_CHANGED = "its section of the source has changed"


@dataclass(frozen=True)
class Proposer:
    """Makes proposals for the wiki as it is at that moment."""

    config: Config
    shelf: Shelf
    domains: Domains
    related: Related | None  # with a model only
    cache: Path
    now: datetime
    version: str
    viewer: Viewer = None  # on whose behalf; None: the wiki's own

    def extractive(self, job: Job) -> Proposal:
        """The section in its own words: what the built-in engine proposes."""
        old = self._old(job)
        page = distill(
            job.section,
            job.source,
            job.record,
            domain=old.domain if old else self._domain(job),
            taken=self._taken(),
            now=self.now,
            version=self.version,
            up=job.up,
        ).page
        return self._placed(job, self._owned(page), old, self._version_of(job, page), "")

    def written(self, job: Job, written: Written, model: str) -> list[Proposal]:
        """What two models made of the section; a contradiction is a proposal of its own."""
        old = self._old(job)
        page = self._owned(self._page(job, written, old, model))
        faults = (problem.message for problem in parse_page(render_page(page), page.path).problems)
        problems = (*written.problems, *faults)
        wish = written.draft.page
        target = self._target(job, wish.target) if wish.kind != "new" else None
        found: Twin | None = None
        if old is None and wish.kind == "addition" and target:
            found = Twin(target.slug, True, wish.why)
        elif old is None and written.draft.stands and not is_book(job.source):
            found = self._twin(job, page)
        proposal = self._placed(job, page, old, found, model, problems=problems)
        if not target or target.slug == proposal.draft.page.slug or not written.draft.stands:
            return [proposal]
        if wish.kind == "supersession" and proposal.kind in ("new", "update"):
            page = replace(proposal.draft.page, supersedes=(target.slug,))
            draft = replace(proposal.draft, page=page)
            return [replace(proposal, draft=draft, kind="supersession", target=target.slug)]
        if wish.kind == "contradiction":
            return [proposal, self._contradiction(job, written, target, proposal, model)]
        return [proposal]

    def _old(self, job: Job) -> Page | None:
        """The page that was made of the section before, with its body."""
        slugs = [slug for slug in job.before.pages if slug in self.shelf]
        return self.shelf.whole(slugs[0]) if slugs else None

    def _domain(self, job: Job, wish: str = "") -> str:
        path = job.record.path.removeprefix("raw/")
        if job.record.owner:  # a user's folder is no domain
            path = path.removeprefix(f"{USERS}/").partition("/")[2]
        folder = path.rpartition("/")[0].partition("/")[0]
        if not folder and is_book(job.source):
            folder = job.source.title  # a book is a domain
        if not folder and wish:
            seen = filter(self.shelf.shows, self.shelf.served())
            known = {name_key(page.domain): page.domain for page in seen}
            words = set(content_words(job.section.text))
            if name_key(wish) in known:
                return known[name_key(wish)]
            if content_words(wish) and words.issuperset(content_words(wish)):
                return slugify(wish)
        return self.domains.choose(folder, job.section.text)

    def _taken(self) -> Taken:
        return Taken(self.shelf.titles, self.shelf.slugs, self.viewer or "")

    def _owned(self, page: Page) -> Page:
        return replace(page, owner=self.config.owner, shared_with=self.config.shared_with)

    def _page(self, job: Job, written: Written, old: Page | None, model: str) -> Page:
        """The page of a model's draft, as if there were no other."""
        section, source, record = job.section, job.source, job.record
        draft = written.draft
        document = clean_title(source.title)
        names = draft.aliases
        if draft.title and not is_book(source):
            title = free_title([draft.title, f"{document}: {draft.title}"], self.shelf.titles)
        else:  # the pages of a book go by its outline
            title = page_title(section, source, self.shelf.titles)
            names = (*names, draft.title) if draft.title else names
        text, notes = body(draft.paragraphs, section, source=record.id, path=record.path)
        made = whole(links.replace(text, self._linked), notes, job.up)
        domain = old.domain if old else self._domain(job, draft.page.domain)
        slug = owned_slug(title, self.viewer or "", self.shelf.slugs)
        return Page(
            path=f"{domain}/{slug}.md",
            slug=slug,
            title=title,
            body=made,
            aliases=tuple(self._free(names, title)),
            summary=draft.summary,
            domain=domain,
            tags=draft.tags,
            sources=(SourceRef(record.id, record.path, record.sha256, section.locator),),
            source_authority=source.authority,
            confidence=CONFIDENCE.get(source.authority, CONFIDENCE["unknown"]),
            ingested_at=self.now,
            last_verified_at=self.now,
            valid_from=section.date or source.date or self.now,
            generated_by=f"citewiki/{self.version}+{model}",
            generated_at=self.now,
            generated_sha256=body_sha256(made),
        )

    def _linked(self, link: Wikilink) -> str:
        """A link, or its words where its page has gone since the model was told of it."""
        if not self.shelf.called.by([link.target]):
            return link.shown
        return f"[[{link.target}|{link.label}]]" if link.label else f"[[{link.target}]]"

    def _free(self, aliases: Iterable[str], title: str) -> Iterable[str]:
        """Names that no other page goes by, or links by them would become ambiguous."""
        for alias in aliases:
            if not self.shelf.called.by([alias]) and name_key(alias) != name_key(title):
                yield alias

    def _placed(
        self,
        job: Job,
        page: Page,
        old: Page | None,
        found: Twin | None,
        by: str,
        *,
        problems: tuple[str, ...] = (),
    ) -> Proposal:
        """The proposal to write `page`: new, in place of `old`, or into what was `found`."""
        quotes = tuple(note.quote for note in footnotes(page.body).values() if note.quote)
        by = by or "extractive"

        def proposal(page: Page, kind: str, target: str = "", why: str = "") -> Proposal:
            draft = Draft(page, job.record.id, job.section.id)
            return Proposal(draft, kind, target, why, quotes, problems, by)  # type: ignore[arg-type]

        if old and _leads(old, job):
            new = carried(page.body, self._program(old), job.record.id)
            page = _renewed(old, replace(page, body=new))
            return proposal(page, "update", old.slug, SECTION_CHANGED)
        if old:
            return proposal(self._joined(job, old, page), "addition", old.slug, SECTION_CHANGED)
        if found:
            target = self.shelf.whole(found.slug)
            if not found.sure or (edited_by_hand(target) and not target.generated_sha256):
                problems = (*problems, found.why)
            joined = self._joined(job, target, page)
            return proposal(joined, "addition", target.slug, found.why)
        return proposal(page, "new")

    def _joined(self, job: Job, target: Page, page: Page) -> Page:
        """`target` with what `page` says under a heading of its own, and its source."""
        heading = page.title
        if name_key(heading) in {name_key(name) for name in (target.title, *target.aliases)}:
            heading = f"{clean_title(job.source.title)}: {heading}"
        before = self._program(target)
        text = added(before, page.body, heading=heading, source=job.record.id)
        others = [ref for ref in target.sources if ref != page.sources[0]]
        kept = [
            ref for ref in others
            if ref.id != job.record.id or ref.locator != page.sources[0].locator
        ]  # fmt: skip
        names = [*target.aliases]
        if not common_word(page.title) and ": " not in page.title:
            names += self._free([page.title], target.title)
        return replace(
            target,
            body=text,
            aliases=tuple(dict.fromkeys(names)),
            sources=(*kept, page.sources[0]),
            generated_by=target.generated_by or page.generated_by,
            generated_at=self.now,
            generated_sha256=body_sha256(text),
        )

    def _program(self, page: Page) -> str:
        """The program's own text of a page, without a person's edits, if it is still known."""
        base = bases.base_of(self.cache, page)
        return page.body if base is None else base

    def _target(self, job: Job, title: str) -> Page | None:
        """The page that a model means, if the new text may be about it at all."""
        for slug in self.shelf.called.by([title]):
            page = self.shelf[slug]
            own = bool(page.sources) and page.sources[0].id == job.record.id
            if not own and may_mention(page, self.config) and may_join(page, self.config):
                return self.shelf.whole(slug)
        return None

    def _version_of(self, job: Job, page: Page) -> Twin | None:
        """A page of the same name from another source, whose text is nearly the same."""
        heading = clean_title(job.section.title or job.source.title)
        for slug in self.shelf.called.by([heading]) if heading else ():
            other = self.shelf[slug]
            if not self._may_take(job, other) or name_key(other.title) != name_key(heading):
                continue
            if same_text(page.body, self.shelf.whole(slug).body):
                return Twin(slug, True, f"is another version of “{other.title}”")
        return None

    def _twin(self, job: Job, page: Page) -> Twin | None:
        """A page that is about the same, by its names, its words or its neighbours."""
        bare = page.title.removeprefix(f"{clean_title(job.source.title)}: ")
        named = self.shelf.called.by((bare, *page.aliases))
        near = (
            self.related.nearest(f"{page.title} {page.summary}", CANDIDATES) if self.related else []
        )
        for slug in dict.fromkeys((*named, *near)):
            if self._may_take(job, self.shelf[slug]):
                found = twin(page, self.shelf.whole(slug), named=slug in named)
                if found:
                    return found
        return None

    def _may_take(self, job: Job, page: Page) -> bool:
        """Whether what a section says may go into `page`, which is of other sources."""
        return (
            bool(page.sources)
            and all(ref.id != job.record.id for ref in page.sources)
            and not page.archived_at
            and not page.superseded_by
            and may_mention(page, self.config)
            and may_join(page, self.config)
        )

    def _contradiction(
        self, job: Job, written: Written, target: Page, proposal: Proposal, model: str
    ) -> Proposal:
        """The proposal that the page which is contradicted tells of it."""
        wanted = set(content_words(f"{target.title} {target.summary}"))
        statement = max(
            written.draft.statements,
            key=lambda each: len(wanted.intersection(content_words(each.text))),
        )
        paragraph = replace(
            written.draft.paragraphs[0], statements=(statement,), heading="", copied=""
        )
        text, notes = body([paragraph], job.section, source=job.record.id, path=job.record.path)
        told = whole(f"[[{proposal.draft.page.title}]] says otherwise: {text}", notes)
        before = self._program(target)
        page = replace(target, body=added(before, told, heading=DISAGREEMENT, source=job.record.id))
        quotes = tuple(quote.text for quote in statement.quotes)
        draft = Draft(page, job.record.id, job.section.id)
        return Proposal(
            draft, "contradiction", target.slug, written.draft.page.why, quotes, (), model
        )


def _leads(page: Page, job: Job) -> bool:
    """Whether the page is the section's own, and not one that it only adds to."""
    return not page.sources or page.sources[0].id == job.record.id


def _renewed(old: Page, new: Page) -> Page:
    """The page of a section that changed: its identity and its past stay, its text is new."""
    return replace(
        continued(old, new),
        aliases=_merged(old.aliases, new.aliases),
        tags=_merged(old.tags, new.tags),
        sources=(*new.sources, *(ref for ref in old.sources if ref.id != new.sources[0].id)),
        supersedes=old.supersedes,
        generated_sha256=body_sha256(new.body),
    )


def _merged(first: Iterable[str], second: Iterable[str]) -> tuple[str, ...]:
    return tuple({name_key(text): text for text in (*second, *first)}.values())
