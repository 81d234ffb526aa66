private import Associations

import SiteConfiguration

/// The page of an app in Google's store, with the referrer that the app gets after its
/// installation.
struct GooglePlayPage: Sendable {
    private let beginning: [UInt8]
    private let passesParameters: Bool
    private let passesLink: Bool

    /// Longer links are left out, because the store's limit for a referrer is not published.
    static let linkBytesMax = 1_024

    init(_ package: String, _ campaign: Campaign) {
        beginning = Array("https://play.google.com/store/apps/details?id=\(package)".utf8)
        passesParameters = campaign.utm != false
        passesLink = campaign.googleLink == true
    }

    /// - Returns: the parameters that were passed on.
    func write(_ filling: Destination.Filling, to result: inout [UInt8]) -> CampaignParameterSet {
        result.removeAll(keepingCapacity: true)
        result += beginning
        let start = result.count
        result += "&referrer=".utf8
        let empty = result.count
        let url = filling.url
        if passesParameters {
            for parameter in CampaignParameter.allCases {
                guard let range = filling.parameters.range(parameter) else { continue }
                if result.count > empty { result += "%26".utf8 }
                result += parameter.name.utf8
                result += "%3D".utf8
                append(url.bytes, range, of: .query, as: .nested, to: &result)
            }
        }
        if passesLink, url.bytes.count <= Self.linkBytesMax {
            if result.count > empty { result += "%26".utf8 }
            result += "link%3D".utf8
            var link = [UInt8]()
            append(url.bytes, 0..<url.bytes.count, of: .decoded, as: .nested, to: &link)
            append(link, 0..<link.count, of: .query, as: .nested, to: &result)
        }
        if result.count == empty { result.removeSubrange(start...) }
        return passesParameters ? filling.parameters.found : []
    }
}
