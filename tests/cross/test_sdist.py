"""The source distribution brings the sources of libraries: it is installed where there is a C compiler and nothing else."""

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.skipif(not os.environ.get("SINEW_LONG"), reason="SINEW_LONG asks for it: minutes"),
    pytest.mark.skipif(sys.platform != "linux", reason="GCC and what it calls, by name"),
]
COMPILER = "cc gcc ld as ar ranlib nm objcopy objdump strip sh uname ldd env".split()
# What is packed is not what is fast: one width of lanes, one kind of processor, nothing across files.
QUICK = "-DSINEW_LTO=OFF -DSINEW_LANE_WIDTHS= -DSINEW_TARGETS=OFF"


def test_with_a_compiler_alone(tmp_path):
    make = "import sys; from scikit_build_core import build; build.build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", make, tmp_path], cwd=ROOT, check=True)
    (sdist,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = archive.getnames()
    assert any(
        name.endswith("/build/thirdparty/source/expat/expat/lib/xmlparse.c") for name in names
    )
    (tmp_path / "tools").mkdir()
    for name in COMPILER:
        (tmp_path / "tools" / name).symlink_to(shutil.which(name))
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "bare"], check=True)
    here = tmp_path / "bare/bin"
    path = f"{here}{os.pathsep}{tmp_path / 'tools'}"
    environment = {"PATH": path, "HOME": str(tmp_path), "CMAKE_ARGS": QUICK}

    def run(*command):
        done = subprocess.run(
            command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout

    run(here / "python", "-m", "pip", "install", "--no-cache-dir", sdist)
    assert "warnings    none" in run(here / "sinew", "simulate", "--seconds", "1")
    run(here / "python", "-c", "import sinew; sinew.Data(sinew.Model.from_xml('<mujoco/>'))")
