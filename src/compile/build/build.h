// What the parts of the compiler share: the description, the model being made, and its elements by id.
#ifndef SINEW_COMPILE_BUILD_BUILD_H
#define SINEW_COMPILE_BUILD_BUILD_H

#include "math/vec.h"
#include "model/spec/spec.h"

/// Numbers below this count as zero where the peer's compiler asks; its value.
#define SN_COMPILE_EPS 1e-14

// How many sizes a model has.
#define X(name, meaning) +1
enum { SN_NMODELSIZES = 0 SN_MODEL_SIZES(X) };
#undef X

typedef struct snPixels snPixels;
typedef struct snHeights snHeights;
typedef struct snSkinFile snSkinFile;
typedef struct snMesh snMesh;
typedef struct snFlexParts snFlexParts;

typedef struct snBuild {
    snSpec* spec;
    snModel* m; ///< NULL until the sizes are known
    snError* error;
    const snLoadOptions* options; ///< where warnings go; NULL: nowhere
    // elements in the order of their ids, [nbody], [njnt], ...
    snSpecBody** body;
    snSpecJoint** joint;
    snSpecGeom** geom;
    snSpecSite** site;
    snSpecCamera** camera;
    snSpecLight** light;
    double* geom_mass;      ///< [ngeom]; 0 outside compiler.inertiagrouprange
    double* geom_inertia;   ///< [ngeom x 3] principal moments in the geom's frame
    snPixels* pixels;       ///< [ntex] of textures, from sn_loadTextures
    snHeights* heights;     ///< [nhfield] of height fields, from sn_loadHfields
    snSkinFile* skins;      ///< [nskin] in document order, from sn_loadSkins
    snFlexParts* flexes;    ///< [nflex] in document order, from sn_loadFlexes
    void* block;            ///< holds all of these
    bool any_inertia;       ///< sn_takesAnyInertia of the spec
    const char** loop_name; ///< [nloop + neq] of loop joints, then of equalities; from sn_buildLoops
    snMesh* mesh;           ///< [nmesh] processed; see mesh.h
    int nmesh;
} snBuild;

// Every part returns false when the description is wrong; b->error then says what, where, and the mend.

/// Fills the error with "<tag> 'name': text at FILE:LINE"; returns false.
bool sn_buildFail(snBuild* b, const snSpecHead* element, snStatus status, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

/// Warns of the same and returns true; where warnings are errors as sn_buildFail.
bool sn_buildWarn(snBuild* b, const snSpecHead* element, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

/// Warns of what 3.3.7 reads and 4.0 refuses, in a model of 4.0; as sn_buildWarn.
bool sn_buildOutdated(snBuild* b, const snSpecHead* element, const char* what);

/// The same of a setting, "option timestep": at the last place where the model gives it.
bool sn_buildFailSetting(snBuild* b, const char* section, const char* attribute, snStatus status,
                         const char* format, ...) __attribute__((format(printf, 5, 6)));
bool sn_buildWarnSetting(snBuild* b, const char* section, const char* attribute, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
/// Gives an error that knows no place that of the element whose field of the model it is about.
void sn_buildBlame(snBuild* b);

/// Element `name` of a kind, or NULL with an error that says what `element` asked for and the closest name.
/// "" is the last one without a name, with a warning.
const snSpecHead* sn_buildFind(snBuild* b, const snSpecHead* element, const char* attribute, snObjType kind,
                               const char* name);
/// The id of what a reference by name is to; -1 where there is no name. False: as sn_buildFind.
bool sn_buildFindId(snBuild* b, const snSpecHead* element, const char* attribute, snObjType kind,
                    const char* name, int* id);

/// The name of a kind that is nearest to a word; NULL: none is near.
const char* sn_buildNearest(const snBuild* b, snObjType kind, const char* word);

/// Orientation as a unit quaternion.
bool sn_buildOrient(snBuild* b, const snSpecHead* element, const snOrientation* orient, snQuat* quat);
/// Transform from an element's frame chain to its body; identity without frames.
bool sn_buildFrame(snBuild* b, const snSpecFrame* frame, snPose* pose);
/// Pose in the body of something at pos and orient inside `frame`.
bool sn_buildPose(snBuild* b, const snSpecHead* element, const snSpecFrame* frame, const double pos[3],
                  const snOrientation* orient, snPose* pose);

/// Whether a limit holds: the word as given, or with auto and compiler.autolimits range[0] < range[1]. A
/// non-zero range with auto and no autolimits is an error that names the two attributes.
bool sn_buildLimited(snBuild* b, const snSpecHead* element, int word, const double range[2],
                     const char* limited, const char* range_name, bool* result);
/// Whether the model asks to take inertias as they stand.
bool sn_takesAnyInertia(const snSpec* spec);
/// Copies a user list into a row of `columns` numbers, filled up with zeros.
static inline void sn_buildUser(double* row, int columns, snSpecNumbers user)
{
    for (int i = 0; i < columns; i++) row[i] = i < user.count ? user.values[i] : 0;
}

#endif
