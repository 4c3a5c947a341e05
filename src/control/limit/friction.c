// Rows of friction: see friction.h.
#include "control/limit/friction.h"
#include <math.h>
#include <string.h>
#include "control/limit/contact_frame.h"
#include "math/elementary/elementary.h"

// Where the next row goes.
typedef struct Rows {
    int count, columns, used; // used: columns of the contact's forces
    double *A, *lower, *upper;
} Rows;

// The next row, cleared, with its bounds.
static double* nextRow(Rows* rows, double lower, double upper)
{
    double* row = rows->A + (size_t)rows->count * rows->columns;
    memset(row, 0, (size_t)rows->used * sizeof *row);
    rows->lower[rows->count] = lower;
    rows->upper[rows->count++] = upper;
    return row;
}

// x f_x + y f_y - slope f_n <= 0 of point i.
static void facet(Rows* rows, int i, double x, double y, double slope)
{
    double* row = nextRow(rows, -INFINITY, 0) + 3 * i;
    row[0] = x;
    row[1] = y;
    row[2] = -slope;
}

// Without friction fewer rows are needed: the others stay empty.
static void frictionless(Rows* rows, int i, int count)
{
    nextRow(rows, 0, 0)[3 * i] = 1;
    nextRow(rows, 0, 0)[3 * i + 1] = 1;
    nextRow(rows, 0, INFINITY)[3 * i + 2] = 1;
    for (int k = 3; k < count; k++) nextRow(rows, -INFINITY, INFINITY);
}

static void box(Rows* rows, int i, double mu)
{
    facet(rows, i, -1, 0, mu);
    facet(rows, i, 1, 0, mu);
    facet(rows, i, 0, -1, mu);
    facet(rows, i, 0, 1, mu);
}

// A pyramid whose edges lie on the cone.
static void inscribed(Rows* rows, int i, int facets, double mu)
{
    const double slope = mu * sn_cos(M_PI / facets);
    for (int k = 0; k < facets; k++) {
        const double angle = 2 * M_PI * k / facets;
        facet(rows, i, sn_cos(angle), sn_sin(angle), slope);
    }
}

static int rowsOfPoint(const snContactSettings* c)
{
    return c->facets == 0 ? 4 : c->facets > 3 ? c->facets : 3;
}

// The pyramid of each point.
static void pyramids(const snContactSettings* c, Rows* rows)
{
    for (int i = 0; i < c->npoint; i++) {
        if (c->mu == 0)
            frictionless(rows, i, rowsOfPoint(c));
        else if (c->facets == 4 || c->facets == 0)
            box(rows, i, c->mu);
        else
            inscribed(rows, i, c->facets, c->mu);
    }
}

// The sum of normal forces.
static void sum(const snContactSettings* c, double scale, Rows* rows)
{
    const double most = scale > 0 ? c->force_max * scale : 0;
    double* row = nextRow(rows, sn_min(c->force_min, most), most);
    for (int i = 0; i < c->npoint; i++) row[3 * i + 2] = 1;
}

static bool hasBox(const snContactSettings* c)
{
    return c->cop[0] != 0 || c->cop[1] != 0 || c->cop[2] != 0 || c->cop[3] != 0;
}

// sum (p - edge) f_n >= 0 at a least edge, <= 0 at a greatest one; edges come in pairs, x then y.
static void pressure(const snContactSettings* c, const double mat[9], Rows* rows)
{
    double point[SN_CONTACT_POINTS][3];
    sn_contactPoints(c, mat, point);
    for (int e = 0; e < 4; e++) {
        const bool least = e % 2 == 0;
        double* row = nextRow(rows, least ? 0 : -INFINITY, least ? INFINITY : 0);
        if (isinf(c->cop[e]))
            rows->lower[rows->count - 1] = -(rows->upper[rows->count - 1] = INFINITY);
        else
            for (int i = 0; i < c->npoint; i++) row[3 * i + 2] = point[i][e / 2] - c->cop[e];
    }
}

int sn_frictionRowCount(const snContactSettings* c)
{
    return c->npoint * rowsOfPoint(c) + 1 + (hasBox(c) ? 4 : 0);
}

int sn_frictionRows(const snContactSettings* c, const double mat[9], double scale, int columns, double* A,
                    double* lower, double* upper)
{
    Rows rows = {0, columns, 3 * c->npoint, A, lower, upper};
    pyramids(c, &rows);
    sum(c, scale, &rows);
    if (hasBox(c)) pressure(c, mat, &rows);
    return rows.count;
}

void sn_contactCop(const snContactSettings* c, const double mat[9], const double* f, double cop[2])
{
    double point[SN_CONTACT_POINTS][3], total = 0;
    sn_contactPoints(c, mat, point);
    cop[0] = cop[1] = 0;
    for (int i = 0; i < c->npoint; i++) {
        total += f[3 * i + 2];
        for (int e = 0; e < 2; e++) cop[e] += point[i][e] * f[3 * i + 2];
    }
    for (int e = 0; e < 2; e++) cop[e] = total == 0 ? (double)NAN : cop[e] / total;
}
