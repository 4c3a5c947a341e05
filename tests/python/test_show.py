"""sinew.show and what notebooks get: pictures that are those of a Renderer, films, and nothing where nothing can be drawn."""

import base64
import copy
import io
import pathlib
import re
import subprocess
import sys
import textwrap

import av
import gymnasium
import numpy as np
import pytest
from PIL import Image

import sinew
import sinew.mujoco
from sinew.picture.tracks import Track

ASSETS = pathlib.Path(gymnasium.__file__).parent / "envs/mujoco/assets"
STATE = sinew.StateBit.INTEGRATION


@pytest.fixture(scope="module")
def ant():
    return sinew.Model.from_path(ASSETS / "ant.xml")


def drawn(model, data, size=(80, 60), camera=-1, quality="fine"):
    """What a Renderer makes of a data as it stands."""
    with sinew.Renderer(model, size[1], size[0], quality=quality) as renderer:
        renderer.update_scene(data, camera)
        return renderer.render()


def moving(model, steps=30):
    data = sinew.Data(model)
    data.qvel[:] = np.linspace(-1, 1, model.nv)
    sinew.step(model, data, nstep=steps)
    return data


def decoded(mp4):
    with av.open(io.BytesIO(mp4)) as container:
        stream = container.streams.video[0]
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
        return frames, float(stream.average_rate)


def recording(model, steps=100, every=1):
    """States of a simulation as a structured array, and the data at its end."""
    data = moving(model, 0)
    rows = []
    for _ in range(steps):
        rows.append((data.time, data.qpos.copy(), data.qvel.copy(), data.ctrl.copy()))
        sinew.step(model, data, nstep=every)
    kinds = [("time", float), ("qpos", float, model.nq), ("qvel", float, model.nv)]
    return np.array(rows, [*kinds, ("ctrl", float, model.nu)])


# ---- pictures


@pytest.mark.parametrize("camera", [-1, "track", 0])
@pytest.mark.parametrize("quality", ["fast", "fine", None])
def test_a_picture_is_a_renderers(ant, camera, quality):
    data = moving(ant)
    sinew.forward(ant, data)
    shown = sinew.show(ant, data, camera, 80, 60, quality=quality)
    assert np.array_equal(shown.pixels, drawn(ant, data, (80, 60), camera, quality))
    assert shown.pixels.shape == (60, 80, 3) and shown.pixels.std() > 5
    assert repr(shown) == "<Picture of 80 x 60 pixels>"


def test_the_first_state(ant):
    data = sinew.Data(ant)
    sinew.forward(ant, data)
    assert np.array_equal(sinew.show(ant, width=80, height=60).pixels, drawn(ant, data))
    # a data that nobody has computed anything of is drawn where it is, all the same
    assert np.array_equal(
        sinew.show(ant, sinew.Data(ant), width=80, height=60).pixels, drawn(ant, data)
    )


def test_flags(ant):
    data = moving(ant, 300)
    plain = sinew.show(ant, data, width=80, height=60)
    for flag in ("wireframe", "joint", "transparent"):
        assert (
            sinew.show(ant, data, width=80, height=60, flags=[flag]).pixels != plain.pixels
        ).any(), flag
    again = sinew.show(ant, data, width=80, height=60, flags=["no-joint", "texture"])
    assert np.array_equal(again.pixels, plain.pixels)


def test_png(ant, tmp_path):
    shown = sinew.show(ant, width=80, height=60)
    for data in (shown._repr_png_(), ant._repr_png_(), sinew.Data(ant)._repr_png_()):
        assert Image.open(io.BytesIO(data)).format == "PNG"
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(shown._repr_png_()))), shown.pixels)
    shown.save(tmp_path / "ant.png")
    assert np.array_equal(np.asarray(Image.open(tmp_path / "ant.png")), shown.pixels)
    assert [p.name for p in tmp_path.iterdir()] == ["ant.png"]
    with pytest.raises(ValueError, match="saved as .png"):
        shown.save(tmp_path / "ant.jpg")
    with pytest.raises(FileNotFoundError, match="no/ant.png"):
        shown.save(tmp_path / "no/ant.png")


def test_a_models_picture_is_of_its_first_state(ant):
    """A data's is of its own."""
    models = [Image.open(io.BytesIO(x._repr_png_())) for x in (ant, sinew.Data(ant), moving(ant))]
    first, same, later = (np.asarray(image) for image in models)
    assert first.shape == (360, 480, 3)
    assert np.array_equal(first, same) and not np.array_equal(first, later)


# ---- the simulation does not notice


@pytest.mark.parametrize("name", ["ant.xml", "humanoid.xml", "pusher_v5.xml"])
def test_numbers_are_the_same_with_and_without_drawing(name):
    """Bits of state and of all that is computed, after steps with pictures between."""
    model = sinew.Model.from_path(ASSETS / name)
    quiet, drawing = moving(model, 0), moving(model, 0)
    with sinew.Renderer(model, 30, 40) as renderer:
        for k in range(120):
            for data in (quiet, drawing):
                data.ctrl[:] = 0.3 * np.sin(0.1 * k + np.arange(model.nu))
                sinew.step(model, data)
            if k % 10 == 0:
                renderer.update_scene(drawing)
                renderer.render()
                sinew.show(model, drawing, width=40, height=30, flags=["contactforce", "com"])
    states = [sinew.getState(model, data, STATE) for data in (quiet, drawing)]
    assert states[0].tobytes() == states[1].tobytes()
    for field in ("qacc", "xpos", "cfrc_ext", "sensordata", "qfrc_constraint", "actuator_force"):
        assert getattr(quiet, field).tobytes() == getattr(drawing, field).tobytes(), field
    assert quiet.ncon == drawing.ncon


def test_show_leaves_the_data_alone(ant):
    """Even what is out of date in it, and its functions are not called."""
    data = moving(ant)
    calls = []
    data.set_callback("control", lambda model, d: calls.append(1))
    before = copy.copy(data)
    sinew.show(ant, data, width=40, height=30)
    data._repr_png_()
    assert not calls
    assert (
        sinew.getState(ant, data, STATE).tobytes() == sinew.getState(ant, before, STATE).tobytes()
    )
    for field in ("xpos", "geom_xpos", "cvel", "qacc", "qfrc_bias"):
        assert getattr(data, field).tobytes() == getattr(before, field).tobytes(), field
    assert list(data.warning["number"]) == list(before.warning["number"])


def test_functions_of_all_peers_data_are_not_called():
    model = sinew.mujoco.MjModel.from_xml_path(str(ASSETS / "ant.xml"))
    data, calls = sinew.mujoco.MjData(model), []
    sinew.mujoco.set_mjcb_control(lambda m, d: calls.append(1))
    try:
        assert sinew.show(model, data, width=40, height=30).pixels.std() > 5
        assert data._repr_png_() and not calls
    finally:
        sinew.mujoco.set_mjcb_control(None)


# ---- films


def test_a_film_of_pictures(tmp_path):
    frames = [np.full((40, 60, 3), 20 * k, np.uint8) for k in range(10)]
    shown = sinew.show(iter(frames), fps=25)
    assert (shown.frames, shown.fps) == (10, 25)
    back, fps = decoded(shown.mp4)
    assert fps == 25 and len(back) == 10 and abs(back[4].mean() - 80) < 3
    found = re.fullmatch(
        r'<video width="60" height="40" .*src="data:video/mp4;base64,(.*)"></video>',
        shown._repr_html_(),
    )
    assert base64.b64decode(found[1]) == shown.mp4
    shown.save(tmp_path / "film.mp4")
    assert (tmp_path / "film.mp4").read_bytes() == shown.mp4
    with pytest.raises(ValueError, match="sinew.Film"):
        shown.save(tmp_path / "film.gif")
    assert "10 pictures of 60 x 40, 25 a second" in repr(shown)
    array = np.stack(frames)
    assert sinew.show(array, fps=25).frames == 10


def test_a_film_of_a_recording(ant, tmp_path):
    """Its time is the simulation's: both ends, pictures 1/fps apart; a path, an array and a dictionary are the same."""
    run = recording(ant)  # 1 s in steps of 0.01 s, 99 intervals
    film = sinew.show(ant, run, width=64, height=48, fps=20, quality="fast")
    frames, fps = decoded(film.mp4)
    assert fps == 20 and film.frames == len(frames) == 20
    data = sinew.Data(ant)
    for k in (0, 9, 19):
        data.qpos[:] = run["qpos"][5 * k]
        sinew.forward(ant, data)
        expected = drawn(ant, data, (64, 48), quality="fast")
        # as far as H.264 goes; its neighbours are further away
        assert np.abs(frames[k].astype(int) - expected).mean() < 3
    np.save(tmp_path / "run.npy", run)
    columns = {name: run[name] for name in run.dtype.names}
    for given in (
        tmp_path / "run.npy",
        str(tmp_path / "run.npy"),
        columns,
        sinew.Recording(run["time"], {"qpos": run["qpos"]}),
    ):
        assert sinew.show(ant, given, width=64, height=48, fps=20, quality="fast").mp4 == film.mp4
    slow = sinew.show(ant, run, width=64, height=48, fps=20, quality="fast", speed=0.5)
    assert slow.frames == 40


def test_between_rows(ant):
    """Positions lie between, quaternions on the shortest way; controls are those of the row before."""
    columns = {
        "qpos": np.tile(ant.qpos0, (3, 1)),
        "qvel": np.zeros((3, ant.nv)),
        "ctrl": np.arange(3)[:, None] * np.ones(ant.nu),
    }
    columns["qpos"][:, 0] = 1, 3, 3
    turn = np.pi / 2
    columns["qpos"][1, 3:7] = (
        -np.cos(turn / 2),
        0,
        0,
        -np.sin(turn / 2),
    )  # the same turn, the other sign
    columns["qpos"][2, 3:7] = columns["qpos"][1, 3:7]
    columns["qvel"][1, 0] = 4
    track = Track(ant, sinew.Recording([0.0, 1.0, 2.0], columns))
    data = sinew.Data(ant)
    track.place(data, 0.25)
    assert data.qpos[0] == pytest.approx(1.5) and data.qvel[0] == pytest.approx(1)
    assert np.allclose(data.qpos[3:7], [np.cos(turn / 8), 0, 0, np.sin(turn / 8)], atol=1e-14)
    assert (data.ctrl == 0).all() and data.time == 0.25
    assert data.xpos[1, 0] == pytest.approx(1.5)
    for moment, row in ((-5, 0), (0, 0), (1, 1), (1 + 1e-9, 1), (2, 2), (99, 2)):
        track.place(data, moment)
        assert data.qpos.tobytes() == columns["qpos"][row].tobytes(), moment
        assert data.time == row and (data.ctrl == row).all()


def test_a_film_without_joints():
    """All that changes with time may be controls."""
    model = sinew.Model.from_xml(
        "<mujoco><worldbody><body><geom size='1'/><site name='s'/></body></worldbody>"
        "<actuator><general site='s' dyntype='integrator'/></actuator></mujoco>"
    )
    run = {"time": [0.0, 1.0], "qpos": np.zeros((2, 0)), "act": [[0.0], [2.0]]}
    assert sinew.show(model, run, width=40, height=30, fps=4, quality="fast").frames == 5
    data = sinew.Data(model)
    Track(model, sinew.Recording(run.pop("time"), run)).place(data, 0.25)
    assert data.time == 0.25 and data.act == 0.5


def test_bad_recordings(ant):
    run = recording(ant, 20)
    with pytest.raises(ValueError, match="qpos has 3 numbers, the model 15"):
        sinew.show(ant, {"time": [0, 1], "qpos": np.zeros((2, 3))})
    back = run.copy()
    back["time"][7] = 0
    with pytest.raises(ValueError, match="row 7 goes back in time, from 0.06 s to 0 s"):
        sinew.show(ant, back)
    torn = run.copy()
    torn["qvel"][11, 2] = np.nan
    with pytest.warns(
        UserWarning, match="row 11 has numbers in qvel that are not finite: the film ends before"
    ):
        film = sinew.show(ant, torn, width=32, height=24, fps=100, quality="fast")
    assert film.frames == 11
    run["qpos"][0, 0] = np.inf
    with pytest.raises(ValueError, match="row 0 has numbers in qpos"):
        sinew.show(ant, run)
    with pytest.raises(ValueError, match="has no rows"):
        sinew.show(ant, run[:0])
    with pytest.raises(FileNotFoundError):
        sinew.show(ant, "none.npy")


# ---- what cannot be shown


@pytest.mark.parametrize(
    "error, message, arguments",
    [
        (ValueError, 'no camera "trac"; did you mean "track"', {"camera": "trac"}),
        (ValueError, "numbers 0 to 0", {"camera": 1}),
        (ValueError, "numbers 0 to 0", {"camera": -2}),
        (
            ValueError,
            'no flag "contatforce"; did you mean "contactforce"',
            {"flags": ["contatforce"]},
        ),
        (ValueError, "no picture of 0 x 480", {"width": 0}),
        (ValueError, "no picture of 640 x -1", {"height": -1}),
        (ValueError, "no picture of 1000000 x 480: 1 to 33554432 pixels", {"width": 1_000_000}),
        (ValueError, "quality", {"quality": "best"}),
        (TypeError, "width is 10.5: it is a whole number of pixels", {"width": 10.5}),
        (TypeError, "height is '10': it is a whole", {"height": "10"}),
        (TypeError, "camera is a name, a number or a MjvCamera, not float", {"camera": 0.5}),
        (TypeError, "camera is a name, a number or a MjvCamera, not NoneType", {"camera": None}),
        (TypeError, 'flags are names, as "contactforce", not 3', {"flags": [3]}),
        (TypeError, "wants a Data, a recording", {"data": 7}),
        (TypeError, "wants a Data, a recording", {"data": np.zeros((3, 15))}),
        (ValueError, "fps is 0", {"data": {"time": [0], "qpos": [[0] * 15]}, "fps": 0}),
        (ValueError, "speed -1", {"data": {"time": [0], "qpos": [[0] * 15]}, "speed": -1}),
    ],
)
def test_hostile_arguments(ant, error, message, arguments):
    with pytest.raises(error, match=message):
        sinew.show(ant, **arguments)


def test_data_of_another_model(ant):
    other = sinew.Model.from_path(ASSETS / "hopper.xml")
    with pytest.raises(ValueError):
        sinew.show(ant, sinew.Data(other))


def test_what_is_no_picture():
    with pytest.raises(ValueError, match="^a film wants pictures, and there are no pictures"):
        sinew.show([])
    for given in ([np.zeros((4, 4))], [np.zeros(4)], np.zeros((4, 4)), ["a"], np.zeros((4, 4, 3))):
        with pytest.raises(ValueError, match="uint8, not"):
            sinew.show(given)
    for given in (7, None, "humanoid.xml", pathlib.Path("humanoid.xml"), {}, b"", Image):
        with pytest.raises(TypeError, match=r"wants a Model first, which Model.from_path reads"):
            sinew.show(given)


def test_a_picture_is_an_array():
    pixels = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)
    picture = sinew.show(pixels)
    assert np.array_equal(picture.pixels, pixels) and np.array_equal(picture, pixels)
    assert np.asarray(picture, float).dtype == float
    assert sinew.show([picture, pixels]).frames == 2


@pytest.mark.parametrize(
    "xml",
    [
        "<mujoco/>",
        "<mujoco><worldbody><body><joint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/></body></worldbody></mujoco>",
    ],
)
def test_an_empty_model(xml):
    """Nothing to see is a picture, too."""
    model = sinew.Model.from_xml(xml)
    assert sinew.show(model, width=40, height=30).pixels.shape == (30, 40, 3)
    assert model._repr_png_()


def alone(program, **environment):
    """What a program prints in a process of its own."""
    import os

    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("module", ["moderngl", "PIL"])
def test_notebooks_fall_back_to_text(module):
    """Without a package the model's picture is None, and show says what is missing."""
    text = alone(f"""
        import sys
        sys.modules[{module!r}] = None
        import sinew
        model = sinew.Model.from_xml("<mujoco/>")
        print(model._repr_png_(), sinew.Data(model)._repr_png_())
        try:
            sinew.show(model)._repr_png_()
        except ImportError as error:
            print(error)
    """)
    package = {"moderngl": "moderngl", "PIL": "pillow"}[module]
    assert (
        text.startswith("None None\n")
        and package in text
        and "pip install '.[view]' in the folder" in text
    )


def test_no_opengl(monkeypatch, ant):
    """Where no context can be made, notebooks show the text."""
    from sinew.draw import context

    def none():
        raise RuntimeError("no OpenGL: install libegl1")

    monkeypatch.setattr(context, "own", none)
    assert ant._repr_png_() is None and sinew.Data(ant)._repr_png_() is None
    with pytest.raises(RuntimeError, match="libegl1"):
        sinew.show(ant)


def test_importing_draws_nothing():
    """The package alone needs NumPy alone."""
    loaded = alone("import sys, sinew; print(*sys.modules)").split()
    assert not {"moderngl", "PIL", "av", "sinew.draw", "sinew.mujoco"} & set(loaded)
