// For each target: src/target/prelude.h.
// A = J inv(M) J' of the dual in blocks of 4x4: A = Y'Y with Y = D^-1/2 inv(L') J' and M = L'DL of
// sn_factorM. A column of Y is not zero in the dofs of its row and their ancestors, so that two rows meet in
// A only if they move a common tree. Source: seed 001, (9).
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include "loop/reduced.h"
#include "model/arena.h"
#include "smooth/inertia/factor.h"
#include "solver/dual.h"

// The trees that quads move, and for each tree the quads before the one at hand that move it, linked.
typedef struct Trees {
    int* leader;          // [ntree] the tree that stands for a tree: the first of its mechanism, else itself
    int* mechanism;       // [ntree] mechanism of a tree; -1
    int *adr, *list;      // [nquad + 1], [adr[nquad]] trees of each quad
    int* head;            // [ntree] its last entry in `list`; -1: none
    int* next;            // [adr[nquad]] an earlier entry of the same tree
    int* quad;            // [adr[nquad]] whose entry it is
    int* mark;            // [max(nquad, ntree)] last quad that met this tree or quad
    unsigned char* alike; // [nquad] whether a quad touches the dofs of the one in front of it
} Trees;

// Four columns of Y where they are not zero: Y [count][4], dof [count] descending.
typedef struct Columns {
    int count;
    int* dof;
    double* Y;
} Columns;

// Whether a row, the r-th of its quad, touches other dofs than the one in front of it.
static bool isFresh(const snData* d, const int* efc, int r)
{
    return efc[r] >= 0 && (r == 0 || d->efc_J_coladr[efc[r]] != d->efc_J_coladr[efc[r - 1]]);
}

// Whether all rows of a quad touch the same dofs, and those of the quad in front of it the very same.
static bool isAlike(const snData* d, const snDual* q, int i)
{
    const int* efc = q->efc + 4 * i;
    assert(efc[0] >= 0); // a quad has a row
    if (i == 0 || d->efc_J_coladr[efc[0]] != d->efc_J_coladr[efc[-4]]) return false;
    for (int r = 1; r < 4; r++)
        if (isFresh(d, efc, r) || isFresh(d, efc - 4, r)) return false;
    return true;
}

// The most entries that the trees of all quads can have.
static int countEntries(const snData* d, const snDual* q, unsigned char* alike)
{
    int count = 0;
    for (int i = 0; i < q->nquad; i++) {
        alike[i] = isAlike(d, q, i);
        for (int r = 0; r < 4; r++)
            if (isFresh(d, q->efc + 4 * i, r)) count += d->efc_J_rownnz[q->efc[4 * i + r]];
    }
    return count;
}

// Adds the trees of quad i that are not yet marked to its entries.
static int addTrees(const snModel* m, const snData* d, int row, int i, int count, Trees* t)
{
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        const int tree = t->leader[m->dof_treeid[dofs[k]]];
        if (t->mark[tree] == i) continue;
        t->mark[tree] = i;
        t->list[count++] = tree;
    }
    return count;
}

static void findTrees(const snModel* m, const snData* d, const snDual* q, Trees* t)
{
    int count = 0;
    for (int i = 0; i < m->ntree; i++) t->mark[i] = -1;
    for (int i = 0; i < q->nquad; i++) {
        const int *efc = q->efc + 4 * i, first = count;
        t->adr[i] = first;
        if (t->alike[i])
            for (int k = t->adr[i - 1]; k < first; k++) t->list[count++] = t->list[k];
        for (int r = 0; r < 4 && !t->alike[i]; r++)
            if (isFresh(d, efc, r)) count = addTrees(m, d, efc[r], i, count, t);
        for (int k = first; k < count; k++) t->quad[k] = i;
    }
    t->adr[q->nquad] = count;
}

// Trees that closed loops join count as one.
static void findLeaders(const snModel* m, const snData* d, Trees* t)
{
    for (int i = 0; i < m->ntree; i++) {
        const int k = d->nclosure ? d->tree_mechanism[i] : -1;
        t->mechanism[i] = k;
        t->leader[i] = k < 0 ? i : m->dof_treeid[d->mechanism_dof[d->mechanism_dofadr[k]]];
    }
}

static bool allocateTrees(const snModel* m, snData* d, const snDual* q, Trees* t)
{
    t->alike = sn_scratchAlloc(d, (size_t)q->nquad);
    if (!t->alike) return false;
    const int count = countEntries(d, q, t->alike);
    t->adr = sn_scratchInt(d, q->nquad + 1);
    t->list = sn_scratchInt(d, count);
    t->next = sn_scratchInt(d, count);
    t->quad = sn_scratchInt(d, count);
    t->head = sn_scratchInt(d, m->ntree);
    t->mark = sn_scratchInt(d, q->nquad > m->ntree ? q->nquad : m->ntree);
    t->leader = sn_scratchInt(d, m->ntree);
    t->mechanism = sn_scratchInt(d, m->ntree);
    return t->leader && t->mechanism && t->adr && t->list && t->next && t->quad && t->head && t->mark;
}

static void beginWalk(const snModel* m, const snDual* q, Trees* t)
{
    for (int i = 0; i < m->ntree; i++) t->head[i] = -1;
    for (int i = 0; i < q->nquad; i++) t->mark[i] = -1;
}

// The quads up to i that quad i meets: itself first, then the other of its contact. Returns how many. To be
// asked for each quad in turn.
static int meet(const snDual* q, int i, Trees* t, int* near)
{
    int count = 0;
    near[count++] = i;
    if (q->kind[i] == SN_DUAL_TAIL) {
        near[count++] = i - 1;
        t->mark[i - 1] = i;
    }
    for (int k = t->adr[i]; k < t->adr[i + 1]; k++) {
        const int tree = t->list[k];
        for (int e = t->head[tree]; e >= 0; e = t->next[e]) {
            const int other = t->quad[e];
            if (t->mark[other] == i) continue;
            t->mark[other] = i;
            near[count++] = other;
        }
        t->next[k] = t->head[tree];
        t->head[tree] = k;
    }
    return count;
}

// adr from how many quads each meets. false: too many to be counted.
static bool countBlocks(const snModel* m, snDual* q, Trees* t, int* near)
{
    size_t total = 0;
    int* count = q->adr + 1;
    for (int i = 0; i < q->nquad; i++) count[i] = 0;
    beginWalk(m, q, t);
    for (int i = 0; i < q->nquad; i++) {
        const int n = meet(q, i, t, near);
        count[i] += n;
        for (int k = 1; k < n; k++) count[near[k]]++;
        total += (size_t)(2 * n - 1);
        if (total > INT_MAX / 16) return false;
    }
    q->adr[0] = 0;
    for (int i = 0; i < q->nquad; i++) q->adr[i + 1] += q->adr[i];
    return true;
}

static int insertDof(int i, int count, int* dof, int* place)
{
    int at = count++;
    for (; at > 0 && dof[at - 1] < i; at--) dof[at] = dof[at - 1];
    dof[at] = i;
    place[i] = 0;
    return count;
}

// The dofs of a quad's rows and their ancestors, of mechanisms the independent ones, descending, into dof
// [nv]; place [nv] of each, else -1.
static int findDofs(const snModel* m, const snData* d, const Trees* t, const int* efc, int* dof, int* place)
{
    int count = 0;
    for (int r = 0; r < 4; r++) {
        if (!isFresh(d, efc, r)) continue;
        const int* dofs = d->efc_J_colind + d->efc_J_coladr[efc[r]];
        for (int k = d->efc_J_rownnz[efc[r]] - 1; k >= 0; k--) {
            const int mechanism = t->mechanism[m->dof_treeid[dofs[k]]];
            const int* y = mechanism < 0 ? NULL : d->mechanism_y + d->mechanism_yadr[mechanism];
            for (int a = y ? d->mechanism_ynum[mechanism] - 1 : -1; a >= 0 && place[y[a]] < 0; a--)
                count = insertDof(y[a], count, dof, place);
            for (int i = y ? -1 : dofs[k]; i >= 0 && place[i] < 0; i = m->dof_parentid[i])
                count = insertDof(i, count, dof, place);
        }
    }
    for (int k = 0; k < count; k++) place[dof[k]] = k;
    return count;
}

// Y = D^-1/2 inv(L') J', from the last dof to the first.
static void halfSolve(const snModel* m, const snData* d, const Columns* c, const int* place)
{
    for (int k = 0; k < c->count; k++) {
        const int i = c->dof[k];
        if (d->nclosure && d->dof_y[i] >= 0) continue;
        const v4 y = v4_load(c->Y + 4 * k);
        const double* row = d->qLD + sn_diagonalLD(m, i);
        for (int j = m->dof_simplenum[i] ? -1 : m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
            double* to = c->Y + 4 * place[j];
            v4_store(to, v4_load(to) - v4_all(*--row) * y);
        }
        v4_store(c->Y + 4 * k, v4_all(sqrt(d->qLDiagInv[i])) * y);
    }
}

// The same for mechanisms, by the factor of G'HG, from the last of their y to the first.
static void halfSolveLoops(const snData* d, const Columns* c, const int* place)
{
    for (int k = 0; k < d->nmechanism; k++) {
        const int *y = d->mechanism_y + d->mechanism_yadr[k], count = d->mechanism_ynum[k],
                  n = sn_padded(count);
        if (count == 0 || place[y[0]] < 0) continue;
        const double *L = d->mechanism_L + d->mechanism_Hadr[k],
                     *inverse = d->mechanism_Dinv + d->mechanism_padadr[k];
        for (int i = count - 1; i >= 0; i--) {
            double* own = c->Y + 4 * place[y[i]];
            const v4 x = v4_load(own);
            for (int j = 0; j < i; j++) {
                double* to = c->Y + 4 * place[y[j]];
                v4_store(to, v4_load(to) - v4_all(L[i * n + j]) * x);
            }
            v4_store(own, v4_all(sqrt(inverse[i])) * x);
        }
    }
}

// Adds a row's numbers, J G, to column r.
static void addRow(const snModel* m, const snData* d, const Trees* t, int row, int r, const int* place,
                   double* Y)
{
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        const int mechanism = t->mechanism[m->dof_treeid[dofs[k]]];
        if (mechanism < 0) {
            Y[4 * place[dofs[k]] + r] = J[k];
            continue;
        }
        const snLoopTerms terms = sn_loopTerms(d, dofs[k]);
        const int* y = d->mechanism_y + d->mechanism_yadr[mechanism];
        for (int a = 0; a < terms.count; a++) Y[4 * place[y[terms.y[a]]] + r] += J[k] * terms.coefficient[a];
    }
}

// The columns of quad i; dof [nv]: scratch; place [nv]: as left by the quad in front of it, then of its dofs.
static bool makeColumns(const snModel* m, snData* d, const Trees* t, const int* efc, bool alike, int* dof,
                        int* place, Columns* c)
{
    if (alike) {
        *c = c[-1];
    } else {
        for (int k = 0; k < c[-1].count; k++) place[c[-1].dof[k]] = -1;
        c->count = findDofs(m, d, t, efc, dof, place);
        c->dof = sn_scratchInt(d, c->count);
        if (!c->dof) return false;
        memcpy(c->dof, dof, (size_t)c->count * sizeof(int));
    }
    c->Y = sn_scratchReal(d, 4 * c->count);
    if (!c->Y) return false;
    memset(c->Y, 0, 4 * (size_t)c->count * sizeof(double));
    for (int r = 0; r < 4 && efc[r] >= 0; r++) addRow(m, d, t, efc[r], r, place, c->Y);
    halfSolve(m, d, c, place);
    halfSolveLoops(d, c, place);
    return true;
}

// Y_a' Y_b and, unless NULL, its mirror image; place: of the dofs of a.
SN_INLINE void gramBlock(const Columns* a, const int* place, const Columns* b, double* block, double* mirror)
{
    v4 row[4] = {0};
    for (int k = 0; k < b->count; k++) {
        const int at = place[b->dof[k]];
        if (at < 0) continue;
        const double* y = a->Y + 4 * at;
        const v4 x = v4_load(b->Y + 4 * k);
        for (int r = 0; r < 4; r++) row[r] += v4_all(y[r]) * x;
    }
    for (int r = 0; r < 4; r++) {
        v4_store(block + 4 * r, row[r]);
        for (int c = 0; c < 4 && mirror; c++) mirror[4 * c + r] = row[r][c];
    }
}

// The blocks of quad i and the quads up to it that it meets. at [nquad]: where the next block of each goes.
static void fillBlocks(snDual* q, const Columns* c, int i, const int* place, const int* near, int count,
                       int* at)
{
    double* own = q->A + 16 * (size_t)q->adr[i];
    q->col[q->adr[i]] = i;
    gramBlock(c + i, place, c + i, own, NULL);
    for (int k = 1; k < count; k++) {
        const int j = near[k];
        const bool twin = k == 1 && q->kind[i] == SN_DUAL_TAIL;
        const int to = at[i]++, back = twin ? q->adr[j] + 1 : at[j]++;
        q->col[to] = j;
        q->col[back] = i;
        gramBlock(c + i, place, c + j, q->A + 16 * (size_t)to, q->A + 16 * (size_t)back);
    }
    for (int r = 0; r < 4; r++) {
        q->diagA[4 * i + r] = own[5 * r];
        own[5 * r] += q->R[4 * i + r];
        q->curvature[4 * i + r] = own[5 * r];
    }
}

// All blocks, those between two quads when the later of them comes.
static bool fillMatrix(const snModel* m, snData* d, snDual* q, Trees* t, int* near)
{
    Columns *first = sn_scratchAlloc(d, ((size_t)q->nquad + 1) * sizeof(Columns)), *c = first + 1;
    int *dof = sn_scratchInt(d, m->nv), *place = sn_scratchInt(d, m->nv), *at = sn_scratchInt(d, q->nquad);
    if (!first || !dof || !place || !at) return false;
    first->count = 0; // nothing is in front of the first quad
    for (int i = 0; i < m->nv; i++) place[i] = -1;
    beginWalk(m, q, t);
    for (int i = 0; i < q->nquad; i++) {
        const bool twin = i + 1 < q->nquad && q->kind[i + 1] == SN_DUAL_TAIL;
        at[i] = q->adr[i] + 1 + twin; // the block beside the diagonal waits for its other quad
        if (!makeColumns(m, d, t, q->efc + 4 * i, t->alike[i], dof, place, c + i)) return false;
        fillBlocks(q, c, i, place, near, meet(q, i, t, near), at);
    }
    return true;
}

bool sn_dualMatrix(const snModel* m, snData* d, snDual* q)
{
    Trees t;
    int* near = sn_scratchInt(d, q->nquad);
    q->adr = sn_scratchInt(d, q->nquad + 1);
    if (!near || !q->adr || !allocateTrees(m, d, q, &t)) return false;
    findLeaders(m, d, &t);
    findTrees(m, d, q, &t);
    if (!countBlocks(m, q, &t, near)) return false;
    const size_t count = (size_t)q->adr[q->nquad];
    q->col = sn_scratchAlloc(d, count * sizeof(int));
    q->A = sn_scratchAlloc(d, 16 * count * sizeof(double));
    if (!q->col || !q->A || !fillMatrix(m, d, q, &t, near)) return false;
    d->nAblock = (int)count;
    return true;
}
