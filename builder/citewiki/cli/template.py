"""A new wiki's files, laid down from the template without touching what is there."""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from shlex import quote

from citewiki.errors import CitewikiError
from citewiki.store.files import write_atomic, write_error

HOOK = ".githooks/pre-commit"
"""What git runs before a commit, once it is told to."""


def lay_down(folder: Path) -> list[str]:
    """Make `folder` a wiki; returns the paths that were made. Files that exist stay as they are.

    Raises CitewikiError when `folder` is a file or is a wiki already.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_wiki = (folder / "mkdocs.yml").exists() and (folder / "wiki").is_dir()
    except FileExistsError as error:
        raise CitewikiError(f"{folder} is a file", hint="name a folder") from error
    except OSError as error:
        raise write_error(folder, error) from error
    if is_wiki:
        raise CitewikiError(
            f"{folder} is a wiki already", hint=f"try: citewiki doctor --wiki {folder}"
        )
    made: list[str] = []
    for name, item in _files(files("citewiki.cli") / "template", ""):
        path = folder / name
        if not path.exists():
            write_atomic(path, item.read_bytes())
            made.append(name)
    try:
        if HOOK in made:
            (folder / HOOK).chmod(0o755)
        for name in ("raw", "wiki"):
            (folder / name).mkdir(exist_ok=True)
    except OSError as error:
        raise write_error(folder, error) from error
    return made


def switch_on(folder: Path) -> str:
    """The command that lets git run the wiki's hook: in the repository that `folder` is in."""
    folder = folder.resolve()
    tops = (place for place in (folder, *folder.parents) if (place / ".git").exists())
    top = next(tops, None)
    hooks = (folder / HOOK).parent.relative_to(top or folder).as_posix()
    first = "" if top else f"git init {quote(str(folder))} && "
    return f"{first}git -C {quote(str(top or folder))} config core.hooksPath {quote(hooks)}"


def _files(folder: Traversable, prefix: str) -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for item in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if item.name == "__pycache__":
            continue
        name = prefix + item.name
        found += _files(item, f"{name}/") if item.is_dir() else [(name, item)]
    return found
