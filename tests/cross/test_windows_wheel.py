"""The wheel for Windows in CPython for Windows under Wine: the bits that it has here, texts, commands, a slice of the tests."""

import json
import os
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest
import wheels
import windows_machine
import windows_python

ROOT = pathlib.Path(__file__).resolve().parents[2]
SESSION = pathlib.Path(__file__).with_name("windows_session.py")
MODELS = ROOT / "examples/models"
# Those that need NumPy alone, and neither forks nor a second installation.
SLICE = """test_batch_copies.py test_batch_few_iterations.py test_batch_names.py test_contact_settings.py test_copies.py
test_derivative_steps.py test_discrete_steps.py test_errors.py""".split()
long = pytest.mark.skipif(not os.environ.get("SINEW_LONG"), reason="SINEW_LONG asks for wheels")


def test_names_of_the_stable_interface():
    functions, data = windows_python.names()
    assert {"PyModule_Create2", "PyBuffer_FillInfo"} < set(functions) and "PyExc_ValueError" in data
    assert not {"PyOS_AfterFork_Child", "PyType_GetName_"} & set(functions)
    assert "PyType_GetFullyQualifiedName" not in functions  # of 3.13
    text = windows_python.definitions("a.dll", ["x", "y DATA"])
    assert text == "LIBRARY a.dll\nEXPORTS\n  x\n  y DATA\n"


def test_what_the_wheel_may_not_want(monkeypatch):
    monkeypatch.setattr(
        wheels, "needed_by_pe", lambda path: {"kernel32.dll", "libwinpthread-1.dll"}
    )
    with pytest.raises(wheels.Failure, match="wants libwinpthread-1.dll, which no system needs"):
        wheels.check_imports("windows-x86_64", pathlib.Path("_core.pyd"))


@pytest.fixture(scope="module")
def machine():
    """CPython with the wheel inside."""
    command = [sys.executable, ROOT / "tools/wheels.py", "windows-x86_64"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stdout + done.stderr
    try:
        found = windows_machine.Machine(ROOT / done.stdout.split()[0])
    except windows_machine.Missing as missing:
        pytest.skip(str(missing))
    yield found
    found.close()


@long
def test_the_same_bits_and_words(machine, tmp_path):
    """Of all models, of batches, of errors about files with letters of many kinds; a binary file has the same bytes."""
    (tmp_path / "there").mkdir()
    (tmp_path / "here").mkdir()
    theirs = machine.answer(machine.python, SESSION, MODELS, cwd=tmp_path / "there")
    command = [sys.executable, SESSION, MODELS]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path / "here", check=True
    )
    ours = json.loads(done.stdout)
    assert theirs == ours and ours["names"]["whole"] and len(ours["steps"]) > 20
    print(f"{len(ours['steps'])} models and {len(ours['batches'])} batches: the same bits")


@long
def test_paths_of_windows(machine):
    """A drive letter, backslashes, a folder that is not there."""
    code = r"""
import sinew, pathlib, sys
where = pathlib.Path(sys.argv[1])
assert where.drive == "Z:" and "\\" in str(where), where
print(sinew.Model.from_path(where).nq)
try:
    sinew.Model.from_path(r"C:\no such folder\ärm.xml")
except FileNotFoundError as error:
    print(error)
"""
    said = machine.says(
        machine.python, "-X", "utf8", "-c", code, f"Z:{MODELS / 'humanoid.xml'}".replace("/", "\\")
    )
    number, error = said.splitlines()
    assert int(number) > 20
    assert re.fullmatch(
        r"cannot read 'C:[\\/]no such folder[\\/]ärm.xml': No such file or directory", error
    )


@long
def test_under_names_of_mujoco(machine):
    """The exit code is that of the program, which is a process of its own."""
    code = (
        "import mujoco, sys; m = mujoco.MjModel.from_xml_path(sys.argv[1]); d = mujoco.MjData(m); "
    )
    code += "mujoco.mj_step(m, d, 100); print(mujoco.__version__, round(d.time, 9)); sys.exit(7)"
    told, out, err = machine.run(
        machine.python, "-m", "sinew.run", "-c", code, MODELS / "humanoid.xml"
    )
    assert (told, out, err) == (7, "3.3.7 0.4\n", "")


@long
def test_the_command(machine):
    """It finds the Python above its folder."""
    assert "warnings    none" in machine.says(machine.command, "simulate", "--seconds", "1")
    said = machine.says(machine.command, "doctor")
    assert "interpreter 3.11." in said and "package     sinew" in said
    assert "drawing     no, Sinew draws on Linux and macOS so far" in said and '".[view]"' in said


@long
def test_every_module(machine):
    """Each can be imported, or says which package it needs."""
    code = """
import importlib, pkgutil, sinew
bad, good = [], 0
for found in pkgutil.walk_packages(sinew.__path__, "sinew.", onerror=lambda name: None):
    if "_shadow" in found.name or "_later" in found.name or found.name.endswith(("__main__", "as_mujoco", "as_mujoco4")):
        continue
    try:
        importlib.import_module(found.name)
        good += 1
    except ImportError as error:
        if not (error.name or "").startswith(("gymnasium", "torch", "jax", "moderngl", "PIL", "av", "matplotlib",
                                              "mcap", "websockets", "stable_baselines3")) and "pip install" not in str(error):
            bad.append((found.name, repr(error)))
    except Exception as error:
        bad.append((found.name, repr(error)))
assert not bad, bad
print(good)
"""
    assert int(machine.says(machine.python, "-c", code)) > 100


@long
def test_slice(machine):
    """Tests of the package that mean the same there; how many ran is printed."""
    tests = [f"tests/python/{name}" for name in SLICE]
    said = machine.says(
        machine.python,
        *["-X", "utf8", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rs", *tests],
        cwd=ROOT,
        timeout=1800,
    )
    print(said.splitlines()[-1])
    assert re.search(r"\d+ passed", said.splitlines()[-1]), said


@long
def test_interrupt(machine, tmp_path):
    """Ctrl-C ends a run with the code that docs/cli.md gives and a whole recording."""
    program = tmp_path / "interrupt.exe"
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-municode"]
    source = pathlib.Path(__file__).with_name("interrupt.c")
    subprocess.run([*compiler, "-o", program, source], check=True)
    run = ["simulate", "--steps", 10**12, "--ctrl", "noise:0.3", "--record", "run.npy"]
    code, _, err = machine.run(
        program, 0, "run.npy.part", machine.command, *run, cwd=tmp_path, timeout=180
    )
    assert code == 130, err
    times = np.load(tmp_path / "run.npy")["time"]
    assert len(times) > 10 and times == pytest.approx(0.004 * np.arange(len(times)), rel=1e-9)
    assert not (tmp_path / "run.npy.part").exists()
