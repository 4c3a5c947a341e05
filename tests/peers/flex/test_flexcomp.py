"""What a flexcomp becomes, against the newest engine: bodies, joints, flex, equality, for every type, dim, dof and pin."""

import math
import re

import numpy as np
import pytest

import flexes
import gmsh_files
import newest
import sinew

pytestmark = pytest.mark.filterwarnings(
    "ignore::sinew.ModelWarning"
)  # most have nothing that holds them together

MODEL = """<mujoco><asset><texture name="t" type="2d" builtin="flat" width="8" height="8"/><material name="paint" texture="t"/>
{assets}</asset>{rest}<worldbody><body name="base" pos="1 2 3"><geom size=".1" contype="0" conaffinity="0"/>{inside}</body>
</worldbody></mujoco>"""
FIELDS = """body_parentid body_pos body_quat body_mass body_inertia body_ipos body_iquat jnt_type jnt_bodyid jnt_pos jnt_axis
flex_dim flex_radius flex_group flex_flatskin flex_rgba flex_matid flex_contype flex_selfcollide flex_edgestiffness
flex_edgedamping flex_rigid flex_centered flex_edgeequality flex_vertbodyid flex_vert flex_elem flex_elemtexcoord
flex_texcoord flex_texcoordadr eq_type eq_obj1id eq_active0 eq_solref eq_solimp dof_damping dof_armature""".split()

OBJ = b"""o one
v 0 0 0
v 1 0 0
v 1 1 0.1234567890123
v 0 1 0
v 0.5 0.5 1
v 9 9 9
v 1 0 0
vt 0 0
vt 1 0
vt 1 1
vt 0 1
vt .5 .5
f 1/1 2/2 3/3 4/4
f 7/2 3/3 5/5
f 1/1 7/3 5/5
"""
SOLID = b"v 0 0 0\nv 1 0 0.1\nv 0 1 0\nv 0 0 1\nv 0.2 0.2 0.2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
BARE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 1\nvt .5 0\nf 1/1 2/2 3/3\nf 1 2 4\n"
POINTS = [(0, 0, 0), (1.1, 0, 0), (0, 1.123456789, 0), (0, 0, 1)]
TETRAHEDRA = {"tetrahedra": [(0, 1, 2, 3)]}


def stl(data):
    """The triangles of an OBJ text as binary STL, which shares no vertices."""
    vert = [list(map(float, v.split())) for v in re.findall(rb"v (.*)", data)]
    faces = [[int(i.split(b"/")[0]) - 1 for i in f.split()] for f in re.findall(rb"f (.*)", data)]
    triangles = np.zeros(len(faces), [("n", "<3f4"), ("v", "<9f4"), ("x", "<u2")])
    triangles["v"] = [np.ravel([vert[i] for i in face]) for face in faces]
    return bytes(80) + np.uint32(len(faces)).tobytes() + triangles.tobytes()


FILES = {"a.obj": OBJ, "solid.obj": SOLID, "bare.obj": BARE, "solid.stl": stl(SOLID)}


def text(flexcomp, inner="", assets="", rest=""):
    inside = f'<flexcomp name="soft" {flexcomp}>{inner}</flexcomp>'
    return MODEL.format(inside=inside, assets=assets, rest=rest)


def names(model, kind):
    raw = (
        bytes(model.names) if isinstance(model.names, bytes) else np.asarray(model.names).tobytes()
    )
    return [raw[at : raw.index(b"\0", at)].decode() for at in getattr(model, f"name_{kind}adr")]


def compare(source, files=None, atol=1e-14):
    ours = sinew.Model.from_xml(source, assets=files or {})
    theirs = newest.load(source, files or {}).get()
    bodies = names(ours, "body"), names(theirs, "body")
    assert bodies[0] == bodies[1]
    assert names(ours, "flex") == names(theirs, "flex")
    for field in FIELDS:
        mine, peers = np.asarray(getattr(ours, field)), np.asarray(getattr(theirs, field))
        if field == "flex_matid":  # one a flex there, one an element here
            mine, peers = mine[:1], peers[:1]
        assert mine.size == peers.size, field
        mine = mine.reshape(peers.shape)
        if peers.dtype.kind == "f":
            np.testing.assert_allclose(mine, peers, rtol=1e-13, atol=atol, err_msg=field)
        else:
            np.testing.assert_array_equal(mine, peers, err_msg=field)
    return ours


GRIDS = [
    'type="grid" dim="1" count="5 1 1"',
    'dim="1" count="4 3 2"',
    'type="grid" dim="2" count="4 3 1"',
    'type="grid" dim="3" count="3 4 5"',
    'type="square" count="5 4 1"',
    'type="square" dim="3" count="3 3 1"',
    'type="disc" count="4 4 1"',
    'type="disc" dim="1" count="3 5 1"',
    'type="circle" dim="1" count="7 1 1"',
    *(
        f'type="{t}" dim="{d}" count="4 3 5"'
        for t in ("box", "cylinder", "ellipsoid")
        for d in (2, 3)
    ),
    'type="box" count="2 2 2"',
    'type="ellipsoid" dim="3" count="3 3 3"',
]


@pytest.mark.parametrize("kind", GRIDS)
def test_types(kind):
    compare(text(kind + ' spacing=".13 .27 .31"'))
    compare(
        text(
            kind
            + ' spacing=".13 .27 .31" material="paint" pos=".1 -.2 .3" euler="10 20 30" scale="2 2 2"'
        )
    )


@pytest.mark.parametrize("dof", ["full", "radial", "2d"])
@pytest.mark.parametrize("kind", GRIDS[2:4] + GRIDS[9:11])
def test_dofs(kind, dof):
    compare(
        text(
            f'{kind} dof="{dof}" spacing=".13 .27 .31" pos=".5 .4 .3" zaxis="1 1 0" mass="3" inertiabox=".0371"'
        )
    )


PINS = {
    "id": '<pin id="0 3 3"/>',
    "twice": '<pin id="2"/><pin id="2 5"/>',
    "range": '<pin range="1 3 5 5"/>',
    "backwards": '<pin range="3 1"/>',
    "grid": '<pin grid="0 1 2 2"/>',
    "gridrange": '<pin gridrange="0 0 1 1"/>',
    "all": '<pin range="0 11"/><edge equality="true"/>',
    "mixed": '<pin id="0" range="4 5"/><pin grid="3 2"/><edge equality="true"/>',
    "none": "<pin/>",
}


@pytest.mark.parametrize("pin", PINS)
def test_pins(pin):
    compare(text('dim="2" count="4 3 1" pos=".1 .2 .3"', PINS[pin]))


def test_pins_in_space():
    compare(text('dim="3" count="3 2 4"', '<pin gridrange="0 0 1 1 1 2" grid="2 1 3"/>'))
    compare(text('type="box" dim="3" count="3 3 3" dof="radial"', '<pin id="4 5"/>'))
    compare(
        text(
            'type="circle" dim="1" count="6 1 1"',
            '<pin id="0"/><edge equality="true" solref=".1 1"/>',
        )
    )


def test_rigid():
    compare(text('count="3 3 1" rigid="true" pos="1 1 1"', '<edge equality="true"/>'))
    compare(text('type="mesh" file="solid.obj" rigid="true"'), FILES)


def test_what_is_passed_on():
    given = 'dim="2" count="3 3 1" radius=".004" group="3" rgba=".1 .2 .3 .4" flatskin="true" material="paint"'
    inner = """<contact contype="3" conaffinity="2" condim="1" selfcollide="none" margin=".01"/>
    <edge equality="true" solref=".03 .9" solimp=".8 .9 .01"/>"""
    model = compare(text(given, inner))
    assert model.flex_contype[0] == 3 and model.flex_margin[0] == 0.01
    model = compare(text('dim="1" count="4 1 1"', '<edge stiffness="5" damping="2"/>'))
    assert model.flex_edgestiffness[0] == 5 and model.flex_edgedamping[0] == 2
    compare(text('dim="3" count="2 2 2" flatskin="false"', "<contact/><edge/><elasticity/>"))


@pytest.mark.parametrize(
    "dim, element", [(1, "0 1 2 3 1 4"), (2, "0 1 2 0 2 4"), (3, "0 1 2 4 0 2 3 4")]
)
def test_direct(dim, element):
    points = "0 0 0 1 0 0 1 1 0 0 1 0.3 0.2 0.1 1"
    given = f'type="direct" dim="{dim}" point="{points}" element="{element}" scale="2 3 4" pos="1 0 0" euler="0 0 90"'
    compare(text(given))
    compare(text(given + ' texcoord="0 0 1 0 1 1 0 1 .5 .5"'))
    compare(text(given + ' dof="radial"'))


def test_points_of_no_element_are_dropped():
    given = """type="direct" point="9 9 9 0 0 0 1 0 0 7 7 7 0 1 0" element="1 2 4" texcoord="9 9 0 0 1 1 8 8 2 2" """
    compare(text(given, '<pin id="0 2"/>'))
    compare(text(given + ' dof="radial" pos="1 1 1"'))


@pytest.mark.parametrize("file", FILES)
def test_meshes(file):
    compare(text(f'type="mesh" file="{file}"'), FILES)
    compare(
        text(
            f'type="gmsh" file="{file}" scale="2 3 4" pos="1 0 0" euler="0 0 90" material="paint"'
        ),
        FILES,
    )


def test_lines_of_meshes():
    lines = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.5\nv 1 1 0\nv 5 5 5\nl 1 2 3\nl -2/1 4\n"
    compare(text('type="mesh" file="l.obj" dim="1" scale="2 1 1"'), {"l.obj": lines})
    with pytest.raises(Exception, match="vertex 7, the file has 6"):
        sinew.Model.from_xml(
            text('type="mesh" file="l.obj" dim="1"'),
            assets={"l.obj": lines.replace(b" 4\n", b" 7\n")},
        )
    with pytest.raises(Exception, match="has no lines"):
        sinew.Model.from_xml(text('type="mesh" file="solid.obj" dim="1"'), assets=FILES)


def test_solids_of_surfaces():
    compare(text('type="mesh" file="solid.obj" dim="3" origin=".2 .2 .2"'), FILES)
    compare(
        text('type="mesh" file="solid.obj" dim="3" origin=".2 .2 .2" scale="2 3 4" pos="1 1 1"'),
        FILES,
    )
    compare(text('type="mesh" file="solid.obj" dim="3" origin="0 0 0"'), FILES)
    compare(text('type="mesh" file="a.obj" dim="3" origin=".5 .5 .1"'), FILES)
    compare(
        text('type="mesh" file="solid.stl" dim="3" origin=".2 .2 .2" pos="1 1 1" dof="radial"'),
        FILES,
    )


ASSETS = """<mesh name="placed" file="a.obj" scale="2 3 4" refpos="1 0 0" refquat=".7 .7 .1 0"/>
<mesh name="mirrored" file="solid.obj" scale="-1 1 1"/><mesh file="solid.stl"/>
<mesh name="inline" vertex="0 0 0 1 0 0 0 1 0 0 0 1.5" face="0 2 1 0 1 3 1 2 3 0 3 2"/>"""
OF_ASSETS = [
    'mesh="placed"',
    'type="mesh" mesh="placed" pos="0 0 1" euler="0 0 90" scale="2 2 2"',
    'mesh="mirrored"',
    'mesh="solid"',
    'mesh="inline"',
    'type="gmsh" mesh="inline"',
    'mesh="inline" dim="3" origin=".1 .1 .1"',
]


@pytest.mark.parametrize("given", OF_ASSETS)
def test_meshes_of_assets(given):
    compare(
        text(given, assets=ASSETS), FILES, atol=3e-7
    )  # the peer comes back from its frame of inertia as floats


@pytest.mark.parametrize("kind", ["grid", "box", "cylinder", "ellipsoid", "square", "disc"])
def test_built_in_meshes_of_assets(kind):
    assets = '<mesh name="m" builtin="{}" params="{}" scale="-1 2 3" refpos=".1 .2 .3" refquat="1 .2 0 0"/>'
    flat = kind in ("grid", "square", "disc")
    sheet = assets.format(
        kind, f"4 3 {1 if flat else 3} .1 .2 .3" + ("" if kind in ("square", "disc") else " 2")
    )
    compare(text('mesh="m" pos="1 0 0"', assets=sheet), atol=3e-7)
    if kind not in ("square", "disc"):
        compare(
            text('mesh="m" material="paint"', assets=assets.format(kind, "4 3 3 .1 .2 .3")),
            atol=3e-7,
        )


PARAMS = {
    "sphere": "1", "hemisphere": "2", "cone": "7 .5", "supersphere": "6 1 .5", "supertorus": "6 .3 1 1", "wedge": "4 3 30 40 .2",
    "plate": "3 4",
}  # fmt: skip


@pytest.mark.parametrize("kind", PARAMS)
@pytest.mark.parametrize("given", ["", 'scale="-1 2 3" refpos=".1 .2 .3" refquat="1 .2 0 0"'])
def test_built_in_meshes_that_are_no_lattices(kind, given):
    assets = f'<mesh name="m" builtin="{kind}" params="{PARAMS[kind]}" {given}/>'
    compare(text('mesh="m" pos="1 0 0"', assets=assets), atol=3e-7)
    if kind != "plate":
        compare(text('mesh="m" dim="3" origin="0 0 -.2"', assets=assets), atol=3e-7)


def test_meshes_of_assets_without_triangles():
    """They have those of their hulls, and what is inside goes."""
    corners = "0 0 0  1 0 0  0 1 0  0 0 1  .1 .1 .1  1 1 1.2"
    compare(text('mesh="m"', assets=f'<mesh name="m" vertex="{corners}"/>'), atol=3e-7)
    cone = '<mesh name="m" builtin="cone" params="20 .5" maxhullvert="8"/>'
    compare(text('mesh="m"', assets=cone), atol=3e-7)


@pytest.mark.parametrize("mesh, why", [
    ('builtin="sphere" params="9"', 'mesh="m": params: a sphere can be cut 0 to 4 times'),
    ('builtin="cone" params="5"', 'mesh="m": params has 1 numbers, the shape takes 2: edges, radius at the top'),
    ('builtin="plate" params="1 5"', 'mesh="m": its vertices have no convex hull'),
    ('builtin="plate" params="1 2"', "the mesh has no triangles, give it faces"),
])  # fmt: skip
def test_built_in_meshes_that_cannot_be(mesh, why):
    with pytest.raises(sinew.ModelError) as told:
        sinew.Model.from_xml(text('mesh="m"', assets=f'<mesh name="m" {mesh}/>'))
    assert why in str(told.value) and '<flexcomp name="soft">' in str(told.value)


def test_defaults_scale_meshes_of_assets():
    rest = (
        '<default><mesh scale="2 2 2"/><default class="c"><mesh scale="1 2 3"/></default></default>'
    )
    for attributes in ("", 'class="c"'):
        assets = f'<mesh name="m" file="solid.obj" {attributes}/>'
        compare(text('mesh="m"', assets=assets, rest=rest), FILES, atol=3e-7)


@pytest.mark.parametrize("binary", [False, True], ids=["text", "binary"])
def test_gmsh(binary):
    kinds = {"tetrahedra": [(0, 1, 2, 3), (1, 2, 3, 4)]}
    files = {"f.msh": gmsh_files.write("4.1", [*POINTS, (1, 1, 1.7)], kinds, binary=binary)}
    compare(text('type="gmsh" file="f.msh"'), files)
    compare(
        text(
            'type="gmsh" file="f.msh" dim="3" scale="2 3 4" pos="1 0 0" euler="0 0 90" material="paint"'
        ),
        files,
    )
    flat = gmsh_files.write(
        "4.1", POINTS, {"triangles": [(0, 1, 2), (0, 2, 3)]}, binary=binary, dim=2
    )
    compare(text('type="gmsh" file="f.msh"'), {"f.msh": flat})


@pytest.mark.parametrize("binary", [False, True], ids=["text", "binary"])
def test_older_gmsh(binary):
    # the peer's reader of binaries wants ten nodes at least, and no more of them than elements
    for kind, counts in (("tetrahedra", (3, 3, 3)), ("triangles", (4, 4))):
        points = flexes.points(counts, 0.13)
        data = gmsh_files.write(
            "2.2", points, {kind: flexes.elements(counts).tolist()}, binary=binary
        )
        compare(text('type="gmsh" file="f.msh"'), {"f.msh": data})


def test_gmsh_beyond_the_peer():
    """Blocks, numbers with gaps in any order, other kinds of elements: what Gmsh writes of most models."""
    plain = sinew.Model.from_xml(
        text('type="gmsh" file="f.msh"'),
        assets={"f.msh": gmsh_files.write("4.1", POINTS, TETRAHEDRA)},
    )
    kinds = {"points": [(0,)], "edges": [(0, 1)], "triangles": [(0, 1, 2)], **TETRAHEDRA}
    for version in ("2.2", "4.1"):
        for binary in (False, True):
            given = {"binary": binary, "tags": [90, 5, 70, 11], "labels": 3}
            data = gmsh_files.write(version, POINTS, kinds, blocks=[[0, 1], [2], [], [3]], **given)
            model = sinew.Model.from_xml(text('type="gmsh" file="f.msh"'), assets={"f.msh": data})
            np.testing.assert_array_equal(model.flex_elem, plain.flex_elem)
            np.testing.assert_array_equal(model.body_pos, plain.body_pos)


PLACES = {
    "frames": """<frame pos="1 0 0" euler="0 0 90"><body name="a"/><frame pos="0 1 0" euler="10 20 30"><body name="b"/>
    SOFT<geom size=".1"/><body name="c"/></frame><frame name="rest" euler="0 5 0"><body name="d"/></frame></frame>
    <body name="e"/>""",
    "alone": '<frame name="only" pos="1 0 0" euler="0 30 90">SOFT</frame>',
    "scaled": '<frame pos="1 0 0" euler="0 0 90" scale="2">SOFT</frame>',
}


@pytest.mark.parametrize("dof", ["full", "radial", "2d"])
@pytest.mark.parametrize("place", PLACES)
def test_frames(place, dof):
    """Frames turn points, not the axes that they move along; bodies keep their order."""
    soft = f'<flexcomp name="soft" count="2 2 1" pos="1 0 0" dof="{dof}"><pin id="1"/></flexcomp>'
    inside = (
        PLACES[place]
        .replace("SOFT", soft)
        .replace('"/><', '"/><')
        .replace("<body name", "<body name")
    )
    inside = re.sub(r'<body name="(.)"/>', r'<body name="\1"><geom size=".1"/></body>', inside)
    compare(MODEL.format(inside=inside, assets="", rest=""), atol=1e-14)


def test_default_classes():
    """Those of the body hold for the joints, those of frames and of equalities do not."""
    rest = """<default><joint armature=".5" axis="1 1 1" type="ball"/><equality solref=".5 2" active="false"/>
    <default class="c"><joint armature=".7"/></default><default class="d"><joint armature=".9"/></default></default>"""
    soft = '<flexcomp name="soft" count="2 2 1"><edge equality="true"/></flexcomp>'
    inside = f'<body name="b" childclass="c"><geom size=".1"/><frame childclass="d">{soft}</frame></body>'
    model = compare(MODEL.format(inside=inside, assets="", rest=rest))
    assert set(model.dof_armature) == {0.7}


def test_order_of_sections():
    inside = '<flexcomp name="soft" count="2 2 1"><edge equality="true"/></flexcomp>'
    rest = """<deformable><flex name="raw" body="base" vertex="0 0 0 1 0 0 0 1 0" element="0 1 2"/></deformable>
    <equality><connect body1="base" body2="soft_0" anchor="0 0 0"/></equality>"""
    model = compare(MODEL.format(inside=inside, assets="", rest=rest))
    assert names(model, "flex") == ["raw", "soft"]


REFUSED = {
    'dim="0"': "dim is 0",
    'dim="4"': "dim is 4",
    'count="0 2 1"': "above zero",
    'count="3 3 2"': "count has 2 along z",
    'dim="3" count="3 1 3"': "at least 2",
    'dim="2"': "count has 10 along z",
    'count="2 2 1" spacing="0 1 1"': "spacing",
    'count="2 2 1" spacing=".0099 1 1"': "twice the radius",
    'count="2 2 1" mass="0"': "mass is 0",
    'count="2 2 1" inertiabox="-1"': "inertiabox is -1",
    'count="2 2 1" scale="1 0 1"': "scale has 0 along y",
    'count="2 2 1" texcoord="0 0 1 1"': "texcoord",
    'type="circle" count="5 1 1"': "of dim 1, not 2",
    'type="circle" dim="1" count="3 1 1"': "at least 4",
    'type="box" count="3 3 1"': "at least 2",
    'type="disc" count="4 4 2"': "count has 2 along z",
    'type="direct" point="0 0 0"': "needs 'point' and 'element'",
    'type="direct" point="0 0 0 1" element="0 1 2"': "three a point",
    'type="direct" point="0 0 0 1 0 0 0 1 0" element="0 1"': "3 an element",
    'type="direct" point="0 0 0 1 0 0 0 1 0" element="0 1 3"': "element 0 has point 3",
    'type="direct" point="0 0 0 1 0 0 0 1 0" element="0 1 -1"': "element 0 has point -1",
    'type="mesh"': "needs 'file'",
    'type="gmsh"': "needs 'file'",
    'type="mesh" file="none.obj"': "none.obj",
    'type="mesh" file="solid.obj" dim="3"': "needs 'origin'",
    'type="mesh" mesh="none"': "no such mesh",
    'type="grid" mesh="none"': "'mesh' is for",
    'type="mesh" mesh="none" file="a.obj"': "exclude each other",
    'type="gmsh" file="f.msh" dim="2"': "of dim 3",
    'type="gmsh" file="quads.msh"': "type 3",
    'type="gmsh" file="old.msh"': "version 2.1",
    'type="mesh" file="peers.msh"': "MSH file",
    'count="3 3 1" dof="radial"': "origin of the body",
    'type="mesh" file="away.obj" dim="3" origin="0 0 5"': "inside of the surface",
}
REFUSED_INSIDE = {
    '<pin id="9"/>': "id has point 9",
    '<pin id="-1"/>': "id has point -1",
    '<pin range="0"/>': "two a range",
    '<pin range="0 9"/>': "points 0 to 9",
    '<pin grid="0"/>': "give 2 for each",
    '<pin grid="0 3"/>': "place 3 along y",
    '<pin gridrange="0 0 0 7"/>': "place 7 along y",
    "<edge/><edge/>": "only one",
    "<thing/>": "unknown element",
}


def refuse(source, words, files=None):
    with pytest.raises(ValueError):
        newest.load(source, files or {})
    with pytest.raises(Exception, match=re.escape(words)) as caught:
        sinew.Model.from_xml(source, assets=files or {})
    assert ":2" in str(caught.value)


@pytest.mark.parametrize("given", REFUSED)
def test_what_the_peer_refuses(given):
    bad = gmsh_files.write("4.1", POINTS, TETRAHEDRA)
    files = {
        **FILES,
        "f.msh": bad,
        "quads.msh": gmsh_files.write("4.1", POINTS, {"quads": [(0, 1, 2, 3)]}),
        "old.msh": gmsh_files.write("2.2", POINTS, TETRAHEDRA).replace(b"2.2", b"2.1", 1),
        "peers.msh": bytes(16),
        "away.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    }
    source = MODEL.replace("{assets}</asset>", "</asset>").format(
        inside=f'<flexcomp name="soft" {given}/>', rest=""
    )
    refuse(source, REFUSED[given], files)


@pytest.mark.parametrize("inner", REFUSED_INSIDE)
def test_children_that_the_peer_refuses(inner):
    source = text('count="3 3 1"', inner).replace("\n", "", 1)
    refuse(source.replace("<body name", "\n<body name"), REFUSED_INSIDE[inner])


def test_places_that_the_peer_refuses():
    soft = '<flexcomp name="soft" count="2 2 1"/>'
    refuse(
        f'<mujoco>\n<worldbody><body>{soft}<geom size="1"/></body></worldbody></mujoco>'.replace(
            "<body>", "<body>"
        ).replace("\n<worldbody>", "<worldbody>\n"),
        "must have a name",
    )
    refuse(
        f'<mujoco><worldbody>\n<replicate count="2" offset="0 0 1">{soft}</replicate></worldbody></mujoco>',
        "replicate",
    )


LATER = {
    'count="2 2 1" dof="trilinear"': "",
    'count="2 2 1" dof="quadratic"': "",
    'count="2 2 1" cellcount="2 2 2"': "",
    'dim="1" count="4 1 1"': '<elasticity young="1"/>',
    'dim="2" count="2 2 1"': '<edge equality="strain"/>',
}


@pytest.mark.parametrize("given", LATER)
def test_what_is_not_there_yet(given):
    with pytest.raises(Exception, match="not supported yet"):
        sinew.Model.from_xml(text(given, LATER[given]))


def test_too_many_points():
    with pytest.raises(Exception, match="make it coarser"):
        sinew.Model.from_xml(text('dim="3" count="2000000000 2000000000 2000000000"'))
    two = '<flexcomp name="{}" dim="3" count="90 90 90" rigid="true"/>'
    with pytest.raises(Exception, match="make it coarser"):
        sinew.Model.from_xml(
            MODEL.format(inside=two.format("a") + two.format("b"), assets="", rest="")
        )


def test_too_many_bodies():
    """Signatures of pairs have no room for them; without a pair or an exclude there are none."""
    rest = '<contact><exclude body1="world" body2="{}"/></contact>'
    with pytest.raises(Exception, match="more than 32768 bodies with <pair> or <exclude>"):
        sinew.Model.from_xml(text('count="200 200 1"', rest=rest.format("soft_0")))
    assert sinew.Model.from_xml(text('count="200 200 1"', '<pin range="0 39989"/>')).nbody == 12


def test_materials_of_elements():
    assets = '<material name="a"/><material name="b"/>'
    model = sinew.Model.from_xml(text('count="3 2 1" material="a b b a"', assets=assets))
    np.testing.assert_array_equal(model.flex_matid - model.flex_matid[0], [0, 1, 1, 0])


def test_replicas():
    """Copies have bodies, a flex and an equality of their own."""
    soft = '<flexcomp name="soft" count="2 2 1" pos="1 0 0"><pin id="1"/><edge equality="true"/></flexcomp>'
    body = f'<body name="b" pos="1 0 0"><geom size=".1"/>{soft}</body>'
    inside = f'<replicate count="3" offset="0 0 1" euler="0 0 20">{body}</replicate>'
    model = compare(MODEL.format(inside=inside, assets="", rest=""))
    assert model.nflex == 3 and model.neq == 3


def test_attached():
    """A part of another model, in a frame, and all of it, with its own units and default classes."""
    soft = """<flexcomp name="soft" count="2 2 1" pos="1 0 0" euler="0 0 1" material="p"><pin id="1"/><edge equality="true"/>
    </flexcomp>"""
    child = f"""<mujoco><compiler angle="radian"/><default><joint armature=".3"/></default><asset><material name="p"/></asset>
    <worldbody><body name="k"><geom size=".1"/>{soft}</body></worldbody></mujoco>"""
    inside = """<frame pos="0 0 1" euler="0 0 30"><attach model="c" body="k" prefix="a_"/></frame>
    <body name="z"><geom size=".1"/><attach model="c" prefix="b_"/></body>"""
    source = MODEL.format(inside=inside, assets='<model name="c" file="c.xml"/>', rest="")
    model = compare(source, {"c.xml": child.encode()}, atol=1e-14)
    assert names(model, "flex") == ["a_soft", "b_soft"]


def test_scaled_around_the_body():
    soft = '<flexcomp name="soft" count="2 2 1" pos="1 0 0"><pin id="1"/><edge equality="true"/></flexcomp>'
    inside = (
        f'<frame scale="2" euler="0 0 30"><body name="b"><geom size=".1"/>{soft}</body></frame>'
    )
    compare(MODEL.format(inside=inside, assets="", rest=""), atol=1e-14)


def test_circle_closes():
    model = sinew.Model.from_xml(text('type="circle" dim="1" count="13 1 1" spacing=".1 1 1"'))
    places = model.body_pos[2:]
    gaps = np.linalg.norm(places - np.roll(places, 1, axis=0), axis=1)
    np.testing.assert_allclose(gaps, 0.1, rtol=1e-12)
    assert math.isclose(np.linalg.norm(places[0]), 0.05 / math.sin(math.pi / 12))
