"""What pages watch: signals, the selected body, names; numbers are those of the library."""

import itertools
import json
import time

import numpy as np
import pytest
from worlds import MODELS, arm, show, world

import sinew
from sinew import _core
from sinew._enums import ObjType, Timer
from sinew._viewer.contacts import contact_forces
from sinew._viewer.deeds import Wrong
from sinew._viewer.describe import describe
from sinew._viewer.details import MOST_CONTACTS, Details
from sinew._viewer.objects import objects
from sinew._viewer.session import Session
from sinew._viewer.signals import KINDS, MOST, Signals
from sinew._viewer.view import View
from sinew.mujoco import MjData
from sinew.viewer import wire
from sinew.viewer.simulation import Simulation

MIXED = """
<mujoco>
  <compiler angle="radian"/>
  <option{option}/>
  <worldbody>
    <geom type="plane" size="3 3 .1" friction=".8 .01 .001"/>
    <camera name="eye" pos="0 -2 1"/>
    <body name="stand" pos="1 0 .3"><geom size=".1"/></body>
    <body name="box" pos="0 0 .08">
      <freejoint name="float"/>
      <geom name="cube" type="box" size=".1 .1 .1" condim="{condim}"/>
      <site name="mark"/>
      <body name="pole" pos="0 0 .1">
        <joint name="ball" type="ball"/>
        <geom type="capsule" size=".02" fromto="0 0 0 0 0 .3"/>
        <body name="tip" pos="0 0 .3">
          <joint name="bend" axis="0 1 0" range="-1 1" limited="true" stiffness="3"/>
          <geom size=".04" contype="0" conaffinity="0"/>
          <site name="end"/>
        </body>
      </body>
    </body>
  </worldbody>
  <tendon><spatial name="rope"><site site="mark"/><site site="end"/></spatial></tendon>
  <actuator><motor name="drive" joint="bend"/><motor name="draw" tendon="rope"/><motor name="jet" site="end" refsite="mark"/></actuator>
  <sensor>
    <gyro name="rate" site="end"/><jointpos name="angle" joint="bend"/><framequat name="turn" objtype="xbody" objname="box"/>
    <actuatorfrc name="effort" actuator="drive"/><tendonpos name="length" tendon="rope"/>
    <subtreecom name="middle" body="pole"/>
  </sensor>
  <equality><weld name="hold" body1="tip" body2="pole" active="false"/></equality>
  <keyframe><key name="first"/></keyframe>
</mujoco>
"""


def mixed(option="", condim=3, steps=30):
    """A state with contacts, of a model that has something of each kind."""
    model = sinew.Model.from_xml(MIXED.format(option=option, condim=condim), physics="3.3.7")
    data = sinew.Data(model)
    data.qpos[:3] = 0.01, -0.02, 0.0998
    data.qvel[:] = np.linspace(-0.1, 0.1, model.nv)
    data.ctrl[:] = 0.3, 0.2, 0.1
    for _ in range(steps):
        sinew.step(model, data)
    return model, data


def values(made, *chosen):
    """The numbers of a frame for signals."""
    words, arrays = Signals(made, chosen, 7).frame("plot")
    assert words == {"plot": 7}
    return arrays["plot"]


def all_of(made, kind):
    return values(made, *((kind, i) for i in range(KINDS[kind].count(made.model))))


# ---- signals

NUMBERS = ["sensordata", "qpos", "qvel", "ctrl", "actuator_force"]
COUNTS = {"ncon": "ncon", "nefc": "nefc", "solver_niter": "solver_niter", "solver_residual": "solver_residual", "arena": "maxuse_arena"}  # fmt: skip


def test_signals_are_the_numbers_of_the_data():
    model, data = mixed()
    while data.solver_niter < 2:
        data.qvel[2] -= 0.1
        sinew.step(model, data)
    made, _ = world(model, data)
    for kind in NUMBERS:
        np.testing.assert_array_equal(all_of(made, kind), getattr(data, kind), kind)
    for kind, name in COUNTS.items():
        assert all_of(made, kind) == [getattr(data, name)], kind
    assert all_of(made, "solver_improvement") == [data.solver.improvement[data.solver_niter - 1]]
    assert data.ncon and data.nefc and data.solver_niter and data.maxuse_arena
    peer = _core.copyData(_core.PeerData, model, data)
    assert all_of(made, "nisland") == [peer.nisland] and peer.nisland == 1
    tested = {*NUMBERS, *COUNTS, "solver_improvement", "nisland"}
    assert set(KINDS) - tested == {"energy", "contact_force", "timer", "realtime"}  # below


def test_signals_come_in_the_order_of_the_page():
    model, data = mixed()
    made, _ = world(model, data)
    chosen = [("qvel", 3), ("ncon", 0), ("qpos", 1), ("qvel", 0), ("qvel", 3)]
    wanted = [data.qvel[3], data.ncon, data.qpos[1], data.qvel[0], data.qvel[3]]
    np.testing.assert_array_equal(values(made, *chosen), wanted)


def test_energy_is_that_of_the_state_now():
    """Without the flag, and not that of the beginning of the last step."""
    model, data = mixed()
    made, states = world(model, data)
    before = wire.pack({}, {"data": np.frombuffer(_core.packData(made.data), np.uint8)})
    got = all_of(made, "energy")
    now = sinew.Data(model)
    now.qpos, now.qvel = data.qpos, data.qvel
    sinew.forward(model, now)
    _core.energyPos(model, now)
    _core.energyVel(model, now)
    np.testing.assert_allclose(got, [*now.energy, now.energy.sum()], rtol=1e-12)
    assert not data.energy.any() and got[1] > 0
    after = wire.pack({}, {"data": np.frombuffer(_core.packData(made.data), np.uint8)})
    assert after == before  # what others look at stays


@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("option", [' cone="pyramidal"', ' cone="elliptic"', "lcp"])
def test_forces_of_contacts(option, condim):
    model, data = mixed("" if option == "lcp" else option, condim, steps=0)
    if option == "lcp":
        model.opt.contact = sinew.ContactModel.LCP
    for _ in range(30):
        sinew.step(model, data)
    wanted = np.zeros((data.ncon, 6))
    for i, row in enumerate(wanted):
        _core.contactForce(model, data, i, row)
    assert data.ncon >= 4 and wanted[:, 0].max() > 0
    np.testing.assert_allclose(contact_forces(model, data), wanted[:, :3], rtol=1e-12, atol=1e-12)
    made, _ = world(model, data)
    normal = contact_forces(made.model, made.data)[:, 0]
    np.testing.assert_allclose(all_of(made, "contact_force"), [normal.sum(), normal.max()])


def test_nothing_touches():
    model, data = arm()
    made, _ = world(model, data)
    assert all_of(made, "contact_force").tolist() == [0, 0] and all_of(made, "nisland") == [0]


class Timed:
    """A simulation with a clock that counts its readings, and what a page sees of its stages."""

    def __init__(self):
        self.model, self.data = mixed()
        self.made, self._states = world(self.model, self.data)
        self._watch = Signals(self.made, [("timer", i) for i in range(len(Timer))], 0)
        assert np.isnan(self.seen()).all()  # without a clock
        ticks = itertools.count()
        self.data.set_callback("time", lambda: 1e-6 * next(ticks))

    def seen(self, act=sinew.step, count=0):
        """Microseconds of each stage after something was done so often."""
        for _ in range(count):
            act(self.model, self.data)
        show(self._states, self.data)
        assert self.made.look()
        return self._watch.frame("plot")[1]["plot"]


def test_the_time_of_stages_is_that_of_a_step():
    timed = Timed()
    before = np.zeros(len(Timer))
    for steps in (1, 3, 4):
        got = timed.seen(sinew.step, steps)
        np.testing.assert_allclose(got, 1e6 * (timed.data.timer.duration - before) / steps)
        assert got[Timer.STEP] > got[Timer.POSITION] > 0
        before = timed.data.timer.duration.copy()
    np.testing.assert_array_equal(timed.seen(), got)  # nothing new


def test_the_time_of_stages_after_a_reset():
    timed = Timed()
    assert timed.seen(count=5)[Timer.STEP] > 0
    _core.resetData(timed.model, timed.data)
    assert np.isnan(timed.seen()).all()
    assert timed.seen(count=5)[Timer.STEP] > 0
    _core.resetData(timed.model, timed.data)
    assert np.isnan(timed.seen(count=1)).all()  # fewer than before


def test_the_time_of_stages_without_steps():
    timed = Timed()
    timed.seen(sinew.forward, 1)
    before = timed.data.timer.duration[Timer.POSITION]
    got = timed.seen(sinew.forward, 2)[Timer.POSITION]
    assert got == pytest.approx(1e6 * (timed.data.timer.duration[Timer.POSITION] - before) / 2)


def test_the_real_time_factor(monkeypatch):
    model, data = mixed()
    made, _ = world(model, data)
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])
    watch = Signals(made, [("realtime", 0)], 0)

    def factor(passed, simulated):
        clock[0] += passed
        made.data.time += simulated
        return watch.frame("plot")[1]["plot"][0]

    assert np.isnan(factor(0, 0))
    for _ in range(50):
        half = factor(0.02, 0.01)
    assert half == pytest.approx(0.5)
    for _ in range(100):
        twice = factor(0.02, 0.04)
    assert twice == pytest.approx(2)
    for _ in range(100):
        stands = factor(0.02, 0)
    assert stands == 0
    made.data.time = 0
    assert np.isnan(factor(0.02, 0))
    assert factor(0.5, 0.25) == pytest.approx(0.5)


def test_the_state_is_not_a_number():
    model, data = mixed()
    data.qpos[0] = data.qvel[4] = data.sensordata[0] = np.nan
    data.efc_force[:] = np.inf
    made, _ = world(model, data)
    for kind in KINDS:
        all_of(made, kind)
    assert np.isnan(all_of(made, "qpos")[0]) and not np.isfinite(all_of(made, "energy")[2])
    view = View(made)
    view.choose(2)
    view.watches = {"details": Details(view)}
    words, arrays = wire.unpack(view.messages()[-1])
    assert words["details"]["contacts"] == data.ncon and "details.contacts" in arrays


# ---- the selected body


def details_of(made, body):
    """Words and numbers of a body."""
    view = View(made)
    view.choose(body)
    words, arrays = Details(view).frame("details")
    return words["details"], {key.removeprefix("details."): a for key, a in arrays.items()}


def test_the_selected_body():
    model, data = mixed()
    made, _ = world(model, data)
    box = model.body("box").id
    words, numbers = details_of(made, box)
    about = words["about"]
    assert words["body"] == box and about["parent"] == 0
    assert about["mass"] == model.body_mass[box]
    assert about["subtree_mass"] == model.body_subtreemass[box]
    assert about["inertia"] == model.body_inertia[box].tolist()
    assert about["joints"] == [[0, "free", None]] and about["geoms"] == [[2, "box"]]
    assert about["sensors"] == [[2, 4], [4, 1]] and about["counts"] == [1, 1, 2]
    velocity = np.zeros(6)
    _core.objectVelocity(model, data, ObjType.BODY, box, velocity, 0)
    np.testing.assert_array_equal(numbers["velocity"], velocity)
    for name in ("xpos", "xquat", "xipos", "subtree_com", "xfrc_applied"):
        np.testing.assert_array_equal(numbers[name], getattr(data, name)[box], name)
    np.testing.assert_array_equal(numbers["joints"], [*data.qpos[:7], *data.qvel[:6]])
    np.testing.assert_array_equal(numbers["sensors"], data.sensordata[[4, 5, 6, 7, 9]])


def test_joints_and_sensors_of_the_selected_body():
    model, data = mixed()
    made, _ = world(model, data)
    pole, tip = model.body("pole").id, model.body("tip").id
    words, numbers = details_of(made, pole)
    assert words["about"]["joints"] == [[1, "ball", None]]
    assert words["about"]["sensors"] == [[5, 3]]
    velocity = np.zeros(6)
    _core.objectVelocity(model, data, ObjType.BODY, pole, velocity, 0)
    np.testing.assert_array_equal(numbers["velocity"], velocity)
    np.testing.assert_array_equal(numbers["joints"], [*data.qpos[7:11], *data.qvel[6:9]])
    words, numbers = details_of(made, tip)
    assert words["about"]["joints"] == [[2, "hinge", [-1, 1]]]
    assert words["about"]["sensors"] == [[0, 3], [1, 1], [3, 1]]
    np.testing.assert_array_equal(numbers["sensors"], data.sensordata[[0, 1, 2, 3, 8]])


def test_contacts_of_the_selected_body():
    model, data = mixed()
    made, _ = world(model, data)
    box = model.body("box").id
    words, numbers = details_of(made, box)
    rows, force = numbers["contacts"], np.zeros(6)
    assert words["contacts"] == data.ncon == len(rows)
    total = np.zeros(3)
    seen = []
    for i, contact in enumerate(data.contact):
        _core.contactForce(model, data, i, force)
        total += contact.frame.reshape(3, 3).T @ force[:3]  # the box is the second
        seen.append([2, 0, 0, contact.dist, force[0], np.hypot(*force[1:3]), *contact.pos])
    wanted = np.array(sorted(seen, key=lambda row: -row[4]))
    np.testing.assert_allclose(rows, wanted, rtol=1e-12)
    np.testing.assert_allclose(numbers["contact_force"], total, rtol=1e-12)
    assert total[2] > 0  # the floor carries it
    np.testing.assert_allclose(numbers["cfrc_ext"][3:], total, rtol=1e-9)


def test_a_body_between_two():
    """Forces from above and from below, whichever geom is the first of a contact."""
    model = sinew.Model.from_xml("""<mujoco><worldbody><geom type="plane" size="1 1 1"/>
      <body name="low" pos="0 0 .099"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body name="high" pos="0 0 .297"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    </worldbody></mujoco>""")
    data = sinew.Data(model)
    for _ in range(500):
        sinew.step(model, data)
    made, _ = world(model, data)
    weight = model.body_mass[1] * 9.81
    for body in (1, 2):
        total = details_of(made, body)[1]["contact_force"]
        np.testing.assert_allclose(total, [0, 0, weight], atol=1e-3 * weight)


def test_a_body_with_nothing():
    model, data = mixed()
    made, _ = world(model, data)
    words, numbers = details_of(made, model.body("stand").id)
    assert words["contacts"] == 0 and numbers["contacts"].shape == (0, 9)
    assert words["about"]["joints"] == [] and not len(numbers["joints"])
    assert not numbers["contact_force"].any() and not len(numbers["sensors"])
    assert details_of(made, 0) == (None, {})  # the world is nothing that can be selected


def test_a_body_with_many_contacts():
    balls = "".join(
        f'<geom size=".1" pos="{0.3 * (i % 20)} {0.3 * (i // 20)} 0"/>' for i in range(200)
    )
    model = sinew.Model.from_xml(f"""<mujoco><worldbody><geom type="plane" size="9 9 1"/>
      <body pos="0 0 .095"><freejoint/>{balls}</body></worldbody></mujoco>""")
    data = sinew.Data(model)
    sinew.forward(model, data)
    made, _ = world(model, data)
    words, numbers = details_of(made, 1)
    assert words["contacts"] == 200 and len(numbers["contacts"]) == MOST_CONTACTS
    normal = np.sort(contact_forces(model, data)[:, 0])[::-1]
    np.testing.assert_allclose(numbers["contacts"][:, 4], normal[:MOST_CONTACTS])
    assert words["about"]["counts"][1] == 200 and len(words["about"]["geoms"]) == 100


# ---- deeds


class Pages:
    """What a session asks of all pages."""

    def __init__(self, made):
        self.world, self.controller, self.told = made, None, []

    def tell(self, message):
        self.told.append(message)


def opened(controls=True):
    model, data = mixed()
    made, states = world(model, data)
    pages = Pages(made)
    session = Session(pages, None)
    session.view = View(made)
    if controls:
        pages.controller = session
    return session, pages, states, data


def say(session, **message):
    session.hear(json.dumps(message))


def frame(session):
    return wire.unpack(session.view.messages()[-1])


def test_a_frame_has_what_is_watched_and_no_more():
    session, _, states, data = opened()
    words, arrays = frame(session)
    assert not {"plot", "state", "details"} & {*words, *arrays}
    say(session, do="watch", of="plot", signals=[["qpos", 2], ["ncon", 0]], serial=3)
    say(session, do="watch", of="state", signals=[["nefc", 0]], serial=4)
    words, arrays = frame(session)
    assert (words["plot"], words["state"]) == (3, 4)
    assert arrays["plot"].tolist() == [data.qpos[2], data.ncon]
    assert arrays["state"].tolist() == [data.nefc]
    data.qpos[2] = 5
    show(states, data)
    assert session.pages.world.look()
    assert frame(session)[1]["plot"][0] == 5
    say(session, do="watch", of="plot", signals=[], serial=5)
    words, arrays = frame(session)
    assert "plot" not in words and "plot" not in arrays and "state" in arrays


def test_what_stays_as_it_is_comes_once():
    session, _, _, _ = opened()
    say(session, do="choose", body=2)
    say(session, do="details", on=True)
    words, arrays = frame(session)
    assert words["details"]["body"] == 2 and "about" in words["details"]
    assert "details.xpos" in arrays and words["select"] == 2
    assert "about" not in frame(session)[0]["details"]
    say(session, do="choose", body=3)
    assert frame(session)[0]["details"]["about"]["joints"] == [[1, "ball", None]]
    say(session, do="choose", body=0)
    assert frame(session)[0]["details"] is None
    say(session, do="choose", body=3)
    assert "about" in frame(session)[0]["details"]
    say(session, do="details", on=False)
    assert "details" not in frame(session)[0]


def test_choosing_a_body_is_selecting_it():
    session, pages, _, _ = opened()
    session.view.pert.localpos[:] = 1
    say(session, do="choose", body=2)
    assert pages.told[-1]["do"] == "perturb" and pages.told[-1]["words"]["select"] == 2
    assert pages.told[-1]["words"]["localpos"] == [0, 0, 0]


def test_who_only_looks_watches_and_changes_nothing():
    session, pages, _, _ = opened(controls=False)
    say(session, do="choose", body=2)
    say(session, do="details", on=True)
    say(session, do="watch", of="plot", signals=[["timer", 0]], serial=1)
    words, arrays = frame(session)
    assert words["details"]["body"] == 2 and "plot" in arrays and pages.told == []


def test_a_clock_is_wanted_for_the_time_of_stages_alone():
    session, pages, _, _ = opened()
    say(session, do="watch", of="plot", signals=[["ncon", 0]], serial=1)
    say(session, do="watch", of="plot", signals=[["ncon", 0], ["timer", 0]], serial=2)
    say(session, do="watch", of="state", signals=[["ncon", 0]], serial=3)
    say(session, do="watch", of="plot", signals=[], serial=4)
    wanted = [False, True, True, False]
    assert pages.told == [{"do": "clock", "on": on} for on in wanted]


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ({"of": "plot", "signals": [["heat", 0]], "serial": 0}, "heat"),
        ({"of": "plot", "signals": [["qpos", 12]], "serial": 0}, "qpos is 12, of 12"),
        ({"of": "plot", "signals": [["qpos", -1]], "serial": 0}, "qpos is -1"),
        ({"of": "plot", "signals": [["qpos", 0.5]], "serial": 0}, "qpos is 0.5"),
        ({"of": "plot", "signals": [["qpos", True]], "serial": 0}, "qpos is True"),
        ({"of": "plot", "signals": [["qpos"]], "serial": 0}, "a kind and a number"),
        ({"of": "plot", "signals": [[["qpos"], 0]], "serial": 0}, "there are no signals"),
        ({"of": "plot", "signals": ["qpos"], "serial": 0}, "a kind and a number"),
        ({"of": "plot", "signals": {"qpos": 0}, "serial": 0}, "a list"),
        ({"of": "plot", "signals": [["qpos", 0]] * 1_000_000, "serial": 0}, f"1000000 signals, of at most {MOST}"),
        ({"of": "plot", "signals": [], "serial": -1}, "serial is -1"),
        ({"of": "plot", "signals": []}, "serial is None"),
        ({"of": "details", "signals": [], "serial": 0}, "watches 'details'"),
        ({"of": ["plot"], "signals": [], "serial": 0}, "watches"),
    ],
)  # fmt: skip
def test_what_cannot_be_watched_is_named(message, named):
    session, _, _, _ = opened()
    say(session, do="watch", of="plot", signals=[["ncon", 0]], serial=9)
    with pytest.raises(Wrong, match=named):
        say(session, do="watch", **message)
    assert frame(session)[0]["plot"] == 9  # what was watched is watched on


@pytest.mark.parametrize("body", [-1, 5, 1.0, None, "1"])
def test_no_such_body(body):
    session, _, _, _ = opened()
    with pytest.raises(Wrong, match="body"):
        say(session, do="choose", body=body)


# ---- the process that simulates


def simulating(model, data):
    """What launch runs."""
    made = Simulation()
    made.begin(model, data)
    return made


def test_a_clock_comes_and_goes():
    model, data = mixed()
    made = simulating(model, data)
    made.clock(True)
    sinew.step(model, data)
    assert data.timer.number[Timer.STEP] == 1
    made.clock(False)
    assert data.get_callback("time") is None


def test_a_clock_that_is_there_stays():
    model, data = mixed()
    data.set_callback("time", time.perf_counter)
    peer = _core.copyData(MjData, model, mixed()[1])  # has one of its own
    for one in (data, peer):
        made, before = simulating(model, one), _core.getCallback(one, "time")
        for on in (True, False, False):
            made.clock(on)
            assert _core.getCallback(one, "time") is before


# ---- names


def unpacked(arrays, kind):
    names = bytes(arrays[f"{kind}_names"]).decode().split("\0")
    return list(zip(names, arrays[f"{kind}_body"].tolist(), strict=True))


def test_names_and_bodies_of_objects():
    model, _ = mixed()
    arrays = objects(model)
    box, pole, tip = (model.body(name).id for name in ("box", "pole", "tip"))
    stand = model.body("stand").id
    bodies = [("world", 0), ("stand", stand), ("box", box), ("pole", pole), ("tip", tip)]
    assert unpacked(arrays, "body") == bodies
    assert unpacked(arrays, "joint") == [("float", box), ("ball", pole), ("bend", tip)]
    assert unpacked(arrays, "geom") == [("", 0), ("", stand), ("cube", box), ("", pole), ("", tip)]
    assert unpacked(arrays, "site") == [("mark", box), ("end", tip)]
    assert unpacked(arrays, "camera") == [("eye", 0)]
    assert unpacked(arrays, "actuator") == [("drive", tip), ("draw", box), ("jet", tip)]
    sensors = [
        ("rate", tip),
        ("angle", tip),
        ("turn", box),
        ("effort", tip),
        ("length", box),
        ("middle", pole),
    ]
    assert unpacked(arrays, "sensor") == sensors
    assert unpacked(arrays, "tendon") == [("rope", box)]
    assert unpacked(arrays, "equality") == [("hold", tip)]
    assert unpacked(arrays, "key") == [("first", -1)]
    assert arrays["body_parent"].tolist() == [0, 0, 0, box, pole]
    assert arrays["joint_type"].tolist() == [0, 1, 3]
    assert arrays["sensor_dim"].tolist() == [3, 1, 4, 1, 1, 3]
    words = describe(model)
    types = [words["sensor_types"][int(i)] for i in arrays["sensor_type"]]
    assert types == ["gyro", "jointpos", "framequat", "actuatorfrc", "tendonpos", "subtreecom"]


def test_long_names_and_many():
    """10,000 bodies with joints and geoms stay below 1 MB, and a name of 100,000 letters is cut."""
    bodies = "".join(
        f'<body name="body of a large model {i}"><joint name="a joint of it {i}"/><geom name="a geom of it {i}" size="1"/></body>'
        for i in range(10_000)
    )
    long = "<b>" + "ü" * 100_000
    model = sinew.Model.from_xml(
        f'<mujoco><worldbody><body name="{long.replace("<", "&lt;")}"/>{bodies}</worldbody></mujoco>'
    )
    arrays = objects(model)
    message = wire.pack({"kind": "model", **describe(model)}, arrays)
    assert len(message) < 1_400_000 and sum(len(arrays[f"{k}_names"]) for k in ("body", "joint", "geom")) < 1 << 20  # fmt: skip
    names = unpacked(arrays, "body")
    assert names[1][0] == long[:200] and names[-1] == ("body of a large model 9999", 10_001)


def test_a_model_with_nothing():
    model = sinew.Model.from_xml("<mujoco/>")
    data = sinew.Data(model)
    made, _ = world(model, data)
    for kind in KINDS:
        all_of(made, kind)
    arrays = objects(model)
    assert unpacked(arrays, "body") == [("world", 0)] and not len(arrays["joint_body"])
    assert details_of(made, 0) == (None, {})


def test_100_signals_take_the_server_little():
    """0.12 ms a frame where measured; the bound is for loaded machines."""
    model = sinew.Model.from_path(MODELS / "humanoid.xml")
    data = sinew.Data(model)
    for _ in range(300):
        sinew.step(model, data)
    made, _ = world(model, data)
    every = [(kind, i) for kind in KINDS for i in range(KINDS[kind].count(model))]
    watch = Signals(made, every[:MOST], 0)
    assert len(every) > 100
    best = min(_timed(lambda: watch.frame("plot")) for _ in range(20))
    assert best < 1e-3


def _timed(act):
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun
