"""The command `sinew render`: pictures and films of models and recordings, into files.

`python -m sinew.render --help` shows its options; docs/cli.md has them in full.
"""

from __future__ import annotations

import contextlib
import io
import math
import os
import re
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._artist import Artist
from ._core import ModelError, NotSupportedError
from ._enums import StateBit, Warning  # type: ignore[attr-defined]
from ._extra import extra
from ._film import Film, film_kind
from ._functions import forward, getState, resetData, resetDataKeyframe, setState, step  # type: ignore[attr-defined]
from ._interrupts import Interrupts
from ._looks import Look, camera_of, free_camera, unknown
from ._output import write_whole
from ._pictures import Picture, image
from ._progress import Progress
from ._recording import Recording, RecordingWarning
from ._spec import Spec
from ._tracks import Track, moments
from ._types import Data, Model
from ._warn import ModelWarning
from ._words import (
    BAD_INPUT,
    SIGNALLED,
    UNSTABLE,
    Command,
    Option,
    Stop,
    complain,
    number,
    numbers,
    printable,
    usage,
)

Pixels = NDArray[np.uint8]
MOST_PICTURES = 1_000_000

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
        ),
        Option("simulate", "S", "states of a simulation of S seconds from there, controls held"),
        Option(
            "camera",
            "NAME",
            'a camera of the model, by name or number; "free", the default view (free)',
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
        Option("depth", "", "distances as greys: white is near"),
        Option("segmentation", "", "a colour for each object"),
        Option("fps", "N", "pictures a second of a film (30)"),
        Option("speed", "X", "seconds of the model's time in one of the film (1)"),
        Option("start", "T", "from this time of the recording on; of a picture: at this time"),
        Option("end", "T", "up to this time"),
        Option("package-dir", "DIR[:DIR]", "folders of ROS packages, for package:// in a URDF"),
        Option("strict", "", "a warning is an error"),
    ),
    notes="MODEL is any model file: MJCF, URDF or .snb; it may be left out where a recording (.mcap) holds it.\n"
    "Drawing wants the packages of the extra [view] and OpenGL, but no screen. Exit codes are those of sinew;\n"
    "after Ctrl-C there is the film up to there.",
)


# ---- what is asked for


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


def _recordings(values: dict[str, str]) -> list[str]:
    text = values.get("recording")
    if text is None:
        return []
    paths = [text] if os.path.exists(text) else text.split(",")
    if not all(paths):
        usage(f"--recording {text}: a name is empty")
    return paths


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
    recordings = _recordings(values)
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
        return
    if not request.recordings and request.seconds is None:
        usage(f"{request.output}: a film wants --recording RUN.npy, or --simulate SECONDS")
    if request.fps > kind.MOST_FPS:
        usage(f"--fps {request.fps:g}: {request.output} shows at most {kind.MOST_FPS:g}")
    columns = columns_of(max(1, len(request.recordings)))
    rows = -(-len(request.recordings) // columns) or 1
    whole = request.size[0] * columns, request.size[1] * rows
    if max(whole) > kind.LARGEST:
        usage(
            f"a film of {whole[0]} x {whole[1]} is too large for {request.output}: "
            f"at most {kind.LARGEST} x {kind.LARGEST}; see --size"
        )


# ---- the model and its states


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Warnings about files go to stderr, a line each; an error of a recording ends the command."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        except ValueError as error:
            raise Stop(BAD_INPUT, str(error)) from None
        finally:
            for warning in caught:
                if issubclass(warning.category, (ModelWarning, RecordingWarning)):
                    sys.stderr.write(printable(f"warning: {warning.message}\n"))


def _recorded(request: Request) -> list[Recording]:
    """The recordings as their files have them."""
    read = []
    for path in request.recordings:
        with _told():
            try:
                read.append(Recording.from_path(path))
            except OSError as error:
                raise Stop(BAD_INPUT, f"cannot read '{path}': {error.strerror or error}") from None
    return read


def _model(request: Request, recorded: Sequence[Recording]) -> Model:
    """The model that is named, or the one that a recording holds."""
    with _told():
        if not request.model:
            model = next((m for m in (r.model() for r in recorded) if m is not None), None)
            if model is None:
                usage("MODEL: missing, and no recording holds one; see sinew render --help")
            return model
        strict = "strict" in request.values
        if "package-dir" not in request.values:
            return Model.from_path(request.model, strict=strict)
        folders = request.values["package-dir"].split(":")
        return Spec.from_urdf(request.model, folders, strict=strict).compile()


def _named(request: Request, what: str, make: Any) -> Any:
    """What `make` returns; its ValueError is one about the model."""
    try:
        return make()
    except ValueError as error:
        raise Stop(BAD_INPUT, f"{request.model or 'the model'}: {what}: {error}") from None


def _camera(request: Request, model: Model) -> Any:
    values = request.values
    settings: dict[str, Any] = {
        name: number(values, name, positive=name == "distance")
        for name in ("distance", "azimuth", "elevation")
        if name in values
    }
    if "lookat" in values:
        settings["lookat"] = numbers(values, "lookat", 3)
    if settings or "track" in values:
        return _named(
            request, "--track", lambda: free_camera(model, values.get("track"), **settings)
        )
    return _named(request, "--camera", lambda: camera_of(model, values.get("camera", "free")))


def _keyframe(model: Model, word: str) -> int:
    names = [model.key(i).name for i in range(model.nkey)]
    if word in names:
        return names.index(word)
    if word.isdecimal() and int(word) < model.nkey:
        return int(word)
    if not names:
        raise ValueError("the model has no keyframes")
    if word.isdecimal():
        raise ValueError(f"the model has {len(names)}, numbers 0 to {len(names) - 1}")
    raise unknown("keyframe", word, [name for name in names if name])


def _start(request: Request, model: Model) -> Data:
    """A data at the model's first state, or a keyframe's."""
    data = Data(model)
    word = request.values.get("keyframe")
    if word is None:
        resetData(model, data)
    else:
        key = _named(request, f"--keyframe {word}", lambda: _keyframe(model, word))
        resetDataKeyframe(model, data, key)
    forward(model, data)
    return data


class Still:
    """The model at one state."""

    names: Sequence[str] = ()
    start = end = 0.0

    def __init__(self, data: Data) -> None:
        self.all = [data]

    def place(self, moment: float) -> None:
        """It is there already."""


class Simulation:
    """A simulation that goes on as far as it is asked for."""

    names: Sequence[str] = ()
    start = 0.0

    def __init__(self, data: Data, seconds: float) -> None:
        self._data, self._shown, self.end = data, Data(data.model), seconds
        self._began = data.time
        self.all = [self._shown]

    def place(self, moment: float) -> None:
        """Go on to a moment, and compute what there is to see on a copy."""
        data, model = self._data, self._data.model
        while data.time - self._began < moment - 0.5 * model.opt.timestep:
            before = data.time
            step(model, data)
            kinds = (Warning.BADQPOS, Warning.BADQVEL, Warning.BADQACC)
            if any(data.warning[kind].number for kind in kinds):
                raise Stop(UNSTABLE, f"the simulation is unstable at {before:g} s")
        setState(
            model, self._shown, getState(model, data, StateBit.INTEGRATION), StateBit.INTEGRATION
        )
        forward(model, self._shown)


class Recordings:
    """Recordings of a model, each with a data of its own."""

    def __init__(self, request: Request, model: Model, read: Sequence[Recording]) -> None:
        self._tracks = []
        for recording in read:
            with _told():
                track = Track(model, recording)
            if track.fault:
                complain(f"warning: {track.fault}; what is drawn ends before it")
            self._tracks.append(track)
        self.all = [_start(request, model) for _ in self._tracks]
        stems = [os.path.splitext(os.path.basename(path))[0] for path in request.recordings]
        several = len(stems) > 1
        self.names = (
            () if not several else stems if len(set(stems)) == len(stems) else request.recordings
        )
        first, last = min(t.start for t in self._tracks), max(t.end for t in self._tracks)
        self.start = max(first, number(request.values, "start", first))
        self.end = min(last, number(request.values, "end", last))
        if self.start > self.end:
            raise Stop(
                BAD_INPUT,
                f"{request.recordings[0]}: has no time between --start and --end: it is from {first:g} s to {last:g} s",
            )

    def place(self, moment: float) -> None:
        """Put each where it was at a moment."""
        for track, data in zip(self._tracks, self.all, strict=True):
            track.place(data, moment)


def _states(
    request: Request, model: Model, recorded: Sequence[Recording]
) -> Still | Simulation | Recordings:
    if recorded:
        return Recordings(request, model, recorded)
    data = _start(request, model)
    return Still(data) if request.seconds is None else Simulation(data, request.seconds)


# ---- drawing


def columns_of(count: int) -> int:
    """How many of several pictures stand beside each other: up to three in one row, else about a square."""
    return count if count <= 3 else math.ceil(math.sqrt(count))


def named_picture(pixels: Pixels, name: str) -> Pixels:
    """Return a picture with a name over it."""
    draw, fonts = extra("PIL.ImageDraw", "pictures"), extra("PIL.ImageFont", "pictures")
    picture = image(pixels)
    size = max(10, round(pixels.shape[0] / 24))
    draw.Draw(picture).text(
        (size // 2, size // 3), printable(name), fill="white", stroke_width=max(1, size // 10),
        stroke_fill="black", font=fonts.load_default(size),
    )  # fmt: skip
    return np.asarray(picture)


def beside(pictures: Sequence[Pixels]) -> Pixels:
    """Return pictures of one size in rows, those that a row lacks black."""
    columns = columns_of(len(pictures))
    missing = -len(pictures) % columns
    cells = [*pictures, *[np.zeros_like(pictures[0])] * missing]
    rows = [np.concatenate(cells[k : k + columns], axis=1) for k in range(0, len(cells), columns)]
    return np.concatenate(rows, axis=0)


def _together(artist: Artist, states: Any) -> Pixels:
    pictures = [artist.pixels(data) for data in states.all]
    if states.names:
        pictures = [named_picture(p, name) for p, name in zip(pictures, states.names, strict=True)]
    return beside(pictures)


def _write_numbers(request: Request, artist: Artist, states: Any) -> str:
    states.place(states.start)
    found = artist.numbers(states.all[0])
    file = io.BytesIO()
    np.save(file, found)
    write_whole(request.output, file.getvalue())
    return f"{request.output}: numbers [{', '.join(map(str, found.shape))}] of {found.dtype}"


def _write_picture(request: Request, artist: Artist, states: Any) -> str:
    states.place(states.end if request.seconds is not None else states.start)
    pixels = _together(artist, states)
    Picture(pixels).save(request.output)
    return f"{request.output}: {pixels.shape[1]} x {pixels.shape[0]}"


def _frames(
    request: Request, artist: Artist, states: Any, interrupts: Interrupts
) -> Iterator[Pixels]:
    """The pictures of a film, until it ends or somebody ends it."""
    length = (states.end - states.start) / request.speed * request.fps
    if length > MOST_PICTURES:
        usage(
            f"a film of {length:.3g} pictures is too long: at most {MOST_PICTURES}; see --fps and --speed"
        )
    times = moments(states.start, states.end, request.fps, request.speed)
    progress = Progress(len(times))
    try:
        for k, moment in enumerate(times.tolist()):
            states.place(moment)
            yield _together(artist, states)
            progress.show(k + 1, f"{moment:.2f} s")
            if interrupts.came:
                return
    finally:
        progress.end()


def _write_film(request: Request, artist: Artist, states: Any, interrupts: Interrupts) -> str:
    unstable: Stop | None = None
    shape: tuple[int, ...] = ()
    with Film(request.output, request.fps) as film:
        try:
            for pixels in _frames(request, artist, states, interrupts):
                film.add(pixels)
                shape = pixels.shape
        except Stop as stop:
            if stop.code != UNSTABLE or not film.frames:
                raise
            unstable = stop
    said = f"{request.output}: {film.frames} pictures of {shape[1]} x {shape[0]}, {film.frames / film.fps:.2f} s"
    if unstable:
        print(printable(said))
        raise unstable
    return said


def _artist(request: Request, model: Model) -> Artist:
    camera = _camera(request, model)
    quality = request.values.get("quality", "fine")
    try:
        return Artist(model, *request.size, camera, request.look, quality, request.kind)
    except ValueError as error:
        usage(f"--size {request.size[0]}x{request.size[1]}: {error}")


def _run(request: Request) -> int:
    recorded = _recorded(request)
    model = _model(request, recorded)
    states = _states(request, model, recorded)
    with contextlib.closing(_artist(request, model)) as artist:
        interrupts = Interrupts()  # from here on there is a file to complete
        try:
            if request.is_film:
                said = _write_film(request, artist, states, interrupts)
            elif request.output.lower().endswith(".npy"):
                said = _write_numbers(request, artist, states)
            else:
                said = _write_picture(request, artist, states)
        except OSError as error:
            raise Stop(BAD_INPUT, f"cannot write '{request.output}': {error.strerror}") from None
    print(printable(said))
    return SIGNALLED + interrupts.came if interrupts.came else 0


def _blamed(words: Sequence[str] | None) -> int:
    """Run the command; its errors become messages."""
    try:
        return _run(request_of(sys.argv[1:] if words is None else words))
    except Stop as stop:
        if stop.code:
            complain(str(stop))
        else:
            sys.stdout.write(str(stop))
        return stop.code
    except KeyboardInterrupt:
        return SIGNALLED + signal.SIGINT
    except (ModelError, NotSupportedError, ImportError, RuntimeError, OSError) as error:
        complain(str(error))
    except MemoryError:
        complain("out of memory")
    return BAD_INPUT


def main(words: Sequence[str] | None = None) -> int:
    """Run the command with these words, or those of the command line; returns its exit code."""
    try:
        code = _blamed(words)
        sys.stdout.flush()
        return code
    except OSError as error:  # of stdout
        if not isinstance(error, BrokenPipeError):
            complain(f"cannot write to standard output: {error.strerror}")
        sys.stdout = None  # type: ignore[assignment]  # its last words would fail again
        return BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
