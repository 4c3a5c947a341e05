"""sinew.Batch: its arrays as views, what may be assigned, where they go and how long they live."""

import ctypes
import gc
import sys
import weakref

import numpy as np
import pytest

import sinew
from sinew import _core

ALWAYS = (
    "qpos", "qvel", "act", "ctrl", "qfrc_applied", "xfrc_applied", "eq_active", "mocap_pos", "mocap_quat",
    "userdata", "qacc_warmstart", "sensordata",
)  # fmt: skip
FIELDS = [row for row in _core.tables()["data"] if row[0] not in ALWAYS]
COMPUTED = ("xpos", "xquat", "xmat", "xipos", "geom_xpos", "site_xmat", "subtree_com", "cdof", "cinert", "cvel",
            "cacc", "cfrc_ext", "qacc", "qM", "qfrc_bias", "qfrc_actuator", "actuator_force", "act_dot",
            "qfrc_constraint", "subtree_linvel", "cam_xpos")  # fmt: skip


@pytest.fixture
def batch(model):
    return sinew.Batch(model, 5)


class Tensor:
    """What has __dlpack__ and nothing else of an array, as tensors of other libraries."""

    def __init__(self, array):
        self._array = array

    def __dlpack__(self, **arguments):
        return self._array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self._array.__dlpack_device__()


def test_arrays_have_the_shapes_of_a_data(batch, model):
    data = sinew.Data(model)
    assert batch.time.shape == (5,)
    for name in ALWAYS:
        array, single = getattr(batch, name), getattr(data, name)
        assert array.shape == (5, *single.shape), name
        assert array.dtype == single.dtype, name
        assert array.flags.c_contiguous and array.flags.writeable, name
        if name not in ("sensordata", "qacc_warmstart"):
            assert (array == single).all(), name


def test_computed_fields_bind_or_say_why_not(model, data):
    batch = sinew.Batch(model, 3, fields=COMPUTED)
    for name, kind, *_ in FIELDS:
        try:
            batch.bind(name)
        except ValueError as error:
            assert name not in COMPUTED and repr(name) in str(error)
            continue
        assert kind == "double", name
        assert getattr(batch, name).shape == (3, *getattr(data, name).shape), name
    batch.bind("xpos", "xpos")


def test_views_are_of_one_memory(batch):
    view = batch.qpos
    view[2] = 7
    assert (batch.qpos[2] == 7).all()
    view.shape = (-1,)
    assert batch.qpos.ndim == 2
    batch.bind("xpos", "cvel", "qM", "xquat", "subtree_com")
    assert np.shares_memory(view, batch.qpos)


def test_assignment_broadcasts(batch, model):
    batch.qpos = model.qpos0
    assert (batch.qpos == model.qpos0).all()
    batch.qvel = 0.5
    assert (batch.qvel == 0.5).all()
    batch.qvel = np.arange(5)[:, None]
    assert (batch.qvel[3] == 3).all()
    batch.ctrl = Tensor(np.full((5, model.nu), 2.0))
    assert (batch.ctrl == 2).all()
    mass = batch.parameter("body_mass")
    batch.body_mass = 3
    assert (mass == 3).all()
    batch.bind("xpos")
    batch.xpos = 1
    assert (batch.xpos == 1).all()


@pytest.mark.parametrize(
    "value", [np.zeros((4, 1)), np.zeros((5, 99)), "abc", [[1], [2, 3]], None, {}]
)
def test_wrong_values_change_nothing(batch, value):
    before = batch.qpos.copy()
    with pytest.raises((TypeError, ValueError), match="qpos"):
        batch.qpos = value
    assert (batch.qpos == before).all()


def test_unknown_attributes_say_what_helps(batch):
    with pytest.raises(AttributeError, match=r"bind\('xpos'\)"):
        _ = batch.xpos
    with pytest.raises(AttributeError, match=r"parameter\('body_mass'\)"):
        _ = batch.body_mass
    with pytest.raises(AttributeError, match="nonsense"):
        _ = batch.nonsense
    with pytest.raises(AttributeError, match="nonsense"):
        batch.nonsense = 1
    with pytest.raises(AttributeError):
        batch.n = 3
    with pytest.raises(AttributeError):
        del batch.qpos


def test_subclasses_have_attributes_of_their_own(model):
    class Fleet(sinew.Batch):
        pass

    fleet = Fleet(model, 2)
    fleet.episode = 3
    fleet.qvel = 1
    assert fleet.episode == 3 and (fleet.qvel == 1).all()
    with pytest.raises(AttributeError):
        _ = fleet.xpos
    for name, words in (("xpos", "bind.'xpos'"), ("body_mass", "parameter.'body_mass'")):
        with pytest.raises(AttributeError, match=words):
            setattr(fleet, name, 3)  # would hide the array when it comes


@pytest.mark.parametrize("value", [True, 1, 2, 0.5, -1, 256, 1e300, np.inf])
def test_an_equality_is_on_or_off(value):
    """Of what is assigned only the truth counts: a byte would wrap or be cut."""
    bodies = '<body><joint name="j"/><geom size=".1"/></body>'
    equality = '<equality><joint joint1="j"/></equality>'
    batch = sinew.Batch(
        sinew.Model.from_xml(f"<mujoco><worldbody>{bodies}</worldbody>{equality}</mujoco>"), 3
    )
    batch.eq_active = 0
    batch.eq_active = value
    assert batch.eq_active.size and (batch.eq_active == 1).all()
    batch.eq_active = 0.0
    assert not batch.eq_active.any()


@pytest.mark.parametrize("field", ["nonsense", "contact", "efc_J", "ncon", "", "qM\0", "wrap_obj"])
def test_what_cannot_be_bound_is_an_error(batch, field):
    with pytest.raises(ValueError):
        batch.bind(field)
    batch.bind("xpos")


def test_views_keep_the_batch_alive(model):
    batch = sinew.Batch(model, 3, threads=2, fields=["xpos"])
    batch.step(nstep=2)
    views = [batch.qpos, batch.xpos, batch.warnings, batch.parameter("body_mass")]
    copies = [view.copy() for view in views]
    gone = weakref.ref(batch)
    del batch
    gc.collect()
    assert gone() is None
    for view, copy in zip(views, copies, strict=True):
        assert (view == copy).all()


def test_nothing_leaks(model):
    def use():
        batch = sinew.Batch(model, 4, threads=2, fields=["xpos"])
        batch.step(np.zeros((4, 2)))
        batch.rollout(control=np.zeros((4, 3, 2)), fields=["xpos"])
        batch.reset([1], keyframe=-1)
        batch.get_data(2)
        with pytest.raises(ValueError):
            batch.step(np.zeros(7))
        return batch

    use()
    gc.collect()
    counts = sys.getrefcount(model), sys.getrefcount(_core.Batch), sys.getrefcount(sinew.Batch)
    objects = len(gc.get_objects())
    for _ in range(20):
        use()
    gc.collect()
    assert counts == (
        sys.getrefcount(model), sys.getrefcount(_core.Batch), sys.getrefcount(sinew.Batch)
    )  # fmt: skip
    assert abs(len(gc.get_objects()) - objects) < 20


def test_the_model_may_change_and_go(model):
    batch, same = sinew.Batch(model, 2), sinew.Batch(model, 2)
    model.opt.gravity[:] = 0
    model.body_mass[:] = 99
    name = model.body(1).name
    del model
    gc.collect()
    batch.step(nstep=3)
    same.step(nstep=3)
    assert (batch.qpos == same.qpos).all() and batch.qvel.any()
    assert batch.model.body(1).name == name


def test_views_go_out_by_dlpack(batch):
    other = np.from_dlpack(batch.qpos)
    assert np.shares_memory(other, batch.qpos)
    assert np.shares_memory(np.asarray(memoryview(batch.qvel)), batch.qvel)


def test_a_dlpack_view_outlives_the_batch(model):
    batch = sinew.Batch(model, 2)
    capsule = batch.qpos.__dlpack__()
    other = np.from_dlpack(Tensor(batch.qpos))
    del batch
    gc.collect()
    assert (other == model.qpos0).all()
    name = ctypes.pythonapi.PyCapsule_GetName
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    assert name(capsule).startswith(b"dltensor")


def test_repr_says_what_it_is(batch):
    text = repr(batch)
    assert text.startswith("<sinew.Batch n=5 width=") and "threads=1" in text


def test_parameters_have_the_shapes_of_the_model(batch, model):
    for field, value in [
        ("body_mass", model.body_mass),
        ("geom_friction", model.geom_friction),
        ("opt.gravity", model.opt.gravity),
        ("opt.timestep", np.array(model.opt.timestep)),
        ("actuator_gainprm", model.actuator_gainprm),
    ]:
        array = batch.parameter(field)
        assert array.shape == (5, *value.shape), field
        assert (array == value).all(), field
        assert np.shares_memory(array, batch.parameter(field))
    for field in ("body_parentid", "opt.iterations", "names", "nonsense", "opt.", "qpos"):
        with pytest.raises(ValueError):
            batch.parameter(field)
