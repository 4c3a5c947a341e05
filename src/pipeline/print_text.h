// What printing models and printing data share: a text with the format of its numbers.
#ifndef SINEW_PIPELINE_PRINT_TEXT_H
#define SINEW_PIPELINE_PRINT_TEXT_H

#include <sinew/data.h>
#include <stdio.h>

enum { SN_PRINT_ROWS = 1000 }; ///< most rows shown of an array

typedef struct snText {
    FILE* file;
    const char* path;         ///< NULL: standard output
    const char* float_format; ///< of one double
} snText;

/// Begins a text; status ARGUMENT or FILE as sn_printModel.
snStatus sn_openText(snText* t, const char* path, const char* float_format, snError* error);
/// Ends it; status FILE when not all of it could be written.
snStatus sn_closeText(snText* t, snError* error);

void sn_putNumber(const snText* t, double number);
/// `count` entries of a type of snField ("double", "float", "int", "uint8_t"), a blank between, and the end
/// of the line.
void sn_putEntries(const snText* t, const char* type, const void* entries, int count);
/// A name of its own width, two blanks before it.
void sn_putName(const snText* t, const char* name);
/// A field whole: its name in capitals, then its rows, of which at most SN_PRINT_ROWS; nothing if it is
/// empty. Texts (char) stand in quotes, one a line.
void sn_putField(const snText* t, const snField* field, const void* array, int rows, int columns);
/// The non-zeros of a sparse array of nnz numbers, a line a row: "column: number ...".
void sn_putSparse(const snText* t, const char* name, int rows, int columns, int nnz, const int* rownnz,
                  const int* rowadr, const int* colind, const double* array);
/// Bytes in the unit that keeps them short.
void sn_putBytes(const snText* t, const char* name, size_t bytes);

#endif
