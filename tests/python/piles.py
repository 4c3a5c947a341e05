"""Stiff scenes that are hard for the constraint solver: heaps, a house of cards, an interlocked puzzle cube.

Each function gives the text of a model; the same seed gives the same text.
"""

import itertools

import numpy as np

OPTION = '<option timestep="{timestep}" solver="{solver}" cone="{cone}" integrator="{integrator}" impratio="{impratio}"/>'


def option(solver="Newton", cone="pyramidal", integrator="Euler", impratio=1, timestep=0.002):
    return OPTION.format(
        solver=solver, cone=cone, integrator=integrator, impratio=impratio, timestep=timestep
    )


def numbers(values):
    return " ".join(f"{v:.17g}" for v in np.ravel(values))


def body(geom, pos, quat=(1, 0, 0, 0), joint="<freejoint/>"):
    return f'<body pos="{numbers(pos)}" quat="{numbers(quat)}">{joint}{geom}</body>'


def scene(bodies, options, contact):
    """A floor and the bodies; contact: attributes of every geom."""
    return (
        f"<mujoco>{options}<default><geom {contact}/></default><worldbody>"
        f'<geom type="plane" size="5 5 1"/>{"".join(bodies)}</worldbody></mujoco>'
    )


def heap(seed, count=12, **options):
    """Boxes, capsules and spheres, the heaviest a thousand times the lightest, dropped on each other.

    Damping keeps light ones from spinning so fast that an explicit integrator cannot follow.
    """
    rng = np.random.default_rng(seed)
    bodies = []
    for i in range(count):
        kind = ("box", "capsule", "sphere")[rng.integers(3)]
        size = rng.uniform(0.03, 0.07, {"box": 3, "capsule": 2, "sphere": 1}[kind])
        geom = f'<geom type="{kind}" size="{numbers(size)}" density="{10 ** rng.uniform(2, 4)}"/>'
        pos = [*rng.uniform(-0.08, 0.08, 2), 0.15 + 0.28 * i]
        bodies.append(body(geom, pos, rng.normal(0, 1, 4), '<joint type="free" damping=".001"/>'))
    return scene(bodies, option(**options), 'solref=".004 1" condim="4" friction=".8 .01 .001"')


def cards(seed, levels=3, **options):
    """A house of cards that lean against each other in pairs, with flat cards between the levels."""
    rng = np.random.default_rng(seed)
    long, thick, lean = 0.1, 0.002, np.radians(15)
    rise, reach = long * np.cos(lean) + thick * np.sin(lean), long * np.sin(lean) + thick
    geom = f'<geom type="box" size="{thick} .06 {long}" density="700"/>'
    flat = f'<geom type="box" size="{1.9 * reach} .06 {thick}" density="700"/>'
    bodies, z = [], 0
    for level in range(levels):
        pairs = levels - level
        for k in range(pairs):
            x = 4 * reach * (k - 0.5 * (pairs - 1))
            for side in -1, 1:
                half = -0.5 * side * (lean + rng.normal(0, 1e-3))
                pos = [x + side * 0.5 * 2 * reach, rng.normal(0, 1e-4), z + rise]
                bodies.append(body(geom, pos, [np.cos(half), 0, np.sin(half), 0]))
        z += 2 * rise
        for k in range(pairs - 1):
            bodies.append(body(flat, [4 * reach * (k - 0.5 * (pairs - 2)), 0, z + thick]))
        z += 2 * thick
    return scene(
        bodies, option(**options), 'solref=".004 1" solimp=".95 .99 .001" friction=".6 .005 .0001"'
    )


def cube(seed, **options):
    """A puzzle cube: 26 boxes that turn about the middle of the 27th, each held in place by its neighbours.

    Motors turn the six faces, which wedges the rest. The middles of the faces, whose centres of mass cannot move,
    do not touch each other: such a contact would be rigid.
    """
    rng = np.random.default_rng(seed)
    pitch, bodies, motors = 0.019, [], []
    for at in itertools.product((-1, 0, 1), repeat=3):
        pos, kind = pitch * np.array(at), np.abs(at).sum()
        if kind == 0:
            continue
        spin = f'pos="{numbers(-pos)}" armature="1e-6" damping="1e-6" frictionloss="1e-4"'
        joint, bits = f'<joint type="ball" {spin}/>', 'contype="3" conaffinity="3"'
        if kind == 1:
            name = "xyz"[np.argmax(np.abs(at))] + "-0+"[sum(at) + 1]
            joint, bits = (
                f'<joint name="{name}" {spin} axis="{numbers(at)}"/>',
                'contype="1" conaffinity="2"',
            )
            motors.append(f'<motor joint="{name}" ctrlrange="-.01 .01"/>')
        size = 0.5 * pitch * (1 - 1e-3 * rng.uniform(-1, 1, 3))
        geom = f'<geom type="box" size="{numbers(size)}" density="1100" {bits}/>'
        bodies.append(body(geom, pos, joint=joint))
    contact = 'condim="3" friction=".3 .005 .0001" solref=".004 1" solimp=".9 .98 .0005"'
    return (
        f"<mujoco>{option(**options)}<default><geom {contact}/></default><worldbody><body>{''.join(bodies)}</body>"
        f"</worldbody><actuator>{''.join(motors)}</actuator></mujoco>"
    )
