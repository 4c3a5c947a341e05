"""Builds for another system, and runs there what can be run here: `./dev cross NAME`.

    python tools/cross.py NAME...       build, run, and say how many; "all": every target

The compiler is zig's (cmake/cross), libraries of others come from source (tools/thirdparty.py).
"""

import argparse
import contextlib
import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import time

import macho

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODELS = ROOT / "examples/models"
KEPT = ROOT / "tests/bits/kept"
# Hashes of 2,000 steps that the repository keeps; of batches, with the widths of lanes by which they were made.
HASHES = [
    "humanoid",
    "brick_stack",
    "cassie_legs",
    "nut_and_bolt",
    "soft_gripper",
    "swinging_atwood",
]
BATCHES = {"humanoid": ["2d", "4d", "8d"], "walker": ["4f", "8f", "16f"]}
# What such unit tests are of Windows does not have (tests/unit/CMakeLists.txt).
POSIX = re.compile(r"^#include <(?:sys/|unistd|pthread|dlfcn)", re.MULTILINE)
WINDOWS_LEFT_OUT = "test_elementary|test_sincos|test_reserve"
# Under an emulator those of these folders of tests/unit run, each for so many seconds at most: what takes longer is counted
# as left out.
CORE = "base|math|model|shape|smooth|constraint|collision|solver|pipeline|scene|sensor"
EMULATED_SECONDS = 300
# Those that it takes minutes for; of memory that is only reserved, of which it uses all; one that starts itself, which the
# system cannot do there.
EMULATED_LEFT_OUT = {
    "test_elementary|test_derivative|test_gradient|test_transition|_field|test_lane_|test_batch|threads|stress"
    "|fuzz|test_broadphase|replay_": "too slow under an emulator",
    "test_reserve|test_binary": "memory that they only reserve is used under an emulator, 20 GB and more",
    "test_platform_process": "it starts itself, and this system knows no programs of that processor",
}


@dataclasses.dataclass
class Target:
    """A system and a kind of processor, and what runs its programs here."""

    name: str
    runner: list[str] = dataclasses.field(default_factory=list)
    runs: bool = True
    emulated: bool = False
    suffix: str = ""
    why_not: str = ""


def targets():
    """All of them, with what this machine has to run them."""
    qemu = next(
        (
            shutil.which(name)
            for name in ("qemu-aarch64", "qemu-aarch64-static")
            if shutil.which(name)
        ),
        None,
    )
    arm = {
        "runner": [qemu or "qemu-aarch64"],
        "runs": bool(qemu),
        "emulated": True,
        "why_not": "no qemu-aarch64 here",
    }
    wine = next((p for name in ("wine64", "wine") if (p := shutil.which(name))), None)
    mac = {"runs": False, "why_not": "macOS runs on Apple's machines alone"}
    every = [
        Target("linux-arm64", **arm),
        Target(
            "musl-x86_64", runs=os.uname().machine == "x86_64", why_not="this machine is no x86-64"
        ),
        Target("musl-arm64", **arm),
        Target(
            "windows-x86_64",
            [wine or "wine64"],
            bool(wine),
            suffix=".exe",
            why_not="no wine64 here",
        ),
        Target("macos-arm64", **mac),
        Target("macos-x86_64", **mac),
    ]
    return {target.name: target for target in every}


class Failure(Exception):
    """What did not go as it should."""


class Build:
    """A build of one target, and the counts of what was done with it."""

    def __init__(self, target, jobs):
        self.target, self.jobs = target, jobs
        self.folder = ROOT / "build/cross" / target.name
        self.log = ROOT / f"build/log/cross-{target.name}.log"
        self.built, self.ran, self.left = [], [], []
        self.environment = {**os.environ, "WINEDEBUG": "-all"}
        self.runner = list(target.runner)
        if target.name == "linux-arm64":
            self.runner += ["-L", str(arm64_system())]

    def run(self, *command, quiet=True):
        """A command of the build; what it says goes into the log."""
        with self.log.open("a") as file:
            done = subprocess.run(
                list(map(str, command)),
                stdout=file,
                stderr=file,
                cwd=ROOT,
                env=self.environment,
                check=False,
            )
        if done.returncode and quiet:
            tail = "\n".join(self.log.read_text(errors="replace").splitlines()[-40:])
            raise Failure(f"{tail}\nfailed: {' '.join(map(str, command))} (whole log: {self.log})")
        return done.returncode

    def configure(self):
        """With tests where they can run."""
        toolchain = ROOT / f"cmake/cross/{self.target.name}.cmake"
        self.log.parent.mkdir(parents=True, exist_ok=True)
        self.log.unlink(missing_ok=True)
        runner = ";".join(self.runner) if self.target.runner else ""
        self.run(
            *[
                "cmake",
                "-S",
                ".",
                "-B",
                self.folder,
                "-G",
                "Ninja",
                f"-DCMAKE_TOOLCHAIN_FILE={toolchain}",
            ],
            *[
                "-DCMAKE_BUILD_TYPE=Release",
                "-DSINEW_WERROR=ON",
                "-DSINEW_THIRDPARTY=ON",
                "-DSINEW_TEST_HOOKS=OFF",
            ],
            *[f"-DSINEW_TESTS={'ON' if self.target.runs else 'OFF'}", "-DSINEW_BITS=ON"],
            f"-DCMAKE_CROSSCOMPILING_EMULATOR={runner}",
        )

    def compile(self):
        """All of it."""
        before = time.monotonic()
        self.run("cmake", "--build", self.folder, "-j", self.jobs)
        objects = sum(1 for _ in self.folder.rglob("*.o")) + sum(
            1 for _ in self.folder.rglob("*.obj")
        )
        self.built.append(f"{objects} objects in {time.monotonic() - before:.0f} s")
        for path in sorted(self.products()):
            self.built.append(f"{path.name} {path.stat().st_size / 1e6:.1f} MB")

    def products(self):
        """Libraries and programs that users would have."""
        for pattern in (
            "libsinew.a",
            "libsinew.so.*.*.*",
            "libsinew*.dylib",
            "*.dll",
            "bin/sinew",
            "bin/sinew.exe",
        ):
            yield from (p for p in self.folder.glob(pattern) if not p.is_symlink())

    def names(self):
        """Holds that whoever links the static library sees names of ours alone: as far as nm knows the system's files."""
        nm = shutil.which("llvm-nm") or "nm"
        command = [nm, "-g", "--defined-only", self.folder / "libsinew.a"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if "not recognized" in done.stderr:
            self.left.append("names in libsinew.a: nm does not know such files")
            return
        names = {line.split()[-1] for line in done.stdout.splitlines() if len(line.split()) == 3}
        if self.target.name.startswith("macos"):
            names = {name.removeprefix("_") for name in names}
        if len(names) < 1000:
            raise Failure(f"{nm} finds {len(names)} names in libsinew.a")
        strange = sorted(n for n in names if not n.startswith(("sn_", "snv_", ".")))
        if strange:
            raise Failure(f"libsinew.a has names that are not ours: {', '.join(strange[:20])}")
        self.ran.append(f"{len(names)} names in libsinew.a: all begin with sn_ or snv_")

    def program(self, path, *arguments):
        """What a program says that was built."""
        command = [
            *self.runner,
            str(self.folder / (path + self.target.suffix)),
            *map(str, arguments),
        ]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=ROOT, env=self.environment, check=False
        )
        return done.returncode, done.stdout, done.stderr

    @contextlib.contextmanager
    def services(self):
        """What Wine starts beside its first program, as long as programs follow: it would hold the pipe of that one."""
        if not self.target.name.startswith("windows"):
            yield
            return
        first = subprocess.Popen(
            [*self.runner, "cmd", "/c", "pause"],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=self.environment,
        )
        time.sleep(5)  # they are up
        try:
            yield
        finally:
            first.communicate(b"\r\n")

    def hashes(self):
        """Holds 2,000 steps of each model, and of batches, against what the repository keeps."""
        for name in HASHES:
            self.hold(name, f"{name}.txt")
        for name, widths in BATCHES.items():
            for width in widths:
                self.hold(name, f"{name}_lanes.txt", width)

    def hold(self, name, kept, *width):
        """One listing."""
        what = f"hashes of {' '.join([name, *width])}"
        model = (MODELS / f"{name}.xml").relative_to(ROOT)
        code, text, error = self.program(
            "tests/bits/hash_steps_static", model, 2000, "some", *width
        )
        if code == 3:
            self.left.append(f"{what}: {error.strip()}")
        elif code:
            raise Failure(f"{what}: {error}")
        elif text.replace("\r\n", "\n") != (KEPT / kept).read_text():
            raise Failure(f"{what}: not those of tests/bits/kept/{kept}")
        else:
            self.ran.append(what)

    def command(self):
        """The command simulates a second."""
        code, text, error = self.program("bin/sinew", "simulate", "--seconds", "1")
        if code or "warnings    none" not in text:
            raise Failure(f"sinew simulate: {code}\n{text}{error}")
        self.ran.append("sinew simulate")

    def tests(self):
        """Unit tests; of those that an emulator is too slow for none."""
        command = [
            "ctest",
            "--test-dir",
            str(self.folder),
            "-j",
            str(self.jobs),
            "--timeout",
            "600",
        ]
        if self.target.emulated:
            command += self.core()
        if self.target.name.startswith("windows"):
            command += ["-E", f"^({WINDOWS_LEFT_OUT})$"]
            posix = (
                p.stem
                for p in (ROOT / "tests/unit").rglob("test_*.c")
                if POSIX.search(p.read_text())
            )
            self.left.append(f"unit tests {', '.join(sorted(posix))}: of forks, signals and limits")
            self.left.append(
                f"unit tests {WINDOWS_LEFT_OUT.replace('|', ', ')}: true values come from functions of long double, "
                "which are no better than ours there; test_reserve fills memory under wine"
            )
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=ROOT, env=self.environment, check=False
        )
        with self.log.open("a") as file:
            file.write(done.stdout + done.stderr)
        good = re.search(r"(\d+)% tests passed, (\d+) tests failed out of (\d+)", done.stdout)
        late = re.findall(r"(test_\w+) \.+\*+Timeout", done.stdout) if self.target.emulated else []
        if not good or int(good[2]) > len(late):
            raise Failure("\n".join(done.stdout.splitlines()[-30:]))
        if late:
            self.left.append(f"unit tests {', '.join(late)}: more than {EMULATED_SECONDS} s each")
        self.ran.append(f"{int(good[3]) - len(late)} unit tests of {self.tests_built()}")

    def core(self):
        """Words for ctest that choose what runs under an emulator."""
        others = {p.name for p in (ROOT / "tests/unit").iterdir() if p.is_dir()} - {
            *CORE.split("|")
        }
        self.left.append(
            f"unit tests of {', '.join(sorted(others))}: not the core, for an emulator"
        )
        for names, why in EMULATED_LEFT_OUT.items():
            self.left.append(f"unit tests {names.replace('|', ', ')}: {why}")
        without = "|".join(EMULATED_LEFT_OUT)
        return ["-L", f"^({CORE})$", "-E", without, "--timeout", str(EMULATED_SECONDS)]

    def tests_built(self):
        """How many unit tests the build has."""
        command = ["ctest", "--test-dir", str(self.folder), "-N"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return int(re.search(r"Total Tests: (\d+)", said)[1])

    def lost_files(self):
        """Files that cannot be read or written: an error of one line that names them, and nothing is left behind."""
        folder = self.folder / "lost files"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "taken.npy").mkdir(parents=True)
        (folder / "cut.xml").write_text("<mujoco>")
        (folder / "kept.npy").write_text("of before")
        model = MODELS / "humanoid.xml"
        short = ["simulate", model, "--steps", "3", "--record"]
        asked = {
            "none.xml": ["simulate", folder / "none.xml"],
            "cut.xml": ["simulate", folder / "cut.xml"],
            "taken.npy": [*short, folder / "taken.npy"],
            "there/a.npy": [*short, folder / "there/a.npy"],
            "a" * 200: [*short, folder / f"{'a' * 300}.npy"],
            "out.xml": ["convert", model, folder / "there/out.xml"],
            "none.csv": [*short, folder / "kept.npy", "--ctrl", folder / "none.csv"],
        }
        before = sorted(folder.iterdir())
        for name, words in asked.items():
            code, _, error = self.program("bin/sinew", *self.given(words))
            if code != 1 or name not in error.replace("\\", "/") or error.count("\n") != 1:
                raise Failure(f"sinew {words}: {code}\n{error}")
        if sorted(folder.iterdir()) != before or (folder / "kept.npy").read_text() != "of before":
            raise Failure(f"{folder}: what failed has left something, or taken it")
        self.ran.append(f"{len(asked)} files that cannot be read or written")

    def given(self, words):
        """Words of a command, paths as seen from the folder that it runs in."""
        return [w.relative_to(ROOT) if isinstance(w, pathlib.Path) else w for w in words]

    def look(self):
        """What can be said of files that do not run here."""
        for path in self.products():
            if path.suffix == ".a":
                continue
            self.ran.append(macho.describe(path))

    def whole(self):
        """All of the above; what was done, as lines."""
        self.configure()
        self.compile()
        if self.target.runs:
            with self.services():
                self.hashes()
                self.command()
                self.lost_files()
                self.tests()
        else:
            self.left.append(f"running anything: {self.target.why_not}")
            if self.target.name.startswith("macos"):
                self.look()
        self.names()


def arm64_system():
    """Where an emulator finds glibc of ARM64: Debian's cross packages, or what ./dev test-long has unpacked."""
    for folder in (pathlib.Path("/usr/aarch64-linux-gnu"), ROOT / "build/arm64"):
        if (folder / "lib/ld-linux-aarch64.so.1").exists():
            return folder
    return pathlib.Path("/")


def processor_time():
    """Seconds that processors have worked for programs which this one has started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def summary(build, seconds, processor, failure):
    """What was built, what ran, what was left out and why; kept in a file for tests, too."""
    name = build.target.name
    verdict = "FAILED" if failure else "good"
    print(f"== {name}: {verdict}, {seconds:.0f} s, {processor:.0f} s of processors")
    for title, lines in (("built", build.built), ("ran", build.ran), ("left out", build.left)):
        print(f"   {title} ({len(lines)})")
        for line in lines:
            print(f"     {line}")
    if failure:
        print(f"   {failure}")
    counts = {
        "built": build.built,
        "ran": build.ran,
        "left": build.left,
        "seconds": round(seconds),
        "processor": round(processor),
        "failure": str(failure or ""),
    }
    build.folder.mkdir(parents=True, exist_ok=True)
    (build.folder / "summary.json").write_text(json.dumps(counts, indent=1) + "\n")


def main():
    """Returns the number of targets that failed."""
    every = targets()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "names", nargs="+", choices=[*every, "all"], metavar="NAME", help=", ".join([*every, "all"])
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    given = parser.parse_args()
    failed, start = 0, time.monotonic()
    for name in every if "all" in given.names else given.names:
        before, worked, failure = time.monotonic(), processor_time(), None
        build = Build(every[name], given.jobs)
        try:
            build.whole()
        except Failure as found:
            failure = found
            failed += 1
        summary(build, time.monotonic() - before, processor_time() - worked, failure)
        sys.stdout.flush()
    print(f"== all: {time.monotonic() - start:.0f} s, {processor_time():.0f} s of processors")
    return failed


if __name__ == "__main__":
    sys.exit(main())
