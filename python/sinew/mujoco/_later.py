"""What release 4.0 of the peer has otherwise than 3.3.7: names, as data."""

# Enumerations in the form of `_names._WORD_ENUMS`, also those of which some values are others than ours.
WORD_ENUMS = {
    "mjtBias": ("mjBIAS_", "none affine muscle dcmotor so3 user"),
    "mjtConDataField": ("mjCONDATA_", "found force torque dist pos normal tangent linvel angvel"),
    "mjtDyn": ("mjDYN_", "none integrator filter filterexact muscle dcmotor pid user"),
    "mjtEnableBit": (
        "mjENBL_",
        "override=1 energy=2 fwdinv=4 invdiscrete=8 sleep=16 diagexact=32 ipc=64 speculative=128",
    ),
    "mjtEq": ("mjEQ_", "connect weld joint tendon flex flexvert flexstrain distance"),
    "mjtGain": ("mjGAIN_", "fixed affine muscle dcmotor so3 pid user"),
    "mjtMeshBuiltin": (
        "mjMESH_BUILTIN_",
        "none sphere hemisphere cone supersphere supertorus wedge plate grid box cylinder ellipsoid square disc",
    ),
    "mjtRndFlag": (
        "mjRND_",
        "shadow wireframe reflection additive skybox fog haze depth segment idcolor cull_face post_processing",
    ),
    "mjtState": (
        "mjSTATE_",
        "time=1 qpos=2 qvel=4 act=8 history=16 warmstart=32 ctrl=64 qfrc_applied=128 xfrc_applied=256 "
        "eq_active=512 mocap_pos=1024 mocap_quat=2048 userdata=4096 plugin=8192 plastic=16384 "
        "physics=16414 fullphysics=24607 user=8128 integration=32767",
    ),
    "mjtWarning": (
        "mjWARN_",
        "inertia contactfull cnstrfull badqpos badqvel badqacc badctrl",
    ),
    "mjtActuator": (
        "mjACTUATOR_",
        "general motor position velocity intvelocity damper cylinder muscle adhesion pid orientation dcmotor",
    ),
    "mjtCTimer": (
        "mjCTIMER_",
        "total assets texture mesh_load mesh_hull mesh_polygon mesh_inertia mesh_bvh mesh_octree",
    ),
    "mjtCamOutBit": ("mjCAMOUT_", "rgb=1 depth=2 dist=4 normal=8 seg=16"),
    "mjtConflict": ("mjCONFLICT_", "warning merge error"),
    "mjtCtrlChart": ("mjCHART_", "expmap=1 quat=2"),
    "mjtCtrlInput": ("mjINPUT_", "pos=1 vel=2 ff=4 voltage=8 none=16 pressure=32"),
    "mjtEmbed": ("mjEMBED_", "false true auto"),
    "mjtFlexSection": ("mjFLEXSECTION_", "circle box"),
    "mjtLogLevel": ("mjLOG_", "debug info warning error"),
    "mjtLogTopic": ("mjTOPIC_", "none time_stp time_cmp sleep"),
    "mjtPassthrough": ("mjPASSTHROUGH_", "none textures"),
    "mjtProjection": ("mjPROJ_", "perspective orthographic"),
    "mjtRayDataField": ("mjRAYDATA_", "dist dir origin point normal depth"),
    "mjtScaling": ("mjSCALING_", "similar geometry"),
    "mjtSleepState": ("mjS_", "static=-1 asleep awake"),
    "mjtTendon": ("mjTENDON_", "fixed spatial"),
    "mjrIndexType": ("mjINDEX_TYPE_", "u16 u32"),
    "mjrMeshPrimitiveType": ("mjMESH_PRIMITIVE_TYPE_", "triangles lines"),
    "mjrPixelFormat": ("mjPIXEL_FORMAT_", "unknown r8 rgb8 rgba8 r32f depth32f ktx"),
    "mjrVertexAttributeType": ("mjVERTEX_ATTRIBUTE_TYPE_", "float2 float3 float4 ubyte4"),
    "mjrVertexAttributeUsage": (
        "mjVERTEX_ATTRIBUTE_USAGE_",
        "position normal tangents uv color",
    ),
}
# Members that count the others, or bits, as `_names._COUNTS`.
COUNTS = {
    "mjtCTimer": "mjNCTIMER",
    "mjtCamOutBit": "mjNCAMOUT",
    "mjtRayDataField": "mjNRAYDATA",
}
# Members behind those of our tables.
MORE = {
    "mjtDisableBit": "mjDSBL_MULTICCD=524288",
    "mjtMouse": "mjMOUSE_TURN_V=8 mjMOUSE_TURN_H=9",
}
# Members behind the count.
BEHIND = {"mjtLogTopic": "mjNTOPIC=3"}
GONE = {"mjtTaskStatus"}
# Constants.
CONSTANTS = {
    "mjMINAWAKE": 10,
    "mjNEQDATA": 12,
    "mjNPOLY": 2,
    "mjSC_IN": 1,
    "mjSC_OUT": 2,
    "mjSC_INOUT": 3,
    "mjRNDSTRING": (
        ("Shadow", "1", "S"), ("Wireframe", "0", "W"), ("Reflection", "1", "R"), ("Additive", "0", "L"), ("Skybox", "1", "K"),
        ("Fog", "0", "G"), ("Haze", "1", "/"), ("Depth", "0", ""), ("Segment", "0", ","), ("Id Color", "0", ""),
        ("Cull Face", "1", ""), ("Post Processing", "1", ""),
    ),
    "mjENABLESTRING": (
        "Override", "Energy", "Fwdinv", "InvDiscrete", "Sleep", "DiagExact", "IPC", "Speculative",
    ),
}  # fmt: skip
# Members that came after 3.3.7 and that ours have, too, under the same names.
MEMBERS = frozenset(
    """
    actuator_ctrladr actuator_ctrlnum actuator_ctrlspec actuator_outadr actuator_outnum body_awake dof_length geom_adhesion
    geom_surfacevel nJten nactuator nout pair_adhesion qfrc_adhesion sleep_tolerance tree_asleep tree_awake tree_sleep_policy
    """.split()
)
# The same of elements of models, by their classes.
MEMBERS_OF_VIEWS = {
    "_MjModelGeomViews": "castshadow",
    "_MjModelHfieldViews": "pathadr",
    "_MjModelJointViews": "dampingpoly plasticadr springyield stiffnesspoly",
    "_MjModelKeyframeViews": "plastic",
    "_MjModelMeshViews": "pathadr",
    "_MjModelTendonViews": "_dampingpoly _stiffnesspoly plasticadr springyield",
    "_MjModelTextureViews": "colorspace contenttypeadr pathadr",
}
# Members that are no longer there.
GONE_OF = {
    "MjModel": "cam_orthographic flex_evpair flex_evpairadr flex_evpairnum flex_internal nflexevpair".split(),
    "MjData": """
    efc_diagApprox flexedge_J_colind flexedge_J_rowadr flexedge_J_rownnz iLD iLDiagInv iM iM_colind iM_rowadr iM_rownnz iefc_J
    iefc_J_colind iefc_J_rowadr iefc_J_rownnz iefc_J_rowsuper maxuse_threadstack qM ten_J_colind ten_J_rowadr ten_J_rownnz
    """.split(),
}
# Sizes of models, in order.
SIZES = """
    nq nv nu nactuator nout na nbody nbvh nbvhstatic nbvhdynamic noct njnt ntree nM nB nC nD ngeom nsite ncam
    nlight nflex nflexnode nflexvert nflexedge nflexelem nflexelemdata nflexstiffness nflexbending nefm0dof
    nefm0L nefmCvert nflexelemedge nflexshelldata nflextexcoord nJfe nmesh nmeshvert nmeshnormal nmeshtexcoord
    nmeshface nmeshgraph nmeshpoly nmeshpolyvert nmeshpolymap nskin nskinvert nskintexvert nskinface nskinbone
    nskinbonevert nhfield nhfielddata ntex ntexdata nmat npair nexclude neq ntendon nJten nwrap nsensor
    nnumeric nnumericdata ntext ntextdata ntuple ntupledata nkey nmocap nplugin npluginattr nuser_body
    nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon nuser_actuator nuser_sensor nnames npaths nplastic
    nnames_map nJmom ngravcomp nemax njmax nconmax npolygonmax nmeshdegmax nuserdata nsensordata npluginstate
    nhistory narena nbuffer
"""
# Members that releases between 3.3.7 and this one had, and that programs written for those ask for: empty arrays.
BETWEEN = {
    "MjModel": "flex_vertedge:i2 flex_vertedgeadr:i flex_vertedgenum:i flex_vertmetric:d4 flexvert_J_colind:i2 flexvert_J_rowadr:i2 "
    "flexvert_J_rownnz:i2",
    "MjData": "flexvert_J:d2 flexvert_length:d2",
}
# Fields from which `mj_setConst` works, and those that it writes, among those that Sinew has.
SETCONST_INPUTS = tuple(
    """
    qpos0 qpos_spring body_parentid body_rootid body_weldid body_mocapid body_jntnum body_jntadr body_dofnum body_dofadr
    body_geomnum body_geomadr body_simple body_pos body_quat body_ipos body_iquat body_mass body_inertia body_gravcomp
    body_bvhadr body_bvhnum bvh_child bvh_nodeid jnt_type jnt_qposadr jnt_dofadr jnt_bodyid jnt_pos jnt_axis dof_bodyid
    dof_jntid dof_parentid dof_treeid dof_simplenum dof_armature tree_sleep_policy geom_type geom_contype geom_conaffinity
    geom_bodyid geom_dataid geom_size geom_aabb geom_pos geom_quat geom_margin geom_gap geom_fluid site_bodyid site_pos
    site_quat cam_bodyid cam_targetbodyid cam_pos cam_quat light_bodyid light_targetbodyid light_pos light_dir hfield_size
    eq_type eq_obj1id eq_obj2id eq_objtype eq_data tendon_type tendon_adr tendon_num tendon_stiffness tendon_damping
    tendon_armature wrap_type wrap_objid wrap_prm actuator_trntype actuator_outadr actuator_trnid actuator_cranklength
    actuator_damping actuator_dampingpoly actuator_armature actuator_gear M_rownnz M_rowadr M_colind
    """.split()
)
SETCONST_OUTPUTS = tuple(
    """
    actuator_acc0 actuator_biasprm actuator_length0 body_conaffinity body_contype body_invweight0 body_margin body_subtreemass
    bvh_aabb cam_mat0 cam_pos0 cam_poscom0 dof_M0 dof_invweight0 dof_length eq_data geom_aabb geom_fluid geom_rbound
    jnt_actuatorid light_dir0 light_pos0 light_poscom0 tendon_actuatorid tendon_invweight0 tendon_length0 tendon_lengthspring
    tree_sleep_policy
    """.split()
)
