"""Scenes of cloth and soft bodies as MJCF: python bench/flex_scenes.py FOLDER [NAME...]

Writes FOLDER/NAME.xml and prints the paths. Said by the scenes as those of bench/scenes.py say it. Both engines solve to 1e-8.
"""

from functools import partial

from scenes import ROOT, asked_for, document

OPTION = 'timestep="0.002" integrator="discrete" solver="{}" tolerance="1e-8" iterations="1000"'
CLOTH = '<elasticity young="1e5" poisson="0.3" thickness="0.002" damping="0.002" elastic2d="both"/>'
APART = '<contact selfcollide="none"{}/>'


def cloth(side: int, inside: str, height: float, look: str = "") -> str:
    """One square metre of 0.3 kg."""
    spacing = 1 / (side - 1)
    return (
        f'<flexcomp name="cloth" type="grid" dim="2" count="{side} {side} 1" spacing="{spacing} {spacing} 1" pos="0 0 {height}"'
        f' mass="0.3" inertiabox="0.01" radius="{0.2 * spacing}" {look}>{inside}{CLOTH}</flexcomp>\n'
    )


def hanging(side: int, solver: str) -> str:
    """By two corners, touching nothing."""
    inside = f'<pin id="0 {side - 1}"/>' + APART.format(' contype="0" conaffinity="0"')
    return document("hanging", cloth(side, inside, 2), settle=300, option=OPTION.format(solver))


def draped(side: int, solver: str) -> str:
    """Over a ball."""
    ball = '<geom type="sphere" size="0.3" pos="0 0 0.5"/>\n'
    world = ball + cloth(side, APART.format(""), 0.85)
    return document("draped", world, settle=300, option=OPTION.format(solver))


def pressed(x: int, y: int, z: int, solver: str) -> str:
    """A block of six tetrahedra a cell under a plate of 20 kg."""
    block = (
        f'<flexcomp name="block" type="grid" dim="3" count="{x + 1} {y + 1} {z + 1}" spacing="0.04 0.04 0.04"'
        f' pos="0 0 {0.02 * z + 0.003}" mass="5" radius="0.002">{APART.format("")}'
        '<elasticity young="1e5" poisson="0.3" damping="0.005"/></flexcomp>\n'
    )
    plate = f'<body pos="0 0 {0.04 * z + 0.06}"><freejoint/><geom type="box" size="0.4 0.4 0.02" mass="20"/></body>\n'
    return document("pressed", block + plate, settle=200, option=OPTION.format(solver))


def gripper() -> str:
    """Soft pads that hold a mug."""
    text = (ROOT / "examples/models/soft_gripper.xml").read_text()
    custom = '<custom><numeric name="settle" data="300"/><numeric name="noise" data="0"/></custom>'
    closed = '<keyframe><key ctrl="0 -0.045 -0.045"/></keyframe>'
    return text.replace("</mujoco>", custom + closed + "\n</mujoco>")


SCENES = {
    "hanging-50": partial(hanging, 50, "CG"),
    "hanging-100": partial(hanging, 100, "CG"),
    "draped-50": partial(draped, 50, "CG"),
    "draped-100": partial(draped, 100, "CG"),
    "pressed-1000": partial(pressed, 8, 7, 3, "CG"),
    "pressed-10000": partial(pressed, 15, 14, 8, "CG"),
    "hanging-50-newton": partial(hanging, 50, "Newton"),
    "draped-50-newton": partial(draped, 50, "Newton"),
    "pressed-1000-newton": partial(pressed, 8, 7, 3, "Newton"),
    "gripper": gripper,
}


def main() -> None:
    folder, wanted = asked_for("Writes scenes of cloth and soft bodies as MJCF files.", SCENES)
    for name in wanted:
        path = folder / f"{name}.xml"
        path.write_text(SCENES[name]())
        print(path, flush=True)


if __name__ == "__main__":
    main()
