"""Flag `diagexact`: rows by the diagonal of J inv(M) J' itself, as MuJoCo 4.0.1's."""

import numpy as np
import pytest

import newest
import sinew
from meanings import data, near

MODEL = """<mujoco><option timestep=".004" {0}><flag diagexact="enable" multiccd="disable"/></option><worldbody>
  <geom type="plane" size="3 3 1" friction=".1 .01 .001"/>
  <body name="a" pos="0 0 .09"><freejoint/><geom type="box" size=".1 .2 .1" pos=".02 0.01 0" condim="{1}" friction=".8 .02 .01"/>
    <body pos="0 0 .3"><joint axis="1 1 0" armature=".02"/><geom size=".05 .1" type="capsule" contype="0" conaffinity="0"/></body></body>
  <body name="b" pos="1 0 .5"><joint name="h" axis="0 1 0" range="-.1 .1" limited="true" frictionloss=".1"/>
    <geom type="capsule" size=".03" fromto="0 0 0 .3 0 .1"/>
    <body name="c" pos=".3 0 .1"><joint name="k" axis="0 0 1" frictionloss=".2" armature=".01"/><joint type="slide" axis="1 0 0"/>
      <geom size=".1" pos=".1 0 0"/></body></body>
  <body name="e" pos="0 1 1"><joint type="ball" range="0 .1" limited="true"/><geom type="box" size=".1 .02 .05" pos=".1 .1 0"/></body>
  <body name="f" pos="0 2 .04"><freejoint/><geom size=".05" condim="3"/></body>
  </worldbody>
  <equality><connect body1="b" body2="e" anchor=".1 .1 .1"/><weld body1="c" body2="a"/>
    <joint joint1="h" joint2="k" polycoef="0 1 .2"/></equality>
  <tendon><fixed name="t" frictionloss=".3" range="-.01 .01" limited="true"><joint joint="h" coef="1"/><joint joint="k" coef="-2"/>
    </fixed></tendon></mujoco>"""
NAMES = ["efc_R", "efc_D", "efc_diagA", "efc_aref", "qacc"]
OPTIONS = {
    "pyramidal": ('cone="pyramidal" impratio="2"', 6),
    "elliptic": ('cone="elliptic" impratio="3"', 4),
    "plain": ("", 3),
    "implicitfast": ('integrator="implicitfast"', 1),
}


def random_states(m, count):
    rng = np.random.default_rng(3)
    for _ in range(count):
        q = m.qpos0.copy()
        q += rng.normal(0, 0.1, m.nq)
        q[3:7] = [1, *rng.normal(0, 0.05, 3)]
        q[2], q[-5] = 0.09, 0.04
        sinew.normalizeQuat(m, q)
        yield {"qpos": q, "qvel": rng.normal(0, 0.5, m.nv)}


@pytest.mark.parametrize("name", OPTIONS)
def test_rows_are_the_peers(name):
    text = MODEL.format(*OPTIONS[name])
    m, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text)
    m.opt.tolerance, m.opt.iterations = 0, 300
    theirs.set(tolerance=0, iterations=300)
    some = list(random_states(m, 100 if name in ("pyramidal", "elliptic") else 10))
    for k, (state, peer) in enumerate(
        zip(some, theirs.run("mj_forward", some, NAMES), strict=True)
    ):
        d = data(m, state)
        sinew.forward(m, d)
        for field in NAMES:
            ours = getattr(d, "efc_diagApprox" if field == "efc_diagA" else field)
            their = np.ravel(getattr(peer, field))
            assert ours.shape == their.shape
            assert np.abs(ours - their).max() <= 1e-7 * (1 + np.abs(their).max()), (k, field)


def test_it_is_the_diagonal():
    text = MODEL.format('cone="elliptic"', 3)
    m = sinew.Model.from_xml(text, physics="4.0")
    for state in random_states(m, 5):
        d = data(m, state)
        sinew.forward(m, d)
        J = d.efc_J
        exact = np.einsum("ij,ji->i", J, np.linalg.solve(sinew.fullM(m, d), J.T))
        others = np.arange(d.nefc) < d.nefc - sum(d.contact.dim[d.contact.efc_address >= 0])
        normal = np.isin(np.arange(d.nefc), d.contact.efc_address)
        np.testing.assert_allclose(
            d.efc_diagApprox[others | normal], exact[others | normal], rtol=1e-10
        )


def test_inverse_steps_and_what_is_refused():
    m = sinew.Model.from_xml(MODEL.format("", 3), physics="4.0")
    m.opt.tolerance = 0
    state = next(random_states(m, 1))
    d = data(m, state)
    sinew.forward(m, d)
    sinew.inverse(m, d)
    near(d.qfrc_inverse, 0 * d.qfrc_inverse, 1e-7, "nothing was applied")
    with pytest.raises(
        sinew.NotSupportedError, match="rows with the flag diagexact have no derivative"
    ):
        sinew.transitionDerivative(m, d)
    A = sinew.transitionFD(m, d, 1e-6, centered=True)[0]
    assert np.isfinite(A).all()
    assert sinew.Batch(m, 2).scalar_features == ("flag diagexact",)
    m.opt.integrator = sinew.Integrator.RK4
    sinew.step(m, d, nstep=20)
    m.opt.integrator = sinew.Integrator.EULER
    m.opt.contact = sinew.ContactModel.LCP
    sinew.step(m, d, nstep=20)
    assert np.isfinite(d.qpos).all()


def test_flag_of_options_alone():
    """Under either meaning, by a program."""
    text = MODEL.replace('<flag diagexact="enable" multiccd="disable"/>', "").format("", 3)
    m = sinew.Model.from_xml(text, physics="3.3.7")
    state = next(random_states(m, 1))
    R = []
    for flag in (0, sinew.EnableBit.DIAGEXACT):
        m.opt.enableflags = int(flag)
        d = data(m, state)
        sinew.forward(m, d)
        R.append(d.efc_R.copy())
    assert np.abs(R[0] - R[1]).max() > 1e-3


def test_beside_loops_and_on_threads():
    m = sinew.Model.from_xml(MODEL.format("", 3), physics="4.0")
    start = np.array([np.concatenate([[0], s["qpos"], s["qvel"]]) for s in random_states(m, 4)])
    one, two = (sinew.rollout(m, start, nstep=10, threads=t) for t in (1, 3))
    np.testing.assert_array_equal(one[0], two[0])
    m.opt.loops = sinew.Loops.EXACT
    d = data(m, next(random_states(m, 1)))
    d.qvel[:] = 0
    sinew.step(m, d, nstep=5)
    assert d.nclosure and np.isfinite(d.qacc).all()
