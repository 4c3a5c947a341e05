// The plugin mujoco.elasticity.cable: a chain of bodies that bends and twists like a rod. Source: seed 001,
// "Plugins".
//
// Body b of the chain and its parent p, which is of it, too, are turned against each other by q = q_p* q_b.
// The rod between them has the length L from frame to frame and the section of b's geom: the torque on b, in
// the axes of p, is -K (log q - log q0), K = diag(G J, E I_y, E I_z) / L, and on p the opposite. At rest it
// is as it is at qpos0, q0, or straight, q0 = 1. Both torques turn all dofs above p alike, so that only those
// of b feel them.
#include <sinew/pose.h>
#include "math/elementary/elementary.h"
#include "math/spatial.h"
#include "model/plugin/builtin.h"
#include "model/plugin/config.h"
#include "model/sleep.h"

enum { TWIST, BEND, FLAT, VMAX, NNUMBER };

static const char* const keys[NNUMBER] = {"twist", "bend", "flat", "vmax"};

static bool parse(const char* const* values, double* numbers, void* user, snError* error)
{
    (void)user;
    return sn_configReals("twist", values[TWIST], numbers + TWIST, 1, error) &&
           sn_configReals("bend", values[BEND], numbers + BEND, 1, error) &&
           sn_configBool("flat", values[FLAT], numbers + FLAT, error) &&
           sn_configReals("vmax", values[VMAX], numbers + VMAX, 1, error);
}

// Torsion constant about x and moments of area about y and z.
typedef struct Section {
    double J, y, z;
} Section;

static Section roundSection(double radius)
{
    const double area = SN_PI * radius * radius;
    return (Section){area * radius * radius / 2, area * radius * radius / 4, area * radius * radius / 4};
}

// Half sides y and z. Torsion of a rectangle of the half sides a >= b: Roark's formulas, table 10.7.
static Section boxSection(double y, double z)
{
    const double a = sn_max(y, z), b = sn_min(y, z), ratio = b / a;
    const double J = a * b * b * b * (16. / 3 - 3.36 * ratio * (1 - ratio * ratio * ratio * ratio / 12));
    return (Section){J, 4 * y * z * z * z / 3, 4 * z * y * y * y / 3};
}

// That of the first geom of a body, which lies along x; none: no stiffness.
static Section sectionOf(const snModel* m, int body)
{
    const int g = m->body_geomadr[body];
    if (!m->body_geomnum[body]) return (Section){0, 0, 0};
    const double* size = m->geom_size + 3 * g;
    switch (m->geom_type[g]) {
    case SN_GEOM_CAPSULE:
    case SN_GEOM_CYLINDER: return roundSection(size[0]);
    case SN_GEOM_BOX: return boxSection(size[1], size[2]);
    default: return (Section){0, 0, 0};
    }
}

static snVec3 logOf(snQuat q)
{
    double quat[4], log[3];
    sn_quatStore(quat, q);
    sn_quat2Vel(log, quat, 1);
    return sn_v3Load(log);
}

// Torque on a body, in the axes of its parent.
static snVec3 torque(const snModel* m, const snData* d, int body, const double* numbers)
{
    const snQuat parent = sn_quatLoad(d->xquat + 4 * m->body_parentid[body]);
    const snVec3 now = logOf(sn_quatMul(sn_quatConj(parent), sn_quatLoad(d->xquat + 4 * body)));
    const snVec3 rest = numbers[FLAT] != 0 ? sn_v3(0, 0, 0) : logOf(sn_quatLoad(m->body_quat + 4 * body));
    const snVec3 bent = sn_v3Sub(now, rest);
    const Section s = sectionOf(m, body);
    const double length = sn_v3Norm(sn_v3Load(m->body_pos + 3 * body));
    if (!(length > SN_MINVAL)) return sn_v3(0, 0, 0);
    const double twist = numbers[TWIST] / length, bend = numbers[BEND] / length;
    return sn_v3(-twist * s.J * bent.x, -bend * s.y * bent.y, -bend * s.z * bent.z);
}

static bool passive(const snModel* m, snData* d, int instance, void* user)
{
    (void)user;
    const double* numbers = sn_pluginNumbers(m, instance);
    for (int b = 1; b < m->nbody; b++) {
        const int parent = m->body_parentid[b], first = m->body_dofadr[b];
        if (m->body_plugin[b] != instance || m->body_plugin[parent] != instance) continue;
        if (!m->body_dofnum[b] || (d->nasleep && sn_isAsleep(d, m->body_treeid[b]))) continue;
        const snVec3 t = sn_m3Mul(sn_m3Load(d->xmat + 9 * parent), torque(m, d, b, numbers));
        for (int k = first; k < first + m->body_dofnum[b]; k++)
            d->qfrc_passive[k] += sn_v3Dot(sn_motionLoad(d->cdof + 6 * k).ang, t);
    }
    return true;
}

// ---- colours

// The torque between a body and its parent, in the body's own axes.
static snVec3 ownTorque(const snModel* m, const snData* d, int body, const double* numbers)
{
    const snVec3 t = torque(m, d, body, numbers);
    const snVec3 world = sn_m3Mul(sn_m3Load(d->xmat + 9 * m->body_parentid[body]), t);
    return sn_m3TMul(sn_m3Load(d->xmat + 9 * body), world);
}

static bool isBent(const snModel* m, int body, int instance)
{
    return m->body_plugin[body] == instance && m->body_plugin[m->body_parentid[body]] == instance;
}

// The mean of the torques at both ends of a body, each in the axes of the further one of its two bodies.
static double loadOf(const snModel* m, const snData* d, int body, int instance, const double* numbers)
{
    snVec3 sum = sn_v3(0, 0, 0);
    int next = body + 1, count = isBent(m, body, instance);
    if (count) sum = ownTorque(m, d, body, numbers);
    while (next < m->nbody && (m->body_parentid[next] != body || m->body_plugin[next] != instance)) next++;
    if (next < m->nbody) {
        sum = sn_v3Add(sum, ownTorque(m, d, next, numbers));
        count++;
    }
    return count ? sn_v3Norm(sum) / count : 0;
}

// From blue by cyan, green and yellow to red, x from 0 to 1.
static void heat(double x, float rgb[3])
{
    const double up = 4 * sn_min(sn_max(x, 0), 1);
    rgb[0] = (float)sn_min(sn_max(up - 2, 0), 1);
    rgb[1] = (float)(up < 2 ? sn_min(up, 1) : sn_min(4 - up, 1));
    rgb[2] = (float)sn_min(sn_max(2 - up, 0), 1);
}

// vmax is the torque that is red.
static void visualize(const snModel* m, const snData* d, int instance, float* rgba, struct snvScene* scene,
                      void* user)
{
    (void)scene, (void)user;
    const double* numbers = sn_pluginNumbers(m, instance);
    if (!(numbers[VMAX] > 0)) return;
    for (int b = 1; b < m->nbody; b++)
        if (m->body_plugin[b] == instance && m->body_geomnum[b])
            heat(loadOf(m, d, b, instance, numbers) / numbers[VMAX], rgba + 4 * (size_t)m->body_geomadr[b]);
}

const snPlugin sn_pluginCable = {
    .size = sizeof sn_pluginCable,
    .name = "mujoco.elasticity.cable",
    .attributes = keys,
    .nattribute = NNUMBER,
    .nnumber = NNUMBER,
    .parse = parse,
    .passive = passive,
    .visualize = visualize,
};
