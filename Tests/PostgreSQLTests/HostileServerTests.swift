import PostgreSQL
import PostgreSQLSupport
import Sockets
import TestSupport
import Testing

@Suite struct `Servers that break the protocol` {
    struct Breach: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let answers: [[UInt8]]
        let step: @Sendable (PostgreSQLConnection) throws -> Void
    }

    private static func script(_ connection: PostgreSQLConnection) throws {
        try connection.execute("SELECT 1", by: soon)
    }
    private static func load(_ connection: PostgreSQLConnection) throws {
        try connection.copy("SELECT 1") { _ in }
    }
    private static let both = Message.of("W", [0, 0, 0])
    private static let out = Message.of("H", [1, 0, 0])
    private static let into = Message.of("G", [1, 0, 0])
    private static let settings = Message.done + Message.idle

    @Test(arguments: [
        Breach(testDescription: "a stream in both directions", answers: [both], step: script),
        Breach(testDescription: "a load without a question", answers: [out], step: script),
        Breach(
            testDescription: "a load in both directions", answers: [settings, both], step: load),
        Breach(
            testDescription: "a load in the other direction", answers: [settings, into], step: load),
        Breach(
            testDescription: "a load after the load",
            answers: [settings, out + Message.of("c") + Message.done + out], step: load),
        Breach(
            testDescription: "a load after an error",
            answers: [settings, Message.of("E", Array("C42P01\0M.\0\0".utf8)) + out], step: load),
    ])
    func `what they do is an error, and no wait`(_ breach: Breach) throws {
        let impostor = try Impostor(Message.greetings + breach.answers)
        let connection = try impostor.connect()
        let error = #expect(throws: PostgreSQLError.self) { try breach.step(connection) }
        #expect(error != nil && connection.failure == error)
    }

    @Test func `a row without columns has nulls`() throws {
        let rows = Message.of("T", [0, 0]) + Message.of("D", [0, 0])
        let impostor = try Impostor(
            Message.greetings + [Message.bound + rows + Message.done + Message.idle])
        let result = try impostor.connect().run("SELECT 1", by: soon)
        let row = try #require(result.first)
        #expect(row.fieldCount == 0 && row.isNull(0) && row.integer(3) == 0)
    }

    @Test(arguments: [
        Message.of("N", Array("C00000\0M.\0\0".utf8)),
        Message.of("A", [0, 0, 0, 1] + Array("a\0b\0".utf8)),
        Message.parameter("TimeZone", "UTC"),
    ])
    func `who sends without an end is held to the deadline`(_ message: [UInt8]) throws {
        let flood = Array(repeatElement(message, count: 1_000).joined())
        let impostor = try Impostor(Message.greetings, flood: flood)
        let error = #expect(throws: PostgreSQLError.self) {
            try impostor.connect().run("SELECT 1", by: Deadline(in: 200))
        }
        #expect(error?.description == "a statement has no answer within 200 ms")
    }

    @Test func `notifications that nobody has asked for fill no memory`() throws {
        func message(_ text: String) -> [UInt8] {
            Message.of("A", [0, 0, 0, 1] + Array("a\0\(text)\0".utf8))
        }
        let long = String(repeating: "b", count: 8_000)
        let few = message(long) + message(String(long.dropLast()))
        let many = Array(repeatElement(message("b"), count: 5_000).joined())
        let answer = Message.bound + Message.of("T", [0, 0]) + Message.done + Message.idle
        let impostor = try Impostor(Message.greetings + [few + answer, many + answer])
        let connection = try impostor.connect()
        for counts in [[0, 7_999], [Int](repeating: 1, count: 1_000)] {
            _ = try connection.run("SELECT 1", by: soon)
            let found = try connection.notifications(by: Deadline(in: 0))
            #expect(found.map(\.text.utf8.count) == counts)
            #expect(try connection.notifications(by: Deadline(in: 0)).isEmpty)
        }
    }

    @Test func `rows without an end fill no memory`() throws {
        let row = Message.of("D", [0, 1, 0, 0, 0, 100] + [UInt8](repeating: 0, count: 100))
        let column = Message.of("T", [0, 1] + Array("a\0".utf8) + [UInt8](repeating: 0, count: 18))
        let impostor = try Impostor(
            Message.greetings + [Message.bound + column],
            flood: Array(repeatElement(row, count: 1_000).joined()))
        var limits = PostgreSQLLimits()
        limits.answerBytes = 1 << 22
        let connection = try impostor.connect(limits)
        let error = #expect(throws: PostgreSQLError.self) {
            try connection.run("SELECT 1", by: soon)
        }
        #expect(error?.description == "an answer has more than 4194304 bytes")
    }
}
