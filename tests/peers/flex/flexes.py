"""Makes the texts of models with flexes: strings, sheets and blocks of points on grids, a body with three slides a point.

    flexes.grid((4, 3))                                # a sheet, model text
    flexes.grid((3, 3, 3), children=flexes.SOFT)       # a block with elasticity
    flexes.model(flexes.part((4, 3), pinned=[0]), flexes.part((5,), name="string", offset=(0, 0, 1)))

Points are numbered with x the slowest, then y, then z. Every cell of a grid has two triangles, or six tetrahedra.
"""

import itertools
import types

import numpy as np

SOFT = '<elasticity young="5e4" poisson="0.3" damping="0.01"/>'
SHEET = '<elasticity young="3e5" poisson="0.2" thickness="0.01" elastic2d="both"/>'


def points(counts, spacing=0.1):
    """Points of a grid [n x 3]; counts: along x, then y, then z."""
    full = tuple(counts) + (1,) * (3 - len(counts))
    return spacing * np.array(list(itertools.product(*map(range, full))), float)


def elements(counts):
    """Elements [n x (dim + 1)] of a grid of `dim` counts."""
    at = np.arange(np.prod(counts)).reshape(counts)
    found = []
    for cell in itertools.product(*(range(n - 1) for n in counts)):
        for order in itertools.permutations(range(len(counts))):
            corner, path = np.array(cell), [at[cell]]
            for axis in order:
                corner[axis] += 1
                path.append(at[tuple(corner)])
            odd = np.linalg.det(np.eye(len(counts))[list(order)]) < 0
            found.append(path[:-2] + path[:-3:-1] if odd and len(counts) > 1 else path)
    return np.array(found)


def part(
    counts,
    spacing=0.1,
    *,
    name="f",
    attributes="",
    children="",
    offset=(0, 0, 0),
    shape=None,
    pinned=(),
    bodies=None,
    mass=0.01,
    joints=None,
):
    """A flex on a grid and its bodies, for `model`.

    Parameters
    ----------
    counts : points along x, then y, then z; as many as the flex has dimensions
    attributes, children : of <flex>, as text
    offset, shape : of the points, and what moves each: a function of an array [n x 3]
    pinned : points that hang on bodies without joints
    bodies : {point: body}, a body of another part of the model that holds the point, by name
    joints : text of the joints of a point by its number; None: three slides
    """
    places = points(counts, spacing)
    places = (shape(places) if shape else places) + np.array(offset)
    slides = "".join(f'<joint type="slide" axis="{a}"/>' for a in ("1 0 0", "0 1 0", "0 0 1"))
    taken, texts, names = bodies or {}, [], []
    for i, place in enumerate(places):
        names.append(taken.get(i, f"{name}{i}"))
        if i in taken:
            continue
        inside = "" if i in pinned else joints(i) if joints else slides
        inertia = (
            ""
            if i in pinned
            else f'<inertial pos="0 0 0" mass="{mass}" diaginertia="1e-5 1e-5 1e-5"/>'
        )
        pos = " ".join(f"{x:.17g}" for x in place)
        texts.append(f'<body name="{name}{i}" pos="{pos}">{inertia}{inside}</body>')
    element = " ".join(map(str, elements(counts).ravel()))
    flex = f'<flex name="{name}" dim="{len(counts)}" body="{" ".join(names)}" element="{element}" {attributes}>{children}</flex>'
    return types.SimpleNamespace(bodies="".join(texts), flex=flex, places=places)


def model(*parts, option="", world="", rest=""):
    """The text of a model of parts; option: attributes; world, rest: more elements of the worldbody, of the model."""
    return (
        f"<mujoco><option {option}/><worldbody>{world}{''.join(p.bodies for p in parts)}</worldbody>"
        f"<deformable>{''.join(p.flex for p in parts)}</deformable>{rest}</mujoco>"
    )


def grid(counts, spacing=0.1, *, option="", world="", rest="", **given):
    """The text of a model with one flex; arguments as those of `part` and `model`."""
    return model(part(counts, spacing, **given), option=option, world=world, rest=rest)


def held(name="f", attributes=""):
    """An equality that keeps the edges of a flex, for `rest`."""
    return f'<equality><flex flex="{name}" {attributes}/></equality>'


def stiffness(m, flex=0):
    """K of the elements [n x 21] of a flex, from what its model keeps (docs/flex.md), as MuJoCo has it."""
    dim, first, count = (
        int(np.ravel(getattr(m, f"flex_{k}"))[flex]) for k in ("dim", "stiffnessadr", "elemnum")
    )
    ends = np.array(
        [(1, 2), (2, 0), (0, 1)] if dim == 2 else [(0, 1), (1, 2), (2, 0), (2, 3), (0, 3), (1, 3)]
    )
    each = 4 if dim == 2 else 8
    given = np.ravel(m.flex_stiffness)[first : first + each * count].reshape(count, each)
    h = np.zeros((count, dim + 1, dim + 1))
    h[:, ends[:, 0], ends[:, 1]] = h[:, ends[:, 1], ends[:, 0]] = given[:, : len(ends)]
    h -= np.eye(dim + 1) * h.sum(axis=1)[:, None]
    (a, b), (c, d) = ends.T[:, :, None], ends.T[:, None]
    ratio = given[:, len(ends), None, None]
    K = h[:, a, c] * h[:, b, d] + h[:, a, d] * h[:, b, c] + ratio * h[:, a, b] * h[:, c, d]
    upper = np.triu_indices(len(ends))
    return np.pad(K[:, upper[0], upper[1]], ((0, 0), (0, 21 - len(upper[0]))))
