"""sinew.Batch: steps, forward, resets, rollouts and parameters against single simulations."""

import contextlib
import os
import signal
import threading
import time

import numpy as np
import pytest

import sinew
from test_batch_arrays import Tensor
from yard import XML as MODEL_TEXT

N, NSTEP, TOLERANCE = 11, 6, 1e-11
INPUTS = (
    "ctrl",
    "qfrc_applied",
    "xfrc_applied",
    "eq_active",
    "mocap_pos",
    "mocap_quat",
    "userdata",
)
STATE = ("time", "qpos", "qvel", "act", "qacc_warmstart")


def scatter(batch, seed=0):
    """Random states near the first one, and random inputs."""
    rng = np.random.default_rng(seed)
    batch.qpos += rng.uniform(-0.05, 0.05, batch.qpos.shape)
    batch.qvel = rng.normal(0, 0.3, batch.qvel.shape)
    batch.ctrl = rng.normal(0, 1, batch.ctrl.shape)
    batch.qfrc_applied = rng.normal(0, 0.2, batch.qfrc_applied.shape)
    batch.xfrc_applied = rng.normal(0, 0.2, batch.xfrc_applied.shape)
    return batch


def single(batch, i):
    """Simulation i as a data of the model, made by hand."""
    data = sinew.Data(batch.model)
    for name in STATE + INPUTS:
        if name == "time":
            data.time = batch.time[i]
        else:
            setattr(data, name, getattr(batch, name)[i])
    return data


def close(batch, i, data, names, tolerance=TOLERANCE):
    for name in names:
        ours, theirs = getattr(batch, name)[i], getattr(data, name)
        scale = 1 + np.abs(theirs).max(initial=0)
        assert np.abs(ours - theirs).max(initial=0) <= tolerance * scale, (name, i)


def bits(batch, names=STATE + ("sensordata",)):
    return {name: getattr(batch, name).copy() for name in names}


def same(a, b, rows=slice(None)):
    for name in a:
        assert (a[name][rows] == b[name][rows]).all(), name


@pytest.fixture
def batch(model):
    return scatter(sinew.Batch(model, N, fields=["xpos", "qacc", "cvel"]))


def test_a_step_is_that_of_a_single_simulation(batch, model):
    datas = [single(batch, i) for i in range(N)]
    for _ in range(NSTEP):
        batch.step()
        for i, data in enumerate(datas):
            sinew.step(model, data)
            close(batch, i, data, STATE + ("sensordata", "xpos", "qacc", "cvel"), 1e-9)


def test_many_steps_are_single_steps(batch, model):
    again = scatter(sinew.Batch(model, N))
    batch.step(nstep=NSTEP)
    for _ in range(NSTEP):
        again.step()
    same(bits(batch), bits(again))


@pytest.mark.parametrize("threads", [2, 3])
def test_bits_do_not_depend_on_threads_or_place(batch, model, threads):
    shared = scatter(sinew.Batch(model, N, threads=threads))
    assert shared.threads == threads
    order = np.random.default_rng(1).permutation(N)
    moved = sinew.Batch(model, N + 4)
    for name in STATE[1:] + INPUTS:
        getattr(moved, name)[order] = getattr(batch, name)
    for b in (batch, shared, moved):
        b.step(nstep=NSTEP)
    same(bits(batch), bits(shared))
    for name in STATE + ("sensordata",):
        assert (getattr(moved, name)[order] == getattr(batch, name)).all(), name


def test_bits_do_not_depend_on_the_number(model):
    whole = scatter(sinew.Batch(model, 33))
    some = [sinew.Batch(model, n) for n in range(1, 18)]
    for b in some:
        for name in STATE[1:] + INPUTS:
            setattr(b, name, getattr(whole, name)[-b.n :])
        b.step(nstep=NSTEP)
    whole.step(nstep=NSTEP)
    for b in some:
        same(bits(b), {name: array[-b.n :] for name, array in bits(whole).items()})


def test_a_subset_leaves_the_others_alone(batch, model):
    whole = scatter(sinew.Batch(model, N))
    before = bits(batch)
    ids = [7, 0, 3]
    batch.step(ids=ids, nstep=2)
    whole.step(nstep=2)
    others = np.setdiff1d(np.arange(N), ids)
    same(bits(batch), before, others)
    same(bits(batch), bits(whole), ids)
    batch.step(ids=np.isin(np.arange(N), others), nstep=2)
    same(bits(batch), bits(whole))
    batch.step(ids=[])
    batch.step(ids=np.zeros(N, bool))
    batch.forward(ids=())
    batch.reset(ids=[])
    same(bits(batch), bits(whole))


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.int32, np.uint64, object])
def test_ids_of_any_kind_of_integer(batch, dtype):
    if dtype is object:
        with pytest.raises(TypeError, match="ids"):
            batch.step(ids=np.array([1, 2], dtype))
        return
    batch.step(ids=np.array([1, 2], dtype))
    assert (batch.time != 0).tolist() == [i in (1, 2) for i in range(N)]
    batch.step(ids=Tensor(np.array([4])))
    batch.step(ids=3)
    assert (batch.time != 0).sum() == 4


def test_controls_hold_or_change_with_the_step(batch, model):
    rng = np.random.default_rng(2)
    controls = rng.normal(0, 1, (N, NSTEP, model.nu))
    again, third = (scatter(sinew.Batch(model, N)) for _ in range(2))
    batch.step(controls, nstep=NSTEP)
    for t in range(NSTEP):
        again.step(controls[:, t])
        third.ctrl = controls[:, t]
        third.step()
    same(bits(batch), bits(again))
    same(bits(batch), bits(third))
    assert (batch.ctrl == controls[:, -1]).all()
    batch.step([0.5, -0.5], nstep=3)
    assert (batch.ctrl == [0.5, -0.5]).all()
    before = batch.ctrl.copy()
    batch.step(np.ones((2, model.nu), np.float32), ids=[1, 4])
    before[[1, 4]] = 1
    assert (batch.ctrl == before).all()
    batch.step(controls[:2].astype(np.float32), nstep=NSTEP, ids=[1, 4])


@pytest.mark.parametrize("kind", [list, Tensor, memoryview, np.float32, np.asfortranarray])
def test_controls_come_from_anything(batch, model, kind):
    given = np.random.default_rng(3).integers(-4, 5, (N, model.nu)) / 8
    again = scatter(sinew.Batch(model, N))
    batch.step(
        given.tolist()
        if kind is list
        else given.astype(kind)
        if kind is np.float32
        else kind(given)
    )
    again.ctrl = given
    again.step()
    same(bits(batch), bits(again))


def test_forward_fills_and_changes_no_state(batch, model):
    before = bits(batch, STATE)
    batch.forward()
    same(bits(batch, STATE), before)
    for i in range(N):
        data = single(batch, i)
        sinew.forward(model, data)
        close(batch, i, data, ("sensordata", "xpos", "qacc", "cvel"))
    place = batch.xpos.copy()
    batch.qpos[:, 0] += 1
    batch.forward(ids=[2])
    assert (batch.xpos[2] != place[2]).any()
    assert (np.delete(batch.xpos, 2, 0) == np.delete(place, 2, 0)).all()


def test_resets_by_id_name_and_array(batch, model):
    batch.step(nstep=2)
    moving = bits(batch)
    batch.reset([1, 2])
    assert (batch.qpos[[1, 2]] == model.qpos0).all() and (batch.time[[1, 2]] == 0).all()
    same(bits(batch), moving, [0, *range(3, N)])
    batch.reset(3, keyframe="up")
    batch.reset([4], keyframe=0)
    batch.reset(np.arange(N) > 8, keyframe=[-1, 0])
    for i in (3, 4, 10):
        assert (batch.qpos[i] == model.key_qpos[0]).all() and batch.time[i] == 1.5
    assert (batch.qpos[9] == model.qpos0).all()
    batch.reset(keyframe=["up"] * N)
    assert (batch.time == 1.5).all()
    batch.reset()
    fresh = sinew.Batch(model, N)
    same(bits(batch, STATE + INPUTS), bits(fresh, STATE + INPUTS))


@pytest.mark.parametrize("every", [1, 2, 4])
def test_a_rollout_is_its_steps(batch, model, every):
    controls = np.random.default_rng(4).normal(0, 1, (N, NSTEP, model.nu))
    again = scatter(sinew.Batch(model, N, fields=["xpos"]))
    states, sensors, fields = batch.rollout(control=controls, every=every, fields=["xpos", "qacc"])
    nsaved = NSTEP // every
    assert states.shape == (N, nsaved, 1 + model.nq + model.nv + model.na)
    assert sensors.shape == (N, nsaved, model.nsensordata)
    assert fields["xpos"].shape == (N, nsaved, model.nbody, 3)
    for t in range(NSTEP):
        again.step(controls[:, t])
        if (t + 1) % every:
            continue
        at = (slice(None), t // every)
        assert (states[at][:, 0] == again.time).all()
        assert (states[at][:, 1 : 1 + model.nq] == again.qpos).all()
        assert (states[at][:, 1 + model.nq :] == again.qvel).all()
        assert (sensors[at] == again.sensordata).all()
        assert (fields["xpos"][at] == again.xpos).all()
    same(bits(batch), bits(again))


def test_a_rollout_from_given_states(batch, model):
    size = 1 + model.nq + model.nv + model.na
    states = np.zeros((N, size))
    states[:, 1 : 1 + model.nq] = batch.qpos
    states[:, 1 + model.nq :] = batch.qvel
    batch.step(nstep=3)
    first = batch.rollout(states, nstep=NSTEP)
    batch.step(nstep=2)
    again = batch.rollout(states, nstep=NSTEP)
    assert (first[0] == again[0]).all() and (first[1] == again[1]).all()
    some = batch.rollout(states[[5, 2]], nstep=NSTEP, ids=[5, 2])
    assert (some[0] == first[0][[5, 2]]).all()
    batch.xfrc_applied = batch.qfrc_applied = 0
    one = batch.rollout(states[0], control=np.zeros(model.nu), nstep=2)
    assert (one[0] == one[0][:1]).all()


def test_a_rollout_sets_other_inputs(batch, model):
    spec = sinew.StateBit.CTRL | sinew.StateBit.XFRC_APPLIED
    given = np.random.default_rng(5).normal(0, 0.3, (N, 2, model.nu + 6 * model.nbody))
    again = scatter(sinew.Batch(model, N))
    batch.rollout(control=given, control_spec=spec)
    for t in range(2):
        again.ctrl = given[:, t, : model.nu]
        again.xfrc_applied = given[:, t, model.nu :].reshape(N, -1, 6)
        again.step()
    same(bits(batch), bits(again))


def test_parameters_are_those_of_a_changed_model(batch, model):
    rng = np.random.default_rng(6)
    mass = batch.parameter("body_mass")
    mass *= rng.uniform(0.5, 2, mass.shape)
    batch.parameter("opt.gravity")[:, 2] = rng.uniform(-12, -3, N)
    gains = batch.randomize("actuator_gainprm", 0.5, 1.5, seed=1)
    friction = batch.randomize("geom_friction", [0, 0, 0], [0.5, 0, 0], mode="add", seed=2)
    assert (friction[..., 1:] == model.geom_friction[:, 1:]).all()
    assert len(np.unique(friction[:, 0, 0])) == N and len(np.unique(gains[:, 0, 0])) == N
    batch.set_const()
    starts = [single(batch, i) for i in range(N)]
    batch.step(nstep=2)
    for i in range(N):
        own = sinew.Model.from_xml(MODEL_TEXT)
        own.body_mass, own.opt.gravity = mass[i], batch.parameter("opt.gravity")[i]
        own.actuator_gainprm, own.geom_friction = gains[i], friction[i]
        data = sinew.Data(own)
        sinew.setConst(own, data)
        for name in STATE[1:] + INPUTS:
            setattr(data, name, getattr(starts[i], name))
        sinew.step(own, data, nstep=2)
        close(batch, i, data, STATE, 1e-10)


def test_randomize_draws_evenly_and_again(model):
    batch = sinew.Batch(model, 400)
    first = batch.randomize("body_mass", 0.5, 2, seed=3).copy()
    assert (batch.randomize("body_mass", 0.5, 2, seed=3) == first).all()
    assert (first[:, 1:] >= 0.5 * model.body_mass[1:]).all()
    assert (first[:, 1:] <= 2 * model.body_mass[1:]).all()
    assert abs(first[:, 1].mean() / model.body_mass[1] - 1.25) < 0.1
    kept = batch.randomize("body_mass", 7, 7, mode="set", ids=[1, 3])
    assert (kept[[1, 3]] == 7).all() and (kept[2] == first[2]).all()
    assert batch.randomize("body_mass", 0, 1, seed=np.random.default_rng(1)) is not None
    for wrong in [(1, 0), (np.nan, 1), (0, np.inf), (np.zeros(77), 1), ("a", 1)]:
        with pytest.raises((TypeError, ValueError)):
            batch.randomize("body_mass", *wrong)
    with pytest.raises(ValueError, match="mode"):
        batch.randomize("body_mass", 0, 1, mode="times")


def test_bad_numbers_stay_in_their_simulation(batch, model):
    whole = scatter(sinew.Batch(model, N))
    batch.qvel[4, 2] = np.nan
    batch.qpos[8, 0] = 1e300
    batch.step(nstep=2)
    whole.step(nstep=2)
    same(bits(batch), bits(whole), [i for i in range(N) if i not in (4, 8)])
    assert np.isfinite(batch.qpos).all() and np.isfinite(batch.qvel).all()
    assert batch.warnings.shape == (N, len(sinew.Warning))
    assert batch.warnings[4, sinew.Warning.BADQVEL] == 1
    assert batch.warnings[8, sinew.Warning.BADQPOS] == 1
    assert not np.delete(batch.warnings, [4, 8], 0).any()
    assert not batch.warnings.flags.writeable
    batch.reset([4])
    assert not batch.warnings[4].any() and batch.warnings[8].any()


def test_full_memory_is_told_once():
    text = MODEL_TEXT.replace("<default>", '<size memory="5K"/><default>', 1)
    model = sinew.Model.from_xml(text)
    batch = sinew.Batch(model, 3, width=1)
    batch.qpos[1, 2] -= 0.02
    with pytest.warns(sinew.SimulationWarning, match="of 3 simulations"):
        batch.step(nstep=20)
    batch.step()  # a second warning would be an error
    assert batch.warnings.any()


def is_in_use(batch):
    """Whether another thread has the batch; the look itself keeps Python's lock, so that no other sees it."""
    try:
        batch.bind("qpos")
    except RuntimeError as error:
        assert "another thread" in str(error)
        return True
    return False


@contextlib.contextmanager
def interrupt_inside(batch):
    """Ctrl-C comes when the block is inside a call of the batch."""
    over = threading.Event()

    def watch():
        while not over.is_set():
            if is_in_use(batch):
                os.kill(os.getpid(), signal.SIGINT)
                return
            time.sleep(0.001)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_an_interrupt_ends_a_long_call(model):
    for threads in (1, 2):
        batch = scatter(sinew.Batch(model, 64, threads=threads))
        with pytest.raises(KeyboardInterrupt), interrupt_inside(batch):
            batch.step(nstep=2**31 - 1)  # days
        assert np.isfinite(batch.qpos).all() and batch.time.any()
        # whole: each simulation stands where as many single steps lead
        i = int(np.argmin(batch.time))
        steps = round(batch.time[i] / model.opt.timestep)
        assert abs(batch.time[i] - steps * model.opt.timestep) < 1e-6 * (1 + steps)
        batch.step()


def test_one_call_at_a_time_and_the_lock_is_given_up(model):
    """Held by who steps, nobody would ever see the batch in use."""
    batch = scatter(sinew.Batch(model, 64))
    refused = False
    for nstep in 100 * 2 ** np.arange(15):  # until this thread has its turns before the other ends
        thread = threading.Thread(target=batch.step, kwargs={"nstep": int(nstep)})
        thread.start()
        while thread.is_alive() and not is_in_use(batch):
            pass
        try:
            batch.forward([0])
        except RuntimeError as error:
            assert "another thread" in str(error)
            refused = True
        thread.join()
        if refused:
            break
    assert refused
    batch.forward()


def test_two_batches_step_at_the_same_time(model):
    batches = [scatter(sinew.Batch(model, N), seed=i) for i in range(2)]
    alone = [scatter(sinew.Batch(model, N), seed=i) for i in range(2)]
    threads = [threading.Thread(target=b.step, kwargs={"nstep": 50}) for b in batches]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for b, a in zip(batches, alone, strict=True):
        a.step(nstep=50)
        same(bits(b), bits(a))


def test_the_scalar_engine_has_the_bits_of_single_steps(model):
    batch = scatter(sinew.Batch(model, N, width=1, fields=["xpos"]))
    assert batch.width == 1
    datas = [single(batch, i) for i in range(N)]
    batch.step(nstep=NSTEP)
    for i, data in enumerate(datas):
        sinew.step(model, data, nstep=NSTEP)
        close(batch, i, data, STATE + ("sensordata", "xpos"), 0)


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ({"solver": sinew.Solver.CG}, ("solver CG",)),
        (
            {"solver": sinew.Solver.PGS, "cone": sinew.Cone.ELLIPTIC, "noslip_iterations": 2},
            ("solver PGS with elliptic cones", "noslip"),
        ),
        (
            {"solver": sinew.Solver.CG, "integrator": sinew.Integrator.IMPLICIT},
            ("solver CG", "integrator implicit"),
        ),
        ({"contact": sinew.ContactModel.LCP}, ("rigid contact (LCP)",)),
        ({"solver": sinew.Solver.PGS, "cone": sinew.Cone.PYRAMIDAL}, ()),
    ],
)
def test_each_reason_is_one_name(settings, names):
    model = sinew.Model.from_xml(MODEL_TEXT)
    for name, value in settings.items():
        setattr(model.opt, name, value)
    batch = sinew.Batch(model, 3)
    assert batch.scalar_features == names and (batch.width == 1) == bool(names)


def test_what_lanes_cannot_do_has_its_name():
    model = sinew.Model.from_xml(MODEL_TEXT.replace("<option ", '<option noslip_iterations="3" '))
    batch = sinew.Batch(model, 3)
    assert batch.width == 1 and batch.scalar_features == ("noslip",)
    with pytest.raises(ValueError, match="has noslip; give no width, or 1"):
        sinew.Batch(model, 3, width=8)
    assert sinew.Batch(sinew.Model.from_xml(MODEL_TEXT), 3).scalar_features == ()
