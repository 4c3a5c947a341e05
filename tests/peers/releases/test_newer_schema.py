"""NEWER_NAMES: every element and attribute that the newest release has and 3.3.7 has not: read, or refused in words."""

import re
import warnings

import mujoco
import pytest

import newest
import printed_schema
import sinew

BODY = '<worldbody><body name="b"><freejoint/><geom size=".1"/></body>{}</worldbody>'
JOINT = (
    '<worldbody><geom name="g" size=".1" pos="1 1 1"/><site name="s"/><camera name="c" resolution="2 2"/><body name="b">'
    '<joint name="j" range="-1 1" limited="true"/><geom name="h" size=".1"/><site name="t"/></body><body name="d">'
    '<joint name="ball" type="ball"/><geom size=".1"/></body></worldbody><tendon><fixed name="f" limited="true" range="0 1">'
    '<joint joint="j" coef="1"/></fixed></tendon><actuator><motor name="a" joint="j"/></actuator>{}'
)
DEFAULT = "<default>{}</default>"

# Where an element of the schema stands, with ATTRIBUTE where one more is written; `#`: an element's own tag.
ACTUATORS = {
    "general": "joint='j'",
    "motor": "joint='j'",
    "position": "joint='j'",
    "velocity": "joint='j'",
    "intvelocity": "joint='j' actrange='-1 1'",
    "damper": "joint='j' ctrlrange='0 1'",
    "cylinder": "joint='j'",
    "muscle": "joint='j'",
    "adhesion": "body='b' ctrlrange='0 1'",
    "plugin": "joint='j' plugin='p'",
}
SENSORS = {
    "touch accelerometer velocimeter gyro force torque magnetometer rangefinder": "site='t'",
    "camprojection": "site='t' camera='c'",
    "jointpos jointvel jointactuatorfrc jointlimitpos jointlimitvel jointlimitfrc": "joint='j'",
    "tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc": "tendon='f'",
    "actuatorpos actuatorvel actuatorfrc": "actuator='a'",
    "ballquat ballangvel": "joint='ball'",
    "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel framelinacc frameangacc": "objtype='body' objname='b'",
    "subtreecom subtreelinvel subtreeangmom": "body='b'",
    "insidesite": "site='s' objtype='body' objname='b'",
    "distance normal fromto": "geom1='g' geom2='h' cutoff='1'",
    "contact": "geom1='g'",
    "e_potential e_kinetic clock": "",
    "tactile": "geom='g' mesh='m'",
}  # fmt: skip
PLACES = {
    "compiler": "<compiler ATTRIBUTE/>",
    "option": "<option ATTRIBUTE/>",
    "option/flag": "<option><flag ATTRIBUTE/></option>",
    "asset/texture": '<asset><texture name="t" builtin="flat" width="2" height="2" type="2d" ATTRIBUTE/></asset>',
    "(world)body": '<worldbody><body ATTRIBUTE><freejoint/><geom size=".1"/></body></worldbody>',
    "(world)body/joint": '<worldbody><body><joint stiffness="1" ATTRIBUTE/><geom size=".1"/></body></worldbody>',
    "(world)body/geom": BODY.format('<geom size=".1" ATTRIBUTE/>'),
    "(world)body/attach": "",
    "(world)body/site": '<asset><mesh name="m" builtin="sphere" params="1"/></asset>' + BODY.format("<site ATTRIBUTE/>"),
    "(world)body/camera": BODY.format("<camera ATTRIBUTE/>"),
    "(world)body/light": BODY.format("<light ATTRIBUTE/>"),
    "(world)body/flexcomp": BODY.format('<flexcomp name="x" type="grid" count="2 2 2" dim="3" ATTRIBUTE/>'),
    "(world)body/flexcomp mesh": '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 1 2 3 0 3 2"/></asset>'
    + BODY.format('<flexcomp name="x" ATTRIBUTE><edge equality="true"/></flexcomp>'),
    "(world)body/flexcomp/elasticity": BODY.format(
        '<flexcomp name="x" type="grid" count="2 2 2" dim="3"><elasticity young="1" ATTRIBUTE/></flexcomp>'
    ),
    "deformable/flex": '<deformable><flex name="x" ATTRIBUTE/></deformable>',
    "deformable/flex/elasticity": '<deformable><flex name="x"><elasticity young="1" ATTRIBUTE/></flex></deformable>',
    "contact/pair": JOINT.format('<contact><pair geom1="g" geom2="h" ATTRIBUTE/></contact>'),
    "tendon/spatial": JOINT.format('<tendon><spatial ATTRIBUTE stiffness="1"><site site="s"/><site site="t"/></spatial></tendon>'),
    "tendon/fixed": JOINT.format('<tendon><fixed ATTRIBUTE stiffness="1"><joint joint="j" coef="1"/></fixed></tendon>'),
    "sensor/rangefinder camera": JOINT.format("<sensor><rangefinder ATTRIBUTE/></sensor>"),
    "equality/flexstrain": '<equality><flexstrain ATTRIBUTE/></equality>',
    "keyframe/key": BODY.format("") + "<keyframe><key ATTRIBUTE/></keyframe>",
    "default/material/layer": '<default><material><layer role="rgb" texture="t"/></material></default>',
}  # fmt: skip
for tag, needed in ACTUATORS.items():
    PLACES[f"actuator/{tag}"] = JOINT.format(f"<actuator><{tag} {needed} ATTRIBUTE/></actuator>")
for tags, needed in SENSORS.items():
    for tag in tags.split():
        PLACES[f"sensor/{tag}"] = JOINT.format(f"<sensor><{tag} {needed} ATTRIBUTE/></sensor>")
PLACES["sensor/tactile"] += '<asset><mesh name="m" builtin="plate" params="2 2"/></asset>'

# Elements that are new as a whole, so that every attribute stands in one of them: {}: what a default class has not.
WHOLE = {
    "pid": (
        "{name='p' joint='j'} kp='10' ki='1' kv='2' imax='1' slewmax='3' input='pos vel ff' posrange='-1 1' velrange='-2 2' ffrange='-3 3' "
        "forcelimited='true' forcerange='-5 5' gear='2' group='1' user='1' armature='.1' damping='.1' delay='.01' nsample='10' "
        "interp='linear' {class='main'}",
        "{jointinparent='j' lengthrange='0 1'} kp='1' dampratio='1' ctrllimited='true' ctrlrange='-1 1'",
        "{joint='j'} inheritrange='1'",
        "{tendon='f'} input='pos'",
        "{site='s' refsite='t'} gear='1 0 0 0 0 0'",
        "{cranksite='s' slidersite='t'} cranklength='1'",
    ),
    "orientation": (
        "{name='o' joint='ball'} kp='10' kv='1' ctrlrange='-1 1' input='expmap' forcelimited='true' forcerange='0 2' group='1' user='1' "
        "delay='.01' nsample='10' interp='zoh' {class='main'}",
        "{site='s' refsite='t'} dampratio='1' input='quat'",
    ),
    "dcmotor": (
        "{name='m' joint='j'} motorconst='.05' resistance='2' inductance='.001' thermal='1 10 0 .004 25 25' saturation='3 10 100' "
        "cogging='.1 6 0' lugre='100 1 .1 .2 .01' controller='10 1 1 5 1 24' input='pos vel' ctrllimited='true' ctrlrange='-1 1' "
        "gear='2' group='1' user='1' armature='.001' damping='.01' delay='.01' nsample='10' interp='cubic' {class='main'}",
        "{jointinparent='j' lengthrange='0 1'} nominal='24 2 100'",
        "{tendon='f'} nominal='24 2 100'",
        "{site='s' refsite='t'} nominal='24 2 100'",
        "{cranksite='s' slidersite='t'} nominal='24 2 100' cranklength='1'",
    ),
}  # fmt: skip

# One of the words of an attribute; "PLACE ATTRIBUTE" before ATTRIBUTE alone. Others have a number.
WORDS = {
    "conflict": "merge", "passthrough": "none", "savecanonical": "true", "savecompiled": "true", "diagexact": "enable",
    "ipc": "enable", "sleep": "enable", "speculative": "enable", "(world)body sleep": "allowed", "simple": "auto",
    "fuse": "auto", "class": "main", "embed": "true", "castshadow": "false", "mesh": "m", "output": "depth",
    "projection": "orthographic", "interp": "linear", "(world)body/geom surfacevel": "1 0 0 0 0 0", "data": "dist",
    "enclosed": "true", "camera": "c", "plastic": "", "actuatorfrclimited": "true", "actuatorfrcrange": "-1 1", "inheritrange": "1", "input": "pos vel", "actuator/dcmotor input": "voltage",
    "actuator/orientation input": "quat", "actlimited": "true", "delay": ".1", "user": "1",
    "velrange": "-1 1", "ffrange": "-1 1", "posrange": "-1 1",
    "builtin": "flat", "colorspace": "sRGB", "gridlayout": "RL", "gridsize": "1 2", "hflip": "true", "vflip": "true", "mark": "edge",
    "markrgb": "1 0 0", "rgb1": "1 0 0", "rgb2": "1 0 0", "type": "2d",
}  # fmt: skip
TOGETHER = {  # what else an attribute needs
    "delay": "nsample='100'", "interp": "nsample='2'", "interval": "nsample='2'", "actlimited": "", "camera": "",
    "key": "", "gridlayout": "gridsize='1 2'", "actuator/general input": "gaintype='pid' biastype='affine' gainprm='0'", "actuator/general velrange": "gaintype='pid' biastype='affine' gainprm='0' input='pos vel'",
    "actuator/general ffrange": "gaintype='pid' biastype='affine' gainprm='0' input='pos ff'", "(world)body/site mesh": "type='mesh'",
    "actuator/general inheritrange": "biastype='affine' biasprm='0 -1' gainprm='1'",
}  # fmt: skip

FLEXES = r"flex(?!comp mesh)|option/flag ipc"
INTERFACE = r"intvelocity actlimited"  # read by 4.0.1, and of no effect there
LOOKS = re.compile(r"castshadow|camera (output|projection)|softness")
READ_BY_BOTH = re.compile(
    r"body/attach frame|sensor/contact user|default/tendon (actuatorfrc|armature)"
)
LATER = re.compile(f"{FLEXES}|{INTERFACE}|plugin".replace("(world)", r"\(world\)"))


def schema(text):
    """Attributes of every element by its path under <mujoco>."""
    return {p.partition("/")[2]: names for p, names in printed_schema.attributes(text).items()}


def newer_names():
    """(path, attribute) of all that the newest release has and 3.3.7 has not; attribute "": the element."""
    old, new = schema(mujoco.mj_printSchema(False, False)), schema(newest.schema())
    for path, attributes in new.items():
        if path not in old:
            yield path, ""
        yield from ((path, name) for name in attributes if name not in old.get(path, ()))


def written(path, attribute):
    """A model that has the attribute."""
    place = PLACES.get(f"{path} {attribute}", PLACES.get(path))
    if place is None:
        section, _, tag = path.partition("/")
        assert section == "default", f"no place for {path} {attribute}"
        place = f"<default><{tag} ATTRIBUTE/></default>"
    word = WORDS.get(f"{path} {attribute}", WORDS.get(attribute, "1"))
    beside = TOGETHER.get(f"{path} {attribute}", TOGETHER.get(attribute, ""))
    given = f"{attribute}='{word}' {beside}" if attribute else ""
    return f"<mujoco>{place.replace('ATTRIBUTE', given)}</mujoco>"


def whole(path):
    """Models that have all attributes of an element that is new."""
    section, _, tag = path.partition("/")
    for text in WHOLE[tag]:
        if section == "default":
            yield f"<mujoco><default><{tag} {re.sub('{.*?}', '', text)}/></default></mujoco>"
        else:
            yield f"<mujoco>{JOINT.format('<actuator><' + tag + ' ' + re.sub('[{}]', '', text) + '/></actuator>')}</mujoco>"


# Words of attributes that 3.3.7 has, too: what else the element needs, and what the words belong to if not read yet.
NEWER_WORDS = [
    ("<option integrator='discrete'/>", None),
    (JOINT.format("<actuator><general joint='j' dyntype='dcmotor' gaintype='dcmotor' biastype='dcmotor' gainprm='2 .1' actearly='true'/></actuator>"), None),
    (JOINT.format("<actuator><general joint='j' dyntype='pid' gaintype='pid' biastype='affine' gainprm='1' biasprm='0 -1 0'/></actuator>"), None),
    (JOINT.format("<actuator><general joint='ball' gaintype='so3' biastype='so3' gainprm='1' biasprm='0 -1 0'/></actuator>"), None),
    (JOINT.format("<sensor><contact geom1='g' data='linvel angvel'/></sensor>"), None),
    (JOINT.format("<sensor><rangefinder site='s' data='dist dir origin point normal depth'/></sensor>"), None),
    *((f"<asset><mesh name='m' builtin='{kind}'/></asset>", None) for kind in
      ("grid' params='2 2 2 .1 .1 .1", "box' params='2 2 2 .1 .1 .1", "cylinder' params='4 4 4 .1 .1 .1",
       "ellipsoid' params='4 4 4 .1 .1 .1", "square' params='2 2 1 .1 .1 .1", "disc' params='4 4 1 .1 .1 .1")),
    *((f"<visual><headlight active='{word}'/></visual>", None) for word in ("false", "true", "auto")),
    ("<worldbody><flexcomp name='x' type='grid' count='3 3 3' dim='3' dof='quadratic'/></worldbody>", "flexes"),
    ("<worldbody><flexcomp name='x' type='grid' count='3 3 1' dim='2' dof='2d'><edge equality='true'/></flexcomp></worldbody>", None),
    ("<worldbody><flexcomp name='x' type='grid' count='3 1 1' dim='1'><edge equality='strain'/></flexcomp></worldbody>", "flexes"),
]  # fmt: skip

NAMES = list(newer_names()) if newest.FOLDER.is_dir() else []
SINGLE = sorted({path for path, _ in NAMES if path.rsplit("/")[-1] not in WHOLE})


def test_the_difference_is_what_it_was():
    assert len(NAMES) > 350


def loads(text, physics, **arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return sinew.Model.from_xml(text, physics=physics, **arguments)


@pytest.mark.parametrize("path", SINGLE)
def test_every_newer_attribute_is_read_or_refused_in_words(path):
    for attribute in (name for where, name in NAMES if where == path):
        text, known = written(path, attribute), f"{path} {attribute}"
        later, looks = LATER.search(known), LOOKS.search(known)
        if later:
            with pytest.raises(ValueError, match="not supported yet|it must be declared"):
                loads(text, "4.0")
        else:
            newest.load(text)
            loads(text, "4.0", strict=True)
        if looks:
            with pytest.warns(UserWarning, match=attribute):
                sinew.Model.from_xml(text, physics="3.3.7")
        elif not READ_BY_BOTH.search(known):
            with pytest.raises(
                ValueError, match=rf"{attribute}|{path.split('/')[-1]}|not supported yet"
            ):
                loads(text, "3.3.7")


@pytest.mark.parametrize(
    "path", sorted({path for path, _ in NAMES if path.rsplit("/")[-1] in WHOLE})
)
def test_every_newer_element_is_read_with_all_its_attributes(path):
    texts = list(whole(path))
    for attribute in (name for where, name in NAMES if where == path and name):
        assert any(f" {attribute}='" in text for text in texts), attribute
    for text in texts:
        newest.load(text)
        loads(text, "4.0", strict=True)
        with pytest.raises(ValueError, match=path.split("/")[-1]):
            loads(text, "3.3.7")


@pytest.mark.parametrize(("body", "later"), NEWER_WORDS)
def test_every_newer_word_is_read_or_refused_in_words(body, later):
    text = f"<mujoco>{body}</mujoco>"
    if later:
        with pytest.raises(ValueError, match="not supported yet"):
            loads(text, "4.0")
    else:
        newest.load(text)
        loads(text, "4.0", strict=True)
    with pytest.raises(ValueError):
        loads(text, "3.3.7")
