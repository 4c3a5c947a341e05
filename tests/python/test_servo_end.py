"""The option servo at end: forces of servos within their limits where an implicit step ends."""

import copy
import pickle
import warnings

import numpy as np
import pytest

import sinew
import sinew.derivative
import sinew.mujoco
from linkage_models import loop_K

END, BEGIN = sinew.Servo.END, sinew.Servo.BEGIN
IMPLICIT = [sinew.Integrator.IMPLICITFAST, sinew.Integrator.IMPLICIT]

WHEEL = """
<mujoco>
  <option integrator="{integrator}" timestep="{h!r}" gravity="0 0 0"/>
  <worldbody><body><joint name="w"/><inertial mass="1" pos="0 0 0" diaginertia=".001 .001 .001"/></body></worldbody>
  <actuator><velocity joint="w" kv="2" forcerange="-3 3"/></actuator>
  <custom><text name="sinew_servo" data="end"/></custom>
</mujoco>"""


def dense(model, data, values):
    """A matrix with the rows of qDeriv."""
    A = np.zeros((model.nv, model.nv))
    for i, (at, count) in enumerate(zip(model.D_rowadr, model.D_rownnz, strict=True)):
        A[i, model.D_colind[at : at + count]] = values[at : at + count]
    return A


def moments(model, data):
    """Moment arms [nu, nv]."""
    arms = np.zeros((model.nu, model.nv))
    entries = zip(data.moment_rowadr, data.moment_rownnz, strict=True)
    for i, (at, count) in enumerate(entries):
        arms[i, data.moment_colind[at : at + count]] = np.ravel(data.actuator_moment)[
            at : at + count
        ]
    return arms


def laws(model, data):
    """Force without limits and slope by velocity of affine actuators without activation."""
    length, velocity = np.ravel(data.actuator_length), np.ravel(data.actuator_velocity)
    gain, bias = model.actuator_gainprm, model.actuator_biasprm
    affine = model.actuator_gaintype == sinew.GainType.AFFINE
    u = np.ravel(data.ctrl)
    if model.actuator_ctrllimited.any():
        u = np.clip(u, *model.actuator_ctrlrange.T)
    factor = gain[:, 0] + affine * (gain[:, 1] * length + gain[:, 2] * velocity)
    raw = factor * u + bias[:, 0] + bias[:, 1] * length + bias[:, 2] * velocity
    return raw, bias[:, 2] + affine * gain[:, 2] * u


def random_tree(rng, ratio, joints=("hinge", "slide", "ball")):
    """A tree whose masses differ by up to `ratio`, with servos on joints, tendons and sites."""
    bodies, parents, sites, scalar = {0: []}, [], [], []
    text = {}
    for b in range(1, 9):
        parent = int(rng.integers(0, b)) if b > 1 else 0
        bodies[parent].append(b)
        bodies[b] = []
        parents.append(parent)
        kind = joints[rng.integers(len(joints))]
        mass = ratio ** rng.uniform(-1, 0)
        scalar += [(b, kind)] if kind != "ball" else []
        sites.append(b)
        limit = 'range="-0.5 0.5"' if kind != "ball" and rng.random() < 0.3 else ""
        axis, pos = rng.normal(size=3), rng.uniform(-0.3, 0.3, 3)
        inertia = mass * rng.uniform(0.01, 0.02, 3)
        text[b] = (
            f'<body pos="{" ".join(map(repr, pos.tolist()))}"><joint name="j{b}" type="{kind}" '
            f'axis="{" ".join(map(repr, axis.tolist()))}" {limit} damping="{mass * rng.uniform(0, 0.1)!r}"/>'
            f'<inertial mass="{mass!r}" pos="0.1 0 0" diaginertia="{" ".join(map(repr, inertia.tolist()))}"/>'
            f'<site name="s{b}"/>'
        )

    def write(b):
        return text.get(b, "") + "".join(write(c) for c in bodies[b]) + ("</body>" if b else "")

    actuators, tendons = "", ""

    def servo(target):
        kv, bound = 10 ** rng.uniform(-1, 3), 10 ** rng.uniform(-1, 2)
        low, high = (-bound, bound) if rng.random() < 0.8 else (-0.1 * bound, bound)
        return (
            f'<general {target} gaintype="affine" gainprm="{kv / 2!r} 0 {-0.1 * kv!r}" biastype="affine" '
            f'biasprm="0 {-kv!r} {-kv!r}" forcerange="{low!r} {high!r}" ctrlrange="0 3"/>'
        )

    for b, _ in scalar:
        if rng.random() < 0.9:
            actuators += servo(f'joint="j{b}" gear="{rng.choice([-2.0, 0.5, 1.0])}"')
    for k, (b, _) in enumerate(scalar):
        if parents[b - 1] and (parents[b - 1], "hinge") in scalar:
            tendons += (
                f'<fixed name="t{k}"><joint joint="j{b}" coef=".7"/>'
                f'<joint joint="j{parents[b - 1]}" coef="-.4"/></fixed>'
            )
            actuators += servo(f'tendon="t{k}"')
    actuators += servo(f'site="s{sites[-1]}" gear="1 .3 0 0 .2 .1"')
    return (
        '<mujoco><option timestep="0.004"/><compiler boundmass="1e-12" boundinertia="1e-15" '
        f'balanceinertia="true" angle="radian"/><worldbody>{write(0)}</worldbody>'
        f"<tendon>{tendons}</tendon><actuator>{actuators}</actuator></mujoco>"
    )


def random_state(rng, model, data):
    data.qpos[:] = rng.normal(size=data.qpos.shape)
    data.qvel[:] = rng.normal(size=data.qvel.shape)
    data.ctrl[:] = rng.normal(0, 3, size=data.ctrl.shape)
    sinew.forward(model, data)  # normalises quaternions
    return copy.copy(data)


def step_residual(model, before, after):
    """How far a step is from (M - h D) a = f + sum of m clamp(raw + h b m'a), D without the servos."""
    h = model.opt.timestep
    a = np.ravel(after.qvel - before.qvel) / h
    arms = moments(model, before)
    raw, slope = laws(model, before)
    low, high = model.actuator_forcerange.T
    force = np.clip(raw + h * slope * (arms @ a), low, high)
    bare = copy.copy(model)
    bare.opt.disableflags |= int(sinew.DisableBit.ACTUATION)
    work = sinew.Data(bare)
    work.qpos[:], work.qvel[:] = before.qpos, before.qvel
    sinew.forward(bare, work)
    sinew.smoothVel(bare, work, model.opt.integrator == sinew.Integrator.IMPLICIT)
    A = sinew.fullM(bare, work) - h * dense(bare, work, work.qDeriv)
    rest = np.ravel(before.qfrc_smooth - before.qfrc_actuator + before.qfrc_constraint)
    size = np.abs(A) @ np.abs(a) + np.abs(rest) + np.abs(arms.T) @ np.abs(force)
    # what rounding of x = raw + h b m'a makes of the force of a servo inside
    size += np.abs(arms.T) @ (np.abs(raw) + h * np.abs(slope) * (np.abs(arms) @ np.abs(a)))
    return np.max(np.abs(A @ a - rest - arms.T @ force) / (size + 1e-12)), force


@pytest.mark.parametrize("integrator", IMPLICIT)
@pytest.mark.parametrize("ratio", [1.0, 1e3, 1e6])
def test_steps_solve_the_problem_of_the_end(integrator, ratio):
    """On trees of joints of all kinds; h kv is up to 1e7 times the inertia. The solution is the only one."""
    rng = np.random.default_rng(3)
    changed = 0
    for _ in range(60):
        model = sinew.Model.from_xml(random_tree(rng, ratio))
        model.opt.integrator, model.opt.servo = integrator, END
        data = sinew.Data(model)
        before = random_state(rng, model, data)
        sinew.step(model, data)
        residual, force = step_residual(model, before, data)
        assert residual < 1e-8
        changed += np.any(np.abs(force - np.ravel(before.actuator_force)) > 1e-3)
    assert changed > 30  # the rule matters in these steps


@pytest.mark.parametrize("integrator", IMPLICIT)
def test_without_saturation_nothing_differs(integrator):
    """Neither where the step begins nor where it ends: to the last bit."""
    rng = np.random.default_rng(4)
    for _ in range(20):
        model = sinew.Model.from_xml(random_tree(rng, 10.0))
        model.actuator_forcerange[:] *= 1e6
        model.opt.integrator = integrator
        data = sinew.Data(model)
        before = random_state(rng, model, data)
        ends = []
        for model.opt.servo in (BEGIN, END):
            d = copy.copy(before)
            sinew.step(model, d)
            ends.append(np.concatenate([np.ravel(d.qvel), np.ravel(d.qDeriv)]))
        assert np.array_equal(*ends)


@pytest.mark.parametrize("h", [0.0009, 0.002, 0.05])
@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
def test_one_joint_does_not_chatter(h, integrator):
    """h kv is up to 100 I: braked by F as long as that does not stop it, then by kv."""
    model = sinew.Model.from_xml(WHEEL.format(h=h, integrator=integrator))
    data = sinew.Data(model)
    v = 40.0
    data.qvel[0] = v
    for _ in range(200):
        sinew.step(model, data)
        v = v - 3 * h / 0.001 if v - 3 * h / 0.001 > 1.5 else v / (1 + 2 * h / 0.001)
        assert data.qvel[0] == pytest.approx(v, rel=1e-9, abs=1e-12)


def test_dampers_take_energy():
    """Kinetic energy of slides, whose inertia is constant, never grows, at any gain and step."""
    rng = np.random.default_rng(5)
    for _ in range(20):
        model = sinew.Model.from_xml(random_tree(rng, 1e4, joints=("slide",)))
        model.opt.integrator, model.opt.servo = sinew.Integrator.IMPLICITFAST, END
        model.opt.gravity, model.opt.timestep = 0, 10 ** rng.uniform(-4, -1)
        model.opt.disableflags |= int(sinew.DisableBit.LIMIT)
        model.actuator_biasprm[:, 1] = 0
        model.actuator_forcerange[:] = [-1, 1] * np.abs(model.actuator_forcerange[:, 1:])
        data = sinew.Data(model)
        random_state(rng, model, data)
        data.ctrl[:] = 0
        M = sinew.fullM(model, data)
        energy = np.ravel(data.qvel) @ M @ np.ravel(data.qvel)
        for _ in range(50):
            sinew.step(model, data)
            now = np.ravel(data.qvel) @ M @ np.ravel(data.qvel)
            assert now <= energy * (1 + 1e-9)
            energy = now


JOINT = """
<mujoco>
  <option integrator="implicitfast" timestep="0.01"/>
  <worldbody>
    <body gravcomp="1"><joint name="a" axis="0 1 0" actuatorfrcrange="-3 2" actuatorgravcomp="true"/>
      <inertial mass=".1" pos=".05 0 0" diaginertia="1e-4 1e-4 1e-4"/></body>
    <body><joint name="b" axis="0 1 0" actuatorfrcrange="-3 2"/>
      <inertial mass=".1" pos=".05 0 0" diaginertia="1e-4 1e-4 1e-4"/></body>
  </worldbody>
  <actuator>
    <velocity joint="a" kv="5" gear="{gear}" {range}/>
    <velocity joint="b" kv="5" gear="2"/><motor joint="b"/>
  </actuator>
</mujoco>"""


@pytest.mark.parametrize("gear", ["2", "-2"])
@pytest.mark.parametrize("bound", ["", 'forcerange="-.9 .7"'])
@pytest.mark.parametrize("speed", [-3.0, 0.1, 2.0])
def test_limits_of_joints(gear, bound, speed):
    """The limit of a joint that one servo moves counts with the servo's; where several do it is as before."""
    model = sinew.Model.from_xml(JOINT.format(gear=gear, range=bound))
    data = sinew.Data(model)
    data.qvel[:] = speed
    sinew.forward(model, data)
    before = copy.copy(data)
    model.opt.servo = END
    sinew.step(model, data)
    h, g = model.opt.timestep, float(gear)
    rest = float(before.qfrc_gravcomp[0])
    low, high = (-0.9, 0.7) if bound else (-np.inf, np.inf)
    force = np.clip(g * np.clip(-5 * g * data.qvel[0], low, high) + rest, -3, 2)
    inertia = sinew.fullM(model, before)[0, 0]
    # the joint's force less what it was where the step began, and all the other forces
    other = before.qfrc_smooth[0] - before.qfrc_actuator[0]
    assert inertia * (data.qvel[0] - speed) / h == pytest.approx(float(other + force), rel=1e-9)
    model.opt.servo = BEGIN
    same = copy.copy(before)
    sinew.step(model, same)
    assert data.qvel[1] == same.qvel[1]


@pytest.mark.parametrize("integrator", IMPLICIT)
def test_inverse_of_a_discrete_acceleration_is_exact(integrator):
    rng = np.random.default_rng(6)
    for _ in range(30):
        model = sinew.Model.from_xml(random_tree(rng, 10.0))
        model.opt.integrator, model.opt.servo = integrator, END
        model.opt.enableflags |= int(sinew.EnableBit.INVDISCRETE)
        data = sinew.Data(model)
        before = random_state(rng, model, data)
        sinew.step(model, data)
        a = np.ravel(data.qvel - before.qvel) / model.opt.timestep
        before.qacc[:] = a.reshape(before.qacc.shape)
        forces = before.actuator_force.copy()
        sinew.inverse(model, before)
        assert np.array_equal(before.actuator_force, forces)
        scale = np.abs(sinew.fullM(model, before)) @ np.abs(a) + np.abs(np.ravel(before.qfrc_bias))
        scale += np.abs(np.ravel(before.qfrc_actuator)) + np.abs(
            dense(model, data, data.qDeriv)
        ) @ np.abs(a)
        error = np.ravel(before.qfrc_inverse - before.qfrc_actuator)
        assert np.max(np.abs(error) / scale) < 1e-9


FOURBAR = """
<mujoco>
  <option timestep="0.005"/>
  <custom><text name="sinew_loops" data="exact project=0"/><text name="sinew_servo" data="end"/></custom>
  <worldbody>
    <body name="crank"><joint name="crank" axis="0 1 0"/><inertial mass=".01" pos=".05 0 0" diaginertia="1e-5 1e-5 1e-5"/>
      <body name="coupler" pos=".1 0 0"><joint axis="0 1 0"/>
        <inertial mass=".01" pos=".1 0 .1" diaginertia="1e-5 1e-5 1e-5"/></body></body>
    <body name="rocker" pos=".3 0 0"><joint name="rocker" axis="0 1 0"/>
      <inertial mass="1" pos="0 0 .1" diaginertia="1e-2 1e-2 1e-2"/>
      <body name="wheel" pos="0 0 .1"><joint name="wheel" axis="1 0 0"/>
        <inertial mass=".01" pos="0 0 0" diaginertia="1e-5 1e-5 1e-5"/></body></body>
  </worldbody>
  <equality><connect body1="coupler" body2="rocker" anchor=".2 0 .2"/></equality>
  <actuator>
    <velocity joint="crank" kv="20" forcerange="-2 2"/><velocity joint="rocker" kv="4" forcerange="-1 1"/>
    <velocity joint="wheel" kv="1" forcerange="-.1 .1"/>
  </actuator>
</mujoco>"""


@pytest.mark.parametrize("integrator", IMPLICIT)
def test_exact_loops(integrator):
    """The same in the motions that loops leave: N'((M - h D) a - f - sum of m F) = 0 with K N = 0."""
    rng = np.random.default_rng(7)
    model = sinew.Model.from_xml(FOURBAR)
    model.opt.integrator = integrator
    changed = 0
    for _ in range(40):
        data = sinew.Data(model)
        data.ctrl[:] = rng.normal(0, 5, size=data.ctrl.shape)
        sinew.forward(model, data)
        K = loop_K(model, data)
        N = np.linalg.svd(K)[2][np.linalg.matrix_rank(K, 1e-9) :].T
        data.qvel[:] = (N @ rng.normal(0, 3, N.shape[1])).reshape(data.qvel.shape)
        sinew.forward(model, data)
        before = copy.copy(data)
        sinew.step(model, data)
        h, arms = model.opt.timestep, moments(model, before)
        a = np.ravel(data.qvel - before.qvel) / h
        raw, slope = laws(model, before)
        low, high = model.actuator_forcerange.T
        force = np.clip(raw + h * slope * (arms @ a), low, high)
        bare = copy.copy(model)
        bare.opt.disableflags |= int(sinew.DisableBit.ACTUATION)
        work = sinew.Data(bare)
        work.qvel[:] = before.qvel
        sinew.forward(bare, work)
        sinew.smoothVel(bare, work, integrator == sinew.Integrator.IMPLICIT)
        A = sinew.fullM(bare, work) - h * dense(bare, work, work.qDeriv)
        rest = np.ravel(work.qfrc_smooth)
        error = N.T @ (A @ a - rest - arms.T @ force)
        size = np.abs(N.T) @ (np.abs(A) @ np.abs(a) + np.abs(rest) + np.abs(raw) @ np.abs(arms))
        assert np.max(np.abs(error) / size) < 1e-9
        changed += np.any(np.abs(force - np.ravel(before.actuator_force)) > 1e-3)
    assert changed > 20


def test_reported_forces_are_those_of_the_beginning():
    model = sinew.Model.from_xml(WHEEL.format(h=0.002, integrator="implicitfast"))
    data = sinew.Data(model)
    data.qvel[0] = 2
    sinew.step(model, data)
    assert data.actuator_force[0] == -3 and data.qfrc_actuator[0] == -3
    assert data.qvel[0] == pytest.approx(2 / 5)  # the step ended at a force of -0.8
    assert data.qDeriv[0] == -2  # inside, where it ended


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_other_integrators_do_not_read_it(integrator):
    model = sinew.Model.from_xml(WHEEL.format(h=0.0005, integrator=integrator))
    ends = []
    for model.opt.servo in (BEGIN, END):
        data = sinew.Data(model)
        data.qvel[0] = 5
        sinew.step(model, data, nstep=20)
        ends.append((data.qpos[0], data.qvel[0]))
    assert ends[0] == ends[1]
    sinew.transitionDerivative(model, data)
    assert sinew.Batch(model, 2).scalar_features == ()


def test_batches_go_by_the_scalar_engine():
    model = sinew.Model.from_xml(WHEEL.format(h=0.002, integrator="implicitfast"))
    batch = sinew.Batch(model, 5)
    assert batch.scalar_features == ("servo end",) and batch.width == 1
    with pytest.raises(ValueError, match="has servo end; give no width, or 1"):
        sinew.Batch(model, 5, width=4)
    data = sinew.Data(model)
    data.qvel[0] = 11
    batch.qvel[:] = 11
    batch.step(nstep=20)
    sinew.step(model, data, nstep=20)
    assert np.all(np.asarray(batch.qvel) == data.qvel[0])
    model.opt.servo = BEGIN
    assert sinew.Batch(model, 5).scalar_features == ()


def test_derivatives_are_by_differences():
    model = sinew.Model.from_xml(WHEEL.format(h=0.002, integrator="implicitfast"))
    data = sinew.Data(model)
    data.qvel[0] = 2
    text = (
        "an implicit step with the option servo at end has none; sinew.*transitionFD|transitionFD"
    )
    calls = [
        lambda: sinew.transitionDerivative(model, data),
        lambda: sinew.stepVJP(model, data, np.ones(2)),
        lambda: sinew.stepJVP(model, data, np.ones(2), np.ones(1)),
    ]
    for call in calls:
        with pytest.raises(sinew.NotSupportedError, match=text):
            call()
    A, B, _, _ = sinew.transitionFD(model, data, 1e-6)
    np.testing.assert_allclose(A[1, 1], 0.2, atol=1e-6)  # I / (I + h kv), as it ends inside
    np.testing.assert_allclose(B[1, 0], 0.8, atol=1e-6)
    data.qvel[0] = 40
    A, B, _, _ = sinew.transitionFD(model, data, 1e-6)
    np.testing.assert_allclose([A[1, 1], B[1, 0]], [1, 0], atol=1e-6)


def test_the_option_goes_along():
    text = WHEEL.format(h=0.002, integrator="implicitfast")
    model = sinew.Model.from_xml(text)
    assert model.opt.servo == END
    for other in (copy.copy(model), pickle.loads(pickle.dumps(model))):
        assert other.opt.servo == END
    assert sinew.Model.from_xml(text.replace("end", "begin")).opt.servo == BEGIN
    assert sinew.Model.from_xml(text.replace("sinew_servo", "other")).opt.servo == BEGIN
    with pytest.raises(
        ValueError, match=r"option servo is 2, must be one of: begin \(0\), end \(1\)"
    ):
        model.opt.servo = 2
    peer = sinew.mujoco.MjModel.from_xml_string(text)
    assert not hasattr(sinew.mujoco, "mjtServo")
    data = sinew.mujoco.MjData(peer)
    data.qvel[0] = 2
    sinew.mujoco.mj_step(peer, data)
    assert data.qvel[0] == pytest.approx(2 / 5)


def test_compiled_files_and_specs(tmp_path):
    spec = sinew.Spec.from_xml("<mujoco><worldbody><geom name='g' size='1'/></worldbody></mujoco>")
    spec.set_servo("end")
    assert spec.compile().opt.servo == END
    assert '<text name="sinew_servo" data="end"/>' in spec.to_xml()
    spec.compile().save(tmp_path / "m.snb")
    assert sinew.Model.from_path(tmp_path / "m.snb").opt.servo == END
    with pytest.raises(sinew.ModelError, match='servo "edn" is not known, did you mean "end"'):
        spec.set_servo("edn")
    assert spec.compile().opt.servo == END
    spec.set_servo("begin")
    assert spec.compile().opt.servo == BEGIN and len(spec.elements("text")) == 1
    spec.set_servo(None)
    assert not spec.elements("text")
    child = sinew.Spec.from_xml(
        "<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>"
    )
    child.set_servo()
    spec.attach(child)
    assert not spec.elements("text") and spec.compile().opt.servo == BEGIN


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("edn", 'servo "edn" is not known, did you mean "end"?'),
        (" ", 'servo "" is not known, expected one of: begin, end'),
        ("end 3", 'data must be one word, there is "3" behind it'),
    ],
)
def test_wrong_words_are_told_with_the_place(data, message):
    text = WHEEL.format(h=0.002, integrator="implicitfast").replace('data="end"', f'data="{data}"')
    with pytest.raises(sinew.ModelError, match='<text name="sinew_servo">') as error:
        sinew.Model.from_xml(text)
    assert message in str(error.value) and error.value.line == 6


def test_nearly_the_name_is_warned_of():
    text = WHEEL.format(h=0.002, integrator="implicitfast").replace("sinew_servo", "sinew_servos")
    with pytest.warns(sinew.ModelWarning, match="did you mean sinew_servo"):
        sinew.Model.from_xml(text)


BRANCHES = """
<mujoco>
  <option integrator="implicitfast" timestep="0.01"/>
  <default><geom type="capsule" size=".02" fromto="0 0 0 .2 0 0" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body><joint name="a" axis="0 1 0"/><geom/></body><body pos="0 1 0"><joint name="b" axis="0 1 0"/><geom/></body>
  </worldbody>
  <tendon><fixed name="t" {limit}><joint joint="a" coef="1"/>{other}</fixed></tendon>
  <actuator>{actuators}</actuator>
</mujoco>"""
ACROSS = '<joint joint="b" coef="1"/>'


@pytest.mark.parametrize(
    ("limit", "other", "actuators"),
    [
        ("", ACROSS, '<velocity tendon="t" kv="5" forcerange="-1 1"/>'),
        (
            'actuatorfrclimited="true" actuatorfrcrange="-1 1"',
            "",
            '<velocity tendon="t" kv="5" forcerange="-.9 2"/>',
        ),
        ("", "", '<general joint="a" biastype="affine" biasprm="0 0 .1" forcerange="-.1 .1"/>'),
        ("", "", '<velocity joint="a" kv="5" forcerange="-1 1" group="3"/>'),
        ("", "", '<velocity joint="a" kv="5"/><motor joint="b" forcerange="-1 1"/>'),
        ("", "", '<muscle joint="a" lengthrange="-1 1" force="1" forcerange="-.1 .1"/>'),
    ],
    ids=["across", "tendon", "rising", "disabled", "unlimited", "muscle"],
)
def test_other_forces_are_as_before(limit, other, actuators):
    text = BRANCHES.format(limit=limit, other=other, actuators=actuators)
    model = sinew.Model.from_xml(text)
    model.opt.disableactuator = 1 << 3
    ends = []
    for model.opt.servo in (BEGIN, END):
        data = sinew.Data(model)
        data.qvel[:] = 3
        data.ctrl[:] = 0.5
        sinew.step(model, data, nstep=20)
        ends.append(np.concatenate([np.ravel(data.qpos), np.ravel(data.qvel)]))
    assert np.array_equal(*ends)


@pytest.mark.parametrize("early", ["false", "true"])
def test_activations_count_as_in_the_force(early):
    """The force where the step begins is raw, with the activation that goes into it."""
    actuator = (
        f'<general joint="a" dyntype="integrator" actearly="{early}" actdim="1" gainprm="4" '
        'biastype="affine" biasprm="0 0 -5" forcerange="-1 1"/>'
    )
    model = sinew.Model.from_xml(BRANCHES.format(limit="", other="", actuators=actuator))
    model.opt.servo, model.opt.gravity = END, 0
    data = sinew.Data(model)
    data.act[0], data.ctrl[0], data.qvel[0] = 0.3, 20, -0.5
    sinew.forward(model, data)
    inertia = sinew.fullM(model, data)[0, 0]
    u = 0.3 + (20 * model.opt.timestep if early == "true" else 0)
    assert data.actuator_force[0] == 1  # at its limit
    v, h = -0.5, model.opt.timestep
    sinew.step(model, data)
    inside = (inertia * v + h * 4 * u) / (inertia + 5 * h)
    assert -1 < 4 * u - 5 * inside < 1
    assert data.qvel[0] == pytest.approx(inside, rel=1e-12)


def test_a_bad_control_counts_as_zero():
    model = sinew.Model.from_xml(WHEEL.format(h=0.002, integrator="implicitfast"))
    ends = []
    for control in (0, np.nan):
        data = sinew.Data(model)
        data.qvel[0], data.ctrl[0] = 2, control
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", sinew.SimulationWarning)
            sinew.step(model, data)
        ends.append(data.qvel[0])
    assert ends[0] == ends[1] == pytest.approx(2 / 5)
