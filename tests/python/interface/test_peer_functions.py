"""Functions of the peer's API, called with the same random arguments there and here."""

import inspect
import re

import mujoco as peer
import numpy as np
import pytest

import sinew
from sinew import mujoco as ours

ARM = """
<mujoco>
  <compiler><lengthrange mode="none"/></compiler>
  <worldbody>
    <geom type="plane" size="5 5 1"/><camera name="w" pos="0 0 1"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .11"/><geom size=".11" pos=".1 0 .02"/></body>
    <body name="a" pos="0 0 1" euler="10 20 30">
      <joint type="ball" armature=".1"/><geom name="ga" type="box" size=".1 .2 .3" pos=".1 0 0" euler="10 20 0"/>
      <body name="b" pos=".3 0 0"><joint axis="1 2 0" range="-30 40"/><geom size=".1" pos=".1 .1 0"/>
        <site name="s" pos=".1 0 .1" euler="0 30 0"/><camera pos="0 .1 0"/>
        <body name="c" pos=".2 .1 0"><joint name="j" type="slide" axis="0 1 1" range="-.1 .3"/><geom size=".1" pos="0 .1 0"/></body>
      </body>
      <body pos="0 .4 0"><joint axis="0 0 1"/><geom size=".05" pos=".1 0 0"/></body>
    </body>
    <body><joint axis="0 1 0" range="-20 30" name="k"/><geom size=".1" pos=".3 0 2"/></body>
  </worldbody>
  <tendon><fixed name="t" range="-.2 .5"><joint joint="j" coef="1"/><joint joint="k" coef="2"/></fixed>
    <fixed name="free"><joint joint="k" coef="2"/></fixed></tendon>
  <actuator><motor tendon="t"/><motor joint="k" gear="3"/><motor tendon="free"/></actuator>
</mujoco>
"""  # fmt: skip

# Functions of numbers: sizes of the arrays by parameter; a name with ! is written.
NUMBERS = {
    "muscleGain": "len vel lengthrange:2 acc0 prm:9",
    "muscleBias": "len lengthrange:2 acc0 prm:9",
    "muscleDynamics": "ctrl act prm:3",
    "rotVecQuat": "res!:3 vec:3 quat:q", "negQuat": "res!:4 quat:4", "mulQuat": "res!:4 quat1:4 quat2:4",
    "mulQuatAxis": "res!:4 quat:4 axis:3", "axisAngle2Quat": "res!:4 axis:3 angle",
    "quat2Vel": "res!:3 quat:q dt", "subQuat": "res!:3 qa:q qb:q", "quat2Mat": "res!:9 quat:q",
    "mat2Quat": "quat!:4 mat:r", "derivQuat": "res!:4 quat:4 vel:3", "quatIntegrate": "quat!:q vel:3 scale",
    "quatZ2Vec": "quat!:4 vec:3", "mulPose": "posres!:3 quatres!:4 pos1:3 quat1:q pos2:3 quat2:q",
    "negPose": "posres!:3 quatres!:4 pos:3 quat:q", "trnVecPose": "res!:3 pos:3 quat:q vec:3",
    "mat2Rot": "quat!:q mat:n",
    "zero": "res!:5", "fill": "res!:5 val", "copy": "res!:5 vec:5", "scl": "res!:5 vec:5 scl",
    "add": "res!:5 vec1:5 vec2:5", "sub": "res!:5 vec1:5 vec2:5", "addTo": "res!:5 vec:5", "subFrom": "res!:5 vec:5",
    "addToScl": "res!:5 vec:5 scl", "addScl": "res!:5 vec1:5 vec2:5 scl", "norm": "res:5", "normalize": "res!:5",
    "dot": "vec1:5 vec2:5", "sum": "vec:5", "L1": "vec:5", "dist3": "pos1:3 pos2:3", "cross": "res!:3 a:3 b:3",
    "unit4": "res!:4", "mulMatVec3": "res!:3 mat:9 vec:3", "mulMatTVec3": "res!:3 mat:9 vec:3",
    "mulMatVec": "res!:2 mat:2,4 vec:4", "mulMatTVec": "res!:4 mat:2,4 vec:2", "mulVecMatVec": "vec1:3 mat:3,3 vec2:3",
    "transpose": "res!:4,2 mat:2,4", "symmetrize": "res!:3,3 mat:3,3", "eye": "mat!:3,3",
    "mulMatMat": "res!:2,4 mat1:2,3 mat2:3,4", "mulMatMatT": "res!:2,4 mat1:2,3 mat2:4,3",
    "mulMatTMat": "res!:2,4 mat1:3,2 mat2:3,4", "sqrMatTD": "res!:3,3 mat:2,3 diag:2", "min": "a b", "max": "a b",
    "sign": "x", "round": "x", "isBad": "x", "isZero": "vec:3", "zero3": "res!:3", "copy3": "res!:3 data:3",
    "scl3": "res!:3 vec:3 scl", "add3": "res!:3 vec1:3 vec2:3", "sub3": "res!:3 vec1:3 vec2:3",
    "addTo3": "res!:3 vec:3", "subFrom3": "res!:3 vec:3", "addToScl3": "res!:3 vec:3 scl",
    "addScl3": "res!:3 vec1:3 vec2:3 scl", "norm3": "vec:3", "normalize3": "vec!:3", "normalize4": "vec!:4",
    "dot3": "vec1:3 vec2:3", "zero4": "res!:4", "copy4": "res!:4 data:4",
}  # fmt: skip


def quaternion(rng):
    q = rng.normal(size=4)
    return q / np.linalg.norm(q)


def value(rng, size):
    """A random argument: a number, an array, a unit quaternion (q), a rotation matrix (r), or one nearly (n)."""
    if not size:
        return float(rng.normal())
    if size == "q":
        return quaternion(rng)
    if size == "r":
        mat = np.zeros(9)
        peer.mju_quat2Mat(mat, quaternion(rng))
        return mat
    if size == "n":  # near a rotation: what is far from one may have several answers
        return value(rng, "r") + 0.1 * rng.normal(size=9)
    return rng.normal(size=[int(n) for n in size.split(",")])


@pytest.mark.parametrize("name", NUMBERS)
def test_of_numbers(name):
    rng = np.random.default_rng(5)
    words = [w.partition(":")[::2] for w in NUMBERS[name].split()]
    for _ in range(50):
        mine = [value(rng, size) for _, size in words]
        theirs = [np.array(a) if isinstance(a, np.ndarray) else a for a in mine]
        results = getattr(ours, "mju_" + name)(*mine), getattr(peer, "mju_" + name)(*theirs)
        # where the iteration of mat2Rot may stop, with either sign of the quaternion
        tolerance = 1e-7 if name == "mat2Rot" else 1e-13
        if name == "mat2Rot":
            mine[0] *= np.sign(mine[0] @ theirs[0])
        else:
            assert (results[0] is None) == (results[1] is None)
            np.testing.assert_allclose(*[[r or 0] for r in results], rtol=1e-13, atol=1e-13)
        for (word, _), a, b in zip(words, mine, theirs, strict=True):
            np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance, err_msg=word)


def test_every_function_of_numbers_is_tested():
    here = {n.removeprefix("mju_") for n in ours.__all__ if n.startswith("mju_")}
    elsewhere = {
        row[0].removeprefix("mju_") for row in sinew._core.tables()["arithmetic"]
    }  # test_arithmetic.py
    assert here - set(NUMBERS) - elsewhere == {"euler2Quat", "transformSpatial"}


def test_special_rotations():
    rng = np.random.default_rng(6)
    out = [np.zeros(4), np.zeros(4)]
    for seq in ("xyz", "XYZ", "zYx", "xyx", "ZXz"):
        angles = rng.normal(size=3)
        ours.mju_euler2Quat(out[0], angles, seq)
        peer.mju_euler2Quat(out[1], angles, seq)
        np.testing.assert_allclose(*out, atol=1e-15)
    for seq in ("xy", "xyzx", "abc", ""):
        with pytest.raises(ours.FatalError, match="euler2Quat"):
            ours.mju_euler2Quat(out[0], angles, seq)
    for vec in ([0, 0, 0], [0, 0, 2], [0, 0, -3], [1e-9, 0, 1], [3, 0, 0]):
        ours.mju_quatZ2Vec(out[0], np.array(vec, float))
        peer.mju_quatZ2Vec(out[1], np.array(vec, float))
        np.testing.assert_allclose(*out, atol=1e-15)
    rates = [np.zeros(3), np.zeros(3)]
    for quat in ([1, 0, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 0], [-0.5, 0.1, 0, 0]):
        ours.mju_quat2Vel(rates[0], np.array(quat, float), 0.5)
        peer.mju_quat2Vel(rates[1], np.array(quat, float), 0.5)
        np.testing.assert_allclose(*rates, atol=1e-15)
    assert [ours.mju_clip(x, -1, 2) for x in (-3, 0.5, 7)] == [-1, 0.5, 2]


def test_transform_spatial():
    rng = np.random.default_rng(7)
    out = [np.zeros(6), np.zeros(6)]
    for flag in (0, 1):
        for rot in (None, value(rng, "r")):
            args = rng.normal(size=6), flag, rng.normal(size=3), rng.normal(size=3), rot
            ours.mju_transformSpatial(out[0], *args)
            # the peer's binding has no None
            peer.mju_transformSpatial(out[1], *args[:4], np.eye(3).ravel() if rot is None else rot)
            np.testing.assert_allclose(*out, atol=1e-14)


@pytest.fixture
def pair():
    """The same model and state in both, moving and in contact."""
    models = [api.MjModel.from_xml_string(ARM) for api in (ours, peer)]
    datas = [api.MjData(m) for api, m in zip((ours, peer), models, strict=True)]
    rng = np.random.default_rng(8)
    qpos = models[1].qpos0.copy()
    peer.mj_integratePos(models[1], qpos, np.r_[np.zeros(6), rng.normal(size=models[1].nv - 6)], 1)
    for m, d, api in zip(models, datas, (ours, peer), strict=True):
        d.qpos[:] = qpos
        d.qvel[:] = np.sin(np.arange(m.nv))
        d.qfrc_applied[:] = np.cos(np.arange(m.nv))
        api.mj_forward(m, d)
        api.mj_rnePostConstraint(m, d)
        api.mj_subtreeVel(m, d)
    return models, datas


def both(pair, name, *args, out=(), data=True):
    """Calls a function in both; arrays of the shapes `out` are written at the places where args has ...."""
    results = []
    for api, m, d in zip((ours, peer), *pair, strict=True):
        arrays = [np.full(shape, 0.5) for shape in out]
        rest = iter(arrays)
        given = [next(rest) if a is ... else a for a in args]
        value = getattr(api, name)(m, *([d] if data else []), *given)
        results.append(np.concatenate([*(a.ravel() for a in arrays), [value or 0]]))
    return results


def same(pair, name, *args, tolerance=1e-11, **kwargs):
    mine, theirs = both(pair, name, *args, **kwargs)
    scale = 1 + np.abs(theirs).max()
    assert np.abs(mine - theirs).max() < tolerance * scale, name
    assert np.abs(theirs - 0.5).max() > 1e-3  # it has written something


def test_jacobians(pair):
    m = pair[0][1]
    jac, point = (3, m.nv), np.array([0.1, 0.2, 0.3])
    for body in range(m.nbody):
        same(pair, "mj_jac", ..., ..., point, body, out=[jac, jac])
        same(pair, "mj_jac", None, ..., point, body, out=[jac])
        same(pair, "mj_jacBody", ..., ..., body, out=[jac, jac])
        same(pair, "mj_jacBodyCom", ..., ..., body, out=[jac, jac])
        same(pair, "mj_jacSubtreeCom", ..., body, out=[jac])
        same(pair, "mj_jacPointAxis", ..., ..., point, point, body, out=[jac, jac])
        same(pair, "mj_jacDot", ..., ..., point, body, out=[jac, jac])
        same(pair, "mj_angmomMat", ..., body, out=[jac])
        same(pair, "mj_applyFT", point, -point, point, body, ..., out=[m.nv])
    for geom in range(m.ngeom):
        same(pair, "mj_jacGeom", ..., ..., geom, out=[jac, jac])
    same(pair, "mj_jacSite", ..., ..., 0, out=[jac, jac])


def test_objects(pair):
    m = pair[0][1]
    kinds = {"BODY": m.nbody, "XBODY": m.nbody, "GEOM": m.ngeom, "SITE": m.nsite, "CAMERA": m.ncam}
    for kind, count in kinds.items():
        for i in range(count):
            for local in (0, 1):
                objtype = int(getattr(peer.mjtObj, "mjOBJ_" + kind))
                same(pair, "mj_objectVelocity", objtype, i, ..., local, out=[6])
                # a solver's accelerations
                same(pair, "mj_objectAcceleration", objtype, i, ..., local, out=[6], tolerance=1e-6)
    for i in range(pair[1][1].ncon):
        same(pair, "mj_contactForce", i, ..., out=[6], tolerance=1e-6)


def test_positions(pair):
    m, d = pair[0][1], pair[1][1]
    other = d.qpos.copy()
    peer.mj_integratePos(m, other, d.qvel, 0.3)
    same(pair, "mj_differentiatePos", ..., 0.3, d.qpos, other, out=[m.nv], data=False)
    results = []
    for api, model in zip((ours, peer), pair[0], strict=True):
        qpos = 2 * d.qpos
        api.mj_normalizeQuat(model, qpos)
        api.mj_integratePos(model, qpos, d.qvel, 0.7)
        results.append(qpos)
    np.testing.assert_allclose(*results, rtol=1e-14, atol=1e-14)
    for sameframe in range(5):
        results = []
        for api, data in zip((ours, peer), pair[1], strict=True):
            pos, mat = np.ones(3), np.ones(9)
            api.mj_local2Global(
                data, pos, mat, np.array([0.1, 0.2, 0.3]), np.array([0.8, 0, 0.6, 0]), 3, sameframe
            )
            results.append(np.r_[pos, mat])
        np.testing.assert_allclose(*results, atol=1e-14)
    pos, mat = sinew.local2Global(pair[0][0], pair[1][0], [0.1, 0.2, 0.3], [1, 0, 0, 0], 2)
    np.testing.assert_allclose(mat, pair[1][0].xmat[2].reshape(3, 3), atol=1e-15)


def test_inertia(pair):
    m, d = pair[0][1], pair[1][1]
    vec = np.sin(np.arange(m.nv)) + 0.1
    same(pair, "mj_mulM", ..., vec, out=[m.nv])
    same(pair, "mj_mulM2", ..., vec, out=[m.nv])
    same(pair, "mj_solveM", ..., vec.reshape(1, -1), out=[(1, m.nv)])
    # sparse, in the rows of M
    results = []
    for api, model, data in zip((ours, peer), *pair, strict=True):
        dst = np.arange(m.nC, dtype=float)
        args = [np.array(getattr(m, "M_" + f), np.int32) for f in ("rownnz", "rowadr", "colind")]
        api.mj_addM(model, data, dst, *args)
        results.append(dst)
    np.testing.assert_allclose(*results, atol=1e-12)
    # in wider rows, and dense
    M = sinew.fullM(*(side[0] for side in pair))
    dense = np.ones((m.nv, m.nv))
    sinew.addM(pair[0][0], pair[1][0], dense)
    np.testing.assert_allclose(dense - 1, np.tril(M), atol=1e-14)
    dst = np.zeros(m.nD)
    args = [np.array(getattr(m, "D_" + f), np.int32) for f in ("rownnz", "rowadr", "colind")]
    ours.mj_addM(pair[0][0], pair[1][0], dst, *args)
    wide = np.zeros((m.nv, m.nv))
    for i in range(m.nv):
        row = slice(args[1][i], args[1][i] + args[0][i])
        wide[i, args[2][row]] = dst[row]
    np.testing.assert_allclose(wide, np.tril(M), atol=1e-14)
    with pytest.raises(ValueError, match="must have shape"):
        ours.mj_addM(pair[0][0], pair[1][0], np.zeros(3), *args)
    assert d.ncon > 0


def test_total_mass():
    models = [api.MjModel.from_xml_string(ARM) for api in (ours, peer)]
    for api, m in zip((ours, peer), models, strict=True):
        api.mj_setTotalmass(m, 7)
        assert abs(api.mj_getTotalmass(m) - 7) < 1e-12
    np.testing.assert_allclose(models[0].body_mass, models[1].body_mass, rtol=1e-14)
    np.testing.assert_allclose(models[0].body_inertia, models[1].body_inertia, rtol=1e-14)


def test_length_range():
    """Limits of a tendon for the first actuator (the peer mixes up the others), by simulation for the last."""
    ranges = []
    for api in (ours, peer):
        m = api.MjModel.from_xml_string(ARM)
        d = api.MjData(m)
        opt = api.MjLROpt()
        assert opt.inttotal == 0 and opt.mode == 0
        opt.mode, opt.uselimit, opt.accel, opt.timeconst = 3, 1, 20, 1
        opt.timestep, opt.inttotal, opt.interval, opt.tolrange = 0.01, 10, 2, 0.05
        if api is peer:  # its compiler sets these, its function leaves them to the caller
            off = "FRICTIONLOSS CONTACT SPRING DAMPER GRAVITY ACTUATION"
            m.opt.disableflags = sum(
                getattr(peer.mjtDisableBit, "mjDSBL_" + f) for f in off.split()
            )
            m.opt.timestep = opt.timestep
        api.mj_setLengthRange(m, d, 0, opt)
        api.mj_setLengthRange(m, d, 2, opt)
        ranges.append(m.actuator_lengthrange[[0, 2]])
    assert ranges[0][0].tolist() == [-0.2, 0.5]
    np.testing.assert_allclose(*ranges, atol=1e-9)
    m = sinew.Model.from_xml(ARM)
    sinew.setLengthRange(m, sinew.Data(m), 1, uselimit=True)
    np.testing.assert_allclose(m.actuator_lengthrange[1], np.radians([-20, 30]))
    with pytest.raises(sinew.ModelError, match="settle"):
        sinew.setLengthRange(m, sinew.Data(m), 2, inttotal=0.1, interval=0.05)
    with pytest.raises(ValueError, match="bad number"):
        sinew.setLengthRange(m, sinew.Data(m), 2, accel=float("nan"))


def test_our_shapes():
    """The package's own variants return what the peer's write."""
    rng = np.random.default_rng(9)
    q, p, v = quaternion(rng), quaternion(rng), rng.normal(size=3)
    R = sinew.quat2Mat(q)
    np.testing.assert_allclose(sinew.rotVecQuat(v, q), R @ v)
    np.testing.assert_allclose(sinew.quat2Mat(sinew.mulQuat(q, p)), R @ sinew.quat2Mat(p))
    np.testing.assert_allclose(abs(sinew.mat2Quat(R) @ q), 1)
    np.testing.assert_allclose(abs(sinew.mat2Rot(2 * R) @ q), 1)
    np.testing.assert_allclose(abs(sinew.integrateQuat(q, sinew.subQuat(p, q), 1) @ p), 1)
    np.testing.assert_allclose(sinew.mulQuat(q, sinew.negQuat(q)), [1, 0, 0, 0], atol=1e-15)
    np.testing.assert_allclose(sinew.rotVecQuat([0, 0, np.linalg.norm(v)], sinew.quatZ2Vec(v)), v)
    half = sinew.axisAngle2Quat([1, 0, 0], 0.5)
    np.testing.assert_allclose(sinew.quat2Vel(half, 0.1), [5, 0, 0])
    np.testing.assert_allclose(sinew.euler2Quat([0.5, 0, 0], "xyz"), half)
    np.testing.assert_allclose(sinew.derivQuat(q, v), 0.5 * sinew.mulQuat([0, *v], q))
    pos, quat = sinew.mulPose(*sinew.negPose(v, q), v, q)
    np.testing.assert_allclose(np.r_[pos, quat], [0, 0, 0, 1, 0, 0, 0], atol=1e-15)
    np.testing.assert_allclose(sinew.trnVecPose(v, q, v), v + R @ v)
    np.testing.assert_allclose(
        sinew.transformSpatial(np.r_[v, v], True, [1, 0, 0], [0, 0, 0])[3:], v
    )
    # a numerical derivative: q(t) turns with v
    dt = 1e-6
    rate = (sinew.integrateQuat(q, v, dt) - sinew.integrateQuat(q, v, -dt)) / (2 * dt)
    np.testing.assert_allclose(rate, sinew.derivQuat(q, R @ v), atol=1e-9)


def test_every_parameter_is_documented():
    for name in ("mj_addM", "mj_local2Global", "mj_setLengthRange", "mju_mulPose"):
        theirs = re.findall(r"[(,] ?(\w+):", getattr(peer, name).__doc__.splitlines()[0])
        assert list(inspect.signature(getattr(ours, name)).parameters) == theirs
