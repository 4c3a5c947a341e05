// What the parts of the URDF importer share.
#ifndef SINEW_FORMAT_URDF_IMPORT_H
#define SINEW_FORMAT_URDF_IMPORT_H

#include "format/mjcf/tree/name_set.h"
#include "format/urdf/urdf.h"

/// What the materials of a mesh's file look like.
typedef struct snUrdfColors {
    struct snUrdfColors* next;
    const char* file;
    int n;
    float* rgba; ///< [n x 4]
} snUrdfColors;

typedef struct snUrdf {
    snSpec* spec;
    const snElement* robot;
    const snUrdfOptions* options;
    const snLoadOptions* load; ///< where warnings go; NULL: nowhere
    snError* error;
    snElement* root;       ///< <mujoco>
    snElement* asset;      ///< <asset> of it
    const char* meshdir;   ///< of the <mujoco> extension, or NULL
    bool visuals;          ///< kept
    snNameSet* names;      ///< of the kinds below
    snUrdfColors** colors; ///< of the files that have been looked into
} snUrdf;

/// What names of a URDF stand for.
enum { SN_URDF_LINK, SN_URDF_JOINT, SN_URDF_CHILD, SN_URDF_COLOR, SN_URDF_GEOM };

/// The link or joint of a name; by SN_URDF_CHILD the joint that moves the link of a name.
const snElement* sn_urdfNamed(const snUrdf* u, int kind, const char* name);

/// Fills the error with "<tag name="..">: text at FILE:LINE"; returns false.
bool sn_urdfFail(const snUrdf* u, const snElement* at, snStatus status, const char* format, ...)
    __attribute__((format(printf, 4, 5)));
/// Warns of the same and returns true; where warnings are errors as sn_urdfFail.
bool sn_urdfWarn(const snUrdf* u, const snElement* at, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
bool sn_urdfNoMemory(const snUrdf* u);

/// A new element below parent, standing where `at` stands in the file; NULL: out of memory.
snElement* sn_urdfAdd(const snUrdf* u, snElement* parent, const char* tag, const snElement* at);
/// Sets an attribute, text NULL: not; false: out of memory.
bool sn_urdfPut(const snUrdf* u, snElement* element, const char* name, const char* text);
bool sn_urdfPutNumbers(const snUrdf* u, snElement* element, const char* name, const double* numbers, int n);
/// n numbers of an attribute; an absent one leaves them alone. Anything else is an error.
bool sn_urdfNumbers(const snUrdf* u, const snElement* element, const char* name, double* numbers, int n);

/// pos and orientation from the <origin> of an element.
bool sn_urdfOrigin(const snUrdf* u, const snElement* element, snElement* to);
/// The meshes of all links among the assets, in the order of the file: the peer's, whatever the tree is.
bool sn_urdfMeshes(const snUrdf* u);
/// The name of the asset that <mesh> stands for, shared by all with its file and scale; part: the faces of
/// that colour alone, -1: all. NULL: the error says what is wrong.
const char* sn_urdfMesh(const snUrdf* u, const snElement* node, int part);
/// Has a geom be that mesh.
bool sn_urdfPutMesh(const snUrdf* u, const snElement* node, int part, snElement* geom);
/// The colours of the file that <mesh> names; NULL: it has none.
bool sn_urdfMeshColors(const snUrdf* u, const snElement* node, const snUrdfColors** colors);
/// <inertial>, <collision> and <visual> of a link.
bool sn_urdfInertial(const snUrdf* u, const snElement* link, snElement* body);
bool sn_urdfGeoms(const snUrdf* u, const snElement* link, snElement* body);
/// The joint of a link with its parent; fixed: nothing.
bool sn_urdfJoint(const snUrdf* u, const snElement* joint, snElement* body);
/// <mimic> as joint equalities and, when asked for, <transmission> as motors.
bool sn_urdfCouplings(const snUrdf* u);

/// The path of a file that a URDF names: package://NAME/..., file://..., or relative to the URDF. NULL: it
/// cannot be found, *error says where it was looked for.
const char* sn_urdfFind(const snUrdf* u, const snElement* at, const char* uri);

#endif
