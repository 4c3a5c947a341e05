// A + R of all rows, for those who look at it: the blocks of the dual, row by row. Source: seed 001, (9).
#include <string.h>
#include <sinew/constraint.h>
#include "model/arena.h"
#include "solver/dual.h"

static bool project(const snModel* m, snData* d, double* AR)
{
    snIslands islands;
    snDual q;
    const size_t n = (size_t)d->nefc;
    const int nAblock = d->nAblock; // what the solver made stays known
    const bool made = sn_findIslands(m, d, NULL, &islands) && sn_dualQuads(d, &islands, d->efc_pos, &q) &&
                      sn_dualMatrix(m, d, &q);
    d->nAblock = nAblock;
    memset(AR, 0, n * n * sizeof(double));
    for (int i = 0; made && i < q.nquad; i++)
        for (int k = q.adr[i]; k < q.adr[i + 1]; k++)
            for (int e = 0; e < 16; e++) {
                const int row = q.efc[4 * i + e / 4], column = q.efc[4 * q.col[k] + e % 4];
                if (row >= 0 && column >= 0)
                    AR[(size_t)row * n + (size_t)column] = q.A[16 * (size_t)k + (size_t)e];
            }
    return made;
}

bool sn_projectConstraint(const snModel* m, snData* d, double* AR)
{
    if (!d->nefc) return true;
    const size_t mark = sn_scratchMark(d), most = d->maxuse_arena;
    const bool done = project(m, d, AR);
    sn_scratchRelease(d, mark);
    d->maxuse_arena = most;
    return done;
}

// The trees that each row moves, as bits; those that closed loops join count as one. false: the arena is
// full.
static uint64_t* treesOfRows(const snModel* m, snData* d, int words)
{
    const size_t size = (size_t)d->nefc * (size_t)words * sizeof(uint64_t);
    uint64_t* trees = sn_scratchAlloc(d, size);
    if (!trees) return NULL;
    memset(trees, 0, size);
    for (int r = 0; r < d->nefc; r++)
        for (int k = 0; k < d->efc_J_rownnz[r]; k++) {
            int tree = m->dof_treeid[d->efc_J_colind[d->efc_J_coladr[r] + k]];
            const int joined = d->nclosure ? d->tree_mechanism[tree] : -1;
            if (joined >= 0) tree = m->dof_treeid[d->mechanism_dof[d->mechanism_dofadr[joined]]];
            trees[(size_t)r * (size_t)words + (size_t)tree / 64] |= (uint64_t)1 << tree % 64;
        }
    return trees;
}

static bool meets(const uint64_t* a, const uint64_t* b, int words)
{
    for (int k = 0; k < words; k++)
        if (a[k] & b[k]) return true;
    return false;
}

int sn_projectedRows(const snModel* m, snData* d, int* rownnz, int* rowadr, int* colind)
{
    const int words = (m->ntree + 63) / 64;
    const size_t mark = sn_scratchMark(d), most = d->maxuse_arena;
    const uint64_t* trees = treesOfRows(m, d, words);
    int count = 0;
    for (int r = 0; trees && r < d->nefc; r++) {
        rowadr[r] = count;
        for (int c = 0; c < d->nefc; c++)
            if (meets(trees + (size_t)r * (size_t)words, trees + (size_t)c * (size_t)words, words)) {
                if (colind) colind[count] = c;
                count++;
            }
        rownnz[r] = count - rowadr[r];
    }
    sn_scratchRelease(d, mark);
    d->maxuse_arena = most;
    return trees ? count : -1;
}
