"""Small wikis as pages of HTML, and whole sites built by MkDocs."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from citewiki.config import Config
from citewiki.site.model import SiteModel, build_model
from citewiki.site.render import Renderer
from tests.conftest import NOW, MakeWiki, write_files

REPOSITORY = Path(__file__).parents[2]

Files = Mapping[str, str | bytes]
Model = Callable[[Files], SiteModel]
Html = Callable[..., str]
BuildSite = Callable[..., Path]


@pytest.fixture
def model(make_wiki: MakeWiki) -> Model:
    """The site's model of a wiki made of `files`, whose paths start under wiki/."""

    def make(files: Files, config: Config | None = None) -> SiteModel:
        root = make_wiki({f"wiki/{path}": text for path, text in files.items()})
        return build_model(root, config or Config(), NOW)

    return make


@pytest.fixture
def html(model: Model) -> Html:
    """The HTML of page a.md that says `text`, in a wiki that holds `files` as well."""

    def render(text: str, files: Files | None = None, config: Config | None = None) -> str:
        made = model({"a.md": text, **(files or {})}, config)
        return Renderer(made).draw("a.md").body

    return render


@pytest.fixture(scope="session")
def build_site(tmp_path_factory: pytest.TempPathFactory) -> BuildSite:
    """A function that makes a wiki of `files`, builds its site strictly, and returns the site."""

    def build(files: Files, root: Path | None = None) -> Path:
        from mkdocs.commands.build import build as mkdocs_build
        from mkdocs.config import load_config

        root = root or tmp_path_factory.mktemp("wiki")
        shutil.copy(REPOSITORY / "mkdocs.yml", root)
        shutil.copytree(REPOSITORY / "hooks", root / "hooks", dirs_exist_ok=True)
        write_files(root, files)
        config = load_config(str(root / "mkdocs.yml"), strict=True)
        config.plugins.on_startup(command="build", dirty=False)
        mkdocs_build(config)
        return root / "site"

    return build


def links(html: str) -> list[tuple[str, str]]:
    """(address, words) of every link."""
    found = re.findall(r'<a [^>]*href="([^"]*)"[^>]*>(.*?)</a>', html)
    return [(address, words) for address, words in found if "headerlink" not in words]
