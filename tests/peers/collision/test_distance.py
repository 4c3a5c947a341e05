"""Signed distance of two geoms against the pinned peer, every pair of types in both orders.

Deep overlaps, which the peer measures in its own way, and all others are held to the definition, too.
"""

import ctypes

import mujoco
import numpy as np
import pytest

import bridge
from test_mesh import gap

SIZES = {
    "plane": "1 1 0.1",
    "sphere": "0.11",
    "capsule": "0.07 0.12",
    "ellipsoid": "0.08 0.14 0.2",
    "cylinder": "0.1 0.15",
    "box": "0.08 0.12 0.17",
}
ORDER = list(SIZES)
bridge.lib.sn_geomDistance.restype = ctypes.c_double


def distance(model, data, distmax):
    """Distance of geoms 0 and 1 and the segment between them."""
    fromto = np.ones(6)
    dist = bridge.lib.sn_geomDistance(
        model.pointer,
        data.pointer,
        0,
        1,
        ctypes.c_double(distmax),
        fromto.ctypes.data_as(ctypes.c_void_p),
    )
    return dist, fromto


def is_turned(first, second):
    """Whether the peer gives the segment from geom 1 to geom 0, see docs/differences.md."""
    formulas = [{"sphere", "capsule", "box"}, {"sphere", "cylinder"}]
    return (
        "plane" not in (first, second)
        and ORDER.index(first) > ORDER.index(second)
        and not any({first, second} <= formula for formula in formulas)
    )


def check_widest(m, d, dist, n):
    """The distance is the gap along its normal, and no other direction has a wider one."""
    assert gap(m, d, (0, 1), n) == pytest.approx(dist, abs=1e-10)
    rng = np.random.default_rng(4)
    others = rng.normal(size=(200, 3))
    others[100:] = n + others[100:] * rng.uniform(0, 0.1, (100, 1))
    for other in others / np.linalg.norm(others, axis=1)[:, None]:
        assert gap(m, d, (0, 1), other) < dist + 1e-10


@pytest.mark.parametrize("first", ORDER)
@pytest.mark.parametrize("second", ORDER)
def test_pairs(first, second):
    """Random poses; half of them farther than distmax."""
    bodies = "".join(
        f'<body mocap="true"><geom type="{t}" size="{SIZES[t]}"/></body>' for t in (first, second)
    )
    m = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    m.opt.ccd_tolerance = 1e-12
    d = mujoco.MjData(m)
    ours = bridge.copy_model(m, narena=1 << 20)
    data = bridge.make_data(ours)
    rng = np.random.default_rng(3)
    seen, near, agree = 0, 0, 0
    while seen < 30:
        d.mocap_pos[0] = rng.uniform(-1, 1, 3)
        between = rng.normal(size=3)
        d.mocap_pos[1] = d.mocap_pos[0] + between / np.linalg.norm(between) * rng.uniform(0.2, 0.7)
        q = rng.normal(size=(2, 4))
        d.mocap_quat[:] = q / np.linalg.norm(q, axis=1)[:, None]
        mujoco.mj_kinematics(m, d)
        data.mocap_pos = d.mocap_pos
        data.mocap_quat = d.mocap_quat
        bridge.call("kinematics", ours, data)
        theirs = np.zeros(6)
        peer = mujoco.mj_geomDistance(m, d, 0, 1, 0.3, theirs)
        dist, fromto = distance(ours, data, 0.3)
        if first == second == "plane":
            assert dist == peer == 0.3
            seen += 1
            continue
        if "plane" not in (first, second) and 1e-4 < abs(dist) and dist < 0.3:
            check_widest(m, d, dist, (fromto[3:] - fromto[:3]) / dist)
        if peer < -0.01 and "plane" not in (first, second):
            continue  # overlaps are not the peer's measure: see docs/differences.md
        seen += 1
        if dist == 0.3:
            assert peer == pytest.approx(0.3, abs=1e-9)
            assert not fromto.any()
            continue
        near += 1
        if is_turned(first, second):
            theirs = np.roll(theirs, 3)
        span = fromto[3:] - fromto[:3]
        assert abs(np.linalg.norm(span) - abs(dist)) < 1e-9
        # what the peer reaches in its 50 iterations of distance and of points, where shapes curve; when both
        # are flat there the points are not unique
        if abs(dist - peer) < 1e-7 and np.abs(fromto - theirs).max() < 1e-3:
            agree += 1
    assert first == second == "plane" or agree >= 0.9 * near
