"""Patterns of signals: which numbers of a recording they choose."""

import numpy as np
import pytest

from sinew import Recording
from sinew._recording.signals import is_name, select, signals
from sinew.plot import plot

NAMED = Recording(
    [0.0],
    {
        "qpos": np.zeros((1, 9)),
        "ctrl": np.zeros((1, 2)),
        "sensor/head": np.zeros((1, 3)),
        "sensor/[3]": np.zeros((1, 1)),
        "sensor/knee": np.zeros((1, 1)),
        "reward": np.zeros(1),
    },
    {"qpos": ["root"] * 7 + ["knee", "el*bow"], "ctrl": ["knee", "[1]"]},
)
PLAIN = Recording([0.0], {"qpos": np.zeros((1, 3)), "sensor/head": np.zeros((1, 3))})
QPOS = [f"qpos/root[{i}]" for i in range(7)] + ["qpos/knee", "qpos/el*bow"]
HEAD = [f"sensor/head[{i}]" for i in range(3)]
KNEES = ["qpos/knee", "ctrl/knee", "sensor/knee"]


def labels(pattern, *recordings):
    (found,) = select(list(recordings or [NAMED]), [pattern])
    return [one.label for one in found]


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("qpos", QPOS),
        ("qpos[1]", QPOS[1:2]),
        ("qpos[-1]", QPOS[-1:]),
        ("qpos[-2:]", QPOS[-2:]),
        ("qpos[:2]", QPOS[:2]),
        ("qpos[6:8]", QPOS[6:8]),
        ("qpos[:]", QPOS),
        ("qpos/root", QPOS[:7]),
        ("root", QPOS[:7]),
        ("root[2]", QPOS[2:3]),
        ("qpos/root[3:5]", QPOS[3:5]),
        ("qpos/root/4", QPOS[4:5]),
        ("qpos/root[4]", QPOS[4:5]),
        ("knee", KNEES),
        ("qpos/knee", ["qpos/knee"]),
        ("*knee", KNEES),
        ("kn?e", KNEES),
        ("el*bow", QPOS[-1:]),
        ("e*w", QPOS[-1:]),
        ("sensor/*", [*HEAD, "sensor/[3]", "sensor/knee"]),
        ("sensor/*[0]", [HEAD[0], "sensor/[3]", "sensor/knee"]),
        ("sensor/head[1:]", HEAD[1:]),
        ("head", HEAD),
        ("sensor/head/2", HEAD[2:]),
        ("sensor/[3]", ["sensor/[3]"]),
        ("[1]", ["ctrl/[1]"]),
        ("ctrl/[1]", ["ctrl/[1]"]),
        ("re?ard", ["reward"]),
        ("*", [*QPOS, *KNEES[1:2], "ctrl/[1]", *HEAD, "sensor/[3]", "sensor/knee", "reward"]),
    ],
)
def test_patterns(pattern, wanted):
    assert labels(pattern) == wanted


@pytest.mark.parametrize(
    "pattern",
    ["", "qpo", "knees", "qpos[9]", "qpos[3:3]", "qpos[-]", "qpos[]", "q[", "time", "knee[1]", "a*", "qpos/"],
)  # fmt: skip
def test_patterns_of_nothing(pattern):
    with pytest.raises(ValueError, match="^no signal "):
        select([NAMED], [pattern])


def test_proposals():
    with pytest.raises(
        ValueError, match='no signal "rewart" in the recording; did you mean "reward"[?]$'
    ):
        select([NAMED], ["rewart"])
    with pytest.raises(
        ValueError, match='no signal "xyz" in the recordings; --list shows the signals'
    ):
        select([NAMED, PLAIN], ["xyz"])


def test_several_recordings():
    """Each number once, called as the first that has a name for it."""
    assert labels("qpos", NAMED, PLAIN) == QPOS
    assert labels("qpos", PLAIN, NAMED) == ["qpos[0]", "qpos[1]", "qpos[2]", *QPOS[3:]]
    assert labels("knee", PLAIN, NAMED) == KNEES
    assert [one.label for one in signals([PLAIN])] == ["qpos[0]", "qpos[1]", "qpos[2]", *HEAD]


def test_names():
    assert all(is_name([NAMED], name) for name in ("qpos", "qpos/root[0]", "el*bow", "head", "[3]"))
    assert not any(is_name([NAMED], name) for name in ("qpos[0:3]", "kn*", "head,knee"))


def test_values():
    """Of the right number; none where it was not recorded."""
    recording = Recording([0, 1], {"qpos": [[1, 2], [3, 4]]})
    _, second = signals([recording])
    assert second.values(recording).tolist() == [2, 4]
    assert np.isnan(second.values(Recording([0, 1, 2], {}))).all()


def test_where_the_solver_starts():
    """It is chosen by its own name alone: with joints' names, wildcards and all signals it would be in the way."""
    numbers, names = np.zeros((2, 2)), ["knee", "hip"]
    fields = {"qvel": numbers, "mocap_pos": np.zeros((2, 3)), "qacc_warmstart": numbers}
    named = {"qvel": names, "qacc_warmstart": names, "mocap_pos": ["hand"] * 3}
    recording = Recording([0.0, 1.0], fields, named)
    hidden = ["qacc_warmstart/knee", "qacc_warmstart/hip"]
    for pattern in ("knee", "q*/knee", "*knee"):
        assert labels(pattern, recording) == ["qvel/knee"]
    assert labels("q*", recording) == ["qvel/knee", "qvel/hip"]
    assert labels("hand", recording) == [f"mocap_pos/hand[{i}]" for i in range(3)]
    assert labels("qacc_warmstart", recording) == hidden
    assert labels("qacc_warmstart[1]", recording) == labels(hidden[1], recording) == hidden[1:]
    assert len(plot(recording).axes) == 2 and len(plot(recording, ["qacc_warmstart"]).axes) == 1
