import Diagnostics
import EventLog
import HTTPMessages
import LiveCheck
import Logging
import Origin

extension OriginEvent {
    /// Logs a shortage when it begins and when it ends, and refused peers once a minute.
    func report(to events: Logger) {
        switch self {
        case .began(let shortage, let facts):
            events.report(
                Diagnostic(
                    .warning, shortage.rule, at: nil, shortage.fact(facts),
                    advice: shortage.advice),
                shortage.members(facts))
        case .ended(let shortage, let count, let network):
            let most = network.map { ", most of them from \($0)" } ?? ""
            var members: Logger.Metadata = [
                "shortage": .string(shortage.rule.rawValue),
                "turned_away": .stringConvertible(count),
            ]
            members["network"] = network.map { .stringConvertible($0) }
            let tooMany = counted(count, "connection", was: "too many")
            events.info("no longer: \(shortage.fact); \(tooMany)\(most)", metadata: members)
        case .service(let event): event.report(to: events)
        case .peers(let fault, let peer, let count):
            events.report(
                Diagnostic(
                    .warning, fault.rule, at: nil, fault.fact(count, peer), advice: fault.advice),
                ["peer": .stringConvertible(peer), "count": .stringConvertible(count)])
        }
    }
}

extension Shortage {
    fileprivate var rule: RuleName {
        switch self {
        case .connections: .connectionLimit
        case .address: .addressLimit
        case .descriptors: .outOfDescriptors
        case .memory: .outOfMemory
        }
    }

    /// The limit, the number that was reached, and the address.
    fileprivate func fact(_ facts: ShortageFacts) -> String {
        let (count, limit) = (facts.count, facts.limit ?? 0)
        switch self {
        case .connections:
            return "\(counted(count, "connection")) \(count == 1 ? "is" : "are") open, the limit "
                + "is \(limit) (limits.connections)"
        case .address:
            return "\(facts.network.map { "\($0)" } ?? "an address") has "
                + "\(counted(count, "connection")) open, the limit is \(limit) "
                + "(limits.connections-per-address)"
        case .descriptors:
            return "\(fact); this process has \(count), the limit is \(limit)"
        case .memory:
            return "\(fact); \(counted(count, "connection")) \(count == 1 ? "is" : "are") open"
                + (limit > 0 ? ", and the limit of its container or unit is \(limit) bytes" : "")
        }
    }

    fileprivate func members(_ facts: ShortageFacts) -> Logger.Metadata {
        var members: Logger.Metadata = [
            "shortage": .string(rule.rawValue), "count": .stringConvertible(facts.count),
        ]
        members["limit"] = facts.limit.map { .stringConvertible($0) }
        members["network"] = facts.network.map { .stringConvertible($0) }
        return members
    }

    fileprivate var fact: String {
        switch self {
        case .connections: "the limit on connections is reached"
        case .address: "an address has reached its limit on connections"
        case .descriptors: "there is no descriptor for new connections"
        case .memory: "there is no memory for new connections or content"
        }
    }

    fileprivate var advice: String {
        switch self {
        case .connections:
            "further clients get 503, except for association files; see waymark_connections"
        case .address:
            "further connections from it get 429, except for association files; see outcome "
                + "\"limited\" in the access log"
        case .descriptors:
            "open connections are served; see process_open_fds, LimitNOFILE= and fs.file-max"
        case .memory:
            "open connections are served; raise the limit (the container's, MemoryMax=, LimitDATA=, "
                + "ulimit -v, tcp_mem), or lower limits.connections"
        }
    }
}
