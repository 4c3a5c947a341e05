"""Structs of equalities, and of pairs that collide or do not."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from .._enums import ENUMS, WORDS
from .._release import IS_LATER
from .attributes import numbers, set_numbers, set_text
from .struct import Classed, Named

_OBJ, _EQ = ENUMS["mjtObj"], ENUMS["mjtEq"]


class MjsEquality(Classed):
    """An equality: <connect>, <weld>, <joint>, <tendon> or <flex>."""

    __slots__ = ()
    _home = ("equality", "connect")
    _options = "name type data active name1 name2 objtype solref solimp info"
    _tags = tuple(WORDS["mjtEq"].values())
    _own = {
        "type": _EQ.mjEQ_CONNECT, "name1": "", "name2": "", "objtype": _OBJ.mjOBJ_UNKNOWN,
        "data": np.array([0.0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1] + [0] * IS_LATER),
    }  # fmt: skip

    def _fields(self) -> Any:
        return {k: f for k, f in super()._fields().items() if k in ("active", "solref", "solimp")}

    def _load(self) -> dict[str, Any]:
        e = self._element
        tag = _core.elementInfo(e)[0]
        if tag not in self._tags:
            return {}
        result: dict[str, Any] = {"type": _EQ(self._tags.index(tag))}
        data = self._own["data"].copy()
        kind = tag
        if tag in ("connect", "weld"):
            kind = "site" if _core.elementGetText(e, "site1") else "body"
            if kind == "site" or _core.elementGetText(e, "body1"):
                result["objtype"] = _OBJ.mjOBJ_SITE if kind == "site" else _OBJ.mjOBJ_BODY
            if tag == "weld":
                if kind == "body" and _core.elementGetText(e, "body1"):
                    data[:3] = numbers(e, "anchor", np.zeros(3))
                data[3:10] = numbers(e, "relpose", data[3:10])
                data[10] = numbers(e, "torquescale", 1.0)
            else:
                data[:3] = numbers(e, "anchor", data[:3])
        elif tag != "flex":
            data[:5] = numbers(e, "polycoef", data[:5])
        if tag == "flex":
            return {**result, "name1": _core.elementGetText(e, "flex") or "", "data": data}
        result["name1"] = _core.elementGetText(e, kind + "1") or ""
        result["name2"] = _core.elementGetText(e, kind + "2") or ""
        return {**result, "data": data}

    def _store(self, values: dict[str, Any]) -> None:
        e, data = self._element, values["data"]
        if values["type"] >= len(self._tags):
            raise ValueError(f"equalities of type {int(values['type'])} are not in Sinew")
        tag = self._tags[values["type"]]
        if _core.elementInfo(e)[0] != tag:
            _core.elementChangeTag(e, tag)
        kind = tag
        if tag == "flex":
            set_text(e, "flex", values["name1"])
            return
        if tag in ("connect", "weld"):
            site = values["objtype"] == _OBJ.mjOBJ_SITE
            kind = "site" if site else "body"
            other = "body" if site else "site"
            for i in "12":
                set_text(e, other + i, None)
            if not site:
                set_numbers(e, "anchor", data[:3])
            if tag == "weld":
                set_numbers(e, "torquescale", data[10])
                if not site:
                    set_numbers(e, "relpose", data[3:10])
        else:
            set_numbers(e, "polycoef", data[:5])
        set_text(e, kind + "1", values["name1"])
        set_text(e, kind + "2", values["name2"])


class MjsPair(Classed):
    """A pair of geoms that collide."""

    __slots__ = ()
    _home = ("contact", "pair")
    _options = (
        "name geomname1 geomname2 condim solref solreffriction solimp margin gap friction info"
    )


class MjsExclude(Named):
    """A pair of bodies that do not collide."""

    __slots__ = ()
    _home = ("contact", "exclude")
    _options = "name bodyname1 bodyname2 info"
