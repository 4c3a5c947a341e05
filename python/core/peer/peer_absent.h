// Fields of the peer for what Sinew has not: nodes of flexes, bounding volumes that move.
// None has a row.
#ifndef SINEW_PYTHON_PEER_ABSENT_H
#define SINEW_PYTHON_PEER_ABSENT_H

// clang-format off
// X(name, meaning): sizes, all 0
#define PEER_ABSENT_MODEL_SIZES(X) \
    X(nbvhdynamic, "bounding volumes that move: those of flexes") \
    X(nflexnode, "nodes of flexes") X(nflexevpair, "pairs of element and vertex of flexes")

// X(format, name, columns): arrays without rows; format as of the buffer protocol; columns 0: one dimension, -1: nv
#define PEER_ABSENT_MODEL_FIELDS(X) \
    X('i', flex_nodebodyid, 0) X('i', flex_evpair, 2) X('d', flex_node, 3) X('d', flex_node0, 3)

#define PEER_ABSENT_DATA_FIELDS(X) \
    X('d', bvh_aabb_dyn, 6)

// X(format, name, rows, value): arrays of the model that say of each element that it has none of it
#define PEER_ABSENT_MODEL_LINKS(X) \
    X('B', flex_internal, nflex, 0) X('i', flex_passive, nflex, 0) X('i', flex_interp, nflex, 0) \
    X('i', flex_nodeadr, nflex, 0) X('i', flex_nodenum, nflex, 0) X('i', flex_evpairadr, nflex, -1) \
    X('i', flex_evpairnum, nflex, 0) X('i', flex_bvhadr, nflex, -1) X('i', flex_bvhnum, nflex, 0)
// clang-format on

#endif
