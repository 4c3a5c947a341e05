"""What tactile sensors feel, as a scene shows it with the flag CONTACTPOINT, against the pinned peer."""

import mujoco
import numpy as np
import pytest

from sinew import mujoco as ours

XML = """<mujoco><asset><mesh name="s" builtin="sphere" params="1" scale=".1 .1 .1"/>
<mesh name="p" builtin="plate" params="4 3" scale=".1 .08 1"/></asset><worldbody>
<geom type="plane" size="1 1 .1"/><body name="b" pos="0 0 .05"><freejoint/>
<geom name="g" type="mesh" mesh="s"/></body>
<body pos=".5 0 .03"><freejoint/><geom name="box" type="box" size=".1 .1 .05"/></body></worldbody>
<sensor>{}</sensor></mujoco>"""
SENSORS = {
    80: '<tactile name="x" geom="g" mesh="s"/>',
    12: '<tactile name="y" geom="box" mesh="p"/>',
}


def shapes(package, m, d, flags, catmask=7, room=2000):
    scene, option = package.MjvScene(m, room), package.MjvOption()
    for flag in flags:
        option.flags[flag] = 1
    package.mjv_updateScene(m, d, option, None, package.MjvCamera(), catmask, scene)
    return [
        [g.type, g.objtype, g.objid, g.category, g.segid, g.matid, *g.size, *g.pos, *np.ravel(g.mat), *g.rgba]
        for g in scene.geoms[: scene.ngeom]
    ]  # fmt: skip


@pytest.mark.parametrize("speed", [0, 3])
@pytest.mark.parametrize("faces", SENSORS)
def test_taxels(speed, faces):
    pair = []
    rng = np.random.default_rng(1)
    velocity = speed * rng.normal(size=12)
    for package in (mujoco, ours):
        m = package.MjModel.from_xml_string(XML.format(SENSORS[faces]))
        d = package.MjData(m)
        d.qvel[:] = velocity
        package.mj_forward(m, d)
        pair.append((package, m, d))
    pair[1][2].sensordata[:] = pair[0][2].sensordata  # test_tactile.py has readings
    flag = mujoco.mjtVisFlag
    for flags in (
        [flag.mjVIS_CONTACTPOINT],
        [flag.mjVIS_CONTACTPOINT, flag.mjVIS_BODYBVH, flag.mjVIS_INERTIA, flag.mjVIS_JOINT],
    ):
        for catmask in (7, 4, 3):
            theirs, own = (shapes(*one, flags, catmask) for one in pair)
            tactile = [[row for row in rows if row[1] == 20] for rows in (theirs, own)]
            assert len(tactile[0]) == len(tactile[1]) == (faces if catmask != 3 else 0)
            # floats of what either computes in double, and of normals of thin triangles
            np.testing.assert_allclose(tactile[1], tactile[0], rtol=0, atol=3e-6)
            if catmask != 3:
                assert {row[-1] > 0.5 for row in tactile[0]} == {True, False}
                order = [[row[1] == 20 for row in rows] for rows in (theirs, own)]
                assert order[0].index(True) == order[1].index(True)
    package, m, d = pair[1]
    assert len(shapes(package, m, d, [flag.mjVIS_CONTACTPOINT], room=20)) == 20
