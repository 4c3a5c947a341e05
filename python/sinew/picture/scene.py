"""What there is to draw: the scene of a model, whose arrays are views of the library's memory."""

from __future__ import annotations

from typing import Any, NoReturn

from .. import _core
from .._types import Model


class MjvScene(_core._MjvScene):
    """What a renderer draws: geoms, lights, cameras; made empty, with room for `maxgeom` geoms.

    Parameters
    ----------
    model : Model
        Whose skins it has room for.
    maxgeom : int
        Room for geoms.
    """

    __slots__ = ("_arrays",)
    _arrays: dict[str, Any]

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return an empty scene; what it is for is said to `__init__`, which subclasses may give other arguments."""
        scene = _core.makeScene(cls, None, 0)
        scene._arrays = {}
        return scene

    def __init__(self, model: Model | None = None, maxgeom: int | None = None) -> None:
        if (model is None) != (maxgeom is None):
            raise TypeError("MjvScene takes no arguments, or model and maxgeom")
        if maxgeom is not None:
            _core.swapScenes(self, _core.makeScene(MjvScene, model, maxgeom))
            self._arrays = {}

    __repr__ = object.__repr__
    __eq__ = object.__eq__
    __hash__ = None  # type: ignore[assignment]

    @property
    def _effects(self) -> Any:
        """Effects by `RndFlag`, which `flags` may have in another order."""
        return _core._MjvScene.flags.__get__(self)

    def _take_flags(self) -> None:
        """Let the effects be what `flags` says, where that is another array."""

    def __copy__(self) -> MjvScene:
        self._take_flags()
        copy = _core.copyScene(self)
        copy._arrays = {}
        return copy

    def __deepcopy__(self, memo: dict) -> MjvScene:
        return self.__copy__()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a MjvScene cannot be pickled")


def _array(name: str, meaning: str, settable: bool) -> property:
    """A property for an array, or a tuple of structs, of a scene, which is made once."""

    def get(scene: MjvScene) -> Any:
        held = scene._arrays.get(name)
        if held is None:
            held = scene._arrays[name] = _core.sceneArray(scene, name)
        return held

    def put(scene: MjvScene, value: Any) -> None:
        get(scene)[...] = value

    return property(get, put if settable else None, doc=meaning)


for _name, _meaning in _core.tables()["scene_arrays"]:
    setattr(MjvScene, _name, _array(_name, _meaning, True))
MjvScene.geoms = _array("geoms", "geoms, `ngeom` of them are there", False)  # type: ignore[attr-defined]
MjvScene._geom_rows = _array("geom_rows", "the geoms as one structured array", False)  # type: ignore[attr-defined]
MjvScene.lights = _array("lights", "lights, `nlight` of them are there", False)  # type: ignore[attr-defined]
MjvScene.camera = _array("camera", "cameras of the left and right eye", False)  # type: ignore[attr-defined]
