"""Enumerations, constants and words of `sinew.mujoco` against the pinned peer's."""

import copy
import operator
import pickle

import mujoco as peer
import numpy as np
import pytest

from sinew import mujoco

NAMES = sorted(n for n in dir(peer) if n.startswith("mjt") and hasattr(getattr(peer, n), "name"))
CONSTANTS = sorted(
    n
    for n in dir(peer)
    if n.startswith("mj") and isinstance(getattr(peer, n), int | float | tuple)
    if n != "mjVERSION_HEADER"
)


def test_there_are_enumerations():
    assert len(NAMES) > 60 and len(CONSTANTS) > 20


@pytest.mark.parametrize("name", NAMES)
def test_members(name):
    theirs, ours = getattr(peer, name), getattr(mujoco, name)
    assert ours.__name__ == theirs.__name__
    assert list(ours.__members__) == list(theirs.__members__)
    for member, value in theirs.__members__.items():
        own = getattr(ours, member)
        assert (own.name, own.value, int(own)) == (value.name, value.value, int(value))
        assert (str(own), repr(own), f"{own}") == (str(value), repr(value), f"{value}")
        assert hash(own) == hash(value) and bool(own) == bool(value)
        assert ours(value.value) == own and ours(value=value.value).name == value.name
        for copied in (copy.copy(own), copy.deepcopy(own), pickle.loads(pickle.dumps(own))):
            assert type(copied) is ours and copied == own


@pytest.mark.parametrize("name", CONSTANTS)
def test_constants(name):
    assert getattr(mujoco, name) == getattr(peer, name)


BINARY = ("add", "sub", "mul", "truediv", "floordiv", "mod", "and_", "or_", "xor", "eq", "ne")


@pytest.mark.parametrize("name", BINARY)
def test_arithmetic(name):
    function = getattr(operator, name)
    for other in (3, True, "GEOM", "BOX"):
        results = []
        for module in (peer, mujoco):
            x = module.mjtObj.mjOBJ_GEOM
            y = {"GEOM": x, "BOX": module.mjtGeom.mjGEOM_BOX}.get(other, other)
            results.append((function(x, y), function(y, x)))
        assert results[0] == results[1]
        assert [type(r) for r in results[0]] == [type(r) for r in results[1]]


def test_as_key_and_index():
    x = mujoco.mjtObj.mjOBJ_GEOM
    assert {5: "a"}[x] == "a" and {x: "a"}[5] == "a"
    assert [*range(9)][x] == 5 and np.arange(9)[x] == 5 and np.zeros((2, 9))[:, x].shape == (2,)
    assert np.int32(5) == x and x in mujoco.mjtObj.__members__.values() and len({x, 5}) == 1
    assert -x == -5 and x << 1 == 10 and x >> 1 == 2 and x == 5.0
    assert x != "geom" and x is not None and x != mujoco.mjtObj.mjOBJ_BODY


def test_wrong_values():
    for module in (peer, mujoco):
        with pytest.raises(ValueError, match="999"):
            module.mjtObj(999)
        for wrong in (5.0, "mjOBJ_GEOM", None):
            with pytest.raises(TypeError):
                module.mjtObj(wrong)
        with pytest.raises(TypeError):
            module.mjtObj()
        with pytest.raises(AttributeError):
            module.mjtObj.mjOBJ_GEOM.value = 3
        with pytest.raises(TypeError):
            iter(module.mjtObj)


def test_modules():
    from sinew.mujoco import _enums

    for name in NAMES:
        assert getattr(_enums, name) is getattr(mujoco, name)
        assert all(
            member in getattr(mujoco, name).__doc__ for member in getattr(mujoco, name).__members__
        )
