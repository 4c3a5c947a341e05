"""What a program sees of `mujoco.MjSpec`, pickled to a file: run by MuJoCo 4.0.1 and by Sinew with its interface.

python later_specs.py RESULT
"""

import itertools
import pathlib
import pickle
import sys
import warnings
from importlib import util

import mujoco
import numpy as np

from mjspec_programs import PROGRAMS

MODEL = """
<mujoco>
  <asset>
    <texture name="t" type="2d" builtin="flat" width="2" height="2"/><material name="m" texture="t"/>
    <mesh name="tetrahedron" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh file="part.obj"/>
  </asset>
  <worldbody>
    <body name="b">
      <joint name="j"/><geom name="g" size=".1" mass="1"/><geom name="h" type="cylinder" size=".1 .1" mass="1"/><site name="s"/>
      <camera name="c" resolution="3 2"/>
    </body>
    <frame name="f"><body name="d"><joint name="k"/><geom name="e" size=".1"/></body></frame>
  </worldbody>
  <tendon>
    <fixed name="sum"><joint joint="j" coef="2"/><joint joint="k" coef="3"/></fixed>
    <spatial name="path"><site site="s"/><geom geom="g" sidesite="s"/><site site="s"/><pulley divisor="2"/><site site="s"/><geom geom="h"/><site site="s"/></spatial>
  </tendon>
  <actuator>
    <general joint="j" name="a"/><motor joint="j"/><position joint="j" kp="3" kv="1"/><velocity joint="j"/>
    <intvelocity joint="j" actrange="-1 1"/><damper joint="j" ctrlrange="0 1" kv="2"/><cylinder joint="j"/>
    <muscle joint="j" lengthrange="0 1"/><pid joint="j" kp="2" kv="1" ki="3" imax="4" slewmax="5" input="pos vel"/>
    <dcmotor joint="j" motorconst=".05 .05" resistance="2" inductance="0 .1" cogging="1 2 3" controller="1 2 3 4 5 6"
      thermal="1 0 2 3 4 5" lugre="1 2 3 4 5" saturation="1 2 3" nominal="1 2 3" input="pos"/>
    <general joint="j" delay=".01" nsample="6" interp="linear" damping="1 2 3" armature=".1"/>
  </actuator>
  <sensor>
    <rangefinder site="s" name="one"/><rangefinder site="s" data="dist point" name="two"/>
    <rangefinder camera="c" name="many" data="dist depth"/><insidesite site="s" objtype="body" objname="b"/>
    <insidesite site="s" objtype="body" objname="b" enclosed="true"/><contact geom1="g" name="contact"/>
    <contact geom1="g" data="force linvel angvel" num="2"/><touch site="s" nsample="3" interp="linear" interval=".1 -.02"/>
  </sensor>
  <custom><numeric name="n" data="1"/></custom>
</mujoco>
"""
FILES = {"part.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"}


def load():
    return mujoco.MjSpec.from_string(MODEL, assets=FILES)


def shown(value):
    """Type and value of a member; the class alone of what holds more."""
    kind = type(value).__name__
    if isinstance(value, np.ndarray):
        return str(value.dtype), value.shape, value.tolist()
    if kind.endswith("Vec"):
        return kind, list(value)
    if isinstance(value, bool | int | float | str | bytes) and not hasattr(value, "__members__"):
        return kind, value
    return (kind, int(value)) if hasattr(type(value), "__members__") else (kind,)


def attempt(function):
    """What it gives, or the kind of its error."""
    try:
        return function()
    except Exception as error:
        return type(error).__name__


def members(element):
    found = {}
    for name in dir(type(element)):
        if name.startswith("_") or name in ("id", "signature", "parent", "frame"):
            continue
        value = attempt(lambda name=name: getattr(element, name))
        if not callable(value):
            found[name] = shown(value)
    return found


def made():
    """A new element of each kind."""
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body()
    kinds = "mesh material texture hfield skin flex pair exclude equality tendon actuator sensor numeric text tuple key"
    found = {kind: getattr(spec, "add_" + kind)() for kind in kinds.split()}
    found |= {k: getattr(body, "add_" + k)() for k in "geom joint site camera light frame".split()}
    found |= {"body": body, "compiler": spec.compiler, "spec": spec}
    return {kind: members(element) for kind, element in found.items()}


ACTUATOR = (
    "type gaintype biastype dyntype gainprm biasprm dynprm ctrlspec ctrllimited forcelimited actlimited forcerange "
    "ctrlrange actrange velrange ffrange inheritrange actdim actearly damping armature nsample interp delay"
).split()
SETTERS = [
    ("motor", {}), ("position", dict(kp=2, kv=3)), ("position", dict(kp=2, dampratio=1, timeconst=0.5)),
    ("intvelocity", dict(kp=2)), ("velocity", dict(kv=2)), ("damper", dict(kv=2)),
    ("cylinder", dict(timeconst=1, bias=2, area=3)), ("muscle", dict(timeconst=[0.02, 0.05], tausmooth=0.1, force=5.0)),
    ("adhesion", dict(gain=2)), ("pid", dict(kp=2)), ("pid", dict(kp=2, kv=3, ki=0.5, imax=1.5, slewmax=4)),
    ("pid", dict(kp=2, dampratio=1, inheritrange=0.5, ctrlspec=3)), ("pid", dict(kp=-1)), ("pid", dict(kp=1, imax=3)),
    ("pid", dict(kp=1, kv=1, dampratio=1)), ("pid", dict(kp=1, ki=3, slewmax=0)),
    ("orientation", dict(kp=2, dampratio=1)), ("orientation", dict(kp=2, kv=1, ctrlspec=2)),
    ("orientation", dict(kp=2, kv=1, dampratio=1)), ("dcmotor", dict(motorconst=[0.05, 0.05], resistance=2)),
    ("dcmotor", dict(motorconst=[0, 0], resistance=0.0)), ("dcmotor", dict(motorconst=[1], resistance=1)),
    ("dcmotor", dict(motorconst=[0.05, 0.06], resistance=0.0, nominal=[1, 2, 3], saturation=[1, 2, 3],
                     inductance=[0.1, 0.2], cogging=[1, 2, 3], controller=[1, 2, 3, 4, 5, 6],
                     thermal=[1, 0, 2, 3, 4, 5], lugre=[1, 2, 3, 4, 5], ctrlspec=2)),
]  # fmt: skip


def actuators():
    """Those of a file, and those that are set to a kind."""
    spec = load()
    found = [{n: shown(getattr(a, n)) for n in ACTUATOR} for a in spec.actuators]
    model = spec.compile()
    for kind, given in SETTERS:
        actuator = spec.add_actuator(target="j", trntype=mujoco.mjtTrn.mjTRN_JOINT)
        result = attempt(lambda a=actuator, k=kind, g=given: getattr(a, "set_to_" + k)(**g))
        found.append(result or {n: shown(getattr(actuator, n)) for n in ACTUATOR})
    return found, {n: getattr(model, "actuator_" + n) for n in ("ctrlspec", "gainprm", "biasprm", "dynprm")}  # fmt: skip


def driven():
    """Models of actuators that are set to a kind."""
    found = []
    for kind, given in SETTERS:
        spec = mujoco.MjSpec()
        body = spec.worldbody.add_body()
        body.add_geom(size=[0.1])
        body.add_joint(name="j", range=[-90, 90])
        actuator = spec.add_actuator(target="j", trntype=mujoco.mjtTrn.mjTRN_JOINT)
        if attempt(lambda a=actuator, k=kind, g=given: getattr(a, "set_to_" + k)(**g)):
            continue
        model = attempt(spec.compile)
        if isinstance(model, str):
            found.append((kind, model))
            continue
        fields = "gainprm biasprm dynprm ctrlspec ctrlnum actnum ctrlrange forcerange".split()
        found.append((kind, {n: getattr(model, "actuator_" + n) for n in fields}))
    return found


def paths():
    """The points of tendons."""
    spec = load()
    spec.compile()  # which tells what a geom is
    out = []
    for name in ("sum", "path"):
        for point in spec.tendon(name).path:
            target, side = point.target, point.sidesite
            row = (int(point.type), point.coef, point.divisor, target and target.name)
            out.append((*row, side and side.name))
    tendon = spec.add_tendon(name="new")
    added = [tendon.wrap_site("s"), tendon.wrap_pulley(3.0), tendon.wrap_geom("nothing", "s")]
    out.append([added[i] == tendon.path[i] for i in range(3)])
    out += [(w.coef, w.divisor, w.target is None) for w in added]
    path = tendon.path
    return [*out, len(path), attempt(lambda: path[3]), attempt(lambda: path[-1])]


def sensors():
    spec = load()
    model = spec.compile()
    names = "type objtype objname reftype refname intprm nsample interp delay interval".split()
    found = [({n: shown(getattr(s, n)) for n in names}, s.get_data_size()) for s in spec.sensors]
    found.append(model.sensor_dim)
    for bits in (6, 64, 0):
        spec.sensor("one").intprm[0] = bits
        found.append(attempt(lambda: spec.compile().sensor_dim))
    return found


def deletions():
    """What is left when something is deleted, and what is known of it then."""
    found = []
    kinds = "bodies joints geoms sites frames tendons actuators sensors materials textures".split()
    for kind, name in (
        ("joint", "j"), ("site", "s"), ("material", "m"), ("actuator", "a"), ("body", "b"), ("frame", "f"), ("tendon", "sum"),
    ):  # fmt: skip
        spec = load()
        element = getattr(spec, kind)(name)
        spec.delete(element)
        left = {k: [e.name for e in getattr(spec, k)] for k in kinds}
        found.append((kind, left, element.id, None if kind == "frame" else element.name))
    spec = load()
    body, joint = spec.body("d"), spec.joint("k")
    spec.delete(spec.tendon("sum"))
    spec.delete(body)
    data = mujoco.MjData(spec.compile())
    found += [body.parent is None, attempt(lambda: data.bind(joint)), attempt(lambda: data.bind(body))]  # fmt: skip
    found.append(attempt(lambda: mujoco.MjSpec().delete(spec.body("b"))))
    found.append(attempt(lambda: spec.delete(spec.default)))
    child, parent = mujoco.MjSpec(), mujoco.MjSpec()
    geom = child.worldbody.add_body(name="x").add_geom(name="y")
    parent.attach(child, frame=parent.worldbody.add_frame(), prefix="p-")
    return [*found, attempt(lambda: child.delete(geom))]


def values():
    """What members take, and what adders take."""
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="b")
    geom, joint, texture = body.add_geom(name="g"), body.add_joint(), spec.add_texture()
    material, camera, frame = spec.add_material(), body.add_camera(), body.add_frame()
    given = [
        (joint, "limited", [1, True, mujoco.mjtLimited.mjLIMITED_AUTO, 1.0, "true", None]),
        (joint, "actgravcomp", [1, True, 0, 2, "a"]),
        (joint, "stiffness", [1.0, [1], [1, 2, 3], [1, 2, 3, 4], "a"]),
        (geom, "type", [6, mujoco.mjtGeom.mjGEOM_BOX, 1.5]),
        (geom, "size", [[1], 2, [1, 2, 3]]),
        (texture, "data", [b"abc", bytearray(b"x"), [1, 2], "abc"]),
        (texture, "gridlayout", ["." * 12, "....", ["."], "." * 13]),
        (texture, "builtin", [1, mujoco.mjtBuiltin.mjBUILTIN_FLAT, "flat"]),
        (material, "textures", [["a"], ["a"] + [""] * 9]),
        (camera, "resolution", [[3, 4], [3, 4, 5]]),
        (spec.compiler, "eulerseq", ["zyx", "xyzw", ["x", "y"]]),
        (frame, "scale", [2, [1, 2, 3], [1, 2], "a"]),
        (frame, "scaling", [1, mujoco.mjtScaling.mjSCALING_GEOMETRY]),
        (body, "sleep", [3, mujoco.mjtSleepPolicy.mjSLEEP_INIT]),
        (body, "simple", [0, 1]),
        (body, "mocap", [True, 0]),
    ]
    found = []
    for element, name, tried in given:
        for value in tried:
            result = attempt(lambda e=element, n=name, v=value: setattr(e, n, v))
            found.append((name, str(value), result or shown(getattr(element, name))))
    adders = [
        lambda: body.add_geom(size=[1]).size.tolist(), lambda: body.add_geom(size=[]), lambda: body.add_geom(size=2).size.tolist(),
        lambda: body.add_site(size=[0.2]).size.tolist(), lambda: body.add_joint(stiffness=2).stiffness.tolist(),
        lambda: body.add_joint(damping=[1, 2, 3, 4]), lambda: spec.add_tendon(damping=[1, 2]).damping.tolist(),
        lambda: spec.add_texture(gridlayout=".U.."), lambda: spec.add_texture(gridlayout=[".."] + ["."] * 11),
        lambda: body.add_geom(nonsense=1), lambda: body.add_geom(name="g"), lambda: body.add_geom(pos=[1]),
    ]  # fmt: skip
    return found, [attempt(add) for add in adders]


def frames():
    """What is added inside frames."""
    spec = mujoco.MjSpec()
    body = spec.worldbody.add_body(name="b")
    frame = body.add_frame(name="f", pos=[1, 2, 3], euler=[0, 0, 90])
    inner = frame.add_frame(name="inner", pos=[0, 1, 0])
    made = [getattr(inner, "add_" + kind)(name=kind) for kind in "joint site camera light".split()]
    made += [inner.add_geom(name="geom", size=[1]), frame.add_body(name="child", pos=[1, 0, 0])]
    made[-1].add_geom(size=[1])
    found = [(e.name, e.frame.name, e.parent.name) for e in made]
    model = spec.compile()
    for element in (*made[1:2], *made[4:5]):
        found.append(model.bind(element).pos)
    return found, model.body_pos, [e.name for e in spec.frames], [e.name for e in body.frames]


def compilers():
    """Settings of the compiler by element, and lists of what is bound."""
    child, parent = mujoco.MjSpec(), mujoco.MjSpec()
    child.meshdir, parent.meshdir = "child", "parent"
    body = child.worldbody.add_body(name="x")
    geom = body.add_geom(name="y", size=[1])
    own = parent.worldbody.add_geom(name="z", size=[2])
    parent.worldbody.add_frame().attach_body(body, prefix="p-")
    model = parent.compile()
    bound = model.bind([own, geom])
    return [
        geom.compiler.meshdir, own.compiler.meshdir, parent.compiler.meshdir, bound.id, bound.name,
        type(bound.size).__name__, np.array(bound.size),
    ]  # fmt: skip


def prefixes():
    """Names of what is attached in each way, and how many warnings a compilation gives then."""
    found = []
    for prefix, suffix in itertools.product((None, "", "a-"), (None, "", "-z")):
        for way in ("site", "frame", "attach_body", "attach_frame"):
            parent, child = mujoco.MjSpec(), mujoco.MjSpec()
            body, frame = child.worldbody.add_body(name="b"), child.worldbody.add_frame(name="f")
            body.add_geom(name="g", size=[0.1])
            frame.add_body(name="c").add_geom(size=[0.1])
            to = parent.worldbody.add_frame(name="x")
            site = parent.worldbody.add_site(name="y")
            if way == "attach_body":
                to.attach_body(body, prefix, suffix)
            elif way == "attach_frame":
                parent.worldbody.attach_frame(frame, prefix, suffix)
            else:
                where = {"site": site} if way == "site" else {"frame": to}
                parent.attach(child, prefix=prefix, suffix=suffix, **where)
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                parent.compile()
            found.append((prefix, suffix, way, [b.name for b in parent.bodies], len(told)))
    return found


SETTINGS = """
<mujoco>
  <option timestep="0.01" wind="1 0 0" sdf_iterations="3" actuatorgroupdisable="1 4"><flag constraint="disable" energy="enable"/></option>
  <option solver="CG"><flag contact="enable" multiccd="disable"/></option>
  <compiler boundmass="1" angle="radian" meshdir="a"/>
  <visual><global fovy="60"/><quality shadowsize="1024"/><map haze=".1"/><rgba bv="0 0 0 1" fog="1 1 1 1"/></visual>
</mujoco>
"""


def authored():
    """Which settings a file gives."""
    found = []
    for spec in (mujoco.MjSpec(), mujoco.MjSpec.from_string(SETTINGS)):
        names = [n for n in dir(type(spec.authored)) if not n.startswith("_") and n != "copy"]
        found.append({n: getattr(spec.authored, n) for n in names})
        found.append(spec.compiler.authored)
    spec.option.timestep, spec.authored.option = 3, 7
    return [*found, spec.authored.option]


def skins():
    """A model with a skin of a file, attached with other names and written: bones go along."""
    path = pathlib.Path(util.find_spec("dm_control").origin).parent / "suite/dog.xml"
    parent, child = mujoco.MjSpec(), mujoco.MjSpec.from_file(str(path))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parent.attach(child, prefix="a-", suffix="-z", frame=parent.worldbody.add_frame())
        model = parent.compile()
    names = [n for n in dir(model) if n.startswith("skin_") and not n.endswith("pathadr")]
    bones = [model.body(i).name for i in model.skin_bonebodyid.tolist()]
    return {n: getattr(model, n) for n in names}, bones


CLOTH = """
<mujoco>
  <asset><material name="m"/><material name="n"/></asset>
  <worldbody><body name="top"><body name="a"/><body name="b"/><body name="ab"/></body><body name="c"/></worldbody>
  <deformable>
    <flex name="f" body="a b ab world" vertex="0 0 0 1 0 0 0 1 0 1 1 0" element="0 1 2 1 3 2" material="m n" group="3" flatskin="true" texcoord="0 0 1 0 0 1 .5 1">
      <contact selfcollide="none" friction=".5" solref=".01"/><edge damping="2"/>
      <elasticity young="3" poisson=".1" damping=".2" thickness=".01" elastic2d="both"/>
    </flex>
    <flex name="g" body="a b c" element="0 1 2" dim="2" radius=".1"/>
  </deformable>
  <equality><flex name="e" flex="f"/><flex name="h" flex="g"/></equality>
</mujoco>
"""


def cloths(spec):
    """Flexes of a spec and what refers to them."""
    lists = [(f.name, list(f.vertbody), list(f.material), list(f.elem)) for f in spec.flexes]
    return lists, [(e.name, e.name1, e.type.name) for e in spec.equalities]


def flexes():
    """Flexes read, made, changed, attached and deleted, without a model."""
    spec = mujoco.MjSpec.from_string(CLOTH)
    found = [members(e) for e in (spec.flex("f"), spec.flex("g"), spec.equality("e"))]
    for element in found:
        del element["info"]  # the line of the file, at the peer
    found.append(cloths(spec))
    made = spec.add_flex(
        name="made", vertbody=["a", "b", "c"], elem=[0, 1, 2], friction=[1, 2, 3], material=["m"], selfcollide=1,
        edgedamping=3, young=2, vert=range(9), texcoord=[0.5] * 6, elemtexcoord=[0, 1, 2], rgba=[1, 0, 0, 1],
    )  # fmt: skip
    made.vertbody[2], made.elem[0], made.passive, made.flatskin = "ab", 2, 0, True
    copy = spec.copy()
    copy.flex("made").radius = 0.3
    found += [
        members(made),
        members(copy.flex("made")),
        spec.flex("made").radius,
        spec.flex("none"),
    ]
    found += [
        attempt(lambda name=name: setattr(made, name, 1.5)) is None
        for name in ("vertbody", "elem", "vert", "material", "dim")
    ]
    for name in ("top", "c", "ab"):
        other = mujoco.MjSpec.from_string(CLOTH)
        other.delete(other.body(name))
        found.append(cloths(other))
    for name in ("f", "g"):
        other = mujoco.MjSpec.from_string(CLOTH)
        flex = other.flex(name)
        other.delete(flex)
        found += [cloths(other), flex.name, flex.id]
    whole, part = mujoco.MjSpec(), mujoco.MjSpec()
    whole.attach(
        mujoco.MjSpec.from_string(CLOTH),
        frame=whole.worldbody.add_frame(),
        prefix="p-",
        suffix="-s",
    )
    child = mujoco.MjSpec.from_string(CLOTH)
    part.worldbody.add_frame().attach_body(child.body("top"), "p-", "-s")
    again = attempt(lambda: spec.add_flex(name="f"))
    return [*found, cloths(whole), cloths(part), again]


MADE = [
    dict(count=[3, 3, 3]),
    dict(dim=2, count=[3, 4, 1], spacing=[0.1, 0.2, 0.1], radius=0.01, mass=2, inertiabox=0.1, equality=1),
    dict(type="grid", dim=1, count=[4, 1, 1], pos=[1, 2, 3], quat=[0.6, 0, 0, 0.8], equality=1),
    dict(dim=2, count=[3, 3, 1], elastic2d=3, dof="2d"),
    dict(count=[3, 3, 3], rigid=1, flatskin=1),
    dict(type="box", dim=2, count=[3, 4, 5], equality=1),
    dict(type="cylinder", dim=3, count=[4, 4, 4], dof="radial"),
    dict(type="ellipsoid", dim=2, count=[4, 4, 4], scale=[2, 3, 4]),
    dict(type="disc", dim=2, count=[4, 4, 1]), dict(type="square", dim=2, count=[4, 5, 1]),
    dict(type="circle", dim=1, count=[6, 1, 1], equality=1), dict(mesh="tets"),
    dict(mesh="none"), dict(mesh="tets", file="a.obj"), dict(count=[3, 3]), dict(equality=2), dict(type="mesh"),
    dict(count=[0, 1, 1]), dict(mesh="tets", type="grid", dim=2), dict(type="mesh", file="none.obj"),
]  # fmt: skip


def made_flexes():
    """Flexes that bodies make, with what else came, compiled and written where they hold together."""
    found = []
    for given in MADE:
        spec = mujoco.MjSpec()
        mesh = spec.add_mesh(name="tets", uservert=[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1])
        mesh.usernode, mesh.usertet = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], [0, 1, 2, 3]
        body = spec.worldbody.add_body(name="b")
        spec.worldbody.add_geom()  # not finished yet
        flex = attempt(lambda body=body, given=given: body.make_flex(name="f", **given))
        if isinstance(flex, str):
            found.append((flex, len(spec.bodies), len(spec.flexes)))
            continue
        kept = "dim radius flatskin elastic2d vertbody elem texcoord material name vert".split()
        flex.edgedamping = 0 if given.get("rigid") else 1
        flex.young, flex.thickness = (1, 0.1) if flex.elastic2d else (0, -1)
        spec.geoms[-1].size = [1, 1, 1]
        model = spec.compile()
        names = "body_pos body_mass body_inertia jnt_axis flex_elem flex_edge flex_vertbodyid eq_type eq_obj1id"
        found.append(
            (
                {n: shown(getattr(flex, n)) for n in kept},
                cloths(spec)[1],
                [b.name for b in spec.bodies],
            )
        )
        found.append({n: np.round(getattr(model, n), 12) + 0.0 for n in names.split()})
    flex = mujoco.MjSpec().add_flex(material=["one"])
    flex.material = "name"
    return [*found, list(flex.material)]


SCENE = """
<mujoco>
  <asset>
    <mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><mesh name="m2" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
    <material name="mt"/><material name="mt2"/>
  </asset>
  <worldbody>
    <geom name="seen" size=".1" contype="0" conaffinity="0" material="mt"/><geom name="hit" type="mesh" mesh="m2"/>
    <body name="still" pos="1 0 0"><geom name="s" size=".1" pos="0 1 0"/>
      <body name="b" pos="0 0 1">
        <joint name="j" range="-90 90"/><geom name="bv" size=".1" contype="0" conaffinity="0" mass="1"/><geom name="bw" size=".2"/>
      </body>
    </body>
    <frame pos="1 2 3" euler="0 0 90"><body name="f" pos="0 1 0"><freejoint/><geom name="fg" type="mesh" mesh="m" material="mt2"/></body></frame>
  </worldbody>
</mujoco>
"""


def operations():
    """Operations on whole specs: what they return, leave and refuse."""
    found = []

    def left(spec):
        kinds = "bodies geoms frames meshes materials".split()
        names = [[e.name for e in getattr(spec, kind)] for kind in kinds]
        model = spec.compile()
        numbers = [
            model.body_mass,
            model.body_ipos,
            model.body_inertia,
            model.body_pos,
            model.geom_pos,
        ]
        return names, numbers

    for name in ("fuse_static", "discard_visual", "dedup_assets"):
        spec = mujoco.MjSpec.from_string(SCENE)
        found += [getattr(spec, name)(), left(spec)]
    spec = mujoco.MjSpec.from_string(SCENE)
    body = spec.body("b")
    spec.adopt_inertial(body)
    found += [body.mass, body.ipos, body.inertia, body.explicitinertial]
    found += [
        attempt(lambda: spec.adopt_inertial(spec.worldbody)),
        attempt(lambda: spec.adopt_inertial(3)),
    ]
    parent, child = mujoco.MjSpec(), mujoco.MjSpec()
    child.worldbody.add_body(name="x").add_geom(size=[0.1])
    parent.attach(child, frame=parent.worldbody.add_frame(), prefix="p-")
    for name in ("fuse_static", "discard_visual", "dedup_assets"):
        found.append(attempt(getattr(child, name)))
    return found


def copies_back():
    """Changes of a model in its spec, and what is refused."""
    spec = mujoco.MjSpec.from_string(SCENE)
    model = spec.compile()
    model.body("f").pos[:] = [5, 6, 7]
    model.geom("bw").size[0] = 0.3
    model.geom("fg").pos[:] += [0, 0, 1]
    model.joint("j").range[:] = [-0.5, 0.25]
    model.dof_damping[model.joint("j").dofadr[0]] = 3
    model.opt.timestep = 0.01
    model.vis.map.znear = 0.02
    model.body("b").mass[0] = 9
    spec.copy_back(model)
    again = spec.compile()
    body, joint = spec.body("f"), spec.joint("j")
    found = [body.pos, joint.range, joint.damping, spec.option.timestep, spec.visual.map.znear]
    found += [
        again.body_pos,
        again.body_mass,
        again.geom_size[:, 0],
        again.geom_pos,
        again.jnt_range,
    ]
    other = mujoco.MjSpec.from_string(MODEL, assets=FILES).compile()
    found += [
        attempt(lambda: spec.copy_back(other)),
        attempt(lambda: mujoco.MjSpec().copy_back(model)),
    ]
    spec.worldbody.add_body(name="more").add_geom(size=[0.1])
    found.append(attempt(lambda: spec.copy_back(again)))
    spec.compiler.inertiafromgeom = 1
    model = spec.compile()
    model.body_mass[2] = 5
    return [*found, attempt(lambda: spec.copy_back(model))]


KEYED = """
<mujoco><worldbody><body name="r"><joint name="a" ref="30" damping="1"/><geom size="1"/>
  <body name="s"><joint type="ball"/><geom size="1"/><body name="t"><joint ref="40"/><geom size="1"/></body></body>
</body><body name="m" mocap="true" pos="1 2 3"/><body name="n" mocap="true" pos="4 5 6" quat="0 1 0 0"/></worldbody>
<actuator><position joint="a"/><motor joint="a"/></actuator>
<keyframe><key name="k" %s/></keyframe></mujoco>
"""


def short_keys():
    """Lists of keyframes that are too short, as they are attached, and as elements are deleted."""
    lists = [
        "qpos='1'",
        "qpos='1 0 1'",
        "qpos='1 0 0 1 0'",
        "qvel='1 2'",
        "qvel='1 2 3 4'",
        "ctrl='2'",
    ]
    lists += [
        "mpos='7'",
        "mpos='7 8 9'",
        "mpos='7 8 9 1'",
        "mquat='0 0 1 0'",
        "mquat='0 0 1 0 0 0'",
    ]
    found = []
    for text in lists:
        for way in ("attached", "deleted"):
            spec = mujoco.MjSpec.from_string(KEYED % text)
            if way == "attached":
                parent = mujoco.MjSpec()
                parent.worldbody.add_body().add_freejoint()
                parent.bodies[1].add_geom(size=[1, 1, 1])
                parent.attach(spec, frame=parent.worldbody.add_frame(), prefix="p-")
                spec = parent
            else:
                spec.compile()
                spec.delete(spec.body("t"))
            model = spec.compile()
            found.append(
                [model.key_qpos, model.key_qvel, model.key_ctrl, model.key_mpos, model.key_mquat]
            )
    return found


def assets():
    """Names of assets of files, and those of a program."""
    spec = load()
    made = spec.add_mesh(file="other.obj")
    return [m.name for m in spec.meshes], made.name, spec.mesh("other"), spec.mesh("part").file


FIELDS = """<mujoco>
  <asset>
    <mesh name="skin" builtin="plate" params="3 3" scale=".1 .1 .1"/><mesh name="m" builtin="sphere" params="0" scale=".1 .1 .1"/>
    <mesh name="seen" builtin="sphere" params="0" scale=".1 .1 .1"/><mesh name="idle" builtin="sphere" params="0" scale=".1 .1 .1"/>
  </asset>
  <worldbody>
    <geom type="mesh" mesh="seen" contype="0" conaffinity="0"/>
    <body><freejoint/><geom size=".1"/><geom name="s" type="mesh" mesh="skin" contype="0" conaffinity="0"/></body>
    <body><freejoint/><geom type="%s" mesh="m"/></body>
  </worldbody>
  <sensor><tactile geom="s" mesh="skin"/></sensor>
</mujoco>"""


def needed_fields():
    """Which meshes have a field by themselves and which because a program asks for it, and what becomes of that."""
    found = []
    for kind in ("mesh", "sdf"):
        for asked in ([], ["m"], ["idle"], ["seen", "m"]):
            spec = mujoco.MjSpec.from_string(FIELDS % kind)
            for name in asked:
                spec.mesh(name).needsdf = True
            found.append((spec.compile().mesh_octnum > 0).tolist())
    spec = mujoco.MjSpec.from_string(FIELDS % "mesh")
    spec.mesh("m").needsdf, spec.mesh("idle").needsdf = 1, 1
    spec.mesh("idle").name = "other"
    copied = spec.copy()
    copied.mesh("other").needsdf = False
    parent = mujoco.MjSpec()
    parent.attach(spec, frame=parent.worldbody.add_frame(), prefix="p-", suffix="-q")
    parent.delete(parent.mesh("p-other-q"))
    made = parent.add_mesh(name="made", needsdf=True)
    made.make_sphere(0)
    for each in (copied, parent):
        meshes = {mesh.name: mesh.needsdf for mesh in each.meshes}
        found += [meshes, (each.compile().mesh_octnum > 0).tolist()]
    return found


def models():
    """Fields of the models of programs that build robots and scenes."""
    found = {}
    for name, program in PROGRAMS.items():
        model = program(mujoco).compile()
        names = [n for n in dir(model) if not n.startswith("_")]
        values = {n: attempt(lambda m=model, n=n: getattr(m, n)) for n in names}
        kinds = (np.ndarray, int, bool, bytes)
        found[name] = {n: np.array(v) for n, v in values.items() if isinstance(v, kinds)}
    return found


def main(result):
    parts = (
        models,
        made,
        actuators,
        driven,
        paths,
        sensors,
        deletions,
        values,
        frames,
        compilers,
        prefixes,
        authored,
        skins,
        flexes,
        made_flexes,
        operations,
        copies_back,
        short_keys,
        assets,
        needed_fields,
    )
    with open(result, "wb") as file:
        pickle.dump({part.__name__: part() for part in parts}, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
