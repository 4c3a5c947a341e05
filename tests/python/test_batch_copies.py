"""sinew.Batch: copies, pickles, and simulations as a data and back."""

import copy
import pickle

import numpy as np
import pytest

import sinew
from test_batch_steps import INPUTS, MODEL_TEXT, STATE, N, bits, close, same, scatter, single

WAYS = [copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))]


def rigid():
    """The yard with rigid contact: a step starts from the impulses of the one before."""
    model = sinew.Model.from_xml(MODEL_TEXT)
    model.opt.contact = sinew.ContactModel.LCP
    return model


@pytest.fixture(params=["lanes", "scalar", "rigid"])
def batch(request, model):
    if request.param == "rigid":
        model = rigid()
    batch = sinew.Batch(
        model, N, threads=2, width=1 if request.param == "scalar" else None, fields=["xpos"]
    )
    batch.qvel[3, 0] = np.nan
    batch.parameter("body_mass")[:] *= np.linspace(0.5, 2, N)[:, None]
    batch.parameter("opt.gravity")[:, 2] = np.linspace(-12, -4, N)
    batch.set_const()
    scatter(batch)
    batch.qvel[3, 0] = np.nan
    batch.step(nstep=20)
    return batch


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_goes_on_with_the_same_bits(batch, way):
    other = way(batch)
    names = sinew._core.batchNames(batch)
    assert sorted(sinew._core.batchNames(other)) == sorted(names)
    for name in names:
        ours, theirs = (sinew._core.batchArray(b, name) for b in (batch, other))
        assert ours.tobytes() == theirs.tobytes(), name
        assert not np.shares_memory(ours, theirs) or not ours.size
    assert (other.n, other.width, other.threads, other.dtype) == (N, batch.width, 2, batch.dtype)
    assert (other.warnings == batch.warnings).all() and batch.warnings.any()
    before = bits(batch)
    other.step(nstep=3)
    same(bits(batch), before)
    batch.step(nstep=3)
    same(bits(batch), bits(other))
    assert (batch.xpos == other.xpos).all()
    assert (batch.parameter("body_mass") == other.parameter("body_mass")).all()


def test_rollouts_from_states_forget_what_was_before(batch):
    """Impulses of rigid contact are a warm start, too."""
    model = batch.model
    states = np.column_stack([batch.time, batch.qpos, batch.qvel, batch.act])
    first, _ = batch.rollout(states, nstep=20)
    batch.step(nstep=7)
    again, _ = batch.rollout(states, nstep=20)
    assert np.array_equal(first, again)
    made = sinew.Batch(model, N, width=batch.width)
    for name in INPUTS:
        setattr(made, name, getattr(batch, name))
    for name in ("body_mass", "opt.gravity"):
        made.parameter(name)[:] = batch.parameter(name)
    made.set_const()
    assert np.array_equal(first, made.rollout(states, nstep=20)[0])


def test_a_copy_shares_the_model_until_it_changes(model):
    batch = sinew.Batch(model, 2)
    assert copy.copy(batch).model is model and copy.deepcopy(batch).model is model
    both = copy.deepcopy([model, batch])
    assert both[1].model is both[0] is not model
    model.opt.gravity[2] = -1
    other = copy.copy(batch)
    assert other.model is not model and other.model.opt.gravity[2] == -9.81
    batch.step(nstep=2)
    other.step(nstep=2)
    same(bits(batch), bits(other))


class Fleet(sinew.Batch):
    """A subclass with an attribute of its own."""


@pytest.mark.parametrize("way", WAYS)
def test_subclasses_are_copied_whole(model, way):
    fleet = Fleet(model, 2)
    fleet.episode = [3]
    fleet.qvel = 1
    other = way(fleet)
    assert type(other) is Fleet and other.episode == [3] and (other.qvel == 1).all()
    assert (other.episode is fleet.episode) == (way is copy.copy)


def test_simulations_as_data(batch):
    for i in (0, 5, N - 1):
        data = batch.get_data(i)
        assert type(data) is sinew.Data
        close(batch, i, data, STATE[1:] + INPUTS, 0)
        assert data.time == batch.time[i]
        assert (data.model.body_mass == batch.parameter("body_mass")[i]).all()
        assert (data.model.opt.gravity == batch.parameter("opt.gravity")[i]).all()
        if batch.width == 1:
            sinew.step(data.model, data, nstep=2)
            batch.step(nstep=2)
            close(batch, i, data, STATE[1:] + ("sensordata",), 0)


def test_the_data_has_what_forward_computes(model):
    batch = scatter(sinew.Batch(model, 3))
    data = batch.get_data(1)
    assert data.model is model
    by_hand = single(batch, 1)
    sinew.forward(model, by_hand)
    assert (data.qacc == by_hand.qacc).all() and (data.efc_force == by_hand.efc_force).all()
    assert data.ncon == by_hand.ncon > 0


def test_data_into_simulations(batch):
    source = batch.get_data(2)
    sinew.step(source.model, source)
    others = bits(batch)
    batch.set_data(4, source)
    close(batch, 4, source, STATE[1:] + INPUTS, 0)
    assert batch.time[4] == source.time
    same(bits(batch), others, [i for i in range(N) if i != 4])
    again = batch.get_data(4)
    assert (again.qpos == source.qpos).all()


def test_what_is_no_simulation(batch):
    data = sinew.Data(sinew.Model.from_xml("<mujoco/>"))
    with pytest.raises(ValueError, match="sizes"):
        batch.set_data(0, data)
    for i in (-1, N, 2**40, 0.5, True, "1", None):
        with pytest.raises((TypeError, ValueError)):
            batch.get_data(i)
        with pytest.raises((TypeError, ValueError)):
            batch.set_data(i, batch.get_data(0))
    with pytest.raises(TypeError, match="Data"):
        batch.set_data(0, batch)


def test_pickles_of_other_things_are_errors(model):
    make, parts, _ = sinew.Batch(model, 2).__reduce__()
    for wrong in [
        (*parts[:2], (3, *parts[2][1:]), parts[3]),
        (int, *parts[1:]),
        (*parts[:3], {**parts[3], "nonsense": np.zeros(2)}),
        (*parts[:3], {**parts[3], "qpos": np.zeros((2, 77))}),
    ]:
        with pytest.raises((TypeError, ValueError)):
            make(*wrong)
