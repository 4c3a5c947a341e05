"""The command line of `sinew render`, as far as it can be told right or wrong without the model."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..picture.film import film_kind
from ..picture.looks import Look
from .model import named_recordings
from .sheet import columns_of, rows_of
from .words import PHYSICS, Command, Option, number, usage

COMMAND = Command(
    name="render",
    operands="[MODEL]",
    summary="draws a model or a recording: a picture or a film",
    options=(
        Option(
            "output", "FILE", "picture.png, film.mp4, film.gif, frame_%04d.png, numbers.npy", "-o"
        ),
        Option("keyframe", "NAME", "the state is this keyframe's (a name, or a number from 0)"),
        Option(
            "recording",
            "RUN[,RUN...]",
            "states of a recording, .npy, .csv or .mcap; of several beside each other",
            again=True,
        ),
        Option("simulate", "S", "states of a simulation of S seconds from there, controls held"),
        Option(
            "camera",
            "NAME",
            'a camera of the model, by name or number; "free", the default view (free):\n'
            "of a model that says none from the front at three quarters, all in view",
        ),
        Option("lookat", "X,Y,Z", "where the free camera looks"),
        Option("distance", "D", "how far it is from there"),
        Option("azimuth", "A", "its direction in degrees: 0 looks along x, 90 along y"),
        Option("elevation", "E", "and -90 downwards"),
        Option("track", "BODY", "the free camera follows a body"),
        Option("size", "WxH", "pixels (1280x720; 640x480 each of several)"),
        Option("quality", "fine|fast", "fine: smooth edges, fine shadows, reflections (fine)"),
        Option(
            "flags",
            "NAME[,NAME...]",
            "what else shows, as contactforce, joint, wireframe;\n"
            "no-NAME what does not, as no-shadow",
        ),
        Option("label", "KIND", "names beside things: body, joint, geom, site, contactforce, ..."),
        Option("frame", "KIND", "axes of things: body, geom, site, world, ..."),
        Option("group", "KIND=GROUPS[,...]", "which groups show, as geom=012,site=5"),
        Option("bare", "", "no floor, light and sky about a model that has none"),
        Option("depth", "", "distances as greys: white is near"),
        Option("segmentation", "", "a colour for each object"),
        Option("fps", "N", "pictures a second of a film (30)"),
        Option("speed", "X", "seconds of the model's time in one of the film (1)"),
        Option("start", "T", "from this time of the recording on; of a picture: at this time"),
        Option("end", "T", "up to this time"),
        Option("package-dir", "DIR[:DIR]", "folders of ROS packages, for package:// in a URDF"),
        Option("keep-visuals", "", "visual shapes of a URDF are drawn, as they are anyway"),
        PHYSICS,
        Option("strict", "", "a warning is an error"),
        Option(
            "anywhere", "", "a model may name any file, not only its own and meshes, models, images"
        ),
    ),
    notes="MODEL is any model file: MJCF, URDF or .snb; it may be left out where a recording (.mcap) holds it.\n"
    "Of a URDF visual shapes are drawn, and with --group geom=0 collision shapes instead.\n"
    "Drawing wants the packages of the extra [view] and OpenGL, but no screen. Exit codes are those of sinew;\n"
    "after Ctrl-C there is the film up to there.",
)


@dataclass
class Request:
    """The command line, as far as it can be told right or wrong without the model."""

    model: str
    output: str
    values: dict[str, str]
    recordings: list[str]
    seconds: float | None
    look: Look
    size: tuple[int, int]
    kind: str
    fps: float
    speed: float

    @property
    def is_film(self) -> bool:
        """Whether the output has many pictures."""
        return film_kind(self.output) is not None


def _size(values: dict[str, str], several: bool) -> tuple[int, int]:
    text = values.get("size", "640x480" if several else "1280x720")
    match = re.fullmatch(r"(\d{1,9})x(\d{1,9})", text)
    if not match or not int(match[1]) or not int(match[2]):
        usage(f"--size {text}: wants pixels as 1280x720")
    return int(match[1]), int(match[2])


def _groups(values: dict[str, str]) -> dict[str, list[int]]:
    text = values.get("group", "")
    found = {}
    for word in text.split(",") if text else ():
        kind, equals, digits = word.partition("=")
        if not equals or not re.fullmatch(r"[0-9]*", digits):
            usage(f"--group {text}: wants a kind and its groups, as geom=012 (site= for none)")
        found[kind] = [int(digit) for digit in digits]
    return found


def _look(values: dict[str, str]) -> Look:
    flags = [word for word in values.get("flags", "").split(",") if word]
    try:
        return Look(
            flags, values.get("label", "none"), values.get("frame", "none"), _groups(values)
        )
    except ValueError as error:
        usage(str(error))


def _check_output(output: str, several: bool) -> None:
    ending = os.path.splitext(output)[1].lower()
    if ending == ".npy":
        if several:
            usage(f"{output}: has the numbers of one picture, not of several recordings")
    elif ending != ".png" and film_kind(output) is None:
        usage(
            f"{output}: what to write is told by the end of its name, which may be .png, .mp4, .gif, .npy, "
            "or numbered as frame_%04d.png"
        )


def request_of(words: Sequence[str]) -> Request:
    """Read the command line."""
    values, operands = COMMAND.parse(words)
    if not operands and "recording" not in values:
        usage("MODEL: missing; see sinew render --help")
    if len(operands) > 1:
        usage(f"{operands[1]}: one model at a time; too many; see sinew render --help")
    if "output" not in values:
        usage("-o FILE: missing; see sinew render --help")
    if "depth" in values and "segmentation" in values:
        usage("--depth and --segmentation are two pictures; give one")
    if "camera" in values and values["camera"] != "free":
        for name in ("lookat", "distance", "azimuth", "elevation", "track"):
            if name in values:
                usage(f"--{name}: is of the free camera; leave out --camera {values['camera']}")
    recordings = named_recordings(values)
    seconds = number(values, "simulate")
    if seconds is not None and (recordings or seconds < 0):
        usage("--simulate: wants 0 seconds or more, and no --recording")
    kind = (
        "depth" if "depth" in values else "segmentation" if "segmentation" in values else "colour"
    )
    _check_output(values["output"], len(recordings) > 1)
    request = Request(
        model=operands[0] if operands else "",
        output=values["output"],
        values=values,
        recordings=recordings,
        seconds=seconds,
        look=_look(values),
        size=_size(values, len(recordings) > 1),
        kind=kind,
        fps=number(values, "fps", 30.0, positive=True),
        speed=number(values, "speed", 1.0, positive=True),
    )
    for name in ("start", "end"):
        if name in values and not recordings:
            usage(f"--{name}: is of a recording; give --recording, or the length as --simulate")
    _check_film(request)
    return request


def _check_film(request: Request) -> None:
    kind = film_kind(request.output)
    if kind is None:
        for name in ("fps", "speed"):
            if name in request.values:
                usage(f"--{name}: is of a film; {request.output} is one picture")
        return
    if not request.recordings and request.seconds is None:
        usage(f"{request.output}: a film wants --recording RUN.npy, or --simulate SECONDS")
    if request.fps > kind.MOST_FPS:
        usage(f"--fps {request.fps:g}: {request.output} shows at most {kind.MOST_FPS:g}")
    count = max(1, len(request.recordings))
    whole = request.size[0] * columns_of(count), request.size[1] * rows_of(count)
    if max(whole) > kind.LARGEST:
        usage(
            f"a film of {whole[0]} x {whole[1]} is too large for {request.output}: "
            f"at most {kind.LARGEST} x {kind.LARGEST}; see --size"
        )
