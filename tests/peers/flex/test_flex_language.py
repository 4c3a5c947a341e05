"""The language of <flex> and of its equality against the peers: what is read and refused, names that follow copies of
bodies, what is written."""

import re
import warnings

import mujoco
import numpy as np
import pytest

import flexes
import newest
import sinew
from sinew import _core

POINTS = ("0 0 1", "1 0 1", "0 1 1", "0 0 2", "1 1 1", "1 1 2")
SLIDES = "".join(f'<joint type="slide" axis="{a}"/>' for a in ("1 0 0", "0 1 0", "0 0 1"))
BODIES = [
    f'<body name="{n}" pos="{p}">{SLIDES}<geom size=".01" mass="1" contype="0"/></body>'
    for n, p in zip("abcdef", POINTS, strict=True)
]
HELD = flexes.held("f")
LOOKS = '<asset><material name="m"/><material name="n"/></asset>'


def flex(names, dim, element, attributes="", children="", name="f"):
    return (
        f'<flex name="{name}" dim="{dim}" body="{" ".join(names)}" element="{element}" {attributes}>'
        f"{children}</flex>"
    )


def string(*given):
    return flex("abc", 1, "0 1 1 2", *given)


def sheet(*given):
    return flex("abcd", 2, "0 1 2 1 3 2", *given)


def block(*given):
    return flex("abcde", 3, "0 1 2 3 4 2 1 3", *given)


def model(inside, rest=HELD, world="".join(BODIES), top=""):
    return f"<mujoco>{top}<worldbody>{world}</worldbody><deformable>{inside}</deformable>{rest}</mujoco>"


# Read by all.
READ = {
    "string": string('radius=".2"', '<edge damping="2"/><contact condim="1" margin=".1" gap=".05"/>'),
    "sheet": sheet('group="-1" rgba="1 0 0 2" flatskin="true"', '<contact selfcollide="bvh" priority="-3"/>'),
    "block": block('radius="0"', '<contact activelayers="2" solref=".01" solimp=".8" friction=".3"/>'),
    "points": sheet('vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1"'),
    "unused vertex": flex("abcdef", 2, "0 1 2"),
    "elements twice": flex("abc", 2, "0 1 2 0 1 2"),
    "many at an edge": flex("abcde", 2, "0 1 2 0 1 3 0 1 4"),
    "apart": flex("abcdef", 2, "0 1 2 3 4 5"),
    "with the world": flex(["a", "b", "world"], 2, "0 1 2"),
    "texture": sheet('texcoord="0 0 1 0 0 1 1 1"'),
    "texture of corners": sheet('texcoord="0 0 1 0 0 1" elemtexcoord="0 1 2 2 1 0"'),
    "texture of turned ones": block('texcoord="0 0 1 0 0 1 1 1" elemtexcoord="0 1 2 3 3 2 1 0"'),
    "material": sheet('material="n" texcoord="0 0 1 0 0 1 1 1"'),
    "bits": block("", '<contact contype="2" conaffinity="4" solmix="2"/>'),
    "none of elasticity": string("", '<elasticity young="0" poisson=".9" damping="1" thickness="3"/>'),
}  # fmt: skip
# Read by the newest alone.
READ_LATER = {
    "materials": sheet('material="n m"'),
    "defaults": block('dof="full" node=""', '<contact passive="false"/><elasticity shear="0" yield="0" section="circle" sectionsize="0 0"/>'),
}  # fmt: skip
# Of one body.
RIGID = {
    "rigid": flex("a", 2, "0 1 2", 'vertex="0 0 0 1 0 0 0 1 0"'),
    "on the world": flex(["world"], 3, "0 1 2 3", 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"'),
    "one place": flex("aaa", 2, "0 1 2"),
}
FIELDS = """contype conaffinity condim priority solmix solref solimp friction margin gap selfcollide activelayers dim group
vertadr vertnum edgenum elemnum shellnum texcoordadr radius damping edgestiffness edgedamping edgeequality rigid centered
flatskin rgba vertbodyid vert edge elem elemtexcoord elemlayer matid shell texcoord""".split()


def load(text, physics="4.0", assets=None):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sinew.ModelWarning)
        return sinew.Model.from_xml(text, assets, physics=physics)


def compare(ours, theirs):
    for name in [f"flex_{field}" for field in FIELDS] + ["eq_obj1id", "body_parentid"]:
        mine, other = np.asarray(getattr(ours, name)), np.asarray(getattr(theirs, name))
        np.testing.assert_array_equal(mine.ravel(), other.ravel(), err_msg=name)


@pytest.mark.parametrize("case", READ | READ_LATER | RIGID)
def test_what_is_read_means_the_same(case):
    rest = "" if case in RIGID else HELD
    text = model((READ | READ_LATER | RIGID)[case], rest, top=LOOKS)
    theirs = newest.load(text).get()
    for physics in ("3.3.7", "4.0"):
        compare(load(text, physics), theirs)
    if case not in READ_LATER:
        assert mujoco.MjModel.from_xml_string(text).nflex == 1


# Text, what ours says of it; the older peer ends its process at some of these.
REFUSED = {
    "dim": (flex("abc", 4, "0 1 2"), "dim is 4"),
    "no body": (flex("", 2, "0 1 2"), "names no body"),
    "unknown body": (flex("abz", 2, "0 1 2"), "'z'|\"z\""),
    "no element": (flex("abc", 2, ""), "'element' is empty"),
    "odd element": (flex("abc", 2, "0 1 2 0"), "must have 3"),
    "vertex that is not there": (flex("abc", 2, "0 1 3"), "vertex 3 is not there"),
    "vertex twice": (flex("abc", 2, "0 1 1"), "stands twice"),
    "no vertices": (flex("a", 2, "0 0 0"), "needs 3"),
    "odd vertex": (flex("abc", 2, "0 1 2", 'vertex="1 2"'), "three a vertex"),
    "bodies": (flex("ab", 2, "0 1 2", 'vertex="0 0 0 1 0 0 0 1 0"'), "2 bodies for 3"),
    "texture": (sheet('texcoord="0 0 1 0"'), "two each"),
    "odd texture": (sheet('texcoord="0 0 1"'), "even count"),
    "material": (sheet('material="z"'), "'z'|\"z\""),
    "edges": (sheet("", '<edge stiffness="1"/>'), "for dim 1 alone"),
    "poisson": (block("", '<elasticity young="1" poisson=".5"/>'), "below 0.5"),
    "no thickness": (sheet("", '<elasticity young="1" elastic2d="bend"/>'), "needs a thickness"),
    "equality of none": (sheet(), "'g'|\"g\""),
    "one name": (sheet() + sheet(), "has this name already"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    inside, words = REFUSED[case]
    text = model(inside, flexes.held("g") if "equality" in case else HELD, top=LOOKS)
    with pytest.raises((ValueError, newest.Crashed)):
        newest.load(text)
    for physics in ("3.3.7", "4.0"):
        with pytest.raises(sinew.ModelError, match=words):
            load(text, physics)


# What the newest refuses and 3.3.7 passes over, with a warning here; and the other way round.
DOUBTED = {
    "internal": (sheet("", '<contact internal="true" vertcollide="true"/>'), "of 3.3.7 alone"),
    "elastic2d": (block("", '<elasticity elastic2d="both"/>'), "where dim is 3"),
    "nothing elastic": (sheet("", '<elasticity elastic2d="both"/>'), "without 'young'"),
    "no thickness": (sheet("", '<elasticity young="1" thickness="0" elastic2d="stretch"/>'), "thickness is 0"),
    "elemtexcoord": (sheet('elemtexcoord="0 1 2 0 1 2"'), "without 'texcoord'"),
    "radius": (sheet('radius="0"'), "radius is 0"),
    "young": (block("", '<elasticity young="-1"/>'), "there is no elasticity below 0"),
}  # fmt: skip


@pytest.mark.parametrize("case", DOUBTED)
@pytest.mark.parametrize("physics", ["3.3.7", "4.0"])
def test_what_is_doubtful_goes_on(case, physics):
    inside, words = DOUBTED[case]
    text = model(inside)
    assert mujoco.MjModel.from_xml_string(text).nflex == 1
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert sinew.Model.from_xml(text, physics=physics).nflex == 1
    assert any(re.search(words, str(w.message)) for w in told), told
    with pytest.raises(sinew.ModelError, match=words):
        sinew.Model.from_xml(text, physics=physics, strict=True)


TWO = "".join(BODIES[:2])
REPLICATED = {
    "all of a flex": (BODIES[0] + TWO[len(BODIES[0]) :] + BODIES[2] + BODIES[3], sheet(), HELD),
    "beside another": ("".join(BODIES[:4]), RIGID["rigid"].replace('"f"', '"g"').replace('"a"', '"e"') + sheet(), HELD),
    "of one body": (BODIES[0], RIGID["rigid"], ""),
    "with the world": (TWO, READ["with the world"], HELD),
    "that names copies": (BODIES[0], flex(["a0", "a1", "world"], 2, "0 1 2"), HELD),
    "with materials": ("".join(BODIES[:4]), sheet('material="m n"'), ""),
}  # fmt: skip


@pytest.mark.parametrize("case", REPLICATED)
def test_replicas_have_flexes_of_their_own(case):
    """FLEX_COPIES."""
    bodies, inside, rest = REPLICATED[case]
    world = f'<replicate count="2" offset="0 0 3">{bodies}</replicate>{BODIES[4]}'
    text = model(inside, rest, world, LOOKS)
    theirs = newest.load(text)
    ours = load(text)
    compare(ours, theirs.get())


ATTACHED = {
    "world": ("".join(BODIES), "", sheet('material="m n"') + RIGID["rigid"].replace('"f"', '"g"', 1)),
    "body": (f'<body name="top">{"".join(BODIES[:4])}</body>{BODIES[4]}', 'body="top"', sheet()),
    "body without one": (f'<body name="top">{TWO}</body>{BODIES[2]}{BODIES[3]}', 'body="top"', sheet()),
    "body with the world": (f'<body name="top">{TWO}</body>', 'body="top"', READ["with the world"]),
}  # fmt: skip


@pytest.mark.parametrize("case", ATTACHED)
def test_attached_bodies_bring_their_flexes(case):
    world, what, inside = ATTACHED[case]
    child = model(inside, HELD, world, LOOKS)
    text = f"""<mujoco><asset><model name="child" file="c.xml"/></asset><worldbody><body name="p"/>
    <attach model="child" {what} prefix="x/"/></worldbody></mujoco>"""
    theirs = newest.load(text, {"c.xml": child.encode()})
    for physics in ("3.3.7", "4.0"):
        compare(load(text, physics, {"c.xml": child}), theirs.get())


def test_a_triangle_that_stands_twice_has_no_hinge():
    """Nor has it a neighbour in itself: the metric of `discrete` is finite."""
    soft = '<elasticity young="1e3" thickness=".1" elastic2d="both"/>'
    text = model(flex("abc", 2, "0 1 2 2 0 1", "", soft), "", top='<option integrator="discrete"/>')
    m = load(text)
    d = sinew.Data(m)
    for _ in range(5):
        sinew.step(m, d)
    assert np.isfinite(d.qpos).all() and abs(d.qpos).max() < 1


# ---- what is written


def forms(spec):
    """Texts of a spec: as `sinew convert` writes it, and with default classes as the interface of the peer does."""
    for settings in ({}, {"savecompiled": False}, {"savecompiled": False, "savecanonical": False}):
        for name, value in settings.items():
            setattr(spec.section("compiler"), name, value)
        yield spec.to_xml()
        yield _core.specWrite(spec._handle, True, ".")


def flexcomp(attributes, children="", around="{}"):
    classes = (
        '<default><joint armature="2"/><default class="c"><joint armature="3"/></default></default>'
    )
    comp = f'<flexcomp name="f" spacing=".1 .1 .1" radius=".01" {attributes}>{children}</flexcomp>'
    return f"<mujoco>{classes}{LOOKS}<worldbody>{around.format(comp)}</worldbody></mujoco>"


BODY = '<body name="b" childclass="c">{}</body>'
EDGES = '<edge equality="true" damping="1"/>'
WRITTEN = {
    "soft": flexes.grid((3, 4), children=flexes.SHEET),
    "grid": flexcomp('type="grid" dim="2" count="3 4 1"', EDGES),
    "replicated": flexcomp('type="grid" dim="2" count="3 4 1"', EDGES, f'<replicate count="2" offset="0 0 2">{BODY}</replicate>'),
    "box in frames": flexcomp('type="box" dim="3" count="3 3 3"', flexes.SOFT, f'<frame euler="0 90 0">{BODY}</frame>'),
    "pinned disc": flexcomp('type="disc" dim="2" count="4 4 1" material="m" euler="30 0 20"', '<pin range="0 2"/>' + EDGES, BODY),
    "radial": flexcomp('type="ellipsoid" dim="3" count="4 4 4" dof="radial" flatskin="true"', EDGES, BODY),
    "rigid grid": flexcomp('type="grid" dim="3" count="3 3 3" rigid="true"'),
}  # fmt: skip


@pytest.mark.parametrize("case", READ | READ_LATER | RIGID | WRITTEN)
def test_written_models_are_the_same(case):
    inside = (READ | READ_LATER | RIGID).get(case)
    rest = '<default><equality solref=".3"/></default>' + (HELD if case not in RIGID else "")
    text = model(inside, rest, top=LOOKS) if inside else WRITTEN[case]
    wanted = sinew.Spec.from_xml(text, physics="4.0").compile()
    for written in forms(sinew.Spec.from_xml(text, physics="4.0")):
        again = load(written)
        for name in (n for n in dir(wanted) if n.startswith(("flex", "eq_", "nflex", "body_"))):
            one, other = getattr(wanted, name), getattr(again, name)
            if isinstance(one, np.ndarray | int):
                np.testing.assert_array_equal(other, one, err_msg=name)
        compare(again, newest.load(written).get())
        twice = sinew.Spec.from_xml(written).to_xml()
        assert sinew.Spec.from_xml(twice).to_xml() == twice


def stiffness(load, counts, poisson):
    """Of stretching, 21 numbers an element, and of bending, 17 an edge; thickness 1, Young's modulus 1."""
    children = f'<elasticity young="1" poisson="{poisson}" thickness="1" elastic2d="{"both" if len(counts) == 2 else "none"}"/>'
    m = load(flexes.grid(counts, children=children))
    stretch = np.asarray(m.flex_stiffness).reshape(m.flex_elemnum[0], -1)[:, :21]
    bend = np.asarray(m.flex_bending).reshape(m.flex_edgenum[0], -1) if len(counts) == 2 else None
    return stretch, bend


@pytest.mark.parametrize("counts", [(2, 3), (2, 2, 2)])
def test_the_elasticity_of_337_is_another(counts):
    """FLEX_ELASTICITY: solids have twice lambda there, sheets a quarter of mu, half of the lambda of solids and
    3/4 (1 - nu) of the bending: why flexes
    mean 4.0.1 under either physics. The stiffness is mu A + lambda B, with that of plane stress in sheets."""
    sheet, nu = len(counts) == 2, 0.3
    mu, full, plane = 0.5 / (1 + nu), nu / (1 + nu) / (1 - 2 * nu), nu / (1 - nu**2)
    newer = [stiffness(lambda text: newest.load(text).get(), counts, p) for p in (0, nu)]
    older = [stiffness(mujoco.MjModel.from_xml_string, counts, p) for p in (0, nu)]
    of_mu = newer[0][0] / 0.5  # where lambda is 0
    of_lambda = (newer[1][0] - mu * of_mu) / (plane if sheet else full)
    a, b = (mu / 4, full / 2) if sheet else (mu, 2 * full)
    wrong = a * of_mu + b * of_lambda
    np.testing.assert_allclose(older[1][0], wrong, atol=1e-12)
    assert abs(older[1][0] - newer[1][0]).max() > 0.1
    if sheet:
        np.testing.assert_allclose(older[1][1], 0.75 * (1 - nu) * newer[1][1], atol=1e-12)
        assert abs(newer[1][1]).max() > 0.05
