"""Runs a Python program with Sinew in the place of MuJoCo, in every Python process that it starts.

    python -m sinew.run FILE [ARGUMENTS]
    python -m sinew.run -m MODULE [ARGUMENTS]
    python -m sinew.run -c CODE [ARGUMENTS]
    python -m sinew.run --mujoco 4.0 ...

It is as `python FILE`, `python -m MODULE`, `python -c CODE` in an environment in which `mujoco` is `sinew.mujoco`; options of
the interpreter stand before `-m sinew.run`. `--mujoco` chooses the release whose interface it has, 3.3.7 or 4.0; without it
the variable SINEW_MUJOCO does, without that it is 3.3.7.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import NoReturn

from ._in_place import CHOICE, FIRST, LATER, SHADOW, SHADOW_OF_LATER, shadows


def _choose(arguments: list[str]) -> list[str]:
    """Take `--mujoco RELEASE` from the arguments into the environment; return the others."""
    word, is_one, release = (arguments[:1] or [""])[0].partition("=")
    if word != "--mujoco":
        return arguments
    rest = arguments[1:] if is_one else arguments[2:]
    release = release if is_one else (arguments[1:2] or [""])[0]
    if release not in (FIRST, LATER):
        raise SystemExit(f"sinew.run: --mujoco takes {FIRST} or {LATER}, not {release!r}")
    os.environ[CHOICE] = release
    return rest


def _program(arguments: list[str]) -> list[str]:
    """What follows `-m sinew.run`, if it can be run; else SystemExit that says why."""
    if arguments[:1] in (["-h"], ["--help"]):
        print(__doc__)
        raise SystemExit(0)
    if not arguments or arguments[0] in ("-m", "-c") and len(arguments) < 2:
        raise SystemExit(f"sinew.run: nothing to run\n\n{__doc__}")
    if arguments[0].startswith("-") and not arguments[0].startswith(("-m", "-c")):
        raise SystemExit(
            f"sinew.run: {arguments[0]} is not -m MODULE, -c CODE or a file; options of Python stand before -m sinew.run"
        )
    return arguments


def _interpreter_options() -> list[str]:
    """The options of the interpreter that runs this, without the one that says to run this: `-m` in any form."""
    words = sys.orig_argv[1 : len(sys.orig_argv) - len(sys.argv[1:])]
    last = words.pop().removesuffix("sinew.run") or words.pop()
    return [*words, *([last[:-1]] if last != "-m" else [])]


def _become(command: list[str]) -> NoReturn:
    """Go on as another program; on Windows, where none takes the place of one, wait for it and end as it does."""
    if sys.platform != "win32":
        os.execv(command[0], command)
    signal.signal(
        signal.SIGINT, signal.SIG_IGN
    )  # Ctrl-C is the other's as well, which says when this ends
    raise SystemExit(subprocess.run(command, check=False).returncode)


def main() -> None:
    """Start the program in the place of this process."""
    program = _program(_choose(sys.argv[1:]))
    if sys.flags.ignore_environment:
        raise SystemExit(
            "sinew.run: -E and -I keep PYTHONPATH from the program, by which it finds Sinew: leave them out, "
            "or import sinew.as_mujoco at its start"
        )
    before = os.environ.get("PYTHONPATH", "")
    ours = (SHADOW, SHADOW_OF_LATER)
    others = [path for path in before.split(os.pathsep) if path not in ours] if before else []
    try:
        os.environ["PYTHONPATH"] = os.pathsep.join([*shadows(), *others])
    except ImportError as error:
        raise SystemExit(f"sinew.run: {error}") from None
    sys.stdout.flush()
    _become([sys.executable, *_interpreter_options(), *program])


if __name__ == "__main__":
    main()
