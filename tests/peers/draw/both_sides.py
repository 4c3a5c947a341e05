"""One function run with the peer and with ours, each in a process of its own with an OpenGL it asks for.

    ours, peer = both("drawn_calls", "errors", api="egl")

calls errors(package) of drawn_calls.py. Run as a script it is such a process.
"""

import importlib
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np

SCREEN = (sys.executable, str(pathlib.Path(__file__).parents[2] / "on_a_screen.py"))


def run(package, module, name, *given, api="egl", window=False):
    """Return what a function of a module here answers for a package, sinew.mujoco or mujoco."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYOPENGL_PLATFORM", "DISPLAY")}
    done = subprocess.run(
        [*(SCREEN if window else ()), sys.executable, __file__],
        input=pickle.dumps((package, module, name, given)),
        env={**environment, "MUJOCO_GL": api, "PYTHONPATH": os.path.dirname(__file__)},
        capture_output=True,
        timeout=1200,
    )
    _, mark, answer = done.stdout.partition(b"ANSWER")
    assert mark, done.stderr.decode()
    return pickle.loads(answer)


def both(module, name, *given, **where):
    """Return ours and the peer's."""
    return tuple(run(p, module, name, *given, **where) for p in ("sinew.mujoco", "mujoco"))


def pictures_of(requests):
    """Return [ours, the peer's] of each request of scene_calls, by its name: colours and depths."""
    ours, theirs = both("scene_calls", "pictures", list(requests.values()))
    return {name: pair for name, *pair in zip(requests, ours, theirs, strict=True)}


def different(one, other, above=1):
    """How many pixels differ by more than `above` of 255."""
    return int((np.abs(one.astype(int) - other).max(axis=-1) > above).sum())


def main():
    """Answer the one call on the input."""
    package, module, name, given = pickle.load(sys.stdin.buffer)
    answer = getattr(importlib.import_module(module), name)(
        importlib.import_module(package), *given
    )
    sys.stdout.buffer.write(b"ANSWER" + pickle.dumps(answer))
    sys.stdout.flush()
    os._exit(0)  # the peer's context complains as the interpreter goes


if __name__ == "__main__":
    main()
