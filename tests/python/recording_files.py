"""Recordings for tests: models, rows as the command writes them, files of all kinds."""

import json
import warnings

import mcap.reader
import mcap.writer
import numpy as np

import sinew
from models import folder
from protobuf_messages import Schema
from sinew import Recording

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


def contents(path):
    """Messages by topic, attachments, metadata: by the library's own reader, and by the schemas in the file."""
    with open(path, "rb") as stream:
        reader = mcap.reader.make_reader(stream, validate_crcs=True)
        messages, schemas = {}, {}
        for schema, channel, message in reader.iter_messages():
            assert (schema.encoding, channel.message_encoding) == ("protobuf", "protobuf")
            if schema.id not in schemas:
                schemas[schema.id] = Schema(schema.data)
            value = schemas[schema.id].decode(schema.name, message.data)
            messages.setdefault((channel.topic, schema.name), []).append((message.log_time, value))
        attachments = {a.name: a.data for a in reader.iter_attachments()}
        (metadata,) = [m.metadata for m in reader.iter_metadata() if m.name == "sinew"]
    return messages, attachments, metadata
