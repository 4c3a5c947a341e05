"""Values of every kind for members and methods of specs: what is refused is refused by errors that programs catch.

python spec_fuzz.py SEED ROUNDS
"""

import random
import sys
import warnings

import mujoco
import numpy as np

VALUES = [
    None, "", "x", "\0", "é", b"ab", -1, 0, 1, 2, 7, 99, 2**31, 2**40, -(2**63), 1e308, -1.0, float("nan"), float("inf"), [],
    [1], [1, 2], [1, 2, 3], [1] * 4, [1] * 6, [1] * 10, [1] * 12, [float("nan")] * 3, np.zeros((3, 3)), object(), True, False,
    {"a": "b"}, ["a", "b"], [["a"]], [[1, 2], [3]], mujoco.mjtGeom.mjGEOM_BOX, mujoco.mjtObj.mjOBJ_SITE,
]  # fmt: skip
REFUSALS = (OSError, ValueError, TypeError, NotImplementedError, mujoco.FatalError)
WRITERS = ("encode", "to_file", "to_zip")  # which would write files of odd names


def elements(spec):
    body = spec.worldbody.add_body(name="b")
    tendon = spec.add_tendon(name="t")
    corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    objects = dict(objtype=mujoco.mjtObj.mjOBJ_BODY)
    found = [
        spec, spec.compiler, body, body.add_geom(name="g", size=[0.1, 0, 0]), body.add_joint(name="j"), body.add_site(name="s"),
        body.add_camera(), body.add_light(), body.add_frame(name="f"), tendon,
        spec.add_actuator(name="a", target="j", trntype=mujoco.mjtTrn.mjTRN_JOINT),
        spec.add_sensor(type=mujoco.mjtSensor.mjSENS_FRAMEPOS, objname="b", **objects),
        spec.add_texture(name="x", builtin=1, width=2, height=2), spec.add_material(name="m"),
        spec.add_mesh(name="me", uservert=corners), spec.add_equality(name1="b", name2="world", **objects), spec.add_key(),
        spec.add_pair(geomname1="g", geomname2="g"), spec.add_numeric(name="n"), spec.add_text(name="tt"), spec.add_tuple(name="tu"),
        spec.default.geom, spec.default.actuator, spec.default.joint,
    ]  # fmt: skip
    tendon.wrap_site("s")
    tendon.wrap_site("s")
    return found


def change(element):
    """Set a member, or call a method."""
    name = random.choice([n for n in dir(type(element)) if not n.startswith("_")])
    value = random.choice(VALUES)
    try:
        member = getattr(element, name)
        if not callable(member):
            setattr(element, name, value)
        elif name not in WRITERS:
            member(*random.choice(([], [value], [value, random.choice(VALUES)])))
    except AttributeError as error:
        assert "no setter" in str(error) or "has no" in str(error), (name, value, error)
    except REFUSALS:
        pass
    except Exception as error:
        raise AssertionError(f"{type(element).__name__}.{name}, {value!r}") from error


def main(seed, rounds):
    warnings.simplefilter("ignore")
    random.seed(int(seed))
    for _ in range(int(rounds)):
        spec = mujoco.MjSpec()
        known = elements(spec)
        for _ in range(random.randint(1, 3)):
            change(random.choice(known))
        for function in (spec.compile, spec.to_xml, spec.copy):
            try:
                function()
            except REFUSALS:
                pass


if __name__ == "__main__":
    main(*sys.argv[1:])
