"""Files of the page, which are built with the package."""

from __future__ import annotations

import importlib.resources


def page_file(name: str) -> bytes:
    """Return a file of the page.

    Raises
    ------
    FileNotFoundError
        The package was built without it.
    """
    return importlib.resources.files("sinew._viewer").joinpath("page", name).read_bytes()
