#include "derivative/contact/geometry.h"
#include "base/error.h"

snStatus sn_contactGeometry(const snModel* m, snData* d, const snContact* con, snContactGradient* g,
                            snError* error)
{
    (void)m, (void)d, (void)con, (void)g;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "not supported yet: derivative of contacts");
}

snStatus sn_contactSize(const snModel* m, snData* d, const snContact* con, double g[7][6], snError* error)
{
    (void)m, (void)d, (void)con, (void)g;
    return sn_fail(error, SN_STATUS_UNSUPPORTED, "not supported yet: derivative of contacts");
}
