#include "compile/build/bvh.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include "base/memory.h"

// Keys and edges closer than this are equal; also the thickness of flat boxes. The peer's value.
#define EPS 1e-14

// A leaf as it is sorted.
typedef struct Item {
    double key[3];
    int leaf;
} Item;

typedef struct Box {
    double low[3], high[3];
} Box;

typedef struct Builder {
    const snBvhLeaf* leaves;
    Item* items;
    snBvhNodes nodes;
    int count; // nodes so far
} Builder;

static bool before(const Item* a, const Item* b, int axis)
{
    const double difference = a->key[axis] - b->key[axis];
    return fabs(difference) > EPS ? difference < 0 : a->leaf < b->leaf;
}

static void swap(Item* a, Item* b)
{
    const Item held = *a;
    *a = *b;
    *b = held;
}

// Sinks item i of the heap items[0 .. n-1], the last in order on top.
static void sink(Item* items, int i, int n, int axis)
{
    for (int child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && before(&items[child], &items[child + 1], axis)) child++;
        if (!before(&items[i], &items[child], axis)) return;
        swap(&items[i], &items[child]);
    }
}

static void heapSort(Item* items, int n, int axis)
{
    for (int i = n / 2 - 1; i >= 0; i--) sink(items, i, n, axis);
    for (int end = n - 1; end > 0; end--) {
        swap(&items[0], &items[end]);
        sink(items, 0, end, axis);
    }
}

// The next place of a fixed sequence among n, so that no order of triangles is bad (Knuth's MMIX).
static int nextPlace(uint64_t* state, int n)
{
    *state = UINT64_C(6364136223846793005) * *state + UINT64_C(1442695040888963407);
    return (int)((*state >> 32) * (uint64_t)n >> 32);
}

static void insertionSort(Item* items, int n, int axis)
{
    for (int i = 1; i < n; i++) {
        const Item held = items[i];
        int k = i;
        for (; k > 0 && before(&held, &items[k - 1], axis); k--) items[k] = items[k - 1];
        items[k] = held;
    }
}

// An item of a rank close to k of n: from a sorted sample, a little beyond k on the side where there are
// more, so that what is left mostly lies between two such pivots (Floyd and Rivest 1975).
static Item choosePivot(const Item* items, int n, int k, int axis, uint64_t* state)
{
    enum { MOST = 129 };
    Item sample[MOST];
    const int m = n < 40 ? 3 : n < 2000 ? 9 : n < 40000 ? 33 : MOST;
    for (int i = 0; i < m; i++) sample[i] = items[nextPlace(state, n)];
    insertionSort(sample, m, axis);
    const int rank = (int)((int64_t)k * m / n), beyond = m < 33 ? 0 : m < MOST ? 3 : 7;
    const int at = k < n / 2 + 1 ? rank + beyond : rank - beyond;
    return sample[at < 0 ? 0 : at < m ? at : m - 1];
}

// Brings what is before the pivot to the front; how many.
static int partition(Item* items, int n, Item pivot, int axis)
{
    int i = 0, j = n - 1;
    for (;; i++, j--) {
        while (i <= j && before(&items[i], &pivot, axis)) i++;
        while (i < j && !before(&items[j], &pivot, axis)) j--;
        if (i >= j) return i;
        swap(&items[i], &items[j]);
    }
}

// Brings the first k of n items in order to the front. Expected O(n); after many bad pivots, O(n log n).
static void selectFirst(Item* items, int n, int k, int axis)
{
    enum { FEW = 16 };
    uint64_t state = (uint64_t)n;
    for (int tries = 64; k > 0 && k < n; tries--) {
        if (n <= FEW) {
            insertionSort(items, n, axis);
            return;
        }
        if (!tries) {
            heapSort(items, n, axis);
            return;
        }
        const Item pivot = choosePivot(items, n, k, axis, &state);
        const int count = partition(items, n, pivot, axis);
        if (count >= k) {
            n = count;
        } else {
            items += count;
            n -= count;
            k -= count;
        }
    }
}

static Box boxAround(const Builder* b, int first, int n)
{
    Box box = {{DBL_MAX, DBL_MAX, DBL_MAX}, {-DBL_MAX, -DBL_MAX, -DBL_MAX}};
    for (int i = first; i < first + n; i++) {
        const snBvhLeaf* leaf = &b->leaves[b->items[i].leaf];
        for (int k = 0; k < 3; k++) {
            if (leaf->low[k] < box.low[k]) box.low[k] = leaf->low[k];
            if (leaf->high[k] > box.high[k]) box.high[k] = leaf->high[k];
        }
    }
    for (int k = 0; k < 3; k++)
        if (fabs(box.high[k] - box.low[k]) < EPS) {
            box.low[k] -= EPS;
            box.high[k] += EPS;
        }
    return box;
}

static int longestAxis(const Box* box)
{
    double edge[3];
    for (int k = 0; k < 3; k++) edge[k] = box->high[k] - box->low[k];
    int axis = 0;
    if (edge[1] >= edge[0] + EPS) axis = 1;
    if (edge[2] >= edge[axis] + EPS) axis = 2;
    return axis;
}

// The subtree over n items from `first` on; its root's index.
static int subtree(Builder* b, int first, int n, int depth)
{
    const Box box = boxAround(b, first, n);
    const int node = b->count++;
    if (b->nodes.depth) b->nodes.depth[node] = depth;
    b->nodes.nodeid[node] = n == 1 ? b->leaves[b->items[first].leaf].id : -1;
    for (int k = 0; k < 3; k++) {
        b->nodes.aabb[6 * node + k] = (box.high[k] + box.low[k]) / 2;
        b->nodes.aabb[6 * node + 3 + k] = (box.high[k] - box.low[k]) / 2;
    }
    int left = -1, right = -1;
    if (n > 1) {
        const int half = n / 2;
        selectFirst(b->items + first, n, half, longestAxis(&box));
        left = subtree(b, first, half, depth + 1);
        right = subtree(b, first + half, n - half, depth + 1);
    }
    b->nodes.child[2 * node] = left;
    b->nodes.child[2 * node + 1] = right;
    return node;
}

bool sn_buildBvhTree(const snBvhLeaf* leaves, int n, snBvhNodes nodes)
{
    Builder b = {leaves, sn_malloc((size_t)n * sizeof(Item)), nodes, 0};
    if (!b.items) return false;
    for (int i = 0; i < n; i++)
        b.items[i] = (Item){{leaves[i].key[0], leaves[i].key[1], leaves[i].key[2]}, i};
    subtree(&b, 0, n, 0);
    sn_free(b.items);
    return true;
}
