// For each target: src/target/prelude.h.
#include "lcp/coordinates.h"
#include <assert.h>
#include <math.h>
#include <string.h>
#include "loop/reduced.h"
#include "math/simd.h"
#include "model/arena.h"
#include "smooth/inertia/factor.h"
#include "smooth/kinematics/resistance.h"

// ---- numbering

static int mechanismOf(const snData* d, int tree)
{
    return d->nclosure ? d->tree_mechanism[tree] : -1;
}

// The tree that stands for a tree: the first of its mechanism, or itself.
static int leaderOf(const snModel* m, const snData* d, int tree)
{
    const int k = mechanismOf(d, tree);
    return k < 0 ? tree : m->dof_treeid[d->mechanism_dof[d->mechanism_dofadr[k]]];
}

// A tree that is one free body alone, without damping and armature, of its own or of tendons.
static bool isFreeBody(const snModel* m, const snLcpCoordinates* c, int dof)
{
    const int body = m->dof_bodyid[dof];
    if (m->jnt_type[m->dof_jntid[dof]] != SN_JNT_FREE || m->body_dofnum[body] != 6) return false;
    if (body + 1 < m->nbody && m->body_rootid[body + 1] == m->body_rootid[body]) return false;
    for (int i = dof; i < dof + 6; i++)
        if (sn_armatureOfDof(m, i) != 0 || !sn_cubicIsZero(sn_damperOfDof(m, i)) || c->mark[i]) return false;
    const double* I = m->body_inertia + 3 * body;
    return sn_min(sn_min(I[0], I[1]), sn_min(I[2], m->body_mass[body])) > SN_MINVAL;
}

// J v = J_v . v_origin + J_w . w = J_v . v_com + (J_w - r x J_v) . w, all in the axes that each is given in.
static snFreeBody freeBody(const snModel* m, const snData* d, int body)
{
    const double *I = m->body_inertia + 3 * body, *r = m->body_ipos + 3 * body;
    snFreeBody f = {.body = body, .lin = 1 / sqrt(m->body_mass[body])};
    const double *inertial = d->ximat + 9 * body, *own = d->xmat + 9 * body;
    const double offset[3] = {d->xipos[3 * body] - d->xpos[3 * body],
                              d->xipos[3 * body + 1] - d->xpos[3 * body + 1],
                              d->xipos[3 * body + 2] - d->xpos[3 * body + 2]};
    f.centred = r[0] == 0 && r[1] == 0 && r[2] == 0;
    for (int k = 0; k < 3; k++) {
        const double scale = 1 / sqrt(I[k]);
        const double axis[3] = {inertial[k], inertial[3 + k], inertial[6 + k]};
        for (int c = 0; c < 3; c++)
            f.turn[3 * k + c] = scale * (axis[0] * own[c] + axis[1] * own[3 + c] + axis[2] * own[6 + c]);
        if (f.centred) continue;
        // axis . (J_v x r) = J_v . (r x axis)
        f.shift[3 * k] = scale * (offset[1] * axis[2] - offset[2] * axis[1]);
        f.shift[3 * k + 1] = scale * (offset[2] * axis[0] - offset[0] * axis[2]);
        f.shift[3 * k + 2] = scale * (offset[0] * axis[1] - offset[1] * axis[0]);
    }
    return f;
}

static bool allocate(const snModel* m, snData* d, const snIslands* islands, snLcpCoordinates* c)
{
    c->place = sn_scratchInt(d, m->nv);
    c->size = sn_scratchInt(d, islands->count);
    c->base = sn_scratchInt(d, 5 * m->ntree + 2);
    c->free = sn_scratchAlloc(d, (size_t)m->ntree * sizeof(snFreeBody));
    c->lanes = sn_scratchReal(d, 4 * m->nv);
    c->mark = sn_scratchAlloc(d, (size_t)m->nv);
    if (!c->place || !c->size || !c->base || !c->free || !c->lanes || !c->mark) return false;
    c->tree_dofadr = c->base + m->ntree;
    c->tree_dofnum = c->tree_dofadr + m->ntree;
    c->part = c->tree_dofnum + m->ntree;
    c->partdof = c->part + m->ntree + 1;
    c->coladr = -1;
    memset(c->lanes, 0, 4 * (size_t)m->nv * sizeof(double));
    memset(c->mark, 0, (size_t)m->nv);
    return true;
}

bool sn_lcpOwnWork(const snModel* m, snData* d, snLcpCoordinates* c)
{
    c->part = sn_scratchInt(d, 2 * m->ntree + 2); // all else is by dofs, of which each is in one island
    c->partdof = c->part ? c->part + m->ntree + 1 : NULL;
    c->coladr = -1;
    return c->part;
}

static void findTrees(const snModel* m, snLcpCoordinates* c)
{
    for (int t = 0; t < m->ntree; t++) c->tree_dofnum[t] = 0;
    for (int i = m->nv - 1; i >= 0; i--) {
        const int t = m->dof_treeid[i];
        c->tree_dofadr[t] = i;
        c->tree_dofnum[t]++;
    }
}

// Marks the dofs whose inertia tendons add to.
static void markArmature(const snModel* m, const snData* d, const snLcpCoordinates* c, unsigned char value)
{
    for (int t = 0; t < m->ntendon; t++) {
        const int* dof = d->ten_J_colind + d->ten_J_rowadr[t];
        for (int k = 0; k < d->ten_J_rownnz[t] && sn_armatureOfTendon(m, t) != 0; k++)
            c->mark[dof[k]] = value;
    }
}

// Numbers of a tree, or of the mechanism that it stands for, from `base` on; returns how many.
static int numberTree(const snModel* m, const snData* d, int tree, bool mixed, int base, snLcpCoordinates* c)
{
    const int first = c->tree_dofadr[tree], count = c->tree_dofnum[tree], k = mechanismOf(d, tree);
    c->base[tree] = base;
    c->free[tree].body = -1;
    if (k >= 0) {
        const int *y = d->mechanism_y + d->mechanism_yadr[k], n = d->mechanism_ynum[k];
        for (int a = 0; a < n; a++) c->place[y[a]] = base + a;
        return sn_padded(n);
    }
    const bool free = mixed && isFreeBody(m, c, first);
    if (free) c->free[tree] = freeBody(m, d, m->dof_bodyid[first]);
    for (int i = 0; i < count; i++) c->place[first + i] = base + i + (free && i >= 3);
    return free ? 8 : sn_padded(count);
}

bool sn_lcpCoordinates(const snModel* m, snData* d, const snIslands* islands, const snStepInertia* inertia,
                       bool mixed, snLcpCoordinates* c)
{
    if (!allocate(m, d, islands, c)) return false;
    c->inertia = inertia;
    findTrees(m, c);
    for (int i = 0; i < m->nv; i++) c->place[i] = -1;
    for (int t = 0; t < m->ntree; t++) c->base[t] = -1;
    markArmature(m, d, c, 1);
    for (int k = 0; k < islands->count; k++) {
        c->size[k] = 0;
        for (int i = islands->dof_adr[k]; i < islands->dof_adr[k + 1]; i++) {
            const int tree = leaderOf(m, d, m->dof_treeid[islands->dof[i]]);
            if (c->base[tree] < 0) c->size[k] += numberTree(m, d, tree, mixed, c->size[k], c);
        }
    }
    markArmature(m, d, c, 0);
    return true;
}

// ---- rows

// The parts of a group of rows, by trees or mechanisms, in the order of their coordinates.
static void findParts(const snModel* m, const snData* d, int row, snLcpCoordinates* c)
{
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    c->npart = 0;
    for (int k = 0, last = -1; k < d->efc_J_rownnz[row]; k++) {
        const int tree = leaderOf(m, d, m->dof_treeid[dofs[k]]);
        if (tree == last) continue;
        last = tree;
        int at = 0;
        while (at < c->npart && c->base[c->part[at]] < c->base[tree]) at++;
        if (at < c->npart && c->part[at] == tree) continue;
        for (int i = c->npart++; i > at; i--) {
            c->part[i] = c->part[i - 1];
            c->partdof[i] = c->partdof[i - 1];
        }
        c->part[at] = tree;
        c->partdof[at] = k;
    }
}

// Marks the dofs of a group that are in trees with a factor, and those above them.
static void markDofs(const snModel* m, const snData* d, int row, const snLcpCoordinates* c,
                     unsigned char value)
{
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        const int tree = m->dof_treeid[dofs[k]];
        if (mechanismOf(d, tree) >= 0 || c->free[tree].body >= 0) continue;
        for (int i = dofs[k]; i >= 0 && c->mark[i] != value; i = m->dof_parentid[i]) c->mark[i] = value;
    }
}

// Block columns of a part, into col or, with NULL, just counted.
static int partColumns(const snModel* m, const snData* d, const snLcpCoordinates* c, int tree, int* col)
{
    const int k = mechanismOf(d, tree), first = c->base[tree] / 4;
    int count = 0;
    (void)m;
    if (k >= 0 || c->free[tree].body >= 0) {
        const int all = k >= 0 ? sn_padded(d->mechanism_ynum[k]) / 4 : 2;
        for (; count < all; count++)
            if (col) col[count] = first + count;
        return count;
    }
    for (int i = c->tree_dofadr[tree], last = -1; i < c->tree_dofadr[tree] + c->tree_dofnum[tree]; i++) {
        if (!c->mark[i] || c->place[i] / 4 == last) continue;
        last = c->place[i] / 4;
        if (col) col[count] = last;
        count++;
    }
    return count;
}

// The block columns of a group of rows; those of the group in front of it where it touches the same dofs.
static bool findColumns(const snModel* m, snData* d, int row, snLcpCoordinates* c)
{
    if (d->efc_J_coladr[row] == c->coladr) return true;
    findParts(m, d, row, c);
    markDofs(m, d, row, c, 1);
    int count = 0;
    for (int p = 0; p < c->npart; p++) count += partColumns(m, d, c, c->part[p], NULL);
    int* col = sn_scratchInt(d, count);
    if (col) {
        c->ncol = 0;
        for (int p = 0; p < c->npart; p++) c->ncol += partColumns(m, d, c, c->part[p], col + c->ncol);
        c->col = col;
        c->coladr = d->efc_J_coladr[row];
    }
    markDofs(m, d, row, c, 0);
    return col != NULL;
}

// Four rows of a free body: its six columns J [rows x ndof] become eight coordinates.
SN_INLINE void freeColumns(const snFreeBody* f, const double* J, int rows, int ndof, double* value)
{
    v4 low[4] = {0}, high[4] = {0}, z[8]; // columns 0 to 3 and 2 to 5
    for (int r = 0; r < rows; r++) {
        low[r] = v4_loadAny(J + r * ndof);
        high[r] = v4_loadAny(J + r * ndof + 2);
    }
    v4_transpose(low);
    v4_transpose(high);
    const v4 j[6] = {low[0], low[1], low[2], low[3], high[2], high[3]};
    for (int i = 0; i < 3; i++) {
        const double *P = f->turn + 3 * i, *S = f->shift + 3 * i;
        z[i] = v4_all(f->lin) * j[i];
        z[4 + i] = (v4_all(P[0]) * j[3] + v4_all(P[1]) * j[4]) + v4_all(P[2]) * j[5];
        if (!f->centred) z[4 + i] += (v4_all(S[0]) * j[0] + v4_all(S[1]) * j[1]) + v4_all(S[2]) * j[2];
    }
    z[3] = z[7] = (v4){0};
    v4_transpose(z);
    v4_transpose(z + 4);
    for (int i = 0; i < 8; i++) v4_store(value + 4 * i, z[i]);
}

// The part of a free body's six dofs that rows touch one by one, as dry friction does.
static void sparseFree(const snModel* m, const snData* d, const snFreeBody* f, int row, int rows, int first,
                       double* value)
{
    const int ndof = d->efc_J_rownnz[row], *dofs = d->efc_J_colind + d->efc_J_coladr[row];
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    double whole[24] = {0};
    const int start = m->body_dofadr[f->body];
    for (int k = first; k < ndof && dofs[k] < start + 6; k++)
        for (int r = 0; r < rows; r++) whole[6 * r + dofs[k] - start] = J[r * ndof + k];
    freeColumns(f, whole, rows, 6, value);
}

// The four rows in lanes [nv][4]: of trees J, of mechanisms J G.
static void gather(const snModel* m, const snData* d, const snLcpCoordinates* c, int row, int rows)
{
    const int ndof = d->efc_J_rownnz[row], *dofs = d->efc_J_colind + d->efc_J_coladr[row];
    const double* J = d->efc_J + d->efc_J_rowadr[row];
    for (int k = 0; k < ndof; k++) {
        const int tree = m->dof_treeid[dofs[k]], mechanism = mechanismOf(d, tree);
        if (c->free[leaderOf(m, d, tree)].body >= 0) continue;
        if (mechanism < 0) {
            for (int r = 0; r < rows; r++) c->lanes[4 * dofs[k] + r] = J[r * ndof + k];
            continue;
        }
        const snLoopTerms t = sn_loopTerms(d, dofs[k]);
        const int* y = d->mechanism_y + d->mechanism_yadr[mechanism];
        for (int a = 0; a < t.count; a++)
            for (int r = 0; r < rows; r++) c->lanes[4 * y[t.y[a]] + r] += J[r * ndof + k] * t.coefficient[a];
    }
}

// J inv(L) D^-1/2 in the lanes of a tree, from the last marked dof to the first.
static void halfSolve(const snModel* m, const snLcpCoordinates* c, int tree)
{
    for (int i = c->tree_dofadr[tree] + c->tree_dofnum[tree] - 1; i >= c->tree_dofadr[tree]; i--) {
        if (!c->mark[i]) continue;
        const v4 y = v4_load(c->lanes + 4 * i);
        const double* row = c->inertia->LD + sn_diagonalLD(m, i);
        for (int j = m->dof_simplenum[i] ? -1 : m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j]) {
            double* to = c->lanes + 4 * j;
            v4_store(to, v4_load(to) - v4_all(*--row) * y);
        }
        v4_store(c->lanes + 4 * i, v4_all(sqrt(c->inertia->diagInv[i])) * y);
    }
}

// The same in the lanes of a mechanism, by the factor of G'MG.
static void halfSolveLoops(const snData* d, const snLcpCoordinates* c, int mechanism)
{
    const int *y = d->mechanism_y + d->mechanism_yadr[mechanism], count = d->mechanism_ynum[mechanism],
              n = sn_padded(count);
    const double *L = c->inertia->mechanism_L + d->mechanism_Hadr[mechanism],
                 *inverse = c->inertia->mechanism_Dinv + d->mechanism_padadr[mechanism];
    for (int i = count - 1; i >= 0; i--) {
        double* own = c->lanes + 4 * y[i];
        const v4 x = v4_load(own);
        for (int j = 0; j < i; j++) {
            double* to = c->lanes + 4 * y[j];
            v4_store(to, v4_load(to) - v4_all(L[i * n + j]) * x);
        }
        v4_store(own, v4_all(sqrt(inverse[i])) * x);
    }
}

// Moves lanes of a part into the blocks of a quad, and leaves them 0.
static void scatter(const snData* d, const snLcpCoordinates* c, int tree, const int* col, int count,
                    double* value)
{
    const int k = mechanismOf(d, tree);
    const int n = k >= 0 ? d->mechanism_ynum[k] : c->tree_dofnum[tree];
    memset(value, 0, 16 * (size_t)count * sizeof(double));
    for (int i = 0, b = 0; i < n; i++) {
        const int dof = k >= 0 ? d->mechanism_y[d->mechanism_yadr[k] + i] : c->tree_dofadr[tree] + i;
        if (k < 0 && !c->mark[dof]) continue;
        double* lane = c->lanes + 4 * dof;
        while (col[b] != c->place[dof] / 4) b++;
        for (int r = 0; r < 4; r++) {
            value[16 * b + 4 * r + c->place[dof] % 4] = lane[r];
            lane[r] = 0;
        }
    }
}

static bool touchesWholeBody(const snModel* m, const snData* d, int row, const snFreeBody* f, int first)
{
    const int* dofs = d->efc_J_colind + d->efc_J_coladr[row];
    return first + 6 <= d->efc_J_rownnz[row] && dofs[first] == m->body_dofadr[f->body] &&
           dofs[first + 5] == m->body_dofadr[f->body] + 5;
}

// One quad of up to four rows.
static void fillQuad(const snModel* m, const snData* d, const snLcpCoordinates* c, int row, int rows,
                     bool factors, const snQuad* quad)
{
    double* value = quad->value;
    const int ndof = d->efc_J_rownnz[row];
    if (factors) gather(m, d, c, row, rows);
    for (int p = 0, at = 0; p < c->npart; p++) {
        const int tree = c->part[p], mechanism = mechanismOf(d, tree);
        const snFreeBody* f = c->free + tree;
        if (f->body >= 0) {
            const double* J = d->efc_J + d->efc_J_rowadr[row] + c->partdof[p];
            if (!touchesWholeBody(m, d, row, f, c->partdof[p]))
                sparseFree(m, d, f, row, rows, c->partdof[p], value + 16 * at);
            else if (rows == 3)
                freeColumns(f, J, 3, ndof, value + 16 * at);
            else
                freeColumns(f, J, rows, ndof, value + 16 * at);
            at += 2;
            continue;
        }
        const int count = partColumns(m, d, c, tree, NULL);
        mechanism < 0 ? halfSolve(m, c, tree) : halfSolveLoops(d, c, mechanism);
        scatter(d, c, tree, quad->col + at, count, value + 16 * at);
        at += count;
    }
}

bool sn_lcpQuads(const snModel* m, snData* d, snLcpCoordinates* c, int row, int rows, snQuad* quad)
{
    assert(row >= 0 && rows > 0 && row + rows <= d->nefc);
    if (!findColumns(m, d, row, c)) return false;
    bool factors = false;
    for (int p = 0; p < c->npart; p++) factors |= c->free[c->part[p]].body < 0;
    if (factors) markDofs(m, d, row, c, 1);
    bool room = true;
    for (int q = 0; 4 * q < rows && room; q++) {
        quad[q] = (snQuad){c->ncol, c->col, sn_scratchReal(d, 16 * c->ncol)};
        room = quad[q].value != NULL;
        if (room) fillQuad(m, d, c, row + 4 * q, rows - 4 * q < 4 ? rows - 4 * q : 4, factors, quad + q);
    }
    if (factors) markDofs(m, d, row, c, 0);
    return room;
}

// ---- back

static void freeVelocity(const snModel* m, const snData* d, const snFreeBody* f, const double* z, double* v)
{
    const double *own = d->xmat + 9 * f->body, *at = d->xpos + 3 * f->body, *com = d->xipos + 3 * f->body;
    const double r[3] = {com[0] - at[0], com[1] - at[1], com[2] - at[2]};
    double w[3];
    (void)m;
    for (int c = 0; c < 3; c++) v[3 + c] = f->turn[c] * z[4] + f->turn[3 + c] * z[5] + f->turn[6 + c] * z[6];
    for (int k = 0; k < 3; k++) w[k] = own[3 * k] * v[3] + own[3 * k + 1] * v[4] + own[3 * k + 2] * v[5];
    // v_origin = v_com - w x r
    v[0] = f->lin * z[0] - (w[1] * r[2] - w[2] * r[1]);
    v[1] = f->lin * z[1] - (w[2] * r[0] - w[0] * r[2]);
    v[2] = f->lin * z[2] - (w[0] * r[1] - w[1] * r[0]);
}

// inv(L) D^-1/2 z, root to leaf.
static void treeVelocity(const snModel* m, const snLcpCoordinates* c, int tree, const double* z,
                         double* velocity)
{
    const int first = c->tree_dofadr[tree];
    for (int i = first; i < first + c->tree_dofnum[tree]; i++) {
        double sum = sqrt(c->inertia->diagInv[i]) * z[c->place[i]];
        const double* row = c->inertia->LD + sn_diagonalLD(m, i);
        for (int j = m->dof_simplenum[i] ? -1 : m->dof_parentid[i]; j >= 0; j = m->dof_parentid[j])
            sum -= *--row * velocity[j];
        velocity[i] = sum;
    }
}

static void mechanismVelocity(snData* d, const snLcpCoordinates* c, int mechanism, const double* z,
                              double* velocity)
{
    const int *y = d->mechanism_y + d->mechanism_yadr[mechanism], count = d->mechanism_ynum[mechanism],
              n = sn_padded(count);
    const double *L = c->inertia->mechanism_L + d->mechanism_Hadr[mechanism],
                 *inverse = c->inertia->mechanism_Dinv + d->mechanism_padadr[mechanism];
    double* v = c->lanes; // n <= 4 nv
    for (int i = 0; i < count; i++) {
        v[i] = sqrt(inverse[i]) * z[c->place[y[i]]];
        for (int j = 0; j < i; j++) v[i] -= L[i * n + j] * v[j];
    }
    sn_loopExpand(d, mechanism, v, false, velocity);
    memset(v, 0, (size_t)count * sizeof(double));
}

void sn_lcpToVelocity(const snModel* m, snData* d, const snLcpCoordinates* c, const snIslands* islands,
                      int island, const double* z, double* velocity)
{
    for (int k = islands->dof_adr[island], last = -1; k < islands->dof_adr[island + 1]; k++) {
        const int tree = m->dof_treeid[islands->dof[k]], mechanism = mechanismOf(d, tree);
        if (tree == last) continue;
        last = tree;
        if (mechanism >= 0) {
            if (leaderOf(m, d, tree) == tree) mechanismVelocity(d, c, mechanism, z, velocity);
        } else if (c->free[tree].body >= 0) {
            freeVelocity(m, d, c->free + tree, z + c->base[tree], velocity + c->tree_dofadr[tree]);
        } else {
            treeVelocity(m, c, tree, z, velocity);
        }
    }
}
