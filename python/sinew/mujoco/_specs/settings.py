"""Options, visual settings and statistics of a spec: structs of the engine that tell its sections."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS
from .._names import enum_name
from .._release import IS_LATER
from .fields import Field, fields_of
from .members import Members, keep, same

_GROUPS = ("global_", "quality", "headlight", "map", "scale", "rgba")


def _bits(theirs: str, prefix: str) -> list[tuple[str, int]]:
    """Words of MJCF's flags that are bits of an enumeration of the peer's, with the bits."""
    members = ENUMS[theirs].__members__
    ours = [t for t in _core.tables()["enums"] if t[0] in ("snDisableBit", "snEnableBit")]
    rows = [row for t in ours for row in t[2] if IS_LATER or enum_name(t[0]) == theirs]
    if IS_LATER:  # in which one is of the other enumeration
        rows = [row for row in rows if prefix + row[0] in members]
    return [(row[2], int(members.get(prefix + row[0], row[1]))) for row in rows]


BITS = {
    "disableflags": _bits("mjtDisableBit", "mjDSBL_"),
    "enableflags": _bits("mjtEnableBit", "mjENBL_"),
}


class Settings:
    """A struct over the attributes of a section: what changes in it is set there when the spec is flushed."""

    def __init__(self, spec: Any, struct: Any, path: str) -> None:
        self.struct = struct
        self._element = _core.specSection(spec._handle, path)
        self._fields = {n: f for n, f in fields_of(self._element).items() if hasattr(struct, n)}
        self.refresh()

    def refresh(self) -> None:
        """Take the values of the section, which others have changed."""
        for name, field in self._fields.items():
            _assign(self.struct, name, field.read(self._element))
        self._saved = {name: keep(getattr(self.struct, name)) for name in self._fields}

    def assign(self, other: Any) -> None:
        """All members from another struct."""
        if type(other) is not type(self.struct):
            raise TypeError(f"a {type(self.struct).__name__} is needed.")
        for name in (n for n in dir(type(other)) if not n.startswith("_")):
            if not callable(getattr(other, name)):
                _assign(self.struct, name, getattr(other, name))

    def flush(self) -> None:
        """Set what has changed."""
        for name, field in self._fields.items():
            value = getattr(self.struct, name)
            if not same(value, self._saved[name]):
                field.write(self._element, value)
                self._saved[name] = keep(value)


def _assign(struct: Any, name: str, value: Any) -> None:
    if isinstance(value, np.ndarray):
        getattr(struct, name)[...] = value
    else:
        setattr(struct, name, int(value) if hasattr(type(value), "__members__") else value)


class OptionSettings(Settings):
    """<option>, with its flags and groups as bits."""

    def __init__(self, spec: Any, struct: Any) -> None:
        self._flags = _core.specSection(spec._handle, "option/flag")
        super().__init__(spec, struct, "option")

    def refresh(self) -> None:
        """Take the values of the section, which others have changed."""
        super().refresh()
        for name, bits in BITS.items():
            word = "disable" if name == "disableflags" else "enable"
            on = [bit for key, bit in bits if _core.elementGetText(self._flags, key) == word]
            setattr(self.struct, name, sum(on))
        groups = _core.elementGetNumbers(self._element, "actuatorgroupdisable")
        self.struct.disableactuator = sum(1 << int(i) for i in np.frombuffer(groups))
        self._bits = self._now()

    def _now(self) -> dict[str, int]:
        return {name: getattr(self.struct, name) for name in (*BITS, "disableactuator")}

    def flush(self) -> None:
        """Set what has changed."""
        super().flush()
        now = self._now()
        for name, bits in BITS.items():
            for key, bit in bits:
                if (now[name] ^ self._bits[name]) & bit:
                    on = bool(now[name] & bit) == (name == "enableflags")
                    _core.elementSetText(self._flags, key, "enable" if on else "disable")
        if now["disableactuator"] != self._bits["disableactuator"]:
            groups = [float(i) for i in range(31) if now["disableactuator"] >> i & 1]
            _set_list(self._element, "actuatorgroupdisable", groups)
        self._bits = now


def _set_list(element: Any, name: str, numbers: list[float]) -> None:
    if numbers:
        _core.elementSetNumbers(element, name, np.array(numbers).tobytes())
    else:
        _core.elementSetText(element, name, None)


class StatisticSettings(Settings):
    """<statistic>."""

    def __init__(self, spec: Any, struct: Any) -> None:
        super().__init__(spec, struct, "statistic")


class VisualSettings:
    """<visual> with its groups."""

    def __init__(self, spec: Any, struct: Any) -> None:
        self.struct = struct
        self._groups = {
            name: Settings(spec, getattr(struct, name), "visual/" + name.rstrip("_"))
            for name in _GROUPS
        }

    def assign(self, other: Any) -> None:
        """All members of all groups from another struct."""
        for name, group in self._groups.items():
            group.assign(getattr(other, name))

    def refresh(self) -> None:
        """Take the values of the sections, which others have changed."""
        for group in self._groups.values():
            group.refresh()

    def flush(self) -> None:
        """Set what has changed."""
        for group in self._groups.values():
            group.flush()


class SectionMembers(Members):
    """Members over the attributes of a section."""

    __slots__ = ("_element", "_saved", "_spec")
    _path = ""

    def __init__(self, spec: Any) -> None:
        super().__init__()
        self._spec, self._element, self._saved = (
            spec,
            _core.specSection(spec._handle, self._path),
            {},
        )

    def _fields(self) -> dict[str, Field]:
        return fields_of(self._element)

    def _like(self, name: str) -> Any:
        return self._own[name] if name in self._own else self._fields()[name].like

    def _load(self, name: str) -> Any:
        """The own member as the section has it."""
        raise NotImplementedError

    def _store(self, name: str, value: Any) -> None:
        """Set the section's attribute from an own member."""

    def _read(self, name: str) -> None:
        own = name in self._own
        value = self._load(name) if own else self._fields()[name].read(self._element)
        self._values[name], self._saved[name] = value, keep(value)

    def refresh(self) -> None:
        """Take the values of the section, which others have changed."""
        for name in list(self._values):
            self._read(name)

    def flush(self) -> None:
        """Set what has changed."""
        for name, value in self._values.items():
            if same(value, self._saved[name]):
                continue
            if name in self._own:
                self._store(name, value)
            else:
                self._fields()[name].write(self._element, value)
            self._saved[name] = keep(value)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]
