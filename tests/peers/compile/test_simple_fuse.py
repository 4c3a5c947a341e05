"""`simple` and `fuse` of bodies, what 4.0.1 makes of them."""

import numpy as np
import pytest

import newest
import sinew

SIMPLE = "body_simple dof_simplenum nM nC nD nB".split()
BODIES = """<mujoco><worldbody>
  <body {}><freejoint/><geom size=".1"/></body>
  <body pos="1 0 0"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><geom size=".1"/></body>
  <body pos="2 0 0" {}><joint type="slide" axis="1 0 0"/><joint axis="0 0 1"/><geom size=".1"/></body>
  <body pos="3 0 0" {}><body><joint type="ball"/><geom size=".1"/></body></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("which", range(8))
def test_simple(which):
    words = ['simple="false"' if which >> i & 1 else 'simple="auto"' for i in range(3)]
    text = BODIES.format(*words)
    m, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text).get(*SIMPLE)
    for name in SIMPLE:
        np.testing.assert_array_equal(getattr(m, name), getattr(theirs, name), name)
    plain = sinew.Model.from_xml(BODIES.format("", "", ""), physics="4.0")
    motion = []
    for model in (m, plain):
        d = sinew.Data(model)
        d.qvel[:] = np.linspace(-1, 1, model.nv)
        sinew.step(model, d, nstep=50)
        motion.append(d.qpos.copy())
    np.testing.assert_allclose(*motion, atol=1e-12)  # of the same motion


TREE = """<mujoco><compiler fusestatic="true"/><worldbody>
  <body name="a" {0}><geom size=".1"/><body name="b" {1}><geom size=".1"/><body name="c"><joint/><geom size=".1"/>
    <body name="d" {2} pos=".1 0 0" euler="10 20 30"><geom size=".05" pos=".1 0 0"/></body></body></body></body>
</worldbody></mujoco>"""
FUSED = "nbody body_parentid body_mass body_inertia body_ipos body_pos geom_bodyid geom_pos body_simple".split()


@pytest.mark.parametrize("which", range(8))
def test_fuse(which):
    words = ['fuse="false"' if which >> i & 1 else 'fuse="auto"' for i in range(3)]
    text = TREE.format(*words)
    m, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text).get(*FUSED)
    assert m.nbody == 2 + bin(which).count("1")
    for name in FUSED:
        ours = np.asarray(getattr(m, name), float)
        np.testing.assert_allclose(
            ours, np.reshape(getattr(theirs, name), ours.shape), atol=1e-9, err_msg=name
        )


def test_written_back():
    spec = sinew.Spec.from_xml(TREE.format('fuse="false"', 'simple="false"', ""), physics="4.0")
    text = spec.to_xml()
    assert 'fuse="false"' in text and 'simple="false"' in text
    assert sinew.Model.from_xml(text).nbody == spec.compile().nbody == 3
    for bad in ('simple="true"', 'fuse="1"'):
        with pytest.raises(sinew.ModelError, match="false, auto"):
            sinew.Model.from_xml(TREE.format(bad, "", ""), physics="4.0")
