"""Other people's models under the meaning of 4.0 against the newest engine: compiled fields, each stage at random states,
one step given the peer's contacts, and whole runs.

Both read the same file. The solver runs to its end in both, half of the states are in contact. SINEW_LONG takes all files.
"""

import os

import numpy as np
import pytest

import bridge
import newest
import rows
from meanings import INTEGRATORS
from models import is_decided
from newest_pair import (
    MESH,
    TIGHT,
    Pair,
    chosen,
    corners,
    full_M,
    full_moment,
    load,
    name_of,
    source,
)

LONG = bool(os.environ.get("SINEW_LONG"))
STATES = 20 if LONG else 8
SMOOTH = (
    "xpos xmat xipos xanchor xaxis site_xpos site_xmat cam_xpos cam_xmat light_xpos light_xdir "
    "subtree_com cdof cinert crb ten_length ten_velocity actuator_length actuator_velocity cvel cdof_dot qfrc_bias "
    "qfrc_spring qfrc_damper qfrc_gravcomp qfrc_fluid qfrc_passive actuator_force qfrc_actuator act_dot qfrc_smooth "
    "qacc_smooth"
).split()
FULL = {"full_M": full_M, "full_ten_J": lambda p: p.data.ten_J, "full_actuator_moment": full_moment}
ROWS = {name: name for name in (
    "efc_type efc_id efc_pos efc_margin efc_frictionloss efc_D efc_R efc_vel efc_aref".split()
)} | {"efc_J": "full_efc_J", "efc_diagApprox": "efc_diagA"}  # fmt: skip
LATE = ["qacc", "sensordata"]
PARAMETERS = "includemargin friction solref solreffriction solimp dim".split()
# Pairs with flat sides. Of fine meshes the peer's choice among near sides hangs on the frame in which they are given
# (test_mesh_rules.py), and of more than four corners it keeps some four (test_multiccd_depths.py).
SIDES = {(5, 6), (5, 7), (6, 7), (7, 7)}
OLD_SEARCH = 1 << 17  # the flag that turns on a search of the peer's that Sinew has not
CONTACT = 16  # the flag that disables contacts


def error(ours, theirs):
    """Largest difference, relative to the largest entry or 1."""
    ours, theirs = np.ravel(ours).astype(float), np.ravel(theirs).astype(float)
    if ours.shape != theirs.shape:
        return np.inf
    same = (ours == theirs) | (np.isnan(ours) & np.isnan(theirs))
    gap = np.where(same, 0, np.abs(ours - theirs))
    return gap.max(initial=0) / max(1.0, np.abs(theirs).max(initial=0))


def worse(pairs, tolerance):
    """Of names with values of both sides, those that differ."""
    found = {name: error(*both) for name, both in pairs.items()}
    return {name: f"{e:.1e}" for name, e in found.items() if not e <= tolerance}


def smooth(pair, theirs):
    """What differs of the stages that know nothing of constraints."""
    pairs = {n: (getattr(pair.data, n), getattr(theirs, n)) for n in SMOOTH}
    pairs |= {n: (ours(pair), getattr(theirs, n)) for n, ours in FULL.items()}
    other, mesh = pair.peer.geom_type != MESH, {}
    for name in ("geom_xpos", "geom_xmat"):
        mesh[name] = [getattr(d, name)[other] for d in (pair.data, theirs)]
    mesh["corners"] = [
        corners(pair.peer, d, m.mesh_vert)
        for d, m in ((pair.data, pair.model), (theirs, pair.peer))
    ]
    if (
        not pair.peer.nmesh
    ):  # shapes fitted to a mesh have its axes, loose where moments nearly agree
        pairs, mesh = pairs | mesh, {}
    return worse(pairs, 1e-10) | worse(mesh, 1e-6)


EXACT = {(0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (2, 2), (2, 3), (2, 5), (2, 6), (3, 3), (3, 6), (6, 6)}  # fmt: skip


def by_pair(contacts):
    """Contacts of each pair of geoms, in the order of the pairs."""
    found = {}
    for c in contacts:
        found.setdefault(tuple(int(g) for g in c["geom"]), []).append(c)
    return found


def matched(ours, theirs):
    """Theirs in the order of ours, by place: the order of a pair's points is open."""
    left, order = list(theirs), []
    for c in ours:
        k = min(range(len(left)), key=lambda i: np.abs(left[i]["pos"] - c["pos"]).max())
        order.append(left.pop(k))
    return order


def points(contacts):
    """Rows of dist, pos, normal."""
    return np.array([np.r_[c["dist"], c["pos"], c["frame"][:3]] for c in contacts])


def sides(ours, theirs):
    """How far the deepest points of two sets are apart in depth."""
    a, b = points(ours), points(theirs)
    turned = a[0, 4:] @ b[0, 4:] < 0.7  # test_turned_away
    return 0 if turned else abs(a[:, 0].min() - b[:, 0].min())


def contacts(pair, theirs, loose, flat):
    """What differs of the contacts; those of the convex collider go to `loose`: errors of dist, pos and normal, to `flat`
    errors of the deepest of those that sides share."""
    kinds = pair.peer.geom_type
    ours, peers = (by_pair(x) for x in (pair.data.contact.ravel(), rows.contact_array(theirs)))
    if list(ours) != list(peers):
        return {"pairs": sorted(set(ours) ^ set(peers)) or "order"}
    found = {}
    for geoms in ours:
        kind = tuple(int(k) for k in kinds[list(geoms)])
        a, b = ours[geoms], peers[geoms]
        if kind in SIDES:
            if not pair.peer.opt.disableflags & OLD_SEARCH:
                flat.append(sides(a, b))
            continue
        if len(a) != len(b):
            found[f"count {kind}"] = f"{len(a)}, theirs {len(b)}"
            continue
        for c, p in zip(a, matched(a, b), strict=True):
            found |= worse({n: (c[n], p[n]) for n in PARAMETERS}, 1e-12)
            if c["exclude"] != p["exclude"] and abs(c["dist"] - c["includemargin"]) > 1e-12:
                found["exclude"] = geoms  # at the margin itself rounding decides
            e = [error(c[n], p[n]) for n in ("dist", "pos")] + [
                error(c["frame"][:3], p["frame"][:3])
            ]
            if kind in EXACT and max(e) > 1e-8:
                found[f"point {kind}"] = [f"{x:.1e}" for x in e]
            elif kind not in EXACT:
                loose.append((kind, *e))
    return found


def lend_contacts(pair, theirs):
    """Puts the peer's contacts into ours, and computes what hangs on them before forces do: rows, arms of adhesion."""
    rows.put_contacts(pair.data, theirs)
    for stage in "makeConstraint transmission fwdVelocity fwdActuation fwdAcceleration".split():
        bridge.call(stage, pair.model, pair.data)


def continued(pair, theirs):
    """Rows, forces and sensors from the peer's contacts: what differs."""
    for stage in ("referenceConstraint", "fwdConstraint", "sensorAcc"):
        bridge.call(stage, pair.model, pair.data)
    pairs = {n: (getattr(pair.data, n), getattr(theirs, m)) for n, m in ROWS.items()}
    found = worse(pairs, 1e-10)
    found |= worse({"sensordata": (pair.data.sensordata, theirs.sensordata)}, 1e-6)
    scale = max(1.0, np.linalg.norm(theirs.qacc))
    if not np.linalg.norm(pair.data.qacc.ravel() - theirs.qacc) <= 1e-8 * scale:
        found["qacc"] = f"{np.linalg.norm(pair.data.qacc.ravel() - theirs.qacc) / scale:.1e}"
    return found


NAMES = [*SMOOTH, "geom_xpos", "geom_xmat", *FULL, *ROWS.values(), *LATE, "contact", "ncon"]
AFTER = ("qpos", "qvel", "act")
ENDS = (*AFTER, "warning")


def ended(pair, theirs):
    """What differs at the end of a step; nothing is compared where the peer has begun again."""
    if any(theirs.warning.values()):
        return {}
    return worse({n: (getattr(pair.data, n), getattr(theirs, n)) for n in AFTER}, 1e-8)


def stepped(pair, theirs):
    """What differs after the step that ends what stands in our data."""
    bridge.call("Euler" if pair.peer.opt.integrator < 2 else "implicit", pair.model, pair.data)
    return ended(pair, theirs)


def stages(given):
    """What differs, by stage, and the errors of convex contacts and of those of sides."""
    pair, found, loose, flat = Pair(given), {}, [], []
    pair.set(**TIGHT, integrator=pair.peer.opt.integrator * (pair.peer.opt.integrator > 1))
    states = pair.states(STATES, True)
    peers = pair.theirs.run("mj_forward", states, NAMES)
    ends = pair.theirs.run("mj_step", states, ENDS)
    for state, theirs, end in zip(states, peers, ends, strict=True):
        pair.ours("forward", state)
        ours, peer = list(pair.data.contact.ravel()), list(rows.contact_array(theirs))
        if is_decided(pair.peer, ours, peer):
            found.setdefault("contacts", {}).update(contacts(pair, theirs, loose, flat))
        lend_contacts(pair, theirs)
        found.setdefault("smooth", {}).update(smooth(pair, theirs))
        found.setdefault("rows", {}).update(continued(pair, theirs))
        found.setdefault("step", {}).update(stepped(pair, end))
    found |= steps(pair)
    return {stage: what for stage, what in found.items() if what}, loose, flat


def steps(pair):
    """What differs after steps of each integrator, without contacts."""
    found = {}
    flags = pair.peer.opt.disableflags | CONTACT
    for name, integrator in INTEGRATORS.items():
        pair.set(integrator=integrator, disableflags=flags)
        states = pair.states(STATES, False, seed=2)
        found[name] = {}
        for state, end in zip(states, pair.theirs.run("mj_step", states, ENDS), strict=True):
            pair.ours("step", state)
            found[name] |= ended(pair, end)
    return found


@pytest.mark.parametrize("path", chosen(), ids=name_of)
def test_stages(path):
    try:
        newest.load(source(path))
    except ValueError:
        if path.suffix == ".xml":
            with pytest.raises(ValueError):
                load(path)
        return
    found, loose, flat = stages(source(path))
    assert not found
    if len(flat) >= 20:
        assert np.median(flat) < 1e-5 and np.quantile(flat, 0.9) < 5e-4
    if len(loose) >= 20:
        distance, point, normal = np.quantile([e for _, *e in loose], 0.9, axis=0)
        # an error e of the distance's minimum leaves sqrt(e) in where it is
        assert distance < 1e-8 and point < 1e-6 and normal < 1e-5
