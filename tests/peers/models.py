"""Models of other people, found inside their packages, and random states for them."""

import collections
import copy
import functools
import importlib.util
import pathlib

import mujoco
import numpy as np

import memory
import sinew


def folder(package, *parts):
    """A file or folder of an installed package."""
    spec = importlib.util.find_spec(package)
    if spec is None:
        raise ModuleNotFoundError(f"{package} is missing: ./dev setup installs it")
    return pathlib.Path(spec.submodule_search_locations[0]).joinpath(*parts)


def suite():
    """Every model of dm_control's suite."""
    return sorted(folder("dm_control", "suite").glob("*.xml"))


def gymnasium_assets():
    """Every MuJoCo model of gymnasium."""
    return sorted(folder("gymnasium", "envs", "mujoco", "assets").glob("*.xml"))


def everything():
    """All third-party models."""
    return suite() + gymnasium_assets()


def runnable():
    """Third-party models that the engine can simulate: all."""
    return everything()


@functools.cache
def _sizes(path):
    """Sizes of a model, which is not kept: they choose tests before any test has begun."""
    model = mujoco.MjModel.from_xml_path(str(path))
    return {name: getattr(model, name) for name in ("nv", "nu", "neq", "ntendon")}


def having(size):
    """Other people's models in which this size (nv, nu, neq, ntendon) is not 0."""
    return [path for path in everything() if _sizes(path)[size]]


_KEPT_BYTES = 100_000_000
_LARGE_BYTES = 20_000_000  # of a model whose reader is made to give back at once what it took, five times as much
_kept = collections.OrderedDict()  # (path, load): model and its bytes, the last used at the end


def known(path, load=mujoco.MjModel.from_xml_path):
    """A model of a file to look at, which all tests of a process share.

    Those used last are kept, as some are 90 MB; of one file all, as tests hold the peer's beside ours.
    """
    key = str(path), load
    if key not in _kept:
        model = load(str(path))
        size = int(getattr(model, "nbuffer", 0)) or int(getattr(model, "ntexdata", 0))
        _kept[key] = model, size
        if size > _LARGE_BYTES:
            memory.give_back()
        others = [k for k in _kept if k[0] != key[0]]
        while others and sum(size for _, size in _kept.values()) > _KEPT_BYTES:
            del _kept[others.pop(0)]
    _kept.move_to_end(key)
    return _kept[key][0]


def rooted(text, path):
    """The MJCF of a model from path with whole names of files, wherever it is read."""
    assert "meshdir=" not in text
    return text.replace("<compiler ", f'<compiler assetdir="{path.parent}" ', 1)


def as_pinned(path):
    """Our model of a file, by the rules of the pinned MuJoCo."""
    return sinew.Model.from_path(path, physics="3.3.7")


def fresh(path, load=mujoco.MjModel.from_xml_path):
    """A model of a file to change, a copy of the known one: textures take long to load."""
    return copy.copy(known(path, load))


def random_state(rng, m, d, contact):
    """Random state and inputs: joints across their ranges and 20 % beyond, free bodies near the ground if `contact`."""
    mujoco.mj_resetData(m, d)
    vary(rng, m, d, contact)
    d.time = rng.uniform(0, 10)


def vary(rng, m, d, contact):
    """The same from a state after a reset, but for the time; `m` and `d` may be no more than fields by name."""
    for j in range(m.njnt):
        q, kind = m.jnt_qposadr[j], m.jnt_type[j]
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            d.qpos[q : q + 2] += rng.normal(0, 0.3, 2)
            d.qpos[q + 2] = d.qpos[q + 2] * rng.uniform(0, 0.8) if contact else d.qpos[q + 2] + 3
            d.qpos[q + 3 : q + 7] = _quaternion(rng)
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            d.qpos[q : q + 4] = _quaternion(rng)
        elif m.jnt_limited[j]:
            low, high = m.jnt_range[j]
            d.qpos[q] = rng.uniform(low - 0.2 * (high - low), high + 0.2 * (high - low))
        else:
            d.qpos[q] += rng.normal(0, 0.5)
    d.qvel[:] = rng.normal(0, 1, m.nv)
    for i in range(m.nu):
        low, high = m.actuator_ctrlrange[i] if m.actuator_ctrllimited[i] else (-1, 1)
        d.ctrl[i] = rng.uniform(low - 0.2 * (high - low), high + 0.2 * (high - low))
    d.qfrc_applied[:] = rng.normal(0, 1, m.nv)
    d.xfrc_applied[1:] = rng.normal(0, 1, (m.nbody - 1, 6))
    for i in range(m.nmocap):
        d.mocap_pos[i] += rng.normal(0, 0.3, 3)
        d.mocap_quat[i] = _quaternion(rng)
    d.qacc_warmstart[:] = rng.normal(0, 1, m.nv)


def lift_limits(m, ours):
    """No limits of control and force, in both models: at them qDeriv is that of later versions of the peer."""
    for name in (
        "actuator_ctrllimited",
        "actuator_forcelimited",
        "jnt_actfrclimited",
        "tendon_actfrclimited",
    ):
        getattr(m, name)[:] = 0
        setattr(ours, name, getattr(m, name))


def _quaternion(rng):
    q = rng.normal(0, 1, 4)
    return q / np.linalg.norm(q)


def is_decided(m, ours, theirs):
    """Whether the two lists of contacts may be compared: nothing in them hangs on rounding.

    Planar models make contacts that do: a sphere that rolls on the ground at distance 0 to 1e-17 is found by
    one engine and not by the other; two capsules of one plane whose axes cross have any normal.
    """
    if len(ours) != len(theirs) and any(
        abs(c["dist"] - c["includemargin"]) < 1e-12 for c in ours + theirs
    ):
        return False
    box = mujoco.mjtGeom.mjGEOM_BOX
    if len(ours) != len(theirs) and any(
        (m.geom_type[c["geom"]] == box).all() for c in ours + theirs
    ):
        return False  # corners that coincide, as of aligned boxes
    capsule = mujoco.mjtGeom.mjGEOM_CAPSULE
    for c in ours:
        g1, g2 = c["geom"]
        if m.geom_type[g1] == capsule == m.geom_type[g2]:
            if c["dist"] + m.geom_size[g1, 0] + m.geom_size[g2, 0] < 1e-9:
                return False
    return True


def has_convex(m, contacts):
    """Whether a contact comes from the general convex collider, which the peer iterates to a tolerance."""
    round_or_box = {2, 3, 6}
    for c in contacts:
        types = {int(m.geom_type[g]) for g in c["geom"]}
        if 0 not in types and not types <= round_or_box:
            return True
    return False


def contact_list(pdata):
    """The peer's contacts as dictionaries of what is_decided and has_convex ask for."""
    return [
        {"dist": c.dist, "includemargin": c.includemargin, "geom": c.geom} for c in pdata.contact
    ]
