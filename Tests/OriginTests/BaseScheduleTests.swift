import LinkStore
import Services
import Testing

/// The times at which the links that a node knows are written to its file.
struct BaseScheduleTests {
    private let one = StoreBase.Version(generation: 1, mark: [1])
    private let other = StoreBase.Version(generation: 2, mark: [2])

    @Test func `at once, soon after a change, and not without one`() {
        var schedule = BaseSchedule()
        #expect(schedule.due(one, isConfirmed: true, at: 0) == .write)
        schedule.wrote(one, bytes: 1_000, within: 3, at: 10)
        #expect(schedule.due(other, isConfirmed: true, at: 10 + 4_999) == nil)
        #expect(schedule.due(other, isConfirmed: false, at: 10 + 5_000) == .write)
        #expect(schedule.due(one, isConfirmed: true, at: 10 + 5_000) == nil)
        #expect(schedule.lacks(other) && !schedule.lacks(one))
        // The same generation of another history is another version.
        let restored = StoreBase.Version(generation: 1, mark: [9])
        #expect(schedule.due(restored, isConfirmed: true, at: 6_000) == .write)
    }

    @Test func `after a failover without a change, too`() {
        let places = (1...2).map { timeline in
            KnownHistory(mark: [1], system: 7, timeline: timeline)
        }
        let versions = places.map { StoreBase.Version(generation: 1, history: $0) }
        var schedule = BaseSchedule()
        schedule.wrote(versions[0], bytes: 1_000, within: 3, at: 0)
        #expect(schedule.due(versions[0], isConfirmed: true, at: 6_000) == nil)
        #expect(schedule.due(versions[1], isConfirmed: true, at: 6_000) == .write)
        #expect(schedule.lacks(versions[1]) && !schedule.lacks(versions[0]))
    }

    @Test func `what is unchanged is confirmed while the database is there`() {
        var schedule = BaseSchedule()
        schedule.wrote(one, bytes: 1_000, within: 3, at: 0)
        #expect(schedule.due(one, isConfirmed: true, at: 299_999) == nil)
        #expect(schedule.due(one, isConfirmed: false, at: 300_000) == nil)
        #expect(schedule.due(one, isConfirmed: true, at: 300_000) == .confirm)
        schedule.confirmed(at: 300_000)
        #expect(schedule.due(one, isConfirmed: true, at: 599_999) == nil)
        // Somebody has removed it.
        schedule.lost()
        #expect(schedule.due(one, isConfirmed: false, at: 599_999) == .write)
        #expect(schedule.lacks(one))
    }

    @Test func `a file that cannot be written is tried again after a minute`() {
        var schedule = BaseSchedule()
        schedule.failed(at: 0)
        #expect(schedule.due(one, isConfirmed: true, at: 59_999) == nil)
        #expect(schedule.due(one, isConfirmed: true, at: 60_000) == .write)
    }

    /// However large a store is, and however slow the disk, with links that change all the time.
    @Test(arguments: [(1_000, 1), (15_000_000, 200), (150_000_000, 2_000), (1_000_000, 60_000)])
    func `writing takes a twentieth of the time, and so many bytes a second`(
        _ bytes: Int, _ milliseconds: Int
    ) {
        var (schedule, now, written, busy) = (BaseSchedule(), 0, 0, 0)
        for number in 0..<100 {
            let next = StoreBase.Version(generation: number, mark: nil)
            while schedule.due(next, isConfirmed: true, at: now) != .write { now += 1_000 }
            now += milliseconds
            (written, busy) = (written + bytes, busy + milliseconds)
            schedule.wrote(next, bytes: bytes, within: milliseconds, at: now)
        }
        // The first attempt has no pause before it.
        #expect((busy - milliseconds) * 20 <= now)
        #expect((written - bytes) / 256 <= now)
    }
}

extension StoreBase.Version {
    /// The version of a server that tells of no history.
    fileprivate init(generation: Int, mark: [UInt8]?) {
        self.init(
            generation: generation, history: KnownHistory(mark: mark, system: nil, timeline: nil))
    }
}
