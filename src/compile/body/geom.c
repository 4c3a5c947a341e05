// Geoms and sites: sizes, poses, bounds, mass and inertia of each geom.
#include "compile/asset/asset.h"
#include "compile/body/body.h"
#include "compile/mesh/mesh.h"
#include "math/orient.h"
#include "model/rules.h"
#include "shape/added_mass.h"
#include "shape/kind.h"
#include "smooth/bounds.h"

// The assets of a geom, NULL without.
typedef struct Assets {
    const snMesh* mesh; // that it is, or was fitted to
    const snSpecHfield* field;
} Assets;

static snSolid solidOf(const double size[3], const Assets* assets)
{
    snSolid solid = {.size = size};
    if (assets->mesh) {
        solid.low = assets->mesh->low;
        solid.high = assets->mesh->high;
        solid.moments = assets->mesh->box;
        solid.volume = assets->mesh->volume;
    }
    if (assets->field) solid.field = assets->field->size;
    return solid;
}

// Size and pose of a shape between two points: z along from - to, the origin in the middle. Boxes and
// ellipsoids are as wide as they are deep.
static bool buildFromTo(snBuild* b, const snSpecHead* element, int type, const double fromto[6],
                        double size[3], snPose* pose)
{
    const snVec3 from = sn_v3Load(fromto), to = sn_v3Load(fromto + 3), along = sn_v3Sub(from, to);
    if (!sn_shapeKind(type)->span(sn_v3Norm(along), size))
        return sn_buildFail(b, element, SN_STATUS_MODEL,
                            "fromto fits a capsule, cylinder, box or ellipsoid, not a %s: set the type or "
                            "give pos and size",
                            sn_shapeWord(type));
    const real direction[3] = {along.x, along.y, along.z};
    if (!sn_orientZ(direction, &pose->quat))
        return sn_buildFail(b, element, SN_STATUS_MODEL, "fromto: the two points are the same");
    pose->pos = sn_v3Scale(sn_v3Add(from, to), 0.5);
    return true;
}

static bool checkSizes(snBuild* b, const snSpecHead* element, int type, const double size[3])
{
    if (sn_isEndless(type)) {
        if (size[2] <= 0)
            return sn_buildFail(b, element, SN_STATUS_MODEL,
                                "size[2], the grid spacing of a plane, must be positive");
        return true;
    }
    const bool site = !strcmp(element->tag, "site"); // which may be of no size at all
    for (int k = 0; k < 3; k++)
        if (sn_factsOf(type)->positive & 1 << k && (size[k] <= 0 || (isnan(size[k]) && !site)))
            return sn_buildFail(b, element, SN_STATUS_MODEL, "size[%d] is %g, a %s needs it positive", k,
                                size[k], sn_shapeWord(type));
    return true;
}

// Size and pose of a geom or a site from all the ways to say them.
static bool buildShape(snBuild* b, const snSpecHead* element, const snSpecFrame* frame, int type,
                       const double fromto[6], const double pos[3], const snOrientation* orient,
                       double size[3], snPose* pose)
{
    if (isnan(fromto[0])) {
        if (!sn_buildPose(b, element, frame, pos, orient, pose)) return false;
    } else {
        if (pos[0] != 0 || pos[1] != 0 || pos[2] != 0)
            return sn_buildFail(b, element, SN_STATUS_MODEL, "has both pos and fromto: leave out one");
        snPose own, outer;
        if (!buildFromTo(b, element, type, fromto, size, &own) || !sn_buildFrame(b, frame, &outer))
            return false;
        *pose = frame ? sn_poseMul(outer, own) : own;
    }
    return checkSizes(b, element, type, size);
}

// The processed mesh of a geom; *mesh is NULL without one.
static bool findMesh(snBuild* b, const snSpecGeom* geom, const snMesh** mesh)
{
    *mesh = NULL;
    if (!geom->mesh && !sn_isMeshAsset(geom->type)) return true;
    const snSpecHead* found = sn_buildFind(b, &geom->head, "mesh", SN_OBJ_MESH, geom->mesh);
    if (!found) return false;
    *mesh = &b->mesh[found->id];
    return true;
}

// The geom is given in the frame of the mesh's file; a mesh has its origin and axes at its centre of mass.
// `own`: the geom's frame in that.
static bool buildMeshShape(snBuild* b, const snSpecGeom* geom, const snMesh* mesh, double size[3],
                           snPose* pose, snPose* own)
{
    if (!isnan(geom->fromto[0]))
        return sn_buildFail(b, &geom->head, SN_STATUS_MODEL, "mesh and fromto exclude each other");
    if (!sn_buildPose(b, &geom->head, geom->frame, geom->pos, &geom->orient, pose)) return false;
    *pose = sn_poseMul(*pose, mesh->frame);
    *own = mesh->frame;
    if (sn_isMeshAsset(geom->type)) {
        for (int k = 0; k < 3; k++) size[k] = sn_max(fabs(mesh->low[k]), fabs(mesh->high[k]));
        return true;
    }
    snPose centre = {{0, 0, 0}, {1, 0, 0, 0}};
    if (!sn_meshFit(mesh, geom->type, sn_specCompiler(b->spec, &geom->head)->fitaabb, size, &centre.pos))
        return sn_buildFail(
            b, &geom->head, SN_STATUS_MODEL,
            "a %s cannot be fitted to a mesh: use a sphere, capsule, ellipsoid, cylinder or box",
            sn_shapeWord(geom->type));
    for (int k = 0; k < 3; k++) size[k] *= geom->fitscale;
    *pose = sn_poseMul(*pose, centre);
    *own = sn_poseMul(*own, centre);
    return checkSizes(b, &geom->head, geom->type, size);
}

// The velocity of its surface, given in the frame in which the geom is, in the geom's `own` frame.
static void buildSurface(const double given[6], const snPose* own, double surfacevel[6])
{
    const snVec3 v = sn_v3Load(given), w = sn_v3Load(given + 3);
    const snQuat back = sn_quatConj(own->quat);
    sn_v3Store(surfacevel, sn_quatRotate(back, sn_v3Add(v, sn_v3Cross(w, own->pos))));
    sn_v3Store(surfacevel + 3, sn_quatRotate(back, w));
}

// Mass from `mass`, else from density times volume (area); inertia about the geom's centre.
static bool buildMass(snBuild* b, const snSpecGeom* geom, int id, const snSolid* solid)
{
    const snShapeKind* kind = sn_shapeKind(geom->type);
    const int* range = sn_specCompiler(b->spec, &geom->head)->inertiagrouprange;
    if (geom->group < range[0] || geom->group > range[1]) return true;
    const bool shell = geom->shellinertia != 0;
    const double volume = shell ? kind->area(solid) : kind->volume(solid);
    const bool given = !isnan(geom->mass);
    if (given ? geom->mass < 0 : geom->density < 0) {
        const char* what = given ? "mass" : "density";
        if (b->m->geom_bodyid[id])
            return sn_buildFail(b, &geom->head, SN_STATUS_MODEL, "%s is negative", what);
        return sn_buildWarn(b, &geom->head, "%s is negative, which matters nowhere: the world has no mass",
                            what);
    }
    const double mass = given ? geom->mass : geom->density * volume;
    if (!(volume > SN_MINVAL) || !(mass > 0)) return true;
    b->geom_mass[id] = mass;
    const snVec3 inertia = shell ? kind->shellInertia(solid, mass) : kind->inertia(solid, mass);
    sn_v3Store(b->geom_inertia + 3 * id, inertia);
    return true;
}

static bool checkGeom(snBuild* b, const snSpecGeom* geom, int body)
{
    if (*sn_factsOf(geom->type)->refusal)
        return sn_buildFail(b, &geom->head, SN_STATUS_UNSUPPORTED, "not supported yet: type=\"%s\"",
                            sn_shapeWord(geom->type));
    if (sn_isMeshAsset(geom->type) && geom->shellinertia)
        return sn_buildFail(b, &geom->head, SN_STATUS_MODEL,
                            "shellinertia is not for meshes: set inertia=\"shell\" of the <mesh>");
    if (sn_isEndless(geom->type) && b->body[b->m->body_weldid[body]]->joints.count)
        return sn_buildFail(b, &geom->head, SN_STATUS_MODEL,
                            "a plane cannot move: put it into the world or into a body without joints");
    if (geom->condim != 1 && geom->condim != 3 && geom->condim != 4 && geom->condim != 6)
        return sn_buildFail(b, &geom->head, SN_STATUS_MODEL, "condim is %d, must be 1, 3, 4 or 6",
                            geom->condim);
    return true;
}

// Row of geom_fluid: zero without fluidshape, else 1, fluidcoef (5), added mass (3) and inertia (3).
static void buildFluid(const snSpecGeom* geom, const double size[3], double fluid[SN_NFLUID])
{
    if (!geom->fluidshape) return;
    fluid[0] = 1;
    memcpy(fluid + 1, geom->fluidcoef, 5 * sizeof *fluid);
    sn_addedMass(geom->type, size, fluid + 6);
}

static bool buildGeom(snBuild* b, snSpecGeom* geom, int id, int body)
{
    snModel* m = b->m;
    Assets assets;
    if (!sn_hfieldSize(b, geom, &assets.field) || !checkGeom(b, geom, body)) return false;
    double* size = m->geom_size + 3 * id;
    memcpy(size, geom->size, sizeof geom->size);
    snPose pose, own = {{0, 0, 0}, {1, 0, 0, 0}};
    if (!findMesh(b, geom, &assets.mesh)) return false;
    const snMesh* mesh = assets.mesh;
    if (!(mesh ? buildMeshShape(b, geom, mesh, size, &pose, &own)
               : buildShape(b, &geom->head, geom->frame, geom->type, geom->fromto, geom->pos, &geom->orient,
                            size, &pose)))
        return false;
    sn_v3Store(m->geom_pos + 3 * id, pose.pos);
    sn_quatStore(m->geom_quat + 4 * id, pose.quat);
    const snSolid solid = solidOf(size, &assets);
    sn_shapeKind(geom->type)->box(&solid, m->geom_aabb + 6 * id);
    m->geom_rbound[id] = sn_shapeKind(geom->type)->radius(&solid);
    m->geom_type[id] = geom->type;
    buildFluid(geom, size, m->geom_fluid + SN_NFLUID * id);
    m->geom_contype[id] = geom->contype;
    m->geom_conaffinity[id] = geom->conaffinity;
    m->geom_condim[id] = geom->condim;
    m->geom_bodyid[id] = body;
    const bool keeps = mesh && (sn_isMeshAsset(geom->type) || !sn_means(m->physics, SN_RULE_FITTED_MESH));
    m->geom_dataid[id] = assets.field ? assets.field->head.id : keeps ? mesh->spec->head.id : -1;
    m->geom_group[id] = geom->group;
    m->geom_priority[id] = geom->priority;
    m->geom_solmix[id] = geom->solmix;
    m->geom_margin[id] = geom->margin;
    m->geom_restitution[id] = -1;
    m->geom_gap[id] = geom->gap;
    m->geom_adhesion[id] = geom->adhesion;
    m->geom_castshadow[id] = geom->castshadow != 0;
    buildSurface(geom->surfacevel, &own, m->geom_surfacevel + 6 * id);
    memcpy(m->geom_solref + SN_NREF * id, geom->solref, sizeof geom->solref);
    memcpy(m->geom_solimp + SN_NIMP * id, geom->solimp, sizeof geom->solimp);
    memcpy(m->geom_friction + 3 * id, geom->friction, sizeof geom->friction);
    memcpy(m->geom_rgba + 4 * id, geom->rgba, sizeof geom->rgba);
    sn_buildUser(m->geom_user + (size_t)m->nuser_geom * (size_t)id, m->nuser_geom, geom->user);
    const char* material = !geom->material && mesh ? mesh->spec->material : geom->material;
    return sn_buildFindId(b, &geom->head, "material", SN_OBJ_MATERIAL, material, &m->geom_matid[id]) &&
           buildMass(b, geom, id, &solid);
}

bool sn_buildGeoms(snBuild* b)
{
    snModel* m = b->m;
    for (int body = 0; body < m->nbody; body++) {
        const int first = m->body_geomadr[body];
        for (int i = first; i < first + m->body_geomnum[body]; i++)
            if (!buildGeom(b, b->geom[i], i, body)) return false;
        sn_bodyFilter(m, body);
    }
    return true;
}

static bool checkSite(snBuild* b, const snSpecSite* site)
{
    const bool meshes = sn_means(b->spec->physics, SN_RULE_NEWER_NAMES), mesh = sn_isMeshAsset(site->type);
    if (!sn_isPrimitive(site->type) && !(mesh && meshes))
        return sn_buildFail(b, &site->head, SN_STATUS_MODEL,
                            "type=\"%s\": a site is a sphere, capsule, ellipsoid, cylinder%s",
                            sn_shapeWord(site->type), meshes ? ", box or mesh" : " or box");
    return mesh == (site->mesh != NULL) ||
           sn_buildFail(b, &site->head, SN_STATUS_MODEL,
                        mesh ? "has type=\"mesh\": name its mesh" : "has a mesh: give it type=\"mesh\"");
}

// The mesh stands in the frame of the site as it does in that of its file.
static bool buildMeshSite(snBuild* b, const snSpecSite* site, int id, double size[3], snPose* pose)
{
    const snSpecHead* found = sn_buildFind(b, &site->head, "mesh", SN_OBJ_MESH, site->mesh);
    if (!found) return false;
    if (!isnan(site->fromto[0]))
        return sn_buildFail(b, &site->head, SN_STATUS_MODEL, "mesh and fromto exclude each other");
    const snMesh* mesh = &b->mesh[found->id];
    for (int k = 0; k < 3; k++) size[k] = sn_max(fabs(mesh->low[k]), fabs(mesh->high[k]));
    b->m->site_dataid[id] = found->id;
    return sn_buildPose(b, &site->head, site->frame, site->pos, &site->orient, pose);
}

static bool buildSite(snBuild* b, const snSpecSite* site, int body)
{
    snModel* m = b->m;
    const int id = site->head.id;
    double* size = m->site_size + 3 * id;
    memcpy(size, site->size, sizeof site->size);
    snPose pose;
    m->site_dataid[id] = -1;
    if (!checkSite(b, site) ||
        !(site->mesh ? buildMeshSite(b, site, id, size, &pose)
                     : buildShape(b, &site->head, site->frame, site->type, site->fromto, site->pos,
                                  &site->orient, size, &pose)))
        return false;
    sn_v3Store(m->site_pos + 3 * id, pose.pos);
    sn_quatStore(m->site_quat + 4 * id, pose.quat);
    m->site_type[id] = site->type;
    m->site_bodyid[id] = body;
    m->site_group[id] = site->group;
    memcpy(m->site_rgba + 4 * id, site->rgba, sizeof site->rgba);
    sn_buildUser(m->site_user + (size_t)m->nuser_site * (size_t)id, m->nuser_site, site->user);
    return sn_buildFindId(b, &site->head, "material", SN_OBJ_MATERIAL, site->material, &m->site_matid[id]);
}

bool sn_buildSites(snBuild* b)
{
    for (int body = 0; body < b->m->nbody; body++)
        SN_EACH (snSpecSite, site, b->body[body]->sites)
            if (!buildSite(b, site, body)) return false;
    return true;
}
