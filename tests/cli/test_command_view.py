"""sinew view: what it serves, and what it says when there is nothing to be served."""

import importlib.resources
import os
import pathlib
import signal
import socket
import sys
import urllib.request

import numpy as np
import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
HUMANOID = ROOT / "examples/models/humanoid.xml"


@pytest.fixture
def view(tmp_path, monkeypatch):
    """The command `sinew view`; in Python all builds are the same."""
    from started_command import Command

    path = pathlib.Path(os.environ.get("SINEW_COMMAND", ROOT / "build/release/bin/sinew"))
    monkeypatch.setenv("SINEW_PYTHON", sys.executable)
    (tmp_path / "HUMANOID").symlink_to(HUMANOID)
    return Command(path, tmp_path)


ONE = '<mujoco><worldbody><body><joint/><geom size=".1"/></body></worldbody></mujoco>'


@pytest.fixture
def page():
    """What is served."""
    if not importlib.resources.files("sinew._viewer").joinpath("page", "page.js").is_file():
        pytest.skip("the package was built without the page of the viewer")


def without(view, module):
    """An environment in which a module cannot be imported."""
    hooks = view.folder / "hooks"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(f"import sys; sys.modules[{module!r}] = None\n")
    return {**os.environ, "PYTHONPATH": str(hooks)}


@pytest.mark.parametrize(
    "words",
    [
        ("HUMANOID",), ("HUMANOID", "--keyframe", "squat"), ("HUMANOID", "--host", "localhost"),
        ("one.xml", "--recording", "a,b.npy"), ("one.xml", "a.npy", "--recording=a,b.npy"), ("a.mcap",),
        ("a.npy", "a.mcap"), ("--recording", "a.npy,a.mcap"),
    ],
)  # fmt: skip
def test_it_serves_until_ctrl_c(view, page, words):
    """The first line is the address; nothing is left of it afterwards."""
    (view.folder / "one.xml").write_text(ONE)
    recording = sinew.Recording([0, 1], {"qpos": [0, 1]})
    for name in ("a.npy", "a,b.npy", "a.mcap"):
        recording.save(view.folder / name, sinew.Model.from_xml(ONE))
    process = view.start("view", *words, "--no-browser")
    try:
        line = process.stdout.readline()
        address = next(word for word in line.split() if word.startswith("http://"))
        with urllib.request.urlopen(address, timeout=60) as answer:
            assert b"page.js" in answer.read() and "token=" in address
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode in (0, 130) and "Traceback" not in err, (out, err)
    with pytest.raises(OSError):
        urllib.request.urlopen(address, timeout=60)


def test_it_serves_without_a_model(view, page):
    process = view.start("view", "--no-browser")
    try:
        assert "http://127.0.0.1:" in process.stdout.readline()
    finally:
        process.kill()
        process.communicate(timeout=60)


def test_a_port_that_is_taken(view, page):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        message = view.error("view", HUMANOID, "--no-browser", "--port", port, code=1)
    assert message.startswith(f"the viewer cannot serve at 127.0.0.1 port {port}: ")


def test_a_missing_package(view):
    env = without(view, "websockets")
    done = view("view", HUMANOID, "--no-browser", code=1, env=env)
    assert done.stderr.startswith("sinew: viewers need the package websockets: ")
    assert "pip install" in done.stderr and done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "words, code, message",
    [
        ("--keyframe squat", 2, "--keyframe: is of a model, and there is none; see sinew view --help"),
        ("HUMANOID HUMANOID", 2, "HUMANOID: one model at a time; too many; see sinew view --help"),
        ("HUMANOID --export page.html", 2, "--export page.html: wants a recording; give --recording RUN"),
        ("HUMANOID --fps 30", 2, "--fps: is of a page in one file; give --export page.html"),
        ("HUMANOID --recording run.npy --export page.html --port 1", 2, "--port: is of a viewer that is served; leave it out"),
        ("HUMANOID --recording run.npy --export page.html --fps 0", 2, "--fps 0: wants a positive number"),
        ("HUMANOID a.npy b.npy --export page.html", 2, "b.npy: a page in one file has one recording; too many"),
        ("HUMANOID --recording none.npy --export page.html", 1, "cannot read 'none.npy': No such file or directory"),
        ("run.npy", 2, "MODEL: missing, and no recording holds one; see sinew view --help"),
        ("--recording run.npy", 2, "MODEL: missing, and no recording holds one; see sinew view --help"),
        ("HUMANOID run.npy run.npy --recording b.npy", 2, "b.npy: 2 recordings at a time; too many; see sinew view --help"),
        ("HUMANOID --recording a.npy,b.npy --recording c.npy", 2, "c.npy: 2 recordings at a time; too many"),
        ("HUMANOID --recording run.npy,", 2, "--recording run.npy,: a name is empty"),
        ("HUMANOID --port 1 --port 2", 2, "--port: given twice; see sinew view --help"),
        ("HUMANOID --recording none.npy", 1, "cannot read 'none.npy': No such file or directory"),
        ("none.mcap", 1, "cannot read 'none.mcap': No such file or directory"),
        ("HUMANOID run.npy", 1, "run.npy does not fit the model: qpos has 1 numbers, the model 28 (nq)"),
        ("one.xml empty.npy", 1, "empty.npy: has no rows"),
        ("one.xml run.npy bad.npy", 1, "bad.npy: row 0 has numbers in qpos that are not finite"),
        ("one.xml broken.csv", 1, "broken.csv:1: the first line, of names of columns, has no end"),
        ("HUMANOID --port 65536", 2, "--port 65536: wants a whole number from 0 to 65535"),
        ("HUMANOID --port -1", 2, "--port -1: wants a whole number from 0 to 65535"),
        ("HUMANOID --port x", 2, "--port x: wants a whole number from 0 to 65535"),
        ("HUMANOID --host=", 2, "--host: is empty; see sinew view --help"),
        ("HUMANOID --no-browser=1", 2, "takes no value: --no-browser=1; see sinew view --help"),
        ("HUMANOID --hots x", 2, "unknown option --hots; did you mean --host?"),
        ("HUMANOID --keyframe squatt", 1, 'HUMANOID: --keyframe squatt: no keyframe "squatt"; did you mean "squat"?'),
        ("HUMANOID --keyframe 99", 1, "HUMANOID: --keyframe 99: the model has 2, numbers 0 to 1"),
        ("none.xml", 1, "cannot read 'none.xml': No such file or directory"),
        ("broken.xml", 1, '<geom>: size="x": expected a number at broken.xml:1'),
    ],
)  # fmt: skip
def test_wrong_words(view, words, code, message):
    """A message of one line that names what is wrong, and an exit code as the command's."""
    (view.folder / "broken.xml").write_text(
        "<mujoco><worldbody><geom size='x'/></worldbody></mujoco>"
    )
    (view.folder / "broken.csv").write_text("no recording")
    (view.folder / "one.xml").write_text(ONE)
    for name, values in (("run", [0, 1]), ("bad", [np.nan, 1]), ("empty", [])):
        sinew.Recording(range(len(values)), {"qpos": values}).save(view.folder / f"{name}.npy")
    assert view.error("view", *words.split(), code=code).startswith(message)


def test_a_page_in_one_file(view, page):
    """Of a recording that holds its model."""
    view("simulate", HUMANOID, "--seconds", "0.1", "--record", "run.mcap")
    done = view("view", "run.mcap", "--export", "page.html", "--fps", "30")
    assert done.stdout.startswith("page.html: 4 rows, ") and not done.stderr
    assert "<title>sinew humanoid</title>" in (view.folder / "page.html").read_text()


def test_help(view):
    text = view("view", "--help").stdout
    assert text.startswith("sinew view [MODEL]\n") and "--no-browser" in text
    assert view("help", "view").stdout == text
    assert "view " in view("--help").stdout


ROBOT = """<robot name="r"><link name="a">
  <visual><geometry><sphere radius="0.1"/></geometry></visual>
  <collision><geometry><box size="1 1 1"/></geometry></collision>
</link></robot>
"""


def test_a_urdf_is_shown_by_its_visual_shapes(tmp_path, monkeypatch):
    """Collision shapes are of a group that is hidden."""
    import sinew.view

    (tmp_path / "robot.urdf").write_text(ROBOT)
    model = sinew.view._model(sinew.view._request([str(tmp_path / "robot.urdf")]))
    groups = dict(zip(model.geom_type.tolist(), model.geom_group.tolist(), strict=True))
    assert groups == {int(sinew.GeomType.SPHERE): 1, int(sinew.GeomType.BOX): 3}


def test_nothing_is_left_when_it_is_killed(view, page):
    """The process that serves ends with the one that simulates."""
    process = view.start("view", HUMANOID, "--no-browser")
    try:
        address = next(w for w in process.stdout.readline().split() if w.startswith("http://"))
    finally:
        process.kill()
    process.communicate(timeout=60)  # its output is open as long as the server is
    with pytest.raises(OSError):
        urllib.request.urlopen(address, timeout=60)
