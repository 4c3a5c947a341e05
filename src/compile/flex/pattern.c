// Which dofs the lengths of edges may change.
#include "compile/flex/flex.h"
#include "smooth/kinematics/jacobian.h"

// Whether edges of a flex exert forces along themselves, or may: what needs their rows.
static bool hasRows(const snModel* m, int flex)
{
    return m->flex_edgeequality[flex] || m->flex_edgestiffness[flex] != 0 || m->flex_edgedamping[flex] != 0 ||
           m->flex_damping[flex] != 0;
}

// The dofs that move either end, ascending; returns their number. Chains descend from their last dofs.
static int mergeChains(const snModel* m, int dof1, int dof2, int* column)
{
    int n = 0;
    for (; dof1 >= 0 || dof2 >= 0; n++) {
        const int dof = column[n] = dof1 > dof2 ? dof1 : dof2;
        if (dof1 == dof) dof1 = m->dof_parentid[dof1];
        if (dof2 == dof) dof2 = m->dof_parentid[dof2];
    }
    for (int k = 0; k < n / 2; k++) {
        const int dof = column[k];
        column[k] = column[n - 1 - k];
        column[n - 1 - k] = dof;
    }
    return n;
}

void sn_buildFlexPattern(snModel* m)
{
    int address = 0;
    for (int f = 0; f < m->nflex; f++) {
        const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
        const bool rows = hasRows(m, f);
        for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
            const int body1 = body[m->flex_edge[2 * e]], body2 = body[m->flex_edge[2 * e + 1]];
            m->flexedge_J_rowadr[e] = address;
            if (rows && !m->flexedge_rigid[e])
                m->flexedge_J_rownnz[e] = mergeChains(m, sn_lastDof(m, body1), sn_lastDof(m, body2),
                                                      m->flexedge_J_colind + address);
            address += m->flexedge_J_rownnz[e];
        }
    }
    m->nJfe = address; // at most what was allocated
}
