"""MjSpec: default classes and lists after `attach`, with the pinned peer's names and numbers."""

import itertools

import mujoco as peer
import numpy as np
import pytest

from sinew import mujoco as ours

CHILD = """<mujoco><compiler angle="radian"/>
  <default><geom rgba="1 0 0 1"/>
    <default class="z"><geom size=".3"/><default class="zz"><geom size=".4"/></default></default></default>
  <worldbody>
    <body name="b"><joint name="j" range="0 1"/><geom name="g" size=".1"/><geom name="gz" class="z"/>
      <body name="c" childclass="zz" pos="0 0 1"><geom name="gc"/></body></body>
    <body name="o"><joint name="oj"/><geom name="og" size=".1"/></body>
  </worldbody>
  <actuator><motor name="a" joint="j"/></actuator>
  <sensor><jointpos name="s" joint="j"/></sensor>
</mujoco>"""
PARENT = """<mujoco><default><default class="q"><geom size=".5"/></default></default>
  <worldbody><body name="pb"><geom name="pg" class="q"/><frame name="f" childclass="q"/></body></worldbody></mujoco>"""
AFFIXES = [("k_", ""), ("", "_s"), ("k_", "_s"), ("", "")]


def attached(mj, prefix="k_", suffix="", whole=True):
    parent, child = mj.MjSpec.from_string(PARENT), mj.MjSpec.from_string(CHILD)
    if whole:
        parent.attach(child, frame=parent.frame("f"), prefix=prefix, suffix=suffix)
    else:
        parent.frame("f").attach_body(child.body("b"), prefix, suffix)
    return parent, child


def classes(spec):
    return [(e.name, e.classname.name) for e in [*spec.geoms, *spec.bodies, *spec.joints]]


def found(spec, names):
    return [getattr(spec.find_default(n), "name", None) for n in names]


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize(("prefix", "suffix"), AFFIXES)
def test_classes_have_the_names_of_the_peer(prefix, suffix, whole):
    names = ["main", "q", "z", "zz", *(prefix + n + suffix for n in ("main", "z", "zz"))]
    told = []
    for mj in (peer, ours):
        parent, child = attached(mj, prefix, suffix, whole)
        m = parent.compile()
        told.append(
            (
                classes(parent),
                classes(child),
                found(parent, names),
                found(child, names),
                m.geom_size.tolist(),
            )
        )
    assert told[0] == told[1]


def test_nested_classes_have_the_names_of_the_peer():
    told = []
    for mj in (peer, ours):
        parent, _ = attached(mj, "x_")
        outer = mj.MjSpec()
        outer.worldbody.add_frame(name="ff")
        outer.attach(parent, frame=outer.frame("ff"), prefix="k_")
        names = [p + n for p in ("", "k_", "x_", "k_x_") for n in ("main", "q", "z", "zz")]
        told.append((classes(outer), found(outer, names), outer.compile().geom_rgba.tolist()))
    assert told[0] == told[1]


def values(m):
    return [
        (m.geom(i).name, m.geom(i).size.tolist(), m.geom(i).rgba.tolist()) for i in range(m.ngeom)
    ]


def test_classes_of_an_attached_model_are_used_as_others():
    told = []
    for mj in (peer, ours):
        parent, _ = attached(mj)
        z, main = parent.find_default("k_z"), parent.find_default("k_main")
        start = (z.geom.size.tolist(), z.geom.rgba.tolist(), main.geom.rgba.tolist())
        parent.worldbody.add_geom(z, name="n1")
        parent.body("pb").add_geom(main, name="n2", size=[0.1, 0, 0])
        parent.geom("pg").classname = parent.find_default("k_zz")
        z.geom.size, z.site.size = [0.7, 0, 0], [0.02, 0, 0]  # for what is made from here on
        parent.worldbody.add_geom(z, name="n3")
        parent.worldbody.add_site(z, name="s")
        z.name = "w"
        m = parent.compile()
        told.append(
            (start, values(m), m.site_size.tolist(), classes(parent), found(parent, ["k_z", "w"]))
        )
    assert told[0] == told[1]


def test_what_is_added_to_an_attached_body_has_the_parents_units_and_main_class():
    told = []
    for mj in (peer, ours):
        parent, _ = attached(mj)
        b, c = parent.body("k_b"), parent.body("k_c")
        b.add_joint(name="n", axis=[1, 0, 0], range=[0, 90], limited=1)
        b.add_geom(name="n1", size=[0.1, 0, 0])
        b.add_geom(parent.find_default("q"), name="n2")
        inner = c.add_body(name="inner")  # a childclass holds for what is added, too
        inner.add_geom(name="n3")
        turned = b.add_geom(name="n4", size=[0.1, 0, 0])
        turned.alt.type, turned.alt.euler = mj.mjtOrientation.mjORIENTATION_EULER, [90, 0, 0]
        m = parent.compile()
        told.append((values(m), m.jnt_range.tolist(), classes(parent)))
        np.testing.assert_allclose(
            m.geom("n4").quat, [np.sqrt(0.5), np.sqrt(0.5), 0, 0], atol=1e-12
        )
    assert told[0] == told[1]


def lists(spec):
    kinds = ("bodies", "geoms", "joints", "actuators", "sensors")
    return [[e.name for e in getattr(spec, kind)] for kind in kinds]


@pytest.mark.parametrize("what", [("geom", "k_g"), ("joint", "k_oj"), ("geom", "k_og")])
def test_a_child_no_longer_lists_what_the_parent_deleted(what):
    told = []
    for mj in (peer, ours):
        parent, child = attached(mj)
        parent.delete(getattr(parent, what[0])(what[1]))
        told.append((lists(parent), lists(child)))
    assert told[0] == told[1]


@pytest.mark.parametrize(
    ("kind", "name"), [("body", "k_b"), ("actuator", "k_a"), ("sensor", "k_s")]
)
def test_nor_bodies_and_what_refers_to_them(kind, name):
    """The peer's child goes on to list these."""
    parent, child = attached(ours)
    parent.delete(getattr(parent, kind)(name))
    of_parent = [[n for n in names if n.startswith(("k_", "world"))] for names in lists(parent)]
    assert lists(child) == of_parent
    assert name not in itertools.chain(*of_parent)


def test_a_class_that_is_deleted_leaves_values():
    """Those of the classes in it, too; the peer refuses, or its spec has no names any more."""
    for prefix, spec in (("k_", attached(ours)[0]), ("", ours.MjSpec.from_string(CHILD))):
        before = values(spec.compile())
        spec.delete(spec.find_default(prefix + "z"))
        assert values(spec.compile()) == before
        assert found(spec, [prefix + "z", prefix + "zz"]) == [None, None]
