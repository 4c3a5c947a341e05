"""Instances of inline plugins of composites and flexcomps, among those of bodies: numbers, names, configurations."""

import itertools

import mujoco
import pytest

import peer_plugins  # noqa: F401
import sinew

CABLE = '<plugin plugin="mujoco.elasticity.cable"><config key="bend" value="{}"/></plugin>'
PARTS = {
    "body": '<body name="b{0}" pos="0 {0} 0">{1}<joint type="ball"/><geom size=".1"/>{2}</body>',
    "composite": '<composite type="cable" prefix="c{0}" curve="s" count="4 1 1" size="1" offset="0 {0} 1" initial="none">{1}'
    '<joint kind="main"/><geom type="capsule" size=".01"/></composite>{2}',
    "flexcomp": '<body name="h{0}" pos="0 {0} 0"><flexcomp name="f{0}" type="grid" count="2 2 1" spacing=".1 .1 .1" '
    'radius=".01" dim="2" mass="1">{1}</flexcomp>{2}</body>',
    "pinned": '<body name="h{0}" pos="0 {0} 0"><flexcomp name="f{0}" type="grid" count="2 2 1" spacing=".1 .1 .1" '
    'radius=".01" dim="2" mass="1">{1}<pin id="0"/></flexcomp>{2}</body>',
}  # fmt: skip


def text_of(kinds, nested):
    """Parts one behind the other, or each in the one before it."""
    world = ""
    for number, kind in reversed(list(enumerate(kinds, 1))):
        inside, behind = (world, "") if nested and kind != "composite" else ("", world)
        world = PARTS[kind].format(number, CABLE.format(number), inside) + behind
    return f"""<mujoco><extension><plugin plugin="mujoco.elasticity.cable"><instance name="i"><config key="bend" value="7"/>
</instance></plugin><plugin plugin="mujoco.pid"/></extension><worldbody><body name="w" pos="0 -3 0"><joint name="j"/>
<geom size=".1"/><plugin instance="i"/></body>{world}</worldbody>
<actuator><plugin joint="j" plugin="mujoco.pid"><config key="kp" value="99"/></plugin></actuator></mujoco>"""


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("kinds", itertools.permutations(PARTS, 3), ids="-".join)
def test_the_order_is_the_peers(kinds, nested):
    text = text_of(kinds, nested)
    theirs = mujoco.MjModel.from_xml_string(text)
    for ours in (sinew.Model.from_xml(text), sinew.Spec.from_xml(text).compile()):
        assert ours.nplugin == theirs.nplugin == 5
        assert bytes(ours.plugin_attr) == bytes(theirs.plugin_attr)
        for field in ("plugin_attradr", "body_plugin", "actuator_plugin"):
            assert list(getattr(ours, field)) == list(getattr(theirs, field)), field
        bodies = [theirs.body(i).name for i in range(theirs.nbody)]
        assert [ours.body(i).name for i in range(ours.nbody)] == bodies
        # names of plugins: composites and flexcomps name theirs
        names = [
            mujoco.mj_id2name(theirs, mujoco.mjtObj.mjOBJ_PLUGIN, i) for i in range(theirs.nplugin)
        ]
        found = [sinew.id2name(ours, mujoco.mjtObj.mjOBJ_PLUGIN, i) for i in range(ours.nplugin)]
        assert found == names


def test_copies_and_texts_keep_it():
    """A spec's text may declare the shared ones; replicated composites each have one of their own."""
    spec = sinew.Spec.from_xml(text_of(("body", "composite", "flexcomp"), False))
    model = spec.compile()
    again = sinew.Model.from_xml(spec.to_xml())
    assert again.nplugin == model.nplugin
    assert sorted(again.plugin_number) == sorted(model.plugin_number)
    parent = sinew.Spec()
    parent.attach(spec, prefix="p_")
    both = parent.compile()
    assert both.plugin_number.tolist() == model.plugin_number.tolist()
    assert both.body_plugin.tolist() == model.body_plugin.tolist()
