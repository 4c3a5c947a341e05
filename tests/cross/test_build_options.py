"""Builds from the sources of others, and without those that an option turns off: what works, and what is said."""

import os
import pathlib
import subprocess

import pytest
from commands import run

pytestmark = pytest.mark.skipif(
    not os.environ.get("SINEW_LONG"), reason="SINEW_LONG asks for builds with other options"
)
ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = r"""
#include <sinew/sinew.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    snError error;
    snModel* m = sn_loadModel(argv[argc - 1], NULL, &error);
    if (!m) return puts(error.message), 1;
    snData* d = sn_makeData(m);
    for (int i = 0; i < 100; i++) sn_step(m, d);
    puts("stepped");
    sn_deleteData(d);
    sn_deleteModel(m);
    return 0;
}
"""
MODEL = "<mujoco><asset>{}</asset><worldbody/></mujoco>"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A program over a static library that has none of what can be left out."""
    run(os.environ.get("PYTHON", "python"), ROOT / "tools/thirdparty.py")
    folder = ROOT / "build/without"
    off = [f"-DSINEW_{name}=OFF" for name in ("PNG", "CJSON", "AMD", "CLI", "TESTS", "TEST_HOOKS")]
    run(
        *["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
        *["-DSINEW_WERROR=ON", "-DSINEW_THIRDPARTY=ON", "-DSINEW_LANE_WIDTHS=", *off],
    )
    run("cmake", "--build", folder, "--target", "sinew_static")
    work = tmp_path_factory.mktemp("without")
    (work / "main.c").write_text(PROGRAM)
    library = folder / "libsinew.a"
    run(
        "cc",
        work / "main.c",
        "-o",
        work / "main",
        f"-I{ROOT}/include",
        library,
        "-lm",
        "-pthread",
        "-ldl",
    )
    return work / "main"


def says(program, path):
    """What it prints."""
    done = subprocess.run([program, path], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done
    return done.stdout


def test_no_png(program, tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "m.xml").write_text(MODEL.format('<texture name="t" type="2d" file="a.png"/>'))
    assert "this build of Sinew has no libpng (the option SINEW_PNG is off)" in says(
        program, tmp_path / "m.xml"
    )


def test_no_cjson(program, tmp_path):
    (tmp_path / "a.gltf").write_text("{}")
    (tmp_path / "m.xml").write_text(MODEL.format('<mesh name="a" file="a.gltf"/>'))
    assert "this build of Sinew has no cJSON (the option SINEW_CJSON is off)" in says(
        program, tmp_path / "m.xml"
    )


def test_names_of_others():
    """Whoever links a static library sees of expat, libpng and their like no name that another copy has, too."""
    folder = ROOT / "build/names"
    off = [f"-DSINEW_{name}=OFF" for name in ("TESTS", "TEST_HOOKS", "TARGETS")]
    run(
        *["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
        *["-DSINEW_THIRDPARTY=ON", "-DSINEW_LANE_WIDTHS=", *off],
    )
    others = ["expat", "qhull", "zlib", "libpng", "cjson", "amd"]
    run("cmake", "--build", folder, "--target", *(f"thirdparty_{name}" for name in others))
    objects = sorted(folder.glob("CMakeFiles/thirdparty_*.dir/**/*.o"))
    rows = [row.split() for row in run("nm", "-g", "--defined-only", *objects).splitlines()]
    names = {row[2] for row in rows if len(row) == 3}
    assert len(names) > 1000
    assert not sorted(name for name in names if not name.startswith("sn_others_"))


@pytest.mark.parametrize("name", ["humanoid", "soft_gripper", "cassie_legs"])
def test_no_amd(program, name):
    """Other orders of elimination, for flexes and loops."""
    assert says(program, ROOT / f"examples/models/{name}.xml") == "stepped\n"
