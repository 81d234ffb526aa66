import Diagnostics
import JSONSyntax

extension OrderAllowance {
    /// Whether a text is one that `json` can have written. Others have no pauses, and are not to be believed for that.
    package static func accepts(json bytes: [UInt8]) -> Bool {
        let document = JSONDocument(bytes, file: "")
        return document.isValid && document.root?.members != nil
    }

    /// This allowance, of the nodes' database, with what a node knows of limits besides: the database may be one that was
    /// restored. What is over is left off.
    package func keepingLimits(of own: OrderAllowance, now: Int) -> OrderAllowance {
        func later(_ one: OrderPause?, _ other: OrderPause?) -> OrderPause? {
            guard let other, other.until > max(now, one?.until ?? .min) else { return one }
            return other
        }
        var kept = self
        kept.account = later(account, own.account)
        for (domain, pause) in own.domains { kept.domains[domain] = later(domains[domain], pause) }
        for (domain, pace) in own.domainPaces
        where pace.fullAt > max(now, domainPaces[domain]?.fullAt ?? .min) {
            kept.domainPaces[domain] = pace
        }
        return kept
    }
}
