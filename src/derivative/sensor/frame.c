// Sensors of frames. Cameras that follow something have poses of their own, but the velocity and acceleration
// of their body, as sn_objectVelocity. Source: seed 001, stages 12, 16 and 22; the derivatives are worked out
// here.
#include "derivative/sensor/quantity.h"
#include "model/rules.h"
#include "sensor/value.h"
#include "smooth/kinematics/object.h"

// Shift and turn of the frame of an object; a camera that follows something moves as its mode says.
typedef struct FrameShift {
    snVec3 move, turn;
} FrameShift;

static snVec3 bodyShift(const snColumns* c, int body, int j)
{
    return sn_pointShift(c, body, sn_v3Load(c->d->xpos + 3 * body), j);
}

// Change of the unit vector v / |v|
static snVec3 unitChange(snVec3 v, snVec3 change)
{
    const real length = sn_v3Norm(v);
    if (length < SN_MINVAL) return sn_v3(0, 0, 0);
    const snVec3 unit = sn_v3Scale(v, 1 / length);
    return sn_v3Scale(sn_v3AddScaled(change, -sn_v3Dot(unit, change), unit), 1 / length);
}

// Axes z away from the target, x level, y up; they turn by half the sum of axis x change.
static snVec3 lookTurn(snMat3 R, snVec3 sight, snVec3 change)
{
    const snVec3 x = sn_m3Col(R, 0), y = sn_m3Col(R, 1), z = sn_m3Col(R, 2), up = sn_v3(0, 0, 1);
    const snVec3 dz = unitChange(sight, change), dx = unitChange(sn_v3Cross(up, z), sn_v3Cross(up, dz));
    const snVec3 dy = sn_v3Add(sn_v3Cross(dz, x), sn_v3Cross(z, dx));
    const snVec3 sum = sn_v3Add(sn_v3Cross(x, dx), sn_v3Add(sn_v3Cross(y, dy), sn_v3Cross(z, dz)));
    return sn_v3Scale(sum, 0.5);
}

static FrameShift cameraShift(const snColumns* c, int camera, int j)
{
    const snModel* m = c->m;
    const snData* d = c->d;
    const int body = m->cam_bodyid[camera], mode = m->cam_mode[camera], target = m->cam_targetbodyid[camera];
    const snVec3 still = {0, 0, 0}, eye = sn_v3Load(d->cam_xpos + 3 * camera);
    if (mode == SN_CAMLIGHT_TRACK) return (FrameShift){bodyShift(c, body, j), still};
    if (mode == SN_CAMLIGHT_TRACKCOM) return (FrameShift){c->com[sn_columnAt(c, body, j)], still};
    const snVec3 move = sn_pointShift(c, body, eye, j);
    if (mode == SN_CAMLIGHT_FIXED || target < 0) return (FrameShift){move, sn_shiftOf(c, body, j).ang};
    const bool at_body = mode == SN_CAMLIGHT_TARGETBODY;
    const snVec3 point = sn_v3Load((at_body ? d->xpos : d->subtree_com) + 3 * target);
    const snVec3 point_move = at_body ? bodyShift(c, target, j) : c->com[sn_columnAt(c, target, j)];
    const snVec3 turn =
        lookTurn(sn_m3Load(d->cam_xmat + 9 * camera), sn_v3Sub(eye, point), sn_v3Sub(move, point_move));
    return (FrameShift){move, turn};
}

static FrameShift frameShift(const snColumns* c, int objtype, int objid, int j)
{
    if (objtype == SN_OBJ_CAMERA && objid >= 0) return cameraShift(c, objid, j);
    const snObjectFrame f = sn_objectFrame(c->m, c->d, objtype, objid);
    return (FrameShift){sn_pointShift(c, f.body, sn_v3Load(f.pos), j), sn_shiftOf(c, f.body, j).ang};
}

// An object along one direction: its frame, velocity and acceleration, and their changes
typedef struct Object {
    snObjectFrame frame;
    snVec3 pos;
    snMat3 R;
    FrameShift shift;
} Object;

static Object objectOf(const snColumns* c, int objtype, int objid, int j)
{
    const snObjectFrame f = sn_objectFrame(c->m, c->d, objtype, objid);
    return (Object){f, sn_v3Load(f.pos), sn_m3Load(f.mat), frameShift(c, objtype, objid, j)};
}

static snMotion velocity(const snColumns* c, const Object* o)
{
    const snMotion v = sn_motionLoad(c->d->cvel + 6 * o->frame.body);
    return (snMotion){v.ang, sn_velocityAt(v, sn_v3Sub(o->pos, sn_treeCom(c->m, c->d, o->frame.body)))};
}

static snMotion velocityChange(const snColumns* c, const Object* o, int j)
{
    const int b = o->frame.body;
    return (snMotion){sn_velocityChangeOf(c, b, j).ang,
                      sn_pointVelocityChange(c, b, o->pos, o->shift.move, j)};
}

// The moving point's: a + alpha x arm + w x v_p
static snMotion acceleration(const snColumns* c, const Object* o)
{
    const snMotion a = sn_motionLoad(c->d->cacc + 6 * o->frame.body), v = velocity(c, o);
    const snVec3 arm = sn_v3Sub(o->pos, sn_treeCom(c->m, c->d, o->frame.body));
    return (snMotion){a.ang, sn_v3Add(sn_velocityAt(a, arm), sn_v3Cross(v.ang, v.lin))};
}

static snMotion accelerationChange(const snColumns* c, const Object* o, int j)
{
    const int b = o->frame.body;
    const snMotion a = sn_motionLoad(c->d->cacc + 6 * b), v = velocity(c, o), dv = velocityChange(c, o, j);
    const snMotion da = sn_accelerationChangeOf(c, b, j);
    const snVec3 arm = sn_v3Sub(o->pos, sn_treeCom(c->m, c->d, b));
    const snVec3 carried = sn_v3Add(sn_v3Cross(dv.ang, v.lin), sn_v3Cross(v.ang, dv.lin));
    const snVec3 moved = sn_v3Add(sn_velocityAt(da, arm), sn_v3Cross(a.ang, o->shift.move));
    return (snMotion){da.ang, sn_v3Add(moved, carried)};
}

// ---- sensors

static Object siteOf(const snColumns* c, int s, int j)
{
    return objectOf(c, SN_OBJ_SITE, c->m->sensor_objid[s], j);
}

snStatus sn_magnetometerAlong(const snColumns* c, int s)
{
    const snVec3 field = sn_v3Load(c->m->opt.magnetic), still = {0, 0, 0};
    for (int j = 0; j < c->n; j++) {
        const Object o = siteOf(c, s, j);
        sn_putVec3(c, s, j, sn_localChange(o.R, field, still, o.shift.turn));
    }
    return SN_STATUS_OK;
}

// The angular or the linear velocity of a site, in its axes.
static snStatus siteVelocityAlong(const snColumns* c, int s, bool angular)
{
    for (int j = 0; j < c->n; j++) {
        const Object o = siteOf(c, s, j);
        const snMotion v = velocity(c, &o), dv = velocityChange(c, &o, j);
        const snVec3 value = angular ? v.ang : v.lin, change = angular ? dv.ang : dv.lin;
        sn_putVec3(c, s, j, sn_localChange(o.R, value, change, o.shift.turn));
    }
    return SN_STATUS_OK;
}

snStatus sn_gyroAlong(const snColumns* c, int s)
{
    return siteVelocityAlong(c, s, true);
}

snStatus sn_velocimeterAlong(const snColumns* c, int s)
{
    return siteVelocityAlong(c, s, false);
}

// Whether the acceleration of a body that does not move is shown with gravity in it, or left at zero.
static bool accelerates(const snModel* m, int body)
{
    return m->body_weldid[body] != 0 || sn_means(m->physics, SN_RULE_STATIC_ACCELERATION);
}

snStatus sn_accelerometerAlong(const snColumns* c, int s)
{
    for (int j = 0; j < c->n; j++) {
        const Object o = siteOf(c, s, j);
        if (!accelerates(c->m, o.frame.body)) return SN_STATUS_OK;
        const snVec3 value = acceleration(c, &o).lin, change = accelerationChange(c, &o, j).lin;
        sn_putVec3(c, s, j, sn_localChange(o.R, value, change, o.shift.turn));
    }
    return SN_STATUS_OK;
}

static Object measured(const snColumns* c, int s, int j)
{
    return objectOf(c, c->m->sensor_objtype[s], c->m->sensor_objid[s], j);
}

static Object reference(const snColumns* c, int s, int j)
{
    return objectOf(c, c->m->sensor_reftype[s], c->m->sensor_refid[s], j);
}

snStatus sn_framePosAlong(const snColumns* c, int s)
{
    for (int j = 0; j < c->n; j++) {
        const Object o = measured(c, s, j), r = reference(c, s, j);
        const snVec3 arm = sn_v3Sub(o.pos, r.pos), move = sn_v3Sub(o.shift.move, r.shift.move);
        sn_putVec3(c, s, j, sn_localChange(r.R, arm, move, r.shift.turn));
    }
    return SN_STATUS_OK;
}

snStatus sn_frameAxisAlong(const snColumns* c, int s)
{
    const int number = c->m->sensor_type[s] - SN_SENS_FRAMEXAXIS;
    for (int j = 0; j < c->n; j++) {
        const Object o = measured(c, s, j), r = reference(c, s, j);
        const snVec3 axis = sn_m3Col(o.R, number);
        sn_putVec3(c, s, j, sn_localChange(r.R, axis, sn_v3Cross(o.shift.turn, axis), r.shift.turn));
    }
    return SN_STATUS_OK;
}

// The velocity of the point as seen from a frame that moves with v and turns with w: u - v - w x arm
snStatus sn_frameLinVelAlong(const snColumns* c, int s)
{
    for (int j = 0; j < c->n; j++) {
        const Object o = measured(c, s, j), r = reference(c, s, j);
        const snMotion u = velocity(c, &o), v = velocity(c, &r);
        const snMotion du = velocityChange(c, &o, j), dv = velocityChange(c, &r, j);
        const snVec3 arm = sn_v3Sub(o.pos, r.pos), move = sn_v3Sub(o.shift.move, r.shift.move);
        const snVec3 value = sn_v3Sub(sn_v3Sub(u.lin, v.lin), sn_v3Cross(v.ang, arm));
        const snVec3 carried = sn_v3Add(sn_v3Cross(dv.ang, arm), sn_v3Cross(v.ang, move));
        const snVec3 change = sn_v3Sub(sn_v3Sub(du.lin, dv.lin), carried);
        sn_putVec3(c, s, j, sn_localChange(r.R, value, change, r.shift.turn));
    }
    return SN_STATUS_OK;
}

snStatus sn_frameAngVelAlong(const snColumns* c, int s)
{
    for (int j = 0; j < c->n; j++) {
        const Object o = measured(c, s, j), r = reference(c, s, j);
        const snVec3 value = sn_v3Sub(velocity(c, &o).ang, velocity(c, &r).ang);
        const snVec3 change = sn_v3Sub(velocityChange(c, &o, j).ang, velocityChange(c, &r, j).ang);
        sn_putVec3(c, s, j, sn_localChange(r.R, value, change, r.shift.turn));
    }
    return SN_STATUS_OK;
}

// The linear or the angular acceleration of an object, in the world's axes; what is welded to the world has
// none.
static snStatus accelerationAlong(const snColumns* c, int s, bool angular)
{
    for (int j = 0; j < c->n; j++) {
        const Object o = measured(c, s, j);
        if (!accelerates(c->m, o.frame.body)) return SN_STATUS_OK;
        const snMotion change = accelerationChange(c, &o, j);
        sn_putVec3(c, s, j, angular ? change.ang : change.lin);
    }
    return SN_STATUS_OK;
}

snStatus sn_frameLinAccAlong(const snColumns* c, int s)
{
    return accelerationAlong(c, s, false);
}

snStatus sn_frameAngAccAlong(const snColumns* c, int s)
{
    return accelerationAlong(c, s, true);
}

// q = qr* qo: dq = qr* (0, (t_o - t_r)/2) qo. The quaternion of a camera is that of its mount in the body.
snStatus sn_frameQuatAlong(const snColumns* c, int s)
{
    const snModel* m = c->m;
    const int objtype = m->sensor_objtype[s], id = m->sensor_objid[s];
    const int reftype = m->sensor_reftype[s], ref = m->sensor_refid[s];
    const int body = sn_objectFrame(m, c->d, objtype, id).body;
    const int base = sn_objectFrame(m, c->d, reftype, ref).body;
    const snQuat object = sn_objectQuat(m, c->d, objtype, id);
    const snQuat reversed = sn_quatConj(sn_objectQuat(m, c->d, reftype, ref));
    for (int j = 0; j < c->n; j++) {
        const snVec3 turn = sn_shiftOf(c, body, j).ang, under = sn_shiftOf(c, base, j).ang;
        const snVec3 half = sn_v3Scale(sn_v3Sub(turn, under), 0.5);
        const snQuat turned = sn_quatMul((snQuat){0, half.x, half.y, half.z}, object);
        sn_putQuat(c, s, j, sn_quatMul(reversed, turned));
    }
    return SN_STATUS_OK;
}

// The pixel is the middle of the picture + focal lengths times (x, -y) / depth.
snStatus sn_camProjectionAlong(const snColumns* c, int s)
{
    const int camera = c->m->sensor_refid[s];
    double focal[2];
    sn_focalLengths(c->m, camera, focal);
    for (int j = 0; j < c->n; j++) {
        const Object o = siteOf(c, s, j), eye = objectOf(c, SN_OBJ_CAMERA, camera, j);
        const snVec3 sight = sn_v3Sub(o.pos, eye.pos), p = sn_m3TMul(eye.R, sight);
        const snVec3 move = sn_v3Sub(o.shift.move, eye.shift.move);
        const snVec3 dp = sn_localChange(eye.R, sight, move, eye.shift.turn);
        if (fabs(p.z) < SN_MINVAL) return SN_STATUS_OK;
        double* out = sn_sensorColumn(c, s, j);
        out[0] = focal[0] * (p.x * dp.z / p.z - dp.x) / p.z;
        out[c->stride] = -focal[1] * (p.y * dp.z / p.z - dp.y) / p.z;
    }
    return SN_STATUS_OK;
}
