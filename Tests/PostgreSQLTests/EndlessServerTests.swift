import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

@Suite struct `Servers that never end` {
    private static let column = Message.of(
        "T", [0, 1] + Array("a\0".utf8) + [UInt8](repeating: 0, count: 18))

    /// The answer to a statement, with values of settings.
    private static func answer(_ settings: Range<Int>) -> [UInt8] {
        let values = settings.flatMap { Message.parameter("setting\($0)", "") }
        let row = column + Message.of("D", [0, 1, 0, 0, 0, 1, 7])
        return Message.bound + values + row + Message.done + Message.idle
    }

    @Test func `settings of ever new names fill no memory, because another connection is taken`()
        throws
    {
        let usual = 400
        var answers = Message.greetings + Array(repeating: Self.answer(0..<5), count: usual)
        for number in 0..<30 {
            answers.append(Self.answer(1_000 * number..<1_000 * (number + 1)))
        }
        let connection = try Impostor(answers).connect()
        // A server says a setting again when it has changed, and sends rows and notices.
        for _ in 0..<usual { _ = try connection.run("SELECT 1", by: soon) }
        #expect(!connection.isOverfull)
        for _ in 0..<30 where !connection.isOverfull {
            _ = try connection.run("SELECT 1", by: soon)
        }
        #expect(connection.isOverfull && connection.failure == nil)
    }

    @Test func `what is of answers counts for nothing`() throws {
        let row = Message.of("D", [0, 1, 0, 0, 0, 100] + [UInt8](repeating: 7, count: 100))
        let note = Message.of("A", [0, 0, 0, 1] + Array("waymark\0text\0".utf8))
        let many = Array(repeatElement(row, count: 2_000).joined())
        let notes = Array(repeatElement(note, count: 500).joined())
        let words = String(repeating: "m", count: 900)
        let error = Message.of("E", Array("SERROR\0C42P01\0M\(words)\0\0".utf8))
        let rows: [UInt8] = Message.bound + Self.column + many + notes
        let good: [UInt8] = rows + Message.done + Message.idle
        let bad: [UInt8] = Message.bound + error + Message.idle
        let answers = Array(repeating: [good, bad], count: 20).flatMap(\.self)
        let connection = try Impostor(Message.greetings + answers).connect()
        for _ in 0..<20 {
            #expect(try connection.run("SELECT 1", by: soon).count == 2_000)
            _ = try connection.notifications(by: Deadline(in: 0))
            #expect(throws: PostgreSQLError.self) { try connection.run("SELECT 1", by: soon) }
        }
        #expect(!connection.isOverfull)
    }

    // MARK: Loads

    private static let settings = Message.done + Message.idle
    private static let out = Message.of("H", [1, 0, 0])
    private static let header = Message.of(
        "d", Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8))
    /// Of a hundred bytes.
    private static let row = Message.of(
        "d", [0, 1, 0, 0, 0, 94] + [UInt8](repeating: 7, count: 94))
    private static let end =
        Message.of("d", [0xFF, 0xFF]) + Message.of("c") + Message.done + Message.idle

    /// The rows that come, and the error.
    private func load(
        _ answers: [[UInt8]], flood: [UInt8] = [], pauseMilliseconds: UInt32 = 0,
        _ change: (inout PostgreSQLLimits) -> Void
    ) throws -> (rows: Int, error: PostgreSQLError?) {
        let impostor = try Impostor(
            Message.greetings + [Self.settings] + answers, flood: flood,
            pauseMilliseconds: pauseMilliseconds)
        var limits = PostgreSQLLimits()
        change(&limits)
        let connection = try impostor.connect(limits)
        var rows = 0
        do throws(PostgreSQLError) {
            try connection.copy("SELECT 1") { _ in rows += 1 }
        } catch {
            #expect(connection.failure == error)
            return (rows, error)
        }
        return (rows, nil)
    }

    /// The bytes of the rows are those of the header, of the rows, and of the end.
    @Test(arguments: [
        (19 + 100_000 + 2, nil), (100_020, "a load has more than 100020 bytes"),
    ])
    func `a load has so many bytes, and no more`(limit: Int, reason: String?) throws {
        let rows = Array(repeatElement(Self.row, count: 1_000).joined())
        let found = try load(
            [Self.out + Self.header + rows + Self.end, Self.settings]
        ) { $0.loadBytes = limit }
        #expect(found.rows == 1_000 && found.error?.description == reason)
        #expect(found.error.map { $0.fault == .configuration } ?? true)
    }

    @Test func `rows without an end fill no memory`() throws {
        let found = try load(
            [Self.out + Self.header], flood: Array(repeatElement(Self.row, count: 100).joined())
        ) { $0.loadBytes = 1 << 22 }
        #expect(found.error?.description == "a load has more than 4194304 bytes")
        #expect(found.rows <= 41_944)
    }

    @Test(
        arguments: [
            ("rows, now and then", row, 5),
            ("settings in place of rows", Message.parameter("TimeZone", "UTC"), 0),
            ("notices in place of rows", Message.of("N", Array("C00000\0M.\0\0".utf8)), 0),
        ] as [(String, [UInt8], UInt32)])
    func `a load that hardly goes on has an end`(
        what: String, flood: [UInt8], pauseMilliseconds: UInt32
    ) throws {
        let found = try load(
            [Self.out + Self.header], flood: flood, pauseMilliseconds: pauseMilliseconds
        ) { $0.stallMilliseconds = 300 }
        #expect(found.error?.description == "a statement has no answer within 300 ms", "\(what)")
    }

    @Test func `a load with settings between its rows has an end`() throws {
        let others = Array(
            repeatElement(Message.parameter("TimeZone", "UTC"), count: 1_000).joined())
        let found = try load([Self.out + Self.header], flood: Self.row + others) { _ in }
        #expect(found.error?.description == "the server sends more than rows in a load")
        // The limit is reached after some 950 rows, and later where more comes than was counted.
        #expect(found.rows < 4_000)
    }

    /// It takes many times the limit, which holds for each quarter of a megabyte.
    @Test func `a load that goes on may take any time`() throws {
        let piece = Array(repeatElement(Self.row, count: 3_000).joined())
        let impostor = try Impostor(
            Message.greetings + [Self.settings, Self.out + Self.header], flood: piece,
            pauseMilliseconds: 20)
        var limits = PostgreSQLLimits()
        (limits.stallMilliseconds, limits.loadBytes) = (2_000, 300_000 * 120)
        let connection = try impostor.connect(limits)
        let start = Clock.monotonicMilliseconds
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.copy("SELECT 1") { _ in }
        }
        #expect(error?.description == "a load has more than 36000000 bytes")
        #expect(Clock.monotonicMilliseconds - start > limits.stallMilliseconds)
    }
}
