// Lets a file system refuse what a program writes, while the file that FAULTY_DISK names says so:
// `full` refuses to write, `sync` to synchronize, `read-only` both, and `kill N` ends the program before
// its Nth change of a file of the store. Loaded with LD_PRELOAD.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static void read_fault(char text[32]) {
    memset(text, 0, 32);
    const char *path = getenv("FAULTY_DISK");
    int saved = errno;
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        if (read(file, text, 31) < 0) text[0] = 0;
        close(file);
    }
    errno = saved;
}

static int is_fault(const char *kind) {
    char text[32];
    read_fault(text);
    return strcmp(text, kind) == 0;
}

// Counts a change of a file of the store, and ends the program if it is the one.
static void count_change(void) {
    static int changes;
    char text[32];
    int last;
    read_fault(text);
    if (sscanf(text, "kill %d", &last) != 1) return;
    if (__sync_add_and_fetch(&changes, 1) >= last) kill(getpid(), SIGKILL);
}

// Only the files of the store, and of what SQLite keeps beside it.
static int is_store(int file) {
    char name[64], path[512];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "/links.db") != 0;
}

static int is_store_path(const char *path) { return path && strstr(path, "links.db") != 0; }

static int refused(int file, const char *kind, int error) {
    if (!is_fault(kind) || !is_store(file)) return 0;
    errno = error;
    return 1;
}

#define WRITE(NAME, OFFSET)                                                                  \
    ssize_t NAME(int file, const void *bytes, size_t count, OFFSET position) {                 \
        static ssize_t (*next)(int, const void *, size_t, OFFSET);                           \
        if (!next) next = (ssize_t (*)(int, const void *, size_t, OFFSET))dlsym(RTLD_NEXT, #NAME); \
        if (is_store(file)) count_change();                                                  \
        if (refused(file, "full", ENOSPC) || refused(file, "read-only", EROFS)) return -1;   \
        return next(file, bytes, count, position);                                           \
    }

WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

#define SYNC(NAME)                                                                           \
    int NAME(int file) {                                                                     \
        static int (*next)(int);                                                             \
        if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, #NAME);                             \
        if (is_store(file)) count_change();                                                  \
        if (refused(file, "sync", EIO) || refused(file, "read-only", EROFS)) return -1;      \
        return next(file);                                                                   \
    }

SYNC(fsync)
SYNC(fdatasync)

#define CHANGE(NAME, PARAMETERS, ARGUMENTS, IS_STORE)                                        \
    int NAME PARAMETERS {                                                                    \
        static int (*next) PARAMETERS;                                                       \
        if (!next) next = (int (*) PARAMETERS)dlsym(RTLD_NEXT, #NAME);                       \
        if (IS_STORE) count_change();                                                        \
        return next ARGUMENTS;                                                               \
    }

CHANGE(rename, (const char *from, const char *to), (from, to), is_store_path(to))
CHANGE(link, (const char *from, const char *to), (from, to), is_store_path(to))
CHANGE(unlink, (const char *path), (path), is_store_path(path))
CHANGE(ftruncate, (int file, off_t length), (file, length), is_store(file))
CHANGE(ftruncate64, (int file, off64_t length), (file, length), is_store(file))
