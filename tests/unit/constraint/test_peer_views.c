// What callers ask of the rows: islands as lists, the matrix of the dual, sparse Jacobians, Hessians of
// cones, contacts of their own.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <sinew/sinew.h>
#include "model_text.h"

// A tree alone, two boxes on each other, an arm with dry friction whose links are tied to a third body.
static const char scene[] =
    "<mujoco><option cone='elliptic' impratio='2'/><worldbody><geom type='plane' size='9 9 1'/>"
    "<body pos='0 0 5'><joint type='slide'/><joint axis='0 1 0'/><geom size='.1'/></body>"
    "<body name='a' pos='4 0 .1'><freejoint/><geom type='box' size='.1 .1 .11' condim='4'/></body>"
    "<body pos='4 0 .3'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
    "<body pos='0 4 2'><joint axis='0 1 0' frictionloss='.1'/><geom size='.1' pos='0 0 -.3'/>"
    "<body name='b' pos='0 0 -.5'><joint axis='1 0 0'/><geom size='.1' pos='.1 0 -.3'/></body></body>"
    "<body name='c' pos='0 4 1'><joint type='ball'/><geom size='.1' pos='0 .2 0'/></body>"
    "</worldbody><equality><connect body1='b' body2='c' anchor='0 0 0'/></equality></mujoco>";

static snModel* m;
static snData* d;

static int makeScene(void** state)
{
    (void)state;
    m = load(scene);
    d = sn_makeData(m);
    for (int i = 0; i < m->nv; i++) d->qvel[i] = sin(i + 1.);
    sn_forward(m, d);
    return d->nefc > 12 ? 0 : -1;
}

static int freeScene(void** state)
{
    (void)state;
    sn_deleteData(d);
    sn_deleteModel(m);
    return 0;
}

// Every dof and row has one place; an island's are together, in order, and no row reaches out of its island.
static void islandsPartRows(void** state)
{
    (void)state;
    snIslandLists l;
    int* memory = malloc(sn_islandListSize(m, d) * sizeof(int));
    sn_islandLists(m, d, memory, &l);
    assert_int_equal(l.nisland, 2);
    assert_int_equal(l.nidof, m->nv - 2);
    for (int i = 0; i < m->nv; i++) assert_int_equal(l.map_idof2dof[l.map_dof2idof[i]], i);
    for (int r = 0; r < d->nefc; r++) {
        assert_int_equal(l.map_iefc2efc[l.map_efc2iefc[r]], r);
        for (int k = 0; k < d->efc_J_rownnz[r]; k++)
            assert_int_equal(l.dof_island[d->efc_J_colind[d->efc_J_coladr[r] + k]], l.efc_island[r]);
    }
    int dofs = 0, rows = 0;
    for (int k = 0; k < l.nisland; k++) {
        assert_int_equal(l.island_idofadr[k], dofs);
        assert_int_equal(l.island_iefcadr[k], rows);
        for (int i = 1; i < l.island_nv[k]; i++)
            assert_true(l.map_idof2dof[dofs + i] > l.map_idof2dof[dofs + i - 1]);
        dofs += l.island_nv[k];
        rows += l.island_nefc[k];
    }
    assert_int_equal(rows, d->nefc);
    assert_int_equal(l.island_ne[1], 3);
    assert_int_equal(l.island_nf[1], 1);
    free(memory);
}

// iM of the islands times iacc_smooth is qfrc_smooth less what dofs of other islands add, which is nothing.
static void islandsHaveTheirInertia(void** state)
{
    (void)state;
    snIslandLists l;
    int* memory = malloc(sn_islandListSize(m, d) * sizeof(int));
    double *M = malloc((size_t)m->nC * sizeof(double)), *iM = malloc((size_t)m->nC * sizeof(double));
    int *nnz = malloc((size_t)m->nv * sizeof(int)), *adr = malloc((size_t)m->nv * sizeof(int)),
        *col = malloc((size_t)m->nC * sizeof(int));
    double* force = calloc((size_t)m->nv, sizeof(double));
    sn_islandLists(m, d, memory, &l);
    sn_sparseM(m, d->qM, M);
    sn_islandMatrix(m, &l, M, nnz, adr, col, iM);
    for (int i = 0; i < l.nidof; i++) {
        const int first = l.island_idofadr[l.dof_island[l.map_idof2dof[i]]];
        for (int k = adr[i]; k < adr[i] + nnz[i]; k++) {
            const int a = l.map_idof2dof[i], b = l.map_idof2dof[first + col[k]];
            force[a] += iM[k] * d->qacc_smooth[b];
            if (a != b) force[b] += iM[k] * d->qacc_smooth[a];
        }
    }
    for (int i = 0; i < m->nv; i++)
        if (l.dof_island[i] >= 0) assert_true(fabs(force[i] - d->qfrc_smooth[i]) < 1e-11);
    free(memory);
    free(M);
    free(iM);
    free(nnz);
    free(adr);
    free(col);
    free(force);
}

// A + R by its definition, and what is said to be zero in it is.
static void projectionIsTheProduct(void** state)
{
    (void)state;
    const int n = d->nefc, nv = m->nv;
    double *AR = malloc((size_t)(n * n) * sizeof(double)), *J = malloc((size_t)(n * nv) * sizeof(double)),
           *x = malloc((size_t)(n * nv) * sizeof(double));
    int *nnz = malloc((size_t)n * sizeof(int)), *adr = malloc((size_t)n * sizeof(int)),
        *col = malloc((size_t)(n * n) * sizeof(int));
    const size_t scratch = d->pstack, most = d->maxuse_arena;
    assert_true(sn_projectConstraint(m, d, AR));
    const int count = sn_projectedRows(m, d, nnz, adr, NULL);
    assert_int_equal(sn_projectedRows(m, d, nnz, adr, col), count);
    assert_true(d->pstack == scratch && d->maxuse_arena == most);
    sn_efcJ(m, d, J);
    sn_solveM(m, d, x, J, n);
    for (int r = 0; r < n; r++)
        for (int c = 0, k = adr[r]; c < n; c++) {
            double sum = r == c ? d->efc_R[r] : 0;
            for (int i = 0; i < nv; i++) sum += J[r * nv + i] * x[c * nv + i];
            assert_true(fabs(AR[r * n + c] - sum) < 1e-9 * (1 + fabs(sum)));
            if (k < adr[r] + nnz[r] && col[k] == c)
                k++;
            else
                assert_true(AR[r * n + c] == 0);
        }
    free(AR);
    free(J);
    free(x);
    free(nnz);
    free(adr);
    free(col);
}

// Rows of their own are those of the dense Jacobian, columns ascend, and a row of a pair of bodies has all
// dofs above them.
static void sparseRowsAreTheDense(void** state)
{
    (void)state;
    const int n = d->nefc, nv = m->nv;
    double *J = malloc((size_t)(n * nv) * sizeof(double)),
           *values = malloc((size_t)(n * nv) * sizeof(double));
    int *nnz = malloc((size_t)n * sizeof(int)), *adr = malloc((size_t)n * sizeof(int)),
        *col = malloc((size_t)(n * nv) * sizeof(int));
    sn_efcJ(m, d, J);
    const int count = sn_sparseJ(m, d, nnz, adr, NULL, NULL);
    assert_int_equal(sn_sparseJ(m, d, nnz, adr, col, values), count);
    for (int r = 0; r < n; r++)
        for (int c = 0, k = adr[r]; c < nv; c++) {
            const bool has = k < adr[r] + nnz[r] && col[k] == c;
            assert_true(J[r * nv + c] == (has ? values[k] : 0));
            k += has;
        }
    assert_int_equal(nnz[0], 2 + 3); // the connect: both links and the ball
    assert_int_equal(adr[n - 1] + nnz[n - 1], count);
    free(J);
    free(values);
    free(nnz);
    free(adr);
    free(col);
}

// The Hessian of a contact on its cone against differences of its forces; zero of one inside.
static void hessianIsTheSlope(void** state)
{
    (void)state;
    double *jar = calloc((size_t)d->nefc, sizeof(double)), H[36], zero[36] = {0};
    const double eps = 1e-6;
    int seen = 0;
    for (int c = 0; c < d->ncon; c++) {
        const snContact* con = d->contact + c;
        const int row = con->efc_address, dim = con->dim;
        if (row < 0) continue;
        for (int k = 0; k < dim; k++) jar[row + k] = k ? 0.7 - 0.1 * k : -0.2;
        sn_contactHessian(d, con, jar + row, H);
        for (int k = 0; k < dim; k++) {
            double force[2][6];
            for (int side = 0; side < 2; side++) {
                jar[row + k] += side ? -2 * eps : eps;
                sn_constraintUpdate(m, d, jar, NULL);
                memcpy(force[side], d->efc_force + row, (size_t)dim * sizeof(double));
            }
            jar[row + k] += eps;
            for (int i = 0; i < dim; i++) {
                const double slope = (force[1][i] - force[0][i]) / (2 * eps);
                assert_true(fabs(slope - H[i * dim + k]) < 1e-6 * (1 + d->efc_D[row]));
            }
        }
        assert_int_equal(d->efc_state[row], SN_CNSTRSTATE_CONE);
        for (int k = 0; k < dim; k++) jar[row + k] = k ? 0 : -0.2;
        sn_contactHessian(d, con, jar + row, H);
        assert_memory_equal(H, zero, (size_t)(dim * dim) * sizeof(double));
        seen++;
    }
    assert_true(seen > 2);
    free(jar);
}

// Contacts go behind those there are until the arena is full; rows are dropped; wrong ones are refused.
static void contactsOfTheUser(void** state)
{
    (void)state;
    snError error;
    snContact wrong = d->contact[0];
    const int ncon = d->ncon, nefc = d->nefc;
    wrong.geom[1] = m->ngeom;
    assert_int_equal(sn_addContact(m, d, &wrong, &error), SN_STATUS_ARGUMENT);
    wrong = d->contact[0];
    wrong.dim = 5;
    assert_int_equal(sn_addContact(m, d, &wrong, NULL), SN_STATUS_ARGUMENT);
    assert_true(d->ncon == ncon && d->nefc == nefc);
    assert_int_equal(sn_addContact(m, d, d->contact, NULL), SN_STATUS_OK);
    assert_true(d->ncon == ncon + 1 && d->nefc == 0 && !d->efc_force);
    assert_memory_equal(d->contact[ncon].frame, d->contact[0].frame, sizeof wrong.frame);
    sn_makeConstraint(m, d);
    assert_int_equal(d->nefc, nefc + d->contact[0].dim);
    const size_t narena = d->narena;
    d->narena = d->parena + 4096;
    snStatus status = SN_STATUS_OK;
    for (int k = 0; k < 1000 && status == SN_STATUS_OK; k++) status = sn_addContact(m, d, d->contact, &error);
    assert_int_equal(status, SN_STATUS_NO_MEMORY);
    assert_true((char*)(d->contact + d->ncon) <= (char*)d->arena + d->narena);
    d->narena = narena;
}

// Ids and addresses that a caller changed are found, each; what was not changed is right.
static void changedRowsAreFound(void** state)
{
    (void)state;
    snError error;
    int* const arrays[] = {d->efc_type,     d->efc_id,     d->efc_J_rownnz, d->efc_J_rowadr, d->efc_J_coladr,
                           d->efc_J_colind, m->dof_treeid, m->dof_parentid, m->M_rownnz,     m->M_rowadr,
                           m->M_colind,     m->mapM2M,     m->dof_LDadr,    &d->contact->dim};
    assert_int_equal(sn_checkRows(m, d, &error), SN_STATUS_OK);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        const int kept = *arrays[k];
        *arrays[k] = 1000000000;
        assert_int_equal(sn_checkRows(m, d, &error), SN_STATUS_ARGUMENT);
        *arrays[k] = -7;
        assert_int_equal(sn_checkRows(m, d, NULL), SN_STATUS_ARGUMENT);
        *arrays[k] = kept;
    }
    d->contact->efc_address = d->nefc - 1;
    assert_int_equal(sn_checkRows(m, d, &error), SN_STATUS_ARGUMENT);
    assert_false(sn_contactHasRows(d, d->contact));
    double force[6];
    sn_contactForce(m, d, 0, force);
    assert_true(force[0] == 0);
    m->name_bodyadr[1] = m->nnames;
    assert_null(sn_id2name(m, SN_OBJ_BODY, 1));
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, makeScene, freeScene)
    const struct CMUnitTest tests[] = {
        TEST(islandsPartRows),       TEST(islandsHaveTheirInertia), TEST(projectionIsTheProduct),
        TEST(sparseRowsAreTheDense), TEST(hessianIsTheSlope),       TEST(contactsOfTheUser),
        TEST(changedRowsAreFound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
