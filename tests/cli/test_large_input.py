"""Large files: no hang, and memory that stays in proportion to what the file holds.

A megabyte each, 100 MB under ./dev test-long.
"""

import os
import re
import sys

import pytest

BYTES = 100_000_000 if os.environ.get("SINEW_LONG") else 1_000_000


def repeated(text):
    return text * (BYTES // len(text))


# kind: text, whether it is a model, bytes of memory for each of its bytes; elements of a few bytes have their share
# of the tree, of the records and of the model.
LARGE = {
    "comment": ("<mujoco><!--" + "x" * BYTES + "--></mujoco>", True, 8),
    "name": ('<mujoco model="' + "x" * BYTES + '"/>', True, 12),
    "numbers": (
        "<mujoco><worldbody><geom size='1' user='" + repeated("1 ") + "'/></worldbody></mujoco>",
        True,
        20,
    ),
    "geoms": (
        "<mujoco><worldbody>" + repeated("<geom size='.1'/>") + "</worldbody></mujoco>",
        True,
        120,
    ),
    "texts": ("<mujoco><custom>" + repeated("<text name='a'/>") + "</custom></mujoco>", False, 60),
    "unknown": ("<mujoco><worldbody>" + repeated("<x/>") + "</worldbody></mujoco>", False, 60),
    "open": ("<mujoco>" + repeated("<worldbody>"), False, 20),
    "junk": (repeated("<a b='c' "), False, 20),
    "entities": ("<!DOCTYPE a [" + repeated("<!ENTITY b 'c'>") + "]><mujoco/>", True, 20),
}


def check(sinew, path):
    """Exit code, output, peak memory in bytes and processor time in seconds of `sinew check`."""
    process = sinew.start("check", path)
    output = process.stdout.read() + process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    memory = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return process.returncode, output, memory, usage.ru_utime + usage.ru_stime


@pytest.mark.parametrize("kind", LARGE)
def test_large_file(sinew, tmp_path, kind):
    text, good, ratio = LARGE[kind]
    small, large = tmp_path / "small.xml", tmp_path / "large.xml"
    small.write_text("<mujoco/>")
    large.write_text(text)
    code, output, memory, seconds = check(sinew, large)
    assert code == (0 if good else 1), output
    assert good or re.search(r"at .*large\.xml", output), output
    if (
        sinew.path.parts[-3] == "release"
    ):  # sanitizers have memory of their own, and take their time
        # of the processor alone, some hundred times what it takes: work that grows with the square is far beyond
        assert seconds < 20 * (1 + BYTES / 1e7)
        assert memory - check(sinew, small)[2] < ratio * BYTES
