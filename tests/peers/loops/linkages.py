"""Linkages whose motion is known, as MJCF: four-bars, slider-crank, a spatial RSSR, gears, a cable."""

import math

GROUND, CRANK, COUPLER, ROCKER = 0.5, 0.3, 0.55, 0.4
# (crank, coupler, rocker) of the four-bar, at rest
START = (1.2, -1.0342949058371855, 1.183232582669018)


def rod(name, length, pos="0 0 0", joint='axis="0 -1 0"', inside="", mass=None):
    """A thin rod along x of mass 2L and inertia m L^2 / 12, which turns from x to z."""
    mass = 2 * length if mass is None else mass
    inertia = mass * length**2 / 12
    return (
        f'<body name="{name}" pos="{pos}"><joint name="{name}" {joint}/>'
        f'<inertial pos="{length / 2!r} 0 0" mass="{mass!r}" diaginertia="1e-9 {inertia!r} {inertia!r}"/>{inside}</body>'
    )


def wrap(bodies, texts="", option="", tail="", settings="exact"):
    return (
        f'<mujoco><compiler angle="radian" balanceinertia="true"/><option {option}/>'
        f'<custom><text name="sinew_loops" data="{settings}"/>{texts}</custom>'
        f"<worldbody>{bodies}</worldbody>{tail}</mujoco>"
    )


def loop(name, kind, site1, site2, keys=""):
    return f'<text name="sinew_loop_{name}" data="{kind} {site1} {site2} {keys}"/>'


def four_bar_bodies(i=0, x=0.0, links=(GROUND, CRANK, COUPLER, ROCKER)):
    ground, crank, coupler, rocker = links
    tip = f'<site name="tip{i}" pos="{coupler} 0 0" zaxis="0 1 0"/>'
    top = f'<site name="top{i}" pos="{rocker} 0 0" zaxis="0 1 0"/>'
    arm = rod(f"coupler{i}", coupler, f"{crank} 0 0", inside=tip)
    return rod(f"crank{i}", crank, f"{x} 0 0", inside=arm) + rod(
        f"rocker{i}", rocker, f"{x + ground} 0 0", inside=top
    )


def four_bars(
    n=1, kind="revolute", option="", settings="exact", links=(GROUND, CRANK, COUPLER, ROCKER)
):
    """n four-bars beside each other."""
    bodies = "".join(four_bar_bodies(i, i, links) for i in range(n))
    texts = "".join(loop(f"close{i}", kind, f"top{i}", f"tip{i}") for i in range(n))
    return wrap(bodies, texts, option, settings=settings)


def chain(n, option="", settings="exact", soft=None):
    """Four-bars one behind the other: the ground of each is the one before, its joints at the rocker's top."""
    links = (GROUND, CRANK, COUPLER, ROCKER)
    inside = ""
    for i in reversed(range(n)):
        _, crank, coupler, rocker = links
        tip = f'<site name="tip{i}" pos="{coupler} 0 0" zaxis="0 1 0"/>{inside}'
        arm = rod(f"coupler{i}", coupler, f"{crank} 0 0", inside=tip)
        x = 0 if i == 0 else COUPLER
        inside = rod(f"crank{i}", crank, f"{x} 0 0", inside=arm) + rod(
            f"rocker{i}",
            rocker,
            f"{x + GROUND} 0 0",
            inside=f'<site name="top{i}" pos="{rocker} 0 0" zaxis="0 1 0"/>',
        )
    texts = "".join(loop(f"close{i}", "revolute", f"top{i}", f"tip{i}") for i in range(n))
    if soft is None:
        return wrap(inside, texts, option, settings=settings)
    connects = "".join(f'<connect site1="top{i}" site2="tip{i}" {soft}/>' for i in range(n))
    return wrap(inside, "", option, f"<equality>{connects}</equality>")


def slider_crank(option="", settings="exact"):
    """Crank .2, rod .6, a slider on x; at the start the crank points up."""
    end = '<site name="end" pos=".6 0 0" zaxis="0 1 0"/>'
    bodies = rod("crank", 0.2, inside=rod("rod", 0.6, ".2 0 0", inside=end)) + (
        '<body name="slider"><joint name="slider" type="slide" axis="1 0 0"/>'
        '<inertial pos="0 0 0" mass=".7" diaginertia=".01 .01 .01"/><site name="pin" zaxis="0 1 0"/></body>'
    )
    return wrap(bodies, loop("pin", "revolute", "pin", "end"), option, settings=settings)


SLIDER_START = (math.pi / 2, -math.pi / 2 - math.asin(0.2 / 0.6), math.sqrt(0.6**2 - 0.2**2))


def rssr(option="", settings="exact", joint="hinges"):
    """Crank and rocker about axes that cross in space, joined by a rod on two spherical joints: one in the tree, a
    ball or two hinges that keep the rod from spinning, one a loop."""
    hinges = '<joint axis="0 1 0"/><joint axis="0 0 1"/>'
    joints = hinges if joint == "hinges" else '<joint type="ball"/>'
    rod_xml = (
        f'<body name="rod" pos=".3 0 0">{joints}'
        '<inertial pos=".6 0 0" mass="1.2" diaginertia=".02 .15 .15"/><site name="tip" pos="1.2 0 0"/></body>'
    )
    bodies = rod("crank", 0.3, inside=rod_xml) + (
        '<body name="rocker" pos="1 .5 0" quat=".9238795325112867 .3826834323650898 0 0">'
        + '<joint name="rocker" axis="1 0 0"/><inertial pos="0 .3 0" mass="1" diaginertia=".03 .001 .03"/>'
        + '<site name="top" pos="0 .6 0"/></body>'
    )
    return wrap(bodies, loop("top", "spherical", "top", "tip"), option, settings=settings)


def gears(ratios=(-2.0, -0.5, 3.0), option=""):
    """Wheels about axes of every direction, each driven by the one before through a joint equality."""
    axes = ["0 0 1", "1 0 0", "0 1 1", "1 1 0"]
    bodies = "".join(
        f'<body pos="{i} 0 0"><joint name="w{i}" axis="{axes[i % 4]}"/>'
        f'<inertial pos="0 0 0" mass="1" diaginertia="{0.1 * (i + 1)} {0.1 * (i + 1)} {0.1 * (i + 1)}"/></body>'
        for i in range(len(ratios) + 1)
    )
    equalities = "".join(
        f'<joint joint1="w{i + 1}" joint2="w{i}" polycoef="0 {r} 0 0 0"/>'
        for i, r in enumerate(ratios)
    )
    return wrap(bodies, "", option, f"<equality>{equalities}</equality>")


def cable(n=12, option=""):
    """A cable of n links, each on two hinges, hung at both ends; its second end is a connect."""
    inside = ""
    for i in reversed(range(n)):
        joints = '<joint axis="0 1 0"/><joint axis="0 0 1"/>'
        site = '<site name="end" pos=".1 0 0"/>' if i == n - 1 else ""
        inside = (
            f'<body pos="{0.1 if i else 0} 0 0">{joints}<inertial pos=".05 0 0" mass=".1" '
            f'diaginertia="1e-4 1e-4 1e-4"/>{site}{inside}</body>'
        )
    tail = '<equality><connect site1="end" site2="hook"/></equality>'
    return wrap(f'<site name="hook" pos=".9 0 0"/>{inside}', "", option, tail)
