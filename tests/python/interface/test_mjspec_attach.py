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


WHOLE = """<mujoco><asset><material name="mat"/></asset><worldbody><geom name="w" size=".1"/>
  <frame name="f"><body name="a"><joint name="j"/><geom name="g" material="mat" size=".1"/><site name="s"/>
    <body name="b"><joint name="j2"/><geom size=".1"/></body></body></frame>
  <body name="c"><joint name="jc"/><geom name="gc" size=".1"/></body></worldbody>
  <tendon><fixed name="ten"><joint joint="j" coef="1"/></fixed></tendon>
  <contact><exclude name="ex" body1="a" body2="b"/><exclude body1="b" body2="a"/></contact>
  <actuator><motor name="m" joint="j"/><motor joint="j2"/></actuator>
  <sensor><jointpos name="p" joint="j"/></sensor><custom><numeric name="n" data="1"/></custom>
  <keyframe><key name="k" qpos="1 2 3"/></keyframe></mujoco>"""
PLURALS = (
    "bodies joints geoms sites materials tendons excludes actuators sensors numerics keys".split()
)


def attach_to(mj, how, copies):
    child, parent = mj.MjSpec.from_string(WHOLE), mj.MjSpec.from_string(PARENT.format(""))
    parent.copy_during_attach = copies
    taken = [child.body("a"), child.joint("j"), child.tendon("ten"), child.key("k")]
    if how == "spec":
        parent.attach(child, prefix="x_", suffix="_z", frame="end")
    elif how == "body":
        parent.frame("end").attach_body(child.body("a"), "x_", "_z")
    else:
        parent.frame("end").attach_body(child.worldbody, "x_", "_z")
    return parent, child, taken


@pytest.mark.parametrize("copies", [False, True])
@pytest.mark.parametrize("how", ["spec", "body", "world"])
def test_names_that_lists_of_the_child_have(how, copies):
    """What is attached is the parent's from then on, and the child lists it by its names there."""
    seen = []
    for mj in (ours, peer):
        parent, child, taken = attach_to(mj, how, copies)
        seen.append(
            [{p: [e.name for e in getattr(child, p)] for p in PLURALS}]
            + [[e.name for e in taken], [child.actuators[0].target, child.geoms[1].material]]
            + [[child.body(n) is None for n in ("a", "x_a_z")], child.geoms[1].parent.name]
        )
        model = parent.compile()
        if not copies:
            ids = [model.body(b.name).id for b in child.bodies if b.name.startswith("x_")]
            assert ids == [b.id for b in child.bodies if b.name.startswith("x_")]
    assert seen[0] == seen[1]


def test_changes_by_lists_of_the_child_reach_the_parent():
    for mj in (ours, peer):
        parent, child, _ = attach_to(mj, "spec", False)
        child.geoms[1].size = [0.7, 0, 0]
        child.actuators[1].gear[0] = 5
        model = parent.compile()
        assert model.geom("x_g_z").size[0] == 0.7
        assert model.actuator_gear[1, 0] == 5


def test_attached_twice():
    """Ours gives a second copy by its own names; the peer dies of it."""
    parent, child, _ = attach_to(ours, "spec", False)
    parent.attach(child, prefix="y_", frame=parent.worldbody.add_frame())
    assert [b.name for b in child.bodies] == ["world", "y_a", "y_b", "y_c"]
    model = parent.compile()
    assert {model.body(i).name for i in range(model.nbody)} >= {"x_a_z", "y_a"}


def test_sections_of_which_a_part_stays_behind():
    """Only what refers to the attached body goes along; handles of it are the copies' from then on."""
    text = """<mujoco><worldbody>
      <body name="a"><joint name="i"/><geom size=".1"/></body><body name="b"><joint name="j"/><geom size=".1"/></body>
    </worldbody><actuator><motor name="first" joint="i"/><motor name="second" joint="j"/></actuator></mujoco>"""
    found = []
    for mj in (peer, ours):
        parent, child = mj.MjSpec(), mj.MjSpec.from_string(text)
        held = child.actuator("second")
        parent.worldbody.add_frame().attach_body(child.body("b"), "x_")
        held.gear[0] = 3
        model = parent.compile()
        found.append(([a.name for a in parent.actuators], model.nu, model.actuator_gear[0, 0]))
    assert found[1] == found[0]
