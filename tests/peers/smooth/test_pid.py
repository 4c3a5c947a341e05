"""PID controllers against the newest engine, stage by stage and step by step, and against linear algebra."""

import os

import numpy as np
import pytest

import meanings
import newest
import pid_arm
import sinew
from actuator_forms import hold_in_all_forms

LONG = bool(os.environ.get("SINEW_LONG"))
INTEGRATORS = meanings.INTEGRATORS | {"discrete": 4}
STAGE = "actuator_force act_dot actuator_length actuator_velocity qfrc_actuator".split()


def controller(rng):
    """One at random, whatever of it is there."""
    inputs, words = rng.choice(pid_arm.INPUTS), []
    for name, scale in (("kp", 20), ("kv", 2), ("dampratio", 1)):
        if name != "kv" or not any(w.startswith("damp") for w in words):
            words += [f'{name}="{rng.uniform(0, scale):.4g}"'] if rng.random() < 0.5 else []
    if any(w.startswith("kv") for w in words):
        words = [w for w in words if not w.startswith("damp")]
    if "pos" in inputs:
        for name, scale in (("ki", 9), ("imax", 0.5), ("slewmax", 50)):
            words += [f'{name}="{rng.uniform(0, scale):.4g}"'] if rng.random() < 0.6 else []
    for name in ("posrange", "velrange", "ffrange"):
        words += [f'{name}="-1.1 {rng.uniform(0, 2):.4g}"'] if rng.random() < 0.3 else []
    if rng.random() < 0.3:
        words.append('forcerange="-4 6"')
    return f'<pid {rng.choice(pid_arm.TARGETS)} input="{inputs}" {" ".join(words)}/>'


def general(rng):
    """As `general` writes one, with what the element cannot say."""
    ki, slew = rng.choice([0, 3.0]), rng.choice([0, 20.0])
    states = (
        f'dyntype="pid" actearly="{rng.choice(["true", "false"])}" actrange="-.6 .5"'
        if ki or slew
        else ""
    )
    return (
        f'<general {rng.choice(pid_arm.TARGETS)} gaintype="pid" biastype="affine" gainprm="{ki}" input="pos ff" '
        f'biasprm=".3 -4 -.2" dynprm=".4 {slew}" {states}/>'
    )


def pair(rng):
    """A model with six controllers and a servo between them, read by both."""
    made = [controller(rng) for _ in range(4)] + [general(rng), general(rng)]
    text = pid_arm.text("".join(made[:3]) + '<position joint="hinge" kp="3"/>' + "".join(made[3:]))
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    m.opt.tolerance, m.opt.iterations = 0, 200
    peer.set(tolerance=0, iterations=200)
    return m, peer, text


def place(rng, m, d, peer):
    """Both in the same random state."""
    sinew.resetData(m, d)
    d.qpos[:4] = rng.normal(size=4)
    d.qpos[:4] /= np.linalg.norm(d.qpos[:4])
    d.qpos[4:], d.qvel[:] = rng.normal(size=2), rng.normal(size=m.nv)
    d.act[:], d.ctrl[:] = rng.normal(size=m.na), 4 * rng.normal(size=m.nu)
    peer.call("mj_resetData")
    peer.put(qpos=d.qpos, qvel=d.qvel, ctrl=d.ctrl, **({"act": d.act} if m.na else {}))


def near(ours, theirs, tolerance, what):
    scale = max(1, np.abs(theirs).max(initial=0))
    assert np.abs(np.ravel(ours) - np.ravel(theirs)).max(initial=0) <= tolerance * scale, what


def check_states(rng, m, d, peer, text):
    """Forces and rates in random states, and a step from each by one of the integrators."""
    for k in range(10):
        place(rng, m, d, peer)
        sinew.forward(m, d)
        peer.call("mj_forward")
        seen = peer.look(*STAGE)
        for name in STAGE:
            near(getattr(d, name), getattr(seen, name), 1e-11, (k, name, text))
        word = list(INTEGRATORS)[k % 5]
        m.opt.integrator = getattr(sinew.Integrator, word.upper())
        peer.set(integrator=INTEGRATORS[word])
        sinew.step(m, d)
        peer.call("mj_step")
        seen = peer.look("qpos", "qvel", "act")
        for name in ("qpos", "qvel", "act"):
            near(getattr(d, name), getattr(seen, name), 1e-9, (k, word, name, text))


@pytest.mark.parametrize("seed", range(40 if LONG else 10))
def test_as_the_newest(seed):
    """Fields, forces and rates, and a step of each integrator."""
    rng = np.random.default_rng(seed)
    m, peer, text = pair(rng)
    fields = peer.get()
    for name in "ctrladr ctrlnum ctrlspec outadr outnum actadr actnum ctrllimited".split():
        name = f"actuator_{name}"
        assert np.array_equal(getattr(m, name), getattr(fields, name)), name
    for name in "ctrlrange gainprm biasprm dynprm gear acc0 length0".split():
        near(
            getattr(m, f"actuator_{name}"), getattr(fields, f"actuator_{name}"), 1e-10, (name, text)
        )
    d = sinew.Data(m)
    check_states(rng, m, d, peer, text)


def test_a_run():
    """A servo whose setpoint jumps, step by step."""
    text = pid_arm.text(
        '<pid joint="hinge" kp="40" kv="4" ki="20" imax=".2" slewmax="3" forcerange="-9 9"/>'
        '<pid joint="ball" gear="0 0 1" kp="9" kv="2" input="pos"/>'
    )
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    d = sinew.Data(m)
    for _ in range(5000 if LONG else 300):
        d.ctrl[:] = np.sign(np.sin(d.time)), np.cos(3 * d.time), 4 * np.sin(2 * d.time)
        peer.put(ctrl=d.ctrl)
        sinew.step(m, d)
        peer.call("mj_step")
    seen = peer.look("qpos", "qvel", "act")
    for name in ("qpos", "qvel", "act"):
        near(getattr(d, name), getattr(seen, name), 1e-6, name)


def test_poles_of_the_closed_loop():
    """I s^3 + kv s^2 + kp s + ki = 0; the step is the map of semi-implicit Euler, its eigenvalues are exp(s h)."""
    inertia, kp, kv, ki, h = 2.0, 30.0, 7.0, 11.0, 1e-3
    m = sinew.Model.from_xml(
        f"""<mujoco><custom><text name="sinew_physics" data="4.0"/></custom>
        <option timestep="{h}" gravity="0 0 0" integrator="RK4"/>
        <worldbody><body><joint name="j"/><inertial pos="0 0 0" mass="1" diaginertia="{inertia} {inertia} {inertia}"/>
        </body></worldbody>
        <actuator><pid joint="j" kp="{kp}" kv="{kv}" ki="{ki}"/></actuator></mujoco>"""
    )
    A = sinew.transitionFD(m, sinew.Data(m), 1e-6, True)[0]
    poles = np.sort_complex(np.log(np.linalg.eigvals(A).astype(complex)) / h)
    # RK4 moves activations by their rate at the beginning of each stage: of fourth order, as all else
    assert np.abs(poles - np.sort_complex(np.roots([inertia, kv, kp, ki]))).max() < 1e-5


def test_steady_error_is_none():
    """The integral takes what gravity leaves, and stands at imax where it may not."""
    for imax, rests in (("0", 1e-9), (".05", 0.45)):
        m = sinew.Model.from_xml(
            f"""<mujoco><custom><text name="sinew_physics" data="4.0"/></custom>
            <worldbody><body><joint name="j" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/></body></worldbody>
            <actuator><pid joint="j" kp="20" kv="9" ki="20" imax="{imax}"/></actuator></mujoco>"""
        )
        d = sinew.Data(m)
        d.ctrl[0] = 0.3
        sinew.step(m, d, 20000)
        assert abs(d.qpos[0] - 0.3) < rests + 1e-12
        if imax != "0":
            assert (
                abs(d.qpos[0] - 0.3) > 0.3
                and 0.05 <= d.act[0] < 0.05 + m.opt.timestep * 0.7 + 1e-12
            )


def test_whole_models(tmp_path):
    """Written, saved, copied, pickled, attached, by default classes: the same steps."""
    rng = np.random.default_rng(3)
    m, _, text = pair(rng)
    hold_in_all_forms(m, text, rng, tmp_path)


def test_classes_and_keys():
    text = """<mujoco><custom><text name="sinew_physics" data="4.0"/></custom>
    <default><pid kp="7" ki="2" input="pos ff" ffrange="-1 1"/><default class="soft"><pid kp="1"/></default></default>
    <worldbody><body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>
    <actuator><motor name="m" joint="j"/><pid name="p" joint="j"/><pid name="s" class="soft" joint="j"/></actuator>
    <keyframe><key name="k" ctrl="1 2 3 4 5" act="6 7"/></keyframe></mujoco>"""
    m = sinew.Model.from_xml(text)
    assert (m.nactuator, m.nu, m.nout, m.na) == (3, 5, 3, 2)
    assert m.actuator_biasprm[:, 1].tolist() == [0, -7, -1]
    assert m.actuator_ctrllimited.tolist() == [0, 0, 1, 0, 1]
    d = sinew.Data(m)
    sinew.resetDataKeyframe(m, d, 0)
    assert d.ctrl.tolist() == [1, 2, 3, 4, 5]
    assert m.actuator("p").ctrlrange.tolist() == [[0, 0], [-1, 1]]
    assert m.actuator("m").ctrlrange.tolist() == [0, 0]
    assert d.actuator("s").force.shape == (1,)
    parent = sinew.Spec.from_xml(
        '<mujoco><custom><text name="sinew_physics" data="4.0"/></custom><worldbody><frame name="f"/></worldbody></mujoco>'
    )
    parent.attach(sinew.Spec.from_xml(text), prefix="a_")
    both = parent.compile()
    assert both.key_ctrl.tolist() == [[1, 2, 3, 4, 5]]
    assert np.array_equal(both.actuator_biasprm, m.actuator_biasprm)


def test_batches_do_the_same():
    """Lanes step it with the bits of the scalar engine, or leave it to that."""
    m, _, _ = pair(np.random.default_rng(5))
    rng = np.random.default_rng(1)
    batch, d = sinew.Batch(m, 9), sinew.Data(m)
    ctrl = rng.normal(size=(9, m.nu))
    batch.step(ctrl, nstep=40)
    for k in range(9):
        sinew.resetData(m, d)
        d.ctrl[:] = ctrl[k]
        sinew.step(m, d, 40)
        assert np.allclose(batch.qpos[k], d.qpos, rtol=0, atol=1e-9)
        assert np.allclose(batch.act[k], d.act, rtol=0, atol=1e-9)


def test_controls_that_are_not_finite():
    """All controls count as 0 then, and a warning says which actuator it was."""
    m = sinew.Model.from_xml(
        pid_arm.text('<motor joint="slide"/><pid name="p" joint="hinge" ki="1"/>')
    )
    d = sinew.Data(m)
    d.ctrl[:] = 1, 2, np.nan
    with pytest.warns(sinew.SimulationWarning, match='last: actuator "p"'):
        sinew.forward(m, d)
    assert d.actuator_force[0] == 0 and np.isfinite(d.qacc).all()


WRONG = {
    '<pid joint="hinge" kv="-1"/>': "kv is -1, must not be negative",
    '<pid joint="hinge" ki="-1"/>': "ki is -1, must not be negative",
    '<pid joint="hinge" slewmax="-1"/>': "slewmax is -1, must not be negative",
    '<pid joint="hinge" imax="-1"/>': "imax is -1, must not be negative",
    '<pid joint="hinge" dampratio="1" kv="1"/>': "exclude each other",
    '<pid joint="hinge" inheritrange="1" posrange="0 1"/>': "exclude each other",
    '<pid joint="hinge" input="vel pos"/>': "in this order",
    '<pid joint="hinge" input="pos pos"/>': "in this order",
    '<pid joint="hinge" input="position"/>': "in this order",
    '<pid joint="hinge" input="pressure"/>': "in this order",
    '<pid joint="hinge" input="vel" ki="1"/>': "need the input pos",
    '<pid joint="hinge" velrange="1 1" />': None,
    '<pid joint="hinge" ctrllimited="true"/>': "the first must be smaller",
    '<pid joint="hinge" actrange="0 1"/>': "actrange",
    '<general joint="hinge" gaintype="pid"/>': "biastype affine",
    '<general joint="hinge" dyntype="pid"/>': "goes with gaintype pid",
    '<general joint="hinge" gaintype="pid" biastype="affine"/>': "need dyntype pid",
    '<general joint="hinge" gaintype="pid" biastype="affine" gainprm="0" dyntype="pid"/>': "dyntype pid needs ki",
    '<general joint="hinge" gaintype="pid" biastype="affine" gainprm="0" dyntype="filter"/>': "dyntype pid, or none",
    '<general joint="hinge" gaintype="pid" biastype="affine" dyntype="pid" actdim="2"/>': "actdim is 2",
    '<general joint="hinge" input="ff"/>': "pos, vel or pressure",
    '<general joint="hinge" gaintype="so3"/>': "go together",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_cannot_be_meant(text):
    if WRONG[text] is None:
        sinew.Model.from_xml(pid_arm.text(text))
        return
    with pytest.raises((sinew.ModelError, sinew.NotSupportedError), match=WRONG[text]):
        sinew.Model.from_xml(pid_arm.text(text))


def test_a_negative_gain_is_a_warning():
    with pytest.warns(sinew.ModelWarning, match="kp is -1"):
        sinew.Model.from_xml(pid_arm.text('<pid joint="hinge" kp="-1"/>'))


def test_under_the_older_rules():
    older = pid_arm.PHYSICS.replace("4.0", "3.3.7")
    for text in ('<pid joint="hinge"/>', '<general joint="hinge" input="pos"/>'):
        with pytest.raises((sinew.ModelError, sinew.NotSupportedError), match="3.3.7"):
            sinew.Model.from_xml(pid_arm.text(text, physics=older))


def test_the_view_of_the_peer_refuses_it():
    import sinew.mujoco as mujoco

    with pytest.raises(ValueError, match="has 2 controls and 1 forces"):
        mujoco.MjModel.from_xml_string(pid_arm.text('<pid name="p" joint="hinge"/>'))
