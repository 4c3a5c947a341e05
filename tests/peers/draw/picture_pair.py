"""Our picture and the peer's of one model, state and camera.

    ours, peer = pair(path, camera="side", flags={"SHADOW": 0})
    assert distance(ours, peer) < 0.1

Distances are mean absolute differences of colours from 0 to 255.
"""

import functools

import numpy as np

import sinew
from peer_pictures import Painter, draw, draw_each
from sinew import mujoco


@functools.cache
def _painter():
    return Painter()


def request(
    model,
    *,
    camera=-1,
    size=(320, 240),
    flags=None,
    options=None,
    shown=None,
    qpos=None,
    state=None,
    changes=None,
    scene=None,
    geoms=(),
    assets=None,
):
    """What both draw.

    model: a file, or text with its `assets`; camera: name, number, or members of MjvCamera; flags of the scene and
    options of the visualiser by the ends of their names; shown: its other members; state: arrays of the data,
    qpos alone or by name; changes: arrays of the model, and scene: members of
    the scene, by name; geoms: (row of the
    scene, member, value). Shadows are off unless the flags say else: their edges hang on the rasteriser.
    """
    return {
        "model": str(model),
        "camera": camera,
        "size": size,
        "flags": {"SHADOW": 0} | (flags or {}),
        "options": options or {},
        "shown": shown or {},
        "state": (state or {}) | ({} if qpos is None else {"qpos": np.asarray(qpos)}),
        "changes": changes or {},
        "scene": scene or {},
        "geoms": list(geoms),
        "assets": assets or {},
    }


def ours(model, *, quality=None, **given):
    """Our picture, [height, width, 3]."""
    renderer = functools.partial(sinew.Renderer, quality=quality)
    return draw(mujoco, renderer, request(model, **given))


def each(model, looks, *, quality=None, **given):
    """Return our pictures and the peer's of one model, in the order of `looks` (see peer_pictures.draw_each)."""
    renderer, asked = functools.partial(sinew.Renderer, quality=quality), request(model, **given)
    return draw_each(mujoco, renderer, asked, looks), _painter()(asked, looks)


def peers(model, **given):
    """The peer's picture."""
    return _painter()(request(model, **given), [{}])[0]


def pair(model, *, quality=None, **given):
    """Return both pictures."""
    return ours(model, quality=quality, **given), peers(model, **given)


def distance(one, other):
    """Return the mean difference of two pictures."""
    return float(np.abs(one.astype(int) - other).mean())
