// The kinds of element that have names, in the order in which m->names and m->names_map hold them.
// X(kind, size, address field)
#ifndef SINEW_MODEL_NAMED_KINDS_H
#define SINEW_MODEL_NAMED_KINDS_H

// clang-format off
#define SN_NAMED_KINDS(X) \
    X(BODY,     nbody,    name_bodyadr) \
    X(JOINT,    njnt,     name_jntadr) \
    X(GEOM,     ngeom,    name_geomadr) \
    X(SITE,     nsite,    name_siteadr) \
    X(CAMERA,   ncam,     name_camadr) \
    X(LIGHT,    nlight,   name_lightadr) \
    X(FLEX,     nflex,    name_flexadr) \
    X(MESH,     nmesh,    name_meshadr) \
    X(SKIN,     nskin,    name_skinadr) \
    X(HFIELD,   nhfield,  name_hfieldadr) \
    X(TEXTURE,  ntex,     name_texadr) \
    X(MATERIAL, nmat,     name_matadr) \
    X(PAIR,     npair,    name_pairadr) \
    X(EXCLUDE,  nexclude, name_excludeadr) \
    X(EQUALITY, neq,      name_eqadr) \
    X(TENDON,   ntendon,  name_tendonadr) \
    X(ACTUATOR, nactuator, name_actuatoradr) \
    X(SENSOR,   nsensor,  name_sensoradr) \
    X(NUMERIC,  nnumeric, name_numericadr) \
    X(TEXT,     ntext,    name_textadr) \
    X(TUPLE,    ntuple,   name_tupleadr) \
    X(KEY,      nkey,     name_keyadr) \
    X(PLUGIN,   nplugin,  name_pluginadr)
// clang-format on

#endif
