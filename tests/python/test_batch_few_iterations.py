"""Lanes whose iterations and evaluations run out go where the scalar engine goes."""

import numpy as np
import pytest

import sinew

XML = """<mujoco><option timestep=".01" cone="{cone}" iterations="{iterations}" ls_iterations="{evaluations}"/>
<worldbody><geom type="plane" size="5 5 .1"/>
<body pos="0 0 .25"><freejoint/><geom type="box" size=".2 .1 .05"/>
<body pos=".2 0 0"><joint axis="0 1 0" range="-40 40" frictionloss=".3"/>
<geom type="capsule" fromto="0 0 0 .2 0 -.2" size=".04"/></body>
<body pos="-.2 0 0"><joint axis="0 1 0" range="-40 40" frictionloss=".3"/>
<geom type="capsule" fromto="0 0 0 -.2 0 -.2" size=".04"/></body></body></worldbody></mujoco>"""


def single(batch, i):
    """qacc of a step of simulation i by the scalar engine."""
    data = sinew.Data(batch.model)
    data.qpos[:], data.qvel[:] = batch.qpos[i], batch.qvel[i]
    data.qacc_warmstart[:] = batch.qacc_warmstart[i]
    sinew.step(batch.model, data)
    return data.qacc.copy()


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("evaluations", [1, 2, 3, 5])
@pytest.mark.parametrize("iterations", [1, 2, 5])
def test_lanes_against_single_simulations(cone, evaluations, iterations):
    """One tree, so that no lane is handed to the scalar engine for its iterations."""
    text = XML.format(cone=cone, iterations=iterations, evaluations=evaluations)
    model, n, rng = sinew.Model.from_xml(text), 19, np.random.default_rng(3)
    batch = sinew.Batch(model, n, fields=["qacc"])
    batch.qpos += rng.uniform(-0.1, 0.1, batch.qpos.shape)
    batch.qvel = rng.normal(0, 2, batch.qvel.shape)
    batch.qacc_warmstart = rng.normal(0, 30, batch.qvel.shape)
    off = []
    for _ in range(20):
        want = np.array([single(batch, i) for i in range(n)])
        batch.step()
        off.append(np.abs(batch.qacc - want).max(axis=1) / (1 + np.abs(want).max(axis=1)))
    # what is unsolved when they run out may differ (docs/batch.md): it does in one state of a hundred
    assert np.mean(np.array(off) > 1e-7) <= (0 if evaluations == 1 else 0.02)
