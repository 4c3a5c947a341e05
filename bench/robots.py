"""Writes robots of example-robot-data as Pinocchio reads them, and prints a path for each.

    robots.py FOLDER

PATH.xml is the tree of bodies as MJCF, without geometry; PATH.tree the same for bench/robots.cpp, a line a joint:
parent, class of joint, its axis, rotation (by rows) and position of its frame in the parent's; mass, centre of mass
and inertia (xx xy yy xz yz zz) of what it carries.
"""

import pathlib
import sys
import xml.etree.ElementTree as ET

import numpy as np
import pinocchio as pin

ROBOTS = {  # name: file, whether its root is free
    "panda": ("panda_description/urdf/panda.urdf", False),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", False),
    "tiago": ("tiago_description/robots/tiago.urdf", False),
    "solo12": ("solo_description/robots/solo12.urdf", True),
    "anymal": ("anymal_c_simple_description/urdf/anymal.urdf", True),
    "talos": ("talos_data/robots/talos_full_v2.urdf", True),
    "romeo": ("romeo_description/urdf/romeo.urdf", True),
    "icub": ("icub_description/robots/icub.urdf", True),
}


def text(*numbers):
    """Numbers with all their digits."""
    return " ".join(f"{x:.17g}" for x in np.concatenate([np.ravel(x) for x in numbers]))


def quaternion(rotation):
    """The rotation as an attribute."""
    quat = pin.Quaternion(rotation)
    return text([quat.w, quat.x, quat.y, quat.z])


def axis_of(model, i):
    """The unit motion of joint i, linear then angular; zeros if it has more than one."""
    joint = model.joints[i]
    if joint.nv != 1:
        return np.zeros(6)
    data = joint.createData()
    joint.calc(data, pin.neutral(model)[joint.idx_q : joint.idx_q + joint.nq])
    return np.ravel(data.S.matrix() if hasattr(data.S, "matrix") else data.S)


def principal(inertia):
    """Moments and axes of an inertia, or of one near to it that a body of some mass can have."""
    moments, axes = np.linalg.eigh(inertia.inertia)
    moments = np.maximum(moments, 1e-6)
    moments[2] = min(moments[2], 0.999 * (moments[0] + moments[1]))
    return moments, axes * np.linalg.det(axes)


def possible(inertia):
    """The inertia that goes with these."""
    moments, axes = principal(inertia)
    return pin.Inertia(max(inertia.mass, 1e-3), inertia.lever, axes @ np.diag(moments) @ axes.T)


def write_tree(model, path):
    """The robot for Pinocchio."""
    with path.open("w") as file:
        for i in range(1, model.njoints):
            axis, at, inertia = axis_of(model, i), model.jointPlacements[i], model.inertias[i]
            lower = inertia.inertia[np.tril_indices(3)]
            numbers = [
                axis[:3] + axis[3:],
                at.rotation,
                at.translation,
                [inertia.mass],
                inertia.lever,
                lower,
            ]
            print(model.parents[i], model.joints[i].shortname(), text(*numbers), file=file)


def write_mjcf(model, path):
    """The robot for us, its joints in the same order."""
    root = ET.Element("mujoco")
    ET.SubElement(root, "compiler", angle="radian")
    ET.SubElement(root, "option", gravity="0 0 -9.81")
    bodies = {0: ET.SubElement(root, "worldbody")}
    for i in range(1, model.njoints):
        at, inertia, axis = model.jointPlacements[i], model.inertias[i], axis_of(model, i)
        pose = {"pos": text(at.translation), "quat": quaternion(at.rotation)}
        bodies[i] = body = ET.SubElement(
            bodies[model.parents[i]], "body", name=model.names[i], **pose
        )
        if model.joints[i].nv == 6:
            ET.SubElement(body, "freejoint")
        else:
            kind = "hinge" if np.any(axis[3:]) else "slide"
            ET.SubElement(body, "joint", type=kind, axis=text(axis[:3] + axis[3:]))
        moments, axes = principal(inertia)
        ET.SubElement(
            body,
            "inertial",
            pos=text(inertia.lever),
            quat=quaternion(axes),
            mass=text([inertia.mass]),
            diaginertia=text(moments),
        )
    path.write_text(ET.tostring(root, encoding="unicode"))


def main():
    """Write each and print its path."""
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    data = pathlib.Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"
    robots = {}
    for name, (file, free) in ROBOTS.items():
        root = (pin.JointModelFreeFlyer(),) if free else ()
        robots[name] = pin.buildModelFromUrdf(str(data / file), *root)
    robots["sample-humanoid"] = pin.buildSampleModelHumanoidRandom(True)
    for name, model in robots.items():
        for i in range(1, model.njoints):
            model.inertias[i] = possible(model.inertias[i])
        write_tree(model, folder / f"{name}.tree")
        write_mjcf(model, folder / f"{name}.xml")
        print(folder / name)


main()
