// The simulations of a call: threads take them one by one. What a simulation computes depends on its own rows
// alone; one that fails keeps them, and the others go on.
#include "batch/each.h"
#include "call/call.h"

enum { TEXT = 256 };

static void* placeOf(const Column* c, void* owner)
{
    char* at = (char*)owner + c->offset;
    return c->pointed ? *(void**)at : at;
}

void loadParameters(const Columns* parameters, snModel* m, int id)
{
    for (const Column* c = parameters->list; c < parameters->list + parameters->count; c++)
        if (c->bytes) memcpy(placeOf(c, m), c->rows + (size_t)id * c->bytes, c->bytes);
}

static void storeParameters(const Columns* parameters, snModel* m, int id)
{
    for (const Column* c = parameters->list; c < parameters->list + parameters->count; c++)
        if (c->bytes) memcpy(c->rows + (size_t)id * c->bytes, placeOf(c, m), c->bytes);
}

static void keep(const Column* c, snData* d, size_t row)
{
    if (c->bytes) memcpy(c->rows + row * c->bytes, placeOf(c, d), c->bytes);
}

static void setPieces(const Pieces* p, const snModel* m, snData* d, const double* state)
{
    for (int k = 0; k < p->count; state += p->sizes[k++]) sn_setState(m, d, state, p->bits[k]);
}

static void getPieces(const Pieces* p, const snModel* m, const snData* d, double* state)
{
    for (int k = 0; k < p->count; state += p->sizes[k++]) sn_getState(m, d, state, p->bits[k]);
}

// ---- what cannot run

static bool goodMasses(const snModel* m, char* text)
{
    for (int i = 1; i < m->nbody; i++) {
        if (!m->body_dofnum[i]) continue;
        double mass = m->body_mass[i];
        for (int j = i + 1; j < m->nbody && mass <= 0; j++)
            if (m->body_weldid[j] == m->body_weldid[i]) mass += m->body_mass[j];
        if (mass > 0) continue;
        snprintf(text, TEXT, "setConst: moving body %d has no mass", i);
        return false;
    }
    return true;
}

static bool isGood(const Each* e, const snModel* m, int k, char* text)
{
    snError error = {0};
    if (stoppedBy(&m->opt, text)) return false;
    for (int i = 0; i < e->pieces.count; i++) {
        if (sn_stateSize(m, e->pieces.bits[i]) == e->pieces.sizes[i]) continue;
        snprintf(text, TEXT, "opt.contact differs from that of the batch, whose states are of another size");
        return false;
    }
    if (e->operation == EACH_CONST && !goodMasses(m, text)) return false;
    if (e->keys && e->keys[k] >= m->nkey) {
        snprintf(text, TEXT, "keyframe must be in [-1, %d), got %d", m->nkey, e->keys[k]);
        return false;
    }
    if (!e->validate || sn_validateModel(m, &error) == SN_STATUS_OK) return true;
    snprintf(text, TEXT, "%.250s", error.message);
    return false;
}

// ---- operations

// Stages up to one, at the state that is there.
static void compute(const snModel* m, snData* d, int stage)
{
    if (stage == SN_STAGE_ACC) {
        sn_forward(m, d);
        return;
    }
    if (stage == SN_STAGE_NONE) return;
    const bool energy = m->opt.enableflags & SN_ENBL_ENERGY;
    sn_fwdPosition(m, d);
    if (energy) sn_energyPos(m, d);
    sn_sensorPos(m, d);
    if (stage == SN_STAGE_POS) return;
    sn_fwdVelocity(m, d);
    sn_sensorVel(m, d);
    if (energy) sn_energyVel(m, d);
}

static int warnings(const snData* d)
{
    int number = 0;
    for (int i = 0; i <= SN_WARN_BADCTRL; i++) number += d->warning[i].number;
    return number;
}

static void record(const Each* e, const snModel* m, snData* d, size_t row)
{
    for (RecordRows* r = e->records; r < e->records + e->nrecord; r++) {
        if (r->pieces.count)
            getPieces(&r->pieces, m, d, (double*)r->column.rows + row * (size_t)r->pieces.size);
        else
            keep(&r->column, d, row);
    }
}

// The rest of the records of a simulation that has warned: its last ones.
static void repeat(const Each* e, size_t row, size_t count)
{
    for (RecordRows* r = e->records; r < e->records + e->nrecord; r++) {
        const size_t bytes = r->pieces.count ? (size_t)r->pieces.size * sizeof(double) : r->column.bytes;
        for (size_t i = 1; i < count && bytes; i++)
            memcpy(r->column.rows + (row + i) * bytes, r->column.rows + row * bytes, bytes);
    }
}

static bool goesOn(Each* e, int thread)
{
    if (thread == 0 && e->interrupted(e->signals)) atomic_store(&e->ended, true);
    return !atomic_load_explicit(&e->ended, memory_order_relaxed);
}

static void step(Each* e, const snModel* m, snData* d, int k, int thread)
{
    const int before = warnings(d);
    for (int t = 0; t < e->nstep && goesOn(e, thread); t++) {
        const size_t row = (size_t)k * (size_t)e->nstep + (size_t)t;
        if (e->control)
            setPieces(&e->control_pieces, m, d, e->control + row * (size_t)e->control_pieces.size);
        sn_step(m, d);
        record(e, m, d, row);
        if (!e->nrecord || warnings(d) <= before) continue;
        repeat(e, row, (size_t)(e->nstep - t));
        break;
    }
    compute(m, d, e->stage);
}

static void reset(const Each* e, const snModel* m, snData* d, int k)
{
    if (e->keys && e->keys[k] >= 0)
        sn_resetDataKeyframe(m, d, e->keys[k]);
    else
        sn_resetData(m, d);
    compute(m, d, e->stage);
}

static void jacobians(const Each* e, const snModel* m, snData* d, int k)
{
    const Queries* q = &e->queries;
    const size_t at = (size_t)k * 3 * (size_t)m->nv;
    sn_kinematics(m, d);
    sn_comPos(m, d);
    sn_jac(m, d, q->jacp ? q->jacp + at : NULL, q->jacr ? q->jacr + at : NULL, q->point + 3 * (size_t)k,
           q->body[k]);
}

static void rays(const Each* e, const snModel* m, snData* d, int k)
{
    const Queries* q = &e->queries;
    sn_kinematics(m, d);
    for (int r = 0; r < q->nray; r++) {
        const size_t at = (size_t)k * (size_t)q->nray + (size_t)r;
        const double *pnt = q->pnt + 3 * at, *vec = q->vec + 3 * at;
        const double x = sn_ray(m, d, pnt, vec, q->group, q->flg_static, q->exclude[at], q->geomid + at);
        q->dist[at] = x;
        if (q->normal) sn_rayNormal(m, d, q->geomid[at], pnt, vec, x, q->normal + 3 * at);
    }
}

static void operate(Each* e, snModel* m, snData* d, int k, int thread)
{
    switch (e->operation) {
    case EACH_STEP: step(e, m, d, k, thread); break;
    case EACH_FORWARD: compute(m, d, e->stage); break;
    case EACH_RESET: reset(e, m, d, k); break;
    case EACH_CONST: sn_setConst(m, d); break;
    case EACH_JAC: jacobians(e, m, d, k); break;
    case EACH_RAY: rays(e, m, d, k); break;
    }
}

// ---- simulations

static void load(const Each* e, const snModel* m, snData* d, int id)
{
    setPieces(&e->pieces, m, d, e->state + (size_t)id * (size_t)e->pieces.size);
    memcpy(d->warning, e->warning + (size_t)id * SN_NWARNING, sizeof d->warning);
}

static void store(Each* e, const snModel* m, snData* d, int id)
{
    snWarningStat* told = e->warning + (size_t)id * SN_NWARNING;
    unsigned raised = 0;
    if (e->ask_forces) sn_rnePostConstraint(m, d);
    if (e->ask_momentum) sn_subtreeVel(m, d);
    getPieces(&e->pieces, m, d, e->state + (size_t)id * (size_t)e->pieces.size);
    for (int i = 0; i < SN_NWARNING; i++)
        if (d->warning[i].number > told[i].number) raised |= 1u << i;
    memcpy(told, d->warning, sizeof d->warning);
    for (int i = 0; i < e->outputs.count; i++) keep(&e->outputs.list[i], d, (size_t)id);
    if (raised) atomic_fetch_or(&e->raised, raised);
}

static void fail(Each* e, int k, int id, const char* text)
{
    e->status[id] = 1;
    e->messages[k] = malloc(strlen(text) + 1);
    if (e->messages[k]) strcpy(e->messages[k], text);
}

static void simulate(Each* e, int k, int thread)
{
    char text[TEXT];
    const int id = e->ids ? e->ids[k] : k;
    snModel* m = e->m[e->given ? id : thread];
    snData* d = e->d[e->persistent ? id : thread];
    if (!e->given) loadParameters(&e->parameters, m, id);
    e->status[id] = 0;
    if (!isGood(e, m, k, text)) {
        fail(e, k, id, text);
        return;
    }
    load(e, m, d, id);
    operate(e, m, d, k, thread);
    if (e->operation == EACH_CONST)
        storeParameters(&e->parameters, m, id);
    else if (e->operation < EACH_CONST)
        store(e, m, d, id);
}

static void work(void* arg, int index, int thread)
{
    (void)index;
    Each* e = arg;
    int k;
    while (goesOn(e, thread) && (k = atomic_fetch_add(&e->next, 1)) < e->nid) simulate(e, k, thread);
}

void runEach(Each* e)
{
    sn_runThreads(e->pool, e->nid < e->nthread ? e->nid : e->nthread, work, e);
}
