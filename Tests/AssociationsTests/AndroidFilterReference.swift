import Foundation

@testable import Associations

/// Android's way to decide whether a filter takes a link of its host, after `IntentFilter`,
/// `UriRelativeFilterGroup` and `UriRelativeFilter` of Android 15: step by step as there.
struct AndroidFilterReference {
    var paths = [AndroidPattern]()
    var groups = [Group]()

    struct Group {
        let allows: Bool
        let conditions: [ManifestLinks.Condition]
    }

    /// The parts of a link, decoded.
    struct Parts: Hashable {
        var path: String
        var query: String?
        var fragment: String?

        init(_ path: String, _ query: String? = nil, _ fragment: String? = nil) {
            (self.path, self.query, self.fragment) = (path, query, fragment)
        }

        init(of url: LinkURL) {
            let decoded = { (text: String) in text.removingPercentEncoding ?? text }
            self.init(decoded(url.path), url.query.map(decoded), url.fragment.map(decoded))
        }

        /// With or without a slash at the end of the path.
        var otherForm: Parts {
            var other = self
            if path.hasSuffix("/") { other.path.removeLast() } else { other.path += "/" }
            return other
        }
    }

    func takes(_ link: Parts) -> Bool {
        if paths.isEmpty, groups.isEmpty { return true }
        return paths.contains { AndroidPatternReference.takes(link.path, $0) }
            || Self.takes(groups, link)
    }

    private static func takes(_ groups: [Group], _ link: Parts) -> Bool {
        for group in groups {
            if meets(group, link) { return group.allows }
        }
        return false
    }

    private static func meets(_ group: Group, _ link: Parts) -> Bool {
        if group.conditions.isEmpty { return false }
        for condition in group.conditions {
            switch condition.part {
            case .path:
                if !AndroidPatternReference.takes(link.path, condition.pattern) { return false }
            case .fragment:
                guard let fragment = link.fragment,
                    AndroidPatternReference.takes(fragment, condition.pattern)
                else { return false }
            case .query:
                guard let query = link.query else { return false }
                var items = javaSplit(query, "&")
                if items.count == 1 { items = javaSplit(query, ";") }
                if !items.contains(where: {
                    AndroidPatternReference.takes($0, condition.pattern)
                }) {
                    return false
                }
            }
        }
        return true
    }

    /// `String.split` of Java: a text without the separator is one part, also an empty one, and empty parts at
    /// the end are left out.
    private static func javaSplit(_ text: String, _ separator: Character) -> [String] {
        guard text.contains(separator) else { return [text] }
        var parts = text.split(separator: separator, omittingEmptySubsequences: false)
            .map(String.init)
        while parts.last == "" { parts.removeLast() }
        return parts
    }
}
