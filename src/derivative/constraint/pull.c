// For each target: src/target/prelude.h.
#include "derivative/constraint/pull.h"
#include <string.h>

static void swap(int* a, int* b)
{
    const int c = *a;
    *a = *b;
    *b = c;
}

void sn_pullDofs(const snModel* m, const int last[2], snRowChange* change)
{
    int a = last[0], b = last[1], count = 0;
    for (; a >= 0 || b >= 0; count++) {
        const int k = a > b ? a : b;
        change->dof[count] = k;
        change->sides[count] = (a == k) + 2 * (b == k);
        if (a == k) a = m->dof_parentid[a];
        if (b == k) b = m->dof_parentid[b];
    }
    for (int i = 0, j = count - 1; i < j; i++, j--) {
        swap(change->dof + i, change->dof + j);
        swap(change->sides + i, change->sides + j);
    }
    change->n = count;
}

static void storeForce(double* to, int n, snForce f)
{
    to[0] = f.ang.x;
    to[n] = f.ang.y;
    to[2 * n] = f.ang.z;
    to[3 * n] = f.lin.x;
    to[4 * n] = f.lin.y;
    to[5 * n] = f.lin.z;
}

// work[s]: dW [6 x n], then dW_k - S_k x* W [6 x n].
void sn_pullColumn(const snPull* pull, snMotion axis, const snForce W[2], int k, snRowChange* change)
{
    const int n = change->n;
    for (int s = 0; s < 2; s++) {
        const bool moves = (change->sides[k] & (s + 1)) != 0;
        double* to = change->work[s];
        storeForce(to + k, n, W[s]);
        storeForce(to + 6 * n + k, n, moves ? sn_forceSub(W[s], sn_crossForce(axis, pull->wrench[s])) : W[s]);
    }
}

// row [n] += sign S' of the wrenches of the columns [from, to).
static void addProducts(const double* wrench, int n, const double* S, double sign, int from, int to,
                        double* row)
{
    for (int j = 0; j < 6; j++) {
        const double x = sign * S[j], *w = wrench + j * n;
        if (x != 0)
            for (int k = from; k < to; k++) row[k] += x * w[k];
    }
}

// The columns that carry row i, and those of its own ball, are the first ones; those of the other side among
// them have no bracket of their own.
void sn_pullRow(const snModel* m, const snData* d, const snPull* pull, const int* start, int i,
                snRowChange* change, double* q)
{
    const int n = change->n, dof = change->dof[i];
    int carrying = i + 1;
    while (carrying < n && start[change->dof[carrying]] <= dof) carrying++;
    double *row = change->row, *to = q + (size_t)dof * (size_t)m->nv;
    memset(row, 0, (size_t)n * sizeof(double));
    for (int s = 0; s < 2; s++) {
        if (!(change->sides[i] & (s + 1))) continue;
        const double *S = d->cdof + 6 * dof, sign = pull->sign[s];
        addProducts(change->work[s] + 6 * n, n, S, sign, 0, carrying, row);
        addProducts(change->work[s], n, S, sign, carrying, n, row);
    }
    for (int k = 0; k < n; k++) to[change->dof[k]] += row[k];
}
