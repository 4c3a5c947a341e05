// Tactile sensors: how deep the vertices of a mesh, the taxels, are in what touches the body that carries it,
// and how fast its surface slides past them.
#include <string.h>
#include <sinew/support.h>
#include "math/spatial.h"
#include "model/rules.h"
#include "sensor/asleep.h"
#include "sensor/depth.h"
#include "sensor/value.h"

// A geom: where it is and how it moves.
typedef struct Side {
    int geom;
    snVec3 pos;
    snMat3 R;
    snMotion velocity; // at pos, world
} Side;

// A sensor, with blocks of one number a taxel.
typedef struct Skin {
    int mesh, taxels;
    Side on;
    bool tangents; // each taxel has a normal and two tangents
    bool raw;      // depths as they are
    snMat3 turn;   // normals to the world
    double *depth, *speed[2];
} Skin;

static Side sideOf(const snModel* m, const snData* d, int geom)
{
    double velocity[6];
    sn_objectVelocity(m, d, SN_OBJ_GEOM, geom, velocity, 0);
    return (Side){geom, sn_v3Load(d->geom_xpos + 3 * geom), sn_m3Load(d->geom_xmat + 9 * geom),
                  sn_motionLoad(velocity)};
}

static Skin skinOf(const snModel* m, const snData* d, int sensor)
{
    const int mesh = m->sensor_objid[sensor], taxels = m->mesh_vertnum[mesh];
    double* out = d->sensordata + m->sensor_adr[sensor];
    const Side on = sideOf(m, d, m->sensor_refid[sensor]);
    const bool raw = sn_means(m->physics, SN_RULE_TACTILE_DEPTH);
    return (Skin){.mesh = mesh,
                  .taxels = taxels,
                  .on = on,
                  .tangents = m->mesh_normalnum[mesh] == 3LL * taxels,
                  .raw = raw,
                  .turn = raw ? on.R : sn_quatToMat(sn_quatLoad(m->mesh_quat + 4 * mesh)),
                  .depth = out,
                  .speed = {out + taxels, out + 2 * taxels}};
}

// Where a point is and how it moves on its way with a geom.
static snVec3 velocityAt(const Side* side, snVec3 point)
{
    return sn_v3Add(side->velocity.lin, sn_v3Cross(side->velocity.ang, sn_v3Sub(point, side->pos)));
}

// Depth of a world point, at most 0: outside.
static double depthAt(const snModel* m, const snData* d, const Side* side, snVec3 point)
{
    double local[3];
    sn_v3Store(local, sn_m3TMul(side->R, sn_v3Sub(point, side->pos)));
    return sn_depthIn(m, d, side->geom, local);
}

// A normal or tangent, in the world.
static snVec3 normalOf(const snModel* m, const Skin* skin, int row)
{
    const float* n = m->mesh_normal + 3 * (size_t)(m->mesh_normaladr[skin->mesh] + row);
    return sn_m3Mul(skin->turn, sn_v3(n[0], n[1], n[2]));
}

// The largest depth, and the sum of speeds.
static void feelRaw(const snModel* m, const Skin* skin, const Side* by, int i, double depth, snVec3 point)
{
    skin->depth[i] = sn_max(depth, skin->depth[i]);
    if (!skin->tangents) return;
    const snVec3 slip = sn_v3Sub(velocityAt(by, point), velocityAt(&skin->on, point));
    for (int k = 0; k < 2; k++) skin->speed[k][i] += fabs(sn_v3Dot(normalOf(m, skin, 3 * i + 1 + k), slip));
}

// Before it was raw: what a layer of that thickness gives, of the last geom.
static void feelPressure(const snModel* m, const Skin* skin, const Side* by, int i, double depth,
                         snVec3 point)
{
    static const double THICKNESS = 0.05; // m
    skin->depth[i] = -depth / (THICKNESS + depth);
    if (!skin->tangents) return;
    const snVec3 slip = sn_v3Sub(by->velocity.lin, velocityAt(&skin->on, point)),
                 n = normalOf(m, skin, 3 * i);
    skin->depth[i] *= sn_v3Dot(n, n);
    for (int k = 0; k < 2; k++) skin->speed[k][i] = fabs(sn_v3Dot(normalOf(m, skin, 3 * i + 1 + k), slip));
}

static void feel(const snModel* m, const snData* d, const Skin* skin, const Side* by)
{
    const float* vertex = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[skin->mesh];
    for (int i = 0; i < skin->taxels; i++, vertex += 3) {
        const snVec3 local = sn_v3(vertex[0], vertex[1], vertex[2]);
        const snVec3 point = sn_v3Add(skin->on.pos, sn_m3Mul(skin->on.R, local));
        const double depth = depthAt(m, d, by, point);
        if (depth > 0) (skin->raw ? feelRaw : feelPressure)(m, skin, by, i, depth, point);
    }
}

// The geom that a contact has on the other side of a body that weld joins to others; -1: it is no contact of
// these.
static int across(const snModel* m, const snContact* con, int weld)
{
    const int* g = con->geom;
    if (g[0] < 0 || g[1] < 0) return -1; // flexes have no inside
    for (int k = 0; k < 2; k++)
        if (m->body_weldid[m->geom_bodyid[g[k]]] == weld) return g[1 - k];
    return -1;
}

// Whether the geom is across in an earlier contact.
static bool isFelt(const snModel* m, const snData* d, int contact, int weld, int geom)
{
    while (contact--)
        if (across(m, d->contact + contact, weld) == geom) return true;
    return false;
}

static void measure(const snModel* m, const snData* d, int sensor)
{
    const Skin skin = skinOf(m, d, sensor);
    const int weld = m->body_weldid[m->geom_bodyid[skin.on.geom]];
    memset(skin.depth, 0, (size_t)m->sensor_dim[sensor] * sizeof *skin.depth);
    for (int c = 0; c < d->ncon; c++) {
        const int geom = across(m, d->contact + c, weld);
        if (geom < 0 || (skin.raw && isFelt(m, d, c, weld, geom))) continue;
        const Side by = sideOf(m, d, geom);
        feel(m, d, &skin, &by);
    }
}

void sn_tactileSensors(const snModel* m, snData* d, int stage)
{
    for (int s = 0; s < m->nsensor; s++)
        if (m->sensor_type[s] == SN_SENS_TACTILE && m->sensor_needstage[s] == stage &&
            !sn_sensorSleeps(m, d, s))
            measure(m, d, s);
}
