"""sinew.mujoco: the rules that what is attached weighs by, and where it stands, against the pinned peer."""

import mujoco as peer
import numpy as np
import pytest

from sinew import mujoco as ours

PARENT = """<mujoco><compiler {}/><worldbody>
  <body name="own" pos="0 0 3"><freejoint/><geom size=".2" mass="1"/></body><frame name="end"/>
</worldbody></mujoco>"""
CHILD = """<mujoco><compiler {}/><worldbody>
  <body name="given"><joint/><inertial pos="0 0 0" mass=".5" diaginertia="1 1 {}"/>
    <geom type="box" size=".1 .2 .3" mass="2"/>
    <geom group="4" size=".1" mass="3" contype="0" conaffinity="0"/>
    <body name="made" pos="1 0 0"><geom size=".1" mass="1"/><geom group="4" size=".2" mass="2"/></body>
  </body>
</worldbody></mujoco>"""
RULES = (
    'balanceinertia="true"',
    'boundmass="7"',
    'boundinertia="9"',
    'inertiafromgeom="true"',
    'inertiafromgeom="true" inertiagrouprange="0 3"',
    'inertiagrouprange="0 3"',
    'settotalmass="20"',
    'discardvisual="true"',
    'fusestatic="true"',
)


def attached(mj, parent, child, moment):
    spec = mj.MjSpec.from_string(PARENT.format(parent))
    spec.attach(
        mj.MjSpec.from_string(CHILD.format(child, moment)), prefix="x_", frame=spec.frame("end")
    )
    return spec


def same_masses(mine, other):
    assert mine.nbody == other.nbody
    for name in ("body_mass", "body_inertia", "body_ipos"):
        np.testing.assert_allclose(getattr(mine, name), getattr(other, name), rtol=0, atol=1e-14)
    np.testing.assert_array_equal(mine.geom_group, other.geom_group)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("where", ["parent", "child", "both"])
def test_rules_of_the_mass(rule, where):
    """Bounds, balance and which geoms count are the attached model's own; the rest is the whole's."""
    moment = 2.5 if "balance" in rule and where != "parent" else 1.5
    texts = [rule if where != "child" else "", rule if where != "parent" else "", moment]
    same_masses(attached(ours, *texts).compile(), attached(peer, *texts).compile())


@pytest.mark.parametrize("rule", ['boundmass="7"', 'inertiagrouprange="0 3"'])
def test_written_inertias_are_those_of_the_rules(rule):
    """MuJoCo writes one compiler section, and what was attached weighs by that when it is read again."""
    spec = attached(ours, "", rule, 1.5)
    same_masses(spec.compile(), attached(peer, "", rule, 1.5).compile())
    made = ours.MjModel.from_xml_string(spec.to_xml()).body("x_made")
    np.testing.assert_allclose(made.mass, spec.compile().body("x_made").mass, rtol=1e-14)


@pytest.mark.parametrize("content", ["", '<body name="held"><geom size=".1"/></body>'])
def test_place_among_what_stands_there(content):
    """Behind all else; in a frame that holds something ours stands with that, and reads back as it was."""
    text = f"""<mujoco><worldbody>
      <frame name="first">{content}</frame><body name="own"><geom size=".1"/></body>
    </worldbody></mujoco>"""
    orders = []
    for mj in (ours, peer):
        spec = mj.MjSpec.from_string(text)
        spec.attach(
            mj.MjSpec.from_string(CHILD.format("", 1.5)), prefix="x_", frame=spec.frame("first")
        )
        models = [spec.compile(), mj.MjModel.from_xml_string(spec.to_xml())]
        orders.append([[m.body(i).name for i in range(1, m.nbody)] for m in models])
    behind = ["own", "x_given", "x_made"]
    in_place = ["held", "x_given", "x_made", "own"]
    assert orders[0] == ([in_place, in_place] if content else [behind, behind])
    assert orders[1] == ([["held", *behind], in_place] if content else [behind, behind])
