"""Elements by name or id, as the extension finds them, for what works in ids; words for names that are not there."""

from __future__ import annotations

import difflib

from . import _core


def find(model: _core.Model, kind: str, key: str | int) -> int:
    """Id of an element from its name or its id."""
    return getattr(model, kind)(key).id


def dofs_of_joint(model: _core.Model, index: int) -> slice:
    """The dofs of a joint."""
    adr = model.jnt_dofadr
    end = model.nv if index + 1 == model.njnt else adr[index + 1]
    return slice(int(adr[index]), int(end))


def hint(key: str, names: list[str]) -> str:
    """Names that a misspelt one may stand for, for the end of an error; empty when none is near."""
    near = difflib.get_close_matches(key, names, n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
