#pragma once

#include <stddef.h>

/// Keeps a reserve of memory from now on: so many bytes of the process that nobody uses. An allocation that would fail gets it
/// instead. Call it once.
void waymark_keep_reserve(unsigned long bytes);

/// Whether at least half of the reserve is there, or free between what is in use; 1 if none is kept. It is taken again where there is
/// room for it.
int waymark_has_reserve(void);

/// Whether so many bytes can be allocated without the reserve, which a question must not use up. Up to a quarter of the reserve, pieces of four
/// times as many bytes that are free between what is in use will do.
int waymark_can_allocate(size_t bytes);
