"""sinew render: pictures and films in files, and what it says when there can be none."""

import os
import pathlib
import resource
import signal
import subprocess
import sys

import av
import gymnasium
import numpy as np
import pytest
from PIL import Image, ImageSequence

import sinew as package
import sinew.mujoco

ROOT = pathlib.Path(__file__).resolve().parents[2]
HUMANOID = ROOT / "examples/models/humanoid.xml"
ANT = pathlib.Path(gymnasium.__file__).parent / "envs/mujoco/assets/ant.xml"
SMALL = ("--size", "64x48", "--quality", "fast")


@pytest.fixture
def render(tmp_path, monkeypatch):
    """The command `sinew render`; in Python all builds are the same."""
    from started_command import CommandHere

    path = pathlib.Path(os.environ.get("SINEW_COMMAND", ROOT / "build/release/bin/sinew"))
    monkeypatch.setenv("SINEW_PYTHON", sys.executable)
    command = CommandHere(path, tmp_path, "render")
    command.all = lambda *words, **options: command("render", *words, **options)
    return command


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A recording of the ant, of two seconds."""
    path = tmp_path_factory.mktemp("runs") / "run.npy"
    record(path)
    return path


def record(path, seconds=2.0, seed=0):
    """Writes what `sinew simulate --record` would, of the ant."""
    model = package.Model.from_path(ANT)
    data = package.Data(model)
    noise = np.random.default_rng(seed)
    kinds = [("time", float), ("qpos", float, model.nq), ("qvel", float, model.nv)]
    rows = np.zeros(round(seconds / model.opt.timestep) + 1, [*kinds, ("ctrl", float, model.nu)])
    for row in rows:
        data.ctrl[:] = noise.normal(0, 0.5, model.nu)
        for name in row.dtype.names:
            row[name] = getattr(data, name)
        package.step(model, data)
    np.save(path, rows)
    return rows


def pixels(path):
    return np.asarray(Image.open(path).convert("RGB"))


def frames(path):
    with av.open(str(path)) as container:
        return [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]


def drawn(path, place, size=(64, 48), camera=-1, quality="fast", prepare=None):
    """What a Renderer makes of a model at a state."""
    model = package.Model.from_path(path)
    data = package.Data(model)
    place(model, data)
    package.forward(model, data)
    with package.Renderer(model, size[1], size[0], quality=quality) as renderer:
        if prepare:
            prepare(renderer)
        renderer.update_scene(data, camera)
        return renderer.render()


# ---- pictures


def test_a_picture_of_a_keyframe(render):
    """It is a Renderer's, bit for bit; the line on stdout says what was written."""
    done = render("render", HUMANOID, "--keyframe", "squat", *SMALL, "-o", "squat.png")
    assert done.stdout == "squat.png: 64 x 48\n" and done.stderr == ""
    key = package.Model.from_path(HUMANOID).key("squat").id
    expected = drawn(HUMANOID, lambda m, d: package.resetDataKeyframe(m, d, key))
    assert np.array_equal(pixels(render.folder / "squat.png"), expected)
    render("render", HUMANOID, "--keyframe", key, *SMALL, "-o", "number.png")
    assert np.array_equal(pixels(render.folder / "number.png"), expected)
    render("render", HUMANOID, *SMALL, "-o", "first.png")
    assert np.array_equal(pixels(render.folder / "first.png"), drawn(HUMANOID, lambda m, d: None))
    assert sorted(p.name for p in render.folder.iterdir()) == [
        "first.png",
        "number.png",
        "squat.png",
    ]


def test_the_default_picture(render):
    render("render", ANT, "--output=ant.png")
    found = pixels(render.folder / "ant.png")
    assert found.shape == (720, 1280, 3)
    assert np.array_equal(found, drawn(ANT, lambda m, d: None, (1280, 720), quality="fine"))


@pytest.mark.parametrize("word", ["track", "0", "free"])
def test_cameras(render, word):
    render("render", ANT, *SMALL, "--camera", word, "-o", "a.png")
    expected = drawn(ANT, lambda m, d: None, camera=-1 if word == "free" else "track")
    assert np.array_equal(pixels(render.folder / "a.png"), expected)


def test_a_free_camera(render):
    """Its numbers, negative ones too, and a body that it follows."""
    render(
        *("render", ANT, *SMALL, "--lookat", "-0.2,0.1,0.6", "--distance", 3, "--azimuth", "-30"),
        *("--elevation", "-15.5", "-o", "a.png"),
    )
    eye = package.mujoco.MjvCamera()
    package.mujoco.mjv_defaultFreeCamera(package.Model.from_path(ANT), eye)
    eye.lookat[:] = -0.2, 0.1, 0.6
    eye.distance, eye.azimuth, eye.elevation = 3, -30, -15.5
    assert np.array_equal(
        pixels(render.folder / "a.png"), drawn(ANT, lambda m, d: None, camera=eye)
    )
    render("render", ANT, *SMALL, "--track", "torso", "--distance", 3, "-o", "b.png")
    package.mujoco.mjv_defaultFreeCamera(package.Model.from_path(ANT), eye)
    eye.type, eye.trackbodyid, eye.distance = package.mujoco.mjtCamera.mjCAMERA_TRACKING, 1, 3
    assert np.array_equal(
        pixels(render.folder / "b.png"), drawn(ANT, lambda m, d: None, camera=eye)
    )


def test_a_tracking_camera_follows(render, run):
    """The ant stays near the middle, however far it goes."""
    rows = np.load(run)
    moved = rows.copy()
    moved["qpos"][:, 0] += 20 * rows["time"]
    np.save(render.folder / "moved.npy", moved)
    film = ("--recording", "moved.npy", "--fps", 5, *SMALL, "--segmentation")
    render("render", ANT, *film, "--track", "torso", "--distance", 4, "-o", "t_%d.png")
    for k in range(11):
        seen = pixels(render.folder / f"t_{k}.png")
        middle = seen[12:36, 16:48].reshape(-1, 3)
        assert len(np.unique(middle, axis=0)) > 3, k


def test_flags(render):
    """Each differs from the plain picture, and the same flags again make the same bits."""
    words = {
        "plain": (),
        "wire": ("--flags", "wireframe"),
        "both": ("--flags", "joint,no-shadow"),
        "frame": ("--frame", "geom"),
        "label": ("--label", "body"),
        "group": ("--group", "geom=3"),
    }
    size = ("--size", "320x240")
    for name, more in words.items():
        render("render", HUMANOID, *size, *more, "-o", f"{name}.png")
    pictures = {name: pixels(render.folder / f"{name}.png") for name in words}
    for name in words:
        assert name == "plain" or (pictures[name] != pictures["plain"]).any(), name
    render(
        "render",
        HUMANOID,
        *size,
        "--group",
        "geom=012,site=012",
        "--label",
        "none",
        "-o",
        "again.png",
    )
    assert np.array_equal(pixels(render.folder / "again.png"), pictures["plain"])


def test_depth_and_segmentation(render):
    """Numbers are a Renderer's; greys fall with the distance, each object has one colour."""
    render("render", HUMANOID, *SMALL, "--depth", "-o", "d.npy")
    depth = np.load(render.folder / "d.npy")
    expected = drawn(HUMANOID, lambda m, d: None, prepare=lambda r: r.enable_depth_rendering())
    assert depth.dtype == np.float32 and np.array_equal(depth, expected)
    render("render", HUMANOID, *SMALL, "--depth", "-o", "d.png")
    grey = pixels(render.folder / "d.png")[..., 0].astype(int)
    order = np.argsort(depth, axis=None)
    assert (np.diff(grey.ravel()[order]) <= 0).all() and grey.max() == 255
    render("render", HUMANOID, *SMALL, "--segmentation", "-o", "s.npy")
    render("render", HUMANOID, *SMALL, "--segmentation", "-o", "s.png")
    objects = np.load(render.folder / "s.npy")
    assert objects.shape == (48, 64, 2) and objects.dtype == np.int32
    colour = pixels(render.folder / "s.png").reshape(-1, 3)
    pairs = np.concatenate([objects.reshape(-1, 2), colour], axis=1)
    count = len(np.unique(objects.reshape(-1, 2), axis=0))
    assert count > 5 and len(np.unique(pairs, axis=0)) == count == len(np.unique(colour, axis=0))
    render("render", HUMANOID, *SMALL, "-o", "c.npy")
    assert np.array_equal(np.load(render.folder / "c.npy"), drawn(HUMANOID, lambda m, d: None))


# ---- films


def at(rows, row):
    """Puts a data into a row of a recording."""

    def place(model, data):
        for name in ("qpos", "qvel", "ctrl"):
            getattr(data, name)[:] = rows[row][name]

    return place


def test_a_film(render, run):
    """Pictures 1/fps of the simulation's time apart, from the start to the end."""
    done = render("render", ANT, "--recording", run, *SMALL, "--fps", 25, "-o", "ant.mp4")
    assert done.stdout == "ant.mp4: 51 pictures of 64 x 48, 2.04 s\n" and done.stderr == ""
    with av.open(str(render.folder / "ant.mp4")) as container:
        stream = container.streams.video[0]
        assert (stream.frames, stream.average_rate, stream.width, stream.height) == (51, 25, 64, 48)
    render("render", ANT, "--recording", run, *SMALL, "--fps", 25, "-o", "f_%02d.png")
    rows, found = np.load(run), frames(render.folder / "ant.mp4")
    for k in (0, 17, 50):
        expected = drawn(ANT, at(rows, 4 * k))  # 0.04 s are four steps
        assert np.array_equal(pixels(render.folder / f"f_{k:02d}.png"), expected)
        assert np.abs(found[k].astype(int) - expected).mean() < 4  # H.264
    assert not (render.folder / "f_51.png").exists()


def test_a_gif(render, run):
    render("render", ANT, "--recording", run, *SMALL, "--speed", 2, "-o", "ant.gif")
    gif = Image.open(render.folder / "ant.gif")
    assert gif.n_frames == 31 and gif.size == (64, 48)  # 1 s of film, both ends
    total = sum(frame.info["duration"] for frame in ImageSequence.Iterator(gif))
    assert total == pytest.approx(31_000 / 30, abs=10)


def test_a_part_of_a_recording(render, run):
    film = ("render", ANT, "--recording", run, *SMALL, "--fps", 10)
    render(*film, "--start", 0.5, "--end", 1.5, "-o", "p_%02d.png")
    rows = np.load(run)
    assert len(list(render.folder.glob("p_*"))) == 11
    assert np.array_equal(pixels(render.folder / "p_00.png"), drawn(ANT, at(rows, 50)))
    assert np.array_equal(pixels(render.folder / "p_10.png"), drawn(ANT, at(rows, 150)))
    render(*film[:3], run, *SMALL, "--start", 0.5, "-o", "one.png")
    assert np.array_equal(pixels(render.folder / "one.png"), drawn(ANT, at(rows, 50)))
    message = render.error(*film, "--start", 3, "-o", "q.mp4", code=1)
    assert message == f"{run}: has no time between --start and --end: it is from 0 s to 2 s"


def test_three_recordings_beside_each_other(render, run):
    """Each as it is alone, with its name over it; the one that ends first stays at its end."""
    short = render.folder / "short.npy"
    rows = record(short, seconds=1.0, seed=1)
    record(render.folder / "third.npy", seed=2)
    words = ("--recording", f"{run},short.npy,third.npy", *SMALL, "--fps", 5)
    done = render("render", ANT, *words, "-o", "three.mp4")
    assert done.stdout == "three.mp4: 11 pictures of 192 x 48, 2.20 s\n"
    assert [f.shape for f in frames(render.folder / "three.mp4")] == [(48, 192, 3)] * 11
    render("render", ANT, *words, "-o", "t_%02d.png")
    last = pixels(render.folder / "t_10.png")
    alone = [drawn(ANT, at(np.load(run), 200)), drawn(ANT, at(rows, 100))]
    for k, expected in enumerate(alone):
        part = last[:, 64 * k : 64 * (k + 1)]
        assert np.array_equal(part[20:], expected[20:])
        assert (part[:20] != expected[:20]).any()  # its name
    four = ",".join([str(run)] * 4)
    render("render", ANT, "--recording", four, *SMALL, "-o", "four.png")
    found = pixels(render.folder / "four.png")
    assert found.shape == (96, 128, 3) and np.array_equal(found[:48, :64], found[48:, 64:])
    five = ",".join([str(run)] * 5)
    render("render", ANT, "--recording", five, *SMALL, "-o", "five.png")
    assert pixels(render.folder / "five.png").shape == (96, 192, 3)
    assert (pixels(render.folder / "five.png")[48:, 128:] == 0).all()
    render("render", ANT, "--recording", f"{run},{run}", "--quality", "fast", "-o", "two.png")
    assert pixels(render.folder / "two.png").shape == (480, 1280, 3)


def test_a_simulation(render):
    """--simulate draws what stepping gives; a picture is of its end."""
    render("render", ANT, *SMALL, "--simulate", 0.5, "--fps", 10, "-o", "s_%d.png")
    render("render", ANT, *SMALL, "--simulate", 0.5, "-o", "end.png")
    render("render", ANT, *SMALL, "--simulate", 0.5, "-o", "end.npy")
    assert len(list(render.folder.glob("s_*"))) == 6
    expected = drawn(ANT, lambda m, d: package.step(m, d, nstep=50))
    assert np.array_equal(pixels(render.folder / "s_5.png"), expected)
    assert np.array_equal(pixels(render.folder / "end.png"), expected)
    assert np.array_equal(np.load(render.folder / "end.npy"), expected)


def test_a_recording_of_the_command(render):
    """What `sinew simulate` records is drawn; of one that was killed, as far as it goes."""
    render("simulate", HUMANOID, "--seconds", 1, "--ctrl", "noise:0.3", "--record", "run.npy")
    done = render("render", HUMANOID, "--recording", "run.npy", *SMALL, "-o", "run.mp4")
    assert done.stdout.startswith("run.mp4: 31 pictures")
    (render.folder / "run.npy").rename(render.folder / "run.npy.part")
    done = render("render", HUMANOID, "--recording", "run.npy.part", *SMALL, "-o", "part.mp4")
    assert done.stdout.startswith("part.mp4: 31 pictures")
    assert done.stderr.startswith("warning: run.npy.part: not finished")


def test_the_model_of_a_recording(render):
    """An .mcap holds it."""
    model = package.Model.from_path(HUMANOID)
    columns = {"qpos": np.tile(model.qpos0, (3, 1))}
    package.Recording([0, 0.1, 0.2], columns).save(render.folder / "run.mcap", model)
    render("render", "--recording", "run.mcap", *SMALL, "-o", "run.png")
    assert np.array_equal(pixels(render.folder / "run.png"), drawn(HUMANOID, lambda m, d: None))
    np.save(render.folder / "run.npy", record(render.folder / "run.npy", 0.1))
    message = render.error("render", "--recording", "run.npy", "-o", "x.png", code=2)
    assert message.startswith("MODEL: missing, and no recording holds one")
    message = render.error("render", "run.mcap", "-o", "x.png", code=2)
    assert message == "run.mcap is a recording; give it as --recording run.mcap"


def test_two_models(render):
    """Recordings that hold theirs are drawn of them, beside each other; one of another model says so by its name."""
    for path, name in ((HUMANOID, "h"), (ANT, "a")):
        recorder = package.Recorder(package.Model.from_path(path))
        recorder.add(package.Data(recorder.recording().model()))
        recorder.save(render.folder / f"{name}.mcap")
        recorder.save(render.folder / f"{name}.npy")
    size = ("--size", "160x120", "--quality", "fast")
    render("render", "--recording", "h.mcap,a.mcap", *size, "-o", "two.png")
    alone = [drawn(path, lambda m, d: None, (160, 120)) for path in (HUMANOID, ANT)]
    both = pixels(render.folder / "two.png")
    for i, one in enumerate(alone):
        half = both[:, i * one.shape[1] : (i + 1) * one.shape[1]]
        # the name stands in a corner
        assert half.shape == one.shape and (half == one).all(-1).mean() > 0.8
    message = render.error("render", "--recording", "h.mcap,a.npy", "-o", "x.png", code=1)
    assert message.startswith(
        "a.npy does not fit the model: qpos has 15 numbers, the model 28 (nq)"
    )


# ---- when something goes wrong


@pytest.mark.parametrize(
    "words, code, message",
    [
        ("", 2, "MODEL: missing; see sinew render --help"),
        ("ANT", 2, "-o FILE: missing; see sinew render --help"),
        ("ANT ANT -o x.png", 2, "ANT: one model at a time; too many; see sinew render --help"),
        ("ANT -o x.jpg", 2, "x.jpg: what to write is told by the end of its name, which may be .png, .mp4, .gif, .npy, or numbered as frame_%04d.png"),
        ("ANT -o x.mp4", 2, "x.mp4: a film wants --recording RUN.npy, or --simulate SECONDS"),
        ("ANT -o", 2, "needs a value: -o; see sinew render --help"),
        ("ANT -o a.png -o b.png", 2, "-o: given twice; see sinew render --help"),
        ("ANT -o x.png --cammera track", 2, "unknown option --cammera; did you mean --camera?"),
        ("ANT -o x.png --nonsense=1", 2, "unknown option --nonsense; see sinew render --help"),
        ("ANT -o x.png -q", 2, "unknown option: -q; see sinew render --help"),
        ("ANT -o x.png --strict=1", 2, "takes no value: --strict=1; see sinew render --help"),
        ("ANT -o x.png --quality best", 2, "--quality best: wants fine|fast"),
        ("ANT -o x.png --size 640", 2, "--size 640: wants pixels as 1280x720"),
        ("ANT -o x.png --size 0x9", 2, "--size 0x9: wants pixels as 1280x720"),
        ("ANT -o x.png --size -4x9", 2, "--size -4x9: wants pixels as 1280x720"),
        ("ANT -o x.png --size 99999x99999", 2, "--size 99999x99999: no picture of 99999 x 99999: 1 to 33554432 pixels can be drawn (8192 x 4096)"),
        ("ANT -o x.mp4 --simulate 1 --size 16386x2", 2, "a film of 16386 x 2 is too large for x.mp4: at most 16384 x 16384; see --size"),
        ("ANT -o x.png --simulate 1 --fps 9", 2, "--fps: is of a film; x.png is one picture"),
        ("ANT -o x.npy --depth --speed 2", 2, "--speed: is of a film; x.npy is one picture"),
        ("ANT -o x.mp4 --simulate 1 --fps 0", 2, "--fps 0: wants a positive number"),
        ("ANT -o x.mp4 --simulate 1 --fps nan", 2, "--fps nan: wants a positive number"),
        ("ANT -o x.mp4 --simulate 1 --fps 1001", 2, "--fps 1001: x.mp4 shows at most 1000"),
        ("ANT -o x.gif --simulate 1 --fps 60", 2, "--fps 60: x.gif shows at most 50"),
        ("ANT -o x.mp4 --simulate 1 --speed -1", 2, "--speed -1: wants a positive number"),
        ("ANT -o x.mp4 --simulate 1e9", 2, "a film of 3e+10 pictures is too long: at most 1000000; see --fps and --speed"),
        ("ANT -o x.mp4 --simulate -1", 2, "--simulate: wants 0 seconds or more, and no --recording"),
        ("ANT -o x.png --start 1", 2, "--start: is of a recording; give --recording, or the length as --simulate"),
        ("ANT -o x.png --flags contactforc", 2, 'no flag "contactforc"; did you mean "contactforce"?'),
        ("ANT -o x.png --label bodi", 2, 'no label "bodi"; did you mean "body"?'),
        ("ANT -o x.png --frame zzz", 2, 'no frame "zzz"; there are: none, body, geom, site, camera, light, contact, world'),
        ("ANT -o x.png --group geom", 2, "--group geom: wants a kind and its groups, as geom=012 (site= for none)"),
        ("ANT -o x.png --group geom=7", 2, "groups of geom are 0 to 5, not [7]"),
        ("ANT -o x.png --group geo=1", 2, 'no kind of groups "geo"; did you mean "geom"?'),
        ("ANT -o x.png --depth --segmentation", 2, "--depth and --segmentation are two pictures; give one"),
        ("ANT -o x.png --camera track --azimuth 3", 2, "--azimuth: is of the free camera; leave out --camera track"),
        ("ANT -o x.png --distance -1", 2, "--distance -1: wants a positive number"),
        ("ANT -o x.png --lookat 1,2", 2, "--lookat 1,2: wants 3 numbers separated by commas"),
        ("ANT -o x.npy --recording a,b", 2, "x.npy: has the numbers of one picture, not of several recordings"),
        ("ANT -o x.png --recording a,,b", 2, "--recording a,,b: a name is empty"),
        ("ANT -o x.png --camera trak", 1, 'ANT: --camera: no camera "trak"; did you mean "track"?'),
        ("ANT -o x.png --camera 7", 1, 'ANT: --camera: no camera "7": the model has 1, numbers 0 to 0; "free" is there always'),
        ("ANT -o x.png --track tors", 1, 'ANT: --track: no body "tors"; did you mean "torso"?'),
        ("ANT -o x.png --keyframe home", 1, "ANT: --keyframe home: the model has no keyframes"),
        ("HUMANOID -o x.png --keyframe 99", 1, "HUMANOID: --keyframe 99: the model has 2, numbers 0 to 1"),
        ("none.xml -o x.png", 1, "cannot read 'none.xml': No such file or directory"),
        ("ANT -o x.mp4 --recording none.npy", 1, "cannot read 'none.npy': No such file or directory"),
        ("ANT -o no/x.png", 1, "cannot write 'no/x.png': No such file or directory"),
        ("ANT -o no/x.mp4 --simulate 1", 1, "cannot write 'no/x.mp4': No such file or directory"),
        ("ANT -o . --simulate 1", 2, ".: what to write is told by"),
    ],
)  # fmt: skip
def test_wrong_words(render, words, code, message):
    """A message of one line that names what is wrong, an exit code as the command's, and no file."""
    (render.folder / "ANT").symlink_to(ANT)
    (render.folder / "HUMANOID").symlink_to(HUMANOID)
    found = render.error("render", *words.split(), code=code)
    assert found == message or message.endswith("told by") and found.startswith(message)
    assert {p.name for p in render.folder.iterdir()} == {"ANT", "HUMANOID"}


def test_no_camera_in_the_model(render):
    (render.folder / "m.xml").write_text("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    message = render.error("render", "m.xml", "--camera", "side", "-o", "x.png", code=1)
    assert (
        message == 'm.xml: --camera: no camera "side": the model has none; "free" is there always'
    )
    render("render", "m.xml", *SMALL, "-o", "x.png")
    assert pixels(render.folder / "x.png").std() > 1


@pytest.mark.parametrize("xml", ["<mujoco/>", "<mujoco><worldbody><site/></worldbody></mujoco>"])
def test_a_model_without_geoms(render, xml):
    (render.folder / "m.xml").write_text(xml)
    render("render", "m.xml", *SMALL, "-o", "x.png")
    render("render", "m.xml", *SMALL, "--depth", "-o", "d.png")
    render("render", "m.xml", *SMALL, "--segmentation", "-o", "s.png")
    render("render", "m.xml", *SMALL, "--simulate", 0.1, "-o", "x.gif")
    assert pixels(render.folder / "x.png").shape == (48, 64, 3)
    assert pixels(render.folder / "s.png").any() == ("site" in xml)  # it is all that is in view


def test_a_bad_model(render):
    (render.folder / "m.xml").write_text("<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>")
    done = render("render", "m.xml", "-o", "x.png", code=1)
    assert done.stderr.startswith("sinew: ") and "did you mean 'size'" in done.stderr
    (render.folder / "m.xml").write_text(
        "<mujoco><worldbody>words<geom size='1'/></worldbody></mujoco>"
    )
    done = render("render", "m.xml", *SMALL, "-o", "x.png")
    assert (
        done.stderr.startswith("warning: <worldbody>: text inside it")
        and done.stderr.count("\n") == 1
    )
    done = render("render", "m.xml", *SMALL, "--strict", "-o", "y.png", code=1)
    assert not (render.folder / "y.png").exists()


def test_a_model_of_no_extent(render):
    """Its cameras would see nothing: the error says what to change, not where in the program it came up."""
    (render.folder / "m.xml").write_text(
        '<mujoco><statistic extent="1e-30"/><worldbody><geom size=".1"/></worldbody></mujoco>'
    )
    message = render.error("render", "m.xml", "-o", "x.png", code=1)
    assert message.startswith(
        "frustum_near of camera 0 of the scene is 1e-32, and 1e-15 is the least"
    )
    assert "make extent of <statistic>" in message


def test_recordings_that_do_not_fit(render, run):
    rows = np.load(run)
    message = render.error("render", HUMANOID, "--recording", run, "-o", "x.mp4", code=1)
    assert message.startswith(f"{run} does not fit the model: qpos has 15 numbers, the model 28")
    (render.folder / "words.npy").write_bytes(b"PK\x03\x04")
    assert "zip archive" in render.error(
        "render", ANT, "--recording", "words.npy", "-o", "x.mp4", code=1
    )
    torn = rows.copy()
    torn["qvel"][100, 3] = np.nan
    np.save(render.folder / "torn.npy", torn)
    done = render("render", ANT, "--recording", "torn.npy", *SMALL, "--fps", 10, "-o", "x.mp4")
    assert done.stdout.startswith("x.mp4: 10 pictures")
    assert done.stderr == (
        "sinew: warning: torn.npy: row 100 has numbers in qvel that are not finite; what is drawn ends before it\n"
    )
    torn["time"][0] = np.inf
    np.save(render.folder / "torn.npy", torn)
    message = render.error("render", ANT, "--recording", "torn.npy", "-o", "y.mp4", code=1)
    assert message == "torn.npy: row 0 has numbers in time that are not finite"
    assert not (render.folder / "y.mp4").exists()


def test_a_simulation_without_time(render):
    (render.folder / "m.xml").write_text('<mujoco><option timestep="0"/></mujoco>')
    done = render("render", "m.xml", *SMALL, "--simulate", 1, "-o", "x.png", code=1)
    assert "sinew: --simulate: the model's timestep is 0\n" in done.stderr


@pytest.fixture
def at_the_start(tmp_path_factory):
    """A function that returns options of a command whose interpreter first runs a text: signals come by counts."""

    def options(text):
        folder = tmp_path_factory.mktemp("hooks")
        (folder / "sitecustomize.py").write_text(text)
        reset = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)  # noqa: E731
        return {"env": {**os.environ, "PYTHONPATH": str(folder)}, "preexec_fn": reset}

    return options


AT_A_STEP = """
import os, signal
from sinew._command import states
step, left = states.step, 300
def interrupted(*given):
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGINT)
    return step(*given)
states.step = interrupted
"""


def test_a_picture_that_is_interrupted(render, at_the_start):
    """There is none."""
    words = ("render", ANT, "--simulate", 1e6, *SMALL, "-o", "x.png")  # hours
    done = render(*words, code=130, **at_the_start(AT_A_STEP))
    assert (done.stdout, done.stderr) == ("", "")
    assert not list(render.folder.iterdir())


def test_an_unstable_simulation(render):
    """The film ends where it does, with the exit code of `sinew simulate`."""
    (render.folder / "m.xml").write_text(
        '<mujoco><option timestep="0.1"/><worldbody><body><joint type="slide" stiffness="1e7" springref="1"/>'
        '<geom size="0.1"/></body></worldbody></mujoco>'
    )
    done = render("render", "m.xml", *SMALL, "--simulate", 100, "--fps", 10, "-o", "x.mp4", code=3)
    assert done.stderr.startswith("sinew: the simulation is unstable at ")
    assert 0 < len(frames(render.folder / "x.mp4")) < 1000


@pytest.mark.parametrize("name", ["x.mp4", "x.gif", "x.png", "x_%d.png", "x.npy"])
def test_full_disk(render, run, name):
    """A limit on file size stands in for it: an error, the old file unharmed, nothing left."""
    old = render.folder / (name % 0 if "%" in name else name)
    old.write_text("old")
    words = ("--recording", run, "--size", "640x480", "--quality", "fast", "--frame", "geom")
    done = render(
        *("render", ANT, *words, "-o", name),
        code=1,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000)),
    )
    assert done.stderr == f"sinew: cannot write '{name}': File too large\n" and done.stdout == ""
    assert old.read_text() == "old" and [p.name for p in render.folder.iterdir()] == [old.name]


AT_A_PICTURE = """
import os
from sinew import Film
add, number = Film.add, {}
def interrupted(self, pixels):
    if self.frames == {}:
        os.kill(os.getpid(), number)
        os.kill(os.getpid(), number)
    add(self, pixels)
Film.add = interrupted
"""


@pytest.mark.parametrize("name", ["x.mp4", "x.gif", "x_%d.png"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interruption(render, at_the_start, name, number):
    """There is the film up to there, whole; two signals are as one."""
    words = ("--simulate", 10_000, "--fps", 50, *SMALL, "-o", name)
    options = at_the_start(AT_A_PICTURE.format(int(number), 6))
    done = render("render", ANT, *words, code=128 + number, **options)
    assert done.stderr == "" and done.stdout.startswith(f"{name}: 7 pictures")
    said = 7
    if name == "x.mp4":
        assert len(frames(render.folder / name)) == said
    elif name == "x.gif":
        assert 1 <= Image.open(render.folder / name).n_frames <= said
    else:
        assert len(list(render.folder.iterdir())) == said
    assert not list(render.folder.glob("*.part*"))


OFTEN = """
from sinew._command import progress
progress._EVERY = 0.0
"""


def test_progress_on_a_terminal(render, at_the_start):
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        [render.path, "render", ANT, "--simulate", "0.5", *SMALL, "-o", render.folder / "x.mp4"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        **at_the_start(OFTEN),
    )
    os.close(theirs)
    drawn_bytes = b""
    try:
        while True:
            drawn_bytes += os.read(ours, 1000)
    except OSError:  # the other end is closed
        pass
    finally:
        os.close(ours)
    assert process.wait(1200) == 0
    assert b"\r[" in drawn_bytes and b" %  " in drawn_bytes and drawn_bytes.endswith(b"\r\033[K")


@pytest.mark.parametrize(
    "module, name, package_name",
    [("moderngl", "x.png", "moderngl"), ("av", "x.mp4", "av"), ("PIL", "x.gif", "pillow")],
)
def test_a_package_is_missing(render, monkeypatch, module, name, package_name):
    """The message names it and how it is installed."""
    folder = render.folder / "without"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(f"import sys\nsys.modules[{module!r}] = None\n")
    monkeypatch.setenv("PYTHONPATH", str(folder))
    message = render.error("render", ANT, "--simulate", 0.1, *SMALL, "-o", name, code=1)
    assert package_name in message and "pip install '.[view]' in the folder" in message
    assert [p.name for p in render.folder.iterdir()] == ["without"]


def test_no_opengl(render, monkeypatch):
    """A library that is none stands for a system without it; the message says what to install."""
    folder = render.folder / "without"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(
        "import ctypes, ctypes.util\n"
        "whole = ctypes.CDLL.__init__\n"
        "def init(self, name, *more, **words):\n"
        "    if name and ('EGL' in name or 'libGL' in name or 'OSMesa' in name):\n"
        "        raise OSError(name + ': cannot open shared object file')\n"
        "    whole(self, name, *more, **words)\n"
        "ctypes.CDLL.__init__ = init\n"
        "ctypes.util.find_library = lambda name: None\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(folder))
    done = render("render", ANT, *SMALL, "-o", "x.png", code=1)
    assert "libegl1" in done.stderr and "Traceback" not in done.stderr
    assert [p.name for p in render.folder.iterdir()] == ["without"]


def test_help(render):
    """All options are in it, and in the manual."""
    text = render("render", "--help").stdout
    assert render("help", "render").stdout == text and text.startswith("sinew render [MODEL]\n")
    manual = (ROOT / "docs/cli.md").read_text()
    section = manual[manual.index("## sinew render") :]
    from sinew._command.request import COMMAND

    for option in COMMAND.options:
        assert f"--{option.name}" in text and f"`--{option.name}" in section, option.name
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [render.path, "render", "--help"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1 and "cannot write" in done.stderr and "Traceback" not in done.stderr
