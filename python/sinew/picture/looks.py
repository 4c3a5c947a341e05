"""What shows in a picture and from where, said in words: flags, labels, frames, groups, cameras."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import _core
from .._core import MjvCamera, MjvOption
from .._types import Model

_GROUPS = ("geom", "site", "joint", "tendon", "actuator", "skin", "flex")
_GROUP_COUNT = 6
_TRACKING = 1  # mjCAMERA_TRACKING


@functools.cache
def _enumerations() -> tuple[dict[str, int], ...]:
    """The members of the enumerations of what shows by their names in small letters."""
    tables = {name: items for name, _, items in _core.tables()["scene"]}
    return tuple(
        {item[0].lower(): item[1] for item in tables[name]}
        for name in ("snVisFlag", "snRndFlag", "snLabel", "snFrameType")
    )


def unknown(what: str, word: str, words: Iterable[str]) -> ValueError:
    """Return the error of a word that is none of those there are."""
    words = list(words)
    near = difflib.get_close_matches(word, words, 1)
    if near:
        return ValueError(f'no {what} "{word}"; did you mean "{near[0]}"?')
    return ValueError(f'no {what} "{word}"; there are: {", ".join(words) or "none"}')


class Look:
    """What shows in a picture.

    Parameters
    ----------
    flags : sequence of str
        Names of mjtVisFlag and mjtRndFlag in small letters, as "contactforce" or "wireframe"; "no-shadow" switches off.
    label, frame : str
        A name of mjtLabel and mjtFrame.
    groups : mapping of str to sequence of int
        Which groups of a kind show, as {"geom": (0, 1, 2)}; the others of the kind do not.

    Attributes
    ----------
    option : MjvOption
    render_flags : dict of int to bool
        Flags of a scene that are not as they are by default.

    Raises
    ------
    ValueError
        A name is not there.
    """

    def __init__(
        self,
        flags: Sequence[str] = (),
        label: str = "none",
        frame: str = "none",
        groups: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        self.option = MjvOption()
        _core.mjv_defaultOption(self.option)
        self.render_flags: dict[int, bool] = {}
        visible, drawn, labels, frames = _enumerations()
        for flag in (flags,) if isinstance(flags, str) else flags:
            if not isinstance(flag, str):
                raise TypeError(f'flags are names, as "contactforce", not {flag!r}')
            word = flag.removeprefix("no-")
            if word in visible:
                self.option.flags[visible[word]] = word == flag
            elif word in drawn:
                self.render_flags[drawn[word]] = word == flag
            else:
                raise unknown("flag", word, [*visible, *drawn])
        if label not in labels:
            raise unknown("label", label, labels)
        if frame not in frames:
            raise unknown("frame", frame, frames)
        self.option.label, self.option.frame = labels[label], frames[frame]
        for kind, chosen in (groups or {}).items():
            self._choose(kind, chosen)

    def _choose(self, kind: str, chosen: Sequence[int]) -> None:
        if kind not in _GROUPS:
            raise unknown("kind of groups", kind, _GROUPS)
        if any(not 0 <= group < _GROUP_COUNT for group in chosen):
            raise ValueError(f"groups of {kind} are 0 to {_GROUP_COUNT - 1}, not {list(chosen)}")
        array = getattr(self.option, f"{kind}group")
        array[:] = 0
        array[list(chosen)] = 1


def camera_of(model: Model, camera: str | int | MjvCamera) -> int | MjvCamera:
    """Return the number of a camera of the model by name or number, -1 for the free one; a MjvCamera as it is.

    Raises
    ------
    ValueError
        The model has no such camera.
    """
    if isinstance(camera, MjvCamera):
        return camera
    if not isinstance(camera, (str, int, np.integer)):
        kind = type(camera).__name__
        raise TypeError(f"camera is a name, a number or a MjvCamera, not {kind}")
    names = [model.camera(i).name for i in range(model.ncam)]
    if isinstance(camera, str) and camera in names and camera:
        return names.index(camera)
    if isinstance(camera, str) and camera == "free":
        return -1
    if isinstance(camera, str) and camera.isdecimal():
        camera = int(camera)
    if isinstance(camera, str) and model.ncam:
        raise unknown("camera", camera, [name for name in names if name])
    if isinstance(camera, str) or not -1 <= camera < model.ncam:
        has = (
            f"the model has {model.ncam}, numbers 0 to {model.ncam - 1}"
            if model.ncam
            else "the model has none"
        )
        raise ValueError(f'no camera "{camera}": {has}; "free" is there always')
    return int(camera)


def free_camera(
    model: Model, body: str | None = None, start: MjvCamera | None = None, **settings: Any
) -> MjvCamera:
    """Return a free camera: the model's default view with other settings, or one that follows a body.

    Parameters
    ----------
    model : Model
    body : str, optional
        Name or number of the body that it follows.
    start : MjvCamera, optional
        Taken instead of the default view; it is changed.
    **settings
        Of MjvCamera: lookat, distance, azimuth, elevation.

    Raises
    ------
    ValueError
        The model has no such body, or a number makes no view.
    """
    camera = start or MjvCamera()
    if start is None:
        _core.mjv_defaultFreeCamera(model, camera)
    for name, value in settings.items():
        numbers = np.asarray(value, float)
        if not np.isfinite(numbers).all():
            raise ValueError(f"{name} of the camera is {value}, must be finite")
        if name == "distance" and numbers <= 0:
            raise ValueError(f"distance of the camera is {value}, must be positive")
        if name == "lookat":
            camera.lookat[:] = numbers
        else:
            setattr(camera, name, float(numbers))
    if body is not None:
        camera.type = _TRACKING
        camera.trackbodyid = _body(model, body)
    return camera


def _body(model: Model, word: str) -> int:
    names = [model.body(i).name for i in range(model.nbody)]
    if word in names:
        return names.index(word)
    if word.isdecimal() and int(word) < model.nbody:
        return int(word)
    raise unknown("body", word, [name for name in names if name])
