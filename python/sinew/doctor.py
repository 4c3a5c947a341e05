"""What `sinew doctor` says of Python: the interpreter, the package, those of its extras, and what draws.

`python -m sinew.doctor` prints it without the command; docs/doctor.md says what it means.

>>> from sinew.doctor import examine
>>> sorted(examine(draw=False))
['drawing', 'interpreter', 'missing', 'package', 'packages']
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from . import _core
from ._command.words import Command, Option, finished
from ._extra import install

__all__ = ["examine"]

# Packages that Sinew can do more with, and the extra that brings each; NumPy is there, or nothing would be.
PACKAGES = {
    "numpy": "",
    "gymnasium": "envs",
    "torch": "torch",
    "jax": "jax",
    "moderngl": "view",
    "pillow": "view",
    "av": "view",
    "matplotlib": "view",
    "mcap": "view",
    "websockets": "view",
}
# What makes OpenGL contexts, and how it is asked for: of ours without a window, GLX of a program that has one.
BACKENDS = {
    "darwin": {"CGL": ""},
    "win32": {},
}.get(sys.platform, {"EGL": "egl", "OSMesa": "osmesa", "GLX": ""})
PATIENCE = 60  # seconds for a picture
COMMAND = Command(
    "doctor",
    "",
    "what this installation has, what it lacks, and how to get that",
    (Option("json", "", "print JSON"),),
)


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


# ---- pictures, in a process of their own


def _red(gl: Any) -> str:
    """Draw one red pixel; say who drew it."""
    picture = gl.simple_framebuffer((1, 1))
    picture.clear(1, 0, 0, 1)
    if picture.read() != b"\xff\0\0":
        raise RuntimeError("a red picture does not come out red")
    return f"OpenGL {gl.info['GL_VERSION']}, {gl.info['GL_RENDERER']}"


def _draw(backend: str) -> str:
    """Draw by a backend in this process, which may not outlive it."""
    from .picture.view import drawing

    context = drawing("context")
    if backend != "GLX":
        with context.own() as gl:
            return _red(gl)
    if not os.environ.get("DISPLAY"):
        raise RuntimeError("there is no screen (DISPLAY is not set): only windows need one")
    try:
        import glfw
    except ImportError:
        raise RuntimeError(f"windows need the package glfw: {install('gymnasium')}") from None
    glfw.init()
    glfw.window_hint(glfw.VISIBLE, False)
    window = glfw.create_window(16, 16, "", None, None)
    if not window:
        raise RuntimeError(f"no window opens on the screen {os.environ['DISPLAY']}")
    glfw.make_context_current(window)
    with context.current() as gl:
        return _red(gl)


def _draw_and_print(backend: str) -> int:
    try:
        answer = {"works": True, "says": _draw(backend)}
    except Exception as error:
        answer = {"works": False, "says": str(error)}
    print(json.dumps(answer), flush=True)
    return 0


def _ended(code: int) -> str:
    """How a process ended that has printed nothing."""
    return f"it crashes (signal {-code})" if code < 0 else f"it ends with code {code}"


def _tried(backend: str) -> dict[str, Any]:
    """Whether a backend draws, as a process of its own finds: a driver that crashes takes that down alone."""
    environment = {**os.environ, "MUJOCO_GL": BACKENDS[backend]}
    command = [sys.executable, "-P", "-m", "sinew.doctor", "--draw", backend]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        return json.loads(done.stdout.splitlines()[-1])
    except subprocess.TimeoutExpired:
        return {"works": False, "says": f"it draws nothing in {PATIENCE} s"}
    except (IndexError, ValueError):
        return {"works": False, "says": _ended(done.returncode)}


# ---- the report


def _missing(packages: dict[str, str | None]) -> list[dict[str, str]]:
    """Packages that are not there, by the extra that brings them."""
    lacking: dict[str, list[str]] = {}
    for name, version in packages.items():
        if version is None:
            lacking.setdefault(PACKAGES[name], []).append(name)
    return [{"what": ", ".join(names), "how": install(extra)} for extra, names in lacking.items()]


def examine(draw: bool = True) -> dict[str, Any]:
    """Say what this Python has of Sinew and for it.

    Parameters
    ----------
    draw
        Whether to try what draws, which takes a second or two.

    Returns
    -------
    dict
        ``interpreter`` and ``package``: version and path; ``packages``: versions by name, None where one is missing;
        ``drawing``: for each backend whether it ``works``, and what it ``says``; ``missing``: ``what``, and ``how`` it is got.
    """
    packages = {name: _version(name) for name in PACKAGES}
    here = pathlib.Path(__file__).parent
    can_draw = draw and packages["moderngl"] is not None
    return {
        "interpreter": {
            "version": ".".join(map(str, sys.version_info[:3])),
            "path": sys.executable,
        },
        "package": {"version": _core.__version__, "path": str(here), "kernels": _core.__cpu__},
        "packages": packages,
        "drawing": {name: _tried(name) for name in BACKENDS} if can_draw else {},
        "missing": _missing(packages),
    }


def _rows(title: str, lines: Sequence[str]) -> list[str]:
    """Lines with their title before the first."""
    return [f"{title if not k else '':<11} {line}" for k, line in enumerate(lines)]


def _no_drawing() -> str:
    return "no, moderngl is missing" if BACKENDS else "no, Sinew draws on Linux and macOS so far"


def text(found: dict[str, Any]) -> str:
    """The report for people, as the command goes on with it."""
    own, python = found["package"], found["interpreter"]
    there = [f"{name} {version}" for name, version in found["packages"].items() if version]
    drawing = [
        f"{name}: {'' if answer['works'] else 'no, '}{answer['says']}"
        for name, answer in found["drawing"].items()
    ]
    return "\n".join(
        _rows("interpreter", [f"{python['version']}: {python['path']}"])
        + _rows("package", [f"sinew {own['version']}, kernels for {own['kernels']}: {own['path']}"])
        + _rows("packages", [", ".join(there)])
        + _rows("drawing", drawing or [_no_drawing()])
        + _rows("missing", [f"{lack['what']}: {lack['how']}" for lack in found["missing"]])
    )


def main(words: Sequence[str]) -> int:
    """Print the report; --part and --draw are the command's own and this module's."""
    if list(words[:1]) == ["--draw"]:
        return _draw_and_print(words[1])
    if list(words) == ["--part"]:
        found = examine()
        print(json.dumps({"lines": text(found), "findings": found}))
        return 0
    values, _ = COMMAND.parse(words)
    found = examine()
    print(json.dumps(found, indent=4) if "json" in values else text(found))
    return 0


if __name__ == "__main__":
    sys.exit(finished(lambda: main(sys.argv[1:])))
