// Derivatives of the poses, velocities and accelerations of frames against differences of order 6, on random
// trees of all joint types and at objects of every kind.
#include <sinew/kinematics_derivative.h>
#include "derivative/central_slope.h"
#include "model_text.h"
#include "random_tree.h"

enum { MOST = 64 };
static const double TOLERANCE = 1e-9; // of the largest entry: step 1e-3, h^6 and 1e-16/h are both below 1e-12

typedef struct Probe {
    const snModel* m;
    snData *d, *base;
    int objtype, objid, body;
    bool at_point;
    snVec3 local; // point in the body's frame
    int flg_local, flg_gravity;
    int what, dof; // what is differentiated; by which dof
    enum { BY_Q, BY_V, BY_A } by;
} Probe;

enum { JACOBIANS, VELOCITY, ACCELERATION, POSITION };

static void compute(const snModel* m, snData* d)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_camlight(m, d);
    sn_comVel(m, d);
    sn_rnePostConstraint(m, d);
}

static snVec3 pointOf(const Probe* p, const snData* d)
{
    const snMat3 R = sn_m3Load(d->xmat + 9 * p->body);
    return sn_v3Add(sn_v3Load(d->xpos + 3 * p->body), sn_m3Mul(R, p->local));
}

static snMat3 axesOf(const Probe* p, const snData* d)
{
    const double* mat = p->objtype == SN_OBJ_BODY    ? d->ximat + 9 * p->objid
                        : p->objtype == SN_OBJ_XBODY ? d->xmat + 9 * p->objid
                        : p->objtype == SN_OBJ_GEOM  ? d->geom_xmat + 9 * p->objid
                        : p->objtype == SN_OBJ_SITE  ? d->site_xmat + 9 * p->objid
                                                     : d->cam_xmat + 9 * p->objid;
    return sn_m3Load(mat);
}

static void turn(const Probe* p, const snData* d, double* v)
{
    if (p->flg_local) sn_v3Store(v, sn_m3TMul(axesOf(p, d), sn_v3Load(v)));
}

// Velocity and acceleration of the point, by the Jacobians and their rates
static void motion(const Probe* p, const snData* d, int acceleration, double* out)
{
    double J[6 * MOST], dot[6 * MOST], point[3];
    const int nv = p->m->nv;
    sn_v3Store(point, pointOf(p, d));
    sn_jac(p->m, d, J + 3 * nv, J, point, p->body);
    sn_jacDot(p->m, d, dot + 3 * nv, dot, point, p->body);
    for (int r = 0; r < 6; r++) {
        out[r] = 0;
        for (int k = 0; k < nv; k++)
            out[r] += acceleration ? J[r * nv + k] * d->qacc[k] + dot[r * nv + k] * d->qvel[k]
                                   : J[r * nv + k] * d->qvel[k];
    }
    for (int r = 0; r < 3 && acceleration && p->flg_gravity; r++) out[3 + r] -= p->m->opt.gravity[r];
    turn(p, d, out);
    turn(p, d, out + 3);
}

// jacp, jacr by columns [nv x 3] each
static void jacobians(const Probe* p, const snData* d, double* out)
{
    double J[6 * MOST], point[3];
    const int nv = p->m->nv;
    sn_v3Store(point, pointOf(p, d));
    sn_jac(p->m, d, J, J + 3 * nv, point, p->body);
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < nv; k++) {
            double* column = out + 3 * (which * nv + k);
            for (int r = 0; r < 3; r++) column[r] = J[(3 * which + r) * nv + k];
            turn(p, d, column);
        }
}

static void sample(void* context, double x, double* out)
{
    Probe* p = context;
    double step[MOST] = {0};
    const size_t nv = (size_t)p->m->nv;
    memcpy(p->d->qpos, p->base->qpos, (size_t)p->m->nq * sizeof(double));
    memcpy(p->d->qvel, p->base->qvel, nv * sizeof(double));
    memcpy(p->d->qacc, p->base->qacc, nv * sizeof(double));
    step[p->dof] = x;
    if (p->by == BY_Q) sn_integratePos(p->m, p->d->qpos, step, 1);
    if (p->by == BY_V) p->d->qvel[p->dof] += x;
    if (p->by == BY_A) p->d->qacc[p->dof] += x;
    compute(p->m, p->d);
    if (p->what == POSITION) sn_v3Store(out, pointOf(p, p->d));
    if (p->what == JACOBIANS) jacobians(p, p->d, out);
    if (p->what == VELOCITY) motion(p, p->d, 0, out);
    if (p->what == ACCELERATION) motion(p, p->d, 1, out);
}

// Column `dof` of an analytic matrix [rows x nv]
static void compare(const double* matrix, const double* slope, int rows, int nv, int dof, double scale)
{
    double column[6 * MOST];
    for (int r = 0; r < rows; r++) column[r] = matrix[(size_t)r * (size_t)nv + (size_t)dof];
    const double error = relativeError(column, slope, rows, scale);
    if (!(error < TOLERANCE)) fail_msg("off by %g in column %d", error, dof);
}

static double largest(const double* x, int count)
{
    double most = 1;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static void checkMotion(Probe* p, const double* point)
{
    double q[6 * MOST], v[6 * MOST], a[6 * MOST], slope[6];
    const int nv = p->m->nv;
    snError error = {0};
    assert_int_equal(
        sn_objectVelocityDerivative(p->m, p->base, p->objtype, p->objid, point, p->flg_local, q, v, &error),
        SN_STATUS_OK);
    for (p->dof = 0, p->what = VELOCITY; p->dof < nv; p->dof++)
        for (p->by = BY_Q; p->by <= BY_V; p->by++) {
            centralSlope(sample, p, 1e-3, 6, slope);
            compare(p->by == BY_Q ? q : v, slope, 6, nv, p->dof, largest(q, 6 * nv));
        }
    assert_int_equal(sn_objectAccelerationDerivative(p->m, p->base, p->objtype, p->objid, point, p->flg_local,
                                                     p->flg_gravity, q, v, a, &error),
                     SN_STATUS_OK);
    for (p->dof = 0, p->what = ACCELERATION; p->dof < nv; p->dof++)
        for (p->by = BY_Q; p->by <= BY_A; p->by++) {
            centralSlope(sample, p, 1e-3, 6, slope);
            compare(p->by == BY_Q ? q : p->by == BY_V ? v : a, slope, 6, nv, p->dof, largest(q, 6 * nv));
        }
}

static void checkPose(Probe* p, const double* point)
{
    static double Hp[3 * MOST * MOST], Hr[3 * MOST * MOST], slope[6 * MOST];
    double jac[6 * MOST], want[6 * MOST];
    const int nv = p->m->nv;
    snError error = {0};
    assert_int_equal(sn_objectPoseDerivative(p->m, p->base, p->objtype, p->objid, point, p->flg_local, jac,
                                             jac + 3 * nv, Hp, Hr, &error),
                     SN_STATUS_OK);
    jacobians(p, p->base, want);
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < nv; k++)
            for (int r = 0; r < 3; r++)
                assert_true(fabs(jac[(3 * which + r) * nv + k] - want[3 * (which * nv + k) + r]) < 1e-12);
    p->by = BY_Q;
    for (p->dof = 0; p->dof < nv; p->dof++) {
        p->what = JACOBIANS;
        centralSlope(sample, p, 1e-3, 6 * nv, slope);
        for (int which = 0; which < 2; which++)
            for (int k = 0; k < nv; k++)
                for (int r = 0; r < 3; r++) {
                    const double* H = which ? Hr : Hp;
                    assert_true(fabs(H[(r * nv + k) * nv + p->dof] - slope[3 * (which * nv + k) + r]) <
                                TOLERANCE * largest(H, 3 * nv * nv));
                }
        p->what = POSITION;
        centralSlope(sample, p, 1e-3, 3, slope);
        turn(p, p->base, slope);
        compare(jac, slope, 3, nv, p->dof, 1);
    }
}

static void checkFrame(Probe* p)
{
    double point[3];
    sn_v3Store(point, pointOf(p, p->base));
    for (int flags = 0; flags < 4; flags++) {
        p->flg_local = flags & 1;
        p->flg_gravity = flags >> 1;
        checkMotion(p, p->at_point ? point : NULL);
        if (!p->flg_gravity) checkPose(p, p->at_point ? point : NULL);
    }
}

static void random_trees(void** state)
{
    (void)state;
    Random r = {11};
    for (int trial = 0; trial < 4; trial++) {
        snModel* m = randomTree(&r);
        snData *d = sn_makeData(m), *base = sn_makeData(m);
        randomState(m, base, &r);
        compute(m, base);
        for (int b = 1; b < m->nbody; b += 2) {
            Probe p = {.m = m, .d = d, .base = base, .objtype = SN_OBJ_BODY, .objid = b, .body = b};
            p.at_point = true;
            p.local = randomVec(&r, 0.3);
            checkFrame(&p);
        }
        sn_deleteData(d);
        sn_deleteData(base);
        sn_deleteModel(m);
    }
}

static const char objects[] =
    "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 1'><freejoint/>"
    "<geom size='.1' pos='.1 .2 .3'/>"
    "<body pos='.2 .1 0' euler='10 20 30'><joint axis='1 2 3'/><joint type='slide' axis='1 0 2'/>"
    "<geom type='box' size='.1 .2 .3' pos='.1 0 .3' euler='50 20 10'/>"
    "<body pos='0 .2 .4'><joint type='ball' pos='.1 0 0'/><geom name='g' type='capsule' size='.05 .2' "
    "pos='.1 .1 .2' "
    "euler='1 2 70'/><body pos='.1 .2 .1' euler='80 1 3'><geom size='.1'/>"
    "<site name='s' pos='.1 -.1 .2' euler='30 40 10'/><camera name='c' pos='.3 .1 .1' euler='5 6 80'/>"
    "</body></body></body></body></worldbody></mujoco>";

static void objects_of_every_kind(void** state)
{
    (void)state;
    snModel* m = load(objects);
    snData *d = sn_makeData(m), *base = sn_makeData(m);
    Random r = {5};
    randomState(m, base, &r);
    compute(m, base);
    static const int types[] = {SN_OBJ_BODY, SN_OBJ_XBODY, SN_OBJ_GEOM, SN_OBJ_SITE, SN_OBJ_CAMERA};
    const int ids[] = {4, 4, 2, 0, 0},
              bodies[] = {4, 4, m->geom_bodyid[2], m->site_bodyid[0], m->cam_bodyid[0]};
    const double* pos[] = {base->xipos + 12, base->xpos + 12, base->geom_xpos + 6, base->site_xpos,
                           base->cam_xpos};
    for (int i = 0; i < 5; i++) {
        Probe p = {.m = m, .d = d, .base = base, .objtype = types[i], .objid = ids[i], .body = bodies[i]};
        const snVec3 offset = sn_v3Sub(sn_v3Load(pos[i]), sn_v3Load(base->xpos + 3 * p.body));
        p.local = sn_m3TMul(sn_m3Load(base->xmat + 9 * p.body), offset);
        checkFrame(&p);
    }
    sn_deleteData(d);
    sn_deleteData(base);
    sn_deleteModel(m);
}

static void wrong_objects(void** state)
{
    (void)state;
    snModel* m = load("<mujoco><worldbody><body name='b'><joint/><geom size='1'/><camera mode='targetbody' "
                      "target='b'/></body></worldbody></mujoco>");
    snData* d = sn_makeData(m);
    sn_forward(m, d);
    double q[6];
    snError error = {0};
    assert_int_equal(sn_objectVelocityDerivative(m, d, SN_OBJ_SITE, 0, NULL, 0, q, NULL, &error),
                     SN_STATUS_ARGUMENT);
    assert_int_equal(sn_objectVelocityDerivative(m, d, SN_OBJ_TENDON, 0, NULL, 0, q, NULL, &error),
                     SN_STATUS_ARGUMENT);
    assert_int_equal(
        sn_objectAccelerationDerivative(m, d, SN_OBJ_CAMERA, 0, NULL, 0, 0, q, NULL, NULL, &error),
        SN_STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.message, "camera"));
    assert_int_equal(sn_objectPoseDerivative(m, d, SN_OBJ_BODY, 0, NULL, 1, q, NULL, NULL, NULL, &error),
                     SN_STATUS_OK);
    assert_true(q[0] == 0 && q[1] == 0 && q[2] == 0);
    sn_deleteData(d);
    sn_deleteModel(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees),
        cmocka_unit_test(objects_of_every_kind),
        cmocka_unit_test(wrong_objects),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
