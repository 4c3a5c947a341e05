#include "lcp/impulse.h"
#include <assert.h>
#include <math.h>
#include <string.h>
#include "constraint/row.h"
#include "model/arena.h"
#include "model/contact.h"
#include "model/made.h"

// The rows of a constraint stand together. The two limits of a joint are one each.
static int rowsOf(const snData* d, int row)
{
    assert(row >= 0 && row < d->nefc);
    int end = row + 1;
    while (end < d->nefc && end < row + 6 && d->efc_type[end] == d->efc_type[row] &&
           d->efc_id[end] == d->efc_id[row] && !sn_isLimit(d->efc_type[row]))
        end++;
    return end - row;
}

static snImpulse keyOf(const snData* d, int row)
{
    const int type = d->efc_type[row], id = d->efc_id[row];
    const bool upper = sn_isLimit(type) && d->efc_J_rownnz[row] && d->efc_J[d->efc_J_rowadr[row]] < 0;
    snImpulse key = {.id = {-1 - type, upper ? -1 - id : id}};
    if (type < SN_CNSTR_CONTACT_FRICTIONLESS) return key;
    const snContact* con = d->contact + id;
    key.id[0] = con->geom[0];
    key.id[1] = con->geom[1];
    if (sn_isFlexContact(con)) {
        memcpy(key.pos, con->pos, sizeof con->pos);
        return key;
    }
    const double *at = d->geom_xpos + 3 * con->geom[1], *R = d->geom_xmat + 9 * con->geom[1];
    const double p[3] = {con->pos[0] - at[0], con->pos[1] - at[1], con->pos[2] - at[2]};
    for (int k = 0; k < 3; k++) key.pos[k] = R[k] * p[0] + R[3 + k] * p[1] + R[6 + k] * p[2];
    return key;
}

static bool isSame(const snImpulse* a, const snImpulse* b)
{
    return a->id[0] == b->id[0] && a->id[1] == b->id[1];
}

void sn_lcpKeep(const snModel* m, snData* d)
{
    sn_assertMade(m, d, efc_force, efc_type, efc_id, geom_xpos, geom_xmat);
    const int room = (int)(d->nimpulsebytes / sizeof(snImpulse));
    d->nimpulse = 0;
    if (m->opt.contact != SN_CONTACT_LCP) return;
    for (int row = 0, rows; row < d->nefc && d->nimpulse < room; row += rows) {
        snImpulse* to = d->impulse + d->nimpulse++;
        rows = rowsOf(d, row);
        *to = keyOf(d, row);
        for (int r = 0; r < rows; r++) to->lambda[r] = m->opt.timestep * d->efc_force[row + r];
    }
}

// ---- finding them again

// Where the kept impulses of a pair begin. Mostly behind those of the pair in front of it; else by a table,
// made when it is first needed.
typedef struct Kept {
    int next;   // behind the last pair found
    int* table; // [size] first kept impulse of a pair; -1: none
    unsigned size;
    bool full; // no room for the table
} Kept;

// Of the bits: in a state vector that the user has made, ids may be no integers.
static unsigned hash(const snImpulse* key)
{
    uint64_t bits[2];
    memcpy(bits, key->id, sizeof bits);
    for (int k = 0; k < 2; k++) bits[k] ^= bits[k] >> 32; // whole numbers have nothing in their low bits
    uint64_t h = bits[0] * 0x9e3779b97f4a7c15u + bits[1] * 0xd6e8feb86659fd93u;
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93u;
    return (unsigned)(h >> 32);
}

static void makeTable(snData* d, Kept* k)
{
    k->size = 16;
    while (k->size < 2 * (unsigned)d->nimpulse) k->size *= 2;
    k->table = sn_scratchAlloc(d, k->size * sizeof(int));
    k->full = k->table == NULL;
    if (k->full) return;
    for (unsigned i = 0; i < k->size; i++) k->table[i] = -1;
    for (int i = 0; i < d->nimpulse; i++) {
        if (i > 0 && isSame(d->impulse + i, d->impulse + i - 1)) continue;
        unsigned at = hash(d->impulse + i) & (k->size - 1);
        while (k->table[at] >= 0) at = (at + 1) & (k->size - 1);
        k->table[at] = i;
    }
}

// The first kept impulse of a pair; -1: none.
static int findPair(snData* d, Kept* k, const snImpulse* key)
{
    if (k->next < d->nimpulse && isSame(d->impulse + k->next, key)) return k->next;
    if (!k->table && !k->full) makeTable(d, k);
    if (k->full) return -1;
    unsigned at = hash(key) & (k->size - 1);
    while (k->table[at] >= 0 && !isSame(d->impulse + k->table[at], key)) at = (at + 1) & (k->size - 1);
    return k->table[at];
}

static double squareDistance(const double* a, const double* b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (a[k] - b[k]) * (a[k] - b[k]);
    return sum;
}

enum { MOST = SN_MAXCONPAIR }; // of a pair; those beyond start at 0

// A state vector that the user has made may hold anything.
static double usable(double x)
{
    return fabs(x) <= SN_MAXVAL ? x : 0;
}

// Gives the kept impulses of a pair, from `from` on, to its constraints: each to the nearest. Points of
// contact come and go as edges that lie on each other turn by rounding; so what the pair carries as a whole
// stays the same.
static void matchPair(const snData* d, const snImpulse* key, const int* row, int count, int from,
                      double* impulse)
{
    for (int k = from; k < d->nimpulse && isSame(d->impulse + k, key); k++) {
        int best = 0;
        double least = HUGE_VAL;
        for (int i = 0; i < count; i++) {
            const double distance = squareDistance(key[i].pos, d->impulse[k].pos);
            if (!(distance < least)) continue;
            least = distance;
            best = i;
        }
        const int rows = rowsOf(d, row[best]);
        for (int r = 0; r < rows; r++) impulse[row[best] + r] += usable(d->impulse[k].lambda[r]);
    }
}

// The constraints of the pair whose rows begin at `row`: keys and rows [MOST], how many. Returns where those
// of the next one begin.
static int takePair(const snData* d, int row, snImpulse* keys, int* rows, int* count)
{
    for (*count = 0; row < d->nefc; row += rowsOf(d, row)) {
        const snImpulse key = keyOf(d, row);
        if (*count && !isSame(keys, &key)) break;
        if (*count == MOST) continue;
        keys[*count] = key;
        rows[(*count)++] = row;
    }
    return row;
}

bool sn_lcpRecall(const snModel* m, snData* d, double* impulse)
{
    memset(impulse, 0, (size_t)d->nefc * sizeof(double));
    if ((m->opt.disableflags & SN_DSBL_WARMSTART) || d->nimpulse == 0) return true;
    const size_t mark = sn_scratchMark(d);
    Kept kept = {0};
    snImpulse key[MOST];
    int row[MOST], count;
    for (int at = 0; at < d->nefc;) {
        at = takePair(d, at, key, row, &count);
        const int from = findPair(d, &kept, key);
        if (from < 0) continue;
        matchPair(d, key, row, count, from, impulse);
        kept.next = from;
        while (kept.next < d->nimpulse && isSame(d->impulse + kept.next, key)) kept.next++;
    }
    sn_scratchRelease(d, mark);
    return !kept.full;
}
