"""Pictures of the manual: each is there, small enough, and made by a script that `./dev docs` runs."""

import pathlib
import re

import pytest
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
SCRIPTS = [p for p in sorted((DOCS / "pictures").glob("*.py")) if not p.name.startswith("_")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_what_a_page_shows_is_there(page):
    for target in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", page.read_text()):
        assert (page.parent / target).is_file(), target


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_picture(script):
    """A palette PNG under 150 KB, shown by a page; the script says what it shows."""
    path = DOCS / f"{script.stem}.png"
    picture = Image.open(path)
    assert picture.format == "PNG" and picture.mode == "P" and path.stat().st_size <= 150_000
    assert max(picture.size) <= 900
    shown = sum(
        f"({path.name})" in p.read_text() or f"(docs/{path.name})" in p.read_text() for p in PAGES
    )
    assert shown >= 1
    assert script.read_text().startswith('"""')


def test_every_png_has_a_script():
    assert {p.stem for p in DOCS.glob("*.png")} == {script.stem for script in SCRIPTS}
