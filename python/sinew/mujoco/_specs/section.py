"""Sections such as <option> and <compiler>."""

from __future__ import annotations

from typing import Any

from ... import _core
from .struct import Struct

_PARTS = {
    "visual": ("global", "quality", "headlight", "map", "scale", "rgba"),
}
_BITS = {
    "disableflags": [
        (row[2], row[1]) for t in _core.tables()["enums"] if t[0] == "snDisableBit" for row in t[2]
    ],
    "enableflags": [
        (row[2], row[1]) for t in _core.tables()["enums"] if t[0] == "snEnableBit" for row in t[2]
    ],
}


class Section(Struct):
    """Members over a section such as <option>; parts of a section are members, too."""

    __slots__ = ("_path",)

    def __init__(self, spec: Any, path: str) -> None:
        super().__init__(spec, _core.specSection(spec._handle, path))
        object.__setattr__(self, "_path", path)

    def __getattr__(self, name: str) -> Any:
        part = name.rstrip("_")
        if part in _PARTS.get(self._path, ()):
            return self._spec._section(f"{self._path}/{part}")
        return super().__getattr__(name)


class OptionSection(Section):
    """<option> with its flags as bits."""

    __slots__ = ()
    _own = {"disableflags": 0, "enableflags": 0}

    def _flags(self) -> Any:
        return _core.specSection(self._spec._handle, "option/flag")

    def _load(self) -> dict[str, Any]:
        flags = self._flags()
        result = {}
        for name, bits in _BITS.items():
            word = "disable" if name == "disableflags" else "enable"
            result[name] = sum(bit for key, bit in bits if _core.elementGetText(flags, key) == word)
        return result

    def _store(self, values: dict[str, Any]) -> None:
        flags = self._flags()
        for name, bits in _BITS.items():
            for key, bit in bits:
                on = bool(values[name] & bit) == (name == "enableflags")
                _core.elementSetText(flags, key, "enable" if on else "disable")


class CompilerSection(Section):
    """<compiler>."""

    __slots__ = ()
    _own = {"eulerseq": ["x", "y", "z"], "alignfree": 0}

    def _load(self) -> dict[str, Any]:
        text = _core.elementGetText(self._element, "eulerseq") or "xyz"
        align = _core.elementGetText(self._element, "alignfree")
        return {"eulerseq": list(text), "alignfree": int(align == "true")}

    def _store(self, values: dict[str, Any]) -> None:
        _core.elementSetText(self._element, "eulerseq", "".join(values["eulerseq"]))
        _core.elementSetText(
            self._element, "alignfree", "true" if int(values["alignfree"]) else "false"
        )
