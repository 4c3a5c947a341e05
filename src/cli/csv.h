// Tables of numbers in text files, one row a line.
#ifndef SINEW_CLI_CSV_H
#define SINEW_CLI_CSV_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cliTable {
    char** names;   ///< [columns], from a first line that is not all numbers; NULL: there is none
    double* values; ///< [rows x columns], all finite
    size_t rows;
    int columns;
} cliTable;

/// Reads a comma-separated file: an optional header, fields with or without double quotes, \n or \r\n. False
/// after printing what is wrong with file, line and column; *table can be freed in either case.
bool cli_readTable(const char* path, cliTable* table);
void cli_freeTable(cliTable* table);

/// Line of the file on which row `row` stands.
size_t cli_tableLine(const cliTable* table, size_t row);

#endif
