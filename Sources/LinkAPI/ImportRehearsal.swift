import Synchronization

/// The slugs and names that the lines of a rehearsed import would have taken: nothing of them is in the
/// store.
package final class ImportRehearsal: Sendable {
    private let taken = Mutex((slugs: Set<[UInt8]>(), names: Set<[UInt8]>()))

    package init() {}

    enum Taken { case slug(Int), name }

    /// Takes all of them, or none.
    /// - Returns: the first that was not free.
    func take(slugs: [String], name: String?) -> Taken? {
        let (slugs, name) = (slugs.map { Array($0.utf8) }, name.map { Array($0.utf8) })
        return taken.withLock { taken in
            if let index = slugs.firstIndex(where: taken.slugs.contains) { return .slug(index) }
            if let name, taken.names.contains(name) { return .name }
            taken.slugs.formUnion(slugs)
            if let name { taken.names.insert(name) }
            return nil
        }
    }
}
