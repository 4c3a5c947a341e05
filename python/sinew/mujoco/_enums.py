"""The peer's enumerations, and the words of MJCF for their members."""

from __future__ import annotations

from typing import Any

from .. import _core
from .._enums import make_enum
from ._names import SPEC_ENUMS, enum_name, member_prefix, peer_enums, spec_enum

ENUMS: dict[str, Any] = {}  # by the peer's name
WORDS: dict[str, dict[int, str]] = {}  # by the peer's name, or by ours
_TABLES = _core.tables()

for _name in SPEC_ENUMS:
    _prefix, _items = spec_enum(_name, _TABLES)
    ENUMS[_name] = make_enum(_name, _items, _prefix)
for _type, _prefix, _items in peer_enums(_TABLES):
    _name = enum_name(_type)
    ENUMS[_name] = make_enum(_name, _items, member_prefix(_prefix))
    WORDS[_type] = WORDS[_name] = {row[1]: row[2] for row in _items}
for _type, _, _items in _TABLES["words"]:
    WORDS[_type] = {row[1]: row[2] for row in _items}
