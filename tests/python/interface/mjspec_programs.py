"""Programs that build robots and scenes with `MjSpec` of the module they are given, as tutorials do."""

import math

import numpy as np


def first(member, value):
    """A number, where a release has one; where it has a polynomial its first coefficient."""
    return [value, *[0] * (member.size - 1)] if np.ndim(member) else value


def equality(mj, numbers):
    """Numbers of an equality, as many as a release has."""
    return numbers + [0] * (mj.mjNEQDATA - len(numbers))


def terrain(mj, seed=1):
    rng = np.random.default_rng(seed)
    s = mj.MjSpec()
    s.option.timestep = 0.002
    s.compiler.degree = False
    s.visual.global_.offwidth = 1280
    s.visual.quality.shadowsize = 8192
    s.visual.headlight.ambient = [0.3, 0.3, 0.3]
    s.stat.extent = 3
    s.stat.center = [0, 0, 1]
    s.add_texture(
        name="sky",
        type=mj.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mj.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=[0.3, 0.5, 0.7],
        rgb2=[0, 0, 0],
        width=32,
        height=32,
    )
    s.add_texture(
        name="grid",
        type=mj.mjtTexture.mjTEXTURE_2D,
        builtin=mj.mjtBuiltin.mjBUILTIN_CHECKER,
        mark=mj.mjtMark.mjMARK_EDGE,
        markrgb=[0.8, 0.8, 0.8],
        rgb1=[0.2, 0.3, 0.4],
        rgb2=[0.1, 0.2, 0.3],
        width=64,
        height=64,
    )
    mat = s.add_material(name="grid", texrepeat=[5, 5], reflectance=0.2, texuniform=True)
    mat.textures[mj.mjtTextureRole.mjTEXROLE_RGB] = "grid"
    h = rng.random((16, 16))
    s.add_hfield(name="terrain", size=[4, 4, 0.5, 0.1], nrow=16, ncol=16, userdata=h.flatten())
    s.worldbody.add_geom(
        name="terrain",
        type=mj.mjtGeom.mjGEOM_HFIELD,
        hfieldname="terrain",
        material="grid",
        pos=[0, 0, -0.5],
    )
    for i in range(5):
        for j in range(5):
            b = s.worldbody.add_body(name=f"box{i}{j}", pos=[i * 0.5, j * 0.5, rng.random()])
            b.add_geom(
                type=mj.mjtGeom.mjGEOM_BOX,
                size=[0.2, 0.2, 0.1 + rng.random() * 0.1],
                rgba=[*rng.random(3), 1],
            )
            if i == j:
                b.add_freejoint()
            if i > j:
                b.quat = [math.cos(0.1), 0, 0, math.sin(0.1)]
    s.worldbody.add_light(
        pos=[0, 0, 4], dir=[0, 0, -1], type=mj.mjtLightType.mjLIGHT_DIRECTIONAL, castshadow=False
    )
    s.worldbody.add_camera(name="top", pos=[0, 0, 6], fovy=50, resolution=[640, 480])
    s.worldbody.add_camera(
        name="side",
        pos=[3, 0, 2],
        xyaxes=[0, 1, 0, -0.5, 0, 1],
        mode=mj.mjtCamLight.mjCAMLIGHT_TARGETBODY,
        targetbody="box00",
    )
    return s


def stairs(mj):
    s = mj.MjSpec()
    w = s.worldbody
    main = s.default
    main.geom.type = mj.mjtGeom.mjGEOM_BOX
    b = w.add_body(name="stairs", pos=[1, 0, 0])
    for i in range(6):
        b.add_geom(
            pos=[0.1 * i, 0, 0.05 * (i + 1)],
            size=[0.1, 1, 0.05 * (i + 1)],
            rgba=[0.1 * i, 0.5, 0.5, 1],
            name=f"s{i}",
        )
    fr = w.add_frame(pos=[-1, 0, 0], euler=[0, 0, 45])
    for i in range(3):
        g = w.add_geom(size=[0.1, 0.1, 0.1], pos=[0, 0.3 * i, 0.1])
        g.set_frame(fr)
    return s


def quadruped(mj, n=4):
    s = mj.MjSpec()
    s.modelname = "creature"
    s.compiler.degree = False
    d = s.default
    d.joint.damping = first(d.joint.damping, 2)
    d.joint.type = mj.mjtJoint.mjJNT_HINGE
    d.joint.axis = [0, 1, 0]
    d.joint.limited = 1
    d.joint.range = [-0.8, 0.8]
    d.geom.type = mj.mjtGeom.mjGEOM_CAPSULE
    d.geom.friction[0] = 0.9
    d.geom.rgba = [0.2, 0.4, 0.6, 1]
    leg = s.add_default("leg", d)
    leg.geom.rgba = [0.8, 0.2, 0.2, 1]
    leg.geom.condim = 6
    leg.joint.armature = 0.01
    torso = s.worldbody.add_body(name="torso", pos=[0, 0, 0.6])
    torso.add_freejoint(name="root")
    torso.add_geom(name="torso", type=mj.mjtGeom.mjGEOM_ELLIPSOID, size=[0.3, 0.15, 0.1], mass=3)
    torso.add_site(name="imu", pos=[0, 0, 0.1])
    torso.add_light(pos=[0, 0, 1], mode=mj.mjtCamLight.mjCAMLIGHT_TRACKCOM)
    torso.add_camera(
        name="track", pos=[0, -2, 1], euler=[1.2, 0, 0], mode=mj.mjtCamLight.mjCAMLIGHT_TRACK
    )
    for i in range(n):
        a = 2 * math.pi * i / n
        hip = torso.add_body(
            leg, name=f"hip{i}", pos=[0.25 * math.cos(a), 0.15 * math.sin(a), 0], euler=[0, 0, a]
        )
        hip.add_joint(leg, name=f"hip{i}", axis=[0, 0, 1])
        hip.add_geom(leg, fromto=[0, 0, 0, 0.15, 0, 0], size=[0.03, 0, 0])
        knee = hip.add_body(name=f"knee{i}", pos=[0.15, 0, 0])
        knee.add_joint(leg, name=f"knee{i}")
        knee.add_geom(leg, fromto=[0, 0, 0, 0.1, 0, -0.3], size=[0.02, 0, 0], name=f"shin{i}")
        knee.add_site(
            name=f"foot{i}",
            pos=[0.1, 0, -0.3],
            size=[0.03, 0.03, 0.03],
            type=mj.mjtGeom.mjGEOM_SPHERE,
        )
        act = s.add_actuator(name=f"hip{i}", trntype=mj.mjtTrn.mjTRN_JOINT, target=f"hip{i}")
        act.set_to_position(kp=20, kv=1)
        act.ctrlrange = [-0.5, 0.5]
        act.forcerange = [-10, 10]
        act = s.add_actuator(name=f"knee{i}", trntype=mj.mjtTrn.mjTRN_JOINT, target=f"knee{i}")
        act.set_to_position(kp=20, dampratio=1, inheritrange=1)
        s.add_sensor(
            name=f"touch{i}",
            type=mj.mjtSensor.mjSENS_TOUCH,
            objtype=mj.mjtObj.mjOBJ_SITE,
            objname=f"foot{i}",
        )
        s.add_sensor(
            name=f"jp{i}",
            type=mj.mjtSensor.mjSENS_JOINTPOS,
            objtype=mj.mjtObj.mjOBJ_JOINT,
            objname=f"knee{i}",
        )
    for t in ("GYRO", "ACCELEROMETER", "VELOCIMETER"):
        s.add_sensor(
            type=getattr(mj.mjtSensor, "mjSENS_" + t),
            objtype=mj.mjtObj.mjOBJ_SITE,
            objname="imu",
            noise=0.01,
            cutoff=10,
        )
    s.add_sensor(
        name="fq",
        type=mj.mjtSensor.mjSENS_FRAMEQUAT,
        objtype=mj.mjtObj.mjOBJ_XBODY,
        objname="torso",
    )
    s.add_sensor(
        name="com",
        type=mj.mjtSensor.mjSENS_SUBTREECOM,
        objtype=mj.mjtObj.mjOBJ_BODY,
        objname="torso",
    )
    s.add_exclude(bodyname1="torso", bodyname2="knee0")
    q = np.zeros(7 + 2 * n)
    q[2] = 0.5
    q[3] = 1
    s.add_key(name="home", qpos=q, ctrl=np.zeros(2 * n))
    return s


def arm(mj):
    s = mj.MjSpec()
    s.modelname = "arm"
    s.compiler.autolimits = True
    b = s.worldbody
    for i in range(5):
        b = b.add_body(name=f"link{i}", pos=[0, 0, 0.2 if i else 0.1])
        b.add_joint(
            name=f"j{i}",
            axis=[0, 1, 0] if i % 2 else [0, 0, 1],
            range=[-90, 90],
            damping=1,
            armature=0.1,
            frictionloss=0.05,
        )
        b.add_geom(
            type=mj.mjtGeom.mjGEOM_CYLINDER,
            fromto=[0, 0, 0, 0, 0, 0.2],
            size=[0.04, 0, 0],
            contype=0,
            conaffinity=0,
            group=2,
            density=500,
        )
        if i == 2:
            b.mass = 1
            b.ipos = [0, 0, 0.1]
            b.inertia = [0.01, 0.01, 0.005]
            b.explicitinertial = True
        if i == 3:
            b.gravcomp = 1
        a = s.add_actuator(
            name=f"a{i}", target=f"j{i}", trntype=mj.mjtTrn.mjTRN_JOINT, gear=[10, 0, 0, 0, 0, 0]
        )
        [
            a.set_to_motor,
            lambda: a.set_to_velocity(3.0),
            lambda: a.set_to_position(100.0, kv=10.0, timeconst=0.1),
            lambda: a.set_to_intvelocity(50.0, inheritrange=1),
            lambda: a.set_to_damper(2.0),
        ][i]()
        if i == 3:
            a.actrange = [0, 0]
        a.ctrllimited = 1
        a.ctrlrange = [0 if i == 4 else -1, 1]
    b.add_site(name="ee", pos=[0, 0, 0.2], quat=[0.7, 0.7, 0, 0])
    return s


def gripper(mj):
    s = mj.MjSpec()
    s.modelname = "gripper"
    d = s.default
    d.geom.type = mj.mjtGeom.mjGEOM_BOX
    d.geom.size = [0.01, 0.02, 0.05]
    fc = s.add_default("finger", d)
    fc.joint.type = mj.mjtJoint.mjJNT_SLIDE
    fc.joint.range = [0, 0.04]
    fc.geom.rgba = [0, 1, 0, 1]
    fc.geom.friction = [2, 0.1, 0.01]
    base = s.worldbody.add_body(name="base")
    base.add_geom(name="palm", size=[0.05, 0.05, 0.01])
    for i, sg in enumerate((-1, 1)):
        f = base.add_body(fc, name=f"finger{i}", pos=[0.05 * sg, 0, 0.05])
        f.add_joint(fc, name=f"f{i}", axis=[-sg, 0, 0])
        f.add_geom(fc, name=f"pad{i}")
    s.add_equality(
        name="mimic",
        type=mj.mjtEq.mjEQ_JOINT,
        name1="f0",
        name2="f1",
        data=equality(mj, [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]),
    )
    t = s.add_tendon(name="split", limited=0, range=[0, 1])
    t.wrap_joint("f0", 0.5)
    t.wrap_joint("f1", 0.5)
    a = s.add_actuator(name="grip", trntype=mj.mjtTrn.mjTRN_TENDON, target="split")
    a.set_to_position(kp=100)
    a.ctrlrange = [0, 0.04]
    s.add_sensor(
        name="tp",
        type=mj.mjtSensor.mjSENS_TENDONPOS,
        objtype=mj.mjtObj.mjOBJ_TENDON,
        objname="split",
    )
    s.add_exclude(name="x", bodyname1="finger0", bodyname2="finger1")
    s.add_key(name="open", qpos=[0.04, 0.04], ctrl=[0.04])
    s.add_text(name="note", data="hi")
    s.add_numeric(name="num", data=[1, 2, 3])
    s.add_tuple(name="tup", objtype=[mj.mjtObj.mjOBJ_BODY], objname=["base"], objprm=[1])
    return s


def arm_gripper(mj, how="site"):
    a, g = arm(mj), gripper(mj)
    if how == "site":
        a.attach(g, prefix="g/", site="ee")
    if how == "site2":
        a.attach(g, suffix="_g", site=a.site("ee"))
    if how == "frame":
        f = a.body("link4").add_frame(name="mount", pos=[0, 0, 0.2], euler=[0, 0, 90])
        a.attach(g, prefix="g/", frame="mount")
    if how == "body":
        f = a.body("link4").add_frame(pos=[0, 0, 0.25])
        b = f.attach_body(g.body("base"), "g/", "")
        b.quat = [0, 1, 0, 0]
    if how == "sitebody":
        a.site("ee").attach_body(g.body("base"), prefix="x_")
    if how == "attach_frame":
        f = g.worldbody.add_frame(name="gf", pos=[1, 0, 0])
        g.body("base").set_frame(f)
        a.body("link4").attach_frame(f, "q-", "")
    if how == "twice":
        a.attach(g, prefix="l/", site="ee")
        a.attach(gripper(mj), prefix="r/", frame=a.worldbody.add_frame(pos=[1, 1, 1]))
    a.add_key(name="all", time=1)
    return a


def cloud(mj):
    s = mj.MjSpec()
    s.copy_during_attach = True
    q = quadruped(mj, 4)
    f = q.body("torso")
    for i in range(3):
        fr = s.worldbody.add_frame(pos=[i, 0, 0], quat=[1, 0, 0, 0.1 * i])
        fr.attach_body(f, f"r{i}-")
    s.worldbody.add_geom(name="floor", type=mj.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.1])
    return s


def meshes(mj):
    s = mj.MjSpec()
    s.add_mesh(
        name="tet",
        uservert=[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
        userface=[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
        scale=[0.2, 0.2, 0.3],
        refpos=[0.1, 0, 0],
        inertia=mj.mjtMeshInertia.mjMESH_INERTIA_EXACT,
    )
    s.add_mesh(
        name="pts",
        uservert=np.random.default_rng(3).normal(size=60).astype(np.float32) * 0.1,
        maxhullvert=12,
    )
    sp = s.add_mesh(name="ico")
    sp.make_sphere(2)
    for i, n in enumerate(("tet", "pts", "ico")):
        b = s.worldbody.add_body(name=n, pos=[i, 0, 1])
        b.add_freejoint()
        b.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname=n, rgba=[1, 0, 0, 1])
    b = s.worldbody.add_body()
    b.add_joint()
    b.add_geom(type=mj.mjtGeom.mjGEOM_CAPSULE, meshname="ico")
    te = s.add_texture(name="pix", type=mj.mjtTexture.mjTEXTURE_2D, width=4, height=3, nchannel=3)
    te.data = bytes(range(36))
    te = s.add_texture(name="pix2", width=2, height=12, nchannel=4, hflip=1)
    te.data = bytes(range(96))
    ma = s.add_material(name="m")
    ma.textures = ["", "pix", *[""] * 8]
    return s


def edits(mj):
    s = quadruped(mj, 6)
    s.compile()
    [s.delete(k) for k in list(s.keys)]
    s.delete(s.body("hip5"))
    for x in list(s.sensors):
        if x.name in ("touch5", "jp5"):
            s.delete(x)
    for x in list(s.actuators):
        if x.name.endswith("5"):
            s.delete(x)
    [s.delete(k) for k in list(s.keys)]
    for g in s.geoms:
        g.rgba[3] = 0.5
        g.margin = 0.01
    for j in s.joints:
        if j.type == mj.mjtJoint.mjJNT_HINGE:
            j.stiffness = first(j.stiffness, 3)
            j.range[0] = -1
    for b in s.bodies[1:]:
        b.name = "R_" + b.name
    for x in s.excludes:
        x.bodyname1 = "R_" + x.bodyname1
        x.bodyname2 = "R_" + x.bodyname2
    for x in s.sensors:
        if x.objtype in (mj.mjtObj.mjOBJ_BODY, mj.mjtObj.mjOBJ_XBODY) and not x.objname.startswith(
            "R_"
        ):
            x.objname = "R_" + x.objname
    for x in s.cameras:
        x.fovy = 30
    [b for b in s.bodies if b.name == "R_torso"][0].pos[2] = 1
    s.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_PLANE, size=[1, 1, 1])
    return s


def muscles(mj):
    s = mj.MjSpec()
    s.compiler.LRopt.inttotal = 5
    s.compiler.LRopt.useexisting = 1
    b = s.worldbody.add_body(name="a")
    s.worldbody.add_site(name="s0", pos=[0.1, 0, 0.1])
    b.add_joint(name="j", axis=[0, 1, 0], range=[-60, 60], limited=True)
    b.add_geom(type=mj.mjtGeom.mjGEOM_CAPSULE, fromto=[0, 0, 0, 0, 0, -0.3], size=[0.02, 0, 0])
    b.add_site(name="s1", pos=[0.03, 0, -0.2])
    b.add_geom(
        name="wrap",
        type=mj.mjtGeom.mjGEOM_CYLINDER,
        size=[0.02, 0.05, 0],
        quat=[0.7, 0.7, 0, 0],
        contype=0,
        conaffinity=0,
    )
    b.add_site(name="side", pos=[0.05, 0, 0])
    t = s.add_tendon(
        name="t", width=0.01, rgba=[1, 0, 0, 1], stiffness=1, damping=0.1, springlength=[0.1, 0.2]
    )
    t.wrap_site("s0")
    t.wrap_geom("wrap", "side")
    t.wrap_site("s1")
    a = s.add_actuator(name="m", trntype=mj.mjtTrn.mjTRN_TENDON, target="t", lengthrange=[0.1, 0.4])
    a.set_to_motor()
    a = s.add_actuator(name="c", trntype=mj.mjtTrn.mjTRN_JOINT, target="j")
    a.set_to_cylinder(0.1, 0.2, 0.3)
    a = s.add_actuator(name="c2", trntype=mj.mjtTrn.mjTRN_JOINT, target="j")
    a.set_to_cylinder(0.1, 0.2, 0.3, 0.4)
    a = s.add_actuator(name="adh", trntype=mj.mjtTrn.mjTRN_BODY, target="a", ctrlrange=[0, 1])
    a.set_to_adhesion(5.0)
    a = s.add_actuator(
        name="site",
        trntype=mj.mjtTrn.mjTRN_SITE,
        target="s1",
        refsite="s0",
        gear=[1, 2, 3, 4, 5, 6],
    )
    a = s.add_actuator(
        name="g",
        trntype=mj.mjtTrn.mjTRN_JOINTINPARENT,
        target="j",
        dyntype=mj.mjtDyn.mjDYN_FILTER,
        dynprm=[0.2] + [0] * 9,
        gaintype=mj.mjtGain.mjGAIN_AFFINE,
        gainprm=list(range(10)),
        biastype=mj.mjtBias.mjBIAS_AFFINE,
        biasprm=np.ones(10),
        actlimited=True,
        actrange=[-2, 2],
        actearly=True,
    )
    return s


def frames(mj):
    s = mj.MjSpec()
    b = s.worldbody.add_body(name="b", pos=[0, 0, 1])
    b.add_freejoint(align=False)
    b.add_geom(size=[0.1, 0, 0], pos=[0.1, 0, 0])
    f1 = b.add_frame(name="f1", pos=[1, 0, 0], euler=[0, 0, 30])
    f2 = b.add_frame(f1, name="f2", pos=[0, 1, 0])
    for k in ("geom", "site", "camera", "light"):
        e = getattr(b, "add_" + k)(name="in" + k)
        e.set_frame(f2)
        if k == "geom":
            e.size = [0.1, 0.1, 0.1]
            e.type = mj.mjtGeom.mjGEOM_BOX
    c = b.add_body(name="c", pos=[0, 0, 0.2])
    c.set_frame(f2)
    c.add_geom(size=[0.05, 0, 0])
    c.add_joint(axis=[1, 0, 0])
    d = b.add_body(name="d", pos=[0, 0.5, 0], quat=[0.7, 0, 0.7, 0])
    d.add_geom(name="dg", size=[0.05, 0, 0], pos=[1, 0, 0])
    d.to_frame()
    free = s.worldbody.add_body(name="fr2", pos=[1, 1, 1])
    j = free.add_freejoint(name="q")
    j.damping = first(j.damping, 0.5)
    j.armature = 0.1
    free.add_geom(size=[0.1, 0, 0])
    e = s.worldbody.add_body(
        name="e", fullinertia=[1, 2, 2.5, 0, 0, 0], mass=2, ipos=[0, 0, 0.1], mocap=False
    )
    e.add_joint(type=mj.mjtJoint.mjJNT_BALL, springref=0, stiffness=1)
    m = s.worldbody.add_body(name="mo", mocap=True, pos=[0, 0, 2], zaxis=[0, 1, 1])
    m.add_geom(size=[0.1, 0, 0])
    s.add_equality(
        name="w",
        type=mj.mjtEq.mjEQ_WELD,
        name1="mo",
        name2="fr2",
        objtype=mj.mjtObj.mjOBJ_BODY,
        data=equality(mj, [0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1]),
        solref=[0.01, 1],
    )
    s.add_equality(
        name="cn",
        type=mj.mjtEq.mjEQ_CONNECT,
        name1="e",
        name2="world",
        objtype=mj.mjtObj.mjOBJ_BODY,
        data=equality(mj, [0, 0, 0.5] + [0] * 7 + [1]),
        active=False,
    )
    s.add_pair(
        name="p", geomname1="dg", geomname2="ingeom", condim=4, friction=[1, 1, 0.1, 0.1, 0.1]
    )
    s.option.disableflags = int(mj.mjtDisableBit.mjDSBL_GRAVITY) | int(
        mj.mjtDisableBit.mjDSBL_LIMIT
    )
    s.option.enableflags = int(mj.mjtEnableBit.mjENBL_ENERGY)
    s.option.cone = int(mj.mjtCone.mjCONE_ELLIPTIC)
    s.option.solver = int(mj.mjtSolver.mjSOL_CG)
    s.option.integrator = int(mj.mjtIntegrator.mjINT_IMPLICIT)
    s.option.wind = [1, 2, 3]
    s.option.o_margin = 0.1
    s.option.disableactuator = 5
    s.nuserdata = 3
    s.nuser_geom = 2
    s.nkey = 2
    s.memory = 1000000
    s.geoms[0].userdata = [1, 2]
    return s


WAYS = ("site", "site2", "frame", "body", "sitebody", "attach_frame", "twice")
PROGRAMS = {
    "terrain": terrain, "stairs": stairs, "quadruped": quadruped, "hexapod": lambda mj: quadruped(mj, 6),
    "arm": arm, "gripper": gripper, "cloud": cloud, "meshes": meshes, "edits": edits, "muscles": muscles,
    "frames": frames, **{way: (lambda mj, way=way: arm_gripper(mj, way)) for way in WAYS},
}  # fmt: skip
