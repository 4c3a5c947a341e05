// Whether meshes, skins, height fields, textures and materials hold only what the engine and viewers may
// read.
#include "model/check/check.h"

// ---- meshes

static bool meshSpans(const snCheck* c)
{
    const snModel* m = c->m;
    return sn_checkSpan(c, "mesh_vertadr", m->mesh_vertadr, m->mesh_vertnum, m->nmesh, m->nmeshvert) &&
           sn_checkSpan(c, "mesh_faceadr", m->mesh_faceadr, m->mesh_facenum, m->nmesh, m->nmeshface) &&
           sn_checkSpan(c, "mesh_normaladr", m->mesh_normaladr, m->mesh_normalnum, m->nmesh,
                        m->nmeshnormal) &&
           sn_checkSpan(c, "mesh_texcoordadr", m->mesh_texcoordadr, m->mesh_texcoordnum, m->nmesh,
                        m->nmeshtexcoord) &&
           sn_checkSpan(c, "mesh_sdfadr", m->mesh_sdfadr, m->mesh_sdfnum, m->nmesh, m->nsdfnode) &&
           sn_checkSpan(c, "mesh_sheetadr", m->mesh_sheetadr, m->mesh_sheetnum, m->nmesh, m->nsdfsheet) &&
           sn_checkSpan(c, "mesh_polyadr", m->mesh_polyadr, m->mesh_polynum, m->nmesh, m->nmeshpoly) &&
           sn_checkSpan(c, "mesh_polyvertadr", m->mesh_polyvertadr, m->mesh_polyvertnum, m->nmeshpoly,
                        m->nmeshpolyvert) &&
           sn_checkSpan(c, "mesh_polymapadr", m->mesh_polymapadr, m->mesh_polymapnum, m->nmeshvert,
                        m->nmeshpolymap);
}

// Entries begin .. end - 1 of a field of indices that are counted from the start of their mesh or skin.
static bool localIndices(const snCheck* c, const char* field, const int* x, int begin, int end, int count)
{
    for (int i = begin; i < end; i++)
        if (x[i] < 0 || x[i] >= count) return sn_checkFail(c, field, i, "out of range");
    return true;
}

// As localIndices, -1 allowed too: a corner of an OBJ file need not have a normal or a texture coordinate.
static bool optionalIndices(const snCheck* c, const char* field, const int* x, int begin, int end, int count)
{
    for (int i = begin; i < end; i++)
        if (x[i] < -1 || x[i] >= count) return sn_checkFail(c, field, i, "out of range");
    return true;
}

// Corners of triangles without texture coordinates hold 0.
static bool meshFaces(const snCheck* c, int mesh)
{
    const snModel* m = c->m;
    const int begin = 3 * m->mesh_faceadr[mesh], end = begin + 3 * m->mesh_facenum[mesh];
    const int ntexcoord = m->mesh_texcoordnum[mesh];
    return localIndices(c, "mesh_face", m->mesh_face, begin, end, m->mesh_vertnum[mesh]) &&
           optionalIndices(c, "mesh_facenormal", m->mesh_facenormal, begin, end, m->mesh_normalnum[mesh]) &&
           optionalIndices(c, "mesh_facetexcoord", m->mesh_facetexcoord, begin, end,
                           ntexcoord ? ntexcoord : 1);
}

// The vertices of each polygon and the polygons at each vertex, both counted within the mesh.
static bool meshPolygons(const snCheck* c, int mesh)
{
    const snModel* m = c->m;
    const int vert = m->mesh_vertadr[mesh], nvert = m->mesh_vertnum[mesh];
    const int poly = m->mesh_polyadr[mesh], npoly = m->mesh_polynum[mesh];
    for (int p = poly; p < poly + npoly; p++) {
        const int begin = m->mesh_polyvertadr[p];
        if (!localIndices(c, "mesh_polyvert", m->mesh_polyvert, begin, begin + m->mesh_polyvertnum[p], nvert))
            return false;
    }
    for (int v = vert; v < vert + nvert; v++) {
        const int begin = m->mesh_polymapadr[v];
        if (!localIndices(c, "mesh_polymap", m->mesh_polymap, begin, begin + m->mesh_polymapnum[v], npoly))
            return false;
    }
    return true;
}

// Each vertex of a hull has a list of neighbours that ends with -1 before the graph ends.
static bool hullEdges(const snCheck* c, int at, int numvert, int numface)
{
    const int* graph = c->m->mesh_graph;
    const int edgeadr = at + 2, edge = at + 2 + 2 * numvert, nedge = numvert + 3 * numface;
    for (int e = edge; e < edge + nedge; e++)
        if (graph[e] < -1 || graph[e] >= numvert)
            return sn_checkFail(c, "mesh_graph", e, "not a vertex of the hull");
    // every list ends inside if the last one does
    if (nedge && graph[edge + nedge - 1] != -1)
        return sn_checkFail(c, "mesh_graph", edge + nedge - 1, "edges without an end");
    for (int v = 0; v < numvert; v++)
        if (graph[edgeadr + v] < 0 || graph[edgeadr + v] >= nedge)
            return sn_checkFail(c, "mesh_graph", edgeadr + v, "not the place of an edge");
    return true;
}

static bool meshGraph(const snCheck* c, int mesh)
{
    const snModel* m = c->m;
    const int at = m->mesh_graphadr[mesh], left = at < 0 ? 0 : m->nmeshgraph - at;
    if (at == -1) return true;
    if (left < 2) return sn_checkFail(c, "mesh_graphadr", mesh, "out of range");
    const int numvert = m->mesh_graph[at], numface = m->mesh_graph[at + 1];
    if (numvert < 1 || numvert > m->mesh_vertnum[mesh])
        return sn_checkFail(c, "mesh_graph", at, "out of range");
    if (numface < 0 || 2 + 3 * (long long)numvert + 6 * (long long)numface > left)
        return sn_checkFail(c, "mesh_graph", at + 1, "out of range");
    const int globalid = at + 2 + numvert, face = at + 2 + 3 * numvert + 3 * numface;
    return hullEdges(c, at, numvert, numface) &&
           localIndices(c, "mesh_graph", m->mesh_graph, globalid, globalid + numvert,
                        m->mesh_vertnum[mesh]) &&
           localIndices(c, "mesh_graph", m->mesh_graph, face, face + 3 * numface, m->mesh_vertnum[mesh]);
}

// The places of a block are vertices of the hull. NaN is none.
static bool hullBlock(const snModel* m, int count, int block)
{
    const float* id = m->mesh_hullblock + 16 * (size_t)block + 12;
    for (int i = 0; i < 4; i++)
        if (!(id[i] >= 0 && id[i] < (float)count)) return false;
    return true;
}

// A hull has blocks for each cell or for none; without a hull there are none.
static bool hullCells(const snCheck* c, int mesh)
{
    const snModel* m = c->m;
    const int* cell = m->mesh_hullcell + 2 * SN_NHULLDIR * (size_t)mesh;
    const int at = m->mesh_graphadr[mesh];
    const bool known = cell[1] != 0;
    if (known && at < 0) return sn_checkFail(c, "mesh_hullcell", mesh, "vertices of no hull");
    for (int i = 0; i < SN_NHULLDIR; i++, cell += 2) {
        if ((cell[1] != 0) != known || (!known && cell[0] != 0))
            return sn_checkFail(c, "mesh_hullcell", mesh, "some cells have vertices, some have none");
        if (cell[0] < 0 || cell[1] < 0 || cell[0] > m->nhullblock - cell[1])
            return sn_checkFail(c, "mesh_hullcell", mesh, "out of range");
        for (int k = 0; k < cell[1]; k++)
            if (!hullBlock(m, m->mesh_graph[at], cell[0] + k))
                return sn_checkFail(c, "mesh_hullblock", cell[0] + k, "not a vertex of the hull");
    }
    return true;
}

// The tree of a distance field can be walked down: children come after their parent, leaves have sheets.
static bool meshField(const snCheck* c, int mesh)
{
    const snModel* m = c->m;
    const int at = m->mesh_sdfadr[mesh], num = m->mesh_sdfnum[mesh], nsheet = m->mesh_sheetnum[mesh];
    for (int i = 0; i < num; i++) {
        const int child = m->sdf_child[at + i], code = -1 - child; // as sdf/field/sheet.h reads it
        if (child >= 0 ? child <= i || child > num - 8 : (code >> 3) + (code >> 1 & 3) >= nsheet)
            return sn_checkFail(c, "sdf_child", at + i, "out of range");
    }
    return true;
}

static bool meshes(const snCheck* c)
{
    const snModel* m = c->m;
    if (!meshSpans(c)) return false;
    for (int i = 0; i < m->nmesh; i++)
        if (!meshFaces(c, i) || !meshPolygons(c, i) || !meshGraph(c, i) || !hullCells(c, i) ||
            !meshField(c, i))
            return false;
    return true;
}

// ---- skins

static bool skinSpans(const snCheck* c)
{
    const snModel* m = c->m;
    return sn_checkSpan(c, "skin_vertadr", m->skin_vertadr, m->skin_vertnum, m->nskin, m->nskinvert) &&
           sn_checkSpan(c, "skin_faceadr", m->skin_faceadr, m->skin_facenum, m->nskin, m->nskinface) &&
           sn_checkSpan(c, "skin_boneadr", m->skin_boneadr, m->skin_bonenum, m->nskin, m->nskinbone) &&
           sn_checkSpan(c, "skin_bonevertadr", m->skin_bonevertadr, m->skin_bonevertnum, m->nskinbone,
                        m->nskinbonevert) &&
           SN_CHECK_RANGE(skin_matid, m->nskin, -1, m->nmat) &&
           SN_CHECK_RANGE(skin_bonebodyid, m->nskinbone, 0, m->nbody);
}

static bool skin(const snCheck* c, int i)
{
    const snModel* m = c->m;
    const int nvert = m->skin_vertnum[i], texcoord = m->skin_texcoordadr[i];
    if (texcoord < -1 || (texcoord >= 0 && texcoord > m->nskintexvert - nvert))
        return sn_checkFail(c, "skin_texcoordadr", i, "out of range");
    const int face = 3 * m->skin_faceadr[i];
    if (!localIndices(c, "skin_face", m->skin_face, face, face + 3 * m->skin_facenum[i], nvert)) return false;
    for (int b = m->skin_boneadr[i]; b < m->skin_boneadr[i] + m->skin_bonenum[i]; b++) {
        const int begin = m->skin_bonevertadr[b];
        if (!localIndices(c, "skin_bonevertid", m->skin_bonevertid, begin, begin + m->skin_bonevertnum[b],
                          nvert))
            return false;
    }
    return true;
}

// ---- images

static bool heightFields(const snCheck* c)
{
    const snModel* m = c->m;
    for (int i = 0; i < m->nhfield; i++) {
        const long long nrow = m->hfield_nrow[i], ncol = m->hfield_ncol[i];
        if (nrow < 1) return sn_checkFail(c, "hfield_nrow", i, "no rows");
        if (ncol < 1) return sn_checkFail(c, "hfield_ncol", i, "no columns");
        if (nrow * ncol > m->nhfielddata) return sn_checkFail(c, "hfield_nrow", i, "more than its heights");
        if (m->hfield_adr[i] < 0 || m->hfield_adr[i] > m->nhfielddata - nrow * ncol)
            return sn_checkFail(c, "hfield_adr", i, "out of range");
    }
    return true;
}

static bool textures(const snCheck* c)
{
    const snModel* m = c->m;
    if (!SN_CHECK_RANGE(tex_type, m->ntex, 0, SN_TEXTURE_SKYBOX + 1) ||
        !SN_CHECK_RANGE(tex_colorspace, m->ntex, 0, SN_COLORSPACE_SRGB + 1) ||
        !SN_CHECK_RANGE(tex_width, m->ntex, 0, m->ntexdata + 1) ||
        !SN_CHECK_RANGE(tex_height, m->ntex, 0, m->ntexdata + 1) ||
        !SN_CHECK_RANGE(tex_nchannel, m->ntex, 0, (m->ntexdata > UINT8_MAX ? m->ntexdata : UINT8_MAX) + 1) ||
        !SN_CHECK_RANGE(mat_texid, m->nmat * SN_NTEXROLE, -1, m->ntex))
        return false;
    for (int i = 0; i < m->ntex; i++) {
        const long long pixels = (long long)m->tex_width[i] * m->tex_height[i];
        if (pixels > m->ntexdata || pixels * m->tex_nchannel[i] > m->ntexdata)
            return sn_checkFail(c, "tex_height", i, "more than its pixels");
        if (m->tex_adr[i] == -1 && !pixels) continue; // its file has them
        if (m->tex_adr[i] < 0 || m->tex_adr[i] > m->ntexdata - pixels * m->tex_nchannel[i])
            return sn_checkFail(c, "tex_adr", i, "out of range");
    }
    return true;
}

// ---- files

static bool paths(const snCheck* c)
{
    const snModel* m = c->m;
    return sn_checkText(c, "paths", m->paths, m->npaths) &&
           SN_CHECK_RANGE(mesh_pathadr, m->nmesh, -1, m->npaths) &&
           SN_CHECK_RANGE(skin_pathadr, m->nskin, -1, m->npaths) &&
           SN_CHECK_RANGE(hfield_pathadr, m->nhfield, -1, m->npaths) &&
           SN_CHECK_RANGE(tex_pathadr, m->ntex, -1, m->npaths) &&
           SN_CHECK_RANGE(tex_contenttypeadr, m->ntex, -1, m->npaths);
}

bool sn_checkAssets(const snCheck* c)
{
    if (!meshes(c) || !skinSpans(c)) return false;
    for (int i = 0; i < c->m->nskin; i++)
        if (!skin(c, i)) return false;
    return heightFields(c) && textures(c) && paths(c);
}
