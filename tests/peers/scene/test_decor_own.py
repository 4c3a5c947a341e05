"""Decoration of what the peer has not: loops held exactly, rigid contact."""

import pathlib

import numpy as np
import pytest

import sinew
from scene_pair import FLAG, LABEL, enum, rows_of
from sinew import mujoco

MODELS = pathlib.Path(__file__).resolve().parents[3] / "examples/models"
SPHERE, CAPSULE, TEXT = 2, 3, 22


def listed(m, d, flag, label="NONE"):
    """Rows of decoration under one switch."""
    opt, scene = mujoco.MjvOption(), mujoco.MjvScene(m, 1000)
    opt.flags[:] = 0
    opt.flags[enum(FLAG, flag)] = 1
    opt.label = enum(LABEL, label)
    mujoco.mjv_addGeoms(m, d, opt, mujoco.MjvPerturb(), 4, scene)
    return rows_of(scene)


@pytest.mark.parametrize(
    "name", ["four_bar", "slider_crank", "delta", "stewart", "excavator", "cassie_legs"]
)
def test_open_loops(name):
    """None is shown while loops are closed; one that a joint's displacement opens shows its two sites."""
    m = mujoco.MjModel.from_xml_path(str(MODELS / f"{name}.xml"))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    assert m.nloop > 0 and not (listed(m, d, "CONSTRAINT")["objtype"] == TEXT).any()
    rng = np.random.default_rng(0)
    d.qpos += rng.normal(size=m.nq) * 0.05
    mujoco.mj_forward(m, d)
    rows = listed(m, d, "CONSTRAINT", "CONSTRAINT")
    rows = rows[rows["objtype"] == TEXT]
    errors = {}
    for k in range(d.nclosure):
        first, count = d.closure_rowadr[k], d.closure_rownum[k]
        if d.closure_id[k] < m.nloop:
            errors[int(d.closure_id[k])] = np.linalg.norm(d.loop_delta[first : first + count])
    shown = [loop for loop in errors if errors[loop] > 1e-3]
    assert shown and len(rows) == 3 * len(shown)
    radius = m.stat.meansize * m.vis.scale.constraint
    for loop, (first, second, way) in zip(shown, rows.reshape(-1, 3), strict=True):
        a, b = d.site_xpos[m.loop_siteid[loop]]
        assert list(rows["type"][:3]) == [SPHERE, SPHERE, CAPSULE]
        assert first["objid"] == m.loop_textid[loop]
        np.testing.assert_allclose([first["pos"], second["pos"]], [a, b], rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(first["size"], radius, rtol=1e-6)
        np.testing.assert_allclose(way["pos"], (a + b) / 2, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(way["size"][2], np.linalg.norm(b - a) / 2, rtol=1e-5, atol=1e-7)
        # sinew_loop_NAME
        assert first["label"].decode() == m.text(int(m.loop_textid[loop])).name.removeprefix(
            "sinew_loop_"
        )
        assert not way["label"]
    np.testing.assert_array_equal(first["rgba"], m.vis.rgba.connect)
    np.testing.assert_array_equal(second["rgba"], m.vis.rgba.constraint)


EQUALITIES = """<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/>
<body name="b" pos=".3 0 0"><joint type="ball"/><geom size=".1"/></body></body><body name="c" pos=".5 0 0"><freejoint/><geom size=".1"/></body></worldbody>
<equality><connect body1="b" body2="c" anchor=".1 0 0"/><weld body1="a"/></equality></mujoco>"""


def test_equalities_held_exactly_look_the_same():
    m = mujoco.MjModel.from_xml_string(EQUALITIES)
    rows = []
    for loops in (sinew.Loops.EXACT, sinew.Loops.SOFT):
        m.opt.loops = loops
        d = mujoco.MjData(m)
        d.qpos[0] = 0.2
        mujoco.mj_forward(m, d)
        assert (d.ne == 0) == (loops == sinew.Loops.EXACT)
        rows.append(listed(m, d, "CONSTRAINT"))
    np.testing.assert_array_equal(*rows)
    assert len(rows[0]) == 4


STACK = """<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="2 2 .1"/>
<body pos="0 0 .1"><freejoint/><geom type="box" size=".2 .1 .1" mass="3"/></body>
<body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/></body>
<body pos="1 0 .1"><freejoint/><geom size=".1" mass="1"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("contact", [sinew.ContactModel.SOFT, sinew.ContactModel.LCP])
def test_arrows_of_resting_bodies_carry_their_weight(contact):
    """Of what lies on the ground; the label of a contact is the length of its arrow, by vis.map.force."""
    m = mujoco.MjModel.from_xml_string(STACK)
    m.opt.contact = contact
    d = mujoco.MjData(m)
    for _ in range(1000):
        mujoco.mj_step(m, d)
    mujoco.mj_forward(m, d)
    rows = listed(m, d, "CONTACTFORCE", "CONTACTFORCE")
    way = (
        rows["mat"].reshape(-1, 3, 3)[:, :, 2]
        * rows["size"][:, 2:]
        * m.stat.meanmass
        / m.vis.map.force
    )
    ground = [m.geom_bodyid[d.contact.geom[i, 0]] == 0 for i in rows["objid"]]
    np.testing.assert_allclose(way[ground].sum(axis=0), [0, 0, 6 * 9.81], rtol=1e-3, atol=0.05)
    for row, force in zip(rows, way, strict=True):
        np.testing.assert_allclose(float(row["label"]), np.linalg.norm(force), rtol=6e-3)


def test_volumes_of_meshes_are_shown_though_none_is_active():
    """The peer shows those that a collision or ray has visited, unless vis.global.bvactive is off."""
    m = mujoco.MjModel.from_xml_string(
        """<mujoco><asset><mesh name="m" vertex="0 0 0  .1 0 0  0 .2 0  0 0 .3  .1 .1 .1"/></asset>
        <worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>"""
    )
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    shown = []
    for active in (0, 1):
        m.vis.global_.bvactive = active
        shown.append(listed(m, d, "MESHBVH"))
    np.testing.assert_array_equal(*shown)
    assert len(shown[0]) == 2


ISLANDS = """<mujoco><worldbody><body name="a"><freejoint/><geom size=".1"/><site name="a"/></body>
<body name="b" pos="1 0 0"><freejoint/><geom size=".1"/><site name="b"/></body>
<body name="c" pos="0 1 0"><freejoint/><geom size=".1"/></body></worldbody>
<tendon><spatial name="t"><site site="a"/><site site="b"/></spatial></tendon>
<equality><connect name="other" body1="c" anchor=".1 0 0"/><tendon tendon1="t"/></equality></mujoco>"""


def test_a_tendon_of_an_equality_shows_the_island_of_its_bodies():
    """At the peer that of the row with the number of the equality, here one of body c."""
    m = mujoco.MjModel.from_xml_string(ISLANDS)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    opt, scene = mujoco.MjvOption(), mujoco.MjvScene(m, 100)
    opt.flags[enum(FLAG, "ISLAND")] = 1
    mujoco.mjv_addGeoms(m, d, opt, mujoco.MjvPerturb(), 7, scene)
    rows = rows_of(scene)
    colours = [tuple(rows["rgba"][rows["objtype"] == 5][i]) for i in range(3)]
    (tendon,) = rows[rows["objtype"] == 18]
    assert colours[0] == colours[1] != colours[2]
    assert tuple(tendon["rgba"]) == colours[0]
