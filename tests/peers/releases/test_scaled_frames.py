"""`scale`, `scaling` and `massscale` of frames: the compiled model against 4.0.1's, and scaled motion."""

import numpy as np
import pytest

import compiled
import flexes
import newest
import sinew

HOW = [
    'scale="2" massscale="3"',
    'scale="0.3"',
    'scale="2" massscale="3" scaling="geometry"',
    'massscale="3"',
    'scale="2 3 5" scaling="geometry"',
    'scale="2 3 5" massscale="7" scaling="geometry"',
]
EVEN = [how for how in HOW if "2 3 5" not in how]
PHYSICAL = (  # spring and damper
    'stiffness="1 2 3" damping="1 2 3" armature=".5" frictionloss=".7" margin=".1" springyield=".4"'
)
JOINT = (
    f'pos=".1 .2 .3" range="-1 1" actuatorfrcrange="-2 2" ref=".2" springref=".3" {PHYSICAL} '
    'solimplimit=".9 .95 .002 .5 2" solreflimit="-100 -10" solimpfriction=".9 .95 .002 .5 2" user="3"'
)
BODIES = f"""<mujoco><compiler angle="radian"/>
<asset><mesh name="mm" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale=".1 .2 .1"/>
  <mesh name="shell" inertia="shell" vertex="0 0 0 1 0 0 0 1 0 0 0 1" scale=".1 .2 .1"/>
  <hfield name="hf" nrow="2" ncol="2" size="1 1 1 1" elevation="0 1 2 3"/></asset>
<worldbody><frame pos="1 0 0" euler="0 0 1.5707963267948966" FRAME>
  <geom type="ellipsoid" pos="1 2 3" size=".3 .3 .2" margin=".1" gap=".02"/>
  <geom type="hfield" hfield="hf" pos="0 0 -5" contype="0" conaffinity="0"/>
  <geom type="plane" size="1 1 1" pos="0 0 -6" contype="0" conaffinity="0"/>
  <site pos="1 0 3" size=".1"/> <site type="capsule" size=".1 .2" euler=".3 .2 .1"/>
  <site type="cylinder" fromto="0 0 0 1 1 2" size=".1"/> <site type="box" size=".1 .2 .3" euler=".3 .2 .1"/>
  <site type="ellipsoid" size=".1 .2 .3" euler="0 .2 .1"/>
  <camera pos="1 2 3" ipd=".1" mode="targetbodycom" target="b"/>
  <camera pos="1 2 3" focal=".01 .01" sensorsize=".01 .01" resolution="10 10" principal=".001 .002"/>
  <light pos="1 2 3" range="3" bulbradius=".2" attenuation="1 2 3" cutoff="30"/>
  <body name="b" pos="1 2 3" gravcomp=".5" user="7">
    <inertial pos=".1 .2 .3" mass="2" diaginertia="1 1.1 1.2" euler=".1 .2 .3"/>
    <joint type="hinge" {JOINT}/> <joint type="slide" {JOINT}/>
    <geom size=".1 .2 .3" type="box" pos=".1 .2 .3" friction=".5 .6 .7" solimp=".9 .95 .002 .5 2"
      solref="-100 -10" margin=".1" gap=".02" surfacevel="1 2 3 4 5 6" adhesion="7" user="4"
      fluidshape="ellipsoid" fluidcoef="1 2 3 4 5"/>
    <geom type="mesh" mesh="mm" mass=".3"/> <geom type="mesh" mesh="mm" euler="0 0 .3"/>
    <geom type="box" mesh="mm" pos="1 0 0"/>
    <body pos=".5 0 0"><joint type="ball" {JOINT.replace('range="-1 1" actuatorfrcrange="-2 2"', 'range="0 1"')}/>
      <geom type="ellipsoid" size=".1 .1 .1" mass="2"/></body>
    <body pos=".5 0 1" euler="0 0 1.5707963267948966"><joint springdamper=".1 1"/>
      <joint type="slide" axis="0 1 0" springdamper=".1 1"/><geom type="box" size=".1 .1 .1" density="2"/>
      <geom type="box" size=".1 .1 .1" pos="1 1 1" shellinertia="true" density="3"/>
      <geom type="mesh" mesh="shell" pos="1 1 0"/>
      <frame scale="3" pos=".1 .2 .3"><geom type="mesh" mesh="mm"/><site pos="1 1 1"/>
        <body pos="1 1 1"><joint type="slide" {JOINT}/><geom type="box" size=".1 .2 .3"/></body></frame></body></body>
  <body pos="3 3 3" euler=".1 .2 1.5707963267948966"><freejoint/>
    <inertial pos="0 .1 0" mass="1" fullinertia="1 2 2.5 .1 .2 .3"/></body>
  <body pos="3 3 5" mocap="true"><geom type="box" size=".1 .1 .1"/></body>
</frame><geom type="mesh" mesh="mm" contype="0" conaffinity="0"/></worldbody>
<keyframe><key qpos=".1 .2 1 0 0 0 .3 .4 .5 1 2 3 1 0 0 0" mpos="4 5 6"
  qvel="1 2 3 4 5 6 7 8 9 10 11 12 13 14"/></keyframe></mujoco>"""

PAIR = 'margin=".1" gap=".02" friction="1 1 .5 .6 .7" solimp=".9 .95 .002 .5 2" solref="-100 -10" adhesion="3"'
TENDON = (
    f'width=".01" range="1 2" springlength=".5 .6" {PHYSICAL} solimplimit=".9 .95 .002 .5 2" '
    'actuatorfrcrange="-1 1" user="3"'
)
FIXED = TENDON.replace('width=".01"', "")
HELD = 'solimp=".9 .95 .002 .5 2" solref="-100 -10"'
COUPLED = f'polycoef=".1 .2 .3 .4 .5" {HELD}'
ON = {
    'site="s"': "touch accelerometer velocimeter gyro force torque magnetometer rangefinder",
    'joint="jh"': "jointpos jointvel jointactuatorfrc",
    'joint="js"': "jointpos jointvel jointactuatorfrc jointlimitpos jointlimitvel jointlimitfrc",
    'joint="jb"': "ballquat ballangvel",
    'tendon="ti"': "tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc",
    'tendon="fh"': "tendonpos tendonactuatorfrc",
    'tendon="to"': "tendonpos tendonactuatorfrc",
    'objtype="body" objname="b"': "framepos framelinvel frameangvel framelinacc frameangacc framequat",
    'objtype="body" objname="bout" reftype="body" refname="b"': "framepos",
    'objtype="body" objname="b" reftype="body" refname="bout"': "framepos",
    'body="b"': "subtreecom subtreelinvel subtreeangmom",
    'geom1="g" geom2="ge"': "distance fromto",
    'geom1="g" geom2="gout"': "distance fromto",
    "": "e_potential clock",
}
SENSORS = "".join(
    f'<{tag} {on} noise=".1" {"" if "quat" in tag else "cutoff=" + chr(34) + "1" + chr(34)}/>'
    for on, tags in ON.items()
    for tag in tags.split()
)
WORLD = """<mujoco><compiler angle="radian"/><worldbody>
<site name="out" pos="0 0 9"/><geom name="gout" size=".3" pos="9 9 9"/>
<body name="bout" pos="0 9 0"><joint name="jout" type="slide" range="-1 1"/><geom size="1"/><site name="sout"/></body>
<frame FRAME><site name="ws" pos="1 0 3" size=".1"/>
  <body name="b" pos="1 2 3"><joint name="jh" range="-1 2"/><geom name="g" type="ellipsoid" size=".2 .2 .2"/><site name="s" pos=".1 .2 .3"/>
    <body name="c" pos="1 0 0"><joint name="js" type="slide" axis="0 1 0" range="-1 1"/>
      <geom type="box" size=".2 .2 .2"/><site name="s2" pos=".1 .2 .5"/>
      <body name="d" pos="1 0 0"><joint name="jb" type="ball"/><geom type="box" size=".2 .2 .2"/><site name="s3"/></body></body></body>
  <body name="e" pos="4 0 0"><freejoint name="jf"/><geom name="ge" type="box" size=".2 .2 .2"/></body>
</frame></worldbody>"""
TENDONS = f"""<tendon>
<spatial name="ti" {TENDON}><site site="ws"/><site site="s"/><pulley divisor="2"/><site site="s"/><site site="s2"/></spatial>
<spatial name="to" {TENDON}><site site="out"/><site site="s"/></spatial>
<fixed name="fs" {FIXED}><joint joint="js" coef="2"/></fixed>
<fixed name="fh" {FIXED}><joint joint="jh" coef="2"/></fixed>
<fixed name="fhs" {FIXED}><joint joint="jh" coef="2"/><joint joint="js" coef="3"/></fixed>
<fixed name="fso" {FIXED}><joint joint="jout" coef="2"/><joint joint="js" coef="3"/></fixed>
<fixed name="fho" {FIXED}><joint joint="jout" coef="2"/><joint joint="jh" coef="3"/></fixed>
</tendon>"""
RELATIONS = f"""{WORLD}<contact><pair geom1="g" geom2="ge" {PAIR}/><pair geom1="gout" geom2="ge" {PAIR}/></contact>
{TENDONS}<equality>
<connect body1="b" body2="e" anchor=".1 .2 .3" {HELD}/> <connect body1="bout" body2="e" anchor=".1 .2 .3"/>
<connect body1="e" body2="bout" anchor=".1 .2 .3" {HELD}/>
<weld body1="b" body2="e" anchor=".1 .2 .3" relpose="1 2 3 1 0 0 0" torquescale=".3"/>
<weld body1="e" body2="bout" anchor=".1 .2 .3" relpose="1 2 3 1 0 0 0" torquescale=".3"/>
<weld body1="bout" body2="e" anchor=".1 .2 .3" relpose="1 2 3 1 0 0 0" torquescale=".3" {HELD}/>
<weld body1="e" body2="b" torquescale=".3"/>
<joint joint1="js" joint2="jh" {COUPLED}/> <joint joint1="jh" joint2="js" {COUPLED}/>
<joint joint1="js" {COUPLED}/> <joint joint1="jout" joint2="js" {COUPLED}/> <joint joint1="js" joint2="jout" {COUPLED}/>
<tendon tendon1="ti" tendon2="fh" {COUPLED}/> <tendon tendon1="fh" tendon2="ti" {COUPLED}/>
<tendon tendon1="fhs" tendon2="to" {COUPLED}/>
</equality><sensor>{SENSORS}</sensor></mujoco>"""

RANGES = 'ctrlrange="-1 1" forcerange="-2 2"'
GENERAL = f'{RANGES} gainprm="1 2 3" biastype="affine" biasprm="4 -5 -6" lengthrange="1 2"'
ACTUATORS = [
    f'general {GENERAL} dyntype="filter" dynprm=".1" actrange="-3 3"',
    f'general {GENERAL} damping="1 2 3" armature=".5"',
    f'general {RANGES} gaintype="affine" gainprm="5 6 7" dyntype="integrator" actrange="-3 3"',
    *(
        f'general {RANGES} gainprm="3" biastype="affine" biasprm="1 -3 -1" input="{input}"'
        for input in ("pos", "vel", "pressure")
    ),
    f"motor {RANGES}",
    f'position {RANGES} kp="3" kv="4" timeconst=".1"',
    f'position {RANGES} kp="3" dampratio="1"',
    f'velocity {RANGES} kv="3"',
    'intvelocity kp="3" actrange="-1 1"',
    'damper ctrlrange="0 1" kv="3"',
    f'cylinder {RANGES} area="3" bias="1 -2 -3" timeconst=".1"',
    'muscle lengthrange="1 2" force="5" scale="200" ctrlrange="0 1"',
    'muscle lengthrange="1 2" scale="200" ctrlrange="0 1"',
    f'pid {RANGES} kp="3" ki="2" kv="1" imax=".5" slewmax=".6" velrange="-1 1" input="pos vel ff" ffrange="-1 1"',
    'orientation kp="3" kv="2" ctrlrange="-1 1" forcerange="0 1"',
    'dcmotor motorconst=".1 .2" resistance="3" inductance=".1" damping="1 2 3" armature=".5" cogging=".1 4 .2" '
    'lugre="1 2 .3 .4 .5" saturation="5 6 7" controller="1 2 3 4 5 6" input="pos"',
    'adhesion body="b" gain="2" ctrlrange="0 1"',
]
TARGETS = [
    *('joint="jh"', 'joint="js"', 'tendon="ti"', 'tendon="fh"', 'tendon="to"'),
    *('site="s" gear="1 2 3 4 5 6"', 'site="s" refsite="sout" gear="1 2 3 4 5 6"'),
    *('site="sout" refsite="s" gear="1 2 3 4 5 6"', 'jointinparent="jb" gear="1 2 3"'),
    *('joint="jf" gear="1 2 3 4 5 6"', 'cranksite="s" slidersite="s2" cranklength=".3"'),
    *('cranksite="s" slidersite="sout" cranklength=".3"', ""),
]


def agrees(text, *but, tolerance=1e-9):
    """All fields are the peer's but these; its eq_data has a column more."""
    m = compiled.agree(text, "4.0", but=("eq_data", *but), tolerance=tolerance)
    if m.neq:
        theirs = newest.load(text).get().eq_data[:, : m.eq_data.shape[1]]
        np.testing.assert_allclose(m.eq_data, theirs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("how", HOW)
def test_elements(how):
    # meshes are of single precision; one that stands across the axes has its scale in its vertices there
    agrees(BODIES.replace("FRAME", how), "mesh_scale" if how not in EVEN else "", tolerance=1e-6)


@pytest.mark.parametrize("how", HOW)
def test_relations(how):
    agrees(RELATIONS.replace("FRAME", how))


SHARED = """<mujoco><worldbody><frame scale="2" massscale="3"><site name="a"/><body name="x" pos="1 0 0">
<joint name="j" type="slide"/><geom size=".1"/><site name="b"/></body><frame scale="3" pos="0 1 0"><body><joint name="k" type="slide"/>
<geom size=".1"/><site name="c"/></body><site name="d" pos="1 0 0"/></frame><frame scale="3"><site name="e" pos="0 0 1"/></frame></frame>
<frame scale="2" massscale="3"><site name="f" pos="2 0 0"/></frame></worldbody><tendon>{}<fixed range="1 2" stiffness="1">
<joint joint="j" coef="1"/><joint joint="k" coef="1"/></fixed></tendon></mujoco>"""


def test_tendons_between_frames():
    """A tendon has the scale of the innermost frame around all of its path, whatever scales are equal."""
    path = (
        '<spatial range="1 2" stiffness="1" width="1"><site site="{}"/><site site="{}"/></spatial>'
    )
    pairs = [(x, y) for x in "abcdef" for y in "abcdef" if x < y]
    agrees(SHARED.format("".join(path.format(*pair) for pair in pairs)))


SLIDES = "".join(f'<joint type="slide" axis="{a}"/>' for a in ("1 0 0", "0 1 0", "0 0 1"))
VERTICES = [
    f'<body name="{n}" pos="{p}">{SLIDES}<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>'
    for n, p in zip("abcd", ("0 0 1", "1 0 1", "0 1 1", "0 0 2"), strict=True)
]
TOUCH = '<contact friction=".5 .6 .7" solimp=".9 .95 .002 .5 2" solref="-100 -10" margin=".1" gap=".02"/>'
SOFT = 'young="2" poisson=".2" damping=".3"'
FLEXES = {
    1: f'body="a b c" element="0 1 1 2" vertex=".1 .2 .3 0 0 0 .1 0 0">{TOUCH}<edge damping="2" stiffness="3"/>',
    2: f'body="a b c d" element="0 1 2 1 3 2">{TOUCH}<elasticity {SOFT} thickness=".1" elastic2d="both"/><edge damping="2"/>',
    3: f'body="a b c d" element="0 1 2 3" vertex=".1 .2 .3 0 0 0 .1 0 0 .1 .2 .3">{TOUCH}<elasticity {SOFT}/>',
}
STANDING = {  # the vertices in frames, which say how they scale
    "one frame": "<frame {how}>{0}{1}{2}{3}</frame>",
    "a part": "<frame {how}>{0}{1}</frame>{2}{3}",
    "an inner frame": '<frame {how}>{0}{1}<frame scale="3" euler="0 0 1">{2}{3}</frame></frame>',
    "a body": '<frame {how}><body pos="1 2 3" euler="0 90 0">{0}{1}</body>{2}{3}</frame>',
    "frames alike": "<frame {how}>{0}{1}</frame><frame {how}>{2}{3}</frame>",
}


FLEX_FIELDS = (
    "flex_radius flex_friction flex_solimp flex_solref flex_margin flex_gap flex_edgestiffness flex_edgedamping "
    "flex_damping flex_vert flex_size flex_vert0 flexedge_length0 flexedge_invweight0 eq_solimp eq_solref "
    "flex_bending flex_edgeflap"
).split()


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("standing", STANDING)
def test_flexes(how, standing):
    if "2 3 5" in how and standing in ("an inner frame", "a body"):
        how = how.replace("2 3 5", "2")  # slides do not stand along the axes
    world = STANDING[standing].format(*VERTICES, how=how)
    held = f'<equality><flex flex="f" {HELD}/></equality>'
    for dim, inside in [*FLEXES.items(), (1, FLEXES[1].replace(' stiffness="3"', ""))]:
        flex = f'<deformable><flex name="f" dim="{dim}" radius=".1" {inside}</flex></deformable>'
        rest = held if dim == 1 and "stiffness" not in inside else ""
        text = f"<mujoco><worldbody>{world}</worldbody>{flex}{rest}</mujoco>"
        mine, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text).get()
        for name in FLEX_FIELDS:
            a, b = np.asarray(getattr(mine, name)), np.asarray(getattr(theirs, name))
            np.testing.assert_allclose(a.ravel(), b.ravel(), rtol=1e-9, atol=1e-9, err_msg=name)
        if mine.flex_stiffnessadr[0] >= 0:
            K = flexes.stiffness(mine)
            theirs = theirs.flex_stiffness.reshape(len(K), -1)[:, :21]
            np.testing.assert_allclose(K, theirs, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("how", [HOW[0], HOW[2], HOW[4]])
def test_actuators(how):
    actuators, controls, activations = [], 0, 0
    for law in ACTUATORS:
        for target in TARGETS:
            text = f"{WORLD.replace('FRAME', how)}{TENDONS}<actuator><{law} {target}/></actuator></mujoco>"
            try:
                newest.load(text)
            except ValueError:
                continue
            m = sinew.Model.from_xml(text)
            actuators.append(f"<{law} {target}/>")
            controls, activations = controls + m.nu, activations + m.na
    assert len(actuators) > 80
    key = f'<key ctrl="{"1 " * controls}" act="{"1 " * activations}"/>'
    agrees(
        f"{WORLD.replace('FRAME', how)}{TENDONS}<actuator>{''.join(actuators)}</actuator>"
        f"<keyframe>{key}</keyframe></mujoco>",
        *("actuator_dyntype", "actuator_gaintype", "actuator_biastype"),  # whose numbers differ
    )


def test_positive_bias():
    """A factor of the velocity is scaled with the force, whatever its sign; 4.0.1 takes a positive one for a damping ratio."""
    law = '<general joint="js" biastype="affine" biasprm="4 -5 {}"/>'
    text = f"{WORLD.replace('FRAME', HOW[0])}<actuator>{law.format(6)}{law.format(-6)}</actuator></mujoco>"
    np.testing.assert_allclose(sinew.Model.from_xml(text).actuator_biasprm[:, 2], [18, -18])
    np.testing.assert_allclose(newest.load(text).get().actuator_biasprm[:, 2], [6, -18])


ROUND = '<mujoco><worldbody><frame scale="{}" scaling="geometry">{}</frame></worldbody></mujoco>'
SHAPES = [
    *(
        '<geom size=".1"/>',
        '<geom type="capsule" size=".1 .2"/>',
        '<geom type="plane" size="1 1 1" euler="1 0 0"/>',
    ),
    *(
        '<geom type="capsule" fromto="0 0 0 0 .03 1" size=".1"/>',
        '<geom type="box" size="1 2 3" euler="0 0 3"/>',
    ),
    *(
        '<geom type="cylinder" size=".1 .2" euler="0 0 33"/>',
        '<geom type="box" size="1 2 3" euler="0 0 5"/>',
    ),
    '<body><joint axis=".05 1 0"/><geom type="box" size="1 1 1"/></body>',
    '<body><joint axis=".2 0 1" type="slide"/><geom type="box" size="1 1 1"/></body>',
    '<geom type="capsule" size=".1 .2" euler="0 90 0"/>',
    '<geom type="mesh" mesh="mm" euler="10 20 30"/>',
]


@pytest.mark.parametrize("scale", ["2 3 5", "2 2 5", "2 2.05 2", "1 1.2 1", "2 2 2"])
def test_stretched_shapes(scale):
    """What the peer refuses is refused, and the rest is as there."""
    for shape in SHAPES:
        text = ROUND.format(scale, shape).replace(
            "<worldbody>",
            '<asset><mesh name="mm" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>',
        )
        try:
            newest.load(text)
        except ValueError:
            with pytest.raises(sinew.ModelError, match=r"line 1|:1"):
                sinew.Model.from_xml(text)
        else:
            agrees(text, "mesh_quat")


@pytest.mark.parametrize(
    "how, words",
    [
        ('scale="0"', "positive"),
        ('scale="-1"', "positive"),
        ('scale="inf"', "finite"),
        ('scale="1e-200"', "volumes"),
        ('scale="1e200"', "volumes"),
        ('scale="1 2"', "one for each axis"),
        ('scale="1 2 3 4"', "1 to 3 numbers"),
        ('scale="1 2 3"', "geometry"),
        ('scale="x"', "number"),
        ('massscale="-1"', "negative"),
        ('massscale="inf"', "finite"),
        ('scaling="both"', "similar, geometry"),
    ],
)
def test_refused(how, words):
    text = f"<mujoco><worldbody><frame {how}><body><joint/><geom size='1'/></body></frame></worldbody></mujoco>"
    with pytest.raises(sinew.ModelError, match=words):
        sinew.Model.from_xml(text)
    with pytest.raises(ValueError):
        newest.load(text)


def test_refused_elsewhere():
    skin = '<skin name="k" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2">{}</skin>'
    bone = '<bone body="{}" bindpos="1 1 1" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/>'
    bodies = '<frame scale="2"><body name="b"><joint/><geom size="1"/></body></frame><body name="c"><geom size="1"/></body>'
    mesh = '<mesh name="{}" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>'
    for rest, words in [
        (
            f"<deformable>{skin.format(bone.format('b') + bone.format('c'))}</deformable>",
            "same scale",
        ),
        ('<actuator><dcmotor joint="j" motorconst="1" resistance="1"/></actuator>', "units"),
        (f"<asset>{mesh.format('a')}{mesh.format('a@1')}</asset>", "taken"),
    ]:
        inside = bodies.replace("<joint/>", '<joint name="j"/>')
        if "mesh" in rest:
            inside += (
                '<geom type="mesh" mesh="a"/><frame scale="2"><geom type="mesh" mesh="a"/></frame>'
            )
        text = f"<mujoco><worldbody>{inside}</worldbody>{rest}</mujoco>"
        with pytest.raises(sinew.ModelError, match=words):
            sinew.Model.from_xml(text)
        with pytest.raises(ValueError):
            newest.load(text)
    with pytest.raises(sinew.ModelError, match="came after"):
        sinew.Model.from_xml(ROUND.format("2", ""), physics="3.3.7")


ARM = """<mujoco><option gravity="0 0 {gravity}"/><worldbody><frame pos="1 2 3" {frame}>
  <body name="a"><joint axis="0 1 0" stiffness="3" damping=".2" armature=".1" frictionloss=".3"/>
    <geom type="capsule" fromto="0 0 0 .5 0 0" size=".1"/>
    <body pos=".5 0 0"><joint type="slide" axis="1 0 .2" stiffness="30" damping="1" range="-.05 .1" limited="true"/>
      <geom type="box" size=".1 .2 .1"/><body pos=".3 0 0"><joint type="ball" damping=".1"/><geom size=".15"/></body></body>
  </body></frame></worldbody>
  <actuator><position joint="" kp="2"/></actuator></mujoco>""".replace(
    'axis="0 1 0"', 'name="h" axis="0 1 0"'
).replace('joint=""', 'joint="h"')


def test_scaled_motion():
    """A model scaled as a whole moves as before, in gravity that is scaled, too."""
    s, m = 2.5, 7.0
    plain = sinew.Model.from_xml(ARM.format(gravity=-9.81, frame=""))
    scaled = sinew.Model.from_xml(
        ARM.format(gravity=-9.81 * s, frame=f'scale="{s}" massscale="{m}"')
    )
    poses = []
    for model, length in ((plain, 1), (scaled, s)):
        d = sinew.Data(model)
        d.qvel[:] = [1, 0.3 * length, 1, 2, 3]
        d.ctrl[:] = 0.4
        sinew.step(model, d, nstep=300)
        assert d.nefc > 0
        poses.append((d.xpos - [1, 2, 3]) / length)
    np.testing.assert_allclose(poses[0][1:], poses[1][1:], atol=1e-9)


def test_specs():
    """A scale is a setting of the spec: written back, copied, attached, replicated, changed, compiled again."""
    spec = sinew.Spec()
    frame = spec.world.add("frame", "f", scale=2, scaling="geometry", massscale=3)
    frame.add("geom", "g", size=0.1, pos=[1, 0, 0])
    np.testing.assert_array_equal(frame.scale, [2, 2, 2])
    assert spec.compile().geom_size[0, 0] == 0.2 and spec.compile().geom_size[0, 0] == 0.2
    frame.scale = [1, 2, 3]
    np.testing.assert_array_equal(frame.scale, [1, 2, 3])
    with pytest.raises(sinew.ModelError, match="ellipsoid"):
        spec.compile()
    frame.scale = 3
    assert 'scale="3"' in spec.to_xml() and 'massscale="3"' in spec.to_xml()
    host = sinew.Spec()
    host.attach(spec, host.world.add("frame", scale=2), prefix="p_")
    assert host.compile().geom_size[0, 0] == pytest.approx(0.6)
    assert sinew.Model.from_xml(host.to_xml()).geom_size[0, 0] == pytest.approx(0.6)
    for bad in (-1, [1, 2], float("nan")):
        with pytest.raises(sinew.ModelError):
            frame.scale = bad
            spec.compile()
        frame.scale = 3


LOOPS = """<mujoco><worldbody><frame {}>
  <body><joint/><geom size=".1"/><site name="a" pos=".1 0 0"/>
  <site name="c"/></body><body pos="1 0 0"><joint name="j" range="-1 1"/>
  <geom size=".1"/><site name="b" pos="-.9 0 0"/><site name="d"/></body></frame></worldbody>
  <custom>
  <text name="sinew_loop_p" data="prismatic a b stiffness=2 damping=3 ref=0.5"/>
  <text name="sinew_loop_r" data="revolute a b stiffness=2 damping=3 ref=.5"/>
  <text name="sinew_loop_h" data="helical a b pitch=.1"/> <text name="sinew_loop_d" data="distance c d length=1"/>
  <text name="sinew_maxforce_j" data="7"/></custom></mujoco>"""


def test_loops():
    """What has a unit in fields that are not MuJoCo's: length 2, mass 3, so that force is 6 and torque 12."""
    plain, scaled = (
        sinew.Model.from_xml(LOOPS.format(how)) for how in ("", 'scale="2" massscale="3"')
    )
    np.testing.assert_allclose(scaled.loop_parameter, 2 * plain.loop_parameter)
    np.testing.assert_allclose(scaled.loop_stiffness / 2, [3, 12, 0, 0])
    np.testing.assert_allclose(scaled.loop_damping / 3, [3, 12, 0, 0])
    np.testing.assert_allclose(scaled.loop_ref / 0.5, [2, 1, 0, 0])
    assert scaled.jnt_maxforce[1] == 12 * plain.jnt_maxforce[1]


@pytest.mark.parametrize("how", [HOW[0], HOW[4]])
def test_written_and_saved(how, tmp_path):
    """Text and compiled file hold what was compiled, keyframes and inertias that the compiler makes among it."""
    key = "<keyframe><key qpos='1 .2 1 0 0 0 1 2 3 1 0 0 0'/></keyframe>"
    position = '<actuator><position joint="js" inheritrange="1"/></actuator>'
    text = WORLD.replace("FRAME", how) + position + key + "</mujoco>"
    text = text.replace("<compiler ", '<compiler saveinertial="true" ')
    text = text.replace("1 .2 1 0 0 0 1", "0 1 .2 1 0 0 0 1")
    spec = sinew.Spec.from_xml(text)
    m = spec.compile()
    assert compiled.differences(m, sinew.Model.from_xml(spec.to_xml())) <= {"body_iquat"}
    host = sinew.Spec()
    host.attach(spec, prefix="p_")
    assert compiled.differences(host.compile(), sinew.Model.from_xml(host.to_xml())) <= {
        "body_iquat"
    }
    spec.save(tmp_path / "m.snb")
    assert not compiled.differences(m, sinew.Model.from_path(tmp_path / "m.snb"))
    again = sinew.Spec.from_path(tmp_path / "m.snb").compile()
    assert compiled.differences(m, again) <= {"body_iquat"}
