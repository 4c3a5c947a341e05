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

// Standard solrefs (time constant, damping ratio) are averaged; of direct ones (negative stiffness, damping)
// the stiffer, stronger one counts.
static void mixSolver(const snModel* m, int g1, int g2, snContact* out)
{
    const real share = mixShare(m->geom_solmix[g1], m->geom_solmix[g2]);
    const real *ref1 = m->geom_solref + SN_NREF * g1, *ref2 = m->geom_solref + SN_NREF * g2;
    const real *imp1 = m->geom_solimp + SN_NIMP * g1, *imp2 = m->geom_solimp + SN_NIMP * g2;
    const snMask standard = (ref1[0] > 0) & (ref2[0] > 0);
    for (int i = 0; i < SN_NREF; i++)
        out->solref[i] =
            sn_select(standard, share * ref1[i] + (1 - share) * ref2[i], smaller(ref1[i], ref2[i]));
    for (int i = 0; i < SN_NIMP; i++) out->solimp[i] = share * imp1[i] + (1 - share) * imp2[i];
}

// Equal priorities: the larger friction and dimension, solver parameters mixed; else the prior geom's alone.
static void fromGeoms(const snModel* m, int g1, int g2, snContact* out)
{
    const int p1 = m->geom_priority[g1], p2 = m->geom_priority[g2];
    const real *f1 = m->geom_friction + 3 * g1, *f2 = m->geom_friction + 3 * g2;
    if (p1 == p2) {
        const int dim1 = m->geom_condim[g1], dim2 = m->geom_condim[g2];
        out->dim = dim1 > dim2 ? dim1 : dim2;
        mixSolver(m, g1, g2, out);
        out->adhesion = m->geom_adhesion[g1] + m->geom_adhesion[g2];
        expandFriction(out->friction, larger(f1[0], f2[0]), larger(f1[1], f2[1]), larger(f1[2], f2[2]));
    } else {
        const int g = p1 > p2 ? g1 : g2;
        const real* f = m->geom_friction + 3 * g;
        out->dim = m->geom_condim[g];
        out->adhesion = m->geom_adhesion[g];
        copy(out->solref, m->geom_solref + SN_NREF * g, SN_NREF);
        copy(out->solimp, m->geom_solimp + SN_NIMP * g, SN_NIMP);
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

void sn_contactParameters(const snModel* m, int geom1, int geom2, int pair, snContact* out)
{
    assert(geom1 >= 0 && geom1 < m->ngeom && geom2 >= 0 && geom2 < m->ngeom && pair < m->npair);
    if (pair >= 0)
        fromPair(m, pair, out);
    else
        fromGeoms(m, geom1, geom2, out);
    if (m->opt.enableflags & SN_ENBL_OVERRIDE) {
        copy(out->solref, m->opt.o_solref, SN_NREF);
        copy(out->solreffriction, m->opt.o_solref, SN_NREF);
        copy(out->solimp, m->opt.o_solimp, SN_NIMP);
        copy(out->friction, m->opt.o_friction, 5);
    }
    for (int i = 0; i < 5; i++) out->friction[i] = larger(out->friction[i], sn_real(SN_MINMU));
    out->includemargin = sn_pairInclude(m, geom1, geom2, pair);
    out->geom[0] = geom1;
    out->geom[1] = geom2;
    out->mu = sn_real(0);
    out->efc_address = -1;
}

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
    addSurface(m, d, con->geom[0], sn_real(-1), con);
    addSurface(m, d, con->geom[1], sn_real(1), con);
}
