"""The flag sleep against 4.0.1: which trees may sleep, when they fall asleep, what wakes them, step for step."""

import os

import numpy as np
import pytest

import newest
import sinew

ALL = int(sinew.StateBit.INTEGRATION)


def scene(bodies, rest="", option=""):
    return f"""<mujoco><option timestep="0.01" {option}><flag sleep="enable"/></option><worldbody>
      <geom type="plane" size="5 5 1"/>{bodies}</worldbody>{rest}</mujoco>"""


def box(name, pos, more=""):
    return f"""<body name="{name}" pos="{pos}" {more}><freejoint/><site name="s{name}" size=".2"/>
      <geom name="g{name}" type="box" size=".1 .1 .1"/></body>"""


def hinge(name, pos, more=""):
    return f"""<body name="{name}" pos="{pos}" {more}><joint name="j{name}" axis="0 0 1"/>
      <geom type="box" size=".1 .1 .1"/></body>"""


ROLLER = '<body name="roller" pos="0 2 1"><freejoint/><geom size=".1" condim="6" friction="1 .05 .05"/></body>'
MOCAP = '<body name="m" mocap="true" pos="{}"><geom size=".1"/></body>'
TENDON = (
    '<tendon><fixed {}><joint joint="ja" coef="1"/><joint joint="jb" coef="1"/></fixed></tendon>'
)
JOINTS = """<equality><joint joint1="ja" joint2="jc"/><joint joint1="jb" joint2="jc"/></equality>"""
WELD = '<equality><weld body1="m" body2="a"/></equality>'
FLOOR_BOXES = box("a", "0 0 .1") + box("b", "0 0 .3") + box("c", "1 0 .4")
TURNERS = hinge("a", "0 0 1") + hinge("b", "1 0 1") + hinge("c", "2 0 1") + hinge("e", "3 0 1")
CARRIED = """<body mocap="true" pos="0 0 3"><geom size=".1"/>
  <body pos="1 0 0"><joint/><geom size=".1"/></body></body>"""

SCENES = {
    "pile": (scene(FLOOR_BOXES + hinge("e", "3 0 1")), 120),
    "rolls": (scene(ROLLER + box("a", "1 0 .1")), 260),
    "equalities": (scene(TURNERS, JOINTS), 30),
    "welded to the world": (
        scene(hinge("a", "0 0 1"), '<equality><weld body1="a"/></equality>'),
        30,
    ),
    "welded to a mocap body": (scene(box("a", "0 0 1") + MOCAP.format("0 0 3"), WELD), 200),
    "under a mocap body": (scene(box("a", "0 0 .1") + MOCAP.format("0 0 .29")), 80),
    "carried": (scene(CARRIED), 20),
    "init": (scene(box("a", "0 0 1", 'sleep="init"') + box("b", "1 0 .1")), 20),
    "init of an island": (
        scene(box("a", "0 0 .1", 'sleep="init"') + box("b", ".19 0 .1", 'sleep="init"')),
        20,
    ),
    "never": (scene(box("a", "0 0 .1", 'sleep="never"') + box("b", "0 0 .3")), 60),
    "elliptic": (scene(FLOOR_BOXES, option='cone="elliptic" integrator="implicitfast"'), 100),
    "no islands": (
        scene(FLOOR_BOXES + hinge("e", "3 0 1")).replace("<flag", '<flag island="disable"'),
        60,
    ),
    "tolerance": (scene(FLOOR_BOXES, option='sleep_tolerance="1e-5"'), 120),
}
for _form in (
    'stiffness="1"',
    'damping="1"',
    'armature="1"',
    'limited="true" range="-1 1"',
    'limited="true" range=".1 1"',
    'frictionloss="1"',
):
    for _policy in ("", 'sleep="never"'):
        _bodies = hinge("a", "0 0 1", _policy) + hinge("b", "1 0 1")
        SCENES[f"tendon {_form} {_policy}"] = (scene(_bodies, TENDON.format(_form)), 15)
for _policy in ("auto", "never", "allowed", "init"):
    _bodies = hinge("a", "0 0 1", f'sleep="{_policy}"') + hinge("b", "1 0 1")
    SCENES[f"actuator {_policy}"] = (scene(_bodies, '<actuator><motor joint="ja"/></actuator>'), 15)


class Pair:
    """A scene here and at the peer."""

    def __init__(self, text):
        self.peer = newest.load(text)
        self.m = sinew.Model.from_xml(text, physics="4.0")
        self.d = sinew.Data(self.m)

    def put(self, **fields):
        """Sets fields of both data."""
        self.peer.put(**fields)
        for name, value in fields.items():
            getattr(self.d, name)[...] = value

    def call(self, name):
        self.peer.call(f"mj_{name}")
        getattr(sinew, name)(self.m, self.d)

    def check(self, atol=1e-9):
        """Who sleeps, and where all are."""
        want = self.peer.look("tree_asleep", "qpos")
        np.testing.assert_array_equal(self.d.tree_asleep, want.tree_asleep)
        np.testing.assert_allclose(self.d.qpos, want.qpos, atol=atol)

    def run(self, steps, atol=1e-9):
        for _ in range(steps):
            self.call("step")
            self.check(atol)


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.filterwarnings("ignore:.*starts awake")
def test_step_for_step(name):
    text, steps = SCENES[name]
    pair = Pair(text)
    want = pair.peer.get("tree_sleep_policy", "dof_length")
    np.testing.assert_array_equal(pair.m.tree_sleep_policy, want.tree_sleep_policy)
    np.testing.assert_allclose(pair.m.dof_length, want.dof_length, rtol=1e-14)
    pair.check()
    pair.run(steps)


FORK = """<body pos="0 0 1"><joint axis="0 0 1" damping="1"/><geom size=".1"/>
  <body pos="-1 0 0"><joint name="ja" axis="0 0 1" damping="1"/><geom size=".1"/></body>
  <body pos="1 0 0"><joint name="jb" axis="0 0 1" damping="1"/><geom size=".1"/></body></body>"""


@pytest.mark.parametrize("integrator", ["discrete", "implicitfast"])
def test_spring_between_branches(integrator):
    """It couples what has no place in the tree's inertia, while another tree moves and while its own sleeps."""
    pair = Pair(
        scene(
            FORK + hinge("c", "2 0 1", 'sleep="never"'),
            TENDON.format('stiffness="2" damping="1"'),
            f'integrator="{integrator}"',
        )
    )
    pair.put(qvel=[0.0, 0.01, 0, 1])
    pair.run(160, 1e-8)
    assert pair.d.tree_asleep[0] >= 0 and pair.d.tree_asleep[1] < 0


def test_tendons_of_who_wakes_are_measured():
    """Islands that an equality wakes feel their springs in the same step. In 4.0.1 tendons of who wakes after they were
    measured are 0 long for that step, and do not pull."""
    pair = Pair(
        scene(
            FORK + hinge("c", "2 0 1", 'sleep="never"'),
            TENDON.format('stiffness="2" damping="1" springlength="-2 2"')
            + '<equality><joint name="e" joint1="ja" joint2="jc" active="false"/></equality>',
        )
    )
    pair.put(qpos=[0.0, 0.3, 0.2, 0])
    pair.run(30)
    assert pair.d.tree_asleep[0] >= 0
    pair.put(eq_active=[1])
    pair.call("forward")
    assert (pair.d.tree_asleep < 0).all()
    assert pair.d.ten_length[0] == 0.5
    assert pair.peer.look("ten_length").ten_length[0] == 0


def test_lengths():
    rng = np.random.default_rng(5)

    def limb(depth):
        joints = [
            '<joint pos="{}" axis="{}"/>',
            '<joint type="slide" axis="{1}"/>',
            '<joint type="ball" pos="{0}"/>',
        ]
        vector = lambda: " ".join(f"{x:.3f}" for x in rng.normal(0, 0.3, 3))  # noqa: E731
        joint = rng.choice(joints).format(vector(), vector())
        geoms = "".join(
            f'<geom size="{rng.uniform(0.01, 0.2):.3f}" pos="{vector()}"/>'
            for _ in range(rng.integers(1, 3))
        )
        inside = limb(depth - 1) + limb(depth - 1) if depth else ""
        return f'<body pos="{vector()}" euler="10 20 30">{joint}{geoms}{inside}</body>'

    for _ in range(5):
        text = scene(
            limb(2)
            + '<body pos="0 0 2"><freejoint/><geom type="capsule" size=".1 .3" pos=".2 0 0"/></body>'
        )
        want = newest.load(text).get("dof_length").dof_length
        got = sinew.Model.from_xml(text, physics="4.0").dof_length
        np.testing.assert_allclose(got, want, rtol=1e-12)


@pytest.mark.parametrize("given", ["", 'stiffness="1"', 'damping="0 1"'])
@pytest.mark.parametrize("field", ["stiffness", "damping", "stiffnesspoly", "dampingpoly"])
def test_automatic_policies_are_found_anew(given, field):
    """By setConst, which wakes all."""
    pair = Pair(scene(TURNERS, TENDON.format(given) + '<actuator><motor joint="je"/></actuator>'))
    pair.run(15)
    for value in (1, 0):
        pair.peer.set(**{f"tendon_{field}": value})
        getattr(pair.m, f"tendon_{field}")[:] = value
        pair.call("setConst")
        want = pair.peer.get("tree_sleep_policy").tree_sleep_policy
        np.testing.assert_array_equal(pair.m.tree_sleep_policy, want)
        assert (pair.d.tree_asleep < 0).all() and (
            pair.peer.look("tree_asleep").tree_asleep < 0
        ).all()
        assert want[3] == sinew.SleepPolicy.AUTO_NEVER


REFUSED = [
    (scene('<body sleep="never"><geom size=".1"/></body>'), "kinematic tree"),
    (scene('<body mocap="true" sleep="never"><geom size=".1"/></body>'), "kinematic tree"),
    (
        scene(
            '<body><joint/><geom size=".1"/><body sleep="allowed"><joint/><geom size=".1"/></body></body>'
        ),
        "kinematic tree",
    ),
    (
        scene(
            hinge("a", "0 0 1", 'sleep="allowed"') + hinge("b", "1 0 1"),
            TENDON.format('stiffness="1"'),
        ),
        "by stiffness or damping",
    ),
    (
        scene(
            hinge("a", "0 0 1", 'sleep="init"') + hinge("b", "1 0 1") + hinge("c", "1 0 1"),
            TENDON.format("").replace("</fixed>", '<joint joint="jc" coef="1"/></fixed>'),
        ),
        "more than two trees",
    ),
    (scene('<body sleep="deep"><joint/><geom size=".1"/></body>'), "deep"),
]


@pytest.mark.parametrize(("text", "words"), REFUSED)
def test_refused(text, words):
    with pytest.raises(ValueError):
        newest.load(text)
    with pytest.raises(sinew.ModelError, match=words):
        sinew.Model.from_xml(text, physics="4.0")


@pytest.mark.parametrize("name", ["sleep", "sleep_tolerance"])
def test_refused_under_3_3_7(name):
    text = {
        "sleep": '<mujoco><worldbody><body sleep="never"><joint/><geom size=".1"/></body></worldbody></mujoco>',
        "sleep_tolerance": '<mujoco><option sleep_tolerance="1"/></mujoco>',
    }[name]
    with pytest.raises(sinew.ModelError, match="came after the MJCF"):
        sinew.Model.from_xml(text, physics="3.3.7")
    with pytest.raises(sinew.ModelError, match="came after the MJCF"):
        sinew.Model.from_xml(
            '<mujoco><option><flag sleep="enable"/></option></mujoco>', physics="3.3.7"
        )


# Two boxes one on the other, one beside them, all asleep; what touches which of them.
def _field(name, index, value):
    def touch(pair):
        x = getattr(pair.peer.look(name), name).copy()
        x[index] += value
        pair.put(**{name: x})

    return touch


TOUCHES = {
    "qpos": _field("qpos", 2, 1e-12),
    "qvel": _field("qvel", 7, 1e-30),
    "minus zero": lambda pair: pair.put(qvel=np.where(np.arange(pair.m.nv) == 3, -0.0, 0.0)),
    "qfrc": _field("qfrc_applied", 1, 1e-30),
    "xfrc": _field("xfrc_applied", (2, 3), 1e-30),
    "mocap": lambda pair: pair.put(mocap_pos=[[0.19, 0, 0.1]]),
    "equality": lambda pair: pair.put(eq_active=[1, 0]),
    "equality to what is awake": lambda pair: pair.put(eq_active=[0, 1]),
    "ctrl": lambda pair: pair.put(ctrl=[1.0]),
    "nothing": lambda pair: None,
}
TOUCHED = scene(
    FLOOR_BOXES
    + hinge("e", "3 0 1", 'sleep="never"')
    + hinge("f", "4 0 1", 'sleep="allowed"')
    + MOCAP.format("0 2 1"),
    """<equality><connect name="q" active="false" body1="b" body2="c" anchor="0 0 0"/>
      <connect active="false" body1="c" body2="e" anchor="0 0 0"/></equality>
    <actuator><general joint="jf" dyntype="filter" dynprm="1"/></actuator>""",
)


@pytest.mark.parametrize("what", TOUCHES)
def test_wakes(what):
    pair = Pair(TOUCHED)
    for _ in range(150):
        pair.call("step")
    assert (pair.d.tree_asleep[[0, 1, 2, 4]] >= 0).all()
    pair.check()
    pair.put(qpos=pair.peer.look("qpos").qpos.copy())  # the same bits in both
    pair.d.sleep_qpos[...] = pair.d.qpos
    TOUCHES[what](pair)
    pair.call("forward")
    pair.check()
    if what not in ("ctrl", "nothing"):
        assert (pair.d.tree_asleep < 0).sum() > 1
    pair.run(3)
    np.testing.assert_allclose(pair.d.act, pair.peer.look("act").act, atol=1e-14)


def test_limit_of_a_tendon_wakes():
    pair = Pair(
        scene(
            hinge("a", "0 0 1") + hinge("b", "1 0 1", 'sleep="never"'),
            TENDON.format('limited="true" range="-1 1" margin=".1"'),
        )
    )
    pair.run(14)
    pair.put(qvel=[0, 5.0])
    pair.run(17)
    assert pair.d.tree_asleep[0] >= 0
    pair.run(5)
    assert pair.d.tree_asleep[0] < 0


def test_flag_off_wakes_all():
    pair = Pair(scene(FLOOR_BOXES))
    pair.run(120)
    assert (pair.d.tree_asleep >= 0).all()
    pair.peer.set(enableflags=0)
    pair.m.opt.enableflags &= ~int(sinew.EnableBit.SLEEP)
    pair.call("forward")
    pair.check()
    assert (pair.d.tree_asleep < 0).all()


SENSORS = """<sensor><framepos objtype="body" objname="a"/><framelinvel objtype="body" objname="b"/>
  <accelerometer site="sa"/><touch site="sa"/><velocimeter site="sc"/><framelinacc objtype="body" objname="c"/>
  <framepos objtype="body" objname="roller" reftype="body" refname="a"/><clock/><subtreecom body="a"/>
  <framelinvel objtype="body" objname="roller" reftype="body" refname="c"/><e_potential/><e_kinetic/>
  <contact num="2" data="force dist"/></sensor>"""


def test_sensors_of_sleepers_keep_their_values():
    pair = Pair(scene(FLOOR_BOXES + ROLLER, SENSORS))
    for _ in range(200):
        pair.run(1, 1e-7)
        want = pair.peer.look("sensordata", "ncon")
        assert pair.d.ncon == want.ncon
        np.testing.assert_allclose(pair.d.sensordata, want.sensordata, rtol=1e-5, atol=1e-5)
    assert (pair.d.tree_asleep >= 0).sum() == 4
    assert pair.d.sensordata[6 + 2] > 9  # an accelerometer at rest, without contacts


def test_histories_of_sleepers_go_on():
    """What was measured before comes out after the delay; a state goes on with the same bits."""
    kinds = 'delay=".05" nsample="10"', 'interval=".035" nsample="4"'
    sensors = "".join(f'<jointvel joint="ja" {k}/><jointpos joint="ja" {k}/>' for k in kinds)
    force = '<framelinacc objtype="body" objname="a" delay=".04" nsample="8"/>'
    body = hinge("a", "0 0 1").replace("<joint ", '<joint damping="1" ')
    pair = Pair(scene(body, f"<sensor>{sensors}{force}</sensor>"))
    pair.put(qvel=[0.05])
    runs = []
    for i in range(40):
        if i % 7 == 0:
            runs.append(sinew.Data(pair.m))
            sinew.setState(pair.m, runs[-1], sinew.getState(pair.m, pair.d, ALL), ALL)
        pair.run(1)
        want = pair.peer.look("sensordata").sensordata
        np.testing.assert_allclose(pair.d.sensordata[:4], want[:4], atol=1e-12)
        for run in runs:
            sinew.step(pair.m, run)
            np.testing.assert_array_equal(run.sensordata, pair.d.sensordata)
            np.testing.assert_array_equal(run.history, pair.d.history)
    assert pair.d.tree_asleep[0] >= 0


@pytest.mark.parametrize("key", range(4))
def test_keyframes_wake_what_they_move(key):
    keys = '<key qpos="0 0"/><key qpos=".1 0"/><key qvel="0 1"/><key qvel="1 0"/>'
    pair = Pair(
        scene(
            hinge("a", "0 0 1", 'sleep="init"') + hinge("b", "1 0 1"),
            f"<keyframe>{keys}</keyframe>",
        )
    )
    pair.peer.call("mj_resetDataKeyframe", 1, key)
    sinew.resetDataKeyframe(pair.m, pair.d, key)
    pair.run(4)


def test_long_run():
    pair = Pair(scene(FLOOR_BOXES + ROLLER + hinge("e", "3 0 1") + MOCAP.format("0 4 .1")))
    rng = np.random.default_rng(3)
    for _ in range(50 if os.environ.get("SINEW_LONG") else 3):
        pair.put(qpos=pair.peer.look("qpos").qpos.copy(), qvel=pair.peer.look("qvel").qvel.copy())
        pair.d.sleep_qpos[...] = pair.d.qpos
        pair.put(mocap_pos=[[rng.uniform(-0.3, 0.3), rng.choice([0, 2]), 0.3]])
        pair.run(100, 1e-5)
