"""FUNCTIONS: every function of the interface with its parameters."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

from .ast_nodes import (
    ArrayType,
    FunctionDecl,
    FunctionParameterDecl,
    PointerType,
    ValueType,
)

FUNCTIONS: Mapping[str, FunctionDecl]

_Type = ValueType | ArrayType | PointerType
_PREFIXES = ("mj_", "mju_", "mjd_", "mjv_", "mjr_")
_SCALARS = {
    "int": "int",
    "index": "int",
    "int64": "mjtSize",
    "float": "mjtNum",
    "bool": "int",
    "": "void",
}
_ITEMS = {"": "mjtNum", "i": "int", "b": "mjtByte"}
_ARRAY = re.compile(r"(r|w)(i|b|)(\?)?\((.*)\)")


def _text() -> PointerType:
    return PointerType(ValueType("char", is_const=True))


def _array(item: str, reads: bool, nullable: bool, extents: str) -> ArrayType | PointerType:
    inner = ValueType(_ITEMS[item], is_const=reads)
    if re.fullmatch(r"[0-9,]+", extents):
        result = ArrayType(inner, tuple(int(n) for n in extents.split(",")))
        result.nullable = nullable
        return result
    return PointerType(inner, nullable)


def _word_type(word: str) -> _Type:
    """Of a word of a signature in the library's table: "res:w(3)", "id:int=0"."""
    if word in ("m", "d"):
        return PointerType(
            ValueType("mjModel", is_const=True) if word == "m" else ValueType("mjData")
        )
    kind = word.partition(":")[2]
    array = _ARRAY.fullmatch(kind)
    if array:
        way, item, nullable, extents = array.groups()
        return _array(item, way == "r", bool(nullable), extents)
    kind = re.split(r"[=(]", kind)[0]
    return _text() if kind == "str" else ValueType(_SCALARS.get(kind, "int"))


def _annotated(annotation: Any) -> _Type:
    """Of an annotation of a function written in Python."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    text = text.removesuffix(" | None")
    name = text.rpartition(".")[2]
    if name in ("Model", "MjModel"):
        return PointerType(ValueType("mjModel", is_const=True))
    if name.startswith("Mj") or name == "Data":
        return PointerType(ValueType("mj" + name.removeprefix("Mj")))
    if "uint8" in text:
        return PointerType(ValueType("mjtByte"), nullable=True)
    if "PathLike" in text:
        return _text()
    if name == "str":
        return _text()
    if name in ("int", "float", "bool"):
        return ValueType(_SCALARS[name])
    if "int32" in text:
        return PointerType(ValueType("int"))
    return PointerType(ValueType("mjtNum", is_const="ArrayLike" in text))


def _result(text: str) -> _Type:
    return _text() if text == "str" else ValueType(_SCALARS.get(text, "int"))


def _from_row(name: str, signature: str, doc: str) -> FunctionDecl:
    words, _, result = signature.partition("->")
    parameters = [
        FunctionParameterDecl(w.partition(":")[0].rstrip("_"), _word_type(w)) for w in words.split()
    ]
    return FunctionDecl(name, _result(result.strip()), parameters, doc)


def _from_python(name: str, function: Callable[..., Any]) -> FunctionDecl | None:
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    parameters = [
        FunctionParameterDecl(p.name.rstrip("_"), _annotated(p.annotation))
        for p in signature.parameters.values()
    ]
    result = signature.return_annotation
    known = result if isinstance(result, str) and result in ("int", "float", "bool", "str") else ""
    doc = (inspect.getdoc(function) or "").partition("\n")[0]
    return FunctionDecl(name, _result(known), parameters, doc)


@functools.cache
def _make() -> dict[str, FunctionDecl]:
    from sinew import _core, mujoco
    from sinew.mujoco._names import function_name

    rows = {
        function_name(name): (signature, doc)
        for name, signature, doc in _core.tables()["functions"]
    }
    found = {}
    for name in sorted(n for n in dir(mujoco) if n.startswith(_PREFIXES)):
        function = getattr(mujoco, name)
        if name in rows and not inspect.isfunction(function):
            found[name] = _from_row(name, *rows[name])
        else:
            declared = _from_python(name, function)
            if declared:
                found[name] = declared
    return found


def __getattr__(name: str) -> Mapping[str, FunctionDecl]:
    if name == "FUNCTIONS":
        return _make()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
