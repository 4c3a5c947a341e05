// Signed distances of a mesh, and what is said of meshes that have no inside.
#include "base/memory.h"
#include "base/platform/clock.h"
#include "compile/build/timing.h"
#include "compile/mesh/mesh.h"

static bool starved(snBuild* b, const snMesh* mesh)
{
    return sn_buildFail(b, &mesh->spec->head, SN_STATUS_NO_MEMORY, "out of memory for signed distances");
}

static bool warnOpen(snBuild* b, const snMesh* mesh, const snShell* shell)
{
    return sn_buildWarn(
        b, &mesh->spec->head,
        "is not closed: edges that belong to one triangle: %d, to two that are turned against "
        "each other: %d, to more: %d; its signed distances take for inside what its triangles "
        "go around by more than half",
        shell->open, shell->turned, shell->crowded);
}

static bool warnCrossing(snBuild* b, const snMesh* mesh)
{
    return sn_buildWarn(b, &mesh->spec->head,
                        "crosses itself, or has a part inside another: its signed distances take for inside "
                        "what its triangles go around, and are 0 at all of them");
}

// What is off although the field has been made.
static bool warnOfField(snBuild* b, const snMesh* mesh, const snShell* shell)
{
    double side = 0;
    for (int k = 0; k < 3; k++) side = sn_max(mesh->high[k] - mesh->low[k], side);
    return (!shell->inverted ||
            sn_buildWarn(b, &mesh->spec->head,
                         "is turned inside out: its signed distances are those of the mesh turned over")) &&
           (mesh->field.error <= SN_FIELD_PROMISE * side ||
            sn_buildWarn(b, &mesh->spec->head,
                         "is too rugged for signed distances: they are off by up to %.3g",
                         mesh->field.error));
}

static bool failed(snBuild* b, const snMesh* mesh, snGrowth growth)
{
    if (growth != SN_GROWTH_TANGLED) return starved(b, mesh);
    return sn_buildFail(
        b, &mesh->spec->head, SN_STATUS_MODEL,
        "its triangles lie too much through each other for signed distances: type=\"mesh\" takes its "
        "convex hull");
}

// Of a shell whose sides winding numbers tell.
static bool growWound(snBuild* b, snMesh* mesh, snShell* shell)
{
    if (!sn_windShell(shell)) return starved(b, mesh);
    const snGrowth growth = sn_growField(shell, mesh->low, mesh->high, &mesh->field);
    return growth == SN_GROWTH_WHOLE || failed(b, mesh, growth);
}

static bool grow(snBuild* b, snMesh* mesh, snShell* shell)
{
    if (!sn_isClosed(shell)) return warnOpen(b, mesh, shell) && growWound(b, mesh, shell);
    const snGrowth growth = sn_growField(shell, mesh->low, mesh->high, &mesh->field);
    if (growth == SN_GROWTH_WHOLE) return true;
    if (growth != SN_GROWTH_CROSSING) return failed(b, mesh, growth);
    sn_freeField(&mesh->field);
    return warnCrossing(b, mesh) && growWound(b, mesh, shell);
}

bool sn_meshField(snBuild* b, snMesh* mesh)
{
    if (!mesh->needs_field) return true;
    const double start = sn_monotonicTime();
    float* vert = sn_malloc(3 * (size_t)mesh->nvert * sizeof *vert); // as the model has them
    if (!vert) return starved(b, mesh);
    for (int i = 0; i < 3 * mesh->nvert; i++) vert[i] = (float)mesh->vert[i];
    snShell shell;
    const bool good = sn_makeShell(vert, mesh->nvert, mesh->face, mesh->nface, &shell)
                          ? grow(b, mesh, &shell) && warnOfField(b, mesh, &shell)
                          : starved(b, mesh);
    sn_freeShell(&shell);
    sn_free(vert);
    sn_timeStage(b, SN_CTIMER_MESH_OCTREE, start);
    return good;
}
