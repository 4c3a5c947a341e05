// What may stand in a problem; each error says which row it is and how to mend it.
#include "base/error.h"
#include "lcp/given/given.h"

#define WRONG(...) sn_fail(error, SN_STATUS_ARGUMENT, "LCP: " __VA_ARGS__)

static bool isSparse(const snSparseRows* rows)
{
    return rows->adr != NULL;
}

// ---- the matrix

static snStatus checkDense(const snLcp* p, snError* error)
{
    for (int i = 0; i < p->n; i++)
        for (int j = 0; j < p->n; j++) {
            const double value = p->A[(size_t)i * (size_t)p->n + (size_t)j];
            if (!isfinite(value)) return WRONG("row %d: A[%d, %d] is %g, must be finite", i, i, j, value);
        }
    return SN_STATUS_OK;
}

static snStatus checkAddresses(int n, const snSparseRows* rows, const char* name, snError* error)
{
    if (rows->adr[0] < 0) return WRONG("%s.adr[0] is %d, must be 0 or more", name, rows->adr[0]);
    for (int i = 0; i < n; i++)
        if (rows->adr[i + 1] < rows->adr[i])
            return WRONG("row %d: %s.adr falls from %d to %d, must not fall", i, name, rows->adr[i],
                         rows->adr[i + 1]);
    if (rows->adr[n] > rows->adr[0] && (!rows->col || !rows->value))
        return WRONG("%s has no columns or values: give %s.col and %s.value", name, name, name);
    return SN_STATUS_OK;
}

static snStatus checkRows(const snLcp* p, const snSparseRows* rows, const char* name, snError* error)
{
    const snStatus status = checkAddresses(p->n, rows, name, error);
    if (status) return status;
    for (int i = 0; i < p->n; i++)
        for (int k = rows->adr[i]; k < rows->adr[i + 1]; k++) {
            if (rows->col[k] < 0 || rows->col[k] >= p->ncolumn)
                return WRONG("row %d: %s.col[%d] is %d, must be in [0, %d)", i, name, k, rows->col[k],
                             p->ncolumn);
            if (!isfinite(rows->value[k]))
                return WRONG("row %d: %s.value[%d] is %g, must be finite", i, name, k, rows->value[k]);
        }
    return SN_STATUS_OK;
}

static snStatus checkSparse(const snLcp* p, snError* error)
{
    if (p->ncolumn < 0 || p->ncolumn > SN_LCP_MOST)
        return WRONG("ncolumn is %d, must be from 0 to %d", p->ncolumn, SN_LCP_MOST);
    if (!isSparse(&p->T) && p->ncolumn != p->n)
        return WRONG("J is %d x %d without T, so it is A and must be square: give T = M^-1 J' or %d columns",
                     p->n, p->ncolumn, p->n);
    const snStatus status = checkRows(p, &p->J, "J", error);
    return status || !isSparse(&p->T) ? status : checkRows(p, &p->T, "T", error);
}

static snStatus checkMatrix(const snLcp* p, snError* error)
{
    const bool sparse = isSparse(&p->J);
    if (p->A && (sparse || isSparse(&p->T))) return WRONG("there is A and J or T: give one or the other");
    if (p->A) return checkDense(p, error);
    if (sparse) return checkSparse(p, error);
    if (isSparse(&p->T)) return WRONG("there is T without J: give both");
    return p->n > 0 ? WRONG("there is no matrix: give A, or J, or J and T") : SN_STATUS_OK;
}

// ---- rows

static snStatus checkBox(const snLcp* p, int i, snError* error)
{
    const double lo = sn_givenLower(p, i), hi = sn_givenUpper(p, i);
    if (isnan(lo) || isnan(hi)) return WRONG("row %d: bound %s is nan", i, isnan(lo) ? "lo" : "hi");
    if (lo > hi) return WRONG("row %d: bounds are crossed, lo = %g is above hi = %g: swap them", i, lo, hi);
    if ((isinf(lo) && lo > 0) || (isinf(hi) && hi < 0))
        return WRONG("row %d: no number is within its bounds, lo = %g, hi = %g", i, lo, hi);
    return SN_STATUS_OK;
}

static snStatus checkFriction(const snLcp* p, int i, snError* error)
{
    if (!p->normal) return WRONG("row %d: friction without a normal: give the array normal", i);
    if (!p->mu) return WRONG("row %d: friction without a coefficient: give the array mu", i);
    const int normal = p->normal[i];
    if (normal < 0 || normal >= p->n)
        return WRONG("row %d: normal is %d, must be a row in [0, %d)", i, normal, p->n);
    if (sn_givenKind(p, normal) != SN_LCPROW_BOX)
        return WRONG("row %d: its normal, row %d, is itself of friction, must be of kind box", i, normal);
    if (!(p->mu[i] > 0 && isfinite(p->mu[i])))
        return WRONG("row %d: mu is %g, must be above 0 and finite", i, p->mu[i]);
    const double lo = sn_givenLower(p, normal), hi = sn_givenUpper(p, normal);
    if (lo != 0 || !isinf(hi))
        return WRONG("row %d: it is the normal of friction in row %d, so its bounds must be 0 and infinity, "
                     "not %g and %g",
                     normal, i, lo, hi);
    return SN_STATUS_OK;
}

static snStatus checkRow(const snLcp* p, int i, snError* error)
{
    const int kind = sn_givenKind(p, i);
    if (kind != SN_LCPROW_BOX && kind != SN_LCPROW_FRICTION && kind != SN_LCPROW_CONE)
        return WRONG("row %d: kind is %d, must be 0 (box), 1 (friction) or 2 (cone)", i, kind);
    if (!isfinite(p->b[i])) return WRONG("row %d: b is %g, must be finite", i, p->b[i]);
    return kind == SN_LCPROW_BOX ? checkBox(p, i, error) : checkFriction(p, i, error);
}

snStatus sn_checkLcp(const snLcp* p, snError* error)
{
    if (p->n < 0 || p->n > SN_LCP_MOST) return WRONG("n is %d rows, must be from 0 to %d", p->n, SN_LCP_MOST);
    if (p->n > 0 && !p->b) return WRONG("there is no b: give b [%d]", p->n);
    snStatus status = checkMatrix(p, error);
    for (int i = 0; i < p->n && !status; i++) status = checkRow(p, i, error);
    return status;
}

// ---- options

snStatus sn_checkLcpOption(const snLcpOption* opt, snError* error)
{
    const bool jacobi = opt->method == SN_LCP_JACOBI || opt->method == SN_LCP_BLOCKJACOBI;
    if (opt->method < SN_LCP_JACOBI || opt->method > SN_LCP_DIRECT)
        return WRONG("method is %d, must be an snLcpMethod, from 0 to %d", opt->method, SN_LCP_DIRECT);
    if (!(opt->omega >= 0 && isfinite(opt->omega)) || (opt->omega == 0 && !jacobi))
        return WRONG("omega is %g, must be above 0, below 2 to converge%s", opt->omega,
                     jacobi ? ", or 0 for one from the spectral radius" : "");
    if (opt->sweeps < 0) return WRONG("sweeps is %d, must be 0 or more", opt->sweeps);
    if (!(opt->tolerance >= 0)) return WRONG("tolerance is %g, must be 0 or more", opt->tolerance);
    return SN_STATUS_OK;
}
