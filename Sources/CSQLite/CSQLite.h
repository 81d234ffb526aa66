// SQLite, and functions for what it offers as macros.
#pragma once
#include <sqlite3.h>

// A bound text or blob is copied at once; SQLITE_TRANSIENT is a cast that Swift cannot import.
static inline int waymark_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

static inline int waymark_bind_blob(sqlite3_stmt *statement, int index, const void *blob, int bytes) {
    return bytes == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob(statement, index, blob, bytes, SQLITE_TRANSIENT);
}
