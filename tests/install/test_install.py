"""The installed library, used from outside the tree: CMake package, pkg-config, plain C and C++ headers."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from project_version import VERSION

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SINEW_BUILD", ROOT / "build/release"))
MUJOCO_THERE = bool(list(BUILD.glob("libsinew_mujoco.*")))
MODEL = ROOT / "examples/models/humanoid.xml"

PROGRAM = r"""
#include <sinew/sinew.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    snError error;
    snModel* m = sn_loadModel(argv[argc - 1], NULL, &error);
    if (!m) return puts(error.message), 1;
    snData* d = sn_makeData(m);
    if (!d) return 1;
    for (int i = 0; i < 10; i++) sn_step(m, d);
    printf("%s %d %.3f\n", sn_version(), m->nv, d->time);
    sn_deleteData(d);
    sn_deleteModel(m);
    return 0;
}
"""
EXPECTED = f"{VERSION} 27 0.040\n"

CMAKELISTS = """
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES C CXX)
find_package(sinew 0.2 REQUIRED COMPONENTS shared static)
add_executable(shared main.c)
target_link_libraries(shared PRIVATE sinew::sinew)
add_executable(static main.c)
target_link_libraries(static PRIVATE sinew::static)
add_executable(plusplus main.cc)
target_link_libraries(plusplus PRIVATE sinew::sinew)
"""


def run(*command, env=None, cwd=None):
    """Output of a command that must succeed."""
    done = subprocess.run(
        [str(c) for c in command],
        env={**os.environ, **(env or {})},
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    """A prefix into which the release build is installed and which is then moved: nothing may point back."""
    first = tmp_path_factory.mktemp("install") / "first"
    run("cmake", "--install", BUILD, "--prefix", first)
    moved = first.parent / "moved"
    first.rename(moved)
    return moved


@pytest.fixture(scope="module")
def library_folder(prefix):
    """Folder of libsinew.a: lib or lib64 or lib/ARCHITECTURE."""
    (archive,) = prefix.rglob("libsinew.a")
    return archive.parent


@pytest.fixture
def source(tmp_path):
    """A folder with the program."""
    (tmp_path / "main.c").write_text(PROGRAM)
    (tmp_path / "main.cc").write_text(PROGRAM)
    (tmp_path / "CMakeLists.txt").write_text(CMAKELISTS)
    return tmp_path


def test_cmake_package(prefix, source):
    run(
        "cmake",
        "-G",
        "Ninja",
        "-S",
        source,
        "-B",
        source / "build",
        f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Release",
    )
    run("cmake", "--build", source / "build")
    for program in ("shared", "static", "plusplus"):
        assert run(source / "build" / program, MODEL) == EXPECTED
    if shutil.which("ldd"):
        assert "libsinew" in run("ldd", source / "build/shared")
        assert "libsinew" not in run("ldd", source / "build/static")


def configured(folder, prefix, find, *options):
    """What CMake says of a project that finds the package so, and whether it can."""
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(outside LANGUAGES C)\n"
        f"set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)\n{find}\n"
        "foreach(name sinew static mujoco)\n  if(TARGET sinew::${name})\n"
        '    message(STATUS "has ${name}")\n  endif()\nendforeach()\n'
    )
    command = ["cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", *options]
    done = subprocess.run(
        [*map(str, command), f"-DCMAKE_PREFIX_PATH={prefix}"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode == 0, " ".join((done.stdout + done.stderr).split())


def test_components(prefix, tmp_path):
    """One component brings nothing of another; whoever asks for none has what there is."""
    for number, (components, has) in enumerate(
        [
            ("COMPONENTS shared", {"sinew"}),
            ("COMPONENTS static", {"static"}),
            ("", {"sinew", "static"}),
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        good, said = configured(folder, prefix, f"find_package(sinew 0.2 REQUIRED {components})")
        assert good, said
        assert set(re.findall(r"has (\w+)", said)) - {"mujoco"} == has
        assert ("has mujoco" in said) == (not components and MUJOCO_THERE)


def test_shared_needs_no_library_of_others(prefix, tmp_path):
    without = [f"-DCMAKE_DISABLE_FIND_PACKAGE_{name}=ON" for name in ("PNG", "EXPAT", "PkgConfig")]
    good, said = configured(
        tmp_path, prefix, "find_package(sinew 0.2 REQUIRED COMPONENTS shared)", *without
    )
    assert good, said


@pytest.mark.parametrize(
    ("find", "options", "words"),
    [
        (
            "REQUIRED COMPONENTS shared python",
            [],
            "component python is none: there are shared, static and mujoco",
        ),
        (
            "REQUIRED COMPONENTS static",
            ["-DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON"],
            "component static needs PNG, which is not found (Debian: libpng-dev)",
        ),
        (
            "REQUIRED COMPONENTS static",
            ["-DPKG_CONFIG_EXECUTABLE=/nowhere"],
            "component static needs CJSON, which is not found (Debian: libcjson-dev, pkg-config)",
        ),
    ],
)
def test_missing_components_are_named(prefix, tmp_path, find, options, words):
    good, said = configured(tmp_path, prefix, f"find_package(sinew 0.2 {find})", *options)
    assert not good and words in said, said
    find = find.replace("REQUIRED COMPONENTS shared", "OPTIONAL_COMPONENTS").replace(
        "REQUIRED COMPONENTS", "OPTIONAL_COMPONENTS"
    )
    (tmp_path / "optional").mkdir()
    good, said = configured(
        tmp_path / "optional",
        prefix,
        f'find_package(sinew 0.2 {find})\nmessage(STATUS "found=${{sinew_FOUND}}")',
        *options,
    )
    assert good and "found=TRUE" in said.replace("found=1", "found=TRUE"), said


def test_component_that_is_not_installed(prefix, tmp_path):
    shutil.copytree(prefix, tmp_path / "less", symlinks=True)
    for file in (tmp_path / "less").rglob("sinew-mujoco-targets*.cmake"):
        file.unlink()
    find = "find_package(sinew 0.2 REQUIRED COMPONENTS mujoco)"
    good, said = configured(tmp_path, tmp_path / "less", find)
    place = (tmp_path / "less").resolve()
    assert not good and f"component mujoco is not installed in {place}/:" in said.replace(
        f"{place}:", f"{place}/:"
    )
    assert "-DSINEW_MUJOCO_HEADER=ON" in said


@pytest.mark.parametrize("wanted", ["0.1", "0.3", "1.0"])
def test_other_versions_are_refused(prefix, tmp_path, wanted):
    """Until 1.0 a minor version is a library of its own."""
    good, said = configured(tmp_path, prefix, f"find_package(sinew {wanted} REQUIRED)")
    assert not good and f'compatible with requested version "{wanted}"' in said, said


@pytest.mark.parametrize("way", ["shared", "sinew-static", "--static, without the shared one"])
def test_pkg_config(prefix, library_folder, source, way):
    folder = library_folder
    if way.startswith("--"):
        copy = source / "copy"
        shutil.copytree(prefix, copy, symlinks=True)
        folder = copy / library_folder.relative_to(prefix)
        for library in folder.glob("libsinew.so*"):
            library.unlink()
    env = {"PKG_CONFIG_PATH": str(folder / "pkgconfig")}
    query = {"shared": ["sinew"], "sinew-static": ["sinew-static"]}.get(way, ["--static", "sinew"])
    flags = run("pkg-config", "--cflags", "--libs", *query, env=env).split()
    run("cc", source / "main.c", "-o", source / "main", *flags, env=env)
    if way == "shared":
        env["LD_LIBRARY_PATH"] = str(folder)
    elif shutil.which("ldd"):
        assert "libsinew" not in run("ldd", source / "main")
    assert run(source / "main", MODEL, env=env) == EXPECTED
    assert run("pkg-config", "--modversion", query[-1], env=env) == f"{VERSION}\n"


@pytest.mark.parametrize(
    "compiler",
    [
        ["cc", "-x", "c", "-std=c17", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"],
        ["c++", "-x", "c++", "-std=c++11", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"],
    ],
    ids=["c17", "c++11"],
)
def test_each_header_stands_alone(prefix, tmp_path, compiler):
    headers = sorted((prefix / "include/sinew").glob("*.h"))
    assert len(headers) == len(list((ROOT / "include/sinew").glob("*.h")))
    for header in headers:
        text = tmp_path / "one.c"
        text.write_text(f"#include <sinew/{header.name}>\n#include <sinew/{header.name}>\n")
        run(*compiler, f"-I{prefix / 'include'}", "-fsyntax-only", text)


MUJOCO_PROGRAM = r"""
#include <mujoco/mujoco.h>
#include <stdio.h>

int main(int argc, char** argv)
{
    char error[1000];
    mjModel* m = mj_loadXML(argv[argc - 1], NULL, error, sizeof error);
    if (!m) return puts(error), 1;
    mjData* d = mj_makeData(m);
    for (int i = 0; i < 10; i++) mj_step(m, d);
    printf("%s %d %.3f\n", mj_versionString(), m->nv, d->time);
    mj_deleteData(d);
    mj_deleteModel(m);
    return 0;
}
"""
MUJOCO_CMAKELISTS = """
cmake_minimum_required(VERSION 3.25)
project(outside LANGUAGES C CXX)
find_package(sinew 0.2 REQUIRED COMPONENTS mujoco)
add_library(mujoco::mujoco ALIAS sinew::mujoco)
add_executable(program main.cc)
target_link_libraries(program PRIVATE mujoco::mujoco)
"""
has_mujoco = pytest.mark.skipif(not MUJOCO_THERE, reason="built without MuJoCo's C interface")


@has_mujoco
def test_mujoco_by_pkg_config(prefix, library_folder, tmp_path):
    env = {
        "PKG_CONFIG_PATH": str(library_folder / "pkgconfig"),
        "LD_LIBRARY_PATH": str(library_folder),
    }
    (tmp_path / "main.c").write_text(MUJOCO_PROGRAM)
    flags = run("pkg-config", "--cflags", "--libs", "sinew-mujoco", env=env).split()
    run("cc", tmp_path / "main.c", "-o", tmp_path / "main", *flags, env=env)
    assert run(tmp_path / "main", MODEL, env=env) == "3.3.7 27 0.040\n"
    assert run("pkg-config", "--modversion", "sinew-mujoco", env=env) == f"{VERSION}\n"


@has_mujoco
def test_mujoco_by_cmake(prefix, tmp_path):
    (tmp_path / "main.cc").write_text(MUJOCO_PROGRAM)
    (tmp_path / "CMakeLists.txt").write_text(MUJOCO_CMAKELISTS)
    build = tmp_path / "build"
    run("cmake", "-G", "Ninja", "-S", tmp_path, "-B", build, f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", build)
    assert run(build / "program", MODEL) == "3.3.7 27 0.040\n"


def test_mujoco_is_made_on_request_alone(tmp_path):
    """What is installed is in cmake_install.cmake, before anything is built."""
    for wanted in (False, True):
        build = tmp_path / f"build{wanted}"
        option = f"-DSINEW_MUJOCO_HEADER={'ON' if wanted else 'OFF'}"
        run("cmake", "-G", "Ninja", "-S", ROOT, "-B", build, "-DSINEW_TESTS=OFF", option)
        assert ("include/mujoco" in (build / "cmake_install.cmake").read_text()) is wanted
        assert (build / "sinew-mujoco.pc").exists() is wanted
        assert ("src/mujoco" in (build / "build.ninja").read_text()) is wanted


def test_installed_command(prefix, tmp_path):
    command = prefix / "bin/sinew"
    assert run(command, "--version", cwd=tmp_path) == f"sinew {VERSION}\n"
    out = run(command, "simulate", "--steps", 5, cwd=tmp_path)
    assert "5 steps" in out
    arm = prefix / "share/sinew/models/desk_arm.urdf"
    assert "left_finger" in run(command, "inspect", arm, cwd=tmp_path)


def listed(library):
    """Names of the list that the headers are held to."""
    return set((ROOT / f"cmake/symbols/{library}.txt").read_text().split())


def found(folder, stem):
    """The shared library of a name."""
    return next(p for p in folder.iterdir() if p.name in (f"{stem}.so", f"{stem}.dylib"))


@pytest.mark.parametrize("library", ["sinew", pytest.param("mujoco", marks=has_mujoco)])
def test_only_the_interface_is_exported(library_folder, library):
    path = found(library_folder, "libsinew_mujoco" if library == "mujoco" else "libsinew")
    mac = sys.platform == "darwin"
    lines = run("nm", "-gU" if mac else "-D", "--defined-only", path).splitlines()
    rows = [line.split()[-2:] for line in lines]
    names = {name for kind, name in rows if kind != "A"}  # A: the version itself
    if sys.platform == "linux":
        version = f"SINEW{'_MUJOCO' * (library == 'mujoco')}_{'.'.join(VERSION.split('.')[:2])}"
        assert all(name.endswith(f"@@{version}") for name in names)
    assert {name.partition("@")[0].removeprefix("_" * mac) for name in names} == listed(library)


@pytest.mark.skipif(not shutil.which("readelf"), reason="no readelf")
def test_names_in_the_archive(library_folder):
    """Public ones are as in the shared library; all others begin as ours do, hidden, so that they clash with nobody's."""
    rows = [
        line.split() for line in run("readelf", "-sW", library_folder / "libsinew.a").splitlines()
    ]
    ours = [
        row for row in rows if len(row) == 8 and row[4] in ("GLOBAL", "WEAK") and row[6] != "UND"
    ]
    assert {row[7] for row in ours if row[5] == "DEFAULT"} == listed("sinew")
    assert not [row[7] for row in ours if not row[7].startswith(("sn_", "snv_"))]


@pytest.mark.skipif(not shutil.which("readelf"), reason="no readelf")
@pytest.mark.parametrize("stem", ["libsinew", pytest.param("libsinew_mujoco", marks=has_mujoco)])
def test_name_of_the_library(library_folder, stem):
    """The minor version is in it until 1.0: what was linked with another does not start with this one."""
    name = f"{stem}.so.{'.'.join(VERSION.split('.')[:2])}"
    assert f"soname: [{name}]" in run("readelf", "-d", found(library_folder, stem))
    assert (library_folder / name).resolve() == library_folder / f"{stem}.so.{VERSION}"


def test_size_of_the_archive(library_folder):
    """It holds machine code alone, for any compiler: what GCC optimises across files by is four times as much."""
    archive = library_folder / "libsinew.a"
    assert archive.stat().st_size < 15e6
    if shutil.which("readelf"):
        assert ".gnu.lto_" not in run("readelf", "-SW", archive)
