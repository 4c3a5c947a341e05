"""Loading: what a user gets when a file or a model is wrong."""

import pickle

import numpy as np
import pytest

import sinew
from sinew import mujoco
from yard import XML


def test_files(tmp_path):
    path = tmp_path / "yard.xml"
    path.write_text(XML)
    by_path = sinew.Model.from_path(path)
    assert sinew._core.compareModel(by_path, sinew.Model.from_path(str(path))) == -1
    assert by_path.body("crate").id == 1
    with pytest.raises(FileNotFoundError, match="nowhere.xml"):
        sinew.Model.from_path(tmp_path / "nowhere.xml")
    with pytest.raises(OSError):
        sinew.Model.from_path(tmp_path)  # a folder
    with pytest.raises(TypeError):
        sinew.Model.from_path(3)
    with pytest.raises(ValueError, match="null"):
        sinew.Model.from_path("a\0b")


def test_assets():
    main = '<mujoco><include file="part.xml"/></mujoco>'
    part = (
        '<mujoco><worldbody><body name="b"><freejoint/><geom size="1"/></body></worldbody></mujoco>'
    )
    for asset in (part, part.encode(), bytearray(part.encode()), memoryview(part.encode())):
        assert sinew.Model.from_xml(main, assets={"part.xml": asset}).nq == 7
        assert sinew.Spec.from_xml(main, assets={"part.xml": asset}).compile().nq == 7
    assert sinew.Model.from_xml(main.encode(), {"part.xml": part}).nq == 7
    with pytest.raises((OSError, sinew.ModelError), match="part.xml"):
        sinew.Model.from_xml(main)
    for read in (sinew.Model.from_xml, sinew.Spec.from_xml):
        with pytest.raises(TypeError, match="an asset must be str or bytes"):
            read(main, {"part.xml": 3})
        with pytest.raises(TypeError):
            read(main, {3: part})
    spec = sinew.Spec()
    spec.add_asset("part.xml", part)
    with pytest.raises(TypeError, match="an asset must be str or bytes"):
        spec.add_asset("part.xml", 3)
    with pytest.raises(TypeError, match="the model must be str or bytes"):
        sinew.Model.from_xml(3)


def test_wrong_models(tmp_path):
    with pytest.raises(sinew.ModelError) as caught:
        sinew.Model.from_xml('<mujoco>\n<worldbody>\n<geom szie="1"/>\n</worldbody></mujoco>')
    error = caught.value
    assert isinstance(error, ValueError) and error.line == 3 and error.status > 0
    assert "szie" in str(error) and "size" in str(error)
    path = tmp_path / "broken.xml"
    path.write_text("<mujoco>\n<worldbody>\n</mujoco>")
    with pytest.raises(sinew.ModelError) as caught:
        sinew.Model.from_path(path)
    assert caught.value.line == 3 and caught.value.file.endswith("broken.xml")
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.line == 3 and str(again) == str(caught.value)


def test_not_supported():
    text = """<mujoco><worldbody><body name="b"><flexcomp name="f" dof="trilinear" count="2 2 2" dim="3"/></body>
              </worldbody></mujoco>"""
    with pytest.raises(sinew.NotSupportedError, match="not supported yet") as caught:
        sinew.Model.from_xml(text)
    assert isinstance(caught.value, sinew.ModelError)
    assert isinstance(caught.value, NotImplementedError)


def test_models_come_from_files():
    with pytest.raises(TypeError, match="from_path"):
        sinew.Model()
    with pytest.raises(TypeError):
        sinew.Data("model")
    with pytest.raises(TypeError):
        sinew.Data()


def test_subclasses():
    class Robot(sinew.Model):
        """A subclass with its own attributes."""

    class State(sinew.Data):
        """And of the data."""

        def __init__(self, model):
            self.log = []

    robot = Robot.from_xml(XML)
    robot.colour = "red"
    state = State(robot)
    sinew.step(robot, state)
    assert type(robot) is Robot and state.log == [] and state.model.colour == "red"


def test_names_with_a_null_character():
    """C would take it for the end, and find another element."""
    model = sinew.Model.from_xml(XML)
    objtype = sinew.ObjType.BODY
    assert sinew.name2id(model, objtype, "crate") == 1
    with pytest.raises(ValueError, match="null character"):
        sinew.name2id(model, objtype, "crate\0x")
    with pytest.raises(KeyError, match=r"crate\\\\x00"):
        model.body("crate\0")
    with pytest.raises(ValueError, match="null character"):
        sinew.euler2Quat([1, 2, 3], "xyz\0")
    part = b"<mujoco><worldbody><body/></worldbody></mujoco>"
    main = '<mujoco><include file="part.xml"/></mujoco>'
    spec = sinew.Spec.from_xml(XML)
    for load in (
        lambda: sinew.Model.from_xml(main, {"part.xml\0x": part}),
        lambda: sinew.Spec.from_xml(main, {"part.xml\0x": part}),
        lambda: spec.add_asset("part.xml\0x", part),
        lambda: spec.body("crate\0x"),
        lambda: spec.section("worldbody").add("body", name="crate\0x"),
        lambda: setattr(spec.body("crate"), "name", "box\0x"),
        lambda: spec.save("a\0b"),
        lambda: model.save("a\0b"),
    ):
        with pytest.raises(ValueError, match="null"):
            load()


def test_negative_counts():
    model = sinew.Model.from_xml(XML)
    data = sinew.Data(model)
    with pytest.raises(ValueError, match="step: nstep is -1, must be 0 or more"):
        sinew.step(model, data, nstep=-1)
    with pytest.raises(ValueError, match="nstep is -3"):
        mujoco.mj_step(model, data, -3)
    sinew.step(model, data, nstep=0)
    assert data.time == 0
    sinew.forward(model, data)
    with pytest.raises(ValueError, match="multiRay: nray is -1, must be 0 or more"):
        mujoco.mj_multiRay(
            *(model, data, np.zeros(3), np.ones(6), None, 1, -1),
            *(np.zeros(2, np.int32), np.zeros(2), -1, 10),
        )


def test_an_option_of_a_spec_that_is_no_number():
    spec = mujoco.MjSpec()
    spec.option.timestep = np.nan
    with pytest.raises(sinew.ModelError, match="timestep"):
        spec.compile()


HEAD = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
HOSTILE = {
    "face.ply": (
        HEAD + "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n"
        "0 1 0\n0\n",
        "the file has no triangles",
    ),
    "endless.ply": (
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nelement face 9999999999\n",
        "no 'end_header'",
    ),
    "rows.ply": (
        HEAD + "element face 9999999999\nend_header\n0 0 0\n1 0 0\n0 1 0\n",
        "no triangles",
    ),
    "lines.csm": ("$Spline\n$points\n", r"'.csm' is no format .*\.dae, \.ply, \.gltf, \.glb"),
    "old.3ds": ("MM", "'.3ds' is no format"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_meshes(name):
    text, says = HOSTILE[name]
    xml = f'<mujoco><asset><mesh name="m" file="{name}"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    with pytest.raises(sinew.ModelError, match=says) as caught:
        sinew.Model.from_xml(xml, {name: text})
    assert name in str(caught.value)
