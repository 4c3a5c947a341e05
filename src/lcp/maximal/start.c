#include "lcp/maximal/start.h"

// inv(root) of the velocity of rotors and of v, and C'w
static void toCoordinates(const snMaximalBody* b, snMotion u, double* z)
{
    const double* C = b->C;
    sn_v3Store(z, sn_v3Scale(u.lin, 1 / b->lin));
    z[3] = z[7] = 0;
    z[4] = C[0] * u.ang.x + C[3] * u.ang.y + C[6] * u.ang.z;
    z[5] = C[4] * u.ang.y + C[7] * u.ang.z;
    z[6] = C[8] * u.ang.z;
}

static snMotion fromCoordinates(const snMaximalBody* b, const double* z)
{
    const double *C = b->C, wz = z[6] / C[8], wy = (z[5] - C[7] * wz) / C[4];
    return (snMotion){{(z[4] - C[3] * wy - C[6] * wz) / C[0], wy, wz}, sn_v3Scale(sn_v3Load(z), b->lin)};
}

void sn_maximalMotion(const snModel* m, const snMaximalBodies* bodies, const int* list, int count,
                      const double* velocity, double* change)
{
    for (int i = 0; i < count; i++) {
        const snMaximalBody *b = bodies->body + list[i], *parent = bodies->body + b->parent;
        const double* v = velocity + m->body_dofadr[b->id];
        double* z = change + b->base;
        snMotion u = {{0, 0, 0}, {0, 0, 0}};
        if (b->parent >= 0) u = sn_motionAt(fromCoordinates(parent, change + parent->base), parent->c, b->c);
        for (int k = 0; k < m->body_dofnum[b->id]; k++) {
            u = sn_motionAddScaled(u, v[k], b->S[k]);
            if (b->place[k] < 0) z[8 - 1 - b->place[k]] = v[k] / b->root[-1 - b->place[k]];
        }
        toCoordinates(b, u, z);
    }
}

// The force at c whose row has these coordinates.
static snForce forceOf(const snMaximalBody* b, const double* z)
{
    const double* C = b->C;
    return (snForce){{C[0] * z[4], C[3] * z[4] + C[4] * z[5], C[6] * z[4] + C[7] * z[5] + C[8] * z[6]},
                     sn_v3Scale(sn_v3Load(z), 1 / b->lin)};
}

// z += s times the row of a force at c
static void addForce(const snMaximalBody* b, snForce f, double* z)
{
    const double* C = b->C;
    const double x = f.ang.x / C[0], y = (f.ang.y - C[3] * x) / C[4];
    sn_v3Store(z, sn_v3AddScaled(sn_v3Load(z), b->lin, f.lin));
    z[4] += x;
    z[5] += y;
    z[6] += (f.ang.z - C[6] * x - C[7] * y) / C[8];
}

void sn_maximalImpulses(const snMaximalBodies* bodies, const int* list, int count, int block, double* change,
                        snLcpSystem* s)
{
    for (int k = 0; k < s->ncoord; k++) change[k] -= s->dV[k];
    for (int i = 0; i < count; i++) block += bodies->body[list[i]].free < 6;
    for (int i = count - 1; i >= 0; i--) {
        const snMaximalBody *b = bodies->body + list[i], *parent = bodies->body + b->parent;
        if (b->free == 6) continue;
        double* x = s->x + 4 * s->block[--block].quad;
        const snForce all = forceOf(b, change + b->base);
        snForce held = {{0, 0, 0}, {0, 0, 0}};
        for (int r = 0; r < 6 - b->free; r++) {
            const snForce N = b->hold[r];
            x[r] = sn_v3Dot(N.ang, all.ang) + sn_v3Dot(N.lin, all.lin);
            held.ang = sn_v3AddScaled(held.ang, x[r], N.ang);
            held.lin = sn_v3AddScaled(held.lin, x[r], N.lin);
        }
        if (b->parent >= 0) addForce(parent, sn_forceAt(held, b->c, parent->c), change + parent->base);
    }
}
