"""Orientations in any of the forms that MJCF has."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS
from .members import Members

ORIENTATION = ENUMS["mjtOrientation"]
FORMS = {"axisangle": 4, "xyaxes": 6, "zaxis": 3, "euler": 3}


class MjsOrientation(Members):
    """An orientation in another form than a quaternion; `type` says which form counts."""

    __slots__ = ()
    _own: dict[str, Any] = {
        "type": ORIENTATION.mjORIENTATION_QUAT, **{form: np.zeros(n) for form, n in FORMS.items()}
    }  # fmt: skip

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
