"""Static bodies fused with their parents and visual geoms discarded: the same model as the peer's.

The peer crashes when a body with a camera is fused, and keeps bodies that nothing names when others are
named (docs/differences.md); those cases are tested here against what must hold.
"""

import ctypes

import mujoco
import numpy as np
import pytest

import bridge
from test_bounds import numbers, random_model
from test_model import compare, load_text, sizes

FUSE = '<compiler fusestatic="true"/>'
DISCARD = '<compiler discardvisual="true"/>'
BOTH = '<compiler fusestatic="true" discardvisual="true"/>'
VISUAL = 'contype="0" conaffinity="0"'
# Sums of turned inertias; the peer takes them in another order.
# Its trees of boxes hold the boxes from before, too.
STALE = {
    "nbvh",
    "nbvhstatic",
    "body_bvhadr",
    "body_bvhnum",
    "bvh_depth",
    "bvh_child",
    "bvh_nodeid",
    "bvh_aabb",
}
# It forgets the orientation of a fused body when it places its centre of mass. What follows from that must be
# as it was before bodies were fused.
MASS = {
    "body_ipos", "body_inertia", "body_invweight0", "dof_invweight0", "dof_M0", "body_sameframe", "geom_sameframe",
    "site_sameframe", "body_simple", "dof_simplenum", "nC", "M_rownnz", "M_rowadr", "M_colind", "mapM2M", "mapM2D",
    "mapD2M", "tendon_invweight0", "stat",
}  # fmt: skip
LOOSE = {"body_ipos": 1e-11, "body_invweight0": 1e-9, "dof_invweight0": 1e-9, "bvh_aabb": 1e-11}

BODIES = """<worldbody><geom name="w0" size=".1"/><body name="a" pos="1 0 0" euler="0 0 90"><geom name="a0" size=".1"/>
 <site name="sa"/><frame pos="0 .1 .2" euler="10 0 0"><body name="b" pos="0 1 0"><joint name="jb"/><geom name="b0"
 size=".1"/><site name="sb"/>%s<geom name="b1" size=".1"/></body></frame></body><geom name="w1" size=".1"/></worldbody>"""
INSIDE = """<frame pos="1 2 3" euler="20 30 40"><body name="c" pos="0 0 1" euler="90 0 0"><frame euler="0 0 10"><geom name="c0"
 type="box" size=".1 .2 .3"/><geom type="capsule" size=".1" fromto="0 0 0 1 1 1"/><site name="sc"/></frame>
 <inertial pos=".1 .2 .3" mass="2" diaginertia="1 2 2.5"/><frame pos=".1 .2 .3"><body name="d" pos="0 0 1"><joint/>
 <geom name="d0" size=".1"/><body name="f"><geom name="f0" size=".1"/></body></body></frame><body name="e" pos="0 0 2">
 <geom name="e0" size=".1"/><site name="se"/></body></body></frame><body name="g"><joint name="jg"/><geom name="g0"
 size=".1"/></body>"""
TREE = BODIES % INSIDE


def both(text):
    peer = mujoco.MjModel.from_xml_string(text)
    ours, error = load_text(text)
    assert ours is not None, error.message.decode()
    return ours, peer


FUSED = {
    "tree": TREE,
    "massless joint": "<worldbody><body><joint/><body><geom size='.1'/></body></body></worldbody>",
    "two chains": "<worldbody><body><joint/><geom size='.2'/><body pos='0 0 1'><body euler='9 8 7'><geom size='.1' "
    "pos='1 2 3'/><body pos='1 0 0'><joint/><geom size='.1'/></body></body></body></body></worldbody>",
    "last child": "<worldbody><body name='x'><joint/><geom size='.2'/><body><body name='y'><joint/><geom size='.1'/>"
    "</body></body></body><body name='z'><freejoint/><geom size='.1'/></body></worldbody>",
    "mocap": "<worldbody><body mocap='true'><geom size='.1'/><body pos='1 0 0'><geom size='.2'/></body></body></worldbody>",
    "free": "<worldbody><body pos='1 2 3'><freejoint align='true'/><geom size='.1' pos='1 0 0'/><body><geom size='.1' "
    "pos='0 1 0'/></body></body></worldbody>",
    "force": TREE + "<sensor><force site='se'/><torque site='sb'/><touch site='sc'/></sensor>",
    "tendon": TREE + "<tendon><spatial><site site='sc'/><site site='sb'/></spatial></tendon>",
}


def check_fused(text, option=""):
    """Everything but masses as the peer fuses, masses as the peer has them apart."""
    fused, peer = both(f"<mujoco>{FUSE.replace('/>', f' {option}/>')}{text}</mujoco>")
    compare(fused, peer, LOOSE, STALE | MASS)
    apart = mujoco.MjModel.from_xml_string(f"<mujoco><compiler {option}/>{text}</mujoco>")
    for name in ["dof_M0", "dof_invweight0", "tendon_invweight0"]:
        # The principal axes of a sum are found to 1e-6 rad, as the peer's, which shows squared.
        mine, theirs = np.ravel(getattr(fused, name)), getattr(apart, name)
        np.testing.assert_allclose(mine, theirs, rtol=1e-6, atol=1e-12)
    moving = apart.body_weldid > 0
    np.testing.assert_allclose(
        fused.body_mass[np.ravel(fused.body_weldid) > 0].sum(), apart.body_mass[moving].sum()
    )


@pytest.mark.parametrize("name", FUSED)
def test_fused(name):
    check_fused(FUSED[name])


@pytest.mark.parametrize(
    "option", ['boundmass="10"', 'boundinertia="3"', 'settotalmass="7"', 'inertiafromgeom="true"']
)
def test_fused_with_settings(option):
    if "settotalmass" not in option:  # which scales what is left
        check_fused(TREE, option)
    if "inertiafromgeom" in option:
        return  # the peer counts what it fused once more
    straight = TREE.replace(' euler="90 0 0"', "").replace(' euler="20 30 40"', "")
    head = FUSE.replace("/>", f" {option}/>")
    compare(*both(f"<mujoco>{head}{straight}</mujoco>"), LOOSE, STALE)


@pytest.mark.parametrize("seed", range(8))
def test_random(seed):
    text = random_model(seed)
    check_fused(text[len("<mujoco>") : -len("</mujoco>")])
    # The axes of equal moments are a matter of rounding; boxes stand in those axes.
    compare(*both(text.replace("<mujoco>", f"<mujoco>{DISCARD}")), LOOSE, STALE)


DISCARDED = {
    "plain": "",
    "pair": "<contact><pair geom1='v' geom2='c'/></contact>",
    "sensor": "<sensor><framepos objtype='geom' objname='v'/></sensor>",
    "reference": "<sensor><framepos objtype='site' objname='s' reftype='geom' refname='v'/></sensor>",
    "tuple": "<custom><tuple name='t'><element objtype='geom' objname='v'/></tuple></custom>",
    "tendon": "<tendon><spatial><site site='s'/><geom geom='v'/><site site='s'/></spatial></tendon>",
}


@pytest.mark.parametrize("name", DISCARDED)
@pytest.mark.parametrize("head", [DISCARD, BOTH])
def test_discarded(name, head):
    assets = """<asset><texture name="t" builtin="flat" width="4" height="4" type="2d"/><texture type="skybox"
     builtin="flat" width="4" height="24"/><material name="m" texture="t"/></asset>"""
    world = f"""<worldbody><geom {VISUAL} size="3"/><geom size="1" material="m"/><body><joint/><geom name="v" size=".1"
     {VISUAL} pos="1 0 0" margin="3" material="m"/><geom name="c" size=".2" material="m"/><geom size=".3" {VISUAL} mass="0"/>
     <geom size=".3" {VISUAL} group="3"/><site name="s"/><body><joint/><geom name="only" size=".1" {VISUAL}/></body></body>
     </worldbody>"""
    compare(*both(f"<mujoco>{head}{assets}{world}{DISCARDED[name]}</mujoco>"), LOOSE, STALE)


def names(model):
    call = bridge.lib.sn_id2name
    kind = mujoco.mjtObj.mjOBJ_BODY.value
    found = [call(model.pointer, kind, i) for i in range(1, sizes(model)["nbody"])]
    return "".join(ctypes.string_at(text).decode() for text in found)


REFERENCES = {
    "<equality><weld body1='{}' body2='g'/></equality>",
    "<equality><connect body1='g' body2='{}' anchor='0 0 0'/></equality>",
    "<sensor><subtreecom body='{}'/></sensor>",
    "<sensor><framepos objtype='xbody' objname='{}'/></sensor>",
    "<contact><exclude body1='{}' body2='g'/></contact>",
    "<actuator><adhesion body='{}' ctrlrange='0 1'/></actuator>",
    "<custom><tuple name='t'><element objtype='body' objname='{}'/></tuple></custom>",
    "<worldbody><camera mode='targetbody' target='{}'/></worldbody>",
    "<worldbody><light mode='targetbody' target='{}'/></worldbody>",
}


@pytest.mark.parametrize("reference", sorted(REFERENCES))
def test_named_bodies_stay_and_no_others(reference):
    for name, expected in {"c": "bcdg", "e": "bdeg", "f": "bdfg", "a": "abdg"}.items():
        ours, error = load_text(f"<mujoco>{FUSE}{TREE}{reference.format(name)}</mujoco>")
        assert ours is not None, error.message.decode()
        assert names(ours) == expected


def test_gravity_compensation_stays_with_its_body():
    tree = TREE.replace('name="e"', 'name="e" gravcomp="1"')
    ours, _ = load_text(f"<mujoco>{FUSE}{tree}</mujoco>")
    assert names(ours) == "bdeg"


def test_cameras_and_lights_move():
    inside = INSIDE.replace('<site name="se"/>', f'<camera pos="{numbers([1, 2, 3])}"/><light/>')
    text = f"<mujoco>%s{BODIES % inside}</mujoco>"
    fused, error = load_text(text % FUSE)
    assert fused is not None, error.message.decode()
    apart, _ = load_text(text % "")
    assert fused.cam_bodyid[0] == 1 and fused.light_bodyid[0] == 1
    # pos0 is the offset from the body in the world at qpos0, mat0 the orientation there: the place is the same
    np.testing.assert_allclose(fused.cam_mat0, apart.cam_mat0, atol=1e-14)
    np.testing.assert_allclose(
        fused.cam_poscom0[0] - fused.cam_pos0[0], fused.light_poscom0[0] - fused.light_pos0[0]
    )
