import LinkIndex
package import LinkStore
import SharedStore
import Sockets
import Synchronization

/// The nodes that share a store with this one, as the store's thread has seen them last. Any thread may ask.
package final class ServedFleet: Sendable {
    private let version: String
    private let hash = Mutex("")
    private let seen = Mutex<(fleet: StoreFleet, seconds: Int)?>(nil)
    /// The time at which the database has answered last, by a clock that never goes back; the lowest number before.
    private let followed = Atomic<Int>(.min)

    /// The clock by which stored times are made and end: the database's, or this machine's for a file.
    let clock: StoreClock

    init(of place: ServedStore, version: String) {
        (self.version, clock) = (version, place.place?.clock ?? StoreClock())
    }

    /// A hash of the configuration that is served.
    package var configuration: String {
        get { hash.withLock { $0 } }
        set { hash.withLock { $0 = newValue } }
    }

    /// The nodes; nil where the store belongs to one process, or before they are known.
    package var state: StoreFleet? { sight?.fleet }

    /// The same with the time at which they were seen, in seconds since 1970.
    var sight: (fleet: StoreFleet, seconds: Int)? { seen.withLock { $0 } }

    /// The milliseconds since the database has said what others have changed; nil before.
    package var lagMilliseconds: Int? {
        let last = followed.load(ordering: .relaxed)
        return last == .min ? nil : max(0, Clock.monotonicMilliseconds - last)
    }

    /// The links are those of so long ago.
    func resume(ageSeconds: Int) {
        followed.store(Clock.monotonicMilliseconds - ageSeconds * 1_000, ordering: .relaxed)
    }

    /// Tells the others of this node when it is time.
    /// - Returns: messages about what it sees of them.
    func follow(_ store: LinkStore, _ watch: inout FleetWatch, at now: Int) -> [ServiceEvent] {
        followed.store(now, ordering: .relaxed)
        let report = NodeReport(version: version, configuration: configuration)
        let isDue = watch.isDue(
            report, generation: store.index.generation, isAwaited: store.takeAwaited(), at: now)
        guard isDue else { return [] }
        guard let fleet = try? store.announce(report, at: Clock.unixMilliseconds) else {
            watch.failed()
            return []
        }
        seen.withLock { $0 = (fleet, Clock.unixSeconds) }
        return watch.news(fleet)
    }
}
