internal import JSONSyntax

/// The values that the newest links have in the fields of a campaign, the last used first: a form offers them.
struct UsedCampaigns {
    private(set) var values = [LinkField: [String]]()

    /// The links that are looked at, and the values of a field that are offered.
    private static let newestLinks = 100
    private static let valuesMax = 20

    init(_ api: ConsoleAPI) {
        let answer = api.ask(
            "GET", ["links"], query: [("order", "newest"), ("limit", "\(Self.newestLinks)")])
        var seen = Set<[UInt8]>()
        for link in answer.json?["links"]?.elements ?? [] {
            let own = CampaignURL(link["destination"]?.text ?? "")
            for (field, value) in zip(LinkField.campaignFields, own.values) where !value.isEmpty {
                let isNew = seen.insert(Array("\(field.rawValue) \(value)".utf8)).inserted
                if isNew, values[field, default: []].count < Self.valuesMax {
                    values[field, default: []].append(value)
                }
            }
        }
    }
}
