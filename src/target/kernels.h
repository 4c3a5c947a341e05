// Made by tools/check_kernels.py.
// clang-format off
#ifndef SINEW_TARGET_KERNELS_H
#define SINEW_TARGET_KERNELS_H

#include <sinew/cholesky.h>
#include <sinew/constraint.h>
#include <sinew/dynamics.h>
#include <sinew/dynamics_derivative.h>
#include <sinew/loop.h>
#include <sinew/matrix.h>
#include <sinew/pipeline.h>
#include <sinew/pseudo_inverse.h>
#include <sinew/ray.h>
#include <sinew/sensor.h>
#include <sinew/smooth.h>
#include <sinew/support.h>
#include <sinew/vector.h>
#include "collision/analytic/colliders.h"
#include "collision/broad/few.h"
#include "collision/broad/sweep.h"
#include "collision/convex/box_prism.h"
#include "collision/convex/epa.h"
#include "collision/convex/support.h"
#include "collision/flex/tree.h"
#include "compile/asset/texture.h"
#include "constraint/product.h"
#include "constraint/row.h"
#include "control/algebra/singular.h"
#include "control/qp/run.h"
#include "control/task/centre.h"
#include "derivative/constraint/constraint.h"
#include "derivative/constraint/pull.h"
#include "derivative/contact/geometry.h"
#include "derivative/contact/piece.h"
#include "derivative/kinematics/motion.h"
#include "derivative/sensor/quantity.h"
#include "derivative/smooth/bias.h"
#include "derivative/smooth/inverse_inertia.h"
#include "derivative/step/columns.h"
#include "lcp/coordinates.h"
#include "lcp/solve/anderson.h"
#include "lcp/solve/profile.h"
#include "lcp/solve/subspace.h"
#include "lcp/solve/system.h"
#include "loop/articulated/articulated.h"
#include "loop/position.h"
#include "loop/sparse/factor.h"
#include "math/asin.h"
#include "math/dense.h"
#include "math/panel.h"
#include "math/sincos.h"
#include "model/sleep.h"
#include "sensor/value.h"
#include "shape/hull.h"
#include "smooth/dynamics/frame.h"
#include "smooth/flex/bending.h"
#include "smooth/flex/hessian.h"
#include "smooth/flex/tension.h"
#include "smooth/inertia/acceleration.h"
#include "smooth/inertia/crb.h"
#include "smooth/inertia/factor.h"
#include "smooth/inertia/factor_deep.h"
#include "smooth/inertia/factor_lu.h"
#include "smooth/kinematics/integrate_joints.h"
#include "solver/cone.h"
#include "solver/coupling.h"
#include "solver/dual.h"
#include "solver/points.h"
#include "solver/primal.h"
#include "solver/problem.h"
#include "solver/rowset.h"

// X(what it returns, name, parameters, their names); V(name, ...) of what returns nothing
#define SN_KERNELS(X, V) \
    X(int, sn_boxBox, (const snShape* a, const snShape* b, real margin, snContactPoint* out), (a, b, margin, out)) \
    X(bool, sn_boxBoxBatch, (const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points), (m, d, list, count, points)) \
    X(int, sn_boxBoxClipped, (const snShape* a, const snShape* b, real margin, snContactPoint* out), (a, b, margin, out)) \
    X(bool, sn_boxBoxClippedBatch, (const snModel* m, snData* d, snCandidate* const* list, int count, snPoints* points), (m, d, list, count, points)) \
    X(bool, sn_meetsRightly, (const snModel* m, const snData* d), (m, d)) \
    X(bool, sn_nearPairs, (const snModel* m, snData* d, snNearPairs* pairs), (m, d, pairs)) \
    X(snBoxPairs, sn_sweepBoxes, (snData* d, const snSweepBox* boxes, int count, snSweepPlan plan), (d, boxes, count, plan)) \
    X(snBoxPrism, sn_boxPrism, (const snFieldBox* box, const snVec3 top[3], real base, real margin, snWitness* out), (box, top, base, margin, out)) \
    X(bool, sn_epa, (const snConvexPair* p, const snWitness* known, const snGjk* seed, bool climb, snWitness* out), (p, known, seed, climb, out)) \
    X(bool, sn_epaPortal, (const snConvexPair* p, const snPortal* portal, bool points, snWitness* out), (p, portal, points, out)) \
    X(bool, sn_convexPairInit, (snConvexPair* p, const snShape* a, const snShape* b), (p, a, b)) \
    X(snHullPoint, sn_convexHullPoint, (const snConvexPair* p, int side, snVec3 n), (p, side, n)) \
    X(snVec3, sn_convexHullVertex, (const snConvexPair* p, int side, int id), (p, side, id)) \
    X(snSupport, sn_convexSupport, (const snConvexPair* p, snVec3 n), (p, n)) \
    X(real, sn_convexGap, (const snConvexPair* p, snVec3 n), (p, n)) \
    X(snTreeBox, sn_treeBox, (const double low[3], const double high[3], double reach), (low, high, reach)) \
    X(bool, sn_growTree, (snData* d, const snTreeBox* box, const int* id, int count, snBoxTree* tree), (d, box, id, count, tree)) \
    V(sn_askTree, (const snBoxTree* tree, const snTreeBox* box, snVisitBox visit, void* user), (tree, box, visit, user)) \
    V(sn_pairTrees, (const snBoxTree* a, const snBoxTree* b, snVisitBoxes visit, void* user), (a, b, visit, user)) \
    X(double, sn_raySkin, (int nface, int nvert, const int* face, const float* vert, const double pnt[3], const double vec[3], int* vertid), (nface, nvert, face, vert, pnt, vec, vertid)) \
    V(sn_texturePixel, (uint8_t* pixel, int nchannel, const double rgb[3]), (pixel, nchannel, rgb)) \
    X(bool, sn_texturePattern, (const snSpecTexture* t, snPixels* p), (t, p)) \
    V(sn_contactJacobian, (const snModel* m, const snData* d, const snContact* con, const snRowBlock* block), (m, d, con, block)) \
    X(snJacobianRows, sn_jacobianRows, (const snData* d, int first, int end), (d, first, end)) \
    V(sn_mulRows, (const snJacobianRows* rows, const real* x, real* y), (rows, x, y)) \
    V(sn_mulJacVec, (const snModel* m, const snData* d, real* result, const real* vec), (m, d, result, vec)) \
    V(sn_mulRowsT, (const snJacobianRows* rows, const real* x, real* y), (rows, x, y)) \
    V(sn_mulJacTVec, (const snModel* m, const snData* d, real* result, const real* vec), (m, d, result, vec)) \
    V(sn_efcJ, (const snModel* m, const snData* d, real* J), (m, d, J)) \
    V(sn_fillRows, (const snModel* m, snData* d, int first, int count, const snRowShared* row, double diag, double least), (m, d, first, count, row, diag, least)) \
    X(size_t, sn_priorityWork, (int n, int count, const snPriority* tasks), (n, count, tasks)) \
    X(snStatus, sn_solvePriorities, (int n, int count, const snPriority* tasks, int form, double tolerance, double* x, int* rank, double* work, snError* error), (n, count, tasks, form, tolerance, x, rank, work, error)) \
    X(size_t, sn_rankWork, (int m, int n), (m, n)) \
    X(int, sn_singularValues, (const double* A, int m, int n, double tolerance, double* s, double* U, double* V, double* work), (A, m, n, tolerance, s, U, V, work)) \
    X(int, sn_pseudoInverse, (const double* A, int m, int n, double tolerance, double* out, double* work), (A, m, n, tolerance, out, work)) \
    X(int, sn_dampedPseudoInverse, (const double* A, int m, int n, double damping, double* out, double* work), (A, m, n, damping, out, work)) \
    X(int, sn_weightedPseudoInverse, (const double* A, int m, int n, const double* M, double tolerance, double* out, double* work), (A, m, n, M, tolerance, out, work)) \
    X(int, sn_nullProjector, (const double* A, int m, int n, double tolerance, double* N, double* work), (A, m, n, tolerance, N, work)) \
    X(int, sn_nullBasis, (const double* A, int m, int n, double tolerance, double* Z, double* work), (A, m, n, tolerance, Z, work)) \
    X(size_t, sn_singularWork, (int m, int n), (m, n)) \
    X(bool, sn_singular, (const double* A, int m, int n, double* work, snSingular* out), (A, m, n, work, out)) \
    X(int, sn_singularRank, (const snSingular* f, double tolerance), (f, tolerance)) \
    V(sn_singularNull, (const snSingular* f, int rank, int j, double* z), (f, rank, j, z)) \
    X(double, sn_runDot, (const double* a, const double* b, int length), (a, b, length)) \
    V(sn_runAdd, (double* y, double factor, const double* x, int length), (y, factor, x, length)) \
    V(sn_runTurn, (double* x, double* y, double c, double s, int length), (x, y, c, s, length)) \
    V(sn_rowsDot, (const double* M, int rows, int stride, const double* v, int length, double* y), (M, rows, stride, v, length, y)) \
    V(sn_rowsAdd, (const double* M, int rows, int stride, const double* c, int length, double* y), (M, rows, stride, c, length, y)) \
    V(sn_rowsReflect, (double* M, int rows, int stride, double beta, const double* v, int length), (M, rows, stride, beta, v, length)) \
    V(sn_rowsCombine, (const double* V, int count, int vstride, const double* Z, int rows, int stride, int length, double* W), (V, count, vstride, Z, rows, stride, length, W)) \
    V(sn_rowsDeduct, (const double* V, int count, int vstride, const double* W, double* Z, int rows, int stride, int length), (V, count, vstride, W, Z, rows, stride, length)) \
    X(double, sn_runTake, (double* to, const double* from, int n, int length), (to, from, n, length)) \
    V(sn_rowsProduct, (const double* const* A, int count, const double* Z, int columns, int zstride, int length, double* E, int stride), (A, count, Z, columns, zstride, length, E, stride)) \
    X(double, sn_runWorst, (const double* value, const double* deep, const double* high, const double* per, int length, double* off), (value, deep, high, per, length, off)) \
    V(sn_triangleBackward, (const double* R, int stride, int n, double* r), (R, stride, n, r)) \
    V(sn_triangleForward, (const double* R, int stride, int n, double* r), (R, stride, n, r)) \
    X(snCentre, sn_centreOf, (const snModel* m, const snData* d, int body), (m, d, body)) \
    X(snCentreMotion, sn_centreMotion, (const snModel* m, const snData* d, const snCentre* c, int rows, double* J, int columns), (m, d, c, rows, J, columns)) \
    V(sn_centreMomentum, (const snModel* m, const snData* d, const snCentre* c, double* A, int columns, double h[6], double drift[6]), (m, d, c, A, columns, h, drift)) \
    X(snStatus, sn_constraintIsSmooth, (const snModel* m, const snData* d, snError* error), (m, d, error)) \
    X(snStatus, sn_constraintHessian, (const snModel* m, snData* d, double* H, snError* error), (m, d, H, error)) \
    X(snStatus, sn_constraintDerivative, (const snModel* m, snData* d, const double* qacc, double* q, double* v, snError* error), (m, d, qacc, q, v, error)) \
    X(snStatus, sn_constraintForces, (const snModel* m, snData* d, const double* qacc, int n, const double* dx, const double* dv, const double* da, double* df, snError* error), (m, d, qacc, n, dx, dv, da, df, error)) \
    V(sn_pullDofs, (const snModel* m, const int last[2], snRowChange* change), (m, last, change)) \
    V(sn_pullColumn, (const snPull* pull, snMotion axis, const snForce W[2], int k, snRowChange* change), (pull, axis, W, k, change)) \
    V(sn_pullRow, (const snModel* m, const snData* d, const snPull* pull, const int* start, int i, snRowChange* change, double* q), (m, d, pull, start, i, change, q)) \
    X(bool, sn_reproduces, (const snTouching* t, const snMovingPoint* p, real tolerance), (t, p, tolerance)) \
    X(snStatus, sn_contactGeometry, (const snModel* m, snData* d, const snContact* con, snContactGradient* g, snError* error), (m, d, con, g, error)) \
    X(snStatus, sn_nearestGeometry, (const snModel* m, snData* d, const snContact* con, snContactGradient* g, snError* error), (m, d, con, g, error)) \
    X(snStatus, sn_contactSize, (const snModel* m, snData* d, const snContact* con, double g[7][6], snError* error), (m, d, con, g, error)) \
    X(bool, sn_planePiece, (const snTouching* t, snMovingPoint* out), (t, out)) \
    X(bool, sn_stationaryPiece, (const snTouching* t, snMovingPoint* out), (t, out)) \
    X(bool, sn_ballPiece, (const snTouching* t, snJet3 centre, snJet radius, snMovingPoint* out), (t, centre, radius, out)) \
    X(bool, sn_bodyColumnsAlloc, (const snModel* m, snData* d, int n, snBodyColumns* to), (m, d, n, to)) \
    V(sn_bodyColumns, (const snModel* m, const snData* d, const snDofColumns* along, const snBodyColumns* to), (m, d, along, to)) \
    X(snContactShift, sn_contactShift, (const snColumns* c, const snContact* con, const snContactGradient* g, int j), (c, con, g, j)) \
    X(snStatus, sn_contactShifts, (const snColumns* c), (c)) \
    V(sn_contactForceChange, (const snColumns* c, int contact, int j, double change[6]), (c, contact, j, change)) \
    X(snStatus, sn_touchAlong, (const snColumns* c, int s), (c, s)) \
    X(snStatus, sn_contactAlong, (const snColumns* c, int s), (c, s)) \
    X(snStatus, sn_bodyForces, (const snColumns* c), (c)) \
    X(snStatus, sn_forceAlong, (const snColumns* c, int s), (c, s)) \
    X(snStatus, sn_torqueAlong, (const snColumns* c, int s), (c, s)) \
    V(sn_subtreeShifts, (const snColumns* c), (c)) \
    X(snStatus, sn_subtreeLinVelAlong, (const snColumns* c, int s), (c, s)) \
    X(snStatus, sn_subtreeAngMomAlong, (const snColumns* c, int s), (c, s)) \
    X(snStatus, sn_subtreeComAlong, (const snColumns* c, int s), (c, s)) \
    X(snStatus, sn_potentialAlong, (const snColumns* c, int s), (c, s)) \
    X(snStatus, sn_kineticAlong, (const snColumns* c, int s), (c, s)) \
    X(snStatus, sn_failRoom, (snError* error), (error)) \
    X(snStatus, sn_biasDerivativeTo, (const snModel* m, snData* d, const double* qacc, const double* wrench, int stride, bool add, double* q, double* v, snError* error), (m, d, qacc, wrench, stride, add, q, v, error)) \
    X(snStatus, sn_biasDerivative, (const snModel* m, snData* d, const double* qacc, const double* wrench, double* q, double* v, snError* error), (m, d, qacc, wrench, q, v, error)) \
    X(snStatus, sn_bodyBiasDerivative, (const snModel* m, snData* d, const double* qacc, double* q, double* v, snError* error), (m, d, qacc, q, v, error)) \
    V(sn_centroidalMomentum, (const snModel* m, const snData* d, int body, double* A, double h[6]), (m, d, body, A, h)) \
    X(snStatus, sn_centroidalDerivative, (const snModel* m, snData* d, int body, const double* qacc, double* h_q, double* hdot_q, double* hdot_v, double hdot[6], snError* error), (m, d, body, qacc, h_q, hdot_q, hdot_v, hdot, error)) \
    X(snStatus, sn_rneDerivative, (const snModel* m, snData* d, const double* qacc, double* Dq, double* Dv, double* M, snError* error), (m, d, qacc, Dq, Dv, M, error)) \
    X(snStatus, sn_forwardDynamicsDerivative, (const snModel* m, snData* d, const double* qacc, double* Dq, double* Dv, double* Dtau, snError* error), (m, d, qacc, Dq, Dv, Dtau, error)) \
    V(sn_solveStrips, (const snModel* m, const snData* d, bool full, double* X), (m, d, full, X)) \
    V(sn_inverseInertia, (const snModel* m, const snData* d, double* Minv), (m, d, Minv)) \
    V(sn_columnsAddProduct, (const double* A, int step, int rows, int count, const double* X, int stride, double* Y), (A, step, rows, count, X, stride, Y)) \
    V(sn_columnsSolvePanel, (const double* R, const double* inv, int n, int step, double* X, int stride), (R, inv, n, step, X, stride)) \
    V(sn_columnsSolveTree, (const snModel* m, const double* LD, const double* diagInv, double* X, int stride), (m, LD, diagInv, X, stride)) \
    V(sn_columnsSolveLU, (const snModel* m, const double* LU, double* X, int stride), (m, LU, X, stride)) \
    V(sn_columnsSolveLUTransposed, (const snModel* m, const double* LU, double* X, int stride), (m, LU, X, stride)) \
    V(sn_columnsAddM, (const snModel* m, const double* M, const double* X, double* Y, int stride), (m, M, X, Y, stride)) \
    X(bool, sn_lcpOwnWork, (const snModel* m, snData* d, snLcpCoordinates* c), (m, d, c)) \
    X(bool, sn_lcpCoordinates, (const snModel* m, snData* d, const snIslands* islands, const snStepInertia* inertia, bool mixed, snLcpCoordinates* c), (m, d, islands, inertia, mixed, c)) \
    X(bool, sn_lcpQuads, (const snModel* m, snData* d, snLcpCoordinates* c, int row, int rows, snQuad* quad), (m, d, c, row, rows, quad)) \
    V(sn_lcpToVelocity, (const snModel* m, snData* d, const snLcpCoordinates* c, const snIslands* islands, int island, const double* z, double* velocity), (m, d, c, islands, island, z, velocity)) \
    X(size_t, sn_andersonWork, (const snLcpSystem* s), (s)) \
    V(sn_andersonBegin, (const snLcpSystem* s, double* work, snAnderson* a), (s, work, a)) \
    V(sn_andersonBefore, (const snLcpSystem* s, snAnderson* a), (s, a)) \
    V(sn_lcpPutBack, (snLcpSystem* s), (s)) \
    V(sn_andersonAfter, (snLcpSystem* s, snAnderson* a), (s, a)) \
    X(bool, sn_profileShape, (const snLcpSystem* s, snData* d, snProfile* p), (s, d, p)) \
    X(bool, sn_profileRoom, (snData* d, snProfile* p), (d, p)) \
    V(sn_profileFactor, (const snLcpSystem* s, const double* W, double shift, snProfile* p), (s, W, shift, p)) \
    V(sn_profileSolve, (const snProfile* p, double* z), (p, z)) \
    X(size_t, sn_subspaceWork, (const snLcpSystem* s), (s)) \
    V(sn_freeRows, (const snLcpSystem* s, double* scale), (s, scale)) \
    X(bool, sn_subspacePays, (const snLcpSystem* s, int sweeps), (s, sweeps)) \
    X(double, sn_subspaceStep, (snLcpSystem* s, double residual, double* work, int* products), (s, residual, work, products)) \
    V(sn_lcpShare, (snLcpSystem* s, double tolerance, double* change), (s, tolerance, change)) \
    X(double, sn_lcpSweep, (snLcpSystem* s, const snSweep* sweep), (s, sweep)) \
    V(sn_systemArrays, (snLcpSystem* s, int rows, int square, double* all), (s, rows, square, all)) \
    V(sn_lcpDiagonal, (snLcpSystem* s), (s)) \
    V(sn_lcpSpread, (snLcpSystem* s), (s)) \
    V(sn_systemVelocity, (const snLcpSystem* s, double* w), (s, w)) \
    X(double, sn_systemResidual, (const snLcpSystem* s), (s)) \
    X(bool, sn_clustersAreJoints, (const snModel* m, const snData* d), (m, d)) \
    X(bool, sn_articulatedAcceleration, (const snModel* m, snData* d, const double* tau, double* qacc), (m, d, tau, qacc)) \
    X(snNullSpace, sn_clusterFactor, (const snData* d, int c), (d, c)) \
    X(bool, sn_loopInertia, (const snModel* m, snData* d, const double* inertia, bool warn), (m, d, inertia, warn)) \
    X(bool, sn_loopEquations, (const snModel* m, snData* d), (m, d)) \
    X(bool, sn_loopGeometry, (const snModel* m, snData* d), (m, d)) \
    X(bool, sn_loopMotion, (const snModel* m, snData* d), (m, d)) \
    V(sn_loopPosition, (const snModel* m, snData* d), (m, d)) \
    X(int, sn_loopMobility, (const snModel* m, const snData* d), (m, d)) \
    V(sn_loopK, (const snModel* m, const snData* d, double* K), (m, d, K)) \
    V(sn_loopG, (const snModel* m, const snData* d, double* G), (m, d, G)) \
    X(bool, sn_makeSparseFactor, (snSparseGraph* g, snPool* pool, snSparseFactor* f), (g, pool, f)) \
    V(sn_sparsePattern, (const snSparseGraph* g, const bool* active, snSparseFactor* f), (g, active, f)) \
    V(sn_sparseFactorize, (const snSparseGraph* g, const snSparseMatrix* A, double tolerance, snSparseFactor* f), (g, A, tolerance, f)) \
    V(sn_sparseSolve, (const snSparseFactor* f, double* x), (f, x)) \
    V(sn_asinArray, (const double* x, double* y, int n), (x, y, n)) \
    X(int, sn_cholFactor, (double* mat, int n, double mindiag), (mat, n, mindiag)) \
    V(sn_cholSolve, (double* res, const double* mat, const double* vec, int n), (res, mat, vec, n)) \
    X(int, sn_cholUpdate, (double* mat, double* x, int n, int flg_plus), (mat, x, n, flg_plus)) \
    X(int, sn_eigenAxes, (double eigval[3], double eigvec[9], double quat[4], const double mat[9]), (eigval, eigvec, quat, mat)) \
    V(sn_blockFill, (unsigned char* map, int nb), (map, nb)) \
    V(sn_blockCompress, (const unsigned char* map, snBlockPattern* pattern), (map, pattern)) \
    V(sn_blockZero, (double* A, int nb), (A, nb)) \
    V(sn_blockMulVec, (const snBlockPattern* p, const double* A, const double* x, double* y), (p, A, x, y)) \
    V(sn_blockCopy, (const snBlockPattern* p, const double* A, double* B), (p, A, B)) \
    X(int, sn_blockFactor, (const snBlockPattern* p, double* H, double* diaginv, double* work), (p, H, diaginv, work)) \
    V(sn_blockSolve, (const snBlockPattern* p, const double* L, const double* diaginv, double* x), (p, L, diaginv, x)) \
    X(bool, sn_blockUpdate, (const snBlockPattern* p, double* L, double* diaginv, double* v, double s), (p, L, diaginv, v, s)) \
    V(sn_quadMulVec, (const snQuad* quads, int count, const double* x, double* y), (quads, count, x, y)) \
    V(sn_quadMulTVec, (const snQuad* quads, int count, const double* x, double* y), (quads, count, x, y)) \
    V(sn_quadGram, (const snQuad* quads, int count, const double* w, double* H, int n, int rows), (quads, count, w, H, n, rows)) \
    V(sn_mulMatVec, (double* res, const double* mat, const double* vec, int nr, int nc), (res, mat, vec, nr, nc)) \
    V(sn_mulMatTVec, (double* res, const double* mat, const double* vec, int nr, int nc), (res, mat, vec, nr, nc)) \
    X(double, sn_mulVecMatVec, (const double* vec1, const double* mat, const double* vec2, int n), (vec1, mat, vec2, n)) \
    V(sn_transpose, (double* res, const double* mat, int nr, int nc), (res, mat, nr, nc)) \
    V(sn_symmetrize, (double* res, const double* mat, int n), (res, mat, n)) \
    V(sn_eye, (double* mat, int n), (mat, n)) \
    V(sn_mulMatMat, (double* res, const double* mat1, const double* mat2, int r1, int c1, int c2), (res, mat1, mat2, r1, c1, c2)) \
    V(sn_mulMatMatT, (double* res, const double* mat1, const double* mat2, int r1, int c1, int r2), (res, mat1, mat2, r1, c1, r2)) \
    V(sn_mulMatTMat, (double* res, const double* mat1, const double* mat2, int r1, int c1, int c2), (res, mat1, mat2, r1, c1, c2)) \
    V(sn_sqrMatTD, (double* res, const double* mat, const double* diag, int nr, int nc), (res, mat, diag, nr, nc)) \
    V(sn_panelProduct, (const double* a, int rows, int stride, int first, int count, double* C), (a, rows, stride, first, count, C)) \
    V(sn_panelProductPart, (const double* a, int rows, int stride, int first, int count, int begin, int end, double* C), (a, rows, stride, first, count, begin, end, C)) \
    X(int, sn_panelFactorRows, (double* a, int begin, int end, int stride, double* inv), (a, begin, end, stride, inv)) \
    V(sn_panelTake, (double* a, int stride, int from, int to, int begin, int end), (a, stride, from, to, begin, end)) \
    X(int, sn_panelFactorLeft, (double* a, int rows, int columns, int stride, double* inv), (a, rows, columns, stride, inv)) \
    V(sn_panelFactorRight, (double* a, int rows, int begin, int end, int stride, const double* inv), (a, rows, begin, end, stride, inv)) \
    X(int, sn_panelFactor, (double* a, int rows, int stride, double* inv), (a, rows, stride, inv)) \
    V(sn_panelForward, (const double* a, int rows, int stride, const double* inv, double* x), (a, rows, stride, inv, x)) \
    V(sn_panelBackward, (const double* a, int rows, int stride, const double* inv, double* x), (a, rows, stride, inv, x)) \
    X(bool, sn_panelUpdate, (double* a, int begin, int end, int stride, double* inv, double* v, double* scale, int count), (a, begin, end, stride, inv, v, scale, count)) \
    V(sn_addRun, (double* y, const double* x, int count), (y, x, count)) \
    V(sn_sincosArray, (const double* x, double* s, double* c, int n), (x, s, c, n)) \
    V(sn_zero, (double* res, int n), (res, n)) \
    V(sn_fill, (double* res, double val, int n), (res, val, n)) \
    V(sn_copy, (double* res, const double* vec, int n), (res, vec, n)) \
    V(sn_scl, (double* res, const double* vec, double scl, int n), (res, vec, scl, n)) \
    V(sn_add, (double* res, const double* vec1, const double* vec2, int n), (res, vec1, vec2, n)) \
    V(sn_sub, (double* res, const double* vec1, const double* vec2, int n), (res, vec1, vec2, n)) \
    V(sn_addTo, (double* res, const double* vec, int n), (res, vec, n)) \
    V(sn_subFrom, (double* res, const double* vec, int n), (res, vec, n)) \
    V(sn_addToScl, (double* res, const double* vec, double scl, int n), (res, vec, scl, n)) \
    V(sn_addScl, (double* res, const double* vec1, const double* vec2, double scl, int n), (res, vec1, vec2, scl, n)) \
    X(double, sn_dot, (const double* vec1, const double* vec2, int n), (vec1, vec2, n)) \
    X(double, sn_norm, (const double* vec, int n), (vec, n)) \
    X(double, sn_normalize, (double* vec, int n), (vec, n)) \
    X(double, sn_renormalize, (double* vec, int n), (vec, n)) \
    X(double, sn_sum, (const double* vec, int n), (vec, n)) \
    X(double, sn_L1, (const double* vec, int n), (vec, n)) \
    X(int, sn_isZero, (const double* vec, int n), (vec, n)) \
    X(double, sn_dist3, (const double pos1[3], const double pos2[3]), (pos1, pos2)) \
    V(sn_cross, (double res[3], const double a[3], const double b[3]), (res, a, b)) \
    V(sn_insertionSort, (double* list, int n), (list, n)) \
    V(sn_insertionSortInt, (int* list, int n), (list, n)) \
    V(sn_floatToDouble, (double* res, const float* vec, int n), (res, vec, n)) \
    V(sn_doubleToFloat, (float* res, const double* vec, int n), (res, vec, n)) \
    X(bool, sn_maySleep, (const snModel* m), (m)) \
    V(sn_zeroAsleep, (const snModel* m, const snData* d, double* x), (m, d, x)) \
    V(sn_listAwake, (const snModel* m, snData* d), (m, d)) \
    V(sn_settleSleep, (const snModel* m, snData* d), (m, d)) \
    V(sn_wakeIsland, (const snModel* m, snData* d, int tree, int count), (m, d, tree, count)) \
    X(uint64_t, sn_anyBit, (const double* x, int first, int end), (x, first, end)) \
    V(sn_wakeTouched, (const snModel* m, snData* d), (m, d)) \
    V(sn_takeAsleep, (const snModel* m, snData* d), (m, d)) \
    V(sn_keepAsleep, (const snModel* m, snData* d), (m, d)) \
    V(sn_checkPos, (const snModel* m, snData* d), (m, d)) \
    V(sn_checkVel, (const snModel* m, snData* d), (m, d)) \
    V(sn_checkAcc, (const snModel* m, snData* d), (m, d)) \
    V(sn_clipSensor, (const snModel* m, int sensor, real* out), (m, sensor, out)) \
    V(sn_sensorPos, (const snModel* m, snData* d), (m, d)) \
    V(sn_sensorVel, (const snModel* m, snData* d), (m, d)) \
    V(sn_sensorAcc, (const snModel* m, snData* d), (m, d)) \
    X(snHullPoint, sn_hullFarthest, (const snHull* hull, snVec3 n), (hull, n)) \
    X(snFrame*, sn_worldFrames, (const snModel* m, snData* d, const double* qpos, bool tree), (m, d, qpos, tree)) \
    X(snStatus, sn_inverseDynamics, (const snModel* m, snData* d, const double* qpos, const double* qvel, const double* qacc, double* tau), (m, d, qpos, qvel, qacc, tau)) \
    X(snStatus, sn_massMatrix, (const snModel* m, snData* d, const double* qpos, double* qM, double* qLD, double* qLDiagInv), (m, d, qpos, qM, qLD, qLDiagInv)) \
    X(snStatus, sn_bodyPoses, (const snModel* m, snData* d, const double* qpos, double* xpos, double* xmat), (m, d, qpos, xpos, xmat)) \
    V(sn_addBending, (const snModel* m, int flex, const double* x, double scale, bool positive, double* force), (m, flex, x, scale, positive, force)) \
    V(sn_addCurving, (const snModel* m, int flex, const double* x, double* force), (m, flex, x, force)) \
    V(sn_addCurvingAlong, (const snModel* m, int flex, const double* x, const double* dx, double* force), (m, flex, x, dx, force)) \
    X(double, sn_bendingEnergy, (const snModel* m, const snData* d, int flex), (m, d, flex)) \
    V(sn_flexHessian, (const snModel* m, const snData* d, int flex, double e, double t, const double* tension, const snFlexBlocks* blocks), (m, d, flex, e, t, tension, blocks)) \
    V(sn_flexBlocksMul, (const snModel* m, int flex, const snFlexBlocks* blocks, const double* x, double* y), (m, flex, blocks, x, y)) \
    X(bool, sn_flexHessianMul, (const snModel* m, snData* d, int flex, double e, double t, const double* tension, const double* x, double* y), (m, d, flex, e, t, tension, x, y)) \
    V(sn_flexTensions, (const snModel* m, const snData* d, int flex, bool positive, double* tension), (m, d, flex, positive, tension)) \
    V(sn_addStretch, (const snModel* m, int flex, const double* change, double* tension), (m, flex, change, tension)) \
    V(sn_flexElementStiffness, (const snModel* m, int flex, int element, double* K), (m, flex, element, K)) \
    X(double, sn_stretchEnergy, (const snModel* m, const snData* d, int flex), (m, d, flex)) \
    V(sn_addTensionForces, (const snModel* m, const snData* d, int flex, const double* tension, int part, double* force), (m, d, flex, tension, part, force)) \
    V(sn_sumSmooth, (const snModel* m, snData* d), (m, d)) \
    V(sn_smoothAcceleration, (const snModel* m, snData* d), (m, d)) \
    V(sn_compositeRows, (const snModel* m, const real* cdof, real* inertia, real* qM), (m, cdof, inertia, qM)) \
    V(sn_crb, (const snModel* m, snData* d), (m, d)) \
    V(sn_fullM, (const snModel* m, const real* M, real* dense), (m, M, dense)) \
    V(sn_addM, (const snModel* m, const snData* d, real* dst, const int* rownnz, const int* rowadr, const int* colind), (m, d, dst, rownnz, rowadr, colind)) \
    V(sn_mulM, (const snModel* m, const snData* d, real* result, const real* vec), (m, d, result, vec)) \
    V(sn_packTree, (const snModel* m, const double* A, double* LD), (m, A, LD)) \
    X(snBadPivots, sn_factorTree, (const snModel* m, bool indefinite, double* LD, double* diagInv), (m, indefinite, LD, diagInv)) \
    V(sn_packAwake, (const snModel* m, const snData* d, const double* A, double* LD), (m, d, A, LD)) \
    X(snBadPivots, sn_factorAwake, (const snModel* m, const snData* d, bool indefinite, double* LD, double* diagInv), (m, d, indefinite, LD, diagInv)) \
    V(sn_solveAwake, (const snModel* m, const snData* d, const double* LD, const double* diagInv, double* x), (m, d, LD, diagInv, x)) \
    V(sn_factorM, (const snModel* m, snData* d), (m, d)) \
    V(sn_eliminateDeep, (const snModel* m, double* LD, double* diagInv, int top, int count, snPivots* pivots), (m, LD, diagInv, top, count, pivots)) \
    X(snBadPivots, sn_factorLU, (const snModel* m, real* LU), (m, LU)) \
    V(sn_solveLU, (const snModel* m, const real* LU, real* x), (m, LU, x)) \
    X(snBadPivots, sn_solveLone, (const snModel* m, snData* d, real* x), (m, d, x)) \
    V(sn_rne, (const snModel* m, snData* d, int flg_acc, real* result), (m, d, flg_acc, result)) \
    X(snTrees, sn_treesOf, (const snModel* m, const int* dofs, int n), (m, dofs, n)) \
    V(sn_solveTrees, (const snModel* m, const double* LD, const double* diagInv, snTrees trees, bool whole, double* x), (m, LD, diagInv, trees, whole, x)) \
    V(sn_solveTree, (const snModel* m, const double* LD, const double* diagInv, double* x, int n), (m, LD, diagInv, x, n)) \
    V(sn_solveM, (const snModel* m, const snData* d, double* x, const double* y, int n), (m, d, x, y, n)) \
    V(sn_solveM2, (const snModel* m, const snData* d, double* x, const double* y, int n), (m, d, x, y, n)) \
    V(sn_mulM2, (const snModel* m, const snData* d, double* result, const double* vec), (m, d, result, vec)) \
    V(sn_comPos, (const snModel* m, snData* d), (m, d)) \
    V(sn_integrateJoints, (const snModel* m, real* qpos, const real* qvel, real dt, int first, int end), (m, qpos, qvel, dt, first, end)) \
    V(sn_integratePos, (const snModel* m, real* qpos, const real* qvel, real dt), (m, qpos, qvel, dt)) \
    V(sn_differentiatePos, (const snModel* m, real* qvel, real dt, const real* qpos1, const real* qpos2), (m, qvel, dt, qpos1, qpos2)) \
    V(sn_normalizeQuat, (const snModel* m, real* qpos), (m, qpos)) \
    X(real, sn_getTotalmass, (const snModel* m), (m)) \
    V(sn_setTotalmass, (snModel* m, real newmass), (m, newmass)) \
    V(sn_local2Global, (const snData* d, real xpos[3], real xmat[9], const real pos[3], const real quat[4], int body, int sameframe), (d, xpos, xmat, pos, quat, body, sameframe)) \
    V(sn_kinematics, (const snModel* m, snData* d), (m, d)) \
    V(sn_camlight, (const snModel* m, snData* d), (m, d)) \
    V(sn_subtreeVel, (const snModel* m, snData* d), (m, d)) \
    V(sn_comVel, (const snModel* m, snData* d), (m, d)) \
    V(sn_actuatorVelocity, (const snModel* m, snData* d), (m, d)) \
    V(sn_passive, (const snModel* m, snData* d), (m, d)) \
    V(sn_rnePostConstraint, (const snModel* m, snData* d), (m, d)) \
    X(int, sn_chainQuads, (const snModel* m, const snData* d, const snIslands* islands, int island), (m, d, islands, island)) \
    X(bool, sn_buildChainProblem, (const snModel* m, snData* d, const snIslands* islands, int island, int nquad, snProblem* p), (m, d, islands, island, nquad, p)) \
    X(snFrictionCone, sn_coneOfContact, (const snContact* con, const double* efc_D, int row), (con, efc_D, row)) \
    X(int, sn_coneState, (snConeZone zone), (zone)) \
    X(double, sn_coneUpdate, (const snFrictionCone* cone, const double* x, double* force, snConeZone* zone), (cone, x, force, zone)) \
    V(sn_coneRoot, (const snFrictionCone* cone, const double* x, double* C), (cone, x, C)) \
    V(sn_coneTransform, (const double* C, int dim, const double* from, int nblock, double* value), (C, dim, from, nblock, value)) \
    V(sn_contactHessian, (const snData* d, const snContact* contact, const double* jar, double* H), (d, contact, jar, H)) \
    X(bool, sn_findCoupling, (snData* d, const int* index, const snProblem* p, snCoupling* c), (d, index, p, c)) \
    V(sn_assembleInertia, (const struct snProblem* p, const double* weight, double* value), (p, weight, value)) \
    V(sn_assembleRows, (const struct snProblem* p, const snQuad* quad, const double* weight, double* work, double* value), (p, quad, weight, work, value)) \
    V(sn_assemblePart, (const struct snProblem* p, const snQuad* quad, const double* weight, const snPlaces* part, double* work, double* value), (p, quad, weight, part, work, value)) \
    X(bool, sn_buildDual, (const snModel* m, snData* d, const snIslands* islands, const double* b, snDual* q), (m, d, islands, b, q)) \
    V(sn_dualSteps, (snDual* q, bool friction), (q, friction)) \
    V(sn_dualResidual, (snDual* q), (q)) \
    X(double, sn_dualExcess, (const snModel* m, snData* d, const snIslands* islands, const snDual* q), (m, d, islands, q)) \
    V(sn_dualState, (const snData* d, snDual* q, snSolverStat* stat), (d, q, stat)) \
    V(sn_solveDual, (const snModel* m, snData* d, const snIslands* islands), (m, d, islands)) \
    X(bool, sn_dualMatrix, (const snModel* m, snData* d, snDual* q), (m, d, q)) \
    V(sn_noslip, (const snModel* m, snData* d, const snIslands* islands, snDual* q, double scale), (m, d, islands, q, scale)) \
    V(sn_projectedGaussSeidel, (const snModel* m, snData* d, const snIslands* islands, snDual* q, double scale), (m, d, islands, q, scale)) \
    X(bool, sn_pointFactorAllocate, (snData* d, const snElasticPoints* q, snPointFactor* f), (d, q, f)) \
    X(int, sn_factorPoints, (const snProblem* p, const snQuad* quad, const double* weight, snPointFactor* f), (p, quad, weight, f)) \
    V(sn_solvePoints, (const snElasticPoints* q, const snPointFactor* f, double* x), (q, f, x)) \
    X(bool, sn_findPoints, (snData* d, const snProblem* p, snElasticPoints* q), (d, p, q)) \
    V(sn_mulPoints, (const snElasticPoints* q, const double* x, double* y), (q, x, y)) \
    X(bool, sn_primalAllocate, (snData* d, const snProblem* p, snPrimal* s), (d, p, s)) \
    V(sn_primalPlace, (const snData* d, snProblem* p, snPrimalResult* result), (d, p, result)) \
    X(double, sn_primalDot, (const double* a, const double* b, int n), (a, b, n)) \
    V(sn_primalStart, (snProblem* p, snPrimal* s, bool warm, snPrimalResult* out), (p, s, warm, out)) \
    V(sn_recordIteration, (snData* d, int iteration, const snSolverStat* stat), (d, iteration, stat)) \
    X(bool, sn_primalStep, (snData* d, snProblem* p, const snPrimalOption* opt, int nupdate, int patience, snPrimal* s, snPrimalResult* out, bool* exact), (d, p, opt, nupdate, patience, s, out, exact)) \
    X(double, sn_rowsetUpdate, (snRowset* rows, const double* x, double* force, double* weight, double* zone, int* changed), (rows, x, force, weight, zone, changed)) \
    X(double, sn_rowsetSearch, (snRowset* rows, const double* x, const double* v, const double* zone, snLineSearch* search), (rows, x, v, zone, search))

#endif
// clang-format on
