// Lets a file system refuse or delay what a program does with files, while the file that FAULTY_DISK names
// says so: `full` refuses to write, `sync` to synchronize, `read-only` both, and `kill N` ends the program
// before its Nth change of a file of the store. `hang NAME…` lets no call for a file of these names return, as a
// disk that does not answer; `freeze NAME…` lets only those wait that change something, as a disk whose files are
// in memory; and `slow N NAME…` delays each by N milliseconds. A name that ends with a slash stands for a
// directory and all that is below it, and another one for the files that end with it. Loaded with LD_PRELOAD.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#define FAULT_BYTES 256
#define PATH_BYTES 1024

static void read_fault(char text[FAULT_BYTES]) {
    memset(text, 0, FAULT_BYTES);
    const char *path = getenv("FAULTY_DISK");
    int saved = errno;
    // What the program calls is replaced below; the kernel is asked itself.
    long file = path ? syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        if (syscall(SYS_read, file, text, FAULT_BYTES - 1) < 0) text[0] = 0;
        syscall(SYS_close, file);
    }
    errno = saved;
}

static int is_fault(const char *kind) {
    char text[FAULT_BYTES];
    read_fault(text);
    return strcmp(text, kind) == 0;
}

// Counts a change of a file of the store, and ends the program if it is the one.
static void count_change(void) {
    static int changes;
    char text[FAULT_BYTES];
    int last;
    read_fault(text);
    if (sscanf(text, "kill %d", &last) != 1) return;
    if (__sync_add_and_fetch(&changes, 1) >= last) kill(getpid(), SIGKILL);
}

// The path of an open file; empty if there is none.
static void find_path(int file, char path[PATH_BYTES]) {
    char name[64];
    int saved = errno;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, PATH_BYTES - 1);
    path[length < 0 ? 0 : length] = 0;
    errno = saved;
}

// Only the files of the store, and of what SQLite keeps beside it.
static int is_store(int file) {
    char path[PATH_BYTES];
    find_path(file, path);
    return strstr(path, "/links.db") != 0;
}

static int is_store_path(const char *path) { return path && strstr(path, "links.db") != 0; }

static int refused(int file, const char *kind, int error) {
    if (!is_fault(kind) || !is_store(file)) return 0;
    errno = error;
    return 1;
}

// --- Waiting ------------------------------------------------------------------------------------

static int is_named(const char *path, char *names) {
    char *rest;
    size_t length = strlen(path);
    for (char *name = strtok_r(names, " \n", &rest); name; name = strtok_r(0, " \n", &rest)) {
        size_t count = strlen(name);
        if (name[count - 1] == '/') {
            if (strstr(path, name)) return 1;
            // The directory itself.
            name[--count] = 0;
        }
        if (length >= count && strcmp(path + length - count, name) == 0) return 1;
    }
    return 0;
}

// The milliseconds for which a call for this file waits; -1 as long as this is so.
static int delay(const char *path, int changes) {
    char text[FAULT_BYTES];
    int milliseconds = 0, names = 0;
    read_fault(text);
    if (strncmp(text, "hang ", 5) == 0) return is_named(path, text + 5) ? -1 : 0;
    if (strncmp(text, "freeze ", 7) == 0) return changes && is_named(path, text + 7) ? -1 : 0;
    if (sscanf(text, "slow %d %n", &milliseconds, &names) != 1 || names == 0) return 0;
    return is_named(path, text + names) ? milliseconds : 0;
}

static void wait_at_path(const char *path, int changes) {
    int saved = errno, milliseconds;
    while (path && (milliseconds = delay(path, changes)) != 0) {
        int piece = milliseconds < 0 ? 10 : milliseconds;
        struct timespec time = {piece / 1000, piece % 1000 * 1000000L};
        // A signal is no end: a process waits for a disk uninterruptibly.
        while (nanosleep(&time, &time) != 0) {}
        if (milliseconds > 0) break;
    }
    errno = saved;
}

static int has_delays(void) {
    char text[FAULT_BYTES];
    read_fault(text);
    return text[0] == 'h' || text[0] == 'f' || strncmp(text, "slow", 4) == 0;
}

static void wait_at(int file, int changes) {
    char path[PATH_BYTES];
    // Most calls are for sockets, while there is no fault.
    if (!has_delays()) return;
    find_path(file, path);
    if (path[0] == '/') wait_at_path(path, changes);
}

// Whether to open a file like this may change something.
static int is_change(int flags) { return (flags & (O_CREAT | O_TRUNC)) != 0; }

// --- What is replaced ---------------------------------------------------------------------------

#define NEXT(NAME, RESULT, PARAMETERS)                                                       \
    static RESULT (*next) PARAMETERS;                                                        \
    if (!next) next = (RESULT (*) PARAMETERS)dlsym(RTLD_NEXT, #NAME);

#define WRITE(NAME, OFFSET)                                                                  \
    ssize_t NAME(int file, const void *bytes, size_t count, OFFSET position) {               \
        NEXT(NAME, ssize_t, (int, const void *, size_t, OFFSET))                             \
        wait_at(file, 1);                                                                    \
        if (is_store(file)) count_change();                                                  \
        if (refused(file, "full", ENOSPC) || refused(file, "read-only", EROFS)) return -1;   \
        return next(file, bytes, count, position);                                           \
    }

WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

#define SYNC(NAME)                                                                           \
    int NAME(int file) {                                                                     \
        NEXT(NAME, int, (int))                                                               \
        wait_at(file, 1);                                                                    \
        if (is_store(file)) count_change();                                                  \
        if (refused(file, "sync", EIO) || refused(file, "read-only", EROFS)) return -1;      \
        return next(file);                                                                   \
    }

SYNC(fsync)
SYNC(fdatasync)

#define CHANGE(NAME, PARAMETERS, ARGUMENTS, IS_STORE, WAIT)                                  \
    int NAME PARAMETERS {                                                                    \
        NEXT(NAME, int, PARAMETERS)                                                          \
        WAIT;                                                                                \
        if (IS_STORE) count_change();                                                        \
        return next ARGUMENTS;                                                               \
    }

CHANGE(rename, (const char *from, const char *to), (from, to), is_store_path(to), wait_at_path(to, 1))
CHANGE(link, (const char *from, const char *to), (from, to), is_store_path(to), wait_at_path(to, 1))
CHANGE(unlink, (const char *path), (path), is_store_path(path), wait_at_path(path, 1))
CHANGE(ftruncate, (int file, off_t length), (file, length), is_store(file), wait_at(file, 1))
CHANGE(ftruncate64, (int file, off64_t length), (file, length), is_store(file), wait_at(file, 1))

// The rest only waits.
#define WAITING(RESULT, NAME, PARAMETERS, ARGUMENTS, WAIT)                                   \
    RESULT NAME PARAMETERS {                                                                 \
        NEXT(NAME, RESULT, PARAMETERS)                                                       \
        WAIT;                                                                                \
        return next ARGUMENTS;                                                               \
    }

WAITING(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count), wait_at(file, 1))
WAITING(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count), wait_at(file, 0))
WAITING(ssize_t, pread, (int file, void *bytes, size_t count, off_t position), (file, bytes, count, position),
        wait_at(file, 0))
WAITING(ssize_t, pread64, (int file, void *bytes, size_t count, off64_t position),
        (file, bytes, count, position), wait_at(file, 0))
WAITING(int, stat, (const char *path, struct stat *status), (path, status), wait_at_path(path, 0))
WAITING(int, lstat, (const char *path, struct stat *status), (path, status), wait_at_path(path, 0))

#define OPEN(NAME)                                                                           \
    int NAME(const char *path, int flags, ...) {                                             \
        NEXT(NAME, int, (const char *, int, ...))                                            \
        va_list more;                                                                        \
        va_start(more, flags);                                                               \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;              \
        va_end(more);                                                                        \
        wait_at_path(path, is_change(flags));                                                \
        return next(path, flags, mode);                                                      \
    }

OPEN(open)
OPEN(open64)

// A name within a directory that is open belongs to the directory's disk.
#define OPEN_AT(NAME)                                                                        \
    int NAME(int directory, const char *path, int flags, ...) {                              \
        NEXT(NAME, int, (int, const char *, int, ...))                                       \
        va_list more;                                                                        \
        va_start(more, flags);                                                               \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;              \
        va_end(more);                                                                        \
        wait_at(directory, is_change(flags));                                                \
        wait_at_path(path, is_change(flags));                                                \
        return next(directory, path, flags, mode);                                           \
    }

OPEN_AT(openat)
OPEN_AT(openat64)
