"""Numbers of MuJoCo's enumerations that drawing needs."""

# mjtGeom
PLANE, HFIELD, SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH, SDF = range(9)
ARROW, ARROW1, ARROW2, LINE, LINEBOX, FLEX, SKIN, LABEL, TRIANGLE = range(100, 109)

IN_ROOM = FLEX, SKIN  # found by objid; their vertices are where they are seen
REAL_SIZE = HFIELD, MESH, SDF, *IN_ROOM  # types whose vertices their geoms' size does not scale

# mjtRndFlag
F_SHADOW, F_WIREFRAME, F_REFLECTION, F_ADDITIVE, F_SKYBOX, F_FOG, F_HAZE = range(7)
F_SEGMENT, F_IDCOLOR, F_CULL_FACE = range(7, 10)

# mjtStereo
NO_STEREO, QUADBUFFERED, SIDEBYSIDE = range(3)

# mjtLightType
SPOT, DIRECTIONAL, POINT, IMAGE = range(4)
