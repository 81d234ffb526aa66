import Associations
import SiteConfiguration

// Most stored links redirect every visitor to their destination. For these, the path alone determines
// the collection, and the rules of the links need not be evaluated.

/// The collections whose paths begin with a text with which no path of an earlier link begins, and
/// whose links lead everybody to their destination, unless a link itself says something else.
struct StoredShortcuts: Sendable {
    /// The texts of all, one after the other.
    private var texts = [UInt8]()
    private var collections = [Collection]()

    struct Collection: BitwiseCopyable, Sendable {
        let link: Int
        let number: UInt32
        let isExact: Bool
        fileprivate let start: Int
        fileprivate let count: Int
    }

    /// - Parameter actions: of these links.
    init(_ links: [Link], _ actions: [LinkActions]) {
        var before = [[UInt8]]()
        for (number, link) in links.enumerated() {
            let leads = link.components.map { Self.lead(RuleText($0)) }
            if let lead = leads.first, leads.count == 1,
                let collection = actions[number].plainNumber,
                let rule = link.components.first.map(RuleText.init), Self.isPlain(rule, lead),
                !before.contains(where: { $0.starts(with: lead) || lead.starts(with: $0) })
            {
                collections.append(
                    Collection(
                        link: number, number: collection, isExact: actions[number].isExact,
                        start: texts.count, count: lead.count))
                texts += (rule.path ?? "").utf8.dropLast()
            }
            before += leads
        }
    }

    /// The beginning of all paths of a rule, in small letters.
    private static func lead(_ rule: RuleText) -> [UInt8] {
        (rule.path ?? "").utf8.prefix { $0.isOfPlainPath }.map { $0.lowercased }
    }

    /// Whether the rule is nothing but this beginning and a star for all that follows.
    private static func isPlain(_ rule: RuleText, _ lead: [UInt8]) -> Bool {
        guard let path = rule.path?.utf8, path.last == UInt8(ascii: "*"),
            path.count == lead.count + 1, lead.first == UInt8(ascii: "/"),
            lead.last == UInt8(ascii: "/"), !lead.contains([0x2F, 0x2F])
        else { return false }
        return rule.query == nil && rule.fragment == nil && !rule.exclude && rule.caseSensitive
    }

    /// The collection of a path, and where its slug is. What is in the path is the same with and
    /// without percent-encoding.
    @inline(__always)
    func find(_ text: Span<UInt8>, _ path: Range<Int>) -> (Collection, slug: Range<Int>)? {
        let all = texts.span
        for index in collections.indices {
            let collection = collections[index]
            let slug = path.lowerBound + collection.count
            guard slug < path.upperBound,
                all.extracting(collection.start..<collection.start + collection.count)
                    .isSame(as: text.extracting(path.lowerBound..<slug))
            else { continue }
            for position in slug..<path.upperBound where !text[position].isOfSlug { return nil }
            return (collection, slug..<path.upperBound)
        }
        return nil
    }
}

extension LinkActions {
    /// The collection's number, if all its links lead everybody to their destination.
    fileprivate var plainNumber: UInt32? {
        isEmpty && period == nil && after == nil ? collectionNumber : nil
    }
}

extension LinkResolver {
    /// Finds the stored link that a path is of, if everybody is led to its destination: what
    /// `decide` would find out, without its other questions. Nil leaves them to `decide`.
    /// - Parameters:
    ///   - path: without percent-encoding, and without a query behind it.
    ///   - scratch: gets the destination.
    /// - Returns: the numbers of the collection's link and of the stored link.
    package func redirectStored(
        _ text: [UInt8], _ path: Range<Int>, _ scratch: inout LinkScratch
    ) -> (link: Int, id: UInt64)? {
        let span = text.span
        guard let (collection, slug) = shortcuts.find(span, path),
            scratch.findStored(
                collection.number, span.extracting(slug), isExact: collection.isExact)
        else { return nil }
        return scratch.takeDestination().map { (collection.link, $0) }
    }
}

extension Span<UInt8> {
    fileprivate func isSame(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }
}

extension UInt8 {
    fileprivate var isOfSlug: Bool {
        let letter = self | 0x20
        return letter &- UInt8(ascii: "a") < 26 || self &- UInt8(ascii: "0") < 10
            || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
    }

    var isOfPlainPath: Bool { isOfSlug || self == UInt8(ascii: "/") }

    fileprivate var lowercased: UInt8 { self &- UInt8(ascii: "A") < 26 ? self | 0x20 : self }
}
