"""What a file for macOS needs: libraries, the oldest system, processors."""

import pathlib
import struct

MAGIC = 0xFEEDFACF
PROCESSORS = {0x01000007: "x86_64", 0x0100000C: "arm64"}
LOAD_DYLIB, LOAD_WEAK_DYLIB, ID_DYLIB, VERSION_MIN, BUILD_VERSION = 0xC, 0x80000018, 0xD, 0x24, 0x32


def commands(data):
    """The load commands: number and bytes of each."""
    magic, _, _, _, count, _, _, _ = struct.unpack_from("<8I", data)
    if magic != MAGIC:
        raise ValueError("no 64-bit file of macOS")
    at = 32
    for _ in range(count):
        kind, size = struct.unpack_from("<2I", data, at)
        yield kind, data[at : at + size]
        at += size


def read(path):
    """The processor, the oldest system as text, the libraries that it wants."""
    data = pathlib.Path(path).read_bytes()
    libraries, oldest = [], None
    for kind, command in commands(data):
        if kind in (LOAD_DYLIB, LOAD_WEAK_DYLIB):
            (offset,) = struct.unpack_from("<I", command, 8)
            libraries.append(command[offset:].split(b"\0")[0].decode())
        elif kind == VERSION_MIN:
            (oldest,) = struct.unpack_from("<I", command, 8)
        elif kind == BUILD_VERSION:
            (oldest,) = struct.unpack_from("<I", command, 12)
    (processor,) = struct.unpack_from("<I", data, 4)
    version = "none" if oldest is None else f"{oldest >> 16}.{oldest >> 8 & 255}"
    return PROCESSORS.get(processor, hex(processor)), version, libraries


def describe(path):
    """In one line."""
    processor, oldest, libraries = read(path)
    return f"{pathlib.Path(path).name}: {processor}, macOS {oldest} or later, wants {', '.join(libraries) or 'nothing'}"
