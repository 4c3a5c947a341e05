// For each target: src/target/prelude.h.
// Boxes sorted by their low ends along the axis of largest spread; each is compared with those behind it
// until one begins behind its high end. Many boxes are cut first into strips across the second axis, a few
// boxes wide, so that a sweep does not meet whole rows of a plane: a box is in each strip that it reaches,
// and a pair counts in the first strip that both reach. Strips are numbered from far below the origin and
// folded onto a table, so that no box far away makes them wider. Few boxes are not worth sorting. Source:
// Cohen, Lin, Manocha and Ponamgi 1995 (sweep and prune).
#include "collision/broad/sweep.h"
#include <string.h>
#include "base/memory.h"
#include "math/simd.h"
#include "model/arena.h"

enum { UNSORTED = 64, ONE_STRIP = 192 }; // up to so many boxes
enum { LANES = 8, MIDDLE = 1 << 20, MAXSTRIPS = 1 << 12 };

// Boxes in the order of the sweep, each number in an array of its own: along the sweep axis, the second and
// the third.
typedef struct Entries {
    float *low[3], *high[3];
    int* box; // index
    int count;
} Entries;

// Strips across the second axis. Box b reaches first[b] to last[b], which are entered modulo `count`, a
// power of two.
typedef struct Strips {
    int count;
    int *first, *last;
    int* start; // [count + 1] where the entries of a strip start
} Strips;

static bool allocateEntries(snData* d, int count, Entries* e)
{
    const size_t room = sn_alignUp((size_t)(count + LANES) * sizeof(float));
    char* memory = sn_scratchAlloc(d, 7 * room);
    if (!memory) return false;
    for (int i = 0; i < 3; i++) {
        e->low[i] = (float*)(memory + (size_t)(2 * i) * room);
        e->high[i] = (float*)(memory + (size_t)(2 * i + 1) * room);
        // what is loaded behind the last box, and does not count
        memset(e->low[i] + count, 0, LANES * sizeof(float));
        memset(e->high[i] + count, 0, LANES * sizeof(float));
    }
    e->box = (int*)(memory + 6 * room);
    e->count = count;
    return true;
}

static inline void enter(Entries* e, int at, const snSweepBox* box, int index, const int axis[3])
{
    for (int i = 0; i < 3; i++) {
        e->low[i][at] = box->low[axis[i]];
        e->high[i][at] = box->high[axis[i]];
    }
    e->box[at] = index;
}

// ---- sorting by the low end; equal ones keep their order

// Integers in the order of the numbers
static inline int32_t sortKey(float x)
{
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits ^ (bits >> 31 & INT32_MAX);
}

// A byte at a time, lowest first
static void sortByDigits(uint64_t* items, uint64_t* other, int count, int* order)
{
    int counts[4][256] = {{0}};
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 4; k++) counts[k][items[i] >> (32 + 8 * k) & 255]++;
    for (int k = 0; k < 4; k++) {
        int at = 0;
        for (int digit = 0; digit < 256; digit++) {
            const int n = counts[k][digit];
            counts[k][digit] = at;
            at += n;
        }
        for (int i = 0; i < count; i++) other[counts[k][items[i] >> (32 + 8 * k) & 255]++] = items[i];
        uint64_t* const sorted = other;
        other = items;
        items = sorted;
    }
    for (int i = 0; i < count; i++) order[i] = (int)(uint32_t)items[i];
}

static bool sortBoxes(snData* d, const snSweepBox* boxes, int count, int axis, int* order)
{
    const size_t mark = sn_scratchMark(d);
    uint64_t* items = sn_scratchAlloc(d, (size_t)count * sizeof *items);
    uint64_t* other = sn_scratchAlloc(d, (size_t)count * sizeof *other);
    if (other)
        for (int i = 0; i < count; i++) {
            const uint32_t key = (uint32_t)sortKey(boxes[i].low[axis]) ^ 0x80000000U;
            items[i] = (uint64_t)key << 32 | (uint32_t)i;
        }
    if (other) sortByDigits(items, other, count, order);
    sn_scratchRelease(d, mark);
    return other;
}

// ---- strips

// Strip of a coordinate: all that is very far away shares one.
static inline int stripOf(float x, float scale)
{
    const float s = x * scale + (float)MIDDLE;
    return s > 0 ? s < 2.F * (float)MIDDLE ? (int)s : 2 * MIDDLE : 0;
}

// As many as boxes in a row of a square, twice
static int stripCount(int boxes)
{
    int count = 2;
    while (count * count < 4 * boxes && count < MAXSTRIPS) count *= 2;
    return count;
}

// Which strips each box reaches and where the entries of each strip start; false: scratch is full.
static bool makeStrips(snData* d, const snSweepBox* boxes, int count, int axis, double width, Strips* s)
{
    s->count = stripCount(count);
    s->first = sn_scratchInt(d, count);
    s->last = sn_scratchInt(d, count);
    s->start = sn_scratchInt(d, s->count + 2);
    if (!s->first || !s->last || !s->start) return false;
    memset(s->start, 0, (size_t)(s->count + 2) * sizeof *s->start);
    const float scale = (float)(1 / width);
    for (int b = 0; b < count; b++) {
        const int first = stripOf(boxes[b].low[axis], scale), last = stripOf(boxes[b].high[axis], scale);
        s->first[b] = first;
        s->last[b] = last - first < s->count ? last : first + s->count - 1;
        for (int k = first; k <= s->last[b]; k++) s->start[2 + (k & (s->count - 1))]++;
    }
    for (int k = 0; k < s->count; k++) s->start[k + 2] += s->start[k + 1];
    return true;
}

// Puts the sorted boxes into their strips. start[k + 1] runs from the start of strip k to its end.
static void fillStrips(const snSweepBox* boxes, const int* order, int count, const int axis[3], Strips* s,
                       Entries* e)
{
    for (int i = 0; i < count; i++) {
        const int b = order[i];
        for (int k = s->first[b]; k <= s->last[b]; k++)
            enter(e, s->start[1 + (k & (s->count - 1))]++, boxes + b, b, axis);
    }
}

// ---- the sweep

static bool growPairs(snData* d, snBoxPairs* pairs)
{
    const int capacity = pairs->capacity ? 2 * pairs->capacity : 512;
    int(*list)[2] = sn_scratchAlloc(d, (size_t)capacity * sizeof *list);
    if (!list) return false;
    if (pairs->count) memcpy(list, pairs->list, (size_t)pairs->count * sizeof *list);
    pairs->list = list;
    pairs->capacity = capacity;
    return true;
}

// Which of the eight entries from q on overlap entry p, as bits
SN_INLINE unsigned overlaps(const Entries* e, int p, int q)
{
    v8i all = v8i_all(-1);
    for (int i = 0; i < 3; i++)
        all &= v8_atMost(v8_loadAny(e->low[i] + q), v8_all(e->high[i][p])) &
               v8_atMost(v8_all(e->low[i][p]), v8_loadAny(e->high[i] + q));
    return v8i_bits(all);
}

// Compares the entries from `start` to `end` among each other. `strip`: the one that they are of.
static bool sweepStrip(snData* d, const Entries* e, int start, int end, bool sorted, const Strips* strips,
                       int strip, snBoxPairs* out)
{
    for (int p = start; p < end; p++) {
        const float reach = e->high[0][p];
        for (int q = p + 1; q < end && (!sorted || e->low[0][q] <= reach); q += LANES) {
            const int lanes = end - q < LANES ? end - q : LANES;
            out->tests += lanes;
            unsigned bits = overlaps(e, p, q) & ((1U << lanes) - 1);
            if (!bits) continue;
            if (out->count + LANES > out->capacity && !growPairs(d, out)) return false;
            for (; bits; bits &= bits - 1) {
                const int a = e->box[p], b = e->box[q + __builtin_ctz(bits)];
                out->list[out->count][0] = a;
                out->list[out->count][1] = b;
                const int first = strips->count == 1                    ? strip
                                  : strips->first[a] > strips->first[b] ? strips->first[a]
                                                                        : strips->first[b];
                out->count += ((first ^ strip) & (strips->count - 1)) == 0;
            }
        }
    }
    return true;
}

static bool sweepOneStrip(snData* d, const snSweepBox* boxes, const int* order, int count, const int axis[3],
                          snBoxPairs* out)
{
    const Strips one = {.count = 1};
    Entries e;
    if (!allocateEntries(d, count, &e)) return false;
    for (int i = 0; i < count; i++) enter(&e, i, boxes + (order ? order[i] : i), order ? order[i] : i, axis);
    return sweepStrip(d, &e, 0, count, order, &one, 0, out);
}

static bool sweepStrips(snData* d, const snSweepBox* boxes, const int* order, int count, snSweepPlan plan,
                        snBoxPairs* out)
{
    Strips strips;
    Entries e;
    if (!makeStrips(d, boxes, count, plan.axis[1], 2 * plan.width, &strips)) return false;
    if (!allocateEntries(d, strips.start[strips.count + 1], &e)) return false;
    fillStrips(boxes, order, count, plan.axis, &strips, &e);
    for (int k = 0; k < strips.count; k++)
        if (!sweepStrip(d, &e, strips.start[k], strips.start[k + 1], true, &strips, k, out)) return false;
    return true;
}

static bool sweep(snData* d, const snSweepBox* boxes, int count, snSweepPlan plan, snBoxPairs* out)
{
    if (count < 2) return true;
    if (count <= UNSORTED) return sweepOneStrip(d, boxes, NULL, count, plan.axis, out);
    int* order = sn_scratchInt(d, count);
    if (!order || !sortBoxes(d, boxes, count, plan.axis[0], order)) return false;
    const bool strips = count > ONE_STRIP && 1 / plan.width > 0 && 1 / plan.width < 1e30;
    return strips ? sweepStrips(d, boxes, order, count, plan, out)
                  : sweepOneStrip(d, boxes, order, count, plan.axis, out);
}

snBoxPairs sn_sweepBoxes(snData* d, const snSweepBox* boxes, int count, snSweepPlan plan)
{
    snBoxPairs pairs = {0};
    pairs.full = !sweep(d, boxes, count, plan, &pairs);
    return pairs;
}
