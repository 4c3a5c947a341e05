"""Decoration of what models of other people lack, one small model a kind, whole lists against the pinned peer."""

import numpy as np
import pytest

from decor_pair import EVERYTHING, DecorPair
from scene_pair import FLAGS, FRAMES, LABELS

HEAD = """<visual><rgba bv=".1 .2 .3 .4" bvactive=".5 .6 .7 .8"/></visual>
<asset><material name="m" rgba=".1 .2 .3 .9" emission=".2" specular=".3" shininess=".7" reflectance=".4"/>
<material name="clear" rgba=".1 .2 .3 0"/>
<mesh name="shell" vertex="0 0 0  .1 0 0  0 .2 0  0 0 .3  .1 .1 .1"/></asset>"""

KINDS = {
    "bodies": """<worldbody><geom type="box" size="1 1 .1" pos="0 0 -2"/>
<body name="static" pos="0 0 1"><geom type="box" size=".1 .2 .1" euler="10 20 0"/><body pos="1 0 0"><geom size=".1"/></body></body>
<body name="mocap" mocap="true" pos="0 0 1"><geom type="ellipsoid" size=".1 .2 .1" euler="10 20 0"/><body><geom size=".1" pos=".2 0 0"/></body></body>
<body name="free"><freejoint/><geom type="box" size=".1 .2 .1" euler="10 20 0"/><geom size=".1" pos=".5 0 0"/><geom type="mesh" mesh="shell" pos="0 .5 0"/>
  <body name="flat" pos=".3 0 0"><joint armature="1"/><inertial pos="0 .1 0" mass="1" diaginertia="1 1 2" euler="10 30 50"/></body>
  <body pos=".3 0 0"><joint armature="1"/><inertial pos="0 1 0" mass="2e-15" diaginertia="2e-15 2e-15 2e-15"/></body>
  <body pos=".3 0 0"><joint armature="1"/><inertial pos="0 1 0" mass="1e-9" diaginertia="1e-14 1e-14 1e-14"/></body>
  <body pos=".3 0 0"><joint armature="1"/><inertial pos="0 1 0" mass="1" diaginertia="1e-14 2e-14 2e-14"/><body pos="1 1 1"><geom size=".1" pos="2 2 2"/></body></body>
</body></worldbody>""",
    "volumes": """<asset><mesh name="fit" vertex="0 0 0  .1 0 0  0 .2 0  0 0 .3  .1 .1 .1  .2 .1 .3  .3 .1 .2"/>
<mesh name="mapped" vertex="0 0 0  .1 0 0  0 .2 0  0 0 .3" texcoord="0 0  1 0  0 1  1 1"/></asset>
<worldbody><geom type="plane" size="1 1 .1" pos="0 0 -3"/><geom size=".2" pos="3 0 0"/><geom type="mesh" mesh="fit" pos="0 3 0"/>
<body><freejoint/><geom type="mesh" mesh="shell"/><geom type="mesh" mesh="fit" pos=".3 0 0" contype="0" conaffinity="0" group="4"/>
  <geom type="box" mesh="fit" pos="1 0 0"/><geom type="capsule" mesh="shell" pos="1 0 1"/><geom type="box" mesh="mapped"/><geom type="mesh" mesh="mapped"/><geom type="cylinder" size=".1 .2" pos="1 1 1" euler="30 40 50"/></body>
<body pos="1 2 3"><geom type="mesh" mesh="fit" euler="20 30 40"/></body></worldbody>""",
    "joints": """<worldbody><geom type="box" size="1 1 .1" pos="0 0 -3"/>
<body pos="0 0 .5"><freejoint name="free"/><geom type="box" size=".1 .2 .3" euler="10 20 0"/>
  <body pos=".3 0 0"><joint name="hinge" axis="0 1 0" pos=".1 .2 .3" range="-10 10" margin=".3" solimplimit=".2 .7 .2 .5 2"/>
    <joint axis="1 1 0" pos=".1 .2 .3" group="2" frictionloss="1"/><joint type="slide" axis="1 1 0" pos=".1 .2 .3" group="4" range="-.1 .1"/><geom size=".1"/>
    <body pos="1 0 0"><joint type="ball" name="ball" pos=".1 .1 .1" range="0 20"/><geom size=".1"/></body></body></body>
<body pos="2 0 0"><joint name="both" group="5" range="-5 5" margin=".4"/><geom size=".1"/></body></worldbody>""",
    "actuators": """<worldbody><geom type="box" size="1 1 .1" pos="0 0 -2"/><site name="w"/>
<body name="base" pos="0 0 .5"><freejoint name="free"/><geom type="box" size=".1 .2 .3" euler="10 20 0"/><geom type="ellipsoid" size=".1 .2 .3" group="4"/>
 <geom type="mesh" mesh="shell"/><geom type="cylinder" size=".1 .2" contype="0"/><geom type="capsule" size=".1 .2" rgba="1 0 0 0"/><geom size=".1"/>
 <site name="box" type="box" size=".1 .2 .3" euler="10 20 30" material="m"/><site name="ball" size=".1" rgba="1 0 0 .3"/>
 <site name="capsule" type="capsule" fromto="0 0 0 1 1 1" size=".1"/><site name="cylinder" type="cylinder" size=".1 .2" rgba="1 0 0 0"/><site name="ellipsoid" type="ellipsoid" size=".1 .2 .3"/>
 <body pos=".3 0 0"><joint name="hinge" axis="0 1 0" pos=".1 .2 .3" range="-.1 .1"/><joint type="slide" name="slide" axis="1 1 0" pos=".1 .2 .3"/>
  <geom size=".1"/><site name="end"/><body name="last" pos="1 0 0"><joint type="ball" name="ball" pos=".1 .1 .1" range="0 1"/><geom size=".1"/></body></body></body></worldbody>
<tendon><spatial name="t" width=".02"><site site="box"/><site site="end"/><site site="w"/></spatial><fixed name="f"><joint joint="hinge" coef="1"/></fixed></tendon>
<actuator><motor name="first" joint="hinge" gear="2"/><motor joint="slide" ctrlrange="1 3"/><motor joint="ball" gear="1 2 3" ctrlrange="-1 3"/>
<motor joint="free" gear="1 2 3 4 5 6" ctrlrange="-3 -1"/><motor jointinparent="ball" gear="1 2 3" ctrlrange="0 3"/><motor jointinparent="free" gear="0 0 0 1 2 3" ctrlrange="-3 0"/>
<motor name="pull" tendon="t" ctrlrange="-1 .5"/><motor tendon="f"/><motor site="box"/><motor site="ball"/><motor site="capsule" refsite="w"/><motor site="cylinder"/><motor site="ellipsoid"/>
<adhesion name="glue" body="base" ctrlrange="0 1"/><adhesion body="world" ctrlrange="0 1"/><position joint="hinge" group="4"/><motor joint="hinge" group="5"/>
<general joint="hinge" dyntype="integrator"/><general joint="hinge" dyntype="integrator" actrange="-2 .3"/>
<general joint="hinge" dyntype="integrator" actrange="-2 2" actlimited="false" ctrlrange="-1 1"/><general joint="hinge" dyntype="filter" ctrlrange="-1 3"/>
<general tendon="t" dyntype="filterexact" ctrlrange="-1 3" forcerange="-5 5"/><muscle tendon="t" lengthrange="0 1"/><muscle joint="hinge" lengthrange="0 1" ctrlrange="0 1"/>
<intvelocity joint="slide" kp="2" actrange="-1 .5"/></actuator>""",
    "cranks": """<worldbody><site name="w" pos="0 -1 0"/><site name="v" pos="0 0 2"/><geom size=".1"/>
<body name="b" pos="0 1 0" euler="10 20 30"><joint type="slide" axis="0 1 0"/><site name="a" euler="40 30 20"/><site name="b" pos=".1 .2 .4" euler="40 30 20"/><geom size=".05"/></body></worldbody>
<actuator><motor slidersite="a" cranksite="b" cranklength=".5"/><motor slidersite="a" cranksite="b" cranklength=".1" group="3"/>
<motor slidersite="w" cranksite="v" cranklength="3.1" name="named" group="1"/><motor slidersite="b" cranksite="v" cranklength="2"/></actuator>""",
    "tendons": """<worldbody><geom type="box" size="1 1 .1" pos="0 0 -2"/><site name="w" pos="0 -1 0"/><site name="w2" pos="0 0 2"/><site name="side" pos="0 0 .5"/>
<geom name="cylinder" type="cylinder" size=".2 .2" pos="0 .2 0" euler="0 90 0"/><geom name="ball" size=".3" pos="0 0 .01"/>
<body name="b" pos="0 1 0"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="bs" pos=".5 .5 0"/>
  <body pos=".5 0 0"><joint name="j" axis="0 1 0" pos=".1 .2 .3"/><geom name="roll" type="cylinder" size=".2 .2" group="4"/><site name="ns" pos="0 .01 0"/>
   <body pos=".5 0 0"><joint type="ball" pos=".1 .1 .1"/><geom size=".1"/><site name="e" pos=".5 0 .01"/></body></body></body></worldbody>
<tendon>
<spatial name="wrapped" width=".02" limited="true" range="0 .5"><site site="bs"/><geom geom="ball"/><site site="w"/></spatial>
<spatial width=".02"><site site="bs"/><site site="w2"/><pulley divisor="2"/><site site="bs"/><geom geom="cylinder"/><site site="w"/><pulley divisor="3"/><site site="w"/><site site="w2"/><geom geom="ball" sidesite="side"/><site site="w"/></spatial>
<spatial name="rolled" width=".02"><site site="bs"/><geom geom="roll"/><site site="e"/></spatial>
<spatial width=".03" group="2" rgba="1 0 0 .3" material="m"><site site="bs"/><site site="ns"/><pulley divisor="2"/><site site="ns"/><site site="e"/></spatial>
<spatial name="still" width=".03" group="2" material="m"><site site="w"/><site site="w2"/></spatial>
<spatial name="hidden" group="3"><site site="w"/><site site="w2"/></spatial><spatial name="clear" rgba="1 0 0 0"><site site="w"/><site site="w2"/></spatial>
<spatial name="limited" limited="true" range=".1 .2" solimplimit=".2 .7 .2 .5 2" margin=".1"><site site="ns"/><site site="e"/></spatial>
<spatial name="red" limited="true" range=".1 .2" rgba="1 0 0 1"><site site="ns"/><site site="e"/></spatial>
<spatial name="dry" frictionloss="3"><site site="bs"/><site site="e"/></spatial><spatial name="one"><site site="ns"/><site site="w"/></spatial>
<spatial name="slack" limited="true" range="0 5"><site site="w"/><site site="e"/></spatial>
<spatial name="spring" stiffness="1" springlength="0 6" material="m"><site site="w"/><site site="bs"/></spatial>
<fixed name="fixed"><joint joint="j" coef="1"/></fixed><fixed name="two" limited="true" range="0 1"><joint joint="j" coef="-1"/></fixed></tendon>
<equality><tendon tendon1="one" tendon2="dry"/></equality>""",
    "cameras": """<worldbody><camera name="first" pos="1 2 3" euler="10 20 30" fovy="30" ipd=".2"/>
<body pos="0 1 0" euler="10 20 30"><joint type="slide" axis="0 1 0"/><geom type="cylinder" size=".1 .2"/>
<camera pos=".1 .2 .3" euler="10 20 30" sensorsize=".01 .02" resolution="100 200" focal=".02 .03" principal=".001 .002"/>
<camera name="square" mode="track" sensorsize=".01 .01" resolution="100 100" focalpixel="100 100"/>
<camera resolution="100 200" fovy="40"/><camera orthographic="true" fovy="2" resolution="3 4"/></body>
<light pos="1 2 3" dir="1 1 1"/><light name="off" pos="1 2 3" dir="1 0 0" active="false" type="directional"/><light pos="1 2 3" dir="0 0 -1" type="point"/>
<body><freejoint/><geom size=".1"/><light name="carried" mode="trackcom" dir="0 0 1"/></body></worldbody>""",
    "equalities": """<worldbody><geom type="box" size="1 1 .1" pos="0 0 -2"/><site name="ws" pos="1 1 1"/>
<body name="b1" pos="0 0 .05"><freejoint/><inertial pos="0 .1 0" mass="1" diaginertia="1 .7 .3"/><geom size=".1" pos="2 2 2"/><site name="s1" pos=".1 .2 .3" euler="10 20 30"/>
  <body name="b2" pos=".3 0 0"><joint name="j" pos=".1 .2 .3"/><joint name="j2" axis="0 1 0"/><geom size=".1"/>
   <body name="b3" pos="1 1 1"><joint/><geom size=".1" pos="2 2 2"/><site name="s2" pos=".3 .2 .1" euler="40 50 60"/></body></body></body></worldbody>
<tendon><fixed name="t1"><joint joint="j" coef="1"/></fixed><fixed name="t2"><joint joint="j2" coef="1"/></fixed></tendon>
<equality><connect name="c0" body1="b1" body2="b3" anchor=".1 .2 .3"/><connect body1="b1" anchor=".1 .2 .3"/><connect site1="s1" site2="s2"/><connect site1="ws" site2="s2"/>
<weld name="w4" body1="b1" body2="b3" anchor=".1 .2 .3"/><weld body1="b1"/><weld body1="b1" body2="b3" relpose="1 2 3 1 0 0 0"/><weld site1="s1" site2="s2"/>
<joint joint1="j"/><joint joint1="j" joint2="j2"/><tendon tendon1="t1" tendon2="t2"/><connect body1="b1" body2="b3" anchor=".1 .2 .3" active="false"/></equality>""",
    "rays": """<worldbody><geom type="plane" size="3 3 .1" pos="0 0 -1"/><site name="w" pos="0 0 1" euler="120 0 0"/>
<body pos="0 0 1"><joint/><geom size=".1"/><site name="s" pos="0 0 -.2" euler="150 0 0"/></body></worldbody>
<sensor><jointpos joint="hinge"/><rangefinder name="r" site="s"/><rangefinder site="w"/><rangefinder site="s" cutoff=".5"/></sensor>""".replace(
        "<joint/>", '<joint name="hinge"/>'
    ),
}  # fmt: skip

CONTACTS = """<option cone="%s"/><default><geom condim="%d" margin=".05" gap=".03" friction="1 2 3"/></default><worldbody>
<geom name="floor" type="plane" size="3 3 .1"/><geom name="block" type="box" size=".2 .2 .2" pos="-1 0 .2"/>
<body name="static" pos="2 1 .2"><geom name="foot" type="box" size=".1 .1 .1"/></body><body name="mocap" mocap="true" pos="0 2 .1"><geom type="box" size=".1 .1 .1"/></body>
<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .11"/></body><body pos="1 0 .1"><freejoint/><geom size=".11" name="ball"/><body pos="0 0 .3"><joint/><geom size=".05"/></body></body>
<body pos="2 0 .12"><freejoint/><geom size=".1"/></body><body pos="-1 0 .5"><freejoint/><geom size=".11"/></body><body pos="2 1 .4"><freejoint/><geom size=".11"/></body>
<body pos="2 1 .6"><freejoint/><geom size=".11"/></body><body pos="0 2 .3"><freejoint/><geom size=".11"/></body></worldbody>"""
for _cone in ("pyramidal", "elliptic"):
    for _condim in (1, 3, 4, 6):
        KINDS[f"contacts {_cone} {_condim}"] = CONTACTS % (_cone, _condim)


def model(kind):
    return f"<mujoco>{HEAD}{KINDS[kind]}</mujoco>"


def shaken(kind, seed, painted):
    """A pair near the start, with speed, controls and forces, held somewhere."""
    pair, rng = DecorPair(model(kind)), np.random.default_rng(seed)
    theirs = pair.d[1]
    for _ in range(10):
        pair.each("mj_resetData", pair.m, pair.d)
        if kind.startswith("contacts"):
            theirs.qvel[:] = rng.normal(size=pair.m[1].nv)
            theirs.qvel[3:6] = 20  # spins, for torques
        else:
            pair.randomise(rng, contact=False)
        theirs.ctrl[:] = rng.normal(size=pair.m[1].nu)
        theirs.act[:] = rng.normal(size=pair.m[1].na)
        theirs.xfrc_applied[:] = rng.normal(size=(pair.m[1].nbody, 6))
        pair.copy_state()
        if painted:
            pair.paint(rng)
        pair.forward()
        if pair.alike:
            break
    assert pair.alike
    pair.hold(rng)
    return pair, rng


@pytest.mark.parametrize("kind", KINDS)
def test_flags(kind):
    pair, rng = shaken(kind, 0, painted=False)
    for name in FLAGS:
        for depth in range(3):
            pair.reset_options(flags={name: 1 - pair.opt[1].flags[FLAGS.index(name)]})
            pair.option(bvh_depth=depth)
            pair.check()
            if "BVH" not in name:
                break


@pytest.mark.parametrize("kind", KINDS)
def test_labels_and_frames(kind):
    pair, rng = shaken(kind, 1, painted=True)
    for flags in ({}, EVERYTHING):
        for name in LABELS:
            pair.reset_options(flags=flags, label=name)
            pair.check()
        for name in FRAMES:
            pair.reset_options(flags=flags, frame=name)
            pair.check()


@pytest.mark.parametrize("kind", KINDS)
def test_any_options_of_kinds(kind):
    for seed in range(3):
        pair, rng = shaken(kind, 10 + seed, painted=seed > 0)
        for m in pair.m:
            m.vis.global_.ellipsoidinertia = seed == 2
        for _ in range(8):
            pair.any_options(rng)
            pair.hold(rng)
            pair.check(catmask=int(rng.integers(8)) if rng.uniform() < 0.3 else 7)
