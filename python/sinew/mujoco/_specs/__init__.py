"""`MjSpec` and the structs of its elements."""

from .actuator import MjsActuator
from .assets import MjsHField, MjsMaterial, MjsMesh, MjsSkin, MjsTexture
from .body import MjsBody
from .constraint import MjsEquality, MjsExclude, MjsPair
from .custom import MjsKey, MjsNumeric, MjsText, MjsTuple
from .default import MjsDefault
from .elements import MjsCamera, MjsFrame, MjsGeom, MjsJoint, MjsLight, MjsSite
from .orientation import MjsOrientation
from .sensor import MjsSensor
from .spec import MjSpec
from .tendon import MjsTendon, MjsWrap

__all__ = [
    "MjSpec", "MjsActuator", "MjsBody", "MjsCamera", "MjsDefault", "MjsEquality", "MjsExclude", "MjsFrame",
    "MjsGeom", "MjsHField", "MjsJoint", "MjsKey", "MjsLight", "MjsMaterial", "MjsMesh", "MjsNumeric",
    "MjsOrientation", "MjsPair", "MjsSensor", "MjsSite", "MjsSkin", "MjsTendon", "MjsText", "MjsTexture",
    "MjsTuple", "MjsWrap",
]  # fmt: skip
