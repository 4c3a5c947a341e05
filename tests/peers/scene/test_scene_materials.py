"""Flexes whose elements have several materials: in scenes a geom for each, with faces of its own, as in MuJoCo 4.0.1."""

import mujoco
import numpy as np
import pytest

import flexes
import newest
import peer_engine
from sinew import mujoco as ours

NONE = '<contact selfcollide="none" contype="0" conaffinity="0"/>'
REST = """<asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/>
<material name="a" rgba="1 0 0 1" texture="t"/><material name="b" rgba="0 1 0 .4"/><material name="c"/></asset>"""
FACE, SKIN, EDGE = 26, 27, 25  # mjtVisFlag


def several(counts, seed, **options):
    rng = np.random.default_rng(seed)
    names = rng.choice(["a", "b", "c"], len(flexes.elements(counts)))
    more = options.pop("attributes", "")
    return flexes.part(
        counts, children=NONE, attributes=f'material="{" ".join(names)}" {more}', **options
    )


def text():
    places = flexes.points((4, 3))
    texcoord = " ".join(f"{x} {y}" for x, y, _ in places)
    sheet = several((4, 3), 1, name="f", attributes=f'texcoord="{texcoord}"')
    plain = flexes.part(
        (3, 2), name="p", children=NONE, offset=(0, 0, 1), attributes='material="b"'
    )
    block = several((5, 5, 5), 2, name="b", offset=(2, 0, 0), attributes='radius=".01"')
    string = several((6,), 3, name="s", offset=(0, 2, 0))
    ring = several((2, 4), 4, name="r", offset=(0, 0, 2), attributes='flatskin="true"')
    return flexes.model(sheet, plain, block, string, ring, rest=REST)


@pytest.fixture(scope="module")
def both():
    pair = newest.load(text()), peer_engine.Model(peer_engine.Here(ours), text())
    rng = np.random.default_rng(5)
    qpos = rng.normal(scale=0.02, size=len(pair[0].look("qpos").qpos))
    for model in pair:
        model.put(qpos=qpos)
        model.call("mj_forward")
    return pair


@pytest.mark.parametrize("flags, layer", [((SKIN,), 0), ((FACE,), 0), ((FACE,), 1), ((EDGE,), 0)])
def test_a_geom_for_each_material(both, flags, layer):
    (theirs, there), (mine, here) = (model.scene(flags, layer) for model in both)
    assert len(mine) == len(theirs) > 10
    for one, other in zip(mine, theirs, strict=True):
        if one["dataid"] < 0:  # sizes but the radius mean nothing
            one["size"], other["size"] = one["size"][:1], other["size"][:1]
        assert one.pop("label") == other.pop("label")
        for name, value in one.items():
            np.testing.assert_allclose(value, other[name], err_msg=name)
    if flags == (EDGE,):
        return
    np.testing.assert_array_equal(here["flexfaceused"], there["flexfaceused"])
    for name, each in (("flexface", 9), ("flexnormal", 9), ("flextexcoord", 6)):
        for flex, (first, used) in enumerate(
            zip(here["flexfaceadr"], here["flexfaceused"], strict=True)
        ):
            if name == "flextexcoord" and flex > 0:
                continue
            at = slice(each * first, each * (first + used))
            np.testing.assert_allclose(here[name][at], there[name][at], atol=3e-6, err_msg=name)


def test_faces_of_slices_are_all_faces(both):
    for model in both:
        geoms, faces = model.scene((SKIN,))
        for flex in (0, 2, 4):
            own = [g["size"] for g in geoms if g["objid"] == flex]
            assert sum(size[2] for size in own) == faces["flexfaceused"][flex]


def test_the_pinned_peer_reads_no_list_of_materials():
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(text())
