"""A film of a recording is made of the pictures of the run itself, to the bit: what moves them is recorded."""

import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

import sinew
from models import folder
from recording_files import load
from sinew.picture.artist import Artist
from sinew.picture.looks import Look
from sinew.picture.show import current_state
from sinew.picture.tracks import Track

CARTPOLE = folder("dm_control", "mujoco/testing/assets") / "cartpole.xml"
# All that the rows of a run can move: a hand that is placed pushes and then holds a box, forces are applied, muscles and
# actuators take colours of what drives them, few iterations make the forces those of where the solver starts.
PUSH = """
<mujoco>
  <custom><text name="sinew_physics" data="3.3.7"/></custom>
  <option timestep="0.01" solver="CG" iterations="2"/>
  <size nuserdata="2"/>
  <visual><map force="0.1"/></visual>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="plane" size="2 2 .1"/>
    <body name="hand" mocap="true" pos="-.4 0 .1"><geom type="box" size=".05 .1 .1" rgba="1 0 0 1"/></body>
    <body name="crate" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
    <body name="other" pos="0 0 .32"><freejoint/><geom type="box" size=".1 .1 .1" rgba="0 1 0 1"/></body>
    <body name="arm" pos=".5 .3 .5">
      <joint name="elbow" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <site name="tip" pos=".3 0 0"/>
    </body>
    <site name="hook" pos=".5 .3 .9"/>
  </worldbody>
  <tendon><spatial name="flexor"><site site="hook"/><site site="tip"/></spatial></tendon>
  <equality><weld name="grip" body1="hand" body2="crate" active="false"/></equality>
  <actuator><muscle name="flexor" tendon="flexor"/><position name="elbow" joint="elbow" kp="1"/></actuator>
</mujoco>
"""
FLAGS = "contactpoint,contactforce,pertforce,actuator,activation,constraint,island,joint,com"
STEPS, EVERY = 24, 4


def move(model, data, i):
    """What a program does beside the steps."""
    data.mocap_pos[:] += (0.01, 0.002, 0)
    data.mocap_quat[:] = np.cos(0.05 * i), 0, 0, np.sin(0.05 * i)
    if model.nu:
        data.ctrl[:] = 0.5 + 0.5 * np.sin(0.3 * i + np.arange(model.nu))
    if model.neq:
        data.eq_active[0] = i > 9
        data.xfrc_applied[3, 1] = 2.0 * (i % 10 > 5)
        data.qfrc_applied[-1] = 0.1 * i
        data.userdata[0] = i


def run(model):
    """The recording of a run, and its pictures."""
    data, recorder, pictures = sinew.Data(model), sinew.Recorder(model), []
    with Artist(model, 160, 120, look=Look(FLAGS.split(",")), quality="fast") as artist:
        for i in range(STEPS + 1):
            move(model, data, i)
            if i % EVERY == 0:
                pictures.append(artist.pixels(current_state(model, data)))
            recorder.step(data)
    assert len({picture.tobytes() for picture in pictures}) == len(pictures)
    return recorder.recording(), pictures


@pytest.fixture(scope="module")
def pushed(tmp_path_factory):
    """Path of the model, recording and pictures of a run of PUSH."""
    path = tmp_path_factory.mktemp("push") / "push.xml"
    path.write_text(PUSH)
    return path, *run(sinew.Model.from_path(path, physics="3.3.7"))


def rendered(*words):
    """Run sinew render, in a process of its own as it catches signals; what it says on stderr."""
    command = [sys.executable, "-m", "sinew.render", *map(str, words), "--quality", "fast"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stderr


def as_an_artist(path):
    """Words of sinew render for what an Artist draws: no stage, and the view that MuJoCo takes by default."""
    m = load(path)
    view = m.vis.global_
    where = ",".join(repr(float(x)) for x in m.stat.center), 1.5 * float(m.stat.extent)
    options = "--lookat", "--distance", "--azimuth", "--elevation"
    values = *where, float(view.azimuth), float(view.elevation)
    return ["--bare", *(word for pair in zip(options, values, strict=True) for word in pair)]


def film(path, recording, folder, words_about=""):
    """The pictures of a film of a recording, and that this is said of it."""
    folder.mkdir()
    seconds = EVERY * sinew.Recording.from_path(recording).time[1]
    words = ["--flags", FLAGS, "--fps", 1 / seconds, "--size", "160x120", *as_an_artist(path)]
    told = rendered(path, "--recording", recording, *words, "-o", folder / "%03d.png")
    assert words_about in told and bool(told) == bool(words_about)
    return [np.asarray(Image.open(one)) for one in sorted(folder.iterdir())]


def same(drawn, pictures):
    assert len(drawn) == len(pictures) == STEPS // EVERY + 1
    return [i for i, (ours, lives) in enumerate(zip(drawn, pictures)) if (ours != lives).any()]


@pytest.mark.parametrize("ending", ["npy", "mcap"])
def test_pictures_of_the_run(tmp_path, pushed, ending):
    """Of a model in which all moves that can."""
    path, recording, pictures = pushed
    recording.save(tmp_path / f"run.{ending}")
    assert same(film(path, tmp_path / f"run.{ending}", tmp_path / "film"), pictures) == []


def test_bodies_of_others_that_are_placed(tmp_path):
    """dm_control's cart has two."""
    recording, pictures = run(load(CARTPOLE))
    assert recording.mocap_pos.shape == (STEPS + 1, 6)
    recording.save(tmp_path / "run.npy")
    assert same(film(CARTPOLE, tmp_path / "run.npy", tmp_path / "film"), pictures) == []


@pytest.mark.parametrize(
    "part",
    ["mocap_pos", "mocap_quat", "act", "ctrl", "qacc_warmstart", "xfrc_applied", "eq_active"],
)
def test_each_part_moves_pictures(tmp_path, pushed, part):
    """Without any one of them the film is another one."""
    path, recording, pictures = pushed
    rest = {name: values for name, values in recording.fields.items() if name != part}
    sinew.Recording(recording.time, rest).save(tmp_path / "run.npy")
    about = "has no mocap_pos" if part == "mocap_pos" else ""
    assert same(film(path, tmp_path / "run.npy", tmp_path / "film", about), pictures)


def test_old_recordings_say_that_mocap_is_not_there(tmp_path):
    """They are drawn as before; a keyframe tells where those bodies are."""
    path, old = tmp_path / "push.xml", tmp_path / "old.npy"
    path.write_text(PUSH.replace("</mujoco>", '<keyframe><key name="k"/></keyframe></mujoco>'))
    recording = sinew.Recording([0.0, 0.01], {"qpos": [[*([0, 0, 1, 1, 0, 0, 0] * 2), 0]] * 2})
    recording.save(old)
    words = [path, "--recording", old, "--size", "80x60", "-o", tmp_path / "a.png"]
    told = f"sinew: warning: {old}: has no mocap_pos: mocap bodies stand where the model has them"
    assert rendered(*words).startswith(told)
    assert rendered(*words, "--keyframe", "k") == ""
    with pytest.warns(sinew.RecordingWarning, match="has no mocap_pos"):
        sinew.show(sinew.Model.from_path(path, physics="3.3.7"), recording, width=80, height=60)


def test_between_rows(tmp_path):
    """Bodies that are placed go evenly, and turn the shorter way."""
    model = sinew.Model.from_xml(PUSH, physics="3.3.7")
    qpos = np.tile(model.qpos0, (3, 1))
    angles = np.array([0.0, 1.0, 3.0])
    turns = np.stack([np.cos(angles / 2), 0 * angles, 0 * angles, np.sin(angles / 2)], 1)
    turns[1] *= -1  # the same orientation
    fields = {"qpos": qpos, "mocap_pos": [[[0, 0, 0]], [[1, 2, 3]], [[1, 2, 7]]]}
    fields["mocap_quat"], fields["eq_active"] = turns[:, None], [0, 1, 1]
    track = Track(model, sinew.Recording([0.0, 1.0, 2.0], fields))
    data = sinew.Data(model)
    track.place(data, 0.25)
    assert data.mocap_pos[0] == pytest.approx([0.25, 0.5, 0.75], abs=1e-15)
    assert abs(data.mocap_quat[0] @ [np.cos(0.125), 0, 0, np.sin(0.125)]) == pytest.approx(1)
    assert data.eq_active[0] == 0
    track.place(data, 1.5)
    assert abs(data.mocap_quat[0] @ [np.cos(1), 0, 0, np.sin(1)]) == pytest.approx(1)
    assert data.mocap_pos[0].tolist() == [1, 2, 5] and data.eq_active[0] == 1
    zero = dict(fields, mocap_quat=np.zeros((3, 4)))
    Track(model, sinew.Recording([0.0, 1.0, 2.0], zero)).place(data, 0.25)
    assert np.isfinite(data.xpos).all()
