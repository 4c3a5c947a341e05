// For each target: src/target/prelude.h.
// Only the relative motion of the two geoms changes dist, and moving both moves the rest rigidly: six
// directions of geom[1] say all. With w about x0, v the motion of geom[0] in place of it,
//
//     rate by geom[0] = rigid motion (w, v) - rate by geom[1] moving with (w, v + w x (x1 - x0)).
//
// The frame: normal n, tangent h made orthogonal to n. It turns by n x dn and about n by
//     (t2.dh - (n.h) t2.dn) / |h across n|,   h an axis of the world (dh = 0) or of a geom.
#include "derivative/contact/geometry.h"
#include "base/error.h"
#include "collision/contact/contact.h"
#include "derivative/contact/piece.h"
#include "derivative/contact/rerun.h"
#include "model/contact.h"

SN_INLINE snContactRates ratesOf(const snMovingPoint* p, int i)
{
    return (snContactRates){p->dist.d[i], sn_jet3Rate(&p->pos, i), sn_jet3Rate(&p->normal, i),
                            sn_jet3Rate(&p->tangent, i)};
}

SN_INLINE snContactRates addRates(snContactRates a, real s, snContactRates b)
{
    return (snContactRates){a.dist + s * b.dist, sn_v3AddScaled(a.pos, s, b.pos),
                            sn_v3AddScaled(a.normal, s, b.normal), sn_v3AddScaled(a.tangent, s, b.tangent)};
}

// What the frame is made of, and where it stands
typedef struct Frame {
    snVec3 n, t2, h;
    real inv; // 1 / |h across n|
} Frame;

static Frame frameOf(const snContact* con, const snMovingPoint* p)
{
    Frame f = {sn_v3Load(con->frame), sn_v3Load(con->frame + 6), sn_jet3Value(p->tangent), 0};
    if (sn_v3Dot(f.h, f.h) == 0) f.h = fabs(f.n.y) < 0.5 ? sn_v3(0, 1, 0) : sn_v3(0, 0, 1);
    const real across = sn_v3Norm(sn_v3AddScaled(f.h, -sn_v3Dot(f.n, f.h), f.n));
    f.inv = across < SN_MINVAL ? 0 : 1 / across;
    return f;
}

SN_INLINE snVec3 turn(const Frame* f, const snContactRates* r)
{
    const real spin = sn_v3Dot(f->t2, sn_v3AddScaled(r->tangent, -sn_v3Dot(f->n, f->h), r->normal));
    return sn_v3AddScaled(sn_v3Cross(f->n, r->normal), spin * f->inv, f->n);
}

static snVec3 unit(int i)
{
    return sn_v3(i == 0, i == 1, i == 2);
}

// ---- shapes

// Values alone: written one by one into zeros, as jets are long.
static void stand(snMovingShape* s, const snShape* shape, snVec3 origin)
{
    memset(s, 0, sizeof *s);
    s->shape = shape;
    sn_jet3SetValue(&s->pos, sn_v3Sub(shape->pos, origin));
    for (int i = 0; i < 3; i++) sn_jet3SetValue(&s->axis[i], sn_m3Col(shape->mat, i));
    s->size[0].x = shape->size.x;
    s->size[1].x = shape->size.y;
    s->size[2].x = shape->size.z;
}

static void move(snMovingShape* s)
{
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++)
            sn_jet3SetRate(&s->axis[i], k, sn_v3Cross(unit(k), sn_jet3Value(s->axis[i])));
        sn_jet3SetRate(&s->pos, 3 + k, unit(k));
    }
}

static void grow(snTouching* t)
{
    for (int k = 0; k < 3; k++) t->a.size[k].d[k] = t->b.size[k].d[3 + k] = 1;
}

static void meet(const snShape shape[2], const snContact* con, snTouching* t)
{
    stand(&t->a, &shape[0], shape[0].pos);
    stand(&t->b, &shape[1], shape[0].pos);
    t->dist = con->dist;
    t->pos = sn_v3Sub(sn_v3Load(con->pos), shape[0].pos);
    t->normal = sn_v3Load(con->frame);
    const real far_b = sn_v3Norm(sn_v3Sub(t->pos, sn_jet3Value(t->b.pos)));
    t->scale = SN_MINVAL + fabs(con->dist) + far_b + sn_v3Norm(t->pos);
}

bool sn_reproduces(const snTouching* t, const snMovingPoint* p, real tolerance)
{
    const real off = tolerance * t->scale;
    return fabs(p->dist.x - t->dist) <= off && sn_v3Norm(sn_v3Sub(sn_jet3Value(p->pos), t->pos)) <= off &&
           sn_v3Norm(sn_v3Sub(sn_jet3Value(p->normal), t->normal)) <= tolerance;
}

// ---- which piece

static bool isFinite(const snMovingPoint* p)
{
    real sum = 0;
    for (int i = 0; i < SN_NJET; i++) {
        const snVec3 x = sn_jet3Rate(&p->pos, i), n = sn_jet3Rate(&p->normal, i);
        sum += fabs(p->dist.d[i]) + fabs(x.x) + fabs(x.y) + fabs(x.z) + fabs(n.x) + fabs(n.y) + fabs(n.z);
    }
    return isfinite(sum);
}

static bool findPiece(const snModel* m, const snTouching* t, snMovingPoint* out)
{
    const int a = t->a.shape->type, b = t->b.shape->type;
    if (sn_hasDistances(b)) return false;
    if (sn_isEndless(a)) return sn_planePiece(t, out);
    if (sn_isField(a)) return sn_hfieldPiece(m, t, out);
    if (a == SN_GEOM_BOX && b == SN_GEOM_BOX) return sn_boxBoxPiece(m->physics, t, out);
    if (a == SN_GEOM_CAPSULE && b == SN_GEOM_BOX) return sn_capsuleBoxPiece(t, out);
    return !sn_isShared(m, t) && sn_stationaryPiece(t, out);
}

static snStatus unsupported(const snModel* m, const snContact* con, snError* error)
{
    const int g1 = con->geom[0], g2 = con->geom[1];
    return sn_fail(
        error, SN_STATUS_UNSUPPORTED,
        "the contact of geoms '%s' (id %d) and '%s' (id %d) has no derivative here: they touch in a "
        "patch, or where it jumps; sn_transitionFD differences the step instead",
        m->names + m->name_geomadr[g1], g1, m->names + m->name_geomadr[g2], g2);
}

// The nearest points of two convex shapes are those of GJK and EPA whatever the shapes.
static bool nearestPiece(const snModel* m, const snTouching* t, snMovingPoint* out)
{
    const int a = t->a.shape->type;
    return sn_isEndless(a) || sn_isField(a) ? findPiece(m, t, out) : sn_stationaryPiece(t, out);
}

static bool isGeom(const snModel* m, int g)
{
    return g >= 0 && g < m->ngeom;
}

// The piece of a contact, in jets of motions of geom[1] or of sizes. SN_STATUS_UNSUPPORTED: there is none,
// and no error is filled in.
static snStatus follow(const snModel* m, const snData* d, const snContact* con, bool sizes, snTouching* t,
                       snShape shape[2], snMovingPoint* p, snError* error)
{
    if (!isGeom(m, con->geom[0]) || !isGeom(m, con->geom[1]))
        return sn_fail(error, SN_STATUS_ARGUMENT, "a contact of geoms %d and %d: the model has %d",
                       con->geom[0], con->geom[1], m->ngeom);
    for (int i = 0; i < 2; i++) shape[i] = sn_geomShape(m, d, con->geom[i]);
    meet(shape, con, t);
    if (sizes)
        grow(t);
    else
        move(&t->b);
    return findPiece(m, t, p) && isFinite(p) ? SN_STATUS_OK : SN_STATUS_UNSUPPORTED;
}

// The same for all motions of both geoms, or all sizes, when there is no piece
static bool rerun(const snModel* m, const snTouching* t, int first, int count, snMovingPoint* p,
                  snContactRates* rates)
{
    memset(p, 0, sizeof *p);
    for (int k = 0; k < count; k++)
        if (!sn_rerunRates(m, t, first + k, &rates[k])) return false;
    return true;
}

// Motions of geom[0] from those of geom[1], which are behind them
static void moveFirst(const snTouching* t, const snMovingPoint* p, snContactRates rates[2 * SN_NJET])
{
    const snContactRates* second = rates + SN_NJET;
    for (int k = 0; k < 3; k++) {
        const snVec3 w = unit(k), v = sn_v3Cross(w, sn_jet3Value(t->b.pos));
        snContactRates r = {0, sn_v3Cross(w, t->pos), sn_v3Cross(w, t->normal), {0, 0, 0}};
        if (p->rides) r.tangent = sn_v3Cross(w, sn_jet3Value(p->tangent));
        r = addRates(r, -1, second[k]);
        r = addRates(r, -v.x, second[3]);
        r = addRates(r, -v.y, second[4]);
        rates[k] = addRates(r, -v.z, second[5]);
        rates[3 + k] = addRates((snContactRates){.pos = w}, -1, second[3 + k]);
    }
}

static void gradientOf(const snContact* con, const snMovingPoint* p, const snContactRates rates[2 * SN_NJET],
                       snContactGradient* g)
{
    const Frame f = frameOf(con, p);
    for (int k = 0; k < 2 * SN_NJET; k++) {
        real x[3], w[3];
        sn_v3Store(x, rates[k].pos);
        sn_v3Store(w, turn(&f, &rates[k]));
        g->dist[k] = rates[k].dist;
        for (int i = 0; i < 3; i++) {
            g->pos[i][k] = x[i];
            g->turn[i][k] = w[i];
        }
    }
}

static void gradientOfPiece(const snContact* con, const snTouching* t, const snMovingPoint* p,
                            snContactGradient* g)
{
    snContactRates rates[2 * SN_NJET];
    for (int k = 0; k < SN_NJET; k++) rates[SN_NJET + k] = ratesOf(p, k);
    moveFirst(t, p, rates);
    gradientOf(con, p, rates, g);
}

static snStatus ofFlex(const snContact* con, snError* error)
{
    return sn_fail(
        error, SN_STATUS_UNSUPPORTED,
        "the contact of flex %d has no derivative here; sn_transitionFD differences the step instead",
        con->flex[con->geom[0] < 0 ? 0 : 1]);
}

snStatus sn_contactGeometry(const snModel* m, snData* d, const snContact* con, snContactGradient* g,
                            snError* error)
{
    snTouching t;
    snShape shape[2];
    snMovingPoint p;
    if (sn_isFlexContact(con)) return ofFlex(con, error);
    if (con->impact > 0)
        return sn_fail(
            error, SN_STATUS_UNSUPPORTED,
            "the contact of geoms %d and %d is speculative, which has no derivative; use sn_transitionFD",
            con->geom[0], con->geom[1]);
    const snStatus status = follow(m, d, con, false, &t, shape, &p, error);
    if (status == SN_STATUS_OK) gradientOfPiece(con, &t, &p, g);
    if (status != SN_STATUS_UNSUPPORTED) return status;
    snContactRates rates[2 * SN_NJET];
    if (!rerun(m, &t, 0, 2 * SN_NJET, &p, rates)) return unsupported(m, con, error);
    gradientOf(con, &p, rates, g);
    return SN_STATUS_OK;
}

snStatus sn_nearestGeometry(const snModel* m, snData* d, const snContact* con, snContactGradient* g,
                            snError* error)
{
    snTouching t;
    snShape shape[2];
    snMovingPoint p;
    for (int i = 0; i < 2; i++) shape[i] = sn_geomShape(m, d, con->geom[i]);
    meet(shape, con, &t);
    move(&t.b);
    if (!nearestPiece(m, &t, &p) || !isFinite(&p)) return unsupported(m, con, error);
    gradientOfPiece(con, &t, &p, g);
    return SN_STATUS_OK;
}

snStatus sn_contactSize(const snModel* m, snData* d, const snContact* con, double g[7][6], snError* error)
{
    snTouching t;
    snShape shape[2];
    snMovingPoint p;
    snContactRates rates[SN_NJET];
    if (sn_isFlexContact(con)) return ofFlex(con, error);
    const snStatus status = follow(m, d, con, true, &t, shape, &p, error);
    if (status == SN_STATUS_OK) {
        for (int k = 0; k < SN_NJET; k++) rates[k] = ratesOf(&p, k);
    } else if (status != SN_STATUS_UNSUPPORTED) {
        return status;
    } else if (!rerun(m, &t, SN_RERUN_SIZES, SN_NJET, &p, rates)) {
        return unsupported(m, con, error);
    }
    const Frame f = frameOf(con, &p);
    for (int k = 0; k < SN_NJET; k++) {
        real column[7] = {rates[k].dist};
        sn_v3Store(column + 1, rates[k].pos);
        sn_v3Store(column + 4, turn(&f, &rates[k]));
        for (int i = 0; i < 7; i++) g[i][k] = column[i];
    }
    return SN_STATUS_OK;
}
