"""Wheels of the Python package that install without a compiler: `./dev wheels [NAME...]`, into dist/.

Each is built by zig's compiler (cmake/cross) from the sources of others that cmake/thirdparty.txt lists, all static inside,
on the stable ABI of CPython 3.11. Of the same tree the same bytes come each time. What a wheel wants of the system is held
against a list of what may be wanted.
"""

import argparse
import base64
import contextlib
import hashlib
import importlib.util
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

import macho
import sbom
import thirdparty
import windows_python

ROOT = pathlib.Path(__file__).resolve().parents[1]
BUILD = ROOT / "build/wheels"
DIST = ROOT / "dist"
LIMIT = 12_000_000
# NAME of cmake/cross to the tag of the platform; the first runs here and says what the stubs say.
TAGS = {
    "linux-x86_64": "manylinux_2_28_x86_64",
    "linux-arm64": "manylinux_2_28_aarch64",
    "musl-x86_64": "musllinux_1_2_x86_64",
    "musl-arm64": "musllinux_1_2_aarch64",
    "macos-arm64": "macosx_11_0_arm64",
    "macos-x86_64": "macosx_11_0_x86_64",
    "windows-x86_64": "win_amd64",
}
GLIBC = {
    "libc.so.6",
    "libm.so.6",
    "libpthread.so.0",
    "libdl.so.2",
    "ld-linux-x86-64.so.2",
    "ld-linux-aarch64.so.1",
}
ALLOWED = {
    "linux": GLIBC,
    "musl": {"libc.so", "libm.so"},
    "macos": {"/usr/lib/libSystem.B.dylib"},
    "windows": {"api-ms-win-crt", "kernel32.dll", "shell32.dll", "python3.dll"},
}
PROGRAMS = {"_core.abi3.so", "_core.pyd", "sinew", "sinew.exe"}
NEWEST_GLIBC = (2, 28)
# Without what is for debuggers: what zig puts into each file from its C libraries has names of folders in that.
STRIPPED = [f"-DCMAKE_{kind}_LINKER_FLAGS=-s" for kind in ("EXE", "SHARED", "MODULE")]


class Failure(Exception):
    """What is wrong with a wheel."""


def run(name, *command):
    """A command; what it says goes into a log."""
    log = ROOT / f"build/log/wheel-{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("a") as file:
        done = subprocess.run(
            list(map(str, command)), stdout=file, stderr=file, cwd=ROOT, check=False
        )
    if done.returncode:
        tail = "\n".join(log.read_text(errors="replace").splitlines()[-40:])
        raise Failure(f"{tail}\nfailed: {' '.join(map(str, command))} (whole log: {log})")


def zig():
    """Where zig is, whatever environment this one runs in, for CMake."""
    found = importlib.util.find_spec("ziglang")
    return [f"-DSINEW_ZIG={pathlib.Path(found.origin).parent / 'zig'}"] if found else []


def python_of(name):
    """What an extension is compiled with, for CMake: headers, and for Windows a library."""
    if name.startswith("windows"):
        return windows_python.provide(BUILD / "windows-python")
    return [f"-DPython_INCLUDE_DIR={sysconfig.get_path('include')}"]


def compile_for(name, jobs):
    """The extension and the command; the folder into which they are installed."""
    folder, stage = BUILD / name, BUILD / f"{name}.stage"
    (ROOT / f"build/log/wheel-{name}.log").unlink(missing_ok=True)
    run(
        name,
        *["cmake", "-S", ".", "-B", folder, "-G", "Ninja"],
        f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/cmake/cross/{name}.cmake",
        *zig(),
        *[
            "-DCMAKE_BUILD_TYPE=Release",
            "-DSINEW_WERROR=ON",
            "-DSINEW_THIRDPARTY=ON",
            "-DSINEW_TESTS=OFF",
        ],
        *[
            "-DSINEW_PYTHON=ON",
            "-DSKBUILD=2",
            "-DSKBUILD_STATE=wheel",
            "-DSKBUILD_SCRIPTS_DIR=scripts",
        ],
        f"-DPython_EXECUTABLE={sys.executable}",
        *STRIPPED,
        *python_of(name),
    )
    run(name, "cmake", "--build", folder, "-j", jobs, "--target", "sinew_python", "sinew_cli")
    shutil.rmtree(stage, ignore_errors=True)
    run(name, "cmake", "--install", folder, "--prefix", stage, "--component", "python")
    return stage


def stubs():
    """Type stubs, as the extension for this machine has them, in a folder."""
    out = BUILD / "stubs"
    extension = BUILD / "linux-x86_64/python/sinew/_core.abi3.so"
    run("linux-x86_64", sys.executable, ROOT / "python/stubs.py", extension, out)
    return out


def page():
    """The page of the viewer."""
    folder = BUILD / "page"
    run("page", sys.executable, ROOT / "python/page.py", "build", ROOT / "page", folder, "--strict")
    return folder / "built"


def metadata():
    """METADATA as pyproject.toml has it, and the version."""
    from scikit_build_core.build import prepare_metadata_for_build_wheel

    with tempfile.TemporaryDirectory() as folder:
        here = os.getcwd()
        os.chdir(ROOT)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                name = prepare_metadata_for_build_wheel(folder)
        finally:
            os.chdir(here)
        text = (pathlib.Path(folder) / name / "METADATA").read_text()
    return text, re.search(r"^Version: (.+)$", text, re.MULTILINE)[1]


def package_files():
    """The package's own files, path in the wheel to bytes."""
    folder = ROOT / "python"
    for path in sorted((folder / "sinew").rglob("*")):
        if (
            path.is_file()
            and "__pycache__" not in path.parts
            and path.suffix not in (".pyc", ".so")
        ):
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def contents(stage, tag):
    """Everything in a wheel but RECORD, path to bytes."""
    text, version = metadata()
    info, data = f"sinew_sim-{version}.dist-info", f"sinew_sim-{version}.data"
    files = dict(package_files())
    for path in sorted(p for p in stage.rglob("*") if p.is_file()):
        name = path.relative_to(stage).as_posix()
        files[f"{data}/{name}" if name.startswith("scripts/") else name] = path.read_bytes()
    for path in sorted(stubs().rglob("*.pyi")):
        files[f"sinew/{path.relative_to(BUILD / 'stubs').as_posix()}"] = path.read_bytes()
    built = page()
    for path in sorted(p for p in built.rglob("*") if p.is_file() and p.name != "made-from"):
        files[f"sinew/_viewer/page/{path.relative_to(built).as_posix()}"] = path.read_bytes()
    licences = {f"{p.name}/{p.licence_file.name}": p.licence_file for p in thirdparty.packages()}
    for name in [name for name in files if name.startswith("sinew/LICENSE.")]:
        del files[name]
    for name, path in licences.items():
        if name.split("/")[0] not in thirdparty.FOR_TESTS:
            files[f"{info}/licenses/{name}"] = path.read_bytes()
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/sboms/sinew.cdx.json"] = sbom.document(version).encode()
    files[f"{info}/METADATA"] = text.encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: sinew ({version})\nRoot-Is-Purelib: false\nTag: cp311-abi3-{tag}\n"
    ).encode()
    return files, info, version


def pack(files, info, path):
    """Writes a wheel: files in their order by name, of one date."""
    record = []
    for name in sorted(files):
        digest = (
            base64.urlsafe_b64encode(hashlib.sha256(files[name]).digest()).rstrip(b"=").decode()
        )
        record.append(f"{name},sha256={digest},{len(files[name])}\n")
    record.append(f"{info}/RECORD,,\n")
    every = files | {f"{info}/RECORD": "".join(record).encode()}
    # what tells of a wheel stands last, as the standard wants it
    order = sorted(files, key=lambda name: (name.startswith(info), name))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in [*order, f"{info}/RECORD"]:
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            program = "/scripts/" in name or name.endswith((".so", ".pyd"))
            entry.external_attr = (0o100755 if program else 0o100644) << 16
            archive.writestr(entry, every[name])


def needed_by_elf(path):
    """Shared libraries that a file wants, and the newest version of glibc that it asks for."""
    text = subprocess.run(
        ["readelf", "-dVW", path], capture_output=True, text=True, check=True
    ).stdout
    versions = [tuple(map(int, v.split("."))) for v in re.findall(r"Name: GLIBC_([\d.]+)", text)]
    return set(re.findall(r"\(NEEDED\).*\[(.+)\]", text)), max(versions, default=(0,))


def needed_by_pe(path):
    """Libraries that a file of Windows wants; those of its C runtime under one name."""
    import pefile

    with pefile.PE(path, fast_load=True) as file:
        file.parse_data_directories([pefile.DIRECTORY_ENTRY["IMAGE_DIRECTORY_ENTRY_IMPORT"]])
        names = {entry.dll.decode().lower() for entry in file.DIRECTORY_ENTRY_IMPORT}
    return {"api-ms-win-crt" if name.startswith("api-ms-win-crt-") else name for name in names}


def check_imports(name, path):
    """Refuses what a machine may not have."""
    system = name.split("-")[0]
    if system == "macos":
        processor, oldest, wanted = macho.read(path)
        found = f"macOS {oldest}"
        if tuple(map(int, oldest.split("."))) > (11, 0) or processor != name.split("-")[1]:
            raise Failure(f"{path.name}: for {processor}, {found}")
    elif system == "windows":
        wanted = needed_by_pe(path)
        found = "the C runtime of Windows 10"
    else:
        wanted, newest = needed_by_elf(path)
        found = f"GLIBC_{'.'.join(map(str, newest))}" if system == "linux" else "musl"
        if system == "linux" and newest > NEWEST_GLIBC:
            raise Failure(f"{path.name} asks for {found}: {TAGS[name]} has 2.28")
    more = set(wanted) - ALLOWED[system]
    if more:
        raise Failure(f"{path.name} wants {', '.join(sorted(more))}, which no system needs to have")
    return f"{path.name}: {', '.join(sorted(wanted))}; {found}"


def check_folders(path, folders):
    """Refuses a file that says in which folder it was built: elsewhere the same sources would make other bytes."""
    content = path.read_bytes()
    for folder in folders:
        if str(folder).encode() in content:
            raise Failure(f"{path.name} has {folder} in it, where it was built")


def check_repair(name, path):
    """repairwheel puts libraries of the building machine into a wheel that wants them: it must find none to put."""
    libc = [word for library in sorted(ALLOWED["musl"]) for word in ("-e", library)]
    command = [sys.executable, "-m", "repairwheel", "--no-sys-paths", *libc]
    with tempfile.TemporaryDirectory() as folder:
        run(name, *command, "-o", folder, path)
        (repaired,) = pathlib.Path(folder).glob("*.whl")
        ours, theirs = unpacked(path), unpacked(repaired)
    # tags and the list of files are written anew
    info = {n for n in ours if n.endswith((".dist-info/RECORD", ".dist-info/WHEEL"))}
    changed = {n for n in ours | theirs if ours.get(n) != theirs.get(n)} - info
    if changed:
        raise Failure(f"repairwheel would change {', '.join(sorted(changed))} of {path.name}")


def unpacked(path):
    """The files of a wheel, name to bytes."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name[-1] != "/"}


def check(name, path, stage):
    """All that is asked of a wheel; lines that say what was found."""
    size = path.stat().st_size
    if size > LIMIT:
        raise Failure(f"{path.name} has {size} bytes: more than {LIMIT}")
    said = [f"{size / 1e6:.1f} MB"]
    for file in sorted(p for p in stage.rglob("*") if p.name in PROGRAMS and p.is_file()):
        said.append(check_imports(name, file))
        check_folders(file, [ROOT, sys.prefix])
    run(name, sys.executable, "-m", "twine", "check", "--strict", path)
    run(name, sys.executable, "-m", "abi3audit", "--strict", path)
    check_repair(name, path)
    return [*said, "twine check, abi3audit: good; repairwheel has nothing to change"]


def make(name, jobs, into):
    """One wheel, into a folder."""
    stage = compile_for(name, jobs)
    files, info, version = contents(stage, TAGS[name])
    into.mkdir(parents=True, exist_ok=True)
    path = into / f"sinew_sim-{version}-cp311-abi3-{TAGS[name]}.whl"
    pack(files, info, path)
    print(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
    for line in check(name, path, stage):
        print(f"   {line}", flush=True)


def main():
    """Returns the number of wheels that failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(TAGS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--into", type=pathlib.Path, default=DIST, help="a folder (dist)")
    given = parser.parse_args()
    unknown = set(given.names) - set(TAGS)
    if unknown:
        parser.error(f"no such target: {', '.join(sorted(unknown))}; there are {', '.join(TAGS)}")
    failed = 0
    # the first one, which stubs are asked of, is built whatever is wanted
    for name in [n for n in TAGS if n in (given.names or TAGS)]:
        try:
            if (
                name != "linux-x86_64"
                and not (BUILD / "linux-x86_64/python/sinew/_core.abi3.so").exists()
            ):
                compile_for("linux-x86_64", given.jobs)
            make(name, given.jobs, given.into.absolute())
        except Failure as failure:
            print(f"wheels: {name}: {failure}", file=sys.stderr)
            failed += 1
    return failed


if __name__ == "__main__":
    sys.exit(main())
