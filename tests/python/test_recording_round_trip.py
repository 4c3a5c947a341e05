"""Recordings: files to arrays and back, to the bit."""

import mcap.reader
import numpy as np
import pytest

import sinew
from recording_files import MODELS, ODD, contents, load, same, simulate, store
from sinew import Recording


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
    assert named == {"é, /0", "[2]"} and set(attachments) == {"model.snb.zst"}
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
