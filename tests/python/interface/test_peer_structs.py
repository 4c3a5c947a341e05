"""Structs of `sinew.mujoco` and lists of them, against the pinned peer's: members, arrays, copies, lifetimes."""

import copy
import gc
import pathlib
import pickle
import resource
import sys
import threading

import gymnasium
import mujoco as peer
import numpy as np
import pytest

import sinew
from sinew import mujoco
from sinew.mujoco import _structs

BOX = """<mujoco><option cone="elliptic"/><worldbody><geom name="floor" type="plane" size="1 1 1"/>
<body pos="0 0 .09"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""
STRUCTS = [
    "MjContact", "MjLROpt", "MjOption", "MjSolverStat", "MjStatistic", "MjTimerStat", "MjWarningStat"
]  # fmt: skip
LISTS = {
    "contact": "MjContact",
    "warning": "MjWarningStat",
    "timer": "MjTimerStat",
    "solver": "MjSolverStat",
}
GROUPS = ["global_", "quality", "headlight", "map", "scale", "rgba"]
ASSETS = pathlib.Path(gymnasium.__file__).parent / "envs/mujoco/assets"


def members(cls):
    return [n for n, v in vars(cls).items() if not n.startswith("_") and not isinstance(v, type)]


def box():
    model = mujoco.MjModel.from_xml_string(BOX)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def lift(model, data, height):
    data.qpos[2] = height
    mujoco.mj_forward(model, data)


@pytest.mark.parametrize("name", STRUCTS)
def test_members_and_defaults(name):
    theirs, ours = getattr(peer, name)(), getattr(mujoco, name)()
    for member in members(type(theirs)):
        expected, value = getattr(theirs, member), getattr(ours, member)
        assert type(value) is type(expected), member
        np.testing.assert_array_equal(value, expected)
        if isinstance(value, np.ndarray):
            assert value.dtype == expected.dtype and value.shape == expected.shape
            assert getattr(ours, member) is value
    assert repr(ours) == repr(theirs) and str(ours) == repr(ours)
    assert type(ours).__name__ == name and type(ours).__module__ == "sinew.mujoco"


@pytest.mark.parametrize("name", STRUCTS)
def test_values(name):
    cls = getattr(mujoco, name)
    one, other = cls(), cls()
    for member in members(getattr(peer, name)):
        before = np.copy(getattr(one, member))
        # the last of an enumeration, 2, goes down
        number = before + (-1 if before.ndim == 0 and before == 2 else 1)
        setattr(one, member, number if before.ndim == 0 else np.arange(1, 1 + before.size))
        assert one != other and not one == other
        for made in (copy.copy(one), copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
            assert type(made) is cls and made == one
            np.testing.assert_array_equal(getattr(made, member), getattr(one, member))
        setattr(one, member, before)
        assert one == other, member
    assert one != 3 and one is not None
    with pytest.raises(TypeError):
        hash(one)
    with pytest.raises(AttributeError):
        one.foo = 1
    with pytest.raises(TypeError):
        cls(1)


def test_wrong_values():
    contact = mujoco.MjContact()
    for member, value in [
        ("dist", "a"),
        ("dist", None),
        ("dist", [1, 2]),
        ("dim", 1.5),
        ("dim", "x"),
    ]:
        with pytest.raises(TypeError):
            setattr(contact, member, value)
    with pytest.raises((TypeError, OverflowError)):
        contact.dim = 2**40
    for value in ([1, 2], [1, 2, 3, 4], "a"):
        with pytest.raises(ValueError):
            contact.pos = value
    with pytest.raises(AttributeError):
        del contact.dist
    contact.pos = 7
    np.testing.assert_array_equal(contact.pos, [7, 7, 7])


def test_not_a_number_is_not_equal_to_itself():
    one = mujoco.MjLROpt()
    one.maxforce = np.nan
    assert one != copy.copy(one)


def test_subclasses():
    class Marked(mujoco.MjContact):
        def __init__(self, mark):
            super().__init__()
            self.mark = mark

    marked = Marked(3)
    marked.dist = 2
    assert marked.mark == 3 and marked == copy.copy(marked) and repr(marked).startswith("<Marked\n")


def test_parts_of_a_model():
    theirs, ours = peer.MjModel.from_xml_string(BOX), mujoco.MjModel.from_xml_string(BOX)
    assert repr(ours.opt) == repr(theirs.opt)
    head = "<MjVisual\n  global_: <Global\n    azimuth: 90.0\n"
    assert repr(ours.vis).startswith(head) and repr(theirs.vis).startswith(head)
    for part in ("opt", "vis", "stat"):
        assert getattr(ours, part) is getattr(ours, part)
        with pytest.raises(AttributeError):
            setattr(ours, part, getattr(ours, part))
    assert ours.opt.gravity is ours.opt.gravity and ours.vis.rgba.fog is ours.vis.rgba.fog
    for fields in ("_all_fields", "_float_fields", "_int_fields", "_floatarray_fields"):
        assert getattr(mujoco.MjOption, fields) == getattr(peer.MjOption, fields)
    for group in GROUPS:
        name = group.removesuffix("_").capitalize()
        cls = getattr(mujoco.MjVisual, name)
        assert type(getattr(ours.vis, group)) is cls and getattr(ours.vis, group) is getattr(
            ours.vis, group
        )
        assert cls.__qualname__ == f"MjVisual.{name}"
        assert pickle.loads(pickle.dumps(getattr(ours.vis, group))) == getattr(ours.vis, group)
    vis = copy.copy(ours.vis)
    vis.map.znear = 9
    assert vis != ours.vis and ours.vis.map.znear != 9
    assert pickle.loads(pickle.dumps(vis)) == vis


def test_our_own_parts_stay():
    model = sinew.Model.from_xml(BOX)
    assert model.opt.gravity is not model.opt.gravity and type(model.opt).__name__ == "Option"
    model.opt.gravity[:] = [1, 2, 3]
    np.testing.assert_array_equal(model.opt.gravity, [1, 2, 3])
    assert isinstance(sinew.Data(model).contact, np.ndarray)
    assert mujoco.MjModel.from_xml_string(BOX).opt.loops == 0


@pytest.mark.parametrize("name", LISTS)
def test_lists(name):
    _, data = box()
    theirs = peer.MjData(peer.MjModel.from_xml_string(BOX))
    list_ = getattr(data, name)
    assert type(list_) is getattr(_structs, f"_{LISTS[name]}List") and list_ is getattr(data, name)
    if name != "contact":
        assert len(list_) == (200 if name == "solver" else len(getattr(theirs, name)))
    assert list_[0] is list_[0] and list_[-1] is list_[len(list_) - 1]
    assert [*list_][0] is list_[0] and list_[0] in list_
    for bad in (len(list_), -len(list_) - 1, 2**70):
        with pytest.raises(IndexError):
            list_[bad]
    for bad in ("a", 1.0, None, [0]):
        with pytest.raises(TypeError):
            list_[bad]
    for member in members(getattr(peer, LISTS[name])):
        column, expected = getattr(list_, member), getattr(getattr(theirs, name), member)
        assert column.dtype == expected.dtype and column.shape == (len(list_), *expected.shape[1:])
        np.testing.assert_array_equal(column, [getattr(item, member) for item in list_])
        column[...] = np.arange(column.size).reshape(column.shape)
        np.testing.assert_array_equal(getattr(list_[1], member), getattr(list_, member)[1])
        np.testing.assert_array_equal(getattr(list_, member), column)
        with pytest.raises(AttributeError):
            setattr(list_, member, 0)
        for part in (slice(1, 3), slice(None, None, 2), slice(None, None, -1), slice(9999, None)):
            np.testing.assert_array_equal(
                getattr(list_[part], member), getattr(list_, member)[part]
            )
            assert len(list_[part]) == len(range(len(list_))[part])
    list_[1:3][0].__setattr__(member, 5)
    np.testing.assert_array_equal(getattr(list_[1], member), np.full_like(column[1], 5))
    assert list_ == getattr(data, name) and list_ != 5 and list_ != [] and list_[:1] != list_
    with pytest.raises(TypeError):
        hash(list_)
    with pytest.raises(TypeError):
        list_[0] = list_[1]


def test_contacts_are_followed():
    model, data = box()
    held, last = data.contact, data.contact[3]
    assert len(held) == 4 and last.dist == held.dist[3]
    lift(model, data, 5)
    assert len(held) == 0 and len(held.pos) == 0 and [*held] == []
    with pytest.raises(IndexError):
        held[3]
    assert np.isfinite(last.pos).all()  # memory that is still there
    lift(model, data, 0.08)
    assert held is data.contact and held[3] is last and last.dist == pytest.approx(-0.02)
    other = copy.copy(data)
    assert other.contact == data.contact
    lift(model, data, 0.07)
    assert other.contact != data.contact


def test_what_lies_beside_a_contact():
    model, data = box()
    for contact in data.contact:
        np.testing.assert_array_equal([contact.flex, contact.elem, contact.vert], -1)
    data.contact[1].elem = [4, 5]
    data.contact.H[2] = 7
    np.testing.assert_array_equal(data.contact.elem[:2], [[-1, -1], [4, 5]])
    np.testing.assert_array_equal(data.contact[2].H, 7)
    np.testing.assert_array_equal(data.contact[2:].H[0], 7)
    part = copy.copy(data.contact[1])
    np.testing.assert_array_equal(part.elem, [4, 5])
    lift(model, data, 0.08)
    np.testing.assert_array_equal(data.contact.elem, -1)
    assert (data.contact[2].H != 7).all()


def states(data):
    """The state of the first row of each contact; -1: it has none."""
    return np.append(data.efc_state, -1)[data.contact.efc_address]


@pytest.mark.parametrize(
    "name", ["ant.xml", "half_cheetah.xml", "hopper.xml", "humanoid.xml", "walker2d.xml"]
)
def test_contacts_against_the_peer(name):
    text = (ASSETS / name).read_text()
    theirs, ours = peer.MjModel.from_xml_string(text), mujoco.MjModel.from_xml_string(text)
    for model in (theirs, ours):
        model.opt.cone, model.opt.solver = 1, 2
        model.opt.tolerance, model.opt.iterations = 0, 100
    expected, data = peer.MjData(theirs), mujoco.MjData(ours)
    generator = np.random.default_rng(3)
    compared = 0
    for _ in range(100):
        expected.ctrl[:] = generator.normal(size=theirs.nu)
        peer.mj_step(theirs, expected)
        data.qpos, data.qvel, data.ctrl = expected.qpos, expected.qvel, expected.ctrl
        data.qacc_warmstart = expected.qacc_warmstart
        peer.mj_forward(theirs, expected)
        mujoco.mj_forward(ours, data)
        assert len(data.contact) == len(expected.contact)
        order, wanted = np.argsort(data.contact.pos[:, 0]), np.argsort(expected.contact.pos[:, 0])
        for member in members(peer.MjContact):
            value, reference = (
                getattr(data.contact, member)[order],
                getattr(expected.contact, member)[wanted],
            )
            if member == "H":
                # The peer's is that of an earlier iteration where the last one left the cone
                cone = states(data)[order] == mujoco.mjtConstraintState.mjCNSTRSTATE_CONE
                assert not value[~cone].any()
                both = cone & (states(expected)[wanted] == states(data)[order])
                value, reference = value[both], reference[both]
                scale = 1e-7 * (1 + abs(reference).max(initial=0))  # of the solver's last digits
                np.testing.assert_allclose(value, reference, rtol=1e-7, atol=scale)
                compared += np.count_nonzero(reference)
            elif member != "efc_address":
                np.testing.assert_allclose(value, reference, rtol=0, atol=1e-8, err_msg=member)
    assert compared or name == "half_cheetah.xml"


def test_statistics_of_a_run():
    model, data = box()
    before = data.timer[mujoco.mjtTimer.mjTIMER_STEP].duration
    assert before == 0
    for _ in range(5):
        mujoco.mj_step(model, data)
    step = data.timer[mujoco.mjtTimer.mjTIMER_STEP]
    assert step.number == 5 and 0 < step.duration < 1
    assert data.timer[mujoco.mjtTimer.mjTIMER_POSITION].number == 6
    data.qpos[0] = np.nan
    mujoco.mj_step(model, data)
    assert data.warning[mujoco.mjtWarning.mjWARN_BADQPOS].number == 1
    own = sinew.Data(model)
    sinew.step(model, own)
    assert not own.timer.number.any()


def test_copies_of_data():
    model, data = box()
    assert copy.copy(data).model is model
    deep = copy.deepcopy(data)
    assert deep.model is not model and deep.model.nq == model.nq and deep.contact == data.contact
    pair = copy.deepcopy([model, data])
    assert pair[1].model is pair[0]
    packed = pickle.loads(pickle.dumps(data))
    assert packed.contact == data.contact and packed.warning == data.warning
    assert model.signature == data.signature == deep.signature == packed.model.signature
    assert (
        mujoco.MjModel.from_xml_string(BOX.replace("<freejoint/>", "")).signature != model.signature
    )
    own = sinew.Data(model)
    assert copy.deepcopy(own).model is model


def test_lifetimes():
    model, data = box()
    gravity, list_, item = model.opt.gravity, data.contact, data.contact[2]
    positions, pos, H = list_.pos, item.pos, item.H
    kept = pos.copy(), positions.copy()
    opt = model.opt
    del model, data, list_
    gc.collect()
    filler = [np.full(1000, 3.0) for _ in range(1000)]
    np.testing.assert_array_equal(pos, kept[0])
    np.testing.assert_array_equal(positions, kept[1])
    np.testing.assert_array_equal(item.pos, kept[0])
    assert (
        H.shape == (36,) and gravity[2] == -9.81 and opt.timestep == 0.002 and len(filler) == 1000
    )


def test_references():
    model, data = box()
    count = sys.getrefcount(data.model)
    assert count == 3
    counted = [data.contact, data.contact[0], model.opt, model.opt.gravity, data.warning]
    before = [sys.getrefcount(x) for x in counted]
    for _ in range(100):
        (
            data.contact.geom,
            data.contact[0].pos,
            data.contact[0].H,
            data.contact[::2].dist,
            repr(data.contact),
        )
        (
            copy.copy(data.contact[0]),
            data.contact == data.contact,
            model.opt.gravity,
            data.warning[0].number,
        )
        pickle.dumps(data.contact[0]), mujoco.MjOption().gravity
        for bad in ("data.contact[99]", "data.contact['a']", "mujoco.MjContact(3)"):
            with pytest.raises((IndexError, TypeError)):
                eval(bad)
    assert [sys.getrefcount(x) for x in counted] == before


def test_no_leak():
    model, data = box()
    peak = 0
    for round_ in range(3):
        for _ in range(300):
            deep = copy.deepcopy(data)
            deep.contact.H, deep.contact[1].pos, deep.model.vis.map.znear, deep.timer[0].number
            pickle.loads(pickle.dumps(deep.model.opt))
        now = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        assert round_ < 2 or now < peak + 4096
        peak = now


def test_threads():
    model, data = box()
    stop = threading.Event()

    def look():
        while not stop.is_set():
            contacts = data.contact
            contacts.pos.sum(), contacts.H.sum(), contacts == contacts[:2]
            for contact in contacts:
                contact.H.sum(), contact.dist

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        for i in range(200):
            data.qpos[2] = 0.09 + 0.1 * (i % 2)
            mujoco.mj_step(model, data, nstep=5)
    finally:
        stop.set()
        watcher.join()
