"""Begins a command that goes on until Ctrl-C, and presses that when it has printed a line: begun_and_ended.py COMMAND...

With --export it ends by itself.
"""

import os
import signal
import subprocess
import sys

NO_PAGE = "built without the page"  # which takes network: then there is nothing to begin


def main() -> int:
    """Return 0 where it began and ended, else its exit code."""
    process = subprocess.Popen(
        sys.argv[1:],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "BROWSER": "true"},  # which opens nothing
    )
    began = process.stdout.readline() != ""
    if began and "--export" not in sys.argv:
        process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    sys.stderr.write(said)
    if (began and process.returncode == 128 + signal.SIGINT) or NO_PAGE in said:
        return 0
    return process.returncode if began else process.returncode or 1


if __name__ == "__main__":
    sys.exit(main())
