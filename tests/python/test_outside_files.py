"""What a model's files may name: nothing private, whatever the format, the element and the way it is written. Outside of
the model's folder only models, meshes and images are read, links followed; a mesh's file names none but those below
its own folder. anywhere=True lifts that."""

import base64
import json
import os
import pathlib
import struct
import warnings

import numpy as np
import pytest

import sinew

SECRET = b"qzjx:x:0:0:secret, of no use as a model\n" * 20
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], "<f4").tobytes()
CORNERS = np.array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], "<u2").tobytes()


@pytest.fixture
def folders(tmp_path):
    """A model's folder, and a private one beside it."""
    (tmp_path / "models").mkdir()
    (tmp_path / "private").mkdir()
    (tmp_path / "private/key").write_bytes(SECRET)
    (tmp_path / "private/data.bin").write_bytes(POINTS + CORNERS)
    return tmp_path / "models", tmp_path / "private"


def gltf(uri):
    views = [(0, 48), (48, 24)]
    return json.dumps(
        {
            "asset": {"version": "2.0"},
            "buffers": [{"uri": uri, "byteLength": 72}],
            "bufferViews": [{"buffer": 0, "byteOffset": a, "byteLength": n} for a, n in views],
            "accessors": [
                {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
            ],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
            "nodes": [{"mesh": 0}],
            "scenes": [{"nodes": [0]}],
        }
    )


def asset(inner, body="<geom size='.1'/>"):
    return f"<mujoco><asset>{inner}</asset><worldbody><body>{body}</body></worldbody></mujoco>"


MESH = "<geom type='mesh' mesh='m'/>"
MESHES = ("model/obj", "model/stl", "model/vnd.mujoco.msh", "model/vnd.collada+xml", "model/ply", "model/gltf+json",
          "model/gltf-binary")  # fmt: skip
ELEMENTS = {
    "include": lambda f: f"<mujoco><include file='{f}'/></mujoco>",
    "model": lambda f: asset(
        f"<model name='c' file='{f}'/>", "<attach model='c' body='b' prefix='p'/>"
    ),
    "hfield": lambda f: asset(f"<hfield name='h' file='{f}' size='1 1 1 1'/>", "<geom size='.1'/>"),
    "texture": lambda f: asset(f"<texture name='t' type='2d' file='{f}'/>"),
    "pixels": lambda f: asset(
        f"<texture name='t' type='2d' file='{f}' content_type='image/vnd.sinew.pixels' width='10' height='10'/>"
    ),
    "side": lambda f: asset(
        f"<texture name='t' type='cube' fileright='{f}' content_type='image/png'/>"
    ),
    "skin": lambda f: asset(f"<skin name='s' file='{f}'/>"),
    **{
        kind: lambda f, kind=kind: asset(f"<mesh name='m' file='{f}' content_type='{kind}'/>", MESH)
        for kind in MESHES
    },
    "dirs": lambda f: asset(
        f"<mesh name='m' file='{pathlib.Path(f).name}' content_type='model/stl'/>", MESH
    ).replace("<asset>", f"<compiler meshdir='{os.path.dirname(f) or '.'}'/><asset>"),
    "urdf": lambda f: (
        f"""<robot name="r"><link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"
        ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><mesh filename="{f}"/></geometry></collision></link></robot>"""
    ),
}


def ways(models, private):
    """Ways to name the private file."""
    for ending in ("", ".skn", ".obj", ".png", ".xml"):
        (models / f"link{ending}").symlink_to(private / "key")
    (models / "folder").symlink_to(private)
    return [
        "../private/key",
        str(private / "key"),
        "link",
        "link.skn",
        "link.obj",
        "link.png",
        "link.xml",
        "folder/key",
        "./x/../../private/key",
        "//" + str(private / "key"),
    ]


def refusal(path, **options):
    """What loading says when it fails."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((ValueError, OSError, sinew.NotSupportedError)) as caught:
            sinew.Model.from_path(path, **options)
    return str(caught.value)


@pytest.mark.parametrize("element", ELEMENTS)
def test_elements_read_nothing_private(folders, element):
    models, private = folders
    (models / "x").mkdir()
    path = models / ("robot.urdf" if element == "urdf" else "model.xml")
    for file in ways(models, private):
        path.write_text(ELEMENTS[element](file))
        text = refusal(path)
        if "a skin's file is .skn" not in text:
            assert "outside of the model's folder" in text and "anywhere" in text, (file, text)
        assert "qzjx" not in text and "secret" not in text
        assert "outside of the model's folder" not in refusal(path, anywhere=True)


@pytest.mark.parametrize("element", ELEMENTS)
def test_no_element_hangs(folders, element):
    """Pipes, devices, the memory of the process."""
    models, _ = folders
    os.mkfifo(models / "pipe.obj")
    path = models / ("robot.urdf" if element == "urdf" else "model.xml")
    for file in ("pipe.obj", "/dev/zero", "/proc/self/mem", "/proc/self/environ"):
        path.write_text(ELEMENTS[element](file))
        for options in {}, {"anywhere": True}:
            assert len(refusal(path, **options)) < 1000


def test_models_meshes_and_images_may_be_elsewhere(folders):
    """As many robots have them: meshdir="../meshes", absolute paths, links to a store."""
    models, _ = folders
    shared = models.parent / "shared"
    shared.mkdir()
    (shared / "part.obj").write_text(OBJ)
    (shared / "more.xml").write_text(f"<mujoco>{ELEMENTS['model/obj']('part.obj')[8:]}")
    (models / "linked.obj").symlink_to(shared / "part.obj")
    path = models / "model.xml"
    for file in ("../shared/part.obj", str(shared / "part.obj"), "linked.obj"):
        path.write_text(ELEMENTS["model/obj"](file))
        assert sinew.Model.from_path(path).nmesh == 1
    path.write_text(ELEMENTS["dirs"]("../shared/part.obj").replace("model/stl", "model/obj"))
    assert sinew.Model.from_path(path).nmesh == 1
    path.write_text(
        ELEMENTS["include"]("../shared/more.xml").replace(
            "<include", "<compiler meshdir='../shared'/><include"
        )
    )
    assert sinew.Model.from_path(path).nmesh == 1


def test_an_attached_model_has_the_files_of_its_own_folder(folders):
    models, _ = folders
    shared = models.parent / "shared"
    shared.mkdir()
    (shared / "ground.data").write_bytes(struct.pack("<2i4f", 2, 2, 0, 1, 2, 3))
    (shared / "child.xml").write_text(
        "<mujoco><asset><hfield name='h' file='ground.data' size='1 1 1 1'/></asset><worldbody><body name='b'>"
        "<geom type='hfield' hfield='h'/></body></worldbody></mujoco>"
    )
    (models / "model.xml").write_text(ELEMENTS["model"]("../shared/child.xml"))
    assert sinew.Model.from_path(models / "model.xml").nhfield == 1
    spec = sinew.Spec.from_path(models / "model.xml")
    spec.save(models / "out.snb")
    assert sinew.Spec.from_path(models / "out.snb").compile().nhfield == 1


def test_nothing_private_goes_into_a_compiled_file(folders):
    """Its source has all files that it names: one that is not read is not copied either."""
    models, private = folders
    (models / "model.xml").write_text(
        asset(
            f"<texture name='t' type='2d' builtin='flat' width='2' height='2' file='{private / 'key'}'/>"
        )
    )
    spec = sinew.Spec.from_path(models / "model.xml")
    try:
        spec.save(models / "out.snb")
    except (ValueError, OSError):
        return
    assert b"secret" not in (models / "out.snb").read_bytes()


URIS = ("../private/data.bin", "%2e%2e/private/data.bin", "%2E%2E%2fprivate%2Fdata.bin", "..%5cprivate%5cdata.bin",
        "a/../../private/data.bin", "{private}/data.bin", "%2f{private}/data.bin", "file://{private}/data.bin",
        "link.bin", "folder/data.bin", "file:data.bin", "C:data.bin")  # fmt: skip


@pytest.mark.parametrize("uri", URIS)
@pytest.mark.parametrize("where", ["disk", "memory", "memory elsewhere", "compiled"])
def test_a_mesh_file_names_none_outside_of_its_folder(folders, uri, where, monkeypatch):
    models, private = folders
    monkeypatch.chdir(models)
    (models / "a").mkdir()
    (models / "link.bin").symlink_to(private / "data.bin")
    (models / "folder").symlink_to(private)
    uri = uri.format(private=private)
    text = asset("<mesh name='m' file='NAME'/>", MESH)
    with pytest.raises((ValueError, OSError, sinew.NotSupportedError)) as caught:
        if where == "memory":
            sinew.Model.from_xml(text.replace("NAME", "m.gltf"), {"m.gltf": gltf(uri)})
        elif (
            where == "memory elsewhere"
        ):  # the folder of a name in memory is the one of who wrote it
            name = f"{private}/m.gltf"
            sinew.Model.from_xml(text.replace("NAME", name), {name: gltf("data.bin")})
        elif where == "compiled":
            spec = sinew.Spec.from_xml(text.replace("NAME", "x/m.gltf"), {"x/m.gltf": gltf(uri)})
            spec.save("out.snb")
        else:
            (models / "m.gltf").write_text(gltf(uri))
            (models / "model.xml").write_text(text.replace("NAME", "m.gltf"))
            sinew.Model.from_path("model.xml")
    assert len(str(caught.value)) < 700


def test_a_mesh_file_names_those_of_its_folder(folders, monkeypatch):
    models, private = folders
    monkeypatch.chdir(models)
    (models / "meshes/deep").mkdir(parents=True)
    (models / "meshes/deep/a b.bin").write_bytes(POINTS + CORNERS)
    text = asset("<mesh name='m' file='meshes/m.gltf'/>", MESH)
    (models / "model.xml").write_text(text)
    data = "data:application/octet-stream;base64," + base64.b64encode(POINTS + CORNERS).decode()
    for uri in ("deep/a%20b.bin", "./deep/a b.bin", data):
        (models / "meshes/m.gltf").write_text(gltf(uri))
        assert sinew.Model.from_path("model.xml").mesh_vertnum[0] == 4
        assert sinew.Model.from_xml(text, {"meshes/m.gltf": gltf(uri)}).mesh_vertnum[0] == 4
    for uri in ("../../private/data.bin", "%2e%2e/%2e%2e/private/data.bin"):
        (models / "meshes/m.gltf").write_text(gltf(uri))
        assert sinew.Model.from_path("model.xml", anywhere=True).mesh_vertnum[0] == 4
        assert sinew.Spec.from_path("model.xml", anywhere=True).compile().mesh_vertnum[0] == 4
        assert sinew.Spec.from_path("model.xml").compile(anywhere=True).mesh_vertnum[0] == 4
        with pytest.raises(OSError, match="outside of the folder of this one"):
            sinew.Model.from_path("model.xml")


def test_anywhere_of_a_text(folders):
    _, private = folders
    (private / "ground").write_bytes(struct.pack("<2i4f", 2, 2, 0, 1, 2, 3))
    text = ELEMENTS["hfield"](private / "ground")
    with pytest.raises(OSError, match="outside of the model's folder"):
        sinew.Model.from_xml(text)
    assert sinew.Model.from_xml(text, anywhere=True).nhfield == 1
    assert sinew.Spec.from_xml(text, anywhere=True).compile().nhfield == 1


def test_error_tells_no_bytes_of_what_is_not_read(folders):
    """As a buffer it would be a mesh; what is wrong with it would tell what it holds."""
    models, private = folders
    (private / "data.bin").write_bytes(SECRET[:72])
    (models / "m.gltf").write_text(gltf("../private/data.bin"))
    (models / "model.xml").write_text(asset("<mesh name='m' file='m.gltf'/>", MESH))
    text = refusal(models / "model.xml")
    number = int.from_bytes(SECRET[48:50], "little")  # an index of a vertex
    assert "outside" in text and f"vertex {number}" not in text and "qzjx" not in text
