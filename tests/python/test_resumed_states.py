"""A state saved in the middle of a run and set into other data goes on with the same bits: nothing that a result
depends on lives outside the state, be it kept for speed, left over from other steps, or in the order of things.
"""

import itertools
import os

import numpy as np
import pytest
import scenes

import piles
import sinew

LONG = bool(os.environ.get("SINEW_LONG"))
INTEGRATION = sinew.StateBit.INTEGRATION


def robot(name, tmp_path_factory):
    """A file: its meshes are found from its folder."""
    path = tmp_path_factory.mktemp("robot") / "robot.xml"
    path.write_text(scenes.robot(name, path.parent))
    return path


# text or file of a model from the factory of folders, and how many steps are made before the state is taken
SCENES = {
    "boxes": (lambda _: scenes.pile("boxes", 20), 150),
    "spheres": (lambda _: scenes.pile("spheres", 30), 150),
    "capsules": (lambda _: scenes.pile("capsules", 40), 150),
    "meshes": (lambda _: scenes.pile("meshes", 30), 150),
    "spread": (lambda _: scenes.spread("boxes", 20), 30),
    "bricks": (lambda _: scenes.bricks(3, 4), 30),
    "ring": (lambda _: scenes.ring(2, 12), 60),
    "humanoids": (lambda _: scenes.humanoids(3), 200),
    "net": (lambda _: scenes.net(4, 6), 200),
    "chain": (lambda _: scenes.chain(30), 50),
    "cube": (lambda _: piles.cube(1), 50),
    "talos": (lambda folders: robot("talos-standing", folders), 100),
    "allegro": (lambda folders: robot("allegro-grasping", folders), 200),
    "panda": (lambda folders: robot("panda-grasping", folders), 200),
}
# solver, or rigid contact; cone, islands, sweeps of noslip
WAYS = [
    *itertools.product(("NEWTON", "CG", "PGS"), ("PYRAMIDAL", "ELLIPTIC"), (True, False), (0,)),
    ("NEWTON", "PYRAMIDAL", True, 5),
    ("CG", "ELLIPTIC", True, 5),
    ("LCP", "PYRAMIDAL", True, 0),
    ("LCP", "ELLIPTIC", True, 0),
    ("LCP", "ELLIPTIC", False, 0),
]
INTEGRATORS = list(sinew.Integrator)


def choose(model, way, integrator):
    solver, cone, islands, sweeps = way
    rigid = solver == "LCP"
    model.opt.cone = sinew.Cone[cone]
    model.opt.integrator = sinew.Integrator.EULER if rigid else integrator
    if rigid:
        model.opt.contact = sinew.ContactModel.LCP
    else:
        model.opt.solver = sinew.Solver[solver]
    model.opt.noslip_iterations = sweeps
    if not islands:
        model.opt.disableflags |= sinew.DisableBit.ISLAND


def steps(model, data, count, first):
    """Some steps under noise, which hangs on the number of the step alone."""
    for k in range(first, first + count):
        data.ctrl[:] = 0.2 * sinew.noise(model.nu, 1, k * model.nu)
        sinew.step(model, data)


def everything(model, data):
    """The state and what the last step computed, as bytes."""
    fields = (data.xpos, data.qacc, data.qfrc_constraint, data.efc_force, data.efc_J, data.qLD)
    contact = data.contact
    parts = [sinew.getState(model, data, INTEGRATION), *fields, contact.dist, contact.pos]
    return [np.asarray(part).tobytes() for part in parts]


@pytest.fixture(scope="module", params=SCENES)
def scene(request, tmp_path_factory):
    make, before = SCENES[request.param]
    model = make(tmp_path_factory)
    load = sinew.Model.from_xml if isinstance(model, str) else sinew.Model.from_path
    return load(model), before


def ways_of(scene_number):
    """In the short tests each scene has a few of the ways, and each way some of the scenes."""
    return range(len(WAYS)) if LONG else range(scene_number % 4, len(WAYS), 4)


def test_a_state_goes_on_with_the_same_bits(scene, request):
    original, before = scene
    touched = 0
    for number in ways_of(list(SCENES).index(request.node.callspec.params["scene"])):
        model = original.__copy__()
        choose(model, WAYS[number], INTEGRATORS[number % len(INTEGRATORS)])
        data = sinew.Data(model)
        steps(model, data, before, 0)
        state = sinew.getState(model, data, INTEGRATION)
        fresh, used = sinew.Data(model), sinew.Data(model)
        steps(model, used, 3 + before // 3, 1000)
        for other in fresh, used:
            sinew.setState(model, other, state, INTEGRATION)
        for first in range(before, before + (400 if LONG else 200), 50):
            for each in data, fresh, used:
                steps(model, each, 50, first)
            expected = everything(model, data)
            assert everything(model, fresh) == expected, (WAYS[number], first)
            assert everything(model, used) == expected, (WAYS[number], first)
            touched += data.nefc
    assert touched or model.nv == 30  # the chain hangs free
