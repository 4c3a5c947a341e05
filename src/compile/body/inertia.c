// Mass and inertia of bodies, given or from their geoms, and what follows from them: bounds, the frames of
// free bodies, which frames coincide, which bodies have a diagonal inertia matrix.
#include "compile/body/inertia.h"
#include <float.h>
#include "base/memory.h"
#include "compile/body/body.h"
#include "compile/mesh/mesh.h"
#include "math/eig3.h"
#include "model/rules.h"
#include "shape/facts.h"

// R diag(moments) R' + mass (|r|^2 E - r r'), r from the common centre
static snMat3 shiftedTensor(snMassProperties part, snVec3 centre)
{
    const snMat3 R = sn_quatToMat(part.frame.quat);
    const snVec3 r = sn_v3Sub(part.frame.pos, centre);
    const real I[3] = {part.moments.x, part.moments.y, part.moments.z}, d[3] = {r.x, r.y, r.z};
    snMat3 sum;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            real own = 0;
            for (int k = 0; k < 3; k++) own += R.m[3 * i + k] * I[k] * R.m[3 * j + k];
            sum.m[3 * i + j] = own + part.mass * ((i == j ? sn_v3Dot(r, r) : 0) - d[i] * d[j]);
        }
    return sum;
}

static snQuat refinedAxes(snMat3 tensor, real moments[3])
{
    return sn_refineEig3(tensor, sn_eig3(tensor, moments), moments);
}

static snAxesFinder* axesFinder(const snBuild* b)
{
    if (sn_means(b->spec->physics, SN_RULE_PRINCIPAL_AXES)) return sn_exactEig3;
    return b->any_inertia ? refinedAxes : sn_eig3;
}

snMassProperties sn_mergeMass(const snMassProperties* parts, int n, snAxesFinder* axes)
{
    if (n == 1) return parts[0];
    snMassProperties whole = {0, {{0, 0, 0}, {1, 0, 0, 0}}, {0, 0, 0}};
    for (int i = 0; i < n; i++) {
        whole.mass += parts[i].mass;
        whole.frame.pos = sn_v3AddScaled(whole.frame.pos, parts[i].mass, parts[i].frame.pos);
    }
    whole.frame.pos = sn_v3Scale(whole.frame.pos, 1 / whole.mass);
    snMat3 tensor = {{0}};
    for (int i = 0; i < n; i++) {
        const snMat3 part = shiftedTensor(parts[i], whole.frame.pos);
        for (int k = 0; k < 9; k++) tensor.m[k] += part.m[k];
    }
    real moments[3];
    whole.frame.quat = axes(tensor, moments);
    whole.moments = sn_v3Load(moments);
    return whole;
}

static void storeMass(snModel* m, int body, snMassProperties p)
{
    m->body_mass[body] = p.mass;
    sn_v3Store(m->body_ipos + 3 * body, p.frame.pos);
    sn_quatStore(m->body_iquat + 4 * body, p.frame.quat);
    sn_v3Store(m->body_inertia + 3 * body, p.moments);
}

// Whether a tensor with this smallest moment can be one of a body; by 4.0 one that is flat to rounding, where
// boundinertia lifts it.
static bool isPositive(const snBuild* b, const snSpecInertial* inertial, double least)
{
    if (least >= SN_COMPILE_EPS || b->any_inertia) return true;
    return sn_means(b->spec->physics, SN_RULE_FLAT_INERTIA) && least >= -SN_COMPILE_EPS &&
           sn_specCompiler(b->spec, &inertial->head)->boundinertia >= SN_COMPILE_EPS;
}

static bool givenTensor(snBuild* b, const snSpecInertial* inertial, snMassProperties* p)
{
    p->mass = inertial->mass;
    p->frame.pos = sn_v3Load(inertial->pos);
    const double* full = inertial->fullinertia;
    if (isnan(full[0])) {
        p->moments = sn_v3Load(inertial->diaginertia);
        return sn_buildOrient(b, &inertial->head, &inertial->orient, &p->frame.quat);
    }
    const snMat3 tensor = {{full[0], full[3], full[4], full[3], full[1], full[5], full[4], full[5], full[2]}};
    real moments[3];
    p->frame.quat = axesFinder(b)(tensor, moments);
    if (!isPositive(b, inertial, moments[2]))
        return sn_buildFail(b, &inertial->head, SN_STATUS_MODEL,
                            "fullinertia is not positive definite: its smallest principal moment is %g",
                            moments[2]);
    p->moments = sn_v3Load(moments);
    if (!b->any_inertia && moments[2] < 0) p->moments.z = 0; // rounding, as isPositive has it
    return true;
}

static bool givenMass(snBuild* b, const snSpecInertial* inertial, snMassProperties* p)
{
    if (!givenTensor(b, inertial, p)) return false;
    if (!inertial->frame || !sn_means(b->spec->physics, SN_RULE_INERTIAL_IN_FRAME)) return true;
    snPose outer;
    if (!sn_buildFrame(b, inertial->frame, &outer)) return false;
    p->frame = sn_poseMul(outer, p->frame);
    return true;
}

// The geoms of body i that count for the mass of `part`, the body itself or one that it took in; the count.
static int geomParts(const snBuild* b, int body, const snSpecBody* part, snMassProperties* parts)
{
    const snModel* m = b->m;
    int n = 0;
    for (int i = m->body_geomadr[body], end = i + m->body_geomnum[body]; i < end; i++) {
        const snSpecBody* weighs = b->geom[i]->weighs ? b->geom[i]->weighs : b->body[body];
        if (weighs == part && b->geom_mass[i] > SN_MINVAL)
            parts[n++] =
                (snMassProperties){b->geom_mass[i],
                                   {sn_v3Load(m->geom_pos + 3 * i), sn_quatLoad(m->geom_quat + 4 * i)},
                                   sn_v3Load(b->geom_inertia + 3 * i)};
    }
    return n;
}

// Warns of each mesh that is heavier than it can be, of those geoms.
static bool warnOfExcess(snBuild* b, int body, const snSpecBody* part)
{
    const snModel* m = b->m;
    for (int i = m->body_geomadr[body], end = i + m->body_geomnum[body]; i < end; i++) {
        const snSpecBody* weighs = b->geom[i]->weighs ? b->geom[i]->weighs : b->body[body];
        const bool counts = weighs == part && b->geom_mass[i] > SN_MINVAL;
        if (!counts || !sn_isMeshAsset(m->geom_type[i]) || m->geom_dataid[i] < 0) continue;
        snMesh* mesh = &b->mesh[m->geom_dataid[i]];
        const double excess = mesh->blamed ? 0 : sn_meshExcess(mesh);
        mesh->blamed = true;
        if (excess > 0 &&
            !sn_buildWarn(b, &mesh->spec->head,
                          "is concave, by inertia=\"legacy\", the default, its volume is %.0f %% too "
                          "large: set inertia=\"exact\"",
                          100 * excess))
            return false;
    }
    return true;
}

// Where the error of a body's mass should point.
static const snSpecHead* massPlace(const snSpecBody* body)
{
    return body->inertial ? &body->inertial->head : &body->head;
}

// What is no number stays so.
static double atLeast(double x, double bound)
{
    const double least = bound > 0 ? bound : 0;
    return x < least ? least : x;
}

// Whether no rigid body has these moments.
// `rounding`: what of a moment does not count.
static bool areUnbalanced(const real I[3], real rounding)
{
    const real part = 1 - rounding;
    return I[0] + I[1] < part * I[2] || I[0] + I[2] < part * I[1] || I[1] + I[2] < part * I[0];
}

// A robot that brings its own inertia: bounds of the compiler where it sets them, else as it is.
static bool checkAnyMass(snBuild* b, const snSpecBody* part, snMassProperties* p)
{
    const snSpecCompiler* compiler = sn_specCompiler(b->spec, &part->head);
    real moment[3];
    sn_v3Store(moment, p->moments);
    if (p->mass < 0 && !sn_buildWarn(b, massPlace(part), "mass is negative, taken as 0")) return false;
    p->mass = atLeast(p->mass, compiler->boundmass);
    for (int k = 0; k < 3 && compiler->boundinertia > 0; k++)
        moment[k] = atLeast(moment[k], compiler->boundinertia);
    if (compiler->balanceinertia && areUnbalanced(moment, 0))
        moment[0] = moment[1] = moment[2] = (moment[0] + moment[1] + moment[2]) / 3;
    p->moments = sn_v3Load(moment);
    return true;
}

static bool checkMass(snBuild* b, const snSpecBody* part, snMassProperties* p)
{
    if (b->any_inertia) return checkAnyMass(b, part, p);
    const snSpecCompiler* compiler = sn_specCompiler(b->spec, &part->head);
    real moment[3];
    sn_v3Store(moment, p->moments);
    if ((p->mass < 0 || moment[0] < 0 || moment[1] < 0 || moment[2] < 0) &&
        !sn_buildWarn(b, massPlace(part), "mass or inertia is negative, taken as the least that is allowed"))
        return false;
    p->mass = atLeast(p->mass, compiler->boundmass);
    for (int k = 0; k < 3; k++) moment[k] = atLeast(moment[k], compiler->boundinertia);
    if (areUnbalanced(moment,
                      compiler->balanceinertia ? 0 : 16 * DBL_EPSILON)) { // C = A + B where all is flat
        if (!compiler->balanceinertia)
            return sn_buildFail(b, massPlace(part), SN_STATUS_MODEL,
                                "inertia %g %g %g breaks A + B >= C, which no rigid body does: correct it or "
                                "set compiler balanceinertia=\"true\"",
                                moment[0], moment[1], moment[2]);
        moment[0] = moment[1] = moment[2] = (moment[0] + moment[1] + moment[2]) / 3;
    }
    p->moments = sn_v3Load(moment);
    return true;
}

// Mass of `part`, body i itself or one that it took in, in the frame of i.
static bool partMass(snBuild* b, int i, const snSpecBody* part, snMassProperties* parts, snMassProperties* p)
{
    // A body without any mass gets the pose written in it as its inertial frame; so does the peer.
    *p = (snMassProperties){0, {sn_v3Load(part->pos), {1, 0, 0, 0}}, {0, 0, 0}};
    if (!sn_buildOrient(b, &part->head, &part->orient, &p->frame.quat)) return false;
    const snSpecInertial* inertial = part->inertial;
    if (inertial && !givenMass(b, inertial, p)) return false;
    if (part != b->body[i]) {
        snPose place;
        if (!sn_buildFrame(b, part->frame, &place)) return false;
        p->frame = sn_poseMul(place, p->frame);
    }
    const int from_geom = sn_specCompiler(b->spec, &part->head)->inertiafromgeom;
    if (from_geom == SN_TRUE || (from_geom == SN_AUTO && !inertial)) {
        const int n = geomParts(b, i, part, parts);
        if (n) *p = sn_mergeMass(parts, n, axesFinder(b));
        if (n && !warnOfExcess(b, i, part)) return false;
    }
    return checkMass(b, part, p);
}

// parts: scratch for as many as there are geoms. What the world took in is checked, too, but does not count.
static bool bodyMass(snBuild* b, int body, snMassProperties* parts)
{
    snMassProperties whole = {0, {{0, 0, 0}, {1, 0, 0, 0}}, {0, 0, 0}};
    if (body && !partMass(b, body, b->body[body], parts, &whole)) return false;
    SN_EACH (snSpecBody, part, b->body[body]->fused) {
        snMassProperties pair[2] = {whole};
        if (!partMass(b, body, part, parts, &pair[1])) return false;
        // a part without mass may still turn with difficulty
        const bool turns = b->any_inertia && sn_v3Norm(pair[1].moments) > 0 && whole.mass >= SN_MINVAL;
        if (pair[1].mass >= SN_MINVAL || turns) whole = sn_mergeMass(pair, 2, axesFinder(b));
    }
    if (body) storeMass(b->m, body, whole);
    return true;
}

// A moving body needs mass, its own or that of a body welded to it. massive [nbody] is zeroed scratch.
static bool checkMoving(snBuild* b, char* massive)
{
    const snModel* m = b->m;
    if (b->any_inertia) return true;
    for (int i = 1; i < m->nbody; i++) {
        const double* I = m->body_inertia + 3 * i;
        if (m->body_mass[i] >= SN_MINVAL && I[0] >= SN_MINVAL && I[1] >= SN_MINVAL && I[2] >= SN_MINVAL)
            massive[m->body_weldid[i]] = 1;
    }
    for (int i = 1; i < m->nbody; i++)
        if (m->body_jntnum[i] && !massive[i])
            return sn_buildFail(b, &b->body[i]->head, SN_STATUS_MODEL,
                                "has joints but no mass: give it a geom with mass, or an <inertial>");
    return true;
}

static void setTotalMass(snModel* m, double total)
{
    if (!(total > 0)) return;
    double sum = 0;
    for (int i = 1; i < m->nbody; i++) sum += m->body_mass[i];
    if (!(sum > SN_MINVAL)) return;
    const double scale = total / sum;
    for (int i = 1; i < m->nbody; i++) {
        m->body_mass[i] *= scale;
        for (int k = 0; k < 3; k++) m->body_inertia[3 * i + k] *= scale;
    }
}

static void storePose(double* pos, double* quat, snPose pose)
{
    sn_v3Store(pos, pose.pos);
    sn_quatStore(quat, pose.quat);
}

static snPose loadPose(const double* pos, const double* quat)
{
    return (snPose){sn_v3Load(pos), sn_quatLoad(quat)};
}

// Moves the frame of body i onto its inertial frame and re-expresses what it carries.
static void alignBody(snBuild* b, int i)
{
    snModel* m = b->m;
    const snPose inertial = loadPose(m->body_ipos + 3 * i, m->body_iquat + 4 * i);
    const snQuat back = sn_quatConj(inertial.quat);
    const snPose undo = {sn_v3Neg(sn_quatRotate(back, inertial.pos)), back};
    double *pos = m->body_pos + 3 * i, *quat = m->body_quat + 4 * i;
    storePose(pos, quat, sn_poseMul(loadPose(pos, quat), inertial));
    storePose(m->body_ipos + 3 * i, m->body_iquat + 4 * i, (snPose){{0, 0, 0}, {1, 0, 0, 0}});
    double* q = m->qpos0 + m->jnt_qposadr[m->body_jntadr[i]];
    memcpy(q, pos, 3 * sizeof(double));
    memcpy(q + 3, quat, 4 * sizeof(double));
    memcpy(m->qpos_spring + m->jnt_qposadr[m->body_jntadr[i]], q, 7 * sizeof(double));
#define UNDO(field, id)                                                                                      \
    storePose(m->field##_pos + 3 * (id), m->field##_quat + 4 * (id),                                         \
              sn_poseMul(undo, loadPose(m->field##_pos + 3 * (id), m->field##_quat + 4 * (id))))
    const snSpecBody* body = b->body[i];
    SN_EACH (snSpecGeom, geom, body->geoms) UNDO(geom, geom->head.id);
    SN_EACH (snSpecSite, site, body->sites) UNDO(site, site->head.id);
    SN_EACH (snSpecCamera, camera, body->cameras) UNDO(cam, camera->head.id);
#undef UNDO
    SN_EACH (snSpecLight, light, body->lights) {
        double *lpos = m->light_pos + 3 * light->head.id, *dir = m->light_dir + 3 * light->head.id;
        sn_v3Store(lpos, sn_v3Add(undo.pos, sn_quatRotate(back, sn_v3Load(lpos))));
        sn_v3Store(dir, sn_quatRotate(back, sn_v3Load(dir)));
    }
}

static void alignFree(snBuild* b)
{
    for (int i = 1; i < b->m->nbody; i++) {
        const snSpecBody* body = b->body[i];
        const snSpecJoint* joint = body->joints.first;
        if (!joint || joint->type != SN_JNT_FREE || body->bodies.first || body->fused.first)
            continue; // a body with children, fused or not, stays where it is
        if (joint->align == SN_TRUE ||
            (joint->align == SN_AUTO && sn_specCompiler(b->spec, &joint->head)->alignfree))
            alignBody(b, i);
    }
}

// Frames closer than this, entry by entry, are one; as the peer's.
#define SAME 1e-6

static bool isSame(const double* a, const double* b, int n)
{
    for (int k = 0; k < n; k++)
        if (!(fabs(a[k] - b[k]) < SAME)) return false;
    return true;
}

static bool isSameQuat(const double* a, const double* b)
{
    const double opposite[4] = {-a[0], -a[1], -a[2], -a[3]};
    return isSame(a, b, 4) || isSame(opposite, b, 4);
}

static bool isZero(const double* p)
{
    static const double zero[3] = {0, 0, 0};
    return isSame(p, zero, 3);
}

static bool isIdentity(const double* q)
{
    static const double identity[4] = {1, 0, 0, 0};
    return isSameQuat(q, identity);
}

static int sameFrame(const snModel* m, int body, const double* pos, const double* quat)
{
    if (isIdentity(quat)) return isZero(pos) ? SN_SAMEFRAME_BODY : SN_SAMEFRAME_BODYROT;
    if (!isSameQuat(quat, m->body_iquat + 4 * body)) return SN_SAMEFRAME_NONE;
    return isSame(pos, m->body_ipos + 3 * body, 3) ? SN_SAMEFRAME_INERTIA : SN_SAMEFRAME_INERTIAROT;
}

static void buildSameFrames(snModel* m)
{
    for (int i = 0; i < m->nbody; i++) {
        const double *pos = m->body_ipos + 3 * i, *quat = m->body_iquat + 4 * i;
        m->body_sameframe[i] = !isIdentity(quat) ? SN_SAMEFRAME_NONE
                               : isZero(pos)     ? SN_SAMEFRAME_BODY
                                                 : SN_SAMEFRAME_BODYROT;
    }
    for (int i = 0; i < m->ngeom; i++)
        m->geom_sameframe[i] =
            (uint8_t)sameFrame(m, m->geom_bodyid[i], m->geom_pos + 3 * i, m->geom_quat + 4 * i);
    for (int i = 0; i < m->nsite; i++)
        m->site_sameframe[i] =
            (uint8_t)sameFrame(m, m->site_bodyid[i], m->site_pos + 3 * i, m->site_quat + 4 * i);
}

// Whether the joints of a body alone keep its block of M diagonal: slides along the axes, then at most one
// rotation about the centre of mass (hinge along an axis, or ball), or a free joint. 2: slides only.
static int simpleJoints(const snModel* m, int body)
{
    int simple = m->body_dofnum[body] ? 2 : 1;
    const int first = m->body_jntadr[body];
    for (int i = first; i < first + m->body_jntnum[body]; i++) {
        if (simple == 1) return 0; // something after a rotation
        const double *axis = m->jnt_axis + 3 * i, *pos = m->jnt_pos + 3 * i;
        int zeros = 0;
        for (int k = 0; k < 3; k++) zeros += fabs(axis[k]) < SN_COMPILE_EPS;
        if (!isZero(pos) || zeros < 2) return 0;
        if (m->jnt_type[i] != SN_JNT_SLIDE) simple = 1;
    }
    return simple;
}

static void clearOn(snBuild* b, const snSpecTendon* tendon)
{
    const bool joints = sn_means(b->spec->physics, SN_RULE_TENDON_INERTIA);
    SN_EACH (snSpecWrap, wrap, tendon->path) {
        const snSpecHead* joint = NULL;
        if (joints && wrap->type == SN_WRAP_JOINT) joint = sn_findSpec(b->spec, SN_OBJ_JOINT, wrap->object);
        if (joint) b->m->body_simple[b->m->jnt_bodyid[joint->id]] = 0;
        if (wrap->type != SN_WRAP_SITE) continue;
        const snSpecHead* site = sn_findSpec(b->spec, SN_OBJ_SITE, wrap->object);
        if (site) b->m->body_simple[b->m->site_bodyid[site->id]] = 0;
    }
}

// A spatial tendon with inertia, its own or an actuator's, couples the dofs of the bodies of its sites, and a
// fixed one those of its joints (SN_RULE_TENDON_INERTIA).
static void clearCoupled(snBuild* b)
{
    SN_EACH (snSpecTendon, tendon, b->spec->tendons)
        if (tendon->armature > 0) clearOn(b, tendon);
    SN_EACH (snSpecActuator, actuator, b->spec->actuators) {
        if (!actuator->tendon || actuator->armature == 0) continue;
        const void* tendon = sn_findSpec(b->spec, SN_OBJ_TENDON, actuator->tendon);
        if (tendon) clearOn(b, tendon);
    }
}

// Simple: a leaf under the static world whose inertial frame is its own.
static void buildSimple(snBuild* b)
{
    snModel* m = b->m;
    for (int i = 0; i < m->nbody; i++) m->body_simple[i] = m->body_sameframe[i] == SN_SAMEFRAME_BODY;
    for (int i = 1; i < m->nbody; i++) {
        const int parent = m->body_parentid[i];
        if (parent) m->body_simple[parent] = 0;
        // its parent is the world or a static child of the world, no deeper
        if (m->body_dofnum[parent] || m->body_parentid[parent]) m->body_simple[i] = 0;
    }
    for (int i = 1; i < m->nbody; i++)
        if (m->body_simple[i]) m->body_simple[i] = (uint8_t)simpleJoints(m, i);
    for (int i = 1; i < m->nbody; i++)
        if (b->body[i]->simple == SN_FALSE) m->body_simple[i] = 0;
    clearCoupled(b);
    for (int i = m->nv - 1, run = 0; i >= 0; i--) {
        run = m->body_simple[m->dof_bodyid[i]] ? run + 1 : 0;
        m->dof_simplenum[i] = run;
    }
}

bool sn_buildInertia(snBuild* b)
{
    snModel* m = b->m;
    m->body_iquat[0] = 1;
    const size_t room = (size_t)m->ngeom * sizeof(snMassProperties);
    char* scratch = sn_calloc(room + (size_t)m->nbody);
    if (!scratch) return sn_buildFail(b, NULL, SN_STATUS_NO_MEMORY, "out of memory");
    bool good = true;
    for (int i = 0; i < m->nbody && good; i++) good = bodyMass(b, i, (snMassProperties*)(void*)scratch);
    good = good && checkMoving(b, scratch + room);
    sn_free(scratch);
    if (!good) return false;
    if (!b->spec->bare) {
        setTotalMass(m, b->spec->compiler.settotalmass);
        alignFree(b);
    }
    buildSameFrames(m);
    buildSimple(b);
    return true;
}
