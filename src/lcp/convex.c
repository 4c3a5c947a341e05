// With rows scaled to A_ii = 1, s = G x + h > 0 the room below the bounds, z > 0 their multipliers, w = J J'x
// + b and the path s z = tau, a step of Newton's method is
//
//   (J J' + D) dx = -w + G'(tau / s),   D = G' diag(z / s) G,   dz = tau / s - z - (z / s) G dx,
//
// and by Woodbury's formula dx = D^-1 (r - J H^-1 J' D^-1 r), H = 1 + J' D^-1 J. D has a block a contact.
#include "lcp/convex.h"
#include <math.h>
#include <string.h>
#include "model/arena.h"

// What is added to D, of A_ii = 1: redundant rows between wide bounds have no D of their own.
static const double PROXIMAL = 1e-9;
enum { STEPS = 60, MOST = 6 }; // MOST: bounds of a quad

// A bound of a quad: a x_i + c x_n + h >= 0, x_n the quad's first row.
typedef struct Bound {
    int quad, row; // row of the quad
    double a, c, h;
    double s, z, ds, dz;
} Bound;

typedef struct Path {
    snLcpSystem* system;
    snProfile* profile;
    Bound* bound;
    int nbound, rows;
    double *scale, *x, *dx, *r,
        *w;        // [rows] in units of 1 / scale; scale 1 / sqrt(A_ii), 0: it does not move
    double *D, *W; // [16 nquad] D^-1; scale D^-1 scale
    double* z;     // [ncoord]
    double size;   // the largest |b|
} Path;

bool sn_convexCan(const snLcpSystem* s)
{
    for (int k = 0; k < s->nblock; k++)
        if (s->block[k].rows > 4) return false;
    return s->J == s->T;
}

static bool makeRoom(snData* d, snLcpSystem* s, Path* p)
{
    p->system = s;
    p->rows = 4 * s->nquad;
    p->bound = sn_scratchAlloc(d, (size_t)(MOST * s->nquad + 4) * sizeof(Bound));
    p->scale = sn_scratchReal(d, 5 * p->rows + 8 * p->rows + s->ncoord);
    if (!p->bound || !p->scale) return false;
    p->x = p->scale + p->rows;
    p->dx = p->x + p->rows;
    p->r = p->dx + p->rows;
    p->w = p->r + p->rows;
    p->D = p->w + p->rows;
    p->W = p->D + 4 * p->rows;
    p->z = p->W + 4 * p->rows;
    return true;
}

static void addBound(Path* p, int quad, int row, double a, double c, double h)
{
    p->bound[p->nbound++] = (Bound){.quad = quad, .row = row, .a = a, .c = c, .h = h};
}

// Whether the bounds of friction keep the normal above 0, too. One of its own beside them costs digits.
static bool hasFriction(const Path* p, const snLcpBlock* b)
{
    for (int r = 1; r < b->rows; r++)
        if (p->scale[4 * b->quad + r] > 0 && p->system->mu[4 * b->quad + r] > 0) return true;
    return false;
}

// The bounds of a block, and x well inside them.
static void boundBlock(Path* p, const snLcpBlock* b)
{
    const snLcpSystem* s = p->system;
    const int at = 4 * b->quad;
    const bool contact = b->kind >= SN_BLOCK_BOX;
    for (int r = 0; r < b->rows; r++) {
        const double e = p->scale[at + r];
        if (e == 0) continue;
        if (contact && r > 0) {
            const double share = b->kind == SN_BLOCK_CONE ? 1 / sqrt(b->rows - 1) : 1;
            const double c = share * s->mu[at + r] * p->scale[at];
            if (!(c > 0)) { // nor may it act
                p->scale[at + r] = 0;
                continue;
            }
            addBound(p, b->quad, r, e, c, 0);
            addBound(p, b->quad, r, -e, c, 0);
            continue;
        }
        const double lo = contact ? 0 : s->lo[at + r] / e, hi = contact ? HUGE_VAL : s->hi[at + r] / e;
        if (!(lo < hi)) {
            p->scale[at + r] = 0;
            continue;
        }
        if (lo > -HUGE_VAL && !(contact && hasFriction(p, b))) addBound(p, b->quad, r, 1, 0, -lo);
        if (hi < HUGE_VAL) addBound(p, b->quad, r, -1, 0, hi);
        p->x[at + r] = lo > -HUGE_VAL  ? hi < HUGE_VAL ? 0.5 * (lo + hi) : lo + p->size
                       : hi < HUGE_VAL ? hi - p->size
                                       : 0;
    }
}

static double roomOf(const Bound* b, const double* x, double h)
{
    const double own = b->a * x[4 * b->quad + b->row];
    return own + b->c * x[4 * b->quad] + h;
}

static void start(Path* p)
{
    const snLcpSystem* s = p->system;
    p->size = 0;
    for (int i = 0; i < p->rows; i++) {
        p->scale[i] = sqrt(s->step[i]);
        p->x[i] = 0;
        p->size = sn_max(fabs(p->scale[i] * s->b[i]), p->size);
    }
    if (!(p->size > 0)) p->size = 1;
    p->nbound = 0;
    for (int k = 0; k < s->nblock; k++) boundBlock(p, s->block + k);
    for (int k = 0; k < p->nbound; k++) {
        Bound* b = p->bound + k;
        b->s = roomOf(b, p->x, b->h);
        b->z = p->size;
    }
}

// z = J' E v, and to = E J z; w has room.
static void gather(const Path* p, const double* v)
{
    snLcpSystem t = *p->system;
    for (int i = 0; i < p->rows; i++) p->w[i] = p->scale[i] * v[i];
    t.x = p->w;
    t.dV = p->z;
    sn_lcpSpread(&t);
}

static void spread(const Path* p, double* to)
{
    snLcpSystem t = *p->system;
    t.dV = p->z;
    sn_systemVelocity(&t, to);
    for (int i = 0; i < p->rows; i++) to[i] = p->scale[i] * (to[i] - t.b[i]);
}

// D of a quad, which is not zero in its diagonal, its first row and its first column: of normal and friction.
// `rest` is what the normal keeps when friction is eliminated, D_nn - sum_r D_nr^2 / D_rr, without its
// cancellation.
typedef struct Corner {
    double diagonal[4], side[4], rest;
} Corner;

// The bounds of a quad from *b on.
static Corner cornerOf(const Bound** b, const Bound* end, int quad)
{
    Corner corner = {{PROXIMAL, PROXIMAL, PROXIMAL, PROXIMAL}, {0}, PROXIMAL};
    while (*b < end && (*b)->quad == quad) {
        const int row = (*b)->row;
        const double c2 = (*b)->c * (*b)->c, a2 = (*b)->a * (*b)->a, up = (*b)->z / (*b)->s;
        if (c2 == 0) { // of the row alone
            corner.diagonal[row] += up * a2;
            if (row == 0) corner.rest += up * a2;
            ++*b;
            continue;
        }
        // a x_r + c x_n and -a x_r + c x_n, of a sum and a difference of ratios
        const double down = (*b)[1].z / (*b)[1].s, sum = up + down;
        corner.diagonal[row] += a2 * sum;
        corner.side[row] = (*b)->a * (*b)->c * (up - down);
        corner.rest +=
            c2 * (4 * a2 * up * (down / corner.diagonal[row]) + PROXIMAL * (sum / corner.diagonal[row]));
        *b += 2;
    }
    return corner;
}

static void invert(const Corner* corner, double* inverse)
{
    const double n = 1 / corner->rest;
    inverse[0] = n;
    for (int r = 1; r < 4; r++) {
        const double q = corner->side[r] / corner->diagonal[r];
        inverse[r] = inverse[4 * r] = -n * q;
        for (int c = 1; c < 4; c++)
            inverse[4 * r + c] =
                n * q * (corner->side[c] / corner->diagonal[c]) + (r == c ? 1 / corner->diagonal[r] : 0);
    }
}

// D^-1 of all quads, and what the factor takes.
static void weigh(Path* p)
{
    const snLcpSystem* s = p->system;
    const Bound *b = p->bound, *end = p->bound + p->nbound;
    for (int q = 0; q < s->nquad; q++) {
        const Corner corner = cornerOf(&b, end, q);
        invert(&corner, p->D + 16 * q);
        for (int r = 0; r < 16; r++)
            p->W[16 * q + r] = p->scale[4 * q + r / 4] * p->D[16 * q + r] * p->scale[4 * q + r % 4];
    }
}

// v <- D^-1 v
static void divide(const Path* p, double* v)
{
    for (int q = 0; q < p->system->nquad; q++) {
        const double *D = p->D + 16 * q, u[4] = {v[4 * q], v[4 * q + 1], v[4 * q + 2], v[4 * q + 3]};
        for (int r = 0; r < 4; r++)
            v[4 * q + r] = D[4 * r] * u[0] + D[4 * r + 1] * u[1] + D[4 * r + 2] * u[2] + D[4 * r + 3] * u[3];
    }
}

// dx, ds and dz towards s z = tau.
static void direction(Path* p, double tau)
{
    const snLcpSystem* s = p->system;
    gather(p, p->x);
    spread(p, p->r);
    for (int i = 0; i < p->rows; i++) p->r[i] = p->scale[i] > 0 ? -p->r[i] - p->scale[i] * s->b[i] : 0;
    for (int k = 0; k < p->nbound; k++) {
        const Bound* b = p->bound + k;
        p->r[4 * b->quad + b->row] += b->a * tau / b->s;
        if (b->row > 0) p->r[4 * b->quad] += b->c * tau / b->s;
    }
    weigh(p);
    sn_profileFactor(s, p->W, 1, p->profile);
    memcpy(p->dx, p->r, (size_t)p->rows * sizeof(double));
    divide(p, p->dx);
    gather(p, p->dx);
    sn_profileSolve(p->profile, p->z);
    spread(p, p->dx);
    for (int i = 0; i < p->rows; i++) p->dx[i] = p->r[i] - p->dx[i];
    divide(p, p->dx);
    for (int k = 0; k < p->nbound; k++) {
        Bound* b = p->bound + k;
        b->ds = roomOf(b, p->dx, 0);
        b->dz = tau / b->s - b->z - b->z / b->s * b->ds;
    }
}

static bool isSound(const Path* p)
{
    double sum = 0; // 0 x is 0 for what is finite alone
    for (int i = 0; i < p->rows; i++) sum += 0 * p->dx[i];
    return sum == 0;
}

static double lengthOf(const Path* p)
{
    double most = 1 / 0.99;
    for (int k = 0; k < p->nbound; k++) {
        const Bound* b = p->bound + k;
        if (b->ds < 0) most = sn_min(-b->s / b->ds, most);
        if (b->dz < 0) most = sn_min(-b->z / b->dz, most);
    }
    return 0.99 * most;
}

static void advance(Path* p, double length)
{
    for (int i = 0; i < p->rows; i++) p->x[i] += length * p->dx[i];
    for (int k = 0; k < p->nbound; k++) {
        Bound* b = p->bound + k;
        b->s += length * b->ds;
        b->z += length * b->dz;
    }
}

static double meanProduct(const Path* p)
{
    double sum = 0;
    for (int k = 0; k < p->nbound; k++) sum += p->bound[k].s * p->bound[k].z;
    return p->nbound ? sum / p->nbound : 0;
}

static void follow(Path* p, int* products)
{
    double share = 0.1;
    for (int k = 0, jammed = 0; k < STEPS && jammed < 3; k++) {
        const double mean = meanProduct(p);
        direction(p, share * mean);
        const double length = lengthOf(p);
        ++*products;
        if (!(length > 0 && length <= 1) || !isSound(p)) break;
        advance(p, length);
        if (length > 0.9 && share * mean < 1e-16 * p->size * p->size) break;
        jammed = length > 1e-3 ? 0 : jammed + 1;
        share = length > 0.9 ? 0.01 : length > 0.5 ? 0.1 : 0.5;
    }
}

bool sn_lcpConvex(snData* d, snLcpSystem* s, snProfile* profile, int* products)
{
    const size_t mark = sn_scratchMark(d);
    Path p = {.profile = profile};
    const bool room = makeRoom(d, s, &p);
    if (room) {
        start(&p);
        follow(&p, products);
        for (int i = 0; i < p.rows; i++)
            if (p.scale[i] > 0 && fabs(p.x[i]) < 1e200) s->x[i] = p.scale[i] * p.x[i];
        sn_lcpSpread(s);
    }
    sn_scratchRelease(d, mark);
    return room;
}
