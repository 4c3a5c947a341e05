// What the parts of sn_validateModel share: the model that is looked at, and checks of index fields.
#ifndef SINEW_MODEL_CHECK_CHECK_H
#define SINEW_MODEL_CHECK_CHECK_H

#include <sinew/model.h>

typedef struct snCheck {
    const snModel* m;
    snError* error; ///< never NULL
} snCheck;

/// Fills the error with field, entry and what is wrong; false.
bool sn_checkFail(const snCheck* c, const char* field, int entry, const char* what);

/// Whether all n entries are in low .. high - 1.
bool sn_checkRange(const snCheck* c, const char* field, const int* x, int n, int low, int high);
bool sn_checkFlags(const snCheck* c, const char* field, const uint8_t* x, int n, int high);

/// Entry i owns num[i] things from adr[i] on, one entry after the other, all `total` of them. empty: adr of
/// an entry that owns nothing, or -2: where it would begin.
bool sn_checkPacked(const snCheck* c, const char* field, const int* adr, const int* num, int n, int empty,
                    int total);

/// As sn_checkPacked, but entries may share things and leave some out; adr of an entry that owns nothing is
/// -1 or any place.
bool sn_checkSpan(const snCheck* c, const char* field, const int* adr, const int* num, int n, int total);

/// Whether all are dimensions that contacts have.
bool sn_checkCondims(const snCheck* c, const char* field, const int* x, int n);

/// Whether n bytes are UTF-8 and end with a 0; without bytes they are.
bool sn_checkText(const snCheck* c, const char* field, const char* text, int n);

/// Whether names, keys, configurations and sizes of plugins are sound, whatever plugins there are.
snStatus sn_checkPluginTexts(const snModel* m, snError* error);

#define SN_CHECK_RANGE(field, n, low, high) sn_checkRange(c, #field, m->field, n, low, high)
#define SN_CHECK_FLAGS(field, n, high) sn_checkFlags(c, #field, m->field, n, high)

/// Meshes, skins, height fields, textures, materials and the names of their files.
bool sn_checkAssets(const snCheck* c);
/// Bounding volume trees of bodies and meshes.
bool sn_checkVolumes(const snCheck* c);
/// Sparse structures beside D: B, M and the maps between them. After the check of the dofs.
bool sn_checkSparse(const snCheck* c);
bool sn_checkTendons(const snCheck* c);
/// Vertices, edges, elements and elasticity of flexes, and the rows of flexedge_J. After the check of the
/// dofs.
bool sn_checkFlexes(const snCheck* c);
bool sn_checkEqualities(const snCheck* c);
/// Instances of plugins and who has them, and that their plugins are there: after the check of the sensors.
bool sn_checkPlugins(const snCheck* c);
bool sn_checkLoops(const snCheck* c);
/// Options of rigid contact, and its numbers of geoms, joints and equalities.
bool sn_checkRigid(const snCheck* c);

#endif
