// The word that somebody probably meant.
#ifndef SINEW_BASE_NEAREST_H
#define SINEW_BASE_NEAREST_H

/// Edits (insert, delete, replace, swap neighbours) that turn a into b; letter case counts for nothing. A
/// word longer than 63 bytes is only compared by its first 63.
int sn_wordDistance(const char* a, const char* b);

/// The candidate that is nearest to `word`, or NULL when none is near enough to be worth naming: more than a
/// third of its letters wrong. NULL candidates are skipped.
const char* sn_nearestWord(const char* word, const char* const* candidates, int n);

#endif
