import Associations

/// The query items that identify campaigns, in the exact spelling.
package enum CampaignParameter: Int, CaseIterable, Sendable {
    case source, medium, campaign, term, content, id

    /// The item's name: `utm_source`.
    package var name: String {
        switch self {
        case .source: "utm_source"
        case .medium: "utm_medium"
        case .campaign: "utm_campaign"
        case .term: "utm_term"
        case .content: "utm_content"
        case .id: "utm_id"
        }
    }
}

/// A set of these parameters.
package struct CampaignParameterSet: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ parameter: CampaignParameter) { self.init(rawValue: 1 << UInt8(parameter.rawValue)) }

    /// Their names, in the order in which they are sent.
    package var names: [String] {
        CampaignParameter.allCases.filter { contains(.init($0)) }.map(\.name)
    }
}

/// The ranges of these items' values in a link. If an item is repeated, the first counts. Items
/// without a value and with a value that is too long are left out.
struct CampaignParameters {
    private(set) var found = CampaignParameterSet()
    private var ranges: InlineArray<6, Range<Int>> = .init(repeating: 0..<0)

    /// Real campaigns have shorter values.
    static let valueBytesMax = 256

    init() {}

    init(_ url: LinkURL) {
        url.forEachQueryItem { name, value in
            guard let parameter = Self.parameter(url.bytes.span, name) else { return }
            let isWanted = (1...Self.valueBytesMax).contains(value.count)
            guard isWanted, !found.contains(.init(parameter)) else { return }
            found.insert(.init(parameter))
            ranges[parameter.rawValue] = value
        }
    }

    /// The range of the value; nil if it is missing.
    func range(_ parameter: CampaignParameter) -> Range<Int>? {
        found.contains(.init(parameter)) ? ranges[parameter.rawValue] : nil
    }

    /// The parameter with the name that is written in a query.
    static func parameter(_ text: Span<UInt8>, _ name: Range<Int>) -> CampaignParameter? {
        guard name.count > prefix.count, matches(text, name.lowerBound, prefix) else { return nil }
        for (number, known) in names.enumerated()
        where name.count == known.count && matches(text, name.lowerBound, known) {
            return CampaignParameter(rawValue: number)
        }
        return nil
    }

    private static let prefix = Array("utm_".utf8)
    private static let names = CampaignParameter.allCases.map { Array($0.name.utf8) }

    private static func matches(_ text: Span<UInt8>, _ start: Int, _ word: [UInt8]) -> Bool {
        for offset in word.indices where text[start + offset] != word[offset] { return false }
        return true
    }
}

extension LinkURL {
    /// Calls `body` with the range of the name and the value of every item of the query.
    func forEachQueryItem(_ body: (_ name: Range<Int>, _ value: Range<Int>) -> Void) {
        guard let query = queryRange else { return }
        let text = bytes.span
        var start = query.lowerBound
        while start < query.upperBound {
            var (end, equals) = (start, -1)
            while end < query.upperBound, text[end] != UInt8(ascii: "&") {
                if equals < 0, text[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            let nameEnd = equals < 0 ? end : equals
            body(start..<nameEnd, min(nameEnd + 1, end)..<end)
            start = end + 1
        }
    }
}
