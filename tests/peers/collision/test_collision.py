"""Contacts against the pinned peer: the same set in the same order, with the same parameters.

Geom poses come from the peer, so that only collision is compared. Contacts with a closed form agree to
rounding; 1e-8 leaves room for normals between nearly coincident points. The peer's search for ellipsoids
and cylinders stops early, so pairs of these are left to test_convex.py but for models that have them, where
`ccd_tolerance` is tightened and 1e-6 allowed.
"""

import mujoco
import numpy as np
import pytest

import bridge
from meetings import PARAMETERS
from models import everything

SIZES = {
    "plane": ("1 1 1", "1 1 1"),
    "sphere": (".3", ".2"),
    "capsule": (".2 .35", ".3 .25"),
    "ellipsoid": (".3 .2 .4", ".25 .45 .2"),
    "cylinder": (".25 .3", ".3 .2"),
    "box": (".3 .2 .4", ".2 .35 .25"),
}
PAIRS = [
    *(("plane", t) for t in ("sphere", "capsule", "ellipsoid", "cylinder", "box")),
    *(("sphere", t) for t in ("sphere", "capsule", "cylinder", "box")),
    ("capsule", "capsule"),
    ("capsule", "box"),
]
ALIGNED = np.array(
    [[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1], [0, 1, 0, 0], [1, 1, 1, 1]], float
)
SAID = (*PARAMETERS, "geom")
ROUND = {
    mujoco.mjtGeom.mjGEOM_ELLIPSOID,
    mujoco.mjtGeom.mjGEOM_CYLINDER,
    mujoco.mjtGeom.mjGEOM_MESH,
    mujoco.mjtGeom.mjGEOM_HFIELD,
}


class Scene:
    """A model on both sides; `collide` runs both at one pose."""

    def __init__(self, model):
        self.m, self.d = model, mujoco.MjData(model)
        self.our_m = bridge.copy_model(model, 1 << 22)
        self.our_d = bridge.make_data(self.our_m)

    @classmethod
    def text(cls, text):
        return cls(mujoco.MjModel.from_xml_string(text))

    def collide(self):
        mujoco.mj_kinematics(self.m, self.d)
        mujoco.mj_comPos(self.m, self.d)
        mujoco.mj_collision(self.m, self.d)
        self.our_d.geom_xpos = self.d.geom_xpos
        self.our_d.geom_xmat = self.d.geom_xmat
        bridge.call("collision", self.our_m, self.our_d)
        return self.d.contact, self.our_d.contact[:, 0]


def difference(theirs, ours, tolerance):
    """None, or which field of which contact differs."""
    if len(ours) != len(theirs.dist):
        return f"{len(theirs.dist)} contacts there, {len(ours)} here"
    for name in ("dist", "pos", "frame"):
        error = np.abs(getattr(theirs, name) - ours[name])
        if error.size and not error.max() <= tolerance:
            return f"{name}: {error.max()}"
    for name in SAID:
        error = np.abs(getattr(theirs, name) - ours[name])
        if error.size and not error.max() <= 1e-12:
            return f"{name}: {getattr(theirs, name)} there, {ours[name]} here"
    return None


class Sorted:
    """Contacts by place."""

    def __init__(self, contacts):
        names = ("dist", "pos", "frame", *SAID)
        if isinstance(contacts, np.ndarray):
            fields = {n: contacts[n] for n in names}
        else:
            fields = {n: np.asarray(getattr(contacts, n)) for n in names}
        key = np.round(np.column_stack([fields["pos"], fields["dist"]]), 6)
        order = np.lexsort(key.T)
        for n in names:
            setattr(self, n, fields[n][order])

    def __getitem__(self, name):
        return getattr(self, name)

    def __len__(self):
        return len(self.dist)


def orientation(rng, kind):
    """0: any; 1: aligned with the axes; 2: nearly so."""
    q = rng.normal(size=4) if kind == 0 else ALIGNED[rng.integers(len(ALIGNED))].copy()
    if kind == 2:
        q += rng.normal(size=4) * 1e-3
    return q / np.linalg.norm(q)


def pair_text(type1, type2, margin):
    free = "" if type1 == "plane" else "<freejoint/>"
    return f"""<mujoco><worldbody>
      <body euler="10 20 30">{free}<geom type="{type1}" size="{SIZES[type1][0]}" margin="{margin}"/></body>
      <body><freejoint/><geom type="{type2}" size="{SIZES[type2][1]}"/></body>
    </worldbody></mujoco>"""


@pytest.mark.parametrize("margin", [0, 0.01])
@pytest.mark.parametrize(("type1", "type2"), PAIRS)
def test_pair(type1, type2, margin):
    scene = Scene.text(pair_text(type1, type2, margin))
    rng = np.random.default_rng(0)
    touching = 0
    for k in range(200):
        for q in scene.d.qpos.reshape(-1, 7):
            q[:3] = rng.uniform(-0.5, 0.5, 3)
            q[3:] = orientation(rng, k % 3)
        theirs, ours = scene.collide()
        touching += len(ours) > 0
        assert difference(theirs, ours, 1e-8) is None, (k, scene.d.qpos)
    assert touching > 50


def test_capsule_beside_box():
    """A margin so wide that every second point shows. Exactly parallel ones end in ties: left out."""
    scene = Scene.text(pair_text("capsule", "box", 2))
    rng = np.random.default_rng(0)
    for k in range(1000):
        for q in scene.d.qpos.reshape(-1, 7):
            q[:3] = rng.uniform(-0.7, 0.7, 3)
            q[3:] = orientation(rng, (0, 2)[k % 2])
        theirs, ours = scene.collide()
        assert difference(theirs, ours, 1e-8) is None, (k, scene.d.qpos)


def test_capsule_through_box():
    """A capsule thinner and longer than the box: its axis passes through sides far from all edges."""
    text = pair_text("capsule", "box", 0).replace(SIZES["capsule"][0], ".05 .6")
    scene = Scene.text(text)
    rng = np.random.default_rng(0)
    touching = 0
    for k in range(600):
        for q in scene.d.qpos.reshape(-1, 7):
            q[:3] = rng.uniform(-0.3, 0.3, 3)
            q[3:] = orientation(rng, (0, 2)[k % 2])
        theirs, ours = scene.collide()
        touching += len(ours) > 0
        assert difference(theirs, ours, 1e-8) is None, (k, scene.d.qpos)
    assert touching > 100


@pytest.mark.parametrize("margin", [0, 0.01])
def test_boxes(margin):
    """Any orientation but exactly aligned: all of ours are the peer's, and it has no more, save once in 200."""
    scene = Scene.text(pair_text("box", "box", margin))
    rng = np.random.default_rng(0)
    more = touching = 0
    for k in range(600):
        for q in scene.d.qpos.reshape(-1, 7):
            q[:3] = rng.uniform(-0.5, 0.5, 3)
            q[3:] = orientation(rng, (0, 2)[k % 2])
        theirs, ours = Sorted(scene.collide()[0]), Sorted(scene.our_d.contact[:, 0])
        touching += len(ours) > 0
        if len(theirs) == len(ours):
            assert difference(theirs, ours, 1e-8) is None, (k, scene.d.qpos)
            continue
        more += 1
        assert len(theirs) > len(ours)
        gap = np.abs(theirs.pos[None] - ours.pos[:, None]).max(2)
        gap += np.abs(theirs.dist[None] - ours.dist[:, None])
        assert gap.min(1).max(initial=0) < 1e-8
    assert touching > 300
    assert more <= 3


def test_aligned_boxes():
    """Exactly aligned boxes: ours are among the peer's, and what the peer has besides is outside a box."""
    scene = Scene.text(pair_text("box", "box", 0.01))
    rng = np.random.default_rng(0)
    for _ in range(200):
        for q in scene.d.qpos.reshape(-1, 7):
            q[:3] = rng.uniform(-0.5, 0.5, 3)
            q[3:] = orientation(rng, 1)
        theirs, ours = scene.collide()
        assert (len(ours) > 0) == (len(theirs.dist) > 0)
        for c in ours:
            gap = np.abs(theirs.pos - c["pos"]).max(1) + np.abs(theirs.dist - c["dist"])
            assert gap.min() < 1e-8
        for pos in theirs.pos:
            if len(ours) and np.abs(ours["pos"] - pos).max(1).min() > 1e-8:
                local = [
                    np.abs(mat.reshape(3, 3).T @ (pos - centre)) - size
                    for mat, centre, size in zip(
                        scene.d.geom_xmat, scene.d.geom_xpos, scene.m.geom_size, strict=True
                    )
                ]
                # a corner of one box, outside the other by more than the margin
                assert max(a.max() for a in local) > 0.01


@pytest.mark.parametrize("path", everything(), ids=lambda p: p.stem)
def test_model(path):
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.ccd_tolerance = 1e-12
    model.opt.ccd_iterations = 500
    scene = Scene(model)
    assert not bridge.lib.sn_checkCollisions(scene.our_m.pointer, None)
    rounded = bool(set(model.geom_type) & {int(t) for t in ROUND})
    rng = np.random.default_rng(0)
    for k in range(12):
        mujoco.mj_resetData(model, scene.d)
        scene.d.qpos[:] += rng.normal(size=model.nq) * rng.choice([0.01, 0.2, 1])
        if k % 2 and model.nq > 3:
            scene.d.qpos[2] -= 0.5
        mujoco.mj_normalizeQuat(model, scene.d.qpos)
        theirs, ours = scene.collide()
        if not rounded:
            assert difference(theirs, ours, 1e-8) is None, k
            continue
        assert len(ours) == len(theirs.dist)
        assert np.array_equal(theirs.geom, ours["geom"])
        for i, pair in enumerate(ours["geom"]):
            convex = bool(set(model.geom_type[pair]) & {int(t) for t in ROUND}) and min(
                model.geom_type[pair]
            ) != int(mujoco.mjtGeom.mjGEOM_PLANE)
            assert abs(theirs.dist[i] - ours["dist"][i]) < (1e-6 if convex else 1e-8)
            if not convex:
                for name in ("pos", "frame"):
                    assert np.abs(getattr(theirs, name)[i] - ours[name][i]).max() < 1e-8, name


CROWD_TYPES = ["sphere", "capsule", "box"]


def crowd(rng, extra=""):
    """Many overlapping geoms of several types on few bodies, welded bodies and children among them."""
    count = 0

    def geom():
        nonlocal count
        p = rng.uniform(-0.3, 0.3, 3)
        kind = CROWD_TYPES[rng.integers(3)]
        count += 1
        return (
            f'<geom name="g{count - 1}" type="{kind}" size=".3 .2 .25" pos="{p[0]} {p[1]} {p[2]}" '
            f'contype="{rng.integers(1, 4)}" conaffinity="{rng.integers(1, 4)}" '
            f'euler="{rng.uniform(0, 90)} {rng.uniform(0, 90)} 0"/>'
        )

    text = f"<mujoco>{extra}<worldbody>" + "".join(geom() for _ in range(3))
    text += '<geom type="plane" size="1 1 1"/>'
    for b in range(3):
        text += f'<body name="b{b}"><freejoint/>' + "".join(geom() for _ in range(4))
        text += f'<body name="w{b}">{geom()}<body name="c{b}"><joint/>{geom()}{geom()}'
        text += f'<body name="d{b}"><joint/>{geom()}</body></body></body></body>'
    return (
        text
        + """</worldbody><contact>
      <pair geom1="g12" geom2="g4" margin=".2" gap=".1" friction="1 2 .1 .2 .3" solref=".03 1"/>
      <pair geom1="g3" geom2="g4" condim="6"/> <pair geom1="g5" geom2="g15"/> <pair geom1="g0" geom2="g1"/>
      <pair geom1="g19" geom2="g18" solreffriction=".05 .9"/>
      <exclude body1="b0" body2="b1"/> <exclude body1="c2" body2="w0"/>
    </contact></mujoco>"""
    )


def first_of_pair(geom):
    """Indices of contacts that begin a pair of geoms."""
    return [i for i in range(len(geom)) if i == 0 or not np.array_equal(geom[i], geom[i - 1])]


@pytest.mark.parametrize("flag", ["", "filterparent", "midphase", "contact", "constraint"])
def test_filters_and_order(flag):
    """Who may touch, in which order, with everything mixed."""
    extra = f'<option><flag {flag}="disable"/></option>' if flag else ""
    rng = np.random.default_rng(3)
    for _ in range(4):
        scene = Scene.text(crowd(rng, extra))
        theirs, ours = scene.collide()
        assert (len(ours) > 100) == (flag not in ("contact", "constraint"))
        # two boxes may differ in how many points they have; one contact of each pair, in order
        first = [first_of_pair(theirs.geom), first_of_pair(ours["geom"])]
        assert np.array_equal(theirs.geom[first[0]], ours["geom"][first[1]])
        for n in SAID:
            assert np.allclose(getattr(theirs, n)[first[0]], ours[n][first[1]], 0, 1e-12)
        boxes = [
            (scene.m.geom_type[g] == mujoco.mjtGeom.mjGEOM_BOX).all(1)
            for g in (theirs.geom, ours["geom"])
        ]
        assert np.abs(theirs.dist[~boxes[0]] - ours["dist"][~boxes[1]]).max(initial=0) < 1e-8
        assert np.abs(theirs.pos[~boxes[0]] - ours["pos"][~boxes[1]]).max(initial=0) < 1e-8


TWO = """<mujoco>{option}<worldbody><geom name="a" size=".5" {a}/>
  <body pos="{x} 0 0"><freejoint/><geom name="b" size=".5" {b}/></body></worldbody>{contact}</mujoco>"""
SOFT = 'condim="4" friction="2 .3 .01" solref=".01 .8" solimp=".8 .9 .01 .4 1"'
PAIR = (
    '<contact><pair geom1="b" geom2="a" condim="6" friction="1 2 3 4 5" margin=".2" gap=".1" '
    'solref=".03 1" solreffriction=".02 1" solimp=".8 .9 .01 .4 1"/></contact>'
)
OVERRIDE = (
    '<option o_margin=".3" o_solref=".05 .5" o_solimp=".7 .8 .02 .6 3" o_friction=".1 .2 .3 .4 .5">'
    '<flag override="enable"/></option>'
)


@pytest.mark.parametrize(
    "scene",
    [
        dict(a='margin=".1" gap=".02"', b='margin=".05" gap=".03"', x=1.05),
        dict(a='margin=".1" gap=".02"', b='margin=".05" gap=".03"', x=1.08),
        dict(a='margin=".125" gap=".0625"', x=1.125),
        dict(a='margin=".125" gap=".0625"', x=1.0625),
        dict(a='priority="1" condim="1" friction="2 .1 .01"', b='condim="6" friction="3 .2 .02"'),
        dict(a='priority="-1" condim="1" friction="2 .1 .01"', b='condim="6" friction="3 .2 .02"'),
        dict(a=f'solmix="2" {SOFT}', b='solmix="1" friction="3 .2 .02"'),
        dict(a=f'solmix="0" {SOFT}', b='solmix="1"'),
        dict(a=f'solmix="0" {SOFT}', b='solmix="0"'),
        dict(a=SOFT, b='solmix="0"'),
        dict(a='solref="-100 -1"'),
        dict(a='solref="-100 -5" solmix="3"', b='solref="-300 -2"'),
        dict(a='friction="0 0 0"', b='friction="0 0 0"'),
        dict(contact=PAIR),
        dict(contact=PAIR, x=1.15),
        dict(option=OVERRIDE, a='gap=".05" condim="4"', x=1.2),
        dict(option=OVERRIDE, contact=PAIR, x=1.2),
        dict(a='contype="2" conaffinity="0"', b='contype="0" conaffinity="2"'),
        dict(a='contype="2" conaffinity="0"', b='contype="2" conaffinity="0"'),
    ],
)
def test_parameters(scene):
    values = dict(option="", a="", b="", contact="", x=0.95) | scene
    theirs, ours = Scene.text(TWO.format(**values)).collide()
    assert difference(theirs, ours, 1e-12) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('type="sphere" size=".3"', 'type="sphere" size=".2" euler="20 40 0"'),
        ('type="capsule" size=".2 .3"', 'type="capsule" size=".1 .4" euler="20 40 0"'),
        ('type="capsule" size=".2 .3"', 'type="capsule" size=".1 .4"'),
        ('type="sphere" size=".2"', 'type="box" size=".3 .3 .3"'),
        ('type="sphere" size=".2"', 'type="cylinder" size=".3 .6"'),
    ],
)
def test_concentric(first, second):
    """Where no direction is nearest."""
    text = f"""<mujoco><worldbody><geom {first}/>
      <body><freejoint/><geom {second}/></body></worldbody></mujoco>"""
    theirs, ours = Scene.text(text).collide()
    assert len(ours)
    assert difference(theirs, ours, 1e-12) is None


def test_order_does_not_depend_on_history():
    """Other poses in between change no bit of the contacts, nor does a fresh data."""
    rng = np.random.default_rng(5)
    scene = Scene.text(crowd(rng))
    _, ours = scene.collide()
    reference = ours.tobytes()
    assert reference
    state = scene.d.qpos.copy()
    for _ in range(20):
        scene.d.qpos[:] = state + rng.normal(size=len(state))
        scene.collide()
        scene.d.qpos[:] = state
        assert scene.collide()[1].tobytes() == reference
    scene.our_d = bridge.make_data(scene.our_m)
    assert scene.collide()[1].tobytes() == reference


def test_full_arena():
    """Too small an arena: some contacts, a warning, and no more."""
    rng = np.random.default_rng(5)
    scene = Scene.text(crowd(rng))
    everything = len(scene.collide()[1])
    for size in (1 << 10, 1 << 13, 3 << 13, 1 << 15):
        scene.our_m = bridge.copy_model(scene.m, size)
        scene.our_d = bridge.make_data(scene.our_m)
        _, ours = scene.collide()
        assert len(ours) < everything
        assert np.isfinite(ours["pos"]).all()
