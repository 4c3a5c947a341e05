"""Pictures of other people's models at random states against the peer's, shadows and all, as fine as each model says.

Long: all models, flag by flag, label by label, frame by frame, and larger.
"""

import os

import mujoco as peer
import numpy as np
import pytest

import models
import picture_pair
from picture_pair import distance
from sinew import mujoco

LONG = bool(os.environ.get("SINEW_LONG"))
SIZE = (640, 480) if LONG else (160, 120)
# What differs are samples at edges of shapes and of shadows, which the rasteriser decides; both draw with Mesa here.
NEAR = 0.35
# Letters: ours are of another font than the peer's, as wide as they. Of small pictures they are a large part.
LETTERS = 3.0

ASSETS = models.folder("gymnasium", "envs", "mujoco", "assets")
SUITE = models.folder("dm_control", "suite")
ROBOTS = models.folder("cmeel").parent / "cmeel.prefix/share/example-robot-data/robots"
TEN = [
    *(ASSETS / f"{name}.xml" for name in ("humanoid", "ant", "half_cheetah", "pusher_v5")),
    *(SUITE / f"{name}.xml" for name in ("dog", "quadruped", "fish", "manipulator", "swimmer")),
    ROBOTS / "panda_description/urdf/panda.urdf",
]
FLAGS = [n.removeprefix("mjVIS_") for n in peer.mjtVisFlag.__members__ if "mjN" not in n]
LOOKS = [n.removeprefix("mjRND_") for n in peer.mjtRndFlag.__members__ if "mjN" not in n]
LABELS = [n for n in peer.mjtLabel.__members__ if "mjN" not in n]
FRAMES = [n for n in peer.mjtFrame.__members__ if "mjN" not in n]


def source(path):
    """What both engines read: a robot of URDF as the MJCF that Sinew writes of it, upon a floor in the light."""
    if path.suffix != ".urdf":
        return str(path)
    spec = mujoco.MjSpec.from_file(str(path))
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[2, 2, 0.1], pos=[0, 0, -0.5])
    spec.worldbody.add_light(pos=[1, -1, 3], dir=[-0.3, 0.3, -1])
    spec.compile()
    return spec.to_xml()


def random_state(model, seed):
    """Members of a state that is random."""
    read = peer.MjModel.from_xml_string if "<" in model else peer.MjModel.from_xml_path
    m = read(model)
    d = peer.MjData(m)
    models.random_state(np.random.default_rng(seed), m, d, True)
    return {
        name: getattr(d, name).copy() for name in ("qpos", "qvel", "ctrl", "mocap_pos", "mocap_quat")
    }


def pictures(path, seed, looks, size=SIZE, **given):
    """Our pictures and the peer's of a model at a random state."""
    model = source(path)
    return picture_pair.each(
        model, looks, size=size, state=random_state(model, seed), flags={"SHADOW": 1}, **given
    )


@pytest.mark.parametrize("path", models.everything() + TEN[-1:] if LONG else TEN, ids=lambda p: p.stem)
def test_a_model(path):
    """By the camera that sees all, and by the first of the model."""
    looks = [{"camera": -1}, *([{"camera": 0}] if path.suffix == ".xml" and cameras(path) else [])]
    for mine, other in zip(*pictures(path, 1, looks), strict=True):
        assert np.ptp(other) > 30, "nothing to see"
        assert distance(mine, other) < NEAR


def cameras(path):
    """How many cameras a model has."""
    return peer.MjModel.from_xml_path(str(path)).ncam


def each_flag():
    """All flags, labels and frames one by one: by the name, what is asked for."""
    options = {f"VIS_{name}": {"options": {name: 1}} for name in FLAGS}
    without = {
        f"without VIS_{name}": {"options": {name: 0}}
        for name, default in zip(FLAGS, peer.MjvOption().flags, strict=True)
        if default
    }
    flags = {f"RND_{n}": {"flags": {"SHADOW": 0, n: 1}} for n in LOOKS}
    off = {f"without RND_{n}": {"flags": {"SHADOW": 0, n: 0}} for n in LOOKS}
    labels = {n: {"shown": {"label": int(peer.mjtLabel[n])}} for n in LABELS}
    frames = {n: {"shown": {"frame": int(peer.mjtFrame[n])}} for n in FRAMES}
    return options | without | flags | off | labels | frames


EVERY = models.everything() if LONG else [SUITE / "humanoid.xml"]


@pytest.mark.parametrize("path", EVERY, ids=lambda p: p.stem)
def test_flags_one_by_one(path):
    size = (320, 240) if LONG else (80, 60)
    asked = each_flag()
    drawn = pictures(path, 2, list(asked.values()), size)
    apart = {
        name: distance(mine, other)
        for name, mine, other in zip(asked, *drawn, strict=True)
    }
    far = {
        name: value
        for name, value in apart.items()
        if value > (LETTERS if name.startswith("mjLABEL") else NEAR)
    }
    assert not far
