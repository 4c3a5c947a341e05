"""Products that are not rounded before they are added to something: compilers make such instructions for kinds of processor that
have them, and GCC some of them though it shall not."""

import re
import shutil
import subprocess

import pytest

# GNU's, LLVM's as macOS and Debian call it.
PROGRAMS = ["objdump", "llvm-objdump", "llvm-objdump-19", "llvm-objdump-14"]
# Of x86-64, and of ARM64, where LLVM writes fmla.2d.
FUSED = re.compile(r"^\s*[0-9a-f]+:\s+(vfn?m(?:add|sub)\w*|fn?m(?:add|sub|la|ls)l?\b)", re.M)
HEAD = re.compile(r"^(?:[0-9a-f]+ )?<?([\w.@$]+)>?:$", re.M)
# Linked in from a system's library: an order of unknowns, found by whole numbers; of its products come statistics.
OTHERS = ("amd_",)


def library(folder):
    """The shared library of a build; skips the test where there is none."""
    for name in ("libsinew.so", "libsinew.dylib"):
        if (folder / name).exists():
            return folder / name
    pytest.skip(f"no libsinew.so or libsinew.dylib in {folder} to look into")


def fused(path, programs=PROGRAMS):
    """Functions of a library that have such instructions, with these; skips the test where nothing takes code apart."""
    program = next(filter(shutil.which, programs), None)
    if not program:
        pytest.skip(f"none of {', '.join(programs)} here to look for fused products")
    command = [program, "-d", "--no-show-raw-insn", path]
    code = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    heads = list(HEAD.finditer(code))
    assert len(heads) > 1000, f"{program} shows no functions of {path}"
    found = []
    for head, after in zip(heads, [*heads[1:], None], strict=True):
        words = FUSED.findall(code, head.end(), after.start() if after else len(code))
        if words and not head[1].startswith(OTHERS):
            found.append((head[1], sorted(set(words))))
    return found
