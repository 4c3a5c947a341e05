"""Recordings as older and newer versions of Sinew write them."""

import json

import mcap.writer
import numpy as np
import pytest

import sinew
from recording_files import SUITE, load, same, simulate, store
from sinew import Recording, _core

NUMBER = {"type": "number"}


def array(count):
    return {"type": "array", "items": NUMBER, "minItems": count, "maxItems": count}


def write_format_1(path, rows, model):
    """States in JSON with a JSON schema, what is not finite as a text, the model as it is."""
    words = {np.inf: "Infinity", -np.inf: "-Infinity"}
    own = [n for n in rows.dtype.names if n != "time" and not n.startswith("sensor/")]
    sensors = [n for n in rows.dtype.names if n.startswith("sensor/")]
    width = {n: max(1, int(np.prod(rows.dtype[n].shape))) for n in rows.dtype.names}
    inner = {n.removeprefix("sensor/"): array(width[n]) for n in sensors}
    properties = {"time": NUMBER, **{n: array(width[n]) for n in own}}
    properties["sensors"] = {"type": "object", "properties": inner}
    schema = {"type": "object", "properties": properties}

    def listed(values):
        return [words.get(v, "NaN" if v != v else v) for v in np.ravel(values).tolist()]

    with open(path, "wb") as stream:
        writer = mcap.writer.Writer(stream)
        writer.start(library="sinew 0.1.0")
        writer.add_attachment(
            0, 0, "model.snb", "application/x-sinew-model", _core.packModel(model)
        )
        writer.add_metadata("sinew", {"version": "0.1.0", "names": json.dumps({"ctrl": ["a"]})})
        number = writer.register_schema("sinew.State", "jsonschema", json.dumps(schema).encode())
        channel = writer.register_channel("/state", "json", number)
        for row in rows:
            state = {"time": float(row["time"]), **{n: listed(row[n]) for n in own}}
            state["sensors"] = {n.removeprefix("sensor/"): listed(row[n]) for n in sensors}
            clock = round(state["time"] * 1e9)
            writer.add_message(channel, clock, json.dumps(state).encode(), clock)
        writer.finish()


def test_format_1(tmp_path, quiet):
    """All is read as before, without what was not recorded then; saved again it is of the new one."""
    model = load(SUITE / "hopper.xml")
    rows = simulate(model)
    rows["qvel"][3, :3] = np.nan, np.inf, -np.inf
    write_format_1(tmp_path / "old.mcap", rows, model)
    recording = Recording.from_path(tmp_path / "old.mcap")
    same(recording, rows)
    assert (recording.model().body_mass == model.body_mass).all()
    recording.save(tmp_path / "new.mcap")
    again = Recording.from_path(tmp_path / "new.mcap")
    same(again, rows)
    assert (again.model().body_mass == model.body_mass).all()
    old, new = ((tmp_path / name).stat().st_size for name in ("old.mcap", "new.mcap"))
    assert new < old / 5  # the sky


def test_npy_of_older_versions(tmp_path, quiet):
    """Rows without poses of mocap bodies, and where the solver starts, fit the model."""
    model = load(SUITE / "hopper.xml")
    rows = simulate(model)
    store(tmp_path / "old.npy", rows)
    recording = Recording.from_path(tmp_path / "old.npy").fit(model)
    assert recording.mocap_pos.shape == (len(rows), 0) and "qacc_warmstart" not in recording.fields


def test_a_newer_format(tmp_path):
    """It is refused with the reason, not read as something else."""
    path = tmp_path / "run.mcap"
    with open(path, "wb") as stream:
        writer = mcap.writer.Writer(stream)
        writer.start()
        writer.add_metadata("sinew", {"format": "7"})
        number = writer.register_schema("sinew.State", "other", b"")
        writer.add_message(writer.register_channel("/state", "other", number), 0, b"...", 0)
        writer.finish()
    with pytest.raises(ValueError) as error:
        Recording.from_path(path)
    assert str(error.value) == (
        f"{path}: its states are of format 7, and this version of Sinew reads up to 2: a newer one reads it"
    )


def test_fields_of_any_name(tmp_path, quiet):
    """Names that are no words, or differ in nothing but what words lack, and an order of one's own."""
    names = [
        "a b",
        "a_b",
        "A-B",
        "日本",
        "",
        "9",
        "sensor/x y",
        "qpos",
        "sensor/x-y",
        "sensor/[2]",
        "t",
    ]
    rows = np.random.default_rng(4).normal(size=(7, len(names), 2))
    fields = {name: rows[:, i] for i, name in enumerate(names)}
    Recording(np.arange(7.0), fields).save(tmp_path / "run.mcap")
    again = Recording.from_path(tmp_path / "run.mcap")
    assert list(again.fields) == names
    assert all((again.fields[name] == fields[name]).all() for name in names)
    for name in ("time", "sensors"):
        with pytest.raises(ValueError, match=f"something else under the name {name}"):
            Recording([0.0], {name: [1.0]}).save(tmp_path / "bad.mcap")


def test_rows_of_too_many_numbers(tmp_path):
    """Of an .mcap, whose readers unpack a row at a time."""
    wide = Recording([0.0], {"qpos": np.zeros((1, 1 << 20))})
    with pytest.raises(ValueError, match="a row of 1048577 numbers; an .mcap has at most 1048576"):
        wide.save(tmp_path / "run.mcap")
    wide.save(tmp_path / "run.npy")
    assert not (tmp_path / "run.mcap").exists() and sinew.Recording.from_path(tmp_path / "run.npy")
