"""Hostile callers: whatever Python hands over, the answer is a result or an exception, never a crash, a hang, a leak
or memory that is not theirs. All is seeded; SINEW_LONG=1 goes on for longer."""

import contextlib
import copy
import gc
import io
import os
import pickle
import warnings

import numpy as np
import pytest

import sinew
from sinew import _core, mujoco
from yard import XML

ROUNDS = 40 if os.environ.get("SINEW_LONG") else 2
TABLES = _core.tables()
FUNCTIONS = [
    (_core, name, signature)
    for key in ("functions", "arithmetic", "visual_functions")
    for name, signature, *_ in TABLES[key]
]
# They wait, write files, or may take as long as their arguments say.
SLOW = {"setLengthRange", "assemble"}
NUMBERS = (0.0, -0.0, 1.0, -1.0, 1e-320, 1e308, -1e308, 1e10, np.nan, np.inf, -np.inf, 0.5)
WHOLE = (0, 1, -1, 2, 3, 7, 2**31 - 1, -(2**31), 2**31, 2**63, 2**64, -(2**64), 10**400, True)


class Text(str):
    """A str that compares as it likes."""

    def __eq__(self, other):
        raise RuntimeError("no")

    __hash__ = str.__hash__


class Number(int):
    """An int that is another one when asked."""

    def __index__(self):
        return 5

    def __int__(self):
        return 6


class Thrower:
    """Raises whatever it is asked for."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    def __index__(self):
        raise RuntimeError("index")

    def __float__(self):
        raise RuntimeError("float")

    def __len__(self):
        return 10**6

    def __getitem__(self, key):
        raise RuntimeError("item")


STRANGE = (None, "", "torso", Text("x"), b"\x00\xff", "\ud800", "a\0b", object(), Thrower(), Number(3), [], [[]], {}, (), 1j, 1.5, 10**400, int, slice(3), ...)


def hostile_array(rng, shape, dtype, right):
    """An array, mostly of the right shape, of odd numbers or layout."""
    kind = 0 if right else rng.integers(10)
    if kind == 1:
        shape = tuple(rng.integers(0, 4, rng.integers(0, 4)))
    size = int(np.prod(shape))
    if np.dtype(dtype).kind == "f":
        numbers = rng.choice(NUMBERS, size) if rng.random() < 0.5 else rng.normal(size=size)
    else:
        limits = np.iinfo(dtype)
        numbers = rng.choice([0, 1, max(-1, limits.min), limits.max, limits.min, 2, 5], size)
    with np.errstate(all="ignore"):
        array = np.ascontiguousarray(numbers.astype(dtype).reshape(shape))
    if kind == 2:
        array.setflags(write=False)
    if kind == 3:
        array = np.asfortranarray(array)
    if kind == 4:
        array = np.repeat(array, 2, axis=-1)[..., ::2] if array.ndim else array
    if kind == 5:
        array = array.astype(rng.choice(["f2", "f4", "i8", "u1", "c16", "O", "S3", ">f8", "?"]))
    if kind == 6:
        return array.tolist()
    if kind == 7:
        return array[::-1] if array.ndim else array
    return array


def words(signature):
    for word in signature.partition(" -> ")[0].split():
        name, _, kind = word.partition(":")
        yield name, kind


def hostile_arguments(rng, world, signature, right):
    """Arguments of a function; `right`: shapes and types are what they should be."""
    m, d = world["m"], world["d"]
    sizes = {name: getattr(m, name) for name, _ in TABLES["sizes"]}
    sizes |= {"nefc": d.nefc, "ncon": d.ncon, "nx": 2 * m.nv + m.na, "parameters": m.nbody}
    sizes |= {"nlooprow": d.nlooprow, "ny": 0, "state": 1, "object": m.nbody}
    sizes |= {chr(c): int(rng.integers(0, 5)) for c in range(ord("a"), ord("z") + 1)}
    dtypes = {"i": np.int32, "b": np.uint8, "f": np.float32}
    given = []
    for name, kind in words(signature):
        if not right and rng.random() < 0.05:
            given.append(STRANGE[rng.integers(len(STRANGE))])
        elif not kind:
            given.append(m if name == "m" else d)
        elif kind[0] in "rw":
            extents = kind.split("(")[1][:-1].split(",")
            shape = [int(rng.integers(0, 9)) if s == "*" else sizes[s] if s in sizes else int(s) for s in extents]
            array = hostile_array(rng, shape, dtypes.get(kind[1], np.float64), right or rng.random() < 0.7)
            same = [a for a in given if isinstance(a, np.ndarray) and a.shape == np.shape(array)]
            given.append(same[0] if same and rng.random() < 0.1 else array)
            if "?" in kind and rng.random() < 0.2:
                given[-1] = None
        elif kind[0] in "M_":
            given.append(world["records"][kind.rstrip("?")])
        elif kind.startswith("float"):
            given.append(float(rng.choice(NUMBERS)))
        elif kind.startswith("str"):
            given.append("/dev/null" if "file" in name else ("xyz", "%g", "", "%s%n", "%999999d", "x" * 999)[rng.integers(6)])
        elif name in ("nstep", "n", "maxiter") or "step" in name:
            given.append((0, 1, 2, -1)[rng.integers(4)])
        else:
            given.append(WHOLE[rng.integers(len(WHOLE))] if rng.random() < 0.4 else int(rng.integers(-1, 8)))
    return given


def make_world(xml=XML):
    m = mujoco.MjModel.from_xml_string(xml)
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, 5)
    scene = mujoco.MjvScene(m, 20)
    records = {t[0].rpartition(".")[2]: t[0] for t in TABLES["structs"]}
    records = {
        name: scene if name == "_MjvScene" else getattr(_core, name, getattr(mujoco, name.lstrip("_"), None))
        for name in records
    }
    records = {k: v() if isinstance(v, type) and k not in ("MjVisual",) else v for k, v in records.items()}
    return {"m": m, "d": d, "scene": scene, "records": records}


ERRORS = (TypeError, ValueError, IndexError, KeyError, OverflowError, RuntimeError, AttributeError, NotImplementedError,
          MemoryError, BufferError, ArithmeticError, UnicodeError, OSError, Warning, AssertionError, LookupError)
EMPTY = "<mujoco/>"


@contextlib.contextmanager
def silence():
    with warnings.catch_warnings(), np.errstate(all="ignore"), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("module,name,signature", FUNCTIONS, ids=[f[1] for f in FUNCTIONS])
def test_functions(module, name, signature):
    """Each function, of shapes and types right and wrong, on a model with all and on an empty one."""
    function = getattr(module, name)
    for xml in (XML, EMPTY):
        for round in range(ROUNDS * (1 if name in SLOW else 5)):
            rng = np.random.default_rng([round, len(name), len(signature)])
            world = make_world(xml)
            given = hostile_arguments(rng, world, signature, right=round % 2)
            names = [n for n, _ in words(signature)]
            by_name = int(rng.integers(len(given) + 1)) if given else 0
            keywords = dict(zip(names[by_name:], given[by_name:], strict=True))
            if os.environ.get("SINEW_TRACE"):
                print(name, round, repr(given)[:1500], file=open(os.environ["SINEW_TRACE"], "w"), flush=True)
            with silence(), contextlib.suppress(*ERRORS):
                function(*given[:by_name], **keywords)
            with silence(), contextlib.suppress(*ERRORS):
                mujoco.mj_forward(world["m"], world["d"])
