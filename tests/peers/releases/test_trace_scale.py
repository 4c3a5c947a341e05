"""TRACE_SCALE: what the tolerance of the solver bounds is of the inertia as it stands."""

import numpy as np
import pytest

import sinew

ARM = """<body name="{name}" pos="{x} 0 0"><joint axis="0 1 0" frictionloss="1"/><geom type="capsule" size=".02" fromto="0 0 0 .5 0 0"/>
  <body pos=".5 0 0"><joint axis="0 1 0" range="-1 1"/><geom type="capsule" size=".02" fromto="0 0 0 .5 0 0"/></body></body>"""
TEXT = """<mujoco><compiler angle="radian"/><option iterations="1" tolerance="0" solver="CG"><flag island="{island}"/></option>
  <worldbody>{first}<body pos="9 9 9"><joint axis="0 1 0"/><geom size="1"/></body></worldbody></mujoco>"""


def residual(physics, island):
    text = TEXT.format(island=island, first=ARM.format(name="a", x=0))
    m = sinew.Model.from_xml(text, physics=physics)
    d = sinew.Data(m)
    d.qpos[:], d.qvel[:] = [0.3, 2.2, 0], [1, 2, 0]
    sinew.forward(m, d)
    M = sinew.fullM(m, d)
    return d.solver_residual, np.trace(M[:2, :2]), np.trace(M), m.stat.meaninertia * m.nv


def test_island_and_all():
    old, arm, everything, at_first = residual("3.3.7", "enable")
    assert old > 1e-6
    assert residual("4.0", "enable")[0] * arm == pytest.approx(old * at_first, rel=1e-12)
    old = residual("3.3.7", "disable")[0]
    assert residual("4.0", "disable")[0] * everything == pytest.approx(old * at_first, rel=1e-12)


def test_statistic_is_not_read():
    text = TEXT.format(island="enable", first=ARM.format(name="a", x=0))
    text = text.replace("<worldbody>", "<statistic meaninertia='7'/><worldbody>")
    m, other = (sinew.Model.from_xml(t, physics="4.0") for t in (text, text.replace("7", "700")))
    d, there = sinew.Data(m), sinew.Data(other)
    for model, data in ((m, d), (other, there)):
        data.qvel[:] = [1, 2, 0]
        for _ in range(20):
            sinew.step(model, data)
    assert d.qpos.tobytes() == there.qpos.tobytes()
