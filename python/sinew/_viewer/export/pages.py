"""A recording, moment by moment, into a page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ... import _core
from ..._core import MjvCamera, MjvOption
from ..._enums import ObjType  # type: ignore[attr-defined]
from ..._functions import resetData  # type: ignore[attr-defined]
from ..._output import Output
from ..._types import Data
from ...draw import camera
from ...picture.tracks import Track, moments
from ...viewer import wire
from ...viewer.records import words_of
from ..describe import describe
from ..view import camera_words
from . import flexes
from .chunks import Chunk
from .document import Document
from .poses import step_for, whole_numbers
from .scenes import LAYERS, OBJTYPE, TEXTURE, Scenes

_MOST_ROWS = 1_000_000
MOST_BYTES = 200_000_000
_FIXED = 2  # mjCAMERA_FIXED
# what pages of a viewer are told of a model, as far as it is wanted here
_DESCRIBED = (
    "cameras", "switches", "fog", "fogstart", "fogend", "haze", "shadowsize", "linewidth", "hazewidth",
)  # fmt: skip
# mjtVisFlag: texture, tendon, transparent, static, skin, faces and skins of flexes
_OWN_FLAGS = {1, 7, 18, 22, 23, flexes.FACES, flexes.SKIN}


def moments_of(
    track: Track, fps: float, start: float | None = None, end: float | None = None
) -> NDArray[np.float64]:
    """Return the times of the rows of a page."""
    if not (np.isfinite(fps) and fps > 0):
        raise ValueError(f"fps is {fps}: it must be positive")
    first = track.start if start is None else max(start, track.start)
    last = track.end if end is None else min(end, track.end)
    if not first <= last:
        raise ValueError(
            f"{track.name}: has no time between start and end: it is from {track.start:g} s to {track.end:g} s"
        )
    if (last - first) * fps > _MOST_ROWS:
        raise ValueError(
            f"{(last - first) * fps:.3g} rows are too many for a page, at most {_MOST_ROWS}: "
            "give fewer a second (--fps)"
        )
    return moments(first, last, fps)


def export(
    path: str | os.PathLike,
    track: Track,
    times: NDArray[np.float64],
    tell: Callable[[int], None] = lambda done: None,
) -> None:
    """Write a page with the rows of some times; `tell` is called with how many are done."""
    if (
        not os.fspath(path).lower().endswith((".html", ".htm"))
    ):  # it would be in place of something else
        raise ValueError(f"{os.fspath(path)}: a page in one file ends with .html")
    document, output = Document(_name(track.model)), Output(path)
    try:
        with output.blamed(), open(output.part, "wb") as stream:
            document.begin(stream)
            for kind, message in _messages(track, times, tell):
                document.add(kind, message)
                _check_size(document.size, output.path, times)
            document.end()
        output.keep()
    finally:
        output.drop()


def _check_size(size: int, path: str, times: Any) -> None:
    if size > MOST_BYTES:
        raise ValueError(
            f"{path}: would have more than {MOST_BYTES // 1_000_000} MB for {len(times)} rows: "
            "give fewer a second (--fps), or a part of the recording (--start, --end)"
        )


def _name(model: Any) -> str:
    return describe(model)["name"] or "Sinew"


def _messages(
    track: Track, times: NDArray[np.float64], tell: Callable[[int], None]
) -> Iterator[tuple[str, bytes]]:
    """Yield all messages of a page: chunks in their order, then what is read before them."""
    model = track.model
    data = Data(model)
    resetData(model, data)
    scenes, step = Scenes(model, data), step_for(float(model.stat.extent))
    chunk, begins, lit = Chunk(scenes, step), [0], np.zeros(0, np.float32)
    for row, time in enumerate(times.tolist()):
        track.place(data, time)
        moment = scenes.now()
        lit = moment.shining if row == 0 else lit
        if chunk.add(moment) or row == len(times) - 1:
            yield "chunk", chunk.packed(lit)
            begins.append(row + 1)
        tell(row + 1)
    yield "part", _run(scenes, times, begins, step, lit)
    shapes = scenes.world.shapes
    for message in shapes.messages:
        yield "part", message
    wanted = {int(key) - 1 for key in np.unique(scenes.looks[:, TEXTURE])} | {shapes.images.sky()}
    for index in sorted(wanted - {-1}):
        yield "part", shapes.texture(index)


def _run(scenes: Scenes, times: Any, begins: list[int], step: float, lit: Any) -> bytes:
    """Return the message that says what there is in all chunks, and of the model what a page wants to know."""
    words = {"kind": "model", "begins": begins, "step": step, **_model(scenes), **_views(scenes)}
    words["flexes"], faces = flexes.of_page(scenes.model, scenes.data, scenes.flexes())
    arrays = {
        "times": times,
        "numbers": whole_numbers(scenes.poses[None], step)[0],
        "rides": scenes.rides,
        "held": scenes.held.astype(np.float32),
        "looks": scenes.looks,
        "layer": scenes.layer,
        "group": scenes.group,
        "dynamic": scenes.dynamic,
        "shining": lit,
        **_bones(scenes.model),
        **faces,
    }
    return wire.pack(words, arrays)


def _model(scenes: Scenes) -> dict[str, Any]:
    """Return words about the model and what is drawn of it."""
    model: Any = scenes.model
    known = describe(model)
    return {
        **{name: known[name] for name in _DESCRIBED},
        "nbody": int(model.nbody),
        "before": scenes.before,
        "planes": scenes.planes,
        "fewer": scenes.fewer(),
        "plain": scenes.plain,
        "ambient": scenes.ambient,
        "sky": scenes.world.shapes.images.sky(),
        "headlight": bool(model.vis.headlight.active),
        "alpha": float(model.vis.map.alpha),
        "extent": float(model.stat.extent),
        "skins": [_skin(model, index) for index in range(model.nskin)],
    }


def _views(scenes: Scenes) -> dict[str, Any]:
    """Return words about what a page begins with, and what it may choose."""
    model = scenes.model
    return {
        "opt": words_of(MjvOption()),
        "flags": scenes.view.scene.flags.tolist(),
        "cam": words_of(scenes.view.cam),
        "eyes": [_eye(scenes, index) for index in range(-1, model.ncam)],
        "followed": [[b, _core.id2name(model, ObjType.BODY, b)] for b in scenes.followed],
        "offered": _offered(scenes),
    }


def _offered(scenes: Scenes) -> dict[str, list[Any]]:
    """Return the flags and kinds of groups that switch something that is there."""
    model: Any = scenes.model
    there = {
        1: model.ntex, 7: model.ntendon, 23: model.nskin,
        flexes.FACES: len(scenes.flexes()), flexes.SKIN: model.nflex,
    }  # fmt: skip
    layers = set(scenes.layer.tolist())
    flags = [
        f for f in range(31) if f in _OWN_FLAGS and there.get(f, 1) or f in LAYERS and f in layers
    ]
    kinds = {
        5: "geom",
        6: "site",
        3: "joint",
        18: "tendon",
        19: "actuator",
        11: "skin",
        9: "flex",
    }  # mjtObj
    types = set(scenes.looks[:, OBJTYPE].astype(int).tolist())
    return {
        "flags": flags,
        "scene": list(range(len(scenes.view.scene.flags))),
        "groups": [kind for number, kind in kinds.items() if number in types],
    }


def _eye(scenes: Scenes, index: int) -> dict[str, Any]:
    """Return the lens of a camera of the model, -1: of a free one; its pose is that of the first moment."""
    cam = MjvCamera()
    if index < 0:
        _core.mjv_defaultFreeCamera(scenes.model, cam)
    else:
        cam.type, cam.fixedcamid = _FIXED, index
    _core.mjv_updateCamera(scenes.model, scenes.data, cam, scenes.view.scene)
    return camera_words(camera.middle(scenes.view.scene))


def _skin(model: Any, index: int) -> dict[str, Any]:
    """Return which bones a skin has, and by how much it is inflated."""
    first = int(model.skin_boneadr[index])
    return {
        "bones": [first, first + int(model.skin_bonenum[index])],
        "inflate": float(model.skin_inflate[index]),
    }


def _bones(model: Any) -> dict[str, Any]:
    """Return bones of skins: their bodies, where they were bound, and the vertices that hang on them."""
    if not model.nskin:
        return {}
    return {
        "bone_body": np.asarray(model.skin_bonebodyid, np.int32),
        "bone_pos": np.asarray(model.skin_bonebindpos, np.float32),
        "bone_quat": np.asarray(model.skin_bonebindquat, np.float32),
        "bone_first": np.asarray(model.skin_bonevertadr, np.int32),
        "bone_count": np.asarray(model.skin_bonevertnum, np.int32),
        "bone_vertices": np.asarray(model.skin_bonevertid, np.int32),
        "bone_weights": np.asarray(model.skin_bonevertweight, np.float32),
    }
