"""Sensors that came after 3.3.7 against 4.0.1: rays of cameras, velocities of contacts, meshes as sites."""

import mujoco
import numpy as np
import pytest

import newest
import sinew
import sinew.mujoco

WEDGE = '<mesh name="w" vertex="0 0 0 1 0 0 0 2 0 0 0 3 .2 .3 .4" scale=".3 .2 .3"/>'
ROOM = """<mujoco><asset>{mesh}<hfield name="h" nrow="4" ncol="5" size="1 1 .3 .1" elevation="0 1 2 1 0 2 3 1 0 2 1 1 0 4 2 0 3 1 2 2"/></asset>
<worldbody><geom type="plane" size="5 5 .1"/><geom type="hfield" hfield="h" pos="-2 0 0"/>
  <geom type="mesh" mesh="w" pos=".5 .5 .2" euler="10 20 30"/><geom type="cylinder" size=".2 .4" pos="-.6 .4 .3" euler="70 0 0"/>
  <geom type="ellipsoid" size=".2 .3 .4" pos=".4 -.7 .2"/><geom type="capsule" size=".1 .3" pos="-.5 -.5 .4" euler="0 80 10"/>
  <body name="eye" pos="0 0 2"><freejoint/><geom size=".05"/>
    <camera name="c" resolution="5 4" fovy="70" {camera}/><site name="s" euler="180 0 0"/></body>
  <body pos="0 0 .6"><freejoint/><geom type="box" size=".2 .3 .1"/></body>
</worldbody><sensor>{sensors}</sensor></mujoco>"""
ALL = "dist dir origin point normal depth"


def near(a, b, bound, what):
    error = np.abs(np.asarray(a) - b).max(initial=0) / (1 + np.abs(b).max(initial=0))
    assert error <= bound, f"{what}: {error:.2e}"


def compare(text, bound=1e-9, count=100, seed=0, speed=1.0):
    """Sensors at random states."""
    m, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text)
    fields = ("sensor_dim", "sensor_intprm", "sensor_adr", "sensor_datatype", "sensor_objtype", "sensor_objid",
              "sensor_cutoff", "sensor_noise")  # fmt: skip
    for name in fields:
        np.testing.assert_array_equal(
            np.ravel(getattr(m, name)), np.ravel(getattr(theirs.get(name), name)), name
        )
    rng, states, hits = np.random.default_rng(seed), [], 0
    for _ in range(count):
        qpos = m.qpos0.copy()
        sinew_qvel = rng.normal(0, speed, m.nv)
        qpos = sinew.integratePos(m, qpos, rng.normal(0, 0.4, m.nv), 1)
        states.append({"qpos": qpos, "qvel": sinew_qvel})
    found = theirs.run("mj_forward", states, ("sensordata",))
    for k, (state, their) in enumerate(zip(states, found, strict=True)):
        d = sinew.Data(m)
        d.qpos[:], d.qvel[:] = state["qpos"], state["qvel"]
        sinew.forward(m, d)
        near(d.sensordata, their.sensordata, bound, f"sensordata {k}")
        hits += np.abs(d.sensordata).max() > 0
    return m, hits


@pytest.mark.parametrize("data", [ALL, "dist", "normal", "dir depth", ""])
def test_rays_are_the_peers(data):
    sensors = f'<rangefinder camera="c" data="{data}"/><rangefinder site="s" data="{data}"/><rangefinder camera="c" data="{data}" cutoff="1"/>'
    m, _ = compare(ROOM.format(mesh=WEDGE, camera="", sensors=sensors), 1e-7, 40)
    each = m.sensor_dim[1]
    assert m.sensor_dim[0] == 20 * each and each == {ALL: 14, "dir depth": 4, "normal": 3}.get(
        data, 1
    )


def test_parallel_rays_are_the_peers():
    sensors = f'<rangefinder camera="c" data="{ALL}"/>'
    text = ROOM.format(mesh=WEDGE, camera="", sensors=sensors)
    text = text.replace(
        'resolution="5 4" fovy="70"', 'resolution="4 4" fovy="2" projection="orthographic"'
    )
    theirs = newest.load(text)
    with pytest.warns(
        sinew.ModelWarning, match="orthographic"
    ):  # 4.0's word for it is not read yet
        ours = sinew.Model.from_xml(
            text.replace(' projection="orthographic"', ' orthographic="true"'), physics="4.0"
        )
    d = sinew.Data(ours)
    sinew.forward(ours, d)
    theirs.call("mj_forward")
    near(d.sensordata, theirs.look("sensordata").sensordata, 1e-7, "parallel rays")


@pytest.mark.parametrize("lens", ['focal=".01 .02" sensorsize=".02 .03"', 'focal=".01 .02" sensorsize=".02 .03" principal=".002 -.003"'])  # fmt: skip
def test_rays_of_a_lens_go_through_its_pixels(lens):
    """4.0.1 counts the principal point from the corner of the picture, and its manual and pictures from the middle."""
    text = ROOM.format(
        mesh=WEDGE, camera=lens, sensors='<rangefinder camera="c" data="dist dir point"/>'
    ).replace(' fovy="70"', "")
    m = sinew.Model.from_xml(text, physics="4.0")
    d = sinew.Data(m)
    sinew.forward(m, d)
    rays = d.sensordata.reshape(4, 5, 7)
    frame = d.cam_xmat.reshape(3, 3)
    local = rays[..., 1:4] @ frame
    slope = local[..., :2] / -local[..., 2:]
    hit = rays[..., 0] > 0
    fx, fy, px, py = m.cam_intrinsic[0]
    sx, sy = m.cam_sensorsize[0]
    across = ((np.arange(5) + 0.5) / 5 - 0.5) * sx + px
    down = (0.5 - (np.arange(4) + 0.5) / 4) * sy + py
    want = np.stack(np.broadcast_arrays(across[None] / fx, down[:, None] / fy), -1)
    np.testing.assert_allclose(slope[hit], want[hit], atol=1e-9)
    theirs = newest.load(text)
    theirs.call("mj_forward")
    other = np.reshape(theirs.look("sensordata").sensordata, (4, 5, 7))[..., 1:4] @ frame
    middle = (other[..., :2] / -other[..., 2:])[1:3, 2].mean(0)  # where the axis should be
    assert np.abs(middle - [px / fx, py / fy]).max() > 0.3


BALLS = """<mujoco><option gravity="0 0 -9.81"/><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="x" pos="0 0 .095"><freejoint/><geom name="g" size=".1"/></body>
  <body name="y" pos=".19 0 .095"><freejoint/><geom name="h" type="box" size=".1 .1 .1"/></body>
</worldbody><sensor>
  <contact geom1="g" data="found linvel angvel" num="3"/><contact geom1="h" geom2="g" data="normal linvel angvel" num="2"/>
  <contact geom1="floor" geom2="h" data="pos tangent angvel" num="4" noise=".2"/>
  <contact body1="y" data="found force torque dist pos normal tangent linvel angvel" num="2" reduce="mindist"/>
  <contact subtree1="x" data="linvel" reduce="maxforce"/>
</sensor></mujoco>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_velocities_of_contacts_are_the_peers(cone):
    text = BALLS.replace('gravity="0 0 -9.81"', f'cone="{cone}" tolerance="1e-14" iterations="200"')
    m, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text)
    rng, seen = np.random.default_rng(1), 0
    states = []
    for _ in range(100):
        qpos = sinew.integratePos(m, m.qpos0, rng.normal(0, 0.02, m.nv), 1)
        states.append({"qpos": qpos, "qvel": rng.normal(0, 1, m.nv)})
    found = theirs.run("mj_forward", states, ("sensordata",))
    for k, (state, their) in enumerate(zip(states, found, strict=True)):
        d = sinew.Data(m)
        d.qpos[:], d.qvel[:] = state["qpos"], state["qvel"]
        sinew.forward(m, d)
        near(d.sensordata, their.sensordata, 1e-6, f"contacts {k}")
        seen += d.ncon > 2
    assert seen > 50


def test_velocity_of_a_contact_is_that_of_its_points():
    """The rate of the distance, and no velocity where two bodies move as one."""
    text = BALLS.replace('gravity="0 0 -9.81"', 'gravity="0 0 0"')
    m = sinew.Model.from_xml(text, physics="4.0")
    d = sinew.Data(m)
    d.qvel[:6] = 0, 0, 0.5, 0, 2, 0
    d.qvel[6:] = 0, 0, 0.5, 0, 0, 0
    sinew.forward(m, d)
    between = d.sensordata[m.sensor_adr[1] :][:9]
    normal, linvel, angvel = between[:3], between[3:6], between[6:9]
    assert normal[0] < -0.9 and abs(linvel[0]) < 1e-9  # side by side, as fast
    assert np.linalg.norm(angvel) == pytest.approx(2)
    h, before = 1e-6, d.contact.dist.copy()
    sinew.integratePos(m, d.qpos, d.qvel, h)
    after = sinew.Data(m)
    after.qpos[:] = sinew.integratePos(m, d.qpos, d.qvel, h)
    sinew.forward(m, after)
    rates = (after.contact.dist - before) / h
    np.testing.assert_allclose(sorted(set(np.round(rates, 4))), [0, 0.5], atol=1e-3)


SITE = """<mujoco><asset>{mesh}</asset><worldbody><geom type="plane" size="5 5 .1"/>
  <body name="b" pos="0 0 .3"><freejoint/><geom name="g" size=".08"/>
    <site name="s" type="mesh" mesh="w" pos=".1 .2 -.3" euler="20 30 40"/></body>
  <body name="p" pos=".1 .2 .1"><freejoint/><geom size=".02"/></body>
</worldbody><sensor><insidesite site="s" objtype="body" objname="p"/><contact site="s" data="found dist"/></sensor></mujoco>"""


def test_sites_of_meshes_are_the_peers():
    text = SITE.format(mesh=WEDGE)
    m, theirs = sinew.Model.from_xml(text, physics="4.0", strict=True), newest.load(text)
    for name in ("site_type", "site_dataid", "site_size", "site_pos", "site_quat"):
        np.testing.assert_allclose(
            np.ravel(getattr(m, name)), np.ravel(getattr(theirs.get(name), name)), atol=1e-9
        )
    rng, d = np.random.default_rng(0), sinew.Data(m)
    sinew.forward(m, d)
    theirs.call("mj_forward")
    frame, origin = d.site_xmat.reshape(3, 3), d.site_xpos.ravel()
    inside = 0
    for _ in range(300):
        point = origin + frame @ rng.uniform(-0.1, [0.4, 0.5, 1.0])
        ours = sinew.insideSite(m, d, 0, point)
        assert ours == theirs.answer("mj_insideSite", 0, point)
        inside += ours
    assert 8 < inside < 250
    states = []
    for _ in range(60):
        qpos = m.qpos0.copy()
        qpos[7:10] = origin + frame @ rng.uniform(-0.1, [0.4, 0.5, 1.0])
        if rng.uniform() < 0.5:  # on the floor, which goes through the mesh
            qpos[7:10] = *(origin[:2] + rng.uniform(-0.05, 0.15, 2)), 0.018
        states.append({"qpos": qpos})
    found = theirs.run("mj_forward", states, ("sensordata",))
    seen = np.zeros(2)
    for state, their in zip(states, found, strict=True):
        d.qpos[:] = state["qpos"]
        sinew.forward(m, d)
        near(d.sensordata, their.sensordata, 1e-9, "sensors of a mesh")
        seen += d.sensordata[:2] > 0
    assert seen.all()


SHAPES = {
    "sphere": 'type="sphere" size="{0}"',
    "box": 'type="box" size="{0} {1} {2}"',
    "capsule": 'type="capsule" size="{1} {0}"',
    "cylinder": 'type="cylinder" size="{1} {0}"',
    "ellipsoid": 'type="ellipsoid" size="{0} {1} {2}"',
    "mesh": 'type="mesh" mesh="w{3}"',
}
ENCLOSED = """<mujoco><asset><mesh name="w0" vertex="0 0 0 1 0 0 0 2 0 0 0 3 .2 .3 .4 1 1 1" scale=".3 .2 .3"/>
  <mesh name="w1" vertex="0 0 0 1 0 0 0 2 0 0 0 3 .2 .3 .4" scale=".08 .05 .04"/></asset><worldbody><site name="s" {site} pos=".1 -.2 .3" euler="10 20 30"/>
<body name="x" pos=".1 -.2 .3"><freejoint/><geom name="g" {geom}/><site name="t" {geom}/><body name="y" pos=".1 0 0"><geom size=".03"/></body></body></worldbody>
<sensor><insidesite site="s" objtype="geom" objname="g" enclosed="true"/><insidesite site="s" objtype="site" objname="t" enclosed="true"/>
<insidesite site="s" objtype="body" objname="x" enclosed="true" cutoff=".1"/><insidesite site="s" objtype="xbody" objname="x" enclosed="true"/></sensor></mujoco>"""


@pytest.mark.parametrize("geom", SHAPES)
@pytest.mark.parametrize("site", SHAPES)
def test_what_juts_out_is_the_peers_or_more(site, geom):
    """As all corners are looked at, and round shapes from all sides."""
    text = ENCLOSED.format(
        site=SHAPES[site].format(0.4, 0.3, 0.25, 0), geom=SHAPES[geom].format(0.09, 0.05, 0.07, 1)
    )
    m, theirs = sinew.Model.from_xml(text, physics="4.0"), newest.load(text)
    assert (m.sensor_datatype == 0).all() and (m.sensor_intprm[:, 0] == 1).all()
    bound = {"sphere": 1e-7, "ellipsoid": 1e-9, "box": 0.01}.get(site, 0.03)
    rng, states = np.random.default_rng(0), []
    for _ in range(100):
        states.append(
            {
                "qpos": sinew.integratePos(
                    m, m.qpos0, rng.normal(0, 1, 6) * [0.2, 0.2, 0.2, 1, 1, 1], 1
                )
            }
        )
    found = theirs.run("mj_forward", states, ("sensordata",))
    for state, their in zip(states, found, strict=True):
        d = sinew.Data(m)
        d.qpos[:] = state["qpos"]
        sinew.forward(m, d)
        more = d.sensordata - their.sensordata  # 4.0.1 stops short of the largest at times
        assert more.min() >= -1e-9 and more.max() <= bound, more


@pytest.mark.parametrize("geom", ["cylinder", "ellipsoid"])
@pytest.mark.parametrize("site", SHAPES)
def test_nothing_juts_out_farther(site, geom):
    """Of many points of the geom none does, and one comes near."""
    text = ENCLOSED.format(
        site=SHAPES[site].format(0.2, 0.15, 0.1, 0), geom=SHAPES[geom].format(0.19, 0.14, 0.1, 1)
    )
    m = sinew.Model.from_xml(text, physics="4.0")
    rng = np.random.default_rng(3)
    points = rng.normal(size=(400, 3))
    a = m.geom_size[0]
    if geom == "ellipsoid":
        points *= a / np.linalg.norm(points, axis=1)[:, None]
    else:
        points[:, :2] *= a[0] / np.linalg.norm(points[:, :2], axis=1)[:, None]
        points[:, 2] = np.sign(points[:, 2]) * a[1]
    tiny = ENCLOSED.format(
        site=SHAPES[site].format(0.2, 0.15, 0.1, 0), geom='type="sphere" size="1e-9"'
    )
    point = sinew.Model.from_xml(tiny, physics="4.0")
    for _ in range(3):
        d, e = sinew.Data(m), sinew.Data(point)
        moved = rng.normal(0, 1, 6) * [0.1, 0.1, 0.1, 1, 1, 1]
        d.qpos[:] = sinew.integratePos(m, m.qpos0, moved, 1)
        sinew.forward(m, d)
        frame, origin = d.geom_xmat[0].reshape(3, 3), d.geom_xpos[0]
        far = -np.inf
        for p in points:
            e.qpos[:3] = origin + frame @ p
            sinew.kinematics(point, e)
            sinew.sensorPos(point, e)
            far = max(far, e.sensordata[0])
        assert far <= d.sensordata[0] + 1e-7
        assert far > d.sensordata[0] - 0.03


def test_a_site_of_a_mesh_is_drawn_where_it_is():
    """As a geom of the same mesh at the same place."""
    text = SITE.format(mesh=WEDGE).replace(
        '<site name="s"',
        '<geom type="mesh" mesh="w" pos=".1 .2 -.3" euler="20 30 40" contype="0" conaffinity="0"/><site name="s"',
    )
    peer = sinew.mujoco
    m = peer.MjModel.from_xml_string(text.replace("<sensor>", '<custom><text name="sinew_physics" data="4.0"/></custom><sensor>'))  # fmt: skip
    d = peer.MjData(m)
    peer.mj_forward(m, d)
    shown = peer.MjvScene(m, maxgeom=100)
    peer.mjv_updateScene(m, d, peer.MjvOption(), None, peer.MjvCamera(), 7, shown)
    geoms = [g for g in shown.geoms[: shown.ngeom] if g.type == peer.mjtGeom.mjGEOM_MESH]
    assert len(geoms) == 2 and geoms[0].dataid == geoms[1].dataid == 0
    np.testing.assert_allclose(geoms[0].pos, geoms[1].pos, atol=1e-6)
    np.testing.assert_allclose(np.ravel(geoms[0].mat), np.ravel(geoms[1].mat), atol=1e-6)


REFUSED = {
    '<rangefinder camera="c" site="s"/>': "exactly one of site, camera",
    "<rangefinder/>": "exactly one of site, camera",
    '<rangefinder camera="c" data="point dist"/>': "expected some of dist, dir, origin, point, normal, depth, in this order",
    '<rangefinder camera="c" data="colour"/>': "expected some of dist, dir",
    '<rangefinder camera="none"/>': "none",
    '<contact data="angvel linvel"/>': "tangent, linvel, angvel, in this order",
    '<contact data="linvel" reduce="netforce"/>': "netforce.*no linvel",
    '<insidesite site="s" objtype="camera" objname="c" enclosed="true"/>': "enclosed needs a site, a geom, or a body",
    '<insidesite site="s" objtype="xbody" objname="world" enclosed="true"/>': "enclosed: a plane has no end",
}


@pytest.mark.parametrize("sensor", REFUSED)
def test_bad_sensors_are_named(sensor):
    with pytest.raises(sinew.ModelError, match=REFUSED[sensor]):
        sinew.Model.from_xml(ROOM.format(mesh=WEDGE, camera="", sensors=sensor), physics="4.0")


@pytest.mark.parametrize(
    "site, match",
    [
        ('type="mesh"', "name its mesh"),
        ('mesh="w"', 'give it type="mesh"'),
        ('type="mesh" mesh="none"', "none"),
        ('type="mesh" mesh="w" fromto="0 0 0 1 1 1"', "mesh and fromto"),
        ('type="plane"', "box or mesh"),
    ],
)
def test_bad_sites_are_named(site, match):
    text = f"<mujoco><asset>{WEDGE}</asset><worldbody><site {site}/></worldbody></mujoco>"
    with pytest.raises(sinew.ModelError, match=match):
        sinew.Model.from_xml(text, physics="4.0")


def test_touch_on_a_mesh_is_refused():
    """4.0.1 ends the program there."""
    text = SITE.format(mesh=WEDGE).replace("<sensor>", '<sensor><touch site="s"/>')
    with pytest.raises(sinew.NotSupportedError, match="touch on a site that is a mesh"):
        sinew.Model.from_xml(text, physics="4.0")


OLDER = {
    '<rangefinder camera="c"/>': "'camera' came after",
    '<rangefinder site="s" data="dist"/>': "'data' came after",
    '<contact data="found linvel"/>': "linvel came after",
    '<contact noise=".1"/>': "'noise' came after",
    '<insidesite site="s" objtype="body" objname="eye" enclosed="true"/>': "'enclosed' came after",
}


@pytest.mark.parametrize("sensor", OLDER)
def test_older_models_have_none_of_them(sensor):
    text = ROOM.format(mesh=WEDGE, camera="", sensors=sensor)
    with pytest.raises(sinew.ModelError, match=OLDER[sensor]):
        sinew.Model.from_xml(text, physics="3.3.7")
    with pytest.raises(
        sinew.ModelError, match="a site is a sphere, capsule, ellipsoid, cylinder or box"
    ):
        sinew.Model.from_xml(
            f'<mujoco><asset>{WEDGE}</asset><worldbody><site type="mesh"/></worldbody></mujoco>',
            physics="3.3.7",
        )
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(text)


def test_they_are_written_compiled_and_stepped_elsewhere(tmp_path):
    sensors = f'<rangefinder camera="c" data="{ALL}"/><rangefinder site="s" data="dist normal"/><contact data="found linvel"/><insidesite site="m" objtype="body" objname="eye" enclosed="true"/>'
    text = ROOM.format(mesh=WEDGE, camera="", sensors=sensors).replace(
        '<site name="s"', '<site name="m" type="mesh" mesh="w"/><site name="s"'
    )
    m = sinew.Model.from_xml(text, physics="4.0")
    d = sinew.Data(m)
    sinew.step(m, d, 3)
    m.save(tmp_path / "m.snb")
    written = sinew.Spec.from_xml(text, physics="4.0").to_xml()
    for other in (sinew.Model.from_path(tmp_path / "m.snb"), sinew.Model.from_xml(written)):
        e = sinew.Data(other)
        sinew.step(other, e, 3)
        assert (e.sensordata == d.sensordata).all() and (other.site_dataid == m.site_dataid).all()
    batch = sinew.Batch(m, 3)
    assert {"rangefinders of cameras", "sites that are meshes", "insidesite with enclosed"} <= set(
        batch.scalar_features
    )
    batch.step(nstep=3)
    assert (batch.sensordata == d.sensordata).all()


def test_lanes_have_rays_and_velocities():
    sensors = f'<rangefinder site="s" data="{ALL}"/><contact data="found linvel angvel" num="3"/>'
    m = sinew.Model.from_xml(ROOM.format(mesh=WEDGE, camera="", sensors=sensors), physics="4.0")
    batch = sinew.Batch(m, 4)
    assert not batch.scalar_features
    rng = np.random.default_rng(0)
    batch.qvel[:] = rng.normal(0, 1, (4, m.nv))
    datas = [sinew.Data(m) for _ in range(4)]
    for i, d in enumerate(datas):
        d.qvel[:] = batch.qvel[i]
    batch.step(nstep=80)
    for i, d in enumerate(datas):
        sinew.step(m, d, 80)
        near(batch.sensordata[i], d.sensordata, 1e-6, f"lane {i}")


def test_derivatives_name_what_has_none():
    for sensor, match in (
        ('<rangefinder camera="c"/>', "only the distance along a site's axis"),
        ('<rangefinder site="s" data="dist point"/>', "only the distance along a site's axis"),
        ('<contact data="linvel"/>', "linvel and angvel of contacts"),
        (
            '<insidesite site="s" objtype="body" objname="eye" enclosed="true"/>',
            "how far an object juts out",
        ),
    ):
        m = sinew.Model.from_xml(ROOM.format(mesh=WEDGE, camera="", sensors=sensor), physics="4.0")
        d = sinew.Data(m)
        sinew.forward(m, d)
        with pytest.raises(sinew.NotSupportedError, match=match):
            sinew.transitionDerivative(m, d)
        assert np.isfinite(sinew.transitionFD(m, d, 1e-6)[2]).all()


EVERYTHING = ROOM.format(
    mesh=WEDGE,
    camera="",
    sensors=f'<rangefinder camera="c" data="{ALL}"/><contact data="found linvel angvel"/><insidesite site="m" objtype="body" objname="eye"/><insidesite site="m" objtype="xbody" objname="eye" enclosed="true"/>',
).replace('<site name="s"', '<site name="m" type="mesh" mesh="w"/><site name="s"')


def test_newer_sensors_in_inverse_dynamics():
    m = sinew.Model.from_xml(EVERYTHING, physics="4.0")
    d = sinew.Data(m)
    sinew.step(m, d, 120)
    sinew.forward(m, d)
    shown = d.sensordata.copy()
    d.sensordata[:] = 99
    sinew.inverse(m, d)
    near(d.sensordata, shown, 1e-8, "sensors of the inverse")


@pytest.mark.parametrize("way", ["RK4", "loops", "rigid"])
def test_newer_sensors_beside_the_rest(way, tmp_path):
    """Sensors after a step are those of the state before it; rows of recordings and rollouts on threads have them."""
    m = sinew.Model.from_xml(EVERYTHING, physics="4.0")
    if way == "RK4":
        m.opt.integrator = sinew.Integrator.RK4
    elif way == "loops":
        m.opt.loops = sinew.Loops.EXACT
    else:
        m.opt.contact = sinew.ContactModel.LCP
    d, recorder = sinew.Data(m), sinew.Recorder(m)
    sinew.step(m, d, 100)
    start = sinew.getState(m, d, int(sinew.StateBit.FULLPHYSICS))
    for _ in range(4):
        before = sinew.Data(m)
        sinew.setState(
            m, before, sinew.getState(m, d, int(sinew.StateBit.INTEGRATION)), int(sinew.StateBit.INTEGRATION)
        )  # fmt: skip
        sinew.forward(m, before)
        recorder.step(d)
        near(d.sensordata, before.sensordata, 1e-12, way)
    recorder.recording().save(tmp_path / "run.npy")
    rows = sinew.Recording.from_path(tmp_path / "run.npy")
    assert (np.concatenate([np.ravel(v[-1]) for v in rows.sensors.values()]) == d.sensordata).all()
    found = [sinew.rollout(m, [start] * 3, nstep=5, threads=n)[1] for n in (1, 2)]
    assert (found[0] == found[1]).all() and np.abs(found[0]).sum() > 0
