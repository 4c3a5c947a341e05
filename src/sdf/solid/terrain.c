// Height fields: the top, four sides and the base.
#include "model/asset.h"
#include "sdf/solid/solid.h"

// A cell of the grid and where in it a place is, each from 0 to 1
typedef struct Cell {
    int row, column;
    double x, y;
} Cell;

static double within(double x, double low, double high)
{
    return !(x > low) ? low : x > high ? high : x;
}

static Cell cellAt(const snHeights* f, double x, double y)
{
    const double across = within((x + f->size[0]) / (2 * f->size[0]), 0, 1) * (f->ncol - 1);
    const double along = within((y + f->size[1]) / (2 * f->size[1]), 0, 1) * (f->nrow - 1);
    const int column = (int)within(floor(across), 0, f->ncol - 2);
    const int row = (int)within(floor(along), 0, f->nrow - 2);
    return (Cell){row, column, across - column, along - row};
}

static double heightAt(const snHeights* f, int row, int column)
{
    return f->size[2] * (double)f->height[(size_t)row * (size_t)f->ncol + (size_t)column];
}

// Height of the top at a place, and its slopes. A cell is cut along the diagonal from its first corner.
static double top(const snHeights* f, double x, double y, double slope[2])
{
    const Cell c = cellAt(f, x, y);
    const double h00 = heightAt(f, c.row, c.column), h11 = heightAt(f, c.row + 1, c.column + 1);
    const bool upper = c.y > c.x; // has the corner of the next row, else that of the next column
    const double h = upper ? heightAt(f, c.row + 1, c.column) : heightAt(f, c.row, c.column + 1);
    const double dx = upper ? h11 - h : h - h00, dy = upper ? h - h00 : h11 - h;
    slope[0] = dx * (f->ncol - 1) / (2 * f->size[0]);
    slope[1] = dy * (f->nrow - 1) / (2 * f->size[1]);
    return h00 + dx * c.x + dy * c.y;
}

double sn_terrainDistance(const snModel* m, int hfield, const double point[3], double gradient[3])
{
    const snHeights f = sn_heightField(m, hfield);
    if (gradient) memset(gradient, 0, 3 * sizeof *gradient);
    if (f.nrow < 2 || f.ncol < 2) return INFINITY;
    double slope[2];
    const double above = point[2] - top(&f, point[0], point[1], slope);
    const double rise = sqrt(1 + slope[0] * slope[0] + slope[1] * slope[1]);
    const double far[4] = {fabs(point[0]) - f.size[0], fabs(point[1]) - f.size[1], -f.size[3] - point[2],
                           above / rise};
    int most = 3;
    for (int k = 0; k < 3; k++)
        if (far[k] > far[most]) most = k;
    if (!gradient) return far[most];
    if (most < 2) gradient[most] = point[most] < 0 ? -1 : 1;
    if (most == 2) gradient[2] = -1;
    if (most == 3) sn_v3Store(gradient, sn_v3(-slope[0] / rise, -slope[1] / rise, 1 / rise));
    return far[most];
}
