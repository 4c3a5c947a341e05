"""What an extension for CPython on Windows is compiled and linked with, made here: headers and a library of imports.

The headers are those of the Python that runs this, with what they ask of the system answered for Windows: on the stable ABI nothing else differs. The
library names what python3.dll has by the stable ABI of 3.11.
"""

import pathlib
import shutil
import subprocess
import sysconfig

NEWEST = (3, 11)
CONFIG = """\
// What the headers ask of 64-bit Windows on the stable ABI.
#ifndef Py_CONFIG_H
#define Py_CONFIG_H
#include <io.h>
#define MS_WIN32
#define MS_WIN64
#define MS_WINDOWS
#define NT_THREADS
#define HAVE_DECLSPEC_DLL
#define Py_ENABLE_SHARED 1
#define ALIGNOF_MAX_ALIGN_T 8
#define SIZEOF_DOUBLE 8
#define SIZEOF_FLOAT 4
#define SIZEOF_INT 4
#define SIZEOF_LONG 4
#define SIZEOF_LONG_LONG 8
#define SIZEOF_OFF_T 4
#define SIZEOF_PID_T 4
#define SIZEOF_SHORT 2
#define SIZEOF_SIZE_T 8
#define SIZEOF_TIME_T 8
#define SIZEOF_VOID_P 8
#define SIZEOF_WCHAR_T 2
#define SIZEOF__BOOL 1
#define HAVE_INTTYPES_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDDEF_H 1
#define HAVE_STDARG_PROTOTYPES 1
#define HAVE_WCHAR_H 1
#define HAVE_ERRNO_H 1
#endif
"""


def names():
    """What python3.dll exports by the stable ABI that extensions are compiled for: names of functions, names of data."""
    from abi3info import DATAS, FUNCTIONS

    def here(entry):
        known = (entry.added.major, entry.added.minor) <= NEWEST
        return known and (not entry.ifdef or entry.ifdef.name not in ("HAVE_FORK", "Py_REF_DEBUG"))

    return tuple(
        sorted(entry.symbol.name for entry in table.values() if here(entry))
        for table in (FUNCTIONS, DATAS)
    )


def definitions(library, rows):
    """A file of exports, as linkers for Windows read it."""
    return f"LIBRARY {library}\nEXPORTS\n" + "".join(f"  {row}\n" for row in rows)


def dlltool(definition, library):
    """Makes a library of imports from a file of exports."""
    import ziglang

    zig = pathlib.Path(ziglang.__file__).parent / "zig"
    subprocess.run(
        [zig, "dlltool", "-m", "i386:x86-64", "-d", definition, "-l", library], check=True
    )


def provide(folder):
    """Headers and library in a folder; what CMake's FindPython wants to be told."""
    include, library = folder / "include", folder / "libpython3.a"
    shutil.copytree(sysconfig.get_path("include"), include, dirs_exist_ok=True)
    (include / "pyconfig.h").write_text(CONFIG)
    functions, data = names()
    (folder / "python3.def").write_text(
        definitions("python3.dll", [*functions, *(f"{name} DATA" for name in data)])
    )
    dlltool(folder / "python3.def", library)
    return [f"-DPython_INCLUDE_DIR={include}", f"-DPython_LIBRARY={library}"]
