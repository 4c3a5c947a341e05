"""Writes the type stubs whose contents stand in the tables inside the extension.

_core.pyi has the extension, _enums.pyi the enumerations. Usage: stubs.py EXTENSION FOLDER. The build
calls this; NumPy is not needed.
"""

import importlib.util
import pathlib
import sys

ARRAYS = {
    "double": "NDArray[np.float64]",
    "float": "NDArray[np.float32]",
    "int": "NDArray[np.int32]",
    "uint8_t": "NDArray[np.uint8]",
    "snContact": "NDArray[np.uint8]",
}
SCALARS = {"double": "float", "float": "float", "int": "int", "size_t": "int"}
FORMATS = {"d": "double", "f": "float", "i": "int"}

HEAD = """# Made by python/stubs.py from the tables of the library. Do not edit.
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str
_M = TypeVar("_M", bound="Model")
_D = TypeVar("_D", bound="Data")

class ModelError(ValueError):
    file: str
    line: int
    status: int

class NotSupportedError(ModelError, NotImplementedError): ...

def tables() -> dict[str, Any]: ...
def use_numpy() -> None: ...
def loadModel(cls: type[_M], path: Any, /) -> _M: ...
def loadModelText(cls: type[_M], text: str | bytes, assets: dict[str, Any] | None = None, /) -> _M: ...
def copyModel(cls: type[_M], model: Model, /) -> _M: ...
def compareModel(a: Model, b: Model, /) -> int: ...
def packModel(model: Model, /) -> bytes: ...
def unpackModel(cls: type[_M], data: bytes, /) -> _M: ...
def copyData(cls: type[_D], model: Model, data: Data, /) -> _D: ...
def packData(data: Data, /) -> bytes: ...
def unpackData(cls: type[_D], model: Model, data: bytes, /) -> _D: ...
"""


def load(path):
    """The extension's tables, without the package around it."""
    spec = importlib.util.spec_from_file_location("sinew._core", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.tables()


def attribute(name, annotation, meaning, settable=True, given="ArrayLike"):
    """A property with its meaning as docstring; `given` is what may be assigned."""
    doc = meaning.replace("\\", "\\\\").replace('"""', "'''")
    lines = ["    @property", f"    def {name}(self) -> {annotation}:", f'        """{doc}"""']
    if settable:
        lines += [f"    @{name}.setter", f"    def {name}(self, value: {given}) -> None: ..."]
    return "\n".join(lines)


def array(name, kind, rows, columns, meaning):
    """An array of a field table."""
    if kind == "char":
        return attribute(name, "bytes", meaning, settable=False)
    shape = f"({rows},)" if columns == "1" else f"({rows}, {columns})"
    return attribute(name, ARRAYS[kind], f"{shape}: {meaning}", settable=kind != "snContact")


def member(name, kind, count, meaning):
    """A member of a struct: a number, or a fixed array."""
    if count == 1:
        return attribute(name, SCALARS[kind], meaning, given=SCALARS[kind])
    return attribute(name, ARRAYS[kind], f"({count},): {meaning}")


def part(name, members):
    """A class of members."""
    return "\n".join([f"class {name}:", *[member(*m) for m in members]])


def visual_classes(tables):
    """A class for each group of visual options, and Visual that holds them."""
    groups = {}
    for group, name, kind, count, meaning in tables["visual"]:
        groups.setdefault(group, []).append((name, kind, count, meaning))
    parts = [part(f"Visual_{group}", members) for group, members in groups.items()]
    names = [
        attribute("global_" if g == "global" else g, f"Visual_{g}", "", settable=False)
        for g in groups
    ]
    return "\n\n".join([*parts, "\n".join(["class Visual:", *names])])


def model_class(tables):
    """Class Model."""
    lines = ["class Model:"]
    lines += [attribute(name, "int", meaning, settable=False) for name, meaning in tables["sizes"]]
    for name, meaning in [("narena", "bytes of the arena"), ("nbuffer", "bytes of the arrays")]:
        lines.append(attribute(name, "int", meaning, settable=False))
    for name, kind in [("opt", "Option"), ("vis", "Visual"), ("stat", "Statistic")]:
        lines.append(attribute(name, kind, "", settable=False))
    lines += [array(*row[:4], row[5]) for row in tables["model"]]
    return "\n".join(lines)


def data_class(tables):
    """Class Data."""
    lines = ["class Data:", "    def __new__(cls: type[_D], model: Model) -> _D: ..."]
    for name, kind, meaning in tables["scalars"]:
        lines.append(attribute(name, SCALARS[kind], meaning, kind == "double", SCALARS[kind]))
    lines.append(attribute("model", "Model", "the model that this data belongs to", False))
    lines.append(attribute("energy", ARRAYS["double"], "(2,): potential and kinetic energy (J)"))
    for name in ("warning", "solver"):
        lines.append(attribute(name, ARRAYS["uint8_t"], "records as bytes", settable=False))
    for name in ("narena", "maxuse_arena"):
        lines.append(attribute(name, "int", "bytes", settable=False))
    lines += [array(*row[:4], row[5]) for row in tables["data"]]
    return "\n".join(lines)


def function(name, signature, doc):
    """A library function."""
    words, _, result = signature.partition(" -> ")
    parameters = []
    for word in words.split():
        parameter, _, kind = word.partition(":")
        kind, _, initial = kind.partition("=")
        optional = " | None" if "?" in kind else ""
        if not kind:
            annotation = "Model" if parameter == "m" else "Data"
        elif kind[0] == "w":
            annotation = ARRAYS["double"] + optional
        elif kind[0] == "r":
            annotation = "ArrayLike" + optional
        else:
            annotation = {"f": "float", "s": "str"}.get(kind[0], "int")
        parameters.append(f"{parameter}: {annotation}" + (f" = {initial}" if initial else ""))
    result = {"": "None", "str": "str | None"}.get(result, result)
    return f'def {name}({", ".join(parameters)}) -> {result}:\n    """{doc}"""'


def stubs(tables):
    """The text of _core.pyi."""
    statistic = [(n, FORMATS[f], c, doc) for n, f, c, _, doc in tables["records"]["snStatistic"][1]]
    parts = [
        HEAD + "\n".join(function(*row) for row in tables["functions"]),
        part("Option", tables["option"]),
        part("Statistic", statistic),
        visual_classes(tables),
        model_class(tables),
        data_class(tables),
    ]
    return "\n\n".join(parts) + "\n"


def enum_stubs(tables):
    """The text of _enums.pyi. The texture "2D" is no identifier: TextureType["2D"]."""
    lines = [
        "# Made by python/stubs.py from the tables of the library. Do not edit.",
        "import enum",
        "",
    ]
    lines += ["def make_enum(name: str, items: list, prefix: str = ...) -> type[enum.IntEnum]: ..."]
    for name, _, items in tables["enums"]:
        lines += ["", f"class {name.removeprefix('sn')}(enum.IntEnum):"]
        lines += [f"    {item[0]} = {item[1]}" for item in items if item[0].isidentifier()]
    return "\n".join(lines) + "\n"


def main(extension, folder):
    """Write the stubs of an extension into a folder."""
    tables = load(extension)
    for name, text in [("_core.pyi", stubs(tables)), ("_enums.pyi", enum_stubs(tables))]:
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
