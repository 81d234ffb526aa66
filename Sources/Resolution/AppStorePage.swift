private import Associations

import SiteConfiguration
private import URISyntax

/// The page of an app in Apple's store, with the campaign of a visit.
struct AppStorePage: Sendable {
    /// The URL up to the campaign token, which may come from the request.
    private let beginning: [UInt8]
    private let end: [UInt8]
    private let takesToken: Bool

    init(_ identifier: String, _ campaign: Campaign) {
        var items = [String]()
        if let provider = campaign.appleProvider { items.append("pt=\(provider)") }
        if let own = campaign.appleCampaign, campaign.appleProvider != nil {
            var token = [UInt8]()
            append(
                Array(own.utf8), 0..<own.utf8.count, of: .decoded, as: .queryValue, to: &token)
            items.append("ct=\(String(decoding: token, as: UTF8.self))")
        }
        takesToken =
            campaign.appleProvider != nil && campaign.appleCampaign == nil && campaign.utm != false
        let query = items.isEmpty ? "" : "?\(items.joined(separator: "&"))"
        beginning = Array("https://apps.apple.com/app/id\(identifier)\(query)".utf8)
        var rest = campaign.appleProvider == nil ? [] : ["mt=8"]
        if let page = campaign.appleProductPage { rest.append("ppid=\(page)") }
        let first = items.isEmpty ? "?" : "&"
        end = rest.isEmpty ? [] : Array("\(first)\(rest.joined(separator: "&"))".utf8)
    }

    /// - Returns: the parameters that were passed on.
    func write(_ filling: Destination.Filling, to result: inout [UInt8]) -> CampaignParameterSet {
        result.removeAll(keepingCapacity: true)
        result += beginning
        defer { result += end }
        guard takesToken, let range = filling.parameters.range(.campaign) else { return [] }
        result += "&ct=".utf8
        let kept = Self.token(filling.url.bytes.span, range)
        append(filling.url.bytes, kept, of: .query, as: .queryValue, to: &result)
        return CampaignParameterSet(.campaign)
    }

    /// The beginning of a value, as long as the store accepts it, without a part of a character.
    private static func token(_ text: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (index, bytes) = (range.lowerBound, 0)
        while index < range.upperBound, bytes < Campaign.appleTokenBytesMax {
            let isEscape =
                text[index] == UInt8(ascii: "%") && index + 2 < range.upperBound
                && text[index + 1].hexDigitValue != nil && text[index + 2].hexDigitValue != nil
            index += isEscape ? 3 : 1
            bytes += 1
        }
        guard index < range.upperBound else { return range }
        while index > range.lowerBound, continuesScalar(text, index, range) {
            index -= index >= range.lowerBound + 3 && text[index - 3] == UInt8(ascii: "%") ? 3 : 1
        }
        return range.lowerBound..<index
    }

    /// Whether the byte at `index`, or the one whose escape begins there, continues a character.
    private static func continuesScalar(
        _ text: Span<UInt8>, _ index: Int, _ range: Range<Int>
    ) -> Bool {
        guard text[index] == UInt8(ascii: "%") else { return text[index] & 0xC0 == 0x80 }
        guard index + 2 < range.upperBound, let high = text[index + 1].hexDigitValue else {
            return false
        }
        return high & 0xC == 0x8
    }
}
