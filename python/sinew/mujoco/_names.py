"""How the peer's names follow from ours; the stub generator reads this too."""

from typing import Any

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
    "snCameraType": "mjtCamera",
    "snFrameType": "mjtFrame",
}
# Enumerations without a table of ours: prefix of the members, then words, from 0 on; "WORD=5" sets the value;
# a word in capitals alone is a table of words that specs have.
_WORD_ENUMS = {
    "mjtLimited": ("mjLIMITED_", "TRISTATE"),
    "mjtAlignFree": ("mjALIGNFREE_", "TRISTATE"),
    "mjtInertiaFromGeom": ("mjINERTIAFROMGEOM_", "TRISTATE"),
    "mjtGeomInertia": ("mjINERTIA_", "volume shell"),
    "mjtMeshInertia": ("mjMESH_INERTIA_", "MESHINERTIA"),
    "mjtMeshBuiltin": (
        "mjMESH_BUILTIN_",
        "none sphere hemisphere cone supersphere supertorus wedge plate",
    ),
    "mjtBuiltin": ("mjBUILTIN_", "BUILTIN"),
    "mjtMark": ("mjMARK_", "MARK"),
    "mjtOrientation": ("mjORIENTATION_", "quat axisangle xyaxes zaxis euler"),
    "mjtTextureRole": ("mjTEXROLE_", "user TEXROLE"),
    "mjtConDataField": ("mjCONDATA_", "found force torque dist pos normal tangent"),
    "mjtFlexSelf": ("mjFLEXSELF_", "none narrow bvh sap auto"),
    "mjtSDFType": ("mjSDFTYPE_", "single intersection midsurface collision"),
    "mjtPluginCapabilityBit": ("mjPLUGIN_", "actuator=1 sensor=2 passive=4 sdf=8"),
    "mjtTaskStatus": ("mjTASK_", "new queued completed"),
    "mjtGridPos": ("mjGRID_", "topleft topright bottomleft bottomright top bottom left right"),
    "mjtFramebuffer": ("mjFB_", "window offscreen"),
    "mjtDepthMap": ("mjDEPTH_", "zeronear zerofar"),
    "mjtFontScale": ("mjFONTSCALE_", "50=50 100=100 150=150 200=200 250=250 300=300"),
    "mjtFont": ("mjFONT_", "normal shadow big"),
    "mjtButton": ("mjBUTTON_", "none left right middle"),
    "mjtEvent": ("mjEVENT_", "none move press release scroll key resize redraw filesdrop"),
    "mjtItem": (
        "mjITEM_",
        "end=-2 section separator static button checkint checkbyte radio radioline select sliderint "
        "slidernum editint editnum editfloat edittxt",
    ),
    "mjtSection": ("mjSECT_", "closed open fixed"),
}
# Members that count the others, or bits.
_COUNTS = {
    "mjtConDataField": "mjNCONDATA",
    "mjtDisableBit": "mjNDISABLE",
    "mjtEnableBit": "mjNENABLE",
    "mjtFrame": "mjNFRAME",
    "mjtGeom": "mjNGEOMTYPES",
    "mjtItem": "mjNITEM",
    "mjtLabel": "mjNLABEL",
    "mjtObj": "mjNOBJECT",
    "mjtRndFlag": "mjNRNDFLAG",
    "mjtState": "mjNSTATE",
    "mjtTextureRole": "mjNTEXROLE",
    "mjtTimer": "mjNTIMER",
    "mjtVisFlag": "mjNVISFLAG",
    "mjtWarning": "mjNWARNING",
}
# Members that stand behind the count.
_MORE = {
    "mjtEq": "mjEQ_FLEX=4 mjEQ_DISTANCE=5",
    "mjtObj": "mjOBJ_FRAME=100 mjOBJ_DEFAULT mjOBJ_MODEL",
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
    "flexVelocity",
    "forwardDynamicsDerivative",
    "gravityDerivative",
    "initCtrlHistory",
    "initSensorHistory",
    "inertialParameters",
    "insideSite",
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
    "loopSparseCount",
    "massMatrix",
    "noise",
    "objectAccelerationDerivative",
    "objectCount",
    "objectPoseDerivative",
    "objectVelocityDerivative",
    "rayFlex",
    "rayGeomNormal",
    "rayNormal",
    "readCtrl",
    "readSensor",
    "resetCtrl",
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
# Members that the peer's models, data and options do not have, and how the names of others begin.
OWN_MEMBERS = {
    "_repr_png_", "embed_assets", "load_texture", "actuator_ctrladr", "actuator_ctrlnum", "actuator_ctrlspec", "actuator_outadr", "actuator_outnum",
    "cfrc_loop", "contact", "dof_LDadr", "dof_cluster", "dof_place", "dof_y",
    "efc_J_coladr", "efc_R0", "eq", "eq_autopose", "eq_maxforce", "equality", "flex", "flexedge_tension", "from_path", "from_xml", "geom_adhesion", "geom_restitution",
    "geom_surfacevel", "get_callback",
    "impulse", "integrator_act", "integrator_stage", "jnt_maxforce", "loops", "mesh_hullblock", "mesh_hullcell",
    "mesh_hullinner", "nAblock", "nelastic", "nelasticrow", "elastic_rowadr", "elastic_colind", "elastic_value", "nactuator", "nout", "nJcol", "nJten", "nLD", "nR0", "nbroad", "nclosure", "ncluster", "nhullblock",
    "nimpulse", "nloop", "nnarrow", "noslip_residual", "noslip_residual_max", "pair_adhesion", "physics", "qMstep", "qfrc_adhesion",
    "qfrc_step", "qvel_push", "save",
    "sensor_loopid", "sensor_sample", "servo", "set_callback", "solver_nmul", "solver_residual", "solver_residual_max", "ten",
    "ten_row", "tendon_dofadr", "tendon_dofid", "tendon_dofnum", "text", "threads", "tree_mechanism",
    "body_awake", "body_run", "dof_length", "dof_run", "geom_run", "jnt_run", "nasleep", "nbody_run", "ngeom_run",
    "njnt_run", "nsite_run", "nsleepgeom", "nstill", "nv_run", "site_run", "sleepview", "tree_asleep", "tree_awake",
    "tree_sleep_policy", "npluginname", "npluginnumber", "plugin_name", "plugin_nameadr", "plugin_number", "plugin_numberadr",
    "plugin_numbernum", "nsdfnode", "nsdfsheet", "mesh_sdfadr", "mesh_sdfnum", "mesh_sheetadr", "mesh_sheetnum", "mesh_sdfbox",
    "mesh_sdferror", "sdf_child", "sdf_sheet",
}  # fmt: skip
# What came after the peer.
LATER_MEMBERS = {
    "actuator_armature", "actuator_damping", "actuator_dampingpoly", "dof_dampingpoly", "jnt_actuatorid", "jnt_plasticadr",
    "jnt_springyield", "jnt_stiffnesspoly", "key_plastic", "nplastic", "plastic", "tendon_actuatorid", "tendon_dampingpoly",
    "tendon_plasticadr", "tendon_springyield", "tendon_stiffnesspoly",
    "actuator_delay", "actuator_history", "actuator_historyadr", "history", "nhistory", "sensor_delay", "sensor_history",
    "sensor_historyadr", "sensor_interval", "site_dataid",
    "cam_output", "geom_castshadow", "light_softness", "tex_contenttypeadr",
    "flex_bendingadr", "flex_size", "flex_stiffnessadr", "flexedge_J_rownnz", "flexedge_J_rowadr", "flexedge_J_colind", "nJfe",
    "nflexbending", "nflexstiffness",
}  # fmt: skip
OWN_PREFIXES = (
    "closure_",
    "cluster_",
    "lcp_",
    "loop_",
    "mechanism_",
    "meet_",
    "nloop",
    "nmech",
    "sleep_",
)
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


# Enumerations that the peer does not have, and members of those that it has: how their names begin.
_OWN_ENUMS = (
    "snLoop", "snContactModel", "snInterpolation", "snServo", "snPhysics", "snLcp", "snStabilise", "snCoordinates",
    "snQp", "snHqp", "snTask", "snControl", "snProjection", "snCamOutput",
)  # fmt: skip
_OWN_IN_ENUMS = {
    "snWarning": ("LOOP", "LCP", "INITAWAKE", "FLEXINVERTED", "PLUGIN"),
    "snStateBit": ("ASLEEP",),
}
# Of those, what came after 3.3.7.
_LATER_ENUMS = ("snSleep",)
_LATER_IN_ENUMS = {
    "snIntegrator": ("DISCRETE",),
    "snEnableBit": ("SLEEP", "DIAGEXACT", "SPECULATIVE"),
    "snStateBit": ("HISTORY", "PLASTIC"),
    "snTrnType": ("SO3",),
    "snDynType": ("DCMOTOR", "PID"),
    "snGainType": ("DCMOTOR", "SO3", "PID"),
    "snBiasType": ("DCMOTOR", "SO3"),
}
_PEER_STATE = (1 << 13) - 1  # bits of its states


def table_enums(tables: dict, later: bool = False) -> list:
    """The enumerations of the tables without what the peer, or its later release, has not: loops, rigid contact, control."""

    def has(type_: str, member: str) -> bool:
        hidden = _OWN_IN_ENUMS.get(type_, ())
        return not member.startswith(hidden if later else hidden + _LATER_IN_ENUMS.get(type_, ()))

    return [
        (
            type_,
            prefix,
            [
                (row[0], row[1] & _PEER_STATE, *row[2:]) if type_ == "snStateBit" else row
                for row in items
                if has(type_, row[0])
            ],
        )
        for type_, prefix, items in [*tables["enums"], *tables["scene"]]
        if not type_.startswith(_OWN_ENUMS if later else _OWN_ENUMS + _LATER_ENUMS)
    ]


def _numbered(words: str) -> list[tuple[str, int]]:
    """Members of words: "a b=5 c" is a 0, b 5, c 6."""
    members: list[tuple[str, int]] = []
    for word in words.split():
        name, _, value = word.partition("=")
        members.append((name, int(value) if value else members[-1][1] + 1 if members else 0))
    return members


def _word_enum(prefix: str, words: str, tables: dict) -> list[tuple[str, int, str]]:
    """Members of an enumeration of _WORD_ENUMS."""
    ours = {table: items for table, _, items in tables["words"]}
    members = []
    for name, value in _numbered(words):
        items = ours[name] if name in ours else [(name.upper(), value, name, "")]
        members += [(prefix + item[0], item[1], item[3]) for item in items]
    return members


def _with_count(
    name: str, members: list[tuple[str, int, str]], counts: dict[str, str]
) -> list[tuple[str, int, str]]:
    """Members with the one that counts them, which comes before sums of bits."""
    if name not in counts:
        return members
    if name == "mjtState" or name.endswith("Bit"):
        count = place = sum(value.bit_count() == 1 for _, value, _ in members)
    else:
        count, place = members[-1][1] + 1, len(members)
    return [*members[:place], (counts[name], count, "how many"), *members[place:]]


def peer_enums(tables: dict, later: Any = None) -> dict[str, list[tuple[str, int, str]]]:
    """The peer's enumerations: members as (name, value, meaning), in its order; `later`: those of the module `_later`."""
    enums: dict[str, list[tuple[str, int, str]]] = {}
    for type_, prefix, items in table_enums(tables, later is not None):
        prefix = member_prefix(prefix)
        enums[enum_name(type_)] = [(prefix + item[0], item[1], item[3]) for item in items]
    words = _WORD_ENUMS | (later.WORD_ENUMS if later else {})
    enums |= {name: _word_enum(*row, tables) for name, row in words.items()}
    _add(enums, later.MORE if later else {})
    counts = _COUNTS | (later.COUNTS if later else {})
    enums = {name: _with_count(name, members, counts) for name, members in enums.items()}
    enums["mjtGeom"] += enums.pop(enum_name("snDecorType"))
    _add(enums, _MORE | later.BEHIND if later else _MORE)
    for name in later.GONE if later else ():
        del enums[name]
    return enums


def _add(enums: dict[str, list[tuple[str, int, str]]], more: dict[str, str]) -> None:
    """Put members, or none, behind those of an enumeration; what stands there already is not put there again."""
    for name, words in more.items():
        there = {row[0] for row in enums[name]}
        enums[name] += [(m, value, "") for m, value in _numbered(words) if m not in there]


# Members of elements of models and data that the peer's do not have, by the peer's class.
OWN_OF_VIEWS = {
    "_MjModelActuatorViews": (
        "actearly armature ctrladr ctrlnum ctrlspec damping dampingpoly delay history historyadr outadr outnum plugin"
    ),
    "_MjModelBodyViews": "B_rowadr B_rownnz bvhadr bvhnum conaffinity contype gravcomp margin plugin treeid",
    "_MjModelCameraViews": "intrinsic orthographic output resolution sensorsize",
    "_MjModelEqualityViews": "autopose maxforce objtype",
    "_MjModelGeomViews": "aabb adhesion castshadow fluid plugin restitution surfacevel",
    "_MjModelHfieldViews": "pathadr",
    "_MjModelJointViews": "D_diag D_rowadr D_rownnz LDadr M_rowadr M_rownnz actfrclimited actfrcrange actgravcomp "
    "actuatorid dampingpoly jnt_bodyid length maxforce plasticadr springyield stiffnesspoly treeid",
    "_MjModelKeyframeViews": "plastic",
    "_MjModelLightViews": "bulbradius intensity range softness texid",
    "_MjModelMaterialViews": "metallic roughness",
    "_MjModelMeshViews": "bvhadr bvhnum hullcell hullinner normaladr normalnum pathadr polyadr polynum pos quat scale "
    "sdfadr sdfbox sdferror sdfnum sheetadr sheetnum "
    "texcoordnum",
    "_MjModelPairViews": "adhesion solreffriction",
    "_MjModelSensorViews": "delay history historyadr interval intprm loopid plugin",
    "_MjModelSiteViews": "dataid",
    "_MjModelSkinViews": "group pathadr",
    "_MjModelTendonViews": "_actfrclimited _actfrcrange _actuatorid _armature _dampingpoly _dofadr _dofnum _plasticadr "
    "_springyield _stiffnesspoly",
    "_MjModelTextureViews": "colorspace contenttypeadr pathadr",
    "_MjDataActuatorViews": "moment_rowadr moment_rownnz",
    "_MjDataBodyViews": "cfrc_loop",
    "_MjDataJointViews": "cluster place qHDiagInv qfrc_adhesion qfrc_damper qfrc_fluid qfrc_gravcomp qfrc_spring qfrc_step qvel_push y",
}
# Of those, what a class has for the peer, too.
PEERS: dict[str, frozenset[str]] = {
    "MjModel": frozenset(("eq", "equality")),
    "MjData": frozenset(
        ("contact", "flexedge_J_colind", "flexedge_J_rowadr", "flexedge_J_rownnz", "ten")
    ),
}


def function_name(name: str) -> str:
    """The peer's name of a function: jacBody, mj_jacBody."""
    if name in _RENAMED:
        return _RENAMED[name]
    return ("mju_" if name in _NUMBERS else "mj_") + name


def enum_name(name: str) -> str:
    """The peer's name of an enumeration: snObjType, mjtObj."""
    return _ENUMS.get(name, "mjt" + name.removeprefix("sn"))


def member_prefix(prefix: str) -> str:
    """The peer's prefix of the members of an enumeration: SN_OBJ_, mjOBJ_."""
    return "mj" + prefix.removeprefix("SN_")
