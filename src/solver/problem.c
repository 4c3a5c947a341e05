#include "solver/problem.h"
#include <math.h>
#include <string.h>
#include "constraint/row.h"
#include "model/arena.h"

static int pad4(int n)
{
    return (n + 3) & ~3;
}

static bool isSimple(const snModel* m, const snData* d, int row)
{
    const int type = d->efc_type[row];
    return type == SN_CNSTR_FRICTION_DOF ||
           (type == SN_CNSTR_LIMIT_JOINT && m->jnt_type[d->efc_id[row]] != SN_JNT_BALL);
}

// Dofs of a group that is not simple, descending; returns how many.
static int groupDofs(const snModel* m, const snData* d, const snRowGroup* group, int* dofs)
{
    const int id = d->efc_id[group->row];
    if (d->efc_type[group->row] != SN_CNSTR_LIMIT_JOINT) return sn_contactDofs(m, d->contact + id, dofs);
    for (int i = 0; i < 3; i++) dofs[i] = m->jnt_dofadr[id] + 2 - i;
    return 3;
}

// Dofs of the island that rows touch; index [nv] gets their compact number, -1 for other dofs of its trees.
static int collectDofs(const snModel* m, const snIslands* islands, int island, int* dof, int* index)
{
    int count = 0;
    for (int i = 0; i < m->nv; i++) {
        if (islands->island[m->dof_treeid[i]] != island) continue;
        index[i] = islands->touched[i] ? count : -1;
        if (islands->touched[i]) dof[count++] = i;
    }
    return count;
}

// The diagonal blocks are stored whole.
static void mirrorDiagonal(double* M, int n)
{
    for (int b = 0; b < n; b += 4) {
        double* a = M + b * (n + 1);
        a[1] = a[n];
        a[2] = a[2 * n];
        a[3] = a[3 * n];
        a[n + 2] = a[2 * n + 1];
        a[n + 3] = a[3 * n + 1];
        a[2 * n + 3] = a[3 * n + 2];
    }
}

// M~ -= L_uc' D_u L_uc for up to four dofs u that hang on the same dof of the island.
static void eliminate(const snModel* m, const snData* d, const int* index, const int* u, int count,
                      int anchor, double* value, int* col, double* M, int n)
{
    int blocks = 0, last = -1;
    for (int i = anchor; i >= 0; i = m->dof_parentid[i])
        if (index[i] >> 2 != last) {
            last = index[i] >> 2;
            blocks++;
        }
    memset(value, 0, 16 * (size_t)blocks * sizeof(double));
    double weight[4] = {0};
    const double* row[4] = {0};
    for (int r = 0; r < count; r++) {
        weight[r] = -1 / d->qLDiagInv[u[r]];
        row[r] = d->qLD + m->dof_Madr[u[r]];
        for (int i = u[r]; i != anchor; i = m->dof_parentid[i]) row[r]++;
    }
    int b = blocks;
    last = -1;
    for (int i = anchor; i >= 0; i = m->dof_parentid[i]) {
        const int c = index[i];
        if (c >> 2 != last) col[--b] = last = c >> 2;
        for (int r = 0; r < count; r++) value[16 * b + 4 * r + (c & 3)] = *row[r]++;
    }
    const snQuad quad = {blocks, col, value};
    sn_quadGram(&quad, 1, weight, M, n);
}

// M~ from qM and, for the dofs that drop out, from the rows of the factor.
static bool fillInertia(const snModel* m, snData* d, const snIslands* islands, int island, const int* index,
                        snProblem* p, unsigned char* map)
{
    const int n = p->n, nb = n / 4;
    memset(p->M, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int c = 0; c < p->ndof; c++) {
        const double* row = d->qM + m->dof_Madr[p->dof[c]];
        double* M = p->M + (size_t)c * (size_t)n;
        unsigned char* blocks = map + (c >> 2) * nb;
        for (int i = p->dof[c]; i >= 0; i = m->dof_parentid[i]) {
            const int k = index[i];
            M[k] = *row++;
            blocks[k >> 2] = 1;
        }
    }
    for (int c = p->ndof; c < n; c++) p->M[c * n + c] = 1;

    const size_t mark = sn_scratchMark(d);
    double* value = sn_scratchReal(d, 4 * n);
    int* col = sn_scratchInt(d, nb);
    if (!value || !col) return false;
    int u[4], count = 0, anchor = -1;
    for (int i = 0; i < m->nv; i++) {
        if (islands->touched[i] || islands->island[m->dof_treeid[i]] != island) continue;
        int a = m->dof_parentid[i];
        while (a >= 0 && index[a] < 0) a = m->dof_parentid[a];
        if (count == 4 || (count && a != anchor)) {
            eliminate(m, d, index, u, count, anchor, value, col, p->M, n);
            count = 0;
        }
        anchor = a;
        if (a >= 0) u[count++] = i;
    }
    if (count) eliminate(m, d, index, u, count, anchor, value, col, p->M, n);
    sn_scratchRelease(d, mark);
    mirrorDiagonal(p->M, n);
    return true;
}

static void fillRow(const snData* d, snProblem* p, int at, int row)
{
    const int type = d->efc_type[row];
    const double bound = d->efc_R[row] * d->efc_frictionloss[row];
    p->efc[at] = row;
    p->rows.D[at] = d->efc_D[row];
    p->rows.lo[at] = type == SN_CNSTR_FRICTION_DOF ? -bound : -HUGE_VAL;
    p->rows.hi[at] = type == SN_CNSTR_FRICTION_DOF ? bound : type == SN_CNSTR_EQUALITY ? HUGE_VAL : 0;
    p->b[at] = -d->efc_aref[row];
}

static void fillSimple(const snModel* m, const snData* d, const snIslands* islands, int first,
                       const int* index, snProblem* p)
{
    int at = 0;
    for (int g = first; g >= 0; g = islands->group[g].next) {
        const int row = islands->group[g].row;
        if (!isSimple(m, d, row)) continue;
        const int id = d->efc_id[row];
        const int dof = d->efc_type[row] == SN_CNSTR_FRICTION_DOF ? id : m->jnt_dofadr[id];
        p->simple_dof[at] = index[dof];
        p->simple_sign[at] = d->efc_J[(size_t)row * (size_t)m->nv + (size_t)dof];
        fillRow(d, p, at++, row);
    }
}

// Copies a group's rows into quads that share one list of blocks; returns the end of the storage it took.
static void fillQuads(const snModel* m, const snData* d, const snRowGroup* group, const int* index,
                      const int* dofs, int ndof, snProblem* p, int** colnext, double** valuenext,
                      unsigned char* map)
{
    const int nb = p->n / 4;
    int *col = *colnext, count = 0;
    for (int k = ndof - 1; k >= 0; k--) {
        const int block = index[dofs[k]] >> 2;
        if (count && col[count - 1] == block) continue;
        col[count++] = block;
        for (int b = 0; b < count - 1; b++) map[block * nb + col[b]] = 1;
    }
    *colnext += count;
    for (int first = 0; first < group->count; first += 4) {
        const int rows = group->count - first < 4 ? group->count - first : 4;
        const int at = p->nsimple + 4 * p->nquad;
        double* value = *valuenext;
        memset(value, 0, 16 * (size_t)count * sizeof(double));
        const double* J = d->efc_J + (size_t)(group->row + first) * (size_t)m->nv;
        int block = -1;
        for (int k = ndof - 1, b = -1; k >= 0; k--) {
            const int c = index[dofs[k]];
            if (c >> 2 != block) {
                block = c >> 2;
                b++;
            }
            for (int r = 0; r < rows; r++) value[16 * b + 4 * r + (c & 3)] = J[r * m->nv + dofs[k]];
        }
        for (int r = 0; r < rows; r++) fillRow(d, p, at + r, group->row + first + r);
        p->quad[p->nquad++] = (snQuad){count, col, value};
        *valuenext += 16 * count;
    }
}

// Counts rows and storage of the island.
static void countRows(const snModel* m, const snData* d, const snIslands* islands, int first, int* dofs,
                      snProblem* p, int* ncol, int* nvalue)
{
    p->nsimple = p->nquad = *ncol = *nvalue = 0;
    for (int g = first; g >= 0; g = islands->group[g].next) {
        const snRowGroup* group = islands->group + g;
        if (isSimple(m, d, group->row)) {
            p->nsimple++;
            continue;
        }
        const int quads = (group->count + 3) / 4;
        int blocks = groupDofs(m, d, group, dofs);
        if (blocks > p->n / 4) blocks = p->n / 4;
        p->nquad += quads;
        *ncol += blocks;
        *nvalue += 16 * blocks * quads;
    }
    p->nsimple = pad4(p->nsimple);
}

static bool allocateRows(snData* d, snProblem* p, int ncol, int nvalue, int** col, double** value)
{
    const int count = p->nsimple + 4 * p->nquad;
    p->rows.count = count;
    p->simple_dof = sn_scratchInt(d, p->nsimple);
    p->simple_sign = sn_scratchReal(d, p->nsimple);
    p->quad = sn_scratchAlloc(d, (size_t)p->nquad * sizeof(snQuad));
    p->rows.D = sn_scratchReal(d, count);
    p->rows.lo = sn_scratchReal(d, count);
    p->rows.hi = sn_scratchReal(d, count);
    p->b = sn_scratchReal(d, count);
    p->efc = sn_scratchInt(d, count);
    *col = sn_scratchInt(d, ncol);
    *value = sn_scratchReal(d, nvalue);
    if (!p->simple_dof || !p->simple_sign || !p->quad || !p->rows.D || !p->rows.lo || !p->rows.hi || !p->b ||
        !p->efc || !*col || !*value)
        return false;
    for (int r = 0; r < count; r++) {
        p->rows.D[r] = p->rows.lo[r] = p->rows.hi[r] = p->b[r] = 0;
        p->efc[r] = -1;
    }
    for (int r = 0; r < p->nsimple; r++) {
        p->simple_dof[r] = 0;
        p->simple_sign[r] = 0;
    }
    return true;
}

static bool allocatePattern(snData* d, snBlockPattern* pattern, const unsigned char* map, int nb)
{
    int count = 0;
    for (int i = 0; i < nb; i++)
        for (int j = 0; j < i; j++) count += map[i * nb + j];
    pattern->nb = nb;
    pattern->adr = sn_scratchInt(d, nb + 1);
    pattern->col = sn_scratchInt(d, count);
    if (!pattern->adr || !pattern->col) return false;
    sn_blockCompress(map, pattern);
    return true;
}

bool sn_buildProblem(const snModel* m, snData* d, const snIslands* islands, int island, snProblem* p)
{
    int* dof = sn_scratchInt(d, m->nv);
    int* index = sn_scratchInt(d, m->nv);
    int* dofs = sn_scratchInt(d, m->nv);
    if (!dof || !index || !dofs) return false;
    p->ndof = collectDofs(m, islands, island, dof, index);
    p->dof = dof;
    p->n = pad4(p->ndof);
    const int nb = p->n / 4, first = islands->first_group[island];
    unsigned char* map = sn_scratchAlloc(d, (size_t)nb * (size_t)nb);
    p->M = sn_scratchAlloc(d, (size_t)p->n * (size_t)p->n * sizeof(double));
    if (!map || !p->M) return false;
    memset(map, 0, (size_t)nb * (size_t)nb);
    if (!fillInertia(m, d, islands, island, index, p, map)) return false;
    if (!allocatePattern(d, &p->treePattern, map, nb)) return false;

    int ncol, nvalue, *col;
    double* value;
    countRows(m, d, islands, first, dofs, p, &ncol, &nvalue);
    if (!allocateRows(d, p, ncol, nvalue, &col, &value)) return false;
    fillSimple(m, d, islands, first, index, p);
    p->nquad = 0;
    for (int g = first; g >= 0; g = islands->group[g].next) {
        const snRowGroup* group = islands->group + g;
        if (isSimple(m, d, group->row)) continue;
        const int ndof = groupDofs(m, d, group, dofs);
        fillQuads(m, d, group, index, dofs, ndof, p, &col, &value, map);
    }
    sn_blockFill(map, nb);
    return allocatePattern(d, &p->pattern, map, nb);
}

void sn_problemMulJ(const snProblem* p, const double* x, double* y)
{
    for (int r = 0; r < p->nsimple; r++) y[r] = p->simple_sign[r] * x[p->simple_dof[r]];
    sn_quadMulVec(p->quad, p->nquad, x, y + p->nsimple);
}

void sn_problemMulJT(const snProblem* p, const double* x, double* y)
{
    for (int r = 0; r < p->nsimple; r++) y[p->simple_dof[r]] += p->simple_sign[r] * x[r];
    sn_quadMulTVec(p->quad, p->nquad, x + p->nsimple, y);
}
