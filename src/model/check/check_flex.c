// Whether flexes hold only what the engine and viewers may read. Parts of flexes follow one another without
// gaps; indices of vertices and edges are counted from the flex's first.
#include "model/check/check.h"
#include "model/flex.h"
#include "model/kinds.h"

// Addresses that follow from sizes: `each` numbers for each of num[i] parts; -1 is allowed where `optional`.
static bool follows(const snCheck* c, const char* field, int flex, int adr, long long size, bool optional,
                    long long* next)
{
    if (optional && adr == -1) return true;
    if (adr != *next) return sn_checkFail(c, field, flex, "does not follow the flex before");
    *next += size;
    return true;
}

static bool ends(const snCheck* c, const char* field, long long next, int total)
{
    return next == total || sn_checkFail(c, field, c->m->nflex, "the sizes of all do not match");
}

static bool addresses(const snCheck* c)
{
    const snModel* m = c->m;
    long long data = 0, elemedge = 0, shell = 0, stiffness = 0, bending = 0;
    for (int f = 0; f < m->nflex; f++) {
        const int dim = m->flex_dim[f];
        const long long nelem = m->flex_elemnum[f], nshell = m->flex_shellnum[f];
        if (nshell < 0) return sn_checkFail(c, "flex_shellnum", f, "out of range");
        if (dim == 1 && m->flex_stiffnessadr[f] != -1)
            return sn_checkFail(c, "flex_stiffnessadr", f, "dim 1 has none");
        if (dim != 2 && m->flex_bendingadr[f] != -1)
            return sn_checkFail(c, "flex_bendingadr", f, "only dim 2 has it");
        if (!follows(c, "flex_elemdataadr", f, m->flex_elemdataadr[f], nelem * (dim + 1), false, &data) ||
            !follows(c, "flex_elemedgeadr", f, m->flex_elemedgeadr[f], nelem * sn_flexElementEdges(dim),
                     false, &elemedge) ||
            !follows(c, "flex_shelldataadr", f, m->flex_shelldataadr[f], nshell * dim, !nshell, &shell) ||
            !follows(c, "flex_stiffnessadr", f, m->flex_stiffnessadr[f], nelem * sn_flexStiffness(dim), true,
                     &stiffness) ||
            !follows(c, "flex_bendingadr", f, m->flex_bendingadr[f],
                     (long long)m->flex_edgenum[f] * SN_FLEX_BENDING, true, &bending))
            return false;
    }
    return ends(c, "flex_elemdataadr", data, m->nflexelemdata) &&
           ends(c, "flex_elemedgeadr", elemedge, m->nflexelemedge) &&
           ends(c, "flex_shelldataadr", shell, m->nflexshelldata) &&
           ends(c, "flex_stiffnessadr", stiffness, m->nflexstiffness) &&
           ends(c, "flex_bendingadr", bending, m->nflexbending);
}

static bool settings(const snCheck* c)
{
    const snModel* m = c->m;
    return SN_CHECK_RANGE(flex_dim, m->nflex, 1, 4) &&
           sn_checkCondims(c, "flex_condim", m->flex_condim, m->nflex) &&
           SN_CHECK_RANGE(flex_selfcollide, m->nflex, 0, SN_KINDS(SN_FLEXSELF_TABLE)) &&
           SN_CHECK_FLAGS(flex_edgeequality, m->nflex, 2) && SN_CHECK_FLAGS(flex_rigid, m->nflex, 2) &&
           SN_CHECK_FLAGS(flex_centered, m->nflex, 2) && SN_CHECK_FLAGS(flex_flatskin, m->nflex, 2) &&
           SN_CHECK_RANGE(flex_matid, m->nflexelem, -1, m->nmat) &&
           SN_CHECK_RANGE(flex_vertbodyid, m->nflexvert, 0, m->nbody) &&
           sn_checkPacked(c, "flex_vertadr", m->flex_vertadr, m->flex_vertnum, m->nflex, -2, m->nflexvert) &&
           sn_checkPacked(c, "flex_edgeadr", m->flex_edgeadr, m->flex_edgenum, m->nflex, -2, m->nflexedge) &&
           sn_checkPacked(c, "flex_elemadr", m->flex_elemadr, m->flex_elemnum, m->nflex, -2, m->nflexelem);
}

// Entries begin .. begin + n - 1 are in low .. high - 1.
static bool part(const snCheck* c, const char* field, const int* x, int begin, int n, int low, int high)
{
    for (int i = begin; i < begin + n; i++)
        if (x[i] < low || x[i] >= high) return sn_checkFail(c, field, i, "out of range");
    return true;
}

static bool indices(const snCheck* c, int f)
{
    const snModel* m = c->m;
    const int dim = m->flex_dim[f], nvert = m->flex_vertnum[f], nedge = m->flex_edgenum[f];
    const int nelem = m->flex_elemnum[f], edge = 2 * m->flex_edgeadr[f], data = m->flex_elemdataadr[f];
    const int texcoord = m->flex_texcoordadr[f];
    if (texcoord < -1 || texcoord > m->nflextexcoord)
        return sn_checkFail(c, "flex_texcoordadr", f, "out of range");
    return part(c, "flex_edge", m->flex_edge, edge, 2 * nedge, 0, nvert) &&
           part(c, "flex_edgeflap", m->flex_edgeflap, edge, 2 * nedge, -1, nvert) &&
           part(c, "flex_elem", m->flex_elem, data, (dim + 1) * nelem, 0, nvert) &&
           part(c, "flex_elemtexcoord", m->flex_elemtexcoord, data, (dim + 1) * nelem, 0,
                texcoord < 0 ? nvert : m->nflextexcoord - texcoord) &&
           part(c, "flex_elemedge", m->flex_elemedge, m->flex_elemedgeadr[f],
                sn_flexElementEdges(dim) * nelem, 0, nedge) &&
           part(c, "flex_elemlayer", m->flex_elemlayer, m->flex_elemadr[f], nelem, -1, nelem) &&
           part(c, "flex_shell", m->flex_shell, m->flex_shelldataadr[f], dim * m->flex_shellnum[f], 0, nvert);
}

// A second vertex beside an edge comes after a first.
static bool flaps(const snCheck* c, int f)
{
    const int* flap = c->m->flex_edgeflap;
    for (int e = c->m->flex_edgeadr[f]; e < c->m->flex_edgeadr[f] + c->m->flex_edgenum[f]; e++)
        if (flap[2 * e] < 0 && flap[2 * e + 1] >= 0)
            return sn_checkFail(c, "flex_edgeflap", 2 * e, "no vertex, but there is a second one");
    return true;
}

// Edges of elements join their corners.
static bool elements(const snCheck* c, int f)
{
    const snModel* m = c->m;
    const int dim = m->flex_dim[f], each = sn_flexElementEdges(dim);
    const int* edge = m->flex_edge + 2 * m->flex_edgeadr[f];
    for (int e = 0; e < m->flex_elemnum[f]; e++)
        for (int k = 0; k < each; k++) {
            const int at = m->flex_elemedgeadr[f] + e * each + k, *corner = sn_flexElementEdge(dim, k);
            const int* element = m->flex_elem + m->flex_elemdataadr[f] + e * (dim + 1);
            const int a = element[corner[0]], b = element[corner[1]], *own = edge + 2 * m->flex_elemedge[at];
            if (own[0] != (a < b ? a : b) || own[1] != (a < b ? b : a))
                return sn_checkFail(c, "flex_elemedge", at, "not an edge of the element");
        }
    return true;
}

// The dofs that move either of two bodies are columns first .. first + n - 1, ascending.
static bool chains(const snModel* m, int body1, int body2, int first, int n)
{
    int dof[2], at = first + n;
    const int body[2] = {m->body_weldid[body1], m->body_weldid[body2]};
    for (int k = 0; k < 2; k++)
        dof[k] = m->body_dofnum[body[k]] ? m->body_dofadr[body[k]] + m->body_dofnum[body[k]] - 1 : -1;
    while (dof[0] >= 0 || dof[1] >= 0) {
        const int last = dof[0] > dof[1] ? dof[0] : dof[1];
        if (at == first || m->flexedge_J_colind[--at] != last) return false;
        for (int k = 0; k < 2; k++)
            if (dof[k] == last) dof[k] = m->dof_parentid[last];
    }
    return at == first;
}

static bool rows(const snCheck* c, int f)
{
    const snModel* m = c->m;
    const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
    bool any = m->flex_edgeequality[f];
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++)
        any |= m->flexedge_J_rownnz[e] > 0;
    for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
        const int body1 = body[m->flex_edge[2 * e]], body2 = body[m->flex_edge[2 * e + 1]];
        const bool rigid = m->body_weldid[body1] == m->body_weldid[body2];
        if (m->flexedge_rigid[e] != rigid)
            return sn_checkFail(c, "flexedge_rigid", e, "not whether both ends are of one body");
        const int n = m->flexedge_J_rownnz[e];
        if (any && !rigid ? !chains(m, body1, body2, m->flexedge_J_rowadr[e], n) : n != 0)
            return sn_checkFail(c, "flexedge_J_colind", m->flexedge_J_rowadr[e], "not the dofs of both ends");
    }
    return true;
}

static bool vertices(const snCheck* c, int f)
{
    const snModel* m = c->m;
    const int* body = m->flex_vertbodyid + m->flex_vertadr[f];
    if (m->flex_vertnum[f] < 1) return sn_checkFail(c, "flex_vertnum", f, "a flex without vertices");
    for (int v = 1; m->flex_rigid[f] && v < m->flex_vertnum[f]; v++)
        if (body[v] != body[0])
            return sn_checkFail(c, "flex_vertbodyid", m->flex_vertadr[f] + v,
                                "a second body of a rigid flex");
    return true;
}

bool sn_checkFlexes(const snCheck* c)
{
    const snModel* m = c->m;
    if (!settings(c) || !addresses(c) || !SN_CHECK_RANGE(flexedge_J_colind, m->nJfe, 0, m->nv) ||
        !sn_checkPacked(c, "flexedge_J_rowadr", m->flexedge_J_rowadr, m->flexedge_J_rownnz, m->nflexedge, -2,
                        m->nJfe))
        return false;
    for (int f = 0; f < m->nflex; f++)
        if (!indices(c, f) || !flaps(c, f) || !elements(c, f) || !rows(c, f) || !vertices(c, f)) return false;
    return true;
}
