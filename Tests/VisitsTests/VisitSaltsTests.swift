import Testing
@testable import Visits

@Suite("Keys of days")
struct VisitSaltsTests {
    private func key(_ first: UInt8) throws -> VisitSalt {
        try #require(VisitSalt([UInt8](first..<first + 16)))
    }

    @Test func `days that a clock has jumped to have keys of their own`() throws {
        let (first, second, later) = (try key(0), try key(16), try key(32))
        var salts = VisitSalts(day: 100, first, second)
        #expect(salts.salt(of: 102) == nil)
        salts.later = later
        #expect(salts.salt(of: 100) == first && salts.salt(of: 101) == second)
        // A day before may have another key, which is kept.
        #expect(salts.salt(of: 99) == nil)
        let days = [102, 103, 132, 100_000]
        let keys = days.compactMap { salts.salt(of: $0) }
        #expect(keys.count == days.count && !keys.contains(later))
        for (place, key) in keys.enumerated() {
            #expect(!keys[..<place].contains(key) && key != first && key != second)
            #expect(salts.salt(of: days[place]) == key)
        }
    }

    @Test func `a key is stored as it was read`() throws {
        for bytes in [[UInt8](0..<16), [UInt8](240...255)] {
            #expect(VisitSalt(bytes)?.bytes == bytes)
        }
        let key = try key(32).key(ofDay: 102)
        #expect(VisitSalt(key.bytes) == key)
    }
}
