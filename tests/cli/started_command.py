"""The command, started as a process."""

import contextlib
import importlib
import io
import os
import subprocess

MODULES = os.environ.get("PYTHONPATH")


class Command:
    """Runs one build of the command."""

    def __init__(self, path, folder):
        self.path = path
        self.folder = folder

    def __call__(self, *arguments, code=0, **options):
        """The finished process; fails the test unless it ended with `code`."""
        done = self.run(list(map(str, arguments)), options)
        assert "Sanitizer" not in done.stderr and "runtime error" not in done.stderr, done.stderr
        assert done.returncode == code, (
            f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        )
        return done

    def run(self, words, options):
        """The process with these words, finished."""
        return subprocess.run(
            [self.path, *words],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
            **options,
        )

    def error(self, *arguments, code):
        """The message of a command that must fail, without the leading "sinew: "."""
        done = self(*arguments, code=code)
        assert done.stderr.startswith("sinew: ") and done.stderr.count("\n") == 1, done.stderr
        return done.stderr[len("sinew: ") : -1]

    def start(self, *arguments, **options):
        """A running process."""
        return subprocess.Popen(
            [self.path, *map(str, arguments)],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            **options,
        )


class CommandHere(Command):
    """The same, but that one command in Python runs in this process, as starting an interpreter takes longer than what most
    tests ask of it. Where a test has surroundings of its own for it, it is a process as for its users.
    """

    def __init__(self, path, folder, name):
        super().__init__(path, folder)
        self._name = name

    def run(self, words, options):
        if words[0] != self._name or options or os.environ.get("PYTHONPATH") != MODULES:
            return super().run(words, options)
        main = importlib.import_module(f"sinew.{self._name}").main
        out, err = io.StringIO(), io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):  # fmt: skip
            code = main(words[1:])
        return subprocess.CompletedProcess(words, code, out.getvalue(), err.getvalue())
