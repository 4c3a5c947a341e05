// Points of a flexcomp on lines: in a row, in a plane, in space, on a circle.
#include "format/mjcf/tree/flexcomp_points.h"

// The place of point i along an axis; the middle is 0.
static double along(const snFlexcomp* f, int axis, int i)
{
    return f->set.spacing[axis] * (i - 0.5 * (f->set.count[axis] - 1));
}

static bool makeRow(snFlexcomp* f)
{
    const int n = f->set.count[0];
    if (!sn_makeFlexPoints(f, n, n - 1)) return false;
    for (int i = 0; i < n; i++) {
        sn_addFlexPoint(f, sn_v3(along(f, 0, i), 0, 0));
        if (i) sn_addFlexElement(f, (const int[]){i - 1, i});
    }
    return true;
}

// ---- planes

// Point (x, y) of a disc: on a ring of the square, at the distance of the ring's middle. The sizes count
// twice, which is the peer's rule.
static snVec3 discPoint(const snFlexcomp* f, double x, double y)
{
    const double ring = sn_max(fabs(x), fabs(y)), length = sqrt(x * x + y * y);
    const double scale = length > SN_MINVAL ? ring / length : 0;
    const double a = 0.5 * f->set.spacing[0] * (f->set.count[0] - 1),
                 b = 0.5 * f->set.spacing[1] * (f->set.count[1] - 1);
    return sn_v3(x * scale * a, y * scale * b, 0);
}

// Two triangles of the square between x and y; on a disc the diagonal runs to the middle.
static void addSquare(snFlexcomp* f, int x, int y)
{
    const int *n = f->set.count, a = x * n[1] + y, b = a + n[1], c = b + 1, d = a + 1;
    const bool turned = f->set.type == SN_FLEXCOMP_DISC && (x < n[0] / 2) != (y < n[1] / 2);
    if (turned) {
        sn_addFlexElement(f, (const int[]){a, b, d});
        sn_addFlexElement(f, (const int[]){b, c, d});
    } else {
        sn_addFlexElement(f, (const int[]){a, b, c});
        sn_addFlexElement(f, (const int[]){a, c, d});
    }
}

bool sn_flexSquare(snFlexcomp* f)
{
    const int* n = f->set.count;
    const bool disc = f->set.type == SN_FLEXCOMP_DISC;
    if (!sn_makeFlexPoints(f, (double)n[0] * n[1], 2.0 * (n[0] - 1) * (n[1] - 1))) return false;
    for (int x = 0; x < n[0]; x++)
        for (int y = 0; y < n[1]; y++) {
            const double px = along(f, 0, x), py = along(f, 1, y);
            sn_addFlexPoint(f, disc ? discPoint(f, px, py) : sn_v3(px, py, 0));
            sn_addFlexTexcoord(f, x, n[0], y, n[1]);
            if (x < n[0] - 1 && y < n[1] - 1) addSquare(f, x, y);
        }
    return true;
}

// ---- space

// Six tetrahedra around the diagonal from (1, 0, 0) to (0, 1, 1), bit 0, 1 and 2 of a corner along x, y and
// z.
static void addCube(snFlexcomp* f, int x, int y, int z)
{
    static const int corners[6][4] = {{0, 2, 1, 6}, {0, 1, 4, 6}, {1, 2, 3, 6},
                                      {1, 3, 7, 6}, {1, 5, 4, 6}, {1, 7, 5, 6}};
    const int* n = f->set.count;
    for (int t = 0; t < 6; t++) {
        int points[4];
        for (int k = 0; k < 4; k++) {
            const int c = corners[t][k];
            points[k] = ((x + (c & 1)) * n[1] + y + (c >> 1 & 1)) * n[2] + z + (c >> 2);
        }
        sn_addFlexElement(f, points);
    }
}

static bool makeSpace(snFlexcomp* f)
{
    const int* n = f->set.count;
    const double ncube = (double)(n[0] - 1) * (n[1] - 1) * (n[2] - 1);
    if (!sn_makeFlexPoints(f, (double)n[0] * n[1] * n[2], 6 * ncube)) return false;
    for (int x = 0; x < n[0]; x++)
        for (int y = 0; y < n[1]; y++)
            for (int z = 0; z < n[2]; z++) {
                sn_addFlexPoint(f, sn_v3(along(f, 0, x), along(f, 1, y), along(f, 2, z)));
                sn_addFlexTexcoord(f, x, n[0], y, n[1]);
                if (x < n[0] - 1 && y < n[1] - 1 && z < n[2] - 1) addCube(f, x, y, z);
            }
    return true;
}

bool sn_flexGrid(snFlexcomp* f)
{
    return f->set.dim == 1 ? makeRow(f) : f->set.dim == 2 ? sn_flexSquare(f) : makeSpace(f);
}

// The last point is the first again; neighbours are `spacing` apart.
bool sn_flexCircle(snFlexcomp* f)
{
    const int n = f->set.count[0] - 1;
    if (!sn_makeFlexPoints(f, n, n)) return false;
    const double radius = f->set.spacing[0] / (2 * sn_sin(SN_PI / n));
    for (int i = 0; i < n; i++) {
        const double angle = 2 * SN_PI * i / n;
        sn_addFlexPoint(f, sn_v3(radius * sn_cos(angle), radius * sn_sin(angle), 0));
        sn_addFlexElement(f, (const int[]){i, (i + 1) % n});
    }
    return true;
}
