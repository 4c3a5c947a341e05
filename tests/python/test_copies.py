"""Pickling and copying: the copy goes on with the same bits, and damaged bytes are refused."""

import copy
import pickle

import numpy as np
import pytest

import sinew
from sinew import _core
from yard import XML


def run(model, data, steps=50):
    """The states of some steps under a control that depends on the state."""
    states = []
    for _ in range(steps):
        data.ctrl[:] = np.sin(3 * data.time), data.qpos[-1]
        sinew.step(model, data)
        states.append(sinew.getState(model, data, sinew.StateBit.INTEGRATION))
        states.append(data.sensordata.copy())
    return np.concatenate(states).tobytes()


def pickled(x):
    return pickle.loads(pickle.dumps(x))


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickled])
def test_model(model, duplicate):
    model.opt.timestep = 0.003
    model.vis.global_.fovy = 33
    model.body_mass[1] = 2.5
    other = duplicate(model)
    assert type(other) is sinew.Model and other is not model
    assert _core.compareModel(model, other) == -1
    assert other.opt.timestep == 0.003 and other.vis.global_.fovy == 33
    assert other.joint("elbow").id == model.joint("elbow").id
    assert other.narena == model.narena
    assert run(model, sinew.Data(model)) == run(other, sinew.Data(other))
    other.body_mass[1] = 1
    assert model.body_mass[1] == 2.5


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickled])
def test_data(model, data, duplicate):
    other = duplicate(data)
    assert type(other) is sinew.Data
    # all that is computed is there too
    for name in ("qpos", "xpos", "efc_J", "efc_force", "qM", "energy", "sensordata"):
        assert np.array_equal(getattr(data, name), getattr(other, name)), name
    assert data.contact.tobytes() == other.contact.tobytes()
    assert data.solver.tobytes() == other.solver.tobytes()
    assert (other.time, other.ncon, other.nefc) == (data.time, data.ncon, data.nefc)
    assert run(other.model, other) == run(model, data)


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickled])
def test_data_between_the_halves_of_a_step(model, data, duplicate):
    sinew.step1(model, data)
    other = duplicate(data)
    for d in (data, other):
        d.ctrl[:] = 0.5
        sinew.step2(model, d)
    assert data.qpos.tobytes() == other.qpos.tobytes()
    assert data.qvel.tobytes() == other.qvel.tobytes()


def test_copies_share_their_model(model, data):
    assert copy.deepcopy(data).model is model
    m, d = copy.deepcopy((model, data))
    assert m is not model and d.model is m
    m, d = pickled((model, data))
    assert d.model is m
    d, m = pickled((data, model))
    assert d.model is m


def test_subclasses_are_kept(model):
    from sinew import mujoco

    m = mujoco.MjModel.from_xml_string(XML)
    d = mujoco.MjData(m)
    assert type(pickled(d)) is mujoco.MjData and type(pickled(d).model) is mujoco.MjModel
    assert type(copy.deepcopy(m)) is mujoco.MjModel


def test_damaged_models_are_refused(model):
    good = _core.packModel(model)
    for bad in (b"", good[:50], good[:-1], good + b"x", b"x" + good[1:]):
        with pytest.raises(sinew.ModelError, match="model"):
            _core.unpackModel(sinew.Model, bad)
    place = good.index(model.body_parentid.tobytes())
    wild = good[:place] + (99).to_bytes(4, "little") + good[place + 4 :]
    with pytest.raises(sinew.ModelError, match="checksum"):
        _core.unpackModel(sinew.Model, wild)


@pytest.mark.filterwarnings("ignore::sinew.SimulationWarning")
def test_random_damage_never_crashes(model, data):
    """Any byte may be wrong: an exception or an object, never a crash."""
    rng = np.random.default_rng(1)
    good_model, good_data = _core.packModel(model), _core.packData(data)
    for _ in range(300):
        bad = bytearray(good_model)
        # the sizes, options and integer fields are at the start
        for at in rng.integers(0, len(bad), 3) // rng.choice([1, 10, 40]):
            bad[at] = rng.integers(256)
        try:
            m = _core.unpackModel(sinew.Model, bytes(bad))
            assert m.nq >= 0
        except (ValueError, MemoryError):
            pass
        bad = bytearray(good_data)
        for at in rng.integers(0, len(bad), 3) // rng.choice([1, 10, 100]):
            bad[at] = rng.integers(256)
        try:
            d = _core.unpackData(sinew.Data, model, bytes(bad))
            d.efc_J.sum(), d.contact.dist.sum()
            sinew.step(model, d)
        except ValueError:
            pass


def test_data_of_another_model_is_refused(model, data):
    small = sinew.Model.from_xml("<mujoco/>")
    with pytest.raises(ValueError, match="does not fit its model"):
        _core.unpackData(sinew.Data, small, _core.packData(data))
    with pytest.raises(ValueError, match="other sizes"):
        _core.copyData(sinew.Data, small, data)
