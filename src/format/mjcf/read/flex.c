// deformable/flex: its attributes, what they say together.
#include "format/mjcf/language/words.h"
#include "format/mjcf/read/initial.h"
#include "format/mjcf/read/reader.h"

static const snSpecFlex blank_flex = {SN_SPEC_FLEX(SN_INITIAL) SN_SPEC_FLEX_CONTACT(SN_INITIAL)
                                          SN_SPEC_FLEX_EDGE(SN_INITIAL) SN_SPEC_FLEX_ELASTICITY(SN_INITIAL)};

// ---- children

static bool readContact(snReader* r, const snXmlNode* node, void* context)
{
    static const char* const gone[] = {"internal", "vertcollide"};
    snSpecFlex* flex = context;
    if (!sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FLEX_CONTACT), SN_IN_ELEMENT, flex)) return false;
    if (flex->passive) return sn_mjcfLater(r, node, "passive");
    for (int i = 0; i < SN_COUNT(gone); i++)
        if (sn_xmlAttribute(node, gone[i]) &&
            !sn_mjcfWarn(r, node, "'%s' is of 3.3.7 alone and has no effect, remove it%s", gone[i],
                         i ? "" : ": 'selfcollide' says which elements of a flex collide"))
            return false;
    return sn_readNoChildren(r, node);
}

static bool readEdge(snReader* r, const snXmlNode* node, void* context)
{
    return sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FLEX_EDGE), SN_IN_ELEMENT, context) &&
           sn_readNoChildren(r, node);
}

static bool readElasticity(snReader* r, const snXmlNode* node, void* context)
{
    return sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FLEX_ELASTICITY), SN_IN_ELEMENT, context) &&
           sn_readNoChildren(r, node);
}

// ---- vertices and elements

// How many vertices there are: as many as coordinates, or where there are none as bodies.
static bool countVertices(const snReader* r, const snXmlNode* node, const snSpecFlex* flex, int* nvert)
{
    int nbody = 0;
    const char* rest = flex->body;
    while (rest && sn_nextTextWord(&rest).length) nbody++;
    *nvert = flex->vertex.count ? flex->vertex.count / 3 : nbody;
    if (!nbody) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'body' names no body");
    if (flex->vertex.count % 3)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "vertex has %d numbers, must have three a vertex",
                           flex->vertex.count);
    if (nbody != 1 && nbody != *nvert)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "%d bodies for %d vertices: name one of each, or one of all", nbody, *nvert);
    return *nvert > flex->dim ||
           sn_mjcfFail(r, node, SN_STATUS_MODEL, "%d %s, an element of dim=\"%d\" needs %d%s", *nvert,
                       *nvert == 1 ? "vertex" : "vertices", flex->dim, flex->dim + 1,
                       nbody == 1 && !flex->vertex.count ? ": give 'vertex', or a body for each" : "");
}

static bool checkElement(const snReader* r, const snXmlNode* node, const snSpecFlex* flex, int nvert, int e)
{
    const int n = flex->dim + 1, *id = flex->element.values + (size_t)n * (size_t)e;
    for (int i = 0; i < n; i++) {
        if (id[i] < 0 || id[i] >= nvert)
            return sn_mjcfFail(r, node, SN_STATUS_MODEL, "element %d: vertex %d is not there, %d are", e,
                               id[i], nvert);
        for (int k = 0; k < i; k++)
            if (id[k] == id[i])
                return sn_mjcfFail(r, node, SN_STATUS_MODEL, "element %d: vertex %d stands twice in it", e,
                                   id[i]);
    }
    return true;
}

static bool checkElements(const snReader* r, const snXmlNode* node, const snSpecFlex* flex, int nvert)
{
    const int n = flex->dim + 1, count = flex->element.count;
    if (!count) return sn_mjcfFail(r, node, SN_STATUS_MODEL, "'element' is empty");
    if (count % n)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "element has %d numbers, must have %d an element", count,
                           n);
    for (int e = 0; e < count / n; e++)
        if (!checkElement(r, node, flex, nvert, e)) return false;
    return true;
}

static bool checkTexture(const snReader* r, const snXmlNode* node, const snSpecFlex* flex, int nvert)
{
    const int count = flex->texcoord.count, ids = flex->elemtexcoord.count;
    if (count % 2)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "texcoord has %d numbers, must have an even count",
                           count);
    if (ids && !count)
        return sn_mjcfWarn(r, node, "'elemtexcoord' has no effect without 'texcoord', remove it");
    if (ids && ids != flex->element.count)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "elemtexcoord has %d numbers, must have %d as element",
                           ids, flex->element.count);
    if (!ids && count && count != 2 * nvert)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "texcoord has %d numbers for %d vertices, must have two each", count, nvert);
    for (int i = 0; i < ids; i++)
        if (flex->elemtexcoord.values[i] < 0 || flex->elemtexcoord.values[i] >= count / 2)
            return sn_mjcfFail(r, node, SN_STATUS_MODEL, "elemtexcoord: coordinate %d is not there, %d are",
                               flex->elemtexcoord.values[i], count / 2);
    return true;
}

static bool checkMesh(const snReader* r, const snXmlNode* node, const snSpecFlex* flex)
{
    int nvert;
    if (flex->dim < 1 || flex->dim > 3)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "dim is %d, must be 1, 2 or 3", flex->dim);
    return countVertices(r, node, flex, &nvert) && checkElements(r, node, flex, nvert) &&
           checkTexture(r, node, flex, nvert);
}

// ---- what it is made of

static bool checkRadius(const snReader* r, const snXmlNode* node, const snSpecFlex* flex)
{
    if (flex->radius < 0)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "radius is %g, must not be negative", flex->radius);
    return flex->radius > 0 || flex->dim == 3 ||
           sn_mjcfWarn(r, node, "radius is 0, must be positive where dim is 1 or 2");
}

static bool checkContact(const snReader* r, const snXmlNode* node, const snSpecFlex* flex)
{
    const int dim = flex->condim;
    if (dim != 1 && dim != 3 && dim != 4 && dim != 6)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "condim is %d, must be 1, 3, 4 or 6", dim);
    return flex->dim < 3 || flex->activelayers > 0 ||
           sn_mjcfFail(
               r, node, SN_STATUS_MODEL,
               "activelayers is %d, must be at least 1; contype and conaffinity 0 switch contacts off",
               flex->activelayers);
}

// Elasticity of triangles, which wants a thickness.
static bool checkElastic2d(const snReader* r, const snXmlNode* node, const snSpecFlex* flex)
{
    if (flex->dim != 2)
        return sn_mjcfWarn(r, node, "elastic2d has no effect where dim is %d, it is for 2: remove it",
                           flex->dim);
    if (!(flex->young > 0)) return sn_mjcfWarn(r, node, "elastic2d has no effect without 'young'");
    if (flex->thickness < 0)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "elastic2d needs a thickness: give it in <elasticity>");
    return flex->thickness > 0 || sn_mjcfWarn(r, node, "elastic2d has no effect where thickness is 0");
}

// Below 0 they add energy, which may be meant.
static bool checkSigns(const snReader* r, const snXmlNode* node, const snSpecFlex* flex)
{
    const struct {
        const char* name;
        double value;
    } numbers[] = {{"stiffness of edges", flex->edgestiffness},
                   {"damping of edges", flex->edgedamping},
                   {"damping of elasticity", flex->damping}};
    for (int i = 0; i < SN_COUNT(numbers); i++)
        if (numbers[i].value < 0 &&
            !sn_mjcfWarn(r, node, "%s is %g, must not be negative", numbers[i].name, numbers[i].value))
            return false;
    return true;
}

static bool checkElasticity(const snReader* r, const snXmlNode* node, const snSpecFlex* flex)
{
    if (flex->edgestiffness > 0 && flex->dim != 1)
        return sn_mjcfFail(r, node, SN_STATUS_MODEL,
                           "stiffness of edges is for dim 1 alone: give <elasticity> a 'young'");
    if (flex->young < 0 && !sn_mjcfWarn(r, node, "young is %g: there is no elasticity below 0", flex->young))
        return false;
    if (flex->young > 0 && flex->dim == 1)
        return sn_mjcfFail(
            r, node, SN_STATUS_UNSUPPORTED,
            "not supported yet: 'young' of dim=\"1\", rods that bend and twist (remove it; "
            "<edge stiffness> makes springs of the edges, <equality><flex> holds their lengths)");
    if (flex->young > 0 && !(flex->poisson >= 0 && flex->poisson < 0.5))
        return sn_mjcfFail(r, node, SN_STATUS_MODEL, "poisson is %g, must be from 0 to below 0.5",
                           flex->poisson);
    return !flex->elastic2d || checkElastic2d(r, node, flex);
}

bool sn_readFlex(snReader* r, const snXmlNode* node, void* context)
{
    static const snChild children[] = {
        {"contact", readContact, 1}, {"edge", readEdge, 1}, {"elasticity", readElasticity, 1}};
    (void)context;
    snSpecFlex* flex = sn_makeElement(r, node, SN_OBJ_FLEX, &blank_flex, sizeof blank_flex);
    if (!flex || !sn_readAttributes(r, node, sn_mjcfElement(SN_MJCF_FLEX), SN_IN_ELEMENT, flex)) return false;
    SN_SPEC_APPEND(&r->spec->flexes, flex);
    return sn_readChildren(r, node, children, SN_COUNT(children), flex) && checkMesh(r, node, flex) &&
           checkRadius(r, node, flex) && checkContact(r, node, flex) && checkSigns(r, node, flex) &&
           checkElasticity(r, node, flex);
}
