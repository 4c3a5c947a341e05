"""Prints an MJCF model of a limb that a hundred muscles pull: python bench/muscles.py > FILE.

Ten segments in a chain, each on two hinges across (20 dofs), above a floor. Ten tendons start on each segment
and run over one to three joints, every third one through sites alone, the others around a sphere or a
cylinder at each joint, half of those with a side site. One muscle, and sensors of length, velocity and force,
for each.
"""

import math

SEGMENTS, MUSCLES = 10, 10
LENGTH = 0.16  # of a segment
ROUND = 0.04  # radius of what tendons wrap around


def at(k: int, radius: float) -> tuple[float, float]:
    """Where path k goes through a cross-section."""
    angle = 2 * math.pi * (k + 0.25) / MUSCLES
    return radius * math.cos(angle), radius * math.sin(angle)


def radius(k: int) -> float:
    """Even paths lie within the wrapped radius and always wrap, odd ones when the joint bends."""
    return 0.032 if k % 2 == 0 else 0.05


def segment(i: int) -> str:
    """Body i with all that lies inside it."""
    sites = "".join(
        f'<site name="p{i}_{k}" pos="{at(k, radius(k))[0]:.6f} {at(k, radius(k))[1]:.6f} {-LENGTH / 2}"/>'
        f'<site name="s{i}_{k}" pos="{at(k, 0.07)[0]:.6f} {at(k, 0.07)[1]:.6f} 0"/>'
        for k in range(MUSCLES)
    )
    return (
        f'<body name="b{i}" pos="0 0 {-LENGTH if i else 1.5}">'
        f'<joint name="x{i}" axis="1 0 0"/><joint name="y{i}" axis="0 1 0"/>'
        f'<geom type="capsule" size="0.025" fromto="0 0 -0.03 0 0 {-LENGTH + 0.03}"/>'
        f'<geom name="w{i}" class="wrap" type="sphere" size="{ROUND}"/>'
        f'<geom name="c{i}" class="wrap" type="cylinder" size="{ROUND} 0.08" zaxis="1 0 0"/>'
        f"{sites}{segment(i + 1) if i + 1 < SEGMENTS else ''}</body>"
    )


def path(i: int, k: int) -> tuple[str, int]:
    """Tendon k from segment i - 1 (0: the mount), and how many joints it crosses."""
    span = min(1 + k % 3, SEGMENTS - i)
    text = f'<site site="{f"p{i - 1}_{k}" if i else f"m{k}"}"/>'
    for j in range(i, i + span):
        if k % 3:
            side = f' sidesite="s{j}_{k}"' if k % 4 < 2 else ""
            text += f'<geom geom="{"w" if k % 3 == 1 else "c"}{j}"{side}/>'
        text += f'<site site="p{j}_{k}"/>'
    return text, span


def model() -> str:
    """The whole file."""
    mount = "".join(
        f'<site name="m{k}" pos="{at(k, radius(k))[0]:.6f} {at(k, radius(k))[1]:.6f} {1.5 + LENGTH / 2}"/>'
        for k in range(MUSCLES)
    )
    tendons = actuators = sensors = ""
    for i in range(SEGMENTS):
        for k in range(MUSCLES):
            name, (text, span) = f"{i}_{k}", path(i, k)
            low, high = 0.6 * span * LENGTH, 1.5 * span * LENGTH
            tendons += f'<spatial name="t{name}" width="0.002">{text}</spatial>\n'
            actuators += f'<muscle name="a{name}" tendon="t{name}" force="40" lengthrange="{low:.3f} {high:.3f}"/>\n'
            sensors += f'<tendonpos tendon="t{name}"/><tendonvel tendon="t{name}"/><actuatorfrc actuator="a{name}"/>\n'
    return f"""<mujoco model="hundred muscles">
<option timestep="0.002" integrator="implicitfast"/>
<default>
<joint range="-50 50" damping="0.3" armature="0.002"/>
<default class="wrap"><geom contype="0" conaffinity="0" mass="0"/></default>
</default>
<worldbody><geom type="plane" size="3 3 0.1"/>{mount}
{segment(0)}
</worldbody>
<tendon>{tendons}</tendon>
<actuator>{actuators}</actuator>
<sensor>{sensors}</sensor>
</mujoco>"""


print(model())
