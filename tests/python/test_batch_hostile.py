"""sinew.Batch: wrong arguments are errors that say what is right, and change nothing."""

import gc

import numpy as np
import pytest

import sinew
from sinew import _core
from test_batch_arrays import Tensor

N = 5


@pytest.fixture
def batch(model):
    return sinew.Batch(model, N)


class Broken:
    """Claims to have __dlpack__."""

    def __init__(self, error):
        self.error = error

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, **arguments):
        raise self.error


@pytest.mark.parametrize("n", [0, -1, -(2**40), 2**31, 2**70, 1.5, True, "3", None, [3]])
def test_numbers_of_simulations(model, n):
    with pytest.raises((TypeError, ValueError), match="^n (is|must)"):
        sinew.Batch(model, n)


@pytest.mark.parametrize("n", [2**31 - 1, 10**9])
def test_more_simulations_than_memory(n):
    bodies = "<body><freejoint/><geom size='.1'/></body>" * 400
    model = sinew.Model.from_xml(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    with pytest.raises(MemoryError):
        sinew.Batch(model, n)


@pytest.mark.parametrize(
    "arguments",
    [
        {"threads": 0},
        {"threads": -1},
        {"threads": 10**6},
        {"threads": 1.0},
        {"threads": "all"},
        {"width": 0},
        {"width": 3},
        {"width": 1024},
        {"width": "8"},
        {"dtype": "int32"},
        {"dtype": "nonsense"},
        {"dtype": np.float16},
        {"dtype": object},
        {"fields": ["xpos", 3]},
        {"fields": 3},
        {"fields": ["nonsense"]},
        {"nonsense": 1},
    ],
)
def test_settings(model, arguments):
    with pytest.raises((TypeError, ValueError)):
        sinew.Batch(model, N, **arguments)


@pytest.mark.parametrize("model", [None, 3, "<mujoco/>", object(), sinew.Model])
def test_models(model):
    with pytest.raises(TypeError, match="Model"):
        sinew.Batch(model, N)


def test_the_type_of_the_extension_makes_none(model):
    for make in (_core.Batch, lambda: _core.Batch(model, 3), lambda: object.__new__(sinew.Batch)):
        with pytest.raises(TypeError):
            make()
    for function in ("batchArray", "batchBind", "batchParameter"):
        with pytest.raises(TypeError, match="Batch"):
            getattr(_core, function)(model, "qpos")
    with pytest.raises(TypeError, match="Batch"):
        _core.batchNames(3)
    with pytest.raises(TypeError):
        _core.makeBatch(int, model, 3, 1, 0, False)


@pytest.mark.parametrize(
    "ids",
    [
        [-1],
        [N],
        [0, N],
        [2**40],
        [-(2**63)],
        np.array([2**64 - 1], np.uint64),
        [0, 0],
        [3, 1, 3],
        [0.0, 1.0],
        ["a"],
        [[0, 1]],
        [[]] * 2,
        [True],
        np.ones(N + 1, bool),
        np.ones((N, 1), bool),
        [None],
        "abc",
        {1, 2},
        object(),
        [[1], [2, 3]],
        Broken(BufferError("on another device")),
    ],
)
def test_ids(batch, ids):
    before = batch.qpos.copy()
    for call in (
        batch.forward,
        batch.reset,
        batch.set_const,
        lambda i: batch.step(ids=i),
        lambda i: batch.rollout(nstep=1, ids=i),
        lambda i: batch.randomize("body_mass", 0, 1, ids=i),
    ):
        with pytest.raises((TypeError, ValueError, BufferError), match="ids"):
            call(ids)
    assert (batch.qpos == before).all() and not batch.time.any()


@pytest.mark.parametrize(
    "ctrl",
    [
        np.zeros(3),
        np.zeros((N, 3)),
        np.zeros((N + 1, 2)),
        np.zeros((N, 2, 3, 4)),
        np.zeros((N, 7, 2)),
        np.zeros(0),
        "abc",
        [["a", "b"]],
        np.zeros((N, 2), complex),
        np.zeros((N, 2), "M8[s]"),
        np.zeros((N, 2), object),
        [[1], [2, 3]],
        {},
        object(),
        Broken(BufferError("on another device")),
        Broken(RuntimeError("Can't export tensors that require gradient")),
        Tensor(np.zeros((N, 3))),
    ],
)
def test_controls(batch, ctrl):
    for call in (lambda: batch.step(ctrl), lambda: batch.rollout(control=ctrl, nstep=4)):
        with pytest.raises(
            (TypeError, ValueError, BufferError, RuntimeError), match="ctrl|control"
        ):
            call()
    assert not batch.time.any() and not batch.ctrl.any()


@pytest.mark.parametrize("nstep", [0, -1, 2**31, 1.0, True, "2", [1]])
def test_counts_of_steps(batch, nstep):
    with pytest.raises((TypeError, ValueError), match="nstep"):
        batch.step(nstep=nstep)
    with pytest.raises((TypeError, ValueError), match="nstep"):
        batch.rollout(nstep=nstep)
    with pytest.raises((TypeError, ValueError), match="every"):
        batch.rollout(nstep=2, every=nstep)
    with pytest.raises(TypeError, match="nstep"):
        batch.rollout()
    assert not batch.time.any()


def test_long_rollouts_do_not_fit(batch):
    with pytest.raises((MemoryError, ValueError)):
        batch.rollout(nstep=2**31 - 1)
    states, sensors = batch.rollout(nstep=3, every=7)
    assert states.shape[1] == sensors.shape[1] == 0


@pytest.mark.parametrize("state", [np.zeros(3), np.zeros((N, 3)), np.zeros((2, N, 18)), "abc", {}])
def test_states(batch, state):
    with pytest.raises((TypeError, ValueError), match="state"):
        batch.rollout(state, nstep=2)


@pytest.mark.parametrize("spec", [0, -1, 2**31, 2**14, sinew.StateBit.QPOS, 1.0, None])
def test_parts_that_are_no_inputs(batch, spec):
    with pytest.raises((TypeError, ValueError), match="control_spec"):
        batch.rollout(control=np.zeros((N, 2, 2)), control_spec=spec)


@pytest.mark.parametrize(
    "key", [1, -2, 2**40, "down", ["up", "up"], [0, 1, 2], 0.0, [[0]], object(), True, {}]
)
def test_keyframes(batch, key):
    with pytest.raises((TypeError, ValueError, KeyError)):
        batch.reset(keyframe=key)
    assert not batch.time.any()


def test_fields_of_rollouts(batch):
    for fields in (["nonsense"], [3], 3, ["contact"], [None]):
        with pytest.raises((TypeError, ValueError)):
            batch.rollout(nstep=2, fields=fields)
    values = batch.rollout(nstep=2, fields="xpos")[2]
    assert list(values) == ["xpos"]


def test_any_numbers_are_survived(batch, model):
    rng = np.random.default_rng(0)
    for value in (np.nan, np.inf, -np.inf, 1e308, -1e-320):
        for name in (
            "qpos",
            "qvel",
            "ctrl",
            "time",
            "qacc_warmstart",
            "xfrc_applied",
            "mocap_quat",
        ):
            batch.reset()
            array = getattr(batch, name)
            array[rng.integers(0, N, 2)] = value
            batch.step(nstep=2)
            batch.forward()
    batch.reset()
    mass = batch.parameter("body_mass")
    mass[0], mass[1], mass[2] = np.nan, 0, -1
    batch.parameter("opt.timestep")[3] = 0
    batch.step(nstep=2)
    batch.set_const()
    batch.step(nstep=2)
    fresh = sinew.Batch(model, N)
    fresh.step(nstep=4)
    assert (batch.qpos[4] == fresh.qpos[4]).all()


def test_models_of_nothing():
    batch = sinew.Batch(sinew.Model.from_xml("<mujoco/>"), 3)
    batch.step(nstep=3)
    assert batch.qpos.shape == (3, 0) and (batch.time > 0).all()
    batch.step(np.zeros((3, 0)))
    states, sensors = batch.rollout(control=np.zeros((3, 2, 0)))
    assert states.shape == (3, 2, 1) and sensors.shape == (3, 2, 0)
    batch.get_data(1)


def test_wrong_calls_leak_nothing(batch):
    gc.collect()
    count = len(gc.get_objects())
    for _ in range(50):
        for call in (
            lambda: batch.step(np.zeros(7)),
            lambda: batch.step(ids=[9]),
            lambda: batch.bind("nonsense"),
            lambda: batch.parameter("nonsense"),
            lambda: batch.rollout(nstep=1, fields=["nonsense"]),
            lambda: batch.nonsense,
        ):
            with pytest.raises((ValueError, AttributeError)):
                call()
    gc.collect()
    assert abs(len(gc.get_objects()) - count) < 20
