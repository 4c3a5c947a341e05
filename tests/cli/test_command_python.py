"""Commands that are written in Python: which interpreter runs them, with which arguments, and what is said without one."""

import os
import shutil
import sys
import textwrap

import pytest
from project_version import VERSION

PIP = '-m pip install ".[view]"'


def script(path, text):
    """An executable file."""
    path.write_text(text)
    path.chmod(0o755)
    return path


def stub(path, note):
    """An interpreter that prints a note and its arguments, but for the program that it is given."""
    return script(path, f'#!/bin/sh\necho "{note}"\nshift 2\nprintf "<%s>" "$@"\nexit 7\n')


def package(folder, init=f"__version__ = '{VERSION}'\n", **modules):
    """A package sinew that stands for ours."""
    (folder / "sinew").mkdir(parents=True)
    (folder / "sinew/__init__.py").write_text(init)
    for name, text in modules.items():
        (folder / f"sinew/{name}.py").write_text(textwrap.dedent(text))
    return folder


def with_python(python, **more):
    """The environment with an interpreter named."""
    return {"env": {**os.environ, "SINEW_PYTHON": str(python), **more}}


def test_arguments_and_exit_code_are_passed_on(sinew, tmp_path):
    python = stub(tmp_path / "my python", "mine")
    words = ["a b", "", "--signals", "'$x", "é", "--", "-o"]
    done = sinew("plot", *words, code=7, **with_python(python))
    assert done.stdout == "mine\n" + "".join(
        f"<{word}>" for word in [VERSION, "sinew.plot", *words]
    )
    for help in (["plot", "--help"], ["help", "plot"], ["--help", "plot"]):
        done = sinew(*help, code=7, **with_python(python))
        assert done.stdout == f"mine\n<{VERSION}><sinew.plot><--help>"


def test_which_interpreter(sinew, tmp_path):
    """SINEW_PYTHON, then the one beside the command, its links followed, then the PATH's."""
    path = stub(tmp_path / "python3", "PATH").parent
    stub(path / "named", "named")
    environment = {**os.environ, "PATH": f"{path}:{os.environ['PATH']}", "SINEW_PYTHON": ""}
    assert sinew("plot", code=7, env=environment).stdout.startswith("PATH\n")
    (path / "installed").mkdir()
    command = shutil.copy(sinew.path, path / "installed/sinew")
    stub(path / "installed/python3", "beside")
    (path / "link").symlink_to(command)
    beside = type(sinew)(path / "link", tmp_path)
    assert beside("plot", code=7, env=environment).stdout.startswith("beside\n")
    (path / "installed/python3").chmod(0o644)
    assert beside("plot", code=7, env=environment).stdout.startswith("PATH\n")
    environment["SINEW_PYTHON"] = "named"
    assert beside("plot", code=7, env=environment).stdout.startswith("named\n")


def test_no_interpreter(sinew, tmp_path):
    done = sinew("plot", code=1, env={"PATH": str(tmp_path)})
    assert (
        done.stderr.startswith("sinew: plot: there is no python3 on the PATH")
        and PIP in done.stderr
    )
    done = sinew("plot", code=1, **with_python(tmp_path / "none\x1b[31m"))
    reason = "cannot run the interpreter '{}/none\\x1b[31m': No such file or directory"
    assert done.stderr == (
        f"sinew: plot: {reason.format(tmp_path)}; have SINEW_PYTHON name another\n"
    )
    (tmp_path / "no program").write_text("")
    done = sinew("plot", code=1, **with_python(tmp_path / "no program"))
    assert "Permission denied; have SINEW_PYTHON name another" in done.stderr


def failure(sinew, folder, *switches):
    """What the command says with a package in `folder` and the Python that runs this."""
    words = " ".join(switches)
    python = script(folder / "python", f'#!/bin/sh\nexec "{sys.executable}" -S {words} "$@"\n')
    done = sinew("plot", code=1, **with_python(python, PYTHONPATH=str(folder / "packages")))
    assert done.stderr.count("\n") == 1 and PIP in done.stderr and sys.executable in done.stderr
    assert done.stderr.startswith("sinew: plot: ") and "SINEW_PYTHON" in done.stderr
    return done.stderr.removeprefix("sinew: plot: ")


def test_no_package(sinew, tmp_path):
    (tmp_path / "packages").mkdir()
    assert failure(sinew, tmp_path).startswith("this Python has no package sinew (")


@pytest.mark.parametrize(
    ("init", "message"),
    [
        (
            "__version__ = '0.0.9'",
            f"the package sinew of this Python is of version 0.0.9, the command of {VERSION}",
        ),
        ("", "the package sinew of this Python is of version unknown"),
        (
            "import numpie",
            "the package sinew of this Python does not load: No module named 'numpie'",
        ),
        ("1 / 0", "the package sinew of this Python does not load: division by zero"),
        (f"__version__ = '{VERSION}'", "the package sinew of this Python has no sinew.plot"),
    ],
)
def test_wrong_package(sinew, tmp_path, init, message):
    package(tmp_path / "packages", init)
    assert failure(sinew, tmp_path).startswith(message)


def test_files_of_the_folder_are_no_modules(sinew, tmp_path):
    """What lies where the command is called is data, whatever its name is."""
    for name in ("sys", "importlib", "runpy", "sinew", "argparse"):
        (tmp_path / f"{name}.py").write_text("print('BAD')")
    module = "import argparse, sys; print(sys.argv[1:], __name__, __file__); sys.exit(5)"
    package(tmp_path / "packages", plot=module)
    python = with_python(sys.executable, PYTHONPATH=str(tmp_path / "packages"))
    done = sinew("plot", "a", "-b", code=5, **python)
    assert done.stdout == f"['a', '-b'] __main__ {tmp_path}/packages/sinew/plot.py\n"


INTERRUPT = "import os, signal; os.kill(os.getpid(), signal.SIGINT)\n"


@pytest.mark.parametrize("where", ["interpreter", "package", "module", "command"])
def test_an_interrupt_is_no_traceback(sinew, tmp_path, where):
    """Wherever it comes: while the interpreter starts, in imports or in the command; two are as one."""
    sent = {name: INTERRUPT if name == where else "" for name in ("interpreter", "package")}
    module = INTERRUPT if where == "module" else f"try:\n    {INTERRUPT}finally:\n    {INTERRUPT}"
    packages = package(
        tmp_path / "packages", f"__version__ = '{VERSION}'\n{sent['package']}", plot=module
    )
    (packages / "sitecustomize.py").write_text(sent["interpreter"])
    done = sinew("plot", code=130, **with_python(sys.executable, PYTHONPATH=str(packages)))
    assert (done.stdout, done.stderr) == ("", "")
