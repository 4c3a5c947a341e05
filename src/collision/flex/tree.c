// Boxes in the order of a curve through their centres that stays in a cube before it leaves it (Morton 1966);
// four neighbours on it make a box of the next level.
#include "collision/flex/tree.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include "collision/flex/key.h"
#include "model/arena.h"

enum { CELLS = 1024 }; // along each axis, ten bits

snTreeBox sn_treeBox(const double low[3], const double high[3], double reach)
{
    snTreeBox box;
    for (int k = 0; k < 3; k++) {
        const float a = (float)(low[k] - reach), b = (float)(high[k] + reach);
        box.low[k] = a - FLT_EPSILON * fabsf(a);
        box.high[k] = b + FLT_EPSILON * fabsf(b);
    }
    return box;
}

static void enclose(snTreeBox* box, const snTreeBox* other)
{
    for (int k = 0; k < 3; k++) {
        box->low[k] = fminf(box->low[k], other->low[k]);
        box->high[k] = fmaxf(box->high[k], other->high[k]);
    }
}

// Ten bits, two zeros behind each.
static uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & 0x30000ff;
    x = (x | x << 8) & 0x300f00f;
    x = (x | x << 4) & 0x30c30c3;
    return (x | x << 2) & 0x9249249;
}

// The place of a box along the curve through the cube about all of them.
static uint64_t placeOf(const snTreeBox* box, const snTreeBox* all, float cell)
{
    uint64_t place = 0;
    for (int k = 0; k < 3; k++) {
        const float at = (0.5f * (box->low[k] + box->high[k]) - all->low[k]) / cell;
        const uint64_t bits = at >= CELLS - 1 ? CELLS - 1 : at > 0 ? (uint64_t)at : 0;
        place |= spread(bits) << k;
    }
    return place;
}

// Which box comes when; false: scratch is full.
static bool orderBoxes(snData* d, const snTreeBox* box, int count, int* order)
{
    snTreeBox all = box[0];
    for (int i = 1; i < count; i++) enclose(&all, box + i);
    float side = 0;
    for (int k = 0; k < 3; k++) side = fmaxf(side, all.high[k] - all.low[k]);
    const float cell = side > 0 && side <= FLT_MAX ? side / CELLS : 1;
    const size_t mark = sn_scratchMark(d);
    uint64_t* key = sn_scratchAlloc(d, 2 * (size_t)count * sizeof *key);
    if (!key) return false;
    for (int i = 0; i < count; i++) key[i] = placeOf(box + i, &all, cell) << 32 | (uint64_t)i;
    sn_sortKeys(key, key + count, count);
    for (int i = 0; i < count; i++) order[i] = (int)(key[i] & UINT32_MAX);
    sn_scratchRelease(d, mark);
    return true;
}

// Boxes of level k from those below.
static void raiseLevel(snBoxTree* tree, int k)
{
    const snTreeBox* below = tree->box[k - 1];
    for (int i = 0; i < tree->number[k]; i++) {
        const int first = SN_TREE_WIDTH * i, end = first + SN_TREE_WIDTH;
        snTreeBox* box = tree->box[k] + i;
        *box = below[first];
        for (int c = first + 1; c < end && c < tree->number[k - 1]; c++) enclose(box, below + c);
    }
}

bool sn_growTree(snData* d, const snTreeBox* box, const int* id, int count, snBoxTree* tree)
{
    assert(count > 0);
    size_t total = 0;
    tree->levels = 0;
    for (int n = count;; n = (n + SN_TREE_WIDTH - 1) / SN_TREE_WIDTH) {
        tree->number[tree->levels++] = n;
        total += (size_t)n;
        if (n == 1) break;
    }
    tree->id = sn_scratchInt(d, count);
    snTreeBox* boxes = sn_scratchAlloc(d, total * sizeof *boxes);
    if (!tree->id || !boxes || !orderBoxes(d, box, count, tree->id)) return false;
    for (int k = 0; k < tree->levels; k++) {
        tree->box[k] = boxes;
        boxes += tree->number[k];
    }
    for (int i = 0; i < count; i++) {
        const int from = tree->id[i];
        tree->box[0][i] = box[from];
        tree->id[i] = id[from];
    }
    for (int k = 1; k < tree->levels; k++) raiseLevel(tree, k);
    return true;
}

// ---- what overlaps

static int childEnd(const snBoxTree* tree, int level, int i)
{
    const int end = SN_TREE_WIDTH * (i + 1);
    return end < tree->number[level - 1] ? end : tree->number[level - 1];
}

static void ask(const snBoxTree* tree, int level, int i, const snTreeBox* box, snVisitBox visit, void* user)
{
    if (!sn_boxesMeet(tree->box[level] + i, box)) return;
    if (level == 0) {
        visit(user, tree->id[i]);
        return;
    }
    for (int c = SN_TREE_WIDTH * i; c < childEnd(tree, level, i); c++)
        ask(tree, level - 1, c, box, visit, user);
}

void sn_askTree(const snBoxTree* tree, const snTreeBox* box, snVisitBox visit, void* user)
{
    ask(tree, tree->levels - 1, 0, box, visit, user);
}

// Two trees, or one and itself, and who is told.
typedef struct Pairing {
    const snBoxTree *a, *b;
    snVisitBoxes visit;
    void* user;
} Pairing;

static void pairBoxes(const Pairing* p, int level_a, int i, int level_b, int k)
{
    if (!sn_boxesMeet(p->a->box[level_a] + i, p->b->box[level_b] + k)) return;
    if (level_a == 0 && level_b == 0) {
        p->visit(p->user, p->a->id[i], p->b->id[k]);
    } else if (level_a >= level_b) {
        for (int c = SN_TREE_WIDTH * i; c < childEnd(p->a, level_a, i); c++)
            pairBoxes(p, level_a - 1, c, level_b, k);
    } else {
        for (int c = SN_TREE_WIDTH * k; c < childEnd(p->b, level_b, k); c++)
            pairBoxes(p, level_a, i, level_b - 1, c);
    }
}

// Pairs of what is below one box.
static void pairWithin(const Pairing* p, int level, int i)
{
    if (level == 0) return;
    const int end = childEnd(p->a, level, i);
    for (int c = SN_TREE_WIDTH * i; c < end; c++) {
        pairWithin(p, level - 1, c);
        for (int other = c + 1; other < end; other++) pairBoxes(p, level - 1, c, level - 1, other);
    }
}

void sn_pairTrees(const snBoxTree* a, const snBoxTree* b, snVisitBoxes visit, void* user)
{
    const Pairing p = {a, b, visit, user};
    if (a == b)
        pairWithin(&p, a->levels - 1, 0);
    else
        pairBoxes(&p, a->levels - 1, 0, b->levels - 1, 0);
}
