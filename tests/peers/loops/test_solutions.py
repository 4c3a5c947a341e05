"""The three solutions against each other, against maximal coordinates and against dense algebra.

Random mechanisms of several loops: in one cluster, in several, in several mechanisms, redundant, with a K that is
close to losing rank; then springs and dampers of loop joints, and a step of every integrator.
"""

import mujoco
import numpy as np
import pytest

import maximal
import opened
import sinew
from mechanisms import (
    ROWS,
    TYPES,
    K_of,
    Loop,
    close,
    mechanism,
    null_space,
    relative,
    rotation,
    xml,
)
from test_maximal import accelerations, check, consistent

SOLUTIONS = (1, 2, 3)


def random_tree(rng, n):
    """Parents and joints of n bodies in one or more trees, some of them floating."""
    parents = [0]
    for i in range(1, n):  # depth first, as bodies are numbered
        above = [i]
        while above[-1]:
            above.append(parents[above[-1] - 1])
        parents.append(above[min(int(rng.geometric(0.5)) - 1, len(above) - 1)])
    kinds = ["hinge", "slide", "ball", "ball"]
    joints = ["free" if p == 0 and rng.random() < 0.5 else str(rng.choice(kinds)) for p in parents]
    return parents, joints


def random_loops(rng, n, count):
    """Loops between bodies that are not the same, of few rows, so that something can still move."""
    loops = []
    while len(loops) < count:
        p, s = (int(b) for b in rng.integers(0, n + 1, 2))
        if p != s:
            loops.append((str(rng.choice(TYPES)), p, s))
    return loops


def random_mechanism(seed):
    """One with at least two degrees of freedom left."""
    rng = np.random.default_rng(seed)
    while True:
        n = int(rng.integers(6, 16))
        parents, joints = random_tree(rng, n)
        loops = random_loops(rng, n, int(rng.integers(1, 6)))
        try:
            mech = mechanism(parents, joints, loops, seed)
        except sinew.ModelError:  # sites on bodies that do not move against each other
            continue
        if null_space(maximal.loop_K(mech.peer, mech.qpos, mech.loops)).shape[1] >= 2:
            return mech


@pytest.mark.parametrize("seed", range(60))
def test_random_mechanisms(seed):
    """Each solution gives what maximal coordinates give."""
    check(random_mechanism(seed), seed, 5, SOLUTIONS)


@pytest.mark.parametrize("seed", range(60))
def test_forces_of_random_mechanisms(seed):
    """K' lambda is what is missing in M qacc, lambda the least of all that give it, and does no work."""
    mech = random_mechanism(seed)
    rng = np.random.default_rng([seed, 3])
    K = maximal.loop_K(mech.peer, mech.qpos, mech.loops)
    qvel, tau = consistent(K, rng, 5), rng.normal(size=mech.model.nv)
    peer = maximal.state(mech.peer, mech.qpos, qvel)
    peer.qfrc_applied = tau
    mujoco.mj_forward(mech.peer, peer)
    M = np.zeros((mech.peer.nv, mech.peer.nv))
    mujoco.mj_fullM(mech.peer, M, peer.qM)
    oracle = maximal.solve(mech.peer, mech.qpos, qvel, tau, mech.loops)
    wanted = M @ oracle.qacc - peer.qfrc_smooth
    for solution in SOLUTIONS:
        _, d = accelerations(mech, qvel, tau, solution)
        ours = K_of(mech.model, d)
        scale = max(np.abs(peer.qfrc_smooth).max(), np.abs(M @ oracle.qacc).max())
        assert relative(d.qfrc_constraint, wanted, scale) < 1e-9
        assert relative(ours.T @ d.loop_force, wanted, scale) < 1e-9
        least = np.linalg.pinv(ours.T, rcond=1e-10) @ wanted
        condition = np.linalg.cond(ours @ ours.T) if d.loop_rank == d.nlooprow else 1e4
        assert relative(d.loop_force, least, scale) < max(1e-9, 1e-15 * condition)
        assert abs(qvel @ d.qfrc_constraint) < 1e-9 * scale * np.linalg.norm(qvel)


def near_singular(seed, distance):
    """Two spherical loops of the same bodies, `distance` apart: five rows count, two of them by that much."""
    parents, joints = [0, 1, 2, 3, 0, 5, 6, 7], ["ball", "hinge", "ball", "slide"] * 2
    loops = [Loop("spherical", (4, 8)), Loop("spherical", (4, 8))]
    tree = mujoco.MjModel.from_xml_string(xml(parents, joints, seed))
    rng = np.random.default_rng([seed, 1])
    mech = mechanism(parents, joints, [loops[0]], seed)
    close(tree, mech.qpos, loops, rng)
    (p_pos, p_axes), (s_pos, s_axes) = loops[0].sites
    d = mujoco.MjData(tree)
    d.qpos = mech.qpos
    mujoco.mj_kinematics(tree, d)
    along = rotation(rng.normal(size=3), 1)[0] * distance  # in the world
    P, S = (d.xmat[b].reshape(3, 3) for b in (4, 8))
    loops[1].sites = [(p_pos + P.T @ along, p_axes), (s_pos + S.T @ along, s_axes)]
    text = xml(parents, joints, seed, loops)
    return type(mech)(
        text, loops, mujoco.MjModel.from_xml_string(text), opened.model(text, "3.3.7"), mech.qpos
    )


@pytest.mark.parametrize("distance", [1e-1, 1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("seed", range(4))
def test_close_to_losing_rank(seed, distance):
    mech = near_singular(seed, distance)
    mech.model.opt.loop_ranktol = 1e-9  # what motion through the pose wants is coarser
    rng = np.random.default_rng([seed, 2])
    K = maximal.loop_K(mech.peer, mech.qpos, mech.loops)
    s = np.linalg.svd(K, compute_uv=False)
    assert 0.1 / distance < s[0] / s[4] < 100 / distance
    qvel, tau = consistent(K, rng, 1), rng.normal(size=mech.model.nv)
    oracle = maximal.solve(mech.peer, mech.qpos, qvel, tau, mech.loops)
    results = [accelerations(mech, qvel, tau, solution) for solution in SOLUTIONS]
    for qacc, d in results:
        assert d.loop_rank == 5
        # what rounds in k is divided by the smallest singular value of K
        assert relative(qacc, oracle.qacc) < 1e-9 * max(1, s[0] / s[4] / 1e6)
        assert relative(qacc, results[0][0]) < 1e-9


FOUR_BAR = """
<mujoco><option gravity="0 0 -9.81" {option}/>
<custom>{text}</custom>
<worldbody><site name="ground" pos=".5 0 0" zaxis="0 1 0"/>
  <body name="crank"><joint name="crank" axis="0 1 0" damping="{damping}"/>
    <geom type="capsule" size=".02" fromto="0 0 0 0 0 .3"/>
    <body name="coupler" pos="0 0 .3"><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .55 0 0"/>
      <body name="rocker" pos=".55 0 0"><joint axis="0 1 0" damping="{damping}"/>
        <geom type="capsule" size=".02" fromto="0 0 0 -.05 0 -.3"/>
        <site name="tip" pos="-.05 0 -.3" zaxis="0 1 0"/></body></body></body>
</worldbody></mujoco>
"""


def planar(keys="", option="", damping=0.0, kind="revolute"):
    text = f'<text name="sinew_loop_shut" data="{kind} ground tip {keys}"/>'
    return opened.model(FOUR_BAR.format(text=text, option=option, damping=damping))


@pytest.mark.parametrize("kind", ["revolute", "spherical", "cylindrical"])
def test_redundant_planar_loops(kind):
    """A planar four-bar has one freedom however many rows its loop has too many."""
    m = planar(kind=kind)
    d = opened.data(m)
    sinew.forward(m, d)
    assert d.nlooprow == ROWS[kind]
    assert d.loop_rank == 2
    K, M = K_of(m, d), sinew.fullM(m, d)
    step = np.linalg.lstsq(
        K @ np.linalg.inv(M) @ K.T, d.loop_k - K @ np.linalg.solve(M, d.qfrc_smooth), rcond=1e-10
    )[0]
    qacc = np.linalg.solve(M, d.qfrc_smooth + K.T @ step)
    for solution in SOLUTIONS:
        m.opt.loop_solution = solution
        other = opened.data(m)
        sinew.forward(m, other)
        assert relative(other.qacc, qacc) < 1e-11
        assert relative(other.loop_force, np.linalg.pinv(K.T, 1e-10) @ (K.T @ step)) < 1e-9


# ---- springs and dampers of loop joints


def active(mech, loop, qpos, qvel, stiffness, damping, ref):
    """Wrenches [nbody x 6] of the loop's spring and damper, from the frames alone."""
    b = maximal.Bodies(mech.peer, maximal.state(mech.peer, qpos, qvel))
    P, S = (b.frame(body, *site) for body, site in zip(loop.bodies, loop.sites, strict=True))
    if loop.kind == "prismatic":
        x = maximal.dot(S.p - P.p, P.z)
    else:
        x = maximal.angle_of(maximal.dot(S.x, P.y), maximal.dot(S.x, P.x))
    size = -stiffness * (x.c[0] - ref) - damping * x.c[1]
    z, f = P.z.c[0], np.zeros((mech.peer.nbody, 6))
    for body, sign in ((loop.bodies[1], 1), (loop.bodies[0], -1)):
        if loop.kind == "prismatic":
            f[body] += sign * size * np.concatenate([z, np.cross(S.p.c[0] - b.com[body], z)])
        else:
            f[body][3:] += sign * size * z
    return f


@pytest.mark.parametrize("kind", ["revolute", "prismatic", "helical"])
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ends", [(4, 8), (0, 4), (8, 0)])
def test_springs_and_dampers_of_loop_joints(kind, seed, ends):
    stiffness, damping, ref = 300.0, 20.0, 0.3
    pitch = "pitch=0.07" if kind == "helical" else ""
    loop = Loop(kind, ends, f"{pitch} stiffness={stiffness} damping={damping} ref={ref}")
    parents, joints = [0, 1, 2, 3, 0, 5, 6, 7], ["ball", "hinge", "ball", "slide"] * 2
    mech = mechanism(parents, joints, [loop], seed)
    rng = np.random.default_rng([seed, 5])
    qvel = consistent(maximal.loop_K(mech.peer, mech.qpos, [loop]), rng, 10)
    tau = rng.normal(size=mech.model.nv)
    wrench = active(mech, loop, mech.qpos, qvel, stiffness, damping, ref)
    oracle = maximal.solve(mech.peer, mech.qpos, qvel, tau, [loop], wrench)
    for solution in SOLUTIONS:
        qacc, d = accelerations(mech, qvel, tau, solution)
        assert relative(qacc, oracle.qacc) < 1e-9
        free = maximal.solve(mech.peer, mech.qpos, qvel, tau, [loop])
        assert relative(qacc, free.qacc) > 1e-3  # they do something
    b = maximal.tree_jacobian(mech.peer, maximal.state(mech.peer, mech.qpos, qvel))
    assert relative(d.qfrc_passive, b.T @ wrench.ravel()) < 1e-10


# ---- one step of each integrator


def damped_mechanism(seed):
    """Several loops on trees with dampers, springs, a fluid: all that velocities do to forces."""
    parents = [0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10]
    joints = [
        "<freejoint/>",
        '<joint axis="1 2 0" damping=".7" armature=".01"/>',
        '<joint type="ball" damping=".3"/>',
        '<joint type="slide" axis="0 1 1" stiffness="30" damping="2"/>',
        '<joint type="ball"/>',
        '<joint axis="0 1 0" damping=".5" stiffness="3"/>',
        '<joint type="ball" damping=".1"/>',
        '<joint axis="0 0 1" damping="1"/>',
        '<joint type="ball" damping=".2"/>',
        '<joint type="ball"/>',
        '<joint axis="1 0 1" damping=".4"/>',
    ]
    loops = [
        ("spherical", 4, 8),
        ("distance", 4, 7),
        ("universal", 8, 0),
        ("sphere-in-plane", 11, 0),
    ]
    option = 'timestep="0.01" density="200" viscosity="0.1"'
    return mechanism(parents, joints, loops, seed, option, physics="3.3.7")


def inertia(m, d):
    M = np.zeros((m.nv, m.nv))
    for i in range(m.nv):
        at, j = m.dof_Madr[i], i
        while j >= 0:
            M[i, j] = M[j, i] = d.qM[at]
            at, j = at + 1, m.dof_parentid[j]
    return M


def bias_rate(m, d):
    """-d bias / d qvel by central differences, exact for what is quadratic but for rounding."""
    columns = []
    for i in range(m.nv):
        sides = []
        for sign in (1, -1):
            other = opened.data(m)
            other.qpos, other.qvel = d.qpos, d.qvel
            other.qvel[i] += sign
            sinew.forward(m, other)
            sides.append(other.qfrc_bias.copy())
        columns.append(-(sides[0] - sides[1]) / 2)
    return np.array(columns).T


def with_loops(A, force, K, k):
    """a of A a + K' x = force, K a = k."""
    n = len(A)
    whole = np.block([[A, K.T], [K, np.zeros((len(K), len(K)))]])
    return np.linalg.lstsq(whole, np.concatenate([force, k]), rcond=1e-13)[0][:n]


def peer_matrices(peer, qpos, qvel, integrator):
    """M and D = d force / d qvel, from the peer's own step."""
    peer.opt.integrator = integrator
    d = mujoco.MjData(peer)
    d.qpos, d.qvel = qpos, qvel
    mujoco.mj_step(peer, d)
    D = np.zeros((peer.nv, peer.nv))
    for i in range(peer.nv):
        at = slice(peer.D_rowadr[i], peer.D_rowadr[i] + peer.D_rownnz[i])
        D[i, peer.D_colind[at]] = d.qDeriv[at]
    M = np.zeros((peer.nv, peer.nv))
    mujoco.mj_fullM(peer, M, d.qM)
    return M, D


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
@pytest.mark.parametrize("seed", range(6))
def test_one_step_is_its_formula(integrator, seed):
    mech = damped_mechanism(seed)
    number = {"Euler": 0, "implicit": 2, "implicitfast": 3}[integrator]
    m, h = mech.model, 0.01
    m.opt.integrator, m.opt.loop_project = number, 0
    rng = np.random.default_rng([seed, 6])
    qvel = 2 * rng.normal(size=m.nv)  # not consistent: k_stab counts, too
    d = opened.data(m)
    d.qpos, d.qvel = mech.qpos, qvel
    sinew.forward(m, d)
    force, k, K = d.qfrc_smooth.copy(), d.loop_k.copy(), K_of(m, d)
    sinew.step(m, d)
    if integrator == "Euler":
        M, _ = peer_matrices(mech.peer, mech.qpos, qvel, 0)
        A = M + h * np.diag(mech.peer.dof_damping)
    else:
        M, D = peer_matrices(mech.peer, mech.qpos, qvel, number)
        A = M - h * D
        if integrator == "implicitfast":
            A = np.tril(A) + np.tril(A, -1).T  # D is made symmetric
    a = with_loops(A, force, K, k)
    assert relative((d.qvel - qvel) / h, a) < 1e-9
    assert relative((d.qvel - qvel) / h, d.qacc) > 1e-3  # the matrix matters
    qpos = mech.qpos.copy()
    mujoco.mj_integratePos(mech.peer, qpos, d.qvel, h)
    assert np.abs(d.qpos - qpos).max() < 1e-12


@pytest.mark.parametrize("joints", [0.0, 0.5])
@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_dampers_of_loops_are_implicit(integrator, joints):
    """h c j j' beside the matrix of the step, j from the damper's own force -c j j'v."""
    c, h = 500.0, 0.002
    m = planar(f"damping={c}", f'timestep="{h}" integrator="{integrator}"', joints)
    m.opt.loop_project = 0
    d = opened.data(m)
    d.qpos, d.qvel = (0.1, -0.2, 0.15), (1.0, -2.0, 0.5)
    sinew.forward(m, d)
    f = d.qfrc_damper + joints * np.array([1, 0, 1]) * d.qvel
    rate = np.sqrt(-f @ d.qvel / c)
    j = -f / (c * rate)
    force, k, K = d.qfrc_smooth.copy(), d.loop_k.copy(), K_of(m, d)
    A = inertia(m, d) + h * (joints * np.diag([1, 0, 1]) + c * np.outer(j, j))
    if integrator == "implicit":
        A -= h * bias_rate(m, d)
    before = d.qvel.copy()
    sinew.step(m, d)
    assert relative((d.qvel - before) / h, with_loops(A, force, K, k)) < 1e-9
    m.opt.loop_project = 1
    for _ in range(2000):
        sinew.step(m, d)
    assert np.abs(d.qvel).max() < 1


@pytest.mark.parametrize("project", [0, 1])
@pytest.mark.parametrize("seed", range(3))
def test_runge_kutta_is_its_tableau(seed, project):
    mech = damped_mechanism(seed)
    m, h = mech.model, 0.01
    m.opt.integrator, m.opt.loop_project = 1, 0
    rng = np.random.default_rng([seed, 6])
    qvel = consistent(maximal.loop_K(mech.peer, mech.qpos, mech.loops), rng, 2)

    def acceleration(qpos, v):
        d = opened.data(m)
        d.qpos, d.qvel = qpos, v
        sinew.forward(m, d)
        return d.qacc.copy()

    def moved(v, time):
        qpos = mech.qpos.copy()
        mujoco.mj_integratePos(mech.peer, qpos, v, time)
        return qpos

    v, a = [qvel], [acceleration(mech.qpos, qvel)]
    for c in (h / 2, h / 2, h):
        qpos = moved(v[-1], c)
        v.append(qvel + c * a[-1])
        a.append(acceleration(qpos, v[-1]))
    weights = np.array([1, 2, 2, 1]) / 6
    end_v, end_q = qvel + h * weights @ a, moved(weights @ v, h)
    m.opt.loop_project = project
    d = opened.data(m)
    d.qpos, d.qvel = mech.qpos, qvel
    sinew.step(m, d)
    if not project:
        assert relative(d.qvel, end_v) < 1e-12
        assert np.abs(d.qpos - end_q).max() < 1e-12
        return
    # what is closed is near, and its velocity the nearest in the metric of M
    assert np.abs(d.qpos - end_q).max() < 1e-3
    K = maximal.loop_K(mech.peer, d.qpos, mech.loops)
    M, _ = peer_matrices(mech.peer, mech.qpos, qvel, 1)
    N = null_space(K)
    nearest = N @ np.linalg.solve(N.T @ M @ N, N.T @ M @ end_v)
    assert np.abs(K @ d.qvel).max() < 1e-12 * np.abs(K).max() * np.abs(d.qvel).max() * 10
    assert relative(d.qvel, nearest) < 1e-3  # RK4's M is that of its last stage
