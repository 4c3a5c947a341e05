"""Bounding volume trees and sparse structures of random models against the peer's, row by row."""

import mujoco
import numpy as np
import pytest

from test_model import load_text, sizes

TYPES = ["sphere", "capsule", "cylinder", "ellipsoid", "box"]


def numbers(x):
    return " ".join(f"{v:.6g}" for v in np.atleast_1d(x))


def geom(random):
    bits = random.choice(["", 'contype="0"', 'contype="0" conaffinity="0"', 'conaffinity="2"'])
    return (
        f'<geom type="{random.choice(TYPES)}" size="{numbers(random.uniform(0.01, 0.3, 3))}" {bits}'
        f' pos="{numbers(random.normal(0, 1, 3))}" quat="{numbers(random.normal(0, 1, 4))}"/>'
    )


def body(random, depth):
    joints = random.choice(
        ["", "<joint/>", '<joint type="ball"/>', '<joint type="slide"/><joint/>', "FREE"],
        p=[0.25, 0.3, 0.15, 0.15, 0.15],
    )
    if joints == "FREE":
        joints = '<joint type="free"/>' if depth == 0 else '<joint type="slide"/>'
    geoms = "".join(geom(random) for _ in range(random.choice([0, 1, 2, 3, 17])))
    inside = "".join(body(random, depth + 1) for _ in range(random.integers(0, 4 - depth)))
    inertial = (
        "" if random.random() < 0.5 else '<inertial pos=".1 .2 .3" mass="1" diaginertia="1 2 2.5"/>'
    )
    return f'<body pos="{numbers(random.normal(0, 1, 3))}">{joints}{inertial}{geoms}<geom size=".1"/>{inside}</body>'


def random_model(seed):
    random = np.random.default_rng(seed)
    static = '<geom type="plane" size="0 0 1" quat="1 .1 .2 .3"/>' + "".join(
        geom(random) for _ in range(9)
    )
    # a grid, whose keys tie
    grid = "".join(f'<geom size=".1" pos="{x} {y} 0"/>' for x in range(-2, 3) for y in range(-2, 3))
    bodies = "".join(body(random, 0) for _ in range(4))
    return f"<mujoco><worldbody>{static}{bodies}<body>{grid}</body></worldbody></mujoco>"


SPARSE = [
    "nB", "nC", "nbvh", "nbvhstatic", "B_rownnz", "B_rowadr", "B_colind", "M_rownnz", "M_rowadr", "M_colind",
    "mapM2M", "mapM2D", "mapD2M", "body_bvhadr", "body_bvhnum", "bvh_depth", "bvh_child", "bvh_nodeid",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_random_model(seed):
    text = random_model(seed)
    peer = mujoco.MjModel.from_xml_string(text)
    ours, error = load_text(text)
    assert ours is not None, error.message.decode()
    counts = sizes(ours)
    for name in SPARSE:
        mine = counts[name] if name in counts else getattr(ours, name)
        np.testing.assert_array_equal(np.ravel(mine), np.ravel(getattr(peer, name)), err_msg=name)
    # Boxes of planes are 1e10 wide, so that each has its own scale; a few roundings of turned corners.
    scale = 1 + np.abs(peer.bvh_aabb).max(axis=1, keepdims=True)
    assert (np.abs(ours.bvh_aabb - peer.bvh_aabb) / scale).max() < 1e-12
