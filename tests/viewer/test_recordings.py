"""Recordings in the viewer: what is played, what pages do to it, and two beside each other."""

import contextlib
import json
import time
import tracemalloc
import warnings

import numpy as np
import pytest
from browsing import Tab
from runs import Running, player, record
from talking import kinds, page, until
from worlds import arm, world

import sinew
from sinew import Recording, viewer
from sinew._viewer.deeds import FOLLOWING, Wrong
from sinew._viewer.further import Further, asked_for
from sinew.picture.tracks import Track
from sinew.viewer.recorded import recorded_models, recordings_of, tracks_of


@pytest.fixture
def played():
    """Makes viewers that play, and do not run; closes them."""
    made = []

    def make(*recordings, **given):
        made.append(player(*recordings, **given))
        return made[-1]

    yield make
    for one in made:
        one.close()


def turn(play, *messages):
    """What a turn of a viewer does with messages of a page; returns what it shows then."""
    for message in messages:
        play._hear(message)
    play._turn(time.perf_counter())
    return play._status()["recording"]


# ---- what is played


def test_every_row_is_the_state_of_the_run(played):
    """To the bit, wherever one comes from."""
    recording, places = record()
    play = played(recording)
    for row in (0, 199, 57, 58, 3):
        shown = turn(play, {"do": "seek", "row": row})
        assert shown["row"] == row and shown["time"] == recording.time[row] == play.d.time
        np.testing.assert_array_equal(play.d.qpos, recording.qpos[row])
        np.testing.assert_array_equal(play.d.ctrl, [0.5, 0.5])
        np.testing.assert_array_equal(play.d.xpos, places[row])


def test_times_between_rows_and_beyond(played):
    play = played(record(rows=50)[0])
    shown = turn(play, {"do": "seek", "time": 0.0211})
    assert shown["row"] == 10 and play.d.time == 0.0211
    assert turn(play, {"do": "seek", "time": 1e300})["time"] == pytest.approx(0.098)
    assert turn(play, {"do": "seek", "time": -5})["time"] == 0
    assert turn(play, {"do": "seek", "row": 1 << 50})["row"] == 49


def test_rows_one_by_one(played):
    play = played(record(rows=50)[0])
    turn(play, {"do": "seek", "time": 0.0211})
    assert turn(play, {"do": "rows", "by": 1})["row"] == 11
    assert turn(play, {"do": "rows", "by": -1})["row"] == 10
    turn(play, {"do": "seek", "time": 0.0211})
    assert turn(play, {"do": "rows", "by": -1})["row"] == 10
    assert turn(play, *[{"do": "rows", "by": -1}] * 20)["row"] == 0
    assert turn(play, *[{"do": "rows", "by": 1}] * 100)["row"] == 49


def test_of_many_positions_only_the_newest_is_shown(played):
    play = played(record(rows=100)[0])
    placed = []
    motion = play._motion
    place = motion._place
    motion._place = lambda: (placed.append(motion._moment), place())
    turn(play, *[{"do": "seek", "row": row} for row in range(100)])
    turn(play)
    assert placed == [pytest.approx(0.198)]


def test_it_runs_by_the_clock(played, monkeypatch):
    """From the first page on, at a speed, to the end or round."""
    clock = [100.0]
    monkeypatch.setattr("time.perf_counter", lambda: clock[0])
    play = played(record(rows=501)[0])

    def after(seconds, *messages):
        for message in messages:
            play._hear(message)
        play._take_over()
        clock[0] += seconds
        return turn(play)

    assert after(5)["time"] == 0
    seen = {"do": "size", "size": [640, 480]}
    assert after(0.25, seen)["time"] == pytest.approx(0.25)
    assert after(0.25, seen, {"do": "speed", "percent": 50})["time"] == pytest.approx(0.375)
    shown = after(5)
    assert shown["time"] == pytest.approx(1) and not shown["run"]
    assert after(5)["time"] == pytest.approx(1)
    shown = after(0.5, {"do": "run", "on": True}, {"do": "speed", "percent": 100})
    assert shown["time"] == pytest.approx(0.5) and shown["run"]
    shown = after(0.75, {"do": "loop", "on": True})
    assert shown["time"] == pytest.approx(0.25) and shown["run"]
    assert after(1, {"do": "run", "on": False})["time"] == pytest.approx(0.25)
    assert after(0, {"do": "run", "on": True}, {"do": "rows", "by": 1})["run"] is False


def test_nothing_that_a_page_does_changes_a_state(played):
    play = played(record()[0])
    turn(play, {"do": "seek", "row": 100})
    state = sinew.getState(play.m, play.d, 0x3FFF)
    for message in (
        {"do": "ctrl", "index": 0, "value": 9},
        {"do": "reset", "key": 0},
        {"do": "step", "steps": 5},
        {"do": "perturb", "words": {"select": 2, "active": 1, "refselpos": [1, 2, 3]}},
        {"do": "perturb", "words": {"select": 1, "active": 0}},
    ):
        turn(play, message)
        turn(play, {"do": "loop", "on": True}, {"do": "loop", "on": False})
    assert play.perturb.select == 1
    np.testing.assert_array_equal(sinew.getState(play.m, play.d, 0x3FFF), state)


def test_forces_of_the_run_stay_where_a_body_is_selected(played):
    model = arm()[0]
    data, recorder = sinew.Data(model), sinew.Recorder(model)
    data.xfrc_applied[2] = 1, 2, 3, 4, 5, 6
    for _ in range(3):
        recorder.step(data)
    play = played(recorder.recording())
    for body in (2, 0):
        turn(play, {"do": "perturb", "words": {"select": body, "active": 0}})
    assert play.d.xfrc_applied[2].tolist() == [1, 2, 3, 4, 5, 6]


def test_pages_play_it(played):
    """The one that controls; the viewer waits for it without a turn, and ends when it is closed."""
    with Running(played(record(rows=2000)[0])) as play:
        with page(play) as first, page(play) as second:
            first.send('{"do": "size", "width": 640, "height": 480, "hidden": false}')
            until(lambda: kinds(first, "frame")[0]["status"]["recording"]["time"] > 0)
            first.send('{"do": "run", "on": false}')
            first.send('{"do": "seek", "row": 1000}')

            def there():
                words = kinds(first, "frame")[0]
                recording = words["status"]["recording"]
                return recording["row"] == 1000 and not recording["run"]

            until(there)
            second.send('{"do": "seek", "row": 5}')
            second.send('{"do": "ctrl", "index": 0, "value": 1}')
            first.send('{"do": "pull", "bits": 1}')
            first.send('{"do": "rows", "by": -1}')
            until(lambda: kinds(second, "frame")[0]["status"]["recording"]["row"] == 999)


def test_it_does_nothing_while_nothing_is_played(played):
    play, turns = played(record(rows=10)[0]), []
    turned = play._turn
    play._turn = lambda now: (turns.append(1), turned(now))
    with Running(play):
        until(lambda: turns)
        time.sleep(0.3)
        assert len(turns) == 1
        play._hear({"do": "seek", "row": 5})
        until(lambda: len(turns) == 2)
        until(lambda: play._status()["recording"]["row"] == 5)


# ---- two beside each other


def test_two_run_by_one_clock(played):
    """One that ends first stays at its end; rows are those of either."""
    long, _ = record(rows=100)
    short = Recording([0.05, 0.0605, 0.1], {"qpos": [[0, 0], [1, 0], [2, 0]]})
    model = long.model()
    play = played(long, short, models=[model, model])
    first, second = play._motion.datas
    assert turn(play, {"do": "seek", "time": 0.05})["row"] == 25
    assert turn(play, *[{"do": "rows", "by": 1}] * 6)["time"] == 0.0605
    assert (first.time, second.time, second.qpos[0]) == (0.0605, 0.0605, 1)
    assert turn(play, {"do": "rows", "by": 1})["time"] == pytest.approx(0.062)
    assert turn(play, {"do": "rows", "by": -1})["time"] == 0.0605
    turn(play, {"do": "seek", "time": 9})
    assert (first.time, second.time) == (pytest.approx(0.198), 0.1)
    turn(play, {"do": "seek", "time": 0})
    assert (first.time, second.time) == (0, 0.05)


SMALL = (
    '<mujoco><worldbody><body name="lower"><joint/><geom size=".1"/></body></worldbody></mujoco>'
)


def test_a_further_picture_is_no_page(played):
    """It has the other run's frames, never controls, and does not keep the viewer open."""
    other, _ = record(rows=100, model=sinew.Model.from_xml(SMALL))
    with Running(played(record(rows=100)[0], other)) as play:
        with page(play, "world=1") as early:
            words, _ = kinds(early, "model")
            with page(play) as main, page(play, "world=1") as beside, page(play, "world=7") as none:
                assert kinds(main, "role")[0]["role"] == "controller"
                main.send('{"do": "seek", "row": 50}')

                def there():
                    words = kinds(beside, "frame")[0]
                    assert words["geoms"] == 1
                    return words["status"]["recording"]["row"] == 50

                until(there)
                none.send('{"do": "size", "width": 9, "height": 9}')
                beside.send('{"do": "seek", "row": 3}')
                with pytest.raises(Exception, match="1008"):
                    while True:
                        beside.recv(timeout=30)
                with pytest.raises(TimeoutError):
                    none.recv(timeout=0.01)
            until(lambda: not play.is_running())


@pytest.mark.parametrize(
    "query, wanted",
    [
        ("", None), ("x=1", None), ("world=1", {"world": 1}), ("camera=12", {"camera": 12}),
        ("world=1&camera=0", {"world": 1, "camera": 0}),
    ],
)  # fmt: skip
def test_what_a_socket_is_for(query, wanted):
    assert asked_for(query) == wanted


def test_what_no_socket_is_for(played):
    play = played(record(rows=2)[0])
    for query in ("world=-1", "world=x", "camera=1e3", "camera=9999999", "world=²"):
        with pytest.raises(Exception, match="403"):
            page(play, query)


class Pages:
    """What further pictures ask of all pages."""

    def __init__(self, *worlds):
        self.worlds, self.world, self.controller = worlds, worlds[0], None

    def world_of(self, number):
        return self.worlds[number]


@pytest.fixture
def follower():
    """A picture of a small model beside that of an arm."""
    from sinew._viewer.view import View

    model = sinew.Model.from_xml(SMALL)
    data = sinew.Data(model)
    sinew.forward(model, data)
    further = Further(Pages(world(*arm())[0], world(model, data)[0]), None, world=1)
    further.view = View(further.world())
    further.view.update()
    return further


GROUPS = (
    "geomgroup",
    "sitegroup",
    "jointgroup",
    "tendongroup",
    "actuatorgroup",
    "skingroup",
    "flexgroup",
)


def follow(**changed):
    """What a page says to a further picture."""
    opt = {"label": 0, "frame": 0, "flags": [0] * 31, **{name: [1] * 6 for name in GROUPS}}
    cam = {
        "type": 0, "fixedcamid": -1, "trackbodyid": -1, "lookat": [1, 2, 3], "distance": 4, "azimuth": 5,
        "elevation": 6, "orthographic": 0,
    }  # fmt: skip
    opt |= changed.pop("opt", {})
    cam |= changed.pop("cam", {})
    words = {"do": "follow", "opt": opt, "cam": cam, "flags": [0] * 10, "select": 0, **changed}
    return json.dumps(words)


def test_a_further_picture_follows(follower):
    flags = [1] * 10
    follower.hear(follow(opt={"label": 3, "geomgroup": [0, 1, 0, 1, 0, 1]}, flags=flags, select=2))
    view = follower.view
    assert view.opt.label == 3 and view.opt.geomgroup.tolist() == [0, 1, 0, 1, 0, 1]
    assert view.scene.flags.tolist() == flags and view.cam.lookat.tolist() == [1, 2, 3]
    assert (view.cam.distance, view.cam.azimuth, view.cam.elevation) == (4, 5, 6)
    assert view.pert.select == 1  # the lower arm is its first body
    follower.hear(follow(select=1, cam={"type": 1, "trackbodyid": 2}))
    assert view.pert.select == 0  # it has no upper arm
    assert (view.cam.type, view.cam.trackbodyid) == (1, 1)
    follower.hear(follow(cam={"type": 2, "fixedcamid": 0}))
    assert view.cam.type == 0  # it has no such camera
    view.messages()


def test_an_old_page_speaks_of_bodies_that_are_no_more(follower):
    """A model was loaded anew meanwhile."""
    follower.hear(follow(select=999, cam={"type": 1, "trackbodyid": 999, "fixedcamid": 99}))
    assert follower.view.pert.select == 0 and follower.view.cam.type == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"opt": 1}, {"opt": {"label": 17}}, {"opt": {"flags": [0] * 30}}, {"opt": {"geomgroup": "111111"}},
        {"opt": {"sitegroup": [None] * 6}}, {"flags": None}, {"flags": [0] * 11}, {"select": -1}, {"select": "1"},
        {"cam": {"type": 3}}, {"cam": {"lookat": [1, 2]}}, {"cam": {"distance": None}}, {"cam": {"trackbodyid": "1"}},
    ],
)  # fmt: skip
def test_what_no_page_says_to_a_further_picture(follower, changed):
    before = follower.view.cam.lookat.tolist(), follower.view.opt.geomgroup.tolist()
    if changed == {"opt": 1}:
        text = follow().replace('"opt"', '"opts"')
    else:
        text = follow(**changed)
    with pytest.raises(Wrong):
        follower.hear(text)
    assert (follower.view.cam.lookat.tolist(), follower.view.opt.geomgroup.tolist()) == before


def test_a_further_picture_does_little(follower):
    assert set(FOLLOWING) == {"drawn", "size", "select", "follow"}
    for do in ("take", "run", "seek", "ctrl", "camera", "flag", "choose", "chosen"):
        with pytest.raises(Wrong):
            follower.hear(json.dumps({"do": do, "on": True, "time": 0}))


# ---- in a browser


@pytest.fixture
def shown(windows):
    """Opens pages of viewers that play; no page may have complained."""
    with contextlib.ExitStack() as stack:
        tabs = []

        def show(*recordings, size=(800, 500), **given):
            play = stack.enter_context(Running(player(*recordings, **given)))
            tabs.append(Tab(windows, play.address, size))
            stack.callback(tabs[-1].leave)
            return play, tabs[-1]

        yield show
    assert [fault for tab in tabs for fault in tab.faults] == []


def now(tab, which=0):
    """The recording as the frame of a picture says; empty before there is one."""
    frame = tab.page.evaluate(f"window.sinewFrame ? window.sinewFrame({which}) : null")
    return (frame or {}).get("status", {}).get("recording") or {}


# what the page tells from now on
TELL = """() => {
    window.told = [];
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) { window.told.push(JSON.parse(text)); send.call(this, text); };
}"""


def test_the_time_line(shown):
    """It plays, is dragged, and keys step it, also where the slider has the focus."""
    play, tab = shown(record(rows=501)[0])
    page = tab.page
    tab.until(lambda: now(tab).get("row", 0) > 0, "it does not begin")
    page.evaluate(TELL)
    slider = page.get_by_label("Time", exact=True).first
    box = slider.bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.2 * box["width"], middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], middle, steps=30)
    tab.until(lambda: now(tab).get("time") == pytest.approx(0.5, abs=0.02), "it does not follow")
    assert not now(tab)["run"]
    page.mouse.move(box["x"] + box["width"] + 30, middle, steps=3)
    page.mouse.up()
    tab.until(lambda: now(tab)["row"] == 500 and not now(tab)["run"], "it is not at the end")
    # the end is a sum of steps, which the slider rounds: let go there, it does not begin anew
    assert now(tab)["end"] != round(now(tab)["end"], 12)
    assert not [words for words in page.evaluate("window.told") if words.get("on")]
    for key, row in (
        ("Home", 0),
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", 500),
    ):
        page.keyboard.press(key)
        tab.until(lambda row=row: now(tab)["row"] == row, f"{key} does not lead to row {row}")
    page.get_by_label("Row", exact=True).fill("123")
    page.keyboard.press("Enter")
    tab.until(lambda: now(tab)["row"] == 123, "it is not at the row")
    page.get_by_label("loop").click()
    page.get_by_role("button", name="Play").click()
    tab.until(lambda: now(tab)["run"] and now(tab)["loop"], "it does not play")
    page.get_by_role("button", name="Pause").click()
    tab.until(lambda: not now(tab)["run"], "it does not pause")
    tab.until(
        lambda: float(slider.input_value()) == pytest.approx(now(tab)["time"]), "the slider is off"
    )


BOX = """
<mujoco>
  <visual><quality shadowsize="256"/></visual>
  <worldbody><light pos="0 0 3"/><body name="box"><joint name="turn" axis="0 1 0"/><geom type="box" size=".2 .3 .4"/></body></worldbody>
  <actuator><motor joint="turn" gear="100"/></actuator>
</mujoco>
"""


def picture(tab, which):
    return tab.page.evaluate(f"window.sinewPicture({which})")


def test_two_pictures(shown):
    """They look from the same place, show the same, and select the same; each has its own run."""
    model = sinew.Model.from_xml(BOX)
    run, other = (record(rows=100, push=push, model=model)[0] for push in (1, -2))
    play, tab = shown(run, other, names=["same", "<b>"], size=(842, 500))
    page = tab.page
    tab.until(lambda: now(tab, 1) and now(tab)["row"] == 99, "there are no two pictures")
    assert page.locator(".caption").all_text_contents() == ["same", "<b>"]
    page.keyboard.press("Home")

    def alike():
        rows = [now(tab, which).get("row") for which in (0, 1)]
        return rows == [0, 0] and picture(tab, 0) == picture(tab, 1)

    tab.until(alike, "two pictures of the first row are not the same")
    before = picture(tab, 0)
    box = page.locator(".picture").nth(1).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 60, y + 20, steps=3)
    page.mouse.up()
    page.keyboard.press("w")
    tab.until(lambda: picture(tab, 0) != before, "the camera of the other picture stays")
    tab.until(alike, "it does not follow")
    play._hear({"do": "seek", "row": 99})
    tab.until(lambda: now(tab, 1)["row"] == 99, "it does not go on")
    tab.until(lambda: picture(tab, 0) != picture(tab, 1), "both show the same run")
    tab.until(lambda: choose(tab, play, x, y), "nothing is selected")
    tab.until(
        lambda: tab.page.evaluate("window.sinewFrame(0).select") > 0, "it is not selected in both"
    )


def choose(tab, play, x, y):
    """Select what is in the middle of the second picture."""
    if play.perturb.select == 0:
        tab.page.mouse.dblclick(x, y)
    return play.perturb.select > 0


# ---- what cannot be played


def rows(time, qpos):
    return Recording(time, {"qpos": qpos}, path="run.npy")


@pytest.mark.parametrize(
    "recording, fault",
    [
        (rows([], np.zeros((0, 2))), "run.npy: has no rows"),
        (rows([0, 1], [[0, 0, 0]] * 2), "run.npy does not fit the model: qpos has 3 numbers, the model 2"),
        (rows([0, 1], [[np.nan, 0]] * 2), "run.npy: row 0 has numbers in qpos that are not finite"),
        (rows([0, 1, 0.5], [[0, 0]] * 3), "run.npy: row 2 goes back in time, from 1 s to 0.5 s"),
        ([], "0 recordings; a viewer plays one, or 2 beside each other"),
        ([rows([0], [[0, 0]])] * 3, "3 recordings"),
    ],
)  # fmt: skip
def test_what_cannot_be_played(recording, fault):
    with pytest.raises(ValueError, match=fault):
        viewer.play(recording, arm()[0], browser=False)


def test_models_that_cannot_be(tmp_path):
    recording = rows([0], [[0, 0]])
    with pytest.raises(ValueError, match="model is missing, and no recording holds one"):
        viewer.play(recording)
    with pytest.raises(ValueError, match="2 models for 1 recordings"):
        viewer.play(recording, [arm()[0]] * 2)
    with pytest.raises(TypeError, match="model is a Model, not int"):
        viewer.play(recording, [1])
    with pytest.raises(FileNotFoundError):
        viewer.play(tmp_path / "none.npy", arm()[0])


def test_what_play_is_given(tmp_path):
    """Paths and recordings; models that are given, or held."""
    recording, _ = record(rows=3)
    recording.save(tmp_path / "run.mcap")
    runs = recordings_of([tmp_path / "run.mcap", rows([0], [[0, 0]])])
    first, second = recorded_models(runs, None)
    assert first is second and first.nq == 2
    model = arm()[0]
    assert recorded_models(runs, model) == [model, model]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        (track,) = tracks_of([rows([0, 1, 2], [[0, 0], [1, 1], [np.inf, 0]])], [model])
    assert (
        track.end == 1
        and "row 2 has numbers in qpos that are not finite: it ends before that"
        in str(said[0].message)
    )


def test_one_row(played):
    play = played(rows([3], [[1, 2]]), models=[arm()[0]])
    seen = {"do": "size", "size": [640, 480]}
    turn(play, seen, {"do": "loop", "on": True})
    for message in (
        {"do": "run", "on": True},
        {"do": "rows", "by": 1},
        {"do": "rows", "by": -1},
        {"do": "seek", "time": 9},
    ):
        shown = turn(play, message)
        assert (shown["time"], shown["row"], shown["rows"], shown["run"]) == (3, 0, 1, False)


def test_rows_that_are_bad_are_told(played):
    recording = rows([0, 1, 2], [[0, 0], [1, 1], [np.nan, 0]])
    shown = turn(played(recording, models=[arm()[0]]), {"do": "seek", "time": 9})
    assert shown["time"] == 1 and shown["rows"] == 2
    assert shown["faults"] == ["run.npy: row 2 has numbers in qpos that are not finite"]


def test_a_model_without_joints(played):
    model = sinew.Model.from_xml("<mujoco/>")
    play = played(Recording([0, 1], {}), models=[model])
    assert turn(play, {"do": "seek", "time": 0.5})["time"] == 0.5


def test_hours_stay_in_their_file(tmp_path, monkeypatch):
    """Memory for a small part of the rows."""
    monkeypatch.setattr("sinew._recording.npy._MAPPED", 1 << 20)
    count, kind = 200_000, np.dtype([("time", float), ("qpos", float, (60,))])
    bodies = '<body><joint type="slide"/><geom size=".1"/></body>' * 60
    model = sinew.Model.from_xml(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    file = np.lib.format.open_memmap(tmp_path / "run.npy", "w+", kind, (count,))
    file["time"] = np.arange(count)
    file.flush()
    del file
    tracemalloc.start()
    try:
        track = Track(model, Recording.from_path(tmp_path / "run.npy"))
        data = sinew.Data(model)
        track.place(data, 150_000.5)
        used = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert data.time == 150_000.5 and len(track) == count
    assert used < 1 << 23 < count * kind.itemsize / 10
