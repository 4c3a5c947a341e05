"""sinew.mujoco.rollout: the bits of mj_step made one by one, whatever threads, chunks and shapes."""

import copy
import itertools
import os
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

from sinew import mujoco
from sinew.mujoco import _rollout, rollout

FULL = mujoco.mjtState.mjSTATE_FULLPHYSICS
XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="0 0 1"/>
    <body name="hand" mocap="true" pos="1 0 1"><geom size=".01" contype="0" conaffinity="0"/></body>
    <body name="box" pos="0 0 .2"><freejoint/><geom type="box" size=".1 .2 .1"/>
      <body pos=".2 0 0"><joint name="j" axis="0 1 0" damping=".1"/><geom type="capsule" size=".05 .2"/></body>
    </body>
  </worldbody>
  <equality><weld body1="hand" body2="box" active="false"/></equality>
  <actuator>
    <general joint="j" dyntype="filter" dynprm=".1"/>
    <motor joint="j"/>
  </actuator>
  <sensor><framepos objtype="body" objname="box"/><jointvel joint="j"/></sensor>
</mujoco>
"""


@pytest.fixture(autouse=True)
def no_callbacks():
    yield
    mujoco.set_mjcb_control(None)


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(XML)


def first_states(model, count):
    """Different heights and velocities."""
    data = mujoco.MjData(model)
    states = np.empty((count, mujoco.mj_stateSize(model, FULL)))
    rng = np.random.default_rng(7)
    for row in states:
        mujoco.mj_resetData(model, data)
        data.qpos[2] += rng.uniform(0, 0.3)
        data.qvel[:] = rng.normal(size=model.nv)
        mujoco.mj_getState(model, data, row, FULL)
    return states


def one_by_one(model, states, control, spec=mujoco.mjtState.mjSTATE_CTRL, warmstart=None):
    """The same by mj_step."""
    models = model if isinstance(model, list) else [model] * len(states)
    data = mujoco.MjData(models[0])
    nstep = control.shape[1]
    result = np.empty((len(states), nstep, states.shape[1]))
    sensors = np.empty((len(states), nstep, models[0].nsensordata))
    for i, m in enumerate(models):
        mujoco.mj_resetData(m, data)
        mujoco.mj_setState(m, data, states[i], FULL)
        if warmstart is not None:
            data.qacc_warmstart[:] = warmstart[i]
        for t in range(nstep):
            mujoco.mj_setState(m, data, control[i, t], spec)
            mujoco.mj_step(m, data)
            mujoco.mj_getState(m, data, result[i, t], FULL)
            sensors[i, t] = data.sensordata
    return result, sensors


def same(given, wanted):
    for a, b in zip(given, wanted, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("nthread", [0, 1, 2, 3, 8])
def test_every_thread_and_chunk_gives_the_bits_of_steps(model, nthread):
    states = first_states(model, 11)
    control = np.random.default_rng(1).normal(size=(11, 30, model.nu))
    warmstart = np.random.default_rng(2).normal(size=(11, model.nv))
    wanted = one_by_one(model, states, control, warmstart=warmstart)
    data = [mujoco.MjData(model) for _ in range(max(nthread, 1))]
    with rollout.Rollout(nthread=nthread) as pool:
        for chunk in (None, 1, 4, 100):
            same(
                pool.rollout(
                    model, data, states, control, initial_warmstart=warmstart, chunk_size=chunk
                ),
                wanted,
            )
    same(rollout.rollout(model, data, states, control, initial_warmstart=warmstart), wanted)


def test_several_models_and_all_inputs(model):
    models = []
    for i in range(5):
        models.append(copy.copy(model))
        models[-1].body_mass[2] *= 1 + 0.2 * i
    spec = mujoco.mjtState.mjSTATE_USER
    states = first_states(model, 5)
    control = 0.1 * np.random.default_rng(3).normal(size=(5, 20, mujoco.mj_stateSize(model, spec)))
    data = [mujoco.MjData(model) for _ in range(2)]
    wanted = one_by_one(models, states, control, spec)
    same(rollout.rollout(models, data, states, control, control_spec=spec), wanted)
    alone = one_by_one(models[0], states, control, spec)
    assert not np.array_equal(alone[0], wanted[0])


@pytest.mark.parametrize("count", [3, 40])
def test_an_equality_is_on_by_any_number_but_zero(model, count):
    """Of a state vector, in single steps and in lanes."""
    spec = mujoco.mjtState.mjSTATE_EQ_ACTIVE
    states = first_states(model, count)
    runs = [
        rollout.rollout(
            model,
            mujoco.MjData(model),
            states,
            np.full((count, 5, model.neq), number),
            control_spec=spec,
        )[0]
        for number in (1.0, 0.5, -2.0, 256.0, 0.0)
    ]
    assert all((run == runs[0]).all() for run in runs[1:4])
    assert (runs[4] != runs[0]).any()


def test_dimensions_that_are_missing_are_inferred(model):
    states = first_states(model, 4)
    control = np.random.default_rng(4).normal(size=(4, 6, model.nu))
    data = mujoco.MjData(model)
    everywhere = np.broadcast_to
    for rows, steps in itertools.product((1, 4), (1, 6)):
        driven = control[:rows, :steps]
        wanted = one_by_one(model, states, everywhere(driven, control.shape))
        same(rollout.rollout(model, data, states, driven, nstep=6), wanted)
    one = one_by_one(model, states[:1], control[:1])
    same(rollout.rollout(model, data, states[0], control[0]), one)
    out = np.empty((6, states.shape[1]))
    given = rollout.rollout(model, data, states[0], control[0], state=out)
    same(given, one)
    assert np.shares_memory(given[0], out)
    assert rollout.rollout(model, data, states[0])[0].shape == (1, 1, states.shape[1])
    assert rollout.rollout([model] * 3, data, states[0])[0].shape == (3, 1, states.shape[1])
    assert rollout.rollout(model, data, states[:0])[0].shape == (0, 1, states.shape[1])
    assert rollout.rollout(model, data, states, control[:, :0])[0].shape == (4, 0, states.shape[1])
    integers = rollout.rollout(model, data, states, np.ones((2, model.nu), int))
    same(integers, one_by_one(model, states, np.ones((4, 2, model.nu))))


def test_what_it_starts_from(model):
    """Inputs that control does not set are the model's; those that it might are the data's; userdata stays."""
    states = first_states(model, 3)
    control = np.ones((3, 10, model.nu))
    wanted = one_by_one(model, states, control)
    data = mujoco.MjData(model)
    for name in (
        "qfrc_applied",
        "xfrc_applied",
        "mocap_pos",
        "qacc_warmstart",
        "ctrl",
        "eq_active",
    ):
        getattr(data, name)[...] = 1
    data.mocap_quat[:] = 0, 1, 0, 0
    same(rollout.rollout(model, data, states, control), wanted)
    assert not data.qfrc_applied.any() and list(data.mocap_pos[0]) == [1, 0, 1]
    data.ctrl[:] = 1
    same(rollout.rollout(model, data, states, nstep=10), wanted)
    again = one_by_one(model, states, 0 * control)
    same(rollout.rollout(model, data, states, nstep=10, control_spec=0), again)


@pytest.mark.parametrize("nthread", [1, 3])
@pytest.mark.parametrize("what", ["qpos", "qvel", "qacc"])
def test_divergence_fills_the_rest(model, nthread, what):
    states = first_states(model, 5)
    spec = mujoco.mjtState.mjSTATE_QFRC_APPLIED
    control = np.zeros((5, 12, model.nv))
    if what == "qacc":
        control[2, 4, 0] = 1e14
    else:
        states[2, 1 if what == "qpos" else 1 + model.nq] = np.nan
    bad = 4 if what == "qacc" else 0
    wanted = one_by_one(model, states, control, spec)
    for array in wanted:
        array[2, bad:] = array[2, bad]
    data = [mujoco.MjData(model) for _ in range(nthread)]
    given = rollout.rollout(model, data, states, control, control_spec=spec)
    same(given, wanted)
    assert given[0][2, -1, 0] == model.opt.timestep
    assert np.isfinite(given[0]).all()


def test_pools_that_stay(model):
    states = first_states(model, 4)
    wanted = one_by_one(model, states, np.zeros((4, 3, model.nu)))
    data = [mujoco.MjData(model) for _ in range(3)]
    for count in (2, 2, 3, 1):
        same(rollout.rollout(model, data[:count], states, nstep=3, persistent_pool=True), wanted)
        assert rollout.persistent_rollout.nthread == (count if count > 1 else 0)
    kept = rollout.persistent_rollout
    rollout.rollout(model, data[0], states, persistent_pool=True)
    assert rollout.persistent_rollout is kept
    rollout.shutdown_persistent_pool()
    assert rollout.persistent_rollout is None
    rollout.shutdown_persistent_pool()
    with pytest.raises(RuntimeError, match="after thread pool shutdown"):
        kept.rollout(model, data[0], states)


def test_outputs_as_they_are(model):
    """With skip_checks arrays are written or refused, never made."""
    states = first_states(model, 2)
    nstate = states.shape[1]
    data = mujoco.MjData(model)
    out = np.zeros((2, 3, nstate))
    options = {"skip_checks": True, "nstep": 3}
    state, sensors = rollout.rollout([model], [data], states, state=out, **options)
    assert state is out and sensors is None
    same([out], one_by_one(model, states, np.zeros((2, 3, model.nu)))[:1])
    assert rollout.rollout([model], [data], states, **options) == (None, None)
    wrong = [
        (np.zeros((2, 3, nstate), np.float32), TypeError),
        (np.zeros((2, 3, 2 * nstate))[:, :, ::2], TypeError),
        (np.zeros((2, 2, nstate)), ValueError),
        (out.tolist(), TypeError),
    ]
    for array, error in wrong:
        with pytest.raises(error, match=r"^state(\.size should| must be a writable)"):
            rollout.rollout([model], [data], states, state=array, **options)
    out.setflags(write=False)
    with pytest.raises(TypeError, match="writable"):
        rollout.rollout(model, data, states, nstep=3, state=out)
    with pytest.raises(ValueError, match=r"state0.size should be"):
        rollout.rollout([model], [data], states[:, 1:], **options)
    with pytest.raises(TypeError, match="nstep"):
        rollout.rollout([model], [data], states, skip_checks=True)


def test_wrong_arguments(model):
    data = mujoco.MjData(model)
    other = mujoco.MjModel.from_xml_string(XML.replace('<motor joint="j"/>', ""))
    states = first_states(model, 2)

    def call(model=model, data=data, initial_state=states, control=None, **options):
        return rollout.rollout(model, data, initial_state, control, **options)

    for error, text, arguments in [
        (ValueError, "initial_state must be a numpy array or float", {"initial_state": None}),
        (ValueError, "initial_state must be a numpy array or float", {"initial_state": [0.0]}),
        (ValueError, "control must be a numpy array or float", {"control": "x"}),
        (ValueError, "control must be a numpy array or float", {"control": 1}),
        (
            ValueError,
            "initial_state can have at most 2 dimensions",
            {"initial_state": states[None]},
        ),
        (ValueError, "trailing dimension of state must be", {"state": np.zeros((2, 3, 1))}),
        (ValueError, "trailing dimension of initial_warmstart", {"initial_warmstart": np.zeros(1)}),
        (
            ValueError,
            "dimension 0 inferred as 2 but control has 3",
            {"control": np.zeros((3, 1, 2))},
        ),
        (
            ValueError,
            "dimension 1 inferred as 3 but sensordata has 2",
            {"nstep": 3, "sensordata": np.zeros((2, 2, model.nsensordata))},
        ),
        (ValueError, "nstep must be an integer", {"nstep": 2.0}),
        (ValueError, "nstep must be non-negative, not -1", {"nstep": -1}),
        (ValueError, "chunk_size must be an integer", {"chunk_size": 1.5}),
        (ValueError, "chunk_size must be a positive integer, not 0", {"chunk_size": 0}),
        (ValueError, "can only contain bits in mjSTATE_USER", {"control_spec": 1}),
        (ValueError, "can only contain bits in mjSTATE_USER", {"control_spec": 1 << 40}),
        (ValueError, "can only contain bits in mjSTATE_USER", {"control_spec": -1}),
        (ValueError, "nbatch inferred as 2 but model is length 3", {"model": [model] * 3}),
        (ValueError, "models are not compatible", {"model": [model, other]}),
        (ValueError, "model of other sizes", {"data": mujoco.MjData(other)}),
        (ValueError, r"data\[1\] is data\[0\]", {"data": [data, data]}),
        (ValueError, "The list of data instances is empty", {"data": []}),
        (IndexError, "list of models is empty", {"model": []}),
        (TypeError, r"data\[0\] must be an MjData", {"data": [model]}),
        (TypeError, "must be a sinew.Model", {"model": [data]}),
        (TypeError, "NoneType", {"data": None}),
        (TypeError, "NoneType", {"model": None}),
    ]:
        with pytest.raises(error, match=text):
            call(**arguments)
    for nthread in (-1, 100000):
        with pytest.raises(ValueError, match="nthread is"):
            rollout.Rollout(nthread=nthread)
    for nthread in ("2", 1.5):
        with pytest.raises(TypeError):
            rollout.Rollout(nthread=nthread)
    with pytest.raises(ValueError, match="Length of data: 1 not equal to nthread: 2"):
        rollout.Rollout(nthread=2).rollout(model, data, states)
    with pytest.raises(ValueError, match="configured to run on main thread"):
        rollout.Rollout().rollout(model, [data, mujoco.MjData(model)], states)
    assert call()[0].shape == (2, 1, states.shape[1])


def test_sizes_that_would_overflow(model):
    data, states = mujoco.MjData(model), first_states(model, 1)
    pool = _rollout.Rollout(nthread=0)
    huge = 2**31 - 1
    with pytest.raises(ValueError, match="state.size should be"):
        pool.rollout([model], [data], huge, 0, states, state=states)
    with pytest.raises(OverflowError):
        pool.rollout([model], [data], 2**31, 0, states)


@pytest.mark.parametrize("nthread", [1, 3])
def test_callbacks(model, nthread):
    """Set in Python they are called in every thread, with the trajectory's model and the thread's data."""
    models = [copy.copy(model) for _ in range(6)]
    states = first_states(model, 6)
    data = [mujoco.MjData(model) for _ in range(nthread)]
    seen = set()

    def control(m, d):
        assert any(m is other for other in models) and any(d is other for other in data)
        seen.add(id(m))
        mujoco.mj_energyPos(m, d)
        d.ctrl[:] = 3 * d.qvel[-1]

    mujoco.set_mjcb_control(control)
    given = rollout.rollout(models, data, states, nstep=10)
    assert seen == {id(m) for m in models}
    models.append(model)
    data.append(d := mujoco.MjData(model))
    for i in range(6):
        mujoco.mj_resetData(model, d)
        mujoco.mj_setState(model, d, states[i], FULL)
        for t in range(10):
            mujoco.mj_step(model, d)
            assert np.array_equal(d.qpos, given[0][i, t, 1 : 1 + model.nq])


@pytest.mark.parametrize("nthread", [1, 3])
def test_a_callback_that_raises_ends_it(model, nthread):
    states = first_states(model, 20)
    data = [mujoco.MjData(model) for _ in range(nthread)]
    calls = itertools.count()

    def control(m, d):
        if next(calls) == 30:
            raise ZeroDivisionError("enough")

    mujoco.set_mjcb_control(control)
    # days, if it did not end the other threads, too
    with pytest.raises(ZeroDivisionError, match="enough"):
        _rollout.Rollout(nthread=nthread).rollout([model], data, 2**31 - 1, 0, states)
    mujoco.set_mjcb_control(None)
    rollout.rollout(model, data, states, nstep=2)  # the data are free again


def test_no_rollout_inside_a_callback_of_the_data(model):
    data, states = mujoco.MjData(model), first_states(model, 1)

    def control(m, d):
        rollout.rollout(m, d, states)

    mujoco.set_mjcb_control(control)
    with pytest.raises(RuntimeError, match="inside its own callback"):
        mujoco.mj_step(model, data)


def test_one_data_belongs_to_one_rollout(model):
    states, data = first_states(model, 2), mujoco.MjData(model)
    inside, go = threading.Event(), threading.Event()

    def control(m, d):
        inside.set()
        go.wait()

    def run():
        try:
            rollout.rollout(model, data, states)
        finally:
            inside.set()  # also when it never came to the callback

    mujoco.set_mjcb_control(control)
    thread = threading.Thread(target=run)
    thread.start()
    inside.wait()
    try:
        with pytest.raises(RuntimeError, match="in use by another thread"):
            rollout.rollout(model, [mujoco.MjData(model), data], states)
    finally:
        go.set()
        thread.join()
    rollout.rollout(model, data, states)


def test_one_pool_in_many_threads(model):
    """A pool that is at work leaves another rollout to its caller alone."""
    states = first_states(model, 8)
    control = np.random.default_rng(5).normal(size=(8, 40, model.nu))
    wanted = one_by_one(model, states, control)
    results = [None] * 6
    with rollout.Rollout(nthread=2) as pool:

        def run(i):
            data = [mujoco.MjData(model) for _ in range(2)]
            results[i] = pool.rollout(model, data, states, control)

        threads = [threading.Thread(target=run, args=(i,)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for result in results:
        same(result, wanted)


INTERRUPTED = """
import os, signal, sys, threading
import numpy as np
from sinew import mujoco
from sinew.mujoco import rollout
model = mujoco.MjModel.from_xml_string(sys.argv[1])
data = [mujoco.MjData(model) for _ in range(int(sys.argv[2]))]
state = np.zeros((2, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
mujoco.mj_getState(model, data[0], state[0], mujoco.mjtState.mjSTATE_FULLPHYSICS)
state[1] = state[0]
if len(sys.argv) > 3:
    state[0] = np.nan  # over at once: the caller waits for the other thread
pool = rollout._rollout.Rollout(nthread=len(data) if len(data) > 1 else 0)
def interrupt():
    while True:
        try:
            data[-1].efc_J  # who looks keeps Python's lock, so that no other sees it
        except RuntimeError:  # the rollout has it
            break
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    pool.rollout([model], data, 2**31 - 1, 0, state)
except KeyboardInterrupt:
    pool.rollout([model], data, 3, 0, state)
    print("interrupted")
"""


@pytest.mark.parametrize("arguments", [["1"], ["2"], ["2", "wait"]])
def test_an_interrupt_ends_a_long_rollout(arguments):
    """Of days: without it this test would not end."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED, XML, *arguments], capture_output=True, text=True
    )
    assert done.stdout == "interrupted\n", done.stderr


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_after_a_fork(model):
    """A child process, which has no threads of the pool, does it alone."""
    states = first_states(model, 4)
    data = [mujoco.MjData(model) for _ in range(3)]
    with rollout.Rollout(nthread=3) as pool:
        wanted = pool.rollout(model, data, states, nstep=5)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                signal.alarm(1200)
                same(pool.rollout(model, data, states, nstep=5), wanted)
                pool.close()
                code = 0
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0


def test_the_arena_that_is_full_is_told():
    """It ends the trajectory as at the peer, and is a warning."""
    text = XML.replace("<worldbody>", '<size memory="8K"/><worldbody>')
    model = mujoco.MjModel.from_xml_string(text)
    state = first_states(model, 1)
    data = mujoco.MjData(model)
    with pytest.warns(RuntimeWarning, match="arena"):
        states, _ = rollout.rollout(model, data, state, nstep=300)
    assert np.array_equal(states[0, -1], states[0, -2])
