"""MSH mesh files as OBJ: the peer's module `mujoco.msh2obj`.

On the command line: `python -m sinew.mujoco.msh2obj -i MESH.msh -o MESH.obj`.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import pathlib

import numpy as np
from numpy.typing import NDArray

__all__ = ["Msh", "msh_to_obj"]


@dataclasses.dataclass(frozen=True)
class Msh:
    """The arrays of a file: positions (nvertex, 3), normals (nnormal, 3), texture coordinates
    (ntexcoord, 2), v upwards as in OBJ, and vertices of faces (nface, 3), counted from 0."""

    vertex_positions: NDArray[np.float32]
    vertex_normals: NDArray[np.float32]
    vertex_texcoords: NDArray[np.float32]
    face_vertex_indices: NDArray[np.int32]

    @staticmethod
    def create(file: str | os.PathLike) -> Msh:
        """Read a file: four counts, then as many vertices, normals, texture coordinates and faces."""
        data = pathlib.Path(file).read_bytes()
        if len(data) < 16:
            raise ValueError(
                f"{file}: {len(data)} bytes are no MSH file, which begins with 4 counts"
            )
        counts = [int(n) for n in np.frombuffer(data, "<i4", 4)]
        shapes = [(n, width) for n, width in zip(counts, (3, 3, 2, 3), strict=True)]
        size = 16 + 4 * sum(rows * width for rows, width in shapes)
        if min(counts) < 0 or size != len(data):
            raise ValueError(
                f"{file}: {counts[0]} vertices, {counts[1]} normals, {counts[2]} texture coordinates and "
                f"{counts[3]} faces take {size} bytes, the file has {len(data)}"
            )
        arrays, at = [], 16
        for shape, item in zip(shapes, ("<f4", "<f4", "<f4", "<i4"), strict=True):
            arrays.append(np.frombuffer(data, item, shape[0] * shape[1], at).reshape(shape))
            at += arrays[-1].nbytes
        arrays[2] = arrays[2] * np.float32([1, -1]) + np.float32([0, 1])  # v is downwards in MSH
        return Msh(*arrays)


def _face_format(msh: Msh) -> str:
    """A line of a face, which names a vertex, texture coordinate and normal by one number thrice."""
    texture = "{0}" if len(msh.vertex_texcoords) else ""
    normal = "/{0}" if len(msh.vertex_normals) else ""
    slash = "/" if texture or normal else ""
    corner = "{0}" + slash + texture + normal
    return "f " + " ".join(corner.replace("0", str(k)) for k in range(3))


def msh_to_obj(msh_file: pathlib.Path) -> str:
    """The text of an OBJ file with what an MSH file has."""
    msh_file = pathlib.Path(msh_file)
    if not msh_file.exists():
        raise FileNotFoundError(f"{msh_file} does not exist.")
    msh = Msh.create(msh_file)
    blocks = {
        "v": msh.vertex_positions,
        "vn": msh.vertex_normals,
        "vt": msh.vertex_texcoords,
    }
    # as double: all digits of a float
    lines = [
        f"{key} {' '.join(map(str, row))}"
        for key, rows in blocks.items()
        for row in rows.astype(np.float64).tolist()
    ]
    face = _face_format(msh)
    lines += [face.format(*row) for row in (msh.face_vertex_indices.astype(np.int64) + 1).tolist()]
    return "\n".join(lines) + "\n"


def _main() -> None:
    parser = argparse.ArgumentParser(
        prog="msh2obj.py", description="Writes an MSH mesh file as an OBJ file."
    )
    parser.add_argument("-i", "--input", required=True, help="the MSH file to read")
    parser.add_argument("-o", "--output", required=True, help="the OBJ file to write")
    given = parser.parse_args()
    pathlib.Path(given.output).write_text(msh_to_obj(pathlib.Path(given.input)), "utf-8")


if __name__ == "__main__":
    _main()
