"""Commands that tests run."""

import subprocess


def run(*command, code=0, **more):
    """The output of a command that ends so."""
    done = subprocess.run(
        [str(c) for c in command], capture_output=True, text=True, check=False, **more
    )
    assert done.returncode == code, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr
