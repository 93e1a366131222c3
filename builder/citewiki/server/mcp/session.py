"""On whose behalf a request is served, and what its tools may use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from citewiki.model import ANYONE

if TYPE_CHECKING:
    from citewiki.llm.port import Engine
    from citewiki.query.web import Searcher
    from citewiki.wiki import Wiki


@dataclass(frozen=True)
class Engines:
    """What writes text and looks at the web; the command line hands it in, as it has the keys."""

    answers: Callable[[], Engine | None] = lambda: None  # None: the built-in one
    distils: Callable[[], Engine | None] = lambda: None
    searches: Callable[[], Searcher] | None = None  # None: the web is not asked


@dataclass(frozen=True)
class Session:
    """One request's wiki, as its user may see it, and what else depends on who asks."""

    wiki: Wiki  # opened on behalf of the user
    read_only: bool = False  # whether the token, or having none, allows no writing
    engines: Engines = Engines()
    who: str = ""  # by which calls are counted; "": they are not
    base_url: str = ""  # "https://wiki.example"; "": there is no site to link to
    holds: Callable[[], bool] = lambda: True  # whether who asks would still be let in, later on

    @property
    def may_write(self) -> bool:
        """Whether writing tools are there at all; which pages they may change, the wiki says."""
        return not self.read_only and self.wiki.viewer != ANYONE


Opened = Callable[[Any], Session]
"""The session of a request: of the HTTP request that a message came with; None on stdio."""
