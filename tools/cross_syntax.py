"""Whether the sources are C to the compilers of other systems: `-fsyntax-only`, by zig, for each target of cmake/cross.

Only files that a system can make a difference to are read: src/base, the command, and what includes a header of the system
or of another's library beyond those that are the same everywhere. The rest is compiled by `./dev cross`. Files that need a
library whose source tools/thirdparty.py has not unpacked are left out, and counted.
"""

import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
CROSS = ROOT / "cmake/cross"
SOURCE = ROOT / "build/thirdparty/source"
MADE = ROOT / "build/thirdparty/include"
# The same on every system, as far as Sinew uses them.
PLAIN = set(
    "assert complex float inttypes limits math stdalign stdarg stdbool stddef stdint string tgmath".split()
)
INCLUDE = re.compile(r"^\s*#\s*include <([\w./]+)\.h>", re.MULTILINE)
OF_OTHERS = {
    "expat",
    "png",
    "zlib",
    "amd",
    "cjson/cJSON",
    "libqhull_r/libqhull_r",
    "libqhull_r/poly_r",
}
FILES_A_RUN = 24


def sources():
    """The files to read; those that wait for libraries of others."""
    chosen, waiting = [], []
    here = (SOURCE / "expat").exists()
    for path in sorted((ROOT / "src").rglob("*.c")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(("src/mujoco/", "src/batch/lane/", "src/target/")):
            continue
        wanted = {
            word for word in INCLUDE.findall(path.read_text()) if not word.startswith("sinew/")
        }
        if not (wanted - PLAIN or name.startswith(("src/base/", "src/cli/"))):
            continue
        (waiting if wanted & OF_OTHERS and not here else chosen).append(path)
    return chosen, waiting


def headers():
    """Folders of headers of others; those that are made when a library is built are made here."""
    if not (SOURCE / "expat").exists():
        return []
    (MADE / "cjson").mkdir(parents=True, exist_ok=True)
    shutil.copy(SOURCE / "cjson/cJSON.h", MADE / "cjson/cJSON.h")
    shutil.copy(SOURCE / "libpng/scripts/pnglibconf.h.prebuilt", MADE / "pnglibconf.h")
    parts = (
        "expat/expat/lib",
        "qhull/src",
        "zlib",
        "libpng",
        "amd/AMD/Include",
        "amd/SuiteSparse_config",
    )
    return [f"-isystem{SOURCE / part}" for part in parts] + [f"-isystem{MADE}"]


def fits(path, target):
    """Whether a file is of a target at all: those in rooms of one system are not of others."""
    other = "posix" if "windows" in target else "windows"
    return f"/platform/{other}" not in path.as_posix()


def words_of(zig, target):
    """What zig says to clang of a target: its full name, folders of headers, macros."""
    command = [zig, "cc", "-target", target, "-v", "-E", "-x", "c", os.devnull]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    line = next(line for line in said.splitlines() if " -cc1 " in line)
    triple = re.search(r"-triple (\S+)", line)[1]
    folders = re.findall(r"-isystem (\S+)", line)
    macros = [f"-D{macro}" for macro in re.findall(r"-D (\S+)", line)]
    return [f"--target={triple}", "-nostdinc", *macros], [f"-isystem{folder}" for folder in folders]


def read(zig, words, folders, paths):
    """What the compiler says of some files."""
    command = [zig, "clang", *words, "-fsyntax-only", "-std=gnu17", "-Wall", "-Wextra", "-Werror"]
    command += ["-Wno-unterminated-string-initialization", "-DXML_STATIC", "-DCJSON_HIDE_SYMBOLS"]
    command += [f"-I{ROOT}/include", f"-I{ROOT}/src", *folders]
    done = subprocess.run([*command, *map(str, paths)], capture_output=True, text=True, check=False)
    return done.stderr or "the compiler says nothing" if done.returncode else ""


def targets():
    """Names of targets, and what zig calls them."""
    found = {}
    for path in sorted(CROSS.glob("*.cmake")):
        name = re.search(r"set\(zig_target (\S+)\)", path.read_text())
        if name and (path.stem != "windows-x86_64" or (ROOT / "src/base/platform").exists()):
            found[path.stem] = name[1]
    return found


def main():
    """Returns 1 if a compiler finds a fault."""
    import ziglang

    zig = str(pathlib.Path(ziglang.__file__).parent / "zig")
    before = time.monotonic()
    chosen, waiting = sources()
    folders = headers()
    jobs, faults = {}, 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, target in targets().items():
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            words, system = words_of(zig, target)
            words += ["-DSINEW_BUILDING"] if "windows" in target else []
            mine = [path for path in chosen if fits(path, target)]
            for first in range(0, len(mine), FILES_A_RUN):
                run = mine[first : first + FILES_A_RUN]
                jobs[pool.submit(read, zig, words, [*folders, *system], run)] = name
        for job in concurrent.futures.as_completed(jobs):
            if job.result():
                faults += 1
                print(f"{jobs[job]}:\n{job.result()}", file=sys.stderr)
    names = sorted(set(jobs.values()))
    left = f"; {len(waiting)} wait for tools/thirdparty.py" if waiting else ""
    print(f"{len(chosen)} files for {', '.join(names)}: {time.monotonic() - before:.0f} s{left}")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
