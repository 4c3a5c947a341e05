// Manipulability w = log sqrt det G, G = J J', of the selected rows and dofs of a frame's Jacobian. With
// P = inv(G) J,
//     dw/dq_i = sum over the dofs k of P_k . dJ_k/dq_i,
// where dof i turns the columns J_k = (l, w) of the dofs below it, w_i x J_k, and is turned by those above it
// as far as it moves the origin, w_k x l_i. By triple products the sum is
//     w_i . sum over k from i down of (l_k x P_k,l + w_k x P_k,w) + l_i . sum over k above of P_k,l x w_k,
// so that two sums along the chain give the whole gradient. In the frame's own axes, which turn with dof i,
// w_i x J_k is taken from all k. With rates along qvel
//     w'' = tr(P J''') + tr(inv(G) J'J'^T) - tr((inv(G) J'J^T + X) X),   X = P J'^T
// (J''' stands for the transpose of J'').
//
// G + lambda 1 stands for G, lambda 1e-12 of the mean of its diagonal: where J loses rank w and the row stay
// finite, elsewhere nothing changes. Source: Yoshikawa 1985 (the measure).
#include <math.h>
#include "control/task/column_rates.h"
#include "control/task/frame.h"
#include "control/task/goal.h"
#include "control/task/rows.h"
#include "model/arena.h"

enum { ROWS = 6 };

// The columns that count, in the rows' axes: selected rows of (linear, angular), n of them.
typedef struct Selected {
    int n, row[ROWS];
    double inverse[ROWS * ROWS]; // of G
} Selected;

// What a column adds to the two sums of the gradient.
typedef struct Sums {
    snVec3 turned, moved;
} Sums;

typedef struct Chain {
    int count;
    snColumnRates* columns;
    Sums* terms;
    bool* counts; // a dof that is selected
    snMotion vel, acc;
    snMat3 R; // of the frame
    bool local;
} Chain;

static bool isSelected(const snTask* t, int dof)
{
    for (int i = 0; i < t->set.ndof; i++)
        if (t->set.dof[i] == dof) return true;
    return false;
}

static bool makeChain(const snModel* m, snData* d, const snTask* t, Chain* c)
{
    snFrameMotion motion;
    const int body = sn_frameBody(m, t->set.objtype, t->set.objid);
    c->count = sn_columnCount(m, body);
    c->columns = sn_scratchAlloc(d, (size_t)c->count * sizeof *c->columns);
    c->terms = sn_scratchAlloc(d, (size_t)c->count * sizeof *c->terms);
    c->counts = sn_scratchAlloc(d, (size_t)c->count * sizeof *c->counts);
    if (!c->columns || !c->terms || !c->counts) return false;
    sn_frameMotion(m, d, t->set.objtype, t->set.objid, t->set.offset, &motion, NULL, 0);
    sn_columnRates(m, d, body, sn_v3Load(motion.pos), c->columns, &c->vel, &c->acc);
    for (int i = 0; i < c->count; i++) c->counts[i] = isSelected(t, c->columns[i].dof);
    c->local = t->set.local;
    c->R = sn_m3Load(motion.mat);
    return true;
}

// A vector of the world and its rates, seen from axes that turn with angular velocity w and rate alpha.
static void seen(const Chain* c, snVec3 x, snVec3 x1, snVec3 x2, double* to, double* to1, double* to2)
{
    if (c->local) {
        const snVec3 w = c->vel.ang, turned = sn_v3Cross(w, x);
        x2 = sn_v3AddScaled(x2, -2, sn_v3Cross(w, x1));
        x2 = sn_v3Add(sn_v3Sub(x2, sn_v3Cross(c->acc.ang, x)), sn_v3Cross(w, turned));
        x1 = sn_m3TMul(c->R, sn_v3Sub(x1, turned));
        x2 = sn_m3TMul(c->R, x2);
        x = sn_m3TMul(c->R, x);
    }
    sn_v3Store(to, x);
    sn_v3Store(to1, x1);
    sn_v3Store(to2, x2);
}

// Column i and its rates in the rows' axes, linear first.
static void columnOf(const Chain* c, int i, double J[ROWS], double rate[ROWS], double rate2[ROWS])
{
    const snColumnRates* k = c->columns + i;
    seen(c, k->J.lin, k->rate.lin, k->rate2.lin, J, rate, rate2);
    seen(c, k->J.ang, k->rate.ang, k->rate2.ang, J + 3, rate + 3, rate2 + 3);
}

// M [n x n] += a b'
static void addProduct(const Selected* s, double* M, const double a[ROWS], const double b[ROWS])
{
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) M[i * ROWS + j] += a[s->row[i]] * b[s->row[j]];
}

// The inverse of a positive definite matrix [n x n, rows of ROWS], by elimination from the diagonal.
static void invert(int n, double* M)
{
    for (int p = 0; p < n; p++) {
        const double pivot = M[p * ROWS + p];
        M[p * ROWS + p] = 1;
        for (int j = 0; j < n; j++) M[p * ROWS + j] /= pivot;
        for (int i = 0; i < n; i++) {
            if (i == p) continue;
            const double factor = M[i * ROWS + p];
            M[i * ROWS + p] = 0;
            for (int j = 0; j < n; j++) M[i * ROWS + j] -= factor * M[p * ROWS + j];
        }
    }
}

// The sums that w'' is made of: J J', J' J^T, J'J'^T, J'' J^T (primes rates).
typedef struct Products {
    double G[ROWS * ROWS], first[ROWS * ROWS], second[ROWS * ROWS], bent[ROWS * ROWS];
} Products;

static Products productsOf(const Chain* c, const Selected* s)
{
    Products p;
    memset(&p, 0, sizeof p);
    for (int i = 0; i < c->count; i++) {
        double J[ROWS], rate[ROWS], rate2[ROWS];
        if (!c->counts[i]) continue;
        columnOf(c, i, J, rate, rate2);
        addProduct(s, p.G, J, J);
        addProduct(s, p.first, rate, J);
        addProduct(s, p.second, rate, rate);
        addProduct(s, p.bent, rate2, J);
    }
    return p;
}

// False: no dof moves the rows.
static bool invertGram(const Products* p, Selected* s)
{
    double trace = 0;
    for (int i = 0; i < s->n; i++) trace += p->G[i * ROWS + i];
    if (!(trace > SN_MINVAL * SN_MINVAL) || !isfinite(trace)) return false;
    memcpy(s->inverse, p->G, sizeof s->inverse);
    for (int i = 0; i < s->n; i++) s->inverse[i * ROWS + i] += 1e-12 * trace / s->n;
    invert(s->n, s->inverse);
    return true;
}

static void multiply(int n, const double* a, const double* b, double* ab)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < n; k++) sum += a[i * ROWS + k] * b[k * ROWS + j];
            ab[i * ROWS + j] = sum;
        }
}

static double traceOf(int n, const double* a, const double* b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) sum += a[i * ROWS + k] * b[k * ROWS + i];
    return sum;
}

// w'' along qvel. tr(P J''^T) = tr(inv(G) J J''^T), and so on.
static double driftOf(const Products* p, const Selected* s)
{
    double X[ROWS * ROWS], Y[ROWS * ROWS], transposed[ROWS * ROWS];
    const int n = s->n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) transposed[i * ROWS + j] = p->first[j * ROWS + i];
    multiply(n, s->inverse, transposed, X);
    multiply(n, s->inverse, p->first, Y);
    for (int i = 0; i < n * ROWS; i++) Y[i] += i % ROWS < n ? X[i] : 0;
    return traceOf(n, s->inverse, p->bent) + traceOf(n, s->inverse, p->second) - traceOf(n, Y, X);
}

// P_k of column i, in world axes.
static snMotion weightOf(const Chain* c, const Selected* s, int i)
{
    double J[ROWS], rate[ROWS], rate2[ROWS], P[ROWS] = {0};
    columnOf(c, i, J, rate, rate2);
    for (int a = 0; a < s->n; a++)
        for (int b = 0; b < s->n; b++) P[s->row[a]] += s->inverse[a * ROWS + b] * J[s->row[b]];
    const snVec3 lin = sn_v3Load(P), ang = sn_v3Load(P + 3);
    return c->local ? (snMotion){sn_m3Mul(c->R, ang), sn_m3Mul(c->R, lin)} : (snMotion){ang, lin};
}

static Sums termOf(const Chain* c, const Selected* s, int i)
{
    if (!c->counts[i]) return (Sums){{0, 0, 0}, {0, 0, 0}};
    const snMotion J = c->columns[i].J, P = weightOf(c, s, i);
    return (Sums){sn_v3Add(sn_v3Cross(J.lin, P.lin), sn_v3Cross(J.ang, P.ang)), sn_v3Cross(P.lin, J.ang)};
}

static void gradient(const Chain* c, const Selected* s, double* A)
{
    Sums all = {{0, 0, 0}, {0, 0, 0}}, above = all; // over all, over the groups above
    for (int i = 0; i < c->count; i++) {
        c->terms[i] = termOf(c, s, i);
        all.turned = sn_v3Add(all.turned, c->terms[i].turned);
    }
    for (int first = 0, end; first < c->count; first = end) {
        Sums next = above;
        for (end = first; end < c->count && c->columns[end].group == first; end++) {
            const Sums term = c->terms[end];
            const snMotion J = c->columns[end].J;
            const snVec3 below = sn_v3Sub(c->local ? sn_v3(0, 0, 0) : all.turned, above.turned);
            A[c->columns[end].dof] = sn_v3Dot(J.ang, below) + sn_v3Dot(J.lin, above.moved);
            next.turned = sn_v3Add(next.turned, term.turned);
            next.moved = sn_v3Add(next.moved, term.moved);
        }
        above = next;
    }
}

static Selected selectRows(unsigned axes)
{
    Selected s = {.n = 0};
    for (int i = 0; i < ROWS; i++)
        if (!axes || axes >> i & 1) s.row[s.n++] = i;
    return s;
}

int sn_manipulabilityRows(const snModel* m, snData* d, snTask* t, int mode, double dt, int columns, double* A,
                          double* lower, double* upper)
{
    (void)dt;
    Chain chain;
    Selected s = selectRows(t->set.axes);
    const snReference ref = {t->vel[0], t->acc[0]};
    const size_t mark = sn_scratchMark(d);
    double v = 0, drift = 0;
    memset(A, 0, (size_t)columns * sizeof(double));
    if (makeChain(m, d, t, &chain)) {
        const Products p = productsOf(&chain, &s);
        if (invertGram(&p, &s)) {
            gradient(&chain, &s, A);
            drift = driftOf(&p, &s);
        }
    } else {
        sn_warnFull(d);
    }
    sn_scratchRelease(d, mark);
    for (int k = 0; k < m->nv; k++) v += A[k] * d->qvel[k];
    sn_goalRow(t, 0, mode, ref, 0, v, drift, lower, upper);
    t->error[0] = t->vel[0] - v;
    return 1;
}
