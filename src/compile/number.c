// Ids: bodies in depth-first preorder, what belongs to bodies grouped by body, the rest in document order.
#include "base/error.h"
#include "base/memory.h"
#include "base/platform/clock.h"
#include "compile/number.h"
#include "compile/asset/asset.h"
#include "compile/body/body.h"
#include "compile/build/timing.h"
#include "compile/flex/flex.h"
#include "compile/relation/relation.h"
#include "compile/mesh/mesh.h"
#include "format/mjcf/language/loop_text.h"
#include "model/kinds.h"
#include "model/signature.h"
#include <limits.h>
#include <stddef.h>

// Largest size that a file may ask for without elements to fill it; a slip must not eat the memory.
#define MAX_GIVEN (1 << 20)

static int maxInt(int a, int b)
{
    return a > b ? a : b;
}

// Sizes by name in the array that sn_makeModel takes.
#define SIZE(name) sizes[offsetof(snModel, name) / sizeof(int)]

static bool countBodies(snBuild* b, int sizes[])
{
    // contact signatures hold two body ids in 16 bits each
    const bool isSigned = b->spec->pairs.count || b->spec->excludes.count;
    for (snSpecBody* body = b->spec->world; body; body = sn_specNextBody(body)) {
        if (SIZE(nbody) == SN_MOST_BODIES)
            return sn_buildFail(b, &body->head, SN_STATUS_UNSUPPORTED,
                                "not supported yet: more than %d bodies", SN_MOST_BODIES);
        if (isSigned && SIZE(nbody) == SN_MOST_SIGNED_BODIES)
            return sn_buildFail(b, &body->head, SN_STATUS_UNSUPPORTED,
                                "not supported yet: more than %d bodies with <pair> or <exclude>: leave "
                                "these out, contype and conaffinity filter, too",
                                SN_MOST_SIGNED_BODIES);
        body->head.id = SIZE(nbody)++;
        SIZE(njnt) += body->joints.count;
        SIZE(ngeom) += body->geoms.count;
        SIZE(nsite) += body->sites.count;
        SIZE(ncam) += body->cameras.count;
        SIZE(nlight) += body->lights.count;
        SIZE(nmocap) += body->mocap != 0;
        SIZE(ngravcomp) += body->gravcomp > 0;
        int dofs = 0;
        SN_EACH (snSpecJoint, joint, body->joints) {
            SIZE(nq) += sn_jointCoordinates(joint->type);
            SIZE(nplastic) += sn_plasticOfJoint(joint);
            dofs += sn_jointDofs(joint->type);
        }
        if (dofs > 6)
            return sn_buildFail(b, &body->head, SN_STATUS_MODEL,
                                "its joints have %d degrees of freedom, at most 6 make sense: put some of "
                                "them into a body of their own",
                                dofs);
        SIZE(nv) += dofs;
    }
    return true;
}

// Elements by id, in one block.
static bool listElements(snBuild* b, const int sizes[])
{
    const size_t nbody = (size_t)SIZE(nbody), njnt = (size_t)SIZE(njnt), ngeom = (size_t)SIZE(ngeom),
                 nsite = (size_t)SIZE(nsite), ncam = (size_t)SIZE(ncam), nlight = (size_t)SIZE(nlight);
    const size_t pointers = nbody + njnt + ngeom + nsite + ncam + nlight;
    char* block = sn_calloc(pointers * sizeof(void*) + 4 * ngeom * sizeof(double));
    if (!block) {
        sn_fail(b->error, SN_STATUS_NO_MEMORY, "out of memory for the model's description");
        return false;
    }
    b->block = block;
    b->geom_mass = (double*)block;
    b->geom_inertia = b->geom_mass + ngeom;
    b->body = (snSpecBody**)(b->geom_inertia + 3 * ngeom);
    b->joint = (snSpecJoint**)(b->body + nbody);
    b->geom = (snSpecGeom**)(b->joint + njnt);
    b->site = (snSpecSite**)(b->geom + ngeom);
    b->camera = (snSpecCamera**)(b->site + nsite);
    b->light = (snSpecLight**)(b->camera + ncam);
    int joints = 0, geoms = 0, sites = 0, cameras = 0, lights = 0;
    for (snSpecBody* body = b->spec->world; body; body = sn_specNextBody(body)) {
        b->body[body->head.id] = body;
#define LIST(type, array, list, count)                                                                       \
    for (type* e = body->list.first; e; e = e->next) {                                                       \
        e->head.id = count;                                                                                  \
        array[count++] = e;                                                                                  \
    }
        LIST(snSpecJoint, b->joint, joints, joints)
        LIST(snSpecGeom, b->geom, geoms, geoms)
        LIST(snSpecSite, b->site, sites, sites)
        LIST(snSpecCamera, b->camera, cameras, cameras)
        LIST(snSpecLight, b->light, lights, lights)
#undef LIST
    }
    return true;
}

// nuser_x: as given, or with -1 as many as the longest list; fewer than a list has is an error.
static bool userSize(snBuild* b, const char* attribute, const snSpecHead* element, int given,
                     snSpecNumbers user, int* size)
{
    if (given >= 0 && user.count > given)
        return sn_buildFail(b, element, SN_STATUS_MODEL,
                            "user has %d numbers, but <size %s=\"%d\"> allows %d", user.count, attribute,
                            given, given);
    if (given < 0) *size = maxInt(*size, user.count);
    return true;
}

static bool countUser(snBuild* b, int sizes[])
{
    const snSpecSize* s = &b->spec->size;
#define GIVEN(name)                                                                                          \
    if (s->name < -1)                                                                                        \
        return sn_buildFailSetting(b, "size", #name, SN_STATUS_MODEL, #name " is %d, must be at least -1",   \
                                   s->name);                                                                 \
    if (s->name > MAX_GIVEN)                                                                                 \
        return sn_buildFailSetting(b, "size", #name, SN_STATUS_MODEL, #name " is %d, must be at most %d",    \
                                   s->name, MAX_GIVEN);                                                      \
    SIZE(name) = maxInt(0, s->name);
    GIVEN(nuser_body)
    GIVEN(nuser_jnt)
    GIVEN(nuser_geom)
    GIVEN(nuser_site)
    GIVEN(nuser_cam)
    GIVEN(nuser_tendon)
    GIVEN(nuser_actuator)
    GIVEN(nuser_sensor)
#undef GIVEN
#define USER(name, element)                                                                                  \
    if (!userSize(b, #name, &(element)->head, s->name, (element)->user, &SIZE(name))) return false;
    for (int i = 0; i < SIZE(nbody); i++) USER(nuser_body, b->body[i])
    for (int i = 0; i < SIZE(njnt); i++) USER(nuser_jnt, b->joint[i])
    for (int i = 0; i < SIZE(ngeom); i++) USER(nuser_geom, b->geom[i])
    for (int i = 0; i < SIZE(nsite); i++) USER(nuser_site, b->site[i])
    for (int i = 0; i < SIZE(ncam); i++) USER(nuser_cam, b->camera[i])
    SN_EACH (snSpecTendon, tendon, b->spec->tendons) {
        USER(nuser_tendon, tendon)
    }
    SN_EACH (snSpecActuator, actuator, b->spec->actuators) {
        USER(nuser_actuator, actuator)
    }
    SN_EACH (snSpecSensor, sensor, b->spec->sensors) {
        USER(nuser_sensor, sensor)
    }
#undef USER
    return true;
}

// Ids in document order.
#define NUMBER(type, list)                                                                                   \
    do {                                                                                                     \
        int id = 0;                                                                                          \
        for (type* e = b->spec->list.first; e; e = e->next) e->head.id = id++;                               \
    } while (0)

static void numberRest(snBuild* b, int sizes[])
{
    const snSpec* spec = b->spec;
    NUMBER(snSpecTexture, textures);
    NUMBER(snSpecSkin, skins);
    NUMBER(snSpecFlex, flexes);
    NUMBER(snSpecHfield, hfields);
    NUMBER(snSpecMaterial, materials);
    NUMBER(snSpecMesh, meshes);
    NUMBER(snSpecPair, pairs);
    NUMBER(snSpecExclude, excludes);
    NUMBER(snSpecTendon, tendons);
    NUMBER(snSpecEquality, equalities);
    NUMBER(snSpecActuator, actuators);
    NUMBER(snSpecSensor, sensors);
    NUMBER(snSpecNumeric, numerics);
    NUMBER(snSpecText, texts);
    NUMBER(snSpecTuple, tuples);
    NUMBER(snSpecKey, keys);
    SIZE(ntex) = spec->textures.count;
    SIZE(nskin) = spec->skins.count;
    SIZE(nflex) = spec->flexes.count;
    SIZE(nhfield) = spec->hfields.count;
    SIZE(nmat) = spec->materials.count;
    SIZE(npair) = spec->pairs.count;
    SIZE(nexclude) = spec->excludes.count;
    SIZE(ntendon) = spec->tendons.count;
    SN_EACH (snSpecTendon, tendon, spec->tendons) SIZE(nwrap) += tendon->path.count;
    SIZE(neq) = spec->equalities.count;
    SN_EACH (snSpecText, text, spec->texts) SIZE(nloop) += sn_loopTextName(text->head.name, NULL) != NULL;
    SIZE(nactuator) = spec->actuators.count;
    SIZE(nsensor) = spec->sensors.count;
    SIZE(nnumeric) = spec->numerics.count;
    SIZE(ntext) = spec->texts.count;
    SIZE(ntuple) = spec->tuples.count;
    SIZE(nkey) = maxInt(spec->keys.count, spec->size.nkey);
    SIZE(nuserdata) = spec->size.nuserdata;
}

// Adds what an element asks for in numbers of its own choice.
static bool addSize(snBuild* b, const snSpecHead* element, const char* attribute, int count, int* size)
{
    if (count > MAX_GIVEN - *size)
        return sn_buildFail(b, element, SN_STATUS_MODEL, "%s is %d: the model may have %d of them in all",
                            attribute, count, MAX_GIVEN);
    *size += count;
    return true;
}

static bool countSkins(snBuild* b, int sizes[])
{
    snSkinSizes all;
    if (!sn_countSkins(b, &all)) return false;
    SIZE(nskinvert) = all.nvert;
    SIZE(nskintexvert) = all.ntexcoord;
    SIZE(nskinface) = all.nface;
    SIZE(nskinbone) = all.nbone;
    SIZE(nskinbonevert) = all.nbonevert;
    return true;
}

static bool countRest(snBuild* b, int sizes[])
{
    const snSpec* spec = b->spec;
    SN_EACH (snSpecSensor, sensor, spec->sensors)
        if (!addSize(b, &sensor->head, "dim", sn_sensorDim(b, sensor), &SIZE(nsensordata))) return false;
    if (!sn_countHistory(b, &SIZE(nhistory))) return false;
    SN_EACH (snSpecNumeric, numeric, spec->numerics) {
        const int size = numeric->size >= 0 ? numeric->size : numeric->data.count;
        if (numeric->data.count > size)
            return sn_buildFail(b, &numeric->head, SN_STATUS_MODEL, "data has %d numbers, size says %d",
                                numeric->data.count, size);
        SIZE(nnumericdata) += size;
    }
    SN_EACH (snSpecText, text, spec->texts) SIZE(ntextdata) += (int)strlen(text->data ? text->data : "") + 1;
    SN_EACH (snSpecTuple, tuple, spec->tuples) SIZE(ntupledata) += tuple->elements.count;
    SN_EACH (snSpecActuator, actuator, spec->actuators) {
        SIZE(nu) += sn_actuatorControls(actuator);
        SIZE(nout) += sn_actuatorOutputs(actuator);
        SIZE(nJmom) += sn_actuatorOutputs(actuator) * sn_actuatorArms(b, actuator, SIZE(nv));
        if (!addSize(b, &actuator->head, "actdim", sn_actuatorActivations(actuator), &SIZE(na))) return false;
    }
    snPluginSizes plugins;
    if (!sn_countPlugins(b, &plugins)) return false;
    SIZE(nplugin) = plugins.instances;
    SIZE(npluginattr) = plugins.attr;
    SIZE(npluginname) = plugins.name;
    SIZE(npluginnumber) = plugins.number;
    const int nuserdata = spec->size.nuserdata, nkey = spec->size.nkey;
    if (nkey < 0 && !sn_buildWarnSetting(b, "size", "nkey", "nkey is %d, must not be negative", nkey))
        return false;
    if (nuserdata < 0 || nuserdata > MAX_GIVEN || nkey > MAX_GIVEN)
        return sn_buildFailSetting(b, "size", nkey > MAX_GIVEN ? "nkey" : "nuserdata", SN_STATUS_MODEL,
                                   "nuserdata and nkey must be 0 to %d", MAX_GIVEN);
    const int objects = SIZE(nbody) + SIZE(njnt) + SIZE(ngeom) + SIZE(nsite) + SIZE(ncam) + SIZE(nlight) +
                        SIZE(nflex) + SIZE(nmesh) + SIZE(nskin) + SIZE(nhfield) + SIZE(ntex) + SIZE(nmat) +
                        SIZE(npair) + SIZE(nexclude) + SIZE(neq) + SIZE(ntendon) + SIZE(nactuator) +
                        SIZE(nsensor) + SIZE(nnumeric) + SIZE(ntext) + SIZE(ntuple) + SIZE(nkey) +
                        SIZE(nplugin);
    if (!sn_buildNameSize(b, objects, &SIZE(nnames)))
        return sn_buildFail(b, NULL, SN_STATUS_MODEL, "the names are too long in all");
    SIZE(nnames_map) = 2 * objects;
    SIZE(npaths) = sn_buildPathSize(b);
    if (SIZE(npaths) < 0)
        return sn_buildFail(b, NULL, SN_STATUS_MODEL, "the names of files are too long in all");
    return true;
}

// Room for the dofs of tendons, until their paths are known: a joint has one, a site or geom at most those of
// the longest chain.
static bool countTendons(snBuild* b, int sizes[], int longest)
{
    long long room = 0;
    SN_EACH (snSpecTendon, tendon, b->spec->tendons) {
        const snSpecWrap* first = tendon->path.first;
        const long long each = first && first->type == SN_WRAP_JOINT ? 1 : longest;
        const long long most = each * tendon->path.count;
        room += most < SIZE(nv) ? most : SIZE(nv);
        SIZE(nplastic) += sn_plasticOfTendon(tendon);
    }
    if (room > INT_MAX) return sn_buildFail(b, NULL, SN_STATUS_MODEL, "the tendons are too long in all");
    SIZE(nJten) = (int)room;
    return true;
}

// Trees, and non-zeros of M: each dof has one for itself and one for every dof above it. Rows of B have those
// above a body, its own and those below, so that each dof is in the row of every body on its way to the
// world.
static bool countInertia(snBuild* b, int sizes[])
{
    int* chain = sn_calloc((size_t)SIZE(nbody) * sizeof(int)); // dofs of a body and of those above
    if (!chain) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    long long nM = 0, nB = 0;
    int longest = 0;
    for (int i = 0; i < SIZE(nbody); i++) {
        const snSpecBody* body = b->body[i];
        const int above = body->parent ? chain[body->parent->head.id] : 0;
        int own = 0;
        SN_EACH (snSpecJoint, joint, body->joints) own += sn_jointDofs(joint->type);
        chain[i] = above + own;
        longest = maxInt(longest, chain[i]);
        nB += above + (long long)own * (body->depth + 1);
        if (own && !above) SIZE(ntree)++;
        nM += (long long)own * above + own * (own + 1) / 2;
    }
    sn_free(chain);
    if (nM + 3LL * SIZE(nv) > INT_MAX / 2 || nB > INT_MAX)
        return sn_buildFail(b, NULL, SN_STATUS_MODEL, "the chains of bodies are too long: M has %lld entries",
                            nM);
    SIZE(nM) = (int)nM;
    SIZE(nC) = (int)nM; // until it is known which dofs are simple
    SIZE(nB) = (int)nB;
    SIZE(nD) = (int)(2 * nM - SIZE(nv));
    return countTendons(b, sizes, longest);
}

// After all else: meshes have their trees too, each over all its triangles.
static bool countBounds(snBuild* b, int sizes[])
{
    long long nodes = 2LL * SIZE(nmeshface) - SIZE(nmesh);
    for (int i = 0; i < SIZE(nbody); i++) nodes += sn_bodyBvhSize(b->body[i]);
    if (nodes > INT_MAX) return sn_buildFail(b, NULL, SN_STATUS_MODEL, "too many geoms");
    SIZE(nbvh) = SIZE(nbvhstatic) = (int)nodes;
    return true;
}

static bool loadAssets(snBuild* b, int sizes[])
{
    const double start = sn_monotonicTime();
    if (!countSkins(b, sizes) || !sn_loadTextures(b, &SIZE(ntexdata))) return false;
    sn_timeStage(b, SN_CTIMER_TEXTURE, start);
    return sn_loadHfields(b, &SIZE(nhfielddata)) && sn_makeMeshes(b, sizes);
}

bool sn_buildNumber(snBuild* b, int sizes[])
{
    if (!countBodies(b, sizes) || !listElements(b, sizes)) return false;
    numberRest(b, sizes);
    const double start = sn_monotonicTime();
    if (!loadAssets(b, sizes) || !sn_countFlexes(b, sizes)) return false;
    sn_timeStage(b, SN_CTIMER_ASSETS, start);
    return countInertia(b, sizes) && countUser(b, sizes) && countRest(b, sizes) && countBounds(b, sizes);
}
