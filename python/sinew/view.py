"""The command `sinew view`: a model that runs, in a page of the browser.

`python -m sinew.view --help` shows its options; docs/cli.md has them in full. From Python it is `sinew.viewer.launch`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from ._command.model import is_recording, shown_model, start_of
from ._command.robot import COLLISION
from ._command.words import Command, Option, finished, usage
from ._types import Data, Model

_HIDDEN = 3  # the first group of geoms that is not shown unless somebody asks for it

COMMAND = Command(
    name="view",
    operands="MODEL",
    summary="runs a model in a page of the browser: look around, pull at it, move its controls",
    options=(
        Option("keyframe", "NAME", "start from this keyframe (a name, or a number from 0)"),
        Option("recording", "RUN", "a recording of it, .npy, .csv or .mcap, for --export"),
        Option("export", "FILE", "writes a page in one file that plays the recording; serves none"),
        Option("fps", "N", "rows a second of that page (60)"),
        Option("start", "T", "it has the recording from this time on"),
        Option("end", "T", "up to this time"),
        Option(
            "host", "ADDRESS", "where it is served (127.0.0.1: this machine alone reaches that)"
        ),
        Option("port", "N", "0: any that is free (0)"),
        Option("no-browser", "", "opens none, prints the address alone"),
        Option("package-dir", "DIR[:DIR]", "folders of ROS packages, for package:// in a URDF"),
        Option("keep-visuals", "", "visual shapes of a URDF are shown, as they are anyway"),
        Option("strict", "", "a warning is an error"),
        Option(
            "anywhere", "", "a model may name any file, not only its own and meshes, models, images"
        ),
    ),
    notes="MODEL is any model file: MJCF, URDF or .snb. Of a URDF visual shapes are shown; its collision shapes\n"
    "are group 3. The address that is printed holds the token that lets a browser in; through ssh -L it opens\n"
    "on another machine. The viewer ends when its last page is closed, or by Ctrl-C. The packages of the extra\n"
    "[view] are needed. A page in one file (--export) opens from disk; MODEL may be left out where the recording\n"
    "(.mcap) holds it. Exit codes are those of sinew.",
)


@dataclass
class _Request:
    """The command line, as far as it can be told right or wrong without the model."""

    path: str
    values: dict[str, str]
    port: int

    @property
    def host(self) -> str:
        return self.values.get("host", "127.0.0.1")


def _port(values: dict[str, str]) -> int:
    word = values.get("port", "0")
    if not (word.isascii() and word.isdecimal() and int(word) < 1 << 16):
        usage(f"--port {word}: wants a whole number from 0 to 65535")
    return int(word)


def _request(words: Sequence[str]) -> _Request:
    values, operands = COMMAND.parse(words)
    _check_export(values, operands)
    if not operands and "export" not in values:
        usage("MODEL: missing; see sinew view --help")
    if len(operands) > 1:
        usage(f"{operands[1]}: one model at a time; too many; see sinew view --help")
    if "export" in values:
        return _Request(operands[0] if operands else "", values, 0)
    if "recording" in values or is_recording(operands[0]):
        run = values.get("recording", operands[0])
        usage(f"{run}: recordings in a viewer are not supported yet; see sinew render --help")
    if not values.get("host", "127.0.0.1"):
        usage("--host: is empty; see sinew view --help")
    return _Request(operands[0], values, _port(values))


def _check_export(values: dict[str, str], operands: list[str]) -> None:
    """Refuse options of a page in one file without one, and those of a viewer with one."""
    for name in ("fps", "start", "end"):
        if name in values and "export" not in values:
            usage(f"--{name}: is of a page in one file; give --export page.html")
    if "export" not in values:
        return
    for name in ("keyframe", "host", "port", "no-browser"):
        if name in values:
            usage(f"--{name}: is of a viewer that is served; leave it out with --export")
    recorded = bool(operands) and is_recording(operands[0])
    if recorded and "recording" in values:
        usage(f"{operands[0]} is a recording; give a model, or leave out --recording")
    if "recording" not in values and not recorded:
        usage(f"--export {values['export']}: wants a recording; give --recording RUN")


def _model(request: _Request) -> Model:
    """The model as it is shown."""
    model, visuals = shown_model(request.path, request.values)
    if visuals:
        model.geom_group[model.geom_group == COLLISION] = _HIDDEN
    return model


def _loaded(request: _Request) -> tuple[Model, Data]:
    """The model and its first state, as they are shown."""
    model = _model(request)
    return model, start_of(model, request.path, request.values.get("keyframe"))


def _export(request: _Request) -> None:
    """Write a recording as a page in one file."""
    from ._command.page import write_page

    values, path = request.values, request.path
    held = not path or is_recording(path)
    run = values.get("recording", path)
    write_page(values["export"], None if held else _model(request), run, values)


def _run(words: Sequence[str]) -> int:
    request = _request(words)
    if "export" in request.values:
        _export(request)
        return 0
    model, data = _loaded(request)
    from .viewer import launch

    browser = "no-browser" not in request.values
    where = {"host": request.host, "port": request.port}
    launch(model, data, **where, browser=browser, source=request.path)
    return 0


def main(words: Sequence[str] | None = None) -> int:
    """Run the command with these words, or those of the command line; returns its exit code."""
    return finished(lambda: _run(sys.argv[1:] if words is None else words))


if __name__ == "__main__":
    sys.exit(main())
