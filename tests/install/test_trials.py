"""What goes wrong with installations: an error that says what to do, and nothing that leaks.

A library that is opened and closed a thousand times, two versions of it in one process, a processor that it was not built
for, an extension that is cut off, a library that is missing.
"""

import os
import pathlib
import re
import shutil
import sys

import pytest
from commands import run
from project_version import VERSION

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SINEW_BUILD", ROOT / "build/release"))
TRIALS = ROOT / "tests/install/trials"
MODEL = ROOT / "examples/models/humanoid.xml"
WARNINGS = ["-Wall", "-Wextra", "-Werror"]
linux = pytest.mark.skipif(sys.platform != "linux", reason="asks /proc, and names with versions")


def compiled(folder, name, *flags):
    """A program of this folder."""
    program = folder / name
    run("cc", *WARNINGS, f"-I{ROOT / 'include'}", TRIALS / f"{name}.c", "-o", program, *flags)
    return program


@linux
def test_opened_and_closed_a_thousand_times(tmp_path):
    """Memory, address space, threads, files, keys: what there was after ten times is what there is after a thousand."""
    program = compiled(tmp_path, "open_and_close", "-ldl", "-pthread")
    said = run(program, BUILD / "libsinew.so", MODEL, 1000, cwd=tmp_path).splitlines()
    first, last = (dict(re.findall(r"(\w+) (\d+)", line)) for line in said)
    assert last["there"] == "0"
    # kB; an allocator keeps a little here or there, a thousand libraries would be gigabytes
    for name in ("resident", "space"):
        assert int(last.pop(name)) <= int(first.pop(name)) + 1024
    assert last == first


@linux
def test_two_versions_in_one_process(tmp_path):
    """A program has this one, and loads a library that was linked with another: each calls its own, inside, too."""
    prefix = tmp_path / "installed"
    run("cmake", "--install", BUILD, "--prefix", prefix)
    (folder,) = {path.parent for path in prefix.rglob("libsinew.a")}
    query = {**os.environ, "PKG_CONFIG_PATH": str(folder / "pkgconfig")}
    parts = run("pkg-config", "--libs", "sinew-static", env=query).split()
    whole = ["-Wl,--whole-archive", parts[0], "-Wl,--no-whole-archive", *parts[1:]]
    map_ = tmp_path / "elder.map"
    map_.write_text("SINEW_0.1 { global: sn_*; snv_*; local: *; };\n")
    elder = tmp_path / "libsinew.so.0.1"
    named = ["-Wl,-soname,libsinew.so.0.1", f"-Wl,--version-script={map_}", "-Wl,-Bsymbolic"]
    build = ["-shared", "-fPIC", f"-I{ROOT / 'include'}"]
    run("cc", *build, "-Wl,-z,muldefs", TRIALS / "elder.c", *whole, *named, "-o", elder)
    user, here = tmp_path / "libuser.so", f"-Wl,-rpath,{tmp_path}"
    run("cc", *WARNINGS, *build, TRIALS / "elder_user.c", elder, here, "-o", user)
    there = f"-Wl,-rpath,{folder}"
    program = compiled(tmp_path, "newer_program", folder / "libsinew.so", there, "-ldl")
    rows = [line.split() for line in run(program, user, MODEL).splitlines()]
    assert [row[:3] for row in rows] == [
        ["program", VERSION, VERSION],
        ["library", "0.1.0", "0.1.0"],
        ["program", VERSION, VERSION],
    ]
    assert len({row[3] for row in rows}) == 1


@pytest.mark.skipif(not shutil.which("qemu-x86_64-static"), reason="no qemu-x86_64-static")
@pytest.mark.parametrize("what", ["command", "library"])
def test_processor_below_the_oldest_kind(tmp_path, what):
    """It has no SSE4.2: no crash in the middle, but what it lacks and the build that does without."""
    if what == "command":
        program = [BUILD / "bin/sinew", "simulate", "--steps", 1]
    else:
        text = tmp_path / "load.c"
        text.write_text(
            "#include <sinew/sinew.h>\n#include <stdio.h>\nint main(void)\n{\n    snError error;\n"
            f'    if (!sn_loadModel("{MODEL}", NULL, &error)) return puts(error.message), 1;\n'
            "    return 0;\n}\n"
        )
        flags = [f"-I{ROOT / 'include'}", BUILD / "libsinew.so", f"-Wl,-rpath,{BUILD}"]
        run("cc", text, "-o", tmp_path / "load", *flags)
        program = [tmp_path / "load"]
    said = run("qemu-x86_64-static", "-cpu", "core2duo", *program, code=1)
    assert "this processor has no SSE4.2 and POPCNT (x86-64-v2)" in said
    assert "-DSINEW_TARGETS=OFF" in said
    run("qemu-x86_64-static", "-cpu", "Nehalem", *program)  # the oldest of v2


@pytest.fixture
def copied(tmp_path):
    """Our package in a folder of its own, to be harmed."""
    import sinew

    # links: what is harmed is written anew
    folder = tmp_path / "packages/sinew"
    shutil.copytree(pathlib.Path(sinew.__file__).parent, folder, copy_function=os.symlink)
    extension = folder / "_core.abi3.so"
    extension.unlink()
    for file in (
        "__init__.py",
        "_extra.py",
        "_whole.py",
    ):  # modules look beside where they really are
        (folder / file).unlink()
        shutil.copy(pathlib.Path(sinew.__file__).parent / file, folder / file)
    return folder


def imported(folder):
    """What importing that copy says, which must fail."""
    environment = {**os.environ, "PYTHONPATH": str(folder.parent)}
    environment.pop("LD_LIBRARY_PATH", None)
    return run(sys.executable, "-P", "-c", "import sinew", env=environment, code=1)


@linux
@pytest.mark.parametrize("kept", [0, 40, 100, 5000, 0.3, 0.9, 0.9999])
def test_extension_that_is_cut_off(copied, kept):
    import sinew

    whole = pathlib.Path(sinew._core.__file__).read_bytes()
    size = int(kept * len(whole)) if isinstance(kept, float) else kept
    (copied / "_core.abi3.so").write_bytes(whole[:size])
    said = imported(copied)
    assert (
        f"ImportError: {copied / '_core.abi3.so'}" in said and "install the package again" in said
    )


@linux
def test_extension_that_is_missing_or_of_another_machine(copied):
    said = imported(copied)
    assert "there is no _core in it" in said and "install the package again" in said
    import sinew

    whole = bytearray(pathlib.Path(sinew._core.__file__).read_bytes())
    whole[18] ^= 0xFF  # e_machine
    (copied / "_core.abi3.so").write_bytes(whole)
    assert "install the package again" in imported(copied)


@linux
def test_library_that_is_missing(copied):
    """The loader names it, and the package says what then."""
    import sinew

    whole = pathlib.Path(sinew._core.__file__).read_bytes()
    gone = whole.replace(b"libqhull_r.so.8.0\0", b"libqhull_r.so.0.0\0")
    if gone == whole:
        pytest.skip("a package that holds its libraries")
    (copied / "_core.abi3.so").write_bytes(gone)
    said = imported(copied)
    assert "ImportError: libqhull_r.so.0.0: cannot open shared object file" in said
    assert "a library that the package was built with is gone" in said
    assert "-m pip install" in said


@linux
def test_library_that_the_command_misses(tmp_path):
    """The system's loader says which, before anything of ours runs."""
    whole = (BUILD / "bin/sinew").read_bytes()
    command = tmp_path / "sinew"
    command.write_bytes(whole.replace(b"libqhull_r.so.8.0\0", b"libqhull_r.so.0.0\0"))
    command.chmod(0o755)
    if command.read_bytes() == whole:
        pytest.skip("a command that holds its libraries")
    assert "libqhull_r.so.0.0: cannot open shared object file" in run(command, "doctor", code=127)
