// A number for what a model is made of: bodies with what they carry, and how many there are of the rest. A
// spec and the model that was compiled from it have the same.
#include "model/model.h"

static uint64_t mix(uint64_t hash, int number)
{
    for (int i = 0; i < 4; i++) hash = (hash ^ ((unsigned)number >> 8 * i & 255)) * 0x100000001b3u;
    return hash;
}

static const uint64_t offset_basis = 0xcbf29ce484222325u; // of FNV-1a, as the factor above

// Kinds that bodies carry, then those of sections.
static const int carried[] = {SN_OBJ_JOINT, SN_OBJ_GEOM, SN_OBJ_SITE, SN_OBJ_CAMERA, SN_OBJ_LIGHT};
static const int listed[] = {SN_OBJ_MESH,     SN_OBJ_SKIN,     SN_OBJ_HFIELD,  SN_OBJ_TEXTURE,
                             SN_OBJ_MATERIAL, SN_OBJ_PAIR,     SN_OBJ_EXCLUDE, SN_OBJ_EQUALITY,
                             SN_OBJ_TENDON,   SN_OBJ_ACTUATOR, SN_OBJ_SENSOR};
#define COUNT(list) ((int)(sizeof(list) / sizeof *(list)))

static int placeIn(const int* list, int n, int kind)
{
    for (int i = 0; i < n; i++)
        if (list[i] == kind) return i;
    return -1;
}

uint64_t modelSignature(const snModel* m)
{
    uint64_t hash = offset_basis;
    int sites = 0, cameras = 0, lights = 0;
    for (int i = 0; i < m->nbody; i++) {
        const int site = sites, camera = cameras, light = lights;
        while (sites < m->nsite && m->site_bodyid[sites] == i) sites++;
        while (cameras < m->ncam && m->cam_bodyid[cameras] == i) cameras++;
        while (lights < m->nlight && m->light_bodyid[lights] == i) lights++;
        const int counts[] = {m->body_parentid[i], m->body_jntnum[i], m->body_geomnum[i],
                              sites - site,        cameras - camera,  lights - light};
        for (int k = 0; k < COUNT(counts); k++) hash = mix(hash, counts[k]);
    }
    const int counts[] = {m->nmesh,    m->nskin, m->nhfield, m->ntex,      m->nmat,   m->npair,
                          m->nexclude, m->neq,   m->ntendon, m->nactuator, m->nsensor};
    for (int k = 0; k < COUNT(counts); k++) hash = mix(hash, counts[k]);
    return hash;
}

static void count(const snElement* holder, int counts[])
{
    for (const snElement* e = sn_elementFirst(holder); e; e = sn_elementNext(e)) {
        const int place = placeIn(carried, COUNT(carried), sn_elementType(e));
        if (place >= 0) counts[place]++;
        if (!strcmp(sn_elementTag(e), "frame")) count(e, counts);
    }
}

static uint64_t mixBodies(uint64_t hash, const snElement* holder, int parent, int* nbody);

// A body with all below it.
static uint64_t mixBody(uint64_t hash, const snElement* body, int parent, int* nbody)
{
    int counts[COUNT(carried)] = {0};
    const int id = (*nbody)++;
    count(body, counts);
    hash = mix(hash, parent);
    for (int k = 0; k < COUNT(carried); k++) hash = mix(hash, counts[k]);
    return mixBodies(hash, body, id, nbody);
}

// The bodies in a body or in a frame of it; as deep as files may be nested.
static uint64_t mixBodies(uint64_t hash, const snElement* holder, int parent, int* nbody)
{
    for (const snElement* e = sn_elementFirst(holder); e; e = sn_elementNext(e)) {
        if (!strcmp(sn_elementTag(e), "body")) hash = mixBody(hash, e, parent, nbody);
        if (!strcmp(sn_elementTag(e), "frame")) hash = mixBodies(hash, e, parent, nbody);
    }
    return hash;
}

// All sections <worldbody> are one body, as in the model.
static uint64_t mixWorld(uint64_t hash, const snElement* root)
{
    int counts[COUNT(carried)] = {0}, nbody = 1;
    for (const snElement* e = sn_elementFirst(root); e; e = sn_elementNext(e))
        if (!strcmp(sn_elementTag(e), "worldbody")) count(e, counts);
    hash = mix(hash, 0);
    for (int k = 0; k < COUNT(carried); k++) hash = mix(hash, counts[k]);
    for (const snElement* e = sn_elementFirst(root); e; e = sn_elementNext(e))
        if (!strcmp(sn_elementTag(e), "worldbody")) hash = mixBodies(hash, e, 0, &nbody);
    return hash;
}

uint64_t specSignature(const snElement* root)
{
    int counts[COUNT(listed)] = {0};
    for (const snElement* section = sn_elementFirst(root); section; section = sn_elementNext(section)) {
        const char* tag = sn_elementTag(section);
        if (!strcmp(tag, "default") || !strcmp(tag, "worldbody")) continue;
        for (const snElement* e = sn_elementFirst(section); e; e = sn_elementNext(e)) {
            const int place = placeIn(listed, COUNT(listed), sn_elementType(e));
            if (place >= 0) counts[place]++;
        }
    }
    uint64_t hash = mixWorld(offset_basis, root);
    for (int k = 0; k < COUNT(listed); k++) hash = mix(hash, counts[k]);
    return hash;
}
