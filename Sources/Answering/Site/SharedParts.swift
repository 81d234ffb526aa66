import Pages
import Synchronization

/// The parts that are the same for all sites built together.
package final class SharedParts: Sendable {
    /// The files that are open to be sent.
    let openFiles: OpenFiles
    /// Built-in themes, by the values of their CSS variables.
    private let themes = Mutex<[[String: String]: Theme]>([:])

    /// - Parameter previous: any site that was built before.
    package init(_ limits: AnsweringLimits, after previous: PreparedSite?) {
        openFiles = previous?.openFiles ?? OpenFiles(limit: limits.openFilesMax)
    }

    /// The built-in theme with these values of CSS variables; nil if nothing made it yet.
    func theme(_ variables: [String: String]) -> Theme? { themes.withLock { $0[variables] } }

    func keep(_ theme: Theme, _ variables: [String: String]) {
        themes.withLock { $0[variables] = theme }
    }
}
