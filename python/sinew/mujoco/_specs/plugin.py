"""Structs of plugins: instances of the model's own, and what bodies, geoms, meshes, actuators and sensors say of theirs."""

from __future__ import annotations

from typing import Any

from ... import _core
from .members import Members


def refuse(what: str) -> Exception:
    """What is raised where something is to be used that Sinew has not."""
    return _core.NotSupportedError(f"{what} are not supported")


def children(element: Any, tag: str) -> list[Any]:
    """The elements of a tag directly in an element."""
    found, child = [], _core.elementInfo(element)[4]
    while child is not None:
        if _core.elementInfo(child)[0] == tag:
            found.append(child)
        child = _core.elementInfo(child)[5]
    return found


def declared(handle: Any, plugin: str) -> Any:
    """What declares a plugin in <extension>, made where there is nothing."""
    section = _core.specSection(handle, "extension")
    for element in children(section, "plugin"):
        if _core.elementGetText(element, "plugin") == plugin:
            return element
    element = _core.elementAdd(section, "plugin", None)
    _core.elementSetText(element, "plugin", plugin)
    return element


def _write_config(element: Any, config: dict[str, str]) -> None:
    for old in children(element, "config"):
        _core.elementRemove(old)
    for key, value in config.items():
        child = _core.elementAdd(element, "config", None)
        _core.elementSetText(child, "key", key)
        _core.elementSetText(child, "value", value)


def _read_config(element: Any) -> dict[str, str]:
    return {
        _core.elementGetText(child, "key") or "": _core.elementGetText(child, "value") or ""
        for child in children(element, "config")
    }


class MjsPlugin(Members):
    """An instance of a plugin (`spec.plugins`), or what an element says of its own: `active` is whether it has one,
    `name` the instance that it names, `plugin_name` the plugin, `config` texts by key."""

    __slots__ = ("_element", "_spec", "_told")
    _own: dict[str, Any] = {"name": "", "plugin_name": "", "active": 0, "info": "", "config": {}}
    signature = 0

    def __init__(self) -> None:
        super().__init__()
        self._element: Any = None
        self._spec: Any = None
        self._told: Any = None  # what the element had when it was last set

    @property
    def id(self) -> int:
        """Its place among the instances after a compilation; -1: none yet."""
        return -1 if self._element is None else _core.elementInfo(self._element)[2]

    @classmethod
    def _of_instance(cls, spec: Any, element: Any) -> MjsPlugin:
        """The struct of an <instance>."""
        result = cls()
        result._spec, result._element = spec, element
        result._values = {
            "name": _core.elementGetText(element, "name") or "",
            "plugin_name": _core.elementGetText(_core.elementInfo(element)[3], "plugin") or "",
            "active": 1,
            "info": "",
            "config": _read_config(element),
        }
        return result

    @classmethod
    def _of_element(cls, element: Any | None) -> MjsPlugin:
        """The struct of a <plugin> in an element, or of one that is a <plugin>; None: there is none."""
        result = cls()
        if element is not None:
            result._values = {
                "name": _core.elementGetText(element, "instance") or "",
                "plugin_name": _core.elementGetText(element, "plugin") or "",
                "active": 1,
                "info": "",
                "config": _read_config(element),
            }
        return result

    def _write_instance(self) -> None:
        """Set the <instance> from the members, made where its plugin is declared."""
        if self == self._told:
            return
        home = declared(self._spec._handle, self._get("plugin_name"))
        if self._element is None:
            self._element = _core.elementAdd(home, "instance", None)
        elif _core.elementInfo(self._element)[3] != home:
            _core.elementMove(self._element, home)
        self._told = self.copy()
        if _core.elementGetText(self._element, "name") != self._get("name"):
            _core.elementSetText(self._element, "name", self._get("name") or None)
        _write_config(self._element, self._get("config"))

    def _write(self, element: Any) -> None:
        """Set what a <plugin> says from the members."""
        name = self._get("name")
        _core.elementSetText(element, "instance", name or None)
        _core.elementSetText(element, "plugin", None if name else self._get("plugin_name") or None)
        _write_config(element, {} if name else self._get("config"))
