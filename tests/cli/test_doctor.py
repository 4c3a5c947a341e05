"""What `sinew doctor` says of an installation, whole or not."""

import json
import os
import pathlib
import sys
import textwrap

import numpy
import pytest
from project_version import VERSION

import sinew as package
from sinew import doctor


def environment(**more):
    """Ours, with this Python, and no screen."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("DISPLAY", "SINEW_CPU")
    }
    return {**kept, "SINEW_PYTHON": sys.executable, **more}


def interpreter(folder, *before):
    """A Python that finds a package before ours, or runs lines first."""
    path = folder / "python"
    path.write_text(
        "#!/bin/sh\n" + "".join(f"{line}\n" for line in before) + f'exec {sys.executable} "$@"\n'
    )
    path.chmod(0o755)
    return str(path)


def stand_in(folder, text):
    """An interpreter for which the package sinew is this text."""
    (folder / "sinew").mkdir()
    (folder / "sinew/__init__.py").write_text(textwrap.dedent(text))
    return interpreter(folder, f"export PYTHONPATH='{folder}'")


def test_all_is_well(sinew):
    done = sinew("doctor", env=environment())
    assert not done.stderr
    rows = {line[:12].strip(): line[12:] for line in done.stdout.splitlines() if line[:1] != " "}
    assert rows["command"] == f"sinew {VERSION}: {pathlib.Path(sinew.path).resolve()}"
    assert rows["processor"] == f"kernels for {package.__cpu__}"
    assert rows["libraries"].startswith("expat ") and "AMD " in rows["libraries"]
    assert f"numpy {numpy.__version__}" in rows["packages"]
    assert rows["drawing"].startswith(("EGL: OpenGL ", "CGL: OpenGL "))
    for name in doctor.PACKAGES:
        assert (f"{name} " in rows["packages"]) != (name in done.stdout.partition("missing")[2])


def test_json(sinew):
    found = json.loads(sinew("doctor", "--json", env=environment(SINEW_CPU="v2")).stdout)
    assert found["command"]["version"] == found["python"]["package"]["version"] == VERSION
    assert found["python"]["package"]["path"] == str(pathlib.Path(package.__file__).parent)
    if package.__cpu__ != "plain":
        kernels = (
            "plain" if found["processor"]["kernels"] == "plain" else "v2"
        )  # a build with sanitizers
        assert found["processor"]["SINEW_CPU"] == "v2" and found["processor"]["kernels"] == kernels
    assert found["processor"]["threads"] == os.cpu_count()
    assert set(found["libraries"]) == {"expat", "zlib", "libpng", "qhull", "cJSON", "AMD"}
    assert all(found["libraries"].values())


def test_without_python(sinew, tmp_path):
    """The rest is told, with what gets Python; nothing is wrong with a command for C alone."""
    for bad in ({"PATH": str(tmp_path)}, environment(SINEW_PYTHON=str(tmp_path / "none"))):
        done = sinew("doctor", env=bad)
        assert "interpreter none that runs: install Python 3.11" in done.stdout
        assert "SINEW_PYTHON" in done.stderr
    found = json.loads(sinew("doctor", "--json", env=bad).stdout)
    assert found["python"] == {
        "problem": "none that runs: install Python 3.11 or later, or have SINEW_PYTHON name one"
    }


def test_without_the_package(sinew, tmp_path):
    bare = interpreter(tmp_path, "shift 0", 'set -- -S "$@"')  # without site-packages
    done = sinew("doctor", env=environment(SINEW_PYTHON=bare))
    assert "this Python has no package sinew" in done.stdout
    assert '-m pip install ".[view]"' in done.stdout


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("__version__ = '0.0.9'", f"is of version 0.0.9, the command of {VERSION}"),
        (f"__version__ = '{VERSION}'", "has no sinew.doctor, it is older than the command"),
        (
            "raise ImportError('_core.abi3.so: file too short')",
            "does not load: _core.abi3.so: file too short",
        ),
        ("import os; os.kill(os.getpid(), 11)", "ends it without a word: install it again"),
    ],
    ids=["other version", "older", "does not load", "crashes"],
)
def test_package_that_does_not_fit(sinew, tmp_path, text, words):
    done = sinew("doctor", code=1, env=environment(SINEW_PYTHON=stand_in(tmp_path, text)))
    assert f"the package sinew of this Python {words}" in done.stdout
    assert done.stdout.startswith("command ")


def test_options(sinew):
    assert "--json" in sinew("doctor", "--help").stdout
    assert "too many words: twice" in sinew("doctor", "twice", code=2).stderr


def test_driver_that_crashes(monkeypatch, tmp_path):
    """It takes the process down that tries it, no more."""
    (tmp_path / "sitecustomize.py").write_text(
        "import os, sys\nif '--draw' in getattr(sys, 'orig_argv', []):\n    os.kill(os.getpid(), 11)\n"
    )
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    for answer in doctor.examine()["drawing"].values():
        assert answer == {"works": False, "says": "it crashes (signal 11)"}


def test_driver_that_hangs(monkeypatch):
    monkeypatch.setattr(doctor, "PATIENCE", 0.01)
    for answer in doctor.examine()["drawing"].values():
        assert answer == {"works": False, "says": "it draws nothing in 0.01 s"}


def test_what_is_missing_is_got_by_one_line(monkeypatch):
    monkeypatch.setattr(
        doctor, "_version", lambda name: None if name in ("jax", "av", "mcap") else "1.0"
    )
    found = doctor.examine(draw=False)
    assert [lack["what"] for lack in found["missing"]] == ["jax", "av, mcap"]
    assert all(f"{sys.executable} -m pip install" in lack["how"] for lack in found["missing"])
    assert "'.[view]'" in found["missing"][1]["how"]
