"""How the peer's names follow from ours; the stub generator reads this too."""

# Enumerations whose name at the peer is not "mjt" and ours.
_ENUMS = {
    "snJointType": "mjtJoint",
    "snGeomType": "mjtGeom",
    "snTextureType": "mjtTexture",
    "snTrnType": "mjtTrn",
    "snDynType": "mjtDyn",
    "snGainType": "mjtGain",
    "snBiasType": "mjtBias",
    "snObjType": "mjtObj",
    "snEqType": "mjtEq",
    "snWrapType": "mjtWrap",
    "snSensorType": "mjtSensor",
    "snConstraintType": "mjtConstraint",
    "snStateBit": "mjtState",
}
# Enumerations that only specs have: prefix of the members, then words; a word in capitals is a table of ours.
SPEC_ENUMS = {
    "mjtLimited": ("mjLIMITED_", "TRISTATE"),
    "mjtAlignFree": ("mjALIGNFREE_", "TRISTATE"),
    "mjtInertiaFromGeom": ("mjINERTIAFROMGEOM_", "TRISTATE"),
    "mjtGeomInertia": ("mjINERTIA_", "volume shell"),
    "mjtMeshInertia": ("mjMESH_INERTIA_", "MESHINERTIA"),
    "mjtMeshBuiltin": ("mjMESH_BUILTIN_", "MESHBUILTIN"),
    "mjtBuiltin": ("mjBUILTIN_", "BUILTIN"),
    "mjtMark": ("mjMARK_", "MARK"),
    "mjtOrientation": ("mjORIENTATION_", "quat axisangle xyaxes zaxis euler"),
    "mjtTextureRole": ("mjTEXROLE_", "user TEXROLE"),
}
# Callbacks: set_mjcb_passive, ...
CALLBACKS = (
    "passive", "control", "contactfilter", "sensor", "act_dyn", "act_gain", "act_bias", "time",
)  # fmt: skip
# Functions that the peer does not have.
OURS_ALONE = {
    "actuatorVelocity",
    "assemble",
    "bodyPoses",
    "centroidalDerivative",
    "centroidalMomentum",
    "efcJ",
    "energyDerivative",
    "energyRegressor",
    "forwardDynamicsDerivative",
    "gravityDerivative",
    "inertialParameters",
    "inverseDynamics",
    "inverseInertia",
    "loopForceOf",
    "loopG",
    "loopIndependent",
    "loopInverse",
    "loopK",
    "loopMobility",
    "loopName",
    "loopProperties",
    "loopSolveBy",
    "loopSparse",
    "massMatrix",
    "noise",
    "objectAccelerationDerivative",
    "objectCount",
    "objectPoseDerivative",
    "objectVelocityDerivative",
    "rneDerivative",
    "rneRegressor",
    "rolloutGradient",
    "smoothVel",
    "stepJVP",
    "stepVJP",
    "subtreeComHessian",
    "tenJ",
    "tendonBias",
    "tendonVelocity",
    "transitionDerivative",
}
# Functions that have another name at the peer.
_RENAMED = {
    "integrateQuat": "mju_quatIntegrate",
    "transitionFD": "mjd_transitionFD",
    "inverseFD": "mjd_inverseFD",
    "subQuatDerivative": "mjd_subQuat",
    "quatIntegrateDerivative": "mjd_quatIntegrate",
}
# Functions of numbers alone, "mju_" at the peer.
_NUMBERS = {
    "muscleGain", "muscleBias", "muscleDynamics",
    "rotVecQuat", "negQuat", "mulQuat", "mulQuatAxis", "axisAngle2Quat", "quat2Vel", "subQuat", "quat2Mat",
    "mat2Quat", "mat2Rot", "derivQuat", "quatZ2Vec", "euler2Quat",
    "mulPose", "negPose", "trnVecPose", "transformSpatial",
}  # fmt: skip


# Enumerations, and warnings, that the peer does not have: how their names begin.
_OWN_ENUMS = (
    "snLoop", "snContactModel", "snLcp", "snStabilise", "snCoordinates",
    "snQp", "snHqp", "snTask", "snControl",
)  # fmt: skip
_OWN_WARNINGS = ("LOOP", "LCP")


def peer_enums(tables: dict) -> list:
    """The enumerations of the tables without what the peer has not: loops, rigid contact, control."""
    return [
        (
            type_,
            prefix,
            [row for row in items if type_ != "snWarning" or not row[0].startswith(_OWN_WARNINGS)],
        )
        for type_, prefix, items in tables["enums"]
        if not type_.startswith(_OWN_ENUMS)
    ]


def function_name(name: str) -> str:
    """The peer's name of a function: jacBody, mj_jacBody."""
    if name in _RENAMED:
        return _RENAMED[name]
    return ("mju_" if name in _NUMBERS else "mj_") + name


def enum_name(name: str) -> str:
    """The peer's name of an enumeration: snObjType, mjtObj."""
    return _ENUMS.get(name, "mjt" + name.removeprefix("sn"))


def spec_enum(name: str, tables: dict) -> tuple[str, list]:
    """Prefix and items, as in a table, of an enumeration that only specs have."""
    prefix, words = SPEC_ENUMS[name]
    ours = {table: items for table, _, items in tables["words"]}
    items = []
    for word in words.split():
        items += ours[word] if word.isupper() else [(word.upper(), len(items), word, "")]
    return prefix, items


def member_prefix(prefix: str) -> str:
    """The peer's prefix of the members of an enumeration: SN_OBJ_, mjOBJ_."""
    return "mj" + prefix.removeprefix("SN_")
