import Synchronization

/// Whether this origin should get requests, as its admin listener answers.
final class Health: Sendable {
    private let ready = Atomic<Bool>(false)

    var isReady: Bool {
        get { ready.load(ordering: .relaxed) }
        set { ready.store(newValue, ordering: .relaxed) }
    }
}
