private import Diagnostics
internal import JSONSyntax

/// The time zone of the sites whose statistics a page has.
struct SiteZone {
    static let universal = "UTC"

    /// UTC if the sites have none, or several.
    let name: String

    /// - Parameters:
    ///   - collections: those that the person may see, as the API has them.
    ///   - collection: the only one that the statistics are about; nil for all.
    init(_ collections: [JSONValue], of collection: String?) {
        let zones = collections.filter { one in
            collection.map { one["name"]?.text?.isScalarwise($0) == true } ?? true
        }.map { $0["timeZone"]?.text ?? Self.universal }
        let isOne = zones.dropFirst().allSatisfy { $0.isScalarwise(zones[0]) }
        name = isOne ? zones.first ?? Self.universal : Self.universal
    }

    var isUniversal: Bool { name == Self.universal }

    /// The items of a question to the API about days of this zone.
    var query: [(name: String, value: String)] { isUniversal ? [] : [("zone", name)] }
}
