#include "loop/sparse/row.h"
#include <math.h>
#include <string.h>
#include "loop/joint/closure.h"

// The row of a force in its block with a node; a static body has none: NULL.
static double* rowOf(const snSparseGraph* g, const snSparseMatrix* A, int force, int node, int row)
{
    for (int e = g->block_adr[force]; e < g->block_adr[force + 1]; e++)
        if (g->block_node[e] == node) return A->J + SN_BLOCK * (size_t)g->block_row[e] + SN_BLOCK * row;
    return NULL;
}

static snMotion velocityAt(const snSparseBody* b, snVec3 point)
{
    if (!b) return (snMotion){{0, 0, 0}, {0, 0, 0}};
    return (snMotion){b->v.ang, sn_v3Add(b->v.lin, sn_v3Cross(b->v.ang, sn_v3Sub(point, b->c)))};
}

static snForce inWorld(snMat3 R, snForce f)
{
    return (snForce){sn_m3Mul(R, f.ang), sn_m3Mul(R, f.lin)};
}

// T'(a_s - a_p) = -T'(v_s x v_p) - (T's rate seen from S)' v_J - 2/T T' v_J - delta/T^2: (8.10), (8.22) with
// dT/dt = v_s x* T + its rate seen from S.
static void spatialRows(const snModel* m, const snSparseGraph* g, const snSparseBody* body,
                        const snClosure* c, int force, const snSparseMatrix* A, double* right)
{
    const double alpha = 1 / m->opt.loop_tstab;
    const snVec3 point = c->frames.pos[1];
    const snSparseBody* on[2];
    int node[2];
    for (int side = 0; side < 2; side++) {
        node[side] = g->body_node[c->frames.body[side]];
        on[side] = node[side] < 0 ? NULL : body + node[side];
    }
    const snMotion v_p = velocityAt(on[0], point), v_s = velocityAt(on[1], point);
    const snMotion v_J = sn_motionAddScaled(v_s, -1, v_p), carried = sn_crossMotion(v_s, v_p);
    const snMat3 R = c->frames.mat[1];
    snLoopPose pose = sn_loopPlace(&c->frames);
    pose.v_J = (snMotion){sn_m3TMul(R, v_J.ang), sn_m3TMul(R, v_J.lin)};
    const snLoopRows rows = sn_loopJoint(c->type, c->parameter, &pose);
    for (int r = 0; r < rows.count; r++) {
        const snForce T = inWorld(R, rows.T[r]);
        for (int side = 0; side < 2; side++) {
            double* row = on[side] ? rowOf(g, A, force, node[side], r) : NULL;
            if (!row) continue;
            sn_sparseForce(on[side], T, point, row);
            for (int k = 0; k < 6 && side == 0; k++) row[k] = -row[k];
        }
        right[r] = -sn_motionDotForce(carried, T) - sn_motionDotForce(pose.v_J, rows.T_rate[r]) -
                   2 * alpha * sn_motionDotForce(pose.v_J, rows.T[r]) - alpha * alpha * rows.delta[r];
    }
}

// The term K qacc_dof of a row, over the accelerations that give qacc_dof: an unknown of its own, or T_a'(a_b
// - a_parent - rate - S qacc), S of those of its body. Returns what of it is known.
static double addTerm(const snModel* m, const snSparseGraph* g, const snSparseBody* body, int force, int dof,
                      double K, const snSparseMatrix* A)
{
    const int id = m->dof_bodyid[dof], node = g->body_node[id], parent = g->body_node[m->body_parentid[id]],
              first = m->body_dofadr[id];
    double *own = rowOf(g, A, force, g->body_armature[id], 0), opposite[6];
    if (sn_isOwnUnknown(m, dof)) {
        own[sn_ownPlace(m, dof)] += K / sqrt(sn_armatureOfDof(m, dof));
        return 0;
    }
    const double* T_a = body[node].T_a + SN_BLOCK * (dof - first);
    sn_addTo6(rowOf(g, A, force, node, 0), K, T_a);
    if (parent >= 0) {
        sn_sparseOnOther(body + node, T_a, body + parent, opposite);
        sn_addTo6(rowOf(g, A, force, parent, 0), -K, opposite);
    }
    for (int k = first, place = 0; k < first + m->body_dofnum[id] && own; k++)
        if (sn_isOwnUnknown(m, k))
            own[place++] -=
                K * sn_dot6(T_a, body[node].S + SN_BLOCK * (k - first)) / sqrt(sn_armatureOfDof(m, k));
    return -K * sn_dot6(T_a, body[node].rate);
}

static void followingRow(const snModel* m, const snData* d, const snSparseGraph* g, const snSparseBody* body,
                         int id, int force, const snSparseMatrix* A, double* right, int* dofs, int* place,
                         double* K)
{
    const double alpha = 1 / m->opt.loop_tstab;
    const int count = sn_closureDofs(m, id, dofs);
    double delta, k, speed;
    for (int i = 0; i < count; i++) {
        place[dofs[i]] = i;
        K[i] = 0;
    }
    sn_closurePosition(m, d, id, place, count, K, &delta);
    sn_closureVelocity(m, d, id, &k, &speed);
    right[0] = k - 2 * alpha * speed - alpha * alpha * delta;
    for (int i = 0; i < count; i++) right[0] -= addTerm(m, g, body, force, dofs[i], K[i], A);
}

void sn_sparseLoop(const snModel* m, const snData* d, const snSparseGraph* g, const snSparseBody* body,
                   int force, const snSparseMatrix* A, double* right, int* dofs, int* place, double* K)
{
    const snClosure c = sn_closure(m, d, g->node[force].id);
    if (c.spatial)
        spatialRows(m, g, body, &c, force, A, right);
    else
        followingRow(m, d, g, body, c.id, force, A, right, dofs, place, K);
}
