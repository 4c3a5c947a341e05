"""MjSpec: default classes whose actuators are <position>, <motor> and so on, as the pinned peer reads and uses them."""

import mujoco as peer
import pytest

from sinew import mujoco as ours

CLASSES = [
    '<motor gear="5" ctrlrange="-1 1"/>',
    '<position kp="7" ctrlrange="-1 1"/>',
    '<position kp="7" kv="2"/>',
    '<velocity kv="3"/>',
    '<damper kv="3" ctrlrange="0 1"/>',
    '<adhesion gain="3" ctrlrange="0 1"/>',
    '<general gear="2" gainprm="3" biastype="affine" biasprm="0 -3 0"/>',
    '<general gear="2"/><motor ctrlrange="-3 3"/>',
    '<position kp="7"/><default class="z"/>',
    '<position kp="7"/><default class="z"><position ctrlrange="-2 2"/></default>',
    '<position kp="7"/><default class="z"><general ctrlrange="-2 2"/></default>',
    '<motor gear="5"/><default class="z"><general ctrlrange="-2 2"/></default>',
    '<default class="z"><position kp="7" kv="1"/></default>',
]


def load(mj, classes):
    text = f"""<mujoco><default>{classes}</default>
      <worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
      <actuator><general name="a" joint="j"/></actuator></mujoco>"""
    spec = mj.MjSpec.from_string(text)
    return spec, spec.find_default("z")


def struct(a):
    arrays = [getattr(a, n).tolist() for n in ("gear", "ctrlrange", "gainprm", "biasprm", "dynprm")]
    return arrays + [int(getattr(a, n)) for n in ("gaintype", "biastype", "dyntype")]


def compiled(m):
    names = "gear ctrlrange forcerange gainprm biasprm gaintype biastype dyntype".split()
    return {name: getattr(m, "actuator_" + name).tolist() for name in names}


@pytest.mark.parametrize("classes", CLASSES)
def test_a_class_and_what_is_made_of_it(classes):
    told = []
    for mj in (peer, ours):
        spec, z = load(mj, classes)
        joint = {"trntype": mj.mjtTrn.mjTRN_JOINT, "target": "j"}
        made = (
            spec.add_actuator(z, name="n", **joint) if z else spec.add_actuator(name="n", **joint)
        )
        seen = [struct(x) for x in (spec.default.actuator, spec.actuators[0], made)]
        told.append((seen + ([struct(z.actuator)] if z else []), compiled(spec.compile())))
    assert told[0] == told[1]


@pytest.mark.parametrize("classes", CLASSES)
def test_a_class_that_is_changed(classes):
    """What is there keeps its values, what is made later has the new ones."""
    told = []
    for mj in (peer, ours):
        spec, _ = load(mj, classes)
        spec.default.actuator.forcerange = [-9, 9]
        spec.default.actuator.gear[0] = 11
        spec.add_actuator(name="n", trntype=mj.mjtTrn.mjTRN_JOINT, target="j")
        told.append((struct(spec.default.actuator), compiled(spec.compile())))
    assert told[0] == told[1]


def test_a_part_of_a_class_has_no_place_among_elements():
    """Which errors ask for that are about one."""
    spec, _ = load(ours, "<motor/>")
    assert spec._place(spec.default.actuator._element) == -1
