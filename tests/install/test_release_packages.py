"""Debian's packages, releases: what `./dev deb` and `./dev release` make, and what they refuse."""

import hashlib
import os
import pathlib
import shutil
import sys
import tarfile

import pytest
from commands import run
from project_version import VERSION

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODEL = ROOT / "examples/models/humanoid.xml"
LONG = pytest.mark.skipif("SINEW_LONG" not in os.environ, reason="compiles all, some minutes")
# What packages are is not what is fast: one width of lanes, one kind of processor, nothing across files.
QUICK = ["-DSINEW_LTO=OFF", "-DSINEW_LANE_WIDTHS=", "-DSINEW_TARGETS=OFF"]


@pytest.fixture
def clone(tmp_path):
    """A clone of what is committed, with the Python environment of this one."""
    run("git", "clone", "-q", ROOT, tmp_path / "clone")
    (tmp_path / "clone/.venv").symlink_to(ROOT / ".venv")
    with (tmp_path / "clone/.git/info/exclude").open("a") as file:
        file.write("/.venv\n")  # .gitignore has the folder, not a link
    return tmp_path / "clone"


def test_release_of_a_tree_that_is_not_clean(clone):
    (clone / "note.txt").write_text("a thought\n")
    said = run("./dev", "release", code=1, cwd=clone)
    assert "the tree is not clean" in said and "?? note.txt" in said and "git stash -u" in said
    assert not (clone / "build").exists()


def test_release_before_must_be_there(clone):
    said = run("./dev", "release", "--since", "sinew-0.1.0.tar.gz", code=1, cwd=clone)
    assert "--since wants the tarball of a release before: sinew-0.1.0.tar.gz" in said


def test_release_wants_names_of_wheels(clone):
    assert "--wheels wants names" in run("./dev", "release", "--wheels", code=1, cwd=clone)


def fake(folder, version, members, functions):
    """A tarball with a library of these functions and headers with these members."""
    tree = folder / f"sinew-{version}-{len(members)}{len(functions)}"
    (tree / "include/sinew").mkdir(parents=True)
    (tree / "lib/pkgconfig").mkdir(parents=True)
    (tree / "lib/pkgconfig/sinew.pc").write_text(f"Version: {version}\n")
    header = (
        "typedef struct snModel {\n" + "".join(f"    int {m};\n" for m in members) + "} snModel;\n"
    )
    (tree / "include/sinew/sinew.h").write_text(header)
    source = folder / "fake.c"
    source.write_text("".join(f"int {name}(void) {{ return 0; }}\n" for name in functions))
    run("cc", "-shared", "-fPIC", source, "-o", tree / "lib/libsinew.so")
    path = folder / f"{tree.name}.tar.gz"
    with tarfile.open(path, "w:gz") as tar:
        tar.add(tree, tree.name)
    return path


@pytest.mark.skipif(
    not shutil.which("abidiff"), reason="no abidiff: ./dev release --since installs it"
)
def test_programs_of_the_release_before(tmp_path):
    """Within a minor version functions may come; none may go, and no struct may change."""
    abi = ROOT / "packaging/abi.sh"
    older = fake(tmp_path, "0.2.0", ["nq"], ["sn_step"])
    assert "nothing differs" in run(abi, older, older)
    more = fake(tmp_path, "0.2.1", ["nq"], ["sn_step", "sn_stop"])
    assert "runs with the newer one" in run(abi, older, more)
    words = "version 0.2 breaks what was built with the one before: raise the minor version"
    assert words in run(abi, more, older, code=1)
    wider = fake(tmp_path, "0.2.2", ["nq", "nv"], ["sn_step"])
    assert words in run(abi, older, wider, code=1)
    other = fake(tmp_path, "0.3.0", ["nq", "nv", "na"], ["sn_step"])
    assert "versions 0.2 and 0.3 differ, as they may" in run(abi, older, other)


@LONG
def test_release_is_the_same_twice(clone, tmp_path):
    """Built in two folders, each file has the same bytes, and the tarball is of use wherever it is unpacked."""
    said = run("./dev", "release", "--check", "--wheels", "native", *QUICK, cwd=clone)
    assert "both are the same, byte by byte" in said
    out = clone / "build/dist/out"
    sums = dict(reversed(line.split()) for line in (out / "SHA256SUMS").read_text().splitlines())
    assert set(sums) == {path.name for path in out.iterdir()} - {"SHA256SUMS"} and len(sums) == 3
    for name, digest in sums.items():
        assert hashlib.sha256((out / name).read_bytes()).hexdigest() == digest
    (tarball,) = out.glob("sinew-*.tar.gz")
    with tarfile.open(tarball) as tar:
        assert {(m.uid, m.gid, m.mtime) for m in tar} == {
            (0, 0, int(run("git", "log", "-1", "--format=%ct", cwd=clone)))
        }
        tar.extractall(tmp_path / "unpacked", filter="data")
    (tree,) = (tmp_path / "unpacked").iterdir()
    assert run(tree / "bin/sinew", "--version") == f"sinew {VERSION}\n"
    for file in (tree / "bin/sinew", tree / "lib/libsinew.so", tree / "lib/libsinew.a"):
        assert str(clone).encode() not in file.read_bytes()
    assert "libexpat.so.1" in (tree / "INSTALL").read_text()
    (wheel,) = out.glob("*.whl")
    half = tmp_path / wheel.name
    half.write_bytes(wheel.read_bytes()[: wheel.stat().st_size // 2])
    install = [sys.executable, "-m", "pip", "install", "--no-deps", "--target", tmp_path / "site"]
    assert "is invalid" in run(*install, half, code=1)
    run(*install, wheel)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    ask = "import sinew; print(sinew.__version__, sinew.__file__)"
    place = tmp_path / "site/sinew/__init__.py"
    assert run(sys.executable, "-P", "-c", ask, env=environment) == f"{VERSION} {place}\n"


@LONG
@pytest.mark.skipif(not shutil.which("apt-get"), reason="no Debian")
def test_debian_packages(clone, tmp_path):
    """lintian finds nothing; unpacked, the command runs, and a program is built with what lies in usr/."""
    said = run("./dev", "deb", *QUICK, cwd=clone)
    packages = {path.name.partition("_")[0]: path for path in (clone / "build/deb").glob("*.deb")}
    assert set(packages) == {"libsinew0.2", "libsinew-dev", "sinew"}, said
    root = tmp_path / "root"
    for path in packages.values():
        run("dpkg", "-x", path, root)
    (folder,) = {path.parent for path in root.rglob("libsinew.a")}
    environment = {**os.environ, "LD_LIBRARY_PATH": str(folder)}
    assert "5 steps" in run(root / "usr/bin/sinew", "simulate", "--steps", 5)
    text = tmp_path / "main.c"
    text.write_text(
        "#include <sinew/sinew.h>\n#include <stdio.h>\nint main(void) { return !puts(sn_version()); }\n"
    )
    flags = [f"-I{root / 'usr/include'}", f"-L{folder}", "-lsinew"]
    run("cc", text, "-o", tmp_path / "main", *flags)
    assert run(tmp_path / "main", env=environment) == f"{VERSION}\n"


def test_manual_page_has_all_commands():
    text = (ROOT / "packaging/sinew.1").read_text()
    named = set(
        line[3:] for line in text.splitlines() if line.startswith(".B ") and line[3:].isalpha()
    )
    sources = (ROOT / "src/cli").glob("*.c")
    names = {
        line.split('"')[1]
        for path in sources
        if "const cliCommand cli_" in (code := path.read_text())
        for line in code.splitlines()
        if line.strip().startswith(".name = ")
    }
    assert named - {"sinew"} == names
