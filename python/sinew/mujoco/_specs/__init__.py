"""`MjSpec` and the structs of its elements."""

from typing import Union

from .._release import IS_LATER
from .actuator import MjsActuator
from .assets import MjsHField, MjsMaterial, MjsMesh, MjsSkin, MjsTexture
from .authored import MjsAuthored
from .body import MjsBody
from .compiler import MjsCompiler
from .constraint import MjsEquality, MjsExclude, MjsPair
from .custom import MjsKey, MjsNumeric, MjsText, MjsTuple
from .default import MjsDefault
from .elements import MjsCamera, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsSite
from .flex import MjsFlex
from .orientation import MjsOrientation
from .plugin import MjsPlugin
from .sensor import MjsSensor
from .spec import MjSpec
from .struct import MjsElement
from .tendon import MjsTendon, MjsTendonPath, MjsWrap
from .vectors import MjByteVec, MjCharVec, MjDoubleVec, MjFloatVec, MjIntVec, MjStringVec
from .zip import from_zip, to_zip

MjStruct = Union[  # noqa: UP007  programs take its parts with typing.get_args
    MjsBody, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsMaterial, MjsSite, MjsMesh, MjsSkin, MjsTexture,
    MjsText, MjsTuple, MjsCamera, MjsFlex, MjsHField, MjsKey, MjsNumeric, MjsPair, MjsExclude, MjsEquality,
    MjsTendon, MjsSensor, MjsActuator, MjsPlugin,
]  # fmt: skip

__all__ = [
    "MjByteVec", "MjCharVec", "MjDoubleVec", "MjFloatVec", "MjIntVec", "MjSpec", "MjStringVec", "MjStruct",
    "MjsActuator", "MjsBody", "MjsCamera", "MjsCompiler", "MjsDefault", "MjsElement", "MjsEquality",
    "MjsExclude", "MjsFlex", "MjsFrame", "MjsGeom", "MjsHField", "MjsJoint", "MjsKey", "MjsLight",
    "MjsMaterial", "MjsMesh", "MjsNumeric", "MjsOrientation", "MjsPair", "MjsPlugin", "MjsSensor", "MjsSite",
    "MjsSkin", "MjsTendon", "MjsText", "MjsTexture", "MjsTuple", "MjsWrap", "from_zip", "to_zip",
]  # fmt: skip
if IS_LATER:
    __all__ += ["MjsAuthored", "MjsTendonPath"]
