"""C types from text."""

from __future__ import annotations

import re

from .ast_nodes import ArrayType, PointerType, ValueType

_TOKEN = re.compile(r"[A-Za-z_0-9]+|[()*\[\]]|\S")
_QUALIFIERS = ("const", "volatile", "restrict")
_Type = ValueType | ArrayType | PointerType


class _Tokens:
    """Words and signs of a type, taken from the front."""

    def __init__(self, text: str) -> None:
        self.list = _TOKEN.findall(text)
        self.text = text

    def peek(self) -> str:
        return self.list[0] if self.list else ""

    def take(self, wanted: str = "") -> str:
        if not self.list or (wanted and self.list[0] != wanted):
            raise ValueError(f"{self.text!r} is not a valid type")
        return self.list.pop(0)


def _value(tokens: _Tokens) -> ValueType:
    words, qualifiers = [], set()
    while tokens.peek() and tokens.peek() not in "()*[]":
        word = tokens.take()
        if word in _QUALIFIERS:
            qualifiers.add(word)
        else:
            words.append(word)
    return ValueType(" ".join(words), "const" in qualifiers, "volatile" in qualifiers)


def _declarator(tokens: _Tokens, inner: _Type) -> _Type:
    """What stands around a name that is left out: pointers before it, extents behind it."""
    while tokens.peek() == "*":
        tokens.take()
        qualifiers = set()
        while tokens.peek() in _QUALIFIERS:
            qualifiers.add(tokens.take())
        inner = PointerType(inner, **{f"is_{word}": True for word in qualifiers})
    inside: list[str] = []
    if tokens.peek() == "(":
        depth = 0
        while True:
            token = tokens.take()
            depth += {"(": 1, ")": -1}.get(token, 0)
            inside.append(token)
            if depth == 0:
                break
    extents = []
    while tokens.peek() == "[":
        tokens.take()
        extents.append(int(tokens.take()))
        tokens.take("]")
    if extents:
        inner = ArrayType(inner, tuple(extents))
    if inside:
        nested = _Tokens(" ".join(inside[1:-1]))
        inner = _declarator(nested, inner)
        if nested.list:
            raise ValueError(f"{tokens.text!r} is not a valid type")
    return inner


def parse_type(type_name: str) -> _Type:
    """The type that a C declaration without a name stands for."""
    if type_name == "void *(*)(void *)":
        return ValueType(type_name)
    tokens = _Tokens(type_name)
    result = _declarator(tokens, _value(tokens))
    if tokens.list:
        raise ValueError(f"{type_name!r} is not a valid type")
    return result


def parse_function_return_type(type_name: str) -> _Type:
    """The type that a function of a type such as "int (mjtNum *)" returns."""
    return parse_type(type_name[: type_name.index("(")])
