"""Files that are no recordings, and paths where there is none."""

import os

import numpy as np
import pytest

from sinew import Recording


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


def test_many_columns(tmp_path):
    """In time that grows with their number: by its square this would take three minutes."""
    names = [f"c{k}" for k in range(200_000)]
    path = tmp_path / "run.csv"
    path.write_text(",".join(["time", *names]) + "\n" + ",".join(["0"] * 200_001) + "\n")
    assert len(Recording.from_path(path).fields) == 200_000


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
