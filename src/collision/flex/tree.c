// For each target: src/target/prelude.h.
// Boxes in the order of a curve through their centres that stays in a cube before it leaves it (Morton 1966);
// four neighbours on it make a box of the next level.
#include "collision/flex/tree.h"
#include <assert.h>
#include <float.h>
#include <math.h>
#include "collision/flex/key.h"
#include "model/arena.h"

enum { CELLS = 1024 }; // along each axis, ten bits

static const snTreeBox EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

snTreeBox sn_treeBox(const double low[3], const double high[3], double reach)
{
    snTreeBox box;
    // one of NaN would hide those that are in a box with it
    for (int k = 0; k < 3; k++)
        if (!(low[k] - reach <= high[k] + reach)) return EMPTY;
    for (int k = 0; k < 3; k++) {
        const float a = (float)(low[k] - reach), b = (float)(high[k] + reach);
        const float least = a - FLT_EPSILON * fabsf(a), most = b + FLT_EPSILON * fabsf(b);
        // a box without end would overlap even the empty ones that fill a group
        box.low[k] = least < -FLT_MAX ? -FLT_MAX : least;
        box.high[k] = most > FLT_MAX ? FLT_MAX : most;
    }
    return box;
}

static void enclose(snTreeBox* box, const snTreeBox* other)
{
    for (int k = 0; k < 3; k++) {
        if (other->low[k] < box->low[k]) box->low[k] = other->low[k]; // quicker than fminf
        if (other->high[k] > box->high[k]) box->high[k] = other->high[k];
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
    for (int k = 0; k < 3; k++)
        if (all.high[k] - all.low[k] > side) side = all.high[k] - all.low[k];
    const float cell = side > 0 && side <= FLT_MAX ? side / CELLS : 1;
    const size_t mark = sn_scratchMark(d);
    uint64_t* key = sn_scratchAlloc(d, 2 * (size_t)count * sizeof *key);
    if (!key) return false;
    for (int i = 0; i < count; i++) key[i] = placeOf(box + i, &all, cell) << 32 | (uint64_t)i;
    sn_sortKeys(key, key + count, count, 32);
    for (int i = 0; i < count; i++) order[i] = (int)(key[i] & UINT32_MAX);
    sn_scratchRelease(d, mark);
    return true;
}

static snTreeBox boxOf(const snBoxTree* tree, int level, int i)
{
    const snBoxGroup* group = tree->group[level] + i / SN_TREE_WIDTH;
    const int lane = i % SN_TREE_WIDTH;
    return (snTreeBox){{group->low[0][lane], group->low[1][lane], group->low[2][lane]},
                       {group->high[0][lane], group->high[1][lane], group->high[2][lane]}};
}

static void putBox(snBoxTree* tree, int level, int i, const snTreeBox* box)
{
    snBoxGroup* group = tree->group[level] + i / SN_TREE_WIDTH;
    for (int k = 0; k < 3; k++) {
        group->low[k][i % SN_TREE_WIDTH] = box->low[k];
        group->high[k][i % SN_TREE_WIDTH] = box->high[k];
    }
}

static int groupsOf(int number)
{
    return (number + SN_TREE_WIDTH - 1) / SN_TREE_WIDTH;
}

// Boxes of level k from those below.
static void raiseLevel(snBoxTree* tree, int k)
{
    for (int i = 0; i < tree->number[k]; i++) {
        const int first = SN_TREE_WIDTH * i, end = first + SN_TREE_WIDTH;
        snTreeBox box = boxOf(tree, k - 1, first);
        for (int c = first + 1; c < end && c < tree->number[k - 1]; c++) {
            const snTreeBox below = boxOf(tree, k - 1, c);
            enclose(&box, &below);
        }
        putBox(tree, k, i, &box);
    }
}

// Memory of all levels, their boxes empty; false: scratch is full.
static bool takeLevels(snData* d, int count, snBoxTree* tree)
{
    int total = 0;
    tree->levels = 0;
    for (int n = count;; n = groupsOf(n)) {
        tree->number[tree->levels++] = n;
        total += groupsOf(n);
        if (n == 1) break;
    }
    tree->id = sn_scratchInt(d, count);
    snBoxGroup* groups = sn_scratchAlloc(d, (size_t)total * sizeof *groups);
    if (!tree->id || !groups) return false;
    for (int k = 0; k < tree->levels; k++) {
        tree->group[k] = groups;
        groups += groupsOf(tree->number[k]);
        for (int i = tree->number[k]; i % SN_TREE_WIDTH; i++) putBox(tree, k, i, &EMPTY);
    }
    return true;
}

bool sn_growTree(snData* d, const snTreeBox* box, const int* id, int count, snBoxTree* tree)
{
    assert(count > 0);
    if (!takeLevels(d, count, tree) || !orderBoxes(d, box, count, tree->id)) return false;
    for (int i = 0; i < count; i++) {
        const int from = tree->id[i];
        putBox(tree, 0, i, box + from);
        tree->id[i] = id[from];
    }
    for (int k = 1; k < tree->levels; k++) raiseLevel(tree, k);
    return true;
}

// ---- what overlaps

// Bits of the boxes of a group that overlap a box.
SN_INLINE unsigned overlaps(const snBoxGroup* group, const snTreeBox* box)
{
    v8i meets =
        v8_atMost(group->low[0], v8_all(box->high[0])) & v8_atMost(v8_all(box->low[0]), group->high[0]);
    for (int k = 1; k < 3; k++)
        meets &=
            v8_atMost(group->low[k], v8_all(box->high[k])) & v8_atMost(v8_all(box->low[k]), group->high[k]);
    return v8i_bits(meets);
}

// The lowest bit that is set, which is taken off.
SN_INLINE int takeBit(unsigned* bits)
{
    const int bit = __builtin_ctz(*bits);
    *bits &= *bits - 1;
    return bit;
}

// A box to look into: its level, its number.
typedef struct Node {
    int level, i;
} Node;

enum { MOST_NODES = SN_TREE_WIDTH * SN_TREE_LEVELS, MOST_PAIRS = 2 * SN_TREE_WIDTH * MOST_NODES };

void sn_askTree(const snBoxTree* tree, const snTreeBox* box, snVisitBox visit, void* user)
{
    Node stack[MOST_NODES];
    int count = 0;
    if (tree->levels == 1) visit(user, tree->id[0]); // the caller has seen that it is near
    if (tree->levels > 1) stack[count++] = (Node){tree->levels - 1, 0};
    while (count) {
        const Node node = stack[--count];
        const int first = SN_TREE_WIDTH * node.i;
        for (unsigned bits = overlaps(tree->group[node.level - 1] + node.i, box); bits;) {
            const int c = first + takeBit(&bits);
            if (node.level == 1)
                visit(user, tree->id[c]);
            else
                stack[count++] = (Node){node.level - 1, c};
        }
    }
}

// Two trees, or one and itself, and pairs of nodes that overlap and are still to be looked into.
typedef struct Pairing {
    const snBoxTree *a, *b;
    snVisitBoxes visit;
    void* user;
    int count;
    struct {
        Node a, b;
    } stack[MOST_PAIRS];
} Pairing;

SN_INLINE void push(Pairing* p, Node a, Node b)
{
    if (a.level == 0 && b.level == 0) {
        p->visit(p->user, p->a->id[a.i], p->b->id[b.i]);
        return;
    }
    assert(p->count < MOST_PAIRS);
    p->stack[p->count].a = a;
    p->stack[p->count++].b = b;
}

// A box of a and what is in a box of b.
SN_INLINE void lookInB(Pairing* p, Node a, Node b)
{
    const snTreeBox box = boxOf(p->a, a.level, a.i);
    for (unsigned bits = overlaps(p->b->group[b.level - 1] + b.i, &box); bits;)
        push(p, a, (Node){b.level - 1, SN_TREE_WIDTH * b.i + takeBit(&bits)});
}

SN_INLINE void lookInA(Pairing* p, Node a, Node b)
{
    const snTreeBox box = boxOf(p->b, b.level, b.i);
    for (unsigned bits = overlaps(p->a->group[a.level - 1] + a.i, &box); bits;)
        push(p, (Node){a.level - 1, SN_TREE_WIDTH * a.i + takeBit(&bits)}, b);
}

SN_INLINE int childEnd(const snBoxTree* tree, Node node)
{
    const int end = SN_TREE_WIDTH * (node.i + 1), number = tree->number[node.level - 1];
    return end < number ? end : number;
}

SN_INLINE void lookInBoth(Pairing* p, Node a, Node b)
{
    for (int c = SN_TREE_WIDTH * a.i; c < childEnd(p->a, a); c++) lookInB(p, (Node){a.level - 1, c}, b);
}

// Pairs in one box of one tree
SN_INLINE void lookWithin(Pairing* p, Node node)
{
    const int level = node.level - 1, first = SN_TREE_WIDTH * node.i;
    for (int c = first; c < childEnd(p->a, node); c++) {
        const snTreeBox box = boxOf(p->a, level, c);
        if (level > 0) push(p, (Node){level, c}, (Node){level, c});
        const unsigned behind = ~0u << (c - first) << 1;
        for (unsigned bits = overlaps(p->a->group[level] + node.i, &box) & behind; bits;)
            push(p, (Node){level, c}, (Node){level, first + takeBit(&bits)});
    }
}

void sn_pairTrees(const snBoxTree* a, const snBoxTree* b, snVisitBoxes visit, void* user)
{
    Pairing p = {.a = a, .b = b, .visit = visit, .user = user};
    const bool one = a == b;
    if (!one || a->levels > 1) push(&p, (Node){a->levels - 1, 0}, (Node){b->levels - 1, 0});
    while (p.count) {
        p.count--;
        const Node x = p.stack[p.count].a, y = p.stack[p.count].b;
        if (one && x.level == y.level && x.i == y.i)
            lookWithin(&p, x);
        else if (x.level > y.level)
            lookInA(&p, x, y);
        else if (x.level < y.level)
            lookInB(&p, x, y);
        else
            lookInBoth(&p, x, y);
    }
}
