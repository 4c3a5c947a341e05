"""The command, started as a process."""

import subprocess


class Command:
    """Runs one build of the command."""

    def __init__(self, path, folder):
        self.path = path
        self.folder = folder

    def __call__(self, *arguments, code=0, **options):
        """The finished process; fails the test unless it ended with `code`."""
        done = subprocess.run(
            [self.path, *map(str, arguments)],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=1200,
            check=False,
            **options,
        )
        assert "Sanitizer" not in done.stderr and "runtime error" not in done.stderr, done.stderr
        assert done.returncode == code, (
            f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        )
        return done

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
