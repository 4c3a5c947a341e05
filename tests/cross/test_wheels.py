"""Wheels: what is in them and what they may want; the one of this machine in an environment without a compiler."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
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


def test_a_file_that_says_where_it_was_built(tmp_path):
    file = tmp_path / "sinew"
    file.write_bytes(b"\x7fELF\0/home/a/sinew\0")
    wheels.check_folders(file, [pathlib.PurePosixPath("/home/b")])
    with pytest.raises(wheels.Failure, match="has /home/a in it, where it was built"):
        wheels.check_folders(file, [pathlib.PurePosixPath("/home/a")])


@pytest.mark.skipif(sys.platform != "linux", reason="a library of Linux")
def test_a_wheel_that_wants_the_libraries_of_this_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(wheels, "ROOT", tmp_path)
    (tmp_path / "a.c").write_text(
        "#include <png.h>\nint a(void) { return (int)png_access_version_number(); }\n"
    )
    library = tmp_path / "_core.abi3.so"
    command = ["cc", "-shared", "-fPIC", "a.c", "-o", library, "-lpng"]
    subprocess.run(command, cwd=tmp_path, check=True)
    files = {
        "sinew/_core.abi3.so": library.read_bytes(),
        "x-1.dist-info/METADATA": b"Metadata-Version: 2.1\nName: x\nVersion: 1\n",
        "x-1.dist-info/WHEEL": b"Wheel-Version: 1.0\nGenerator: x\nRoot-Is-Purelib: false\n"
        b"Tag: cp311-abi3-linux_x86_64\n",
    }
    wheel = tmp_path / "x-1-cp311-abi3-linux_x86_64.whl"
    wheels.pack(files, "x-1.dist-info", wheel)
    with pytest.raises(wheels.Failure, match=r"libpng16\.so\.16"):
        wheels.check_repair("x", wheel)


def made(name):
    """The wheel of a target."""
    command = [sys.executable, ROOT / "tools/wheels.py", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout + done.stderr
    return ROOT / done.stdout.split()[0]


@pytest.fixture(scope="module")
def wheel():
    """The wheel of this machine."""
    if os.uname().machine != "x86_64":
        pytest.skip("wheels are tested on x86-64")
    return made("linux-x86_64")


def interpreter(version):
    """A Python of that version, on the PATH or pyenv's."""
    found = shutil.which(f"python{version}")
    of_pyenv = sorted((pathlib.Path.home() / ".pyenv/versions").glob(f"{version}.*/bin/python"))
    if f"{sys.version_info[0]}.{sys.version_info[1]}" == version:
        return sys.executable
    if found and not subprocess.run([found, "-V"], capture_output=True, check=False).returncode:
        return found
    return of_pyenv[-1] if of_pyenv else pytest.skip(f"no Python {version} here")


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
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13"])
def test_without_a_compiler(wheel, tmp_path, version):
    """Installed into a bare environment: the command, and a slice of the tests."""
    python = interpreter(version)
    subprocess.run([python, "-m", "venv", tmp_path / "bare"], check=True)
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
    ask = "import sinew, sys; print(sinew.__file__, sinew.__cpu__, sys.version)"
    where = run(here / "python", "-c", ask)
    assert str(tmp_path) in where and version in where.split()[2]
    tests = [ROOT / "tests/python" / name for name in SLICE]
    said = run(here / "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, cwd=ROOT)
    assert "passed" in said.splitlines()[-1], said


# Prints all of qpos after 500 steps, as a hash, and the machine.
STEPS = """
import hashlib, platform, sys
import numpy, sinew
for path in sys.argv[1:]:
    m = sinew.Model.from_path(path)
    d = sinew.Data(m)
    d.ctrl[:] = numpy.linspace(-0.1, 0.1, m.nu)
    sinew.step(m, d, nstep=500)
    print(hashlib.sha256(d.qpos.tobytes()).hexdigest())
print(platform.machine(), file=sys.stderr)
"""


@long
def test_on_arm64(wheel, tmp_path):
    """In Debian's Python under an emulator the wheel for ARM64 comes to the bits of that for x86-64."""
    root, qemu = ROOT / "build/arm64-python", shutil.which("qemu-aarch64")
    if not qemu or not (root / "whole").exists():
        pytest.skip("no qemu-aarch64, or no Python of ARM64: ./dev cross gets both")
    models = [
        ROOT / f"examples/models/{n}.xml" for n in ("humanoid", "soft_gripper", "cassie_legs")
    ]
    numpy = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
    for tag in ("manylinux_2_28_aarch64", "manylinux_2_27_aarch64"):
        numpy += ["--platform", tag]
    command = [*numpy, "--python-version", "3.11", "-d", tmp_path / "downloads", "numpy"]
    subprocess.run(command, check=True)
    sites = {"here": [wheel], "there": [made("linux-arm64"), *(tmp_path / "downloads").iterdir()]}
    for site, parts in sites.items():
        for part in parts:
            with zipfile.ZipFile(part) as archive:
                archive.extractall(tmp_path / site)
    pythons = {"here": [sys.executable], "there": [qemu, "-L", root, root / "usr/bin/python3.11"]}
    said = {}
    for site, python in pythons.items():
        environment = {**os.environ, "PYTHONPATH": str(tmp_path / site)}
        command = list(map(str, [*python, "-P", "-c", STEPS, *models]))
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stderr
        said[site] = (done.stdout, done.stderr.split()[-1])
    assert said["there"][1] == "aarch64"
    assert said["here"][0] == said["there"][0] and len(said["here"][0].split()) == len(models)
