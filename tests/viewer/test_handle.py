"""A viewer beside a program that steps: what it costs, takes over and leaves."""

import json
import os
import signal
import threading
import time
import types
import urllib.error
import urllib.parse
import urllib.request
import zlib

import numpy as np
import pytest
from talking import WAIT, kinds, page, until
from worlds import arm

import sinew
from sinew import mujoco, viewer
from sinew.viewer.block import Reader
from sinew.viewer.managed import Managed


@pytest.fixture
def passive():
    made = []

    def make(model, data, **given):
        made.append(viewer.launch_passive(model, data, browser=False, **given))
        return made[-1]

    yield make
    for handle in made:
        handle.close()


def test_a_page_sees_the_state(passive):
    model, data = arm()
    handle = passive(model, data)
    with page(handle) as socket:
        assert bytes(kinds(socket, "model")[1]["body_names"]) == b"world\0upper\0lower"
        assert kinds(socket, "role")[0]["role"] == "controller"
        kinds(socket, "frame")
        for _ in range(100):
            sinew.step(model, data)
        handle.sync()
        until(lambda: kinds(socket, "frame")[0]["time"] == data.time)


def test_the_same_bits_with_a_viewer_and_without(passive):
    model, data = arm()
    alone = sinew.Data(model)
    sinew.forward(model, alone)
    handle = passive(model, data)
    with page(handle) as socket:
        kinds(socket, "frame")
        for _ in range(500):
            sinew.step(model, data)
            handle.sync()
            sinew.step(model, alone)
    np.testing.assert_array_equal(data.qpos, alone.qpos)
    np.testing.assert_array_equal(data.qvel, alone.qvel)


@pytest.mark.parametrize("rate", [50, 60, 500])
def test_as_many_states_are_shown_as_programs_have_up_to_sixty_a_second(passive, monkeypatch, rate):
    model, data = arm()
    handle = passive(model, data)
    handle._late.ask = lambda: None  # the clock is ours
    reader = Reader(os.dup(handle._states.descriptor))
    reader.read()
    lateness = np.random.default_rng(1).uniform(0, 0.9 / rate, 10 * rate)
    clock = time.monotonic() + 1 + np.arange(10 * rate) / rate + lateness
    shown = 0
    for now in clock.tolist():
        fake = types.SimpleNamespace(monotonic=lambda now=now: now, thread_time=lambda: 0.0)
        monkeypatch.setattr("sinew.viewer.handle.time", fake)
        handle.sync()
        shown += reader.read() is not None
    reader.close()
    assert abs(shown - 10 * min(rate, 60)) <= 3


def test_deeds_of_a_page_are_taken_over_by_sync_alone(passive):
    model, data = arm()
    keys = []
    handle = passive(model, data, key_callback=keys.append)
    with page(handle) as socket:
        kinds(socket, "frame")
        for message in (
            {"do": "size", "width": 640, "height": 480, "hidden": False},
            {"do": "ctrl", "index": 0, "value": 1.5},
            {"do": "key", "key": 65},
        ):
            socket.send(json.dumps(message))
        until(lambda: keys == [65])
        assert data.ctrl[0] == 0
        handle.sync()
        assert data.ctrl[0] == 1.5 and handle.size() == (640, 480)


def test_a_program_sets_camera_options_and_shapes(passive):
    model, data = arm()
    handle = passive(model, data)
    with page(handle) as socket:
        first = kinds(socket, "frame")[0]
        with handle.lock():
            handle.cam.distance *= 2
            handle.opt.geomgroup[0] = 0
            scene = handle.user_scn
            mujoco.mjv_initGeom(
                scene.geoms[0], 2, np.full(3, 0.1), np.array([0, 0, 2.0]), np.eye(3).ravel(), np.ones(4, np.float32)
            )  # fmt: skip
            scene.ngeom = 1
        model.geom_rgba[2] = 0, 1, 0, 1
        time.sleep(1 / 30)
        handle.sync()

        def changed():
            words = kinds(socket, "frame")[0]
            moved = not np.allclose(words["camera"]["pos"], first["camera"]["pos"])
            return moved and words["geoms"] == 1

        until(changed)


def test_page_and_program_change_options_at_once(passive):
    model, data = arm()
    handle = passive(model, data)
    with page(handle) as socket:
        kinds(socket, "frame")
        socket.send('{"do": "flag", "of": "flags", "index": 14, "on": true}')
        until(lambda: handle._done)
        with handle.lock():
            handle.opt.label, handle.opt.flags[2] = 1, 1
        handle.sync()
        assert (handle.opt.label, handle.opt.flags[2], handle.opt.flags[14]) == (1, 1, 1)

        def both():
            opt = kinds(socket, "frame")[0]["opt"]
            return (opt["label"], opt["flags"][2], opt["flags"][14]) == (1, 1, 1)

        until(both)


def test_colours_that_a_program_changes_are_shown(passive):
    model, data = arm()
    handle = passive(model, data)
    with page(handle) as socket:
        kinds(socket, "frame")
        model.geom_rgba[2] = 0, 1, 0, 1
        time.sleep(1 / 30)
        handle.sync()

        def green():
            _, arrays = kinds(socket, "frame")
            return [0, 1, 0, 1] in arrays["look"][:, 4:8].tolist()

        until(green)


ASSETS = """
<mujoco>
  <asset>
    <texture name="t" type="2d" builtin="flat" rgb1="1 0 0" width="4" height="4"/>
    <material name="m" texture="t"/>
    <mesh name="box" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <hfield name="hills" nrow="3" ncol="3" size="1 1 1 .1" elevation="0 1 0 1 2 1 0 1 0"/>
  </asset>
  <worldbody>
    <geom type="mesh" mesh="box"/><geom type="hfield" hfield="hills"/><geom size=".1" material="m"/>
  </worldbody>
</mujoco>
"""


def test_assets_that_a_program_changes_are_shown(passive):
    model = sinew.Model.from_xml(ASSETS)
    data = sinew.Data(model)
    sinew.forward(model, data)
    handle = passive(model, data)
    with page(handle) as socket:
        kinds(socket, "frame")
        model.mesh_vert[:] *= 3
        handle.update_mesh(0)
        words, arrays = kinds(socket, "shape")
        assert words["key"] == [7, 0] and abs(arrays["vertices"][:, :3]).max() > 1.5
        number = words["number"]
        _, arrays = kinds(socket, "frame")
        assert number in arrays["look"][:, 21] and arrays["look_rows"].tolist() == [0]
        model.hfield_data[:] = 0.25
        handle.update_hfield(0)
        words, arrays = kinds(socket, "shape")
        assert words["key"] == [1, 0] and arrays["vertices"][:, 2].max() == 0.25
        model.tex_data[:] = 7
        handle.update_texture(0)
        words, arrays = kinds(socket, "texture")
        assert zlib.decompress(arrays["texels"].tobytes()) == bytes([7]) * 48
        with page(handle) as late:  # a page that opens now sees all of it
            words, arrays = kinds(late, "texture")
            assert zlib.decompress(arrays["texels"].tobytes()) == bytes([7]) * 48
            kinds(late, "frame")
    for kind in ("mesh", "hfield", "texture"):
        with pytest.raises(ValueError, match=f"{kind} 1 of a model with 1: there is none"):
            getattr(handle, f"update_{kind}")(1)


def test_texts_and_images_over_the_picture(passive):
    handle = passive(*arm())
    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    with page(handle) as socket:
        handle.set_texts(
            [(mujoco.mjtFont.mjFONT_NORMAL, 1, "time", "1 <b>"), (None, None, None, "x")]
        )
        assert kinds(socket, "texts")[0]["texts"] == [[0, 1, "time", "1 <b>"], [0, 0, "", "x"]]
        handle.set_images((mujoco.MjrRect(1, 2, 40, 20), image[::-1]))
        with page(handle) as late:
            for one in (socket, late):
                words, arrays = kinds(one, "images")
                assert words["places"] == [[1, 2, 40, 20]]
                np.testing.assert_array_equal(arrays["image_0"], image[::-1])
        figure = mujoco.MjvFigure()
        mujoco.mjv_defaultFigure(figure)
        figure.title, figure.linename[1] = "forces", b"left"
        figure.linedata[1, :6], figure.linepnt[1] = (0, 1, 1, -2, 2, 5), 3
        handle.set_figures([(mujoco.MjrRect(0, 0, 200, 100), figure)])
        words, arrays = kinds(socket, "figures")
        (said,) = words["figures"]
        assert said["title"] == "forces" and said["place"] == [0, 0, 200, 100]
        assert [line["name"] for line in said["lines"]] == ["left"]
        np.testing.assert_array_equal(arrays["figure_0_0"], [[0, 1], [1, -2], [2, 5]])
        handle.clear_texts()
        assert kinds(socket, "texts")[0]["texts"] == []
        handle.clear_images()
        assert kinds(socket, "images")[0]["places"] == []


def test_what_cannot_lie_over_a_picture(passive):
    handle = passive(*arm())
    for name, given, fault in (
        ("set_texts", "text", "texts are a tuple of 4"),
        ("set_texts", [(0, 8, "a", "b")], "gridpos is 8, of 8"),
        ("set_texts", [(3, 0, "a", "b")], "font is 3, of 3"),
        ("set_figures", [(mujoco.MjrRect(0, 0, 1, 1), 1)], "a figure is a MjvFigure, not int"),
        ("set_figures", [(1, mujoco.MjvFigure())], "a place has the members left"),
        ("set_images", [(1, 2, 3)], "images are a tuple of 2"),
        ("set_images", [(None, np.zeros((2, 2, 4), np.uint8))], r"not \(2, 2, 4\) of uint8"),
        ("set_images", [(None, np.zeros((0, 2, 3), np.uint8))], "height, width, 3"),
    ):
        with pytest.raises(ValueError, match=fault):
            getattr(handle, name)(given)


def test_pulling_ends_with_the_page(passive):
    model, data = arm()
    handle = passive(model, data)
    data.xfrc_applied[1] = 1, 2, 3, 4, 5, 6  # the program's own
    with handle.lock():
        handle.cam.lookat[:] = data.xipos[2]
    handle.sync()
    with page(handle) as socket:

        def looks_there():
            camera = kinds(socket, "frame")[0]["camera"]
            way = data.xipos[2] - camera["pos"]
            return np.allclose(way / np.linalg.norm(way), camera["forward"], atol=1e-6)

        until(looks_there)
        socket.send('{"do": "select", "x": 0.5, "y": 0.5}')
        socket.send('{"do": "pull", "bits": 1}')
        socket.send('{"do": "pull", "bits": 1, "action": 3, "dx": 0.0, "dy": 0.2}')

        def pulled():
            handle.sync()
            return data.xfrc_applied[2].any()

        until(pulled)
        assert handle.perturb.select == 2 and handle.perturb.active == 1

    def let_go():
        handle.sync()
        return not data.xfrc_applied[2].any()

    until(let_go)
    assert data.xfrc_applied[1].tolist() == [1, 2, 3, 4, 5, 6] and handle.is_running()


def test_the_viewer_ends_with_its_last_page(passive):
    handle = passive(*arm())
    with page(handle) as socket:
        kinds(socket, "frame")
    with page(handle) as socket:  # it was loaded again
        kinds(socket, "frame")
        socket.socket.shutdown(2)  # and its connection is lost
    assert handle.is_running()
    with page(handle) as socket:
        kinds(socket, "frame")
    until(lambda: not handle.is_running())


def test_the_first_state_says_that_the_viewer_runs():
    with Managed(*arm(), browser=False) as handle, page(handle) as socket:
        assert kinds(socket, "frame")[0]["status"]["run"] is True


def test_one_page_controls(passive):
    model, data = arm()
    handle = passive(model, data)
    with page(handle) as first, page(handle) as second:
        assert kinds(first, "role")[0]["role"] == "controller"
        assert kinds(second, "role")[0]["role"] == "spectator"
        second.send('{"do": "take"}')
        assert kinds(second, "role")[0]["role"] == "controller"
        assert kinds(first, "role")[0]["role"] == "spectator"
        second.close()
        assert kinds(first, "role")[0]["role"] == "controller"
        assert handle.is_running()


def test_strangers_do_not_get_in(passive):
    handle = passive(*arm())
    address = urllib.parse.urlsplit(handle.address)
    base = f"http://{address.netloc}/"
    for wanted, headers in (
        (base, {}),
        (base + "?token=x", {}),
        (base + "page.js", {}),
        (handle.address, {"Host": "evil.example"}),
        (base + "../../etc/passwd", {}),
    ):
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(urllib.request.Request(wanted, headers=headers))
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(handle.address.replace("/?", "/%2e%2e/%2e%2e/etc/passwd?"))


def test_a_page_that_says_nonsense_is_closed_and_others_are_not(passive):
    model, data = arm()
    handle = passive(model, data)
    with page(handle) as bad, page(handle) as good:
        kinds(good, "frame")
        bad.send('{"do": "ctrl", "index": 99, "value": 1}')
        with pytest.raises(Exception, match="1008"):
            while True:
                bad.recv(timeout=WAIT)
        with page(handle) as large:
            with pytest.raises(Exception, match="1009"):
                large.send("x" * (1 << 20))
                while True:
                    large.recv(timeout=WAIT)
        sinew.step(model, data)
        handle.sync()
        until(lambda: kinds(good, "frame")[0]["time"] == data.time)
        assert not data.ctrl.any() and handle.is_running()


def test_a_server_that_is_killed_ends_the_viewer_and_not_the_program(passive):
    model, data = arm()
    handle = passive(model, data)
    os.kill(handle._server._process.pid, signal.SIGKILL)
    until(lambda: not handle.is_running())
    sinew.step(model, data)
    handle.sync()
    assert handle.m is None and data.time > 0


def test_nothing_is_left_open(passive):
    model, data = arm()
    passive(model, data).close()  # what the first one imports
    before = set(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    handle = passive(model, data)
    process = handle._server._process
    handle.close()
    handle.close()
    assert process.poll() is not None and not handle.is_running()
    handle.sync()
    if before is not None:
        assert set(os.listdir("/proc/self/fd")) == before


def test_a_port_that_is_taken_is_named(passive):
    handle = passive(*arm())
    port = urllib.parse.urlsplit(handle.address).port
    with pytest.raises(viewer.ServerError, match=f"port {port}: .*[Aa]ddress already in use"):
        passive(*arm(), port=port)


def test_wrong_arguments(passive):
    model, data = arm()
    with pytest.raises(TypeError, match="model is a Model, not int"):
        passive(1, data)
    with pytest.raises(TypeError, match="data is a Data, not NoneType"):
        passive(model, None)
    with pytest.raises(ValueError, match="another model"):
        passive(arm()[0], data)


def test_two_threads_close_at_once(monkeypatch):
    """Each returns when all is closed, and nothing is closed twice."""
    close, closed, wrong = os.close, [], []
    with Managed(*arm(), browser=False) as handle:
        states = handle._states.descriptor

        def slow(descriptor):
            if descriptor == states:
                closed.append(descriptor)
                time.sleep(0.05)
            close(descriptor)

        monkeypatch.setattr("sinew.viewer.block.os.close", slow)

        def end():
            try:
                handle.close()
            except OSError as error:
                wrong.append(error)

        threads = [threading.Thread(target=end) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        monkeypatch.undo()
    assert wrong == [] and closed == [states]
