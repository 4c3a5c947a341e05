"""Sensors that look at shapes and contacts, against the pinned peer.

Distances and rays are exact on both sides for the shapes here, so that 1e-9 holds.
"""

import ctypes

import mujoco
import numpy as np
import pytest

import bridge

BODY = """<body name="{n}" pos="{p}"><freejoint/>
  <geom name="{n}1" size=".1"/><geom name="{n}2" type="capsule" size=".06 .2" pos=".3 0 0" euler="30 0 0"/>
  <geom type="capsule" size=".05 .1" pos="0 .3 0" margin=".05" gap=".03"/>
  <site name="{n}" pos=".06 .1 .2" euler="100 20 0" size=".3 .2 .25" type="{shape}"/>
  <body name="{n}arm" pos="0 0 .3"><joint axis="1 0 0"/><geom name="{n}3" size=".15" condim="{dim}"/></body></body>"""
CAMERAS = """<camera name="c0" pos="0 -3 1" euler="80 10 0" resolution="200 100" fovy="40"/>
  <camera name="c1" pos="1 -2 1" euler="80 30 5"/>
  <camera name="c2" pos="0 -3 1" euler="80 0 0" resolution="64 48" sensorsize=".02 .015" focal=".01 .012"
    principal=".001 .002"/>"""


def shape_sensors():
    for site in "ab":
        yield f'<rangefinder site="{site}"/><rangefinder site="{site}" cutoff=".4"/>'
        for k in range(3):
            yield f'<camprojection site="{site}" camera="c{k}"/>'
        for kind, names in (
            ("body", "ab"),
            ("xbody", ("aarm", "barm")),
            ("geom", ("a1", "b2")),
            ("site", "ab"),
        ):
            for name in names:
                yield f'<insidesite site="{site}" objtype="{kind}" objname="{name}"/>'
    sides = [
        'geom{}="a1"',
        'geom{}="b2"',
        'body{}="a"',
        'body{}="barm"',
        'geom{}="floor"',
        'body{}="b"',
    ]
    for kind in ("distance", "normal", "fromto"):
        for i, first in enumerate(sides):
            for j, second in enumerate(sides):
                if i == j or {i, j} == {1, 5}:
                    continue  # a geom with itself: concentric shapes have no direction
                for cutoff in (0, 0.3, 2):
                    yield f'<{kind} {first.format(1)} {second.format(2)} cutoff="{cutoff}"/>'


def contact_sensors():
    first = [
        "",
        'geom1="a1"',
        'body1="a"',
        'subtree1="a"',
        'subtree1="b"',
        'site="a"',
        'body1="world"',
    ]
    second = ["", 'geom2="floor"', 'body2="b"', 'subtree2="a"', 'subtree2="b"']
    for i in first:
        for j in second:
            yield f'<contact {i} {j} data="found force torque dist pos normal tangent" num="3"/>'
            for reduce in ("mindist", "maxforce", "netforce"):
                yield f'<contact {i} {j} data="found force torque dist pos normal tangent" num="3" reduce="{reduce}"/>'
            yield f'<contact {i} {j} data="dist normal" cutoff=".001"/><contact {i} {j}/>'


def text_of(sensors, cone, shape="sphere"):
    """A model on a floor, with sensors."""
    bodies = BODY.format(n="a", p="0 0 .1", shape=shape, dim=6) + BODY.format(
        n="b", p=".3 .2 .2", shape="box", dim=1
    )
    return f"""<mujoco><option cone="{cone}" ccd_tolerance="1e-12"/><worldbody><geom name="floor" type="plane" size="5 5 1"/>{bodies}{CAMERAS}
        </worldbody><sensor>{"".join(sensors)}</sensor></mujoco>"""


def model(sensors, cone, shape="sphere"):
    return mujoco.MjModel.from_xml_string(text_of(sensors, cone, shape))


def poses(m, count):
    d = mujoco.MjData(m)
    ours = bridge.copy_model(m)
    data = bridge.make_data(ours)
    rng = np.random.default_rng(1)
    for _ in range(count):
        mujoco.mj_resetData(m, d)
        d.qpos[:] += rng.normal(0, 0.2, m.nq)
        mujoco.mj_normalizeQuat(m, d.qpos)
        d.qvel[:] = rng.normal(0, 0.5, m.nv)
        mujoco.mj_forward(m, d)
        yield d, ours, data


def names(m):
    """What each number of sensordata belongs to."""
    return np.repeat(np.arange(m.nsensor), m.sensor_dim)


@pytest.mark.parametrize("shape", ["sphere", "capsule", "ellipsoid", "cylinder"])
def test_shapes(shape):
    m = model(shape_sensors(), "elliptic", shape)
    for d, ours, data in poses(m, 20):
        data.qpos = d.qpos
        for stage in ("kinematics", "comPos", "camlight", "sensorPos"):
            bridge.call(stage, ours, data)
        error = np.abs(data.sensordata.ravel() - d.sensordata) / (1 + np.abs(d.sensordata))
        bad = np.unique(names(m)[error > 1e-9])
        assert not bad.size, [(mujoco.mjtSensor(m.sensor_type[i]).name, int(i)) for i in bad]


@pytest.mark.parametrize("cone", ["elliptic", "pyramidal"])
def test_contacts(cone):
    """From the peer's contacts and forces."""
    m = model(contact_sensors(), cone)
    found = 0
    for d, ours, data in poses(m, 40):
        data.qpos, data.qvel = d.qpos, d.qvel
        bridge.call("forward", ours, data)
        assert len(data.contact) == d.ncon
        assert len(data.efc_force) == d.nefc
        for c, p in zip(data.contact.ravel(), d.contact, strict=True):
            assert tuple(c["geom"]) == tuple(p.geom)
            c["dist"], c["pos"], c["frame"] = p.dist, p.pos, p.frame
        data.efc_force = d.efc_force
        bridge.call("sensorAcc", ours, data)
        found += d.ncon
        error = np.abs(data.sensordata.ravel() - d.sensordata) / (1 + np.abs(d.sensordata))
        bad = np.unique(names(m)[error > 1e-9])
        assert not bad.size, [(list(contact_sensors_flat())[i]) for i in bad[:9]]
    assert found > 100


def contact_sensors_flat():
    for text in contact_sensors():
        yield from (x for x in text.replace("/><", "/>\n<").split("\n"))


@pytest.mark.parametrize("sensors", [shape_sensors, contact_sensors])
def test_compiled(sensors):
    """The same kinds, objects, references and sizes from the same file."""
    text = text_of(sensors(), "elliptic").encode()
    peer = mujoco.MjModel.from_xml_string(text.decode())
    error = bridge.Error()
    pointer = bridge.lib.sn_loadModelText(
        text, len(text), None, 0, bridge.AS_PINNED, ctypes.byref(error)
    )
    assert pointer, error.message
    ours = bridge.Struct(pointer)
    for name in (
        "type",
        "objtype",
        "objid",
        "reftype",
        "refid",
        "intprm",
        "dim",
        "adr",
        "needstage",
        "datatype",
        "cutoff",
    ):
        theirs = getattr(peer, "sensor_" + name)
        assert np.array_equal(getattr(ours, "sensor_" + name).reshape(theirs.shape), theirs), name
