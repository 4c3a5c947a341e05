// A dense system of equations, solved once. Source: Golub and Van Loan 2013, 3.4.
#ifndef SINEW_MATH_ELIMINATE_H
#define SINEW_MATH_ELIMINATE_H

/// x [n] <- inv(A) x by elimination with partial pivoting; a pivot of 0 gives 0. A [n x n] is overwritten.
void sn_eliminate(double* A, int n, double* x);

#endif
