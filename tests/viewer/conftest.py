"""Chromium of the system, without a window, and viewers that end with their test."""

import importlib.resources
import shutil

import pytest

ARGUMENTS = [
    "--disable-gpu",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def _chromium():
    """Its path, None: there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def windows():
    """Those of a browser for the tests of a file: as long as it is open, no other test could use asyncio."""
    if not importlib.resources.files("sinew._viewer").joinpath("page", "page.js").is_file():
        pytest.skip("the package was built without the page of the viewer: no node or no network")
    if _chromium() is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    from browsing import Windows
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # its sandbox wants rights that containers do not give
        opened = playwright.chromium.launch(
            executable_path=_chromium(), args=ARGUMENTS, chromium_sandbox=False
        )
        yield Windows(opened)
        opened.close()


@pytest.fixture
def view(windows):
    """Begins viewers of models; no page may have complained or asked anybody outside."""
    from browsing import Viewing

    made = []

    def begin(model, **how):
        made.append(Viewing(windows, model, **how))
        return made[-1]

    yield begin
    faults = [fault for viewing in made for fault in viewing.close()]
    assert faults == []
