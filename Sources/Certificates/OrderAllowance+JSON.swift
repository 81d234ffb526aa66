import Diagnostics
import JSONSyntax

extension OrderAllowance {
    /// The allowance of a text that `json` has written; without pauses if it is another text.
    package init(json bytes: [UInt8], limit: DomainLimit?) {
        let document = JSONDocument(bytes, file: "")
        let root = document.isValid ? document.root : nil
        let paces = (root?["domainsFullAt"]?.members ?? []).compactMap { member in
            number(member.value).map { (member.key, DomainPace(fullAt: $0)) }
        }
        self.init(limit: limit, paces: Dictionary(paces) { first, _ in first })
        failures = max(0, root?["failures"].flatMap { number($0) } ?? 0)
        outage = root?["outage"].flatMap(OrderPause.init)
        account = root?["account"].flatMap(OrderPause.init)
        for member in root?["domains"]?.members ?? [] {
            domains[member.key] = OrderPause(member.value)
        }
    }

    /// The text of its file.
    package var json: [UInt8] {
        var members = [(key: String, value: JSONText)]()
        if failures > 0 { members.append(("failures", .number(failures))) }
        if let outage { members.append(("outage", outage.json)) }
        if let account { members.append(("account", account.json)) }
        let domains = domains.sorted { $0.key < $1.key }.map { (key: $0.key, value: $0.value.json) }
        members.append(("domains", .object(domains)))
        let paces = domainPaces.sorted { $0.key < $1.key }
            .map { (key: $0.key, value: JSONText.number($0.value.fullAt)) }
        members.append(("domainsFullAt", .object(paces)))
        return Array(JSONText.object(members).formatted.utf8)
    }
}

extension OrderPause {
    fileprivate init?(_ json: JSONValue) {
        guard let since = number(json["since"]), let until = number(json["until"]) else {
            return nil
        }
        self.init(
            since: since, until: until, isLimit: json["limit"]?.boolean ?? false,
            reason: json["reason"]?.text ?? "")
    }

    fileprivate var json: JSONText {
        .object([
            ("since", .number(since)), ("until", .number(until)), ("limit", .boolean(isLimit)),
            ("reason", .string(reason)),
        ])
    }
}
