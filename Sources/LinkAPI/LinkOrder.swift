import Diagnostics
import LinkStore
import URISyntax

/// An order of a list of links.
enum LinkOrder: String, CaseIterable {
    /// By their creation.
    case oldest, newest
    /// By their last changes, the last first.
    case changed
    case slug
    /// By their ends: the next end first, then links without an end, then those that have ended, the last first.
    case ending
    /// By the visits of some days, the most first.
    case visits

    /// Whether links are in this order in the store, so that a page is a part of it.
    var isOfCreation: Bool { self == .oldest || self == .newest }

    /// The place of a link.
    /// - Parameters:
    ///   - visits: those that are counted.
    ///   - now: seconds since 1970.
    func place(of link: LinkKeys, visits: Int = 0, at now: Int) -> OrderedPlace {
        switch self {
        case .oldest, .newest: OrderedPlace(number: 0, text: "", link: link.number)
        case .changed: OrderedPlace(number: -max(link.generation, 0), text: "", link: link.number)
        case .slug: OrderedPlace(number: 0, text: link.slug, link: link.number)
        case .ending:
            OrderedPlace(number: Self.rank(of: link.until, at: now), text: "", link: link.number)
        case .visits: OrderedPlace(number: -visits, text: "", link: link.number)
        }
    }

    /// The number of an end in their order.
    private static func rank(of until: Int?, at now: Int) -> Int {
        guard let until else { return endMax }
        // Another program can have written any number.
        let end = min(max(until, 0), endMax - 1)
        return end > now ? end : 2 * endMax - end
    }

    private static let endMax = 1 << 40

    // MARK: After

    /// The place as a query has it, behind the id of its link.
    func text(of place: OrderedPlace, _ id: LinkID) -> String {
        "\(id)-\(self == .slug ? place.text : "\(place.number.magnitude)")"
    }

    /// Reads `text`.
    /// - Parameter number: that of a link; 0 for a link that is not there.
    /// - Returns: nil for another text.
    func place(
        _ text: String, number: (LinkID) throws(StoreError) -> Int
    ) throws(StoreError) -> OrderedPlace? {
        let bytes = Array(text.utf8)
        guard bytes.count > Self.idLength, bytes[Self.idLength] == UInt8(ascii: "-"),
            let id = LinkID(String(decoding: bytes[..<Self.idLength], as: UTF8.self))
        else { return nil }
        let key = String(decoding: bytes[(Self.idLength + 1)...], as: UTF8.self)
        guard self != .slug else { return OrderedPlace(number: 0, text: key, link: try number(id)) }
        guard let size = Int(key), size >= 0, "\(size)".isScalarwise(key) else { return nil }
        let isFalling = self == .changed || self == .visits
        return OrderedPlace(number: isFalling ? -size : size, text: "", link: try number(id))
    }

    private static let idLength = 36
}

/// A place in an order of links. Of links with the same property, the newest is the first.
struct OrderedPlace: Sendable {
    let number: Int
    let text: String
    /// The number of the link.
    let link: Int

    func isBefore(_ other: OrderedPlace) -> Bool {
        if number != other.number { return number < other.number }
        if !text.isScalarwise(other.text) {
            return text.utf8.lexicographicallyPrecedes(other.text.utf8)
        }
        return link > other.link
    }
}
