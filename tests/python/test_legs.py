"""Cassie-like legs: the loops of cassie_v2.sdf, standing, squatting and swaying on the ground with all integrators."""

import importlib.util

import numpy as np
import pytest

import sinew
from linkage_models import MODELS, dof, load, loop_K, loop_work

INTEGRATORS = ["EULER", "RK4", "IMPLICIT", "IMPLICITFAST"]
JOINTS = ("roll", "yaw", "pitch", "knee", "crank")


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("legs", MODELS.parent / "legs_motion.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_structure_of_the_robot():
    """23 bodies, nv 32, four loops, K 12 x 32 of rank 10: two spatial ones of rank 3, two planar ones of rank 2."""
    model, data = load("cassie_legs")
    sinew.forward(model, data)
    K = loop_K(model, data)
    assert (model.nbody - 1, model.nv, data.nclosure, K.shape) == (23, 32, 4, (12, 32))
    assert np.linalg.matrix_rank(K, tol=1e-10) == 10
    assert sorted(data.cluster_rank) == [2, 2, 3, 3] and data.loop_rank == 10
    assert model.body_mass.sum() == pytest.approx(32.94)


def test_rank_does_not_hang_on_the_pose():
    """Random angles of motors and springs, loops closed by Newton's method on K: rank 10 in all of them."""
    model, data = load("cassie_legs")
    rng = np.random.default_rng(3)
    fixed = np.array([dof(model, f"{s}_{j}") for s in ("left", "right") for j in JOINTS])
    free = np.setdiff1d(np.arange(model.nv), fixed)
    for _ in range(20):
        sinew.resetData(model, data)
        change = np.zeros(model.nv)
        change[fixed] = rng.uniform(-0.2, 0.2, len(fixed))
        sinew.integratePos(model, data.qpos, change, 1)
        for _ in range(30):
            sinew.forward(model, data)
            if data.loop_error < 1e-13:
                break
            change[:] = 0
            change[free] = -np.linalg.lstsq(loop_K(model, data)[:, free], data.loop_delta)[0]
            sinew.integratePos(model, data.qpos, change, 1)
        assert data.loop_error < 1e-13
        assert data.loop_rank == 10 == np.linalg.matrix_rank(loop_K(model, data), tol=1e-9)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_ten_seconds_of_motion(example, integrator):
    model, data = load("cassie_legs", integrator=int(sinew.Integrator[integrator]))
    model.opt.enableflags = int(sinew.EnableBit.ENERGY)
    sinew.forward(model, data)
    start, work, put_in = data.energy.sum(), 0, 0
    track, feet = [], []
    soles = [model.geom(f"{s}_sole").id for s in ("left", "right")]
    knees = [int(model.joint(f"{s}_knee").qposadr[0]) for s in ("left", "right")]
    for _ in range(10_000):
        data.ctrl[:] = example.targets(model, data.time)
        before = data.qvel.copy()
        sinew.step(model, data)
        assert data.loop_error < 1e-9
        # forces of loops do no work; motors put in what dampers, contacts and weight take
        if integrator != "RK4":  # whose forces are those of its last stage
            assert abs(loop_work(data, before)) < 1e-9
        mean = (before + data.qvel) / 2
        put_in += model.opt.timestep * mean @ data.qfrc_actuator
        work += (
            model.opt.timestep
            * mean
            @ (data.qfrc_actuator + data.qfrc_damper + data.qfrc_constraint)
        )
        track.append([data.time, *data.qpos[:3], *data.qpos[3:7], *data.qpos[knees]])
        feet.append(data.geom_xpos[soles].copy())
    track, feet = np.array(track), np.array(feet)
    assert data.loop_error_max < 1e-9 and not data.warning["number"].any()

    # knees follow, the pelvis goes down and up and from side to side, and the robot stays upright
    settled = track[:, 0] > 1
    time, _, y, z = track[settled].T[:4]
    bend = 0.15 * (1 - np.cos(0.4 * np.pi * time))
    assert np.abs(track[settled, -2:] + bend[:, None]).max() < 0.03
    assert 0.80 < z.min() < 0.83 and z.max() > 0.915
    assert y.min() < -0.015 and y.max() > 0.015
    assert np.abs(track[:, 5:7]).max() < np.sin(np.deg2rad(1.5))
    assert np.linalg.norm((feet - feet[200])[200:, :, :2], axis=2).max() < 2e-3  # no slip
    assert data.ncon == 8  # flat on both soles

    sinew.forward(model, data)
    # to a hundredth of what goes up and down in two squats
    lifted = 32.94 * 9.81 * 0.12
    assert data.energy.sum() - start == pytest.approx(work, abs=0.02 * lifted)
    assert abs(put_in) < 2 * lifted


@pytest.mark.parametrize("solution", [1, 2, 3])
def test_solutions_agree_on_the_ground(example, solution):
    """Accelerations and loop forces of the three solutions in the middle of the motion."""
    model, data = load("cassie_legs")
    for _ in range(700):
        data.ctrl[:] = example.targets(model, data.time)
        sinew.step(model, data)
    results = []
    for choice in (3, solution):
        model.opt.loop_solution = choice
        sinew.forward(model, data)
        results.append((data.qacc_smooth.copy(), data.qacc.copy(), data.qfrc_constraint.copy()))
    for expected, actual in zip(*results, strict=True):
        np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("cone", ["PYRAMIDAL", "ELLIPTIC"])
@pytest.mark.parametrize("solver", ["CG", "PGS"])
def test_other_solvers_stand(example, solver, cone):
    """The beginning of the motion, compared with Newton's."""
    ends = []
    for choice in ("NEWTON", solver):
        options = {"solver": int(sinew.Solver[choice]), "cone": int(sinew.Cone[cone])}
        model, data = load("cassie_legs", tolerance=1e-12, iterations=2000, **options)
        for _ in range(600):
            data.ctrl[:] = example.targets(model, data.time)
            sinew.step(model, data)
        assert data.loop_error_max < 1e-11 and not data.warning["number"].any()
        ends.append(data.qpos.copy())
    np.testing.assert_allclose(*ends, rtol=0, atol=1e-6)
