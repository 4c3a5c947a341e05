"""Hostile callers: whatever Python hands over, the answer is a result or an exception, never a crash, a hang, a leak
or memory that is not theirs. All is seeded; SINEW_LONG=1 goes on for longer."""

import contextlib
import copy
import gc
import io
import os
import pickle
import threading
import warnings

import numpy as np
import pytest

import sinew
from sinew import _core, mujoco
from sinew.mujoco import rollout
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


STRANGE = (
    None,
    "",
    "torso",
    Text("x"),
    b"\x00\xff",
    "\ud800",
    "a\0b",
    object(),
    Thrower(),
    Number(3),
    [],
    [[]],
    {},
    (),
    1j,
    1.5,
    10**400,
    int,
    slice(3),
    ...,
)


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
        with np.errstate(all="ignore"):
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
            shape = [
                int(rng.integers(0, 9)) if s == "*" else sizes[s] if s in sizes else int(s)
                for s in extents
            ]
            array = hostile_array(
                rng, shape, dtypes.get(kind[1], np.float64), right or rng.random() < 0.7
            )
            same = [a for a in given if isinstance(a, np.ndarray) and a.shape == np.shape(array)]
            given.append(same[0] if same and rng.random() < 0.1 else array)
            if "?" in kind and rng.random() < 0.2:
                given[-1] = None
        elif kind[0] in "M_":
            given.append(world["records"][kind.rstrip("?")])
        elif kind.startswith("float"):
            given.append(float(rng.choice(NUMBERS)))
        elif kind.startswith("str"):
            given.append(
                "/dev/null"
                if "file" in name
                else ("xyz", "%g", "", "%s%n", "%999999d", "x" * 999)[rng.integers(6)]
            )
        elif name in ("nstep", "n", "maxiter") or "step" in name:
            given.append((0, 1, 2, -1)[rng.integers(4)])
        else:
            given.append(
                WHOLE[rng.integers(len(WHOLE))] if rng.random() < 0.4 else int(rng.integers(-1, 8))
            )
    return given


def make_world(xml=XML):
    m = mujoco.MjModel.from_xml_string(xml)
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, 5)
    scene = mujoco.MjvScene(m, 20)
    records = {t[0].rpartition(".")[2]: t[0] for t in TABLES["structs"]}
    records = {
        name: scene
        if name == "_MjvScene"
        else getattr(_core, name, getattr(mujoco, name.lstrip("_"), None))
        for name in records
    }
    records = {
        k: v() if isinstance(v, type) and k not in ("MjVisual",) else v for k, v in records.items()
    }
    return {"m": m, "d": d, "scene": scene, "records": records}


ERRORS = (
    pickle.PickleError,
    mujoco.FatalError,
    mujoco.UnexpectedError,
    TypeError,
    ValueError,
    IndexError,
    KeyError,
    OverflowError,
    RuntimeError,
    AttributeError,
    NotImplementedError,
    MemoryError,
    BufferError,
    ArithmeticError,
    UnicodeError,
    OSError,
    Warning,
    AssertionError,
    LookupError,
)
EMPTY = "<mujoco/>"


@contextlib.contextmanager
def silence():
    with (
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
        contextlib.redirect_stdout(io.StringIO()),
    ):
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
                print(
                    name,
                    round,
                    repr(given)[:1500],
                    file=open(os.environ["SINEW_TRACE"], "w"),
                    flush=True,
                )
            with silence(), contextlib.suppress(*ERRORS):
                function(*given[:by_name], **keywords)
            with silence(), contextlib.suppress(*ERRORS):
                mujoco.mj_forward(world["m"], world["d"])


# ---- attributes


def owners():
    """Things that have attributes, and what owns them."""
    world = make_world()
    m, d = world["m"], world["d"]
    ours = sinew.Model.from_xml(XML)
    data = sinew.Data(ours)
    sinew.step(ours, data, nstep=5)
    spec = mujoco.MjSpec.from_string(XML)
    things = {"MjModel": m, "MjData": d, "Model": ours, "Data": data, "MjSpec": spec}
    things |= {
        f"{k}_": v for k, v in world["records"].items() if v is not None and not isinstance(v, type)
    }
    for name in ("opt", "vis", "stat"):
        things[f"m.{name}"] = getattr(m, name)
        things[f"model.{name}"] = getattr(ours, name)
        things[f"spec.{name}"] = getattr(
            spec, {"opt": "option", "vis": "visual", "stat": "stat"}[name]
        )
    for name in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        things[f"m.vis.{name}"] = getattr(m.vis, name)
    for name in ("contact", "warning", "timer", "solver"):
        things[f"d.{name}"] = getattr(d, name)
        things[f"d.{name}[0]"] = getattr(d, name)[0]
        things[f"d.{name}[::-2]"] = getattr(d, name)[::-2]
    for kind in ("body", "joint", "geom", "site", "camera", "light", "actuator", "sensor"):
        things[f"m.{kind}"] = getattr(m, kind)(0)
        things[f"d.{kind}"] = getattr(d, kind)(0)
    for kind in ("numeric", "text", "key"):
        things[f"m.{kind}"] = getattr(m, kind)(0)
    lists = (
        "bodies",
        "joints",
        "geoms",
        "sites",
        "cameras",
        "lights",
        "actuators",
        "sensors",
        "numerics",
        "texts",
        "keys",
    )
    for kind in lists:
        things[f"spec.{kind}"] = getattr(spec, kind)[-1]
    things |= {"spec.compiler": spec.compiler, "spec.default": spec.default}
    return things


def values(rng, old):
    """Hostile values for an attribute that was `old`."""
    yield from (STRANGE[i] for i in rng.integers(len(STRANGE), size=3))
    yield WHOLE[rng.integers(len(WHOLE))]
    yield float(rng.choice(NUMBERS))
    yield np.zeros(tuple(rng.integers(0, 4, rng.integers(0, 4))))
    if isinstance(old, np.ndarray) and old.dtype.kind in "fiub":
        yield hostile_array(rng, old.shape, old.dtype, old.dtype.kind == "f")


# Closes, deletes, makes something large, or starts a viewer.
UNASKED = {"__class__", "__dict__", "__init_subclass__", "__subclasshook__"}


def poke(thing, name, rng):
    """Gets, sets and deletes an attribute."""
    attempt = contextlib.suppress(*ERRORS)
    old = None
    with attempt:
        old = getattr(thing, name)
        repr(old)
    for value in values(rng, old):
        with attempt:
            setattr(thing, name, value)
        with attempt:
            repr(getattr(thing, name))
    with attempt:
        delattr(thing, name)
    if isinstance(old, np.ndarray) and old.size and old.flags.writeable and old.dtype.kind == "f":
        old[...] = rng.choice(NUMBERS)


def whole(thing):
    """What one does with a thing as such."""
    for act in (repr, hash, copy.copy, copy.deepcopy, pickle.dumps, lambda x: pickle.loads(pickle.dumps(x)), len, iter, bool,
                lambda x: x == x, lambda x: x != copy.copy(x), lambda x: x == 1, lambda x: x < x, dir, type(thing), lambda x: type(x).__new__(type(x)),
                lambda x: x.__init__(), lambda x: x.__init__(x), lambda x: x.__setstate__({}), lambda x: x.__setstate__(None),
                lambda x: x.__reduce_ex__(4), lambda x: memoryview(x), lambda x: x[0], lambda x: x[-10**30], lambda x: x[::-3], lambda x: x[Number(0)],
                lambda x: x[None], lambda x: x["a"], lambda x: list(x), lambda x: x.__setitem__(0, x[-1])):  # fmt: skip
        with contextlib.suppress(*ERRORS):
            repr(act(thing))


@pytest.mark.parametrize("key", sorted(owners()))
def test_attributes(key):
    """Every attribute of everything: got, set to what it cannot be, deleted; the thing copied, pickled, compared."""
    with silence():
        for round in range(ROUNDS):
            rng = np.random.default_rng([round, len(key)])
            thing = owners()[key]
            for name in dir(thing):
                if name in UNASKED or (name.startswith("__") and name.endswith("__")):
                    continue
                if os.environ.get("SINEW_TRACE"):
                    print(key, name, round, file=open(os.environ["SINEW_TRACE"], "w"), flush=True)
                poke(thing, name, rng)
            whole(thing)
            del thing
            gc.collect()


def test_records_outlive_their_owners():
    """What was taken from a model, a data or a list stays readable when those are gone, or have fewer contacts."""
    d = make_world()["d"]
    held = (
        list(d.contact),
        d.contact,
        d.contact[1:],
        d.contact[::-1],
        d.contact.geom,
        d.contact[0].pos,
        d.contact[-1].H,
    )
    assert len(d.contact) == 4
    d.qpos[2] = 5
    mujoco.mj_forward(d.model, d)
    assert len(d.contact) == 0 and len(held[1]) == 0
    assert len(held[0]) == 4
    for record in [*held[0], *held[2], *held[3]]:
        repr(record)
        repr(record.H)
        copy.copy(record)
    with pytest.raises(IndexError):
        held[1][0]
    view, element, part = d.qpos, d.body(1), d.model.opt
    lists = d.contact, d.warning, d.timer, d.solver
    del d
    gc.collect()
    for thing in (view, element, part, element.xpos, *lists, *held[0]):
        repr(thing)
    assert element.xpos[2] == 5


# ---- models that their callers broke

NONSENSE = (10**9, -(10**9), 2**31 - 1, -(2**31), -1, 7)


KINDS = [
    [names[0] for owner, _, names, _ in TABLES["elements"] if owner == which]
    for which in ("Model", "Data")
]


def integer_fields(table):
    return [name for name, ctype, *_ in TABLES[table] if ctype == "int"]


def look_at(m, d):
    """All that looks at a model and a data without stepping it."""
    attempt = contextlib.suppress(*ERRORS)
    for owner in (m, d):
        for name in dir(owner):
            if not name.startswith("_"):
                with attempt:
                    getattr(owner, name)
        for kind in KINDS[owner is d]:
            for id in (0, 1, "elbow", "crate", "nobody"):
                with attempt:
                    element = getattr(owner, kind)(id)
                    for name in dir(element):
                        with attempt:
                            getattr(element, name)
    with attempt:
        mujoco.mj_printModel(m, "/dev/null")
    with attempt:
        mujoco.mj_printData(m, d, "/dev/null")
    for object in range(25):
        mujoco.mj_id2name(m, object, 0)
        mujoco.mj_name2id(m, object, "elbow")
    force = np.zeros(6)
    for k in range(d.ncon):
        mujoco.mj_contactForce(m, d, k, force)
    scene, camera = mujoco.MjvScene(m, 10), mujoco.MjvCamera()
    perturbation = mujoco.MjvPerturb()
    for perturbation.select in (1, 4):
        for perturbation.active in (1, 2):
            for call in (
                lambda: mujoco.mjv_initPerturb(m, d, scene, perturbation),
                lambda: mujoco.mjv_movePerturb(m, d, 1, 0.1, 0.1, scene, perturbation),
                lambda: mujoco.mjv_applyPerturbPose(m, d, perturbation, 0),
                lambda: mujoco.mjv_applyPerturbPose(m, d, perturbation, 1),
                lambda: mujoco.mjv_applyPerturbForce(m, d, perturbation),
                lambda: mujoco.mjv_moveCamera(m, 1, 0.1, 0.1, scene, camera),
                lambda: mujoco.mjv_defaultFreeCamera(m, camera),
            ):
                with attempt:
                    call()


@pytest.mark.parametrize(
    "where,name",
    [("model", n) for n in integer_fields("model")] + [("data", n) for n in integer_fields("data")],
)
def test_nonsense_in_integers(where, name):
    """A number in place of an id, an address or a count: what looks at it stays in its memory."""
    for number in NONSENSE if os.environ.get("SINEW_LONG") else NONSENSE[:1]:
        for at in (0, -1, slice(None)):
            m = mujoco.MjModel.from_xml_string(XML)
            m.opt.jacobian = at == 0
            m.opt.solver = mujoco.mjtSolver.mjSOL_PGS
            d = mujoco.MjData(m)
            mujoco.mj_step(m, d, 3)
            array = getattr(m if where == "model" else d, name)
            if array.size == 0:
                return
            array.flat[at] = number
            with silence():
                look_at(m, d)


def test_nonsense_in_contacts():
    for member in ("dim", "efc_address", "exclude", "geom", "geom1", "geom2"):
        for number in NONSENSE:
            world = make_world()
            for contact in world["d"].contact:
                setattr(contact, member, number)
            with silence():
                look_at(world["m"], world["d"])


# ---- sparse rows, rollouts, threads


def test_rows_of_a_sparse_matrix_stay_inside_it():
    """mj_addM writes nothing outside of dst: counts and addresses are checked without overflow, columns too."""
    world = make_world()
    m, d = world["m"], world["d"]
    good = [np.array(getattr(m, "M_" + name), np.int32) for name in ("rownnz", "rowadr", "colind")]
    for k, number in ((0, 2**31 - 1), (0, -1), (1, 2**31 - 1), (1, -1), (2, m.nv), (2, -1)):
        bad = [a.copy() for a in good]
        bad[k][-1] = number
        dst = np.zeros(m.nC)
        with pytest.raises(ValueError):
            mujoco.mj_addM(m, d, dst, *bad)
        assert not dst.any()
    with pytest.raises(ValueError):
        _core.addM(m, d, np.zeros(3), None, None, None)
    wide = np.zeros((m.nv, 2 * m.nv))
    with pytest.raises(TypeError):  # no copy takes what is for the caller
        sinew.addM(m, d, wide[:, ::2])


def odd_lists(m, rng):
    state = np.zeros(mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_FULLPHYSICS))
    datas = [mujoco.MjData(m) for _ in range(3)]
    other = mujoco.MjModel.from_xml_string(EMPTY)
    return [None, [], m, datas[0], [m], datas, [m] * 3, datas[:1] * 2, 0, -1, 1, 10**400, "x", state, state[:-1],
            np.tile(state, (3, 1)), np.full((3, state.size), np.nan), np.zeros((0, state.size)), np.zeros((3, 4, 3)),
            np.zeros((3, 4, state.size)), np.zeros((3, 8)), other, [other], state.astype("f4"), object(), Thrower()]  # fmt: skip


def test_rollouts():
    """Lists, shapes and numbers that cannot be, now and then among those that can."""
    m = mujoco.MjModel.from_xml_string(XML)
    rng = np.random.default_rng(0)
    keywords = "control control_spec skip_checks nstep initial_warmstart state sensordata chunk_size persistent_pool".split()
    for _ in range(100 * ROUNDS):
        odd = odd_lists(m, rng)
        given = [m, odd[3], odd[15]]
        given = [g if rng.random() < 0.7 else odd[rng.integers(len(odd))] for g in given]
        named = {k: odd[rng.integers(len(odd))] for k in keywords if rng.random() < 0.2}
        with silence(), contextlib.suppress(*ERRORS):
            rollout.rollout(*given, **named)
    rollout.shutdown_persistent_pool()


def test_rollout_closed_while_it_runs():
    m = mujoco.MjModel.from_xml_string(XML)
    states = np.zeros((60, mujoco.mj_stateSize(m, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    for _ in range(ROUNDS):
        runner, datas, done = rollout.Rollout(nthread=2), [mujoco.MjData(m) for _ in range(2)], []

        def run(runner=runner, datas=datas, done=done):
            with contextlib.suppress(RuntimeError):
                runner.rollout(m, datas, states, nstep=20)
            done.append(1)

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        with contextlib.suppress(RuntimeError):
            runner.close()
        for thread in threads:
            thread.join()
        assert len(done) == 2


@pytest.mark.parametrize("shared", (False, True))
def test_threads(shared):
    """Threads that do everything, each on its own data or all on one: a result, or RuntimeError of a data in use."""
    m = mujoco.MjModel.from_xml_string(XML)
    datas = [mujoco.MjData(m)] * 3 if shared else [mujoco.MjData(m) for _ in range(8)]
    wrong = []

    def everything(d, seed):
        rng = np.random.default_rng(seed)
        force = np.zeros(6)
        acts = (
            lambda: mujoco.mj_step(m, d), lambda: mujoco.mj_resetData(m, d), lambda: d.nisland, lambda: d.efc_J,
            lambda: d.iefc_J, lambda: d.M, lambda: [repr(c) for c in d.contact], lambda: d.contact.H, lambda: d.contact[0].dist,
            lambda: repr(d.contact[::-1]), lambda: repr(d.joint("elbow")), lambda: m.opt.gravity, lambda: copy.copy(d),
            lambda: pickle.loads(pickle.dumps(d)), lambda: mujoco.mj_contactForce(m, d, 0, force), lambda: d.contact == d.contact,
            lambda: mujoco.mj_printData(m, d, "/dev/null"), lambda: d.efc_AR, lambda: setattr(d, "M", 1), lambda: setattr(d, "threads", 2),
        )  # fmt: skip
        for k in rng.integers(len(acts), size=100 * ROUNDS):
            try:
                acts[k]()
            except IndexError:
                pass
            except RuntimeError as error:
                if not shared or "in use by another thread" not in str(error):
                    wrong.append(error)
            except Exception as error:
                wrong.append(error)

    with silence():
        threads = [threading.Thread(target=everything, args=(d, i)) for i, d in enumerate(datas)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert not wrong
