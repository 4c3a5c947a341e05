#include "lcp/maximal/row.h"
#include <string.h>
#include "model/arena.h"

bool sn_maximalRows(snData* d, const snMaximalBodies* bodies, int ncoord, snMaximalRows* rows)
{
    const int columns = ncoord / 4;
    *rows = (snMaximalRows){.bodies = bodies,
                            .wide = sn_scratchReal(d, 16 * columns),
                            .mark = sn_scratchAlloc(d, (size_t)columns),
                            .touched = sn_scratchInt(d, columns)};
    if (!rows->wide || !rows->mark || !rows->touched) return false;
    memset(rows->wide, 0, 16 * (size_t)columns * sizeof(double));
    memset(rows->mark, 0, (size_t)columns);
    return true;
}

// The four numbers of a row in a block column.
static double* blockOf(snMaximalRows* rows, int lane, int coordinate)
{
    const int column = coordinate / 4;
    if (!rows->mark[column]) {
        rows->mark[column] = 1;
        int at = rows->count++;
        for (; at > 0 && rows->touched[at - 1] > column; at--) rows->touched[at] = rows->touched[at - 1];
        rows->touched[at] = column;
    }
    return rows->wide + 16 * column + 4 * lane;
}

static void addRotor(snMaximalRows* rows, int lane, const snMaximalBody* b, int rotor, double value)
{
    blockOf(rows, lane, b->base + 8 + rotor)[rotor % 4] += value * b->root[rotor];
}

void sn_maximalForce(snMaximalRows* rows, int lane, int n, snForce f, snVec3 point)
{
    if (n < 0) return;
    const snMaximalBody* b = rows->bodies->body + n;
    double *v = blockOf(rows, lane, b->base), *w = blockOf(rows, lane, b->base + 4), a[3];
    const double* C = b->C;
    sn_v3Store(v, sn_v3AddScaled(sn_v3Load(v), b->lin, f.lin));
    sn_v3Store(a, sn_forceAt(f, point, b->c).ang);
    // inv(C) a
    a[0] /= C[0];
    a[1] = (a[1] - C[3] * a[0]) / C[4];
    a[2] = (a[2] - C[6] * a[0] - C[7] * a[1]) / C[8];
    for (int k = 0; k < 3; k++) w[k] += a[k];
}

void sn_maximalJoint(snMaximalRows* rows, int lane, int n, snForce f)
{
    const snMaximalBody* b = rows->bodies->body + n;
    sn_maximalForce(rows, lane, n, f, b->c);
    sn_maximalForce(rows, lane, b->parent, (snForce){sn_v3Neg(f.ang), sn_v3Neg(f.lin)}, b->c);
    for (int k = 0; k < b->rotor; k++) addRotor(rows, lane, b, k, -sn_motionDotForce(b->turning[k], f));
}

void sn_maximalDof(const snModel* m, snMaximalRows* rows, int lane, int dof, double scale)
{
    const int body = m->dof_bodyid[dof], n = rows->bodies->of[body];
    const snMaximalBody* b = rows->bodies->body + n;
    const int place = b->place[dof - m->body_dofadr[body]];
    if (place < 0) {
        addRotor(rows, lane, b, -1 - place, scale);
        return;
    }
    const snForce f = b->rate[place];
    sn_maximalJoint(rows, lane, n, (snForce){sn_v3Scale(f.ang, scale), sn_v3Scale(f.lin, scale)});
}

bool sn_maximalQuad(snData* d, snMaximalRows* rows, snQuad* quad)
{
    int* col = sn_scratchInt(d, rows->count);
    *quad = (snQuad){rows->count, col, sn_scratchReal(d, 16 * rows->count)};
    if (!col || !quad->value) return false;
    for (int k = 0; k < rows->count; k++) {
        double* from = rows->wide + 16 * rows->touched[k];
        col[k] = rows->touched[k];
        memcpy(quad->value + 16 * k, from, 16 * sizeof(double));
        memset(from, 0, 16 * sizeof(double));
        rows->mark[col[k]] = 0;
    }
    rows->count = 0;
    return true;
}
