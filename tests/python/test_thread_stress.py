"""Eight threads with data of their own on one model: every function of the table gives each the bits that it
gives one thread alone."""

import copy
import threading

import numpy as np
import pytest

import sinew
from sinew import _core
from test_functions import FUNCTIONS, arguments

THREADS = 8
# They write the model, which must not change while others read it.
WRITERS = {"setConst", "setKeyframe", "setLengthRange", "setTotalmass"}


def filled(rng, argument):
    """Numbers in place of zeros: small, as a length, an angle or a force."""
    if isinstance(argument, np.ndarray) and argument.dtype == np.float64:
        return np.ascontiguousarray(rng.uniform(0.1, 0.9, argument.shape))
    return argument


def call(function, given):
    """What it returns or raises, and what it leaves in its arrays."""
    try:
        result = repr(function(*given))
    except (ValueError, RuntimeError, IndexError) as error:
        result = repr(error)
    return [result, *(a.tobytes() for a in given if isinstance(a, np.ndarray))]


def everything(model, data, seed):
    """All functions in an order of its own; the bytes of all that they gave, and of the data after each."""
    rng = np.random.default_rng(seed)
    results = []
    for k in rng.permutation(len(FUNCTIONS)):
        name, signature = FUNCTIONS[k][:2]
        if name in WRITERS:
            continue
        sinew.setState(model, data, START[seed], sinew.StateBit.INTEGRATION)
        sinew.forward(model, data)
        given = [filled(rng, a) for a in arguments(model, data, signature)]
        results.append([name, *call(getattr(_core, name), given)])
        results.append([data.qpos.tobytes(), data.qacc.tobytes(), data.efc_force.tobytes()])
    return results


START = {}


@pytest.fixture
def starts(model):
    """A state for each thread: some tens of steps under controls of its own."""
    for seed in range(THREADS):
        data = sinew.Data(model)
        for k in range(40 + seed):
            data.ctrl[:] = 0.5 * sinew.noise(model.nu, seed, k * model.nu)
            sinew.step(model, data)
        START[seed] = sinew.getState(model, data, sinew.StateBit.INTEGRATION)


@pytest.mark.filterwarnings("ignore::sinew.SimulationWarning")
def test_every_function_in_eight_threads(model, starts):
    before = copy.copy(model)
    alone = [everything(model, sinew.Data(model), seed) for seed in range(THREADS)]
    together = [None] * THREADS
    barrier = threading.Barrier(THREADS)

    def run(seed):
        data = sinew.Data(model)
        barrier.wait()
        together[seed] = everything(model, data, seed)

    threads = [threading.Thread(target=run, args=(seed,)) for seed in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed in range(THREADS):
        assert len(together[seed]) == len(alone[seed])
        for given, wanted in zip(together[seed], alone[seed], strict=True):
            assert given == wanted
    assert _core.compareModel(before, model) == -1


def test_a_factor_does_not_depend_on_where_it_is_written(model):
    """Room between its rows stays as it was, whether the array is aligned or not."""
    data = sinew.Data(model)
    results = []
    for offset in range(4):
        sinew.step(model, data, 20)  # leaves numbers in the arena
        memory = np.full(model.nLD + 8, 7.0)
        start = (-memory.ctypes.data // 8) % 4 + offset
        qLD = memory[start : start + model.nLD]
        _core.massMatrix(model, data, model.qpos0, np.empty(model.nM), qLD, np.empty(model.nv))
        results.append(qLD.tobytes())
        assert memory.sum() - qLD.sum() == 7 * 8
    assert len(set(results)) == 1
