"""sinew.mujoco.msh2obj: models of the OBJ text are those of the MSH file; the peer's own text is the same."""

import pathlib
import struct
import subprocess
import sys

import numpy as np
import pytest

import sinew
from sinew.mujoco import msh2obj

peer = pytest.importorskip("mujoco.msh2obj")


def write(path, nvertex, nnormal, ntexcoord, nface):
    rng = np.random.default_rng(nvertex + 3 * nface)
    floats = [
        rng.random((n, k)).astype("<f4") for n, k in ((nvertex, 3), (nnormal, 3), (ntexcoord, 2))
    ]
    faces = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]][:nface], "<i4").reshape(-1, 3)
    header = struct.pack("<4i", nvertex, nnormal, ntexcoord, nface)
    path.write_bytes(b"".join([header, *(a.tobytes() for a in floats), faces.tobytes()]))
    return path


def mesh(name, data):
    text = f"<mujoco><asset><mesh name='m' file='{name}'/></asset></mujoco>"
    return sinew.Model.from_xml(text, {name: data})


def test_as_the_peer(tmp_path):
    file = write(tmp_path / "a.msh", 4, 4, 4, 4)
    assert msh2obj.msh_to_obj(file) == peer.msh_to_obj(file)
    ours, theirs = msh2obj.Msh.create(file), peer.Msh.create(file)
    for name in ("vertex_positions", "vertex_normals", "vertex_texcoords", "face_vertex_indices"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name))
        assert getattr(ours, name).dtype == getattr(theirs, name).dtype


@pytest.mark.parametrize("counts", [(4, 4, 4, 4), (4, 0, 4, 4), (4, 4, 0, 4), (4, 0, 0, 4)])
def test_the_model_is_the_same(tmp_path, counts):
    file = write(tmp_path / "a.msh", *counts)
    before = mesh("a.msh", file.read_bytes())
    after = mesh("a.obj", msh2obj.msh_to_obj(file).encode())
    assert np.array_equal(before.mesh_vert, after.mesh_vert)
    assert np.array_equal(before.mesh_face, after.mesh_face)
    np.testing.assert_allclose(before.mesh_normal, after.mesh_normal, atol=1e-6)
    assert before.mesh_texcoordnum == after.mesh_texcoordnum
    np.testing.assert_allclose(before.mesh_texcoord, after.mesh_texcoord, atol=1e-7)


def test_files_that_are_none(tmp_path):
    file = write(tmp_path / "a.msh", 4, 4, 4, 4)
    data = file.read_bytes()
    for wrong in (
        b"",
        data[:10],
        data[:-1],
        data + b"1234",
        struct.pack("<4i", -1, 0, 0, 1) + data[16:],
    ):
        file.write_bytes(wrong)
        with pytest.raises(ValueError, match="a.msh: "):
            msh2obj.msh_to_obj(file)
    with pytest.raises(FileNotFoundError, match="does not exist"):
        msh2obj.msh_to_obj(pathlib.Path("/nonexistent.msh"))


def test_the_command_line(tmp_path):
    file = write(tmp_path / "a.msh", 4, 0, 0, 4)
    out = tmp_path / "a.obj"
    command = [sys.executable, "-m", "sinew.mujoco.msh2obj"]
    subprocess.run([*command, "-i", str(file), "--output", str(out)], check=True, timeout=1200)
    assert out.read_text() == msh2obj.msh_to_obj(file)
    assert out.read_text().endswith("f 2 4 3\n")
    assert subprocess.run(command, capture_output=True, timeout=1200).returncode == 2
