"""Recordings and the machine: packages that are missing, a full disk, memory."""

import subprocess
import sys

import pytest

from sinew import Recording


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
