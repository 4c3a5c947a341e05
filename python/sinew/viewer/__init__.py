"""A window to look around in, in the browser: `launch` simulates, `launch_passive` shows what a program steps, `play`
plays what was recorded, `export` writes a recording as a page in one file.

See docs/viewer.md. It needs the extra [view].
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from .. import _core
from .._recording import Recording, RecordingWarning
from .._types import Data, Model
from ..picture.tracks import Track
from .handle import Handle as Handle
from .loading import Source as Source
from .managed import Loader, Managed, checked
from .playback import Playback
from .recorded import Run, recorded_models, recordings_of, tracks_of
from .server import ServerError as ServerError

_H = TypeVar("_H", bound=Handle)
EMPTY = "<mujoco model='empty'/>"  # the model of a viewer without one

__all__ = ["Handle", "ServerError", "export", "launch", "launch_passive", "play"]


def launch(
    model: Model | None = None,
    data: Data | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    browser: bool = True,
    source: str | None = None,
    loader: Loader | None = None,
) -> None:
    """Simulate in real time and show it in the browser, until the last page is closed or Ctrl-C is pressed.

    Parameters
    ----------
    model : Model, optional
        None: an empty world, until a model is dropped into the page.
    data : Data, optional
        Goes on from its state; None: a new one.
    host : str
        Address that is served. Anything but a loopback address lets other machines in, who know the token.
    port : int
        0: one that is free.
    browser : bool
        Open the default browser, where there is one. The address is printed anyway.
    source : str, optional
        File that the model is of: when it changes it is loaded again, and pages write it anew with the state as a
        keyframe.
    loader : callable, optional
        Returns a model and its data, in place of `model` and `data`: called without arguments at the beginning, and when
        a page wants the model loaded again (Ctrl+L). What it raises then is shown in the page, and the model stays.

    Raises
    ------
    ServerError
        The port is taken, or this package was built without the page.
    ImportError
        A package of the extra [view] is missing.
    """
    if loader is not None:
        if model is not None or data is not None or source is not None:
            raise ValueError("loader is given, and with it model, data or source")
        model, data = loader()
    empty = model is None
    if model is None:
        if data is not None:
            raise ValueError("data is given and model is not")
        model = Model.from_xml(EMPTY)
    read = None if source is None else Source(source, visuals=False)
    simulate(model, data, read, empty, loader=loader, host=host, port=port, browser=browser)


def simulate(
    model: Model,
    data: Data | None,
    source: Source | None = None,
    empty: bool = False,
    **given: Any,
) -> None:
    """Do what `launch` does, with a model that is loaded again when its source changes."""
    made = Data(model) if data is None else data
    checked(model, made)
    if data is None:
        _core.forward(model, made)
    run_until_closed(Managed(model, made, source, empty, **given))


def run_until_closed(viewer: Managed) -> None:
    """Say where a viewer is, and run it until its last page is closed or Ctrl-C is pressed."""
    with viewer:
        print(f"viewer at {viewer.address}", flush=True)
        try:
            viewer.run()
        except KeyboardInterrupt:
            pass


def play(
    recording: Run | Sequence[Run],
    model: Model | Sequence[Model] | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    browser: bool = True,
) -> None:
    """Play a recording in the browser, or two beside each other, until the last page is closed or Ctrl-C is pressed.

    Parameters
    ----------
    recording : Recording or path, or a sequence of two
        Two run by one clock.
    model : Model, or a sequence of them, optional
        What was recorded, one for both or one for each. None: the model that a recording (.mcap) holds.
    host, port, browser
        As `launch`.

    Raises
    ------
    ValueError
        It is no recording of the model, or has no rows; there is no model; there are more than two.
    OSError
        A file cannot be read.
    ServerError, ImportError
        As `launch`.

    Warns
    -----
    RecordingWarning
        Rows from one with numbers that are not finite on are left out; or it is not recorded where mocap bodies are.
    """
    runs = recordings_of(recording)
    tracks = tracks_of(runs, recorded_models(runs, model))
    names = [os.path.basename(run.path) or f"recording {k}" for k, run in enumerate(runs)]
    datas = [Data(track.model) for track in tracks]
    play_tracks(tracks, datas, names, host=host, port=port, browser=browser)


def play_tracks(
    tracks: Sequence[Track], datas: Sequence[Data], names: Sequence[str], **given: Any
) -> None:
    """Do what `play` does, with recordings that were read."""
    playback = Playback(tracks, datas, names)
    run_until_closed(Managed(tracks[0].model, datas[0], playback=playback, **given))


def launch_passive(
    model: Model,
    data: Data,
    *,
    key_callback: Callable[[int], None] | None = None,
    host: str = "127.0.0.1",
    port: int = 0,
    browser: bool = True,
) -> Handle:
    """Show in the browser what a program of yours steps; return at once.

    Parameters
    ----------
    model, data : Model, Data
    key_callback : callable, optional
        Called with GLFW's code of each key that is pressed in the page, in a thread of the viewer's.
    host, port, browser
        As `launch`.

    Returns
    -------
    Handle
        Call its `sync` after steps; it is a context manager that closes the viewer.

    Raises
    ------
    ServerError, ImportError
        As `launch`.

    Examples
    --------
    >>> with sinew.viewer.launch_passive(model, data) as viewer:
    ...     while viewer.is_running():
    ...         sinew.step(model, data)
    ...         viewer.sync()
    """
    return passive(Handle, model, data, key_callback, host=host, port=port, browser=browser)


def passive(kind: type[_H], model: Model, data: Data, *given: Any, **more: Any) -> _H:
    """Return a viewer of a kind of Handle, as `launch_passive`."""
    checked(model, data)
    viewer = kind(model, data, *given, **more)
    print(f"viewer at {viewer.address}", flush=True)
    return viewer


def export(
    path: str | os.PathLike,
    model: Model,
    recording: Recording | str | os.PathLike,
    *,
    fps: float = 60.0,
    start: float | None = None,
    end: float | None = None,
) -> None:
    """Write a recording as a page in one file, which plays it: it opens from disk, and asks nobody for anything.

    Parameters
    ----------
    path : str or path-like
        The file, a name that ends with .html, which appears when it is whole.
    model : Model
        As it is shown.
    recording : Recording, str or path-like
        A recording of it, or the path of one.
    fps : float
        Rows a second that the page has.
    start, end : float, optional
        Times of the recording between which they are; None: all of it.

    Warns
    -----
    UserWarning
        From some row on numbers are not finite: the page ends before it.

    Raises
    ------
    ValueError
        It is no recording of this model, has no rows between start and end, or makes more than 200 MB; or the path
        is none of a page.
    OSError
        A file cannot be read or written.
    RuntimeError
        This package was built without the page.

    Examples
    --------
    >>> sinew.viewer.export("run.html", model, "run.npy")
    """
    from .._viewer.export import export as write
    from .._viewer.export import moments_of

    if not isinstance(model, Model):
        raise TypeError(f"model is a Model, not {type(model).__name__}")
    read = recording if isinstance(recording, Recording) else Recording.from_path(recording)
    track = Track(model, read)
    if track.fault:
        warnings.warn(f"{track.fault}: the page ends before it", stacklevel=2)
    if track.lacks_mocap:
        text = f"{track.name}: has no mocap_pos: mocap bodies stand where the model has them"
        warnings.warn(RecordingWarning(text), stacklevel=2)
    write(path, track, moments_of(track, fps, start, end))
