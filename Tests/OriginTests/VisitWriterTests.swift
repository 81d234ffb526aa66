import Diagnostics
import Foundation
import SQLite
import TestSupport
import Testing
import Visits

@testable import LinkStore
@testable import Origin
@testable import Services

@Suite("Writing what was counted")
struct VisitWriterTests {
    private let hour = 24 * 20_000 + 7

    private func count(_ store: VisitStore, _ link: Int) throws -> Int? {
        try store.visits(of: link, hour - 9..<hour + 9, by: .hour)
            .reduce(0) { $0 + ($1.counts[.visit] ?? 0) }
    }

    private func expectWritten(_ writer: borrowing VisitWriter, _ isWritten: Bool = true) {
        let isEmpty = writer.isEmpty
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

    /// The disk is full at each page that a batch and what comes behind it write.
    @Test(.enabled("a small disk takes root's rights") { SmallDisk.isPossible })
    func `a disk that is full behind a commit counts nothing twice`() throws {
        let directory = try TemporaryDirectory()
        let waiting = "\(directory.path)/waiting"
        do {
            let store = try VisitStore(waiting)
            var writer = VisitWriter()
            // Enough that moving it takes more room than another batch.
            for link in 1...4_000 { writer.batch.add(VisitKey(link: link, hour: hour, .visit), 1) }
            try writer.write(to: store, hour: hour, isLast: true)
        }
        let ends = try SmallDisk.use(bytes: Self.diskPages * Self.pageBytes) { [self] disk in
            try (0..<80).map { try end(on: disk, waiting, freePages: $0) }
        }
        // There were disks that were full before the commit, and others behind it.
        #expect(Set(ends) == [.before, .behind, .never], "\(ends)")
    }

    /// When a disk was full.
    private enum End { case before, behind, never }

    private func end(on disk: String, _ waiting: String, freePages: Int) throws -> End {
        let path = "\(disk)/links.db.visits"
        let ballast = "\(disk)/ballast"
        defer {
            for name in [path, "\(path)-wal", "\(path)-shm", "\(path).lock"] { remove(name) }
        }
        // A process that another test starts has what was removed, and its lock, for a moment.
        try wait { try room(on: disk) == Self.diskPages }
        try FileManager.default.copyItem(atPath: waiting, toPath: path)
        var file = Optional(try VisitStore(path))
        var writer = VisitWriter()
        writer.batch.add(VisitKey(link: 7, hour: hour, .visit), 5)
        let ballastPages = try fill(disk, ballast, freePages: freePages)
        var end = End.never
        do {
            try writer.write(to: #require(file), hour: hour + 1, isLast: false)
            while file?.isMoving == true { try file?.moveNext() }
        } catch is StoreError {
            end = writer.isEmpty ? .behind : .before
        }
        // There is room again, and it goes on as the service does. A process that another test starts may have
        // the ballast, too, for a moment.
        remove(ballast)
        file = nil
        try wait { try room(on: disk) >= ballastPages }
        try wait {
            file = try? VisitStore(path)
            return file != nil
        }
        writer.begin()
        let isWritten = end != .before
        #expect(try count(#require(file), 7) == (isWritten ? 6 : 1), "\(freePages) pages")
        for hour in hour + 1...hour + 2 {
            try writer.write(to: #require(file), hour: hour, isLast: false)
            while file?.isMoving == true { try file?.moveNext() }
        }
        let counts = try [count(#require(file), 7), count(#require(file), 0)]
        #expect(counts == [6, 4_005], "\(freePages) pages")
        return end
    }

    /// Leaves so many pages of a disk.
    private func fill(_ disk: String, _ ballast: String, freePages: Int) throws -> Int {
        let pages = try room(on: disk) - freePages
        try Data(count: pages * Self.pageBytes).write(to: URL(filePath: ballast))
        return pages
    }

    private func room(on disk: String) throws -> Int {
        var state = statvfs()
        try #require(statvfs(disk, &state) == 0)
        return Int(state.f_bavail) * Int(state.f_frsize) / Self.pageBytes
    }

    private static let diskPages = 1_024
    private static let pageBytes = 4_096

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
        writer.batch.add(VisitKey(link: 7, hour: hour, .visit), 4)
        // Those that were sent, and those that have come since.
        #expect(writer.waiting == 20_004)
        try store.limitPages(toMore: 10_000)
        try writer.write(to: store, hour: hour, isLast: true)
        #expect(writer.waiting == 0)
        #expect(try [count(store, 7), count(store, 0)] == [5, 20_004])
    }

    @Test func `a stop that has no more time for the database says how many visits are missing`()
        throws
    {
        let directory = try TemporaryDirectory()
        let service = try VisitService(.file("\(directory.path)/links.db")) { _ in }
        try service.visits.open("\(directory.path)/links.db.visits")
        func isSaid() -> Bool {
            service.stopLoss?.message.hasSuffix(": 2 visits, or more, may be missing") == true
        }
        service.add((1...2).map { VisitKey(link: $0, hour: hour, .visit) })
        try wait { service.totals.counts.reduce(0, +) == 2 }
        #expect(!isSaid())
        // The thread waits for whoever has the file.
        let isSaidMeanwhile = try service.visits.use { _ in
            service.beginLater([])
            return waits { isSaid() }
        }
        #expect(isSaidMeanwhile)
        service.beginStop(atOnce: false)
        try wait { service.hasStopped }
        #expect(!isSaid())
    }
}

extension VisitStore {
    /// Lets the file have this many pages more than it has now.
    fileprivate func limitPages(toMore pages: Int) throws {
        let has = try tables.file.number("PRAGMA page_count")
        try tables.file.database.execute("PRAGMA max_page_count = \(has + pages)")
    }
}
