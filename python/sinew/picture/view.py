"""The way to what draws, which needs packages that the rest does not."""

from __future__ import annotations

import importlib
from types import ModuleType

from .._extra import install

_PACKAGES = {
    "moderngl": "moderngl",
    "glcontext": "moderngl",
    "_moderngl": "moderngl",
    "PIL": "pillow",
}
_OLDEST = (5, 12)  # moderngl that takes contexts of others by their own functions


def _refuse_older(moderngl: ModuleType) -> None:
    found = tuple(int(part) for part in moderngl.__version__.split(".")[:2] if part.isdigit())
    if found < _OLDEST:
        oldest = ".".join(map(str, _OLDEST))
        raise ImportError(
            f"drawing needs moderngl {oldest} or newer, not {moderngl.__version__}: {install('view')}",
            name="moderngl",
        )


def drawing(module: str = "drawing") -> ModuleType:
    """Return a module of `sinew.draw`.

    Raises
    ------
    ImportError
        A package that draws is missing or too old; the text says how to install it.
    """
    try:
        _refuse_older(importlib.import_module("moderngl"))
        return importlib.import_module(f"sinew.draw.{module}")
    except ImportError as error:
        package = _PACKAGES.get((error.name or "").partition(".")[0])
        if package is None or install("view") in str(error):
            raise
        raise ImportError(
            f"drawing needs the package {package}, which is missing: {install('view')}",
            name=error.name,
        ) from None
