"""Height fields under 4.0 against the newest engine: normals of round shapes are ours; where its search for boxes stops early."""

import numpy as np
import pytest

from meetings import Meeting, points

RNG = np.random.default_rng(0)
HEIGHTS = " ".join(f"{x:.3f}" for x in RNG.uniform(0, 1, 36))
SHAPES = {
    "sphere": 'size=".06"',
    "capsule": 'type="capsule" size=".05 .08"',
    "ellipsoid": 'type="ellipsoid" size=".05 .07 .06"',
    "cylinder": 'type="cylinder" size=".06 .05"',
}
BOX = 'type="box" size=".05 .06 .04"'


def text(geom, margin):
    return f"""<mujoco><asset><hfield name="h" nrow="6" ncol="6" size=".6 .6 .15 .1" elevation="{HEIGHTS}"/></asset>
      <worldbody><geom type="hfield" hfield="h"/><body><freejoint/><geom {geom} margin="{margin}"/></body>
      </worldbody></mujoco>"""


def errors(geom, margin):
    """Of dist, pos and normal, pose by pose; contacts are as many."""
    rng, poses = np.random.default_rng(1), []
    for _ in range(60):
        quat = rng.normal(size=4)
        poses.append(
            np.r_[rng.uniform(-0.3, 0.3, 2), rng.uniform(0, 0.2), quat / np.linalg.norm(quat)]
        )
    found = []
    for theirs, ours in Meeting(
        text(geom, margin), ccd_tolerance=1e-12, ccd_iterations=500
    ).collide(poses):
        assert len(theirs.dist) == len(ours.dist)
        if len(ours.dist):
            off = np.abs(points(theirs) - points(ours)).max(0)
            found.append([off[0], off[1:4].max(), off[4:].max()])
    return np.array(found)


@pytest.mark.parametrize("margin", [0, 0.02])
@pytest.mark.parametrize("shape", SHAPES)
def test_round(shape, margin):
    found = errors(SHAPES[shape], margin)
    assert len(found) > 30
    dist, place, normal = np.quantile(found, 0.95, axis=0)
    # an error e of the least distance leaves sqrt(e) in where it is
    assert dist < 1e-9 and place < 1e-6 and normal < 2e-5


def test_box():
    """With any margin the newest engine has our contacts, without it stops early."""
    assert errors(BOX, 1e-6).max() < 1e-6
    assert np.median(errors(BOX, 0), axis=0)[0] > 1e-3
