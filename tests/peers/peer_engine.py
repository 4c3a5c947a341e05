"""What tests ask of MuJoCo, whichever release: models by number, fields by name, calls.

It runs in the process of the release that it is given: newest.py has one of 4.0.1 in a process of its own.
"""

import collections
import copy
import pathlib
import types
import weakref

import numpy as np

_KEPT_BYTES = 200_000_000  # of compiled models, the last used ones


def _taken(value):
    """A field as it is sent: arrays are copied, structs become namespaces of theirs."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, int | float | bool | str | bytes):
        return value
    return types.SimpleNamespace(**_fields(value))


def _fields(struct):
    """Everything that a struct of the peer's holds, functions and arrays that raise left out."""
    found = {}
    for name in dir(struct):
        if name.startswith("_"):
            continue
        try:
            value = getattr(struct, name)
        except Exception:  # what a model lacks raises various errors
            continue
        if isinstance(value, np.ndarray | int | float | bool | str | bytes):
            found[name] = value.copy() if isinstance(value, np.ndarray) else value
    return found


def _full(values, rownnz, rowadr, colind, columns):
    """Rows that are kept sparse, as a matrix."""
    full = np.zeros((len(rownnz), columns))
    for row, (count, first) in enumerate(zip(rownnz, rowadr, strict=True)):
        full[row, colind[first : first + count]] = values[first : first + count]
    return full


class Engine:
    """Models and their data in one release. Each model has a number, and one data, made when it is first needed."""

    def __init__(self, mujoco):
        self.mujoco = mujoco
        self.models, self.datas, self.count = {}, {}, 0
        self.compiled = collections.OrderedDict()  # (source, assets): model as compiled, warnings

    def load(self, source, assets=None):
        """Number of a new model and the compiler's warnings; `source`: path or XML. ValueError: what the compiler says."""
        text = source.lstrip().startswith("<")
        changed = None if text else pathlib.Path(source).stat().st_mtime_ns
        key = source, changed, tuple(sorted((assets or {}).items()))
        if key not in self.compiled:
            kind = self.mujoco.MjModel
            self.compiled[key] = self._compile(
                kind.from_xml_string if text else kind.from_xml_path, source, assets or {}
            )
            while len(self.compiled) > 1 and self._bytes() > _KEPT_BYTES:
                self.compiled.popitem(last=False)
        self.compiled.move_to_end(key)
        model, warnings = self.compiled[key]
        self.count += 1
        self.models[self.count] = copy.copy(model)
        return self.count, warnings

    def _compile(self, call, *arguments):
        """A model, and what the compiler has said of it."""
        before, said = self.mujoco.get_mju_user_warning(), []
        self.mujoco.set_mju_user_warning(said.append)
        try:
            return call(*arguments), said
        finally:
            self.mujoco.set_mju_user_warning(before)

    def _bytes(self):
        return sum(int(model.nbuffer) for model, _ in self.compiled.values())

    def delete(self, number):
        self.models.pop(number, None)
        self.datas.pop(number, None)

    def data(self, number):
        if number not in self.datas:
            self.datas[number] = self.mujoco.MjData(self.models[number])
        return self.datas[number]

    def set(self, number, fields):
        """Sets fields of the model, or of its options, statistics or visual settings."""
        m = self.models[number]
        for name, value in fields.items():
            struct = m.opt if hasattr(m.opt, name) else m if hasattr(m, name) else m.stat
            self._write(struct, name, value)

    def put(self, number, fields):
        """Sets fields of the data."""
        for name, value in fields.items():
            self._write(self.data(number), name, value)

    def _write(self, struct, name, value):
        old = getattr(struct, name)
        if isinstance(old, np.ndarray):
            old[...] = np.reshape(value, old.shape) if np.size(value) > 1 else value
        else:
            setattr(struct, name, value)

    def get(self, number, names=()):
        """Fields of the model (`opt` and `stat` as namespaces, options also by their own names); without names all."""
        m = self.models[number]
        if not names:
            return _fields(m) | {name: _taken(getattr(m, name)) for name in ("opt", "stat")}
        place = {name: m if hasattr(m, name) else m.opt for name in names}
        return {name: _taken(getattr(place[name], name)) for name in names}

    def look(self, number, names=()):
        """Fields of the data, see newest.Model.look; without names all that the release has by these names."""
        d = self.data(number)
        if not names:
            return _fields(d) | self.look(number, ("contact", "warning"))
        return {name: self._field(number, d, name) for name in names}

    def _field(self, number, d, name):
        m = self.models[number]
        if name.startswith("contact."):
            return getattr(d.contact, name.removeprefix("contact.")).copy()
        if name == "contact":
            return types.SimpleNamespace(**_fields(d.contact))
        if name == "warning":
            kinds = list(self.mujoco.mjtWarning.__members__)[:-1]
            return {kind.removeprefix("mjWARN_"): int(w.number) for kind, w in zip(kinds, d.warning, strict=True)}  # fmt: skip
        if name == "solver_niter":
            return d.solver_niter.copy()
        if name.startswith("full_"):
            return getattr(self, name)(m, d)
        return _taken(getattr(d, name))

    def full_M(self, m, d):
        """The inertia (nv x nv)."""
        full = np.zeros((m.nv, m.nv))
        if hasattr(d, "qM"):
            self.mujoco.mj_fullM(m, full, d.qM)
        else:
            self.mujoco.mj_fullM(m, d, full)
        return full

    def full_efc_J(self, m, d):
        """The constraint Jacobian (nefc x nv)."""
        if self.mujoco.mj_isSparse(m):
            return _full(d.efc_J, d.efc_J_rownnz, d.efc_J_rowadr, d.efc_J_colind, m.nv)
        # room for rows that have come to nothing may follow
        return np.ravel(d.efc_J)[: d.nefc * m.nv].reshape(d.nefc, m.nv).copy()

    def full_ten_J(self, m, d):
        """The moment arms of tendons (ntendon x nv)."""
        where = m if hasattr(m, "ten_J_rownnz") else d
        if where is m or self.mujoco.mj_isSparse(m):
            J = np.ravel(d.ten_J)
            return _full(J, where.ten_J_rownnz, where.ten_J_rowadr, np.ravel(where.ten_J_colind), m.nv)  # fmt: skip
        return np.reshape(d.ten_J, (m.ntendon, m.nv)).copy()

    def full_actuator_moment(self, m, d):
        """The moment arms of actuators (nu x nv)."""
        return _full(d.actuator_moment, d.moment_rownnz, d.moment_rowadr, d.moment_colind, m.nv)

    def schema(self):
        """The elements of model files and their attributes, as text."""
        return self.mujoco.mj_printSchema(False, False)

    def call(self, number, function, count=1, arguments=()):
        """Calls a function of model and data so many times."""
        call = getattr(self.mujoco, function)
        m, d = self.models[number], self.data(number)
        for _ in range(count):
            call(m, d, *arguments)

    def answer(self, number, function, arguments):
        """What a function of model and data returns."""
        return _taken(
            getattr(self.mujoco, function)(self.models[number], self.data(number), *arguments)
        )

    def scene(self, number, flags, layer):
        """Geoms of flexes and their faces in a scene with these flags of flexes on (mjtVisFlag)."""
        mj, m = self.mujoco, self.models[number]
        made, option = mj.MjvScene(m, 1000), mj.MjvOption()
        option.flags[24:28], option.flex_layer = [k in flags for k in range(24, 28)], layer
        mj.mjv_updateScene(m, self.data(number), option, None, mj.MjvCamera(), 7, made)
        names = ("dataid", "objid", "matid", "texcoord", "segid", "size", "rgba", "label")
        shown = [g for g in made.geoms[: made.ngeom] if g.type == mj.mjtGeom.mjGEOM_FLEX]
        geoms = [{name: _taken(getattr(g, name)) for name in names} for g in shown]
        arrays = ("flexfaceadr", "flexfaceused", "flexface", "flexnormal", "flextexcoord")
        return geoms, {name: np.copy(getattr(made, name)) for name in arrays}

    def run(self, number, function, states, names, reset=True):
        """For each state: set it, call the function once, look at the fields. `reset`: each begins from mj_resetData."""
        found = []
        for state in states:
            if reset:
                self.call(number, "mj_resetData")
            self.put(number, state)
            self.call(number, function)
            found.append(self.look(number, names))
        return found


class Here:
    """An engine in this process, as `process` of Model."""

    def __init__(self, mujoco):
        self.engine, self.dropped = Engine(mujoco), []

    def ask(self, method, *arguments):
        while self.dropped:
            self.engine.delete(self.dropped.pop())
        return getattr(self.engine, method)(*arguments)


class Model:
    """A model and its data, wherever the engine is: `process.ask` calls a method of it."""

    def __init__(self, process, source, assets=None):
        text = isinstance(source, str) and source.lstrip().startswith("<")
        source = source if text else str(pathlib.Path(source).resolve())
        self.process = process
        self.number, self.warnings = process.ask("load", source, assets)
        weakref.finalize(self, process.dropped.append, self.number)

    def set(self, **fields):
        """Sets fields of the model, its options or its statistics."""
        self.process.ask("set", self.number, fields)

    def put(self, **fields):
        """Sets fields of the data."""
        self.process.ask("put", self.number, fields)

    def get(self, *names):
        """Fields of the model, also options, as attributes; without names all, with `opt` and `stat`."""
        return types.SimpleNamespace(**self.process.ask("get", self.number, names))

    def look(self, *names):
        """Fields of the data as attributes; without names all.

        `contact`: all contacts, an array a field, or `contact.dist`, one alone; `warning`: how often each came, by name; `full_M`, `full_efc_J`,
        `full_ten_J`, `full_actuator_moment`: matrices with their zeros. Names with a dot: by `vars`.
        """
        return types.SimpleNamespace(**self.process.ask("look", self.number, names))

    def call(self, function, count=1, *arguments):
        """Calls `mujoco.<function>(model, data, *arguments)` so many times."""
        self.process.ask("call", self.number, function, count, arguments)

    def answer(self, function, *arguments):
        """What `mujoco.<function>(model, data, *arguments)` returns."""
        return self.process.ask("answer", self.number, function, arguments)

    def scene(self, flags=(), layer=0):
        """What flexes are in a scene: their geoms, a dict each, and the arrays of faces by name."""
        return self.process.ask("scene", self.number, flags, layer)

    def run(self, function, states, names, reset=True):
        """What `look(*names)` shows after one call of the function from each state; a state: fields to put.

        `reset`: each begins with mj_resetData; else from what the one before has left.
        """
        found = self.process.ask("run", self.number, function, states, names, reset)
        return [types.SimpleNamespace(**fields) for fields in found]
