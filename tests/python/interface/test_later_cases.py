"""Cases of release 4.0's interface, in a process that has it."""

import pathlib

from test_peers_own_tests import failures

CASES = pathlib.Path(__file__).with_name("later_cases.py")


def test_cases(tmp_path):
    bad, told = failures("4.0", str(CASES), tmp_path)
    assert not bad, told
