"""Elements by name for all simulations of a batch: their parts of its fields."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._batch_fields import DATA_FIELDS, INPUTS, MADE, MODEL_FIELDS, close

KINDS = ("actuator", "body", "camera", "geom", "joint", "light", "sensor", "site", "tendon")
KINDS_OF_MODELS = ("equality", "keyframe", "material", "numeric", "pair")


class Element:
    """An element by its name or id: its part of the fields of all simulations, as (nsim, ...) arrays.

    What models have and no simulation has of its own is read-only; assigning expands it.
    """

    def __init__(self, batch: Any, kind: str, key: int | str) -> None:
        view = getattr(batch.model, kind)(key)
        of_data = getattr(batch.sample, kind)(key) if kind in KINDS else None
        vars(self).update(_batch=batch, _kind=kind, _of_model=view, _of_data=of_data)
        vars(self).update(id=view.id, name=view.name)

    def __getattr__(self, name: str) -> NDArray[Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return self._part(name, False)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("id", "name") or name.startswith("_"):
            raise AttributeError(f"{name} cannot be set")
        self._part(name, True)[...] = value

    def _part(self, name: str, written: bool) -> NDArray[Any]:
        """The element's part of a field; written: so that it can be written."""
        nsim, parts = self._batch.nsim, []
        for of_model, view in ((False, self._of_data), (True, self._of_model)):
            part = getattr(view, name, None)
            if not isinstance(part, np.ndarray):
                continue
            parts.append(part)
            if not part.size:
                return _read_only(np.empty((nsim, *part.shape), part.dtype))
            owner = self._batch.model if of_model else self._batch.sample
            field = _field_of(owner, MODEL_FIELDS if of_model else DATA_FIELDS - MADE, part)
            if field is not None:
                rows = self._rows(field, of_model, written, part)
                return (
                    rows if rows.shape == (nsim, *part.shape) else _place(rows, owner, field, part)
                )
        raise AttributeError(self._no_part(name, bool(parts)))

    def _no_part(self, name: str, known: bool) -> str:
        if known:
            return f"{self._kind} {name} is not a slice of a field that a batch binds or expands"
        names = {n for v in (self._of_data, self._of_model) for n in dir(v) if n[0] != "_"}
        return f"{name} is not a field of a {self._kind}{close(name, names)}"

    def _rows(self, field: str, of_model: bool, written: bool, part: NDArray[Any]) -> NDArray[Any]:
        """A field of all simulations, or `part` of it where they share it."""
        batch = self._batch
        if not of_model:
            if written and field not in INPUTS:
                raise ValueError(f"{field} is computed by every call and cannot be written")
            return batch.bind(field)
        if batch.models is not None:
            if written:
                raise ValueError(f"{field} is of the caller's models: edit them, then set_models()")
            return self._of_models(part, field)
        if field in batch._expanded:
            return batch.expand(field)
        if structural(field, part):
            if written:
                raise ValueError(f"{field} is structural: it cannot differ between simulations")
        elif written:
            return batch.expand(field)
        else:
            rows = batch.expanded(field)
            if rows is not None:
                return rows
        return np.broadcast_to(part, (batch.nsim, *part.shape))

    def _of_models(self, part: NDArray[Any], field: str) -> NDArray[Any]:
        like = getattr(self._batch.model, field)
        models = (self._batch._model_of(i) for i in range(self._batch.nsim))
        rows = np.stack([getattr(model, field) for model in models])
        at = (part.ctypes.data - like.ctypes.data) // like.itemsize
        flat = rows.reshape(len(rows), -1)[:, at : at + part.size]
        return _read_only(flat.reshape(len(rows), *part.shape))


def structural(field: str, part: NDArray[Any]) -> bool:
    """Whether a field holds addresses, counts, ids or types."""
    of_structure = field.endswith(("adr", "num", "id", "type")) and not field.endswith("contype")
    return part.dtype.kind in "iu" and of_structure


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def _field_of(owner: Any, names: frozenset[str], part: NDArray[Any]) -> str | None:
    """The field in whose memory an array stands."""
    for name in names:
        field = None if "." in name else getattr(owner, name)
        if isinstance(field, np.ndarray) and np.shares_memory(field, part):
            return name
    return None


def _place(rows: NDArray[Any], owner: Any, field: str, part: NDArray[Any]) -> NDArray[Any]:
    """What is of all simulations where `part` is of the field."""
    whole = getattr(owner, field)
    at = (part.ctypes.data - whole.ctypes.data) // whole.itemsize
    flat = rows.reshape(len(rows), -1)[:, at : at + part.size]
    return flat.reshape(len(rows), *part.shape)
