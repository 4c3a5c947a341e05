"""sinew.mujoco.batch in lanes: the newest peer's names on sinew.Batch."""

import copy

import numpy as np
import pytest

import sinew
from sinew import mujoco
from sinew.mujoco import batch as module
from yard import XML

N = 5


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(XML)


@pytest.fixture
def batch(model):
    b = module.Batch(model, N, nthread=2, lanes=True)
    b.qvel = np.random.default_rng(0).normal(0, 0.3, (N, model.nv))
    b.ctrl = 0.5
    return b


def loop(batch, model, nstep):
    """The same simulations one by one."""
    datas = []
    for i in range(N):
        d = mujoco.MjData(model)
        d.qvel[:], d.ctrl[:] = batch.qvel[i], batch.ctrl[i]
        datas.append(d)
        mujoco.mj_step(model, d, nstep)
    return datas


def test_sizes_and_settings(batch, model):
    assert (batch.nsim, batch.nthread, batch.persistent, batch.models) == (N, 2, False, None)
    assert batch.nstate == mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_INTEGRATION)
    assert batch.model is model and isinstance(batch.batch, sinew.Batch)
    assert batch.warning.shape == (N, int(mujoco.mjtWarning.mjNWARNING), 2)
    assert not batch.status.any() and batch.error(0) == ""
    assert {"qpos", "ctrl", "xpos", "sensordata", "time", "cfrc_ext"} <= module.DATA_FIELDS
    assert {"body_mass", "geom_friction", "opt.gravity", "opt.timestep"} <= module.MODEL_FIELDS
    assert "efc_J" not in module.DATA_FIELDS
    assert module.Batch(model, 1, 0, lanes=True).nthread >= 1


def test_steps_are_those_of_a_loop(batch, model):
    xpos = batch.bind("xpos")
    datas = loop(batch, model, 3)
    batch.step(nstep=3)
    for i, d in enumerate(datas):
        assert np.allclose(batch.qpos[i], d.qpos, rtol=0, atol=1e-11)
        assert np.allclose(xpos[i], d.xpos, rtol=0, atol=1e-11)
    batch.step(ids=[2], stage=mujoco.mjtStage.mjSTAGE_ACC)
    mujoco.mj_step(model, datas[2])
    mujoco.mj_forward(model, datas[2])
    assert np.allclose(xpos[2], datas[2].xpos, rtol=0, atol=1e-11)
    batch.reset([1], keyframe=0)
    assert (batch.qpos[1] == model.key_qpos[0]).all() and xpos[1].any()
    batch.reset([0, 1], keyframe=[-1, 0])
    assert (batch.qpos[0] == model.qpos0).all()


def test_outputs_cannot_be_written(batch):
    assert not batch.bind("xpos").flags.writeable and batch.bind("qpos").flags.writeable
    for write in (
        lambda: setattr(batch, "xpos", 0),
        lambda: setattr(batch.body("arm"), "xpos", 0),
        lambda: batch.xpos.__setitem__(..., 0),
    ):
        with pytest.raises(ValueError):
            write()


def test_fields_of_the_model_are_expanded_first(batch):
    """What is set would change nothing, as at the peer."""
    for name in ("body_mass", "opt.timestep"):
        with pytest.raises(AttributeError, match=f"use expand.'{name}'"):
            setattr(batch, name, 3.0)
    batch.note = "a word of the caller's own"


def test_expanded_fields(batch, model):
    assert batch.expanded("body_mass") is None
    mass = batch.expand("body_mass")
    assert mass.shape == (N, model.nbody)
    batch.body("arm").mass = np.arange(1, N + 1)[:, None]
    assert (mass[:, model.body("arm").id] == np.arange(1, N + 1)).all()
    assert not batch.expanded("body_mass").flags.writeable
    batch.set_const()
    assert batch.expanded("body_subtreemass") is not None
    assert (batch.get_model(3).body_mass == mass[3]).all()
    own = batch.get_model(1, copy.copy(model))
    assert (own.body_mass == mass[1]).all()
    assert type(own) is type(batch.get_model(0)) is mujoco.MjModel
    batch.expand("opt.gravity")[2, 2] = -1
    assert batch.get_model(2).opt.gravity[2] == -1 and model.opt.gravity[2] == -9.81


def test_elements_are_parts_of_fields(batch, model):
    batch.joint("elbow").qpos = 0.25
    at = model.joint("elbow").qposadr[0]
    assert (batch.qpos[:, at] == 0.25).all()
    assert batch.joint("elbow").qvel.shape == (N, 1)
    assert batch.actuator(0).ctrl.shape == (N, 1) and (batch.actuator("lift").ctrl == 0.5).all()
    batch.forward()
    assert (batch.site("hand").xpos == batch.site_xpos[:, model.site("hand").id]).all()
    assert batch.sensor("place").data.shape == (N, 3)
    assert batch.geom("upper").size.shape == (N, 3) and batch.numeric("gains").data.shape == (N, 3)
    assert batch.keyframe("up").id == 0 and batch.body("arm").name == "arm"
    assert (batch.joint("elbow").qposadr == at).all() and batch.geom("upper").type.shape == (N, 1)
    with pytest.raises(ValueError, match="differ"):
        batch.geom("upper").type = 3
    with pytest.raises(AttributeError, match="qpos"):
        _ = batch.joint("elbow").qposs
    with pytest.raises(AttributeError):
        batch.joint("elbow").id = 3
    with pytest.raises(KeyError):
        batch.joint("nonsense")


def test_rollouts_record(batch, model):
    spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
    controls = np.random.default_rng(1).normal(0, 1, (N, 4, model.nu))
    again = copy.copy(batch.batch)
    out = {"qpos": np.empty((N, 4, model.nq))}
    got = batch.rollout(4, controls, record=["qpos", "xpos", "ctrl", "eq_active", spec], out=out)
    assert got["qpos"] is out["qpos"] and got["xpos"].shape == (N, 4, model.nbody, 3)
    states = again.rollout(control=controls)[0]
    assert (got[spec] == states).all() and (got["ctrl"] == controls).all()
    with pytest.raises(ValueError, match="out"):
        batch.rollout(4, record=["qpos"], out={"qpos": np.empty((N, 3, model.nq))})
    with pytest.raises(ValueError, match="record"):
        batch.rollout(4, record=[1 << 20])
    with pytest.raises(ValueError, match="bind"):
        batch.rollout(4, record=["ncon"])
    with pytest.raises(ValueError):
        batch.rollout(4, record=["nonsense"])


def test_a_warning_ends_a_simulation_of_a_rollout(batch):
    batch.qvel[1, 0] = np.nan
    got = batch.rollout(5, record=["qpos"], ids=[0, 1, 3])["qpos"]
    assert (got[1] == got[1, :1]).all() and (got[0, 1] != got[0, 0]).any()
    assert batch.warning[1, int(mujoco.mjtWarning.mjWARN_BADQVEL), 1] == 1
    step = batch.model.opt.timestep
    assert np.allclose(batch.time, [5 * step, step, 0, 5 * step, 0])


def test_single_simulations(batch, model):
    batch.step(nstep=2)
    d = batch.get_data(3)
    assert isinstance(d, mujoco.MjData) and (d.qpos == batch.qpos[3]).all() and d.ncon
    given = mujoco.MjData(model)
    assert batch.get_data(2, given) is given and (given.qvel == batch.qvel[2]).all()
    arm = model.body("arm").id
    jacp, jacr = batch.jac(arm, [1, 0, 0.5], ids=[3])
    theirs = np.zeros((2, 3, model.nv))
    mujoco.mj_jac(model, d, *theirs, np.array([1, 0, 0.5]), arm)
    assert np.allclose(jacp[0], theirs[0]) and np.allclose(jacr[0], theirs[1])
    with pytest.raises(ValueError, match="body"):
        batch.jac(99, np.zeros(3))


def test_rays_are_those_of_single_simulations(batch, model):
    batch.qpos[:, 2] += np.linspace(0, 1, N)
    dist, geomid = batch.ray([[0, 0, 5], [3, 3, 5]], [0, 0, -1], ids=[0, 3])
    assert dist.shape == geomid.shape == (2, 2)
    assert np.allclose(dist[:, 0], 5 - batch.qpos[[0, 3], 2] - 0.1)
    assert (geomid[:, 0] == model.geom("crate").id).all() and (geomid[:, 1] == 0).all()
    assert (batch.ray([0, 0, 5], [0, 0, -1], bodyexclude=1)[1] == 0).all()
    assert (batch.ray([0, 0, 5], [0, 0, 1])[0] == -1).all()
    normal = batch.ray([0, 0, 5], [0, 0, -1], normal=True)[2]
    assert np.allclose(normal, [0, 0, 1])


def test_what_there_is_not_says_so(batch, model):
    for call in (
        lambda: module.Batch(model, 2, persistent=True, lanes=True),
        lambda: batch.state,
        lambda: batch.set_models([model] * N),
    ):
        with pytest.raises(NotImplementedError):
            call()
    batch.set_models(None)
    with pytest.raises(AttributeError, match="expand"):
        _ = batch.body_mass
    with pytest.raises(ValueError, match="bind"):
        batch.expand("qpos")
    with pytest.raises(ValueError, match="opt.timestep"):
        batch.bind("timestep")
    with pytest.raises(ValueError, match="stage"):
        batch.step(stage=9)
    error = module.SimulationError(np.array([3, 4]), "why")
    assert "3" in str(error) and isinstance(error, RuntimeError)


def test_callbacks_in_python_are_refused(batch, model):
    mujoco.set_mjcb_control(lambda m, d: None)
    try:
        for call in (
            batch.step,
            batch.forward,
            batch.reset,
            lambda: batch.rollout(1),
            lambda: module.Batch(model, 1, lanes=True),
        ):
            with pytest.raises(ValueError, match="mjcb_control"):
                call()
    finally:
        mujoco.set_mjcb_control(None)
    batch.step()
