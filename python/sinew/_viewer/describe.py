"""A model as words for pages."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._enums import ObjType  # type: ignore[attr-defined]


def describe(model: Any) -> dict[str, Any]:
    """Return a model as words for pages: names, ranges, what may be switched."""

    def names(kind: Any, count: int) -> list[str | None]:
        return [_core.id2name(model, kind, i) for i in range(count)]

    tables = _core.tables()
    return {
        "bodies": names(ObjType.BODY, model.nbody),
        "parents": model.body_parentid.tolist(),
        "cameras": names(ObjType.CAMERA, model.ncam),
        "keys": names(ObjType.KEY, model.nkey),
        "actuators": names(ObjType.ACTUATOR, model.nu),
        "ctrlrange": model.actuator_ctrlrange.tolist(),
        "ctrllimited": model.actuator_ctrllimited.tolist(),
        "switches": {name: list(map(list, rows)) for name, rows in tables["switches"].items()},
        "fog": model.vis.rgba.fog.tolist(),
        "fogstart": float(model.vis.map.fogstart * model.stat.extent),
        "fogend": float(model.vis.map.fogend * model.stat.extent),
        "haze": model.vis.rgba.haze.tolist(),
        "shadowsize": int(model.vis.quality.shadowsize),
        "linewidth": float(model.vis.global_.linewidth),
        "hazewidth": float(model.vis.map.haze),
    }
