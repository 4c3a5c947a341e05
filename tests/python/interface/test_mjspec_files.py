"""sinew.mujoco: specs with files in memory, zip files, attaching, errors, signatures, against the pinned peer."""

import io
import zipfile

import mujoco as peer
import numpy as np
import pytest

from sinew import mujoco as ours

CUBE = "".join(f"v {x} {y} {z}\n" for x in (-1, 1) for y in (-1, 1) for z in (-1, 1))
BOTH = pytest.mark.parametrize("mj", [ours, peer], ids=["ours", "peer"])


def child(mj, file="cube.obj", content=CUBE, mesh="cube"):
    spec = mj.MjSpec()
    spec.modelname = "child"
    spec.assets = {file: content}
    spec.add_mesh(name=mesh, file=file)
    body = spec.worldbody.add_body(name="body")
    body.add_geom(name="geom", type=mj.mjtGeom.mjGEOM_MESH, meshname=mesh)
    return spec


@BOTH
def test_zip_files(mj, tmp_path):
    spec = child(mj, "shapes/cube.obj")
    file = io.BytesIO()
    spec.to_zip(file)
    assert sorted(zipfile.ZipFile(file).namelist()) == ["child.xml", "shapes/cube.obj"]
    file.seek(0)
    assert mj.from_zip(file).assets == {"shapes/cube.obj": CUBE.encode()}
    path = tmp_path / "child.zip"
    mj.to_zip(spec, str(path))
    again = mj.MjSpec.from_zip(str(path))
    assert again.modelname == "child" and again.compile().nmeshvert == 8
    (tmp_path / "text.zip").write_text("nothing")
    with pytest.raises(ValueError, match="is not a zip file"):
        mj.MjSpec.from_zip(str(tmp_path / "text.zip"))
    with pytest.raises(FileNotFoundError):
        mj.MjSpec.from_zip(str(tmp_path / "none.zip"))
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as other:
        other.writestr("a.txt", "x")
    with pytest.raises(ValueError, match="No XML file found"):
        mj.MjSpec.from_zip(str(tmp_path / "other.zip"))


@BOTH
def test_files_of_what_is_attached(mj):
    spec = mj.MjSpec()
    first, second = child(mj), child(mj, content=CUBE.replace("1", "2"))
    for part, prefix in ((first, "a-"), (second, "b-")):
        spec.attach(part, prefix=prefix, suffix="-z", frame=spec.worldbody.add_frame())
    assert sorted(spec.assets) == ["a-cube-z.obj", "b-cube-z.obj"]
    assert list(first.assets) == ["cube.obj"] and first.parent is spec
    assert [mesh.name for mesh in spec.meshes] == ["a-cube-z", "b-cube-z"]
    model = spec.compile()
    np.testing.assert_allclose(np.abs(model.mesh_vert[:8]), 1)
    np.testing.assert_allclose(np.abs(model.mesh_vert[8:]), 2)


@BOTH
def test_files_that_may_not_be_overridden(mj):
    spec = mj.MjSpec()
    spec.assets = {"p-cube.obj": "v"}
    assert spec.override_assets is True
    spec.override_assets = False
    frame = spec.worldbody.add_frame()
    with pytest.raises(ValueError, match=r"Asset cube\.obj already exists in parent spec"):
        spec.attach(child(mj), prefix="p-", frame=frame)
    spec = mj.MjSpec()
    spec.assets = {"p-cube.obj": "v"}
    frame = spec.worldbody.add_frame()
    spec.attach(child(mj), prefix="p-", frame=frame)
    assert spec.assets == {"p-cube.obj": CUBE}


def test_files_of_attached_bodies():
    # The peer does not take them along.
    spec = ours.MjSpec()
    spec.worldbody.add_frame().attach_body(child(ours).body("body"), prefix="x")
    other = child(ours, content=CUBE.replace("1", "2"))
    spec.worldbody.add_frame().attach_body(other.body("body"), prefix="y")
    model = spec.compile()
    assert model.nmesh == 2 and len(spec.assets) == 2
    assert np.ptp(model.mesh_vert) == 4


@BOTH
def test_what_is_attached_moves_or_is_copied(mj):
    for copies in (False, True):
        spec, other = mj.MjSpec(), child(mj)
        spec.assets = {"cube.obj": CUBE}
        spec.copy_during_attach = copies
        with pytest.raises(ValueError, match="can only be set"):
            spec.copy_during_attach  # noqa: B018
        body = other.body("body")
        made = spec.worldbody.add_frame().attach_body(body, prefix="q-")
        assert (made is body) == (not copies) and made.name == "q-body"
        assert body.name == ("body" if copies else "q-body")
        assert [b.name for b in spec.bodies] == ["world", "q-body"]


@BOTH
def test_wrong_targets(mj):
    spec = mj.MjSpec()
    frame, site = spec.worldbody.add_frame(), spec.worldbody.add_site()
    with pytest.raises(ValueError, match="One of frame or site must be specified"):
        spec.attach(child(mj))
    with pytest.raises(ValueError, match="Only one of frame or site can be specified"):
        spec.attach(child(mj), site=site, frame=frame)
    with pytest.raises((TypeError, RuntimeError)):
        spec.attach(child(mj), frame=5)


ERRORS = {
    "size 0 must be positive in geom\nElement name 'a', id 0, here": lambda mj, s: (
        s.worldbody.add_geom(name="a", info="here")
    ),
    "size 0 must be positive in geom\nElement name '', id 1, there": lambda mj, s: (
        s.worldbody.add_geom(size=[1, 1, 1]),
        s.worldbody.add_geom(info="there"),
    ),
    "mass and inertia of moving bodies must be larger than mjMINVAL\nElement name 'b', id 1": (
        lambda mj, s: s.worldbody.add_body(name="b").add_joint()
    ),
    "mesh 'zz' not found in geom": lambda mj, s: s.worldbody.add_geom(
        type=mj.mjtGeom.mjGEOM_MESH, meshname="zz"
    ),
    "material 'zz' not found in geom": lambda mj, s: s.worldbody.add_geom(
        size=[1, 1, 1], material="zz"
    ),
    "geom 'x' not found in": lambda mj, s: s.add_pair(geomname1="x", geomname2="y"),
    "body 'x' not found in": lambda mj, s: s.add_exclude(bodyname1="x", bodyname2="y"),
    "Error opening file 'no.obj': No such file or directory": lambda mj, s: s.add_mesh(
        file="no.obj"
    ),
    "elevation data length must match nrow\\*ncol\nElement name 'h', id 0": lambda mj, s: (
        s.add_hfield(name="h", nrow=2, ncol=2, size=[1, 1, 1, 1], userdata=[1, 2, 3])
    ),
    "repeated name 'a' in body": lambda mj, s: [s.worldbody.add_body(name="a") for _ in range(2)],
    "repeated name 'a' in sensor": lambda mj, s: [s.add_sensor(name="a") for _ in range(2)],
}


@BOTH
@pytest.mark.parametrize("text", ERRORS)
def test_errors_of_the_compiler(mj, text):
    spec = mj.MjSpec()
    ERRORS[text](mj, spec)
    with pytest.raises(ValueError, match="Error: " + text):
        spec.compile()


def test_what_is_wrong_is_told_in_our_words_too():
    spec = ours.MjSpec()
    spec.worldbody.add_geom(name="a")
    with pytest.raises(
        ValueError, match=r'<geom name="a">: size\[0\] is 0, a sphere needs it positive'
    ):
        spec.compile()


@BOTH
def test_names_may_be_taken_for_a_while(mj):
    spec = mj.MjSpec()
    first, second = (spec.worldbody.add_body(name="a") for _ in range(2))
    assert second.name == "a"
    second.name = "b"
    spec.compile()
    spec.add_material(name="y")
    other = spec.add_material()
    with pytest.raises(ValueError, match="Error: repeated name 'y' in material"):
        other.name = "y"
    assert first.name == "a"


@BOTH
def test_signatures(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="b")
    geom = body.add_geom(size=[1, 1, 1])
    model = spec.compile()
    data = mj.MjData(model)
    first = geom.signature
    assert first == spec.worldbody.signature == spec.copy().worldbody.signature
    geom.pos = [1, 2, 3]
    assert geom.signature == first
    assert data.bind(geom).xpos.size == 3
    again = mj.MjSpec.from_string(spec.to_xml())
    again.compile()
    assert again.worldbody.signature == first and model.bind(again.body("b")).id == 1
    body.add_site()
    assert geom.signature != first
    for holder in (model, data):
        with pytest.raises(ValueError, match="Please recompile the mjSpec"):
            holder.bind(geom)


@BOTH
def test_keyframes_stay_with_the_bodies_that_stay(mj):
    spec = mj.MjSpec()
    for name, axis in (("a", [0, 0, 1]), ("b", [1, 0, 0])):
        body = spec.worldbody.add_body(name=name)
        body.add_geom(size=[0.1, 0, 0])
        body.add_joint(name=name, axis=axis)
        spec.add_actuator(name=name, trntype=mj.mjtTrn.mjTRN_JOINT, target=name)
    spec.add_key(name="k", qpos=[0.5, 0.6], qvel=[1, 2])
    spec.delete(spec.body("a"))
    model = spec.compile()
    assert model.key_qpos.tolist() == [[0.6]] and model.key_qvel.tolist() == [[2]]


@BOTH
def test_default_classes(mj):
    spec = mj.MjSpec()
    outer = spec.add_default("outer", spec.default)
    assert spec.add_default("outer", spec.default) is None and spec.find_default("none") is None
    outer.geom.size[0] = 0.3
    body = spec.worldbody.add_body(childclass="outer")
    inner = body.add_body()
    assert inner.childclass == inner.classname.name == "outer"
    assert inner.add_geom().size[0] == 0.3
    with pytest.raises(ValueError, match="cannot remove the global default"):
        spec.delete(spec.default)
    outer.name = "other"
    assert spec.find_default("other").name == "other"


def test_plugins_that_are_not_there():
    spec = ours.MjSpec()
    with pytest.raises(ValueError, match="unknown plugin 'none'"):
        spec.activate_plugin("none")
    assert spec.plugins == [] and spec.plugin("x") is None
    geom = spec.worldbody.add_geom(size=[1, 1, 1])
    spec.compile()
    geom.plugin.active = True
    with pytest.raises(ValueError, match="give 'plugin' or 'instance'"):
        spec.compile()
    geom.plugin.name = "x"
    with pytest.raises(ValueError, match='instance="x": there is no such plugin'):
        spec.compile()


def test_files_that_are_taken_out():
    spec = child(ours)
    assert spec.compile().nmesh == 1
    spec.assets = {}
    with pytest.raises(ValueError, match="Error opening file"):
        spec.compile()
    spec.assets["cube.obj"] = CUBE.encode()
    assert spec.compile().nmesh == 1


def test_texts_find_their_files(tmp_path, monkeypatch):
    """Names of files: of the text relative to the folder of the model, as MuJoCo's; of a file relative to its own."""
    folder, elsewhere = tmp_path / "model", tmp_path / "elsewhere"
    (folder / "meshes").mkdir(parents=True)
    elsewhere.mkdir()
    (folder / "meshes/part.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    )
    (folder / "model.xml").write_text(
        '<mujoco><compiler meshdir="meshes"/><asset><mesh file="part.obj"/></asset>'
        '<worldbody><geom type="mesh" mesh="part"/></worldbody></mujoco>'
    )
    monkeypatch.chdir(tmp_path)
    spec = ours.MjSpec.from_file("model/model.xml")
    spec.compile()
    (folder / "again.xml").write_text(spec.to_xml())
    spec.to_file("elsewhere/spec.xml")
    ours.mj_saveLastXML("elsewhere/last.xml", ours.MjModel.from_xml_path("model/model.xml"))
    for name in ("model/again.xml", "elsewhere/spec.xml", "elsewhere/last.xml"):
        assert ours.MjModel.from_xml_path(name).nmeshvert == 4
    monkeypatch.chdir(elsewhere)
    assert ours.MjModel.from_xml_path(str(folder / "again.xml")).nmeshvert == 4


@pytest.mark.parametrize("name", ["b/part.obj", "part.obj", "../part.obj", "c/b/part.obj"])
@pytest.mark.parametrize("mj", [peer, ours])
def test_names_in_memory_of_folders_that_are_left_again(mj, name):
    text = (
        '<mujoco><compiler meshdir="a"/><asset><mesh name="m" file="../{}"/></asset>'
        '<worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    )
    part = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    written = {"../part.obj": "../part.obj", "c/b/part.obj": "./c/x/../b/part.obj"}.get(name, name)
    spec = mj.MjSpec.from_string(text.format(written), assets={name: part})
    assert spec.compile().nmeshvert == 4
