#include "compile/sdf/discs.h"
#include "base/memory.h"
#include "math/elementary/elementary.h"

#define ROUNDING 1e-6 // more than that of the floats of a disc

enum {
    MOST = 1024, // nodes of a group that may be nearly flat; of larger ones only a ball is known
    DEEP = 128   // more than the depth of any tree
};

// ---- making

// The corners of n nodes from `node` on, which are a node and all below it.
typedef struct {
    const snTriangles* t;
    int node, n;
} Group;

static snVec3 cornerOf(const snTriangles* t, int face, int k)
{
    const float* x = t->vert + 3 * (size_t)t->face[3 * (size_t)face + (size_t)k];
    return sn_v3((real)x[0], (real)x[1], (real)x[2]);
}

static void setVector(float x[3], snVec3 v)
{
    x[0] = (float)v.x;
    x[1] = (float)v.y;
    x[2] = (float)v.z;
}

static snVec3 vector(const float x[3])
{
    return sn_v3((real)x[0], (real)x[1], (real)x[2]);
}

// The mean normal.
static snVec3 axisOf(const Group* g, const snVec3* normal)
{
    snVec3 sum = {0, 0, 0};
    for (int i = g->node; i < g->node + g->n; i++)
        if (g->t->element[i] >= 0) sum = sn_v3Add(sum, normal[g->t->element[i]]);
    const real length = sn_v3Norm(sum);
    return length > 0 ? sn_v3Scale(sum, 1 / length) : sn_v3(0, 0, 0);
}

static void fitDisc(const Group* g, const snVec3* normal, snDisc* disc)
{
    setVector(disc->n, axisOf(g, normal));
    const snVec3 n = vector(disc->n), centre = vector(disc->centre);
    real low = HUGE_VAL, high = -HUGE_VAL, square = 0;
    for (int i = g->node; i < g->node + g->n; i++) {
        if (g->t->element[i] < 0) continue;
        for (int k = 0; k < 3; k++) {
            const snVec3 off = sn_v3Sub(cornerOf(g->t, g->t->element[i], k), centre);
            const real along = sn_v3Dot(n, off);
            const real across = sn_v3Dot(off, off) - along * along;
            low = sn_min(along, low);
            high = sn_max(along, high);
            square = sn_max(across, square);
        }
    }
    const real radius = sqrt(square), more = ROUNDING * (radius + fabs(low) + fabs(high));
    disc->low = (float)(low - more);
    disc->high = (float)(high + more);
    disc->radius = (float)(radius + more);
}

snDisc* sn_makeDiscs(const snTriangles* t, const snVec3* normal)
{
    int* size = sn_malloc((size_t)t->nodes * sizeof *size); // nodes of each and below it
    snDisc* discs = sn_calloc((size_t)t->nodes * sizeof *discs);
    for (int i = t->nodes - 1; size && discs && i >= 0; i--) { // children come after their parent
        const int *child = t->child + 2 * (size_t)i, face = t->element[i];
        const real* box = t->box + 6 * (size_t)i;
        size[i] = face >= 0 ? 1 : 1 + size[child[0]] + size[child[1]];
        snDisc* disc = &discs[i];
        disc->right = child[1];
        disc->face = face;
        setVector(disc->centre, sn_v3Load(box));
        const real radius = sn_v3Norm(sn_v3Load(box + 3));
        disc->radius = (float)(radius + ROUNDING * (radius + sn_v3Norm(sn_v3Load(box))));
        const Group group = {t, i, size[i]};
        if (size[i] <= MOST) fitDisc(&group, normal, disc);
    }
    if (!size) {
        sn_free(discs);
        return NULL;
    }
    sn_free(size);
    return discs;
}

// ---- searching

// Nodes are left out whose triangles are all at least `limit` away, by squares.
typedef struct {
    const snTriangles* t;
    snVec3 p;
    real slack, limit;
    snNearest best;
} Search;

static void tryFace(Search* s, int face)
{
    const snNearest other = sn_nearestOfTriangle(s->t, face, s->p);
    if (!(other.square < s->best.square)) return;
    s->best = other;
    const real reach = s->slack > 0 ? sn_max(sqrt(other.square) - s->slack, 0) : 0;
    s->limit = s->slack > 0 ? reach * reach : other.square;
}

typedef struct {
    int node;
    real square; // none of its triangles is nearer than that
} Pending;

static Pending pending(const Search* s, const snDisc* discs, int node)
{
    const snDisc* disc = &discs[node];
    const snVec3 off = sn_v3Sub(s->p, vector(disc->centre));
    const real along = sn_v3Dot(vector(disc->n), off), rest = sn_v3Dot(off, off) - along * along;
    const real below = (real)disc->low - along, above = along - (real)disc->high;
    const real x = below > 0   ? below
                   : above > 0 ? above
                               : 0,
               across = rest > 0 ? sqrt(rest) - (real)disc->radius : 0;
    return (Pending){node, (x * x + (across > 0 ? across * across : 0)) * (1 - ROUNDING)};
}

snNearest sn_nearestByDiscs(const snTriangles* t, const snDisc* discs, snVec3 p, int hint, double slack,
                            int64_t* visits)
{
    Search s = {t, p, slack, HUGE_VAL, {.square = HUGE_VAL, .face = -1}};
    if (hint >= 0) tryFace(&s, hint);
    Pending stack[DEEP];
    int top = 0;
    stack[top++] = (Pending){0, 0};
    while (top > 0) {
        const Pending at = stack[--top];
        if (!(at.square < s.limit)) continue;
        ++*visits;
        if (discs[at.node].face >= 0) {
            tryFace(&s, discs[at.node].face);
            continue;
        }
        const Pending left = pending(&s, discs, at.node + 1),
                      right = pending(&s, discs, discs[at.node].right);
        const bool right_first = right.square < left.square;
        stack[top++] = right_first ? left : right;
        stack[top++] = right_first ? right : left;
    }
    return s.best;
}
