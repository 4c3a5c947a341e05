// For each target: src/target/prelude.h.
#include "solver/cone.h"
#include <assert.h>
#include <math.h>
#include <string.h>
#include <sinew/constraint.h>
#include <sinew/support.h>
#include "math/elementary/elementary.h"
#include "math/simd.h"

snFrictionCone sn_coneOfContact(const snContact* con, const double* efc_D, int row)
{
    assert(con->dim > 1 && con->dim <= 6 && row >= 0);
    const double mu2 = con->mu * con->mu;
    snFrictionCone cone = {.row = row, .dim = con->dim, .mu = con->mu, .scale = {con->mu}};
    for (int j = 1; j < con->dim; j++) cone.scale[j] = con->friction[j - 1];
    for (int j = 0; j < con->dim; j++) cone.D[j] = efc_D[j];
    cone.Dm = efc_D[0] / sn_max(mu2 * (1 + mu2), SN_MINVAL);
    return cone;
}

int sn_coneState(snConeZone zone)
{
    if (zone == SN_ZONE_MIDDLE) return SN_CNSTRSTATE_CONE;
    return zone == SN_ZONE_TOP ? SN_CNSTRSTATE_SATISFIED : SN_CNSTRSTATE_QUADRATIC;
}

// U [dim] and T of residuals x.
static double scaled(const snFrictionCone* cone, const double* x, double* U)
{
    double sum = 0;
    U[0] = cone->scale[0] * x[0];
    for (int j = 1; j < cone->dim; j++) {
        U[j] = cone->scale[j] * x[j];
        sum += U[j] * U[j];
    }
    return sqrt(sum);
}

double sn_coneUpdate(const snFrictionCone* cone, const double* x, double* force, snConeZone* zone)
{
    assert(cone->dim > 1 && cone->dim <= 6);
    double U[6];
    const double T = scaled(cone, x, U), N = U[0], mu = cone->mu;
    if (N >= mu * T) {
        *zone = SN_ZONE_TOP;
        memset(force, 0, (size_t)cone->dim * sizeof(double));
        return 0;
    }
    if (mu * N + T <= 0) {
        double s = 0;
        *zone = SN_ZONE_BOTTOM;
        for (int j = 0; j < cone->dim; j++) {
            force[j] = cone->D[j] * x[j];
            s += force[j] * x[j];
        }
        return 0.5 * s;
    }
    *zone = SN_ZONE_MIDDLE;
    const double gap = N - mu * T; // < 0
    force[0] = cone->Dm * gap * mu;
    for (int j = 1; j < cone->dim; j++) force[j] = -force[0] / T * U[j] * cone->scale[j];
    return 0.5 * cone->Dm * gap * gap;
}

// By U the Hessian is Dm (g g' + mu (mu T - N) / T P), g = (1, -mu t), t = U_{1..} / T, P = I - t t' on the
// friction part, and P P = P.
void sn_coneRoot(const snFrictionCone* cone, const double* x, double* C)
{
    assert(cone->dim > 1 && cone->dim <= 6);
    double U[6];
    const int dim = cone->dim;
    const double T = scaled(cone, x, U), mu = cone->mu;
    const double normal = sqrt(cone->Dm), round = sqrt(cone->Dm * mu * (mu * T - U[0]) / T);
    memset(C, 0, (size_t)(dim * dim) * sizeof(double));
    C[0] = normal * cone->scale[0];
    for (int j = 1; j < dim; j++) {
        const double t = U[j] / T;
        C[j] = -normal * mu * t * cone->scale[j];
        for (int k = 1; k < dim; k++) C[j * dim + k] = round * ((j == k) - t * U[k] / T) * cone->scale[k];
    }
}

void sn_coneTransform(const double* C, int dim, const double* from, int nblock, double* value)
{
    assert(dim > 1 && dim <= 6 && v4_isAligned(from) && v4_isAligned(value));
    const int quad = 16 * nblock; // from one quad to the next
    for (int b = 0; b < nblock; b++) {
        v4 row[6];
        for (int k = 0; k < dim; k++) row[k] = v4_load(from + (k >> 2) * quad + 16 * b + 4 * (k & 3));
        for (int j = 0; j < ((dim + 3) & ~3); j++) {
            v4Sum sum = {0};
            if (j < dim)
                for (int k = 0; k < dim; k++) v4Sum_add(&sum, v4_all(C[j * dim + k]) * row[k]);
            v4_store(value + (j >> 2) * quad + 16 * b + 4 * (j & 3), v4Sum_value(sum));
        }
    }
}

void sn_contactHessian(const snData* d, const snContact* contact, const double* jar, double* H)
{
    const int dim = contact->dim, row = contact->efc_address;
    double force[6], C[36];
    snConeZone zone;
    if (dim < 1 || dim > 6) return;
    memset(H, 0, (size_t)(dim * dim) * sizeof(double));
    if (!sn_contactHasRows(d, contact) || d->efc_type[row] != SN_CNSTR_CONTACT_ELLIPTIC) return;
    const snFrictionCone cone = sn_coneOfContact(contact, d->efc_D + row, 0);
    sn_coneUpdate(&cone, jar, force, &zone);
    if (zone != SN_ZONE_MIDDLE) return;
    sn_coneRoot(&cone, jar, C);
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
            for (int k = 0; k < dim; k++) H[i * dim + j] += C[k * dim + i] * C[k * dim + j];
}
