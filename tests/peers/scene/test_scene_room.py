"""How scenes are filled: room, warnings, categories, what is refused, and geoms as rows."""

import gc

import numpy as np
import pytest

import sinew
from models import folder
from scene_pair import BOTH, Pair, ours, peer
from test_scene_looks import ISLANDS, MATERIALS

HUMANOID = folder("dm_control", "suite") / "humanoid.xml"


def counts(pair):
    """Geoms, status, and warnings, here and there."""
    full = int(peer.mjtWarning.mjWARN_VGEOMFULL)
    return [
        (s.ngeom, s.status, d.warning[full].number, d.warning[full].lastinfo)
        for s, d in zip(pair.scene, pair.d, strict=True)
    ]


def update(pair):
    args = pair.m, pair.d, pair.opt, pair.pert, pair.cam, [7] * 2, pair.scene
    pair.each("mjv_updateScene", *args)


def add(pair):
    args = pair.m, pair.d, pair.opt, pair.pert, [7] * 2, pair.scene
    pair.each("mjv_addGeoms", *args)


def test_room(tmp_path, monkeypatch):
    """What has no room is left out; the scene says so, and updateScene, not addGeoms, warns."""
    monkeypatch.chdir(tmp_path)  # the peer writes a log
    pair = Pair(ISLANDS, maxgeom=7)
    for number in (1, 2):
        if number == 1:
            with pytest.warns(sinew.SimulationWarning, match="maxgeom above 7"):
                update(pair)
        else:
            update(pair)
        assert counts(pair) == [(7, 1, number, 7)] * 2
    for scene in pair.scene:
        scene.status = 0
    add(pair)
    assert counts(pair) == [(7, 1, 2, 7)] * 2
    pair.option(geomgroup=[0] * 6, sitegroup=[0] * 6)
    for scene in pair.scene:
        scene.status = 0
    add(pair)
    assert counts(pair) == [(7, 0, 2, 7)] * 2  # nothing is wanted
    update(pair)
    assert counts(pair) == [(0, 0, 2, 7)] * 2
    exact = Pair(HUMANOID, maxgeom=20)
    update(exact)
    assert counts(exact) == [(20, 0, 0, 0)] * 2


def test_geoms_are_added_behind_those_that_are_there():
    pair = Pair(HUMANOID)
    for frame in ("NONE", "GEOM"):
        pair.option(frame=frame)
        update(pair)
        peer.mjv_updateScene(pair.m[1], pair.d[1], pair.opt[1], None, pair.cam[1], 7, pair.scene[1])
        before = pair.scene[0].ngeom
        add(pair)
        assert pair.scene[0].ngeom == 2 * before
        pair.same_rows(*pair.rows())


def test_numbers_without_meaning():
    """A scene whose counts were changed is full, not overrun."""
    m, d = (getattr(Pair(HUMANOID), name)[0] for name in "md")
    opt, pert = ours.MjvOption(), ours.MjvPerturb()
    opt.frame = ours.mjtFrame.mjFRAME_GEOM
    for ngeom, maxgeom in ((-5, 10), (10**9, 10), (0, 10**9), (0, -1)):
        scene = ours.MjvScene(m, 10)
        scene.ngeom, scene.maxgeom = ngeom, maxgeom
        ours.mjv_addGeoms(m, d, opt, pert, 7, scene)
        assert scene.status == 1 and scene.ngeom == (10 if maxgeom > 10 else ngeom)


def test_ids_out_of_range():
    pair = Pair(MATERIALS)
    m, d, scene = pair.m[0], pair.d[0], pair.scene[0]
    for bad in (-7, 10**6):
        m.geom_matid[:] = m.geom_dataid[:] = m.site_matid[:] = bad
        for flags in ((), ("CONVEXHULL", "TEXTURE", "STATIC")):
            pair.option(flags=flags)
            ours.mjv_updateScene(m, d, pair.opt[0], None, pair.cam[0], 7, scene)
            rows = scene._geom_rows[: scene.ngeom]
            assert len(rows) and (rows["dataid"] == -1).all() and (rows["matid"] == -1).all()


def test_arguments():
    """pert may be None in mjv_updateScene, nothing else; cameras that are not there are fatal."""
    pair = Pair(HUMANOID)
    for module, m, d, opt, pert, cam, scene in zip(
        BOTH, pair.m, pair.d, pair.opt, pair.pert, pair.cam, pair.scene, strict=True
    ):
        module.mjv_updateScene(m, d, opt, None, cam, 7, scene)
        module.mjv_updateScene(m, d, opt, pert=None, cam=cam, catmask=7, scn=scene)
        for wrong in (
            (m, d, None, pert, cam, 7, scene),
            (m, d, opt, pert, None, 7, scene),
            (m, d, opt, pert, cam, None, scene),
            (m, d, opt, pert, cam, 7, None),
        ):
            with pytest.raises(TypeError):
                module.mjv_updateScene(*wrong)
        with pytest.raises(TypeError):
            module.mjv_addGeoms(m, d, opt, None, 7, scene)

    for kind, member in ((1, "trackbodyid"), (2, "fixedcamid")):  # the peer ends the process
        cam = ours.MjvCamera()
        cam.type = kind
        setattr(cam, member, 999)
        with pytest.raises(ours.FatalError, match="999"):
            ours.mjv_updateScene(pair.m[0], pair.d[0], pair.opt[0], None, cam, 7, pair.scene[0])


def test_rows_are_the_memory_of_geoms():
    scene = ours.MjvScene(Pair(HUMANOID).m[0], 30)
    rows = scene._geom_rows
    assert rows is scene._geom_rows and rows.shape == (30,)
    geom = scene.geoms[17]
    geom.pos, geom.mat, geom.label, geom.transparent = (
        [1, 2, 3],
        np.arange(9).reshape(3, 3),
        "name",
        1,
    )
    for name in rows.dtype.names:
        value = getattr(geom, name)
        assert rows[17][name].shape == np.shape(value)
        assert (
            rows[17][name] == value.encode() if name == "label" else np.all(rows[17][name] == value)
        )
    rows["objid"] = np.arange(30)
    assert [g.objid for g in scene.geoms] == list(range(30))
    assert ours.MjvScene()._geom_rows.shape == (0,)
    del scene, geom
    gc.collect()
    assert rows["objid"][29] == 29  # the rows keep the scene's memory


def test_simulations_are_the_same_with_and_without_scenes():
    """Scenes read the data and write its warnings alone."""
    runs = []
    for drawn in (False, True):
        pair = Pair(HUMANOID)
        m, d = pair.m[0], pair.d[0]
        opt, pert, cam = ours.MjvOption(), ours.MjvPerturb(), ours.MjvCamera()
        opt.flags[:], pert.select, scene = 1, 2, ours.MjvScene(m, 2000)
        for _ in range(50):
            ours.mj_step(m, d)
            if drawn:
                ours.mjv_updateScene(m, d, opt, pert, cam, 7, scene)
        runs.append(d.qpos.copy())
    assert np.array_equal(*runs)
