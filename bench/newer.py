"""Scenes of what came with MuJoCo 4.0, each with it and without, as MJCF: python bench/newer.py FOLDER [NAME...]

Writes FOLDER/NAME.xml and FOLDER/NAME-off.xml and prints the paths. Said by the scenes as those of bench/scenes.py say it.
"""

import math
import random
from functools import partial

from scenes import ROOT, asked_for, document, memory, numbers, pose

JOINTS, ARMS = 7, 4
NOISE = 0.3


def flag(word: str, on: bool) -> str:
    return f'<option><flag {word}="enable"/></option>\n' if on else ""


def arm(k: int, joint: str = "", root: str = "") -> str:
    """Seven capsules on hinges across each other; nothing touches them."""
    text = ""
    for i in range(JOINTS):
        where = f'pos="{k} 0 2" {root}' if i == 0 else 'pos="0 0 -.2"'
        text += (
            f'<body {where}><joint name="j{k}_{i}" axis="{"0 1 0" if i % 2 else "1 0 0"}" damping=".3" armature=".01" {joint}/>'
            f'<geom type="capsule" size=".03" fromto="0 0 0 0 0 -.2" contype="0" conaffinity="0"/>'
            f'<site name="s{k}_{i}" pos="0 0 -.1"/>\n'
        )
    return text + "</body>" * JOINTS + "\n"


def arms(name: str, each: str, joint: str = "", rest: str = "", option: str = "") -> str:
    """Four arms with an actuator on each joint, `each` with the joint's name."""
    actuators = "".join(each.format(f"j{k}_{i}") for k in range(ARMS) for i in range(JOINTS))
    return document(
        name, "".join(arm(k, joint) for k in range(ARMS)), settle=100, noise=NOISE,
        option=f'timestep="0.002" {option}', rest=f"{rest}<actuator>{actuators}</actuator>",
    )  # fmt: skip


def grid(count: int, room: float, height: float):
    """Places side by side."""
    side = math.ceil(math.sqrt(count))
    for i in range(count):
        yield room * (i % side) + 5, room * (i // side) - room * side / 2, height


# ---- the scenes: on or off


def sleep(count: int, on: bool) -> str:
    """Boxes asleep on the floor beside an arm that moves; off: the arm alone."""
    boxes = "".join(
        f'<body {pose(at)} sleep="init"><freejoint/><geom type="box" size=".1 .1 .1"/></body>\n'
        for at in grid(count, 0.3, 0.0999)
    )
    rest = flag("sleep", True) + "".join(
        f'<actuator><motor joint="j0_{i}"/></actuator>' for i in range(JOINTS)
    )
    world = arm(0, root='sleep="never"') + (boxes if on else "")
    size = memory(count) if on else "-1"
    return document("sleep", world, settle=50, noise=NOISE, rest=rest, memory=size)


def discrete(on: bool) -> str:
    """Stiff servos, springs across joints, and boxes on the floor."""
    tendons = "".join(
        f'<fixed stiffness="20" damping="1"><joint joint="j{k}_0" coef="1"/><joint joint="j{k}_3" coef="-1"/></fixed>'
        for k in range(ARMS)
    )
    integrator = f'integrator="{"discrete" if on else "implicitfast"}"'
    boxes = "".join(
        f'<body {pose(at)}><freejoint/><geom type="box" size=".1 .1 .1"/></body>' for at in grid(10, 0.3, 0.1)
    )  # fmt: skip
    each = '<position joint="{}" kp="100" kv="5"/>'
    rest = f"<tendon>{tendons}</tendon><worldbody>{boxes}</worldbody>"
    return arms("discrete", each, 'stiffness="5"', rest, integrator)


def pid(on: bool) -> str:
    """Controllers with integral and slew; off: servos."""
    with_them = '<pid joint="{}" kp="50" kv="2" ki="20" slewmax="3" imax="1" input="pos vel ff"/>'
    return arms("pid", with_them if on else '<position joint="{}" kp="50" kv="2"/>')


def delays(on: bool) -> str:
    """Controls of ten steps before, and sensors of five."""
    late = ('nsample="10" delay=".02"', 'nsample="5" delay=".01" interp="linear"') if on else ("", "")  # fmt: skip
    sensors = "".join(
        f'<jointpos joint="j{k}_{i}" {late[1]}/><jointvel joint="j{k}_{i}" {late[1]}/>'
        + (f'<accelerometer site="s{k}_{i}" {late[1]}/>' if i == 6 else "")
        for k in range(ARMS)
        for i in range(JOINTS)
    )
    each = f'<position joint="{{}}" kp="50" kv="2" {late[0]}/>'
    return arms("delays", each, rest=f"<sensor>{sensors}</sensor>")


def springyield(on: bool) -> str:
    word = 'springyield=".1"' if on else ""
    return arms("springyield", '<motor joint="{}"/>', f'stiffness="5" {word}')


def resistance(on: bool) -> str:
    """Polynomials, and rotors with their bearings."""
    word, rotor = ('stiffness="5 .1 1"', 'armature=".01" damping=".1 .1"') if on else ('stiffness="5"', "")  # fmt: skip
    return arms("resistance", f'<motor joint="{{}}" gear="2" {rotor}/>', word)


def surfacevel(on: bool) -> str:
    """Boxes on a belt."""
    belt = 'surfacevel=".5 .1 0 0 0 0"' if on else ""
    world = f'<geom type="box" size="40 40 .1" pos="0 0 .1" {belt}/>\n' + "".join(
        f'<body {pose(at)}><freejoint/><geom type="box" size=".1 .1 .1"/></body>\n' for at in grid(40, 0.3, 0.2999)
    )  # fmt: skip
    return document("surfacevel", world, settle=100)


def adhesion(on: bool) -> str:
    """Boxes below a ceiling; off: as many contacts, on the floor."""
    ceiling = '<geom type="plane" size="0 0 1" euler="180 0 0" pos="0 0 1" margin=".001" gap=".004" adhesion="40"/>\n'
    world = (ceiling if on else "") + "".join(
        f'<body {pose(at)}><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/></body>\n'
        for at in grid(40, 0.3, 0.9 if on else 0.0999)
    )
    return document("adhesion", world, settle=100)


def speculative(on: bool) -> str:
    """Balls that fly through a room and hit each other, 6 cm a step."""
    rng = random.Random(1)
    world = "".join(
        f'<geom type="box" size="{numbers([0.1 if i == axis else 5 for i in range(3)])}" '
        f'pos="{numbers([side if i == axis else 2 for i in range(3)])}"/>\n'
        for axis in range(3)
        for side in (-3, 7)
    )
    qpos, qvel = [], []
    for _ in range(60):
        at = [rng.uniform(-2, 6) for _ in range(3)]
        v = [rng.gauss(0, 1) for _ in range(3)]
        qpos += [*at, 1, 0, 0, 0]
        qvel += [*(30 * x / math.hypot(*v) for x in v), 0, 0, 0]
        world += f'<body {pose(at)}><freejoint/><geom size=".05"/></body>\n'
    keys = f'<keyframe><key qpos="{numbers(qpos)}" qvel="{numbers(qvel)}"/></keyframe>'
    return document(
        "speculative", world, settle=0, option='timestep="0.002" gravity="0 0 0"',
        rest=flag("speculative", on) + keys,
    )  # fmt: skip


def slow(on: bool) -> str:
    """What is slow, with the flag: boxes at rest."""
    world = "".join(
        f'<body {pose(at)}><freejoint/><geom type="box" size=".1 .1 .1"/></body>\n' for at in grid(100, 0.25, 0.0999)
    )  # fmt: skip
    return document("slow", world, settle=100, rest=flag("speculative", on))


def diagexact(on: bool) -> str:
    """Our humanoid four times, on the ground."""
    file = ROOT / "examples" / "models" / "humanoid.xml"
    world = "".join(
        f'<frame pos="{2 * i} 0 0"><attach model="one" body="pelvis" prefix="h{i}_"/></frame>\n'
        for i in range(4)
    )
    rest = f'<asset><model name="one" file="{file}"/></asset>\n{flag("diagexact", on)}'
    return document("diagexact", world, settle=300, noise=NOISE, option='timestep="0.004"', rest=rest)  # fmt: skip


def rays(on: bool) -> str:
    """A depth camera of 32 by 24 pixels above boxes."""
    world = "".join(
        f'<body {pose(at)}><freejoint/><geom type="box" size=".1 .1 .1"/></body>\n' for at in grid(25, 0.3, 0.0999)
    )  # fmt: skip
    world += '<camera name="eye" pos="6 0 3" resolution="32 24" fovy="60"/>'
    sensor = '<sensor><rangefinder camera="eye" data="depth"/></sensor>' if on else ""
    return document("rays", world, settle=100, rest=sensor)


SCENES = {
    "sleep-1000": partial(sleep, 1000),
    "sleep-4000": partial(sleep, 4000),
    "discrete": discrete,
    "pid": pid,
    "delays": delays,
    "springyield": springyield,
    "resistance": resistance,
    "surfacevel": surfacevel,
    "adhesion": adhesion,
    "speculative": speculative,
    "slow": slow,
    "diagexact": diagexact,
    "rays": rays,
}


def main() -> None:
    folder, wanted = asked_for("Writes scenes of newer features as MJCF files.", SCENES)
    for name in wanted:
        for on in (True, False):
            path = folder / f"{name}{'' if on else '-off'}.xml"
            path.write_text(SCENES[name](on))
            print(path, flush=True)


if __name__ == "__main__":
    main()
