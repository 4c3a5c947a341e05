"""What pages set: controls, joints, constraints, options, keyframes; in the server and in the simulation."""

import asyncio
import copy
import json
import math
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from test_handle import kinds, page, passive, until  # noqa: F401
from test_history import hear, managed  # noqa: F401
from test_sessions import opened, say
from worlds import show, world

import sinew
from sinew import _core, mujoco
from sinew._viewer import keyframes
from sinew._viewer.deeds import Wrong
from sinew._viewer.describe import describe
from sinew.viewer import options, wire

RICH = """
<mujoco>
  <worldbody>
    <body name="arm"><joint name="turn" axis="0 1 0"/><geom size=".1" pos="1 0 0"/></body>
    <body name="cart"><joint name="rail" type="slide" axis="1 0 0" range="-1 2"/><geom size=".1"/></body>
    <body name="ball"><freejoint/><geom size=".1"/></body>
    <body name="wrist"><joint type="ball"/><geom size=".1"/></body>
    <body name="hand" mocap="true" pos="0 0 3"/>
  </worldbody>
  <equality>
    <joint name="gear" joint1="turn" joint2="rail"/>
    <weld body1="ball" body2="hand" active="false"/>
  </equality>
  <actuator>
    <motor joint="turn" ctrlrange="-2 3"/>
    <general name="slow" joint="rail" dyntype="integrator"/>
  </actuator>
  <keyframe><key name="there" qpos="1 0 0 0 1 1 0 0 0 1 0 0 0"/><key/></keyframe>
</mujoco>
"""
BOX = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MESH = '<mujoco><compiler meshdir="meshes"/><asset><mesh name="box" file="box.obj"/></asset>'


def rich():
    model = sinew.Model.from_xml(RICH)
    data = sinew.Data(model)
    sinew.forward(model, data)
    return model, data


@pytest.fixture
def session():
    """A page that controls, of the rich model; `session.pages.told` has what it made of words."""
    made, _, _, _ = opened()
    made.view = type(made.view)(world(*rich())[0])
    made.pages.world = made.view.world
    return made


def refused(session):
    """What the page is told that cannot be."""
    return [wire.unpack(message)[0]["text"] for message in session._answers]


# ---- the server


def test_a_page_learns_what_there_is_to_set():
    words = describe(rich()[0])
    assert words["joints"] == [[0, 0, -math.pi, math.pi], [1, 1, -1, 2]]
    assert words["equalities"] == ["gear", "weld 1"]
    assert words["actadr"] == [-1, 0] and words["actnum"] == [0, 1]
    table = {option["name"]: option for option in words["options"]}
    assert set(table) == {name for name, *_ in _core.tables()["option"]}
    assert {name: table[name]["kind"] for name in ("timestep", "iterations", "solver", "enableflags", "lcp_symmetric")} == {  # fmt: skip
        "timestep": "number", "iterations": "integer", "solver": "choice", "enableflags": "flags", "lcp_symmetric": "tick",
    }  # fmt: skip
    assert [word for _, word, _ in table["integrator"]["values"]] == [
        "Euler",
        "RK4",
        "implicit",
        "implicitfast",
        "discrete",
    ]
    assert [1, "constraint"] in [row[:2] for row in table["disableflags"]["values"]]
    assert table["gravity"]["count"] == 3


def test_a_page_shows_what_the_physics_of_the_model_has():
    """And what a program has set beside it."""

    def words(model):
        table = {option["name"]: option["values"] for option in describe(model)["options"]}
        return {word for name in ("integrator", "enableflags") for _, word, _ in table[name]} | set(table)  # fmt: skip

    newer = {"discrete", "sleep", "diagexact", "speculative", "sleep_tolerance"}
    text = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>"
    older = sinew.Model.from_xml(text, physics="3.3.7")
    assert words(sinew.Model.from_xml(text, physics="4.0")) - words(older) == newer
    older.opt.integrator = sinew.Integrator.DISCRETE
    older.opt.enableflags |= int(sinew.EnableBit.DIAGEXACT)
    assert words(older) & newer == {"discrete", "diagexact"}


def test_words_of_settings_reach_the_simulation(session):
    for message in (
        {"do": "joint", "index": 1, "value": 0.5},
        {"do": "equality", "index": 1, "on": True},
        {"do": "zero"},
        {"do": "option", "name": "timestep", "value": 0.001},
        {"do": "option", "name": "gravity", "at": 2, "value": -1.62},
        {"do": "option", "name": "solver", "value": 1},
        {"do": "bit", "name": "disableflags", "index": 4, "on": True},
        {"do": "noise", "std": 0.5, "rate": 1},
        {"do": "history", "at": -3},
        {"do": "back"},
        {"do": "keep", "key": 1},
    ):
        say(session, **message)
    assert session.pages.told == [
        {"do": "joint", "index": 1, "value": 0.5},
        {"do": "equality", "index": 1, "on": True},
        {"do": "zero"},
        {"do": "option", "name": "timestep", "at": None, "value": 0.001},
        {"do": "option", "name": "gravity", "at": 2, "value": -1.62},
        {"do": "option", "name": "solver", "at": None, "value": 1},
        {"do": "bit", "name": "disableflags", "bit": 16, "on": True},
        {"do": "noise", "std": 0.5, "rate": 1},
        {"do": "history", "at": -3},
        {"do": "back"},
        {"do": "keep", "key": 1},
    ]
    assert refused(session) == [] and session.view.world.model.opt.timestep == 0.002


@pytest.mark.parametrize(
    "name, value, why",
    [
        ("timestep", 0, "option timestep is 0, must be positive"),
        ("timestep", -0.1, "must be positive"),
        ("integrator", 9, "option integrator is 9, must be one of: Euler"),
        ("iterations", -1, "must be 0 or more"),
        ("iterations", 0.5, "must be a whole number"),
        ("sdf_initpoints", 2e9, "at most 10000"),
        ("iterations", -1e300, "option iterations"),
    ],
)
def test_an_option_that_cannot_be_is_refused_in_the_page(session, name, value, why):
    before = copy.copy(session.view.world.model.opt)
    say(session, do="option", name=name, value=value)
    (text,) = refused(session)
    assert why in text and session.pages.told == []
    assert getattr(session.view.world.model.opt, name) == getattr(before, name)


def test_options_that_do_not_go_together_are_refused(session):
    session.view.world.model.opt.integrator = 1
    say(session, do="option", name="contact", value=1)
    (text,) = refused(session)
    assert "RK4" in text and session.pages.told == []


@pytest.mark.parametrize(
    "message",
    [
        {"do": "joint", "index": 2, "value": 0}, {"do": "joint", "index": 4, "value": 0}, {"do": "joint", "index": 0, "value": 1e300},
        {"do": "equality", "index": 2}, {"do": "equality"}, {"do": "option", "name": "_x", "value": 0},
        {"do": "option", "name": ["timestep"], "value": 0}, {"do": "option", "name": "__class__", "value": 0},
        {"do": "option", "name": "gravity", "value": 0}, {"do": "option", "name": "gravity", "at": 3, "value": 0},
        {"do": "option", "name": "disableflags", "value": 0}, {"do": "bit", "name": "timestep", "index": 0},
        {"do": "bit", "name": "enableflags", "index": 30}, {"do": "noise", "std": -1, "rate": 0}, {"do": "noise", "std": 1},
        {"do": "history", "at": 1}, {"do": "history", "at": -1e5}, {"do": "keep", "key": 2}, {"do": "arrays"},
        {"do": "arrays", "of": ["qpos", "xpos"]}, {"do": "arrays", "of": [[]]}, {"do": "arrays", "of": ["qpos"] * 5},
        {"do": "write", "name": 1}, {"do": "write", "name": "x" * 101},
    ],
)  # fmt: skip
def test_settings_that_no_page_of_ours_says(session, message):
    with pytest.raises(Wrong):
        session.hear(json.dumps(message))
    assert session.pages.told == []


def test_who_only_looks_sets_nothing(session):
    session.pages.controller = None
    for message in (
        {"do": "joint", "index": 0, "value": 1},
        {"do": "equality", "index": 0},
        {"do": "zero"},
        {"do": "option", "name": "timestep", "value": 1},
        {"do": "bit", "name": "enableflags", "index": 0, "on": True},
        {"do": "noise", "std": 1, "rate": 1},
        {"do": "history", "at": 0},
        {"do": "back"},
        {"do": "keep", "key": 0},
        {"do": "write", "name": "x"},
    ):
        say(session, **message)
    assert session.pages.told == []


def test_frames_have_what_is_watched_and_nothing_else(session):
    def arrays():
        made = wire.unpack(session.view.messages()[-1])[1]
        return {name for name in made if name.startswith("data.")}

    assert arrays() == set()
    say(session, do="arrays", of=["qpos", "eq_active", "qpos"])
    assert arrays() == {"data.qpos", "data.eq_active"}
    say(session, do="arrays", of=[])
    assert arrays() == set()


def test_options_are_sent_when_they_change():
    session, pages, states, data = opened()
    assert wire.unpack(session.view.messages()[-1])[0]["option"]["timestep"] == 0.002
    assert "option" not in wire.unpack(session.view.messages()[-1])[0]


# ---- keyframes


def test_a_copied_state_reads_back_as_the_same_bits(session):
    model, data = rich()
    rng = np.random.default_rng(31)
    for field in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"):
        array = getattr(data, field)
        array[...] = rng.standard_normal(array.shape) * 10.0 ** rng.integers(-9, 9)
    data.time = 0.1 + 0.2
    key = ET.fromstring(keyframes.key_xml(data))
    for name, field in keyframes._PARTS.items():
        read = np.array(key.get(name).split(), float)
        assert read.tobytes() == np.ravel(getattr(data, field)).tobytes(), name
    say(session, do="copy")
    words, _ = wire.unpack(session._answers[0])
    assert words["kind"] == "copied" and words["text"].startswith('<key time="0" qpos="')


def test_a_model_is_written_with_the_state(session, tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "box.obj").write_text(BOX)
    path = tmp_path / "robot.xml"
    path.write_text(RICH.replace("<mujoco>", MESH))
    model, data = rich()
    data.qpos[:2] = 0.1 + 0.2, -1e-9
    text = keyframes.model_xml(str(path), data, 'a "b" <c>')
    (tmp_path / "again.xml").write_text(text)  # beside it: files are found from there
    again = sinew.Model.from_path(tmp_path / "again.xml")
    assert again.nmesh == 1
    assert [again.key(i).name for i in range(3)] == ["there", "", 'a "b" <c>']
    np.testing.assert_array_equal(again.key_qpos[2], data.qpos)
    assert keyframes.file_name(str(path), "../a b") == "robot_.._a_b.xml"
    sizes = {"nq": model.nq}
    with pytest.raises(ValueError, match="has a keyframe there already: choose another name"):
        keyframes._written(str(path), "there", sizes, {})
    path.write_text("<mujoco/>")
    with pytest.raises(ValueError, match="another model by now"):
        keyframes._written(str(path), "x", sizes, {})


def test_a_page_gets_the_file_or_why_there_is_none(session, tmp_path):
    say(session, do="write", name=" ")
    say(session, do="write", name="x")
    assert "give it one" in refused(session)[0] and "copy the state" in refused(session)[1]
    session._answers.clear()
    path = tmp_path / "robot.xml"
    session.pages.source = str(path)

    async def asked():
        say(session, do="write", name="x")
        say(session, do="write", name="y")  # while it writes: not heard
        await session._work

    asyncio.run(asked())
    assert str(path) in refused(session)[0]
    session._answers.clear()
    path.write_text(RICH)
    asyncio.run(asked())
    (message,) = session._answers
    words, _ = wire.unpack(message)
    assert words["kind"] == "written" and words["name"] == "robot_x.xml"
    assert sinew.Model.from_xml(words["text"]).nkey == 3


# ---- the simulation


def test_settings_of_a_simulation_that_stands(managed):  # noqa: F811
    model, data = rich()
    viewer, _ = managed(model, data)
    hear(viewer, do="joint", index=0, value=1.25)
    assert data.qpos[0] == 1.25 and abs(data.geom_xpos[0, 0] - math.cos(1.25)) < 1e-12
    hear(viewer, do="equality", index=1, on=True)
    hear(viewer, do="equality", index=0, on=False)
    assert data.eq_active.tolist() == [0, 1]
    hear(viewer, do="ctrl", index=0, value=2.0)
    assert data.qfrc_actuator[0] == 2
    hear(viewer, do="zero")
    assert not data.ctrl.any() and data.qfrc_actuator[0] == 0
    hear(viewer, do="option", name="gravity", at=2, value=0.0)
    assert not model.opt.gravity.any() and data.qfrc_bias[0] == 0
    hear(viewer, do="bit", name="disableflags", bit=16, on=True)
    hear(viewer, do="bit", name="disableflags", bit=128, on=True)
    assert model.opt.disableflags == 144
    hear(viewer, do="bit", name="disableflags", bit=16, on=False)
    assert model.opt.disableflags == 128
    hear(viewer, do="keep", key=1)
    assert model.key_qpos[1, 0] == 1.25
    hear(viewer, do="reset", key=1)
    assert data.qpos[0] == 1.25


def test_what_does_not_suit_the_model_of_now_is_left_out(managed):  # noqa: F811
    model, data = rich()
    viewer, _ = managed(model, data)
    before = data.qpos.copy()
    model.opt.integrator = 1
    for message in (
        {"do": "joint", "index": 99, "value": 0.0},
        {"do": "equality", "index": 99, "on": True},
        {"do": "option", "name": "contact", "at": None, "value": 1},
        {"do": "ctrl", "index": 99, "value": 0.0},
    ):
        hear(viewer, **message)
    np.testing.assert_array_equal(data.qpos, before)
    assert model.opt.contact == 0 and viewer.is_running()


def test_settings_are_taken_over_by_sync_alone(passive):  # noqa: F811
    model, data = rich()
    handle = passive(model, data)
    with page(handle) as socket:
        assert kinds(socket, "frame")[0]["option"]["gravity"] == [0, 0, -9.81]
        for message in (
            {"do": "option", "name": "timestep", "value": 0.001},
            {"do": "joint", "index": 0, "value": 0.5},
            {"do": "equality", "index": 0, "on": False},
            {"do": "option", "name": "timestep", "value": 0},
        ):
            socket.send(json.dumps(message))
        words, _ = kinds(socket, "refused")
        assert words["of"] == "option" and "must be positive" in words["text"]
        until(lambda: len(handle._done) >= 3)
        assert (model.opt.timestep, data.qpos[0]) == (0.002, 0) and data.eq_active[0]
        handle.sync()
        assert (model.opt.timestep, data.qpos[0]) == (0.001, 0.5) and not data.eq_active[0]
        assert abs(data.geom_xpos[0, 0] - math.cos(0.5)) < 1e-12

        def told():
            return kinds(socket, "frame")[0].get("option", {}).get("timestep") == 0.001

        until(told)


def test_options_are_taken_whatever_their_order():
    ours, theirs = rich()[0].opt, rich()[0].opt
    for integrator, contact in ((1, 0), (0, 1), (1, 0)):
        theirs.contact = 0
        theirs.integrator, theirs.contact = integrator, contact
        options.take_numbers(ours, options.numbers_of(theirs))
        assert (options.numbers_of(ours) == options.numbers_of(theirs)).all()


@pytest.mark.parametrize("kind", [sinew.Model, mujoco.MjModel])
def test_options_that_a_program_sets_are_shown(passive, kind):  # noqa: F811
    text = RICH.replace("<mujoco>", '<mujoco><option integrator="RK4"/>')
    model = kind.from_xml(text) if kind is sinew.Model else kind.from_xml_string(text)
    data = sinew.Data(model) if kind is sinew.Model else mujoco.MjData(model)
    handle = passive(model, data)
    with page(handle) as socket:

        def shows(name, value):
            def seen():
                handle.sync()
                return kinds(socket, "frame")[0].get("option", {}).get(name) == value

            until(seen)

        shows("integrator", 1)
        model.opt.integrator, model.opt.contact = 0, 1
        shows("contact", 1)
        model.opt.contact, model.opt.integrator = 0, 1
        shows("integrator", 1)  # as it was first
        model.geom_rgba[0] = 0, 1, 0, 1
        time_step = model.opt.timestep = 0.003
        shows("timestep", time_step)
        if kind is mujoco.MjModel:  # which takes what cannot be
            model.opt.timestep = 0
            shows("timestep", 0)
            assert handle.is_running()


def test_a_colour_that_a_program_puts_back_is_shown(passive):  # noqa: F811
    model, data = rich()
    handle = passive(model, data)
    first = model.geom_rgba[0].copy()
    with page(handle) as socket:
        green = [0, 1, 0, 1]

        def shows(on):
            def seen():
                handle.sync()
                _, arrays = kinds(socket, "frame")
                if arrays["look_rows"].size == 0:
                    return False
                return (green in arrays["look"][:, 4:8].tolist()) == on

            until(seen)

        model.geom_rgba[0] = green
        shows(True)
        model.geom_rgba[0] = first
        shows(False)


def test_models_without_anything():
    model = sinew.Model.from_xml("<mujoco/>")
    words = describe(model)
    assert words["joints"] == words["equalities"] == words["actuators"] == []
    json.dumps(words)
    assert keyframes.key_xml(sinew.Data(model)) == '<key time="0"/>'


def test_states_that_are_no_numbers(managed):  # noqa: F811
    model, data = rich()
    viewer, _ = managed(model, data)
    data.qpos[:] = np.nan
    hear(viewer, do="history", at=0)
    assert np.isnan(data.qpos).all() and "nan" in keyframes.key_xml(data)
    made, states = world(model, data)
    show(states, data)
    assert made.look()
