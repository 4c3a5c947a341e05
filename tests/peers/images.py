"""PNG files and models with files in memory, in both engines."""

import ctypes
import itertools
import struct
import zlib

import mujoco
import numpy as np

import bridge

COUNT = itertools.count()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(pixels, depth=8, kind=None, extra=b"", palette=None):
    """A PNG file of [height, width] or [height, width, channels] numbers; kind is the colour type of the format."""
    pixels = np.atleast_2d(pixels)
    height, width = pixels.shape[:2]
    if kind is None:
        kind = {1: 0, 2: 4, 3: 2, 4: 6}[pixels.shape[2] if pixels.ndim == 3 else 1]
    header = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    rows = []
    for row in pixels.reshape(height, -1):
        if depth >= 8:
            rows.append(b"\0" + row.astype(">u2" if depth == 16 else "u1").tobytes())
        else:
            bits = np.unpackbits(row.astype("u1")[:, None], axis=1)[:, 8 - depth :]
            rows.append(b"\0" + np.packbits(bits.ravel()).tobytes())
    colors = (
        chunk(b"PLTE", bytes(np.asarray(palette, "u1").ravel())) if palette is not None else b""
    )
    data = chunk(b"IDAT", zlib.compress(b"".join(rows)))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + colors + extra + data + chunk(b"IEND", b"")
    )


class Asset(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


def fresh(text, assets):
    """The peer keeps files by name from model to model: names that were never used."""
    names = {name: f"{next(COUNT)}_{name}" for name in assets}
    for name, other in names.items():
        text = text.replace(f'"{name}"', f'"{other}"')
    return text, {names[name]: data for name, data in assets.items()}


def load_ours(text, assets, options=bridge.AS_PINNED):
    """Our model and, when there is none, the error."""
    array = (Asset * max(1, len(assets)))()
    for i, (name, data) in enumerate(assets.items()):
        array[i] = Asset(name.encode(), data, len(data))
    error = bridge.Error()
    data = text.encode()
    pointer = bridge.lib.sn_loadModelText(
        data, ctypes.c_size_t(len(data)), array, len(assets), options, ctypes.byref(error)
    )
    return (None, error) if pointer is None else (bridge.Struct(pointer), error)


def warnings_of(text, assets):
    """The messages of the warnings with which a model loads; told strictly, they are its error."""
    warnings = bridge.Warnings()
    options = bridge.LoadOptions(False, ctypes.pointer(warnings), silent=b"3.3.7")
    assert load_ours(text, assets, ctypes.byref(options))[0] is not None
    messages = [warnings.list[i].message.decode() for i in range(warnings.count)]
    bridge.lib.sn_freeWarnings(ctypes.byref(warnings))
    options = bridge.LoadOptions(True, None, silent=b"3.3.7")
    model, error = load_ours(text, assets, ctypes.byref(options))
    assert (model is None) == bool(messages)
    assert not messages or error.message.decode() == messages[0]
    return messages


def load_both(text, assets):
    """The same model in both engines, each None when it is refused."""
    text, assets = fresh(text, assets)
    try:
        peer = mujoco.MjModel.from_xml_string(text, assets)
    except ValueError:
        peer = None
    return load_ours(text, assets)[0], peer
