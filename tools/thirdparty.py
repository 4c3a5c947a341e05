"""Sources of others for builds without the system's libraries: fetched, held against their hashes, unpacked.

    python tools/thirdparty.py          what cmake/thirdparty.txt lists, into build/thirdparty/source
    python tools/thirdparty.py --sums   the SHA-256 of the archives that are there, for a new list

Archives are fetched by apt, with lists and a folder of its own: the system stays as it is. What is in
build/thirdparty/archives already, and right, is not fetched. Whom the archives come from matters not: their hashes stand
in the repository.
"""

import dataclasses
import fnmatch
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
LIST = ROOT / "cmake/thirdparty.txt"
FOLDER = ROOT / "build/thirdparty"
ARCHIVES = FOLDER / "archives"
SOURCE = FOLDER / "source"
MIRROR = "http://deb.debian.org/debian"
FOR_TESTS = {"cmocka"}


@dataclasses.dataclass
class Package:
    """A line of the list, and the one below it."""

    name: str
    version: str
    licence: str
    origin: str
    archive: str
    sha256: str
    files: list[str] = dataclasses.field(default_factory=list)

    @property
    def path(self):
        """Where its archive is, or would be."""
        return ARCHIVES / self.archive

    @property
    def licence_file(self):
        """Where its licence is once it is unpacked."""
        return SOURCE / self.name / self.files[0]


class Refusal(Exception):
    """What is in the way, and what to do."""


def packages():
    """The list."""
    found = []
    for number, line in enumerate(LIST.read_text().splitlines(), 1):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if line[0].isspace() and found:
            found[-1].files += words
        elif len(words) == 6:
            found.append(Package(*words))
        else:
            raise Refusal(f"{LIST}:{number}: not 'name version licence origin archive sha256'")
    return found


def sha256(path):
    """Of a file, as hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check(package):
    """Refuses an archive that is not the one of the list."""
    there = sha256(package.path)
    if there != package.sha256:
        raise Refusal(
            f"{package.path} is not the archive of {LIST.relative_to(ROOT)}:\n"
            f"  its SHA-256  {there}\n  the list's   {package.sha256}\n"
            f"Remove the file, so that it is fetched again; if {package.origin} has changed in Debian, look at what changed"
            " and write the new hash into the list"
        )


def apt_folder(suites):
    """A folder of apt's own, with lists of sources of these suites; the environment that points apt there."""
    apt = FOLDER / "apt"
    for part in ("lists/partial", "cache/archives/partial"):
        (apt / part).mkdir(parents=True, exist_ok=True)
    (apt / "status").touch()
    # signatures are not asked for: not every system has Debian's keys, and the hashes say more
    lines = [f"deb-src [trusted=yes] {MIRROR} {suite} main\n" for suite in suites]
    (apt / "sources.list").write_text("".join(lines))
    (apt / "conf").write_text(
        f'APT::Sandbox::User "{os.environ.get("USER", "root")}";\n'
        f'Dir::State "{apt}";\nDir::State::status "{apt}/status";\nDir::Cache "{apt}/cache";\n'
        f'Dir::Etc::sourcelist "{apt}/sources.list";\nDir::Etc::sourceparts "-";\n'
        'Debug::NoLocking "true";\nAcquire::Retries "3";\n'
    )
    return {**os.environ, "APT_CONFIG": str(apt / "conf")}


def run_apt(log, environment, *command):
    """Runs it in the folder of archives; what it says goes into a log."""
    with log.open("a") as file:
        done = subprocess.run(
            command, stdout=file, stderr=file, cwd=ARCHIVES, env=environment, check=False
        )
    return done.returncode == 0


def fetch(missing):
    """Archives, by apt."""
    names = ", ".join(package.archive for package in missing)
    by_hand = f"; or put {names} into {ARCHIVES} by hand"
    if not shutil.which("apt-get"):
        raise Refusal(f"apt-get is not here to fetch sources of others{by_hand}")
    log = ROOT / "build/log/thirdparty.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    log.unlink(missing_ok=True)
    ARCHIVES.mkdir(parents=True, exist_ok=True)
    print(f"fetching {names}", flush=True)
    for suite in sorted({package.origin.split("/")[0] for package in missing}):
        environment = apt_folder([suite])
        if not run_apt(log, environment, "apt-get", "update", "-q", "--error-on=any"):
            raise Refusal(
                f"Debian's lists of sources cannot be had, is there a network? See {log}{by_hand}"
            )
        sources = [p.origin.split("/")[1] for p in missing if p.origin.startswith(suite + "/")]
        run_apt(
            log, environment, "apt-get", "source", "-q", "--download-only", "--tar-only", *sources
        )
    shutil.rmtree(FOLDER / "apt")
    lost = [package.archive for package in missing if not package.path.exists()]
    if lost:
        raise Refusal(f"Debian has not given {', '.join(lost)}: see {log}{by_hand}")


def unpack(package, to):
    """The files of the list, without the archive's folder above them."""
    left = set(package.files)
    with tarfile.open(package.path) as archive:
        for member in archive:
            name = member.name.removeprefix("./").partition("/")[2]
            pattern = next((p for p in package.files if fits(name, p)), None)
            if not pattern or not member.isfile():
                continue
            left.discard(pattern)
            out = to / name
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_bytes(archive.extractfile(member).read())
    if left:
        raise Refusal(f"{package.path} has no {', '.join(sorted(left))}, which {LIST.name} names")


def fits(name, pattern):
    """Whether a path is of a pattern, whose stars stay in one folder."""
    return name.count("/") == pattern.count("/") and fnmatch.fnmatchcase(name, pattern)


def stamp(package):
    """What the unpacked files were made of."""
    return f"{package.sha256} {' '.join(package.files)}\n"


def provide():
    """All sources, in SOURCE."""
    every = packages()
    fetch_what_lacks(every)
    for package in every:
        folder, made_of = SOURCE / package.name, SOURCE / f"{package.name}.stamp"
        if made_of.exists() and made_of.read_text() == stamp(package) and folder.exists():
            continue
        check(package)
        shutil.rmtree(folder, ignore_errors=True)
        unpack(package, folder)
        made_of.write_text(stamp(package))
    return every


def fetch_what_lacks(every):
    """Fetches archives of what is not unpacked."""
    missing = []
    for package in every:
        made_of = SOURCE / f"{package.name}.stamp"
        unpacked = made_of.exists() and made_of.read_text() == stamp(package)
        if not unpacked and not package.path.exists():
            missing.append(package)
    if missing:
        fetch(missing)


def main():
    """Runs one of the commands above."""
    try:
        if sys.argv[1:] == ["--sums"]:
            for package in packages():
                if package.path.exists():
                    print(package.archive, sha256(package.path))
            return 0
        if sys.argv[1:]:
            print(__doc__, file=sys.stderr)
            return 2
        provide()
    except Refusal as refusal:
        print(f"thirdparty: {refusal}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
