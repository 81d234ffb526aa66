import Console
package import Diagnostics
package import SiteConfiguration
import Sockets
import Synchronization

/// The findings of lint about the configuration that is served. They are looked for on a thread of their own when
/// somebody asks for them, because mostly nobody does, and a large configuration takes seconds.
package final class RunningFindings: Sendable {
    /// Looks for them in the file of the configuration that is served.
    package typealias Look = @Sendable (_ served: Environment) -> Outcome

    package enum Outcome: Sendable {
        case found([Diagnostic])
        /// The file has another configuration by now.
        case otherFile
        case noMemory
    }

    private struct State {
        var look: Look?
        var isUnderway = false
        var known: Known?
    }

    private struct Known {
        let generation: Int
        let seconds: Int
        let health: FindingsHealth
    }

    private let state = Mutex(State())

    package init() {}

    package func take(_ look: @escaping Look) { state.withLock { $0.look = look } }

    /// Those of a generation as far as they are known; begins to look for them where they are not, or are old.
    func current(_ generation: Int, of served: Environment, now: Int) -> FindingsHealth {
        let (known, look) = state.withLock { state -> (Known?, Look?) in
            let known = state.known.flatMap { $0.generation == generation ? $0 : nil }
            let isFresh = known.map { abs(now - $0.seconds) < $0.health.keptSeconds } ?? false
            guard !isFresh, !state.isUnderway, let look = state.look else { return (known, nil) }
            state.isUnderway = true
            return (known, look)
        }
        if let look {
            _ = Background(name: "waymark-lint") { [self] in
                let outcome = look(served)
                let seconds = Clock.unixSeconds
                let health: FindingsHealth =
                    switch outcome {
                    case .found(let findings): .found(findings, seen: seconds)
                    case .otherFile: .otherFile(seen: seconds)
                    case .noMemory: .noMemory(seen: seconds)
                    }
                state.withLock { state in
                    state.isUnderway = false
                    state.known = Known(generation: generation, seconds: seconds, health: health)
                }
            }
        }
        return known?.health ?? .underway
    }
}

extension FindingsHealth {
    /// The time after which they are looked for again: a link may have ended meanwhile, or a file been mended.
    fileprivate var keptSeconds: Int {
        switch self {
        case .underway: 0
        case .otherFile, .noMemory: 30
        case .found: 3_600
        }
    }
}
