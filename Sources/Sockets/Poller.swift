private import CLinux
internal import Glibc

/// Waits for many descriptors at once (epoll(7), level-triggered). Each has a token.
@safe
package struct Poller: ~Copyable {
    private let descriptor: Descriptor
    private let events: UnsafeMutablePointer<epoll_event>
    /// The largest number of events that a wait returns.
    package let capacity: Int

    /// A poller that returns at most `capacity` events for each wait.
    package init(eventsPerTurnMax capacity: Int) throws(SystemError) {
        let number = waymark_epoll_create()
        guard number >= 0 else { throw SystemError("epoll_create1") }
        descriptor = Descriptor(number)
        self.capacity = capacity
        unsafe events = .allocate(capacity: capacity)
        unsafe events.initialize(repeating: epoll_event(), count: capacity)
    }

    deinit { unsafe events.deallocate() }

    /// Waits for the descriptor from now on, level-triggered; its events have the token.
    package func add(
        _ other: borrowing Descriptor, _ interest: Interest, token: UInt64
    ) throws(SystemError) {
        let status = waymark_epoll_control(
            descriptor.number, EPOLL_CTL_ADD, other.number, interest.mask, token)
        guard status == 0 else { throw SystemError("epoll_ctl") }
    }

    /// Changes the events for which a descriptor is waited for.
    package func change(_ other: borrowing Descriptor, to interest: Interest, token: UInt64) {
        let status = waymark_epoll_control(
            descriptor.number, EPOLL_CTL_MOD, other.number, interest.mask, token)
        precondition(status == 0, "a descriptor that was not added")
    }

    /// Stops waiting for a descriptor, which stays open.
    package func remove(_ other: borrowing Descriptor) {
        _ = waymark_epoll_control(descriptor.number, EPOLL_CTL_DEL, other.number, 0, 0)
    }

    /// Waits at most `milliseconds` (-1: without limit), and returns the number of events.
    package mutating func wait(milliseconds: Int) -> Int {
        let count = unsafe waymark_epoll_wait(
            descriptor.number, events, CInt(capacity), CInt(clamping: milliseconds))
        return max(0, Int(count))
    }

    /// The token of the event at this index of the last `wait`.
    package func token(_ index: Int) -> UInt64 {
        precondition(index >= 0 && index < capacity)
        return unsafe waymark_epoll_token(events + index)
    }

    /// The events for which a descriptor is waited for.
    package enum Interest: Sendable {
        case reading, writing, nothing
        /// Connections at a listener that other pollers wait for too; not all pollers are woken.
        case acceptingShared

        fileprivate var mask: UInt32 {
            switch self {
            case .acceptingShared: waymark_EPOLLIN | waymark_EPOLLEXCLUSIVE
            case .reading: waymark_EPOLLIN | waymark_EPOLLRDHUP
            case .writing: waymark_EPOLLOUT
            case .nothing: 0
            }
        }
    }
}
