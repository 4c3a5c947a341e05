// Poses, sizes and inertias of a changed model in the frames of the source.
#include <sinew/spec.h>
#include "base/error.h"
#include "compile/copy_back.h"
#include "compile/operation.h"
#include "format/mjcf/language/element.h"
#include "shape/kind.h"

// An element's pose as it was changed: what stands in the model, and where its source says it.
typedef struct Placed {
    snElement* e;
    const snSpecFrame* frame;
    const double *pos, *quat, *pos0, *quat0; // in both models; quat NULL: it has none
    snPose inner;                            // from its own frame to that of the source
    bool both;                               // the place moves with the orientation
} Placed;

// Element i of those whose positions and orientations these are, in both models; quat NULL: it has none.
static Placed placedAt(snElement* e, const snSpecFrame* frame, int i, const double* pos, const double* quat,
                       const double* pos0, const double* quat0)
{
    const double *turned = quat ? quat + 4 * i : NULL, *turned0 = quat ? quat0 + 4 * i : NULL;
    const snPose still = {{0, 0, 0}, {1, 0, 0, 0}};
    return (Placed){e, frame, pos + 3 * i, turned, pos0 + 3 * i, turned0, still, false};
}

static bool dropOthers(snCopyBack* c, snElement* e)
{
    static const char* const others[] = {"axisangle", "xyaxes", "zaxis", "euler", "fromto"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (sn_attributeText(e, others[i]) &&
            sn_setText(c->b.spec, e, others[i], NULL, c->b.error) != SN_STATUS_OK)
            return false;
    return true;
}

// Whether the frame of what holds an element is that of its body in the model.
static bool isInOwnBody(const snCopyBack* c, const snElement* e, int body)
{
    const snElement* holder = e->parent;
    while (holder && !strcmp(holder->tag, "frame")) holder = holder->parent;
    return holder && (!strcmp(holder->tag, "worldbody") ? body == 0 : holder->id == body) && c->m;
}

static bool placeAgain(snCopyBack* c, const Placed* p, int body, bool all)
{
    const bool moved = all || sn_differs(p->pos, p->pos0, 0, 3),
               turned = all || (p->quat && sn_differs(p->quat, p->quat0, 0, 4));
    if (!moved && !turned) return true;
    snPose outer, made = {sn_v3Load(p->pos), {1, 0, 0, 0}};
    double pos[3], quat[4];
    if (sn_isInScale(p->e)) return sn_cannotCopy(c, p->e, "its pose", "which stands in a scaled frame");
    if (!isInOwnBody(c, p->e, body)) return sn_cannotCopy(c, p->e, "its pose", "whose body has been fused");
    if (!sn_buildFrame(&c->b, p->frame, &outer)) return false;
    if (p->quat) made.quat = sn_quatNormalize(sn_quatLoad(p->quat));
    made = sn_poseMul(made, p->inner);
    const snQuat back = sn_quatConj(outer.quat);
    sn_v3Store(pos, sn_quatRotate(back, sn_v3Sub(made.pos, outer.pos)));
    sn_quatStore(quat, sn_quatMul(back, made.quat));
    if (turned && p->quat && (!dropOthers(c, p->e) || !sn_copyNumbers(c, p->e, "quat", quat, 4)))
        return false;
    return !(moved || p->both) || sn_copyNumbers(c, p->e, "pos", pos, 3);
}

// ---- bodies

static const snSpecJoint* freeJoint(const snSpecBody* body)
{
    const snSpecJoint* joint = body->joints.first;
    return joint && joint->type == SN_JNT_FREE ? joint : NULL;
}

static bool isAligned(const snCopyBack* c, const snSpecBody* body)
{
    const snSpecJoint* joint = freeJoint(body);
    if (!joint || body->bodies.first) return false;
    return joint->align == SN_TRUE ||
           (joint->align == SN_AUTO && sn_specCompiler(c->b.spec, &joint->head)->alignfree);
}

// The mass alone, where the source gives it.
static bool copyMassAlone(snCopyBack* c, const snSpecBody* body, double mass)
{
    return sn_copyNumbers(c, body->inertial->head.node, "mass", &mass, 1);
}

static bool copyMass(snCopyBack* c, snElement* e, const snSpecBody* body)
{
    const snModel *m = c->m, *m0 = c->m0;
    const int i = e->id;
    const bool mass = m->body_mass[i] != m0->body_mass[i],
               rest = sn_differs(m->body_inertia, m0->body_inertia, 3 * i, 3) ||
                      sn_differs(m->body_ipos, m0->body_ipos, 3 * i, 3) ||
                      sn_differs(m->body_iquat, m0->body_iquat, 4 * i, 4);
    const snSpecCompiler* compiler = sn_specCompiler(c->b.spec, &body->head);
    const char* why = compiler->inertiafromgeom == SN_TRUE
                          ? "but inertiafromgeom=\"true\" takes it from geoms"
                      : c->b.spec->compiler.settotalmass > 0 ? "but settotalmass sets it"
                      : sn_isInScale(e)                      ? "which stands in a scaled frame"
                      : isAligned(c, body)                   ? "whose frame is aligned with its inertia"
                      : c->b.spec->compiler.fusestatic ? "but fusestatic may have added other bodies' to it"
                                                       : NULL;
    if (!mass && !rest) return true;
    if (why) return sn_cannotCopy(c, e, "its mass or inertia", why);
    if (!rest && body->inertial) return copyMassAlone(c, body, m->body_mass[i]);
    return sn_putInertialOf(c->b.spec, e, sn_bodyMass(m, i)) ||
           (sn_fail(c->b.error, SN_STATUS_NO_MEMORY, "out of memory"), false);
}

bool sn_copyBody(snCopyBack* c, snElement* e)
{
    const snModel *m = c->m, *m0 = c->m0;
    const snSpecBody* body = e->record;
    const int i = e->id, joint = m->body_jntadr[i];
    Placed placed = placedAt(e, body->frame, i, m->body_pos, m->body_quat, m0->body_pos, m0->body_quat);
    if (freeJoint(body)) { // whose pose is that of qpos0
        const int adr = m->jnt_qposadr[joint];
        if (sn_differs(m->qpos0, m0->qpos0, adr, 7))
            placed.pos = m->qpos0 + adr, placed.quat = m->qpos0 + adr + 3;
    }
    const bool moved =
        sn_differs(placed.pos, placed.pos0, 0, 3) || sn_differs(placed.quat, placed.quat0, 0, 4);
    if (moved && isAligned(c, body))
        return sn_cannotCopy(c, e, "its pose", "whose frame is aligned with its inertia");
    return placeAgain(c, &placed, m->body_parentid[i], false) && copyMass(c, e, body);
}

// ---- what bodies carry

bool sn_copyGeom(snCopyBack* c, snElement* e)
{
    const snModel *m = c->m, *m0 = c->m0;
    const snSpecGeom* geom = e->record;
    const int i = e->id, mesh = m->geom_dataid[i];
    const bool sized = sn_differs(m->geom_size, m0->geom_size, 3 * i, 3),
               spans = !isnan(geom->fromto[0]) && !sn_isMeshAsset(geom->type);
    const double *size = m->geom_size + 3 * i, *size0 = m0->geom_size + 3 * i;
    if (sn_differs(m->geom_fluid, m0->geom_fluid, SN_NFLUID * i, SN_NFLUID))
        return sn_cannotCopy(c, e, "geom_fluid", "which follows from its size and fluidcoef");
    if (sized && (sn_isMeshAsset(geom->type) || geom->type == SN_GEOM_HFIELD))
        return sn_cannotCopy(c, e, "its size", "which is that of its asset");
    if (sized && sn_isInScale(e)) return sn_cannotCopy(c, e, "its size", "which stands in a scaled frame");
    Placed placed = placedAt(e, geom->frame, i, m->geom_pos, m->geom_quat, m0->geom_pos, m0->geom_quat);
    if (sn_isMeshAsset(geom->type) && mesh >= 0) {
        const snPose frame = {sn_v3Load(m->mesh_pos + 3 * mesh), sn_quatLoad(m->mesh_quat + 4 * mesh)};
        const snQuat back = sn_quatConj(frame.quat);
        placed.inner = (snPose){sn_v3Neg(sn_quatRotate(back, frame.pos)), back};
        placed.both = true;
    }
    const bool fitted = geom->mesh && !sn_isMeshAsset(geom->type), radius = spans && size[1] == size0[1];
    const bool moved =
        sn_differs(placed.pos, placed.pos0, 0, 3) || sn_differs(placed.quat, placed.quat0, 0, 4);
    const bool all = (spans || fitted) && (moved || (sized && !radius));
    if (fitted && all && sn_setText(c->b.spec, e, "mesh", NULL, c->b.error)) return false;
    if (all && spans && !dropOthers(c, e)) return false;
    if (!placeAgain(c, &placed, m->geom_bodyid[i], all)) return false;
    return !(sized || all) || sn_copyNumbers(c, e, "size", size, radius && !all ? 1 : 3);
}

bool sn_copySite(snCopyBack* c, snElement* e)
{
    const snModel *m = c->m, *m0 = c->m0;
    const snSpecSite* site = e->record;
    const int i = e->id;
    const bool sized = sn_differs(m->site_size, m0->site_size, 3 * i, 3);
    const Placed placed = placedAt(e, site->frame, i, m->site_pos, m->site_quat, m0->site_pos, m0->site_quat);
    const bool moved =
        sn_differs(placed.pos, placed.pos0, 0, 3) || sn_differs(placed.quat, placed.quat0, 0, 4);
    const bool all = !isnan(site->fromto[0]) && (moved || sized);
    if ((sized || moved) && sn_isMeshAsset(site->type))
        return sn_cannotCopy(c, e, "its size or pose", "which is that of its mesh");
    if (sized && sn_isInScale(e)) return sn_cannotCopy(c, e, "its size", "which stands in a scaled frame");
    if (all && !dropOthers(c, e)) return false;
    return placeAgain(c, &placed, m->site_bodyid[i], all) &&
           (!(sized || all) || sn_copyNumbers(c, e, "size", m->site_size + 3 * i, 3));
}

bool sn_copyCamera(snCopyBack* c, snElement* e)
{
    const snModel *m = c->m, *m0 = c->m0;
    const snSpecCamera* camera = e->record;
    const int i = e->id;
    const Placed placed = placedAt(e, camera->frame, i, m->cam_pos, m->cam_quat, m0->cam_pos, m0->cam_quat);
    const bool lens = camera->sensor_size[0] > 0;
    if (m->cam_fovy[i] != m0->cam_fovy[i]) {
        if (lens) return sn_cannotCopy(c, e, "fovy", "which follows from its sensorsize");
        if (!sn_copyNumbers(c, e, "fovy", m->cam_fovy + i, 1)) return false;
    }
    for (int k = 0; k < 4; k++)
        if (m->cam_intrinsic[4 * i + k] != m0->cam_intrinsic[4 * i + k])
            return sn_cannotCopy(c, e, "cam_intrinsic", "set focal and principal of the spec");
    return placeAgain(c, &placed, m->cam_bodyid[i], false);
}

bool sn_copyLight(snCopyBack* c, snElement* e)
{
    const snModel *m = c->m, *m0 = c->m0;
    const snSpecLight* light = e->record;
    const int i = e->id;
    const Placed placed = placedAt(e, light->frame, i, m->light_pos, NULL, m0->light_pos, NULL);
    if (!placeAgain(c, &placed, m->light_bodyid[i], false)) return false;
    if (!sn_differs(m->light_dir, m0->light_dir, 3 * i, 3)) return true;
    snPose outer;
    double dir[3];
    if (!sn_buildFrame(&c->b, light->frame, &outer)) return false;
    sn_v3Store(dir, sn_quatRotate(sn_quatConj(outer.quat), sn_v3Load(m->light_dir + 3 * i)));
    return sn_copyNumbers(c, e, "dir", dir, 3);
}
