"""Which release of MuJoCo's interface `mujoco` is, how that is chosen, and what it does to processes that are started."""

import os
import subprocess
import sys

import pytest

TELL = """
import importlib.metadata, mujoco
from sinew import mujoco as ours
assert mujoco is ours
m = mujoco.MjModel.from_xml_string("<mujoco/>")
print(mujoco.__version__, mujoco.mj_version(), importlib.metadata.version("mujoco"), m.physics)
"""
OLD, NEW = "3.3.7 337 3.3.7 3.3.7", "4.0.1 4000001 4.0.1 4.0"


def python(*arguments, **environment):
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SINEW_MUJOCO")}
    return subprocess.run(
        [sys.executable, *arguments],
        env=env | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "word", "told"),
    [
        (["-c"], None, OLD),
        (["-c"], "", OLD),
        (["-c"], "3.3.7", OLD),
        (["-c"], "4.0", NEW),
        (["--mujoco", "4.0", "-c"], None, NEW),
        (["--mujoco=4.0", "-c"], "3.3.7", NEW),
        (["--mujoco", "3.3.7", "-c"], "4.0", OLD),
    ],
)
def test_a_program(arguments, word, told):
    environment = {} if word is None else {"SINEW_MUJOCO": word}
    done = python("-m", "sinew.run", *arguments, TELL, **environment)
    assert done.stdout.strip() == told, done.stderr


def test_processes_that_a_program_starts():
    child = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {TELL!r}])"
    done = python("-m", "sinew.run", "--mujoco", "4.0", "-c", child)
    assert done.stdout.strip() == NEW, done.stderr


@pytest.mark.parametrize(("module", "told"), [("as_mujoco", OLD), ("as_mujoco4", NEW)])
def test_an_import(module, told):
    spawned = (
        f"import sinew.{module}\n{TELL}\nimport multiprocessing, mujoco\n"
        "if __name__ == '__main__':\n"
        "    with multiprocessing.get_context('spawn').Pool(1) as pool:\n"
        "        print(pool.apply(mujoco.mj_versionString))\n"
    )
    done = python("-c", spawned)
    assert done.stdout.split("\n")[:2] == [told, told.split()[0]], done.stderr


@pytest.mark.parametrize("word", ["5", "4", "4.0.1", "3.3.7 "])
def test_a_release_that_there_is_not(word):
    done = python("-m", "sinew.run", "--mujoco", word, "-c", TELL)
    assert done.returncode != 0 and "takes 3.3.7 or 4.0" in done.stderr
    done = python("-m", "sinew.run", "-c", TELL, SINEW_MUJOCO=word)
    assert done.returncode != 0 and f"SINEW_MUJOCO is {word!r}" in done.stderr
    done = python("-c", "from sinew import mujoco", SINEW_MUJOCO=word)
    assert done.returncode != 0 and "there is no such MuJoCo here" in done.stderr
    assert "Traceback" not in python("-m", "sinew.run", "-c", TELL, SINEW_MUJOCO=word).stderr


def test_no_release_is_given():
    assert "takes 3.3.7 or 4.0" in python("-m", "sinew.run", "--mujoco").stderr


def test_two_releases_in_a_process():
    done = python("-c", "from sinew import mujoco; import sinew.as_mujoco4")
    assert (
        done.returncode != 0
        and "the interface of MuJoCo 3.3.7: import sinew.as_mujoco4 before it" in done.stderr
    )
    done = python(
        "-c",
        "import sinew.as_mujoco4, sinew.as_mujoco; from sinew import mujoco; print(mujoco.__version__)",
    )
    assert done.stdout.strip() == "4.0.1"


def test_what_a_release_has_not():
    """Actuators with several controls are of 4.0; old names are of 3.3.7."""
    text = (
        'import mujoco; m = mujoco.MjModel.from_xml_string(\'<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body>'
        '</worldbody><actuator><pid joint="j"/></actuator></mujoco>\', **{}); d = mujoco.MjData(m); mujoco.mj_step(m, d); '
        "print(m.nu, hasattr(d, 'qM'), d.efc_diagA.size)"
    )
    assert python("-m", "sinew.run", "--mujoco", "4.0", "-c", text).stdout.strip() == "2 False 0"
    refused = python("-m", "sinew.run", "-c", text)
    assert refused.returncode != 0 and "pid" in refused.stderr
