"""The struct of the compiler's settings."""

from __future__ import annotations

from typing import Any

from ... import _core
from .settings import SectionMembers, Settings
from .vectors import MjCharVec


class MjsCompiler(SectionMembers):
    """Settings of the compiler: units, inertia from geoms, folders of assets, ..."""

    __slots__ = ("_lengthrange",)
    _path = "compiler"
    _unlisted = "copy flush refresh strippath"
    _options = (
        "autolimits boundmass boundinertia settotalmass balanceinertia fitaabb degree discardvisual usethread "
        "fusestatic inertiafromgeom inertiagrouprange saveinertial meshdir texturedir strippath"
    )
    _own: dict[str, Any] = {"eulerseq": MjCharVec.of("xyz"), "alignfree": 0}

    def __init__(self, spec: Any) -> None:
        super().__init__(spec)
        self._lengthrange = None

    @property
    def LRopt(self) -> Any:
        """How ranges of lengths are found."""
        if self._lengthrange is None:
            struct = self._spec._lengthrange_type()
            self._lengthrange = Settings(self._spec, struct, "compiler/lengthrange")
        return self._lengthrange.struct

    @LRopt.setter
    def LRopt(self, value: Any) -> None:
        struct = self.LRopt
        for name in self._lengthrange._fields:
            setattr(struct, name, getattr(value, name))

    def _load(self, name: str) -> Any:
        if name == "eulerseq":
            return MjCharVec.of(_core.elementGetText(self._element, "eulerseq") or "xyz")
        return int(_core.elementGetText(self._element, "alignfree") == "true")

    def _store(self, name: str, value: Any) -> None:
        text = "".join(value) if name == "eulerseq" else "true" if int(value) else "false"
        _core.elementSetText(self._element, name, text)

    def flush(self) -> None:
        """Set what has changed."""
        super().flush()
        if self._lengthrange is not None:
            self._lengthrange.flush()
