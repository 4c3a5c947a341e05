"""Threads: separate data in parallel give the bits of a serial run; one data at once is refused."""

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


def start_long_step(model, data):
    """A thread that steps for about half a second; returns when it is inside."""
    sinew.step(model, data, nstep=100)
    begin = time.perf_counter()
    sinew.step(model, data, nstep=1000)
    nstep = int(500 / (time.perf_counter() - begin))
    thread = threading.Thread(target=sinew.step, args=(model, data, nstep))
    thread.start()
    deadline = time.perf_counter() + 5
    while thread.is_alive() and time.perf_counter() < deadline:
        try:
            sinew.step(model, data, nstep=0)
        except RuntimeError:
            return thread
    return thread


def test_one_data_belongs_to_one_thread(model):
    data = sinew.Data(model)
    thread = start_long_step(model, data)
    calls = [
        lambda: sinew.step(model, data),
        lambda: sinew.getState(model, data, 1),
        lambda: data.contact,
        lambda: data.efc_J,
        lambda: data.__copy__(),
        lambda: data.__reduce__(),
    ]
    for call in calls:
        assert thread.is_alive()
        with pytest.raises(RuntimeError, match="another thread"):
            call()
    sinew.step(model, sinew.Data(model))  # another data of the same model
    thread.join()
    sinew.step(model, data)


def test_the_lock_of_python_is_free_while_stepping(model):
    data = sinew.Data(model)
    thread = start_long_step(model, data)
    count = 0
    while thread.is_alive():
        count += 1
    thread.join()
    # holding the lock, the main thread would have counted to one at most
    assert count > 1000


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
