"""The newest engine, mujoco-core, in a process of its own, as one holds one version.

    peer = newest.load(path)                      # or XML text, and its assets
    peer.set(timestep=0.01, geom_margin=0.1)      # fields of the model and its options
    peer.put(qpos=q, ctrl=u)                      # fields of its data
    peer.call("mj_step", 100)
    peer.look("qvel", "contact", "full_M").qvel   # fields of the data; peer.get(): of the model

One process serves all tests of a process of pytest; it starts with the first call and ends with the tests. When it dies,
`Crashed` says in what, and the next load starts another.
"""

import atexit
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

import peer_engine

FOLDER = pathlib.Path(sys.prefix, "mujoco-newest")
VERSION = "4.0.1"  # the one that ./dev installs


class Crashed(RuntimeError):
    """The process of the newest engine has died."""


class _Process:
    """A process that answers one request after the other."""

    def __init__(self):
        if not (FOLDER / "mujoco").is_dir():
            raise ModuleNotFoundError(
                f"mujoco-core is missing in {FOLDER}: ./dev setup installs it"
            )
        self.log = tempfile.TemporaryFile()
        self.dropped = []  # models that nobody has any longer
        self.popen = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.log,
            cwd=tempfile.gettempdir(),
        )

    def ask(self, method, *arguments):
        """What a method of peer_engine.Engine returns, or its error."""
        while self.dropped:
            self._exchange("delete", self.dropped.pop())
        return self._exchange(method, *arguments)

    def _exchange(self, method, *arguments):
        if self.popen.poll() is not None:
            raise Crashed(
                f"this model went with the process that died ({self._death()}): load it again"
            )
        try:
            pickle.dump((method, arguments), self.popen.stdin)
            self.popen.stdin.flush()
            error, answer = pickle.load(self.popen.stdout)
        except (EOFError, BrokenPipeError, pickle.UnpicklingError):
            self.popen.kill()
            self.popen.wait()
            what = " ".join([method, *(a for a in arguments if isinstance(a, str))])
            raise Crashed(f"MuJoCo {VERSION} died in {what[:200]}: {self._death()}") from None
        if error:
            raise error
        return answer

    def _death(self):
        """How it ended, and its last words."""
        self.log.seek(0, os.SEEK_END)
        self.log.seek(max(0, self.log.tell() - 2000))
        words = self.log.read().decode(errors="replace").strip()
        code = self.popen.returncode
        return (f"signal {-code}" if code < 0 else f"exit {code}") + (f", {words}" if words else "")

    def end(self):
        self.popen.stdin.close()  # which ends it
        self.popen.stdout.close()
        self.popen.wait()
        self.log.close()


_process = None


def _running():
    """The process, begun if there is none or the last one has died."""
    global _process
    if _process is None or _process.popen.poll() is not None:
        if _process:
            _process.end()
            atexit.unregister(_process.end)
        _process = _Process()
        atexit.register(_process.end)
    return _process


def load(source, assets=None):
    """A model of a file (path) or of MJCF (text that begins with <, `assets`: bytes of files by name).

    A source is compiled once, each model is a copy. `.warnings`: the compiler's. ValueError: what it refuses.
    """
    return peer_engine.Model(_running(), source, assets)


def schema():
    """The elements of model files and their attributes, as mj_printSchema writes them."""
    return _running().ask("schema")


def step(path, runs, fields):
    """What `fields` of the data hold after one step from each state of each run, in one list.

    `path`: the model's file; `runs`: pairs of the model's fields to set and of states, which are fields of the data to set.
    """
    peer, found = load(path), []
    for fields_of_model, states in runs:
        peer.set(**fields_of_model)
        found += [vars(one) for one in peer.run("mj_step", states, fields)]
    return found


def _serve():
    """Answers requests until the other side closes. What the engine prints goes where errors go, not into the answers."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.path.insert(0, str(FOLDER))
    import mujoco

    assert mujoco.__version__ == VERSION, f"{mujoco.__version__}: ./dev setup installs {VERSION}"
    mujoco.set_mju_user_warning(lambda text: None)  # no file of warnings: they are counted
    engine = peer_engine.Engine(mujoco)
    while True:
        try:
            method, arguments = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = None, getattr(engine, method)(*arguments)
        except Exception as error:
            known = type(error).__module__ == "builtins"
            answer = error if known else RuntimeError(f"{type(error).__name__}: {error}"), None
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    _serve()
