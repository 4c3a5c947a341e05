"""sinew.mujoco.MjSpec: scripts written for the peer's class give the peer's models."""

import copy
import pathlib

import mujoco as peer
import numpy as np
import pytest

from sinew import mujoco as ours

SUITE = pathlib.Path(peer.__file__).parents[1] / "dm_control/suite"
# Axes of equal moments and what stands in them are a matter of rounding; layouts of names and sizes of memory
# are the implementation's own.
OWN_CHECK = {
    "body_iquat", "body_inertia", "bvh_aabb", "bvh_child", "bvh_nodeid", "narena", "nbuffer",
    "names_map", "nnames_map", "signature",
}  # fmt: skip


def tensors(quat, moments):
    result = []
    for q, m in zip(quat, moments, strict=True):
        r = np.zeros(9)
        peer.mju_quat2Mat(r, np.array(q, float))
        r = r.reshape(3, 3)
        result.append(r @ np.diag(m) @ r.T)
    return np.array(result)


def compare(mine, theirs):
    """Every field that both models have: integers equal, reals to 1e-9."""
    compared = 0
    for name in dir(theirs):
        if name.startswith("_") or name in OWN_CHECK:
            continue
        value = getattr(theirs, name)
        if isinstance(value, bytes):
            assert bytes(getattr(mine, name)) == value, name
        elif isinstance(value, int | np.integer) and name.startswith("n"):
            assert getattr(mine, name, value) == value, name
        elif isinstance(value, np.ndarray) and hasattr(mine, name):
            compare_array(name, np.asarray(getattr(mine, name)), value)
            compared += 1
    assert compared > 300
    compare_array(
        "inertia",
        tensors(mine.body_iquat, mine.body_inertia),
        tensors(theirs.body_iquat, theirs.body_inertia),
    )
    for name in (n for n in dir(theirs.opt) if not n.startswith("_")):
        compare_array(
            name, np.asarray(getattr(mine.opt, name)), np.asarray(getattr(theirs.opt, name))
        )
    compare_array("extent", np.array(mine.stat.extent), np.array(theirs.stat.extent))


def compare_array(name, mine, theirs):
    assert mine.size == theirs.size, name
    mine, theirs = mine.ravel(), theirs.ravel()
    if theirs.dtype.kind == "f":
        tolerance = 2e-7 if theirs.dtype == np.float32 else 1e-9  # one rounding of a float
        np.testing.assert_allclose(mine, theirs, rtol=tolerance, atol=tolerance, err_msg=name)
    else:
        np.testing.assert_array_equal(mine, theirs, err_msg=name)


def check(script, *args):
    mine, theirs = (script(m, *args) for m in (ours, peer))
    compare(mine, theirs)
    return mine


def make_arm(mj):
    """A spec from nothing, with everything that can be added."""
    spec = mj.MjSpec()
    spec.modelname = "arm"
    spec.option.timestep = 0.004
    spec.option.integrator = mj.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.gravity = [0, 0, -9]
    spec.option.disableflags |= mj.mjtDisableBit.mjDSBL_EULERDAMP
    spec.option.enableflags = mj.mjtEnableBit.mjENBL_ENERGY
    spec.stat.extent = 3
    spec.visual.global_.offwidth = 800
    spec.visual.headlight.ambient = [0.2, 0.2, 0.3]
    spec.nuser_geom = 3
    texture = spec.add_texture(name="grid", type=mj.mjtTexture.mjTEXTURE_2D, width=16, height=16)
    texture.builtin = mj.mjtBuiltin.mjBUILTIN_CHECKER
    texture.rgb1 = [0.1, 0.2, 0.3]
    material = spec.add_material(name="grid", texrepeat=[3, 4], reflectance=0.2)
    material.textures[mj.mjtTextureRole.mjTEXROLE_RGB] = "grid"
    corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    spec.add_mesh(name="corner", uservert=corners, scale=[0.1, 0.15, 0.25])
    hills = [0, 0.1, 0.2, 0.5, 0.1, 0, 0, 0.2, 1]
    spec.add_hfield(name="hills", nrow=3, ncol=3, size=[1, 1, 0.5, 0.1], userdata=hills)
    world = spec.worldbody
    world.add_geom(name="floor", type=mj.mjtGeom.mjGEOM_PLANE, size=[5, 5, 1], material="grid")
    world.add_geom(name="hills", type=mj.mjtGeom.mjGEOM_HFIELD, hfieldname="hills", pos=[3, 0, 0])
    world.add_light(
        name="sun", pos=[0, 0, 3], dir=[0.1, 0, -1], type=mj.mjtLightType.mjLIGHT_DIRECTIONAL
    )
    world.add_camera(name="eye", pos=[0, -3, 1], xyaxes=[1, 0, 0, 0, 0.5, 1], fovy=50)
    body = world.add_body(name="link0", pos=[0, 0, 1], euler=[10, 20, 30], gravcomp=0.5)
    for i in range(3):
        joint = body.add_joint(name=f"joint{i}", axis=[0, 1, 0], range=[-90, 80 + i], damping=0.1)
        joint.armature = 0.01 * i
        joint.solref_limit = [0.03, 1.1]
        geom = body.add_geom(name=f"geom{i}", type=mj.mjtGeom.mjGEOM_CAPSULE, size=[0.03, 0, 0])
        geom.fromto = [0, 0, 0, 0, 0, 0.3]
        geom.rgba[0] = 0.9
        geom.userdata = [1, 2, i]
        body.add_site(name=f"site{i}", pos=[0, 0.1, 0.1 * i], size=[0.01, 0.01, 0.01])
        body = body.add_body(name=f"link{i + 1}", pos=[0, 0, 0.3])
    body.mass, body.ipos, body.inertia = 0.5, [0, 0, 0.1], [0.01, 0.02, 0.025]
    body.iquat = [0.8, 0, 0.6, 0]
    body.add_camera(name="hand", mode=mj.mjtCamLight.mjCAMLIGHT_TARGETBODY, targetbody="link0")
    ball = world.add_body(name="ball", pos=[1, 0, 1])
    ball.add_freejoint(name="loose")
    ball.add_geom(name="ball", size=[0.1, 0, 0], mass=2, friction=[0.5, 0.01, 0.001], condim=4)
    box = ball.add_geom(type=mj.mjtGeom.mjGEOM_BOX, size=[0.1, 0.2, 0.3], pos=[0, 0, 0.2])
    box.alt.type, box.alt.axisangle = mj.mjtOrientation.mjORIENTATION_AXISANGLE, [0, 0, 1, 30]
    mesh = ball.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="corner", contype=0, conaffinity=0)
    mesh.quat = [0, 1, 0, 0]
    marker = world.add_body(name="marker", mocap=True)
    frame = marker.add_frame(name="tilt", pos=[0, 0, 0.5], euler=[90, 0, 0])
    marker.add_site(name="tip", pos=[0, 0, 0.1]).set_frame(frame)
    spec.add_pair(name="pair", geomname1="floor", geomname2="ball", condim=6, margin=0.01)
    spec.add_exclude(name="apart", bodyname1="link0", bodyname2="link2")
    add_parts(mj, spec)
    return spec


def add_parts(mj, spec):
    obj, eq = mj.mjtObj, mj.mjtEq
    weld = spec.add_equality(
        name="weld", type=eq.mjEQ_WELD, name1="ball", name2="marker", active=False
    )
    weld.objtype = obj.mjOBJ_BODY
    weld.data[3:] = [0, 0, 0.1, 1, 0, 0, 0, 0.5]
    weld.solref = [0.01, 2]
    follow = spec.add_equality(type=eq.mjEQ_JOINT, name1="joint0", name2="joint2")
    follow.data[:5] = [0, 0.5, 0, 0, 0]
    held = spec.add_equality(
        type=eq.mjEQ_CONNECT, name1="link2", name2="link0", objtype=obj.mjOBJ_BODY
    )
    held.data[:3] = [0.1, 0.2, 0.3]
    rope = spec.add_tendon(name="rope", limited=True, range=[0, 2], width=0.01, stiffness=2)
    rope.rgba = [0, 1, 0, 1]
    rope.wrap_site("site0")
    rope.wrap_geom("ball", "")
    rope.wrap_site("site1")
    rope.wrap_pulley(2)
    rope.wrap_site("site1")
    rope.wrap_site("site2")
    belt = spec.add_tendon(name="belt", damping=0.3, springlength=[0.1, 0.2])
    belt.wrap_joint("joint0", 0.5)
    belt.wrap_joint("joint1", -1.5)
    on_joint = dict(trntype=mj.mjtTrn.mjTRN_JOINT, target="joint0")
    motor = spec.add_actuator(name="motor", ctrlrange=[-1, 1], gear=[2, 0, 0, 0, 0, 0], **on_joint)
    motor.set_to_motor()
    spec.add_actuator(name="servo", **on_joint).set_to_position(kp=3, kv=0.2, inheritrange=True)
    spec.add_actuator(name="damped", **on_joint).set_to_position(kp=3, dampratio=1, timeconst=0.1)
    spec.add_actuator(name="speed", **on_joint, forcerange=[-2, 2]).set_to_velocity(kv=0.4)
    spec.add_actuator(name="walk", **on_joint, actrange=[-1, 1]).set_to_intvelocity(kp=2, kv=0.1)
    spec.add_actuator(name="brake", **on_joint, ctrlrange=[0, 1]).set_to_damper(kv=0.5)
    spec.add_actuator(name="piston", **on_joint).set_to_cylinder(timeconst=0.2, bias=0.1, area=0.5)
    own = spec.add_actuator(name="own", trntype=mj.mjtTrn.mjTRN_TENDON, target="belt", group=2)
    own.dyntype, own.gaintype = mj.mjtDyn.mjDYN_FILTER, mj.mjtGain.mjGAIN_AFFINE
    own.gainprm[:3] = [1, 2, 3]
    own.dynprm[0] = 0.3
    site = spec.add_actuator(
        name="jet", trntype=mj.mjtTrn.mjTRN_SITE, target="site2", refsite="tip"
    )
    site.gear = [0, 0, 1, 0, 0, 0]
    stick = spec.add_actuator(
        name="stick", trntype=mj.mjtTrn.mjTRN_BODY, target="ball", ctrlrange=[0, 1]
    )
    stick.set_to_adhesion(gain=3)
    kind = mj.mjtSensor
    spec.add_sensor(name="gyro", type=kind.mjSENS_GYRO, objtype=obj.mjOBJ_SITE, objname="site2")
    place = spec.add_sensor(
        name="place", type=kind.mjSENS_FRAMEPOS, objtype=obj.mjOBJ_SITE, cutoff=9
    )
    place.objname, place.reftype, place.refname = "tip", obj.mjOBJ_BODY, "link0"
    spec.add_sensor(type=kind.mjSENS_JOINTPOS, objtype=obj.mjOBJ_JOINT, objname="joint1", noise=0.1)
    spec.add_sensor(type=kind.mjSENS_ACTUATORFRC, objtype=obj.mjOBJ_ACTUATOR, objname="motor")
    spec.add_sensor(type=kind.mjSENS_TENDONPOS, objtype=obj.mjOBJ_TENDON, objname="rope")
    spec.add_sensor(type=kind.mjSENS_SUBTREECOM, objtype=obj.mjOBJ_BODY, objname="link0")
    spec.add_sensor(type=kind.mjSENS_CLOCK)
    gap = spec.add_sensor(
        type=kind.mjSENS_GEOMDIST, objtype=obj.mjOBJ_GEOM, objname="geom1", cutoff=5
    )
    gap.reftype, gap.refname = obj.mjOBJ_BODY, "ball"
    spec.add_numeric(name="gains", data=[1, 2, 3], size=4)
    spec.add_text(name="note", data="an arm")
    spec.add_tuple(
        name="both",
        objtype=[obj.mjOBJ_BODY, obj.mjOBJ_GEOM],
        objname=["ball", "floor"],
        objprm=[1, 2],
    )
    spec.add_key(name="up", time=1, qpos=[0.1, 0.2, 0.3, 1, 0, 1, 1, 0, 0, 0])


def test_everything_that_can_be_added():
    model = check(lambda mj: make_arm(mj).compile())
    assert isinstance(model, ours.MjModel)
    data = ours.MjData(model)
    ours.mj_step(model, data)


def test_copy_and_text():
    spec = make_arm(ours)
    second = copy.deepcopy(spec)
    second.body("ball").pos = [9, 9, 9]
    second.compile()
    compare(spec.copy().compile(), make_arm(peer).compile())
    compare(ours.MjSpec.from_string(spec.to_xml()).compile(), make_arm(peer).compile())


def edit(mj):
    spec = mj.MjSpec.from_file(str(SUITE / "quadruped.xml"))
    spec.modelname = "edited"
    spec.option.timestep = 0.003
    torso = spec.body("torso")
    torso.pos[2] += 0.3
    for geom in spec.geoms:
        geom.friction[0] = 0.9
        if geom.type == mj.mjtGeom.mjGEOM_ELLIPSOID:
            geom.size *= 1.1
    for joint in torso.find_all("joint"):
        if joint.type == mj.mjtJoint.mjJNT_HINGE:
            joint.damping += 0.5
    for actuator in spec.actuators:
        actuator.gainprm[0] *= 2
        actuator.forcerange = [-30, 30]
    for sensor in spec.sensors:
        sensor.cutoff = 50
    pole = torso.add_body(name="pole", pos=[0, 0, 0.5])
    pole.add_joint(name="pole", type=mj.mjtJoint.mjJNT_BALL, range=[0, 30])
    pole.add_geom(size=[0.05, 0.3, 0], type=mj.mjtGeom.mjGEOM_CYLINDER, zaxis=[0, 1, 1])
    spec.delete(spec.body("toe_back_left") or torso.first_body())
    spec.delete(spec.sensors[0])
    for key in spec.keys:
        spec.delete(key)
    return spec.compile()


def test_third_party_model_edited():
    check(edit)


@pytest.mark.parametrize(
    "name", ["humanoid", "cheetah", "finger", "swimmer", "manipulator", "humanoid_CMU"]
)
def test_third_party_model_rewritten(name):
    """Every value read through the structs and set again: the model stays what it is."""

    def script(mj):
        spec = mj.MjSpec.from_file(str(SUITE / f"{name}.xml"))
        for kind in ("actuators", "equalities", "sensors", "geoms", "joints", "sites", "tendons"):
            for element in getattr(spec, kind):
                element.info = "seen"
                if mj is ours and hasattr(element, "classname"):
                    element.classname = element.classname
        return spec.compile()

    check(script)


CHILD = """<mujoco model="hand"><compiler angle="radian"/><default><default class="finger"><joint damping="2"
range="-1 1"/><geom type="capsule" size=".02 .1"/></default></default><worldbody><body name="palm" pos=".1 0 0">
<joint name="turn" axis="0 0 1"/><geom name="palm" type="box" size=".1 .1 .02"/><body name="finger" euler=".3 0 0"
childclass="finger"><joint name="bend"/><geom name="finger"/><site name="tip"/></body></body></worldbody><actuator>
<position name="bend" joint="bend" kp="4"/></actuator><sensor><touch name="tip" site="tip"/></sensor></mujoco>"""


def attach(mj, how):
    spec = mj.MjSpec()
    arm = spec.worldbody.add_body(name="arm", pos=[0, 0, 1])
    arm.add_joint(name="turn", axis=[0, 1, 0])
    arm.add_geom(size=[0.1, 0, 0])
    frame = arm.add_frame(name="wrist", pos=[0, 0, 0.2], euler=[0, 90, 0])
    site = arm.add_site(name="mount", pos=[0.3, 0, 0], quat=[0, 1, 0, 0])
    child = mj.MjSpec.from_string(CHILD)
    palm, bend = child.body("palm"), child.actuator("bend")
    if how == "body":
        assert frame.attach_body(palm, "left_", "") == palm == spec.body("left_palm")
    elif how == "site body":
        site.attach_body(palm, "left_", "_x")
    elif how == "frame":
        spec.attach(child, prefix="left_", frame=frame)
    else:
        spec.attach(child, prefix="left_", site="mount")
    assert palm.name.startswith("left_palm")
    palm.pos = [0, 0.5, 0]  # what was the child's is the parent's now
    palm.first_body().first_geom().rgba = [0, 1, 0, 1]
    bend.forcerange = [-1, 2]
    assert [b.name.startswith("left_") for b in spec.bodies] == [False, False, True, True]
    return spec.compile()


@pytest.mark.parametrize("how", ["body", "site body", "frame", "site"])
def test_attach(how):
    check(attach, how)


CLASSES = """<mujoco><default><geom material="mt"/><site material="mt"/><default class="c"><material texture="tx"/>
<geom type="mesh" mesh="ms" material="mu"/></default></default><asset><texture name="tx" builtin="flat" type="2d" width="1"
height="1"/><material name="mt"/><material name="mu" class="c"/><mesh name="ms" vertex="0 0 0 1 0 0 0 2 0 0 0 3"/></asset>
<worldbody><frame name="f"><body name="b"><joint name="j"/><geom class="c"/><geom size=".1"/><site name="s"/></body></frame>
</worldbody></mujoco>"""


@pytest.mark.parametrize("way", ["body", "frame", "all", "world", "nested"])
def test_attached_default_classes_refer_to_assets(way):
    def script(mj):
        spec, child = mj.MjSpec(), mj.MjSpec.from_string(CLASSES)
        frame = spec.worldbody.add_frame()
        if way == "body":
            frame.attach_body(child.body("b"), "x/", "!")
        elif way == "frame":
            spec.worldbody.attach_frame(child.frame("f"), "x/", "!")
        elif way == "all":
            spec.attach(child, prefix="x/", suffix="!", frame=frame)
        elif way == "world":
            assert frame.attach_body(child.worldbody, "x/", "!").name == "x/world!"
        else:
            middle = mj.MjSpec.from_string(CLASSES)
            middle.worldbody.add_frame(name="g").attach_body(child.body("b"), "x/", "!")
            spec.worldbody.attach_frame(middle.frame("g"), "y/", "?")
        spec.add_material(name="mt")
        return spec.compile()

    check(script)


def test_attach_copies_when_told_so():
    spec, child = ours.MjSpec(), ours.MjSpec.from_string(CHILD)
    spec.copy_during_attach = True
    palm = child.body("palm")
    made = spec.worldbody.add_frame().attach_body(palm, "left_")
    assert (palm.name, made.name) == ("palm", "left_palm")


DANGLING = """<mujoco><worldbody><body name="a"><joint name="j"/><geom size=".1"/><site name="s"/></body><body
name="b"><joint name="k"/><geom size=".1"/></body></worldbody><contact><exclude body1="a" body2="b"/></contact>
<actuator><motor name="m" joint="j"/></actuator><sensor><touch site="s"/><actuatorfrc actuator="m"/><jointpos
joint="k"/></sensor></mujoco>"""


def test_delete_leaves_what_refers_to_it():
    def script(mj, kind, name):
        spec = mj.MjSpec.from_string(DANGLING)
        spec.delete(getattr(spec, kind)(name))
        assert getattr(spec, kind)(name) is None
        counts = len(spec.sensors), len(spec.actuators), len(spec.excludes)
        try:
            return counts, spec.compile()
        except ValueError:
            return counts, None

    for kind, name in (("site", "s"), ("joint", "j"), ("actuator", "m"), ("body", "a")):
        mine, theirs = script(ours, kind, name), script(peer, kind, name)
        assert mine[0] == theirs[0], name
        assert (mine[1] is None) == (theirs[1] is None) == (kind != "body"), name


def test_bind():
    def script(mj):
        spec = mj.MjSpec.from_string(DANGLING)
        model = spec.compile()
        data = mj.MjData(model)
        data.bind(spec.joint("k")).qpos = 0.5
        mj.mj_forward(model, data)
        found = [data.bind(spec.body("b")).xpos, data.bind(spec.joints).qpos]
        found += [
            model.bind(spec.joints).qposadr,
            model.bind(spec.geoms[:1]).size,
            model.bind([]).size,
        ]
        with pytest.raises(ValueError, match="does not match"):
            model.bind(mj.MjSpec.from_string(CHILD).body("palm"))
        return [np.array(x, float) for x in found]

    for mine, theirs in zip(script(ours), script(peer), strict=True):
        np.testing.assert_array_equal(mine, theirs)


def to_frame(mj):
    spec = mj.MjSpec.from_string(CHILD)
    frame = spec.body("palm").to_frame()
    np.testing.assert_array_equal(frame.pos, [0.1, 0, 0])
    spec.delete(spec.joint("turn")) if spec.joint("turn") else None
    return spec.compile()


def test_body_to_frame():
    check(to_frame)


def test_what_is_deleted_does_no_harm():
    spec = make_arm(ours)
    ball, geom = spec.body("ball"), spec.geom("ball")
    spec.delete(ball)
    spec.delete(ball)
    geom.size = [1, 1, 1]
    assert geom.parent == ball
    for gone in (ball, geom.parent):
        with pytest.raises(ValueError, match='<body name="ball"> is not in the spec any more'):
            gone.add_geom(name="later")
    with pytest.raises(ValueError, match="worldbody"):
        spec.delete(spec.worldbody)
    with pytest.raises(ValueError, match="different specs"):
        spec.geom("geom0").set_frame(ours.MjSpec().worldbody.add_frame())
    assert spec.geom("later") is None
    for key in spec.keys:
        spec.delete(key)  # its numbers are those of the ball, too
    assert spec.compile().nbody == make_arm(peer).compile().nbody - 1


def test_orientations():
    def script(mj):
        body = mj.MjSpec().worldbody
        forms = [{"euler": [10, 20, 30]}, {"axisangle": [1, 2, 3, 40]}, {"zaxis": [1, 2, 3]}]
        forms += [{"xyaxes": [1, 2, 0, 0, 1, 1]}]
        bodies = [body.add_body(**form) for form in forms]
        resolve = mj.MjSpec.resolve_orientation
        sequence = mj.MjSpec().compiler.eulerseq
        return [resolve(degree=True, sequence=sequence, orientation=b.alt) for b in bodies]

    np.testing.assert_allclose(script(ours), script(peer), atol=1e-14)


def skin(mj):
    spec = mj.MjSpec.from_string(DANGLING)
    made = spec.add_skin(name="skin", vert=[0, 0, 0, 1, 0, 0, 0, 1, 0], face=[0, 1, 2], inflate=0.1)
    made.bodyname = ["a", "b"]
    made.bindpos, made.bindquat = [0, 0, 0, 1, 0, 0], [1, 0, 0, 0, 0, 1, 0, 0]
    made.vertid, made.vertweight = [[0, 1], [2]], [[1, 0.5], [1]]
    return spec.compile()


def test_skin():
    check(skin)


def test_attached_files_of_the_same_name():
    def block(size):
        lines = [
            f"v {x * size} {y * size} {z * size}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)
        ]
        return "".join(lines).encode()

    text = """<mujoco><asset><mesh file="m.obj"/></asset><worldbody><body name="a"><geom type="mesh"
    mesh="m"/></body></worldbody></mujoco>"""
    spec = ours.MjSpec()
    for size in (1, 2):
        child = ours.MjSpec.from_string(text, assets={"m.obj": block(size)})
        spec.worldbody.add_frame().attach_body(child.body("a"), f"{size}_")
    np.testing.assert_allclose(spec.compile().body_mass, [0, 1000, 8000])
    assert sorted(spec.assets) == ["2_m.obj", "m.obj"]


def lights_and_flags(mj):
    spec = mj.MjSpec.from_string("""<mujoco><option><flag gravity="disable" energy="enable"/></option><default><default class="far"><light directional="true"/></default>
    </default><worldbody><light directional="true"/><light class="far"/><light class="far"/><light/>
    </worldbody></mujoco>""")
    types = mj.mjtLightType
    assert spec.lights[0].type == spec.lights[1].type == types.mjLIGHT_DIRECTIONAL
    assert spec.lights[3].type == types.mjLIGHT_SPOT
    spec.lights[0].type = types.mjLIGHT_POINT
    spec.option.disableflags |= mj.mjtDisableBit.mjDSBL_CONTACT
    spec.lights[2].type = types.mjLIGHT_SPOT
    spec.lights[3].diffuse[0] = 0.3
    return spec.compile()


def test_lights_and_flags():
    check(lights_and_flags)


def test_assets_without_names():
    spec = ours.MjSpec()
    texture, mesh = spec.add_texture(file="folder/bark.png"), spec.add_mesh(file="log.obj")
    assert spec.texture("bark") == texture
    assert spec.mesh("log") == mesh
    assert spec.mesh("leaf") is None


def defaults(mj):
    spec = mj.MjSpec()
    main = spec.default
    main.geom.size[0] = 0.2
    main.geom.rgba = [1, 0, 0, 1]
    red = spec.add_default("red", main)
    red.geom.size = [0.3, 0, 0]
    red.joint.damping = 3
    red.actuator.ctrlrange = [-2, 2]
    body = spec.worldbody.add_body(red, name="a")
    first = body.add_geom()
    np.testing.assert_array_equal(first.size, [0.3, 0, 0])
    assert first.classname.name == "red"
    body.add_geom(main)
    body.add_joint(name="j")
    spec.add_actuator(red, trntype=mj.mjtTrn.mjTRN_JOINT, target="j")
    # later changes hold for what is made later
    main.geom.rgba = [0, 1, 0, 1]
    red.geom.size = [0.4, 0, 0]
    body.add_body().add_geom()
    third = spec.worldbody.add_geom()
    third.classname = red  # a name only, the values stay
    np.testing.assert_array_equal(third.size, [0.2, 0, 0])
    assert spec.find_default("blue") is None
    assert spec.find_default("red").name == "red"
    assert first.size[0] == 0.3
    return spec


def test_defaults():
    check(lambda mj: defaults(mj).compile())


def test_default_deleted():
    spec = defaults(ours)
    before = spec.compile()
    spec.delete(spec.find_default("red"))
    assert spec.find_default("red") is None
    compare(spec.compile(), before)


def recompile(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="a")
    body.add_joint(type=mj.mjtJoint.mjJNT_BALL)
    body.add_geom(size=[0.1, 0, 0], pos=[0.2, 0, 0])
    model = spec.compile()
    data = mj.MjData(model)
    for _ in range(50):
        mj.mj_step(model, data)
    other = spec.worldbody.add_body(name="b", pos=[0, 1, 0])
    other.add_joint(axis=[0, 1, 0])
    other.add_geom(size=[0.1, 0, 0])
    return spec.recompile(model, data)


def test_recompile_keeps_the_state():
    (mine, mydata), (theirs, data) = recompile(ours), recompile(peer)
    compare(mine, theirs)
    assert isinstance(mine, ours.MjModel)
    assert isinstance(mydata, ours.MjData)
    assert mydata.time == data.time > 0
    np.testing.assert_allclose(mydata.qpos, data.qpos, atol=1e-12)
    np.testing.assert_allclose(mydata.qvel, data.qvel, atol=1e-12)


def test_values_of_new_elements():
    """Members of what has just been made are the peer's."""
    added = ("body", "geom", "joint", "site", "camera", "light", "frame")
    alone = (
        "mesh",
        "material",
        "texture",
        "hfield",
        "pair",
        "exclude",
        "equality",
        "tendon",
        "actuator",
    )
    alone += ("sensor", "numeric", "text", "tuple", "key")

    def make(mj):
        spec = mj.MjSpec()
        body = spec.worldbody.add_body()
        made = {k: getattr(body, "add_" + k)() for k in added}
        made |= {k: getattr(spec, "add_" + k)() for k in alone}
        made |= {"compiler": spec.compiler, "option": spec.option, "stat": spec.stat}
        return made | {part: getattr(spec.visual, part) for part in VISUAL}

    mine, theirs = make(ours), make(peer)
    missing = []
    for kind, struct in theirs.items():
        for name in (n for n in dir(struct) if not n.startswith("_")):
            value = getattr(struct, name)
            if not isinstance(value, int | float | str | np.ndarray) or name in ("id", "signature"):
                continue
            if kind == "texture" and name == "info":
                continue
            if not hasattr(mine[kind], name):
                missing.append(f"{kind}.{name}")
                continue
            np.testing.assert_allclose(
                np.array(getattr(mine[kind], name), float) if not isinstance(value, str) else 0,
                np.array(value, float) if not isinstance(value, str) else 0,
                err_msg=f"{kind}.{name}",
                rtol=1e-7,
            )
            if isinstance(value, str):
                assert getattr(mine[kind], name) == value, f"{kind}.{name}"
            if isinstance(value, np.ndarray):
                assert getattr(mine[kind], name).dtype == value.dtype, f"{kind}.{name}"
    assert not missing


VISUAL = ("global_", "quality", "headlight", "map", "scale", "rgba")


def test_finders_and_lists():
    spec = make_arm(ours)
    assert spec.body("nobody") is None
    assert spec.geom("ball") == spec.body("ball").geoms[0] == spec.body("ball").first_geom()
    assert spec.geom("ball").parent == spec.body("ball")
    assert spec.body("world") == spec.worldbody == spec.body("link0").parent
    assert [b.name for b in spec.bodies][:2] == ["world", "link0"]
    assert spec.site("tip").frame == spec.frame("tilt")
    assert spec.site("tip").parent.name == "marker"
    assert spec.worldbody.find_child("link3").name == "link3"
    assert len(spec.worldbody.find_all(ours.mjtObj.mjOBJ_JOINT)) == len(spec.joints) == 4
    assert spec.body("ball").next_geom(spec.geom("ball")).type == ours.mjtGeom.mjGEOM_BOX
    spec.compile()
    assert spec.geom("ball").id == 5


def test_errors():
    spec = ours.MjSpec()
    body = spec.worldbody.add_body()
    with pytest.raises(TypeError, match="plugin is the wrong type"):
        body.add_geom().plugin = None
    with pytest.raises(TypeError, match="Invalid vel keyword argument"):
        body.add_geom(vel=1)
    with pytest.raises(ValueError, match="pos should be a list/array of size 3"):
        body.add_geom(pos=[0, 1])
    with pytest.raises(ValueError, match="Only one of"):
        body.add_geom(euler=[0, 0, 1], zaxis=[0, 0, 1])
    with pytest.raises(TypeError, match="align, group, name"):
        body.add_freejoint(axis=[1, 2, 3])
    with pytest.raises(ValueError, match="Frame not found"):
        spec.attach(ours.MjSpec(), frame="nowhere")
    assert len(body.geoms) == 1
    with pytest.raises(ValueError, match="size"):
        spec.compile()
    with pytest.raises(ValueError, match="nowhere.xml"):
        ours.MjSpec.from_file("nowhere.xml")
