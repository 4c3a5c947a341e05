"""Flexes asleep: which may sleep, whole and when, what wakes them; against the newest engine."""

import numpy as np
import pytest

import bridge
import flexes
from newest_pair import Pair

NONE = '<contact selfcollide="none" contype="0" conaffinity="0"/>'
BEND = flexes.SHEET.replace("both", "bend")
EULER, DISCRETE = 0, 4
SLEEP, OUR_SLEEP = 16, 1 << 5  # enable flags
POLICIES = {
    "free": flexes.grid((3, 3), children=NONE, pinned=(0,)),
    "damped": flexes.grid((3, 3), children=NONE + '<edge damping="1"/>'),
    "springs": flexes.grid((4,), children=NONE + '<edge stiffness="1"/>'),
    "no elastic2d": flexes.grid(
        (3, 3), children=NONE + '<elasticity young="1e3" thickness=".01"/>'
    ),
    "sheet": flexes.grid((3, 3), children=NONE + flexes.SHEET),
    "bending": flexes.grid((3, 3), children=NONE + BEND),
    "block": flexes.grid((2, 2, 2), children=NONE + flexes.SOFT),
    "held": flexes.grid((3, 3), children=NONE, rest=flexes.held()),
    "held later": flexes.grid((3, 3), children=NONE, rest=flexes.held(attributes='active="false"')),
    "held and damped": flexes.grid(
        (3, 3), children=NONE + '<edge damping="1"/>', rest=flexes.held()
    ),
}


@pytest.mark.parametrize("name", POLICIES)
def test_who_may_sleep(name):
    pair = Pair(POLICIES[name])
    np.testing.assert_array_equal(
        np.ravel(pair.model.tree_sleep_policy), pair.peer.tree_sleep_policy
    )


def at_rest(text, integrator, steps, disturb=0.002):
    """Both, after steps from a small displacement of one vertex; damped by its joints."""
    pair = Pair(text)
    pair.set(integrator=integrator, sleep_tolerance=0.05)
    pair.theirs.set(enableflags=SLEEP)
    bridge.set_option(pair.model, "enableflags", OUR_SLEEP)
    pair.theirs.set(dof_damping=np.ones(pair.peer.nv))
    np.ravel(pair.model.dof_damping)[:] = 1
    qpos = np.zeros(pair.peer.nq)
    qpos[3] = disturb
    pair.theirs.call("mj_resetData")
    pair.theirs.put(qpos=qpos)
    bridge.lib.sn_resetData(pair.model.pointer, pair.data.pointer)
    pair.data.qpos = qpos
    step(pair, steps)
    return pair


def step(pair, count):
    pair.theirs.call("mj_step", count)
    for _ in range(count):
        bridge.call("step", pair.model, pair.data)


def asleep(pair):
    theirs = pair.theirs.look("tree_asleep").tree_asleep
    np.testing.assert_array_equal(np.ravel(pair.data.tree_asleep), theirs)
    return theirs


WEIGHTLESS = 'gravity="0 0 0" timestep=".005"'
HEAVY = {"mass": 1, "option": WEIGHTLESS}
SHEET = flexes.grid(
    (3, 3), children=NONE + flexes.SHEET.replace("3e5", "1e3"), pinned=(0, 1), **HEAVY
)
HELD = flexes.grid((3, 3), children=NONE, pinned=(0, 1), rest=flexes.held(), **HEAVY)


@pytest.mark.parametrize(
    "text, integrator, sleeps",
    [(SHEET, EULER, False), (SHEET, DISCRETE, True), (HELD, EULER, True), (HELD, DISCRETE, True)],
    ids=["elastic, explicit", "elastic", "held", "held, discrete"],
)
def test_sleeps_whole(text, integrator, sleeps):
    pair = at_rest(text, integrator, 200)
    state = asleep(pair)
    assert (state >= 0).all() == sleeps and (state >= 0).any() == sleeps
    if sleeps:
        assert sorted(state) == list(range(len(state)))  # one ring
        assert np.all(np.ravel(pair.data.qvel) == 0)


@pytest.mark.parametrize("text", [SHEET, HELD], ids=["elastic", "held"])
def test_a_touch_wakes_all(text):
    pair = at_rest(text, DISCRETE, 200)
    assert (asleep(pair) >= 0).all()
    force = np.zeros(pair.peer.nv)
    force[0] = 1e-3
    pair.theirs.put(qfrc_applied=force)
    pair.data.qfrc_applied = force
    step(pair, 1)
    assert (asleep(pair) < 0).all()


def test_forces_do_not_add_up_while_it_sleeps():
    pair = at_rest(SHEET, DISCRETE, 200)
    before = np.ravel(pair.data.qfrc_passive).copy()
    step(pair, 50)
    np.testing.assert_array_equal(np.ravel(pair.data.qfrc_passive), before)
