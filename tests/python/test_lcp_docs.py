"""What docs/differences.md and docs/contact_lcp.md say of rigid contact, beside soft contact of the same models."""

import math

import mujoco
import numpy as np
import pytest

import sinew

GRAVITY = 9.81
FLOOR = '<geom type="plane" size="5 5 .1" {0}/>'
BALL = '<body pos="0 0 {height}"><freejoint/><geom name="ball" size=".1" mass="2" {geom}/></body>'


def model(contact="lcp", option="", geom="", height=0.1, lcp="", extra=""):
    """A ball on a floor."""
    return sinew.Model.from_xml(
        f"""<mujoco><option {option}/>
        <custom><text name="sinew_contact" data="{contact}"/><text name="sinew_lcp" data="{lcp} slop=1e-5"/>{extra}</custom>
        <worldbody>{FLOOR.format(geom)}{BALL.format(height=height, geom=geom)}</worldbody></mujoco>"""
    )


def stepped(m, steps=1, **start):
    d = sinew.Data(m)
    for name, value in start.items():
        getattr(d, name)[:] = value
    sinew.step(m, d, nstep=steps)
    return d


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_rows_are_components_whatever_the_cone(cone, condim):
    m = model(option=f'cone="{cone}"', geom=f'condim="{condim}"')
    d = stepped(m, qvel=[0.1, 0, 0, 0, 1, 3])
    kind = (
        sinew.ConstraintType.CONTACT_FRICTIONLESS
        if condim == 1
        else sinew.ConstraintType.CONTACT_ELLIPTIC
    )
    assert d.nefc == condim and set(d.efc_type) == {kind}
    assert d.efc_force[0] == pytest.approx(2 * GRAVITY)
    np.testing.assert_array_equal(sinew.contactForce(m, d, 0)[:condim], d.efc_force)


def test_forces_are_impulses_over_the_step():
    """An impact's force is as large as the step is short; its impulse is not."""
    for timestep in (0.001, 0.002):
        m = model(option=f'timestep="{timestep}"')
        d = stepped(m, qvel=[0, 0, -1, 0, 0, 0])
        before = np.array([0, 0, -1, 0, 0, 0])
        np.testing.assert_allclose(d.qacc * timestep, d.qvel - before, atol=1e-12)
        assert d.efc_force[0] * timestep == pytest.approx(2 * (1 + GRAVITY * timestep))
        np.testing.assert_allclose(d.impulse["lambda"][0][:3], d.efc_force * timestep, atol=1e-15)


def test_contacts_in_the_gap_have_rows_and_no_force():
    d = stepped(model(height=0.1009))
    assert d.contact[0].dist > 0 and d.nefc == 3 and not d.efc_force.any()
    assert set(d.efc_state) == {sinew.ConstraintState.SATISFIED}
    assert stepped(model(height=0.1011)).nefc == 0
    assert stepped(model(height=0.1009, contact="soft")).nefc == 0


def test_a_gap_is_closed_and_no_more():
    d = stepped(model(height=0.1009), qvel=[0, 0, -3, 0, 0, 0])
    assert d.qpos[2] == pytest.approx(0.1, abs=1e-12)


def test_margin_is_no_cushion():
    for contact, height in (("lcp", 0.1), ("soft", 0.14)):
        d = stepped(model(contact, geom='margin=".02"', height=0.105), 1000)
        assert d.qpos[2] == pytest.approx(height, abs=5e-4)


def test_parameters_of_soft_contact_are_not_read():
    plain = stepped(model(option='cone="elliptic"'), 50, qvel=[1, 0, 0, 0, 0, 0])
    option = 'cone="elliptic" impratio="10" solver="PGS" iterations="3" tolerance="1e-3" jacobian="sparse"'
    tuned = model(option=option, geom='solref=".1 .3" solimp=".5 .6 .01"')
    np.testing.assert_array_equal(stepped(tuned, 50, qvel=[1, 0, 0, 0, 0, 0]).qpos, plain.qpos)


def test_solver_statistics_are_those_of_sweeps():
    m = model(lcp="sweeps=7 tolerance=1e-9")
    d = stepped(m, qvel=[1, 0, 0, 0, 0, 0])
    assert 1 <= d.solver_niter <= 7 and 0 <= d.solver_residual <= 1e-9
    assert d.solver_residual_max == d.solver_residual
    assert not d.solver["gradient"].any()


def test_impulses_are_state():
    m, soft = model(), model("soft")
    for bit in (sinew.StateBit.WARMSTART, sinew.StateBit.INTEGRATION):
        size = sinew.stateSize(m, bit)
        assert size > sinew.stateSize(soft, bit)
    d = stepped(m, 3, qvel=[1, 0, 0, 0, 0, 0])
    state = sinew.getState(m, d, sinew.StateBit.INTEGRATION)
    other = sinew.Data(m)
    sinew.setState(m, other, state, sinew.StateBit.INTEGRATION)
    assert other.nimpulse == d.nimpulse == 1
    for each in (d, other):
        sinew.step(m, each, nstep=20)
    np.testing.assert_array_equal(other.qpos, d.qpos)


def test_to_the_peer_settings_are_text():
    text = """<mujoco><custom><text name="sinew_contact" data="lcp"/><text name="sinew_lcp" data="sweeps=9"/>
      <text name="sinew_restitution_ball" data=".5"/></custom>
      <worldbody><body><freejoint/><geom name="ball" size=".1"/></body></worldbody></mujoco>"""
    assert mujoco.MjModel.from_xml_string(text).ntext == 3


@pytest.mark.parametrize("cone, factor", [("elliptic", 1), ("pyramidal", math.sqrt(2))])
def test_a_box_of_friction_holds_more_on_its_diagonal(cone, factor):
    """Where a brick begins to slip along the diagonal of its tangents."""
    for part, slips in ((0.999, False), (1.001, True)):
        pull = part * factor * 0.5 * GRAVITY / math.sqrt(2)
        m = sinew.Model.from_xml(
            f"""<mujoco><option gravity="{pull} {pull} {-GRAVITY}" cone="{cone}"/>
            <custom><text name="sinew_contact" data="lcp"/></custom>
            <worldbody><geom type="plane" size="5 5 .1" friction=".5"/><body pos="0 0 .1"><freejoint/>
            <geom type="box" size=".2 .2 .1" friction=".5"/></body></worldbody></mujoco>"""
        )
        d = stepped(m, 250)
        assert (np.linalg.norm(d.qpos[:2]) > 1e-4) == slips
