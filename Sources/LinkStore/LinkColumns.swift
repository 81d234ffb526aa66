private import Visits

/// The properties of all links by which their visits are summed up, in memory and in the order of the links' numbers. A link
/// takes 36 bytes, and each text is there once, until all are forgotten.
package struct LinkColumns: Sendable {
    /// The numbers of links.
    package private(set) var links = [Int]()
    private var ids = [(UInt64, UInt64)]()
    /// By the places of the links: numbers of texts.
    package private(set) var collections = [UInt32]()
    package private(set) var tags = [UInt32]()
    package private(set) var campaigns = [UInt32]()
    package private(set) var collectionTexts = NumberedTexts()
    /// Tags of one link, for `linesOfTags`.
    package private(set) var tagTexts = NumberedTexts()
    package private(set) var campaignTexts = NumberedTexts()

    /// Of no link.
    package init() {}

    /// Their memory, about.
    package var byteCount: Int {
        36 * links.count + collectionTexts.byteCount + tagTexts.byteCount + campaignTexts.byteCount
    }

    /// Whether most of the texts are those that links had before.
    package var hasManyOldTexts: Bool {
        max(tagTexts.texts.count, campaignTexts.texts.count) > 2 * links.count + Self.oldTextsMax
    }

    private static let oldTextsMax = 10_000

    /// Adds a link, or replaces what is known of it. Visits of a link with another number than the store gives are not counted.
    /// - Parameter campaign: of its destination; empty for none.
    package mutating func put(_ link: LinkFacts, campaign: String) {
        guard 1...VisitKey.linkMax ~= link.number else { return }
        let place = place(of: link.number)
        if place == links.count || links[place] != link.number {
            links.insert(link.number, at: place)
            ids.insert((0, 0), at: place)
            collections.insert(0, at: place)
            tags.insert(0, at: place)
            campaigns.insert(0, at: place)
        }
        ids[place] = (Self.word(link.id.bytes[..<8]), Self.word(link.id.bytes[8...]))
        collections[place] = collectionTexts.number(of: link.collection)
        tags[place] = tagTexts.number(of: link.tagLines)
        campaigns[place] = campaignTexts.number(of: campaign)
    }

    /// The first place of a number that is not less.
    private func place(of link: Int) -> Int {
        guard let last = links.last, last >= link else { return links.count }
        var (low, high) = (0, links.count)
        while low < high {
            let middle = (low + high) / 2
            if links[middle] < link { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether the identity of a link is before that of another one, by their places. Names of links are in the same order.
    package func isBefore(_ place: Int, _ other: Int) -> Bool { ids[place] < ids[other] }

    /// The identity of the link at a place.
    package func id(at place: Int) -> LinkID? {
        let words = [ids[place].0, ids[place].1]
        return LinkID(
            words.flatMap { word in
                (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
            })
    }
}

/// Texts with the numbers by which they are named, from 0 on. Texts with other scalars are others.
package struct NumberedTexts: Sendable {
    package private(set) var texts = [String]()
    private var numbers = [[UInt8]: UInt32]()
    /// Their memory, about: each is there as text and as bytes.
    package private(set) var byteCount = 0

    private static let bytesOfText = 150

    /// The number of a text, which gets one if it has none.
    mutating func number(of text: String) -> UInt32 {
        let bytes = Array(text.utf8)
        if let number = numbers[bytes] { return number }
        let number = UInt32(texts.count)
        numbers[bytes] = number
        texts.append(text)
        byteCount += 2 * bytes.count + Self.bytesOfText
        return number
    }
}
