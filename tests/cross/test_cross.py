"""Every target is built from the sources of others, and what runs here runs: `./dev cross`, with the counts of what ran."""

import json
import os
import pathlib
import subprocess
import sys

import cross
import cross_syntax
import macho
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = cross.targets()
long = pytest.mark.skipif(
    not os.environ.get("SINEW_LONG"), reason="SINEW_LONG asks for builds for other systems"
)


@long
@pytest.mark.parametrize("name", [name for name in TARGETS if name in cross_syntax.targets()])
def test_target(name, capsys):
    """The least that must have run; the whole list is printed."""
    command = [sys.executable, ROOT / "tools/cross.py", name]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    with capsys.disabled():
        print("\n" + done.stdout)
    counts = json.loads((ROOT / f"build/cross/{name}/summary.json").read_text())
    assert not done.returncode, counts["failure"] + done.stderr
    ran = "\n".join(counts["ran"])
    if TARGETS[name].runs:
        assert all(f"hashes of {model}" in ran for model in cross.HASHES)
        assert "sinew simulate" in ran and "unit tests" in ran
    else:
        assert counts["left"]
    if name.startswith("macos"):
        assert "macOS 11.0 or later" in ran


def test_what_a_file_of_macos_wants(tmp_path):
    """One that is made here, byte by byte."""
    name = b"/usr/lib/libSystem.B.dylib\0".ljust(32, b"\0")
    wants = [0xC, 24 + len(name), 24, 0, 0, 0]
    oldest = [0x32, 24, 1, 11 << 16, 0, 0]
    header = [macho.MAGIC, 0x0100000C, 0, 6, 2, 0, 0, 0]
    words = b"".join(word.to_bytes(4, "little") for word in [*header, *oldest, *wants])
    (tmp_path / "a.dylib").write_bytes(words + name)
    assert macho.read(tmp_path / "a.dylib") == ("arm64", "11.0", ["/usr/lib/libSystem.B.dylib"])
    assert "macOS 11.0 or later, wants /usr/lib" in macho.describe(tmp_path / "a.dylib")
    (tmp_path / "b").write_bytes(b"\x7fELF" + bytes(60))
    with pytest.raises(ValueError, match="no 64-bit file of macOS"):
        macho.read(tmp_path / "b")


def test_names_are_those_of_files():
    """`./dev cross` knows a target for each file of compilers, but the one that only wheels are for."""
    files = {path.stem for path in (ROOT / "cmake/cross").glob("*.cmake")}
    assert files - {"zig", "linux-x86_64"} == set(TARGETS)
