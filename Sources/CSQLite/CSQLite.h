// SQLite, and functions for what it offers as macros.
#pragma once
#include <sqlite3.h>

// A bound text or blob is copied at once; SQLITE_TRANSIENT is a cast that Swift cannot import.
static inline int waymark_bind_text(sqlite3_stmt *statement, int index, const char *text, int bytes) {
    return sqlite3_bind_text(statement, index, text, bytes, SQLITE_TRANSIENT);
}

// What the log of transactions has is not written to the file when the database is closed.
static inline int waymark_keep_log(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

static inline int waymark_bind_blob(sqlite3_stmt *statement, int index, const void *blob, int bytes) {
    return bytes == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob(statement, index, blob, bytes, SQLITE_TRANSIENT);
}
