"""Scenes of rigid contact, as texts of models. Lengths in m; settings are the defaults unless said."""

import numpy as np

HEAD = """<mujoco><option timestep="{timestep}" cone="{cone}" gravity="{gravity}"/>
<custom><text name="sinew_contact" data="lcp"/><text name="sinew_lcp" data="{lcp}"/></custom>
<default><geom friction="{friction}" condim="{condim}"/></default>{assets}<worldbody>{world}</worldbody>{rest}</mujoco>"""
FLOOR = '<geom type="plane" size="50 50 1"/>'


def numbers(values):
    return " ".join(f"{v:.17g}" for v in np.ravel(values))


def scene(
    world,
    timestep=0.002,
    cone="elliptic",
    gravity=(0, 0, -9.81),
    lcp="",
    friction=(0.5,),
    condim=3,
    **parts,
):
    """A whole model; parts: assets, rest."""
    return HEAD.format(
        world=world,
        timestep=timestep,
        cone=cone,
        gravity=numbers(gravity),
        lcp=lcp or "sweeps=50",
        friction=numbers(friction),
        condim=condim,
        assets=parts.get("assets", ""),
        rest=parts.get("rest", ""),
    )


def box(pos, half, mass=1, quat=(1, 0, 0, 0)):
    return (
        f'<body pos="{numbers(pos)}" quat="{numbers(quat)}"><freejoint/>'
        f'<geom type="box" size="{numbers(half)}" mass="{mass:.17g}"/></body>'
    )


def ball(pos, radius=0.1, mass=1):
    return f'<body pos="{numbers(pos)}"><freejoint/><geom type="sphere" size="{radius:.17g}" mass="{mass:.17g}"/></body>'


def tower(count, masses=None, edge=0.2, **settings):
    """Boxes on top of each other."""
    half = (edge / 2,) * 3
    boxes = (
        box((0, 0, edge * (k + 0.5)), half, 1 if masses is None else masses[k])
        for k in range(count)
    )
    return scene(FLOOR + "".join(boxes), **settings)


def pyramid(layers, radius=0.1, space=2.02, **settings):
    """Rough balls on a square, each upon four, those of a layer `space` radii from each other."""
    space = space * radius
    rise = np.sqrt(4 * radius**2 - space**2 / 2)
    balls = (
        ball((space * (i + k / 2), space * (j + k / 2), radius + k * rise), radius)
        for k in range(layers)
        for i in range(layers - k)
        for j in range(layers - k)
    )
    return scene(FLOOR + "".join(balls), friction=(1,), **settings)


def block_on_slope(azimuth, slope, yaw=0, **settings):
    """A flat block on a floor under a gravity that is tilted by atan(slope) to this side (rad)."""
    tilt = np.arctan(slope)
    side = np.sin(tilt) * np.array([np.cos(azimuth), np.sin(azimuth)])
    turn = (np.cos(yaw / 2), 0, 0, np.sin(yaw / 2))
    world = FLOOR + box((0, 0, 0.02), (0.1, 0.1, 0.02), quat=turn)
    return scene(world, gravity=9.81 * np.array([*side, -np.cos(tilt)]), **settings)


def five_balls(mu, masses=(1, 1, 1, 1, 1)):
    """One on four that touch each other, on a floor."""
    r = 0.1
    below = [(x * r, y * r, r) for x in (-1, 1) for y in (-1, 1)]
    balls = [*below, (0, 0, r * (1 + np.sqrt(2)))]
    return scene(
        FLOOR + "".join(ball(p, r, m) for p, m in zip(balls, masses, strict=True)), friction=(mu,)
    )


def cards(levels=3, timestep=0.002, **settings):
    """A house of cards, which lean in pairs; flat cards lie between the levels."""
    long, thick, deep, lean = 0.1, 0.002, 0.06, np.radians(15)
    # lower edge to the upper corners that meet
    rise, reach = long * np.cos(lean), long * np.sin(lean)
    side = thick * np.cos(lean)
    pitch = 2 * (2 * reach + 2 * side)
    height = 2 * (rise + thick * np.sin(lean))
    out, z = [], 0.0
    for level in range(levels):
        pairs = levels - level
        for k in range(pairs):
            middle = (k - (pairs - 1) / 2) * pitch
            for s in (-1, 1):
                x = middle + s * (reach + side)
                quat = (np.cos(s * lean / 2), 0, -np.sin(s * lean / 2), 0)
                out.append(box((x, 0, z + height / 2), (thick, deep, long), 0.02, quat))
        z += height
        if level < levels - 1:
            for k in range(pairs - 1):
                middle = (k - (pairs - 2) / 2) * pitch
                out.append(box((middle, 0, z + thick), (0.98 * pitch / 2, deep, thick), 0.02))
            z += 2 * thick
    return scene(FLOOR + "".join(out), timestep=timestep, friction=(0.8,), **settings)


def bricks(rows, columns, **settings):
    """A wall of bricks, each on two."""
    half, gap = np.array([0.1, 0.05, 0.03]), 1e-3
    out = []
    for row in range(rows):
        short = row % 2
        for k in range(columns - short):
            x = (k - (columns - short - 1) / 2) * (2 * half[0] + gap)
            out.append(box((x, 0, (2 * row + 1) * half[2]), half, 2))
    return scene(FLOOR + "".join(out), friction=(0.6,), **settings)


def row_of_balls(count, gap, timestep, restitution=1, lcp="tolerance=1e-12 sweeps=500"):
    """Equal balls on one line, without gravity."""
    balls = (
        f'<body pos="{numbers((k * (0.1 + gap), 0, 0))}"><joint type="slide" axis="1 0 0"/>'
        '<geom type="sphere" size=".05" mass="1"/></body>'
        for k in range(count)
    )
    return scene(
        "".join(balls), timestep, gravity=(0, 0, 0), lcp=f"{lcp} restitution={restitution}"
    )


def gripper(timestep=0.002, margin=0.02, **settings):
    """A block of 20 kg between two fingers of 0.1 kg on slides, on a third slide that lifts them."""
    finger = (
        '<body><joint name="{0}" type="slide" axis="{1} 0 0"/><geom type="box" size=".01 .05 .05" pos="{2} 0 0" '
        'mass=".1"/></body>'
    )
    world = (
        FLOOR
        + box((0, 0, 0.1), (0.1,) * 3, 20)
        + '<body pos="0 0 .1"><joint name="lift" type="slide" axis="0 0 1" damping="50"/><geom type="box" '
        'size=".02 .02 .02" pos="0 0 .3" mass="1" contype="0" conaffinity="0"/>'
        + finger.format("left", 1, -0.111)
        + finger.format("right", -1, 0.111)
        + "</body>"
    )
    rest = '<actuator><motor joint="left"/><motor joint="right"/><position joint="lift" kp="20000"/></actuator>'
    return scene(world, timestep, friction=(1,), rest=rest, lcp=f"margin={margin}", **settings)


def wheel(timestep=0.002):
    """A wheel with a motor in a carriage that cannot turn, and a step of 4 cm."""
    world = (
        FLOOR
        + '<geom type="box" size=".5 1 .02" pos=".8 0 .02"/><body pos="0 0 .1"><joint type="slide" axis="1 0 0"/>'
        '<joint type="slide" axis="0 0 1"/><geom type="box" size=".05 .05 .05" mass="1" contype="0" conaffinity="0"/>'
        '<body><joint name="turn" type="hinge" axis="0 1 0"/><geom type="cylinder" size=".1 .03" '
        'quat="1 1 0 0" mass="1"/></body></body>'
    )
    return scene(
        world, timestep, friction=(1,), rest='<actuator><velocity joint="turn" kv="5"/></actuator>'
    )


def gears(teeth=(12, 18), radius=0.1, timestep=0.001):
    """Two wheels with convex teeth; the first has a motor, the second a damper."""
    radii = radius, radius * teeth[1] / teeth[0]
    quarter = np.pi * radius / teeth[0] / 2
    # a trapezoid that is narrower at its end, which leaves some play
    root, tip = quarter + 0.003, quarter - 0.008
    corners = [
        (x, s * w, z) for x, w in ((0, root), (0.022, tip)) for s in (-1, 1) for z in (-0.02, 0.02)
    ]

    def rim(count, r, phase):
        angles = 2 * np.pi * (np.arange(count) + phase) / count
        return "".join(
            f'<geom type="mesh" mesh="tooth" pos="{numbers(((r - 0.012) * np.cos(a), (r - 0.012) * np.sin(a), 0))}" '
            f'quat="{numbers((np.cos(a / 2), 0, 0, np.sin(a / 2)))}" mass=".01"/>'
            for a in angles
        )

    def disc(r):
        return f'<geom type="cylinder" size="{numbers((0.9 * r, 0.02))}" mass="1" contype="0" conaffinity="0"/>'

    world = (
        f'<body><joint name="a" axis="0 0 1"/>{disc(radii[0])}{rim(teeth[0], radii[0], 0)}</body>'
        f'<body pos="{numbers((sum(radii), 0, 0))}"><joint name="b" axis="0 0 1" damping=".5"/>'
        f"{disc(radii[1])}{rim(teeth[1], radii[1], 0.5 + teeth[1] / 2)}</body>"
    )
    return scene(
        world,
        timestep,
        gravity=(0, 0, 0),
        friction=(0.1,),
        assets=f'<asset><mesh name="tooth" vertex="{numbers(corners)}"/></asset>',
        rest='<actuator><velocity joint="a" kv="2"/></actuator>',
    )


def rod(mu, timestep=0.002, margin=0.02):
    """Painleve's: a rod that leans on a rough floor."""
    world = (
        FLOOR
        + '<body pos="0 0 .49" euler="0 20 0"><freejoint/><geom type="capsule" size=".02 .5" mass="1"/></body>'
    )
    return scene(world, timestep, friction=(mu,), lcp=f"margin={margin}")
