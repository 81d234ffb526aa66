/// The links of one host that the intent filters of an app take, on one version of Android.
package struct ManifestLinks: Hashable, Sendable {
    /// The paths that filters take by themselves.
    package let paths: ManifestPaths
    /// Groups in the order in which they are tried; the first that a link matches decides. A link is taken if
    /// one of the lists takes it.
    let groups: [[Group]]

    /// A group of conditions whose values are all known (Android, "uri-relative-filter-group").
    package struct Group: Hashable, Sendable {
        let allows: Bool
        let conditions: [Condition]
        /// The filter that it is of, and its number there.
        let filter: Int
        let number: Int

        package init(allows: Bool, _ conditions: [Condition], filter: Int, number: Int) {
            (self.allows, self.conditions) = (allows, conditions)
            (self.filter, self.number) = (filter, number)
        }
    }

    /// A pattern for a part of a link. For a query, it is for one item.
    package struct Condition: Hashable, Sendable {
        let part: ManifestFilter.Group.Part
        let pattern: AndroidPattern

        package init(_ part: ManifestFilter.Group.Part, _ pattern: AndroidPattern) {
            (self.part, self.pattern) = (part, pattern)
        }
    }

    /// The part of a manifest that takes a link.
    package enum Taker: Hashable, Sendable {
        /// A filter without paths.
        case everyPath
        case path(AndroidPattern)
        case group(filter: Int, number: Int)
    }

    /// - Parameter groups: those of each filter. Between groups that only allow, the order makes no
    ///   difference, so filters with such groups become one list.
    package init(_ paths: ManifestPaths, _ groups: [[Group]] = []) {
        self.paths = paths
        let allowing = groups.filter { $0.allSatisfy(\.allows) }.flatMap(\.self)
        let others = groups.filter { !$0.allSatisfy(\.allows) }
        self.groups = (allowing.isEmpty ? [] : [allowing]) + others
    }

    /// The patterns of conditions for a part.
    func patterns(for part: ManifestFilter.Group.Part) -> [AndroidPattern] {
        groups.joined().flatMap(\.conditions).filter { $0.part == part }.map(\.pattern)
    }

    /// All patterns, as often as they occur.
    var patterns: [AndroidPattern] {
        paths.patterns + groups.joined().flatMap(\.conditions).map(\.pattern)
    }
}

/// A link in the form that Android compares: decoded, its query divided into items.
struct AndroidLink {
    let path: [UInt16]
    /// Nil for a link without a query.
    let queryItems: [[UInt16]]?
    let fragment: [UInt16]?

    private init(_ path: [UInt16], _ items: [[UInt16]]?, _ fragment: [UInt16]?) {
        (self.path, queryItems, self.fragment) = (path, items, fragment)
    }

    /// Nil for a link whose escapes are malformed or not UTF-8.
    init?(_ url: LinkURL) {
        guard let path = androidText(url.path) else { return nil }
        let query = url.query.map(androidText)
        let fragment = url.fragment.map(androidText)
        guard query != .some(nil), fragment != .some(nil) else { return nil }
        self.init(path, query?.map(androidItems), fragment ?? nil)
    }

    /// The same with or without a slash at the end of its path, which makes no difference to Apple's
    /// rules.
    var otherForm: AndroidLink {
        let slash = UInt16(UInt8(ascii: "/"))
        let other = path.last == slash ? Array(path.dropLast()) : path + [slash]
        return AndroidLink(other, queryItems, fragment)
    }

    /// - Parameter work: grows by the elements of patterns that were tried.
    func meets(_ condition: ManifestLinks.Condition, _ work: inout Int) -> Bool {
        switch condition.part {
        case .path: condition.pattern.matches(path, &work)
        case .query: queryItems?.contains { condition.pattern.matches($0, &work) } == true
        case .fragment: fragment.map { condition.pattern.matches($0, &work) } == true
        }
    }
}

/// The items of a decoded query as Android divides it: at `&`, or at `;` if that makes only one.
func androidItems(_ query: [UInt16]) -> [[UInt16]] {
    func divided(at separator: Unicode.Scalar) -> [[UInt16]] {
        let mark = UInt16(separator.value)
        guard query.contains(mark) else { return [query] }
        var items = query.split(separator: mark, omittingEmptySubsequences: false).map(Array.init)
        while items.last?.isEmpty == true { items.removeLast() }
        return items
    }
    let items = divided(at: "&")
    return items.count == 1 ? divided(at: ";") : items
}
