"""Mechanisms with closed loops against closed forms: linkages, parallel robots, gears, a cable, a gripper."""

import mujoco
import numpy as np
import pytest

import sinew
from linkage_models import (
    MODELS,
    dof,
    load,
    loop_K,
    loop_work,
    point_force,
    rotation,
    runge_kutta,
    turn,
)

GRAVITY = 9.81


@pytest.mark.parametrize(
    "name, nv, rows, rank",
    [
        ("four_bar", 3, 5, 2),
        ("slider_crank", 3, 5, 2),
        ("parallelogram", 3, 5, 2),
        ("gears", 5, 4, 4),
        ("swinging_atwood", 3, 1, 1),
        ("excavator", 11, 20, 8),
        ("gripper", 25, 23, 17),
        ("stewart", 24, 18, 18),
        ("delta", 21, 18, 18),
        ("cassie_legs", 32, 12, 10),
    ],
)
def test_structure(name, nv, rows, rank):
    model, data = load(name)
    sinew.forward(model, data)
    assert (model.nv, data.nlooprow, data.loop_rank) == (nv, rows, rank)
    assert np.linalg.matrix_rank(loop_K(model, data)) == rank
    assert data.loop_error < 2e-15  # the file is closed
    assert not data.warning["number"].any()
    peer = mujoco.MjModel.from_xml_path(str(MODELS / f"{name}.xml"))
    assert (peer.nv, peer.nbody) == (model.nv, model.nbody)


# ---- four-bar


def test_four_bar_trajectory():
    """Figures that maximal coordinates and Pinocchio agree on."""
    model, data = load("four_bar", timestep=2e-4)
    model.opt.enableflags = int(sinew.EnableBit.ENERGY)
    sinew.forward(model, data)
    start = data.energy.sum()
    sinew.step(model, data, nstep=5000)
    assert data.qpos[0] == pytest.approx(-4.199535062023, abs=5e-11)
    assert data.qvel[0] == pytest.approx(-0.572236106379, abs=5e-10)
    sinew.step(model, data, nstep=45_000)
    assert data.qpos[0] % (2 * np.pi) == pytest.approx(-0.21133 % (2 * np.pi), abs=1e-5)
    assert data.qvel[0] == pytest.approx(3.34048, abs=1e-5)
    sinew.forward(model, data)
    assert data.energy.sum() == pytest.approx(start, abs=1e-8)
    assert data.loop_error_max < 1e-12


def test_parallelogram_turns_a_hundred_times():
    """A motor drives it through its flat poses, where mobility is 2: it goes on turning and never folds."""
    model, data = load("parallelogram", integrator=int(sinew.Integrator.IMPLICITFAST))
    data.ctrl[0] = 4
    sinew.step(model, data, nstep=500)
    worst = fastest = slowest = 0.0
    condition = 1.0
    start = data.qpos[0]
    while data.qpos[0] < start + 100 * 2 * np.pi:
        sinew.step(model, data, nstep=5)
        worst = max(worst, abs(data.qpos[2] - data.qpos[0]))
        condition = max(condition, data.cluster_condition[0])
        fastest, slowest = max(fastest, data.qvel[0] - 4), min(slowest, data.qvel[0] - 4)
        assert data.loop_rank == 2 and np.abs(data.qacc).max() < 100
    assert worst < 1e-7 and condition > 1e3
    assert -0.2 < slowest < fastest < 0.2
    assert data.loop_error_max < 1e-11 and not data.warning["number"].any()


@pytest.mark.parametrize("angle", [0, np.pi])
def test_parallelogram_in_its_flat_pose(angle):
    """Rank 1, mobility 2 in the very pose; from there on it stays the parallelogram that its velocity says."""
    model, data = load("parallelogram")
    data.qpos[:] = angle, -angle, angle
    data.qvel[:] = 4, -4, 4
    data.ctrl[0] = 4
    sinew.forward(model, data)
    assert data.loop_error < 1e-15 and data.loop_rank == 1
    sinew.step(model, data, nstep=1000)
    assert data.loop_rank == 2 and data.qpos[0] > angle + 3
    np.testing.assert_allclose(data.qpos, [data.qpos[0], -data.qpos[0], data.qpos[0]], atol=1e-7)


# ---- slider-crank

R, L = 0.1, 0.3
CRANK, ROD, PISTON = (2, 0.02, 0.02), (0.5, 0.004, 0.12), 0.7  # mass, inertia, place of the centre


def slider_crank(t):
    """Crank angle t to the rod's angle b and the piston's place x, each with two derivatives."""
    sine, cosine = np.sin(t), np.cos(t)
    s, s1, s2 = -R / L * sine, -R / L * cosine, R / L * sine
    c = np.sqrt(1 - s * s)
    b1 = s1 / c
    b2 = (s2 + s * b1 * b1) / c
    x = np.array(
        [
            R * cosine + L * c,
            -R * sine - L * s * b1,
            -R * cosine - L * (c * b1 * b1 + s * b2),
        ]
    )
    return np.array([np.arcsin(s), b1, b2]), x


def slider_crank_acceleration(t, w, torque):
    """Angular acceleration of the crank: I t'' + I' t'^2 / 2 + V' = torque."""
    b, x = slider_crank(t)
    (m, i, far) = ROD
    sb, cb = np.sin(b[0]), np.cos(b[0])
    c1 = np.array([-R * np.sin(t) - far * sb * b[1], R * np.cos(t) + far * cb * b[1]])
    c2 = np.array(
        [
            -R * np.cos(t) - far * (cb * b[1] ** 2 + sb * b[2]),
            -R * np.sin(t) - far * (sb * b[1] ** 2 - cb * b[2]),
        ]
    )
    inertia = CRANK[1] + CRANK[0] * CRANK[2] ** 2 + m * c1 @ c1 + i * b[1] ** 2 + PISTON * x[1] ** 2
    change = 2 * (m * c1 @ c2 + i * b[1] * b[2] + PISTON * x[1] * x[2])
    weight = GRAVITY * (CRANK[0] * CRANK[2] * np.cos(t) + m * c1[1])
    return (torque - weight - change * w * w / 2) / inertia


@pytest.mark.parametrize("solution", [1, 2, 3])
def test_slider_crank_accelerations(solution):
    model, data = load("slider_crank", loop_solution=solution)
    rng = np.random.default_rng(1)
    for t in np.linspace(0, 2 * np.pi, 25):
        b, x = slider_crank(t)
        w, torque = rng.uniform(-5, 5, 2)
        data.qpos[:] = t, b[0] - t, x[0] - R - L
        data.qvel[:] = w, (b[1] - 1) * w, x[1] * w
        data.ctrl[0] = torque
        sinew.forward(model, data)
        a = slider_crank_acceleration(t, w, torque)
        expected = a, b[1] * a + b[2] * w * w - a, x[1] * a + x[2] * w * w
        np.testing.assert_allclose(data.qacc, expected, rtol=1e-11, atol=1e-10)
        # the pin is all that drives the piston along its way
        assert point_force(model, data, 0)[0] == pytest.approx(PISTON * expected[2], abs=1e-10)


def test_slider_crank_over_a_turn():
    model, data = load("slider_crank", timestep=2e-4)
    h, torque = model.opt.timestep, 0.8
    state = np.array([0.0, 6.0])
    b, x = slider_crank(0)
    data.qvel[:] = 6, (b[1] - 1) * 6, x[1] * 6
    data.ctrl[0] = torque

    def rate(s):
        return np.array([s[1], slider_crank_acceleration(s[0], s[1], torque)])

    while state[0] < 2 * np.pi:
        sinew.step(model, data)
        state = runge_kutta(rate, state, h)
        b, x = slider_crank(data.qpos[0])
        assert abs(data.qpos[0] - state[0]) < 1e-9 and abs(data.qvel[0] - state[1]) < 1e-8
        np.testing.assert_allclose(data.qpos[1:], [b[0] - data.qpos[0], x[0] - R - L], atol=1e-11)
        np.testing.assert_allclose(
            data.qvel[1:], np.array([b[1] - 1, x[1]]) * data.qvel[0], atol=1e-11
        )


# ---- Stewart platform


class Stewart:
    """Its own kinematics: six lengths of a pose of the platform."""

    def __init__(self):
        self.model, self.data = load("stewart")
        sinew.forward(self.model, self.data)
        m, d = self.model, self.data
        ids = range(1, 7)
        self.base = np.array([d.xpos[m.body(f"lower{k}").id] for k in ids])
        self.frame = [d.xmat[m.body(f"lower{k}").id].reshape(3, 3).copy() for k in ids]
        self.top = np.array([m.site_pos[m.site(f"platform{k}").id] for k in ids])
        self.start = np.array([m.site_pos[m.site(f"leg{k}").id][2] for k in ids])
        self.legs = [dof(m, f"leg{k}") for k in ids]
        self.platform = dof(m, "platform")

    def lengths(self, place, turned):
        """Vectors of the legs, base to platform [6, 3], and their lengths."""
        legs = place + self.top @ turned.T - self.base
        return legs, np.linalg.norm(legs, axis=1)

    def jacobian(self, place, turned):
        """Rates of the lengths by velocity and angular velocity of the platform, both in the world."""
        legs, lengths = self.lengths(place, turned)
        u = legs / lengths[:, None]
        return np.hstack([u, np.cross(self.top @ turned.T, u)])

    def set(self, place, quaternion):
        """Puts platform and legs there; returns the rotation."""
        m, d = self.model, self.data
        turned = rotation(quaternion)
        legs, lengths = self.lengths(place, turned)
        for k in range(6):
            u = self.frame[k].T @ legs[k] / lengths[k]
            q = int(m.joint(f"universal{k + 1}x").qposadr[0])
            d.qpos[q : q + 3] = np.arctan2(-u[1], u[2]), np.arcsin(u[0]), lengths[k] - self.start[k]
        q = int(m.joint("platform").qposadr[0])
        d.qpos[q : q + 7] = *place, *quaternion
        return turned

    def move(self, velocity, turning, turned):
        """Velocity of the platform, angular velocity in the world; the legs follow by K qvel = 0."""
        m, d = self.model, self.data
        d.qvel[:] = 0
        d.qvel[self.platform : self.platform + 6] = *velocity, *(turned.T @ turning)
        sinew.forward(m, d)
        K = loop_K(m, d)
        legs = np.setdiff1d(np.arange(m.nv), np.arange(self.platform, self.platform + 6))
        d.qvel[legs] = -np.linalg.solve(K[:, legs], K @ d.qvel)
        sinew.forward(m, d)


def random_pose(rng):
    quaternion = np.array([1, *rng.uniform(-0.12, 0.12, 3)])
    return np.array([0, 0, 0.7]) + rng.uniform(-0.1, 0.1, 3), quaternion / np.linalg.norm(
        quaternion
    )


def test_stewart_platform_kinematics_and_forces():
    s = Stewart()
    m, d = s.model, s.data
    rng = np.random.default_rng(2)
    free = slice(s.platform, s.platform + 6)
    body = m.body("platform").id
    for _ in range(10):
        place, quaternion = random_pose(rng)
        turned = s.set(place, quaternion)
        velocity, turning = rng.uniform(-1, 1, (2, 3))
        s.move(velocity, turning, turned)
        assert d.loop_error < 1e-14 and np.abs(d.loop_speed).max() < 1e-13
        J = s.jacobian(place, turned)
        np.testing.assert_allclose(d.qvel[s.legs], J @ [*velocity, *turning], atol=1e-13)

        # Newton and Euler for the platform alone: the six pins and its weight move it
        forces = np.array([point_force(m, d, k) for k in range(6)])
        a = d.qacc[free]
        np.testing.assert_allclose(
            forces.sum(0) - [0, 0, 15 * GRAVITY], 15 * a[:3], rtol=0, atol=1e-9
        )
        inertia = turned @ np.diag(m.body_inertia[body]) @ turned.T
        torque = np.cross(s.top @ turned.T, forces).sum(0)
        spin = turned @ a[3:]
        np.testing.assert_allclose(
            torque, inertia @ spin + np.cross(turning, inertia @ turning), rtol=0, atol=1e-9
        )

        # virtual work: leg forces f = -inv(J') w hold a wrench w on the platform
        qacc, wrench = d.qacc.copy(), rng.uniform(-100, 100, 6)
        d.xfrc_applied[body] = wrench
        d.qfrc_applied[s.legs] = -np.linalg.solve(J.T, wrench)
        sinew.forward(m, d)
        np.testing.assert_allclose(d.qacc, qacc, rtol=0, atol=1e-9 * np.abs(qacc).max())
        d.xfrc_applied[:] = 0
        d.qfrc_applied[:] = 0


def test_stewart_platform_follows():
    s = Stewart()
    m, d = s.model, s.data
    q = int(m.joint("platform").qposadr[0])
    for _ in range(1000):
        t = d.time
        place = np.array([0.05 * np.sin(3 * t), 0.05 * (1 - np.cos(3 * t)), 0.7])
        turned = turn([0, 0, 1], 0.1 * np.sin(2 * t))
        d.ctrl[:] = s.lengths(place, turned)[1] - s.start
        sinew.step(m, d)
        _, lengths = s.lengths(d.qpos[q : q + 3], rotation(d.qpos[q + 3 : q + 7]))
        np.testing.assert_allclose(d.qpos[s.legs], lengths - s.start, atol=1e-11)
    assert np.linalg.norm(d.qpos[q : q + 3] - place) < 0.02
    assert d.loop_error_max < 1e-11 and not d.warning["number"].any()


# ---- delta robot


def delta_angles(place):
    """Angles of the three arms that put the platform there, elbows out."""
    base, arm, rod, platform = 0.2, 0.25, 0.6, 0.06
    angles = []
    for k in range(3):
        x, y, z = turn([0, 0, 1], -2 * np.pi / 3 * k) @ place
        reach = base - platform - x
        a, b = 2 * arm * reach, 2 * arm * z
        c = rod**2 - arm**2 - reach**2 - y * y - z * z
        angles.append(np.arctan2(b, a) + np.arccos(c / np.hypot(a, b)))
    return np.array(angles)


def test_delta_robot():
    """The arms stand as its inverse kinematics says, and the platform never turns."""
    model, data = load("delta")
    q = int(model.joint("platform").qposadr[0])
    arms = [dof(model, f"arm{k}") for k in (1, 2, 3)]
    start = data.qpos[q : q + 3].copy()
    np.testing.assert_allclose(delta_angles(start), 0, atol=1e-14)
    for _ in range(2000):
        t = data.time
        goal = start + [
            0.12 * np.sin(4 * t),
            0.12 * np.sin(6 * t),
            -0.1 + 0.1 * np.cos(4 * t),
        ]
        data.ctrl[:] = delta_angles(goal)
        sinew.step(model, data)
        np.testing.assert_allclose(
            data.qpos[arms], delta_angles(data.qpos[q : q + 3]), rtol=0, atol=1e-11
        )
        assert np.abs(data.qpos[q + 4 : q + 7]).max() < 1e-11
    assert np.linalg.norm(data.qpos[q : q + 3] - goal) < 0.05
    assert data.loop_error_max < 1e-11 and not data.warning["number"].any()

    # virtual work: torques -J'f of the arms hold a force f on the platform
    sinew.forward(model, data)
    place, qacc, force = data.qpos[q : q + 3].copy(), data.qacc.copy(), np.array([3.0, -5, 8])
    steps = 1e-5 * np.eye(3)
    J = np.array([delta_angles(place + e) - delta_angles(place - e) for e in steps]).T / 2e-5
    data.xfrc_applied[model.body("platform").id, :3] = force
    data.qfrc_applied[arms] = -np.linalg.solve(J.T, force)
    sinew.forward(model, data)
    np.testing.assert_allclose(data.qacc, qacc, rtol=0, atol=1e-7 * np.abs(qacc).max())


# ---- gears, belt, cable


def test_gears_hold_their_ratios():
    model, data = load("gears")
    ratio = np.array([1, -1 / 2, 1 / 6, 1 / 6, 1 / 6 * 0.1 / 0.04])
    sinew.forward(model, data)
    full = sinew.fullM(model, data)
    load_torque = ratio @ data.qfrc_bias
    data.ctrl[0] = 0.7
    sinew.forward(model, data)
    expected = (0.7 - load_torque) / (ratio @ full @ ratio)
    np.testing.assert_allclose(data.qacc, ratio * expected, rtol=1e-12)
    for _ in range(10_000):
        data.ctrl[0] = 2 * np.sin(2 * data.time)
        sinew.step(model, data)
        scale = max(1, abs(data.qpos[0]))
        assert np.abs(data.qpos - ratio * data.qpos[0]).max() < 1e-12 * scale
        assert np.abs(data.qvel - ratio * data.qvel[0]).max() < 1e-12 * max(1, abs(data.qvel[0]))
    assert np.abs(data.qpos).max() > 10  # turns enough to have drifted


def test_swinging_atwood_machine():
    """Cable of constant length against the equations in r and the angle; its tension against the lift's."""
    model, data = load("swinging_atwood", timestep=5e-4)
    M, m = 2.5, 1.0
    start = np.array([0.6, -0.8])
    r0 = np.linalg.norm(start)

    def rate(s):
        r, a, dr, da = s
        return np.array(
            [
                dr,
                da,
                (m * r * da * da + GRAVITY * (m * np.cos(a) - M)) / (m + M),
                -(2 * dr * da + GRAVITY * np.sin(a)) / r,
            ]
        )

    state = np.array([r0, np.arctan2(start[0], -start[1]), 0, 0])
    data.qvel[0] = state[2] = 1.5  # out, so that it takes a while to be drawn in
    data.qvel[1:] = 1.5 * start / r0
    for _ in range(1200):
        sinew.step(model, data)
        state = runge_kutta(rate, state, model.opt.timestep)
        r, a, _, _ = state
        place = data.qpos[1:] + start
        np.testing.assert_allclose(
            [data.qpos[0], *place], [r - r0, r * np.sin(a), -r * np.cos(a)], rtol=0, atol=1e-9
        )
    sinew.forward(model, data)
    assert data.ten_length[0] == pytest.approx(model.tendon_length0[0], abs=1e-12)
    tension = M * (GRAVITY + data.qacc[0])
    assert -data.loop_force[0] == pytest.approx(tension, abs=1e-9)


# ---- gripper


@pytest.mark.parametrize("solver", ["NEWTON", "CG", "PGS"])
@pytest.mark.parametrize("cone", ["ELLIPTIC", "PYRAMIDAL"])
def test_gripper_lifts_a_cube(solver, cone):
    options = {"solver": int(sinew.Solver[solver]), "cone": int(sinew.Cone[cone])}
    model, data = load("gripper", **options)
    gripped = None
    for _ in range(4000):
        t = data.time
        data.ctrl[:] = 1.0, 0.1 * np.clip(t - 1, 0, 1)
        before = data.qvel.copy()
        sinew.step(model, data)
        assert abs(loop_work(data, before)) < 1e-9
        if gripped is None and t > 0.9:
            gripped = data.qpos.copy()
    assert data.loop_error_max < 1e-11 and not data.warning["number"].any()
    cube = int(model.joint("cube").qposadr[0])
    lift = data.qpos[int(model.joint("lift").qposadr[0])]
    assert lift == pytest.approx(0.1, abs=0.02)
    rise = data.qpos[cube + 2] - gripped[cube + 2]
    assert rise == pytest.approx(lift, abs=0.02) and rise > 0.08

    sinew.forward(model, data)
    force = dict.fromkeys(("left_pad", "right_pad"), 0)
    for i in range(data.ncon):
        contact = data.contact[i]
        pad = next(n for n in force if model.geom(n).id in (contact.geom1, contact.geom2))
        local = sinew.contactForce(model, data, i)
        sign = 1 if model.geom("cube").id == contact.geom2 else -1
        force[pad] = force[pad] + sign * contact.frame.reshape(3, 3).T @ local[:3]
    left, right = force["left_pad"], force["right_pad"]
    # All forces on the cube give its acceleration, which is none at rest. Once something breaks the symmetry the cube
    # rattles by a hundredth of the force: depths between boxes jump with the face that leads, as in MuJoCo.
    cube = dof(model, "cube")
    mass_times = 0.2 * (data.qacc[cube : cube + 3] + [0, 0, GRAVITY])
    np.testing.assert_allclose(left + right, mass_times, atol=1e-6)
    assert left[0] == pytest.approx(-right[0], abs=1e-6 if solver == "NEWTON" else 0.1)

    # virtual work of closing by an angle: torque, weights of the fingers and of the cube on them
    angle = np.deg2rad(30) - data.qpos[int(model.joint("left_driver").qposadr[0])]
    mass = dict(zip([model.body(i).name for i in range(model.nbody)], model.body_mass, strict=True))
    drop = 0.08 * np.sin(angle)
    whole = mass["left_jaw"] + mass["left_pad"] + 0.1
    half = (mass["left_driver"] + mass["left_follower"]) / 2
    expected = (1 + 2 * GRAVITY * drop * (whole + half)) / (2 * 0.08 * np.cos(angle))
    assert left[0] == pytest.approx(expected, rel=1e-3 if solver == "NEWTON" else 1e-2)


# ---- excavator


def angle_of(a, b, c):
    """Angle at c of a triangle, the side opposite being a length."""
    return np.arccos((b * b + c * c - a * a) / (2 * b * c))


def test_excavator_by_its_triangles():
    """Boom and stick stand as the lengths of their cylinders say, by the law of cosines."""
    model, data = load("excavator")
    q = {n: int(model.joint(n).qposadr[0]) for n in ("boom", "stick")}
    ram = {n: int(model.joint(f"{n}_cylinder").qposadr[0]) for n in ("boom", "stick", "bucket")}
    # cylinder's foot and lug, both from the pivot: boom on the ground, stick on the boom
    sides = {
        "boom": (np.array([0.5, -0.4]), np.array([1.7, 1.2]), 1),
        "stick": (np.array([1.5 - 3.4, 1.9 - 1.2]), np.array([2.9 - 3.4, 1.7 - 1.2]), -1),
    }
    for _ in range(2000):
        t = data.time
        data.ctrl[:] = 0.3 * np.sin(t), 0.4 * (1 - np.cos(t)), 0.3 * np.sin(2 * t)
        sinew.step(model, data)
        for name, (foot, lug, sign) in sides.items():
            length = np.linalg.norm(lug - foot) + data.qpos[ram[name]]
            f, g = np.linalg.norm(foot), np.linalg.norm(lug)
            turned = angle_of(length, f, g) - angle_of(np.linalg.norm(lug - foot), f, g)
            assert data.qpos[q[name]] == pytest.approx(sign * turned, abs=1e-11)
    rams = data.qpos[[ram["boom"], ram["stick"], ram["bucket"]]]
    np.testing.assert_allclose(rams, data.ctrl, atol=0.05)
    assert data.loop_error_max < 1e-11 and not data.warning["number"].any()


# ---- all of them


@pytest.mark.parametrize("integrator", ["EULER", "RK4", "IMPLICIT", "IMPLICITFAST"])
@pytest.mark.parametrize(
    "name, size",
    [
        ("cassie_legs", 0.6),
        ("stewart", 0.15),
        ("delta", 0.6),
        ("excavator", 0.4),
        ("gripper", 2),
        ("gears", 3),
    ],
)
def test_rough_treatment(name, size, integrator):
    """Controls jump, links whirl, the legs fall over: loops stay closed, and nothing is worth a warning."""
    model, data = load(name, integrator=int(sinew.Integrator[integrator]))
    rng = np.random.default_rng(4)
    if name == "cassie_legs":
        data.qpos[2] += 0.5
        data.qvel[3:6] = rng.normal(0, 2, 3)
    for k in range(1000):
        if k % 50 == 0:
            data.ctrl[:] = rng.uniform(-size, size, model.nu)
        sinew.step(model, data)
    assert data.time == pytest.approx(1000 * model.opt.timestep)  # no reset
    assert data.loop_error_max < 1e-11 and not data.warning["number"].any()
