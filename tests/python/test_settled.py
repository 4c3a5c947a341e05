"""Bodies at rest: the last acceleration solves their islands, and no iteration is made."""

import mujoco
import numpy as np
import pytest

import sinew

SHAPES = (
    'type="sphere" size="0.1"',
    'type="box" size="0.1 0.12 0.1"',
    'type="capsule" size="0.06 0.1"',
)


def scene(cone, solver):
    bodies = "".join(
        f'<body pos="{0.5 * k} 0 0.14"><freejoint/><geom {SHAPES[k % 3]} condim="{(3, 4, 6, 1)[k % 4]}"/></body>'
        for k in range(12)
    )
    return f"""
    <mujoco>
      <option cone="{cone}" solver="{solver}" timestep="0.004"/>
      <worldbody>
        <geom type="plane" size="9 9 1"/>{bodies}
        <body pos="0 2 1"><joint name="slide" type="slide" axis="0 0 1" range="-0.2 1" limited="true"/>
          <geom size="0.1"/></body>
      </worldbody>
    </mujoco>"""


def relative(ours, theirs):
    return np.abs(ours - theirs).max() / np.abs(theirs).max()


@pytest.mark.parametrize("solver", ["Newton", "CG"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_rest_needs_no_iterations(cone, solver):
    text = scene(cone, solver)
    m = sinew.Model.from_xml(text)
    d = sinew.Data(m)
    m.opt.tolerance = 1e-12
    for _ in range(4000):
        sinew.step(m, d)
    m.opt.tolerance = 1e-8
    sinew.forward(m, d)
    assert d.solver_niter == 0 and d.nefc > 40
    qacc, force, state = d.qacc.copy(), d.efc_force.copy(), d.efc_state.copy()
    constraint = d.qfrc_constraint.copy()

    # a solution from a cold start; weights differ by 1e3, and tolerance is 1e-3 of the option's
    m.opt.disableflags = int(sinew.DisableBit.WARMSTART)
    sinew.forward(m, d)
    assert d.solver_niter > 0
    assert np.abs(qacc - d.qacc).max() < 1e-8
    assert relative(force, d.efc_force) < 1e-8 and relative(constraint, d.qfrc_constraint) < 1e-8
    np.testing.assert_array_equal(state, d.efc_state)
    m.opt.disableflags = 0

    # the peer, from the same state
    peer_model = mujoco.MjModel.from_xml_string(text)
    peer = mujoco.MjData(peer_model)
    peer.qpos[:], peer.qvel[:] = d.qpos, d.qvel
    mujoco.mj_forward(peer_model, peer)
    assert relative(constraint, peer.qfrc_constraint) < 1e-6

    # a body that is pushed is solved, its neighbours keep their bits
    d.qvel[3] += 0.1
    sinew.forward(m, d)
    assert d.solver_niter > 0
    np.testing.assert_array_equal(qacc[6:], d.qacc[6:])
    assert np.abs(qacc[:6] - d.qacc[:6]).max() > 1e-3
