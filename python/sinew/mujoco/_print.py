"""Models and data as text files, and the last model as MJCF."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._types import Data, Model
from ._drawing import no_drawing
from ._errors import FatalError
from ._load import last_spec
from ._release import SILENT
from ._save import changed_xml
from ._schema import mj_printSchema
from ._user import warn

if TYPE_CHECKING:
    from . import MjLROpt, MjOption, MjVisual, MjvScene

# The peer's defaults: muscles alone, and ranges that are given stay.
_LENGTH_RANGE = {
    "mode": 1,
    "useexisting": 1,
    "uselimit": 0,
    "accel": 20.0,
    "maxforce": 0.0,
    "timeconst": 1.0,
    "timestep": 0.01,
    "inttotal": 10.0,
    "interval": 2.0,
    "tolrange": 0.05,
}


def _print(function: Any, objects: tuple, filename: str | None, float_format: str) -> None:
    """As the peer: a file that cannot be written and a format that is none are warnings."""
    path = "" if filename is None else filename
    try:
        try:
            function(*objects, path, float_format)
        except ValueError as error:
            if not float_format or "is no format" not in str(error):
                raise
            warn(f"{error}; the default is used instead")
            function(*objects, path, "")
    except OSError as error:
        warn(str(error))


def mj_printModel(m: Model, filename: str | None) -> None:
    """Write all sizes, options and fields of a model to a text file; None: to standard output."""
    _print(_core.printModel, (m,), filename, "")


def mj_printFormattedModel(m: Model, filename: str | None, float_format: str) -> None:
    """As mj_printModel, with a format of printf for one floating point number, such as %.6g."""
    _print(_core.printModel, (m,), filename, float_format)


def mj_printData(m: Model, d: Data, filename: str | None) -> None:
    """Write all fields of a data to a text file; None: to standard output."""
    _print(_core.printData, (m, d), filename, "")


def mj_printFormattedData(m: Model, d: Data, filename: str | None, float_format: str) -> None:
    """As mj_printData, with a format of printf for one floating point number, such as %.6g."""
    _print(_core.printData, (m, d), filename, float_format)


def mj_printScene(s: MjvScene, filename: str) -> None:
    """Write a scene to a text file: scenes are not in Sinew yet."""
    raise no_drawing("mj_printScene")


def mj_printFormattedScene(s: MjvScene, filename: str, float_format: str) -> None:
    """As mj_printScene, with a format for numbers: scenes are not in Sinew yet."""
    raise no_drawing("mj_printFormattedScene")


def mj_saveLastXML(filename: str | None, m: Model) -> None:
    """Write the model that was loaded last by MjModel.from_xml_... as MJCF, with what has been changed in m."""
    if not isinstance(m, Model):
        raise TypeError(f"m must be a MjModel, not {type(m)}")
    spec = last_spec()
    if spec is None:
        raise FatalError("No XML model loaded")
    try:
        text = changed_xml(spec, m, os.path.dirname(filename or "") or ".")
    except ValueError as error:
        raise FatalError(str(error)) from error
    if not filename:
        print(text, end="")
        return
    try:
        with open(filename, "w", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise FatalError(f"cannot write '{filename}': {error.strerror}") from error


def mj_defaultLROpt(opt: MjLROpt) -> None:
    """Set the options of mj_setLengthRange to their defaults."""
    for name, value in _LENGTH_RANGE.items():
        setattr(opt, name, value)


def _default_model() -> Model:
    return _core.loadModelText(Model, "<mujoco/>", None, False, False, SILENT)


def mj_defaultOption(opt: MjOption) -> None:
    """Set all options to their defaults."""
    default = _default_model().opt
    for name, *_ in _core.tables()["option"]:
        if hasattr(opt, name):
            setattr(opt, name, getattr(default, name))


def mj_defaultVisual(vis: MjVisual) -> None:
    """Set all visual settings to their defaults."""
    default = _default_model().vis
    for group, name, *_ in _core.tables()["visual"]:
        here = group if hasattr(vis, group) else group + "_"
        ours = group if hasattr(default, group) else group + "_"
        setattr(getattr(vis, here), name, getattr(getattr(default, ours), name))


def mj_defaultSolRefImp(solref: NDArray[np.float64], solimp: NDArray[np.float64]) -> None:
    """Set solref (2) and solimp (5), None: not wanted, to their defaults."""
    default = _default_model().opt
    for name, array, value in (
        ("solref", solref, default.o_solref),
        ("solimp", solimp, default.o_solimp),
    ):
        if array is None:
            continue
        if not isinstance(array, np.ndarray) or array.size != value.size:
            raise TypeError(f"{name} must be None or an array of {value.size} numbers")
        array.reshape(-1)[...] = value


__all__ = [
    "mj_defaultLROpt",
    "mj_defaultOption",
    "mj_defaultSolRefImp",
    "mj_defaultVisual",
    "mj_printData",
    "mj_printFormattedData",
    "mj_printFormattedModel",
    "mj_printFormattedScene",
    "mj_printModel",
    "mj_printScene",
    "mj_printSchema",
    "mj_saveLastXML",
]
