"""Sections that stand in a file several times, as included files have them."""

import mujoco as peer
import numpy as np

import sinew
from sinew import mujoco as ours

TEXT = """<mujoco>
  <default><geom rgba="1 0 0 1"/><default class="a"><geom size=".3"/></default></default>
  <worldbody>
    <geom name="g1" class="a"/><geom name="g2" class="b"/><geom name="g3" size=".1"/><site name="s"/>
  </worldbody>
  <actuator><motor name="m" joint="j"/></actuator>
  <default><geom contype="2"/><site size=".7"/><default class="b"><geom size=".4"/></default></default>
  <worldbody/>
  <worldbody><body name="o"><joint name="j"/><geom name="og" size=".1"/></body></worldbody>
  <default><default class="c"><geom group="3"/></default></default>
  <actuator><motor name="n" joint="j"/></actuator>
</mujoco>"""


def read(spec):
    classes = [spec.default, *map(spec.find_default, "abc")]
    values = [
        (
            c.name,
            c.geom.rgba.tolist(),
            c.geom.size.tolist(),
            c.geom.contype,
            c.geom.group,
            c.site.size.tolist(),
        )
        for c in classes
    ]
    return values, [(g.name, g.classname.name, g.size.tolist(), g.contype) for g in spec.geoms]


def compiled(m):
    return [
        m.geom_rgba.tolist(),
        m.geom_contype.tolist(),
        m.geom_friction.tolist(),
        m.geom_size.tolist(),
    ]


def test_several_sections_of_defaults():
    """Each class starts from what stands up to there; what is set later counts for what is made later."""
    told = []
    for mj in (peer, ours):
        spec = mj.MjSpec.from_string(TEXT)
        start = read(spec)
        spec.default.geom.friction, spec.default.geom.contype = [0.2, 0.3, 0.4], 5
        spec.worldbody.add_geom(name="n1", size=[0.1, 0, 0])
        spec.worldbody.add_geom(spec.find_default("a"), name="n2")
        spec.worldbody.add_geom(spec.find_default("c"), name="n3", size=[0.1, 0, 0])
        again = mj.MjModel.from_xml_string(spec.to_xml())
        told.append(
            (start, compiled(spec.compile()), compiled(again), [g.name for g in spec.geoms])
        )
    assert told[0] == told[1]


def test_a_section_of_ours_has_all_its_elements():
    spec = sinew.Spec.from_xml(TEXT)
    assert [e.name for e in spec.world.children] == ["g1", "g2", "g3", "s", "o"]
    assert [e.name for e in spec.section("actuator")] == ["m", "n"]
    spec.world.add("geom", "last", size=0.1)
    m = spec.compile()
    assert [m.geom(i).name for i in range(m.ngeom)] == ["g1", "g2", "g3", "last", "og"]
    assert [m.actuator(i).name for i in range(m.nu)] == ["m", "n"]


def test_the_outermost_class_is_all_its_sections():
    text = TEXT.replace('<default><default class="c"><geom group="3"/></default></default>', "")
    main = sinew.Spec.from_xml(text).default()
    geom = next(e for e in main if e.tag == "geom")
    np.testing.assert_array_equal(geom.rgba, [1, 0, 0, 1])
    assert geom.contype == 2
    inner = next(e for e in sinew.Spec.from_xml(text).default("a") if e.tag == "geom")
    assert inner.contype == 1  # it was made before
