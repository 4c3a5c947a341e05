"""The command `sinew view`: a model that runs, or recordings that are played, in a page of the browser.

`python -m sinew.view --help` shows its options; docs/cli.md has them in full. From Python it is `sinew.viewer.launch`
and `sinew.viewer.play`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ._command.model import is_recording, named_recordings, shown_model, start_of
from ._command.words import PHYSICS, Command, Option, finished, usage
from ._types import Data, Model
from .picture.robot import hide_collision

COMMAND = Command(
    name="view",
    operands="[MODEL]",
    summary="runs a model, or plays recordings, in a page of the browser: look around, pull at it, move its controls",
    options=(
        Option("keyframe", "NAME", "start from this keyframe (a name, or a number from 0)"),
        Option(
            "recording",
            "RUN[,RUN]",
            "plays a recording, .npy, .csv or .mcap; two beside each other",
            again=True,
        ),
        Option("export", "FILE", "writes a page in one file that plays a recording; serves none"),
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
        PHYSICS,
        Option("strict", "", "a warning is an error"),
        Option(
            "anywhere", "", "a model may name any file, not only its own and meshes, models, images"
        ),
    ),
    notes="MODEL is any model file: MJCF, URDF or .snb; it may be left out where a recording (.mcap) holds it. It is\n"
    "loaded again when it or a file of it changes; without one, and at any time, models and recordings may be dropped\n"
    "into the page. A recording beside MODEL or in its place is as --recording RUN. Of a URDF visual shapes are shown; its collision\n"
    "shapes are group 3. The address that is printed holds the token that lets a browser in; through ssh -L it opens\n"
    "on another machine. The viewer ends when its last page is closed, or by Ctrl-C. The packages of the extra\n"
    "[view] are needed. A page in one file (--export) opens from disk. Exit codes are those of sinew.",
)


@dataclass
class _Request:
    """The command line, as far as it can be told right or wrong without the model."""

    path: str  # empty: there is none
    values: dict[str, str]
    port: int
    recordings: list[str]

    @property
    def host(self) -> str:
        return self.values.get("host", "127.0.0.1")

    @property
    def served(self) -> dict[str, Any]:
        """Where it is served, and whether a browser is opened."""
        browser = "no-browser" not in self.values
        return {"host": self.host, "port": self.port, "browser": browser}


def _port(values: dict[str, str]) -> int:
    word = values.get("port", "0")
    if not (word.isascii() and word.isdecimal() and int(word) < 1 << 16):
        usage(f"--port {word}: wants a whole number from 0 to 65535")
    return int(word)


def _request(words: Sequence[str]) -> _Request:
    from .viewer.playback import MOST

    values, operands = COMMAND.parse(words)
    models = [word for word in operands if not is_recording(word)]
    recordings = [*filter(is_recording, operands), *named_recordings(values)]
    if not models and not recordings and "keyframe" in values:
        usage("--keyframe: is of a model, and there is none; see sinew view --help")
    if len(models) > 1:
        usage(f"{models[1]}: one model at a time; too many; see sinew view --help")
    if len(recordings) > MOST:
        usage(f"{recordings[MOST]}: {MOST} recordings at a time; too many; see sinew view --help")
    if "export" in values:
        _check_export(values, recordings)
    for name in ("fps", "start", "end"):
        if name in values and "export" not in values:
            usage(f"--{name}: is of a page in one file; give --export page.html")
    if not values.get("host", "127.0.0.1"):
        usage("--host: is empty; see sinew view --help")
    return _Request(models[0] if models else "", values, _port(values), recordings)


def _check_export(values: dict[str, str], recordings: list[str]) -> None:
    """Refuse options of a viewer where a page in one file is wanted, and all but one recording."""
    for name in ("keyframe", "host", "port", "no-browser"):
        if name in values:
            usage(f"--{name}: is of a viewer that is served; leave it out with --export")
    if not recordings:
        usage(f"--export {values['export']}: wants a recording; give --recording RUN")
    if len(recordings) > 1:
        usage(f"{recordings[1]}: a page in one file has one recording; too many")


def _model(request: _Request) -> Model:
    """The model that is named, as it is shown."""
    model, visuals = shown_model(request.path, request.values)
    if visuals:
        hide_collision(model)
    return model


def _export(request: _Request) -> None:
    """Write a recording as a page in one file."""
    from ._command.page import write_page

    model = _model(request) if request.path else None
    write_page(request.values["export"], model, request.recordings[0], request.values)


def _start(request: _Request, model: Model) -> Data:
    return start_of(model, request.path, request.values.get("keyframe"))


def _play(request: _Request) -> None:
    """Play recordings."""
    from ._command.states import held_models, recordings_of, short_names, tracks_of
    from .viewer import play_tracks

    recorded = recordings_of(request.recordings)
    if request.path:
        models = [_model(request)] * len(recorded)
    else:
        models = held_models(recorded, "view")
    tracks = tracks_of(models, recorded, "keyframe" in request.values)
    starts = [_start(request, model) for model in models]
    names = short_names(request.recordings)
    play_tracks(tracks, starts, names, **request.served)


def _simulate(request: _Request) -> None:
    """Run the model that is named."""
    from .viewer import Source, simulate

    model, values = _model(request), request.values
    packages = [folder for folder in values.get("package-dir", "").split(":") if folder]
    how: dict[str, Any] = {name: name in values for name in ("strict", "anywhere")}
    how["physics"] = values.get("physics")
    simulate(model, _start(request, model), Source(request.path, packages, **how), **request.served)


def _run(words: Sequence[str]) -> int:
    request = _request(words)
    values = request.values
    if "export" in values:
        _export(request)
        return 0
    if request.recordings:
        _play(request)
    elif request.path:
        _simulate(request)
    else:
        from .viewer import launch

        launch(**request.served)
    return 0


def main(words: Sequence[str] | None = None) -> int:
    """Run the command with these words, or those of the command line; returns its exit code."""
    return finished(lambda: _run(sys.argv[1:] if words is None else words))


if __name__ == "__main__":
    sys.exit(main())
