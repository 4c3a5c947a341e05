"""What a program sees of `mujoco`, pickled to a file: run by MuJoCo 4.0.1 and by Sinew with its interface.

python later_program.py RESULT MODEL...
"""

import inspect
import pickle
import sys

import mujoco
import numpy as np

LOOKS = """
<mujoco>
  <asset>
    <texture name="t" type="2d" builtin="flat" width="4" height="4"/>
    <material name="m" texture="t" texrepeat="2 3" texuniform="true"/><material name="n" texrepeat="4 5"/>
    <material name="o"><layer role="normal" texture="t"/></material>
  </asset>
  <worldbody>
    <light softness=".4"/><light type="directional" castshadow="false"/>
    <camera pos="1 2 3" euler="10 20 30" fovy="40" resolution="20 30" output="rgb depth"/>
    <camera pos="1 2 3" euler="10 20 30" fovy="4" resolution="40 30" projection="orthographic" output="segmentation normal"/>
    <camera pos="1 2 3" euler="10 20 30" fovy="4" projection="orthographic" output="distance"/>
    <camera pos="1 2 3" euler="10 20 30" resolution="100 50" sensorsize="1 .5" focal=".5 .4" principal=".1 .05"/>
    <camera euler="10 20 30" resolution="100 50" sensorsize="1 .5" focal=".5 .4" projection="orthographic"/>
    <camera pos="1 2 3" euler="10 20 30" resolution="1 3"/><camera pos="1 2 3" euler="10 20 30" resolution="1 1"/>
    <geom size=".1" material="m" castshadow="false"/><geom type="plane" size="2 2 .1" material="n"/><site name="s" material="m"/>
    <body pos="0 0 1"><joint/><geom size=".1" material="o"/><site name="t" pos="1 1 1"/><geom type="box" size=".1 .1 .1" castshadow="true"/></body>
  </worldbody>
  <tendon><spatial material="m"><site site="s"/><site site="t"/></spatial></tendon>
</mujoco>
"""

SCENE = """
<mujoco>
  <asset>
    <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="h" nrow="3" ncol="3" size="1 1 1 1" elevation="0 1 0 1 0 1 0 0 1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="5 5 1"/><geom type="hfield" hfield="h" pos="9 0 0"/>
    <camera name="fixed" pos="1 2 3" xyaxes="1 0 0 0 .6 .8" fovy="30"/>
    <camera name="sensor" pos="1 2 3" resolution="100 50" sensorsize="1 .5" focal=".5 .4" principal=".1 .05"/>
    <body name="b" pos="0 0 2"><joint name="j"/><site name="s" size=".2"/><geom size=".5"/></body>
    <body pos="2 0 2"><freejoint/><site name="t"/><geom type="capsule" size=".3 .2"/></body>
    <body pos="4 0 2"><freejoint/><geom type="ellipsoid" size=".3 .2 .4"/></body>
    <body pos="6 0 2"><freejoint/><geom type="cylinder" size=".3 .2"/></body>
    <body pos="0 2 2"><freejoint/><geom type="box" size=".3 .2 .1"/></body>
    <body pos="0 4 2"><freejoint/><geom type="mesh" mesh="m"/></body>
  </worldbody>
  <actuator>
    <motor name="a" joint="j" delay=".004" nsample="3"/><pid joint="j" name="p"/><pid joint="j" input="pos ff" ki="1"/>
    <dcmotor joint="j" motorconst="1" resistance="1" input="pos vel"/>
    <dcmotor joint="j" motorconst="1" resistance="1"/><position joint="j"/><velocity joint="j"/><damper joint="j" kv="1" ctrlrange="0 1"/>
    <orientation site="t" refsite="s"/><orientation site="t" refsite="s" input="quat" kp="2"/>
  </actuator>
  <sensor><jointpos joint="j" delay=".004" nsample="4"/><camprojection site="s" camera="sensor"/></sensor>
</mujoco>
"""


def names():
    """Names of the module, enumerations, constants, members of classes, first lines of functions."""
    out = {"enums": {}, "classes": {}, "functions": {}, "constants": {}}
    for name in dir(mujoco):
        value = getattr(mujoco, name)
        if name.startswith("_") or inspect.ismodule(value):
            continue
        if hasattr(value, "__members__"):
            out["enums"][name] = {key: int(member) for key, member in value.__members__.items()}
        elif isinstance(value, type):
            out["classes"][name] = [n for n in dir(value) if not n.startswith("_")]
        elif inspect.isroutine(value):
            out["functions"][name] = (value.__doc__ or "").split("\n")[0]
        elif isinstance(value, int | float | str | tuple):
            out["constants"][name] = value
    return out


def plain(value):
    """An array, number or bytes; None: something else."""
    if isinstance(value, np.ndarray):
        return np.array(value)
    return value if isinstance(value, bool | int | float | bytes) else None


def fields(path):
    """All numbers of a model, its options and a data after some steps."""
    m = mujoco.MjModel.from_xml_path(path)
    d = mujoco.MjData(m)
    for _ in range(20):
        mujoco.mj_step(m, d)
    mujoco.mj_forward(m, d)
    parts = (("model", m), ("data", d), ("opt", m.opt))
    return {
        (part, name): plain(getattr(owner, name))
        for part, owner in parts
        for name in dir(owner)
        if not name.startswith("_")
    }


def states(m, d):
    """States of many signatures, and what is set by them."""
    rng = np.random.default_rng(1)
    out = []
    for sig in (0, 1, 7, 24, 40, 8191, 16414, 24607, 32767, *rng.integers(1, 32768, 40)):
        sig = int(sig)
        state = np.zeros(mujoco.mj_stateSize(m, sig))
        mujoco.mj_getState(m, d, state, sig)
        other = mujoco.MjData(m)
        mujoco.mj_setState(m, other, state, sig)
        copied = mujoco.MjData(m)
        mujoco.mj_copyState(m, d, copied, sig)
        part = sig & int(rng.integers(1, 32768))
        some = np.zeros(mujoco.mj_stateSize(m, part))
        mujoco.mj_extractState(m, state, sig, some, part)
        held = [
            x.copy()
            for o in (other, copied)
            for x in (o.history, o.qpos, o.ctrl, o.qacc_warmstart, o.act)
        ]
        out.append([state, some, *held])
    return out


def rays(m, d):
    """Distances and normals of many rays, against the scene and against single shapes."""
    rng = np.random.default_rng(2)
    out = []
    for _ in range(200):
        pnt, normal, geomid = rng.uniform(-1, 7, 3), np.zeros(3), np.zeros(1, np.int32)
        vec = rng.normal(size=3)
        x = mujoco.mj_ray(m, d, pnt, vec, None, 1, -1, geomid, normal)
        out.append([x, geomid.copy(), normal.copy()])
        rows, hits, far = rng.normal(size=(4, 3)), np.zeros(4, np.int32), np.zeros(4)
        normals = np.zeros((4, 3))
        mujoco.mj_multiRay(m, d, pnt, rows.ravel(), None, 1, -1, hits, far, normals.ravel(), 4, 1e9)
        out.append([hits, far])
        for kind in (0, 2, 3, 4, 5, 6):
            normal = np.zeros(3)
            at = (np.zeros(3), np.eye(3).ravel(), np.array([0.3, 0.4, 0.5]))
            x = mujoco.mju_rayGeom(*at, 2 * rng.normal(size=3), rng.normal(size=3), kind, normal)
            out.append([x, normal])
    return out


def cameras(m, d):
    """Frames and frusta, and cameras that were moved."""
    out = []
    for kind, index in ((0, -1), (1, 1), (2, 0), (2, 1)):
        cam = mujoco.MjvCamera()
        cam.type, cam.azimuth, cam.elevation, cam.distance = kind, 30, -20, 3
        cam.lookat[:] = 0.1, 0.2, 0.3
        cam.fixedcamid, cam.trackbodyid = index, index
        view = mujoco.mjv_camera2GLCamera(m, d, cam)
        frame = [np.zeros(3) for _ in range(4)]
        mujoco.mjv_cameraFrame(*frame, d, cam)
        frustum = [np.zeros(2, np.float32) for _ in range(3)]
        mujoco.mjv_cameraFrustum(*frustum, m, cam)
        out.append([view.pos, view.forward, view.up, view.frustum_top, *frame, *frustum])
        for action in range(1, 10) if kind < 2 else ():
            mujoco.mjv_moveCamera(m, action, 0.1, 0.05, cam)
            out.append([cam.lookat.copy(), cam.azimuth, cam.elevation, cam.distance])
    return out


def scenes():
    """Members of geoms and lights, with cameras and what they see, textures on and off; what is kept of looks."""
    m = mujoco.MjModel.from_xml_string(LOOKS)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    shown = mujoco.mjtVisFlag
    out = [
        m.cam_projection,
        m.cam_output,
        m.light_softness,
        m.geom_castshadow,
        m.vis.headlight.active,
    ]
    m.cam_projection[2] = m.cam_output[2] = 0
    m.geom_castshadow[1] = False
    out.append([m.geom(0).castshadow, m.geom(1).castshadow, m.cam_projection.copy()])
    for texture in (0, 1):
        opt, scene = mujoco.MjvOption(), mujoco.MjvScene(m, 300)
        opt.flags[shown.mjVIS_CAMERA], opt.flags[shown.mjVIS_TEXTURE] = 1, texture
        mujoco.mjv_updateScene(m, d, opt, None, mujoco.MjvCamera(), 7, scene)
        for row in (*scene.geoms[: scene.ngeom], *scene.lights[: scene.nlight]):
            names = [n for n in dir(row) if n[0] != "_" and not callable(getattr(row, n))]
            out.append(
                {n: np.array(getattr(row, n)) for n in names if n not in ("label", "camdist")}
            )
    made = mujoco.MjvGeom()
    mujoco.mjv_initGeom(made, 2, np.ones(3), np.zeros(3), np.eye(3).ravel(), np.ones(4, np.float32))
    return [*out, made.castshadow, made.texid, made.texuniform, made.texrepeat]


def functions(m, d):
    """What is left."""
    full, dense = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, d, full)
    mujoco.mju_sym2dense(dense, d.M, m.M_rownnz, m.M_rowadr, m.M_colind)
    inputs = [
        [mujoco.mj_actuatorInputName(m, a, k) for k in range(m.actuator_ctrlnum[a])]
        for a in range(m.nactuator)
    ]
    most = [[mujoco.mj_maxContact(m, i, j, 0) for i in range(m.ngeom)] for j in range(m.ngeom)]
    m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_MULTICCD)
    few = [[mujoco.mj_maxContact(m, i, j, 0) for i in range(m.ngeom)] for j in range(m.ngeom)]
    m.opt.disableflags = 0
    inside = [mujoco.mj_insideSite(m, d, 0, [0, 0, z]) for z in (1, 1.9, 2, 2.19, 2.3)]
    past = [
        mujoco.mj_readCtrl(m, d, 0, t, np.zeros(1), k)[0]
        for t in (0, 0.005, 0.01)
        for k in (-1, 0, 1, 2)
    ]
    sensed = [
        mujoco.mj_readSensor(m, d, 0, t, np.zeros(1), k)[0]
        for t in (0, 0.005, 0.01)
        for k in (-1, 0, 1, 2)
    ]
    mujoco.mj_initCtrlHistory(m, d, 0, [-2, -1, 0], np.array([[1.0], [2], [3]]))
    mujoco.mj_initSensorHistory(m, d, 0, None, np.array([[1.0], [2], [3], [4]]), 0)
    mujoco.mju_threadpool(d, 2)
    mujoco.mju_threadpool(d, 0)
    kinds = [np.array(x) for x in (m.actuator_dyntype, m.actuator_gaintype, m.actuator_biastype)]
    views = [m.actuator(i).gaintype[0] for i in range(m.nactuator)]
    other = mujoco.MjData(m)
    mujoco.mj_copyData(other, m, d)
    mujoco.mj_step(m, other)
    other.ctrl[:] = 7
    mujoco.mj_resetCtrl(m, other)
    moved = mujoco.MjData(m)
    mujoco.mj_fwdKinematics(m, moved)
    return {
        "M": full, "symmetric": dense, "inputs": inputs, "most": most, "few": few, "inside": inside, "past": past,
        "sensed": sensed, "history": d.history.copy(), "kinds": kinds, "views": views, "copy": other.qpos.copy(), "reset": other.ctrl.copy(),
        "kinematics": [moved.geom_xpos.copy(), moved.subtree_com.copy(), moved.actuator_length.copy()],
    }  # fmt: skip


def differences(m, d):
    """M by positions, from differences."""
    out = np.zeros((m.nv, m.nC))
    mujoco.mjd_inverseFD(m, d, 1e-6, 1, None, None, None, None, None, None, out)
    return out


def flags():
    """Bits of options as they are set and read, and a warning that is counted in its place."""
    m = mujoco.MjModel.from_xml_string(SCENE)
    out = []
    for enable, disable in (
        (0, 0),
        (16, 0),
        (32 + 128 + 1, 1 << 19),
        (8, (1 << 20) - 1),
        (2 + 4, 1 << 19),
    ):
        m.opt.enableflags, m.opt.disableflags = enable, disable
        out.append((m.opt.enableflags, m.opt.disableflags))
    m.opt.enableflags = m.opt.disableflags = 0
    d = mujoco.MjData(m)
    d.qvel[:] = np.nan
    mujoco.mj_step(m, d)
    out.append([w.number for w in d.warning])
    scene = mujoco.MjvScene(m, 10)
    scene.flags[mujoco.mjtRndFlag.mjRND_SEGMENT] = 1
    out.append(scene.flags.tolist())
    return out


def errors(m, d):
    """What is raised by wrong arguments."""
    one, two = np.zeros(1), np.zeros(2)
    out = []
    for call in (
        lambda: mujoco.mj_readCtrl(m, d, -1, 0, one, 0),
        lambda: mujoco.mj_readCtrl(m, d, m.nactuator, 0, one, 0),
        lambda: mujoco.mj_readCtrl(m, d, 0, 0, two, 0),
        lambda: mujoco.mj_readSensor(m, d, 99, 0, one, 0),
        lambda: mujoco.mj_initCtrlHistory(m, d, -1, None, np.zeros((3, 1))),
        lambda: mujoco.mj_initSensorHistory(m, d, 99, None, np.zeros((4, 1)), 0),
        lambda: mujoco.mj_initSensorHistory(m, d, 0, None, np.zeros((2, 1)), 0),
        lambda: mujoco.mj_stateSize(m, 1 << 15),
        lambda: mujoco.mj_getState(m, d, two, 1),
        lambda: mujoco.mj_setState(m, d, two, 1),
        lambda: mujoco.mj_extractState(m, one, 1, two, 1),
        lambda: mujoco.mj_extractState(m, two, 1, one, 1),
        lambda: mujoco.mj_fullM(m, d, np.zeros((2, 2))),
    ):
        try:
            call()
            out.append("")
        except Exception as error:
            kinds = (IndexError, TypeError, ValueError, mujoco.FatalError)
            out.append([k.__name__ for k in kinds if isinstance(error, k)][:1])
    return out


def specs():
    """Kinds of actuators and flags, as a spec has them and as it compiles them."""
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body()
    body.add_joint(name="j")
    body.add_geom(size=[0.1, 0, 0])
    dyn, gain, bias = mujoco.mjtDyn, mujoco.mjtGain, mujoco.mjtBias
    kinds = [
        (dyn.mjDYN_NONE, gain.mjGAIN_FIXED, bias.mjBIAS_NONE), (dyn.mjDYN_USER, gain.mjGAIN_USER, bias.mjBIAS_USER),
        (dyn.mjDYN_FILTER, gain.mjGAIN_AFFINE, bias.mjBIAS_AFFINE),
    ]  # fmt: skip
    out = []
    for dyntype, gaintype, biastype in kinds:
        made = spec.add_actuator(target="j", trntype=mujoco.mjtTrn.mjTRN_JOINT)
        made.dyntype, made.gaintype, made.biastype = dyntype, gaintype, biastype
        if dyntype == dyn.mjDYN_USER:
            made.actdim = 1
        out.append([int(made.dyntype), int(made.gaintype), int(made.biastype)])
    spec.option.enableflags = int(
        mujoco.mjtEnableBit.mjENBL_SLEEP | mujoco.mjtEnableBit.mjENBL_ENERGY
    )
    spec.option.disableflags = int(mujoco.mjtDisableBit.mjDSBL_MULTICCD)
    out.append((spec.option.enableflags, spec.option.disableflags))
    m = spec.compile()
    return [
        out,
        m.opt.enableflags,
        m.opt.disableflags,
        m.actuator_dyntype,
        m.actuator_gaintype,
        m.actuator_biastype,
    ]


def main(result, *models):
    m = mujoco.MjModel.from_xml_string(SCENE)
    d = mujoco.MjData(m)
    for k in range(10):
        d.ctrl[:] = 0.1 * k
        mujoco.mj_step(m, d)
    mujoco.mj_forward(m, d)
    out = {
        "names": names(),
        "fields": {path: fields(path) for path in models},
        "states": states(m, d),
        "rays": rays(m, d),
        "cameras": cameras(m, d),
        "scenes": scenes(),
        "functions": functions(m, d),
        "differences": differences(m, d),
        "flags": flags(),
        "specs": specs(),
        "errors": errors(m, d),
    }
    with open(result, "wb") as file:
        pickle.dump(out, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
