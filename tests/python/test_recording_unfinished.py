"""Recordings that end early."""

import numpy as np
import pytest

from recording_files import same, small, warned
from sinew import Recording


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
    numbers = np.random.default_rng(1).normal(size=(10000, 40))
    Recording(np.arange(10000) * 0.001, {"qpos": numbers}).save(path)
    text = path.read_bytes()
    counts = []
    for part in np.linspace(0.2, 1, 9):
        path.write_bytes(text[: int(len(text) * part) - 1])
        recording = warned(path)
        assert (recording.qpos == numbers[: len(recording)]).all()
        counts.append(len(recording))
        # a chunk of 256 KiB holds some 750 rows
        assert len(recording) > 10000 * part - 1600
    assert counts[-1] == 10000


def test_damage_in_an_mcap(tmp_path):
    """A flipped bit in a chunk ends the recording there, its checksum tells."""
    path = tmp_path / "run.mcap"
    numbers = np.random.default_rng(1).normal(size=(10000, 40))
    Recording(np.arange(10000) * 0.001, {"qpos": numbers}).save(path)
    text = bytearray(path.read_bytes())
    text[len(text) // 2] ^= 16
    path.write_bytes(text)
    recording = warned(path)
    assert recording.unfinished.startswith("damaged: ") and 3000 < len(recording) < 7000
    assert (recording.qpos == numbers[: len(recording)]).all()
