// Lets a file system refuse what a program writes, while the file that FAULTY_DISK names says so:
// `full` refuses to write, `sync` to synchronize, `read-only` both. Loaded with LD_PRELOAD.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_fault(const char *kind) {
    char text[32] = {0};
    const char *path = getenv("FAULTY_DISK");
    int saved = errno;
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file >= 0) {
        if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
        close(file);
    }
    errno = saved;
    return strcmp(text, kind) == 0;
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

static int refused(int file, const char *kind, int error) {
    if (!is_fault(kind) || !is_store(file)) return 0;
    errno = error;
    return 1;
}

#define WRITE(NAME, OFFSET)                                                                  \
    ssize_t NAME(int file, const void *bytes, size_t count, OFFSET position) {                 \
        static ssize_t (*next)(int, const void *, size_t, OFFSET);                           \
        if (!next) next = (ssize_t (*)(int, const void *, size_t, OFFSET))dlsym(RTLD_NEXT, #NAME); \
        if (refused(file, "full", ENOSPC) || refused(file, "read-only", EROFS)) return -1;   \
        return next(file, bytes, count, position);                                           \
    }

WRITE(pwrite, off_t)
WRITE(pwrite64, off64_t)

#define SYNC(NAME)                                                                           \
    int NAME(int file) {                                                                     \
        static int (*next)(int);                                                             \
        if (!next) next = (int (*)(int))dlsym(RTLD_NEXT, #NAME);                             \
        if (refused(file, "sync", EIO) || refused(file, "read-only", EROFS)) return -1;      \
        return next(file);                                                                   \
    }

SYNC(fsync)
SYNC(fdatasync)
