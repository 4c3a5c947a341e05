// What elements of flexes have by their dimension, and the room of their elasticity; formulas stand in
// docs/flex.md.
#ifndef SINEW_MODEL_FLEX_H
#define SINEW_MODEL_FLEX_H

/// Numbers of an edge in flex_bending: Q [4 x 4], then the factor of its cubic term.
#define SN_FLEX_BENDING 17

/// Numbers of an element in flex_stiffness, of dimension 2 or 3: h_ab of each of its edges, from corner a to
/// b, the ratio lambda/mu, then zeros. See SN_FLEX_K.
static inline int sn_flexStiffness(int dim)
{
    return dim == 3 ? 8 : 4;
}

/// Number of edges of an element.
static inline int sn_flexElementEdges(int dim)
{
    return dim == 1 ? 1 : dim == 2 ? 3 : 6;
}

/// Edge k of an element, as two of its corners; of a triangle the one that does not have corner k.
static inline const int* sn_flexElementEdge(int dim, int k)
{
    static const int line[1][2] = {{0, 1}};
    static const int triangle[3][2] = {{1, 2}, {2, 0}, {0, 1}};
    static const int tetrahedron[6][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}, {0, 3}, {1, 3}};
    return dim == 1 ? line[k] : dim == 2 ? triangle[k] : tetrahedron[k];
}

/// K of edges (a, b) and (c, d) of an element by h [4][4], numbers or vectors of them; h_aa closes the rows,
/// which sum to 0. docs/flex.md derives it.
#define SN_FLEX_K(h, ratio, a, b, c, d)                                                                      \
    ((h)[a][c] * (h)[b][d] + (h)[a][d] * (h)[b][c] + (ratio) * (h)[a][b] * (h)[c][d])

/// The upper triangle of K, row by row, 6 numbers or 21, from those of an element in flex_stiffness.
static inline void sn_flexK(int dim, const double* given, double* K)
{
    const int edges = sn_flexElementEdges(dim);
    double h[4][4] = {{0}};
    for (int e = 0; e < edges; e++) {
        const int *corner = sn_flexElementEdge(dim, e), a = corner[0], b = corner[1];
        h[a][b] = h[b][a] = given[e];
        h[a][a] -= given[e];
        h[b][b] -= given[e];
    }
    for (int e = 0; e < edges; e++)
        for (int f = e; f < edges; f++) {
            const int *one = sn_flexElementEdge(dim, e), *other = sn_flexElementEdge(dim, f);
            *K++ = SN_FLEX_K(h, given[edges], one[0], one[1], other[0], other[1]);
        }
}

#endif
