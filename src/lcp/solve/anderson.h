// Anderson acceleration of sweeps: a sweep is a map g of lambda, whose change g(lambda) - lambda is to
// vanish. Of the last few sweeps that combination is taken whose change, were g affine, would be least, in
// the metric of A's diagonal; what leaves its bounds is put back (Anderson 1965; type II of Fang and Saad
// 2009). Where the change has grown the memory is dropped. lambda and dV move together, so that only rows
// that are put back cost a product. A need not be symmetric, and friction may be as it is.
#ifndef SINEW_LCP_SOLVE_ANDERSON_H
#define SINEW_LCP_SOLVE_ANDERSON_H

#include <stddef.h>
#include "lcp/solve/system.h"

enum { SN_ANDERSON_KEPT = 4 };

typedef struct snAnderson {
    double* before;                                     ///< [rows] lambda before a sweep
    double* scale;                                      ///< [rows] sqrt(A_ii); 0: the row does not move
    double* change;                                     ///< [rows] of the last sweep, times scale
    double* swept;                                      ///< [rows + ncoord] lambda and dV behind it
    double* dchange[SN_ANDERSON_KEPT];                  ///< [rows] differences of these from sweep to sweep
    double* dswept[SN_ANDERSON_KEPT];                   ///< [rows + ncoord]
    int kept, next;                                     ///< how many there are; which is replaced next
    bool fresh;                                         ///< no sweep is remembered
    double least;                                       ///< square of the least change
    double travel;                                      ///< sum of the sizes of all changes
    double product[SN_ANDERSON_KEPT][SN_ANDERSON_KEPT]; ///< of dchange
} snAnderson;

/// Numbers of work for a system.
size_t sn_andersonWork(const snLcpSystem* s);

/// Begins with nothing remembered.
void sn_andersonBegin(const snLcpSystem* s, double* work, snAnderson* a);

/// To be called before each sweep, and after each that another one follows; where every second goes back,
/// before and after such a pair, which is one map.
void sn_andersonBefore(const snLcpSystem* s, snAnderson* a);
void sn_andersonAfter(snLcpSystem* s, snAnderson* a);

/// Puts x within its bounds, and keeps dV = T x.
void sn_lcpPutBack(snLcpSystem* s);

#endif
