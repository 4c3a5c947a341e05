"""Every model file of dm_control and gymnasium: what the peer loads, loads here, and each field that both compiled
models have is the same; what the peer refuses is refused.

Integers are equal, reals agree to 1e-9 of a field's scale (floats to a rounding of a float). The vertices of a
mesh's hull may come in another order. A table at the end names what does not hold, and why.
"""

import importlib.util
import pathlib

import mujoco
import numpy as np
import pytest

from test_model import (
    UNFILLED,
    check_inertia,
    load,
    option,
    option_names,
    sizes,
    statistic,
    without_cached,
)

TOLERANCE, FLOAT_TOLERANCE = 1e-9, 2e-7
# Hash maps differ by design; the others have checks of their own below.
OWN_CHECK = {"names_map", "body_iquat", "body_inertia", "mesh_graph", "nnames_map"} | UNFILLED
PACKAGES = ("dm_control", "gymnasium")
TABLE = {}


def files():
    found = []
    for package in PACKAGES:
        spec = importlib.util.find_spec(package)
        assert spec, f"{package} is missing: ./dev setup installs it"
        root = pathlib.Path(spec.submodule_search_locations[0])
        found += [
            p for p in sorted(root.rglob("*.xml")) if "<mujoco" in p.read_text(errors="ignore")
        ]
    return found


def short(path):
    parts = path.parts
    return "/".join(parts[max(i for i, p in enumerate(parts) if p in PACKAGES) :])


def difference(mine, theirs, loose=TOLERANCE):
    """The largest difference of two arrays, NaN if one has another shape or their integers differ."""
    theirs = np.frombuffer(theirs, np.uint8) if isinstance(theirs, bytes) else np.asarray(theirs)
    mine, theirs = np.ravel(mine), np.ravel(theirs)
    if mine.size != theirs.size:
        return np.nan, 0
    if mine.dtype.kind in "iub":
        return (0, 0) if np.array_equal(mine, theirs.astype(mine.dtype)) else (np.nan, 0)
    if not mine.size:
        return 0, 0
    tolerance = FLOAT_TOLERANCE if mine.dtype == np.float32 else loose
    return np.abs(mine - theirs).max() / max(1.0, np.abs(theirs).max()), tolerance


def hull(m, mesh):
    """The vertices of a mesh's hull, as a set."""
    adr = int(np.ravel(m.mesh_graphadr)[mesh])
    if adr < 0:
        return set()
    graph = np.ravel(m.mesh_graph)
    count = graph[adr]
    return set(graph[adr + 2 + count : adr + 2 + 2 * count].tolist())


def without_broken_normals(mine, theirs):
    """Ours in place of the peer's normals of three vertices in a line, which are no unit vectors."""
    mine = mine.reshape(-1, 3)
    with np.errstate(invalid="ignore"):
        good = np.abs(np.linalg.norm(theirs, axis=1) - 1) < 1e-3
    assert np.allclose(np.linalg.norm(mine[~good], axis=1), 1)
    return np.where(good[:, None], theirs, mine)


def differing(ours, peer):
    """Names of all fields that differ."""
    found = [
        n
        for n, v in sizes(ours).items()
        if hasattr(peer, n) and n not in OWN_CHECK and v != getattr(peer, n)
    ]
    for name in ours.fields:
        if name in OWN_CHECK or not hasattr(peer, name):
            continue
        # the normal of a triangle 1e-8 thin hangs on the last bits of its corners
        loose = 1e-8 if name == "mesh_polynormal" else TOLERANCE
        mine, theirs = (without_cached(peer, name, getattr(m, name)) for m in (ours, peer))
        if name == "mesh_polynormal":
            theirs = without_broken_normals(mine, theirs)
        error, tolerance = difference(mine, theirs, loose)
        if not error <= tolerance:
            found.append(name if np.isnan(error) else f"{name} by {error:.1e}")
    for name in option_names():
        if not np.array_equal(option(ours, name), np.atleast_1d(getattr(peer.opt, name))):
            found.append(f"opt.{name}")
    s = peer.stat
    stat = np.array([s.meaninertia, s.meanmass, s.meansize, s.extent, *s.center])
    error, tolerance = difference(statistic(ours), stat)
    if not error <= tolerance:
        found.append("stat")
    if "nbody" not in found:
        try:
            check_inertia(ours, peer)
        except AssertionError:
            found.append("body_inertia")
    if "nmesh" not in found:
        found += [f"hull of mesh {i}" for i in range(peer.nmesh) if hull(ours, i) != hull(peer, i)]
    return found


@pytest.mark.parametrize("path", files(), ids=short)
def test_file(path):
    try:
        peer = mujoco.MjModel.from_xml_path(str(path))
        refusal = ""
    except ValueError as reason:
        peer, refusal = None, str(reason).splitlines()[0]
    ours, error = load(path)
    message = error.message.decode().replace(str(path.parent) + "/", "")
    if peer is None:
        if ours is not None:
            TABLE[path] = f"LOADS, the peer refuses it: {refusal}"
        assert ours is None, TABLE[path]
        assert message and error.file, message
        return
    if ours is None:
        TABLE[path] = message
    assert ours is not None, message
    found = differing(ours, peer)
    if found:
        TABLE[path] = (
            f"{len(found)} fields differ: {', '.join(found[:8])}{' ...' if len(found) > 8 else ''}"
        )
    assert not found, TABLE[path]


def test_table(capsys):
    with capsys.disabled():
        count = len(files())
        print(
            f"\n\n{count - len(TABLE)} of {count} files of {' and '.join(PACKAGES)} are as the peer's. The others:"
        )
        for path, reason in sorted(TABLE.items()):
            print(f"  {short(path):70} {reason}")
