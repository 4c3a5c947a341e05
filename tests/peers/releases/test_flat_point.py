"""Where in a patch the one point of a contact without multiccd lies, ours and both peers'.

Aligned sides that lie flat on each other to rounding: the corners of the patch mixed as the offset is, in all three. Turned
about the normal the two peers part from each other; tilted by 1e-9 rad the deepest point is one, and all agree. At a round
side the peers' point hangs on ccd_tolerance: where it is 1e-12, ours is theirs as far as their search comes.
"""

import mujoco
import numpy as np
import pytest

import newest
import sinew
from test_multiccd_depths import product, turn

CUBE, BOX = 'type="mesh" mesh="cube"', 'type="box" size=".08 .09 .1"'
CYLINDER, SLAB = 'type="cylinder" size=".07 .1"', 'type="box" size=".3 .3 .05"'
TIGHT = {"ccd_tolerance": 1e-12, "ccd_iterations": 1000}


def text(lower, upper):
    return f"""<mujoco><option><flag multiccd="disable"/></option><asset>
      <mesh name="cube" vertex="-.1 -.1 -.1 .1 -.1 -.1 -.1 .1 -.1 .1 .1 -.1 -.1 -.1 .1 .1 -.1 .1 -.1 .1 .1 .1 .1 .1"/></asset>
      <worldbody><geom {lower}/><body><freejoint/><geom {upper}/></body></worldbody></mujoco>"""


def poses(height, tilt, turned, count=40):
    rng = np.random.default_rng(0)
    for _ in range(count):
        about = turn((0, 0, 1), rng.uniform(0, 6) if turned else 0)
        tilted = product(turn(np.r_[rng.normal(size=2), 0], tilt), about)
        yield np.r_[rng.uniform(-0.05, 0.05, 2), height, tilted]


def places(lower, upper, qpos, **options):
    """Of the one contact, by ours under both meanings, 3.3.7 and 4.0.1."""
    model = text(lower, upper)
    peer = newest.load(model)
    peer.set(**options)
    looks = peer.run("mj_fwdPosition", [{"qpos": q} for q in qpos], ("contact",))
    found = {"4.0.1": np.array([np.ravel(x.contact.pos) for x in looks])}
    older = mujoco.MjModel.from_xml_string(model)
    sides = {"3.3.7": (older, mujoco.MjData(older), mujoco.mj_fwdPosition)}
    for physics in ("3.3.7", "4.0"):
        m = sinew.Model.from_xml(model, physics=physics)
        sides["ours " + physics] = m, sinew.Data(m), sinew.fwdPosition
    for name, (m, d, forward) in sides.items():
        for option, value in options.items():
            setattr(m.opt, option, value)
        found[name] = []
        for q in qpos:
            d.qpos[:] = q
            forward(m, d)
            found[name].append(np.ravel(d.contact.pos).copy())
    return {name: np.array(x) for name, x in found.items()}


def agreeing(one, other, tolerance=1e-6):
    return np.mean(np.abs(one - other).max(axis=1) < tolerance)


FLAT = [(CUBE, BOX, 0.19), (CUBE, CUBE, 0.195)]


@pytest.mark.parametrize(("lower", "upper", "height"), FLAT)
def test_aligned(lower, upper, height):
    """The offset shared by the half sizes."""
    qpos = list(poses(height, 0, False))
    found = places(lower, upper, qpos)
    half = 0.1 / (0.1 + np.array([0.08, 0.09] if upper == BOX else [0.1, 0.1]))
    for name in ("ours 3.3.7", "ours 4.0"):
        np.testing.assert_allclose(found[name][:, :2], np.array(qpos)[:, :2] * half, atol=1e-12)
    assert agreeing(found["ours 4.0"], found["4.0.1"]) == 1
    assert agreeing(found["ours 3.3.7"], found["3.3.7"]) > 0.9


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("tilt", [1e-9, 1e-6, 1e-2])
@pytest.mark.parametrize(("lower", "upper", "height"), FLAT)
def test_tilted(lower, upper, height, tilt, turned):
    found = places(lower, upper, list(poses(height, tilt, turned)))
    assert agreeing(found["ours 4.0"], found["4.0.1"]) > 0.95
    assert agreeing(found["ours 3.3.7"], found["3.3.7"]) > 0.95


def test_turned():
    """Flat and turned, the peers part from each other: their point is one of the way that their search took."""
    apart = [places(*one[:2], list(poses(one[2], 0, True))) for one in FLAT]
    assert sum(agreeing(x["3.3.7"], x["4.0.1"]) for x in apart) < 1.99


@pytest.mark.parametrize("lower", [SLAB, CUBE])
def test_cylinder(lower):
    height = 0.14 if lower == SLAB else 0.19
    qpos = list(poses(height, 1e-2, True))
    loose, tight = places(lower, CYLINDER, qpos), places(lower, CYLINDER, qpos, **TIGHT)
    assert agreeing(tight["ours 4.0"], tight["4.0.1"], 1e-5) > 0.95
    assert agreeing(loose["4.0.1"], tight["4.0.1"], 1e-5) < 0.3
    # 1e-9 m and rad apart: each of them may be anywhere in the patch
    near = list(poses(height, 1e-9, True))
    for q in near:
        q[:2] = 0.01, 0.02
    spread = np.ptp(places(lower, CYLINDER, near, **TIGHT)["4.0.1"], axis=0)
    assert spread[:2].max() > 0.05
