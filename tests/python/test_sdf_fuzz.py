"""Meshes of all kinds into signed distance fields: what is not refused by name has a field that keeps to its error.

SINEW_LONG: a hundred times as many.
"""

import os
import warnings

import numpy as np
import pytest

import sinew

ROUNDS, EACH = (40, 1) if os.environ.get("SINEW_LONG") else (1, 3)  # each third case
CORNERS = np.array([[k & 1, k >> 1 & 1, k >> 2] for k in range(8)], float)
SIDES = np.array([
    [0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5],
    [3, 7, 5],
])  # fmt: skip


# ---- closed meshes to begin with: vertices and triangles


def box(rng):
    return CORNERS * rng.uniform(0.1, 1, 3), SIDES


def tetrahedron(rng):
    v = rng.normal(size=(4, 3))
    f = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
    outwards = np.linalg.det(v[1:] - v[0]) > 0
    return v, f if outwards else f[:, ::-1]


def ring(rng):
    n, k, thick = rng.integers(4, 16), rng.integers(3, 9), rng.uniform(0.1, 0.45)
    a, b = np.meshgrid(2 * np.pi * np.arange(n) / n, 2 * np.pi * np.arange(k) / k, indexing="ij")
    r = 1 + thick * np.cos(b)
    v = np.stack([r * np.cos(a), r * np.sin(a), thick * np.sin(b)], -1).reshape(-1, 3)
    i, j = np.meshgrid(np.arange(n), np.arange(k), indexing="ij")
    at = [((i + x) % n * k + (j + y) % k).ravel() for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return v, np.concatenate([np.stack([at[0], at[p], at[q]], 1) for p, q in ((1, 2), (2, 3))])


def star(rng):
    """A ring on which every point is somewhere else."""
    v, f = ring(rng)
    return v + rng.normal(0, 0.03, v.shape), f


def two(first, second, shift):
    return np.concatenate([first[0], second[0] + shift]), np.concatenate(
        [first[1], second[1] + len(first[0])]
    )


def apart(rng):
    return two(box(rng), tetrahedron(rng), [4, 0, 0])


def crossing(rng):
    return two(box(rng), box(rng), [0.05, 0.03, 0.02])


def touching(rng):
    """One side of both is the same."""
    v, f = box(rng)
    return two((v, f), (v, f), [v[:, 0].max(), 0, 0])


SOLIDS = [box, tetrahedron, ring, star, apart, crossing, touching]


# ---- what may be done to them


def lacking(rng, v, f):
    return v, np.delete(f, rng.integers(len(f)), 0)


def doubled(rng, v, f):
    return v, np.concatenate([f, f[rng.integers(len(f), size=1 + len(f) // 4)]])


def turned(rng, v, f):
    some = rng.random(len(f)) < 0.3
    some[:2] = True, False
    return v, np.where(some[:, None], f[:, ::-1], f)


def inverted(rng, v, f):
    return v, f[:, ::-1]


def split(rng, v, f):
    """Every triangle has vertices of its own."""
    return v[f].reshape(-1, 3), np.arange(f.size).reshape(-1, 3)


def degenerate(rng, v, f):
    more = f[rng.integers(len(f), size=3)].copy()
    more[:, 2] = more[:, rng.integers(2)]
    return v, np.concatenate([f, more])


def slivers(rng, v, f):
    """One vertex goes almost to the next one, and one along an edge."""
    v = v.copy()
    a, b, c = f[rng.integers(len(f))]
    v[a] = v[b] + 10.0 ** -rng.integers(3, 12) * (v[a] - v[b])
    v[c] = (v[c] + v[b]) / 2
    return v, f


def flat(rng, v, f):
    return v * [1, 1, 10.0 ** -rng.integers(3, 9)], f


def huge(rng, v, f):
    return v * 10.0 ** rng.integers(3, 15), f


def tiny(rng, v, f):
    return v * 10.0 ** -rng.integers(2, 12), f


def far(rng, v, f):
    return v + 10.0 ** rng.integers(1, 7), f


def unequal(rng, v, f):
    return v * 10.0 ** rng.uniform(-2, 2, 3), f


def holed(rng, v, f):
    """Not a number, or endless."""
    v = v.copy()
    v[rng.integers(len(v)), rng.integers(3)] = rng.choice([np.nan, np.inf, 1e300, -1e39])
    return v, f


def few(rng, v, f):
    return v, f[:2]


def shuffled(rng, v, f):
    return v, rng.integers(len(v), size=f.shape)


def nothing(rng, v, f):
    return v, f


CHANGES = [
    nothing, lacking, doubled, turned, inverted, split, degenerate, slivers, flat, huge, tiny, far, unequal, holed, few, shuffled,
]  # fmt: skip
# After these a mesh is still what it was.
KEEPING = (nothing, split, inverted, degenerate)


def text_of(v, f):
    numbers = " ".join(repr(float(x)) for x in v.ravel())
    return f"""<mujoco><asset><mesh name="m" inertia="shell" vertex="{numbers}" face="{" ".join(map(str, f.ravel()))}"/></asset>
  <worldbody><geom type="sdf" mesh="m"/><body mocap="true"><geom size="1e-3"/></body></worldbody></mujoco>"""


# ---- what a field says


def weights(x):
    return np.stack([(2 * x - 1) * (x - 1), 4 * x * (1 - x), x * (2 * x - 1)], axis=-1)


def looked_up(m, p):
    """The distance of a point in the box of the field, as docs/sdf.md says."""
    box, node = m.mesh_sdfbox[0].copy(), 0
    while m.sdf_child[node] >= 0:
        upper = p >= box[:3]
        box[3:] /= 2
        box[:3] += np.where(upper, box[3:], -box[3:])
        node = m.sdf_child[node] + upper @ [1, 2, 4]
    code = -1 - m.sdf_child[node]
    sheets = m.sdf_sheet[code // 8 : code // 8 + code // 2 % 4 + 1].reshape(-1, 3, 3, 3)
    w = weights(0.5 + 0.5 * (p - box[:3]) / box[3:])
    each = np.einsum("szyx,z,y,x->s", sheets, w[2], w[1], w[0])
    return each.max() if code % 2 else each.min()


def to_triangles(m, p):
    """The distance to the triangles, one by one."""
    v = m.mesh_vert.astype(float)
    a, b, c = v[m.mesh_face].transpose(1, 0, 2)
    n, best = np.cross(b - a, c - a), np.inf
    over = np.linalg.norm(n, axis=1) > 0
    n = n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)
    for u, w in ((a, b), (b, c), (c, a)):
        e, off = w - u, p - u
        along = np.clip((off * e).sum(1) / np.maximum((e * e).sum(1), 1e-300), 0, 1)
        best = min(best, np.linalg.norm(off - along[:, None] * e, axis=1).min())
        over &= (np.cross(e, off) * n).sum(1) >= 0
    return min(best, abs(((p - a) * n).sum(1))[over].min()) if over.any() else best


def check_tree(m):
    """Every node but the root has one parent, every sheet one leaf."""
    inner = m.sdf_child[m.sdf_child >= 0]
    assert len(m.sdf_child) == 1 + 8 * len(inner) and len(np.unique(inner)) == len(inner)
    code = -1 - m.sdf_child[m.sdf_child < 0]
    first, count = code // 8, code // 2 % 4 + 1
    assert count.sum() == len(m.sdf_sheet) and (np.sort(first)[1:] > np.sort(first)[:-1]).all()
    assert np.isfinite(m.sdf_sheet).all() and np.isfinite(m.mesh_sdfbox).all()


def check_distances(m, rng, count=40):
    side = 2 * m.geom_aabb[0, 3:].max()
    for _ in range(count):
        p = m.mesh_sdfbox[0, :3] + rng.uniform(-1, 1, 3) * m.mesh_sdfbox[0, 3:]
        off = abs(abs(looked_up(m, p)) - to_triangles(m, p))
        # between samples it may be more than at them
        assert off <= 2 * m.mesh_sdferror[0] + 1e-3 * side, (off / side, m.mesh_sdferror[0] / side)


def check_steps(m):
    """A ball in the middle and at corners of the box: contacts are numbers, and so are distances."""
    d = sinew.Data(m)
    for k in range(9):
        corner = 0 if k == 8 else 2 * CORNERS[k] - 1
        d.mocap_pos[0] = m.mesh_sdfbox[0, :3] + 0.7 * corner * m.mesh_sdfbox[0, 3:]
        sinew.forward(m, d)
        assert np.isfinite(d.contact["dist"]).all() and np.isfinite(d.contact["pos"]).all()
        assert np.isfinite(sinew.geomDistance(m, d, 0, 1, 1e10)[0])


CASES = [(solid, change, k) for k in range(ROUNDS) for solid in SOLIDS for change in CHANGES][
    ::EACH
]


@pytest.mark.parametrize("change", CHANGES, ids=lambda c: c.__name__)
def test_any_mesh_has_a_field_or_is_refused(change):
    made = 0
    for i, (solid, one, k) in enumerate(CASES):
        if one is not change:
            continue
        rng = np.random.default_rng([k, i])
        v, f = one(rng, *solid(rng))
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                m = sinew.Model.from_xml(text_of(v, f))
            except sinew.ModelError as error:
                assert '"m"' in str(error), (solid.__name__, k)
                assert one not in KEEPING, (solid.__name__, str(error))
                continue
        made += 1
        check_tree(m)
        check_steps(m)
        said = " ".join(str(w.message) for w in told)
        if "not closed" not in said and "crosses itself" not in said:
            check_distances(m, rng)
        if one in (lacking, turned, few):
            assert "not closed" in said, solid.__name__
        if one is inverted:
            assert "inside out" in said, solid.__name__
    assert made > 0 or change in (holed, tiny)
