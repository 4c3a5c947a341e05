"""Elasticity of flexes under the integrator discrete: against the newest engine, and against what a step has to be.

Both engines take elasticity at the end of a step, with derivatives that differ where forces press: equilibria are the
same, and trajectories come together as the step shrinks.
"""

import numpy as np
import pytest

import bridge
import flexes
import newest
import newest_pair
import sinew
import sinew.mujoco
from newest_pair import Pair, full_M, load

TIGHT = newest_pair.TIGHT | {"tolerance": 1e-14}  # at 0 the peer resets
NONE = '<contact selfcollide="none" contype="0" conaffinity="0"/>'
SLIDES = "".join(
    f'<joint type="slide" axis="{a}" damping=".1"/>' for a in ("1 0 0", "0 1 .5", "0 0 1")
)
CART = f"""<body name="cart" pos="0 0 .2">{SLIDES}<geom size=".1" contype="0" conaffinity="0"/>
<body name="t0" pos="0 0 -.2"/><body name="t1" pos="{{t1}}"/></body>"""
LIMIT = '<joint type="slide" axis="0 0 1" range="-.02 1"/>'
NEWTON, CG = 2, 1
FIRM = flexes.SOFT.replace("5e4", "2e3")
LIGHT = flexes.SHEET.replace("3e5", "2e4").replace("0.2", "0.2", 1)


def text(counts, children, option="", **given):
    option = f'integrator="discrete" timestep=".005" {option}'
    return flexes.grid(counts, children=NONE + children, option=option, **given)


def cart(counts, children, **given):
    bodies = {0: "t0", 1: "t1"}
    part = flexes.part(counts, children=NONE + children, bodies=bodies, **given)
    second = "0 .1 -.2" if len(counts) == 2 else "0 0 -.1"
    return flexes.model(
        part, world=CART.format(t1=second), option='integrator="discrete" timestep=".005"'
    )


def limited(i):
    return '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>' + LIMIT


REST = {
    "sheet": text((4, 3), LIGHT, pinned=(0, 1, 2, 9, 10, 11)),
    "block": text((4, 2, 2), FIRM, pinned=range(4)),
    "limits": text((4, 2, 2), FIRM, pinned=range(4), joints=limited),
    "touching": text(
        (3, 3, 3),
        FIRM + '<contact contype="1" conaffinity="1" selfcollide="none"/>',
        offset=(0, 0, 0.02),
        world='<geom type="plane" size="2 2 1"/>',
    ).replace(NONE, ""),
    "held edges": text((4, 3), LIGHT.replace("both", "bend"), pinned=range(6), rest=flexes.held()),
}


def run(pair, count, qpos=None):
    pair.theirs.call("mj_resetData")
    bridge.lib.sn_resetData(pair.model.pointer, pair.data.pointer)
    if qpos is not None:
        pair.theirs.put(qpos=qpos)
        pair.data.qpos = qpos
    pair.theirs.call("mj_step", count)
    for _ in range(count):
        bridge.call("step", pair.model, pair.data)
    return np.ravel(pair.data.qpos), pair.theirs.look("qpos", "qvel")


@pytest.mark.parametrize("solver", [NEWTON, CG])
@pytest.mark.parametrize("name", REST)
def test_same_equilibrium(name, solver):
    pair = Pair(REST[name])
    pair.set(**TIGHT)
    pair.set(solver=solver, timestep=0.01)
    pair.theirs.set(dof_damping=np.full(pair.peer.nv, 0.3))
    np.ravel(pair.model.dof_damping)[:] = 0.3
    ours, theirs = run(pair, 1500)
    assert np.abs(theirs.qvel).max() < 1e-6
    assert np.abs(theirs.qpos).max() > 1e-4
    np.testing.assert_allclose(ours, theirs.qpos, atol=1e-6)


@pytest.mark.parametrize("name", ["sheet", "block"])
def test_agrees_to_first_order(name):
    pair = Pair(REST[name])
    pair.set(**TIGHT)
    rng = np.random.default_rng(3)
    qpos = 0.003 * rng.normal(size=pair.peer.nq)
    apart = []
    for count in (100, 200, 400):
        pair.set(timestep=0.1 / count)
        ours, theirs = run(pair, count, qpos)
        apart.append(np.abs(ours - theirs.qpos).max())
    assert apart[2] < 0.7 * apart[1] and apart[1] < 0.7 * apart[0], apart


def metric_along(pair, d, x):
    """(M + h D + h^2 K) x by inverse dynamics, where there are no rows."""
    forces = []
    for scale in (0, 1):
        d.qacc = scale * x
        bridge.call("inverse", pair.model, d)
        forces.append(np.ravel(d.qfrc_inverse).copy())
    return forces[1] - forces[0]


@pytest.mark.parametrize(
    "source",
    [
        text((4, 3), LIGHT),
        text((3, 2, 2), flexes.SOFT),
        cart((3, 3), LIGHT),
        cart((3, 3, 3), flexes.SOFT),
    ],
    ids=["sheet", "block", "sheet on a cart", "block on a cart"],
)
def test_metric_is_how_forces_change(source):
    """Where all edges pull; a sixth-order difference of forces, K of damping by velocity."""
    pair = Pair(source)
    h, nv = float(pair.peer.opt.timestep), pair.peer.nv
    rng, x = np.random.default_rng(5), np.random.default_rng(6).normal(size=pair.peer.nv)
    state = {"qpos": np.zeros(pair.peer.nq), "qvel": np.zeros(nv)}
    pair.ours("forward", state)
    vertex = np.reshape(pair.data.flexvert_xpos, (-1, 3))
    state["qpos"] = stretched(pair, vertex, 0.2) + 0.001 * rng.normal(size=nv)

    def force(step, name, field):
        d = pair.ours("forward", state | {name: state[name] + step * x})
        return np.ravel(getattr(d, field)).copy()

    def slope(name, field, e):
        weights = {1: 45, 2: -9, 3: 1}
        return sum(
            w * (force(k * e, name, field) - force(-k * e, name, field)) for k, w in weights.items()
        ) / (60 * e)

    want = (
        full_M(pair) @ x
        - h * h * slope("qpos", "qfrc_spring", 1e-4)
        - h * slope("qvel", "qfrc_damper", 1e-9)
    )
    got = metric_along(pair, pair.ours("forward", state), x)
    np.testing.assert_allclose(got, want, atol=1e-7 * np.abs(want).max())


def stretched(pair, vertex, by):
    """qpos that moves each vertex away from the mean along all axes, by a part of its distance."""
    qpos, body = np.zeros(pair.peer.nq), np.ravel(pair.model.flex_vertbodyid)
    centre = vertex.mean(axis=0)
    for v, b in enumerate(body):
        if pair.peer.body_jntnum[b] == 3:
            first = pair.peer.jnt_qposadr[pair.peer.body_jntadr[b]]
            qpos[first : first + 3] = by * (vertex[v] - centre)
    return qpos


@pytest.mark.parametrize("solver", [NEWTON, CG])
@pytest.mark.parametrize(
    "source",
    [
        REST["limits"],
        text((10, 10), LIGHT, pinned=(0, 9)),
        cart((12, 9), LIGHT),
        text((5, 5, 5), flexes.SOFT, pinned=(0,), joints=limited),
    ],
    ids=["limits", "large sheet", "large sheet on a cart", "large block with limits"],
)
def test_inverse_gives_the_force_back(source, solver):
    pair = Pair(source)
    pair.set(**TIGHT)
    pair.set(solver=solver)
    rng = np.random.default_rng(2)
    state = {"qpos": 0.01 * rng.normal(size=pair.peer.nq), "qvel": rng.normal(size=pair.peer.nv)}
    state["qpos"][2::3] -= 0.03 * ("range" in source)
    state["qfrc_applied"] = rng.normal(size=pair.peer.nv)
    d = pair.ours("forward", state)
    assert (d.scalar("nefc") > 0) == ("range" in source)
    bridge.call("inverse", pair.model, d)
    scale = np.abs(np.ravel(d.qfrc_passive)).max()
    np.testing.assert_allclose(np.ravel(d.qfrc_inverse), state["qfrc_applied"], atol=1e-9 * scale)


@pytest.mark.parametrize("solver", [NEWTON, CG])
def test_beside_tendons_that_couple_trees(solver):
    """Rows of a stiff tendon and of limits, a free body that turns, a sheet on a cart that the tendon pulls."""
    free = '<body name="free" pos="0 -1 0"><freejoint/><geom size=".1 .2 .1" type="box" contype="0" conaffinity="0"/><site name="b" pos=".1 0 0"/></body>'
    lone = '<body pos="3 0 0"><freejoint/><geom size=".1 .2 .3" type="box" contype="0" conaffinity="0"/></body>'
    tendon = '<tendon><spatial stiffness="300" damping="2" springlength=".2"><site site="a"/><site site="b"/></spatial></tendon>'
    source = cart((4, 3), LIGHT, joints=limited).replace(
        '<body name="t0"', '<site name="a"/><body name="t0"'
    )
    source = source.replace("</worldbody>", f"{free}{lone}</worldbody>").replace(
        "</mujoco>", f"{tendon}</mujoco>"
    )
    pair = Pair(source)
    pair.set(**TIGHT)
    pair.set(solver=solver)
    for state in pair.states(3, False):
        state = state | {"xfrc_applied": 0 * state["xfrc_applied"]}
        d = pair.ours("forward", state)
        bridge.call("inverse", pair.model, d)
        scale = np.abs(np.ravel(d.qfrc_passive)).max()
        np.testing.assert_allclose(
            np.ravel(d.qfrc_inverse), np.ravel(state["qfrc_applied"]), atol=1e-9 * scale
        )


@pytest.mark.parametrize("timestep", [0.002, 0.02])
@pytest.mark.parametrize(
    "counts, children", [((5, 4), LIGHT), ((3, 3, 3), FIRM)], ids=["sheet", "block"]
)
def test_no_energy_is_gained(counts, children, timestep):
    """From rest, folded and stretched at random; nothing but elasticity and inertia."""
    undamped = children.replace('damping="0.01"', "")
    pair = Pair(text(counts, undamped, 'gravity="0 0 0"'))
    pair.set(timestep=timestep, enableflags=2)
    d, energy = pair.data, []
    bridge.lib.sn_resetData(pair.model.pointer, d.pointer)
    d.qpos = 0.02 * np.random.default_rng(1).normal(size=pair.peer.nq)
    for _ in range(300):
        bridge.call("step", pair.model, d)
        bridge.call("energyPos", pair.model, d)
        energy.append(d.energy.sum())
    bridge.call("forward", pair.model, d)
    assert max(energy) <= energy[0] * (1 + 1e-9)
    assert d.energy.sum() < energy[0]


REFUSED = {
    "edges": (
        "",
        '<edge damping="1"/>',
        "has stiffness or damping of edges, which the integrator discrete has no place for",
    ),
    "springs": ("", '<edge stiffness="1"/>', "has stiffness or damping of edges"),
    "PGS": ('solver="PGS"', LIGHT, "with the solvers Newton and CG alone"),
    "noslip": ('noslip_iterations="3"', LIGHT, "with the solvers Newton and CG alone"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_as_by_the_peer(name):
    option, children, why = REFUSED[name]
    source = text((4,) if name == "springs" else (3, 3), children, option)
    with pytest.raises(ValueError, match=why):
        load(source)
    with pytest.raises((ValueError, RuntimeError), match="discrete integrator"):
        newest.load(source).call("mj_step")


def test_changes_later_are_refused_by_calls():
    model = sinew.Model.from_xml(text((3, 3), LIGHT), physics="4.0")
    data = sinew.Data(model)
    sinew.step(model, data)
    model.opt.noslip_iterations = 2
    with pytest.raises(
        sinew.mujoco.FatalError, match="set solver to one of them and noslip_iterations to 0"
    ):
        sinew.step(model, data)
    model.opt.integrator = 0
    sinew.step(model, data)


@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
def test_elsewhere_it_is_explicit_with_a_warning(integrator):
    source = text((3, 3), LIGHT).replace("discrete", integrator)
    with pytest.warns(
        sinew.ModelWarning, match="elasticity of flex 'f' is explicit under this integrator"
    ):
        model = sinew.Model.from_xml(source)
    steps = []
    for now in (model.opt.integrator, 0):
        model.opt.integrator, data = now, sinew.Data(model)
        data.qpos = 0.001 * np.random.default_rng(1).normal(size=model.nq)
        sinew.step(model, data)
        steps.append(np.array(data.qpos))
    np.testing.assert_allclose(steps[0], steps[1], atol=1e-14)
