import SQLite
import TestSupport
import Testing
import Visits

@testable import LinkStore
@testable import Origin

@Suite("Writing what was counted")
struct VisitWriterTests {
    private let hour = 24 * 20_000 + 7

    private func count(_ store: VisitStore, _ link: Int) throws -> Int? {
        try store.visits(of: link, hour - 9..<hour + 9, by: .hour)
            .reduce(0) { $0 + ($1.counts[.visit] ?? 0) }
    }

    private func expectWritten(_ writer: borrowing VisitWriter, _ isWritten: Bool = true) {
        let isEmpty = writer.batch.isEmpty
        #expect(isEmpty == isWritten)
    }

    /// A disk that has room for a batch, and not for what is written when the hour is over.
    @Test func `what was written is written once, whatever fails afterwards`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/links.db.visits"
        var file = Optional(try VisitStore(path))
        var writer = VisitWriter()
        // Many links, so that moving them takes more room than a batch.
        for link in 1...20_000 { writer.batch.add(VisitKey(link: link, hour: hour, .visit), 1) }
        try writer.write(to: #require(file), hour: hour, isLast: true)
        expectWritten(writer)
        writer.batch.add(VisitKey(link: 7, hour: hour, .visit), 5)
        for _ in 0..<7 {
            try file?.limitPages(toMore: 4)
            do {
                try writer.write(to: #require(file), hour: hour + 1, isLast: false)
            } catch StoreError.isFull {
                // Whether a piece finds room depends on the pages; the counts below may not.
            }
            expectWritten(writer)
            file = nil
            file = try VisitStore(path)
            writer.begin()
        }
        #expect(try [count(#require(file), 7), count(#require(file), 0)] == [6, 20_005])
        try writer.write(to: #require(file), hour: hour + 1, isLast: false)
        while file?.isMoving == true { try file?.moveNext() }
        #expect(try [count(#require(file), 7), count(#require(file), 0)] == [6, 20_005])
    }

    @Test func `what found no room is written when there is room`() throws {
        let directory = try TemporaryDirectory()
        let store = try VisitStore("\(directory.path)/links.db.visits")
        var writer = VisitWriter()
        for link in 1...20_000 { writer.batch.add(VisitKey(link: link, hour: hour, .visit), 1) }
        try store.limitPages(toMore: 1)
        #expect(throws: StoreError.isFull) {
            try writer.write(to: store, hour: hour, isLast: false)
        }
        expectWritten(writer, false)
        try store.limitPages(toMore: 10_000)
        try writer.write(to: store, hour: hour, isLast: true)
        #expect(try [count(store, 7), count(store, 0)] == [1, 20_000])
    }
}

extension VisitStore {
    /// Lets the file have this many pages more than it has now.
    fileprivate func limitPages(toMore pages: Int) throws {
        let has = try tables.file.number("PRAGMA page_count")
        try tables.file.database.execute("PRAGMA max_page_count = \(has + pages)")
    }
}
