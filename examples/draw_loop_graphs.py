"""Draws closed loops as graphs, beside their matrices: the clusters of an excavator, the band of a ladder.

python draw_loop_graphs.py FOLDER

Graphs come from the models, matrices and counts from Sinew, as they are drawn.
"""

import sys

import charts
import numpy as np
from charts import GREY, box, disc, line, text
from draw_mechanisms import MODELS

import sinew
import sinew.loops

# ---- clusters, and the pattern of K and G

CLUSTERS = (charts.BLUE, charts.GREEN, charts.RED)
# where bodies are drawn, in units of GRID pixels, and where their names stand from there, in pixels
ABOVE, BELOW, LEFT, RIGHT = (0, -10, "middle"), (0, 18, "middle"), (-9, -8, "end"), (9, -8, "start")
PLACES = {
    "world": (0, 0, BELOW),
    "house": (1.1, 0, BELOW),
    "boom_cylinder_barrel": (1.2, 1.3, ABOVE),
    "boom_cylinder_rod": (2.4, 1.3, ABOVE),
    "boom": (2.6, 0, RIGHT),
    "stick_cylinder_barrel": (2.8, -1.3, BELOW),
    "stick_cylinder_rod": (4.0, -1.3, BELOW),
    "stick": (4.3, 0, LEFT),
    "bucket_cylinder_barrel": (4.6, 1.7, ABOVE),
    "bucket_cylinder_rod": (6.0, 1.7, ABOVE),
    "rocker": (6.0, 0.6, BELOW),
    "link": (7.2, 0.6, ABOVE),
    "bucket": (7.3, -0.6, BELOW),
}
GRID, CELL = 55, 12


def excavator_on_its_house():
    """The excavator's arm on a body that slews: a joint in no loop."""
    arm = (MODELS / "excavator.xml").read_text()
    house = '<body name="house"><joint name="slew" axis="0 0 1"/><geom type="sphere" size=".3" mass="5000"/>'
    arm = arm.replace("<worldbody>", "<worldbody>" + house).replace(
        "</worldbody>", "</body></worldbody>"
    )
    model = sinew.Model.from_xml(arm)
    data = sinew.Data(model)
    sinew.forward(model, data)
    return model, data


def edge(a, b, number, colour, dash=None):
    (x1, y1), (x2, y2) = a, b
    x, y = (x1 + x2) / 2, (y1 + y2) / 2
    return [
        line(x1, y1, x2, y2, colour, 2, dash),
        disc(x, y, 8, charts.PAPER),
        text(x, y + 4, number, fill=colour, text_anchor="middle"),
    ]


def connectivity(model, data, corner):
    """Bodies as discs, joints as lines, those that close loops dashed; in a cluster's colour."""

    def place(body):
        x, y, _ = PLACES[model.body(body).name]
        return corner[0] + GRID * x, corner[1] - GRID * y

    shapes = []
    for dof in range(model.nv):
        body, cluster = int(model.dof_bodyid[dof]), int(data.dof_cluster[dof])
        colour = CLUSTERS[cluster] if cluster >= 0 else GREY
        shapes += edge(place(model.body_parentid[body]), place(body), dof + 1, colour)
    for k, loop in enumerate(data.closure_id):
        ends = [place(int(model.site_bodyid[site])) for site in model.loop_siteid[loop]]
        colour = CLUSTERS[data.closure_cluster[k]]
        shapes += edge(*ends, model.nv + 1 + k, colour, "5 3")
    for body in range(model.nbody):
        (x, y), name = place(body), model.body(body).name
        shapes.append(disc(x, y, 5, "#222" if body else "#fff", stroke="#222"))
        dx, dy, anchor = PLACES[name][2]
        shapes.append(text(x + dx, y + dy, name.split("_")[-1], text_anchor=anchor))
    return shapes


def pattern(matrix, corner, blocks):
    """Squares where a matrix has numbers, on a ground of blocks (first row, first column, rows, columns, colour)."""
    (left, top), (rows, columns) = corner, matrix.shape
    there = np.abs(matrix) > 1e-12 * np.abs(matrix).max()
    shapes = [box(left, top, CELL * columns, CELL * rows, "#fff", stroke=GREY)]
    for row, column, height, width, colour in blocks:
        x, y = left + CELL * column, top + CELL * row
        shapes.append(box(x, y, CELL * width, CELL * height, colour, opacity=0.2))
        block = there[row : row + height, column : column + width]
        for i, j in np.argwhere(block):
            shapes.append(box(x + CELL * j + 2, y + CELL * i + 2, CELL - 4, CELL - 4, colour))
        block[:] = False
    assert not there.any()  # blocks have it all
    return shapes


def labels(words, start, step, size=8):
    """Words in a row or a column of cells."""
    x, y = start
    return [
        text(x + step[0] * i, y + step[1] * i, word, size, text_anchor="middle")
        for i, word in enumerate(words)
    ]


def blocks_of(data):
    """Blocks of K and of G, as `pattern` takes them, and the dofs that are y, the columns of G."""
    blocks_K, alone = [], np.flatnonzero(data.dof_cluster < 0)
    y = list(alone)
    for c in range(data.ncluster):
        first, n, r = data.cluster_dofadr[c], data.cluster_dofnum[c], data.cluster_rank[c]
        dofs = data.loop_dof[first : first + n]
        y += list(dofs[data.loop_column[first + r : first + n]])
        blocks_K.append((data.cluster_rowadr[c], dofs[0], data.cluster_rownum[c], n, CLUSTERS[c]))
    y = np.sort(y)
    blocks_G = [(dof, np.searchsorted(y, dof), 1, 1, GREY) for dof in alone]
    for _, dof, _, n, colour in blocks_K:
        first, end = np.searchsorted(y, (dof, dof + n))
        blocks_G.append((dof, first, n, end - first, colour))
    return blocks_K, blocks_G, y


def draw_K(model, data, blocks, corner):
    """K, its columns the dofs, its rows those of the loops."""
    (left, top), K = corner, sinew.loops.K(model, data)
    shapes = [text(left, top - 24, f"K, {K.shape[0]} x {K.shape[1]}, rank {data.loop_rank}")]
    shapes += pattern(K, corner, blocks)
    shapes += labels(range(1, model.nv + 1), (left + CELL / 2, top - 4), (CELL, 0))
    for k, (start, count) in enumerate(zip(data.closure_rowadr, data.closure_rownum, strict=True)):
        y, colour = top + CELL * start, CLUSTERS[data.closure_cluster[k]]
        middle = float(y + CELL * count / 2 + 4)
        shapes.append(text(left - 6, middle, model.nv + 1 + k, text_anchor="end", fill=colour))
        if start:
            shapes.append(line(left, y, left + CELL * model.nv, y, GREY, 0.5))
    return shapes


def draw_G(model, data, blocks, y, corner):
    """G, its rows the dofs, its columns those of them that are y."""
    (left, top), G = corner, sinew.loops.G(model, data)
    shapes = [text(left, top - 24, f"G, {G.shape[0]} x {G.shape[1]}")]
    shapes += pattern(G, corner, blocks)
    shapes += labels(range(1, model.nv + 1), (left - 8, top + CELL - 3), (0, CELL))
    return shapes + labels(y + 1, (left + CELL / 2, top - 4), (CELL, 0))


def clusters():
    model, data = excavator_on_its_house()
    blocks_K, blocks_G, y = blocks_of(data)
    shapes = connectivity(model, data, (30, 165))
    shapes += draw_K(model, data, blocks_K, (500, 44))
    shapes += draw_G(model, data, blocks_G, y, (694, 44))
    return charts.picture(shapes, 770, 298)


# ---- the band of a ladder


def ladder(rungs):
    """Two rails of rods, which ball joints join along the rails and across as rungs; it floats."""
    rod = '<geom type="capsule" size=".02" fromto="0 0 0 .4 0 0" mass="1"/>'

    def site(side, k):
        pos, name = (".1 .1 0", "a") if side == 1 else (".1 -.1 0", "b")
        return f'<site name="{name}{k}" pos="{pos}"/>' if k else ""

    def rail(side, k):
        if k == rungs:
            return ""
        name = f"{2 * k + side}"
        start = ".4 0 0" if k else "0 .2 0"
        joint = "<freejoint/>" if name == "1" else '<joint type="ball"/>'
        other = rail(2, 0) if name == "1" else ""
        start = "0 0 0" if name == "1" else start
        return f'<body name="{name}" pos="{start}">{joint}{rod}{site(side, k)}{other}{rail(side, k + 1)}</body>'

    fields = "".join(
        f'<text name="sinew_loop_rung{k}" data="spherical a{k} b{k}"/>' for k in range(1, rungs)
    )
    model = sinew.Model.from_xml(
        '<mujoco><default><geom contype="0" conaffinity="0"/></default>'
        f"<custom>{fields}</custom><worldbody>{rail(1, 0)}</worldbody></mujoco>"
    )
    data = sinew.Data(model)
    sinew.forward(model, data)
    return model, data


def joints_of(model):
    """Pairs of bodies that joints of the tree join, and loops; by their names, which are numbers."""

    def pair(*bodies):
        return tuple(sorted(int(model.body(int(b)).name) for b in bodies))

    tree = {pair(model.body_parentid[b], b) for b in range(2, model.nbody)}
    return tree, {pair(*(model.site_bodyid[s] for s in two)) for two in model.loop_siteid}


def order(rungs, pairs):
    """Rows of (8.64) as in figure 8.4: bodies of a rung, its joint, the joints of rails to the next rung."""
    rows = []
    for k in range(rungs):
        rows += [(2 * k + 1,), (2 * k + 2,), (2 * k + 1, 2 * k + 2)]
        rows += [(b, b + 2) for b in (2 * k + 1, 2 * k + 2) if (b, b + 2) in pairs]
    assert len(rows) == 2 * rungs + len(pairs)
    return rows


def name(row):
    """Of a body its number, of a joint those of its bodies."""
    return ("," if max(row) > 9 and len(row) > 1 else "").join(map(str, row))


def ladder_graph(rungs, tree, loops, corner):
    shapes, step = [], 62

    def place(b):
        return corner[0] + step * ((b - 1) // 2), corner[1] + step * ((b - 1) % 2)

    for pair in sorted(tree | loops):
        colour, dash = (charts.RED, "5 3") if pair in loops else (charts.BLUE, None)
        (x1, y1), (x2, y2) = (place(b) for b in pair)
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        shapes += [
            line(x1, y1, x2, y2, colour, 2, dash),
            box(x - 11, y - 7, 22, 14, charts.PAPER),
            text(x, y + 4, name(pair), 10, fill=colour, text_anchor="middle"),
        ]
    for b in range(1, 2 * rungs + 1):
        x, y = place(b)
        shapes += [disc(x, y, 9, "#222"), text(x, y + 4, b, 10, fill="#fff", text_anchor="middle")]
    return shapes


def band(rows, corner, cell=10):
    """Blocks of (8.64) in this order on the band of three diagonals on each side."""
    left, top = corner
    count = len(rows)
    shapes = [box(left, top, cell * count, cell * count, "#fff", stroke=GREY)]
    for i, row in enumerate(rows):
        first, last = max(0, i - 3), min(count, i + 4)
        shapes.append(
            box(left + cell * first, top + cell * i, cell * (last - first), cell, "#e4e2da")
        )
    for i, row in enumerate(rows):
        for j, column in enumerate(rows):
            joint = len(row) != len(column) and set(row) & set(column)
            if not joint and not (i == j and len(row) == 1):
                continue
            assert abs(i - j) <= 3
            colour = charts.BLUE if i == j else charts.RED
            shapes.append(box(left + cell * j + 1, top + cell * i + 1, cell - 2, cell - 2, colour))
        shapes.append(text(left - 3, top + cell * i + 8, name(row), 7, text_anchor="end"))
    return shapes


def ladder_band():
    rungs = 5
    model, data = ladder(rungs)
    tree, loops = joints_of(model)
    shapes = ladder_graph(rungs, tree, loops, (64, 46))
    shapes += band(order(rungs, tree | loops), (450, 24))
    counts = []
    for n in range(4, 65, 4):
        model, data = ladder(n)
        counts.append([n, model.nM, sinew.loops.sparse_count(model, data).nonzeros])
    n, H, L = np.array(counts).T
    top = int(np.ceil(max(H.max(), L.max()) / 10000) * 10000)
    title = "numbers in H (red), and in the factor L of (8.64) (blue)"
    curves = [(n, H, charts.RED), (n, L, charts.BLUE)]
    shapes += charts.chart(title, (55, 150), (330, 90), (0, n[-1]), (0, top), curves, "rungs")
    return charts.picture(shapes, 710, 276)


PICTURES = {
    "loops_clusters": clusters,
    "loops_ladder": ladder_band,
}

if __name__ == "__main__":
    charts.write(PICTURES, sys.argv[1])
