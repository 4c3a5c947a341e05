"""Specs: models made, changed, attached, removed and compiled again from Python."""

import copy
import gc
import pathlib
import pickle
import threading

import numpy as np
import pytest

import sinew

HUMANOID = next((pathlib.Path(__file__).parents[2] / "examples/models").glob("humanoid*.xml"))

ARM = """<mujoco model="arm"><default><geom density="500" rgba="1 0 0 1"/><default class="link"><joint damping="2"
range="-1 1"/></default></default><option timestep="0.01"/><worldbody><body name="upper" childclass="link">
<joint name="shoulder" axis="0 1 0"/><geom size="0.1 0.2" type="capsule"/><body name="lower" pos="0 0 0.4">
<joint name="elbow" damping="3"/><geom name="ball" size="0.1"/><site name="hand"/></body></body></worldbody><actuator>
<motor name="drive" joint="elbow"/></actuator><sensor><gyro name="g" site="hand"/><jointpos joint="shoulder"/>
<actuatorfrc actuator="drive"/></sensor></mujoco>"""


def make_arm():
    spec = sinew.Spec()
    spec.root.model = "arm"
    main = spec.default()
    main.add("geom", density=500, rgba=[1, 0, 0, 1])
    main.add("default", "link").add("joint", damping=2, range=(-1, 1))
    spec.section("option").timestep = 0.01
    upper = spec.world.add("body", "upper", childclass="link")
    upper.add("joint", "shoulder", axis=[0, 1, 0])
    upper.add("geom", size=np.array([0.1, 0.2]), type="capsule")
    lower = upper.add("body", "lower", pos=[0, 0, 0.4])
    lower.add("joint", "elbow", damping=3)
    lower.add("geom", "ball", size=0.1)
    lower.add("site", "hand")
    spec.section("actuator").add("motor", "drive", joint="elbow")
    spec.section("sensor").add("gyro", "g", site="hand")
    spec.section("sensor").add("jointpos", joint="shoulder")
    spec.section("sensor").add("actuatorfrc", actuator="drive")
    return spec


def same(a, b):
    return sinew._core.compareModel(a, b) == -1


def test_made_equals_read():
    assert same(make_arm().compile(), sinew.Model.from_xml(ARM))
    assert same(sinew.Spec.from_xml(make_arm().to_xml()).compile(), sinew.Model.from_xml(ARM))


def test_values():
    spec = sinew.Spec.from_xml(ARM)
    ball = spec.geom("ball")
    assert ball.tag == ball.kind == "geom"
    assert (ball.density, ball.contype, ball.type) == (500.0, 1, "sphere")
    np.testing.assert_array_equal(ball.rgba, [1, 0, 0, 1])
    np.testing.assert_array_equal(ball.friction, [1, 0.005, 0.0001])
    assert ball.euler is None
    assert ball.mass is None
    assert ball.material is None
    ball.euler = [10, 20, 30]
    np.testing.assert_array_equal(ball.euler, [10, 20, 30])
    ball.quat = [1, 0, 0, 0]  # the last orientation counts
    assert ball.euler is None
    assert spec.section("option/flag").contact == "enable"
    assert spec.section("compiler").autolimits is True
    assert spec.joint("elbow").damping == 3
    del spec.joint("elbow").damping
    assert spec.joint("elbow").damping == 2
    with pytest.raises(ValueError, match="read-only"):
        ball.size[0] = 3
    assert [b.name for b in spec.bodies] == ["upper", "lower"]
    assert spec.actuator("drive").parent == spec.section("actuator")
    assert "solimp" in dir(ball)
    assert repr(ball) == "<geom 'ball'>"


@pytest.mark.parametrize("value", [np.pi, 1e-300, -1 / 3, 1e22, 123456789012.0])
def test_numbers_keep_every_bit(value):
    body = sinew.Spec().world.add("body", pos=[value, 0, 0])
    assert body.pos[0] == value


def test_errors():
    spec = make_arm()
    ball = spec.geom("ball")
    with pytest.raises(AttributeError, match="did you mean 'size'"):
        ball.siize = 1
    with pytest.raises(AttributeError, match="no attribute"):
        _ = ball.siize
    with pytest.raises(sinew.ModelError, match="expected 1 to 3 numbers"):
        ball.size = [1, 2, 3, 4]
    with pytest.raises(sinew.ModelError, match="nan"):
        ball.size = np.nan
    with pytest.raises(sinew.ModelError, match="taken"):
        spec.world.add("body", "upper")
    with pytest.raises(sinew.ModelError, match="taken"):
        ball.parent.add("geom", "ball")
    count = len(spec.geoms)
    with pytest.raises(AttributeError):
        spec.world.add("geom", nonsense=1)  # nothing is left of it
    assert len(spec.geoms) == count
    with pytest.raises(ValueError, match="cannot hold"):
        ball.add("geom")
    with pytest.raises(ValueError, match="no section"):
        spec.section("options")
    with pytest.raises(KeyError, match="no joint 'wrist'"):
        spec.joint("wrist")
    with pytest.raises(ValueError, match="unknown kind"):
        spec.find("wheel", "a")
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(spec)
    with pytest.raises(TypeError):
        sinew._core.elementAdd(spec, "geom", None)
    with pytest.raises(TypeError):
        sinew._core.specCompile(spec._handle, int)
    spec.geom("ball").type = "mesh"
    with pytest.raises(sinew.ModelError, match="ball"):
        spec.compile()


def test_rename_and_remove():
    spec = make_arm()
    spec.joint("elbow").name = "bend"
    assert spec.actuator("drive").joint == "bend"
    spec.body("lower").remove()
    model = spec.compile()
    assert (model.nbody, model.nu, model.nsensor) == (2, 0, 1)


def test_recompile_keeps_the_state():
    spec = make_arm()
    model = spec.compile()
    data = sinew.Data(model)
    data.joint("elbow").qpos = 0.5
    data.qvel[1] = -2
    data.ctrl[0] = 3
    data.time = 7
    slide = spec.body("upper").add("joint", "slide", type="slide")
    model2, data2 = spec.recompile(model, data)
    assert model2.nq == 3
    assert (data2.qpos == [0, 0, 0.5]).all()
    assert (data2.qvel[2], data2.ctrl[0], data2.time) == (-2, 3, 7)
    assert (data.qpos == [0, 0.5]).all()  # the old ones stay
    slide.axis = [0, 0, 0]
    with pytest.raises(sinew.ModelError):
        spec.recompile(model2, data2)
    with pytest.raises(ValueError, match="another model"):
        make_arm().recompile(model2, data)


def test_attach():
    spec, child = make_arm(), make_arm()
    with pytest.raises(sinew.ModelError, match="taken"):
        spec.body("lower").attach(child)
    hand = spec.body("lower").attach(child, child.body("upper"), prefix="second/")
    assert hand.name == "second/upper"
    with pytest.raises(ValueError, match="element of the child"):
        spec.world.attach(child, spec.body("upper"))
    model = spec.compile()
    assert (model.nbody, model.nu, model.nsensor) == (5, 2, 6)
    own = spec.attach(spec.copy(), prefix="copy/")
    assert own.tag == "frame"
    assert spec.compile().nbody == 9
    assert same(sinew.Spec.from_xml(spec.to_xml()).compile(), spec.compile())


def test_files(tmp_path):
    (tmp_path / "arm.xml").write_text(ARM)
    spec = sinew.Spec.from_path(tmp_path / "arm.xml")
    spec.save(tmp_path / "out.xml")
    assert same(sinew.Model.from_path(tmp_path / "out.xml"), spec.compile())
    with pytest.raises(FileNotFoundError):
        sinew.Spec.from_path(tmp_path / "nothing.xml")
    tetrahedron = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    spec.add_asset("t.obj", tetrahedron)
    spec.section("asset").add("mesh", "t", file="t.obj")
    spec.body("lower").add("geom", type="mesh", mesh="t")
    assert spec.compile().nmesh == 1
    assert spec.copy().compile().nmesh == 1


def test_urdf(tmp_path):
    link = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    (tmp_path / "r.urdf").write_text(
        f'<robot name="r"><link name="a">{link}</link><link name="b">{link}</link><joint name="j" type="revolute">'
        '<parent link="a"/><child link="b"/></joint></robot>'
    )
    assert sinew.Model.from_path(tmp_path / "r.urdf").nv == 1
    spec = sinew.Spec.from_urdf(tmp_path / "r.urdf", [tmp_path], floating_base=True)
    assert spec.compile().nv == 7


def test_lifetimes_and_copies():
    element = make_arm().geom("ball")  # the spec is gone but for the element
    gc.collect()
    assert element.spec.geom("ball") == element
    element.remove()
    element.remove()  # harmless
    spec = sinew.Spec.from_path(HUMANOID)
    twin = copy.deepcopy(spec)
    spec.geoms[0].remove()
    assert twin.compile().ngeom == spec.compile().ngeom + 1
    assert len({spec.bodies[0], spec.bodies[0], spec.bodies[1]}) == 2


def test_threads():
    spec, failures = sinew.Spec.from_path(HUMANOID), []

    def work():
        for _ in range(20):
            try:
                spec.compile()
            except RuntimeError:  # another thread has it
                pass
            except BaseException as error:
                failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failures
    assert spec.compile().nbody > 10


def test_files_go_along(tmp_path):
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
    spec = sinew.Spec()
    spec.add_asset("stones/rock.obj", mesh)
    spec.section("asset").add("mesh", file="stones/rock.obj")
    spec.world.add("body", "rock").add("geom", type="mesh", mesh="rock")
    spec.save(tmp_path / "m.snb")
    model = spec.compile()
    assert same(sinew.Model.from_path(tmp_path / "m.snb"), model)
    back = sinew.Spec.from_path(tmp_path / "m.snb")
    back.save(tmp_path / "m.xml")
    assert (tmp_path / "m_assets" / "rock.obj").read_bytes() == mesh
    again = sinew.Model.from_path(tmp_path / "m.xml")
    np.testing.assert_array_equal(again.mesh_vert, model.mesh_vert)
    model.save(tmp_path / "bare.snb")
    with pytest.raises(sinew.NotSupportedError, match="holds no source"):
        sinew.Spec.from_path(tmp_path / "bare.snb")


def test_what_is_set_wrongly_names_its_element():
    """Whether its name stands in the source or was given later; what has none is named by its tag."""
    spec = sinew.Spec.from_xml(
        '<mujoco><worldbody><body><joint name="knee"/><geom size=".1"/></body></worldbody></mujoco>'
    )
    knee, geom = spec.joints[0], spec.geoms[0]
    for text, mend in (
        ("abc", "expected a number"),
        ("1 2", "expected 1 number"),
        (np.nan, "nan is not a number"),
    ):
        with pytest.raises(sinew.ModelError, match=f'^<joint name="knee">: .*armature.*{mend}'):
            knee.armature = text
    with pytest.raises(AttributeError, match='^<joint name="knee">: unknown attribute'):
        knee.armatur = 1
    knee.name = "ankle"
    with pytest.raises(sinew.ModelError, match='^<joint name="ankle">: type="hing"'):
        knee.type = "hing"
    with pytest.raises(sinew.ModelError, match='^<geom>: type="bix"'):
        geom.type = "bix"


def test_times_of_a_compilation():
    spec = sinew.Spec.from_xml(
        '<mujoco><asset><texture name="t" type="2d" builtin="checker" width="300" height="300"/>'
        '<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>'
        '<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    )
    assert set(spec.compile_times.values()) == {0.0}
    spec.compile()
    times = spec.compile_times
    assert times["total"] > times["assets"] > times["texture"] > 0
    assert times["assets"] > times["mesh_hull"] > 0 and times["mesh_bvh"] > 0
    assert times["mesh_octree"] == 0
