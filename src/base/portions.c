#include "base/platform/threads.h"
#include "base/portions.h"

void sn_beginPortions(snPortions* p, size_t count, size_t chunk)
{
    p->count = p->left = count;
    p->chunk = chunk;
    atomic_init(&p->next, 0);
    atomic_init(&p->ended, false);
    sn_initMutex(&p->lock);
    sn_initCondition(&p->done);
}

void sn_endPortions(snPortions* p)
{
    sn_endCondition(&p->done);
    sn_endMutex(&p->lock);
}

size_t sn_takePortion(snPortions* p, size_t* first)
{
    *first = atomic_fetch_add_explicit(&p->next, p->chunk, memory_order_relaxed);
    if (*first >= p->count) return 0;
    const size_t room = p->count - *first;
    return room < p->chunk ? room : p->chunk;
}

void sn_portionDone(snPortions* p, size_t count)
{
    sn_lock(&p->lock);
    p->left -= count;
    if (!p->left) sn_wakeOne(&p->done);
    sn_unlock(&p->lock);
}

void sn_awaitPortions(snPortions* p, snAsk ask, void* user)
{
    sn_lock(&p->lock);
    while (p->left) {
        sn_awaitFor(&p->done, &p->lock, sn_asking);
        if (!p->left) break;
        sn_unlock(&p->lock);
        const bool on = ask(user);
        sn_lock(&p->lock);
        if (!on) break;
    }
    sn_unlock(&p->lock);
}
