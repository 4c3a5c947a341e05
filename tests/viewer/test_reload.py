"""A model whose files change is shown anew, and goes on from where it was."""

import json
import os
import pathlib
import shutil
import tempfile
import threading

import numpy as np
import pytest
from simulating import Simulating, drop_files, send
from test_handle import kinds, page, until
from worlds import ARM

import sinew
import sinew.mujoco.viewer
from sinew import viewer
from sinew.viewer import Source, drops, watching
from sinew.viewer.keeping import keep_camera, keep_selection, keep_state
from sinew.viewer.watching import Watch, stamps

PARTS = {
    "scene.xml": "<mujoco><asset><mesh name='m' file='m.obj'/></asset><include file='arm.xml'/></mujoco>",
    "arm.xml": ARM.replace("size='.04'", "size='.04'"),
    "m.obj": "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
}
ROD = 'fromto="0 0 0 .4 0 0" size=".04"'


# ---- files


def test_a_watch_waits_until_files_change_no_more(tmp_path):
    file, other = tmp_path / "a", tmp_path / "b"
    file.write_text("1")
    watch = Watch(lambda: None)
    watch._known = watch._last = stamps([str(file), str(other)])
    assert not watch.look()
    file.write_text("12")
    assert not watch.look() and watch.look() and not watch.look()
    for text in ("123", "1234", "12345"):  # it is being written
        file.write_text(text)
        assert not watch.look()
    assert watch.look() and not watch.look()
    other.write_text("new")
    assert not watch.look() and watch.look()
    file.rename(tmp_path / "c")  # gone for a moment
    assert not watch.look()
    shutil.copy2(tmp_path / "c", tmp_path / "d")
    (tmp_path / "d").rename(file)
    assert not watch.look() and watch.look()


# ---- what stays

BEFORE = """<mujoco><worldbody>
  <camera name="left" pos="0 0 1"/><camera name="right" pos="0 0 2"/>
  <body name="car"><freejoint name="root"/><geom size=".1"/>
    <body name="arm"><joint name="a"/><geom size=".1"/>
      <body name="hand"><joint name="b" type="ball"/><geom size=".1"/></body></body></body>
  <body name="target" mocap="true"/>
</worldbody>
<actuator><motor name="m" joint="a"/><intvelocity name="i" joint="a" kp="1" actrange="-1 1"/></actuator></mujoco>"""
AFTER = """<mujoco><worldbody>
  <camera name="new" pos="0 0 1"/><camera name="right" pos="0 0 2"/>
  <body name="goal" mocap="true"/><body name="target" mocap="true"/>
  <body name="other"><joint name="c"/><geom size=".1"/></body>
  <body name="hand"><joint name="b" type="ball"/><geom size=".1"/></body>
  <body name="arm"><joint name="a" type="slide"/><geom size=".1"/></body>
  <body name="car"><freejoint name="root"/><geom size=".1"/></body>
</worldbody>
<actuator><intvelocity name="i" joint="b" kp="1" actrange="-1 1"/><motor name="m" joint="c"/></actuator></mujoco>"""


def both():
    models = [sinew.Model.from_xml(text) for text in (BEFORE, AFTER)]
    return [(model, sinew.Data(model)) for model in models]


def test_the_state_of_what_remains_is_kept():
    (before, old), (after, new) = both()
    old.time = 7
    old.qpos[:] = np.arange(12) + 1
    old.qvel[:] = np.arange(10) + 0.5
    old.ctrl[:], old.act[:] = (3, 4), 0.25
    old.mocap_pos[:], old.mocap_quat[:] = (1, 2, 3), (0, 1, 0, 0)
    keep_state(before, old, after, new)
    assert new.time == 7
    assert new.qpos.tolist() == [0, *range(9, 13), 0, *range(1, 8)]
    assert new.qvel.tolist() == [0, 7.5, 8.5, 9.5, 0, *np.arange(6) + 0.5]
    assert new.ctrl.tolist() == [4, 3] and new.act.tolist() == [0.25]
    assert new.mocap_pos.tolist() == [[0, 0, 0], [1, 2, 3]] and new.mocap_quat[1].tolist() == [
        0,
        1,
        0,
        0,
    ]


def test_what_has_no_name_is_known_by_its_number():
    model = sinew.Model.from_xml(
        BEFORE.replace('name="root"', "").replace('name="a"', "").replace('joint="a"', 'joint="b"')
    )
    old, new = sinew.Data(model), sinew.Data(model)
    old.qpos[:] = np.arange(12)
    keep_state(model, old, model, new)
    assert new.qpos.tolist() == old.qpos.tolist()


def test_cameras_and_selection_are_known_by_names():
    (before, _), (after, _) = both()
    camera, body = before.camera("right").id, before.body("hand").id
    cam = sinew._core.MjvCamera()
    cam.type, cam.fixedcamid = 2, camera
    keep_camera(cam, before, after)
    assert (cam.type, cam.fixedcamid) == (2, after.camera("right").id)
    cam.fixedcamid = before.camera("left").id
    keep_camera(cam, before, after)
    assert (cam.type, cam.fixedcamid) == (0, -1)
    cam.type, cam.trackbodyid = 1, body
    keep_camera(cam, before, after)
    assert (cam.type, cam.trackbodyid) == (1, after.body("hand").id)
    cam.type, cam.fixedcamid, cam.distance = 0, -1, 12.5
    keep_camera(cam, before, after)
    assert cam.distance == 12.5
    pert, old = sinew._core.MjvPerturb(), sinew._core.MjvPerturb()
    old.select, old.active, old.localpos[:] = body, 1, (1, 2, 3)
    keep_selection(pert, old, before, after)
    assert (
        pert.select == after.body("hand").id
        and not pert.active
        and pert.localpos.tolist() == [1, 2, 3]
    )


# ---- a viewer


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A model of several files, looked at more often than in earnest."""
    made = tmp_path_factory.mktemp("model")
    for name, text in PARTS.items():
        (made / name).write_text(text)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(watching, "INTERVAL", 0.05)
        yield made


@pytest.fixture(scope="module")
def viewing(folder):
    path = str(folder / "scene.xml")
    made = Simulating(sinew.Model.from_path(path), Source(path))
    until(lambda: len(made.loading._files) == 3)  # it knows what it watches
    yield made
    made.close()


@pytest.fixture
def simulating(viewing, folder):
    """It shows the files as they were first, and nothing else is on its way."""
    files = {str(folder / name): text for name, text in PARTS.items()}
    with viewing.loading._watch._lock:  # all at once
        for file, text in files.items():
            if not os.path.exists(file) or open(file).read() != text:
                write(pathlib.Path(file), text)

    def quiet():
        words = viewing.loading.words
        known = viewing.loading._watch._known
        return not words["busy"] and not words["told"] and known == stamps(files)

    def still():
        """What the watch said when it was quiet is heard, and changed nothing."""
        model, time = viewing.viewer.m, viewing.viewer.d.time
        until(lambda: viewing.viewer.m is not model or viewing.viewer.d.time != time)
        return quiet() and viewing.viewer.m is model

    until(quiet)
    until(still)
    return viewing


def replaced(simulating, change):
    """The model that is shown after a change on disk."""
    before = simulating.viewer.m
    change()
    until(lambda: simulating.viewer.m is not before)
    return simulating.viewer.m


def write(path, text):
    """Write as editors do: beside it, and then in its place."""
    path.with_suffix(".new").write_text(text)
    os.replace(path.with_suffix(".new"), path)


def test_a_changed_part_is_shown(simulating, folder):
    with simulating.page() as socket:
        kinds(socket, "frame")
        socket.send(json.dumps({"do": "look", "camera": 0}))
        socket.send(json.dumps({"do": "flag", "of": "flags", "index": 14, "on": True}))
        socket.send(json.dumps({"do": "flag", "of": "scene", "index": 0, "on": False}))
        until(lambda: simulating.viewer.cam.type == 2)
        until(lambda: simulating.viewer.d.time > 0.3)
        time, angle = simulating.viewer.d.time, simulating.viewer.d.qpos[0]
        model = replaced(
            simulating,
            lambda: write(folder / "arm.xml", ARM.replace(ROD, ROD.replace(".04", ".07"))),
        )
        assert 0.07 in model.geom_size and simulating.viewer.d.time >= time
        assert simulating.viewer.d.qpos[0] != 0 and angle != 0
        kinds(socket, "model")
        words, _ = kinds(socket, "frame")
        assert (words["cam"]["type"], words["cam"]["fixedcamid"]) == (2, 0)
        assert words["opt"]["flags"][14] == 1 and words["flags"][0] == 0
        assert simulating.viewer.cam.type == 2
    mesh = PARTS["m.obj"].replace("1 0 0", "5 0 0")
    model = replaced(simulating, lambda: (folder / "m.obj").write_text(mesh))
    assert abs(model.mesh_vert).max() > 2


def test_errors_stand_until_they_are_mended(simulating, folder):
    before = simulating.viewer.m
    write(folder / "arm.xml", ARM.replace("<geom type", "<geom sze='1' type", 1))
    until(lambda: simulating.loading.words["told"])
    first, said = simulating.loading.words["told"][:2]
    assert first == "scene.xml is not loaded, what was there before stays:"
    assert "unknown attribute 'sze'" in said and said.endswith("arm.xml:5")
    assert simulating.viewer.m is before
    simulating.goes_on()
    for text in ("", "<mujoco>", ARM[:200], "\x00" * 100):  # half of it is written
        (folder / "arm.xml").write_text(text)
        simulating.goes_on()
    os.remove(folder / "arm.xml")
    until(lambda: any("No such file" in line for line in simulating.loading.words["told"]))
    assert simulating.viewer.m is before
    replaced(simulating, lambda: write(folder / "arm.xml", ARM))
    assert simulating.settled() == []


def test_a_file_that_was_missing_mends(simulating, folder):
    """Also where nobody knew before that it would be wanted."""
    write(
        folder / "scene.xml", "<mujoco><include file='arm.xml'/><include file='more.xml'/></mujoco>"
    )
    until(lambda: any("more.xml" in line for line in simulating.loading.words["told"]))
    model = replaced(
        simulating,
        lambda: (folder / "more.xml").write_text(
            "<mujoco><worldbody><site name='s'/></worldbody></mujoco>"
        ),
    )
    assert model.nsite == 1 and simulating.settled() == []
    model = replaced(
        simulating,
        lambda: (folder / "more.xml").write_text("<mujoco><option timestep='.001'/></mujoco>"),
    )
    assert model.opt.timestep == 0.001


def test_a_reload_resets(simulating):
    with simulating.page() as socket:
        kinds(socket, "frame")
        socket.send(json.dumps({"do": "run", "on": False}))
        socket.send(json.dumps({"do": "ctrl", "index": 0, "value": 2}))
        until(lambda: simulating.viewer.d.ctrl[0] == 2)
        replaced(simulating, lambda: socket.send(json.dumps({"do": "reload"})))
        assert simulating.viewer.d.time == 0 and simulating.viewer.d.ctrl[0] == 0
        socket.send(json.dumps({"do": "run", "on": True}))
        simulating.goes_on()


def test_a_model_without_a_file_cannot_be_loaded_again():
    simulating = Simulating(sinew.Model.from_xml(ARM))
    try:
        with simulating.page() as socket:
            kinds(socket, "frame")
            socket.send(json.dumps({"do": "reload"}))
            until(lambda: simulating.loading.words["told"])
            assert "was not read from a file" in simulating.loading.words["told"][0]
        simulating.goes_on()
    finally:
        simulating.close()


def test_words_about_the_model_before_are_passed_over(simulating, folder):
    """A page's that was on its way, and the server's."""
    with simulating.page() as socket:
        kinds(socket, "frame")
        small = ARM.replace('<motor joint="elbow"/>', "")
        model = replaced(simulating, lambda: write(folder / "arm.xml", small))
        assert model.nu == 1
        assert kinds(socket, "model")[0]["number"] > 0
        old = {"do": "ctrl", "index": 1, "value": 1, "model": 0}

        def heard():  # again, where the model has changed once more
            number = simulating.viewer._number
            for words in (old, {"do": "ctrl", "index": 0, "value": 1, "model": number}):
                socket.send(json.dumps(words))
            return simulating.viewer.d.ctrl[0] == 1

        until(heard)
        simulating.viewer._done.append(old)
        simulating.goes_on()
        kinds(socket, "frame")


def test_a_urdf_is_watched_with_its_meshes(tmp_path, monkeypatch):
    """Visual ones, in packages that are given."""
    from test_drops import STL, URDF

    monkeypatch.setattr(watching, "INTERVAL", 0.05)
    (tmp_path / "packages/one_robot/meshes").mkdir(parents=True)
    mesh = tmp_path / "packages/one_robot/meshes/a.stl"
    mesh.write_bytes(STL)
    (tmp_path / "r.urdf").write_bytes(URDF)
    model = sinew.Model.from_xml("<mujoco/>")
    simulating = Simulating(model, Source(str(tmp_path / "r.urdf"), [str(tmp_path / "packages")]))
    try:
        until(lambda: str(mesh) in simulating.loading._files)
        model = replaced(simulating, lambda: mesh.write_bytes(STL[:-2] + b"\x01\x00"))
        assert sorted(model.geom_group.tolist()) == [1, 3]
        assert simulating.settled() == []
    finally:
        simulating.close()


def test_nothing_is_left_behind(simulating, folder, monkeypatch):
    """Of descriptors and folders, whatever was loaded."""
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "temporary"))
    (folder / "temporary").mkdir()
    with simulating.page() as socket:
        kinds(socket, "frame")
        for files in (
            {"a.xml": b"<mujoco/>"},
            {"a.xml": b"<mujo/>"},
            {"a.xml": b"<mujoco/>", "b.xml": b"<mujoco/>"},
        ):
            drop_files(simulating, socket, files)
        drop_files(simulating, socket, {"a.xml": b"<mujoco/>"})
    until(lambda: not os.listdir(folder / "temporary"))
    if before is not None:  # the drop that is shown is held
        until(lambda: len(os.listdir("/proc/self/fd")) <= before + 1)


# ---- no model


@pytest.mark.parametrize("package", [viewer, sinew.mujoco.viewer])
def test_a_viewer_without_a_model(package, monkeypatch):
    """It is empty until something is dropped into it."""
    made = []

    class Noted(viewer.Managed):
        def __init__(self, *given, **more):
            super().__init__(*given, **more)
            made.append(self)

    monkeypatch.setattr(viewer, "Managed", Noted)
    monkeypatch.setattr("sinew.viewer.handle.open_browser", lambda address: False)
    thread = threading.Thread(target=package.launch)
    thread.start()
    until(lambda: made)
    (shown,) = made
    try:
        with page(shown) as socket:
            assert kinds(socket, "loading")[0]["empty"]
            kind = type(shown.m)
            assert send(socket, drops.pack_drop({"arm.xml": ARM.encode()})) is None
            until(lambda: shown.m.nbody == 3)
            assert type(shown.m) is kind and not shown._loading.words["empty"]
    finally:
        shown.close()
        thread.join()
