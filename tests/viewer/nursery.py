"""Processes of viewers as forks of one that has imported what they need, which is most of what one of them costs.

They run the same functions with the same arguments. Files that test how such a process begins and ends begin it as users do.
"""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import traceback
import types

from sinew.viewer.link import Link

MODULES = ("sinew._viewer", "sinew.viewer.compiling")


class Born:
    """What `subprocess.Popen` tells of a process; what it has returned is not known.

    Parameters
    ----------
    pid : int
    """

    def __init__(self, pid):
        self.pid, self.returncode = pid, None
        try:
            self._file = os.pidfd_open(pid)
        except ProcessLookupError:  # it has ended
            self._file, self.returncode = -1, 0

    def poll(self):
        return self.returncode if self._ends(0) else None

    def wait(self, timeout=None):
        if not self._ends(timeout):
            raise subprocess.TimeoutExpired("a viewer's process", timeout)
        return self.returncode

    def kill(self):
        if self.poll() is None:
            signal.pidfd_send_signal(self._file, signal.SIGKILL)

    def _ends(self, timeout):
        """Wait so many seconds for its end; return whether it has ended."""
        if self.returncode is None:
            watch = select.poll()
            watch.register(self._file, select.POLLIN)
            if watch.poll(None if timeout is None else 1000 * timeout):
                self.returncode = 0
        return self.returncode is not None

    def __del__(self):
        if self._file >= 0:
            os.close(self._file)


class Nursery:
    """Begins processes in place of `subprocess.Popen`.

    Attributes
    ----------
    subprocess : namespace
        The module, but that Popen forks viewers' processes.
    """

    def __init__(self):
        ours, theirs = socket.socketpair()
        with theirs:
            words = [sys.executable, __file__, str(theirs.fileno())]
            self._process = subprocess.Popen(words, pass_fds=[theirs.fileno()])
        self._link, self._lock, self._program = Link(ours), threading.Lock(), sys.executable
        self.subprocess = types.SimpleNamespace(**{**vars(subprocess), "Popen": self._begin})

    def _begin(self, words, pass_fds=(), **how):
        program, _, module, *arguments = words
        if program != self._program or module not in MODULES:
            return subprocess.Popen(words, pass_fds=pass_fds, **how)
        (end,) = pass_fds
        assert arguments[0] == str(end)
        wanted = {"module": module, "arguments": arguments[1:], "folder": os.getcwd(), "environment": dict(os.environ)}  # fmt: skip
        with self._lock:
            self._link.send(wanted, (end,))
            return Born(self._link.receive()[0]["pid"])

    def close(self):
        """End the process that is forked; those that it has begun go on."""
        self._link.close()
        self._process.wait()


def main(descriptor):
    """Fork a process for each message, which has its module, arguments and surroundings."""
    import sinew._viewer.__main__
    import sinew.viewer.compiling

    mains = {"sinew._viewer": sinew._viewer.__main__.main, "sinew.viewer.compiling": sinew.viewer.compiling.main}  # fmt: skip
    signal.signal(signal.SIGCHLD, _reap)
    own = socket.socket(fileno=int(descriptor))
    link = Link(own)
    while (said := link.receive()) is not None:
        wanted, (end,) = said
        pid = os.fork()
        if pid == 0:
            own.close()
            _live(mains[wanted["module"]], end, wanted)
        os.close(end)
        link.send({"pid": pid})


def _reap(*_):
    """Let those that have ended go; nobody asks what they have returned."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _live(run, end, wanted):
    """Be such a process, until it ends."""
    code = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(wanted["folder"])
        os.environ.clear()
        os.environ.update(wanted["environment"])
        code = run(str(end), *wanted["arguments"])
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # it has no caller
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 1)


if __name__ == "__main__":
    main(sys.argv[1])
