// Geoms and sites: sizes and poses. A shape is stretched along its own axes, which a geom must have along
// those of the scale; a site is stretched as nearly as its type can say.
#include "compile/scale/scale.h"
#include "math/orient.h"
#include "shape/kind.h"

// The part of an element that its type, its pose and its sizes are.
typedef struct Shape {
    const snSpecHead* head;
    int type;
    double *size, *pos, *fromto;
    const snOrientation* orient;
    const char* mesh;
    bool strict; // it must be what the type can say
} Shape;

// How a shape is stretched along its own axes.
typedef struct Stretch {
    snScale scale; // in its axes
    double along[3];
    double across; // of a shape around z
} Stretch;

// The axes of a shape: z along from - to where it stands between two points.
static bool findAxes(snBuild* b, const Shape* s, snQuat* turn)
{
    if (isnan(s->fromto[0])) return sn_buildOrient(b, s->head, s->orient, turn);
    const snVec3 along = sn_v3Sub(sn_v3Load(s->fromto), sn_v3Load(s->fromto + 3));
    const real direction[3] = {along.x, along.y, along.z};
    return sn_orientZ(direction, turn) ||
           sn_buildFail(b, s->head, SN_STATUS_MODEL, "fromto: the two points are the same");
}

static bool findStretch(snBuild* b, const Shape* s, const snScale* scale, Stretch* stretch)
{
    snQuat turn = {1, 0, 0, 0};
    if (!scale->even && !findAxes(b, s, &turn)) return false;
    sn_scaleTurned(scale, turn, &stretch->scale);
    const snMat3 M = sn_m3Load(stretch->scale.map);
    for (int k = 0; k < 3; k++) stretch->along[k] = scale->even ? scale->length : sn_v3Norm(sn_m3Col(M, k));
    stretch->across = scale->even ? scale->length : sqrt(stretch->along[0] * stretch->along[1]);
    return true;
}

// Whether a scale leaves an axis where it is, nearly.
static bool keepsAxis(const Stretch* stretch, int k)
{
    const snVec3 column = sn_m3Col(sn_m3Load(stretch->scale.map), k);
    const double own[3] = {column.x, column.y, column.z};
    const double other = sn_hypot(own[(k + 1) % 3], own[(k + 2) % 3]);
    return other <= SN_SCALE_ALIGNED * stretch->along[k];
}

static bool differ(double a, double b)
{
    return fabs(a - b) > SN_SCALE_ALIGNED * sn_max(a, b);
}

static bool failAxes(snBuild* b, const Shape* s)
{
    return sn_buildFail(b, s->head, SN_STATUS_MODEL, "%s is not aligned with the axes of the frame's scale",
                        isnan(s->fromto[0]) ? "it" : "the axis from fromto");
}

// What a geom's type cannot say.
static bool checkStretch(snBuild* b, const Shape* s, const Stretch* stretch)
{
    const double* along = stretch->along;
    const bool round = s->type == SN_GEOM_CAPSULE || s->type == SN_GEOM_CYLINDER;
    if (stretch->scale.even || !s->strict || s->mesh) return true;
    if (s->type == SN_GEOM_SPHERE)
        return (!differ(along[0], along[1]) && !differ(along[1], along[2]) && !differ(along[0], along[2])) ||
               sn_buildFail(b, s->head, SN_STATUS_MODEL,
                            "a sphere can only be scaled evenly: make it an ellipsoid");
    if (round || !isnan(s->fromto[0])) {
        if (!keepsAxis(stretch, 2)) return failAxes(b, s);
        return (keepsAxis(stretch, 0) && keepsAxis(stretch, 1) && !differ(along[0], along[1])) ||
               sn_buildFail(b, s->head, SN_STATUS_MODEL,
                            "its shape can only be scaled evenly across its axis");
    }
    for (int k = 0; k < 3; k++)
        if (!keepsAxis(stretch, k)) return failAxes(b, s);
    return true;
}

static void stretchSize(const Shape* s, const Stretch* stretch)
{
    const double* along = stretch->along;
    const bool ends = !isnan(s->fromto[0]);
    switch ((snGeomType)s->type) {
    case SN_GEOM_SPHERE: s->size[0] *= stretch->scale.length; break;
    case SN_GEOM_CAPSULE:
    case SN_GEOM_CYLINDER:
        s->size[0] *= stretch->across;
        s->size[1] *= along[2];
        break;
    case SN_GEOM_PLANE:
        s->size[0] *= along[0];
        s->size[1] *= along[1];
        s->size[2] *= stretch->scale.length;
        break;
    default:
        for (int k = 0; k < 3; k++) s->size[k] *= ends && k < 2 ? stretch->across : along[k];
        break;
    }
}

static bool scaleShape(snBuild* b, const Shape* s, const snScale* scale, Stretch* stretch)
{
    if (!findStretch(b, s, scale, stretch) || !checkStretch(b, s, stretch)) return false;
    stretchSize(s, stretch);
    sn_scalePoint(scale, s->pos);
    sn_scalePoint(scale, s->fromto);
    sn_scalePoint(scale, s->fromto + 3);
    return true;
}

// Mass by volume, or by area where all of it is in the surface.
static double densityFactor(const snBuild* b, const snSpecGeom* geom, const snScale* scale)
{
    const snSpecMesh* mesh = geom->mesh ? (void*)sn_findSpec(b->spec, SN_OBJ_MESH, geom->mesh) : NULL;
    const bool shell = geom->shellinertia || (mesh && mesh->inertia == SN_MESH_SHELL);
    const double area = scale->length * scale->length;
    return scale->mass / (shell ? area : area * scale->length);
}

static void scaleContact(snSpecGeom* geom, const Stretch* stretch)
{
    const double length = stretch->scale.length;
    geom->friction[1] *= length;
    geom->friction[2] *= length;
    geom->solimp[2] *= length;
    geom->margin *= length;
    geom->gap *= length;
    geom->adhesion *= stretch->scale.force;
    sn_scalePoint(&stretch->scale, geom->surfacevel);
}

bool sn_scaleGeom(snBuild* b, snSpecGeom* geom, const snScale* scale)
{
    const Shape shape = {&geom->head,  geom->type,    geom->size, geom->pos,
                         geom->fromto, &geom->orient, geom->mesh, true};
    Stretch stretch;
    if (!scaleShape(b, &shape, scale, &stretch)) return false;
    geom->head.scale = scale;
    geom->mass *= scale->mass;
    geom->density *= densityFactor(b, geom, scale);
    scaleContact(geom, &stretch);
    return true;
}

bool sn_scaleSite(snBuild* b, snSpecSite* site, const snScale* scale)
{
    const Shape shape = {&site->head,  site->type,    site->size, site->pos,
                         site->fromto, &site->orient, site->mesh, false};
    Stretch stretch;
    site->head.scale = scale;
    return scaleShape(b, &shape, scale, &stretch);
}
