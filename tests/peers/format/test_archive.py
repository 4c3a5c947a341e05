"""Archives of models with their files (.mjz, .zip): read as the folder that they hold; what lies in them is refused by name."""

import os
import struct
import subprocess
import sys
import zipfile
import zlib

import numpy as np
import pytest

import newest
import sinew

MODEL = """
<mujoco>
  <compiler meshdir="meshes"/><include file="parts/body.xml"/>
  <asset><mesh name="m" file="t.obj"/></asset>
  <worldbody><geom type="mesh" mesh="m"/></worldbody>
</mujoco>
"""
BODY = '<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>'
OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
FILES = {"model.xml": MODEL, "meshes/t.obj": OBJ, "parts/body.xml": BODY}


def pack(path, files, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def under(folder, root="model.xml"):
    renamed = {root if name == "model.xml" else name: data for name, data in FILES.items()}
    return {folder + name: data for name, data in renamed.items()}


def same(model, folder):
    for name, data in FILES.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(data)
    other = sinew.Model.from_path(folder / "model.xml")
    for field in ("body_mass", "mesh_vert", "geom_dataid", "qpos0"):
        np.testing.assert_array_equal(getattr(model, field), getattr(other, field), err_msg=field)


@pytest.mark.parametrize(
    "files", [under(""), under("", "robot.xml"), under("robot/", "robot.xml"), under("robot/"), under("other/", "any.xml") | {"other/parts/body.xml": BODY}]
)  # fmt: skip
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_where_the_model_is(files, method, tmp_path):
    """Four places are the peer's."""
    if "other/any.xml" in files:  # then it must be the only .xml
        files = {
            "other/any.xml": MODEL.replace('<include file="parts/body.xml"/>', ""),
            "other/meshes/t.obj": OBJ,
        }
    path = pack(tmp_path / "robot.mjz", files, method)
    model, spec = sinew.Model.from_path(path, strict=True), sinew.Spec.from_path(path)
    assert (model.nmesh, spec.compile().ngeom) == (1, model.ngeom)
    if "other/any.xml" not in files:
        same(model, tmp_path)
        program = "import mujoco, sys; print(mujoco.MjSpec.from_file(sys.argv[1]).compile().ngeom)"
        env = os.environ | {"PYTHONPATH": str(newest.FOLDER)}
        command = [sys.executable, "-c", program, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=env)
        assert int(done.stdout) == model.ngeom


def test_messages_name_archive_and_member(tmp_path):
    bad = FILES | {"parts/body.xml": "<mujoco>\n<worldbody><geom sise='1'/></worldbody></mujoco>"}
    with pytest.raises(sinew.ModelError, match=r"did you mean 'size'.*bad\.mjz/parts/body\.xml:2"):
        sinew.Model.from_path(pack(tmp_path / "bad.mjz", bad))
    gone = {n: d for n, d in FILES.items() if n != "meshes/t.obj"}
    with pytest.raises(OSError, match=r"bad\.mjz/meshes/t\.obj"):
        sinew.Model.from_path(pack(tmp_path / "bad.mjz", gone))
    with pytest.raises(sinew.ModelError, match="holds no model"):
        sinew.Model.from_path(
            pack(tmp_path / "none.mjz", {"a.txt": "a", "a.xml": BODY, "b.xml": BODY})
        )


def test_a_model_in_an_archive_reads_no_file_outside(tmp_path):
    (tmp_path / "t.obj").write_text(OBJ)
    for name in ("../t.obj", "../../t.obj"):
        text = MODEL.replace("t.obj", name).replace('meshdir="meshes"', "")
        with pytest.raises(OSError, match="cannot read"):
            sinew.Model.from_path(pack(tmp_path / "out.mjz", FILES | {"model.xml": text}))


@pytest.mark.parametrize(
    "name",
    [
        "/etc/x.xml",
        "../x.xml",
        "a/../../x.xml",
        "a/..",
        "c:/x.xml",
        "a\\x.xml",
        "a\nb.xml",
        "x" * 2000,
    ],
)
def test_names_that_leave_it(name, tmp_path):
    path = tmp_path / "names.mjz"
    data = pack(path, FILES | {"N" * len(name): "x"}).read_bytes()
    path.write_bytes(data.replace(b"N" * len(name), name.encode()))  # zipfile would mend some
    with pytest.raises(ValueError, match=r"(?s)names\.mjz': its member .*has a name"):
        sinew.Model.from_path(path)


def test_names_twice(tmp_path):
    path = tmp_path / "twice.mjz"
    data = pack(path, FILES | {"modem.xml": MODEL}).read_bytes()
    path.write_bytes(data.replace(b"modem.xml", b"model.xml"))
    with pytest.raises(ValueError, match=r"two members 'model\.xml'"):
        sinew.Model.from_path(path)


def entries(data):
    """Where the entries of the directory begin."""
    found, at = [], data.find(b"PK\1\2")
    while at >= 0:
        found.append(at)
        at = data.find(b"PK\1\2", at + 4)
    return found


# place in an entry, format, value; what is said
LIES = {
    "size": (24, "<I", 10**6, "does not unpack|larger than it can be"),
    "size, one more": (24, "<I", len(MODEL) + 1, "does not unpack"),
    "size, none": (24, "<I", 0, "does not unpack"),
    "packed": (20, "<I", 10**8, "shares bytes|not where"),
    "packed, one less": (20, "<I", None, "does not unpack"),
    "checksum": (16, "<I", 1, "checksum"),
    "place": (42, "<I", 1, "not where"),
    "place beyond": (42, "<I", 0xFFFFFF00, "not where"),
    "encrypted": (8, "<H", 1, "encrypted"),
    "method": (10, "<H", 12, "not supported"),
    "zip64": (24, "<I", 0xFFFFFFFF, "zip64"),
    "name": (28, "<H", 0xFFFF, "leaves it"),
}


@pytest.mark.parametrize("lie", LIES)
def test_lies_about_members(lie, tmp_path):
    place, form, value, words = LIES[lie]
    path = pack(tmp_path / "lie.mjz", FILES)
    data = bytearray(path.read_bytes())
    at = entries(data)[0] + place
    if value is None:
        value = struct.unpack_from(form, data, at)[0] - 1
    struct.pack_into(form, data, at, value)
    path.write_bytes(data)
    with pytest.raises(ValueError, match=rf"lie\.mjz'.*({words})"):
        sinew.Model.from_path(path)


def test_bombs(tmp_path):
    """More bytes than any model has, told before memory is taken, and many members over the same bytes."""
    path = pack(tmp_path / "bomb.mjz", {"model.xml": BODY, "big.bin": os.urandom(1_100_000)})
    data = bytearray(path.read_bytes())
    struct.pack_into("<I", data, entries(data)[-1] + 24, 1_100_000_000)
    path.write_bytes(data)
    with pytest.raises(ValueError, match="too large: they have more than 1 GiB"):
        sinew.Model.from_path(path)
    data = pack(path, {"a": os.urandom(3000)}).read_bytes()
    start = data.find(b"PK\1\2")
    entry, end = data[start:-22], bytearray(data[-22:])
    struct.pack_into("<HHI", end, 8, 500, 500, 500 * len(entry))
    path.write_bytes(data[:start] + 500 * entry + end)
    with pytest.raises(ValueError, match="zip bomb"):
        sinew.Model.from_path(path)


def test_any_damage_is_an_error_or_harmless(tmp_path):
    """Bytes changed and archives cut short: never a crash, and what loads is whole."""
    whole = pack(tmp_path / "x.mjz", FILES).read_bytes()
    rng = np.random.default_rng(0)
    for i in range(200):
        data = bytearray(whole)
        if i % 2:
            del data[int(rng.integers(4, len(data))) :]
        else:
            for at in rng.integers(4, len(data), 3):
                data[at] = rng.integers(256)
        (tmp_path / "x.mjz").write_bytes(data)
        try:
            model = sinew.Model.from_path(tmp_path / "x.mjz")
        except (ValueError, OSError):
            continue
        assert model.nmesh == 1 and zlib.crc32(bytes(data)) != 0


def test_several_parts_and_comments(tmp_path):
    path = tmp_path / "c.mjz"
    with zipfile.ZipFile(path, "w") as archive:
        archive.comment = b"PK\5\6 a comment that looks like an end"
        for name, data in FILES.items():
            archive.writestr(name, data)
        archive.mkdir("empty") if hasattr(archive, "mkdir") else archive.writestr("empty/", "")
    assert sinew.Model.from_path(path).nmesh == 1
    data = bytearray(pack(path, FILES).read_bytes())
    struct.pack_into("<H", data, len(data) - 18, 1)
    path.write_bytes(data)
    with pytest.raises(ValueError, match="several parts"):
        sinew.Model.from_path(path)
    path.write_bytes(b"PK\3\4")
    with pytest.raises(ValueError, match="cut short"):
        sinew.Model.from_path(path)


@pytest.mark.parametrize("end", ["mjz", "zip"])
def test_what_is_written_is_read(end, tmp_path):
    """By us, by Python's zipfile, and by the peer; the same spec gives the same bytes."""
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(data)
    (tmp_path / "meshes/more").mkdir()
    noise = np.random.default_rng(0).bytes(50)
    (tmp_path / "meshes/more/t.obj").write_text(OBJ.replace("1 0 0", "2 0 0"))
    spec = sinew.Spec.from_path(tmp_path / "model.xml")
    spec.section("asset").add("mesh", name="n", file="more/t.obj")
    spec.add_asset("memory.obj", OBJ.encode() + b"# " + noise.hex().encode())
    spec.section("asset").add("mesh", name="k", file="memory.obj")
    path, again = tmp_path / f"out.{end}", tmp_path / f"again.{end}"
    spec.save(path)
    spec.save(again)
    assert path.read_bytes() == again.read_bytes()
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        assert len(archive.namelist()) == 4 and archive.namelist()[0] == "model.xml"
    model, whole = sinew.Model.from_path(path), spec.compile()
    for field in ("body_mass", "mesh_vert", "mesh_face", "geom_dataid"):
        np.testing.assert_array_equal(getattr(model, field), getattr(whole, field), err_msg=field)
    program = "import mujoco, sys; print(mujoco.MjSpec.from_zip(sys.argv[1]).compile().nmesh)"
    done = subprocess.run(
        [sys.executable, "-c", program, str(path)],
        env=os.environ | {"PYTHONPATH": str(newest.FOLDER)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == "3"


def test_an_archive_that_cannot_be_written(tmp_path):
    spec = sinew.Spec.from_xml("<mujoco/>")
    with pytest.raises(OSError, match="nowhere"):
        spec.save(tmp_path / "nowhere/out.mjz")
    spec.save(tmp_path / "out.mjz")
    before = (tmp_path / "out.mjz").read_bytes()
    spec.world.add("geom", type="mesh", mesh="none")
    with pytest.raises(ValueError, match="none"):
        spec.save(tmp_path / "out.mjz")
    assert (tmp_path / "out.mjz").read_bytes() == before


def test_a_name_that_could_not_be_read_is_not_written(tmp_path):
    (tmp_path / "a:b.obj").write_text(OBJ)
    text = "<mujoco><asset><mesh name='a' file='a:b.obj'/></asset></mujoco>"
    (tmp_path / "model.xml").write_text(text)
    spec = sinew.Spec.from_path(tmp_path / "model.xml")
    spec.compile()
    with pytest.raises(ValueError, match="a:b.obj.*rename"):
        spec.save(tmp_path / "out.mjz")
    assert not (tmp_path / "out.mjz").exists()
