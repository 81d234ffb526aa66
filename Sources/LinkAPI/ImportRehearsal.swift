import Synchronization

/// The slugs and names that the lines of a rehearsed import would have taken: nothing of them is in the
/// store. What a line has taken is free for the line itself, which is written again if its transaction is.
package final class ImportRehearsal: Sendable {
    private let taken = Mutex((slugs: [[UInt8]: Int](), names: [[UInt8]: Int]()))

    package init() {}

    /// The number of the line that has taken a slug.
    func line(of slug: String) -> Int? { taken.withLock { $0.slugs[Array(slug.utf8)] } }

    enum Taken: Equatable { case slug(Int), name }

    /// Takes all of them, or none.
    /// - Parameter line: the number of the line that takes them.
    /// - Returns: the first that was not free.
    func take(slugs: [String], name: String?, line: Int) -> Taken? {
        let (slugs, name) = (slugs.map { Array($0.utf8) }, name.map { Array($0.utf8) })
        return taken.withLock { taken in
            let index = slugs.firstIndex { taken.slugs[$0, default: line] != line }
            if let index { return .slug(index) }
            if let name, taken.names[name, default: line] != line { return .name }
            for slug in slugs { taken.slugs[slug] = line }
            if let name { taken.names[name] = line }
            return nil
        }
    }
}
