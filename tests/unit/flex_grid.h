// Models of one flex on a grid of points, a body with three slides each, and random states of it.
#ifndef SINEW_TEST_FLEX_GRID_H
#define SINEW_TEST_FLEX_GRID_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "model_text.h"

#ifndef FLEX_ROOM // bytes of a text
#define FLEX_ROOM 200000
#endif

static inline double flexRandom(unsigned* seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 24) * 2 - 1;
}

/// Prints at the end of a text with room for FLEX_ROOM bytes.
static inline void flexPrint(char* text, const char* format, ...)
{
    va_list list;
    const size_t length = strlen(text);
    va_start(list, format);
    vsnprintf(text + length, FLEX_ROOM - length, format, list);
    va_end(list);
}

static inline void flexBodies(char* text, const int n[3], double wave, unsigned seed)
{
    for (int i = 0, b = 0; i < n[0]; i++)
        for (int j = 0; j < n[1]; j++)
            for (int k = 0; k < n[2]; k++, b++) {
                const double x = 0.1 * i + wave * flexRandom(&seed), y = 0.1 * j + wave * flexRandom(&seed);
                flexPrint(text, "<body name='b%d' pos='%.17g %.17g %.17g'>", b, x, y,
                          0.1 * k + wave * flexRandom(&seed));
                for (int a = 0; a < 3; a++)
                    flexPrint(text, "<joint type='slide' axis='%d %d %d'/>", a == 0, a == 1, a == 2);
                flexPrint(text, "<inertial pos='0 0 0' mass='.02' diaginertia='1e-5 1e-5 1e-5'/></body>");
            }
}

// Cells of a grid along paths from their first corner to their last, an axis after the other.
static inline void flexElements(char* text, int dim, const int n[3])
{
    static const int order[3][6][3] = {
        {{0}}, {{0, 1}, {1, 0}}, {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}};
    const int step[3] = {n[1] * n[2], n[2], 1}, paths[3] = {1, 2, 6};
    for (int i = 0; i < n[0] - 1; i++)
        for (int j = 0; j < n[1] - (dim > 1); j++)
            for (int k = 0; k < n[2] - (dim > 2); k++)
                for (int p = 0; p < paths[dim - 1]; p++) {
                    int at = i * step[0] + j * step[1] + k;
                    int path[4] = {at};
                    for (int a = 0; a < dim; a++) path[a + 1] = at += step[order[dim - 1][p][a]];
                    if (dim == 2 && p == 1) path[1] ^= path[2], path[2] ^= path[1], path[1] ^= path[2];
                    for (int a = 0; a <= dim; a++) flexPrint(text, "%d ", path[a]);
                }
}

/// The model; wave: how far points stand off the grid. children: of <flex>. The caller deletes it.
static inline snModel* flexGrid(int dim, int nx, int ny, int nz, double wave, const char* children)
{
    const int n[3] = {nx, ny, nz};
    char* text = calloc(1, FLEX_ROOM);
    flexPrint(text, "<mujoco><option gravity='0 0 0'/><worldbody>");
    flexBodies(text, n, wave, 7);
    flexPrint(text, "</worldbody><deformable><flex name='f' dim='%d' body='", dim);
    for (int b = 0; b < nx * ny * nz; b++) flexPrint(text, "b%d ", b);
    flexPrint(text, "' element='");
    flexElements(text, dim, n);
    flexPrint(text,
              "'><contact contype='0' conaffinity='0' selfcollide='none'/>%s</flex></deformable></mujoco>",
              children);
    snModel* m = load(text);
    free(text);
    return m;
}

/// Up to the velocities that passive forces need, and these.
static inline void flexStages(const snModel* m, snData* d)
{
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_flex(m, d);
    sn_tendon(m, d);
    sn_tendonVelocity(m, d);
    sn_flexVelocity(m, d);
    sn_comVel(m, d);
    sn_passive(m, d);
}

#endif
