"""Prints a table that columns.py of a page in one file packs, for the tests of columns.js: JSON, arrays in base64."""

import base64
import importlib.util
import json
import pathlib

import numpy as np

PACKAGE = pathlib.Path(__file__).parents[2] / "python" / "sinew"
PATH = PACKAGE / "_viewer" / "export" / "columns.py"


def _module():
    """Return the module without its package, which wants the built library."""
    spec = importlib.util.spec_from_file_location("columns", PATH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _packed(table, first):
    columns, changes = _module().pack(table, first)
    arrays = {"columns": columns, "changes": changes, "table": table, "first": first}
    return {name: base64.b64encode(array.tobytes()).decode() for name, array in arrays.items()}


def main() -> None:
    """Print a table of whole numbers and one of floats, some of whose columns stay as they are."""
    generator = np.random.default_rng(5)
    numbers = np.cumsum(generator.integers(-300, 300, (7, 5)), axis=0).astype(np.int32)
    numbers[3, 1], numbers[4, 1] = 2**31 - 1, -(2**31)
    numbers[:, 2] = 77
    floats = generator.normal(size=(4, 3)).astype(np.float32)
    floats[:, 1] = [0.0, -0.0, np.inf, np.nan]
    first = np.array([1, 2, 77, -4, 5], np.int32)
    both = _packed(numbers, first), _packed(floats, np.zeros(3, np.float32))
    print(json.dumps(both))


if __name__ == "__main__":
    main()
