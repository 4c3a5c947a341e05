// In lanes, too: src/batch/lane/prelude.h.
#include "collision/contact/contact.h"
#include <assert.h>

// Quicker than those of the library, which care for NaN
static inline real larger(real a, real b)
{
    return sn_select(a > b, a, b);
}

static inline real smaller(real a, real b)
{
    return sn_select(a < b, a, b);
}

static void copy(real* to, const real* from, int n)
{
    for (int i = 0; i < n; i++) to[i] = from[i];
}

static void expandFriction(real out[5], real slide, real spin, real roll)
{
    out[0] = out[1] = slide;
    out[2] = spin;
    out[3] = out[4] = roll;
}

// Share of geom 1 in a weighted mean. A weight below the smallest number counts as none.
static real mixShare(real w1, real w2)
{
    const snMask none1 = w1 < SN_MINVAL, none2 = w2 < SN_MINVAL;
    const real share = w1 / (w1 + w2);
    if (!sn_any(none1 | none2)) return share;
    return sn_select(none1, sn_select(none2, 0.5, 0), sn_select(none2, 1, share));
}

// What a geom, or a flex, brings to its contacts.
typedef struct Party {
    int priority, condim;
    real solmix, adhesion;
    const real *solref, *solimp, *friction;
} Party;

static inline Party geomParty(const snModel* m, int g)
{
    return (Party){m->geom_priority[g],
                   m->geom_condim[g],
                   m->geom_solmix[g],
                   m->geom_adhesion[g],
                   m->geom_solref + SN_NREF * g,
                   m->geom_solimp + SN_NIMP * g,
                   m->geom_friction + 3 * g};
}

// Standard solrefs (time constant, damping ratio) are averaged; of direct ones (negative stiffness, damping)
// the stiffer, stronger one counts.
static void mixSolver(const Party* a, const Party* b, snContact* out)
{
    const real share = mixShare(a->solmix, b->solmix);
    const snMask standard = (a->solref[0] > 0) & (b->solref[0] > 0);
    for (int i = 0; i < SN_NREF; i++)
        out->solref[i] = sn_select(standard, share * a->solref[i] + (1 - share) * b->solref[i],
                                   smaller(a->solref[i], b->solref[i]));
    for (int i = 0; i < SN_NIMP; i++) out->solimp[i] = share * a->solimp[i] + (1 - share) * b->solimp[i];
}

// Equal priorities: the larger friction and dimension, solver parameters mixed; else the prior one's alone.
static void fromParties(const Party* a, const Party* b, snContact* out)
{
    if (a->priority == b->priority) {
        const real *f1 = a->friction, *f2 = b->friction;
        out->dim = a->condim > b->condim ? a->condim : b->condim;
        mixSolver(a, b, out);
        out->adhesion = a->adhesion + b->adhesion;
        expandFriction(out->friction, larger(f1[0], f2[0]), larger(f1[1], f2[1]), larger(f1[2], f2[2]));
    } else {
        const Party* prior = a->priority > b->priority ? a : b;
        const real* f = prior->friction;
        out->dim = prior->condim;
        out->adhesion = prior->adhesion;
        copy(out->solref, prior->solref, SN_NREF);
        copy(out->solimp, prior->solimp, SN_NIMP);
        expandFriction(out->friction, f[0], f[1], f[2]);
    }
    out->solreffriction[0] = out->solreffriction[1] = sn_real(0);
}

static void fromPair(const snModel* m, int pair, snContact* out)
{
    out->dim = m->pair_dim[pair];
    out->adhesion = m->pair_adhesion[pair];
    copy(out->solref, m->pair_solref + SN_NREF * pair, SN_NREF);
    copy(out->solreffriction, m->pair_solreffriction + SN_NREF * pair, SN_NREF);
    copy(out->solimp, m->pair_solimp + SN_NIMP * pair, SN_NIMP);
    copy(out->friction, m->pair_friction + 5 * pair, 5);
}

// What options put in place, and what no pair decides.
static void finish(const snModel* m, snContact* out)
{
    if (m->opt.enableflags & SN_ENBL_OVERRIDE) {
        copy(out->solref, m->opt.o_solref, SN_NREF);
        copy(out->solreffriction, m->opt.o_solref, SN_NREF);
        copy(out->solimp, m->opt.o_solimp, SN_NIMP);
        copy(out->friction, m->opt.o_friction, 5);
    }
    for (int i = 0; i < 5; i++) out->friction[i] = larger(out->friction[i], sn_real(SN_MINMU));
    out->mu = sn_real(0);
    out->efc_address = -1;
}

void sn_contactParameters(const snModel* m, int geom1, int geom2, int pair, snContact* out)
{
    assert(geom1 >= 0 && geom1 < m->ngeom && geom2 >= 0 && geom2 < m->ngeom && pair < m->npair);
    if (pair >= 0) {
        fromPair(m, pair, out);
    } else {
        const Party a = geomParty(m, geom1), b = geomParty(m, geom2);
        fromParties(&a, &b, out);
    }
    finish(m, out);
    out->includemargin = sn_pairInclude(m, geom1, geom2, pair);
    out->geom[0] = geom1;
    out->geom[1] = geom2;
#ifndef SN_LANES
    out->flex[0] = out->flex[1] = -1;
    out->part[0] = out->part[1] = 0;
#endif
}

#ifndef SN_LANES
static Party partyOf(const snModel* m, const snContactEnd* end)
{
    if (end->geom >= 0) return geomParty(m, end->geom);
    const int f = end->flex;
    return (Party){m->flex_priority[f],
                   m->flex_condim[f],
                   m->flex_solmix[f],
                   0,
                   m->flex_solref + SN_NREF * f,
                   m->flex_solimp + SN_NIMP * f,
                   m->flex_friction + 3 * f};
}

void sn_flexParameters(const snModel* m, const snContactEnd end[2], snContact* out)
{
    const Party a = partyOf(m, end), b = partyOf(m, end + 1);
    fromParties(&a, &b, out);
    finish(m, out);
    out->includemargin = sn_endsInclude(m, end);
    for (int k = 0; k < 2; k++) {
        out->geom[k] = end[k].geom;
        out->flex[k] = end[k].flex;
        out->part[k] = 0;
    }
}
#endif

void sn_contactFrame(snVec3 normal, snVec3 tangent, real frame[9])
{
    const snMask none = sn_v3Dot(tangent, tangent) < 0.25;
    if (sn_any(none))
        tangent =
            sn_v3Select(none, sn_v3Select(fabs(normal.y) < 0.5, sn_v3(0, 1, 0), sn_v3(0, 0, 1)), tangent);
    tangent = sn_v3Normalize(sn_v3AddScaled(tangent, -sn_v3Dot(normal, tangent), normal));
    sn_v3Store(frame, normal);
    sn_v3Store(frame + 3, tangent);
    sn_v3Store(frame + 6, sn_v3Cross(normal, tangent));
}

static bool isStill(const real v[6])
{
    const real sum = ((fabs(v[0]) + fabs(v[1])) + (fabs(v[2]) + fabs(v[3]))) + (fabs(v[4]) + fabs(v[5]));
    return !sn_any(sum != 0);
}

// Adds `sign` times how the surface of a geom moves at a contact, v + w x (pos - origin) in the geom's axes.
static void addSurface(const snModel* m, const snData* d, int geom, real sign, snContact* con)
{
    const real* v = m->geom_surfacevel + 6 * geom;
    if (isStill(v)) return;
    const snMat3 R = sn_m3Load(d->geom_xmat + 9 * geom);
    const snVec3 arm = sn_v3Sub(sn_v3Load(con->pos), sn_v3Load(d->geom_xpos + 3 * geom));
    const snVec3 w = sn_m3Mul(R, sn_v3Load(v + 3));
    const snVec3 sigma = sn_v3Add(sn_m3Mul(R, sn_v3Load(v)), sn_v3Cross(w, arm));
    con->surfacevel[0] += sign * sn_v3Dot(sn_v3Load(con->frame + 3), sigma);
    con->surfacevel[1] += sign * sn_v3Dot(sn_v3Load(con->frame + 6), sigma);
    con->surfacevel[2] += sign * sn_v3Dot(sn_v3Load(con->frame), w);
}

void sn_contactSurface(const snModel* m, const snData* d, snContact* con)
{
    for (int k = 0; k < 3; k++) con->surfacevel[k] = sn_real(0);
    if (con->geom[0] >= 0) addSurface(m, d, con->geom[0], sn_real(-1), con);
    if (con->geom[1] >= 0) addSurface(m, d, con->geom[1], sn_real(1), con);
}
