#include "compile/mesh/mesh.h"
#include "shape/hull_graph.h"

int* sn_meshHullFaces(const snMesh* mesh, int* numface)
{
    return sn_hullGraphFaces(mesh->graph, numface);
}

bool sn_meshMakeHull(snBuild* b, snMesh* mesh)
{
    snError why = {.status = SN_STATUS_OK};
    const snHullWish wish = {.point = mesh->vert,
                             .count = mesh->nvert,
                             .most = mesh->spec->maxhullvert,
                             .farthest_first = sn_means(b->spec->physics, SN_RULE_HULL_VERTICES)};
    mesh->graph = sn_makeHullGraph(&wish, &mesh->ngraph, &why);
    static const char flat[] =
        "; a flat mesh needs inertia=\"shell\", triangles, and geoms with contype and conaffinity 0";
    return mesh->graph || sn_buildFail(b, &mesh->spec->head, why.status, "%s%s", why.message,
                                       why.status == SN_STATUS_MODEL ? flat : "");
}
