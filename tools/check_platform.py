"""Checks that nothing outside of src/base/platform asks which system it is for: no macro that tells systems apart, no
header beside those of ISO C and of the libraries that the build finds, no call of what headers of ISO C declare on some
systems alone, nor of what takes the name of a file, which only src/base/platform reads as UTF-8 everywhere.

EXCEPTIONS has what must, and why. Which processor it is may be asked anywhere. Prints each fault as FILE:LINE: text and
exits with 1 if there is one.
"""

import re
import sys

import c_source

PLATFORM = "src/base/platform/"
CHECKED = "include src python/core tests/unit".split()

SYSTEMS = (
    "_WIN32 _WIN64 __MINGW32__ __MINGW64__ __CYGWIN__ _MSC_VER __APPLE__ __MACH__ __linux __linux__ __unix __unix__ "
    "__ANDROID__ __FreeBSD__ __GLIBC__ __GNU_LIBRARY__ __EMSCRIPTEN__ _GNU_SOURCE _POSIX_C_SOURCE _XOPEN_SOURCE "
    "_DEFAULT_SOURCE _BSD_SOURCE _DARWIN_C_SOURCE _UCRT WIN32_LEAN_AND_MEAN"
).split()
ISO = (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign stdarg stdatomic "
    "stdbool stddef stdint stdio stdlib stdnoreturn string tgmath time uchar wchar wctype"
).split()
# Of libraries and compilers, by how they begin.
LIBRARIES = (
    "sinew/ mujoco/ vector expat.h png.h zlib.h libqhull_r/ cjson/ amd.h Python.h structmember.h cpuid.h immintrin.h arm_neon.h "
    "sanitizer/ cmocka.h mpfr.h ode/ btBullet pinocchio/ Eigen/"
).split()
# What headers of ISO C declare in some systems alone: those of other headers cannot be called without them.
CALLS = {
    "files.h": "asprintf ctermid dprintf fdopen fileno fmemopen fopen freopen fseeko ftello getdelim getline mkdtemp "
    "mkostemp mkstemp open_memstream realpath remove rename strerror_r tmpfile tmpnam vasprintf vdprintf",
    "process.h": "_Exit _exit clearenv execl execle execlp execv execve execvp fork kill pclose popen putenv raise "
    "secure_getenv setenv strsignal system unsetenv waitpid",
    "console.h": "isatty sigaction sigaddset sigemptyset sigfillset signal sigprocmask",
    "clock.h": "asctime_r clock_gettime clock_nanosleep ctime_r gmtime_r localtime_r nanosleep strptime timegm "
    "timespec_get tzset",
    "plain_locale.h": "duplocale freelocale newlocale strcoll_l strtod_l strtof_l strtold_l uselocale",
    "pages.h": "aligned_alloc memalign mmap mprotect munmap posix_memalign valloc",
    "threads.h": "getpid sched_yield sysconf thrd_create",
}
CALLS = {
    name: f"src/base/platform/{header}" for header, names in CALLS.items() for name in names.split()
}
CALLS |= dict.fromkeys("memmem strcasecmp strcasestr strncasecmp".split(), "src/base/search.h")
CALLS |= dict.fromkeys(
    "drand48 srand48 mempcpy qsort_r rand_r random stpcpy strchrnul strndup strsep strtok_r strverscmp".split(),
    "C that every system has",
)

# Files, or folders that end in a slash, and what may be in them.
EXCEPTIONS = {
    "include/sinew/base.h": "_WIN32",  # how a library for Windows marks what it exports
    "include/mujoco/mjexport.h": "_WIN32",
    # a process that ends itself, or that forks, as only some systems know it
    "tests/unit/pipeline/test_made.c": "sys/wait.h unistd.h fork signal _exit waitpid",
    "tests/unit/pipeline/test_scene_threads.c": "pthread.h sys/wait.h unistd.h fork _exit waitpid",
    "tests/unit/base/test_thread_pool.c": "pthread.h sched.h sys/wait.h unistd.h _exit fork getpid kill sched_yield "
    "sigaction sigaddset sigemptyset waitpid",
    # limits, links and permissions of files
    "tests/unit/model/test_binary.c": "sys/resource.h sys/stat.h unistd.h fopen getpid signal",
}

INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<([^>]+)>", re.MULTILINE)
MACRO = re.compile(rf"\b(?:{'|'.join(SYSTEMS)})\b")
CALL = re.compile(rf"(?<![\w.>])({'|'.join(CALLS)})\s*\(")


def allowed(path):
    """What may be in a file beside what may be everywhere."""
    return {
        word
        for name, words in EXCEPTIONS.items()
        if path == name or (name.endswith("/") and path.startswith(name))
        for word in words.split()
    }


def is_known(header):
    """Whether a header is there on every system."""
    return header.removesuffix(".h") in ISO or header.startswith(tuple(LIBRARIES))


def found_in(text):
    """What a text has of a system, as (position, word, what to do about it)."""
    code = c_source.code(text)
    for match in MACRO.finditer(code):
        yield match.start(), match[0], "only src/base/platform asks for the system"
    for match in INCLUDE.finditer(code):
        if not is_known(match[1]):
            yield (
                match.start(1),
                match[1],
                "not every system has this header; see src/base/platform",
            )
    for match in CALL.finditer(code):
        yield match.start(), match[1], f"take {CALLS[match[1]]} instead"


def main():
    """Checks all sources in C."""
    faults, used = [], set()
    for file in c_source.files(*CHECKED):
        path = file.relative_to(c_source.ROOT).as_posix()
        if path.startswith(PLATFORM):
            continue
        text = file.read_text(encoding="utf-8")
        may = allowed(path)
        for position, word, mend in found_in(text):
            if word in may:
                used.add((path, word))
            else:
                faults.append(f"{path}:{c_source.line_of(text, position)}: {word}: {mend}")
    for name, words in EXCEPTIONS.items():
        for word in words.split():
            if not any(path.startswith(name) and word == each for path, each in used):
                faults.append(f"tools/check_platform.py: {name} has no {word} any more")
    return c_source.report(faults)


if __name__ == "__main__":
    sys.exit(main())
