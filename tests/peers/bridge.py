"""Sinew's engine on a model that the peer compiled.

Copies every field that both have from a `mujoco.MjModel` into an snModel through the field tables, and
gives NumPy views of both structs. It parts the engine from our compiler: a stage that differs here
differs by its own fault.

The library is found through SINEW_LIBRARY, or in build/release.
"""

import ctypes
import os
import pathlib
import weakref

import numpy as np

import hull_tables

ROOT = pathlib.Path(__file__).resolve().parents[2]
DTYPES = {
    "double": np.float64,
    "float": np.float32,
    "int": np.int32,
    "uint8_t": np.uint8,
    "char": np.uint8,
}


class _Field(ctypes.Structure):
    _fields_ = [
        (n, ctypes.c_char_p) for n in ("name", "type", "rows", "columns", "group", "meaning")
    ] + [
        ("offset", ctypes.c_size_t),
        ("itemsize", ctypes.c_size_t),
    ]


class _OptionField(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_char_p),
        ("count", ctypes.c_int),
        ("meaning", ctypes.c_char_p),
        ("offset", ctypes.c_size_t),
    ]


class Error(ctypes.Structure):
    _fields_ = [
        ("status", ctypes.c_int),
        ("line", ctypes.c_int),
        ("file", ctypes.c_char * 256),
        ("message", ctypes.c_char * 4096),
    ]


class ModelWarning(ctypes.Structure):
    _fields_ = [("file", ctypes.c_char_p), ("line", ctypes.c_int), ("message", ctypes.c_char_p)]


class Warnings(ctypes.Structure):
    _fields_ = [
        ("list", ctypes.POINTER(ModelWarning)),
        ("count", ctypes.c_int),
        ("more", ctypes.c_int),
    ]


class LoadOptions(ctypes.Structure):
    _fields_ = [
        ("strict", ctypes.c_bool),
        ("warnings", ctypes.POINTER(Warnings)),
        ("anywhere", ctypes.c_bool),
        ("urdf", ctypes.c_void_p),
        ("packages", ctypes.c_char_p),
        ("files_anywhere", ctypes.c_bool),
        ("physics", ctypes.c_char_p),
        ("silent", ctypes.c_char_p),
        ("within", ctypes.c_char_p),
    ]


# Models that do not say it mean what the pinned MuJoCo does, with which they are compared; others here mean 4.0.
PINNED = LoadOptions(silent=b"3.3.7")
AS_PINNED = ctypes.byref(PINNED)


def _open():
    path = os.environ.get("SINEW_LIBRARY") or ROOT / "build/release/libsinew.so"
    lib = ctypes.CDLL(str(path))
    for name in ("sn_modelFields", "sn_dataFields"):
        getattr(lib, name).restype = ctypes.POINTER(_Field)
    lib.sn_optionFields.restype = ctypes.POINTER(_OptionField)
    lib.sn_modelSizes.restype = ctypes.POINTER(ctypes.c_char_p)
    for name in ("sn_makeModel", "sn_makeData", "sn_loadModel", "sn_loadModelText", "sn_id2name"):
        if hasattr(lib, name):
            getattr(lib, name).restype = ctypes.c_void_p
    if hasattr(lib, "sn_sizeModel"):
        lib.sn_sizeModel.restype = ctypes.c_size_t
    return lib


lib = _open()


# The int scalars of snData, after its time; then energy [2], warnings, solver statistics.
SCALARS = [
    "ncon",
    "ne",
    "nf",
    "nl",
    "nefc",
    "nbroad",
    "nnarrow",
    "nR0",
    "nJ",
    "nJcol",
    "nclosure",
    "ncluster",
    "nmechanism",
    "nlooprow",
    "nloopdof",
    "nloopK",
    "nloopG",
    "nmechdof",
    "nmechy",
    "nmechH",
    "nmechpad",
    "loop_rank",
    "nelasticrow",
    "nelastic",
    "nimpulse",
    "nAblock",
    "nasleep",
    "nstill",
    "sleepview",
    "nbody_run",
    "njnt_run",
    "nv_run",
    "ngeom_run",
    "nsite_run",
    "nsleepgeom",
    "meet_flags",
    "maxuse_con",
    "maxuse_efc",
    "solver_niter",
]
ENERGY = 8 + (4 * len(SCALARS) + 7) // 8 * 8 + 8 * 9  # sizes of the factors, residuals, loops
NWARNING = 14


class Struct:
    """Attributes of a C struct as NumPy views (arrays) and numbers (scalars)."""

    def __init__(self, pointer, model=None):
        self.__dict__["pointer"] = ctypes.c_void_p(pointer)
        self.__dict__["model"] = model  # None: this is a model
        free = lib.sn_deleteModel if model is None else lib.sn_deleteData
        weakref.finalize(self, free, self.pointer)
        count = ctypes.c_int()
        if model is None:
            fields = lib.sn_modelFields(ctypes.byref(count))
        else:
            fields = lib.sn_dataFields(ctypes.byref(count), None)
        self.__dict__["fields"] = {
            fields[i].name.decode(): (i, fields[i]) for i in range(count.value)
        }

    def __getattr__(self, name):
        index, field = self.fields[name]
        rows, columns = ctypes.c_int(), ctypes.c_int()
        if self.model is None:
            lib.sn_modelFieldShape(self.pointer, index, ctypes.byref(rows), ctypes.byref(columns))
        else:
            lib.sn_dataFieldShape(
                self.model.pointer, self.pointer, index, ctypes.byref(rows), ctypes.byref(columns)
            )
        dtype = CONTACT if field.type == b"snContact" else np.dtype(DTYPES[field.type.decode()])
        address = ctypes.c_void_p.from_address(self.pointer.value + field.offset).value
        if not address or not rows.value * columns.value:
            return np.zeros((rows.value, columns.value), dtype)
        size = rows.value * columns.value * dtype.itemsize
        buffer = (ctypes.c_char * size).from_address(address)
        buffer.owner = self  # the view keeps the struct alive
        return np.frombuffer(buffer, dtype).reshape(rows.value, columns.value)

    def __setattr__(self, name, value):
        if name == "time":
            ctypes.c_double.from_address(self.pointer.value).value = value
            return
        view = getattr(self, name)
        view[...] = np.asarray(value).reshape(view.shape)

    def scalar(self, name):
        """An int scalar of snData."""
        return ctypes.c_int.from_address(self.pointer.value + 8 + 4 * SCALARS.index(name)).value

    @property
    def efc_J(self):
        """The constraint Jacobian (nefc x nv), a copy."""
        J = np.zeros((self.scalar("nefc"), int(self.qvel.size)))
        lib.sn_efcJ(self.model.pointer, self.pointer, J.ctypes.data_as(ctypes.c_void_p))
        return J

    @property
    def ten_J(self):
        """The moment arms of tendons (ntendon x nv), a copy."""
        J = np.zeros((self.ten_length.size, int(self.qvel.size)))
        lib.sn_tenJ(self.model.pointer, self.pointer, J.ctypes.data_as(ctypes.c_void_p))
        return J

    @property
    def energy(self):
        return np.frombuffer(
            (ctypes.c_double * 2).from_address(self.pointer.value + ENERGY), np.float64
        )

    def warnings(self):
        """How often each warning was raised."""
        pairs = (ctypes.c_int * (2 * NWARNING)).from_address(self.pointer.value + ENERGY + 16)
        return np.frombuffer(pairs, np.int32)[1::2]

    @property
    def time(self):
        return ctypes.c_double.from_address(self.pointer.value).value


SOLVER_STATISTIC = np.dtype(
    [("improvement", "f8"), ("gradient", "f8"), ("lineslope", "f8"), ("nactive", "i4")]
    + [("nchange", "i4"), ("neval", "i4"), ("nupdate", "i4")]
)


def solver_statistics(d):
    """solver[200] of an snData; it stands after energy [2] and warnings."""
    count = 200
    address = d.pointer.value + ENERGY + 16 + 8 * NWARNING
    buffer = (ctypes.c_char * (count * SOLVER_STATISTIC.itemsize)).from_address(address)
    buffer.owner = d
    return np.frombuffer(buffer, SOLVER_STATISTIC)


CONTACT = np.dtype(
    [
        ("dist", "f8"), ("pos", "f8", 3), ("frame", "f8", 9), ("includemargin", "f8"), ("friction", "f8", 5),
        ("solref", "f8", 2), ("solreffriction", "f8", 2), ("solimp", "f8", 5), ("mu", "f8"), ("dim", "i4"),
        ("geom", "i4", 2), ("exclude", "i4"), ("efc_address", "i4"),
        ("adhesion", "f8"), ("surfacevel", "f8", 3), ("impact", "f8"), ("way", "f8"), ("flex", "i4", 2), ("part", "i4", 2),
    ],
    align=True,
)  # fmt: skip


def _narena_address(model):
    count = ctypes.c_int()
    lib.sn_modelSizes(ctypes.byref(count))
    return model.pointer.value + (4 * count.value + 7) // 8 * 8  # behind the sizes


def _option_address(model):
    return (
        _narena_address(model) + 32
    )  # narena, nbuffer, njmax, nconmax, physics and 4 bytes to fill


def set_option(model, name, value):
    """Sets one field of model.opt."""
    count = ctypes.c_int()
    fields = lib.sn_optionFields(ctypes.byref(count))
    for i in range(count.value):
        if fields[i].name.decode() == name:
            kind = ctypes.c_int if fields[i].type == b"int" else ctypes.c_double
            target = (kind * fields[i].count).from_address(
                _option_address(model) + fields[i].offset
            )
            target[:] = [kind(v).value for v in np.atleast_1d(value).tolist()]
            return
    raise KeyError(name)


def factor_rows(peer):
    """Addresses of the rows of our factors, dof_LDadr, which mujoco keeps otherwise, and their room."""
    address, end = np.zeros(peer.nv, np.int32), 0
    for i in range(peer.nv):
        if not peer.dof_simplenum[i]:
            end = (end + 3) // 4 * 4
        address[i] = end
        end += 1 if peer.dof_simplenum[i] else (int(peer.D_diag[i]) // 4 + 1) * 4
    return address, end


def tendon_dofs(peer):
    """The dofs that each tendon may touch, which mujoco does not keep."""
    import mujoco

    result = []
    for first, num in zip(peer.tendon_adr, peer.tendon_num, strict=True):
        path = range(first, first + num)
        ids = peer.wrap_objid
        if peer.wrap_type[first] == mujoco.mjtWrap.mjWRAP_JOINT:
            result.append(sorted({int(peer.jnt_dofadr[ids[w]]) for w in path}))
            continue
        chains = []
        for w in path:
            if peer.wrap_type[w] == mujoco.mjtWrap.mjWRAP_PULLEY:
                continue
            site = peer.wrap_type[w] == mujoco.mjtWrap.mjWRAP_SITE
            body = peer.body_weldid[(peer.site_bodyid if site else peer.geom_bodyid)[ids[w]]]
            dof = peer.body_dofadr[body] + peer.body_dofnum[body] - 1 if body else -1
            chains.append(set())
            while dof >= 0:
                chains[-1].add(int(dof))
                dof = peer.dof_parentid[dof]
        result.append(sorted(set.union(*chains) - set.intersection(*chains)))
    return result


def copy_model(peer, narena=1 << 24, hulls=False):
    """An snModel with every field that it shares with `peer`, a mujoco.MjModel; with `hulls` also tables of its hulls."""
    tables = hull_tables.tables(peer) if hulls else {}
    address, room = factor_rows(peer)
    arms = tendon_dofs(peer)
    own = {"nhullblock": len(tables.get("mesh_hullblock", ())), "nLD": room}
    own["nJten"] = sum(map(len, arms))
    own["nactuator"] = own["nout"] = peer.nu  # of one control and one force each
    count = ctypes.c_int()
    names = lib.sn_modelSizes(ctypes.byref(count))
    sizes = (ctypes.c_int * count.value)()
    for i in range(count.value):
        name = names[i].decode()
        sizes[i] = own[name] if name in own else int(getattr(peer, name, 0))
    pointer = lib.sn_makeModel(sizes, None)
    assert pointer
    model = Struct(pointer)
    for name in model.fields:
        if hasattr(peer, name):
            value = getattr(peer, name)
            value = (
                np.frombuffer(value, np.uint8) if isinstance(value, bytes) else np.asarray(value)
            )
            setattr(model, name, value)
    for name, table in tables.items():
        setattr(model, name, table)
    model.actuator_ctrladr = model.actuator_outadr = np.arange(peer.nu)
    model.actuator_ctrlnum = model.actuator_outnum = np.ones(peer.nu)
    model.dof_LDadr = address.reshape(-1, 1)
    model.tendon_dofnum = [len(row) for row in arms]
    model.tendon_dofadr = np.cumsum([0, *map(len, arms)])[:-1]
    model.tendon_dofid = [dof for row in arms for dof in row]
    options = lib.sn_optionFields(ctypes.byref(count))
    for i in range(count.value):
        name = options[i].name.decode()
        if hasattr(peer.opt, name):  # those of loops and rigid contact are ours alone
            set_option(model, name, getattr(peer.opt, name))
    # statistics stand after opt and vis; narena before opt
    ctypes.c_size_t.from_address(_narena_address(model)).value = narena
    set_statistic(model, peer)
    return model


def statistic(model):
    """The seven numbers of snStatistic, which stands before the first array."""
    fields = lib.sn_modelFields(ctypes.byref(ctypes.c_int()))
    offset = fields[0].offset - 7 * ctypes.sizeof(ctypes.c_double)
    return (ctypes.c_double * 7).from_address(model.pointer.value + offset)


def set_statistic(model, peer):
    """Copies mujoco's statistics."""
    target = statistic(model)
    s = peer.stat
    target[:] = [s.meaninertia, s.meanmass, s.meansize, s.extent, *s.center]


def make_data(model):
    """A fresh snData."""
    pointer = lib.sn_makeData(model.pointer)
    assert pointer
    return Struct(pointer, model)


def call(name, model, data, *args):
    """Calls sn_<name>(m, d, ...)."""
    return getattr(lib, "sn_" + name)(model.pointer, data.pointer, *args)


def dense_M(peer, peer_data):
    """The peer's inertia as a dense matrix."""
    import mujoco

    dense = np.zeros((peer.nv, peer.nv))
    mujoco.mj_fullM(peer, dense, peer_data.qM)
    return dense
