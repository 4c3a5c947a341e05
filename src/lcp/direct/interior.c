#include "lcp/direct/interior.h"
#include <math.h>
#include <string.h>
#include "math/elementary/elementary.h"
#include "math/eliminate.h"

typedef struct Interior {
    const snScaled* s;
    int n;
    double *y, *v;     ///< [n] v at y
    double *p, *q, *e; ///< [n] of bounds; e of a row of friction, and of the first row of a cone
    double *dy, *dv, *dp, *dq, *de;
    double* K; ///< [n x n]
    double tau;
} Interior;

size_t sn_interiorWork(int n)
{
    const size_t m = (size_t)n;
    return m * m + 9 * m;
}

static Interior start(const snScaled* s, double* work, double* y)
{
    const size_t n = (size_t)s->n;
    Interior in = {.s = s, .n = s->n, .y = y, .K = work};
    double** vectors[] = {&in.v, &in.p, &in.q, &in.e, &in.dy, &in.dv, &in.dp, &in.dq, &in.de};
    work += n * n;
    memset(work, 0, 9 * n * sizeof(double));
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, work += n) *vectors[k] = work;
    return in;
}

// A row that does not move: fixed, or friction of a normal that is.
static bool still(const snScaled* s, int i)
{
    if (s->kind[i] == SN_LCPROW_BOX) return s->lo[i] == s->hi[i];
    const int normal = s->normal[i];
    return s->lo[normal] == s->hi[normal] && s->lo[normal] <= 0;
}

static bool below(const snScaled* s, int i)
{
    return s->kind[i] == SN_LCPROW_BOX && !still(s, i) && s->lo[i] > -HUGE_VAL;
}

static bool above(const snScaled* s, int i)
{
    return s->kind[i] == SN_LCPROW_BOX && !still(s, i) && s->hi[i] < HUGE_VAL;
}

// The first row of a cone, or a row of friction.
static bool leads(const snScaled* s, int i)
{
    return s->kind[i] != SN_LCPROW_BOX && !still(s, i) &&
           (s->kind[i] == SN_LCPROW_FRICTION || s->first[s->normal[i]] == i);
}

static void velocities(const Interior* in, const double* y, bool change, double* v)
{
    for (int i = 0; i < in->n; i++) {
        const double* row = in->s->A + (size_t)i * (size_t)in->n;
        double sum = change ? 0 : in->s->b[i];
        for (int j = 0; j < in->n; j++) sum += row[j] * y[j];
        v[i] = sum;
    }
}

// x' u of a group of rows, and the squares of x and u.
typedef struct Disc {
    double radius, dot, xx, uu;
} Disc;

static Disc discOf(const Interior* in, int lead)
{
    const snScaled* s = in->s;
    Disc disc = {.radius = in->y[s->normal[lead]]};
    for (int i = lead; i >= 0; i = s->next[i]) {
        const double x = in->y[i] / s->mu[i], u = in->v[i] * s->mu[i];
        disc.dot += x * u;
        disc.xx += x * x;
        disc.uu += u * u;
    }
    return disc;
}

// As far as `unit` from bounds, and friction 0.
static void place(Interior* in, double unit)
{
    const snScaled* s = in->s;
    for (int i = 0; i < in->n; i++) {
        const bool lo = below(s, i), hi = above(s, i);
        in->y[i] = s->kind[i] == SN_LCPROW_BOX && still(s, i) ? s->lo[i] : 0;
        if (lo && hi)
            in->y[i] = 0.5 * (s->lo[i] + s->hi[i]);
        else if (lo || hi)
            in->y[i] = lo ? s->lo[i] + unit : s->hi[i] - unit;
    }
    velocities(in, in->y, false, in->v);
    for (int i = 0; i < in->n; i++) {
        in->p[i] = below(s, i) ? unit : 0;
        in->q[i] = above(s, i) ? unit : 0;
        if (leads(s, i)) in->e[i] = sqrt(discOf(in, i).uu) + unit;
    }
}

static double meanProduct(const Interior* in)
{
    const snScaled* s = in->s;
    double sum = 0;
    int count = 0;
    for (int i = 0; i < in->n; i++) {
        if (below(s, i)) sum += (in->y[i] - s->lo[i]) * in->p[i], count++;
        if (above(s, i)) sum += (s->hi[i] - in->y[i]) * in->q[i], count++;
        if (leads(s, i)) {
            const Disc disc = discOf(in, i);
            sum += disc.radius * in->e[i] + disc.dot, count++;
        }
    }
    return count ? sum / count : 0;
}

static double* rowOf(const Interior* in, int i)
{
    return in->K + (size_t)i * (size_t)in->n;
}

static void addRow(const Interior* in, double factor, int from, double* row)
{
    const double* A = in->s->A + (size_t)from * (size_t)in->n;
    for (int j = 0; j < in->n; j++) row[j] += factor * A[j];
}

// A dy + (p / s + q / r) dy = -v + tau / s - tau / r, what dp and dq leave.
static void boxRow(Interior* in, int i)
{
    const snScaled* s = in->s;
    addRow(in, 1, i, rowOf(in, i));
    rowOf(in, i)[i] += 1e-12; // free rows may depend on each other
    in->dy[i] = -in->v[i];
    if (below(s, i)) {
        rowOf(in, i)[i] += in->p[i] / (in->y[i] - s->lo[i]);
        in->dy[i] += in->tau / (in->y[i] - s->lo[i]);
    }
    if (above(s, i)) {
        rowOf(in, i)[i] += in->q[i] / (s->hi[i] - in->y[i]);
        in->dy[i] -= in->tau / (s->hi[i] - in->y[i]);
    }
}

// r du_i - x_i / r x' du + e dx_i - x_i / r u' dx + (u_i - e x_i / r) dr = -(r u_i + e x_i) - x_i / r (tau -
// r e - x' u), what de leaves.
static void discRows(Interior* in, int lead)
{
    const snScaled* s = in->s;
    const Disc disc = discOf(in, lead);
    const double e = in->e[lead], r = disc.radius, gap = in->tau - r * e - disc.dot, size = 1 / (r + e);
    for (int i = lead; i >= 0; i = s->next[i]) {
        const double x = in->y[i] / s->mu[i], u = in->v[i] * s->mu[i];
        double* row = rowOf(in, i);
        for (int j = lead; j >= 0; j = s->next[j]) {
            const double xj = in->y[j] / s->mu[j], uj = in->v[j] * s->mu[j];
            addRow(in, size * ((i == j ? r : 0) - x * xj / r) * s->mu[j], j, row);
            row[j] += size * ((i == j ? e : 0) - x * uj / r) / s->mu[j];
        }
        row[s->normal[lead]] += size * (u - e * x / r);
        in->dy[i] = -size * (r * u + e * x + x / r * gap);
    }
}

// Changes of the other numbers from those of y.
static void complete(Interior* in)
{
    const snScaled* s = in->s;
    velocities(in, in->dy, true, in->dv);
    for (int i = 0; i < in->n; i++) {
        if (below(s, i)) in->dp[i] = (in->tau - in->p[i] * in->dy[i]) / (in->y[i] - s->lo[i]) - in->p[i];
        if (above(s, i)) in->dq[i] = (in->tau + in->q[i] * in->dy[i]) / (s->hi[i] - in->y[i]) - in->q[i];
        if (!leads(s, i)) continue;
        const Disc disc = discOf(in, i);
        double sum = in->tau - disc.radius * in->e[i] - disc.dot - in->e[i] * in->dy[s->normal[i]];
        for (int j = i; j >= 0; j = s->next[j]) sum -= in->y[j] * in->dv[j] + in->v[j] * in->dy[j];
        in->de[i] = sum / disc.radius;
    }
}

static void direction(Interior* in)
{
    const snScaled* s = in->s;
    memset(in->K, 0, (size_t)in->n * (size_t)in->n * sizeof(double));
    memset(in->dy, 0, (size_t)in->n * sizeof(double));
    for (int i = 0; i < in->n; i++) {
        if (still(s, i)) {
            rowOf(in, i)[i] = 1;
        } else if (s->kind[i] == SN_LCPROW_BOX) {
            boxRow(in, i);
        } else if (leads(s, i)) {
            discRows(in, i);
        }
    }
    sn_eliminate(in->K, in->n, in->dy);
    complete(in);
}

// How far a number may go along its change and stay above 0.
static double room(double most, double at, double change)
{
    return change < 0 ? sn_min(most, -at / change) : most;
}

// How far (a, x) may go and stay in the cone |x| < a: the smallest root of A t^2 + 2 B t + C.
static double coneRoom(double most, double A, double B, double C)
{
    if (C <= 0) return 0;
    const double root = B * B - A * C;
    if (root < 0) return most;
    const double t = B < 0 ? C / (-B + sqrt(root)) : A < 0 ? (-B - sqrt(root)) / A : most;
    return t > 0 ? sn_min(most, t) : most;
}

static double discRoom(const Interior* in, int lead, double most)
{
    const snScaled* s = in->s;
    const int normal = s->normal[lead];
    const double r = in->y[normal], dr = in->dy[normal], e = in->e[lead], de = in->de[lead];
    double A = dr * dr, B = r * dr, C = r * r, D = de * de, E = e * de, F = e * e;
    for (int i = lead; i >= 0; i = s->next[i]) {
        const double x = in->y[i] / s->mu[i], dx = in->dy[i] / s->mu[i];
        const double u = in->v[i] * s->mu[i], du = in->dv[i] * s->mu[i];
        A -= dx * dx, B -= x * dx, C -= x * x;
        D -= du * du, E -= u * du, F -= u * u;
    }
    most = coneRoom(room(most, r, dr), A, B, C);
    return coneRoom(room(most, e, de), D, E, F);
}

static double stepLength(const Interior* in)
{
    const snScaled* s = in->s;
    double most = 1e3;
    for (int i = 0; i < in->n; i++) {
        if (below(s, i)) most = room(room(most, in->y[i] - s->lo[i], in->dy[i]), in->p[i], in->dp[i]);
        if (above(s, i)) most = room(room(most, s->hi[i] - in->y[i], -in->dy[i]), in->q[i], in->dq[i]);
        if (leads(s, i)) most = discRoom(in, i, most);
    }
    return sn_min(0.95 * most, 1);
}

static void move(Interior* in, double length)
{
    for (int i = 0; i < in->n; i++) {
        in->y[i] += length * in->dy[i];
        in->p[i] += length * in->dp[i];
        in->q[i] += length * in->dq[i];
        in->e[i] += length * in->de[i];
    }
    velocities(in, in->y, false, in->v);
}

void sn_interiorPath(const snScaled* s, double unit, double* work, double* y, int* steps)
{
    Interior in = start(s, work, y);
    place(&in, unit * s->scale);
    double share = 0.3;
    for (int k = 0, jammed = 0; k < 60 && jammed < 3; k++) {
        const double mean = meanProduct(&in);
        if (!(mean > 1e-20 * s->scale * s->scale)) break;
        in.tau = share * mean;
        direction(&in);
        const double length = stepLength(&in);
        if (!(length > 0)) break;
        move(&in, length);
        (*steps)++;
        jammed = length > 1e-3 ? 0 : jammed + 1;
        share = length > 0.9 ? 0.05 : length > 0.5 ? 0.2 : length > 0.2 ? 0.5 : 0.9;
    }
}
