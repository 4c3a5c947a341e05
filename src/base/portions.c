#include "base/portions.h"

void sn_beginPortions(snPortions* p, size_t count, size_t chunk)
{
    p->count = p->left = count;
    p->chunk = chunk;
    atomic_init(&p->next, 0);
    atomic_init(&p->ended, false);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->done, NULL);
}

void sn_endPortions(snPortions* p)
{
    pthread_cond_destroy(&p->done);
    pthread_mutex_destroy(&p->lock);
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
    pthread_mutex_lock(&p->lock);
    p->left -= count;
    if (!p->left) pthread_cond_signal(&p->done);
    pthread_mutex_unlock(&p->lock);
}

void sn_awaitPortions(snPortions* p, snAsk ask, void* user)
{
    pthread_mutex_lock(&p->lock);
    while (p->left) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += sn_asking;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&p->done, &p->lock, &until);
        if (!p->left) break;
        pthread_mutex_unlock(&p->lock);
        const bool on = ask(user);
        pthread_mutex_lock(&p->lock);
        if (!on) break;
    }
    pthread_mutex_unlock(&p->lock);
}
