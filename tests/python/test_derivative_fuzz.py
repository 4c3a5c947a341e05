"""Derivatives of steps of random models and odd states: a finite answer or an error with a text, never a harm.

Models have joints, transmissions, activations, tendons, equalities and sensors of all kinds, options and flags at
random, now and then an arena too small, a state at a switch, or huge numbers.
"""

import copy
import os

import numpy as np
import pytest

import sinew

MODELS = 4000 if os.environ.get("SINEW_LONG") else 120
FLAGS = (
    "constraint equality frictionloss limit contact spring damper gravity clampctrl warmstart filterparent "
    "actuation refsafe sensor midphase eulerdamp autoreset nativeccd island"
).split()
SHAPES = (
    'type="sphere" size=".1"',
    'type="capsule" size=".05 .1"',
    'type="box" size=".1 .08 .06"',
    'type="ellipsoid" size=".1 .08 .06"',
    'type="cylinder" size=".06 .1"',
    'type="mesh" mesh="shard"',
)
DYNAMICS = (
    'dyntype="none"',
    'dyntype="integrator"',
    'dyntype="filter" dynprm=".03"',
    'dyntype="filterexact" dynprm=".02"',
    'dyntype="filter" dynprm="0" actlimited="true" actrange="-.5 .5" actearly="true"',
    'dyntype="integrator" actlimited="true" actrange="-.1 .1"',
)
GAINS = (
    'gaintype="fixed" gainprm="2" biastype="none"',
    'gaintype="fixed" gainprm="20" biastype="affine" biasprm=".1 -20 -1"',
    'gaintype="affine" gainprm="1 .5 -.3" biastype="affine" biasprm="0 -2 -.4"',
)
ENDS = ("", "", 'ctrllimited="true" ctrlrange="-.5 .5"', 'forcelimited="true" forcerange="-1 1"')
OF_SITES = (
    "touch accelerometer velocimeter gyro force torque magnetometer rangefinder".split(),
    "framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel framelinacc frameangacc".split(),
)
OF_SCALARS = "jointpos jointvel jointactuatorfrc jointlimitpos jointlimitvel jointlimitfrc".split()
OF_TENDONS = (
    "tendonpos tendonvel tendonactuatorfrc tendonlimitpos tendonlimitvel tendonlimitfrc".split()
)
OF_BODIES = "subtreecom subtreelinvel subtreeangmom".split()


def numbers(x):
    return " ".join(f"{v:.4g}" for v in np.ravel(x))


class Draft:
    """The text of a random model."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.bodies, self.scalars, self.balls, self.sites = [], [], [], []

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, of):
        return of[self.rng.integers(len(of))]

    def joint(self, body):
        kind = self.pick(("hinge", "hinge", "slide", "ball"))
        name = f"j{body}"
        (self.balls if kind == "ball" else self.scalars).append(name)
        text = f'<joint name="{name}" type="{kind}" axis="{numbers(self.rng.normal(size=3))}" '
        for key in ("damping", "stiffness", "armature", "frictionloss"):
            if self.chance(0.4):
                text += f'{key}="{self.rng.uniform(0, 0.5):.3g}" '
        if self.chance(0.4):
            text += 'limited="true" range="' + ("0 40" if kind == "ball" else "-20 20") + '" '
        if self.chance(0.1) and kind != "ball":
            text += 'actuatorfrclimited="true" actuatorfrcrange="-.5 .5" '
        return text + "/>"

    def geom(self, body):
        fluid = 'fluidshape="ellipsoid"' if self.chance(0.2) else ""
        mass = 'mass="0"' if self.chance(0.1) else ""
        return (
            f'<geom name="g{body}" {self.pick(SHAPES)} condim="{self.pick((1, 3, 4, 6))}" {fluid} {mass} '
            f'pos="{numbers(self.rng.normal(0, 0.05, 3))}" margin="{self.pick((0, 0, 0.02))}" '
            f'solimp="{self.pick((0, 0.9))} .95 .001" solref="{self.pick(("-100 -5", "0.02 1", "0.1 .7"))}"/>'
        )

    def body(self, depth):
        number = len(self.bodies)
        self.bodies.append(f"b{number}")
        self.sites.append(f"s{number}")
        at = self.rng.normal(0, 0.2, 3) + (0, 0, 0.15 if depth == 0 else 0)
        compensation = f'gravcomp="{self.rng.uniform():.2f}"' if self.chance(0.2) else ""
        text = f'<body name="b{number}" pos="{numbers(at)}" {compensation}>'
        kind = self.rng.random()
        if depth == 0 and kind < 0.4:
            text += "<freejoint/>"
        elif kind < 0.9:
            text += self.joint(number)
        text += (
            '<inertial pos=".03 .02 -.04" mass=".5" diaginertia=".01 .012 .008"/>'
            if self.chance(0.8)
            else '<geom size=".05" contype="0" conaffinity="0"/>'
        )
        text += self.geom(number) + f'<site name="s{number}" pos=".05 0 .08" size=".05"/>'
        while self.chance(0.45) and len(self.bodies) < 8 and depth < 4:
            text += self.body(depth + 1)
        return text + "</body>"

    def transmission(self):
        kinds = ["site", "body"]
        kinds += ["joint"] * 4 * bool(self.scalars) + ["jointinparent"] * bool(self.balls)
        kinds += ["tendon"] * bool(self.tendons) + ["crank"] * (len(self.sites) > 1)
        kind = self.pick(kinds)
        if kind == "joint":
            return f'joint="{self.pick(self.scalars)}" gear="{self.rng.normal():.3g}"'
        if kind == "jointinparent":
            return f'jointinparent="{self.pick(self.balls)}" gear="1 2 .5"'
        if kind == "tendon":
            return f'tendon="{self.pick(self.tendons)}"'
        if kind == "crank":
            a, b = self.rng.choice(self.sites, 2, replace=False)
            return f'cranksite="{a}" slidersite="{b}" cranklength=".5"'
        if kind == "body":
            return f'body="{self.pick(self.bodies)}"'
        reference = f'refsite="{self.pick(self.sites)}"' if self.chance(0.4) else ""
        return f'site="{self.pick(self.sites)}" gear="1 .3 0 .1 0 .2" {reference}'

    def actuator(self, i):
        kind = self.pick(("general", "general", "motor", "position", "velocity", "muscle", "odd"))
        transmission = self.transmission()
        name = f'name="a{i}"'
        if transmission.startswith("body="):
            return f'<adhesion {name} {transmission} gain="3" ctrlrange="0 1"/>'
        end = self.pick(ENDS)
        if kind == "motor" or transmission.startswith(("site", "jointin")):
            return f"<motor {name} {transmission} {end}/>"
        if kind == "position":
            more = self.pick(('timeconst=".05"', "", 'dampratio="1"'))
            return f'<position {name} {transmission} kp="10" {more} {end}/>'
        if kind == "velocity":
            return f'<velocity {name} {transmission} kv="2" {end}/>'
        if kind == "muscle":
            return f'<muscle {name} {transmission} lengthrange="-1 1" force="20"/>'
        if kind == "odd":
            return self.pick(
                (
                    f'<damper {name} {transmission} kv="1" ctrlrange="0 1"/>',
                    f'<cylinder {name} {transmission} timeconst=".1" area=".5"/>',
                    f'<intvelocity {name} {transmission} kp="5" actrange="-1 1"/>',
                )
            )
        return f"<general {name} {transmission} {self.pick(DYNAMICS)} {self.pick(GAINS)} {end}/>"

    def tendon(self, i):
        name = f'name="t{i}"'
        if self.chance(0.5):
            name += ' limited="true" range="0 .3"'
        for key in ("frictionloss", "stiffness", "damping", "armature"):
            if self.chance(0.3):
                name += f' {key}="{self.rng.uniform(0, 0.5):.3g}"'
        if self.scalars and self.chance(0.5):
            of = self.rng.choice(self.scalars, min(2, len(self.scalars)), replace=False)
            parts = "".join(f'<joint joint="{j}" coef="{self.rng.normal():.3g}"/>' for j in of)
            return f"<fixed {name}>{parts}</fixed>"
        path = list(self.rng.choice(["s0", "w0", *self.sites], 3))
        parts = [f'<site site="{s}"/>' for s in path]
        if "armature" not in name and self.chance(0.5):
            side = 'sidesite="w1"' if self.chance(0.5) else ""
            parts.insert(1, f'<geom geom="{self.pick(("peg", "bead"))}" {side}/>')
        if self.chance(0.3):
            parts += [
                '<pulley divisor="2"/>',
                f'<site site="w0"/><site site="{self.pick(self.sites)}"/>',
            ]
        return f"<spatial {name}>{''.join(parts)}</spatial>"

    def equality(self):
        soft = f'solref="{self.pick(("0.05 1", "-200 -10"))}"'
        kind = self.pick(("connect", "weld", "joint", "tendon", "sites"))
        if kind == "joint" and len(self.scalars) > 1:
            a, b = self.rng.choice(self.scalars, 2, replace=False)
            return f'<joint joint1="{a}" joint2="{b}" polycoef="0 .5 .3 .1 0" {soft}/>'
        if kind == "tendon" and self.tendons:
            return f'<tendon tendon1="{self.pick(self.tendons)}" {soft}/>'
        if kind == "sites" and len(self.sites) > 1:
            a, b = self.rng.choice(self.sites, 2, replace=False)
            return f'<{self.pick(("connect", "weld"))} site1="{a}" site2="{b}" {soft}/>'
        if kind == "weld":
            return f'<weld body1="{self.pick(self.bodies)}" torquescale=".5" {soft}/>'
        return f'<connect body1="{self.pick(self.bodies)}" anchor=".1 0 0" {soft}/>'

    def sensor(self):
        kind = self.rng.integers(9)
        cutoff = 'cutoff=".5"' if self.chance(0.1) else ""
        if kind == 0:
            return f'<{self.pick(OF_SITES[0])} site="{self.pick(self.sites)}" {cutoff}/>'
        if kind == 1:
            where = self.pick(("site", "xbody", "body"))
            name = self.pick(self.sites if where == "site" else self.bodies)
            of = self.pick(OF_SITES[1])
            reference = ""
            if self.chance(0.4) and not of.endswith("acc"):
                reference = f'reftype="site" refname="{self.pick(self.sites)}"'
            return f'<{of} objtype="{where}" objname="{name}" {reference}/>'
        if kind == 2 and self.scalars:
            return f'<{self.pick(OF_SCALARS[:3])} joint="{self.pick(self.scalars)}" {cutoff}/>'
        if kind == 3 and self.tendons:
            return f'<{self.pick(OF_TENDONS[:3])} tendon="{self.pick(self.tendons)}"/>'
        if kind == 4 and self.balls:
            return f'<{self.pick(("ballquat", "ballangvel"))} joint="{self.pick(self.balls)}"/>'
        if kind == 5:
            return f'<{self.pick(OF_BODIES)} body="{self.pick(self.bodies)}"/>'
        if kind == 6 and self.actuators:
            of = self.pick(("actuatorpos", "actuatorvel", "actuatorfrc"))
            return f'<{of} actuator="a{self.rng.integers(self.actuators)}"/>'
        if kind == 7:
            of = self.pick(("distance", "normal", "fromto"))
            return (
                f'<{of} geom1="g0" body2="{self.pick(self.bodies[1:] or ["world"])}" cutoff="1"/>'
            )
        return self.pick(
            (
                "<clock/>",
                "<e_potential/>",
                "<e_kinetic/>",
                '<contact geom1="g0" num="2" data="force torque dist pos"/>',
                '<contact reduce="netforce" data="force torque dist pos normal"/>',
                f'<insidesite site="s0" objtype="body" objname="{self.pick(self.bodies)}"/>',
            )
        )

    def text(self):
        rng = self.rng
        integrator = self.pick(("Euler", "RK4", "implicit", "implicitfast"))
        flags = " ".join(f'{f}="disable"' for f in FLAGS if self.chance(0.05))
        flags += ' energy="enable"' * self.chance(0.2) + ' multiccd="enable"' * self.chance(0.2)
        air = 'density="1000" viscosity=".1" wind="1 0 .5"' if self.chance(0.3) else ""
        head = (
            f'<option timestep="{self.pick((0.002, 0.01))}" integrator="{integrator}" {air} '
            f'cone="{self.pick(("pyramidal", "elliptic"))}" solver="{self.pick(("Newton", "CG", "PGS"))}" '
            f'jacobian="{self.pick(("dense", "sparse"))}" iterations="{self.pick((0, 3, 100))}"><flag {flags}/></option>'
        )
        if self.chance(0.15):
            head += f'<size memory="{self.pick(("1K", "8K", "20K", "50K"))}"/>'
        world = '<geom name="floor" type="plane" size="3 3 .1"/><site name="w0" pos=".3 .2 .6"/>'
        world += '<site name="w1" pos=".1 .3 .5"/><geom name="peg" type="cylinder" size=".06 .2" pos=".1 .1 .4"/>'
        world += '<geom name="bead" type="sphere" size=".05" pos="-.1 .1 .4"/>'
        world += "".join(self.body(0) for _ in range(rng.integers(1, 4)))
        self.tendons = []
        tendons = [self.tendon(i) for i in range(rng.integers(0, 3))]
        self.tendons = [f"t{i}" for i in range(len(tendons))]
        actuators = [self.actuator(i) for i in range(rng.integers(0, 5))]
        self.actuators = len(actuators)
        equalities = [self.equality() for _ in range(rng.integers(0, 3))]
        sensors = [self.sensor() for _ in range(rng.integers(0, 8))]
        cloud = numbers(rng.normal(0, 0.06, (9, 3)))
        return (
            f'<mujoco><compiler balanceinertia="true" boundmass="0.001" boundinertia="1e-6"/>{head}'
            f'<asset><mesh name="shard" vertex="{cloud}"/></asset><worldbody>{world}</worldbody>'
            f"<tendon>{''.join(tendons)}</tendon><actuator>{''.join(actuators)}</actuator>"
            f"<equality>{''.join(equalities)}</equality><sensor>{''.join(sensors)}</sensor></mujoco>"
        )


def put(rng, m, d):
    """A state: after some steps, at a switch, anywhere, or huge."""
    kind = rng.integers(5)
    if kind == 0:
        sinew.step(m, d, int(rng.integers(1, 40)))
    elif kind >= 2:
        d.qpos[:] = sinew.integratePos(m, d.qpos, rng.normal(0, 0.3, m.nv), 1)
        d.qvel[:] = rng.normal(0, 0.5, m.nv)
        d.act[:] = rng.normal(size=m.na)
        d.ctrl[:] = rng.normal(size=m.nu)
        d.qfrc_applied[:] = rng.normal(size=m.nv)
        d.xfrc_applied[:] = rng.normal(size=(m.nbody, 6))
    if kind == 4:
        size = 10.0 ** rng.uniform(2, 12)
        which = (d.qpos, d.qvel, d.ctrl, d.act, d.qfrc_applied, d.xfrc_applied)[rng.integers(6)]
        which *= size
        if rng.random() < 0.2:
            which[...] = rng.choice((np.nan, np.inf))
    return kind == 4


def finite(arrays, what):
    for a in arrays:
        assert np.isfinite(a).all(), what


def adjoint(rng, m, d):
    """<JVP x, y> = <x, VJP y>"""
    nx = 2 * m.nv + m.na
    x = [rng.normal(size=n) for n in (nx, m.nu, m.nv, (m.nbody, 6))]
    x[3][0] = 0
    y = [rng.normal(size=n) for n in (nx, m.nsensordata)]
    along, back = sinew.stepJVP(m, d, *x), sinew.stepVJP(m, d, *y)[:4]
    finite((*along, *back), "products")
    forwards = [np.sum(a * b) for a, b in zip(along, y, strict=True)]
    backwards = [np.sum(a * b) for a, b in zip(x, back, strict=True)]
    size = sum(np.linalg.norm(a) * np.linalg.norm(b) for a, b in zip(along, y, strict=True))
    size += sum(np.linalg.norm(a) * np.linalg.norm(b) for a, b in zip(back, x, strict=True))
    return abs(sum(forwards) - sum(backwards)), max(1, size)


def calls(rng, m):
    nx = 2 * m.nv + m.na

    def rollout(m, d):
        ctrl = rng.normal(size=(4, m.nu))
        return sinew.rolloutGradient(m, d, ctrl, np.ones((5, nx)), np.ones((4, m.nsensordata)))[:4]

    return (
        sinew.transitionDerivative,
        lambda m, d: sinew.transitionFD(m, d, 1e-6, bool(rng.integers(2))),
        lambda m, d: sinew.inverseFD(m, d, 1e-6, bool(rng.integers(2))),
        rollout,
    )


def attempt(call, m, d, counts):
    """The answer, finite, twice the same, or None; and the state as it was, to the bit."""
    bits = int(sinew.StateBit.INTEGRATION)
    start = sinew.getState(m, d, bits)
    try:
        found = call(m, d)
    except (sinew.NotSupportedError, ValueError, MemoryError) as error:
        assert len(str(error)) > 20
        counts[type(error).__name__] = counts.get(type(error).__name__, 0) + 1
        found = None
    assert sinew.getState(m, d, bits).tobytes() == start.tobytes(), call
    return found


def one(seed, counts):
    draft = Draft(seed)
    rng = draft.rng
    m = sinew.Model.from_xml(draft.text())
    d = sinew.Data(m)
    huge = put(rng, m, d)
    for call in calls(rng, m):
        found = attempt(call, m, d, counts)
        if found is not None:
            counts["answers"] = counts.get("answers", 0) + 1
            finite(found, call)
    exact = attempt(sinew.transitionDerivative, m, d, counts)
    fresh = copy.copy(d)
    again = attempt(sinew.transitionDerivative, m, fresh, counts)
    assert (exact is None) == (again is None)
    if exact is None:
        return
    for a, b in zip(exact, again, strict=True):
        assert a.tobytes() == b.tobytes()
    products = attempt(lambda m, d: adjoint(rng, m, d), m, d, counts)
    if products is None:
        return  # a smaller arena than theirs
    off, size = products
    assert off <= (1e-8 if huge else 1e-10) * size, f"adjoint off by {off:.1e} of {size:.1e}"


@pytest.mark.filterwarnings("ignore::sinew.ModelWarning")
@pytest.mark.parametrize("part", range(4))
def test_random_models(part):
    counts = {}
    for seed in range(part * MODELS // 4, (part + 1) * MODELS // 4):
        try:
            one(seed, counts)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}") from error
    assert counts["answers"] > MODELS // 4 * 2, counts


if __name__ == "__main__":
    import collections
    import sys
    import traceback
    import warnings

    warnings.simplefilter("ignore")
    counts, kinds = {}, collections.Counter()
    for seed in range(int(sys.argv[1]), int(sys.argv[2])):
        try:
            one(seed, counts)
        except Exception as e:
            t = traceback.extract_tb(e.__traceback__)[-1]
            key = f"{type(e).__name__} {str(e)[:110]} {t.name} {t.line}"
            kinds[key[:230]] += 1
            if kinds[key[:230]] <= 3:
                print(seed, key[:230], flush=True)
    print(counts)
    for k, v in kinds.most_common():
        print(v, k)
