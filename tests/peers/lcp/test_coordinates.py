"""Rigid contact in the three kinds of coordinates, against each other and against dense algebra in NumPy.

The models are other people's. They run with soft contact until they touch something, and what one step of
rigid contact does from there must not depend on the coordinates that it is solved in.
"""

import mujoco
import numpy as np
import pytest

import models
import sinew

pytestmark = pytest.mark.filterwarnings(
    "ignore::sinew.ModelWarning", "ignore::sinew.SimulationWarning"
)

MIXED, TREE, MAXIMAL = range(3)
CONE = {"pyramidal": 0, "elliptic": 1}


def touching(m, seed, seconds=1.0):
    """A state in contact: (qpos, qvel, act, ctrl)."""
    rng = np.random.default_rng(seed)
    d = sinew.Data(m)
    d.qvel = rng.normal(0, 0.3, m.nv)
    for k in range(int(round(seconds / m.opt.timestep))):
        if k % 20 == 0:
            d.ctrl = rng.uniform(-0.3, 0.3, m.nu)
        sinew.step(m, d)
    return d.qpos.copy(), d.qvel.copy(), d.act.copy(), d.ctrl.copy()


def rigid(m, state, coordinates, sweeps=20000):
    """One solution of the rigid problem at a state, to the end."""
    m.opt.contact = 1
    m.opt.lcp_coordinates = coordinates
    m.opt.lcp_sweeps = sweeps
    m.opt.lcp_tolerance = 1e-13
    d = sinew.Data(m)
    d.qpos, d.qvel, d.act, d.ctrl = state
    sinew.forward(m, d)
    assert d.solver_residual < 1e-11, f"{d.solver_niter} sweeps left {d.solver_residual}"
    return d


def problem(m, d):
    """(M, J, A, b, a) of a step: w = A lambda + b, a without rows."""
    h, opt = m.opt.timestep, m.opt
    M = sinew.fullM(m, d)
    flags = sinew.DisableBit.EULERDAMP | sinew.DisableBit.DAMPER
    if not opt.disableflags & int(flags):
        M = M + h * np.diag(m.dof_damping)
    J = d.efc_J.copy()
    a = np.linalg.solve(M, d.qfrc_smooth)
    b = J @ (d.qvel + h * a)
    for r in range(d.nefc):
        kind, phi = sinew.ConstraintType(d.efc_type[r]).name, d.efc_pos[r]
        if kind == "EQUALITY":
            b[r] += np.clip(opt.lcp_erp * phi / h, -opt.lcp_push, opt.lcp_push)
        elif kind.startswith("LIMIT"):
            b[r] += gap(opt, phi)
    for con in d.contact:
        if con.efc_address >= 0:
            b[con.efc_address] += gap(opt, con.dist)
    return M, J, J @ np.linalg.solve(M, J.T), b, a


def gap(opt, phi):
    """The velocity that a distance allows or a depth asks for."""
    if phi > 0:
        return phi / opt.timestep if phi > opt.lcp_slop / 1000 else 0
    return max(opt.lcp_erp * min(phi + opt.lcp_slop, 0) / opt.timestep, -opt.lcp_push)


def section(y, mu, n):
    """The point nearest to y with sum (t/mu)^2 <= n^2."""
    if np.sum((y / mu) ** 2) <= n * n:
        return y
    low, high = 0.0, 1e300
    if n <= 0:
        return np.zeros_like(y)
    s = 1.0
    for _ in range(200):
        t = y * mu**2 / (mu**2 + s)
        if np.sum((t / mu) ** 2) > n * n:
            low, s = s, (2 * s if high == 1e300 else 0.5 * (s + high))
        else:
            high, s = s, 0.5 * (low + s)
        if high - low < 1e-16 * high:
            break
    return y * mu**2 / (mu**2 + s)


def sweeps(m, d, A, b, most=30000):
    """lambda by projected Gauss-Seidel, row by row, friction by projection on its section or box."""
    h, x = m.opt.timestep, np.zeros(d.nefc)
    rows = []
    r = 0
    while r < d.nefc:
        kind = sinew.ConstraintType(d.efc_type[r]).name
        if kind == "CONTACT_ELLIPTIC":
            con = d.contact[d.efc_id[r]]
            rows.append((r, con.dim, np.array(con.friction[: con.dim - 1])))
            r += con.dim
            continue
        bound = h * d.efc_frictionloss[r] if kind.startswith("FRICTION") else np.inf
        rows.append((r, 1, (-bound if kind.startswith(("FRICTION", "EQ")) else 0, bound)))
        r += 1
    for _ in range(most):
        before = x.copy()
        for r, dim, what in rows:
            if dim == 1:
                if A[r, r] > 1e-15:
                    x[r] = np.clip(x[r] - (A[r] @ x + b[r]) / A[r, r], *what)
                continue
            x[r] = max(0, x[r] - (A[r] @ x + b[r]) / A[r, r])
            t = slice(r + 1, r + dim)
            step = 1 / np.abs(A[t, t]).sum(1).max()
            y = x[t] - step * (A[t] @ x + b[t])
            x[t] = (
                section(y, what, x[r])
                if m.opt.cone == CONE["elliptic"]
                else np.clip(y, -what * x[r], what * x[r])
            )
        if np.abs(x - before).max() <= 1e-15 * np.abs(x).max():
            break
    return x


def near(what, a, b, tolerance=1e-8):
    error = np.abs(a - b).max() / max(1, np.abs(b).max()) if b.size else 0
    assert error < tolerance, f"{what}: off by {error}"


def compare(m, state, limit=20000):
    """All three and NumPy's on one state; returns the data of the first."""
    data = [rigid(m, state, c, limit) for c in (MIXED, TREE, MAXIMAL)]
    first = data[0]
    assert first.nefc > 0
    M, J, A, b, a = problem(m, first)
    h = m.opt.timestep
    x = sweeps(m, first, A, b)
    force, w = J.T @ x / h, A @ x + b
    for d in data:
        assert d.warning[int(sinew.Warning.LCP)].number == 0
        near("J'lambda", d.qfrc_constraint, force)
        near("w", A @ (h * d.efc_force) + b, w)
        near("qacc", d.qacc, a + np.linalg.solve(M, force))
        near("w of qacc", J @ (d.qvel + h * d.qacc), J @ (d.qvel + h * a) + A @ x)
    for d in data[1:]:
        near("qacc", d.qacc, first.qacc)
        near("J'lambda", d.qfrc_constraint, first.qfrc_constraint)
    return first


ROBOTS = {
    "humanoid": models.folder("dm_control", "suite", "humanoid.xml"),
    "quadruped": models.folder("dm_control", "suite", "quadruped.xml"),
    "walker": models.folder("dm_control", "suite", "walker.xml"),
    "cheetah": models.folder("dm_control", "suite", "cheetah.xml"),
    "stacker": models.folder("dm_control", "suite", "stacker.xml"),
    "ant": models.folder("gymnasium", "envs", "mujoco", "assets", "ant.xml"),
    "standup": models.folder("gymnasium", "envs", "mujoco", "assets", "humanoidstandup.xml"),
    "hopper": models.folder("gymnasium", "envs", "mujoco", "assets", "hopper.xml"),
    "walker2d": models.folder("gymnasium", "envs", "mujoco", "assets", "walker2d_v5.xml"),
}


@pytest.mark.parametrize("cone", CONE)
@pytest.mark.parametrize("name", ROBOTS)
def test_robots(name, cone):
    m = sinew.Model.from_path(str(ROBOTS[name]))
    m.opt.integrator = 0
    m.opt.cone = CONE[cone]
    compare(m, touching(m, 1))


def boxes(count, size=0.1, at=(0, 0), lean=0.01):
    return "".join(
        f"<body pos='{at[0] + lean * k} {at[1]} {size * (2 * k + 1) * 0.999}'><freejoint/>"
        f"<geom type='box' size='{size} {size} {size}' condim='{(3, 4, 6)[k % 3]}' mass='{1 + k}'/></body>"
        for k in range(count)
    )


LUMP = """<body pos="0 .9 .2" euler="10 20 30"><freejoint/><inertial pos=".02 .03 -.01" mass="2"
    fullinertia=".02 .03 .04 .003 -.002 .004"/><geom type="ellipsoid" size=".1 .15 .2" condim="6"/></body>"""


def ball(x, y, z, mass=1):
    return f"<body pos='{x} {y} {z}'><freejoint/><geom size='.1' mass='{mass}'/></body>"


@pytest.mark.parametrize("cone", CONE)
def test_balls(cone):
    """Free bodies at their centre of mass, through L'DL and with coordinates of their own are the same."""
    pile = "".join(ball(x, y, 0.0995) for x, y in ((0, 0), (0.21, 0), (0.1, 0.18)))
    m = sinew.Model.from_xml(
        f"""<mujoco><option cone="{cone}" timestep=".005"/><worldbody><geom type="plane" size="5 5 .1"/>
        {pile}{ball(0.1, 0.06, 0.255, 3)}{ball(0.12, 0.05, 0.45)}{LUMP}</worldbody></mujoco>"""
    )
    assert compare(m, touching(m, 2, 0.02)).ncon >= 6


@pytest.mark.parametrize("method", ["JACOBI", "GS", "SOR", "BLOCKGS"])
def test_stacks(method):
    """More contacts than there are motions: lambda is not unique, but A and so each sweep is the same."""
    m = sinew.Model.from_xml(
        f"""<mujoco><option timestep=".005"/><worldbody><geom type="plane" size="5 5 .1" friction=".5"/>
        {boxes(3)}{boxes(2, 0.08, (0.5, 0))}{LUMP}</worldbody></mujoco>"""
    )
    state = touching(m, 2, 0.6)
    m.opt.contact, m.opt.lcp_sweeps, m.opt.lcp_tolerance = 1, 40, 0
    m.opt.lcp_method, m.opt.lcp_omega = (
        int(sinew.LcpMethod[method]),
        {"JACOBI": 0.1, "SOR": 1.3}.get(method, 1),
    )
    m.opt.lcp_accelerate = m.opt.lcp_fallback = 0
    data = []
    for m.opt.lcp_coordinates in (MIXED, TREE, MAXIMAL):
        d = sinew.Data(m)
        d.qpos, d.qvel, d.act, d.ctrl = state
        sinew.forward(m, d)
        data.append(d)
    assert data[0].ncon > 15 and data[0].solver_niter == 40
    for d in data[1:]:
        near("lambda", d.efc_force, data[0].efc_force, 1e-10)
        near("qacc", d.qacc, data[0].qacc, 1e-10)


def test_robot_on_boxes():
    """Trees and free bodies in one island."""
    spec = mujoco.MjSpec.from_file(str(ROBOTS["ant"]))
    for k in range(6):
        body = spec.worldbody.add_body(
            pos=[0.7 * np.cos(k * np.pi / 3), 0.7 * np.sin(k * np.pi / 3), 0.15]
        )
        body.add_freejoint()
        body.add_geom(
            type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.28, 0.28, 0.15], mass=2, conaffinity=1
        )
    spec.body("torso").pos = [0, 0, 1.2]
    spec.compile()
    m = sinew.Model.from_xml(spec.to_xml())
    m.opt.integrator = 0
    d = compare(m, touching(m, 3, 0.4))
    bodies = {m.geom_bodyid[g] for con in d.contact for g in con.geom}
    assert min(bodies - {0}) < m.nbody - 6 <= max(bodies)


CHAIN = """<mujoco><option gravity="0 0 0" timestep=".002"/><worldbody>
  <body><freejoint/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0"/>
    <body pos=".4 0 0"><joint type="ball"/><geom type="capsule" size=".05" fromto=".05 0 0 .4 0 0"/>
      <body pos=".4 0 0"><joint axis="0 1 0" armature=".1" range="-20 20"/>
        <geom type="capsule" size=".05" fromto=".05 0 0 .4 0 0"/></body></body></body>
  <body pos=".3 .05 .095"><freejoint/><geom type="box" size=".1 .1 .05" mass="3" friction="0"/></body>
  <body pos=".9 .0 .145"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>
  </worldbody></mujoco>"""


@pytest.mark.parametrize("coordinates", [MIXED, TREE, MAXIMAL])
def test_momentum(coordinates):
    """Impulses between bodies leave momentum and angular momentum as they are."""
    m = sinew.Model.from_xml(CHAIN)
    m.dof_armature[:] = 0  # a rotor's momentum is no part of the bodies'
    m.opt.contact, m.opt.lcp_coordinates = 1, coordinates
    m.opt.lcp_sweeps, m.opt.lcp_tolerance = 20000, 1e-13
    peer = mujoco.MjModel.from_xml_string(CHAIN)
    state = mujoco.MjData(peer)
    d = sinew.Data(m)
    d.qvel[-10] = d.qvel[-4] = -1
    sinew.forward(m, d)
    assert d.nefc > 0 and np.abs(d.qfrc_constraint).max() > 1

    def momentum(qvel):
        state.qpos[:], state.qvel[:] = d.qpos, qvel
        mujoco.mj_forward(peer, state)
        mujoco.mj_subtreeVel(peer, state)
        mass = peer.body_mass[1:]
        spin = state.subtree_angmom[0]
        mujoco.mj_comVel(peer, state)
        return np.append(state.subtree_linvel[0] * mass.sum(), spin)

    near(
        "momentum",
        momentum(d.qvel + m.opt.timestep * (d.qacc - d.qacc_smooth)),
        momentum(d.qvel),
        1e-10,
    )


@pytest.mark.parametrize("coordinates", [MIXED, TREE, MAXIMAL])
def test_bounces_keep_energy(coordinates):
    """Without friction, restitution 1 keeps the energy of a robot that hits a ball."""
    m = sinew.Model.from_xml(
        """<mujoco><option gravity="0 0 0" timestep="1e-3"/><worldbody>
        <body><freejoint/><geom type="capsule" size=".05" fromto="0 0 0 .4 0 0" condim="1"/>
          <body pos=".4 0 0"><joint axis="0 1 0" armature=".1"/>
            <geom type="capsule" size=".05" fromto=".05 0 0 .4 0 0" condim="1"/></body></body>
        <body pos=".7 0 .1499"><freejoint/><geom size=".1" condim="1"/></body></worldbody></mujoco>"""
    )
    m.opt.contact, m.opt.lcp_coordinates = 1, coordinates
    m.opt.lcp_restitution, m.opt.lcp_sweeps, m.opt.lcp_tolerance = 1, 20000, 1e-14
    d = sinew.Data(m)
    d.qvel[-4] = -2
    sinew.forward(m, d)
    assert d.nefc == 1
    M = sinew.fullM(m, d)
    after = d.qvel + m.opt.timestep * (d.qacc - d.qacc_smooth)
    assert np.abs(after - d.qvel).max() > 1
    near("energy", np.array([after @ M @ after]), np.array([d.qvel @ M @ d.qvel]), 1e-10)


GIMBAL = """<mujoco><worldbody><body pos="0 0 .5">{joints}<geom size=".1" pos=".2 0 0"/>
  <body pos=".4 0 0"><joint axis="0 1 0" limited="true" range="1 30"/><geom type="capsule" size=".05" fromto="0 0 0 .2 0 0"/>
  </body></body></worldbody></mujoco>"""


def test_what_has_no_such_coordinates():
    """Bodies without mass, and joints of one body that move alike, are solved in mixed coordinates, and say so."""
    alike = "<joint axis='0 1 0' {0}/><joint axis='0 0 1' {0}/><joint axis='0 2 0' {0}/>"
    for joints, refused in ((alike.format(""), 1), (alike.format("armature='.1'"), 0)):
        m = sinew.Model.from_xml(GIMBAL.format(joints=joints))
        m.opt.contact = 1
        d = [sinew.Data(m) for _ in range(2)]
        m.opt.lcp_sweeps, m.opt.lcp_tolerance = 5000, 1e-14
        for k, c in enumerate((MIXED, MAXIMAL)):
            m.opt.lcp_coordinates = c
            sinew.forward(m, d[k])
        assert d[0].warning[int(sinew.Warning.LCP)].number == 0
        assert d[1].warning[int(sinew.Warning.LCP)].number == refused
        near("qacc", d[1].qacc, d[0].qacc)
    m.body_mass[2] = 0
    m.opt.lcp_coordinates = MAXIMAL
    sinew.resetData(m, d[1])
    sinew.forward(m, d[1])
    assert d[1].warning[int(sinew.Warning.LCP)].number == 1


def test_steps_with_default_settings():
    """Few sweeps are enough from step to step: a robot that stands does so in its bodies' coordinates, too."""
    m = sinew.Model.from_path(str(ROBOTS["quadruped"]))
    m.opt.integrator = 0
    heights = []
    for c in (MIXED, MAXIMAL):
        m.opt.contact, m.opt.lcp_coordinates = 1, c
        d = sinew.Data(m)
        for _ in range(400):
            sinew.step(m, d)
        heights.append(d.qpos[2])
        assert np.abs(d.qvel).max() < 1
    assert abs(heights[1] - heights[0]) < 5e-3
