"""Loops held exactly together with rigid contact: the LCP is that of the reduced system, J G and G'HG."""

import importlib.util

import numpy as np
import pytest

import sinew
from linkage_models import MODELS, load, loop_K

# A four-bar on a free base, as a leg's, that falls onto a plane; a damper in a loop joint, dampers in joints.
FOUR_BAR = """
<mujoco>
  <option timestep="0.002"><flag energy="enable"/></option>
  <default><geom density="500" size=".02" friction=".6" contype="2"/><joint axis="0 1 0" {damping}/></default>
  <worldbody>
    <geom type="plane" size="5 5 1" contype="1"/>
    <body pos="0 0 .33"><freejoint/><geom type="box" size=".2 .08 .02"/>
      <body pos="-.12 0 0"><joint/><geom type="capsule" fromto="0 0 0 -.03 0 -.2"/>
        <body pos="-.03 0 -.2"><joint/><geom type="capsule" fromto="0 0 0 .26 0 -.04" size=".03"/>
          <site name="coupler" pos=".26 0 -.04"/></body></body>
      <body pos=".12 0 0"><joint/><geom type="capsule" fromto="0 0 0 -.01 0 -.24"/>
        <site name="rocker" pos="-.01 0 -.24"/></body>
    </body>
  </worldbody>
  <custom><text name="sinew_loop_pin" data="revolute coupler rocker {loop}"/></custom>
</mujoco>"""


def four_bar(damping="", loop=""):
    model = sinew.Model.from_xml(FOUR_BAR.format(damping=damping, loop=loop))
    return model, sinew.Data(model)


@pytest.fixture(scope="module")
def motion():
    spec = importlib.util.spec_from_file_location("legs", MODELS.parent / "legs_motion.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make(name):
    if name == "legs":
        return load("cassie_legs")
    if name == "damped":
        return four_bar('damping=".3"')
    return four_bar('damping=".1"', "damping=.4") if name == "loop damper" else four_bar()


def rigid(model, cone="ELLIPTIC"):
    model.opt.integrator = sinew.Integrator.EULER
    model.opt.contact = sinew.ContactModel.LCP
    model.opt.cone = sinew.Cone[cone]
    model.opt.lcp_tolerance, model.opt.lcp_sweeps = 1e-11, 20_000


def inertia(model, data, damper):
    """M + h diag(damping) + h c j j', j of the loop joint's freedom by differences."""
    H = sinew.fullM(model, data) + model.opt.timestep * np.diag(model.dof_damping)
    if damper is not None:
        H += model.opt.timestep * 0.4 * np.outer(damper, damper)
    return H


def wanted(model, data, w):
    """w with what positions add to the rows of contacts."""
    h, opt, w = model.opt.timestep, model.opt, w.copy()
    for contact in data.contact:
        phi, row = contact.dist, contact.efc_address
        if row >= 0:
            deep = opt.lcp_erp * min(phi + opt.lcp_slop, 0)
            w[row] += (deep if phi <= 0 else phi if phi > opt.lcp_slop / 1000 else 0) / h
    return w


@pytest.mark.parametrize("cone", ["PYRAMIDAL", "ELLIPTIC"])
@pytest.mark.parametrize("name", ["plain", "damped", "loop damper", "legs"])
def test_the_lcp_is_that_of_the_reduced_system(name, cone, motion):
    model, data = make(name)
    rigid(model, cone)
    h, touched = model.opt.timestep, 0
    for k in range(300):
        if name == "legs":
            data.ctrl[:] = motion.targets(model, data.time)
        if k % 30 == 29:
            sinew.forward(model, data)
            touched += data.ncon
            assert data.ne == 0 and set(data.efc_type) <= {5, 7}  # no row of a loop
            K, J = loop_K(model, data), data.efc_J
            damper = None
            if name == "loop damper":  # the pin turns as its two bodies do
                jac = [np.asarray(sinew.jacBody(model, data, b)[1])[1] for b in (3, 4)]
                damper = jac[1] - jac[0]
            H = inertia(model, data, damper)
            U, s, V = np.linalg.svd(K)
            rank = int((s > 1e-7 * s[0]).sum())
            Z, particular = V[rank:].T, np.linalg.pinv(K, rcond=1e-7) @ data.loop_k
            inverse = Z @ np.linalg.solve(Z.T @ H @ Z, Z.T)
            free = particular + inverse @ (data.qfrc_smooth - H @ particular)
            impulse = h * data.efc_force
            plus = data.qvel + h * free + inverse @ (J.T @ impulse)
            scale = max(1, np.abs(data.qacc).max())
            np.testing.assert_allclose(data.qacc, (plus - data.qvel) / h, rtol=0, atol=1e-7 * scale)
            holds(model, data, wanted(model, data, J @ plus), impulse, cone)
            # forces of the loops and of contacts are what moves it
            rest = H @ data.qacc - data.qfrc_smooth - data.qfrc_constraint
            np.testing.assert_allclose(rest, 0, atol=1e-7 * scale)
            loops = data.qfrc_constraint - J.T @ data.efc_force
            np.testing.assert_allclose(K.T @ data.loop_force, loops, rtol=0, atol=1e-7 * scale)
        sinew.step(model, data)
        assert data.loop_error < 1e-9
    assert touched > 8 and not data.warning["number"].any()


def holds(model, data, w, impulse, cone):
    """The conditions of each contact, in NumPy."""
    for contact in data.contact:
        row, mu = contact.efc_address, contact.friction[:2]
        normal, slip, force = impulse[row], w[row + 1 : row + 3], impulse[row + 1 : row + 3]
        assert normal >= 0 and w[row] > -1e-8 and normal * w[row] < 1e-8
        if cone == "PYRAMIDAL":
            room = mu * normal - np.abs(force)
            assert room.min() > -1e-12
            assert np.all((np.abs(slip) < 1e-7) | ((room < 1e-10) & (slip * force <= 0)))
        else:
            room = normal - np.linalg.norm(force / mu)
            assert room > -1e-10
            if np.linalg.norm(slip) > 1e-6 and normal > 1e-9:
                assert room < 1e-8
                against = force / mu**2
                aligned = -slip @ against / (np.linalg.norm(slip) * np.linalg.norm(against))
                assert aligned > 1 - 1e-8


@pytest.mark.parametrize("name", ["plain", "damped"])
def test_energy_falls_and_the_mechanism_comes_to_rest(name):
    model, data = make(name)
    rigid(model)
    model.opt.lcp_sweeps = 200
    sinew.forward(model, data)
    start, deepest = data.energy.sum(), 0
    for _ in range(3000):
        sinew.step(model, data)
        # positions are mended by velocities, which is all that may add energy
        assert data.energy.sum() < start + 1e-3 * abs(start)
        deepest = min(deepest, data.contact.dist.min() if data.ncon else 0)
        assert data.loop_error < 1e-9
    sinew.forward(model, data)
    assert np.abs(loop_K(model, data) @ data.qvel).max() < 1e-10
    assert deepest > -2e-3
    assert data.energy[1] < 1e-6 and data.energy.sum() < start


def test_legs_stand_squat_and_sway(motion):
    model, data = load("cassie_legs")
    rigid(model)
    model.opt.lcp_tolerance, model.opt.lcp_sweeps = 1e-8, 500
    soles = [model.geom(f"{s}_sole").id for s in ("left", "right")]
    heights, feet, deepest = [], [], 0
    for _ in range(4000):
        data.ctrl[:] = motion.targets(model, data.time)
        sinew.step(model, data)
        assert data.loop_error < 1e-9
        heights.append(data.qpos[2])
        feet.append(data.geom_xpos[soles].copy())
        deepest = min(deepest, data.contact.dist.min() if data.ncon else 0)
    feet = np.array(feet)
    assert min(heights[1000:]) > 0.8 and deepest > -1e-3
    assert np.linalg.norm((feet - feet[1000])[1000:, :, :2], axis=2).max() < 2e-3  # no slip
    sinew.forward(model, data)
    assert np.abs(loop_K(model, data) @ data.qvel).max() < 1e-10
    assert not data.warning["number"].any()
