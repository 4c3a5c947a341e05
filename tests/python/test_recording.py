"""Recordings: files to arrays and back, files that end early or are damaged, what does not fit a model."""

import io
import json
import os
import random
import resource
import struct
import subprocess
import sys
import warnings

import mcap.reader
import mcap.writer
import numpy as np
import pytest

import sinew
from models import folder
from sinew import Recording, RecordingWarning

GYMNASIUM = folder("gymnasium", "envs/mujoco/assets")
SUITE = folder("dm_control", "suite")
MODELS = [
    *(GYMNASIUM / f"{name}.xml" for name in ("ant", "humanoid", "half_cheetah", "pusher")),
    *(SUITE / f"{name}.xml" for name in ("dog", "walker", "fish", "manipulator", "acrobot")),
]
ODD = """
<mujoco model="o%d &amp; 'n&quot;">
  <worldbody>
    <body name="a/%s{}">
      <joint name="%r &quot;q&quot;\\" type="ball"/>
      <geom size="0.1"/>
      <body name="$b_^">
        <joint name="é, /0" axis="0 1 0"/>
        <joint/>
        <geom size="0.1" pos="1 0 0"/>
        <site name="s"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="[3]" joint="é, /0"/><motor joint="é, /0"/></actuator>
  <sensor>
    <framepos name="tip/0" objtype="site" objname="s"/>
    <jointpos name="nan,[inf]" joint="é, /0"/>
    <jointvel joint="é, /0"/>
    <framequat name="日本 _%(x)s" objtype="site" objname="s"/>
  </sensor>
</mujoco>
"""


def load(path):
    """A model, without the words about what it says besides."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sinew.Model.from_path(path)


def layout(model):
    """The type of a row, by the rules of docs/cli.md."""
    parts = [("qpos", model.nq), ("qvel", model.nv), ("act", model.na), ("ctrl", model.nu)]
    for i in range(model.nsensor):
        parts.append((f"sensor/{model.sensor(i).name or f'[{i}]'}", model.sensor_dim[i]))
    kinds = [(name, "<f8", (int(n),)) if n > 1 else (name, "<f8") for name, n in parts if n]
    return np.dtype([("time", "<f8"), *kinds])


def simulate(model, steps=40, seed=1):
    """Rows as `sinew simulate --record` has them."""
    data, random_numbers = sinew.Data(model), np.random.default_rng(seed)
    rows = np.zeros(steps, layout(model))
    for row in rows:
        data.ctrl[:] = random_numbers.normal(size=model.nu)
        row["time"] = data.time
        state = {name: getattr(data, name).copy() for name in ("qpos", "qvel", "act", "ctrl")}
        sinew.step(model, data)
        for name in row.dtype.names[1:]:
            if name in state:
                row[name] = state[name] if row.dtype[name].shape else state[name][0]
        at = 0
        for i in range(model.nsensor):
            n = model.sensor_dim[i]
            name = f"sensor/{model.sensor(i).name or f'[{i}]'}"
            values = data.sensordata[at : at + n]
            row[name] = values if n > 1 else values[0]
            at += n
    return rows


def store(path, rows):
    """An .npy by NumPy, which says that old NumPys cannot read names like these."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.save(path, rows)


def same(recording, rows):
    """Whether a recording has these rows, to the bit."""
    names = [name for name in rows.dtype.names if name != "time"]
    assert list(recording.fields) == names
    assert recording.time.tobytes() == rows["time"].tobytes()
    for name in names:
        wanted = rows[name].reshape(len(rows), -1)
        assert recording.fields[name].shape == wanted.shape
        assert recording.fields[name].tobytes() == np.ascontiguousarray(wanted).tobytes(), name


@pytest.fixture
def quiet():
    """No warning may come."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_round_trip(tmp_path, path, quiet):
    """.npy as NumPy writes it, to .mcap, to .npy as NumPy reads it."""
    model = load(path)
    rows = simulate(model)
    store(tmp_path / "run.npy", rows)
    first = Recording.from_path(tmp_path / "run.npy")
    same(first, rows)
    first.save(tmp_path / "run.mcap", model)
    second = Recording.from_path(tmp_path / "run.mcap")
    same(second, rows)
    second.save(tmp_path / "again.npy")
    again = np.load(tmp_path / "again.npy", max_header_size=10**6)
    assert again.dtype == rows.dtype and again.tobytes() == rows.tobytes()
    for recording in (first, second):
        fitted = recording.fit(model)
        assert (
            fitted.qpos is not None and (fitted.qpos == rows["qpos"].reshape(len(rows), -1)).all()
        )
        assert len(fitted.names["qpos"]) == model.nq
    inside = second.model()
    assert all((getattr(inside, n) == getattr(model, n)).all() for n in ("body_mass", "jnt_axis"))
    assert not list(tmp_path.glob("*.part*"))


def contents(path):
    """Messages by topic, attachments, metadata: by the library's own reader."""
    with open(path, "rb") as stream:
        reader = mcap.reader.make_reader(stream, validate_crcs=True)
        messages = {}
        for schema, channel, message in reader.iter_messages():
            assert (schema.encoding, channel.message_encoding) == ("jsonschema", "json")
            shape = json.loads(schema.data)
            value = json.loads(message.data)
            conforms(value, shape)
            messages.setdefault((channel.topic, schema.name), []).append((message.log_time, value))
        attachments = {a.name: a.data for a in reader.iter_attachments()}
        (metadata,) = [m.metadata for m in reader.iter_metadata() if m.name == "sinew"]
    return messages, attachments, metadata


def conforms(value, schema):
    """As much of JSON schema as these use."""
    kind = schema["type"]
    if kind == "object":
        assert isinstance(value, dict) and set(value) == set(schema["properties"])
        for name, part in schema["properties"].items():
            conforms(value[name], part)
    elif kind == "array":
        assert schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", 10**9)
        for part in value:
            conforms(part, schema["items"])
    else:
        types = {"number": (int, float), "string": str, "integer": int}
        assert isinstance(value, types[kind]) and not isinstance(value, bool)


def test_what_foxglove_gets(tmp_path, quiet):
    """States, poses of bodies and joints, at the simulation's time; the model with its hash."""
    import hashlib

    model = load(GYMNASIUM / "ant.xml")
    rows = simulate(model, 100)
    store(tmp_path / "run.npy", rows)
    Recording.from_path(tmp_path / "run.npy").save(tmp_path / "run.mcap", model)
    messages, attachments, metadata = contents(tmp_path / "run.mcap")
    states = messages["/state", "sinew.State"]
    frames = messages["/tf", "foxglove.FrameTransforms"]
    joints = messages["/joint_states", "foxglove.JointStates"]
    assert [state["qpos"] for _, state in states] == rows["qpos"].tolist()
    assert [state["time"] for _, state in states] == rows["time"].tolist()
    assert [clock for clock, _ in states] == np.round(rows["time"] * 1e9).astype(int).tolist()
    data = sinew.Data(model)
    assert model.opt.timestep == 0.01 and len(frames) == len(joints) == 100
    for (clock, transforms), (_, named), row in zip(frames, joints, rows):
        data.qpos[:] = row["qpos"]
        sinew.forward(model, data)
        for i, transform in enumerate(transforms["transforms"], 1):
            stamp = transform["timestamp"]
            assert stamp["sec"] * 10**9 + stamp["nsec"] == clock
            assert transform["parent_frame_id"] == "world"
            assert transform["child_frame_id"] == (model.body(i).name or f"[{i}]")
            place = [transform["translation"][axis] for axis in "xyz"]
            turn = [transform["rotation"][axis] for axis in "wxyz"]
            assert (place == data.xpos[i]).all() and (turn == data.xquat[i]).all()
        assert len(transforms["transforms"]) == model.nbody - 1
        assert [j["name"] for j in named["joints"]] == [model.joint(j).name for j in range(1, 9)]
        assert [j["position"] for j in named["joints"]] == row["qpos"][7:].tolist()
        assert [j["velocity"] for j in named["joints"]] == row["qvel"][6:].tolist()
    assert metadata["version"] == sinew.__version__ and metadata["model"] == "ant"
    assert metadata["model_sha256"] == hashlib.sha256(attachments["model.snb"]).hexdigest()
    assert json.loads(metadata["names"])["ctrl"] == [
        model.actuator(i).name or f"[{i}]" for i in range(8)
    ]


def test_poses_are_for_eyes(tmp_path):
    """At most a hundred a second, whatever the time step is."""
    model = load(SUITE / "acrobot.xml")
    time = np.arange(1000) * 0.001
    Recording(time, {"qpos": np.zeros((1000, 2)), "qvel": np.zeros((1000, 2))}).save(
        tmp_path / "run.mcap", model
    )
    messages, *_ = contents(tmp_path / "run.mcap")
    counts = {topic: len(found) for (topic, _), found in messages.items()}
    assert counts == {"/state": 1000, "/tf": 100, "/joint_states": 100}


def test_odd_names(tmp_path, quiet):
    model = sinew.Model.from_xml(ODD)
    rows = simulate(model, 5)
    store(tmp_path / "run.npy", rows)
    recording = Recording.from_path(tmp_path / "run.npy").fit(model)
    recording.save(tmp_path / "run.mcap")  # without the model: names alone
    for path in ("run.mcap", "again.npy"):
        again = Recording.from_path(tmp_path / "run.mcap")
        again.save(tmp_path / path, *([model] if path == "run.mcap" else []))
        same(Recording.from_path(tmp_path / path), rows)
    messages, attachments, _ = contents(tmp_path / "run.mcap")
    named = {j["name"] for j in messages["/joint_states", "foxglove.JointStates"][0][1]["joints"]}
    assert named == {"é, /0", "[2]"} and set(attachments) == {"model.snb"}
    assert recording.names["qpos"] == ['%r "q"\\'] * 4 + ["é, /0", "[2]"]
    assert Recording.from_path(tmp_path / "run.mcap").names == recording.names


def test_numbers_to_the_bit(tmp_path, quiet):
    """The least, the greatest, zeros of both signs, and what JSON has no word for."""
    tiny, huge = 5e-324, 1.7976931348623157e308
    odd = [0.0, -0.0, tiny, -huge, 1 / 3, 2**53 + 2.0, np.nan, np.inf, -np.inf, 1e16, 1e-5]
    random_bits = np.frombuffer(np.random.default_rng(3).bytes(8000), float)
    values = np.concatenate((odd, random_bits[np.isfinite(random_bits)]))
    recording = Recording(np.arange(len(values)) * 0.1, {"ctrl": values, "sensor/nan": values})
    recording.save(tmp_path / "run.mcap")
    again = Recording.from_path(tmp_path / "run.mcap")
    assert again.ctrl.tobytes() == again.sensors["nan"].tobytes() == values.tobytes()


@pytest.mark.parametrize("start", [-3.5, 0.0, 1e9])
def test_clock(tmp_path, start):
    """What starts before 0 counts from its start; a time that goes back is kept."""
    time = start + np.array([0, 0.25, 0.5, 0.1, 0.35])
    Recording(time, {"qpos": np.zeros(5)}).save(tmp_path / "run.mcap")
    assert (Recording.from_path(tmp_path / "run.mcap").time == time).all()
    with open(tmp_path / "run.mcap", "rb") as stream:
        clocks = [m.log_time for _, _, m in mcap.reader.make_reader(stream).iter_messages()]
    wanted = np.round((time - min(start, 0)) * 1e9).astype(int)
    assert clocks == sorted(wanted.tolist())
    for bad in (np.nan, np.inf, 1e12):
        with pytest.raises(ValueError, match="row 1: the time .* is beyond the clock of an .mcap"):
            Recording([0, bad], {"qpos": [0, 0]}).save(tmp_path / "bad.mcap")
    assert not list(tmp_path.glob("bad*"))


# ---- files that end early


def warned(path, **how):
    """A recording that is not finished, and what is said of it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        recording = Recording.from_path(path, **how)
    (warning,) = caught
    assert str(warning.message).startswith(f"{path}: not finished: ")
    assert recording.unfinished
    rows = "1 row" if len(recording) == 1 else f"{len(recording)} rows"
    assert f"; {rows}" in str(warning.message)
    assert warning.filename == __file__
    return recording


def small(tmp_path, ending):
    """A small recording of a model with sensors, and its rows."""
    model = sinew.Model.from_xml(ODD)
    rows = simulate(model, 6)
    store(tmp_path / "run.npy", rows)
    recording = Recording.from_path(tmp_path / "run.npy").fit(model)
    path = tmp_path / f"run.{ending}"
    if ending == "mcap":
        recording.save(path)
    elif ending == "csv":
        names = [f"{n}/{i}" for n in recording.fields for i in range(recording.width(n))]
        lines = np.concatenate((recording.time[:, None], *recording.fields.values()), 1).tolist()
        head = ",".join('"' + name.replace('"', '""') + '"' for name in ["time", *names])
        path.write_text(head + "\n" + "".join(",".join(map(repr, x)) + "\n" for x in lines))
    return path, rows


@pytest.mark.parametrize("ending", ["npy", "csv", "mcap"])
def test_cut_at_every_length(tmp_path, ending):
    """Either as far as it goes with a warning, or an error that names the file; never more, never other numbers."""
    path, _ = small(tmp_path, ending)
    whole = path.read_bytes()
    complete = Recording.from_path(path)
    cut = tmp_path / f"cut.{ending}"
    counts = []
    for length in range(len(whole)):
        cut.write_bytes(whole[:length])
        lines = ending == "csv" and whole[:length].endswith(b"\n")  # no text says how long it is
        try:
            recording = Recording.from_path(cut) if lines else warned(cut)
        except ValueError as error:
            assert str(error).startswith(str(cut)), error
            assert not counts
            continue
        counts.append(len(recording))
        assert (recording.time == complete.time[: len(recording)]).all()
        for name, values in recording.fields.items():
            assert (values == complete.fields[name][: len(recording)]).all()
    # a chunk of an .mcap is read whole or not
    wanted = {"npy": range(6), "csv": range(6), "mcap": [6]}[ending]
    assert counts == sorted(counts) and set(counts) == set(wanted)


def test_unfinished_npy(tmp_path):
    """The count stands at the start and is written last; NumPy alone shows the rows that it says."""
    path, rows = small(tmp_path, "npy")
    text = path.read_bytes()
    path.write_bytes(text.replace(b"'shape': (6,)", b"'shape': (2,)"))
    assert len(np.load(path)) == 2
    recording = warned(path)
    same(recording, rows)
    assert recording.unfinished == "the header says 2 rows, and the file has more"
    part = tmp_path / "run.npy.part"
    part.write_bytes(text)
    assert "what a run had written" in warned(part).unfinished


def test_cut_mcap_of_many_chunks(tmp_path):
    """All chunks before the end are there."""
    path = tmp_path / "run.mcap"
    numbers = np.random.default_rng(1).normal(size=(3000, 40))
    Recording(np.arange(3000) * 0.001, {"qpos": numbers}).save(path)
    text = path.read_bytes()
    counts = []
    for part in np.linspace(0.2, 1, 9):
        path.write_bytes(text[: int(len(text) * part) - 1])
        recording = warned(path)
        assert (recording.qpos == numbers[: len(recording)]).all()
        counts.append(len(recording))
        # a chunk of 256 KiB holds some 300 rows
        assert len(recording) > 3000 * part - 600
    assert counts[-1] == 3000


def test_damage_in_an_mcap(tmp_path):
    """A flipped bit in a chunk ends the recording there, its checksum tells."""
    path = tmp_path / "run.mcap"
    numbers = np.random.default_rng(1).normal(size=(3000, 40))
    Recording(np.arange(3000) * 0.001, {"qpos": numbers}).save(path)
    text = bytearray(path.read_bytes())
    text[len(text) // 2] ^= 16
    path.write_bytes(text)
    recording = warned(path)
    assert recording.unfinished.startswith("damaged: ") and 1000 < len(recording) < 2000
    assert (recording.qpos == numbers[: len(recording)]).all()


# ---- files that are something else


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "the file is empty"),
        (b"PK\x03\x04abc", "it is a zip archive (.npz?), not a recording; give an .npy, .csv or .mcap"),
        (b"<mujoco/>", "it is a model, not a recording; give an .npy, .csv or .mcap"),
        (b"#ROSBAG V2.0\n", "it is a bag of ROS 1; convert it to .mcap (mcap convert)"),
        (b"abc\0def", "not a recording: neither .npy nor .mcap, and no text for a .csv"),
        (b"a,b\n1,2\n", "1: no column time: the first line of a recording names its columns, time,qpos/JOINT,...; this one is 'a,b'"),
        (b'time,"a\n1,2\n', "1: no line of names of columns: unexpected end of data"),
        (b"time,a,a\n1,2,3\n", "1: two columns are called 'a'"),
        (b"time,a\n1,2\n1,x\n", "3: column 2: not a number: 'x'"),
        (b"time,a\n1,2\n1\n", "3: 1 columns, but the first line has 2"),
        (b"time,a\n1,2,3\n", "2: 3 columns, but the first line has 2"),
        (b"time,a\n1,\xff\n", "2: column 2: not a number: '\\\\xff'"),
        (b"time,a", "1: the first line, of names of columns, has no end"),
        (b"\x89MCAP0\r\n", "no row can be read: the file ends early"),
        (b"\x93NUMPY", "the header of the .npy is cut or damaged"),
        (b"\x93NUMPY\1\0\4\0{}{}", "the header of the .npy is cut or damaged"),
        (b"\x93NUMPY\1\0\xff\xff" + b"(" * 65535, "the header of the .npy is cut or damaged"),
    ],
)  # fmt: skip
def test_wrong_files(tmp_path, text, message):
    path = tmp_path / "run.txt"
    path.write_bytes(text)
    with pytest.raises(ValueError) as error:
        Recording.from_path(path)
    assert str(error.value).removeprefix(f"{path}:").lstrip().startswith(message)


class Trap:
    """What runs a program when it is unpickled."""

    def __reduce__(self):
        return os.system, ("touch unpickled",)


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((3, 2)), "an array of float64 without a field time"),
        (np.zeros(2, [("qpos", "f8")]), "without a field time"),
        (np.zeros((2, 2), [("time", "f8")]), "rows of shape (2, 2), times of ()"),
        (np.zeros(2, [("time", "f8", 2)]), "times of (2,)"),
        (np.zeros(2, [("time", "f8"), ("qpos", "f8", (2, 2))]), "the field 'qpos' is of"),
        (np.zeros(2, [("time", "f8"), ("name", "S3")]), "the field 'name' is of |S3"),
        (np.array([(0, Trap())], [("time", "f8"), ("x", "O")]), "the field 'x' is of object"),
        (np.array([Trap()]), "an array of object without a field time"),
    ],
)
def test_wrong_arrays(tmp_path, monkeypatch, array, message):
    monkeypatch.chdir(tmp_path)
    np.save("run.npy", array, allow_pickle=True)
    with pytest.raises(ValueError) as error:
        Recording.from_path("run.npy")
    assert str(error.value).startswith("run.npy: ") and message in str(error.value)
    assert not os.path.exists("unpickled")


def test_numbers_of_other_kinds(tmp_path, quiet):
    """Floats of other sizes and orders, and whole numbers, of recordings of one's own."""
    kinds = [("time", ">f8"), ("qpos", "f4", 2), ("steps", "i2"), ("flag", "u1")]
    rows = np.array([(0.5, (1.5, 2), -3, 200)], kinds)
    store(tmp_path / "run.npy", rows)
    recording = Recording.from_path(tmp_path / "run.npy")
    assert recording.time.tolist() == [0.5] and recording.qpos.tolist() == [[1.5, 2]]
    assert recording.fields["steps"].tolist() == [[-3]] and recording.fields["flag"][0] == 200


def test_csv_columns(tmp_path, quiet):
    """Names, quotes, line ends, a byte order mark; which columns belong together."""
    path = tmp_path / "run.csv"
    path.write_bytes(
        b'\xef\xbb\xbfqpos/a/0,qpos/a/1,time,qpos/b,"qvel/x, ""y""/0",sensor/s/0,sensor/s/1,'
        b"sensor/t,ctrl/u,reward\r\n1,2,3,4,5,6,7,8,9,1e3\r\n-1, inf ,3,4,5,6,7,nan,9,.5\r\n"
    )
    recording = Recording.from_path(path)
    # two joints: no joint has two coordinates
    assert recording.names == {"qpos": ["a/0", "a/1", "b"], "qvel": ['x, "y"/0'], "ctrl": ["u"]}
    assert recording.time.tolist() == [3, 3] and recording.qpos[1, 1] == np.inf
    assert recording.sensors["s"].tolist() == [[6, 7]] * 2 and np.isnan(
        recording.sensors["t"][1, 0]
    )
    assert recording.fields["reward"].ravel().tolist() == [1000, 0.5]
    path.write_text("time," + ",".join(f"qpos/q/{i}" for i in range(4)) + "\n0,1,2,3,4\n")
    assert Recording.from_path(path).names == {"qpos": ["q"] * 4}


def test_paths(tmp_path):
    with pytest.raises(FileNotFoundError, match="none.npy"):
        Recording.from_path(tmp_path / "none.npy")
    (tmp_path / "run.npy.part").write_bytes(b"")
    with pytest.raises(
        FileNotFoundError, match="run.npy.part is there, what an unfinished run has left"
    ):
        Recording.from_path(tmp_path / "run.npy")
    with pytest.raises(IsADirectoryError):
        Recording.from_path(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        Recording.from_path(tmp_path / "pipe")
    recording = Recording([0, 1], {"qpos": [1, 2]})
    with pytest.raises(ValueError, match="a recording is saved as FILE.npy or FILE.mcap"):
        recording.save(tmp_path / "run.txt")
    for ending in ("npy", "mcap"):
        with pytest.raises(OSError):
            recording.save(tmp_path / f"nowhere/run.{ending}")
        (tmp_path / f"folder.{ending}").mkdir()
        with pytest.raises(OSError, match="it is a folder"):
            recording.save(tmp_path / f"folder.{ending}")


# ---- bytes of anybody


def harmed(text, dice):
    """Bytes with some of them changed, cut out or put in again."""
    text = bytearray(text)
    for _ in range(dice.choice((1, 1, 2, 8))):
        at, n = dice.randrange(len(text)), dice.randrange(1, 40)
        kind = dice.randrange(4)
        if kind == 0:
            text[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            text[at : at + n] = bytes(dice.randrange(256) for _ in range(n))
        elif kind == 2:
            del text[at : at + n]
        else:
            text[at:at] = b"\xff" * min(n, 9)
    return bytes(text) or b"\0"


@pytest.mark.parametrize("ending", ["npy", "csv", "mcap"])
def test_hostile_bytes(tmp_path, ending):
    """A recording or an error that names the file, soon, and within the memory of the file's own size."""
    path, _ = small(tmp_path, ending)
    whole = path.read_bytes()
    dice = random.Random(5)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    with open("/proc/self/statm") as sizes:
        now = int(sizes.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + (1 << 30), hard))
    try:
        for _ in range(1500):
            path.write_bytes(harmed(whole, dice))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RecordingWarning)
                try:
                    recording = Recording.from_path(path)
                    assert all(len(v) == len(recording) for v in recording.fields.values())
                    recording.model()
                except (ValueError, sinew.ModelError) as error:
                    assert str(error)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def written(path, *records, chunked=False):
    """An .mcap of channels with messages: (topic, schema, encoding, schema's encoding, [(time, bytes)])."""
    with open(path, "wb") as stream:
        writer = mcap.writer.Writer(stream, use_chunking=chunked)
        writer.start()
        for topic, schema, encoding, body, messages in records:
            number = writer.register_schema(schema, "jsonschema", body) if schema else 0
            channel = writer.register_channel(topic, encoding, number)
            for time, message in messages:
                if not isinstance(message, bytes):
                    message = json.dumps(message).encode()
                writer.add_message(channel, time, message, time)
        writer.finish()
    return path


STATE = b'{"properties": {"time": {}, "qpos": {"minItems": 2}}}'


@pytest.mark.parametrize(
    "message",
    [
        b"{",
        b"[" * 100_000,
        b"[]",
        {"qpos": [1, 2]},
        {"time": 0, "qpos": [1]},
        {"time": 0, "qpos": [1, 2, 3]},
        {"time": 0, "qpos": [1, "two"]},
        {"time": 0, "qpos": [1, None]},
        {"time": 0, "qpos": [[1, 2]]},
        {"time": 0, "qpos": {"a": 1, "b": 2}},
        {"time": 0, "qpos": [1, 10**400]},
        b'{"time": 0, "qpos": "12"}',
    ],
    ids=lambda message: str(message)[:30],
)
def test_hostile_states(tmp_path, message):
    """Rows before a message that is wrong are there."""
    good = {"time": 0.5, "qpos": [1, "-Infinity"]}
    messages = [(1, good), (2, message), (3, good)]
    path = written(tmp_path / "run.mcap", ("/state", "sinew.State", "json", STATE, messages))
    recording = warned(path)
    assert (
        recording.qpos.tolist() == [[1, -np.inf]] and "damaged: message: " in recording.unfinished
    )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"[]",
        b'{"properties": {"qpos": {}}}',
        b'{"properties": {"qpos": {"minItems": -1}}}',
        b'{"properties": {"qpos": {"minItems": 1e9}}}',
        b'{"properties": {"qpos": {"minItems": 1000000000}}}',
        b'{"properties": {"sensors": 1}}',
    ],
)
def test_hostile_schemas(tmp_path, body):
    path = written(tmp_path / "run.mcap", ("/state", "sinew.State", "json", body, [(1, b"{}")]))
    with pytest.raises(ValueError, match="no row can be read: damaged: channel"):
        Recording.from_path(path)


def test_a_chunk_that_explodes(tmp_path):
    """Some bytes that unpack to gigabytes."""
    import zstandard

    packed = zstandard.ZstdCompressor().compress(b"\0" * (1 << 29))
    head = struct.pack("<QQQII", 0, 0, 1 << 29, 0, 4) + b"zstd" + struct.pack("<Q", len(packed))
    chunk = head + packed
    start = b"\x89MCAP0\r\n" + b"\1" + struct.pack("<QII", 8, 0, 0)
    for size in (1 << 29, 100):
        chunk = chunk[:16] + struct.pack("<Q", size) + chunk[24:]
        (tmp_path / "run.mcap").write_bytes(start + b"\6" + struct.pack("<Q", len(chunk)) + chunk)
        with pytest.raises(
            ValueError, match="no row can be read: damaged: a chunk of 536870912 bytes"
        ):
            Recording.from_path(tmp_path / "run.mcap")


# ---- recordings of other programs

ARM = """
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body><joint name="lift" type="slide"/><geom size="0.1"/>
      <body><joint name="elbow" ref="0.25"/><geom size="0.1"/>
        <body><joint name="wrist" type="ball"/><geom size="0.1"/></body>
        <body><joint name="finger"/><geom size="0.1"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def cdr(names, position, velocity, order="<"):
    """sensor_msgs/msg/JointState as ROS 2 sends it."""
    out = io.BytesIO()

    def number(kind, *values):
        size = struct.calcsize(kind)
        for value in values:
            out.write(b"\0" * (-out.tell() % size) + struct.pack(order + kind, value))

    def text(word):
        number("I", len(word.encode()) + 1)
        out.write(word.encode() + b"\0")

    number("I", 3, 5)
    text("base")
    number("I", len(names))
    for name in names:
        text(name)
    for values in (position, velocity, []):
        number("I", len(values))
        number("d", *values)
    return bytes([0, order == "<", 0, 0]) + out.getvalue()


def messages_of(kind):
    """Three messages about joints, the second about some of them, in a form; and their schema."""
    rows = [
        (["lift", "elbow"], [1, 2], [3, 4]),
        (["elbow"], [5], []),
        (["elbow", "lift"], [6, 7], [8, 9]),
    ]
    if kind == "arrays":
        made = [{"header": {}, "name": n, "position": p, "velocity": v} for n, p, v in rows]
        return "sensor_msgs/JointState", "json", made
    if kind == "objects":
        made = [
            {"joints": [{"name": x, "position": y} | ({"velocity": v[i]} if v else {}) for i, (x, y) in enumerate(zip(n, p))]}
            for n, p, v in rows
        ]  # fmt: skip
        return "foxglove.JointStates", "json", made
    order = "<" if kind == "cdr" else ">"
    return "sensor_msgs/msg/JointState", "cdr", [cdr(*row, order) for row in rows]


@pytest.mark.parametrize("kind", ["arrays", "objects", "cdr", "cdr of another order"])
@pytest.mark.parametrize("chunked", [False, True])
def test_joints_of_others(tmp_path, kind, chunked, quiet):
    """By name into the state; what was not heard of is as in qpos0; the clock starts at 0."""
    schema, encoding, made = messages_of(kind)
    start = 1_700_000_000_000_000_000
    messages = list(zip((start, start + 10**9, start + 3 * 10**9), made))
    other = ("/camera", "sensor_msgs/Image", "cdr", b"", [(1, b"...")])
    path = written(
        tmp_path / "bag.mcap", other, ("/joints", schema, encoding, b"", messages), chunked=chunked
    )
    recording = Recording.from_path(path)
    assert recording.time.tolist() == [0, 1, 3]
    assert recording.names["position"] == ["lift", "elbow"]
    assert recording.fields["position"].tolist() == [[1, 2], [1, 5], [7, 6]]
    model = sinew.Model.from_xml(ARM)
    fitted = recording.fit(model)
    assert fitted.qpos[:, :2].tolist() == [[1, 2], [1, 5], [7, 6]]
    assert (fitted.qpos[:, 2:] == model.qpos0[2:]).all()
    velocities = [[3, 4], [3, 4], [9, 8]]
    if kind == "objects":  # a message says of each joint what it knows
        velocities[1][1] = 0
    assert fitted.qvel[:, :2].tolist() == velocities and not fitted.qvel[:, 2:].any()
    fitted.save(tmp_path / "run.mcap", model)
    assert (Recording.from_path(tmp_path / "run.mcap").qpos == fitted.qpos).all()


def test_joints_that_the_model_has_not(tmp_path):
    state = {"name": ["lift", "thumb"], "position": [1, 2]}
    path = written(tmp_path / "bag.mcap", ("/joints", "JointState", "json", b"", [(1, state)]))
    model = sinew.Model.from_xml(ARM)
    with pytest.warns(RecordingWarning, match="bag.mcap: the model has no joint 'thumb'"):
        assert Recording.from_path(path).fit(model).qpos[0, :2].tolist() == [1, 0.25]
    for names, message in (
        (["thumb"], "does not fit the model: it has no joint of the recording's, 'thumb'"),
        (["lift", "wrist"], "joint 'wrist' has one number, the model's is a free or a ball joint"),
    ):
        state = {"name": names, "position": [1] * len(names)}
        written(path, ("/joints", "JointState", "json", b"", [(1, state)]))
        with pytest.raises(ValueError, match=message):
            Recording.from_path(path).fit(model)


def test_topics(tmp_path):
    state = {"name": ["lift"], "position": [1]}
    left, right = (
        ("/" + side, "JointState", "json", b"", [(1, state)]) for side in ("left", "right")
    )
    silent = ("/silent", "JointState", "json", b"", [])
    path = written(tmp_path / "bag.mcap", left, right, silent)
    with pytest.raises(
        ValueError,
        match="several topics have states of joints, /left, /right: say which topic to read",
    ):
        Recording.from_path(path)
    assert Recording.from_path(path, topic="/left").fields["position"].tolist() == [[1]]
    with pytest.raises(
        ValueError,
        match="no states of joints on topic '/up'.*its topics are /left .JointState, json.",
    ):
        Recording.from_path(path, topic="/up")
    written(
        path,
        ("/image", "sensor_msgs/Image", "ros1", b"", [(1, b"1")]),
        ("/raw", "", "json", b"", []),
    )
    with pytest.raises(
        ValueError,
        match="no states of Sinew's and no states of joints .*/image .sensor_msgs/Image, ros1., /raw .no schema, json.",
    ):
        Recording.from_path(path)
    np.save(tmp_path / "run.npy", np.zeros(2, [("time", "f8")]))
    with pytest.raises(ValueError, match="it has no topics, as it is no .mcap"):
        Recording.from_path(tmp_path / "run.npy", topic="/left")


@pytest.mark.parametrize(
    ("encoding", "message", "words"),
    [
        ("json", {"name": ["a"], "position": []}, "1 names, 0 positions, 0 velocities"),
        ("json", {"name": [1], "position": [1]}, "a joint called 1"),
        ("json", {"name": "ab"}, "position"),
        ("cdr", b"", "not the plain CDR"),
        ("cdr", b"\0\1\0\0" + b"\xff" * 40, "the message ends early"),
        ("cdr", cdr(["a"], [1], [])[:-20], "the message ends early"),
        ("cdr", cdr(["a"] * 9, [], []), "9 names, 0 positions"),
    ],
)  # fmt: skip
def test_hostile_joints(tmp_path, encoding, message, words):
    path = written(
        tmp_path / "bag.mcap", ("/joints", "x/JointState", encoding, b"", [(1, message)])
    )
    with pytest.raises(ValueError, match=f"no row can be read: damaged: message: .*{words}"):
        Recording.from_path(path)


# ---- models that do not fit


def test_what_does_not_fit(tmp_path):
    """All of it, in the order of the state."""
    model = sinew.Model.from_xml(ODD)
    rows = simulate(model, 3)
    store(tmp_path / "run.npy", rows)
    recording = Recording.from_path(tmp_path / "run.npy")
    ant = load(GYMNASIUM / "ant.xml")
    with pytest.raises(ValueError) as error:
        recording.fit(ant)
    assert str(error.value) == (
        f"{tmp_path}/run.npy does not fit the model: qpos has 6 numbers, the model 15 (nq); "
        "qvel has 5 numbers, the model 14 (nv); ctrl has 2 numbers, the model 8 (nu)"
    )
    named = recording.fit(model)
    other = sinew.Model.from_xml(ODD.replace("é, /0", "e").replace("framequat", "frameangvel"))
    recording.fit(other.__class__.from_xml(ODD.replace("é, /0", "e")))  # an .npy has no names
    with pytest.raises(ValueError) as error:
        named.fit(other)
    assert str(error.value).endswith(
        "does not fit the model: qpos[4] is of 'é, /0', in the model of 'e'; qvel[3] is of 'é, /0', in the model of 'e'; "
        "sensor/日本 _%(x)s has 4 numbers, the model's 3"
    )
    with pytest.raises(
        ValueError, match="the recording does not fit the model: qpos has 0 numbers"
    ):
        Recording([0.0], {"ctrl": [[1.0, 2.0]]}).fit(model)
    partial = Recording([0.0], {"qpos": rows["qpos"][:1]}).fit(model)
    assert partial.ctrl.shape == (1, 0) and list(partial.names) == ["qpos"]


def test_arrays_of_ones_own():
    with pytest.raises(ValueError, match=r"qpos has shape \(3,\); \(2, k\) is wanted"):
        Recording([0, 1], {"qpos": [1, 2, 3]})
    with pytest.raises(ValueError, match="time has 2 dimensions"):
        Recording([[0, 1]], {})
    with pytest.raises(ValueError, match="1 names for the 2 numbers of qpos"):
        Recording([0], {"qpos": [[1, 2]]}, {"qpos": ["a"]})
    recording = Recording([0, 1], {"qpos": [1, 2]})
    assert len(recording) == 2 and recording.qpos.shape == (2, 1) and recording.act.shape == (2, 0)
    assert recording.model() is None and not recording.sensors
    assert repr(recording) == "<sinew.Recording '': 2 rows of qpos 1>"


def test_the_model_inside(tmp_path):
    """Of another version its source is read; without one it says so."""
    model = load(SUITE / "acrobot.xml")
    recording = Recording([0], {"qpos": np.zeros((1, 2))})
    recording.save(tmp_path / "run.mcap", model)
    inside = Recording.from_path(tmp_path / "run.mcap")
    packed, _ = inside._model
    inside._model = (packed[:-1], "")
    with pytest.raises(sinew.ModelError):
        inside.model()
    inside._model = (
        packed[:-1],
        "<mujoco><worldbody><body><geom size='1'/></body></worldbody></mujoco>",
    )
    assert inside.model().nbody == 2


# ---- what is not there


def test_without_mcap(tmp_path, monkeypatch):
    """The line that installs it; nothing is left of the file."""
    Recording([0], {"qpos": [1]}).save(tmp_path / "run.mcap")
    for name in [name for name in sys.modules if name.split(".")[0] == "mcap"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcap", None)
    for call in (
        lambda: Recording.from_path(tmp_path / "run.mcap"),
        lambda: Recording([0], {"qpos": [1]}).save(tmp_path / "new.mcap"),
    ):
        with pytest.raises(ImportError) as error:
            call()
        assert "the package mcap" in str(error.value)
        assert f"{sys.executable} -m pip install" in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["run.mcap"]


def test_import_is_light():
    """Neither matplotlib nor mcap come with `import sinew`."""
    code = "import sys, sinew; print({'mcap', 'matplotlib', 'csv'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


@pytest.mark.parametrize("ending", ["npy", "mcap"])
def test_full_disk(tmp_path, ending):
    """A limit on file size stands in for it: the old file unharmed, nothing left."""
    code = f"""
import resource, sys, numpy as np, sinew
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
numbers = np.random.default_rng(1).normal(size=(5000, 50))
try:
    sinew.Recording(np.arange(5000.0), {{"qpos": numbers}}).save("run.{ending}")
except OSError as error:
    print(error)
"""
    (tmp_path / f"run.{ending}").write_text("old")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert "File too large" in done.stdout and f"run.{ending}" in done.stdout
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_large_recordings_need_little(tmp_path):
    """200,000 rows of 50 numbers, 80 MB, to .mcap and back within 400 MB beside the package's own."""
    code = """
import resource, numpy as np, sinew
import mcap.writer
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
n = 200_000
numbers = np.tile(np.arange(50.0), (n, 1))
sinew.Recording(np.arange(n) * 0.001, {"qpos": numbers}).save("run.mcap")
wrote = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
del numbers
assert len(sinew.Recording.from_path("run.mcap")) == n
read = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(wrote - base, read - base)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    wrote, read = (int(word) / 1024 for word in done.stdout.split())
    # 80 MB are the numbers; reading has them twice at its end
    assert wrote < 180 and read < 400
