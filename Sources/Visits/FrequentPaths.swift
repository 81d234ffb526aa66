/// The paths that were asked for most often, among any number of them: a bounded list that
/// overestimates a path by at most its `error` (Space-Saving, Metwally et al., 2005).
package struct FrequentPaths: Sendable {
    package private(set) var entries = [Key: Entry]()
    private let capacity: Int

    package struct Key: Hashable, Sendable {
        /// The number of the collection's name.
        package let collection: UInt32
        package let path: String

        package init(_ collection: UInt32, _ path: String) {
            (self.collection, self.path) = (collection, path)
        }
    }

    package struct Entry: Equatable, Sendable {
        package var count: Int
        /// The most by which `count` can be too large.
        package var error = 0
        /// Hours since 1970.
        package var first: Int
        package var last: Int

        package init(count: Int, error: Int = 0, first: Int, last: Int) {
            (self.count, self.error, self.first, self.last) = (count, error, first, last)
        }
    }

    package init(capacity: Int, _ entries: [Key: Entry] = [:]) {
        (self.capacity, self.entries) = (capacity, entries)
    }

    /// Counts a path.
    package mutating func add(_ key: Key, _ count: Int, hour: Int) {
        if var entry = entries[key] {
            entry.count += count
            (entry.first, entry.last) = (min(entry.first, hour), max(entry.last, hour))
            return entries[key] = entry
        }
        var error = 0
        if entries.count >= capacity,
            let least = entries.min(by: { $0.value.count < $1.value.count })
        {
            // The new path may have been the one that was removed for others before.
            error = least.value.count
            entries[least.key] = nil
        }
        entries[key] = Entry(count: error + count, error: error, first: hour, last: hour)
    }
}
