"""What pages say: deeds of ours are done, anything else is refused and harms nothing."""

import asyncio
import json
import random

import numpy as np
import pytest
from worlds import arm, show, world

from sinew._viewer import deeds
from sinew._viewer.deeds import DEEDS, Wrong
from sinew._viewer.session import Session
from sinew._viewer.view import View
from sinew.viewer import wire


class Pages:
    """What a session asks of all pages."""

    def __init__(self, made):
        self.world, self.controller, self.told, self.source = made, None, [], None
        self.laid = {}

    def tell(self, message):
        self.told.append(message)

    def give(self, message, descriptors=()):
        self.told.append(message)

    def hand_over(self, session):
        self.controller = session

    def world_of(self, number):
        return None if number else self.world


def opened(controls=True):
    model, data = arm()
    made, states = world(model, data)
    pages = Pages(made)
    session = Session(pages, None)
    session.view = View(made)
    session.view.update()
    if controls:
        pages.controller = session
    return session, pages, states, data


def say(session, **message):
    session.hear(json.dumps(message))


def test_each_deed_has_a_name_of_its_own():
    tables = [
        table
        for name, table in vars(deeds).items()
        if name.isupper() and name not in ("DEEDS", "FOLLOWING")
    ]
    assert len(DEEDS) == sum(map(len, tables))


def test_a_frame_has_what_has_changed():
    session, pages, states, data = opened()
    messages = [wire.unpack(message) for message in session.view.messages()]
    assert [words["kind"] for words, _ in messages] == ["shape"] * 2 + ["frame"]
    words, arrays = messages[-1]
    assert words["geoms"] == len(arrays["pose"]) == len(arrays["look"]) == 3
    data.qpos[1] = 0.3  # the lower arm alone
    import sinew

    sinew.forward(data.model, data)
    show(states, data)
    assert pages.world.look()
    (message,) = session.view.messages()
    words, arrays = wire.unpack(message)
    assert words["geoms"] == 3 and arrays["place_rows"].tolist() == [2]
    assert not len(arrays["pose"]) and not len(arrays["look"])
    np.testing.assert_allclose(arrays["place"][0], data.geom_xpos[2], rtol=1e-6)


def test_a_pose_that_is_no_number_is_not_drawn():
    session, pages, states, data = opened()
    session.view.messages()
    data.geom_xpos[2] = np.nan
    show(states, data)
    assert pages.world.look()
    words, arrays = wire.unpack(session.view.messages()[-1])
    assert (
        words["geoms"] == 3 and arrays["look_rows"].tolist() == [2] and arrays["look"][0, 21] == -1
    )


def test_warnings_of_the_simulation_are_told():
    import sinew

    session, pages, states, data = opened()
    words, _ = wire.unpack(session.view.messages()[-1])
    assert words["status"]["warnings"] == []
    data.qpos[0] = np.nan
    with pytest.warns(sinew.SimulationWarning):
        sinew.step(data.model, data)
    show(states, data)
    assert pages.world.look()
    with pytest.warns(sinew.SimulationWarning):  # the process that serves leaves it out
        words, _ = wire.unpack(session.view.messages()[-1])
    (warning,) = words["status"]["warnings"]
    assert "(1 times)" in warning


def test_deeds_reach_the_program():
    session, pages, _, _ = opened()
    say(session, do="ctrl", index=1, value=0.5)
    say(session, do="look", camera=0)
    say(session, do="flag", of="flags", index=14, on=True)
    say(session, do="size", width=640, height=480, hidden=False)
    say(session, do="key", key=32)
    ctrl, cam, opt, size, key = pages.told
    assert ctrl == {"do": "ctrl", "index": 1, "value": 0.5}
    assert (cam["words"]["type"], cam["words"]["fixedcamid"]) == (2, 0)
    assert opt["words"]["flags"][14] == 1 and size["size"] == [640, 480] and key["key"] == 32


def test_who_only_looks_changes_nothing():
    session, pages, _, _ = opened(controls=False)
    for message in (
        {"do": "ctrl", "index": 0, "value": 1},
        {"do": "camera", "action": 1, "dx": 0.1, "dy": 0},
        {"do": "select", "x": 0.5, "y": 0.5},
        {"do": "pull", "bits": 1},
        {"do": "run", "on": False},
        {"do": "reset", "key": 0},
        {"do": "key", "key": 32},
        {"do": "step", "steps": 1},
        {"do": "speed", "percent": 10},
        {"do": "seek", "time": 1},
        {"do": "rows", "by": 1},
        {"do": "loop", "on": True},
        {"do": "chosen", "world": 0, "body": 1},
        {"do": "drop", "bytes": 10, "upload": 1},
        {"do": "open", "name": "a.xml"},
        {"do": "reload"},
    ):
        pages.laid = {"loading": b""}
        say(session, **message)
    assert pages.told == []


def test_the_pointer_finds_and_pulls_a_body():
    session, pages, _, data = opened()
    session.view.cam.lookat[:] = data.xipos[2]
    session.view.update()
    say(session, do="select", x=0.5, y=0.5)
    assert session.view.pert.select == 2
    say(session, do="pull", bits=1)
    say(session, do="pull", bits=1, action=3, dx=0.0, dy=0.1)
    assert pages.told[-1]["do"] == "perturb" and pages.told[-1]["words"]["active"] == 1
    assert not np.allclose(
        pages.told[-1]["words"]["refselpos"], pages.told[-2]["words"]["refselpos"]
    )
    say(session, do="pull", bits=0)
    assert pages.told[-1]["words"]["active"] == 0
    say(session, do="select", x=0.01, y=0.99)  # the sky
    assert pages.told[-1]["words"]["select"] == 0


@pytest.mark.parametrize(
    "text",
    [
        "", "x", "[]", "1", "null", "{}", '{"do": 1}', '{"do": "hear"}', '{"do": "_tell"}', '{"do": "__init__"}',
        '{"do": "ctrl"}', '{"do": "ctrl", "index": 2, "value": 0}', '{"do": "ctrl", "index": -1, "value": 0}',
        '{"do": "ctrl", "index": 0, "value": NaN}', '{"do": "ctrl", "index": 0, "value": 1e400}',
        '{"do": "ctrl", "index": true, "value": 0}', '{"do": "ctrl", "index": 0, "value": "1"}',
        '{"do": "flag", "of": "label", "index": 0}', '{"do": "flag", "of": "flags", "index": 31}',
        '{"do": "size", "width": 0, "height": 1}', '{"do": "size", "width": 1e9, "height": 1}',
        '{"do": "look", "camera": 1}', '{"do": "track", "body": 3}', '{"do": "choice", "of": "frame", "value": 8}',
        '{"do": "camera", "action": 8, "dx": 0, "dy": 0}', '{"do": "camera", "action": 0, "dx": 0, "dy": 0}', '{"do": "pull", "bits": 3}', '{"do": "step", "steps": 1e9}',
        '{"do": "reset", "key": 1}', '{"do": "key", "key": -1}', '{"do": "select", "x": 2, "y": 0}', "[" * 50000,
        b"\xff\xfe", '{"do": "seek"}', '{"do": "seek", "time": NaN}', '{"do": "seek", "row": -1}', '{"do": "seek", "row": 1.5}',
        '{"do": "rows", "by": 2}', '{"do": "follow"}', '{"do": "chosen", "world": -1, "body": 0}',
        '{"do": "ctrl", "index": 0, "value": ' + "9" * 5000 + "}",
    ],
)  # fmt: skip
def test_what_no_page_of_ours_says_is_refused(text):
    session, pages, _, _ = opened()
    with pytest.raises(Wrong):
        session.hear(text)
    assert pages.told == []


VALUES = [
    0,
    1,
    -1,
    2,
    5,
    7,
    1e308,
    -1e308,
    0.5,
    1e-320,
    None,
    True,
    "1",
    [],
    {},
    1 << 70,
    "flags",
    "label",
    "frame",
    "scene",
]
MEMBERS = ["index", "value", "x", "y", "dx", "dy", "action", "bits", "of", "on", "bytes", "upload", "width", "height", "camera", "body", "key", "steps", "percent", "hidden", "at", "name", "std", "rate", "time", "row", "by", "world"]  # fmt: skip


async def say_anything():
    """Say 3000 things; films that are begun end with the loop."""
    chance = random.Random(31)
    session, pages, _, _ = opened()
    refused = 0
    for _ in range(3000):
        message = {name: chance.choice(VALUES) for name in MEMBERS if chance.random() < 0.7}
        message["do"] = chance.choice(list(DEEDS))
        try:
            session.hear(json.dumps(message))
        except Wrong:
            refused += 1
        if chance.random() < 0.02:
            session.view.messages()
    assert 300 < refused < 2900
    wire.unpack(session.view.messages()[-1])


def test_nothing_that_a_page_says_harms():
    asyncio.run(say_anything())
