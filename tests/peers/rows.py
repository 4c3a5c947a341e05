"""Constraint rows in isolation: our engine given the peer's contacts."""

import ctypes

import mujoco
import numpy as np

import bridge
import models

# Small models of our own for what the third-party ones do not use.
SLIDERS = "".join(
    f'<body pos="{i} 0 0"><joint type="slide" axis="0 0 1" frictionloss="{0.1 * i}" range="-.1 .1" margin="{0.05 * i}"'
    f' solreflimit="{ref}" solimplimit="{imp}" solreffriction="{ref}" solimpfriction="{imp}"/>'
    '<geom size=".1" contype="0" conaffinity="0"/></body>'
    for i, (ref, imp) in enumerate(
        [
            (".02 1", ".9 .95 .001 .5 2"),
            ("-50 -3", ".2 .8 .5 .3 3"),
            ("-50 0", ".2 .8 .5 .7 1"),
            (".0005 1", "-1 3 .1 .5 2"),
            (".05 .2", ".8 .2 .3 .4 1.5"),
            ("0 0", ".9 .9 .1 .5 2"),
            (".02 -1", ".9 .95 -.1 2 .5"),
        ]
    )
)
BALLS = "".join(
    f'<body pos="0 {i} 0"><joint type="ball" range="0 {0.3 * i + 0.1}" frictionloss="{0.2 * (i % 2)}" margin="{m}"/>'
    '<geom type="box" size=".1 .2 .3" pos=".1 .1 0" contype="0" conaffinity="0"/></body>'
    for i, m in enumerate([0, 0.2, 1, 3.2])
)
PILE = "".join(
    f'<body pos="{0.35 * (i % 3)} {0.3 * (i // 3)} {0.09 + 0.01 * i}"><freejoint/>'
    f'<geom type="{("sphere", "capsule")[i % 2]}" size=".1 .15" condim="{(1, 3, 4, 6)[i % 4]}"'
    f' friction="{0.3 + 0.2 * i} .0{i + 1} .00{i + 1}" margin="{0.02 * (i % 3)}" gap="{0.015 * (i % 2)}"'
    f' solref="{(".02 1", "-300 -20", ".01 .5")[i % 3]}" solimp="{(".9 .95 .001", ".5 .9 .02 .3 3")[i % 2]}"/>'
    f"{chain}</body>"
    for i, chain in enumerate(
        [
            '<body pos="0 0 .2"><joint frictionloss=".1"/><geom type="capsule" size=".05 .2" pos=".2 0 0"/></body>',
            "",
        ]
        * 4
    )
)
HEAP = "".join(
    f'<body pos="{0.2 * (i % 3) + 0.005 * (i % 7)} {0.2 * (i // 3 % 3)} {0.1 + 0.2 * (i // 9)}"><freejoint/>'
    f'<geom type="{("capsule", "sphere")[i % 2]}" size=".12 .05" condim="{(3, 4)[i % 5 == 0]}"/></body>'
    for i in range(24)
)
INLINE = {
    "sliders": f"<mujoco><worldbody>{SLIDERS}</worldbody></mujoco>",
    "balls": f"<mujoco><compiler angle='radian'/><worldbody>{BALLS}</worldbody></mujoco>",
    "pile": "<mujoco><worldbody><geom type='plane' size='5 5 1' condim='1' friction='.1 .001 .0001'/>"
    f"{PILE}</worldbody></mujoco>",
    "heap": f"<mujoco><worldbody><geom type='plane' size='5 5 1'/>{HEAP}</worldbody></mujoco>",
    "ratio": "<mujoco><option impratio='7' timestep='.02'/><worldbody>"
    f"<geom type='plane' size='5 5 1' condim='1' priority='-1'/>{PILE}</worldbody></mujoco>",
}
FIELDS = [
    "efc_type",
    "efc_id",
    "efc_J",
    "efc_pos",
    "efc_margin",
    "efc_frictionloss",
    "efc_diagApprox",
    "efc_KBIP",
    "efc_D",
    "efc_R",
    "efc_vel",
    "efc_aref",
]


SKATES = "".join(
    f'<pair geom1="floor" geom2="g{i}" condim="{(3, 4, 6)[i % 3]}" friction="{0.2 + 0.1 * i} {1.1 - 0.1 * i} .02 .003 .01"'
    f' solreffriction="{("0 0", ".05 .7", "-40 -6")[i % 3]}" solref=".015 .9"/>'
    for i in range(8)
)
INLINE["skates"] = (
    "<mujoco><option impratio='3'/><worldbody><geom name='floor' type='plane' size='5 5 1'/>"
    + PILE.replace("<freejoint/><geom", "<freejoint/><geom name='g{}'").replace("{}", "%d")
    % tuple(range(8))
    + f"</worldbody><contact>{SKATES}</contact></mujoco>"
)


def compile_peer(source, cone="pyramidal", solver="newton"):
    """The peer's model of a path or an XML text, with the settings that we have."""
    text = str(source).startswith("<")
    m = mujoco.MjModel.from_xml_string(source) if text else models.fresh(source)
    m.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    m.opt.cone = getattr(mujoco.mjtCone, "mjCONE_" + cone.upper())
    m.opt.solver = getattr(mujoco.mjtSolver, "mjSOL_" + solver.upper())
    m.opt.noslip_iterations = 0
    return m


def third_party():
    """Third-party models."""
    return models.everything()


def varied():
    """A few of them, of every kind: planar, hanging, walking, gripping, with tendons, loops, dry friction."""
    names = (
        "cheetah finger hopper humanoid manipulator quadruped swimmer ant humanoidstandup pusher"
    )
    return [p for p in third_party() if p.stem in names.split()]


def tighten(m):
    """Lets the peer's solver go on to the last digit."""
    m.opt.tolerance, m.opt.ls_tolerance = 1e-15, 1e-10
    m.opt.iterations = m.opt.ls_iterations = 200


def _address(d, name):
    return d.pointer.value + d.fields[name][1].offset


def arena(d):
    """The address of the arena, the last pointer of snData, after those of all fields and buffer."""
    last = max(field.offset for _, field in d.fields.values())
    return ctypes.c_void_p.from_address(d.pointer.value + last + 16).value


def contact_array(peer):
    """The peer's contacts as ours are laid out; what it has no name for is zero."""
    rows = np.zeros(peer.ncon, bridge.CONTACT)
    for name in (n for n in bridge.CONTACT.names if hasattr(peer.contact, n)):
        rows[name] = np.asarray(getattr(peer.contact, name)).reshape(rows[name].shape)
    return rows


def put_contacts(d, peer):
    """Writes the peer's contacts at the start of our arena, as sn_collision would."""
    rows = contact_array(peer)
    rows["mu"] = np.nan
    rows["efc_address"] = 12345
    ctypes.memmove(arena(d), rows.ctypes.data, rows.nbytes)
    ctypes.c_void_p.from_address(_address(d, "contact")).value = arena(d)
    ctypes.c_int.from_address(d.pointer.value + 8).value = peer.ncon
    # parena, the first of five sizes before the arrays
    ctypes.c_size_t.from_address(_address(d, "qpos") - 40).value = (rows.nbytes + 63) // 64 * 64


def make_rows(m, d, peer):
    """Our position and velocity stages of constraints at the peer's state, contacts and smooth acceleration."""
    d.qpos, d.qvel = peer.qpos, peer.qvel
    d.mocap_pos, d.mocap_quat = peer.mocap_pos, peer.mocap_quat
    for stage in ("kinematics", "comPos", "tendon", "makeM", "factorM"):
        bridge.call(stage, m, d)
    put_contacts(d, peer)
    bridge.call("makeConstraint", m, d)
    bridge.call("referenceConstraint", m, d)
    d.qacc_smooth = peer.qacc_smooth
    d.qacc_warmstart = peer.qacc_warmstart
