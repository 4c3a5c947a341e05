// For each target: src/target/prelude.h.
#include "loop/articulated/articulated.h"
#include <string.h>
#include "math/simd.h"
#include "math/spatial.h"
#include "model/arena.h"
#include "model/weld.h"
#include "smooth/kinematics/resistance.h"

// The inertia of an articulated body, any symmetric 6x6: columns, each padded to eight numbers.
typedef struct Articulated {
    v4 column[6][2];
} Articulated;

// A motion or a force, padded alike.
typedef struct Vector {
    v4 part[2];
} Vector;

// What the recursion keeps. Bodies that are welded together count as the first of them.
typedef struct Recursion {
    snInertia* rigid;  // [nbody]
    Articulated* hung; // [nbody] what hangs on a body's children, where `carries` it
    unsigned char* carries;
    snForce* bias;           // [nbody] p
    snMotion* acc;           // [nbody]
    double *U, *u, *inverse; // [nv x 6], [nv], [nv] of the y of a node, at the dofs of the node
    double *L, *L_free; // factors of D of a cluster, at its G; of a body in none, at 6 times its first dof
    snMotion *V, *C;    // [largest node] velocity under each y, and acceleration without, after each dof
} Recursion;

// A cluster, or a body in none: dofs, and qacc of them = G y + g.
typedef struct Node {
    int n, k; // dofs, y
    const int* dof;
    const double *G, *g; // rows of n numbers
    int cluster;         // -1
    int root;            // the body it hangs on
    double* L;           // [k x k]
} Node;

static const double IDENTITY[36] = {[0] = 1, [7] = 1, [14] = 1, [21] = 1, [28] = 1, [35] = 1}, NOTHING[6];

// ---- algebra

SN_INLINE Vector loadVector(const double* p)
{
    return (Vector){{v4_loadAny(p), v4_of(p[4], p[5], 0, 0)}};
}

SN_INLINE void addMul(const Articulated* I, const double* v, double* f)
{
    v4 a = {0}, b = {0};
    for (int k = 0; k < 6; k++) {
        a += I->column[k][0] * v4_all(v[k]);
        b += I->column[k][1] * v4_all(v[k]);
    }
    v4_storeAny(f, v4_loadAny(f) + a);
    f[4] += b[0];
    f[5] += b[1];
}

// I += s f f'
SN_INLINE void addOuter(Articulated* I, const double* f, double s)
{
    const Vector x = loadVector(f);
    for (int k = 0; k < 6; k++) {
        const double scale = s * f[k];
        I->column[k][0] += x.part[0] * v4_all(scale);
        I->column[k][1] += x.part[1] * v4_all(scale);
    }
}

SN_INLINE void addArticulated(Articulated* I, const Articulated* more)
{
    for (int k = 0; k < 6; k++) {
        I->column[k][0] += more->column[k][0];
        I->column[k][1] += more->column[k][1];
    }
}

SN_INLINE Articulated ofRigid(snInertia I)
{
    const snVec3 h = I.h;
    const double m = I.mass;
    return (Articulated){{{v4_of(I.xx, I.xy, I.xz, 0), v4_of(-h.z, h.y, 0, 0)},
                          {v4_of(I.xy, I.yy, I.yz, h.z), v4_of(0, -h.x, 0, 0)},
                          {v4_of(I.xz, I.yz, I.zz, -h.y), v4_of(h.x, 0, 0, 0)},
                          {v4_of(0, h.z, -h.y, m), v4_all(0)},
                          {v4_of(-h.z, 0, h.x, 0), v4_of(m, 0, 0, 0)},
                          {v4_of(h.y, -h.x, 0, 0), v4_of(0, m, 0, 0)}}};
}

// ---- nodes

static Node nodeAt(const snModel* m, const snData* d, const Recursion* r, int dof, int* own)
{
    const int c = d->dof_cluster[dof], above = m->dof_parentid[dof];
    Node node = {.cluster = c, .root = above < 0 ? 0 : m->dof_bodyid[above]};
    if (c < 0) {
        node.n = node.k = m->body_dofnum[m->dof_bodyid[dof]];
        for (int i = 0; i < node.n; i++) own[i] = dof + i;
        node.dof = own;
        node.G = IDENTITY;
        node.g = NOTHING;
        node.L = r->L_free + 6 * dof;
        return node;
    }
    node.n = d->cluster_dofnum[c];
    node.k = node.n - d->cluster_rank[c];
    node.dof = d->loop_dof + d->cluster_dofadr[c];
    node.G = d->loop_G + d->cluster_Gadr[c];
    node.g = d->loop_g + d->cluster_dofadr[c];
    node.L = r->L + d->cluster_Gadr[c];
    return node;
}

// Whether a node begins at this dof, its first.
static inline bool beginsAt(const snModel* m, const snData* d, int dof)
{
    return d->dof_cluster[dof] < 0 ? m->body_dofadr[m->dof_bodyid[dof]] == dof : d->dof_place[dof] == 0;
}

// Numbers in a row of G.
static inline int strideOf(const Node* node)
{
    return node->cluster < 0 ? 6 : node->n;
}

// The place in the node of the dof above the one at place i; -1: the root's.
static inline int placeAbove(const snModel* m, const snData* d, const Node* node, int i)
{
    if (node->cluster < 0) return i - 1;
    const int above = m->dof_parentid[node->dof[i]];
    return above >= 0 && d->dof_cluster[above] == node->cluster ? d->dof_place[above] : -1;
}

static inline bool isLast(const snModel* m, int dof)
{
    const int b = m->dof_bodyid[dof];
    return dof == m->body_dofadr[b] + m->body_dofnum[b] - 1;
}

bool sn_clustersAreJoints(const snModel* m, const snData* d)
{
    for (int c = 0; c < d->ncluster; c++) {
        const int *dof = d->loop_dof + d->cluster_dofadr[c], n = d->cluster_dofnum[c];
        const int root = m->dof_parentid[dof[0]];
        for (int i = 0; i < n; i++) {
            const int b = m->dof_bodyid[dof[i]], first = m->body_dofadr[b], above = m->dof_parentid[dof[i]];
            if (d->dof_cluster[first + m->body_dofnum[b] - 1] != c) return false;
            if (above != root && (above < 0 || d->dof_cluster[above] != c)) return false;
        }
    }
    return true;
}

// ---- from the tips to the roots

static void start(const snModel* m, const snData* d, const Recursion* r)
{
    memcpy(r->rigid, d->cinert, (size_t)m->nbody * sizeof(snInertia));
    memset(r->carries, 0, (size_t)m->nbody);
    for (int b = m->nbody - 1; b > 0; b--)
        if (m->body_weldid[b] != b)
            r->rigid[m->body_weldid[b]] = sn_inertiaAdd(r->rigid[m->body_weldid[b]], r->rigid[b]);
    for (int b = 1; b < m->nbody; b++) {
        if (!m->body_dofnum[b]) continue;
        const snMotion v = sn_motionLoad(d->cvel + 6 * b);
        r->bias[b] = sn_crossForce(v, sn_inertiaMul(r->rigid[b], v));
    }
}

// What a body's inertia, with all that hangs on it, makes of a motion.
static inline snForce mulBody(const Recursion* r, int b, snMotion v)
{
    snForce f = sn_inertiaMul(r->rigid[b], v);
    if (r->carries[b]) addMul(r->hung + b, &v.ang.x, &f.ang.x);
    return f;
}

// Sums over the bodies of a node.
typedef struct Sum {
    snInertia rigid;
    snForce w;
    Articulated hung;
    bool carries;
} Sum;

// Adds the body of which this is the last dof: to U, D (lower triangle) and u, and to the sums.
SN_INLINE void addBody(const Recursion* r, const Node* node, int b, const snMotion* V, snMotion C,
                       const int k, double* D, Sum* sum)
{
    const snForce w = sn_forceAdd(mulBody(r, b, C), r->bias[b]);
    for (int t = 0; t < k; t++) {
        const int at = node->dof[t];
        const snForce f = mulBody(r, b, V[t]);
        for (int s = t; s < k; s++) D[s * k + t] += sn_motionDotForce(V[s], f);
        sn_forceStore(r->U + 6 * at, sn_forceAdd(sn_forceLoad(r->U + 6 * at), f));
        r->u[at] -= sn_motionDotForce(V[t], w);
    }
    sum->w = sn_forceAdd(sum->w, w);
    sum->rigid = sn_inertiaAdd(sum->rigid, r->rigid[b]);
    if (!r->carries[b]) return;
    addArticulated(&sum->hung, r->hung + b);
    sum->carries = true;
}

SN_INLINE void addDofs(const snModel* m, const snData* d, const Recursion* r, const Node* node,
                       const double* tau, const int k, double* D, Sum* sum)
{
    const int stride = strideOf(node);
    for (int t = 0; t < k; t++) {
        sn_forceStore(r->U + 6 * node->dof[t], (snForce){0});
        r->u[node->dof[t]] = 0;
    }
    for (int i = 0; i < k * k; i++) D[i] = 0;
    for (int i = 0; i < node->n; i++) {
        const int dof = node->dof[i], above = placeAbove(m, d, node, i);
        const snMotion S = sn_motionLoad(d->cdof + 6 * dof), rate = sn_motionLoad(d->cdof_dot + 6 * dof);
        const double *G = node->G + i * stride, armature = sn_armatureOfDof(m, dof),
                     force = tau[dof] - armature * node->g[i];
        snMotion *V = r->V + i * k, C = above < 0 ? (snMotion){0} : r->C[above];
        C = sn_motionAddScaled(sn_motionAddScaled(C, d->qvel[dof], rate), node->g[i], S);
        r->C[i] = C;
        for (int t = 0; t < k; t++) {
            V[t] = sn_motionAddScaled(above < 0 ? (snMotion){0} : r->V[above * k + t], G[t], S);
            for (int s = t; s < k; s++) D[s * k + t] += armature * G[s] * G[t];
            r->u[node->dof[t]] += G[t] * force;
        }
        if (isLast(m, dof)) addBody(r, node, m->dof_bodyid[dof], V, C, k, D, sum);
    }
}

// D = L diag L', and U and u through inv(L).
static void factor(snData* d, const Recursion* r, const Node* node)
{
    const int k = node->k;
    double* L = node->L;
    for (int t = 0; t < k; t++) {
        const int at = node->dof[t];
        const double pivot = L[t * k + t];
        if (!(pivot > SN_MINVAL)) sn_warn(d, SN_WARN_INERTIA, at);
        r->inverse[at] = pivot > SN_MINVAL ? 1 / pivot : 0;
        for (int s = t + 1; s < k; s++) {
            const int below = node->dof[s];
            const double kept = L[s * k + t], l = kept * r->inverse[at];
            for (int p = s; p < k; p++) L[p * k + s] -= l * L[p * k + t];
            for (int i = 0; i < 6; i++) r->U[6 * below + i] -= l * r->U[6 * at + i];
            r->u[below] -= l * r->u[at];
        }
        for (int s = t + 1; s < k; s++) L[s * k + t] *= r->inverse[at];
    }
}

// What the root feels of a node: its inertia less what its y give way.
SN_INLINE void passOn(const Recursion* r, const Node* node, const Sum* sum)
{
    const int root = node->root;
    Articulated I = ofRigid(sum->rigid);
    snForce w = sum->w;
    if (sum->carries) addArticulated(&I, &sum->hung);
    for (int t = 0; t < node->k; t++) {
        const int at = node->dof[t];
        const double s = r->inverse[at] * r->u[at], *U = r->U + 6 * at;
        addOuter(&I, U, -r->inverse[at]);
        w = (snForce){sn_v3AddScaled(w.ang, s, sn_v3Load(U)), sn_v3AddScaled(w.lin, s, sn_v3Load(U + 3))};
    }
    if (r->carries[root])
        addArticulated(r->hung + root, &I);
    else
        r->hung[root] = I;
    r->carries[root] = 1;
    r->bias[root] = sn_forceAdd(r->bias[root], w);
}

SN_INLINE void inwards(const snModel* m, snData* d, const Recursion* r, const Node* node, const double* tau)
{
    Sum sum = {.carries = false};
    if (node->k == 1)
        addDofs(m, d, r, node, tau, 1, node->L, &sum);
    else
        addDofs(m, d, r, node, tau, node->k, node->L, &sum);
    factor(d, r, node);
    if (node->root) passOn(r, node, &sum);
}

// ---- from the roots to the tips

// y, at the dofs of u: L' y = inv(diag) (u - U a).
static inline void solveNode(const Recursion* r, const Node* node)
{
    const int k = node->k;
    const snMotion a = r->acc[node->root];
    for (int t = k - 1; t >= 0; t--) {
        const int at = node->dof[t];
        double y = r->inverse[at] * (r->u[at] - sn_motionDotForce(a, sn_forceLoad(r->U + 6 * at)));
        for (int s = t + 1; s < k; s++) y -= node->L[s * k + t] * r->u[node->dof[s]];
        r->u[at] = y;
    }
}

static inline void outwards(const snModel* m, const snData* d, const Recursion* r, const Node* node,
                            double* qacc)
{
    const int stride = strideOf(node);
    solveNode(r, node);
    snMotion a = r->acc[node->root];
    for (int i = 0; i < node->n; i++) {
        const int dof = node->dof[i], b = m->dof_bodyid[dof];
        double x = node->g[i];
        for (int t = 0; t < node->k; t++) x += node->G[i * stride + t] * r->u[node->dof[t]];
        qacc[dof] = x;
        if (m->body_dofadr[b] == dof) a = r->acc[sn_moverOf(m, m->body_parentid[b])];
        a = sn_motionAddScaled(a, d->qvel[dof], sn_motionLoad(d->cdof_dot + 6 * dof));
        a = sn_motionAddScaled(a, x, sn_motionLoad(d->cdof + 6 * dof));
        if (isLast(m, dof)) r->acc[b] = a;
    }
}

// ----

static bool allocate(const snModel* m, snData* d, Recursion* r)
{
    int most = 6; // dofs of a node
    for (int c = 0; c < d->ncluster; c++)
        if (d->cluster_dofnum[c] > most) most = d->cluster_dofnum[c];
    const size_t bodies = (size_t)m->nbody, n = (size_t)most;
    r->rigid = sn_scratchAlloc(d, bodies * sizeof *r->rigid);
    r->hung = sn_scratchAlloc(d, bodies * sizeof *r->hung);
    r->carries = sn_scratchAlloc(d, bodies);
    r->bias = sn_scratchAlloc(d, bodies * sizeof *r->bias);
    r->acc = sn_scratchAlloc(d, bodies * sizeof *r->acc);
    r->U = sn_scratchReal(d, 6 * m->nv);
    r->u = sn_scratchReal(d, m->nv);
    r->inverse = sn_scratchReal(d, m->nv);
    r->L = sn_scratchReal(d, d->nloopG);
    r->L_free = sn_scratchReal(d, 6 * m->nv);
    r->V = sn_scratchAlloc(d, n * n * sizeof *r->V);
    r->C = sn_scratchAlloc(d, n * sizeof *r->C);
    return r->rigid && r->hung && r->carries && r->bias && r->acc && r->U && r->u && r->inverse && r->L &&
           r->L_free && r->V && r->C;
}

__attribute__((flatten)) static void recur(const snModel* m, snData* d, const Recursion* r, const double* tau,
                                           double* qacc)
{
    const bool gravity = !(m->opt.disableflags & SN_DSBL_GRAVITY);
    int own[6];
    start(m, d, r);
    for (int i = m->nv - 1; i >= 0; i--) {
        if (!beginsAt(m, d, i)) continue;
        const Node node = nodeAt(m, d, r, i, own);
        inwards(m, d, r, &node, tau);
    }
    r->acc[0] = (snMotion){0};
    if (gravity) r->acc[0].lin = sn_v3Neg(sn_v3Load(m->opt.gravity));
    for (int i = 0; i < m->nv; i++) {
        if (!beginsAt(m, d, i)) continue;
        const Node node = nodeAt(m, d, r, i, own);
        outwards(m, d, r, &node, qacc);
    }
}

bool sn_articulatedAcceleration(const snModel* m, snData* d, const double* tau, double* qacc)
{
    const size_t mark = sn_scratchMark(d);
    Recursion r;
    const bool room = allocate(m, d, &r);
    if (room) recur(m, d, &r, tau, qacc);
    sn_scratchRelease(d, mark);
    return room;
}
