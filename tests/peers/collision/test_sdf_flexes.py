"""Sheets on signed distance fields beside 4.0.1: what bears them, and how deep they sink.

4.0.1 has a part of the contacts that there are, in other places each step, so that its sheets never lie still; on flat sides,
where all of a sheet touches, they dance, and through thin shapes they sink. Here they lie on rings, and of its forces the mean
over half a second is compared. Solids (dim 3) fall through fields there.
"""

import numpy as np
import pytest

import newest
import sinew

PLUGIN = '<extension><plugin plugin="mujoco.sdf.{}"><instance name="i">{}</instance></plugin></extension>'
SHAPE = '<mesh name="m"><plugin instance="i"/></mesh>'
RING = '<mesh name="m" builtin="supertorus" params="40 .4 1 1" scale=".35 .35 .35"/>'
# Extension, mesh, where the middle of the sheet begins, how far its vertices are from each other
SCENES = {
    "torus": (PLUGIN.format("torus", ""), SHAPE, "0 0 .165", 0.1),
    "ring of triangles": ("", RING, "0 0 .16", 0.1),
}  # fmt: skip
SETTLING, MEASURED = 800, 300
WEIGHT = 9.81  # of the sheet


def text(name):
    extension, mesh, at, apart = SCENES[name]
    plugin = '<plugin instance="i"/>' if extension else ""
    return f"""<mujoco><option timestep=".002" integrator="discrete" solver="CG" tolerance="1e-8" iterations="200"/>{extension}
  <asset>{mesh}</asset><worldbody><geom type="sdf" mesh="m">{plugin}</geom>
    <flexcomp name="f" type="grid" count="9 9 1" spacing="{apart} {apart} {apart}" pos="{at}" radius=".01" dim="2" mass="1">
      <elasticity young="1e5" poisson="0.3" thickness=".01" elastic2d="both" damping=".02"/><contact selfcollide="none"/>
    </flexcomp></worldbody></mujoco>"""


def lift(forces):
    """The sum along z."""
    return np.reshape(forces, (-1, 3))[:, 2].sum()


def ours(name):
    """Mean force and mean of the largest depth at rest, and the heights of vertices."""
    m = sinew.Model.from_xml(text(name))
    d = sinew.Data(m)
    sinew.step(m, d, SETTLING)
    forces, depths = [], []
    for _ in range(MEASURED):
        sinew.step(m, d)
        forces.append(lift(d.qfrc_constraint))
        depths.append(-d.contact["dist"].min(initial=0))
    return np.mean(forces), np.mean(depths), np.asarray(d.flexvert_xpos)[:, 2]


def theirs(name):
    peer, forces, depths = newest.load(text(name)), [], []
    peer.call("mj_step", SETTLING)
    for _ in range(MEASURED):
        peer.call("mj_step", 1)
        one = peer.look("qfrc_constraint", "contact.dist")
        forces.append(lift(one.qfrc_constraint))
        depths.append(-vars(one)["contact.dist"].min(initial=0))
    return np.mean(forces), np.mean(depths)


@pytest.mark.parametrize("name", SCENES)
def test_a_sheet_rests_on_it(name):
    force, depth, height = ours(name)
    peers_force, peers_depth = theirs(name)
    assert abs(force - WEIGHT) < 2e-3 * WEIGHT
    assert abs(force - peers_force) < 0.01 * WEIGHT, (force, peers_force)
    # how soft contacts are by their default solref: as deep as 128 of them need be, and not deeper than in the peer
    assert 0 < depth < min(3e-3, peers_depth), (depth, peers_depth)
    top = height.max()
    assert top < float(SCENES[name][2].split()[2])  # it has sunk onto it
