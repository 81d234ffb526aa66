/// The identifiers of apps that were replaced by others which differ only in the prefix. Where a
/// bundle has several identifiers in one of the lists, none replaces another.
package struct FormerIdentifiers {
    private var olds = [[UInt8]: String]()
    private var former = Set<[UInt8]>()

    /// - Parameters:
    ///   - old: identifiers of the old version.
    ///   - new: those of the new version.
    package init(_ old: [String], _ new: [String]) {
        let known = Set(old.map { Array($0.utf8) })
        let (before, after) = (Self.byBundle(old), Self.byBundle(new))
        for id in new where !known.contains(Array(id.utf8)) {
            guard let bundle = Self.bundle(id), after[bundle]?.count == 1,
                let others = before[bundle], others.count == 1
            else { continue }
            olds[Array(id.utf8)] = others[0]
            former.insert(Array(others[0].utf8))
        }
    }

    /// The identifier that an app had in the old version; nil if it had the same one, or is new.
    package subscript(_ id: String) -> String? { olds[Array(id.utf8)] }

    /// Whether another identifier replaces this one.
    package func isFormer(_ id: String) -> Bool { former.contains(Array(id.utf8)) }

    private static func byBundle(_ ids: [String]) -> [[UInt8]: [String]] {
        var bundles = [[UInt8]: [String]]()
        for id in ids {
            if let bundle = bundle(id) { bundles[bundle, default: []].append(id) }
        }
        return bundles
    }

    /// The text behind the prefix, with its full stop.
    private static func bundle(_ id: String) -> [UInt8]? {
        id.utf8.firstIndex(of: UInt8(ascii: ".")).map { Array(id.utf8[$0...]) }
    }
}
