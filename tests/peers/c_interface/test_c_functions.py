"""Every function of MuJoCo's C interface gives MuJoCo 3.3.7's numbers, and every member of a model and of a data its own."""

import importlib.util
import pathlib
import re

import pytest
from mujoco.introspect import ast_nodes, structs

import c_absent
from c_compile import HEADERS, ROOT, compile_with, run
from c_pairs import Programs, assert_same_numbers

HERE = pathlib.Path(__file__).parent
HUMANOID = ROOT / "examples/models/humanoid.xml"
SUITE = pathlib.Path(importlib.util.find_spec("dm_control").submodule_search_locations[0]) / "suite"
QUADRUPED = SUITE / "quadruped.xml"


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    return Programs(HERE, tmp_path_factory.mktemp("programs"))


# Models of dm_control with joints, tendons, actuators, equalities of all kinds, classes, frames of reference.
CHANGED = ["stacker", "quadruped", "humanoid_CMU", "fish", "swimmer", "point_mass"]
# As many digits as are printed; scenes are in single precision, from which pointers then go on.
CASES = [
    ("arithmetic", [], 1e-13, 1e-14),
    ("stages", [HUMANOID], 2e-9, 1e-9),
    ("stages", [QUADRUPED], 2e-9, 1e-9),
    ("callbacks", [], 2e-9, 1e-12),
    ("views", [HUMANOID], 1e-5, 1e-5),
    ("views", [QUADRUPED], 1e-5, 1e-5),
    ("files", [], 1e-9, 0),
    ("build", ["out.xml"], 1e-8, 1e-12),
    ("elements", [], 1e-8, 1e-12),
    *[("changes", [SUITE / f"{name}.xml"], 1e-5, 1e-9) for name in CHANGED],
    ("balance", [ROOT / "examples/models/cart_pole.xml"], 1e-4, 1e-6),
]


@pytest.mark.parametrize(
    ("name", "arguments", "rtol", "atol"), CASES, ids=lambda v: getattr(v, "stem", None)
)
def test_same_numbers(programs, tmp_path, name, arguments, rtol, atol):
    ours, theirs = programs.outputs(name, arguments, tmp_path)
    assert len(ours) >= 10
    assert_same_numbers(ours, theirs, rtol, atol)


def test_no_function_is_left_out():
    """Each stands in one of the programs here, or among the examples."""
    sources = [*HERE.glob("*.c*"), *(ROOT / "examples/mujoco_c").glob("*")]
    used = set(re.findall(r"\bmj[a-z]*_\w+", "".join(path.read_text() for path in sources)))
    headers = [path.read_text() for path in HEADERS.glob("*.h") if path.name != "mjabsent.h"]
    declared = set(re.findall(r"^MJAPI [^;]*?\b(mj[a-z]*_\w+)\(", "".join(headers), re.MULTILINE))
    assert len(declared) == 386 and declared <= used


# Members whose numbers are no physics, or stand for nothing.
OTHER_NUMBERS = {
    "narena": "how much memory there is",
    "nbuffer": "how much memory there is",
    "parena": "how much memory is used",
    "maxuse_arena": "how much memory is used",
    "actuator_moment": "what stands behind the numbers of a row",
    "nisland": "0, for islands are counted together",
    "efc_state": "the peer has them in the order of islands",
}  # fmt: skip
PRINTED = {
    "mjtNum": "%.12g",
    "float": "%.6g",
    "int": "%d",
    "mjtByte": "%d",
    "char": "%d",
    "size_t": "%zu",
    "mjtSize": "%zu",
}


def extent(field):
    """How many numbers an array has, in C."""
    sizes = field.array_extent if isinstance(field.array_extent, tuple) else (field.array_extent,)
    counts = " * ".join(f"({size})" for size in sizes)
    return re.sub(
        r"\bn[a-zA-Z]\w*", lambda n: ("d->" if n[0] in ("ncon", "nefc") else "m->") + n[0], counts
    )


def dump():
    """A program that prints every number of a model and of a data."""
    lines = []
    for struct, variable in (("mjModel", "m"), ("mjData", "d")):
        for field in structs.STRUCTS[struct].fields:
            if c_absent.is_absent(struct, field.name) or field.name in OTHER_NUMBERS:
                continue
            name = f"{variable}->{field.name}"
            if isinstance(field.type, ast_nodes.PointerType) and field.array_extent:
                inner = field.type.inner_type.name
                if inner in PRINTED:
                    lines += [f'    printf("{struct} {field.name}");']
                    lines += [f"    for (int i = 0; i < {extent(field)} && i < 3000; i++)"]
                    lines += [f'        printf(" {PRINTED[inner]}", {name}[i]);', '    puts("");']
            elif isinstance(field.type, ast_nodes.ValueType) and field.type.name in PRINTED:
                lines += [
                    f'    printf("{struct} {field.name} {PRINTED[field.type.name]}\\n", {name});'
                ]
    return "\n".join(lines)


DUMP = """#include <mujoco/mujoco.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    char error[500];
    mjModel* m = mj_loadXML(argv[argc - 1], NULL, error, sizeof error);
    mjData* d = mj_makeData(m);
    for (int i = 0; i < 20; i++) {
        for (int k = 0; k < m->nu; k++) d->ctrl[k] = 0.1 * sin(0.1 * i + k);
        mj_step(m, d);
    }
    mj_forward(m, d);
    ALL
    return 0;
}
"""


@pytest.fixture(scope="module")
def dumps(tmp_path_factory):
    """That program with either library."""
    folder = tmp_path_factory.mktemp("dump")
    (folder / "dump.c").write_text(DUMP.replace("    ALL", dump()))
    for library in ("ours", "peer"):
        compile_with(library, folder / "dump.c", folder / library)
    return [folder / "ours", folder / "peer"]


@pytest.mark.parametrize(
    "model", [HUMANOID, QUADRUPED, SUITE / "manipulator.xml"], ids=lambda p: p.stem
)
def test_members_have_the_same_numbers(dumps, model):
    ours, theirs = (run([program, model]).splitlines() for program in dumps)
    assert len(ours) > 400
    assert_same_numbers(ours, theirs, 1e-6, 1e-8)
