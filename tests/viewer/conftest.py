"""Chromium of the system, without a window, and viewers that end with their test."""

import importlib.resources
import os
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
# Where no pictures are compared edges are drawn as they come: without a graphics card it takes little more than half the time.
ROUGH = ["--webgl-antialiasing-mode=none"]
SMOOTH = {"test_looks", "test_export"}

# Files whose viewers begin their processes as users have them; those of others are forked.
AS_USERS_DO = {"test_handle", "test_opening", "test_others_programs", "test_long_run"}


@pytest.fixture(scope="session")
def nursery():
    from nursery import Nursery

    made = Nursery()
    yield made
    made.close()


@pytest.fixture(scope="module", autouse=True)
def processes(request):
    """Forks of one process, where the system can tell when one ends that is no child of the tests."""
    if request.module.__name__ in AS_USERS_DO or not hasattr(os, "pidfd_open"):
        yield
        return
    begun = request.getfixturevalue("nursery").subprocess
    with pytest.MonkeyPatch.context() as patch:
        for module in ("server", "loading"):
            patch.setattr(f"sinew.viewer.{module}.subprocess", begun)
        yield


def _chromium():
    """Its path, None: there is none."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def windows(request):
    """Those of a browser for the tests of a file: as long as it is open, no other test could use asyncio."""
    if not importlib.resources.files("sinew._viewer").joinpath("page", "page.js").is_file():
        pytest.skip("the package was built without the page of the viewer: no node or no network")
    if _chromium() is None:
        pytest.skip("no Chromium here: apt-get install chromium")
    from browsing import Windows
    from playwright.sync_api import sync_playwright

    more = [] if request.module.__name__ in SMOOTH else ROUGH
    with sync_playwright() as playwright:
        # its sandbox wants rights that containers do not give
        opened = playwright.chromium.launch(
            executable_path=_chromium(), args=ARGUMENTS + more, chromium_sandbox=False
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
