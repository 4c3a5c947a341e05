"""SET_CONST, WELD_RELPOSE and CONST_BOUNDS: what sn_setConst makes anew after a change of the model, against both peers."""

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
        assert (
            compiled.differences(old, new, 1e-6) - {"body_weldid", "actuator_ctrlspec"} == fields
        ), change


SHAPES = """<mujoco><asset><hfield name="h" nrow="3" ncol="3" size="1 1 .2 .1" elevation="0 1 0 1 0 1 0 1 0"/>
    <mesh name="m" vertex="0 0 0 .1 0 0 0 .2 0 0 0 .3"/></asset><worldbody>
  <geom type="plane" size="1 2 .1"/><geom type="hfield" hfield="h" pos="3 0 0"/>
  <body pos="0 0 1"><freejoint/><geom name="s" size=".1" margin=".01"/><geom type="capsule" size=".05 .2" pos=".3 0 0"/>
    <geom type="box" size=".1 .2 .3" pos="0 .5 0" fluidshape="ellipsoid"/><geom type="mesh" mesh="m" pos="0 0 .6"/></body>
  <body pos="0 0 2"><joint/><geom type="cylinder" size=".1 .2" gap=".02"/>
    <geom type="ellipsoid" size=".1 .2 .3" pos=".2 .2 .2" contype="2" euler="10 20 30"/></body></worldbody></mujoco>"""
GEOMS = {
    "sizes": lambda m: {"geom_size": m.geom_size * np.where(m.geom_type == 7, 1, 1.5)[:, None]},
    "poses": lambda m: {"geom_pos": m.geom_pos + 0.1, "geom_quat": m.geom_quat[:, [3, 0, 1, 2]]},
    "margins": lambda m: {"geom_margin": m.geom_margin + 0.02, "geom_gap": 2 * m.geom_gap},
    "masks": lambda m: {"geom_contype": 4 * m.geom_contype, "geom_conaffinity": m.geom_conaffinity + 2},
    "gravcomp": lambda m: {"body_gravcomp": np.array([0, 1, 0.5])},
    "field": lambda m: {"hfield_size": 2 * m.hfield_size},
    "inertial frames": lambda m: {"body_ipos": m.body_ipos + 0.05},
}  # fmt: skip
BOUNDS = (
    "geom_rbound geom_aabb body_margin body_contype body_conaffinity ngravcomp geom_fluid".split()
)


def set_on(m, changes):
    for name, value in changes.items():
        getattr(m, name)[:] = value
    sinew.setConst(m, sinew.Data(m))
    return m


@pytest.mark.parametrize("change", GEOMS)
def test_bounds_after_a_change(change):
    """By 4.0 as the peer has them; by 3.3.7 they stay."""
    peer, new, old = newest.load(SHAPES), *(sinew.Model.from_xml(SHAPES, physics=p) for p in ("4.0", "3.3.7"))  # fmt: skip
    before = {n: np.array(getattr(old, n)) for n in BOUNDS}
    changes = GEOMS[change](peer.get())
    peer.set(**changes)
    peer.call("mj_setConst")
    theirs = peer.get()
    set_on(new, changes)
    set_on(old, changes)
    for name in BOUNDS:
        got, want = (np.ravel(getattr(m, name)) for m in (new, theirs))
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-12, err_msg=name)
        assert (np.ravel(getattr(old, name)) == np.ravel(before[name])).all()
    # trees of other orders, with the same root
    roots = [m.bvh_aabb[np.ravel(m.body_bvhadr)[1:]] for m in (new, theirs)]
    np.testing.assert_allclose(*roots, rtol=0, atol=1e-9)


def test_bounds_are_those_of_the_compiler():
    m = sinew.Model.from_xml(SHAPES, physics="4.0")
    before = {n: np.array(getattr(m, n)) for n in [*BOUNDS, "bvh_aabb"]}
    set_on(m, {})
    for name, value in before.items():
        np.testing.assert_allclose(getattr(m, name), value, rtol=1e-14, atol=1e-15, err_msg=name)


def test_batches():
    """Simulations with sizes of their own have bounds of their own, in lanes as in the scalar engine."""
    m = sinew.Model.from_xml(SHAPES, physics="4.0")
    sizes = [m.geom_size * np.where(m.geom_type == 7, 1, x)[:, None] for x in (1, 1.5, 0.7)]
    batch = sinew.Batch(m, 3)
    batch.parameter("geom_size")[:] = sizes
    batch.set_const()
    for _ in range(5):
        batch.step()
    for i, size in enumerate(sizes):
        own = set_on(sinew.Model.from_xml(SHAPES, physics="4.0"), {"geom_size": size})
        np.testing.assert_allclose(batch.parameter("geom_rbound")[i], own.geom_rbound, rtol=1e-14)
        d = sinew.Data(own)
        sinew.step(own, d, 5)
        np.testing.assert_allclose(batch.qpos[i], d.qpos, rtol=0, atol=1e-12)
