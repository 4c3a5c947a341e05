"""Built-in meshes over lattices (grid, box, cylinder, ellipsoid, square, disc) against 4.0.1, vertex by vertex."""

import numpy as np
import pytest

import newest
import sinew

SOLID = ("grid", "box", "cylinder", "ellipsoid")
COUNTS = ("2 2 2", "3 2 4", "4 3 2", "4 5 3", "3 3 5", "2 5 4")
FLAT = ("3 3 1", "4 4 1", "5 4 1", "4 5 1", "6 3 1", "2 2 1", "3 2 1")
TEXT = """
<mujoco>
  <asset><mesh name="m" builtin="{}" params="{}" {}/></asset>
  <worldbody><body><freejoint/><geom type="mesh" mesh="m" {}/></body></worldbody>
</mujoco>
"""
GHOST = 'contype="0" conaffinity="0"'


def text(kind, params, attributes="", geom=GHOST):
    return TEXT.format(kind, params, attributes, geom)


def rotation(quat):
    w, x, y, z = quat
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def placed(model):
    """Vertices as the shape has them, before the turn to the principal axes."""
    return model.mesh_pos[0] + model.mesh_vert @ rotation(model.mesh_quat[0]).T


def theirs_of(source):
    """The peer's model. Where rounding has it refuse a flat body its moments are let become equal, and not compared."""
    try:
        return newest.load(source).get(), True
    except ValueError as error:
        assert "A + B >= C" in str(error)
        let = '<compiler balanceinertia="true"/><asset>'
        return newest.load(source.replace("<asset>", let)).get(), False


def check(source):
    ours, (theirs, whole) = sinew.Model.from_xml(source, strict=True), theirs_of(source)
    assert (ours.nmeshvert, ours.nmeshface) == (theirs.nmeshvert, theirs.nmeshface)
    size = np.abs(theirs.mesh_vert).max()
    np.testing.assert_allclose(placed(ours), placed(theirs), rtol=0, atol=3e-7 * size)
    np.testing.assert_allclose(ours.body_mass, theirs.body_mass, rtol=1e-6)
    if whole:
        mine, their = (np.sort(m.body_inertia[1]) for m in (ours, theirs))
        np.testing.assert_allclose(mine, their, rtol=1e-5)
    return ours, theirs


@pytest.mark.parametrize("kind", SOLID)
@pytest.mark.parametrize("counts", COUNTS)
def test_solid(kind, counts):
    """Triangles are the hull's, which need not come in the same order."""
    for attributes in ("", 'inertia="exact"', 'inertia="shell"', 'inertia="convex"'):
        check(text(kind, f"{counts} .1 .2 .3", attributes))
    check(text(kind, f"{counts} .1 .2 .3 3", geom=""))


@pytest.mark.parametrize("kind", ["box", "cylinder", "ellipsoid"])
@pytest.mark.parametrize("counts", COUNTS)
def test_open(kind, counts):
    """Bottom and sides, of the surface's mass."""
    for attributes in ("", 'inertia="legacy"', 'inertia="shell"'):
        ours, theirs = check(text(kind, f"{counts} .1 .2 .3 2", attributes))
        np.testing.assert_array_equal(ours.mesh_face, theirs.mesh_face)


@pytest.mark.parametrize("kind", ["grid", "square", "disc"])
@pytest.mark.parametrize("counts", FLAT)
def test_flat(kind, counts):
    for spacing in (".1 .1 .1", "1 2 3", "-.3 .1 0"):
        ours, theirs = check(text(kind, f"{counts} {spacing}" + " 2" * (kind == "grid")))
        np.testing.assert_array_equal(ours.mesh_face, theirs.mesh_face)
        np.testing.assert_allclose(np.abs(ours.mesh_normal), np.abs(theirs.mesh_normal), atol=1e-6)


def test_counts_are_cut_and_shapes_scaled():
    for params in (
        "2.9 3.5 2.1 .1 .2 .3",
        "3 3 3 .1 .2 .3 2.9",
        "3 3 3 .1 .2 .3 3.9",
        "3 3 3 -.1 .2 .3",
    ):
        check(text("box", params, 'scale="1 2 3"'))


WRONG = [
    (kind, params)
    for kind in (*SOLID, "square", "disc")
    for params in (
        "", "2 2 1 1 1", "2 2 2 1 1 1 2 2", "0 2 1 1 1 1", "-1 2 1 1 1 1", "2 .5 1 1 1 1", "1 1 1 1 1 1", "1 3 1 1 1 1",
        "2 2 2 1 1 1 1", "2 2 2 1 1 1 4", "2 2 0 1 1 1",
    )
] + [("grid", "2 2 2 1 1 1 2"), ("grid", "3 3 1 1 1 1"), ("square", "2 2 2 1 1 1"), ("disc", "3 3 2 1 1 1"), ("square", "2 2 1 1 1 1 2")]  # fmt: skip


@pytest.mark.parametrize(("kind", "params"), WRONG)
def test_errors(kind, params):
    with pytest.raises(ValueError):
        newest.load(text(kind, params))
    with pytest.raises(sinew.ModelError, match=r'<mesh name="m">: .*params.* at text:3'):
        sinew.Model.from_xml(text(kind, params))


@pytest.mark.parametrize("kind", [*SOLID, "square", "disc"])
@pytest.mark.parametrize("params", ["2000 2000 2000 1 1 1", "1e10 2 2 1 1 1", "1e300 2 1 1 1 1", "1048575 1048575 1 1 1 1", "1048575 1048575 1048575 1 1 1"])  # fmt: skip
def test_sizes_that_would_eat_the_memory(kind, params):
    with pytest.raises(sinew.ModelError, match="params"):
        sinew.Model.from_xml(text(kind, params))


def test_flat_shapes_do_not_collide():
    for kind, params in (
        ("grid", "3 3 1 1 1 1 2"),
        ("square", "3 3 1 1 1 1"),
        ("disc", "3 3 1 1 1 1"),
    ):
        with pytest.raises(ValueError, match="coplanar"):
            newest.load(text(kind, params, geom=""))
        with pytest.raises(sinew.ModelError, match="hull"):
            sinew.Model.from_xml(text(kind, params, geom=""))


def test_flat_bodies_are_not_refused_by_rounding():
    refused = [c for c in FLAT if not theirs_of(text("square", f"{c} .1 .1 .1"))[1]]
    assert 0 < len(refused) < len(FLAT)


def test_texts_say_it_again():
    spec = sinew.Spec.from_xml(text("box", "3 3 2 .1 .2 .3 2"))
    model, again = spec.compile(), sinew.Model.from_xml(spec.to_xml())
    np.testing.assert_array_equal(again.mesh_vert, model.mesh_vert)
    np.testing.assert_array_equal(again.body_inertia, model.body_inertia)
    with pytest.raises(sinew.NotSupportedError, match=r'builtin="box".*3\.3\.7'):
        sinew.Model.from_xml(text("box", "3 3 2 .1 .2 .3 2"), physics="3.3.7")
