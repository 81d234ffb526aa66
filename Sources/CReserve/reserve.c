#include "CReserve.h"

#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

// Swift ends the process where an allocation fails, so none may. The pages of the reserve are never touched: it counts where the
// process itself is limited (`LimitDATA=`, `ulimit -v`), and takes no memory. Whoever takes on work asks whether it is there.
static _Atomic(void *) reserve;
static atomic_ulong size;
// The bytes of the pages that are there. Like them, it is changed by the thread that holds the lock.
static unsigned long taken;
static atomic_flag is_busy = ATOMIC_FLAG_INIT;

static void lock(void) {
    while (atomic_flag_test_and_set(&is_busy)) sched_yield();
}

static void unlock(void) { atomic_flag_clear(&is_busy); }

// Half of it will do: what was taken of it may never come back whole.
static int is_taken(unsigned long bytes) {
    if (atomic_load(&reserve)) return 1;
    lock();
    for (unsigned long part = bytes; !atomic_load(&reserve) && part >= bytes / 2; part /= 2) {
        void *pages = mmap(0, part, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages == MAP_FAILED) continue;
        taken = part;
        atomic_store(&reserve, pages);
    }
    unlock();
    return atomic_load(&reserve) != 0;
}

// Pieces that are free between others do not go back to the kernel, so they can be the reserve, too. To count them takes a
// while, so the figure holds for a tenth of a second.
static unsigned long free_pieces(void) {
    static atomic_long counted;
    static atomic_ulong found;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    long tenth = now.tv_sec * 10 + now.tv_nsec / 100000000;
    if (atomic_exchange(&counted, tenth) != tenth) atomic_store(&found, mallinfo2().fordblks);
    return atomic_load(&found);
}

void waymark_keep_reserve(unsigned long bytes) {
    // Where addresses are limited, one arena of the allocator is for all threads: another one would take 64 MiB of addresses, and where
    // it cannot grow, each piece of memory takes a page.
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) mallopt(M_ARENA_MAX, 1);
    atomic_store(&size, bytes);
    is_taken(bytes);
}

int waymark_has_reserve(void) {
    unsigned long bytes = atomic_load(&size);
    return bytes == 0 || is_taken(bytes) || free_pieces() >= bytes / 2;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WAYMARK_SANITIZED
#endif
#endif

// Sanitizers have allocators of their own.
#if defined(__GLIBC__) && !defined(WAYMARK_SANITIZED)

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// How often the reserve was given up.
static atomic_ulong given;

// Gives the reserve up. Returns whether that was done since it had been done so many times before: it is worth another attempt.
static int can_retry(unsigned long before) {
    // Another thread gives it up: what it gives is for all.
    lock();
    void *pages = atomic_exchange(&reserve, 0);
    if (pages && munmap(pages, taken) == 0) atomic_fetch_add(&given, 1);
    int is_new = atomic_load(&given) != before;
    unlock();
    return is_new;
}

// Repeats a call that returns memory, or null, as long as there is something new to try it with.
#define WITH_RESERVE(call)                                    \
    unsigned long before = atomic_load(&given);               \
    void *memory = call;                                      \
    while (!memory && can_retry(before)) {                    \
        before = atomic_load(&given);                         \
        memory = call;                                        \
    }

void *malloc(size_t bytes) {
    WITH_RESERVE(__libc_malloc(bytes))
    return memory;
}

void *calloc(size_t count, size_t bytes) {
    WITH_RESERVE(__libc_calloc(count, bytes))
    return memory;
}

void *realloc(void *old, size_t bytes) {
    // Of no bytes, the memory is freed, and there is nothing to repeat.
    if (bytes == 0) return __libc_realloc(old, 0);
    WITH_RESERVE(__libc_realloc(old, bytes))
    return memory;
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    WITH_RESERVE(__libc_memalign(alignment, bytes))
    return memory;
}

int posix_memalign(void **place, size_t alignment, size_t bytes) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
    void *memory = aligned_alloc(alignment, bytes);
    if (!memory) return ENOMEM;
    *place = memory;
    return 0;
}

#define OWN_MALLOC __libc_malloc
#else
#define OWN_MALLOC malloc
#endif

// Takes memory and gives it back. Much is asked of the kernel: the allocator would keep it for this thread alone. Unless
// others can see it, the compiler does neither.
int waymark_can_allocate(size_t bytes) {
    if (bytes >= 1 << 17) {
        void *pages = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (pages != MAP_FAILED) return munmap(pages, bytes) == 0;
        // A load that has gone leaves pieces, which the kernel counts. What does not fit between them gets the reserve.
        unsigned long kept = atomic_load(&size);
        return bytes <= kept / 4 && free_pieces() / 4 >= bytes;
    }
    void *volatile memory = OWN_MALLOC(bytes);
    int found = memory != 0;
    free(memory);
    return found;
}
