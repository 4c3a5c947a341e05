// Between the rows of a batch, one a simulation, and the arrays of a group, one number a lane.
#include "batch/lane/load.h"
#include <stddef.h>

// ---- where an array stands

static const size_t data_offset[] = {
#define X(type, name, ...) offsetof(snData, name),
    SN_DATA_FIELDS(X)
#undef X
};

static const size_t model_offset[] = {
#define X(type, name, rows, columns, group, meaning) offsetof(snModel, name),
    SN_MODEL_FIELDS(X)
#undef X
};

static const size_t option_offset[] = {
#define X(type, name, init, meaning) offsetof(snOption, name),
    SN_OPTION_SCALARS(X)
#undef X
#define X(name, count, meaning, ...) offsetof(snOption, name),
        SN_OPTION_VECTORS(X)
#undef X
};

static void* arrayOf(snLaneWork* w, const snBatchArray* a)
{
    switch (a->place) {
    case SN_PLACE_TIME: return &w->data.time;
    case SN_PLACE_DATA: return *(void**)((char*)&w->data + data_offset[a->index]);
    case SN_PLACE_MODEL: return *(void**)((char*)&w->model + model_offset[a->index]);
    case SN_PLACE_STATISTIC: return (real*)&w->model.stat + a->index;
    default: return (char*)&w->model.opt + option_offset[a->index];
    }
}

// ---- square blocks of numbers, rows to lanes and lanes to rows

// Where items of a vector come from, of two side by side: blocks of h of the first and of the second in turn,
// their even ones or their odd ones.
#define EVEN(i, h) ((i) & (h) ? (i) - (h) + SN_LANES : (i))
#define ODD(i, h) ((i) & (h) ? (i) + SN_LANES : (i) + (h))
#define TWO(from, i, h) from(i, h), from(i + 1, h)
#define FOUR(from, i, h) TWO(from, i, h), TWO(from, i + 2, h)
#define EIGHT(from, i, h) FOUR(from, i, h), FOUR(from, i + 4, h)
#if SN_LANES == 2
#define ALL(from, h) TWO(from, 0, h)
#elif SN_LANES == 4
#define ALL(from, h) FOUR(from, 0, h)
#elif SN_LANES == 8
#define ALL(from, h) EIGHT(from, 0, h)
#else
#define ALL(from, h) EIGHT(from, 0, h), EIGHT(from, 8, h)
#endif

#define EXCHANGE(v, h)                                                                                       \
    for (int i = 0; i < SN_LANES; i++) {                                                                     \
        if (i & (h)) continue;                                                                               \
        const real a = (v)[i], b = (v)[i + (h)];                                                             \
        (v)[i] = __builtin_shufflevector(a, b, ALL(EVEN, h));                                                \
        (v)[i + (h)] = __builtin_shufflevector(a, b, ALL(ODD, h));                                           \
    }

// v[i][j] to v[j][i]: blocks of half the size change places, then those in them.
static inline void transpose(real* v)
{
#if SN_LANES > 8
    EXCHANGE(v, 8)
#endif
#if SN_LANES > 4
    EXCHANGE(v, 4)
#endif
#if SN_LANES > 2
    EXCHANGE(v, 2)
#endif
    EXCHANGE(v, 1)
}

// As many doubles as there are lanes.
typedef snDouble Doubles __attribute__((vector_size(SN_LANES * sizeof(snDouble))));

// The columns from k on, `count` of them, at most SN_LANES.
SN_LANE_INLINE void loadBlock(real* to, const snDouble* const* row, int k, int count, snMask wanted)
{
    real v[SN_LANES] = {{0}};
    for (int l = 0; l < SN_LANES; l++) {
        Doubles numbers = {0};
        memcpy(&numbers, row[l] + k, (size_t)count * sizeof(snDouble));
        v[l] = __builtin_convertvector(numbers, real);
    }
    transpose(v);
    for (int j = 0; j < count; j++) to[k + j] = sn_select(wanted, v[j], to[k + j]);
}

SN_LANE_INLINE void storeBlock(const real* from, snDouble* const* row, int k, int count, unsigned lanes)
{
    real v[SN_LANES] = {{0}};
    memcpy(v, from + k, (size_t)count * sizeof *v);
    transpose(v);
    for (int l = 0; l < SN_LANES; l++) {
        if (!(lanes >> l & 1)) continue;
        const Doubles numbers = __builtin_convertvector(v[l], Doubles);
        memcpy(row[l] + k, &numbers, (size_t)count * sizeof(snDouble));
    }
}

// Columns go by blocks of SN_LANES, the last of which may cover some of the one before once more.
static int nextBlock(int k, int columns)
{
    const int next = k + SN_LANES;
    return next < columns && next > columns - SN_LANES ? columns - SN_LANES : next;
}

// ---- rows

static size_t rowAt(const snBatchArray* a, const int* ids, int lane)
{
    return (size_t)ids[lane] * a->stride;
}

static void loadNumbers(real* to, const snBatchArray* a, const int* ids, unsigned lanes)
{
    const snMask wanted = sn_maskOfBits(lanes);
    const snDouble* row[SN_LANES];
    for (int l = 0; l < SN_LANES; l++) row[l] = (const snDouble*)a->rows + rowAt(a, ids, l);
    if (a->columns < SN_LANES)
        loadBlock(to, row, 0, a->columns, wanted);
    else
        for (int k = 0; k < a->columns; k = nextBlock(k, a->columns)) loadBlock(to, row, k, SN_LANES, wanted);
}

// Beside floats: doubles of the lanes that an array has; NULL: none.
static snDouble* exactOf(snLaneWork* w, const snBatchArray* a)
{
#ifdef SN_SINGLE
    if (a->place == SN_PLACE_TIME) return w->data.clock;
    const bool step = a->place == SN_PLACE_OPTION && option_offset[a->index] == offsetof(snOption, timestep);
    return step ? w->model.timestep : NULL;
#else
    (void)w, (void)a;
    return NULL;
#endif
}

static void loadExact(snDouble* to, const snBatchArray* a, const int* ids, unsigned lanes)
{
    for (int l = 0; l < SN_LANES; l++)
        if (lanes >> l & 1) to[l] = *((const snDouble*)a->rows + rowAt(a, ids, l));
}

static void storeExact(const snDouble* from, const snBatchArray* a, const int* ids, unsigned lanes)
{
    for (int l = 0; l < SN_LANES; l++)
        if (lanes >> l & 1) *((snDouble*)a->rows + rowAt(a, ids, l)) = from[l];
}

static void loadTruths(snMask* to, const snBatchArray* a, const int* ids, unsigned lanes)
{
    for (int l = 0; l < SN_LANES; l++) {
        if (!(lanes >> l & 1)) continue;
        const uint8_t* bytes = (const uint8_t*)a->rows + rowAt(a, ids, l);
        const snDouble* numbers = (const snDouble*)a->rows + rowAt(a, ids, l);
        for (int k = 0; k < a->columns; k++)
            to[k][l] = -(snLaneBits)(a->kind == SN_ROWS_BYTES ? bytes[k] != 0 : numbers[k] != 0);
    }
}

static bool isParameter(const snBatchArray* a)
{
    return a->place == SN_PLACE_MODEL || a->place == SN_PLACE_OPTION || a->place == SN_PLACE_STATISTIC;
}

static snMask oddNumbers(const real* x, int n)
{
    snMask odd = sn_mask(false);
    for (int k = 0; k < n; k++) odd |= sn_not(fabs(x[k]) <= SN_MAXVAL);
    return odd;
}

void sn_loadLanes(void* work, const snBatchArray* arrays, int count, const int* ids, int nid, unsigned lanes)
{
    snLaneWork* w = work;
    int row[SN_LANES];
    for (int l = 0; l < SN_LANES; l++) row[l] = ids[l < nid ? l : nid - 1];
    if (lanes >> (nid - 1) & 1) lanes |= (1u << SN_LANES) - (1u << nid); // those that follow the last one
    if (count && isParameter(arrays)) w->odd = sn_mask(false);           // a list with one has no others
    for (const snBatchArray* a = arrays; a < arrays + count; a++) {
        snDouble* exact = exactOf(w, a);
        void* to = arrayOf(w, a);
        if (!to) continue; // a parameter that no stage in lanes reads
        if (exact) loadExact(exact, a, row, lanes);
        if (a->kind == SN_ROWS_NUMBERS)
            loadNumbers(to, a, row, lanes);
        else
            loadTruths(to, a, row, lanes);
        if (isParameter(a)) w->odd |= oddNumbers(to, a->columns);
    }
}

static void storeNumbers(const real* from, const snBatchArray* a, const int* ids, unsigned lanes)
{
    snDouble* row[SN_LANES] = {NULL};
    for (int l = 0; l < SN_LANES; l++)
        if (lanes >> l & 1) row[l] = (snDouble*)a->rows + rowAt(a, ids, l);
    if (a->columns < SN_LANES)
        storeBlock(from, row, 0, a->columns, lanes);
    else
        for (int k = 0; k < a->columns; k = nextBlock(k, a->columns))
            storeBlock(from, row, k, SN_LANES, lanes);
}

static void storeTruths(const snMask* from, const snBatchArray* a, const int* ids, unsigned lanes)
{
    for (int l = 0; l < SN_LANES; l++) {
        if (!(lanes >> l & 1)) continue;
        uint8_t* row = (uint8_t*)a->rows + rowAt(a, ids, l);
        for (int k = 0; k < a->columns; k++) row[k] = from[k][l] != 0;
    }
}

void sn_storeLanes(void* work, const snBatchArray* arrays, int count, const int* ids, int nid, unsigned lanes)
{
    snLaneWork* w = work;
    lanes &= (1u << nid) - 1;
    for (const snBatchArray* a = arrays; a < arrays + count; a++) {
        const snDouble* exact = exactOf(w, a);
        if (exact)
            storeExact(exact, a, ids, lanes);
        else if (a->kind == SN_ROWS_NUMBERS)
            storeNumbers(arrayOf(w, a), a, ids, lanes);
        else
            storeTruths(arrayOf(w, a), a, ids, lanes);
    }
}
