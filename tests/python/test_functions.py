"""Functions: their arguments are checked, and their results are what C computes."""

import inspect

import numpy as np
import pytest

import sinew
from sinew import _core

FUNCTIONS = [
    f
    for f in _core.tables()["functions"]
    if "(*)" not in f[1] and not f[0].endswith("History")  # test_delays.py has those of histories
]


def arguments(model, data, signature):
    """Zeros of the right shape for every parameter of a function."""
    sizes = {name: getattr(model, name) for name, _ in _core.tables()["sizes"]}
    sizes |= {"nefc": data.nefc, "n": 2, "state": 1}
    sizes |= {"nx": 2 * model.nv + model.na}
    sizes |= {"parameters": model.nbody}  # of wanted = 1, the first of the arrays, body_mass
    sizes |= {"nlooprow": data.nlooprow, "ny": sinew.loopMobility(model, data)}
    result = []
    for word in signature.partition(" -> ")[0].split():
        name, _, kind = word.partition(":")
        if not kind:
            result.append(model if name == "m" else data)
        elif kind[0] in "rw":
            shape = [sizes[s] if s in sizes else int(s) for s in kind.split("(")[1][:-1].split(",")]
            result.append(np.zeros(shape, {"i": np.int32, "b": np.uint8}.get(kind[1], np.float64)))
        else:
            texts = {"filename": "/dev/null", "float_format": "%g"}
            result.append(
                {"f": 0.1, "s": texts.get(name, "xyz")}.get(kind[0], 0 if name == "k" else 1)
            )
    return result


@pytest.mark.parametrize("name,signature", [f[:2] for f in FUNCTIONS])
def test_every_function(model, data, name, signature):
    """Right arguments work by place and by name; each wrong one is an error that names it."""
    function = getattr(_core, name)
    good = arguments(model, data, signature)
    parameters = list(inspect.signature(function).parameters)
    assert len(parameters) == len(good)
    function(*good)
    function(**dict(zip(parameters, good, strict=True)))
    sinew.forward(model, data)
    good = arguments(model, data, signature)
    with pytest.raises(TypeError, match="takes"):
        function(*good, None)
    with pytest.raises(TypeError, match="has no argument"):
        function(*good, nobody=1)
    with pytest.raises(TypeError, match="given twice"):
        function(*good, **{parameters[0]: good[0]})
    for k, parameter in enumerate(parameters):
        for wrong in (
            object(),
            *([np.zeros((7, 7, 7))] if isinstance(good[k], np.ndarray) else []),
        ):
            bad = [*good]
            bad[k] = wrong
            with pytest.raises((TypeError, ValueError)):
                function(*bad)
        if inspect.signature(function).parameters[parameter].default is inspect.Parameter.empty:
            with pytest.raises(TypeError, match=f"misses its argument {parameter}"):
                function(**{p: g for p, g in zip(parameters, good, strict=True) if p != parameter})


def test_outputs_must_be_writable_float64(model, data):
    out = np.zeros(model.nv)
    out.setflags(write=False)
    for bad in (out, np.zeros(model.nv, np.float32), np.zeros(2 * model.nv)[::2], [0.0] * model.nv):
        with pytest.raises(
            TypeError, match="res must be a writable, C-contiguous array of float64"
        ):
            _core.mulM(model, data, bad, np.zeros(model.nv))
    with pytest.raises(ValueError, match=r"jacp must have shape \(3,8\), not \(3,7\)"):
        _core.jacBody(model, data, np.zeros((3, 7)), None, 1)
    with pytest.raises(ValueError, match="y must have shape"):
        _core.solveM(model, data, np.zeros((2, model.nv)), np.zeros((3, model.nv)))


def test_inputs_may_be_anything_like_an_array(model, data):
    want = sinew.mulM(model, data, np.ones(model.nv))
    for vec in ([1] * model.nv, np.ones(model.nv, np.float32), np.ones(2 * model.nv)[::2]):
        assert np.array_equal(sinew.mulM(model, data, vec), want)


def test_indices_are_checked(model, data):
    for call in (
        lambda: sinew.jacBody(model, data, model.nbody),
        lambda: sinew.jacSite(model, data, -1),
        lambda: sinew.contactForce(model, data, data.ncon),
        lambda: sinew.objectVelocity(model, data, sinew.ObjType.GEOM, model.ngeom),
    ):
        with pytest.raises(IndexError):
            call()
    with pytest.raises(OverflowError):
        sinew.jacBody(model, data, 2**40)


def test_data_of_another_model(model, data):
    other = sinew.Model.from_xml("<mujoco/>")
    with pytest.raises(ValueError, match="belongs to another model"):
        sinew.step(other, data)
    same = model.__copy__()
    same.opt.timestep = 0.001
    before = data.time
    sinew.step(same, data)  # equal sizes: parameters may differ
    assert data.time == before + 0.001


def test_nstep(model):
    a, b = sinew.Data(model), sinew.Data(model)
    sinew.step(model, a, nstep=5)
    for _ in range(5):
        sinew.step(model, b)
    assert a.qpos.tobytes() == b.qpos.tobytes() and a.time == b.time == pytest.approx(0.02)


def test_results(model, data):
    nv = model.nv
    sinew.forward(model, data)
    M = sinew.fullM(model, data)
    np.testing.assert_allclose(M, M.T, atol=0)
    v = np.random.default_rng(0).standard_normal(nv)
    np.testing.assert_allclose(sinew.mulM(model, data, v), M @ v, rtol=1e-12)
    np.testing.assert_allclose(sinew.solveM(model, data, M @ v), v, rtol=1e-9)
    rows = np.random.default_rng(1).standard_normal((3, nv))
    half = sinew.solveM2(model, data, rows)
    np.testing.assert_allclose(half @ half.T, rows @ np.linalg.solve(M, rows.T), rtol=1e-9)
    np.testing.assert_allclose(sinew.rne(model, data), data.qfrc_bias, rtol=1e-9, atol=1e-12)
    full = sinew.rne(model, data, flg_acc=True)
    bodies = M - np.diag(model.dof_armature)  # the recursion knows bodies, not rotors
    np.testing.assert_allclose(full, bodies @ data.qacc + data.qfrc_bias, rtol=1e-9, atol=1e-9)
    assert sinew.getTotalmass(model) == pytest.approx(model.body_mass.sum())


def test_dynamics_alone(model, data):
    rng = np.random.default_rng(3)
    qpos, qvel, qacc = (
        data.qpos.copy(),
        rng.standard_normal(model.nv),
        rng.standard_normal(model.nv),
    )
    qpos = sinew.integratePos(model, data.qpos, qvel, 0.3)
    lender = sinew.Data(model)
    data.qpos[:], data.qvel[:] = qpos, qvel
    sinew.forward(model, data)
    xpos, xmat = sinew.bodyPoses(model, lender, qpos)
    np.testing.assert_allclose(xpos, data.xpos, atol=1e-13)
    np.testing.assert_allclose(xmat, data.xmat.reshape(-1, 9), atol=1e-13)
    M = sinew.massMatrix(model, lender, qpos)
    np.testing.assert_allclose(M, sinew.fullM(model, data), atol=1e-12)
    tau = sinew.inverseDynamics(model, lender, qpos, qvel, qacc)
    np.testing.assert_allclose(tau, M @ qacc + data.qfrc_bias, atol=1e-11)
    qM, qLD = np.empty(model.nM), np.empty(model.nLD)
    with pytest.raises(ValueError, match="both of qLD and qLDiagInv"):
        sinew._core.massMatrix(model, lender, qpos, qM, qLD, None)


def test_jacobians_give_velocities(model, data):
    data.qvel[:] = np.linspace(-1, 1, model.nv)
    sinew.forward(model, data)
    hand, arm = model.site("hand").id, model.body("forearm").id
    jacp, jacr = sinew.jacSite(model, data, hand)
    velocity = sinew.objectVelocity(model, data, sinew.ObjType.SITE, hand)
    np.testing.assert_allclose(np.r_[jacr @ data.qvel, jacp @ data.qvel], velocity, atol=1e-12)
    point = sinew.jac(model, data, data.site_xpos[hand], arm)
    np.testing.assert_allclose(point, (jacp, jacr), atol=1e-14)
    force, torque = [1, 2, 3], [0.1, 0.2, 0.3]
    applied = sinew.applyFT(model, data, force, torque, data.site_xpos[hand], arm)
    np.testing.assert_allclose(applied, jacp.T @ force + jacr.T @ torque, atol=1e-12)


def test_contact_forces_carry_the_crate(model):
    data = sinew.Data(model)
    sinew.step(model, data, nstep=500)
    sinew.forward(model, data)
    crate = np.flatnonzero((data.contact.geom == [0, 1]).all(axis=1))
    forces = [sinew.contactForce(model, data, i) for i in crate]
    weight = model.body("crate").mass[0] * 9.81
    assert sum(f[0] for f in forces) == pytest.approx(weight, rel=1e-3)
    np.testing.assert_allclose(
        sinew.mulJacTVec(model, data, data.efc_force), data.qfrc_constraint, atol=1e-10
    )


def test_positions(model, data):
    rng = np.random.default_rng(2)
    v = rng.standard_normal(model.nv)
    qpos = sinew.integratePos(model, data.qpos, v, 0.1)
    np.testing.assert_allclose(sinew.differentiatePos(model, 0.1, data.qpos, qpos), v, rtol=1e-9)
    qpos[3:7] *= 3
    assert np.linalg.norm(sinew.normalizeQuat(model, qpos)[3:7]) == pytest.approx(1)


def test_states(model, data):
    for bit in sinew.StateBit:
        size = sinew.stateSize(model, bit)
        assert sinew.getState(model, data, bit).shape == (size,)
    physics = sinew.StateBit.FULLPHYSICS
    state = sinew.getState(model, data, physics)
    assert state[0] == data.time and np.array_equal(state[1:10], data.qpos)
    sinew.resetData(model, data)
    sinew.setState(model, data, state, physics)
    assert np.array_equal(sinew.getState(model, data, physics), state)
    with pytest.raises(ValueError, match="state must have shape"):
        sinew.setState(model, data, state[:-1], physics)


def test_keyframes_and_names(model, data):
    sinew.resetDataKeyframe(model, data, model.key("up").id)
    assert data.time == 1.5 and data.qpos[8] == 0.7
    data.qpos[8] = 0.1
    sinew.setKeyframe(model, data, 0)
    assert model.key_qpos[0, 8] == 0.1
    with pytest.raises(ValueError, match="key"):
        sinew.setKeyframe(model, data, 5)
    assert sinew.name2id(model, sinew.ObjType.BODY, "forearm") == 3
    assert sinew.name2id(model, sinew.ObjType.BODY, "nobody") == -1
    assert sinew.id2name(model, sinew.ObjType.SITE, 0) == "lid"
    assert sinew.id2name(model, sinew.ObjType.SITE, 99) is None
    assert sinew.objectCount(model, sinew.ObjType.JOINT) == 3


def test_noise_is_repeatable():
    whole = sinew.noise(100, seed=3)
    assert np.array_equal(sinew.noise(40, seed=3, index=60), whole[60:])
    assert not np.array_equal(sinew.noise(100, seed=4), whole)
    assert abs(sinew.noise(10000).std() - 1) < 0.05


def test_rays_and_distances(model, data):
    crate, down = model.geom("crate").id, [0, 0, -2.0]
    above = data.geom_xpos[crate] + [0, 0, 1]
    dist, geom = sinew.ray(model, data, above, down)
    assert geom == crate
    assert 0 < dist < 0.5
    np.testing.assert_allclose(
        sinew.rayNormal(model, data, crate, above, down, dist), [0, 0, 1], atol=1e-12
    )
    assert not sinew.rayNormal(model, data, crate, above, down, -1).any()
    body = model.geom_bodyid[crate]
    behind, floor = sinew.ray(model, data, above, down, bodyexclude=body)
    assert behind > dist
    assert model.geom_type[floor] == sinew.GeomType.PLANE
    dists, geoms = sinew.multiRay(model, data, above, [down, [0, 0, 1]])
    assert (dists[0], geoms[0], dists[1], geoms[1]) == (dist, geom, -1, -1)
    assert sinew.ray(model, data, above, down, geomgroup=np.zeros(6, np.uint8)) == (-1, -1)
    assert sinew.rayMesh(model, data, crate, above, down) == -1
    assert sinew.rayHfield(model, data, crate, above, down) == -1
    gap, segment = sinew.geomDistance(model, data, floor, crate)
    assert gap == pytest.approx(segment[1, 2] - segment[0, 2], abs=1e-12)
    with pytest.raises(TypeError, match="geomid must be a writable, C-contiguous array of int32"):
        _core.ray(model, data, above, down, None, 1, -1, np.zeros(1))
