"""The version of Sinew, which stands in CMakeLists.txt."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
VERSION = re.search(
    r"^project\(sinew VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE
)[1]
