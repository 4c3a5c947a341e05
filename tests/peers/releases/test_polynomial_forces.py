"""Springs and dampers as polynomials: stiffness="k k1 k2", damping="b b1 b2"."""

import re

import numpy as np
import pytest

import sinew
from meanings import INTEGRATORS, data, derivatives, lanes, near, run
from resisting import Both, float_lanes, text

POLYNOMIALS = {
    "free": 'stiffness="3 2 1" damping=".3 .2 .1"',
    "ball": 'stiffness="5 -1 2" damping=".5 .2 .3"',
    "hinge": 'stiffness="4 1 3" springref="30" damping=".2 0 .1"',
    "slide": 'stiffness="0 0 9" damping="0 .7"',
    "lone": 'stiffness="0 3" damping="0 0 .4"',
    "x": 'stiffness="30 20 10" springref=".1" damping="1 2 3"',
    "fixed": 'stiffness="2 3 4" springlength="-.1 .2" damping=".1 .2 .3"',
    "spatial": 'stiffness="30 -2 4" damping="0 .5 1"',
    "world": 'stiffness="0 20 40" springlength=".5 .7" damping=".3 .1"',
}
STAGES = ("qfrc_spring", "qfrc_damper", "qfrc_passive", "energy", "qacc", "qfrc_smooth")
FIELDS = (
    "jnt_stiffness", "jnt_stiffnesspoly", "dof_damping", "dof_dampingpoly", "tendon_stiffness",
    "tendon_stiffnesspoly", "tendon_damping", "tendon_dampingpoly",
)  # fmt: skip


def flagged(option=""):
    return text(option, **POLYNOMIALS)


def test_polynomial_stages_are_the_peers():
    both = Both(flagged())
    both.same_fields(*FIELDS)
    both.agree("forward", both.states(100), STAGES)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_polynomial_steps_are_the_peers(integrator):
    both = Both(flagged(f'integrator="{integrator}"'))
    both.agree("step", both.states(10), ("qpos", "qvel"), 1e-10)


NEGATIVE = {  # what is implicit by Euler: nothing; each dof, those that drive too
    "none": ({"hinge": 'damping="-1"'}, 0),
    "driven by others": ({"hinge": 'damping="-1"', "x": 'damping="0 -.1"'}, 1),
    "cubic": ({"slide": 'damping="-3 0 1" stiffness="-2 0 5"'}, 1),
}


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("case", NEGATIVE)
def test_negative_coefficients(case, integrator):
    both = Both(text(f'integrator="{integrator}"', **NEGATIVE[case][0]))
    both.agree("step", both.states(5), ("qpos", "qvel"), 1e-10)


def test_springdamper_leaves_the_rest():
    both = Both(text(x='stiffness="1 2 3" damping="4 5 6" springdamper=".1 1"'))
    both.same_fields(*FIELDS)


def test_inverse_of_polynomials():
    for integrator in INTEGRATORS:
        m = sinew.Model.from_xml(flagged(f'integrator="{integrator}"'), physics="4.0")
        m.opt.enableflags |= 8 if integrator != "RK4" else 0  # invdiscrete
        for state in Both(flagged()).states(3):
            d = data(m, state)
            before = d.qvel.copy()
            sinew.forward(m, d)
            applied, qacc = d.qfrc_actuator + d.qfrc_applied, d.qacc.copy()
            if integrator != "RK4":
                stepped = data(m, state)
                sinew.step(m, stepped)
                qacc = (stepped.qvel - before) / m.opt.timestep
            d.qacc[:] = qacc
            sinew.inverse(m, d)
            np.testing.assert_allclose(d.qfrc_inverse, applied, atol=1e-9)


def test_work_of_springs_is_their_energy():
    """The force is the slope of the potential along every dof."""
    m = sinew.Model.from_xml(flagged(), physics="4.0")
    m.opt.gravity[:] = 0
    d, eps = sinew.Data(m), 1e-5
    for state in Both(flagged()).states(3):
        d.qpos[:] = state["qpos"]
        sinew.forward(m, d)
        force = d.qfrc_spring.copy()
        for k in range(m.nv):
            energy = []
            for side in (eps, -eps):
                d.qpos[:] = sinew.integratePos(m, state["qpos"], np.eye(m.nv)[k], side)
                sinew.forward(m, d)
                energy.append(d.energy[0])
            assert abs((energy[1] - energy[0]) / (2 * eps) - force[k]) < 1e-5 * (1 + abs(force[k]))


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_derivatives_of_polynomials(integrator):
    both = Both(flagged(f'integrator="{integrator}"'))
    derivatives(both.m, both.states(2), 1e-6)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_gradients_by_coefficients(integrator):
    """By the arrays, of a sum of the velocities after a step: against differences."""
    m = sinew.Model.from_xml(flagged(f'integrator="{integrator}"'), physics="4.0")
    state = Both(flagged()).states(1)[0]
    weight = np.random.default_rng(3).normal(size=m.nv)
    d = data(m, state)
    sinew.forward(m, d)
    gradient = sinew.stepVJP(m, d, np.concatenate([0 * weight, weight]), model=FIELDS).model

    def after(array, index, value):
        keep, array[index] = array[index], value
        stepped = run(m, "step", [state], ["qvel"])[0]["qvel"]
        array[index] = keep
        return weight @ stepped

    for name in FIELDS:
        array = getattr(m, name)
        for index in np.ndindex(array.shape):
            at = array[index]
            slope = (after(array, index, at + 1e-4) - after(array, index, at - 1e-4)) / 2e-4
            near(gradient[name][index], slope, 1e-6, f"{name}{index}")


def test_polynomials_in_lanes():
    joints = {
        place: POLYNOMIALS[place] for place in ("free", "ball", "hinge", "slide", "lone", "x")
    }
    both = Both(text(**joints))
    fixed = text(**joints, fixed=POLYNOMIALS["fixed"])
    for tendon in ("u", "w"):  # spatial ones are the scalar engine's
        fixed = re.sub(rf'<spatial name="{tendon}".*?</spatial>', "", fixed)
    for integrator in ("Euler", "RK4", "implicitfast"):
        m = sinew.Model.from_xml(fixed, physics="4.0")
        m.opt.integrator = INTEGRATORS[integrator]
        lanes(m, both.states(5))


def test_polynomials_in_float_lanes():
    joints = {place: POLYNOMIALS[place] for place in ("ball", "hinge", "slide", "x")}
    both = Both(text(**joints).split("<tendon>")[0] + "</mujoco>")
    float_lanes(both.m, both.states(5))


def test_a_stiff_spring_holds():
    """A cubic wall of 1e6 N/m^3 stops a mass where the energy says."""
    m = sinew.Model.from_xml(
        '<mujoco><option timestep="1e-4" gravity="0 0 0" integrator="RK4"/><worldbody><body><joint type="slide" stiffness="0 0 1e6"/>'
        '<geom size=".1" mass="2"/></body></worldbody></mujoco>',
        physics="4.0",
    )
    d = sinew.Data(m)
    d.qvel[0] = 3
    farthest = 0
    for _ in range(2000):
        sinew.step(m, d)
        farthest = max(farthest, abs(d.qpos[0]))
    assert abs(farthest - (4 * 9 / 1e6) ** 0.25) < 1e-4


WRONG = {
    'stiffness="1 2 3 4"': "expected 1 to 3 numbers",
    'damping="1 2 3 4"': "expected 1 to 3 numbers",
    'stiffness="1 nan"': "nan is not a number",
}


@pytest.mark.parametrize("attribute", WRONG)
def test_wrong_coefficients(attribute):
    with pytest.raises(Exception, match=WRONG[attribute]):
        sinew.Model.from_xml(text(x=attribute), physics="4.0", strict=True)


def test_older_files_have_one_coefficient():
    with pytest.raises(sinew.ModelError, match="so many numbers came after"):
        sinew.Model.from_xml(text(x='stiffness="1 2"'), physics="3.3.7")


@pytest.mark.filterwarnings("ignore")
def test_huge_coefficients_reset():
    m = sinew.Model.from_xml(text(x='stiffness="0 0 1e300" damping="0 0 1e300"'), physics="4.0")
    d = sinew.Data(m)
    d.qpos[-2], d.qvel[:] = 1e5, 1e5
    for _ in range(3):
        sinew.step(m, d)
    assert np.isfinite(d.qpos).all() and d.warning[6].number + d.warning[5].number > 0


def test_polynomials_are_written():
    m = sinew.Model.from_xml(flagged(), physics="4.0")
    written = sinew.Spec.from_xml(flagged(), physics="4.0").to_xml()
    again = sinew.Model.from_xml(written)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(again, name), getattr(m, name))


def test_defaults_give_leading_numbers():
    source = text(x='stiffness="7" class="c"').replace(
        "<worldbody>",
        '<default><default class="c"><joint stiffness="1 2 3" damping="4 5"/></default></default><worldbody>',
    )
    both = Both(source)
    both.same_fields(*FIELDS)
