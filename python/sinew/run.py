"""Runs a Python program with Sinew in the place of MuJoCo, in every Python process that it starts.

    python -m sinew.run FILE [ARGUMENTS]
    python -m sinew.run -m MODULE [ARGUMENTS]
    python -m sinew.run -c CODE [ARGUMENTS]

It is as `python FILE`, `python -m MODULE`, `python -c CODE` in an environment in which `mujoco` is `sinew.mujoco`; options of
the interpreter stand before `-m sinew.run`.
"""

from __future__ import annotations

import os
import sys

from ._in_place import SHADOW


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


def main() -> None:
    """Start the program in the place of this process."""
    program = _program(sys.argv[1:])
    if sys.flags.ignore_environment:
        raise SystemExit(
            "sinew.run: -E and -I keep PYTHONPATH from the program, by which it finds Sinew: leave them out, "
            "or import sinew.as_mujoco at its start"
        )
    before = os.environ.get("PYTHONPATH", "")
    others = [path for path in before.split(os.pathsep) if path != SHADOW] if before else []
    os.environ["PYTHONPATH"] = os.pathsep.join([SHADOW, *others])
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *_interpreter_options(), *program])


if __name__ == "__main__":
    main()
