import Memory
import Resolution
import SiteConfiguration

/// A client's group and platform, by their places in `allCases`.
public struct VisitorKind: Equatable, Sendable {
    public private(set) var group: UInt8 = 8
    public private(set) var platform: UInt8 = 3
    /// Whether it is no browser of a person.
    public private(set) var isProgram = true
    /// Whether it fetches pages for people, and gets a page in place of a redirect.
    private(set) var isFetcher = false

    /// A program on a computer: the last of each.
    public init() {}

    init(_ visitor: Visitor) {
        group = UInt8(VisitorGroup.allCases.firstIndex(of: visitor.group) ?? 0)
        platform = UInt8(WebPlatform.allCases.firstIndex(of: visitor.platform) ?? 0)
        isFetcher = visitor.kind.isProgram
        isProgram = visitor.group != .browser && visitor.group != .inAppBrowser
    }

    /// Its names in logs and metrics.
    package var groupName: StaticString { groups.names[Int(group)] }
    package var platformName: StaticString { platforms.names[Int(platform)] }
}

/// The names of an enumeration's cases, made once.
private struct CaseNames: Sendable {
    let names: [StaticString]

    init<Case: CaseIterable>(_ name: (Case) -> StaticString) { names = Case.allCases.map(name) }
}

private let groups = CaseNames(\VisitorGroup.logName)
private let platforms = CaseNames(\WebPlatform.logName)

extension VisitorGroup {
    fileprivate var logName: StaticString {
        switch self {
        case .appleCDN: "apple-cdn"
        case .swcd: "swcd"
        case .googleVerifier: "google-verifier"
        case .applebot: "applebot"
        case .searchEngine: "search-engine"
        case .preview: "preview"
        case .inAppBrowser: "in-app-browser"
        case .browser: "browser"
        case .program: "program"
        }
    }
}

extension WebPlatform {
    fileprivate var logName: StaticString {
        switch self {
        case .ios: "ios"
        case .ipad: "ipad"
        case .android: "android"
        case .desktop: "desktop"
        }
    }
}

/// A client with its kind. It is a class, so that reading it copies nothing.
final class KnownVisitor: Sendable {
    let visitor: Visitor
    let kind: VisitorKind

    init(_ visitor: Visitor) { (self.visitor, kind) = (visitor, VisitorKind(visitor)) }
}

/// The kinds of the last user agents, found by their very bytes: the same few come again and again,
/// and looking through one costs more than all else that is logged of a request.
package struct VisitorCache: ~Copyable {
    private var texts = [UInt8](repeating: 0, count: slotCount * textBytesMax)
    /// For each slot how long its text is; -1 where there is none.
    private var slots = [Slot](repeating: Slot(), count: slotCount)

    /// A user agent that was looked through.
    private struct Slot {
        /// The length of its text; -1 while there is none.
        var count = -1
        var hash: UInt64 = 0
        var client = KnownVisitor(Visitor(userAgent: ""))
    }

    /// The kind of client of the user agent at a place in `bytes`.
    package mutating func find(_ bytes: [UInt8], _ range: Range<Int>) -> VisitorKind {
        guard let slot = slot(bytes, range) else {
            return VisitorKind(Visitor(userAgent: bytes.span.extracting(range)))
        }
        return slots[slot].client.kind
    }

    /// The client of the user agent at a place in `bytes`, with its kind.
    mutating func visitor(_ bytes: [UInt8], _ range: Range<Int>) -> KnownVisitor {
        guard let slot = slot(bytes, range) else {
            return KnownVisitor(Visitor(userAgent: bytes.span.extracting(range)))
        }
        return slots[slot].client
    }

    /// The slot of a user agent, which is looked through unless it is there; nil for one that is too
    /// long to be kept.
    private mutating func slot(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        let text = bytes.span.extracting(range)
        guard text.count <= Self.textBytesMax else { return nil }
        let slot = Self.slot(text)
        let start = slot * Self.textBytesMax
        if slots[slot].count == text.count, isEqual(text, at: start) { return slot }
        slots[slot] = Slot(
            count: text.count, hash: Self.hash(text),
            client: KnownVisitor(Visitor(userAgent: text)))
        texts.copy(bytes, range, to: start)
        return slot
    }

    /// A hash of the user agent, which was looked for before.
    package func hash(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
        let text = bytes.span.extracting(range)
        guard text.count <= Self.textBytesMax else { return Self.hash(text) }
        return slots[Self.slot(text)].hash
    }

    private static func hash(_ text: Span<UInt8>) -> UInt64 {
        // It is hashed again with the day's key; here it only must not be the same by chance.
        text.indices.reduce(14_695_981_039_346_656_037) {
            ($0 ^ UInt64(text[$1])) &* 1_099_511_628_211
        }
    }

    private func isEqual(_ text: Span<UInt8>, at start: Int) -> Bool {
        let kept = texts.span.extracting(start..<start + text.count)
        var index = 0
        while text.hasOctets(at: index) {
            guard text.octets(at: index) == kept.octets(at: index) else { return false }
            index += 8
        }
        while index < text.count {
            guard text[index] == kept[index] else { return false }
            index += 1
        }
        return true
    }

    /// The slot by a hash of all bytes: user agents differ in their middle and at their end.
    private static func slot(_ text: Span<UInt8>) -> Int {
        var hash = UInt64(text.count)
        var index = 0
        while text.hasOctets(at: index) {
            hash = (hash ^ text.octets(at: index)) &* 0x9E37_79B9_7F4A_7C15
            index += 16
        }
        if text.count >= 8 { hash ^= text.octets(at: text.count - 8) }
        hash = hash &* 0x9E37_79B9_7F4A_7C15
        return Int(hash >> 58)
    }

    private static let slotCount = 64
    private static let textBytesMax = 512
}
