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

typedef struct snBuild {
    snSpec* spec;
    snModel* m; ///< NULL until the sizes are known
    snError* error;
    // elements in the order of their ids, [nbody], [njnt], ...
    snSpecBody** body;
    snSpecJoint** joint;
    snSpecGeom** geom;
    snSpecSite** site;
    snSpecCamera** camera;
    snSpecLight** light;
    double* geom_mass;    ///< [ngeom]; 0 outside compiler.inertiagrouprange
    double* geom_inertia; ///< [ngeom x 3] principal moments in the geom's frame
    snPixels* pixels;     ///< [ntex] of textures, from sn_loadTextures
    snHeights* heights;   ///< [nhfield] of height fields, from sn_loadHfields
    snSkinFile* skins;    ///< [nskin] in document order, from sn_loadSkins
    void* block;          ///< holds all of these
    snMesh* mesh;         ///< [nmesh] processed; see mesh.h
    int nmesh;
} snBuild;

// Every part returns false when the description is wrong; b->error then says what, where, and the mend.

/// Fills the error with "<tag> 'name': text at FILE:LINE"; returns false.
bool sn_buildFail(snBuild* b, const snSpecHead* element, snStatus status, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

/// The same of a setting, "option timestep": at the last place where the model gives it; returns false.
bool sn_buildFailSetting(snBuild* b, const char* section, const char* attribute, snStatus status,
                         const char* format, ...) __attribute__((format(printf, 5, 6)));
/// Gives an error that knows no place that of the element whose field of the model it is about.
void sn_buildBlame(snBuild* b);

/// Element `name` of a kind, or NULL with an error that says what `element` asked for and the closest name.
const snSpecHead* sn_buildFind(snBuild* b, const snSpecHead* element, const char* attribute, snObjType kind,
                               const char* name);

// Passes over the description, before it is numbered.
bool sn_buildFuse(snBuild* b); // bodies without joints become part of their parents
void sn_discardLooks(snBuild* b);

// number.c
/// Gives ids to all elements, fills b->body ... b->light and the sizes [SN_NMODELSIZES], zero before, in the
/// order of sn_makeModel.
bool sn_buildNumber(snBuild* b, int sizes[]);
/// Whether a limit holds: the word as given, or with auto and compiler.autolimits range[0] < range[1]. A
/// non-zero range with auto and no autolimits is an error that names the two attributes.
bool sn_buildLimited(snBuild* b, const snSpecHead* element, int word, const double range[2],
                     const char* limited, const char* range_name, bool* result);

// place.c
/// Orientation as a unit quaternion.
bool sn_buildOrient(snBuild* b, const snSpecHead* element, const snOrientation* orient, snQuat* quat);
/// Transform from an element's frame chain to its body; identity without frames.
bool sn_buildFrame(snBuild* b, const snSpecFrame* frame, snPose* pose);
/// Pose in the body of something at pos and orient inside `frame`.
bool sn_buildPose(snBuild* b, const snSpecHead* element, const snSpecFrame* frame, const double pos[3],
                  const snOrientation* orient, snPose* pose);

// texture.c
/// Draws and reads all textures, once they have ids; *ntexdata receives the bytes of their pixels.
bool sn_loadTextures(snBuild* b, int* ntexdata);
/// Moves them into the model.
void sn_buildTextures(snBuild* b);
void sn_freeTextures(snBuild* b);

// hfield.c
/// Reads the heights of all height fields, once they have ids; *nhfielddata receives their number.
bool sn_loadHfields(snBuild* b, int* nhfielddata);
/// Moves them into the model.
void sn_buildHfields(snBuild* b);
void sn_freeHfields(snBuild* b);
/// A geom with a height field, and only that, gets the half sizes of the box that has its mass.
bool sn_hfieldSize(snBuild* b, snSpecGeom* geom);
/// Its bounds and its number in the model, once it is built; nothing for other geoms.
void sn_hfieldBounds(snBuild* b, const snSpecGeom* geom, int id);

// skin.c
/// What skins hold in all.
typedef struct snSkinSizes {
    int nvert, ntexcoord, nface, nbone, nbonevert;
} snSkinSizes;
/// Reads all skins and marks the bodies of their bones as referenced; before bodies are fused and numbered.
bool sn_loadSkins(snBuild* b);
bool sn_countSkins(snBuild* b, snSkinSizes* sizes);
/// Copies them into the model, once bodies and materials have ids.
bool sn_buildSkins(snBuild* b);
void sn_freeSkins(snBuild* b);

// parts, in the order in which they run
bool sn_buildAssets(snBuild* b);
bool sn_buildMeshes(snBuild* b);
bool sn_buildTree(snBuild* b);   // bodies: ids, poses
bool sn_buildJoints(snBuild* b); // joints and dofs
bool sn_buildGeoms(snBuild* b);
bool sn_buildSites(snBuild* b);
bool sn_buildCameras(snBuild* b);
bool sn_buildLights(snBuild* b);
bool sn_buildInertia(snBuild* b); // bodies: mass, inertia, alignment of free bodies, sameframe, simple
bool sn_discardGeoms(snBuild* b); // those that only show
bool sn_buildContacts(snBuild* b);
bool sn_buildTendons(snBuild* b);
bool sn_buildEqualities(snBuild* b);
bool sn_buildActuators(snBuild* b);
bool sn_buildSensors(snBuild* b);
bool sn_buildCustom(snBuild* b);
bool sn_buildKeys(snBuild* b);
bool sn_buildNames(snBuild* b);
bool sn_buildPaths(snBuild* b);  // names of files; see paths.c to add a kind of asset
bool sn_buildBounds(snBuild* b); // bounding volume trees; after all that moves a frame
bool sn_buildSparse(snBuild* b); // rows of B and M; after body_simple

/// Room for the paths of all assets, at least 1; -1: too long.
int sn_buildPathSize(const snBuild* b);
/// Nodes of the bounding volume tree over a body's geoms.
int sn_bodyBvhSize(const snSpecBody* body);

/// Row of geom_fluid: zero without fluidshape, else 1, fluidcoef (5), virtual mass (3) and inertia (3).
void sn_buildFluid(const snSpecGeom* geom, int type, const double size[3], double fluid[SN_NFLUID]);
/// Id of a material by name, -1 without one.
bool sn_buildMaterialId(snBuild* b, const snSpecHead* element, const char* name, int* id);
/// Outputs of a sensor, or 0 for kinds that are not known to have any; see sensor.c.
int sn_sensorDim(const snSpecSensor* sensor);
/// Most non-zeros of an actuator's moment arms: the dofs of a joint, else nv.
int sn_actuatorArms(const snBuild* b, const snSpecActuator* actuator, int nv);
/// Ranges of length of actuators, as compiler/lengthrange asks for; after the constants at qpos0.
bool sn_buildLengthRanges(snBuild* b);
/// Bytes for the names of nobjects elements; false: too many.
bool sn_buildNameSize(const snBuild* b, int nobjects, int* nnames);
/// Tells the elements of the source their ids in the model that was compiled.
void sn_noteIds(snSpec* spec);
/// Whether the model asks to take inertias as they stand; see inertia.c.
bool sn_takesAnyInertia(const snBuild* b);
/// Copies a user list into a row of `columns` numbers.
void sn_buildUser(double* row, int columns, snSpecNumbers user);

#endif
