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
# Without shadows hardly a sample differs.
NEAR = 0.05
# Edges of shadows hang on the rasteriser; the peer darkens a stripe of the far floor (0.5 of the ant's picture), where
# nothing is between it and the light; and it adds lines once more for each light that has a shadow.
SHADOWS = 0.6
# Farther off than this, of 255, are edges of shadows, and faces at one place, which the peer lights twice: a part of a
# picture.
FAR_OFF = 8
EDGES = 0.005
# Lines are a pixel wide: which samples they cover is nearly all of them; of wires a small picture is full.
LINES = 0.4
WIRES = 3.0
# Letters: ours are of another font than the peer's, as wide as they. Of small pictures they are a large part.
LETTERS = 16.0

ASSETS = models.folder("gymnasium", "envs", "mujoco", "assets")
SUITE = models.folder("dm_control", "suite")
ROBOTS = models.folder("cmeel").parent / "cmeel.prefix/share/example-robot-data/robots"
GYMNASIUMS = "humanoid ant half_cheetah hopper walker2d_v5 pusher pusher_v5 swimmer"
SUITES = "dog quadruped fish manipulator swimmer cheetah stacker finger"
PANDA = ROBOTS / "panda_description/urdf/panda.urdf"
MODELS = [
    *(ASSETS / f"{name}.xml" for name in GYMNASIUMS.split()),
    *(SUITE / f"{name}.xml" for name in SUITES.split()),
    PANDA,
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
    return models.rooted(spec.to_xml(), path)


def random_state(model, seed):
    """Members of a state that is random."""
    m = peer.MjModel.from_xml_string(model) if "<" in model else models.known(model)
    d = peer.MjData(m)
    models.random_state(np.random.default_rng(seed), m, d, True)
    return {
        name: getattr(d, name).copy()
        for name in ("qpos", "qvel", "ctrl", "mocap_pos", "mocap_quat")
    }


def pictures(path, seed, looks, size=SIZE, **given):
    """Our pictures and the peer's of a model at a random state."""
    model = source(path)
    return picture_pair.each(model, looks, size=size, state=random_state(model, seed), **given)


@pytest.mark.parametrize(
    "path", [*models.everything(), PANDA] if LONG else MODELS, ids=lambda p: p.stem
)
def test_a_model(path):
    """By the camera that sees all, and by the first of the model or one that looks down."""
    looks = [{"camera": view, "flags": {"SHADOW": on}} for view in views(path) for on in (0, 1)]
    for look, mine, other in zip(looks, *pictures(path, 1, looks), strict=True):
        assert np.ptp(other) > 30, "nothing to see"
        if not look["flags"]["SHADOW"]:
            assert distance(mine, other) < NEAR
            continue
        assert distance(mine, other) < SHADOWS
        # the ant's own camera sees the stripe of the peer's floor
        if (path.stem, look["camera"]) != ("ant", 0):
            apart = np.abs(mine.astype(int) - other).max(axis=-1)
            assert apart.mean() < 0.8 and (apart > FAR_OFF).mean() < EDGES


def views(path):
    """Cameras that a model is seen by."""
    if path == PANDA:
        return [-1]
    model = models.known(str(path))
    if model.ncam:
        return [-1, 0]
    middle, distance = model.stat.center.tolist(), 1.5 * model.stat.extent
    return [-1, {"distance": distance, "elevation": -60.0, "azimuth": 30.0, "lookat": middle}]


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
    labels = {n: {"shown": {"label": int(getattr(peer.mjtLabel, n))}} for n in LABELS}
    frames = {n: {"shown": {"frame": int(getattr(peer.mjtFrame, n))}} for n in FRAMES}
    return options | without | flags | off | labels | frames


EVERY = models.everything() if LONG else [SUITE / "humanoid.xml"]


@pytest.mark.parametrize("path", EVERY, ids=lambda p: p.stem)
def test_flags_one_by_one(path):
    size = (320, 240) if LONG else (80, 60)
    asked = each_flag()
    drawn = pictures(path, 2, list(asked.values()), size)
    far = {}
    for name, mine, other in zip(asked, *drawn, strict=True):
        apart = distance(mine, other)
        if apart > bound(name):
            far[name] = apart
    assert not far


def bound(name):
    """How far pictures with a flag may be apart."""
    if name.startswith("mjLABEL"):
        return LETTERS
    return {"RND_WIREFRAME": WIRES, "RND_SHADOW": SHADOWS}.get(
        name, LINES if "BVH" in name else NEAR
    )


WAYS = {
    "right": ("-1 0 0", "0 90 0"),
    "left": ("1 0 0", "0 -90 0"),
    "up": ("0 0 -1", "0 0 0"),
    "down": ("0 0 1", "180 0 0"),
    "to the eye": ("0 3 .3", "85 -15 0"),
    "away": ("-1 0 .3", "-30 40 0"),
}


@pytest.mark.parametrize("wires", [0, 1])
@pytest.mark.parametrize("way", WAYS)
def test_lines_have_no_back(way, wires):
    """Whichever way they run, and in a mirror."""
    place, turn = WAYS[way]
    text = f"""<mujoco><asset><material name="mirror" reflectance=".5"/></asset><worldbody><light pos="0 0 4"/>
      <camera name="c" pos="0 -4 .5" xyaxes="1 0 0 0 0 1"/><geom size=".1" pos="{place}"/>
      <geom type="plane" size="9 9 1" pos="0 0 -1.1" material="mirror"/>
      <site name="s" pos="{place}" euler="{turn}"/></worldbody></mujoco>"""
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    line = {
        "type": int(peer.mjtGeom.mjGEOM_LINE),
        "size": [3, 3, 3],
        "rgba": [1, 1, 0, 1],
        "mat": d.site_xmat[0].reshape(3, 3),
    }
    drawn = picture_pair.pair(
        text, camera="c", flags={"WIREFRAME": wires}, geoms=[(0, k, v) for k, v in line.items()]
    )
    assert distance(*drawn) < (LINES if wires else 0.1)
