"""DC motors against the newest engine, stage by stage and step by step, and against what data sheets say of them."""

import copy
import os
import pickle
import warnings

import numpy as np
import pytest

import newest
import sinew
from actuator_forms import hold_in_all_forms, state
from pid_arm import TARGETS
from pid_arm import text as arm
from test_pid import INTEGRATORS, check_states, near, place

LONG = bool(os.environ.get("SINEW_LONG"))
INPUTS = (
    "voltage", "none", "pos", "vel", "ff", "pos vel", "pos vel ff", "ff voltage", "pos voltage", "pos vel ff voltage",
)  # fmt: skip
LIMITS = {
    '<fixed name="tendon">': '<fixed name="tendon" actuatorfrcrange="-3 2">',
    '<joint name="slide" type="slide"/>': '<joint name="slide" type="slide" actuatorfrcrange="-2 4"/>',
}
PARAMETERS = "gainprm dynprm biasprm forcerange forcelimited ctrlrange ctrllimited actearly".split()


def numbers(rng, *scales):
    return " ".join(f"{rng.uniform(0.1, 1) * s:.5g}" for s in scales)


def motor(rng, whole=False):
    """One at random, whatever of it is there; `whole`: with all five activations."""

    def has(chance=0.5):
        return whole or rng.random() < chance

    target, inputs = rng.choice(TARGETS), rng.choice([i for i in INPUTS if not whole or "pos" in i])
    words = [f'motorconst="{numbers(rng, 2)}" resistance="{numbers(rng, 3)}" input="{inputs}"']
    if has():
        words.append(f'inductance="{numbers(rng, *rng.choice([[0.1, 0], [0, 0.05]]))}"')
    if has():
        words.append(f'thermal="{numbers(rng, 1, 2, 0, 0.02, 25, 40)}"')
    if has():
        words.append(f'cogging="{numbers(rng, 2)} {rng.integers(1, 9)} {numbers(rng, 3)}"')
    if has():
        words.append(f'lugre="{numbers(rng, 40, 2, 1, 2, 1)}"')
    if rng.random() < 0.5:
        words.append(
            f'saturation="{numbers(rng, *rng.choice([[4, 0, 0], [0, 4, 0], [4, 1, 90]]))}"'
        )
    if any(word in inputs for word in ("pos", "vel", "ff")) and has():
        keep = [1, 1, 1, 1, 0.5, 0.5] if whole else [0.7] * 6
        gains = [20, 5 if "pos" in inputs else 0, 3, 9, 0.8, 12] * (rng.random(6) < keep)
        words.append(f'controller="{numbers(rng, *gains)}"')
    if rng.random() < 0.3:
        words.append('ctrlrange="-1.1 2"')
    if "site" not in target and rng.random() < 0.3:
        words.append('armature=".1" damping=".2 .1"')
    return f"<dcmotor {target} {' '.join(words)}/>"


def general(rng):
    """As `general` writes one, with what the element cannot say."""
    return (
        f'<general {rng.choice(TARGETS)} dyntype="dcmotor" gaintype="dcmotor" biastype="dcmotor" actearly="true" '
        f'input="pos ff" gainprm="2 .8 .01 20 5 3 -1 8" dynprm=".02 40 1 3 30 50 -.4 9 .3" biasprm=".5 3 .2 .4 .2 .3" '
        f'forcerange="-1 2"/>'
    )


def pair(rng):
    """A model with six motors and a servo between them, read by both."""
    made = [motor(rng), motor(rng), motor(rng, whole=True), general(rng), motor(rng), motor(rng)]
    text = arm("".join(made[:3]) + '<position joint="hinge" kp="3"/>' + "".join(made[3:]))
    for plain, limited in LIMITS.items():
        if rng.random() < 0.5:
            text = text.replace(plain, limited)
    return sinew.Model.from_xml(text), newest.load(text), text


def search_to_the_end(m, peer):
    """Steps of `discrete` that couple branches are searched: here to rounding."""
    m.opt.tolerance, m.opt.iterations = 0, 300
    peer.set(tolerance=0, iterations=300, ls_tolerance=1e-10)


@pytest.mark.parametrize("seed", range(40 if LONG else 10))
def test_dcmotor_as_the_newest(seed):
    """Fields, forces and rates, and a step of each integrator."""
    rng = np.random.default_rng(seed)
    m, peer, text = pair(rng)
    fields = peer.get()
    for name in "ctrladr ctrlnum ctrlspec outadr outnum actadr actnum".split():
        name = f"actuator_{name}"
        assert np.array_equal(getattr(m, name), getattr(fields, name)), name
    for name in [*PARAMETERS, "gear", "acc0", "length0"]:
        ours, theirs = (getattr(one, f"actuator_{name}") for one in (m, fields))
        near(np.float64(ours), np.float64(theirs), 1e-10, (name, text))
    d = sinew.Data(m)
    search_to_the_end(m, peer)
    check_states(rng, m, d, peer, text)


def test_a_run_of_motors():
    """A servo of a warm motor with friction, and one by its voltage, step by step."""
    text = arm(
        '<dcmotor joint="hinge" motorconst="1.2" resistance="2" inductance="0 .004" thermal=".5 8 0 .004 25 30" '
        'cogging=".1 6 .2" lugre="200 .4 .3 .5 .1" controller="40 20 4 3 .2 24" input="pos vel" saturation="9"/>'
        '<dcmotor joint="slide" nominal="12 6 4" inductance=".003" lugre="300 1 .4 .6 .1"/>'
    )
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    search_to_the_end(m, peer)
    for one in ("implicitfast", "discrete"):
        m.opt.integrator = getattr(sinew.Integrator, one.upper())
        peer.set(integrator=INTEGRATORS[one])
        d = sinew.Data(m)
        peer.call("mj_resetData")
        for _ in range(5000 if LONG else 300):
            d.ctrl[:] = np.sign(np.sin(d.time)), np.cos(3 * d.time), 12 * np.sin(2 * d.time)
            peer.put(ctrl=d.ctrl)
            sinew.step(m, d)
            peer.call("mj_step")
        seen = peer.look("qpos", "qvel", "act")
        for name in ("qpos", "qvel", "act"):
            near(getattr(d, name), getattr(seen, name), 1e-6, (one, name))


B = 'motorconst=".1" resistance="2"'
FULL = (
    f'{B} inductance=".004" thermal="1 10 0 .004 25 30" saturation="0 5 100" cogging=".1 6 .3" lugre="100 1 .1 .2 .01" '
    'controller="10 1 1 5 1 24" input="pos vel"'
)
ATTRIBUTES = [
    B, 'motorconst="0 .1" resistance="2"', 'motorconst=".1 .4" resistance="2"', 'nominal="24 2 100"',
    'nominal="24 2 100" motorconst=".1"', 'nominal="24 2 100" motorconst="0 .1"', 'nominal="24 2 100" resistance="3"',
    'nominal="24 2 100" resistance="0"', 'nominal="24 2" motorconst=".1"', 'nominal="24 0 100" resistance="3"', "",
    'resistance="2"', 'motorconst=".1"', 'motorconst="-.1 .4" resistance="2"', 'motorconst=".1" resistance="-1"',
    'nominal="24 2"', 'nominal="0 2 100" motorconst=".1"',
    *(f'{B} inductance="{w}"' for w in (".004", "0 .003", ".004 .003", "0", "-1", "0 -1")),
    *(f'{B} thermal="{w}"' for w in ("1 10", "1 0 20", "0 10 20", "1 10 20", "1", "0 10", "0 0 20", "1 10 0 .004 25 30", "0 0 0 .004 3 4")),
    *(f'{B} saturation="{w}"' for w in ("3", "0 5", "3 5", "0 5 100", "0 0 100", "0")),
    *(f'{B} cogging="{w}"' for w in (".1", ".1 6 .3", "-.1 6.5")),
    *(f'{B} lugre="{w}"' for w in ("100 1 .1", "100 1 .3 .2 .01", "0 1 .1 .2 .01", "100 1 0 .1 .01")),
    *(f'{B} controller="{w}' for w in (
        '10"', '10" input="pos"', '10 1 1 5 1 24" input="pos vel ff voltage"', '10 1" input="vel"', '10" input="vel"',
        '0 0 0 0 0 24"', '0 0 0 0 1"', '0 0 0 5" input="ff"', '0 0 0 5"', '0 0 0 5" input="none"', '0 0 1" input="voltage"')),
    *(f'{B} input="{w}"' for w in (*INPUTS, "", " pos  voltage ", "voltage pos", "none voltage", "pressure", "pos pos", "x")),
    'resistance="2" input="none"', 'input="none"', 'resistance="2" input="none" lugre="100 1 .1" inductance=".1"',
    f'{B} input="pos vel ff voltage" ctrlrange="-1 2"', f'{B} ctrlrange="-1 1" ctrllimited="false"', f'{B} ctrllimited="true"',
    f'{B} input="none" ctrlrange="-1 1"', f'{B} input="none" ctrllimited="true"', f'{B} input="none" nsample="3" delay=".02"',
    *(f'{B} {w}="1"' for w in ("forcerange", "actrange", "posrange", "actearly", "kp", "inheritrange", "dynprm")),
]  # fmt: skip
IN_CLASSES = [
    ("", 'nominal="24 2 100"'), ('motorconst=".1"', 'nominal="24 2 100"'), ('resistance="5"', 'nominal="24 2 100"'),
    ('nominal="24 2 100"', B), ('resistance="0" nominal="24 2 100"', B), ('resistance="2"', 'motorconst=".1"'),
    (B, 'input="pos"'), ("", 'resistance="2" input="none"'), (B, ""),
    *((w, FULL) for w in (
        "", 'resistance="4"', 'motorconst=".2"', 'motorconst="0 .3"', 'motorconst="0"', 'nominal="24 2 100"', 'nominal="0"',
        'inductance="0"', 'inductance=".008"', 'inductance="0 .5"', 'saturation="0"', 'saturation="0 0 0"', 'saturation="0 0 50"',
        'saturation="0 8"', 'thermal="0"', 'thermal="2"', 'thermal="0 0 20"', 'thermal="2 0 0 .1"', 'thermal="0 0 0 0 0 0"',
        'cogging="0"', 'cogging=".2"', 'lugre="0"', 'lugre="50 2"', 'controller="0"', 'controller="20"',
        'controller="0 0 0 0 0 0" input="voltage"', 'input="voltage"', 'input="pos"', 'input=""')),
]  # fmt: skip


def both_read(text):
    """The same numbers, or refused by both."""
    theirs = ours = None
    try:
        theirs = newest.load(text)
    except ValueError:
        with pytest.raises((sinew.ModelError, sinew.NotSupportedError)):
            sinew.Model.from_xml(text)
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours, fields = sinew.Model.from_xml(text), theirs.get()
    for name in [*PARAMETERS, "ctrlspec", "ctrlnum", "actnum"]:
        one, other = (np.float64(getattr(m, f"actuator_{name}")) for m in (ours, fields))
        assert one.shape == other.shape and np.allclose(one, other, rtol=1e-14, atol=0), (
            text,
            name,
        )


@pytest.mark.parametrize("attributes", ATTRIBUTES)
def test_what_data_sheets_say(attributes):
    both_read(arm(f'<dcmotor joint="slide" {attributes}/>'))


@pytest.mark.parametrize(("attributes", "default"), IN_CLASSES)
def test_classes_of_motors(attributes, default):
    text = arm(f'<dcmotor joint="slide" {attributes}/>')
    both_read(text.replace("<worldbody>", f"<default><dcmotor {default}/></default><worldbody>"))


@pytest.mark.parametrize(
    ("default", "element"),
    [
        ('<general forcerange="-7 7" dynprm="1 2 3" gainprm="1 2 3 4 5"/>', f"<dcmotor {B} "),
        ('<general forcerange="-7 7"/>', f'<dcmotor {B} saturation="0" '),
        ('<pid kp="7" ki="2" slewmax="3"/>', f"<dcmotor {B} "),
        ('<position kp="7" timeconst=".1"/>', f"<dcmotor {B} "),
        (f"<dcmotor {FULL}/>", "<motor "),
        (f"<dcmotor {FULL}/>", "<pid "),
        (f"<dcmotor {FULL}/>", "<general "),
        (f"<dcmotor {FULL}/>", "<position "),
    ],
)
def test_motors_beside_other_shortcuts(default, element):
    text = arm(f'{element} joint="slide"/>')
    both_read(text.replace("<worldbody>", f"<default>{default}</default><worldbody>"))


# ---- what the manual says of a motor

ONE = """<mujoco><custom><text name="sinew_physics" data="4.0"/></custom>
<option timestep="{h}" gravity="0 0 0" integrator="{integrator}"/>
<worldbody><body><joint name="j"/><inertial pos="0 0 0" mass="1" diaginertia="{I} {I} {I}"/></body></worldbody>
<actuator><dcmotor name="m" joint="j" {words}/></actuator></mujoco>"""


def one(words, h=1e-3, inertia=0.01, integrator="implicitfast"):
    return sinew.Model.from_xml(ONE.format(h=h, integrator=integrator, I=inertia, words=words))


def locked(m, steps, ctrl):
    """Forces of a motor whose rotor is held."""
    d, found = sinew.Data(m), []
    for _ in range(steps):
        d.qvel[:], d.qpos[:], d.ctrl[:] = 0, 0, ctrl
        sinew.step(m, d)
        found.append(d.actuator_force[0])
    return d, found


def test_a_nominal_point():
    """Torque at stall, speed without load, and the line between them."""
    m = one('nominal="24 2 100"')
    d = sinew.Data(m)
    for speed in (0, 25, 50, 100):
        d.qvel[0], d.ctrl[0] = speed, 24
        sinew.forward(m, d)
        assert abs(d.actuator_force[0] - 2 * (1 - speed / 100)) < 1e-13
    d.qvel[0] = 0
    sinew.step(m, d, 20000)
    assert abs(d.qvel[0] - 100) < 1e-9


def test_a_current_rises_by_its_time_constant():
    """Exactly, however long the steps are; and by its greatest rate where there is one."""
    for h in (1e-4, 3e-3, 0.05):
        m = one(f'{B} inductance="0 .004"', h=h)
        d, force = locked(m, 8, 12)
        t = h * np.arange(1, 9)
        assert np.allclose(force, 0.1 * 6 * (1 - np.exp(-t / 0.004)), rtol=1e-13)
    m = one(f'{B} inductance="0 .004" saturation="0 0 50"', h=1e-4)
    d, _ = locked(m, 20, 12)
    assert d.act[0] == pytest.approx(50 * 0.004 * (1 - np.exp(-1e-4 / 0.004)) * 20, rel=1e-12)


def test_the_heat_of_a_stall():
    """It ends where the heat goes that the warmer resistance makes."""
    m = one(f'{B} thermal="2 .5 0 .004 25 30"')
    d, _ = locked(m, 20000, 12)
    roots = np.roots([2 * 0.004, 2 * (1 + 0.004 * 5), -2 * 144])
    assert d.act[0] == pytest.approx(roots.max(), rel=1e-6)
    _, force = locked(m, 1, 12)
    assert d.actuator_force[0] == pytest.approx(
        0.1 * 12 / (2 * (1 + 0.004 * (d.act[0] + 5))), rel=1e-6
    )
    assert force[0] == pytest.approx(0.1 * 12 / (2 * (1 + 0.004 * 5)), rel=1e-12)


def test_friction_breaks_away_and_slides():
    """Below the torque at rest it holds, above it goes; sliding it has what the Stribeck curve says."""
    words = 'resistance="1" motorconst="1" lugre="2000 4 .3 .5 .2"'
    for torque, goes in ((0.45, False), (0.55, True)):
        m = one(words, inertia=0.1)
        d = sinew.Data(m)
        d.qfrc_applied[0] = 0
        for k in range(4000):
            d.qfrc_applied[0] = torque * min(1, k / 2000)
            d.ctrl[0] = d.qvel[0]  # no current
            sinew.step(m, d)
        assert (abs(d.qvel[0]) > 0.5) == goes
        if not goes:
            assert abs(d.qpos[0]) < 1e-3
    m = one(words)
    for speed in (0.05, 0.2, 1.0, -1.0):
        d = sinew.Data(m)
        for _ in range(3000):
            d.qvel[0], d.ctrl[0] = speed, speed
            sinew.step(m, d)
        d.qvel[0] = speed
        sinew.forward(m, d)
        level = 0.3 + 0.2 * np.exp(-((speed / 0.2) ** 2))
        assert d.actuator_force[0] == pytest.approx(-np.sign(speed) * level, rel=1e-6)


def test_an_integral_takes_the_load():
    """It rests at Imax where it may not take it all."""
    for bound, held in ((0, True), (1, True), (0.01, False)):
        m = one(f'{B} controller="20 20 2 0 {bound}" input="pos"')
        d = sinew.Data(m)
        d.ctrl[0], d.qfrc_applied[0] = 0.3, -2
        sinew.step(m, d, 20000)
        assert (abs(d.qpos[0] - 0.3) < 1e-6) == held
        assert held or d.act[0] == 0.01


def test_a_stiff_controller_by_long_steps():
    """The integrator discrete holds it, with and without a current that lags."""
    for lag in ("", 'inductance="0 1e-3"', 'inductance="0 .05"'):
        m = one(f'{B} controller="5000 0 20" input="pos" {lag}', h=0.02, integrator="discrete")
        d = sinew.Data(m)
        d.ctrl[0] = 1
        sinew.step(m, d, 3000)
        assert (
            np.isfinite(d.qvel[0])
            and abs(d.qpos[0]) < 3
            and not d.warning[sinew.Warning.BADQACC].number
        )


# ---- what is asked of it that cannot be


@pytest.mark.parametrize("resistance", ["1e-6", "1e6"])
@pytest.mark.parametrize("lag", ["", 'inductance="0 1e-9"', 'inductance="0 1e9"'])
def test_extreme_windings(resistance, lag):
    text = ONE.format(
        h=1e-3, integrator="implicitfast", I=0.01,
        words=f'motorconst="1" resistance="{resistance}" thermal="1 1" {lag}',
    )  # fmt: skip
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    d = sinew.Data(m)
    d.ctrl[0], d.qvel[0] = 1e-3, 0.1
    peer.put(ctrl=d.ctrl, qvel=d.qvel)
    sinew.step(m, d, 3)
    peer.call("mj_step", 3)
    for name in ("qvel", "act"):
        theirs = getattr(
            peer.look(name), name
        )  # 4.0.1 has 1 - exp(-h/te) by a difference of numbers near 1
        assert np.allclose(
            getattr(d, name), theirs, rtol=1e-4 if "1e9" in lag else 1e-9, atol=1e-12
        )
    assert np.isfinite(d.act).all() and np.isfinite(d.qvel).all()


def test_controls_of_motors_that_are_not_finite():
    """All controls count as 0 then: what is left is what the motor loses by its speed, and its friction."""
    m = sinew.Model.from_xml(
        arm(
            f'<motor joint="hinge"/><dcmotor joint="slide" name="m" {B} cogging=".3 5 .4" input="pos voltage"/>'
        )
    )
    for bad in (np.nan, np.inf, 1e300):
        d = sinew.Data(m)
        d.qvel[4] = 0.7
        d.ctrl[:] = 1, 1, bad
        with pytest.warns(sinew.SimulationWarning, match='last: actuator "m"'):
            sinew.forward(m, d)
        assert d.actuator_force[0] == 0
        assert d.actuator_force[1] == pytest.approx(0.3 * np.sin(0.4), rel=1e-12)


@pytest.mark.parametrize("friction", ["100 1 0 0 .1", "100 1 0 0 0", "100 1 -.1 -.2 .1"])
def test_friction_of_nothing(friction):
    """None, where 4.0.1 has 7e14 N m for a bristle that is bent."""
    text = ONE.format(h=1e-3, integrator="implicitfast", I=0.01, words=f'{B} lugre="{friction}"')
    with pytest.warns(sinew.ModelWarning, match="there is no friction|should not be negative"):
        m = sinew.Model.from_xml(text)
    d, plain = sinew.Data(m), sinew.Data(one(B))
    d.qvel[0] = plain.qvel[0] = 0.7
    d.act[0], d.ctrl[0], plain.ctrl[0] = 0.1, 1, 1
    sinew.step(m, d)
    sinew.step(one(B), plain)
    assert d.act[0] == 0 and d.qvel[0] == plain.qvel[0]
    peer = newest.load(text)
    peer.put(qvel=[0.7], act=[0.1])
    peer.call("mj_forward")
    assert abs(peer.look("actuator_force").actuator_force[0]) > 1e12


NEGATIVE = {
    'saturation="-1"': "saturation: torque is -1",
    'saturation="0 -1"': "saturation: current is -1",
    'thermal="1 10 -5"': "thermal: timeconst is -5",
    'lugre="100 -1 .1"': "lugre: damping is -1",
    'controller="-1" input="pos"': "controller: kp is -1",
    'controller="1 0 -2" input="pos"': "controller: kd is -2",
    'controller="0 0 0 0 0 -24"': "controller: Vmax is -24",
    'nominal="-24 2 100"': "nominal: voltage is -24",
    'lugre="100 1"': "there is no friction",
}


@pytest.mark.parametrize("words", NEGATIVE)
def test_negative_numbers_are_named(words):
    text = arm(f'<dcmotor joint="slide" {B} {words}/>')
    newest.load(text)
    with pytest.warns(sinew.ModelWarning, match=NEGATIVE[words]):
        sinew.Model.from_xml(text)
    with pytest.raises(sinew.ModelError, match=NEGATIVE[words]):
        sinew.Model.from_xml(text, strict=True)


PARTS = 'joint="slide" actearly="true" dyntype="dcmotor" gaintype="dcmotor" biastype="dcmotor"'
WRONG = {
    f'<dcmotor joint="slide" {B} controller="10"/>': "gains need one of the inputs",
    f'<dcmotor joint="slide" {B} controller="0 0 0 5"/>': "slewmax needs one of the inputs",
    f'<dcmotor joint="slide" {B} controller="1 1" input="vel"/>': "ki needs the input pos",
    f'<dcmotor joint="slide" {B} input="vel pos"/>': "in this order, or none",
    f'<dcmotor joint="slide" {B} input="none" nsample="2"/>': "no control that could be kept",
    f'<dcmotor joint="slide" {B} thermal="1"/>': "two of resistance, capacitance",
    f'<dcmotor joint="slide" {B} saturation="-1 5"/>': "must not be negative",
    f'<dcmotor joint="slide" {B} inductance="-1"/>': "must not be negative",
    f'<dcmotor joint="slide" {B} forcerange="-1 1"/>': "forcerange",
    '<dcmotor joint="slide" resistance="2"/>': "the motor constant is 0",
    '<dcmotor joint="slide" motorconst="1"/>': "the resistance must be positive",
    '<dcmotor joint="slide" motorconst="-1" resistance="2"/>': "motorconst must not be negative",
    '<dcmotor joint="slide" motorconst="1" resistance="inf"/>': "is not finite",
    f'<dcmotor joint="slide" {B} cogging="1 nan inf"/>': "is not finite",
    f'<dcmotor site="tip" {B} damping="1"/>': "damping is added to the joint or tendon",
    f'<general {PARTS} dynprm="0" gainprm="0 1"/>': r"resistance \(gainprm\[0\]\)",
    f'<general {PARTS} dynprm="0" gainprm="1 -1"/>': r"constant \(gainprm\[1\]\) must not",
    f'<general {PARTS} dynprm="0" gainprm="1 0"/>': 'goes with input="none" alone',
    f'<general {PARTS} dynprm="0" gainprm="1 1" actdim="1"/>': "actdim is 1, the numbers of the motor make it 0",
    f'<general {PARTS} gainprm="1 1" actdim="2"/>': "actdim is 2, the numbers of the motor make it 1",
    f'<general {PARTS.replace("true", "false")} gainprm="1 1"/>': "actearly of a motor",
    f'<general {PARTS.replace("biastype", "group")}/>'.replace('group="dcmotor"', 'group="1"'): "go together",
    '<general joint="slide" gaintype="dcmotor" biastype="dcmotor" actearly="true" gainprm="1 1"/>': "needs dyntype dcmotor",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_motors_cannot_mean(text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises((sinew.ModelError, sinew.NotSupportedError), match=WRONG[text]):
            sinew.Model.from_xml(arm(text))


def test_motors_under_the_older_rules():
    older = '<text name="sinew_physics" data="3.3.7"/>'
    for text in (f'<dcmotor joint="slide" {B}/>', f'<general {PARTS} gainprm="1 1"/>'):
        with pytest.raises((sinew.ModelError, sinew.NotSupportedError), match="3.3.7"):
            sinew.Model.from_xml(arm(text, physics=older))


# ---- files, copies, engines


def test_whole_motors(tmp_path):
    """Written, saved, copied, pickled: the same steps."""
    rng = np.random.default_rng(3)
    m, _, text = pair(rng)
    hold_in_all_forms(m, text, rng, tmp_path)


def test_motors_in_classes_keys_and_attached():
    text = f"""<mujoco><custom><text name="sinew_physics" data="4.0"/></custom>
    <default><dcmotor {FULL}/><default class="soft"><dcmotor controller="1" resistance="4"/></default></default>
    <worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
    <actuator><motor name="m" joint="j"/><dcmotor name="p" joint="j"/>
      <dcmotor name="n" joint="j" controller="0 0 0 0 0 0" input="none"/><dcmotor name="s" class="soft" joint="j"/></actuator>
    <keyframe><key name="k" ctrl="1 2 3 4 5" act="1 2 3 4 5 6 7 8 9 10 11 12 13"/></keyframe></mujoco>"""
    m = sinew.Model.from_xml(text)
    assert (m.nactuator, m.nu, m.nout, m.na) == (4, 5, 4, 13)
    assert m.actuator_ctrladr.tolist() == [0, 1, 3, 3] and m.actuator_ctrlnum.tolist() == [
        1,
        2,
        0,
        2,
    ]
    assert m.actuator_gainprm[3, :6].tolist() == [4, 0.1, 0.004, 25, 1, 1]
    d = sinew.Data(m)
    sinew.resetDataKeyframe(m, d, 0)
    assert d.ctrl.tolist() == [1, 2, 3, 4, 5] and d.act.tolist() == list(range(1, 14))
    assert m.actuator("p").ctrlrange.shape == (2, 2) and m.actuator("n").ctrlrange.shape == (0, 2)
    parent = sinew.Spec.from_xml(
        '<mujoco><custom><text name="sinew_physics" data="4.0"/></custom><worldbody><frame name="f"/></worldbody></mujoco>'
    )
    parent.attach(sinew.Spec.from_xml(text), prefix="a_")
    for both in (parent.compile(), sinew.Model.from_xml(parent.to_xml())):
        assert both.key_ctrl.tolist() == [[1, 2, 3, 4, 5]]
        for name in ("gainprm", "dynprm", "biasprm", "forcerange", "ctrlspec"):
            name = f"actuator_{name}"
            assert np.array_equal(getattr(both, name), getattr(m, name)), name
    repeated = text.replace(
        '<body name="b">', '<replicate count="2" offset="0 0 1"><body name="b">'
    ).replace("</body></worldbody>", "</body></replicate></worldbody>")
    assert sinew.Model.from_xml(repeated.partition("<keyframe>")[0] + "</mujoco>").na == 26


def test_a_motor_is_added_to_a_spec():
    spec = sinew.Spec.from_xml(arm(""))
    motor = spec.section("actuator").add(
        "dcmotor", "m", joint="slide", nominal=(24, 2, 100), input="pos vel", controller=(3, 0, 1)
    )
    m = spec.compile()
    assert (m.nu, m.na) == (2, 0) and m.actuator_gainprm[0, 4:7].tolist() == [3, 0, 1]
    motor.controller = 3, 2, 1
    m, d = spec.recompile(m, sinew.Data(m))
    assert m.na == 1 and d.act.shape == (1,)
    assert sinew.Model.from_xml(spec.to_xml()).actuator_gainprm[0, 4:7].tolist() == [3, 2, 1]


def test_files_of_motors_are_checked():
    """Numbers that do not go with the activations that a file has, in words."""
    m = sinew.Model.from_xml(arm(f'<dcmotor joint="slide" {FULL}/>'))
    for field, index, value in (
        ("actuator_dynprm", (0, 0), 0),
        ("actuator_gainprm", (0, 5), np.nan),
        ("actuator_ctrlspec", 0, 16),
        ("actuator_ctrlnum", 0, 4),
        ("actuator_biastype", 0, 0),
        ("actuator_dyntype", 0, 3),
    ):
        bad = copy.copy(m)
        getattr(bad, field)[index] = value
        with pytest.raises((sinew.ModelError, ValueError), match="actuator_"):
            pickle.loads(pickle.dumps(bad))


def test_late_motors():
    """All controls of a motor are late together."""
    text = arm(
        f'<dcmotor joint="slide" {B} controller="9 1 1 20" input="pos vel voltage" nsample="6" delay=".035" interp="linear"/>'
    )
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    d, rng = sinew.Data(m), np.random.default_rng(0)
    for _ in range(40):
        d.ctrl[:] = rng.normal(size=3)
        peer.put(ctrl=d.ctrl)
        sinew.step(m, d)
        peer.call("mj_step")
    near(
        state(m, d),
        np.concatenate([np.ravel(v) for v in vars(peer.look("qpos", "qvel", "act")).values()]),
        1e-9,
        "state",
    )


def test_motors_of_sleepers():
    """What sleeps has no force, and its activations stay."""
    text = """<mujoco><custom><text name="sinew_physics" data="4.0"/></custom>
    <option timestep="0.01"><flag sleep="enable"/></option>
    <worldbody><geom type="plane" size="1 1 .1"/>
      <body sleep="allowed" pos="0 0 .1"><joint type="slide" axis="0 0 1"/><joint name="j" type="slide"/>
        <geom type="box" size=".1 .1 .1"/></body></worldbody>
    <actuator><dcmotor joint="j" motorconst=".1" resistance="2" thermal="1 10" inductance="0 .1" lugre="100 1 .1"/></actuator>
    </mujoco>"""
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    d = sinew.Data(m)
    sinew.step(m, d, 60)
    peer.call("mj_step", 60)
    d.ctrl[0], d.act[:] = 5, [1, 0, 2]
    peer.put(ctrl=d.ctrl, act=d.act)
    sinew.step(m, d, 3)
    peer.call("mj_step", 3)
    seen = peer.look("act", "actuator_force", "tree_asleep")
    assert seen.tree_asleep[0] >= 0 and d.nasleep
    assert d.act.tolist() == [1, 0, 2] and d.actuator_force[0] == seen.actuator_force[0] == 0


def test_sensors_of_motors():
    sensors = "".join(f'<actuator{k} actuator="m"/>' for k in ("pos", "vel", "frc"))
    text = arm(f'<dcmotor name="m" tendon="fixed" gear="2" {FULL}/>').replace(
        "</actuator>", f"</actuator><sensor>{sensors}</sensor>"
    )
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    d = sinew.Data(m)
    place(np.random.default_rng(0), m, d, peer)
    sinew.forward(m, d)
    peer.call("mj_forward")
    near(d.sensordata, peer.look("sensordata").sensordata, 1e-11, "sensors")


def test_groups_that_are_off():
    """They give no force; bristles follow the motion and integrals their bounds, as in 4.0.1."""
    text = arm(f'<dcmotor joint="slide" group="2" {FULL}/>').replace(
        "<option", '<option actuatorgroupdisable="2"'
    )
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    d = sinew.Data(m)
    for word, number in INTEGRATORS.items():
        place(np.random.default_rng(number), m, d, peer)
        m.opt.integrator = getattr(sinew.Integrator, word.upper())
        peer.set(integrator=number)
        sinew.step(m, d)
        peer.call("mj_step")
        near(d.act, peer.look("act").act, 1e-10, word)
        assert d.actuator_force[0] == 0
