// Winding numbers: how often a surface goes around a point, the sum of the solid angles under which its
// triangles are seen from there by 4 pi. It is 1 inside a closed surface and 0 outside, and changes from the
// one to the other by and by where there are holes (Jacobson, Kavan and Sorkine-Hornung 2013). Triangles that
// are far away are one dipole (Barill et al. 2018).
#include "base/memory.h"
#include "compile/sdf/side.h"

// A node is far where it is more than this many times as far as it reaches.
#define FAR 2.0

static snVec3 vertexOf(const snTriangles* t, int face, int k)
{
    const float* x = t->vert + 3 * (size_t)t->face[3 * (size_t)face + (size_t)k];
    return sn_v3((real)x[0], (real)x[1], (real)x[2]);
}

// A sum of areas while it is made: centre is not divided by weight.
typedef struct Sum {
    snVec3 centre, area;
    real weight;
} Sum;

static Sum ofTriangle(const snTriangles* t, int face)
{
    const snVec3 a = vertexOf(t, face, 0), b = vertexOf(t, face, 1), c = vertexOf(t, face, 2);
    const snVec3 area = sn_v3Scale(sn_v3Cross(sn_v3Sub(b, a), sn_v3Sub(c, a)), 0.5);
    const real weight = sn_v3Norm(area);
    return (Sum){sn_v3Scale(sn_v3Add(sn_v3Add(a, b), c), weight / 3), area, weight};
}

static Sum join(const Sum* a, const Sum* b)
{
    return (Sum){sn_v3Add(a->centre, b->centre), sn_v3Add(a->area, b->area), a->weight + b->weight};
}

static snDipole dipoleOf(const Sum* sum, const real box[6])
{
    const snVec3 middle = sn_v3Load(box);
    const snVec3 centre = sum->weight > 0 ? sn_v3Scale(sum->centre, 1 / sum->weight) : middle;
    return (snDipole){centre, sum->area, sn_v3Norm(sn_v3Load(box + 3)) + sn_v3Norm(sn_v3Sub(centre, middle))};
}

bool sn_windShell(snShell* shell)
{
    const snTriangles* t = &shell->t;
    Sum* sums = sn_malloc((size_t)t->nodes * sizeof *sums);
    shell->winding = sn_malloc((size_t)t->nodes * sizeof *shell->winding);
    const bool good = sums && shell->winding;
    for (int i = t->nodes - 1; good && i >= 0; i--) { // children come after their parent
        const int* child = t->child + 2 * (size_t)i;
        sums[i] = t->element[i] >= 0 ? ofTriangle(t, t->element[i]) : join(&sums[child[0]], &sums[child[1]]);
        shell->winding[i] = dipoleOf(&sums[i], t->box + 6 * (size_t)i);
    }
    sn_free(sums);
    return good;
}

// tan(angle / 2) = a . (b x c) / (|a||b||c| + (a . b)|c| + (b . c)|a| + (c . a)|b|) (van Oosterom and
// Strackee 1983); a, b, c: the corners as seen from the point.
static real solidAngle(const snTriangles* t, int face, snVec3 p)
{
    const snVec3 a = sn_v3Sub(vertexOf(t, face, 0), p), b = sn_v3Sub(vertexOf(t, face, 1), p),
                 c = sn_v3Sub(vertexOf(t, face, 2), p);
    const real x = sn_v3Norm(a), y = sn_v3Norm(b), z = sn_v3Norm(c);
    return 2 * sn_atan2(sn_v3Dot(a, sn_v3Cross(b, c)),
                        x * y * z + sn_v3Dot(a, b) * z + sn_v3Dot(b, c) * x + sn_v3Dot(c, a) * y);
}

real sn_windingNumber(const snShell* shell, snVec3 p, int64_t* visits)
{
    enum { DEEP = 128 };
    const snTriangles* t = &shell->t;
    int stack[DEEP], top = 0;
    real angle = 0;
    stack[top++] = 0;
    while (top > 0) {
        const int node = stack[--top];
        ++*visits;
        if (t->element[node] >= 0) {
            angle += solidAngle(t, t->element[node], p);
            continue;
        }
        const snDipole* dipole = &shell->winding[node];
        const snVec3 to = sn_v3Sub(dipole->centre, p);
        const real distance = sn_v3Norm(to);
        if (distance > FAR * dipole->reach) {
            angle += sn_v3Dot(dipole->area, to) / (distance * distance * distance);
            continue;
        }
        for (int k = 0; k < 2; k++) stack[top++] = t->child[2 * (size_t)node + (size_t)k];
    }
    return angle / (4 * M_PI);
}
