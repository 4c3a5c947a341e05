// <flexcomp>: points by type, which of them move, where they stand. flexcomp_points.h tells the files.
#include "format/mjcf/tree/flexcomp.h"
#include "base/memory.h"
#include "format/mjcf/language/element.h"
#include "format/mjcf/tree/flexcomp_points.h"
#include "model/signature.h"
#include "model/spec/orient.h"
#include <string.h>

#define DEFAULT(kind, attribute, member, min, max, words, where, meaning, ...)                               \
    DEFAULT_##kind(member, __VA_ARGS__)
#define DEFAULT_SCALAR(member, ...) .member = __VA_ARGS__,
#define DEFAULT_VECTOR(member, ...) .member = {__VA_ARGS__},
#define DEFAULT_NOTHING(member, ...)
#define DEFAULT_REAL DEFAULT_SCALAR
#define DEFAULT_VEC DEFAULT_VECTOR
#define DEFAULT_FVEC DEFAULT_VECTOR
#define DEFAULT_IVEC DEFAULT_VECTOR
#define DEFAULT_INT DEFAULT_SCALAR
#define DEFAULT_BOOL DEFAULT_SCALAR
#define DEFAULT_WORD DEFAULT_SCALAR
#define DEFAULT_TEXT DEFAULT_SCALAR
#define DEFAULT_REF DEFAULT_SCALAR
#define DEFAULT_NAMES DEFAULT_SCALAR
#define DEFAULT_LIST DEFAULT_NOTHING
#define DEFAULT_FLIST DEFAULT_NOTHING
#define DEFAULT_ILIST DEFAULT_NOTHING
#define DEFAULT_NAME DEFAULT_NOTHING
#define DEFAULT_LATER DEFAULT_NOTHING
#define DEFAULT_ORIENT(member, ...) .member = {.quat = {1, 0, 0, 0}},
static const snSpecFlexcomp blank = {SN_SPEC_FLEXCOMP(DEFAULT) SN_SPEC_FLEXCOMP_EDGE(DEFAULT)};

// ---- what is given

static bool keepContact(snReader* r, const snXmlNode* node, void* context)
{
    (void)r;
    ((snFlexcomp*)context)->contact = (snElement*)node;
    return true; // read with the flex
}

static bool readEdge(snReader* r, const snXmlNode* node, void* context)
{
    snFlexcomp* f = context;
    f->edge = (snElement*)node;
    if (!sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FLEXCOMP_EDGE), SN_IN_ELEMENT, &f->set) ||
        !sn_readNoChildren(r, node))
        return false;
    switch ((snFlexEquality)f->set.equality) {
    case SN_FLEXEQ_FALSE:
    case SN_FLEXEQ_TRUE: return true;
    case SN_FLEXEQ_STRAIN:
        return sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED,
                           "equality=\"strain\" is not supported yet: use \"true\", or elasticity");
    case SN_FLEXEQ_VERT:
        return sn_mjcfFail(
            r, node, SN_STATUS_MODEL,
            "equality=\"vert\" is no longer part of the language: use \"true\", or elasticity");
    }
    return false;
}

static bool readElasticity(snReader* r, const snXmlNode* node, void* context)
{
    snFlexcomp* f = context;
    snSpecFlex flex = {.young = 0};
    f->elasticity = (snElement*)node;
    if (!sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FLEXCOMP_ELASTICITY), SN_IN_ELEMENT, &flex))
        return false;
    if (f->set.dim > 1 || !(flex.young > 0)) return true;
    return sn_mjcfFail(r, node, SN_STATUS_UNSUPPORTED,
                       "rods that bend and twist, 'young' with dim 1, are not supported yet: give <edge> a "
                       "stiffness");
}

static bool keepPlugin(snReader* r, const snXmlNode* node, void* context)
{
    (void)r;
    ((snFlexcomp*)context)->plugin = node;
    return true; // with the bodies
}

static bool passPin(snReader* r, const snXmlNode* node, void* context)
{
    (void)r, (void)node, (void)context;
    return true; // read when the points are there
}

// The body or world that holds it, beyond frames; NULL: something else does.
static const snElement* holderOf(const snElement* node)
{
    const snElement* parent = node->parent;
    while (!strcmp(parent->tag, "frame")) parent = parent->parent;
    return !strcmp(parent->tag, "body") || !strcmp(parent->tag, "worldbody") ? parent : NULL;
}

static bool checkHolder(const snFlexcomp* f)
{
    const snElement* holder = holderOf(f->node);
    if (!holder)
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                           "it stands in <replicate>: put it into a body there, with a name");
    if (sn_mjcfName(holder)) return true;
    return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "the body that it stands in must have a name");
}

static bool checkNumbers(const snFlexcomp* f)
{
    const snSpecFlexcomp* set = &f->set;
    if (set->dim < 1 || set->dim > 3)
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "dim is %d, must be 1, 2 or 3", set->dim);
    for (int k = 0; k < 3; k++) {
        if (set->count[k] < 1)
            return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "count has %d along %c, must be above zero",
                               set->count[k], "xyz"[k]);
        if (!(set->scale[k] > SN_MINVAL))
            return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "scale has %g along %c, must be above zero",
                               set->scale[k], "xyz"[k]);
    }
    if (!(set->mass > SN_MINVAL) || !(set->inertiabox > SN_MINVAL))
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "%s is %g, must be above zero",
                           set->mass > SN_MINVAL ? "inertiabox" : "mass",
                           set->mass > SN_MINVAL ? set->inertiabox : set->mass);
    if (set->dof != SN_FLEXDOF_TRILINEAR && set->dof != SN_FLEXDOF_QUADRATIC) return true;
    return sn_mjcfFail(f->r, f->node, SN_STATUS_UNSUPPORTED,
                       "dof=\"%s\" is not supported yet: use full, radial or 2d",
                       sn_attributeText(f->node, "dof"));
}

static bool readFlexcomp(snFlexcomp* f)
{
    static const snChild children[] = {{"contact", keepContact, 1},
                                       {"edge", readEdge, 1},
                                       {"elasticity", readElasticity, 1},
                                       {"pin", passPin, 0},
                                       {"plugin", keepPlugin, 1}};
    f->set = blank;
    if (!sn_readAttributes(f->r, f->node, sn_mjcfElement(SN_MJCF_FLEXCOMP), SN_IN_ELEMENT, &f->set))
        return false;
    f->name = sn_mjcfName(f->node);
    if (!f->name) return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "attribute 'name' is empty");
    if (f->set.mesh && !sn_attributeText(f->node, "type")) f->set.type = SN_FLEXCOMP_MESH;
    return checkNumbers(f) && checkHolder(f) &&
           sn_readChildren(f->r, f->node, children, SN_COUNT(children), f);
}

// ---- points

// What there must be along x, y and z of a type and dim: at least so many, or exactly one.
typedef struct Shape {
    snFlexcompType type;
    int dim;      // 0: it is not of this dim
    int least[3]; // 0: any; 1: one
} Shape;

static const Shape shapes[] = {
    {SN_FLEXCOMP_GRID, 1, {2, 0, 0}},      {SN_FLEXCOMP_GRID, 2, {2, 2, 1}},
    {SN_FLEXCOMP_GRID, 3, {2, 2, 2}},      {SN_FLEXCOMP_BOX, 2, {2, 2, 2}},
    {SN_FLEXCOMP_BOX, 3, {2, 2, 2}},       {SN_FLEXCOMP_CYLINDER, 2, {2, 2, 2}},
    {SN_FLEXCOMP_CYLINDER, 3, {2, 2, 2}},  {SN_FLEXCOMP_ELLIPSOID, 2, {2, 2, 2}},
    {SN_FLEXCOMP_ELLIPSOID, 3, {2, 2, 2}}, {SN_FLEXCOMP_SQUARE, 2, {2, 2, 1}},
    {SN_FLEXCOMP_DISC, 2, {2, 2, 1}},      {SN_FLEXCOMP_CIRCLE, 1, {4, 0, 0}},
};

static bool checkCount(const snFlexcomp* f, const char* type, const Shape* shape)
{
    for (int k = 0; k < 3; k++) {
        const int count = f->set.count[k], least = shape->least[k];
        if (least == 1 && count != 1)
            return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                               "count has %d along %c, of which type=\"%s\" of dim %d has 1", count, "xyz"[k],
                               type, shape -> dim);
        if (count < least)
            return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                               "count has %d along %c, type=\"%s\" of dim %d needs at least %d", count,
                               "xyz"[k], type, shape -> dim, least);
    }
    return true;
}

static bool checkSpacing(const snFlexcomp* f)
{
    const double room = sn_max(2 * f->set.radius, SN_MINVAL);
    for (int k = 0; k < 3; k++)
        if (!(f->set.spacing[k] >= room))
            return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                               "spacing has %g along %c, must be at least twice the radius, %g",
                               f->set.spacing[k], "xyz"[k], f -> set.radius);
    return true;
}

static bool checkShape(const snFlexcomp* f)
{
    static const char* const names[] = {"grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle"};
    const char* type = names[f->set.type];
    for (int i = 0; i < SN_COUNT(shapes); i++)
        if (shapes[i].type == (snFlexcompType)f->set.type && shapes[i].dim == f->set.dim)
            return checkCount(f, type, &shapes[i]);
    return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "type=\"%s\" is of dim %s, not %d", type,
                       f->set.type == SN_FLEXCOMP_CIRCLE ? "1" : "2 or 3", f->set.dim);
}

bool sn_flexShape(snFlexcomp* f)
{
    if (!checkShape(f)) return false;
    switch ((snFlexcompType)f->set.type) {
    case SN_FLEXCOMP_GRID: return sn_flexGrid(f);
    case SN_FLEXCOMP_BOX:
    case SN_FLEXCOMP_CYLINDER:
    case SN_FLEXCOMP_ELLIPSOID: return sn_flexBox(f);
    case SN_FLEXCOMP_SQUARE:
    case SN_FLEXCOMP_DISC: return sn_flexSquare(f);
    case SN_FLEXCOMP_CIRCLE: return sn_flexCircle(f);
    case SN_FLEXCOMP_MESH:
    case SN_FLEXCOMP_GMSH:
    case SN_FLEXCOMP_DIRECT: break;
    }
    return false;
}

bool sn_makeFlexPoints(snFlexcomp* f, double npoint, double nelement)
{
    if (npoint > (double)(SN_FLEXCOMP_POINTS - f->r->spec->nflexpoint))
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                           "%.0f points: all flexcomps of a model together may have %d, make it coarser",
                           npoint, SN_FLEXCOMP_POINTS);
    f->r->spec->nflexpoint += (int64_t)npoint;
    f->point = sn_malloc((size_t)npoint * 3 * sizeof *f->point + 1);
    f->element = sn_malloc((size_t)nelement * (size_t)(f->set.dim + 1) * sizeof *f->element + 1);
    f->pinned = sn_calloc((size_t)npoint + 1);
    if (f->textured) f->texcoord = sn_malloc((size_t)npoint * 2 * sizeof *f->texcoord + 1);
    return (f->point && f->element && f->pinned && (f->texcoord || !f->textured)) || sn_mjcfNoMemory(f->r);
}

static bool takePoints(snFlexcomp* f)
{
    const snSpecNumbers point = f->set.point;
    const snSpecInts element = f->set.element;
    const int n = f->set.dim + 1;
    if (!point.count || !element.count)
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "type=\"direct\" needs 'point' and 'element'");
    if (point.count % 3)
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "point has %d numbers, three a point",
                           point.count);
    if (element.count % n)
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                           "element has %d numbers, with dim %d %d an element", element.count, f->set.dim, n);
    const int npoint = point.count / 3, nelement = element.count / n;
    if (!sn_makeFlexPoints(f, npoint, nelement)) return false;
    memcpy(f->point, point.values, (size_t)point.count * sizeof *f->point);
    memcpy(f->element, element.values, (size_t)element.count * sizeof *f->element);
    f->npoint = npoint;
    f->nelement = nelement;
    return true;
}

// Points that the type itself makes.
static bool makeShape(snFlexcomp* f)
{
    const char* given = f->set.point.count ? "point" : f->set.element.count ? "element" : NULL;
    if (f->set.type == SN_FLEXCOMP_SQUARE || f->set.type == SN_FLEXCOMP_DISC)
        f->set.dim = 2; // whatever is said
    if (f->set.mesh) return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "'mesh' is for type=\"mesh\"");
    if (given) return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "'%s' is for type=\"direct\"", given);
    f->textured = f->set.dim > 1 && f->set.material && !f->set.texcoord.count;
    return checkSpacing(f) && sn_flexShape(f);
}

static bool makePoints(snFlexcomp* f)
{
    const int type = f->set.type;
    return type < SN_FLEXCOMP_MESH      ? makeShape(f)
           : type == SN_FLEXCOMP_DIRECT ? takePoints(f)
                                        : sn_flexFile(f);
}

// ---- what is made of them

static bool checkElements(const snFlexcomp* f)
{
    const int n = f->set.dim + 1;
    for (int i = 0; i < f->nelement * n; i++)
        if (f->element[i] < 0 || f->element[i] >= f->npoint)
            return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "element %d has point %d, there are 0 to %d",
                               i / n, f->element[i], f->npoint - 1);
    return true;
}

static bool takeTexcoord(snFlexcomp* f)
{
    const snSpecFloats given = f->set.texcoord;
    if (!given.count || f->elemtexcoord) return true;
    if (given.count != 2 * f->npoint)
        return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL,
                           "texcoord has %d numbers, two for each of %d points are needed", given.count,
                           f->npoint);
    f->texcoord = sn_malloc((size_t)given.count * sizeof *f->texcoord);
    if (!f->texcoord) return sn_mjcfNoMemory(f->r);
    memcpy(f->texcoord, given.values, (size_t)given.count * sizeof *f->texcoord);
    f->ntexcoord = f->npoint;
    return true;
}

static bool readPins(snFlexcomp* f)
{
    for (const snElement* e = f->node->first; e; e = e->next)
        if (!strcmp(e->tag, "pin") && !sn_readPin(f, e)) return false;
    for (int i = 0; i < f->npoint; i++)
        f->pinned[i] |= f->set.rigid || (i == 0 && f->set.dof == SN_FLEXDOF_RADIAL);
    return true;
}

// Points that no element has go, with their texture coordinates.
static bool dropPoints(snFlexcomp* f)
{
    const size_t ncorner = (size_t)f->nelement * (size_t)(f->set.dim + 1);
    int* number = sn_calloc(((size_t)f->npoint + 1) * sizeof *number);
    if (!number) return sn_mjcfNoMemory(f->r);
    for (size_t i = 0; i < ncorner; i++) number[f->element[i]] = 1;
    int n = 0;
    f->npinned = 0;
    for (int i = 0; i < f->npoint; i++) {
        if (!number[i]) continue;
        memmove(f->point + 3 * (size_t)n, f->point + 3 * (size_t)i, 3 * sizeof *f->point);
        if (f->texcoord && !f->elemtexcoord)
            memmove(f->texcoord + 2 * (size_t)n, f->texcoord + 2 * (size_t)i, 2 * sizeof *f->texcoord);
        f->pinned[n] = f->pinned[i];
        f->npinned += f->pinned[n];
        number[i] = n++;
    }
    for (size_t i = 0; i < ncorner; i++) f->element[i] = number[f->element[i]];
    f->npoint = n;
    if (f->texcoord && !f->elemtexcoord) f->ntexcoord = n;
    sn_free(number);
    return true;
}

static bool checkMoving(const snFlexcomp* f)
{
    const int moving = f->npoint - f->npinned;
    return moving < SN_MOST_BODIES || sn_mjcfFail(f->r, f->node, SN_STATUS_UNSUPPORTED,
                                                  "not supported yet: %d points that move, a body each, and "
                                                  "more than %d bodies: make it coarser, "
                                                  "or hold points by <pin> or 'rigid'",
                                                  moving, SN_MOST_BODIES);
}

// Pose of what stands in an element, in the body around its frames.
static bool poseOf(const snFlexcomp* f, const snElement* frame, snPose* pose)
{
    for (; !strcmp(frame->tag, "frame"); frame = frame->parent) {
        snSpecFrame own = {.orient.quat = {1, 0, 0, 0}, .scale = {1, 1, 1}};
        snPose outer;
        if (!sn_readAttributes(f->r, frame, sn_mjcfElement(SN_MJCF_FRAME), SN_IN_ELEMENT, &own)) return false;
        const char* why = sn_specQuat(&own.orient, &f->r->spec->compiler, &outer.quat);
        if (why) return sn_mjcfFail(f->r, frame, SN_STATUS_MODEL, "%s", why);
        outer.pos = sn_v3Load(own.pos);
        *pose = sn_poseMul(outer, *pose);
    }
    return true;
}

static bool placePoints(snFlexcomp* f)
{
    const bool scaled = f->set.type >= SN_FLEXCOMP_MESH;
    snPose pose = {.pos = sn_v3Load(f->set.pos)};
    const char* why = sn_specQuat(&f->set.orient, &f->r->spec->compiler, &pose.quat);
    if (why) return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "%s", why);
    if (!poseOf(f, f->node->parent, &pose)) return false;
    for (int i = 0; i < f->npoint; i++) {
        double* x = f->point + 3 * (size_t)i;
        for (int k = 0; scaled && k < 3; k++) x[k] *= f->set.scale[k];
        sn_v3Store(x, sn_v3Add(pose.pos, sn_quatRotate(pose.quat, sn_v3Load(x))));
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            return sn_mjcfFail(f->r, f->node, SN_STATUS_MODEL, "a coordinate of point %d is too large", i);
    }
    return true;
}

void sn_freeFlexPoints(snFlexcomp* f)
{
    sn_free(f->point);
    sn_free(f->element);
    sn_free(f->texcoord);
    sn_free(f->elemtexcoord);
    sn_free(f->pinned);
}

bool sn_expandFlexcomp(snReader* r, snElement* node)
{
    snFlexcomp f = {.r = r, .node = node};
    const bool done = readFlexcomp(&f) && makePoints(&f) && checkElements(&f) && takeTexcoord(&f) &&
                      readPins(&f) && dropPoints(&f) && checkMoving(&f) && placePoints(&f) &&
                      sn_buildFlexcomp(&f);
    sn_freeFlexPoints(&f);
    return done;
}
