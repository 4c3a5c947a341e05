"""Plugins: kinds of passive forces, actuators, sensors and shapes of your own, which model files name."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from . import _core

if TYPE_CHECKING:
    from ._types import Data, Model

_STAGES = {"pos": 1, "vel": 2, "acc": 3}
_CAPABILITIES = ("passive", "act_dot", "actuator", "sensor", "advance")


class Plugin:
    """What a plugin in Python derives from; `register_plugin` makes it known to model files.

    An object of the class stands for an instance in one `Data`. What it can do is what it has methods for,
    each called as `method(self, model, data, instance)` where the page plugins.md says:

    - `passive` adds to `data.qfrc_passive`,
    - `act_dot` sets `data.act_dot` and `actuator` sets `data.actuator_force` of the actuators whose
      `model.actuator_plugin` is the instance,
    - `sensor` sets `data.sensordata` of the sensors whose `model.sensor_plugin` is the instance,
    - `advance` changes the state at the end of a step.

    A shape has the static methods `distance(numbers, point)`, negative inside, and `box(numbers)`, centre and
    half sizes, and may have `gradient(numbers, point)`; `numbers` are those of the instance. With
    `distances(numbers, points)`, which takes an array (n, 3) and returns one (n,), its mesh is made much sooner;
    `gradients(numbers, points)` -> (n, 3) may go with it.

    An exception in a step ends it and comes out of the function that was called, with the state before the
    step; so does one of a shape, also when its model is compiled. One in `__init__` is the cause of an error of
    the model.

    Attributes
    ----------
    name : str
        In model files, unique: "project.kind".
    attributes : tuple of str
        Keys that `<config>` may have.
    stage : str
        "pos", "vel" or "acc": after which stage `sensor` is called.
    nnumber : int
        How many `numbers` an instance has, which the model keeps.
    state_size : int
        Numbers in `data.plugin_state`; may be set in `__init__`.
    sensor_size : int
        Numbers of a sensor; may be set in `__init__`.
    numbers : sequence of float
        Set in `__init__` where `nnumber` is above 0.
    """

    name: ClassVar[str] = ""
    attributes: ClassVar[tuple[str, ...]] = ()
    stage: ClassVar[str] = "acc"
    nnumber: ClassVar[int] = 0
    state_size: int = 0
    sensor_size: int = 1
    numbers: Sequence[float] = ()

    def __init__(self, config: dict[str, str]) -> None:
        """Take a configuration: the texts that a file gives, by key. ValueError: one is wrong."""

    def reset(self) -> Sequence[float]:
        """Return the state [state_size] after a reset: zeros."""
        return [0.0] * self.state_size

    @staticmethod
    def state(model: Model, data: Data, instance: int) -> np.ndarray:
        """Return the view of the state of an instance, `model.plugin_statenum[instance]` numbers."""
        begin = model.plugin_stateadr[instance]
        return data.plugin_state[begin : begin + model.plugin_statenum[instance]]


def register_plugin(plugin: type[Plugin]) -> type[Plugin]:
    """Make a plugin known to models that are loaded from now on; also a decorator of its class.

    Parameters
    ----------
    plugin : type
        A subclass of `Plugin`.

    Returns
    -------
    type
        The same.

    Raises
    ------
    ValueError
        The name is taken, or something is missing.
    """
    if not (isinstance(plugin, type) and issubclass(plugin, Plugin)):
        raise TypeError("a plugin is a subclass of sinew.Plugin")
    if isinstance(plugin.attributes, str):
        raise TypeError(f"plugin {plugin.name!r}: attributes must be a tuple of names, not one")
    if plugin.stage not in _STAGES:
        raise ValueError(
            f"plugin {plugin.name!r}: stage is {plugin.stage!r}, must be pos, vel or acc"
        )
    can = sum(1 << k for k, method in enumerate(_CAPABILITIES) if hasattr(plugin, method))
    shape = hasattr(plugin, "distance") and hasattr(plugin, "box")
    for method in ("distance", "distances", "gradient", "gradients", "box"):
        if hasattr(plugin, method) and not shape:
            raise ValueError(
                f"plugin {plugin.name!r}: a shape, as it has {method}, needs distance and box"
            )
    can |= 32 * shape | 64 * (shape and hasattr(plugin, "distances"))
    _core.registerPlugin(
        plugin, plugin.name, tuple(plugin.attributes), plugin.nnumber, _STAGES[plugin.stage], can
    )
    return plugin


def load_plugin_library(path: str | os.PathLike[str]) -> None:
    """Load a library of plugins (.so, .dylib) that is written with sinew/plugin.h.

    Parameters
    ----------
    path : path
        The library. One that was loaded before is left as it is.

    Raises
    ------
    OSError
        It cannot be loaded.
    ValueError
        It has no plugins for Sinew, or one of MuJoCo's, or a name is taken.
    """
    _core.loadPluginLibrary(path)


def plugins() -> dict[str, tuple[str, ...]]:
    """Return the plugins that there are: the names, and the keys that each one's configuration may have."""
    listed: list[tuple[str, tuple[str, ...], int]] = _core.listPlugins()
    return {name: keys for name, keys, _ in listed}


__all__: list[Any] = ["Plugin", "load_plugin_library", "plugins", "register_plugin"]
