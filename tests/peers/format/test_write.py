"""Models written as MJCF and read again, by Sinew and by the peer: the same, field by field."""

import ctypes

import mujoco
import numpy as np
import pytest

import bridge
import test_composite
import test_equality
from models import known
from test_attach import ATTACHED, BODIES, CHILD, PARENT, REFERRERS, REPLICATED
from test_model import THIRD_PARTY, load, sizes

lib = bridge.lib
for _name in ("sn_loadSpec", "sn_loadSpecText"):
    getattr(lib, _name).restype = ctypes.c_void_p
lib.sn_compile.restype = ctypes.c_void_p


def save(spec, path):
    error = bridge.Error()
    status = lib.sn_saveSpec(ctypes.c_void_p(spec), str(path).encode(), None, ctypes.byref(error))
    lib.sn_deleteSpec(ctypes.c_void_p(spec))
    assert status == 0, error.message.decode()


def same_peer_models(mine, theirs):
    """Every array of two models of the peer."""
    for name in dir(theirs):
        if name.startswith("_") or name in {"names", "paths", "signature", "text_data"}:
            continue
        a, b = getattr(mine, name), getattr(theirs, name)
        if not isinstance(b, np.ndarray | int | float):
            continue
        if name.endswith("pathadr") or name in {
            "npaths",
            "nbuffer",
            "nnames_map",
            "nnames",
            "names_map",
        }:
            continue
        if np.array_equal(a, b):
            continue  # the pixels of a texture are millions
        a, b = np.asarray(a, float), np.asarray(b, float)
        assert a.shape == b.shape, name
        # the peer's own loads of one mesh by two names differ in the last digits of float
        atol = 1e-6 if name == "mesh_polynormal" else 1e-12
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=atol, err_msg=name)


def same_models(mine, theirs):
    """Every array of two models of ours, bit for bit; the names of files alone may differ."""
    a, b = sizes(mine), sizes(theirs)
    assert {k: v for k, v in a.items() if k != "npaths"} == {
        k: v for k, v in b.items() if k != "npaths"
    }
    for name in mine.fields:
        if name != "paths" and not name.endswith("pathadr"):
            x, y = getattr(mine, name), getattr(theirs, name)
            assert x.tobytes() == y.tobytes(), name


def check(ours, path, peer):
    again, error = load(path)
    assert again, error.message.decode()
    same_models(again, ours)
    del again  # some are 100 MB
    if peer is not None:
        same_peer_models(mujoco.MjModel.from_xml_path(str(path)), peer)


@pytest.mark.parametrize("source", THIRD_PARTY, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_third_party(source, tmp_path):
    ours, error = load(source)
    assert ours, error.message.decode()
    spec = lib.sn_loadSpec(str(source).encode(), None, 0, bridge.AS_PINNED, ctypes.byref(error))
    assert spec, error.message.decode()
    save(spec, tmp_path / "out.xml")
    check(ours, tmp_path / "out.xml", known(source))


OWN = {
    "angles": """<mujoco model='a &amp; "b" &lt;c&gt;'><compiler eulerseq='ZYX'/><default><joint range='-10 20' ref='3'
    /><geom euler='1 2 3' solref='.03' friction='2'/><default class='k'><geom friction='1 2' solref='.01 2'/></default></default><worldbody>
    <body name='x' euler='10 20 30'><joint name='h'/><joint name='s' type='slide' pos='1 2 3'/><joint name='l' limited='false'
    /><geom size='.1'/><geom class='k' axisangle='1 1 0 40' size='.1 .2' type='capsule' pos='1e-17 .1 12345678.9'/>
    <frame pos='1 0 0' zaxis='1 1 1'><geom xyaxes='1 0 0 0 1 1' size='.1' friction='3' rgba='.1 .2 .3 .4'/>
    <camera name='c' euler='0 90 0'/><light name='li' directional='true' dir='1 0 -1'/><site name='q' fromto='0 0 0 1 1 1' type='box'
    size='.1'/></frame></body><body><joint name='b' type='ball' range='0 30'/><geom size='1'/><inertial pos='0 0 1'
    mass='2' fullinertia='1 2 2.5 .1 .2 .3'/></body></worldbody></mujoco>""",
    "settings": """<mujoco><compiler angle='radian' autolimits='false' boundmass='.1' inertiagrouprange='1 3'/>
    <option timestep='.001' gravity='1 2 3' actuatorgroupdisable='1 4' integrator='RK4'><flag contact='disable'
    energy='enable'/></option><size memory='3M' nkey='4' nuser_geom='3' nuserdata='4'/><visual><map znear='.02'/>
    <rgba fog='1 0 0 .1'/></visual><statistic meanmass='3' center='1 2 3'/><worldbody><body><freejoint align='true'/>
    <geom size='1' group='2' user='1 2'/></body></worldbody><custom><numeric name='n' data='1 2 3' size='5'/>
    <text name='t' data="it's &quot;so&quot; &#10; new"/></custom></mujoco>""",
    "actuators": """<mujoco><default><general gear='3'/><position kp='7'/></default><worldbody><body><joint name='j'
    range='-20 40'/><geom size='.1'/><site name='s'/></body></worldbody><tendon><fixed name='t' range='0 1'
    springlength='.3'><joint joint='j' coef='2'/></fixed></tendon><actuator><motor name='m' joint='j'/>
    <position joint='j' inheritrange='.7' dampratio='1'/><velocity joint='j' kv='3'/><intvelocity joint='j' kp='2'
    inheritrange='1'/><adhesion body='world' gain='2' ctrlrange='0 1'/><damper joint='j' kv='2'
    ctrlrange='0 1'/><cylinder joint='j' area='2' timeconst='3'/><general site='s' dyntype='filter' dynprm='.3'
    gainprm='1 2 3' biastype='affine' actearly='true' actlimited='true' actrange='-1 1'/></actuator><sensor>
    <framepos objtype='body' objname='world' cutoff='3'/></sensor></mujoco>""",
    "looks": """<mujoco><default><tendon width='.01' rgba='1 0 0 1'/></default><worldbody><body><joint name='j'/><geom size='.1'/>
    </body></worldbody><tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon></mujoco>""",
    "muscles": """<mujoco><default><muscle force='9'/></default><worldbody><body><joint name='j' range='-20 40'/><geom size='.1'/></body></worldbody><actuator>
    <muscle joint='j' lengthrange='0 1' timeconst='.02 .03'/><muscle joint='j' force='30' lengthrange='0 1'/></actuator></mujoco>""",
    "plain actuators": """<mujoco><worldbody><body><joint name='j' range='-20 40'/><geom size='.1'/></body></worldbody>
    <actuator><motor name='m' joint='j' gear='2'/><position joint='j' inheritrange='.7' dampratio='1'/><intvelocity
    joint='j' kp='2' inheritrange='1'/></actuator><keyframe><key qpos='.3' time='2'/><key ctrl='1 2 3'/></keyframe></mujoco>""",
    "textures": """<mujoco><default><material specular='.9' reflectance='.1'/></default><asset><texture name='a' type='2d'
    builtin='checker' rgb1='1 0 0' rgb2='0 1 0' width='8' height='8'/><texture type='skybox' builtin='gradient' width='8'
    height='8'/><material name='m' texture='a' texrepeat='2 3'/><material name='l'><layer role='rgb' texture='a'/>
    <layer role='normal' texture='a'/></material></asset><worldbody><geom size='1' material='m'/></worldbody></mujoco>""",
    "equalities": """<mujoco><default><equality solref='.5'/></default><worldbody><body name='a'><joint name='j'/>
    <geom size='.1'/><site name='s'/></body><body name='b'><joint name='k'/><geom size='.1'/><site name='t'/></body>
    </worldbody><equality><connect body1='a' anchor='0 0 1'/><weld site1='s' site2='t' solimp='.8'/><weld body1='a' body2='b'
    relpose='1 2 3 1 0 0 0' torquescale='2'/><joint joint1='j' joint2='k' polycoef='0 2 3'/></equality></mujoco>""",
    **{f"replicate {i}": "<mujoco><worldbody>{}</worldbody>{}</mujoco>".format(*t.split("|"))
       for i, t in enumerate([BODIES + "|" + r for r in REFERRERS[:4]] + REPLICATED[-5:-3])},
}  # fmt: skip


@pytest.mark.parametrize("name", OWN)
def test_own(name, tmp_path):
    (tmp_path / "in.xml").write_text(OWN[name])
    ours, error = load(tmp_path / "in.xml")
    assert ours, error.message.decode()
    spec = lib.sn_loadSpec(
        str(tmp_path / "in.xml").encode(), None, 0, bridge.AS_PINNED, ctypes.byref(error)
    )
    save(spec, tmp_path / "out.xml")
    try:
        check(ours, tmp_path / "out.xml", mujoco.MjModel.from_xml_path(str(tmp_path / "in.xml")))
    except AssertionError:
        print((tmp_path / "out.xml").read_text())
        raise


@pytest.mark.parametrize("name", ATTACHED)
def test_attached(name, tmp_path):
    (tmp_path / "c.xml").write_text(CHILD)
    (tmp_path / "in.xml").write_text(PARENT % ATTACHED[name])
    ours, error = load(tmp_path / "in.xml")
    spec = lib.sn_loadSpec(
        str(tmp_path / "in.xml").encode(), None, 0, bridge.AS_PINNED, ctypes.byref(error)
    )
    save(spec, tmp_path / "out.xml")
    again, error = load(tmp_path / "out.xml")
    assert again, error.message.decode()
    same_models(again, ours)
    mujoco.MjModel.from_xml_path(str(tmp_path / "out.xml"))


GENERATED = {
    **{
        f"equality {k}": test_equality.text(k)
        for k in ("all", "weld_relpose", "tendon_spatial", "connect_sites")
    },
    **{f"cable {k}": v for k, v in test_composite.TEXTS.items()},
}


@pytest.mark.parametrize("name", GENERATED)
def test_generated(name, tmp_path):
    (tmp_path / "in.xml").write_text(GENERATED[name])
    ours, error = load(tmp_path / "in.xml")
    assert ours, error.message.decode()
    spec = lib.sn_loadSpec(
        str(tmp_path / "in.xml").encode(), None, 0, bridge.AS_PINNED, ctypes.byref(error)
    )
    save(spec, tmp_path / "out.xml")
    check(ours, tmp_path / "out.xml", mujoco.MjModel.from_xml_path(str(tmp_path / "in.xml")))
