"""SET_CONST and WELD_RELPOSE: what sn_setConst makes anew after a change of the model, against both peers."""

import mujoco
import numpy as np
import pytest

import compiled
import newest
import peer_engine
import sinew

TEXT = """<mujoco><worldbody>
  <body name="a" pos="0 0 1"><joint name="h" axis="0 1 0" range="-1 1" stiffness="5"/><geom size=".1" pos=".2 0 0"/>
    <camera mode="targetbody" target="b"/><light mode="trackcom"/><site name="s" pos=".1 0 0"/>
    <body name="b" pos=".5 0 0"><joint name="k" axis="1 0 0"/><geom type="capsule" size=".05 .2" pos=".1 0 0"/>
      <site name="t" pos=".1 0 0"/></body></body>
  <body name="f" pos="1 1 1"><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody>
  <tendon><spatial name="ten" stiffness="3"><site site="s"/><site site="t"/></spatial>
    <fixed name="fix"><joint joint="h" coef="1"/><joint joint="k" coef="2"/></fixed></tendon>
  <equality><connect body1="a" body2="f" anchor="0 0 .1"/><connect site1="s" site2="t"/><weld body1="b" body2="f"/>
    <weld body1="b" body2="f" relpose="1 0 0 1 0 0 0"/><weld body1="b" body2="f" relpose="1 2 3 0 0 0 0"/>
    <weld body1="b" anchor=".1 .2 .3"/><weld site1="s" site2="t"/><joint joint1="h" joint2="k"/></equality>
  <actuator><position joint="h" kp="10" kv="1"/><motor tendon="ten"/><muscle joint="h" lengthrange="-1 1"/></actuator></mujoco>"""
STEP = np.array([0.3, 0.2, 0.1, 0.1, 0.1, 0, 0, 0, 0])
CHANGES = {
    "nothing": lambda m: {},
    "masses": lambda m: {"body_mass": 2 * m.body_mass, "body_inertia": 2 * m.body_inertia},
    "armature": lambda m: {"dof_armature": m.dof_armature + 0.3},
    "qpos0": lambda m: {"qpos0": m.qpos0 + STEP},
    "places": lambda m: {"body_pos": m.body_pos + 0.1},
    "open rest length": lambda m: {"tendon_lengthspring": np.full_like(m.tendon_lengthspring, -1)},
    "damping ratio": lambda m: {"actuator_biasprm": np.abs(m.actuator_biasprm) * np.array([1, -1] + 8 * [1])},
    "spring": lambda m: {"qpos_spring": m.qpos_spring + 0.2},
    "gear": lambda m: {"actuator_gear": 2 * m.actuator_gear},
    "camera": lambda m: {"cam_pos": m.cam_pos + 0.1, "cam_quat": m.cam_quat[:, [1, 0, 2, 3]]},
}  # fmt: skip
MEAN = ["stat.meaninertia"]


def peer_of(physics):
    return (
        newest.load(TEXT) if physics == "4.0" else peer_engine.Model(peer_engine.Here(mujoco), TEXT)
    )


def changed(change, physics):
    """Our model and the peer's after a change and setConst."""
    ours, peer = sinew.Model.from_xml(TEXT, physics=physics), peer_of(physics)
    new = CHANGES[change](peer.get())
    peer.set(**new)
    peer.call("mj_setConst")
    for name, value in new.items():
        getattr(ours, name)[:] = value
    sinew.setConst(ours, sinew.Data(ours))
    return ours, peer.get()


@pytest.mark.parametrize("physics", compiled.PHYSICS)
@pytest.mark.parametrize("change", CHANGES)
def test_constants_after_a_change(change, physics):
    ours, peer = changed(change, physics)
    assert compiled.differences(ours, peer, 1e-8) - {"eq_data"} == set()
    np.testing.assert_allclose(ours.eq_data, peer.eq_data[:, :11], atol=1e-10)
    np.testing.assert_allclose(ours.stat.meaninertia, peer.stat.meaninertia, rtol=1e-8)
    np.testing.assert_allclose(ours.stat.meansize, peer.stat.meansize, rtol=1e-8)


def test_where_the_two_differ():
    for change, fields in (
        ("nothing", set()),
        ("open rest length", {"tendon_lengthspring"}),
        ("damping ratio", {"actuator_biasprm"}),
        ("places", {"stat.center", "stat.extent", "eq_data"}),
        ("qpos0", {"stat.center", "stat.extent", "eq_data"}),
    ):
        old, new = (changed(change, p)[0] for p in compiled.PHYSICS)
        assert compiled.differences(old, new, 1e-6) - {"body_weldid"} == fields, change
