"""Pickles of data that were damaged: refused, or simulated without a crash. A process of its own works on them, so
that a crash is seen; SINEW_LONG=1 goes on for longer. tests/unit/pipeline/test_check_data.c changes single entries."""

import contextlib
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from sinew import _core, mujoco

PATH = pathlib.Path(__file__).parents[1] / "models/everything.xml"
ROUNDS = 5000 if os.environ.get("SINEW_LONG") else 120
SETTINGS = {
    "soft": {},
    "elliptic": {"cone": 1, "noslip_iterations": 2},
    "PGS": {"solver": 0, "cone": 1},
    "CG": {"solver": 1, "integrator": 1},
    "exact": {"loops": 1},
    "rigid": {"integrator": 0, "contact": 1, "loops": 1, "cone": 1},
}
HEADER = 64
INTS = [name for name, ctype, *_ in _core.tables()["data"] if ctype == "int"]


def started(setting):
    model = mujoco.MjModel.from_xml_path(str(PATH))
    for name, value in SETTINGS[setting].items():
        setattr(model.opt, name, value)
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.1
    mujoco.mj_step(model, data, 5)
    mujoco.mj_forward(model, data)
    return model, data


def places_of_ints(data, good):
    """Where arrays of int are in the bytes: those that no other bytes look like."""
    found = []
    for name in INTS:
        array = np.asarray(getattr(data, name, np.zeros(0)))
        if array.dtype == np.int32 and array.size > 1:
            at = good.find(array.tobytes())
            found += [(at, array.size)] * (at >= 0)
    assert len(found) > 10
    return found


def damaged(rng, good, places):
    """One way to damage the bytes."""
    bad = bytearray(good)
    way = rng.integers(6)
    if way == 0:  # anywhere
        for at in rng.integers(HEADER, len(bad), 3):
            bad[at] = rng.integers(256)
    elif way == 1:  # in the scalars and the places of the arena's arrays
        for at in rng.integers(HEADER, 4096, 2):
            bad[at] = rng.integers(256)
    elif way == 2:  # the lengths
        bad[rng.integers(HEADER)] ^= 1 << rng.integers(8)
    elif way == 3:  # cut off, or put together from two
        at = int(rng.integers(len(bad)))
        bad = bad[:at] if rng.integers(2) else bad[:at] + bad[at + 64 :] + bytes(64)
    else:  # an entry of an array of int
        at, count = places[rng.integers(len(places))]
        value = rng.choice([rng.integers(-2, 64), rng.integers(-(2**31), 2**31)])
        at += 4 * int(rng.integers(count))
        bad[at : at + 4] = int(value).to_bytes(4, "little", signed=True)
    return bytes(bad)


def look(model, data):
    """All that reads what was computed before."""
    force = np.zeros(6)
    for i in range(data.ncon):
        mujoco.mj_contactForce(model, data, i, force)
    for name in dir(data):
        if not name.startswith("_"):
            with contextlib.suppress(ValueError, AttributeError):
                getattr(data, name)
    mujoco.mj_printData(model, data, os.devnull)
    scene = mujoco.MjvScene(model, 500)
    option = mujoco.MjvOption()
    option.flags[:] = 1
    mujoco.mjv_updateScene(model, data, option, None, mujoco.MjvCamera(), 7, scene)


def attack(setting):
    """What the process does: prints how many were taken."""
    model, data = started(setting)
    good = _core.packData(data)
    places, taken, used = places_of_ints(data, good), 0, mujoco.MjData(model)
    for k in range(ROUNDS):
        rng = np.random.default_rng([k, sorted(SETTINGS).index(setting)])
        bad = damaged(rng, good, places)
        if "SINEW_TRACE" in os.environ:
            pathlib.Path(os.environ["SINEW_TRACE"]).write_text(f"{setting} {k}")
        with contextlib.suppress(ValueError, MemoryError):
            _core.unpackInto(used, bad)
        mujoco.mj_step(model, used)
        try:
            copies = [_core.unpackData(mujoco.MjData, model, bad) for _ in range(4)]
        except (ValueError, MemoryError):
            continue
        taken += 1
        look(model, copies[0])
        for call, copy in zip(
            (mujoco.mj_step2, mujoco.mj_inverse, mujoco.mj_fwdConstraint, mujoco.mj_fwdVelocity),
            copies,
            strict=True,
        ):
            with contextlib.suppress(ValueError):  # rigid contact has no inverse dynamics
                call(model, copy)
            mujoco.mj_step(model, copy, 3)
            mujoco.mj_forward(model, copy)
            with contextlib.suppress(ValueError):
                mujoco.mj_inverse(model, copy)
    print(taken)


@pytest.mark.parametrize("setting", SETTINGS)
def test_damaged_pickles(setting):
    done = subprocess.run(
        [sys.executable, "-W", "ignore", __file__, setting],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
    assert int(done.stdout) > ROUNDS // 10


def test_what_is_damaged_is_named():
    model, data = started("soft")
    good = _core.packData(data)
    array = np.asarray(data.moment_colind)
    at = good.index(array.tobytes())
    for value in (-1, model.nv, 2**31 - 1):
        bad = good[:at] + value.to_bytes(4, "little", signed=True) + good[at + 4 :]
        with pytest.raises(ValueError, match=r"moment_colind\[0\]"):
            _core.unpackData(mujoco.MjData, model, bad)


def test_arrays_that_overlap_are_refused():
    """A stage that writes one array would change indices of the other."""
    model, data = started("exact")
    good = _core.packData(data)
    assert data.nefc
    offsets = np.frombuffer(good, np.int64, (len(good) - HEADER) // 8, HEADER)
    refused = 0
    for i in np.flatnonzero((offsets > 0) & (offsets % 64 == 0) & (offsets < 10**6))[:200]:
        bad = good[: HEADER + 8 * i] + bytes(8) + good[HEADER + 8 * i + 8 :]
        try:
            _core.unpackData(mujoco.MjData, model, bad)
        except ValueError as error:
            refused += "do not lie apart" in str(error)
    assert refused > 20


@pytest.mark.parametrize("setting", SETTINGS)
def test_bytes_come_into_a_data_that_is_there(setting):
    """As into a new one; where they do not fit it is reset, and goes on."""
    model, data = started(setting)
    good = _core.packData(data)
    mujoco.mj_step(model, data, 3)
    for there in (data, mujoco.MjData(model)):
        _core.unpackInto(there, good)
        assert _core.packData(there) == good
    at = good.index(np.asarray(data.moment_colind).tobytes())
    for bad in (good[:-1], b"", good[:at] + b"\xff" * 4 + good[at + 4 :]):
        mujoco.mj_step(model, data, 2)
        with pytest.raises(ValueError):
            _core.unpackInto(data, bad)
        assert data.time == 0 and data.ncon == 0
    fresh = mujoco.MjData(model)
    for there in (data, fresh):
        mujoco.mj_step(model, there, 3)
    assert np.array_equal(data.qpos, fresh.qpos)


if __name__ == "__main__":
    attack(sys.argv[1])
