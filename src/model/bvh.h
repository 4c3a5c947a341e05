// Bounding volume trees in bvh_*: each is stored depth first, a node before its left subtree and that before
// its right one.
#ifndef SINEW_MODEL_BVH_H
#define SINEW_MODEL_BVH_H

#define SN_BVH_MAXDEPTH 64 ///< depths are below it; halving at each level, no tree gets near

#endif
