// Shapes by formulas: each is a row that says what its attributes are, and how far a point is from it. A
// shape stands in its own frame, its axis along z. Distances are exact near the surface but for corners of
// bolts, nuts and gears, outside of which they are less: never farther off than a point is.
#ifndef SINEW_SDF_SHAPE_SHAPE_H
#define SINEW_SDF_SHAPE_SHAPE_H

#include <sinew/base.h>
#include <stdbool.h>

enum { SN_SDF_NUMBERS = 16 }; ///< most numbers of a shape

typedef struct snSdfShape {
    const char* name;        ///< of the plugin that a model file names
    int count;               ///< attributes
    const char* const* keys; ///< [count] in <config>
    const double* standard;  ///< [count] what an attribute is that a file does not give
    int numbers;             ///< attributes, and constants made of them
    /// Holds numbers [count] against each other and makes the constants behind them; false: no such shape.
    bool (*prepare)(double* numbers, snError* error);
    /// Signed distance at a point of the shape's frame, and its gradient (NULL: not wanted).
    double (*distance)(const double* numbers, const double point[3], double gradient[3]);
    /// The box around it: centre, half sizes.
    void (*box)(const double* numbers, double box[6]);
} snSdfShape;

extern const snSdfShape sn_torusShape, sn_bowlShape, sn_gearShape, sn_nutShape, sn_boltShape;

/// All of them, by name.
enum { SN_SDF_SHAPES = 5 };
extern const snSdfShape* const sn_sdfShapes[SN_SDF_SHAPES];

/// Makes numbers [shape->numbers] of the texts of attributes, values [shape->count], NULL or empty where the
/// standard holds. ARGUMENT: an attribute is no single finite number, or there is no such shape.
snStatus sn_parseShape(const snSdfShape* shape, const char* const* values, double* numbers, snError* error);

#endif
