"""<composite type="cable"> against the peer: every field of the compiled models, refusals, and what Sinew does
otherwise (docs/differences.md)."""

import mujoco
import numpy as np
import pytest

from test_model import compare, load_text, load_warned

GEOM = '<geom type="capsule" size=".01"/>'


def cable(attributes='count="6 1 1" curve="s" size="1"', inside=GEOM):
    return f'<composite type="cable" {attributes}>{inside}</composite>'


def vertices(*points):
    return f'vertex="{" ".join(str(x) for p in points for x in p)}"'


def model(body, head="", tail=""):
    return f"<mujoco>{head}<worldbody>{body}</worldbody>{tail}</mujoco>"


rng = np.random.default_rng(11)
RANDOM = [vertices(*rng.normal(size=(n, 3)).round(4)) for n in (2, 4, 5, 9)]
SIZE = 'count="7 1 1" size="1.3 .4 2.5"'
JOINT = (
    '<joint kind="main" damping="3" armature=".1" frictionloss=".2" stiffness="2" type="hinge" axis="1 2 3" '
    'range="0 20" margin=".1" solreffix="1 2" solreflimit=".1" group="1"/>'
)
BOX = '<geom type="box" size=".1 .01 .02"/>'
SKIN = '<skin inflate=".5" rgba="1 0 0 1" texcoord="true" group="4" material="m"/>'
DEFAULTS = (
    '<default><geom rgba="1 0 0 1" density="500" condim="1" pos="1 2 3" euler="1 2 3"/>'
    '<joint damping="7" group="2"/><site size=".3" type="box"/></default>'
)

TEXTS = {
    "line": model(cable()),
    "two_vertices": model(cable('count="2" curve="s"')),
    "cylinder": model(cable(inside='<geom type="cylinder" size=".02" mass=".3" rgba="1 0 0 1"/>')),
    "free": model(cable('prefix="k" initial="free" count="4" curve="s" offset="1 2 3"')),
    "none": model(cable('initial="none" count="4" curve="0 s"')),
    "word": model(cable('initial="anything" count="4" curve="0 0 s"')),
    "parts": model(cable('initial="free" count="5 1 1" curve="s"', GEOM + JOINT + '<site size=".2" group="4"/>')),
    "parts_ball": model(cable('count="5 1 1" curve="s"', GEOM + JOINT + '<skin group="2"/>')),
    "radian": model(cable(inside=GEOM + JOINT), '<compiler angle="radian" eulerseq="zyx"/>'),
    "defaults": model(cable(), DEFAULTS),
    "childclass": model(
        f'<body childclass="c"><geom size=".2"/>{cable()}<geom size=".1"/></body>',
        '<default><default class="c"><geom density="1"/><joint damping="2"/></default></default>',
    ),
    "frame": model(f'<frame pos="1 2 3" euler="10 20 30">{cable()}</frame>'),
    "in_body": model(f'<body pos="0 0 1"><joint/><geom size=".1"/>{cable()}<body><geom size=".2"/></body></body>'),
    "two": model(
        cable('prefix="a" count="4" curve="s"') + cable('prefix="b" count="5" curve="0 s" offset="0 0 1"'),
        tail='<contact><exclude body1="aB_first" body2="bB_last"/></contact><custom><text name="t" data="x"/></custom>'
        '<equality><connect site1="aS_last" site2="bS_first"/></equality>'
        '<actuator><motor joint="aJ_1" gear="1 2 3"/></actuator>',
    ),
    **{f"random_{i}": model(cable(v)) for i, v in enumerate(RANDOM) if i != 1},
    "given_size": model(cable(vertices((0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 1, 0)) + ' size="0" offset="1 1 1"')),
    "vertices_quat": model(cable(RANDOM[2] + ' quat="0.6 0 0.8 0"')),
    "straight_z": model(cable(vertices((0, 0, 0), (0, 0, 1), (0, 0, 2), (1e-3, 0, 3)))),
    "straight_any": model(cable(vertices((0, 0, 0), (-1, 2, 3), (-2, 4, 6), (-3, 6, 9)))),
    "turn_back": model(cable(vertices((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 0.001, 0), (0, 0, 0)))),
    "along_y": model(cable(vertices((0, 0, 0), (0, 1, 0)))),
    **{
        f"curve_{i}": model(cable(f'{SIZE} curve="{c}"'))
        for i, c in enumerate(["s cos(s) sin(s)", "cos(s) sin(s)", "sin(s)  0 s", "0 s s"])
    },
    "turned": model(cable(f'{SIZE} curve="s cos(s) sin(s)" quat="0.6 0 0.8 0" offset="1 2 3"')),
    "negative": model(cable('count="4 1 1" curve="s" size="-1"')),
    "box": model(cable('count="4" curve="s"', BOX)),
    "box_skin": model(
        cable('prefix="p" count="6" curve="s cos(s)" size="1 .3 2"', BOX + SKIN)
        + cable('prefix="q" count="4" curve="0 s" offset="0 0 1"', BOX),
        '<asset><material name="m"/></asset>',
    ),
    "replicate": model(f'<replicate count="3" offset="0 1 0">{cable()}</replicate>'),
    "nothing_of_flex": model(cable(), tail="<deformable/><extension/>"),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_as_the_peer(name):
    peer = mujoco.MjModel.from_xml_string(TEXTS[name])
    ours, error = load_text(TEXTS[name])
    assert ours, error.message.decode()
    # thin links: inverse inertias of 1e5 carry the condition of M
    compare(
        ours, peer, {"body_invweight0": 1e-9, "dof_invweight0": 1e-9, "tendon_invweight0": 1e-9}
    )
    np.testing.assert_allclose(ours.body_iquat, peer.body_iquat, atol=1e-12)
    assert (
        bytes(ours.names.ravel()) == peer.names and bytes(ours.text_data.ravel()) == peer.text_data
    )


WRONG = {
    "<composite/>": "'type' is missing",
    cable("", ""): "made of a <geom> of type capsule, cylinder or box",
    cable(inside='<geom type="sphere" size=".1"/>'): "made of a <geom>",
    cable('count="1 1 1" curve="s"'): "two vertices at least",
    cable('count="4 2 1" curve="s"'): "two vertices at least",
    cable('count="1 1 4" curve="s"'): "two vertices at least",
    cable('count="0 1 1" curve="s"'): "two vertices at least",
    cable('count="-3" curve="s"'): "two vertices at least",
    cable('count="4 1 1 1" curve="s"'): "expected 1 to 3 numbers",
    cable('count="5" vertex="0 0 0 1 0 0" curve="s"'): "exclude each other",
    cable('vertex="0 0 0"'): "two vertices at least",
    cable('vertex="0 0 0 0 0 0 1 0 0 2 0 0"'): "fromto",
    cable('count="4"'): "fromto",
    cable('count="4" curve="s" size="0"'): "size is zero",
    cable('count="4" curve="x"'): "expected up to three words",
    cable('count="4" curve="s s s s"'): "expected up to three words",
    cable('count="4" curve="cos( s)"'): "expected up to three words",
    cable('count="4" curve="S"'): "expected up to three words",
    cable(inside=GEOM + GEOM): "only one",
    cable(inside='<geom type="capsule" size=".1" class="main"/>'): "unknown attribute 'class'",
    cable(inside='<geom type="capsule" size=".1" name="x"/>'): "unknown attribute 'name'",
    cable(inside='<geom type="capsule" size="-1"/>'): "size",
    cable(inside='<geom type="capsule" size=".1" material="m"/>'): "material",
    cable(inside=GEOM + "<joint/>"): "'kind' is missing",
    cable(inside=GEOM + '<joint kind="twist"/>'): "expected main",
    cable(inside=GEOM + '<joint kind="main"/><joint kind="main"/>'): "only one",
    cable(inside=GEOM + '<joint kind="main" pos="0 0 0"/>'): "unknown attribute 'pos'",
    cable(inside=GEOM + '<pin coord="1"/>'): "unknown element",
    cable(inside=GEOM + '<plugin plugin="mujoco.elasticity.cable"/>'): "it must be declared",
    cable() + cable(): "names must differ",
    '<body><geom size=".1"/>' + cable('initial="free" count="4" curve="s"') + "</body>": "free",
    **{
        f'<composite type="{kind}" count="4 4 1">{GEOM}</composite>': "no longer part of the language, use"
        for kind in ("particle", "grid", "rope", "loop", "cloth")
    },
    '<composite type="box" count="4 4 1"/>': "expected one of",
    '<composite type="cable" spacing="1"/>': "unknown attribute 'spacing'",
}


@pytest.mark.parametrize("body", WRONG)
def test_refuses_as_the_peer(body):
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(model(body))
    ours, error = load_text(model(body))
    message = error.message.decode()
    assert ours is None and WRONG[body] in message and error.line == 1, message


def test_differences():
    """Two bodies, which the peer gives a wrong name of a body; a quaternion that is not normalised."""
    ours, error = load_text(model(cable('count="3" curve="s"')))
    assert ours, error.message.decode()
    assert ours.body_pos.shape == (3, 3) and ours.exclude_signature.size == 1
    ours, error = load_text(model(cable('count="4" curve="0 0 s" quat="0 1 1 0"')))
    assert ours, error.message.decode()
    np.testing.assert_allclose(ours.body_pos[2], [1 / 3, 0, 0], atol=1e-7)
    odd, _, warnings = load_warned(model(cable('vertex="0 0 0 1 0 0 2 0 0 3 0 0 4"')))
    ours, _ = load_text(model(cable('vertex="0 0 0 1 0 0 2 0 0 3 0 0"')))
    assert "three a vertex" in warnings[0] and len(warnings) == 1
    np.testing.assert_array_equal(odd.body_pos, ours.body_pos)


def test_long_cables_end_in_a_message():
    ours, error = load_text(model(cable('count="2000" curve="s"')))
    assert ours is None and "inside each other" in error.message.decode()
    ours, error = load_text(model(cable('count="2000000000" curve="s"')))
    assert ours is None and "inside each other" in error.message.decode()
