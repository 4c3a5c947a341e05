"""Taut structures stand: rods in one line between pins, rigid to second order, where K loses rank."""

import os

import numpy as np
import pytest

import sinew
from linkage_models import load
from taut_models import LENGTH, MASS, net_of_knots, net_of_rods, toggle

LONG = bool(os.environ.get("SINEW_LONG"))
INTEGRATORS = ("Euler", "implicit", "implicitfast", "RK4")
OPEN = int(sinew.Warning.LOOPOPEN)
GRAVITY = 9.81

pytestmark = pytest.mark.filterwarnings("ignore:loops at a singular pose")


class Run:
    """Steps a model, and the worst of what it does on the way."""

    def __init__(self, text, qpos=None, qvel=None):
        self.model = text if isinstance(text, sinew.Model) else sinew.Model.from_xml(text)
        self.data, self.probe = sinew.Data(self.model), sinew.Data(self.model)
        if qpos is not None:
            self.data.qpos, self.data.qvel = qpos, qvel
        self.before = int(self.data.warning["number"][OPEN])
        self.start = self.energy()
        self.weight = GRAVITY * self.model.body_mass.sum()
        self.gain = self.speed = self.force = self.open = 0.0

    def opened(self):
        """How often the warning of open loops counted, but for what loading found and closed."""
        return int(self.data.warning["number"][OPEN]) - self.before

    def energy(self):
        """Energy at the end of the step (J); data.energy is that of the last stage of RK4."""
        self.probe.qpos, self.probe.qvel = self.data.qpos, self.data.qvel
        sinew.forward(self.model, self.probe)
        return float(self.probe.energy.sum())

    def step(self, count, every=1):
        d = self.data
        for k in range(count):
            sinew.step(self.model, d)
            if k % every == 0 or k == count - 1:
                self.gain = max(self.gain, self.energy() - self.start)
                self.speed = max(self.speed, float(np.abs(d.qvel).max()))
                self.force = max(self.force, float(np.abs(d.loop_force).max()))
                self.open = max(self.open, float(d.loop_error))
                assert np.isfinite(d.qvel).all()
        return self

    def check_stands(self, where, opening=2e-9):
        """At the place where it began, to what second order makes of an opening (m)."""
        h, mass = self.model.opt.timestep, float(self.model.body_mass.sum())
        shown = where, self.gain, self.speed, self.force / self.weight, self.open
        assert self.gain < 1e-6 + mass * (GRAVITY * h) ** 2 / 2, shown
        # a light body may have what gravity gives all of them within a step
        assert self.speed < max(0.1, GRAVITY * h * np.sqrt(mass / MASS)), shown
        assert self.open < opening, shown
        assert self.opened() == 0 or opening > 2e-9, shown


CASES = {
    "toggle": lambda **o: toggle(**o),
    "three in line": lambda **o: toggle(rods=3, kind="revolute", **o),
    "net of knots": lambda **o: net_of_knots(3, **o),
    "wide net": lambda **o: net_of_knots(6, **o),
    "net of rods": lambda **o: net_of_rods(3, **o),
}


@pytest.mark.parametrize("ratio", [1, 1e4])
@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("case", CASES)
def test_what_is_taut_stands(case, integrator, ratio):
    """From masses alike to 1 : 10000. Forces are bounded by what the smallest pivot that counts makes of weight."""
    for h in (1e-2, 1e-5) if case == "wide net" and not LONG else (1e-2, 1e-3, 1e-4, 1e-5):
        run = Run(CASES[case](h=h, integrator=integrator, ratio=ratio)).step(40)
        run.check_stands(h)
        assert run.force < 2 * run.weight / run.model.opt.loop_ranktol


@pytest.mark.parametrize("load", [0, 10, 1e3, 1e6] if LONG else [0, 1e6])
@pytest.mark.parametrize("rods", [4, 5, 9] if LONG else [4, 9])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_load_on_a_taut_chain_stands(integrator, rods, load):
    """Light rods with a heavy one among them: loops stay closed, and what energy there is stays that of a step.

    Forces of a step are those where it began, of RK4 those of its last stage, some way on: of the energy that a fall
    of a rod's length has, 1e-4 may come of that.
    """
    for h in (1e-2, 1e-3, 1e-4):
        run = Run(toggle(rods, kind="revolute", load=load, h=h, integrator=integrator)).step(
            150, every=3
        )
        mass = float(run.model.body_mass.sum())
        shown = h, run.gain, run.speed, run.open
        assert run.open < 2e-9 and np.abs(run.data.qpos).max() < 1e-2, shown
        assert run.gain < mass * (GRAVITY * h) ** 2 / 2 + 1e-4 * run.weight * LENGTH, shown
        fall = np.sqrt(2 * GRAVITY * 1e-4 * mass / MASS)  # what 0.1 mm of all give one rod
        assert run.speed * LENGTH < 0.2 + fall, shown


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize(
    "n, steps",
    [(3, 60_000), (5, 6000), (8, 600), (11, 60), (14, 20)] if LONG else [(3, 300), (5, 30)],
)
def test_nets_stand(n, steps, integrator):
    """A minute of the small ones in the long tests. Wide ones at 10 ms do not come all the way back within a step."""
    for ratio in (1, 1e4):
        for h in (1e-2, 1e-3):
            run = Run(net_of_knots(n, ratio, h=h, integrator=integrator))
            run.step(min(steps, round(60 / h)), every=17)
            run.check_stands((ratio, h), 1e-6 if n > 10 and h > 5e-3 else 2e-9)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("h", [1e-2, 1e-3, 1e-4, 1e-5])
def test_toggles_stand(h, integrator):
    for rods in (2, 3):
        run = Run(toggle(rods, h=h, integrator=integrator))
        run.step(min(round(60 / h), 600_000 if LONG else 200), every=97).check_stands(rods)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
@pytest.mark.parametrize("make", [toggle, lambda **o: net_of_knots(4, **o)])
def test_all_solutions_and_no_projection(make, integrator):
    for option, value in (("loop_solution", 1), ("loop_solution", 2), ("loop_project", 0)):
        for h in (1e-2, 1e-3):
            run = Run(make(h=h, integrator=integrator))
            setattr(run.model.opt, option, value)
            run.step(100)
            if option == "loop_solution":
                run.check_stands((option, value, h))
            else:  # T_stab brings back what a step opens, (g h^2)^2 / L
                fall = GRAVITY * h * h
                assert run.open < 200 * fall * fall / LENGTH, h
                assert run.speed < 20 * GRAVITY * h and run.energy() < run.start, h


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("short", [1e-3, 1e-5, 1e-7, 1e-9])
def test_nearly_stretched_toggles_stand(short, integrator):
    """They sag by sqrt(short L), loaded across by their weight, and cannot move."""
    for h in (1e-2, 1e-3, 1e-4):
        run = Run(toggle(short=short, h=h, integrator=integrator)).step(100)
        run.check_stands((short, h))
        sag = LENGTH * abs(np.sin(run.data.qpos[0]))
        assert sag == pytest.approx(np.sqrt(short * LENGTH), rel=0.1, abs=2e-5)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_what_is_taut_and_pushed_across_comes_to_rest(integrator):
    """No gravity: a velocity that second order forbids goes, and nothing comes back of it."""
    for h in (1e-2, 1e-3, 1e-4):
        for text in (
            toggle(h=h, integrator=integrator, gravity=0),
            net_of_knots(4, h=h, integrator=integrator, gravity=0),
        ):
            run = Run(text)
            run.data.qvel[:] = 1e-2 * np.random.default_rng(1).normal(size=run.model.nv)
            run.start = run.energy()
            run.step(100)
            assert run.gain < 1e-12 and run.opened() == 0
            if run.model.nv == 2:
                assert np.abs(run.data.qvel).max() < 0.05 and np.abs(run.data.qpos).max() < 1e-4


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("gravity", [0, -GRAVITY])
def test_a_pin_that_goes_beyond_reach(gravity, integrator):
    """By 1 cm at 0.1 m/s: the loops are open by no more than that, which is counted; nothing flies."""
    for h in (1e-2, 1e-3):
        run = Run(net_of_knots(3, mocap=True, h=h, integrator=integrator, gravity=gravity))
        start = float(run.data.mocap_pos[0, 0])
        for k in range(60 if h > 5e-3 else 300):
            run.data.mocap_pos[0, 0] = start + min(0.01, 0.1 * h * k)
            sinew.step(run.model, run.data)
            assert np.abs(run.data.qvel).max() < 0.5, (h, k)
            assert run.data.loop_error < 0.011, (h, k)
            assert np.abs(run.data.loop_force).max() < 4 * run.weight / run.model.opt.loop_ranktol
        assert run.opened() > 10


BALL = """<body pos=".31 .003 .2"><freejoint/><geom size=".05" mass="1" contype="0" conaffinity="1"/></body>
</worldbody>"""


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_ball_that_falls_on_what_is_taut(integrator):
    """It bounces off as from a bar, the same way under all integrators and steps."""
    for h in (5e-3, 1e-3, 1e-4):
        text = toggle(h=h, integrator=integrator).replace('contype="0"', 'contype="1"')
        run = Run(text.replace("</worldbody>", BALL)).step(round(0.6 / h), every=5)
        assert run.gain < 1e-9 and run.opened() == 0 and run.open < 1e-10
        assert run.data.qpos[4] == pytest.approx(-0.266, abs=3e-3), h
        assert np.abs(run.data.qpos[:2]).max() < 5e-5


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_redundant_pins(integrator):
    """The middle of a stretched toggle is pinned where it is, too."""
    for h in (1e-2, 1e-3, 1e-4):
        text = toggle(h=h, integrator=integrator)
        pin = f'<site name="middle" pos="{LENGTH} 0 0"/></worldbody>'
        loop = '<text name="sinew_loop_middle" data="spherical middle knee"/></custom>'
        text = text.replace("</worldbody>", pin).replace("</custom>", loop)
        text = text.replace('<body pos="0.3', '<site name="knee" pos="0.3 0 0"/><body pos="0.3', 1)
        run = Run(text).step(100)
        run.check_stands(h)
        assert run.force < run.weight and np.abs(run.data.qpos).max() < 1e-6


def linkage(name, h, integrator):
    model, _ = load(name, timestep=h, integrator=int(getattr(sinew.Integrator, integrator.upper())))
    model.opt.enableflags = int(sinew.EnableBit.ENERGY)
    model.opt.disableflags = int(sinew.DisableBit.ACTUATION)
    return model


@pytest.mark.parametrize("angle", [0, np.pi])
@pytest.mark.parametrize("speed", [0, 1, -4])
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_parallelogram_let_go_in_line(integrator, speed, angle):
    """It falls as a parallelogram through its other singular pose, and gains no energy there."""
    for h in (1e-2, 1e-3):
        way = np.array([1, -1, 1])
        model = linkage("parallelogram", h, integrator)
        run = Run(model, angle * way, speed * way).step(round(2 / h))
        kinetic = run.weight * 0.3  # that of the fall, about
        assert run.gain < kinetic * (5e-2 * (h / 1e-2) if integrator != "RK4" else 1e-4), (
            h,
            run.gain,
        )
        assert run.speed > 6 and run.open < 2e-12
        np.testing.assert_allclose(run.data.qpos, run.data.qpos[0] * way, atol=1e-7)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_crank_at_dead_centre_under_load(integrator):
    """Crank and rod in one line, a load on the piston: regular, and the load moves nothing by a line that is exact."""
    for h in (1e-2, 1e-3, 1e-4):
        ends = []
        for load_on_piston in (0, -1000):
            model = linkage("slider_crank", h, integrator)
            run = Run(model, np.zeros(3), np.zeros(3))
            run.data.qfrc_applied[2] = load_on_piston
            sinew.forward(model, run.data)
            assert run.data.loop_rank == 2 and run.data.cluster_condition[0] < 100
            ends.append(run.data.qacc.copy())
            for _ in range(20):
                sinew.step(model, run.data)
                assert run.data.loop_error < 1e-11 and run.data.loop_rank == 2
        np.testing.assert_allclose(ends[0], ends[1], atol=1e-9)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_derivatives_say_that_a_pose_is_singular(integrator):
    """What bounds and slows motion there has no derivative; differences of steps have."""
    run = Run(toggle(integrator=integrator)).step(20)
    run.data.qvel[:] = 0.3, -0.6
    sinew.forward(run.model, run.data)
    with pytest.raises(sinew.NotSupportedError, match="singular pose.*transitionFD"):
        sinew.transitionDerivative(run.model, run.data)
    assert np.isfinite(sinew.transitionFD(run.model, run.data, 1e-6, True)[0]).all()
