"""Callbacks in Python: the same program on the peer and on sinew.mujoco, errors, references, nesting, threads."""

import copy
import gc
import pickle
import threading
import weakref

import mujoco
import numpy as np
import pytest

import sinew
import sinew.mujoco
from yard import XML

KINDS = ["passive", "control", "contactfilter", "sensor", "act_dyn", "act_gain", "act_bias"]
USER = """
<mujoco>
  <option {option}>{flags}</option>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="a" pos="0 0 .1"><freejoint/><geom name="a1" size=".11"/>
      <geom name="a2" size=".11" pos=".15 0 0" contype="2" conaffinity="2"/>
      <geom name="a0" size=".11" pos="-.15 0 0" contype="0" conaffinity="0"/></body>
    <body name="b" pos=".15 .15 .1"><freejoint/><geom name="b1" type="box" size=".1 .1 .11"/>
      <geom name="b2" size=".12" contype="2" conaffinity="2"/></body>
    <body name="c" pos=".1 -.15 .1"><freejoint/><geom name="c1" size=".11"/></body>
    <body pos="0 0 2"><joint name="j" axis="0 1 0" stiffness="1" damping=".1"/><geom size=".1" pos=".3 0 0"/></body>
  </worldbody>
  <contact><pair geom1="a0" geom2="c1"/><exclude body1="b" body2="c"/></contact>
  <actuator>
    <general joint="j" dyntype="user" actdim="3" gaintype="user" biastype="user" gainprm="1 2" actearly="true"/>
    <general joint="j" dyntype="user" actrange="-.1 .1"/>
    <general joint="j" gaintype="user" biastype="affine" biasprm="0 -1"/>
    <general joint="j" dyntype="user" group="3"/>
    <position joint="j" kp="2"/>
  </actuator>
  <sensor>
    <user name="u" dim="3" needstage="pos" cutoff=".5"/><jointpos joint="j"/>
    <user name="v" dim="2" needstage="vel" cutoff=".5" datatype="positive"/>
    <user name="w" dim="1" objtype="body" objname="b"/><actuatorfrc actuator="m"/><user dim="2" needstage="none"/>
  </sensor>
</mujoco>
""".replace('<position joint', '<position name="m" joint')  # fmt: skip


def install(api, log):
    """Callbacks that write down their calls and change what they may; the same for both packages."""

    def passive(m, d):
        log.append("passive")
        d.qfrc_passive[:] -= 0.3 * d.qvel

    def control(m, d):
        log.append("control")
        d.ctrl[:] = np.sin(d.time * 20 + np.arange(m.nu)) + d.qpos[-1]

    def contactfilter(m, d, geom1, geom2):
        return {m.geom(geom1).name, m.geom(geom2).name} == {"floor", "a1"}

    def sensor(m, d, stage):
        log.append(("sensor", int(stage)))
        if stage == 1:
            d.sensor("u").data[:] = d.qpos[:3]
        elif stage == 2:
            d.sensor("v").data[:] = 3 * d.qvel[2:4]
        else:
            d.sensor("w").data[:] = d.qacc[-1]

    def act_dyn(m, d, i):
        log.append(("act_dyn", i))
        if i == 0:
            d.act_dot[:3] = d.act[1] - d.act[0], d.act[2] - d.act[1], d.ctrl[0] - d.act[2]
            return 0  # not used
        return d.ctrl[i] - d.act[-1]

    def act_gain(m, d, i):
        log.append(("act_gain", i))
        return m.actuator_gainprm[i, 0] + d.actuator_length[i]

    def act_bias(m, d, i):
        log.append(("act_bias", i))
        return -0.2 * d.actuator_velocity[i]

    for f in (passive, control, contactfilter, sensor, act_dyn, act_gain, act_bias):
        getattr(api, "set_mjcb_" + f.__name__)(f)


@pytest.fixture(params=[mujoco, sinew.mujoco], ids=["peer", "sinew"])
def api(request):
    """Each package, without callbacks before and after."""
    yield request.param
    clear(request.param)


def clear(api):
    for kind in KINDS:
        getattr(api, "set_mjcb_" + kind)(None)


def run(api, option, flags, group):
    """Steps with all callbacks; the log of the calls, and all that they change."""
    log, states = [], []
    m = api.MjModel.from_xml_string(USER.format(option=option, flags=flags))
    m.opt.disableactuator = group
    d = api.MjData(m)
    install(api, log)
    try:
        for k in range(10):
            if k == 3:
                api.mj_step1(m, d)
                api.mj_step2(m, d)
            else:
                api.mj_step(m, d)
            pairs = sorted(tuple(int(g) for g in c.geom) for c in d.contact)
            log.append(("contacts", tuple(pairs)))
            states.append(np.concatenate([d.qpos, d.qvel, d.act, d.act_dot, d.actuator_force]))
            states.append(np.concatenate([d.qfrc_passive, d.sensordata, d.ctrl]))
        api.mj_inverse(m, d)
    finally:
        clear(api)
    return log, np.concatenate(states)


@pytest.mark.parametrize("group", [0, 8])
@pytest.mark.parametrize(
    "option, flags",
    [
        ("", ""),
        ('integrator="RK4"', ""),
        ('integrator="implicit"', ""),
        ("", '<flag actuation="disable"/>'),
        ("", '<flag spring="disable" damper="disable"/>'),
        ("", '<flag sensor="disable" midphase="disable"/>'),
    ],
)
def test_as_the_peer(option, flags, group):
    theirs, ours = (run(api, option, flags, group) for api in (mujoco, sinew.mujoco))
    assert ours[0] == theirs[0]
    # a solver's answers, over ten steps
    assert np.abs(ours[1] - theirs[1]).max() < 1e-6


def test_setting_and_getting(api):
    for kind in KINDS:
        get, put = getattr(api, "get_mjcb_" + kind), getattr(api, "set_mjcb_" + kind)
        assert get() is None
        put(len)
        assert get() is len
        put(None)
        assert get() is None
        with pytest.raises(TypeError):
            put(3)


class OddError(Exception):
    pass


@pytest.mark.parametrize("kind", KINDS)
def test_exceptions_come_out(api, kind):
    m = api.MjModel.from_xml_string(USER.format(option="", flags=""))
    d = api.MjData(m)
    api.mj_step(m, d)
    before = d.qpos.copy(), d.time

    def fails(*args):
        assert len(args) == {"contactfilter": 4, "passive": 2, "control": 2}.get(kind, 3)
        raise OddError(kind)

    getattr(api, "set_mjcb_" + kind)(fails)
    with pytest.raises(OddError, match=kind):
        api.mj_step(m, d)
    assert d.time == before[1] and np.array_equal(d.qpos, before[0])
    getattr(api, "set_mjcb_" + kind)(None)
    api.mj_step(m, d)
    assert d.time > before[1]


@pytest.mark.parametrize("kind, value", [("act_gain", "x"), ("act_bias", None), ("contactfilter", 1.5)])  # fmt: skip
def test_wrong_results(api, kind, value):
    m = api.MjModel.from_xml_string(USER.format(option="", flags=""))
    d = api.MjData(m)
    getattr(api, "set_mjcb_" + kind)(lambda *args: value)
    with pytest.raises(TypeError, match=kind):
        api.mj_step(m, d)


@pytest.fixture
def made():
    model = sinew.Model.from_xml(USER.format(option="", flags=""))
    return model, sinew.Data(model)


def test_own_callbacks_come_before_the_default(made):
    model, data = made
    calls = []
    sinew.mujoco.set_mjcb_control(lambda m, d: calls.append("default"))
    peer = sinew.mujoco.MjData(model)
    sinew.step(model, peer)
    sinew.step(model, data)  # not a MjData: the default is not for it
    peer.set_callback("control", lambda m, d: calls.append("own"))
    sinew.step(model, peer)
    peer.set_callback("control", None)
    sinew.step(model, peer)
    clear(sinew.mujoco)
    sinew.step(model, peer)
    assert calls == ["default", "own", "default"]


def test_names(made):
    _, data = made
    assert data.get_callback("sensor") is None
    with pytest.raises(ValueError, match="contactfilter"):
        data.set_callback("sensors", len)
    with pytest.raises(TypeError, match="callable"):
        data.set_callback("sensor", 3)


def test_an_exception_keeps_the_steps_before_it(made):
    model, data = made
    other = copy.copy(data)

    def control(m, d):
        assert m is model and d is data
        if d.time > 0.01:
            raise KeyboardInterrupt
        d.ctrl[:] = 1

    data.set_callback("control", control)
    with pytest.raises(KeyboardInterrupt):
        sinew.step(model, data, nstep=1000)
    other.ctrl[:] = 1
    while other.time <= 0.01:
        sinew.step(model, other)
    assert data.time == other.time
    assert np.array_equal(data.qpos, other.qpos) and np.array_equal(data.qvel, other.qvel)
    data.set_callback("control", None)
    sinew.step(model, data)
    sinew.step(model, other)
    assert np.array_equal(data.qvel, other.qvel)


def test_functions_inside_a_callback(made):
    """What reads works, what runs the simulation is refused, other data may be stepped."""
    model, data = made
    seen = []
    spare = sinew.Data(model)

    def control(m, d):
        jacp, _ = sinew.jacBody(m, d, 2)
        seen.append((d.ncon, d.contact.dist.copy(), sinew.mulM(m, d, d.qvel), jacp, d.efc_J.shape))
        clone = copy.copy(d)
        assert clone.get_callback("control") is control
        for function in (
            sinew.step,
            sinew.forward,
            sinew.inverse,
            sinew.collision,
            sinew.resetData,
        ):
            with pytest.raises(RuntimeError, match="inside its own callback"):
                function(m, d)
        with pytest.raises(RuntimeError, match="setState cannot .* inside its own callback"):
            state = sinew.getState(m, d, sinew.StateBit.FULLPHYSICS)
            sinew.setState(m, d, state, sinew.StateBit.FULLPHYSICS)
        with pytest.raises(RuntimeError, match="setState cannot"):
            sinew.mujoco.mj_setState(m, d, state, sinew.mujoco.mjtState.mjSTATE_FULLPHYSICS)
        sinew.passive(m, d)  # runs, and calls no callback
        sinew.step(m, spare)
        pickle.loads(pickle.dumps(d))

    data.set_callback("control", control)
    data.set_callback("passive", lambda m, d: seen.append(None))
    sinew.step(model, data)
    assert seen[0] is None and seen[1][0] > 0 and len(seen) == 2
    assert spare.time == data.time
    sinew.step(model, data)  # taken and given back as it should be
    assert len(seen) == 4


def test_another_thread_is_kept_out(made):
    model, data = made
    errors = []

    def other():
        try:
            sinew.step(model, data)
        except RuntimeError as error:
            errors.append(str(error))

    def control(m, d):
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    data.set_callback("control", control)
    sinew.step(model, data)
    assert len(errors) == 1 and "another thread" in errors[0]


def test_threads_with_callbacks_agree(made):
    model, _ = made

    def control(m, d):
        d.ctrl[:] = np.cos(d.qpos[-1] + d.time)

    datas = [sinew.Data(model) for _ in range(4)]
    for data in datas:
        data.set_callback("control", control)
    threads = [threading.Thread(target=sinew.step, args=(model, d, 200)) for d in datas[1:]]
    for thread in threads:
        thread.start()
    sinew.step(model, datas[0], 200)
    for thread in threads:
        thread.join()
    for data in datas[1:]:
        assert np.array_equal(data.qpos, datas[0].qpos) and np.array_equal(data.act, datas[0].act)


def test_references(made):
    """A callback that holds its own data is a cycle that the collector breaks; counts stay as they were."""
    model, _ = made
    data = sinew.Data(model)
    data.set_callback("control", lambda m, d, mine=data: None)
    sinew.step(model, data)
    gone = weakref.ref(data)
    del data
    gc.collect()
    assert gone() is None

    class Function:
        def __call__(self, *args):
            pass

    function = Function()
    there = weakref.ref(function)
    data = sinew.Data(model)
    data.set_callback("passive", function)
    del function
    sinew.step(model, data, 5)
    other = copy.copy(data)
    assert there() is not None
    data.set_callback("passive", None)
    assert there() is not None
    del other
    gc.collect()
    assert there() is None


def test_a_callback_takes_itself_away(made):
    model, data = made
    calls = []

    def once(m, d):
        calls.append(d.time)
        d.set_callback("control", None)

    data.set_callback("control", once)
    sinew.step(model, data, 5)
    assert calls == [0.0]


def test_pickles_leave_callbacks_out(made):
    model, data = made
    data.set_callback("control", lambda m, d: None)
    again = pickle.loads(pickle.dumps(data))
    assert again.get_callback("control") is None
    sinew.step(again.model, again)


def test_a_controller():
    """The yard's elbow follows a target by a callback as by hand."""
    model = sinew.Model.from_xml(XML)
    byhand, called = sinew.Data(model), sinew.Data(model)

    def control(m, d):
        d.ctrl[0] = 5 * (0.3 - d.joint("shoulder").qpos[0]) - d.joint("shoulder").qvel[0]

    called.set_callback("control", control)
    sinew.step(model, called, 50)
    for _ in range(50):
        sinew.step1(model, byhand)
        control(model, byhand)
        sinew.step2(model, byhand)
    assert np.array_equal(byhand.qpos, called.qpos)
