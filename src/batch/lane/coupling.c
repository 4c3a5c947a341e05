// The pattern of the factor of M + J's''J, that of the tree and what the rows couple besides: its twin is
// solver/coupling.c. Of its own, for the pattern is that of the rows of any lane, in the order of the dofs:
// which is least differs from lane to lane.
#include "batch/lane/newton.h"
#include "model/arena.h"

static uint64_t bit(int i)
{
    return (uint64_t)1 << i;
}

// above [n]: dofs that M couples each dof with, on its way to the root.
static void treeMasks(const snModel* m, int n, uint64_t* above)
{
    for (int i = 0; i < n; i++) {
        const int parent = m->dof_parentid[i];
        above[i] = parent < 0 ? 0 : above[parent] | bit(parent);
    }
}

// Adds what rows couple, and what fills in: what a dof is coupled with, the last of these is, too.
static bool fillMasks(const snLaneProblem* p, uint64_t* above)
{
    bool filled = false;
    for (int k = 0; k < p->nstrip; k++) {
        const snStrip* s = p->strip + k;
        uint64_t set = 0;
        for (int i = 0; i < s->ndof; i++) {
            filled = filled || (set & ~above[s->dofs[i]]);
            above[s->dofs[i]] |= set;
            set |= bit(s->dofs[i]);
        }
    }
    if (!filled) return false;
    for (int i = p->n - 1; i >= 0; i--) {
        if (!above[i]) continue;
        const int last = 63 - __builtin_clzll(above[i]);
        above[last] |= above[i] & ~bit(last);
    }
    return true;
}

// Returns the end of the list.
static int* listBits(uint64_t set, int* list)
{
    int count = 0;
    for (; set; set &= set - 1) list[count++] = __builtin_ctzll(set);
    for (; count % SN_SUPER_TILE; count++) list[count] = list[count - 1];
    return list + count;
}

// Supernodes of a pattern; L stays unset. False: no memory.
static bool findSupers(snData* d, int n, const uint64_t* above, snPattern* out)
{
    out->super = sn_arenaAlloc(d, (size_t)n * sizeof(snSuper));
    int* list = sn_arenaAlloc(d, (size_t)n * ((size_t)n / 2 + SN_SUPER_TILE) * sizeof(int));
    if (!out->super || !list) return false;
    out->count = 0;
    for (int i = 0; i < n; i++) {
        snSuper* last = out->super + out->count - 1;
        if (i && last->count < SN_SUPER_ROWS && above[i] == (above[i - 1] | bit(i - 1))) {
            last->count++;
            last->own |= bit(i);
            continue;
        }
        const int count = __builtin_popcountll(above[i]);
        out->super[out->count++] =
            (snSuper){.first = i, .count = 1, .own = bit(i), .nabove = count, .above = list};
        list = listBits(above[i], list);
    }
    return true;
}

// The pattern of the factor where it is not that of M, and the places in H that M has not.
static bool findFill(snData* d, snLaneProblem* p)
{
    uint64_t tree[SN_LANE_DOFS];
    memcpy(tree, p->filled, (size_t)p->n * sizeof *tree);
    p->nfill = 0;
    if (!fillMasks(p, p->filled)) return true;
    p->fill = sn_arenaAlloc(d, (size_t)p->n * (size_t)p->n / 2 * sizeof(int));
    if (!p->fill) return false;
    for (int i = 0; i < p->n; i++)
        for (uint64_t set = p->filled[i] & ~tree[i]; set; set &= set - 1)
            p->fill[p->nfill++] = i * p->n + __builtin_ctzll(set);
    return findSupers(d, p->n, p->filled, &p->pattern);
}

// Dofs below each supernode that couple with it, from the last on. Rows of these are read as far as the
// supernode's go, so that what a row has not is zero there.
static bool listBelow(snData* d, snLaneProblem* p)
{
    uint64_t missing[SN_LANE_DOFS] = {0};
    int* list = sn_arenaAlloc(d, (size_t)p->n * (size_t)p->pattern.count * sizeof(int));
    if (!list) return false;
    for (int k = 0; k < p->pattern.count; k++) {
        snSuper* s = p->pattern.super + k;
        const uint64_t row = p->filled[s->first] | s->own;
        s->below = list;
        for (int i = p->n - 1; i >= s->first + s->count; i--) {
            if (!(p->filled[i] & s->own)) continue;
            *list++ = i;
            missing[i] |= row & ~p->filled[i];
        }
        s->nbelow = (int)(list - s->below);
    }
    for (int i = 0; i < p->n; i++)
        for (; missing[i]; missing[i] &= missing[i] - 1)
            p->U[i * p->n + __builtin_ctzll(missing[i])] = sn_real(0);
    return true;
}

bool sn_lanePatterns(const snModel* m, snData* d, snLaneProblem* p)
{
    const size_t size = (size_t)p->n * (size_t)p->n * sizeof(real);
    treeMasks(m, p->n, p->filled);
    if (!findSupers(d, p->n, p->filled, &p->tree)) return false;
    p->pattern = p->tree;
    p->H = sn_arenaAlloc(d, size);
    p->U = sn_arenaAlloc(d, size);
    return p->H && p->U && findFill(d, p) && listBelow(d, p);
}
