"""Pictures and films where they are asked for: in notebooks, and in scripts that save them."""

from __future__ import annotations

import base64
import itertools
import os
import tempfile
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._core import MjvCamera
from .._enums import StateBit  # type: ignore[attr-defined]
from .._functions import forward, getState, resetData, setState
from .._output import write_whole
from .._recording import Recording, RecordingWarning
from .._types import Data, Model
from .artist import Artist
from .film import Film
from .looks import Look, camera_of
from .pixels import Picture, checked_pixels
from .tracks import Track, moments


class ShownFilm:
    """A film, as `sinew.show` makes it; notebooks show it where it is the last value of a cell.

    Attributes
    ----------
    frames : int
        Pictures.
    fps : float
        Pictures a second.
    mp4 : bytes
        The file.
    """

    def __init__(self, mp4: bytes, frames: int, fps: float, size: tuple[int, int]) -> None:
        self.mp4, self.frames, self.fps, self._size = mp4, frames, fps, size

    def save(self, path: str | os.PathLike) -> None:
        """Write it as an MP4 file, which appears under its name when it is whole.

        Raises
        ------
        ValueError
            The path does not end with .mp4; `sinew.Film` writes other kinds.
        OSError
            The file cannot be written.
        """
        if os.path.splitext(os.fspath(path))[1].lower() != ".mp4":
            raise ValueError(
                f"{os.fspath(path)!r}: it is saved as .mp4; sinew.Film writes .gif and .png"
            )
        write_whole(path, self.mp4)

    def _repr_html_(self) -> str:
        width, height = self._size
        data = base64.b64encode(self.mp4).decode()
        return (
            f'<video width="{width}" height="{height}" controls autoplay loop muted playsinline '
            f'src="data:video/mp4;base64,{data}"></video>'
        )

    def __repr__(self) -> str:
        width, height = self._size
        return f"<film of {self.frames} pictures of {width} x {height}, {self.fps:g} a second>"


def _film(frames: Iterable[ArrayLike], fps: float) -> ShownFilm:
    rest = iter(frames)
    first = next(rest, None)
    if first is None:
        raise ValueError("a film wants pictures, and there are no pictures")
    with tempfile.TemporaryDirectory(prefix="sinew-") as folder:
        path = os.path.join(folder, "film.mp4")
        height = width = 0
        with Film(path, fps) as film:
            for frame in itertools.chain((first,), rest):
                pixels = checked_pixels(frame)
                height, width, _ = pixels.shape
                film.add(pixels)
        with open(path, "rb") as file:
            return ShownFilm(file.read(), film.frames, film.fps, (width, height))


def _pictures(what: Any, fps: float) -> Picture | ShownFilm:
    """Return what is shown without a model: a picture, or a film of pictures."""
    named = isinstance(what, (str, bytes, os.PathLike, Mapping))
    if named or not isinstance(what, (Iterable, np.ndarray)):
        raise TypeError(
            f"show({type(what).__name__}): wants a Model first, which Model.from_path reads from a file, or pictures"
        )
    if isinstance(what, np.ndarray) and what.ndim == 3:
        return Picture(what)
    return _film(what, fps)


def current_state(model: Model, data: Data | None) -> Data:
    """Return a data of its own, without callbacks, at the state of another or at the model's first; computed whole."""
    own = Data(model)
    if data is None:
        resetData(model, own)
    else:
        setState(model, own, getState(model, data, StateBit.INTEGRATION), StateBit.INTEGRATION)
    forward(model, own)
    return own


def _recording(given: Any) -> Recording:
    """What a recording is given as: a path, a Recording, an array with fields, a dictionary of arrays."""
    if isinstance(given, Recording):
        return given
    if isinstance(given, (str, os.PathLike)):
        return Recording.from_path(given)
    names = (
        given.keys()
        if isinstance(given, Mapping)
        else getattr(given, "dtype", np.dtype(float)).names
    )
    if not names or "time" not in names:
        raise TypeError(
            f"show(model, {type(given).__name__}): wants a Data, a recording or its path, or an array or a dictionary "
            "with time, qpos and what else there is"
        )
    return Recording(given["time"], {name: given[name] for name in names if name != "time"})


def show(
    what: Model | Iterable[ArrayLike],
    data: Data | Recording | str | os.PathLike | Mapping[str, ArrayLike] | NDArray | None = None,
    camera: int | str | MjvCamera = -1,
    width: int = 640,
    height: int = 480,
    *,
    quality: str | None = "fine",
    flags: Sequence[str] = (),
    fps: float = 30.0,
    speed: float = 1.0,
) -> Picture | ShownFilm:
    """Show a model, a simulation, a recording or a film of your own pictures.

    Parameters
    ----------
    what : Model, or pictures
        What is drawn; or uint8 arrays [height, width, 3] that make a film, one alone a picture.
    data : Data, or a recording, optional
        The state that the model is drawn in; None: the model's first. A recording makes a film: it or its path, or an array
        with fields or a dictionary that has "time", "qpos" and what there is of "qvel", "act", "ctrl", "mocap_pos" and other
        parts of the state.
    camera : str, int or MjvCamera
        A camera of the model, -1 for the default view.
    width, height : int
        Pixels.
    quality : str or None
        "fine" or "fast"; None: as the model says.
    flags : sequence of str
        What else shows, as "contactforce" or "no-shadow": names of mjtVisFlag and mjtRndFlag.
    fps, speed : float
        Pictures a second of a film; seconds of the simulation in one of the film.

    Returns
    -------
    Picture or ShownFilm
        Notebooks show it; `save(path)` writes it; a picture has `pixels`.

    Notes
    -----
    `data` stays as it is: the picture is of its state, computed anew on a copy without callbacks.

    Raises
    ------
    ValueError
        There is no such camera or flag, or a size or a number makes no picture.
    ImportError, RuntimeError
        The packages of the extra [view], or OpenGL, are not there.
    """
    if not isinstance(what, Model):
        return _pictures(what, fps)
    if not (fps > 0 and speed > 0):
        raise ValueError(f"fps is {fps}, speed {speed}: both must be positive")
    look, chosen = Look(flags), camera_of(what, camera)
    if data is None or isinstance(data, Data):
        with Artist(what, width, height, chosen, look, quality) as artist:
            return Picture(artist.pixels(current_state(what, data)))
    track = Track(what, _recording(data))
    if track.fault:
        warnings.warn(f"{track.fault}: the film ends before it", stacklevel=2)
    if track.lacks_mocap:
        text = f"{track.name}: has no mocap_pos: mocap bodies stand where the model has them"
        warnings.warn(RecordingWarning(text), stacklevel=2)
    own = Data(what)
    with Artist(what, width, height, chosen, look, quality) as artist:

        def pictures() -> Iterable[NDArray]:
            for moment in moments(track.start, track.end, fps, speed):
                track.place(own, moment)
                yield artist.pixels(own)

        return _film(pictures(), fps)


def shown_png(model: Model, data: Data | None) -> bytes | None:
    """Return a small picture as PNG, None where nothing can be drawn: notebooks then show the text."""
    try:
        with Artist(model, 480, 360, quality="fast") as artist:
            return Picture(artist.pixels(current_state(model, data)))._repr_png_()
    except Exception:
        return None
