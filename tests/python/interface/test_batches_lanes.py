"""sinew.mujoco.rollout of many trajectories, which go in the lanes of a batch."""

import copy
import math
import threading

import numpy as np
import pytest

from sinew import mujoco
from sinew.mujoco import _lanes, rollout
from test_batches import XML, first_states, one_by_one

COUNT, NSTEP = 41, 12


@pytest.fixture
def model():
    return mujoco.MjModel.from_xml_string(XML)


@pytest.fixture
def problem(model):
    control = np.random.default_rng(1).normal(size=(COUNT, NSTEP, model.nu))
    return first_states(model, COUNT), control


def datas(model, count):
    return [mujoco.MjData(model) for _ in range(count)]


def close(given, wanted, tolerance=1e-9):
    for a, b in zip(given, wanted, strict=True):
        assert np.abs(a - b).max(initial=0) <= tolerance * (1 + np.abs(b).max(initial=0))


def test_trajectories_in_lanes_are_those_of_steps(model, problem):
    states, control = problem
    warmstart = np.random.default_rng(2).normal(size=(COUNT, model.nv))
    wanted = one_by_one(model, states, control, warmstart=warmstart)
    given = [
        rollout.rollout(model, datas(model, n), states, control, initial_warmstart=warmstart)
        for n in (1, 2, 3)
    ]
    for some in given:
        close(some, wanted)
        assert (some[0] == given[0][0]).all() and (some[1] == given[0][1]).all()
    assert _lanes.Lanes(1).suit([model], datas(model, 1), 32, NSTEP, COUNT)


def test_results_do_not_depend_on_the_others(model, problem):
    states, control = problem
    whole = rollout.rollout(model, datas(model, 1), states, control)
    some = rollout.rollout(model, datas(model, 1), states[5:38], control[5:38])
    assert (some[0] == whole[0][5:38]).all()


def test_a_batch_that_is_kept_remembers_nothing(model, problem):
    states, control = problem
    with rollout.Rollout(nthread=2) as pool:
        first = pool.rollout(model, datas(model, 2), states, control)
        kept = pool._lanes.batch
        spec = mujoco.mjtState.mjSTATE_XFRC_APPLIED
        forces = np.ones((COUNT, NSTEP, 6 * model.nbody))
        other = pool.rollout(model, datas(model, 2), states, forces, control_spec=spec)
        again = pool.rollout(model, datas(model, 2), states, control)
        assert pool._lanes.batch is kept is not None
        assert (first[0] == again[0]).all() and (first[0] != other[0]).any()
        model.opt.gravity[2] = -1
        changed = pool.rollout(model, datas(model, 2), states, control)
        assert pool._lanes.batch is not kept
    close(changed, one_by_one(model, states, control))
    close(other, one_by_one_at(model, states, forces, spec))


def one_by_one_at(model, states, control, spec):
    model.opt.gravity[2] = -9.81
    return one_by_one(model, states, control, spec)


def test_inputs_are_those_of_the_data(model, problem):
    states, _ = problem
    both = datas(model, 2)
    for d in both:
        d.ctrl[:] = 1, -1
        d.qfrc_applied[:] = 5  # not in the specification: the model's, none
    given = rollout.rollout(model, both, states, nstep=NSTEP)
    control = np.broadcast_to([1.0, -1.0], (COUNT, NSTEP, 2))
    close(given, one_by_one(model, states, control))
    both[1].ctrl[:] = 0  # of which of them is not said: one by one, as ever
    assert not _lanes.Lanes(2).suit([model], both, 32, NSTEP, COUNT)


def test_a_trajectory_that_warns_ends(model, problem):
    states, control = problem
    states[7, 1] = np.nan
    wanted = one_by_one(model, states, control)
    for array in wanted:
        array[7] = array[7, 0]
    given = rollout.rollout(model, datas(model, 2), states, control)
    close(given, wanted)
    assert (given[0][7] == given[0][7, :1]).all() and np.isfinite(given[0]).all()


def test_what_goes_one_by_one_has_the_bits_of_steps(model, problem, monkeypatch):
    states, control = problem
    wanted = one_by_one(model, states, control)
    lanes = _lanes.Lanes(1)
    one = datas(model, 1)
    assert not lanes.suit([model] * COUNT, one, 32, NSTEP, COUNT)
    assert not lanes.suit([model], one, 32, NSTEP, _lanes.FEWEST - 1)
    scalar = copy.copy(model)
    scalar.opt.noslip_iterations = 3
    assert not lanes.suit([scalar], one, 32, NSTEP, COUNT)
    mujoco.set_mjcb_control(lambda m, d: None)
    try:
        assert not lanes.suit([model], one, 32, NSTEP, COUNT)
        assert (rollout.rollout(model, one, states, control)[0] == wanted[0]).all()
    finally:
        mujoco.set_mjcb_control(None)
    monkeypatch.setattr(_lanes, "FEWEST", math.inf)
    assert (rollout.rollout(model, one, states, control)[0] == wanted[0]).all()


def test_mistakes_are_told_as_for_few(model, problem):
    states, control = problem
    with pytest.raises(ValueError, match=r"data\[1\] is data\[0\]"):
        rollout.rollout(model, datas(model, 1) * 2, states, control)
    out = np.zeros((COUNT, NSTEP, states.shape[1]))
    out.flags.writeable = False
    with pytest.raises(TypeError, match="writable"):
        rollout.rollout(model, datas(model, 1), states, control, state=out)
    other = mujoco.MjModel.from_xml_string("<mujoco/>")
    with pytest.raises(ValueError, match="sizes"):
        rollout.rollout(model, datas(other, 1), states, control)


def test_one_pool_in_several_threads(model, problem):
    states, control = problem
    wanted = rollout.rollout(model, datas(model, 2), states, control)[0]
    found = []
    with rollout.Rollout(nthread=2) as pool:

        def run():
            found.append(pool.rollout(model, datas(model, 2), states, control)[0])

        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 4 and all((f == wanted).all() for f in found)
