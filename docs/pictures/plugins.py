"""Jacks, which a class in Python gives by their distances, and a cable bent by a plugin, in the colours of its stress."""

import numpy as np
from PIL import Image

import sinew
from _studio import camera, draw, furnish, save


@sinew.register_plugin
class Jack(sinew.Plugin):
    name = "me.jack"
    nnumber = 2
    numbers = (0.2, 0.04)

    @staticmethod
    def distances(numbers, points):
        length, radius = numbers
        across = (points**2).sum(axis=1, keepdims=True) - points**2
        beyond = np.maximum(np.abs(points) - length, 0)
        return np.sqrt(across + beyond**2).min(axis=1) - radius

    @staticmethod
    def distance(numbers, point):
        length, radius = numbers
        squares = [x * x for x in point]
        total = sum(squares)
        return (
            min(
                total - square + max(abs(x) - length, 0) ** 2
                for x, square in zip(point, squares, strict=True)
            )
            ** 0.5
            - radius
        )

    @staticmethod
    def box(numbers):
        return [0, 0, 0, *[sum(numbers)] * 3]


COLOURS = [".87 .8 .66 1", ".2 .46 .66 1", ".8 .36 .22 1"]
JACKS = (
    """<mujoco><option timestep=".004"/><extension><plugin plugin="me.jack"><instance name="jack"/></plugin></extension>
<asset><mesh name="jack" inertia="exact"><plugin instance="jack"/></mesh></asset><worldbody><geom type="plane" size="3 3 .1" rgba="0 0 0 0"/>"""
    + "".join(
        f'<body pos="{0.5 * k - 0.5} {0.3 * (k % 2)} 0.3" euler="{30 * k} {50 * k} 0"><freejoint/>'
        f'<geom type="sdf" mesh="jack" rgba="{colour}"><plugin instance="jack"/></geom></body>'
        for k, colour in enumerate(COLOURS)
    )
    + "</worldbody></mujoco>"
)
CABLE = """<mujoco><option timestep=".0005"/><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
<composite type="cable" curve="s" count="41 1 1" size="1.2" offset="-.6 0 .9" initial="none">
<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="4e7"/><config key="bend" value="1e8"/>
<config key="vmax" value="1.5"/></plugin>
<joint kind="main" damping=".05"/><geom type="capsule" size=".009" density="2000"/></composite></worldbody></mujoco>"""


def settled(text, seconds):
    model = furnish(sinew.Spec.from_xml(text, physics="3.3.7")).compile()
    data = sinew.Data(model)
    while data.time < seconds:
        sinew.step(model, data)
    sinew.forward(model, data)
    return model, data


jacks, rest = settled(JACKS, 1.2)
cable, hangs = settled(CABLE, 2.5)
whole = Image.new("RGB", (900, 300))
for k, (model, data, eye) in enumerate(
    [
        (jacks, rest, camera(jacks, [0, 0.1, 0.15], 1.6, 100, -25)),
        (cable, hangs, camera(cable, [-0.15, 0, 0.5], 1.6, 90, -10)),
    ]
):
    whole.paste(draw(model, data, eye, (450, 300)), (450 * k, 0))
save(whole)
