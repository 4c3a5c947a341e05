"""Recordings that are dropped into a page: they are played, or an error says what is wrong with them and nothing is lost."""

import json
import os
import threading

import numpy as np
import pytest
from browsing import Tab
from runs import Running, player, record
from simulating import Simulating, drop_files, send
from talking import kinds, page, until
from test_opening import drag, wait
from worlds import ARM, arm

import sinew
import sinew.mujoco as mujoco
import sinew.mujoco.viewer
from sinew import Recording
from sinew._recording.attached import Inside
from sinew.viewer import drops, managed, opening
from sinew.viewer.drops import pack_drop, shown_of
from sinew.viewer.opening import Opened, open_drop
from sinew.viewer.sharing import share_rows, shared_rows

BALL = '<mujoco><worldbody><body name="ball"><joint/><geom size=".1"/></body></worldbody></mujoco>'
CSV = "time,qpos/shoulder,qpos/elbow\n" + "".join(f"{k / 10},{k},{-k}\n" for k in range(11))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Recordings of arms, 200 rows each: one without its model, one with it."""
    made = tmp_path_factory.mktemp("recorded")
    recording, _ = record()
    recording.save(made / "run.npy")
    recording.save(made / "run.mcap")
    return made


def read(folder, name):
    return (folder / name).read_bytes()


# ---- what of a drop is a recording


@pytest.mark.parametrize(
    "files, models, runs",
    [
        ({"run.MCAP": b""}, [], ["run.MCAP"]),
        ({"b.csv": b"x", "a.npy": b""}, [], ["a.npy", "b.csv"]),
        ({"a.xml": b"<mujoco/>", "run.csv": b"time,qpos/a\n"}, ["a.xml"], ["run.csv"]),
        ({"a.xml": b"<mujoco/>", "gains.csv": b"time,kp\nqpos", "x.npy": b"\x93NUMPY"}, ["a.xml"], []),
    ],
)  # fmt: skip
def test_what_could_be_played(files, models, runs):
    assert shown_of(files) == (models, runs)


# ---- read in a process of its own


def opened(files, tmp_path, monkeypatch, choice=(), alone=False, shown=None):
    """What is opened of a drop, and what is answered besides."""
    monkeypatch.chdir(tmp_path)  # it goes elsewhere, and comes back with the end of the test
    drop, answer = pack_drop(files), {}
    descriptor = os.memfd_create("drop")
    os.write(descriptor, drop)
    folder = tmp_path / str(len(os.listdir(tmp_path)))
    folder.mkdir()
    try:
        request = {"choice": choice, "alone": alone}
        return open_drop(request, answer, descriptor, str(folder), lambda: shown), answer
    finally:
        os.close(descriptor)


def test_rows_go_to_another_process_as_they_are(folder):
    recording = Recording.from_path(folder / "run.npy")
    given = shared_rows(share_rows(recording))
    assert given.path == str(folder / "run.npy")
    np.testing.assert_array_equal(given.time, recording.time)
    for part in ("qpos", "qvel", "ctrl"):
        np.testing.assert_array_equal(given.field(part), recording.field(part))


def test_with_which_model_it_is_played(folder, tmp_path, monkeypatch):
    """The drop's own, the one in it, or that which is open, in this order."""
    npy, mcap = read(folder, "run.npy"), read(folder, "run.mcap")
    model = ARM.replace('name="upper"', 'name="other"').encode()

    def names(made):
        return [made.models[0].body(1).name, len(made.models), len(made.rows)]

    both, _ = opened({"a.xml": model, "run.mcap": mcap}, tmp_path, monkeypatch)
    assert names(both) == ["other", 1, 1]
    held, _ = opened({"run.npy": npy, "run.mcap": mcap}, tmp_path, monkeypatch)
    assert names(held) == ["upper", 1, 2]
    alone, _ = opened({"run.mcap": mcap}, tmp_path, monkeypatch, alone=True)
    assert names(alone) == ["upper", 1, 0]
    nothing, _ = opened({"run.npy": npy}, tmp_path, monkeypatch, shown=arm()[0])
    assert (nothing.models, len(nothing.rows)) == ([], 1)
    with pytest.raises(drops.Refused, match=r"^run\.npy: it holds no model, and none is open"):
        opened({"run.npy": npy}, tmp_path, monkeypatch)


def test_which_of_several(folder, tmp_path, monkeypatch):
    files = {f"{k}.npy": read(folder, "run.npy") for k in range(3)} | {"a.xml": ARM.encode(), "b.xml": BALL.encode()}  # fmt: skip
    made, answer = opened(files, tmp_path, monkeypatch)
    assert made == Opened() and answer == {"asks": "model", "choices": ["a.xml", "b.xml"]}
    made, answer = opened(files, tmp_path, monkeypatch, ["a.xml"])
    assert made == Opened()
    assert answer == {"asks": "recording", "choices": ["0.npy", "1.npy", "2.npy"]}
    made, answer = opened(files, tmp_path, monkeypatch, ["a.xml", "2.npy"])
    assert len(made.models) == len(made.rows) == 1 and answer["name"] == "a.xml"
    with pytest.raises(drops.Refused, match="x.xml: is no model of the drop, and no recording"):
        opened(files, tmp_path, monkeypatch, ["x.xml"])


SOURCES = [
    (ARM, None),
    ("<mujoco><asset><mesh name='m' file='/etc/passwd'/></asset></mujoco>", "is outside of the folders"),
    ("<mujoco><include file='/etc/hostname'/></mujoco>", "is outside of the folders"),
]  # fmt: skip


@pytest.mark.parametrize("text, fault", SOURCES)
def test_the_source_in_a_recording_leads_nowhere(folder, tmp_path, monkeypatch, text, fault):
    """A model that another version has packed is made of its source, which names files of the drop alone."""
    load = Recording.from_path

    def of_another_version(path):
        made = load(path)
        made._model = Inside(b"of another version", text)
        return made

    monkeypatch.setattr(Recording, "from_path", of_another_version)
    files = {"run.mcap": read(folder, "run.mcap")}
    if fault is None:
        made, _ = opened(files, tmp_path, monkeypatch)
        assert made.models[0].body(1).name == "upper"
    else:
        with pytest.raises(sinew.ModelError, match=fault):
            opened(files, tmp_path, monkeypatch)
    monkeypatch.setattr(sinew.Model, "from_xml", None)  # what is not confined
    made, _ = opened({"a.xml": ARM.encode(), **files}, tmp_path, monkeypatch)
    assert len(made.models) == len(made.rows) == 1


def test_another_physics_does_not_fit(folder, tmp_path, monkeypatch):
    text = ARM.replace("<worldbody>", '<custom><text name="sinew_physics" data="3.3.7"/></custom><worldbody>')  # fmt: skip
    with pytest.raises(ValueError, match="run.mcap: its model means physics 4.0"):
        opened(
            {"a.xml": text.encode(), "run.mcap": read(folder, "run.mcap")}, tmp_path, monkeypatch
        )


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="a bound of the system")
def test_what_takes_too_much_memory_is_refused(tmp_path, monkeypatch):
    """Small numbers become large rows."""
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    monkeypatch.setattr(opening, "_MOST_READ", 1 << 27)
    rows = np.zeros(1 << 24, [("time", "i1"), ("qpos", "i1")])
    np.save(tmp_path / "run.npy", rows)
    with pytest.raises(drops.Refused, match="more than 0 GB of memory"):
        opened({"run.npy": read(tmp_path, "run.npy")}, tmp_path, monkeypatch, shown=arm()[0])
    np.empty(1 << 25)  # there is memory again
    assert resource.getrlimit(resource.RLIMIT_AS) == before


# ---- dropped into a viewer


@pytest.fixture(scope="module")
def viewing():
    made = Simulating(arm()[0])
    yield made
    made.close()


@pytest.fixture
def simulating(viewing):
    """It simulates an arm of its own, at full speed."""
    with viewing.viewer._lock:
        viewing.viewer._load_again(arm)
        viewing.viewer._simulation.running, viewing.viewer._simulation.percent = True, 100.0
    return viewing


@pytest.fixture
def socket(simulating):
    with simulating.page() as socket:
        socket.send('{"do": "size", "width": 640, "height": 480}')
        kinds(socket, "frame")
        yield socket


def played(simulating):
    """How what is played is played, None: it is simulated."""
    return simulating.viewer._status().get("recording")


def goes_to(simulating, socket, row):
    """Seek a row, again where the page was shown another model just then."""

    def there():
        socket.send(json.dumps({"do": "seek", "row": row}))
        return played(simulating)["row"] == row

    until(there)


def rows_are_those(simulating, socket, folder, row=150):
    """Whether a page sees a row of the run."""
    socket.send(json.dumps({"do": "run", "on": False}))
    goes_to(simulating, socket, row)
    wanted = Recording.from_path(folder / "run.npy")
    np.testing.assert_array_equal(simulating.viewer.d.qpos, wanted.qpos[row])
    until(lambda: kinds(socket, "frame")[0]["status"].get("recording", {}).get("row") == row)


@pytest.mark.parametrize("name", ["run.npy", "run.mcap"])
def test_it_is_played(simulating, socket, folder, name):
    before = simulating.viewer.m
    assert drop_files(simulating, socket, {name: read(folder, name)}) == []
    assert (simulating.viewer.m is before) == (name == "run.npy")
    until(lambda: played(simulating)["row"] > 0)  # it begins
    assert played(simulating)["rows"] == 200 and played(simulating)["names"] == [name]
    rows_are_those(simulating, socket, folder)
    socket.send(json.dumps({"do": "rows", "by": -1}))
    until(lambda: played(simulating)["row"] == 149)
    socket.send(json.dumps({"do": "ctrl", "index": 0, "value": 2}))
    socket.send(json.dumps({"do": "reload"}))
    goes_to(simulating, socket, 3)
    assert simulating.viewer.d.ctrl[0] == 0.5


def test_a_table_is_played(simulating, socket):
    simulating.viewer.d.xfrc_applied[1] = 1  # of what was before nothing stays
    assert drop_files(simulating, socket, {"d/run.csv": CSV.encode()}) == []
    goes_to(simulating, socket, 7)
    until(lambda: simulating.viewer.d.qpos.tolist() == [7, -7])
    assert not simulating.viewer.d.xfrc_applied.any() and played(simulating)["names"] == ["run.csv"]


def test_a_model_with_its_recording(simulating, socket, folder):
    files = {"d/ball.xml": BALL.encode(), "d/run.csv": b"time,qpos/[0]\n0,1\n1,2\n2,nan\n"}
    assert drop_files(simulating, socket, files) == []
    assert simulating.viewer.m.nbody == 2 and played(simulating)["rows"] == 2
    (fault,) = played(simulating)["faults"]
    assert fault == "d/run.csv: row 2 has numbers in qpos that are not finite"


def test_another_recording_and_a_model_take_its_place(simulating, socket, folder):
    drop_files(simulating, socket, {"run.npy": read(folder, "run.npy")})
    assert drop_files(simulating, socket, {"other.csv": CSV.encode()}) == []
    assert played(simulating)["names"] == ["other.csv"] and played(simulating)["rows"] == 11
    assert drop_files(simulating, socket, {"ball.xml": BALL.encode()}) == []
    assert simulating.viewer.m.nbody == 2 and played(simulating) is None
    simulating.goes_on()


def test_it_is_simulated_on(simulating, socket, folder):
    """From the state that is seen; a reload after it is the model's."""
    drop_files(simulating, socket, {"run.mcap": read(folder, "run.mcap")})
    rows_are_those(simulating, socket, folder)
    simulating.viewer._simulation.percent = 0.01  # so that it is seen where it begins
    before, state = simulating.viewer.m, simulating.viewer.d.qpos.copy()
    socket.send(json.dumps({"do": "simulate"}))
    until(lambda: played(simulating) is None)
    assert simulating.viewer.m is before and abs(simulating.viewer.d.qpos - state).max() < 0.1
    socket.send(json.dumps({"do": "speed", "percent": 100}))
    until(lambda: simulating.viewer.d.time > 0.4)
    socket.send(json.dumps({"do": "reload"}))
    until(lambda: simulating.viewer.m is not before)
    assert played(simulating) is None and simulating.viewer.d.time < 0.4


def test_two_are_played_beside_each_other(simulating, socket, folder):
    """And one alone after them."""
    files = {"a.npy": read(folder, "run.npy"), "b.csv": CSV.encode()}
    assert drop_files(simulating, socket, files) == []
    assert played(simulating)["names"] == ["a.npy", "b.csv"]
    with simulating.page_of("world=1") as other:
        words, _ = kinds(other, "model")
        assert words["number"] == simulating.viewer._number
        until(lambda: kinds(other, "frame")[0]["time"] >= 1)
        assert drop_files(simulating, socket, {"c.csv": CSV.encode()}) == []
        assert simulating.viewer._others == []
        files["ball.xml"] = BALL.encode()
        said = drop_files(simulating, socket, files)
        assert said[0] == "ball.xml is not loaded, what was there before stays:"
        assert "a.npy does not fit the model: qpos has 2 numbers, the model 1" in said[1]
        assert played(simulating)["names"] == ["c.csv"]


def test_a_model_of_another_number_beside(simulating, socket, folder):
    """Pages speak of it by the number of the first."""
    drop_files(simulating, socket, {"ball.xml": BALL.encode()})
    mcap, npy = read(folder, "run.mcap"), read(folder, "run.npy")
    assert drop_files(simulating, socket, {"a.mcap": mcap, "b.npy": npy}) == []
    number = simulating.viewer._number
    assert number > 1
    with simulating.page_of("world=1") as other:
        assert kinds(other, "model")[0]["number"] == number


def test_a_viewer_of_recordings_takes_drops():
    """Its model is the one that is open, and what was given beside it goes."""
    first, second = record(rows=10)[0], record(rows=20)[0]
    with Running(player(first, second)) as viewer, page(viewer) as socket:
        kinds(socket, "frame")
        before = viewer.m
        assert send(socket, pack_drop({"other.csv": CSV.encode()})) is None
        until(lambda: viewer._status()["recording"]["names"] == ["other.csv"])
        assert viewer.m is before and viewer._others == []
        assert send(socket, pack_drop({"ball.xml": BALL.encode()})) is None
        until(lambda: viewer.m is not before and "recording" not in viewer._status())
        until(lambda: viewer.d.time > 0)


BAD = [
    ("run.npy", lambda b: b[:60], "the header of the .npy is cut or damaged"),
    ("run.npy", lambda b: b"", "the file is empty"),
    ("run.mcap", lambda b: b[:7], "no row can be read"),
    ("run.mcap", lambda b: b[:200], "no row can be read"),
    ("run.mcap", lambda b: b[:8] + os.urandom(1000), "no row can be read"),
    ("run.csv", lambda b: b"time,qpos/shoulder\n0,1\n1,2\n", "qpos has 1 numbers, the model 2"),
    ("run.csv", lambda b: b"time,qpos/shoulder,qpos/elbow\n0,1,x\n", "run.csv:2: column 3: not a number: 'x'"),
    ("run.csv", lambda b: b"time,qpos/shoulder,qpos/elbow\n0,nan,1\n", "row 0 has numbers in qpos that are not finite"),
    ("run.csv", lambda b: b"time,qpos/shoulder,qpos/elbow\n1,0,1\n0,0,1\n", "row 1 goes back in time"),
    ("run.csv", lambda b: b"time,qpos/elbow,qpos/shoulder\n0,0,1\n", "qpos[0] is of 'elbow', in the model of 'shoulder'"),
    ("run.csv", lambda b: b"a,b\n0,0\n", "no column time"),
]  # fmt: skip


@pytest.mark.parametrize("name, harm, fault", BAD)
def test_what_cannot_be_played(folder, tmp_path, monkeypatch, name, harm, fault):
    whole = read(folder, name) if (folder / name).exists() else b""
    with pytest.raises(ValueError) as caught:
        opened({name: harm(whole)}, tmp_path, monkeypatch, shown=arm()[0])
    assert name in str(caught.value) and fault in str(caught.value)


def test_what_cannot_be_played_changes_nothing(simulating, socket, folder):
    """Neither a simulation nor what is played."""
    bad, before = {"bad.mcap": read(folder, "run.mcap")[:200]}, simulating.viewer.m
    first, fault = drop_files(simulating, socket, bad)
    assert first == "bad.mcap is not loaded, what was there before stays:"
    assert "bad.mcap: no row can be read" in fault
    assert simulating.viewer.m is before and played(simulating) is None
    simulating.goes_on()
    drop_files(simulating, socket, {"good.npy": read(folder, "run.npy")})
    rows_are_those(simulating, socket, folder)
    assert drop_files(simulating, socket, bad)[1] == fault
    assert played(simulating)["names"] == ["good.npy"] and played(simulating)["row"] == 150


def test_one_that_is_cut_is_played_as_far_as_it_goes(simulating, socket, tmp_path):
    count = 20_000
    recording, _ = record(rows=count)
    for name in ("run.npy", "run.mcap"):
        recording.save(tmp_path / name)
        whole = read(tmp_path, name)
        files = {name: whole[: len(whole) * 2 // 3], "arm.xml": ARM.encode()}
        (said,) = drop_files(simulating, socket, files)
        assert f"warning: {name}: not finished" in said
        assert 0 < played(simulating)["rows"] < count


def test_a_file_that_changes_waits(tmp_path, folder, monkeypatch):
    """What is played is not replaced; the model is as it is on disk when it is simulated again."""
    from sinew.viewer import Source, watching

    monkeypatch.setattr(watching, "INTERVAL", 0.05)
    path = tmp_path / "arm.xml"
    path.write_text(ARM)
    simulating = Simulating(sinew.Model.from_path(path), Source(str(path)))
    try:
        with simulating.page() as socket:
            kinds(socket, "frame")
            until(lambda: simulating.loading._files)
            drop_files(simulating, socket, {"run.npy": read(folder, "run.npy")})
            before = simulating.viewer.m
            path.write_text(ARM.replace(".04", ".06"))
            until(lambda: simulating.loading._missed)
            drop_files(simulating, socket, {"bad.npy": b"x"})
            assert played(simulating)["rows"] == 200 and simulating.viewer.m is before
            socket.send(json.dumps({"do": "simulate"}))
            until(lambda: simulating.viewer.m is not before)
            assert played(simulating) is None and 0.06 in simulating.viewer.m.geom_size
    finally:
        simulating.close()


def test_under_names_of_mujoco(folder):
    """Classes are those of the program."""
    model = mujoco.MjModel.from_xml_string(ARM)
    simulating = Simulating(model, data=mujoco.MjData(model))
    try:
        with simulating.page() as socket:
            kinds(socket, "frame")
            for name in ("run.npy", "run.mcap"):
                assert drop_files(simulating, socket, {name: read(folder, name)}) == []
                assert type(simulating.viewer.d) is mujoco.MjData
                rows_are_those(simulating, socket, folder)
    finally:
        simulating.close()


def test_nothing_of_a_drop_is_left(simulating, socket, folder):
    """Of descriptors, when something else is shown."""
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("descriptors are counted in /proc")
    drop_files(simulating, socket, {"ball.xml": BALL.encode()})
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(2):
        files = {"a.mcap": read(folder, "run.mcap"), "b.npy": read(folder, "run.npy")}
        drop_files(simulating, socket, files)
        drop_files(simulating, socket, {"bad.mcap": b"x"})
    drop_files(simulating, socket, {"ball.xml": BALL.encode()})
    until(lambda: len(os.listdir("/proc/self/fd")) <= before)


# ---- a loader


def test_a_loader_is_called_again(monkeypatch):
    """For a reload, until something is dropped; what it raises is told."""
    made, calls = [], []

    class Noted(managed.Managed):
        def __init__(self, *given, **more):
            super().__init__(*given, **more)
            made.append(self)

    def load():
        calls.append(len(calls))
        if len(calls) == 2:
            raise RuntimeError("not now")
        if len(calls) == 3:
            return arm()[0], arm()[1]
        model = mujoco.MjModel.from_xml_string(ARM)
        data = mujoco.MjData(model)
        data.qpos[0] = len(calls)
        return model, data

    monkeypatch.setattr("sinew.viewer.Managed", Noted)
    monkeypatch.setattr("sinew.viewer.handle.open_browser", lambda address: False)
    thread = threading.Thread(target=sinew.mujoco.viewer.launch, kwargs={"loader": load})
    thread.start()
    until(lambda: made)
    (viewer,) = made
    try:
        with page(viewer) as socket:
            kinds(socket, "frame")
            socket.send('{"do": "run", "on": false}')
            before = viewer.m
            told = viewer._loading.words
            socket.send('{"do": "reload"}')
            until(lambda: told["told"])
            assert told["told"] == [
                "the model is not loaded, what was there before stays:",
                "not now",
            ]
            socket.send('{"do": "reload"}')
            until(lambda: told["told"][1:] == ["data is of another model"])
            assert viewer.m is before
            socket.send('{"do": "reload"}')
            until(lambda: viewer.m is not before)
            assert viewer.d.qpos[0] == 4 and told["told"] == [] and calls == [0, 1, 2, 3]
            kinds(socket, "frame")
            assert send(socket, pack_drop({"ball.xml": BALL.encode()})) is None
            until(lambda: viewer.m.nbody == 2)
            before = viewer.m
            socket.send('{"do": "reload"}')
            until(lambda: viewer.m is not before)
            assert viewer.m.nbody == 2 and len(calls) == 4
    finally:
        viewer.close()
        thread.join()


def test_a_loader_and_a_model():
    with pytest.raises(ValueError, match="loader is given, and with it model, data or source"):
        sinew.viewer.launch(arm()[0], loader=arm)


# ---- in a browser


@pytest.fixture
def shown(windows, simulating):
    """A viewer that simulates an arm, and its page, which may complain of nothing."""
    tab = Tab(windows, simulating.viewer.address, (900, 500))
    wait(tab, lambda: tab.frames > 0)
    yield simulating, tab
    tab.leave()
    assert tab.faults == []


def test_recordings_are_dropped_and_played(shown, folder, tmp_path):
    """Scrubbed, replaced, refused and left again in the same page."""
    simulating, tab = shown
    drag(tab, folder / "run.npy")
    wait(tab, lambda: (played(simulating) or {"row": 0})["row"] > 0)
    tab.page.locator("#times").wait_for()
    tab.page.locator("#picture").focus()
    for key in ("ArrowRight", "Home", "ArrowRight"):  # the first stops it
        tab.page.keyboard.press(key)
    wait(tab, lambda: played(simulating)["row"] == 1 and not played(simulating)["run"])
    tab.page.get_by_label("Row", exact=True).fill("120")
    tab.page.keyboard.press("Enter")
    wait(tab, lambda: played(simulating)["row"] == 120)

    (tmp_path / "bad.csv").write_text("time,qpos/shoulder\n0,1\n")
    drag(tab, tmp_path / "bad.csv")
    warnings = tab.page.locator("#warnings")
    warnings.get_by_text("bad.csv is not loaded, what was there before stays").wait_for()
    warnings.get_by_text("qpos has 1 numbers, the model 2").wait_for()
    assert played(simulating)["row"] == 120

    (tmp_path / "other.csv").write_text(CSV)
    drag(tab, folder / "run.mcap", tmp_path / "other.csv")
    tab.page.locator(".caption").nth(1).wait_for()
    assert tab.page.locator(".caption").all_text_contents() == ["other.csv", "run.mcap"]
    wait(tab, lambda: tab.page.evaluate("window.sinewFrame(1)?.status.recording.row") is not None)
    wait(tab, lambda: warnings.is_hidden())

    assert tab.page.get_by_role("button", name="Reload").is_hidden()
    tab.page.get_by_role("button", name="Simulate").click()
    tab.page.locator("#times").wait_for(state="hidden")
    tab.page.locator(".caption").first.wait_for(state="detached")
    assert played(simulating) is None
    simulating.goes_on()


def test_the_page_asks_which_recording(shown, folder):
    simulating, tab = shown
    paths = [folder / name for name in ("a.npy", "b.npy", "c.npy")]
    for path in paths:
        path.write_bytes(read(folder, "run.npy"))
    drag(tab, *paths)
    tab.page.get_by_text("Which one is played?").wait_for()
    tab.page.get_by_role("button", name="b.npy").click()
    wait(tab, lambda: played(simulating) and played(simulating)["names"] == ["b.npy"])
