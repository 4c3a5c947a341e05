// A cell of a distance field while it is made: what was found of the distance at its lattice, and the sheets
// that come close to it.
#ifndef SINEW_COMPILE_SDF_CELL_H
#define SINEW_COMPILE_SDF_CELL_H

#include "compile/sdf/sampler.h"
#include "sdf/field/sheet.h"

enum { SN_SAMPLES = SN_SHEET }; ///< samples of a cell: those that a sheet has

/// Place of a sample, from 0 to 1 along each axis.
static inline snVec3 sn_samplePlace(int i)
{
    const int layer = i / 9;
    return sn_v3(0.5 * (i % 3), 0.5 * (i / 3 % 3), 0.5 * layer);
}

/// Samples by how near they are to the place of each: the nearest, which is itself, first. Cells of one field
/// have one shape, so that it is the same for all.
typedef struct snSampleOrder {
    unsigned char at[SN_SAMPLES][SN_SAMPLES];
} snSampleOrder;

/// Of cells with these half sizes.
void sn_orderSamples(snVec3 half, snSampleOrder* order);

typedef struct snCell {
    snVec3 centre, half;        ///< half sizes
    const snSampleOrder* order; ///< of samples
    snSample sample[SN_SAMPLES];
    const float* points; ///< [count x 3] of the surface, in the cell
    int count;
} snCell;

/// Sheets of a cell.
typedef struct snFit {
    float sheet[SN_SHEET * SN_MAXSHEET];
    int count;
    bool largest;
    double found; ///< largest error at the samples and at points of the surface
    double error; ///< that, or what there may be between them
} snFit;

/// How far a fit is off where this is the distance; x: from 0 to 1 along each axis.
static inline double sn_fitError(const snFit* fit, snVec3 x, double distance)
{
    return fabs(sn_leafAt(fit->sheet, fit->count, fit->largest, x, NULL) - distance);
}

/// Fits one sheet or, where that is off by more than `tolerance`, several: the best that is found.
snFit sn_fitCell(const snCell* cell, double tolerance);

#endif
