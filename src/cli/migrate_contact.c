// Margins and gaps. Under 3.3.7 two geoms have the larger margin m and the larger gap g, are found below m
// and push below m - g; under 4.0 both are sums, and geoms push below the margin and are found below margin +
// gap. So what is wanted of numbers x of geoms is x_i + x_j = P_ij for all pairs that may meet, once for P =
// m - g (margins), once for P = g. Along a tree of pairs x = sign t + c with one t for all that hang
// together; a pair between two geoms of one sign settles t. Pairs that then are not as they should be become
// elements, which have margins of their own.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/memory.h"
#include "cli/migrate.h"
#include "collision/broad/filter.h"
#include "collision/contact/contact.h"
#include "model/spec/spec.h"

// x of a geom: sign t + c; sign 0: not reached.
typedef struct Term {
    int sign;
    double c;
} Term;

// What is wanted of two geoms: of their margins, or of their gaps.
typedef double wanted(const snModel* m, int i, int j);

static double wantedMargin(const snModel* m, int i, int j)
{
    return sn_mixDistance(m, m->geom_margin[i], m->geom_margin[j]) - sn_pairGap(m, i, j, -1);
}

static double wantedGap(const snModel* m, int i, int j)
{
    return sn_pairGap(m, i, j, -1);
}

static bool meet(const snModel* m, int i, int j)
{
    return i != j && sn_canCollide(m->geom_type[i], m->geom_type[j]) && sn_mayMeet(m, i, j) &&
           !(m->npair && sn_isPredefined(m, i, j));
}

static bool isLost(const cliMigration* g, int i, int j)
{
    return g->after->ngeom == g->before->ngeom && !sn_mayMeet(g->after, i, j);
}

// ---- numbers of geoms

// Terms of all geoms that hang together with `root`, breadth first; queue [ngeom]. Returns how many.
static int spread(const cliMigration* g, wanted* value, int root, Term* terms, int* queue)
{
    const snModel* m = g->before;
    int count = 1;
    terms[root] = (Term){1, 0};
    queue[0] = root;
    for (int at = 0; at < count; at++)
        for (int i = queue[at], j = 0; j < m->ngeom; j++) {
            if (terms[j].sign || !meet(m, i, j) || isLost(g, i, j)) continue;
            terms[j] = (Term){-terms[i].sign, value(m, i, j) - terms[i].c};
            queue[count++] = j;
        }
    return count;
}

// t of geoms that hang together: of the first pair that settles it, else that with which the root keeps
// `own`.
static double settle(const cliMigration* g, wanted* value, const Term* terms, const int* queue, int count,
                     double own)
{
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++) {
            const int i = queue[a], j = queue[b];
            if (terms[i].sign != terms[j].sign || !meet(g->before, i, j) || isLost(g, i, j)) continue;
            return terms[i].sign * (value(g->before, i, j) - terms[i].c - terms[j].c) / 2;
        }
    return own;
}

// To what people write: sums and halves leave 0.0049999999999999992.
static double rounded(double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", x);
    return strtod(text, NULL);
}

// Numbers x [ngeom] of all geoms; those that meet none keep `own`.
static bool solve(const cliMigration* g, wanted* value, const double* own, double* x)
{
    const size_t n = (size_t)g->before->ngeom;
    Term* terms = sn_calloc((n + 1) * sizeof *terms);
    int* queue = sn_malloc((n + 1) * sizeof *queue);
    for (int root = 0; terms && queue && root < (int)n; root++) {
        if (terms[root].sign) continue;
        const int count = spread(g, value, root, terms, queue);
        const double t = settle(g, value, terms, queue, count, own[root]);
        for (int k = 0; k < count; k++) x[queue[k]] = rounded(terms[queue[k]].sign * t + terms[queue[k]].c);
    }
    const bool done = terms && queue;
    if (!done) sn_fail(g->error, SN_STATUS_NO_MEMORY, "out of memory");
    sn_free(terms);
    sn_free(queue);
    return done;
}

static bool setNumber(const cliMigration* g, snElement* e, const char* name, double x)
{
    double now = 0;
    sn_getNumbers(g->spec, e, name, &now, 1);
    return now == x || sn_setNumbers(g->spec, e, name, &x, 1, g->error) == SN_STATUS_OK;
}

static bool setGeoms(const cliMigration* g, const char* name, const double* old, const double* x)
{
    for (int i = 0; i < g->before->ngeom; i++) {
        snElement* e = x[i] != old[i] ? cli_elementOf(g, SN_OBJ_GEOM, i) : NULL;
        if (e && !setNumber(g, e, name, x[i])) return false;
    }
    return true;
}

// ---- pairs

// Says that a geom is one of a pair; one without a name gets "geomID", or "geomID_1", ...
static bool setGeom(const cliMigration* g, snElement* pair, const char* attribute, int id)
{
    char name[64];
    snElement* e = cli_elementOf(g, SN_OBJ_GEOM, id);
    const char* own = e ? sn_getText(g->spec, e, "name") : NULL;
    if (own && *own) return sn_setText(g->spec, pair, attribute, own, g->error) == SN_STATUS_OK;
    snprintf(name, sizeof name, "geom%d", id);
    for (int k = 1; sn_findElement(g->spec, SN_OBJ_GEOM, name); k++)
        snprintf(name, sizeof name, "geom%d_%d", id, k);
    return e && !sn_setText(g->spec, e, "name", name, g->error) &&
           !sn_setText(g->spec, pair, attribute, name, g->error);
}

// A pair element that says of two geoms what 3.3.7 makes of them.
static bool addPair(const cliMigration* g, int i, int j)
{
    snContact c;
    char dim[16];
    sn_contactParameters(g->before, i, j, -1, &c);
    snprintf(dim, sizeof dim, "%d", c.dim);
    const double margin = rounded(wantedMargin(g->before, i, j)), gap = wantedGap(g->before, i, j),
                 none[2] = {0, 0};
    snElement* section = sn_section(g->spec, "contact", g->error);
    snElement* e = section ? sn_addElement(g->spec, section, "pair", NULL, g->error) : NULL;
    const struct {
        const char* name;
        const double* numbers;
        int n;
    } parts[] = {{"solref", c.solref, SN_NREF}, {"solreffriction", none, SN_NREF},
                 {"solimp", c.solimp, SN_NIMP}, {"friction", c.friction, 5},
                 {"margin", &margin, 1},        {"gap", &gap, 1}};
    bool good = e && setGeom(g, e, "geom1", i) && setGeom(g, e, "geom2", j) &&
                !sn_setText(g->spec, e, "condim", dim, g->error);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        good = good && !sn_setNumbers(g->spec, e, parts[k].name, parts[k].numbers, parts[k].n, g->error);
    return good;
}

// Pairs that geoms' numbers do not give what 3.3.7 does, to rounding.
static bool addOthers(const cliMigration* g, const double* margin, const double* gap)
{
    const snModel* m = g->before;
    for (int i = 0; i < m->ngeom; i++)
        for (int j = i + 1; j < m->ngeom; j++) {
            if (!meet(m, i, j) || isLost(g, i, j)) continue;
            const double off = fabs(margin[i] + margin[j] - wantedMargin(m, i, j)) +
                               fabs(gap[i] + gap[j] - wantedGap(m, i, j));
            const double size = fabs(wantedMargin(m, i, j)) + fabs(wantedGap(m, i, j));
            if (off > 1e-14 * size && !addPair(g, i, j)) return false;
        }
    return true;
}

// Pairs that the model has say their own margin.
static bool rewritePairs(const cliMigration* g)
{
    for (snElement* e = sn_root(g->spec); e; e = sn_nextInTree(sn_root(g->spec), e)) {
        if (strcmp(sn_elementTag(e), "pair") != 0 ||
            strcmp(sn_elementTag(sn_elementParent(e)), "contact") != 0)
            continue;
        double margin = 0, gap = 0;
        sn_getNumbers(g->spec, e, "margin", &margin, 1);
        sn_getNumbers(g->spec, e, "gap", &gap, 1);
        if (gap != 0 && !setNumber(g, e, "margin", rounded(margin - gap))) return false;
    }
    return true;
}

// ---- the rules

static bool anyMargin(const snModel* m)
{
    for (int i = 0; i < m->ngeom; i++)
        if (m->geom_margin[i] != 0 || m->geom_gap[i] != 0) return true;
    return false;
}

static bool rewriteGeoms(const cliMigration* g, double* work)
{
    const snModel* m = g->before;
    const int n = m->ngeom;
    double *own = work, *margin = work + n, *gap = work + 2 * n;
    for (int i = 0; i < n; i++) own[i] = m->geom_margin[i] - m->geom_gap[i];
    return solve(g, wantedMargin, own, margin) && solve(g, wantedGap, m->geom_gap, gap) &&
           setGeoms(g, "margin", m->geom_margin, margin) && setGeoms(g, "gap", m->geom_gap, gap) &&
           addOthers(g, margin, gap);
}

bool cli_keepMargins(const cliMigration* g)
{
    const snModel* m = g->before;
    if (!rewritePairs(g)) return false;
    if (!anyMargin(m)) return true;
    double* work = sn_malloc((3 * (size_t)m->ngeom + 1) * sizeof *work);
    if (!work) sn_fail(g->error, SN_STATUS_NO_MEMORY, "out of memory");
    const bool done = work && rewriteGeoms(g, work);
    sn_free(work);
    return done;
}

bool cli_keepMocapContacts(const cliMigration* g)
{
    const snModel* m = g->before;
    if (!m->nmocap) return true;
    for (int i = 0; i < m->ngeom; i++)
        for (int j = i + 1; j < m->ngeom; j++)
            if (isLost(g, i, j) && meet(m, i, j) && !addPair(g, i, j)) return false;
    return true;
}
