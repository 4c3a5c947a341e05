"""Orientations in any of the forms that MJCF has."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS

ORIENTATION = ENUMS["mjtOrientation"]
FORMS = {"axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}


class MjsOrientation:
    """An orientation in another form than a quaternion; `type` says which form counts."""

    __slots__ = ("axisangle", "euler", "type", "xyaxes", "zaxis")

    def __init__(self) -> None:
        object.__setattr__(self, "type", ORIENTATION.mjORIENTATION_QUAT)
        for name, size in FORMS.items():
            object.__setattr__(self, name, np.zeros(size))

    def __setattr__(self, name: str, value: Any) -> None:
        if name in FORMS:
            value = np.array(value, np.float64).ravel()
            if value.size != FORMS[name]:
                raise ValueError(f"{name} should be a list/array of size {FORMS[name]}.")
        elif name == "type":
            value = ORIENTATION(value)
        object.__setattr__(self, name, value)

    def __getattribute__(self, name: str) -> Any:
        value = object.__getattribute__(self, name)
        return value[...] if isinstance(value, np.ndarray) else value

    def copy(self) -> MjsOrientation:
        """A copy."""
        result = MjsOrientation()
        for name in self.__slots__:
            setattr(result, name, getattr(self, name))
        return result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MjsOrientation) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in self.__slots__
        )

    __hash__ = None  # type: ignore[assignment]

    def _load(self, element: Any) -> None:
        for name in FORMS:
            numbers = np.frombuffer(_core.elementGetNumbers(element, name), np.float64)
            if numbers.size == FORMS[name]:
                setattr(self, name, numbers)
                self.type = ORIENTATION["mjORIENTATION_" + name.upper()]


def quaternion(orientation: MjsOrientation, degree: bool, sequence: str) -> np.ndarray:
    """The quaternion of an orientation."""
    quat, unit = np.array([1.0, 0, 0, 0]), np.pi / 180 if degree else 1.0
    form = orientation.type.name.removeprefix("mjORIENTATION_").lower()
    if form == "axisangle":
        axis, angle = orientation.axisangle[:3], orientation.axisangle[3]
        _core.axisAngle2Quat(quat, axis / np.linalg.norm(axis), angle * unit)
    elif form == "zaxis":
        _core.quatZ2Vec(quat, orientation.zaxis)
    elif form == "euler":
        _core.euler2Quat(quat, orientation.euler * unit, sequence)
    elif form == "xyaxes":
        x, y = orientation.xyaxes[:3], orientation.xyaxes[3:]
        x = x / np.linalg.norm(x)
        y = y - x * (x @ y)
        y = y / np.linalg.norm(y)
        _core.mat2Quat(quat, np.column_stack([x, y, np.cross(x, y)]).ravel())
    return quat


def load_orientation(element: Any, quat: str, alt: str) -> dict[str, Any]:
    orientation = MjsOrientation()
    orientation._load(element)
    result: dict[str, Any] = {alt: orientation}
    numbers = np.frombuffer(_core.elementGetNumbers(element, "quat"), np.float64)
    if numbers.size == 4:
        result[quat] = numbers.copy()
    return result


def store_orientation(element: Any, quat: np.ndarray, alt: MjsOrientation) -> None:
    name = alt.type.name.removeprefix("mjORIENTATION_").lower()
    value = quat if name == "quat" else getattr(alt, name)
    for other in FORMS:
        if other != name:
            _core.elementSetText(element, other, None)
    _core.elementSetNumbers(element, name, value.tobytes())
