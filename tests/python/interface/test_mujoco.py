"""sinew.mujoco: programs written for the peer's API run unchanged, with the peer's results."""

import inspect
import re

import mujoco as peer
import numpy as np
import pytest

from sinew import mujoco as ours
from yard import XML

PROGRAM = """
import numpy as np

model = mujoco.MjModel.from_xml_string(XML)
data = mujoco.MjData(model)
mujoco.mj_resetDataKeyframe(model, data, 0)
arm = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, "forearm")
hand = model.site("hand").id
model.opt.timestep = 0.002
log = {"names": [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, j) for j in range(model.njnt)]}
for k in range(20):
    data.ctrl[:] = np.sin(k), data.joint("elbow").qpos[0]
    mujoco.mj_step(model, data)
mujoco.mj_forward(model, data)

jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
mujoco.mj_jac(model, data, jacp, jacr, data.site_xpos[hand], arm)
mujoco.mj_jacSite(model, data, jacp, None, hand)
M = np.zeros((model.nv, model.nv))
mujoco.mj_fullM(model, M, data.qM)
x = np.zeros((1, model.nv))
mujoco.mj_solveM(model, data, x, data.qfrc_smooth.reshape(1, -1))
velocity = np.zeros(6)
mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_SITE, hand, velocity, 1)
spec = mujoco.mjtState.mjSTATE_FULLPHYSICS
state = np.zeros(mujoco.mj_stateSize(model, spec))
mujoco.mj_getState(model, data, state, spec)
qpos, qvel = data.qpos.copy(), np.zeros(model.nv)
mujoco.mj_integratePos(model, qpos, data.qvel, 0.01)
mujoco.mj_differentiatePos(model, qvel, 0.01, data.qpos, qpos)
quat = np.zeros(4)
mujoco.mju_axisAngle2Quat(quat, [0, 0, 1], 0.3)
matrix, vector = np.zeros(9), np.zeros(3)
mujoco.mju_quat2Mat(matrix, quat)
mujoco.mju_rotVecQuat(vector, [1.0, 2, 3], quat)
mujoco.mju_mulQuat(quat, quat.copy(), [0.5, 0.5, 0.5, 0.5])
log.update(time=data.time, state=state, jacp=jacp, jacr=jacr, M=M, x=x, velocity=velocity, qvel=qvel)
log.update(quat=quat, matrix=matrix, vector=vector, sensordata=data.sensordata.copy())
log.update(xpos=data.xpos.copy(), type=int(model.joint("elbow").type[0]))

# then the crate on the floor
mujoco.mj_resetData(model, data)
mujoco.mj_forward(model, data)
force = np.zeros(6)
total = 0
for i in range(data.ncon):
    contact = data.contact[i]
    mujoco.mj_contactForce(model, data, i, force)
    total += force[0]
    assert {contact.geom1, contact.geom2} == {0, 1}
log.update(ncon=data.ncon, dist=sorted(data.contact.dist), total=total, qacc=data.qacc.copy())
J = data.efc_J.reshape(data.nefc, model.nv)
log.update(forces=J.T @ data.efc_force - data.qfrc_constraint, niter=data.solver_niter.sum() > 0)
"""


def run(mujoco):
    scope = {"mujoco": mujoco, "XML": XML}
    exec(PROGRAM, scope)
    return scope["log"]


def test_a_program_runs_unchanged():
    a, b = run(ours), run(peer)
    assert a.keys() == b.keys()
    for name, value in b.items():
        if name == "names":
            assert a[name] == value
        else:
            # 20 steps and a solver with tolerance 1e-8
            np.testing.assert_allclose(a[name], value, rtol=1e-6, atol=1e-8, err_msg=name)


def test_constants_agree():
    for name in ours.__all__:
        if re.match("mj[A-Z]", name):
            assert getattr(ours, name) == getattr(peer, name), name


def test_functions_have_the_peers_parameters():
    functions = [n for n in ours.__all__ if n.startswith(("mj_", "mju_"))]
    assert len(functions) > 60
    for name in functions:
        first = getattr(peer, name).__doc__.splitlines()[0]
        theirs = re.findall(r"[(,] ?(\w+):", first)
        assert list(inspect.signature(getattr(ours, name)).parameters) == theirs, name


def test_loading_fails_as_at_the_peer(tmp_path):
    for text in ("", "<mujoco><nobody/></mujoco>"):
        with pytest.raises(ValueError):
            ours.MjModel.from_xml_string(text)
    with pytest.raises(ValueError):
        ours.MjModel.from_xml_path(str(tmp_path / "nowhere.xml"))
    model = ours.MjModel.from_xml_path("yard.xml", {"yard.xml": XML.encode()})
    assert model.nq == 9
    path = tmp_path / "yard.xml"
    path.write_text(XML)
    assert ours.MjModel.from_xml_path(str(path), {"other": b""}).nq == 9


def test_only_what_is_right():
    model = ours.MjModel.from_xml_string(XML)
    data = ours.MjData(model)
    ours.mj_forward(model, data)
    with pytest.raises(ours.FatalError, match="order 3"):
        ours.mj_RungeKutta(model, data, 3)
    ours.mj_RungeKutta(model, data, 4)
    y = np.eye(model.nv)
    x, root = np.zeros_like(y), np.sqrt(data.qLDiagInv)
    ours.mj_solveM2(model, data, x, y, root)
    double = np.zeros_like(x)
    ours.mj_solveM2(model, data, double, y, 2 * root)
    np.testing.assert_allclose(double, 2 * x, rtol=1e-14)


def test_inverse_dynamics():
    """mj_inverse, the discrete one too, and the flag fwdinv under the peer's names."""
    xml = """
    <mujoco><option integrator="implicitfast"><flag fwdinv="enable" invdiscrete="enable"/></option>
    <worldbody><body><joint damping="2" range="-1 1" limited="true"/><geom size=".1" pos=".3 0 0"/>
    </body></worldbody></mujoco>"""
    model = ours.MjModel.from_xml_string(xml)
    data = ours.MjData(model)
    data.qpos[:], data.qvel[:], data.qfrc_applied[:] = 1.1, 0.5, 3
    qpos, qvel = data.qpos.copy(), data.qvel.copy()
    ours.mj_step(model, data)
    assert data.solver_fwdinv.shape == (2,) and np.all(data.solver_fwdinv < 1e-10)
    data.qacc[:] = (data.qvel - qvel) / model.opt.timestep
    data.qpos[:], data.qvel[:] = qpos, qvel
    ours.mj_inverse(model, data)
    np.testing.assert_allclose(data.qfrc_inverse, 3, rtol=1e-9)
    jacp, jacr, momentum = (np.ones((3, model.nv)) for _ in range(3))
    ours.mj_jacDot(model, data, jacp, jacr, data.xipos[1], 1)
    ours.mj_angmomMat(model, data, momentum, 1)
    root = np.zeros(model.nv)
    ours.mj_mulM2(model, data, root, data.qvel)
    assert np.all(jacr == 0) and momentum[2, 0] > 0
    np.testing.assert_allclose(root @ root, data.qvel @ data.qM * data.qvel, rtol=1e-12)


def test_tendons_by_name():
    text = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><tendon>
    <fixed name="t" range="-1 2" armature=".5"><joint joint="j" coef="3"/></fixed></tendon></mujoco>"""
    assert ours.MjModel.from_xml_string(text).tendon("t").range.tolist() == [-1, 2]
    results = []
    for module in (ours, peer):
        m = module.MjModel.from_xml_string(text)
        d = module.MjData(m)
        d.qpos[0], d.qvel[0] = 0.5, 2
        module.mj_forward(m, d)
        module.mj_makeM(m, d)
        tendon = d.tendon("t")
        numbers = (
            *m.tendon_range[m.tendon("t").id],
            *tendon.length,
            *tendon.velocity,
            *tendon.J,
            *d.qM,
        )
        results.append(np.array(numbers, float).ravel())
    np.testing.assert_allclose(results[0], results[1], rtol=1e-14)
