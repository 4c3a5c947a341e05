// Rigid contact, for which MJCF has no words: text fields say it.
//     <text name="sinew_contact" data="lcp"/>                                  the model of contact
//     <text name="sinew_lcp" data="method=blockgs sweeps=50 key=value ..."/>   its settings
//     <text name="sinew_restitution_GEOM" data="0.8"/>                         of a geom
//     <text name="sinew_maxforce_NAME" data="100"/>                            of a joint's limit, an
//     equality
#ifndef SINEW_FORMAT_MJCF_LANGUAGE_LCP_TEXT_H
#define SINEW_FORMAT_MJCF_LANGUAGE_LCP_TEXT_H

#include <sinew/option.h>
#include "format/mjcf/language/words.h"

// Each returns false with *mistake filled when the data are wrong.

/// Reads the data of sinew_contact into the option.
bool sn_readContactText(const char* data, snOption* opt, snTextMistake* mistake);

/// Reads the data of sinew_lcp into the options lcp_...; those that it does not name stay.
bool sn_readLcpText(const char* data, snOption* opt, snTextMistake* mistake);

/// Reads the data of sinew_restitution_GEOM, a number from 0 to 1.
bool sn_readRestitutionText(const char* data, double* restitution, snTextMistake* mistake);
/// Reads the data of sinew_maxforce_NAME, a number of 0 or more.
bool sn_readMaxforceText(const char* data, double* maxforce, snTextMistake* mistake);

#endif
