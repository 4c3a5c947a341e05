"""Runs a command on a screen of its own that nobody sees: python on_a_screen.py COMMAND...

Xvfb chooses its number itself and says when it is there. xvfb-run chooses one that looks free, which another may have
taken by then, and waits for a signal that may have come before; its server begins anew whenever its last window closes,
and refuses those that come meanwhile.
"""

import os
import subprocess
import sys


def main() -> int:
    """Return the exit code of the command."""
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x1024x24"]
        + ["-nolisten", "tcp", "-noreset"],
        pass_fds=[writer],
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    try:
        with os.fdopen(reader) as said:
            number = said.readline().strip()  # empty where the server has ended
        if not number:
            sys.exit(f"Xvfb: {server.communicate()[1].decode()}")
        without = {name: value for name, value in os.environ.items() if name != "XAUTHORITY"}
        return subprocess.call(sys.argv[1:], env={**without, "DISPLAY": f":{number}"})
    finally:
        server.terminate()
        server.communicate()


if __name__ == "__main__":
    sys.exit(main())
