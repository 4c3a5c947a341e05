"""Threads: separate data in parallel give the bits of a serial run; one data at once is refused."""

import contextlib
import copy
import gc
import os
import pathlib
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import sinew


def simulate(model, seed, steps=300):
    """A run under random controls; the bytes of its last state."""
    data = sinew.Data(model)
    for k in range(steps):
        data.ctrl[:] = 0.5 * sinew.noise(model.nu, seed, k * model.nu)
        sinew.step(model, data)
    return sinew.getState(model, data, sinew.StateBit.INTEGRATION).tobytes()


def test_parallel_is_serial(model):
    serial = [simulate(model, seed) for seed in range(8)]
    assert len(set(serial)) == 8
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda seed: simulate(model, seed), range(8))) == serial


@contextlib.contextmanager
def held_in_a_step(model, data):
    """Another thread is inside a step of the data as long as the block lasts."""
    inside, go = threading.Event(), threading.Event()

    def hold(m, d):
        inside.set()
        go.wait()

    def step():
        try:
            sinew.step(model, data)
        finally:
            inside.set()  # also when it never came to the callback

    data.set_callback("control", hold)
    thread = threading.Thread(target=step)
    thread.start()
    inside.wait()
    try:
        yield
    finally:
        go.set()
        thread.join()
        data.set_callback("control", None)


def test_one_data_belongs_to_one_thread(model):
    data = sinew.Data(model)
    calls = [
        lambda: sinew.step(model, data),
        lambda: sinew.getState(model, data, 1),
        lambda: data.contact,
        lambda: data.efc_J,
        lambda: data.__copy__(),
        lambda: data.__reduce__(),
    ]
    with held_in_a_step(model, data):
        for call in calls:
            with pytest.raises(RuntimeError, match="another thread"):
                call()
        sinew.step(model, sinew.Data(model))  # another data of the same model
    sinew.step(model, data)


def is_in_use(data):
    """Whether another thread has the data; the look itself keeps Python's lock, so that no other sees it."""
    try:
        data.contact  # noqa: B018
    except RuntimeError:
        return True
    return False


def test_the_lock_of_python_is_free_while_stepping(model):
    """Held by who steps, nobody would ever see the data in use."""
    data = sinew.Data(model)
    for nstep in 1000 * 2 ** np.arange(15):  # until this thread has its turn before the other ends
        thread = threading.Thread(target=sinew.step, args=(model, data, int(nstep)))
        thread.start()
        seen = False
        while thread.is_alive() and not seen:
            seen = is_in_use(data)
        thread.join()
        if seen:
            return
    pytest.fail("steps let no other thread of Python run")


def test_a_failed_call_frees_the_data(model, data):
    for _ in range(3):
        with pytest.raises(ValueError, match="shape"):
            sinew.mulM(model, data, np.zeros(1))
        with pytest.raises(TypeError):
            sinew.mulM(model, data, object())
    sinew.step(model, data)


def test_arguments_that_run_python_cannot_step_the_data(model, data):
    class Trick:
        """Wants to change the rows while their number is being checked."""

        def __array__(self, dtype=None, copy=None):
            sinew.resetData(model, data)
            return np.zeros(model.nv)

    with pytest.raises(RuntimeError, match="in use"):
        sinew.mulJacVec(model, data, Trick())
    sinew.step(model, data)


def test_threads_of_a_data(model):
    """A data has as many threads as it is told, and the same bits with them."""
    data, other = sinew.Data(model), sinew.Data(model)
    assert data.threads == 1
    data.threads = 3
    assert data.threads == 3 and other.threads == 1
    for d in (data, other):
        sinew.step(model, d, 50)
    assert np.array_equal(data.qpos, other.qpos)
    sinew.resetData(model, data)
    assert data.threads == 3
    assert copy.copy(data).threads == 1 and pickle.loads(pickle.dumps(data)).threads == 1
    for wrong in (0, -1, 1025, 1 << 70):
        with pytest.raises((ValueError, OverflowError)):
            data.threads = wrong
    with pytest.raises(TypeError):
        data.threads = "two"
    with pytest.raises(AttributeError):
        del data.threads
    assert data.threads == 3
    data.threads = 1
    assert data.threads == 1


def threads():
    return {int(task.name) for task in pathlib.Path("/proc/self/task").iterdir()}


def wait_for_the_end_of(tasks):
    """A thread that was joined is listed until the system has cleared it away, which nothing tells."""
    while tasks & threads():
        time.sleep(0.001)


@pytest.mark.skipif(not pathlib.Path("/proc/self/task").exists(), reason="counts threads by /proc")
def test_threads_end_with_their_data(model):
    gc.collect()
    before = threads()
    data = sinew.Data(model)
    data.threads = 5
    four = threads() - before
    assert len(four) == 4
    data.threads = 2
    wait_for_the_end_of(four)
    one = threads() - before
    assert len(one) == 1
    view = data.qpos
    del data
    gc.collect()
    wait_for_the_end_of(one)
    assert view.shape == (model.nq,)


def test_threads_cannot_change_inside_a_callback(model):
    data = sinew.Data(model)
    data.threads = 2

    def control(m, d):
        d.threads = 4

    data.set_callback("control", control)
    with pytest.raises(RuntimeError, match="threads cannot be set inside a callback of the data"):
        sinew.step(model, data)
    assert data.threads == 2


@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_threads_after_a_fork(model):
    """A child process steps with the data it has, alone, and ends."""
    data = sinew.Data(model)
    data.threads = 3
    child = os.fork()
    if child == 0:
        code = 1
        try:
            sinew.step(model, data, 5)
            data.threads = 2
            sinew.step(model, data, 5)
            del data
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    sinew.step(model, data, 5)
