"""Classes for C declarations: types, fields, structs, enumerations, functions."""

from __future__ import annotations

import collections
import dataclasses
import re
from collections.abc import Mapping, Sequence

VALID_TYPE_NAME_PATTERN = re.compile(r"(struct )?[A-Za-z_][A-Za-z0-9_]*")
C_INVALID_TYPE_NAMES = frozenset(
    "auto break case const continue default do else enum extern for goto if inline register restrict return "
    "sizeof static struct switch typedef union volatile while _Alignas _Atomic _Generic _Imaginary _Noreturn "
    "_Static_assert _Thread_local __attribute__ _Pragma".split()
)
_WORDS = ("signed", "unsigned", "short", "long", "int", "char")
_FUNCTION_POINTER = "void *(*)(void *)"


def _is_integer(name: str) -> bool:
    """Whether words such as "unsigned long int" name one type."""
    words = name.split()
    if not words or not all(VALID_TYPE_NAME_PATTERN.fullmatch(word) for word in words):
        return False
    count = collections.Counter(word if word in _WORDS else "other" for word in words)
    signs, sizes = count["signed"] + count["unsigned"], count["short"] + count["long"]
    return (
        signs <= 1
        and count["short"] <= 1
        and count["long"] <= 2
        and not (count["short"] and count["long"])
        and not (sizes and count["char"])
        and count["char"] + count["int"] + count["other"] <= 1
    )


def _joined(*words: str | None) -> str:
    return " ".join(word for word in words if word)


@dataclasses.dataclass
class ValueType:
    """A type that is neither a pointer nor an array."""

    name: str
    is_const: bool = False
    is_volatile: bool = False
    nullable: bool = False

    def __post_init__(self) -> None:
        known = self.name == _FUNCTION_POINTER or VALID_TYPE_NAME_PATTERN.fullmatch(self.name)
        if not (known or _is_integer(self.name)) or self.name in C_INVALID_TYPE_NAMES:
            raise ValueError(f"{self.name!r} is not a valid value type name")

    def decl(self, name_or_decl: str | None = None) -> str:
        """The declaration of a name of this type."""
        const, volatile = self.is_const and "const", self.is_volatile and "volatile"
        return _joined(const or None, volatile or None, self.name, name_or_decl)

    def __str__(self) -> str:
        return self.decl()


@dataclasses.dataclass
class ArrayType:
    """An array of known extents."""

    inner_type: ValueType | PointerType
    extents: tuple[int, ...]
    nullable: bool = dataclasses.field(default=False, init=False)

    def __post_init__(self) -> None:
        self.extents = tuple(self.extents)

    @property
    def _extents_str(self) -> str:
        return "".join(f"[{extent}]" for extent in self.extents)

    def decl(self, name_or_decl: str | None = None) -> str:
        """The declaration of a name of this type."""
        return self.inner_type.decl(f"{name_or_decl or ''}{self._extents_str}")

    def __str__(self) -> str:
        return self.decl()


@dataclasses.dataclass
class PointerType:
    """A pointer."""

    inner_type: ValueType | ArrayType | PointerType
    nullable: bool = False
    is_const: bool = False
    is_volatile: bool = False
    is_restrict: bool = False

    def decl(self, name_or_decl: str | None = None) -> str:
        """The declaration of a name of this type."""
        qualifiers = [
            word for word in ("const", "volatile", "restrict") if getattr(self, f"is_{word}")
        ]
        inner = _joined("*", *qualifiers, name_or_decl)
        return self.inner_type.decl(
            f"({inner})" if isinstance(self.inner_type, ArrayType) else inner
        )

    def __str__(self) -> str:
        return self.decl()


@dataclasses.dataclass
class FunctionParameterDecl:
    """A parameter of a function."""

    name: str
    type: ValueType | ArrayType | PointerType
    nullable: bool = False

    def __str__(self) -> str:
        return self.type.decl(self.name)

    @property
    def decltype(self) -> str:
        """Its type as text."""
        return self.type.decl()


@dataclasses.dataclass
class FunctionDecl:
    """A function."""

    name: str
    return_type: ValueType | ArrayType | PointerType
    parameters: tuple[FunctionParameterDecl, ...]
    doc: str

    def __post_init__(self) -> None:
        self.parameters = tuple(self.parameters)

    def __str__(self) -> str:
        return f"{self.return_type} {self.name}({', '.join(str(p) for p in self.parameters)})"

    @property
    def decltype(self) -> str:
        """Its type as text."""
        return f"{self.return_type} ({', '.join(p.decltype for p in self.parameters)})"


@dataclasses.dataclass
class EnumDecl:
    """An enumeration: its members with their values."""

    name: str
    declname: str
    values: Mapping[str, int]

    def __post_init__(self) -> None:
        self.values = dict(self.values)


@dataclasses.dataclass
class StructFieldDecl:
    """A field of a struct; array_extent of a pointer says what it points to: ('nbody', 3)."""

    name: str
    type: ValueType | ArrayType | PointerType | AnonymousStructDecl | AnonymousUnionDecl
    doc: str
    array_extent: tuple[str | int, ...] | None = None

    def __str__(self) -> str:
        return self.type.decl(self.name)

    @property
    def decltype(self) -> str:
        """Its type as text."""
        return self.type.decl()


@dataclasses.dataclass
class AnonymousStructDecl:
    """A struct without a name, inside another."""

    fields: Sequence[StructFieldDecl | AnonymousUnionDecl]

    def __post_init__(self) -> None:
        self.fields = tuple(self.fields)

    def _inner_decl(self) -> str:
        return "; ".join(str(field) for field in self.fields) + ";"

    def decl(self, name_or_decl: str | None = None) -> str:
        """The declaration of a name of this type."""
        return _joined(f"struct {{{self._inner_decl()}}}", name_or_decl)

    def __str__(self) -> str:
        return self.decl()


class AnonymousUnionDecl(AnonymousStructDecl):
    """A union without a name, inside a struct."""

    def decl(self, name_or_decl: str | None = None) -> str:
        """The declaration of a name of this type."""
        return _joined(f"union {{{self._inner_decl()}}}", name_or_decl)


@dataclasses.dataclass
class StructDecl:
    """A struct."""

    name: str
    declname: str
    fields: Sequence[StructFieldDecl | AnonymousUnionDecl]

    def __post_init__(self) -> None:
        self.fields = tuple(self.fields)

    def decl(self, name_or_decl: str | None = None) -> str:
        """The declaration of a name of this type."""
        return _joined(self.name, name_or_decl)
