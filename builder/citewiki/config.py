"""`[tool.citewiki]` of a wiki's pyproject.toml, read once and checked key by key."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from citewiki.errors import SettingError, WikiNotFound


@dataclass(frozen=True, slots=True)
class SiteConfig:
    """`[tool.citewiki.site]`"""

    viewer: str = "*"  # on whose behalf the site is built: "*" (anyone) or a user name
    publish_raw: bool = False  # whether originals under raw/ are part of the site


@dataclass(frozen=True, slots=True)
class AskConfig:
    """`[tool.citewiki.ask]`"""

    depth: int = 2  # links followed from the best pages, 1..3
    page_chars: int = 4000  # characters of one page that may be read for an answer
    budget_chars: int = 24000  # characters of all pages together
    stale_days: int = 90  # unverified for longer: stale where the question asks for what is current
    web_pages: int = 4  # pages of the web that are read with --web
    rounds: int = 6  # turns of a model that looks things up itself (--agentic)
    token_cap: int = 100000  # tokens after which it has to answer


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """`[tool.citewiki.engine]`: the language model; its key is ANTHROPIC_API_KEY's."""

    name: str = "extractive"  # what `ask` uses unless told otherwise: extractive or anthropic
    distill: str = "extractive"  # what `compile` uses unless told otherwise
    answer_model: str = "claude-sonnet-5-5"
    judge_model: str = "claude-opus-5-5"  # another model than the answering one
    distill_model: str = ""  # writes pages; "": the answering one
    lint_model: str = ""  # reads what was written, so another one; "": the judging one
    review_model: str = ""  # reviews drafts before a person does; "": the judging one
    concurrency: int = 4  # calls under way at once
    base_url: str = ""  # of a server that speaks the same API; "": Anthropic's own
    timeout: int = 120  # seconds for one attempt
    retries: int = 4  # after a server that is busy or failing


@dataclass(frozen=True, slots=True)
class PrivacyConfig:
    """`[tool.citewiki.privacy]`: what is taken out of sources before anything else reads them."""

    mask: tuple[str, ...] = ("key", "password", "card", "identity", "email", "phone", "person")
    public: tuple[str, ...] = ()  # values that are no secret, such as a contact address
    phone_regions: tuple[str, ...] = ()  # countries ("US") whose numbers count without +code
    model: str = ""  # a language model on this machine that looks for personal details too
    base_url: str = "http://localhost:11434"  # its server; on this machine or network only
    presidio: bool = False  # whether Presidio looks too (extra [pii])


@dataclass(frozen=True, slots=True)
class ServerConfig:
    """`[tool.citewiki.server]`: `citewiki serve` and `citewiki mcp`."""

    user: str = ""  # on whose behalf `citewiki mcp` acts; "": the operator
    hosts: tuple[str, ...] = ()  # names under which it is reached, beside localhost
    public_mcp: bool = False  # whether /mcp answers anyone without a token, from what is for all
    calls_per_minute: int = 100  # of one user; for anyone without a token: of one address
    logins_per_minute: int = 10  # failed ones, of one address
    body_bytes: int = 2_000_000  # of one request
    answer_chars: int = 100_000  # of what one tool gives back
    model_calls: int = 2  # questions and texts that language models work on at once


@dataclass(frozen=True, slots=True)
class NewsConfig:
    """`[tool.citewiki.news]`: feeds that an agent may look through for what is new."""

    feeds: tuple[str, ...] = ()  # URLs of RSS, Atom or JSON feeds


@dataclass(frozen=True, slots=True)
class Config:
    """`[tool.citewiki]`: what a wiki sets for itself."""

    owner: str = ""  # owner of pages that the program makes; "": nobody's, so everybody's
    shared_with: tuple[str, ...] = ("*",)  # who may read pages that the program makes
    questions: str = ""  # file of questions, one a line, that a new order must still answer
    link_titles: bool = True  # whether compiling links the first mention of other pages' titles
    site: SiteConfig = field(default_factory=SiteConfig)
    ask: AskConfig = field(default_factory=AskConfig)
    engine: EngineConfig = field(default_factory=EngineConfig)
    privacy: PrivacyConfig = field(default_factory=PrivacyConfig)
    server: ServerConfig = field(default_factory=ServerConfig)
    news: NewsConfig = field(default_factory=NewsConfig)


def find_root(start: Path) -> Path:
    """The folder at or above `start` that holds mkdocs.yml and wiki/; raises WikiNotFound."""
    start = start.resolve()
    for folder in (start, *start.parents):
        if (folder / "mkdocs.yml").is_file() and (folder / "wiki").is_dir():
            return folder
    raise WikiNotFound(str(start))


def load_config(root: Path) -> Config:
    """Settings of the wiki at `root`; defaults where there are none. Raises SettingError."""
    path = root / "pyproject.toml"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Config()  # and no parser is loaded, so that commands start fast
    except (OSError, UnicodeDecodeError) as error:
        raise SettingError(path.name, "*", f"readable as UTF-8 text ({error})") from error
    import tomllib

    try:
        table = tomllib.loads(text).get("tool", {}).get("citewiki", {})
    except tomllib.TOMLDecodeError as error:
        raise SettingError(path.name, "*", f"in a file of valid TOML ({error})") from error
    config: Config = _build(Config, table, path.name, "")
    return config


def _build(kind: type[Any], table: Any, path: str, prefix: str) -> Any:
    """A settings dataclass from a TOML table: unknown keys and wrong types are errors."""
    if not isinstance(table, dict):
        raise SettingError(path, prefix.rstrip(".") or "*", "a table")
    import difflib
    from typing import get_type_hints

    types = get_type_hints(kind)
    known = [item.name for item in fields(kind)]
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            near = f"did you mean {close[0]}" if close else f"one of {', '.join(known)}"
            raise SettingError(path, prefix + key, f"a known setting ({near})")
        values[name] = _value(types[name], value, path, f"{prefix}{key}")
    return kind(**values)


def _value(kind: Any, value: Any, path: str, key: str) -> Any:
    if kind is bool:
        if not isinstance(value, bool):
            raise SettingError(path, key, "true or false")
    elif kind is int:
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise SettingError(path, key, "a whole number from 1")
        if key.endswith("depth") and value > 3:
            raise SettingError(path, key, "1, 2 or 3")
    elif kind is str:
        if not isinstance(value, str):
            raise SettingError(path, key, "a text")
    elif kind == tuple[str, ...]:
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise SettingError(path, key, "a list of texts")
        return tuple(value)
    else:
        return _build(kind, value, path, f"{key}.")
    return value
