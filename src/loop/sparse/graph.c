#include "loop/sparse/graph.h"
#include <string.h>
#include "loop/joint/closure.h"

static void* array(snPool* pool, int count, size_t size)
{
    return sn_poolAlloc(pool, (size_t)(count + 1) * size);
}

static int ownUnknowns(const snModel* m, int body)
{
    int count = 0;
    for (int k = m->body_dofadr[body], end = k + m->body_dofnum[body]; k < end; k++)
        count += sn_isOwnUnknown(m, k);
    return count;
}

static int addNode(snSparseGraph* g, snSparseKind kind, int id, int size)
{
    if (size == 0) return -1;
    g->node[g->nnode] = (snSparseNode){.id = id, .size = size, .kind = kind};
    return g->nnode++;
}

static bool moves(const snModel* m, int body)
{
    return m->body_weldid[body] == body && m->body_dofnum[body] > 0;
}

// Accelerations first. A joint keeps to itself what neither moves freely nor is an unknown of its own.
static void addBodies(const snModel* m, snSparseGraph* g)
{
    for (int b = 0; b < m->nbody; b++) {
        g->body_node[b] = g->body_armature[b] = g->body_joint[b] = -1;
        if (moves(m, b)) g->body_node[b] = addNode(g, SN_SPARSE_BODY, b, 6);
    }
    g->nbody = g->nnode;
    for (int b = 0; b < m->nbody; b++)
        if (moves(m, b)) g->body_armature[b] = addNode(g, SN_SPARSE_ARMATURE, b, ownUnknowns(m, b));
    for (int b = 0; b < m->nbody; b++)
        if (moves(m, b))
            g->body_joint[b] = addNode(g, SN_SPARSE_JOINT, b, 6 - m->body_dofnum[b] + ownUnknowns(m, b));
    for (int b = 0; b < m->nbody; b++) g->body_node[b] = g->body_node[m->body_weldid[b]];
}

// Adds a block of force node `force`; a node that is there already, or -1, is none.
static void addBlock(snSparseGraph* g, int force, int node)
{
    for (int e = g->block_adr[force]; e < g->nblock && g->block_node; e++)
        if (g->block_node[e] == node) return;
    if (node < 0) return;
    if (g->block_node) g->block_node[g->nblock] = node;
    g->nblock++;
}

static void addLoopBlocks(const snModel* m, snSparseGraph* g, int force, int id, int* dofs)
{
    int body[2];
    if (sn_closureBodies(m, id, body)) {
        for (int side = 0; side < 2; side++) addBlock(g, force, g->body_node[body[side]]);
        return;
    }
    for (int k = 0, count = sn_closureDofs(m, id, dofs); k < count; k++) {
        const int b = m->dof_bodyid[dofs[k]];
        addBlock(g, force, g->body_node[b]);
        addBlock(g, force, g->body_node[m->body_parentid[b]]);
        addBlock(g, force, g->body_armature[b]);
    }
}

// Once to count them, with block_node NULL, and once to store them: then none twice.
static void addBlocks(const snModel* m, snSparseGraph* g, int* dofs)
{
    g->nblock = 0;
    for (int n = 0; n < g->nnode; n++) {
        const snSparseNode node = g->node[n];
        g->block_adr[n] = g->nblock;
        if (node.kind == SN_SPARSE_LOOP) addLoopBlocks(m, g, n, node.id, dofs);
        if (node.kind != SN_SPARSE_JOINT) continue;
        addBlock(g, n, g->body_node[node.id]);
        addBlock(g, n, g->body_node[m->body_parentid[node.id]]);
        addBlock(g, n, g->body_armature[node.id]);
    }
    g->block_adr[g->nnode] = g->nblock;
}

// Whether a loop joins anything that moves.
static bool joins(const snModel* m, const snSparseGraph* g, int id, int* dofs)
{
    int body[2];
    if (sn_closureBodies(m, id, body)) return g->body_node[body[0]] != g->body_node[body[1]];
    return sn_closureDofs(m, id, dofs) > 0;
}

bool sn_sparseGraph(const snModel* m, snPool* pool, snSparseGraph* g)
{
    const int nloop = sn_closureCount(m), most = 3 * m->nbody + nloop;
    int* dofs = array(pool, m->nv, sizeof(int));
    g->node = array(pool, most, sizeof *g->node);
    g->block_adr = array(pool, most + 1, sizeof(int));
    g->body_node = array(pool, m->nbody, sizeof(int));
    g->body_armature = array(pool, m->nbody, sizeof(int));
    g->body_joint = array(pool, m->nbody, sizeof(int));
    g->loop_node = array(pool, nloop, sizeof(int));
    if (!dofs || !g->node || !g->block_adr || !g->body_node || !g->body_armature || !g->body_joint ||
        !g->loop_node)
        return false;
    addBodies(m, g);
    for (int id = 0; id < nloop; id++) {
        const int size = joins(m, g, id, dofs) ? sn_closureSize(m, id) : 0;
        g->loop_node[id] = addNode(g, SN_SPARSE_LOOP, id, size);
        g->nrow += size;
    }
    addBlocks(m, g, dofs);
    g->block_node = array(pool, g->nblock, sizeof(int));
    g->block_row = array(pool, g->nblock + 1, sizeof(int));
    if (!g->block_node || !g->block_row) return false;
    addBlocks(m, g, dofs);
    for (int n = 0; n < g->nnode; n++)
        for (int e = g->block_adr[n]; e < g->block_adr[n + 1]; e++)
            g->block_row[e + 1] = g->block_row[e] + g->node[n].size;
    return true;
}
