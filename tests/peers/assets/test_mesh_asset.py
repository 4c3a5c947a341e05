"""Mesh assets against the peer's compiler: every field of meshes and of the geoms and bodies that use them.

The meshes of other people's models are compared in test_packages.py. Here: meshes of our own with every kind of
inertia, mirrored and uneven scales, reference poses, normals and texture coordinates, built-in shapes, fitted
primitives, and everything that either refuses.
"""

import struct

import mujoco
import numpy as np
import pytest

import bridge
from test_model import check_inertia, load_text

# Compared one by one below, or the tests of others.
SKIP = {"names_map", "body_iquat", "body_inertia", "bvh_aabb", "bvh_child", "bvh_nodeid"}
# Relative to the field's scale, at least 1 m: centres of symmetric shapes are 0 but for rounding.
TOLERANCE, FLOAT = 1e-9, 2e-7
TETRA = 'vertex="0 0 0 1.1 0 0 0 1.2 0 0 0 1.3"'
SOLID = TETRA + ' face="0 2 1 0 1 3 1 2 3 2 0 3"'
CUBE = 'vertex="-1 -1 -1 1 -1 -1 -1 1 -1 1 1 -1 -1 -1 1 1 -1 1 -1 1 1 1 1 1"'
SHOWN = 'contype="0" conaffinity="0"'


def text(numbers):
    return " ".join(f"{x:.8g}" for x in np.ravel(numbers))


def cloud(seed=0, n=60):
    rng = np.random.default_rng(seed)
    return f'vertex="{text(rng.normal(size=(n, 3)) * [1, 2, 3] + [0.1, 0.2, 0.3])}"'


def terrain(seed=1, n=7):
    """An open, bumpy sheet over its own flat bottom: not convex, consistently oriented, with several islands."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    top = np.stack([x, y, 1 + rng.uniform(0, 1, (n, n))], -1).reshape(-1, 3)
    bottom = np.stack([x, y, np.zeros((n, n))], -1).reshape(-1, 3)
    faces = []
    for i in range(n - 1):
        for j in range(n - 1):
            a, b, c, d = i * n + j, (i + 1) * n + j, (i + 1) * n + j + 1, i * n + j + 1
            faces += [[a, b, c], [a, c, d]]
            faces += [[n * n + a, n * n + c, n * n + b], [n * n + a, n * n + d, n * n + c]]
    rim = [i * n for i in range(n - 1)] + [(n - 1) * n + j for j in range(n - 1)]
    rim += [i * n + n - 1 for i in range(n - 1, 0, -1)] + [j for j in range(n - 1, 0, -1)]
    for a, b in zip(rim, rim[1:] + rim[:1], strict=True):
        faces += [[a, n * n + b, b], [a, n * n + a, n * n + b]]
    return f'vertex="{text(np.vstack([top, bottom]))}" face="{" ".join(map(str, np.ravel(faces)))}"'


def model(mesh, geom='<geom type="mesh" mesh="m"/>', head=""):
    return (
        f'<mujoco>{head}<asset><material name="k"/><material name="l"/>{mesh}</asset>'
        f"<worldbody><body><freejoint/>{geom}</body></worldbody></mujoco>"
    )


def field_error(mine, theirs):
    theirs = np.frombuffer(theirs, np.uint8) if isinstance(theirs, bytes) else np.asarray(theirs)
    mine, theirs = np.ravel(mine), np.ravel(theirs)
    if mine.size != theirs.size:
        return f"{mine.size} entries, the peer has {theirs.size}"
    if mine.dtype.kind in "iu":
        return None if np.array_equal(mine, theirs.astype(mine.dtype)) else "differs"
    error = np.abs(mine - theirs).max(initial=0) / max(1, np.abs(theirs).max(initial=0))
    tolerance = FLOAT if mine.dtype == np.float32 else TOLERANCE
    return None if error <= tolerance else f"by {error:.1e}"


def compare(source, skip=()):
    peer = mujoco.MjModel.from_xml_string(source)
    ours, error = load_text(source)
    assert ours is not None, error.message.decode()
    found = {
        name: wrong
        for name in ours.fields
        if name not in SKIP | set(skip) and hasattr(peer, name)
        for wrong in [field_error(getattr(ours, name), getattr(peer, name))]
        if wrong
    }
    assert not found
    check_inertia(ours, peer)
    return ours, peer


@pytest.mark.parametrize("scale", ["1 1 1", "-1 2 3", ".1 .1 .1", "-1 -1 2", "1e-3 2e-3 3e-3"])
@pytest.mark.parametrize("inertia", ["convex", "legacy", "exact", "shell"])
@pytest.mark.parametrize("shape", ["cloud", "terrain"])
def test_inertia_and_scale(shape, inertia, scale):
    vertices = cloud() if shape == "cloud" else terrain()
    source = model(
        f'<mesh name="m" {vertices} inertia="{inertia}" scale="{scale}"/>',
        '<geom type="mesh" mesh="m" density="1e6"/>',
    )
    mirrored = np.prod([float(x) for x in scale.split()]) < 0
    if mirrored and inertia in ("exact", "convex"):
        with pytest.raises(ValueError, match="volume is negative"):
            mujoco.MjModel.from_xml_string(source)
        ours, error = load_text(source)
        assert ours is None and b"volume is negative" in error.message
    else:
        compare(source)


VARIANTS = {
    "reference": f'{cloud()} refpos="1 2 3" refquat="1 2 3 4" scale="2 1 1"',
    "maxhullvert": f'{cloud()} maxhullvert="10"',
    "maxhullvert of a cube": f'{CUBE} maxhullvert="5" scale="1 2 4" refpos=".1 .2 .3"',
    "smooth normals": f'{cloud()} smoothnormal="true"',
    "smooth normals of a sheet": f'{terrain()} smoothnormal="true"',
    "cube": CUBE,
    "solid": SOLID,
    "given normals": f'{SOLID} normal="0 0 1 0 3 4 1 0 0 1 1 1" refquat="1 1 0 0" scale="1 2 3"',
    "too few normals": f'{SOLID} normal="0 0 1"',
    "several normals a vertex": f'{SOLID} normal="{"0 0 2 " * 8}"',
    "normals of length 0": f'{SOLID} normal="{"0 0 0 " * 4}"',
    "texture coordinates": f'{SOLID} texcoord="0 0 1 1 0 .5 1 0"',
    "double vertices": 'vertex="0 0 0 1 0 0 0 2 0 0 0 3 0 0 0 0 0 0"',
    "no faces": f'{TETRA} face=""',
    "unused vertices": 'vertex="0 0 0 1 0 0 0 2 0 0 0 3 9 9 9" face="0 2 1 0 1 3 1 2 3 2 0 3"',
    "tiny": f'{cloud()} scale="1e-4 1e-4 1e-4"',
    "open shell": f'{TETRA} face="0 2 1 0 1 3" inertia="shell"',
    "turned inside out, legacy": f'{TETRA} face="0 1 2 0 3 1 1 3 2 2 3 0"',
    "turned inside out, convex": f'{TETRA} face="0 1 2 0 3 1 1 3 2 2 3 0" inertia="convex"',
}


@pytest.mark.parametrize("collides", [True, False])
@pytest.mark.parametrize("name", VARIANTS)
def test_variant(name, collides):
    geom = f'<geom type="mesh" mesh="m" mass="2" {"" if collides else SHOWN}/>'
    compare(model(f'<mesh name="m" {VARIANTS[name]}/>', geom))


SHAPES = [
    "sphere 0", "sphere 2", "sphere 2.9", "hemisphere 0", "hemisphere 3", "cone 5 .5", "cone 12 1", "cone 7 0",
    "supersphere 7 .5 .3", "supersphere 3 1 1", "supertorus 9 1 1 1", "supertorus 12 .3 .5 1", "wedge 2 3 60 30 0",
    "wedge 5 7 60 30 .5",
]  # fmt: skip


@pytest.mark.parametrize("collides", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_shape(shape, collides):
    name, params = shape.split(maxsplit=1)
    mesh = f'<mesh name="m" builtin="{name}" params="{params}" scale="1 1.5 .3" inertia="convex"/>'
    geom = f'<geom type="mesh" mesh="m" {"" if collides else SHOWN}/>'
    compare(model(mesh, geom))


def test_plate_is_a_shell():
    mesh = '<mesh name="m" builtin="plate" params="3 4" inertia="exact"/>'
    geom = f'<geom type="mesh" mesh="m" mass="2" {SHOWN}/>'
    # The peer takes the normal from the outline's first three vertices, which here lie on a line.
    ours, _ = compare(model(mesh, geom, '<compiler balanceinertia="true"/>'), {"mesh_polynormal"})
    rotation = np.zeros(9)
    mujoco.mju_quat2Mat(rotation, ours.mesh_quat[0])
    np.testing.assert_allclose(
        rotation.reshape(3, 3) @ ours.mesh_polynormal[0], [0, 0, 1], atol=1e-7
    )


@pytest.mark.parametrize("fitaabb", ["true", "false"])
@pytest.mark.parametrize("kind", ["sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"])
def test_fitted(kind, fitaabb):
    geom = (
        f'<geom type="{kind}" mesh="m" fitscale="1.5" pos="1 2 3" euler="10 20 30" size="3 4 5"/>'
    )
    frame = f'<frame pos=".1 .2 .3" euler="5 6 7">{geom}</frame>'
    for flat in ("1 1 1", "1 1 .01"):
        mesh = f'<mesh name="m" {cloud(3)} scale="{flat}" material="k"/>'
        compare(model(mesh, frame, f'<compiler fitaabb="{fitaabb}"/>'))


HULLS = {
    "shown": f'<geom type="mesh" mesh="m" {SHOWN}/>',
    "contype": '<geom type="mesh" mesh="m" conaffinity="0"/>',
    "conaffinity": '<geom type="mesh" mesh="m" contype="0"/>',
    "box": '<geom type="box" mesh="m"/>',
    "one of two": f'<geom type="mesh" mesh="m" {SHOWN}/><geom type="mesh" mesh="m" pos="5 0 0"/>',
    "two": '<geom type="mesh" mesh="m"/><geom type="mesh" mesh="m" pos="5 0 0" material="l"/>',
    "unused": '<geom size="1"/>',
}


@pytest.mark.parametrize("name", HULLS)
def test_hull_when_needed(name):
    ours, peer = compare(model(f'<mesh name="m" {SOLID} material="k"/>', HULLS[name]))
    assert (ours.mesh_graphadr[0, 0] < 0) == (name in ("shown", "box", "unused"))


def test_hull_for_pair():
    geoms = f'<geom name="a" type="mesh" mesh="m" {SHOWN}/></body><body><geom name="b" size="1" {SHOWN}/>'
    source = model(f'<mesh name="m" {SOLID}/>', geoms)
    pair = '<contact><pair geom1="b" geom2="a"/></contact></mujoco>'
    ours, _ = compare(source.replace("</mujoco>", pair))
    assert ours.mesh_graphadr[0, 0] == 0


@pytest.mark.parametrize("geoms", [
    '<geom type="mesh" mesh="b"/>',
    f'<geom type="mesh" mesh="a" {SHOWN}/>',
    f'<geom type="mesh" mesh="c" {SHOWN} mass="3"/><geom type="mesh" mesh="b"/>',
    f'<geom type="box" mesh="a" {SHOWN}/><geom type="box" mesh="c"/>',
])  # fmt: skip
def test_discarded(geoms):
    meshes = "".join(f'<mesh name="{n}" {cloud(i)}/>' for i, n in enumerate("uabc"))
    compare(model(meshes, f'<geom size="1"/>{geoms}', '<compiler discardvisual="true"/>'))


def test_defaults_and_order():
    meshes = (
        f'<mesh class="c" name="z" {SOLID}/><mesh name="m" {cloud(4)}/><mesh name="e" {terrain()}/>'
    )
    classes = '<default><mesh scale="2 2 2"/><default class="c"><mesh inertia="shell"/></default></default>'
    geoms = "".join(
        f'<geom type="mesh" mesh="{n}" pos="{9 * i} 0 0"/>' for i, n in enumerate("mze")
    )
    compare(model(meshes, geoms, classes))


# ---- files


def stl(triangles):
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *np.ravel(t), 0) for t in triangles)
    return bytes(80) + struct.pack("<i", len(triangles)) + body


@pytest.mark.parametrize("scale", ["1 1 1", "1 -2 1", ".001 .001 .001"])
@pytest.mark.parametrize("inertia", ["exact", "legacy"])
def test_stl(tmp_path, scale, inertia):
    """Corners are merged; mirrored triangles of a file are turned round."""
    rng = np.random.default_rng(5)
    v = rng.normal(size=(30, 3)).astype(np.float32)
    hull = mujoco.MjModel.from_xml_string(model(f'<mesh name="m" vertex="{text(v)}"/>')).mesh_face
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes/a.b.stl").write_bytes(stl(v[hull]))
    source = model(
        f'<mesh file="a.b.stl" scale="{scale}" inertia="{inertia}"/>',
        '<geom type="mesh" mesh="a.b" mass="1"/>',
        '<compiler meshdir="meshes"/>',
    )
    path = tmp_path / "m.xml"
    path.write_text(source)
    peer = mujoco.MjModel.from_xml_path(str(path))
    pointer = bridge.lib.sn_loadModel(str(path).encode(), bridge.AS_PINNED, None)
    assert pointer
    ours = bridge.Struct(pointer)
    assert peer.mesh_vertnum[0] == len(set(np.ravel(hull)))
    found = {
        name: wrong
        for name in ours.fields
        if name not in SKIP and hasattr(peer, name)
        for wrong in [field_error(getattr(ours, name), getattr(peer, name))]
        if wrong
    }
    assert not found


OBJ = """
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v .5 .5 1.5
vt 0 0
vt 1 0
vt 1 1
vn 0 0 -1
vn 0 -1 0
vn 1 0 0
vn 0 1 0
vn -1 0 0
f 1/1/1 4/2/1 3/3/1 2/1/1
f 1/1/2 2/2/2 5/3/2
f 2/1/3 3/2/3 5/3/3
f 3/1/4 4/2/4 5/3/4
f 4/1/5 1/2/5 5/3/5
"""


# corners without a normal, or without a texture coordinate
SPARSE = "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nvn 0 0 -1\nvt 1 0\nf 1//1 3//1 2//1\nf 1 2 4\nf 2 3/1 4\nf 3 1 4\n"


@pytest.mark.parametrize("scale", ["1 1 1", "1 -2 1"])
@pytest.mark.parametrize("content", [OBJ, SPARSE])
def test_obj_from_memory(content, scale):
    source = model(f'<mesh name="m" file="p.obj" scale="{scale}" inertia="exact"/>')
    peer = mujoco.MjModel.from_xml_string(source, {"p.obj": content.encode()})
    import ctypes

    class Asset(ctypes.Structure):
        _fields_ = [
            ("name", ctypes.c_char_p),
            ("data", ctypes.c_char_p),
            ("size", ctypes.c_size_t),
        ]

    asset = Asset(b"p.obj", content.encode(), len(content))
    error = bridge.Error()
    pointer = bridge.lib.sn_loadModelText(
        source.encode(),
        ctypes.c_size_t(len(source)),
        ctypes.byref(asset),
        1,
        bridge.AS_PINNED,
        ctypes.byref(error),
    )
    assert pointer, error.message
    ours = bridge.Struct(pointer)
    for name in ours.fields:
        if name.startswith(("mesh_", "geom_")) and hasattr(peer, name):
            assert not field_error(getattr(ours, name), getattr(peer, name)), name


# ---- refusals: what the peer does not load, and words of our message

REFUSED = {
    "three vertices": ('vertex="0 0 0 1 0 0 0 1 0"', "has 3 vertices, at least 4 are needed"),
    "eleven numbers": ('vertex="0 0 0 1 0 0 0 1 0 1 1"', "three numbers for each vertex"),
    "nothing": ("", "has 0 vertices"),
    "flat": ('vertex="0 0 0 1 0 0 0 1 0 1 1 0"', "no convex hull: Initial simplex is flat"),
    "not finite": ('vertex="0 0 0 1 0 0 0 1 0 0 0 1 nan 0 0"', "vertex 4 is not finite"),
    "no such vertex": (f'{TETRA} face="0 2 4"', "triangle 0 (from 0) uses vertex 4, there are 4"),
    "negative vertex": (f'{TETRA} face="0 1 2 0 2 -1"', "triangle 1 (from 0) uses vertex -1"),
    "half a face": (f'{TETRA} face="0 2 1 3"', "three vertices for each triangle"),
    "broken face": (f'{TETRA} face="0 2 1.5"', "expected whole numbers"),
    "half a normal": (f'{TETRA} normal="0 0 1 0"', "three numbers for each normal"),
    "half a coordinate": (f'{TETRA} texcoord="0 0 1"', "two numbers for each vertex"),
    "two coordinates": (f'{TETRA} texcoord="0 0 1 1"', "2 texture coordinates, needs one for each"),
    "no area": (f'{TETRA} face="0 0 0" inertia="shell"', "area of its triangles is too small"),
    "one triangle": (f'{TETRA} face="0 2 1"', 'inertia="shell"'),
    "open": (f'{TETRA} face="0 2 1" inertia="exact"', 'inertia="shell"'),
    "two ways": (
        f'{TETRA} face="0 1 2 0 1 3 1 2 3 2 0 3" inertia="exact"',
        "vertices 0 and 1 (from 0) are turned against each other",
    ),
    "inside out": (
        f'{TETRA} face="0 1 2 0 3 1 1 3 2 2 3 0" inertia="exact"',
        "volume is negative, the triangles are turned inside out",
    ),
    "scale 0": (f'{TETRA} scale="0 1 1"', "volume is too small"),
    "zero quaternion": (f'{TETRA} refquat="0 0 0 0"', "refquat is zero"),
    "huge": (f'{TETRA} vertex_="1"', "unknown attribute"),
    "maxhullvert": (f'{TETRA} maxhullvert="3"', "at least 4"),
    "params missing": ('builtin="sphere"', "'builtin' needs 'params'"),
    "params too many": ('builtin="sphere" params="1 2"', "the shape takes 1: subdivisions"),
    "sphere 5": ('builtin="sphere" params="5"', "0 to 4"),
    "hemisphere 11": ('builtin="hemisphere" params="11"', "0 to 10"),
    "hemisphere -1": ('builtin="hemisphere" params="-1"', "0 to 10"),
    "cone -3": ('builtin="cone" params="-3 0"', "at least 3 edges"),
    "cone 2": ('builtin="cone" params="2 1"', "at least 3 edges"),
    "supersphere 2": ('builtin="supersphere" params="2 1 1"', "at least 3"),
    "supersphere e": ('builtin="supersphere" params="5 -1 1"', "exponents"),
    "supertorus radius": ('builtin="supertorus" params="5 2 1 1"', "radius"),
    "supertorus s": ('builtin="supertorus" params="5 .5 0 1"', "exponents"),
    "wedge fov": ('builtin="wedge" params="3 3 181 30 0"', "first angle"),
    "wedge gamma": ('builtin="wedge" params="3 3 60 30 2"', "gamma"),
    "plate 0": ('builtin="plate" params="0 3"', "resolutions are positive"),
    "shape and vertices": (f'builtin="sphere" params="1" {TETRA}', "exclude each other"),
    "no file": ('file="nowhere.stl"', "nowhere.stl"),
    "unknown material": (f'{TETRA} material="x"', "there is no such material"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name):
    attributes, message = REFUSED[name]
    source = model(f'<mesh name="m" {attributes}/>')
    with pytest.raises(Exception):  # noqa: B017 - the peer throws several kinds
        mujoco.MjModel.from_xml_string(source)
    ours, error = load_text(source)
    assert ours is None
    assert message in error.message.decode()
    assert error.line == 1


GEOMS = {
    "no mesh": ('<geom type="mesh"/>', "mesh is missing"),
    "unknown mesh": ('<geom type="mesh" mesh="n"/>', 'no such mesh, did you mean "m"?'),
    "unknown mesh of a box": ('<geom type="box" mesh="xyz"/>', "no such mesh"),
    "fromto": ('<geom type="box" mesh="m" fromto="0 0 0 1 1 1"/>', "exclude each other"),
    "shellinertia": ('<geom type="mesh" mesh="m" shellinertia="true"/>', 'inertia="shell"'),
    "plane": ('<geom type="plane" mesh="m"/>', "plane"),
    "fitscale 0": ('<geom type="box" mesh="m" fitscale="0"/>', "size[0] is 0"),
}


@pytest.mark.parametrize("name", GEOMS)
def test_geom_refused(name):
    geom, message = GEOMS[name]
    source = model(f'<mesh name="m" {SOLID}/>', geom)
    with pytest.raises(ValueError, match="."):
        mujoco.MjModel.from_xml_string(source)
    ours, error = load_text(source)
    assert ours is None
    assert message in error.message.decode()
