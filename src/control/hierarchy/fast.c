// One pass down the levels with the rows fixed that were fixed in the last solution, of levels that are not
// singular. If then all other rows
// hold, those violated are violated and the multipliers of those held have their sign, x is the lexicographic
// optimum: at each level it meets the conditions of optimality, with multipliers that need no other row.
#include <math.h>
#include <string.h>
#include "control/hierarchy/hqp.h"
#include "control/qp/run.h"
#include "math/elementary/elementary.h"

static void listHeld(snHqp* h, int level)
{
    sn_listBegin(h);
    for (int i = 0; i < h->nrow; i++)
        if (h->last.level[i] == level && h->of[i] < level)
            sn_listRow(h, i, h->unit[i], sn_boundOf(h, i, h->last.side[i]));
}

static void listLevel(snHqp* h, int level)
{
    sn_listBegin(h);
    for (int i = h->start[level]; i < h->start[level + 1]; i++) {
        if (h->kind[i] == SN_LEVEL_EQUALITY)
            sn_listRow(h, i, h->root[i], h->upper[i]);
        else if (h->last.level[i] == level)
            sn_listRow(h, i, h->root[i], sn_boundOf(h, i, h->last.side[i]));
    }
}

// Multipliers of the held rows: E_h'lambda = -gradient. held_Z, held_L have Z1, L.
static bool rightSigns(snHqp* h, int held, double least)
{
    const int length = h->length;
    double* lambda = h->u0;
    sn_rowsDot(h->held_Z, held, length, h->gradient, length, lambda);
    for (int i = held - 1; i >= 0; i--) {
        const double* L = h->held_L + (size_t)i * (size_t)length;
        lambda[i] /= L[i];
        for (int j = 0; j < i; j++) lambda[j] -= L[j] * lambda[i];
    }
    for (int i = 0; i < held; i++)
        if (!(-lambda[i] * h->held_side[i] > least)) return false;
    return true;
}

// Takes the rows held at a level; false if they are not independent.
static bool hold(snHqp* h, int level, int* held)
{
    listHeld(h, level);
    const int count = *held = h->basis.count;
    if (!count) return true;
    const int first = h->basis.taken;
    if (sn_takeList(h, true, true) < count) return false;
    memcpy(h->held_Z, h->basis.Z + (size_t)first * (size_t)h->length,
           (size_t)count * (size_t)h->length * sizeof *h->held_Z);
    memcpy(h->held_L, h->basis.E, (size_t)count * (size_t)h->length * sizeof *h->held_L);
    for (int i = 0; i < count; i++) h->held_side[i] = h->last.side[h->which[h->basis.order[i]]];
    return true;
}

// The gradient of the level's cost in x, and a size of what it is made of.
static double levelGradient(snHqp* h)
{
    double scale = 0, most = 0;
    memset(h->gradient, 0, (size_t)h->length * sizeof *h->gradient);
    for (int i = 0; i < h->basis.count; i++) {
        const int row = h->which[i];
        const bool equal = h->kind[row] == SN_LEVEL_EQUALITY;
        const double target = equal ? h->upper[row] : sn_boundOf(h, row, h->last.side[row]);
        const double root = h->root[row], off = sn_runDot(h->list[i], h->x, h->length) - target;
        sn_runAdd(h->gradient, root * root * off, h->list[i], h->length);
        scale = sn_max(root * h->norm[row], scale);
        most = sn_max(root * (h->norm[row] + fabs(target)), most);
    }
    return scale * most;
}

static bool passLevel(snHqp* h, int level)
{
    int held;
    const int before = h->basis.taken;
    sn_rankTolerance(h, level);
    const bool regular = !sn_isSingular(h, level);
    if (!hold(h, level, &held)) return false;
    listLevel(h, level);
    sn_takeList(h, false, false);
    h->rank[level] = h->basis.taken - before;
    if (!held || !regular) return regular;
    const double scale = levelGradient(h);
    return rightSigns(h, held, h->option.tolerance * scale);
}

// What is left has the least norm, also with rows held at bounds.
static bool passNorm(snHqp* h)
{
    int held;
    h->freedom = h->unknowns - h->basis.taken;
    sn_rankTolerance(h, h->nlevel);
    if (!hold(h, h->nlevel, &held)) return false;
    const int left = sn_leastNorm(h), length = h->length;
    sn_rowsAdd(h->T, left, length, h->u0, length, h->x);
    if (!held) return true;
    const double* gradient = h->x;
    if (h->W) {
        sn_rowsDot(h->W, h->unknowns, length, h->x, length, h->gradient);
        memset(h->gradient + h->unknowns, 0, (size_t)(length - h->unknowns) * sizeof *h->gradient);
    } else
        memcpy(h->gradient, gradient, (size_t)length * sizeof *gradient);
    return rightSigns(h, held, -h->option.tolerance * sqrt(sn_runDot(h->gradient, h->gradient, length)));
}

// Whether all rows of the levels before `end` are where this pass takes them to be.
static bool allHold(snHqp* h, int end)
{
    const int rows = h->start[end];
    const double size = sqrt(sn_runDot(h->x, h->x, h->length));
    sn_rowValues(h, rows);
    for (int i = 0; i < rows; i++) {
        if (h->kind[i] != SN_LEVEL_INEQUALITY) continue;
        const double value = h->value[i], low = h->lower[i], up = h->upper[i];
        if (h->last.level[i] == h->of[i]) {
            const int side = (int)h->last.side[i];
            const double bound = side > 0 ? up : low;
            if (!(side * (value - bound) > sn_allowance(h, i, bound, 0))) return false;
        } else if (h->last.level[i] < 0 &&
                   (value > up + sn_allowance(h, i, up, size) || value < low - sn_allowance(h, i, low, size)))
            return false;
    }
    return true;
}

// Rows of the last solution that this problem cannot hold there.
static bool isPossible(const snHqp* h)
{
    for (int i = 0; i < h->nrow; i++) {
        if (h->last.level[i] < 0) continue;
        if (h->kind[i] != SN_LEVEL_INEQUALITY || !isfinite(sn_boundOf(h, i, h->last.side[i]))) return false;
    }
    return true;
}

bool sn_fastPass(snHqp* h)
{
    sn_basisBegin(&h->basis, h->unknowns);
    memset(h->x, 0, (size_t)h->length * sizeof *h->x);
    if (!isPossible(h)) return false;
    int end = 0;
    bool right = true;
    for (; end < h->nlevel && h->basis.taken < h->unknowns; end++) right = passLevel(h, end) && right;
    for (int k = end; k < h->nlevel; k++) h->rank[k] = 0;
    right = passNorm(h) && right && allHold(h, end);
    if (!right) return false;
    memcpy(h->fixed.level, h->last.level, (size_t)h->nrow * sizeof *h->last.level);
    memcpy(h->fixed.side, h->last.side, (size_t)h->nrow * sizeof *h->last.side);
    return true;
}
