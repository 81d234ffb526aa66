// Linux interfaces that Swift's Glibc module does not show: epoll, whose event is packed, and
// functions that the C library declares only for _GNU_SOURCE, which Swift's importer does not set.
#pragma once
#include <endian.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pthread_setname_np(unsigned long, const char *);
extern unsigned long pthread_self(void);

// Who connected: an IPv6 address as two big-endian words, IPv4 mapped into it (RFC 4291 §2.5.5.2).
struct waymark_peer {
    uint64_t high, low;
    uint16_t port;
};

static inline int waymark_accept(int listener, struct waymark_peer *peer) {
    struct sockaddr_storage storage;
    socklen_t length = sizeof storage;
    int socket = accept4(
        listener, (struct sockaddr *)&storage, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return socket;
    uint8_t octets[16] = {[10] = 0xFF, 0xFF};
    peer->port = 0;
    if (storage.ss_family == AF_INET6) {
        const struct sockaddr_in6 *address = (const struct sockaddr_in6 *)&storage;
        memcpy(octets, &address->sin6_addr, 16);
        peer->port = ntohs(address->sin6_port);
    } else if (storage.ss_family == AF_INET) {
        const struct sockaddr_in *address = (const struct sockaddr_in *)&storage;
        memcpy(octets + 12, &address->sin_addr, 4);
        peer->port = ntohs(address->sin_port);
    }
    memcpy(&peer->high, octets, 8);
    memcpy(&peer->low, octets + 8, 8);
    peer->high = be64toh(peer->high);
    peer->low = be64toh(peer->low);
    return socket;
}

// A TCP socket that does not block and does not outlive an exec.
static inline int waymark_tcp_socket(int family) {
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static inline int waymark_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }
static inline int waymark_semaphore(void) { return eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC); }
static inline int waymark_eventfd(void) { return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC); }

static inline int waymark_epoll_control(
    int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, operation, descriptor, &event);
}

static inline uint64_t waymark_epoll_token(const struct epoll_event *event) { return event->data.u64; }
static inline uint32_t waymark_epoll_events(const struct epoll_event *event) { return event->events; }

static const uint32_t waymark_EPOLLIN = EPOLLIN;
static const uint32_t waymark_EPOLLOUT = EPOLLOUT;
static const uint32_t waymark_EPOLLERR = EPOLLERR;
static const uint32_t waymark_EPOLLHUP = EPOLLHUP;
static const uint32_t waymark_EPOLLRDHUP = EPOLLRDHUP;

// The name of the calling thread, at most 15 bytes.
static inline void waymark_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }
