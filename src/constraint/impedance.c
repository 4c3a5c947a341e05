// In lanes, too: src/batch/lane/prelude.h.
#include "constraint/impedance_law.h"

snKbip sn_kbip(const snOption* opt, const real solref[SN_NREF], const real solimp[SN_NIMP], real pos,
               int type)
{
    return sn_kbipLaw(opt, solref, solimp, pos, type);
}
