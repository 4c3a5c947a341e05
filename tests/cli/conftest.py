"""The command as its users have it: started as a process, in each build that there is."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILDS = ["release", "asan"]


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
            timeout=120,
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


@pytest.fixture(params=BUILDS)
def sinew(request, tmp_path):
    """The command of a build."""
    path = ROOT / "build" / request.param / "bin/sinew"
    if request.param == "release" and "SINEW_COMMAND" in os.environ:
        path = pathlib.Path(os.environ["SINEW_COMMAND"])
    if not path.exists():
        pytest.fail(f"{path} is missing; ./dev test builds it")
    return Command(path, tmp_path)
