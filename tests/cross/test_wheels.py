"""Wheels: what is in them and what they may want; the one of this machine in an environment without a compiler."""

import json
import os
import pathlib
import subprocess
import sys
import venv
import zipfile

import pytest
import wheels

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Those that need NumPy alone.
SLICE = """test_arena.py test_batch_steps.py test_binary.py test_copies.py test_derivative_steps.py test_discrete_steps.py
test_errors.py""".split()
long = pytest.mark.skipif(not os.environ.get("SINEW_LONG"), reason="SINEW_LONG asks for wheels")


def test_the_same_files_make_the_same_bytes(tmp_path):
    files = {
        "sinew/a.py": b"a = 1\n",
        "x-1.dist-info/WHEEL": b"w\n",
        "x-1.data/scripts/sinew": b"#",
    }
    for name in ("first.whl", "second.whl"):
        wheels.pack(
            dict(reversed(files.items())) if name[0] == "s" else files,
            "x-1.dist-info",
            tmp_path / name,
        )
    assert (tmp_path / "first.whl").read_bytes() == (tmp_path / "second.whl").read_bytes()
    with zipfile.ZipFile(tmp_path / "first.whl") as wheel:
        assert wheel.namelist()[-1] == "x-1.dist-info/RECORD"
        record = wheel.read("x-1.dist-info/RECORD").decode()
        assert "sinew/a.py,sha256=" in record and ",6\n" in record
        assert wheel.getinfo("x-1.data/scripts/sinew").external_attr >> 16 & 0o111


@pytest.mark.parametrize(
    "wanted, newest, what",
    [
        ({"libc.so.6", "libpng16.so.16"}, (2, 17), "wants libpng16.so.16, which no system needs"),
        ({"libc.so.6"}, (2, 34), "asks for GLIBC_2.34: manylinux_2_28_x86_64 has 2.28"),
    ],
)
def test_what_a_wheel_may_not_want(monkeypatch, wanted, newest, what):
    monkeypatch.setattr(wheels, "needed_by_elf", lambda path: (wanted, newest))
    with pytest.raises(wheels.Failure, match=what):
        wheels.check_imports("linux-x86_64", pathlib.Path("_core.abi3.so"))


@pytest.fixture(scope="module")
def wheel():
    """The wheel of this machine."""
    if os.uname().machine != "x86_64":
        pytest.skip("wheels are tested on x86-64")
    command = [sys.executable, ROOT / "tools/wheels.py", "linux-x86_64"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout + done.stderr
    return ROOT / done.stdout.split()[0]


@long
def test_what_is_inside(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (info,) = {name.split("/")[0] for name in names if ".dist-info/" in name}
        bill = json.loads(archive.read(f"{info}/sboms/sinew.cdx.json"))
    listed = {component["name"] for component in bill["components"]}
    licensed = {
        name.split("/")[2] for name in names if "/licenses/" in name and name.count("/") == 3
    }
    assert listed == licensed == {"expat", "qhull", "zlib", "libpng", "cjson", "amd"}
    for name in ("sinew/__init__.pyi", "sinew/_core.pyi", "sinew/_viewer/page/index.html"):
        assert name in names
    assert not [name for name in names if name.endswith(".pyc")]


@long
def test_without_a_compiler(wheel, tmp_path):
    """Installed into a bare environment: the command, and a slice of the tests."""
    venv.create(tmp_path / "bare", with_pip=True)
    here = tmp_path / "bare/bin"
    environment = {"PATH": str(here), "HOME": str(tmp_path), "SINEW_BUILD": "none"}

    def run(*command, cwd=tmp_path):
        done = subprocess.run(
            list(map(str, command)),
            capture_output=True,
            text=True,
            env=environment,
            cwd=cwd,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
        return done.stdout

    run(here / "python", "-m", "pip", "install", "--only-binary", ":all:", "numpy", "pytest", wheel)
    assert "warnings    none" in run(here / "sinew", "simulate", "--seconds", "1")
    where = run(here / "python", "-c", "import sinew; print(sinew.__file__, sinew.__cpu__)")
    assert str(tmp_path) in where
    tests = [ROOT / "tests/python" / name for name in SLICE]
    said = run(here / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, cwd=ROOT)
    assert "passed" in said.splitlines()[-1], said
