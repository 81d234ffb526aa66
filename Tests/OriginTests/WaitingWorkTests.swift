import LinkStore
import PostgreSQL
import PostgreSQLSupport
import Synchronization
import TestSupport
import Testing

@testable import Services
@testable import SharedStore

/// Work of the store's thread, of which changes that follow each other are one transaction.
@Suite(.serialized, .enabled(if: TestServer.isInstalled, TestServer.reason))
struct WaitingWorkTests {
    /// The numbers of pieces of work, as they were done and answered.
    private final class Log: Sendable {
        let done = Mutex([Int]())
        let answered = Mutex([Int]())
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func work(
        _ number: Int, _ log: Log, isJoinable: Bool = true, isRefused: Bool = false
    ) -> WaitingWork {
        WaitingWork(
            work: { result in
                log.done.withLock { $0.append(number) }
                try? result.get().transaction { _ throws(StoreError) -> Void in
                    if isRefused { throw StoreError.refused }
                }
                return { log.answered.withLock { $0.append(number) } }
            }, isJoinable: isJoinable)
    }

    private func shared() throws -> LinkStore { try LinkStore(TestDatabase().place(node: "one")) }

    @Test func `each is done once, and answered in its order`() throws {
        let (store, log) = (try shared(), Log())
        let waiting = [
            work(0, log), work(1, log), work(2, log, isJoinable: false), work(3, log),
        ]
        for answer in waiting.answers(of: store) { answer() }
        #expect(log.done.withLock { $0 } == [0, 1, 2, 3])
        #expect(log.answered.withLock { $0 } == [0, 1, 2, 3])
    }

    @Test func `what was taken back is done again by itself, and answered once`() throws {
        let (store, log) = (try shared(), Log())
        let waiting = [work(0, log, isRefused: true), work(1, log)]
        for answer in waiting.answers(of: store) { answer() }
        #expect(log.done.withLock { $0 } == [0, 0, 1])
        #expect(log.answered.withLock { $0 } == [0, 1])
        #expect(store.failure == nil)
    }

    @Test func `what fails to read is done again by itself, and so are the others`() throws {
        let (database, log) = (try TestDatabase(), Log())
        let store = try LinkStore(database.place())
        try database.connect().execute("ALTER TABLE waymark.person RENAME TO lost", by: soon)
        let reading = WaitingWork(
            work: { result in
                log.done.withLock { $0.append(1) }
                let isRead = (try? result.get().people()) != nil
                return { log.answered.withLock { $0.append(isRead ? 0 : 1) } }
            }, isJoinable: true)
        for answer in [work(0, log), reading, work(2, log), work(3, log)].answers(of: store) {
            answer()
        }
        #expect(log.done.withLock { $0 } == [0, 1, 0, 1, 2, 3])
        #expect(log.answered.withLock { $0 } == [0, 1, 2, 3])
        #expect(store.failure == nil)
    }

    @Test func `those before one that is taken back are made together once more`() throws {
        let (store, log) = (try shared(), Log())
        let waiting = [
            work(0, log), work(1, log), work(2, log, isRefused: true), work(3, log),
        ]
        for answer in waiting.answers(of: store) { answer() }
        #expect(log.done.withLock { $0 } == [0, 1, 2, 0, 1, 2, 2, 3])
        #expect(log.answered.withLock { $0 } == [0, 1, 2, 3])
        #expect(store.failure == nil)
    }

    @Test func `in a store of one process, each is a transaction of its own`() throws {
        let (store, log) = (try LinkStore("\(directory.path)/links.db"), Log())
        let waiting = [work(0, log, isRefused: true), work(1, log)]
        for answer in waiting.answers(of: store) { answer() }
        #expect(log.done.withLock { $0 } == [0, 1])
        #expect(log.answered.withLock { $0 } == [0, 1])
        try store.close()
    }
}
