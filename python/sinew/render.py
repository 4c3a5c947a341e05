"""The command `sinew render`: pictures and films of models and recordings, into files.

`python -m sinew.render --help` shows its options; docs/cli.md has them in full.
"""

from __future__ import annotations

import contextlib
import copy
import io
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._command.interrupts import Interrupts
from ._command.progress import Progress
from ._command.request import Request, request_of
from ._command.sheet import beside, named_picture
from ._command.states import camera_for, models_for, recordings_of, states_of
from ._command.words import BAD_INPUT, Stop, finished, printable, usage
from ._core import MjvCamera
from ._output import write_whole
from ._types import Model
from .picture.artist import Artist
from .picture.film import Film
from .picture.pixels import Picture
from .picture.tracks import moments

Pixels = NDArray[np.uint8]
MOST_PICTURES = 1_000_000


class Pictures:
    """Draws the states of a request, each with the artist of its model and from a camera of its own."""

    def __init__(
        self, artists: Sequence[Artist], states: Any, cameras: Sequence[int | MjvCamera]
    ) -> None:
        self._artists, self._states = artists, states
        # one that follows a body keeps where it is
        self._cameras = [copy.copy(camera) for camera in cameras]

    def numbers(self, moment: float) -> NDArray[Any]:
        """Return what there is at a moment as `Renderer.render` does."""
        self._states.place(moment)
        return self._artists[0].numbers(self._states.all[0], self._cameras[0])

    def at(self, moment: float) -> Pixels:
        """Return the colours at a moment, of several beside each other."""
        states = self._states
        states.place(moment)
        each = zip(self._artists, states.all, self._cameras, strict=True)
        drawn = [artist.pixels(data, camera) for artist, data, camera in each]
        if states.names:
            drawn = [named_picture(p, name) for p, name in zip(drawn, states.names, strict=True)]
        return beside(drawn)


def _say(text: str) -> None:
    print(printable(text))


def _write_numbers(output: str, found: NDArray[Any]) -> None:
    file = io.BytesIO()
    np.save(file, found)
    write_whole(output, file.getvalue())
    _say(f"{output}: numbers [{', '.join(map(str, found.shape))}] of {found.dtype}")


def _write_picture(output: str, pixels: Pixels) -> None:
    Picture(pixels).save(output)
    _say(f"{output}: {pixels.shape[1]} x {pixels.shape[0]}")


def _frames(
    request: Request, states: Any, pictures: Pictures, interrupts: Interrupts
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
            yield pictures.at(moment)
            progress.show(k + 1, f"{moment:.2f} s")
            interrupts.check()
    finally:
        progress.end()


def _write_film(request: Request, frames: Iterator[Pixels]) -> None:
    """Write a film; what ends it early leaves the part up to there."""
    ended: Stop | None = None
    shape: tuple[int, ...] = ()
    with Film(request.output, request.fps) as film:
        try:
            for pixels in frames:
                film.add(pixels)
                shape = pixels.shape
        except Stop as stop:
            if not film.frames:
                raise
            ended = stop
    size, seconds = f"{shape[1]} x {shape[0]}", film.frames / film.fps
    _say(f"{request.output}: {film.frames} pictures of {size}, {seconds:.2f} s")
    if ended:
        raise ended


def _artist(request: Request, model: Model, camera: int | MjvCamera) -> Artist:
    quality, stage = request.values.get("quality", "fine"), "bare" not in request.values
    try:
        return Artist(
            model, *request.size, camera, request.look, quality, request.kind, stage=stage
        )
    except ValueError as error:
        usage(f"--size {request.size[0]}x{request.size[1]}: {error}")


def _run(request: Request, interrupts: Interrupts) -> int:
    recorded = recordings_of(request.recordings)
    models = models_for(request, recorded)
    states = states_of(request, models, recorded, interrupts)
    cameras = {model: camera_for(request, model, states) for model in models}
    with contextlib.ExitStack() as stack:
        artists = {
            model: stack.enter_context(contextlib.closing(_artist(request, model, camera)))
            for model, camera in cameras.items()
        }
        pictures = Pictures(
            [artists[model] for model in models], states, [cameras[model] for model in models]
        )
        interrupts.catch()  # from here on there is a file to complete
        try:
            if request.is_film:
                _write_film(request, _frames(request, states, pictures, interrupts))
            elif request.output.lower().endswith(".npy"):
                _write_numbers(request.output, pictures.numbers(states.shown))
            else:
                _write_picture(request.output, pictures.at(states.shown))
        except OSError as error:
            raise Stop(BAD_INPUT, f"cannot write '{request.output}': {error.strerror}") from None
    return 0


def main(words: Sequence[str] | None = None) -> int:
    """Run the command with these words, or those of the command line; returns its exit code."""
    interrupts = Interrupts()
    given = sys.argv[1:] if words is None else words
    try:
        return finished(lambda: _run(request_of(given), interrupts))
    finally:
        if (
            words is not None
        ):  # in a program that goes on; the command keeps them until it has ended
            interrupts.give_back()


if __name__ == "__main__":
    sys.exit(main())
