"""Programs in C and C++ under MuJoCo's names, compiled against our library and against the peer's."""

import functools
import importlib.util
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("SINEW_BUILD", ROOT / "build/release"))
if not list(BUILD.glob("libsinew_mujoco.*")):
    BUILD = ROOT / "build/release"  # others are made without it
PEER = pathlib.Path(importlib.util.find_spec("mujoco").submodule_search_locations[0])
HEADERS = ROOT / "include/mujoco"
WARNINGS = ["-Wall", "-Wextra", "-Werror"]


def compiler(source):
    """The command that compiles a source of its kind."""
    return ["c++", "-std=c++17"] if source.suffix == ".cc" else ["cc", "-std=gnu11"]


@functools.cache
def libraries():
    """What a program links and where it looks for headers, by the library."""
    (peer,) = PEER.glob("libmujoco.so.*")
    folder = f"-Wl,-rpath,{BUILD}"
    return {
        "ours": [f"-I{ROOT / 'include'}", f"-L{BUILD}", "-lsinew_mujoco", "-lsinew", "-lm", "-pthread", folder],
        "peer": [f"-I{PEER / 'include'}", peer, "-lm", "-pthread", f"-Wl,-rpath,{PEER}"],
    }  # fmt: skip


def compile_with(library, source, program, *flags):
    """Compiles a program against a library."""
    mine = WARNINGS if library == "ours" else []
    run([*compiler(source), "-O0", *mine, *flags, source, "-o", program, *libraries()[library]])


def errors_of(source, *flags):
    """What the compiler says of a source that it must refuse, with our headers."""
    command = [*compiler(source), *flags, "-fsyntax-only", source, f"-I{ROOT / 'include'}"]
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    return done.stderr


def run(command, cwd=None, code=0):
    """Output of a command that must end so."""
    done = subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, check=False, cwd=cwd
    )
    assert done.returncode == code, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout if code == 0 else done.stderr
