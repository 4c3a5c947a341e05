"""Orientation servos against the newest engine, stage by stage and step by step, and against rotations."""

import copy
import os
import pickle

import numpy as np
import pytest

import newest
import sinew
from test_pid import INTEGRATORS, near

LONG = bool(os.environ.get("SINEW_LONG"))
WORLD = """
<mujoco>
  <custom><text name="sinew_physics" data="4.0"/></custom>
  <option timestep="{step}" gravity="0 0 -2"/>
  <worldbody>
    <site name="ground" quat="1 .2 .1 0"/>
    <body>
      <joint name="ball" type="ball"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/>
      <site name="base" quat="1 .1 -.3 .2"/>
      <body pos=".3 0 0">
        <joint name="hinge" axis="0 1 0" range="-60 100"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".04"/>
        <body pos=".3 0 0">
          <joint name="end" type="ball"/><geom type="box" size=".08 .05 .1"/>
          <site name="tip" pos=".1 0 .1" quat="1 -.5 .2 .4"/><site name="side" quat="1 0 .5 0"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>{}</actuator>
  <sensor>
    <actuatorpos actuator="o"/><actuatorvel actuator="o"/><actuatorfrc actuator="o"/>
    <actuatorfrc actuator="o" cutoff=".4"/><actuatorfrc actuator="between"/>
  </sensor>
</mujoco>"""


def written(actuators, step=0.01):
    return WORLD.format(actuators, step=step)


TARGETS = (
    'joint="ball"', 'joint="end"', 'site="tip" refsite="ground"', 'site="tip" refsite="base"', 'site="base" refsite="tip"',
    'site="tip" refsite="side"', 'site="tip" refsite="tip"',
)  # fmt: skip
STAGE = "actuator_force act_dot actuator_length actuator_velocity qfrc_actuator sensordata".split()


def servo(rng, name=""):
    """One at random."""
    words = [f'name="{name}"'] if name else []
    words += [f'kp="{rng.uniform(0, 20):.4g}"'] if rng.random() < 0.8 else []
    if rng.random() < 0.7:
        words.append(rng.choice(["kv", "dampratio"]) + f'="{rng.uniform(0, 2):.4g}"')
    words += ['input="quat"'] if rng.random() < 0.5 else []
    words += [f'ctrlrange="-1.1 {rng.uniform(0, 2):.4g}"'] if rng.random() < 0.3 else []
    words += [f'forcerange="0 {rng.uniform(0, 9):.4g}"'] if rng.random() < 0.5 else []
    words += ['group="3"'] if rng.random() < 0.2 else []
    return f"<orientation {rng.choice(TARGETS)} {' '.join(words)}/>"


def general(rng):
    """As `general` writes one, with what the element cannot say."""
    dynamics = (
        'dyntype="integrator"',
        'dyntype="integrator" actearly="true"',
        'dyntype="integrator" actrange="-2 2.5"',
        "",
    )
    return (
        f'<general {rng.choice(TARGETS)} gaintype="so3" biastype="so3" gainprm="3 1 2" biasprm=".3 -3 -.2 1" '
        f'gear="2 1 0 0 3" {rng.choice(dynamics)} group="{rng.integers(2, 4)}"/>'
    )  # fmt: skip


def at_a_bound(m, force):
    """Whether a torque stands at its bound, where 4.0.1 asks whether rounding has left it below."""
    sizes = [np.linalg.norm(force[at : at + 3]) for at in m.actuator_outadr]
    limits = m.actuator_forcerange[:, 1]
    return any(
        on and abs(size - limit) < 1e-12 * limit
        for on, size, limit in zip(m.actuator_forcelimited, sizes, limits, strict=True)
    )


def pair(rng):
    """A model with six servos and another actuator between them, read by both."""
    made = [servo(rng, "o"), servo(rng), servo(rng), general(rng), general(rng), general(rng)]
    text = written(
        "".join(made[:3]) + '<position name="between" joint="hinge" kp="3"/>' + "".join(made[3:])
    )
    return sinew.Model.from_xml(text), newest.load(text), text


def place(rng, m, d, peer):
    """Both in the same random state."""
    sinew.resetData(m, d)
    d.qpos[:] = rng.normal(size=m.nq)
    for first in (0, 5):
        d.qpos[first : first + 4] /= np.linalg.norm(d.qpos[first : first + 4])
    d.qvel[:], d.act[:], d.ctrl[:] = (
        rng.normal(size=m.nv),
        2 * rng.normal(size=m.na),
        4 * rng.normal(size=m.nu),
    )
    peer.call("mj_resetData")
    peer.put(qpos=d.qpos, qvel=d.qvel, ctrl=d.ctrl, **({"act": d.act} if m.na else {}))


@pytest.mark.parametrize("seed", range(40 if LONG else 10))
def test_as_the_newest(seed):
    """Fields, forces, rates and sensors, and a step of each integrator."""
    rng = np.random.default_rng(seed)
    m, peer, text = pair(rng)
    fields = peer.get()
    assert (m.nJmom, m.nout, m.nu, m.nsensordata) == (
        fields.nJmom,
        fields.nout,
        fields.nu,
        fields.nsensordata,
    )
    for name in "trnid ctrladr ctrlnum ctrlspec outadr outnum actadr actnum ctrllimited forcelimited".split():
        name = f"actuator_{name}"
        assert np.array_equal(getattr(m, name), getattr(fields, name)), name
    for name in "ctrlrange forcerange gainprm biasprm gear acc0 length0 lengthrange".split():
        near(getattr(m, f"actuator_{name}"), getattr(fields, f"actuator_{name}"), 1e-10, (name, text))  # fmt: skip
    d = sinew.Data(m)
    for k in range(10):
        m.opt.disableactuator = 0 if k % 3 else 1 << 3
        peer.set(disableactuator=m.opt.disableactuator)
        place(rng, m, d, peer)
        sinew.forward(m, d)
        peer.call("mj_forward")
        seen = peer.look(*STAGE, "full_actuator_moment")
        for name in STAGE:
            near(getattr(d, name), getattr(seen, name), 1e-11, (k, name, text))
        moments = np.zeros((m.nout, m.nv))
        for row in range(m.nout):
            at = slice(d.moment_rowadr[row], d.moment_rowadr[row] + d.moment_rownnz[row])
            moments[row, d.moment_colind[at]] = d.actuator_moment[at]
        near(moments, seen.full_actuator_moment, 1e-12, text)
        word = list(INTEGRATORS)[k % 5]
        m.opt.integrator = getattr(sinew.Integrator, word.upper())
        peer.set(integrator=INTEGRATORS[word])
        sinew.step(m, d)
        peer.call("mj_step")
        if INTEGRATORS[word] > 1 and at_a_bound(m, d.actuator_force):
            continue
        seen = peer.look("qpos", "qvel", "act")
        for name in ("qpos", "qvel", "act"):
            near(getattr(d, name), getattr(seen, name), 1e-9, (k, word, name, text))


SINGULAR = [
    ("", [np.pi, 0, 0]), ("", [0, np.pi / 2, np.pi / 2]), ("", [2 * np.pi, 0, 0]), ("", [1e-300, 0, 0]), ("", [9e9, -9e9, 9e9]),
    ('forcerange="0 1e-300"', [1, 2, 3]), ('forcerange="0 1e300"', [1, 2, 3]), ('ctrlrange="-100 100"', [99, -200, 3]),
    ('input="quat"', [0, 0, 0, 0]), ('input="quat"', [0, 0, -1, 0]), ('input="quat"', [1e-15, 0, 2e-15, 0]),
    ('input="quat"', [1e-16, 0, 2e-16, 0]), ('input="quat"', [-1, 0, 0, 1e-9]), ('input="quat"', [9e9, 9e9, 9e9, 9e9]),
    ('input="quat"', [1e11, 0, 0, 1]),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:NaN, infinite or huge")
@pytest.mark.parametrize(("words", "ctrl"), SINGULAR)
def test_singular_commands_are_the_newests(words, ctrl):
    """Half a turn and whole ones, no quaternion and huge ones, bounds of next to nothing; poses alike."""
    text = ALONE.format(
        actuator=f"<orientation joint='ball' kp='3' kv='.2' {words}/>",
        joint="ball",
        option="",
        step=0.01,
    )
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    for q in ([1, 0, 0, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [3, 4, 0, 0]):
        d = sinew.Data(m)
        d.qpos[:], d.ctrl[:] = q, ctrl
        peer.call("mj_resetData")
        peer.put(qpos=d.qpos, ctrl=d.ctrl)
        sinew.step(m, d)
        peer.call("mj_step")
        seen = peer.look("actuator_force", "actuator_length", "qpos", "qvel")
        for name in vars(seen):
            near(getattr(d, name), getattr(seen, name), 1e-14, (name, q))


@pytest.mark.parametrize("turns", [0.5, 0.5 + 1e-9, 1, 1.5, 1e9])
def test_activations_are_wrapped_as_the_newests(turns):
    text = ALONE.format(
        actuator=f"<general joint='ball' {TYPE} dyntype='integrator'/>",
        joint="ball",
        option="",
        step=0.01,
    )
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    d = sinew.Data(m)
    d.act[:] = 2 * np.pi * turns, 0, 0
    peer.put(act=d.act)
    sinew.step(m, d)
    peer.call("mj_step")
    near(d.act, peer.look("act").act, 1e-14, turns)


def test_a_run():
    """Servos whose orientations turn, one of them around and around, step by step."""
    text = written(
        '<orientation name="o" joint="ball" kp="40" kv="4" input="quat" forcerange="0 9"/>'
        '<general joint="end" gaintype="so3" biastype="so3" gainprm="2" biasprm="0 -2 -.1" dyntype="integrator"/>'
        '<position name="between" joint="hinge" kp="30" kv="1"/>',
        0.002,
    )
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    d = sinew.Data(m)
    longest = 0
    for _ in range(5000 if LONG else 400):
        t = d.time
        d.ctrl[:] = np.cos(t), np.sin(2 * t), np.sin(t), 0, 3, 2 * np.sin(t), -4, np.sin(3 * t)
        peer.put(ctrl=d.ctrl)
        sinew.step(m, d)
        peer.call("mj_step")
        longest = max(longest, np.linalg.norm(d.act))
    assert 3 < longest <= np.pi
    seen = peer.look("qpos", "qvel", "act")
    for name in ("qpos", "qvel", "act"):
        near(getattr(d, name), getattr(seen, name), 1e-6, name)


def test_the_newest_asks_rounding_at_the_bound():
    """Implicit steps of a torque at its bound are without damping here; in 4.0.1 where the scaled torque is not below it."""
    text = written('<orientation name="o" joint="ball" kp="40" kv="4" forcerange="0 8.318"/><motor name="between" joint="hinge"/>')  # fmt: skip
    m, peer = sinew.Model.from_xml(text), newest.load(text)
    m.opt.integrator = sinew.Integrator.IMPLICITFAST
    peer.set(integrator=3)
    d, rng, same = sinew.Data(m), np.random.default_rng(0), []
    for _ in range(100):
        place(rng, m, d, peer)
        sinew.step(m, d)
        peer.call("mj_step")
        seen = peer.look("qvel", "actuator_force")
        size = np.linalg.norm(seen.actuator_force[:3])
        if abs(size - 8.318) < 1e-12:
            same.append(np.abs(d.qvel - seen.qvel).max() < 1e-9)
            assert same[-1] == (size >= 8.318)
    assert 10 < same.count(False) < len(same) / 2


# ---- rotations

ALONE = """
<mujoco>
  <custom><text name="sinew_physics" data="4.0"/></custom>
  <option timestep="{step}" gravity="0 0 0" {option}/>
  <worldbody>
    <site name="ground"/>
    <body><joint name="ball" type="{joint}"/><inertial pos="0 0 0" mass="1" diaginertia=".3 .2 .4"/><site name="s"/></body>
  </worldbody>
  <actuator>{actuator}</actuator>
</mujoco>"""


TYPE = 'gaintype="so3" biastype="so3" gainprm="2" biasprm="0 -2 0"'


def alone(actuator, joint="ball", option="", step=0.002):
    return sinew.Model.from_xml(
        ALONE.format(actuator=actuator, joint=joint, option=option, step=step)
    )


def product(a, b):
    return np.r_[a[0] * b[0] - a[1:] @ b[1:], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])]


def turned(vector):
    angle = np.linalg.norm(vector)
    return np.r_[np.cos(angle / 2), np.sinc(angle / 2 / np.pi) * np.asarray(vector) / 2]


def vector_of(q):
    q = q if q[0] >= 0 else -q
    size = np.linalg.norm(q[1:])
    return 2 * np.arctan2(size, q[0]) * q[1:] / size


def force_at(m, q, ctrl, v=(0, 0, 0)):
    d = sinew.Data(m)
    d.qpos[-4:], d.qvel[-3:], d.ctrl[:] = q, v, ctrl
    sinew.forward(m, d)
    return d.actuator_force.copy()


@pytest.mark.parametrize("held", ["joint='ball'", "site='s' refsite='ground'"])
def test_force_is_along_the_axis_of_the_error(held):
    rng = np.random.default_rng(0)
    m = alone(
        f"<orientation {held} kp='7' kv='.5' input='quat'/>", "ball" if "joint" in held else "free"
    )
    for _ in range(50):
        q, axis, v = rng.normal(size=4), rng.normal(size=3), rng.normal(size=3)
        q, axis = q / np.linalg.norm(q), axis / np.linalg.norm(axis)
        angle = rng.uniform(0, 3.1)
        target = product(q, turned(angle * axis))
        force = force_at(m, q, target, v)
        assert np.abs(force - (7 * angle * axis - 0.5 * v)).max() < 2e-14
        assert np.abs(force_at(m, q, rng.uniform(0.1, 10) * target, v) - force).max() < 2e-14
        for other in (force_at(m, q, -target, v), force_at(m, -q, target, v)):
            assert np.array_equal(other, force)


def test_exactly_half_a_turn():
    """The error has two directions there; the one of the quaternion with w >= 0 is taken, and it is left at once."""
    m = alone("<orientation joint='ball' kp='2' kv='.4' input='quat'/>")
    for axis in np.eye(3):
        assert np.abs(force_at(m, [1, 0, 0, 0], [0, *axis]) - 2 * np.pi * axis).max() < 1e-14
    d = sinew.Data(m)
    d.ctrl[:] = 0, 1, 0, 0
    sinew.step(m, d, 20000)
    assert abs(abs(d.qpos[1]) - 1) < 1e-12


@pytest.mark.parametrize("control", [[0, 0, 0, 0], [1e-300, 0, 0, 0], [np.nan, 1, 0, 0], [0, np.inf, 0, 0]])  # fmt: skip
def test_no_quaternion_is_the_identity(control):
    m = alone("<orientation joint='ball' kp='2' input='quat'/>")
    q = turned([0.3, -0.2, 0.5])
    d = sinew.Data(m)
    d.qpos[:], d.ctrl[:] = q, control
    if np.isfinite(control).all():
        sinew.forward(m, d)
    else:
        with pytest.warns(sinew.SimulationWarning, match="last: actuator 0"):
            sinew.forward(m, d)
    assert np.abs(d.actuator_force - 2 * vector_of(q * [1, -1, -1, -1])).max() < 1e-14


def test_held_at_an_orientation():
    """No drift, and the way there is one rotation about one axis of a ball of one inertia."""
    m = sinew.Model.from_xml(
        ALONE.format(
            actuator="<orientation joint='ball' kp='9' kv='3' input='quat'/>",
            joint="ball",
            option="integrator='implicitfast'",
            step=0.002,
        ).replace(".3 .2 .4", ".3 .3 .3")
    )
    d, target = sinew.Data(m), turned([0.9, -1.2, 1.5])
    d.ctrl[:] = target
    axis = vector_of(target)
    for _ in range(500):
        sinew.step(m, d)
        way = vector_of(d.qpos)
        assert np.linalg.norm(np.cross(way, axis)) < 1e-13 * np.linalg.norm(axis)
    sinew.step(m, d, 10000)
    assert np.abs(d.qpos - target).max() < 1e-14 and np.abs(d.qvel).max() < 1e-13
    sinew.step(m, d, 10000)
    assert np.abs(d.qpos - target).max() < 1e-14


def test_a_stiff_servo_is_stable_by_discrete_steps():
    m = alone(
        "<orientation joint='ball' kp='1e6' kv='10'/>", option="integrator='discrete'", step=0.02
    )
    d = sinew.Data(m)
    d.qvel[:], d.ctrl[:] = [3, -2, 4], [1, 2, -1]
    sinew.step(m, d, 500)
    assert np.abs(vector_of(d.qpos) - d.ctrl).max() < 1e-9 and np.abs(d.qvel).max() < 1e-6


@pytest.mark.parametrize("turns", [0.51, 1, 1.3, 7.7, 1e6])
def test_activations_stay_within_half_a_turn(turns):
    m = alone(
        "<general joint='ball' gaintype='so3' biastype='so3' gainprm='1' biasprm='0 -1 0' dyntype='integrator'/>"
    )
    d = sinew.Data(m)
    start = 2 * np.pi * turns * np.array([0.6, 0, -0.8])
    d.act[:] = start
    sinew.step(m, d)
    assert np.linalg.norm(d.act) <= np.pi
    assert abs(abs(turned(d.act) @ turned(start)) - 1) < 1e-9


def test_torques_within_their_bound():
    """forcerange bounds the length, so that the direction stays."""
    free, bound = (
        alone(f"<orientation joint='ball' kp='9' {word}/>") for word in ("", "forcerange='0 .7'")
    )
    rng = np.random.default_rng(2)
    for _ in range(20):
        q, u = turned(rng.normal(size=3)), rng.normal(size=3)
        whole, cut = force_at(free, q, u), force_at(bound, q, u)
        size = np.linalg.norm(whole)
        assert np.abs(cut - whole * min(1, 0.7 / size)).max() < 1e-15


def test_a_servo_between_a_site_and_itself_does_nothing():
    m = alone("<orientation site='s' refsite='s' kp='9' kv='2'/>")
    d = sinew.Data(m)
    d.ctrl[:], d.qvel[:] = [1, 2, 3], [1, -1, 2]
    sinew.forward(m, d)
    assert np.abs(d.actuator_force - 9 * vector_of(turned(d.ctrl))).max() < 1e-14
    assert not d.qfrc_actuator.any() and not d.actuator_velocity.any()


def test_sites_act_and_react():
    """Between two bodies that float angular momentum stays."""
    m = sinew.Model.from_xml(
        """<mujoco><custom><text name="sinew_physics" data="4.0"/></custom>
        <option gravity="0 0 0" integrator="RK4"/>
        <worldbody>
          <body><freejoint/><geom type="box" size=".1 .2 .3" contype="0"/><site name="a" quat="1 .3 .2 .1"/></body>
          <body pos="1 0 0"><freejoint/><geom type="box" size=".3 .2 .1" contype="0"/><site name="b" pos=".2 .1 0"/></body>
        </worldbody>
        <actuator><orientation site="a" refsite="b" kp="30" kv="2"/></actuator></mujoco>"""
    )
    d = sinew.Data(m)
    d.ctrl[:], d.qvel[3:6] = [1, -0.5, 0.3], [1, 2, 3]
    sinew.forward(m, d)
    sinew.subtreeVel(m, d)
    before = d.subtree_angmom[0].copy()
    sinew.step(m, d, 500)
    sinew.forward(m, d)
    sinew.subtreeVel(m, d)
    assert np.abs(d.subtree_angmom[0] - before).max() < 1e-7 * np.linalg.norm(before)


# ---- models


def test_whole_models(tmp_path):
    """Written, saved, copied, pickled: the same steps."""
    rng = np.random.default_rng(3)
    m, _, text = pair(rng)
    spec = sinew.Spec.from_xml(text)
    m.save(tmp_path / "m.snb")
    others = {
        "written": sinew.Model.from_xml(spec.to_xml()),
        "saved": sinew.Model.from_path(tmp_path / "m.snb"),
        "copied": copy.copy(m),
        "pickled": pickle.loads(pickle.dumps(m)),
    }

    def run(model):
        d = sinew.Data(model)
        d.ctrl[:], d.act[:] = np.sin(np.arange(m.nu)), 0.1
        sinew.step(model, d, 50)
        return np.concatenate([d.qpos, d.qvel, d.act])

    for word, other in others.items():
        assert np.array_equal(run(m), run(other)), word


DAMAGE = [
    ("gaintype", 0), ("gaintype", 4), ("biastype", 1), ("trntype", 0), ("trntype", 3), ("ctrlspec", 0), ("ctrlspec", 1),
    ("ctrlspec", 3), ("ctrlnum", 3), ("outnum", 1), ("outnum", 4), ("dyntype", 1), ("dyntype", 6), ("trnid", [0, 99]), ("actnum", 3),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), DAMAGE)
def test_half_a_servo_is_no_model(field, value):
    m = alone("<orientation joint='ball' input='quat'/>")
    getattr(m, f"actuator_{field}")[0] = value
    with pytest.raises(sinew.ModelError, match="model field actuator"):
        pickle.loads(pickle.dumps(m))


CLASSES = """<mujoco><custom><text name="sinew_physics" data="4.0"/></custom>
    <default><orientation kp="7" dampratio="1" input="quat" ctrlrange="-1 1" forcerange="0 3"/>
    <default class="soft"><orientation kp="1" kv="2"/></default></default>
    <worldbody><body name="b"><joint name="j" type="ball"/><geom size=".1"/></body></worldbody>
    <actuator><motor name="m" joint="j"/><orientation name="p" joint="j"/><orientation name="s" class="soft" joint="j"/></actuator>
    <keyframe><key name="k" ctrl="1 2 3 4 5 6 7 8 9"/><key name="none"/></keyframe></mujoco>"""


def test_classes_and_keys():
    m, peer = sinew.Model.from_xml(CLASSES), newest.load(CLASSES).get()
    assert (m.nactuator, m.nu, m.nout, m.na) == (3, 9, 7, 0)
    for name in "ctrlspec gainprm biasprm ctrllimited ctrlrange forcerange gear".split():
        near(getattr(m, f"actuator_{name}"), getattr(peer, f"actuator_{name}"), 1e-14, name)
    assert np.array_equal(m.key_ctrl, peer.key_ctrl)
    d = sinew.Data(m)
    assert d.ctrl.tolist() == [0, 1, 0, 0, 0, 1, 0, 0, 0]
    sinew.resetDataKeyframe(m, d, 0)
    assert d.ctrl.tolist() == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    d.ctrl[:] = 5
    sinew.resetCtrl(m, d)
    assert d.ctrl.tolist() == [0, 1, 0, 0, 0, 1, 0, 0, 0]
    assert m.actuator("p").ctrlrange.tolist() == [[-1, 1]] * 4
    assert d.actuator("s").force.shape == (3,) and d.actuator("s").moment.shape == (3, 3)
    parent = sinew.Spec.from_xml(
        '<mujoco><custom><text name="sinew_physics" data="4.0"/></custom><worldbody><frame name="f"/></worldbody></mujoco>'
    )
    parent.attach(sinew.Spec.from_xml(CLASSES), prefix="a_")
    both = parent.compile()
    assert np.array_equal(both.key_ctrl, m.key_ctrl)
    assert np.array_equal(both.actuator_biasprm, m.actuator_biasprm)


def test_replicated():
    """A servo of each copy."""
    text = """<mujoco><custom><text name="sinew_physics" data="4.0"/></custom><worldbody>
    <replicate count="3" offset="1 0 0"><body><joint type="ball" name="j"/><geom size=".1"/><site name="s"/><site name="g"/></body></replicate>
    </worldbody><actuator><orientation joint="j"/><orientation site="s" refsite="g" input="quat"/></actuator></mujoco>"""
    m, peer = sinew.Model.from_xml(text), newest.load(text).get()
    assert (m.nactuator, m.nu, m.nout) == (peer.nactuator, peer.nu, peer.nout)
    assert np.array_equal(m.actuator_trnid, peer.actuator_trnid)


WRONG = {
    '<orientation joint="hinge"/>': "needs a ball joint",
    '<orientation site="tip"/>': "needs 'refsite'",
    "<orientation/>": "drives nothing",
    '<orientation jointinparent="ball"/>': "jointinparent",
    '<orientation joint="ball" gear="2"/>': "gear",
    '<orientation joint="ball" ctrllimited="true"/>': "ctrllimited",
    '<orientation joint="ball" site="tip" refsite="base"/>': "give one of",
    '<orientation joint="ball" refsite="base"/>': "'refsite' goes with 'site'",
    '<orientation joint="ball" kv="-1"/>': "kv is -1, must not be negative",
    '<orientation joint="ball" dampratio="-1"/>': "dampratio is -1, must not be negative",
    '<orientation joint="ball" kv="1" dampratio="1"/>': "exclude each other",
    '<orientation joint="ball" forcerange="-1 1"/>': "bounds the length of the torque",
    '<orientation joint="ball" forcerange="1 2"/>': "bounds the length of the torque",
    '<orientation joint="ball" forcelimited="true"/>': "the first must be smaller",
    '<orientation joint="ball" input="pos"/>': "expmap or quat",
    '<orientation joint="ball" input="quat expmap"/>': "expmap or quat",
    '<orientation joint="ball" actrange="0 1"/>': "actrange",
    '<general joint="ball" gaintype="so3"/>': "go together",
    '<general joint="ball" biastype="so3"/>': "go together",
    '<general joint="ball" gaintype="so3" biastype="so3"/>': "kp and -kp",
    f'<general joint="ball" {TYPE} dyntype="filter"/>': "dyntype none, or integrator",
    f'<general joint="ball" {TYPE} dyntype="pid"/>': "goes with gaintype pid",
    f'<general joint="ball" {TYPE} dyntype="integrator" input="quat"/>': "input quat goes with dyntype none",
    f'<general joint="ball" {TYPE} dyntype="integrator" actdim="1"/>': "so3 has 3 activations",
    f'<general joint="ball" {TYPE} actdim="3"/>': "dyntype is none",
    f'<general joint="ball" {TYPE} actrange="-1 1"/>': "dyntype is none",
    f'<general joint="ball" {TYPE} ctrllimited="true"/>': "the first must be smaller",
    f'<general jointinparent="ball" {TYPE}/>': "a ball joint, or a site with a refsite",
    f'<general site="tip" refsite="base" {TYPE} armature="1"/>': "armature is added",
    '<general joint="ball" input="quat"/>': "pos, vel or pressure",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_cannot_be_meant(text):
    with pytest.raises((sinew.ModelError, sinew.NotSupportedError), match=WRONG[text]):
        sinew.Model.from_xml(written(text).split("<sensor>")[0] + "</mujoco>")


def test_warnings():
    for words, match in (('kp="-1"', "kp is -1"),):
        with pytest.warns(sinew.ModelWarning, match=match):
            alone(f'<orientation joint="ball" {words}/>')
    with pytest.warns(sinew.ModelWarning, match="armature has no effect"):
        m = alone(f'<general joint="ball" {TYPE} armature="1"/>')
    assert not m.actuator_armature.any()


def test_under_the_older_rules():
    older = ALONE.replace('data="4.0"', 'data="3.3.7"')
    for actuator in ('<orientation joint="ball"/>', f'<general joint="ball" {TYPE}/>'):
        with pytest.raises((sinew.ModelError, sinew.NotSupportedError), match="3.3.7"):
            sinew.Model.from_xml(older.format(actuator=actuator, joint="ball", option="", step=1))


def test_the_view_of_the_peer_refuses_orientation():
    import sinew.mujoco as mujoco

    text = ALONE.format(actuator='<orientation joint="ball"/>', joint="ball", option="", step=0.002)
    with pytest.raises(ValueError, match="has 3 controls and 3 forces"):
        mujoco.MjModel.from_xml_string(text)
