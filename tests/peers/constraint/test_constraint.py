"""Constraint rows, field by field against the pinned peer, from its contacts.

Rows are products of a few smooth quantities: 1e-10 of the field's scale leaves five digits for the
conditioning of D = 1/R, whose impedance amplifies rounding of the residual by 1/(1 - d).
"""

import mujoco
import numpy as np
import pytest

import bridge
import models
import rows

TOLERANCE = 1e-10
THIRD_PARTY = rows.third_party()
DISABLE = mujoco.mjtDisableBit


def compare(peer_model, states=4, seed=0):
    """Compares all row fields at random states; returns how many rows there were."""
    rng = np.random.default_rng(seed)
    m = bridge.copy_model(peer_model)
    d, peer = bridge.make_data(m), mujoco.MjData(peer_model)
    count = 0
    for state in range(states):
        models.random_state(rng, peer_model, peer, contact=state % 2 == 0)
        mujoco.mj_fwdPosition(peer_model, peer)
        mujoco.mj_fwdVelocity(peer_model, peer)
        rows.make_rows(m, d, peer)
        for name in ("ncon", "ne", "nf", "nl", "nefc"):
            assert d.scalar(name) == getattr(peer, name), name
        count += peer.nefc
        if peer.nefc:
            for name in rows.FIELDS:
                ours, theirs = (
                    getattr(d, name).ravel(),
                    np.asarray(getattr(peer, name)).ravel(),
                )
                np.testing.assert_allclose(
                    ours,
                    theirs,
                    rtol=1e-9,
                    atol=TOLERANCE * (1e-6 + np.abs(theirs).max()),
                    err_msg=name,
                )
        contact = d.contact.ravel()
        for name in ("efc_address", "exclude"):
            np.testing.assert_array_equal(contact[name], getattr(peer.contact, name))
        has_rows = contact["efc_address"] >= 0
        np.testing.assert_allclose(contact["mu"][has_rows], peer.contact.mu[has_rows], rtol=1e-14)
        v, f = rng.normal(size=peer_model.nv), rng.normal(size=peer.nefc)
        check_products(m, d, peer, v, f)
    return count


def check_products(m, d, peer, v, f):
    """J v and J' f against NumPy."""
    J = d.efc_J.reshape(peer.nefc, -1) if peer.nefc else np.zeros((0, len(v)))
    Jv, JTf = np.zeros(peer.nefc), np.zeros(len(v))
    bridge.call(
        "mulJacVec",
        m,
        d,
        Jv.ctypes.data_as(bridge.ctypes.c_void_p),
        v.ctypes.data_as(bridge.ctypes.c_void_p),
    )
    bridge.call(
        "mulJacTVec",
        m,
        d,
        JTf.ctypes.data_as(bridge.ctypes.c_void_p),
        f.ctypes.data_as(bridge.ctypes.c_void_p),
    )
    scale = 1 + np.abs(J).max(initial=0)
    np.testing.assert_allclose(Jv, J @ v, atol=1e-13 * scale * len(v))
    np.testing.assert_allclose(JTf, J.T @ f, atol=1e-13 * scale * (1 + len(f)))


CONES = pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])


@CONES
@pytest.mark.parametrize("path", THIRD_PARTY, ids=lambda p: p.stem)
def test_third_party(path, cone):
    compare(rows.compile_peer(path, cone))


@CONES
@pytest.mark.parametrize("name", rows.INLINE)
def test_own(name, cone):
    assert compare(rows.compile_peer(rows.INLINE[name], cone), states=10) > 40


@pytest.mark.parametrize("impratio", [1, 10])
@pytest.mark.parametrize("friction", [0.3, 1])
@CONES
def test_regularisation_has_a_least_value(cone, friction, impratio):
    """R of rows of bodies so heavy that it stands at its bound, which for edges of pyramids is 2 mu^2 times that of others."""
    bodies = "".join(
        f'<body pos="{i} 0 .099"><freejoint/><geom size=".1" mass="{mass}" condim="{dim}" friction="{friction}"/></body>'
        for i, (dim, mass) in enumerate((d, mass) for d in (1, 3, 4, 6) for mass in (1e12, 1e18))
    )
    text = f"""<mujoco><option impratio="{impratio}"/><worldbody><geom type="plane" size="9 9 1" condim="1" friction="{friction}"/>
      {bodies}<body name="b" pos="0 5 0"><freejoint/><geom size=".1" mass="1e18"/></body>
      <body pos="0 8 0"><joint name="j" type="slide" frictionloss="1" range="1 2" limited="true"/>
      <geom size=".1" mass="1e18"/></body></worldbody><equality><weld body1="b"/></equality></mujoco>"""
    peer_model = rows.compile_peer(text, cone)
    peer = mujoco.MjData(peer_model)
    mujoco.mj_fwdPosition(peer_model, peer)
    mujoco.mj_fwdVelocity(peer_model, peer)
    m = bridge.copy_model(peer_model)
    d = bridge.make_data(m)
    rows.make_rows(m, d, peer)
    for name in "efc_R", "efc_D", "efc_diagApprox":
        np.testing.assert_allclose(
            getattr(d, name).ravel(), getattr(peer, name), rtol=1e-11, err_msg=name
        )
    assert set(peer.efc_type) >= {0, 1, 3, 5}


@pytest.mark.parametrize("flag", ["CONSTRAINT", "FRICTIONLOSS", "LIMIT", "CONTACT", "REFSAFE"])
@CONES
@pytest.mark.parametrize("name", ["sliders", "pile"])
def test_flags(name, flag, cone):
    m = rows.compile_peer(rows.INLINE[name], cone)
    m.opt.disableflags |= int(getattr(DISABLE, "mjDSBL_" + flag))
    compare(m)


def test_contact_without_dofs_is_left_out():
    text = """<mujoco><worldbody><geom name="p" type="plane" size="5 5 .1"/><geom name="w" size=".1"/>
      <body pos="0 0 .1"><joint type="slide"/><geom name="a" size=".1"/><body><geom name="b" size=".1"/></body></body>
      </worldbody><contact><pair geom1="a" geom2="b"/></contact></mujoco>"""
    peer_model = rows.compile_peer(text)
    peer = mujoco.MjData(peer_model)
    mujoco.mj_kinematics(peer_model, peer)
    mujoco.mj_comPos(peer_model, peer)
    mujoco.mj_collision(peer_model, peer)
    m = bridge.copy_model(peer_model)
    d = bridge.make_data(m)
    rows.make_rows(m, d, peer)
    same_body = (peer.contact.geom == [2, 3]).all(axis=1)
    assert same_body.any()
    np.testing.assert_array_equal(
        d.contact.ravel()["exclude"], np.where(same_body, 3, peer.contact.exclude)
    )
    assert (d.contact.ravel()["efc_address"][same_body] == -1).all()
