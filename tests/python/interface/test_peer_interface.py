"""sinew.mujoco as a program sees it, beside what functions compute: arrays that share a base and stay the same,
settings that only fail when they are used, integers of NumPy's kinds, sizes of a data that can be set."""

from __future__ import annotations

import copy
import gc
import sys
import weakref

import mujoco as peer
import numpy as np
import pytest

import sinew
from sinew import mujoco
from sinew.mujoco import rollout

XML = """
<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 1"/>
    <body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body pos="1 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  </worldbody>
</mujoco>
"""
ARRAYS = (
    "qpos",
    "qvel",
    "ctrl",
    "xpos",
    "qM",
    "qacc_warmstart",
    "energy",
    "M",
    "qLD",
    "solver_niter",
)


def pair(lib, steps=3):
    model = lib.MjModel.from_xml_string(XML)
    data = lib.MjData(model)
    for _ in range(steps):
        lib.mj_step(model, data)
    return model, data


@pytest.mark.parametrize("lib", [peer, mujoco])
def test_arrays_stay_the_same(lib):
    """An array of constant size is one object, and those of a model, or a data, have one base."""
    model, data = pair(lib)
    for name in ARRAYS:
        held = getattr(data, name)
        lib.mj_step(model, data)
        assert getattr(data, name) is held, name
    for name in ("qpos0", "body_mass", "geom_size"):
        assert getattr(model, name) is getattr(model, name)
        assert getattr(model, name).base is model.geom_pos.base
    assert data.qpos.base is data.qvel.base is not model.qpos0.base
    assert data.xpos.shape == (3, 3) and data.xpos.flags.writeable and not data.xpos.flags.owndata


@pytest.mark.parametrize("lib", [peer, mujoco])
def test_an_array_keeps_the_memory(lib):
    model, data = pair(lib)
    qpos0, spring, xpos = model.qpos0, model.qpos_spring, data.xpos
    base, want = qpos0.base, xpos.copy()
    qpos0[:] = 7
    gone = weakref.ref(model)
    del model, data
    gc.collect()
    assert gone() is None
    assert np.all(qpos0 == 7) and np.array_equal(xpos, want)
    count = sys.getrefcount(base)
    del qpos0
    assert sys.getrefcount(base) == count - 1
    del spring
    assert sys.getrefcount(base) == count - 2


def test_our_own_arrays_are_fresh():
    """`sinew` gives out views of its own: what a program does to one changes no other."""
    data = sinew.Data(sinew.Model.from_xml(XML))
    assert data.qpos is not data.qpos
    data.qpos.shape = (2, 7)
    assert data.qpos.shape == (14,)


@pytest.mark.parametrize("lib", [peer, mujoco])
def test_arrays_without_entries_own_their_memory(lib):
    model, data = pair(lib, 0)
    assert data.efc_type.flags.owndata and len(data.efc_type) == 0
    lib.mj_forward(model, data)
    assert not data.efc_type.flags.owndata and len(data.efc_type) == data.nefc > 0


def test_what_is_made_follows_the_state():
    """Attributes that are kept until the next function are those of fresh data in the same state."""
    model, data = pair(mujoco, 0)
    names = (
        "M",
        "qLD",
        "efc_J",
        "efc_b",
        "iefc_D",
        "iM",
        "iLD",
        "iefc_J",
        "dof_island",
        "nisland",
        "nJ",
        "solver_niter",
    )
    for k in range(6):
        data.qvel[k] += 0.3
        mujoco.mj_forward(model, data)
        fresh = copy.copy(data)
        for name in names:
            a, b = getattr(data, name), getattr(fresh, name)
            assert np.array_equal(a, b), name
            again = getattr(data, name)
            assert np.array_equal(a, again) if name.startswith("n") else again is a
    theirs = pair(peer, 0)
    theirs[1].qvel[:] = data.qvel
    peer.mj_forward(*theirs)
    assert np.allclose(data.M, theirs[1].M, rtol=1e-13, atol=1e-15)


def test_what_is_made_inside_a_callback():
    """A callback sees what holds at its moment, step by step of one call."""
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".1" pos="0 0 -.5"/>'
        '<body pos="0 0 -1"><joint axis="0 1 0"/><geom size=".1" pos="0 0 -.5"/></body></body></worldbody>'
        '<option timestep=".05"/></mujoco>'
    )
    data = mujoco.MjData(model)
    data.qpos[:] = 1, 0.5
    seen = []

    def look(m, d):
        dense = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, dense, d.qM)
        seen.append((d.M.copy(), dense[np.tril_indices(2)]))

    mujoco.set_mjcb_control(look)
    try:
        mujoco.mj_step(model, data, 4)
    finally:
        mujoco.set_mjcb_control(None)
    assert len(seen) == 4 and not np.array_equal(seen[0][0], seen[3][0])
    for rows, dense in seen:
        assert np.array_equal(rows, dense)


@pytest.mark.parametrize("lib", [peer, mujoco])
@pytest.mark.parametrize(
    ("name", "value"), [("solver", 9), ("solver", -1), ("integrator", 9), ("integrator", -1)]
)
def test_options_fail_when_they_are_used(lib, name, value):
    model, data = pair(lib)
    before = getattr(model.opt, name)
    setattr(model.opt, name, value)
    assert getattr(model.opt, name) == value
    with pytest.raises(lib.FatalError):
        lib.mj_step(model, data)
    setattr(model.opt, name, before)
    lib.mj_resetData(model, data)
    lib.mj_step(model, data)
    assert np.all(np.isfinite(data.qpos))


def test_options_that_the_peer_dies_of():
    model, data = pair(mujoco)
    model.opt.cone = 9
    for call in (mujoco.mj_step, mujoco.mj_forward):
        with pytest.raises(mujoco.FatalError, match="cone"):
            call(model, data)
    with pytest.raises(mujoco.FatalError, match="cone"):
        rollout.rollout(model, data, np.zeros(1 + model.nq + model.nv), np.zeros((1, 0)))
    mujoco.mj_resetData(model, data)
    model.opt.cone = 1
    mujoco.mj_step(model, data)


@pytest.mark.parametrize(
    "options",
    [
        {"timestep": -0.001}, {"timestep": 0.0}, {"iterations": -1},  {"jacobian": 9},
        {"noslip_iterations": -1}, {"solver": 0, "iterations": -1}, {"ccd_iterations": -1}, {"tolerance": -1.0},
        {"disableactuator": -1}, {"timestep": float("nan")}, {"o_margin": float("nan")},
    ],
    ids=str,
)  # fmt: skip
def test_options_out_of_their_range(options):
    """What a step does with them: as the peer, to the accuracy of the solver."""
    results = []
    for lib in (peer, mujoco):
        model, data = pair(lib, 0)
        for name, value in options.items():
            setattr(model.opt, name, value)
        data.qvel[0] = 1
        for _ in range(3):
            lib.mj_step(model, data)
        results.append(data.qpos.copy())
    assert np.allclose(*results, rtol=1e-4, atol=1e-5, equal_nan=True)


def test_our_options_go_on_refusing():
    model = sinew.Model.from_xml(XML)
    for name, value in (
        ("solver", 9),
        ("cone", -1),
        ("timestep", -1),
        ("iterations", -1),
        ("density", np.nan),
    ):
        with pytest.raises(ValueError, match=name):
            setattr(model.opt, name, value)
    ours = mujoco.MjModel.from_xml_string(XML)
    with pytest.raises(ValueError, match="lcp_sweeps"):
        ours.opt.lcp_sweeps = 0


INTEGERS = [
    1,
    True,
    np.int64(1),
    np.uint8(1),
    np.bool_(True),
    np.float32(1),
    np.array(1),
    np.array(1.0),
]
NO_INTEGERS = [
    1.5,
    1.0,
    np.float64(1),
    np.array([1]),
    "1",
    b"1",
    None,
    1j,
    1 << 31,
    1 << 33,
    -(1 << 33),
    [1],
]


@pytest.mark.parametrize("lib", [peer, mujoco])
def test_integers(lib):
    """What functions and members take for an int; the rest is a TypeError."""
    model, data = pair(lib)
    for value in INTEGERS:
        assert lib.mj_id2name(model, 1, value) is None
        model.opt.iterations = value
        assert model.opt.iterations == 1
    for value in NO_INTEGERS:
        with pytest.raises(TypeError):
            lib.mj_id2name(model, 1, value)
        with pytest.raises(TypeError):
            model.opt.iterations = value
        with pytest.raises(TypeError):
            data.ncon = value


def test_integers_that_do_not_fit():
    with pytest.raises(sinew.IntegerError):
        sinew.id2name(sinew.Model.from_xml(XML), 1, 1 << 40)
    assert issubclass(sinew.IntegerError, TypeError) and issubclass(
        sinew.IntegerError, OverflowError
    )


@pytest.mark.parametrize("lib", [peer, mujoco])
def test_sizes_can_be_set(lib):
    model, data = pair(lib)
    for name in ("ncon nefc ne nf nl nJ nA nisland nidof narena nbuffer parena pstack pbase nplugin threadpool "
                 "maxuse_con maxuse_efc maxuse_arena maxuse_stack solver_fwdinv time").split():  # fmt: skip
        now = getattr(data, name)
        setattr(data, name, now)
        assert np.array_equal(getattr(data, name), now), name
    for name in ("maxuse_con", "maxuse_efc", "maxuse_arena", "maxuse_stack"):
        setattr(data, name, 0)
        assert getattr(data, name) == 0
    for name in ("signature", "model", "contact", "warning", "timer", "solver"):
        with pytest.raises(AttributeError):
            setattr(data, name, getattr(data, name))
    data.ncon = 1
    assert data.ncon == len(data.contact) == 1
    lib.mj_step(model, data)
    assert data.ncon == 8


def test_sizes_that_would_not_hold():
    model, data = pair(mujoco)
    for name, value in (
        ("ncon", 99),
        ("ncon", -1),
        ("nefc", 5),
        ("ne", 1),
        ("nJ", 1),
        ("narena", 0),
        ("pstack", 1 << 60),
    ):
        with pytest.raises((ValueError, OverflowError)):
            setattr(data, name, value)
    data.nefc = 0
    assert data.nefc == len(data.efc_type) == 0 and data.ncon == 8
    mujoco.mj_makeConstraint(model, data)
    assert data.nefc > 0


@pytest.mark.parametrize("lib", [peer, mujoco])
def test_stack_overflow(lib):
    model, data = pair(lib, 0)
    data.pstack = data.narena
    with pytest.raises(lib.FatalError, match=r"\Amj_stackAlloc: out of memory, stack overflow"):
        lib.mj_forward(model, data)
    lib.mj_resetData(model, data)
    assert data.pstack == 0
    lib.mj_forward(model, data)


@pytest.mark.parametrize("lib", [peer, mujoco])
def test_states_of_a_wrong_size(lib):
    model, data = pair(lib)
    for call in (lib.mj_getState, lib.mj_setState):
        with pytest.raises(TypeError, match="state size should equal mj_stateSize"):
            call(model, data, np.zeros(3), lib.mjtState.mjSTATE_QPOS)
    for signature in (1 << 13, 1 << 31):
        with pytest.raises(
            lib.FatalError, match=rf"invalid state signature {signature} >= 2\^mjNSTATE"
        ):
            lib.mj_stateSize(model, signature)
    for signature in (-1, 1 << 32, 1.5, None, "a"):
        with pytest.raises(TypeError):
            lib.mj_stateSize(model, signature)


@pytest.mark.parametrize("lib", [peer, mujoco])
def test_structs_take_weak_references(lib):
    model, data = pair(lib)
    kept = [model.opt, data.contact[0], lib.MjvCamera(), model.vis.global_]
    references = [weakref.ref(record) for record in kept]
    assert all(r() is record for r, record in zip(references, kept, strict=True))
    del kept, model, data, lib
    gc.collect()
    assert references[2]() is None


def test_context_members():
    names = {name for name in dir(peer.MjrContext) if not name.startswith("_")}
    assert names <= set(dir(mujoco.MjrContext))
