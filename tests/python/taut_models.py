"""Structures that are taut: rods in one line between pins, and nets that hang from such a line."""

LENGTH = 0.3
MASS = 0.1

HEAD = """<mujoco><option timestep="{h}" integrator="{integrator}" gravity="0 0 {gravity}"><flag energy="enable"/></option>
<custom>{text}</custom><worldbody>{bodies}</worldbody></mujoco>"""
SHELL = 'contype="0" conaffinity="0"'


def whole(text, bodies, h=1e-3, integrator="Euler", gravity=-9.81):
    return HEAD.format(h=h, integrator=integrator, gravity=gravity, text=text, bodies=bodies)


def edges(n):
    """Rods of an n x n net, as pairs of knots (row, column)."""
    for i in range(n):
        for j in range(n):
            for end in ((i, j + 1), (i + 1, j)):
                if max(end) < n:
                    yield (i, j), end


def net_of_knots(n, ratio=1, mocap=False, **option):
    """Balls joined by loops `distance`, the top row straight between two pins; masses in turn, `ratio` apart."""
    bodies, text = "", ""
    for i in range(n):
        for j in range(n):
            pos = f'pos="{j * LENGTH} 0 {-i * LENGTH}"'
            site = f'<site name="k{i}_{j}"'
            if (i, j) == (0, n - 1) and mocap:
                bodies += f'<body name="pin" mocap="true" {pos}>{site}/></body>'
            elif (i, j) in ((0, 0), (0, n - 1)):
                bodies += f"{site} {pos}/>"
            else:
                slides = "".join(
                    f'<joint type="slide" axis="{a}"/>' for a in ("1 0 0", "0 1 0", "0 0 1")
                )
                mass = MASS * (ratio if (i + j) % 2 else 1)
                bodies += (
                    f'<body {pos}>{slides}<geom size=".02" mass="{mass}" {SHELL}/>{site}/></body>'
                )
    for (i, j), (k, l) in edges(n):
        name, ends = f"r{i}_{j}_{k}_{l}", f"k{i}_{j} k{k}_{l}"
        text += f'<text name="sinew_loop_{name}" data="distance {ends} length={LENGTH}"/>'
    return whole(text, bodies, **option)


def net_of_rods(n, ratio=1, **option):
    """The same net of floating rods, joined by loops `spherical`."""
    text, ends = "", {(0, 0): "pin0", (0, n - 1): "pin1"}
    bodies = f'<site name="pin0"/><site name="pin1" pos="{(n - 1) * LENGTH} 0 0"/>'
    for a, b in edges(n):
        name = f"r{a[0]}_{a[1]}_{b[0]}_{b[1]}"
        along = f"{(b[1] - a[1]) * LENGTH} 0 {-(b[0] - a[0]) * LENGTH}"
        mass = MASS * (ratio if sum(a) % 2 else 1)
        bodies += (
            f'<body pos="{a[1] * LENGTH} 0 {-a[0] * LENGTH}"><freejoint/>'
            f'<geom type="capsule" size=".01" fromto="0 0 0 {along}" mass="{mass}" {SHELL}/>'
            f'<site name="{name}a"/><site name="{name}b" pos="{along}"/></body>'
        )
        for knot, site in ((a, name + "a"), (b, name + "b")):
            if knot in ends:
                text += f'<text name="sinew_loop_{site}" data="spherical {ends[knot]} {site}"/>'
            else:
                ends[knot] = site
    return whole(text, bodies, **option)


def toggle(rods=2, short=0.0, ratio=1, kind="spherical", load=0, **option):
    """Hinged rods in one line from the origin to a pin that stands nearer by `short` than they reach.

    Masses in turn, `ratio` apart, or a middle one that is heavier by `load`.
    """
    bodies, end = "", ""
    for k in range(rods):
        mass = MASS * (ratio if k % 2 else 1) + (load if k == rods // 2 else 0)
        bodies += (
            f'<body pos="{LENGTH if k else 0} 0 0"><joint axis="0 1 0"/>'
            f'<geom type="capsule" size=".01" fromto="0 0 0 {LENGTH} 0 0" mass="{mass}" {SHELL}/>'
        )
        end += "</body>"
    axis = 'zaxis="0 1 0"'
    bodies += f'<site name="tip" pos="{LENGTH} 0 0" {axis}/>{end}'
    bodies += f'<site name="pin" pos="{rods * LENGTH - short} 0 0" {axis}/>'
    return whole(f'<text name="sinew_loop_end" data="{kind} pin tip"/>', bodies, **option)
