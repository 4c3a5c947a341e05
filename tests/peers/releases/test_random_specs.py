"""Random trees of bodies against 4.0.1: scaled frames in all fields, and what operations on specs leave."""

import os
import random

import pytest

import compiled
import newest
import sinew

ROUNDS = 100 if os.environ.get("SINEW_LONG") else 8
SHAPES = ["box", "capsule", "ellipsoid", "cylinder"]
SCALES = [
    'scale="0.7"',
    'scale="2.5" massscale="3"',
    'massscale="2"',
    "",
    'scale="2" scaling="geometry"',
]


class Scene:
    """A random model: trees of bodies, some in frames, with tendons and actuators between them."""

    def __init__(self, seed, scales=("",)):
        self.random, self.scales = random.Random(seed), scales
        self.bodies, self.joints, self.sites = 0, [], []

    def numbers(self, n, low=-1, high=1):
        return " ".join(f"{self.random.uniform(low, high):.4g}" for _ in range(n))

    def one(self, *of):
        return self.random.choice(of)

    def pose(self):
        return f'pos="{self.numbers(3)}" euler="{self.numbers(3, -90, 90)}"'

    def frame(self, inside):
        return f"<frame {self.one(*self.scales)} {self.pose()}>{inside}</frame>"

    def joint(self):
        kind = self.one("hinge", "slide", "ball")
        name = f"j{len(self.joints)}"
        if kind != "ball":
            self.joints.append(name)
        named = f'name="{name}"' if kind != "ball" else ""
        return (
            f'<joint {named} type="{kind}" axis="{self.numbers(3)}" pos="{self.numbers(3)}" stiffness="{self.numbers(1, 0, 2)}" '
            f'damping="{self.numbers(1, 0, 2)}" armature=".1" frictionloss=".2" range="{0 if kind == "ball" else -10} 30"/>'
        )

    def geom(self, look):
        size = self.numbers(3, 0.1, 0.3)
        return f'<geom type="{self.one(*SHAPES)}" size="{size}" {self.pose()} margin=".1" {look} material="{self.one("a", "b")}"/>'

    def body(self, depth=0):
        self.bodies += 1
        name, seen = f"b{self.bodies}", self.one("", "", 'contype="0" conaffinity="0"')
        inside = self.joint() if self.random.random() < 0.5 else ""
        if self.random.random() < 0.3:
            inside += f'<inertial mass="2" diaginertia="1 1.1 1.2" {self.pose()}/>'
        inside += "".join(self.geom(seen) for _ in range(self.random.randint(1, 2)))
        if self.random.random() < 0.5:
            self.sites.append(f"s{self.bodies}")
            inside += f'<site name="s{self.bodies}" pos="{self.numbers(3)}"/>'
        for _ in range(self.random.randint(0, 2) if depth < 3 else 0):
            inner = self.body(depth + 1)
            inside += self.frame(inner) if self.random.random() < 0.5 else inner
        weight = self.one("", "", "", 'gravcomp="1"')
        return f'<body name="{name}" {self.pose()} {weight}>{inside}</body>'

    def relations(self):
        tendons = actuators = ""
        for _ in range(3 if len(self.sites) > 1 else 0):
            ends = self.random.sample(self.sites, 2)
            path = "".join(f'<site site="{site}"/>' for site in ends)
            tendons += f'<spatial stiffness="2" range="0 5" width=".1">{path}</spatial>'
        if len(self.joints) > 1:
            path = "".join(
                f'<joint joint="{j}" coef="2"/>' for j in self.random.sample(self.joints, 2)
            )
            tendons += f'<fixed stiffness="1" damping="2" frictionloss="1">{path}</fixed>'
        for joint in self.joints[:4]:
            law = self.one(
                'position kp="3" kv="1"',
                "motor",
                'velocity kv="2"',
                'cylinder area="2"',
                'general gainprm="2"',
            )
            actuators += f'<{law} joint="{joint}" ctrlrange="-1 1"/>'
        return f"<tendon>{tendons}</tendon><actuator>{actuators}</actuator>"

    def text(self, compiler="", related=True):
        world = "".join(self.frame(self.body()) for _ in range(3))
        rest = self.relations() if related else ""
        sensor = f'<sensor><framepos objtype="body" objname="b{self.random.randint(1, self.bodies)}"/></sensor>'
        assets = '<asset><material name="a"/><material name="b"/></asset>'
        return f"<mujoco><compiler {compiler}/>{assets}<worldbody>{world}</worldbody>{rest}{sensor}</mujoco>"


def peers(text):
    """The peer's model, or None where it refuses the text."""
    try:
        return newest.load(text).get()
    except ValueError:
        return None


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_scaled(seed):
    text = Scene(seed, SCALES).text()
    theirs = peers(text)
    if theirs is not None:  # axes of equal moments are free
        assert compiled.differences(sinew.Model.from_xml(text), theirs, 1e-7) <= {"body_iquat"}


@pytest.mark.parametrize("seed", range(ROUNDS))
@pytest.mark.parametrize(
    "operation, setting", [("fuse_static", "fusestatic"), ("discard_visual", "discardvisual")]
)
def test_operations(seed, operation, setting):
    compiler = ["", 'inertiafromgeom="true"', 'boundmass="3"', 'balanceinertia="true"'][seed % 4]
    text = Scene(seed).text(compiler, related=False)
    theirs = peers(text.replace("<compiler", f'<compiler {setting}="true"'))
    if theirs is None:
        return
    spec = sinew.Spec.from_xml(text)
    getattr(spec, operation)()
    free = {"body_iquat", "body_simple", "dof_simplenum", "body_sameframe"}
    assert compiled.differences(spec.compile(), theirs, 1e-6) <= free


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_notations(seed):
    """Whatever is written reads to the same model, scaled frames included."""
    spec = sinew.Spec.from_xml(Scene(seed, SCALES).text())
    try:
        m = spec.compile()
    except sinew.ModelError:
        return
    for canonical in (None, True, False):
        spec.section("compiler").savecompiled = None if canonical is None else False
        spec.section("compiler").savecanonical = canonical
        assert compiled.differences(m, sinew.Model.from_xml(spec.to_xml()), 1e-9) <= {"body_iquat"}
