"""The copy of model and data that pages look at."""

from __future__ import annotations

import functools
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._enums import Timer  # type: ignore[attr-defined]
from .._types import Data, Model
from ..viewer import wire
from ..viewer.assets import put_asset
from ..viewer.block import Reader, read_once
from ..viewer.options import numbers_of, take_numbers, words_of_numbers
from ..viewer.states import State
from .shapes import Shapes

_WARNINGS = next(rows for name, _, rows in _core.tables()["enums"] if name == "snWarning")


class World:
    """A model, and the newest state of the process that simulates it.

    Parameters
    ----------
    model : int
        Descriptor of the memory with the packed model; closed.
    states : int
        That of the memory in which states stand.
    number : int
        Counts the models of a viewer.
    keep : bool
        Pages look at it from where they looked at the one before.

    Attributes
    ----------
    version : int
        Counts the states that have been taken.
    looks : int
        Counts changes of what scenes do not tell of looks: materials, meshes, textures.
    options : dict
        Options of the model by their names.
    """

    def __init__(self, model: int, states: int, number: int = 0, keep: bool = False) -> None:
        self.number, self.keep = number, keep
        self.model: Model = _core.unpackModel(Model, read_once(model))
        self.data = Data(self.model)  # into which each state comes: its memory is taken once
        self._warned: NDArray[np.int32] = self.data.warning.number
        self.shapes = Shapes(self.model)
        self.words: dict[str, Any] = {}
        self.options = words_of_numbers(numbers_of(self.model.opt))
        self.version = self.looks = 0
        self._states = Reader(states)
        self._before = State(b"{}", b"")

    @functools.cached_property
    def scratch(self) -> Data:
        """A data of the model in which is computed what the simulation does not."""
        return Data(self.model)

    def look(self) -> bool:
        """Take the newest state; return whether there was a new one."""
        state = self._states.read()
        if state is None:
            return False
        now, before = State(*state), self._before
        self._before = now._replace(data=b"")
        _core.unpackInto(self.data, now.data)
        if now.words != before.words:
            self.words = json.loads(now.words)
        if now.changes != before.changes:
            self._take_changes(*wire.unpack(now.changes))
        self.version += 1
        return True

    @property
    def user(self) -> bytes:
        """Records of the newest shapes of the program's own."""
        return self._before.user

    def _take_changes(self, _: dict[str, Any], arrays: dict[str, NDArray]) -> None:
        """Take what has changed in the model."""
        for name, value in arrays.items():
            if name.startswith("model."):
                self._change(getattr(self.model, name.removeprefix("model.")), value)
        if "option" in arrays:
            take_numbers(self.model.opt, arrays["option"])
            self.options = words_of_numbers(arrays["option"])

    def _change(self, array: NDArray, value: NDArray) -> None:
        """Set an array of the model, which states have again and again."""
        if not np.array_equal(array, value):
            array[...] = value
            self.looks += 1

    def take_asset(self, kind: str, index: int, descriptor: int) -> None:
        """Take a mesh, height field or texture that the program has changed."""
        put_asset(self.model, kind, index, wire.unpack(read_once(descriptor))[1])
        self.shapes.forget(kind, index)
        self.version += 1
        self.looks += 1

    def times(self) -> NDArray[np.float64]:
        """Return durations and numbers of calls [2, stages] of `data.timer`, which the copy of the data has not."""
        rows = np.frombuffer(self._before.timer, self.data.timer.dtype)
        return (
            np.array([rows["duration"], rows["number"]]) if len(rows) else np.zeros((2, len(Timer)))
        )

    def warnings(self) -> list[str]:
        """Return what the simulation has warned of since its last reset, a line each."""
        counts = self._warned
        if not counts.any():
            return []
        return [
            f"{meaning} ({counts[value]} times)"
            for _, value, _, meaning in _WARNINGS
            if counts[value] > 0
        ]

    def add_user_geoms(self, scene: Any, user: bytes | None = None) -> None:
        """Add the shapes of the program's own, as they are or were, to a scene, as many as there is room for."""
        user = self.user if user is None else user
        if not user:
            return
        rows = scene._geom_rows
        given = np.frombuffer(user, rows.dtype)[: scene.maxgeom - scene.ngeom]
        rows[scene.ngeom : scene.ngeom + len(given)] = given
        scene.ngeom += len(given)

    def close(self) -> None:
        """Leave the memory."""
        self._states.close()
