"""Equality of a flex's edges: rows and steps against the newest engine, islands, inverse dynamics, what is refused.

Rows are products of few smooth quantities: 1e-10 of their scale. A step is a solver's answer run to the last digit by
both: 1e-8.
"""

import re

import numpy as np
import pytest

import bridge
import flexes
import sinew
import sinew.mujoco
from newest_pair import TIGHT, Pair

SOFT = 'solref=".05 .7" solimp=".6 .9 .3 .4 3"'
NONE = '<contact selfcollide="none" contype="0" conaffinity="0"/>'
HINGES = '<joint axis="1 2 3" pos=".1 -.2 .1"/><joint type="slide" axis="1 .5 0"/><joint type="slide" axis="0 1 .3"/>'
TRUNK = '<body name="trunk"><freejoint/><geom size=".05" contype="0" conaffinity="0"/></body>'


def bent(places):
    return places + 0.02 * np.sin(9 * places[:, [2, 0, 1]])


def two():
    sheet = flexes.part((3, 3), children=NONE, pinned=(0, 1), shape=bent)
    string = flexes.part(
        (4,), name="g", children=NONE, offset=(0, 0, 1), bodies={0: "f8", 3: "trunk"}
    )
    rest = flexes.held(attributes=SOFT) + flexes.held("g") + flexes.held("f", 'active="false"')
    return flexes.model(sheet, string, world=TRUNK, rest=rest)


MODELS = {
    "string": flexes.grid((5,), children=NONE, pinned=(0,), rest=flexes.held()),
    "sheet": flexes.grid((4, 3), children=NONE, shape=bent, rest=flexes.held(attributes=SOFT)),
    "block": flexes.grid((3, 2, 2), children=NONE, pinned=(0, 5), rest=flexes.held()),
    "damped": flexes.grid(
        (3, 3), children=NONE + '<edge damping="2"/>', pinned=(0, 1), rest=flexes.held()
    ),
    "turning": flexes.grid(
        (3, 3), children=NONE, pinned=(0,), joints=lambda i: HINGES, shape=bent, rest=flexes.held()
    ),
    "direct": flexes.grid((3, 3), children=NONE, rest=flexes.held(attributes='solref="-300 -20"')),
    "two": two(),
}


FIELDS = "efc_J efc_id efc_pos efc_D efc_vel efc_aref qacc qfrc_constraint".split()


def close(ours, theirs, tolerance, name=""):
    """Within a tolerance of what there is most of."""
    theirs = np.ravel(theirs)
    scale = max(1, np.abs(theirs).max(initial=0))
    np.testing.assert_allclose(np.ravel(ours), theirs, rtol=0, atol=tolerance * scale, err_msg=name)


# discrete takes no damping of edges
@pytest.mark.parametrize(
    "name, integrator",
    [(n, i) for n in MODELS for i in ("Euler", "discrete") if (n, i) != ("damped", "discrete")],
)
def test_rows(name, integrator):
    pair = Pair(MODELS[name].replace("<option ", f'<option integrator="{integrator}" '))
    pair.set(**TIGHT)
    for state in pair.states(5, False):
        theirs = pair.theirs.run("mj_forward", [state], FIELDS)[0]
        ours = pair.ours("forward", state)
        np.testing.assert_array_equal(np.ravel(ours.efc_id), theirs.efc_id)
        for field in ("efc_J", "efc_pos", "efc_D", "efc_vel", "efc_aref"):
            close(getattr(ours, field), getattr(theirs, field), 1e-10, field)
        close(ours.qacc, theirs.qacc, 1e-8)
        close(ours.qfrc_constraint, theirs.qfrc_constraint, 1e-8)


@pytest.mark.parametrize(
    "integrator", [0, 1, 2, 3, 4]
)  # Euler, RK4, implicit, implicitfast, discrete
@pytest.mark.parametrize("name", ["sheet", "block", "turning", "two"])
def test_steps(name, integrator):
    pair = Pair(MODELS[name])
    pair.set(**TIGHT, integrator=integrator)
    for state in pair.states(2, False):
        theirs = pair.theirs.run("mj_step", [state], ["qpos", "qvel"])[0]
        ours = pair.ours("step", state)
        close(ours.qpos, theirs.qpos, 1e-8)
        close(ours.qvel, theirs.qvel, 1e-8)


def test_inverse_gives_the_force_back():
    pair = Pair(MODELS["two"])
    pair.set(**TIGHT)
    for state in pair.states(3, False):
        d = pair.ours("forward", state)
        applied = np.ravel(state["qfrc_applied"]).copy()
        qacc = np.ravel(d.qacc).copy()
        state = dict(state, xfrc_applied=np.zeros_like(state["xfrc_applied"]))
        d = pair.ours("forward", state)
        bridge.call("inverse", pair.model, d)
        close(d.qfrc_inverse, applied, 1e-9 * np.abs(qacc).max())


def test_rows_keep_lengths():
    model = sinew.Model.from_xml(
        flexes.grid(
            (4, 4), children=NONE, pinned=(0, 3), rest=flexes.held(), option='timestep=".002"'
        )
    )
    data = sinew.Data(model)
    for _ in range(500):
        sinew.step(model, data)
    change = data.flexedge_length / model.flexedge_length0 - 1
    assert np.abs(change).max() < 0.1
    assert data.qpos.min() < -0.1  # it has swung down
    free = sinew.Data(model)
    free.eq_active[0] = 0
    sinew.step(model, free)
    assert free.nefc == 0


def test_islands_are_those_that_edges_join():
    two = [flexes.part((2, 2), name=n, offset=(i, 0, 0), children=NONE) for i, n in enumerate("fg")]
    pair = Pair(flexes.model(*two, rest=flexes.held("f") + flexes.held("g")))
    state = pair.states(1, False)[0]
    theirs = pair.theirs.run("mj_forward", [state], ["efc_island", "nisland", "dof_island"])[0]
    model = sinew.mujoco.MjModel.from_xml_string(
        flexes.model(*two, rest=flexes.held("f") + flexes.held("g"))
    )
    data = sinew.mujoco.MjData(model)
    data.qpos[:] = np.ravel(state["qpos"])
    sinew.mujoco.mj_forward(model, data)
    assert data.nisland == theirs.nisland == 2
    np.testing.assert_array_equal(data.efc_island, theirs.efc_island)
    np.testing.assert_array_equal(data.dof_island, theirs.dof_island)


REFUSED = {
    "exact": (
        flexes.grid(
            (3, 3), rest=flexes.held() + '<custom><text name="sinew_loops" data="exact"/></custom>'
        ),
        "holds the edges of flex 'f', which is not supported yet where equalities are held exactly",
    ),
    "rigid contact": (
        flexes.grid(
            (3, 3), rest=flexes.held() + '<custom><text name="sinew_contact" data="lcp"/></custom>'
        ),
        "flex 'f': rigid contact does not support flexes yet: set contact to soft",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    text, why = REFUSED[name]
    with pytest.raises(sinew.NotSupportedError, match=re.escape(why)):
        sinew.Model.from_xml(text)


def test_options_that_change_later_are_refused_by_the_call():
    model = sinew.Model.from_xml(flexes.grid((3, 3), rest=flexes.held()))
    data = sinew.Data(model)
    model.opt.loops = 1
    with pytest.raises(
        sinew.mujoco.FatalError,
        match="which is not supported yet where equalities are held exactly",
    ):
        sinew.step(model, data)
