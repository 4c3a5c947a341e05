// Only the relative motion of the two geoms changes dist, and moving both moves the rest rigidly: six
// directions of geom[1] say all. With w about x0, v the motion of geom[0] in place of it,
//
//     rate by geom[0] = rigid motion (w, v) - rate by geom[1] moving with (w, v + w x (x1 - x0)).
//
// The frame: normal n, tangent h made orthogonal to n. It turns by n x dn and about n by
//     (t2.dh - (n.h) t2.dn) / |h across n|,   h an axis of the world (dh = 0) or of a geom.
#include "derivative/contact/geometry.h"
#include "base/error.h"
#include "collision/shape/contact.h"
#include "derivative/contact/piece.h"
#include "derivative/contact/rerun.h"
#include "math/clones.h"

// The rates of a contact along one direction
typedef struct Rates {
    real dist;
    snVec3 pos, normal, tangent;
} Rates;

SN_INLINE Rates ratesOf(const snMovingPoint* p, int i)
{
    return (Rates){p->dist.d[i], sn_jet3Rate(&p->pos, i), sn_jet3Rate(&p->normal, i),
                   sn_jet3Rate(&p->tangent, i)};
}

SN_INLINE Rates addRates(Rates a, real s, Rates b)
{
    return (Rates){a.dist + s * b.dist, sn_v3AddScaled(a.pos, s, b.pos),
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

SN_INLINE snVec3 turn(const Frame* f, const Rates* r)
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

SN_CLONES static bool findPiece(const snModel* m, const snTouching* t, snMovingPoint* out)
{
    const int a = t->a.shape->type, b = t->b.shape->type;
    if (a == SN_GEOM_PLANE) return sn_planePiece(t, out);
    if (a == SN_GEOM_HFIELD) return sn_hfieldPiece(m, t, out);
    if (a == SN_GEOM_BOX && b == SN_GEOM_BOX) return sn_boxBoxPiece(t, out);
    if (a == SN_GEOM_CAPSULE && b == SN_GEOM_BOX) return sn_capsuleBoxPiece(t, out);
    return sn_stationaryPiece(t, out);
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
    return a == SN_GEOM_PLANE || a == SN_GEOM_HFIELD ? findPiece(m, t, out) : sn_stationaryPiece(t, out);
}

static bool isGeom(const snModel* m, int g)
{
    return g >= 0 && g < m->ngeom;
}

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
    if (findPiece(m, t, p) && isFinite(p)) return SN_STATUS_OK;
    return sn_rerunPiece(m, t, sizes, p) && isFinite(p) ? SN_STATUS_OK : unsupported(m, con, error);
}

static void putColumn(snContactGradient* g, int column, const Frame* f, const Rates* r)
{
    real x[3], w[3];
    sn_v3Store(x, r->pos);
    sn_v3Store(w, turn(f, r));
    g->dist[column] = r->dist;
    for (int i = 0; i < 3; i++) {
        g->pos[i][column] = x[i];
        g->turn[i][column] = w[i];
    }
}

// Turning geom[0] about an axis of the world: of `rates` by geom[1]
static Rates turnFirst(const snTouching* t, const snMovingPoint* p, const Rates rates[SN_NJET], int k)
{
    const snVec3 w = unit(k), v = sn_v3Cross(w, sn_jet3Value(t->b.pos));
    Rates r = {0, sn_v3Cross(w, t->pos), sn_v3Cross(w, t->normal), {0, 0, 0}};
    if (p->rides) r.tangent = sn_v3Cross(w, sn_jet3Value(p->tangent));
    r = addRates(r, -1, rates[k]);
    r = addRates(r, -v.x, rates[3]);
    r = addRates(r, -v.y, rates[4]);
    return addRates(r, -v.z, rates[5]);
}

static void gradientOf(const snContact* con, const snTouching* t, const snMovingPoint* p,
                       snContactGradient* g)
{
    const Frame f = frameOf(con, p);
    Rates rates[SN_NJET];
    for (int k = 0; k < SN_NJET; k++) {
        rates[k] = ratesOf(p, k);
        putColumn(g, 6 + k, &f, &rates[k]);
    }
    for (int k = 0; k < 3; k++) {
        const Rates turned = turnFirst(t, p, rates, k);
        const Rates moved = addRates((Rates){.pos = unit(k)}, -1, rates[3 + k]);
        putColumn(g, k, &f, &turned);
        putColumn(g, 3 + k, &f, &moved);
    }
}

snStatus sn_contactGeometry(const snModel* m, snData* d, const snContact* con, snContactGradient* g,
                            snError* error)
{
    snTouching t;
    snShape shape[2];
    snMovingPoint p;
    const snStatus status = follow(m, d, con, false, &t, shape, &p, error);
    if (status == SN_STATUS_OK) gradientOf(con, &t, &p, g);
    return status;
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
    gradientOf(con, &t, &p, g);
    return SN_STATUS_OK;
}

snStatus sn_contactSize(const snModel* m, snData* d, const snContact* con, double g[7][6], snError* error)
{
    snTouching t;
    snShape shape[2];
    snMovingPoint p;
    const snStatus status = follow(m, d, con, true, &t, shape, &p, error);
    if (status) return status;
    const Frame f = frameOf(con, &p);
    for (int k = 0; k < SN_NJET; k++) {
        const Rates r = ratesOf(&p, k);
        real column[7] = {r.dist};
        sn_v3Store(column + 1, r.pos);
        sn_v3Store(column + 4, turn(&f, &r));
        for (int i = 0; i < 7; i++) g[i][k] = column[i];
    }
    return SN_STATUS_OK;
}
