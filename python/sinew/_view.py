"""The way to what draws, which needs packages that the rest does not."""

from __future__ import annotations

import importlib
from types import ModuleType

_PACKAGES = {
    "moderngl": "moderngl",
    "glcontext": "moderngl",
    "_moderngl": "moderngl",
    "PIL": "pillow",
}


def drawing(module: str = "drawing") -> ModuleType:
    """Return a module of `sinew.draw`.

    Raises
    ------
    ImportError
        A package that draws is missing; the text says how to install it.
    """
    try:
        return importlib.import_module(f"sinew.draw.{module}")
    except ImportError as error:
        package = _PACKAGES.get((error.name or "").partition(".")[0])
        if package is None:
            raise
        mend = "python -m pip install 'sinew-sim[view]'"
        raise ImportError(
            f"drawing needs the package {package}, which is missing: {mend}", name=error.name
        ) from None
