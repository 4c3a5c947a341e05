"""Contacts of flexes and their rows against the newest engine: which parts touch what, where, how they push.

With a closed form contacts are the same to rounding. The others end where the search of each engine does: distances
agree, places where they are unique.
"""

import numpy as np
import pytest

import flexes
import newest
import sinew
from sinew import control

STATES = 100
ROUND = "0.01"
pytestmark = pytest.mark.filterwarnings("ignore:.*nothing holds it together")
NO_SELF = '<contact selfcollide="none"/>'
GRIDS = {1: (5,), 2: (4, 3), 3: (3, 3, 3)}
GEOMS = {
    "plane": 'type="plane" size="1 1 1" pos="0 0 -.02"',
    "sphere": 'type="sphere" size=".1" pos=".15 .1 -.09"',
    "capsule": 'type="capsule" size=".06 .1" pos=".15 .1 -.05" euler="70 20 10"',
    "box": 'type="box" size=".08 .06 .05" pos=".15 .1 -.04" euler="20 10 5"',
    "ellipsoid": 'type="ellipsoid" size=".1 .05 .08" pos=".15 .1 -.05" euler="20 10 5"',
    "cylinder": 'type="cylinder" size=".08 .05" pos=".15 .1 -.04" euler="20 10 5"',
    "mesh": 'type="mesh" mesh="m" pos=".15 .1 -.05" euler="10 20 0"',
    "hfield": 'type="hfield" hfield="h" pos=".15 .1 -.05"',
}
ANALYTIC = [(d, g) for d in GRIDS for g in ("plane", "sphere", "capsule", "box") if (d, g) != (3, "box")]  # fmt: skip
SEARCHED = [(d, g) for d in GRIDS for g in GEOMS if (d, g) not in ANALYTIC]
HEIGHTS = " ".join(f"{x:.3f}" for x in np.random.default_rng(2).random(72))
ASSETS = f"""<asset><mesh name="m" vertex="-.1 -.1 -.05  .1 -.1 -.05  0 .1 -.05  0 0 .08  .05 .12 .03"/>
<hfield name="h" nrow="8" ncol="9" size=".4 .4 .06 .1" elevation="{HEIGHTS}"/></asset>"""
MOVERS = """<body name="b" pos=".15 .1 -.05"><freejoint/><geom type="sphere" size=".05"/>
<geom type="box" size=".05 .05 .03" pos=".1 0 0" margin=".02" gap=".01" condim="6" friction=".3 .2 .1"/>
<body name="c" pos="-.1 0 0"><joint type="hinge" axis="0 1 0"/>
<geom type="capsule" size=".03 .05" surfacevel=".1 .2 .3 1 2 3"/></body></body>
<geom type="plane" size="1 1 1" pos="0 0 -.02" priority="2" condim="1"/>"""
PARAMETERS = (
    "dim exclude includemargin friction solref solimp solreffriction adhesion surfacevel".split()
)
FIELDS = ["geom", "flex", "elem", "vert", "dist", "pos", "frame", *PARAMETERS]


class Both:
    """A model in both engines."""

    def __init__(self, text):
        self.peer = newest.load(text)
        self.peer.set(ccd_tolerance=1e-12, ccd_iterations=500, tolerance=1e-14, iterations=200)
        self.model = sinew.Model.from_xml(text)
        self.model.opt.tolerance, self.model.opt.iterations = 1e-14, 200
        self.data = sinew.Data(self.model)

    def states(self, count, size=0.03, seed=0):
        m, rng = self.model, np.random.default_rng(seed)
        moves = rng.normal(size=(count, m.nv)) * size
        places = [sinew.integratePos(m, m.qpos0, move, 1.0) for move in moves]
        return [{"qpos": q, "qvel": rng.normal(size=m.nv)} for q in places]

    def theirs(self, states, *fields):
        names = [f"contact.{name}" for name in FIELDS]
        return self.peer.run("mj_forward", states, [*names, *fields])

    def forward(self, state):
        sinew.resetData(self.model, self.data)
        for name, value in state.items():
            getattr(self.data, name)[:] = value
        sinew.forward(self.model, self.data)
        return contacts(self.data)

    def full_efc_J(self):
        columns = [sinew.mulJacVec(self.model, self.data, e) for e in np.eye(self.model.nv)]
        return np.array(columns).T


def contacts(d):
    """Fields of our contacts by the peer's names."""
    con = d.contact
    flex, part = con.geom < 0, con.part
    ours = {name: np.array(con[name]) for name in ("geom", "dist", "pos", "frame", *PARAMETERS)}
    ours["flex"] = np.where(flex, con.flex, -1)
    ours["elem"] = np.where(flex & (part >= 0), part, -1)
    ours["vert"] = np.where(flex & (part < 0), -1 - part, -1)
    return ours


def fields(found):
    return {name: np.array(getattr(found, f"contact.{name}")) for name in FIELDS}


def parts(c):
    return np.hstack([c["geom"], c["flex"], c["elem"], c["vert"]])


def in_order(c):
    """Contacts of a flex with itself by elements, the lower one first; a contact that turns has the other normal."""
    turned = (c["flex"][:, 0] == c["flex"][:, 1]) & (c["elem"][:, 0] > c["elem"][:, 1])
    c["elem"][turned] = c["elem"][turned][:, ::-1]
    c["frame"][turned, :3] *= -1
    order = np.lexsort((c["elem"][:, 1], c["elem"][:, 0]))
    return {name: values[order] for name, values in c.items()}


def assert_parameters(ours, theirs):
    np.testing.assert_array_equal(parts(ours), parts(theirs))
    for name in PARAMETERS:
        np.testing.assert_allclose(ours[name], theirs[name], atol=1e-12, err_msg=name)


def grid(dim, geom="", contact=NO_SELF, **given):
    world = f"<geom {GEOMS[geom]}/>" if geom else ""
    attributes = f'radius="{ROUND}"'
    given.setdefault("offset", (0, 0.1, 0) if dim == 1 else (0, 0, 0))
    assets = ASSETS if geom in ("mesh", "hfield") else ""
    return flexes.grid(GRIDS[dim], world=world, attributes=attributes, children=contact, rest=assets, **given)  # fmt: skip


@pytest.mark.parametrize("dim, geom", ANALYTIC)
def test_closed_forms_and_their_rows(dim, geom):
    both = Both(grid(dim, geom, option='cone="elliptic"' if dim == 2 else ""))
    states = both.states(STATES)
    seen = 0
    for state, found in zip(states, both.theirs(states, "full_efc_J", "efc_D", "efc_aref", "qacc"), strict=True):  # fmt: skip
        ours, theirs = both.forward(state), fields(found)
        assert_parameters(ours, theirs)
        for name in ("dist", "pos", "frame"):
            np.testing.assert_allclose(ours[name], theirs[name], atol=1e-10, err_msg=name)
        seen += len(ours["dist"])
        if not both.data.nefc:
            continue
        np.testing.assert_allclose(both.full_efc_J(), found.full_efc_J, atol=1e-10)
        np.testing.assert_allclose(both.data.efc_D, found.efc_D, rtol=1e-10)
        scale = np.abs(found.efc_aref).max()
        np.testing.assert_allclose(both.data.efc_aref, found.efc_aref, atol=1e-10 * scale)
        np.testing.assert_allclose(both.data.qacc, found.qacc, atol=1e-8 * scale)
    assert seen > STATES / 4


@pytest.mark.parametrize("dim, geom", SEARCHED)
def test_searched_contacts(dim, geom):
    both = Both(grid(dim, geom))
    states = both.states(STATES)
    for state, found in zip(states, both.theirs(states), strict=True):
        ours, theirs = both.forward(state), fields(found)
        assert_parameters(ours, theirs)
        np.testing.assert_allclose(ours["dist"], theirs["dist"], atol=1e-10)
        # the cores are apart, so that the nearest points are unique; the peer turns normals of cylinders
        apart = ours["dist"] > -0.9 * float(ROUND)
        np.testing.assert_allclose(ours["pos"][apart], theirs["pos"][apart], atol=1e-5)
        if geom != "cylinder":
            np.testing.assert_allclose(ours["frame"][apart], theirs["frame"][apart], atol=1e-3)


@pytest.mark.parametrize("dim", GRIDS)
@pytest.mark.parametrize("other", GRIDS)
def test_two_flexes(dim, other):
    one = flexes.part(GRIDS[dim], attributes='radius="0.01"', children=NO_SELF)
    two = flexes.part(GRIDS[other], name="o", offset=(0.03, 0.04, 0.05), attributes='radius="0.02"', children='<contact selfcollide="none" margin=".01" gap=".005" condim="4" priority="1"/>')  # fmt: skip
    both = Both(flexes.model(one, two))
    states = both.states(max(STATES // 4, 1))
    for state, found in zip(states, both.theirs(states), strict=True):
        ours, theirs = both.forward(state), fields(found)
        assert_parameters(ours, theirs)
        np.testing.assert_allclose(ours["dist"], theirs["dist"], atol=1e-10)


@pytest.mark.parametrize("dim", GRIDS)
def test_a_flex_with_itself(dim):
    for way in ("narrow", "bvh", "sap", "auto"):
        contact = f'<contact selfcollide="{way}" margin=".05" gap=".02"/>'  # which it does not mind
        both = Both(flexes.grid({1: (20,), 2: (5, 4), 3: (3, 3, 3)}[dim], attributes='radius="0.01"', children=contact))  # fmt: skip
        states = both.states(5, size=0.06)
        seen = 0
        for state, found in zip(states, both.theirs(states), strict=True):
            ours, theirs = both.forward(state), in_order(fields(found))
            np.testing.assert_array_equal(ours["elem"], in_order(dict(ours))["elem"])
            assert_parameters(ours, theirs)
            seen += len(ours["dist"])
            np.testing.assert_allclose(ours["dist"], theirs["dist"], atol=1e-10)
        assert seen


def test_all_in_their_order():
    """Geoms of several bodies, pins, vertices of bodies that collide, margins, gaps, priorities, moving surfaces."""
    contact = '<contact selfcollide="none" margin=".01" gap=".005" condim="4" solref=".03 1.2" solmix="3" friction=".7 .1 .01"/>'
    for option in ("", 'cone="elliptic"', 'jacobian="sparse"'):
        both = Both(flexes.grid((4, 3), world=MOVERS, option=option, attributes='radius="0.01"', children=contact, pinned=(0, 5), bodies={7: "c", 3: "b", 9: "world"}))  # fmt: skip
        states = both.states(6)
        for state, found in zip(states, both.theirs(states, "full_efc_J", "efc_D", "qacc"), strict=True):  # fmt: skip
            ours, theirs = both.forward(state), fields(found)
            assert_parameters(ours, theirs)
            np.testing.assert_allclose(ours["dist"], theirs["dist"], atol=1e-9)
            np.testing.assert_allclose(both.full_efc_J(), found.full_efc_J, atol=1e-8)
            np.testing.assert_allclose(both.data.efc_D, found.efc_D, rtol=1e-8)
            np.testing.assert_allclose(both.data.qacc, found.qacc, atol=1e-6 * np.abs(found.qacc).max())  # fmt: skip


BOX = """<body name="p" pos="0.1 .1 -.045"><freejoint/><geom name="g" type="box" size=".12 .12 .04"/>
<site name="s" type="box" size=".2 .2 .2"/></body>"""
SENSORS = """<sensor><touch site="s"/><touch site="s0"/><touch site="s4"/><touch site="s8"/>
<contact geom1="g" num="3" data="found force dist pos normal"/>
<contact num="2" data="found dist linvel" reduce="mindist"/>
<contact num="2" data="found force torque dist pos normal tangent linvel angvel" reduce="maxforce"/>
<contact body1="f4" num="2" data="found dist"/><contact body1="f4" body2="p" num="2" data="found dist normal linvel"/>
<contact body1="p" body2="f4" num="2" data="found dist normal linvel angvel"/>
<contact subtree1="p" num="1" data="found force pos" reduce="netforce"/></sensor>
<actuator><adhesion body="p" ctrlrange="0 1" gain="3"/></actuator>"""


def on_a_box(rest="", contact=NO_SELF, box=BOX):
    part = flexes.part((3, 3), attributes='radius="0.01"', offset=(0, 0, 0.004), children=contact)
    for i in (0, 4, 8):
        part.bodies = part.bodies.replace(
            f'<body name="f{i}" ', f'<body name="f{i}" childclass="c{i}" '
        )
        head, tail = part.bodies.split(f'childclass="c{i}" ')
        place, tail = tail.split(">", 1)
        part.bodies = f'{head}{place}><site name="s{i}" type="sphere" size=".5"/>{tail}'
    return flexes.model(part, world=box, rest=rest)


def test_sensors_and_adhesion():
    """Touch and contact sensors see a side of an element as its first corner; pulls of bodies leave flexes out."""
    both = Both(on_a_box(SENSORS))
    states = [state | {"ctrl": [0.5]} for state in both.states(10, size=0.004)]
    for state, found in zip(states, both.theirs(states, "sensordata", "qacc"), strict=True):
        both.forward(state)
        np.testing.assert_allclose(both.data.sensordata, found.sensordata, atol=1e-7)
        np.testing.assert_allclose(both.data.qacc, found.qacc, atol=1e-6 * np.abs(found.qacc).max())


def test_adhesive_geoms():
    sphere = '<body pos="0.1 .1 -.065"><freejoint/><geom type="sphere" size=".06" adhesion="3" margin=".005" gap=".02" surfacevel=".3 .1 .2 1 2 3"/></body>'
    part = flexes.part((3, 3), attributes='radius="0.01"', offset=(0, 0, 0.004), children='<contact selfcollide="none" condim="4"/>')  # fmt: skip
    for option in ("", 'cone="elliptic"'):
        both = Both(flexes.model(part, world=sphere, option=option))
        states = both.states(10, size=0.004)
        for state, found in zip(states, both.theirs(states, "qfrc_passive", "qacc"), strict=True):
            assert_parameters(both.forward(state), fields(found))
            np.testing.assert_allclose(both.data.qfrc_passive, found.qfrc_passive, atol=1e-12)
            np.testing.assert_allclose(both.data.qacc, found.qacc, atol=1e-6 * np.abs(found.qacc).max())  # fmt: skip


def test_action_and_reaction():
    """Contacts give all bodies together neither force nor torque, and cfrc_ext has what they do to each.

    Without friction: it would act beside the vertices, which cannot take a torque.
    """
    smooth = BOX.replace('type="box" size=".12 .12 .04"', 'condim="1" type="sphere" size=".052"')
    both = Both(on_a_box(contact='<contact selfcollide="none" condim="1"/>', box=smooth))
    m, d = both.model, both.data
    for state in both.states(10, size=0.004):
        both.forward(state)
        assert d.ncon
        sinew.rnePostConstraint(m, d)
        force, torque = d.qfrc_constraint[:3].copy(), np.zeros(3)
        turn = d.xmat[1].reshape(3, 3)
        torque += turn @ d.qfrc_constraint[3:6] + np.cross(d.xpos[1], force)
        for body in range(2, m.nbody):
            f = d.qfrc_constraint[m.body_dofadr[body] :][:3]
            np.testing.assert_allclose(d.cfrc_ext[body, 3:], f, atol=1e-10)
            force += f
            torque += np.cross(d.xpos[body], f)
        np.testing.assert_allclose(force, 0, atol=1e-10)
        np.testing.assert_allclose(torque, 0, atol=1e-10)
        np.testing.assert_allclose(d.cfrc_ext[1, 3:], d.qfrc_constraint[:3], atol=1e-10)


def test_rigid_flexes_keep_fifty():
    """Spread over all that there are; soft ones keep all."""
    sheet = flexes.points((9, 9), 0.05)
    element = " ".join(map(str, flexes.elements((9, 9)).ravel()))
    vertex = " ".join(map(str, sheet.ravel()))
    for world in (
        '<geom type="plane" size="1 1 1"/>',
        '<geom type="box" size="1 1 1" pos="0 0 -1"/>',
    ):
        body = '<body name="r" pos="0 0 .005"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>'
        flex = (
            f'<flex name="r" dim="2" radius="0.01" body="r" vertex="{vertex}" element="{element}"/>'
        )
        both = Both(f"<mujoco><worldbody>{world}{body}</worldbody><deformable>{flex}</deformable></mujoco>")  # fmt: skip
        ours = both.forward({})
        assert len(ours["dist"]) == 50
        assert np.ptp(ours["pos"][:, :2], axis=0).min() > 0.39


def test_no_contact_is_lost_when_elements_are_renumbered():
    part = flexes.part((5, 4), attributes='radius="0.01"', children=NO_SELF)
    triangles = part.flex.split('element="')[1].split('"')[0]
    rows = np.array(triangles.split(), int).reshape(-1, 3)
    world = f"<geom {GEOMS['box']}/><geom {GEOMS['cylinder']}/>"
    found = []
    for order in (np.arange(len(rows)), np.random.default_rng(0).permutation(len(rows))):
        text = part.flex.replace(triangles, " ".join(map(str, rows[order].ravel())))
        both = Both(flexes.model(type(part)(bodies=part.bodies, flex=text), world=world))
        contacts_of = both.forward(both.states(1)[0])
        keys = np.hstack([contacts_of["pos"], contacts_of["dist"][:, None]])
        found.append(keys[np.lexsort(keys.T.round(9))])
    np.testing.assert_allclose(*found, atol=1e-9)
    assert len(found[0]) > 10


def test_margins_of_before():
    """As 3.3.7 has them: the larger margin and gap, which begins within the margin."""
    mujoco = pytest.importorskip("mujoco")
    text = flexes.grid((4, 3), world='<geom type="plane" size="1 1 1" pos="0 0 -.03" margin=".01" gap=".008"/>', attributes='radius="0.01"', children='<contact selfcollide="none" margin=".02" gap=".004"/>')  # fmt: skip
    peer = mujoco.MjModel.from_xml_string(text)
    theirs, model = mujoco.MjData(peer), sinew.Model.from_xml(text, physics="3.3.7")
    ours = sinew.Data(model)
    for move in np.random.default_rng(0).normal(size=(10, model.nv)) * 0.01:
        theirs.qpos[:] = ours.qpos[:] = move
        mujoco.mj_forward(peer, theirs)
        sinew.forward(model, ours)
        for name in ("dist", "includemargin", "exclude", "pos"):
            np.testing.assert_allclose(
                ours.contact[name], getattr(theirs.contact, name), atol=1e-12
            )
        assert ours.nefc == theirs.nefc
    assert 0 < ours.nefc


def test_what_does_not_know_them():
    cloth = flexes.grid((3, 3), world='<geom type="plane" size="1 1 1"/>')
    with pytest.raises(sinew.ModelError, match="rigid contact"):
        sinew.Model.from_xml(cloth.replace("</mujoco>", '<custom><text name="sinew_contact" data="lcp"/></custom></mujoco>'))  # fmt: skip
    model = sinew.Model.from_xml(cloth)
    data = sinew.Data(model)
    sinew.forward(model, data)
    with pytest.raises(sinew.NotSupportedError, match="contacts of flexes"):
        sinew.transitionDerivative(model, data)
    with pytest.raises(sinew.NotSupportedError, match="flex 'f'"):
        control.Controller(model)


def test_no_room():
    """What fits stays, the rest is counted."""
    model = sinew.Model.from_xml(flexes.grid((9, 9), world='<geom type="plane" size="1 1 1"/>', rest='<size memory="30K"/>'))  # fmt: skip
    data = sinew.Data(model)
    with pytest.warns(sinew.SimulationWarning):
        sinew.forward(model, data)
    assert 0 < data.ncon < 81
