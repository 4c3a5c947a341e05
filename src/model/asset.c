#include "model/asset.h"

snHull sn_geomHull(const snModel* m, int geom)
{
    const int mesh = m->geom_dataid[geom];
    snHull hull = {.vert = m->mesh_vert + 3 * (size_t)m->mesh_vertadr[mesh],
                   .count = m->mesh_vertnum[mesh],
                   .radius = m->geom_rbound[geom],
                   .box = m->geom_aabb + 6 * geom};
    if (m->mesh_graphadr[mesh] < 0) return hull;
    const int* graph = m->mesh_graph + m->mesh_graphadr[mesh];
    hull.count = graph[0];
    hull.edge_adr = graph + 2;
    hull.global = hull.edge_adr + hull.count;
    hull.edge = hull.global + hull.count;
    hull.inner = m->mesh_hullinner[mesh];
    const int* cell = m->mesh_hullcell + 2 * SN_NHULLDIR * (size_t)mesh;
    if (cell[1] == 0) return hull;
    hull.cell = cell;
    hull.block = m->mesh_hullblock;
    return hull;
}
