// Eigenvalues and axes of a symmetric 3x3 matrix.
#ifndef SINEW_MATH_EIG3_H
#define SINEW_MATH_EIG3_H

#include "math/vec.h"

/// Principal axes of the symmetric matrix A [9]: A = R diag(value) R', R the matrix of the unit quaternion
/// returned, value in decreasing order (within 1e-12 of each other in any order). As the peer it stops when
/// the next turn is below 1.4e-6 rad: axes are good to 1e-6, values to 1e-12 relative. Source: Jacobi's
/// method (Golub and Van Loan, 8.5), the turns gathered in a quaternion so that R stays a rotation.
snQuat sn_eig3(snMat3 A, real value[3]);

/// The same; turns gets how many it took.
snQuat sn_eig3Turns(snMat3 A, real value[3], int* turns);

/// As sn_eig3, but what is left beside the diagonal is below 1e-7 times the largest entry of A.
snQuat sn_floatEig3(snMat3 A, real value[3]);

/// Axes and values to rounding, whatever the size of A.
snQuat sn_exactEig3(snMat3 A, real value[3]);

/// The axes of sn_eig3 turned on until they are those of A to rounding; value as there.
snQuat sn_refineEig3(snMat3 A, snQuat q, real value[3]);

#endif
