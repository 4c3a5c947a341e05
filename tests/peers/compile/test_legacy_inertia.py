"""A concave mesh whose mass is that of `inertia="legacy"` is too heavy: as the peer's, with a warning that says so."""

import warnings

import mujoco
import numpy as np
import pytest

import sinew

# An L of height 1: unit cubes at (0,0), (1,0) and (0,2), (0,1), whose volume is 4; outline anticlockwise.
OUTLINE = np.array([(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0, 3)])
CAPS = [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)]
VERTEX = " ".join(f"{x} {y} {z}" for z in (0, 1) for x, y in OUTLINE)
FACES = (
    [(a, c, b) for a, b, c in CAPS]
    + [(a + 6, b + 6, c + 6) for a, b, c in CAPS]
    + [f for i in range(6) for j in [(i + 1) % 6] for f in ((i, j, j + 6), (i, j + 6, i + 6))]
)


def text_of(mesh="", geom="", body="", faces=FACES, vertex=VERTEX):
    face = " ".join(f"{a} {b} {c}" for a, b, c in faces)
    return f"""<mujoco><asset><mesh name="l" vertex="{vertex}" face="{face}" {mesh}/></asset><worldbody>
<body><freejoint/>{body}<geom type="mesh" mesh="l" contype="0" conaffinity="0" density="1" {geom}/></body></worldbody></mujoco>"""


def load(text, physics="4.0"):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        m = sinew.Model.from_xml(text, physics=physics)
    return m, [str(one.message) for one in said]


@pytest.mark.parametrize("physics", ["3.3.7", "4.0"])
def test_a_concave_mesh_is_too_heavy_and_says_so(physics):
    m, said = load(text_of(), physics)
    peer = mujoco.MjModel.from_xml_string(text_of())
    np.testing.assert_allclose(m.body_mass[1], peer.body_mass[1], rtol=1e-12)
    assert m.body_mass[1] > 4.1
    assert (
        len(said) == 1
        and 'set inertia="exact"' in said[0]
        and f"{25 * m.body_mass[1] - 100:.0f} %" in said[0]
    )
    assert '<mesh name="l">' in said[0] and "text:1" in said[0]
    exact, said = load(text_of('inertia="exact"'), physics)
    assert abs(exact.body_mass[1] - 4) < 1e-12 and not said
    with pytest.raises(sinew.ModelError, match="is concave"):
        sinew.Model.from_xml(text_of(), physics=physics, strict=True)


CUBE = "0 0 0 1 0 0 0 1 0 1 1 0 0 0 1 1 0 1 0 1 1 1 1 1"
SIDES = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4), (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)]  # fmt: skip
SILENT = {
    "exact": text_of('inertia="exact"'),
    "convex": text_of('inertia="convex"'),
    "shell": text_of('inertia="shell"'),
    "an inertia of the body's own": text_of(body='<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'),
    "no mass": text_of(geom='mass="0"', body='<geom size=".1"/>'),
    "in the world": text_of().replace("<body><freejoint/>", "").replace("</body>", ""),
    "a cube": text_of(vertex=CUBE, faces=SIDES),
    "open": text_of(faces=FACES[1:]),
    "a triangle turned over": text_of(faces=[FACES[0][::-1], *FACES[1:]]),
    "inside out": text_of(faces=[f[::-1] for f in FACES]),
}  # fmt: skip


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_said_of(name):
    _, said = load(SILENT[name])
    assert not said


def test_once_a_mesh():
    two = text_of().replace(
        "</worldbody>",
        '<body pos="9 0 0"><freejoint/><geom type="mesh" mesh="l"/></body></worldbody>',
    )
    assert len(load(two)[1]) == 1
