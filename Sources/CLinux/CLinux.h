// Linux interfaces that Swift's Glibc module does not show: epoll, whose event is packed, and
// functions that the C library declares only for _GNU_SOURCE, which Swift's importer does not set.
#pragma once
#include <asm/ioctls.h>
#include <endian.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

extern long syscall(long, ...);
extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int ioctl(int, unsigned long, ...);
extern int pthread_setname_np(unsigned long, const char *);
extern unsigned long pthread_self(void);
extern int setresuid(unsigned int, unsigned int, unsigned int);
extern int setresgid(unsigned int, unsigned int, unsigned int);
extern int getresuid(unsigned int *, unsigned int *, unsigned int *);
extern int getresgid(unsigned int *, unsigned int *, unsigned int *);
extern int pipe2(int *, int);
extern int posix_spawn_file_actions_addclosefrom_np(void *, int);

// Who connected: an IPv6 address as two big-endian words, IPv4 mapped into it (RFC 4291 §2.5.5.2).
struct waymark_peer {
    uint64_t high, low;
    uint16_t port;
};

static inline int waymark_accept(int listener, struct waymark_peer *peer) {
    // Beginning with family and port, then the address of IPv4, or 4 octets and that of IPv6. Their
    // own types are in netinet/in.h, which would then be this module's and not Glibc's.
    union {
        struct sockaddr generic;
        uint8_t octets[128];
    } storage = {0};
    socklen_t length = sizeof storage;
    int socket = accept4(listener, &storage.generic, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return socket;
    uint8_t octets[16] = {[10] = 0xFF, 0xFF};
    peer->port = (uint16_t)(storage.octets[2] << 8 | storage.octets[3]);
    if (storage.generic.sa_family == AF_INET6) {
        memcpy(octets, storage.octets + 8, 16);
    } else {
        memcpy(octets + 12, storage.octets + 4, 4);
    }
    memcpy(&peer->high, octets, 8);
    memcpy(&peer->low, octets + 8, 8);
    peer->high = be64toh(peer->high);
    peer->low = be64toh(peer->low);
    return socket;
}

// Lets a socket listen that was shut down, or that `ss --kill` has ended: its connections would be
// shut down too, unless it is first told that it has no peer (connect(2)).
static inline int waymark_listen_again(int listener, int backlog) {
    struct sockaddr none = {.sa_family = AF_UNSPEC};
    connect(listener, &none, sizeof none);
    return listen(listener, backlog);
}

// A TCP socket that does not block and does not outlive an exec.
static inline int waymark_tcp_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

// A datagram socket of this machine that does not outlive an exec.
static inline int waymark_unix_datagram_socket(void) {
    return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
}

// The three calls of every request, past the C library's functions, which first ask each time
// whether the thread is to be cancelled. Results and errno are the same.
static inline long waymark_receive(int socket, void *target, size_t room) {
    return syscall(SYS_recvfrom, socket, target, room, 0, 0, 0);
}
static inline long waymark_send(int socket, const void *source, size_t count) {
    return syscall(SYS_sendto, socket, source, count, MSG_NOSIGNAL, 0, 0);
}
static inline long waymark_epoll_wait(
    int epoll, struct epoll_event *events, int capacity, int milliseconds) {
    return syscall(SYS_epoll_pwait, epoll, events, capacity, milliseconds, 0, 0);
}

// The time of a clock that never goes back, without a check of the stack that Swift's own call has.
static inline int64_t waymark_monotonic_microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

// What was sent and is not acknowledged yet (SIOCOUTQ, tcp(7)).
static inline int waymark_untaken(int socket) {
    int count = 0;
    return ioctl(socket, TIOCOUTQ, &count) == 0 ? count : 0;
}

static inline int waymark_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int waymark_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static inline int waymark_epoll_control(
    int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

static inline uint64_t waymark_epoll_token(const struct epoll_event *event) { return event->data.u64; }

static const uint32_t waymark_EPOLLIN = EPOLLIN;
static const uint32_t waymark_EPOLLOUT = EPOLLOUT;
static const uint32_t waymark_EPOLLRDHUP = EPOLLRDHUP;
static const uint32_t waymark_EPOLLEXCLUSIVE = EPOLLEXCLUSIVE;

// The name of the calling thread, at most 15 bytes.
static inline void waymark_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

// The processors that this process may use, which containers and taskset(1) restrict; 0 where the
// kernel does not say.
static inline int waymark_processors(void) {
    unsigned long words[128];
    long bytes = syscall(SYS_sched_getaffinity, 0, sizeof words, words);
    int count = 0;
    for (long index = 0; index < bytes / (long)sizeof words[0]; index++) {
        count += __builtin_popcountl(words[index]);
    }
    return count;
}

static inline void waymark_return_memory(void) { malloc_trim(0); }

static inline int waymark_signalfd(const sigset_t *mask) {
    return signalfd(-1, mask, SFD_NONBLOCK | SFD_CLOEXEC);
}

// Real, effective and saved identity, of every thread: the C library sees to that.
static inline int waymark_set_user(unsigned int user) { return setresuid(user, user, user); }
static inline int waymark_set_group(unsigned int group) { return setresgid(group, group, group); }

// Whether all six identities are these.
static inline int waymark_is_only(unsigned int user, unsigned int group) {
    unsigned int real, effective, saved;
    if (getresuid(&real, &effective, &saved) != 0) return 0;
    if (real != user || effective != user || saved != user) return 0;
    if (getresgid(&real, &effective, &saved) != 0) return 0;
    return real == group && effective == group && saved == group;
}

static inline int waymark_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

// A pipe that other programs do not inherit; the flag is O_CLOEXEC.
static inline int waymark_pipe(int *ends) { return pipe2(ends, SOCK_CLOEXEC); }

// Closes all descriptors from this one on in the program that is started (posix_spawn(3)).
static inline int waymark_close_from(void *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

// A descriptor that can be read when the process has ended; -1 where the kernel does not give it.
static inline int waymark_process(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }
