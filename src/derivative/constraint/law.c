#include "derivative/constraint/law.h"
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include "constraint/equality.h"
#include "model/arena.h"
#include "solver/cone.h"
#include "solver/forces.h"

// f and its states of residuals, by the solver's own function; what it writes to the data comes back.
static void evaluate(snData* d, snRowPoint* point)
{
    const size_t n = (size_t)d->nefc;
    memcpy(point->force, d->efc_force, n * sizeof(double));
    memcpy(point->state, d->efc_state, n * sizeof(int));
    (void)sn_rowForces(d, 0, d->nefc, point->jar);
    for (int r = 0; r < d->nefc; r++) {
        const double force = d->efc_force[r];
        const int state = d->efc_state[r];
        d->efc_force[r] = point->force[r];
        d->efc_state[r] = point->state[r];
        point->force[r] = force;
        point->state[r] = state;
    }
}

bool sn_rowPoint(const snModel* m, snData* d, const double* qacc, snRowPoint* point)
{
    point->jar = sn_scratchReal(d, d->nefc);
    point->force = sn_scratchReal(d, d->nefc);
    point->state = sn_scratchInt(d, d->nefc);
    if (!point->jar || !point->force || !point->state) return false;
    sn_mulJacVec(m, d, point->jar, qacc);
    for (int r = 0; r < d->nefc; r++) point->jar[r] -= d->efc_aref[r];
    if (d->nefc) evaluate(d, point);
    return true;
}

int sn_rowsOf(const snModel* m, const snData* d, int row)
{
    const int type = d->efc_type[row], id = d->efc_id[row];
    if (type == SN_CNSTR_EQUALITY) return sn_equalitySize(m, id);
    return sn_isContact(type) ? sn_contactRows(m, d->contact[id].dim) : 1;
}

bool sn_rowsAct(const snRowPoint* point, int row, int count)
{
    for (int r = row; r < row + count; r++)
        if (point->state[r] != SN_CNSTRSTATE_SATISFIED) return true;
    return false;
}

bool sn_rowsMatter(const snData* d, const snRowPoint* point, int row, int count)
{
    if (sn_rowsAct(point, row, count)) return true;
    return sn_isContact(d->efc_type[row]) && d->contact[d->efc_id[row]].adhesion != 0;
}

// A weight of the rows that is zero but for those that act with their quadratic.
static double weight(const snData* d, const snRowPoint* point, int r)
{
    return point->state[r] == SN_CNSTRSTATE_QUADRATIC ? d->efc_D[r] : 0;
}

static void coneHessian(const snData* d, const snContact* con, const snRowPoint* point, snRowLaw* law)
{
    double root[36];
    const int n = law->dim;
    const snFrictionCone cone = sn_coneOfContact(con, d->efc_D + law->row, law->row);
    sn_coneRoot(&cone, point->jar + law->row, root);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) law->C[i][j] += root[k * n + i] * root[k * n + j];
}

// Sums over the edges c_0 + mu_j c_j and c_0 - mu_j c_j, side by side for j = 1, 2, ...
static void foldEdges(const snData* d, const snRowPoint* point, snRowLaw* law)
{
    for (int j = 1; j < law->dim; j++) {
        const int up = law->row + 2 * (j - 1), down = up + 1;
        const double mu = law->mu[j - 1], a = weight(d, point, up), b = weight(d, point, down);
        law->edgeC[2 * (j - 1)] = a;
        law->edgeC[2 * (j - 1) + 1] = b;
        law->force[0] += point->force[up] + point->force[down];
        law->force[j] = mu * (point->force[up] - point->force[down]);
        law->C[0][0] += a + b;
        law->C[0][j] = law->C[j][0] = mu * (a - b);
        law->C[j][j] = mu * mu * (a + b);
    }
}

// How the rows' own numbers go with the residual of their impedance. Where R stands at its least D is held.
static void followImpedance(const snData* d, int r, snRowLaw* law, int i)
{
    const double* k = d->efc_KBIP + 4 * r;
    law->damping[i] = k[1];
    law->stiffness[i] = k[0] * k[2];
    law->slope[i] = k[0] * k[3] * (d->efc_pos[r] - d->efc_margin[r]);
    law->kappa[i] = d->efc_R[r] > sn_leastR(d, r) ? k[3] / (k[2] * (1 - k[2])) : 0;
}

static void foldImpedance(const snData* d, snRowLaw* law)
{
    followImpedance(d, law->row, law, 0);
    for (int i = 1; i < law->dim; i++) {
        if (!law->edges) {
            followImpedance(d, law->row + i, law, i);
            continue;
        }
        law->damping[i] = law->damping[0];
        law->kappa[i] = law->kappa[0];
    }
    // the rows of a friction cone have their D from the normal's
    if (d->efc_type[law->row] == SN_CNSTR_CONTACT_ELLIPTIC)
        for (int i = 1; i < law->dim; i++) law->kappa[i] = law->kappa[0];
}

snRowLaw sn_rowLaw(const snModel* m, const snData* d, const snRowPoint* point, int row)
{
    snRowLaw law = {.row = row, .count = sn_rowsOf(m, d, row)};
    const bool contact = sn_isContact(d->efc_type[row]);
    const snContact* con = contact ? d->contact + d->efc_id[row] : NULL;
    law.edges = d->efc_type[row] == SN_CNSTR_CONTACT_PYRAMIDAL;
    law.dim = contact ? con->dim : law.count;
    if (contact) memcpy(law.mu, con->friction, sizeof law.mu);
    if (contact) law.adhesion = con->adhesion;
    if (law.edges) {
        foldEdges(d, point, &law);
    } else {
        for (int i = 0; i < law.dim; i++) {
            law.force[i] = point->force[row + i];
            law.C[i][i] = weight(d, point, row + i);
        }
        if (point->state[row] == SN_CNSTRSTATE_CONE) coneHessian(d, con, point, &law);
    }
    foldImpedance(d, &law);
    law.slope[0] += law.kappa[0] * d->efc_R[row] * law.adhesion / (law.edges ? law.count : 1);
    for (int i = 0; i < law.dim; i++) law.stiff |= law.C[i][i] != 0;
    return law;
}

// Rows of edges, two of each friction component, as components: their means and halves of their differences.
static void unfold(const snData* d, const snRowLaw* law, int n, double* J)
{
    for (int j = 1; j < law->dim; j++) {
        const double* up = d->efc_J + d->efc_J_rowadr[law->row + 2 * (j - 1)];
        const double* down = d->efc_J + d->efc_J_rowadr[law->row + 2 * (j - 1) + 1];
        for (int k = 0; k < n; k++) {
            if (j == 1) J[k] = 0.5 * (up[k] + down[k]);
            J[j * n + k] = (up[k] - down[k]) / (2 * law->mu[j - 1]);
        }
    }
}

snComponentRows sn_componentRows(const snData* d, const snRowLaw* law, double* room)
{
    const int n = d->efc_J_rownnz[law->row];
    const snComponentRows rows = {n, d->efc_J_colind + d->efc_J_coladr[law->row], room};
    if (law->edges)
        unfold(d, law, n, room);
    else
        for (int i = 0; i < law->dim; i++)
            memcpy(room + i * n, d->efc_J + d->efc_J_rowadr[law->row + i], (size_t)n * sizeof(double));
    return rows;
}

void sn_edgesOf(const snRowLaw* law, const double* component, int n, double* edge)
{
    for (int j = 1; j < law->dim; j++)
        for (int k = 0; k < n; k++) {
            const double side = law->mu[j - 1] * component[j * n + k];
            edge[2 * (j - 1) * n + k] = component[k] + side;
            edge[(2 * (j - 1) + 1) * n + k] = component[k] - side;
        }
}
