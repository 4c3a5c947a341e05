"""Prints messages that wire.py packs, for the tests of wire.js: a list of JSON, each message in base64."""

import base64
import importlib.util
import json
import pathlib

import numpy as np

PATH = pathlib.Path(__file__).parents[2] / "python" / "sinew" / "viewer" / "wire.py"


def _wire():
    """Return the module without its package, which wants the built library."""
    spec = importlib.util.spec_from_file_location("wire", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Print them."""
    pack = _wire().pack
    arrays = {
        "f4": np.array([[1.5, -2, 3], [4, 5, 6]], np.float32),
        "u1": np.arange(5, dtype=np.uint8),
        "f8": np.array([np.pi, -0.0, 1e300]),
        "i4": np.array([-1, 2], np.int32),
        "u4": np.array([4294967295], np.uint32),
        "none": np.zeros((0, 12), np.float32),
        "turned": np.array([1, 2], ">f4"),
    }
    messages = [
        pack({"kind": "frame", "name": "<b>Ünïcode</b> 🤖"}, arrays),
        pack({"kind": "role"}),
        pack({"time": float("nan"), "inside": [float("inf"), 1.0], "text": "NaN"}),
        pack({}, {"half": np.zeros(1, np.float16)}),
    ]
    print(json.dumps([base64.b64encode(message).decode() for message in messages]))


if __name__ == "__main__":
    main()
