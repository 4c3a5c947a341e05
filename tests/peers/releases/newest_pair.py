"""A model read by Sinew under the meaning of 4.0 and by the newest engine, and random states of it."""

import ctypes
import os
import pathlib
import random
import re
import types

import numpy as np

import bridge
import models
import newest

PHYSICS = "4.0"
ROBOTS = models.folder("cmeel").parent / "cmeel.prefix/share/example-robot-data/robots"
INPUTS = "qpos qvel act ctrl qfrc_applied xfrc_applied mocap_pos mocap_quat qacc_warmstart".split()
TIGHT = {
    "tolerance": 0, "ls_tolerance": 1e-10, "iterations": 200, "ccd_tolerance": 1e-12, "ccd_iterations": 500,
    "jacobian": 0, "solver": 2, "noslip_iterations": 0,
}  # fmt: skip
OTHERWISE = (
    "bolt",
)  # has a fused link with inertia and no mass: it counts, the peer leaves it out
NO_MULTICCD, MULTICCD = 1 << 19, 16
MESH = 7  # the type of a geom
COMPILER = '<mujoco><compiler strippath="false" discardvisual="true"/></mujoco></robot>'


def files():
    """Every model of dm_control and gymnasium, every robot of example-robot-data."""
    found = []
    for package in ("dm_control", "gymnasium"):
        texts = sorted(models.folder(package).rglob("*.xml"))
        found += [p for p in texts if "<mujoco" in p.read_text(errors="ignore")]
    return found + [p for p in sorted(ROBOTS.rglob("*.urdf")) if p.stem not in OTHERWISE]


# What takes seconds to load.
LARGE = (
    "dog",
    "drosophila",
    "fruitfly",
    "g1_29dof",
    "centauro",
    "so101",
    "alex_",
    "tiago",
    "talos",
)


def chosen(seed=1):
    """The files that a test is about: all with SINEW_LONG, else those of the suite and of gymnasium, and some others."""
    if os.environ.get("SINEW_LONG"):
        return files()
    small = [p for p in files() if not any(name in str(p) for name in LARGE)]
    ours = [p for p in small if p in models.everything()]
    return ours + sorted(random.Random(seed).sample([p for p in small if p not in ours], 12))


def name_of(path):
    return "-".join(path.parts[-2:])


def source(path):
    """What both read: the file, or a robot's text without visuals and without meshes that the peer has no reader for."""
    if path.suffix != ".urdf":
        return path
    text = re.sub(r"<!--.*?-->", "", path.read_text(), flags=re.DOTALL)
    text = re.sub(r"<visual\b.*?</visual\s*>", "", text, flags=re.DOTALL)
    shapes = r"<collision\b(?:(?!</collision).)*?\.dae\b.*?</collision\s*>"
    text = re.sub(shapes, "", text, flags=re.DOTALL | re.IGNORECASE)
    text = re.sub(r"(package|model)://(example-robot-data/robots/)?", f"{ROBOTS}/", text)
    return text.replace("</robot>", COMPILER)


def load(given):
    """Our model of a path or a text."""
    error = bridge.Error()
    options = bridge.LoadOptions(physics=PHYSICS.encode(), files_anywhere=True)
    if isinstance(given, pathlib.Path):
        pointer = bridge.lib.sn_loadModel(
            str(given).encode(), ctypes.byref(options), ctypes.byref(error)
        )
    else:
        data = given.encode()
        pointer = bridge.lib.sn_loadModelText(
            data, ctypes.c_size_t(len(data)), None, 0, ctypes.byref(options), ctypes.byref(error)
        )
    if not pointer:
        raise ValueError(error.message.decode())
    return bridge.Struct(pointer)


def our_flags(opt):
    """Flags of the peer's options as they stand in ours, where multiccd is one that enables."""
    multiccd = 0 if opt.disableflags & NO_MULTICCD else MULTICCD
    return opt.disableflags & ~NO_MULTICCD, opt.enableflags & ~MULTICCD | multiccd


class Pair:
    """Both models of a path or a text, their data and what is known of the peer's: `peer` has its fields."""

    def __init__(self, given):
        self.theirs = newest.load(given)
        self.model = load(given)
        self.data = bridge.make_data(self.model)
        self.peer = self.theirs.get()

    def set(self, **options):
        """Options of both; flags are the peer's."""
        self.theirs.set(**options)
        opt = types.SimpleNamespace(**vars(self.peer.opt) | options)
        disable, enable = our_flags(opt)
        ours = {"disableflags": disable, "enableflags": enable}
        for name, value in options.items():
            bridge.set_option(self.model, name, ours.get(name, value))

    def states(self, count, contact, seed=1):
        """Random states, fields of data by name; every second one near the ground if `contact`."""
        self.theirs.call("mj_resetData")
        start, rng = vars(self.theirs.look(*INPUTS, "time")), np.random.default_rng(seed)
        found = []
        for k in range(count):
            d = types.SimpleNamespace(**{n: np.copy(v) for n, v in start.items()})
            models.vary(rng, self.peer, d, contact and k % 2 == 0)
            d.act[:] = rng.normal(size=d.act.shape)
            found.append({name: getattr(d, name) for name in INPUTS})
        return found

    def ours(self, function, state):
        """Calls a function of ours from a state; the data."""
        bridge.lib.sn_resetData(self.model.pointer, self.data.pointer)
        for name, value in state.items():
            setattr(self.data, name, value)
        bridge.call(function, self.model, self.data)
        return self.data


def full_M(pair):
    """Our inertia as a matrix."""
    nv = pair.peer.nv
    M = np.zeros((nv, nv))
    as_pointer = [x.ctypes.data_as(ctypes.c_void_p) for x in (pair.data.qM, M)]
    bridge.lib.sn_fullM(pair.model.pointer, *as_pointer)
    return M


def corners(peer, data, vertices):
    """Where four vertices of each geom of a mesh are: its frame may be turned where its moments are equal."""
    xpos, xmat = np.reshape(data.geom_xpos, (-1, 3)), np.reshape(data.geom_xmat, (-1, 3, 3))
    found = []
    for g in np.flatnonzero(peer.geom_type == MESH):
        first = peer.mesh_vertadr[peer.geom_dataid[g]]
        found.append(xpos[g] + vertices[first : first + 4] @ xmat[g].T)
    return np.array(found)


def full_moment(pair):
    """Our moment arms of actuators (nout x nv)."""
    d = pair.data
    full = np.zeros((pair.peer.nout, pair.peer.nv))
    columns, values = np.ravel(d.moment_colind), np.ravel(d.actuator_moment)
    for row, (count, first) in enumerate(
        zip(np.ravel(d.moment_rownnz), np.ravel(d.moment_rowadr), strict=True)
    ):
        full[row, columns[first : first + count]] = values[first : first + count]
    return full
