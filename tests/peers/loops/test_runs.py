"""Whole runs of linkages: energy, closure, singular poses, gears, places far from the origin."""

import os

import mujoco
import numpy as np
import pytest

import linkages
import maximal
import opened
import sinew
from mechanisms import K_of, mechanism, null_space
from test_maximal import FLOATING, consistent

LONG = bool(os.environ.get("SINEW_LONG"))
SECONDS = 60 if LONG else 3
INTEGRATORS = ["Euler", "RK4", "implicit", "implicitfast"]
SINGULAR, OPEN = (int(sinew.Warning[name]) for name in ("LOOPSINGULAR", "LOOPOPEN"))


def assemble(m, d, tries=200):
    """Closes the loops from where d is by Newton's method in NumPy."""
    for _ in range(tries):
        sinew.forward(m, d)
        if d.loop_error < 1e-13:
            break
        step = -np.linalg.lstsq(K_of(m, d), d.loop_delta, rcond=1e-8)[0]
        q = d.qpos.copy()
        d.qpos = sinew.integratePos(m, q, step * min(1, 0.2 / np.abs(step).max()), 1)
    assert d.loop_error < 1e-12
    d.loop_error_max = 0


def start(name, option, settings="exact", damping=0.0):
    """(model, data) of a linkage that is closed and moves."""
    text = {
        "four-bar": lambda: linkages.four_bars(1, "revolute", option, settings),
        "point": lambda: linkages.four_bars(1, "spherical", option, settings),
        "chain": lambda: linkages.chain(4, option, settings),
        "slider-crank": lambda: linkages.slider_crank(option, settings),
        "rssr": lambda: linkages.rssr(option, settings),
        "rssr-ball": lambda: linkages.rssr(option, settings, "ball"),
        "cable": lambda: linkages.cable(12, option),
    }[name]()
    m = opened.model(text)
    m.dof_damping = damping
    d = opened.data(m)
    if name in ("four-bar", "point"):
        d.qpos = linkages.START
    elif name == "chain":
        d.qpos[:] = 0.3
    elif name == "slider-crank":
        d.qpos = linkages.SLIDER_START
    elif name == "cable":
        d.qpos[::2] = 0.1
    assemble(m, d)
    N = null_space(K_of(m, d))
    d.qvel = 2 * N @ (N.T @ np.ones(m.nv))
    sinew.forward(m, d)
    return m, d


def energy(m, d):
    """Potential and kinetic energy where d is now; the stages of a step leave their own in it."""
    probe = opened.data(m)
    probe.qpos, probe.qvel = d.qpos, d.qvel
    sinew.forward(m, probe)
    return probe.energy


LINKAGES = ["four-bar", "point", "chain", "slider-crank", "rssr", "rssr-ball"]
ENERGY = 'timestep=".001" integrator="RK4"><flag energy="enable"/></option><option '
# RK4 turns balls by a mean velocity, of second order; chains are chaotic and fast.
KEPT = {"rssr-ball": 1e-4, "chain": 2e-4}


@pytest.mark.parametrize("name", LINKAGES)
@pytest.mark.parametrize("solution", [1, 2, 3])
def test_energy_is_kept(name, solution):
    if solution != 3 and not LONG and name in ("chain", "rssr", "rssr-ball"):
        return
    m, d = start(name, ENERGY, f"exact solution={solution}")
    first = energy(m, d).sum()
    worst = kinetic = 0
    for step in range(1000 * SECONDS):
        sinew.step(m, d)
        assert d.loop_error < 1e-9
        if step % 10 == 0:
            now = energy(m, d)
            worst, kinetic = max(worst, abs(now.sum() - first)), max(kinetic, now[1])
    assert worst < KEPT.get(name, 1e-6) * max(abs(first), kinetic)
    assert kinetic > 0.1
    assert not d.warning["number"].any()


@pytest.mark.parametrize(
    "name,timestep",
    [(n, h) for n in LINKAGES for h in (0.001, 0.005)] + [("cable", 0.001)],
)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_closure_is_kept(name, integrator, timestep):
    """After every step, and velocities with it."""
    # long steps without any friction would win energy until they are longer than the links
    damping = 0.01 if name == "cable" else 0 if timestep < 0.002 else 0.1
    m, d = start(name, f'timestep="{timestep}" integrator="{integrator}"', damping=damping)
    for _ in range(1000):
        sinew.step(m, d)
        assert d.loop_error < 1e-9
    assert d.loop_error_max < 1e-9
    sinew.forward(m, d)
    assert np.abs(K_of(m, d) @ d.qvel).max() < 1e-11 * max(1, np.abs(d.qvel).max())


def test_pinned_motion_of_the_four_bar():
    """Accelerations and a trajectory that a maximal formulation gave."""
    m = opened.model(linkages.four_bars(1, "spherical", 'timestep=".001" integrator="RK4"'))
    d = opened.data(m)
    d.qpos = linkages.START
    sinew.forward(m, d)
    wanted = (-13.851627927482394, 13.702735739938534, -10.494838619042513)
    assert np.abs(d.qacc - wanted).max() < 1e-11
    d.qvel = (0.2739233746429086, -0.2709789517430515, 0.2075410649139025)
    sinew.forward(m, d)
    wanted = (-13.856596275219731, 13.718934517550986, -10.491383521814903)
    assert np.abs(d.qacc - wanted).max() < 1e-11
    d.qvel = 0
    for _ in range(1000):
        sinew.step(m, d)
    assert d.qpos[0] == pytest.approx(-4.199535062023, abs=1e-7)
    assert d.qvel[0] == pytest.approx(-0.572236106379, abs=1e-6)
    for _ in range(9000):
        sinew.step(m, d)
    assert d.qpos[0] == pytest.approx(-0.21133, abs=1e-4)
    assert d.qvel[0] == pytest.approx(3.34048, abs=1e-4)


@pytest.mark.parametrize("kind", ["revolute", "spherical"])
@pytest.mark.parametrize("speed", [1.0, 2.7, 7.0])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_parallelogram_through_its_flat_position(kind, speed, integrator):
    """100 turns, twice flat in each, where rank is lost and the branches cross: finite, continuous, counted."""
    links = (0.5, 0.3, 0.5, 0.3)
    text = linkages.four_bars(1, kind, f'gravity="0 0 0" integrator="{integrator}"', links=links)
    m = opened.model(text)
    d = opened.data(m)
    d.qpos = (1.2, -1.2, 1.2)
    d.qvel = speed * np.array([1, -1, 1])
    assert m.opt.timestep == 0.002
    turns, before, worst = 0.0, d.qvel.copy(), 0
    limit = 20 if not LONG else 100
    sinew.forward(m, d)
    assert d.loop_rank == 2 and m.nv - d.loop_rank == 1
    for _ in range(10**6):
        angle = d.qpos[0]
        sinew.step(m, d)
        assert np.all(np.isfinite(d.qpos)) and np.all(np.isfinite(d.qvel))
        turns += abs(d.qpos[0] - angle) / (2 * np.pi)
        worst = max(worst, np.abs(d.qvel - before).max())
        before = d.qvel.copy()
        assert d.loop_rank in (1, 2)
        assert d.loop_error < 1e-9
        if turns > limit:
            break
    assert turns > limit
    assert worst < 0.05 * speed  # without forces a parallelogram turns at constant speed


def flat_parallelogram(option=""):
    text = linkages.four_bars(1, "spherical", option, links=(0.5, 0.3, 0.5, 0.3))
    return opened.model(text)


def test_the_flat_position_is_reported():
    """There both branches meet: rank 1, two freedoms, counted once a pose, and motion goes on."""
    m = flat_parallelogram('gravity="0 0 0"')
    d = opened.data(m)
    d.qpos = (1.2, -1.2, 1.2)
    sinew.forward(m, d)
    assert d.loop_rank == 2
    condition = float(d.cluster_condition[0])
    d.qpos = (0.001, -0.001, 0.001)
    sinew.forward(m, d)
    assert d.loop_rank == 2 and d.cluster_condition[0] > 50 * condition
    assert d.warning["number"][SINGULAR] == 0
    d.qpos, d.qvel = (0, 0, 0), (1, -1, 1)
    sinew.forward(m, d)
    assert d.loop_rank == 1
    assert d.warning["number"][SINGULAR] == 1
    assert np.all(np.isfinite(d.qacc)) and np.abs(d.qacc).max() < 100
    for _ in range(200):
        sinew.step(m, d)
        assert np.all(np.isfinite(d.qvel)) and d.loop_error < 1e-9
    # of the two branches, the velocity chooses
    assert np.abs(d.qvel - (1, -1, 1)).max() < 0.01


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_steps_that_meet_the_flat_position(integrator):
    """The crank stands flat after every hundredth step, to rounding: where rank is lost and found."""
    m = flat_parallelogram(f'gravity="0 0 0" integrator="{integrator}" timestep=".002"')
    d = opened.data(m)
    speed = np.pi / 100 / 0.002
    d.qpos, d.qvel = (np.pi / 2, -np.pi / 2, np.pi / 2), speed * np.array([1, -1, 1])
    lost = 0
    for _ in range(200 * (100 if LONG else 20)):
        before = d.qvel.copy()
        sinew.step(m, d)
        lost += d.loop_rank == 1
        assert np.all(np.isfinite(d.qpos)) and d.loop_error < 1e-9
        assert np.abs(d.qvel - before).max() < 0.05 * speed
    assert d.qpos[0] / (2 * np.pi) > 19
    assert lost >= 38 and d.warning["number"][SINGULAR] >= lost


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("gravity", ["0 0 0", "0 0 -9.81"])
def test_steps_that_pass_by_the_flat_position(integrator, gravity):
    """However close: rows that positions closed to rounding cannot tell from none do not steer the motion."""
    m = flat_parallelogram(f'gravity="{gravity}" integrator="{integrator}" timestep=".002"')
    speed = np.pi / 100 / 0.002
    for offset in [sign * 10.0**k for k in range(-13, -2) for sign in (1, -3)]:
        d = opened.data(m)
        d.qpos = (offset - np.pi / 20) * np.array([1, -1, 1])
        d.qvel = speed * np.array([1, -1, 1])
        for _ in range(1000 if LONG else 250):
            before = d.qvel.copy()
            sinew.step(m, d)
            assert np.abs(d.qvel - before).max() < 0.01 * speed, offset


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_what_goes_round_keeps_its_speed(integrator):
    """A mass on a rod, without gravity: steps of first order would gain w^2 h = 10 % a second here."""
    m = sinew.Model.from_xml(f"""<mujoco><option timestep="0.001" integrator="{integrator}" gravity="0 0 0"/>
      <custom><text name="sinew_loop_rod" data="distance centre mass length=0.5"/></custom>
      <worldbody><site name="centre"/><body pos=".5 0 0">
        <joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
        <geom size=".01"/><site name="mass"/></body></worldbody></mujoco>""")
    d = sinew.Data(m)
    d.qvel = (0, 5)
    sinew.step(m, d, nstep=1000)
    assert np.linalg.norm(d.qvel) == pytest.approx(5, rel=1e-5)  # (w h)^2 / 40
    angle = np.arctan2(d.qpos[1], d.qpos[0] + 0.5)
    assert angle == pytest.approx(10 - 4 * np.pi, abs=1e-3)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_parts_that_are_apart_are_put_together_at_rest(integrator):
    """What was open before the step has no part in velocities, but for what k_stab asks for."""
    m = opened.model(
        linkages.four_bars(1, "revolute", f'gravity="0 0 0" integrator="{integrator}"')
    )
    d = sinew.Data(m)  # assembled
    d.qpos[2] += 0.1
    sinew.forward(m, d)
    assert d.loop_error > 0.03
    counted = d.warning["number"][OPEN]
    sinew.step(m, d)
    assert d.warning["number"][OPEN] == counted + 1
    sinew.forward(m, d)
    assert d.loop_error < 1e-9 and d.loop_error_max > 0.03
    assert np.abs(d.qvel).max() < 0.2


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_gear_train(integrator):
    ratios = (-2.0, -0.5, 3.0)
    m = opened.model(linkages.gears(ratios, f'integrator="{integrator}"'))
    d = opened.data(m)
    d.qfrc_applied = (0.7, 0, 0, 0)
    turns = np.cumprod([1, *ratios])
    inertia = np.sum(turns**2 * 0.1 * np.arange(1, 5))
    for step in range(1, 2001):
        sinew.step(m, d)
        assert np.abs(d.qpos - turns * d.qpos[0]).max() < 1e-9
        assert np.abs(d.qvel - turns * d.qvel[0]).max() < 1e-9
    assert d.qvel[0] == pytest.approx(0.7 / inertia * d.time, rel=1e-10)
    assert m.nv - d.loop_rank == 1


@pytest.mark.parametrize("distance", [1e3, 1e6, 1e7, 1e8])
@pytest.mark.parametrize("seed", range(3))
def test_far_from_the_origin(distance, seed):
    """A mechanism on a floating base moves there as it does here, as far as places have digits."""
    mech = mechanism(*FLOATING, [("revolute", 4, 8), ("distance", 3, 9)], seed, 'gravity="0 0 0"')
    m = mech.model
    rng = np.random.default_rng(seed)
    K = maximal.loop_K(mech.peer, mech.qpos, mech.loops)
    qvel = consistent(K, rng, 5)
    near, far = opened.data(m), opened.data(m)
    near.qpos, near.qvel = mech.qpos, qvel
    far.qpos, far.qvel = mech.qpos, qvel
    far.qpos[:3] += distance * np.array([0.6, -0.64, 0.48])
    for d in (near, far):
        sinew.forward(m, d)
    scale = np.abs(near.qacc).max()
    assert far.loop_error < 1e-15 * distance
    # errors of place count 1 / T^2 in k_stab
    assert np.abs(far.qacc - near.qacc).max() < 1e-13 * distance * scale
    for _ in range(500):
        for d in (near, far):
            sinew.step(m, d)
        assert far.loop_error < 1e-15 * distance
    assert far.warning["number"][OPEN] == 0
    assert np.abs(far.qvel - near.qvel).max() < 1e-9 * distance
    assert np.abs(far.qpos[7:] - near.qpos[7:]).max() < 1e-9 * distance


@pytest.mark.parametrize("seed", range(3))
def test_momentum_of_a_floating_mechanism(seed):
    """Loops and what closes them are forces within it: nothing but the integrator's error is lost."""
    loops = [("revolute", 4, 8), ("distance", 3, 9)]
    option = 'gravity="0 0 0" timestep=".001" integrator="RK4"'
    mech = mechanism(*FLOATING, loops, seed, option)
    d = opened.data(mech.model)
    d.qpos = mech.qpos
    K = maximal.loop_K(mech.peer, mech.qpos, mech.loops)
    d.qvel = consistent(K, np.random.default_rng(seed), 3)

    def momentum():
        p = maximal.state(mech.peer, d.qpos, d.qvel)
        mujoco.mj_comVel(mech.peer, p)
        mujoco.mj_subtreeVel(mech.peer, p)
        linear = p.subtree_linvel[1] * mech.peer.body_subtreemass[1]
        return np.concatenate([linear, p.subtree_angmom[1]])

    before = momentum()
    for _ in range(1000):
        sinew.step(mech.model, d)
    assert np.abs(momentum() - before).max() < 1e-5 * np.abs(before).max()
