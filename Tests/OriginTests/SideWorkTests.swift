import Sockets
import Synchronization
import TestSupport
import Testing

@testable import Services

@Suite("Work beside the store's thread")
struct SideWorkTests {
    @Test func `without any thread it is refused at once, and none of it is done later`() throws {
        let lacksThreads = Atomic(true)
        let done = Atomic(0)
        let work = SideWork { body throws(SystemError) in
            if lacksThreads.load(ordering: .relaxed) { throw .exhausted }
            try startThread(name: "test-side", body)
        }
        for _ in 0..<2 {
            #expect(!work.submit(for: 1) { done.wrappingAdd(100, ordering: .relaxed) })
            #expect(work.fault == .exhausted)
        }
        lacksThreads.store(false, ordering: .relaxed)
        #expect(work.submit(for: 1) { done.wrappingAdd(1, ordering: .relaxed) })
        #expect(work.fault == nil)
        try wait { done.load(ordering: .relaxed) == 1 }
    }
}
