"""An arm (UR5) is stretched out, to its singularity and beyond, and back."""

import numpy as np
import pytest

import sinew
import walkers
from sinew import QpStatus, control

UPPER, LOWER = 0.425, 0.39225  # m, of the arm's two long links
REACH = UPPER + LOWER
WRIST = "wrist_1_link"


@pytest.fixture(scope="module")
def model():
    spec = sinew.Spec.from_urdf(
        walkers.folder("ur_description", "urdf", "ur5_robot.urdf"), keep_fixed=True
    )
    for geom in list(spec.geoms):
        geom.remove()
    spec.section("option").timestep = 0.001
    return spec.compile()


def stretch(model, near, far, seconds=2.0, limits=(np.inf, np.inf)):
    """The wrist at the height of the shoulder from `near` to `far` (m) ahead of it and back: torque, speed and error of
    each cycle, and the status of all.
    """
    cosine = (near**2 - UPPER**2 - LOWER**2) / (2 * UPPER * LOWER)
    elbow, data = np.arccos(cosine), sinew.Data(model)
    lift = -np.arctan2(LOWER * np.sin(elbow), UPPER + LOWER * cosine)
    data.qpos[:] = [0, lift, elbow, -1.5, -1.5, 0]
    sinew.forward(model, data)
    tip = model.body(WRIST).id
    start = data.xpos[tip].copy()
    ends = [start, start + [far - near, 0, 0], start]

    c = control.Controller(model)
    c.velocity_max, c.acceleration_max = np.full((2, model.nv), np.reshape(limits, (2, 1)))
    task = c.add_task(control.PositionTask(body=WRIST, level=1, kp=400))
    c.add_task(control.PostureTask(level=2, kp=20)).pos = data.qpos
    rows = []
    while data.time < 2.2 * seconds:
        half = int(data.time >= seconds)
        task.pos, task.vel, task.acc = control.polynomial(
            data.time - half * seconds, seconds, ends[half], ends[half + 1]
        )
        assert c.solve(data) is QpStatus.SOLVED and c.infeasible < 0
        c.apply(data)
        sinew.step(model, data)
        assert (np.abs(c.tau) <= c.torque_upper + 1e-9).all()
        error = np.linalg.norm(data.xpos[tip] - task.pos)
        rows.append([np.abs(c.tau).max(), np.abs(data.qvel).max(), error])
    assert not any(data.warning["number"])
    return np.array(rows).T


def test_out_to_the_singularity_and_back(model):
    """Without any limit but those of torque: to a tenth of a millimetre."""
    regular, _, _ = stretch(model, 0.3, 0.6)
    torque, speed, error = stretch(model, REACH - 0.3, REACH)
    assert torque.max() < 2 * regular.max()
    assert error.max() < 1e-4 and speed.max() < 2


@pytest.mark.parametrize("beyond", [0.013, 0.033])
def test_beyond_reach_and_back(model, beyond):
    """With the limits of its joints' velocity and one of acceleration; the error is what is out of reach."""
    regular, _, _ = stretch(model, 0.3, 0.6)
    torque, speed, error = stretch(model, REACH + beyond - 0.3, REACH + beyond, limits=(3.15, 20))
    assert torque.max() < 2 * regular.max()
    assert speed.max() < 3.15 + 1e-9
    assert beyond - 1e-3 < error.max() < beyond + 0.012 and error[-1] < 1e-6
