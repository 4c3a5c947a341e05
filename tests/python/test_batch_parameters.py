"""Parameters of a batch, every one of them, against single models with those numbers."""

import numpy as np
import pytest

import batch_scenes
import sinew
from batch_models import INPUTS, STATE, apart, copied, neighbours, scatter, spread

N, SLACK, EXACT = 9, 100, 1e-11
SETTINGS = ["Euler", "implicitfast", "RK4", "elliptic", "PGS"]

# What a user may change without making the model another one, and by how much: a factor's range, or what is added.
SCALED = {
    "body_mass": (0.5, 2),
    "body_inertia": (0.8, 1.2),
    "body_gravcomp": (0, 2),
    "dof_armature": (0.5, 2),
    "dof_damping": (0, 3),
    "dof_frictionloss": (0, 3),
    "jnt_stiffness": (0, 3),
    "geom_friction": (0.3, 2),
    "geom_size": (0.9, 1.1),
    "geom_solref": (0.8, 2),
    "geom_margin": (0, 2),
    "actuator_gainprm": (0.5, 2),
    "actuator_biasprm": (0.5, 2),
    "actuator_gear": (0.5, 2),
    "actuator_ctrlrange": (0.5, 2),
    "actuator_dynprm": (0.8, 1.2),
    "tendon_stiffness": (0, 3),
    "tendon_damping": (0, 3),
    "tendon_frictionloss": (0, 3),
    "opt.gravity": (0, 2),
    "opt.timestep": (0.5, 1),
    "opt.impratio": (1, 3),
}
ADDED = {
    "body_pos": 0.01,
    "body_ipos": 0.01,
    "jnt_pos": 0.01,
    "jnt_range": 0.2,
    "qpos_spring": 0.1,
    "geom_pos": 0.01,
    "site_pos": 0.01,
    "eq_data": 0.01,
    "tendon_range": 0.05,
    "opt.wind": 1.0,
    "opt.density": 1.0,
    "opt.viscosity": 0.1,
}


def made(name):
    """The scene, its solver set to leave no more than rounding; see test_batch_models.py."""
    model = sinew.Model.from_xml(batch_scenes.text(name))
    if model.opt.solver == sinew.Solver.NEWTON:
        model.opt.tolerance, model.opt.ls_tolerance, model.opt.iterations = 1e-13, 1e-4, 200
    return model


@pytest.fixture(scope="module")
def models():
    return {name: made(name) for name in SETTINGS}


def change(batch, field, rng):
    array = batch.parameter(field)
    if field in SCALED:
        array *= rng.uniform(*SCALED[field], array.shape)
    else:
        array += ADDED[field] * np.abs(rng.uniform(0, 1, array.shape))


def set_in(model, field, value):
    if field.startswith("opt."):
        setattr(model.opt, field[4:], value if np.ndim(value) else float(value))
    else:
        setattr(model, field, value)


def hold(batch, fields, models, constants):
    """Steps of the batch against those of a model of each simulation's own."""
    scalar = copied(batch, width=1)
    near = neighbours(scalar, np.random.default_rng(8))
    for other in (scalar, *near):
        for field in fields:
            other.parameter(field)[...] = batch.parameter(field)
        if constants:
            other.set_const()
    datas = [sinew.Data(model) for model in models]
    for i, (model, data) in enumerate(zip(models, datas, strict=True)):
        for field in fields:
            set_in(model, field, batch.parameter(field)[i])
        if constants:
            sinew.setConst(model, data)
            sinew.resetData(model, data)
        for name in STATE + INPUTS:
            setattr(data, name, getattr(batch, name)[i])
    for _ in range(4):
        for other in (batch, scalar, *near):
            other.step()
        for i, (model, data) in enumerate(zip(models, datas, strict=True)):
            sinew.step(model, data)
            for name in STATE:
                ours, theirs = getattr(scalar, name)[i], np.asarray(getattr(data, name))
                assert ours.tobytes() == theirs.tobytes(), (fields, name, i)
    off, far = apart(batch, scalar), spread(near, scalar)
    assert (off <= np.maximum(EXACT, SLACK * far)).all(), (fields, off, far)


@pytest.mark.parametrize("constants", [False, True], ids=["as written", "set_const"])
@pytest.mark.parametrize("field", [*SCALED, *ADDED])
def test_a_parameter_of_each_simulation(models, field, constants):
    name = SETTINGS[[*SCALED, *ADDED].index(field) % len(SETTINGS)]
    rng = np.random.default_rng(3)
    batch = sinew.Batch(models[name], N)
    change(batch, field, rng)
    if constants:
        batch.set_const()
    batch.reset()
    scatter(batch, rng, 0.2)
    own = [made(name) for _ in range(N)]
    hold(batch, [field], own, constants)


@pytest.mark.parametrize("name", SETTINGS)
def test_many_parameters_at_once(models, name):
    rng = np.random.default_rng(4)
    batch = sinew.Batch(models[name], N)
    fields = [*SCALED, *ADDED]
    for field in fields:
        change(batch, field, rng)
    batch.set_const()
    batch.reset()
    scatter(batch, rng, 0.2)
    batch.eq_active = rng.integers(0, 2, batch.eq_active.shape)
    own = [made(name) for _ in range(N)]
    hold(batch, fields, own, True)


def test_bits_with_parameters_are_a_simulations_own(models):
    rng = np.random.default_rng(5)
    batch = sinew.Batch(models["Euler"], 33, threads=2)
    fields = [*SCALED, *ADDED]
    for field in fields:
        change(batch, field, rng)
    batch.set_const()
    batch.reset()
    scatter(batch, rng, 0.2)
    order = rng.permutation(33)
    moved = sinew.Batch(models["Euler"], 33, threads=3)
    for field in fields:
        moved.parameter(field)[order] = batch.parameter(field)
    moved.set_const()
    for name in STATE + INPUTS:
        getattr(moved, name)[order] = getattr(batch, name)
    batch.step(nstep=30)
    moved.step(nstep=30)
    for name in STATE + ("sensordata",):
        assert getattr(moved, name)[order].tobytes() == getattr(batch, name).tobytes(), name
