"""MOCAP_WELD: mocap bodies as weld groups of their own, against both peers."""

import itertools

import mujoco
import numpy as np
import pytest

import newest
import peer_engine
import sinew

TEXT = """<mujoco><option><flag filterparent="{}"/></option><worldbody><geom name="world" size=".3"/>
  <body><geom name="static" size=".31"/></body>
  <body name="hand" mocap="true"><geom name="hand" size=".32"/>
    <body><geom name="palm" size=".33"/>
      <body><joint/><geom name="thumb" size=".34"/><body><geom name="nail" size=".35"/></body></body></body>
    <body pos="0 .02 0"><joint axis="1 0 0"/><geom name="finger" size=".36"/></body></body>
  <body mocap="true" pos="0 0 .01"><geom name="other" size=".37"/></body>
  <body><freejoint/><geom name="free" size=".38"/><body><joint/><geom name="link" size=".39"/></body></body>
</worldbody></mujoco>"""
FIELDS = [
    "body_weldid",
    "body_invweight0",
    "dof_invweight0",
    "body_treeid",
    "body_simple",
    "dof_parentid",
]


def peer_of(physics, text):
    return (
        newest.load(text) if physics == "4.0" else peer_engine.Model(peer_engine.Here(mujoco), text)
    )


@pytest.mark.parametrize("physics", ["3.3.7", "4.0"])
@pytest.mark.parametrize("filterparent", ["enable", "disable"])
def test_which_geoms_meet(physics, filterparent):
    text = TEXT.format(filterparent)
    peer = peer_of(physics, text)
    m = sinew.Model.from_xml(text, physics=physics)
    want = peer.get(*FIELDS)
    for name in FIELDS:
        np.testing.assert_allclose(getattr(m, name), getattr(want, name), atol=1e-14)
    d = sinew.Data(m)
    sinew.forward(m, d)
    peer.call("mj_forward")
    assert d.ncon > 25
    np.testing.assert_array_equal(d.contact.geom, peer.look("contact").contact.geom)
    np.testing.assert_allclose(d.qacc, peer.look("qacc").qacc, rtol=1e-6, atol=1e-8)


def test_the_meanings_differ():
    met = {}
    for physics in ("3.3.7", "4.0"):
        m = sinew.Model.from_xml(TEXT.format("enable"), physics=physics)
        d = sinew.Data(m)
        sinew.forward(m, d)
        met[physics] = {tuple(m.geom(int(g)).name for g in pair) for pair in d.contact.geom}
    hands, fingers = ["hand", "palm"], ["thumb", "nail", "finger"]
    assert met["3.3.7"] - met["4.0"] == set(itertools.product(hands, fingers))
    assert not met["4.0"] - met["3.3.7"]


@pytest.mark.parametrize("physics", ["3.3.7", "4.0"])
def test_rays_that_leave_out_what_is_static(physics):
    text = TEXT.format("enable")
    m = sinew.Model.from_xml(text, physics=physics)
    d = sinew.Data(m)
    sinew.forward(m, d)
    # straight down onto the hand alone, were it not for those above it: only bodies of a group without dofs count
    m.geom_rgba[[m.geom(n).id for n in ("thumb", "nail", "finger", "free", "link")], 3] = 0
    distance, geom = sinew.ray(m, d, [0, 0, 3], [0, 0, -1], flg_static=False)
    assert (distance, geom) == (
        (-1, -1) if physics == "3.3.7" else (pytest.approx(3 - 0.38), m.geom("other").id)
    )


@pytest.mark.parametrize("physics", ["3.3.7", "4.0"])
def test_lanes(physics):
    m = sinew.Model.from_xml(TEXT.format("enable"), physics=physics)
    batch = sinew.Batch(m, 4)
    assert not batch.scalar_features
    q = m.qpos0 + 0.02 * np.random.default_rng(2).normal(size=(4, m.nq))
    batch.qpos[:] = q
    batch.step()
    for k in range(4):
        d = sinew.Data(m)
        d.qpos[:] = q[k]
        sinew.step(m, d)
        np.testing.assert_allclose(batch.qvel[k], d.qvel, rtol=1e-9, atol=1e-9)


HELD = {
    "soft": "",
    "exact": '<text name="sinew_loops" data="exact"/>',
    **{
        of: f'<text name="sinew_contact" data="lcp"/><text name="sinew_lcp" data="coordinates={of}"/>'
        for of in ("mixed", "tree", "maximal")
    },
}


@pytest.mark.parametrize("held", HELD)
def test_hanging_on_a_mocap_body(held):
    """What hangs on a mocap body moves as on the world, whichever way the dynamics are solved."""
    text = f"""<mujoco><custom>{HELD[held]}</custom><worldbody><geom type="plane" size="0 0 1" pos="0 0 -.35"/>
      <body mocap="true"><body name="w"><body name="a"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
        <body name="b" pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .3 0 -.2" size=".02"/></body></body>
        <body pos="0 .1 0"><joint axis="1 0 0"/><geom size=".05" pos="0 0 -.3"/></body></body></body>
      </worldbody><equality><connect body1="b" body2="w" anchor=".3 0 -.2"/></equality></mujoco>"""
    last = {}
    for physics in ("3.3.7", "4.0"):
        m = sinew.Model.from_xml(text, physics=physics)
        d = sinew.Data(m)
        d.qvel[:] = 0, 0, 1
        for _ in range(20):
            sinew.step(m, d)
        last[physics] = np.concatenate([d.qpos, d.qvel])
        assert np.isfinite(last[physics]).all()
    if held != "soft":  # of soft connects the velocity enters otherwise
        np.testing.assert_allclose(last["3.3.7"], last["4.0"], atol=1e-12)
