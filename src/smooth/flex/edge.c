// The length l of an edge from a to b along the unit vector u changes by dl/dq = u . (J_b - J_a), J the
// Jacobians of its ends. A row has the dofs that move either end; those that move both have no part in it.
#include "smooth/flex/edge.h"
#include <sinew/smooth.h>
#include <string.h>
#include "model/made.h"
#include "model/sleep.h"
#include "smooth/flex/attachment.h"
#include "smooth/flex/flex.h"

static void slide(const snData* d, int dof, double sign, snVec3 u, double* J)
{
    for (int k = 0; k < 3; k++) J[k] = sign * sn_v3Dot(u, sn_slideAxis(d, dof + k));
}

// How a dof moves a point that is `arm` from the centre of the dof's tree, along u.
static double moves(const snData* d, int dof, snVec3 u, snVec3 arm)
{
    const snMotion s = sn_motionLoad(d->cdof + 6 * dof);
    return sn_v3Dot(u, sn_v3Add(s.lin, sn_v3Cross(s.ang, arm)));
}

// From the lowest dof up, i and j those of the two chains that have not been met.
static void chains(const snModel* m, const snData* d, const int body[2], const snVec3 end[2], snVec3 u,
                   const int* column, int count, double* J)
{
    const snVec3 arm[2] = {sn_v3Sub(end[0], sn_treeCom(m, d, body[0])),
                           sn_v3Sub(end[1], sn_treeCom(m, d, body[1]))};
    int i = sn_lastDof(m, body[0]), j = sn_lastDof(m, body[1]);
    for (int k = count - 1; k >= 0; k--) {
        const int dof = column[k];
        const bool first = i == dof, second = j == dof;
        J[k] = first == second ? 0 : first ? -moves(d, dof, u, arm[0]) : moves(d, dof, u, arm[1]);
        if (first) i = m->dof_parentid[dof];
        if (second) j = m->dof_parentid[dof];
    }
}

static void moveEdge(const snModel* m, snData* d, int flex, int edge, snVec3 u)
{
    const int vertex[2] = {m->flex_vertadr[flex] + m->flex_edge[2 * edge],
                           m->flex_vertadr[flex] + m->flex_edge[2 * edge + 1]};
    const int body[2] = {m->flex_vertbodyid[vertex[0]], m->flex_vertbodyid[vertex[1]]};
    const int slides[2] = {sn_threeSlides(m, body[0]), sn_threeSlides(m, body[1])};
    double* J = d->flexedge_J + m->flexedge_J_rowadr[edge];
    if (slides[0] >= 0 && slides[1] >= 0 && m->flexedge_J_rownnz[edge] == 6) {
        slide(d, slides[0], -1, u, J + (slides[0] < slides[1] ? 0 : 3));
        slide(d, slides[1], 1, u, J + (slides[0] < slides[1] ? 3 : 0));
    } else {
        const snVec3 end[2] = {sn_flexVertex(d, vertex[0]), sn_flexVertex(d, vertex[1])};
        chains(m, d, body, end, u, m->flexedge_J_colind + m->flexedge_J_rowadr[edge],
               m->flexedge_J_rownnz[edge], J);
    }
}

void sn_measureEdges(const snModel* m, snData* d, int flex)
{
    const int first = m->flex_edgeadr[flex], end = first + m->flex_edgenum[flex];
    if (m->flex_rigid[flex]) {
        memset(d->flexedge_length + first, 0, (size_t)(end - first) * sizeof(double));
        return;
    }
    for (int e = first; e < end; e++) {
        const snVec3 along = sn_flexAlong(m, d, flex, e);
        d->flexedge_length[e] = sn_v3Norm(along);
        if (m->flexedge_J_rownnz[e]) moveEdge(m, d, flex, e, sn_v3Normalize(along));
    }
}

void sn_flexVelocity(const snModel* m, snData* d)
{
    sn_assertMade(m, d, flexedge_J);
    for (int e = 0; e < m->nflexedge; e++) {
        const int *column = m->flexedge_J_colind + m->flexedge_J_rowadr[e], num = m->flexedge_J_rownnz[e];
        const double* J = d->flexedge_J + m->flexedge_J_rowadr[e];
        double sum = 0;
        for (int k = 0; k < num; k++) sum += J[k] * d->qvel[column[k]];
        d->flexedge_velocity[e] = sum;
    }
}
