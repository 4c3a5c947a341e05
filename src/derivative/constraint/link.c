#include "derivative/constraint/link.h"
#include <math.h>
#include <string.h>
#include "constraint/row.h"
#include "derivative/constraint/pull.h"
#include "derivative/constraint/surface.h"
#include "math/spatial.h"
#include "smooth/inertia/equality_anchor.h"

typedef struct Side {
    int body, last; // last: of its dofs, -1
    double sign;
    snVec3 arm;
    snMotion motion[2]; // of the body with qacc, qvel
} Side;

typedef struct Link {
    Side side[2];
    snPull pull; // (tau + arm x F, F)
    bool contact;
    snSurface surface; // of a contact
    snMat3 lin, ang;
    snVec3 F, tau;
    snMotion gap[2];       // sum of s (w, u + w x arm) with qacc, qvel
    double residual[6];    // of an equality
    double norm;           // its length
    double twist;          // f' residual / 4 of a weld's rotation
    double moved[2][7][6]; // contact: change of dist, pos, turn by a motion of a side's body
} Link;

static snVec3 velocityAt(snMotion v, snVec3 arm)
{
    return sn_v3Add(v.lin, sn_v3Cross(v.ang, arm));
}

static void setSide(const snModel* m, const snData* d, const snVelocities* velocity, int body, double sign,
                    snVec3 point, Side* side)
{
    side->body = body;
    side->last = sn_bodyLastDof(m, body);
    side->sign = sign;
    side->arm = sn_v3Sub(point, sn_v3Load(d->subtree_com + 3 * m->body_rootid[body]));
    for (int i = 0; i < 2; i++) side->motion[i] = sn_motionLoad(velocity->body[i] + 6 * body);
}

// What follows from sides, lin and ang.
static void complete(const snRowLaw* law, Link* link)
{
    double f[6] = {0};
    memcpy(f, law->force, (size_t)law->dim * sizeof(double));
    f[0] -= law->adhesion;
    link->F = sn_m3TMul(link->lin, sn_v3Load(f));
    link->tau = sn_m3TMul(link->ang, sn_v3Load(f + 3));
    for (int s = 0; s < 2; s++) {
        Side* side = link->side + s;
        link->pull.sign[s] = side->sign;
        link->pull.wrench[s] = (snForce){sn_v3Add(link->tau, sn_v3Cross(side->arm, link->F)), link->F};
        for (int i = 0; i < 2; i++) {
            const snMotion at = {side->motion[i].ang, velocityAt(side->motion[i], side->arm)};
            link->gap[i] = sn_motionAddScaled(link->gap[i], side->sign, at);
        }
    }
}

// By the motion of a geom's centre: to that of its body about the tree's centre of mass, `arm` away.
static void aboutCentre(const double* by, snVec3 arm, double* out)
{
    const snVec3 ang = sn_v3Load(by), lin = sn_v3Load(by + 3);
    sn_v3Store(out, sn_v3Add(ang, sn_v3Cross(arm, lin)));
    sn_v3Store(out + 3, lin);
}

static void contactLink(const snModel* m, const snData* d, const snRowLaw* law, const snVelocities* velocity,
                        const snRowChange* change, Link* link)
{
    const snContact* con = d->contact + d->efc_id[law->row];
    const snContactGradient* gradient = change->contact + d->efc_id[law->row];
    *link = (Link){.contact = true, .surface = sn_surfaceOf(m, d, con)};
    link->lin = link->ang = sn_m3Load(con->frame);
    for (int s = 0; s < 2; s++) {
        const int geom = con->geom[s], body = m->geom_bodyid[geom];
        setSide(m, d, velocity, body, s ? 1 : -1, sn_v3Load(con->pos), link->side + s);
        const snVec3 centre = sn_v3Load(d->subtree_com + 3 * m->body_rootid[body]);
        const snVec3 arm = sn_v3Sub(sn_v3Load(d->geom_xpos + 3 * geom), centre);
        aboutCentre(gradient->dist + 6 * s, arm, link->moved[s][0]);
        for (int k = 0; k < 3; k++) {
            aboutCentre(gradient->pos[k] + 6 * s, arm, link->moved[s][1 + k]);
            aboutCentre(gradient->turn[k] + 6 * s, arm, link->moved[s][4 + k]);
        }
    }
    complete(law, link);
}

// r = s vec(q2* q1) changes with w1 - w2 by the matrix T of w -> s/2 vec(q2* (0, w) q1), as the row's
// Jacobian. When the frames turn with w1 and w2,
//     dT u = T (u x (w1 + w2) / 2) + r ((w2 - w1) . u) / 4.
static snMat3 rotationMap(const snModel* m, const snData* d, int eq)
{
    const snQuat q1 = sn_weldFrame(m, d, eq, 0), q2conj = sn_quatConj(sn_weldFrame(m, d, eq, 1));
    const double half = 0.5 * sn_weldScale(m, eq);
    snMat3 T;
    for (int k = 0; k < 3; k++) {
        const snQuat axis = {0, k == 0, k == 1, k == 2};
        const snVec3 column = sn_v3Scale(sn_quatVector(sn_quatMul(sn_quatMul(q2conj, axis), q1)), half);
        T.m[k] = column.x;
        T.m[3 + k] = column.y;
        T.m[6 + k] = column.z;
    }
    return T;
}

static void equalityLink(const snModel* m, const snData* d, const snRowLaw* law, const snVelocities* velocity,
                         Link* link)
{
    const int eq = d->efc_id[law->row];
    double sum = 0;
    *link = (Link){.lin = sn_m3Identity()};
    if (law->dim > 3) link->ang = rotationMap(m, d, eq);
    for (int s = 0; s < 2; s++)
        setSide(m, d, velocity, sn_equalityBody(m, eq, s), s ? -1 : 1, sn_equalityAnchor(m, d, eq, s),
                link->side + s);
    for (int i = 0; i < law->dim; i++) {
        link->residual[i] = d->efc_pos[law->row + i];
        sum += link->residual[i] * link->residual[i];
        if (i >= 3) link->twist += 0.25 * law->force[i] * link->residual[i];
    }
    link->norm = sqrt(sum);
    complete(law, link);
}

// What one dof does to a link.
typedef struct Column {
    int dof;
    bool moves[2]; // the body of each side
    snMotion axis;
    snVec3 shift[2];  // of the points
    snVec3 turn[2];   // of lin, of ang
    snVec3 part;      // equality: angular velocity of the second side less that of the first
    double pos[6], r; // of the components' positions and of the impedance's residual
} Column;

static void contactColumn(const Link* link, Column* c)
{
    double change[7] = {0}, axis[6];
    sn_motionStore(axis, c->axis);
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < 7 && c->moves[s]; i++)
            for (int k = 0; k < 6; k++) change[i] += link->moved[s][i][k] * axis[k];
    c->pos[0] = c->r = change[0];
    c->shift[0] = c->shift[1] = sn_v3Load(change + 1);
    c->turn[0] = c->turn[1] = sn_v3Load(change + 4);
}

// Where all residuals are zero, so is the change of the impedance: it has its least there, or a kink.
static void equalityColumn(const Link* link, int dim, Column* c)
{
    const snVec3 w = c->axis.ang, zero = {0, 0, 0}, w1 = c->moves[0] ? w : zero, w2 = c->moves[1] ? w : zero;
    for (int s = 0; s < 2; s++)
        if (c->moves[s]) c->shift[s] = velocityAt(c->axis, link->side[s].arm);
    c->part = sn_v3Sub(w2, w1);
    c->turn[1] = sn_v3Scale(sn_v3Add(w1, w2), 0.5);
    sn_v3Store(c->pos, sn_v3Sub(c->shift[0], c->shift[1]));
    if (dim > 3) sn_v3Store(c->pos + 3, sn_m3Mul(link->ang, sn_v3Neg(c->part)));
    for (int i = 0; i < dim && link->norm > 0; i++) c->r += link->residual[i] / link->norm * c->pos[i];
}

// How the components of J z change, z = qacc (i = 0) or qvel.
static void velocityChange(const Link* link, const snVelocities* velocity, const Column* c, int i,
                           double out[6])
{
    const snMotion gap = link->gap[i], carried = sn_motionLoad(velocity->carried[i] + 6 * c->dof);
    snVec3 w = sn_v3Cross(gap.ang, c->turn[1]), u = sn_v3Cross(gap.lin, c->turn[0]);
    for (int s = 0; s < 2; s++) {
        const Side* side = link->side + s;
        u = sn_v3AddScaled(u, side->sign, sn_v3Cross(side->motion[i].ang, c->shift[s]));
        if (!c->moves[s]) continue;
        const snMotion y = sn_motionAddScaled(sn_crossMotion(c->axis, side->motion[i]), -1, carried);
        w = sn_v3AddScaled(w, side->sign, y.ang);
        u = sn_v3AddScaled(u, side->sign, velocityAt(y, side->arm));
    }
    sn_v3Store(out, sn_m3Mul(link->lin, u));
    sn_v3Store(out + 3, sn_m3Mul(link->ang, w));
    const double twist = 0.25 * sn_v3Dot(c->part, gap.ang);
    for (int k = 3; k < 6; k++) out[k] += twist * link->residual[k];
}

// The components' changes into column k.
static void storeColumn(const snModel* m, const snRowLaw* law, const Link* link, const snVelocities* velocity,
                        const Column* c, int k, snRowChange* change)
{
    double qacc[6], qvel[6];
    velocityChange(link, velocity, c, 0, qacc);
    velocityChange(link, velocity, c, 1, qvel);
    if (link->contact && !link->surface.still) {
        double surface[6] = {0};
        sn_surfaceChange(&link->surface, c->moves, c->axis, c->shift[0], c->turn[0], surface);
        for (int i = 0; i < law->dim; i++) qvel[i] += surface[i];
    }
    change->r[k] = c->r;
    for (int i = 0; i < law->dim; i++)
        change->jar[i * change->n + k] = sn_jarChange(law, i, qacc[i], qvel[i], c->pos[i], c->r) +
                                         (change->rate ? change->rate[i * m->nv + c->dof] : 0);
}

static Column columnOf(const snData* d, const snRowLaw* law, const Link* link, const snRowChange* change,
                       int k)
{
    const int dof = change->dof[k], sides = change->sides[k];
    Column c = {
        .dof = dof, .axis = sn_motionLoad(d->cdof + 6 * dof), .moves = {(sides & 1) != 0, (sides & 2) != 0}};
    if (link->contact)
        contactColumn(link, &c);
    else
        equalityColumn(link, law->dim, &c);
    return c;
}

// The change of the wrenches by column k, and with it d(J' f).
static void storeWrenches(const snRowLaw* law, const Link* link, const Column* c, int k, snRowChange* change)
{
    const int n = change->n;
    double df[6] = {0};
    for (int i = 0; i < law->dim; i++) df[i] = change->force[i * n + k];
    const snVec3 F = sn_v3Add(sn_v3Cross(c->turn[0], link->F), sn_m3TMul(link->lin, sn_v3Load(df)));
    snVec3 tau = sn_v3Add(sn_v3Cross(c->turn[1], link->tau), sn_m3TMul(link->ang, sn_v3Load(df + 3)));
    tau = sn_v3AddScaled(tau, link->twist, c->part);
    snForce W[2];
    for (int s = 0; s < 2; s++) {
        const snVec3 moment = sn_v3Add(sn_v3Cross(link->side[s].arm, F), sn_v3Cross(c->shift[s], link->F));
        W[s] = (snForce){sn_v3Add(tau, moment), F};
    }
    sn_pullColumn(&link->pull, c->axis, W, k, change);
}

void sn_linkChange(const snModel* m, const snData* d, const snRowLaw* law, const snVelocities* velocity,
                   snRowChange* change, double* q)
{
    Link link;
    if (sn_isContact(d->efc_type[law->row]))
        contactLink(m, d, law, velocity, change, &link);
    else
        equalityLink(m, d, law, velocity, &link);
    sn_pullDofs(m, (int[]){link.side[0].last, link.side[1].last}, change);
    for (int k = 0; k < change->n; k++) {
        const Column c = columnOf(d, law, &link, change, k);
        storeColumn(m, law, &link, velocity, &c, k, change);
        sn_changeForce(law, change, k);
        if (q) storeWrenches(law, &link, &c, k, change);
    }
    for (int i = 0; i < change->n && q; i++) // a contact gives nothing to dofs that move both of its bodies
        if (!link.contact || change->sides[i] != 3)
            sn_pullRow(m, d, &link.pull, velocity->start, i, change, q);
}
