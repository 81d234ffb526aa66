import Foundation
import SQLite
import Testing

@Suite struct SQLiteTests {
    private let directory = NSTemporaryDirectory() + "waymark-sqlite-\(UUID().uuidString)"

    private func database() throws -> SQLiteDatabase {
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        return try SQLiteDatabase("\(directory)/a.db", .create)
    }

    @Test func valuesComeBackAsTheyWereBound() throws {
        let database = try database()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let statement = try database.prepare("SELECT ?, ?, ?, ?, ?, ?")
        try statement.begin([
            .null, .integer(.min), .text("a\u{0}ü"), .blob([0, 255]), .blob([]), .text(""),
        ])
        #expect(try statement.step())
        #expect(statement.isNull(0) && statement.optionalText(0) == nil)
        #expect(statement.integer(1) == .min)
        #expect(statement.text(2) == "a\u{0}ü")
        #expect(statement.bytes(3) == [0, 255])
        #expect(statement.bytes(4).isEmpty && !statement.isNull(4))
        #expect(statement.optionalText(5) == "")
        #expect(try !statement.step())
    }

    @Test func refusalsHaveAKind() throws {
        let database = try database()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try database.execute("CREATE TABLE t (a INTEGER UNIQUE) STRICT")
        let insert = try database.prepare("INSERT INTO t VALUES (?)")
        try insert.run(.integer(1))
        #expect(database.lastRowID == 1 && database.changes == 1)
        let refused = #expect(throws: SQLiteError.self) { try insert.run(.integer(1)) }
        #expect(refused?.kind == .constraint)
        // The statement can be used again.
        try insert.run(.integer(2))
        let syntax = #expect(throws: SQLiteError.self) { try database.prepare("SELEC") }
        #expect(syntax?.kind == .other)
        let missing = #expect(throws: SQLiteError.self) {
            try SQLiteDatabase("/nonexistent/a.db", .create)
        }
        #expect(missing?.kind == .cannotOpen)
    }

    /// SQLite takes these for names of its own, and what was written is gone with the connection.
    @Test(arguments: [
        ":memory:", "file::memory:", "file:a.db?mode=memory", "file:a.db", "a?b#c%41.db",
    ])
    func aPathIsThatOfAFile(name: String) throws {
        // A relative path, as in a configuration beside which the program runs.
        defer { try? FileManager.default.removeItem(atPath: name) }
        try #require(!FileManager.default.fileExists(atPath: name))
        do {
            let database = try SQLiteDatabase(name, .create)
            try database.execute("CREATE TABLE t (a INTEGER)")
        }
        #expect(FileManager.default.fileExists(atPath: name))
        try SQLiteDatabase(name, .readWrite).execute("INSERT INTO t VALUES (1)")
        let read = try SQLiteDatabase(name, .immutable).prepare("SELECT a FROM t")
        #expect(try read.step() && read.integer(0) == 1)
    }
}
