"""A nut on its bolt, balls in a bowl with a ring, and two gears: shapes by their signed distances."""

from PIL import Image

import sinew
from _studio import MODELS, camera, draw, furnish, save

BOWL = """<mujoco><option timestep="0.002"/><extension>
<plugin plugin="mujoco.sdf.bowl"><instance name="bowl"><config key="height" value="0"/><config key="radius" value="0.5"/>
<config key="thickness" value="0.03"/></instance></plugin>
<plugin plugin="mujoco.sdf.torus"><instance name="ring"><config key="radius1" value="0.14"/><config key="radius2" value="0.05"/>
</instance></plugin></extension>
<asset><mesh name="bowl" inertia="exact"><plugin instance="bowl"/></mesh><mesh name="ring" inertia="exact"><plugin instance="ring"/></mesh></asset>
<worldbody><geom type="sdf" mesh="bowl" pos="0 0 .55" rgba=".87 .8 .66 1"><plugin instance="bowl"/></geom>
<body pos="0 0.1 .5" euler="30 20 0"><freejoint/><geom type="sdf" mesh="ring" rgba=".2 .46 .66 1"><plugin instance="ring"/></geom></body>
{}</worldbody></mujoco>"""
BALLS = "".join(
    f'<body pos="{0.1 * (k % 3) - 0.1} {0.1 * (k // 3) - 0.1} {0.75 + 0.05 * k}"><freejoint/><geom size=".07" rgba=".8 .36 .22 1"/></body>'
    for k in range(5)
)
GEARS = """<mujoco><extension><plugin plugin="mujoco.sdf.gear">
<instance name="a"><config key="diameter" value="1"/><config key="teeth" value="20"/></instance>
<instance name="b"><config key="diameter" value=".6"/><config key="teeth" value="12"/><config key="alpha" value="0"/></instance></plugin>
</extension><asset><mesh name="a" inertia="exact"><plugin instance="a"/></mesh><mesh name="b" inertia="exact"><plugin instance="b"/></mesh></asset>
<worldbody><body pos="0 0 .3"><joint axis="0 0 1"/><geom type="sdf" mesh="a" rgba=".55 .6 .66 1"><plugin instance="a"/></geom></body>
<body pos=".805 0 .3"><joint axis="0 0 1"/><geom type="sdf" mesh="b" rgba=".36 .55 .35 1"><plugin instance="b"/></geom></body>
</worldbody></mujoco>"""


def settled(spec, seconds):
    model = furnish(spec).compile()
    data = sinew.Data(model)
    while data.time < seconds:
        sinew.step(model, data)
    sinew.forward(model, data)
    return model, data


nut, turned = settled(sinew.Spec.from_path(MODELS / "nut_and_bolt.xml"), 0.6)
bowl, rests = settled(sinew.Spec.from_xml(BOWL.format(BALLS)), 2.0)
gears, meshed = settled(sinew.Spec.from_xml(GEARS), 0.02)
whole = Image.new("RGB", (900, 300))
for k, (model, data, eye) in enumerate(
    [
        (nut, turned, camera(nut, [0, 0, 0.55], 3.0, 120, -15)),
        (bowl, rests, camera(bowl, [0, 0, 0.32], 1.9, 100, -35)),
        (gears, meshed, camera(gears, [0.3, 0, 0.3], 2.6, 90, -50)),
    ]
):
    whole.paste(draw(model, data, eye, (300, 300)), (300 * k, 0))
save(whole)
