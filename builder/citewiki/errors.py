"""Every error that a user can cause or meet, as one tree.

CitewikiError            says what was wrong with which input, and what to do
├── WikiNotFound         no folder with wiki/ above the place that was named
├── SettingError         a key of [tool.citewiki] has a value that is not allowed
├── PageError            a page's file cannot be used as it is (file, line, key, value)
├── UnknownPage          no page goes by that name (carries the nearest names)
├── LifecycleError       a page cannot be put away, brought back, superseded, … as things are
├── NotAllowed           a page may be read by the one who acts, and not changed (whose it is)
├── UserError            a user or token cannot be made, found or read
├── Limited              too many calls in too little time (carries the seconds to wait)
├── SourceError          an original cannot be taken in or read (path, and why)
├── WriteError           the disk refused: read-only, full, or locked by another run
├── QuestionError        the question is empty, too long, or not text
├── DataError            an evaluation set or export lacks what it needs
└── EngineError          a language model did not give a usable reply
    ├── EngineRefused    it declined to write one
    ├── EngineTruncated  it was cut off: too little room for the reply, or too long a question
    ├── EngineUnavailable  it was not reached: no key, network, time-out, limits after retries
    ├── EngineUnusable   it replied in no usable form, also when asked again
    ├── EngineBudget     the next call might cost more than is left to spend
    └── EngineDeferred   the request waits for a batch; its reply comes with a later run
"""

from __future__ import annotations


class CitewikiError(Exception):
    """Base of the tree. `str(error)` is one line: what is wrong, with which input, what to do.

    Errors of one file carry its `path`, and in `reason` what is wrong without the path.
    """

    def __init__(self, message: str, *, hint: str = "") -> None:
        self.message = message
        self.hint = hint
        super().__init__(f"{message}; {hint}" if hint else message)


class WikiNotFound(CitewikiError):
    """No wiki at or above `path`."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(
            f"no wiki at {path} or above it (a folder with mkdocs.yml and wiki/)",
            hint="make one with: citewiki init DIR",
        )


class SettingError(CitewikiError):
    """`key` of `[tool.citewiki]` in `path` has a value that is not allowed."""

    def __init__(self, path: str, key: str, expected: str) -> None:
        self.path, self.key = path, key
        super().__init__(f"{path}: tool.citewiki.{key} must be {expected}")


class PageError(CitewikiError):
    """The file of a page cannot be used: `path`, 1-based `line` (0: the whole file), `key`."""

    def __init__(self, path: str, message: str, *, line: int = 0, key: str = "") -> None:
        self.path, self.line, self.key, self.reason = path, line, key, message
        where = f"{path}:{line}" if line else path
        super().__init__(f"{where}: {key + ': ' if key else ''}{message}")


class UnknownPage(CitewikiError):
    """No page is called `name`; `nearest` are titles that come close (may be empty)."""

    def __init__(self, name: str, nearest: tuple[str, ...] = ()) -> None:
        self.name, self.nearest = name, nearest
        close = ", ".join(f"“{title}”" for title in nearest)
        super().__init__(
            f"no page is called “{name}”",
            hint=f"did you mean {close}?" if close else "list them with: citewiki search WORDS",
        )


class LifecycleError(CitewikiError):
    """An action on pages cannot be done as things are; nothing was changed. `name`: of the page."""

    def __init__(self, name: str, message: str, *, hint: str = "") -> None:
        self.name, self.reason = name, message
        super().__init__(f"{name}: {message}", hint=hint)


class NotAllowed(CitewikiError):
    """Who acts may see `name` and not do this; nothing was changed. `owner`: whose page it is."""

    def __init__(self, name: str, message: str, *, owner: str = "", hint: str = "") -> None:
        self.name, self.reason, self.owner = name, message, owner
        super().__init__(f"{name}: {message}", hint=hint)


class UserError(CitewikiError):
    """A user or token cannot be made, found or read. `name`: the user's, or the file's."""

    def __init__(self, name: str, message: str, *, hint: str = "") -> None:
        self.name, self.reason = name, message
        super().__init__(f"{name}: {message}", hint=hint)


class Limited(CitewikiError):
    """More was asked of a server than it allows; after `seconds` it may be asked again."""

    def __init__(self, message: str, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(message, hint=f"try again in {seconds} s")


class SourceError(CitewikiError):
    """The original at `path` cannot be taken in or read."""

    def __init__(self, path: str, message: str, *, hint: str = "") -> None:
        self.path, self.reason = path, message
        super().__init__(f"{path}: {message}", hint=hint)


class WriteError(CitewikiError):
    """A file could not be written; what was there before is untouched."""

    def __init__(self, path: str, message: str, *, hint: str = "") -> None:
        self.path, self.reason = path, message
        super().__init__(f"{path}: {message}", hint=hint)


class QuestionError(CitewikiError):
    """The question cannot be asked."""


class DataError(CitewikiError):
    """Data handed to `eval`, `export` or `ingest` lacks what it needs."""

    def __init__(self, path: str, message: str, *, hint: str = "") -> None:
        self.path, self.reason = path, message
        super().__init__(f"{path}: {message}", hint=hint)


class EngineError(CitewikiError):
    """A language model gave no usable reply; `usage` is what the attempt cost (tokens, USD)."""

    def __init__(
        self, message: str, *, hint: str = "", usage: dict[str, float] | None = None
    ) -> None:
        self.usage = usage or {}
        super().__init__(message, hint=hint)


class EngineRefused(EngineError):
    """The model declined to reply."""


class EngineTruncated(EngineError):
    """The reply ended before it was complete; what there is of it is not used."""


class EngineUnavailable(EngineError):
    """No reply: no key or a wrong one, network, time-out, rate limit or overload after retries."""


class EngineUnusable(EngineError):
    """The reply has no usable form, also when asked again."""


class EngineBudget(EngineError):
    """The call was not made, as it might have cost more than is left to spend."""


class EngineDeferred(EngineError):
    """The call was put off: it will be part of the next batch."""
