"""SHORTCUT_DEFAULTS, INTVELOCITY_LIMITS and CYLINDER_BIAS: what actuators take from default classes, against both peers."""

import pytest

import compiled
import sinew

WORLD = (
    '<worldbody><body name="b"><joint name="j" type="slide"/><geom size=".1"/></body></worldbody>'
)
WRITTEN = {  # a default of each, and an element without numbers
    "motor": ("", 'joint="j"'),
    "position": ('kp="7" kv="2" timeconst=".3"', 'joint="j"'),
    "velocity": ('kv="3"', 'joint="j"'),
    "intvelocity": ('kp="7" kv="2"', 'joint="j" actrange="0 1"'),
    "damper": ('kv="3" ctrlrange="0 1"', 'joint="j" ctrlrange="0 1"'),
    "cylinder": ('area="2" bias="1 2 3" timeconst=".3"', 'joint="j"'),
    "muscle": ('timeconst="1 .5" range="1 1.1" force="3" lmin=".4"', 'joint="j" lengthrange="0 1"'),
    "adhesion": ('gain="3" ctrlrange="0 1"', 'body="b" ctrlrange="0 1"'),
    "general": ('gainprm="9 8 7" biasprm="6 5 -4" dynprm="3 2 1"', 'joint="j" lengthrange="0 1"'),
}


def text(default, actuator):
    return f"<mujoco><default>{default}</default>{WORLD}<actuator>{actuator}</actuator></mujoco>"


def written(kind, numbers="", attributes=None):
    return f"<{kind} {numbers} {WRITTEN[kind][1] if attributes is None else attributes}/>"


@pytest.mark.parametrize("default", WRITTEN)
@pytest.mark.parametrize("actuator", WRITTEN)
def test_each_from_each(default, actuator):
    compiled.agree(text(written(default, WRITTEN[default][0], ""), written(actuator)), "4.0")


GENERAL = {
    "affine gain": 'gaintype="affine" gainprm="9 8 -7" biasprm="6 5 4"',
    "bias": 'gainprm="9 8 7" biasprm="6 -5 -4" biastype="affine" dynprm="3 2 1" dyntype="filter"',
    "filter": 'gainprm="400" dyntype="filterexact" dynprm="3 2" actearly="true"',
    "muscle": 'gaintype="muscle" gainprm=".7 1.1 5 100 .5 1.6 1 1 1" biasprm=".7 1.1 5 100 .5 1.6 1 1 1" dynprm="1 .5" dyntype="muscle" biastype="muscle"',
}


@pytest.mark.parametrize("general", GENERAL)
@pytest.mark.parametrize("actuator", WRITTEN)
def test_each_from_general(general, actuator):
    unread = ["actuator_dynprm"] if actuator == "intvelocity" else []  # no number of an integrator
    compiled.agree(text(f"<general {GENERAL[general]}/>", written(actuator)), "4.0", but=unread)


CLASS = '<default class="c">{}</default>'
CLASSES = {
    "general over position": '<position kp="7" kv="2"/>' + CLASS.format('<general ctrlrange="0 1"/>'),
    "velocity over position": '<position kp="7" kv="2"/>' + CLASS.format('<velocity kv="3"/>'),
    "nothing over position": '<position kp="7" kv="2"/>' + CLASS.format(""),
    "two in one class": CLASS.format('<position kp="7" kv="2"/><velocity kv="3"/>'),
    "position after general": CLASS.format('<general gainprm="400"/><position kv="2"/>'),
    "position over velocity over position": '<position kp="7" kv="2"/><default class="d"><velocity/>'
    + CLASS.format('<position kv="5"/>') + "</default>",
    "dampratio over kv": '<position kp="7" kv="2"/>' + CLASS.format('<position dampratio=".3"/>'),
    "inherited range": CLASS.format('<position inheritrange="1"/>'),
}  # fmt: skip


@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("actuator", ["motor", "position", "velocity", "general", "muscle"])
def test_classes_in_classes(classes, actuator):
    source = text(CLASSES[classes], written(actuator, 'class="c"'))
    source = source.replace('name="j"', 'name="j" range="0 1"')
    compiled.agree(source, "4.0")


def test_the_older_meaning():
    source = text('<position kp="7" kv="2"/>', written("velocity"))
    old, new = compiled.models(source)
    assert compiled.differences(old, new) == {
        "actuator_gainprm", "actuator_biasprm", "actuator_ctrlspec",  # which is of 4.0 alone
    }  # fmt: skip
    assert old.actuator_gainprm[0, 0] == 7 and new.actuator_gainprm[0, 0] == 1
    same = compiled.models(text("", written("position", 'kp="7" kv="2"')))
    assert compiled.differences(*same) == {"actuator_ctrlspec"}


def test_range_of_an_intvelocity_may_be_left_out():
    source = text("", '<intvelocity joint="j"/>')
    with pytest.raises(sinew.ModelError, match="actrange"):
        compiled.ours(source, "3.3.7")
    given = source.replace("/></actuator>", ' actrange="0 1"/></actuator>')
    assert not compiled.agree(source, "4.0").actuator_actlimited[0]
    assert compiled.agree(given, "4.0").actuator_actlimited[0]


def test_bias_of_a_cylinder():
    models = compiled.models(text("", '<cylinder joint="j" bias="1 2 3"/>'))
    assert compiled.differences(*models) == {"actuator_biasprm", "actuator_ctrlspec"}
