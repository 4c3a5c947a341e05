"""Files of Gmsh as tests want them: versions 2.2 and 4.1, text and binary.

gmsh_files.write("4.1", points, {"tetrahedra": elements}, binary=True)
"""

import struct

KINDS = {
    "points": (15, 0),
    "edges": (1, 1),
    "triangles": (2, 2),
    "quads": (3, 2),
    "tetrahedra": (4, 3),
}


def _numbers(binary, code, *values):
    """Numbers as a row of text, or packed by struct's code."""
    if binary:
        return struct.pack("<" + code, *values)
    return (" ".join(repr(v) for v in values) + "\n").encode()


def _old(points, elements, binary, tags, labels):
    text = b"$Nodes\n%d\n" % len(points)
    for tag, point in zip(tags, points, strict=True):
        text += _numbers(binary, "i3d", tag, *map(float, point))
    end = b"\n" if binary else b""
    text += end + b"$EndNodes\n$Elements\n%d\n" % sum(map(len, elements.values()))
    number = 0
    for kind, rows in elements.items():
        for row in rows:
            number += 1
            nodes, extra = [tags[i] for i in row], [1] * labels
            if binary:
                text += _numbers(True, "3i", KINDS[kind][0], 1, labels)
                text += _numbers(True, f"{1 + labels + len(nodes)}i", number, *extra, *nodes)
            else:
                text += _numbers(False, "", number, KINDS[kind][0], labels, *extra, *nodes)
    return text + end + b"$EndElements\n"


def _new(points, elements, binary, tags, blocks, dim):
    text = b"$Nodes\n" + _numbers(binary, "4Q", len(blocks), len(points), min(tags), max(tags))
    for block in blocks:
        text += _numbers(binary, "3iQ", dim, 1, 0, len(block))
        for i in block:
            text += _numbers(binary, "Q", tags[i])
        for i in block:
            text += _numbers(binary, "3d", *map(float, points[i]))
    count = sum(map(len, elements.values()))
    end = b"\n" if binary else b""
    text += end + b"$EndNodes\n$Elements\n" + _numbers(binary, "4Q", len(elements), count, 1, count)
    number = 0
    for kind, rows in elements.items():
        text += _numbers(binary, "3iQ", KINDS[kind][1], 1, KINDS[kind][0], len(rows))
        for row in rows:
            number += 1
            text += _numbers(binary, f"{1 + len(row)}Q", number, *(tags[i] for i in row))
    return text + end + b"$EndElements\n"


def write(version, points, elements, *, binary=False, tags=None, labels=2, blocks=None, dim=3):
    """The bytes of a file.

    Parameters
    ----------
    points : [n x 3]
    elements : {kind of KINDS: rows of points from 0}
    tags : numbers of the points in the file; None: 1, 2, ...
    labels : of 2.2, how many an element has
    blocks, dim : of 4.1, points of the blocks of nodes (None: one of all) and their dimension
    """
    tags = list(tags or range(1, len(points) + 1))
    head = f"$MeshFormat\n{version} {int(binary)} 8\n".encode()
    head += (struct.pack("<i", 1) + b"\n" if binary else b"") + b"$EndMeshFormat\n"
    if version == "2.2":
        return head + _old(points, elements, binary, tags, labels)
    return head + _new(points, elements, binary, tags, blocks or [range(len(points))], dim)
