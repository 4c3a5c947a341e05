"""Robots of example-robot-data on a floor: URDF models with a free base whose feet alone touch it."""

import importlib.util
import pathlib
import xml.etree.ElementTree

import numpy as np

import sinew

TALOS_FEET = ("leg_left_6_link", "leg_right_6_link")
TALOS_SOLE = -0.107  # m, of the soles below the frames of the feet
TALOS_SOLE_POINTS = [[x, y, TALOS_SOLE] for x in (-0.11, 0.1) for y in (-0.069, 0.069)]
SOLO_FEET = ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")
SOLO_FOOT_RADIUS = 0.016


def folder(*parts):
    """A file of example-robot-data, whose folder is beside the packages in which cmeel is."""
    cmeel = importlib.util.find_spec("cmeel")
    if cmeel is None:
        raise ModuleNotFoundError("example-robot-data is missing: ./dev setup installs it")
    site = pathlib.Path(cmeel.origin).parents[1]
    return site.joinpath("cmeel.prefix/share/example-robot-data/robots", *parts)


def keyframe(srdf, name):
    """Angles of joints by name in a group_state of an SRDF file; a free joint has seven numbers (position, quaternion x y z w)."""
    root = xml.etree.ElementTree.parse(srdf).getroot()
    for state in root.iter("group_state"):
        if state.get("name") == name:
            return {j.get("name"): [float(v) for v in j.get("value").split()] for j in state}
    raise KeyError(f"{srdf} has no state {name}")


def talos(timestep=0.001, touching=True):
    """Talos on a floor with boxes for soles, and qpos of half_sitting with the soles on the floor."""
    spec = sinew.Spec.from_urdf(
        folder("talos_data", "robots", "talos_reduced.urdf"), floating_base=True
    )
    for geom in list(spec.geoms):
        geom.remove()
    for foot in TALOS_FEET:
        low, high = np.min(TALOS_SOLE_POINTS, 0), np.max(TALOS_SOLE_POINTS, 0)
        half = (high - low) / 2
        spec.body(foot).add(
            "geom",
            foot,
            type="box",
            size=[half[0], half[1], 0.02],
            pos=[*((low + high) / 2)[:2], TALOS_SOLE + 0.02],
        )
    return _finish(
        spec,
        timestep,
        touching,
        keyframe(folder("talos_data", "srdf", "talos.srdf"), "half_sitting"),
        TALOS_FEET,
    )


def solo(timestep=0.001, touching=True):
    """Solo with twelve joints on a floor with balls for feet, and qpos of its standing pose with the feet on the floor."""
    spec = sinew.Spec.from_urdf(
        folder("solo_description", "robots", "solo12.urdf"), floating_base=True, keep_fixed=True
    )
    for geom in list(spec.geoms):
        geom.remove()
    for foot in SOLO_FEET:
        spec.body(foot).add("geom", foot, type="sphere", size=SOLO_FOOT_RADIUS)
    pose = keyframe(folder("solo_description", "srdf", "solo.srdf"), "standing")
    return _finish(spec, timestep, touching, pose, SOLO_FEET)


def _finish(spec, timestep, touching, pose, feet):
    spec.section("option").timestep = timestep
    spec.world.add("geom", "floor", type="plane", size=[0, 0, 1])
    if not touching:
        spec.geom("floor").contype = spec.geom("floor").conaffinity = 0
    model = spec.compile()
    qpos = np.array(model.qpos0)
    for name, value in pose.items():
        if name == "root_joint":
            x, y, z, w = value[3:]
            qpos[:7] = [*value[:3], w, x, y, z]
        elif len(value) == 1:
            qpos[model.joint(name).qposadr] = value[0]
    data = sinew.Data(model)
    data.qpos[:] = qpos
    sinew.forward(model, data)
    qpos[2] -= min(_lowest(model, data, model.geom(foot).id) for foot in feet)
    return model, qpos


def _lowest(model, data, geom):
    size, upward = model.geom_size[geom], np.abs(data.geom_xmat[geom].reshape(3, 3)[2])
    reach = size @ upward if model.geom_type[geom] == 6 else size[0]
    return data.geom_xpos[geom, 2] - reach
