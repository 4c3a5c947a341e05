"""Constants at qpos0 of random machines against the peer's: bodies with tiny, thin or heavy inertia under every kind
of joint, tendons, every shortcut of actuators, statistics given in part.
"""

import mujoco
import numpy as np
import pytest

from test_bounds import TYPES, numbers
from test_model import compare, load_text

JOINTS = ["", "hinge", "slide", "ball", "free", "hinge slide", "slide slide", "hinge hinge", "slide ball"]  # fmt: skip
ARMATURE, RANGE, SPRING = 'armature=".4"', 'range="-1 1"', 'springdamper=".1 .5"'
REFERENCE = 'ref="3" springref="-2"'
AXES = ["1 0 0", "0 1 0"]
INERTIALS = [
    "", "", '<inertial pos="0 0 0" mass="1e-2" diaginertia="1e-5 1e-5 1e-5"/>',
    '<inertial pos=".1 0 0" mass="1" diaginertia="1e-4 1 1"/>', '<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/>',
    '<inertial pos="0 0 0" mass="10" diaginertia="1e-3 1e-3 1e-3"/>',
    '<inertial pos="1 2 3" mass="3" fullinertia="2 3 4 .1 .2 .3"/>',
]  # fmt: skip
ACTUATORS = {
    "motor": "", "general": "", "velocity": "", "position": 'kp="3" dampratio=".7"', "muscle": 'lengthrange="0 2"',
    "damper": 'kv="1" ctrlrange="0 1"', "cylinder": 'area="2"', "intvelocity": 'kp="2" actrange="-1 1"',
}  # fmt: skip
STATISTICS = [
    "", '<statistic meansize="4"/>', '<statistic extent="3" center="1 2 3"/>',
    '<statistic meaninertia="2" meanmass="5"/>',
]  # fmt: skip
# What is solved for with M, whose condition reaches 1e8 here.
SOLVED = [
    "dof_invweight0", "body_invweight0", "tendon_invweight0", "actuator_acc0", "actuator_biasprm", "jnt_stiffness",
    "dof_damping",
]  # fmt: skip
LOOSE = {name: 1e-7 for name in SOLVED} | {"bvh_aabb": 1e-9, "dof_M0": 1e-9}


class Machine:
    """A random model; joints and sites by name, to be used by tendons and actuators."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.joints, self.sites, self.tendons, self.count = [], [], [], 0
        bodies = "".join(self.body(0) for _ in range(self.random.integers(1, 4)))
        tendons = "".join(self.tendon() for _ in range(self.random.integers(0, 3)))
        actuators = "".join(self.actuator() for _ in range(self.random.integers(0, 5)))
        self.text = (
            f"<mujoco>{self.choose(STATISTICS)}<worldbody>{bodies}</worldbody><tendon>{tendons}</tendon>"
            f"<actuator>{actuators}</actuator></mujoco>"
        )

    def choose(self, among):
        return among[self.random.integers(len(among))]

    def chance(self, of, text):
        return text if self.random.random() < of else ""

    def vector(self):
        return numbers(self.random.normal(size=3))

    def name(self, among):
        self.count += 1
        among.append(f"n{self.count}")
        return among[-1]

    def joint(self, kind):
        single = kind in ("hinge", "slide")
        return (
            f'<joint name="{self.name(self.joints)}" type="{kind}" axis="{self.choose([*AXES, self.vector()])}"'
            f' pos="{self.choose(["0 0 0", self.vector()])}" {self.chance(0.3, ARMATURE)}'
            f" {self.chance(0.5 * single, RANGE)} {self.chance(0.4 * single, REFERENCE)}"
            f" {self.chance(0.1 * (kind != 'free'), SPRING)}/>"
        )

    def body(self, depth):
        kinds = self.choose(JOINTS).replace("free", "ball" if depth else "free").split()
        joints = "".join(self.joint(kind) for kind in kinds)
        inertial = self.choose(INERTIALS)
        geoms = "".join(
            f'<geom type="{self.choose(TYPES)}" size="{numbers(self.random.uniform(1e-3, 0.3, 3))}"'
            f' pos="{self.choose(["0 0 0", self.vector()])}"/>'
            for _ in range(self.random.integers(0 if inertial else 1, 3))
        )
        inside = "".join(
            self.body(depth + 1) for _ in range(self.random.integers(0, 3 if depth < 3 else 1))
        )
        return (
            f'<body pos="{self.vector()}" euler="{numbers(self.random.uniform(-90, 90, 3))}">{joints}{inertial}'
            f'{geoms}<site name="{self.name(self.sites)}" pos="{self.vector()}"/>{inside}</body>'
        )

    def tendon(self):
        if len(self.sites) < 2:
            return ""
        first, second = self.random.choice(self.sites, size=2, replace=False)
        return (
            f'<spatial name="{self.name(self.tendons)}" stiffness="1" armature="{self.choose([0, 0.5])}">'
            f'<site site="{first}"/><site site="{second}"/></spatial>'
        )

    def actuator(self):
        kind = self.choose(list(ACTUATORS))
        on = [f'joint="{n}"' for n in self.joints] + [f'tendon="{n}"' for n in self.tendons]
        on += [f'site="{n}"' for n in self.sites] if kind != "muscle" else []
        gear = numbers(self.random.normal(size=6))
        return f'<{kind} {self.choose(on)} gear="{gear}" {ACTUATORS[kind]}/>' if on else ""


# of springdamper and dampratio, too
BY_INVERSE = {
    *("body_invweight0", "dof_invweight0", "tendon_invweight0", "actuator_acc0"),
    *("jnt_stiffness", "dof_damping", "actuator_biasprm"),
}


@pytest.mark.parametrize("seed", range(60))
def test_constants(seed):
    text = Machine(seed).text
    peer = mujoco.MjModel.from_xml_string(text)
    ours, error = load_text(text)
    assert ours is not None, error.message.decode()
    weights = peer.dof_invweight0
    # parallel joints make M singular, and what follows from its inverse is rounding
    singular = np.isnan(weights).any() or weights.max(initial=0) > 1e9
    compare(ours, peer, LOOSE, BY_INVERSE if singular else ())
