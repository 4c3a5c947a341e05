"""sinew.mujoco: several sections <worldbody> are one world, against the pinned peer."""

import mujoco as peer
import pytest

from sinew import mujoco as ours

ROBOT = """<mujoco><worldbody><light name="l"/><frame name="f"><body name="arm"><joint name="j"/>
  <geom name="ga" size=".1"/><body name="hand"><geom name="gh" size=".1"/><site name="s"/><camera name="c"/>
  </body></body></frame><geom name="gw" size=".1"/></worldbody></mujoco>"""
SCENE = """<mujoco>{}<worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body name="box"><freejoint name="free"/><geom name="gb" size=".1"/></body></worldbody>
  <include file="robot.xml"/><worldbody><site name="mark"/><body name="last"><geom name="gl" size=".1"/>
  </body></worldbody></mujoco>"""
LISTS = ("bodies", "joints", "geoms", "sites", "cameras", "lights", "frames")


def scene(mj, front=""):
    return mj.MjSpec.from_string(SCENE.format(front), include={"robot.xml": ROBOT.encode()})


def names(holder):
    return {plural: [e.name for e in getattr(holder, plural)] for plural in LISTS}


def chain(world, kind):
    found = [getattr(world, f"first_{kind}")()]
    while found[-1] is not None:
        found.append(getattr(world, f"next_{kind}")(found[-1]))
    return [e.name for e in found[:-1]]


@pytest.mark.parametrize("front", ["", "<worldbody/>"])
def test_lists_hold_every_section(front):
    mine, other = scene(ours, front), scene(peer, front)
    assert names(mine) == names(other)
    assert [b.name for b in mine.bodies] == ["world", "box", "arm", "hand", "last"]
    assert names(mine.worldbody) == names(other.worldbody)
    for kind in ("body", "geom", "site", "light", "frame"):
        assert chain(mine.worldbody, kind) == chain(other.worldbody, kind)
    for name in ("arm", "hand", "last"):
        assert mine.worldbody.find_child(name) == mine.body(name)
    assert all(mine.body(n).parent == mine.worldbody for n in ("box", "arm", "last"))
    assert mine.site("mark").parent is mine.worldbody


def test_what_is_added_to_the_world_comes_last():
    for mj in (ours, peer):
        spec = scene(mj)
        spec.worldbody.add_body(name="new").add_geom(size=[0.1, 0, 0])
        model = spec.compile()
        order = [model.body(i).name for i in range(model.nbody)]
        assert order == ["world", "box", "arm", "hand", "last", "new"]
        assert [b.name for b in spec.bodies] == order


def test_structs_of_every_section_follow_what_is_attached():
    for mj in (ours, peer):
        parent, child = mj.MjSpec(), scene(mj)
        arm, last = child.body("arm"), child.body("last")
        parent.attach(child, prefix="x_", frame=parent.worldbody.add_frame())
        assert (arm.name, last.name) == ("x_arm", "x_last")
        model = parent.compile()
        assert [arm.id, last.id] == [model.body("x_arm").id, model.body("x_last").id]
