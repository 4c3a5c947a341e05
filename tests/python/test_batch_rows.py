"""sinew.mujoco.batch without lanes: rows of states with the bits of a loop over mj_step."""

import copy
import signal
import threading
import time

import numpy as np
import pytest

from sinew import mujoco
from sinew.mujoco import batch as module
from yard import XML

N = 5
FULL = mujoco.mjtState.mjSTATE_INTEGRATION


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(XML)


def started(model, *arguments, **options):
    b = module.Batch(model, N, *arguments, **options)
    rng = np.random.default_rng(0)
    b.qvel = rng.normal(0, 0.3, (N, model.nv))
    b.ctrl = rng.normal(0, 1, (N, model.nu))
    return b


def data_of(batch, model, sim):
    """A data with the state of a simulation."""
    d = mujoco.MjData(model)
    mujoco.mj_setState(model, d, batch.state[sim].copy(), FULL)
    return d


@pytest.mark.parametrize("persistent", [False, True])
@pytest.mark.parametrize("nthread", [1, 3])
def test_every_field_has_the_bits_of_a_loop(model, nthread, persistent):
    b = started(model, nthread, persistent)
    datas = [data_of(b, model, i) for i in range(N)]
    asked = {"cacc", "cfrc_int", "cfrc_ext", "subtree_linvel", "subtree_angmom"}  # by who binds
    bound = {name: b.bind(name) for name in module.DATA_FIELDS - asked}
    b.step(nstep=7)
    b.step([0, 3])
    for i, d in enumerate(datas):
        mujoco.mj_step(model, d, 8 if i in (0, 3) else 7)
        for name, rows in bound.items():
            np.testing.assert_array_equal(rows[i], getattr(d, name), name)
        state = np.empty(b.nstate)
        mujoco.mj_getState(model, d, state, FULL)
        assert (b.state[i] == state).all()
    assert b.ncon[0] == datas[0].ncon > 0 and b.energy.shape == (N, 2)


def test_what_is_bound_is_computed(model):
    b = started(model, 2)
    forces, momentum = b.cfrc_ext, b.subtree_angmom
    d = data_of(b, model, 1)
    b.step()
    mujoco.mj_step(model, d)
    mujoco.mj_rnePostConstraint(model, d)
    mujoco.mj_subtreeVel(model, d)
    assert (
        (forces[1] == d.cfrc_ext).all() and (momentum[1] == d.subtree_angmom).all() and forces.any()
    )


def test_rows_are_the_state(model):
    b = started(model)
    assert b.state.shape == (N, b.nstate)
    parts = [b.bind(name) for name in ("time", "qpos", "ctrl", "xfrc_applied", "mocap_quat")]
    assert all(np.shares_memory(b.state, part) for part in parts)
    kept = b.state.copy()
    b.step(nstep=4)
    after = b.state.copy()
    b.state[:] = kept
    b.step(nstep=4)
    assert (b.state == after).all() and (after != kept).any()


@pytest.mark.parametrize("stage", ["POS", "VEL", "ACC"])
def test_stages_at_the_new_state(model, stage):
    b = started(model, 2)
    xpos, bias, qacc = b.xpos, b.qfrc_bias, b.qacc
    b.step(nstep=3, stage=getattr(mujoco.mjtStage, f"mjSTAGE_{stage}"))
    d = data_of(b, model, 2)
    mujoco.mj_forward(model, d)
    assert (xpos[2] == d.xpos).all()
    assert (bias[2] == d.qfrc_bias).all() == (stage != "POS")
    assert (qacc[2] == d.qacc).all() == (stage == "ACC")


def test_all_that_follows_from_parameters_follows(model):
    """Each field of a simulation's model is that of a model by itself."""
    b = started(model, 2)
    rng = np.random.default_rng(3)
    for name in ("body_mass", "body_inertia", "geom_size", "jnt_stiffness", "body_gravcomp"):
        b.expand(name)[...] *= rng.uniform(0.5, 2, (N, 1) + (1,) * (b.expand(name).ndim - 2))
    b.expand("body_gravcomp")[2, 3] = 0.5
    b.expand("geom_contype")[1, 2] = 0
    b.expand("opt.timestep")[3] = 0.002
    b.set_const()
    b.step(nstep=5)
    for i in range(N):
        own, theirs = copy.copy(model), b.get_model(i)
        for name in b._expanded:
            if name != "opt.timestep":
                getattr(own, name)[...] = b.expand(name)[i]
        own.opt.timestep = b.expand("opt.timestep")[i]
        mujoco.mj_setConst(own, mujoco.MjData(own))
        d = mujoco.MjData(own)
        mujoco.mj_setState(own, d, started(model).state[i].copy(), FULL)
        mujoco.mj_step(own, d, 5)
        for name in module.MODEL_FIELDS:
            if "." not in name:
                np.testing.assert_array_equal(getattr(theirs, name), getattr(own, name), name)
        assert (theirs.stat.meaninertia, theirs.opt.timestep) == (
            own.stat.meaninertia,
            own.opt.timestep,
        )
        assert (b.qpos[i] == d.qpos).all() and (b.time[i] == d.time)


@pytest.mark.parametrize("persistent", [False, True])
def test_gravity_is_compensated_by_simulation(persistent):
    """How many bodies have it is a size of the model, and each simulation's own."""
    later = XML.replace("<custom>", '<custom><text name="sinew_physics" data="4.0"/>')
    model = mujoco.MjModel.from_xml_string(later)
    b = module.Batch(model, N, 3, persistent)
    b.expand("body_gravcomp")[2:, 3] = 1
    b.set_const()
    b.step(), b.step()
    force = b.qfrc_gravcomp
    b.forward()
    assert (force[:2] == 0).all() and force[2:].any(1).all()
    assert [b.get_model(i).ngravcomp for i in range(N)] == [0, 0, 1, 1, 1]


def test_numbers_that_no_model_may_have_fail_by_simulation(model):
    b = started(model, 2)
    before = b.state.copy()
    b.expand("geom_type")[1, 1] = 99
    b.expand("body_parentid")[3, 2] = 10**9
    b.set_const([0])
    b.expand("jnt_actuatorid")[3, 1] = 10**6
    with pytest.raises(module.SimulationError, match=r"2 of 4 simulations \(1, 3\)") as error:
        b.step([0, 1, 3, 4])
    assert list(error.value.ids) == [1, 3] and list(b.status) == [0, 1, 0, 1, 0]
    assert b.error(3) and not b.error(0) and (b.state[[1, 2, 3]] == before[[1, 2, 3]]).all()
    assert (b.state[[0, 4]] != before[[0, 4]]).any()
    b.step([0, 2])
    assert b.error(1)
    b.expand("geom_type")[1, 1] = model.geom_type[1]
    b.expand("body_parentid")[3, 2] = model.body_parentid[2]
    b.expand("jnt_actuatorid")[3, 1] = b.expand("jnt_actuatorid")[0, 1]
    b.step()
    assert not b.status.any() and not b.error(1)
    with pytest.raises(ValueError, match="read-only"):
        b.status[0] = 1


def test_options_that_cannot_be(model):
    b = module.Batch(model, N, 2)
    for name, value, text in (
        ("integrator", 77, "integrator"),
        ("solver", -1, "solver"),
        ("cone", 5, "cone"),
    ):
        b.expand(f"opt.{name}")[2] = value
        with pytest.raises(module.SimulationError, match=text) as error:
            b.step()
        assert list(error.value.ids) == [2]
        b.expand(f"opt.{name}")[2] = 0


def test_rigid_contact_is_one_for_all(model):
    """States have another size with it."""
    with pytest.raises(ValueError, match="contact"):
        module.Batch(model, N).expand("opt.contact")
    rigid = copy.copy(model)
    rigid.opt.contact = 1
    b = started(model, 2)
    b.set_models([model, rigid, model, rigid, model])
    with pytest.raises(module.SimulationError, match="opt.contact") as error:
        b.step()
    assert list(error.value.ids) == [1, 3]
    b, d = module.Batch(rigid, 2, 2), mujoco.MjData(rigid)
    b.step(nstep=50)
    mujoco.mj_step(rigid, d, 50)
    assert (b.qpos == d.qpos).all() and b.nstate > module.Batch(model, 1).nstate


def test_models_of_the_caller(model):
    other = mujoco.MjModel.from_xml_string(
        XML.replace('<position name="bend"', '<motor name="x" joint="elbow"/><position name="bend"')
    )
    b = started(model, 2)
    mine = [copy.copy(model) for _ in range(N)]
    for i, own in enumerate(mine):
        own.opt.gravity[2] = -i
    b.set_models(mine)
    for wrong in ([other] * N, mine[:2], [None] * N, 3):
        with pytest.raises((ValueError, TypeError)):
            b.set_models(wrong)
    assert b.models == tuple(mine)
    datas = [data_of(b, model, i) for i in range(N)]
    b.step(nstep=3)
    for i, d in enumerate(datas):
        mujoco.mj_step(mine[i], d, 3)
        assert (b.qpos[i] == d.qpos).all() and b.get_model(i).opt.gravity[2] == -i
    b.bind("M")
    with pytest.raises(NotImplementedError, match="M with models"):
        b.step()
    with pytest.raises(mujoco.FatalError, match="caller"):
        b.expand("body_mass")
    b.set_models(None)
    b.step()


def test_rollouts_of_fields_that_are_made(model):
    b, c = started(model, 2), started(model, 2)
    control = np.random.default_rng(1).normal(size=(2, 6, model.nu))
    got = b.rollout(6, control, record=["M", "qpos", "eq_active", FULL], ids=[1, 4])
    wanted = c.rollout(6, control, record=["qpos", FULL], ids=[1, 4])
    assert (got["qpos"] == wanted["qpos"]).all() and (got[FULL] == wanted[FULL]).all()
    d = data_of(started(model), model, 4)
    for k in range(6):
        d.ctrl[:] = control[1, k]
        mujoco.mj_step(model, d)
        assert (got["M"][1, k] == d.M).all()
    assert (b.state == c.state).all() and got["eq_active"].dtype == d.eq_active.dtype


@pytest.mark.parametrize("record", [["qpos"], ["qpos", "M"]])
def test_a_warning_ends_a_simulation_of_a_rollout(model, record):
    b = module.Batch(model, N, 2)
    b.qvel[1, 0] = np.nan
    with pytest.warns(match="BADQVEL in 1 of 5 simulations, the first is 1"):
        got = b.rollout(5, record=record, ids=[0, 1, 3])["qpos"]
    assert (got[1] == got[1, :1]).all()
    step = model.opt.timestep
    assert np.allclose(b.time, [5 * step, step, 0, 5 * step, 0])


def test_wrong_arguments(model):
    b = module.Batch(model, N, 2)
    state, spec = b.state.copy(), int(mujoco.mjtState.mjSTATE_CTRL)
    strided = np.empty((2 * N, 3, model.nq))[::2]
    for error, call in [
        (ValueError, lambda: b.step(nstep=-1)),
        (TypeError, lambda: b.step(nstep=1.5)),
        (ValueError, lambda: b.rollout(-1)),
        (ValueError, lambda: b.rollout(3, np.zeros((N, 2, model.nu)))),
        (ValueError, lambda: b.rollout(3, control_spec=1)),
        (ValueError, lambda: b.rollout(3, record=[-1])),
        (ValueError, lambda: b.rollout(3, record=["qpos"], out={"qpos": strided})),
        (
            ValueError,
            lambda: b.rollout(
                3, record=["qpos"], out={"qpos": np.empty((N, 3, model.nq), np.float32)}
            ),
        ),
        (ValueError, lambda: b._b.rollout(None, 3, None, spec, [("efc_J", 0, np.empty((N, 3)))])),
        (ValueError, lambda: b.reset(keyframe=model.nkey)),
        (ValueError, lambda: b.jac(0, [[1, 2, 3]] * 2)),
        (ValueError, lambda: b.ray([0, 0, 1], [0, 0, -1], geomgroup=[1, 1])),
        (IndexError, lambda: b.get_data(-1)),
        (IndexError, lambda: b.get_model(N)),
        (IndexError, lambda: b.error(N)),
        (ValueError, lambda: setattr(b, "qpos", np.zeros((N, 3)))),
        (ValueError, lambda: module.Batch(model, 0)),
        (ValueError, lambda: module.Batch(model, 2, -1)),
        (ValueError, lambda: module.Batch(model, 2, 100000)),
        (TypeError, lambda: module.Batch(model, 2.0)),
        (TypeError, lambda: b._b.jac(None, [1] * N, np.zeros((N, 3)), None, None)),
    ]:
        with pytest.raises(error):
            call()
    assert (b.state == state).all()
    assert b.rollout(0)["qpos"].shape == (N, 0, model.nq)
    b.step([], nstep=3), b.step(nstep=0)
    assert (b.state == state).all()
    b.ctrl = np.asfortranarray(np.ones((N, model.nu), np.float32))
    assert (b.ctrl == 1).all()


def test_one_call_at_a_time_and_interrupts(model):
    b = module.Batch(model, N, 1)
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    started_at, refused = time.monotonic(), []

    def other():
        time.sleep(0.1)
        try:
            b.step()
        except RuntimeError as error:
            refused.append(str(error))

    thread = threading.Thread(target=other)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        b.step(nstep=10**8)
    thread.join()
    assert time.monotonic() - started_at < 3 and "in use" in refused[0]
    b.step()


def test_views_outlive_the_batch(model):
    b = module.Batch(model, N)
    kept = b.qpos, b.xpos, b.state, b.expand("body_mass")
    b.step()
    values = [a.copy() for a in kept]
    del b
    for a, value in zip(kept, values, strict=True):
        assert (a == value).all()
    kept[0][:] = 1
