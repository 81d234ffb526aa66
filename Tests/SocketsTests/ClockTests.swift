import Testing

@testable import Sockets

@Suite struct ClockTests {
    @Test(arguments: [
        (-1, 0), (0, 0), (1_800_000_000_123, 1_800_000_000_123),
        (253_402_300_799_999, 253_402_300_799_999), (253_402_300_800_000, 253_402_300_799_999),
        (285_600_000_000_000, 253_402_300_799_999),
    ])
    func `a time has a year of four digits`(milliseconds: Int, written: Int) {
        #expect(Clock.written(milliseconds) == written)
    }
}
