"""Structs of what a model holds for its users: numbers, texts, tuples, keyframes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS
from .attributes import parts
from .members import cast
from .struct import Named
from .vectors import MjDoubleVec, MjIntVec, MjStringVec


class MjsNumeric(Named):
    """Numbers of the model's own; size 0: as many as there are."""

    __slots__ = ()
    _home = ("custom", "numeric")
    _options = "name data size info"
    _own = {"size": 0}

    def _load(self) -> dict[str, Any]:
        numbers = np.frombuffer(_core.elementGetNumbers(self._element, "size"), np.float64)
        return {"size": max(0, int(numbers[0])) if numbers.size else 0}

    def _store(self, values: dict[str, Any]) -> None:
        text = str(values["size"]) if values["size"] > 0 else None
        _core.elementSetText(self._element, "size", text)


class MjsText(Named):
    """Text of the model's own."""

    __slots__ = ()
    _home = ("custom", "text")
    _options = "name data info"


class MjsTuple(Named):
    """A list of objects."""

    __slots__ = ()
    _home = ("custom", "tuple")
    _options = "name objtype objname objprm info"
    _own: dict[str, Any] = {
        "objtype": MjIntVec.of([]), "objname": MjStringVec.of([]), "objprm": MjDoubleVec.of([]),
    }  # fmt: skip

    def _load(self) -> dict[str, Any]:
        result: dict[str, Any] = {"objtype": [], "objname": [], "objprm": []}
        for part in parts(self._element):
            word = _core.elementGetText(part, "objtype")
            result["objtype"].append(int(ENUMS["mjtObj"]["mjOBJ_" + (word or "unknown").upper()]))
            result["objname"].append(_core.elementGetText(part, "objname") or "")
            numbers = np.frombuffer(_core.elementGetNumbers(part, "prm"), np.float64)
            result["objprm"].append(float(numbers[0]) if numbers.size else 0.0)
        return {name: cast(name, value, self._own[name]) for name, value in result.items()}

    def _store(self, values: dict[str, Any]) -> None:
        for part in parts(self._element):
            _core.elementRemove(part)
        rows = zip(values["objtype"], values["objname"], values["objprm"], strict=False)
        for kind, name, prm in rows:
            part = _core.elementAdd(self._element, "element", None)
            word = ENUMS["mjtObj"](kind).name.removeprefix("mjOBJ_").lower()
            _core.elementSetText(part, "objtype", word)
            _core.elementSetText(part, "objname", name)
            _core.elementSetNumbers(part, "prm", np.array([prm], np.float64).tobytes())


class MjsKey(Named):
    """A keyframe."""

    __slots__ = ()
    _home = ("keyframe", "key")
    _options = "name time qpos qvel act mpos mquat ctrl info"
