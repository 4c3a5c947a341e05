"""The first picture of somebody's robot: visual shapes in their colours, all in view, on a stage that nobody simulates."""

import mujoco
import numpy as np
import pytest
from PIL import Image

import sinew
from sinew import render

SIZE = 160, 120
RED, BLUE, YELLOW = (0.9, 0.1, 0.1), (0.1, 0.1, 0.9), (0.9, 0.8, 0.1)

EFFECT = """<effect id="e{0}"><profile_COMMON><technique sid="common"><phong><emission><color>0 0 0 1</color></emission>
<diffuse><color sid="diffuse">{1} 0</color></diffuse></phong></technique></profile_COMMON></effect>"""
CORNERS = "0 0 0 1 0 0 0 1 0 0 0 1"
SIDES = "0 2 1 0 1 3 0 3 2 1 2 3"


def collada(colours, shift=1.5):
    """A tetrahedron for each colour, beside each other, in one geometry; None: without a material."""
    lists, places, effects, materials, bound = "", "", "", "", ""
    for k, colour in enumerate(colours):
        points = np.array(CORNERS.split(), float).reshape(4, 3) + (0, k * shift, 0)
        places += " ".join(map(str, points.ravel())) + " "
        corners = " ".join(str(int(i) + 4 * k) for i in SIDES.split())
        named = "" if colour is None else f'material="paint{k}"'
        lists += (
            f'<triangles {named} count="4"><input semantic="VERTEX" source="#v" offset="0"/>'
            f"<p>{corners}</p></triangles>"
        )
        if colour is not None:
            effects += EFFECT.format(k, " ".join(map(str, colour)))
            materials += f'<material id="m{k}"><instance_effect url="#e{k}"/></material>'
            bound += f'<instance_material symbol="paint{k}" target="#m{k}"/>'
    count = 4 * len(colours)
    return f"""<?xml version="1.0"?><COLLADA><library_effects>{effects}</library_effects>
<library_materials>{materials}</library_materials><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="f" count="{3 * count}">{places}</float_array><technique_common>
<accessor source="#f" count="{count}" stride="3"><param name="X"/><param name="Y"/><param name="Z"/></accessor>
</technique_common></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{lists}</mesh></geometry>
</library_geometries><library_visual_scenes><visual_scene id="s"><node><instance_geometry url="#g"><bind_material>
<technique_common>{bound}</technique_common></bind_material></instance_geometry></node></visual_scene>
</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


def robot(base="", arm="", more=""):
    """A base with an arm on a hinge that turns about y; shapes of both are given."""
    mass = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    return f"""<robot name="r">{more}<link name="base">{mass}{base}</link><link name="arm">{mass}{arm}</link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""


def shape(kind, geometry, place="0 0 0", colour=None):
    paint = "" if colour is None else f'<color rgba="{" ".join(map(str, colour))} 1"/>'
    paint = f'<material name="">{paint}</material>' if paint else ""
    return f'<{kind}><origin xyz="{place}"/><geometry>{geometry}</geometry>{paint}</{kind}>'


HULL = shape("collision", '<box size="1 1 1"/>')
BOX = shape("visual", '<box size=".5 .5 .5"/>', colour=RED)
ROD = shape("collision", '<cylinder radius=".1" length="1.2"/>', "0 0 .6")


@pytest.fixture
def draw(tmp_path, monkeypatch):
    """`sinew render` in an empty folder: the pixels of the picture that it writes, or numbers."""
    monkeypatch.chdir(tmp_path)

    def run(model, *words, output="a.png", size=SIZE, code=0):
        small = ("--size", f"{size[0]}x{size[1]}", "--quality", "fast")
        found = render.main([str(model), *small, *map(str, words), "-o", output])
        assert found == code
        if code or "%" in output:
            return None
        return np.load(output) if output.endswith(".npy") else np.asarray(Image.open(output))

    run.folder = tmp_path
    return run


def write(folder, text, name="robot.urdf"):
    (folder / name).write_text(text)
    return folder / name


def hue(pixels, colour):
    """How many pixels have the hue of a colour, however they are lit."""
    unit = np.array(colour) / np.linalg.norm(colour)
    length = np.linalg.norm(pixels.astype(float), axis=-1)
    return int(((pixels @ unit > 0.97 * length) & (length > 40)).sum())


# ---- visual shapes


def test_visual_shapes_are_drawn(draw):
    """The red box, not the hull about it; the rod, whose link has no visual shape, too."""
    path = write(draw.folder, robot(HULL + BOX, ROD))
    pixels = draw(path)
    assert hue(pixels, RED) > 300
    objects = draw(path, "--segmentation", output="s.npy")
    model, _ = _visible(path)
    seen = [g for g in np.unique(objects[..., 0]) if g >= 0]
    types = sorted((int(model.geom_type[g]), int(model.geom_group[g])) for g in seen)
    assert types == [(5, 1), (6, 1)]
    hulls = draw(path, "--segmentation", "--group", "geom=0", output="s.npy")
    seen = [g for g in np.unique(hulls[..., 0]) if g >= 0]
    assert sorted((int(model.geom_type[g]), int(model.geom_group[g])) for g in seen) == [
        (5, 0),
        (6, 0),
    ]
    assert np.array_equal(pixels, draw(path, "--keep-visuals"))


def _visible(path):
    from sinew.picture.robot import visible_robot

    return visible_robot(str(path), [], False)


def test_only_collision_shapes(draw, capsys):
    """A robot without visual shapes looks like these; one whose mesh is missing as well, with a warning."""
    bare = draw(write(draw.folder, robot(HULL, ROD)), "--segmentation", output="s.npy")
    assert len(np.unique(bare[..., 0])) == 3
    gone = shape("visual", '<mesh filename="package://nowhere/gone.dae"/>')
    path = write(draw.folder, robot(HULL + gone, ROD))
    assert np.array_equal(draw(path, "--segmentation", output="s.npy"), bare)
    said = capsys.readouterr().err
    assert "visual shapes are left out, collision shapes are drawn" in said and "gone.dae" in said
    draw(path, "--strict", code=1)
    assert "gone.dae" in capsys.readouterr().err


def test_what_is_drawn_is_what_is_simulated(draw):
    """Bodies, joints and masses are those of the model without visual shapes, also where the file discards them."""
    extension = '<mujoco><compiler discardvisual="true"/></mujoco>'
    path = write(draw.folder, robot(HULL + BOX, ROD, extension))
    model, visuals = _visible(path)
    plain = sinew.Model.from_path(path)
    assert visuals and model.ngeom > plain.ngeom
    for name in ("body_mass", "body_inertia", "body_parentid", "jnt_bodyid", "qpos0"):
        assert np.array_equal(getattr(model, name), getattr(plain, name)), name
    data = [sinew.Data(m) for m in (model, plain)]
    for d in data:
        d.qvel[:] = 1
        sinew.step(d.model, d, nstep=50)
    assert np.array_equal(data[0].qpos, data[1].qpos)


def test_a_recording_without_visual_shapes(draw):
    """What `sinew simulate` records of the URDF, which it loads without them, is a film with them, all in view."""
    path = write(draw.folder, robot(HULL + BOX, ROD))
    model = sinew.Model.from_path(path)
    recorder = sinew.Recorder(model)
    data = sinew.Data(model)
    for angle in np.linspace(0, 3, 31):
        data.qpos[:], data.time = angle, angle / 3
        recorder.add(data)
    recorder.save("run.npy")
    draw(path, "--recording", "run.npy", "--fps", 10, "--segmentation", output="f_%02d.png")
    frames = [np.asarray(Image.open(f"f_{k:02d}.png")) for k in range(11)]
    for frame in frames:
        assert not frame[[0, -1]].any() and not frame[:, [0, -1]].any()
    assert (frames[0] != frames[-1]).any(-1).mean() > 0.02
    draw(path, "--recording", "run.npy", "--fps", 10, output="c_%02d.png")
    assert hue(np.asarray(Image.open("c_05.png")), RED) > 100


# ---- colours of files


def colours_of(path, **options):
    model = sinew.Spec.from_urdf(path, keep_visuals=True, **options).compile()
    group = np.asarray(model.geom_group) == 1
    return model, [tuple(np.round(c[:3], 2)) for c in np.asarray(model.geom_rgba)[group].tolist()]


def test_colours_of_collada(draw):
    """Each colour is a geom; what has none is grey; a <material> of the URDF wins; collision shapes stay whole."""
    write(draw.folder, collada([BLUE, YELLOW, None, BLUE]), "two.dae")
    write(draw.folder, collada([YELLOW, YELLOW]), "one.dae")
    mesh = '<mesh filename="{}.dae" scale=".5 .5 .5"/>'.format
    shapes = (
        shape("visual", mesh("two")) + shape("visual", mesh("one")),
        shape("collision", mesh("two")) + shape("visual", mesh("two"), colour=RED),
    )
    path = write(draw.folder, robot(*shapes))
    model, found = colours_of(path)
    assert found == [BLUE, YELLOW, (0.5, 0.5, 0.5), YELLOW, RED]
    assert model.ngeom == 6 and model.nmesh == 5
    counts = sorted(np.asarray(model.mesh_facenum).tolist())
    assert counts == [4, 4, 8, 8, 16]
    pixels = draw(path)
    assert hue(pixels, BLUE) > 100 and hue(pixels, YELLOW) > 100 and hue(pixels, RED) > 100


def test_colours_in_converted_models(draw):
    """Written as MJCF, parts stand in the text, and the peer has the same geoms; a compiled model keeps its source."""
    write(draw.folder, collada([BLUE, YELLOW]), "two.dae")
    path = write(draw.folder, robot(shape("visual", '<mesh filename="two.dae"/>')))
    spec = sinew.Spec.from_urdf(path, keep_visuals=True)
    peer = mujoco.MjModel.from_xml_string(spec.to_xml())
    np.testing.assert_allclose(peer.geom_rgba[:, :3], [BLUE, YELLOW], atol=1e-3)
    assert peer.mesh_facenum.tolist() == [4, 4]


def test_colours_out_of_order(draw, capsys):
    """Materials that lead nowhere are none; a mesh has more than a face, and not every face a colour of its own."""
    path = write(draw.folder, robot(shape("visual", '<mesh filename="a.dae"/>')))
    whole = collada([BLUE, YELLOW])
    for old, new in (
        ('target="#m0"', 'target="#nothing"'),
        ('url="#e0"', 'url="http://e0"'),
        ("0.1 0.1 0.9 0", "blue"),
        ("<phong>", "<constant>"),
    ):
        write(
            draw.folder,
            whole.replace(old, new, 1).replace("</phong>", "</constant>", new == "<constant>"),
            "a.dae",
        )
        assert colours_of(path)[1] in ([(0.5, 0.5, 0.5), YELLOW], [YELLOW, (0.5, 0.5, 0.5)]), new
    many = [(round(k / 50, 2), 0.5, 0.5) for k in range(50)]
    write(draw.folder, collada(many), "a.dae")
    model, found = colours_of(path)
    assert len(set(found)) == model.ngeom == 32 and model.mesh_facenum.sum() == 200
    spec = sinew.Spec.from_xml(
        '<mujoco><asset><mesh name="a" file="a.dae" content_type="model/vnd.collada+xml; color=99"/></asset>'
        '<worldbody><geom type="mesh" mesh="a"/></worldbody></mujoco>'
    )
    with pytest.raises(ValueError, match=r"there are 32, K is from 0 on"):
        spec.compile()


# ---- the view


@pytest.mark.parametrize("size", [(160, 120), (200, 80), (80, 200)])
@pytest.mark.parametrize("words", [(), ("--azimuth", 20), ("--elevation", -70)])
def test_the_whole_robot_is_in_view(draw, size, words):
    """No pixel of it is at an edge, and it fills the picture along a side."""
    path = write(draw.folder, robot(BOX, ROD.replace("collision", "visual")))
    seen = draw(path, "--segmentation", *words, output="s.npy", size=size)[..., 0] >= 0
    assert not seen[[0, -1]].any() and not seen[:, [0, -1]].any()
    rows, columns = np.flatnonzero(seen.any(1)), np.flatnonzero(seen.any(0))
    high, wide = np.ptp(rows) / size[1], np.ptp(columns) / size[0]
    assert 0.75 < max(high, wide) < 0.95


SHAPES = {
    "sphere": 'type="sphere" size=".3"',
    "capsule": 'type="capsule" size=".1 .5" euler="30 40 50"',
    "ellipsoid": 'type="ellipsoid" size=".1 .5 .2" euler="30 40 50"',
    "cylinder": 'type="cylinder" size=".3 .1" euler="30 40 50"',
    "box": 'type="box" size=".1 .5 .2" euler="30 40 50"',
    "mesh": 'type="mesh" mesh="m" euler="30 40 50"',
}


@pytest.mark.parametrize("kind", SHAPES)
def test_every_shape_is_in_view(draw, kind):
    """What is far from the world's middle too, in front of a plane that does not count."""
    path = write(
        draw.folder,
        f'<mujoco><asset><mesh name="m" vertex="{CORNERS}"/></asset><worldbody><geom type="plane" size="9 9 1"/>'
        f'<body pos="2 3 1"><geom {SHAPES[kind]}/></body></worldbody></mujoco>',
        "a.xml",
    )
    objects = draw(path, "--segmentation", output="s.npy")
    seen = objects[..., 0] == 1
    assert not seen[[0, -1]].any() and not seen[:, [0, -1]].any()
    spread = [np.ptp(np.flatnonzero(seen.any(axis))) / SIZE[axis] for axis in (0, 1)]
    assert 0.7 < max(spread) < 0.95


@pytest.mark.parametrize(
    "head",
    [
        '<statistic extent="4"/>',
        '<statistic center="0 0 1"/>',
        '<visual><global azimuth="10"/></visual>',
        '<visual><global orthographic="true" fovy="5"/></visual>',
    ],
)
def test_a_view_of_the_models_own(draw, head):
    """It stays: the picture is a Renderer's."""
    text = f'<mujoco>{head}<worldbody><geom size=".1"/><geom size=".1" pos="1 0 0"/></worldbody></mujoco>'
    path = write(draw.folder, text, "a.xml")
    model = sinew.Model.from_path(path)
    with sinew.Renderer(model, SIZE[1], SIZE[0], quality="fast") as renderer:
        data = sinew.Data(model)
        sinew.forward(model, data)
        renderer.update_scene(data)
        assert np.array_equal(draw(path, "--bare"), renderer.render())


def test_a_simulation_is_in_view(draw):
    """Where it will go is known before its first picture."""
    text = '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    draw(
        write(draw.folder, text, "a.xml"), "--simulate", 1, "--fps", 4, "--bare", output="f_%d.png"
    )
    for k in range(5):
        frame = np.asarray(Image.open(f"f_{k}.png"))
        assert frame.any() and not frame[[0, -1]].any() and not frame[:, [0, -1]].any()


def test_nothing_to_see(draw):
    path = write(draw.folder, "<mujoco><worldbody><body/></worldbody></mujoco>", "a.xml")
    assert draw(path).shape == (120, 160, 3)
    assert not draw(path, "--bare").any()


# ---- the stage


def test_the_stage(draw):
    """Floor and sky are there, with --bare neither; it is no part of the model, and numbers do not know it."""
    path = write(draw.folder, robot(BOX))
    staged, bare = draw(path), draw(path, "--bare")
    assert (staged[[0, -1]] > 60).all()
    assert not bare[[0, -1]].any() and bare.any()
    assert hue(staged, RED) == pytest.approx(hue(bare, RED), rel=0.1)
    for kind in ("--depth", "--segmentation"):
        found = [draw(path, kind, *more, output="n.npy") for more in ((), ("--bare",))]
        assert np.array_equal(*found)


PLAIN = '<body pos="0 0 1"><freejoint/><geom size=".1"/></body>'
OWN = {
    "floor": ('<geom type="plane" size="0 0 1"/>', 0, 2),
    "light": ('<light pos="0 0 3"/>', 1, 0),
    "nothing": ("", 1, 2),
}


@pytest.mark.parametrize("kind", OWN)
def test_a_stage_has_what_the_model_lacks(kind):
    """A geom and lights of the scene, no more; without being asked for there is nothing."""
    own, floors, lights = OWN[kind]
    model = sinew.Model.from_xml(f"<mujoco><worldbody>{own}{PLAIN}</worldbody></mujoco>")
    data = sinew.Data(model)
    sinew.forward(model, data)
    counts, pictures = [], []
    before = data.qpos.copy(), model.ngeom, model.nlight, data.ncon
    for stage in (False, True):
        with sinew.Renderer(model, 60, 80, stage=stage) as renderer:
            for _ in range(2):
                renderer.update_scene(data)
            counts.append((renderer.scene.ngeom, renderer.scene.nlight))
            pictures.append(renderer.render())
    assert np.subtract(*counts[::-1]).tolist() == [floors, lights]
    assert (pictures[0] != pictures[1]).any()
    after = data.qpos.copy(), model.ngeom, model.nlight, data.ncon
    assert all(np.array_equal(a, b) for a, b in zip(before, after, strict=True))


def test_a_model_with_all_of_them_is_left_alone(draw):
    text = f"""<mujoco><asset><texture type="skybox" builtin="gradient" rgb1=".1 .2 .9" rgb2="0 0 .2" width="32" height="32"/>
</asset><statistic extent="2"/><worldbody><light pos="0 0 3"/><geom type="plane" size="0 0 1"/>{PLAIN}</worldbody></mujoco>"""
    path = write(draw.folder, text, "a.xml")
    assert np.array_equal(draw(path), draw(path, "--bare"))


def test_the_headlight_of_the_model(draw):
    """One that the author chose is a light of the model."""
    head = '<visual><headlight ambient=".5 .5 .5"/></visual>'
    model = sinew.Model.from_xml(f"<mujoco>{head}<worldbody>{PLAIN}</worldbody></mujoco>")
    with sinew.Renderer(model, 60, 80, stage=True) as renderer:
        renderer.update_scene(sinew.Data(model))
        assert renderer.scene.nlight == 1


def test_the_floor_is_below_the_model_and_stays():
    """Just below the lowest point of the first picture, also when the model falls."""
    model = sinew.Model.from_xml(
        '<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom type="capsule" size=".1 .5" euler="90 0 0"/>'
        "</body></worldbody></mujoco>"
    )
    data = sinew.Data(model)
    sinew.forward(model, data)
    with sinew.Renderer(model, 60, 80, stage=True) as renderer:
        for _ in range(2):
            renderer.update_scene(data)
            floor = renderer.scene.geoms[renderer.scene.ngeom - 1]
            assert floor.type == mujoco.mjtGeom.mjGEOM_PLANE
            assert 0.9 - 1e-3 < floor.pos[2] < 0.9
            sinew.step(model, data, nstep=100)
