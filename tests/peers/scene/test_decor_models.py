"""Whole lists of things to draw, decoration included, against the pinned peer on models of other people."""

import os

import mujoco as peer
import numpy as np
import pytest

from decor_pair import EVERYTHING, DecorPair
from models import everything, folder, rooted
from scene_pair import FLAGS, FRAMES, LABELS
from sinew import mujoco as ours

LONG = bool(os.environ.get("SINEW_LONG"))
WALKERS = folder("dm_control", "locomotion", "walkers", "assets")
LOCOMOTION = [
    WALKERS / "rodent.xml",
    WALKERS / "jumping_ball/jumping_ball_with_head.xml",
    WALKERS / "humanoid_CMU_V2020.xml",
    WALKERS / "fruitfly_v2/fruitfly.xml",
    WALKERS / "dog_v2/dog.xml",
    folder("dm_control", "locomotion", "soccer", "assets", "boxhead", "boxhead.xml"),
    folder("dm_control", "entities", "props", "duplo", "duplo2x4.xml"),
]


def random_pair(path, seed, share=False):
    """A pair in a random state where both have the same contacts, held somewhere."""
    pair = DecorPair(path)
    if share:
        pair.share_model()
    rng = np.random.default_rng(seed)
    for _ in range(20):
        if pair.randomise(rng) and pair.alike:
            break
    else:
        raise AssertionError("no state that both see alike")
    pair.hold(rng)
    return pair, rng


@pytest.mark.parametrize("path", everything(), ids=lambda p: p.stem)
def test_any_options(path):
    pair, rng = random_pair(path, 1)
    for i in range(40 if LONG else 5):
        if i == 3:
            pair.paint(rng)
        pair.any_options(rng)
        pair.check(catmask=7 if i < 4 else int(rng.integers(8)))


@pytest.mark.parametrize("path", LOCOMOTION[: None if LONG else 3], ids=lambda p: p.stem)
def test_walkers(path):
    pair, rng = random_pair(path, 2)
    for _ in range(20 if LONG else 2):
        pair.any_options(rng)
        pair.check()


ROBOTS = ("a1", "double_pendulum", "go2", "panda", "panda_collision", "quadruped", "ur5_robot")
SHARE = folder("dm_control").parent / "cmeel.prefix/share/example-robot-data/robots"
URDFS = sorted(SHARE.rglob("*.urdf"))


@pytest.mark.parametrize(
    "path", [p for p in URDFS if LONG or p.stem in ROBOTS], ids=lambda p: p.stem
)
def test_robots(path):
    """Robots of URDF, which each engine reads as the MJCF that Sinew writes."""
    try:
        spec = ours.MjSpec.from_file(str(path))
        spec.compile()
        text = rooted(spec.to_xml(), path)
        peer.MjModel.from_xml_string(text)
    except ValueError:  # inertias that no body has, meshes in other formats: see test_urdf.py
        assert path.stem not in ROBOTS
        return
    pair, rng = random_pair(text, 4, share=True)
    pair.perturb(active=1, active2=1)  # a body that is turned is the box of its tree
    for i in range(20 if LONG else 3):
        if i == 2:
            pair.paint(rng)
        pair.any_options(rng, without=("BODYBVH", "MESHBVH"))
        pair.check()


SWEPT = ("humanoid", "manipulator", "quadruped", "pusher_v5", "finger")


@pytest.mark.parametrize(
    "path", [p for p in everything() if LONG or p.stem in SWEPT], ids=lambda p: p.stem
)
def test_flag_by_flag(path):
    """Each switch, label and frame alone and with all others."""
    pair, _ = random_pair(path, 3)
    for name in FLAGS:
        pair.reset_options(flags={name: 1 - pair.opt[1].flags[FLAGS.index(name)]})
        pair.check()
    for flags in ({}, EVERYTHING):
        for name in LABELS:
            pair.reset_options(flags=flags, label=name)
            pair.check()
        for name in FRAMES:
            pair.reset_options(flags=flags, frame=name)
            pair.check()
