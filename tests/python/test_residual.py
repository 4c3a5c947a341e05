"""The residual that each solve leaves: the gradient of the cost at the acceleration that it accepts.

It is computed again from M, J and the forces, held below ten times the tolerance over runs of stiff piles, and
kept as the largest of a run. SINEW_LONG makes the runs ten times as long, from more seeds and with all settings.
"""

import copy
import itertools
import os

import numpy as np
import pytest

import piles
import sinew

LONG = bool(os.environ.get("SINEW_LONG"))
SCENES = {"heap": piles.heap, "cards": piles.cards, "cube": piles.cube}
CONES = pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
# integrator and impratio
SHORT = [("Euler", 1), ("implicitfast", 10)]
SETTINGS = SHORT + [("RK4", 1), ("implicit", 1), ("Euler", 100)] if LONG else SHORT


def steps(model, data, count, seed=0):
    """Runs under controls that change now and then; yields after each step."""
    rng = np.random.default_rng(seed)
    for k in range(count):
        if model.nu and k % 10 == 0:
            data.ctrl[:] = rng.uniform(*model.actuator_ctrlrange.T)
        sinew.step(model, data)
        yield k


def scale(model):
    return 1 / (model.stat.meaninertia * model.nv)


def bound_energy(name, data, start, spikes):
    """Piles only lose energy, but for what contacts that are pressed in give back; motors of the cube are weak."""
    potential, kinetic = data.energy
    if name == "cube":
        assert kinetic < spikes
    else:
        assert potential + kinetic < start * (1 + spikes)


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
@CONES
@pytest.mark.parametrize("solver", ["Newton", "CG"])
@pytest.mark.parametrize("name", SCENES)
def test_piles(name, solver, cone, setting):
    for seed in range(3 if LONG else 2):
        text = SCENES[name](
            seed, solver=solver, cone=cone, integrator=setting[0], impratio=setting[1]
        )
        model = sinew.Model.from_xml(text)
        model.opt.enableflags = int(sinew.EnableBit.ENERGY)
        model.opt.iterations = (
            1000  # CG wants them now and then, and without them energies may spike
        )
        data = sinew.Data(model)
        sinew.forward(model, data)
        start = data.energy.sum()
        for k in steps(model, data, 3000 if LONG else 500, seed):
            if data.solver_niter < model.opt.iterations:
                assert data.solver_residual < 10 * model.opt.tolerance, (seed, k)
            bound_energy(name, data, start, 0.05)
        assert data.warning.number.sum() == 0
        assert data.solver_residual_max > 0


@CONES
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("name", ["heap", "cards"])
def test_is_the_gradient(name, solver, cone):
    """The same from M, J and the penalty at qacc; all rows as one island, whose residual is that of the whole."""
    model = sinew.Model.from_xml(SCENES[name](3, solver=solver, cone=cone))
    data = sinew.Data(model)
    model.opt.disableflags = int(sinew.DisableBit.ISLAND | sinew.DisableBit.WARMSTART)
    largest = 0
    for k in steps(model, data, 400):
        if k % 10:
            continue
        for iterations in 2, 100:  # far from the minimum, and near it
            model.opt.iterations = iterations
            sinew.forward(model, data)
            if not data.nefc:
                break
            found = data.solver_residual
            inertial = sinew.mulM(model, data, data.qacc - data.qacc_smooth)
            residuals = data.efc_J.reshape(data.nefc, -1) @ data.qacc - data.efc_aref
            sinew.constraintUpdate(model, data, residuals)
            expected = scale(model) * np.linalg.norm(inertial - data.qfrc_constraint)
            np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-10)
            largest = max(largest, found)
    assert largest > 1e-3


@CONES
def test_converged_sweeps(cone):
    """PGS goes to the minimum, noslip towards one, slowly where friction is shared in many ways."""
    model = sinew.Model.from_xml(piles.cards(1, solver="PGS", cone=cone))
    data = sinew.Data(model)
    for _ in steps(model, data, 40):
        pass
    model.opt.tolerance, model.opt.iterations = 0, 8000
    model.opt.noslip_tolerance = 0
    residual = []
    for sweeps in 1, 2000:
        model.opt.noslip_iterations = sweeps
        sinew.forward(model, data)
        assert data.solver_residual < 1e-7
        residual.append(data.noslip_residual)
    assert residual[1] < 1e-3 * residual[0] < 1e-3


def test_noslip_residual_is_what_a_sweep_moves():
    """A box that is pushed along a plane: with one contact point the first move of a sweep is all of it."""
    text = """<mujoco><option cone="elliptic"/><worldbody><geom type="plane" size="5 5 1"/>
      <body pos="0 0 .099"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
      <geom size=".1" mass="2"/></body></worldbody></mujoco>"""
    model = sinew.Model.from_xml(text)
    data = sinew.Data(model)
    data.qfrc_applied[0] = 5
    sinew.forward(model, data)
    soft = data.qfrc_constraint[0]
    model.opt.noslip_iterations = 1
    sinew.forward(model, data)
    assert data.noslip_residual < 1e-12
    assert abs(data.qfrc_constraint[0] + 5) < 1e-9 < abs(soft + 5)


def test_largest_of_a_run():
    """It is copied with the data and gone after a reset."""
    model = sinew.Model.from_xml(piles.cards(0, solver="CG"))
    model.opt.noslip_iterations = 2
    data = sinew.Data(model)
    seen = []
    for _ in steps(model, data, 30):
        seen.append((data.solver_residual, data.noslip_residual))
    largest = tuple(np.max(seen, axis=0))
    assert (data.solver_residual_max, data.noslip_residual_max) == largest
    assert min(largest) > 0
    other = copy.copy(data)
    assert (other.solver_residual_max, other.noslip_residual_max) == largest
    sinew.resetData(model, data)
    assert data.solver_residual_max == data.noslip_residual_max == data.solver_residual == 0


INDEFINITE = """<mujoco><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/>
    <body pos="0 0 .2"><joint axis="0 1 0" range="-1 1" frictionloss=".1"/><geom type="capsule" size=".03 .1"/></body>
  </body><body pos="1 0 .05"><freejoint/><geom size=".06"/></body></worldbody></mujoco>"""


@CONES
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
def test_indefinite_inertia(solver, cone):
    """No minimum to be found: warnings, and a state of finite numbers after every step."""
    for noslip, armature in itertools.product((0, 3), (-0.02, -30, -1e6)):
        model = sinew.Model.from_xml(INDEFINITE)
        model.opt.solver, model.opt.cone = sinew.Solver[solver.upper()], sinew.Cone[cone.upper()]
        model.opt.noslip_iterations = noslip
        model.dof_armature[6] = armature
        data = sinew.Data(model)
        sinew.forward(model, data)
        assert np.linalg.eigvalsh(sinew.fullM(model, data)).min() < 0
        assert data.warning[0].number > 0  # inertia
        for _ in range(40):
            sinew.step(model, data)
            assert data.warning.number.sum() > 0
            assert np.isfinite(data.qpos).all() and np.isfinite(data.qvel).all()
