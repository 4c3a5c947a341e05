"""Mesh files of every kind: the same vertices and triangles as the peer's, or refused by both."""

import pathlib
import struct

import dm_control
import numpy as np
import pytest

from images import load_both, load_ours, warnings_of

RNG = np.random.default_rng(11)
TETRAHEDRON = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
SIDES = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
FILES = sorted(
    p for p in pathlib.Path(dm_control.__file__).parent.glob("**/*") if p.suffix in (".stl", ".msh")
)


def model(name, attributes=""):
    """A mesh that needs no hull and no volume."""
    return (
        f'<mujoco><asset><mesh name="m" file="{name}" inertia="shell" {attributes}/></asset><worldbody>'
        '<geom type="mesh" mesh="m" contype="0" conaffinity="0"/></worldbody></mujoco>'
    )


def check(name, data, attributes=""):
    data = data.encode() if isinstance(data, str) else data
    ours, peer = load_both(model(name, attributes), {name: data})
    assert ours is not None
    assert peer is not None
    for field in ("face", "facetexcoord", "texcoord"):
        mine, theirs = np.asarray(getattr(ours, f"mesh_{field}")), getattr(peer, f"mesh_{field}")
        assert mine.size == theirs.size, field
        np.testing.assert_array_equal(mine.ravel(), theirs.ravel(), field)
    # in the frame of the file: that of the mesh is a matter of rounding when two of its moments are equal
    mine, theirs = in_file(ours), in_file(peer)
    np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-6 * np.abs(theirs).max())
    return ours, peer


def in_file(m):
    w, x, y, z = np.asarray(m.mesh_quat).ravel()
    rotation = np.array(
        [
            [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
        ]
    )
    return (
        np.asarray(m.mesh_vert, float).reshape(-1, 3) @ rotation.T + np.asarray(m.mesh_pos).ravel()
    )


def polygon(kind):
    """Corners around a plane anywhere in space: convex, a star, in any order, on a grid."""
    n = int(RNG.integers(4, 15))
    angle = np.sort(RNG.uniform(0, 2 * np.pi, n))
    radius = np.ones(n) if kind == "convex" else RNG.uniform(0.2, 1, n)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(n)], axis=1)
    if kind == "wild":
        points = RNG.normal(size=(n, 3))
    if RNG.random() < 0.3:
        points = points[::-1]
    if RNG.random() < 0.7:
        points = points @ np.linalg.qr(RNG.normal(size=(3, 3)))[0].T
    if RNG.random() < 0.7:
        points = points + RNG.normal(size=3)
    return np.round(points, 1) if kind == "grid" else points


@pytest.mark.parametrize("kind", ["convex", "star", "wild", "grid"])
def test_polygons(kind):
    for _ in range(100):
        points = polygon(kind)
        text = "".join("v {!r} {!r} {!r}\n".format(*map(float, p)) for p in points)
        first = len(points) + 1
        corners = " ".join(map(str, range(1, first)))
        text += TETRAHEDRON.replace("1", "3") + f"f {corners}\nf {first} {first + 1} {first + 2}\n"
        check("p.obj", text)


@pytest.mark.parametrize(
    "text",
    [
        TETRAHEDRON + SIDES,
        TETRAHEDRON + SIDES.replace("f 2 3 4", "f -3 -2 -1"),
        TETRAHEDRON + SIDES + "o b\nv 5 0 0\nf 1 2 5\n",
        "g a\n" + TETRAHEDRON + SIDES + "g b\nv 5 0 0\nf 1 2 5\n",
        "usemtl a\n" + TETRAHEDRON + SIDES + "usemtl b\nv 5 0 0\nf 1 2 5\n",
        "l 1 2\n" + TETRAHEDRON + SIDES + "f 1 2\np 1\ns 1\nfoo\n",
        TETRAHEDRON.replace("\n", "\r") + SIDES.replace("\n", "\r"),
        TETRAHEDRON.replace("\n", "\r\n") + SIDES.replace("f", "\tf").replace(" ", "\t"),
        SIDES[:8] + TETRAHEDRON + SIDES + "v 1 2 3 .5 .5 .5\nv 1 2 4 .5\n",
        "vn 0 0 1\nvt .1 .2\nvt .3\nvt .1 .2 .3\n"
        + TETRAHEDRON
        + SIDES.replace("1", "1/2/1").replace("2 ", "2/1/1 "),
        TETRAHEDRON.replace("1", "1.5e-1") + SIDES,
    ],
)
def test_obj(text):
    if "vt" in text:  # every corner needs a normal
        text = text[: text.index("f ")] + "f 1/1/1 3/2/1 2/-1/-1\nf 1/1/1 2/3/1 4/1/1\n"
    check("a.obj", text)


NORMALS = TETRAHEDRON + "f 1//1 3//1 2//1\nf 1//1 2//1 4//1\n"
FLAT = TETRAHEDRON + "f 1/1 3/2 2/3\nf 1/1 2/2 4/2\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        *(
            (TETRAHEDRON + f"v {numbers}\n" + SIDES + "f 1 5 4\n", f"'{word}' at a.obj:5")
            for numbers, word in [
                ("1x 2 3", "1x"),
                ("1e .2 .3", "1e"),
                (".2 0x1 .3", "0x1"),
                ("e1 2 3", "e1"),
                ("+ 2 3", "+"),
                ("1.2.3 2 3", "1.2.3"),
                ("1,5 2,5 3,5", "1,5"),
                ("1 #2 3 4", "#2"),
                ("2", " 2"),
                ("1 2 # 3", "#"),
            ]
        ),
        (
            SIDES[:8] + TETRAHEDRON + "v\nv\n" + SIDES,
            "no number follows, passed over at a.obj:6",
        ),
        ("vn 0 a\n" + NORMALS, "'a' at a.obj:1"),
        ("vn 0 2\n" + NORMALS, "too few numbers, the others are 0: ' 0 2' at a.obj:1"),
        ("vt 1x\nvt a b\nvt .5 .5\n" + FLAT, "'1x' at a.obj:1"),
        ("vt \nvt .2 .3\nvt .5 .5\n" + FLAT, "too few numbers"),
        (NORMALS, "the file has none: 'normal' at a.obj:5"),
        (FLAT, "the file has none: 'texture coordinate' at a.obj:5"),
        ("o a\nl 1 2\n" + TETRAHEDRON + "o b\n" + SIDES, "no faces: ' 1 3 2' at a.obj:8"),
        ("o a\n" + TETRAHEDRON + "p 1 2\no b\n" + SIDES + "o c\nf 1 2 3\n", "at a.obj:8"),
    ],
)
def test_what_an_obj_cannot_mean(text, says):
    ours, peer = check("a.obj", text)
    for field in ("facenormal", "facenum", "vertnum", "normalnum", "texcoordnum"):
        mine, theirs = getattr(ours, f"mesh_{field}"), getattr(peer, f"mesh_{field}")
        np.testing.assert_array_equal(np.ravel(mine), theirs.ravel(), field)
    (said,) = warnings_of(model("a.obj"), {"a.obj": text.encode()})
    assert says in said
    assert '<mesh name="m">: ' in said


@pytest.mark.parametrize(
    "text",
    [
        "g a\n" + TETRAHEDRON + "l 1 2\ng b\n" + SIDES,
        "o a\n" + TETRAHEDRON + "o b\n" + SIDES,
        "o a\n" + TETRAHEDRON + "l 1 2\ng b\no c\n" + SIDES,
    ],
)
def test_objects_without_faces_that_do_not_count(text):
    check("a.obj", text)
    assert warnings_of(model("a.obj"), {"a.obj": text.encode()}) == []


@pytest.mark.parametrize("path", FILES[::7], ids=lambda p: p.name)
def test_files_of_others(path):
    check(f"a{path.suffix}", path.read_bytes())


V = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4")
F = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], "<i4")


def stl(count=4, tail=b"", vert=V):
    facets = b"".join(bytes(12) + vert[f].tobytes() + bytes(2) for f in F)
    return b"solid".ljust(80) + struct.pack("<I", count) + facets + tail


def msh(count=(4, 4, 4, 4), tail=b"", face=F, vert=V):
    return (
        struct.pack("<4i", *count)
        + vert.tobytes()
        + V.tobytes()
        + V[:, :2].tobytes()
        + face.tobytes()
        + tail
    )


def test_what_both_refuse():
    bad = V.copy()
    bad[2, 1] = np.nan
    far = V.copy()
    far[1, 0] = 2e9
    cases = [
        ("a.obj", TETRAHEDRON + "f 0 1 2\n", "'0'"),
        ("a.obj", TETRAHEDRON + "f 1 2 5\n", "vertex 5, the file has 4"),
        ("a.obj", TETRAHEDRON + "f -5 1 2\n", "'-5'"),
        ("a.obj", TETRAHEDRON + "f a b c\n", "'a'"),
        ("a.obj", TETRAHEDRON + "f 1/ 2/ 3/\n", "'1/'"),
        ("a.obj", TETRAHEDRON + "f 1 2 \\\n3\n", "'\\'"),
        ("a.obj", TETRAHEDRON + "v nan 0 0\n" + SIDES, "'nan'"),
        ("a.obj", "", "4"),
        ("a.stl", stl(tail=b"x"), "cut short"),
        ("a.stl", stl()[:-1], "cut short"),
        ("a.stl", stl(count=0), "byte 80"),
        ("a.stl", stl(count=-1 & 0xFFFFFFFF), "byte 80"),
        ("a.stl", stl()[:83], "83 bytes"),
        ("a.stl", stl(vert=bad), "must be finite"),
        ("a.stl", stl(vert=far), "2^30"),
        ("a.msh", msh(tail=b"1234"), "cut short"),
        ("a.msh", msh()[:-1], "cut short"),
        ("a.msh", msh()[:15], "16 bytes"),
        ("a.msh", msh(count=(4, 3, 4, 4)), "3 normals"),
        ("a.msh", msh(count=(-4, 4, 4, 4)), "-4 vertices"),
        ("a.msh", msh(face=F + 1), "names vertex 4"),
        ("a.msh", msh(vert=bad), "must be finite"),
        ("a.xyz", TETRAHEDRON + SIDES, "a.xyz"),
    ]
    for name, data, says in cases:
        data = data.encode() if isinstance(data, str) else data
        ours, peer = load_both(model(name), {name: data})
        assert ours is None, says
        assert peer is None, says
        assert says in load_ours(model(name), {name: data})[1].message.decode(), says


def test_good_binary_files():
    check("a.stl", stl())
    check("a.msh", msh())
    check("a.bin", msh(), 'content_type="model/vnd.mujoco.msh"')
    check("a.bin", stl(), 'content_type="model/stl"')
    check("a.bin", TETRAHEDRON + SIDES, 'content_type="model/obj"')


def test_what_only_ours_reads():
    """Text STL; an OBJ with a comment behind a face."""
    facet = "facet normal 0 0 0\nouter loop\n{}endloop\nendfacet\n"
    text = "solid\n" + "".join(
        facet.format("".join("vertex {} {} {}\n".format(*p) for p in V[f])) for f in F
    )
    ours = load_ours(model("a.stl"), {"a.stl": (text + "endsolid\n").encode()})[0]
    same = load_ours(model("a.stl"), {"a.stl": stl()})[0]
    np.testing.assert_array_equal(ours.mesh_vert, same.mesh_vert)
    np.testing.assert_array_equal(ours.mesh_face, same.mesh_face)
    obj = TETRAHEDRON + SIDES.replace("f 2 3 4", "f 2 3 4 # the last")
    assert len(load_ours(model("a.obj"), {"a.obj": obj.encode()})[0].mesh_face) == 4


def test_what_only_the_peer_reads():
    """Coordinates that are not finite, of which its model is full then; indices that point nowhere."""
    for line in ("v inf 2 3\n", "v 1 2 1e39\n"):
        text = TETRAHEDRON + line + SIDES
        assert ":5" in load_ours(model("a.obj"), {"a.obj": text.encode()})[1].message.decode()
    for text in ("vn 0 0 1\n" + NORMALS.replace("3//1", "3//2"), "vt 0 0\n" + FLAT):
        says = load_ours(model("a.obj"), {"a.obj": text.encode()})[1].message.decode()
        assert "2, the file has 1" in says
