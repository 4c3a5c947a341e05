"""Collada, PLY and glTF: the meshes of robots as Coal's loader sees them, and files made here of known triangles.

Coal leaves out the unit of a Collada file, and gives the triangles of a second part the vertices of the first: where a
file has several, the vertices alone are compared.
"""

import base64
import json
import os
import pathlib
import re
import struct

import coal
import numpy as np
import pytest

from images import load_ours
from test_mesh_file import in_file, model

ROBOTS = pathlib.Path(coal.__file__).parents[4] / "share/example-robot-data/robots"
# Coal takes its time: of each folder the smallest one
FILES = sorted(ROBOTS.glob("**/*.dae"), key=lambda p: (p.stat().st_size, str(p)))
SMALLEST = {p.parent: p for p in reversed(FILES)}
CHOSEN = FILES if os.environ.get("SINEW_LONG") else sorted(SMALLEST.values())
TOLERANCE = 1e-6  # of single precision, in which Coal's loader computes


def load(name, assets):
    """Triangles in the frame of the file."""
    m, error = load_ours(model(name), assets)
    assert m, error.message.decode()
    return in_file(m)[np.asarray(m.mesh_face).reshape(-1, 3)]


def ours(path):
    return load(path.name, {path.name: path.read_bytes()})


def theirs(path):
    """Vertices and triangles."""
    mesh = coal.MeshLoader().load(str(path), np.ones(3))
    faces = [mesh.tri_indices(i) for i in range(mesh.num_tris)]
    return np.asarray(mesh.vertices()), np.array([[t[0], t[1], t[2]] for t in faces])


def surface(triangles, scale):
    """Waves over a set of triangles, weighted by their areas and normals: the same for two sets that differ in their
    order, in which corner comes first, and in triangles without area."""
    rng = np.random.default_rng(0)
    t = np.asarray(triangles, float) / scale
    area = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
    phase = t.mean(axis=1) @ rng.normal(size=(3, 40)) * 10 + rng.uniform(0, 6, 40)
    return np.sum((area @ rng.normal(size=(3, 40))) * np.sin(phase), axis=0), np.abs(area).sum()


def same_surface(a, b):
    scale = np.abs(b).max()
    (one, total), (two, _) = surface(a, scale), surface(b, scale)
    # waves of length 2 pi / 10 make ten times as much of a difference in place
    np.testing.assert_allclose(one, two, rtol=0, atol=30 * TOLERANCE * total)


def covers(a, b, tolerance):
    """Whether each of the points b is near to one of the points a: in a cell of a grid that such a one reaches."""
    grid, weights = 20 * tolerance, np.array([1, 1_000_003, 1_000_000_000_039])
    corners = np.array(np.meshgrid(*[[-tolerance, tolerance]] * 3)).reshape(3, -1).T
    cells = np.floor((a[:, None] + corners) / grid).astype(np.int64) @ weights
    return np.isin(np.floor(b / grid).astype(np.int64) @ weights, cells).all()


@pytest.mark.parametrize("path", CHOSEN, ids=lambda p: "/".join(p.parts[-3:]))
def test_robot(path):
    mine = ours(path)
    if path.match("ur10/visual/upperarm.dae"):
        # two of its cameras have the same name, which some versions of Coal's loader refuse
        assert len(mine) == 20994
        return
    vertices, faces = theirs(path)
    if len(re.findall(rb"<(?:triangles|polylist)\b", path.read_bytes())) == 1:
        same_surface(mine, vertices[faces])
    points = mine.reshape(-1, 3)
    near = 2 * TOLERANCE * np.abs(points).max()
    assert covers(points, vertices, near)
    assert covers(vertices, points, near)


def test_a_difference_shows():
    a = ours(CHOSEN[0])
    scale = np.abs(a).max()
    turned = a.copy()
    turned[0] = turned[0, ::-1]
    for b in (turned, a + 1e-4 * scale, a[1:]):
        with pytest.raises(AssertionError):
            same_surface(b, a)
    points = a.reshape(-1, 3)
    assert not covers(points, points + [0, 0, 1e-4 * scale], 2 * TOLERANCE * scale)


# ---- files made here: a bumpy sheet of squares


N = 6
GRID = np.array([[x, y, 0.3 * np.sin(x + 2 * y)] for y in range(N) for x in range(N)], "f4")
SQUARES = [
    (y * N + x, y * N + x + 1, y * N + N + x + 1, y * N + N + x)
    for y in range(N - 1)
    for x in range(N - 1)
]
HALVES = [half for a, b, c, d in SQUARES for half in ((a, b, c), (a, c, d))]


def ply(kind, faces):
    order = {"ascii": "", "binary_little_endian": "<", "binary_big_endian": ">"}[kind]
    head = (
        f"ply\nformat {kind} 1.0\ncomment a sheet\nelement vertex {len(GRID)}\nproperty uchar red\nproperty double y\n"
        f"property float x\nproperty float z\nelement face {len(faces)}\nproperty list uchar ushort vertex_indices\n"
        "property int flags\nend_header\n"
    )
    if not order:
        rows = [f"7 {float(y):.17g} {x:.9g} {z:.9g}" for x, y, z in GRID]
        rows += [f"{len(f)} {' '.join(map(str, f))} -1" for f in faces]
        return (head + "\n".join(rows) + "\n").encode()
    body = b"".join(struct.pack(order + "Bdff", 7, y, x, z) for x, y, z in GRID)
    for f in faces:
        body += struct.pack(f"{order}B{len(f)}Hi", len(f), *f, -1)
    return head.encode() + body


@pytest.mark.parametrize("kind", ["ascii", "binary_little_endian", "binary_big_endian"])
@pytest.mark.parametrize("faces", [SQUARES, HALVES], ids=["squares", "triangles"])
def test_ply(tmp_path, kind, faces):
    path = tmp_path / "sheet.ply"
    path.write_bytes(ply(kind, faces))
    same_surface(ours(path), GRID[np.array(HALVES)])
    vertices, triangles = theirs(path)
    same_surface(ours(path), vertices[triangles])


STRIPS = [[y * N + x + k * N for x in range(N) for k in (1, 0)] for y in range(N - 1)]
ZIGZAG = [
    (s[k + k % 2], s[k + 1 - k % 2], s[k + 2])  # each second triangle the other way round
    for s in STRIPS
    for k in range(len(s) - 2)
]


def placed(faces, *places):
    """The triangles of the sheet, placed by matrices; where one mirrors, the corners change places."""
    triangles = []
    for place in places:
        t = GRID[np.array(faces)] @ place[:3, :3].T + place[:3, 3]
        triangles.append(t[:, ::-1] if np.linalg.det(place) < 0 else t)
    return np.concatenate(triangles)


def translate(*v):
    t = np.eye(4)
    t[:3, 3] = v
    return t


def scale(*v):
    return np.diag([*v, 1.0])


def turn(axis, degrees):
    i, k = (axis + 1) % 3, (axis + 2) % 3
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    t = np.eye(4)
    t[i, i], t[k, k], t[k, i], t[i, k] = c, c, s, -s
    return t


MATRIX = np.array([[0, -1, 0, 4], [1, 0, 0, 5], [0, 0, 2, 6], [0, 0, 0, 1.0]])
PLACES = [
    (
        "<translate>1 2 3</translate><rotate>0 0 1 30</rotate><rotate>2 0 0 -70</rotate><scale>1 2 3</scale>",
        translate(1, 2, 3) @ turn(2, 30) @ turn(0, -70) @ scale(1, 2, 3),
    ),
    ("<scale>1 -1 2</scale><translate>1 0 0</translate>", scale(1, -1, 2) @ translate(1, 0, 0)),
    (
        "<matrix>0 -1 0 4 1 0 0 5 0 0 2 6 0 0 0 1</matrix><translate>0 1 0</translate>",
        MATRIX @ translate(0, 1, 0),
    ),
]


def collada(kind, place, unit, axis):
    def words(rows):
        return " ".join(str(k) for row in rows for k in row)

    vertex = '<input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" source="#n" offset="0"/>'
    # two numbers a corner: the second names the vertex
    pair = [(0, k) for f in (SQUARES if kind in ("polylist", "polygons") else HALVES) for k in f]
    if kind == "triangles":
        lists = f'<triangles count="{len(HALVES)}">{vertex}<p>{words(pair)}</p></triangles>'
    elif kind == "polylist":
        count = words([[4]] * len(SQUARES))
        lists = f'<polylist count="{len(SQUARES)}">{vertex}<vcount>{count}</vcount><p>{words(pair)}</p></polylist>'
    elif kind == "polygons":
        each = "".join(f"<p>{words((0, k) for k in f)}</p>" for f in SQUARES)
        lists = f'<polygons count="{len(SQUARES)}">{vertex}{each}</polygons>'
    elif kind == "tristrips":
        each = "".join(f"<p>{words((0, k) for k in f)}</p>" for f in STRIPS)
        lists = f'<tristrips count="{len(STRIPS)}">{vertex}{each}</tristrips>'
    else:
        each = "".join(f"<p>{words((0, k) for k in f)}</p>" for f in SQUARES)
        lists = f'<trifans count="{len(SQUARES)}">{vertex}{each}</trifans>'
    params = "".join(f'<param name="{c}" type="float"/>' for c in "XYZ")

    def source(name, numbers):
        return (
            f'<source id="{name}"><float_array id="{name}a" count="{3 * len(numbers)}">{words(numbers)}</float_array>'
            f'<technique_common><accessor source="#{name}a" count="{len(numbers)}" stride="3">{params}</accessor>'
            "</technique_common></source>"
        )

    return (
        '<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>'
        f'<unit name="u" meter="{unit}"/><up_axis>{axis}</up_axis></asset><library_geometries><geometry id="g"><mesh>'
        f'{source("p", GRID)}{source("n", [(0, 0, 1)])}<vertices id="v"><input semantic="POSITION" source="#p"/>'
        f"</vertices>{lists}</mesh></geometry></library_geometries><library_nodes>"
        '<node id="l"><translate>0 0 5</translate><instance_geometry url="#g"/></node></library_nodes>'
        f'<library_visual_scenes><visual_scene id="s"><node id="a">{place}<instance_geometry url="#g"/><node id="b">'
        '<scale>2 2 2</scale><instance_node url="#l"/></node></node></visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#s"/></scene></COLLADA>'
    ).encode()


@pytest.mark.parametrize("kind", ["triangles", "polylist", "polygons", "tristrips", "trifans"])
@pytest.mark.parametrize("place", range(3))
def test_collada(tmp_path, kind, place):
    path = tmp_path / "sheet.dae"
    unit, axis = [(1, "Z_UP"), (0.01, "Y_UP"), (0.0254, "X_UP")][place]
    text, first = PLACES[place]
    path.write_bytes(collada(kind, text, unit, axis))
    first = scale(unit, unit, unit) @ first  # the unit counts, the up axis does not
    second = first @ scale(2, 2, 2) @ translate(0, 0, 5)
    same_surface(ours(path), placed(ZIGZAG if kind == "tristrips" else HALVES, first, second))


def gltf(mode, index):
    """The parts of a document, and the bytes of its buffer."""
    form, kind = {"B": ("u1", 5121), "H": ("<u2", 5123), "I": ("<u4", 5125), "": ("", 0)}[index]
    rows = STRIPS if mode == 5 else [list(f) for f in (SQUARES if mode == 6 else HALVES)]
    rows = rows if mode != 4 else [[k for f in rows for k in f]]
    data = b"".join(v.astype("<f4").tobytes() + b"\0" * 8 for v in GRID)
    views = [{"buffer": 0, "byteLength": len(data), "byteStride": 20}]
    accessors = [{"bufferView": 0, "componentType": 5126, "count": len(GRID), "type": "VEC3"}]
    accessors[0].update(min=GRID.min(0).tolist(), max=GRID.max(0).tolist())
    primitives = []
    for row in rows:
        if form:
            more = np.array(row, form).tobytes()
            accessors.append({"bufferView": len(views), "componentType": kind, "count": len(row)})
            accessors[-1]["type"] = "SCALAR"
            primitives.append({"attributes": {"POSITION": 0}, "indices": len(accessors) - 1})
        else:
            more = GRID[row].astype("<f4").tobytes()
            accessors.append({"bufferView": len(views), "componentType": 5126, "count": len(row)})
            accessors[-1].update(type="VEC3", min=[0, 0, 0], max=[0, 0, 0])
            primitives.append({"attributes": {"POSITION": len(accessors) - 1}})
        primitives[-1]["mode"] = mode
        views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(more)})
        data += more + b"\0" * (-len(more) % 4)
    nodes = [
        {"children": [1, 2], "translation": [1, 2, 3], "rotation": [0, 0.6, 0, 0.8]},
        {"mesh": 0, "scale": [1, -2, 3]},
        {"mesh": 0, "matrix": MATRIX.T.ravel().tolist()},
    ]
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": nodes,
        "meshes": [{"primitives": primitives}], "accessors": accessors, "bufferViews": views,
        "buffers": [{"byteLength": len(data)}],
    }  # fmt: skip
    return document, data


@pytest.mark.parametrize("mode", [4, 5, 6])
@pytest.mark.parametrize("index", ["", "B", "H", "I"])
@pytest.mark.parametrize("where", ["text", "beside", "binary"])
def test_gltf(tmp_path, mode, index, where):
    document, data = gltf(mode, index)
    path = tmp_path / ("sheet.glb" if where == "binary" else "sheet.gltf")
    if where == "binary":
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<I4s", len(text), b"JSON") + text
        chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
        path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    elif where == "text":
        coded = base64.b64encode(data).decode()
        document["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{coded}"
        path.write_text(json.dumps(document))
    else:
        document["buffers"][0]["uri"] = "sheet.bin"
        path.write_text(json.dumps(document))
        (tmp_path / "sheet.bin").write_bytes(data)
    # what is beside a file is found on disk
    triangles = load(str(path), {}) if where == "beside" else ours(path)
    root = translate(1, 2, 3) @ turn(1, np.degrees(2 * np.arctan2(0.6, 0.8)))
    faces = ZIGZAG if mode == 5 else HALVES
    same_surface(triangles, placed(faces, root @ scale(1, -2, 3), root @ MATRIX))
