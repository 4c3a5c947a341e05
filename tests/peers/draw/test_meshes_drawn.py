"""Meshes, hulls, height fields and skins against the peer's pictures; what is on the card against the model."""

import sys

import numpy as np
import pytest

import models
import sinew
from picture_pair import distance, ours, pair
from sinew import mujoco
from sinew.draw import geometry, kinds, solid
from sinew.draw.drawing import Drawing

# Equal facets lit alike: what differs are single samples at edges, by the rounding of clip space.
EDGES = 0.002

TEXTURES = """
  <texture name="t" type="2d" builtin="checker" width="64" height="48" rgb1=".2 .3 .4" rgb2=".8 .3 .2" mark="edge"
   markrgb="1 1 0"/>
  <texture name="c" type="cube" builtin="gradient" width="32" height="192" rgb1=".6 .3 .3" rgb2=".2 .6 .3"
   mark="cross" markrgb="1 1 1"/>
  <material name="plain" rgba=".8 .7 .6 1"/>
  <material name="2d" texture="t" texrepeat="2 3"/>
  <material name="2d uniform" texture="t" texrepeat="2 3" texuniform="true"/>
  <material name="cube" texture="c"/>
  <material name="cube uniform" texture="c" texuniform="true"/>"""
MATERIALS = ("plain", "2d", "2d uniform", "cube", "cube uniform")
SIDE = '<camera name="c" pos="0 -2.6 2.2" xyaxes="1 0 0 0 .65 .76"/>'
ROCK = (
    '<mesh name="m" vertex="0 0 0 .6 0 0 0 .4 0 0 0 .5 .1 .12 .1" '
    'face="0 2 1 0 3 2 0 1 3 1 2 4 2 3 4 3 1 4" {more}/>'
)


def model(world, assets=""):
    """The text of a model."""
    return (
        f"<mujoco><asset>{TEXTURES}{assets}</asset><worldbody>{SIDE}<light pos='0 -2 5' dir='0 .4 -1'/>"
        f"{world}</worldbody></mujoco>"
    )


def each(kind, more=""):
    """A geom of a type in each material."""
    return "".join(
        f'<geom type="{kind}" {more} material="{name}" pos="{0.8 * k - 1.7} -.4 .1" euler="20 30 40"/>'
        for k, name in enumerate(MATERIALS)
    )


def robot(*parts):
    """A file of example-robot-data."""
    return models.folder("cmeel").parent.joinpath(
        "cmeel.prefix/share/example-robot-data/robots", *parts
    )


ROBOTS = [
    robot("so_arm_description/meshes/so100/Base.stl"),
    robot("talos_data/meshes/head/head_2.stl"),
    robot("cassie_description/meshes/pelvis.stl"),
    robot("laikago_description/meshes/trunk.obj"),
    robot("alex_description/meshes/wristmesh.obj"),
    robot("alexander_description/meshes/torso.obj"),
]


@pytest.mark.parametrize("hull", [0, 1])
@pytest.mark.parametrize("path", ROBOTS, ids=lambda p: p.stem)
def test_meshes_and_hulls_of_robots(path, hull):
    text = (
        f'<mujoco><asset>{TEXTURES}<mesh name="m" file="{path}"/></asset><worldbody>'
        '<geom type="mesh" mesh="m" material="2d"/></worldbody></mujoco>'
    )
    # hulls have no texture coordinates of their own: the peer draws them with those of the last corner before
    given = [(0, "texcoord", 0)] if hull else []
    assert distance(*pair(text, options={"CONVEXHULL": hull}, geoms=given)) < EDGES


@pytest.mark.parametrize("more", ["", 'smoothnormal="true"', 'texcoord="0 0 1 0 0 1 1 1 .5 2"'])
@pytest.mark.parametrize("hull", [0, 1])
def test_a_mesh_in_all_materials(more, hull):
    text = model(each("mesh", 'mesh="m"'), ROCK.format(more=more))
    rows = range(len(MATERIALS))
    # a texture that is a cube on coordinates that are flat is an error of OpenGL with the peer, which then draws
    # with whatever was bound before; and hulls, which have no coordinates, with those of the last mesh
    given = [(k, "texcoord", 0) for k in rows if "cube" in MATERIALS[k] or hull]
    assert distance(*pair(text, camera="c", options={"CONVEXHULL": hull}, geoms=given)) < EDGES


def test_texture_coordinates_of_hulls_and_on_cubes_are_found_as_without():
    text = model(each("mesh", 'mesh="m"'), ROCK.format(more='texcoord="0 0 1 0 0 1 1 1 .5 2"'))
    off = [(k, "texcoord", 0) for k in range(len(MATERIALS))]
    hulls = [ours(text, camera="c", options={"CONVEXHULL": 1}, geoms=g) for g in ((), off)]
    assert np.array_equal(*hulls)
    cubes = [g for g in off if "cube" in MATERIALS[g[0]]]
    assert np.array_equal(*(ours(text, camera="c", geoms=g) for g in ((), cubes)))


FIELD = '<hfield name="h" nrow="12" ncol="15" size="1 .8 .3 .2" elevation="{}"/>'.format(
    " ".join(str(k * 37 % 17) for k in range(180))
)


@pytest.mark.parametrize("elevation", [-30, -5, 40])
def test_height_fields_from_above_the_side_and_below(elevation):
    text = model(each("hfield", 'hfield="h"'), FIELD)
    camera = {"lookat": (0, 0, 0), "distance": 5, "azimuth": 60, "elevation": elevation}
    assert distance(*pair(text, camera=camera)) < EDGES


def test_the_height_field_of_dm_controls_quadruped():
    path = models.folder("dm_control", "suite", "quadruped.xml")
    m = mujoco.MjModel.from_xml_path(str(path))
    assert m.nhfield == 1
    rows, columns = np.mgrid[0 : m.hfield_nrow[0], 0 : m.hfield_ncol[0]]
    hills = 0.5 + 0.25 * (np.sin(rows / 9) + np.cos(columns / 7))
    assert (
        distance(*pair(path, camera=0, changes={"hfield_data": hills.ravel()})) < 0.05
    )  # rays at edges


@pytest.mark.parametrize(
    "path",
    [
        models.folder("dm_control", "suite", "dog.xml"),
        models.folder("dm_control", "locomotion", "walkers", "assets", "rodent.xml"),
        models.folder("dm_control", "locomotion", "walkers", "assets", "humanoid_CMU_V2020.xml"),
    ],
    ids=lambda p: p.stem,
)
def test_skins_and_meshes_of_walkers_in_random_poses(path):
    m = mujoco.MjModel.from_xml_path(str(path))
    rng = np.random.default_rng(1)
    qpos = m.qpos0 + 0.2 * rng.normal(size=m.nq) * (np.arange(m.nq) > 6)
    assert distance(*pair(path, qpos=qpos)) < EDGES


# ---- on the graphics card


def drawing(text):
    """A drawing of a model."""
    return Drawing(mujoco.MjModel.from_xml_string(text))


def corners(made, key):
    """The corners of a shape's triangles as they are on the card, [3 n, 9]."""
    with made.context:
        index = made.geometry.find(key)
        place = made.geometry.places[index]
        rows = np.frombuffer(made.geometry.vertices.buffer.read(), np.float32)
        indices = np.frombuffer(made.geometry.indices.buffer.read(), np.uint32)
    rows = rows[: len(rows) // solid.COLUMNS * solid.COLUMNS].reshape(-1, solid.COLUMNS)
    return rows[indices[place[0] : place[0] + place[1]]]


@pytest.mark.parametrize("path", [*ROBOTS[:1], *ROBOTS[3:4]], ids=lambda p: p.stem)
def test_corners_are_those_of_the_model_to_the_bit(path, monkeypatch):
    monkeypatch.setattr(geometry, "LARGE", 10**9)  # pieces have another order
    made = drawing(f'<mujoco><asset><mesh name="m" file="{path}"/></asset></mujoco>')
    m, found = made.model, corners(made, (kinds.MESH, 0))
    assert np.array_equal(found[:, :3], m.mesh_vert[m.mesh_face.ravel()])
    if m.nmeshtexcoord:
        assert np.array_equal(found[:, 4:7], m.mesh_normal[m.mesh_facenormal.ravel()])
        assert np.array_equal(found[:, 7:], m.mesh_texcoord[m.mesh_facetexcoord.ravel()])
    else:
        smooth = (found[:, 4:7] == m.mesh_normal[m.mesh_facenormal.ravel()]).all(axis=1)
        points = found[:, :3].reshape(-1, 3, 3).astype(float)
        normal = np.cross(points[:, 1] - points[:, 0], points[:, 2] - points[:, 0])
        normal /= np.linalg.norm(normal, axis=1, keepdims=True).clip(1e-15)
        along = (normal.repeat(3, axis=0) * m.mesh_normal[m.mesh_facenormal.ravel()]).sum(axis=1)
        assert 0.1 < smooth.mean() < 1
        assert np.array_equal(
            smooth[abs(along - 0.8) > 1e-4], (along >= 0.8)[abs(along - 0.8) > 1e-4]
        )
    made.release()


def test_vertices_that_corners_share_are_there_once():
    made = drawing(
        model("", ROCK.format(more='smoothnormal="true" texcoord="0 0 1 0 0 1 1 1 .5 2"'))
    )
    assert len(made.geometry.makers[kinds.MESH](0).vertices) == 5
    made.release()


def changed(text, change, upload):
    """Pictures before a change of a model, after it, and after the upload."""
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    with mujoco.Renderer(m) as renderer:
        renderer.update_scene(d, "c")
        found = [renderer.render()]
        change(m)
        found.append(renderer.render())
        upload(m, renderer._mjr_context, 0)
        found.append(renderer.render())
    with sinew.Renderer(m) as renderer:
        renderer.update_scene(d, "c")
        found.append(renderer.render())
    return found


def test_a_changed_mesh_is_drawn_after_its_upload():
    def change(m):
        m.mesh_vert[:] *= 1.5

    text = model(each("mesh", 'mesh="m"'), ROCK.format(more=""))
    before, meanwhile, after, fresh = changed(text, change, mujoco.mjr_uploadMesh)
    assert np.array_equal(before, meanwhile)
    assert np.array_equal(after, fresh)
    assert distance(before, after) > 1


def test_a_changed_height_field_is_drawn_after_its_upload():
    def change(m):
        m.hfield_data[:] = m.hfield_data[::-1].copy()

    text = model(each("hfield", 'hfield="h"'), FIELD)
    before, meanwhile, after, fresh = changed(text, change, mujoco.mjr_uploadHField)
    assert np.array_equal(before, meanwhile)
    assert np.array_equal(after, fresh)
    assert distance(before, after) > 1


def test_uploads_again_and_again_take_no_more_room():
    made = drawing(model("", ROCK.format(more="") + FIELD))
    used = []
    for _ in range(4):
        with made.context:
            made.geometry.find((kinds.MESH, 0)), made.geometry.find((kinds.HFIELD, 0))
        made.upload_mesh(0)
        made.upload_hfield(0)
        used.append((made.geometry.vertices.used, made.geometry.indices.used))
    assert len(set(used)) == 1
    made.release()


# ---- much, and nothing


def sheet(side):
    """The vertices [side^2, 3] and triangles of a curved sheet."""
    u, v = np.meshgrid(np.linspace(-1, 1, side), np.linspace(-1, 1, side))
    points = np.stack([u, v, 0.3 * np.cos(5 * u) * np.sin(4 * v)], axis=-1).reshape(-1, 3)
    at = np.arange(side * side).reshape(side, side)
    a, b, c, d = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
    return points, np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)


class Mesh:
    """The members of a model that its only mesh has."""

    def __init__(self, points, faces):
        self.mesh_vert = self.mesh_normal = points.astype(np.float32)
        self.mesh_face = self.mesh_facenormal = faces.astype(np.int32)
        self.mesh_faceadr = self.mesh_vertadr = self.mesh_normaladr = [0]
        self.mesh_facenum, self.mesh_vertnum = [len(faces)], [len(points)]
        self.mesh_normalnum, self.mesh_texcoordadr = [len(points)], [-1]


def calls_of(function, *given):
    """What it returns, and how many functions it called, Python's and others."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        return function(*given), count
    finally:
        sys.setprofile(None)


def test_a_million_triangles_are_no_more_work_for_python_than_few():
    """Seconds, then: all that is done for each of them is done by NumPy."""
    from sinew.draw import assets

    _, few = calls_of(assets.mesh, Mesh(*sheet(30)), 0)
    points, faces = sheet(708)
    made, many = calls_of(assets.mesh, Mesh(points, faces), 0)
    assert len(made.triangles()) == len(faces) >= 999_000
    assert many == few


@pytest.mark.parametrize(
    ("kind", "world", "assets"),
    [
        ("mesh", '<geom type="mesh" mesh="m"/>', ROCK.format(more="")),
        ("hfield", '<geom type="hfield" hfield="h"/>', FIELD),
    ],
)
@pytest.mark.parametrize("dataid", [-1, 99, -(2**31)])
def test_geoms_whose_asset_is_not_there_draw_nothing(kind, world, assets, dataid):
    nothing = ours(model("", assets), camera="c")
    assert np.array_equal(
        ours(model(world, assets), camera="c", geoms=[(0, "dataid", dataid)]), nothing
    )


def test_a_mesh_without_triangles_is_nothing():
    from sinew.draw import assets

    points, faces = sheet(3)
    assert assets.mesh(Mesh(points, faces), 0) is not None
    assert assets.mesh(Mesh(points, faces[:0]), 0) is None


def test_an_sdf_is_drawn_as_its_mesh():
    text = model(each("mesh", 'mesh="m"'), ROCK.format(more=""))
    kinds_ = [(k, "type", kinds.SDF) for k in range(len(MATERIALS))]
    assert np.array_equal(ours(text, camera="c", geoms=kinds_), ours(text, camera="c"))


def test_skins_that_are_not_there_draw_nothing():
    text = model('<geom size=".3"/>')
    wrong = [(0, "type", kinds.SKIN), (0, "objid", 3)]
    assert np.array_equal(ours(text, camera="c", geoms=wrong), ours(model(""), camera="c"))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("mesh_face", "mesh 0 has a corner at 999, of 5"),
        ("mesh_facenormal", "mesh 0 has a corner at 999"),
    ],
)
def test_corners_that_are_not_there_are_told(name, said):
    text = model(each("mesh", 'mesh="m"'), ROCK.format(more=""))
    with pytest.raises(ValueError, match=said):
        ours(text, camera="c", changes={name: 999})


def test_assets_that_are_not_there_cannot_be_uploaded():
    made = drawing(model(""))
    for upload, what in ((made.upload_mesh, "mesh"), (made.upload_hfield, "height field")):
        with pytest.raises(ValueError, match=f"{what} 0 of a model with 0"):
            upload(0)
    made.release()
