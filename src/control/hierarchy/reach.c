#include "control/hierarchy/reach.h"
#include <math.h>
#include <string.h>
#include "control/algebra/singular.h"
#include "control/hierarchy/hqp.h"
#include "control/qp/run.h"
#include "math/elementary/elementary.h"

// Beside the rows' size:
#define VOID 1e-9    // a singular value that is rounding
#define REST 2e-3    // where arms rest that cannot reach: not at the pose itself, where v has no sign
#define LEAST 1e-5   // the same where the target is at the end of the reach
#define FAR 1e-4     // by how much a target must be beyond reach to be called so
#define SURELY 4     // rows whose heights over each other are so much above the threshold are regular
#define STEPS 0.25   // the threshold's square grows with the way of one cycle, by this part of it
#define WIDEST 0.5   // up to here
#define INWARDS 0.35 // of the threshold, where the way bends towards the reference
#define AHEAD 0.05   // of what references ask besides the error, as a way
#define NO_KP 100    // 1/s^2, its root in mode velocity: of rows without gains

// ---- memory

// The level's rows with a reach, as the basis sees them.
typedef struct Near {
    int count, left;
    int* row;         // [most]
    double *E, *e;    // [most x length] root A Z, [most] what they lack with x outside of Z alone, times root
    double* wide;     // [most x n] E without its filling, for the singular values
    double* put;      // [most x length] rows put in their place
    double* upper;    // [n x length] rows above, orthonormal
    double *rate, *a; // [rows], [length or most]
    double* singular; // sn_singularWork
} Near;

static size_t place(Near* near, int n, int rows, int most, double* work)
{
    double* row = NULL;
    const size_t length = (size_t)sn_runLength(n), count = (size_t)sn_runLength(most), N = (size_t)n;
    double** const to[] = {&row,         &near->E,    &near->e, &near->wide,    &near->put,
                           &near->upper, &near->rate, &near->a, &near->singular};
    const size_t size[] = {count,
                           count * length,
                           count,
                           count * length,
                           count * length,
                           N * length,
                           (size_t)sn_runLength(rows),
                           length + count,
                           sn_singularWork(most, n)};
    size_t all = 0;
    for (size_t i = 0; i < sizeof to / sizeof *to; i++) {
        if (work) *to[i] = work + all;
        all += size[i];
    }
    near->row = (int*)(void*)row;
    return all;
}

size_t sn_reachWork(int n, int rows, int most)
{
    Near near;
    return place(&near, n, rows, most, NULL);
}

// ---- what is singular

static bool hasReach(const snHqp* h, int i)
{
    return h->reach->size[i] > 0 && h->root[i] > 0 && h->lower[i] == h->upper[i];
}

// Rows of the level that have a reach, in the basis.
static void gather(snHqp* h, int level, Near* near)
{
    const snBasis* b = &h->basis;
    const size_t length = (size_t)h->length;
    place(near, h->unknowns, h->nrow, h->reach->most, h->reach->work);
    near->count = 0;
    near->left = b->n - b->taken;
    for (int i = h->start[level]; i < h->start[level + 1]; i++) {
        h->reach->missing[i] = 0;
        if (!hasReach(h, i)) continue;
        h->list[near->count] = h->A + (size_t)i * length;
        near->row[near->count++] = i;
    }
    sn_rowsProduct(h->list, near->count, b->Z + (size_t)b->taken * length, near->left, h->length, h->length,
                   near->E, h->length);
    double* z = near->a; // what x has in the basis, from which it may begin anywhere
    memset(z, 0, length * sizeof *z);
    sn_rowsDot(b->Z + (size_t)b->taken * length, near->left, h->length, h->x, h->length, z);
    for (int k = 0; k < near->count; k++) {
        const int i = near->row[k];
        double* E = near->E + (size_t)k * length;
        for (size_t j = (size_t)near->left; j < length; j++) E[j] = 0;
        for (int j = 0; j < near->left; j++) E[j] *= h->root[i];
        near->e[k] =
            h->root[i] * (h->upper[i] - sn_runDot(h->list[k], h->x, h->length)) + sn_runDot(E, z, h->length);
    }
}

static double ownSize(const snHqp* h, const Near* near, int k)
{
    return h->root[near->row[k]] * h->reach->size[near->row[k]];
}

// What the threshold is where the rows ask for so much (root times what they lack, beside root times size): a
// cycle must not lead past the singular pose.
static double thresholdOf(const snReach* r, double asked)
{
    const double way = asked * (r->accelerations ? r->dt * r->dt : r->dt);
    return sn_max(r->threshold, sn_min(sqrt(STEPS * way), WIDEST));
}

// Of the rows from `first` on, over those before, which stands highest beside its size; it takes the first
// place. Returns how high.
static double takeHighest(const snHqp* h, double* rows, double* own, int first, int count)
{
    double highest = -1;
    int best = first;
    for (int i = first; i < count; i++) {
        const double* row = rows + (size_t)i * (size_t)h->length;
        const double high = sqrt(sn_runDot(row, row, h->length)) / own[i];
        if (high > highest) highest = high, best = i;
    }
    double *a = rows + (size_t)first * (size_t)h->length, *b = rows + (size_t)best * (size_t)h->length;
    for (int j = 0; j < h->length && best != first; j++) {
        const double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
    const double kept = own[first];
    own[first] = own[best];
    own[best] = kept;
    return highest;
}

// Whether the rows, the highest first, stand high above those before them: then no singular value is small.
// Destroys `put` and `a`.
static bool isSurelyRegular(const snHqp* h, Near* near)
{
    const size_t length = (size_t)h->length;
    double asked = 0, *own = near->a;
    for (int k = 0; k < near->count; k++) {
        own[k] = ownSize(h, near, k);
        asked = sn_max(fabs(near->e[k]) / own[k], asked);
    }
    const double enough = SURELY * thresholdOf(h->reach, asked);
    memcpy(near->put, near->E, (size_t)near->count * length * sizeof *near->put);
    for (int k = 0; k < near->count; k++) {
        if (takeHighest(h, near->put, own, k, near->count) <= enough) return false;
        const double* v = near->put + (size_t)k * length;
        const double square = sn_runDot(v, v, h->length);
        for (int i = k + 1; i < near->count; i++) {
            double* E = near->put + (size_t)i * length;
            sn_runAdd(E, -sn_runDot(v, E, h->length) / square, v, h->length);
        }
    }
    return true;
}

// ---- directions

// One singular direction: s, u over the rows, v in the basis; along u the rows' size, what they ask and their
// error, all times root.
typedef struct Direction {
    double s, size, asks, error, threshold;
    const double *u, *v;
} Direction;

static double errorOf(const snHqp* h, const Near* near, int k)
{
    return h->root[near->row[k]] * h->reach->error[near->row[k]];
}

static double sizeAlong(const snHqp* h, const Near* near, const double* u)
{
    double square = 0;
    for (int k = 0; k < near->count; k++) {
        const double own = u[k] * ownSize(h, near, k);
        square += own * own;
    }
    return sqrt(square);
}

static Direction directionOf(const snHqp* h, const Near* near, const snSingular* f, int i)
{
    Direction p = {
        .s = f->s[i], .u = f->left + (size_t)i * (size_t)f->m, .v = f->right + (size_t)i * (size_t)f->n};
    for (int k = 0; k < near->count; k++) {
        p.asks += p.u[k] * near->e[k];
        p.error += p.u[k] * errorOf(h, near, k);
    }
    p.size = sizeAlong(h, near, p.u);
    p.threshold = thresholdOf(h->reach, fabs(p.asks) / p.size) * p.size;
    return p;
}

static bool isVoid(const Direction* p)
{
    return p->s <= VOID * p->size;
}

static bool isSmall(const Direction* p)
{
    return !isVoid(p) && p->s < p->threshold;
}

// false: a number that is not finite, of which the hierarchy speaks.
static bool factor(const snHqp* h, Near* near, snSingular* f)
{
    for (int k = 0; k < near->count; k++)
        memcpy(near->wide + (size_t)k * (size_t)near->left, near->E + (size_t)k * (size_t)h->length,
               (size_t)near->left * sizeof *near->wide);
    return sn_singular(near->wide, near->count, near->left, near->singular, f);
}

// Gains along u. Rows without a gain on their error have one here, or nothing would come to rest.
typedef struct Gains {
    double kp, kd;
} Gains;

static Gains gainsAlong(const snReach* r, const Near* near, const double* u)
{
    Gains g = {0, 0};
    for (int k = 0; k < near->count; k++) {
        g.kp += u[k] * u[k] * r->kp[near->row[k]];
        g.kd += u[k] * u[k] * r->kd[near->row[k]];
    }
    if (r->accelerations) return g.kp > 0 ? g : (Gains){sn_max(0.25 * g.kd * g.kd, NO_KP), g.kd};
    return (Gains){g.kp > 0 ? g.kp : sqrt(NO_KP), 0};
}

// What is asked beyond what can be, `far` along u, is told to the rows.
static void tell(const snHqp* h, const Near* near, const Direction* p, double far)
{
    if (!(fabs(far) > FAR * p->size)) return;
    for (int k = 0; k < near->count; k++)
        h->reach->missing[near->row[k]] += far * p->u[k] / h->root[near->row[k]];
}

// The error along directions that do not move at all: all that no other has.
static void tellVoid(const snHqp* h, const Near* near, const snSingular* f)
{
    double* left = near->a;
    double square = 0;
    for (int k = 0; k < near->count; k++) left[k] = errorOf(h, near, k);
    for (int i = 0; i < f->count; i++) {
        const Direction p = directionOf(h, near, f, i);
        for (int k = 0; k < near->count && !isVoid(&p); k++) left[k] -= p.error * p.u[k];
    }
    for (int k = 0; k < near->count; k++) square += left[k] * left[k];
    if (!(square > 0)) return;
    for (int k = 0; k < near->count; k++) left[k] /= sqrt(square);
    const Direction p = {.u = left, .size = sizeAlong(h, near, left)};
    tell(h, near, &p, sqrt(square));
}

bool sn_isSingular(snHqp* h, int level)
{
    Near near;
    snSingular f;
    if (!h->reach || !(h->reach->threshold > 0)) return false;
    gather(h, level, &near);
    if (!near.count || isSurelyRegular(h, &near) || !factor(h, &near, &f)) return false;
    bool any = false;
    for (int i = 0; i < f.count; i++) {
        const Direction p = directionOf(h, &near, &f, i);
        any |= isSmall(&p);
    }
    if (!any) tellVoid(h, &near, &f);
    return any;
}

// ---- the way along a direction

// What the rows above need to stay met, at the rates at which they turn: the least x with A x = -rate.
static void follow(const snHqp* h, int level, const Near* near)
{
    const size_t length = (size_t)h->length;
    int count = 0;
    memset(near->a, 0, length * sizeof *near->a);
    for (int i = 0; i < h->start[level] && count < h->unknowns; i++) {
        const bool holds = h->kind[i] == SN_LEVEL_EQUALITY || h->fixed.level[i] >= 0;
        if (!holds || h->kind[i] == SN_LEVEL_OUT || isnan(near->rate[i])) continue;
        double* q = near->upper + (size_t)count * length;
        memcpy(q, h->A + (size_t)i * length, length * sizeof *q);
        for (int j = 0; j < count; j++) {
            const double* other = near->upper + (size_t)j * length;
            sn_runAdd(q, -sn_runDot(q, other, h->length), other, h->length);
        }
        const double left = sqrt(sn_runDot(q, q, h->length));
        if (left <= 1e-6 * h->norm[i]) continue;
        for (size_t j = 0; j < length; j++) q[j] /= left;
        const double lacks = -near->rate[i] - sn_runDot(h->A + (size_t)i * length, near->a, h->length);
        sn_runAdd(near->a, lacks / left, q, h->length);
        count++;
    }
}

// h of the direction whose motion is v; 0 where it cannot be told.
static double bendOf(const snHqp* h, int level, const Near* near, const Direction* p, const double* v)
{
    double bend = 0;
    if (!h->reach->rate(h->reach->owner, v, near->rate)) return 0;
    follow(h, level, near);
    for (int k = 0; k < near->count; k++) {
        const int i = near->row[k];
        const double* A = h->A + (size_t)i * (size_t)h->length;
        bend += p->u[k] * h->root[i] * (near->rate[i] + sn_runDot(A, near->a, h->length));
    }
    return bend;
}

// What leads to the nearest point: the step is gain * e, e >= 0 the error and a part of what else is asked
// for, or a reference that keeps just ahead would never find its end. How much of the error is beyond.
static double gainTo(const Direction* p, double bend, double e, double* beyond)
{
    const double rest = sn_min(REST * p->size, sqrt(fabs(bend) * e)) + LEAST * p->size;
    const double D = p->s * p->s + 2 * bend * e;
    *beyond = 0;
    if (bend >= 0 || D >= rest * rest) return 2 / (p->s + sqrt(sn_max(D, 0)));
    *beyond = e + 0.5 * p->s * p->s / bend;
    return (p->s - rest) / (-bend * e);
}

// The motion along v of unit length: of positions by its part among the unknowns, of which some are forces.
typedef struct Motion {
    double square;   // of that part
    double velocity; // in units of v
    double now;      // what x has along it
} Motion;

static Motion motionOf(const snHqp* h, const double* v)
{
    const snReach* r = h->reach;
    Motion m = {0, 0, 0};
    for (int j = 0; j < r->motion; j++) {
        m.square += v[j] * v[j];
        m.velocity += v[j] * r->qvel[j];
        m.now += v[j] * h->x[j];
    }
    if (m.square > 0) m.velocity /= m.square;
    return m;
}

// Velocity or acceleration along v, in units of v: regular it is (kp e + others) / s - kd velocity.
static double goalOf(const snHqp* h, int level, const Near* near, const Direction* p, const Motion* m,
                     const double* v, double* bend)
{
    const snReach* r = h->reach;
    const Gains gains = gainsAlong(r, near, p->u);
    const double damping = r->accelerations ? gains.kd * m->velocity : 0;
    const double asks = p->asks + p->s * damping;
    const double others = asks - gains.kp * p->error, e = fabs(p->error) + AHEAD * fabs(others) / gains.kp;
    *bend = 0;
    if (!(e > 0)) return -damping;
    const double sign = p->error < 0 || (p->error == 0 && others < 0) ? -1 : 1;
    double beyond;
    *bend = sign * bendOf(h, level, near, p, v);
    const double gain = gainTo(p, *bend, e, &beyond);
    tell(h, near, p, sign * sn_min(sn_max(beyond, 0), fabs(p->error)));
    return gain * gains.kp * p->error + sn_max(gain, 0) * others - damping;
}

// How much of the motion alone there is in a direction's row: none at the threshold, all below half of its
// square. What bends towards its reference needs none until it hardly moves.
static double partOf(const Direction* p, double bend)
{
    const double threshold = (bend < 0 ? 1 : INWARDS) * p->threshold;
    return sn_min(sn_max(2 * (1 - p->s * p->s / (threshold * threshold)), 0), 1);
}

// A row along v, in the place of the rows' part u: [length], with what it lacks.
static double putRow(const snHqp* h, int level, const Near* near, const Direction* p, double* put)
{
    const snBasis* b = &h->basis;
    memset(put, 0, (size_t)h->length * sizeof *put);
    sn_rowsAdd(b->Z + (size_t)b->taken * (size_t)h->length, near->left, h->length, p->v, h->length, put);
    const double asks = p->asks / p->s - sn_runDot(put, h->x, h->length);
    if (!isSmall(p)) return asks;
    const Motion m = motionOf(h, put);
    if (!(m.square > 0)) return asks;
    double bend;
    const double goal = goalOf(h, level, near, p, &m, put, &bend), part = partOf(p, bend);
    for (int j = 0; j < h->reach->motion; j++) put[j] *= 1 - part + part / m.square;
    for (int j = h->reach->motion; j < h->length; j++) put[j] *= 1 - part;
    return (1 - part) * asks + part * (goal - m.now / m.square);
}

// ---- the list

// Rows of the same weight as those that they stand for, and not below that of the threshold: what else the
// level has does not push a direction about that moves little.
void sn_listReach(snHqp* h, int level)
{
    Near near;
    snSingular f;
    gather(h, level, &near);
    if (!factor(h, &near, &f)) return;
    tellVoid(h, &near, &f);
    sn_listBegin(h);
    for (int i = h->start[level]; i < h->start[level + 1]; i++)
        if (h->kind[i] == SN_LEVEL_EQUALITY && !hasReach(h, i)) sn_listRow(h, i, h->root[i], h->upper[i]);
    for (int i = 0; i < f.count; i++) {
        const Direction p = directionOf(h, &near, &f, i);
        if (isVoid(&p)) continue;
        double* put = near.put + (size_t)i * (size_t)h->length;
        const int at = h->basis.count++;
        const double lacks = putRow(h, level, &near, &p, put);
        h->list[at] = put;
        h->which[at] = near.row[0];
        h->factor[at] = sn_max(p.s, isSmall(&p) ? p.threshold : 0);
        h->size[at] = sqrt(sn_runDot(put, put, h->length));
        h->rhs[at] = h->factor[at] * lacks;
    }
}
