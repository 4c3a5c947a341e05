"""Vertices, edges and passive forces of flexes, stage by stage against the newest engine at random states."""

import numpy as np
import pytest

import bridge
import flexes
from newest_pair import Pair

STATES = 100
FIELDS = """flexvert_xpos flexelem_aabb flexedge_length flexedge_velocity flexedge_J qfrc_spring qfrc_damper
qfrc_passive""".split()

EDGES = '<edge stiffness="70" damping="0.4"/>'
DAMPED = '<edge damping="0.4"/>'
ELASTIC = '<elasticity young="4e4" poisson="0.3" damping="0.02" thickness="0.012" elastic2d="{}"/>'
SOLID = '<elasticity young="4e4" poisson="0.4" damping="0.02"/>'
QUIET = '<contact contype="0" conaffinity="0" selfcollide="none"/>'
RADIAL = '<joint type="slide" axis="1 2 3"/>'
HANGING = """<body name="arm" pos="0 0 -.2"><joint axis="0 1 0"/><geom size=".05" contype="0" conaffinity="0"/>
<body name="hand" pos=".1 0 0" euler="20 30 40"><joint axis="0 0 1" pos=".1 .1 0"/><joint type="slide" axis="1 1 0"/>
<geom size=".05" contype="0" conaffinity="0"/></body></body>
<body name="free" pos="0 .3 0"><freejoint/><geom size=".05" pos=".1 0 0" contype="0" conaffinity="0"/></body>"""


def wave(places):
    return places + 0.03 * np.sin(7 * places[:, [1, 2, 0]])


def grid(counts, children, **given):
    return flexes.grid(counts, children=QUIET + children, option='gravity="0 0 0"', **given)


def attached(counts, children):
    """Some vertices on a chain, a free body, the world and bodies that turn, the others on three slides."""
    kinds = [
        None,
        RADIAL,
        '<joint type="ball"/>',
        '<joint axis="0 1 1" pos=".1 0 .2"/>',
        "<freejoint/>",
    ]
    slides = "".join(f'<joint type="slide" axis="{a}"/>' for a in ("1 0 0", "0 1 0", "0 0 1"))
    return grid(
        counts,
        children,
        shape=wave,
        world=HANGING,
        bodies={0: "hand", 1: "free", 2: "arm"},
        pinned=(3,),
        joints=lambda i: kinds[i % 5] or slides,
    )


def several():
    """Flexes of every dimension beside each other."""
    sheet, solid = QUIET + ELASTIC.format("both"), QUIET + SOLID + DAMPED
    return flexes.model(
        flexes.part((5,), children=QUIET + EDGES, name="string", shape=wave),
        flexes.part((3, 3), children=QUIET + DAMPED, name="net", offset=(1, 0, 0)),
        flexes.part((3, 4), children=sheet, name="sheet", offset=(0, 1, 0), shape=wave),
        flexes.part((2, 3, 3), children=solid, name="solid", offset=(0, 0, 1), shape=wave),
        flexes.part((3, 3), children=sheet, name="other", offset=(0, 2, 0)),
        flexes.part((3, 2, 2), children=QUIET + SOLID, name="last", offset=(0, 0, 2)),
        option='gravity="0 0 0"',
    )


MODELS = {
    "several": several(),
    "mocap": grid(
        (3, 3),
        DAMPED,
        world='<body name="moved" mocap="true" pos=".1 .2 .3"/>',
        bodies={4: "moved"},
    ),
    "string": grid((6,), EDGES, shape=wave),
    "damped sheet": grid((4, 3), DAMPED, shape=wave),
    "damped block": grid((3, 3, 3), DAMPED, shape=wave),
    "stretch": grid((4, 3), ELASTIC.format("stretch"), shape=wave),
    "bend": grid((4, 4), ELASTIC.format("bend")),
    "curved": grid((4, 4), ELASTIC.format("bend"), shape=wave),
    "both": grid((4, 4), ELASTIC.format("both") + DAMPED, shape=wave, pinned=(0, 2)),
    "undamped": grid((4, 4), ELASTIC.format("both").replace("0.02", "0"), shape=wave),
    "solid": grid((3, 3, 4), SOLID + DAMPED, shape=wave, pinned=(1, 7)),
    "attached string": attached((8,), EDGES),
    "attached sheet": attached((4, 3), ELASTIC.format("both") + DAMPED),
    "attached solid": attached((3, 3, 2), SOLID),
    "radial": grid((3, 3, 3), SOLID, joints=lambda i: RADIAL),
}


def states(pair, count, seed=1, size=0.03):
    """Random positions about qpos0 and velocities."""
    rng, found = np.random.default_rng(seed), []
    pair.theirs.call("mj_resetData")
    for _ in range(count):
        way = rng.normal(size=pair.peer.nv)
        qpos = np.array(pair.peer.qpos0)
        bridge.lib.sn_integratePos(
            pair.model.pointer, *(x.ctypes.data_as(bridge.ctypes.c_void_p) for x in (qpos, way)), bridge.ctypes.c_double(size)
        )  # fmt: skip
        found.append({"qpos": qpos, "qvel": rng.normal(size=pair.peer.nv)})
    return found


def largest_difference(pair, given, fields=FIELDS):
    """The largest difference of each field, in the largest that the peer has of it."""
    found, scale = dict.fromkeys(fields, 0.0), dict.fromkeys(fields, 1e-9)
    for state, theirs in zip(given, pair.theirs.run("mj_forward", given, fields), strict=True):
        ours = pair.ours("forward", state)
        for name in fields:
            x, y = np.ravel(getattr(ours, name)), np.ravel(getattr(theirs, name))
            if name == "flexedge_J":
                y = y[: x.size]  # of edges within a body we have no rows
            assert x.shape == y.shape, name
            if x.size:
                found[name] = max(found[name], np.abs(x - y).max())
                scale[name] = max(scale[name], np.abs(y).max())
    return {name: found[name] / scale[name] for name in fields}


@pytest.mark.parametrize("kind", MODELS)
def test_forces(kind):
    pair = Pair(MODELS[kind])
    difference = largest_difference(pair, states(pair, STATES))
    assert max(difference.values()) < 1e-12, difference
    moving = (
        np.abs(np.ravel(pair.data.qfrc_spring)).max()
        + np.abs(np.ravel(pair.data.qfrc_damper)).max()
    )
    assert moving > 1e-2


def composed(kind, count, dim, dof="full", pin=""):
    """A flexcomp, all of whose kinds there are, on a link that turns where it is pinned or moves with less than three slides."""
    own = EDGES if dim == 1 else SOLID if dim == 3 else ELASTIC.format("both")
    text = (
        f'<flexcomp name="f" type="{kind}" count="{count}" spacing=".05 .05 .05" dim="{dim}" dof="{dof}" mass="1"'
        f' radius=".01" pos="0 0 1" euler="10 20 30">{QUIET}{pin}{own}</flexcomp>'
    )
    joint = "" if dof == "full" and not pin else '<joint axis="0 1 0"/>'
    link = f'<body name="link" pos="0 0 .1">{joint}<geom size=".01" mass="1"/>{text}</body>'
    return f'<mujoco><option gravity="0 0 0"/><worldbody>{link}</worldbody></mujoco>'


COMPOSED = {
    "square": composed("square", "4 4 1", 2),
    "disc": composed("disc", "4 8 1", 2),
    "circle": composed("circle", "8 1 1", 1),
    "box": composed("box", "3 3 3", 3),
    "cylinder": composed("cylinder", "4 4 3", 3),
    "ellipsoid": composed("ellipsoid", "4 4 4", 3),
    "shell of a box": composed("box", "3 4 3", 2),
    "shell of an ellipsoid": composed("ellipsoid", "4 4 4", 2),
    "radial": composed("ellipsoid", "4 4 4", 3, "radial"),
    "two dofs": composed("grid", "4 4 1", 2, "2d"),
    "pinned": composed("grid", "4 4 1", 2, pin='<pin id="0 3 9"/>'),
}


@pytest.mark.parametrize("kind", COMPOSED)
def test_composed(kind):
    pair = Pair(COMPOSED[kind])
    assert max(largest_difference(pair, states(pair, 20, size=0.01)).values()) < 1e-12


@pytest.mark.parametrize("flag", ["spring", "damper"])
def test_flags(flag):
    text = MODELS["both"].replace(
        "<worldbody>", f'<option><flag {flag}="disable"/></option><worldbody>'
    )
    pair = Pair(text)
    assert max(largest_difference(pair, states(pair, 5)).values()) < 1e-12
    assert not np.any(getattr(pair.data, f"qfrc_{flag}"))


@pytest.mark.parametrize(
    "bodies", [{i: "a" for i in range(9)}, {0: "a", 1: "a", 4: "a"}], ids=["rigid", "partly"]
)
def test_vertices_of_one_body(bodies):
    part = flexes.part(
        (3, 3), children=QUIET + ELASTIC.format("both").replace("0.02", "0"), bodies=bodies
    )
    vertex = " ".join(f"{x:g}" for x in part.places.ravel())
    flex = part.flex.replace("dim=", f'vertex="{vertex}" dim=')
    world = (
        '<body name="a"><freejoint/><geom size=".1" contype="0" conaffinity="0"/></body>'
        + part.bodies
    )
    pair = Pair(f"<mujoco><worldbody>{world}</worldbody><deformable>{flex}</deformable></mujoco>")
    assert max(largest_difference(pair, states(pair, 20)).values()) < 1e-12


def test_energy_of_springs():
    """Which 4.0.1 has of edges alone; test_flex_elastic.c has those of elasticity."""
    pair = Pair(
        MODELS["string"].replace(
            "<worldbody>", '<option><flag energy="enable"/></option><worldbody>'
        )
    )
    given = states(pair, 20)
    for state, theirs in zip(given, pair.theirs.run("mj_forward", given, ["energy"]), strict=True):
        np.testing.assert_allclose(pair.ours("forward", state).energy, theirs.energy, rtol=1e-12)


@pytest.mark.parametrize("kind", ["curved", "solid", "attached sheet"])
def test_inverse(kind):
    """Inverse dynamics of what forward dynamics gave returns what was applied."""
    pair = Pair(MODELS[kind])
    rng = np.random.default_rng(4)
    for state in states(pair, 5):
        applied = rng.normal(size=pair.peer.nv)
        data = pair.ours("forward", state | {"qfrc_applied": applied})
        bridge.call("inverse", pair.model, data)
        scale = np.abs(np.ravel(data.qfrc_passive)).max() + 1
        np.testing.assert_allclose(np.ravel(data.qfrc_inverse), applied, atol=1e-9 * scale)
