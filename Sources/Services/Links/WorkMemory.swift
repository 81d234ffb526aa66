package import Files
import Sockets
import Synchronization

/// The memory of what input decides: requests, counting visits, following other nodes, reloads, and public files. Each asks for room before it
/// goes on, and is refused where there is none: Swift, or the kernel, would end the process in the middle of it.
package final class WorkMemory: Sendable {
    private let state = Mutex(State())
    let refusals = Refusals()
    /// The turns in which other nodes were not followed.
    let followRefusals = Refusals()

    package init() {}

    private struct State {
        /// Nil where nothing but the process itself is limited.
        var limits: MemoryLimits?
        /// The bytes that work under way may take, also those that it has taken already.
        var claimedBytes = 0
        /// The same of short requests, and of those that have ended since the limits were read: their answers wait for clients.
        var (sharedBytes, endedBytes) = (0, 0)
        /// The bytes that the limits leave, and the time for which that is good, in milliseconds of the monotonic clock.
        var leftBytes = Int.max
        var goodUntil = 0
        /// The limit that they are of, as it was last read.
        var limitBytes: Int?
        var lack = ""

        /// - Parameter left: the bytes beside those of a claim that are to be left for others; nil for what claims nothing.
        mutating func hasRoom(_ bytes: Int, leaving left: Int? = nil) -> Bool {
            // What claims have taken is missing from the kernel's figures already, so they count for other claims alone.
            let all = bytes + (left.map { claimedBytes + $0 } ?? 0)
            guard hasFreeMemory(bytes: all) else {
                lack = lackOfMemory(asked: all)
                return false
            }
            guard let limits else { return true }
            let now = Clock.monotonicMilliseconds
            if left != nil || now >= goodUntil {
                let room = limits.room(toTake: all, giveBack: returnFreeMemory)
                (leftBytes, limitBytes) = (room?.takeableBytes ?? .max, room?.limitBytes)
                (goodUntil, endedBytes) = (now + WorkMemory.goodMilliseconds, 0)
            }
            guard leftBytes < all else { return true }
            lack = lackOfMemory(asked: all, left: leftBytes, of: limitBytes)
            return false
        }

        /// Whether there is room for a short request beside the others; the limits are read again before one is refused.
        mutating func share(_ own: Int) -> Bool {
            let bytes = max(WorkMemory.requestBytes, sharedBytes + own)
            if !hasRoom(bytes + endedBytes) {
                goodUntil = 0
                guard hasRoom(bytes) else { return false }
            }
            sharedBytes += own
            return true
        }
    }

    /// Asks within these limits, too, from now on.
    package func use(_ limits: MemoryLimits) {
        state.withLock { $0.limits = limits.isEmpty ? nil : limits }
    }

    /// The last lack of room, for people: the bytes asked for, and those that were left.
    package var lack: String { state.withLock { $0.lack } }

    /// The bytes of public files that may be kept, together with their gzip forms in half of the memory that is left.
    /// - Parameters:
    ///   - most: the limit on them.
    ///   - kept: those of the files that are kept already.
    package func filesBytes(atMost most: Int, kept: Int) -> Int {
        var most = most
        if let left = state.withLock({ $0.limits })?.room()?.takeableBytes {
            most = min(most, max(kept, max(0, left) / 4 + kept / 2))
        }
        while most > kept, !hasFreeMemory(bytes: 2 * (most - kept)) {
            most = kept + (most - kept) / 2
        }
        return most
    }

    /// Whether there is room for a request.
    var hasRoom: Bool { state.withLock { $0.hasRoom(Self.requestBytes) } }

    /// Claims room for a request with so many bytes of content; nil if there is none.
    func claim(forContent bytes: Int) -> Claim? {
        let claim = Claim(self)
        return claim.set(Self.requestBytes + bytes * Self.contentFactor) ? claim : nil
    }

    /// Claims room for so many bytes that the work for a request takes at most; nil if there is none. Little needs no question.
    package func claim(forWork bytes: Int) -> Claim? {
        let claim = Claim(self)
        return bytes < Self.littleBytes || claim.set(bytes, leaving: Self.requestBytes)
            ? claim : nil
    }

    /// Claims room for a short request, and for what it holds of links; nil if those under way leave none.
    /// - Parameter isForList: whether that is a page of a list, or of an export.
    func claimShare(isForList: Bool = false) -> Claim? {
        let bytes = isForList ? Self.listBytes : Self.shareBytes
        return state.withLock { $0.share(bytes) } ? Claim(self, sharing: bytes) : nil
    }

    /// The room that one piece of work has claimed.
    package final class Claim: Sendable {
        private let memory: WorkMemory
        private let bytes = Mutex(0)
        private let shared: Mutex<Int>

        package convenience init(_ memory: WorkMemory) { self.init(memory, sharing: 0) }

        fileprivate init(_ memory: WorkMemory, sharing bytes: Int) {
            self.memory = memory
            shared = Mutex(bytes)
        }

        /// Claims so many bytes in all from now on, and leaves the room of a request. Little needs no question.
        /// - Returns: false if there is no room for more.
        package func grow(to wanted: Int) -> Bool {
            wanted < WorkMemory.littleBytes || set(wanted, leaving: WorkMemory.requestBytes)
        }

        /// Claims so many bytes in all from now on, or leaves it as it was.
        /// - Parameter left: the bytes that are to be left for others.
        /// - Returns: false if there is no room for more.
        func set(_ wanted: Int, leaving left: Int = WorkMemory.othersBytes) -> Bool {
            bytes.withLock { bytes in
                let isTaken = memory.state.withLock { state in
                    guard wanted <= bytes || state.hasRoom(wanted - bytes, leaving: left) else {
                        return false
                    }
                    state.claimedBytes += wanted - bytes
                    return true
                }
                if isTaken { bytes = wanted }
                return isTaken
            }
        }

        /// Claims nothing any more.
        /// - Parameter bytes: those of an answer, which is in memory until its client has it.
        func end(answering bytes: Int = 0) {
            _ = set(0)
            shared.withLock { shared in
                memory.state.withLock { state in
                    state.sharedBytes -= shared
                    // What the process itself may take is known at any time.
                    if shared > 0, state.limits != nil { state.endedBytes += max(shared, bytes) }
                }
                shared = 0
            }
        }

        deinit { end() }
    }

    /// The most that the rows of an answer about visits take, with the counts behind them; measured with 100,000 links.
    static let visitsBytes = 16 << 20
    /// A page of links, or a form.
    private static let requestBytes = 4 << 20
    /// A link with all that it can have, while a change of it waits, and its answer.
    private static let shareBytes = 128 << 10
    /// The links of a page, or the page itself: either has 256 KiB, and a link more.
    private static let listBytes = 384 << 10
    private static let littleBytes = 64 << 10
    /// The copies of a form that are there together: as it came, its parts, their texts, and a page that has them.
    private static let contentFactor = 16
    /// Stacks of threads that begin meanwhile, and requests.
    private static let othersBytes = 16 << 20
    private static let goodMilliseconds = 1_000
}

/// A lack of memory, for people: the bytes asked for, and those that were left.
/// - Parameters:
///   - left: what the limit of a container or a unit leaves; nil where the process itself is limited.
///   - limit: that limit.
package func lackOfMemory(asked: Int, left: Int = 0, of limit: Int? = nil) -> String {
    func mebibytes(_ bytes: Int) -> String { "\(Double((max(0, bytes) * 10) >> 20) / 10) MiB" }
    let fact = "\(mebibytes(asked)) are asked for, and "
    guard let limit else { return fact + "the limit of this process leaves less" }
    return fact + "\(mebibytes(left)) are left of the \(mebibytes(limit)) of its container or unit"
}
