"""What MuJoCo 3.3.7's headers have and include/mujoco has not, with the reasons; functions stand in mjabsent.h itself."""

DRAWING = "drawing"
ELEMENTS = "elements and parts of a spec that have no struct: sinew/spec.h makes and changes them"
PLUGINS = "plugins"
FLEXES = "what flexes do not have here: nodes, boxes in trees, pairs of 3.3.7"
SDF = "signed distance fields"
OTHERWISE = "laid out otherwise: the compiler says what takes its place"
LAZY = "Sinew makes it where it is asked for: island.h, constraint.h, support.h"
BY_ISLAND = "islands are counted together: there, but shorter"
MORE = "there, with more entries"
OWN_LIST = "there, a list of our own"
SIZES = "how memory is laid out"

# Enumerations.
ENUMS = {
    **dict.fromkeys(
        "mjtGridPos mjtFramebuffer mjtDepthMap mjtFontScale mjtFont mjtButton mjtEvent mjtItem mjtSection".split(), DRAWING
    ),
    "mjtMeshBuiltin": ELEMENTS,
    "mjtPluginCapabilityBit": PLUGINS,
    "mjtSDFType": SDF,
}  # fmt: skip

# Structs.
STRUCTS = {
    **dict.fromkeys(
        "mjrRect mjrContext mjuiState mjuiThemeSpacing mjuiThemeColor mjuiItem mjuiSection mjUI mjuiDef".split(), DRAWING
    ),
    **dict.fromkeys("mjsFlex mjsHField mjsSkin mjsTuple".split(), ELEMENTS),
    "mjsPlugin": PLUGINS,
    "mjSDF": SDF,
}  # fmt: skip

# Macros, by how their names begin.
MACROS = {
    "mjPLUGIN_LIB_INIT": PLUGINS, "mjDLLMAIN": PLUGINS, "mjEXTERNC": PLUGINS,
    "mjNAUX": DRAWING, "mjMAXTEXTURE": DRAWING, "mjMAXMATERIAL": DRAWING, "mjMAXUI": DRAWING, "mjSEPCLOSED": DRAWING,
    "mjPRESERVE": DRAWING, "mjKEY_": DRAWING,
}  # fmt: skip

# Variables.
VARIABLES = {"mjCOLLISIONFUNC": "functions of single pairs of geoms"}

# Headers.
HEADERS = {
    "mjplugin.h": PLUGINS, "mjrender.h": DRAWING, "mjui.h": DRAWING, "mjsan.h": "marks for sanitizers",
    "mjxmacro.h": "tables of members: those of sinew/model.h and sinew/data.h take their place",
}  # fmt: skip


def _all(names, reason):
    return dict.fromkeys(names.split(), reason)


# Members of structs.
MEMBERS = {
    "mjModel": {
        **_all("nflexnode nflexevpair nbvhdynamic", FLEXES),
        **_all(
            "flex_bvhadr flex_bvhnum flex_evpair flex_evpairadr flex_evpairnum flex_internal flex_interp flex_node "
            "flex_node0 flex_nodeadr flex_nodebodyid flex_nodenum flex_passive",
            FLEXES,
        ),
        **_all("noct oct_depth oct_child oct_aabb oct_coeff mesh_octadr mesh_octnum", SDF),
        "names_map": OTHERWISE,
        "nemax": SIZES,
        "signature": "sn_compareModel compares models",
    },
    "mjData": {
        **_all(
            "efc_J efc_J_rownnz efc_J_rowadr efc_J_colind nJ ten_J ten_J_rownnz ten_J_rowadr ten_J_colind qLD qH "
            "solver_nnz",
            OTHERWISE,
        ),
        **_all(
            "M nA nidof efc_J_rowsuper tendon_efcadr dof_island island_nv island_idofadr island_dofadr "
            "map_dof2idof map_idof2dof ifrc_smooth iacc_smooth iM_rownnz iM_rowadr iM_colind iM iLD iLDiagInv iacc "
            "efc_island island_ne island_nf island_nefc island_iefcadr map_efc2iefc map_iefc2efc iefc_type iefc_id "
            "iefc_J_rownnz iefc_J_rowadr iefc_J_rowsuper iefc_J_colind iefc_J iefc_frictionloss iefc_D iefc_R "
            "efc_AR_rownnz efc_AR_rowadr efc_AR_colind efc_AR efc_b iefc_aref iefc_state iefc_force ifrc_constraint",
            LAZY,
        ),
        **_all("solver solver_niter", BY_ISLAND),
        "bvh_aabb_dyn": FLEXES,
        **_all("flexedge_J_rownnz flexedge_J_rowadr flexedge_J_colind", "of the model, as they do not change"),
        **_all("pbase maxuse_stack maxuse_threadstack bvh_active", SIZES),
        "warning": MORE,
        "signature": "sn_compareModel compares models",
    },
    "mjContact": {
        **_all("elem vert", "there as part: an element, or -1 - a vertex"),
        "H": "sn_contactHessian gives it",
    },
    "mjSpec": _all("memory nemax nstack comment modelfiledir hasImplicitPluginElem", SIZES),
    "mjsCamera": _all("intrinsic", ELEMENTS),
    "mjsMesh": _all("needsdf userfacenormal userfacetexcoord", ELEMENTS),
    "mjsTexture": _all("gridlayout cubefiles data", ELEMENTS),
    "mjsMaterial": _all("textures", OWN_LIST),
    "mjsDefault": _all("flex", FLEXES),
}  # fmt: skip
# Functions whose types differ.
TYPES = {"mjs_setInStringVec": OWN_LIST}


def is_absent(struct, member):
    """Whether a member is not there, or not as MuJoCo has it."""
    if member in MEMBERS.get(struct, ()):
        return True
    return struct.startswith("mjs") and member in ("info", "plugin")
